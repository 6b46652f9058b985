//! `astragal games` and `astragal engines`.

use super::STRONGEST;
use crate::failure::Failure;
use crate::print::{BOLD, columns, styled};
use astragal_catalog::{
    self as catalog, GameEntry, Kind, Param, SpecError, brief_engine, engine_info, game_info,
};
use std::io::Write;

pub(crate) fn games(name: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(name) = name else {
        let rows = catalog::games().map(|game| vec![game.info.name.to_string(), game.info.help.into()]);
        write!(out, "{}", columns(&[], &[], rows))?;
        writeln!(out, "\nastragal games NAME shows details: parameters, positions, evaluators.")?;
        return Ok(());
    };
    let GameEntry { info, evaluators, policies, .. } = game_info(name)?;
    writeln!(out, "{}: {}", styled(BOLD, info.name), info.help)?;
    writeln!(out, "\nSource: {}", info.source)?;
    writeln!(out, "Positions: {}", info.positions)?;
    parameters(info.params, out)?;
    let evaluators = evaluators.iter().enumerate().map(|(i, evaluator)| {
        let default = if i == 0 { " (default)" } else { "" };
        vec![format!("  {}", evaluator.name), format!("{}{default}", evaluator.help)]
    });
    write!(out, "\nEvaluators, for an engine's eval=:\n{}", columns(&[], &[], evaluators))?;
    if !policies.is_empty() {
        let policies = policies.iter().map(|policy| vec![format!("  {}", policy.name), policy.help.into()]);
        write!(out, "\nPlayout policies, for an engine's policy=:\n{}", columns(&[], &[], policies))?;
    }
    Ok(())
}

pub(crate) fn engines(name: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(name) = name else {
        let rows = catalog::engines().map(|info| vec![info.name.to_string(), info.help.into()]);
        write!(out, "{}", columns(&[], &[], rows))?;
        writeln!(
            out,
            "\nastragal engines NAME shows details: parameters, ranges, defaults, the paper it comes from."
        )?;
        return Ok(());
    };
    let info = engine_info(name)?;
    writeln!(out, "{}: {}", styled(BOLD, info.name), info.help)?;
    writeln!(out, "\nSource: {}", info.source)?;
    if let Some(game) = info.game {
        writeln!(out, "For {game} only.")?;
    }
    if !info.chance {
        writeln!(out, "For games without chance.")?;
    }
    let budgets: Vec<&str> = info.budgets.iter().map(|kind| kind.name()).collect();
    writeln!(out, "Budgets: {}", if budgets.is_empty() { "none".into() } else { budgets.join(", ") })?;
    parameters(info.params, out)?;
    if info.name == STRONGEST {
        // A game that cannot be built by its name alone is defined by a file.
        let games = catalog::games().filter_map(|game| catalog::game(game.info.name).ok());
        let rows = games.map(|game| {
            let engine = game.engine(STRONGEST)?;
            Ok(vec![format!("  {}", game.info().name), brief_engine(engine.spec(), game.spec())])
        });
        let rows = rows.collect::<Result<Vec<_>, SpecError>>()?;
        write!(out, "\nAt full strength it stands for:\n{}", columns(&[], &[], rows))?;
        writeln!(
            out,
            "Where parameters add chance it is star2; in games defined by a file, star2 or, without chance, alpha-beta."
        )?;
    }
    Ok(())
}

fn parameters(params: &[Param], out: &mut dyn Write) -> Result<(), Failure> {
    if params.is_empty() {
        writeln!(out, "No parameters.")?;
        return Ok(());
    }
    writeln!(out, "\nParameters:")?;
    for param in params {
        let default = param.default_in_words();
        writeln!(out, "  {}  {}; {default}", styled(BOLD, param.name), param.kind.range())?;
        writeln!(out, "      {}", param.help)?;
    }
    Ok(())
}
