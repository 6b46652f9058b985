//! The limits of a running search that counts nodes.

use astragal_core::{Budget, Stop, Watch};
use std::time::Duration;

/// The search must end, see [`Limits::reason`]. It carries no data, so that the value of a node is returned
/// in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// The budget of a search, and the watch that may cancel it.
pub(crate) struct Limits<'a> {
    watch: &'a mut dyn Watch,
    budget: Budget,
    /// Whether the first depth is complete, so that the budget may end the search.
    armed: bool,
    check_at: u64,
    /// Time on the watch that does not count towards the budget.
    before: Duration,
    reason: Stop,
}

impl<'a> Limits<'a> {
    pub(crate) fn new(budget: &Budget, watch: &'a mut dyn Watch) -> Self {
        Self::after(Duration::ZERO, budget, watch)
    }

    /// Limits for a search whose time budget does not count this much of the time on the watch.
    pub(crate) fn after(before: Duration, budget: &Budget, watch: &'a mut dyn Watch) -> Self {
        Self { watch, budget: *budget, armed: false, check_at: 0, before, reason: Stop::Cancelled }
    }

    /// Lets the budget end the search from here on.
    pub(crate) fn arm(&mut self) {
        self.armed = true;
        self.check_at = 0;
    }

    pub(crate) fn watch(&mut self) -> &mut dyn Watch {
        self.watch
    }

    /// Checks the limits from time to time, given the number of nodes to be reached.
    #[inline]
    pub(crate) fn pass(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes > self.check_at { self.check(nodes) } else { Ok(()) }
    }

    /// Accounts for work that took as long as this many nodes: the next check comes that much earlier.
    #[inline]
    pub(crate) fn hurry(&mut self, nodes: u64) {
        self.check_at = self.check_at.saturating_sub(nodes);
    }

    /// Checks the limits, given the number of nodes to be reached.
    #[cold]
    pub(crate) fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self.watch.cancelled() {
            return self.stop(Stop::Cancelled);
        }
        self.check_at = nodes + self.watch.patience();
        // The first depth may exceed the budget, by these factors.
        let (more_nodes, more_time) = if self.armed { (1, 1) } else { (1000, 10) };
        if let Some(limit) = self.budget.nodes.map(|limit| limit.saturating_mul(more_nodes)) {
            if nodes > limit {
                return self.stop(Stop::Nodes);
            }
            self.check_at = self.check_at.min(limit);
        }
        if let Some(time) = self.budget.time
            && self.watch.elapsed().saturating_sub(self.before) >= time.saturating_mul(more_time)
        {
            return self.stop(Stop::Time);
        }
        Ok(())
    }

    fn stop(&mut self, reason: Stop) -> Result<(), Stopped> {
        self.reason = reason;
        Err(Stopped)
    }

    /// Why the search was stopped.
    pub(crate) fn reason(&self) -> Stop {
        self.reason
    }
}
