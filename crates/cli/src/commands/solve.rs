//! `astragal solve`.

use super::find;
use crate::args::Place;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, count, counted, styled, value};
use crate::progress;
use crate::watch::Clock;
use astragal_catalog::{Aim, AnyGame};
use astragal_solve::{Effort, Unsolved};
use astragal_store::file::WholeFile;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Solve a game: the exact value of every position that can be reached, by retrograde analysis and value
/// iteration.
///
/// With --out the values are saved, and `solved(file=…)` is the engine that plays by them. For games
/// whose positions fit in memory: Pig, small boards of EinStein, endgames, small relatives of Can't Stop.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Save the values in this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Give up beyond this many states.
    ///
    /// A state takes 130 to 270 bytes of memory, more if more can follow it: 130 were measured for
    /// EinStein würfelt nicht!, 160 for Connect Four, 270 for Pig. So the default may take 6 to 13 GiB.
    #[arg(long, value_name = "N", default_value_t = 50_000_000, value_parser = clap::value_parser!(u64).range(1..=4_000_000_000))]
    pub(crate) states: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Solved<'a> {
    game: &'a str,
    position: String,
    objective: &'static str,
    /// Never: a solution is complete.
    partial: bool,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<f64>,
    states: usize,
    decisions: usize,
    chances: usize,
    cyclic: usize,
    sweeps: u32,
    residual: f64,
    seconds: f64,
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

/// Solves a game. The answer is no if it cannot be solved.
pub(crate) fn solve(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    let Args { ref place, out: ref file, states, json } = *args;
    let file = file.as_deref();
    let (game, position) = find(place)?;
    let game: Arc<dyn AnyGame> = game.into();
    // A file that cannot be written is reported before the work and not after it.
    let target = file.map(WholeFile::create).transpose()?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let effort = Effort { states: states as usize, threads, ..Effort::default() };
    let start = Instant::now();
    let solved = Interruptible::start().run({
        let (game, position) = (Arc::clone(&game), position.duplicate());
        // Not every step looks whether there was an interrupt.
        move || game.solve(&*position, &effort, &mut Clock::start(Vec::new()))
    })?;
    let seconds = start.elapsed().as_secs_f64();
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
                writeln!(out, "{spec}  {position}\nnot solved: {unsolved}")?;
            }
            return Err(Failure::Interrupted);
        }
        Some(Err(error)) => {
            let hint = if matches!(error, Unsolved::TooLarge(_)) { "; --states allows more" } else { "" };
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
            writeln!(out, "{}  {}\nnot solved: {error}{hint}", game.spec(), position.text())?;
            return Ok(false);
        }
    };
    let found = position.value_in(&solution).expect("the position it was solved from");
    // A value is the player's, who wants few turns.
    let turns = (game.aim() == Aim::Turns).then_some(0.0 - found);
    let work = *solution.work();
    // The result is printed even if the disk is full: it may have taken hours.
    let saved = target.map(|target| target.write_with(|out| solution.save(game.spec(), out))).transpose();
    let report = Solved {
        game: game.spec(),
        position: position.text(),
        objective: game.aim().name(),
        partial: false,
        value: found,
        turns,
        states: work.states,
        decisions: work.decisions,
        chances: work.chances,
        cyclic: work.cyclic,
        sweeps: work.sweeps,
        residual: work.residual,
        seconds,
    };
    let printed = if json {
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))
    } else {
        print(&report, out)
    };
    // In this order, so that a reader that goes away does not hide a file that was not written.
    saved?;
    printed?;
    if let Some(file) = file.filter(|_| !json) {
        writeln!(out, "saved in {}", file.display())?;
    }
    Ok(true)
}

/// The result for people.
fn print(report: &Solved<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}  {}", report.game, report.position)?;
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
