//! Multiple comparisons without false findings in noise.

use super::elo::ratio;
use super::estimate::Estimate;
use super::normal::normal_cdf;

/// The two-sided p-value of an estimate under the null hypothesis `null`, by the normal distribution. If the
/// estimate has no error it is 1 at `null` and 0 elsewhere.
#[must_use]
pub fn two_sided(estimate: &Estimate, null: f64) -> f64 {
    2.0 * normal_cdf(-ratio(estimate.mean - null, estimate.error).abs())
}

/// Holm's adjusted p-values, in the order given: rejecting those of at most α keeps the probability of any
/// false rejection at most α, under any dependence between the comparisons.
///
/// # Panics
/// If a value is not a probability.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    for p in p_values {
        assert!((0.0..=1.0).contains(p), "contract: {p} is not a probability");
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        // The number of comparisons that have not been rejected before this one.
        let left = (p_values.len() - rank) as f64;
        largest = largest.max((left * p_values[at]).min(1.0));
        adjusted[at] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LEVEL, Running};

    #[test]
    fn the_steps_are_holms() {
        // 4 · 0.005, 3 · 0.01, 2 · 0.03, and 0.04, which may not fall below its predecessor.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[0.2]), vec![0.2]);
        assert_eq!(holm(&[0.9, 0.8]), vec![1.0, 1.0]);
    }

    #[test]
    fn two_sided_values_are_those_of_the_normal_tables() {
        let at = |mean: f64, error: f64| two_sided(&Estimate { mean, lo: mean, hi: mean, error }, 0.5);
        assert!((at(0.5 + 0.0196, 0.01) - 0.05).abs() < 1e-4);
        assert_eq!(at(0.5 + 0.03, 0.01), at(0.5 - 0.03, 0.01));
        assert_eq!((at(0.5, 0.01), at(0.5, 0.0), at(0.6, 0.0)), (1.0, 1.0, 0.0));
        let unknown: Running = [0.7].into_iter().collect();
        assert_eq!(two_sided(&unknown.estimate(LEVEL), 0.5), 1.0);
    }
}
