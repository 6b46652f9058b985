//! Where a game starts: the usual position, a random one, or a given one.

use astragal_core::{Notation, SpecError, Values};

/// A parsed `start` parameter.
pub(crate) enum Start<'a> {
    Usual,
    Random(u64),
    Position(&'a str),
}

impl<'a> Start<'a> {
    /// Parses the parameter; `usual` is the word for the usual start.
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
            SpecError(format!("{game}: the seed of start=random({seed}) is not a whole number"))
        })
    }

    /// Parses the start as a position. The error also names the other two forms.
    pub(crate) fn position<G: Notation>(
        name: &str,
        usual: &str,
        game: &G,
        text: &str,
    ) -> Result<G::State, SpecError> {
        game.read_state(text).map_err(|error| {
            SpecError(format!(
                "{name}: start is neither {usual} nor random(SEED) nor a valid position: {error}"
            ))
        })
    }
}
