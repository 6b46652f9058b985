//! `astragal reproduce`: the experiments of the papers and lectures, and their reports.

use crate::failure::Failure;
use crate::interrupt::{self, Interruptible};
use crate::print::{columns, counted};
use crate::progress::ProgressLine;
use astragal_lab::experiments::{
    Desk, Experiment, Failed, Outcome, Parts, Scale, Setting, experiments, groups, select, write,
};
use astragal_lab::store::Store;
use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What was asked for.
pub(crate) struct Request<'a> {
    pub(crate) ids: &'a [String],
    pub(crate) scale: Scale,
    pub(crate) dir: &'a Path,
    pub(crate) seed: u64,
    pub(crate) jobs: Option<usize>,
    /// Whether to forget what was done before.
    pub(crate) fresh: bool,
}

/// An experiment's desk: its progress line, its stop button and its store.
struct Terminal<'a> {
    line: Line,
    stop: &'a AtomicBool,
    store: &'a mut Store,
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
            // What is being done stands last: it may be long, and a narrow terminal cuts it.
            format!("{}  {:3.0} %{left}  {what}", self.id, 100.0 * done)
        });
    }
}

impl Desk for Terminal<'_> {
    fn progress(&mut self, done: f64, what: &str) {
        self.line.show(done, what);
    }

    fn parts(&mut self) -> Parts<'_> {
        let line = &mut self.line;
        let progress = Box::new(|done: f64, what: &str| line.show(done, what));
        Parts { store: self.store, stop: self.stop, progress }
    }
}

/// The store of games and searches, in the directory of the reports.
pub(crate) const STORE: &str = "results.db";

/// A time for people.
fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Lists the experiments.
pub(crate) fn list(out: &mut dyn Write) -> Result<(), Failure> {
    let row = |experiment: &&dyn Experiment| {
        let [quick, full] = [Scale::Quick, Scale::Full].map(|scale| time(experiment.duration(scale)));
        vec![experiment.id().into(), experiment.title().into(), quick, full]
    };
    write!(out, "{}", columns(&["id", "title", "quick", "full"], &[2, 3], experiments().iter().map(row)))?;
    writeln!(out, "\nTimes are estimates for two cores. Groups: {}.", groups().join(", "))?;
    Ok(())
}

/// Runs an experiment with its progress line. An interrupt asks for the end instead of ending the process.
pub(crate) fn attend(
    experiment: &dyn Experiment,
    setting: &Setting,
    store: &mut Store,
) -> Result<Outcome, Failed> {
    let interruptible = Interruptible::start();
    let line = Line { id: experiment.id(), line: ProgressLine::start() };
    experiment.run(setting, &mut Terminal { line, stop: interruptible.stop(), store })
}

/// What is said of an interrupted experiment.
fn interrupted(experiment: &dyn Experiment, store: &Path) -> String {
    let (id, store) = (experiment.id(), store.display());
    format!(
        "{id}: partial: interrupted before there was a report\n\
         what was finished is in {store}: the same command goes on"
    )
}

/// Runs experiments and writes their reports.
pub(crate) fn reproduce(request: &Request<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let chosen = select(request.ids).map_err(|why| Failure::Message(why.to_string()))?;
    let workers =
        request.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
    let setting = Setting::new(request.scale, request.seed, workers);
    let estimate: Duration = chosen.iter().map(|experiment| experiment.duration(request.scale)).sum();
    let live = std::io::stderr().is_terminal();
    if live || request.scale == Scale::Full {
        let _ = writeln!(
            std::io::stderr(),
            "{} at the scale {}: about {} on two cores",
            counted(chosen.len() as u64, "experiment", "experiments"),
            request.scale.name(),
            time(estimate)
        );
    }
    let fail = |error: std::io::Error| Failure::Message(format!("{}: {error}", request.dir.display()));
    std::fs::create_dir_all(request.dir).map_err(fail)?;
    let path = request.dir.join(STORE);
    if request.fresh && path.exists() {
        // Only what is a store is removed.
        drop(Store::open(&path)?);
        std::fs::remove_file(&path).map_err(fail)?;
    }
    let mut store = Store::open(&path)?;
    // A report that is being written is written whole.
    let _whole = Interruptible::start();
    for experiment in chosen {
        let start = Instant::now();
        let words = interrupted(experiment, &path);
        interrupt::set_last_words(move || {
            let _ = writeln!(std::io::stdout(), "{words}");
        });
        let outcome = match attend(experiment, &setting, &mut store) {
            Ok(outcome) => outcome,
            Err(Failed::Cancelled) => {
                writeln!(out, "{}", interrupted(experiment, &path))?;
                return Err(Failure::Interrupted);
            }
            Err(why) => return Err(Failure::Message(format!("{}: {why}", experiment.id()))),
        };
        let path = write(request.dir, experiment, &setting, &outcome)
            .map_err(|why| Failure::Message(why.to_string()))?;
        // The duration differs from run to run, so it belongs beside the report, not into it.
        let _ = writeln!(std::io::stderr(), "{}: {}", experiment.id(), time(start.elapsed()));
        writeln!(out, "{}\n", experiment.title())?;
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
