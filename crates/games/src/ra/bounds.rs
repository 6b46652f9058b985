//! Bounds on the payoff of Ra: in the last epoch, from the lowest and highest score that each player can
//! still reach.
//!
//! Before the last epoch nearly everything is possible, and the bounds are the full range. Bounds only ever
//! tighten: a lot of at most eight tiles costs a sun, a tile taken costs a God, and no tile returns to the
//! bag.

use super::scoring::{
    ALIKE_POINTS, CIVILIZATION_POINTS, MONUMENT_POINTS, SUNS, different, epoch_points, monument_points,
    pharaoh_points, sum_of_suns,
};
use super::tiles::{
    CIVILIZATIONS, DROUGHT, EARTHQUAKE, FLOOD, FUNERAL, GOD, GOLD, MONUMENTS, NILE, PHARAOH, UNREST,
};
use super::{Phase, Ra, SPACES, State, Ties, Utility, WIN};
use astragal_core::{Interval, Player};

/// What a player can still reach.
struct Prospect {
    /// The most tiles that he can still gain.
    gain: u8,
    /// The fewest and the most Pharaohs.
    pharaohs: (u8, u8),
    /// The smallest and the largest sum of his suns.
    suns: (i32, i32),
}

/// The smallest and the largest sum of four suns.
const SUMS: (i32, i32) = (10, 30);

impl State {
    fn left(&self, kind: usize) -> u8 {
        self.bag[kind] + self.track[kind]
    }

    fn prospect(&self, player: Player) -> Prospect {
        let index = player.index();
        let hand = &self.hands[index];
        let lots = self.up[index].count_ones() as u8;
        if lots == 0 {
            let sum = sum_of_suns(self.down[index]);
            return Prospect { gain: 0, pharaohs: (hand[PHARAOH], hand[PHARAOH]), suns: (sum, sum) };
        }
        let gods = hand[GOD] + self.left(GOD).min(SPACES * lots);
        let gain = SPACES * lots + gods;
        let fewest = hand[PHARAOH].saturating_sub(2 * self.left(FUNERAL));
        Prospect { gain, pharaohs: (fewest, hand[PHARAOH] + self.left(PHARAOH).min(gain)), suns: SUMS }
    }

    /// An upper bound on the points for a player's tiles, without Pharaohs.
    fn most(&self, player: Player, gain: u8) -> i32 {
        let hand = &self.hands[player.index()];
        let reach = |kind: usize| hand[kind] + self.left(kind).min(gain);
        let types = |kinds: std::ops::Range<usize>| {
            let new = kinds.clone().filter(|&kind| hand[kind] == 0 && self.left(kind) > 0).count();
            different(hand, kinds) + new.min(usize::from(gain))
        };
        let (niles, floods) = (i32::from(reach(NILE)), i32::from(reach(FLOOD)));
        let alike: i32 = MONUMENTS.map(|kind| ALIKE_POINTS[usize::from(reach(kind))]).sum();
        let by_kinds = 2 * i32::from(reach(GOD))
            + 3 * i32::from(reach(GOLD))
            + if floods > 0 { niles + floods } else { 0 }
            + CIVILIZATION_POINTS[types(CIVILIZATIONS)]
            + MONUMENT_POINTS[types(MONUMENTS)]
            + alike;
        // No tile is worth more than five points, except a first flood, which activates the Niles.
        let asleep = if hand[FLOOD] == 0 && floods > 0 { i32::from(hand[NILE]) } else { 0 };
        let by_tiles = epoch_points(hand) + monument_points(hand) + 5 * i32::from(gain) + asleep;
        by_kinds.min(by_tiles)
    }

    /// A lower bound on the points for a player's tiles, without Pharaohs.
    fn fewest(&self, player: Player, gain: u8) -> i32 {
        let hand = &self.hands[player.index()];
        let (unrest, earthquake) = match self.phase {
            Phase::Lose { civilizations, monuments, .. } if self.player == player => {
                (civilizations > 0, monuments > 0)
            }
            _ => (false, false),
        };
        let strikes = |disaster: usize| gain > 0 && self.left(disaster) > 0;
        let mut kept = *hand;
        if gain > 0 {
            kept[GOD] = 0;
        }
        if strikes(DROUGHT) {
            kept[FLOOD] = 0;
        }
        if unrest || strikes(UNREST) {
            kept[CIVILIZATIONS].fill(0);
        }
        if earthquake || strikes(EARTHQUAKE) {
            kept[MONUMENTS].fill(0);
        }
        epoch_points(&kept) + monument_points(&kept)
    }

    /// Bounds on a player's final score in the last epoch.
    fn final_scores(&self, player: Player, own: &Prospect, other: &Prospect) -> (i32, i32) {
        let score = i32::from(self.scores[player.index()]);
        let low = self.fewest(player, own.gain)
            + pharaoh_points(own.pharaohs.0, other.pharaohs.1)
            + SUNS * (own.suns.0 - other.suns.1).signum();
        let high = self.most(player, own.gain)
            + pharaoh_points(own.pharaohs.1, other.pharaohs.0)
            + SUNS * (own.suns.1 - other.suns.0).signum();
        ((score + low).max(0), (score + high).max(0))
    }
}

impl Ra {
    /// Returns an interval that contains every reachable payoff.
    pub(super) fn reachable(&self, state: &State) -> Interval {
        let all = Interval { lo: -WIN, hi: WIN };
        if state.phase == Phase::Over {
            let payoff = self.payoff(state);
            return Interval { lo: payoff, hi: payoff };
        }
        if state.epoch < 3 {
            return all;
        }
        let prospects = [Player::Max, Player::Min].map(|player| state.prospect(player));
        let (low1, high1) = state.final_scores(Player::Max, &prospects[0], &prospects[1]);
        let (low2, high2) = state.final_scores(Player::Min, &prospects[1], &prospects[0]);
        let (least, most) = (low1 - high2, high1 - low2);
        let value = |difference: i32| match self.utility {
            Utility::Score => f64::from(difference).clamp(-WIN, WIN),
            Utility::Win => WIN * f64::from(difference.signum()),
        };
        let tie_is_open = self.utility == Utility::Win && self.ties == Ties::Sun;
        Interval {
            lo: if least == 0 && tie_is_open { -WIN } else { value(least) },
            hi: if most == 0 && tie_is_open { WIN } else { value(most) },
        }
    }
}
