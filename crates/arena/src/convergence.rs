//! After how many simulations the value of a root stays where it belongs (*Understanding Sampling-Based
//! Adversarial Search*, section 5.2: τ-convergence).

use crate::contest::{Maker, NoContest, maker};
use crate::work::{Aside, Work, Worker};
use astragal_catalog::{AnyGame, Engine};
use astragal_core::{Budget, News, Sampler, Unwatched, Watch};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The convergence of a tree search at the roots of many trees. A unit is a tree.
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
    /// From which simulation on the value stayed τ or more; none if it was not seen to.
    pub time: Option<u64>,
    /// The visits of the actions until then.
    pub visits: Vec<u64>,
    /// Whether the first simulation after each action was tried once went to the right one, so that the first
    /// estimates were in its favour; none where no action is known to be right.
    pub favourable: Option<bool>,
}

/// What identifies such convergences.
#[derive(Serialize)]
struct Identity<'a> {
    game: &'a str,
    engine: String,
    tau: f64,
    most: u64,
    seed: u64,
}

/// A value has settled when it has stayed for as many simulations as it took, and for some more: until twice
/// its time, and a hundred.
const AGAIN: u64 = 2;
const MORE: u64 = 100;

impl Convergence {
    /// The times until the value of the root, for player 1, stays `tau` or more in trees of a game, which are
    /// its starts by lot. A value has settled when it has stayed for as many simulations as it took and a
    /// hundred more; where that is not seen within `most` simulations no time is reported.
    ///
    /// # Errors
    /// If the game has no such starts, or no value reaches `tau`, or there is no such engine, or it does not
    /// tell of its simulations.
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
            return Err(NoContest(format!("values are at most {most} here, so none stays {tau} or more")));
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
                "'{}' does not tell of every simulation, so it has no time of convergence",
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
        // A search is a pure function of its seed, so what was known at an earlier time can be asked again.
        let mut at = |simulations| engine.analyze(&*root, seed, &Budget::iterations(simulations), watch);
        let visits: Vec<u64> = at(time.unwrap_or(self.most)).lines.iter().map(|line| line.visits).collect();
        let favourable = root.known_best().map(|right| {
            let early = at(visits.len() as u64 + 1);
            early.lines.iter().any(|line| line.visits > 1 && line.action == right)
        });
        // What an interrupted search found must not count.
        if watch.cancelled() {
            return None;
        }
        Some(Converged { time, visits, favourable })
    }
}

/// How many simulations are made to see whether an engine tells of each.
const PROBE: u64 = 8;

/// Hears the value of the root after every simulation, and ends the search when it has settled.
struct Settling<'a> {
    tau: f64,
    watch: &'a mut dyn Watch,
    /// The last simulation after which the value was too small.
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
