//! Matches and tournaments between the caller's own searches, in the caller's own games.

use crate::contest::{Contest, Maker, NoContest, PairRow, Standing, row};
use crate::terms::Terms;
use crate::tournament::{Final, Kind, Participant, Tournament};
use crate::work::Memory;
use astragal_catalog::{AnyGame, Engine, Erased, erase};
use astragal_core::{Budget, Clock, Notation, Searcher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A match between two searches in any game: pairs of games with the same dice, seats swapped.
///
/// The game is described by [`Notation`], whose methods all have defaults. The searches are cloned for each
/// game, so that nothing remembered from another game affects it. The result depends only on the game, the
/// searches, the budgets and the seed, unless a budget has a time limit.
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
    /// A match of 100 pairs on one thread, with 1 000 nodes per decision.
    #[must_use]
    pub fn new(game: G, first: A, second: B) -> Self {
        let budgets = [Budget::nodes(1000); 2];
        Self { game, first, second, budgets, pairs: 100, opening: 0, seed: 0, threads: 1 }
    }

    /// Sets the budget per decision of both searches.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        self.budgets(budget, budget)
    }

    /// Sets the budgets per decision of the first and of the second search.
    #[must_use]
    pub fn budgets(self, first: Budget, second: Budget) -> Self {
        Self { budgets: [first, second], ..self }
    }

    /// Sets the number of pairs of games.
    #[must_use]
    pub fn pairs(self, pairs: u64) -> Self {
        Self { pairs, ..self }
    }

    /// Sets the number of random decisions before the searches take over.
    #[must_use]
    pub fn opening(self, decisions: u32) -> Self {
        Self { opening: decisions, ..self }
    }

    /// Sets the seed of dice, openings and searches.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of games played in parallel.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Plays the match.
    ///
    /// # Errors
    /// If a search does not heed its budget, or its budget has no limit that it heeds.
    pub fn play(self) -> Result<Standing, NoContest> {
        let Self { game, first, second, budgets, pairs, opening, seed, threads } = self;
        let game = Arc::new(erase(game));
        let start = AnyGame::start(&*game);
        let makers = [seat(&game, "first", first), seat(&game, "second", second)];
        let contest = Contest::between(game, start, makers, budgets, Terms::opening(opening), seed)?;
        Ok(Standing::new(&play(&contest, pairs, threads)))
    }
}

/// A maker of clones of a search, under this name.
fn seat<G, S>(game: &Arc<Erased<G>>, name: &'static str, search: S) -> Maker
where
    G: Notation + 'static,
    S: Searcher<G> + Clone + Sync + 'static,
{
    let game = Arc::clone(game);
    Arc::new(move || -> Box<dyn Engine> { game.player(name, Box::new(search.clone())) })
}

/// A tournament between searches in any game, with ratings.
///
/// The result depends only on the game, the searches, the budgets and the seed, unless a budget has a time
/// limit.
pub struct League<G: Notation + 'static> {
    game: Arc<Erased<G>>,
    participants: Vec<Participant>,
    kind: Kind,
    budget: Budget,
    pairs: u64,
    seed: u64,
}

impl<G: Notation + 'static> League<G> {
    /// A round robin with 100 pairs per match and 1 000 nodes per decision.
    #[must_use]
    pub fn new(game: G) -> Self {
        let (game, budget) = (Arc::new(erase(game)), Budget::nodes(1000));
        Self { game, participants: Vec::new(), kind: Kind::RoundRobin, budget, pairs: 100, seed: 0 }
    }

    /// Adds a search, with the budget that was set last.
    #[must_use]
    pub fn player(mut self, name: &'static str, search: impl Searcher<G> + Clone + Sync + 'static) -> Self {
        let maker = seat(&self.game, name, search);
        self.participants.push(Participant { label: name.into(), maker, budget: self.budget });
        self
    }

    /// Sets the budget per decision for the players added after this call.
    #[must_use]
    pub fn budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Sets the pairings.
    #[must_use]
    pub fn kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// Sets the number of pairs of games per match.
    #[must_use]
    pub fn pairs(self, pairs: u64) -> Self {
        Self { pairs, ..self }
    }

    /// Sets the seed of dice and searches.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Plays all matches and rates the players.
    ///
    /// # Errors
    /// If there are fewer than two players, two share a name, or one does not heed its budget.
    ///
    /// # Panics
    /// Never.
    pub fn play(self) -> Result<Final, NoContest> {
        let Self { game, participants, kind, pairs, seed, .. } = self;
        let start = AnyGame::start(&*game);
        let tournament = Tournament::between(kind, game, start, participants, pairs, 0, seed)?;
        let mut executor = Memory::new(Clock::start());
        tournament.run(&mut executor, |_, _| {}).expect("memory keeps results");
        let tables = tournament.tables(&mut executor).expect("memory keeps results");
        Ok(tables.expect("all matches were played"))
    }
}

/// Plays the pairs of a match; returns them in the order of their numbers.
fn play(contest: &Contest, pairs: u64, threads: usize) -> Vec<PairRow> {
    let next = AtomicU64::new(0);
    let rows = Mutex::new(Vec::new());
    let work = || {
        let mut clock = Clock::start();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= pairs {
                break;
            }
            let games = contest.play(number, &mut clock).expect("nothing stops it");
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
