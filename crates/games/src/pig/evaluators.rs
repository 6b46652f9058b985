//! Evaluators and policies of Pig.

use super::{Action, Pig, State, WIN};
use astragal_core::{Evaluator, Game, Interval, Luck, Player, Policy};

/// The evaluator `lead`: the score difference, with the turn total counted as banked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lead;

impl Evaluator<Pig> for Lead {
    #[inline]
    fn value(&self, game: &Pig, state: &State) -> f64 {
        // Integers to the end: this is the innermost line of a search.
        let (first, second, total) =
            (i32::from(state.first), i32::from(state.second), i32::from(state.total));
        let lead = first - second + if state.player == Player::Max { total } else { -total };
        game.range().clamp(f64::from(lead))
    }

    #[inline]
    fn is_quick(&self) -> bool {
        true
    }

    #[inline]
    fn horizon(&self, game: &Pig, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        game.lead_within(state, depth, luck)
    }
}

/// The evaluator `banked`: the difference of the banked scores. It ignores the turn total, so a search that
/// does not reach the end of the turn sees no benefit in rolling.
#[derive(Clone, Copy, Debug, Default)]
pub struct Banked;

impl Evaluator<Pig> for Banked {
    #[inline]
    fn value(&self, game: &Pig, state: &State) -> f64 {
        game.range().clamp(f64::from(i32::from(state.first) - i32::from(state.second)))
    }

    #[inline]
    fn is_quick(&self) -> bool {
        true
    }
}

/// The evaluator `logistic`: the probability of winning as a logistic function of both scores and the turn
/// total, fitted to the solved game to 100 (root mean square error 0.045 with two dice, 0.042 with one).
/// Other targets are scaled to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Logistic;

impl Evaluator<Pig> for Logistic {
    #[inline]
    fn value(&self, game: &Pig, state: &State) -> f64 {
        let scale = f64::from(game.target);
        let own = f64::from(state.score(state.player)) / scale;
        let opponent = f64::from(state.score(state.player.other())) / scale;
        let total = f64::from(state.total) / scale;
        let logit = if game.dice == 1 {
            -0.244 + 5.16 * own - 4.14 * opponent + 3.25 * total
        } else {
            -0.238 + 3.78 * own - 3.01 * opponent + 2.54 * total
        };
        // `libm` instead of the platform's `exp`, whose last bit differs between machines.
        let chance = 1.0 / (1.0 + libm::exp(-logit));
        state.player.sign() * WIN * (2.0 * chance - 1.0)
    }
}

/// The policy that rolls until the turn total reaches a number.
#[derive(Clone, Copy, Debug)]
pub struct HoldAt(pub u16);

impl Policy<Pig> for HoldAt {
    fn choose(&self, _game: &Pig, state: &State) -> Action {
        if state.total > 0 && state.total >= self.0 { Action::Hold } else { Action::Roll }
    }
}
