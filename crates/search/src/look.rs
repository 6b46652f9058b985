//! Shallow searches inside a Monte Carlo search: what its leaves and priors are worth, and what its playouts
//! do (Baier & Winands 2015, *MCTS-Minimax Hybrids*). Star2 where there is chance; where there is none, it is
//! alpha-beta.

use crate::{Algorithm, Options, StarMinimax};
use astragal_core::{Budget, Evaluator, Game, Policy, Report, Searcher};

/// Looks some decisions ahead and then asks an evaluator.
#[derive(Clone, Debug)]
pub struct Look<E> {
    /// What is asked.
    pub evaluator: E,
    /// Decisions to look ahead.
    pub depth: u32,
}

impl<E> Look<E> {
    fn search<G: Game>(&self, game: &G, state: &G::State) -> Report<G::Action, G::Outcome>
    where
        E: Evaluator<G> + Clone,
    {
        let options = Options { prune_from: 1, ..Options::new(Algorithm::Star2 { probes: 1 }) };
        StarMinimax::new(self.evaluator.clone(), options).search(game, state, Budget::depth(self.depth))
    }
}

/// For leaves and priors.
impl<G: Game, E: Evaluator<G> + Clone> Evaluator<G> for Look<E> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        self.search(game, state).value
    }
}

/// For playouts.
impl<G: Game, E: Evaluator<G> + Clone> Policy<G> for Look<E> {
    fn choose(&self, game: &G, state: &G::State) -> G::Action {
        self.search(game, state).best.expect("contract: a decision has actions")
    }
}
