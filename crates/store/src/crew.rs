//! Units of work, done by several threads and kept in a store: whatever is interrupted goes on where it
//! stopped. What is done is written at once; what was under way when the program died is done again.

use crate::{JobId, Problem, Store, StoreError};
use astragal_arena::revision::hash;
use astragal_arena::work::{Executor, Finished, Share, Work, Worker, Works};
use astragal_core::Clock;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

/// A share of the units. Whose a unit is depends on its work and its number alone, so shards that know more
/// or less of what is done already never disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0 on.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// All units.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// The most shares.
    pub const MOST: u64 = 1_000_000;

    /// The first unit of the work with this text that belongs to the share; the others follow at equal
    /// distances. Units of one work are dealt out in turns, and works begin with different shares.
    fn first(self, text: &str) -> u64 {
        let start = hash(text) % self.count;
        (start + self.index) % self.count
    }

    /// The units below a number that belong to the share.
    fn units(self, text: &str, below: u64) -> impl ExactSizeIterator<Item = u64> + Send + use<> {
        let (first, count) = (self.first(text), self.count);
        let most = below.saturating_sub(first).div_ceil(count);
        (0..most as usize).map(move |at| first + at as u64 * count)
    }
}

/// Results that wait to be stored at most, and results of one commit. Workers that are faster than the store
/// wait for it: otherwise a stop would take as long as storing all that had piled up.
const BATCH: usize = 256;

/// Threads that do a share of some work and keep the results in a store.
pub struct Crew<'a> {
    /// The number of threads.
    pub workers: usize,
    /// The share of the units that is done here.
    pub shard: Shard,
    /// Set from outside to end everything.
    pub stop: &'a AtomicBool,
    /// Where results are kept: what is there already is not done again.
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
            // Not by looking at all units: there may be very many, and few of them done.
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
        // What is open is found as it is needed: there may be very many units.
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
                            // It was stopped, or it cannot be done; then the others cannot either.
                            end.store(true, Ordering::Relaxed);
                            break;
                        };
                        if send.send((at, number, result, aside)).is_err() {
                            break;
                        }
                    }
                };
                // Where no more threads can be started, those that run do the work.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
                started += 1;
            }
            drop(send);
            if started == 0 {
                failed = Some(self.store.problem(Problem::NoThread));
            }
            // A stop from outside is handed on; the workers then end by themselves.
            loop {
                match receive.recv_timeout(std::time::Duration::from_millis(50)) {
                    Ok(first) => {
                        // A commit waits for the disk, so whatever is finished meanwhile goes with it.
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
