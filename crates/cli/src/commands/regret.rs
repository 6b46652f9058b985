//! `astragal regret`: what the decisions of engines cost where perfect play is known.

use super::find;
use super::solve::solved;
use crate::args::{CrewArgs, Limits, Place};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, columns, count, counted, styled, value};
use crate::progress::ProgressLine;
use astragal_arena::regret::{RegretReport, RegretRow, Source, Trial};
use astragal_arena::study::Between;
use astragal_catalog::{AnyGame, brief_engine, brief_game};
use astragal_store::{Crew, Store};
use std::io::Write;
use std::sync::Arc;

/// Charge every decision of an engine what it loses against perfect play, in a game that can be solved.
///
/// A match of hundreds of games cannot tell apart two players who differ by one per cent; their decisions,
/// charged with exact values, can. The game is solved first, or its solution read from the file of `astragal
/// solve --out`. By default each engine plays games against itself; the losses of a game are those of one
/// player. Intervals have the level 95 %, and allow for disasters too rare to have been seen. Without a limit
/// an engine thinks for 100 ms about a decision.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The engines.
    #[arg(required = true)]
    pub(crate) engines: Vec<String>,
    /// The solution: a file of `astragal solve --out`. Without it the game is solved first.
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<String>,
    /// Number of decisions to judge; games of self-play are played to their end.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) positions: u64,
    /// Where the positions come from: self-play (each engine's own games), random (one decision of each
    /// random game), or all (each decision that can be reached, or as many of them).
    #[arg(long, value_name = "SOURCE", default_value = "self-play")]
    pub(crate) from: Source,
    /// Random decisions at the beginning of each game of self-play, which are not judged; by default 2 in
    /// games without chance, where all games would otherwise be the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) opening: Option<u32>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The seed of dice, random play and searches.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn regret(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, start) = find(&args.place)?;
    let game: Arc<dyn AnyGame> = game.into();
    // A wrong engine is reported before the game is solved.
    for engine in &args.engines {
        game.engine(engine)?;
    }
    let solution = match &args.solution {
        Some(file) => game.solution(file)?,
        None => Arc::new(solved(&game, &*start, out)?),
    };
    let trial = Trial {
        game,
        start,
        solution,
        source: args.from,
        positions: args.positions,
        opening: args.opening,
        seed: args.seed,
        budget: args.limits.budget(),
    };
    let interruptible = Interruptible::start();
    let mut store = Store::memory();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    let mut line = ProgressLine::start();
    let report = trial.regret(&args.engines, &mut crew, &mut |done, all| {
        interruptible.has_results();
        line.show(|| format!("{} of {}", count(done), counted(all, "decision", "decisions")));
    })?;
    drop(line);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report).expect("text and numbers"))?;
    } else {
        print(&report, out)?;
    }
    if report.partial { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Prints the report as text.
fn print(report: &RegretReport, out: &mut dyn Write) -> Result<(), Failure> {
    let (factor, unit) = match report.is_won_or_lost {
        true => (100.0 / report.width, "% of a game"),
        false => (1.0, report.objective),
    };
    let between = |Between { mean, lo, hi }: &Between| {
        let [mean, lo, hi] = [mean, lo, hi].map(|x| format!("{:.2}", factor * x));
        if lo == hi { mean } else { format!("{mean} [{lo}, {hi}]") }
    };
    let source = match report.source {
        Source::SelfPlay if report.opening > 0 => {
            format!(
                "games against itself after {}",
                counted(report.opening.into(), "random decision", "random decisions")
            )
        }
        Source::SelfPlay => "games against itself".into(),
        Source::Random => "one decision of each random game".into(),
        Source::All => {
            let (judged, all) =
                (report.rows.first().map_or(0, |row| row.units), report.reachable.unwrap_or(0));
            let some = if judged < all { format!("a random {} of the", count(judged)) } else { "all".into() };
            format!("{some} {} decisions that can be reached", count(all))
        }
    };
    let budget = if report.budget == "none" { String::new() } else { format!("  {}", report.budget) };
    writeln!(
        out,
        "{}  {}{budget}  seed {}",
        styled(BOLD, &brief_game(&report.game)),
        report.position,
        report.seed
    )?;
    match report.turns {
        Some(turns) => writeln!(out, "expected turns {turns:.4} under perfect play; {source}\n")?,
        None => writeln!(out, "value {} under perfect play; {source}\n", value(report.value))?,
    }
    let per_game = report.source == Source::SelfPlay;
    let loss = format!("loss in {unit}");
    let header: Vec<&str> = ["engine"]
        .into_iter()
        .chain(per_game.then_some("games"))
        .chain(["decisions", "right %", &loss, "worst", "nodes", "time"])
        .collect();
    let row = |row: &RegretRow| {
        let mut cells = vec![brief_engine(&row.engine, &report.game)];
        cells.extend(per_game.then(|| count(row.units)));
        cells.push(count(row.decisions));
        cells.push(format!("{:.1}", 100.0 * row.right));
        cells.push(between(row.loss_a_game.as_ref().unwrap_or(&row.loss)));
        cells.push(
            row.worst.as_ref().map_or_else(|| "0".into(), |worst| format!("{:.2}", factor * worst.loss)),
        );
        cells.push(count(row.nodes_a_decision.round() as u64));
        cells.push(format!("{:.2} ms", 1e3 * row.seconds_a_decision));
        cells
    };
    let right: Vec<usize> = (1..header.len()).collect();
    write!(out, "{}", columns(&header, &right, report.rows.iter().map(row)))?;
    for RegretRow { engine, worst, .. } in &report.rows {
        if let Some(worst) = worst {
            let engine = brief_engine(engine, &report.game);
            let loss = factor * worst.loss;
            writeln!(
                out,
                "\nworst of {engine}: {} instead of {}, which loses {loss:.2} {unit}, in\n  {}",
                worst.action, worst.best, worst.position
            )?;
        }
    }
    let broken_off: u64 = report.rows.iter().map(|row| row.broken_off).sum();
    if broken_off > 0 {
        writeln!(out, "\n{} broken off as too long", counted(broken_off, "game was", "games were"))?;
    }
    if report.turns.is_some() {
        let words =
            "Engines maximise the payoff, which a solitary player cannot lose; what is charged is turns.";
        writeln!(out, "\n{}", styled(DIM, words))?;
    }
    if report.partial {
        writeln!(out, "partial: interrupted")?;
    }
    Ok(())
}
