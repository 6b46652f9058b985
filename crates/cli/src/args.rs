//! What can be typed.

use astragal_core::Budget;
use astragal_store::Shard;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use std::time::Duration;

/// A search engine for games of skill and chance.
///
/// Games and engines are named by spec strings: a name, or a name with parameters, such as `pig`,
/// `pig(dice=1,target=50)`, `star2` or `star2ss(width=18,keys=path)`. Quote them, or the shell takes the
/// parentheses. `astragal games` and `astragal engines` list what there is.
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
  astragal analyze 'pig(dice=1)' --engine 'star2ss(width=4,sample=systematic)' --depth 6 --seed 7 --json
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
    /// List the engines, or describe one: parameters, ranges, defaults, the paper it comes from.
    Engines {
        /// The name of an engine.
        name: Option<String>,
    },
    /// Draw a position and list what can happen in it.
    Show {
        #[command(flatten)]
        place: Place,
    },
    /// Search a position: its value, the best action, a line for every action.
    ///
    /// The search deepens until it reaches the first limit of its budget. Without any limit, neither here nor
    /// in the engine as in star2(depth=3), it takes 1 s. An interrupt (Ctrl-C) ends it with the result of the
    /// last finished depth. With the same seed and a budget in depth, nodes or iterations the same command
    /// prints the same result on every machine, except with parallel=tree, which is not repeatable.
    Analyze {
        #[command(flatten)]
        place: Place,
        /// The engine: `astragal engines` lists them.
        #[arg(long, value_name = "SPEC", default_value = "star2")]
        engine: String,
        #[command(flatten)]
        limits: Limits,
        /// The seed of everything random in the search.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Print the report as one JSON object.
        #[arg(long)]
        json: bool,
        /// Write the tree of the search to a file: Graphviz DOT if it ends in .dot or .gv, otherwise JSON.
        #[arg(long, value_name = "FILE")]
        tree: Option<PathBuf>,
        /// Steps of the tree to write, decisions and chance alike.
        #[arg(long, value_name = "N", default_value_t = 4, requires = "tree")]
        tree_depth: u32,
        /// Write only nodes of the tree with at least so many visits.
        #[arg(long, value_name = "N", default_value_t = 1, requires = "tree")]
        tree_visits: u64,
    },
    /// Run the bandit problem itself: what is lost by not knowing which slot machine is best.
    ///
    /// The regret after some pulls is what the best machine would have won on average, less what the pulled
    /// ones would have. It grows with the logarithm of the pulls for UCB1, and with the pulls for who chooses
    /// at random.
    Bandit {
        /// The chances of the machines to win, separated by commas.
        #[arg(long, value_name = "P,P,…", value_delimiter = ',', default_value = "0.9,0.6,0.5,0.4", value_parser = chance)]
        arms: Vec<f64>,
        /// Pulls of a run.
        #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
        pulls: u64,
        /// Runs, whose mean is shown.
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
        runs: u64,
        /// The seed of all runs.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Count the sequences of play from a position, to check rules against known numbers.
    ///
    /// For each depth up to N: the number of different sequences of that many decisions, with the chance
    /// outcomes before each. A sequence that ends early counts at the depth where it ends and not deeper.
    Perft {
        #[command(flatten)]
        place: Place,
        /// The number of decisions.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
        depth: u32,
        /// Count the chance outcomes after the last decision, too.
        #[arg(long)]
        resolve: bool,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Play a game in the terminal, against an engine, a friend, or watch two engines.
    ///
    /// Type an action, or any part of it that identifies one: `diag` for `3 diagonal`. `?` gives a hint,
    /// `opinion` the value of every action, `undo` takes back your last action, `help` lists all commands.
    /// Values are shown from your side. The dice depend only on the seed and the move number, so taking back
    /// does not change them. An engine thinks for 500 ms about each decision, unless a limit is
    /// given here or in its spec, as in star2(depth=3).
    Play {
        #[command(flatten)]
        place: Place,
        /// Who plays first: `human`, or the spec of an engine.
        #[arg(long, value_name = "WHO", default_value = "human")]
        p1: String,
        /// Who plays second: `human`, or the spec of an engine.
        #[arg(long, value_name = "WHO", default_value = "star2")]
        p2: String,
        #[command(flatten)]
        limits: Limits,
        /// The seed of the dice and of the engines. Without one, every game is different.
        #[arg(long)]
        seed: Option<u64>,
        /// Where the dice come from.
        #[arg(long, value_enum, default_value_t = DiceFrom::Seed)]
        dice: DiceFrom,
        /// Save the game to a file, which `astragal replay` shows and checks: JSON if it ends in .jsonl,
        /// otherwise text.
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
    },
    /// Solve a game: the exact value of every position that can be reached, by retrograde analysis and value
    /// iteration.
    ///
    /// With --out the values are saved, and `solved(file=…)` is the engine that plays by them. For games
    /// whose positions fit in memory: Pig, small boards of EinStein, endgames, small relatives of Can't Stop.
    Solve {
        #[command(flatten)]
        place: Place,
        /// Save the values in this file.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Give up beyond this many states.
        ///
        /// A state takes 130 to 270 bytes of memory, more if more can follow it: 130 were measured for
        /// EinStein würfelt nicht!, 160 for Connect Four, 270 for Pig. So the default may take 6 to 13 GiB.
        #[arg(long, value_name = "N", default_value_t = 50_000_000, value_parser = clap::value_parser!(u64).range(1..=4_000_000_000))]
        states: u64,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Measure this machine: what the generic search costs, and what pruning saves.
    ///
    /// Times the generic Expectimax against one written by hand for the same game, in turns, in one run; then
    /// random playouts, Monte Carlo trees with one thread and with two, and a match; and prints nodes a
    /// second and the nodes that Star1 and Star2 visit, for Pig and for random trees.
    Bench {
        /// Rounds of the race; the best time of each side counts.
        #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        rounds: u32,
        /// Rounds of the trees, with one thread and with two in turns; the best speed of each counts, and the
        /// median says what a round gained.
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        tree_rounds: u32,
        /// Simulations of a tree.
        #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
        simulations: u64,
        /// Grow each tree for so long instead of for so many simulations: 200ms, 1.5s, 2m.
        #[arg(long, value_name = "TIME", conflicts_with = "simulations", value_parser = duration)]
        tree_time: Option<Duration>,
        /// Answer no (exit code 1) if the generic search costs more than this many times the hand-written
        /// one.
        #[arg(long, value_name = "X", value_parser = ratio)]
        max_ratio: Option<f64>,
        /// Answer no (exit code 1) if a match costs more than this many percent of the thinking of its
        /// engines.
        #[arg(long, value_name = "X", value_parser = ratio)]
        max_harness: Option<f64>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Play a match between two engines: pairs of games with the same dice, seats swapped.
    ///
    /// Prints the score of the first engine with its 95 % interval, which comes from the variance of pairs;
    /// Elo and normalised Elo; the likelihood that it is the stronger one; and the score with the luck of the
    /// dice taken out. Without --depth, --nodes, --iterations or --time an engine has 100 ms for each
    /// decision. With a budget in nodes, iterations or depth the result is the same on every machine, with
    /// any number of jobs.
    Match {
        #[command(flatten)]
        place: Place,
        /// The first engine, whose score is shown.
        first: String,
        /// The second engine.
        second: String,
        /// Pairs of games; with --sprt at most so many.
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
        pairs: u64,
        #[command(flatten)]
        limits: Limits,
        /// A budget for the first engine alone, such as iterations=1000 or depth=4,time=200ms.
        #[arg(long, value_name = "BUDGET", value_parser = budget)]
        first_budget: Option<Budget>,
        /// A budget for the second engine alone.
        #[arg(long, value_name = "BUDGET", value_parser = budget)]
        second_budget: Option<Budget>,
        /// The seed of the dice and of the engines.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Decisions at random at the beginning of each pair, for games without dice.
        #[arg(long, value_name = "N", default_value_t = 0)]
        opening: u32,
        #[command(flatten)]
        crew: CrewArgs,
        /// Stop as soon as a sequential test (errors of 5 %) decides between these differences in Elo, such
        /// as 0,20.
        #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
        sprt: Option<(f64, f64)>,
        /// The bounds of the test are in normalised Elo.
        #[arg(long, requires = "sprt")]
        normalised: bool,
        /// Write every game to a file: JSON lines if it ends in .jsonl, otherwise text.
        ///
        /// With --store the games are appended to the file. Pairs that the store already has are not played
        /// again and so not recorded; a line on standard error says how many they are.
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
        /// Keep the results in this file, and go on from those that it has.
        #[arg(long, value_name = "FILE")]
        store: Option<PathBuf>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Show recorded games and check them: every action legal, every throw that of the seed, the result that
    /// of the rules.
    ///
    /// Reads what `match --record` and `play --record` wrote. Throws that were entered by hand must only be
    /// possible.
    Replay {
        /// The file.
        file: PathBuf,
        /// Show only this game, counted from 1.
        #[arg(long, value_name = "N")]
        game: Option<usize>,
        /// Let the engines play every game of a match again and compare each decision.
        #[arg(long)]
        again: bool,
        /// Check, and show nothing but the sum.
        #[arg(long)]
        quiet: bool,
        /// Judge the games with this engine: what each decision lost, how lucky each roll was, and the sums.
        /// It thinks for 200 ms about a decision unless a limit is given.
        #[arg(long, value_name = "SPEC", conflicts_with = "quiet")]
        analyze: Option<String>,
        #[command(flatten)]
        limits: Limits,
    },
    /// Play a match or a tournament (round robin, gauntlet, elimination) from a plan, with ratings.
    ///
    /// A plan is a TOML file:
    ///
    ///   game = "ewn"
    ///   kind = "round-robin"            # or "match", "gauntlet", "elimination"
    ///   engines = ["star2ss(width=2)", "mcts", "random"]
    ///   pairs = 100
    ///   seed = 1                        # 0 to 2^64 - 1, may be quoted
    ///   budget = { nodes = 1000 }       # or depth, iterations, milliseconds; there is no default
    ///
    /// Results are kept in a store: started again, it goes on where it stopped, however it was stopped.
    #[command(verbatim_doc_comment)]
    Tournament {
        /// The plan.
        plan: PathBuf,
        /// The store; the plan's name with .db at the end if not given.
        #[arg(long, value_name = "FILE")]
        store: Option<PathBuf>,
        #[command(flatten)]
        crew: CrewArgs,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Look for the best parameters of an engine, and confirm them by a match on fresh dice.
    ///
    /// Parameters to be tuned are written as ranges: star2ss(width=2..30), or mcts(c=0.1..4,dr=0..20).
    /// Elimination plays a tournament of engines spread over the ranges, as the MCMS paper did; SPSA moves
    /// all parameters a little at a time. Without --depth, --nodes, --iterations or --time an engine has 10
    /// ms for each decision.
    Tune {
        /// The game.
        game: String,
        /// The engine, with ranges.
        engine: String,
        /// Whom the result must beat; the engine with its default parameters if not given.
        #[arg(long, value_name = "SPEC")]
        against: Option<String>,
        /// How parameters are found.
        #[arg(long, value_enum, default_value_t = Method::Elimination)]
        method: Method,
        /// Engines of the elimination tournament.
        #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=1024))]
        candidates: u32,
        /// Steps of SPSA.
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        steps: u32,
        /// Pairs of a match of the tournament, or of a step.
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
        pairs: u64,
        /// Pairs of the confirming match at most.
        #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
        confirm: u64,
        #[command(flatten)]
        limits: Limits,
        /// The seed of everything random.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        #[command(flatten)]
        crew: CrewArgs,
        /// Keep the results in this file, and go on from those that it has.
        #[arg(long, value_name = "FILE")]
        store: Option<PathBuf>,
    },
    /// Do a share of a match, a tournament or experiments and keep the results in a store, for clusters.
    ///
    /// Shards are the same on every machine and can be done again: what a store has is not done twice, and
    /// `merge` unites the stores. In an elimination tournament each round needs the results of the one
    /// before, and so do experiments with several stages: merge them, and start the shards again with what
    /// was merged, until a shard says that all is done.
    ///
    /// A plan is a TOML file: game, kind (match, round-robin, gauntlet, elimination), engines, pairs, budget
    /// = { nodes = N }, seed; or experiments = ["mcms-fig2"], scale = "full", seed.
    Work {
        /// The plan.
        plan: PathBuf,
        /// Which share, of how many: 1/4 is the first of four.
        #[arg(long, value_name = "I/N", value_parser = shard)]
        shard: Shard,
        /// The store.
        #[arg(long, value_name = "FILE")]
        store: PathBuf,
        #[command(flatten)]
        crew: CrewArgs,
        /// Print a JSON object for each match, tournament or experiment; its state is complete, waits or
        /// stopped.
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// List the jobs of a results store, or export its results.
    ///
    /// A store is an SQLite file. The list shows matches with their pairs and scores; parameters of games and
    /// engines that have their default values are left out. An export has a line for each unit: the kind of
    /// its job, the job's fields, the number of the unit, all values of its result, and the version that made
    /// it. Values inside lists and objects have names such as games.0.score.
    Results {
        /// The results store.
        store: PathBuf,
        /// Only jobs of this kind.
        #[arg(long, value_name = "K")]
        kind: Option<String>,
        /// Only jobs with this somewhere in their description.
        #[arg(long, value_name = "TEXT")]
        containing: Option<String>,
        /// Print the results as CSV.
        #[arg(long)]
        csv: bool,
        /// Print the results as JSON, an object in each line.
        #[arg(long, conflicts_with = "csv")]
        json: bool,
        /// Print standings for each game instead: Elo ratings of all engines that met in matches and
        /// tournaments.
        #[arg(long)]
        standings: bool,
    },
    /// Merge results stores into one.
    ///
    /// A unit that is there already is kept as it is, so merging again changes nothing. If two stores have
    /// different results of one unit, both are printed and the answer is no (exit code 1).
    Merge {
        /// The results stores to take from; they stay as they are.
        #[arg(required = true, value_name = "STORE")]
        stores: Vec<PathBuf>,
        /// The results store to add to, made if there is none.
        #[arg(long, value_name = "FILE")]
        into: PathBuf,
    },
    /// Run experiments of the papers and lectures: published and measured numbers side by side, with figures.
    ///
    /// For each experiment DIR/ID/report.md with its tables (CSV) and figures (SVG, PNG). The same seed gives
    /// the same files, save where the full scale has a budget in time. What was done before, in
    /// DIR/results.db, is not done again. Ids and the groups of them are in `astragal reproduce --list`.
    Reproduce {
        /// Ids of experiments, or groups: mcms, lecture, all.
        #[arg(value_name = "ID", required_unless_present = "list")]
        ids: Vec<String>,
        /// List the experiments and how long they take.
        #[arg(long)]
        list: bool,
        /// How much is run: enough to see the shape, or until intervals are narrow.
        #[arg(long, value_enum, default_value_t = Size::Quick)]
        scale: Size,
        /// Where the reports are written.
        #[arg(long, value_name = "DIR", default_value = "results")]
        out: PathBuf,
        /// The seed of everything random.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// Threads; as many as there are processors if not given. With budgets in nodes results do not depend
        /// on it.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        jobs: Option<u16>,
        /// Do everything again: forget what DIR/results.db has.
        #[arg(long)]
        fresh: bool,
    },
}

/// How much of an experiment is run.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Size {
    /// Seconds to a minute each.
    Quick,
    /// Until intervals are narrow.
    Full,
}

/// Where the dice of a game come from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiceFrom {
    /// Drawn by the seed.
    Seed,
    /// You roll real dice and type the outcomes.
    Ask,
}

/// How parameters are tuned.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Method {
    /// An elimination tournament.
    Elimination,
    /// Simultaneous perturbation stochastic approximation.
    Spsa,
}

/// A game and a position.
#[derive(ClapArgs)]
pub(crate) struct Place {
    /// The game: `astragal games` lists them.
    pub(crate) game: String,
    /// The position, written as `astragal games NAME` says; the start of the game if not given.
    #[arg(long, value_name = "P")]
    pub(crate) position: Option<String>,
}

/// A budget.
#[derive(ClapArgs)]
pub(crate) struct Limits {
    /// Look at most this many decisions ahead.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Visit at most this many states (the first depth is finished all the same, within a thousand times as
    /// many).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Run at most this many simulations, for engines that count them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    /// Take at most this long: 200ms, 1.5s, 2m (the first depth is finished all the same, within ten times as
    /// long).
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
}

impl Limits {
    pub(crate) fn budget(&self) -> Budget {
        Budget { depth: self.depth, nodes: self.nodes, iterations: self.iterations, time: self.time }
    }
}

/// Who does the work.
#[derive(ClapArgs)]
pub(crate) struct CrewArgs {
    /// Games at the same time; as many as there are processors if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    jobs: Option<u32>,
}

impl CrewArgs {
    pub(crate) fn workers(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(all, |jobs| jobs as usize)
    }
}

/// Reads a budget such as `nodes=1000`.
fn budget(text: &str) -> Result<Budget, String> {
    let form =
        || "expected depth=N, nodes=N, iterations=N or time=200ms, several separated by commas".to_string();
    let budget = text.parse().ok().filter(|budget: &Budget| !budget.is_unlimited()).ok_or_else(form)?;
    let zero = [budget.nodes, budget.iterations, budget.depth.map(u64::from)].contains(&Some(0));
    let no_time = budget.time.is_some_and(|time| time.is_zero());
    if zero || no_time { Err("a budget is at least 1".into()) } else { Ok(budget) }
}

/// Reads a share such as `1/4`.
fn shard(text: &str) -> Result<Shard, String> {
    let form = || "expected a share such as 1/4, from 1/4 to 4/4".to_string();
    let (index, count) = text.split_once('/').ok_or_else(form)?;
    let (index, count): (u64, u64) =
        (index.trim().parse().map_err(|_| form())?, count.trim().parse().map_err(|_| form())?);
    if count > Shard::MOST {
        return Err(format!("at most {} shares", Shard::MOST));
    }
    if (1..=count).contains(&index) { Ok(Shard { index: index - 1, count }) } else { Err(form()) }
}

/// Reads two differences in Elo.
fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let form = || "expected two numbers such as 0,20, the smaller first".to_string();
    let (low, high) = text.split_once(',').ok_or_else(form)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(form);
    let (low, high) = (number(low)?, number(high)?);
    if low < high { Ok((low, high)) } else { Err(form()) }
}

fn ratio(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0)
        .ok_or_else(|| "expected a positive number".into())
}

/// Reads a time such as `200ms`.
fn duration(text: &str) -> Result<Duration, String> {
    let form = || "expected a time such as 200ms, 1.5s or 2m".to_string();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(form)?;
    let (number, unit) = text.split_at(split);
    let seconds = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(form()),
    };
    let amount: f64 = number.trim().parse().map_err(|_| form())?;
    let time = Duration::try_from_secs_f64(amount * seconds).map_err(|_| form())?;
    if time.is_zero() { Err("a time of zero leaves nothing to do".into()) } else { Ok(time) }
}

/// Reads a chance.
fn chance(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| "not a number".to_string())?;
    (0.0..=1.0).contains(&number).then_some(number).ok_or_else(|| "not between 0 and 1".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
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
