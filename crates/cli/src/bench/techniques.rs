//! What each technique of alpha-beta saves: nodes to a fixed depth with and without it, in games without
//! chance.

use super::positions::after_random_moves;
use crate::print::{columns, count};
use astragal_catalog::game;
use astragal_core::{Budget, Unwatched};
use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// The games, the depth, and the number of random moves that lead to a position.
const SETS: [(&str, u32, u32); 3] = [("kalah", 10, 0), ("connect-four", 9, 6), ("chess", 5, 8)];
/// Positions of each game.
const POSITIONS: usize = 6;

/// The baseline.
const ALL_EXACT: &str = "all exact techniques";
/// The settings. The last four may change values, so their savings have a price.
const SETTINGS: [(&str, &str); 14] = [
    ("plain, no order", "plain=on,order=off"),
    ("plain", "plain=on"),
    (ALL_EXACT, ""),
    ("in steps of two", "step=2"),
    ("without deepening", "deepening=off"),
    ("without the table", "table_mib=0"),
    ("without order", "order=off"),
    ("without killers", "killers=off"),
    ("without history", "history=off"),
    ("without scout windows", "scout=off"),
    ("and null moves", "null_move=2"),
    ("and futility", "futility=2"),
    ("and reductions", "reduce_after=4"),
    ("and all three", "null_move=2,futility=2,reduce_after=4"),
];

/// One setting in one game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Technique {
    game: &'static str,
    depth: u32,
    setting: &'static str,
    nodes: u64,
    /// Nodes relative to all exact techniques.
    share: f64,
    seconds: f64,
}

/// Searches all positions with all settings.
pub(super) fn techniques() -> Vec<Technique> {
    let mut found = Vec::new();
    for (spec, depth, moves) in SETS {
        let game = game(spec).expect("a game of the catalogue");
        let positions: Vec<_> =
            (0..).filter_map(|number| after_random_moves(&*game, number, moves)).take(POSITIONS).collect();
        let first = found.len();
        for (setting, args) in SETTINGS {
            let mut engine = game.engine(&format!("alpha-beta({args})")).expect("a setting that is allowed");
            let start = Instant::now();
            let mut nodes = 0;
            for position in &positions {
                nodes += engine.analyze(&**position, 0, &Budget::depth(depth), &mut Unwatched).counts.nodes;
            }
            let seconds = start.elapsed().as_secs_f64();
            found.push(Technique { game: spec, depth, setting, nodes, share: 0.0, seconds });
        }
        let all = found[first..].iter().find(|technique| technique.setting == ALL_EXACT);
        let all = all.expect("it is one of the settings").nodes as f64;
        for technique in &mut found[first..] {
            technique.share = technique.nodes as f64 / all;
        }
    }
    found
}

/// Prints a table per game.
pub(super) fn print(found: &[Technique], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for group in found.chunk_by(|a, b| a.game == b.game) {
        let rows = group.iter().map(|row| {
            vec![
                format!("  {}", row.setting),
                count(row.nodes),
                format!("{:.2}", row.share),
                format!("{:.1}", row.seconds * 1e3),
            ]
        });
        let Technique { game, depth, .. } = group[0];
        let header = ["  setting", "nodes", "of all exact", "ms"];
        write!(
            f,
            "\nalpha-beta, {game}, {POSITIONS} positions, depth {depth}:\n{}",
            columns(&header, &[1, 2, 3], rows)
        )?;
    }
    Ok(())
}
