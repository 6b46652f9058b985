//! Trees in which only some decisions matter (thesis, section 5.2).

use super::{Salt, State, Synthetic, draw};
use crate::SetupError;
use astragal_core::{Player, below, unit};

/// Levels at which Max must choose the one right action: a leaf is won if every such choice on its path was
/// right, and random otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Critical {
    /// The depths of these decisions.
    pub levels: Vec<u32>,
    /// Whether the right action is always the first one, instead of any.
    pub first: bool,
    /// For each level, the share of leaves won after a wrong choice there; the others are lost. If empty, a
    /// third of the leaves are won, a third drawn and a third lost.
    pub wins: Vec<f64>,
}

impl Critical {
    /// Critical levels at which any action may be the right one.
    #[must_use]
    pub fn new(levels: &[u32]) -> Self {
        Self { levels: levels.to_vec(), first: false, wins: Vec::new() }
    }

    pub(super) fn check(&self, depth: u32) -> Result<(), SetupError> {
        if self.levels.is_empty() {
            return Err(SetupError("at least one critical level is needed".into()));
        }
        if !self.wins.is_empty() && self.wins.len() != self.levels.len() {
            let (shares, levels) = (self.wins.len(), self.levels.len());
            return Err(SetupError(format!(
                "shares of leaves won: {shares}, critical levels: {levels}; each has one"
            )));
        }
        if let Some(share) = self.wins.iter().find(|share| !(0.0..=1.0).contains(*share)) {
            return Err(SetupError(format!("a share of leaves is 0 to 1, not {share}")));
        }
        check_levels(&self.levels, Player::Max, depth)
    }

    #[inline]
    fn right(&self, branches: u32, state: &State) -> Option<u32> {
        let is_critical = state.value == 1 && self.levels.contains(&state.depth);
        is_critical.then(|| match self.first {
            true => 0,
            false => below(draw(state.id, Salt::Critical), branches.into()) as u32,
        })
    }

    /// Returns 1 while every critical choice was right; after a wrong one, minus the number of levels passed
    /// before it.
    #[inline]
    pub(super) fn step(&self, branches: u32, state: &State, index: u32) -> i32 {
        match self.right(branches, state) {
            Some(right) if right != index => {
                -(self.levels.iter().filter(|level| **level < state.depth).count() as i32)
            }
            _ => state.value,
        }
    }

    #[inline]
    pub(super) fn payoff(&self, state: &State) -> f64 {
        let bits = draw(state.id, Salt::Leaf);
        match self.wins.get(state.value.unsigned_abs() as usize) {
            _ if state.value == 1 => 1.0,
            Some(share) if unit(bits) < *share => 1.0,
            Some(_) => -1.0,
            None => below(bits, 3) as f64 - 1.0,
        }
    }

    pub(super) fn keeps(&self, value: i32) -> bool {
        (1 - self.levels.len() as i32..=1).contains(&value)
    }

    /// The best action, if no other can be as good, that is, if a wrong choice certainly loses. Otherwise the
    /// leaves after a wrong choice may happen to be won as well.
    pub(super) fn best(&self, branches: u32, state: &State) -> Option<u32> {
        let level = self.levels.iter().position(|level| *level == state.depth)?;
        let loses = self.wins.get(level).is_some_and(|share| *share == 0.0);
        self.right(branches, state).filter(|_| loses)
    }
}

/// Critical levels for both sides (the thesis's Table 5.1): after Max's first action a leaf is won if Max
/// goes left at his level, and lost otherwise; after the second it is lost if Min goes left at all of hers,
/// and won otherwise. So the first action is best, although random play favours the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoSided {
    /// Max's level in the left subtree.
    pub max: u32,
    /// Min's levels in the right subtree.
    pub min: Vec<u32>,
}

/// State flags: the subtree, and whether the player whose levels it has went wrong at one.
const LEFT: i32 = 1;
const RIGHT: i32 = 2;
const FAILED: i32 = 4;

impl TwoSided {
    pub(super) fn check(&self, branches: u32, depth: u32) -> Result<(), SetupError> {
        if branches != 2 {
            return Err(SetupError(format!("two-sided trees have 2 branches, not {branches}")));
        }
        if self.max == 0 || self.min.is_empty() {
            return Err(SetupError("each side has a critical level below the root".into()));
        }
        check_levels(&[self.max], Player::Max, depth)?;
        check_levels(&self.min, Player::Min, depth)
    }

    #[inline]
    fn is_critical(&self, state: &State) -> bool {
        match state.value & (LEFT | RIGHT) {
            LEFT => state.depth == self.max,
            RIGHT => self.min.contains(&state.depth),
            _ => false,
        }
    }

    #[inline]
    pub(super) fn step(&self, state: &State, index: u32) -> i32 {
        match state.value {
            0 if index == 0 => LEFT,
            0 => RIGHT,
            value if index != 0 && self.is_critical(state) => value | FAILED,
            value => value,
        }
    }

    pub(super) fn payoff(&self, state: &State) -> f64 {
        match state.value {
            LEFT => 1.0,
            RIGHT => -1.0,
            value if value & LEFT != 0 => -1.0,
            _ => 1.0,
        }
    }

    pub(super) fn truth(&self, state: &State) -> Option<f64> {
        // Perfect play makes every critical choice correctly.
        Some(if state.value == 0 { 1.0 } else { self.payoff(state) })
    }

    pub(super) fn best(&self, state: &State) -> Option<u32> {
        (state.depth == 0 || state.value & FAILED == 0 && self.is_critical(state)).then_some(0)
    }

    pub(super) fn keeps(value: i32, depth: u32) -> bool {
        match depth {
            0 => value == 0,
            _ => [LEFT, RIGHT, LEFT | FAILED, RIGHT | FAILED].contains(&value),
        }
    }
}

fn check_levels(levels: &[u32], player: Player, depth: u32) -> Result<(), SetupError> {
    let words =
        if player == Player::Max { "Max decides at even depths" } else { "Min decides at odd depths" };
    for level in levels {
        if *level >= depth || Synthetic::player(*level) != player {
            return Err(SetupError(format!(
                "level {level}: {words}, and this tree has decisions at depths 0 to {}",
                depth - 1
            )));
        }
    }
    if levels.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(SetupError("critical levels come in order, each once".into()));
    }
    Ok(())
}
