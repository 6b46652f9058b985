//! Shallow searches inside a Monte Carlo search, for the values of leaves, for priors and for playout moves
//! (Baier & Winands 2015, *MCTS-Minimax Hybrids*): Star2, which is alpha-beta in games without chance.

use crate::{Algorithm, Options, StarMinimax};
use astragal_core::{Budget, Evaluator, Game, Policy, Report, Searcher};

/// Searches some decisions ahead and then applies an evaluator.
#[derive(Clone, Debug)]
pub struct Look<E> {
    /// The evaluator of its leaves.
    pub evaluator: E,
    /// Search depth, in decisions.
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

/// The value of the search, for leaves and priors.
impl<G: Game, E: Evaluator<G> + Clone> Evaluator<G> for Look<E> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        self.search(game, state).value
    }
}

/// The best action of the search, for playouts.
impl<G: Game, E: Evaluator<G> + Clone> Policy<G> for Look<E> {
    fn choose(&self, game: &G, state: &G::State) -> G::Action {
        self.search(game, state).best.expect("contract: a decision has actions")
    }
}
