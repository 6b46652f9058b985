//! The native module of the Python package `astragal`: a thin layer over the crates of the library.
//!
//! Users see the package in `python/astragal`, which gives results their types and calls this module. Reports
//! are passed as the JSON that the command prints, so both agree.

mod attend;
mod experiments;
mod faults;
mod game;
mod judge;
mod matches;
mod own;
mod solved;

use astragal_catalog::{
    GameEntry, Param, brief_engine, brief_game, engines as all_engines, games as all_games,
};
use astragal_store::{Store, StoreError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use std::fmt::Display;
use std::path::Path;

/// Turns bad input into a `ValueError` with the command's message.
pub(crate) fn refused<T>(result: Result<T, impl Display>) -> PyResult<T> {
    result.map_err(|error| PyValueError::new_err(error.to_string()))
}

pub(crate) fn json(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("text and numbers")
}

/// The number of threads: one per processor, unless given.
pub(crate) fn workers(jobs: Option<u32>) -> usize {
    jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |jobs| jobs as usize)
}

pub(crate) fn open(store: Option<&Path>) -> Result<Store, StoreError> {
    store.map_or_else(|| Ok(Store::memory()), Store::open)
}

/// A parameter of a game or an engine.
#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    range: String,
    default: Option<&'static str>,
    /// The default in words, with the cases in which it is another.
    usual: String,
    help: &'static str,
}

fn parameters(params: &[Param]) -> Vec<Parameter> {
    let parameter = |param: &Param| Parameter {
        name: param.name,
        range: param.kind.range(),
        default: param.default,
        usual: param.default_in_words(),
        help: param.help,
    };
    params.iter().map(parameter).collect()
}

/// A named evaluator or policy of a game.
#[derive(Serialize)]
struct Named {
    name: &'static str,
    help: &'static str,
}

/// A game of the catalogue.
#[derive(Serialize)]
struct ListedGame {
    name: &'static str,
    genre: &'static str,
    help: &'static str,
    rules: &'static str,
    source: &'static str,
    positions: &'static str,
    parameters: Vec<Parameter>,
    evaluators: Vec<Named>,
    policies: Vec<Named>,
}

/// An engine of the catalogue.
#[derive(Serialize)]
struct ListedEngine {
    name: &'static str,
    help: &'static str,
    source: &'static str,
    chance: bool,
    game: Option<&'static str>,
    tree: bool,
    budgets: Vec<&'static str>,
    parameters: Vec<Parameter>,
}

/// The games of the catalogue, as JSON.
#[pyfunction]
fn games() -> String {
    let listed = |entry: &GameEntry| ListedGame {
        name: entry.info.name,
        genre: entry.info.genre.name(),
        help: entry.info.help,
        rules: entry.info.rules,
        source: entry.info.source,
        positions: entry.info.positions,
        parameters: parameters(entry.info.params),
        evaluators: entry.evaluators.iter().map(|e| Named { name: e.name, help: e.help }).collect(),
        policies: entry.policies.iter().map(|p| Named { name: p.name, help: p.help }).collect(),
    };
    serde_json::to_string(&all_games().map(listed).collect::<Vec<_>>()).expect("text")
}

/// The engines of the catalogue, as JSON.
#[pyfunction]
fn engines() -> String {
    let listed = all_engines().map(|info| ListedEngine {
        name: info.name,
        help: info.help,
        source: info.source,
        chance: info.chance,
        game: info.game,
        tree: info.tree,
        budgets: info.budgets.iter().map(|limit| limit.name()).collect(),
        parameters: parameters(info.params),
    });
    serde_json::to_string(&listed.collect::<Vec<_>>()).expect("text")
}

/// The specs of a game of the catalogue and of engines without the parameters that have their default values.
#[pyfunction]
fn brief(game: &str, engines: Vec<String>) -> (String, Vec<String>) {
    let short = engines.iter().map(|engine| brief_engine(engine, game)).collect();
    (brief_game(game), short)
}

/// The functions that the package `astragal` calls.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::experiments::{accuracy, check_plan, experiments, merge, reproduce, work};
    #[pymodule_export]
    use super::game::{Engine, Game, Position};
    #[pymodule_export]
    use super::matches::{play_match, tournament, tournament_of_plan};
    #[pymodule_export]
    use super::solved::{Solved, regret, solve};
    #[pymodule_export]
    use super::{brief, engines, games};

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::attend::quiet_panics();
        Ok(())
    }

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "its name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
