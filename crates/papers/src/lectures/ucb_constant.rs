//! `lecture-ucb-constant`: how the constant of UCB1 affects the choice, from the lecture on Monte Carlo tree
//! search and stochastic games, "Constant C".
//!
//! A root with 100 playouts has three children with 60 wins of 79, 1 of 10 and 2 of 11. With a small constant
//! the first has the largest score, with a large one the last. The constant at which the choice changes is
//! found by bisection.

use crate::report::EXACT;
use crate::text::decimal;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Lines, Look, Point};
use astragal_search::ucb1;

/// Wins and playouts of the children.
const CHILDREN: [(u32, u32); 3] = [(60, 79), (1, 10), (2, 11)];

/// Playouts of the root.
const ROOT: u32 = 100;

fn score(child: usize, c: f64) -> f64 {
    let (wins, visits) = CHILDREN[child];
    ucb1(f64::from(wins) / f64::from(visits), f64::from(visits), libm::log(f64::from(ROOT)), c)
}

/// The child with the largest score.
fn chosen(c: f64) -> usize {
    (0..CHILDREN.len()).fold(0, |best, child| if score(child, c) > score(best, c) { child } else { best })
}

fn name(child: usize) -> String {
    let (wins, visits) = CHILDREN[child];
    format!("{wins}/{visits}")
}

/// The constant between these two at which the choice changes.
fn change(mut low: f64, mut high: f64) -> f64 {
    let before = chosen(low);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if chosen(middle) == before {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The experiment.
pub(crate) static UCB_CONSTANT: Experiment = Experiment {
    id: "lecture-ucb-constant",
    title: "What the constant of UCB1 decides",
    source: "Lecture on Monte Carlo tree search and stochastic games, \"Constant C\"",
    takes: &[(Scale::Quick, 1), (Scale::Full, 1)],
    run,
};

fn run(_bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let mut findings = Vec::new();
    let mut table = Table::new("scores", "Scores of the children", &["C", "60/79", "1/10", "2/11", "chosen"]);
    for c in [0.0, 0.5, 1.0, 1.4, std::f64::consts::SQRT_2, 1.5, 2.0] {
        let mut row = vec![decimal(c, 4)];
        row.extend((0..CHILDREN.len()).map(|child| decimal(score(child, c), 4)));
        row.push(name(chosen(c)));
        table.rows.push(row);
    }
    for (c, published) in [(1.4, "60/79"), (1.5, "2/11")] {
        let found = name(chosen(c));
        findings.push(Finding {
            claim: format!("the child with the largest score for C = {c}"),
            published: published.into(),
            verdict: Verdict::of(found == published),
            rule: EXACT.into(),
            measured: found,
            note: String::new(),
        });
    }
    let change = change(1.4, 1.5);
    findings.push(Finding {
        claim: "the constant at which the choice changes".into(),
        published: "between 1.4 and 1.5".into(),
        measured: decimal(change, 6),
        verdict: Verdict::of(1.4 < change && change < 1.5),
        rule: "agrees if it lies between the two published constants".into(),
        note: format!(
            "the usual C = √2 = {} is {} it",
            decimal(std::f64::consts::SQRT_2, 4),
            if change > std::f64::consts::SQRT_2 { "below" } else { "above" }
        ),
    });
    let summary = "A root with 100 playouts has three children. Which one UCB1 visits next depends on its constant: \
                       the one that has won most, or one that is hardly known.";
    let figures = vec![(
        "scores".into(),
        "Scores of the three children over the constant. The largest is visited next.".into(),
        figure(change),
    )];
    Ok(Outcome { summary: summary.into(), findings, tables: vec![table], figures })
}

fn figure(change: f64) -> Figure {
    let grid: Vec<f64> = (0..=60).map(|step| 0.05 * f64::from(step)).collect();
    let curve = |child: usize| {
        let points = grid.iter().map(|&c| (c, Estimate::exact(score(child, c))));
        Curve::new(name(child), Look::Plain, points)
    };
    let mut curves: Vec<Curve> = (0..CHILDREN.len()).map(curve).collect();
    let upright = [0.0, score(chosen(change), change)].map(|y| Point { x: change, y: Estimate::exact(y) });
    curves.push(Curve {
        name: format!("change at C = {}", decimal(change, 3)),
        points: upright.to_vec(),
        look: Look::Reference,
    });
    let lines = Lines {
        x: Axis::new("exploration constant C").range(0.0, 3.0),
        y: Axis::new("UCB1 score").range(0.0, 2.5),
        curves,
        references: Vec::new(),
    };
    Figure {
        subtitle: "A root with 100 playouts; wins/playouts of its children".into(),
        ..Figure::new("Which child UCB1 visits next").panel("", Chart::Lines(lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn the_choice_changes_where_two_scores_are_equal() {
        let c = change(1.4, 1.5);
        assert!((score(0, c) - score(2, c)).abs() < 1e-9);
        // By hand: (60/79 − 2/11) / (√(ln 100) · (1/√11 − 1/√79)).
        let (a, b) = (60.0 / 79.0 - 2.0 / 11.0, 11_f64.sqrt().recip() - 79_f64.sqrt().recip());
        assert!((c - a / (100_f64.ln().sqrt() * b)).abs() < 1e-9);
    }

    #[test]
    fn both_published_choices_are_met() {
        let outcome = unattended(0, 1, run).unwrap();
        assert!(outcome.findings.iter().all(|finding| finding.verdict == Verdict::Agrees));
        assert!(outcome.figures[0].2.svg().contains("60/79"));
    }
}
