//! The checks that every game, notation and evaluator must pass.
//!
//! Random play from many seeds visits states and tests every promise of [`Game`], [`Notation`] and
//! [`Evaluator`] at each of them. A game's first unit test is one call of these checks. They return a
//! [`Breach`] instead of panicking, so that the harness itself can be tested on games that break a promise.

use crate::notation::UNREAD;
use crate::{
    Evaluator, Game, Interval, Key, Luck, Notation, Player, Sampler, Turn, Weighted, below, estimate, pick,
    unit,
};
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::ops::ControlFlow;

/// A broken promise, and where it was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach(pub String);

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "contract: {}", self.0)
    }
}

impl std::error::Error for Breach {}

/// The extent of random play: how many games, from which seed, how long each may last, and whether one must
/// end.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// Games to play.
    pub games: u32,
    /// The number of states after which a game is abandoned.
    pub length: u32,
    /// The seed of all choices.
    pub seed: u64,
    /// Whether [`check_game`] accepts that none of the games ends: they are longer than that, or endless.
    /// Otherwise this is a breach, because it mostly means that the end is never reported.
    pub unfinished: bool,
}

impl Default for Play {
    fn default() -> Self {
        Self { games: 100, length: 2000, seed: 1, unfinished: false }
    }
}

/// What random play visited, so that a test can check that it covered enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visited {
    /// Games that ended.
    pub finished: u32,
    /// Decision states.
    pub decisions: u64,
    /// Chance states.
    pub chances: u64,
    /// Distinct states.
    pub distinct: usize,
}

macro_rules! require {
    ($holds:expr, $($message:tt)+) => {{
        let holds: bool = $holds;
        if !holds {
            return Err(Breach(format!($($message)+)));
        }
    }};
}

/// How breaches write states, actions and outcomes: as a debugger shows them, or as the game's notation does.
struct Words<G: Game> {
    state: fn(&G, &G::State) -> String,
    action: fn(&G, &G::State, G::Action) -> String,
    outcome: fn(&G, &G::State, G::Outcome) -> String,
}

impl<G: Game> Words<G> {
    fn of_debug() -> Self {
        Self {
            state: |_, state| format!("{state:?}"),
            action: |_, _, action| format!("{action:?}"),
            outcome: |_, _, outcome| format!("{outcome:?}"),
        }
    }

    fn of_notation() -> Self
    where
        G: Notation,
    {
        Self { state: G::write_state, action: G::write_action, outcome: G::write_outcome }
    }

    /// Two states that are to be told apart: if they are written alike, the debug form may show more.
    fn two_states(&self, game: &G, one: &G::State, other: &G::State) -> [String; 2] {
        match [one, other].map(|state| (self.state)(game, state)) {
            [first, second] if first == second => [one, other].map(|state| format!("{state:?}")),
            different => different,
        }
    }
}

/// Plays random games and passes every state visited, with who acts in it, to `look`.
///
/// # Errors
/// The first error that `look` returns, or a state without actions or outcomes.
pub fn walk<G: Game>(
    game: &G,
    play: Play,
    mut look: impl FnMut(&G::State, Turn) -> Result<(), Breach>,
) -> Result<Visited, Breach> {
    let sampler = Sampler::new(play.seed);
    let mut visited = Visited::default();
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    for number in 0..play.games {
        let mut state = game.start();
        for step in 0..play.length {
            let turn = game.turn(&state);
            look(&state, turn)?;
            let bits = sampler.draw(u64::from(number), 0, step);
            match turn {
                Turn::Over(_) => {
                    visited.finished += 1;
                    break;
                }
                Turn::Decide(_) => {
                    visited.decisions += 1;
                    actions.clear();
                    game.actions(&state, &mut actions);
                    require!(!actions.is_empty(), "no action in {state:?}");
                    let action = actions[below(bits, actions.len() as u64) as usize];
                    game.apply(&mut state, action);
                }
                Turn::Chance => {
                    visited.chances += 1;
                    outcomes.clear();
                    game.outcomes(&state, &mut outcomes);
                    require!(!outcomes.is_empty(), "no outcome in {state:?}");
                    // Half of the games follow the weights and half choose uniformly, so that rare outcomes
                    // are visited.
                    let outcome = if number % 2 == 0 {
                        pick(&outcomes, unit(bits)).item
                    } else {
                        outcomes[below(bits, outcomes.len() as u64) as usize].item
                    };
                    game.resolve(&mut state, outcome);
                }
            }
        }
    }
    Ok(visited)
}

/// Checks the promises of [`Game`].
///
/// # Errors
/// The first promise found broken.
pub fn check_game<G: Game>(game: &G, play: Play) -> Result<Visited, Breach> {
    check_rules(game, play, &Words::of_debug())
}

/// [`check_game`] for a game with a [`Notation`]: a breach writes states, actions and outcomes in it.
///
/// # Errors
/// The first promise of [`Game`] found broken.
pub fn check_game_in_notation<G: Notation>(game: &G, play: Play) -> Result<Visited, Breach> {
    check_rules(game, play, &Words::of_notation())
}

fn check_rules<G: Game>(game: &G, play: Play, words: &Words<G>) -> Result<Visited, Breach> {
    let range = game.range();
    require!(range.width().is_finite(), "the range {range} is not finite");
    require!(range.width() > 0.0, "the range {range} has no width");
    let mut identities = Identities::default();
    let mut last = None;
    let mut visited = walk(game, play, |state, turn| {
        let here = || (words.state)(game, state);
        identities.admit(game, state, words)?;
        check_turn(game, state, turn, words)?;
        let bounds = game.bounds(state);
        require!(range.covers(&bounds), "bounds {bounds} outside the range {range} in {}", here());
        let again = game.bounds(state);
        require!(
            again == bounds,
            "the bounds change between two calls: {bounds}, then {again}, in {}",
            here()
        );
        last = Some(state.clone());
        match turn {
            Turn::Over(payoff) => {
                require!(range.contains(payoff), "payoff {payoff} outside the range {range} in {}", here());
                require!(
                    bounds.contains(payoff),
                    "payoff {payoff} outside the bounds {bounds} in {}",
                    here()
                );
                Ok(())
            }
            Turn::Decide(_) => check_decision(game, state, bounds, words),
            Turn::Chance => check_chance(game, state, bounds, words),
        }
    })?;
    visited.distinct = identities.by_key.len();
    if let Some(last) = last {
        let Play { games, length, unfinished, .. } = play;
        require!(
            unfinished || visited.finished > 0,
            "none of {games} random games ended within {length} states each, {} different ones in all, the last one \
             {}: does `turn` ever say that the game is over, and do `apply` and `resolve` change the state? Set \
             `unfinished` to check a game that is longer or has no end",
            visited.distinct,
            (words.state)(game, &last)
        );
    }
    Ok(visited)
}

/// Checks that it is always the same player's turn, or the end with the same payoff.
fn check_turn<G: Game>(game: &G, state: &G::State, turn: Turn, words: &Words<G>) -> Result<(), Breach> {
    let again = game.turn(state);
    let is_same = match (turn, again) {
        // Of a payoff that is not a number, the range will complain.
        (Turn::Over(one), Turn::Over(other)) => one.to_bits() == other.to_bits(),
        _ => turn == again,
    };
    let here = || (words.state)(game, state);
    require!(is_same, "the turn changes between two calls: {turn:?}, then {again:?}, in {}", here());
    Ok(())
}

fn check_decision<G: Game>(
    game: &G,
    state: &G::State,
    bounds: Interval,
    words: &Words<G>,
) -> Result<(), Breach> {
    let here = || (words.state)(game, state);
    let named = |action| (words.action)(game, state, action);
    let all_named =
        |actions: &[G::Action]| actions.iter().map(|&action| named(action)).collect::<Vec<_>>().join(", ");
    let (mut actions, mut again) = (Vec::new(), Vec::new());
    game.actions(state, &mut actions);
    require!(!actions.is_empty(), "no action in {}", here());
    no_repeats("action", &actions, named, here)?;
    // The call must append to a list that is not empty, without clearing or reading it.
    again.push(actions[0]);
    game.actions(state, &mut again);
    require!(
        again.get(1..) == Some(&actions[..]),
        "the actions change between two calls in {}{}",
        here(),
        hint_at_the_list("actions")
    );
    for (at, &action) in actions.iter().enumerate() {
        // The smallest and the largest bits that select this action.
        let edge = |at: usize| ((at as u128) << 64).div_ceil(actions.len() as u128);
        for bits in [edge(at), edge(at + 1) - 1] {
            let drawn = game.any_action(state, bits as u64, &mut again);
            require!(
                drawn == action,
                "{} is drawn with {bits}, not {}, in {}",
                named(drawn),
                named(action),
                here()
            );
        }
    }
    // Stopped at each action, and not at all.
    for count in 1..=actions.len() + 1 {
        let (mut seen, mut room) = (Vec::new(), vec![actions[0]]);
        let flow = game.each_action(state, &mut room, |room, action| {
            room.push(action);
            seen.push(action);
            room.pop();
            if seen.len() == count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let wanted = &actions[..count.min(actions.len())];
        require!(
            seen == wanted,
            "one by one the actions are [{}], not [{}], in {}",
            all_named(&seen),
            all_named(wanted),
            here()
        );
        require!(
            flow.is_break() == (count <= actions.len()),
            "each_action does not say whether it was stopped in {}",
            here()
        );
        require!(
            room == actions[..1],
            "each_action leaves [{}] where it was told not to, in {}",
            all_named(&room),
            here()
        );
    }
    check_children(game, state, bounds, &actions, words, named, |child, action| game.apply(child, action))
}

/// The usual reason why a list differs when it is added to one that is not empty.
fn hint_at_the_list(method: &str) -> String {
    format!(" (does `{method}` clear or read `out`? It must only push)")
}

fn check_chance<G: Game>(
    game: &G,
    state: &G::State,
    bounds: Interval,
    words: &Words<G>,
) -> Result<(), Breach> {
    let here = || (words.state)(game, state);
    let named = |outcome| (words.outcome)(game, state, outcome);
    require!(game.has_chance(), "has_chance is false, but chance is to act in {}", here());
    let (mut outcomes, mut again) = (Vec::new(), Vec::new());
    game.outcomes(state, &mut outcomes);
    require!(!outcomes.is_empty(), "no outcome in {}", here());
    for outcome in &outcomes {
        require!(outcome.weight > 0.0, "weight {} of {} in {}", outcome.weight, named(outcome.item), here());
    }
    let sum: f64 = outcomes.iter().map(|o| o.weight).sum();
    require!((sum - 1.0).abs() <= 1e-12, "the weights sum to {sum} in {}", here());
    again.push(outcomes[0]);
    game.outcomes(state, &mut again);
    require!(
        again.get(1..) == Some(&outcomes[..]),
        "the outcomes change between two calls in {}{}",
        here(),
        hint_at_the_list("outcomes")
    );
    let items: Vec<G::Outcome> = outcomes.iter().map(|o| o.item).collect();
    no_repeats("outcome", &items, named, here)?;
    check_draws(game, state, &outcomes, words)?;
    check_children(game, state, bounds, &items, words, named, |child, outcome| game.resolve(child, outcome))
}

/// Checks that draws invert the cumulative weights in the order of the outcomes.
fn check_draws<G: Game>(
    game: &G,
    state: &G::State,
    outcomes: &[Weighted<G::Outcome>],
    words: &Words<G>,
) -> Result<(), Breach> {
    let mut room = Vec::new();
    let mut from = 0.0;
    for outcome in outcomes {
        for share in [0.001, 0.5, 0.999] {
            let number = from + share * outcome.weight;
            // 2⁶⁴ is exact as a float, and its product with a number below 1 fits an integer.
            let bits = (number * 18_446_744_073_709_551_616.0) as u64;
            let drawn = game.draw(state, bits, &mut room);
            require!(
                drawn == outcome.item,
                "{} is drawn with {number}, not {}, in {}",
                (words.outcome)(game, state, drawn),
                (words.outcome)(game, state, outcome.item),
                (words.state)(game, state)
            );
        }
        from += outcome.weight;
    }
    Ok(())
}

fn no_repeats<T: Copy + PartialEq>(
    what: &str,
    items: &[T],
    named: impl Fn(T) -> String,
    here: impl Fn() -> String,
) -> Result<(), Breach> {
    for (i, item) in items.iter().enumerate() {
        require!(!items[..i].contains(item), "{what} {} twice in {}", named(*item), here());
    }
    Ok(())
}

fn check_children<G: Game, T: Copy>(
    game: &G,
    state: &G::State,
    bounds: Interval,
    items: &[T],
    words: &Words<G>,
    named: impl Fn(T) -> String,
    step: impl Fn(&mut G::State, T),
) -> Result<(), Breach> {
    // The debug text may show what `Eq` ignores: a clone that shares data with the original.
    let (key, text, here) = (game.key(state), format!("{state:?}"), (words.state)(game, state));
    for &item in items {
        let (mut child, mut twin) = (state.clone(), state.clone());
        step(&mut child, item);
        step(&mut twin, item);
        require!(child == twin, "{} leads to two different states from {here}", named(item));
        let inner = game.bounds(&child);
        require!(
            bounds.covers(&inner),
            "bounds {inner} after {} leave the bounds {bounds} of {here}",
            named(item)
        );
        require!(
            game.key(state) == key && format!("{state:?}") == text,
            "{here} changed when {} was played on its clone (do they share data?)",
            named(item)
        );
    }
    Ok(())
}

/// The states seen so far, so that each new one can be compared with those most like it: the one with the
/// same key, the one with the same debug text, and the first few in any case.
struct Identities<S> {
    by_key: HashMap<Key, S>,
    by_text: HashMap<String, Key>,
    first: Vec<(S, Key)>,
}

impl<S> Default for Identities<S> {
    fn default() -> Self {
        Self { by_key: HashMap::new(), by_text: HashMap::new(), first: Vec::new() }
    }
}

impl<S: Clone + Eq + Debug> Identities<S> {
    fn admit<G: Game<State = S>>(&mut self, game: &G, state: &S, words: &Words<G>) -> Result<(), Breach> {
        let key = game.key(state);
        if let Some(known) = self.by_key.get(&key) {
            if known != state {
                let [one, other] = words.two_states(game, known, state);
                return Err(Breach(format!("{one} and {other} differ but share the key {:#x}", key.0)));
            }
            return Ok(());
        }
        // A new key must mean a new state.
        let alike = self.by_text.insert(format!("{state:?}"), key).map(|other| (&self.by_key[&other], other));
        for (known, other) in self.first.iter().map(|(known, other)| (known, *other)).chain(alike) {
            let here = || (words.state)(game, state);
            require!(known != state, "{} has the keys {:#x} and {:#x}", here(), other.0, key.0);
        }
        if self.first.len() < 500 {
            self.first.push((state.clone(), key));
        }
        self.by_key.insert(key, state.clone());
        Ok(())
    }
}

/// The features of the states seen so far, to check that no two states share them.
struct Described {
    length: usize,
    keys: HashMap<Vec<u32>, Key>,
}

impl Described {
    fn new<G: Notation>(game: &G) -> Self {
        let mut start = Vec::new();
        game.features(&game.start(), &mut start);
        Self { length: start.len(), keys: HashMap::new() }
    }

    fn admit<G: Notation>(&mut self, game: &G, state: &G::State) -> Result<(), Breach> {
        // The call must append to a list that is not empty, without clearing it.
        let mut features = vec![0.5];
        game.features(state, &mut features);
        let (count, length) = (features.len().wrapping_sub(1), self.length);
        require!(count == length, "{count} features of {state:?}, but {length} of the start");
        require!(features[0] == 0.5, "features replaced what was there before in {state:?}");
        require!(features.iter().all(|x| x.is_finite()), "a feature of {state:?} is no number");
        let bits = features.iter().map(|x| x.to_bits()).collect();
        let key = game.key(state);
        let known = *self.keys.entry(bits).or_insert(key);
        require!(known == key, "two states have the features of {state:?}");
        Ok(())
    }
}

/// Checks the promises of [`Notation`]: what is written parses back, and different things are written
/// differently, both as text and as features. Reading positions is optional: without
/// [`Notation::read_state`], all else is checked.
///
/// # Errors
/// The first promise found broken.
pub fn check_notation<G: Notation>(game: &G, play: Play) -> Result<Visited, Breach> {
    let mut described = Described::new(game);
    let mut texts: HashMap<String, Key> = HashMap::new();
    walk(game, play, |state, turn| {
        described.admit(game, state)?;
        let text = game.write_state(state);
        match game.read_state(&text) {
            Ok(read) => require!(&read == state, "'{text}' is written for {state:?} but read as {read:?}"),
            Err(error) if error.why == UNREAD => {
                let key = game.key(state);
                let known = *texts.entry(text.clone()).or_insert(key);
                require!(known == key, "two states are written '{text}', one of them {state:?}");
            }
            Err(error) => {
                return Err(Breach(format!("{state:?} is written so that it cannot be read: {error}")));
            }
        }
        require!(!text.contains('\n'), "'{text}' has more than one line");
        require!(!game.picture(state).is_empty(), "no picture of {state:?}");
        match turn {
            Turn::Decide(_) => {
                let mut actions = Vec::new();
                game.actions(state, &mut actions);
                for action in actions {
                    let text = game.write_action(state, action);
                    let read = game.read_action(state, &text);
                    require!(
                        read == Ok(action),
                        "action {action:?} written '{text}', read {read:?} in {state:?}"
                    );
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                for Weighted { item, .. } in outcomes {
                    let text = game.write_outcome(state, item);
                    let read = game.read_outcome(state, &text);
                    require!(
                        read == Ok(item),
                        "outcome {item:?} written '{text}', read {read:?} in {state:?}"
                    );
                }
            }
            Turn::Over(_) => {}
        }
        Ok(())
    })
}

/// Checks the promise of [`Evaluator`]: every value lies inside the range.
///
/// # Errors
/// The first value found outside.
pub fn check_evaluator<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    play: Play,
) -> Result<Visited, Breach> {
    let range = game.range();
    walk(game, play, |state, turn| {
        if let Turn::Decide(_) = turn {
            let value = evaluator.value(game, state);
            require!(range.contains(value), "evaluation {value} outside the range {range} in {state:?}");
            let again = evaluator.value(game, state);
            require!(
                value.to_bits() == again.to_bits(),
                "evaluations {value} and {again} of the same {state:?}"
            );
        }
        Ok(())
    })
}

/// Checks the promise of [`Evaluator::horizon`] at every state of some random play, by searches of up to this
/// many decisions: with exact chance, and with the best and the worst possible samples.
///
/// # Errors
/// The first value found outside.
pub fn check_horizon<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    play: Play,
    deepest: u32,
) -> Result<Visited, Breach> {
    walk(game, play, |state, turn| {
        let bounds = game.bounds(state);
        let lucks = [(Luck::Fair, &[Sample::All][..]), (Luck::Any, &[Sample::Worst, Sample::Best])];
        for (luck, samples) in lucks.into_iter().filter(|_| !matches!(turn, Turn::Over(_))) {
            for depth in 0..=deepest {
                let Some(horizon) = evaluator.horizon(game, state, depth, luck) else {
                    continue;
                };
                require!(
                    bounds.covers(&horizon),
                    "horizon {horizon} outside the bounds {bounds} in {state:?}"
                );
                for &sample in samples {
                    let value = looked(game, evaluator, state, depth, sample);
                    require!(
                        horizon.contains(value),
                        "horizon {horizon} ({luck:?}) without the value {value} ({sample:?}) of depth {depth} of \
                         {state:?}"
                    );
                }
            }
        }
        Ok(())
    })
}

/// Which outcomes represent a chance state.
#[derive(Clone, Copy, Debug)]
enum Sample {
    All,
    Worst,
    Best,
}

/// The value of a state by a search of this many decisions: expectimax, or the largest or smallest value that
/// any sample can give.
fn looked<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    state: &G::State,
    depth: u32,
    sample: Sample,
) -> f64 {
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    match game.turn(state) {
        Turn::Over(payoff) => payoff,
        Turn::Decide(_) if depth == 0 => estimate(game, evaluator, state),
        Turn::Decide(player) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let mut values = actions.into_iter().map(|action| {
                let mut child = state.clone();
                game.apply(&mut child, action);
                looked(game, evaluator, &child, depth - 1, sample)
            });
            if player == Player::Max { most(&mut values) } else { least(&mut values) }
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let values: Vec<f64> = outcomes
                .iter()
                .map(|outcome| {
                    let mut child = state.clone();
                    game.resolve(&mut child, outcome.item);
                    looked(game, evaluator, &child, depth, sample)
                })
                .collect();
            match sample {
                Sample::All if values.len() == 1 => values[0],
                Sample::All => {
                    let sum =
                        outcomes.iter().zip(&values).map(|(outcome, value)| outcome.weight * value).sum();
                    // As in searches: rounding must not move the sum out of the bounds.
                    game.bounds(state).clamp(sum)
                }
                Sample::Worst => least(&mut values.into_iter()),
                Sample::Best => most(&mut values.into_iter()),
            }
        }
    }
}
