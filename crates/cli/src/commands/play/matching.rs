//! Resolves typed text to an action or outcome.
//!
//! Any text that identifies exactly one of them is understood. A closer kind of match takes precedence: the
//! whole text, then a prefix, then words in any order (`diag` or `d 3` for `3 diagonal`, `10+7` for `pair
//! 7+10`), then any substring. Case and the number of spaces never matter. Dice are the matter of each game,
//! see [`astragal_core::Notation::spoken_outcome`].

/// What a text can mean.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning<'a> {
    /// Exactly this.
    One(&'a str),
    /// Ambiguous: any of these.
    Several(Vec<&'a str>),
    /// No match.
    Nothing,
}

/// How close a match is, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closeness {
    Whole,
    Beginning,
    Words,
    Part,
}

/// Converts to lower case with single spaces.
pub(super) fn plain(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Resolves a text among names, and returns how close the match is.
pub(super) fn understand<'a>(text: &str, names: &'a [String]) -> (Meaning<'a>, Option<Closeness>) {
    let text = plain(text);
    let found: Vec<(Closeness, &str)> =
        names.iter().filter_map(|name| Some((closeness(&text, &plain(name))?, name.as_str()))).collect();
    let best = found.iter().map(|(close, _)| *close).min();
    let found: Vec<&str> =
        found.into_iter().filter(|(close, _)| Some(*close) == best).map(|(_, name)| name).collect();
    let meaning = match found[..] {
        [] => Meaning::Nothing,
        [one] => Meaning::One(one),
        _ => Meaning::Several(found),
    };
    (meaning, best)
}

fn closeness(text: &str, name: &str) -> Option<Closeness> {
    if text.is_empty() {
        None
    } else if text == name {
        Some(Closeness::Whole)
    } else if name.starts_with(text) && holds(name, text) {
        Some(Closeness::Beginning)
    } else if has_words(text, name) {
        Some(Closeness::Words)
    } else if text.chars().nth(1).is_some() && holds(name, text) {
        // A single letter inside a word is more likely a typo.
        Some(Closeness::Part)
    } else {
        None
    }
}

/// Whether the name contains the text without splitting a number: `10` does not contain `1`.
fn holds(name: &str, text: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (first, last) = (text.chars().next(), text.chars().next_back());
    name.match_indices(text).any(|(at, _)| {
        let (before, after) = (name[..at].chars().next_back(), name[at + text.len()..].chars().next());
        !(is_digit(before) && is_digit(first) || is_digit(last) && is_digit(after))
    })
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// Whether every word of the text is a prefix of a different word of the name. Numbers must match exactly.
fn has_words(text: &str, name: &str) -> bool {
    let mut left = words(name);
    let typed = words(text);
    let begins = |word: &str, of: &str| {
        let number = word.bytes().all(|byte| byte.is_ascii_digit());
        if number { word == of } else { of.starts_with(word) }
    };
    !typed.is_empty()
        && typed.into_iter().all(|word| {
            let at = left.iter().position(|of| begins(word, of));
            at.map(|at| left.remove(at)).is_some()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).into()).collect()
    }

    #[track_caller]
    fn means(text: &str, among: &[&str], one: &str) {
        assert_eq!(understand(text, &names(among)).0, Meaning::One(one), "{text}");
    }

    #[test]
    fn parts_that_identify_an_action_are_understood() {
        let moves = ["3 right", "3 down", "3 diagonal"];
        for text in ["diag", "3 diagonal", "3  DIAGONAL ", "3 di", "diagonal", "diag 3", "iag"] {
            means(text, &moves, "3 diagonal");
        }
        means("r", &moves, "3 right");
        assert_eq!(understand("d", &names(&moves)).0, Meaning::Several(vec!["3 down", "3 diagonal"]));
        assert_eq!(understand("3", &names(&moves)).0, Meaning::Several(moves.to_vec()));
        assert_eq!(understand("4", &names(&moves)).0, Meaning::Nothing);
        // A prefix of a number is a different number.
        assert_eq!(understand("1", &names(&["2", "10", "11"])).0, Meaning::Nothing);
        assert_eq!(understand("66", &names(&["6666", "1266"])).0, Meaning::Nothing);
        means("column 1", &["column 1 left", "column 10"], "column 1 left");
        assert_eq!(understand("o", &names(&moves)).0, Meaning::Nothing, "one letter within a word");
    }

    #[test]
    fn pairings_are_understood_by_their_sums() {
        let pairs = ["pair 7+10", "pair 8+9", "pair 6"];
        for text in ["7+10", "10+7", "7 10", "10", "pair 7", "pair  7 + 10"] {
            means(text, &pairs, "pair 7+10");
        }
        means("6", &pairs, "pair 6");
        // A number does not match as a prefix of another one.
        assert_eq!(understand("1", &names(&pairs)).0, Meaning::Nothing);
        assert!(matches!(understand("pair", &names(&pairs)).0, Meaning::Several(all) if all.len() == 3));
    }

    #[test]
    fn closer_matches_win() {
        means("roll", &["roll", "roll again"], "roll");
        means("ho", &["hold", "roll and hold"], "hold");
        means("take", &["take back", "do not take"], "take back");
    }
}
