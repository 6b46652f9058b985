//! Perft: counting sequences of play, to check rules against known numbers.

use astragal_core::{Game, Stop, Turn, Unwatched, Watch};

/// The number of distinct sequences of this many decisions together with the chance outcomes before each;
/// with `resolve`, the outcomes after the last decision also count. A sequence that ends early counts only at
/// the depth at which it ends.
///
/// # Panics
/// Never: nothing cancels the count.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, resolve: bool) -> u64 {
    perft_watched(game, state, depth, resolve, &mut Unwatched).expect("nobody asks for the end")
}

/// [`perft`] that can be cancelled.
///
/// # Errors
/// If the watch cancels the count.
pub fn perft_watched<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    resolve: bool,
    watch: &mut dyn Watch,
) -> Result<u64, Stop> {
    if depth > 1 && watch.cancelled() {
        return Err(Stop::Cancelled);
    }
    let mut sum = 0;
    match game.turn(state) {
        Turn::Over(_) => sum = u64::from(depth == 0),
        Turn::Chance if depth == 0 && !resolve => sum = 1,
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            for outcome in outcomes {
                let mut child = state.clone();
                game.resolve(&mut child, outcome.item);
                sum += perft_watched(game, &child, depth, resolve, watch)?;
            }
        }
        Turn::Decide(_) if depth == 0 => sum = 1,
        Turn::Decide(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            if depth == 1 && !resolve {
                return Ok(actions.len() as u64);
            }
            for action in actions {
                let mut child = state.clone();
                game.apply(&mut child, action);
                sum += perft_watched(game, &child, depth - 1, resolve, watch)?;
            }
        }
    }
    Ok(sum)
}
