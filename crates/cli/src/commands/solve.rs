//! `astragal solve`.

use super::find;
use crate::args::Place;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, count, counted, header, styled, value};
use crate::progress::{self, ProgressLine};
use crate::watch::ShownClock;
use astragal_arena::report::SolveReport;
use astragal_catalog::{AnyGame, Position};
use astragal_core::{Budget, Stop, Watch};
use astragal_solve::{BYTES_A_RETURNING_STATE, BYTES_A_STATE, Solution, SolveOptions, Unsolved};
use astragal_store::file::WholeFile;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Solve a game: the exact value of every reachable position, by retrograde analysis and value iteration.
///
/// With --out the values are saved, and the engine `solved(file=…)` plays by them. For games whose positions
/// fit in memory: Pig, small boards of EinStein, endgames, small variants of Can't Stop. With --root a game
/// without chance may be larger: one position is searched to the end, visiting only the positions that
/// matter.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Save the values in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Give up beyond this many stored states.
    ///
    /// A state takes at most 37 bytes of memory if no position can recur, as in EinStein würfelt nicht! or
    /// Connect Four: 1.9 GB for the default of 50 million states. Decisions right after a roll that show the
    /// dice need not be stored. Where positions recur, as in Pig, a state takes up to 300 bytes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4_000_000_000))]
    pub(crate) states: Option<u64>,
    /// Find the value of this position only, by searching it to the end; for games without chance.
    #[arg(long, conflicts_with_all = ["out", "states"])]
    pub(crate) root: bool,
    /// The size in MiB of the transposition table for --root.
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "root", value_parser = clap::value_parser!(u32).range(1..=16_384))]
    pub(crate) table_mib: u32,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct JsonUnsolved<'a> {
    game: &'a str,
    position: String,
    /// Whether it was interrupted.
    partial: bool,
    unsolved: String,
    seconds: f64,
}

/// The default maximum number of states.
const STATES: u64 = 50_000_000;

/// Reports on standard error how much memory this many states take, before it is allocated.
fn say_what_it_takes(states: u64) {
    let size = |bytes: u64| match bytes as f64 {
        few if few < 1e9 => format!("{:.1} MB", few / 1e6),
        many => format!("{:.1} GB", many / 1e9),
    };
    let most = states * BYTES_A_STATE;
    let (once, again) = (size(most), size(states * BYTES_A_RETURNING_STATE));
    let free = available_memory().map_or(String::new(), |free| format!("; {} are free", size(free)));
    let states = counted(states, "state takes", "states take");
    let text = format!("{states} up to {once} of memory, or {again} where positions can recur{free}");
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The available memory of the system, where it is reported.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

#[derive(Serialize)]
struct Searched<'a> {
    game: &'a str,
    position: String,
    objective: &'static str,
    /// Whether the search was incomplete; the value is then an estimate.
    partial: bool,
    value: f64,
    best: Option<String>,
    nodes: u64,
    table_mib: u32,
    seconds: f64,
}

/// Shows the elapsed time of a search to the end on a terminal, because there is no news for a long time.
struct Patient {
    clock: ShownClock,
    line: ProgressLine,
}

impl Watch for Patient {
    fn elapsed(&mut self) -> Duration {
        self.clock.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        let seconds = self.line.elapsed().as_secs_f64();
        self.line.show(|| format!("searching to the end, {seconds:.0} s"));
        Watch::cancelled(&mut self.clock)
    }
}

/// Finds the value of a position by searching it to the end. The answer is no if some lines do not end.
fn search_to_the_end(
    game: &dyn AnyGame,
    position: &dyn Position,
    table_mib: u32,
    json: bool,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    if game.has_chance() {
        let name = game.info().name;
        return Err(Failure::Message(format!("--root is for games without chance, and {name} has chance")));
    }
    let mut engine =
        game.engine(&format!("alpha-beta(to_the_end=on,killers=off,history=off,table_mib={table_mib})"))?;
    let mut watch = Patient { clock: ShownClock::start(Vec::new()), line: ProgressLine::start() };
    let found = engine.analyze(position, 0, &Budget::default(), &mut watch);
    let seconds = watch.elapsed().as_secs_f64();
    drop(watch);
    progress::clear();
    let partial = found.stop == Stop::Cancelled;
    let (nodes, spec) = (found.counts.nodes, game.spec());
    if json {
        let report = Searched {
            game: spec,
            position: position.text(),
            objective: game.aim().name(),
            partial: found.stop != Stop::Complete,
            value: found.value,
            best: found.best,
            nodes,
            table_mib,
            seconds,
        };
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
    } else {
        writeln!(out, "{}", header(game, &position.text()))?;
        match found.stop {
            Stop::Complete => {
                let rounded = styled(BOLD, &value(found.value));
                write!(out, "value {rounded} under perfect play ({})", found.value)?;
                writeln!(out, "{}", found.best.map_or(String::new(), |best| format!(", best {best}")))?;
            }
            Stop::Cancelled => writeln!(out, "not solved: interrupted")?,
            _ => writeln!(out, "not solved: there are lines of play that do not end")?,
        }
        let nodes = counted(nodes, "node", "nodes");
        writeln!(out, "{nodes} with a table of {table_mib} MiB, {seconds:.3} s")?;
    }
    if partial { Err(Failure::Interrupted) } else { Ok(found.stop == Stop::Complete) }
}

/// The solution of a game from a position, for a command that needs one.
pub(super) fn solved(
    game: &Arc<dyn AnyGame>,
    position: &dyn Position,
    out: &mut dyn Write,
) -> Result<Solution, Failure> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = SolveOptions { states: STATES as usize, threads, ..SolveOptions::default() };
    let solved = Interruptible::start().run({
        let (game, position) = (Arc::clone(game), position.duplicate());
        // Not every step checks for an interrupt.
        move || game.solve(&*position, &options, &mut ShownClock::start(Vec::new()))
    })?;
    progress::clear();
    match solved {
        Some(Ok(solution)) => Ok(solution),
        None | Some(Err(Unsolved::Cancelled)) => {
            writeln!(out, "partial: interrupted while solving {}", game.spec())?;
            Err(Failure::Interrupted)
        }
        Some(Err(error)) => Err(Failure::Message(format!(
            "{} cannot be solved: {error}; choose a smaller variant, a position near the end, or a solution that \
             `astragal solve --states N --out FILE` made",
            game.spec()
        ))),
    }
}

/// Solves a game. The answer is no if it cannot be solved.
pub(crate) fn solve(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    let Args { ref place, out: ref file, states, root, table_mib, json } = *args;
    let file = file.as_deref();
    let (game, position) = find(place)?;
    if root {
        return search_to_the_end(&*game, &*position, table_mib, json, out);
    }
    if let Some(states) = states {
        say_what_it_takes(states);
    }
    let game: Arc<dyn AnyGame> = game.into();
    // Report a file that cannot be written before the work, not after it.
    let target = file.map(WholeFile::create).transpose()?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options =
        SolveOptions { states: states.unwrap_or(STATES) as usize, threads, ..SolveOptions::default() };
    let start = Instant::now();
    let solved = Interruptible::start().run({
        let (game, position) = (Arc::clone(&game), position.duplicate());
        // Not every step checks for an interrupt.
        move || game.solve(&*position, &options, &mut ShownClock::start(Vec::new()))
    })?;
    let elapsed = start.elapsed();
    let seconds = elapsed.as_secs_f64();
    let solution = match solved {
        Some(Ok(solution)) => solution,
        None | Some(Err(Unsolved::Cancelled)) => {
            progress::clear();
            let unsolved = "interrupted".to_string();
            let (spec, position) = (game.spec(), position.text());
            if json {
                let report = JsonUnsolved { game: spec, position, partial: true, unsolved, seconds };
                writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
            } else {
                writeln!(out, "{}\nnot solved: {unsolved}", header(&*game, &position))?;
            }
            return Err(Failure::Interrupted);
        }
        Some(Err(error)) => {
            let hint = match error {
                Unsolved::Growing(..) => " If so, --states allows more",
                Unsolved::TooLarge(_) if game.has_chance() => "; --states allows more",
                Unsolved::TooLarge(_) => "; --states allows more, and --root may do without",
                _ => "",
            };
            if json {
                let report = JsonUnsolved {
                    game: game.spec(),
                    position: position.text(),
                    partial: false,
                    unsolved: error.to_string(),
                    seconds,
                };
                writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
                return Ok(false);
            }
            writeln!(out, "{}\nnot solved: {error}{hint}", header(&*game, &position.text()))?;
            return Ok(false);
        }
    };
    // The result is printed even if the disk is full: it may have taken hours.
    let saved = target.map(|target| target.write_with(|out| solution.save(game.spec(), out))).transpose();
    let report = SolveReport::new(&*game, &*position, &solution, elapsed);
    let printed = if json {
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))
    } else {
        writeln!(out, "{}", header(&*game, &position.text())).and_then(|()| print(&report, out))
    };
    // In this order, so that a closed pipe does not hide a file that was not written.
    saved?;
    printed?;
    if let Some(file) = file.filter(|_| !json) {
        writeln!(out, "saved in {}", file.display())?;
    }
    Ok(true)
}

/// Prints the result as text, below its header.
fn print(report: &SolveReport<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    match report.turns {
        Some(turns) => {
            let rounded = styled(BOLD, &format!("{turns:.4}"));
            writeln!(out, "expected turns {rounded} under perfect play ({turns})")?;
        }
        None => {
            let rounded = styled(BOLD, &value(report.value));
            writeln!(out, "value {rounded} under perfect play ({})", report.value)?;
        }
    }
    writeln!(
        out,
        "{} ({}, {} chance), {} of them in cycles",
        counted(report.states as u64, "state", "states"),
        counted(report.decisions as u64, "decision", "decisions"),
        count(report.chances as u64),
        count(report.cyclic as u64),
    )?;
    let sweeps = counted(report.sweeps.into(), "sweep", "sweeps");
    writeln!(out, "{sweeps}, residual {:.1e}, {:.3} s", report.residual, report.seconds)
}
