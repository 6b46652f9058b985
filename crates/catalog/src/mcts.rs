//! The Monte Carlo searches, with trees and without: their parameters, and what these mean.

use crate::engines::{EVAL, EngineInfo};
use astragal_core::{Kind, Limit, Param, Values, Variant};
use astragal_search::{
    Allocation, Backup, ChanceRule, Choice, FlatOptions, MctsOptions, Parallel, Select, Widening,
};

const C: Param = Param {
    name: "c",
    kind: Kind::Real(0.0, 20.0),
    default: Some("0.5"),
    help: "exploration in ucb1 and puct, for values scaled to -1..1: 0.5 is 50 where payoffs are -100 to 100",
};
const DR: Param = Param {
    name: "dr",
    kind: Kind::Count(0, 1_000_000),
    default: Some("0"),
    help: "decisions of a playout before the evaluator is asked; inf plays to the end",
};
const PLAYOUTS: Param = Param {
    name: "playouts",
    kind: Kind::Int(1, 1_000_000),
    default: Some("1"),
    help: "playouts at a leaf, whose mean counts",
};
const POLICY: Param = Param {
    name: "policy",
    kind: Kind::Policy,
    default: Some("none"),
    help: "what playouts follow instead of moving at random; `astragal games NAME` lists the policies",
};
const FOLLOW: Param = Param {
    name: "follow",
    kind: Kind::Real(0.0, 1.0),
    default: Some("1"),
    help: "how often they follow it; other moves are random",
};
const SELECT: Param = Param {
    name: "select",
    kind: Kind::Variant(&[
        Variant::plain("ucb1"),
        Variant::plain("ucb1-tuned"),
        Variant { name: "epsilon", number: Some(("e", 0.0, 1.0, 0.1)) },
        Variant::plain("puct"),
        Variant::plain("kl-ucb"),
        Variant::plain("thompson"),
    ]),
    default: Some("ucb1"),
    help: "how actions are selected on the way down",
};
const CHANCE: Param = Param {
    name: "chance",
    kind: Kind::Choice(&["sample", "even"]),
    default: Some("sample"),
    help: "how outcomes are selected: by probability, or the one that lags most behind it",
};
const BACKUP: Param = Param {
    name: "backup",
    kind: Kind::Variant(&[
        Variant::plain("mean"),
        Variant::plain("minimax"),
        Variant { name: "power", number: Some(("p", 1.0, 1000.0, 2.0)) },
    ]),
    default: Some("mean"),
    help: "what a node is worth, given its children",
};
const IMPLICIT: Param = Param {
    name: "implicit",
    kind: Kind::Real(0.0, 1.0),
    default: Some("0"),
    help: "the share of the minimax value of static values in selection",
};
const RAVE: Param = Param {
    name: "rave",
    kind: Kind::Real(0.0, 1e9),
    default: Some("0"),
    help: "RAVE: visits after which an action's value and its value as if first count the same; 0 is none",
};
const SEEDING: Param = Param {
    name: "seeding",
    kind: Kind::Real(0.0, 1e9),
    default: Some("0"),
    help: "search seeding: visits that the static value of an action counts for; 0 is none",
};
const BIAS: Param = Param {
    name: "bias",
    kind: Kind::Real(0.0, 1e9),
    default: Some("0"),
    help: "progressive bias: the weight of the static value, divided by the visits; 0 is none",
};
const SOLVER: Param = Param {
    name: "solver",
    kind: Kind::Flag,
    default: Some("off"),
    help: "whether proved bounds cut off actions and end the search",
};
const FINAL: Param = Param {
    name: "final",
    kind: Kind::Choice(&["visits", "mean"]),
    default: Some("visits"),
    help: "which action is played: the most visited, or that of the best mean",
};
const THREADS: Param =
    Param { name: "threads", kind: Kind::Int(1, 1024), default: Some("1"), help: "threads of the search" };
const PARALLEL: Param = Param {
    name: "parallel",
    kind: Kind::Choice(&["root", "tree", "leaf"]),
    default: Some("root"),
    help: "what threads share: nothing until the end, the tree, or the playouts of a leaf",
};
const MEMORY_MIB: Param = Param {
    name: "memory_mib",
    kind: Kind::Int(1, 1 << 20),
    default: Some("256"),
    help: "the most memory of the tree in MiB; without room the search goes on with the tree as it is",
};
const REUSE: Param = Param {
    name: "reuse",
    kind: Kind::Flag,
    default: Some("off"),
    help: "whether a search goes on with what the last one knows of its position",
};
const C2: Param = Param {
    name: "c2",
    kind: Kind::Real(0.0, 1e9),
    default: Some("5"),
    help: "widening: a node with v visits has room for c2 * v^alpha actions or outcomes, rounded up",
};
const ALPHA: Param = Param {
    name: "alpha",
    kind: Kind::Real(0.0, 1.0),
    default: Some("0.2"),
    help: "the exponent of widening",
};
const UNBIASED: Param = Param {
    name: "unbiased",
    kind: Kind::Flag,
    default: Some("off"),
    help: "whether an outcome without room is played out instead of replaced by one that is kept",
};

/// A default that differs.
const fn but(param: Param, default: &'static str) -> Param {
    Param { default: Some(default), ..param }
}

const ALLOCATION: Param = Param {
    name: "allocation",
    kind: Kind::Choice(&["equal", "ucb", "halving"]),
    default: Some("equal"),
    help: "which action gets the next sample: all in turn, by UCB1, or the better half again and again",
};
const COMMON: Param = Param {
    name: "common",
    kind: Kind::Flag,
    default: Some("on"),
    help: "whether the games of a round, one for each action, see the same random numbers",
};
const CONFIDENCE: Param = Param {
    name: "confidence",
    kind: Kind::Real(0.5, 1.0),
    default: Some("1"),
    help: "the chance to be right at which sampling ends early; 1 never does",
};

/// Sampling at the root.
pub(crate) const FLAT: [EngineInfo; 2] = [
    EngineInfo {
        name: "flat",
        help: "random games after each action, all equally many; nothing below is remembered",
        source: "lecture on sampling-based search (M. Buro)",
        chance: true,
        game: None,
        budgets: Limit::SIMULATING,
        params: &[EVAL, ALLOCATION, but(C, "1"), but(DR, "inf"), POLICY, FOLLOW, COMMON, CONFIDENCE],
    },
    EngineInfo {
        name: "bandit",
        help: "random games after each action, more of those that look good (UCB1)",
        source: "lecture on sampling-based search (M. Buro); Auer et al. 2002",
        chance: true,
        game: None,
        budgets: Limit::SIMULATING,
        params: &[
            EVAL,
            but(ALLOCATION, "ucb"),
            but(C, "1"),
            but(DR, "inf"),
            POLICY,
            FOLLOW,
            COMMON,
            CONFIDENCE,
        ],
    },
];

/// What the parameters of sampling at the root mean.
pub(crate) fn flat_options(values: &Values) -> FlatOptions {
    FlatOptions {
        allocation: match values.text("allocation") {
            "ucb" => Allocation::Ucb1 { c: values.real("c") },
            "halving" => Allocation::Halving,
            _ => Allocation::Equal,
        },
        common: values.flag("common"),
        confidence: values.real("confidence"),
        playout_moves: values.count("dr"),
        follow: values.real("follow"),
    }
}

pub(crate) const ENGINES: [EngineInfo; 5] = [
    EngineInfo {
        name: "mcts",
        help: "Monte Carlo tree search with chance nodes: UCT, playouts of dr decisions, then the evaluator",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), sections 2.2 and 4.2",
        chance: true,
        game: None,
        budgets: Limit::SIMULATING,
        params: &[
            EVAL, C, DR, PLAYOUTS, POLICY, FOLLOW, SELECT, CHANCE, BACKUP, IMPLICIT, RAVE, SEEDING, BIAS,
            SOLVER, FINAL, THREADS, PARALLEL, MEMORY_MIB, REUSE,
        ],
    },
    EngineInfo {
        name: "dpw",
        help: "Monte Carlo tree search with double progressive widening of actions and outcomes",
        source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.2 (Couëtoux et al. 2011)",
        chance: true,
        game: None,
        budgets: Limit::SIMULATING,
        params: &[
            EVAL, C, DR, C2, ALPHA, UNBIASED, PLAYOUTS, POLICY, FOLLOW, SELECT, CHANCE, BACKUP, IMPLICIT,
            RAVE, SEEDING, BIAS, SOLVER, FINAL, THREADS, PARALLEL, MEMORY_MIB, REUSE,
        ],
    },
    EngineInfo {
        name: "uct",
        help: "UCT with random playouts to the end of the game",
        source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 2.4.3",
        chance: true,
        game: None,
        budgets: Limit::SIMULATING,
        params: &[
            EVAL,
            but(C, "0.4"),
            but(DR, "inf"),
            PLAYOUTS,
            POLICY,
            FOLLOW,
            SELECT,
            CHANCE,
            BACKUP,
            IMPLICIT,
            RAVE,
            SEEDING,
            BIAS,
            SOLVER,
            but(FINAL, "mean"),
            THREADS,
            PARALLEL,
            MEMORY_MIB,
            REUSE,
        ],
    },
    EngineInfo {
        name: "uct-h",
        help: "UCT with the evaluator instead of playouts",
        source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.1.3",
        chance: true,
        game: None,
        budgets: Limit::SIMULATING,
        params: &[
            EVAL,
            but(C, "0.4"),
            DR,
            PLAYOUTS,
            POLICY,
            FOLLOW,
            SELECT,
            CHANCE,
            BACKUP,
            IMPLICIT,
            RAVE,
            SEEDING,
            BIAS,
            SOLVER,
            but(FINAL, "mean"),
            THREADS,
            PARALLEL,
            MEMORY_MIB,
            REUSE,
        ],
    },
    EngineInfo {
        name: "uctmax-h",
        help: "UCT with the evaluator instead of playouts, and minimax instead of means",
        source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.2.5",
        chance: true,
        game: None,
        budgets: Limit::SIMULATING,
        params: &[
            EVAL,
            but(C, "0.4"),
            DR,
            PLAYOUTS,
            POLICY,
            FOLLOW,
            SELECT,
            CHANCE,
            but(BACKUP, "minimax"),
            IMPLICIT,
            RAVE,
            SEEDING,
            BIAS,
            SOLVER,
            but(FINAL, "mean"),
            THREADS,
            PARALLEL,
            MEMORY_MIB,
            REUSE,
        ],
    },
];

/// What the parameters of a tree search mean.
pub(crate) fn options(values: &Values) -> MctsOptions {
    let c = values.real("c");
    let select = match values.variant("select") {
        (rule, _) if rule == "ucb1-tuned" => Select::Ucb1Tuned,
        (rule, e) if rule == "epsilon" => Select::Epsilon { e },
        (rule, _) if rule == "puct" => Select::Puct { c },
        (rule, _) if rule == "kl-ucb" => Select::KlUcb,
        (rule, _) if rule == "thompson" => Select::Thompson,
        _ => Select::Ucb1 { c },
    };
    let backup = match values.variant("backup") {
        (backup, _) if backup == "minimax" => Backup::Minimax,
        (backup, p) if backup == "power" => Backup::Power { p },
        _ => Backup::Mean,
    };
    let widening = values.has("c2").then(|| Widening {
        c: values.real("c2"),
        alpha: values.real("alpha"),
        unbiased: values.flag("unbiased"),
    });
    MctsOptions {
        select,
        chance: if values.text("chance") == "even" { ChanceRule::Even } else { ChanceRule::Sample },
        widening,
        playout_moves: values.count("dr"),
        playouts: values.int("playouts"),
        follow: values.real("follow"),
        backup,
        implicit: values.real("implicit"),
        rave: values.real("rave"),
        seeding: values.real("seeding"),
        bias: values.real("bias"),
        solver: values.flag("solver"),
        choice: if values.text("final") == "mean" { Choice::Mean } else { Choice::Visits },
        threads: values.int("threads"),
        parallel: match values.text("parallel") {
            "tree" => Parallel::Tree,
            "leaf" => Parallel::Leaf,
            _ => Parallel::Root,
        },
        memory_mib: values.int("memory_mib"),
        reuse: values.flag("reuse"),
    }
}
