//! Players that need no search: a rule chooses the action.

use crate::Game;

/// A rule that chooses an action in every decision state.
pub trait Policy<G: Game>: Send + Sync {
    /// The chosen action, which must be legal.
    fn choose(&self, game: &G, state: &G::State) -> G::Action;
}

impl<G: Game, P: Policy<G> + ?Sized> Policy<G> for std::sync::Arc<P> {
    fn choose(&self, game: &G, state: &G::State) -> G::Action {
        (**self).choose(game, state)
    }
}
