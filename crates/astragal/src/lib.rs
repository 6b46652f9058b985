//! Astragal, a search engine for games of skill and chance.
//!
//! A game of your own, checked, searched and matched. Two players take one or two stones in turns from a heap; before each
//! turn but the first a coin may drop one more stone on it. Whoever takes the last stone wins.
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
//! println!("{result}"); // such as 51.2 % [45.2, 57.3] in 20 pairs
//!
//! // Solved, and known to every engine of the catalogue.
//! let stones = erase(Stones);
//! let solution = stones.solve(&*stones.start(), &Effort::default(), &mut Unsupervised).unwrap();
//! assert_eq!(stones.start().value_in(&solution), Some(0.0));
//! assert_eq!(stones.engine("dpw").unwrap().spec().split('(').next(), Some("dpw"));
//! ```
//!
//! The [`prelude`] has what most programs need. The parts:
//!
//! - [`core`]: the vocabulary: [`Game`](core::Game), [`Evaluator`](core::Evaluator),
//!   [`Searcher`](core::Searcher), [`Budget`](core::Budget), [`Report`](core::Report), and the
//!   [`contract`](core::contract) that a game must keep
//! - [`games`]: rules and evaluators
//! - [`search`]: the \*-Minimax family, Monte Carlo tree search, flat sampling
//! - [`solve`]: exact solutions
//! - [`catalog`]: games and engines by name, as text, and any game as one of them
//! - [`lab`]: matches, tournaments, statistics, tuning, and the experiments of the papers
//!
//! Two tutorials that compile: [`searching_a_game`] and [`writing_a_game`].

/// What most programs need: `use astragal::prelude::*;`.
pub mod prelude {
    pub use astragal_catalog::{AnyGame, Engine, Position, erase, game};
    pub use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};
    pub use astragal_core::{
        Budget, Clock, Evaluator, Even, Game, Interval, Key, Notation, Player, Policy, Report, Searcher,
        Turn, Unwatched, Watch, Weighted,
    };
    pub use astragal_lab::matches::Match;
    pub use astragal_search::{Expectimax, Flat, Mcts, Star1, Star2, StarMinimax};
    pub use astragal_solve::{Effort, Solution, Unsupervised, solve};
}

pub use astragal_catalog as catalog;
pub use astragal_core as core;
pub use astragal_games as games;
pub use astragal_lab as lab;
pub use astragal_search as search;
pub use astragal_solve as solve;

/// The README's example compiles and runs, too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

pub mod searching_a_game {
    //! Tutorial: searching a game.
    //!
    //! By name, through the catalogue, everything is text. This is the way for tools.
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
    //! With types there is nothing to parse and nothing erased. A search is a pure function of the game, the state,
    //! the seed, the budget and its options; `Unwatched` means that nobody looks at a clock or wants to stop it.
    //!
    //! ```
    //! use astragal::core::{Budget, Notation, Player, Searcher, Unwatched};
    //! use astragal::games::pig::{Action, Lead, Pig};
    //! use astragal::search::{Algorithm, Options, StarMinimax};
    //!
    //! let game = Pig::default();
    //! let state = game.state([88, 96], 7, Player::Max).unwrap();
    //! let mut star2 = StarMinimax::new(Lead, Options::new(Algorithm::Star2 { probes: 1 }));
    //! let report = star2.search_with(&game, &state, 0, &Budget::depth(6), &mut Unwatched);
    //! assert_eq!(report.best, Some(Action::Roll));
    //! assert!((report.value - 47.8783149359).abs() < 1e-9);
    //!
    //! // Sampling four outcomes at each chance node: another value, the same for all three algorithms.
    //! let sampled = |algorithm| {
    //!     let options = Options::new(algorithm).sampled(4);
    //!     StarMinimax::new(Lead, options).search_with(&game, &state, 7, &Budget::depth(4), &mut Unwatched).value
    //! };
    //! assert_eq!(sampled(Algorithm::Star1), sampled(Algorithm::Expectimax));
    //! assert_eq!(sampled(Algorithm::Star2 { probes: 1 }), sampled(Algorithm::Expectimax));
    //! ```
    //!
    //! A budget in time needs a clock, such as [`Clock`](crate::core::Clock), or a [`Watch`](crate::core::Watch) of yours
    //! that also hears the news:
    //!
    //! ```
    //! use astragal::core::{Budget, Game, News, Searcher, Watch};
    //! use astragal::games::pig::{Lead, Pig};
    //! use astragal::search::{Algorithm, Options, StarMinimax};
    //! use std::time::{Duration, Instant};
    //!
    //! struct Clock(Instant, u32);
    //! impl Watch for Clock {
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
    //! let budget = Budget { time: Some(Duration::from_millis(20)), ..Budget::default() };
    //! let mut clock = Clock(Instant::now(), 0);
    //! let report = StarMinimax::new(Lead, Options::new(Algorithm::Star1)).search_with(&game, &game.start(), 0, &budget, &mut clock);
    //! assert_eq!(report.depth, clock.1);
    //! ```
    //!
    //! Monte Carlo tree search counts simulations instead, and says how sure it is of each mean:
    //!
    //! ```
    //! use astragal::core::{Budget, Game, Searcher, Unwatched};
    //! use astragal::games::ra::{Assets, Ra};
    //! use astragal::search::{Mcts, MctsOptions};
    //!
    //! let game = Ra::default();
    //! let options = MctsOptions { playout_moves: 0, ..MctsOptions::default() };
    //! let budget = Budget { iterations: Some(500), ..Budget::default() };
    //! let report = Mcts::with_options(Assets, options).search_with(&game, &game.start(), 7, &budget, &mut Unwatched);
    //! assert_eq!(report.lines.iter().map(|line| line.visits).sum::<u64>(), 500);
    //! assert!(report.lines[0].deviation.is_some());
    //! ```
}

pub mod writing_a_game {
    //! Tutorial: writing a game.
    //!
    //! A game says what its states, actions and outcomes are, who is to act, and what follows. Here two players take
    //! one or two stones in turns from a heap; before each turn but the first a coin may drop one more stone on it.
    //! Who takes the last stone wins.
    //!
    //! ```
    //! use astragal::core::contract::{Play, check_game};
    //! use astragal::core::{Budget, Even, Game, Interval, Key, Player, Searcher, Turn, Unwatched, Weighted};
    //! use astragal::search::{Algorithm, Options, StarMinimax};
    //!
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
    //!
    //! // The contract first: random play finds most mistakes.
    //! let visited = check_game(&Stones, Play::default()).unwrap();
    //! assert_eq!(visited.finished, 100);
    //!
    //! // Then any search. Without a limit it ends when every line has been seen to its end.
    //! let mut star1 = StarMinimax::new(Even, Options::new(Algorithm::Star1));
    //! let report = star1.search_with(&Stones, &Stones.start(), 0, &Budget::default(), &mut Unwatched);
    //! assert_eq!(report.stop, astragal::core::Stop::Complete);
    //! assert_eq!((report.value, report.best), (0.0, Some(1)));
    //! ```
    //!
    //! Give it text with [`Notation`](crate::core::Notation), judge unfinished states with an
    //! [`Evaluator`](crate::core::Evaluator), and tell searches more where you can:
    //! [`Game::bounds`](crate::core::Game::bounds) for pruning and [`Game::promise`](crate::core::Game::promise) for
    //! the order of actions.
}
