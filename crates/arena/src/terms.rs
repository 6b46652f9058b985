//! The terms of a match beyond the game, the start and the budgets.

use crate::contest::NoContest;
use astragal_catalog::{Analysis, Engine, Position, Twig};
use astragal_core::{Budget, Counts, EngineInfo, Limit, SpecError, Watch};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The terms of a match.
#[derive(Clone, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Terms {
    /// Number of random decisions in the opening.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening: u32,
    /// Whether each pair begins at a random start, dealt by the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deal: bool,
    /// The positions from which pairs begin, in turn and cyclically.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<String>,
    /// Whether the first engine gets, at each position, as many simulations or nodes as the second visits
    /// there (thesis, section 3.2.2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub match_nodes: bool,
    /// The player that finishes the games for both sides (thesis, section 4.4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Terms {
    /// Terms with this many random decisions in the opening, and nothing else.
    #[must_use]
    pub fn opening(decisions: u32) -> Self {
        Self { opening: decisions, ..Self::default() }
    }
}

/// The terms that differ from the defaults, as the command prints them; nothing if none does.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opening = (self.opening > 0).then(|| format!("opening {}", self.opening));
        let deal = self.deal.then(|| "deal".into());
        let starts = (!self.starts.is_empty()).then(|| format!("{} starts", self.starts.len()));
        let matched = self.match_nodes.then(|| "match-nodes".into());
        let finish = self.finish.as_ref().map(|finish| format!("finish {finish}"));
        let given: Vec<String> = [opening, deal, starts, matched, finish].into_iter().flatten().collect();
        f.write_str(&given.join(", "))
    }
}

/// A third player that finishes the games: `after=14:alpha-beta(depth=16)`, after this many decisions, or
/// `endings=0.003:alpha-beta(depth=16)`, once the ratio of finished games to unfinished states among those
/// that the second engine visits exceeds this threshold.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Finish {
    /// The moment, as written.
    text: String,
    /// The spec of the player.
    pub engine: String,
}

/// When a third player takes over.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    After(u32),
    Endings(f64),
}

impl Finish {
    fn when(&self) -> Option<When> {
        match self.text.split_once('=')? {
            ("after", number) => number.parse().ok().map(When::After),
            ("endings", share) => {
                share.parse().ok().filter(|share| (0.0..=1.0).contains(share)).map(When::Endings)
            }
            _ => None,
        }
    }

    /// Whether the third player takes over after this many decisions. `second` is the work of the last
    /// decision, if the second engine made it.
    pub(crate) fn begins(&self, decisions: u32, second: Option<&Counts>) -> bool {
        match self.when().expect("it was read") {
            When::After(number) => decisions >= number,
            When::Endings(share) => second.is_some_and(|counts| {
                counts.finished as f64 > share * counts.nodes.saturating_sub(counts.finished) as f64
            }),
        }
    }
}

impl fmt::Display for Finish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.text, self.engine)
    }
}

impl FromStr for Finish {
    type Err = NoContest;

    fn from_str(text: &str) -> Result<Self, NoContest> {
        let read = |(text, engine): (&str, &str)| {
            let finish = Self { text: text.trim().into(), engine: engine.trim().into() };
            finish.when().map(|_| finish)
        };
        text.split_once(':').and_then(read).ok_or_else(|| {
            let text = text.escape_debug();
            NoContest(format!("'{text}' is not a finish: expected after=14:ENGINE or endings=0.003:ENGINE"))
        })
    }
}

impl TryFrom<String> for Finish {
    type Error = NoContest;

    fn try_from(text: String) -> Result<Self, NoContest> {
        text.parse()
    }
}

impl From<Finish> for String {
    fn from(finish: Finish) -> Self {
        finish.to_string()
    }
}

/// An engine that gets, at each position, as many simulations or nodes as another engine visits there.
pub(crate) struct Follower {
    engine: Box<dyn Engine>,
    leader: Box<dyn Engine>,
    /// The budget of the leader.
    budget: Budget,
}

impl Follower {
    /// An engine that follows this leader, which has this budget.
    ///
    /// # Errors
    /// If the engine heeds neither iterations nor nodes.
    pub(crate) fn new(
        engine: Box<dyn Engine>,
        leader: Box<dyn Engine>,
        budget: Budget,
    ) -> Result<Self, NoContest> {
        if Self::limit(engine.heeds()).is_none() {
            let name = engine.info().name;
            return Err(NoContest(format!(
                "'{name}' heeds neither iterations nor nodes, so none can be matched"
            )));
        }
        Ok(Self { engine, leader, budget })
    }

    /// The limit to match: a simulation adds one node to a tree.
    fn limit(heeds: &[Limit]) -> Option<fn(u64) -> Budget> {
        if heeds.contains(&Limit::Iterations) {
            Some(Budget::iterations)
        } else {
            heeds.contains(&Limit::Nodes).then_some(Budget::nodes)
        }
    }
}

impl Engine for Follower {
    fn spec(&self) -> &str {
        self.engine.spec()
    }

    fn info(&self) -> &'static EngineInfo {
        self.engine.info()
    }

    fn heeds(&self) -> &'static [Limit] {
        &[]
    }

    fn is_endless(&self) -> bool {
        false
    }

    fn check_start(&self, position: &dyn Position) -> Result<(), SpecError> {
        self.leader.check_start(position)?;
        self.engine.check_start(position)
    }

    fn analyze(
        &mut self,
        position: &dyn Position,
        seed: u64,
        _budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Analysis {
        let led = self.leader.analyze(position, seed, &self.budget, watch).counts.nodes;
        let budget = Self::limit(self.engine.heeds()).expect("it was checked")(led.max(1));
        self.engine.analyze(position, seed, &budget, watch)
    }

    fn tree(&self, depth: u32, visits: u64) -> Option<Twig> {
        self.engine.tree(depth, visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finish_is_read_as_it_is_written() {
        for text in ["after=14:alpha-beta(depth=16)", "endings=0.003:random"] {
            assert_eq!(text.parse::<Finish>().unwrap().to_string(), text);
        }
        for wrong in ["", "random", "after:random", "after=-1:random", "endings=2:random", "at=3:random"] {
            assert!(wrong.parse::<Finish>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_finish_begins_after_decisions_or_endings() {
        let after: Finish = "after=3:random".parse().unwrap();
        assert_eq!([2, 3, 4].map(|decisions| after.begins(decisions, None)), [false, true, true]);
        let endings: Finish = "endings=0.01:random".parse().unwrap();
        let counts = |finished| Counts { nodes: 1010, finished, ..Counts::default() };
        assert!(!endings.begins(99, None) && !endings.begins(99, Some(&counts(10))));
        assert!(endings.begins(0, Some(&counts(11))));
    }

    #[test]
    fn terms_that_say_nothing_are_nothing() {
        assert_eq!(serde_json::to_string(&Terms::default()).unwrap(), "{}");
        assert_eq!(Terms::default().to_string(), "");
        let terms = Terms {
            opening: 2,
            deal: true,
            starts: vec!["a".into(), "b".into()],
            match_nodes: true,
            finish: Some("after=1:random".parse().unwrap()),
        };
        let text = serde_json::to_string(&terms).unwrap();
        assert_eq!(serde_json::from_str::<Terms>(&text).unwrap(), terms);
        assert_eq!(terms.to_string(), "opening 2, deal, 2 starts, match-nodes, finish after=1:random");
    }
}
