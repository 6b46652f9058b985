//! Trees made from a hash (*Understanding Sampling-Based Adversarial Search*, chapter 5). Of most kinds the
//! true values are known, so that a decision of a search can be judged exactly, at any size.
//!
//! All properties of a node are pure functions of its identity and of what its path has added up to, so
//! nothing is stored, repeated visits agree, and a tree of depth 100 costs nothing until it is visited.
//! Max moves at even depths, Min at odd ones.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | the game: nodes, children, chance nodes mixed in |
//! | `prefix.rs` | prefix-value trees, bounded ones, win/loss trees; their heuristic |
//! | `critical.rs` | critical levels of one side and of two |
//! | `regular.rs` | trees whose values are not known: independent leaves, and scores that add up |
//! | `notation.rs`, `listing.rs` | nodes in words, and the names and parameters of the trees |

mod critical;
mod listing;
mod notation;
mod prefix;
mod regular;
#[cfg(test)]
mod tests;

pub use critical::{Critical, TwoSided};
pub use prefix::{Lag, Penalty, Prefix, Traps};
pub use regular::Leaves;

use crate::SetupError;
use astragal_core::{Evaluator, Game, Interval, Key, Player, Turn, Weighted, below, mix, unit};

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
    Score,
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
    /// Leaves that do not depend on each other.
    Independent(Leaves),
    /// Each action and each outcome adds a number between −1 and 1 to a score, which leaves pay.
    Score,
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
            Rule::Independent(leaves) => leaves.check()?,
            Rule::Score => {}
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
            Rule::Independent(_) | Rule::Score => None,
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
            Self::TwoSided(_) | Self::Independent(_) | Self::Score => 0,
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
                Rule::Critical(critical) => critical.payoff(state),
                Rule::TwoSided(sides) => sides.payoff(state),
                Rule::Independent(leaves) => leaves.payoff(state.id),
                Rule::Score => regular::score(state),
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
            Rule::Score => (state.value + regular::gain(id), false),
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
        let id = child_id(state.id, outcome.0);
        let value = match &self.rule {
            Rule::Prefix(prefix) => state.value + prefix.offset(state, outcome.0, &self.chance),
            Rule::Score => state.value + regular::gain(id),
            _ => state.value,
        };
        let stage = if state.depth == self.depth { Stage::Over } else { Stage::Decide };
        *state = State { id, value, stage, ..*state };
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        let rest = u64::from(state.value as u32) << 32 | u64::from(state.depth) << 2 | state.stage as u64;
        Key(u128::from(rest) << 64 | u128::from(state.id))
    }

    fn range(&self) -> Interval {
        match &self.rule {
            Rule::Prefix(prefix) => prefix.range(self.depth, &self.chance),
            Rule::Score => regular::range(self.depth, self.has_chance()),
            _ => Interval::new(-1.0, 1.0),
        }
    }

    /// Where scores add up, what the action itself adds.
    #[inline]
    fn promise(&self, state: &State, action: Branch) -> i32 {
        match &self.rule {
            Rule::Score => {
                let gain = regular::gain(child_id(state.id, action.0));
                if Self::player(state.depth) == Player::Max { gain } else { -gain }
            }
            _ => 0,
        }
    }

    fn known_best(&self, state: &State) -> Option<Branch> {
        if state.stage != Stage::Decide {
            return None;
        }
        match &self.rule {
            // What is won on average is not what the mean value says.
            Rule::Prefix(prefix) if prefix.wins && self.has_chance() => None,
            Rule::Prefix(prefix) => prefix.best(self.branches, state),
            Rule::Critical(critical) => critical.best(self.branches, state),
            Rule::TwoSided(sides) => sides.best(state),
            Rule::Independent(_) | Rule::Score => None,
        }
        .map(Branch)
    }

    fn has_chance(&self) -> bool {
        self.chance.share > 0.0
    }
}

/// The heuristic of the tree: in trees of values along the path the true value with noise, in trees of scores
/// the score so far, elsewhere nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heuristic;

impl Evaluator<Synthetic> for Heuristic {
    #[inline]
    fn value(&self, game: &Synthetic, state: &State) -> f64 {
        match &game.rule {
            Rule::Prefix(prefix) => prefix.heuristic(state),
            Rule::Score => regular::score(state),
            _ => 0.0,
        }
    }
}
