//! Hash-generated game trees with everything that breaks searches.
//!
//! All properties of a node are pure functions of its identity, so nothing is stored and repeated visits
//! agree. The trees have: the same player moving again, chance deciding who moves next, actions without
//! chance and chance after chance, chance nodes with a single outcome, very unequal probabilities, payoffs
//! and estimates exactly at both ends of the range, ties, transpositions, bounds tighter than the range, and
//! estimates outside these bounds.

use crate::SetupError;
use astragal_core::{
    Evaluator, Game, GameInfo, Genre, Interval, Key, Kind, Listed, Notation, Param, Player, ReadError,
    SpecError, Tools, Turn, Values, Weighted, below, mix, unit,
};

/// The game with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomTree {
    seed: u64,
    depth: u8,
    actions: u8,
    outcomes: u8,
}

/// The range is ±`LIMIT`.
const LIMIT: i8 = 10;

/// The maximum number of consecutive chance events.
const CHAIN: u8 = 2;

/// The purpose of a random number.
#[derive(Clone, Copy)]
enum Salt {
    Stage = 1,
    Player,
    Actions,
    Outcomes,
    Weights,
    Payoff,
    Estimate,
    Bounds,
    Fold,
    Promise,
}

impl RandomTree {
    /// The maximum depth, number of actions and number of outcomes.
    pub const MOST: (u8, u8, u8) = (60, 16, 64);

    /// Creates the tree of a seed, at most `depth` decisions deep, with up to `actions` actions and
    /// `outcomes` outcomes per node.
    ///
    /// # Errors
    /// If a parameter is 0 or above [`RandomTree::MOST`].
    pub fn new(seed: u64, depth: u8, actions: u8, outcomes: u8) -> Result<Self, SetupError> {
        let most = Self::MOST;
        for (what, given, most) in
            [("depth", depth, most.0), ("actions", actions, most.1), ("outcomes", outcomes, most.2)]
        {
            if !(1..=most).contains(&given) {
                return Err(SetupError(format!("a random tree has {what} of 1 to {most}, not {given}")));
            }
        }
        Ok(Self { seed, depth, actions, outcomes })
    }

    /// Returns the child with this index. Actions sometimes lead to one of a few nodes shared by many paths.
    fn child(&self, parent: &State, index: u8, decided: bool) -> State {
        let mut id = mix(parent.id.wrapping_add((u64::from(index) + 1).wrapping_mul(0xD1B5_4A32_D192_ED03)));
        let level = parent.level + u8::from(decided);
        let chain = if decided { 0 } else { parent.chain + 1 };
        if decided && below(draw(id, Salt::Fold), 4) == 0 {
            id = mix(self.seed ^ mix(u64::from(level) << 8 | below(mix(id), 3)));
        }
        let stage = match below(draw(id, Salt::Stage), 16) {
            _ if level == self.depth && !decided => Stage::Over,
            0..=9 if chain < CHAIN && (decided || level == self.depth) => Stage::Chance,
            0..=1 if chain < CHAIN => Stage::Chance,
            0..=14 if level < self.depth => Stage::Decide,
            _ => Stage::Over,
        };
        let [mut lo, mut hi] = [parent.lo, parent.hi];
        if below(draw(id, Salt::Bounds), 8) == 0 {
            let width = (hi - lo) as u64 + 1;
            let ends = [1, 2].map(|n| lo + below(mix(draw(id, Salt::Bounds).wrapping_add(n)), width) as i8);
            (lo, hi) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        }
        State { id, level, chain, stage, lo, hi }
    }

    fn count(id: u64, salt: Salt, most: u8) -> u8 {
        1 + below(draw(id, salt), u64::from(most)) as u8
    }
}

fn draw(id: u64, salt: Salt) -> u64 {
    mix(id ^ mix(salt as u64))
}

/// A value in the interval: for a quarter of all nodes the lower end, for a quarter the upper end, for a
/// quarter a multiple of a quarter of its width, and otherwise uniform.
fn value(bits: u64, lo: f64, hi: f64) -> f64 {
    match bits % 4 {
        0 => lo,
        1 => hi,
        2 => lo + (hi - lo) * below(mix(bits), 5) as f64 / 4.0,
        _ => Interval::new(lo, hi).clamp(lo + (hi - lo) * unit(mix(bits))),
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Decide,
    Chance,
    Over,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    id: u64,
    /// Decisions made so far.
    level: u8,
    /// Chance events since the last decision.
    chain: u8,
    stage: Stage,
    lo: i8,
    hi: i8,
}

/// The index of a child among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Branch(u8);

impl Game for RandomTree {
    type State = State;
    type Action = Branch;
    type Outcome = Branch;

    fn start(&self) -> State {
        State { id: mix(self.seed), level: 0, chain: 0, stage: Stage::Decide, lo: -LIMIT, hi: LIMIT }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.stage {
            Stage::Chance => Turn::Chance,
            Stage::Over => Turn::Over(value(draw(state.id, Salt::Payoff), state.lo.into(), state.hi.into())),
            Stage::Decide if draw(state.id, Salt::Player).is_multiple_of(2) => Turn::Decide(Player::Max),
            Stage::Decide => Turn::Decide(Player::Min),
        }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Branch>) {
        out.extend((0..Self::count(state.id, Salt::Actions, self.actions)).map(Branch));
    }

    fn outcomes(&self, state: &State, out: &mut Vec<Weighted<Branch>>) {
        let count = Self::count(state.id, Salt::Outcomes, self.outcomes);
        let style = draw(state.id, Salt::Weights) % 4;
        let share = |i: u8| match style {
            0 => 1.0,
            1 => 0.01 + unit(mix(draw(state.id, Salt::Weights).wrapping_add(u64::from(i)))),
            // Each weight is a thousandth of the previous one, or one dwarfs the others.
            2 => [1.0, 1e-3, 1e-6, 1e-9][usize::from(i) % 4],
            _ => [1e-9, 1.0, 1e-7, 1e-9][usize::from(i) % 4],
        };
        let sum: f64 = (0..count).map(share).sum();
        for i in 0..count {
            out.push(Weighted { item: Branch(i), weight: share(i) / sum });
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Branch) {
        *state = self.child(state, action.0, true);
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: Branch) {
        *state = self.child(state, outcome.0, false);
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        let rest = [state.level, state.chain, state.stage as u8, state.lo as u8, state.hi as u8];
        Key(rest.iter().fold(0, |key, &byte| key << 8 | u128::from(byte)) << 64 | u128::from(state.id))
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: f64::from(-LIMIT), hi: f64::from(LIMIT) }
    }

    #[inline]
    fn bounds(&self, state: &State) -> Interval {
        Interval { lo: f64::from(state.lo), hi: f64::from(state.hi) }
    }

    #[inline]
    fn promise(&self, state: &State, action: Branch) -> i32 {
        (draw(state.id.wrapping_add(u64::from(action.0)), Salt::Promise) % 8) as i32
    }
}

/// The evaluator `hash`: a fixed number for each node, anywhere in the range and often at its ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hash;

impl Evaluator<RandomTree> for Hash {
    #[inline]
    fn value(&self, game: &RandomTree, state: &State) -> f64 {
        let range = game.range();
        value(draw(state.id, Salt::Estimate), range.lo, range.hi)
    }
}

impl Notation for RandomTree {
    fn write_state(&self, state: &State) -> String {
        let stage = match state.stage {
            Stage::Decide => "decide",
            Stage::Chance => "chance",
            Stage::Over => "over",
        };
        format!("{stage} {}.{} {:016x} {}..{}", state.level, state.chain, state.id, state.lo, state.hi)
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let wrong = |why: &str| {
            ReadError::position(
                text,
                format!("{why}; expected a node such as '{}'", self.write_state(&self.start())),
            )
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[stage, depth, id, bounds] = &words[..] else {
            return Err(wrong("not four words"));
        };
        let stage = match stage {
            "decide" => Stage::Decide,
            "chance" => Stage::Chance,
            "over" => Stage::Over,
            _ => return Err(wrong("neither decide, chance nor over")),
        };
        let numbers = |text: &str, by: &str| -> Option<(i8, i8)> {
            let (first, second) = text.split_once(by)?;
            Some((first.parse().ok()?, second.parse().ok()?))
        };
        let (level, chain) = numbers(depth, ".").ok_or_else(|| wrong("no level and chain of chance"))?;
        let (lo, hi) = numbers(bounds, "..").ok_or_else(|| wrong("no bounds"))?;
        let id = u64::from_str_radix(id, 16).map_err(|_| wrong("no identity"))?;
        let last = self.depth as i8;
        if !(0..=last).contains(&level) || !(0..=CHAIN as i8).contains(&chain) {
            return Err(wrong(&format!("level {level}.{chain} is not between 0.0 and {last}.{CHAIN}")));
        }
        // Such a node would have children beyond the depth of the tree.
        if level == last && (stage == Stage::Decide || stage == Stage::Chance && chain > 0)
            || stage == Stage::Chance && chain == CHAIN as i8
        {
            return Err(wrong("the tree ends here"));
        }
        if !(-LIMIT..=LIMIT).contains(&lo) || !(lo..=LIMIT).contains(&hi) {
            return Err(wrong(&format!("the bounds are not inside -{LIMIT}..{LIMIT}")));
        }
        Ok(State { id, level: level as u8, chain: chain as u8, stage, lo, hi })
    }

    fn write_action(&self, _state: &State, action: Branch) -> String {
        format!("a{}", action.0 + 1)
    }

    fn write_outcome(&self, _state: &State, outcome: Branch) -> String {
        format!("o{}", outcome.0 + 1)
    }
}

impl Listed for RandomTree {
    const INFO: GameInfo = GameInfo {
        name: "random-tree",
        genre: Genre::Tree,
        help: "a tree made from a hash, with everything that breaks searches",
        rules: include_str!("random_tree.md"),
        source: "Astragal's own, for tests and measurements",
        positions: "STAGE LEVEL.CHAIN IDENTITY LO..HI. decide 0.0 910a2dec89025cc1 -10..10",
        params: &[
            Param::new("seed", Kind::Int(0, u64::MAX), "1", "seed of the tree"),
            Param::new(
                "depth",
                Kind::Int(1, RandomTree::MOST.0 as u64),
                "6",
                "decisions until every line has ended",
            ),
            Param::new("actions", Kind::Int(1, RandomTree::MOST.1 as u64), "4", "the most actions at a node"),
            Param::new(
                "outcomes",
                Kind::Int(1, RandomTree::MOST.2 as u64),
                "4",
                "the most outcomes at a chance node",
            ),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Ok(Self::new(values.int("seed"), values.int("depth"), values.int("actions"), values.int("outcomes"))?)
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("hash", "a fixed random number for each state", Hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::contract::{Play, check_evaluator, check_game, check_notation, walk};

    #[test]
    fn random_trees_keep_the_contract() {
        for seed in 0..40 {
            let game = RandomTree::new(seed, 1 + (seed % 8) as u8, 4, 5).unwrap();
            let play = Play { games: 100, seed, ..Play::default() };
            let visited = check_game(&game, play).unwrap();
            assert_eq!(visited.finished, 100);
            check_notation(&game, play).unwrap();
            check_evaluator(&game, &Hash, play).unwrap();
        }
    }

    #[test]
    fn everything_that_breaks_searches_occurs() {
        let mut seen = std::collections::BTreeMap::new();
        for seed in 0..30 {
            let game = RandomTree::new(seed, 6, 3, 4).unwrap();
            let mut parents = std::collections::HashMap::new();
            let mut last = None;
            let play = Play { games: 200, seed, ..Play::default() };
            walk(&game, play, |state, turn| {
                let mut note = |what: &'static str| *seen.entry(what).or_insert(0) += 1;
                if state.level == 0 && state.chain == 0 {
                    last = None;
                }
                if let Some((before, was)) = last.replace((*state, turn)) {
                    if parents.insert(*state, before).is_some_and(|other| other != before) {
                        note("transposition");
                    }
                    match (was, turn) {
                        (Turn::Chance, Turn::Chance) => note("chance after chance"),
                        (Turn::Decide(a), Turn::Decide(b)) if a == b => note("same player again"),
                        (Turn::Decide(_), Turn::Decide(_)) => note("no chance between"),
                        _ => {}
                    }
                    if game.bounds(state) != game.bounds(&before) {
                        note("tighter bounds");
                    }
                }
                match turn {
                    Turn::Over(payoff) if payoff == game.range().hi => note("payoff at the top"),
                    Turn::Over(payoff) if payoff == game.range().lo => note("payoff at the bottom"),
                    Turn::Over(_) => {}
                    Turn::Chance => {
                        let mut outcomes = Vec::new();
                        game.outcomes(state, &mut outcomes);
                        if outcomes.len() == 1 {
                            note("single outcome");
                        }
                        if outcomes.iter().any(|o| o.weight < 1e-6) {
                            note("unequal weights");
                        }
                        let movers: Vec<Turn> = outcomes
                            .iter()
                            .map(|o| {
                                let mut child = *state;
                                game.resolve(&mut child, o.item);
                                game.turn(&child)
                            })
                            .collect();
                        if [Player::Max, Player::Min].iter().all(|&p| movers.contains(&Turn::Decide(p))) {
                            note("chance decides who moves");
                        }
                    }
                    Turn::Decide(_) => {
                        let estimate = Hash.value(&game, state);
                        if !game.bounds(state).contains(estimate) {
                            note("estimate outside the bounds");
                        }
                        if estimate == game.range().hi || estimate == game.range().lo {
                            note("estimate at an end");
                        }
                    }
                }
                Ok(())
            })
            .unwrap();
        }
        assert_eq!(seen.len(), 12, "{seen:?}");
        assert!(seen.values().all(|&n| n > 100), "{seen:?}");
    }

    #[test]
    fn malformed_positions_are_explained() {
        let game = RandomTree::new(1, 4, 2, 2).unwrap();
        for text in [
            "",
            "decide 0.0 00 -10..10 x",
            "think 0.0 00 -10..10",
            "decide 5.0 00 -10..10",
            "decide 4.0 00 -10..10",
            "chance 1.2 00 -10..10",
            "decide 0.0 zz -10..10",
            "decide 0.0 00 -11..10",
            "decide 0.0 00 5..1",
            "decide 0.-1 00 -10..10",
            "decide -0.0 00",
        ] {
            let error = game.read_state(text).unwrap_err().to_string();
            assert!(error.contains("expected a node such as 'decide 0.0"), "{text}: {error}");
        }
    }
}
