//! Tournaments from a plan: everybody against everybody, the first against all others, or elimination.
//!
//! A tournament is nothing but matches whose pairs are kept in a store, so it can be killed at any moment,
//! done by several processes in shards, and merged. The tables are made from the store alone.

use crate::budget::budget_text;
use crate::contest::{Contest, NoContest, PairRow, Standing};
use crate::plan::{PlanError, read_seed};
use crate::run::{Crew, Finished, Share, Work};
use crate::stats::{LEVEL, Ratings, Table as RatingTable};
use crate::store::{Store, StoreError};
use astragal_catalog::{Spec, engine_info};
use astragal_core::{Budget, Sampler};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two meet.
    Match,
    /// Everybody meets everybody.
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Neighbours meet, and the winners go on until one is left: how the MCMS paper tuned its players.
    Elimination,
}

/// The most pairs of a match.
pub const MOST_PAIRS: u64 = 100_000_000;

/// A plan as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    game: String,
    #[serde(default)]
    position: Option<String>,
    kind: Kind,
    engines: Vec<EnginePlan>,
    pairs: u64,
    #[serde(default, deserialize_with = "read_seed")]
    seed: u64,
    #[serde(default)]
    opening: u32,
    budget: Option<BudgetPlan>,
}

/// An engine of a plan: its spec, or a table that may give it a budget of its own.
#[derive(Debug)]
struct EnginePlan(EngineTable);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineTable {
    engine: String,
    budget: Option<BudgetPlan>,
}

impl<'de> Deserialize<'de> for EnginePlan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SpecOrTable;
        impl<'de> Visitor<'de> for SpecOrTable {
            type Value = EnginePlan;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an engine's spec, or { engine = \"spec\", budget = { nodes = 1000 } }")
            }
            fn visit_str<E>(self, spec: &str) -> Result<EnginePlan, E> {
                Ok(EnginePlan(EngineTable { engine: spec.into(), budget: None }))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EnginePlan, A::Error> {
                EngineTable::deserialize(MapAccessDeserializer::new(map)).map(EnginePlan)
            }
        }
        deserializer.deserialize_any(SpecOrTable)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BudgetPlan {
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    milliseconds: Option<f64>,
}

/// A tournament, configured and checked.
pub struct Tournament {
    /// Who meets whom.
    pub kind: Kind,
    /// The game, in full.
    pub game: String,
    /// The engines, in full.
    pub engines: Vec<String>,
    /// The engines as they were written.
    pub labels: Vec<String>,
    /// Pairs of a match.
    pub pairs: u64,
    position: Option<String>,
    /// The budget of a decision of each engine.
    budgets: Vec<Budget>,
    opening: u32,
    seed: u64,
}

/// A match of a tournament.
pub struct Bout {
    /// The engines, by their places.
    pub players: [usize; 2],
    contest: Contest,
}

/// What a match of a tournament has shown.
pub struct BoutResult {
    /// The engines, by their places.
    pub players: [usize; 2],
    /// The round, from 1 on.
    pub round: usize,
    /// What it showed, from the side of the first.
    pub standing: Standing,
}

/// A finished tournament.
pub struct Final {
    /// All matches.
    pub bouts: Vec<BoutResult>,
    /// Ratings in Elo.
    pub ratings: Ratings,
    /// The places of the engines, the best first: the winner of an elimination is first.
    pub order: Vec<usize>,
}

/// How far a tournament has come.
pub struct Progress {
    /// Pairs of the share that were finished, of this stage.
    pub done: u64,
    /// Pairs of the share, of this stage.
    pub all: u64,
    /// The round, from 1 on.
    pub round: usize,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All is done.
    Complete,
    /// It was stopped.
    Stopped,
    /// The rest needs results of other shards: of this round.
    Waits(usize),
}

/// Does all that can be done in several tournaments, their rounds side by side, and tells of every pair.
///
/// # Errors
/// If the store fails.
pub fn run(
    tournaments: &[&Tournament],
    crew: &Crew<'_>,
    store: &mut Store,
    mut seen: impl FnMut(&Progress, &Finished<'_>),
) -> Result<End, StoreError> {
    // Rounds of each tournament when this share of all open ones was done the last time.
    let mut before: Option<Vec<usize>> = None;
    loop {
        let mut rounds = Vec::new();
        let mut open: Vec<(&Tournament, Vec<Bout>)> = Vec::new();
        for tournament in tournaments {
            let next = tournament.open(store)?;
            rounds.push(next.as_ref().map_or(usize::MAX, |(round, _)| *round));
            open.extend(next.map(|(_, bouts)| (*tournament, bouts)));
        }
        let Some(&round) = rounds.iter().min().filter(|_| !open.is_empty()) else { return Ok(End::Complete) };
        if before.as_ref() == Some(&rounds) {
            return Ok(End::Waits(round));
        }
        let mut works: Vec<(&dyn Work, u64)> = Vec::new();
        for (tournament, bouts) in &open {
            works.extend(bouts.iter().map(|bout| (&bout.contest as &dyn Work, tournament.pairs)));
        }
        let Share { done, all, .. } = crew.share(&works, store)?;
        let mut progress = Progress { done, all, round };
        let whole = crew.run(&works, store, |unit| {
            progress.done += 1;
            seen(&progress, &unit);
            ControlFlow::Continue(())
        })?;
        if !whole {
            return Ok(End::Stopped);
        }
        before = Some(rounds);
    }
}

impl BudgetPlan {
    fn read(self) -> Result<Budget, NoContest> {
        let Self { depth, nodes, iterations, milliseconds } = self;
        let time = milliseconds.map(|ms| Duration::try_from_secs_f64(ms / 1e3)).transpose();
        let time = time.map_err(|_| NoContest("milliseconds must be a positive number".into()))?;
        Ok(Budget { depth, nodes, iterations, time })
    }
}

impl Tournament {
    /// Reads a plan in TOML.
    ///
    /// # Errors
    /// If it is not one, or an engine or budget in it is not right.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        let plan: Plan = toml::from_str(text)?;
        let common = plan.budget.map(BudgetPlan::read).transpose()?.unwrap_or_default();
        let (mut engines, mut labels, mut budgets) = (Vec::new(), Vec::new(), Vec::new());
        for EnginePlan(EngineTable { engine: spec, budget }) in plan.engines {
            let own = budget.map(BudgetPlan::read).transpose()?;
            if let Some(own) = &own {
                let name = Spec::parse(&spec).map_err(NoContest::from)?.name;
                engine_info(&name).and_then(|info| info.check_budget(own)).map_err(NoContest::from)?;
            }
            labels.push(own.map_or(spec.clone(), |own| format!("{spec} {}", budget_text(&own))));
            budgets.push(own.unwrap_or(common));
            engines.push(spec);
        }
        let tournament = Self {
            kind: plan.kind,
            game: plan.game,
            labels,
            engines,
            pairs: plan.pairs,
            position: plan.position,
            budgets,
            opening: plan.opening,
            seed: plan.seed,
        };
        Ok(tournament.checked()?)
    }

    /// A tournament of these engines.
    ///
    /// # Errors
    /// If an engine or the budget is not right.
    pub fn new(
        kind: Kind,
        game: &str,
        engines: Vec<String>,
        pairs: u64,
        budget: Budget,
        seed: u64,
    ) -> Result<Self, NoContest> {
        let game = game.into();
        let labels = engines.clone();
        let budgets = vec![budget; engines.len()];
        Self { kind, game, engines, labels, pairs, position: None, budgets, opening: 0, seed }.checked()
    }

    fn checked(mut self) -> Result<Self, NoContest> {
        if self.engines.len() < 2 {
            return Err(NoContest("a tournament needs at least two engines".into()));
        }
        if self.kind == Kind::Match && self.engines.len() > 2 {
            return Err(NoContest(
                "a match is between two engines; more of them meet in a round-robin".into(),
            ));
        }
        if !(1..=MOST_PAIRS).contains(&self.pairs) {
            return Err(NoContest(format!("a match has 1 to {MOST_PAIRS} pairs, not {}", self.pairs)));
        }
        for budget in &self.budgets {
            if budget.nodes == Some(0) || budget.iterations == Some(0) || budget.depth == Some(0) {
                return Err(NoContest("a budget is at least 1".into()));
            }
            if budget.time.is_some_and(|time| time < Duration::from_micros(1)) {
                return Err(NoContest("a budget in time is at least a microsecond".into()));
            }
        }
        for at in 0..self.engines.len() {
            // Engines such as `random` take none; any other would search for ever without.
            let name = Spec::parse(&self.engines[at])?.name;
            if self.budgets[at].is_unlimited() && !engine_info(&name)?.budgets.is_empty() {
                let form = "a budget a decision, such as nodes = 1000";
                return Err(NoContest(format!("'{}' needs {form}", self.engines[at])));
            }
            let contest = self.contest([at, at], self.seed)?;
            self.engines[at].clone_from(&contest.engines()[0]);
            contest.game().spec().clone_into(&mut self.game);
        }
        let players: Vec<(&String, &Budget)> = self.engines.iter().zip(&self.budgets).collect();
        if let Some((_, (engine, _))) =
            players.iter().enumerate().find(|(at, player)| players[..*at].contains(player))
        {
            return Err(NoContest(format!("'{engine}' is there twice")));
        }
        Ok(self)
    }

    fn contest(&self, players: [usize; 2], seed: u64) -> Result<Contest, NoContest> {
        let engines = players.map(|at| self.engines[at].as_str());
        let budgets = players.map(|at| self.budgets[at]);
        Contest::new(&self.game, self.position.as_deref(), engines, budgets, self.opening, seed)
    }

    fn bout(&self, players: [usize; 2], round: usize) -> Bout {
        let seed = self.bout_seed(players, round);
        Bout { players, contest: self.contest(players, seed).expect("engines that were checked") }
    }

    /// The seed of a bout. Every bout of every round has dice of its own: the winner of a round must not be
    /// tested on the dice that chose it, and ratings count meetings as independent. A single match has the
    /// seed itself.
    fn bout_seed(&self, players: [usize; 2], round: usize) -> u64 {
        match self.kind {
            Kind::Match => self.seed,
            _ => {
                let [first, second] = players.map(|at| at as u64);
                Sampler::new(self.seed).draw(first << 32 | second, round as u32, 0)
            }
        }
    }

    /// Does all that can be done, and tells of every pair.
    ///
    /// # Errors
    /// If the store fails.
    pub fn run(
        &self,
        crew: &Crew<'_>,
        store: &mut Store,
        seen: impl FnMut(&Progress, &Finished<'_>),
    ) -> Result<End, StoreError> {
        run(&[self], crew, store, seen)
    }

    /// The first round that is not finished, and its matches; none if all are.
    fn open(&self, store: &mut Store) -> Result<Option<(usize, Vec<Bout>)>, StoreError> {
        let mut survivors: Vec<usize> = (0..self.engines.len()).collect();
        for round in 1.. {
            let bouts = self.round(&survivors, round);
            let Some(winners) = self.winners(&survivors, &bouts, store)? else {
                return Ok(Some((round, bouts)));
            };
            if self.kind != Kind::Elimination || winners.len() == 1 {
                break;
            }
            survivors = winners;
        }
        Ok(None)
    }

    /// The matches of a round between those who are left.
    fn round(&self, left: &[usize], round: usize) -> Vec<Bout> {
        let players: Vec<[usize; 2]> = match self.kind {
            Kind::RoundRobin => {
                let ends = |&a: &usize| left.iter().filter(move |&&b| b > a).map(move |&b| [a, b]);
                left.iter().flat_map(ends).collect()
            }
            Kind::Match | Kind::Gauntlet => left[1..].iter().map(|&other| [left[0], other]).collect(),
            Kind::Elimination => left.chunks_exact(2).map(|two| [two[0], two[1]]).collect(),
        };
        players.into_iter().map(|players| self.bout(players, round)).collect()
    }

    /// Who goes on after a round; none if it is not finished. Of two equals the first goes on, and who has no
    /// opponent.
    fn winners(
        &self,
        left: &[usize],
        bouts: &[Bout],
        store: &mut Store,
    ) -> Result<Option<Vec<usize>>, StoreError> {
        let mut winners = Vec::new();
        for bout in bouts {
            let rows = results(store, bout, self.pairs)?;
            if (rows.len() as u64) < self.pairs {
                return Ok(None);
            }
            let score: f64 = rows.iter().map(PairRow::score).sum::<f64>() / self.pairs as f64;
            winners.push(bout.players[usize::from(score < 0.5)]);
        }
        winners.extend(left.chunks_exact(2).remainder());
        Ok(Some(winners))
    }

    /// The tables, from what is in the store; none if something is missing.
    ///
    /// # Errors
    /// If the store fails.
    pub fn tables(&self, store: &mut Store) -> Result<Option<Final>, StoreError> {
        let mut survivors: Vec<usize> = (0..self.engines.len()).collect();
        let mut bouts = Vec::new();
        let mut ratings = RatingTable::new(self.engines.len());
        // The round in which each was last seen.
        let mut last: BTreeMap<usize, usize> = BTreeMap::new();
        for round in 1.. {
            let these = self.round(&survivors, round);
            let Some(winners) = self.winners(&survivors, &these, store)? else { return Ok(None) };
            for &at in &survivors {
                last.insert(at, round);
            }
            for bout in &these {
                let standing = Standing::new(&results(store, bout, self.pairs)?);
                ratings.add_pairs(bout.players[0], bout.players[1], &standing.pairs);
                bouts.push(BoutResult { players: bout.players, round, standing });
            }
            survivors = winners;
            if self.kind != Kind::Elimination || survivors.len() == 1 {
                break;
            }
        }
        let ratings = ratings.ratings(LEVEL);
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        let champion = (self.kind == Kind::Elimination).then(|| survivors[0]);
        order.sort_by(|&a, &b| {
            let rank = |at: usize| (Some(at) == champion, last[&at], ratings.players[at].mean);
            let (a, b) = (rank(a), rank(b));
            (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2))
        });
        Ok(Some(Final { bouts, ratings, order }))
    }
}

/// The pairs of a match that are done, in order.
fn results(store: &mut Store, bout: &Bout, pairs: u64) -> Result<Vec<PairRow>, StoreError> {
    let job = store.job(bout.contest.kind(), &bout.contest.text())?;
    store.read(job, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bout_of_every_round_has_dice_of_its_own() {
        let engines: Vec<String> =
            ["random", "star2", "star1", "expectimax"].map(String::from).into_iter().collect();
        for kind in [Kind::RoundRobin, Kind::Gauntlet, Kind::Elimination] {
            let tournament = Tournament::new(kind, "pig", engines.clone(), 2, Budget::nodes(10), 7).unwrap();
            let mut seeds: Vec<u64> = Vec::new();
            for round in 1..=3 {
                let bouts = tournament.round(&[0, 1, 2, 3], round);
                seeds.extend(bouts.iter().map(|bout| bout.contest.identity().seed));
            }
            let all = seeds.len();
            seeds.sort_unstable();
            seeds.dedup();
            assert_eq!(seeds.len(), all, "{kind:?}");
        }
        // A match from a plan is the match of the same seed.
        let two = engines[..2].to_vec();
        let single = Tournament::new(Kind::Match, "pig", two, 2, Budget::nodes(10), 7).unwrap();
        assert_eq!(single.round(&[0, 1], 1)[0].contest.identity().seed, 7);
    }
}
