//! Solved games.

use crate::attend::{Desk, attended};
use crate::faults::Faults;
use crate::game::{Position, budget};
use crate::judge::wide_array;
use crate::{json, refused, workers};
use astragal_arena::regret::Trial;
use astragal_arena::report::SolveReport;
use astragal_solve::{Growth, Progress, Solution, SolveOptions, Supervisor, Unsolved};
use astragal_store::{Crew, Store, file};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Supervises the solving of a game for the thread that waits for it.
struct Supervising<'a> {
    desk: &'a Desk<'a>,
    faults: &'a Faults,
}

impl Supervisor for Supervising<'_> {
    fn progress(&mut self, progress: Progress) {
        let _ = self.desk.news.send(match progress {
            Progress::Found(states) => (states as u64, 0, "states found".into()),
            Progress::Valued(states) => (states as u64, 0, "states valued".into()),
            Progress::Sweep { sweep, residual } => {
                (sweep.into(), 0, format!("sweeps, residual {residual:.1e}"))
            }
        });
    }

    fn growing(&mut self, growth: &Growth) {
        let _ = self.desk.news.send((0, 0, format!("states found; {growth}")));
        // Not every caller follows the progress, and it may go on for hours.
        let warned = Python::attach(|py| {
            let text = CString::new(growth.to_string()).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
        });
        if let Err(error) = warned {
            self.faults.keep(error);
        }
    }

    fn cancelled(&mut self) -> bool {
        self.desk.stop.load(Ordering::Relaxed) || self.faults.raised()
    }
}

/// A solved game.
#[pyclass(module = "astragal._native", frozen)]
pub(crate) struct Solved {
    solution: Arc<Solution>,
    from: Py<Position>,
    /// The report as JSON.
    #[pyo3(get)]
    report: String,
}

/// Solves a game from a position.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    from: Bound<'_, Position>,
    states: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Solved> {
    let (position, game) = (from.get(), from.get().game.get());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let options = SolveOptions { states, threads, ..SolveOptions::default() };
    let start = Instant::now();
    let done = attended(py, &game.faults, progress.as_ref(), |desk| {
        game.game.solve(&*position.at, &options, &mut Supervising { desk, faults: &game.faults })
    })?;
    let solution = match done.result {
        Ok(solution) => solution,
        Err(Unsolved::Cancelled) => {
            return Err(done.interrupt.unwrap_or_else(|| PyKeyboardInterrupt::new_err("interrupted")));
        }
        Err(error) => return Err(PyValueError::new_err(format!("not solved: {error}"))),
    };
    let elapsed = start.elapsed();
    let report = || json(&SolveReport::new(&*game.game, &*position.at, &solution, elapsed));
    let report = game.faults.guard(py, report)?;
    Ok(Solved { solution: Arc::new(solution), from: from.unbind(), report })
}

/// Texts, values and turns of positions.
type Positions = (Vec<String>, Py<PyAny>, Vec<&'static str>);

#[pymethods]
impl Solved {
    /// The value of a position.
    fn value(&self, py: Python<'_>, position: &Position) -> PyResult<Option<f64>> {
        position.game.get().faults.guard(py, || position.at.value_in(&self.solution))
    }

    /// Returns the solved positions, at most this many: their texts, values and turns.
    fn positions(&self, py: Python<'_>, most: usize) -> PyResult<Positions> {
        let (from, game) = (self.from.get(), self.from.get().game.get());
        let done = attended(py, &game.faults, None, |desk| {
            let (mut texts, mut values, mut turns) = (Vec::new(), Vec::new(), Vec::new());
            game.game.each_position(&*from.at, &mut |position| {
                if texts.len() >= most || desk.stop.load(Ordering::Relaxed) {
                    return false;
                }
                if let Some(value) = position.value_in(&self.solution) {
                    texts.push(position.text());
                    values.push(value);
                    turns.push(position.turn().name());
                }
                true
            });
            (texts, values, turns)
        })?;
        let (texts, values, turns) = done.whole()?;
        Ok((texts, wide_array(py, &values)?.unbind(), turns))
    }

    /// Saves the solution for `solved(file=...)`.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let spec = self.from.get().game.get().game.spec();
        let saved =
            py.detach(|| file::WholeFile::create(&path)?.write_with(|out| self.solution.save(spec, out)));
        refused(saved)
    }
}

/// Charges the decisions of engines with a solution; returns the report as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a private call, by name from one place")]
#[pyo3(signature = (solved, engines, source, positions, opening, seed, depth, nodes, iterations, time, jobs, progress))]
pub(crate) fn regret(
    py: Python<'_>,
    solved: &Solved,
    engines: Vec<String>,
    source: &str,
    positions: u64,
    opening: Option<u32>,
    seed: u64,
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    time: Option<f64>,
    jobs: Option<u32>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let (from, game) = (solved.from.get(), solved.from.get().game.get());
    let trial = Trial {
        game: game.game.clone(),
        start: from.at.duplicate(),
        solution: Arc::clone(&solved.solution),
        source: source.parse().map_err(|why: String| PyValueError::new_err(format!("source: {why}")))?,
        positions,
        opening,
        seed,
        budget: budget(depth, nodes, iterations, time)?,
    };
    let mut store = Store::memory();
    let done = attended(py, &game.faults, progress.as_ref(), |desk| {
        let mut crew = Crew::new(workers(jobs), desk.stop, &mut store);
        trial.regret(&engines, &mut crew, &mut |done, all| {
            let _ = desk.news.send((done, all, "decisions".into()));
        })
    })?;
    Ok(json(&refused(done.result)?))
}
