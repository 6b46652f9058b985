//! Perft: counting sequences of play, to check rules against known numbers.

use astragal_core::{Game, Turn};

/// The number of different sequences of this many decisions together with the chance outcomes before each;
/// with `resolve`, the outcomes after the last decision also count. A sequence that ends early counts at the
/// depth at which it ends and not deeper.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, resolve: bool) -> u64 {
    match game.turn(state) {
        Turn::Over(_) => u64::from(depth == 0),
        Turn::Chance if depth == 0 && !resolve => 1,
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let after = |outcome| {
                let mut child = state.clone();
                game.resolve(&mut child, outcome);
                perft(game, &child, depth, resolve)
            };
            outcomes.into_iter().map(|o| after(o.item)).sum()
        }
        Turn::Decide(_) if depth == 0 => 1,
        Turn::Decide(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            if depth == 1 && !resolve {
                return actions.len() as u64;
            }
            let after = |action| {
                let mut child = state.clone();
                game.apply(&mut child, action);
                perft(game, &child, depth - 1, resolve)
            };
            actions.into_iter().map(after).sum()
        }
    }
}
