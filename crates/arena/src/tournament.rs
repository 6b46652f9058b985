//! Tournaments: everybody against everybody, the first against all others, or elimination.
//!
//! A tournament is nothing but matches whose pairs an [`Executor`] plays and keeps. With a results store it
//! can be killed at any moment, done by several processes in shards, and merged; the tables are made from
//! what is kept alone.

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

/// Who takes part in a tournament.
pub struct Participant {
    /// The name by which people know it.
    pub label: String,
    /// Makes the engine.
    pub maker: Maker,
    /// The budget of a decision.
    pub budget: Budget,
}

/// A tournament, configured and checked.
pub struct Tournament {
    /// Who meets whom.
    pub kind: Kind,
    /// The engines, in full.
    pub engines: Vec<String>,
    /// The engines as they were written.
    pub labels: Vec<String>,
    /// Pairs of a match.
    pub pairs: u64,
    game: Arc<dyn AnyGame>,
    start: Box<dyn Position>,
    makers: Vec<Maker>,
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
#[derive(Clone, Copy, Debug)]
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
/// If results cannot be read or kept.
pub fn run<E: Executor>(
    tournaments: &[&Tournament],
    executor: &mut E,
    mut seen: impl FnMut(&Progress, &Finished<'_>),
) -> Result<End, E::Error> {
    // Rounds of each tournament when this share of all open ones was done the last time.
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
    /// A tournament of these engines of the catalogue, with one budget for all.
    ///
    /// # Errors
    /// If an engine or the budget is not right.
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

    /// A tournament in any game from a position on, between any engines.
    ///
    /// # Errors
    /// If there are too few or too many of anything, or a budget is not right.
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
            return Err(NoContest("a tournament needs at least two engines".into()));
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
            return Err(NoContest(format!("'{engine}' is there twice")));
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
    /// If results cannot be read or kept.
    pub fn run<E: Executor>(
        &self,
        executor: &mut E,
        seen: impl FnMut(&Progress, &Finished<'_>),
    ) -> Result<End, E::Error> {
        run(&[self], executor, seen)
    }

    /// The first round that is not finished, and its matches; none if all are.
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

    /// Who goes on after a round; none if it is not finished. Of two equals the first goes on, and whoever
    /// has no opponent.
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

    /// The tables, from what is done; none if something is missing.
    ///
    /// # Errors
    /// If results cannot be read or kept.
    pub fn tables<E: Executor>(&self, executor: &mut E) -> Result<Option<Final>, E::Error> {
        let mut survivors: Vec<usize> = (0..self.engines.len()).collect();
        let mut bouts = Vec::new();
        let mut ratings = RatingTable::new(self.engines.len());
        // The round in which each was last seen.
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
        // A match from a plan is the match of the same seed.
        let single = Tournament::new(Kind::Match, "pig", &engines[..2], 2, Budget::nodes(10), 7).unwrap();
        assert_eq!(single.round(&[0, 1], 1)[0].contest.identity().seed, 7);
    }
}
