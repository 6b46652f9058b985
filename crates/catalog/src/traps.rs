//! Traps as text, and the checker of their proofs, which uses nothing but the rules.

use crate::faces::Position;
use astragal_core::{Notation, Player, Turn};
use astragal_search::{Strategy, Trap};

/// Describes a trap as text.
pub(crate) fn describe<G: Notation>(game: &G, state: &G::State, trap: &Trap<G::Action>) -> Trap<String> {
    let mut child = state.clone();
    game.apply(&mut child, trap.action);
    let strategy = strategy(game, &child, &trap.strategy);
    Trap { action: game.write_action(state, trap.action), level: trap.level, strategy }
}

/// Describes a strategy as text; it begins at this state.
fn strategy<G: Notation>(game: &G, state: &G::State, found: &Strategy<G::Action>) -> Strategy<String> {
    let after = |action: G::Action, then: &Strategy<G::Action>| {
        let mut child = state.clone();
        game.apply(&mut child, action);
        (game.write_action(state, action), strategy(game, &child, then))
    };
    match found {
        Strategy::Won => Strategy::Won,
        Strategy::Do(action, then) => {
            let (text, then) = after(*action, then);
            Strategy::Do(text, Box::new(then))
        }
        Strategy::Against(answers) => {
            Strategy::Against(answers.iter().map(|(action, then)| after(*action, then)).collect())
        }
    }
}

/// Checks that a strategy wins for a player from a position, in at most `most` steps, whatever the opponent
/// does. Payoffs on the player's side of `middle` are won.
///
/// # Errors
/// What is wrong with it, in a line.
pub fn check_strategy(
    found: &Strategy<String>,
    position: &dyn Position,
    winner: Player,
    steps: u32,
    middle: f64,
) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("{why} in {}", position.text()));
    let act = |action: &str| position.act(action).map_err(|error| error.to_string());
    match (found, position.turn()) {
        (Strategy::Won, Turn::Over(payoff)) if winner.prefers(payoff, middle) => Ok(()),
        (_, Turn::Over(_)) => wrong("the game is over and not won"),
        (_, _) if steps == 0 => wrong("no step is left, and the game is not over"),
        (Strategy::Do(action, then), Turn::Decide(player)) if player == winner => {
            check_strategy(then, &*act(action)?, winner, steps - 1, middle)
        }
        (Strategy::Against(answers), Turn::Decide(player)) if player != winner => {
            for action in position.actions() {
                let Some((_, then)) = answers.iter().find(|(answer, _)| *answer == action) else {
                    return wrong(&format!("there is nothing against {action}"));
                };
                check_strategy(then, &*act(&action)?, winner, steps - 1, middle)?;
            }
            Ok(())
        }
        _ => wrong("it is another player's turn"),
    }
}
