//! The reliability of predicted chances: of all cases predicted at about 70 %, did 70 % succeed?
//!
//! Cases that share a cause, such as the positions of one game, form a cluster: they are not independent, so
//! intervals count clusters, not cases.

use super::normal::reach;
use serde::Serialize;

/// The number of bins of a reliability table.
pub const BINS: usize = 10;

/// A predicted chance and what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicted {
    /// The chance, from 0 to 1.
    pub chance: f64,
    /// The success, from 0 to 1.
    pub success: f64,
    /// The cluster that the case belongs to. Cases of a cluster are adjacent.
    pub cluster: u64,
}

/// The cases whose chance lies in a tenth of [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The lower end of the bin.
    pub from: f64,
    /// The upper end.
    pub to: f64,
    /// The number of cases.
    pub cases: u64,
    /// The number of clusters.
    pub clusters: u64,
    /// The mean chance predicted.
    pub predicted: f64,
    /// The share of successes seen.
    pub seen: f64,
    /// The lower end of the interval of `seen`.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Bin {
    /// The distance of the prediction from what was seen.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.predicted - self.seen).abs()
    }
}

/// The bins that contain cases, in order, with intervals of this level that allow for clusters.
///
/// # Panics
/// If the level does not lie strictly between 0 and 1.
#[must_use]
pub fn reliability(cases: &[Predicted], level: f64) -> Vec<Bin> {
    let bin_of = |case: &Predicted| ((case.chance * BINS as f64) as usize).min(BINS - 1);
    let bin = |at: usize| -> Option<Bin> {
        let inside: Vec<&Predicted> = cases.iter().filter(|case| bin_of(case) == at).collect();
        let count = inside.len() as f64;
        let mean = |of: fn(&Predicted) -> f64| inside.iter().map(|case| of(case)).sum::<f64>() / count;
        let (predicted, seen) = (mean(|case| case.chance), mean(|case| case.success));
        // The error of a ratio of sums over clusters.
        let sums = inside.chunk_by(|a, b| a.cluster == b.cluster);
        let off: Vec<f64> = sums.map(|group| group.iter().map(|case| case.success - seen).sum()).collect();
        let clusters = off.len() as f64;
        let spread = off.iter().map(|sum: &f64| sum * sum).sum::<f64>() * clusters / (clusters - 1.0);
        // A single cluster says nothing about the spread.
        let error = if off.len() > 1 { spread.sqrt() / count } else { f64::INFINITY };
        let reach = reach(level) * error;
        (!inside.is_empty()).then(|| Bin {
            from: at as f64 / BINS as f64,
            to: (at + 1) as f64 / BINS as f64,
            cases: inside.len() as u64,
            clusters: off.len() as u64,
            predicted,
            seen,
            lo: (seen - reach).max(0.0),
            hi: (seen + reach).min(1.0),
        })
    };
    (0..BINS).filter_map(bin).collect()
}

/// The mean distance of predictions from what was seen, over bins, each weighted with its cases; none without
/// cases.
#[must_use]
pub fn mean_error(bins: &[Bin]) -> Option<f64> {
    let cases: u64 = bins.iter().map(|bin| bin.cases).sum();
    let sum: f64 = bins.iter().map(|bin| bin.cases as f64 * bin.error()).sum();
    (cases > 0).then(|| sum / cases as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LEVEL, Running};

    fn cases(chance: f64, successes: &[f64], clusters: u64) -> Vec<Predicted> {
        let of = |(at, success): (usize, &f64)| Predicted {
            chance,
            success: *success,
            cluster: at as u64 * clusters / successes.len() as u64,
        };
        successes.iter().enumerate().map(of).collect()
    }

    #[test]
    fn a_bin_compares_the_mean_prediction_with_the_share_of_successes() {
        let all = [cases(0.75, &[1.0, 1.0, 0.0, 1.0], 4), cases(0.2, &[0.0, 0.5], 2)].concat();
        let bins = reliability(&all, LEVEL);
        let numbers: Vec<(f64, u64, f64, f64)> =
            bins.iter().map(|bin| (bin.from, bin.cases, bin.predicted, bin.seen)).collect();
        assert_eq!(numbers, [(0.2, 2, 0.2, 0.25), (0.7, 4, 0.75, 0.75)]);
        assert!((mean_error(&bins).unwrap() - 0.05 * 2.0 / 6.0).abs() < 1e-12);
        assert_eq!((reliability(&[], LEVEL), mean_error(&[])), (Vec::new(), None));
        // Certainty belongs to the last bin.
        assert_eq!(reliability(&cases(1.0, &[1.0, 1.0], 2), LEVEL)[0].from, 0.9);
    }

    #[test]
    fn cases_of_a_cluster_count_once() {
        let once: Vec<f64> = (0..100).map(|i| f64::from(i % 3 == 0)).collect();
        let fourfold: Vec<f64> = once.iter().flat_map(|success| [*success; 4]).collect();
        let plain = reliability(&cases(0.3, &once, 100), LEVEL)[0];
        let repeated = reliability(&cases(0.3, &fourfold, 100), LEVEL)[0];
        assert!((plain.lo - repeated.lo).abs() < 1e-12 && repeated.clusters == 100, "{plain:?} {repeated:?}");
        // Alone in its cluster, a case counts as in a plain mean.
        let error = once.iter().copied().collect::<Running>().error();
        assert!(((plain.hi - plain.seen) / 1.959_964 - error).abs() < 1e-6, "{plain:?} {error}");
        let single = reliability(&cases(0.3, &once, 1), LEVEL)[0];
        assert_eq!((single.lo, single.hi), (0.0, 1.0));
    }
}
