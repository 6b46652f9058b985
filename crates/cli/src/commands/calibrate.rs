//! `astragal calibrate`: fits and checks the links that turn values into chances.

use super::STRONGEST;
use crate::args::CrewArgs;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, columns, count, counted, styled};
use crate::progress::ProgressLine;
use astragal_arena::calibration::{Calibration, CalibrationReport, Check};
use astragal_arena::link::{Link, Links, MOST_ERROR};
use astragal_store::{Crew, Store, file};
use std::io::Write;
use std::path::PathBuf;

/// Fit the link from an engine's values to chances, and check it on other games.
///
/// The engine plays both sides, after a few random decisions. Positions of these games are searched with
/// --nodes, and the link is the logistic curve that fits their values to the scores of the games. It is
/// checked in ten bins on games with other seeds, with a quarter of the nodes, all, and four times as many.
/// Values that a search has proved are left out. Intervals have the level 95 % and count games, not
/// positions.
///
/// `play` shows chances where the link it was built with has a mean error of at most 3 points; --out
/// crates/arena/src/links.jsonl changes that link.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The games.
    #[arg(required = true, value_name = "GAME")]
    pub(crate) games: Vec<String>,
    /// An engine with its evaluator, such as star2(eval=logistic); may be given several times.
    #[arg(long = "engine", value_name = "SPEC", default_value = STRONGEST)]
    pub(crate) engines: Vec<String>,
    /// The nodes of a value.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) nodes: u64,
    /// The nodes of a decision in the games.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) play_nodes: u64,
    /// A game begins with 0 to this many random decisions.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) opening: u32,
    /// Positions taken from each game.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) samples: u32,
    /// Number of games for the fit, and again for the check.
    #[arg(long = "games", value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) count: u64,
    /// The seed of the games for the fit; the next one is that of the games for the check.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Put the links into this file, which is created if it does not exist; other links in it are kept.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print a JSON object for each game and engine, one a line.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn calibrate(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let mut links = args.out.as_ref().map_or(Ok(Links::default()), read)?;
    for game in &args.games {
        for engine in &args.engines {
            let report = measure(args, game, engine)?;
            if args.json {
                writeln!(out, "{}", serde_json::to_string(&report).expect("text and numbers"))?;
            } else {
                print(game, engine, &report, out)?;
            }
            if report.partial {
                return Err(Failure::Interrupted);
            }
            if let (Some(path), Some(link)) = (&args.out, report.link) {
                links.put(link);
                file::write(path, links.text().as_bytes())?;
            }
        }
    }
    Ok(())
}

/// The links in a file; none if it does not exist.
fn read(path: &PathBuf) -> Result<Links, Failure> {
    let fail = |why: String| Failure::Message(format!("{}: {why}", path.display()));
    match std::fs::read_to_string(path) {
        Ok(text) => Links::read(&text).map_err(fail),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Links::default()),
        Err(error) => Err(fail(error.to_string())),
    }
}

/// Runs a calibration with a progress line.
fn measure(args: &Args, game: &str, engine: &str) -> Result<CalibrationReport, Failure> {
    let calibration = Calibration {
        game: game.into(),
        engine: engine.into(),
        nodes: args.nodes,
        play_nodes: args.play_nodes,
        opening: args.opening,
        samples: args.samples,
        games: args.count,
        checks: args.count,
        seed: args.seed,
    };
    let interruptible = Interruptible::start();
    let mut store = Store::memory();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    let mut line = ProgressLine::start();
    Ok(calibration.run(&mut crew, &mut |done, all| {
        interruptible.has_results();
        line.show(|| format!("{game}: {} of {}", count(done), counted(all, "game", "games")));
    })?)
}

/// A share as a percentage.
fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Prints the result as text.
fn print(game: &str, engine: &str, report: &CalibrationReport, out: &mut dyn Write) -> Result<(), Failure> {
    let positions = counted(report.positions, "position", "positions");
    match &report.link {
        None => {
            writeln!(out, "{}", styled(BOLD, &format!("{game}, {engine}")))?;
            let why = match report.positions {
                _ if report.partial => "there were too few games",
                0 => "every value was proved",
                _ => "larger values do not mean more wins",
            };
            writeln!(out, "no link from {positions}: {why}")?;
        }
        Some(link) => {
            let Link { game, engine, games, checks, seed, shape, .. } = link;
            writeln!(out, "{}", styled(BOLD, &format!("{game}, {engine}")))?;
            let fitted = counted(*games, "game", "games");
            let checked = counted(*checks, "other", "others");
            writeln!(
                out,
                "fitted to {positions} of {fitted} (seed {seed}), checked on {checked} (seed {})",
                seed.wrapping_add(1)
            )?;
            writeln!(
                out,
                "logit of p1's chance: {:+} x {:+} x³ {:+} t, with x the value scaled to ±1, t = +1 if p1 is to decide and -1 if p2\n",
                shape.slope, shape.bend, shape.tempo
            )?;
            for check in &report.checks {
                print_check(check, out)?;
            }
            match report.least_nodes {
                Some(nodes) => writeln!(out, "shown as chances from {} on", counted(nodes, "node", "nodes"))?,
                None => writeln!(out, "not shown as chances: the mean error is above {MOST_ERROR} points")?,
            }
        }
    }
    if report.partial {
        writeln!(out, "partial: interrupted")?;
    }
    writeln!(out)?;
    Ok(())
}

/// Prints a reliability table.
fn print_check(check: &Check, out: &mut dyn Write) -> Result<(), Failure> {
    let rows = check.bins.iter().map(|bin| {
        vec![
            format!("{:.0} to {:.0} %", 100.0 * bin.from, 100.0 * bin.to),
            count(bin.cases),
            count(bin.clusters),
            percent(bin.predicted),
            percent(bin.seen),
            format!("[{}, {}]", percent(bin.lo), percent(bin.hi)),
        ]
    });
    let header = [&*counted(check.nodes, "node", "nodes"), "positions", "games", "predicted", "seen", ""];
    write!(out, "{}", columns(&header, &[1, 2, 3, 4], rows))?;
    match check.error {
        Some(error) => writeln!(out, "mean error {error:.1} points\n")?,
        None => writeln!(out, "every value was proved\n")?,
    }
    Ok(())
}
