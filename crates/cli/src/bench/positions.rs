//! Positions for measurements.

use astragal_catalog::{AnyGame, Position};
use astragal_core::{Sampler, Turn, below, unit};

/// The decision reached from a random start, if the game has them, by this many random moves, with `number`
/// as the seed; none if the game ends before.
pub(super) fn after_random_moves(game: &dyn AnyGame, number: u64, moves: u32) -> Option<Box<dyn Position>> {
    let mut position = game.deal(number).unwrap_or_else(|| game.start());
    let mut left = moves;
    for step in 0.. {
        let bits = Sampler::new(0).draw(number, 0, step);
        position = match position.turn() {
            Turn::Over(_) => return None,
            Turn::Decide(_) if left == 0 => break,
            Turn::Decide(_) => {
                left -= 1;
                position.act_at(below(bits, position.actions().len() as u64) as usize)?
            }
            Turn::Chance => position.chance(unit(bits))?.1,
        };
    }
    Some(position)
}
