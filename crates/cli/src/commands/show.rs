//! `astragal show` and `astragal perft`.

use super::find;
use crate::args::Place;
use crate::failure::Failure;
use crate::print::{columns, count, header, picture, turn};
use crate::watch::ShownClock;
use crate::wrap::{glued, width, wrap};
use astragal_core::Turn;
use serde::Serialize;
use std::io::Write;

/// Count the sequences of play from a position, to check rules against known numbers.
///
/// Prints, for each depth up to N, the number of different sequences of that many decisions, with the chance
/// outcomes before each. A sequence that ends early counts only at the depth where it ends.
#[derive(clap::Args)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The number of decisions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) depth: u32,
    /// Also count the chance outcomes after the last decision.
    #[arg(long)]
    pub(crate) resolve: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn show(place: &Place, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, position) = find(place)?;
    writeln!(out, "{}", header(&*game, &position.text()))?;
    writeln!(out, "\n{}\n", picture(&position.picture()))?;
    writeln!(out, "{}", turn(position.turn(), game.range()))?;
    match position.turn() {
        Turn::Decide(_) => {
            let actions: Vec<String> = position.actions().iter().map(|action| glued(action)).collect();
            writeln!(out, "{}", wrap(&format!("actions: {}", actions.join(", ")), width(), 2))?;
        }
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
    /// Whether it was interrupted before the last depth was complete.
    partial: bool,
    counts: &'a [u64],
}

pub(crate) fn perft(args: &PerftArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let PerftArgs { ref place, depth, resolve, json } = *args;
    let (game, position) = find(place)?;
    if !json {
        writeln!(out, "{}", header(&*game, &position.text()))?;
    }
    let mut counts = Vec::new();
    let mut clock = ShownClock::start(Vec::new());
    let mut complete = true;
    for depth in 1..=depth {
        let Ok(sequences) = position.perft(depth, resolve, &mut clock) else {
            complete = false;
            break;
        };
        counts.push(sequences);
        // Each depth is printed as soon as it is known: the next one may take long.
        if !json {
            writeln!(out, "{:>4}  {:>24}", counts.len(), count(sequences))?;
            out.flush()?;
        }
    }
    drop(clock);
    if json {
        let (game, position, partial) = (game.spec(), position.text(), !complete);
        let report = JsonPerft { game, position, depth, resolve, partial, counts: &counts };
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
    } else if !complete {
        writeln!(out, "partial: interrupted at depth {}", counts.len() + 1)?;
    }
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}
