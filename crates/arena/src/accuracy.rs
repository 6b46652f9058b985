//! How often a search decides correctly, in trees whose correct decision is known (*Understanding
//! Sampling-Based Adversarial Search*, chapter 5).

use crate::budget::budget_among;
use crate::contest::{Maker, NoContest, maker};
use crate::work::{Aside, Work, Worker};
use astragal_catalog::{AnyGame, Engine};
use astragal_core::{Budget, Sampler, Watch};
use astragal_stats::{Estimate, LEVEL, Running, wilson};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The decisions of an engine at the roots of many trees. Each tree is one unit.
pub struct Accuracy {
    game: Arc<dyn AnyGame>,
    make: Maker,
    budget: Budget,
    /// The engine that sets the number of simulations.
    pace: Option<Maker>,
    seed: u64,
}

/// The decision at a root.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Decided {
    /// Whether it was correct.
    pub right: bool,
    /// The root value that the search reported.
    pub value: f64,
    /// The nodes that the search visited.
    pub nodes: u64,
}

/// What identifies a set of decisions.
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
    /// The decisions of an engine in the trees of a game: its random starts.
    ///
    /// # Errors
    /// If the game does not know the correct action, there is no such engine, or it needs another budget.
    pub fn new(game: Arc<dyn AnyGame>, engine: &str, budget: Budget, seed: u64) -> Result<Self, NoContest> {
        let knows = game.deal(0).is_some_and(|root| root.known_best().is_some());
        if !knows {
            return Err(NoContest(format!(
                "'{}' has no known unique best action at its root, so decisions cannot be judged",
                game.spec()
            )));
        }
        let make = maker(&game, engine)?;
        let made = make();
        let budget = match budget_among(&*made, budget) {
            // An engine with its own depth limit needs no budget meant for others.
            Err(_) if !made.is_endless() => Budget::default(),
            agreed => agreed?,
        };
        Ok(Self { game, make, budget, pace: None, seed })
    }

    /// The decisions of a tree search that gets, in each tree, as many simulations as another engine visits
    /// nodes there.
    ///
    /// # Errors
    /// As [`Accuracy::new`]; also if the other engine has no depth of its own.
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

/// The share of correct decisions with its confidence interval; none without trees.
#[must_use]
pub fn accuracy(decided: &[Decided]) -> Option<Estimate> {
    let (right, all) = (decided.iter().filter(|one| one.right).count() as f64, decided.len() as f64);
    let (mean, interval) = (right / all, wilson(right, all.max(1.0), LEVEL));
    let error = (mean * (1.0 - mean) / all).sqrt();
    (all > 0.0).then_some(Estimate { mean, lo: interval.lo, hi: interval.hi, error })
}

/// How much more often one engine is correct than another in the same trees, at a level of confidence.
#[must_use]
pub fn lead(one: &[Decided], other: &[Decided], level: f64) -> Estimate {
    let gain = |(one, other): (&Decided, &Decided)| as_number(one) - as_number(other);
    one.iter().zip(other).map(gain).collect::<Running>().estimate(level)
}

/// The pathology index: 1 minus the ratio of a shallow search's correct decisions to a deep one's in the same
/// trees. Below 0, searching deeper hurts. None if the deep search is never correct.
#[must_use]
pub fn pathology(shallow: &[Decided], deep: &[Decided]) -> Option<Estimate> {
    let mean = |all: &[Decided]| all.iter().map(as_number).collect::<Running>().mean();
    let (above, below) = (mean(shallow), mean(deep));
    if below.is_nan() || below <= 0.0 {
        return None;
    }
    // To first order, the ratio of two means varies as the mean of these differences.
    let ratio = above / below;
    let moved = shallow.iter().zip(deep).map(|(s, d)| (as_number(s) - ratio * as_number(d)) / below);
    let spread = moved.collect::<Running>().estimate(LEVEL);
    let mean = 1.0 - ratio;
    Some(Estimate { mean, lo: mean + spread.lo - spread.mean, hi: mean + spread.hi - spread.mean, ..spread })
}

fn as_number(decided: &Decided) -> f64 {
    f64::from(u8::from(decided.right))
}

/// How one engine compares with another across a parameter sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dominance {
    /// It is ahead somewhere, and behind nowhere.
    Dominates,
    /// It is behind somewhere, and ahead nowhere.
    Dominated,
    /// It is ahead somewhere and behind elsewhere.
    Mixed,
    /// It is neither ahead nor behind anywhere, as far as this many trees can show.
    Open,
}

/// How one engine compares with another across a parameter sweep, given its lead at each value. An engine is
/// ahead where its interval lies above 0; use [`joint`] intervals, so that at most one in twenty verdicts is
/// wrong.
#[must_use]
pub fn dominance(leads: &[Estimate]) -> Dominance {
    let ahead = leads.iter().any(|lead| lead.lo > 0.0);
    let behind = leads.iter().any(|lead| lead.hi < 0.0);
    match (ahead, behind) {
        (true, false) => Dominance::Dominates,
        (false, true) => Dominance::Dominated,
        (true, true) => Dominance::Mixed,
        (false, false) => Dominance::Open,
    }
}

/// The level of each of this many intervals for them to have the usual level jointly.
#[must_use]
pub fn joint(intervals: usize) -> f64 {
    1.0 - (1.0 - LEVEL) / intervals.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(rights: &[bool]) -> Vec<Decided> {
        rights.iter().map(|&right| Decided { right, value: 0.0, nodes: 1 }).collect()
    }

    /// Results over this many trees; the engine is correct in the first `right` of every ten.
    fn of_ten(right: usize, trees: usize) -> Vec<Decided> {
        decided(&(0..trees).map(|at| at % 10 < right).collect::<Vec<_>>())
    }

    #[test]
    fn judgements_follow_the_decisions() {
        let (poor, good) = (of_ten(4, 1000), of_ten(5, 1000));
        assert_eq!(accuracy(&[]), None);
        assert_eq!(accuracy(&good).unwrap().mean, 0.5);
        let ahead = lead(&good, &poor, LEVEL);
        assert!((ahead.mean - 0.1).abs() < 1e-12 && ahead.lo > 0.0);
        let index = pathology(&poor, &good).unwrap();
        assert!((index.mean - 0.2).abs() < 1e-12 && index.lo > 0.0 && index.hi < 0.3, "{index:?}");
        let index = pathology(&good, &poor).unwrap();
        assert!((index.mean + 0.25).abs() < 1e-12 && index.hi < 0.0, "{index:?}");
        assert_eq!(pathology(&good, &of_ten(0, 1000)), None);
    }

    #[test]
    fn the_index_varies_as_its_interval_says() {
        // Independent decisions, correct in 40 and 60 of 100: counts the intervals that cover the true index.
        let mut covered = 0;
        for run in 0..400 {
            let drawn = |salt: u32, share: f64| {
                let right = |at: u64| Sampler::new(run).draw(at, salt, 0) as f64 / 2.0_f64.powi(64) < share;
                decided(&(0..300).map(right).collect::<Vec<_>>())
            };
            let index = pathology(&drawn(1, 0.4), &drawn(2, 0.6)).unwrap();
            covered += u32::from(index.contains(1.0 / 3.0));
        }
        // 380 are expected, with a standard deviation of 4.4.
        assert!((362..=397).contains(&covered), "{covered}");
    }

    #[test]
    fn an_engine_dominates_if_it_is_nowhere_behind() {
        let at = |mean: f64| Estimate { mean, lo: mean - 0.1, hi: mean + 0.1, error: 0.05 };
        assert_eq!(dominance(&[at(0.05), at(0.2)]), Dominance::Dominates);
        assert_eq!(dominance(&[at(0.05), at(-0.2)]), Dominance::Dominated);
        assert_eq!(dominance(&[at(0.2), at(-0.2)]), Dominance::Mixed);
        assert_eq!(dominance(&[at(0.05), at(-0.05)]), Dominance::Open);
        assert_eq!((joint(0), joint(1)), (LEVEL, LEVEL));
        assert!((joint(5) - 0.99).abs() < 1e-12);
    }
}
