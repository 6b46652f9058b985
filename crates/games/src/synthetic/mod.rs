//! Trees made from a hash whose true values are known everywhere (*Understanding Sampling-Based Adversarial
//! Search*, chapter 5), so that a decision of a search can be judged exactly, at any size.
//!
//! All properties of a node are pure functions of its identity and of what its path has added up to, so
//! nothing is stored, repeated visits agree, and a tree of depth 100 costs nothing until it is visited.
//! Max moves at even depths, Min at odd ones.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | the game: nodes, children, chance nodes mixed in |
//! | `prefix.rs` | prefix-value trees, bounded ones, win/loss trees; their heuristic |
//! | `critical.rs` | critical levels of one side and of two, P-games |
//! | `listing.rs` | their names and parameters |

mod critical;
mod listing;
mod prefix;

pub use critical::{Critical, TwoSided};
pub use prefix::{Lag, Penalty, Prefix, Traps};

use crate::SetupError;
use astragal_core::{
    Evaluator, Game, Interval, Key, Notation, Player, ReadError, Turn, Weighted, below, mix, unit,
};

/// What a number is drawn for.
#[derive(Clone, Copy)]
enum Salt {
    Optimal = 1,
    Penalty,
    Noise,
    NoiseToo,
    Leaf,
    Critical,
    Trap,
    Bias,
    Chance,
    Offset,
}

/// The identity of a child.
#[inline]
fn child_id(id: u64, index: u32) -> u64 {
    mix(id.wrapping_add((u64::from(index) + 1).wrapping_mul(0xD1B5_4A32_D192_ED03)))
}

#[inline]
fn draw(id: u64, salt: Salt) -> u64 {
    mix(id ^ mix(salt as u64))
}

/// What makes the values of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// Values along the path, bounded or not.
    Prefix(Prefix),
    /// Levels at which Max must choose right.
    Critical(Critical),
    /// Levels at which both sides must.
    TwoSided(TwoSided),
    /// Leaves won by Max with this probability, independently: Pearl's P-games.
    Independent(f64),
}

/// Chance nodes in a tree that has none by nature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    /// The share of decisions that a chance node follows.
    pub share: f64,
    /// Its outcomes, all equally likely.
    pub outcomes: u32,
    /// By how much an outcome moves the value at most, in trees of values along the path. Outcomes move it in
    /// pairs, one up and one down, so that the value of the chance node is that of a tree without it.
    pub spread: u32,
}

impl Chance {
    /// No chance at all.
    pub const NONE: Self = Self { share: 0.0, outcomes: 2, spread: 1 };
}

/// A tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Synthetic {
    seed: u64,
    branches: u32,
    depth: u32,
    rule: Rule,
    chance: Chance,
}

/// A node: its identity, the decisions made, what the rule keeps of the path, and who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    id: u64,
    depth: u32,
    value: i32,
    stage: Stage,
}

/// Who acts in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Decide,
    Chance,
    Over,
}

impl Stage {
    const NAMES: [(&str, Self); 3] =
        [("decide", Self::Decide), ("chance", Self::Chance), ("over", Self::Over)];

    fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// The place of a child among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Branch(u32);

impl Branch {
    /// Counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most branches, decisions and outcomes.
const MOST_BRANCHES: u32 = 1000;
const MOST_DEPTH: u32 = 1000;
const MOST_OUTCOMES: u32 = 1000;

impl Synthetic {
    /// The tree of a seed, with this many branches at each decision and this many decisions until the end.
    ///
    /// # Errors
    /// If there are too few or too many, or they do not fit the rule.
    pub fn new(seed: u64, branches: u32, depth: u32, rule: Rule) -> Result<Self, SetupError> {
        for (what, given, least, most) in
            [("branches", branches, 2, MOST_BRANCHES), ("decisions", depth, 1, MOST_DEPTH)]
        {
            if !(least..=most).contains(&given) {
                return Err(SetupError(format!("a tree has {least} to {most} {what}, not {given}")));
            }
        }
        match &rule {
            Rule::Prefix(prefix) => prefix.check()?,
            Rule::Critical(critical) => critical.check(depth)?,
            Rule::TwoSided(sides) => sides.check(branches, depth)?,
            Rule::Independent(share) if (0.0..=1.0).contains(share) => {}
            Rule::Independent(share) => {
                return Err(SetupError(format!("a probability is 0 to 1, not {share}")));
            }
        }
        Ok(Self { seed, branches, depth, rule, chance: Chance::NONE })
    }

    /// The same tree with chance nodes mixed in.
    ///
    /// # Errors
    /// If the share is no share, or there are too few or too many outcomes.
    pub fn chance(self, chance: Chance) -> Result<Self, SetupError> {
        let Chance { share, outcomes, .. } = chance;
        if !(0.0..=1.0).contains(&share) || !(2..=MOST_OUTCOMES).contains(&outcomes) {
            return Err(SetupError(format!(
                "chance after {share} of the decisions with {outcomes} outcomes: the share is 0 to 1, and there are 2 to {MOST_OUTCOMES} outcomes"
            )));
        }
        Ok(Self { chance, ..self })
    }

    /// The root of the tree of another seed.
    #[must_use]
    pub fn root(&self, seed: u64) -> State {
        State { id: mix(seed), depth: 0, value: self.rule.root(), stage: Stage::Decide }
    }

    /// What the state is worth under perfect play, if the tree was made so that it is known.
    #[must_use]
    pub fn truth(&self, state: &State) -> Option<f64> {
        match &self.rule {
            // What is won on average is not the sign of the mean value.
            Rule::Prefix(prefix) if prefix.wins && self.has_chance() => None,
            Rule::Prefix(prefix) => prefix.truth(state),
            Rule::Critical(_) => (state.value == 1).then_some(1.0),
            Rule::TwoSided(sides) => sides.truth(state),
            Rule::Independent(_) => None,
        }
    }

    /// Who decides at this depth.
    #[inline]
    fn player(depth: u32) -> Player {
        if depth.is_multiple_of(2) { Player::Max } else { Player::Min }
    }

    /// Whether chance follows the decision that led to this node.
    #[inline]
    fn rolls(&self, id: u64) -> bool {
        self.chance.share > 0.0 && unit(draw(id, Salt::Chance)) < self.chance.share
    }
}

impl Rule {
    /// What it keeps of the path at the root.
    fn root(&self) -> i32 {
        match self {
            Self::Prefix(_) | Self::Critical(_) => 1,
            Self::TwoSided(_) | Self::Independent(_) => 0,
        }
    }
}

impl Game for Synthetic {
    type State = State;
    type Action = Branch;
    type Outcome = Branch;

    fn start(&self) -> State {
        self.root(self.seed)
    }

    /// The root of another tree of the same kind.
    fn deal(&self, seed: u64) -> Option<State> {
        Some(self.root(seed))
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.stage {
            Stage::Decide => Turn::Decide(Self::player(state.depth)),
            Stage::Chance => Turn::Chance,
            Stage::Over => Turn::Over(match &self.rule {
                Rule::Prefix(prefix) => prefix.payoff(state),
                Rule::Critical(_) => critical::payoff(state),
                Rule::TwoSided(sides) => sides.payoff(state),
                Rule::Independent(share) if unit(draw(state.id, Salt::Leaf)) < *share => 1.0,
                Rule::Independent(_) => -1.0,
            }),
        }
    }

    #[inline]
    fn actions(&self, _state: &State, out: &mut Vec<Branch>) {
        out.extend((0..self.branches).map(Branch));
    }

    #[inline]
    fn any_action(&self, _state: &State, bits: u64, _room: &mut Vec<Branch>) -> Branch {
        Branch(below(bits, self.branches.into()) as u32)
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<Weighted<Branch>>) {
        let weight = 1.0 / f64::from(self.chance.outcomes);
        out.extend((0..self.chance.outcomes).map(|index| Weighted { item: Branch(index), weight }));
    }

    #[inline]
    fn draw(&self, _state: &State, bits: u64, _room: &mut Vec<Weighted<Branch>>) -> Branch {
        Branch(below(bits, self.chance.outcomes.into()) as u32)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Branch) {
        let id = child_id(state.id, action.0);
        let (value, sprung) = match &self.rule {
            Rule::Prefix(prefix) => prefix.step(self.branches, state, action.0, id),
            Rule::Critical(critical) => (critical.step(self.branches, state, action.0), false),
            Rule::TwoSided(sides) => (sides.step(state, action.0), false),
            Rule::Independent(_) => (0, false),
        };
        let depth = state.depth + 1;
        let stage = match () {
            () if sprung => Stage::Over,
            () if self.rolls(id) => Stage::Chance,
            () if depth == self.depth => Stage::Over,
            () => Stage::Decide,
        };
        *state = State { id, depth, value, stage };
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: Branch) {
        let value = match &self.rule {
            Rule::Prefix(prefix) => state.value + prefix.offset(state, outcome.0, &self.chance),
            _ => state.value,
        };
        let stage = if state.depth == self.depth { Stage::Over } else { Stage::Decide };
        *state = State { id: child_id(state.id, outcome.0), value, stage, ..*state };
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        let rest = u64::from(state.value as u32) << 32 | u64::from(state.depth) << 2 | state.stage as u64;
        Key(u128::from(rest) << 64 | u128::from(state.id))
    }

    fn range(&self) -> Interval {
        match &self.rule {
            Rule::Prefix(prefix) => prefix.range(self.depth, &self.chance),
            _ => Interval::new(-1.0, 1.0),
        }
    }

    fn known_best(&self, state: &State) -> Option<Branch> {
        if state.stage != Stage::Decide {
            return None;
        }
        match &self.rule {
            Rule::Prefix(prefix) => prefix.best(self.branches, state),
            Rule::Critical(critical) => critical.best(self.branches, state),
            Rule::TwoSided(sides) => sides.best(state),
            Rule::Independent(_) => None,
        }
        .map(Branch)
    }

    fn has_chance(&self) -> bool {
        self.chance.share > 0.0
    }
}

/// The heuristic of the tree: in trees of values along the path the true value with noise, elsewhere nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heuristic;

impl Evaluator<Synthetic> for Heuristic {
    #[inline]
    fn value(&self, game: &Synthetic, state: &State) -> f64 {
        match &game.rule {
            Rule::Prefix(prefix) => prefix.heuristic(state),
            _ => 0.0,
        }
    }
}

impl Notation for Synthetic {
    fn write_state(&self, state: &State) -> String {
        format!("{} {} {:016x} {}", state.stage.name(), state.depth, state.id, state.value)
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let example = self.write_state(&self.start());
        let wrong =
            |why: &str| ReadError::position(text, format!("{why}; expected a node such as '{example}'"));
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[stage, depth, id, value] = &words[..] else { return Err(wrong("not four words")) };
        let stage = Stage::NAMES.into_iter().find(|(name, _)| *name == stage);
        let (_, stage) = stage.ok_or_else(|| wrong("neither decide, chance nor over"))?;
        let depth: u32 = depth.parse().map_err(|_| wrong("no depth"))?;
        let id = u64::from_str_radix(id, 16).map_err(|_| wrong("no identity"))?;
        let value: i32 = value.parse().map_err(|_| wrong("no value"))?;
        if depth > self.depth || depth == self.depth && stage == Stage::Decide {
            return Err(wrong(&format!("the tree ends after {} decisions", self.depth)));
        }
        if stage == Stage::Over && depth < self.depth && !self.rule.ends_early() {
            return Err(wrong(&format!("the tree ends after {} decisions, not {depth}", self.depth)));
        }
        if stage == Stage::Chance && (depth == 0 || self.chance.share == 0.0) {
            return Err(wrong("there is no chance here"));
        }
        // The chance node of the last decision is still to come.
        let rolls = depth - u32::from(stage == Stage::Chance);
        if !self.rule.keeps(value, depth, rolls, &self.chance) {
            return Err(wrong(&format!("no path adds up to {value}")));
        }
        Ok(State { id, depth, value, stage })
    }

    fn write_action(&self, _state: &State, action: Branch) -> String {
        format!("a{}", action.0 + 1)
    }

    fn write_outcome(&self, _state: &State, outcome: Branch) -> String {
        format!("o{}", outcome.0 + 1)
    }
}

impl Rule {
    /// Whether a line may end before the depth of the tree.
    fn ends_early(&self) -> bool {
        matches!(self, Self::Prefix(prefix) if prefix.traps.is_some())
    }

    /// Whether a path of this many decisions, and at most so many chance nodes, may add up to this.
    fn keeps(&self, value: i32, depth: u32, rolls: u32, chance: &Chance) -> bool {
        match self {
            Self::Prefix(prefix) => prefix.keeps(value, depth, rolls, chance),
            Self::Critical(_) => (0..=1).contains(&value),
            Self::TwoSided(_) => TwoSided::keeps(value, depth),
            Self::Independent(_) => value == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};

    fn tree(seed: u64, branches: u32, depth: u32, rule: Rule) -> Synthetic {
        Synthetic::new(seed, branches, depth, rule).unwrap()
    }

    fn pv(seed: u64, branches: u32, depth: u32, penalty: Penalty) -> Synthetic {
        tree(seed, branches, depth, Rule::Prefix(Prefix::new(penalty)))
    }

    fn bounded(bound: u32, penalty: Penalty) -> Prefix {
        Prefix { bound: Some(bound), ..Prefix::new(penalty) }
    }

    fn children(game: &Synthetic, state: &State) -> Vec<State> {
        let after = |step: &dyn Fn(&mut State)| {
            let mut child = *state;
            step(&mut child);
            child
        };
        match game.turn(state) {
            Turn::Over(_) => Vec::new(),
            Turn::Decide(_) => {
                (0..game.branches).map(|at| after(&|child| game.apply(child, Branch(at)))).collect()
            }
            Turn::Chance => {
                (0..game.chance.outcomes).map(|at| after(&|child| game.resolve(child, Branch(at)))).collect()
            }
        }
    }

    /// The nodes after so many decisions, from left to right.
    fn level(game: &Synthetic, depth: u32) -> Vec<State> {
        (0..depth)
            .fold(vec![game.start()], |nodes, _| nodes.iter().flat_map(|node| children(game, node)).collect())
    }

    /// The value of a state if nodes at a depth are worth what they are said to be worth.
    fn value(game: &Synthetic, state: &State, depth: u32, worth: &dyn Fn(&State) -> f64) -> f64 {
        let values = || children(game, state).into_iter().map(|child| value(game, &child, depth, worth));
        match game.turn(state) {
            Turn::Over(payoff) => payoff,
            Turn::Decide(_) if state.depth == depth => worth(state),
            Turn::Decide(Player::Max) => values().fold(f64::NEG_INFINITY, f64::max),
            Turn::Decide(Player::Min) => values().fold(f64::INFINITY, f64::min),
            Turn::Chance => values().sum::<f64>() / f64::from(game.chance.outcomes),
        }
    }

    /// Some of every kind.
    fn kinds() -> Vec<Synthetic> {
        let noisy = Prefix { sigma: 4.0, ..bounded(10, Penalty::UpTo(8)) };
        let traps = |anywhere| Some(Traps { share: 0.3, anywhere });
        let lag = Some(Lag { depth: 3, bias: 0.1 });
        let rules = [
            Rule::Prefix(Prefix::new(Penalty::Constant(1))),
            Rule::Prefix(Prefix { wins: true, ..Prefix::new(Penalty::UpTo(8)) }),
            Rule::Prefix(bounded(1, Penalty::Constant(1))),
            Rule::Prefix(noisy.clone()),
            Rule::Prefix(Prefix { traps: traps(false), ..noisy.clone() }),
            Rule::Prefix(Prefix { traps: traps(true), lag, ..noisy }),
            Rule::Critical(Critical { levels: vec![0, 4], first: false }),
            Rule::Critical(Critical { levels: vec![2], first: true }),
            Rule::TwoSided(TwoSided { max: 4, min: vec![1, 3] }),
            Rule::Independent(0.4),
        ];
        let plain: Vec<Synthetic> = rules.into_iter().map(|rule| tree(5, 2, 6, rule)).collect();
        let mixed = |share, outcomes, spread| {
            move |game: Synthetic| game.chance(Chance { share, outcomes, spread }).unwrap()
        };
        let often = plain.iter().cloned().map(mixed(0.5, 3, 4));
        let always = plain.iter().cloned().map(mixed(1.0, 4, 1));
        plain.iter().cloned().chain(often).chain(always).collect()
    }

    #[test]
    fn synthetic_trees_keep_the_contract() {
        for game in kinds() {
            let play = Play { games: 100, ..Play::default() };
            assert_eq!(check_game(&game, play).unwrap().finished, 100);
            check_notation(&game, Play { games: 20, ..play }).unwrap();
            check_evaluator(&game, &Heuristic, play).unwrap();
        }
    }

    #[test]
    fn the_hash_gives_the_known_numbers() {
        let root = mix(42);
        assert_eq!([mix(0), mix(1)], [0xE220_A839_7B1D_CDAF, 0x910A_2DEC_8902_5CC1]);
        assert_eq!(
            [child_id(root, 0), child_id(root, 1), draw(root, Salt::Optimal)],
            [0xDCFC_CFE8_9D85_ABA0, 0x3EA0_5A24_AA7B_AC67, 0xDA9E_4B39_7E1A_2212]
        );
    }

    #[test]
    fn prefix_values_are_those_known() {
        let game = pv(42, 2, 100, Penalty::Constant(1));
        for (depth, known) in [
            (1, &[0, 1][..]),
            (2, &[1, 0, 1, 2]),
            (3, &[1, 0, -1, 0, 0, 1, 2, 1]),
            (4, &[2, 1, 0, 1, 0, -1, 0, 1, 0, 1, 2, 1, 2, 3, 1, 2]),
        ] {
            let values: Vec<i32> = level(&game, depth).iter().map(|node| node.value).collect();
            assert_eq!(values, known);
        }
        let game = tree(7, 3, 100, Rule::Prefix(Prefix { sigma: 4.0, ..bounded(10, Penalty::UpTo(8)) }));
        let values = |depth| level(&game, depth).iter().map(|node| node.value).collect::<Vec<i32>>();
        assert_eq!((values(1), values(2)), (vec![1, -5, -4], vec![4, 1, 2, 1, 2, -5, -4, 0, 4]));
        assert_eq!(game.known_best(&game.start()), Some(Branch(0)));
        let noise = |state: &State| Heuristic.value(&game, state) - f64::from(state.value);
        assert!((noise(&game.start()) + 5.775440045584).abs() < 1e-12);
        assert!((noise(&level(&game, 1)[0]) + 0.491918769708).abs() < 1e-12);
    }

    #[test]
    fn minimax_over_any_depth_is_the_value_that_is_known() {
        for game in kinds() {
            for seed in 0..20 {
                let root = game.root(seed);
                let Some(truth) = game.truth(&root) else { continue };
                for depth in 1..=game.depth {
                    // Nodes of critical trees have no value of their own once a choice was wrong.
                    let leaf = |state: &State| game.truth(state).unwrap_or(0.0);
                    let found = value(&game, &root, depth, &leaf);
                    assert!((found - truth).abs() < 1e-9, "{game:?} {seed} {depth}: {found} {truth}");
                }
                if let Some(best) = game.known_best(&root) {
                    let mut child = root;
                    game.apply(&mut child, best);
                    let found = value(&game, &child, game.depth, &|_| unreachable!());
                    assert!((found - truth).abs() < 1e-9, "{game:?} {seed}: {found} {truth}");
                }
            }
        }
    }

    #[test]
    fn sums_of_leaves_differ_as_the_thesis_proves() {
        for seed in 0..30 {
            for (branches, k) in [(2, 1), (3, 1), (2, 3)] {
                let game = pv(seed, branches, 100, Penalty::Constant(k));
                let best = game.known_best(&game.start()).unwrap().index();
                for depth in 1..5 {
                    let leaves = level(&game, depth + 1);
                    let sums: Vec<i64> = leaves
                        .chunks(leaves.len() / branches as usize)
                        .map(|side| side.iter().map(|leaf| i64::from(leaf.value)).sum())
                        .collect();
                    for (at, sum) in sums.iter().enumerate().filter(|(at, _)| *at != best) {
                        let gap = i64::from(k) * i64::from(branches).pow(depth);
                        assert_eq!(sums[best] - sum, gap, "{seed} {branches} {k} {depth} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn leaves_of_win_loss_trees_have_the_known_means() {
        let known = [
            (2, [1.0, 1.0, 0.5, 0.75, 0.375, 0.6875, 0.34375, 0.671875, 0.3359375]),
            (
                4,
                [
                    1.0,
                    1.0,
                    0.25,
                    0.8125,
                    0.203125,
                    0.80078125,
                    0.2001953125,
                    0.800048828125,
                    0.20001220703125,
                ],
            ),
        ];
        for (branches, means) in known {
            let game = tree(3, branches, 100, Rule::Prefix(bounded(1, Penalty::Constant(1))));
            let best = game.known_best(&game.start()).unwrap().index();
            for (depth, mean) in means.into_iter().enumerate().take(if branches == 2 { 9 } else { 6 }) {
                let leaves = level(&game, depth as u32 + 1);
                let side = leaves.chunks(leaves.len() / branches as usize).nth(best).unwrap();
                let found = side.iter().map(|leaf| f64::from(leaf.value)).sum::<f64>() / side.len() as f64;
                assert_eq!(found, mean, "{branches} {depth}");
            }
        }
    }

    #[test]
    fn critical_levels_halve_what_random_play_expects() {
        for (levels, mean) in [(vec![2], 0.5), (vec![0, 4], 0.25), (vec![0, 2, 6], 0.125)] {
            // Half the leaves, a quarter, an eighth are won for sure; the others cancel out over many trees.
            let (mut sum, mut count) = (0.0_f64, 0.0_f64);
            for seed in 0..200 {
                let game =
                    tree(seed, 2, 8, Rule::Critical(Critical { levels: levels.clone(), first: false }));
                for leaf in level(&game, 8) {
                    let Turn::Over(payoff) = game.turn(&leaf) else { panic!("{leaf:?}") };
                    (sum, count) = (sum + payoff, count + 1.0);
                }
            }
            let error = (2.0 / 3.0 / count).sqrt();
            assert!((sum / count - mean).abs() < 5.0 * error, "{levels:?}: {} for {mean}", sum / count);
        }
        let game = tree(1, 2, 8, Rule::TwoSided(TwoSided { max: 4, min: vec![1, 3] }));
        let leaves: Vec<f64> = level(&game, 8).iter().map(|leaf| value(&game, leaf, 8, &|_| 0.0)).collect();
        let [left, right] = [0, 1].map(|side| leaves[128 * side..][..128].iter().sum::<f64>() / 128.0);
        assert_eq!((left, right), (0.0, 0.5));
        assert_eq!(value(&game, &game.start(), 8, &|_| 0.0), 1.0);
    }

    #[test]
    fn trees_that_cannot_be_are_refused_with_the_reason() {
        let refused = |branches, depth, rule| Synthetic::new(1, branches, depth, rule).unwrap_err().0;
        let critical = |levels: &[u32]| Rule::Critical(Critical { levels: levels.to_vec(), first: false });
        let prefix = Prefix::new(Penalty::Constant(1));
        for (error, why) in [
            (refused(1, 5, critical(&[0])), "2 to 1000 branches"),
            (refused(2, 0, critical(&[0])), "1 to 1000 decisions"),
            (refused(2, 5, critical(&[6])), "depths 0 to 4"),
            (refused(2, 5, critical(&[1])), "even depths"),
            (refused(2, 5, critical(&[])), "at least one"),
            (refused(2, 5, critical(&[2, 2])), "each once"),
            (refused(3, 9, Rule::TwoSided(TwoSided { max: 2, min: vec![1] })), "2 branches"),
            (refused(2, 9, Rule::TwoSided(TwoSided { max: 2, min: vec![2] })), "odd depths"),
            (refused(2, 5, Rule::Independent(1.5)), "0 to 1"),
            (refused(2, 5, Rule::Prefix(Prefix { bound: Some(0), ..prefix.clone() })), "greatest value"),
            (refused(2, 5, Rule::Prefix(Prefix { sigma: -1.0, ..prefix.clone() })), "deviation"),
            (
                refused(
                    2,
                    5,
                    Rule::Prefix(Prefix { lag: Some(Lag { depth: 1, bias: 0.5 }), ..prefix.clone() }),
                ),
                "bounds",
            ),
        ] {
            assert!(error.contains(why), "{error}: {why}");
        }
        let game = pv(1, 2, 5, Penalty::Constant(1));
        assert!(game.clone().chance(Chance { share: 1.5, ..Chance::NONE }).is_err());
        assert!(game.clone().chance(Chance { outcomes: 1, ..Chance::NONE }).is_err());
        for text in ["", "decide 5 00 1", "chance 1 00 1", "over 3 00 1", "decide 0 zz 1", "decide 1 00 9"] {
            assert!(game.read_state(text).is_err(), "{text}");
        }
    }
}
