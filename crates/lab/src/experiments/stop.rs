//! Stopping an experiment: every loop that takes long looks at the flag of its desk.

use super::Failed;
use astragal_core::Watch;
use astragal_solve::Supervisor;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Cancels a search, or the solution of a game, when the flag is set. It has no clock.
pub(super) struct Until<'a>(pub(super) &'a AtomicBool);

impl Watch for Until<'_> {
    fn elapsed(&mut self) -> Duration {
        Duration::ZERO
    }

    fn cancelled(&mut self) -> bool {
        check(self.0).is_err()
    }
}

impl Supervisor for Until<'_> {
    fn cancelled(&mut self) -> bool {
        check(self.0).is_err()
    }
}

/// Fails if the flag is set.
pub(super) fn check(stop: &AtomicBool) -> Result<(), Failed> {
    if stop.load(Ordering::Relaxed) { Err(Failed::Cancelled) } else { Ok(()) }
}
