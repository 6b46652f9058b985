//! Prefix values (thesis, section 5.3): at every decision one action keeps the value, and every other action
//! costs the player who takes it. So the value of a node is the sum along its path, and the best action is
//! known.
//!
//! With bounded values these are the thesis's BPV trees; with the bounds 0 and 1, its win/loss trees.

use super::{Chance, Salt, State, Synthetic, draw};
use crate::SetupError;
use astragal_core::{Interval, Player, below, unit};

/// The rule of a prefix-value tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefix {
    /// The cost of every action except the best one.
    pub penalty: Penalty,
    /// The upper bound of values; the lower bound is 1 minus it. `None` if values are unbounded.
    pub bound: Option<u32>,
    /// Whether payoffs are 1 for values above 0 and −1 for others, instead of the values.
    pub wins: bool,
    /// The standard deviation of the heuristic's noise.
    pub sigma: f64,
    /// Actions that lose the game immediately.
    pub traps: Option<Traps>,
    /// A heuristic that is uninformative near the root.
    pub lag: Option<Lag>,
}

/// The cost of an action that is not the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// Always this much.
    Constant(u32),
    /// Uniform from 1 to this much, drawn per action.
    UpTo(u32),
}

/// Actions that end the game with a loss for the player who takes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traps {
    /// The share of traps among the actions that may be one.
    pub share: f64,
    /// Whether the best action may also be a trap, as in the thesis; then true values are not known.
    pub anywhere: bool,
}

/// A heuristic that returns nearly the same value for all nodes near the root (the thesis's dispersion lag).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lag {
    /// The last depth at which it does so.
    pub depth: u32,
    /// The value returned, from 0 for the least to 1 for the greatest, within ±0.1.
    pub bias: f64,
}

/// The maximum deviation of a lagging heuristic from its bias.
const AROUND: f64 = 0.1;
/// A bound on the absolute value of [`gauss`], in standard deviations.
const FARTHEST: f64 = 8.6;
/// The largest bound and penalty.
const MOST: u32 = 1_000_000;

/// The normally distributed noise of a node.
fn gauss(id: u64, sigma: f64) -> f64 {
    let [radius, angle] = [Salt::Noise, Salt::NoiseToo].map(|salt| unit(draw(id, salt)));
    sigma * (-2.0 * libm::log(1.0 - radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
}

impl Prefix {
    /// Trees with these penalties and no other features.
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

    /// Returns the value after an action, and whether the action was a trap.
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

    /// How far an outcome shifts the value of a chance node. Outcomes come in pairs with opposite shifts.
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

    /// The best action, if no other action is as good.
    pub(super) fn best(&self, branches: u32, state: &State) -> Option<u32> {
        let (value, player) = (state.value, Synthetic::player(state.depth));
        // At a bound nothing can be lost; and where only wins count, an action costs something only if it
        // changes the winner.
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

    /// The range of values that paths of `depth` decisions and at most `rolls` chance nodes can accumulate.
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

    /// Whether a path of `depth` decisions and at most `rolls` chance nodes can accumulate `value`.
    pub(super) fn keeps(&self, value: i32, depth: u32, rolls: u32, chance: &Chance) -> bool {
        let [lo, hi] = self.values(depth, rolls, chance);
        (lo..=hi).contains(&value.into())
    }
}

/// Maps a share, 0 for the least value and 1 for the greatest, to a value between the bounds.
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
