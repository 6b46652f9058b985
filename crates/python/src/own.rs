//! A game written in Python, as a [`Game`] that every engine plays.
//!
//! The object has the methods of the trait, in Python's naming style: states, actions and outcomes are
//! arbitrary objects, and `apply` and `resolve` return a new state. Each state is queried once for its turn,
//! and once for its actions or outcomes. Answers that a search relies on are checked as they arrive.

use crate::faults::{Faults, inside};
use astragal_core::contract::Breach;
use astragal_core::{Game, Interval, Key, Notation, Picture, Player, ReadError, Turn, Weighted};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A Python game.
#[derive(Clone)]
pub(crate) struct Own(Arc<Inner>);

struct Inner {
    object: Py<PyAny>,
    range: Interval,
    has_chance: bool,
    has: Methods,
    actions: Interned,
    outcomes: Interned,
    faults: Faults,
}

/// Which optional methods the game has.
struct Methods {
    key: bool,
    bounds: bool,
    promise: bool,
    write_state: bool,
    read_state: bool,
    write_action: bool,
    write_outcome: bool,
    picture: bool,
    features: bool,
}

/// Numbers Python objects, so that actions are small and compare quickly. The objects must be hashable.
struct Interned {
    numbers: Py<PyDict>,
    objects: Py<PyList>,
}

impl Interned {
    fn new(py: Python<'_>) -> Self {
        Self { numbers: PyDict::new(py).unbind(), objects: PyList::empty(py).unbind() }
    }

    fn number(&self, object: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = object.py();
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(object)? {
            return number.extract();
        }
        let objects = self.objects.bind(py);
        objects.append(object)?;
        // If another thread was faster, both use its number.
        numbers.call_method1("setdefault", (object, objects.len() - 1))?.extract()
    }

    fn object<'py>(&self, py: Python<'py>, number: u32) -> PyResult<Bound<'py, PyAny>> {
        self.objects.bind(py).get_item(number as usize)
    }
}

/// A state of a Python game.
#[derive(Clone)]
pub(crate) struct OwnState(Arc<Node>);

struct Node {
    object: Py<PyAny>,
    turn: Turn,
    /// The number of consecutive chance states up to this one.
    chain: u32,
    faults: Faults,
    key: OnceLock<Key>,
    actions: OnceLock<Vec<u32>>,
    outcomes: OnceLock<Vec<Weighted<u32>>>,
}

/// The maximum number of consecutive chance states: searches resolve chance immediately, so an endless chain
/// would never terminate.
const MOST_CHANCE: u32 = 1000;

impl OwnState {
    pub(crate) fn object(&self) -> &Py<PyAny> {
        &self.0.object
    }
}

impl PartialEq for OwnState {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || Python::attach(|py| {
                let same = self.0.object.bind(py).eq(other.0.object.bind(py));
                self.0.faults.or(same, || false)
            })
    }
}

impl Eq for OwnState {}

impl fmt::Debug for OwnState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Python::attach(|py| repr(self.0.object.bind(py)));
        f.write_str(&text.unwrap_or_else(|_| "a state that cannot be shown".into()))
    }
}

fn repr(object: &Bound<'_, PyAny>) -> PyResult<String> {
    object.repr()?.extract()
}

/// A 128-bit hash of the bytes (FNV-1a).
fn hash(bytes: &[u8]) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const FACTOR: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(START, |sum, byte| (sum ^ u128::from(*byte)).wrapping_mul(FACTOR))
}

/// Returns the value of a cell, computed on first use. Two threads may compute it at the same time: neither
/// may wait for the other here, because the waiting one may hold the interpreter's lock. An exception is not
/// kept in the cell.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> PyResult<T>) -> PyResult<&T> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

fn broken(what: String) -> PyErr {
    PyValueError::new_err(format!("contract: {what}"))
}

/// Reads an interval from two numbers.
fn interval(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Interval> {
    let Ok([lo, hi]) = object.extract::<[f64; 2]>() else {
        let given = repr(object)?;
        return Err(broken(format!("{what} must be two numbers such as (-1.0, 1.0), not {given}")));
    };
    if lo <= hi && (hi - lo).is_finite() {
        Ok(Interval { lo, hi })
    } else {
        Err(broken(format!("{what} must be two finite numbers, the smaller first, not ({lo}, {hi})")))
    }
}

impl Own {
    /// Wraps a Python object as a game.
    pub(crate) fn new(object: &Bound<'_, PyAny>, faults: Faults) -> PyResult<Self> {
        let py = object.py();
        let needed = ["start", "turn", "actions", "apply"];
        let missing: Vec<&str> =
            needed.into_iter().filter(|name| !object.hasattr(*name).unwrap_or(false)).collect();
        if !missing.is_empty() {
            return Err(broken(format!("a game needs the methods {}", missing.join(", "))));
        }
        let has = |name: &str| object.hasattr(name);
        let has_chance = match has("has_chance")? {
            true => object.getattr("has_chance")?.is_truthy()?,
            false => has("outcomes")?,
        };
        if has_chance && !(has("outcomes")? && has("resolve")?) {
            return Err(broken("a game with chance needs the methods outcomes and resolve".into()));
        }
        if !has("range")? {
            return Err(broken("a game needs a range such as (-1.0, 1.0), which holds every payoff".into()));
        }
        let range = object.getattr("range")?;
        let range = if range.is_callable() { range.call0()? } else { range };
        let range = interval(&range, "the range")?;
        if range.width() <= 0.0 {
            return Err(broken(format!("the range {range} has no width")));
        }
        let inner = Inner {
            object: object.clone().unbind(),
            range,
            has_chance,
            has: Methods {
                key: has("key")?,
                bounds: has("bounds")?,
                promise: has("promise")?,
                write_state: has("write_state")?,
                read_state: has("read_state")?,
                write_action: has("write_action")?,
                write_outcome: has("write_outcome")?,
                picture: has("picture")?,
                features: has("features")?,
            },
            actions: Interned::new(py),
            outcomes: Interned::new(py),
            faults,
        };
        let game = Self(Arc::new(inner));
        // Mistakes in the start state are raised here.
        let start = game.call(py, "start", ())?;
        let plain = py.get_type::<PyAny>().getattr("__repr__")?;
        if !game.0.has.key && start.get_type().getattr("__repr__")?.is(&plain) {
            return Err(broken(format!(
                "states of the type {} have no __repr__ that tells them apart: use tuples or frozen dataclasses, \
                 or give the game a method key",
                start.get_type().name()?
            )));
        }
        game.state(start, 0)?;
        Ok(game)
    }

    /// Checks that the game gives the same answers twice for a state, leaves the state as it is when an
    /// action or outcome leads on from it, and writes different actions or outcomes differently. The contract
    /// harness cannot see this, because each state is queried once, and actions are numbers to it.
    pub(crate) fn check_state(&self, state: &OwnState, turn: Turn) -> Result<(), Breach> {
        let broken = |what: String| Err(Breach(format!("{what} in {state:?}")));
        let checked = Python::attach(|py| -> PyResult<Result<(), Breach>> {
            let object = state.object().bind(py);
            let again = self.read_turn(object, &self.call(py, "turn", (object,))?)?;
            if again != turn {
                return Ok(broken(format!("the turn changes between two calls: {turn:?}, then {again:?},")));
            }
            let mut features = Vec::new();
            self.features(state, &mut features);
            let (kind, numbers, again) = match turn {
                Turn::Over(_) => return Ok(Ok(())),
                Turn::Decide(_) => {
                    let mut actions = Vec::new();
                    self.actions(state, &mut actions);
                    ("action", actions, self.list_actions(py, state)?)
                }
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    self.outcomes(state, &mut outcomes);
                    let again = self.list_outcomes(py, state)?;
                    if again != outcomes {
                        return Ok(broken("the outcomes change between two calls".into()));
                    }
                    let items = |listed: Vec<Weighted<u32>>| listed.iter().map(|one| one.item).collect();
                    ("outcome", items(outcomes), items(again))
                }
            };
            if numbers != again {
                return Ok(broken(format!("the {kind}s change between two calls")));
            }
            let mut texts = HashSet::new();
            for (at, &number) in numbers.iter().enumerate() {
                let of = if kind == "action" { &self.0.actions } else { &self.0.outcomes };
                let object = repr(&of.object(py, number)?)?;
                if numbers[..at].contains(&number) {
                    return Ok(broken(format!("{kind} {object} twice")));
                }
                let text = match kind {
                    "action" => self.write_action(state, number),
                    _ => self.write_outcome(state, number),
                };
                if !texts.insert(text.clone()) {
                    return Ok(broken(format!("{kind} {object} is written '{text}' like another one")));
                }
                let method = if kind == "action" { "apply" } else { "resolve" };
                let (state, before) = (state.object().bind(py), format!("{state:?}"));
                self.follow(state, method, &of.object(py, number)?)?;
                let after = repr(state)?;
                if after != before {
                    return Ok(Err(Breach(format!(
                        "{method} changed the state that it was given, {before}, to {after} for the {kind} {object}; it \
                         must return a new state and leave the old one alone"
                    ))));
                }
            }
            Ok(Ok(()))
        });
        self.0.faults.or(checked, || Ok(()))
    }

    pub(crate) fn reads_positions(&self) -> bool {
        self.0.has.read_state
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        given: impl pyo3::call::PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        inside(|| self.0.object.bind(py).call_method1(method, given))
    }

    /// The state after an action or outcome.
    fn follow<'py>(
        &self,
        state: &Bound<'py, PyAny>,
        method: &str,
        step: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = state.py();
        let next = self.call(py, method, (state, step))?;
        // `None` may be a state, but most often a `return` is missing.
        if next.is_none()
            && let Err(error) = self.call(py, "turn", (&next,)).and_then(|turn| self.read_turn(&next, &turn))
        {
            let missing = broken(format!("{method} returned None; it must return the new state"));
            missing.set_cause(py, Some(error));
            return Err(missing);
        }
        Ok(next)
    }

    /// Wraps a state after `before` consecutive chance states, and queries its turn.
    fn state(&self, object: Bound<'_, PyAny>, before: u32) -> PyResult<OwnState> {
        let turn = self.read_turn(&object, &self.call(object.py(), "turn", (&object,))?)?;
        let chain = if turn == Turn::Chance { before + 1 } else { 0 };
        if chain > MOST_CHANCE {
            let state = repr(&object)?;
            return Err(broken(format!(
                "more than {MOST_CHANCE} chance states in a row, the last one {state}"
            )));
        }
        Ok(self.node(object.unbind(), turn, chain))
    }

    fn node(&self, object: Py<PyAny>, turn: Turn, chain: u32) -> OwnState {
        let faults = self.0.faults.clone();
        let (key, actions, outcomes) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        OwnState(Arc::new(Node { object, turn, chain, faults, key, actions, outcomes }))
    }

    /// A final state as a placeholder after an exception.
    fn no_state(&self) -> OwnState {
        // Any object will do.
        let object = Python::attach(|py| self.0.object.clone_ref(py));
        self.node(object, Turn::Over(self.0.range.middle()), 0)
    }

    fn read_turn(&self, state: &Bound<'_, PyAny>, turn: &Bound<'_, PyAny>) -> PyResult<Turn> {
        if let Ok(word) = turn.cast::<PyString>() {
            match word.to_cow()?.as_ref() {
                "p1" => return Ok(Turn::Decide(Player::Max)),
                "p2" => return Ok(Turn::Decide(Player::Min)),
                "chance" if self.0.has_chance => return Ok(Turn::Chance),
                "chance" => {
                    let state = repr(state)?;
                    return Err(broken(format!("has_chance is false, but chance is to act in {state}")));
                }
                _ => {}
            }
        }
        let Ok(payoff) = turn.extract::<f64>() else {
            let (given, state) = (repr(turn)?, repr(state)?);
            return Err(broken(format!(
                "turn is 'p1', 'p2', 'chance' or the payoff of player 1 at the end, not {given}, in {state}"
            )));
        };
        if !self.0.range.contains(payoff) {
            let (range, state) = (self.0.range, repr(state)?);
            return Err(broken(format!("payoff {payoff} outside the range {range} in {state}")));
        }
        Ok(Turn::Over(payoff))
    }

    fn step(&self, state: &OwnState, method: &str, of: &Interned, number: u32) -> OwnState {
        if self.0.faults.raised() {
            return self.no_state();
        }
        let next = Python::attach(|py| {
            let next = self.follow(state.object().bind(py), method, &of.object(py, number)?)?;
            self.state(next, state.0.chain)
        });
        self.0.faults.or(next, || self.no_state())
    }

    fn list_actions(&self, py: Python<'_>, state: &OwnState) -> PyResult<Vec<u32>> {
        let listed = self.call(py, "actions", (state.object(),))?;
        let numbers = listed.try_iter()?.map(|action| self.0.actions.number(&action?));
        let numbers = numbers.collect::<PyResult<Vec<u32>>>()?;
        if numbers.is_empty() {
            return Err(broken(format!("no action in {state:?}")));
        }
        Ok(numbers)
    }

    fn list_outcomes(&self, py: Python<'_>, state: &OwnState) -> PyResult<Vec<Weighted<u32>>> {
        let listed = self.call(py, "outcomes", (state.object(),))?;
        let mut outcomes = Vec::new();
        for pair in listed.try_iter()? {
            let pair = pair?;
            let (outcome, weight): (Bound<'_, PyAny>, f64) = pair.extract().map_err(|_| {
                let given = repr(&pair).unwrap_or_default();
                broken(format!("outcomes are pairs (outcome, probability), not {given}, in {state:?}"))
            })?;
            if !(weight > 0.0 && weight <= 1.0) {
                return Err(broken(format!("weight {weight} of {} in {state:?}", repr(&outcome)?)));
            }
            outcomes.push(Weighted { item: self.0.outcomes.number(&outcome)?, weight });
        }
        if outcomes.is_empty() {
            return Err(broken(format!("no outcome in {state:?}")));
        }
        let sum: f64 = outcomes.iter().map(|outcome| outcome.weight).sum();
        if (sum - 1.0).abs() > 1e-9 {
            return Err(broken(format!("the weights sum to {sum} in {state:?}")));
        }
        Ok(outcomes)
    }

    /// Text from a method of the game, or from Python's `str`.
    fn text(&self, method: &str, has: bool, given: &Bound<'_, PyTuple>) -> PyResult<String> {
        let py = given.py();
        let last = given.get_item(given.len() - 1)?;
        if has { self.call(py, method, given.clone())?.extract() } else { last.str()?.extract() }
    }

    fn write(&self, method: &str, has: bool, state: &OwnState, of: &Interned, number: u32) -> String {
        let text = Python::attach(|py| {
            let given = PyTuple::new(py, [state.object().bind(py).clone(), of.object(py, number)?])?;
            self.text(method, has, &given)
        });
        self.0.faults.or(text, || "?".into())
    }
}

impl Game for Own {
    type State = OwnState;
    type Action = u32;
    type Outcome = u32;

    fn start(&self) -> OwnState {
        let start = Python::attach(|py| self.state(self.call(py, "start", ())?, 0));
        self.0.faults.or(start, || self.no_state())
    }

    fn turn(&self, state: &OwnState) -> Turn {
        if self.0.faults.raised() { Turn::Over(self.0.range.middle()) } else { state.0.turn }
    }

    fn actions(&self, state: &OwnState, out: &mut Vec<u32>) {
        let listed = once(&state.0.actions, || Python::attach(|py| self.list_actions(py, state)));
        // A placeholder action, which leads nowhere.
        out.extend_from_slice(self.0.faults.or(listed.map(Vec::as_slice), || &[0]));
    }

    fn outcomes(&self, state: &OwnState, out: &mut Vec<Weighted<u32>>) {
        let listed = once(&state.0.outcomes, || Python::attach(|py| self.list_outcomes(py, state)));
        let nothing: &[Weighted<u32>] = &[Weighted { item: 0, weight: 1.0 }];
        out.extend_from_slice(self.0.faults.or(listed.map(Vec::as_slice), || nothing));
    }

    fn apply(&self, state: &mut OwnState, action: u32) {
        *state = self.step(state, "apply", &self.0.actions, action);
    }

    fn resolve(&self, state: &mut OwnState, outcome: u32) {
        *state = self.step(state, "resolve", &self.0.outcomes, outcome);
    }

    fn key(&self, state: &OwnState) -> Key {
        let key = once(&state.0.key, || {
            Python::attach(|py| {
                let object = state.object().bind(py);
                let key = if self.0.has.key { self.call(py, "key", (object,))? } else { object.clone() };
                Ok(Key(match key.extract::<u128>() {
                    Ok(number) if self.0.has.key => number,
                    _ => hash(repr(&key)?.as_bytes()),
                }))
            })
        });
        self.0.faults.or(key.copied(), || Key(0))
    }

    fn range(&self) -> Interval {
        self.0.range
    }

    fn bounds(&self, state: &OwnState) -> Interval {
        if !self.0.has.bounds || self.0.faults.raised() {
            return self.0.range;
        }
        let bounds = Python::attach(|py| {
            interval(&self.call(py, "bounds", (state.object(),))?, "the bounds of a state")
        });
        self.0.faults.or(bounds, || self.0.range)
    }

    fn promise(&self, state: &OwnState, action: u32) -> i32 {
        if !self.0.has.promise || self.0.faults.raised() {
            return 0;
        }
        let promise = Python::attach(|py| {
            let given = (state.object(), self.0.actions.object(py, action)?);
            self.call(py, "promise", given)?.extract()
        });
        self.0.faults.or(promise, || 0)
    }

    fn has_chance(&self) -> bool {
        self.0.has_chance
    }
}

impl Notation for Own {
    fn write_state(&self, state: &OwnState) -> String {
        let text = Python::attach(|py| {
            let given = PyTuple::new(py, [state.object()])?;
            self.text("write_state", self.0.has.write_state, &given)
        });
        self.0.faults.or(text, || "?".into())
    }

    fn read_state(&self, text: &str) -> Result<OwnState, ReadError> {
        if !self.0.has.read_state {
            return Err(ReadError::position(text, "this game has no method read_state"));
        }
        let read = Python::attach(|py| self.state(self.call(py, "read_state", (text,))?, 0));
        read.map_err(|error| {
            let why = error.to_string();
            // The exception of the game is raised unchanged; the text is for the contract harness.
            self.0.faults.keep(error);
            ReadError::position(text, why)
        })
    }

    fn write_action(&self, state: &OwnState, action: u32) -> String {
        self.write("write_action", self.0.has.write_action, state, &self.0.actions, action)
    }

    fn write_outcome(&self, state: &OwnState, outcome: u32) -> String {
        self.write("write_outcome", self.0.has.write_outcome, state, &self.0.outcomes, outcome)
    }

    fn picture(&self, state: &OwnState) -> Picture {
        if !self.0.has.picture {
            return self.write_state(state).into();
        }
        let text = Python::attach(|py| self.call(py, "picture", (state.object(),))?.extract::<String>());
        self.0.faults.or(text, || "?".into()).into()
    }

    fn features(&self, state: &OwnState, out: &mut Vec<f32>) {
        if !self.0.has.features {
            let key = self.key(state).0;
            out.extend((0..128).map(|bit| f32::from((key >> bit & 1) as u8)));
            return;
        }
        let features =
            Python::attach(|py| self.call(py, "features", (state.object(),))?.extract::<Vec<f32>>());
        out.extend(self.0.faults.or(features, Vec::new));
    }
}
