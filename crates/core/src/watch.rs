//! Hooks into a running search.

use crate::Counts;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search reports to its watch while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum News {
    /// Some simulations were run.
    Simulations {
        /// The mean value of the root so far.
        value: f64,
        /// The index of the most visited action in the game's order.
        best: Option<usize>,
        /// The work since the search began.
        counts: Counts,
    },
    /// A depth was completed.
    Depth {
        /// The depth, in decisions.
        depth: u32,
        /// The value of the root at this depth.
        value: f64,
        /// The index of the best action in the game's order.
        best: Option<usize>,
        /// The work since the search began.
        counts: Counts,
    },
}

/// The default number of nodes between two polls of a watch.
pub const PATIENCE: u64 = 1024;

/// Hooks into a running search: clock, cancellation, progress.
pub trait Watch {
    /// The time since the search began.
    fn elapsed(&mut self) -> Duration;

    /// Whether to end the search now.
    fn cancelled(&mut self) -> bool {
        false
    }

    /// How many nodes may pass between two polls: fewer where each takes long.
    fn patience(&self) -> u64 {
        PATIENCE
    }

    /// Whether to report every single simulation, instead of whenever their number has doubled.
    fn is_attentive(&self) -> bool {
        false
    }

    /// Receives the search's progress.
    fn news(&mut self, _news: News) {}
}

/// No hooks: neither clock nor cancellation nor progress. For budgets without a time limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    /// # Panics
    /// Always: without a clock a time limit would never expire.
    fn elapsed(&mut self) -> Duration {
        panic!("contract: a budget in time needs a clock; use `Clock` instead of `Unwatched`")
    }
}

/// A clock, optionally with a stop flag.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a> {
    start: Instant,
    stop: Option<&'a AtomicBool>,
}

impl Clock<'static> {
    /// A clock that starts now, without a stop flag.
    #[must_use]
    pub fn start() -> Self {
        Self { start: Instant::now(), stop: None }
    }
}

impl<'a> Clock<'a> {
    /// A clock that starts now and cancels the search when the flag is set.
    #[must_use]
    pub fn until(stop: &'a AtomicBool) -> Self {
        Self { start: Instant::now(), stop: Some(stop) }
    }
}

impl Watch for Clock<'_> {
    fn elapsed(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
