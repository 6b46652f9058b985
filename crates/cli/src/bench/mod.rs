//! Measurements for users: what the generic search costs, and what pruning saves.
//!
//! Everything is measured as a ratio within one run, because machines are noisy: the two sides of a race
//! alternate, and the best time of each counts, since noise only adds.

mod drift;
mod harness;
mod positions;
mod probcut;
mod pruning;
mod race;
pub mod straight;
mod techniques;
mod trees;

use crate::args::duration;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{columns, count};
use crate::progress;
use astragal_catalog::game;
use drift::Drift;
use harness::Harness;
use probcut::Forecast;
use pruning::{Reach, Saving};
use race::{Course, Race, Side};
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};
use techniques::Technique;
pub use trees::Growth;
use trees::Trees;

fn ratio(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0)
        .ok_or_else(|| "expected a positive number".into())
}

/// Measure this machine: what the generic search costs, and what pruning saves.
///
/// Times the generic Expectimax and alpha-beta against hand-written ones for the same games, alternating in
/// one run; then random playouts, Monte Carlo trees with one thread and with two, and the overhead of a
/// match. Then reports the nodes and time of Star1 and Star2 relative to Expectimax in games with chance,
/// with the paper's bounds and with bounds that know the horizon; and the nodes of alpha-beta with and
/// without each of its techniques in games without chance.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rounds of the races; the best time of each side counts.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) rounds: u32,
    /// Rounds of the trees, alternating between one thread and two; the best speed of each counts, and the
    /// median shows the gain per round.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) tree_rounds: u32,
    /// Simulations per tree.
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) simulations: u64,
    /// Grow each tree for this long instead of for a number of simulations: 200ms, 1.5s, 2m.
    #[arg(long, value_name = "TIME", conflicts_with = "simulations", value_parser = duration)]
    pub(crate) tree_time: Option<Duration>,
    /// Answer no (exit code 1) if a generic search costs more than this many times the hand-written one.
    #[arg(long, value_name = "X", value_parser = ratio)]
    pub(crate) max_ratio: Option<f64>,
    /// Answer no (exit code 1) if the overhead of a match exceeds this percentage of the thinking time of its
    /// engines.
    #[arg(long, value_name = "X", value_parser = ratio)]
    pub(crate) max_harness: Option<f64>,
    /// Measure only these parts.
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    pub(crate) only: Vec<Piece>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Run only this side of a race, --rounds times and without measuring: for a profiler.
    #[arg(long, value_enum, conflicts_with = "only")]
    pub(crate) side: Option<Side>,
    /// The race for --side.
    #[arg(long, value_enum, default_value_t = Course::Expectimax, requires = "side")]
    pub(crate) race: Course,
}

/// Random play of one game from its start.
#[derive(Clone, Debug, Serialize)]
struct Playouts {
    game: String,
    playouts: u64,
    decisions: u64,
    /// The time of the fastest round.
    seconds: f64,
}

/// The result; after an interrupt, only the parts that were finished.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Measured {
    partial: bool,
    races: Vec<Race>,
    playouts: Vec<Playouts>,
    #[serde(flatten)]
    trees: Option<Trees>,
    harness: Option<Harness>,
    pruning: Vec<Saving>,
    reach: Vec<Reach>,
    drift: Vec<Drift>,
    probcut: Vec<Forecast>,
    techniques: Vec<Technique>,
}

impl Measured {
    /// Whether it was interrupted.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// The time of the generic searches divided by that of the hand-written ones, for the worst race; none if
    /// it was not measured.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        self.races.iter().map(|race| race.ratio).max_by(f64::total_cmp)
    }

    /// The overhead of a match as a fraction of the thinking time of its engines; none if it was not
    /// measured.
    #[must_use]
    pub fn harness(&self) -> Option<f64> {
        self.harness.map(|harness| harness.share())
    }
}

/// A part of the result.
enum Part {
    Races(Vec<Race>),
    Playouts(Playouts),
    Trees(Trees),
    Harness(Harness),
    Pruning(Vec<Saving>),
    Reach(Vec<Reach>),
    Drift(Vec<Drift>),
    ProbCut(Forecast),
    Techniques(Vec<Technique>),
}

/// Measures and prints. The answer is no if a limit is exceeded.
pub(crate) fn bench(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    if let Some(side) = args.side {
        for _ in 0..args.rounds {
            let _ = black_box(args.race.run(side));
        }
        return Ok(true);
    }
    let size = args.tree_time.map_or(Growth::Simulations(args.simulations), Growth::Time);
    let wanted = if args.only.is_empty() { Piece::ALL } else { &args.only };
    for (limit, name, piece) in
        [(args.max_ratio, "--max-ratio", Piece::Races), (args.max_harness, "--max-harness", Piece::Match)]
    {
        if limit.is_some() && !wanted.contains(&piece) {
            return Err(Failure::Message(format!("{name} needs a part that --only leaves out")));
        }
    }
    let report = measure(wanted, args.rounds, args.tree_rounds, size);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
    } else {
        write!(out, "{report}")?;
    }
    if report.is_partial() {
        return Err(Failure::Interrupted);
    }
    let within = |found: Option<f64>, most: Option<f64>| match (found, most) {
        (Some(found), Some(most)) => found <= most,
        _ => true,
    };
    let harness = report.harness().map(|share| 100.0 * share);
    Ok(within(harness, args.max_harness) && within(report.ratio(), args.max_ratio))
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Piece {
    /// Generic searches against hand-written ones.
    Races,
    /// Random playouts of all games.
    Playouts,
    /// Monte Carlo trees with one thread and with two.
    Trees,
    /// What a match costs beyond its engines.
    Match,
    /// What Star1 and Star2 save.
    Pruning,
    /// How deep Expectimax, Star1 and Star2 get in 200 ms; takes four minutes, measured only on request.
    Reach,
    /// How far values move in a few decisions, compared with the bounds of evaluators; measured only on
    /// request.
    Drift,
    /// What ChanceProbCut saves, and how often it is wrong; takes some minutes, measured only on request.
    Probcut,
    /// What each technique of alpha-beta saves.
    Techniques,
}

impl Piece {
    /// The parts measured by default.
    pub const ALL: &[Self] =
        &[Self::Races, Self::Playouts, Self::Trees, Self::Match, Self::Pruning, Self::Techniques];
}

/// Measures these parts, with these numbers of rounds of the races and of the trees, and trees of this size.
#[must_use]
pub fn measure(pieces: &[Piece], rounds: u32, tree_rounds: u32, size: Growth) -> Measured {
    let mut measured = Measured::default();
    let pieces = pieces.to_vec();
    // Timed code does not poll the interrupt flag.
    let complete = Interruptible::start().each(
        move |found| {
            for piece in pieces {
                match piece {
                    Piece::Races => found(Part::Races(race::races(rounds))),
                    Piece::Playouts => PLAYED.iter().for_each(|spec| found(Part::Playouts(playouts(spec)))),
                    Piece::Trees => found(Part::Trees(Trees::grow(tree_rounds, size))),
                    Piece::Match => found(Part::Harness(harness::harness(HARNESS_ROUNDS.min(rounds)))),
                    Piece::Pruning => found(Part::Pruning(pruning::savings())),
                    Piece::Reach => pruning::reaches(|reach| found(Part::Reach(reach))),
                    Piece::Drift => found(Part::Drift(drift::drifts())),
                    Piece::Probcut => probcut::forecasts(|forecast| found(Part::ProbCut(forecast))),
                    Piece::Techniques => found(Part::Techniques(techniques::techniques())),
                }
            }
        },
        |part| {
            match part {
                Part::Races(races) => measured.races = races,
                Part::Playouts(playouts) => measured.playouts.push(playouts),
                Part::Trees(trees) => measured.trees = Some(trees),
                Part::Harness(harness) => measured.harness = Some(harness),
                Part::Pruning(savings) => measured.pruning = savings,
                Part::Reach(reach) => measured.reach.extend(reach),
                Part::Drift(drifts) => measured.drift = drifts,
                Part::ProbCut(forecast) => measured.probcut.push(forecast),
                Part::Techniques(techniques) => measured.techniques = techniques,
            }
            Ok(())
        },
    );
    progress::clear();
    measured.partial = !matches!(complete, Ok(true));
    measured
}

/// The maximum number of rounds of the match.
const HARNESS_ROUNDS: u32 = 5;

/// The games of the random playouts.
const PLAYED: [&str; 7] = ["pig(dice=1)", "pig", "ewn", "cant-stop", "ra", "tic-tac-toe", "connect-four"];

/// The minimum duration of a round of playouts, the number of rounds, and the maximum moves of a playout.
const ROUND_S: f64 = 0.02;
const ROUNDS: u32 = 5;
const MOVES: u32 = 100_000;

/// Measures random playouts of a game: the fastest of several rounds.
fn playouts(spec: &str) -> Playouts {
    let game = game(spec).expect("a game of the catalogue");
    let start = game.start();
    let time = |count: u64, seed: u64| {
        let begin = Instant::now();
        let tally = black_box(start.playouts(count, MOVES, seed));
        (begin.elapsed().as_secs_f64(), tally)
    };
    // Enough playouts to fill a round.
    let mut count = 16;
    while time(count, 0).0 < ROUND_S {
        count *= 2;
    }
    let rounds = (0..ROUNDS).map(|seed| time(count, seed.into()));
    let best = rounds.min_by(|a, b| a.0.total_cmp(&b.0));
    let (seconds, tally) = best.expect("there are rounds");
    Playouts { game: spec.into(), playouts: count, decisions: tally.decisions, seconds }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.races.iter().enumerate().try_for_each(|(at, race)| {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{race}")
        })?;
        if !self.playouts.is_empty() {
            if !self.races.is_empty() {
                writeln!(f)?;
            }
            writeln!(f, "Random playouts from the start, best of {ROUNDS} rounds, one thread:")?;
        }
        let rows = self.playouts.iter().map(|row| {
            vec![
                format!("  {}", row.game),
                count((row.playouts as f64 / row.seconds) as u64),
                format!("{:.1}", row.decisions as f64 / row.playouts as f64),
                format!("{:.1}", row.decisions as f64 / row.seconds / 1e6),
            ]
        });
        let header = ["  game", "playouts/s", "decisions each", "M decisions/s"];
        if !self.playouts.is_empty() {
            write!(f, "{}", columns(&header, &[1, 2, 3], rows))?;
        }
        if let Some(trees) = &self.trees {
            write!(f, "\n{trees}")?;
        }
        if let Some(harness) = &self.harness {
            writeln!(f, "\n{}", harness.words())?;
        }
        pruning::print_savings(&self.pruning, f)?;
        pruning::print_reaches(&self.reach, f)?;
        drift::print(&self.drift, f)?;
        probcut::print(&self.probcut, f)?;
        techniques::print(&self.techniques, f)?;
        if self.partial {
            writeln!(f, "\npartial: interrupted")?;
        }
        Ok(())
    }
}
