//! How far the lead can move in some decisions: the bounds of the evaluator `lead`.
//!
//! What a player can gain in the mean is bounded by what he gains against an opponent who rolls once, because
//! the rules make him, and then holds: the opponent could do so, and may do better. As long as nobody wins,
//! that gain depends on the turn total alone, with one exception: an opponent who rolls a double one loses
//! his score. The gain is the best over all ways to play of something linear in this loss, so it is convex in
//! it, and lies below the line between the gains for no loss and for the largest. A win changes this by no
//! more than the range and what the gain may lack, times the chance of it, which is at most that of a player
//! who always rolls.
//!
//! Another bound is better near the end: a roll brings a player no more than its points in the mean, a win at
//! most the rest of the range, and a roll of the other, who must roll, no more than what the other then
//! loses.

use super::dice::{ONE_DIE, TWO_DICE};
use super::{Dice, Pig, Roll, State, WIN};
use crate::ROUNDING;
use astragal_core::{Game, Interval, Luck, Player, Weighted};
use std::sync::LazyLock;

/// Decisions ahead for which gains are known.
const DEPTHS: usize = 24;

/// Turn totals for which gains are known. With more, a player has more to lose and never gains more, so that
/// the last one bounds all others.
const TOTALS: usize = 64;

/// What a player can gain in the mean if nobody can win, by the decisions that are left.
struct Gains {
    /// When he rolls with this turn total and has this many decisions after it.
    rolling: [[f64; TOTALS]; DEPTHS + 1],
    /// When the other begins a turn.
    waiting: [f64; DEPTHS + 1],
    /// What the other loses in the mean by each roll, besides the turn total.
    loss: f64,
    dice: Rolls,
    /// The least gain of a player who decides or whose opponent does, at any depth: a win may find the gains
    /// that much too low.
    least: f64,
    /// The chance of a player who always rolls to make at least a number of points in a number of rolls.
    reaching: [[f64; WIN as usize + 1]; DEPTHS + 2],
}

/// A roll, in numbers.
#[derive(Clone, Copy)]
struct Rolls {
    outcomes: &'static [Weighted<Dice>],
    /// The points of a roll in the mean, and the chances to lose the turn total and the score.
    points: f64,
    bust: f64,
    reset: f64,
}

impl Rolls {
    fn of(outcomes: &'static [Weighted<Dice>]) -> Self {
        let mut rolls = Self { outcomes, points: 0.0, bust: 0.0, reset: 0.0 };
        for &Weighted { item, weight } in outcomes {
            match item.roll() {
                Roll::Add(points) => rolls.points += weight * f64::from(points),
                Roll::Bust => rolls.bust += weight,
                Roll::Reset => {
                    rolls.bust += weight;
                    rolls.reset += weight;
                }
            }
        }
        rolls
    }
}

impl Gains {
    fn new(dice: Rolls, loss: f64) -> Self {
        let (rolling, waiting) = ([[0.0; TOTALS]; DEPTHS + 1], [0.0; DEPTHS + 1]);
        let reaching = [[0.0; WIN as usize + 1]; DEPTHS + 2];
        let mut gains = Self { rolling, waiting, loss, dice, least: 0.0, reaching };
        for depth in 0..=DEPTHS {
            if depth > 0 {
                gains.waiting[depth] = gains.other_rolling(depth - 1, 0.0);
            }
            for total in 0..TOTALS {
                let added = dice.outcomes.iter().filter_map(|&Weighted { item, weight }| match item.roll() {
                    Roll::Add(points) => {
                        let after = gains.deciding(depth, total + usize::from(points));
                        Some(weight * (f64::from(points) + after))
                    }
                    _ => None,
                });
                gains.rolling[depth][total] =
                    added.sum::<f64>() + dice.bust * (gains.waiting[depth] - total as f64);
            }
            gains.least = gains.least.min(gains.waiting[depth]).min(gains.rolling[depth][0]);
        }
        for rolls in 0..=DEPTHS + 1 {
            gains.reaching[rolls][0] = 1.0;
            for points in (1..=WIN as usize).filter(|_| rolls > 0) {
                let before = &gains.reaching[rolls - 1];
                let added = dice.outcomes.iter().filter_map(|&Weighted { item, weight }| match item.roll() {
                    Roll::Add(more) => Some(weight * before[points.saturating_sub(usize::from(more))]),
                    _ => None,
                });
                gains.reaching[rolls][points] = added.sum::<f64>() + dice.bust * before[points];
            }
        }
        gains
    }

    fn rolling(&self, depth: usize, total: usize) -> f64 {
        self.rolling[depth][total.min(TOTALS - 1)]
    }

    /// When he decides.
    fn deciding(&self, depth: usize, total: usize) -> f64 {
        match depth {
            0 => 0.0,
            _ if total == 0 => self.rolling(depth - 1, 0),
            _ => self.rolling(depth - 1, total).max(self.waiting[depth - 1]),
        }
    }

    /// When the other decides with this turn total: he holds, and then has more to lose in later turns.
    fn other_deciding(&self, depth: usize, total: f64) -> f64 {
        match depth {
            0 => 0.0,
            _ if total == 0.0 => self.waiting[depth],
            // A turn of the other is at least two decisions after the end of the one before.
            _ => self.deciding(depth - 1, 0) + self.dice.reset * total * ((depth - 1) / 2) as f64,
        }
    }

    /// When the other rolls with this turn total.
    fn other_rolling(&self, depth: usize, total: f64) -> f64 {
        let Rolls { points, bust, .. } = self.dice;
        // His total after a good roll enters linearly, so its mean will do.
        let good = 1.0 - bust;
        let held = if depth == 0 { 0.0 } else { self.other_deciding(depth, total + points / good) };
        good * held - points + bust * (total + self.deciding(depth, 0)) + self.loss
    }

    fn of(&self, depth: usize, state: &State, player: Player) -> f64 {
        let total = usize::from(state.total);
        match (state.player == player, state.rolling) {
            (true, true) => self.rolling(depth, total),
            (true, false) => self.deciding(depth, total),
            (false, true) => self.other_rolling(depth, f64::from(state.total)),
            (false, false) => self.other_deciding(depth, f64::from(state.total)),
        }
    }
}

fn ends(outcomes: &'static [Weighted<Dice>]) -> [Gains; 2] {
    let dice = Rolls::of(outcomes);
    [0.0, WIN].map(|score| Gains::new(dice, dice.reset * score))
}

/// Both ends of the line, for one die and for two.
static GAINS: [LazyLock<[Gains; 2]>; 2] =
    [LazyLock::new(|| ends(&ONE_DIE)), LazyLock::new(|| ends(&TWO_DICE))];

impl Pig {
    /// Where the lead lies after this many decisions.
    pub(super) fn lead_within(&self, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        // Leads beyond the range are cut, and what is cut off cannot be lost again.
        if f64::from(self.target) > WIN {
            return None;
        }
        let rolls = depth + u32::from(state.rolling);
        let counted = |player: Player| {
            let total = if state.player == player { state.total } else { 0 };
            state.score(player) + total
        };
        let missing = |player: Player| usize::from(self.target.saturating_sub(counted(player)));
        let largest = f64::from(self.largest_roll());
        let [nothing, all] = &*GAINS[usize::from(self.dice) - 1];
        // How far the lead of a player can rise.
        let rise = |player: Player| {
            let other = f64::from(counted(player.other()).min(self.target));
            let can_win = f64::from(rolls) * largest >= missing(player) as f64;
            let win = if can_win { other + WIN - f64::from(self.target) } else { 0.0 };
            if luck == Luck::Any {
                return f64::from(rolls) * largest + other + win;
            }
            // The other may have rolled already although he need not have.
            let risked =
                if state.rolling && state.player != player { nothing.dice.bust * other } else { 0.0 };
            let each = f64::from(rolls) * nothing.dice.points + risked + win;
            if depth as usize > DEPTHS {
                return each;
            }
            let chance = |player: Player| nothing.reaching[rolls as usize][missing(player)];
            // A won game is worth at most the range more than the lead, and a lost one at most a roll,
            // because a lead beyond the target counts here and not in the payoff; neither has gains ahead,
            // which may have been negative.
            let lacking = -nothing.least.min(all.least);
            let wins = (WIN + lacking) * chance(player) + (largest + lacking) * chance(player.other());
            let share = f64::from(state.score(player.other())) / WIN;
            let gain = |gains: &Gains| gains.of(depth as usize, state, player);
            each.min((1.0 - share) * gain(nothing) + share * gain(all) + wins)
        };
        let lead = f64::from(counted(Player::Max).min(self.target))
            - f64::from(counted(Player::Min).min(self.target));
        let within = Interval { lo: lead - rise(Player::Min), hi: lead + rise(Player::Max) };
        Some(within.widened(ROUNDING).intersect(&self.range()))
    }
}
