//! Where a game begins: as usual, by lot, or at a position.

use astragal_core::{Notation, SpecError, Values};

/// What the parameter `start` of a game says.
pub(crate) enum Start<'a> {
    Usual,
    Random(u64),
    Position(&'a str),
}

impl<'a> Start<'a> {
    /// Reads the parameter, where this word is the usual start.
    pub(crate) fn read(game: &str, usual: &str, values: &'a Values) -> Result<Self, SpecError> {
        let text = values.text("start");
        if text == usual {
            return Ok(Self::Usual);
        }
        let Some(seed) = text.strip_prefix("random(").and_then(|rest| rest.strip_suffix(')')) else {
            return Ok(Self::Position(text));
        };
        seed.trim().parse().map(Self::Random).map_err(|_| {
            let seed = seed.escape_debug();
            SpecError(format!("{game}: start=random({seed}) has no whole number as its seed"))
        })
    }

    /// The position that is neither of the two words.
    pub(crate) fn position<G: Notation>(
        name: &str,
        usual: &str,
        game: &G,
        text: &str,
    ) -> Result<G::State, SpecError> {
        game.read_state(text).map_err(|error| {
            SpecError(format!("{name}: start is neither {usual} nor random(SEED), and as a {error}"))
        })
    }
}
