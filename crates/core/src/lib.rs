//! The vocabulary of Astragal and its contracts, without any game and without any search.
//!
//! A [`Game`] defines who acts and what may happen; an [`Evaluator`] values an unfinished state; a
//! [`Searcher`] turns a game, a state, a seed and a [`Budget`] into a [`Report`]. The [`contract`] module
//! checks that a game keeps the promises on which the searches rely.
//!
//! Three properties hold everywhere. Values are always those of the first player, [`Player::Max`]. Chance is
//! a state of the game, never hidden inside a move. Nothing here prints or owns a random generator, and the
//! only clock is [`Clock`], for callers without one of their own.

mod budget;
pub mod contract;
mod evaluator;
mod files;
mod game;
mod interval;
mod listing;
mod notation;
mod params;
mod payoffs;
mod picture;
mod policy;
mod sampler;
mod search;
mod spec;
mod watch;

pub use budget::{Budget, Limit, Unheeded, read_time};
pub use evaluator::{Evaluator, Even, Luck, Noisy, estimate};
pub use files::Files;
pub use game::{Game, Player, Turn, Weighted, pick};
pub use interval::Interval;
pub use listing::{EngineInfo, GameInfo, Genre, Listed, PlayerInfo, PlayerOf, PolicyOf, Tools, Words};
pub use notation::{Notation, ReadError};
pub use params::{EvaluatorName, Kind, Known, Param, Unless, Values, Variant};
pub use payoffs::Payoffs;
pub use picture::{Ink, Picture};
pub use policy::Policy;
pub use sampler::{Key, Sampler, Stream, below, mix, unit};
pub use search::{Branch, Counts, Line, Report, Searcher, Step, Stop};
pub use spec::{Spec, SpecError, similar, unknown};
pub use watch::{Clock, News, PATIENCE, Unwatched, Watch};
