//! `astragal accuracy`: how often engines decide right, in trees of which it is known what is right.

use crate::args::{CrewArgs, Limits};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{columns, count, counted};
use crate::progress::ProgressLine;
use astragal_arena::accuracy::{Accuracy, Decided, accuracy};
use astragal_arena::work::{Executor, Work};
use astragal_catalog::{AnyGame, Spec, engine_info, game, game_info};
use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Grouped, Lines, Look, Series};
use astragal_store::{Crew, Store, file};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Measure how often engines decide right at the root of synthetic trees, whose best action is known.
///
/// Every engine decides in the same trees. --sweep does so for several values of a parameter of the game, or of
/// the engines that have it. Accuracies have 95 % intervals.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: critical, two-sided, pv, bpv or win-loss, with its parameters.
    pub(crate) game: String,
    /// The engines.
    #[arg(required = true)]
    pub(crate) engines: Vec<String>,
    /// How many trees.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) trees: u64,
    /// A parameter and its values: sigma=0,2,4, vmax=1..10 or c=0..1:0.1.
    #[arg(long, value_name = "KEY=VALUES")]
    pub(crate) sweep: Option<Sweep>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The seed of the first tree; the others follow.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Draw the accuracies into this file, SVG or PNG by its ending.
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sweep {
    key: String,
    values: Vec<String>,
}

/// The most values of a sweep.
const MOST: usize = 1000;

impl std::str::FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form =
            || "expected a parameter and values such as sigma=0,2,4, vmax=1..10 or c=0..1:0.1".to_string();
        let (key, values) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(form)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(form);
        let values: Vec<String> = match values.split_once("..") {
            None => values.split(',').map(|value| value.trim().to_string()).collect(),
            Some((from, rest)) => {
                let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
                let (from, to, step) = (number(from)?, number(to)?, number(step)?);
                let steps = ((to - from) / step + 1e-9).floor();
                if step <= 0.0 || !(0.0..MOST as f64).contains(&steps) {
                    return Err(format!("a sweep has 1 to {MOST} values, from the least to the greatest"));
                }
                // To twelve digits, so that 3 · 0.1 is written as 0.3.
                let value = |at: u32| format!("{:.12}", from + step * f64::from(at));
                let trimmed = |text: String| text.trim_end_matches('0').trim_end_matches('.').to_string();
                (0..=steps as u32).map(|at| trimmed(value(at))).collect()
            }
        };
        if values.iter().any(String::is_empty) {
            return Err(form());
        }
        Ok(Self { key: key.trim().into(), values })
    }
}

/// An engine in some trees.
#[derive(Serialize)]
struct Row {
    engine: String,
    /// The value of the parameter that is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    accuracy: f64,
    lo: f64,
    hi: f64,
    trees: u64,
    /// The mean number of nodes of a decision.
    nodes: f64,
}

#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<&'a str>,
    seed: u64,
    partial: bool,
    rows: &'a [Row],
}

/// A spec with another value of a parameter.
fn with(spec: &str, key: &str, value: &str) -> Result<String, Failure> {
    let mut spec = Spec::parse(spec)?;
    spec.args.retain(|(name, _)| name != key);
    spec.args.push((key.into(), value.into()));
    Ok(spec.to_string())
}

/// What is measured, with the value of the sweep.
struct Plan {
    at: Option<String>,
    /// The engine as it was given.
    engine: String,
    work: Accuracy,
}

fn plans(args: &Args) -> Result<Vec<Plan>, Failure> {
    let has = |engine: &str, key: &str| -> Result<bool, Failure> {
        let info = engine_info(&Spec::parse(engine)?.name)?;
        Ok(info.params.iter().any(|param| param.name == key))
    };
    let budget = args.limits.budget();
    let plan = |game_spec: &str, given: &str, engine: &str, at: Option<&str>| -> Result<Plan, Failure> {
        let rules: Arc<dyn AnyGame> = game(game_spec)?.into();
        let work = Accuracy::new(rules, engine, budget, args.seed)?;
        Ok(Plan { at: at.map(String::from), engine: given.into(), work })
    };
    let mut plans = Vec::new();
    let Some(Sweep { key, values }) = &args.sweep else {
        for engine in &args.engines {
            plans.push(plan(&args.game, engine, engine, None)?);
        }
        return Ok(plans);
    };
    let of_game =
        game_info(&Spec::parse(&args.game)?.name)?.info.params.iter().any(|param| param.name == key);
    let of_engines = args.engines.iter().map(|engine| has(engine, key)).collect::<Result<Vec<bool>, _>>()?;
    if !of_game && !of_engines.contains(&true) {
        return Err(Failure::Message(format!("neither the game nor an engine has a parameter '{key}'")));
    }
    for value in values {
        for (engine, has_it) in args.engines.iter().zip(&of_engines) {
            let rules = if of_game { with(&args.game, key, value)? } else { args.game.clone() };
            let player = if !of_game && *has_it { with(engine, key, value)? } else { engine.clone() };
            plans.push(plan(&rules, engine, &player, Some(value))?);
        }
    }
    Ok(plans)
}

pub(crate) fn measure(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let drawn = args.plot.as_ref().map(|path| (path, path.extension().and_then(|ending| ending.to_str())));
    if let Some((path, ending)) = &drawn
        && !matches!(ending, Some("svg" | "png"))
    {
        return Err(Failure::Message(format!("'{}' ends neither in .svg nor in .png", path.display())));
    }
    let plans = plans(args)?;
    let interruptible = Interruptible::start();
    let mut store = Store::memory();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    let mut line = ProgressLine::start();
    let (mut done, all) = (0, args.trees * plans.len() as u64);
    let works: Vec<(&dyn Work, u64)> =
        plans.iter().map(|plan| (&plan.work as &dyn Work, args.trees)).collect();
    let complete = crew.run(&works, &mut |_| {
        done += 1;
        interruptible.has_results();
        line.show(|| format!("{} of {}", count(done), counted(all, "decision", "decisions")));
        ControlFlow::Continue(())
    })?;
    drop(line);
    let mut rows = Vec::new();
    for plan in &plans {
        let decided: Vec<Decided> = crew.results(&plan.work, args.trees)?;
        if let Some((mean, interval)) = accuracy(&decided) {
            let nodes = decided.iter().map(|one| one.nodes as f64).sum::<f64>() / decided.len() as f64;
            let (lo, hi, trees) = (interval.lo, interval.hi, decided.len() as u64);
            let (engine, at) = (plan.engine.clone(), plan.at.clone());
            rows.push(Row { engine, at, accuracy: mean, lo, hi, trees, nodes });
        }
    }
    drop(interruptible);
    let key = args.sweep.as_ref().map(|sweep| sweep.key.as_str());
    if args.json {
        let object = Json { game: &args.game, sweep: key, seed: args.seed, partial: !complete, rows: &rows };
        writeln!(out, "{}", serde_json::to_string(&object).expect("text and numbers"))?;
    } else {
        writeln!(out, "{}  {} each\n", args.game, counted(args.trees, "tree", "trees"))?;
        let cells = |row: &Row| {
            let at = row.at.clone().into_iter();
            let share = format!("{:.1} [{:.1}, {:.1}]", 100.0 * row.accuracy, 100.0 * row.lo, 100.0 * row.hi);
            at.chain([row.engine.clone(), share, count(row.nodes.round() as u64), count(row.trees)]).collect()
        };
        let header: Vec<&str> = key.into_iter().chain(["engine", "right %", "nodes", "trees"]).collect();
        let right: Vec<usize> = (header.len() - 3..header.len()).collect();
        write!(out, "{}", columns(&header, &right, rows.iter().map(cells)))?;
        if !complete {
            writeln!(out, "partial: interrupted after {} of {} decisions", count(done), count(all))?;
        }
    }
    if let Some((path, ending)) = drawn {
        let figure = figure(args, &rows);
        let bytes = match ending {
            Some("png") => figure.png(2.0).map_err(|error| Failure::Message(error.to_string()))?,
            _ => figure.svg().into_bytes(),
        };
        file::write(path, &bytes)?;
    }
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}

/// The accuracies: a curve for each engine over the parameter, or a bar for each.
fn figure(args: &Args, rows: &[Row]) -> Figure {
    let estimate = |row: &Row| Estimate::new(100.0 * row.accuracy, 100.0 * row.lo, 100.0 * row.hi);
    let axis = || Axis::new("right decisions").unit("%").range(0.0, 100.0);
    let mut figure = Figure::new(&args.game);
    figure.subtitle = format!("Right decisions at the root of {} trees, with 95 % intervals", args.trees);
    let numbers = |engine: &str| -> Option<Vec<(f64, Estimate)>> {
        let of = rows.iter().filter(|row| row.engine == engine);
        of.map(|row| Some((row.at.as_ref()?.parse().ok()?, estimate(row)))).collect()
    };
    let curves: Option<Vec<Curve>> =
        args.engines.iter().map(|engine| Some(Curve::new(engine, Look::Band, numbers(engine)?))).collect();
    let chart = match (&args.sweep, curves) {
        (Some(sweep), Some(curves)) => {
            Chart::Lines(Lines { x: Axis::new(&sweep.key), y: axis(), curves, references: Vec::new() })
        }
        _ => {
            let name = |row: &Row| match &row.at {
                Some(at) => format!("{}, {at}", row.engine),
                None => row.engine.clone(),
            };
            Chart::Bars(Grouped {
                categories: rows.iter().map(name).collect(),
                series: vec![Series::new("right", rows.iter().map(estimate).collect())],
                axis: axis(),
                ..Grouped::default()
            })
        }
    };
    figure.panel("", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_lists_and_ranges() {
        let values = |text: &str| text.parse::<Sweep>().map(|sweep| sweep.values.join(" "));
        assert_eq!(values("sigma=0,2,4").unwrap(), "0 2 4");
        assert_eq!(values("vmax=1..4").unwrap(), "1 2 3 4");
        assert_eq!(values("c=0..0.4:0.1").unwrap(), "0 0.1 0.2 0.3 0.4");
        assert_eq!(values("kmax=10..10").unwrap(), "10");
        for text in ["", "c", "=1", "c=", "c=1,,2", "c=2..1", "c=0..1:0", "c=0..1:-1", "c=a..b", "c=0..1e9"] {
            assert!(values(text).is_err(), "{text}");
        }
    }
}
