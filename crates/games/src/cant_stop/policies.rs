//! Players of Can't Stop that follow a rule: Keller's Rule of 28, and the weights that Glenn and Aloi
//! evolved.
//!
//! Both count progress points for the columns with a marker, (squares climbed in this turn + 1) times the
//! worth of the column, add something for which columns they are once all three markers are placed, and stop
//! at a threshold.

use super::{Action, CantStop, MARKERS, Phase, State};
use astragal_core::{Game, Policy};

/// How the points are counted, and when they are enough.
struct Points {
    odds: i32,
    evens: i32,
    lows: i32,
    highs: i32,
    threshold: i32,
}

impl CantStop {
    /// Whether a player who counts so rolls again: always while a marker is free.
    fn rolls_again(&self, state: &State, points: &Points, worth: impl Fn(usize) -> i32) -> bool {
        let marked: Vec<(usize, u8)> = state.marked().collect();
        if marked.len() < MARKERS {
            return true;
        }
        let pegs = &state.pegs[state.player.index()];
        let climbed = |&(column, level): &(usize, u8)| i32::from(level - pegs[column]) + 1;
        let mut sum: i32 = marked.iter().map(|mark| climbed(mark) * worth(mark.0)).sum();
        // Columns count from 0 here, so an even place is an even number on the board; the middle counts on
        // both sides.
        let middle = self.columns() / 2;
        let all = |holds: &dyn Fn(usize) -> bool| marked.iter().all(|&(column, _)| holds(column));
        sum += if all(&|c| c % 2 == 1) { points.odds } else { 0 };
        sum += if all(&|c| c % 2 == 0) { points.evens } else { 0 };
        sum += if all(&|c| c <= middle) { points.lows } else { 0 };
        sum += if all(&|c| c >= middle) { points.highs } else { 0 };
        sum < points.threshold
    }

    /// The way to advance that is worth most, the first of equals.
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
        // The last of equals wins in `max_by_key`, so they are looked at backwards.
        actions.into_iter().rev().max_by_key(score)
    }
}

/// Keller's Rule of 28. A column is worth its distance from the middle plus one; all odd columns cost 2
/// points, all even ones save 2, and all on one side of the middle, the middle included, cost 4. It says when
/// to stop; of several ways to advance this player takes the one with the fewest new markers and then the
/// most points.
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

/// The player of Glenn and Aloi (2009), whose weights were found by a genetic algorithm. For dice of six
/// sides.
#[derive(Clone, Copy, Debug, Default)]
pub struct GlennAloi;

/// What a square in columns 2 to 12 counts when it is to be decided whether to stop, and when a pairing is
/// chosen.
const PROGRESS: [i32; 11] = [7, 7, 3, 2, 2, 1, 2, 2, 3, 7, 7];
const CHOICE: [i32; 11] = [7, 0, 2, 0, 4, 3, 4, 0, 2, 0, 7];
/// What a new marker costs when a pairing is chosen.
const NEW_MARKER: i32 = 6;

impl GlennAloi {
    /// Whether the weights are for this game.
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
