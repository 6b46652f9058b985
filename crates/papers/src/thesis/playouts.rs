//! Figures 3.7 to 3.9 (section 3.2.4): how playouts are best spent, in Kalah against MM-8.

use super::curves::{self, Course, Played, better};
use super::kalah::{USUAL, mm};
use crate::duels::Duel;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale};
use astragal_arena::budget::Budgets;
use astragal_arena::terms::Terms;
use astragal_core::Budget;
use astragal_plot::{Axis, Figure};
use astragal_stats::{Estimate, LEVEL, Running};

/// The experiment.
pub(crate) static PLAYOUTS: Experiment = Experiment {
    id: "thesis-fig3.7",
    title: "Playouts or nodes: UCT against Minimax in Kalah (Figures 3.7 to 3.9)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.2.4, Figures 3.7, 3.8, 3.9",
    takes: &[(Scale::Quick, 220), (Scale::Full, 14_400)],
    run,
};

/// The steps of all curves.
const FACTORS: [u64; 6] = [1, 2, 4, 8, 16, 32];

/// Exploration constants: the thesis does not give one for these figures. The first is that of its section
/// 4.3, for chess.
const CONSTANTS: [f64; 2] = [0.4, 1.0];

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, pairs, least, total) = bench.scale.pick((4, 150, 100, 4000), (8, 500, 625, 20_000));
    let duel = |c: f64, playouts: u64, iterations: u64| Duel {
        game: USUAL.spec(),
        engines: [format!("uct(c={c},playouts={playouts})"), mm(depth)],
        budgets: Budgets([Budget::iterations(iterations), Budget::default()]),
        terms: Terms { deal: true, ..Terms::default() },
        pairs,
    };
    let fixed = 4 * least;
    let mut courses = Vec::new();
    for c in CONSTANTS {
        let mut course =
            |place: &dyn Fn(u64) -> u64, playouts: &dyn Fn(u64) -> u64, iterations: &dyn Fn(u64) -> u64| {
                let duels = FACTORS
                    .iter()
                    .map(|&factor| (place(factor) as f64, duel(c, playouts(factor), iterations(factor))));
                courses.push(Course { name: format!("c = {c}"), duels: duels.collect() });
            };
        course(&|factor| factor, &|factor| factor, &|_| fixed);
        course(&|factor| factor * least, &|_| 1, &|factor| factor * least);
        course(&|factor| factor, &|factor| factor, &|factor| total / factor);
    }
    let played = curves::play(courses, bench)?;
    let mut findings = Vec::new();
    for (c, curves) in CONSTANTS.into_iter().zip(played.chunks(3)) {
        findings.extend(judged(c, curves, [least, fixed, total]));
    }
    let mut figure = Figure::new("Playouts or nodes");
    figure.subtitle = format!("Win rate of UCT against MM-{depth}, with 95 % intervals");
    figure.columns = 3;
    figure.shared = false;
    figure.width = 960.0;
    let panels = [
        (format!("3.7: {fixed} iterations"), "playouts a leaf"),
        ("3.8: one playout a leaf".into(), "iterations"),
        (format!("3.9: {total} playouts in all"), "playouts a leaf"),
    ];
    for (at, (title, axis)) in panels.into_iter().enumerate() {
        let curves: Vec<&Played> = played.iter().skip(at).step_by(3).collect();
        figure = figure.panel(title, curves::chart(&curves, Axis::new(axis).log()));
    }
    let caption = "Left to right: Figures 3.7, 3.8, 3.9. The line is 50 %.".into();
    let mut table = curves::table(&played, "playouts or iterations");
    for (row, at) in table.rows.iter_mut().zip(0..) {
        let figure = ["3.7", "3.8", "3.9"][at / FACTORS.len() % 3];
        row[0] = format!("{figure}, {}", row[0]);
    }
    Ok(Outcome {
        summary: format!(
            "UCT with random playouts against {}, which judges by the stores, on {pairs} random boards of Kalah{}, each played twice. Nodes are not matched here, as in the thesis. The exploration constant, for playouts worth −1 to 1, decides the question, and the thesis does not give its own; so there are two.",
            mm(depth),
            USUAL.name(),
        ),
        findings,
        tables: vec![table],
        figures: vec![("figure3.7".into(), caption, figure)],
    })
}

/// The section's claims for one constant, judged by its three curves.
fn judged(c: f64, curves: &[Played], [least, fixed, total]: [u64; 3]) -> Vec<Finding> {
    let [playouts, iterations, both] = [&curves[0], &curves[1], &curves[2]];
    let [few, many] = [playouts.at(1.0), playouts.at(8.0)];
    let [short, long] = [iterations.at(fixed as f64), iterations.at((8 * fixed) as f64)];
    let claim = |text: String| format!("c = {c}: {text}");
    vec![
        better(
            claim("eight playouts a leaf are better than one".into()),
            "a modest gain",
            &many.gain(few),
            String::new(),
        ),
        better(
            claim("playouts level off: the first factor of four gains more than the last".into()),
            "it levels off quickly",
            &difference([playouts.at(4.0), few], [playouts.at(32.0), many]),
            String::new(),
        ),
        better(
            claim(format!("{} iterations are better than {}", 8 * fixed, 4 * least)),
            "more iterations keep paying",
            &long.gain(iterations.at((4 * least) as f64)),
            String::new(),
        ),
        better(
            claim("eight times the iterations gain more than eight times the playouts".into()),
            "much more",
            &difference([long, short], [many, few]),
            format!("both from {fixed} iterations with one playout a leaf"),
        ),
        better(
            claim(format!("with {total} playouts in all, one a leaf is better than 16")),
            "few playouts and many iterations win",
            &both.at(1.0).gain(both.at(16.0)),
            String::new(),
        ),
    ]
}

/// How much more one step gains than another, board by board. A step is a pair of points: to, from.
fn difference(one: [&curves::Point; 2], other: [&curves::Point; 2]) -> Estimate {
    let gains = |[to, from]: [&curves::Point; 2]| -> Vec<f64> {
        to.scores().zip(from.scores()).map(|(to, from)| to - from).collect()
    };
    gains(one).iter().zip(gains(other)).map(|(one, other)| one - other).collect::<Running>().estimate(LEVEL)
}
