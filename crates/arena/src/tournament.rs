//! Tournaments: round robin, gauntlet (the first against all others), or elimination.
//!
//! A tournament consists only of matches, whose pairs an [`Executor`] plays and keeps. With a results store
//! it can be killed at any moment, split into shards over several processes, and merged; the tables are
//! derived from the stored results alone.

use crate::contest::{Contest, Maker, NoContest, PairRow, Standing, maker};
use crate::terms::Terms;
use crate::work::{Executor, Finished, Share, Work};
use astragal_catalog::{AnyGame, Position, game};
use astragal_core::{Budget, Sampler};
use astragal_stats::{LEVEL, Ratings, Table as RatingTable};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The pairings.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two engines meet.
    Match,
    /// Every engine meets every other.
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
    /// Neighbours meet, and the winners advance until one is left: how the MCMS paper tuned its players.
    Elimination,
}

/// The maximum number of pairs per match.
pub const MOST_PAIRS: u64 = 100_000_000;

/// A participant of a tournament.
pub struct Participant {
    /// The name shown to users.
    pub label: String,
    /// Makes the engine.
    pub maker: Maker,
    /// The budget per decision.
    pub budget: Budget,
}

/// A tournament, configured and checked.
pub struct Tournament {
    /// The pairings.
    pub kind: Kind,
    /// The complete specs of the engines.
    pub engines: Vec<String>,
    /// The engines as written.
    pub labels: Vec<String>,
    /// Number of pairs per match.
    pub pairs: u64,
    game: Arc<dyn AnyGame>,
    start: Box<dyn Position>,
    makers: Vec<Maker>,
    /// The budget per decision of each engine.
    budgets: Vec<Budget>,
    opening: u32,
    seed: u64,
}

/// A match of a tournament.
pub struct Bout {
    /// The indices of the engines.
    pub players: [usize; 2],
    contest: Contest,
}

/// The result of a match of a tournament.
pub struct BoutResult {
    /// The indices of the engines.
    pub players: [usize; 2],
    /// The round, counted from 1.
    pub round: usize,
    /// The result, from the point of view of the first engine.
    pub standing: Standing,
}

/// A finished tournament.
pub struct Final {
    /// All matches.
    pub bouts: Vec<BoutResult>,
    /// Ratings in Elo.
    pub ratings: Ratings,
    /// The indices of the engines, best first; the winner of an elimination leads.
    pub order: Vec<usize>,
}

/// The progress of a tournament.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Pairs of the shard finished in this stage.
    pub done: u64,
    /// Pairs of the shard in this stage.
    pub all: u64,
    /// The round, counted from 1.
    pub round: usize,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything is done.
    Complete,
    /// It was stopped.
    Stopped,
    /// The rest needs results of other shards, in this round.
    Waits(usize),
}

/// Plays everything possible in several tournaments, with their rounds side by side. `seen` is called after
/// every pair.
///
/// # Errors
/// If results cannot be read or stored.
pub fn run<E: Executor>(
    tournaments: &[&Tournament],
    executor: &mut E,
    mut seen: impl FnMut(&Progress, &Finished<'_>),
) -> Result<End, E::Error> {
    // The round of each tournament when this shard last finished its part of all open ones.
    let mut before: Option<Vec<usize>> = None;
    loop {
        let mut rounds = Vec::new();
        let mut open: Vec<(&Tournament, Vec<Bout>)> = Vec::new();
        for tournament in tournaments {
            let next = tournament.open(executor)?;
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
        let Share { done, all, .. } = executor.share(&works)?;
        let mut progress = Progress { done, all, round };
        let whole = executor.run(&works, &mut |unit| {
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

impl Tournament {
    /// A tournament between these engines of the catalogue, all with the same budget.
    ///
    /// # Errors
    /// If an engine or the budget is invalid.
    pub fn new(
        kind: Kind,
        spec: &str,
        engines: &[String],
        pairs: u64,
        budget: Budget,
        seed: u64,
    ) -> Result<Self, NoContest> {
        let game: Arc<dyn AnyGame> = game(spec)?.into();
        let start = game.start();
        let participant =
            |spec: &String| Ok(Participant { label: spec.clone(), maker: maker(&game, spec)?, budget });
        let participants = engines.iter().map(participant).collect::<Result<_, NoContest>>()?;
        Self::between(kind, game, start, participants, pairs, 0, seed)
    }

    /// A tournament between any engines in any game, from the given position.
    ///
    /// # Errors
    /// If there are too few or too many engines or pairs, an engine occurs twice with the same
    /// budget, or a budget is invalid.
    pub fn between(
        kind: Kind,
        game: Arc<dyn AnyGame>,
        start: Box<dyn Position>,
        participants: Vec<Participant>,
        pairs: u64,
        opening: u32,
        seed: u64,
    ) -> Result<Self, NoContest> {
        let (mut labels, mut makers, mut budgets) = (Vec::new(), Vec::new(), Vec::new());
        for Participant { label, maker, budget } in participants {
            labels.push(label);
            makers.push(maker);
            budgets.push(budget);
        }
        let engines = Vec::new();
        let mut tournament =
            Self { kind, engines, labels, pairs, game, start, makers, budgets, opening, seed };
        tournament.check()?;
        Ok(tournament)
    }

    fn check(&mut self) -> Result<(), NoContest> {
        if self.makers.len() < 2 {
            return Err(NoContest("a plan needs at least two engines".into()));
        }
        if self.kind == Kind::Match && self.makers.len() > 2 {
            return Err(NoContest(
                "a match is between two engines; more of them meet in a round-robin".into(),
            ));
        }
        if !(1..=MOST_PAIRS).contains(&self.pairs) {
            return Err(NoContest(format!("a match has 1 to {MOST_PAIRS} pairs, not {}", self.pairs)));
        }
        for at in 0..self.makers.len() {
            let contest = self.contest([at, at], self.seed)?;
            self.engines.push(contest.engines()[0].clone());
        }
        let players: Vec<(&String, &Budget)> = self.engines.iter().zip(&self.budgets).collect();
        if let Some((_, (engine, _))) =
            players.iter().enumerate().find(|(at, player)| players[..*at].contains(player))
        {
            return Err(NoContest(format!("'{engine}' is listed twice")));
        }
        Ok(())
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    fn contest(&self, players: [usize; 2], seed: u64) -> Result<Contest, NoContest> {
        let (game, start) = (Arc::clone(&self.game), self.start.duplicate());
        let makers = players.map(|at| Arc::clone(&self.makers[at]));
        Contest::between(
            game,
            start,
            makers,
            players.map(|at| self.budgets[at]),
            Terms::opening(self.opening),
            seed,
        )
    }

    fn bout(&self, players: [usize; 2], round: usize) -> Bout {
        let seed = self.bout_seed(players, round);
        Bout { players, contest: self.contest(players, seed).expect("engines that were checked") }
    }

    /// The seed of a bout. Every bout of every round has its own dice: the winner of a round must not be
    /// tested on the dice that selected it, and ratings treat meetings as independent. A single match uses
    /// the tournament's seed itself.
    fn bout_seed(&self, players: [usize; 2], round: usize) -> u64 {
        match self.kind {
            Kind::Match => self.seed,
            _ => {
                let [first, second] = players.map(|at| at as u64);
                Sampler::new(self.seed).draw(first << 32 | second, round as u32, 0)
            }
        }
    }

    /// Plays everything possible. `seen` is called after every pair.
    ///
    /// # Errors
    /// If results cannot be read or stored.
    pub fn run<E: Executor>(
        &self,
        executor: &mut E,
        seen: impl FnMut(&Progress, &Finished<'_>),
    ) -> Result<End, E::Error> {
        run(&[self], executor, seen)
    }

    /// The first unfinished round and its matches; none if all are finished.
    fn open<E: Executor>(&self, executor: &mut E) -> Result<Option<(usize, Vec<Bout>)>, E::Error> {
        let mut survivors: Vec<usize> = (0..self.engines.len()).collect();
        for round in 1.. {
            let bouts = self.round(&survivors, round);
            let Some(winners) = self.winners(&survivors, &bouts, executor)? else {
                return Ok(Some((round, bouts)));
            };
            if self.kind != Kind::Elimination || winners.len() == 1 {
                break;
            }
            survivors = winners;
        }
        Ok(None)
    }

    /// The matches of a round between the survivors.
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

    /// The survivors of a round; none if it is not finished. On a tied score the first engine advances, and
    /// so does an engine without an opponent.
    fn winners<E: Executor>(
        &self,
        left: &[usize],
        bouts: &[Bout],
        executor: &mut E,
    ) -> Result<Option<Vec<usize>>, E::Error> {
        let mut winners = Vec::new();
        for bout in bouts {
            let rows: Vec<PairRow> = executor.results(&bout.contest, self.pairs)?;
            if (rows.len() as u64) < self.pairs {
                return Ok(None);
            }
            let score: f64 = rows.iter().map(PairRow::score).sum::<f64>() / self.pairs as f64;
            winners.push(bout.players[usize::from(score < 0.5)]);
        }
        winners.extend(left.chunks_exact(2).remainder());
        Ok(Some(winners))
    }

    /// The tables; none if a result is missing.
    ///
    /// # Errors
    /// If results cannot be read or stored.
    pub fn tables<E: Executor>(&self, executor: &mut E) -> Result<Option<Final>, E::Error> {
        let mut survivors: Vec<usize> = (0..self.engines.len()).collect();
        let mut bouts = Vec::new();
        let mut ratings = RatingTable::new(self.engines.len());
        // The last round of each engine.
        let mut last: BTreeMap<usize, usize> = BTreeMap::new();
        for round in 1.. {
            let these = self.round(&survivors, round);
            let Some(winners) = self.winners(&survivors, &these, executor)? else { return Ok(None) };
            for &at in &survivors {
                last.insert(at, round);
            }
            for bout in &these {
                let standing = Standing::new(&executor.results::<PairRow>(&bout.contest, self.pairs)?);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bout_of_every_round_has_dice_of_its_own() {
        let engines: Vec<String> =
            ["random", "star2", "star1", "expectimax"].map(String::from).into_iter().collect();
        for kind in [Kind::RoundRobin, Kind::Gauntlet, Kind::Elimination] {
            let tournament = Tournament::new(kind, "pig", &engines, 2, Budget::nodes(10), 7).unwrap();
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
        // A single match uses the seed of the plan.
        let single = Tournament::new(Kind::Match, "pig", &engines[..2], 2, Budget::nodes(10), 7).unwrap();
        assert_eq!(single.round(&[0, 1], 1)[0].contest.identity().seed, 7);
    }
}
