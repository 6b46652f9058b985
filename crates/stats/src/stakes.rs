//! The mean of losses of which each is limited by what is at stake, with an interval that rare, large losses
//! do not deceive.
//!
//! Most decisions lose nothing and a few lose much, so a normal interval around the mean of what was seen is
//! far too short while the large losses have not been seen yet. This one is a Bayesian bootstrap with one
//! unit more than was observed: for the upper end, a unit that loses all that is at stake in a mean one; for
//! the lower end, one that loses nothing. Where all units have the same stake it is the bound of Gaffke
//! (2005) for the mean of a bounded variable; that it always covers is a conjecture without a known
//! counterexample.

use super::estimate::Estimate;
use super::normal::upper;
use astragal_core::{Sampler, unit};

/// The losses of a unit: units must be independent of each other, such as games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stake {
    /// What was lost; at most what was at stake.
    pub lost: f64,
    /// What was at stake.
    pub staked: f64,
    /// How many parts the unit has, such as the decisions of a game. The mean is for one of them.
    pub parts: f64,
}

/// The weightings that determine the interval.
const DRAWS: u32 = 2000;

/// The mean loss of a part, with its interval of this level: a pure function of the units and the seed. None
/// if there are no parts.
#[must_use]
pub fn mean_loss(units: &[Stake], level: f64, seed: u64) -> Option<Estimate> {
    let total = |of: fn(&Stake) -> f64| units.iter().map(of).sum::<f64>();
    let [lost, staked, parts] = [total(|u| u.lost), total(|u| u.staked), total(|u| u.parts)];
    if parts <= 0.0 {
        return None;
    }
    let count = units.len() as f64;
    let sampler = Sampler::new(seed);
    let (mut least, mut most) = (Vec::new(), Vec::new());
    for draw in 0..DRAWS {
        let mut stream = sampler.stream(u64::from(draw), 0);
        // Exponential weights, which become uniform on the simplex when they are divided by their sum.
        let mut weight = || -libm::log1p(-unit(stream.bits()));
        let unseen = weight();
        let mut sums = [0.0, unseen * parts / count];
        for unit in units {
            let weight = weight();
            sums[0] += weight * unit.lost;
            sums[1] += weight * unit.parts;
        }
        least.push(sums[0] / sums[1]);
        most.push((sums[0] + unseen * staked / count) / sums[1]);
    }
    let mean = lost / parts;
    let squares: f64 = units.iter().map(|unit| (unit.lost - mean * unit.parts).powi(2)).sum();
    let quantile = |values: &mut Vec<f64>, share: f64| {
        values.sort_by(f64::total_cmp);
        values[((values.len() - 1) as f64 * share).round() as usize]
    };
    let upper = upper(level);
    // The ends are known to a few per cent of the interval only, and the mean lies between them.
    let lo = quantile(&mut least, 1.0 - upper).min(mean);
    let hi = quantile(&mut most, upper).max(mean);
    Some(Estimate { mean, lo, hi, error: squares.sqrt() / parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LEVEL, Running};

    /// Units that rarely lose everything, `share` of them, and otherwise a little.
    fn rare(share: f64, units: u64, seed: u64) -> Vec<Stake> {
        let one = |number| {
            let mut stream = Sampler::new(seed).stream(number, 9);
            let staked = 1.0 + unit(stream.bits());
            let loses = unit(stream.bits()) < share;
            Stake { lost: if loses { staked } else { 0.001 * staked }, staked, parts: 1.0 }
        };
        (0..units).map(one).collect()
    }

    #[test]
    fn rare_disasters_are_covered_where_a_normal_interval_is_deceived() {
        // The true mean is the share of disasters times the mean stake of 1.5, plus the little.
        let (share, runs) = (0.005, 200);
        let truth = 1.5 * (share + (1.0 - share) * 0.001);
        let (mut covered, mut usual) = (0, 0);
        for run in 0..runs {
            let units = rare(share, 100, run);
            covered += u64::from(mean_loss(&units, LEVEL, 1).unwrap().contains(truth));
            let normal = units.iter().map(|unit| unit.lost).collect::<Running>().estimate(LEVEL);
            usual += u64::from(normal.contains(truth));
        }
        // In six of ten runs no disaster is seen.
        assert!(covered >= 190, "{covered} of {runs}");
        assert!(usual < 100, "a normal interval covers in {usual} of {runs}");
    }

    #[test]
    fn frequent_losses_have_about_the_usual_interval() {
        let units = rare(0.4, 2000, 5);
        let found = mean_loss(&units, LEVEL, 1).unwrap();
        let usual = units.iter().map(|unit| unit.lost).collect::<Running>().estimate(LEVEL);
        assert!((found.mean - usual.mean).abs() < 1e-12);
        let (one, other) = (found.hi - found.lo, usual.hi - usual.lo);
        assert!((one / other - 1.0).abs() < 0.1, "{found:?} and {usual:?}");
    }

    #[test]
    fn nothing_lost_in_few_units_does_not_mean_nothing_to_lose() {
        let units = [Stake { lost: 0.0, staked: 1.0, parts: 1.0 }; 20];
        let found = mean_loss(&units, LEVEL, 1).unwrap();
        // The probability of seeing no disaster in twenty units is 2.5 % if one in six brings one.
        assert!(found.mean == 0.0 && found.lo == 0.0 && (0.14..0.2).contains(&found.hi), "{found:?}");
        assert_eq!(mean_loss(&[], LEVEL, 1), None);
    }

    #[test]
    fn the_mean_is_for_a_part() {
        let units =
            [Stake { lost: 3.0, staked: 9.0, parts: 6.0 }, Stake { lost: 0.0, staked: 1.0, parts: 2.0 }];
        assert_eq!(mean_loss(&units, LEVEL, 1).unwrap().mean, 3.0 / 8.0);
    }
}
