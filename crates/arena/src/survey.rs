//! Where games have traps (*Understanding Sampling-Based Adversarial Search*, section 4.2): the boards of
//! many games after given numbers of decisions, and the shallowest trap of each.

use crate::budget::budget_among;
use crate::contest::{Maker, NoContest, maker};
use crate::pgn;
use crate::revision::hash;
use crate::work::{Aside, Work, Worker};
use astragal_catalog::{AnyGame, Position};
use astragal_core::{Budget, Sampler, Turn, Watch, below, unit};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The source of the games.
pub enum Source {
    /// An engine plays against itself.
    SelfPlay {
        /// The engine.
        engine: String,
        /// Its budget per decision.
        budget: Budget,
        /// The share of random decisions.
        random: f64,
        /// Number of random decisions in the opening.
        opening: u32,
        /// Whether each game begins at a random start.
        deal: bool,
    },
    /// Recorded games.
    Games(Vec<pgn::Game>),
}

/// Boards of games and the traps on them. Each game is one unit.
pub struct Survey {
    game: Arc<dyn AnyGame>,
    source: Source,
    make: Option<Maker>,
    plies: Vec<u32>,
    level: u32,
    seed: u64,
}

/// The result for one board.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Board {
    /// The game had already ended.
    Over,
    /// It has no trap.
    Safe,
    /// The shallowest trap has this level.
    Trap(u32),
}

/// The result for one game: its boards after the given numbers of decisions.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Boards {
    /// Its boards.
    pub boards: Vec<Board>,
    /// For the same boards, in how few steps the player to move can force a win, if within the level: such a
    /// board is itself a trap, into which the opponent has moved.
    pub won: Vec<Option<u32>>,
}

/// The number of boards at the `at`-th number of decisions of the survey, and how many of them have a trap of
/// at most this level.
#[must_use]
pub fn at_risk(games: &[Boards], at: usize, level: u32) -> (u64, u64) {
    let boards = || games.iter().map(|game| game.boards[at]).filter(|board| *board != Board::Over);
    let risky = boards().filter(|board| matches!(board, Board::Trap(found) if *found <= level));
    (boards().count() as u64, risky.count() as u64)
}

/// As [`at_risk`], for boards that are themselves traps.
#[must_use]
pub fn sprung(games: &[Boards], at: usize, level: u32) -> (u64, u64) {
    let boards = games.iter().filter(|game| game.boards[at] != Board::Over);
    let won = boards.clone().filter(|game| game.won[at].is_some_and(|steps| steps <= level));
    (boards.count() as u64, won.count() as u64)
}

/// What identifies a survey.
#[derive(Serialize)]
struct Identity<'a> {
    game: &'a str,
    source: String,
    plies: &'a [u32],
    level: u32,
    /// What is recorded of each board.
    looks: [&'static str; 2],
    seed: u64,
}

/// Purposes of the sampler's draws.
const DEAL: u64 = 1;
const SEARCH: u64 = 2;
const WHETHER: u64 = 3;
const WHICH: u64 = 4;

impl Survey {
    /// Surveys boards after these numbers of decisions, for traps up to a level.
    ///
    /// # Errors
    /// If the game has chance or lacks the requested random starts, or there is no such engine.
    pub fn new(
        game: Arc<dyn AnyGame>,
        source: Source,
        plies: Vec<u32>,
        level: u32,
        seed: u64,
    ) -> Result<Self, NoContest> {
        let name = game.info().name;
        if game.has_chance() {
            return Err(NoContest(format!(
                "traps are defined for games without chance, and {name} has chance"
            )));
        }
        let mut make = None;
        if let Source::SelfPlay { engine, budget, deal, .. } = &source {
            let engine = maker(&game, engine)?;
            budget_among(&*engine(), *budget)?;
            if *deal && game.deal(0).is_none() {
                return Err(NoContest(format!("{name} has no random starts")));
            }
            make = Some(engine);
        }
        Ok(Self { game, source, make, plies, level, seed })
    }

    /// The number of games; none if there is no limit.
    #[must_use]
    pub fn games(&self) -> Option<u64> {
        match &self.source {
            Source::Games(games) => Some(games.len() as u64),
            Source::SelfPlay { .. } => None,
        }
    }

    /// Calls `board` with each position of a game and the number of decisions before it, until it returns
    /// false.
    ///
    /// # Errors
    /// If a move of a recorded game is illegal.
    pub fn walk(
        &self,
        number: u64,
        watch: &mut dyn Watch,
        board: &mut dyn FnMut(u32, &dyn Position, &mut dyn Watch) -> bool,
    ) -> Result<(), NoContest> {
        let sampler = Sampler::new(Sampler::new(self.seed).draw(number, 0, 0));
        let last = self.plies.iter().copied().max().unwrap_or(0);
        let mut position = match &self.source {
            Source::SelfPlay { deal: true, .. } => {
                self.game.deal(sampler.draw(DEAL, 0, 0)).expect("it was checked")
            }
            Source::Games(games) if games[number as usize].start().is_some() => {
                let pgn::Game { start_line, .. } = games[number as usize];
                let start = games[number as usize].start().unwrap_or_default();
                self.game.read(start).map_err(|error| {
                    NoContest(format!("line {start_line}, game {}, its start: {error}", number + 1))
                })?
            }
            _ => self.game.start(),
        };
        let mut engine = self.make.as_ref().map(|make| make());
        for ply in 0..=last {
            if !board(ply, &*position, watch) || ply == last {
                return Ok(());
            }
            let Turn::Decide(_) = position.turn() else { return Ok(()) };
            position = match (&self.source, &mut engine) {
                (Source::Games(games), _) => match games[number as usize].moves.get(ply as usize) {
                    Some(action) => position.act(action).map_err(|error| {
                        let line = games[number as usize].lines[ply as usize];
                        NoContest(format!("line {line}, game {}, move {}: {error}", number + 1, ply + 1))
                    })?,
                    None => return Ok(()),
                },
                (Source::SelfPlay { random, opening, .. }, _)
                    if ply < *opening || unit(sampler.draw(WHETHER, ply, 0)) < *random =>
                {
                    let count = position.actions().len() as u64;
                    let at = below(sampler.draw(WHICH, ply, 0), count) as usize;
                    position.act_at(at).expect("an action")
                }
                (Source::SelfPlay { budget, .. }, Some(engine)) => {
                    let seed = sampler.draw(SEARCH, ply, 0);
                    let analysis = engine.analyze(&*position, seed, budget, watch);
                    if watch.cancelled() {
                        return Ok(());
                    }
                    position.act(&analysis.best.expect("a player decides"))?
                }
                (Source::SelfPlay { .. }, None) => unreachable!("who plays has an engine"),
            };
        }
        Ok(())
    }

    /// The traps on the boards of a game; none if cancelled.
    ///
    /// # Errors
    /// If a move of a recorded game is illegal.
    pub fn boards(&self, number: u64, watch: &mut dyn Watch) -> Result<Option<Boards>, NoContest> {
        let mut boards = vec![Board::Over; self.plies.len()];
        let mut won = vec![None; self.plies.len()];
        let mut cancelled = false;
        self.walk(number, watch, &mut |ply, position, watch| {
            let Turn::Decide(player) = position.turn() else { return true };
            for (at, _) in self.plies.iter().enumerate().filter(|(_, wanted)| **wanted == ply) {
                let trap = position.shallowest_trap(self.level, watch);
                match (trap, position.forced_win(player, self.level, watch)) {
                    (Ok(trap), Ok(steps)) => {
                        (boards[at], won[at]) = (trap.map_or(Board::Safe, Board::Trap), steps);
                    }
                    _ => cancelled = true,
                }
            }
            !cancelled
        })?;
        Ok((!cancelled && !watch.cancelled()).then_some(Boards { boards, won }))
    }
}

impl Work for Survey {
    fn kind(&self) -> &'static str {
        "traps"
    }

    fn text(&self) -> String {
        let source = match &self.source {
            Source::SelfPlay { budget, random, opening, deal, .. } => {
                let engine = self.make.as_ref().map(|make| make().spec().to_string()).unwrap_or_default();
                format!("{engine}, {budget}, random {random}, opening {opening}, deal {deal}")
            }
            Source::Games(games) => {
                let told: Vec<_> = games.iter().map(|game| (&game.tags, &game.moves)).collect();
                format!("games {:016x}", hash(&format!("{told:?}")))
            }
        };
        let Self { game, plies, level, seed, .. } = self;
        let identity =
            Identity { game: game.spec(), source, plies, level: *level, looks: ["trap", "won"], seed: *seed };
        serde_json::to_string(&identity).expect("text and numbers")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }
}

impl Worker for &Survey {
    /// # Panics
    /// If a move of a recorded game is illegal; [`Survey::walk`] reports which.
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let boards = self.boards(number, watch).expect("games were checked")?;
        Some((serde_json::to_string(&boards).expect("numbers"), Box::new(())))
    }
}
