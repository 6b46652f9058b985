//! Arbitrary text, fed to everything that parses text: positions, actions, outcomes, specs.
//!
//! Nothing may panic, whatever the input. A position that is accepted must be valid in every respect: it can
//! be written and read back, drawn, and played on from, and every position that follows by the rules is
//! accepted as well. Every listed game is covered, with each numeric parameter at both ends of its range.

use crate::texts::{CHARACTERS, Stream, arbitrary, scaled};
use astragal_catalog::{AnyGame, Kind, Position, Spec, engines, game, games};
use astragal_core::Turn;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs something that must not panic, and reports the text on which it did.
fn survives<T>(what: &str, given: &str, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| panic!("{what} panics on {given:?}"))
}

/// Every game, with each of its parameters at its minimum and maximum where such a game exists.
fn specs() -> Vec<String> {
    let mut all = Vec::new();
    for info in games() {
        let needed =
            info.info.params.iter().find(|param| param.kind == Kind::File && param.default.is_none());
        let first = needed.map(|param| {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/figure1.json");
            format!("{}=\"{}\"", param.name, file.replace('\\', "\\\\"))
        });
        let with = |more: Option<String>| {
            let args: Vec<String> = first.iter().cloned().chain(more).collect();
            format!("{}({})", info.info.name, args.join(","))
        };
        all.push(with(None));
        for param in info.info.params {
            let values = match param.kind {
                Kind::Int(lo, hi) => vec![lo.to_string(), hi.to_string()],
                Kind::Choice(words) => words.iter().map(ToString::to_string).collect(),
                Kind::Flag => vec!["on".into(), "off".into()],
                Kind::File | Kind::Text | Kind::Evaluator | Kind::Policy => Vec::new(),
                Kind::Count(lo, hi) => vec![lo.to_string(), hi.to_string(), "inf".into()],
                Kind::Real(lo, hi) => vec![lo.to_string(), hi.to_string()],
                Kind::Variant(variants) => variants.iter().map(|v| v.name.to_string()).collect(),
            };
            for value in values.into_iter().filter(|value| Some(value.as_str()) != param.default) {
                all.push(with(Some(format!("{}={value}", param.name))));
            }
        }
    }
    all
}

/// Numbers that tend to break parsers.
const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "13",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "4294967296",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "-1",
    "+1",
    "007",
    "1.5",
    "1e400",
];

/// A text with random changes.
fn mutated(stream: &mut Stream, text: &str, others: &[String]) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + stream.below(2) * stream.below(4) {
        text = change(stream, &text, others);
    }
    text
}

fn change(stream: &mut Stream, text: &str, others: &[String]) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let (at, other) = (stream.below(characters.len()), stream.below(characters.len()));
    match stream.below(16) {
        0 | 1 if !characters.is_empty() => drop(characters.remove(at)),
        2 => characters.insert(at, *stream.of(&CHARACTERS)),
        3 if !characters.is_empty() => characters[at] = *stream.of(&CHARACTERS),
        4 if !characters.is_empty() => characters[at] = characters[other],
        5 => characters.truncate(at),
        6 => return text.to_uppercase(),
        7 => return format!("{text}{}", stream.of(others)),
        8 => return arbitrary(stream, text),
        9..=12 => return reworded(stream, text, others),
        // Often a number, since a changed number still fits the format. Boards have no numbers except for the
        // contents of their squares.
        _ if text.contains(|c: char| c.is_ascii_digit()) && stream.below(3) > 0 => {
            return renumbered(stream, text);
        }
        _ if !characters.is_empty() => characters.swap(at, other),
        _ => {}
    }
    characters.into_iter().collect()
}

/// Repeats, removes or swaps words or list elements, or replaces one by its counterpart in another text: a
/// mixture of two reachable positions is often unreachable.
fn reworded(stream: &mut Stream, text: &str, others: &[String]) -> String {
    let separators: Vec<char> = [' ', ' ', ',', '/'].into_iter().filter(|&c| text.contains(c)).collect();
    let separator = if separators.is_empty() { ' ' } else { *stream.of(&separators) };
    let mut words: Vec<&str> = text.split(separator).collect();
    let (at, other) = (stream.below(words.len()), stream.below(words.len()));
    match stream.below(8) {
        0 => words.insert(other, words[at]),
        1 => drop(words.remove(at)),
        2 => words.swap(at, other),
        _ => words[at] = stream.of(others).split(separator).nth(at).unwrap_or(""),
    }
    words.join(&separator.to_string())
}

/// Replaces one of the numbers in a text.
fn renumbered(stream: &mut Stream, text: &str) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match runs.last_mut() {
            _ if !byte.is_ascii_digit() => {}
            Some((_, end)) if *end == at => *end += 1,
            _ => runs.push((at, at + 1)),
        }
    }
    let (from, to) = *stream.of(&runs);
    let number = match (stream.below(3), text[from..to].parse::<u64>()) {
        (0, Ok(number)) => number.saturating_add(1).to_string(),
        (1, Ok(number)) => number.saturating_sub(1).to_string(),
        _ => (*stream.of(&NUMBERS)).to_string(),
    };
    format!("{}{number}{}", &text[..from], &text[to..])
}

/// Takes one step, by chance or a random action; none if the game is over.
fn step(stream: &mut Stream, at: &dyn Position) -> Option<Box<dyn Position>> {
    match at.turn() {
        Turn::Over(_) => None,
        Turn::Chance => Some(at.chance(stream.unit()).expect("it is chance's turn").1),
        Turn::Decide(_) => {
            let action = stream.of(&at.actions()).clone();
            Some(at.act(&action).expect("it is legal"))
        }
    }
}

/// Texts of positions that come up in play.
fn positions(stream: &mut Stream, game: &dyn AnyGame) -> Vec<String> {
    let mut texts = Vec::new();
    for _ in 0..10 {
        let mut at = game.start();
        for _ in 0..200 {
            texts.push(at.text());
            match step(stream, &*at) {
                Some(next) => at = next,
                None => break,
            }
        }
    }
    texts
}

/// Reads a position back from its own text.
fn again(game: &dyn AnyGame, position: &dyn Position) {
    let text = position.text();
    assert!(!text.contains('\n'), "{text:?} has more than one line");
    let read = game.read(&text).unwrap_or_else(|error| panic!("{text:?} is written but not read: {error}"));
    assert_eq!(read.text(), text);
    assert_eq!(read.picture(), position.picture(), "{text}");
    assert_eq!(read.turn(), position.turn(), "{text}");
}

/// All items, or about a hundred if there are more.
fn some<T>(items: &[T]) -> impl Iterator<Item = &T> {
    items.iter().step_by(items.len().div_ceil(100))
}

/// Checks that an accepted position is valid, and plays on from it.
fn sound(stream: &mut Stream, game: &dyn AnyGame, position: &dyn Position) {
    let text = position.text();
    again(game, position);
    assert!(!position.picture().is_empty(), "{text}");
    let (actions, outcomes) = (position.actions(), position.outcomes());
    match position.turn() {
        Turn::Over(payoff) => assert!(game.range().contains(payoff), "{text}: {payoff}"),
        Turn::Decide(_) => {
            assert!(!actions.is_empty(), "{text}: nothing to do");
            for action in some(&actions) {
                again(game, &*position.act(action).unwrap_or_else(|error| panic!("{text}: {error}")));
            }
        }
        Turn::Chance => {
            assert!(!outcomes.is_empty(), "{text}: nothing can happen");
            let sum: f64 = outcomes.iter().map(|outcome| outcome.weight).sum();
            assert!((sum - 1.0).abs() < 1e-12 && outcomes.iter().all(|o| o.weight > 0.0), "{text}: {sum}");
            for outcome in some(&outcomes) {
                let after = position.resolve(&outcome.item).unwrap_or_else(|error| panic!("{text}: {error}"));
                again(game, &*after);
            }
        }
    }
    // Actions and outcomes may be nonsense as well.
    let said: Vec<String> =
        actions.into_iter().chain(outcomes.into_iter().map(|outcome| outcome.item)).collect();
    for _ in 0..6 {
        let word = match said.is_empty() {
            true => arbitrary(stream, &text),
            false => {
                let word = stream.of(&said).clone();
                mutated(stream, &word, &said)
            }
        };
        for answer in [position.act(&word), position.resolve(&word)] {
            match answer {
                Ok(after) => again(game, &*after),
                Err(error) => assert!(!error.to_string().contains('\n'), "{word:?}: {error}"),
            }
        }
    }
    let mut at = position.duplicate();
    for number in 0..200 {
        // Not after every step: some texts are long.
        if number < 5 || stream.below(10) == 0 {
            again(game, &*at);
        }
        match step(stream, &*at) {
            Some(next) => at = next,
            None => break,
        }
    }
}

#[test]
fn any_text_is_a_sound_position_or_refused() {
    for (number, spec) in specs().iter().enumerate() {
        let mut stream = Stream(number as u64);
        // Not every value is compatible with the defaults of the other parameters.
        let Ok(game) = game(spec) else { continue };
        let texts = positions(&mut stream, &*game);
        let (mut accepted, cases) = (0, scaled(500));
        for case in 0..cases {
            let text = match case % 10 {
                0 => arbitrary(&mut stream, &texts[0]),
                _ => {
                    let text = stream.of(&texts).clone();
                    mutated(&mut stream, &text, &texts)
                }
            };
            match survives(spec, &text, || game.read(&text)) {
                Ok(position) => {
                    accepted += 1;
                    survives(spec, &text, || sound(&mut stream, &*game, &*position));
                }
                Err(error) => assert!(!error.to_string().contains('\n'), "{text:?}: {error}"),
            }
        }
        assert!(accepted * 100 > cases, "{spec}: only {accepted} of {cases} texts got past the reader");
    }
}

#[test]
fn any_text_is_a_spec_that_means_itself_or_refused() {
    let mut stream = Stream(1);
    let mut texts = specs();
    for spec in &specs() {
        texts.extend(game(spec).map(|game| game.spec().to_string()));
    }
    let pig = game("pig").unwrap();
    // `optimal` solves the game, `solved` reads a file, and `uci` starts a program.
    let players: Vec<String> = engines()
        .filter(|engine| !["optimal", "solved", "uci"].contains(&engine.name))
        .flat_map(|engine| {
            let full = pig.engine(engine.name).map(|built| built.spec().to_string());
            [engine.name.to_string()].into_iter().chain(full)
        })
        .collect();
    texts.extend(players.iter().cloned());
    let mut built = 0;
    for case in 0..scaled(3000) {
        let text = match case % 10 {
            0 => arbitrary(&mut stream, "pig(dice=1,target=\"50\")"),
            _ => {
                let text = stream.of(&texts).clone();
                mutated(&mut stream, &text, &texts)
            }
        };
        let spec = match survives("Spec::parse", &text, || Spec::parse(&text)) {
            Ok(spec) => spec,
            Err(error) => {
                assert!(!error.to_string().contains('\n'), "{text:?}: {error}");
                continue;
            }
        };
        assert_eq!(Spec::parse(&spec.to_string()).as_ref(), Ok(&spec), "{text:?}");
        match survives("game", &text, || game(&text)) {
            Ok(first) => {
                built += 1;
                assert_eq!(game(first.spec()).expect("its own spec").spec(), first.spec());
                assert!(!first.start().text().is_empty());
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{text:?}: {error}"),
        }
        // A table of 16 GiB is a legitimate request, but not in this test.
        let large = |(key, value): &(String, String)| key == "table_mib" && value.len() > 2;
        if ["optimal", "solved", "uci"].contains(&spec.name.as_str()) || spec.args.iter().any(large) {
            continue;
        }
        match survives("engine", &text, || pig.engine(&text)) {
            Ok(first) => {
                built += 1;
                assert_eq!(pig.engine(first.spec()).expect("its own spec").spec(), first.spec());
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{text:?}: {error}"),
        }
    }
    assert!(built > 100, "only {built} specs got past the reader");
}
