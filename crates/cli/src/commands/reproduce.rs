//! `astragal reproduce`: the experiments from the papers and lectures, and their reports.

use super::traps::games_of;
use crate::failure::Failure;
use crate::interrupt::{self, Interruptible};
use crate::print::{columns, counted};
use crate::progress::ProgressLine;
use astragal_arena::pgn;
use astragal_papers::{
    Bench, Experiment, Failed, Outcome, Scale, experiments, groups, members, of_given_games, select, write,
};
use astragal_store::{Crew, Shard, Store};
use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Run experiments from the papers and lectures: published and measured numbers side by side, with figures.
///
/// Each experiment writes DIR/ID/report.md with its tables (CSV) and figures (SVG, PNG). The same seed gives
/// the same files, except where the full scale uses a budget in time, or the paper scale uses budgets in
/// nodes calibrated to equal time. Results already in DIR/results.db are not computed again. The ids and the
/// groups are listed by `astragal reproduce --list`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Experiment ids, or groups: mcms, thesis, lecture, all.
    #[arg(value_name = "ID", required_unless_present = "list")]
    pub(crate) ids: Vec<String>,
    /// List the experiments and how long they take: all, or those that are named.
    #[arg(long)]
    pub(crate) list: bool,
    /// How much to run; not every experiment has every scale.
    #[arg(long, value_enum, default_value_t = Size::Quick)]
    pub(crate) scale: Size,
    /// The directory for the reports.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,
    /// The random seed.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Number of threads; by default one per processor. With budgets in nodes, results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Chess games for the experiments that examine games of strong players (thesis-fig3.1, thesis-fig4.3),
    /// instead of self-play.
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// Start over: discard the results in DIR/results.db.
    #[arg(long)]
    pub(crate) fresh: bool,
}

/// How much of an experiment to run.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Size {
    /// Seconds to minutes each.
    Quick,
    /// Budgets in nodes close to those of the source, and enough games to decide the verdicts.
    Paper,
    /// Until intervals are narrow.
    Full,
}

/// The progress line of an experiment.
struct Line {
    id: &'static str,
    line: ProgressLine,
}

impl Line {
    fn show(&mut self, done: f64, what: &str) {
        let elapsed = self.line.elapsed();
        self.line.show(|| {
            let left = if done > 0.02 {
                format!("  about {} left", time(elapsed.mul_f64((1.0 - done).max(0.0) / done)))
            } else {
                String::new()
            };
            // The current step comes last: it may be long, and a narrow terminal truncates it.
            format!("{}  {:3.0} %{left}  {what}", self.id, 100.0 * done)
        });
    }
}

/// The store of games and searches in the report directory.
pub(crate) const STORE: &str = "results.db";

/// A human-readable duration.
fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Lists the experiments with these ids and in these groups, or all.
fn list(ids: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    let mut named = HashSet::new();
    for id in ids {
        named.extend(members(id)?.iter().map(|experiment| experiment.id));
    }
    let listed = experiments().iter().filter(|experiment| ids.is_empty() || named.contains(experiment.id));
    let row = |experiment: &&Experiment| {
        let times = [Scale::Quick, Scale::Paper, Scale::Full]
            .map(|scale| experiment.duration(scale).map_or_else(|| "-".into(), time));
        [experiment.id.into(), experiment.title.into()].into_iter().chain(times).collect()
    };
    let heads = ["id", "title", "quick", "paper", "full"];
    write!(out, "{}", columns(&heads, &[2, 3, 4], listed.map(row)))?;
    writeln!(out, "\nTimes are estimates for two cores. Groups: {}.", groups().join(", "))?;
    Ok(())
}

/// Runs an experiment with a progress line. An interrupt stops the experiment instead of the process.
pub(crate) fn attend(
    experiment: &Experiment,
    scale: Scale,
    seed: u64,
    games: Vec<pgn::Game>,
    workers: usize,
    shard: Shard,
    store: &mut Store,
) -> Result<Outcome, Failed> {
    let interruptible = Interruptible::start();
    let mut line = Line { id: experiment.id, line: ProgressLine::start() };
    let mut progress = |done: f64, what: &str| line.show(done, what);
    let crew = Crew { workers, shard, stop: interruptible.stop(), store };
    (experiment.run)(&mut Bench::new(scale, seed, crew, &mut progress).with_games(games))
}

/// The message for an interrupted experiment.
fn interrupted(experiment: &Experiment, store: &Path) -> String {
    let (id, store) = (experiment.id, store.display());
    format!(
        "{id}: partial: interrupted before there was a report\n\
         what was finished is in {store}: repeat the command to resume"
    )
}

/// Runs experiments and writes their reports.
pub(crate) fn reproduce(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    if args.list {
        return list(&args.ids, out);
    }
    let workers =
        args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from);
    let scale = match args.scale {
        Size::Quick => Scale::Quick,
        Size::Paper => Scale::Paper,
        Size::Full => Scale::Full,
    };
    let chosen = select(&args.ids, scale)?;
    let takers = || of_given_games().into_iter().map(|experiment| experiment.id);
    if args.pgn.is_some() && !chosen.iter().any(|experiment| takers().any(|id| id == experiment.id)) {
        let takers: Vec<&str> = takers().collect();
        return Err(Failure::Message(format!("--pgn is for {}", takers.join(" and "))));
    }
    let games = args.pgn.as_deref().map(games_of).transpose()?.unwrap_or_default();
    let (dir, seed) = (&args.out, args.seed);
    let estimate: Duration = chosen.iter().filter_map(|experiment| experiment.duration(scale)).sum();
    let live = std::io::stderr().is_terminal();
    if live || scale != Scale::Quick {
        let _ = writeln!(
            std::io::stderr(),
            "{} at the scale {}: about {} on two cores",
            counted(chosen.len() as u64, "experiment", "experiments"),
            scale.name(),
            time(estimate)
        );
    }
    let fail = |error: std::io::Error| Failure::Message(format!("{}: {error}", dir.display()));
    std::fs::create_dir_all(dir).map_err(fail)?;
    let path = dir.join(STORE);
    if args.fresh && path.exists() {
        // Only a valid store is removed.
        drop(Store::open(&path)?);
        std::fs::remove_file(&path).map_err(fail)?;
    }
    let mut store = Store::open(&path)?;
    // An interrupt does not truncate a report that is being written.
    let _whole = Interruptible::start();
    for experiment in chosen {
        let start = Instant::now();
        let words = interrupted(experiment, &path);
        interrupt::set_last_words(move || {
            let _ = writeln!(std::io::stdout(), "{words}");
        });
        let outcome = match attend(experiment, scale, seed, games.clone(), workers, Shard::WHOLE, &mut store)
        {
            Ok(outcome) => outcome,
            Err(Failed::Cancelled) => {
                writeln!(out, "{}", interrupted(experiment, &path))?;
                return Err(Failure::Interrupted);
            }
            Err(why) => return Err(Failure::Message(format!("{}: {why}", experiment.id))),
        };
        let path = write(dir, experiment, scale, seed, &outcome)?;
        // The duration varies between runs, so it is printed and not part of the report.
        let _ = writeln!(std::io::stderr(), "{}: {}", experiment.id, time(start.elapsed()));
        writeln!(out, "{}\n", experiment.title)?;
        for finding in &outcome.findings {
            let published = match finding.published.as_str() {
                "" => "nothing published",
                published => published,
            };
            writeln!(out, "  {:8} {}", finding.verdict.to_string(), finding.claim)?;
            writeln!(out, "           published: {published}")?;
            writeln!(out, "           measured:  {}", finding.measured)?;
        }
        writeln!(out, "\n  report: {}\n", path.display())?;
        out.flush()?;
    }
    Ok(())
}
