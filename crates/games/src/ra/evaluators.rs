//! Evaluators of Ra.

use super::scoring::{
    ALIKE_POINTS, CIVILIZATION_POINTS, Hand, MONUMENT_POINTS, SUNS, different, monument_points, sum_of_suns,
};
use super::tiles::{CIVILIZATIONS, FLOOD, GOD, GOLD, KINDS, MONUMENTS, NILE, PHARAOH, RA};
use super::{Action, Kind, Phase, RAS, Ra, State, Tile, Utility, WIN, suns};
use crate::ROUNDING;
use astragal_core::{Evaluator, Game, Interval, Luck, Player, Turn, estimate};

impl Ra {
    /// Converts a lead in points to a value of this game.
    fn value_of(&self, points: f64) -> f64 {
        match self.utility {
            Utility::Score => points.clamp(-WIN, WIN),
            // The probability of winning is logistic in the lead.
            Utility::Win => WIN * libm::tanh(points / (2.0 * SPREAD)),
        }
    }
}

/// The bounds of an evaluator that ignores the tiles on the track before an auction: the value does not
/// depend on the tile drawn, unless it is a Ra tile.
fn blind(
    evaluator: &impl Evaluator<Ra>,
    game: &Ra,
    state: &State,
    depth: u32,
    luck: Luck,
) -> Option<Interval> {
    if depth > 0 {
        return None;
    }
    let bounds = game.bounds(state);
    if state.phase != Phase::Draw {
        return Some(Interval::point(bounds.clamp(evaluator.value(game, state))));
    }
    let after = |kind: usize| {
        let mut next = *state;
        game.resolve(&mut next, Tile { kind: Kind(kind as u8), number: 0 });
        match game.turn(&next) {
            Turn::Over(payoff) => payoff,
            _ => estimate(game, evaluator, &next),
        }
    };
    let total: u32 = state.bag.iter().map(|&count| u32::from(count)).sum();
    let ras = f64::from(state.bag[RA]) / f64::from(total);
    let other = (0..KINDS).find(|&kind| kind != RA && state.bag[kind] > 0);
    let quiet = other.map_or_else(|| after(RA), after);
    let loud = if ras > 0.0 { after(RA) } else { quiet };
    let within = match luck {
        Luck::Fair => Interval::point(ras * loud + (1.0 - ras) * quiet),
        Luck::Any => Interval { lo: loud.min(quiet), hi: loud.max(quiet) },
    };
    Some(within.widened(ROUNDING).intersect(&bounds))
}

/// The lead that multiplies the odds by e.
const SPREAD: f64 = 12.0;

/// The evaluator `score`: the scores as if the epoch ended now, with monuments and suns in the last one only.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score;

impl Evaluator<Ra> for Score {
    fn value(&self, game: &Ra, state: &State) -> f64 {
        let side = |player: Player| (i32::from(state.score(player)) + state.net(player)).max(0);
        game.value_of(f64::from(side(Player::Max) - side(Player::Min)))
    }

    fn horizon(&self, game: &Ra, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth, luck)
    }
}

/// The evaluator `assets`: the expected worth of tiles and suns, with a running auction played out.
///
/// Certain points count in full. Points that depend on luck or a further lot are weighted by hope: the share
/// of the epoch that is left, reduced for a player with few suns to use it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Assets;

/// Weights in points, or in shares of points.
mod weight {
    /// A God that can still be used, in addition to its two points.
    pub(super) const GOD: f64 = 0.8;
    /// A Nile without a flood in this epoch, and any Nile for each later epoch.
    pub(super) const NILE: f64 = 0.55;
    pub(super) const LATER_NILE: f64 = 0.5;
    /// The next step of the points for civilizations.
    pub(super) const NEXT_CIVILIZATION: f64 = 0.5;
    /// The next step of the points for different monuments, and for monuments of one kind, per epoch.
    pub(super) const NEXT_MONUMENT: f64 = 0.15;
    pub(super) const NEXT_ALIKE: f64 = 0.1;
    /// The lead in Pharaohs in a later epoch, relative to this one.
    pub(super) const LATER_PHARAOHS: f64 = 0.6;
    /// A sun that can be bid, and each unit of its rank.
    pub(super) const SUN: f64 = 1.2;
    pub(super) const SUN_RANK: f64 = 0.35;
    /// A unit of rank of a sun in the next epoch.
    pub(super) const LATER_SUN_RANK: f64 = 0.3;
}

/// The safety of a lead by this many Pharaohs: the probability of keeping it minus that of losing it.
const PHARAOH_LEAD: [f64; 5] = [0.0, 0.5, 0.8, 0.92, 0.97];

/// The difference of sums of suns that counts as decisive.
const SUN_LEAD: f64 = 6.0;

impl State {
    /// The share of the epoch that a player can expect to use.
    fn hope(&self, player: Player) -> f64 {
        let lots = f64::from(self.up[player.index()].count_ones());
        lots / (lots + 1.0) * f64::from(RAS - self.ras) / f64::from(RAS)
    }

    /// A player's actual and expected points, without Pharaohs.
    fn assets(&self, player: Player, hand: &Hand) -> f64 {
        let count = |kind: usize| f64::from(hand[kind]);
        let later = f64::from(3 - self.epoch);
        let hope = self.hope(player);
        let mut points = f64::from(self.score(player)) + 3.0 * count(GOLD);
        points += count(GOD) * (2.0 + weight::GOD * hope);
        let river =
            if hand[FLOOD] > 0 { count(NILE) + count(FLOOD) } else { weight::NILE * hope * count(NILE) };
        points += river + weight::LATER_NILE * later * count(NILE);
        let step = |table: &[i32], at: usize| {
            let next = table.get(at + 1).map_or(0, |next| next - table[at]);
            (f64::from(table[at]), f64::from(next))
        };
        let (now, next) = step(&CIVILIZATION_POINTS, different(hand, CIVILIZATIONS));
        points += now + weight::NEXT_CIVILIZATION * hope * next;
        let chances = hope + later;
        let (now, next) = step(&MONUMENT_POINTS, different(hand, MONUMENTS));
        points += now + weight::NEXT_MONUMENT * chances * next;
        for &alike in &hand[MONUMENTS] {
            let (now, next) = step(&ALIKE_POINTS, usize::from(alike));
            points += now + weight::NEXT_ALIKE * chances * next;
        }
        let up = self.up[player.index()];
        let left = f64::from(RAS - self.ras) / f64::from(RAS);
        points += left * suns(up).map(|sun| weight::SUN + weight::SUN_RANK * f64::from(sun)).sum::<f64>();
        points
    }

    /// A player's hand after the pending losses to disasters, choosing those that cost least.
    fn after_losses(&self, player: Player) -> Hand {
        let mut hand = self.hands[player.index()];
        if let Phase::Lose { civilizations, monuments, .. } = self.phase
            && player == self.player
        {
            for _ in 0..civilizations {
                let most = CIVILIZATIONS.max_by_key(|&kind| hand[kind]).expect("there are civilizations");
                hand[most] -= 1;
            }
            for _ in 0..monuments {
                let worth_without = |kind: &usize| {
                    let mut rest = hand;
                    rest[*kind] -= 1;
                    monument_points(&rest)
                };
                let least = MONUMENTS.filter(|&kind| hand[kind] > 0).max_by_key(worth_without);
                hand[least.expect("there are monuments to lose")] -= 1;
            }
        }
        hand
    }

    /// The lead of player 1, in points.
    fn lead(&self) -> f64 {
        let hands = [Player::Max, Player::Min].map(|player| self.after_losses(player));
        let later = f64::from(3 - self.epoch);
        let mut lead = self.assets(Player::Max, &hands[0]) - self.assets(Player::Min, &hands[1]);
        let pharaohs = i32::from(hands[0][PHARAOH]) - i32::from(hands[1][PHARAOH]);
        let safety = PHARAOH_LEAD[(pharaohs.unsigned_abs() as usize).min(PHARAOH_LEAD.len() - 1)];
        lead += 7.0 * safety * f64::from(pharaohs.signum()) * (1.0 + weight::LATER_PHARAOHS * later);
        let sum = |index: usize| f64::from(sum_of_suns(self.up[index] | self.down[index]));
        let suns = sum(0) - sum(1);
        lead += 2.0 * f64::from(SUNS) * (suns / SUN_LEAD).clamp(-1.0, 1.0) / (1.0 + later);
        if self.epoch < 3 {
            lead += weight::LATER_SUN_RANK * suns;
        }
        lead
    }

    /// The value of the lead after a running auction is played out, each player bidding what looks best to
    /// him.
    fn settled_value(&self, game: &Ra) -> f64 {
        let Phase::Auction { invoker, forced, bid } = self.phase else {
            return match self.phase {
                Phase::Over => game.payoff(self),
                _ => game.value_of(self.lead()),
            };
        };
        let player = self.player;
        let after = |action: Action| {
            let mut next = *self;
            game.apply(&mut next, action);
            next.settled_value(game)
        };
        let bids = self.suns(player).filter(|&sun| sun > bid).map(|sun| after(Action::Bid(sun)));
        let values = bids.chain(self.may_pass(invoker, forced, bid).then(|| after(Action::Pass)));
        let best = values.reduce(|best, value| if player.prefers(value, best) { value } else { best });
        best.expect("a player who can bid nothing may pass")
    }
}

impl Evaluator<Ra> for Assets {
    fn value(&self, game: &Ra, state: &State) -> f64 {
        state.settled_value(game)
    }

    fn horizon(&self, game: &Ra, state: &State, depth: u32, luck: Luck) -> Option<Interval> {
        blind(self, game, state, depth, luck)
    }
}
