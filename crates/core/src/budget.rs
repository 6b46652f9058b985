//! Budgets: how much work a search may do, and which limits it heeds.

use crate::{ReadError, SpecError};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How much work a search may do. An empty field is no limit; a search ends at the first limit that it
/// reaches.
///
/// `Budget::default()` is therefore no limit at all: a search with it ends only when it has seen every line
/// of play to its end or reached a limit of its own, which for most games is never. Start with
/// [`Budget::depth`], [`Budget::nodes`], [`Budget::iterations`] or [`Budget::time`].
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Decisions to look ahead, at least one. Chance is free: it is always resolved.
    pub depth: Option<u32>,
    /// States to visit.
    pub nodes: Option<u64>,
    /// Simulations to run, for searches that count them.
    pub iterations: Option<u64>,
    /// Time, as measured by the watch; in JSON, `time_s` in seconds.
    #[cfg_attr(feature = "serde", serde(rename = "time_s", serialize_with = "seconds"))]
    pub time: Option<Duration>,
}

impl Budget {
    /// A budget of this many decisions only.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A budget of this many states only.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A budget of this many simulations only.
    #[must_use]
    pub fn iterations(iterations: u64) -> Self {
        Self { iterations: Some(iterations), ..Self::default() }
    }

    /// A budget of this time only.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Refuses a limit that is not in the list.
    ///
    /// # Errors
    /// If there is such a limit.
    pub fn check(&self, heeded: &'static [Limit]) -> Result<(), Unheeded> {
        let given = [
            (Limit::Depth, self.depth.is_some()),
            (Limit::Nodes, self.nodes.is_some()),
            (Limit::Iterations, self.iterations.is_some()),
            (Limit::Time, self.time.is_some()),
        ];
        match given.iter().find(|(limit, given)| *given && !heeded.contains(limit)) {
            None => Ok(()),
            Some(&(limit, _)) => Err(Unheeded { limit, heeded }),
        }
    }

    /// Refuses a limit too small for any search.
    ///
    /// # Errors
    /// If there is such a limit.
    pub fn check_least(&self) -> Result<(), SpecError> {
        if self.nodes == Some(0) || self.iterations == Some(0) || self.depth == Some(0) {
            return Err(SpecError("a budget must be at least 1".into()));
        }
        if self.time.is_some_and(|time| time < Duration::from_micros(1)) {
            return Err(SpecError("a time budget must be at least a microsecond".into()));
        }
        Ok(())
    }

    /// Whether nothing is limited.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }
}

/// Writes one line, such as `nodes=1000` or `depth=4,time=200000us`; `none` if there is no limit.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, nodes, iterations, time } = self;
        let parts = [
            depth.map(|depth| format!("depth={depth}")),
            nodes.map(|nodes| format!("nodes={nodes}")),
            iterations.map(|iterations| format!("iterations={iterations}")),
            time.map(|time| format!("time={}us", time.as_micros())),
        ];
        let given: Vec<String> = parts.into_iter().flatten().collect();
        if given.is_empty() { f.write_str("none") } else { f.write_str(&given.join(",")) }
    }
}

/// Parses `nodes=1000` or `depth=4,time=200ms`; times as in [`read_time`].
impl FromStr for Budget {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let wrong = || ReadError {
            what: "budget",
            given: text.into(),
            why: "expected limits such as nodes=1000 or depth=4,time=200ms".into(),
        };
        let mut budget = Self::default();
        if text == "none" {
            return Ok(budget);
        }
        for part in text.split(',') {
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let number = |text: &str| text.parse().map_err(|_| wrong());
            let value = value.trim();
            let repeated = match name.trim() {
                "depth" => budget.depth.replace(value.parse().map_err(|_| wrong())?).is_some(),
                "nodes" => budget.nodes.replace(number(value)?).is_some(),
                "iterations" => budget.iterations.replace(number(value)?).is_some(),
                "time" => budget.time.replace(read_time(value).ok_or_else(wrong)?).is_some(),
                _ => true,
            };
            if repeated {
                return Err(wrong());
            }
        }
        Ok(budget)
    }
}

/// Parses a time such as `200ms`, `1.5s` or `2m`; the units are `us`, `ms`, `s`, `m` or `min`, and `h`.
#[must_use]
pub fn read_time(text: &str) -> Option<Duration> {
    const UNITS: [(&str, f64); 6] =
        [("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];
    let (number, seconds) =
        UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))?;
    let number = number.trim();
    // Whole microseconds are read exactly.
    match number.parse() {
        Ok(whole) if text.ends_with("us") => Some(Duration::from_micros(whole)),
        _ => Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok(),
    }
}

#[cfg(feature = "serde")]
fn seconds<S: serde::Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&time.map(|time| time.as_secs_f64()), serializer)
}

/// A limit of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Budget::depth`].
    Depth,
    /// [`Budget::nodes`].
    Nodes,
    /// [`Budget::iterations`].
    Iterations,
    /// [`Budget::time`].
    Time,
}

impl Limit {
    /// The limits of an iterative-deepening search.
    pub const DEEPENING: &'static [Self] = &[Self::Depth, Self::Nodes, Self::Time];
    /// The limits of a simulation-based search.
    pub const SIMULATING: &'static [Self] = &[Self::Iterations, Self::Nodes, Self::Time];

    /// The name, as in the options of the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Iterations => "iterations",
            Self::Time => "time",
        }
    }
}

/// A limit that a search does not heed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unheeded {
    /// The limit.
    pub limit: Limit,
    /// The limits that it heeds.
    pub heeded: &'static [Limit],
}

impl fmt::Display for Unheeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heeded: Vec<&str> = self.heeded.iter().map(|limit| limit.name()).collect();
        write!(f, "no support for a limit on {}; ", self.limit.name())?;
        match heeded.is_empty() {
            true => f.write_str("it needs no budget"),
            false => write!(f, "its limits are: {}", heeded.join(", ")),
        }
    }
}

impl std::error::Error for Unheeded {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_as_they_are_written() {
        let time = |micros| Budget::time(Duration::from_micros(micros));
        let many = Budget { depth: Some(3), iterations: Some(7), ..time(9_007_199_254_740_993) };
        for budget in [Budget::default(), Budget::nodes(u64::MAX), time(1), many] {
            assert_eq!(budget.to_string().parse(), Ok(budget), "{budget}");
        }
        assert_eq!("depth=4, time=1.5s".parse(), Ok(Budget { depth: Some(4), ..time(1_500_000) }));
        assert_eq!("time=200ms".parse(), Ok(time(200_000)));
        assert_eq!("time=2m".parse(), Ok(time(120_000_000)));
        for (text, seconds) in [("0.5 min", 30), ("1h", 3600), ("2e3ms", 2), ("1e7us", 10)] {
            assert_eq!(read_time(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for wrong in
            ["", "5", "nodes", "nodes=", "nodes=-1", "moves=3", "time=5", "time=-1s", "nodes=1,nodes=2"]
        {
            assert!(wrong.parse::<Budget>().is_err(), "{wrong}");
        }
    }
}
