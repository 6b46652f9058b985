//! The relative strength of the players and evaluators of each game: `docs/strength.md` has the numbers.
//!
//! `cargo run --release -p astragal --example strength -- [GAME…]`
//!
//! The games of a pair have the same dice and swapped seats. Budgets are depths, so that the tables are the
//! same on every machine.

#![allow(clippy::print_stdout, reason = "an example that prints a table")]

use astragal::arena::contest::{Contest, PairRow, Standing, row};
use astragal::arena::terms::Terms;
use astragal::core::{Budget, Clock};
use astragal::stats::Estimate;
use std::ops::Range;

/// A game, the number of pairs between any two players, and the players.
const MATCHES: [(&str, u64, &[&str]); 4] = [
    (
        "pig",
        4000,
        &[
            "optimal",
            "hold-at(n=23)",
            "hold-at(n=20)",
            "expectimax(eval=logistic,depth=3)",
            "expectimax(eval=lead,depth=3)",
            "random",
        ],
    ),
    (
        "ewn",
        1000,
        &[
            "star2(eval=proximity,depth=3)",
            "star2(eval=race,depth=3)",
            "star2(eval=proximity,depth=1)",
            "star2(eval=race,depth=1)",
            "random",
        ],
    ),
    (
        "cant-stop",
        500,
        &[
            "glenn-aloi",
            "rule-of-28",
            "star2(eval=progress,depth=2)",
            "star2(eval=columns,depth=2)",
            "random",
        ],
    ),
    (
        "ra",
        500,
        &[
            "star2(eval=assets,depth=2)",
            "star2(eval=score,depth=2)",
            "star2(eval=assets,depth=1)",
            "star2(eval=score,depth=1)",
            "random",
        ],
    ),
];

/// The score of the first engine over all pairs.
fn score(spec: &str, names: [&str; 2], pairs: u64) -> Estimate {
    let contest = Contest::new(spec, None, names, Budget::default(), Terms::default(), 0).expect("a match");
    let play = |pair| row(&contest.play(pair, &mut Clock::start()).expect("nobody stops it"));
    let rows: Vec<PairRow> = std::thread::scope(|scope| {
        let half = |pairs: Range<u64>| scope.spawn(move || pairs.map(play).collect::<Vec<_>>());
        let halves = [half(0..pairs / 2), half(pairs / 2..pairs)];
        halves.into_iter().flat_map(|half| half.join().expect("a player")).collect()
    });
    Standing::new(&rows).score
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (spec, pairs, players) in MATCHES {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == spec) {
            continue;
        }
        println!("\n## {spec}, {pairs} pairs each\n");
        let against: Vec<String> = players.iter().map(|player| format!("`{player}`")).collect();
        println!("| score in % of | {} |", against.join(" | "));
        println!("|---|{}", "---|".repeat(players.len()));
        for (i, row) in players.iter().enumerate() {
            let cells: Vec<String> = players
                .iter()
                .enumerate()
                .map(|(j, column)| {
                    if j <= i {
                        return String::new();
                    }
                    let Estimate { mean, lo, hi, .. } = score(spec, [row, column], pairs);
                    format!("{:.1} ± {:.1}", 100.0 * mean, 50.0 * (hi - lo))
                })
                .collect();
            println!("| `{row}` | {} |", cells.join(" | "));
        }
    }
}
