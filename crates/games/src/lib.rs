//! Rules and evaluators, one file or folder per game. Nothing here knows of any search.
//!
//! - [`pig`]: the dice game of the MCMS paper, with one or two dice
//! - [`cant_stop`]: Sackson's dice game and its smaller relatives
//! - [`chess`]: by the laws of FIDE, with moves by `cozy-chess`
//! - [`connect_four`]: without chance, to compare with other programs
//! - [`kalah`]: sowing stones, without chance
//! - [`ewn`]: EinStein würfelt nicht!, a race with a die
//! - [`ra`]: Knizia's auction game, with the bag as chance
//! - [`tic_tac_toe`]: small enough to be known completely
//! - [`explicit`]: a tree that somebody typed in, for textbook examples
//! - [`random_tree`]: trees made from a hash, with everything that breaks searches
//! - [`synthetic`]: trees made from a hash whose true values are known, at any size

pub mod cant_stop;
pub mod chess;
pub mod connect_four;
pub mod ewn;
pub mod explicit;
pub mod kalah;
pub mod pig;
pub mod ra;
pub mod random_tree;
pub mod synthetic;
pub mod tic_tac_toe;

mod bits;
mod grid;
mod start;

/// More than rounding changes a value that a search finds in a range of ±100.
pub(crate) const ROUNDING: f64 = 1e-9;

/// Why a game cannot be set up so: one line for the user.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct SetupError(pub String);

impl From<SetupError> for astragal_core::SpecError {
    fn from(error: SetupError) -> Self {
        Self(error.0)
    }
}
