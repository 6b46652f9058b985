//! Formatting of numbers in reports.

use astragal_plot as plot;
use astragal_stats::{Estimate, LEVEL, wilson};

/// A number with this many decimals, with a typographic minus sign and no negative zero.
pub(crate) fn decimal(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.into();
    }
    let text = format!("{value:.decimals$}");
    let zero = text.chars().all(|c| "-0.".contains(c));
    if zero { text.replace('-', "") } else { text.replace('-', "−") }
}

/// An estimate with its interval.
pub(crate) fn interval(estimate: &Estimate, decimals: usize) -> String {
    let [mean, lo, hi] = [estimate.mean, estimate.lo, estimate.hi].map(|x| decimal(x, decimals));
    format!("{mean} [{lo}, {hi}]")
}

/// A share with its interval, in per cent.
pub(crate) fn percent(estimate: &Estimate) -> String {
    let [mean, lo, hi] = [estimate.mean, estimate.lo, estimate.hi].map(|x| decimal(100.0 * x, 1));
    format!("{mean} % [{lo}, {hi}]")
}

/// A difference of shares with its interval, in percentage points.
pub(crate) fn points(estimate: &Estimate) -> String {
    let [mean, lo, hi] = [estimate.mean, estimate.lo, estimate.hi].map(|x| decimal(100.0 * x, 1));
    format!("{mean} [{lo}, {hi}]")
}

/// A probability that may be very small.
pub(crate) fn probability(value: f64) -> String {
    if value == 0.0 || value >= 0.001 {
        decimal(value, 4)
    } else {
        format!("{value:.1e}").replace('-', "−")
    }
}

/// The share of successes with its Wilson interval, which stays between 0 and 1.
pub(crate) fn share(successes: usize, trials: usize) -> Estimate {
    let (successes, trials) = (successes as f64, trials as f64);
    let (mean, interval) = (successes / trials, wilson(successes, trials, LEVEL));
    Estimate { mean, lo: interval.lo, hi: interval.hi, error: (mean * (1.0 - mean) / trials).sqrt() }
}

/// Converts an estimate for a figure, scaled by a factor.
pub(crate) fn drawn(estimate: &Estimate, factor: f64) -> plot::Estimate {
    plot::Estimate::new(factor * estimate.mean, factor * estimate.lo, factor * estimate.hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_their_sign() {
        assert_eq!(decimal(-1.25, 1), "−1.2");
        assert_eq!(decimal(-0.001, 2), "0.00");
        assert_eq!(decimal(f64::NEG_INFINITY, 2), "−∞");
        assert_eq!(percent(&Estimate { mean: 0.5, lo: 0.25, hi: 0.75, error: 0.1 }), "50.0 % [25.0, 75.0]");
        assert_eq!(
            (probability(0.0), probability(0.25), probability(1.5e-9)),
            ("0.0000".into(), "0.2500".into(), "1.5e−9".into())
        );
    }
}
