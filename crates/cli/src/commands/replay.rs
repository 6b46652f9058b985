//! `astragal replay`: recorded games, shown and checked.

use super::review::Review;
use crate::args::Limits;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, counted, picture, styled, value};
use astragal_arena::record::{Dice, NoRecord, Record, read, verify};
use astragal_catalog::game;
use astragal_core::Budget;
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
    /// Judge the games with this engine: what each decision lost, how lucky each roll was, and the totals. It
    /// thinks for 200 ms about a decision unless a limit is given.
    #[arg(long, value_name = "SPEC", conflicts_with = "quiet")]
    pub(crate) analyze: Option<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

pub(crate) fn replay(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    let Args { ref file, game: only, again, quiet, .. } = *args;
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
                writeln!(out, "game {} (line {line}) {what}: {error}", at + 1)?;
                continue;
            }
        };
        if !quiet {
            show(at + 1, record, analyze, out)?;
        }
        let record = record.clone();
        let Some(verdict) = interruptible.run(move || verify(&record, again))? else {
            writeln!(out, "partial: interrupted")?;
            writeln!(out, "{}", summary(checked, wrong, unread))?;
            return Err(Failure::Interrupted);
        };
        checked += 1;
        if let Err(why) = verdict {
            wrong += 1;
            writeln!(out, "game {} (line {line}) is wrong: {why}", at + 1)?;
        }
    }
    writeln!(out, "{}", summary(checked, wrong, unread))?;
    Ok(wrong == 0 && unread == 0)
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

/// Prints a game event by event, and its final position.
fn show(
    number: usize,
    record: &Record,
    analyze: Option<(&str, Budget)>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rules = game(&record.game)?;
    let mut review = analyze.map(|(spec, budget)| Review::new(&*rules, spec, budget)).transpose()?;
    let origin = match record.dice {
        Dice::Match => format!("pair {}", record.pair),
        Dice::Single => format!("seed {}", record.seed),
        Dice::Entered => "dice entered by hand".into(),
    };
    let title = format!("game {number}: {}, {origin}, {}", record.game, record.result());
    writeln!(out, "{}", styled(BOLD, &title))?;
    for (at, player) in record.players.iter().enumerate() {
        writeln!(out, "  p{}  {player}", at + 1)?;
    }
    let mut position = rules.read(&record.start)?;
    for event in &record.events {
        let next = match (&event.outcome, event.player, &event.action) {
            (Some(outcome), None, None) => {
                let luck = review.as_mut().map(|review| review.roll(&*position, outcome));
                let words =
                    luck.filter(|luck| !luck.is_empty()).map_or(String::new(), |luck| format!(" {luck}"));
                write!(out, "  {}", styled(DIM, &format!("({outcome}){words}")))?;
                position.resolve(outcome)
            }
            (None, Some(player), Some(action)) => {
                write!(out, "  p{player} {action}")?;
                if let Some(thought) = event.value {
                    write!(out, "{}", styled(DIM, &format!(" {}", value(thought))))?;
                }
                if let Some(review) = &mut review {
                    out.flush()?;
                    let judged = review.decision(&*position, action).inspect_err(|_| {
                        let _ = writeln!(out, "\npartial: interrupted");
                    })?;
                    if !judged.is_empty() {
                        write!(out, "  {judged}")?;
                    }
                }
                writeln!(out)?;
                position.act(action)
            }
            _ => break,
        };
        match next {
            Ok(next) => position = next,
            // The check reports what is wrong.
            Err(_) => break,
        }
    }
    writeln!(out)?;
    writeln!(out, "{}", picture(&position.picture()))?;
    if let Some(review) = review {
        writeln!(out, "{}", review.summary())?;
    }
    Ok(())
}
