//! Games, positions and engines.

use crate::attend::{Desk, attended, attended_with};
use crate::faults::Faults;
use crate::judge::{Function, Sight, array};
use crate::own::Own;
use crate::refused;
use astragal_arena::budget::{ANALYSIS, budget_for};
use astragal_arena::contest::{Maker, maker};
use astragal_arena::report::AnalysisReport;
use astragal_catalog::{self as catalog, AnyGame, Extras, Judge};
use astragal_core::Notation;
use astragal_core::contract::{Breach, Play, check_game_in_notation, check_notation, walk};
use astragal_core::{Budget, Ink, Interval, News, PATIENCE, Stop, Turn, Watch};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An evaluator as passed from Python: its name, the function, its kind of input, and how far ahead it looks.
type Given = (String, Py<PyAny>, String, u32);

/// Returns the name with static lifetime. Each name is leaked once.
fn lasting(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    names.get(name).copied().unwrap_or_else(|| {
        let name: &'static str = Box::leak(name.into());
        names.insert(name);
        name
    })
}

/// A game of the catalogue, or one written in Python.
#[pyclass(module = "astragal._native", frozen)]
pub(crate) struct Game {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) faults: Faults,
    own: Option<Own>,
    /// Whether any part of it is written in Python, so that a store cannot identify its results.
    pub(crate) is_python: bool,
}

fn judges(
    given: Vec<Given>,
    range: Interval,
    faults: &Faults,
) -> PyResult<Vec<(&'static str, Arc<dyn Judge>)>> {
    let judge = |(name, function, sight, ahead): Given| {
        let sight = match sight.as_str() {
            "state" => Sight::State,
            "text" => Sight::Text,
            "features" => Sight::Features,
            _ => return Err(PyValueError::new_err(format!("an evaluator cannot see '{sight}'"))),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(plain) {
            return Err(PyValueError::new_err(format!(
                "'{}' is no name for an evaluator: letters, digits, - and _",
                name.escape_debug()
            )));
        }
        let faults = faults.clone();
        let judge: Arc<dyn Judge> = Arc::new(Function { function, sight, ahead, range, faults });
        Ok((lasting(&name), judge))
    };
    given.into_iter().map(judge).collect()
}

#[pymethods]
impl Game {
    #[new]
    fn new(spec: &str, evaluators: Vec<Given>) -> PyResult<Self> {
        let faults = Faults::default();
        // The range is that of the game without the evaluators.
        let range =
            if evaluators.is_empty() { Interval::WHOLE } else { refused(catalog::game(spec))?.range() };
        let is_python = !evaluators.is_empty();
        let judges = judges(evaluators, range, &faults)?;
        let game = refused(catalog::game_with(spec, &Extras { files: catalog::disk(), judges }))?.into();
        Ok(Self { game, faults, own: None, is_python })
    }

    /// Wraps a Python object as a game.
    #[staticmethod]
    fn of_object(object: &Bound<'_, PyAny>, name: &str, evaluators: Vec<Given>) -> PyResult<Self> {
        let faults = Faults::default();
        let own = Own::new(object, faults.clone())?;
        let judges = judges(evaluators, astragal_core::Game::range(&own), &faults)?;
        let mut game = catalog::erase(own.clone()).named(lasting(name));
        for (name, judge) in judges {
            game = refused(game.judge(name, judge))?;
        }
        Ok(Self { game: Arc::new(game), faults, own: Some(own), is_python: true })
    }

    #[getter]
    fn spec(&self) -> &str {
        self.game.spec()
    }

    #[getter]
    fn name(&self) -> &str {
        self.game.info().name
    }

    #[getter]
    fn help(&self) -> &str {
        self.game.info().help
    }

    #[getter]
    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    #[getter]
    fn range(&self) -> (f64, f64) {
        let Interval { lo, hi } = self.game.range();
        (lo, hi)
    }

    /// The spec of the game without the parameters that have their default values.
    #[getter]
    fn brief_spec(&self) -> String {
        catalog::brief_game(self.game.spec())
    }

    /// An engine's complete spec without the parameters that have their default values in this game.
    fn brief(&self, engine: &str) -> String {
        self.game.brief(engine)
    }

    fn start(slf: Bound<'_, Self>) -> PyResult<Position> {
        let position = slf.get().faults.guard(slf.py(), || slf.get().game.start())?;
        Ok(Position { game: slf.unbind(), at: position })
    }

    fn position(slf: Bound<'_, Self>, text: &str) -> PyResult<Position> {
        let read = slf.get().faults.guard(slf.py(), || slf.get().game.read(text))?;
        Ok(Position { game: slf.unbind(), at: refused(read)? })
    }

    fn deal(slf: Bound<'_, Self>, seed: u64) -> PyResult<Position> {
        let Some(position) = slf.get().game.deal(seed) else {
            let name = slf.get().game.info().name;
            return Err(PyValueError::new_err(format!("{name} has no random starts")));
        };
        Ok(Position { game: slf.unbind(), at: position })
    }

    /// Plays random games and tests every promise of the game; returns what was visited: finished games,
    /// decisions, chance states, distinct states.
    fn check(
        &self,
        py: Python<'_>,
        games: u32,
        length: u32,
        seed: u64,
        unfinished: bool,
    ) -> PyResult<(u32, u64, u64, usize)> {
        let Some(own) = &self.own else {
            return Err(PyValueError::new_err("games of the catalogue are checked by its own tests"));
        };
        let play = Play { games, length, seed, unfinished };
        // The harness cannot be cancelled, but after an exception every Python game ends.
        let end = || self.faults.keep(PyKeyboardInterrupt::new_err("interrupted"));
        let checked = attended_with(py, &self.faults, None, &end, |_| {
            let mut length = None;
            walk(own, play, |state, turn| {
                own.check_state(state, turn)?;
                let mut features = Vec::new();
                own.features(state, &mut features);
                match *length.get_or_insert(features.len()) {
                    first if first == features.len() => Ok(()),
                    first => Err(Breach(format!(
                        "{} features of {state:?}, but {first} of the start",
                        features.len()
                    ))),
                }
            })?;
            let visited = check_game_in_notation(own, play)?;
            if own.reads_positions() {
                check_notation(own, play)?;
            }
            Ok::<_, Breach>(visited)
        })?;
        let visited = refused(checked.whole()?)?;
        Ok((visited.finished, visited.decisions, visited.chances, visited.distinct))
    }
}

impl Game {
    /// The maker of an engine.
    pub(crate) fn maker(&self, spec: &str) -> PyResult<Maker> {
        refused(maker(&self.game, spec))
    }
}

/// A position of a game.
#[pyclass(module = "astragal._native", frozen)]
pub(crate) struct Position {
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    pub(crate) at: Box<dyn catalog::Position>,
}

impl Position {
    /// Returns the result of a call into the game, unless it raises an exception.
    fn guard<T>(&self, py: Python<'_>, call: impl FnOnce(&dyn catalog::Position) -> T) -> PyResult<T> {
        self.game.get().faults.guard(py, || call(&*self.at))
    }
}

#[pymethods]
impl Position {
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.guard(py, |at| at.text())
    }

    /// The pieces of the picture, each with the name of its ink.
    fn picture(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, String)>> {
        let name = |ink| match ink {
            Ink::Plain => "plain",
            Ink::First => "first",
            Ink::Second => "second",
            Ink::Mark => "mark",
            Ink::Faint => "faint",
        };
        let picture = self.guard(py, |at| at.picture())?;
        Ok(picture.pieces().map(|(ink, text)| (name(ink), text.to_string())).collect())
    }

    #[getter]
    fn turn(&self) -> &'static str {
        self.at.turn().name()
    }

    #[getter]
    fn payoff(&self) -> Option<f64> {
        if let Turn::Over(payoff) = self.at.turn() { Some(payoff) } else { None }
    }

    fn actions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.guard(py, |at| at.actions())
    }

    fn outcomes(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        let outcomes = self.guard(py, |at| at.outcomes())?;
        Ok(outcomes.into_iter().map(|outcome| (outcome.item, outcome.weight)).collect())
    }

    fn apply(&self, py: Python<'_>, action: &str) -> PyResult<Self> {
        let next = self.guard(py, |at| at.act(action))?;
        Ok(Self { game: self.game.clone_ref(py), at: refused(next)? })
    }

    fn resolve(&self, py: Python<'_>, outcome: &str) -> PyResult<Self> {
        let next = self.guard(py, |at| at.resolve(outcome))?;
        Ok(Self { game: self.game.clone_ref(py), at: refused(next)? })
    }

    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.guard(py, |at| at.features())?)
    }

    #[getter]
    fn known_best(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.guard(py, |at| at.known_best())
    }

    /// The number of sequences of this many decisions.
    fn perft(&self, py: Python<'_>, depth: u32, resolve: bool) -> PyResult<u64> {
        let at = &*self.at;
        let faults = &self.game.get().faults;
        let counted = attended(py, faults, None, |desk| {
            at.perft(depth, resolve, &mut Attending { start: Instant::now(), desk, faults, is_slow: true })
        })?;
        counted.whole()?.map_err(|_| PyKeyboardInterrupt::new_err("interrupted"))
    }

    /// The state of a Python game.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let state = catalog::state_of::<Own>(&*self.at);
        Ok(state.map(|state| state.object().clone_ref(py)))
    }
}

/// An engine for one game. It may keep results between searches, as its spec says.
#[pyclass(module = "astragal._native", frozen)]
pub(crate) struct Engine {
    game: Py<Game>,
    engine: Mutex<Box<dyn catalog::Engine>>,
}

/// Watches a search for the thread that waits for it.
struct Attending<'a> {
    start: Instant,
    desk: &'a Desk<'a>,
    faults: &'a Faults,
    /// Whether a node may take long, because it is evaluated or created in Python.
    is_slow: bool,
}

impl Watch for Attending<'_> {
    fn elapsed(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        self.desk.stop.load(Ordering::Relaxed) || self.faults.raised()
    }

    fn patience(&self) -> u64 {
        if self.is_slow { 1 } else { PATIENCE }
    }

    fn news(&mut self, news: News) {
        let news = match news {
            News::Depth { depth, value, .. } => {
                (depth.into(), 0, format!("depth {depth}, value {value:+.4}"))
            }
            News::Simulations { value, counts, .. } => {
                (counts.simulations, 0, format!("{} simulations, value {value:+.4}", counts.simulations))
            }
        };
        let _ = self.desk.news.send(news);
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new(game: Bound<'_, Game>, spec: &str) -> PyResult<Self> {
        // Building an engine may call Python code.
        let engine = refused(game.get().faults.guard(game.py(), || game.get().game.engine(spec))?)?;
        Ok(Self { game: game.unbind(), engine: Mutex::new(engine) })
    }

    #[getter]
    fn spec(&self) -> PyResult<String> {
        Ok(self.locked()?.spec().to_string())
    }

    /// Searches a position; returns the report as JSON.
    #[expect(clippy::too_many_arguments, reason = "a private call, by name from one place")]
    fn analyze(
        &self,
        py: Python<'_>,
        position: &Position,
        seed: u64,
        depth: Option<u32>,
        nodes: Option<u64>,
        iterations: Option<u64>,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let game = self.game.get();
        if !Arc::ptr_eq(&game.game, &position.game.get().game) {
            return Err(PyValueError::new_err("the position is of another game than the engine"));
        }
        let given = budget(depth, nodes, iterations, time)?;
        let mut engine = self.locked()?;
        let budget = refused(budget_for(&**engine, given, ANALYSIS))?;
        refused(game.faults.guard(py, || engine.check_start(&*position.at))?)?;
        let (searcher, at) = (&mut **engine, &*position.at);
        let done = attended(py, &game.faults, progress.as_ref(), |desk| {
            let (start, faults, is_slow) = (Instant::now(), &game.faults, game.is_python);
            let mut watch = Attending { start, desk, faults, is_slow };
            let analysis = searcher.analyze(at, seed, &budget, &mut watch);
            (analysis, watch.elapsed())
        })?;
        let (analysis, elapsed) = done.result;
        let decides = matches!(position.at.turn(), Turn::Decide(_));
        if decides && analysis.best.is_none() {
            let none = PyValueError::new_err(format!("'{}' gave no legal move in time", engine.info().name));
            return Err(done.interrupt.unwrap_or(none));
        }
        // The search was interrupted before it found anything.
        if let Some(interrupt) =
            done.interrupt.filter(|_| analysis.stop == Stop::Cancelled && nothing(&analysis))
        {
            return Err(interrupt);
        }
        let report = game.faults.guard(py, || {
            AnalysisReport::new(&*game.game, &*position.at, engine.spec(), seed, budget, &analysis, elapsed)
        })?;
        Ok(serde_json::to_string(&report).expect("numbers and text"))
    }

    /// Returns the tree of the last search as JSON.
    fn tree(&self, py: Python<'_>, depth: u32, visits: u64) -> PyResult<Option<String>> {
        let engine = self.locked()?;
        let searcher = &**engine;
        let find = || catch_unwind(AssertUnwindSafe(|| searcher.tree(depth, visits)));
        let tree = self.game.get().faults.guard(py, find)?;
        let tree = tree.map_err(|_| {
            PyRuntimeError::new_err(
                "the tree cannot be shown: the game no longer answers as it did during the search",
            )
        })?;
        Ok(tree.map(|tree| serde_json::to_string(&tree).expect("numbers and text")))
    }
}

/// Whether a search has found nothing at all.
fn nothing(analysis: &catalog::Analysis) -> bool {
    analysis.depth == 0 && analysis.counts.simulations == 0
}

impl Engine {
    /// Locks the engine, unless it is searching for another thread: waiting here could deadlock, because that
    /// thread may need the interpreter's lock.
    fn locked(&self) -> PyResult<std::sync::MutexGuard<'_, Box<dyn catalog::Engine>>> {
        self.engine.try_lock().or_else(|error| match error {
            std::sync::TryLockError::Poisoned(poisoned) => Ok(poisoned.into_inner()),
            std::sync::TryLockError::WouldBlock => {
                Err(PyRuntimeError::new_err("this engine is searching for another thread: give each its own"))
            }
        })
    }
}

/// Builds and checks a budget.
pub(crate) fn budget(
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    time: Option<f64>,
) -> PyResult<Budget> {
    let seconds = |seconds: f64| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err(format!("{seconds} is no time in seconds")))
    };
    let time = time.map(seconds).transpose()?;
    let budget = Budget { depth, nodes, iterations, time };
    refused(budget.check_least())?;
    Ok(budget)
}
