//! Values of unfinished states.

use crate::Game;

/// Estimates the value, for Max, of a decision state at which a search stops looking.
///
/// The estimate must lie inside [`Game::range`]; searches clamp it into [`Game::bounds`] of the state.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimate.
    fn value(&self, game: &G, state: &G::State) -> f64;
}

/// The evaluator's estimate of a decision state, within the bounds that the game knows.
#[inline]
pub fn estimate<G: Game>(game: &G, evaluator: &impl Evaluator<G>, state: &G::State) -> f64 {
    game.bounds(state).clamp(evaluator.value(game, state))
}

/// Knows nothing: every state is worth the middle of the range.
#[derive(Clone, Copy, Debug, Default)]
pub struct Even;

impl<G: Game> Evaluator<G> for Even {
    #[inline]
    fn value(&self, game: &G, _state: &G::State) -> f64 {
        game.range().middle()
    }
}

impl<G: Game> Evaluator<G> for Box<dyn Evaluator<G>> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        (**self).value(game, state)
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for &E {
    #[inline]
    fn value(&self, game: &G, state: &G::State) -> f64 {
        (**self).value(game, state)
    }
}
