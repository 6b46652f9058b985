//! Nodes as text: stage, depth, identity, and the path's accumulated value.

use super::{Branch, Chance, Rule, Stage, State, Synthetic, TwoSided, regular};
use astragal_core::{Game, Notation, ReadError};

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
        // At a chance node, the roll after the last decision is still to come.
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
    /// Whether a path may end before the depth of the tree.
    fn ends_early(&self) -> bool {
        matches!(self, Self::Prefix(prefix) if prefix.traps.is_some())
    }

    /// Whether a path of `depth` decisions and at most `rolls` chance nodes can accumulate `value`.
    fn keeps(&self, value: i32, depth: u32, rolls: u32, chance: &Chance) -> bool {
        match self {
            Self::Prefix(prefix) => prefix.keeps(value, depth, rolls, chance),
            Self::Critical(critical) => critical.keeps(value),
            Self::TwoSided(_) => TwoSided::keeps(value, depth),
            Self::Independent(_) => value == 0,
            Self::Score => regular::keeps(value, depth + if chance.share > 0.0 { rolls } else { 0 }),
        }
    }
}
