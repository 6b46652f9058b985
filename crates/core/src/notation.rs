//! Text for people: how states, actions and outcomes are written and read.
//!
//! Separate from [`Game`], which is the hot trait.

use crate::{Game, Picture, Weighted};
use std::fmt;

/// Text that could not be parsed: the input, what is wrong with it, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The kind of input that was expected, such as `position`.
    pub what: &'static str,
    /// The input text.
    pub given: String,
    /// What is wrong and what would be right.
    pub why: String,
}

impl ReadError {
    /// An error about a position.
    pub fn position(given: &str, why: impl Into<String>) -> Self {
        Self { what: "position", given: given.into(), why: why.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}': {}", self.what, self.given.escape_debug(), self.why)
    }
}

impl std::error::Error for ReadError {}

/// Why a game without its own [`Notation::read_state`] reads no position.
pub(crate) const UNREAD: &str = "this game does not read positions";

/// The text form of a game. Whatever is written parses back to the same thing.
///
/// Everything has a default: `impl Notation for MyGame {}` writes the `Debug` form and reads no positions,
/// which is optional.
pub trait Notation: Game {
    /// A state on one line.
    fn write_state(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// Parses a state.
    ///
    /// # Errors
    /// If the text is not a state of this game.
    fn read_state(&self, text: &str) -> Result<Self::State, ReadError> {
        Err(ReadError::position(text, UNREAD))
    }

    /// An action of this state in a word or two.
    fn write_action(&self, _state: &Self::State, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// An action of this state as other programs write it, if they have a notation of their own.
    fn write_plainly(&self, state: &Self::State, action: Self::Action) -> String {
        self.write_action(state, action)
    }

    /// An outcome of this state in a word or two.
    fn write_outcome(&self, _state: &Self::State, outcome: Self::Outcome) -> String {
        format!("{outcome:?}")
    }

    /// Reads an outcome as a person says it who has thrown real dice, such as `3 4`; none if the text names
    /// no dice. Names of outcomes are left to [`Notation::read_outcome`].
    ///
    /// The error says why these dice are not possible, or how to say what is meant.
    fn spoken_outcome(&self, _state: &Self::State, _text: &str) -> Option<Result<Self::Outcome, String>> {
        None
    }

    /// A remark on an outcome of this state for the players, if its name does not say it all.
    fn remark(&self, _state: &Self::State, _outcome: Self::Outcome) -> Option<String> {
        None
    }

    /// A drawing of the state, on one or several lines.
    fn picture(&self, state: &Self::State) -> Picture {
        self.write_state(state).into()
    }

    /// Appends the state as numbers, for learned evaluators and agents: the same number of features for every
    /// state of a game, and different features for different states. The bits of the key by default.
    fn features(&self, state: &Self::State, out: &mut Vec<f32>) {
        let key = self.key(state).0;
        out.extend((0..128).map(|bit| f32::from((key >> bit & 1) as u8)));
    }

    /// Explains why `text` is illegal in this state, if it is legal elsewhere.
    fn why_not(&self, _state: &Self::State, _text: &str) -> Option<String> {
        None
    }

    /// Parses a legal action, ignoring case and surrounding spaces.
    ///
    /// # Errors
    /// If no legal action is written this way; the error says why, if known, and lists the legal ones.
    fn read_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, ReadError> {
        self.legal_action(state, text)
    }

    /// [`Notation::read_action`], restricted to the names that [`Notation::write_action`] writes.
    ///
    /// # Errors
    /// As for [`Notation::read_action`].
    fn legal_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, ReadError> {
        let mut actions = Vec::new();
        self.actions(state, &mut actions);
        choose("action", text, actions, |a| self.write_action(state, a)).map_err(|mut error| {
            if let Some(reason) = self.why_not(state, &text.trim().to_lowercase()) {
                error.why = format!("{reason}; {}", error.why);
            }
            error
        })
    }

    /// Parses a possible outcome, ignoring case and surrounding spaces.
    ///
    /// # Errors
    /// If no possible outcome is written this way; the error lists the possible ones.
    fn read_outcome(&self, state: &Self::State, text: &str) -> Result<Self::Outcome, ReadError> {
        let mut outcomes: Vec<Weighted<Self::Outcome>> = Vec::new();
        self.outcomes(state, &mut outcomes);
        choose("outcome", text, outcomes.into_iter().map(|w| w.item), |o| self.write_outcome(state, o))
    }
}

/// The maximum number of actions or outcomes listed in an error.
const MOST_NAMED: usize = 60;

fn choose<T: Copy>(
    what: &'static str,
    text: &str,
    from: impl IntoIterator<Item = T>,
    write: impl Fn(T) -> String,
) -> Result<T, ReadError> {
    let all: Vec<(String, T)> = from.into_iter().map(|item| (write(item), item)).collect();
    let wanted = text.trim();
    // An exact match wins, so that a game may distinguish `A` from `a`.
    if let Some((_, item)) = all.iter().find(|(name, _)| name == wanted) {
        return Ok(*item);
    }
    let mut alike = all.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
    if let (Some((_, item)), None) = (alike.next(), alike.next()) {
        return Ok(*item);
    }
    let names: Vec<&str> = all.iter().take(MOST_NAMED).map(|(name, _)| name.as_str()).collect();
    let more = match all.len() - names.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Err(ReadError { what, given: text.into(), why: format!("expected one of: {}{more}", names.join(", ")) })
}
