//! `astragal replay`: recorded games, shown and checked.

use super::review::Review;
use crate::args::Limits;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, counted, picture, styled, value};
use astragal_arena::record::{Dice, EventRow, NoRecord, Record, read, verify};
use astragal_catalog::{Position, game};
use astragal_core::Budget;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;

/// Show recorded games and check them: every action against the rules, every roll against the seed, the
/// result against the rules.
///
/// Reads files from `match --record` and `play --record`. Rolls entered by hand are only checked to be
/// possible.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The record file.
    pub(crate) file: PathBuf,
    /// Show only this game, counted from 1.
    #[arg(long, value_name = "N")]
    pub(crate) game: Option<usize>,
    /// Let the engines of a match play every game again, and compare each decision.
    #[arg(long)]
    pub(crate) again: bool,
    /// Only check, and print the summary.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Judge the games with this engine: what each decision lost, how lucky each roll was, and the account of
    /// what moved the game.
    ///
    /// The same engine values luck and decisions, so luck, losses and the judge's own errors add up. It
    /// thinks for 200 ms about a decision unless a limit is given; the outcomes of a roll share that, each
    /// with at least a twentieth. `optimal` and `solved(file=…)` make no errors.
    #[arg(long, value_name = "SPEC", conflicts_with = "quiet")]
    pub(crate) analyze: Option<String>,
    /// Print one JSON object, with the steps of every game and its account.
    #[arg(long, requires = "analyze")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

pub(crate) fn replay(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    let Args { ref file, game: only, again, quiet, json, .. } = *args;
    // The engine that judges every decision, and its budget.
    let analyze = args.analyze.as_deref().map(|spec| (spec, args.limits.budget()));
    let fail = |why: String| Failure::Message(format!("{}: {why}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| fail(error.to_string()))?;
    // A truncated file may end inside a character.
    let all = read(&String::from_utf8_lossy(&bytes));
    if all.is_empty() {
        return Err(fail("there is no game in it".into()));
    }
    // A file without games is bad input; a file with some unreadable games is checked as far as possible.
    if let Some((_, Err(error @ NoRecord::Malformed { .. }))) = all.first()
        && all.iter().all(|(_, game)| game.is_err())
    {
        return Err(fail(error.to_string()));
    }
    if let Some(number) = only.filter(|number| !(1..=all.len()).contains(number)) {
        return Err(fail(format!("there is no game {number}; it has {}", all.len())));
    }
    let chosen = |at: usize| only.is_none_or(|only| only == at + 1);
    let single = all.iter().enumerate().find(|(at, (_, record))| {
        chosen(*at) && record.as_ref().is_ok_and(|record| record.dice != Dice::Match)
    });
    if let Some((at, _)) = single.filter(|_| again) {
        return Err(fail(format!("game {} was not played in a match, so it cannot be played again", at + 1)));
    }
    let (mut checked, mut wrong, mut unread) = (0, 0, 0);
    // With --json the report is printed at the end, as one object.
    let mut games = Vec::new();
    let mut nowhere = std::io::sink();
    let interruptible = Interruptible::start();
    for (at, (line, record)) in all.iter().enumerate() {
        if !chosen(at) {
            continue;
        }
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                unread += 1;
                let what = if *error == NoRecord::CutOff { "is cut off" } else { "cannot be read" };
                let text = if json { &mut nowhere } else { &mut *out };
                writeln!(text, "game {} (line {line}) {what}: {error}", at + 1)?;
                games.push(ReplayedGame::unread(at + 1, error.to_string()));
                continue;
            }
        };
        let mut replayed = ReplayedGame::new(at + 1, record);
        let mut is_interrupted = false;
        if !quiet {
            let text = if json { &mut nowhere } else { &mut *out };
            is_interrupted = !show(&mut replayed, record, analyze, text)?;
        }
        let verdict = match is_interrupted {
            true => None,
            false => {
                let record = record.clone();
                interruptible.run(move || verify(&record, again))?
            }
        };
        let Some(verdict) = verdict else {
            games.push(replayed);
            if json {
                return report(games, true, out).and(Err(Failure::Interrupted));
            }
            writeln!(out, "partial: interrupted")?;
            writeln!(out, "{}", summary(checked, wrong, unread))?;
            return Err(Failure::Interrupted);
        };
        checked += 1;
        if let Err(why) = verdict {
            wrong += 1;
            let text = if json { &mut nowhere } else { &mut *out };
            writeln!(text, "game {} (line {line}) is wrong: {why}", at + 1)?;
            replayed.wrong = Some(why.to_string());
        }
        games.push(replayed);
    }
    if json {
        report(games, false, out)?;
    } else {
        writeln!(out, "{}", summary(checked, wrong, unread))?;
    }
    Ok(wrong == 0 && unread == 0)
}

/// The reviews of a file's games for programs.
#[derive(Serialize)]
struct ReplayReport {
    /// Whether it was interrupted.
    partial: bool,
    games: Vec<ReplayedGame>,
}

/// A game of the file.
#[derive(Serialize)]
struct ReplayedGame {
    /// Its number in the file, from 1.
    number: usize,
    /// What is wrong with the record, if anything is.
    wrong: Option<String>,
    /// Its head, if it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Head>,
    /// What the judge found.
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Value>,
}

/// The head of a game.
#[derive(Serialize)]
struct Head {
    game: String,
    start: String,
    players: [String; 2],
    payoff: Option<f64>,
}

impl ReplayedGame {
    fn new(number: usize, record: &Record) -> Self {
        let Record { game, start, players, payoff, .. } = record.clone();
        Self { number, wrong: None, record: Some(Head { game, start, players, payoff }), review: None }
    }

    fn unread(number: usize, why: String) -> Self {
        Self { number, wrong: Some(why), record: None, review: None }
    }
}

fn report(games: Vec<ReplayedGame>, partial: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let report = ReplayReport { partial, games };
    writeln!(out, "{}", serde_json::to_string(&report).expect("text and numbers"))?;
    Ok(())
}

/// How many games were checked, and how many were wrong or could not be read.
fn summary(checked: u64, wrong: u64, unread: u64) -> String {
    if checked == 0 && unread > 0 {
        return format!("no game could be checked, {unread} not readable");
    }
    let games = counted(checked, "game", "games");
    let verdict = match (wrong, unread) {
        (0, 0) => "all right".into(),
        (0, _) => format!("all right, {unread} not readable"),
        (_, 0) => format!("{wrong} wrong"),
        _ => format!("{wrong} wrong, {unread} not readable"),
    };
    format!("{games} checked: {verdict}")
}

/// Prints a game event by event, its final position, and the review, which is also kept for the report.
/// Returns whether it was not interrupted.
fn show(
    replayed: &mut ReplayedGame,
    record: &Record,
    analyze: Option<(&str, Budget)>,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let rules = game(&record.game)?;
    let events = record.events.len();
    let review = analyze.map(|(spec, budget)| Review::new(&*rules, spec, budget, events));
    let mut review = match review.transpose() {
        Err(Failure::Interrupted) => return Ok(false),
        review => review?,
    };
    let origin = match record.dice {
        Dice::Match => format!("pair {}", record.pair),
        Dice::Single => format!("seed {}", record.seed),
        Dice::Entered => "dice entered by hand".into(),
    };
    let number = replayed.number;
    let title = format!("game {number}: {}, {origin}, {}", record.game, record.result());
    writeln!(out, "{}", styled(BOLD, &title))?;
    for (at, player) in record.players.iter().enumerate() {
        writeln!(out, "  p{}  {player}", at + 1)?;
    }
    if let Some(review) = &review {
        writeln!(out, "{}\n", review.legend())?;
    }
    let start = rules.read(&record.start)?;
    let (position, whole) = match events_of(record, start, review.as_mut(), out) {
        Ok(last) => (last, true),
        Err((last, Failure::Interrupted)) => (last, false),
        Err((_, failure)) => return Err(failure),
    };
    writeln!(out)?;
    writeln!(out, "{}", picture(&position.picture()))?;
    if let Some(review) = review {
        review.print(out)?;
        let found = review.report().map(|report| serde_json::to_value(report).expect("text and numbers"));
        replayed.review = found;
    }
    Ok(whole)
}

/// Prints the events of a game, and returns the position after those that were shown.
fn events_of(
    record: &Record,
    start: Box<dyn Position>,
    mut review: Option<&mut Review<'_>>,
    out: &mut dyn Write,
) -> Result<Box<dyn Position>, (Box<dyn Position>, Failure)> {
    let mut position = start;
    if let Some(review) = &mut review
        && let Err(failure) = review.begin(&*position)
    {
        return Err((position, failure));
    }
    for event in &record.events {
        let next = match (&event.outcome, event.player, &event.action) {
            (Some(outcome), None, None) => position.resolve(outcome),
            (None, Some(_), Some(action)) => position.act(action),
            _ => break,
        };
        // The check reports what is wrong.
        let Ok(next) = next else { break };
        let shown = match &mut review {
            Some(review) => reviewed(event, review, &*position, &*next),
            None => Ok(told(event)),
        };
        let written = shown.and_then(|text| Ok(write!(out, "{text}")?));
        if let Err(failure) = written {
            return Err((position, failure));
        }
        position = next;
    }
    Ok(position)
}

/// An event as text: a roll stands before the decision that follows it.
fn told(event: &EventRow) -> String {
    match event {
        EventRow { player: Some(player), action: Some(action), value: thought, .. } => {
            let thought = thought.map_or(String::new(), |at| styled(DIM, &format!(" {}", value(at))));
            format!("  p{player} {action}{thought}\n")
        }
        _ => format!("  {}", styled(DIM, &format!("({})", event.outcome.as_deref().unwrap_or_default()))),
    }
}

/// An event as a line with the judge's findings.
fn reviewed(
    event: &EventRow,
    review: &mut Review<'_>,
    position: &dyn Position,
    next: &dyn Position,
) -> Result<String, Failure> {
    Ok(match (&event.outcome, event.player, &event.action) {
        (Some(outcome), ..) => {
            let luck = review.roll(outcome, next)?;
            let text = format!("({outcome})  {luck}");
            format!("{:9}{}\n", "", styled(DIM, text.trim_end()))
        }
        (_, Some(player), Some(action)) => {
            let [value, verdict] = review.decision(position, action, next)?;
            let line = format!("{value:>7}  p{player} {action}  {verdict}");
            format!("{}\n", line.trim_end())
        }
        _ => String::new(),
    })
}
