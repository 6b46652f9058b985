//! Independent pieces of work on several threads, in an order that nobody can see in the results.
//!
//! Every piece is a unit in the store of the desk: what was done is not done again, and several processes may
//! each do a share.

use super::{Desk, Failed, Parts, Setting};
use crate::run::{Aside, Crew, Share, Unit, Work};
use crate::tournament::{self, End, Final, Tournament};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// A stretch of an experiment: from how much is done to how much, and what it is about.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'w> {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) what: &'w str,
}

impl Stretch<'_> {
    /// How much of the experiment is done when this share of the stretch is.
    fn at(&self, share: f64) -> f64 {
        self.from + (self.to - self.from) * share
    }
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

/// The form of the experiments, counted up whenever one of them does something else with the same parameters.
/// What the searches do has a revision of its own in the store.
pub(super) const FORM: u32 = 2;

impl<T: Serialize, J: Fn(usize, &AtomicBool) -> Result<T, Failed> + Sync> Work for Pieces<'_, J> {
    fn kind(&self) -> &'static str {
        "piece"
    }

    fn text(&self) -> String {
        self.identity.clone()
    }

    fn desk(&self) -> Box<dyn Unit + '_> {
        Box::new(Hand(self))
    }
}

/// A finished piece: the store takes objects only.
#[derive(Deserialize, Serialize)]
struct Piece<T> {
    found: T,
}

/// One thread's hand on the pieces.
struct Hand<'a, 'j, J>(&'a Pieces<'j, J>);

impl<T: Serialize, J: Fn(usize, &AtomicBool) -> Result<T, Failed> + Sync> Unit for Hand<'_, '_, J> {
    fn result(&mut self, number: u64, stop: &AtomicBool) -> Option<(String, Aside)> {
        let found = (self.0.job)(number as usize, stop).and_then(|found| {
            serde_json::to_string(&Piece { found }).map_err(|error| Failed::Message(error.to_string()))
        });
        match found {
            Ok(text) => Some((text, Box::new(()))),
            Err(why) => {
                self.0.failed.lock().expect("nobody panics with it").get_or_insert(why);
                None
            }
        }
    }
}

/// Which pieces of which experiment, and how many.
#[derive(Clone, Copy)]
pub(super) struct Batch<'n> {
    pub(super) experiment: &'n str,
    /// What tells them from other pieces of the experiment.
    pub(super) part: &'n str,
    pub(super) count: usize,
}

/// What the job gives for each number below the count, in their order. It is a function of its number, of the
/// experiment, of the part, of the scale and of the seed. What is in the store is not asked for again.
pub(super) fn each<T: Serialize + DeserializeOwned>(
    batch: Batch<'_>,
    setting: &Setting,
    stretch: Stretch<'_>,
    desk: &mut dyn Desk,
    job: impl Fn(usize, &AtomicBool) -> Result<T, Failed> + Sync,
) -> Result<Vec<T>, Failed> {
    let Batch { experiment, part, count } = batch;
    let (scale, seed) = (setting.scale.name(), setting.seed);
    let identity = Identity { experiment, part, scale, pieces: count, seed, form: FORM };
    let pieces = Pieces {
        identity: serde_json::to_string(&identity).expect("text and numbers"),
        job: &job,
        failed: Mutex::new(None),
    };
    desk.progress(stretch.from, stretch.what);
    let done = units(&[(&pieces, count as u64)], setting, desk, stretch, |_| stretch.what.into());
    if let Some(why) = pieces.failed.lock().expect("nobody panics with it").take() {
        return Err(why);
    }
    done?;
    let found: Vec<Piece<T>> = results(&pieces, count as u64, desk)?;
    Ok(found.into_iter().map(|piece| piece.found).collect())
}

/// Parts of an experiment that do not need each other: while one waits for other shards, the next can be
/// done.
#[derive(Default)]
pub(super) struct Patience {
    waits: bool,
}

impl Patience {
    /// What a part has given; none if it waits.
    pub(super) fn with<T>(&mut self, part: Result<T, Failed>) -> Result<Option<T>, Failed> {
        self.waits |= matches!(part, Err(Failed::Waits));
        if matches!(part, Err(Failed::Waits)) { Ok(None) } else { part.map(Some) }
    }

    /// The end of the parts.
    pub(super) fn end(self) -> Result<(), Failed> {
        if self.waits { Err(Failed::Waits) } else { Ok(()) }
    }
}

/// The results of some work, in order.
pub(super) fn results<T: DeserializeOwned>(
    work: &dyn Work,
    units: u64,
    desk: &mut dyn Desk,
) -> Result<Vec<T>, Failed> {
    let store = desk.parts().store;
    let job = store.job(work.kind(), &work.text())?;
    Ok(store.read(job, units)?)
}

/// Does all units of some works, or a share of them, as far as the store does not have them.
pub(super) fn units(
    works: &[(&dyn Work, u64)],
    setting: &Setting,
    desk: &mut dyn Desk,
    stretch: Stretch<'_>,
    name: impl Fn(usize) -> String,
) -> Result<(), Failed> {
    let Parts { store, stop, mut progress } = desk.parts();
    let crew = Crew { workers: setting.workers, shard: setting.shard, stop };
    let Share { mut done, all, .. } = crew.share(works, store)?;
    let ended = crew.run(works, store, |unit| {
        done += 1;
        progress(stretch.at(done as f64 / all as f64), &name(unit.work));
        ControlFlow::Continue(())
    })?;
    if !ended {
        return Err(Failed::Cancelled);
    }
    // Other processes may have added to the store meanwhile.
    if crew.share(works, store)?.whole { Ok(()) } else { Err(Failed::Waits) }
}

/// Plays tournaments side by side, or a share of them, as far as the store does not have them.
pub(super) fn tournaments(
    all: &[Tournament],
    setting: &Setting,
    desk: &mut dyn Desk,
    stretch: Stretch<'_>,
) -> Result<Vec<Final>, Failed> {
    let Parts { store, stop, mut progress } = desk.parts();
    let crew = Crew { workers: setting.workers, shard: setting.shard, stop };
    let most = all.iter().map(|tournament| tournament.engines.len()).max().unwrap_or(1);
    let rounds = f64::from(most.next_power_of_two().ilog2().max(1));
    let together: Vec<&Tournament> = all.iter().collect();
    let end = tournament::run(&together, &crew, store, |at, _| {
        let share = (at.round as f64 - 1.0 + at.done as f64 / at.all as f64) / rounds;
        progress(stretch.at(share.min(1.0)), stretch.what);
    })?;
    match end {
        End::Stopped => return Err(Failed::Cancelled),
        End::Waits(_) => return Err(Failed::Waits),
        End::Complete => {}
    }
    let lost = || Failed::Message("the store does not hold all results".into());
    all.iter().map(|tournament| tournament.tables(store)?.ok_or_else(lost)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::{Scale, Unattended};
    use crate::run::Shard;
    use astragal_core::Budget;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const ALL: Stretch<'_> = Stretch { from: 0.0, to: 1.0, what: "" };
    const ONE: Setting = Setting::new(Scale::Quick, 1, 1);

    fn batch(count: usize) -> Batch<'static> {
        Batch { experiment: "test", part: "squares", count }
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        for workers in [0, 1, 2, 7] {
            let setting = Setting { workers, ..ONE };
            let square = |index: usize, _: &AtomicBool| Ok(index * index);
            let found = each(batch(100), &setting, ALL, &mut Unattended::default(), square).unwrap();
            assert!(found.iter().enumerate().all(|(index, &square)| square == index * index));
        }
        let none: Vec<usize> = each(batch(0), &ONE, ALL, &mut Unattended::default(), |at, _| Ok(at)).unwrap();
        assert!(none.is_empty());
    }

    #[test]
    fn a_share_waits_for_the_others_and_nothing_is_done_twice() {
        let asked = AtomicUsize::new(0);
        let square = |index: usize, _: &AtomicBool| {
            asked.fetch_add(1, Ordering::Relaxed);
            Ok(index * index)
        };
        let mut desk = Unattended::default();
        let mut share = |index: u64| {
            let setting = Setting { shard: Shard { index, count: 3 }, ..ONE };
            each(batch(100), &setting, ALL, &mut desk, square)
        };
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
                    Tournament::new(kind, "pig(target=30)", engines, 3, Budget::nodes(1), 5).unwrap()
                })
                .into()
        };
        let order = |finals: Vec<Final>| -> Vec<Vec<usize>> { finals.into_iter().map(|f| f.order).collect() };
        let whole = order(tournaments(&plans(), &ONE, &mut Unattended::default(), ALL).unwrap());
        let mut desk = Unattended::default();
        let (mut turns, shares) = (0, 2);
        let parts = loop {
            let setting = Setting { shard: Shard { index: turns % shares, count: shares }, ..ONE };
            turns += 1;
            match tournaments(&plans(), &setting, &mut desk, ALL) {
                Ok(finals) => break order(finals),
                Err(why) => assert_eq!(why, Failed::Waits),
            }
        };
        assert_eq!(parts, whole);
        // Three rounds; the last share of a round goes on with its part of the next.
        assert!((2..=6).contains(&turns), "{turns} turns");
    }

    #[test]
    fn a_piece_that_fails_is_told() {
        let odd = |index: usize, _: &AtomicBool| {
            if index == 7 { Err(Failed::Message("seven".into())) } else { Ok(index) }
        };
        let found = each(batch(10), &ONE, ALL, &mut Unattended::default(), odd);
        assert_eq!(found, Err(Failed::Message("seven".into())));
    }

    #[test]
    fn a_stopped_desk_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let slowly = |_: usize, _: &AtomicBool| {
            begun.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(1));
            Ok(())
        };
        let result = each(batch(100_000), &ONE, ALL, &mut Unattended::stopped(), slowly);
        assert_eq!(result, Err(Failed::Cancelled));
        assert!(begun.load(Ordering::Relaxed) < 50_000);
    }
}
