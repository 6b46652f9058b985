//! Matches in games of one's own, between searches of one's own.

use crate::contest::{Contest, Maker, NoContest, PairRow, Standing, row};
use astragal_catalog::{Engine, erase};
use astragal_core::{Budget, Notation, Searcher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A match between two searches in any game: pairs of games with the same dice, seats swapped.
///
/// The game is described by [`Notation`], whose methods all have defaults. The searches are cloned for each
/// game, so that nothing that one remembers of another game matters. The result depends on nothing but the
/// game, the searches, the budgets and the seed, unless a budget has a time limit.
pub struct Match<G, A, B> {
    game: G,
    first: A,
    second: B,
    budgets: [Budget; 2],
    pairs: u64,
    opening: u32,
    seed: u64,
    threads: usize,
}

impl<G, A, B> Match<G, A, B>
where
    G: Notation + 'static,
    A: Searcher<G> + Clone + Sync + 'static,
    B: Searcher<G> + Clone + Sync + 'static,
{
    /// A match of 100 pairs on one thread, with 1 000 nodes a decision.
    #[must_use]
    pub fn new(game: G, first: A, second: B) -> Self {
        let budgets = [Budget::nodes(1000); 2];
        Self { game, first, second, budgets, pairs: 100, opening: 0, seed: 0, threads: 1 }
    }

    /// The budget of each decision of both.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        self.budgets(budget, budget)
    }

    /// The budgets of each decision of the first and of the second.
    #[must_use]
    pub fn budgets(self, first: Budget, second: Budget) -> Self {
        Self { budgets: [first, second], ..self }
    }

    /// How many pairs of games are played.
    #[must_use]
    pub fn pairs(self, pairs: u64) -> Self {
        Self { pairs, ..self }
    }

    /// How many decisions are made at random before the searches take over.
    #[must_use]
    pub fn opening(self, decisions: u32) -> Self {
        Self { opening: decisions, ..self }
    }

    /// The seed of dice, openings and searches.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// How many games are played at the same time.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Plays the match.
    ///
    /// # Errors
    /// If a search does not heed its budget, or a budget has no limit that it heeds.
    pub fn play(self) -> Result<Standing, NoContest> {
        let Self { game, first, second, budgets, pairs, opening, seed, threads } = self;
        for (budget, needs) in budgets.iter().zip([!first.heeds().is_empty(), !second.heeds().is_empty()]) {
            if needs && budget.is_unlimited() {
                return Err(NoContest("a search needs a budget for each decision".into()));
            }
        }
        let game = Arc::new(erase(game));
        let start = astragal_catalog::AnyGame::start(&*game);
        let (one, two) = (Arc::clone(&game), Arc::clone(&game));
        let makers: [Maker; 2] = [
            Box::new(move || -> Box<dyn Engine> { one.player("first", Box::new(first.clone())) }),
            Box::new(move || -> Box<dyn Engine> { two.player("second", Box::new(second.clone())) }),
        ];
        let contest = Contest::between(game, start, makers, budgets, opening, seed)?;
        Ok(Standing::new(&play(&contest, pairs, threads)))
    }
}

/// Plays the pairs of a match, in the order of their numbers.
fn play(contest: &Contest, pairs: u64, threads: usize) -> Vec<PairRow> {
    let (next, never) = (AtomicU64::new(0), AtomicBool::new(false));
    let rows = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= pairs {
                break;
            }
            let games = contest.play(number, &never).expect("nothing stops it");
            rows.lock().unwrap_or_else(PoisonError::into_inner).push((number, row(&games)));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_unstable_by_key(|(number, _)| *number);
    rows.into_iter().map(|(_, row)| row).collect()
}
