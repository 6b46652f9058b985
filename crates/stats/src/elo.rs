//! Conversion between scores and Elo, plain and normalised.
//!
//! Plain Elo depends on the score alone: near a half, one percent is worth about seven points. Normalised Elo
//! measures the score in standard deviations of a game, so it alone determines the number of games needed to
//! detect a difference.

use super::normal::normal_cdf;
use astragal_core::Interval;
use std::f64::consts::LN_10;

/// The normalised Elo of a score that is one standard deviation of a game above a half.
pub(crate) const NORMALISED_UNIT: f64 = 800.0 / LN_10;

/// The Elo difference at which this score is expected: minus infinity at 0 and below, infinity at 1 and
/// above.
#[must_use]
pub fn elo_from_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score expected at this Elo difference.
#[must_use]
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

/// The Elo interval that corresponds to an interval of scores; its ends may be infinite.
#[must_use]
pub fn elo_interval(scores: Interval) -> Interval {
    Interval::new(elo_from_score(scores.lo), elo_from_score(scores.hi))
}

/// The normalised Elo of a mean score, given the variance of the scores of pairs.
///
/// A pair's score is the mean of two games, so twice its variance stands for that of a game. Without variance
/// the result is infinite on the side of the better score, and 0 at a half: scores that never vary are
/// distinguished immediately.
#[must_use]
pub fn normalised_elo(mean: f64, pair_variance: f64) -> f64 {
    ratio(mean - 0.5, (2.0 * pair_variance).sqrt()) * NORMALISED_UNIT
}

/// The likelihood of superiority: the probability that the true score is above a half, given the mean score
/// of this many pairs and the variance of their scores.
///
/// Without variance it is 0, ½ or 1, and without pairs ½. It takes the variance at face value;
/// [`Pairs::superiority`](super::Pairs::superiority) does not, and is preferable after few pairs.
#[must_use]
pub fn superiority(mean: f64, pair_variance: f64, pairs: u64) -> f64 {
    if pairs == 0 {
        return 0.5;
    }
    normal_cdf(ratio(mean - 0.5, (pair_variance / pairs as f64).sqrt()))
}

/// A difference in units of a deviation; 0 in units of 0 is 0.
pub(crate) fn ratio(difference: f64, deviation: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / deviation }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_is_that_of_the_tables() {
        // A percent near a half is worth 7 points, and odds of ten to one are worth 400.
        assert!((elo_from_score(0.51) - 6.95).abs() < 0.005);
        assert!((elo_from_score(0.55) - 34.86).abs() < 0.005);
        assert!((elo_from_score(0.75) - 190.85).abs() < 0.005);
        assert!((elo_from_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((score_from_elo(200.0) - 0.7597).abs() < 5e-5);
        assert_eq!(elo_from_score(0.5), 0.0);
    }

    #[test]
    fn elo_and_score_undo_each_other() {
        for elo in [-900.0, -35.0, 0.0, 1e-6, 7.0, 400.0, 1500.0] {
            assert!((elo_from_score(score_from_elo(elo)) - elo).abs() < 1e-6 * (1.0_f64).max(elo.abs()));
        }
        for end in [0.0, 1.0] {
            assert_eq!(score_from_elo(elo_from_score(end)), end);
        }
        let whole = elo_interval(Interval::new(0.0, 1.0));
        assert_eq!(whole, Interval::WHOLE);
    }

    #[test]
    fn normalised_elo_equals_elo_for_small_differences_without_draws() {
        // Independent games without draws have pairs of variance 1/8, and a score of a half plus Elo · ln 10
        // / 1600.
        let elo = 1.0;
        assert!((normalised_elo(score_from_elo(elo), 0.125) - elo).abs() < 1e-5);
        // Half the deviation gives twice the normalised Elo.
        assert!((normalised_elo(0.52, 0.03125) / normalised_elo(0.52, 0.125) - 2.0).abs() < 1e-12);
        assert_eq!(normalised_elo(0.6, 0.0), f64::INFINITY);
        assert_eq!(normalised_elo(0.4, 0.0), f64::NEG_INFINITY);
        assert_eq!(normalised_elo(0.5, 0.0), 0.0);
    }

    #[test]
    fn superiority_is_the_normal_probability_of_the_score() {
        // 100 pairs with deviation ¼ have a mean with deviation 1/40: 0.55 is two deviations above a half.
        assert!((superiority(0.55, 0.0625, 100) - 0.977_249_868).abs() < 1e-9);
        assert!((superiority(0.45, 0.0625, 100) - 0.022_750_132).abs() < 1e-9);
        assert_eq!(superiority(0.5, 0.0, 100), 0.5);
        assert_eq!(superiority(0.7, 0.0, 100), 1.0);
        assert_eq!(superiority(0.7, 0.1, 0), 0.5);
    }
}
