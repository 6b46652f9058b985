//! Text for people: how states, actions and outcomes are written and read.
//!
//! Kept out of [`Game`], which is the hot trait.

use crate::{Game, Picture, Weighted};
use std::fmt;

/// Text that could not be read: what was given, what is wrong with it, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The kind of thing that was expected, such as `position`.
    pub what: &'static str,
    /// The text as it was given.
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

/// The text form of a game. What is written reads back as the same thing.
///
/// Everything has a default: `impl Notation for MyGame {}` writes what `Debug` does, and reads no positions.
pub trait Notation: Game {
    /// A state in one line.
    fn write_state(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }

    /// Parses a state.
    ///
    /// # Errors
    /// If the text is not a state of this game.
    fn read_state(&self, text: &str) -> Result<Self::State, ReadError> {
        Err(ReadError::position(text, "this game does not read positions"))
    }

    /// An action of this state in a word or two.
    fn write_action(&self, _state: &Self::State, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// An action of this state as other programs write it, where they have a notation of their own.
    fn write_plainly(&self, state: &Self::State, action: Self::Action) -> String {
        self.write_action(state, action)
    }

    /// An outcome of this state in a word or two.
    fn write_outcome(&self, _state: &Self::State, outcome: Self::Outcome) -> String {
        format!("{outcome:?}")
    }

    /// What else a player should hear of an outcome of this state, if its name does not say it all.
    fn remark(&self, _state: &Self::State, _outcome: Self::Outcome) -> Option<String> {
        None
    }

    /// A drawing of the state, of one or several lines.
    fn picture(&self, state: &Self::State) -> Picture {
        self.write_state(state).into()
    }

    /// Appends the state as numbers, for evaluators that learn and for agents: as many for every state of a
    /// game, and not the same for two different states. The bits of the key unless a game says more.
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
    /// If no legal action is written so; the error says why not, if that is known, and lists those that are
    /// legal.
    fn read_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, ReadError> {
        self.legal_action(state, text)
    }

    /// [`Notation::read_action`] by the words of [`Notation::write_action`] alone.
    ///
    /// # Errors
    /// As there.
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
    /// If no possible outcome is written so; the error lists those that are possible.
    fn read_outcome(&self, state: &Self::State, text: &str) -> Result<Self::Outcome, ReadError> {
        let mut outcomes: Vec<Weighted<Self::Outcome>> = Vec::new();
        self.outcomes(state, &mut outcomes);
        choose("outcome", text, outcomes.into_iter().map(|w| w.item), |o| self.write_outcome(state, o))
    }
}

/// The most actions or outcomes that an error names.
const MOST_NAMED: usize = 60;

fn choose<T: Copy>(
    what: &'static str,
    text: &str,
    from: impl IntoIterator<Item = T>,
    write: impl Fn(T) -> String,
) -> Result<T, ReadError> {
    let all: Vec<(String, T)> = from.into_iter().map(|item| (write(item), item)).collect();
    let wanted = text.trim();
    // Exact spelling wins, so that a game may tell `A` from `a`.
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
