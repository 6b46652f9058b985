//! Monte Carlo trees with one thread and with two.

use crate::print::{columns, count, counted};
use crate::progress::ProgressLine;
use astragal_catalog::game;
use astragal_core::{Budget, Watch};
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A Monte Carlo tree search with one random playout per leaf.
#[derive(Clone, Debug, Serialize)]
struct Simulations {
    game: String,
    threads: u32,
    parallel: &'static str,
    /// Simulations and time of the fastest round.
    simulations: u64,
    seconds: f64,
    /// The speedup over one thread in the same round, as the median of all rounds.
    median: f64,
    tree_nodes: u64,
    tree_bytes: u64,
    /// Whether its memory was full, so that it stopped growing.
    tree_full: bool,
}

impl Simulations {
    /// Simulations per second.
    fn speed(&self) -> f64 {
        self.simulations as f64 / self.seconds
    }
}

/// How large a tree grows.
#[derive(Clone, Copy, Debug)]
pub enum Growth {
    /// This many simulations.
    Simulations(u64),
    /// As many as fit into this time.
    Time(Duration),
}

/// Watches only the time since the start.
struct Since(Instant);

impl Watch for Since {
    fn elapsed(&mut self) -> Duration {
        self.0.elapsed()
    }
}

/// The results for all games.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Trees {
    /// The size of a tree: exactly one of the two.
    tree_simulations: Option<u64>,
    tree_s: Option<f64>,
    tree_rounds: u32,
    simulations: Vec<Simulations>,
}

/// The games and positions in which trees are grown; an initial chance event is already resolved.
const GROWN: [(&str, &str); 4] = [
    ("pig(dice=1)", "0-0+0 p1"),
    ("ewn", "123../45.../6...a/...bc/..def p1 3"),
    ("connect-four", "......./......./......./......./......./....... p1"),
    ("ra", "1/0 10:9652:- 10:8743:- 1 - - p1 turn"),
];

impl Trees {
    /// Grows trees with one thread and with two, alternating, and keeps the fastest of several rounds.
    pub(super) fn grow(rounds: u32, size: Growth) -> Self {
        let ways = [(1, "root"), (2, "root"), (2, "tree")];
        let mut rows = Vec::new();
        let mut progress = ProgressLine::start();
        for (spec, text) in GROWN {
            let game = game(spec).expect("a game of the catalogue");
            let position = game.read(text).expect("a position of the game");
            let engines = ways.map(|(threads, parallel)| {
                format!("uct(c=1.4142,final=visits,threads={threads},parallel={parallel})")
            });
            let mut best = ways.map(|(threads, parallel)| Simulations {
                game: spec.into(),
                threads,
                parallel,
                simulations: 0,
                seconds: 0.0,
                median: 1.0,
                tree_nodes: 0,
                tree_bytes: 0,
                tree_full: false,
            });
            let budget = match size {
                Growth::Simulations(most) => Budget { iterations: Some(most), ..Budget::default() },
                Growth::Time(time) => Budget { time: Some(time), ..Budget::default() },
            };
            let mut gains = ways.map(|_| Vec::new());
            for round in 0..rounds {
                progress.show(|| format!("trees of {spec}, round {} of {rounds}", round + 1));
                let mut alone = None;
                for ((engine, row), gains) in engines.iter().zip(&mut best).zip(&mut gains) {
                    // A new engine each time, so that clearing the previous tree is not timed.
                    let mut engine = game.engine(engine).expect("an engine of the catalogue");
                    let begin = Instant::now();
                    let analysis = black_box(engine.analyze(&*position, 0, &budget, &mut Since(begin)));
                    let seconds = begin.elapsed().as_secs_f64();
                    let counts = analysis.counts;
                    let speed = counts.simulations as f64 / seconds;
                    gains.push(speed / *alone.get_or_insert(speed));
                    if row.simulations == 0 || speed > row.speed() {
                        (row.simulations, row.seconds) = (counts.simulations, seconds);
                        (row.tree_nodes, row.tree_bytes) = (counts.tree_nodes, counts.tree_bytes);
                        row.tree_full = counts.tree_full;
                    }
                }
            }
            for (row, gains) in best.iter_mut().zip(&mut gains) {
                gains.sort_by(f64::total_cmp);
                row.median = 0.5 * (gains[(gains.len() - 1) / 2] + gains[gains.len() / 2]);
            }
            rows.extend(best);
        }
        let (tree_simulations, tree_s) = match size {
            Growth::Simulations(most) => (Some(most), None),
            Growth::Time(time) => (None, Some(time.as_secs_f64())),
        };
        Self { tree_simulations, tree_s, tree_rounds: rounds, simulations: rows }
    }
}

impl fmt::Display for Trees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = match self.tree_simulations {
            Some(most) => counted(most, "simulation", "simulations"),
            None => format!("{} s", self.tree_s.unwrap_or_default()),
        };
        let rounds = counted(self.tree_rounds.into(), "round", "rounds");
        writeln!(f, "Trees of {size}, one random playout a leaf, best of {rounds}:")?;
        let mut alone = 1.0;
        let rows = self.simulations.iter().map(|row| {
            if row.threads == 1 {
                alone = row.speed();
            }
            let threads =
                if row.threads == 1 { "1".into() } else { format!("{}, {}", row.threads, row.parallel) };
            vec![
                format!("  {}", row.game),
                threads,
                count(row.speed() as u64),
                format!("{:.2}", row.speed() / alone),
                format!("{:.2}", row.median),
                format!("{:.1}", row.tree_bytes as f64 / row.tree_nodes as f64),
                format!("{:.1}", row.tree_bytes as f64 / row.simulations as f64),
            ]
        });
        let header =
            ["  game", "threads", "simulations/s", "times", "median", "bytes/node", "bytes/simulation"];
        write!(f, "{}", columns(&header, &[2, 3, 4, 5, 6], rows))?;
        if self.simulations.iter().any(|row| row.tree_full) {
            let full = self.simulations.iter().filter(|row| row.tree_full);
            let full: Vec<_> =
                full.map(|row| format!("{} ({}, {})", row.game, row.threads, row.parallel)).collect();
            writeln!(f, "  The memory of these was full, and they stopped growing: {}.", full.join(", "))?;
        }
        Ok(())
    }
}
