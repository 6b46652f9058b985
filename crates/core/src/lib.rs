//! The vocabulary of Astragal and its contracts, without any game and without any search.
//!
//! A [`Game`] says who is to act and what may happen; an [`Evaluator`] values an unfinished state; a
//! [`Searcher`] turns a game, a state, a seed and a [`Budget`] into a [`Report`]. The [`contract`] module
//! checks that a game keeps the promises on which the searches rely.
//!
//! Three properties hold everywhere. Values are always those of the first player, [`Player::Max`].
//! Chance is a state of the game, never hidden inside a move. Nothing here reads a clock, prints, or
//! owns a random generator.

pub mod contract;
mod evaluator;
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

pub use evaluator::{Evaluator, Even, estimate};
pub use game::{Game, Player, Turn, Weighted, pick};
pub use interval::Interval;
pub use listing::{GameInfo, Listed, PlayerInfo, PlayerOf, PolicyOf, Tools, Words};
pub use notation::{Notation, ReadError};
pub use params::{Kind, Known, Param, Values, Variant};
pub use payoffs::Payoffs;
pub use picture::{Ink, Picture};
pub use policy::Policy;
pub use sampler::{Key, Sampler, Stream, below, mix, unit};
pub use search::{
    Branch, Budget, Clock, Counts, Limit, Line, News, Report, Searcher, Step, Stop, Unheeded, Unwatched,
    Watch,
};
pub use spec::{Spec, SpecError, similar, unknown};
