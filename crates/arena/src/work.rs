//! Work in numbered units, and its executors.
//!
//! A unit is a pure function of its work and its number, so it does not matter where, when or how often it is
//! done. Finished units are kept; an interrupted run continues where it stopped.

use astragal_core::Watch;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// Work in numbered units.
pub trait Work: Sync {
    /// The kind of work, in a word.
    fn kind(&self) -> &'static str;

    /// Everything that the results depend on, as JSON: the identity of the work.
    fn text(&self) -> String;

    /// A worker for one thread.
    fn worker(&self) -> Box<dyn Worker + '_>;
}

/// Does units of some work, on one thread.
pub trait Worker {
    /// The result of a unit as JSON, a pure function of its number, and what else it reports; none if
    /// cancelled.
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)>;
}

/// What a unit reports beside its result, for progress displays; it is not stored.
pub type Aside = Box<dyn std::any::Any + Send>;

/// A unit finished in this run.
pub struct Finished<'a> {
    /// The index of its work.
    pub work: usize,
    /// The number of the unit.
    pub number: u64,
    /// Its result.
    pub result: &'a str,
    /// What else it reported.
    pub aside: Aside,
}

/// The progress of an executor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Units done, of those assigned to it.
    pub done: u64,
    /// Units assigned to it.
    pub all: u64,
    /// Whether all units are done, including those assigned to others.
    pub whole: bool,
}

/// Several works, each with its number of units.
pub type Works<'a> = [(&'a dyn Work, u64)];

/// Does units of work and keeps their results: on one thread in memory ([`Memory`]), or on several threads in
/// a file.
pub trait Executor {
    /// The error of an executor.
    type Error: std::error::Error;

    /// The progress of these works.
    ///
    /// # Errors
    /// If results cannot be read.
    fn share(&mut self, works: &Works<'_>) -> Result<Share, Self::Error>;

    /// Does the units of each work that are not yet done. `seen` is called for every finished unit, in any
    /// order, and may end the run. Returns whether all assigned units are done.
    ///
    /// # Errors
    /// If results cannot be kept.
    fn run(
        &mut self,
        works: &Works<'_>,
        seen: &mut dyn FnMut(Finished<'_>) -> ControlFlow<()>,
    ) -> Result<bool, Self::Error>;

    /// The results of a work's finished units with numbers below this one, each with its number, in order.
    ///
    /// # Errors
    /// If results cannot be read.
    fn numbered<T: DeserializeOwned>(
        &mut self,
        work: &dyn Work,
        below: u64,
    ) -> Result<Vec<(u64, T)>, Self::Error>;

    /// The results of a work's finished units with numbers below this one, in order.
    ///
    /// # Errors
    /// If results cannot be read.
    fn results<T: DeserializeOwned>(&mut self, work: &dyn Work, below: u64) -> Result<Vec<T>, Self::Error> {
        Ok(self.numbered(work, below)?.into_iter().map(|(_, result)| result).collect())
    }
}

/// Does units one after another on the caller's thread, and keeps results in memory.
pub struct Memory<W> {
    watch: W,
    done: HashMap<(&'static str, String), BTreeMap<u64, String>>,
}

impl<W: Watch> Memory<W> {
    /// An executor with nothing done. The watch cancels the work and provides the clock of its searches.
    pub fn new(watch: W) -> Self {
        Self { watch, done: HashMap::new() }
    }
}

impl<W: Watch> Executor for Memory<W> {
    type Error = serde_json::Error;

    fn share(&mut self, works: &Works<'_>) -> Result<Share, serde_json::Error> {
        let mut share = Share::default();
        for (work, units) in works {
            share.all += units;
            let done = self.done.get(&(work.kind(), work.text()));
            share.done += done.map_or(0, |done| done.range(..units).count() as u64);
        }
        Ok(Share { whole: share.done == share.all, ..share })
    }

    fn run(
        &mut self,
        works: &Works<'_>,
        seen: &mut dyn FnMut(Finished<'_>) -> ControlFlow<()>,
    ) -> Result<bool, serde_json::Error> {
        for (at, (work, units)) in works.iter().enumerate() {
            let done = self.done.entry((work.kind(), work.text())).or_default();
            let mut worker = work.worker();
            for number in 0..*units {
                if done.contains_key(&number) {
                    continue;
                }
                let Some((result, aside)) = worker.result(number, &mut self.watch) else { return Ok(false) };
                let flow = seen(Finished { work: at, number, result: &result, aside });
                done.insert(number, result);
                if flow.is_break() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn numbered<T: DeserializeOwned>(
        &mut self,
        work: &dyn Work,
        below: u64,
    ) -> Result<Vec<(u64, T)>, serde_json::Error> {
        let done = self.done.get(&(work.kind(), work.text()));
        let rows = done.into_iter().flat_map(|done| done.range(..below));
        rows.map(|(number, result)| Ok((*number, serde_json::from_str(result)?))).collect()
    }
}
