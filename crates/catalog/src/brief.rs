//! Short forms of complete spec strings: without the parameters that have their default values.

use crate::engines::engine_info;
use crate::games::game_info;
use astragal_core::{Known, Param, Spec, SpecError, Values};

/// A game's spec without the parameters that have their default values.
///
/// Anything but a complete spec of this version is returned unchanged, so different complete specs stay
/// different.
#[must_use]
pub fn brief_game(spec: &str) -> String {
    let short = || {
        let parsed = Spec::parse(spec)?;
        brief(spec, &parsed, game_info(&parsed.name)?.info.params, &Known::default())
    };
    short().unwrap_or_else(|_: SpecError| spec.into())
}

/// An engine's spec for a game, without the parameters that have their default values there.
///
/// Anything but a complete spec of this version is returned unchanged, so different complete specs stay
/// different.
#[must_use]
pub fn brief_engine(spec: &str, game: &str) -> String {
    match Spec::parse(game).and_then(|game| game_info(&game.name)) {
        Ok(game) => brief_for(spec, &game.known),
        Err(_) => spec.into(),
    }
}

/// An engine's spec without the parameters that have their default values in a game with these names.
pub(crate) fn brief_for(spec: &str, known: &Known) -> String {
    let short = || {
        let parsed = Spec::parse(spec)?;
        brief(spec, &parsed, engine_info(&parsed.name)?.params, known)
    };
    short().unwrap_or_else(|_: SpecError| spec.into())
}

fn brief(text: &str, spec: &Spec, params: &[Param], known: &Known) -> Result<String, SpecError> {
    let complete = |spec: &Spec| Values::resolve(spec, params, known).map(|values| values.spec());
    if complete(spec)? != text {
        return Ok(text.into());
    }
    let mut short = spec.clone();
    for (key, _) in &spec.args {
        let mut without = short.clone();
        without.args.retain(|(other, _)| other != key);
        // Leaving out a parameter without a default is an error here.
        if complete(&without).is_ok_and(|spec| spec == text) {
            short = without;
        }
    }
    Ok(short.to_string())
}
