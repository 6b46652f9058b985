//! Wilson's interval for a probability, such as that of winning, from independent games.

use super::normal::reach;
use astragal_core::Interval;

/// The interval of this level for the probability of success, given this many successes in this many
/// independent trials.
///
/// It contains the probabilities that a normal test would not reject, so it stays within [0, 1] and is honest
/// when all trials had the same result. A draw may count as half a success: its variance is then overstated,
/// which is conservative. Without trials the interval is [0, 1].
///
/// # Panics
/// If there are more successes than trials, or either is negative, or the level does not lie strictly between
/// 0 and 1.
#[must_use]
pub fn wilson(successes: f64, trials: f64, level: f64) -> Interval {
    assert!(0.0 <= successes && successes <= trials, "contract: {successes} successes in {trials} trials");
    let z = reach(level);
    score_interval(successes, trials, z)
}

/// [`wilson`] with a half-width of `z` standard errors.
pub(crate) fn score_interval(successes: f64, trials: f64, z: f64) -> Interval {
    if trials == 0.0 {
        return Interval::new(0.0, 1.0);
    }
    let failures = trials - successes;
    let square = z * z;
    let spread = z * (successes * failures / trials + square / 4.0).sqrt();
    // The ends are exact if all or none succeeded, where rounding would miss them slightly.
    let lo = if successes == 0.0 { 0.0 } else { (successes + square / 2.0 - spread) / (trials + square) };
    let hi = if failures == 0.0 { 1.0 } else { (successes + square / 2.0 + spread) / (trials + square) };
    Interval::new(lo.max(0.0), hi.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LEVEL;

    #[test]
    fn published_intervals_are_met() {
        // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        let published = [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0000, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ];
        for (successes, trials, lo, hi) in published {
            let interval = wilson(successes, trials, LEVEL);
            assert!((interval.lo - lo).abs() < 6e-5 && (interval.hi - hi).abs() < 6e-5, "{interval}");
        }
    }

    #[test]
    fn the_two_sides_mirror_each_other() {
        for successes in 0..=12 {
            let here = wilson(f64::from(successes), 12.0, LEVEL);
            let there = wilson(f64::from(12 - successes), 12.0, LEVEL);
            assert!((here.lo + there.hi - 1.0).abs() < 1e-12);
            assert!(here.contains(f64::from(successes) / 12.0));
        }
        assert_eq!(wilson(12.0, 12.0, LEVEL).hi, 1.0);
        assert_eq!(wilson(0.0, 0.0, LEVEL), Interval::new(0.0, 1.0));
    }

    #[test]
    fn it_covers_at_its_level_by_exact_enumeration() {
        // The probability that the interval contains the truth, averaged over truths. Wilson's is near the
        // level for all but the most extreme probabilities.
        for trials in [10_u32, 40] {
            let mut sum = 0.0;
            for step in 1..100 {
                let truth = f64::from(step) / 100.0;
                let mut chance = (1.0 - truth).powi(trials as i32);
                for successes in 0..=trials {
                    if wilson(f64::from(successes), f64::from(trials), LEVEL).contains(truth) {
                        sum += chance / 99.0;
                    }
                    chance *=
                        f64::from(trials - successes) / f64::from(successes + 1) * truth / (1.0 - truth);
                }
            }
            assert!((sum - LEVEL).abs() < 0.01, "{trials}: {sum}");
        }
    }
}
