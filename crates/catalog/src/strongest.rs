//! The strongest player of each game, determined by tournaments at equal time, and weaker levels for human
//! opponents.
//!
//! `strongest` is an alias: it builds another engine, which appears under its own spec. The tournaments and
//! the strength of the levels are in docs/strength.md.

use astragal_core::{EngineInfo, Interval, Kind, Known, Limit, Param, Values};

/// The catalogue entry.
pub(crate) const STRONGEST: EngineInfo = EngineInfo {
    name: "strongest",
    help: "the engine that won our tournaments in this game, otherwise star2 (alpha-beta without chance), or a weaker level of play",
    source: "docs/strength.md",
    chance: true,
    game: None,
    tree: false,
    budgets: Limit::DEEPENING,
    params: &[Param::new(
        "level",
        Kind::Int(1, TOP as u64),
        "8",
        "playing strength: 8 uses its whole budget, 4 to 7 search 1 to 4 decisions deep, 1 to 3 search one deep with a noisy evaluator",
    )],
};

/// The top level: full strength.
const TOP: u32 = 8;

/// The lower levels: search depth in decisions, and the standard deviation of the evaluation noise, relative
/// to half of the range.
const LEVELS: [(u32, f64); TOP as usize - 1] =
    [(1, 0.4), (1, 0.1), (1, 0.025), (1, 0.0), (2, 0.0), (3, 0.0), (4, 0.0)];

/// Alpha-beta for chess with everything that made it stronger at equal time. It is used by `astragal uci`.
pub const STRONGEST_CHESS: &str =
    "alpha-beta(table_mib=64,quiescence=8,null_move=2,reduce_after=4,extend=on,futility=2,aspiration=0.5)";

/// The winners of tournaments that are not the default search, by game. Nothing showed that another engine is
/// better at 500 than at 50 milliseconds per decision.
const WINNERS: &[(&str, &str)] =
    &[("chess", STRONGEST_CHESS), ("connect-four", "hybrid"), ("ra", "star2ss(width=2,horizon=off)")];

/// The spec of the engine that `strongest` with these parameters stands for in a game.
pub(crate) fn spec(values: &Values, known: &Known, game: &str, chance: bool, range: Interval) -> String {
    let search = if chance { "star2" } else { "alpha-beta" };
    let level: u32 = values.int("level");
    if let Some((depth, noise)) = LEVELS.get(level as usize - 1) {
        let evaluator = known.evaluators[0];
        let evaluator = match noise * range.width() / 2.0 {
            0.0 => evaluator.into(),
            sigma => format!("noisy(eval={evaluator},sigma={sigma})"),
        };
        return format!("{search}(eval={evaluator},depth={depth})");
    }
    WINNERS.iter().find(|(of, _)| *of == game).map_or(search, |(_, engine)| engine).into()
}
