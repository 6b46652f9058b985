//! Matches that end when a sequential test reaches a decision.

use crate::contest::{Contest, PairRow, row};
use crate::play::{Effort, Played};
use crate::work::Executor;
use astragal_stats::{Pairs, Sprt, Verdict};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The pairs of a match, with a test that may end it.
///
/// The test evaluates pairs in the order of their numbers, up to the first gap, so the same pair decides it
/// whatever the order in which they were played.
#[derive(Default)]
pub struct Trial {
    sprt: Option<Sprt>,
    every: u64,
    rows: BTreeMap<u64, PairRow>,
    /// The pairs that the test has evaluated.
    pairs: Pairs,
    efforts: [Effort; 2],
}

impl Trial {
    /// A trial without pairs. Without a test, all pairs are played.
    #[must_use]
    pub fn new(sprt: Option<Sprt>) -> Self {
        Self { sprt, every: 1, ..Self::default() }
    }

    /// Sets the number of pairs between evaluations of the test.
    #[must_use]
    pub fn looking_every(self, pairs: u64) -> Self {
        Self { every: pairs, ..self }
    }

    /// The test.
    #[must_use]
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// The pairs up to the first gap, or up to the one that decides the test.
    #[must_use]
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// All pairs played, by number.
    #[must_use]
    pub fn played(&self) -> &BTreeMap<u64, PairRow> {
        &self.rows
    }

    /// The pairs that count: with a test, those up to its decision; without one, all that were played.
    #[must_use]
    pub fn counted(&self) -> Vec<PairRow> {
        let most = if self.sprt.is_some() { self.pairs.count() as usize } else { usize::MAX };
        self.rows.values().take(most).copied().collect()
    }

    /// The work of the engines in the pairs played in this run.
    #[must_use]
    pub fn efforts(&self) -> &[Effort; 2] {
        &self.efforts
    }

    /// Whether the test is decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let count = self.pairs.count();
        count > 0
            && count.is_multiple_of(self.every)
            && self.sprt.as_ref().is_some_and(|sprt| sprt.verdict(&self.pairs) != Verdict::Continue)
    }

    fn add(&mut self, number: u64, row: PairRow) {
        self.rows.insert(number, row);
        while let Some(row) = self.rows.get(&self.pairs.count())
            && !self.is_decided()
        {
            self.pairs.add(row.score());
        }
    }

    /// Adds the pairs with numbers below `pairs` that are already done.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn resume<E: Executor>(
        &mut self,
        contest: &Contest,
        pairs: u64,
        executor: &mut E,
    ) -> Result<(), E::Error> {
        for (number, row) in executor.numbered(contest, pairs)? {
            self.add(number, row);
        }
        Ok(())
    }

    /// Plays the missing pairs until all `pairs` are played or the test is decided; returns whether either
    /// was reached. `seen` is called after every pair.
    ///
    /// # Errors
    /// If results cannot be read or stored.
    ///
    /// # Panics
    /// If the executor loses what a pair reports beside its result.
    pub fn run<E: Executor>(
        &mut self,
        contest: &Contest,
        pairs: u64,
        executor: &mut E,
        mut seen: impl FnMut(&Self, u64, &[Played; 2]),
    ) -> Result<bool, E::Error> {
        self.resume(contest, pairs, executor)?;
        if self.is_decided() {
            return Ok(true);
        }
        let whole = executor.run(&[(contest, pairs)], &mut |unit| {
            let games = unit.aside.downcast::<[Played; 2]>().expect("what a match tells of a pair");
            self.add(unit.number, row(&games));
            self.measure(&games);
            seen(self, unit.number, &games);
            if self.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(whole || self.is_decided())
    }

    fn measure(&mut self, games: &[Played; 2]) {
        for (number, game) in games.iter().enumerate() {
            for (seat, effort) in game.efforts.iter().enumerate() {
                // In the second game the seats are swapped.
                self.efforts[seat ^ number] += *effort;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Terms;
    use crate::work::Memory;
    use astragal_core::{Budget, Clock};
    use astragal_stats::Scale;

    #[test]
    fn a_test_ends_at_the_same_pair_whether_pairs_were_played_before_or_not() {
        let engines = ["hold-at(n=20)", "random"];
        let contest =
            Contest::new("pig(target=30)", None, engines, Budget::nodes(1), Terms::default(), 3).unwrap();
        let trial = |every: u64| {
            Trial::new(Some(Sprt::new(0.0, 100.0, Scale::Logistic, 0.05, 0.05).unwrap())).looking_every(every)
        };
        let mut once = trial(1);
        let mut executor = Memory::new(Clock::start());
        assert!(once.run(&contest, 400, &mut executor, |_, _, _| {}).unwrap() && once.is_decided());
        let decided = once.pairs().count();
        assert!((2..400).contains(&decided) && once.counted().len() as u64 == decided);
        // There are more pairs than the test needs.
        let mut all = Trial::new(None);
        assert!(all.run(&contest, 400, &mut executor, |_, _, _| {}).unwrap());
        assert_eq!(all.counted().len(), 400);
        let mut again = trial(1);
        let mut nothing = |_: &Trial, _: u64, _: &[Played; 2]| panic!("everything is there");
        assert!(again.run(&contest, 400, &mut executor, &mut nothing).unwrap());
        assert_eq!(again.counted(), once.counted());
        // A test that is evaluated less often ends later, at a multiple of its interval.
        let mut rarely = trial(16);
        assert!(rarely.run(&contest, 400, &mut executor, &mut nothing).unwrap());
        assert_eq!(rarely.pairs().count(), decided.next_multiple_of(16));
    }
}
