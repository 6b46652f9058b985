//! Values along the path (thesis, section 5.3): at every decision one action keeps the value, and
//! every other one loses something for whoever takes it. So the value of a node is the number that its path
//! has added up to, and the true best action is known.
//!
//! With values between bounds the trees are the thesis's BPV trees; with the bounds 0 and 1 its win/loss
//! trees.

use super::{Chance, Salt, State, Synthetic, draw};
use crate::SetupError;
use astragal_core::{Interval, Player, below, unit};

/// Values along the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefix {
    /// What all actions but one lose.
    pub penalty: Penalty,
    /// Values are at most this, and at least 1 minus it; none if they have no bounds.
    pub bound: Option<u32>,
    /// Whether payoffs are 1 for values above 0 and −1 for others, instead of the values.
    pub wins: bool,
    /// The deviation of the noise of the heuristic.
    pub sigma: f64,
    /// Actions after which the game is over and lost.
    pub traps: Option<Traps>,
    /// A heuristic that knows nothing near the root.
    pub lag: Option<Lag>,
}

/// What an action that is not the best one loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Always this much.
    Constant(u32),
    /// From 1 to this much, drawn for each.
    UpTo(u32),
}

/// Actions after which the game is over, and lost for whoever took them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traps {
    /// Their share.
    pub share: f64,
    /// Whether the best action may be one too, as the thesis has it: then values are no longer known.
    pub anywhere: bool,
}

/// A heuristic that says about the same of all nodes near the root (the thesis's dispersion lag).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lag {
    /// The last depth at which it does.
    pub depth: u32,
    /// What it says, from 0 for the least value to 1 for the greatest, up to 0.1.
    pub bias: f64,
}

/// How far from its bias a heuristic that lags is at most.
const AROUND: f64 = 0.1;
/// No draw of [`gauss`] is farther from 0, in deviations.
const FARTHEST: f64 = 8.6;
/// The largest bound and penalty.
const MOST: u32 = 1_000_000;

/// The noise of a node, normally distributed.
fn gauss(id: u64, sigma: f64) -> f64 {
    let [radius, angle] = [Salt::Noise, Salt::NoiseToo].map(|salt| unit(draw(id, salt)));
    sigma * (-2.0 * libm::log(1.0 - radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
}

impl Prefix {
    /// Trees with these penalties, and nothing else.
    #[must_use]
    pub fn new(penalty: Penalty) -> Self {
        Self { penalty, bound: None, wins: false, sigma: 0.0, traps: None, lag: None }
    }

    pub(super) fn check(&self) -> Result<(), SetupError> {
        let most = self.penalty.most();
        let wrong = |why: String| Err(SetupError(why));
        if !(1..=MOST).contains(&most) {
            return wrong(format!("a penalty is 1 to {MOST}, not {most}"));
        }
        match self.bound {
            Some(bound) if !(1..=MOST).contains(&bound) => {
                return wrong(format!("the greatest value is 1 to {MOST}, not {bound}"));
            }
            None if self.traps.is_some() || self.lag.is_some() => {
                return wrong("traps and lag need values with bounds".into());
            }
            _ => {}
        }
        if !(0.0..=1e6).contains(&self.sigma) {
            return wrong(format!("a deviation is 0 to 1e6, not {}", self.sigma));
        }
        if let Some(share) = self.traps.map(|traps| traps.share).filter(|share| !(0.0..=1.0).contains(share))
        {
            return wrong(format!("the share of traps is 0 to 1, not {share}"));
        }
        if let Some(bias) = self.lag.map(|lag| lag.bias).filter(|bias| !(0.0..=1.0).contains(bias)) {
            return wrong(format!("the bias of a heuristic is 0 to 1, not {bias}"));
        }
        Ok(())
    }

    /// The index of the action that keeps the value.
    #[inline]
    fn designated(branches: u32, state: &State) -> u32 {
        below(draw(state.id, Salt::Optimal), branches.into()) as u32
    }

    /// The value after an action, and whether it was a trap.
    #[inline]
    pub(super) fn step(&self, branches: u32, state: &State, index: u32, id: u64) -> (i32, bool) {
        let player = Synthetic::player(state.depth);
        let is_best = index == Self::designated(branches, state);
        if let (Some(traps), Some(bound)) = (self.traps, self.bound)
            && (traps.anywhere || !is_best)
            && unit(draw(id, Salt::Trap)) < traps.share
        {
            let bound = bound as i32;
            return (if player == Player::Max { 1 - bound } else { bound }, true);
        }
        if is_best {
            return (state.value, false);
        }
        let penalty = match self.penalty {
            Penalty::Constant(penalty) => penalty as i32,
            Penalty::UpTo(most) => 1 + below(draw(id, Salt::Penalty), most.into()) as i32,
        };
        let value = if player == Player::Max { state.value - penalty } else { state.value + penalty };
        (self.bound.map_or(value, |bound| value.clamp(1 - bound as i32, bound as i32)), false)
    }

    /// By how much an outcome moves the value of a chance node. Two and two outcomes move it as far up as
    /// down.
    #[inline]
    pub(super) fn offset(&self, state: &State, outcome: u32, chance: &Chance) -> i32 {
        let pair = outcome / 2;
        if 2 * pair + 1 == chance.outcomes {
            return 0;
        }
        let bits = draw(state.id.wrapping_add(pair.into()), Salt::Offset);
        let mut far = below(bits, u64::from(chance.spread) + 1) as i32;
        if let Some(bound) = self.bound {
            let bound = bound as i32;
            far = far.min(bound - state.value).min(state.value - (1 - bound));
        }
        if (u64::from(outcome) ^ bits) & 1 == 0 { far } else { -far }
    }

    #[inline]
    pub(super) fn payoff(&self, state: &State) -> f64 {
        match self.wins {
            true if state.value > 0 => 1.0,
            true => -1.0,
            false => state.value.into(),
        }
    }

    /// The value under perfect play, where it is known.
    pub(super) fn truth(&self, state: &State) -> Option<f64> {
        let known = self.traps.is_none_or(|traps| !traps.anywhere);
        known.then(|| self.payoff(state))
    }

    /// The action that is best, where no other one is as good.
    pub(super) fn best(&self, branches: u32, state: &State) -> Option<u32> {
        let (value, player) = (state.value, Synthetic::player(state.depth));
        // At a bound nothing can be lost, and a player who plays to win loses something only where the winner
        // changes.
        let loses = match (player, self.bound.map(|bound| bound as i32)) {
            (Player::Max, Some(bound)) => value > 1 - bound,
            (Player::Min, Some(bound)) => value < bound,
            (_, None) => true,
        };
        let decides = !self.wins || value == if player == Player::Max { 1 } else { 0 };
        (loses && decides).then(|| Self::designated(branches, state))
    }

    #[inline]
    pub(super) fn heuristic(&self, state: &State) -> f64 {
        match (self.lag, self.bound) {
            (Some(lag), Some(bound)) if (1..=lag.depth).contains(&state.depth) => {
                let bias = lag.bias + AROUND * (2.0 * unit(draw(state.id, Salt::Bias)) - 1.0);
                scaled(bound, bias)
            }
            _ if self.sigma > 0.0 => f64::from(state.value) + gauss(state.id, self.sigma),
            _ => state.value.into(),
        }
    }

    /// What paths of this many decisions and at most this many chance nodes can add up to.
    fn values(&self, depth: u32, rolls: u32, chance: &Chance) -> [i64; 2] {
        match self.bound {
            Some(bound) => [1 - i64::from(bound), bound.into()],
            None => {
                let most = i64::from(self.penalty.most());
                let moved = if chance.share > 0.0 { i64::from(rolls) * i64::from(chance.spread) } else { 0 };
                let (max, min) = (i64::from(depth.div_ceil(2)), i64::from(depth / 2));
                [1 - most * max - moved, 1 + most * min + moved]
            }
        }
    }

    pub(super) fn range(&self, depth: u32, chance: &Chance) -> Interval {
        let [lo, hi] = self.values(depth, depth, chance).map(|value| value as f64);
        let noise = FARTHEST * self.sigma;
        let mut range = Interval::new(lo - noise, hi + noise);
        if let (Some(lag), Some(bound)) = (self.lag, self.bound) {
            range.lo = range.lo.min(scaled(bound, lag.bias - AROUND));
            range.hi = range.hi.max(scaled(bound, lag.bias + AROUND));
        }
        if self.wins {
            range = Interval::new(range.lo.min(-1.0), range.hi.max(1.0));
        }
        range
    }

    /// Whether a path of this many decisions and at most this many chance nodes may add up to this.
    pub(super) fn keeps(&self, value: i32, depth: u32, rolls: u32, chance: &Chance) -> bool {
        let [lo, hi] = self.values(depth, rolls, chance);
        (lo..=hi).contains(&value.into())
    }
}

/// A value between the bounds, from 0 for the least to 1 for the greatest.
fn scaled(bound: u32, share: f64) -> f64 {
    let (bound, span) = (f64::from(bound), 2.0 * f64::from(bound) - 1.0);
    1.0 - bound + share * span
}

impl Penalty {
    fn most(self) -> u32 {
        match self {
            Self::Constant(most) | Self::UpTo(most) => most,
        }
    }
}
