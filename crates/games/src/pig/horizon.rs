//! How far the lead can move within a number of decisions: the bounds of the evaluator `lead`.
//!
//! A player's expected gain is bounded by the gain against an opponent who rolls once, as the rules require,
//! and then holds: the opponent could do so, and may do better. As long as nobody wins, that gain depends on
//! the turn total alone, with one exception: an opponent who rolls a double one loses his score. The gain is
//! a maximum, over all strategies, of linear functions of this loss, so it is convex in it and lies below the
//! chord between the gains for no loss and for the largest. A win changes this by at most the range plus any
//! shortfall of the gain, times its probability, which is at most that of a player who always rolls.
//!
//! Near the end another bound is tighter: a roll gains a player at most its expected points, a win at most
//! the rest of the range, and a forced roll of the opponent at most what the opponent then loses.

use super::dice::{ONE_DIE, TWO_DICE};
use super::{Dice, Pig, Roll, State, WIN};
use crate::ROUNDING;
use astragal_core::{Game, Interval, Luck, Player, Weighted};
use std::sync::LazyLock;

/// The number of decisions ahead for which gains are tabulated.
const DEPTHS: usize = 24;

/// The number of turn totals for which gains are tabulated. With a larger total a player has more to lose and
/// never gains more, so the last entry bounds all others.
const TOTALS: usize = 64;

/// A player's expected gain if nobody can win, by the number of decisions left.
struct Gains {
    /// When the player rolls with this turn total, with this many decisions left after the roll.
    rolling: [[f64; TOTALS]; DEPTHS + 1],
    /// When the opponent begins a turn.
    waiting: [f64; DEPTHS + 1],
    /// The opponent's expected loss per roll, apart from the turn total.
    loss: f64,
    dice: Rolls,
    /// The least gain at any depth, when either player is to decide: if the game is won, gains may be too low
    /// by this much.
    least: f64,
    /// The probability that a player who always rolls makes at least a number of points in a number of rolls.
    reaching: [[f64; WIN as usize + 1]; DEPTHS + 2],
}

/// Statistics of a roll.
#[derive(Clone, Copy)]
struct Rolls {
    outcomes: &'static [Weighted<Dice>],
    /// The expected points of a roll, and the probabilities of losing the turn total and the score.
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

    /// The gain when the player decides with this turn total.
    fn deciding(&self, depth: usize, total: usize) -> f64 {
        match depth {
            0 => 0.0,
            _ if total == 0 => self.rolling(depth - 1, 0),
            _ => self.rolling(depth - 1, total).max(self.waiting[depth - 1]),
        }
    }

    /// The gain when the opponent decides with this turn total: he holds, and then has more to lose in later
    /// turns.
    fn other_deciding(&self, depth: usize, total: f64) -> f64 {
        match depth {
            0 => 0.0,
            _ if total == 0.0 => self.waiting[depth],
            // A turn of the opponent starts at least two decisions after the end of his previous one.
            _ => self.deciding(depth - 1, 0) + self.dice.reset * total * ((depth - 1) / 2) as f64,
        }
    }

    /// The gain when the opponent rolls with this turn total.
    fn other_rolling(&self, depth: usize, total: f64) -> f64 {
        let Rolls { points, bust, .. } = self.dice;
        // His total after a good roll enters linearly, so its mean suffices.
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

/// The gains at both ends of the chord, for one die and for two.
static GAINS: [LazyLock<[Gains; 2]>; 2] =
    [LazyLock::new(|| ends(&ONE_DIE)), LazyLock::new(|| ends(&TWO_DICE))];

impl Pig {
    /// Bounds on the lead after this many decisions.
    pub(super) fn lead_within(&self, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        // A lead is clamped to the range, and what is clamped off cannot be lost again.
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
        // The largest possible rise of a player's lead.
        let rise = |player: Player| {
            let other = f64::from(counted(player.other()).min(self.target));
            let can_win = f64::from(rolls) * largest >= missing(player) as f64;
            let win = if can_win { other + WIN - f64::from(self.target) } else { 0.0 };
            if luck == Luck::Any {
                return f64::from(rolls) * largest + other + win;
            }
            // The opponent may have chosen a roll that was not forced.
            let risked =
                if state.rolling && state.player != player { nothing.dice.bust * other } else { 0.0 };
            let each = f64::from(rolls) * nothing.dice.points + risked + win;
            if depth as usize > DEPTHS {
                return each;
            }
            let chance = |player: Player| nothing.reaching[rolls as usize][missing(player)];
            // A win is worth at most the range more than the lead, and a loss at most one roll more, because
            // a lead beyond the target counts here but not in the payoff. Neither has gains ahead, which may
            // have been negative.
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
