//! The names and parameters of the trees.

use super::{Chance, Critical, Heuristic, Lag, Leaves, Penalty, Prefix, Rule, Synthetic, Traps, TwoSided};
use super::{MOST_BRANCHES, MOST_DEPTH, MOST_OUTCOMES};
use astragal_core::{GameInfo, Genre, Kind, Listed, Param, SpecError, Tools, Values};
use std::str::FromStr;

const SEED: Param = Param::new("seed", Kind::Int(0, u64::MAX), "1", "seed of the tree");
const BRANCHES: Param =
    Param::new("b", Kind::Int(2, MOST_BRANCHES as u64), "2", "branches at every decision");
const DEPTH: Param = Param::new("depth", Kind::Int(1, MOST_DEPTH as u64), "24", "decisions until the end");
const CHANCE: Param =
    Param::new("chance", Kind::Real(0.0, 1.0), "0", "share of decisions that are followed by a chance node");
const OUTCOMES: Param = Param::new(
    "outcomes",
    Kind::Int(2, MOST_OUTCOMES as u64),
    "2",
    "outcomes of a chance node, all equally likely",
);
const SPREAD: Param = Param::new(
    "spread",
    Kind::Int(0, 1_000_000),
    "1",
    "maximum shift of the value by an outcome; outcomes come in pairs with opposite shifts",
);
const SIGMA: Param = Param::new(
    "sigma",
    Kind::Real(0.0, 1e6),
    "0",
    "standard deviation of the heuristic around the true value",
);
const PAYOFF: Param = Param::new(
    "payoff",
    Kind::Choice(&["value", "win"]),
    "value",
    "payoff of a leaf: its value, or its sign (1 if above 0, otherwise -1)",
);

const SOURCE: &str = "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), chapter 5";
const POSITIONS: &str =
    "STAGE DEPTH IDENTITY VALUE, where the value is what the path adds up to. decide 0 910a2dec89025cc1 1";
const FROM_ZERO: &str =
    "STAGE DEPTH IDENTITY VALUE, where the value is what the path adds up to. decide 0 910a2dec89025cc1 0";

const CRITICAL: GameInfo = GameInfo {
    name: "critical",
    genre: Genre::Tree,
    help: "a tree in which only the decisions of player 1 at some levels matter",
    rules: concat!(include_str!("rules/critical.md"), include_str!("rules/notation.md")),
    source: SOURCE,
    positions: POSITIONS,
    params: &[
        SEED,
        BRANCHES,
        DEPTH,
        Param::new("levels", Kind::Text, "0", "the depths of these decisions, all even: 4+12"),
        Param::new(
            "right",
            Kind::Choice(&["any", "first"]),
            "any",
            "which action is right there: any, fixed for each node, or the first",
        ),
        Param::new(
            "wins",
            Kind::Text,
            "die",
            "leaves after a wrong choice: die (a third each is won, drawn, lost), or for each level the share that is won (0.5+0.25), the rest being lost",
        ),
        CHANCE,
        OUTCOMES,
    ],
};

const TWO_SIDED: GameInfo = GameInfo {
    name: "two-sided",
    genre: Genre::Tree,
    help: "a tree in which both players have critical levels, and random play prefers the wrong side",
    rules: concat!(include_str!("rules/two_sided.md"), include_str!("rules/notation.md")),
    source: SOURCE,
    positions: FROM_ZERO,
    params: &[
        SEED,
        Param::new("depth", Kind::Int(1, MOST_DEPTH as u64), "20", "decisions until the end"),
        Param::new(
            "max",
            Kind::Int(2, MOST_DEPTH as u64),
            "2",
            "the level of player 1 in the left subtree, even",
        ),
        Param::new("min", Kind::Text, "1+3", "the levels of player 2 in the right subtree, odd"),
        CHANCE,
        OUTCOMES,
    ],
};

const PV: GameInfo = GameInfo {
    name: "pv",
    genre: Genre::Tree,
    help: "a prefix-value tree: one action keeps the value of a node, every other one loses some of it",
    rules: concat!(include_str!("rules/pv.md"), include_str!("rules/notation.md")),
    source: SOURCE,
    positions: POSITIONS,
    params: &[
        SEED,
        BRANCHES,
        Param::new("depth", Kind::Int(1, MOST_DEPTH as u64), "100", "decisions until the end"),
        Param::new("k", Kind::Int(1, 1_000_000), "1", "loss of every other action"),
        Param::new(
            "kmax",
            Kind::Int(0, 1_000_000),
            "0",
            "if above 0, the loss is drawn from 1 to this, for each action",
        ),
        PAYOFF,
        SIGMA,
        CHANCE,
        OUTCOMES,
        SPREAD,
    ],
};

const BPV: GameInfo = GameInfo {
    name: "bpv",
    genre: Genre::Tree,
    help: "a prefix-value tree with bounded values, whose heuristic may be noisy, lag, or miss traps",
    rules: concat!(include_str!("rules/bpv.md"), include_str!("rules/notation.md")),
    source: SOURCE,
    positions: POSITIONS,
    params: &[
        SEED,
        Param::new("b", Kind::Int(2, MOST_BRANCHES as u64), "4", "branches at every decision"),
        Param::new("depth", Kind::Int(1, MOST_DEPTH as u64), "100", "decisions until the end"),
        Param::new("vmax", Kind::Int(1, 1_000_000), "10", "the greatest value; the least is 1 minus it"),
        Param::new("kmax", Kind::Int(1, 1_000_000), "8", "maximum loss of an action that is not best"),
        PAYOFF,
        SIGMA,
        Param::new(
            "delta",
            Kind::Real(0.0, 1.0),
            "0",
            "the share of actions after which the game is lost at once",
        ),
        Param::new(
            "traps",
            Kind::Choice(&["worse", "any"]),
            "worse",
            "which actions may be traps: all but those that keep the value, or any (then true values are unknown)",
        ),
        Param::new(
            "lag",
            Kind::Int(0, MOST_DEPTH as u64),
            "0",
            "the last depth at which the heuristic is blind",
        ),
        Param::new(
            "bias",
            Kind::Real(0.0, 1.0),
            "0.5",
            "value of the heuristic at the depths where it is blind, within 0.1: 0 is the least value, 1 the greatest",
        ),
        CHANCE,
        OUTCOMES,
        SPREAD,
    ],
};

const WIN_LOSS: GameInfo = GameInfo {
    name: "win-loss",
    genre: Genre::Tree,
    help: "a prefix-value tree with the values 0 and 1: one mistake loses, the next one wins again",
    rules: concat!(include_str!("rules/win_loss.md"), include_str!("rules/notation.md")),
    source: SOURCE,
    positions: POSITIONS,
    params: &[SEED, BRANCHES, DEPTH, SIGMA, CHANCE, OUTCOMES],
};

const P_GAME: GameInfo = GameInfo {
    name: "p-game",
    genre: Genre::Tree,
    help: "a tree whose leaves are won or lost independently of each other; true values are not known",
    rules: concat!(include_str!("rules/p_game.md"), include_str!("rules/notation.md")),
    source: "Asymptotic properties of minimax trees and game-searching procedures (Pearl 1980)",
    positions: FROM_ZERO,
    params: &[
        SEED,
        BRANCHES,
        DEPTH,
        Param::new("p", Kind::Real(0.0, 1.0), "0.5", "the share of leaves that player 1 wins"),
        Param::new(
            "leaves",
            Kind::Choice(&["won", "even"]),
            "won",
            "what leaves pay: 1 or -1, or any number between, all equally likely",
        ),
        CHANCE,
        OUTCOMES,
    ],
};

const SCORE_TREE: GameInfo = GameInfo {
    name: "score-tree",
    genre: Genre::Tree,
    help: "a tree in which every step adds a number from -1 to 1 to a score; true values are not known",
    rules: concat!(include_str!("rules/score_tree.md"), include_str!("rules/notation.md")),
    source: "Equal node budgets over growing branching factors, in the lecture on Monte Carlo tree search",
    positions: FROM_ZERO,
    params: &[SEED, BRANCHES, DEPTH, CHANCE, OUTCOMES],
};

/// Parses numbers separated by `+`, `,`, `/` or spaces.
fn numbers<T: FromStr>(values: &Values, name: &str, what: &str) -> Result<Vec<T>, SpecError> {
    let text = values.text(name);
    let numbers = text.split(['+', ',', '/', ' ']).map(str::trim).map(str::parse);
    numbers
        .collect::<Result<_, _>>()
        .map_err(|_| SpecError(format!("{}: {name}={text}: expected {what}", values.name())))
}

fn levels(values: &Values, name: &str) -> Result<Vec<u32>, SpecError> {
    numbers(values, name, "depths such as 4+12")
}

impl Listed for Synthetic {
    const INFO: GameInfo = CRITICAL;
    const MORE: &'static [GameInfo] = &[TWO_SIDED, PV, BPV, WIN_LOSS, P_GAME, SCORE_TREE];

    fn build(values: &Values) -> Result<Self, SpecError> {
        let wins = || values.text("payoff") == "win";
        let rule = match values.name() {
            "critical" => Rule::Critical(Critical {
                levels: levels(values, "levels")?,
                first: values.text("right") == "first",
                wins: match values.text("wins") {
                    "die" => Vec::new(),
                    _ => numbers(values, "wins", "die, or shares such as 0.5+0.25")?,
                },
            }),
            "two-sided" => Rule::TwoSided(TwoSided { max: values.int("max"), min: levels(values, "min")? }),
            "pv" => {
                let penalty = match values.int("kmax") {
                    0 => Penalty::Constant(values.int("k")),
                    most => Penalty::UpTo(most),
                };
                Rule::Prefix(Prefix { wins: wins(), sigma: values.real("sigma"), ..Prefix::new(penalty) })
            }
            "bpv" => {
                let (share, depth) = (values.real("delta"), values.int("lag"));
                let anywhere = values.text("traps") == "any";
                Rule::Prefix(Prefix {
                    bound: Some(values.int("vmax")),
                    wins: wins(),
                    sigma: values.real("sigma"),
                    traps: (share > 0.0).then_some(Traps { share, anywhere }),
                    lag: (depth > 0).then(|| Lag { depth, bias: values.real("bias") }),
                    ..Prefix::new(Penalty::UpTo(values.int("kmax")))
                })
            }
            "win-loss" => Rule::Prefix(Prefix {
                bound: Some(1),
                sigma: values.real("sigma"),
                ..Prefix::new(Penalty::Constant(1))
            }),
            "p-game" if values.text("leaves") == "even" => Rule::Independent(Leaves::Even),
            "p-game" => Rule::Independent(Leaves::Won(values.real("p"))),
            "score-tree" => Rule::Score,
            other => unreachable!("no tree is called {other}"),
        };
        let branches = if values.has("b") { values.int("b") } else { 2 };
        let tree = Self::new(values.int("seed"), branches, values.int("depth"), rule);
        let chance = Chance {
            share: values.real("chance"),
            outcomes: values.int("outcomes"),
            spread: if values.has("spread") { values.int("spread") } else { 1 },
        };
        tree.and_then(|tree| tree.chance(chance))
            .map_err(|error| SpecError(format!("{}: {}", values.name(), error.0)))
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("heuristic", "the true value with noise", Heuristic);
    }

    fn list_as(name: &str, tools: &mut impl Tools<Self>) {
        match name {
            "pv" | "bpv" | "win-loss" => Self::list(tools),
            "score-tree" => tools.default_evaluator("score", "the score so far", Heuristic),
            // In other trees nothing is known before the end.
            _ => {}
        }
    }
}
