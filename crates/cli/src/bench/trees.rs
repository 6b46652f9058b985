//! Monte Carlo trees with one thread and with two.

use crate::print::{columns, count};
use astragal_catalog::game;
use astragal_core::{Budget, Unwatched};
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// A Monte Carlo tree search with one random playout a leaf.
#[derive(Clone, Debug, Serialize)]
struct Simulations {
    game: String,
    threads: u32,
    parallel: &'static str,
    simulations: u64,
    /// The time of the fastest round.
    seconds: f64,
    /// How many times as fast as one thread in the same round, in the median of all rounds.
    median: f64,
    tree_nodes: u64,
    tree_bytes: u64,
}

/// All of them.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Trees {
    tree_rounds: u32,
    simulations: Vec<Simulations>,
}

/// Where trees are grown: positions after the first roll.
const GROWN: [(&str, &str); 4] = [
    ("pig(dice=1)", "0-0+0 p1"),
    ("ewn", "123../45.../6...a/...bc/..def p1 3"),
    ("connect-four", "......./......./......./......./......./....... p1"),
    ("ra", "1/0 10:9652:- 10:8743:- 1 - - p1 turn"),
];

impl Trees {
    /// Trees with one thread and with two, taking turns, the fastest of some rounds.
    pub(super) fn grow(rounds: u32, most: u64) -> Self {
        let ways = [(1, "root"), (2, "root"), (2, "tree")];
        let mut rows = Vec::new();
        for (spec, text) in GROWN {
            let game = game(spec).expect("a game of the catalogue");
            let position = game.read(text).expect("a position of the game");
            let mut engines = ways.map(|(threads, parallel)| {
                let engine = format!("uct(c=1.4142,final=visits,threads={threads},parallel={parallel})");
                game.engine(&engine).expect("an engine of the catalogue")
            });
            let mut best = ways.map(|(threads, parallel)| Simulations {
                game: spec.into(),
                threads,
                parallel,
                simulations: most,
                seconds: f64::INFINITY,
                median: 1.0,
                tree_nodes: 0,
                tree_bytes: 0,
            });
            let budget = Budget { iterations: Some(most), ..Budget::default() };
            let mut times = ways.map(|_| Vec::new());
            for _ in 0..rounds {
                let mut alone = None;
                for ((engine, row), times) in engines.iter_mut().zip(&mut best).zip(&mut times) {
                    let begin = Instant::now();
                    let analysis = black_box(engine.analyze(&*position, 0, &budget, &mut Unwatched));
                    let seconds = begin.elapsed().as_secs_f64();
                    times.push(*alone.get_or_insert(seconds) / seconds);
                    row.seconds = row.seconds.min(seconds);
                    row.tree_nodes = analysis.counts.tree_nodes;
                    row.tree_bytes = analysis.counts.tree_bytes;
                }
            }
            for (row, times) in best.iter_mut().zip(&mut times) {
                times.sort_by(f64::total_cmp);
                row.median = 0.5 * (times[(times.len() - 1) / 2] + times[times.len() / 2]);
            }
            rows.extend(best);
        }
        Self { tree_rounds: rounds, simulations: rows }
    }
}

impl fmt::Display for Trees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = count(self.simulations.first().map_or(0, |row| row.simulations));
        let rounds = self.tree_rounds;
        writeln!(f, "Trees of {most} simulations, one random playout a leaf, best of {rounds} rounds:")?;
        let mut alone = 1.0;
        let rows = self.simulations.iter().map(|row| {
            if row.threads == 1 {
                alone = row.seconds;
            }
            let threads =
                if row.threads == 1 { "1".into() } else { format!("{}, {}", row.threads, row.parallel) };
            vec![
                format!("  {}", row.game),
                threads,
                count((row.simulations as f64 / row.seconds) as u64),
                format!("{:.2}", alone / row.seconds),
                format!("{:.2}", row.median),
                format!("{:.1}", row.tree_bytes as f64 / row.tree_nodes as f64),
                format!("{:.1}", row.tree_bytes as f64 / row.simulations as f64),
            ]
        });
        let header =
            ["  game", "threads", "simulations/s", "times", "median", "bytes/node", "bytes/simulation"];
        write!(f, "{}", columns(&header, &[2, 3, 4, 5, 6], rows))
    }
}
