//! A regular game tree whose positions have a score: each action and each outcome adds a number made from a
//! hash.
//!
//! Every decision has the same number of actions, Max and Min move in turn, and with more than one outcome
//! chance follows each action. The score so far is a fair estimate of the payoff, as in games with a good
//! evaluation function; a search that sees nothing in unfinished positions takes
//! [`Even`](astragal_core::Even) instead. The catalogue's random trees are made to break searches: their
//! estimates say nothing of payoffs, so depth is of no use there.

use astragal_core::{Evaluator, Game, Interval, Key, Player, Turn, Weighted, mix, unit};

/// The game with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniformTree {
    /// Another seed is another tree.
    pub seed: u64,
    /// Decisions until the end.
    pub depth: u32,
    /// Actions of every decision.
    pub actions: u32,
    /// Outcomes after every action, all equally likely; with one there is no chance.
    pub outcomes: u32,
}

/// A node: its identity, the decisions made, the score so far, and whether chance is next.
#[derive(Clone, Copy, Debug)]
pub struct State {
    id: u64,
    level: u32,
    score: f64,
    rolling: bool,
}

// Nodes are what their identity says; scores follow from it and are never NaN.
impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        (self.id, self.level, self.rolling) == (other.id, other.level, other.rolling)
    }
}

impl Eq for State {}

impl UniformTree {
    /// The largest score: 1 for each step.
    fn most(&self) -> f64 {
        f64::from(self.depth) * if self.has_chance() { 2.0 } else { 1.0 }
    }

    /// What a step adds to the score, between −1 and 1.
    fn step(&self, state: &State, index: u32) -> (u64, f64) {
        let id = mix(state.id.wrapping_add((u64::from(index) + 1).wrapping_mul(0xD1B5_4A32_D192_ED03)));
        (id, 2.0 * unit(mix(id ^ 0x5851_F42D_4C95_7F2D)) - 1.0)
    }
}

impl Game for UniformTree {
    type State = State;
    type Action = u32;
    type Outcome = u32;

    fn start(&self) -> State {
        State { id: mix(self.seed), level: 0, score: 0.0, rolling: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.rolling {
            Turn::Chance
        } else if state.level == self.depth {
            Turn::Over(state.score)
        } else if state.level.is_multiple_of(2) {
            Turn::Decide(Player::Max)
        } else {
            Turn::Decide(Player::Min)
        }
    }

    fn actions(&self, _state: &State, out: &mut Vec<u32>) {
        out.extend(0..self.actions);
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<Weighted<u32>>) {
        let weight = 1.0 / f64::from(self.outcomes);
        out.extend((0..self.outcomes).map(|item| Weighted { item, weight }));
    }

    #[inline]
    fn apply(&self, state: &mut State, action: u32) {
        let (id, gain) = self.step(state, action);
        *state = State { id, level: state.level + 1, score: state.score + gain, rolling: self.has_chance() };
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: u32) {
        let (id, gain) = self.step(state, outcome);
        *state = State { id, score: state.score + gain, rolling: false, ..*state };
    }

    fn key(&self, state: &State) -> Key {
        Key(u128::from(state.level) << 65 | u128::from(state.rolling) << 64 | u128::from(state.id))
    }

    fn range(&self) -> Interval {
        Interval::new(-self.most(), self.most())
    }

    /// The best step for the player to move looks most promising.
    fn promise(&self, state: &State, action: u32) -> i32 {
        let sign = if state.level.is_multiple_of(2) { 1.0 } else { -1.0 };
        (sign * 1e6 * self.step(state, action).1) as i32
    }

    fn has_chance(&self) -> bool {
        self.outcomes > 1
    }
}

/// The score so far.
#[derive(Clone, Copy, Debug)]
pub struct Score;

impl Evaluator<UniformTree> for Score {
    #[inline]
    fn value(&self, _game: &UniformTree, state: &State) -> f64 {
        state.score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::contract::{Play, check_evaluator, check_game};

    #[test]
    fn uniform_trees_keep_the_contract() {
        for (seed, outcomes) in [(1, 1), (2, 3)] {
            let game = UniformTree { seed, depth: 5, actions: 4, outcomes };
            let visited = check_game(&game, Play::default()).unwrap();
            assert!(visited.finished > 0);
            check_evaluator(&game, &Score, Play::default()).unwrap();
        }
    }
}
