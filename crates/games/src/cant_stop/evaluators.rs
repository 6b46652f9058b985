//! Evaluators of Can't Stop.

use super::{CantStop, MOST_COLUMNS, Phase, State, WIN};
use crate::ROUNDING;
use astragal_core::{Evaluator, Game, Interval, Luck, Player};

impl CantStop {
    /// How far a player has come in each column, as a share of it, the markers of this turn counted as kept;
    /// none in columns that belong to the other.
    fn shares(&self, state: &State, player: Player) -> [f64; MOST_COLUMNS] {
        let mut shares = [0.0; MOST_COLUMNS];
        let (own, other) = (&state.pegs[player.index()], &state.pegs[player.other().index()]);
        for (column, share) in shares[..self.columns()].iter_mut().enumerate() {
            let top = self.length(column);
            if other[column] < top {
                let reached = if player == state.player { state.reached(column) } else { own[column] };
                *share = f64::from(reached) / f64::from(top);
            }
        }
        shares
    }
}

/// The bounds of an evaluator that does not see the dice: after a throw it says what it says before it,
/// unless the throw is a bust.
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

/// The evaluator `columns`: the difference of completed columns, and a tenth as much of all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns;

impl Evaluator<CantStop> for Columns {
    fn value(&self, game: &CantStop, state: &State) -> f64 {
        let side = |player: Player| {
            let shares = game.shares(state, player);
            let full = shares.iter().filter(|&&share| share >= 1.0).count() as f64;
            full + 0.1 * shares.iter().sum::<f64>()
        };
        game.range().clamp(WIN / (f64::from(game.goal) + 1.0) * (side(Player::Max) - side(Player::Min)))
    }

    fn horizon(&self, game: &CantStop, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth, luck)
    }
}

/// The evaluator `progress`: each player's best columns, progress to the power of 3/2, through a logistic
/// curve.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress;

/// What a completed column is worth beside an almost completed one.
const CLAIMED: f64 = 1.15;
/// The slope of the curve, and what the right to move is worth on it.
const SLOPE: f64 = 3.0;
const MOVE: f64 = 0.2;

impl Evaluator<CantStop> for Progress {
    fn value(&self, game: &CantStop, state: &State) -> f64 {
        let side = |player: Player| {
            let mut worth =
                game.shares(state, player).map(|f| if f >= 1.0 { CLAIMED } else { f * libm::sqrt(f) });
            worth.sort_unstable_by(|a, b| b.total_cmp(a));
            worth[..usize::from(game.goal)].iter().sum::<f64>()
        };
        let logit = SLOPE * (side(Player::Max) - side(Player::Min)) + MOVE * state.player.sign();
        WIN * libm::tanh(logit / 2.0)
    }

    fn horizon(&self, game: &CantStop, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth, luck)
    }
}
