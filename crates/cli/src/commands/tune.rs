//! `astragal tune`: the best parameters of an engine, confirmed on fresh dice.

use super::matches::percent;
use crate::args::{CrewArgs, Limits};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, counted, styled};
use crate::progress::ProgressLine;
use astragal_arena::contest::Contest;
use astragal_arena::sequential::Trial;
use astragal_arena::terms::Terms;
use astragal_arena::tournament::{End, Kind, Tournament};
use astragal_arena::tune::{Space, Spsa};
use astragal_catalog::Spec;
use astragal_core::Budget;
use astragal_stats::{LEVEL, Scale, Sprt, Verdict};
use astragal_store::{Crew, Store};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Search for the best parameters of an engine, and test them in a match on fresh dice
///
/// Parameters to tune are written as ranges: star2ss(width=2..30), or mcts(c=0.1..4,dr=0..20). Elimination
/// plays a tournament of engines spread over the ranges, as in the MCMS paper; SPSA moves all parameters
/// together in small steps. Without --depth, --nodes, --iterations or --time an engine has 10 ms for each
/// decision.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    pub(crate) game: String,
    /// The engine, with ranges.
    pub(crate) engine: String,
    /// The engine that the result must beat; by default, the engine with its default parameters.
    #[arg(long, value_name = "SPEC")]
    pub(crate) against: Option<String>,
    /// The tuning method.
    #[arg(long, value_enum, default_value_t = Method::Elimination)]
    pub(crate) method: Method,
    /// Number of engines in the elimination tournament.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=1024))]
    pub(crate) candidates: u32,
    /// Number of SPSA steps.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) steps: u32,
    /// Pairs per match of the tournament, or per SPSA step.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) pairs: u64,
    /// Maximum number of pairs in the confirming match.
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) confirm: u64,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The random seed.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Keep the results in this file, and resume from those already in it.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// How parameters are tuned.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Method {
    /// An elimination tournament.
    Elimination,
    /// Simultaneous perturbation stochastic approximation.
    Spsa,
}

/// The default time per decision.
const THINK: Duration = Duration::from_millis(10);

/// The Elo bounds of the confirming test, and its error rates.
const BOUNDS: (f64, f64) = (0.0, 20.0);
const ERROR: f64 = 0.05;

/// Changes the seed for the confirming match, which uses fresh dice.
const FRESH: u64 = 1 << 32;

pub(crate) fn tune(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    let space = Space::read(&args.engine)?;
    let mut budget = args.limits.budget();
    if budget.is_unlimited() {
        budget.time = Some(THINK);
    }
    let plain = Spec::parse(&space.engine(&vec![0.5; space.ranges.len()]))?.name;
    let against = args.against.as_ref().unwrap_or(&plain);
    // Everything is checked before anything is played.
    for corner in [0.0, 1.0] {
        let engine = space.engine(&vec![corner; space.ranges.len()]);
        Contest::new(&args.game, None, [&engine, against], budget, Terms::default(), args.seed)?;
    }
    let mut store = match &args.store {
        Some(path) => Store::open(path)?,
        None => Store::memory(),
    };
    let interruptible = Interruptible::start();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    let found = match args.method {
        Method::Elimination => eliminate(args, &space, budget, &mut crew, out)?,
        Method::Spsa => descend(args, &space, budget, &mut crew, out)?,
    };
    let Some(found) = found else {
        return interrupted(args, out);
    };
    writeln!(out, "found      {}", styled(BOLD, &found))?;
    confirm(args, &found, against, budget, &mut crew, out)
}

/// Reports an interrupt and how to resume.
fn interrupted(args: &Args, out: &mut dyn Write) -> Result<bool, Failure> {
    match &args.store {
        Some(path) => {
            let path = path.display();
            writeln!(
                out,
                "partial: interrupted; what was played is in {path}: repeat the command to resume"
            )?;
        }
        None => writeln!(out, "partial: interrupted; with --store, the command could be repeated to resume")?,
    }
    Err(Failure::Interrupted)
}

/// Returns the winner of a tournament; none if it was stopped.
fn eliminate(
    args: &Args,
    space: &Space,
    budget: Budget,
    crew: &mut Crew<'_>,
    out: &mut dyn Write,
) -> Result<Option<String>, Failure> {
    let engines = space.spread(args.candidates as usize);
    let tournament = Tournament::new(Kind::Elimination, &args.game, &engines, args.pairs, budget, args.seed)?;
    let mut line = ProgressLine::start();
    let end = tournament.run(crew, |at, _| {
        line.show(|| format!("round {}: {} of {}", at.round, at.done, counted(at.all, "pair", "pairs")));
    })?;
    drop(line);
    if end != End::Complete {
        return Ok(None);
    }
    let tables = tournament.tables(crew)?;
    let tables = tables.ok_or_else(|| Failure::Message("the store does not hold all results".into()))?;
    for bout in &tables.bouts {
        let [a, b] = bout.players.map(|at| tournament.labels[at].as_str());
        writeln!(out, "round {}    {a} - {b}  {}", bout.round, percent(&bout.standing.score))?;
    }
    Ok(Some(tournament.labels[tables.order[0]].clone()))
}

/// Returns the engine at the final point of SPSA; none if it was stopped.
fn descend(
    args: &Args,
    space: &Space,
    budget: Budget,
    crew: &mut Crew<'_>,
    out: &mut dyn Write,
) -> Result<Option<String>, Failure> {
    let pairing = space.pairing(&args.game, budget);
    let spsa = Spsa {
        parameters: space.ranges.len(),
        pairing: &*pairing,
        steps: args.steps,
        pairs: args.pairs,
        seed: args.seed,
    };
    let mut line = ProgressLine::start();
    let mut path = Vec::new();
    let end = spsa.run(crew, |step, point, score| {
        let engine = space.engine(point);
        line.show(|| format!("step {step} of {}: {engine}", args.steps));
        // A selection of the steps, including the last.
        if step == args.steps || step % (args.steps / 10).max(1) == 0 {
            path.push(format!("step {step:>5} {engine}  score {:.1} %", 100.0 * score));
        }
    })?;
    drop(line);
    for step in path {
        writeln!(out, "{}", styled(DIM, &step))?;
    }
    Ok(end.map(|point| space.engine(&point)))
}

/// Tests the tuned engine sequentially on dice that were not used for tuning. The answer is yes if it passes.
fn confirm(
    args: &Args,
    found: &str,
    against: &str,
    budget: Budget,
    crew: &mut Crew<'_>,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let contest =
        Contest::new(&args.game, None, [found, against], budget, Terms::default(), args.seed ^ FRESH)?;
    if contest.engines()[0] == contest.engines()[1] {
        writeln!(out, "tested     identical to the engine it is compared with")?;
        return Ok(true);
    }
    let sprt = Sprt::new(BOUNDS.0, BOUNDS.1, Scale::Logistic, ERROR, ERROR)?;
    let mut trial = Trial::new(Some(sprt)).looking_every(STEP);
    let mut line = ProgressLine::start();
    let complete = trial.run(&contest, args.confirm, crew, |trial, _, _| {
        line.show(|| {
            let (units, all) = (trial.pairs().count(), counted(args.confirm, "pair", "pairs"));
            format!("confirming: {units} of {all}, {}", percent(&trial.pairs().estimate(LEVEL)))
        });
    })?;
    drop(line);
    let (pairs, score) = (trial.pairs(), percent(&trial.pairs().estimate(LEVEL)));
    let units = pairs.count();
    if !complete {
        if units > 0 {
            writeln!(out, "tested     {score} against {against} in {units} pairs so far")?;
        }
        return interrupted(args, out);
    }
    let verdict = match sprt.verdict(pairs) {
        Verdict::Accept => "better: the test decides for +20 Elo rather than 0",
        Verdict::Reject => "not better: the test decides for 0 Elo rather than +20",
        Verdict::Continue => "undecided between 0 and +20 Elo",
    };
    let units = counted(units, "pair", "pairs");
    writeln!(out, "tested     {score} against {against} in {units}: {verdict}")?;
    Ok(sprt.verdict(pairs) == Verdict::Accept)
}

/// Pairs between two evaluations of the test.
const STEP: u64 = 16;
