//! Values of unfinished states.

use crate::{Game, Interval, mix};
use std::sync::Arc;

/// Which luck a bound must allow for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// Every outcome counts by its probability, as in an exact search.
    Fair,
    /// Any outcomes may stand for all, as in a search that samples them.
    Any,
}

/// Estimates the value, for Max, of a decision state at which a search stops looking.
///
/// The estimate must lie inside [`Game::range`]; searches clamp it into [`Game::bounds`] of the state.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimate.
    fn value(&self, game: &G, state: &G::State) -> f64;

    /// Whether a value costs next to nothing, a few additions: keeping bounds near the leaves then costs a
    /// search more than it saves.
    #[inline]
    fn is_quick(&self) -> bool {
        false
    }

    /// Hears that a search is about to look this many decisions ahead of a decision state. An evaluator that
    /// values many states faster together than one by one values those now that it will be asked for.
    #[inline]
    fn foresee(&self, _game: &G, _state: &G::State, _depth: u32) {}

    /// An interval that holds the value which a search of this many decisions gives a state, unfinished, of
    /// chance or a decision; inside [`Game::bounds`], or none if nothing more is known. Star pruning lives on
    /// it: a search cannot get far from where it stands. It must hold for what a search returns, which is
    /// rounded, so a proof in real numbers is enough if the interval is [widened](Interval::widened) a
    /// little; [`check_horizon`](crate::contract::check_horizon) tests it.
    ///
    /// What it tells holds at this depth only. A search that was told something never counts as complete, so
    /// an evaluator had better say nothing of states from which a search of this depth sees every end.
    #[inline]
    fn horizon(&self, _game: &G, _state: &G::State, _depth: u32, _luck: Luck) -> Option<Interval> {
        None
    }
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

    #[inline]
    fn is_quick(&self) -> bool {
        true
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

/// The most that noise can be, in standard deviations, rounded up.
const LOUDEST: f64 = 3.5;

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

    fn horizon(&self, game: &G, state: &G::State, depth: u32, luck: Luck) -> Option<Interval> {
        // Neither the best of several values nor their mean moves by more than they do.
        let quiet = self.evaluator.horizon(game, state, depth, luck)?;
        Some(quiet.widened(LOUDEST * self.sigma.abs()).intersect(&game.bounds(state)))
    }
}

/// Whatever leads to an evaluator says what the evaluator says.
macro_rules! forward {
    ($pointer:ty $(, $evaluator:ident)?) => {
        impl<G: Game $(, $evaluator: Evaluator<G> + ?Sized)?> Evaluator<G> for $pointer {
            #[inline]
            fn value(&self, game: &G, state: &G::State) -> f64 {
                (**self).value(game, state)
            }

            #[inline]
            fn is_quick(&self) -> bool {
                (**self).is_quick()
            }

            #[inline]
            fn foresee(&self, game: &G, state: &G::State, depth: u32) {
                (**self).foresee(game, state, depth);
            }

            #[inline]
            fn horizon(&self, game: &G, state: &G::State, depth: u32, luck: Luck) -> Option<Interval> {
                (**self).horizon(game, state, depth, luck)
            }
        }
    };
}

forward!(Box<dyn Evaluator<G>>);
forward!(Arc<dyn Evaluator<G>>);
forward!(&E, E);
