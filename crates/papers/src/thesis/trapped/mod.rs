//! Section 4.3: how UCT evaluates traps. Table 4.1 and Figure 4.4 (the trap among the moves of a board),
//! Figures 4.6 and 4.7 (UCT inside the trap), in chess; Figure 4.5 in Kalah.

mod figure4_5;
mod figure4_6;
mod table4_1;

pub(crate) use figure4_5::FIGURE4_5;
pub(crate) use figure4_6::FIGURE4_6;
pub(crate) use table4_1::TABLE4_1;

use super::traps::semi_random;
use crate::bench::{Batch, check};
use crate::{Bench, Failed, Table};
use astragal_arena::survey::{Source, Survey};
use astragal_catalog::{Analysis, AnyGame, Position};
use astragal_core::Turn;
use astragal_stats::{Estimate, LEVEL, Running};
use serde::{Deserialize, Serialize};

/// The exploration constant of the section.
const C: f64 = 0.4;

/// UCT with random playouts that are drawn after 300 plies (section 3.1.1).
fn uct() -> String {
    format!("uct(c={C},dr=300,eval=even)")
}

/// A board with a trap.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Risky {
    position: String,
    /// A move into a trap of this level, the lowest on the board.
    action: String,
    level: u32,
    /// The number of moves into traps of this level.
    traps: usize,
}

/// The source of boards, and the selection criteria.
struct Hunt<'a> {
    experiment: &'a str,
    source: Source,
    plies: Vec<u32>,
    levels: &'a [u32],
    games: usize,
    /// The maximum number of boards of each level.
    most: usize,
}

/// Boards whose shallowest trap has one of these levels and which have at least one move that is no trap; the
/// first of each level in a game.
fn hunt(game: &str, hunt: Hunt<'_>, bench: &mut Bench<'_>) -> Result<Vec<Risky>, Failed> {
    let Hunt { experiment, source, plies, levels, games, most } = hunt;
    let deepest = *levels.last().expect("there are some");
    let survey =
        Survey::new(astragal_catalog::game(game)?.into(), source, plies.clone(), deepest, bench.seed)?;
    let batch = Batch { experiment, part: "boards", count: games };
    let found = bench.each(batch, "looking for traps", |number, watch| {
        let mut found: Vec<Risky> = Vec::new();
        survey.walk(number as u64, watch, &mut |ply, position, watch| {
            if plies.contains(&ply)
                && matches!(position.turn(), Turn::Decide(_))
                && let Ok(Some(level)) = position.shallowest_trap(deepest, watch)
                && levels.contains(&level)
                && found.iter().all(|other| other.level != level)
                && let Ok(traps) = position.traps(level, watch)
                && traps.len() < position.actions().len()
            {
                let action = traps[0].action.clone();
                found.push(Risky { position: position.text(), action, level, traps: traps.len() });
            }
            !watch.cancelled()
        })?;
        check(watch)?;
        Ok(found)
    })?;
    let of = |level: &u32| {
        let level = *level;
        found.iter().flatten().filter(move |board| board.level == level).take(most).cloned()
    };
    Ok(levels.iter().flat_map(of).collect())
}

/// Such boards from semi-random games of chess.
fn hunt_chess(
    experiment: &str,
    levels: &[u32],
    games: usize,
    most: usize,
    bench: &mut Bench<'_>,
) -> Result<Vec<Risky>, Failed> {
    let plies = (15..=63).step_by(8).collect();
    hunt("chess", Hunt { experiment, source: semi_random(3), plies, levels, games, most }, bench)
}

/// Converts a value to its worth for the player to move, from −1 to 1.
fn worth(game: &dyn AnyGame, position: &dyn Position, value: f64) -> f64 {
    let range = game.range();
    let share = (value - range.middle()) / (0.5 * range.width());
    match position.turn() {
        Turn::Decide(player) => player.sign() * share,
        _ => share,
    }
}

/// The worth of an action according to an analysis.
fn worth_of(game: &dyn AnyGame, position: &dyn Position, analysis: &Analysis, action: &str) -> f64 {
    let line = analysis.lines.iter().find(|line| line.action == action);
    line.map_or(f64::NAN, |line| worth(game, position, line.value))
}

/// The mean over boards, with its interval.
fn mean(values: impl Iterator<Item = f64>) -> Estimate {
    values.collect::<Running>().estimate(LEVEL)
}

/// UCT's estimates, after some iterations, of its best move, of Minimax's and of the trap.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Thought {
    iterations: u64,
    worths: [f64; 3],
    /// Whether UCT would play into a trap of this board's level or less.
    falls: bool,
}

/// The fractions of UCT's work at which its estimate is recorded.
const PARTS: [f64; 6] = [0.03, 0.1, 0.2, 0.4, 0.7, 1.0];

/// The boards.
fn list(boards: &[Risky]) -> Table {
    let mut table = Table::new("boards", "The boards.", &["level", "position", "trap", "moves into traps"]);
    for board in boards {
        let Risky { position, action, level, traps } = board;
        table.rows.push(vec![level.to_string(), position.clone(), action.clone(), traps.to_string()]);
    }
    table
}
