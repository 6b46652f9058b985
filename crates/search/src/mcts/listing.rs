//! The Monte Carlo tree search engines by name, and their parameters.

use super::{Backup, ChanceRule, Choice, Mcts, MctsOptions, Parallel, Select, Widening};
use crate::configured::{Configured, Parts};
use crate::listing::EVAL;
use crate::look::Look;
use astragal_core::{
    EngineInfo, Evaluator, Game, Kind, Limit, Param, Searcher, Unless, Values, Variant, Words, words,
};
use std::sync::Arc;

words!(ChanceRule: "sample" => Self::Sample, "even" => Self::Even);
words!(Choice: "visits" => Self::Visits, "mean" => Self::Mean);
words!(Parallel: "root" => Self::Root, "tree" => Self::Tree, "leaf" => Self::Leaf);

pub(crate) const C: Param = Param {
    // Results of playouts spread over the whole range, so the means of a few mislead for longer than those of
    // evaluations do.
    unless: &[Unless { key: "dr", value: "inf", default: "1" }],
    ..Param::new(
        "c",
        Kind::Real(0.0, 20.0),
        "0.5",
        "exploration constant (UCB1, PUCT), for values scaled to -1..1: 0.5 is 50 where payoffs are -100 to 100",
    )
};
pub(crate) const DR: Param = Param {
    // A neutral evaluator would value everything alike.
    unless: &[Unless { key: "eval", value: "even", default: "inf" }],
    ..Param::new(
        "dr",
        Kind::Count(0, 1_000_000),
        "0",
        "decisions in a playout before the evaluator is applied; inf plays to the end of the game",
    )
};
const PLAYOUTS: Param = Param::new("playouts", Kind::Int(1, 1_000_000), "1", "playouts per leaf, averaged");
pub(crate) const POLICY: Param = Param::new(
    "policy",
    Kind::Policy,
    "none",
    "playout policy instead of random moves; `astragal games NAME` lists the policies",
);
pub(crate) const FOLLOW: Param = Param::new(
    "follow",
    Kind::Real(0.0, 1.0),
    "1",
    "probability that a playout move follows the policy; other moves are random",
);
const SELECT: Param = Param {
    name: "select",
    kind: Kind::Variant(&[
        Variant::plain("ucb1"),
        Variant::plain("ucb1-tuned"),
        Variant { name: "epsilon", number: Some(("e", 0.0, 1.0, 0.1)), whole: false },
        Variant::plain("puct"),
        Variant::plain("kl-ucb"),
        Variant::plain("thompson"),
    ]),
    default: Some("ucb1"),
    unless: &[],
    help: "bandit rule that selects actions in the tree",
};
const CHANCE: Param = Param::new(
    "chance",
    ChanceRule::CHOICE,
    "sample",
    "how outcomes are selected: sampled by probability, or the one whose visits lag furthest behind its probability",
);
const BACKUP: Param = Param {
    name: "backup",
    kind: Kind::Variant(&[
        Variant::plain("mean"),
        Variant::plain("minimax"),
        Variant { name: "power", number: Some(("p", 1.0, 1000.0, 2.0)), whole: false },
    ]),
    default: Some("mean"),
    unless: &[],
    help: "how a node's value is computed from its children",
};
const IMPLICIT: Param = Param::new(
    "implicit",
    Kind::Real(0.0, 1.0),
    "0",
    "implicit minimax: weight of the minimax value of static evaluations in selection",
);
const RAVE: Param = Param::new(
    "rave",
    Kind::Real(0.0, 1e9),
    "0",
    "RAVE: visits of a node at which its actions' means and all-moves-as-first means have equal weight; 0 is off",
);
const SEEDING: Param = Param::new(
    "seeding",
    Kind::Real(0.0, 1e9),
    "0",
    "search seeding: virtual visits given to the static value of an action; 0 is off",
);
const BIAS: Param = Param::new(
    "bias",
    Kind::Real(0.0, 1e9),
    "0",
    "progressive bias: weight of the static value, divided by the visits; 0 is off",
);
const SOLVER: Param = Param::new(
    "solver",
    Kind::Flag,
    "off",
    "MCTS-Solver: whether proved bounds prune actions and end the search",
);
const FINAL: Param = Param::new(
    "final",
    Choice::CHOICE,
    "visits",
    "final choice: the most visited action, or the one with the best mean",
);
const THREADS: Param = Param::new("threads", Kind::Int(1, 1024), "1", "number of search threads");
const PARALLEL: Param = Param::new(
    "parallel",
    Parallel::CHOICE,
    "root",
    "parallelisation: separate trees (root), one shared tree, or shared playouts at leaves",
);
pub(crate) const MEMORY_MIB: Param = Param::new(
    "memory_mib",
    Kind::Int(1, 1 << 20),
    "256",
    "memory limit of the tree in MiB; a full tree stops growing",
);
const REUSE: Param = Param::new(
    "reuse",
    Kind::Flag,
    "off",
    "whether a search reuses the matching subtree of the previous one",
);
const C2: Param = Param::new(
    "c2",
    Kind::Real(0.0, 1e9),
    "5",
    "progressive widening: a node with v visits has at most ceil(c2 * v^alpha) actions or outcomes",
);
const ALPHA: Param = Param::new("alpha", Kind::Real(0.0, 1.0), "0.2", "exponent of progressive widening");
const UNBIASED: Param = Param::new(
    "unbiased",
    Kind::Flag,
    "off",
    "whether an outcome beyond the limit is played out instead of being replaced by an existing child",
);

/// The parameters of every engine with a tree.
const MCTS: [Param; 19] = [
    EVAL, C, DR, PLAYOUTS, POLICY, FOLLOW, SELECT, CHANCE, BACKUP, IMPLICIT, RAVE, SEEDING, BIAS, SOLVER,
    FINAL, THREADS, PARALLEL, MEMORY_MIB, REUSE,
];
const DPW: [Param; 22] = [
    EVAL, C, DR, C2, ALPHA, UNBIASED, PLAYOUTS, POLICY, FOLLOW, SELECT, CHANCE, BACKUP, IMPLICIT, RAVE,
    SEEDING, BIAS, SOLVER, FINAL, THREADS, PARALLEL, MEMORY_MIB, REUSE,
];
const LOOK: Param = Param::new(
    "look",
    Kind::Int(0, 4),
    "2",
    "depth of the search that replaces the evaluator at leaves and for priors; its nodes are not counted",
);
const GUIDE: Param = Param::new(
    "guide",
    Kind::Int(0, 4),
    "0",
    "depth of the search that selects playout moves; its nodes are not counted; 0 for random or policy moves",
);
const LOOKING: [Param; 21] = [
    EVAL, LOOK, GUIDE, C, DR, PLAYOUTS, POLICY, FOLLOW, SELECT, CHANCE, BACKUP, IMPLICIT, RAVE, SEEDING,
    BIAS, SOLVER, FINAL, THREADS, PARALLEL, MEMORY_MIB, REUSE,
];
const UCT_H: [Param; 19] = Param::with_default(Param::with_default(MCTS, C, "0.4"), FINAL, "mean");

const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "mcts",
        help: "Monte Carlo tree search with chance nodes: UCT, playouts of dr decisions, then the evaluator",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), sections 2.2 and 4.2",
        tree: true,
        budgets: Limit::SIMULATING,
        params: &MCTS,
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "dpw",
        help: "Monte Carlo tree search with double progressive widening of actions and outcomes",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.2 (Couëtoux et al. 2011)",
        tree: true,
        budgets: Limit::SIMULATING,
        params: &DPW,
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "mcts-minimax",
        help: "Monte Carlo tree search with shallow minimax searches at leaves, for priors (seeding, bias) and in playouts",
        source: "MCTS-Minimax Hybrids (Baier & Winands 2015); Star2 where there is chance",
        tree: true,
        budgets: Limit::SIMULATING,
        params: &LOOKING,
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "uct",
        help: "UCT with random playouts to the end of the game",
        source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 2.4.3",
        tree: true,
        budgets: Limit::SIMULATING,
        params: &Param::with_default(Param::with_default(UCT_H, DR, "inf"), C, "1"),
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "uct-h",
        help: "UCT with the evaluator instead of playouts",
        source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.1.3",
        tree: true,
        budgets: Limit::SIMULATING,
        params: &UCT_H,
        ..EngineInfo::BLANK
    },
    EngineInfo {
        name: "uctmax-h",
        help: "UCT with the evaluator instead of playouts and minimax backups instead of means",
        source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.2.5",
        tree: true,
        budgets: Limit::SIMULATING,
        params: &Param::with_default(UCT_H, BACKUP, "minimax"),
        ..EngineInfo::BLANK
    },
];

impl MctsOptions {
    /// Reads the options from the parameters of an engine with a tree.
    pub(crate) fn read(values: &Values) -> Self {
        let c = values.real(C);
        let (select, e) = values.variant(SELECT);
        let (backup, p) = values.variant(BACKUP);
        Self {
            select: match select.as_str() {
                "ucb1" => Select::Ucb1 { c },
                "ucb1-tuned" => Select::Ucb1Tuned,
                "epsilon" => Select::Epsilon { e },
                "puct" => Select::Puct { c },
                "kl-ucb" => Select::KlUcb,
                "thompson" => Select::Thompson,
                other => unreachable!("select={other} was checked"),
            },
            chance: values.word(CHANCE),
            widening: values.has(C2).then(|| Widening {
                c: values.real(C2),
                alpha: values.real(ALPHA),
                unbiased: values.flag(UNBIASED),
            }),
            playout_moves: values.count(DR),
            playouts: values.int(PLAYOUTS),
            follow: values.real(FOLLOW),
            backup: match backup.as_str() {
                "mean" => Backup::Mean,
                "minimax" => Backup::Minimax,
                "power" => Backup::Power { p },
                other => unreachable!("backup={other} was checked"),
            },
            implicit: values.real(IMPLICIT),
            rave: values.real(RAVE),
            seeding: values.real(SEEDING),
            bias: values.real(BIAS),
            solver: values.flag(SOLVER),
            choice: values.word(FINAL),
            threads: values.int(THREADS),
            parallel: values.word(PARALLEL),
            memory_mib: values.int(MEMORY_MIB),
            reuse: values.flag(REUSE),
        }
    }
}

impl Configured for MctsOptions {
    const ENGINES: &'static [EngineInfo] = ENGINES;

    fn wrong(values: &Values) -> Option<String> {
        Self::read(values).contradiction()
    }

    fn is_endless(_: &Values) -> bool {
        true
    }

    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        values: &Values,
        parts: Parts<G, E>,
    ) -> Box<dyn Searcher<G>> {
        let Parts { mut evaluator, mut policy, .. } = parts.erased();
        let depth = |param: Param| if values.has(param) { values.int(param) } else { 0 };
        if let depth @ 1.. = depth(GUIDE) {
            policy = Some(Arc::new(Look { evaluator: Arc::clone(&evaluator), depth }));
        }
        if let depth @ 1.. = depth(LOOK) {
            evaluator = Arc::new(Look { evaluator, depth });
        }
        let search = Mcts::with_options(evaluator, Self::read(values));
        Box::new(match policy {
            Some(policy) => search.with_policy(policy),
            None => search,
        })
    }
}
