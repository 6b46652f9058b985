//! Evaluators of Can't Stop.

use super::{CantStop, MOST_COLUMNS, Phase, State, WIN};
use crate::ROUNDING;
use astragal_core::{Evaluator, Game, Interval, Luck, Player};
use std::array;
use std::sync::LazyLock;

impl CantStop {
    /// For each column that a player has begun and the other does not own: the level reached, assuming that
    /// this turn's markers are kept, and the column's length.
    #[inline]
    fn climbed(&self, state: &State, player: Player) -> impl Iterator<Item = (u8, u8)> {
        let mut own = state.pegs[player.index()];
        if player == state.player {
            state.marked().for_each(|(column, level)| own[column] = own[column].max(level));
        }
        let columns = own.into_iter().zip(state.pegs[player.other().index()]).zip(0..self.columns());
        columns.filter(|&((own, _), _)| own > 0).filter_map(|((own, other), column)| {
            let top = self.length(column);
            (other < top).then_some((own, top))
        })
    }
}

/// The bounds of an evaluator that ignores the dice: its value is the same before and after a throw, unless
/// the throw is a bust.
fn blind(
    evaluator: &impl Evaluator<CantStop>,
    game: &CantStop,
    state: &State,
    depth: u32,
    luck: Luck,
) -> Option<Interval> {
    if depth > 0 {
        return None;
    }
    let kept = evaluator.value(game, state);
    let within = if state.phase == Phase::Rolling {
        let mut next = *state;
        game.pass(&mut next);
        let lost = evaluator.value(game, &next);
        let bust = game.bust(state);
        match luck {
            Luck::Fair => Interval::point(bust * lost + (1.0 - bust) * kept),
            Luck::Any => Interval { lo: kept.min(lost), hi: kept.max(lost) },
        }
    } else {
        Interval::point(kept)
    };
    Some(within.widened(ROUNDING).intersect(&game.bounds(state)))
}

/// The evaluator `columns`: the difference in completed columns, plus a tenth of the difference in total
/// progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns;

impl Evaluator<CantStop> for Columns {
    fn value(&self, game: &CantStop, state: &State) -> f64 {
        let side = |player: Player| {
            let full = game.climbed(state, player).filter(|(reached, top)| reached == top).count() as f64;
            let shares =
                game.climbed(state, player).map(|(reached, top)| f64::from(reached) / f64::from(top));
            full + 0.1 * shares.sum::<f64>()
        };
        game.range().clamp(WIN / (f64::from(game.goal) + 1.0) * (side(Player::Max) - side(Player::Min)))
    }

    fn horizon(&self, game: &CantStop, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth, luck)
    }
}

/// The evaluator `progress`: a logistic function of each player's best columns, with progress raised to the
/// power 3/2.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress;

/// The worth of a completed column, for which the formula for the others would give 1.
const CLAIMED: f64 = 1.15;
/// The slope of the logistic function, and the worth of being to move on its scale.
const SLOPE: f64 = 3.0;
const MOVE: f64 = 0.2;

/// The worth of each level, by the length of the column: the shortest have at most 5 squares, the middle one
/// up to 10 more.
static WORTHS: LazyLock<[[f64; 16]; 16]> = LazyLock::new(|| {
    array::from_fn(|top| {
        array::from_fn(|reached| match reached as f64 / top as f64 {
            share if share >= 1.0 => CLAIMED,
            share => share * libm::sqrt(share),
        })
    })
});

impl Evaluator<CantStop> for Progress {
    fn value(&self, game: &CantStop, state: &State) -> f64 {
        let worths = &*WORTHS;
        let side = |player: Player| {
            // The best columns, in descending order.
            let mut best = [0.0; MOST_COLUMNS];
            let best = &mut best[..usize::from(game.goal)];
            for (reached, top) in game.climbed(state, player) {
                let mut worth = worths[usize::from(top)][usize::from(reached)];
                for place in &mut *best {
                    if *place < worth {
                        std::mem::swap(place, &mut worth);
                    }
                }
            }
            best.iter().sum::<f64>()
        };
        let logit = SLOPE * (side(Player::Max) - side(Player::Min)) + MOVE * state.player.sign();
        WIN * libm::tanh(logit / 2.0)
    }

    fn horizon(&self, game: &CantStop, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth, luck)
    }
}
