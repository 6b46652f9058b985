//! Tests of the contract harness itself: a good game passes, and every way to break a promise is caught.

use astragal_core::contract::{
    Play, check_evaluator, check_game, check_game_in_notation, check_horizon, check_notation,
};
use astragal_core::{Evaluator, Game, Interval, Key, Luck, Notation, Player, ReadError, Turn, Weighted};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What this game does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    NoAction,
    RepeatedAction,
    ClearedList,
    OtherOrder,
    NeverStops,
    StopsSilently,
    OneMore,
    LeftOver,
    LeftOverAtTheEnd,
    ZeroWeight,
    BadSum,
    SharedKey,
    TwoKeys,
    PayoffOutside,
    BoundsOutside,
    BoundsGrow,
    SharedClone,
    HiddenChance,
    FickleStep,
    FickleTurn,
    FickleBounds,
    Endless,
    Stuck,
    LostText,
    SameText,
}

/// Three rounds: Max chooses 1 or 2, then a coin decides whether it is added.
struct Toy(Fault, AtomicU32);

fn toy(fault: Fault) -> Toy {
    Toy(fault, AtomicU32::new(0))
}

#[derive(Clone, Debug)]
struct State {
    round: u32,
    sum: u32,
    chosen: Option<u32>,
    shared: Arc<AtomicU32>,
    salt: u32,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        (self.round, self.sum, self.chosen) == (other.round, other.sum, other.chosen)
    }
}
impl Eq for State {}

impl Game for Toy {
    type State = State;
    type Action = u32;
    type Outcome = bool;

    fn start(&self) -> State {
        State { round: 0, sum: 0, chosen: None, shared: Arc::default(), salt: 0 }
    }
    fn turn(&self, s: &State) -> Turn {
        let is_fickle = self.0 == Fault::FickleTurn && s.round == 2;
        match s.chosen {
            Some(_) => Turn::Chance,
            None if is_fickle && self.1.fetch_add(1, Ordering::Relaxed) % 2 == 1 => Turn::Decide(Player::Min),
            None if s.round == 3 && self.0 == Fault::Endless => Turn::Decide(Player::Max),
            None if s.round == 3 => {
                Turn::Over(if self.0 == Fault::PayoffOutside { 7.0 } else { f64::from(s.sum) })
            }
            None => Turn::Decide(Player::Max),
        }
    }
    fn actions(&self, s: &State, out: &mut Vec<u32>) {
        match self.0 {
            Fault::NoAction if s.round == 2 => return,
            Fault::RepeatedAction => out.push(1),
            Fault::ClearedList => out.clear(),
            _ => {}
        }
        out.extend([1, 2]);
    }
    fn each_action<B>(
        &self,
        s: &State,
        room: &mut Vec<u32>,
        mut see: impl FnMut(&mut Vec<u32>, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut list = Vec::new();
        self.actions(s, &mut list);
        match self.0 {
            Fault::OtherOrder => list.reverse(),
            Fault::OneMore => list.push(3),
            Fault::LeftOver => room.extend(&list),
            _ => {}
        }
        for action in list {
            let flow = see(room, action);
            match self.0 {
                Fault::NeverStops => {}
                Fault::StopsSilently if flow.is_break() => break,
                _ => flow?,
            }
        }
        if self.0 == Fault::LeftOverAtTheEnd {
            room.push(1);
        }
        ControlFlow::Continue(())
    }
    fn outcomes(&self, _: &State, out: &mut Vec<Weighted<bool>>) {
        let weight = match self.0 {
            Fault::ZeroWeight => 0.0,
            Fault::BadSum => 0.4,
            _ => 0.5,
        };
        out.extend([Weighted { item: true, weight }, Weighted { item: false, weight: 0.5 }]);
    }
    fn apply(&self, s: &mut State, a: u32) {
        s.chosen = Some(a);
        if self.0 == Fault::SharedClone {
            s.shared.fetch_add(1, Ordering::Relaxed);
        }
        if self.0 == Fault::FickleStep {
            s.sum += self.1.fetch_add(1, Ordering::Relaxed) % 2;
        }
    }
    fn resolve(&self, s: &mut State, add: bool) {
        if self.0 == Fault::Stuck {
            return;
        }
        let chosen = s.chosen.take().unwrap();
        if s.round == 3 {
            return;
        }
        s.round += 1;
        if add {
            s.sum += chosen;
        }
        if self.0 == Fault::TwoKeys {
            s.salt += chosen;
        }
    }
    fn key(&self, s: &State) -> Key {
        let round = if self.0 == Fault::SharedKey { 0 } else { s.round };
        // Equality ignores the salt, so under this fault equal states have different keys.
        let salt = if self.0 == Fault::TwoKeys { s.salt } else { 0 };
        Key(u128::from(round)
            | u128::from(s.sum) << 8
            | u128::from(s.chosen.unwrap_or(0)) << 16
            | u128::from(salt) << 32)
    }
    fn range(&self) -> Interval {
        Interval::new(0.0, 6.0)
    }
    fn bounds(&self, s: &State) -> Interval {
        let (sum, left) = (f64::from(s.sum), f64::from(2 * (3 - s.round)));
        match self.0 {
            Fault::BoundsOutside => Interval::new(-1.0, 6.0),
            Fault::BoundsGrow if s.round == 0 => Interval::new(1.0, 6.0),
            Fault::BoundsGrow => self.range(),
            Fault::FickleBounds if s.round == 0 => {
                Interval::new(0.0, 6.0 - f64::from(self.1.fetch_add(1, Ordering::Relaxed) % 2))
            }
            Fault::Endless | Fault::Stuck => self.range(),
            _ => Interval::new(sum, (sum + left).min(6.0)),
        }
    }
    fn has_chance(&self) -> bool {
        self.0 != Fault::HiddenChance
    }
}

impl Notation for Toy {
    fn write_state(&self, s: &State) -> String {
        if self.0 == Fault::LostText {
            return s.round.to_string();
        }
        format!("{} {} {}", s.round, s.sum, s.chosen.unwrap_or(0))
    }
    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let mut numbers = text.split(' ').map(|n| n.parse().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        let (round, sum, chosen) = (next(), next(), next());
        Ok(State { round, sum, chosen: (chosen > 0).then_some(chosen), shared: Arc::default(), salt: 0 })
    }
    fn write_action(&self, _: &State, a: u32) -> String {
        if self.0 == Fault::SameText { "a".into() } else { a.to_string() }
    }
    fn write_outcome(&self, _: &State, o: bool) -> String {
        o.to_string()
    }
}

fn breach(fault: Fault) -> String {
    check_game(&toy(fault), Play::default()).expect_err(&format!("{fault:?} went unnoticed")).0
}

#[test]
fn a_game_that_keeps_its_promises_passes() {
    let visited = check_game(&toy(Fault::None), Play::default()).unwrap();
    assert_eq!((visited.finished, visited.decisions, visited.chances), (100, 300, 300));
    check_notation(&toy(Fault::None), Play::default()).unwrap();
}

#[test]
fn every_broken_promise_is_caught() {
    for (fault, message) in [
        (Fault::NoAction, "no action"),
        (Fault::RepeatedAction, "twice"),
        (Fault::ClearedList, "(does `actions` clear or read `out`? It must only push)"),
        (Fault::OtherOrder, "are [2], not [1],"),
        (Fault::NeverStops, "are [1, 2], not [1],"),
        (Fault::OneMore, "are [1, 2, 3], not [1, 2],"),
        (Fault::LeftOverAtTheEnd, "leaves [1, 1]"),
        (Fault::StopsSilently, "does not say whether it was stopped"),
        (Fault::LeftOver, "leaves [1, 1, 2]"),
        (Fault::ZeroWeight, "weight 0"),
        (Fault::BadSum, "sum to 0.9"),
        (Fault::SharedKey, "share the key"),
        (Fault::TwoKeys, "has the keys"),
        (Fault::PayoffOutside, "payoff 7 outside"),
        (Fault::BoundsOutside, "bounds [-1, 6] outside"),
        (Fault::BoundsGrow, "leave the bounds"),
        (Fault::SharedClone, "changed when"),
        (Fault::HiddenChance, "has_chance is false"),
        (Fault::FickleStep, "two different states"),
        (Fault::FickleTurn, "the turn changes between two calls: Decide(Max), then Decide(Min), in"),
        (Fault::FickleBounds, "the bounds change between two calls: [0, 6], then [0, 5], in"),
        (Fault::Endless, "none of 100 random games ended within 2000 states each"),
        (Fault::Stuck, "3 different ones in all, the last one State"),
    ] {
        let found = breach(fault);
        assert!(found.contains(message), "{fault:?}: {found}");
    }
}

#[test]
fn a_game_without_end_passes_if_its_author_says_so() {
    for fault in [Fault::Endless, Fault::Stuck] {
        let play = Play { games: 3, length: 50, ..Play::default() };
        assert!(breach(fault).contains("`unfinished`"));
        assert_eq!(check_game(&toy(fault), Play { unfinished: true, ..play }).unwrap().finished, 0);
    }
}

#[test]
fn a_breach_names_things_as_the_game_writes_them() {
    let found = |fault| check_game_in_notation(&toy(fault), Play::default()).unwrap_err().0;
    let sum = found(Fault::BadSum);
    assert!(sum.starts_with("the weights sum to 0.9") && sum.ends_with("in 0 0 1"), "{sum}");
    assert!(found(Fault::SharedClone).starts_with("0 0 0 changed when 1 was played on its clone"));
    // What two states have in common does not tell them apart.
    let shared = found(Fault::SharedKey);
    assert!(shared.contains(" differ but share the key"), "{shared}");
    let visited = check_game_in_notation(&toy(Fault::None), Play::default()).unwrap();
    assert_eq!(visited, check_game(&toy(Fault::None), Play::default()).unwrap());
}

/// Two players take matches from a heap; with no notation but the default, or writing only how many are left.
struct Heap {
    is_vague: bool,
}

impl Game for Heap {
    type State = (u8, bool);
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn start(&self) -> (u8, bool) {
        (7, true)
    }
    fn turn(&self, s: &(u8, bool)) -> Turn {
        match s {
            (0, first) => Turn::Over(if *first { -1.0 } else { 1.0 }),
            (_, true) => Turn::Decide(Player::Max),
            _ => Turn::Decide(Player::Min),
        }
    }
    fn actions(&self, s: &(u8, bool), out: &mut Vec<u8>) {
        out.extend(1..=s.0.min(3));
    }
    fn apply(&self, s: &mut (u8, bool), a: u8) {
        *s = (s.0 - a, !s.1);
    }
    fn key(&self, s: &(u8, bool)) -> Key {
        Key(u128::from(s.0) << 1 | u128::from(s.1))
    }
    fn range(&self) -> Interval {
        Interval::new(-1.0, 1.0)
    }
}

impl Notation for Heap {
    fn write_state(&self, s: &(u8, bool)) -> String {
        if self.is_vague { s.0.to_string() } else { format!("{s:?}") }
    }
}

#[test]
fn reading_positions_is_optional_but_writing_them_apart_is_not() {
    assert_eq!(check_notation(&Heap { is_vague: false }, Play::default()).unwrap().finished, 100);
    let found = check_notation(&Heap { is_vague: true }, Play::default()).unwrap_err().0;
    assert!(found.starts_with("two states are written '"), "{found}");
}

#[test]
fn text_that_loses_something_is_caught() {
    assert!(check_notation(&toy(Fault::LostText), Play::default()).is_err());
    assert!(check_notation(&toy(Fault::SameText), Play::default()).is_err());
}

struct Wild(f64);
impl Evaluator<Toy> for Wild {
    fn value(&self, _: &Toy, _: &State) -> f64 {
        self.0
    }
}

#[test]
fn evaluations_outside_the_range_are_caught() {
    assert!(check_evaluator(&toy(Fault::None), &Wild(3.0), Play::default()).is_ok());
    assert!(check_evaluator(&toy(Fault::None), &Wild(6.5), Play::default()).is_err());
    assert!(check_evaluator(&toy(Fault::None), &Wild(f64::NAN), Play::default()).is_err());
}

/// The sum so far, which a coin raises by at most `mean` on average and by at most `most` in a sample.
struct Sum {
    mean: f64,
    most: f64,
}
impl Evaluator<Toy> for Sum {
    fn value(&self, _: &Toy, s: &State) -> f64 {
        f64::from(s.sum)
    }
    fn horizon(&self, game: &Toy, s: &State, depth: u32, luck: Luck) -> Option<Interval> {
        let each = if luck == Luck::Fair { self.mean } else { self.most };
        let coins = f64::from(depth + u32::from(s.chosen.is_some()));
        let sum = f64::from(s.sum);
        Some(Interval::new(sum, sum + coins * each).intersect(&game.bounds(s)))
    }
}

#[test]
fn a_horizon_that_a_search_leaves_is_caught() {
    let check = |mean, most| check_horizon(&toy(Fault::None), &Sum { mean, most }, Play::default(), 2);
    check(1.0, 2.0).unwrap();
    let found = [check(0.9, 2.0).unwrap_err().0, check(1.0, 1.9).unwrap_err().0];
    assert!(found[0].contains("(Fair) without the value 1 (All)"), "{}", found[0]);
    assert!(found[1].contains("(Any) without the value 2 (Best)"), "{}", found[1]);
    struct Wide;
    impl Evaluator<Toy> for Wide {
        fn value(&self, _: &Toy, _: &State) -> f64 {
            3.0
        }
        fn horizon(&self, game: &Toy, _: &State, _: u32, _: Luck) -> Option<Interval> {
            Some(game.range())
        }
    }
    let wide = check_horizon(&toy(Fault::None), &Wide, Play::default(), 1).unwrap_err().0;
    assert!(wide.contains("outside the bounds"), "{wide}");
}
