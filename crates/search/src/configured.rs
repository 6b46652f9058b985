//! Engines by name: a family of searches lists its engines and builds them from their parameters.

use crate::probcut::ProbCut;
use astragal_core::{EngineInfo, Evaluator, Game, Policy, Searcher, Values};
use std::sync::Arc;

/// What a search needs of its game, besides the parameters of the engine.
pub struct Parts<G: Game, E> {
    /// How unfinished states are valued.
    pub evaluator: E,
    /// What playouts follow instead of moving at random.
    pub policy: Option<Arc<dyn Policy<G>>>,
    /// What forward pruning knows of the game with this evaluator.
    pub cuts: ProbCut,
}

impl<G: Game, E: Evaluator<G> + 'static> Parts<G, E> {
    /// The same with the evaluator behind a pointer: a playout takes far longer than a call through it, and
    /// code for each evaluator takes long to compile.
    pub(crate) fn erased(self) -> Parts<G, Arc<dyn Evaluator<G>>> {
        Parts { evaluator: Arc::new(self.evaluator), policy: self.policy, cuts: self.cuts }
    }
}

/// A family of engines that one search makes, with different parameters.
pub trait Configured {
    /// The engines.
    const ENGINES: &'static [EngineInfo];

    /// Why these values of the parameters do not go together, or ask for more memory than there is, if so.
    fn wrong(_values: &Values) -> Option<String> {
        None
    }

    /// Whether a search without a limit would, for all practical purposes, never end.
    fn is_endless(values: &Values) -> bool;

    /// The search.
    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        values: &Values,
        parts: Parts<G, E>,
    ) -> Box<dyn Searcher<G>>;
}

/// What is said where a table does not fit into memory.
pub(crate) fn no_memory(table_mib: u32) -> String {
    format!("there is no memory for table_mib={table_mib}; try less")
}
