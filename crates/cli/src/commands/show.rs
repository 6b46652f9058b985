//! `astragal show` and `astragal perft`.

use super::find;
use crate::args::Place;
use crate::failure::Failure;
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
    if json {
        let counts: Vec<u64> = (1..=depth).map(|depth| position.perft(depth, resolve)).collect();
        let report =
            JsonPerft { game: game.spec(), position: position.text(), depth, resolve, counts: &counts };
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
        return Ok(());
    }
    writeln!(out, "{}  {}", game.spec(), position.text())?;
    // Each depth is printed as soon as it is known: the next one may take long.
    for depth in 1..=depth {
        let sequences = position.perft(depth, resolve);
        writeln!(out, "{depth:>4}  {:>24}", count(sequences))?;
        out.flush()?;
    }
    Ok(())
}
