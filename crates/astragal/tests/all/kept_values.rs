//! A solution does not store the value of every state: those that it omits follow from those that it stores.

use astragal::core::{Game, Interval, Key, Player, Turn, Weighted};
use astragal::games::ewn::Ewn;
use astragal::games::tic_tac_toe::TicTacToe;
use astragal::solve::{Objective, Payoff, Solution, SolveOptions, Unsupervised, solve};
use std::collections::HashSet;

/// Every state reachable from `root`.
fn reachable<G: Game>(game: &G, root: &G::State) -> Vec<G::State> {
    let (mut met, mut states) = (HashSet::from([game.key(root)]), vec![root.clone()]);
    let (mut actions, mut outcomes, mut next) = (Vec::new(), Vec::new(), 0);
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        let mut found = Vec::new();
        match game.turn(&state) {
            Turn::Over(_) => {}
            Turn::Decide(_) => {
                actions.clear();
                game.actions(&state, &mut actions);
                found.extend(actions.iter().map(|&action| {
                    let mut child = state.clone();
                    game.apply(&mut child, action);
                    child
                }));
            }
            Turn::Chance => {
                outcomes.clear();
                game.outcomes(&state, &mut outcomes);
                found.extend(outcomes.iter().map(|outcome| {
                    let mut child = state.clone();
                    game.resolve(&mut child, outcome.item);
                    child
                }));
            }
        }
        states.extend(found.into_iter().filter(|child| met.insert(game.key(child))));
    }
    states
}

/// Solves a game and checks the value of every state: it must follow from the values of its successors, to
/// the bit. Returns the number of states and the number of stored values.
fn check_every_value<G: Game, O: Objective<G>>(game: &G, objective: &O) -> (usize, usize) {
    let (root, options) = (game.start(), SolveOptions::default());
    let solution = solve(game, std::slice::from_ref(&root), objective, &options, &mut Unsupervised).unwrap();
    let mut file = Vec::new();
    solution.save("game", &mut file).unwrap();
    let read = Solution::load("game", &mut &file[..]).unwrap();
    let states = reachable(game, &root);
    assert_eq!(solution.work().states, states.len());
    for state in &states {
        let found = solution.value_for(game, objective, state).unwrap();
        assert_eq!(read.value_for(game, objective, state), Some(found));
        let expected = match game.turn(state) {
            Turn::Over(payoff) => objective.end(payoff),
            Turn::Decide(player) => {
                let mut actions = Vec::new();
                game.actions(state, &mut actions);
                let value = |action| solution.action_value(game, objective, state, action).unwrap();
                let values = actions.into_iter().map(value);
                values.reduce(|a, b| if player.prefers(b, a) { b } else { a }).unwrap()
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                outcomes.iter().fold(0.0, |sum, outcome| {
                    let mut child = state.clone();
                    game.resolve(&mut child, outcome.item);
                    sum + outcome.weight * solution.value_for(game, objective, &child).unwrap()
                })
            }
        };
        assert_eq!(found.to_bits(), expected.to_bits(), "{state:?}");
    }
    (states.len(), solution.len())
}

#[test]
fn what_is_not_kept_follows_from_what_is() {
    // A decision records the roll, so it follows a single position; three quarters of the unfinished states
    // are of this kind.
    let game = Ewn::new(3, 3, 3).unwrap();
    for (states, kept) in [check_every_value(&game, &Payoff), check_every_value(&game, &Length)] {
        assert!(states == 81_076 && kept < states - 35_000, "{kept} of {states}");
    }
    // If different throws lead to the same states, deriving values again would cost too much.
    let (states, kept) = check_every_value(&Drift(150), &Payoff);
    assert!(states > 60_000 && kept == states, "{kept} of {states}");
    // Without chance there are no such states.
    assert_eq!(check_every_value(&TicTacToe, &Payoff), (5_478, 5_478));
}

/// The number of moves of a game in which one player maximises it and the other minimises it.
struct Length;

impl<G: Game> Objective<G> for Length {
    fn name(&self) -> &str {
        "length"
    }

    fn end(&self, _payoff: f64) -> f64 {
        0.0
    }

    fn reward(&self, _game: &G, _state: &G::State, _action: G::Action) -> f64 {
        1.0
    }
}

/// A number that in each round is moved by one by chance, and then by one or two by a player.
struct Drift(u16);

impl Game for Drift {
    /// The round, the number, and whether chance has moved it.
    type State = (u16, i32, bool);
    type Action = i32;
    type Outcome = i32;

    fn start(&self) -> Self::State {
        (0, 0, false)
    }

    fn turn(&self, &(round, number, is_moved): &Self::State) -> Turn {
        match round {
            _ if round == self.0 => Turn::Over(f64::from(number % 7)),
            _ if !is_moved => Turn::Chance,
            _ => Turn::Decide(if round % 2 == 0 { Player::Max } else { Player::Min }),
        }
    }

    fn actions(&self, _state: &Self::State, out: &mut Vec<i32>) {
        out.extend([1, 2]);
    }

    fn apply(&self, state: &mut Self::State, action: i32) {
        *state = (state.0 + 1, state.1 + action, false);
    }

    fn outcomes(&self, _state: &Self::State, out: &mut Vec<Weighted<i32>>) {
        out.extend([-1, 1].map(|item| Weighted { item, weight: 0.5 }));
    }

    fn resolve(&self, state: &mut Self::State, outcome: i32) {
        *state = (state.0, state.1 + outcome, true);
    }

    fn key(&self, &(round, number, is_moved): &Self::State) -> Key {
        Key(u128::from(round) << 64 | u128::from(is_moved) << 32 | u128::from(number as u32))
    }

    fn range(&self) -> Interval {
        Interval::new(-6.0, 6.0)
    }
}
