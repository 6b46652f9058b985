//! Figures 3.7 to 3.9 (section 3.2.4): what playouts are best spent on, in Kalah against MM-8.

use super::curves::{self, Course, GREATER, better, points};
use super::kalah::{USUAL, mm};
use crate::duels::Duel;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Verdict};
use astragal_arena::budget::Budgets;
use astragal_arena::terms::Terms;
use astragal_core::Budget;
use astragal_plot::{Axis, Figure};
use astragal_stats::{LEVEL, Running};

/// The experiment.
pub(crate) static PLAYOUTS: Experiment = Experiment {
    id: "thesis-fig3.7",
    title: "Playouts or nodes: UCT against Minimax in Kalah (Figures 3.7 to 3.9)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.2.4, Figures 3.7, 3.8, 3.9",
    takes: &[(Scale::Quick, 200), (Scale::Full, 7200)],
    run,
};

/// A step of all three curves.
const FACTORS: [u64; 6] = [1, 2, 4, 8, 16, 32];

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, pairs, least, total) = bench.scale.pick((4, 150, 100, 4000), (8, 500, 625, 20_000));
    let duel = |playouts: u64, iterations: u64| Duel {
        game: USUAL.spec(),
        engines: [format!("uct(playouts={playouts})"), mm(depth)],
        budgets: Budgets([Budget::iterations(iterations), Budget::default()]),
        terms: Terms { deal: true, ..Terms::default() },
        pairs,
    };
    let fixed = 4 * least;
    let courses = vec![
        Course {
            name: format!("playouts a leaf, {fixed} iterations"),
            duels: FACTORS.iter().map(|&factor| (factor as f64, duel(factor, fixed))).collect(),
        },
        Course {
            name: "iterations, one playout a leaf".into(),
            duels: FACTORS.iter().map(|&factor| ((factor * least) as f64, duel(1, factor * least))).collect(),
        },
        Course {
            name: format!("{total} playouts in all"),
            duels: FACTORS.iter().map(|&factor| (factor as f64, duel(factor, total / factor))).collect(),
        },
    ];
    let played = curves::play(courses, bench)?;
    let [playouts, iterations, both] = [&played[0], &played[1], &played[2]];
    let more = |point: &curves::Point, than: &curves::Point| point.gain(than);
    // The same factor of sixteen: from 1 to 16 playouts, and from the iterations at which these were
    // made to sixteen times as many, as far as the curve goes.
    let [few, many] = [playouts.at(1.0), playouts.at(8.0)];
    let [short, long] = [iterations.at(fixed as f64), iterations.at((8 * fixed) as f64)];
    let paid: Running = long
        .scores()
        .zip(short.scores())
        .zip(many.scores().zip(few.scores()))
        .map(|((long, short), (many, few))| (long - short) - (many - few))
        .collect();
    let paid = paid.estimate(LEVEL);
    let findings = vec![
        better(
            "Eight playouts a leaf are better than one".into(),
            "a modest gain",
            &more(many, few),
            String::new(),
        ),
        better(
            "The second factor of eight in iterations still pays".into(),
            "more iterations keep paying",
            &more(iterations.last(), iterations.at((4 * least) as f64)),
            String::new(),
        ),
        Finding {
            claim: "Eight times the iterations gain more than eight times the playouts".into(),
            published: "much more".into(),
            measured: points(&paid),
            verdict: Verdict::above(paid.interval(), 0.0),
            rule: GREATER.into(),
            note: format!("both from {fixed} iterations with one playout a leaf"),
        },
        better(
            "From 8 to 32 playouts a leaf nothing is gained".into(),
            "it levels off quickly",
            &leveling(playouts),
            "the first factor of four in playouts, less the last".into(),
        ),
        better(
            format!("With {total} playouts in all, one a leaf is better than 16"),
            "few playouts and many iterations win",
            &more(both.at(1.0), both.at(16.0)),
            String::new(),
        ),
    ];
    let mut figure = Figure::new("Playouts or nodes");
    figure.subtitle = format!("Win rate of UCT against MM-{depth}, with 95 % intervals");
    figure.columns = 3;
    figure.width = 960.0;
    let axes = ["playouts a leaf", "iterations", "playouts a leaf"];
    for ((curve, axis), number) in played.iter().zip(axes).zip(7..) {
        let title = format!("3.{number}: {}", curve.name);
        figure = figure.panel(title, curves::chart(&[curve], Axis::new(axis).log()));
    }
    Ok(Outcome {
        summary: format!(
            "UCT with random playouts against {}, which judges by the stores, on {pairs} random boards of Kalah{}, each played twice. Nodes are not matched here, as in the thesis. The exploration constant is {}, for playouts worth −1 to 1; the thesis does not give its own.",
            mm(depth),
            USUAL.name(),
            0.4
        ),
        findings,
        tables: vec![curves::table(&played, "playouts or iterations")],
        figures: vec![(
            "figure3.7".into(),
            "Left to right: Figures 3.7, 3.8, 3.9. The line is 50 %.".into(),
            figure,
        )],
    })
}

/// What the first factor of four gains more than the last, board by board.
fn leveling(playouts: &curves::Played) -> astragal_stats::Estimate {
    let at = |x: f64| playouts.at(x).scores();
    let all = at(1.0).zip(at(4.0)).zip(at(8.0).zip(at(32.0)));
    let each = all.map(|((one, four), (eight, most))| (four - one) - (most - eight));
    each.collect::<Running>().estimate(LEVEL)
}
