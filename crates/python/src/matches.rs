//! Matches and tournaments.

use crate::attend::attended;
use crate::faults::Faults;
use crate::game::{Game, Position, budget};
use crate::{json, open, refused, workers};
use astragal_arena::budget::Budgets;
use astragal_arena::contest::{Contest, Standing};
use astragal_arena::report::{MatchReport, TournamentReport, Unfinished, Unplayed};
use astragal_arena::sequential::Trial;
use astragal_arena::terms::{Finish, Terms};
use astragal_arena::tournament::{End, Kind, Participant, Tournament};
use astragal_core::Budget;
use astragal_papers::Plan;
use astragal_stats::{LEVEL, Scale, Sprt};
use astragal_store::{Crew, StoreError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Refuses to store results that involve Python code, which a store cannot identify.
fn keepable(game: &Game, store: Option<&Path>) -> PyResult<()> {
    if game.is_python && store.is_some() {
        let words = "a store keeps results of games and evaluators of the catalogue only: it could not know \
                     when one in Python has changed";
        return Err(PyValueError::new_err(words));
    }
    Ok(())
}

/// Parses a budget such as `nodes=1000`.
fn read_budget(text: &str) -> PyResult<Budget> {
    let budget: Budget = refused(text.parse())?;
    refused(budget.check_least())?;
    Ok(budget)
}

/// Plays a match; returns the report as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a private call, by name from one place")]
#[pyo3(signature = (game, position, engines, own_budgets, depth, nodes, iterations, time, pairs, seed, opening, deal, starts,
    match_nodes, finish, sprt, normalised, jobs, store, progress))]
pub(crate) fn play_match(
    py: Python<'_>,
    game: &Game,
    position: Option<&Position>,
    engines: [String; 2],
    own_budgets: [Option<String>; 2],
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    time: Option<f64>,
    pairs: u64,
    seed: u64,
    opening: u32,
    deal: bool,
    starts: Vec<String>,
    match_nodes: bool,
    finish: Option<String>,
    sprt: Option<(f64, f64)>,
    normalised: bool,
    jobs: Option<u32>,
    store: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    keepable(game, store.as_deref())?;
    let common = budget(depth, nodes, iterations, time)?;
    let [first, second] = own_budgets.map(|own| own.as_deref().map(read_budget).transpose());
    let specs = engines.each_ref().map(String::as_str);
    let budgets = refused(Budgets::of(specs, common, [first?, second?]))?;
    let finish = finish.map(|text| refused(text.parse::<Finish>())).transpose()?;
    let terms = Terms { opening, deal, starts, match_nodes, finish };
    let start = position.map_or_else(|| game.game.start(), |position| position.at.duplicate());
    let makers = [game.maker(&engines[0])?, game.maker(&engines[1])?];
    let contest =
        game.faults.guard(py, || Contest::between(game.game.clone(), start, makers, budgets, terms, seed))?;
    let contest = refused(contest)?;
    let scale = if normalised { Scale::Normalised } else { Scale::Logistic };
    let sprt = sprt.map(|(low, high)| refused(Sprt::new(low, high, scale, 0.05, 0.05))).transpose()?;
    let mut store = refused(open(store.as_deref()))?;
    let done = attended(py, &game.faults, progress.as_ref(), |desk| {
        let mut trial = Trial::new(sprt);
        let mut crew = Crew::new(workers(jobs), desk.stop, &mut store);
        let complete = trial.run(&contest, pairs, &mut crew, |trial, _, _| {
            let (done, score) = (trial.played().len() as u64, 100.0 * trial.pairs().estimate(LEVEL).mean);
            let _ = desk.news.send((done, pairs, format!("{score:.1} %")));
        })?;
        Ok::<_, StoreError>((trial, complete))
    })?;
    let (trial, complete) = refused(done.result)?;
    let partial = done.interrupt.is_some() && !complete;
    let rows = trial.counted();
    if !rows.is_empty() {
        let report = || json(&MatchReport::new(&contest, &Standing::new(&rows), &trial, partial));
        return game.faults.guard(py, report);
    }
    match done.interrupt {
        Some(_) => Ok(json(&Unplayed::new(&contest))),
        None => Err(PyValueError::new_err("no pair was finished")),
    }
}

fn play(
    py: Python<'_>,
    tournament: &Tournament,
    faults: &Faults,
    jobs: Option<u32>,
    store: Option<&Path>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<String> {
    let mut store = refused(open(store))?;
    let done = attended(py, faults, progress, |desk| {
        let mut crew = Crew::new(workers(jobs), desk.stop, &mut store);
        let mut last = None;
        let end = tournament.run(&mut crew, |progress, _| {
            last = Some(*progress);
            let _ = desk.news.send((progress.done, progress.all, format!("round {}", progress.round)));
        })?;
        Ok::<_, StoreError>((end, last))
    })?;
    let (end, last) = refused(done.result)?;
    if end == End::Complete {
        let tables = refused(tournament.tables(&mut Crew::new(1, &AtomicBool::new(false), &mut store)))?;
        let tables = tables.expect("a complete tournament has its tables");
        return Ok(json(&TournamentReport::new(tournament, &tables)));
    }
    Ok(json(&Unfinished::new(tournament, last.as_ref(), None)))
}

/// Plays the tournament of a TOML plan; returns the report as JSON.
#[pyfunction]
pub(crate) fn tournament_of_plan(
    py: Python<'_>,
    plan: &str,
    jobs: Option<u32>,
    store: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let Plan::Tournament(tournament) = refused(Plan::read(plan))? else {
        return Err(PyValueError::new_err("this is a plan of experiments: reproduce runs them"));
    };
    play(py, &tournament, &Faults::default(), jobs, store.as_deref(), progress.as_ref())
}

/// Plays a tournament in any game; returns the report as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a private call, by name from one place")]
#[pyo3(signature = (game, kind, engines, position, budget, pairs, seed, opening, jobs, store, progress))]
pub(crate) fn tournament(
    py: Python<'_>,
    game: &Game,
    kind: &str,
    engines: Vec<(String, Option<String>)>,
    position: Option<&Position>,
    budget: Option<String>,
    pairs: u64,
    seed: u64,
    opening: u32,
    jobs: Option<u32>,
    store: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    keepable(game, store.as_deref())?;
    let kind = match kind {
        "match" => Kind::Match,
        "round-robin" => Kind::RoundRobin,
        "gauntlet" => Kind::Gauntlet,
        "elimination" => Kind::Elimination,
        _ => {
            let words = "one of match, round-robin, gauntlet, elimination";
            return Err(PyValueError::new_err(format!("the kind of a tournament is {words}, not '{kind}'")));
        }
    };
    let common = budget.as_deref().map(read_budget).transpose()?.unwrap_or_default();
    let mut participants = Vec::new();
    for (spec, own) in engines {
        let own = own.as_deref().map(read_budget).transpose()?;
        let label = own.map_or_else(|| spec.clone(), |own| format!("{spec} {own}"));
        participants.push(Participant { label, maker: game.maker(&spec)?, budget: own.unwrap_or(common) });
    }
    let start = position.map_or_else(|| game.game.start(), |position| position.at.duplicate());
    let tournament = game.faults.guard(py, || {
        Tournament::between(kind, game.game.clone(), start, participants, pairs, opening, seed)
    })?;
    play(py, &refused(tournament)?, &game.faults, jobs, store.as_deref(), progress.as_ref())
}
