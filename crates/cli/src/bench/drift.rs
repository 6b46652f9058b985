//! How far values move in a few decisions, compared with the bounds that evaluators promise: where the bounds
//! are much wider, a tighter one may be worth looking for.

use crate::print::columns;
use astragal_core::contract::{Play, walk};
use astragal_core::{Evaluator, Game, Interval, Luck, Turn, estimate};
use astragal_games::cant_stop::{CantStop, Progress};
use astragal_games::connect_four::{ConnectFour, Fours};
use astragal_games::ewn::{Ewn, Proximity};
use astragal_games::kalah::{Kalah, Stores};
use astragal_games::pig::{Lead, Pig};
use astragal_games::ra::{Assets, Ra};
use astragal_search::{Algorithm, Options, StarMinimax};
use serde::Serialize;
use std::fmt;

/// States of each game, from random play.
const STATES: usize = 200;
const PLAY: Play = Play { games: 40, length: 60, seed: 1, unfinished: true };

/// The quantiles: minimum, 5 %, median, 95 % and maximum.
const SHARES: [f64; 5] = [0.0, 0.05, 0.5, 0.95, 1.0];

/// How far the values of one game move at one depth, in units of its payoffs.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Drift {
    game: &'static str,
    depth: u32,
    /// The quantiles of the value at this depth minus the evaluation.
    moved: [f64; SHARES.len()],
    /// The median widths of the evaluator's bounds for this depth, and of the game's bounds.
    horizon: f64,
    bounds: f64,
}

/// Searches states of all games.
pub(super) fn drifts() -> Vec<Drift> {
    let mut found = Vec::new();
    drift("pig", &Pig::default(), Lead, 4, &mut found);
    drift("ewn", &Ewn::new(5, 5, 6).expect("a board"), Proximity, 3, &mut found);
    drift("cant-stop", &CantStop::new(6, 3, 3, 2).expect("dice"), Progress, 3, &mut found);
    drift("ra", &Ra::default(), Assets, 3, &mut found);
    drift("connect-four", &ConnectFour::default(), Fours, 4, &mut found);
    drift("kalah", &Kalah::new(6, 4).expect("a board"), Stores, 4, &mut found);
    found
}

fn drift<G: Game, E: Evaluator<G> + Copy>(
    name: &'static str,
    game: &G,
    evaluator: E,
    deepest: u32,
    found: &mut Vec<Drift>,
) {
    let mut states = Vec::new();
    let walked = walk(game, PLAY, |state, turn| {
        if matches!(turn, Turn::Decide(_)) {
            states.push(state.clone());
        }
        Ok(())
    });
    walked.expect("a game that keeps its promises");
    let some: Vec<&G::State> = states.iter().step_by((states.len() / STATES).max(1)).take(STATES).collect();
    // The bounds under test are not used.
    let options = Options { horizon: false, ..Options::new(Algorithm::Star2 { probes: 1 }) };
    let mut search = StarMinimax::new(evaluator, options);
    for depth in 1..=deepest {
        let moved = some.iter().map(|state| {
            let value = search.value_within(game, state, 0, depth, Interval::WHOLE).0;
            value - estimate(game, &evaluator, state)
        });
        let moved = sorted(moved);
        let horizon = |state: &G::State| evaluator.horizon(game, state, depth, Luck::Fair);
        let width = |state: &&G::State| horizon(state).unwrap_or_else(|| game.bounds(state)).width();
        let horizon = sorted(some.iter().map(width));
        let bounds = sorted(some.iter().map(|state| game.bounds(state).width()));
        found.push(Drift {
            game: name,
            depth,
            moved: SHARES.map(|share| quantile(&moved, share)),
            horizon: quantile(&horizon, 0.5),
            bounds: quantile(&bounds, 0.5),
        });
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Prints one table.
pub(super) fn print(found: &[Drift], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if found.is_empty() {
        return Ok(());
    }
    let rows = found.iter().map(|row| {
        let numbers = row.moved.into_iter().chain([row.horizon, row.bounds]);
        let words = numbers.map(|value| format!("{:.1}", value + 0.0));
        [format!("  {}", row.game), row.depth.to_string()].into_iter().chain(words).collect()
    });
    let header = ["  game", "depth", "least", "5 %", "median", "95 %", "most", "horizon", "bounds"];
    let table = columns(&header, &[1, 2, 3, 4, 5, 6, 7, 8], rows);
    write!(
        f,
        "\nHow far searches move the evaluation of {STATES} states, and the median widths of its horizon and of the \
         game's bounds:\n{table}"
    )
}
