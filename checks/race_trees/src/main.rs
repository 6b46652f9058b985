//! Races Astragal's Monte Carlo trees against the crate `arbor` and against trees written by hand for a
//! single game, in one run.
//!
//! ```console
//! $ cargo run --release --manifest-path checks/race_trees/Cargo.toml
//! ```
//!
//! All use UCT with the same exploration, expand a node on its second visit and play out every leaf once, to
//! the end; the mean values of many small searches must agree. They alternate, and the best round of each
//! counts, since noise only adds.

mod einstein;
mod four;
mod hand;
mod random;

use astragal_core::{Budget, Even, Game, Searcher, Unwatched};
use astragal_games::connect_four::ConnectFour;
use astragal_games::ewn::Ewn;
use astragal_search::{Mcts, MctsOptions, Select};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

const SIZES: [u32; 3] = [50_000, 200_000, 1_000_000];
/// Rounds for the smallest trees, and the minimum for any size.
const ROUNDS: u32 = 20;
const LEAST: u32 = 3;
/// Exploration, for values from -1 to 1.
const C: f64 = std::f64::consts::SQRT_2;
/// The required speed of ours relative to `arbor` and to the hand-written tree, and of the largest tree
/// relative to the smallest.
const WANTED: [f64; 3] = [1.2, 0.8, 0.8];
/// The number of searches compared and the simulations of each, and the tolerance of their mean values: four
/// standard errors.
const COMPARED: (u64, u32) = (400, 500);
const NEAR: f64 = 0.02;

/// A search with a number of simulations and a seed: returns the value for the first player, from -1 to 1.
type Search = fn(u32, u64) -> f64;

fn ours<G: Game>(game: &G, simulations: u32, seed: u64) -> f64 {
    let options = MctsOptions { select: Select::Ucb1 { c: C }, memory_mib: 4096, ..MctsOptions::default() };
    let mut search = Mcts::with_options(Even, options);
    let budget = Budget::iterations(simulations.into());
    let report = search.run(game, &game.start(), seed, &budget, &mut Unwatched);
    // The mean of all simulations; at a player's root the report's value is that of the best action.
    let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
    let sum: f64 = report.lines.iter().map(|line| line.value * line.visits as f64).sum();
    let mean = if visits == 0 { report.value } else { sum / visits as f64 };
    mean / game.range().hi
}

fn arbor(simulations: u32) -> f64 {
    // Its values range from 0 to 1, and it takes no seed.
    let tree = arbor::MCTS::new(four::Board::default()).with_exploration((C / 2.0) as f32);
    let mut tree = tree.with_entropy();
    tree.ponder(simulations as usize);
    f64::from(2.0 * tree.info.q - 1.0)
}

/// Whether all searches have the same mean value over many small searches.
fn agree(game: &str, searches: &[(&str, f64, Search)]) -> bool {
    let (count, size) = COMPARED;
    let mean = |search: Search| (0..count).map(|seed| search(size, seed)).sum::<f64>() / count as f64;
    let values: Vec<f64> = searches.iter().map(|(_, _, search)| mean(*search)).collect();
    let shown: Vec<String> =
        searches.iter().zip(&values).map(|((name, ..), value)| format!("{name} {value:+.3}")).collect();
    println!("{game}, mean value of {count} searches of {size} simulations: {}", shown.join(", "));
    values.iter().all(|value| (value - values[0]).abs() < NEAR)
}

/// Races the searches of one game, and returns whether ours is fast enough.
fn race(game: &str, searches: &[(&str, f64, Search)]) -> bool {
    let mut enough = agree(game, searches);
    let mut speeds = Vec::new();
    for size in SIZES {
        let mut best = vec![f64::INFINITY; searches.len()];
        for round in 0..(ROUNDS * SIZES[0] / size).max(LEAST) {
            for ((_, _, search), best) in searches.iter().zip(&mut best) {
                let begin = Instant::now();
                black_box(search(size, round.into()));
                *best = best.min(begin.elapsed().as_secs_f64());
            }
        }
        let mine = best[0];
        speeds.push(f64::from(size) / mine);
        println!("{game}, {size} simulations");
        for ((name, wanted, _), seconds) in searches.iter().zip(best) {
            let (speed, ratio) = (f64::from(size) / seconds / 1e6, seconds / mine);
            let short = if ratio < *wanted { format!(", wanted {wanted}") } else { String::new() };
            println!("  {name:<10} {speed:.3} M a second; ours is {ratio:.2} times as fast{short}");
            enough &= ratio >= *wanted;
        }
    }
    let (first, last) = (0, SIZES.len() - 1);
    let kept = speeds[last] / speeds[first];
    println!(
        "{game}: one of {} simulations is {kept:.2} times as fast as one of {}\n",
        SIZES[last], SIZES[first]
    );
    enough && kept >= WANTED[2]
}

fn main() -> ExitCode {
    let [arbors, hands, _] = WANTED;
    let four = race(
        "Connect Four",
        &[
            ("Astragal", 1.0, |n, seed| ours(&ConnectFour::default(), n, seed)),
            ("arbor", arbors, |n, _| arbor(n)),
            ("by hand", hands, |n, seed| four::search(n, seed, C as f32)),
        ],
    );
    let einstein = race(
        "EinStein",
        &[
            ("Astragal", 1.0, |n, seed| ours(&Ewn::new(5, 5, 6).expect("the usual board"), n, seed)),
            ("by hand", hands, |n, seed| einstein::search(n, seed, C as f32)),
        ],
    );
    if four && einstein { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
