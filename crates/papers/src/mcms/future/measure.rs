//! Comparisons of two estimators at the same positions.

use crate::estimators::Cell;
use crate::text::{decimal, interval};
use astragal_stats::{Estimate, LEVEL, Running, bootstrap};

/// A quantity of an estimator at a position.
pub(super) type Quantity = fn(&Cell) -> f64;

pub(super) const MSE: Quantity = |cell| cell.mse;
pub(super) const VARIANCE: Quantity = |cell| cell.variance;
pub(super) const REGRET: Quantity = |cell| cell.regret;

/// Resamples of a bootstrap.
const RESAMPLES: u32 = 2000;

/// The mean of a quantity over several estimators, position by position.
fn pooled(all: &[&[Cell]], of: Quantity) -> Vec<f64> {
    let positions = all.first().map_or(0, |cells| cells.len());
    (0..positions).map(|at| all.iter().map(|cells| of(&cells[at])).sum::<f64>() / all.len() as f64).collect()
}

/// The mean difference in a quantity between two groups of estimators. Positions are the units.
pub(super) fn difference(these: &[&[Cell]], those: &[&[Cell]], of: Quantity) -> Estimate {
    let pairs = pooled(these, of).into_iter().zip(pooled(those, of));
    pairs.map(|(this, that)| this - that).collect::<Running>().estimate(LEVEL)
}

/// The ratio of a quantity between two groups of estimators, from the means over all positions.
pub(super) fn ratio(these: &[&[Cell]], those: &[&[Cell]], of: Quantity, seed: u64) -> Estimate {
    let pairs: Vec<(f64, f64)> = pooled(these, of).into_iter().zip(pooled(those, of)).collect();
    let quotient = |pairs: &[(f64, f64)]| {
        let sums = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        // If the denominator is zero at every position, the ratio says nothing and counts as 1.
        if sums.1 > 0.0 { sums.0 / sums.1 } else { 1.0 }
    };
    bootstrap(&pairs, quotient, RESAMPLES, LEVEL, seed)
}

/// The rule of all comparisons in a word: only an interval on one side of the neutral value is decisive.
pub(super) fn word(estimate: &Estimate, neutral: f64) -> &'static str {
    if estimate.hi < neutral {
        "lower"
    } else if estimate.lo > neutral {
        "higher"
    } else {
        "undecided"
    }
}

/// A difference in words.
pub(super) fn more(name: &str, estimate: &Estimate) -> String {
    format!("{name} {}: {}", word(estimate, 0.0), interval(estimate, 3))
}

/// A ratio in words.
pub(super) fn times(name: &str, estimate: &Estimate) -> String {
    let [mean, lo, hi] = [estimate.mean, estimate.lo, estimate.hi].map(|x| decimal(x, 2));
    format!("{name} {}: × {mean} [{lo}, {hi}]", word(estimate, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(values: &[f64]) -> Vec<Cell> {
        let cell = |&mse: &f64| {
            serde_json::from_str(&format!(
                r#"{{"state":"","exact":0,"mean":0,"mse":{mse:?},"variance":{mse:?},"regret":0,"depth":1}}"#
            ))
            .unwrap()
        };
        values.iter().map(cell).collect()
    }

    #[test]
    fn positions_are_compared_one_by_one() {
        // The positions differ much more than the estimators do.
        let (one, two) = (cells(&[1.0, 100.0, 1000.0, 5.0]), cells(&[2.0, 101.5, 1000.5, 6.0]));
        let found = difference(&[&two], &[&one], MSE);
        assert!((found.mean - 1.0).abs() < 1e-9 && found.lo > 0.0, "{found:?}");
        assert_eq!((word(&found, 0.0), word(&difference(&[&one], &[&two], MSE), 0.0)), ("higher", "lower"));
        let same = difference(&[&one, &two], &[&two, &one], MSE);
        assert_eq!((same.mean, word(&same, 0.0)), (0.0, "undecided"));
    }

    #[test]
    fn ratios_are_of_the_means() {
        let (one, two) = (cells(&[2.0, 4.0, 6.0, 0.0]), cells(&[1.0, 2.0, 3.0, 0.0]));
        let half = ratio(&[&two], &[&one], VARIANCE, 1);
        assert_eq!((half.mean, half.lo, half.hi, word(&half, 1.0)), (0.5, 0.5, 0.5, "lower"));
        assert_eq!(ratio(&[&cells(&[0.0, 0.0])], &[&cells(&[0.0, 0.0])], VARIANCE, 1).mean, 1.0);
    }
}
