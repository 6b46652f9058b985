//! Regular trees whose true values are not known: independent leaves (Pearl's P-games, and Ballard's
//! \*-minimax trees), and scores that accumulate along the path, as in games with a good evaluation.

use super::{Salt, State, draw};
use crate::SetupError;
use astragal_core::{Interval, below, unit};

/// Independent leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaves {
    /// Max wins with this probability, and loses otherwise.
    Won(f64),
    /// Uniform between −1 and 1.
    Even,
}

impl Leaves {
    pub(super) fn check(self) -> Result<(), SetupError> {
        match self {
            Self::Won(share) if !(0.0..=1.0).contains(&share) => {
                Err(SetupError(format!("a probability is 0 to 1, not {share}")))
            }
            _ => Ok(()),
        }
    }

    #[inline]
    pub(super) fn payoff(self, id: u64) -> f64 {
        let drawn = unit(draw(id, Salt::Leaf));
        match self {
            Self::Won(share) if drawn < share => 1.0,
            Self::Won(_) => -1.0,
            Self::Even => 2.0 * drawn - 1.0,
        }
    }
}

/// A score of 1 in the fixed-point form stored in states.
const ONE: i32 = 1 << 16;

/// What the step to a node adds to the score.
#[inline]
pub(super) fn gain(id: u64) -> i32 {
    below(draw(id, Salt::Score), 2 * ONE as u64 + 1) as i32 - ONE
}

/// The score of a node.
#[inline]
pub(super) fn score(state: &State) -> f64 {
    f64::from(state.value) / f64::from(ONE)
}

/// The range of scores after this many decisions, each followed by chance or none.
pub(super) fn range(depth: u32, has_chance: bool) -> Interval {
    let most = f64::from(depth) * if has_chance { 2.0 } else { 1.0 };
    Interval::new(-most, most)
}

/// Whether this many steps can accumulate a score.
pub(super) fn keeps(value: i32, steps: u32) -> bool {
    i64::from(value).abs() <= i64::from(steps) * i64::from(ONE)
}
