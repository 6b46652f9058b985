//! Tuning: the best parameters of an engine, by elimination as in the MCMS paper, or by SPSA.
//!
//! Simultaneous perturbation stochastic approximation (Spall 1992) moves all parameters together: in each
//! step the engine with the parameters shifted one way plays the engine with them shifted the other way, and
//! the parameters follow the score. The gains are customary for chess programs: A = N/10, α = 0.602, γ =
//! 0.101. Either method finds the best parameters *seen*, whose score is biased upwards; confirm them by a
//! match with fresh seeds.

use crate::contest::{Contest, NoContest};
use crate::sequential::Trial;
use crate::terms::Terms;
use crate::work::Executor;
use astragal_core::{Budget, Sampler};
use thiserror::Error;

/// A parameter to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Its name.
    pub name: String,
    /// The smallest value.
    pub lo: f64,
    /// The largest value.
    pub hi: f64,
    /// Whether the values are integers.
    pub whole: bool,
    /// Whether the search is on a logarithmic scale.
    pub log: bool,
}

/// An engine with some parameters left open, such as `star2ss(width=2..30)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The text around the open parameters.
    parts: Vec<String>,
    /// The open parameters.
    pub ranges: Vec<Range>,
}

/// Parameters whose largest and smallest values have at least this ratio are searched on a logarithmic scale.
const LOG_RATIO: f64 = 20.0;

impl Space {
    /// Parses a spec in which some values are ranges.
    ///
    /// # Errors
    /// If it contains no range, or an empty one.
    pub fn read(spec: &str) -> Result<Self, NoContest> {
        let mut parts = Vec::new();
        let mut ranges = Vec::new();
        let mut rest = spec;
        let mut head = String::new();
        while let Some(at) = rest.find('=') {
            let (before, after) = rest.split_at(at + 1);
            head += before;
            rest = after;
            let end = rest.find([',', ')', '(']).unwrap_or(rest.len());
            let Some((lo, hi)) = rest[..end].split_once("..") else { continue };
            let name: String = before[..at].rsplit(['(', ',']).next().unwrap_or_default().trim().into();
            let wrong = || {
                NoContest(format!(
                    "'{name}={}' is not a range such as 2..30, the smaller value first",
                    &rest[..end]
                ))
            };
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
            let (low, high) = number(lo).zip(number(hi)).filter(|(lo, hi)| lo < hi).ok_or_else(wrong)?;
            let whole = !lo.contains(['.', 'e']) && !hi.contains(['.', 'e']);
            ranges.push(Range { name, lo: low, hi: high, whole, log: low > 0.0 && high >= LOG_RATIO * low });
            parts.push(std::mem::take(&mut head));
            rest = &rest[end..];
        }
        if ranges.is_empty() {
            let example = "write one as in star2ss(width=2..30)";
            return Err(NoContest(format!("'{spec}' has no parameter range; {example}")));
        }
        head += rest;
        parts.push(head);
        Ok(Self { parts, ranges })
    }

    /// The values at a point of the unit cube.
    #[must_use]
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        let value = |(range, at): (&Range, &f64)| {
            let at = at.clamp(0.0, 1.0);
            let value = if range.log {
                range.lo * libm::pow(range.hi / range.lo, at)
            } else {
                range.lo + at * (range.hi - range.lo)
            };
            if range.whole { value.round() } else { significant(value).clamp(range.lo, range.hi) }
        };
        self.ranges.iter().zip(point).map(value).collect()
    }

    /// The engine at a point of the unit cube.
    #[must_use]
    pub fn engine(&self, point: &[f64]) -> String {
        let mut spec = String::new();
        let values = self.values(point);
        for (at, part) in self.parts.iter().enumerate() {
            spec += part;
            if let Some(value) = values.get(at) {
                spec += &value.to_string();
            }
        }
        spec
    }

    /// Up to `count` different engines, spread over the ranges: evenly if one parameter is open, otherwise by
    /// a low-discrepancy sequence.
    #[must_use]
    pub fn spread(&self, count: usize) -> Vec<String> {
        let dimensions = self.ranges.len();
        // The generalised golden ratio: the root of x^(d+1) = x + 1.
        let mut ratio: f64 = 2.0;
        for _ in 0..64 {
            ratio = libm::pow(1.0 + ratio, 1.0 / (dimensions as f64 + 1.0));
        }
        let point = |at: usize| -> Vec<f64> {
            if dimensions == 1 {
                return vec![at as f64 / (count.max(2) - 1) as f64];
            }
            let share = |dimension: usize| {
                let step = 1.0 / libm::pow(ratio, dimension as f64 + 1.0);
                (0.5 + step * (at as f64 + 1.0)).fract()
            };
            (0..dimensions).map(share).collect()
        };
        let mut engines = Vec::new();
        for at in 0..count {
            let engine = self.engine(&point(at));
            if !engines.contains(&engine) {
                engines.push(engine);
            }
        }
        engines
    }
}

/// Rounds a number to three significant digits, so that a spec stays readable.
fn significant(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// Makes a match between the engines at two points of the unit cube, with this seed; none if the engines are
/// equal.
pub type Pairing<'a> = dyn Fn([&[f64]; 2], u64) -> Result<Option<Contest>, NoContest> + 'a;

impl Space {
    /// Matches, in a game of the catalogue, between the engines at two points.
    pub fn pairing(&self, game: &str, budget: Budget) -> Box<Pairing<'_>> {
        let game = game.to_string();
        Box::new(move |points, seed| {
            let [first, second] = points.map(|point| self.engine(point));
            if first == second {
                return Ok(None);
            }
            Contest::new(&game, None, [&first, &second], budget, Terms::default(), seed).map(Some)
        })
    }
}

/// A run of SPSA.
pub struct Spsa<'a> {
    /// The number of parameters.
    pub parameters: usize,
    /// Makes the match of a step.
    pub pairing: &'a Pairing<'a>,
    /// The number of steps.
    pub steps: u32,
    /// The number of pairs per step.
    pub pairs: u64,
    /// The seed.
    pub seed: u64,
}

/// The first shift, as a share of a range, and the first gain, which multiplies the score minus ½.
const SHIFT: f64 = 0.15;
const GAIN: f64 = 0.4;

impl Spsa<'_> {
    /// Runs all steps; returns the final point of the unit cube, or none if stopped. `seen` is called after
    /// every step with its number, the parameters and the score.
    ///
    /// # Errors
    /// If an engine is invalid, or results cannot be read or stored.
    pub fn run<E: Executor>(
        &self,
        executor: &mut E,
        mut seen: impl FnMut(u32, &[f64], f64),
    ) -> Result<Option<Vec<f64>>, TuneError<E::Error>> {
        let mut point = vec![0.5; self.parameters];
        let settle = 0.1 * f64::from(self.steps);
        for step in 0..self.steps {
            let k = f64::from(step);
            let shift = SHIFT / libm::pow(k + 1.0, 0.101);
            let gain = GAIN * libm::pow((1.0 + settle) / (k + 1.0 + settle), 0.602);
            let signs: Vec<f64> = (0..point.len())
                .map(|at| {
                    if Sampler::new(self.seed).draw(step.into(), 7, at as u32) & 1 == 0 { 1.0 } else { -1.0 }
                })
                .collect();
            let moved = |way: f64| -> Vec<f64> {
                point.iter().zip(&signs).map(|(x, sign)| (x + way * shift * sign).clamp(0.0, 1.0)).collect()
            };
            // Every step has its own dice.
            let seed = Sampler::new(self.seed).draw(step.into(), 8, 0) >> 1;
            let mut score = 0.5;
            if let Some(contest) = (self.pairing)([&moved(1.0), &moved(-1.0)], seed)? {
                let mut trial = Trial::new(None);
                if !trial.run(&contest, self.pairs, executor, |_, _, _| {}).map_err(TuneError::Results)? {
                    return Ok(None);
                }
                score = trial.pairs().mean();
            }
            for (x, sign) in point.iter_mut().zip(&signs) {
                *x = (*x + gain * (score - 0.5) * sign).clamp(0.0, 1.0);
            }
            seen(step + 1, &point, score);
        }
        Ok(Some(point))
    }
}

/// Why tuning failed.
#[derive(Debug, Error)]
pub enum TuneError<E> {
    /// An engine is invalid.
    #[error(transparent)]
    Engine(#[from] NoContest),
    /// Results cannot be read or stored.
    #[error("{0}")]
    Results(E),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Memory;
    use astragal_core::Clock;

    #[test]
    fn ranges_are_read_where_they_stand() {
        let space = Space::read("dpw(c=1..200,dr=10,alpha=0.1..0.5,select=epsilon(e=0.0..1.0))").unwrap();
        let names: Vec<&str> = space.ranges.iter().map(|range| range.name.as_str()).collect();
        assert_eq!(names, ["c", "alpha", "e"]);
        assert_eq!((space.ranges[0].whole, space.ranges[0].log), (true, true));
        assert_eq!((space.ranges[1].whole, space.ranges[1].log), (false, false));
        assert_eq!(space.engine(&[0.0, 0.5, 1.0]), "dpw(c=1,dr=10,alpha=0.3,select=epsilon(e=1))");
        for wrong in
            ["star2", "star2ss(width=3)", "star2ss(width=30..2)", "star2ss(width=a..b)", "star2ss(width=..9)"]
        {
            assert!(Space::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn engines_are_spread_over_the_ranges() {
        let one = Space::read("star2ss(width=2..30)").unwrap().spread(8);
        assert_eq!(
            (one.len(), one[0].as_str(), one[7].as_str()),
            (8, "star2ss(width=2)", "star2ss(width=30)")
        );
        // A small integer range yields no duplicates.
        assert_eq!(Space::read("star2ss(width=1..3)").unwrap().spread(8).len(), 3);
        let two = Space::read("mcts(c=1..100,dr=0..10)").unwrap().spread(16);
        assert_eq!(two.len(), 16);
    }

    #[test]
    fn spsa_finds_the_better_end() {
        // The parameter is the turn total at which to hold, and larger is better up to about 20.
        let space = Space::read("hold-at(n=2..20)").unwrap();
        let pairing = space.pairing("pig(dice=1,target=60)", Budget::default());
        let spsa = Spsa { parameters: 1, pairing: &*pairing, steps: 30, pairs: 40, seed: 1 };
        let end = spsa.run(&mut Memory::new(Clock::start()), |_, _, _| {}).unwrap().unwrap();
        assert!(end[0] > 0.7, "{end:?}");
    }
}
