//! `astragal accuracy`: how often engines decide right, in trees of which it is known what is right, and
//! after how many simulations they come to know it.

mod decisions;
mod times;

use crate::args::{CrewArgs, Limits};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{count, counted};
use crate::progress::ProgressLine;
use astragal_arena::contest::NoContest;
use astragal_arena::work::{Executor, Work};
use astragal_catalog::{AnyGame, Spec, engine_info, game, game_info};
use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Grouped, Lines, Look, Series};
use astragal_store::{Crew, Store, file};
use serde::de::DeserializeOwned;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Measure how often engines decide right at the root of synthetic trees, whose best action is known.
///
/// Every engine decides in the same trees, and is compared with the first one tree by tree. --sweep does so
/// for several values of a parameter of the game, or of the engines that have it, and says who dominates
/// whom. Intervals have the level 95 %.
///
/// With --tau, measure after how many simulations the value of the root stays there.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: two-sided, pv, bpv or win-loss with its parameters; critical and others for --tau.
    pub(crate) game: String,
    /// The engines.
    #[arg(required = true)]
    pub(crate) engines: Vec<String>,
    /// How many trees.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) trees: u64,
    /// A parameter and its values: sigma=0,2,4, vmax=1..10 or c=0..1:0.1. Where both the game and an engine
    /// have it: game.depth=2..6 or engine.depth=2..6.
    #[arg(long, value_name = "KEY=VALUES")]
    pub(crate) sweep: Option<Sweep>,
    /// Measure instead from which simulation on the value of the root, for player 1, is this or more. Each
    /// search goes on to twice that time, and a hundred more, or ends without one after --iterations (a
    /// million if not given).
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) tau: Option<f64>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The seed of the first tree; the others follow.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Draw what was measured into this file, SVG or PNG by its ending.
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

/// A spec with another value of a parameter.
fn with(spec: &str, key: &str, value: &str) -> Result<String, Failure> {
    let mut spec = Spec::parse(spec)?;
    spec.args.retain(|(name, _)| name != key);
    spec.args.push((key.into(), value.into()));
    Ok(spec.to_string())
}

/// What is measured of an engine, as it was given, at a value of the sweep.
struct Plan<W> {
    at: Option<String>,
    engine: String,
    work: W,
}

type Made<W> = Result<W, NoContest>;

/// Everything to measure, the engines of each value together.
fn plans<W>(args: &Args, make: impl Fn(Arc<dyn AnyGame>, &str) -> Made<W>) -> Result<Vec<Plan<W>>, Failure> {
    let plan = |rules: &str, given: &str, engine: &str, at: Option<&str>| -> Result<Plan<W>, Failure> {
        let work = make(game(rules)?.into(), engine)?;
        Ok(Plan { at: at.map(String::from), engine: given.into(), work })
    };
    let Some(Sweep { key, values }) = &args.sweep else {
        return args.engines.iter().map(|engine| plan(&args.game, engine, engine, None)).collect();
    };
    let (whose, key) = match key.split_once('.') {
        Some((whose @ ("game" | "engine"), key)) => (whose, key),
        _ => ("", key.as_str()),
    };
    let has = |engine: &String| -> Result<bool, Failure> {
        let info = engine_info(&Spec::parse(engine)?.name)?;
        Ok(info.params.iter().any(|param| param.name == key))
    };
    let of_game = whose != "engine"
        && game_info(&Spec::parse(&args.game)?.name)?.info.params.iter().any(|param| param.name == key);
    let mut of_engines = args.engines.iter().map(has).collect::<Result<Vec<bool>, _>>()?;
    if whose == "game" {
        of_engines.fill(false);
    }
    let refused = |why: String| Err(Failure::Message(why));
    match (of_game, of_engines.contains(&true)) {
        (true, _) if key == "seed" => return refused("--seed says which trees are drawn".into()),
        (true, true) => {
            return refused(format!(
                "both the game and an engine have a parameter '{key}': say game.{key} or engine.{key}"
            ));
        }
        (false, false) => {
            let who = match whose {
                "game" => "the game does not have",
                "engine" => "no engine has",
                _ => "neither the game nor an engine has",
            };
            return refused(format!("{who} a parameter '{key}'"));
        }
        _ => {}
    }
    let mut plans = Vec::new();
    for value in values {
        for (engine, has_it) in args.engines.iter().zip(&of_engines) {
            let rules = if of_game { with(&args.game, key, value)? } else { args.game.clone() };
            let player = if !of_game && *has_it { with(engine, key, value)? } else { engine.clone() };
            plans.push(plan(&rules, engine, &player, Some(value))?);
        }
    }
    Ok(plans)
}

/// What was found, and how much of it there should be.
struct Found<T> {
    /// For each plan.
    results: Vec<Vec<T>>,
    done: u64,
    all: u64,
}

impl<T> Found<T> {
    fn is_partial(&self) -> bool {
        self.done < self.all
    }

    /// The last line of an interrupted measurement.
    fn partial(&self) -> String {
        format!("partial: interrupted after {} of {} searches\n", count(self.done), count(self.all))
    }
}

/// Measures everything.
fn run<W: Work, T: DeserializeOwned>(args: &Args, plans: &[Plan<W>]) -> Result<Found<T>, Failure> {
    let interruptible = Interruptible::start();
    let mut store = Store::memory();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    let mut line = ProgressLine::start();
    let (mut done, all) = (0, args.trees * plans.len() as u64);
    let works: Vec<(&dyn Work, u64)> =
        plans.iter().map(|plan| (&plan.work as &dyn Work, args.trees)).collect();
    crew.run(&works, &mut |_| {
        done += 1;
        interruptible.has_results();
        line.show(|| format!("{} of {}", count(done), counted(all, "search", "searches")));
        ControlFlow::Continue(())
    })?;
    drop(line);
    let results = plans
        .iter()
        .map(|plan| Ok(crew.results(&plan.work, args.trees)?))
        .collect::<Result<Vec<Vec<T>>, Failure>>()?;
    Ok(Found { results, done, all })
}

pub(crate) fn measure(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let ending = args.plot.as_ref().map(|path| path.extension().and_then(|ending| ending.to_str()));
    if let (Some(path), Some(ending)) = (&args.plot, ending)
        && !matches!(ending, Some("svg" | "png"))
    {
        return Err(Failure::Message(format!("'{}' ends neither in .svg nor in .png", path.display())));
    }
    let drawn = match args.tau {
        Some(tau) => times::measure(args, tau, out)?,
        None => decisions::measure(args, out)?,
    };
    if let (Some(path), Some(ending)) = (&args.plot, ending) {
        if drawn.points.is_empty() {
            return Err(Failure::Message(format!("there is nothing to draw into '{}'", path.display())));
        }
        let figure = figure(args, &drawn);
        let bytes = match ending {
            Some("png") => figure.png(2.0).map_err(|error| Failure::Message(error.to_string()))?,
            _ => figure.svg().into_bytes(),
        };
        file::write(path, &bytes)?;
    }
    if drawn.is_partial { Err(Failure::Interrupted) } else { Ok(()) }
}

/// What a figure shows of an engine at a value of the sweep.
struct Point {
    at: Option<String>,
    engine: String,
    estimate: Estimate,
}

/// What there is to draw.
struct Drawn {
    points: Vec<Point>,
    axis: Axis,
    /// What the points are.
    what: String,
    /// Whether the measurement was interrupted.
    is_partial: bool,
}

/// A curve for each engine over the parameter, or a bar for each; dots where the axis has no beginning.
fn figure(args: &Args, drawn: &Drawn) -> Figure {
    let Drawn { points, axis, what, is_partial } = drawn;
    let mut figure = Figure::new(&args.game);
    let trees = counted(args.trees, "tree", "trees");
    figure.subtitle = format!("{what}, with 95 % intervals: {trees}");
    if let Some(Sweep { key, .. }) = &args.sweep {
        figure.subtitle += &format!(" for each value of {key}");
    }
    if *is_partial {
        figure.subtitle += ", or fewer (interrupted)";
    }
    let numbers = |engine: &str| -> Option<Vec<(f64, Estimate)>> {
        let of = points.iter().filter(|point| point.engine == engine);
        of.map(|point| Some((point.at.as_ref()?.parse().ok()?, point.estimate))).collect()
    };
    let curves: Option<Vec<Curve>> =
        args.engines.iter().map(|engine| Some(Curve::new(engine, Look::Band, numbers(engine)?))).collect();
    let chart = match (&args.sweep, curves) {
        (Some(sweep), Some(curves)) => {
            let (x, y) = (Axis::new(&sweep.key), axis.clone());
            Chart::Lines(Lines { x, y, curves, references: Vec::new() })
        }
        _ => {
            let name = |point: &Point| match &point.at {
                Some(at) => format!("{}, {at}", point.engine),
                None => point.engine.clone(),
            };
            let grouped = Grouped {
                categories: points.iter().map(name).collect(),
                series: vec![Series::new("", points.iter().map(|point| point.estimate).collect())],
                axis: axis.clone(),
                numbers: axis.log,
                ..Grouped::default()
            };
            if axis.log { Chart::Dots(grouped) } else { Chart::Bars(grouped) }
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
