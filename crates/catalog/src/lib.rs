//! The catalogue of all games and engines, by name.
//!
//! A configured game or engine has one identity, a spec string such as `pig(dice=1,target=50)` or
//! `star2ss(width=18,keys=path)`, which serves the command line, results, tests and legends. [`game`] builds
//! a game from one; the [`AnyGame`] it returns builds engines for that game and hides all types: positions,
//! actions and outcomes are text. That is the only layer of type erasure. Inside a search everything is
//! statically dispatched.
//!
//! ```
//! use astragal_catalog::game;
//! use astragal_core::{Budget, Unwatched};
//!
//! let pig = game("pig(target=50)")?;
//! let mut engine = pig.engine("star2(eval=lead)")?;
//! let position = pig.read("30-40+18 p1")?;
//! let analysis = engine.analyze(&*position, 1, &Budget::depth(4), &mut Unwatched);
//! assert_eq!(analysis.best.as_deref(), Some("roll"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aim;
mod brief;
mod engines;
mod erased;
mod faces;
mod games;
mod judge;
mod kit;
mod prospects;
mod strongest;
mod traps;
mod uci;

pub use aim::Aim;
pub use astragal_core::EngineInfo;
pub use astragal_core::{GameInfo, Genre, Kind, Param, Payoffs, Spec, SpecError, Variant};
pub use astragal_games::explicit::read_tree;
pub use astragal_search::{Strategy, Trap};
pub use brief::{brief_engine, brief_game};
pub use engines::{engine_info, engines};
pub use erased::{Erased, erase, state_of};
pub use faces::{Analysis, AnyGame, Engine, Position, Twig};
pub use games::{Extras, GameEntry, disk, game, game_info, game_with, games};
pub use judge::{Judge, Leaf};
pub use kit::{EvaluatorInfo, PolicyInfo};
pub use prospects::Prospects;
pub use strongest::STRONGEST_CHESS;
pub use traps::check_strategy;
