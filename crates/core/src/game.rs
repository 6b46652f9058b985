//! What the author of a game implements: states, actions, outcomes and the player to act.
//!
//! Not here: text for people (see `notation.rs`) and values of unfinished states (see `evaluator.rs`). The
//! shape is the tuple of *Monte Carlo \*-Minimax Search*, section 2, with one difference: the chance event
//! that follows an action is a state of its own, so that it can be inspected, sampled and stored.

use crate::{Interval, Key, below, unit};
use std::fmt::Debug;
use std::ops::ControlFlow;

/// One of the two sides. Every value in Astragal is a value for [`Player::Max`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Player 1, who prefers large values.
    Max,
    /// Player 2, who prefers small values.
    Min,
}

impl Player {
    /// The other side.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }

    /// +1 for Max and −1 for Min: the factor from a value "for this player" to a value for Max.
    #[inline]
    #[must_use]
    pub fn sign(self) -> f64 {
        match self {
            Self::Max => 1.0,
            Self::Min => -1.0,
        }
    }

    /// 0 for Max and 1 for Min.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::Max => 0,
            Self::Min => 1,
        }
    }

    /// Whether this player prefers `a` to `b`.
    #[inline]
    #[must_use]
    pub fn prefers(self, a: f64, b: f64) -> bool {
        match self {
            Self::Max => a > b,
            Self::Min => a < b,
        }
    }

    /// The name used in positions and reports: `p1` or `p2`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "p1",
            Self::Min => "p2",
        }
    }

    /// Parses a player's name; the inverse of [`Player::name`].
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "p1" => Some(Self::Max),
            "p2" => Some(Self::Min),
            _ => None,
        }
    }
}

/// Who acts in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// A player chooses one of the actions.
    Decide(Player),
    /// One of the outcomes happens.
    Chance,
    /// The game is over, with this payoff for Max.
    Over(f64),
}

impl Turn {
    /// Who acts, in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Decide(player) => player.name(),
            Self::Chance => "chance",
            Self::Over(_) => "over",
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Turn {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// An item with its probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighted<T> {
    /// The item.
    pub item: T,
    /// Its probability, above 0 and at most 1.
    pub weight: f64,
}

/// A finite two-player zero-sum game of perfect information, with or without chance.
///
/// The game itself is a value: its parameters are its fields, and its states are plain data without a pointer
/// back to it. [`contract::check_game`](crate::contract::check_game) tests the promises below.
pub trait Game: Send + Sync {
    /// A state. Searches clone states instead of undoing moves, so it should be small.
    type State: Clone + Eq + Debug + Send + Sync;
    /// A choice of a player.
    type Action: Copy + Eq + Debug + Send + Sync;
    /// A result of chance. A separate type, because chance never "plays".
    type Outcome: Copy + Eq + Debug + Send + Sync;

    /// The initial state.
    fn start(&self) -> Self::State;

    /// A random initial state for this seed, if the game has any: matches of games without chance need
    /// different ones.
    fn deal(&self, _seed: u64) -> Option<Self::State> {
        None
    }

    /// Who acts in this state.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Pushes the legal actions of a decision state: at least one, no repeats, in one fixed order.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Pushes the outcomes of a chance state: no repeats, with positive weights that sum to 1, in one fixed
    /// order. Events that the rules do not distinguish should be merged into one outcome, which saves a
    /// search from visiting each; a game may keep them separate to let users measure that cost. Games without
    /// chance can keep the default.
    fn outcomes(&self, _state: &Self::State, _out: &mut Vec<Weighted<Self::Outcome>>) {}

    /// Draws one of the outcomes of a chance state from 64 random bits, by inverting the cumulative weights
    /// in the order of the outcomes. A game that can draw without listing all outcomes should do so here: the
    /// speed of playouts depends on it. `room` is scratch space for the list; its contents before and after
    /// are unspecified.
    #[inline]
    fn draw(&self, state: &Self::State, bits: u64, room: &mut Vec<Weighted<Self::Outcome>>) -> Self::Outcome {
        room.clear();
        self.outcomes(state, room);
        pick(room, unit(bits)).item
    }

    /// Draws one of the legal actions from 64 random bits: the one at index [`below`] of the list. A game
    /// that can find it without listing all should do so here: the speed of playouts depends on it. `room` is
    /// scratch space for the list.
    #[inline]
    fn any_action(&self, state: &Self::State, bits: u64, room: &mut Vec<Self::Action>) -> Self::Action {
        room.clear();
        self.actions(state, room);
        room[below(bits, room.len() as u64) as usize]
    }

    /// Calls `see` with the legal actions, in the order of [`Game::actions`], until it breaks. A game that
    /// can find them one by one should do so here: a search that prunes often needs only the first. `room` is
    /// a stack for lists, also for those that `see` makes in turn; everybody leaves it as it was.
    #[inline]
    fn each_action<B>(
        &self,
        state: &Self::State,
        room: &mut Vec<Self::Action>,
        mut see: impl FnMut(&mut Vec<Self::Action>, Self::Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let from = room.len();
        self.actions(state, room);
        let flow = (from..room.len()).try_for_each(|at| {
            let action = room[at];
            see(room, action)
        });
        room.truncate(from);
        flow
    }

    /// Turns a decision state into the state after the action.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Turns a chance state into the state after the outcome. Games without chance can keep the default.
    fn resolve(&self, _state: &mut Self::State, outcome: Self::Outcome) {
        panic!("contract: the outcome {outcome:?} of a game that resolves none");
    }

    /// A key that two states share exactly if they are equal. With up to 128 bits most games can pack the
    /// whole state, which makes this certain rather than merely likely.
    fn key(&self, state: &Self::State) -> Key;

    /// An interval that contains every payoff and every evaluation.
    fn range(&self) -> Interval;

    /// An interval that contains every payoff still reachable from this state, inside the bounds of every
    /// earlier state. Star pruning depends on it: tighten it where the game knows better.
    #[inline]
    fn bounds(&self, _state: &Self::State) -> Interval {
        self.range()
    }

    /// How promising an action looks at a glance for the player to act: larger values are tried earlier. The
    /// order affects only the work of the \*-Minimax searches, never their results; progressive widening adds
    /// the most promising actions first, so its results do depend on it.
    #[inline]
    fn promise(&self, _state: &Self::State, _action: Self::Action) -> i32 {
        0
    }

    /// Whether an action changes so much that a static value of the state before it means little: a capture,
    /// say, or an action after which the same player moves again. Alpha-beta tries such actions early, and
    /// quiescence search does not stop before them.
    #[inline]
    fn is_forcing(&self, _state: &Self::State, _action: Self::Action) -> bool {
        false
    }

    /// Whether the player to act faces a threat at which a search should not stop, such as a check in chess.
    #[inline]
    fn is_threatened(&self, _state: &Self::State) -> bool {
        false
    }

    /// The state after the player to act passes, if passing is never the best choice. A position that is
    /// still good enough after a pass need not be searched: null-move pruning in alpha-beta.
    #[inline]
    fn passed(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }

    /// A small index for an action, equal for actions that tend to be good in the same kind of state, such as
    /// the square moved to. Alpha-beta indexes its history of cuts by it.
    #[inline]
    fn slot(&self, _state: &Self::State, _action: Self::Action) -> usize {
        0
    }

    /// The unique best action under perfect play, if the game was constructed so that it is known; a search's
    /// decisions can then be scored.
    #[inline]
    fn known_best(&self, _state: &Self::State) -> Option<Self::Action> {
        None
    }

    /// Whether chance states can occur at all. Searches for games without chance check this before they
    /// start.
    fn has_chance(&self) -> bool {
        true
    }
}

/// The outcome whose share of [0, 1) contains `number`.
///
/// # Panics
/// If there is no outcome.
pub fn pick<T: Copy>(outcomes: &[Weighted<T>], number: f64) -> Weighted<T> {
    let mut sum = 0.0;
    for outcome in outcomes {
        sum += outcome.weight;
        if number < sum {
            return *outcome;
        }
    }
    *outcomes.last().expect("contract: a chance state offers no outcome")
}
