//! Astragal, a search engine for games of skill and chance.
//!
//! Defining, checking, searching and matching a game of your own. Two players take turns to take one or two
//! stones from a heap; before each turn except the first a coin may drop one more stone on it. The player who
//! takes the last stone wins.
//!
//! ```
//! use astragal::prelude::*;
//!
//! #[derive(Clone)]
//! struct Stones;
//!
//! #[derive(Clone, PartialEq, Eq, Debug)]
//! struct State {
//!     heap: u8,
//!     player: Player,
//!     coin: bool, // in the air?
//!     drops: u8,  // stones that may still drop
//! }
//!
//! impl Game for Stones {
//!     type State = State;
//!     type Action = u8;
//!     type Outcome = bool;
//!
//!     fn start(&self) -> State {
//!         State { heap: 4, player: Player::Max, coin: false, drops: 3 }
//!     }
//!     fn turn(&self, s: &State) -> Turn {
//!         match s {
//!             State { coin: true, .. } => Turn::Chance,
//!             // The player who is to move found the heap empty: the other one took the last stone.
//!             State { heap: 0, .. } => Turn::Over(s.player.other().sign()),
//!             _ => Turn::Decide(s.player),
//!         }
//!     }
//!     fn actions(&self, s: &State, out: &mut Vec<u8>) {
//!         out.extend(1..=s.heap.min(2));
//!     }
//!     fn outcomes(&self, _: &State, out: &mut Vec<Weighted<bool>>) {
//!         out.extend([true, false].map(|item| Weighted { item, weight: 0.5 }));
//!     }
//!     fn apply(&self, s: &mut State, stones: u8) {
//!         s.heap -= stones;
//!         s.player = s.player.other();
//!         s.coin = s.heap > 0 && s.drops > 0;
//!     }
//!     fn resolve(&self, s: &mut State, drop: bool) {
//!         s.coin = false;
//!         if drop {
//!             s.heap += 1;
//!             s.drops -= 1;
//!         }
//!     }
//!     fn key(&self, s: &State) -> Key {
//!         let bytes = [s.heap, s.player.index() as u8, u8::from(s.coin), s.drops];
//!         Key(u128::from(u32::from_le_bytes(bytes)))
//!     }
//!     fn range(&self) -> Interval {
//!         Interval::new(-1.0, 1.0)
//!     }
//! }
//! impl Notation for Stones {} // texts by default
//!
//! // The contract first: random play finds most mistakes.
//! check_game(&Stones, Play::default()).unwrap();
//!
//! // Any search, to any depth, for any number of simulations or for a time.
//! let report = Star2::new(Even).search(&Stones, &Stones.start(), Budget::depth(12));
//! assert_eq!((report.value, report.best), (0.0, Some(1)));
//!
//! // A match with the same dice for both.
//! let (star2, uct) = (Star2::new(Even), Mcts::new(Even).exploration(1.0));
//! let result = Match::new(Stones, star2, uct)
//!     .budgets(Budget::depth(8), Budget::iterations(50))
//!     .pairs(20)
//!     .play()
//!     .unwrap();
//! println!("{result}"); // the score of the first with its 95 % interval
//!
//! // Solved, and known to every engine of the catalogue.
//! let stones = erase(Stones);
//! let solution = stones.solve(&*stones.start(), &SolveOptions::default(), &mut Unsupervised).unwrap();
//! assert_eq!(stones.start().value_in(&solution), Some(0.0));
//! assert_eq!(stones.engine("dpw").unwrap().spec().split('(').next(), Some("dpw"));
//! ```
//!
//! The [`prelude`] has what most programs need. The modules:
//!
//! - [`core`]: the vocabulary: [`Game`](core::Game), [`Evaluator`](core::Evaluator),
//!   [`Searcher`](core::Searcher), [`Budget`](core::Budget), [`Report`](core::Report), and the
//!   [`contract`](core::contract) that a game must satisfy
//! - [`games`]: rules and evaluators
//! - [`search`]: the \*-Minimax family, Monte Carlo tree search, flat sampling
//! - [`solve`]: exact solutions
//! - [`catalog`]: games and engines by name, as text, and type erasure for any game
//! - [`stats`]: intervals, ratings, sequential tests, luck adjustment
//! - [`arena`]: matches, tournaments, tuning, records
//!
//! The feature `lab` adds `store`, where results survive a kill, `plot` and `papers`, the experiments.
//!
//! [`searching_a_game`] is a tutorial. Give your game text with [`Notation`](core::Notation), value
//! unfinished states with an [`Evaluator`](core::Evaluator), and help searches where you can: with
//! [`Game::bounds`](core::Game::bounds) and [`Evaluator::horizon`](core::Evaluator::horizon) for pruning, and
//! with [`Game::promise`](core::Game::promise) for the order of actions.

/// What most programs need: `use astragal::prelude::*;`.
pub mod prelude {
    pub use astragal_arena::matches::{League, Match};
    pub use astragal_catalog::{AnyGame, Engine, Position, erase, game};
    pub use astragal_core::contract::{
        Play, check_evaluator, check_game, check_game_in_notation, check_horizon, check_notation,
    };
    pub use astragal_core::{
        Budget, Clock, Evaluator, Even, Game, Interval, Key, Notation, Player, Policy, Report, Searcher,
        Turn, Unwatched, Watch, Weighted,
    };
    pub use astragal_search::{Expectimax, Flat, Mcts, Star1, Star2, StarMinimax};
    pub use astragal_solve::{Solution, SolveOptions, Unsupervised, solve};
}

pub use astragal_arena as arena;
pub use astragal_catalog as catalog;
pub use astragal_core as core;
pub use astragal_games as games;
pub use astragal_search as search;
pub use astragal_solve as solve;
pub use astragal_stats as stats;

#[cfg(feature = "lab")]
pub use {astragal_papers as papers, astragal_plot as plot, astragal_store as store};

/// Compiles and runs the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// Compiles and runs the examples in the page about the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
pub struct LibraryPage;

pub mod searching_a_game {
    //! Tutorial: searching a game.
    //!
    //! By name, through the catalogue, everything is text. This is the interface for tools.
    //!
    //! ```
    //! use astragal::catalog;
    //! use astragal::core::{Budget, Unwatched};
    //!
    //! let pig = catalog::game("pig(dice=2,target=100)")?;
    //! let mut engine = pig.engine("star2(eval=logistic)")?;
    //! let position = pig.read("88-96+7 p1")?;
    //! let analysis = engine.analyze(&*position, 0, &Budget::depth(4), &mut Unwatched);
    //! assert_eq!(analysis.best.as_deref(), Some("roll"));
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```
    //!
    //! With types there is nothing to parse, and nothing is erased. A search is a pure function of the game,
    //! the state, the seed, the budget and its options; `Unwatched` means no clock, no cancellation and no
    //! progress.
    //!
    //! ```
    //! use astragal::games::pig::{Action, Lead, Pig};
    //! use astragal::prelude::*;
    //!
    //! let game = Pig::default();
    //! let state = game.state([88, 96], 7, Player::Max).unwrap();
    //! let report = Star2::new(Lead).search(&game, &state, Budget::depth(6));
    //! assert_eq!(report.best, Some(Action::Roll));
    //! assert!((report.value - 47.8783149359).abs() < 1e-9);
    //!
    //! // Sampling four outcomes at each chance node: another value, the same for all three algorithms.
    //! let sampled = |search: StarMinimax<Lead>| {
    //!     search.sampled(4).search_with(&game, &state, 7, &Budget::depth(4), &mut Unwatched).value
    //! };
    //! assert_eq!(sampled(Star1::new(Lead)), sampled(Expectimax::new(Lead)));
    //! assert_eq!(sampled(Star2::new(Lead)), sampled(Expectimax::new(Lead)));
    //! ```
    //!
    //! A budget in time needs a clock, such as [`Clock`](crate::core::Clock), or your own
    //! [`Watch`](crate::core::Watch), which can also receive progress:
    //!
    //! ```
    //! use astragal::core::News;
    //! use astragal::games::pig::{Lead, Pig};
    //! use astragal::prelude::*;
    //! use std::time::Duration;
    //!
    //! struct Deepest(Clock<'static>, u32);
    //! impl Watch for Deepest {
    //!     fn elapsed(&mut self) -> Duration {
    //!         self.0.elapsed()
    //!     }
    //!     fn news(&mut self, news: News) {
    //!         if let News::Depth { depth, .. } = news {
    //!             self.1 = depth;
    //!         }
    //!     }
    //! }
    //!
    //! let game = Pig::default();
    //! let budget = Budget::time(Duration::from_millis(20));
    //! let mut deepest = Deepest(Clock::start(), 0);
    //! let report = Star1::new(Lead).search_with(&game, &game.start(), 0, &budget, &mut deepest);
    //! assert_eq!(report.depth, deepest.1);
    //! ```
    //!
    //! Monte Carlo tree search counts simulations instead, and reports the deviation of their values for each
    //! action:
    //!
    //! ```
    //! use astragal::games::ra::{Assets, Ra};
    //! use astragal::prelude::*;
    //!
    //! let game = Ra::default();
    //! let report = Mcts::new(Assets).search(&game, &game.start(), Budget::iterations(500));
    //! assert_eq!(report.lines.iter().map(|line| line.visits).sum::<u64>(), 500);
    //! assert!(report.lines[0].deviation.is_some());
    //! ```
}
