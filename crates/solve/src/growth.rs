//! Whether the states of a game seem to grow without bound, so that no solver would come to an end.
//!
//! Only a question to the author, never a refusal: that a number has grown for hundreds of steps does not
//! prove that it always will. The numbers are those in the debug text of the states. For each of them one
//! game is played in which every step makes it as large as possible; in a finite game it soon meets its
//! bound, or the game ends.

use crate::{Supervisor, Unsolved};
use astragal_core::{Game, Sampler, Stream, Turn, below};
use std::collections::HashMap;
use std::fmt;

/// A number in the states of a game that keeps growing.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// What grows, by its name in the debug text of a state.
    pub field: String,
    /// Its value in the state to be solved.
    pub from: f64,
    /// The value it has reached.
    pub to: f64,
    /// The number of steps, of players and of chance, that led there.
    pub steps: u32,
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, from, to, steps } = self;
        write!(f, "{field} can grow from {from} to {to} in {steps} steps and grows on: is it bounded?")
    }
}

/// States found before the question is asked: smaller games are solved by then.
const SMALL: usize = 1 << 16;

/// Asks once, as soon as a game has proved large.
#[derive(Default)]
pub(crate) struct Question {
    is_asked: bool,
    growth: Option<Growth>,
}

impl Question {
    /// Asks if this many states make a large game.
    pub(crate) fn consider<G: Game>(
        &mut self,
        game: &G,
        root: &G::State,
        states: usize,
        supervisor: &mut dyn Supervisor,
    ) {
        if states >= SMALL && !self.is_asked {
            self.is_asked = true;
            self.growth = growing(game, root);
            if let Some(growth) = &self.growth {
                supervisor.growing(growth);
            }
        }
    }

    /// Why there is no solution with at most this many states.
    pub(crate) fn too_large<G: Game>(
        &mut self,
        game: &G,
        root: &G::State,
        most: usize,
        supervisor: &mut dyn Supervisor,
    ) -> Unsolved {
        self.consider(game, root, usize::MAX, supervisor);
        match self.growth.clone() {
            Some(growth) => Unsolved::Growing(most, growth),
            None => Unsolved::TooLarge(most),
        }
    }
}

/// A number in the text of a state: the name before it, and how many numbers with that name came earlier; or
/// how many numbers the name has in all, which is the length of a list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Field {
    Number(String, usize),
    Length(String),
}

/// The numbers in a debug text, in the order of the text.
fn numbers(text: &str) -> Vec<(Field, f64)> {
    let is_part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut counts) = (Vec::new(), HashMap::<String, usize>::new());
    let (mut word, mut name) = ("", "");
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let length = if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
            word = &rest[..length];
            length
        } else if digits.starts_with(|c: char| c.is_ascii_digit()) {
            let sign = rest.len() - digits.len();
            let length =
                sign + digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
            if let Ok(number) = rest[..length].parse() {
                let count = counts.entry(name.to_string()).or_default();
                found.push((Field::Number(name.into(), *count), number));
                *count += 1;
            }
            length
        } else {
            // `name: 1` in Rust, `name=1` and `'name': 1` in Python.
            if matches!(first, ':' | '=') {
                name = word;
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    let mut lengths: Vec<_> = counts.into_iter().map(|(name, n)| (Field::Length(name), n as f64)).collect();
    lengths.sort_by(|(one, _), (other, _)| format!("{one:?}").cmp(&format!("{other:?}")));
    found.extend(lengths);
    found
}

fn measure<S: fmt::Debug>(state: &S, field: &Field) -> f64 {
    let mut all = numbers(&format!("{state:?}")).into_iter();
    all.find(|(found, _)| found == field).map_or(f64::NEG_INFINITY, |(_, number)| number)
}

/// The name of a field for people.
fn called<S: fmt::Debug>(field: &Field, state: &S) -> String {
    let of = |name: &str| if name.is_empty() { "the state".into() } else { format!("'{name}'") };
    match field {
        Field::Length(name) => format!("the length of {}", of(name)),
        Field::Number(name, 0) if !name.is_empty() && measure(state, &Field::Length(name.clone())) <= 1.0 => {
            of(name)
        }
        Field::Number(name, at) => format!("number {} of {}", at + 1, of(name)),
    }
}

/// Steps of a random game that shows which numbers vary.
const LOOK: u32 = 64;
/// The most numbers to try.
const FIELDS: usize = 8;
/// Steps of the game that makes a number grow.
const STEPS: u32 = 400;
/// The most successors of a state that are compared.
const BREADTH: usize = 16;

/// A number that keeps growing, if there is one.
fn growing<G: Game>(game: &G, root: &G::State) -> Option<Growth> {
    let sampler = Sampler::new(0);
    let mut stream = sampler.stream(0, 0);
    let (mut seen, mut state) = (Vec::<(Field, f64)>::new(), root.clone());
    let mut varying: Vec<Field> = Vec::new();
    for _ in 0..LOOK {
        for (field, number) in numbers(&format!("{state:?}")) {
            match seen.iter().find(|(known, _)| *known == field) {
                None => seen.push((field, number)),
                Some((_, first)) if *first != number && !varying.contains(&field) => varying.push(field),
                Some(_) => {}
            }
        }
        let next = successors(game, &state, &mut stream);
        state = match next.len() {
            0 => root.clone(),
            count => next[below(stream.bits(), count as u64) as usize].clone(),
        };
    }
    let climbs = varying.into_iter().take(FIELDS).zip(1..);
    climbs.into_iter().find_map(|(field, number)| {
        climb(game, root, &field, &mut sampler.stream(number, 0)).map(|(from, to)| Growth {
            field: called(&field, root),
            from,
            to,
            steps: STEPS,
        })
    })
}

/// Makes a number as large as possible at every step. Returns its first and its last maximum if it grows in
/// every quarter of the game, and in the second half not much less than in the first.
fn climb<G: Game>(game: &G, root: &G::State, field: &Field, stream: &mut Stream) -> Option<(f64, f64)> {
    let mut state = root.clone();
    let mut most = measure(root, field).max(f64::MIN);
    let mut quarters = vec![most];
    for step in 1..=STEPS {
        let next = successors(game, &state, stream);
        // From a random one on, so that ties are broken at random.
        let from = below(stream.bits(), next.len().max(1) as u64) as usize;
        let order = (0..next.len()).map(|at| &next[(from + at) % next.len()]);
        let (value, best) = order
            .map(|next| (measure(next, field), next))
            .reduce(|best, other| if other.0 > best.0 { other } else { best })?;
        most = most.max(value);
        state = best.clone();
        if step % (STEPS / 4) == 0 {
            quarters.push(most);
        }
    }
    let grows = quarters.windows(2).all(|pair| pair[1] > pair[0]);
    let (early, late) = (quarters[2] - quarters[0], quarters[4] - quarters[2]);
    (grows && late >= 0.5 * early).then_some((quarters[0], most))
}

/// Some of the states that may follow without ending the game.
fn successors<G: Game>(game: &G, state: &G::State, stream: &mut Stream) -> Vec<G::State> {
    let after = |step: &dyn Fn(&mut G::State)| {
        let mut next = state.clone();
        step(&mut next);
        next
    };
    let mut next: Vec<G::State> = match game.turn(state) {
        Turn::Over(_) => Vec::new(),
        Turn::Decide(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let chosen = some_of(&actions, stream);
            chosen.into_iter().map(|action| after(&|next| game.apply(next, action))).collect()
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let chosen = some_of(&outcomes, stream);
            chosen.into_iter().map(|outcome| after(&|next| game.resolve(next, outcome.item))).collect()
        }
    };
    next.retain(|next| !matches!(game.turn(next), Turn::Over(_)));
    next
}

/// At most [`BREADTH`] of these.
fn some_of<T: Copy>(all: &[T], stream: &mut Stream) -> Vec<T> {
    if all.len() <= BREADTH {
        return all.to_vec();
    }
    (0..BREADTH).map(|_| all[below(stream.bits(), all.len() as u64) as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, f64)> {
        let named = |(field, number)| match field {
            Field::Number(name, at) => (format!("{name} {at}"), number),
            Field::Length(name) => (format!("#{name}"), number),
        };
        numbers(text).into_iter().map(named).collect()
    }

    #[test]
    fn numbers_are_found_in_the_texts_of_both_languages() {
        let pairs =
            |all: &[(&str, f64)]| all.iter().map(|(name, n)| (name.to_string(), *n)).collect::<Vec<_>>();
        assert_eq!(
            found("State { total: 12, p1: [-3, 4.5], at: Some(Max) }"),
            pairs(&[("total 0", 12.0), ("p1 0", -3.0), ("p1 1", 4.5), ("#p1", 2.0), ("#total", 1.0)])
        );
        assert_eq!(found("State(total=12)"), pairs(&[("total 0", 12.0), ("#total", 1.0)]));
        assert_eq!(found("{'total': 12}"), pairs(&[("total 0", 12.0), ("#total", 1.0)]));
        assert_eq!(found("(5, 'p1', 7)"), pairs(&[(" 0", 5.0), (" 1", 7.0), ("#", 2.0)]));
        assert_eq!(found("nothing · 'é"), pairs(&[]));
    }
}
