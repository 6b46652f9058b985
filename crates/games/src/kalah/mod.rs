//! Kalah, the mancala of the thesis (*Understanding Sampling-Based Adversarial Search*, section 3.2.1), with
//! the rules that its text leaves open as parameters.
//!
//! A move empties one of the player's own pits and sows its stones one by one into the pits that follow, the
//! own store included and the other's left out. A last stone in the own store gives another move; one in an
//! own pit that was empty captures. As soon as a side has no stones the game is over.
//!
//! Each side's pits are the bytes of a word, in the order in which that side sows them, so that sowing is an
//! addition of two words that are looked up.

mod listing;
mod notation;

#[cfg(test)]
mod tests;

use crate::SetupError;
use crate::bits::draw_field;
use astragal_core::{Evaluator, Game, Interval, Key, Player, Sampler, Turn, below};
use std::convert::Infallible;
use std::hint::select_unpredictable;
use std::sync::Arc;

/// The payoff of a win, and minus that of a loss.
const WIN: f64 = 100.0;
/// As many pits as a word has bytes.
const MOST_PITS: u8 = 8;
/// As many stones as fit into a byte whose highest bit is free.
const MOST_STONES: u8 = 127;
/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const TOPS: u64 = ONES << 7;
/// What [`Sowing::last`] is outside the own pits: a bit that no pit uses, for none has more than 127 stones.
const NOWHERE: u64 = 1 << 63;

/// What a last stone captures that falls into an empty pit of its own side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capture {
    /// Itself and what lies opposite, even if that is nothing (Irving, Donkers & Uiterwijk; the thesis).
    #[default]
    Empty,
    /// The same, but nothing at all if the opposite pit is empty (the rule on most boxes).
    Nonempty,
}

/// Who gets the stones that are left when one side has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sweep {
    /// Their owner (the rule on most boxes; Irving, Donkers & Uiterwijk).
    #[default]
    Own,
    /// The player whose pits are empty (the wording of the thesis).
    Emptied,
}

/// What the players play for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Utility {
    /// To have more stones than the other.
    #[default]
    Win,
    /// To have as many more as possible.
    Margin,
}

/// The game with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Kalah {
    pits: u8,
    stones: u8,
    capture: Capture,
    sweep: Sweep,
    utility: Utility,
    start: State,
    /// What sowing does, by pit and number of stones.
    sowings: Arc<[Sowing]>,
}

/// What sowing some number of stones from some pit adds, and where the last stone falls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sowing {
    /// To the own pits; what it takes away is in it.
    own: u64,
    /// To the other's pits.
    other: u64,
    /// To the own store.
    store: u8,
    /// The last stone, in the pit into which it falls; [`NOWHERE`] if that is no own pit.
    last: u64,
    /// The other's pit that lies opposite of it.
    opposite: u8,
    /// Whether it falls into the store.
    again: bool,
}

/// Who is to move, what that player has, and what the other has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    player: Player,
    own: Side,
    other: Side,
}

/// The stones of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Side {
    /// Those in the pits, a byte each, and those in the store.
    pits: u64,
    store: u8,
}

/// A pit of the player to move, counted from 0 in the order of sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pit(u8);

/// The stones in one pit.
#[inline]
fn stones_in(side: u64, pit: u8) -> u8 {
    (side >> (8 * pit)) as u8
}

/// The stones in all pits of a side.
#[inline]
fn all_stones(side: u64) -> u8 {
    (side.wrapping_mul(ONES) >> 56) as u8
}

/// The highest bits of the bytes that are not 0.
#[inline]
fn filled(side: u64) -> u64 {
    (side + !TOPS) & TOPS
}

/// A single bit as the pit in whose byte it is.
#[inline]
fn pit_of(bit: u64) -> Pit {
    Pit((bit.trailing_zeros() / 8) as u8)
}

impl Kalah {
    /// The game with this many pits a side and stones a pit, under the rules of Irving, Donkers & Uiterwijk.
    ///
    /// # Errors
    /// If there are too few or too many.
    pub fn new(pits: u8, stones: u8) -> Result<Self, SetupError> {
        let all = 2 * u32::from(pits) * u32::from(stones);
        if !(1..=MOST_PITS).contains(&pits) || stones == 0 || all > u32::from(MOST_STONES) {
            return Err(SetupError(format!(
                "{pits} pits a side with {stones} stones each: there are 1 to {MOST_PITS} pits, and at most {MOST_STONES} stones in all"
            )));
        }
        let side = Side { pits: (0..pits).map(|pit| u64::from(stones) << (8 * pit)).sum(), store: 0 };
        Ok(Self {
            pits,
            stones,
            capture: Capture::default(),
            sweep: Sweep::default(),
            utility: Utility::default(),
            start: State::new([side; 2], Player::Max),
            sowings: (0..pits)
                .flat_map(|pit| (0..=MOST_STONES).map(move |count| Sowing::of(pits, pit, count)))
                .collect(),
        })
    }

    /// The same game with other captures.
    #[must_use]
    pub fn capture(self, capture: Capture) -> Self {
        Self { capture, ..self }
    }

    /// The same game with another end.
    #[must_use]
    pub fn sweep(self, sweep: Sweep) -> Self {
        Self { sweep, ..self }
    }

    /// The same game with other payoffs.
    #[must_use]
    pub fn utility(self, utility: Utility) -> Self {
        Self { utility, ..self }
    }

    /// The same game from another start.
    #[must_use]
    pub fn starting(self, start: State) -> Self {
        Self { start, ..self }
    }

    /// The same game from a start that is drawn by lot, see [`Game::deal`].
    #[must_use]
    pub fn random_start(self, seed: u64) -> Self {
        let start = self.deal(seed).expect("there are such");
        self.starting(start)
    }

    /// All stones of the game.
    fn total(&self) -> u8 {
        2 * self.pits * self.stones
    }

    /// The payoff for this many stones more in the first player's store at the end.
    fn payoff(&self, margin: i16) -> f64 {
        match self.utility {
            Utility::Win => f64::from(margin.signum()) * WIN,
            Utility::Margin => margin.into(),
        }
    }

    #[inline]
    fn sowing(&self, state: &State, pit: Pit) -> &Sowing {
        let count = stones_in(state.own.pits, pit.0);
        &self.sowings[usize::from(pit.0) << 7 | usize::from(count)]
    }
}

/// What a move does besides sowing.
enum Effect {
    /// The same player moves again.
    Again,
    /// It captures this many of the other's stones.
    Captures(u8),
    Nothing,
}

impl Kalah {
    fn effect(&self, state: &State, action: Pit) -> Effect {
        let sowing = self.sowing(state, action);
        if sowing.again {
            Effect::Again
        } else if sowing.ends_alone(state.own.pits.wrapping_add(sowing.own)) {
            Effect::Captures(stones_in(state.other.pits + sowing.other, sowing.opposite))
        } else {
            Effect::Nothing
        }
    }
}

impl Sowing {
    fn of(pits: u8, pit: u8, count: u8) -> Self {
        let mut sowing = Self { last: NOWHERE, ..Self::default() };
        let mut at = pit;
        for _ in 0..count {
            at = (at + 1) % (2 * pits + 1);
            if at < pits {
                sowing.own += 1 << (8 * at);
            } else if at == pits {
                sowing.store += 1;
            } else {
                sowing.other += 1 << (8 * (at - pits - 1));
            }
        }
        sowing.own = sowing.own.wrapping_sub(u64::from(count) << (8 * pit));
        if at < pits {
            (sowing.last, sowing.opposite) = (1 << (8 * at), pits - 1 - at);
        }
        Self { again: at == pits, ..sowing }
    }

    /// Whether the last stone is alone in one of these pits.
    #[inline]
    fn ends_alone(&self, own: u64) -> bool {
        let pit = (self.last << 8).wrapping_sub(self.last);
        own & pit == self.last
    }
}

impl State {
    /// What player 1 and player 2 have, and who is to move.
    fn new([first, second]: [Side; 2], player: Player) -> Self {
        match player {
            Player::Max => Self { player, own: first, other: second },
            Player::Min => Self { player, own: second, other: first },
        }
    }

    /// What player 1 and player 2 have.
    #[inline]
    fn sides(&self) -> [Side; 2] {
        match self.player {
            Player::Max => [self.own, self.other],
            Player::Min => [self.other, self.own],
        }
    }

    /// The stones in all pits, which are still to be won.
    #[must_use]
    pub fn in_play(&self) -> u32 {
        u32::from(all_stones(self.own.pits)) + u32::from(all_stones(self.other.pits))
    }

    /// How many more stones the first player has in the store.
    #[inline]
    fn margin(&self) -> i16 {
        let [first, second] = self.sides();
        i16::from(first.store) - i16::from(second.store)
    }
}

impl Game for Kalah {
    type State = State;
    type Action = Pit;
    type Outcome = Infallible;

    fn start(&self) -> State {
        self.start
    }

    /// Every stone lies in a pit that was drawn for it (thesis, section 3.2.2). A start in which a side got
    /// no stone is drawn again.
    fn deal(&self, seed: u64) -> Option<State> {
        let (sampler, holes) = (Sampler::new(seed), 2 * u64::from(self.pits));
        let drawn = |attempt: u32| {
            let mut pits = [0; 2];
            for stone in 0..self.total() {
                let hole = below(sampler.draw(stone.into(), attempt, 0), holes);
                pits[(hole % 2) as usize] += 1 << (8 * (hole / 2));
            }
            pits
        };
        let pits = (0..).map(drawn).find(|pits| !pits.contains(&0)).expect("some draw fills both sides");
        Some(State::new(pits.map(|pits| Side { pits, store: 0 }), Player::Max))
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        // No side is empty alone: the rest is swept by the move that empties it.
        if state.own.pits | state.other.pits == 0 {
            Turn::Over(self.payoff(state.margin()))
        } else {
            Turn::Decide(state.player)
        }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Pit>) {
        let mut pits = filled(state.own.pits);
        while pits != 0 {
            out.push(pit_of(pits));
            pits &= pits - 1;
        }
    }

    #[inline]
    fn any_action(&self, state: &State, bits: u64, _room: &mut Vec<Pit>) -> Pit {
        let set = filled(state.own.pits) >> 7;
        Pit((draw_field(set, ONES, 8, MOST_PITS.into(), bits) / 8) as u8)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Pit) {
        let State { player, mut own, mut other } = *state;
        let sowing = self.sowing(state, action);
        own.pits = own.pits.wrapping_add(sowing.own);
        other.pits += sowing.other;
        own.store += sowing.store;
        // Where the last stone falls cannot be predicted in random play, so nothing branches on it.
        let taken = stones_in(other.pits, sowing.opposite);
        let captures = sowing.ends_alone(own.pits) & ((taken > 0) | (self.capture == Capture::Empty));
        let mask = u64::from(captures).wrapping_neg();
        own.pits -= sowing.last & mask;
        other.pits -= u64::from(taken) << (8 * sowing.opposite) & mask;
        own.store += (taken + 1) & mask as u8;
        if own.pits == 0 || other.pits == 0 {
            // One of the two has no stones; with none left on either side it does not matter which.
            let rest = all_stones(own.pits | other.pits);
            if (own.pits == 0) == (self.sweep == Sweep::Emptied) {
                own.store += rest;
            } else {
                other.store += rest;
            }
            (own.pits, other.pits) = (0, 0);
        }
        let again = sowing.again;
        let pick = |mine: Side, yours: Side| Side {
            pits: select_unpredictable(again, mine.pits, yours.pits),
            store: select_unpredictable(again, mine.store, yours.store),
        };
        let player = if again { player } else { player.other() };
        *state = State { player, own: pick(own, other), other: pick(other, own) };
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        // All stones together are known, so one store is enough: its seven bits and the player's go where
        // the bytes of the pits have room.
        let [first, second] = state.sides();
        let rest = u64::from(first.store) << 1 | state.player.index() as u64;
        let spread = (0..8).map(|bit| (rest >> bit & 1) << (8 * bit + 7)).sum::<u64>();
        Key(u128::from(first.pits | spread) << 64 | u128::from(second.pits))
    }

    fn range(&self) -> Interval {
        match self.utility {
            Utility::Win => Interval { lo: -WIN, hi: WIN },
            Utility::Margin => Interval { lo: -f64::from(self.total()), hi: f64::from(self.total()) },
        }
    }

    #[inline]
    fn bounds(&self, state: &State) -> Interval {
        let left = state.in_play() as i16;
        Interval { lo: self.payoff(state.margin() - left), hi: self.payoff(state.margin() + left) }
    }

    fn promise(&self, state: &State, action: Pit) -> i32 {
        // Another move, then captures, then the pits nearest to the store.
        let near = i32::from(action.0);
        match self.effect(state, action) {
            Effect::Again => 1000 + near,
            Effect::Captures(stones) => near + 10 * i32::from(stones),
            Effect::Nothing => near,
        }
    }

    fn is_forcing(&self, state: &State, action: Pit) -> bool {
        !matches!(self.effect(state, action), Effect::Nothing | Effect::Captures(0))
    }

    #[inline]
    fn slot(&self, _state: &State, action: Pit) -> usize {
        action.0.into()
    }

    fn has_chance(&self) -> bool {
        false
    }
}

/// The evaluator `stores`: how many more stones the first player has in the store (thesis, section 3.2.3);
/// where only winning counts, as a share of all stones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stores;

impl Evaluator<Kalah> for Stores {
    #[inline]
    fn value(&self, game: &Kalah, state: &State) -> f64 {
        let margin = f64::from(state.margin());
        match game.utility {
            Utility::Win => margin * WIN / f64::from(game.total()),
            Utility::Margin => margin,
        }
    }
}
