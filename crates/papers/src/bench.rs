//! The bench on which an experiment runs: its scale, seed, threads, store and progress.
//!
//! Every piece of work is a unit in the store: finished units are not run again, and several processes can
//! each do a share. The order in which units finish does not affect the results.

use crate::{Failed, Scale};
use astragal_arena::pgn::Game;
use astragal_arena::tournament::{self, End, Final, Tournament};
use astragal_arena::work::{Aside, Executor, Share, Work, Worker, Works};
use astragal_core::Watch;
use astragal_solve::Supervisor;
use astragal_store::{Crew, Store};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Receives the fraction done, from 0 to 1, and what is being done.
pub type Progress<'a> = dyn FnMut(f64, &str) + 'a;

/// Where an experiment, or a stage of it, runs.
pub struct Bench<'a> {
    /// The scale of the runs.
    pub scale: Scale,
    /// The seed of all randomness.
    pub seed: u64,
    /// Chess games from which experiments can take positions.
    pub(crate) games: Arc<[Game]>,
    /// The threads, this process's share, the stop flag and the store. Results depend on none of them.
    crew: Crew<'a>,
    progress: &'a mut Progress<'a>,
    /// The fraction of the experiment that is done when the stage begins and when it ends.
    from: f64,
    to: f64,
}

/// Pieces of an experiment.
struct Pieces<'a, J> {
    identity: String,
    job: &'a J,
    failed: Mutex<Option<Failed>>,
}

/// What identifies the pieces of an experiment.
#[derive(Serialize)]
struct Identity<'a> {
    experiment: &'a str,
    part: &'a str,
    scale: &'a str,
    pieces: usize,
    seed: u64,
    form: u32,
}

/// The version of the experiments, incremented whenever one of them changes what it does with the same
/// parameters. The behaviour of the searches has its own revision in the store.
pub(crate) const FORM: u32 = 2;

impl<T: Serialize, J: Fn(usize, &mut dyn Watch) -> Result<T, Failed> + Sync> Work for Pieces<'_, J> {
    fn kind(&self) -> &'static str {
        "piece"
    }

    fn text(&self) -> String {
        self.identity.clone()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }
}

/// A finished piece, wrapped because the store accepts only objects.
#[derive(Deserialize, Serialize)]
struct Piece<T> {
    found: T,
}

impl<T: Serialize, J: Fn(usize, &mut dyn Watch) -> Result<T, Failed> + Sync> Worker for &Pieces<'_, J> {
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let found = (self.job)(number as usize, watch).and_then(|found| {
            serde_json::to_string(&Piece { found }).map_err(|error| Failed::Message(error.to_string()))
        });
        match found {
            Ok(text) => Some((text, Box::new(()))),
            Err(why) => {
                self.failed.lock().expect("nobody panics with it").get_or_insert(why);
                None
            }
        }
    }
}

/// Identifies pieces of an experiment, and gives their number.
#[derive(Clone, Copy)]
pub(crate) struct Batch<'n> {
    pub(crate) experiment: &'n str,
    /// Distinguishes these pieces from others of the experiment.
    pub(crate) part: &'n str,
    pub(crate) count: usize,
}

impl<'a> Bench<'a> {
    /// A bench for a whole experiment.
    pub fn new(scale: Scale, seed: u64, crew: Crew<'a>, progress: &'a mut Progress<'a>) -> Self {
        Self { scale, seed, games: Arc::new([]), crew, progress, from: 0.0, to: 1.0 }
    }

    /// The same bench, with chess games from which experiments can take positions.
    #[must_use]
    pub fn with_games(self, games: Vec<Game>) -> Self {
        Self { games: games.into(), ..self }
    }

    /// The bench for a stage, given the fractions of this bench's work that are done when it begins and ends.
    pub(crate) fn stage(&mut self, from: f64, to: f64) -> Bench<'_> {
        let (from, to) = (self.at(from), self.at(to));
        let Crew { workers, shard, stop, ref mut store } = self.crew;
        let crew = Crew { workers, shard, stop, store };
        let games = Arc::clone(&self.games);
        Bench { scale: self.scale, seed: self.seed, games, crew, progress: &mut *self.progress, from, to }
    }

    /// Converts a fraction of the stage to a fraction of the experiment.
    fn at(&self, share: f64) -> f64 {
        self.from + (self.to - self.from) * share
    }

    /// The flag that stops all work when set.
    pub(crate) fn stop(&self) -> &'a AtomicBool {
        self.crew.stop
    }

    /// The results store.
    pub(crate) fn store(&mut self) -> &mut Store {
        self.crew.store
    }

    /// Returns the job's results for all numbers below the count, in order. A result is a function of its
    /// number, the experiment, the part, the scale and the seed. Results already in the store are not
    /// computed again.
    pub(crate) fn each<T: Serialize + DeserializeOwned>(
        &mut self,
        batch: Batch<'_>,
        what: &str,
        job: impl Fn(usize, &mut dyn Watch) -> Result<T, Failed> + Sync,
    ) -> Result<Vec<T>, Failed> {
        let Batch { experiment, part, count } = batch;
        let (scale, seed) = (self.scale.name(), self.seed);
        let identity = Identity { experiment, part, scale, pieces: count, seed, form: FORM };
        let pieces = Pieces {
            identity: serde_json::to_string(&identity).expect("text and numbers"),
            job: &job,
            failed: Mutex::new(None),
        };
        (self.progress)(self.from, what);
        let done = self.units(&[(&pieces, count as u64)], |_| what.into());
        if let Some(why) = pieces.failed.lock().expect("nobody panics with it").take() {
            return Err(why);
        }
        done?;
        let found: Vec<Piece<T>> = self.results(&pieces, count as u64)?;
        Ok(found.into_iter().map(|piece| piece.found).collect())
    }

    /// The results of one work, in order.
    pub(crate) fn results<T: DeserializeOwned>(
        &mut self,
        work: &dyn Work,
        units: u64,
    ) -> Result<Vec<T>, Failed> {
        Ok(self.crew.results(work, units)?)
    }

    /// Runs all units of these works, or this process's share of them, that are not yet in the store.
    pub(crate) fn units(&mut self, works: &Works<'_>, name: impl Fn(usize) -> String) -> Result<(), Failed> {
        let Share { mut done, all, .. } = self.crew.share(works)?;
        let (from, length) = (self.from, self.to - self.from);
        let progress = &mut *self.progress;
        let ended = self.crew.run(works, &mut |unit| {
            done += 1;
            progress(from + length * (done as f64 / all as f64), &name(unit.work));
            ControlFlow::Continue(())
        })?;
        if !ended {
            return Err(Failed::Cancelled);
        }
        // Other processes may have added to the store in the meantime.
        if self.crew.share(works)?.whole { Ok(()) } else { Err(Failed::Waits) }
    }

    /// Plays the games of these tournaments that are not yet in the store, or this process's share, side by
    /// side.
    pub(crate) fn tournaments(&mut self, all: &[Tournament], what: &str) -> Result<Vec<Final>, Failed> {
        let most = all.iter().map(|tournament| tournament.engines.len()).max().unwrap_or(1);
        let rounds = f64::from(most.next_power_of_two().ilog2().max(1));
        let together: Vec<&Tournament> = all.iter().collect();
        let (from, length) = (self.from, self.to - self.from);
        let progress = &mut *self.progress;
        let end = tournament::run(&together, &mut self.crew, |at, _| {
            let share = (at.round as f64 - 1.0 + at.done as f64 / at.all as f64) / rounds;
            progress(from + length * share.min(1.0), what);
        })?;
        match end {
            End::Stopped => return Err(Failed::Cancelled),
            End::Waits(_) => return Err(Failed::Waits),
            End::Complete => {}
        }
        let lost = || Failed::Message("the store does not hold all results".into());
        all.iter().map(|tournament| tournament.tables(&mut self.crew)?.ok_or_else(lost)).collect()
    }
}

/// Fails if the work is cancelled.
pub(crate) fn check(watch: &mut dyn Watch) -> Result<(), Failed> {
    if watch.cancelled() { Err(Failed::Cancelled) } else { Ok(()) }
}

/// Cancels the solving of a game when the flag is set.
pub(crate) struct Until<'a>(pub(crate) &'a AtomicBool);

impl Supervisor for Until<'_> {
    fn cancelled(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Independent parts of an experiment: while one waits for other shards, the next can run.
#[derive(Default)]
pub(crate) struct Patience {
    waits: bool,
}

impl Patience {
    /// Returns the result of a part, or `None` if it waits.
    pub(crate) fn with<T>(&mut self, part: Result<T, Failed>) -> Result<Option<T>, Failed> {
        self.waits |= matches!(part, Err(Failed::Waits));
        if matches!(part, Err(Failed::Waits)) { Ok(None) } else { part.map(Some) }
    }

    /// Fails if any part waits.
    pub(crate) fn end(self) -> Result<(), Failed> {
        if self.waits { Err(Failed::Waits) } else { Ok(()) }
    }
}

/// Runs something on a bench without progress reports, with an empty store.
#[cfg(test)]
pub(crate) fn unattended<T>(seed: u64, workers: usize, run: impl FnOnce(&mut Bench<'_>) -> T) -> T {
    let (mut store, stop) = (Store::memory(), AtomicBool::new(false));
    run(&mut Bench::new(Scale::Quick, seed, Crew::new(workers, &stop, &mut store), &mut |_, _| {}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Budget;
    use astragal_store::Shard;
    use std::sync::atomic::AtomicUsize;

    /// Runs something as one of several shards of a store.
    fn share<T>(store: &mut Store, index: u64, count: u64, run: impl FnOnce(&mut Bench<'_>) -> T) -> T {
        let stop = AtomicBool::new(false);
        let crew = Crew { workers: 1, shard: Shard { index, count }, stop: &stop, store };
        run(&mut Bench::new(Scale::Quick, 1, crew, &mut |_, _| {}))
    }

    fn batch(count: usize) -> Batch<'static> {
        Batch { experiment: "test", part: "squares", count }
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        for workers in [0, 1, 2, 7] {
            let square = |index: usize, _: &mut dyn Watch| Ok(index * index);
            let found = unattended(1, workers, |bench| bench.each(batch(100), "", square)).unwrap();
            assert!(found.iter().enumerate().all(|(index, &square)| square == index * index));
        }
        let none: Vec<usize> = unattended(1, 1, |bench| bench.each(batch(0), "", |at, _| Ok(at))).unwrap();
        assert!(none.is_empty());
    }

    #[test]
    fn a_share_waits_for_the_others_and_nothing_is_done_twice() {
        let asked = AtomicUsize::new(0);
        let square = |index: usize, _: &mut dyn Watch| {
            asked.fetch_add(1, Ordering::Relaxed);
            Ok(index * index)
        };
        let mut store = Store::memory();
        let mut share = |index: u64| share(&mut store, index, 3, |bench| bench.each(batch(100), "", square));
        assert_eq!(share(1), Err(Failed::Waits));
        assert_eq!(share(0), Err(Failed::Waits));
        assert!((60..=70).contains(&asked.load(Ordering::Relaxed)), "two thirds: {asked:?}");
        assert_eq!(share(2).unwrap()[99], 99 * 99);
        assert_eq!(share(1).unwrap().len(), 100);
        assert_eq!(asked.load(Ordering::Relaxed), 100);
    }

    #[test]
    fn tournaments_side_by_side_need_no_more_turns_than_rounds() {
        let plans = || -> Vec<Tournament> {
            ["hold-at(n=10)", "random"]
                .map(|last| {
                    let mut engines: Vec<String> =
                        [15, 20, 25, 30, 35].map(|n| format!("hold-at(n={n})")).into();
                    engines.push(last.into());
                    let kind = tournament::Kind::Elimination;
                    Tournament::new(kind, "pig(target=30)", &engines, 3, Budget::nodes(1), 5).unwrap()
                })
                .into()
        };
        let order = |finals: Vec<Final>| -> Vec<Vec<usize>> { finals.into_iter().map(|f| f.order).collect() };
        let whole = order(unattended(1, 1, |bench| bench.tournaments(&plans(), "")).unwrap());
        let mut store = Store::memory();
        let (mut turns, shares) = (0, 2);
        let parts = loop {
            let found = share(&mut store, turns % shares, shares, |bench| bench.tournaments(&plans(), ""));
            turns += 1;
            match found {
                Ok(finals) => break order(finals),
                Err(why) => assert_eq!(why, Failed::Waits),
            }
        };
        assert_eq!(parts, whole);
        // Three rounds; the last shard of a round goes straight on to its share of the next.
        assert!((2..=6).contains(&turns), "{turns} turns");
    }

    #[test]
    fn a_piece_that_fails_is_told() {
        let odd = |index: usize, _: &mut dyn Watch| {
            if index == 7 { Err(Failed::Message("seven".into())) } else { Ok(index) }
        };
        let found = unattended(1, 1, |bench| bench.each(batch(10), "", odd));
        assert_eq!(found, Err(Failed::Message("seven".into())));
    }

    #[test]
    fn the_stop_button_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let slowly = |_: usize, _: &mut dyn Watch| {
            begun.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(1));
            Ok(())
        };
        let (mut store, stop) = (Store::memory(), AtomicBool::new(true));
        let crew = Crew::new(1, &stop, &mut store);
        let result = Bench::new(Scale::Quick, 1, crew, &mut |_, _| {}).each(batch(100_000), "", slowly);
        assert_eq!(result, Err(Failed::Cancelled));
        assert!(begun.load(Ordering::Relaxed) < 50_000);
    }
}
