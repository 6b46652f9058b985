//! Tuning: the best parameters of an engine, by elimination as in the MCMS paper or by SPSA.
//!
//! Simultaneous perturbation stochastic approximation (Spall 1992) moves all parameters at once: in each step
//! the engine with the parameters shifted one way plays that with them shifted the other way, and the
//! parameters follow the score. Its gains are those that chess programs use: A = N/10, α = 0.602, γ = 0.101.
//! Either method finds the best *seen*, which is biased upwards; confirm it by a match on fresh seeds.

use crate::contest::{Contest, NoContest};
use crate::sequential::Trial;
use crate::terms::Terms;
use crate::work::Executor;
use astragal_core::{Budget, Sampler};
use thiserror::Error;

/// A parameter to be tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Its name.
    pub name: String,
    /// The least and the greatest value.
    pub lo: f64,
    /// The greatest value.
    pub hi: f64,
    /// Whether only whole numbers will do.
    pub whole: bool,
    /// Whether it is searched by its logarithm.
    pub log: bool,
}

/// An engine with some parameters left open, such as `star2ss(width=2..30)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// The text between the open parameters.
    parts: Vec<String>,
    /// The open parameters.
    pub ranges: Vec<Range>,
}

/// Parameters with at least this ratio of the greatest to the least value are searched by their logarithm.
const LOG_RATIO: f64 = 20.0;

impl Space {
    /// Reads a spec in which some values are ranges.
    ///
    /// # Errors
    /// If there is no range in it, or one is empty.
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
            let wrong = || NoContest(format!("'{name}={}' is not a range such as 2..30", &rest[..end]));
            let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
            let (low, high) = number(lo).zip(number(hi)).filter(|(lo, hi)| lo < hi).ok_or_else(wrong)?;
            let whole = !lo.contains(['.', 'e']) && !hi.contains(['.', 'e']);
            ranges.push(Range { name, lo: low, hi: high, whole, log: low > 0.0 && high >= LOG_RATIO * low });
            parts.push(std::mem::take(&mut head));
            rest = &rest[end..];
        }
        if ranges.is_empty() {
            let example = "write one as in star2ss(width=2..30)";
            return Err(NoContest(format!("'{spec}' leaves no parameter open; {example}")));
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

    /// This many engines, spread over the ranges: evenly if one parameter is open, otherwise by a sequence
    /// that leaves no corner out.
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

/// A number with three significant digits, so that a spec stays readable.
fn significant(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// A match between the engines at two points of the unit cube, with this seed; none if they are the same.
pub type Pairing<'a> = dyn Fn([&[f64]; 2], u64) -> Result<Option<Contest>, NoContest> + 'a;

impl Space {
    /// Matches in a game of the catalogue between the engines at two points.
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

/// How parameters are moved by SPSA.
pub struct Spsa<'a> {
    /// The number of parameters.
    pub parameters: usize,
    /// Who plays whom.
    pub pairing: &'a Pairing<'a>,
    /// Steps.
    pub steps: u32,
    /// Pairs of a step.
    pub pairs: u64,
    /// The seed.
    pub seed: u64,
}

/// The first shift, as a share of a range, and how far the first step goes for a score of 1 instead of ½.
const SHIFT: f64 = 0.15;
const GAIN: f64 = 0.4;

impl Spsa<'_> {
    /// Where the parameters end, as a point of the unit cube; none if it was stopped. `seen` hears of every
    /// step: its number, where the parameters are, and the score.
    ///
    /// # Errors
    /// If an engine is not right, or results cannot be read or kept.
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
            // Every step has dice of its own.
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

/// Why parameters were not tuned.
#[derive(Debug, Error)]
pub enum TuneError<E> {
    /// An engine is not right.
    #[error(transparent)]
    Engine(#[from] NoContest),
    /// Results cannot be read or kept.
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
        // Few whole numbers are not tried twice.
        assert_eq!(Space::read("star2ss(width=1..3)").unwrap().spread(8).len(), 3);
        let two = Space::read("mcts(c=1..100,dr=0..10)").unwrap().spread(16);
        assert_eq!(two.len(), 16);
    }

    #[test]
    fn spsa_finds_the_better_end() {
        // The target is where to hold, and more is better up to about 20.
        let space = Space::read("hold-at(n=2..20)").unwrap();
        let pairing = space.pairing("pig(dice=1,target=60)", Budget::default());
        let spsa = Spsa { parameters: 1, pairing: &*pairing, steps: 30, pairs: 40, seed: 1 };
        let end = spsa.run(&mut Memory::new(Clock::start()), |_, _, _| {}).unwrap().unwrap();
        assert!(end[0] > 0.7, "{end:?}");
    }
}
