//! Section 5.2: trees with critical levels, in which only some decisions matter. How many simulations does
//! UCT need to find the value of the root?

pub(crate) mod both_sides;
pub(crate) mod scenarios;
pub(crate) mod surface;

use crate::judged::measure;
use crate::{Bench, Failed};
use astragal_arena::convergence::{Converged, Convergence};
use astragal_catalog::game;
use astragal_core::Interval;
use astragal_stats::{Estimate, LEVEL, Running};

/// The value of the root has converged when it stays at or above this.
const TAU: f64 = 0.7;

/// The thesis does not state the exploration constant it used here. Of 0.2, 0.3, 0.4, 0.5, 0.7, 0.75, 0.8 and
/// 1, those from 0.7 to 0.8 reproduce the times of its Table 5.1; this is the middle one.
const C: f64 = 0.75;

/// Simulations after which a search is abandoned.
const MOST: u64 = 4_000_000;

/// UCT with one constant on one kind of tree.
struct Setup {
    game: String,
    engine: String,
}

impl Setup {
    fn uct(game: String, c: f64) -> Self {
        Self { game, engine: format!("uct(c={c})") }
    }
}

/// Runs all setups until they converge or are abandoned.
fn converge(
    setups: &[Setup],
    tau: f64,
    most: u64,
    trees: u64,
    bench: &mut Bench<'_>,
) -> Result<Vec<Vec<Converged>>, Failed> {
    let works = setups
        .iter()
        .map(|Setup { game: spec, engine }| {
            Ok(Convergence::new(game(spec)?.into(), engine, tau, most, bench.seed)?)
        })
        .collect::<Result<Vec<Convergence>, Failed>>()?;
    measure(&works, trees, bench, |at| setups[at].game.clone())
}

/// The time of a tree. An abandoned search, whose value did not settle, counts as the maximum.
fn time(converged: &Converged, most: u64) -> f64 {
    converged.time.unwrap_or(most) as f64
}

fn mean<'a>(all: impl IntoIterator<Item = &'a Converged>, measure: impl Fn(&Converged) -> f64) -> Estimate {
    all.into_iter().map(measure).collect::<Running>().estimate(LEVEL)
}

/// A number agrees if it is within this factor.
const FACTOR: f64 = 1.5;

fn around(known: f64) -> Interval {
    Interval::new(known / FACTOR, known * FACTOR)
}
