//! How often a search decides right, in trees of which it is known what is right (*Understanding Sampling-Based
//! Adversarial Search*, chapter 5).

use crate::contest::{Maker, NoContest, maker};
use crate::work::{Aside, Work, Worker};
use astragal_catalog::{AnyGame, Engine};
use astragal_core::{Budget, Interval, Sampler, Watch};
use astragal_stats::{LEVEL, wilson};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The decisions of an engine at the roots of many trees. A unit is a tree.
pub struct Accuracy {
    game: Arc<dyn AnyGame>,
    make: Maker,
    budget: Budget,
    /// Who sets the number of simulations.
    pace: Option<Maker>,
    seed: u64,
}

/// The decision at a root.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Decided {
    /// Whether it was right.
    pub right: bool,
    /// The value that the search gave the root.
    pub value: f64,
    /// The nodes that it visited.
    pub nodes: u64,
}

/// What identifies such decisions.
#[derive(Serialize)]
struct Identity<'a> {
    game: &'a str,
    engine: String,
    budget: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pace: Option<String>,
    seed: u64,
}

impl Accuracy {
    /// The decisions of an engine in trees of a game, which are its starts by lot.
    ///
    /// # Errors
    /// If the game does not know what is right, or there is no such engine, or it needs another budget.
    pub fn new(game: Arc<dyn AnyGame>, engine: &str, budget: Budget, seed: u64) -> Result<Self, NoContest> {
        let name = game.info().name;
        let knows = game.deal(0).is_some_and(|root| root.known_best().is_some());
        if !knows {
            return Err(NoContest(format!(
                "'{}' does not know which action is best at its root, so decisions cannot be judged",
                game.spec()
            )));
        }
        let make = maker(&game, engine)?;
        let made = make();
        if budget.is_unlimited() && made.is_endless() {
            let engine = made.info().name;
            return Err(NoContest(format!("'{engine}' needs a budget in {name}, or a depth of its own")));
        }
        let mut budget = budget;
        if !made.heeds().is_empty() && !budget.is_unlimited() {
            let refused = |error| NoContest(format!("'{}' has {error}", made.info().name));
            match budget.check(made.heeds()).map_err(refused) {
                Ok(()) => {}
                // An engine with a depth of its own needs no budget that is for others.
                Err(_) if !made.is_endless() => budget = Budget::default(),
                Err(error) => return Err(error),
            }
        }
        Ok(Self { game, make, budget, pace: None, seed })
    }

    /// The decisions of a tree search which, in each tree, has as many simulations as another engine visits
    /// nodes there.
    ///
    /// # Errors
    /// As [`Accuracy::new`]; and if the other engine has no depth of its own.
    pub fn paced(game: Arc<dyn AnyGame>, engine: &str, pace: &str, seed: u64) -> Result<Self, NoContest> {
        let set = Self::new(Arc::clone(&game), pace, Budget::default(), seed)?;
        let paced = Self::new(game, engine, Budget { iterations: Some(1), ..Budget::default() }, seed)?;
        Ok(Self { pace: Some(set.make), ..paced })
    }

    /// The complete spec of the engine.
    #[must_use]
    pub fn engine(&self) -> String {
        (self.make)().spec().to_string()
    }

    fn decide(&self, engine: &mut dyn Engine, number: u64, watch: &mut dyn Watch) -> Option<Decided> {
        let root = self.game.deal(self.seed.wrapping_add(number)).expect("it was checked");
        let seed = Sampler::new(self.seed).draw(number, 0, 0);
        let mut budget = if engine.heeds().is_empty() { Budget::default() } else { self.budget };
        if let Some(pace) = &self.pace {
            let nodes = pace().analyze(&*root, seed, &Budget::default(), watch).counts.nodes;
            budget.iterations = Some(nodes);
        }
        let found = engine.analyze(&*root, seed, &budget, watch);
        if watch.cancelled() {
            return None;
        }
        Some(Decided {
            right: found.best == root.known_best(),
            value: found.value,
            nodes: found.counts.nodes,
        })
    }
}

impl Work for Accuracy {
    fn kind(&self) -> &'static str {
        "accuracy"
    }

    fn text(&self) -> String {
        let (game, engine, budget) = (self.game.spec(), self.engine(), self.budget.to_string());
        let pace = self.pace.as_ref().map(|pace| pace().spec().to_string());
        let identity = Identity { game, engine, budget, pace, seed: self.seed };
        serde_json::to_string(&identity).expect("text and numbers")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new((self, (self.make)()))
    }
}

impl Worker for (&Accuracy, Box<dyn Engine>) {
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let (accuracy, engine) = self;
        let decided = accuracy.decide(&mut **engine, number, watch)?;
        Some((serde_json::to_string(&decided).expect("numbers"), Box::new(())))
    }
}

/// The share of right decisions, with its 95 % interval; none without trees.
#[must_use]
pub fn accuracy(decided: &[Decided]) -> Option<(f64, Interval)> {
    let (right, all) = (decided.iter().filter(|one| one.right).count() as f64, decided.len() as f64);
    (all > 0.0).then(|| (right / all, wilson(right, all, LEVEL)))
}
