//! `astragal replay`: recorded games, shown and checked.

use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, picture, styled, value};
use astragal_catalog::game;
use astragal_lab::record::{Dice, Record, read, verify};
use std::io::Write;
use std::path::Path;

pub(crate) fn replay(
    file: &Path,
    only: Option<usize>,
    again: bool,
    quiet: bool,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let fail = |why: String| Failure::Message(format!("{}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| fail(error.to_string()))?;
    let all = read(&text).map_err(|error| fail(error.to_string()))?;
    if all.is_empty() {
        return Err(fail("there is no game in it".into()));
    }
    if let Some(number) = only.filter(|number| !(1..=all.len()).contains(number)) {
        return Err(fail(format!("there is no game {number}; it has {}", all.len())));
    }
    let chosen = |at: usize| only.is_none_or(|only| only == at + 1);
    let single = all.iter().enumerate().find(|(at, (_, record))| chosen(*at) && record.dice != Dice::Match);
    if let Some((at, _)) = single.filter(|_| again) {
        return Err(fail(format!("game {} is not of a match, so it cannot be played again", at + 1)));
    }
    let mut wrong = 0;
    let mut checked = 0;
    let interruptible = Interruptible::start();
    for (at, (line, record)) in all.iter().enumerate() {
        if !chosen(at) {
            continue;
        }
        if !quiet {
            show(at + 1, record, out)?;
        }
        let record = record.clone();
        let Some(verdict) = interruptible.run(move || verify(&record, again))? else {
            writeln!(out, "partial: interrupted")?;
            writeln!(out, "{}", summary(checked, wrong))?;
            return Err(Failure::Interrupted);
        };
        checked += 1;
        if let Err(why) = verdict {
            wrong += 1;
            writeln!(out, "game {} (line {line}) is wrong: {why}", at + 1)?;
        }
    }
    writeln!(out, "{}", summary(checked, wrong))?;
    Ok(wrong == 0)
}

/// How many games were checked, and how many were wrong.
fn summary(checked: usize, wrong: usize) -> String {
    let games = if checked == 1 { "game" } else { "games" };
    match wrong {
        0 => format!("{checked} {games} checked: all right"),
        _ => format!("{checked} {games} checked: {wrong} wrong"),
    }
}

/// A game, event by event, and the position in which it ended.
fn show(number: usize, record: &Record, out: &mut dyn Write) -> Result<(), Failure> {
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
    let rules = game(&record.game)?;
    let mut position = rules.read(&record.start)?;
    for event in &record.events {
        let next = match (&event.outcome, event.player, &event.action) {
            (Some(outcome), None, None) => {
                write!(out, "  {}", styled(DIM, &format!("({outcome})")))?;
                position.resolve(outcome)
            }
            (None, Some(player), Some(action)) => {
                write!(out, "  p{player} {action}")?;
                if let Some(thought) = event.value {
                    write!(out, "{}", styled(DIM, &format!(" {}", value(thought))))?;
                }
                writeln!(out)?;
                position.act(action)
            }
            _ => break,
        };
        match next {
            Ok(next) => position = next,
            // What is wrong is said by the check.
            Err(_) => break,
        }
    }
    writeln!(out)?;
    writeln!(out, "{}", picture(&position.picture()))?;
    Ok(())
}
