//! `astragal games`, `astragal rules` and `astragal engines`.

use super::STRONGEST;
use crate::failure::Failure;
use crate::page::render;
use crate::print::{BOLD, columns_of_text, styled};
use crate::wrap::{width, wrap};
use astragal_catalog::{
    self as catalog, EngineInfo, GameEntry, Genre, Param, Spec, SpecError, brief_engine, engine_info,
    game_info,
};
use std::io::Write;

pub(crate) fn games(name: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(name) = name else {
        for genre in Genre::ALL {
            let of_it = catalog::games().filter(|game| game.info.genre == genre);
            let rows = of_it.map(|game| vec![format!("  {}", game.info.name), game.info.help.into()]);
            let rows: Vec<Vec<String>> = rows.collect();
            if !rows.is_empty() {
                writeln!(out, "{}", styled(BOLD, heading(genre)))?;
                writeln!(out, "{}", columns_of_text(&[], &[], rows))?;
            }
        }
        let more = "astragal games NAME shows details: parameters, positions, evaluators; astragal rules NAME explains the rules.";
        writeln!(out, "{}", wrap(more, width(), 0))?;
        return Ok(());
    };
    let GameEntry { info, evaluators, policies, .. } = game_info(name)?;
    writeln!(out, "{}", wrap(&format!("{}: {}", styled(BOLD, info.name), info.help), width(), 2))?;
    writeln!(out, "\n{}", wrap(&format!("Source: {}", info.source), width(), 2))?;
    writeln!(out, "{}", wrap(&format!("Positions: {}", info.positions), width(), 2))?;
    writeln!(out, "Rules: astragal rules {}", info.name)?;
    write!(out, "{}", parameters("Parameters", info.params))?;
    let evaluators = evaluators.iter().enumerate().map(|(i, evaluator)| {
        let default = if i == 0 { " (default)" } else { "" };
        vec![format!("  {}", evaluator.name), format!("{}{default}", evaluator.help)]
    });
    write!(out, "\nEvaluators, for an engine's eval=:\n{}", columns_of_text(&[], &[], evaluators))?;
    if !policies.is_empty() {
        let policies = policies.iter().map(|policy| vec![format!("  {}", policy.name), policy.help.into()]);
        let policies = columns_of_text(&[], &[], policies);
        write!(out, "\nPlayout policies, for an engine's policy=:\n{policies}")?;
    }
    Ok(())
}

/// What the games of a kind are listed under.
fn heading(genre: Genre) -> &'static str {
    match genre {
        Genre::Game => "Games",
        Genre::Tree => "Trees, for the study of searches",
        Genre::Puzzle => "Puzzles, for one person",
    }
}

/// Explains the rules of a game, given by its name or by a spec.
pub(crate) fn rules(game: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let spec = Spec::parse(game)?;
    let GameEntry { info, .. } = game_info(&spec.name)?;
    // A game that is defined by a file has no drawings without it.
    let built = if spec.args.is_empty() { catalog::game(game).ok() } else { Some(catalog::game(game)?) };
    write!(out, "{}", render(info.rules, built.as_deref(), width()))?;
    write!(out, "{}", parameters("Variants", info.params))?;
    writeln!(out, "\n{}\n{}", styled(BOLD, "Sources"), wrap(&format!("  {}", info.source), width(), 2))?;
    Ok(())
}

pub(crate) fn engines(name: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(name) = name else {
        let rows = catalog::engines().map(|info| vec![info.name.to_string(), info.help.into()]);
        write!(out, "{}", columns_of_text(&[], &[], rows))?;
        let more =
            "astragal engines NAME shows details: parameters, ranges, defaults, the paper it comes from.";
        writeln!(out, "\n{}", wrap(more, width(), 0))?;
        return Ok(());
    };
    let info = engine_info(name)?;
    writeln!(out, "{}", wrap(&format!("{}: {}", styled(BOLD, info.name), info.help), width(), 2))?;
    writeln!(out, "\n{}", wrap(&format!("Source: {}", info.source), width(), 2))?;
    if let Some(game) = info.game {
        writeln!(out, "For {game} only.")?;
    }
    if !info.chance {
        writeln!(out, "For games without chance.")?;
    }
    let budgets: Vec<&str> = info.budgets.iter().map(|kind| kind.name()).collect();
    writeln!(out, "Budgets: {}", if budgets.is_empty() { "none".into() } else { budgets.join(", ") })?;
    write!(out, "{}", parameters("Parameters", info.params))?;
    if let Some(full) = in_full(info) {
        writeln!(out, "\nWithout parameters it stands for:\n{}", wrap(&format!("  {full}"), width(), 4))?;
    }
    if info.name == STRONGEST {
        // A game that cannot be built by its name alone is defined by a file.
        let games = catalog::games().filter_map(|game| catalog::game(game.info.name).ok());
        let rows = games.map(|game| {
            let engine = game.engine(STRONGEST)?;
            Ok(vec![format!("  {}", game.info().name), brief_engine(engine.spec(), game.spec())])
        });
        let rows = rows.collect::<Result<Vec<_>, SpecError>>()?;
        write!(out, "\nAt full strength it stands for:\n{}", columns_of_text(&[], &[], rows))?;
        let rest = "Where parameters add chance it is star2; in games defined by a file, star2 or, without chance, alpha-beta; in a game without an evaluator, uct.";
        writeln!(out, "{}", wrap(rest, width(), 0))?;
    }
    Ok(())
}

/// The complete spec of an engine with its default parameters, in the first game that it plays; none for one
/// that stands for others, or has to be told something.
fn in_full(info: &EngineInfo) -> Option<String> {
    if info.name == STRONGEST || info.params.is_empty() {
        return None;
    }
    let mut games = catalog::games().filter_map(|entry| catalog::game(entry.info.name).ok());
    games.find_map(|game| Some(game.engine(info.name).ok()?.spec().to_string()))
}

/// The parameters with their ranges and default values, under a heading.
fn parameters(heading: &str, params: &[Param]) -> String {
    if params.is_empty() {
        return "No parameters.\n".into();
    }
    let mut text = format!("\n{}:\n", styled(BOLD, heading));
    for param in params {
        let default = param.default_in_words();
        let head = format!("  {}  {}; {default}", styled(BOLD, param.name), param.kind.range());
        text += &format!("{}\n", wrap(&head, width(), 6));
        text += &format!("{}\n", wrap(&format!("      {}", param.help), width(), 6));
    }
    text
}
