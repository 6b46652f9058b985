//! Figures 3.10 and 3.11 (section 3.2.5): minimax instead of mean backups in the tree of UCT_H, in Kalah.

use super::curves::{self, Course, better, even};
use super::kalah::{BEST_C, USUAL, finish};
use crate::duels::Duel;
use crate::{Bench, Experiment, Failed, Outcome, Scale};
use astragal_arena::terms::Terms;
use astragal_core::{Budget, Interval};
use astragal_plot::{Axis, Figure};

/// The experiment.
pub(crate) static BACKUPS: Experiment = Experiment {
    id: "thesis-fig3.10",
    title: "Minimax instead of means: UCTMAX_H against UCT_H in Kalah (Figures 3.10, 3.11)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.2.5, Figures 3.10, 3.11",
    takes: &[(Scale::Quick, 120), (Scale::Full, 7200)],
    run,
};

/// Decisions of a partial game before another player finishes it.
const PARTIAL: u32 = 14;
/// Scores that count as about even.
const EVEN: Interval = Interval { lo: 0.4, hi: 0.6 };

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (iterations, pairs, depth): (&[u64], u64, u32) = bench
        .scale
        .pick((&[500, 1000, 2000, 4000], 300, 8), (&[500, 1000, 2000, 4000, 8000, 16_000], 1000, 16));
    let duel = |iterations: u64, terms: Terms| Duel {
        game: USUAL.spec(),
        engines: [USUAL.uctmax_h(BEST_C), USUAL.uct_h(BEST_C)],
        budgets: Budget::iterations(iterations).into(),
        terms,
        pairs,
    };
    let whole = Terms { deal: true, ..Terms::default() };
    let partial = Terms { finish: Some(finish(&format!("after={PARTIAL}"), depth)), ..whole.clone() };
    let course = |name: &str, terms: &Terms| Course {
        name: name.into(),
        duels: iterations.iter().map(|&count| (count as f64, duel(count, terms.clone()))).collect(),
    };
    let played =
        curves::play(vec![course("complete games", &whole), course("partial games", &partial)], bench)?;
    let [complete, partial] = [&played[0], &played[1]];
    let few = iterations[0];
    let many = iterations[iterations.len() - 1];
    let mut findings = vec![even(
        format!("Complete games: about even at {few} iterations"),
        "about 50 %",
        complete.first(),
        EVEN,
    )];
    for point in complete.points.iter().skip(1) {
        findings.push(curves::wins(
            format!("Complete games: UCTMAX_H wins at {} iterations", point.x),
            "above 50 %",
            point,
        ));
    }
    for curve in [complete, partial] {
        findings.push(better(
            format!("{}: the win rate rises from {few} to {many} iterations", curve.name),
            "rising",
            &curve.last().gain(curve.first()),
            String::new(),
        ));
    }
    findings.push(curves::wins(
        format!("Partial games: UCTMAX_H decides better at {many} iterations"),
        "above 50 %",
        partial.last(),
    ));
    let mut figure = Figure::new("Minimax instead of means");
    figure.subtitle = "Win rate of UCTMAX_H against UCT_H, with 95 % intervals".into();
    figure = figure.panel("", curves::chart(&[complete, partial], Axis::new("iterations").log()));
    Ok(Outcome {
        summary: format!(
            "UCTMAX_H against UCT_H, both with c = {BEST_C} stones and the same number of iterations, on {pairs} random boards of Kalah{}, each played twice: to the end, and for {PARTIAL} decisions after which MM-{depth} plays on for both{}.",
            USUAL.name(),
            if depth == 16 { "" } else { " (the thesis: MM-16)" }
        ),
        findings,
        tables: vec![curves::table(&played, "iterations")],
        figures: vec![("figure3.10".into(), "The line is 50 %.".into(), figure)],
    })
}
