//! The flat Monte Carlo engines by name, and their parameters.

use super::{Allocation, Flat, FlatOptions};
use crate::configured::{Configured, Parts};
use crate::listing::EVAL;
use crate::mcts::listing::{C, DR, FOLLOW, POLICY};
use astragal_core::{EngineInfo, Evaluator, Game, Kind, Limit, Param, Searcher, Values};

const ALLOCATION: Param = Param::new(
    "allocation",
    Kind::Choice(&["equal", "ucb", "halving"]),
    "equal",
    "how samples are allocated: equally, by UCB1, or by sequential halving",
);
const COMMON: Param = Param::new(
    "common",
    Kind::Flag,
    "on",
    "common random numbers: whether the playouts of a round, one per action, share their random numbers",
);
const CONFIDENCE: Param = Param::new(
    "confidence",
    Kind::Real(0.5, 1.0),
    "1",
    "confidence at which sampling stops early; 1 never stops early",
);

const FLAT: [Param; 8] = Param::with_default(
    Param::with_default([EVAL, ALLOCATION, C, DR, POLICY, FOLLOW, COMMON, CONFIDENCE], C, "1"),
    DR,
    "inf",
);

const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "flat",
        help: "equally many random playouts after each action, without a tree",
        source: "lecture on sampling-based search (M. Buro)",
        budgets: Limit::SIMULATING,
        params: &FLAT,
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "bandit",
        help: "random playouts after each action, more after those that look good (UCB1), without a tree",
        source: "lecture on sampling-based search (M. Buro); Auer et al. 2002",
        budgets: Limit::SIMULATING,
        params: &Param::with_default(FLAT, ALLOCATION, "ucb"),
        ..EngineInfo::BLANK
    },
];

impl FlatOptions {
    /// Reads the options from the parameters of an engine.
    fn read(values: &Values) -> Self {
        Self {
            allocation: match values.text(ALLOCATION) {
                "equal" => Allocation::Equal,
                "ucb" => Allocation::Ucb1 { c: values.real(C) },
                "halving" => Allocation::Halving,
                other => unreachable!("allocation={other} was checked"),
            },
            common: values.flag(COMMON),
            confidence: values.real(CONFIDENCE),
            playout_moves: values.count(DR),
            follow: values.real(FOLLOW),
        }
    }
}

impl Configured for FlatOptions {
    const ENGINES: &'static [EngineInfo] = ENGINES;

    fn is_endless(_: &Values) -> bool {
        true
    }

    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        values: &Values,
        parts: Parts<G, E>,
    ) -> Box<dyn Searcher<G>> {
        let Parts { evaluator, policy, .. } = parts.erased();
        let search = Flat::new(evaluator, Self::read(values));
        Box::new(match policy {
            Some(policy) => search.with_policy(policy),
            None => search,
        })
    }
}
