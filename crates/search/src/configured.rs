//! Engines by name: each family of searches lists its engines and builds them from their parameters.

use crate::probcut::ProbCut;
use astragal_core::{EngineInfo, Evaluator, Game, Policy, Searcher, Values};
use std::sync::Arc;

/// The inputs of a search in addition to its engine's parameters.
pub struct Parts<G: Game, E> {
    /// The evaluator for unfinished states.
    pub evaluator: E,
    /// The policy that playouts follow instead of moving at random.
    pub policy: Option<Arc<dyn Policy<G>>>,
    /// Forward pruning fitted to the game and this evaluator.
    pub cuts: ProbCut,
}

impl<G: Game, E: Evaluator<G> + 'static> Parts<G, E> {
    /// Moves the evaluator behind a pointer: a playout takes far longer than a call through it, and compiling
    /// the search for each evaluator takes long.
    pub(crate) fn erased(self) -> Parts<G, Arc<dyn Evaluator<G>>> {
        Parts { evaluator: Arc::new(self.evaluator), policy: self.policy, cuts: self.cuts }
    }
}

/// A family of engines that share one search, with different parameters.
pub trait Configured {
    /// The engines.
    const ENGINES: &'static [EngineInfo];

    /// Explains why these parameter values contradict each other or need too much memory, if they do.
    fn wrong(_values: &Values) -> Option<String> {
        None
    }

    /// Whether a search without a limit would practically never end.
    fn is_endless(values: &Values) -> bool;

    /// Builds the search.
    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        values: &Values,
        parts: Parts<G, E>,
    ) -> Box<dyn Searcher<G>>;
}

/// The message for a table that does not fit into memory.
pub(crate) fn no_memory(table_mib: u32) -> String {
    format!("not enough memory for table_mib={table_mib}; use a smaller value")
}
