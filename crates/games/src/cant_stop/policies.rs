//! Rule-based players of Can't Stop: Keller's Rule of 28, and the evolved weights of Glenn and Aloi.
//!
//! Both sum progress points over the columns with a marker, (squares climbed in this turn + 1) times the
//! worth of the column, adjust the sum for the kinds of columns once all three markers are placed, and stop
//! at a threshold.

use super::{Action, CantStop, MARKERS, Phase, State};
use astragal_core::{Game, Policy};

/// The point adjustments and the threshold.
struct Points {
    odds: i32,
    evens: i32,
    lows: i32,
    highs: i32,
    threshold: i32,
}

impl CantStop {
    /// Whether a player with these points rolls again: always while a marker is free.
    fn rolls_again(&self, state: &State, points: &Points, worth: impl Fn(usize) -> i32) -> bool {
        let marked: Vec<(usize, u8)> = state.marked().collect();
        if marked.len() < MARKERS {
            return true;
        }
        let pegs = &state.pegs[state.player.index()];
        let climbed = |&(column, level): &(usize, u8)| i32::from(level - pegs[column]) + 1;
        let mut sum: i32 = marked.iter().map(|mark| climbed(mark) * worth(mark.0)).sum();
        // Columns count from 0 here, so an even index is an even number on the board. The middle belongs to
        // both sides.
        let middle = self.columns() / 2;
        let all = |holds: &dyn Fn(usize) -> bool| marked.iter().all(|&(column, _)| holds(column));
        sum += if all(&|c| c % 2 == 1) { points.odds } else { 0 };
        sum += if all(&|c| c % 2 == 0) { points.evens } else { 0 };
        sum += if all(&|c| c <= middle) { points.lows } else { 0 };
        sum += if all(&|c| c >= middle) { points.highs } else { 0 };
        sum < points.threshold
    }

    /// The most valuable way to advance; the first of equals.
    fn best_advance(&self, state: &State, worth: impl Fn(&[u8], i32) -> i32) -> Option<Action> {
        let mut actions = Vec::new();
        self.actions(state, &mut actions);
        let score = |action: &Action| {
            let Action::Advance(first, second) = *action else { return i32::MIN };
            let columns: Vec<u8> = [Some(first), second].into_iter().flatten().collect();
            let mut placed = columns.clone();
            placed.dedup();
            let new = placed.iter().filter(|&&column| state.level(usize::from(column)) == 0).count();
            worth(&columns, new as i32)
        };
        // `max_by_key` returns the last of equals, so the order is reversed.
        actions.into_iter().rev().max_by_key(score)
    }
}

/// Keller's Rule of 28. A column is worth its distance from the middle plus one; all columns odd adds 2
/// points, all even subtracts 2, and all on one side of the middle, the middle included, adds 4. The rule
/// says only when to stop; among pairings this player prefers the fewest new markers, then the most points.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleOf28;

impl Policy<CantStop> for RuleOf28 {
    fn choose(&self, game: &CantStop, state: &State) -> Action {
        let worth = |column: usize| (game.columns() / 2).abs_diff(column) as i32 + 1;
        let points = Points { odds: 2, evens: -2, lows: 4, highs: 4, threshold: 28 };
        match state.phase {
            Phase::Choosing(_) => game
                .best_advance(state, |columns, new| {
                    columns.iter().map(|&column| worth(usize::from(column))).sum::<i32>() - 100 * new
                })
                .expect("there is something to choose"),
            _ if state.is_turn_start() || game.rolls_again(state, &points, worth) => Action::Roll,
            _ => Action::Stop,
        }
    }
}

/// The player of Glenn and Aloi (2009), with weights found by a genetic algorithm. For six-sided dice.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlennAloi;

/// The worth of a square in columns 2 to 12, for the decision to stop and for the choice of a pairing.
const PROGRESS: [i32; 11] = [7, 7, 3, 2, 2, 1, 2, 2, 3, 7, 7];
const CHOICE: [i32; 11] = [7, 0, 2, 0, 4, 3, 4, 0, 2, 0, 7];
/// The cost of a new marker in the choice of a pairing.
const NEW_MARKER: i32 = 6;

impl GlennAloi {
    /// Whether the weights apply to this game.
    #[must_use]
    pub fn plays(game: &CantStop) -> bool {
        game.columns() == PROGRESS.len()
    }
}

impl Policy<CantStop> for GlennAloi {
    fn choose(&self, game: &CantStop, state: &State) -> Action {
        assert!(Self::plays(game), "contract: these weights are for dice of six sides");
        let points = Points { odds: 7, evens: 1, lows: 5, highs: 6, threshold: 29 };
        match state.phase {
            Phase::Choosing(_) => game
                .best_advance(state, |columns, new| {
                    columns.iter().map(|&column| CHOICE[usize::from(column)]).sum::<i32>() - NEW_MARKER * new
                })
                .expect("there is something to choose"),
            _ if state.is_turn_start() || game.rolls_again(state, &points, |column| PROGRESS[column]) => {
                Action::Roll
            }
            _ => Action::Stop,
        }
    }
}
