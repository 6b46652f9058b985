//! The strength estimated after a sequential test, corrected for the bias of optional stopping.
//!
//! A test that stops on a good run overstates the winner. The outcomes of the test are therefore ordered:
//! accepted, the sooner the better; then still open, by the ratio reached; then rejected, the later the
//! better. The estimate is the strength at which an outcome at least as good as the observed one has
//! probability ½, so it is too high as often as too low, and the ends of the interval are the strengths at
//! which that probability leaves the level. Siegmund's book "Sequential Analysis" (1985) describes the order.
//!
//! The probabilities are those of Brownian motion, which approximates the sum of the scores, with two
//! corrections. The steps of the sum overshoot the limits by 0.583 of their deviation on average, so the
//! limits are moved outwards by that much. And the ratio grows more slowly than the sum where the score is
//! far from the bounds, so the limits are placed where the sum corresponds to a ratio bent like the observed
//! one.

use super::brownian::Motion;
use super::elo::{NORMALISED_UNIT, elo_from_score};
use super::estimate::Estimate;
use super::normal::{reach, upper};
use super::pairs::Pairs;
use super::sprt::{Scale, Sprt, Verdict};
use std::f64::consts::SQRT_2;

/// The mean overshoot of a sum of steps beyond a limit, in deviations of a step: minus ζ(½) over the root of
/// 2π.
const OVERSHOOT: f64 = 0.583;

impl Sprt {
    /// The strength after these pairs, in Elo of the test's scale, median-unbiased despite optional stopping.
    ///
    /// The pairs are those at which the test stopped or was abandoned. For a match of fixed length use
    /// [`Pairs::elo`] instead. The error is the half-width in units of the normal quantile. Without pairs the
    /// strength is the midpoint of the bounds and the interval is the whole line.
    ///
    /// # Panics
    /// If the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn estimate(&self, pairs: &Pairs, level: f64) -> Estimate {
        let upper = upper(level);
        let (low, high) = (self.position(self.elo0()), self.position(self.elo1()));
        let (middle, apart) = (f64::midpoint(low, high), high - low);
        let count = pairs.count() as f64;
        if count == 0.0 {
            let mean = self.elo_at(middle);
            return Estimate { mean, lo: f64::NEG_INFINITY, hi: f64::INFINITY, error: f64::INFINITY };
        }
        let variance = pairs.steady_variance();
        // The observed value, its standard deviation per pair, and the ratio if it were linear.
        let (seen, deviation) = match self.scale() {
            Scale::Logistic => (pairs.mean(), variance.sqrt()),
            Scale::Normalised => ((pairs.mean() - 0.5) / variance.sqrt(), 1.0),
        };
        let (limits, ratio, verdict) = (self.limits(), self.ratio(pairs), self.verdict(pairs));
        let linear = count * apart * (seen - middle) / (deviation * deviation);
        let bend =
            if ratio.abs() > 0.5 && linear / ratio > 0.0 { (linear / ratio).clamp(0.5, 4.0) } else { 1.0 };
        // The motion is the sum of scores minus the middle, in deviations: unit variance per pair.
        let place = |ratio: f64| ratio * bend * deviation / apart;
        // The probability of an outcome at least as good as this one; it increases with the drift.
        let as_good = |drift: f64| {
            let motion =
                Motion { drift, bottom: place(limits.lo) - OVERSHOOT, top: place(limits.hi) + OVERSHOOT };
            match verdict {
                Verdict::Accept => motion.top_by(count),
                Verdict::Reject => 1.0 - motion.bottom_by(count),
                Verdict::Continue => motion.top_by(count) + motion.above(place(ratio), count),
            }
        };
        let elo = |chance: f64| self.elo_at(middle + deviation * solve(&as_good, chance));
        let (mean, lo, hi) = (elo(0.5), elo(1.0 - upper), elo(upper));
        let error = if hi.is_infinite() { f64::INFINITY } else { (hi - lo) / (2.0 * reach(level)) };
        Estimate { mean, lo, hi, error }
    }

    /// The Elo of a position: the inverse of [`Sprt::position`].
    fn elo_at(&self, position: f64) -> f64 {
        match self.scale() {
            Scale::Logistic => elo_from_score(position),
            Scale::Normalised => position * NORMALISED_UNIT / SQRT_2,
        }
    }
}

/// Where an increasing function first reaches this value, by doubling and bisection.
fn solve(growing: &impl Fn(f64) -> f64, value: f64) -> f64 {
    let mut width = 1.0;
    while width < 1e6 && !(growing(-width) < value && value <= growing(width)) {
        width *= 2.0;
    }
    let (mut lo, mut hi) = (-width, width);
    // About forty bisections: one part in 10¹² of the width.
    while hi - lo > 1e-12 * width {
        let middle = f64::midpoint(lo, hi);
        if growing(middle) < value {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    f64::midpoint(lo, hi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LEVEL;

    fn test(scale: Scale) -> Sprt {
        Sprt::new(0.0, 20.0, scale, 0.05, 0.05).unwrap()
    }

    #[test]
    fn a_win_that_came_early_is_believed_less_than_its_score() {
        for scale in [Scale::Logistic, Scale::Normalised] {
            let pairs = Pairs::from_counts([10, 60, 120, 100, 25]);
            let test = test(scale);
            assert_eq!(test.verdict(&pairs), Verdict::Accept);
            let raw = match scale {
                Scale::Logistic => pairs.elo(LEVEL).mean,
                Scale::Normalised => pairs.normalised_elo(LEVEL).mean,
            };
            let estimate = test.estimate(&pairs, LEVEL);
            assert!(estimate.mean < raw, "{scale:?}: {estimate:?} and {raw}");
            assert!(estimate.lo < estimate.mean && estimate.mean < estimate.hi);
        }
    }

    #[test]
    fn far_from_the_limits_it_is_the_usual_estimate() {
        // A wide test abandoned after few pairs has not selected anything.
        let pairs = Pairs::from_counts([10, 60, 160, 63, 11]);
        let test = Sprt::new(-2.0, 2.0, Scale::Logistic, 1e-6, 1e-6).unwrap();
        let (usual, estimate) = (pairs.elo(LEVEL), test.estimate(&pairs, LEVEL));
        assert!((usual.mean - estimate.mean).abs() < 0.05 * usual.error, "{usual:?} and {estimate:?}");
        assert!((usual.lo - estimate.lo).abs() < 0.05 * usual.error, "{usual:?} and {estimate:?}");
        assert!((usual.hi - estimate.hi).abs() < 0.05 * usual.error, "{usual:?} and {estimate:?}");
    }

    #[test]
    fn the_players_see_mirror_images() {
        let pairs = Pairs::from_counts([10, 60, 120, 100, 25]);
        let here = Sprt::new(0.0, 20.0, Scale::Normalised, 0.05, 0.05).unwrap().estimate(&pairs, LEVEL);
        let there =
            Sprt::new(-20.0, 0.0, Scale::Normalised, 0.05, 0.05).unwrap().estimate(&pairs.reversed(), LEVEL);
        assert!((here.mean + there.mean).abs() < 1e-6);
        assert!((here.lo + there.hi).abs() < 1e-6, "{here:?} and {there:?}");
    }

    #[test]
    fn extreme_outcomes_have_an_estimate() {
        for scale in [Scale::Logistic, Scale::Normalised] {
            for counts in [[0, 0, 0, 0, 1], [0, 0, 0, 0, 300], [300, 0, 0, 0, 0], [0, 0, 50, 0, 0]] {
                let estimate = test(scale).estimate(&Pairs::from_counts(counts), LEVEL);
                assert!(
                    !estimate.mean.is_nan() && estimate.lo <= estimate.hi,
                    "{scale:?} {counts:?} {estimate:?}"
                );
            }
            assert_eq!(test(scale).estimate(&Pairs::new(), LEVEL).interval(), astragal_core::Interval::WHOLE);
        }
    }
}
