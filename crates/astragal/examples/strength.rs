//! How strong the players and evaluators of each game are against each other: `docs/strength.md` has the
//! numbers.
//!
//! `cargo run --release -p astragal --example strength -- [GAME…]`
//!
//! A pair of games has the same dice, by their number in the game, and swapped seats. Budgets are depths, so
//! that the tables are the same on every machine.

#![allow(clippy::print_stdout, reason = "an example that prints a table")]

use astragal::catalog::{AnyGame, Engine, game};
use astragal::core::{Budget, Sampler, Turn, Unwatched, unit};
use std::sync::atomic::{AtomicU64, Ordering};

/// A game, pairs to play for each two players, and the players.
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

/// Plays one game and returns the payoff of the first engine, from 0 to 1.
fn play(game: &dyn AnyGame, engines: &mut [Box<dyn Engine>; 2], first: usize, seed: u64) -> f64 {
    let dice = Sampler::new(seed);
    let mut position = game.start();
    let (mut rolls, mut moves) = (0, 0);
    loop {
        match position.turn() {
            Turn::Over(payoff) => {
                let range = game.range();
                let score = (payoff - range.lo) / range.width();
                return if first == 0 { score } else { 1.0 - score };
            }
            Turn::Chance => {
                rolls += 1;
                let (_, next) = position.chance(unit(dice.draw(rolls, 0, 0))).expect("it is chance's turn");
                position = next;
            }
            Turn::Decide(player) => {
                moves += 1;
                let engine = &mut engines[player.index() ^ first];
                let analysis = engine.analyze(&*position, seed ^ moves, &Budget::default(), &mut Unwatched);
                position = position.act(&analysis.best.expect("a player is to act")).expect("a legal action");
            }
        }
    }
}

/// The mean score of the first engine over all pairs, and its standard error.
fn contest(spec: &str, names: [&str; 2], pairs: u64) -> (f64, f64) {
    let next = AtomicU64::new(0);
    let worker = || {
        let game = game(spec).expect("a game");
        let mut engines = names.map(|name| game.engine(name).expect("an engine"));
        let mut scores = Vec::new();
        loop {
            let pair = next.fetch_add(1, Ordering::Relaxed);
            if pair >= pairs {
                return scores;
            }
            scores
                .push([0, 1].map(|first| play(&*game, &mut engines, first, pair)).iter().sum::<f64>() / 2.0);
        }
    };
    let scores: Vec<f64> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    let mean = scores.iter().sum::<f64>() / pairs as f64;
    let variance = scores.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / (pairs - 1) as f64;
    (mean, (variance / pairs as f64).sqrt())
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
                    let (mean, error) = contest(spec, [row, column], pairs);
                    format!("{:.1} ± {:.1}", 100.0 * mean, 196.0 * error)
                })
                .collect();
            println!("| `{row}` | {} |", cells.join(" | "));
        }
    }
}
