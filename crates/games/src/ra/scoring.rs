//! Scoring of tiles and suns at the end of an epoch and of the game.

use super::State;
use super::tiles::{CIVILIZATIONS, FLOOD, GOD, GOLD, MONUMENTS, NILE, OWNABLE, PHARAOH};
use astragal_core::Player;

/// A player's tiles, by kind.
pub(super) type Hand = [u8; OWNABLE];

/// The points by the number of different civilizations.
pub(super) const CIVILIZATION_POINTS: [i32; 6] = [-5, 0, 0, 5, 10, 15];

/// The points by the number of different monuments.
pub(super) const MONUMENT_POINTS: [i32; 9] = [0, 1, 2, 3, 4, 5, 6, 10, 15];

/// The points by the number of monuments of one kind.
pub(super) const ALIKE_POINTS: [i32; 6] = [0, 0, 0, 5, 10, 15];

/// The points for most and for fewest Pharaohs, and for the larger sum of suns; the smaller sum loses as
/// many.
pub(super) const MOST_PHARAOHS: i32 = 5;
pub(super) const FEWEST_PHARAOHS: i32 = -2;
pub(super) const SUNS: i32 = 5;

/// The number of kinds in this range of which a hand has at least one.
pub(super) fn different(hand: &Hand, kinds: std::ops::Range<usize>) -> usize {
    hand[kinds].iter().filter(|&&count| count > 0).count()
}

/// The points for Gods and gold, the river, and civilizations at the end of an epoch.
fn parts(hand: &Hand) -> [i32; 3] {
    let river = if hand[FLOOD] > 0 { i32::from(hand[NILE]) + i32::from(hand[FLOOD]) } else { 0 };
    let riches = 2 * i32::from(hand[GOD]) + 3 * i32::from(hand[GOLD]);
    [riches, river, CIVILIZATION_POINTS[different(hand, CIVILIZATIONS)]]
}

/// The points of a hand by itself at the end of an epoch: without Pharaohs, monuments and suns.
pub(super) fn epoch_points(hand: &Hand) -> i32 {
    parts(hand).into_iter().sum()
}

/// The points for the monuments of a hand at the end of the game.
pub(super) fn monument_points(hand: &Hand) -> i32 {
    let alike: i32 = hand[MONUMENTS].iter().map(|&count| ALIKE_POINTS[usize::from(count)]).sum();
    MONUMENT_POINTS[different(hand, MONUMENTS)] + alike
}

/// The points for a player's Pharaohs at the end of an epoch.
pub(super) fn pharaoh_points(own: u8, other: u8) -> i32 {
    match own.cmp(&other) {
        std::cmp::Ordering::Greater => MOST_PHARAOHS,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => FEWEST_PHARAOHS,
    }
}

/// The sum of the suns in a set.
pub(super) fn sum_of_suns(suns: u16) -> i32 {
    (1..=9).filter(|sun| suns & 1 << sun != 0).sum()
}

/// A player's points at the end of an epoch, by category.
pub(super) struct Account {
    pub(super) riches: i32,
    pub(super) pharaohs: i32,
    pub(super) river: i32,
    pub(super) civilizations: i32,
    /// Monuments and suns score in the last epoch only.
    pub(super) monuments: i32,
    pub(super) suns: i32,
}

impl Account {
    /// The sum of all categories.
    pub(super) fn net(&self) -> i32 {
        self.riches + self.pharaohs + self.river + self.civilizations + self.monuments + self.suns
    }
}

impl State {
    /// A player's points if the epoch ends now.
    pub(super) fn account(&self, player: Player) -> Account {
        let (own, other) = (player.index(), player.other().index());
        let [riches, river, civilizations] = parts(&self.hands[own]);
        let last = i32::from(self.epoch == 3);
        let sum = |index: usize| sum_of_suns(self.up[index] | self.down[index]);
        Account {
            riches,
            pharaohs: pharaoh_points(self.hands[own][PHARAOH], self.hands[other][PHARAOH]),
            river,
            civilizations,
            monuments: last * monument_points(&self.hands[own]),
            suns: last * SUNS * (sum(own) - sum(other)).signum(),
        }
    }

    /// A player's net points if the epoch ends now, before the score is clamped at 0.
    pub(super) fn net(&self, player: Player) -> i32 {
        self.account(player).net()
    }

    /// Scores the epoch, and discards the tiles that do not outlast it.
    pub(super) fn score_epoch(&mut self) {
        let nets = [self.net(Player::Max), self.net(Player::Min)];
        for (score, net) in self.scores.iter_mut().zip(nets) {
            *score = (i32::from(*score) + net).max(0) as u16;
        }
        for hand in &mut self.hands {
            for kind in [GOD, GOLD, FLOOD].into_iter().chain(CIVILIZATIONS) {
                hand[kind] = 0;
            }
        }
    }
}
