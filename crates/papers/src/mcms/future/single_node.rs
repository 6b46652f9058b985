//! One chance node, for which the variance of the sampled value is known analytically under some schemes.
//!
//! With c independent draws the variance is σ²/c. With c different ones of N equally likely outcomes it is (N
//! − c)/(N − 1) of that. The variance of the other schemes depends on how values relate to the order of
//! outcomes, and has no formula here.

use super::SCHEMES;
use crate::bench::{self, Batch};
use crate::text::decimal;
use crate::{Bench, Failed, Finding, Table, Verdict};
use astragal_core::{Game, Interval, Player, Watch, mix, unit};
use astragal_games::explicit::{self, Node, Tree};
use astragal_plot::{Axis, Chart, Curve, Estimate as Shown, Figure, Lines, Look};
use astragal_search::{Algorithm, Chance, Keys, Options, Scheme, StarMinimax};
use astragal_stats::{Estimate, Running};

/// The numbers of draws that are tried.
const WIDTHS: [u32; 5] = [2, 4, 6, 8, 10];

/// The number of outcomes of the node with equally likely outcomes.
const EVEN: usize = 12;

/// The weights, out of 36, of a roll of two dice in Pig: a single one, two ones, and the sums from 4 to 12
/// without a one.
const TWO_DICE: [f64; 11] = [10.0, 1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 4.0, 3.0, 2.0, 1.0];

/// A node: the probabilities and values of its outcomes.
struct Subject {
    name: &'static str,
    weights: Vec<f64>,
    values: Vec<f64>,
}

impl Subject {
    /// A node with random values from −1 to 1.
    fn new(name: &'static str, weights: Vec<f64>, seed: u64) -> Self {
        let values = (0..weights.len()).map(|at| 2.0 * unit(mix(seed ^ mix(at as u64))) - 1.0).collect();
        Self { name, weights, values }
    }

    fn mean(&self) -> f64 {
        self.weights.iter().zip(&self.values).map(|(weight, value)| weight * value).sum()
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        let squares = self.values.iter().map(|value| (value - mean) * (value - mean));
        self.weights.iter().zip(squares).map(|(weight, square)| weight * square).sum()
    }

    /// A tree in which Max has one action, which leads to the node.
    fn tree(&self) -> Result<Tree, Failed> {
        let count = self.values.len();
        let leaves = self.values.iter().enumerate().map(|(at, &value)| (format!("n{at}"), Node::Leaf(value)));
        let mut nodes: Vec<(String, Node)> = leaves.collect();
        let outcomes = (0..count).map(|at| (format!("o{at}"), self.weights[at], at)).collect();
        nodes.push(("chance".into(), Node::Chance { outcomes }));
        let actions = vec![("go".into(), count)];
        nodes.push(("root".into(), Node::Decision { player: Player::Max, actions, estimate: None }));
        Tree::new(nodes, count + 1, Some(Interval::new(-1.0, 1.0)))
            .map_err(|why| Failed::Message(why.to_string()))
    }

    /// The predicted variance under a scheme, relative to that of independent draws, or `None` if there is no
    /// formula.
    fn predicted(&self, scheme: Scheme, width: u32) -> Option<f64> {
        let even = self.weights.iter().all(|weight| *weight == self.weights[0]);
        let count = self.weights.len() as f64;
        match scheme {
            Scheme::Iid => Some(1.0),
            Scheme::Without if even => Some((count - f64::from(width)) / (count - 1.0)),
            _ => None,
        }
    }
}

/// The measurement of one node, scheme and width: the variance relative to that of independent draws.
struct Measured {
    subject: usize,
    scheme: usize,
    width: u32,
    variance: Estimate,
    predicted: Option<f64>,
}

/// The results of the single-node check.
pub(super) struct Found {
    subjects: Vec<Subject>,
    cells: Vec<Measured>,
    seeds: u64,
    level: f64,
}

/// Samples both nodes with every scheme and width, with this many seeds each.
pub(super) fn check(seeds: u64, bench: &mut Bench<'_>) -> Result<Found, Failed> {
    let two_dice = TWO_DICE.map(|of| of / 36.0).to_vec();
    let subjects = vec![
        Subject::new("12 equally likely outcomes", vec![1.0 / EVEN as f64; EVEN], mix(bench.seed)),
        Subject::new("two dice, 11 outcomes", two_dice, mix(!bench.seed)),
    ];
    let trees = subjects.iter().map(Subject::tree).collect::<Result<Vec<_>, _>>()?;
    let cell = |index: usize| {
        let (subject, rest) =
            (index / (SCHEMES.len() * WIDTHS.len()), index % (SCHEMES.len() * WIDTHS.len()));
        (subject, rest / WIDTHS.len(), WIDTHS[rest % WIDTHS.len()])
    };
    let count = subjects.len() * SCHEMES.len() * WIDTHS.len();
    let formulas = |&index: &usize| {
        let (subject, scheme, width) = cell(index);
        subjects[subject].predicted(SCHEMES[scheme].1, width).is_some()
    };
    // The probability that any cell with a formula misses it by chance is at most 5 %.
    let level = 1.0 - 0.05 / (0..count).filter(formulas).count() as f64;
    let base = bench.seed;
    let job = |index: usize, watch: &mut dyn Watch| {
        let (at, scheme, width) = cell(index);
        let (subject, tree) = (&subjects[at], &trees[at]);
        let scheme = SCHEMES[scheme].1;
        let chance = Chance::Sample { width, decay: 1.0, scheme, keys: Keys::Path, enumerate: false };
        let mut search =
            StarMinimax::new(explicit::Estimate, Options { chance, ..Options::new(Algorithm::Expectimax) });
        let (mean, independent) = (subject.mean(), subject.variance() / f64::from(width));
        let squares = (0..seeds).map(|run| {
            bench::check(watch)?;
            let seed = mix(base ^ mix(index as u64)).wrapping_add(run);
            let value = search.value_within(tree, &tree.start(), seed, 1, Interval::WHOLE).0;
            Ok((value - mean) * (value - mean) / independent)
        });
        Ok(squares.collect::<Result<Running, Failed>>()?.estimate(level))
    };
    let part = format!("single chance nodes, {seeds} seeds");
    let batch = Batch { experiment: "mcms-future", part: &part, count };
    let found: Vec<Estimate> = bench.each(batch, "single chance nodes", job)?;
    let cells = found.into_iter().enumerate().map(|(index, variance)| {
        let (subject, scheme, width) = cell(index);
        let predicted = subjects[subject].predicted(SCHEMES[scheme].1, width);
        Measured { subject, scheme, width, variance, predicted }
    });
    let cells = cells.collect();
    Ok(Found { subjects, cells, seeds, level })
}

impl Found {
    /// Whether the formulas hold.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let claims = [
            (Scheme::Iid, "one chance node, iid: the variance is σ²/c", "σ²/c, by arithmetic"),
            (
                Scheme::Without,
                "one chance node of N equally likely outcomes, without replacement: (N − c)/(N − 1) of σ²/c",
                "(N − c)/(N − 1), by arithmetic",
            ),
        ];
        let finding = |(scheme, claim, published): (Scheme, &str, &str)| {
            let of: Vec<(&Measured, f64)> = self
                .cells
                .iter()
                .filter(|cell| SCHEMES[cell.scheme].1 == scheme)
                .filter_map(|cell| cell.predicted.map(|predicted| (cell, predicted)))
                .collect();
            let inside = of.iter().filter(|(cell, predicted)| cell.variance.contains(*predicted)).count();
            let off = of.iter().map(|(cell, predicted)| (cell.variance.mean / predicted - 1.0).abs());
            Finding {
                claim: claim.into(),
                published: published.into(),
                measured: format!(
                    "inside the interval in {inside} of {} cases; at most {} % off",
                    of.len(),
                    decimal(100.0 * off.fold(0.0, f64::max), 1)
                ),
                verdict: Verdict::of(inside == of.len()),
                rule: "agrees if every interval holds the number of the formula".into(),
                note: format!(
                    "agrees if every formula lies in its interval of level {} %, shared among all cases",
                    decimal(100.0 * self.level, 2)
                ),
            }
        };
        claims.into_iter().map(finding).collect()
    }

    /// All measured numbers.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new(
            "single-node",
            "The variance of one sampled chance node, as a share of σ²/c",
            &["node", "scheme", "c", "measured", "low", "high", "formula"],
        );
        for cell in &self.cells {
            let mut row = vec![
                self.subjects[cell.subject].name.to_string(),
                SCHEMES[cell.scheme].0.to_string(),
                cell.width.to_string(),
            ];
            row.extend([cell.variance.mean, cell.variance.lo, cell.variance.hi].map(|x| decimal(x, 4)));
            row.push(cell.predicted.map_or("none".into(), |predicted| decimal(predicted, 4)));
            table.rows.push(row);
        }
        table
    }

    /// The variances over the width.
    pub(super) fn figure(&self) -> (String, String, Figure) {
        let mut figure = Figure {
            columns: 2,
            width: 820.0,
            panel_height: Some(260.0),
            ..Figure::new("The variance of one sampled chance node")
        };
        let top = self.cells.iter().map(|cell| cell.variance.hi).fold(1.0, f64::max);
        for (at, subject) in self.subjects.iter().enumerate() {
            let mut curves = Vec::new();
            for (scheme, (name, _)) in SCHEMES.iter().enumerate() {
                let of = self.cells.iter().filter(|cell| (cell.subject, cell.scheme) == (at, scheme));
                let points = of.map(|cell| {
                    let Estimate { mean, lo, hi, .. } = cell.variance;
                    (f64::from(cell.width), Shown::new(mean, lo, hi))
                });
                curves.push(Curve::new(*name, Look::Marked, points));
            }
            let count = subject.weights.len() as f64;
            if subject.predicted(Scheme::Without, 2).is_some() {
                let ends = [1.0, count - 1.0].map(|c| (c, Shown::exact((count - c) / (count - 1.0))));
                curves.push(Curve::new("(N − c)/(N − 1)", Look::Reference, ends));
            }
            let lines = Lines {
                x: Axis::new("draws c").range(1.0, 11.0),
                y: Axis::new("variance, as a share of σ²/c").range(0.0, 1.05 * top),
                curves,
                references: Vec::new(),
            };
            figure = figure.panel(subject.name, Chart::Lines(lines));
        }
        let caption = format!(
            "The variance of the sampled value of one chance node with values by lot, {} seeds a point, with intervals of level {} %.",
            self.seeds,
            decimal(100.0 * self.level, 2)
        );
        ("single-node".into(), caption, figure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn formulas_hold_and_a_wrong_one_is_found_out() {
        let mut found = unattended(1, 2, |bench| check(4000, bench)).unwrap();
        assert!(found.findings().iter().all(|finding| finding.verdict == Verdict::Agrees));
        for cell in &mut found.cells {
            cell.predicted = cell.predicted.map(|predicted| 1.2 * predicted);
        }
        assert!(found.findings().iter().all(|finding| finding.verdict == Verdict::Differs));
    }

    #[test]
    fn two_dice_have_all_their_outcomes() {
        assert_eq!(TWO_DICE.iter().sum::<f64>(), 36.0);
    }
}
