//! `astragal tournament`: a match or a tournament from a plan.

use super::matches::percent;
use crate::args::CrewArgs;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, columns, columns_of_text, count, counted, elo, styled};
use crate::progress::ProgressLine;
use astragal_arena::plan::PlanError;
use astragal_arena::report::{TournamentReport, Unfinished};
use astragal_arena::tournament::{End, Final, Kind, Progress, Tournament};
use astragal_catalog::brief_game;
use astragal_papers::Plan;
use astragal_store::{Crew, Shard, Store};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Play a match or a tournament (round robin, gauntlet, elimination) from a plan, with ratings
///
/// A plan is a TOML file:
///
///   game = "ewn"
///   kind = "round-robin"            # or "match", "gauntlet", "elimination"
///   engines = ["star2ss(width=2)", "mcts", "random"]
///   pairs = 100
///   seed = 1                        # 0 to 2^64 - 1, may be quoted
///   budget = { nodes = 1000 }       # or depth, iterations, milliseconds; there is no default
///
/// Results are kept in a store: a rerun resumes where it stopped, however it was stopped.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The plan file.
    pub(crate) plan: PathBuf,
    /// The results store; by default the plan's name with the extension .db.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Reads a plan from a file.
pub(super) fn read(path: &Path) -> Result<Plan, Failure> {
    let fail = |why: String| Failure::Message(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    Plan::read(&text).map_err(|error| match error {
        PlanError::Syntax(_) => Failure::Lines(format!("{}: {error}", path.display())),
        PlanError::Content(_) => fail(error.to_string()),
    })
}

/// Runs the tournament, and returns how it ended and its progress at the last pair.
pub(super) fn run(
    tournament: &Tournament,
    store: &mut Store,
    workers: usize,
    shard: Shard,
) -> Result<(End, Option<Progress>), Failure> {
    let interruptible = Interruptible::start();
    let mut crew = Crew { workers, shard, stop: interruptible.stop(), store };
    let mut line = ProgressLine::start();
    let mut played = 0_u64;
    let mut last = None;
    let end = tournament.run(&mut crew, |progress, _| {
        played += 1;
        let each = line.elapsed().as_secs_f64() / played as f64;
        line.show(|| told(progress, each));
        last = Some(*progress);
    })?;
    Ok((end, last))
}

fn told(progress: &Progress, each: f64) -> String {
    let left = progress.all - progress.done;
    format!(
        "round {}: {} of {}  about {:.0} s left",
        progress.round,
        count(progress.done),
        counted(progress.all, "pair", "pairs"),
        each * left as f64
    )
}

pub(crate) fn tournament(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    let (plan, workers, json) = (&args.plan, args.crew.workers(), args.json);
    let tournament = match read(plan)? {
        Plan::Tournament(tournament) => tournament,
        Plan::Experiments(_) => {
            let words =
                "this is a plan of experiments, for `astragal work`; `astragal reproduce` runs them whole";
            return Err(Failure::Message(format!("{}: {words}", plan.display())));
        }
    };
    let beside = plan.with_extension("db");
    let path = args.store.as_ref().unwrap_or(&beside);
    let mut store = Store::open(path)?;
    if let (End::Stopped, last) = run(&tournament, &mut store, workers, Shard::WHOLE)? {
        interrupted(&tournament, path, last.as_ref(), json, out)?;
        return Err(Failure::Interrupted);
    }
    let tables = tournament.tables(&mut Crew::new(workers, &AtomicBool::new(false), &mut store))?;
    let tables = tables.ok_or_else(|| Failure::Message("the store does not hold all results".into()))?;
    if json {
        let report = TournamentReport::new(&tournament, &tables);
        writeln!(out, "{}", serde_json::to_string(&report).expect("text and numbers"))?;
    } else {
        print(&tournament, &tables, out)?;
    }
    Ok(true)
}

/// Prints the progress of an interrupted tournament; the tables need all results.
fn interrupted(
    tournament: &Tournament,
    store: &Path,
    last: Option<&Progress>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if json {
        let object = Unfinished::new(tournament, last, Some(store.display().to_string()));
        writeln!(out, "{}", serde_json::to_string(&object).expect("text and numbers"))?;
        return Ok(());
    }
    let far = last.map_or("before a pair was finished".into(), |at| {
        format!("in round {} after {} of {} pairs", at.round, count(at.done), count(at.all))
    });
    writeln!(out, "partial: interrupted {far}")?;
    writeln!(out, "what was played is in {}: repeat the command to resume", store.display())?;
    Ok(())
}

/// Prints the tables as text. Engines appear as written in the plan, or by their rank where space is short.
fn print(tournament: &Tournament, tables: &Final, out: &mut dyn Write) -> Result<(), Failure> {
    let pairs = counted(tournament.pairs, "pair", "pairs");
    writeln!(out, "{}  {pairs} per match", styled(BOLD, &brief_game(tournament.game().spec())))?;
    writeln!(out)?;
    let rank = |at: usize| tables.order.iter().position(|&other| other == at).map_or(0, |place| place + 1);
    let rating = |at: usize| {
        let rating = &tables.ratings.players[at];
        vec![
            rank(at).to_string(),
            elo(rating.mean),
            format!("[{}, {}]", elo(rating.lo), elo(rating.hi)),
            tournament.labels[at].clone(),
        ]
    };
    let rows: Vec<Vec<String>> = tables.order.iter().map(|&at| rating(at)).collect();
    write!(out, "{}", columns_of_text(&["rank", "Elo", "95 %", "engine"], &[0, 1, 2], rows))?;
    writeln!(out)?;
    if tournament.kind == Kind::RoundRobin {
        let head: Vec<String> = (1..=tables.order.len()).map(|rank| rank.to_string()).collect();
        let mut names = vec![""];
        names.extend(head.iter().map(String::as_str));
        let rows: Vec<Vec<String>> = tables.order.iter().map(|&at| cross(tables, at, rank(at))).collect();
        let right: Vec<usize> = (0..names.len()).collect();
        write!(out, "{}", columns(&names, &right, rows))?;
        writeln!(out, "{}", styled(DIM, "Score of the row against the column, in percent."))?;
    } else {
        for bout in &tables.bouts {
            let [a, b] = bout.players.map(rank);
            writeln!(out, "round {}  {a} - {b}  {}", bout.round, percent(&bout.standing.score))?;
        }
    }
    Ok(())
}

/// The row of an engine in the cross table.
fn cross(tables: &Final, at: usize, rank: usize) -> Vec<String> {
    let score = |other: usize| {
        tables.bouts.iter().find_map(|bout| match bout.players {
            [a, b] if a == at && b == other => Some(bout.standing.score.mean),
            [a, b] if b == at && a == other => Some(1.0 - bout.standing.score.mean),
            _ => None,
        })
    };
    let cell = |other: &usize| score(*other).map_or("·".into(), |score| format!("{:.1}", 100.0 * score));
    std::iter::once(rank.to_string()).chain(tables.order.iter().map(cell)).collect()
}
