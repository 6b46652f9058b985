//! Rules and evaluators, one file or folder per game. Nothing here depends on search.
//!
//! - [`pig`]: the dice game of the MCMS paper, with one or two dice
//! - [`cant_stop`]: Sackson's dice game and its smaller relatives
//! - [`chess`]: FIDE rules, with move generation by `cozy-chess`
//! - [`connect_four`]: no chance, for comparison with other programs
//! - [`kalah`]: sowing stones, no chance
//! - [`ewn`]: EinStein würfelt nicht!, a race with a die
//! - [`ra`]: Knizia's auction game, with the bag as chance
//! - [`tic_tac_toe`]: small enough to be solved completely
//! - [`explicit`]: hand-written trees, for textbook examples
//! - [`random_tree`]: hash-generated trees with everything that breaks searches
//! - [`synthetic`]: hash-generated trees of any size with known true values

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
mod dice;
mod grid;
mod start;

/// Larger than any rounding error in a value found by a search over a range of ±100.
pub(crate) const ROUNDING: f64 = 1e-9;

/// Why a game cannot be set up, as one line for the user.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct SetupError(pub String);

impl From<SetupError> for astragal_core::SpecError {
    fn from(error: SetupError) -> Self {
        Self(error.0)
    }
}
