//! The cost of generic code: a library search against a hand-written one for the same game.

use super::straight;
use crate::print::{columns, counted};
use astragal_core::{Budget, Even, Game, Interval, Notation, Searcher};
use astragal_games::connect_four::ConnectFour;
use astragal_games::pig::{Lead, Pig};
use astragal_search::{Algorithm, AlphaBeta, AlphaBetaOptions, Options, StarMinimax};
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// A race.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Course {
    /// Expectimax in Pig.
    Expectimax,
    /// Alpha-beta in Connect Four.
    AlphaBeta,
}

/// A side of a race.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Side {
    /// The library's search.
    Generic,
    /// The hand-written search.
    ByHand,
}

/// The position and the depth of the Expectimax race.
const POSITION: &str = "30-45+12 p1";
const DEPTH: u32 = 6;
/// The depth of the alpha-beta race, from the start.
const PLIES: u32 = 10;

impl Course {
    const ALL: [Self; 2] = [Self::Expectimax, Self::AlphaBeta];

    fn title(self) -> String {
        match self {
            Self::Expectimax => format!("Expectimax, Pig {POSITION}, depth {DEPTH}"),
            Self::AlphaBeta => format!("Alpha-beta, Connect Four from the start, depth {PLIES}"),
        }
    }

    /// Runs one side, and returns the value of the root and, if counted, the number of nodes.
    pub(super) fn run(self, side: Side) -> (f64, Option<u64>) {
        match (self, side) {
            (Self::Expectimax, Side::ByHand) => {
                let start = straight::Pig { first: 30, second: 45, total: 12, mine: true };
                (straight::expectimax(black_box(start), black_box(DEPTH)), None)
            }
            (Self::Expectimax, Side::Generic) => {
                let state = Pig::default().read_state(POSITION).expect("the position of the race");
                let mut search = StarMinimax::new(Lead, Options::new(Algorithm::Expectimax));
                let (game, state) = black_box((Pig::default(), state));
                let (value, counts) = search.value_within(&game, &state, 0, DEPTH, Interval::WHOLE);
                (value, Some(counts.nodes))
            }
            (Self::AlphaBeta, Side::ByHand) => {
                let start = straight::Four { own: 0, other: 0 };
                let value = straight::alpha_beta(black_box(start), black_box(PLIES), -i32::MAX, i32::MAX);
                (value.into(), None)
            }
            (Self::AlphaBeta, Side::Generic) => {
                let game = black_box(ConnectFour::default());
                let mut search = AlphaBeta::new(Even, AlphaBetaOptions::plain());
                let report = search.search(&game, &game.start(), Budget::depth(PLIES));
                (report.value, Some(report.counts.nodes))
            }
        }
    }
}

/// The result of a race.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Race {
    title: String,
    rounds: u32,
    nodes: u64,
    straight_s: f64,
    generic_s: f64,
    /// The best generic time divided by the best hand-written time.
    pub(super) ratio: f64,
}

/// Runs all races.
pub(super) fn races(rounds: u32) -> Vec<Race> {
    Course::ALL.map(|course| race(course, rounds)).into()
}

fn race(course: Course, rounds: u32) -> Race {
    let (mut straight_s, mut generic_s) = (f64::INFINITY, f64::INFINITY);
    let mut nodes = 0;
    let timed = |side| {
        let start = Instant::now();
        let found = black_box(course.run(side));
        (start.elapsed().as_secs_f64(), found)
    };
    for _ in 0..rounds {
        let (straight, (expected, _)) = timed(Side::ByHand);
        let (generic, (found, counted)) = timed(Side::Generic);
        assert_eq!(expected, found, "the two searches disagree");
        nodes = counted.expect("searches of the library count");
        straight_s = straight_s.min(straight);
        generic_s = generic_s.min(generic);
    }
    Race { title: course.title(), rounds, nodes, straight_s, generic_s, ratio: generic_s / straight_s }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, rounds, nodes, straight_s, generic_s, ratio } = self;
        let speed = |seconds: f64| format!("{:.0}", *nodes as f64 / seconds / 1e6);
        let (nodes, rounds) =
            (counted(*nodes, "node", "nodes"), counted((*rounds).into(), "round", "rounds"));
        writeln!(f, "{title}, {nodes}; best of {rounds}:")?;
        let rows = [("hand-written", straight_s), ("generic", generic_s)].map(|(name, s)| {
            vec![format!("  {name}"), format!("{:.2} ms", s * 1e3), format!("{} M nodes/s", speed(*s))]
        });
        write!(f, "{}", columns(&[], &[1, 2], rows))?;
        writeln!(f, "  the generic one takes {ratio:.2} times as long")
    }
}
