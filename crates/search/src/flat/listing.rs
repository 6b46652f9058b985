//! Sampling at the root by name: its parameters, and what these mean.

use super::{Allocation, FlatOptions};
use crate::listing::EVAL;
use crate::mcts::listing::{C, DR, FOLLOW, POLICY};
use astragal_core::{EngineInfo, Kind, Limit, Param, Values};

const ALLOCATION: Param = Param::new(
    "allocation",
    Kind::Choice(&["equal", "ucb", "halving"]),
    "equal",
    "which action gets the next sample: all in turn, by UCB1, or the better half again and again",
);
const COMMON: Param = Param::new(
    "common",
    Kind::Flag,
    "on",
    "whether the games of a round, one for each action, see the same random numbers",
);
const CONFIDENCE: Param = Param::new(
    "confidence",
    Kind::Real(0.5, 1.0),
    "1",
    "the chance to be right at which sampling ends early; 1 never does",
);

const FLAT: [Param; 8] = Param::with_default(
    Param::with_default([EVAL, ALLOCATION, C, DR, POLICY, FOLLOW, COMMON, CONFIDENCE], "c", "1"),
    "dr",
    "inf",
);

/// The engines that sample at the root.
pub const FLAT_ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "flat",
        help: "random games after each action, all equally many; nothing below is remembered",
        source: "lecture on sampling-based search (M. Buro)",
        chance: true,
        game: None,
        tree: false,
        budgets: Limit::SIMULATING,
        params: &FLAT,
    },
    EngineInfo {
        name: "bandit",
        help: "random games after each action, more of those that look good (UCB1)",
        source: "lecture on sampling-based search (M. Buro); Auer et al. 2002",
        chance: true,
        game: None,
        tree: false,
        budgets: Limit::SIMULATING,
        params: &Param::with_default(FLAT, "allocation", "ucb"),
    },
];

impl FlatOptions {
    /// What the parameters of sampling at the root mean.
    ///
    /// # Panics
    /// If they are those of another engine.
    #[must_use]
    pub fn read(values: &Values) -> Self {
        Self {
            allocation: match values.text("allocation") {
                "equal" => Allocation::Equal,
                "ucb" => Allocation::Ucb1 { c: values.real("c") },
                "halving" => Allocation::Halving,
                other => unreachable!("allocation={other} was checked"),
            },
            common: values.flag("common"),
            confidence: values.real("confidence"),
            playout_moves: values.count("dr"),
            follow: values.real("follow"),
        }
    }
}
