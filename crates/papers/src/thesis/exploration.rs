//! Figure 3.6 (section 3.2.3): how much exploration UCT_H needs against MM-8 in Kalah.

use super::curves::{self, Course, Played, better};
use super::kalah::{BEST_C, USUAL, matched, mm};
use crate::text::percent;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Verdict};
use astragal_plot::{Axis, Figure};

/// The constants that are tried, in stones. The first and the last are those of Figure 3.5.
const CONSTANTS: [f64; 8] = [0.0, 0.3, 0.6, 1.25, BEST_C, 5.0, 10.0, 20.0];

/// The experiment.
pub(crate) static FIGURE3_6: Experiment = Experiment {
    id: "thesis-fig3.6",
    title: "Exploration in Kalah: UCT_H against Minimax over c",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.2.3, Figure 3.6",
    takes: &[(Scale::Quick, 160), (Scale::Full, 3600)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, pairs) = bench.scale.pick((6, 600), (8, 1000));
    let duel = |c: f64| (c, matched(USUAL, USUAL.uct_h(c), depth, pairs));
    let course = Course { name: "UCT_H".into(), duels: CONSTANTS.into_iter().map(duel).collect() };
    let played = curves::play(vec![course], bench)?;
    let curve = &played[0];
    let best = curve.at(BEST_C);
    let [least, most] = [curve.first(), curve.last()];
    let findings = vec![
        better(
            format!("c = {BEST_C} is better than c = 0"),
            "the win rate rises with c at first",
            &best.gain(least),
            String::new(),
        ),
        better(
            format!("c = {BEST_C} is better than c = 20"),
            "the win rate falls with c in the end",
            &best.gain(most),
            String::new(),
        ),
        peak(curve),
        curves::wins(format!("UCT_H with c = {BEST_C} beats MM-{depth}"), "not given as a number", best),
    ];
    let mut figure = Figure::new("Exploration in Kalah");
    figure.subtitle = format!("Win rate of UCT_H against MM-{depth} over c, with 95 % intervals");
    let axis = Axis::new("exploration constant c, in stones");
    figure = figure.panel("", curves::chart(&[curve], axis));
    Ok(Outcome {
        summary: format!(
            "UCT_H against {} on {pairs} random boards of Kalah{}, each played twice; at each position UCT_H has as many simulations as Minimax visits nodes there. The constant is in stones, as the thesis's evaluation is; ours is that divided by all stones, for values from −1 to 1.",
            mm(depth),
            USUAL.name()
        ),
        findings,
        tables: vec![curves::table(&played, "c")],
        figures: vec![(
            "figure3.6".into(),
            "The line is 50 %. Boards that neither side won are set aside.".into(),
            figure,
        )],
    })
}

/// The location of the peak: no constant outside a factor of two of the published one may be as good.
fn peak(curve: &Played) -> Finding {
    let best = curve.points.iter().max_by(|a, b| a.success().0.mean.total_cmp(&b.success().0.mean));
    let best = best.expect("a curve has points");
    let near = |x: f64| (BEST_C / 2.0..=BEST_C * 2.0).contains(&x);
    let rivals = curve.points.iter().filter(|point| !near(point.x));
    let near_best = curve
        .points
        .iter()
        .filter(|point| near(point.x))
        .max_by(|a, b| a.success().0.mean.total_cmp(&b.success().0.mean))
        .expect("the published constant is among them");
    let gains: Vec<_> = rivals.map(|rival| near_best.gain(rival)).collect();
    let verdict = if gains.iter().all(|gain| gain.lo > 0.0) {
        Verdict::Agrees
    } else if gains.iter().any(|gain| gain.hi < 0.0) {
        Verdict::Differs
    } else {
        Verdict::Open
    };
    Finding {
        claim: format!("The peak is near c = {BEST_C}"),
        published: format!("c = {BEST_C} is the best"),
        measured: format!("the best of those tried is c = {}: {}", best.x, percent(&best.success().0)),
        verdict,
        rule: format!(
            "agrees if the best of c = {} to {} is better than each of the others (intervals of the differences above 0), differs if one of the others is better than it",
            BEST_C / 2.0,
            BEST_C * 2.0
        ),
        note: String::new(),
    }
}
