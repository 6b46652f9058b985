//! Pig, the jeopardy dice game, with one die or two (*Monte Carlo \*-Minimax Search*, section 4.1).
//!
//! A player rolls as often as they dare and adds the dice to a turn total; holding banks the total. A single
//! 1 loses the turn total, and with two dice a double 1 also loses everything banked. A player whose score
//! and turn total together reach the target has won at once: holding would be a formality, and exact values
//! do not depend on it. The first roll of a turn is forced.

mod dice;
mod evaluators;
mod horizon;
mod listing;
mod notation;

pub use dice::{Dice, Outcomes, Roll};
pub use evaluators::{Banked, HoldAt, Lead, Logistic};

use crate::SetupError;
use astragal_core::{Game, Interval, Key, Player, Turn, Weighted, below};
use dice::{ONE_DIE, PAIR_WAYS, PAIRS, ROLLS, TWO_DICE, WAYS};

/// The payoff of a win, and minus that of a loss.
const WIN: f64 = 100.0;

/// The game with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pig {
    dice: u8,
    target: u16,
    outcomes: Outcomes,
}

impl Pig {
    /// The smallest and the largest target.
    pub const TARGETS: (u16, u16) = (2, 10_000);

    /// Creates the game with one or two dice, up to this target.
    ///
    /// # Errors
    /// If there are not one or two dice, or the target is outside [`Pig::TARGETS`].
    pub fn new(dice: u8, target: u16) -> Result<Self, SetupError> {
        let (least, most) = Self::TARGETS;
        if !(1..=2).contains(&dice) {
            return Err(SetupError(format!("Pig has one die or two, not {dice}")));
        }
        if !(least..=most).contains(&target) {
            return Err(SetupError(format!("the target of Pig is {least} to {most}, not {target}")));
        }
        Ok(Self { dice, target, outcomes: Outcomes::Merged })
    }

    /// Returns the same game with other outcomes of two dice.
    ///
    /// # Errors
    /// If there is one die, whose six faces are never merged.
    pub fn with_outcomes(self, outcomes: Outcomes) -> Result<Self, SetupError> {
        if self.dice == 1 && outcomes != Outcomes::Merged {
            return Err(SetupError("one die has its six faces: outcomes is for two dice".into()));
        }
        Ok(Self { outcomes, ..self })
    }

    /// The number of dice.
    #[must_use]
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// The score that wins.
    #[must_use]
    pub fn target(&self) -> u16 {
        self.target
    }

    /// The largest number of points that one roll can add.
    fn largest_roll(&self) -> u16 {
        6 * u16::from(self.dice)
    }

    /// Creates a state from the scores of both players, the turn total and the player to act. Returns `None`
    /// if a score has reached the target, or the turn total overshoots it by more than a roll can.
    #[must_use]
    pub fn state(&self, scores: [u16; 2], total: u16, player: Player) -> Option<State> {
        let own = scores[player.index()];
        let possible = scores.iter().all(|&s| s < self.target)
            && u32::from(own) + u32::from(total) < u32::from(self.target) + u32::from(self.largest_roll());
        possible.then_some(State { first: scores[0], second: scores[1], total, player, rolling: false })
    }
}

impl Default for Pig {
    /// Two dice to 100, the paper's game.
    fn default() -> Self {
        Self { dice: 2, target: 100, outcomes: Outcomes::Merged }
    }
}

/// The scores, the turn total, the player to act, and whether the dice are being rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    // Two fields instead of an array: a run-time index would keep the state out of registers.
    first: u16,
    second: u16,
    total: u16,
    player: Player,
    rolling: bool,
}

impl State {
    /// The banked scores of player 1 and player 2.
    #[must_use]
    pub fn scores(&self) -> [u16; 2] {
        [self.first, self.second]
    }

    /// The banked score of a player.
    #[inline]
    #[must_use]
    pub fn score(&self, player: Player) -> u16 {
        match player {
            Player::Max => self.first,
            Player::Min => self.second,
        }
    }

    #[inline]
    fn set_score(&mut self, player: Player, score: u16) {
        match player {
            Player::Max => self.first = score,
            Player::Min => self.second = score,
        }
    }

    #[inline]
    fn pass(&mut self) {
        self.total = 0;
        self.player = self.player.other();
    }

    /// The points of this turn not yet banked.
    #[must_use]
    pub fn total(&self) -> u16 {
        self.total
    }

    /// The player whose turn it is.
    #[must_use]
    pub fn player(&self) -> Player {
        self.player
    }
}

/// A player's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Roll the dice.
    Roll,
    /// Bank the turn total and pass the dice.
    Hold,
}

impl Game for Pig {
    type State = State;
    type Action = Action;
    type Outcome = Dice;

    fn start(&self) -> State {
        State { first: 0, second: 0, total: 0, player: Player::Max, rolling: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.rolling {
            Turn::Chance
        } else if state.score(state.player) + state.total >= self.target {
            Turn::Over(state.player.sign() * WIN)
        } else {
            Turn::Decide(state.player)
        }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Roll);
        if state.total > 0 {
            out.push(Action::Hold);
        }
    }

    #[inline]
    fn outcomes(&self, _state: &State, out: &mut Vec<Weighted<Dice>>) {
        match self.outcomes {
            Outcomes::Merged => out.extend_from_slice(if self.dice == 1 { &ONE_DIE } else { &TWO_DICE }),
            Outcomes::Pairs => out.extend_from_slice(&PAIRS),
            Outcomes::Rolls => out.extend_from_slice(&ROLLS),
        }
    }

    #[inline]
    fn any_action(&self, state: &State, bits: u64, _room: &mut Vec<Action>) -> Action {
        // The top bit selects one of two actions, if there is a choice.
        if state.total > 0 && bits >> 63 == 1 { Action::Hold } else { Action::Roll }
    }

    #[inline]
    fn draw(&self, _state: &State, bits: u64, _room: &mut Vec<Weighted<Dice>>) -> Dice {
        if self.dice == 1 {
            return ONE_DIE[below(bits, 6) as usize].item;
        }
        let way = below(bits, 36) as usize;
        match self.outcomes {
            Outcomes::Merged => TWO_DICE[usize::from(WAYS[way])].item,
            Outcomes::Pairs => PAIRS[usize::from(PAIR_WAYS[way])].item,
            Outcomes::Rolls => ROLLS[way].item,
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Roll => state.rolling = true,
            Action::Hold => {
                state.set_score(state.player, state.score(state.player) + state.total);
                state.pass();
            }
        }
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: Dice) {
        state.rolling = false;
        match outcome.roll() {
            Roll::Add(points) => state.total += u16::from(points),
            Roll::Bust => state.pass(),
            Roll::Reset => {
                state.set_score(state.player, 0);
                state.pass();
            }
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        let [first, second] = state.scores().map(u64::from);
        let flags = state.player.index() as u64 | u64::from(state.rolling) << 1;
        Key(u128::from(first | second << 16 | u64::from(state.total) << 32 | flags << 48))
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }
}

#[cfg(test)]
mod tests;
