//! Units of work, done by several threads and kept in a store, so that an interrupted run continues where it
//! stopped. Finished units are written immediately; units under way when the program died are repeated.

use crate::{JobId, Problem, Store, StoreError};
use astragal_arena::revision::hash;
use astragal_arena::work::{Executor, Finished, Share, Work, Worker, Works};
use astragal_core::Clock;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

/// A share of the units. Which share a unit belongs to depends only on its work and number, so shards with
/// different knowledge of what is done never disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The index of the share, from 0.
    pub index: u64,
    /// The number of shares.
    pub count: u64,
}

impl Shard {
    /// All units.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// The maximum number of shares.
    pub const MOST: u64 = 1_000_000;

    /// The first unit of the work with this text that belongs to the share; the others follow at equal
    /// distances. The units of a work are dealt round-robin, and different works begin with different shares.
    fn first(self, text: &str) -> u64 {
        let start = hash(text) % self.count;
        (start + self.index) % self.count
    }

    /// The units of the share with numbers below `below`.
    fn units(self, text: &str, below: u64) -> impl ExactSizeIterator<Item = u64> + Send + use<> {
        let (first, count) = (self.first(text), self.count);
        let most = below.saturating_sub(first).div_ceil(count);
        (0..most as usize).map(move |at| first + at as u64 * count)
    }
}

/// Maximum number of results in a commit, and of results waiting to be stored. Workers that outpace the store
/// block: otherwise a stop would take as long as storing the backlog.
const BATCH: usize = 256;

/// Threads that do a share of some work and keep its results in a store.
pub struct Crew<'a> {
    /// The number of threads.
    pub workers: usize,
    /// The share of the units to do.
    pub shard: Shard,
    /// Set by the owner to stop everything.
    pub stop: &'a AtomicBool,
    /// The store of the results; units already in it are not repeated.
    pub store: &'a mut Store,
}

impl<'a> Crew<'a> {
    /// A crew for all units.
    pub fn new(workers: usize, stop: &'a AtomicBool, store: &'a mut Store) -> Self {
        Self { workers, shard: Shard::WHOLE, stop, store }
    }
}

impl Executor for Crew<'_> {
    type Error = StoreError;

    fn share(&mut self, works: &Works<'_>) -> Result<Share, StoreError> {
        let mut share = Share { whole: true, ..Share::default() };
        for (work, units) in works {
            let text = work.text();
            let job = self.store.job(work.kind(), &text)?;
            let done: Vec<u64> = self.store.done(job)?.into_iter().filter(|number| number < units).collect();
            // Computed without visiting all units: there may be very many, and few of them done.
            let first = self.shard.first(&text);
            share.all += self.shard.units(&text, *units).len() as u64;
            share.done += done.iter().filter(|number| *number % self.shard.count == first).count() as u64;
            share.whole &= done.len() as u64 == *units;
        }
        Ok(share)
    }

    fn run(
        &mut self,
        works: &Works<'_>,
        seen: &mut dyn FnMut(Finished<'_>) -> ControlFlow<()>,
    ) -> Result<bool, StoreError> {
        let mut jobs: Vec<JobId> = Vec::new();
        // Open units are found lazily: there may be very many units.
        let mut open: Vec<Box<dyn Iterator<Item = (usize, u64)> + Send>> = Vec::new();
        let mut most = 0;
        for (at, (work, units)) in works.iter().enumerate() {
            let text = work.text();
            let job = self.store.job(work.kind(), &text)?;
            let done: HashSet<u64> = self.store.done(job)?.into_iter().collect();
            let mine = self.shard.units(&text, *units);
            most += mine.len();
            open.push(Box::new(mine.filter(move |number| !done.contains(number)).map(move |n| (at, n))));
            jobs.push(job);
        }
        let (open, end) = (Mutex::new(open.into_iter().flatten()), AtomicBool::new(false));
        let (open, end) = (&open, &end);
        let mut failed = None;
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::sync_channel(BATCH);
            let mut started = 0;
            for _ in 0..self.workers.clamp(1, most.max(1)) {
                let send = send.clone();
                let work = move || {
                    let mut worker: Option<(usize, Box<dyn Worker + '_>)> = None;
                    let mut clock = Clock::until(end);
                    let next = || open.lock().expect("no worker panics with it").next();
                    while !end.load(Ordering::Relaxed)
                        && let Some((at, number)) = next()
                    {
                        if worker.as_ref().is_none_or(|(of, _)| *of != at) {
                            worker = Some((at, works[at].0.worker()));
                        }
                        let (_, worker) = worker.as_mut().expect("just made");
                        let Some((result, aside)) = worker.result(number, &mut clock) else {
                            // It was stopped, or the unit cannot be done, and then neither can the others.
                            end.store(true, Ordering::Relaxed);
                            break;
                        };
                        if send.send((at, number, result, aside)).is_err() {
                            break;
                        }
                    }
                };
                // If no more threads can be started, those that run do the work.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
                started += 1;
            }
            drop(send);
            if started == 0 {
                failed = Some(self.store.problem(Problem::NoThread));
            }
            // Passes on a stop by the owner; the workers then end by themselves.
            loop {
                match receive.recv_timeout(std::time::Duration::from_millis(50)) {
                    Ok(first) => {
                        // A commit waits for the disk, so it includes everything finished in the meantime.
                        let rest = receive.try_iter().take(BATCH - 1);
                        let batch: Vec<_> = std::iter::once(first).chain(rest).collect();
                        for (at, &job) in jobs.iter().enumerate() {
                            let rows: Vec<(u64, String)> = batch
                                .iter()
                                .filter(|(work, ..)| *work == at)
                                .map(|(_, number, result, _)| (*number, result.clone()))
                                .collect();
                            if failed.is_none()
                                && !rows.is_empty()
                                && let Err(error) = self.store.put(job, &rows)
                            {
                                failed = Some(error);
                                end.store(true, Ordering::Relaxed);
                            }
                        }
                        if failed.is_some() {
                            continue;
                        }
                        for (work, number, result, aside) in batch {
                            if seen(Finished { work, number, result: &result, aside }).is_break() {
                                end.store(true, Ordering::Relaxed);
                            }
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                }
                if self.stop.load(Ordering::Relaxed) {
                    end.store(true, Ordering::Relaxed);
                }
            }
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(!end.load(Ordering::Relaxed)),
        }
    }

    fn numbered<T: DeserializeOwned>(
        &mut self,
        work: &dyn Work,
        below: u64,
    ) -> Result<Vec<(u64, T)>, StoreError> {
        let job = self.store.job(work.kind(), &work.text())?;
        self.store.read_numbered(job, below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_belongs_to_one_share() {
        for count in [1, 2, 3, 7] {
            for text in ["", "a", "another work"] {
                let mut all: Vec<u64> = Vec::new();
                for index in 0..count {
                    let units = Shard { index, count }.units(text, 20);
                    assert!(units.len().abs_diff(20 / count as usize) <= 1);
                    all.extend(units);
                }
                all.sort_unstable();
                assert_eq!(all, (0..20).collect::<Vec<u64>>(), "{count} shares of {text}");
            }
        }
        assert_eq!(Shard { index: Shard::MOST - 1, count: Shard::MOST }.units("a", 0).len(), 0);
    }
}
