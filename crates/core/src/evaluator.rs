//! Values of unfinished states.

use crate::{Game, mix};
use std::sync::Arc;

/// Estimates the value, for Max, of a decision state at which a search stops looking.
///
/// The estimate must lie inside [`Game::range`]; searches clamp it into [`Game::bounds`] of the state.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimate.
    fn value(&self, game: &G, state: &G::State) -> f64;

    /// Hears that a search is about to look this many decisions ahead of a decision state. An evaluator that
    /// values many states faster together than one by one values those now that it will be asked for.
    #[inline]
    fn foresee(&self, _game: &G, _state: &G::State, _depth: u32) {}
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

/// Another evaluator with noise, so that its quality is a knob. The noise of a state is a fixed number, made
/// from its key: bell-shaped around 0, with this standard deviation in units of the payoff, and never more
/// than 3.5 times that.
#[derive(Clone, Copy, Debug)]
pub struct Noisy<E> {
    /// What is disturbed.
    pub evaluator: E,
    /// The standard deviation.
    pub sigma: f64,
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Noisy<E> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        let hash = mix(game.key(state).hash());
        // The sum of four uniform numbers from 0 to 1 has the mean 2 and the variance 1/3.
        let sum: u64 = (0..4).map(|part| hash >> (16 * part) & 0xFFFF).sum();
        let noise = (sum as f64 / 65_535.0 - 2.0) * 3.0_f64.sqrt();
        game.range().clamp(self.evaluator.value(game, state) + self.sigma * noise)
    }

    #[inline]
    fn foresee(&self, game: &G, state: &G::State, depth: u32) {
        self.evaluator.foresee(game, state, depth);
    }
}

impl<G: Game> Evaluator<G> for Box<dyn Evaluator<G>> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        (**self).value(game, state)
    }

    #[inline]
    fn foresee(&self, game: &G, state: &G::State, depth: u32) {
        (**self).foresee(game, state, depth);
    }
}

impl<G: Game> Evaluator<G> for Arc<dyn Evaluator<G>> {
    #[inline]
    fn value(&self, game: &G, state: &G::State) -> f64 {
        (**self).value(game, state)
    }

    #[inline]
    fn foresee(&self, game: &G, state: &G::State, depth: u32) {
        (**self).foresee(game, state, depth);
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for &E {
    #[inline]
    fn value(&self, game: &G, state: &G::State) -> f64 {
        (**self).value(game, state)
    }

    #[inline]
    fn foresee(&self, game: &G, state: &G::State, depth: u32) {
        (**self).foresee(game, state, depth);
    }
}
