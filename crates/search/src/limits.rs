//! The limits of a running search that counts nodes.

use astragal_core::{Budget, Stop, Watch};

/// How many nodes pass between two looks at the watch.
const PATIENCE: u64 = 1024;

/// A budget, and who else may end the search.
pub(crate) struct Limits<'a> {
    watch: &'a mut dyn Watch,
    budget: Budget,
    /// Whether the first depth is finished, so that the budget may end the search.
    armed: bool,
    check_at: u64,
}

impl<'a> Limits<'a> {
    pub(crate) fn new(budget: &Budget, watch: &'a mut dyn Watch) -> Self {
        Self { watch, budget: *budget, armed: false, check_at: 0 }
    }

    /// From now on the budget may end the search.
    pub(crate) fn arm(&mut self) {
        self.armed = true;
        self.check_at = 0;
    }

    pub(crate) fn watch(&mut self) -> &mut dyn Watch {
        self.watch
    }

    /// Now and then looks at the limits, given how many nodes there are going to be.
    #[inline]
    pub(crate) fn pass(&mut self, nodes: u64) -> Result<(), Stop> {
        if nodes > self.check_at { self.check(nodes) } else { Ok(()) }
    }

    /// Work that took as long as this many nodes: the limits are looked at as much earlier.
    #[inline]
    pub(crate) fn hurry(&mut self, nodes: u64) {
        self.check_at = self.check_at.saturating_sub(nodes);
    }

    /// Looks at the limits, given how many nodes there are going to be.
    #[cold]
    pub(crate) fn check(&mut self, nodes: u64) -> Result<(), Stop> {
        if self.watch.cancelled() {
            return Err(Stop::Cancelled);
        }
        self.check_at = nodes + PATIENCE;
        // The first depth is finished in spite of the budget, but not at any price.
        let (more_nodes, more_time) = if self.armed { (1, 1) } else { (1000, 10) };
        if let Some(limit) = self.budget.nodes.map(|limit| limit.saturating_mul(more_nodes)) {
            if nodes > limit {
                return Err(Stop::Nodes);
            }
            self.check_at = self.check_at.min(limit);
        }
        if let Some(time) = self.budget.time
            && self.watch.elapsed() >= time.saturating_mul(more_time)
        {
            return Err(Stop::Time);
        }
        Ok(())
    }
}
