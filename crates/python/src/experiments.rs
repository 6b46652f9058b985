//! Studies in synthetic trees, the experiments of the papers, and shards of these and of tournaments.

use crate::attend::attended;
use crate::faults::Faults;
use crate::game::budget;
use crate::{json, open, refused, workers};
use astragal_arena::study::{MOST_SIMULATIONS, Study, Sweep};
use astragal_arena::tournament::{End, Kind};
use astragal_papers::{
    Bench, Experiment, Experiments, Failed, Outcome, Plan, Scale, experiments as all_experiments, select,
    write,
};
use astragal_store::{Crew, Shard, Store, StoreError};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
use std::path::PathBuf;

/// Measures how often engines choose the right action; returns the report as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a private call, by name from one place")]
#[pyo3(signature = (game, engines, sweep, trees, seed, depth, nodes, iterations, time, tau, jobs, progress))]
pub(crate) fn accuracy(
    py: Python<'_>,
    game: String,
    engines: Vec<String>,
    sweep: Option<String>,
    trees: u64,
    seed: u64,
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    time: Option<f64>,
    tau: Option<f64>,
    jobs: Option<u32>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let budget = budget(depth, nodes, iterations, time)?;
    let sweep = sweep.map(|text| text.parse::<Sweep>().map_err(PyValueError::new_err)).transpose()?;
    let is_timed = budget.depth.is_some() || budget.nodes.is_some() || budget.time.is_some();
    if tau.is_some_and(|tau| !tau.is_finite() || is_timed) {
        let words = "tau must be a finite number and allows no limit but iterations: it counts simulations";
        return Err(PyValueError::new_err(words));
    }
    let study = Study { game, engines, sweep, trees, seed };
    let mut store = Store::memory();
    let done = attended(py, &Faults::default(), progress.as_ref(), |desk| {
        let mut crew = Crew::new(workers(jobs), desk.stop, &mut store);
        let mut tell = |done: u64, all: u64| {
            let _ = desk.news.send((done, all, "searches".into()));
        };
        match tau {
            Some(tau) => {
                let most = iterations.unwrap_or(MOST_SIMULATIONS);
                study.convergence(tau, most, &mut crew, &mut tell).map(|report| json(&report))
            }
            None => study.accuracy(budget, &mut crew, &mut tell).map(|report| json(&report)),
        }
    })?;
    refused(done.result)
}

/// A finding of an experiment.
#[derive(Serialize)]
struct Found<'a> {
    claim: &'a str,
    published: &'a str,
    measured: &'a str,
    verdict: String,
    rule: &'a str,
    note: &'a str,
}

/// A table of an experiment.
#[derive(Serialize)]
struct Tabled<'a> {
    name: &'a str,
    csv: String,
}

/// A figure of an experiment.
#[derive(Serialize)]
struct Drawn<'a> {
    name: &'a str,
    caption: &'a str,
    svg: String,
}

/// The results of an experiment.
#[derive(Serialize)]
struct Reproduced<'a> {
    id: &'a str,
    title: &'a str,
    source: &'a str,
    scale: &'a str,
    seed: u64,
    summary: &'a str,
    findings: Vec<Found<'a>>,
    tables: Vec<Tabled<'a>>,
    figures: Vec<Drawn<'a>>,
    report: Option<String>,
}

fn scale_of(name: &str) -> PyResult<Scale> {
    let scales = [Scale::Quick, Scale::Paper, Scale::Full];
    scales
        .into_iter()
        .find(|scale| scale.name() == name)
        .ok_or_else(|| PyValueError::new_err(format!("the scale is quick, paper or full, not '{name}'")))
}

/// How an experiment is run.
#[derive(Clone, Copy)]
struct Manner<'a> {
    scale: Scale,
    seed: u64,
    jobs: Option<u32>,
    shard: Shard,
    progress: Option<&'a Py<PyAny>>,
}

/// Runs an experiment.
fn run(
    py: Python<'_>,
    experiment: &Experiment,
    manner: Manner<'_>,
    store: &mut Store,
) -> PyResult<Result<Outcome, Failed>> {
    let Manner { scale, seed, jobs, shard, progress } = manner;
    let done = attended(py, &Faults::default(), progress, |desk| {
        let mut tell = |done: f64, what: &str| {
            let _ = desk.news.send(((1000.0 * done) as u64, 1000, format!("{}: {what}", experiment.id)));
        };
        let crew = Crew { workers: workers(jobs), shard, stop: desk.stop, store };
        (experiment.run)(&mut Bench::new(scale, seed, crew, &mut tell))
    })?;
    match (done.result, done.interrupt) {
        (Err(Failed::Cancelled), Some(interrupt)) => Err(interrupt),
        (result, _) => Ok(result),
    }
}

/// Runs experiments; returns the results of each as JSON. If a folder is given, reports are written there and
/// results kept.
#[pyfunction]
#[pyo3(signature = (ids, scale, seed, out, jobs, progress))]
pub(crate) fn reproduce(
    py: Python<'_>,
    ids: Vec<String>,
    scale: &str,
    seed: u64,
    out: Option<PathBuf>,
    jobs: Option<u32>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let scale = scale_of(scale)?;
    let chosen = refused(select(&ids, scale))?;
    if let Some(out) = &out {
        let wrong = |error| PyValueError::new_err(format!("{}: {error}", out.display()));
        std::fs::create_dir_all(out).map_err(wrong)?;
    }
    let path = out.as_ref().map(|out| out.join("results.db"));
    let mut store = refused(open(path.as_deref()))?;
    let mut reports = Vec::new();
    let manner = Manner { scale, seed, jobs, shard: Shard::WHOLE, progress: progress.as_ref() };
    for experiment in chosen {
        let outcome = run(py, experiment, manner, &mut store)?;
        let outcome = outcome.map_err(|why| PyValueError::new_err(format!("{}: {why}", experiment.id)))?;
        let written =
            out.as_ref().map(|out| refused(write(out, experiment, scale, seed, &outcome))).transpose()?;
        let findings = outcome.findings.iter().map(|finding| Found {
            claim: &finding.claim,
            published: &finding.published,
            measured: &finding.measured,
            verdict: finding.verdict.to_string(),
            rule: &finding.rule,
            note: &finding.note,
        });
        let tables = outcome.tables.iter().map(|table| Tabled { name: &table.name, csv: table.csv() });
        let figures =
            outcome.figures.iter().map(|(name, caption, figure)| Drawn { name, caption, svg: figure.svg() });
        reports.push(json(&Reproduced {
            id: experiment.id,
            title: experiment.title,
            source: experiment.source,
            scale: scale.name(),
            seed,
            summary: &outcome.summary,
            findings: findings.collect(),
            tables: tables.collect(),
            figures: figures.collect(),
            report: written.map(|path| path.display().to_string()),
        }));
    }
    Ok(reports)
}

/// An experiment: id, title, source, and its duration in seconds at the scales quick, paper and full.
type Listed = (&'static str, &'static str, &'static str, [Option<u64>; 3]);

/// Lists every experiment.
#[pyfunction]
pub(crate) fn experiments() -> Vec<Listed> {
    let seconds = |experiment: &Experiment| {
        [Scale::Quick, Scale::Paper, Scale::Full]
            .map(|scale| experiment.duration(scale).map(|time| time.as_secs()))
    };
    let listed = |experiment: &&'static Experiment| {
        (experiment.id, experiment.title, experiment.source, seconds(experiment))
    };
    all_experiments().iter().map(listed).collect()
}

/// Reads a plan; returns whether it is of a tournament or of experiments, and the scale and the seed of the
/// latter.
#[pyfunction]
pub(crate) fn check_plan(plan: &str) -> PyResult<(&'static str, &'static str, u64)> {
    Ok(match refused(Plan::read(plan))? {
        Plan::Tournament(_) => ("tournament", "", 0),
        Plan::Experiments(plan) => ("experiments", plan.scale.name(), plan.seed),
    })
}

/// Runs one shard of a plan and keeps the results in a store; returns for each tournament or experiment its
/// name and its state, `complete` or `waits`.
#[pyfunction]
#[pyo3(signature = (plan, index, count, store, jobs, progress))]
pub(crate) fn work(
    py: Python<'_>,
    plan: &str,
    index: u64,
    count: u64,
    store: PathBuf,
    jobs: Option<u32>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<(String, &'static str)>> {
    if index >= count || count > Shard::MOST {
        return Err(PyValueError::new_err(format!("there is no share {index} of {count}")));
    }
    let shard = Shard { index, count };
    let plan = refused(Plan::read(plan))?;
    let mut store = refused(Store::open(&store))?;
    match plan {
        Plan::Tournament(tournament) => {
            let done = attended(py, &Faults::default(), progress.as_ref(), |desk| {
                let mut crew = Crew { workers: workers(jobs), shard, stop: desk.stop, store: &mut store };
                tournament.run(&mut crew, |progress, _| {
                    let news = (progress.done, progress.all, format!("round {}", progress.round));
                    let _ = desk.news.send(news);
                })
            })?;
            let what = if tournament.kind == Kind::Match { "match" } else { "tournament" };
            match refused(done.result)? {
                End::Complete => Ok(vec![(what.into(), "complete")]),
                End::Waits(_) => Ok(vec![(what.into(), "waits")]),
                End::Stopped => {
                    Err(done.interrupt.unwrap_or_else(|| PyKeyboardInterrupt::new_err("interrupted")))
                }
            }
        }
        Plan::Experiments(plan) => {
            let Experiments { chosen, scale, seed } = plan;
            let manner = Manner { scale, seed, jobs, shard, progress: progress.as_ref() };
            let mut states = Vec::new();
            for experiment in chosen {
                let outcome = run(py, experiment, manner, &mut store)?;
                let state = match outcome {
                    Ok(_) => "complete",
                    Err(Failed::Waits) => "waits",
                    Err(why) => return Err(PyValueError::new_err(format!("{}: {why}", experiment.id))),
                };
                states.push((experiment.id.into(), state));
            }
            Ok(states)
        }
    }
}

/// Merges other stores into one; returns the numbers of new jobs, new units, units already there, and units
/// already there with another result.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, into: PathBuf, others: Vec<PathBuf>) -> PyResult<(u64, u64, u64, usize)> {
    let merged = py.detach(|| {
        let mut store = Store::open(&into)?;
        let mut sum = (0, 0, 0, 0);
        for other in &others {
            let merged = store.merge(&Store::open_existing(other)?)?;
            sum = (
                sum.0 + merged.jobs,
                sum.1 + merged.added,
                sum.2 + merged.same,
                sum.3 + merged.different.len(),
            );
        }
        Ok::<_, StoreError>(sum)
    });
    refused(merged)
}
