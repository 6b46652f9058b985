//! The strongest player of each game, and weaker levels for human opponents. Where perfect play is known the
//! player was chosen by what its decisions lose, elsewhere by matches at equal time.
//!
//! `strongest` is an alias: it builds another engine, which appears under its own spec. The measurements and
//! the strength of the levels are in docs/strength.md.

use crate::kit::NEUTRAL;
use astragal_core::{EngineInfo, Interval, Kind, Known, Limit, Param, SpecError, Values};

/// The catalogue entry.
pub(crate) const STRONGEST: EngineInfo = EngineInfo {
    name: "strongest",
    help: "the engine that did best in this game, otherwise star2 (alpha-beta without chance, uct without an evaluator), or a weaker level of play",
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

/// The engines that are better than the default search, by game: where perfect play is known, by what their
/// decisions lose; elsewhere the winners of matches.
const WINNERS: &[(&str, &str)] =
    &[("chess", STRONGEST_CHESS), ("pig", "star2(eval=logistic)"), ("ra", "star2ss(width=2,horizon=off)")];

/// The spec of the engine that `strongest` with these parameters stands for in a game.
///
/// # Errors
/// If a weaker level is asked for in a game without an evaluator that could be weakened.
pub(crate) fn spec(
    values: &Values,
    known: &Known,
    game: &str,
    chance: bool,
    range: Interval,
) -> Result<String, SpecError> {
    let search = if chance { "star2" } else { "alpha-beta" };
    let level: u32 = values.int("level");
    let has_evaluator = known.evaluators[0] != NEUTRAL;
    if let Some((depth, noise)) = LEVELS.get(level as usize - 1) {
        if !has_evaluator {
            return Err(SpecError(format!(
                "a level of 'strongest' weakens the evaluator of a game, and {game} has none; limit the \
                 simulations of 'uct' instead"
            )));
        }
        let evaluator = known.evaluators[0];
        let evaluator = match noise * range.width() / 2.0 {
            0.0 => evaluator.into(),
            sigma => format!("noisy(eval={evaluator},sigma={sigma})"),
        };
        return Ok(format!("{search}(eval={evaluator},depth={depth})"));
    }
    let winner = WINNERS.iter().find(|(of, _)| *of == game).map(|(_, engine)| *engine);
    Ok(winner.unwrap_or(if has_evaluator { search } else { "uct" }).into())
}
