//! `astragal show` and `astragal perft`.

use super::find;
use crate::args::Place;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{columns, count, picture, turn};
use astragal_core::Turn;
use serde::Serialize;
use std::io::Write;

pub(crate) fn show(place: &Place, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, position) = find(place)?;
    writeln!(out, "{}  {}", game.spec(), position.text())?;
    writeln!(out, "\n{}\n", picture(&position.picture()))?;
    writeln!(out, "{}", turn(position.turn(), game.range()))?;
    match position.turn() {
        Turn::Decide(_) => writeln!(out, "actions: {}", position.actions().join(", "))?,
        Turn::Chance => {
            let rows = position
                .outcomes()
                .into_iter()
                .map(|o| vec![format!("  {}", o.item), format!("{:.6}", o.weight)]);
            write!(out, "outcomes:\n{}", columns(&[], &[1], rows))?;
        }
        Turn::Over(_) => {}
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonPerft<'a> {
    game: &'a str,
    position: String,
    depth: u32,
    resolve: bool,
    /// Whether it was interrupted before the last depth was finished.
    partial: bool,
    counts: &'a [u64],
}

pub(crate) fn perft(
    place: &Place,
    depth: u32,
    resolve: bool,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (game, position) = find(place)?;
    if !json {
        writeln!(out, "{}  {}", game.spec(), position.text())?;
    }
    let mut counts = Vec::new();
    let at = position.duplicate();
    let complete = Interruptible::start().each(
        move |found| (1..=depth).for_each(|depth| found(at.perft(depth, resolve))),
        |sequences| {
            counts.push(sequences);
            // Each depth is printed as soon as it is known: the next one may take long.
            if !json {
                writeln!(out, "{:>4}  {:>24}", counts.len(), count(sequences))?;
                out.flush()?;
            }
            Ok(())
        },
    )?;
    if json {
        let (game, position, partial) = (game.spec(), position.text(), !complete);
        let report = JsonPerft { game, position, depth, resolve, partial, counts: &counts };
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
    } else if !complete {
        writeln!(out, "partial: interrupted at depth {}", counts.len() + 1)?;
    }
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}
