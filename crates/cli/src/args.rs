//! The command-line arguments.

use crate::bench;
use crate::commands::{
    accuracy, analyze, bandit, calibrate, matches, play, regret, replay, reproduce, results, show, solve,
    tournament, traps, tune, uci, work,
};
use astragal_core::{Budget, read_time};
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use std::time::Duration;

/// A search engine for games of skill and chance.
///
/// Games and engines are named by spec strings: a name, optionally with parameters, such as `pig`,
/// `pig(dice=1,target=50)`, `star2` or `star2ss(width=18,keys=path)`. Quote specs that have parentheses,
/// because the shell interprets them. `astragal games` and `astragal engines` list what is available.
#[derive(Parser)]
#[command(name = "astragal", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  astragal show pig --position '30-45+12 p1'
  astragal analyze pig --position '30-45+12 p1' --engine star2 --depth 6
  astragal analyze 'pig(dice=1)' --engine 'star2ss(width=4)' --depth 6 --seed 7 --json
  astragal rules pig
  astragal play pig --p1 human --p2 star2
  astragal engines star2ss

Values are always player 1's. Ctrl-C shows what there is so far, marked as partial.
Exit codes: 0 done, 1 the answer is no, 2 bad input, 130 interrupted.";

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the games, or describe one: parameters, positions, evaluators.
    Games {
        /// The name of a game.
        name: Option<String>,
    },
    /// Explain the rules of a game: its aim, a turn, the end, and how actions and positions are written.
    Rules {
        /// The name of a game.
        game: String,
    },
    /// List the engines, or describe one: parameters, ranges, defaults, source paper.
    Engines {
        /// The name of an engine.
        name: Option<String>,
    },
    /// Draw a position and list its actions or chance outcomes.
    Show {
        #[command(flatten)]
        place: Place,
    },
    Analyze(analyze::Args),
    Bandit(bandit::Args),
    Perft(show::PerftArgs),
    Play(play::Args),
    Solve(solve::Args),
    Bench(bench::Args),
    Match(Box<matches::Args>),
    Traps(Box<traps::Args>),
    Accuracy(Box<accuracy::Args>),
    Regret(Box<regret::Args>),
    Calibrate(calibrate::Args),
    Replay(replay::Args),
    Tournament(tournament::Args),
    Tune(tune::Args),
    Uci(uci::Args),
    Work(work::Args),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    Results(results::Args),
    Merge(results::MergeArgs),
    Reproduce(reproduce::Args),
}

/// A game and a position.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// The game: `astragal games` lists them.
    pub(crate) game: String,
    /// The position, in the notation that `astragal games NAME` describes; by default the start of the game.
    #[arg(long, value_name = "P")]
    pub(crate) position: Option<String>,
}

/// A search budget.
#[derive(clap::Args)]
pub(crate) struct Limits {
    /// Search at most this many decisions ahead.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Visit at most this many states (the first depth is always completed, with up to a thousand times as
    /// many).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Run at most this many simulations, for engines that count them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    /// Search for at most this long: 200ms, 1.5s, 2m (the first depth is always completed, in up to ten times
    /// as long).
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
}

impl Limits {
    pub(crate) fn budget(&self) -> Budget {
        Budget { depth: self.depth, nodes: self.nodes, iterations: self.iterations, time: self.time }
    }
}

/// The worker threads.
#[derive(clap::Args)]
pub(crate) struct CrewArgs {
    /// Games to run in parallel; by default one per processor.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    jobs: Option<u32>,
}

impl CrewArgs {
    pub(crate) fn workers(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(all, |jobs| jobs as usize)
    }
}

/// Parses a time such as `200ms`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    match read_time(text) {
        Some(time) if time.is_zero() => Err("a time of zero leaves nothing to do".into()),
        Some(time) => Ok(time),
        None => Err("expected a time such as 200ms, 1.5s or 2m".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        crate::usage::commands().debug_assert();
    }

    #[test]
    fn times_are_read() {
        assert_eq!(duration("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "5", "ms", "0s", "-1s", "1e400s", "nans", "infs", "5 parsecs", "1s2"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
