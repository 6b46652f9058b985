//! The number of simulations until a root value stays at or above a threshold (*Understanding Sampling-Based
//! Adversarial Search*, section 5.2: τ-convergence).

use crate::contest::{Maker, NoContest, maker};
use crate::work::{Aside, Work, Worker};
use astragal_catalog::{AnyGame, Engine};
use astragal_core::{Budget, News, Sampler, Unwatched, Watch};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The convergence of a tree search at the roots of many trees. Each tree is one unit.
pub struct Convergence {
    game: Arc<dyn AnyGame>,
    make: Maker,
    tau: f64,
    most: u64,
    seed: u64,
}

/// The convergence at a root.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Converged {
    /// The simulation from which on the value stayed at τ or more; none if that was not observed.
    pub time: Option<u64>,
    /// The visits of each action up to then.
    pub visits: Vec<u64>,
    /// Whether the first simulation after each action had been tried once went to the correct one, so that
    /// the initial estimates favoured it; none where no action is known to be correct.
    pub favourable: Option<bool>,
}

/// What identifies a set of convergences.
#[derive(Serialize)]
struct Identity<'a> {
    game: &'a str,
    engine: String,
    tau: f64,
    most: u64,
    seed: u64,
}

/// A value has settled when it has stayed for as many simulations as it took, and some more: until twice its
/// time plus a hundred.
const AGAIN: u64 = 2;
const MORE: u64 = 100;

impl Convergence {
    /// The number of simulations until the root value, for player 1, stays at `tau` or more, in trees of a
    /// game: its random starts. A value has settled when it has stayed for as many simulations as it took and
    /// a hundred more; if that is not observed within `most` simulations, no time is reported.
    ///
    /// # Errors
    /// If the game has no random starts, no value reaches `tau`, there is no such engine, or it does not
    /// report its simulations.
    pub fn new(
        game: Arc<dyn AnyGame>,
        engine: &str,
        tau: f64,
        most: u64,
        seed: u64,
    ) -> Result<Self, NoContest> {
        let Some(root) = game.deal(0) else {
            return Err(NoContest(format!("'{}' has no random starts", game.spec())));
        };
        if tau > game.range().hi {
            let most = game.range().hi;
            return Err(NoContest(format!("values are at most {most} here, so none stays at {tau} or more")));
        }
        let make = maker(&game, engine)?;
        let mut made = make();
        let budget = Budget::iterations(PROBE);
        let mut unwatched = Unwatched;
        let mut probe = Settling::new(tau, &mut unwatched);
        if budget.check(made.heeds()).is_ok() {
            made.analyze(&*root, 0, &budget, &mut probe);
        }
        if probe.heard + 1 < PROBE {
            return Err(NoContest(format!(
                "'{}' does not report every simulation, so its convergence time is unknown",
                made.info().name
            )));
        }
        Ok(Self { game, make, tau, most, seed })
    }

    /// The complete spec of the engine.
    #[must_use]
    pub fn engine(&self) -> String {
        (self.make)().spec().to_string()
    }

    fn converge(&self, engine: &mut dyn Engine, number: u64, watch: &mut dyn Watch) -> Option<Converged> {
        let root = self.game.deal(self.seed.wrapping_add(number)).expect("it was checked");
        let seed = Sampler::new(self.seed).draw(number, 0, 0);
        let mut settling = Settling::new(self.tau, watch);
        engine.analyze(&*root, seed, &Budget::iterations(self.most), &mut settling);
        let (time, interrupted) = (settling.time(), settling.interrupted);
        if interrupted {
            return None;
        }
        // A search is a pure function of its seed, so a shorter run reproduces an earlier state of it.
        let mut at = |simulations| engine.analyze(&*root, seed, &Budget::iterations(simulations), watch);
        let visits: Vec<u64> = at(time.unwrap_or(self.most)).lines.iter().map(|line| line.visits).collect();
        let favourable = root.known_best().map(|right| {
            let early = at(visits.len() as u64 + 1);
            early.lines.iter().any(|line| line.visits > 1 && line.action == right)
        });
        // The result of an interrupted search must not count.
        if watch.cancelled() {
            return None;
        }
        Some(Converged { time, visits, favourable })
    }
}

/// Number of simulations that test whether an engine reports each of them.
const PROBE: u64 = 8;

/// Receives the root value after every simulation, and ends the search once it has settled.
struct Settling<'a> {
    tau: f64,
    watch: &'a mut dyn Watch,
    /// The last simulation after which the value was below τ.
    below: u64,
    heard: u64,
    interrupted: bool,
}

impl<'a> Settling<'a> {
    fn new(tau: f64, watch: &'a mut dyn Watch) -> Self {
        Self { tau, watch, below: 0, heard: 0, interrupted: false }
    }

    fn has_settled(&self) -> bool {
        self.heard >= AGAIN * (self.below + 1) + MORE
    }

    fn time(&self) -> Option<u64> {
        self.has_settled().then_some(self.below + 1)
    }
}

impl Watch for Settling<'_> {
    fn elapsed(&mut self) -> Duration {
        self.watch.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        self.interrupted |= self.watch.cancelled();
        self.interrupted || self.has_settled()
    }

    fn is_attentive(&self) -> bool {
        true
    }

    fn news(&mut self, news: News) {
        if let News::Simulations { value, counts, .. } = news {
            self.heard += u64::from(counts.simulations == self.heard + 1);
            if value < self.tau {
                self.below = counts.simulations;
            }
        }
    }
}

impl Work for Convergence {
    fn kind(&self) -> &'static str {
        "convergence"
    }

    fn text(&self) -> String {
        let Self { game, tau, most, seed, .. } = self;
        let (game, engine, tau, most, seed) = (game.spec(), self.engine(), *tau, *most, *seed);
        serde_json::to_string(&Identity { game, engine, tau, most, seed }).expect("text and numbers")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new((self, (self.make)()))
    }
}

impl Worker for (&Convergence, Box<dyn Engine>) {
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let (convergence, engine) = self;
        let converged = convergence.converge(&mut **engine, number, watch)?;
        Some((serde_json::to_string(&converged).expect("numbers"), Box::new(())))
    }
}
