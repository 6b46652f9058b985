//! `astragal tune`: the best parameters of an engine, confirmed on fresh dice.

use super::matches::percent;
use crate::args::Method;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, counted, styled};
use crate::progress::ProgressLine;
use astragal_arena::contest::Contest;
use astragal_arena::sequential::Trial;
use astragal_arena::tournament::{End, Kind, Tournament};
use astragal_arena::tune::{Space, Spsa};
use astragal_catalog::Spec;
use astragal_core::Budget;
use astragal_stats::{LEVEL, Scale, Sprt, Verdict};
use astragal_store::{Crew, Store};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// What was asked for.
pub(crate) struct Wanted<'a> {
    pub(crate) game: &'a str,
    pub(crate) engine: &'a str,
    pub(crate) against: Option<&'a str>,
    pub(crate) method: Method,
    pub(crate) candidates: u32,
    pub(crate) steps: u32,
    pub(crate) pairs: u64,
    pub(crate) confirm: u64,
    pub(crate) budget: Budget,
    pub(crate) seed: u64,
    pub(crate) workers: usize,
    pub(crate) store: Option<&'a Path>,
}

/// How long a decision takes if nothing else is said.
const THINK: Duration = Duration::from_millis(10);

/// The differences in Elo between which the confirming test decides, and its errors.
const BOUNDS: (f64, f64) = (0.0, 20.0);
const ERROR: f64 = 0.05;

/// The confirming match has dice of its own.
const FRESH: u64 = 1 << 32;

pub(crate) fn tune(wanted: &Wanted<'_>, out: &mut dyn Write) -> Result<bool, Failure> {
    let space = Space::read(wanted.engine)?;
    let mut budget = wanted.budget;
    if budget.is_unlimited() {
        budget.time = Some(THINK);
    }
    let plain = Spec::parse(&space.engine(&vec![0.5; space.ranges.len()]))?.name;
    let against = wanted.against.unwrap_or(&plain);
    // Everything is checked before anything is played.
    for corner in [0.0, 1.0] {
        let engine = space.engine(&vec![corner; space.ranges.len()]);
        Contest::new(wanted.game, None, [&engine, against], budget, 0, wanted.seed)?;
    }
    let mut store = match wanted.store {
        Some(path) => Store::open(path)?,
        None => Store::memory(),
    };
    let interruptible = Interruptible::start();
    let mut crew = Crew::new(wanted.workers, interruptible.stop(), &mut store);
    let found = match wanted.method {
        Method::Elimination => eliminate(wanted, &space, budget, &mut crew, out)?,
        Method::Spsa => descend(wanted, &space, budget, &mut crew, out)?,
    };
    let Some(found) = found else {
        return interrupted(wanted, out);
    };
    writeln!(out, "found      {}", styled(BOLD, &found))?;
    confirm(wanted, &found, against, budget, &mut crew, out)
}

/// Says what an interrupt has left.
fn interrupted(wanted: &Wanted<'_>, out: &mut dyn Write) -> Result<bool, Failure> {
    match wanted.store {
        Some(path) => {
            let path = path.display();
            writeln!(out, "partial: interrupted; what was played is in {path}: the same command goes on")?;
        }
        None => writeln!(out, "partial: interrupted; only with --store the same command goes on")?,
    }
    Err(Failure::Interrupted)
}

/// The winner of a tournament; none if it was stopped.
fn eliminate(
    wanted: &Wanted<'_>,
    space: &Space,
    budget: Budget,
    crew: &mut Crew<'_>,
    out: &mut dyn Write,
) -> Result<Option<String>, Failure> {
    let engines = space.spread(wanted.candidates as usize);
    let tournament =
        Tournament::new(Kind::Elimination, wanted.game, &engines, wanted.pairs, budget, wanted.seed)?;
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

/// Where SPSA ends; none if it was stopped.
fn descend(
    wanted: &Wanted<'_>,
    space: &Space,
    budget: Budget,
    crew: &mut Crew<'_>,
    out: &mut dyn Write,
) -> Result<Option<String>, Failure> {
    let pairing = space.pairing(wanted.game, budget);
    let spsa = Spsa {
        parameters: space.ranges.len(),
        pairing: &*pairing,
        steps: wanted.steps,
        pairs: wanted.pairs,
        seed: wanted.seed,
    };
    let mut line = ProgressLine::start();
    let mut path = Vec::new();
    let end = spsa.run(crew, |step, point, score| {
        let engine = space.engine(point);
        line.show(|| format!("step {step} of {}: {engine}", wanted.steps));
        // Some steps of the way, the last among them.
        if step == wanted.steps || step % (wanted.steps / 10).max(1) == 0 {
            path.push(format!("step {step:>5} {engine}  score {:.1} %", 100.0 * score));
        }
    })?;
    drop(line);
    for step in path {
        writeln!(out, "{}", styled(DIM, &step))?;
    }
    Ok(end.map(|point| space.engine(&point)))
}

/// A sequential test of what was found, on dice that it has not seen. The answer is yes if it passes.
fn confirm(
    wanted: &Wanted<'_>,
    found: &str,
    against: &str,
    budget: Budget,
    crew: &mut Crew<'_>,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let contest = Contest::new(wanted.game, None, [found, against], budget, 0, wanted.seed ^ FRESH)?;
    if contest.engines()[0] == contest.engines()[1] {
        writeln!(out, "tested     it is what it was to be compared with")?;
        return Ok(true);
    }
    let sprt = Sprt::new(BOUNDS.0, BOUNDS.1, Scale::Logistic, ERROR, ERROR)?;
    // Looked at rarely, so that few pairs are played in vain.
    let mut trial = Trial::new(Some(sprt)).looking_every(STEP);
    let mut line = ProgressLine::start();
    let complete = trial.run(&contest, wanted.confirm, crew, |trial, _, _| {
        line.show(|| {
            let (units, all) = (trial.pairs().count(), counted(wanted.confirm, "pair", "pairs"));
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
        return interrupted(wanted, out);
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

/// Pairs between two looks at the test.
const STEP: u64 = 16;
