//! The sequential test: play until it is clear which of two strengths is more likely.
//!
//! The generalised sequential probability ratio test on pairs. The log-likelihood ratio compares the most
//! likely distribution of the five scores that has the mean of the upper bound with the most likely one that
//! has the mean of the lower bound. The match continues while the ratio stays between ln(β/(1-α)) and
//! ln((1-β)/α). At α = β = 0.05 these are ±2.944.
//!
//! The limits are Wald's, for a ratio that moves continuously. A real one overshoots them slightly, which
//! makes both errors rarer than stated when a single pair moves the ratio far: short tests are conservative.

use super::elo::{NORMALISED_UNIT, score_from_elo};
use super::multinomial::{Cells, expect, likeliest_of_distance, likeliest_of_mean, shares};
use super::pairs::Pairs;
use astragal_core::{Interval, ReadError};
use std::f64::consts::SQRT_2;

/// The largest bound that a test accepts, in Elo on either scale.
const FARTHEST: f64 = 1000.0;

/// The unit of the bounds of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Elo from the score alone.
    Logistic,
    /// Normalised Elo: the score in standard deviations of a game. The length of a test then hardly depends
    /// on the draw rate.
    Normalised,
}

/// The result of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither bound is clearly more likely.
    Continue,
    /// The upper bound is more likely: the player is stronger by the margin tested for.
    Accept,
    /// The lower bound is more likely.
    Reject,
}

/// A sequential test of two strengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    scale: Scale,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test of `elo0` against `elo1` that accepts with probability at most `alpha` if the truth is `elo0`,
    /// and rejects with probability at most `beta` if it is `elo1`.
    ///
    /// # Errors
    /// If the bounds are not in ascending order or beyond ±1000, or `alpha` or `beta` does not lie between 0
    /// and ½.
    pub fn new(elo0: f64, elo1: f64, scale: Scale, alpha: f64, beta: f64) -> Result<Self, ReadError> {
        let error = |what, given, why: &str| Err(ReadError { what, given, why: why.into() });
        if !(-FARTHEST <= elo0 && elo0 < elo1 && elo1 <= FARTHEST) {
            let why = "the lower bound comes first, and both lie between -1000 and 1000";
            return error("bounds of a sequential test", format!("{elo0}, {elo1}"), why);
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(0.0 < rate && rate < 0.5) {
                let why = "an error rate lies above 0 and below 0.5, such as 0.05";
                return error("error rate of a sequential test", format!("{name}={rate}"), why);
            }
        }
        Ok(Self { elo0, elo1, scale, alpha, beta })
    }

    /// The lower bound.
    #[must_use]
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The upper bound.
    #[must_use]
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The unit of the bounds.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The rate of false acceptance.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The rate of false rejection.
    #[must_use]
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The log-likelihood ratios between which the match continues.
    #[must_use]
    pub fn limits(&self) -> Interval {
        let lo = (self.beta / (1.0 - self.alpha)).ln();
        let hi = ((1.0 - self.beta) / self.alpha).ln();
        Interval::new(lo, hi)
    }

    /// The log-likelihood ratio of the upper bound against the lower, given these pairs; 0 without pairs.
    #[must_use]
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let (shares, total) = shares(pairs);
        let likeliest = |elo: f64| match self.scale {
            Scale::Logistic => likeliest_of_mean(&shares, self.position(elo)),
            Scale::Normalised => likeliest_of_distance(&shares, self.position(elo)),
        };
        let (lower, upper) = (likeliest(self.elo0), likeliest(self.elo1));
        let mut logs: Cells = [0.0; 5];
        for ((log, lower), upper) in logs.iter_mut().zip(lower).zip(upper) {
            *log = (upper / lower).ln();
        }
        total * expect(&shares, &logs)
    }

    /// The verdict after these pairs.
    #[must_use]
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let (ratio, limits) = (self.ratio(pairs), self.limits());
        if ratio >= limits.hi {
            Verdict::Accept
        } else if ratio <= limits.lo {
            Verdict::Reject
        } else {
            Verdict::Continue
        }
    }

    /// Converts Elo on the test's scale to the quantity of the likelihood: a mean score, or a distance from a
    /// half in deviations of a pair.
    pub(crate) fn position(&self, elo: f64) -> f64 {
        match self.scale {
            Scale::Logistic => score_from_elo(elo),
            // A pair's deviation is that of a game divided by the root of two.
            Scale::Normalised => SQRT_2 * elo / NORMALISED_UNIT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, scale: Scale) -> Sprt {
        Sprt::new(elo0, elo1, scale, 0.05, 0.05).unwrap()
    }

    #[test]
    fn the_limits_are_walds() {
        let limits = test(0.0, 5.0, Scale::Logistic).limits();
        assert!((limits.hi - 2.944).abs() < 5e-4 && (limits.lo + 2.944).abs() < 5e-4);
        let uneven = Sprt::new(0.0, 5.0, Scale::Logistic, 0.05, 0.1).unwrap().limits();
        assert!((uneven.lo - (0.1_f64 / 0.95).ln()).abs() < 1e-12);
        assert!((uneven.hi - 18.0_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn won_and_lost_pairs_give_the_ratio_of_a_coin() {
        // If only two scores occur, their probabilities follow from the mean, up to the count of empty cells.
        let (lost, won) = (4_000, 5_000);
        let pairs = Pairs::from_counts([lost, 0, 0, 0, won]);
        let (s0, s1) = (score_from_elo(0.0), score_from_elo(40.0));
        let coin = won as f64 * (s1 / s0).ln() + lost as f64 * ((1.0 - s1) / (1.0 - s0)).ln();
        let ratio = test(0.0, 40.0, Scale::Logistic).ratio(&pairs);
        assert!((ratio - coin).abs() < 1e-3, "{ratio} and {coin}");
    }

    #[test]
    fn near_bounds_give_the_ratio_of_normal_scores() {
        // (s1 - s0)(s - (s0 + s1)/2) n / v, in the limit of close bounds and many pairs near them.
        let pairs = Pairs::from_counts([2_000, 24_000, 47_000, 25_000, 2_000]);
        let (s0, s1) = (score_from_elo(0.0), score_from_elo(2.0));
        let normal =
            (s1 - s0) * (pairs.mean() - f64::midpoint(s0, s1)) * pairs.count() as f64 / pairs.variance();
        let ratio = test(0.0, 2.0, Scale::Logistic).ratio(&pairs);
        assert!((ratio / normal - 1.0).abs() < 1e-2, "{ratio} and {normal}");
        // The same bounds in normalised Elo of these pairs give nearly the same ratio.
        let unit = NORMALISED_UNIT / (2.0 * pairs.variance()).sqrt();
        let normalised = test(0.0, (s1 - 0.5) * unit, Scale::Normalised).ratio(&pairs);
        assert!((ratio / normalised - 1.0).abs() < 1e-2, "{ratio} and {normalised}");
    }

    #[test]
    fn the_ratio_changes_sign_with_the_players() {
        let pairs = Pairs::from_counts([7, 30, 60, 41, 9]);
        for scale in [Scale::Logistic, Scale::Normalised] {
            let here = test(-5.0, 10.0, scale).ratio(&pairs);
            let there = test(-10.0, 5.0, scale).ratio(&pairs.reversed());
            assert!((here + there).abs() < 1e-9, "{here} and {there}");
        }
    }

    #[test]
    fn one_sided_and_even_pairs_have_a_ratio_too() {
        for scale in [Scale::Logistic, Scale::Normalised] {
            let test = test(0.0, 30.0, scale);
            assert_eq!(test.ratio(&Pairs::new()), 0.0);
            assert_eq!(test.verdict(&Pairs::from_counts([0, 0, 0, 0, 400])), Verdict::Accept);
            assert_eq!(test.verdict(&Pairs::from_counts([400, 0, 0, 0, 0])), Verdict::Reject);
            for count in [1, 1000, 1_000_000] {
                let ratio = test.ratio(&Pairs::from_counts([0, 0, count, 0, 0]));
                assert!(ratio.is_finite() && ratio <= 0.0, "{scale:?}, {count}: {ratio}");
            }
        }
    }

    #[test]
    fn senseless_tests_are_refused() {
        let refused = [
            (5.0, 0.0, 0.05, 0.05),
            (0.0, 0.0, 0.05, 0.05),
            (0.0, f64::NAN, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.05, 0.5),
        ];
        for (elo0, elo1, alpha, beta) in refused {
            assert!(Sprt::new(elo0, elo1, Scale::Logistic, alpha, beta).is_err());
        }
        let error = Sprt::new(0.0, 5.0, Scale::Logistic, 5.0, 0.05).unwrap_err().to_string();
        assert!(error.contains("alpha=5") && error.contains("0.05"), "{error}");
    }
}
