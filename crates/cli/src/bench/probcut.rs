//! Forward pruning of chance nodes: how well shallow searches predict deeper ones, how often the predictions
//! are wrong in states not used for the fit, what cuts save, and what they cost.

use super::positions::after_random_moves;
use crate::print::columns;
use astragal_catalog::{AnyGame, Engine, Position, game};
use astragal_core::contract::{Play, walk};
use astragal_core::{Budget, Evaluator, Game, Interval, Player, Sampler, Turn, Unwatched, below};
use astragal_games::cant_stop::{CantStop, Progress};
use astragal_games::ewn::{Ewn, Proximity};
use astragal_games::pig::{Lead, Pig};
use astragal_games::ra::{Assets, Ra};
use astragal_search::{Fit, ProbCut, Star2, TableUse};
use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// The games, and the depth at which searches with and without cuts are compared.
const SETS: [(&str, u32); 4] = [("pig", 8), ("ewn", 6), ("cant-stop", 4), ("ra", 5)];

/// The margins in standard errors.
const MARGINS: [f64; 4] = [0.5, 1.0, 1.5, 2.0];

/// The number of positions per game, and the limit on the random moves that lead to one.
const POSITIONS: usize = 50;
const MOVES: u64 = 40;

/// The play that provides states for testing the fits, different from the play used for fitting.
const OTHER_PLAY: Play = Play { games: 40, length: 60, seed: 2, unfinished: true };
const STATES: usize = 100;

/// The measurements for one game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Forecast {
    game: &'static str,
    fits: Vec<Judged>,
    depth: u32,
    positions: usize,
    cuts: Vec<Cuts>,
}

/// A fit, and how often other states lie outside its margins.
#[derive(Clone, Debug, Serialize)]
struct Judged {
    depth: u32,
    shallow: u32,
    slope: f64,
    offset: f64,
    spread: f64,
    states: usize,
    /// The fraction of states beyond each of the margins, on either side.
    beyond: [f64; MARGINS.len()],
}

/// Searches with one margin.
#[derive(Clone, Debug, Serialize)]
struct Cuts {
    margin: f64,
    /// Nodes and time relative to the search without cuts.
    nodes: f64,
    time: f64,
    /// Positions in which its choice is not among the best actions of the exact search.
    other: usize,
    /// The loss of its decisions by the exact search: the mean over all positions, and the maximum.
    loss: f64,
    worst: f64,
    /// The mean absolute error of the root value.
    error: f64,
}

/// Measures all games, and reports each.
pub(super) fn forecasts(mut tell: impl FnMut(Forecast)) {
    for (spec, depth) in SETS {
        let fits = match spec {
            "pig" => judged(&Pig::default(), Lead),
            "ewn" => judged(&Ewn::new(5, 5, 6).expect("a board"), Proximity),
            "cant-stop" => judged(&CantStop::new(6, 3, 3, 2).expect("dice"), Progress),
            _ => judged(&Ra::default(), Assets),
        };
        let game = game(spec).expect("a game of the catalogue");
        let moves = |number: u64| below(Sampler::new(2).draw(number, 0, 0), MOVES) as u32;
        let positions: Vec<_> = (0..)
            .filter_map(|number| after_random_moves(&*game, number, moves(number)))
            .take(POSITIONS)
            .collect();
        let cuts = cuts(&*game, &positions, depth, &MARGINS);
        tell(Forecast { game: spec, fits, depth, positions: positions.len(), cuts });
    }
}

/// Tests the fits of a game on other states.
fn judged<G: Game, E: Evaluator<G> + Copy>(game: &G, evaluator: E) -> Vec<Judged> {
    let mut states = Vec::new();
    let walked = walk(game, OTHER_PLAY, |state, turn| {
        if turn == Turn::Chance {
            states.push(state.clone());
        }
        Ok(())
    });
    walked.expect("a game that keeps its promises");
    let some: Vec<&G::State> = states.iter().step_by((states.len() / STATES).max(1)).take(STATES).collect();
    let mut search = Star2::new(evaluator).table(TableUse::Off);
    let mut value = |state: &G::State, depth| search.value_within(game, state, 0, depth, Interval::WHOLE).0;
    let mut judge = |fit: &Fit| {
        let errors: Vec<f64> = some
            .iter()
            .map(|state| (value(state, fit.depth) - fit.predict(value(state, fit.shallow))).abs())
            .collect();
        let beyond = MARGINS.map(|margin| {
            errors.iter().filter(|error| **error > margin * fit.spread).count() as f64 / errors.len() as f64
        });
        let Fit { depth, shallow, slope, offset, spread } = *fit;
        Judged { depth, shallow, slope, offset, spread, states: errors.len(), beyond }
    };
    let cuts = ProbCut::new(1.0);
    let mut fitted = Star2::new(evaluator).table(TableUse::Off).probcut(cuts.clone());
    fitted.value_within(game, &game.start(), 0, 1, Interval::WHOLE);
    cuts.fits().iter().map(&mut judge).collect()
}

/// Compares searches with these margins with the exact search.
fn cuts(game: &dyn AnyGame, positions: &[Box<dyn Position>], depth: u32, margins: &[f64]) -> Vec<Cuts> {
    let engine = |spec: &str| game.engine(spec).expect("an engine of the catalogue");
    let search = |engine: &mut dyn Engine, position: &dyn Position| {
        engine.analyze(position, 0, &Budget::depth(depth), &mut Unwatched)
    };
    let mut judge = engine("star2(all_lines=on)");
    let exact: Vec<_> = positions.iter().map(|position| search(&mut *judge, &**position)).collect();
    let run = |spec: &str| {
        let mut engine = engine(spec);
        let start = Instant::now();
        let reports: Vec<_> = positions.iter().map(|position| search(&mut *engine, &**position)).collect();
        let nodes: u64 = reports.iter().map(|report| report.counts.nodes).sum();
        (reports, nodes as f64, start.elapsed().as_secs_f64())
    };
    let (_, all_nodes, all_seconds) = run("star2");
    let rows = margins.iter().map(|&margin| {
        let (reports, nodes, seconds) = run(&format!("star2(probcut={margin})"));
        let losses: Vec<f64> = (reports.iter().zip(&exact).zip(positions))
            .map(|((report, exact), position)| {
                let chosen = exact.lines.iter().find(|line| Some(&line.action) == report.best.as_ref());
                let lost = chosen.map_or(0.0, |line| exact.value - line.value);
                if position.turn() == Turn::Decide(Player::Min) { -lost } else { lost }
            })
            .collect();
        let other = (reports.iter().zip(&exact))
            .filter(|(report, exact)| report.best.as_ref().is_some_and(|best| !exact.tied.contains(best)));
        let errors = reports.iter().zip(&exact).map(|(report, exact)| (report.value - exact.value).abs());
        let count = positions.len() as f64;
        Cuts {
            margin,
            nodes: nodes / all_nodes,
            time: seconds / all_seconds,
            other: other.count(),
            loss: losses.iter().sum::<f64>() / count,
            worst: losses.iter().copied().fold(0.0, f64::max),
            error: errors.sum::<f64>() / count,
        }
    });
    rows.collect()
}

/// Prints two tables per game.
pub(super) fn print(found: &[Forecast], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for forecast in found {
        let Forecast { game, fits, depth, positions, cuts } = forecast;
        let rows = fits.iter().map(|fit| {
            let numbers = [fit.slope, fit.offset, fit.spread].map(|number| format!("{number:.2}"));
            let beyond = fit.beyond.map(|share| format!("{:.0} %", 100.0 * share));
            let depths = [format!("  {}", fit.depth), fit.shallow.to_string()];
            depths.into_iter().chain(numbers).chain(beyond).collect()
        });
        let header =
            ["  depth", "from", "times", "plus", "error", "beyond 0.5", "beyond 1", "beyond 1.5", "beyond 2"];
        let table = columns(&header, &[1, 2, 3, 4, 5, 6, 7, 8], rows);
        let states = fits.first().map_or(0, |fit| fit.states);
        write!(
            f,
            "\n{game}: values of chance states predicted from shallower ones, the standard error, and how often it was \
             larger in {states} other states:\n{table}"
        )?;
        let rows = cuts.iter().map(|row| {
            let Cuts { margin, nodes, time, other, loss, worst, error } = row;
            vec![
                format!("  star2(probcut={margin})"),
                format!("{nodes:.3}"),
                format!("{time:.3}"),
                other.to_string(),
                format!("{loss:.3}"),
                format!("{worst:.2}"),
                format!("{error:.3}"),
            ]
        });
        let header = ["  engine", "nodes", "time", "other decisions", "mean loss", "worst", "error of value"];
        let table = columns(&header, &[1, 2, 3, 4, 5, 6], rows);
        write!(f, "{game}, {positions} positions, depth {depth}, against star2:\n{table}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_margins_cut_nothing_wrongly_and_narrow_ones_save_nodes() {
        let game = game("pig").expect("a game of the catalogue");
        let positions: Vec<_> = (0..4).filter_map(|number| after_random_moves(&*game, number, 8)).collect();
        let found = cuts(&*game, &positions, 5, &[0.2, 50.0]);
        assert!(found[0].nodes < 0.95, "{found:?}");
        assert!(found[1].error == 0.0 && found[1].other == 0 && found[1].loss == 0.0, "{found:?}");
    }

    #[test]
    fn fits_hold_for_other_states() {
        let fits = judged(&Pig::default(), Lead);
        assert!(!fits.is_empty());
        for fit in fits {
            assert!((0.9..1.1).contains(&fit.slope), "{fit:?}");
            assert!(fit.beyond[3] < 0.15 && fit.beyond[0] > 0.1, "{fit:?}");
        }
    }
}
