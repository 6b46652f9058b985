//! Brownian motion between two barriers: the continuous limit of a sequential test.
//!
//! The motion starts at 0, has a drift and unit variance per unit time, and is absorbed where it first hits a
//! barrier. The method of images converges in a few terms for short times, the expansion in sines for long
//! times.

use super::normal::normal_cdf;
use std::f64::consts::PI;

/// The number of images to either side: their weight decays with the exponential of their squared distance.
const IMAGES: i32 = 8;

/// The number of sines.
const SINES: i32 = 8;

/// A motion with drift between a barrier below 0 and one above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    /// The drift per unit time.
    pub(crate) drift: f64,
    /// The lower barrier, negative.
    pub(crate) bottom: f64,
    /// The upper barrier, positive.
    pub(crate) top: f64,
}

impl Motion {
    /// The probability that the upper barrier is hit first, within this time.
    pub(crate) fn top_by(&self, time: f64) -> f64 {
        let (drift, top) = (self.drift, self.top);
        let width = top - self.bottom;
        if time <= 0.0 {
            return 0.0;
        }
        let chance = if time < width * width {
            // Each image is a barrier at its own distance, hit by a motion that drifts towards it.
            let pull = drift.abs();
            let mut sum = 0.0;
            for j in -IMAGES..=IMAGES {
                let place = top + 2.0 * f64::from(j) * width;
                let distance = place.abs();
                let weight = drift * top - pull * distance;
                let root = time.sqrt();
                let met = weighted_cdf(weight, (pull * time - distance) / root)
                    + weighted_cdf(weight + 2.0 * pull * distance, -(pull * time + distance) / root);
                sum += met * place.signum();
            }
            sum
        } else {
            let ever = if drift.abs() * width < 1e-9 {
                -self.bottom / width
            } else if drift > 0.0 {
                (2.0 * drift * self.bottom).exp_m1() / (-2.0 * drift * width).exp_m1()
            } else {
                // The same, multiplied through to avoid overflow.
                let fall = (2.0 * drift * top).exp() - (2.0 * drift * width).exp();
                fall / -(2.0 * drift * width).exp_m1()
            };
            let mut later = 0.0;
            for k in 1..=SINES {
                let wave = f64::from(k) * PI / width;
                let rate = f64::midpoint(drift * drift, wave * wave);
                later += wave / width * (wave * top).sin() / rate * (drift * top - rate * time).exp();
            }
            ever - later
        };
        chance.clamp(0.0, 1.0)
    }

    /// The probability that the lower barrier is hit first, within this time.
    pub(crate) fn bottom_by(&self, time: f64) -> f64 {
        Self { drift: -self.drift, bottom: -self.top, top: -self.bottom }.top_by(time)
    }

    /// The probability that no barrier is hit within this time and that the motion is then at `place` or
    /// above.
    pub(crate) fn above(&self, place: f64, time: f64) -> f64 {
        let (drift, top) = (self.drift, self.top);
        let width = top - self.bottom;
        let chance = if time < width * width {
            let root = time.sqrt();
            let between = |source: f64| {
                let (from, to) =
                    ((place - source) / root - drift * root, (top - source) / root - drift * root);
                // The difference is taken in the tail in which it does not cancel.
                let weight = drift * source;
                if from > 0.0 {
                    weighted_cdf(weight, -from) - weighted_cdf(weight, -to)
                } else {
                    weighted_cdf(weight, to) - weighted_cdf(weight, from)
                }
            };
            (-IMAGES..=IMAGES)
                .map(|j| 2.0 * f64::from(j) * width)
                .map(|shift| between(shift) - between(2.0 * top + shift))
                .sum::<f64>()
        } else {
            let mut sum = 0.0;
            for k in 1..=SINES {
                let wave = f64::from(k) * PI / width;
                let rate = f64::midpoint(drift * drift, wave * wave);
                // The integral of exp(drift·x) sin(wave·(x - bottom)), without its denominator.
                let primitive = |x: f64| {
                    let (sine, cosine) = (wave * (x - self.bottom)).sin_cos();
                    (drift * x - rate * time).exp() * (drift * sine - wave * cosine)
                };
                sum += (wave * -self.bottom).sin() * (primitive(top) - primitive(place)) / (2.0 * rate);
            }
            sum * 2.0 / width
        };
        chance.clamp(0.0, 1.0)
    }
}

/// The exponential of `weight` times the normal probability below `x`, where the former may overflow and the
/// latter underflow.
fn weighted_cdf(weight: f64, x: f64) -> f64 {
    if x > -20.0 {
        let chance = normal_cdf(x);
        if weight < 600.0 { weight.exp() * chance } else { (weight + chance.ln()).exp() }
    } else {
        // The asymptotic series of the tail: the remainder is of the order of x to the power of -6.
        let square = x * x;
        let series = 1.0 - 1.0 / square + 3.0 / (square * square);
        (weight - square / 2.0 - (-x * (2.0 * PI).sqrt()).ln()).exp() * series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Motion = Motion { drift: 0.3, bottom: -2.0, top: 3.0 };

    #[test]
    fn images_and_sines_agree_where_they_meet() {
        for drift in [-2.0, -0.4, 0.0, 1e-12, 0.1, 0.7, 3.0] {
            let motion = Motion { drift, ..TEST };
            for (short, long) in [
                (motion.top_by(25.0 - 1e-9), motion.top_by(25.0)),
                (motion.bottom_by(25.0 - 1e-9), motion.bottom_by(25.0)),
                (motion.above(0.5, 25.0 - 1e-9), motion.above(0.5, 25.0)),
            ] {
                assert!((short - long).abs() < 1e-9, "{drift}: {short} and {long}");
            }
        }
    }

    #[test]
    fn the_motion_is_always_somewhere() {
        for drift in [-40.0, -0.5, 0.0, 0.2, 60.0] {
            for time in [0.01, 1.0, 8.0, 40.0] {
                let motion = Motion { drift, ..TEST };
                let sum = motion.top_by(time) + motion.bottom_by(time) + motion.above(-2.0, time);
                assert!((sum - 1.0).abs() < 1e-9, "{drift} after {time}: {sum}");
            }
        }
    }

    #[test]
    fn in_the_end_walds_probability_is_met() {
        // The barriers of a test at 5 percent, with the drift of its second hypothesis: 95 percent end at the
        // top.
        let limit = 19.0_f64.ln();
        let motion = Motion { drift: 0.5, bottom: -limit, top: limit };
        assert!((motion.top_by(1e4) - 0.95).abs() < 1e-12);
        assert!((motion.bottom_by(1e4) - 0.05).abs() < 1e-12);
    }

    #[test]
    fn a_far_barrier_leaves_the_reflection_principle() {
        let motion = Motion { drift: 0.0, bottom: -1e3, top: 1.5 };
        assert!((motion.top_by(4.0) - 2.0 * normal_cdf(-0.75)).abs() < 1e-12);
    }
}
