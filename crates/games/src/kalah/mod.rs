//! Kalah, the mancala of the thesis (*Understanding Sampling-Based Adversarial Search*, section 3.2.1), with
//! the rules that its text leaves open as parameters.
//!
//! A move empties one of the player's own pits and sows its stones one by one into the following pits,
//! including the player's own store but not the opponent's. A last stone in the own store gives another move;
//! one in an own pit that was empty captures. The game ends as soon as a side has no stones in its pits.
//!
//! Each side's pits are the bytes of a word, in that side's order of sowing, so that sowing adds two
//! precomputed words.

mod listing;
mod notation;

#[cfg(test)]
mod tests;

use crate::SetupError;
use crate::bits::{bits_of, draw_field};
use astragal_core::{Evaluator, Game, Interval, Key, Player, Sampler, Turn, below};
use std::convert::Infallible;
use std::hint::select_unpredictable;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The payoff of a win, and minus that of a loss.
const WIN: f64 = 100.0;
/// The number of bytes in a word, one per pit.
const MOST_PITS: u8 = 8;
/// The most stones that fit into a byte with its highest bit free.
const MOST_STONES: u8 = 127;
/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const TOPS: u64 = ONES << 7;
/// Multiplied by the highest bits of the bytes, gathers them in the highest byte.
const GATHER: u64 = 0x0002_0408_1020_4081;
/// The value of [`Sowing::last`] outside the own pits: a bit that no pit uses, because none has more than 127
/// stones.
const NOWHERE: u64 = 1 << 63;

/// What is captured by a last stone that falls into an empty pit of its own side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capture {
    /// Itself and the opposite pit, even if that is empty (Irving, Donkers & Uiterwijk; the thesis).
    #[default]
    Empty,
    /// The same, but nothing if the opposite pit is empty (the rule on most boxes).
    Nonempty,
}

/// Who gets the remaining stones when one side has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sweep {
    /// Their owner (the rule on most boxes; Irving, Donkers & Uiterwijk).
    #[default]
    Own,
    /// The player whose pits are empty (the wording of the thesis).
    Emptied,
}

/// The objective of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Utility {
    /// To have more stones than the opponent.
    #[default]
    Win,
    /// To maximize the difference in stones.
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
    /// The effects of sowing, by pit and number of stones.
    sowings: Arc<[Sowing]>,
}

/// The effect of sowing a number of stones from a pit, and where the last stone falls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sowing {
    /// Added to the own pits, with the sown stones already subtracted.
    own: u64,
    /// Added to the opponent's pits.
    other: u64,
    /// Added to the own store.
    store: u8,
    /// The last stone, as one stone in its pit; [`NOWHERE`] if that is not an own pit.
    last: u64,
    /// The opponent's pit opposite the last stone.
    opposite: u8,
    /// Whether the last stone falls into the store.
    again: bool,
}

/// The player to move, that player's stones, and the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    player: Player,
    own: Side,
    other: Side,
}

/// The stones of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Side {
    /// The stones in the pits, one byte per pit, and in the store.
    pits: u64,
    store: u8,
}

/// A pit of the player to move, counted from 0 in the order of sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pit(u8);

/// The number of stones in one pit.
#[inline]
fn stones_in(side: u64, pit: u8) -> u8 {
    (side >> (8 * pit)) as u8
}

/// The number of stones in all pits of a side.
#[inline]
fn all_stones(side: u64) -> u8 {
    (side.wrapping_mul(ONES) >> 56) as u8
}

/// The highest bit of each nonzero byte.
#[inline]
fn filled(side: u64) -> u64 {
    (side + !TOPS) & TOPS
}

/// The pits that can be sown, one by one.
#[inline]
fn sowable(state: &State) -> impl Iterator<Item = Pit> {
    bits_of(filled(state.own.pits)).map(|bit| Pit((bit / 8) as u8))
}

impl Kalah {
    /// Creates the game with `pits` pits a side and `stones` stones a pit, under the rules of Irving, Donkers
    /// & Uiterwijk.
    ///
    /// # Errors
    /// If either number is out of range.
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

    /// Returns the same game with another capture rule.
    #[must_use]
    pub fn capture(self, capture: Capture) -> Self {
        Self { capture, ..self }
    }

    /// Returns the same game with another rule for the remaining stones.
    #[must_use]
    pub fn sweep(self, sweep: Sweep) -> Self {
        Self { sweep, ..self }
    }

    /// Returns the same game with other payoffs.
    #[must_use]
    pub fn utility(self, utility: Utility) -> Self {
        Self { utility, ..self }
    }

    /// Returns the same game from another start.
    #[must_use]
    pub fn starting(self, start: State) -> Self {
        Self { start, ..self }
    }

    /// Returns the same game from a random start, see [`Game::deal`].
    #[must_use]
    pub fn random_start(self, seed: u64) -> Self {
        let start = self.deal(seed).expect("there are such");
        self.starting(start)
    }

    /// The total number of stones.
    fn total(&self) -> u8 {
        2 * self.pits * self.stones
    }

    /// The payoff if the first player's store ends with `margin` more stones.
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

/// The effect of a move apart from sowing.
enum Effect {
    /// The same player moves again.
    Again,
    /// The move captures this many of the opponent's stones.
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

    /// Whether the last stone is alone in one of these own pits; false if it is not in an own pit.
    #[inline]
    fn ends_alone(&self, own: u64) -> bool {
        let pit = (self.last << 8).wrapping_sub(self.last);
        own & pit == self.last
    }
}

impl State {
    /// The state with these sides of player 1 and player 2.
    fn new([first, second]: [Side; 2], player: Player) -> Self {
        match player {
            Player::Max => Self { player, own: first, other: second },
            Player::Min => Self { player, own: second, other: first },
        }
    }

    /// The sides of player 1 and player 2.
    #[inline]
    fn sides(&self) -> [Side; 2] {
        match self.player {
            Player::Max => [self.own, self.other],
            Player::Min => [self.other, self.own],
        }
    }

    /// The number of stones in all pits, which are still to be won.
    #[must_use]
    pub fn in_play(&self) -> u32 {
        u32::from(all_stones(self.own.pits)) + u32::from(all_stones(self.other.pits))
    }

    /// The first player's store minus the second player's.
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

    /// Puts every stone into a random pit (thesis, section 3.2.2). A start with an empty side is drawn again.
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
        // Both sides become empty together: the move that empties one sweeps the other.
        if state.own.pits | state.other.pits == 0 {
            Turn::Over(self.payoff(state.margin()))
        } else {
            Turn::Decide(state.player)
        }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Pit>) {
        sowable(state).for_each(|pit| out.push(pit));
    }

    #[inline]
    fn each_action<B>(
        &self,
        state: &State,
        room: &mut Vec<Pit>,
        mut see: impl FnMut(&mut Vec<Pit>, Pit) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        sowable(state).try_for_each(|pit| see(room, pit))
    }

    #[inline]
    fn any_action(&self, state: &State, bits: u64, _room: &mut Vec<Pit>) -> Pit {
        // The product moves the highest bit of each byte to the highest byte.
        let set = filled(state.own.pits).wrapping_mul(GATHER) >> 56;
        Pit(draw_field(set as u8, bits))
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Pit) {
        let State { player, mut own, mut other } = *state;
        let sowing = self.sowing(state, action);
        own.pits = own.pits.wrapping_add(sowing.own);
        other.pits += sowing.other;
        own.store += sowing.store;
        // Where the last stone falls is unpredictable in random play, so nothing branches on it.
        let taken = stones_in(other.pits, sowing.opposite);
        let captures = sowing.ends_alone(own.pits) & ((taken > 0) | (self.capture == Capture::Empty));
        let mask = u64::from(captures).wrapping_neg();
        own.pits -= sowing.last & mask;
        other.pits -= u64::from(taken) << (8 * sowing.opposite) & mask;
        own.store += (taken + 1) & mask as u8;
        if own.pits == 0 || other.pits == 0 {
            // At least one side is empty; if both are, there is nothing to sweep.
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
        // The total is known, so one store suffices: its seven bits and the player's go into the unused top
        // bits of the pits' bytes.
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
        // Extra moves first, then captures, then the pits nearest to the store.
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

/// The evaluator `stores`: the first player's lead in stored stones (thesis, section 3.2.3); if only winning
/// counts, as a share of all stones.
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
