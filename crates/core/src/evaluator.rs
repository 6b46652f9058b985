//! Values of unfinished states.

use crate::{Game, Interval, mix};
use std::fmt::Debug;
use std::sync::Arc;

/// The luck that a bound must allow for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// Every outcome counts by its probability, as in an exact search.
    Fair,
    /// Any outcomes may stand for all, as in a search that samples them.
    Any,
}

/// Estimates the value, for Max, of a decision state at which a search stops.
///
/// The estimate must lie inside [`Game::range`]; searches clamp it to [`Game::bounds`] of the state.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The estimate.
    fn value(&self, game: &G, state: &G::State) -> f64;

    /// Whether an evaluation costs only a few additions: maintaining bounds near the leaves then costs a
    /// search more than it saves.
    #[inline]
    fn is_quick(&self) -> bool {
        false
    }

    /// Whether it knows nothing, so that its value of a state says nothing about it.
    #[inline]
    fn is_neutral(&self) -> bool {
        false
    }

    /// Announces a search this many decisions deep from a decision state. An evaluator that is faster on a
    /// batch of states than on single ones can evaluate the states that will be requested.
    #[inline]
    fn foresee(&self, _game: &G, _state: &G::State, _depth: u32) {}

    /// An interval that contains the value which a search of this many decisions returns for an unfinished
    /// decision or chance state; inside [`Game::bounds`], or `None` if nothing tighter is known. Star pruning
    /// depends on it: a shallow search cannot move far from the current state. It must contain the value as
    /// computed, with rounding errors, so a proof in real numbers is enough if the interval is
    /// [widened](Interval::widened) slightly; [`check_horizon`](crate::contract::check_horizon) tests it.
    ///
    /// The interval is valid at this depth only. A search that has used one never counts as complete, so an
    /// evaluator should return `None` for states from which a search of this depth reaches every end of the
    /// game.
    #[inline]
    fn horizon(&self, _game: &G, _state: &G::State, _depth: u32, _luck: Luck) -> Option<Interval> {
        None
    }
}

/// The evaluator's estimate of a decision state, clamped to the game's bounds.
///
/// # Panics
/// If the estimate is not a number: no search could compare it with another.
#[inline]
pub fn estimate<G: Game>(game: &G, evaluator: &impl Evaluator<G>, state: &G::State) -> f64 {
    let value = evaluator.value(game, state);
    if value.is_nan() {
        not_a_number(state);
    }
    game.bounds(state).clamp(value)
}

#[cold]
#[inline(never)]
fn not_a_number(state: &impl Debug) -> ! {
    panic!("contract: the evaluation of {state:?} is NaN")
}

/// Knows nothing: every state has the midpoint of the range.
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

    #[inline]
    fn is_neutral(&self) -> bool {
        true
    }
}

/// Adds noise to another evaluator, so that its quality can be varied. The noise of a state is a fixed number
/// derived from its key: bell-shaped around 0, with this standard deviation in units of the payoff, and at
/// most 3.5 times that.
#[derive(Clone, Copy, Debug)]
pub struct Noisy<E> {
    /// The evaluator that is disturbed.
    pub evaluator: E,
    /// The standard deviation.
    pub sigma: f64,
}

/// The largest noise in standard deviations, rounded up.
const LOUDEST: f64 = 3.5;

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Noisy<E> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        let hash = mix(game.key(state).hash());
        // The sum of four uniform numbers from 0 to 1 has mean 2 and variance 1/3.
        let sum: u64 = (0..4).map(|part| hash >> (16 * part) & 0xFFFF).sum();
        let noise = (sum as f64 / 65_535.0 - 2.0) * 3.0_f64.sqrt();
        let value = self.evaluator.value(game, state) + self.sigma * noise;
        // Whoever asked complains about what is not a number.
        if value.is_nan() { value } else { game.range().clamp(value) }
    }

    #[inline]
    fn is_neutral(&self) -> bool {
        // Noise tells states apart, for better or worse.
        self.sigma == 0.0 && self.evaluator.is_neutral()
    }

    #[inline]
    fn foresee(&self, game: &G, state: &G::State, depth: u32) {
        self.evaluator.foresee(game, state, depth);
    }

    fn horizon(&self, game: &G, state: &G::State, depth: u32, luck: Luck) -> Option<Interval> {
        // Neither the best of several values nor their mean moves by more than the values do.
        let quiet = self.evaluator.horizon(game, state, depth, luck)?;
        Some(quiet.widened(LOUDEST * self.sigma.abs()).intersect(&game.bounds(state)))
    }
}

/// Forwards an evaluator through a pointer.
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
            fn is_neutral(&self) -> bool {
                (**self).is_neutral()
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
