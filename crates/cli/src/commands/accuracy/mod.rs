//! `astragal accuracy`: how often engines choose the right action in trees where it is known, and after how
//! many simulations the value of the root settles.

mod decisions;
mod times;

use crate::args::{CrewArgs, Limits};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{count, counted};
use crate::progress::ProgressLine;
use astragal_arena::study::{Progress, Study, StudyError, Sweep};
use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Grouped, Lines, Look, Series};
use astragal_store::{Crew, Store, StoreError, file};
use std::io::Write;
use std::path::PathBuf;

/// Measure how often engines choose the right action at the root of synthetic trees, where it is known.
///
/// Every engine searches the same trees, and is compared with the first one tree by tree. --sweep repeats
/// this for several values of a parameter of the game, or of the engines that have it, and reports which
/// engine dominates which. Intervals have the level 95 %.
///
/// With --tau, measure after how many simulations the value of the root stays at that value or above.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: two-sided, pv, bpv or win-loss with its parameters; critical and others for --tau.
    pub(crate) game: String,
    /// The engines.
    #[arg(required = true)]
    pub(crate) engines: Vec<String>,
    /// Number of trees.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) trees: u64,
    /// A parameter and its values: sigma=0,2,4, vmax=1..10 or c=0..1:0.1. If both the game and an engine have
    /// it: game.depth=2..6 or engine.depth=2..6.
    #[arg(long, value_name = "KEY=VALUES")]
    pub(crate) sweep: Option<Sweep>,
    /// Measure instead after how many simulations the value of the root, for player 1, stays at this or more.
    /// Each search continues to twice that number plus a hundred, or gives up after --iterations (by default
    /// a million).
    #[arg(long, value_name = "VALUE")]
    pub(crate) tau: Option<f64>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The seed of the first tree; the others follow.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Plot the results in this file, SVG or PNG by its extension.
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The number of searches done, and their total.
struct Searches {
    done: u64,
    all: u64,
}

impl Searches {
    /// The last line of an interrupted measurement.
    fn partial(&self) -> String {
        format!("partial: interrupted after {} of {} searches\n", count(self.done), count(self.all))
    }
}

/// Runs a measurement with a progress line.
fn attend<T>(
    args: &Args,
    measure: impl FnOnce(&Study, &mut Crew<'_>, &mut Progress<'_>) -> Result<T, StudyError<StoreError>>,
) -> Result<(T, Searches), Failure> {
    let (game, engines, sweep) = (args.game.clone(), args.engines.clone(), args.sweep.clone());
    let study = Study { game, engines, sweep, trees: args.trees, seed: args.seed };
    let interruptible = Interruptible::start();
    let mut store = Store::memory();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    let mut line = ProgressLine::start();
    let mut searches = Searches { done: 0, all: 0 };
    let report = measure(&study, &mut crew, &mut |done, all| {
        searches = Searches { done, all };
        interruptible.has_results();
        line.show(|| format!("{} of {}", count(done), counted(all, "search", "searches")));
    })?;
    Ok((report, searches))
}

pub(crate) fn measure(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let ending = args.plot.as_ref().map(|path| path.extension().and_then(|ending| ending.to_str()));
    if let (Some(path), Some(ending)) = (&args.plot, ending)
        && !matches!(ending, Some("svg" | "png"))
    {
        return Err(Failure::Message(format!("'{}' must end in .svg or .png", path.display())));
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

/// A data point: one engine at one value of the sweep.
struct Point {
    at: Option<String>,
    engine: String,
    estimate: Estimate,
}

/// The data of a figure.
struct Drawn {
    points: Vec<Point>,
    axis: Axis,
    /// What the points show.
    what: String,
    /// Whether the measurement was interrupted.
    is_partial: bool,
}

/// Draws a curve per engine over the parameter, or a bar per point; dots on a logarithmic axis, which has no
/// zero.
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
