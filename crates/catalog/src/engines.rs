//! The engines by name, and how each is built from its parameters.

use crate::aim::Aim;
use crate::games::games;
use crate::mcts;
use astragal_core::{
    Budget, Evaluator, Kind, Known, Limit, Notation, Param, Policy, Searcher, Spec, SpecError, Values,
    unknown,
};
use astragal_search::{
    Algorithm, Chance, DEEPEST, Flat, Keys, Mcts, Options, RandomMove, Scheme, StarMinimax, TableUse,
};
use astragal_solve::Solution;
use std::sync::{Arc, LazyLock};

/// An engine as the catalogue lists it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// The paper it comes from.
    pub source: &'static str,
    /// Whether it searches games with chance.
    pub chance: bool,
    /// The only game that it plays, if it is a player of one.
    pub game: Option<&'static str>,
    /// The limits that it heeds.
    pub budgets: &'static [Limit],
    /// Its parameters.
    pub params: &'static [Param],
}

impl EngineInfo {
    /// Refuses a budget with a limit that the engine does not heed.
    ///
    /// # Errors
    /// If there is such a limit.
    pub fn check_budget(&self, budget: &Budget) -> Result<(), SpecError> {
        budget.check(self.budgets).map_err(|error| SpecError(format!("'{}' has {error}", self.name)))
    }
}

pub(crate) const EVAL: Param = Param {
    name: "eval",
    kind: Kind::Evaluator,
    default: None,
    help: "how unfinished states are valued; `astragal games NAME` lists the evaluators",
};
const DEPTH: Param = Param {
    name: "depth",
    kind: Kind::Int(1, DEEPEST as u64),
    default: Some("1000"),
    help: "the deepest search, in decisions; a budget may say less",
};
const MEMO: Param = Param {
    name: "table",
    kind: Kind::Choice(&["off", "values"]),
    default: Some("off"),
    help: "whether values of states that come back are remembered",
};
const TABLE: Param = Param {
    name: "table",
    kind: Kind::Choice(&["off", "order", "values"]),
    default: Some("values"),
    help: "what is remembered of states that come back: the best action, or bounds of the value, too",
};
const TABLE_SS: Param = Param {
    default: Some("order"),
    help: "what is remembered of states that come back; `values` needs keys=state",
    ..TABLE
};
const TABLE_MIB: Param = Param {
    name: "table_mib",
    kind: Kind::Int(1, 16_384),
    default: Some("16"),
    help: "the size of the table in MiB",
};
const PRUNE_FROM: Param = Param {
    name: "prune_from",
    kind: Kind::Int(1, DEEPEST as u64),
    default: Some("3"),
    help: "the least remaining depth at which to prune; the paper prunes above depth 2",
};
const ORDER: Param = Param {
    name: "order",
    kind: Kind::Flag,
    default: Some("on"),
    help: "whether promising actions are tried first",
};
const ALL_LINES: Param = Param {
    name: "all_lines",
    kind: Kind::Flag,
    default: Some("off"),
    help: "whether every action at the root gets its exact value instead of a bound",
};
const PROBES: Param = Param {
    name: "probes",
    kind: Kind::Int(0, 64),
    default: Some("1"),
    help: "actions probed at each successor in turns: 1 is Star2, more Star2.5, 0 Star1",
};
const WIDTH: Param = Param {
    name: "width",
    kind: Kind::Int(1, 1_000_000),
    default: Some("10"),
    help: "outcomes drawn at a chance node",
};
const DECAY: Param = Param {
    name: "decay",
    kind: Kind::Real(0.05, 1.0),
    default: Some("1"),
    help: "by what the width shrinks with each decision from the root; d decisions below it is width * decay^d",
};
const SAMPLE: Param = Param {
    name: "sample",
    kind: Kind::Choice(&["iid", "without", "systematic", "stratified"]),
    default: Some("iid"),
    help: "how they are drawn: with replacement (the paper), without, evenly spaced, one a stratum",
};
const KEYS: Param = Param {
    name: "keys",
    kind: Kind::Choice(&["path", "state"]),
    default: Some("path"),
    help: "what a sample depends on: the path from the root (Theorem 1), or the state, which may then be remembered",
};
const ENUMERATE: Param = Param {
    name: "enumerate",
    kind: Kind::Flag,
    default: Some("on"),
    help: "whether a node with at most `width` outcomes is taken exactly; the paper samples there, too",
};

/// The family members differ in these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Build {
    Expectimax,
    Star1,
    Star2,
    Random,
    Solved,
    Rule,
    Optimal,
    Mcts,
    Flat,
}

const ENGINES: &[(EngineInfo, Build)] = &[
    (
        EngineInfo {
            name: "expectimax",
            help: "the depth-limited value by its definition: every action, every outcome",
            source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.1",
            chance: true,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[EVAL, DEPTH, MEMO, TABLE_MIB],
        },
        Build::Expectimax,
    ),
    (
        EngineInfo {
            name: "star1",
            help: "Expectimax that leaves a chance node as soon as its bounds decide it",
            source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.1, algorithm 1 (Ballard 1983)",
            chance: true,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[EVAL, DEPTH, PRUNE_FROM, TABLE, TABLE_MIB, ORDER, ALL_LINES],
        },
        Build::Star1,
    ),
    (
        EngineInfo {
            name: "star2",
            help: "Star1 that first probes an action of each successor for a bound",
            source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 2.1, algorithm 2 (Ballard 1983)",
            chance: true,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[EVAL, DEPTH, PROBES, PRUNE_FROM, TABLE, TABLE_MIB, ORDER, ALL_LINES],
        },
        Build::Star2,
    ),
    (
        EngineInfo {
            name: "expss",
            help: "Expectimax on a sample of the outcomes of each chance node",
            source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 3.1",
            chance: true,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[EVAL, WIDTH, DECAY, SAMPLE, KEYS, ENUMERATE, DEPTH, MEMO, TABLE_MIB],
        },
        Build::Expectimax,
    ),
    (
        EngineInfo {
            name: "star1ss",
            help: "Star1 on a sample of the outcomes of each chance node",
            source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 3.1",
            chance: true,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[
                EVAL, WIDTH, DECAY, SAMPLE, KEYS, ENUMERATE, DEPTH, PRUNE_FROM, TABLE_SS, TABLE_MIB, ORDER,
                ALL_LINES,
            ],
        },
        Build::Star1,
    ),
    (
        EngineInfo {
            name: "star2ss",
            help: "Star2 on a sample of the outcomes of each chance node",
            source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 3.1",
            chance: true,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[
                EVAL, WIDTH, DECAY, SAMPLE, KEYS, ENUMERATE, DEPTH, PROBES, PRUNE_FROM, TABLE_SS, TABLE_MIB,
                ORDER, ALL_LINES,
            ],
        },
        Build::Star2,
    ),
    (
        EngineInfo {
            name: "minimax",
            help: "the depth-limited value of a game without chance, by its definition",
            source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 2.1",
            chance: false,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[EVAL, DEPTH, MEMO, TABLE_MIB],
        },
        Build::Expectimax,
    ),
    (
        EngineInfo {
            name: "alpha-beta",
            help: "Minimax that leaves a node as soon as its value is outside the window",
            source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 2.1",
            chance: false,
            game: None,
            budgets: Limit::DEEPENING,
            params: &[EVAL, DEPTH, TABLE, TABLE_MIB, ORDER, ALL_LINES],
        },
        Build::Star1,
    ),
    (mcts::ENGINES[0], Build::Mcts),
    (mcts::ENGINES[1], Build::Mcts),
    (mcts::ENGINES[2], Build::Mcts),
    (mcts::ENGINES[3], Build::Mcts),
    (mcts::ENGINES[4], Build::Mcts),
    (mcts::FLAT[0], Build::Flat),
    (mcts::FLAT[1], Build::Flat),
    (
        EngineInfo {
            name: "random",
            help: "any legal action, all equally likely: an opponent to measure others against",
            source: "none",
            chance: true,
            game: None,
            budgets: &[],
            params: &[],
        },
        Build::Random,
    ),
    (
        EngineInfo {
            name: "solved",
            help: "the perfect player: it looks every value up in a file that `astragal solve` made",
            source: "value iteration, as in Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 4.3",
            chance: true,
            game: None,
            budgets: &[],
            params: &[Param {
                name: "file",
                kind: Kind::File,
                default: None,
                help: "the file of `astragal solve --out`",
            }],
        },
        Build::Solved,
    ),
];

/// Every engine: those for all games, and the players of single games.
static ALL: LazyLock<Vec<(EngineInfo, Build)>> = LazyLock::new(|| {
    let players = games().flat_map(|game| &game.players);
    ENGINES.iter().chain(players).copied().collect()
});

/// Every engine.
pub fn engines() -> impl Iterator<Item = &'static EngineInfo> {
    ALL.iter().map(|(info, _)| info)
}

/// The engine of this name.
///
/// # Errors
/// If there is none.
pub fn engine_info(name: &str) -> Result<&'static EngineInfo, SpecError> {
    entry(name).map(|(info, _)| info)
}

fn entry(name: &str) -> Result<&'static (EngineInfo, Build), SpecError> {
    ALL.iter().find(|(info, _)| info.name == name).ok_or_else(|| {
        let names: Vec<&str> = engines().map(|info| info.name).collect();
        unknown("engine", name, &names)
    })
}

/// An engine that is checked and complete but not yet tied to a game's types.
pub(crate) struct Plan {
    pub(crate) info: &'static EngineInfo,
    pub(crate) spec: String,
    values: Values,
    build: Build,
}

impl Plan {
    /// Checks a spec string for a game with these evaluators and policies.
    pub(crate) fn new(spec: &str, known: &Known, game: &str, chance: bool) -> Result<Self, SpecError> {
        let spec = Spec::parse(spec)?;
        let (info, build) = entry(&spec.name)?;
        let values = Values::resolve(&spec, info.params, known)?;
        if let Some(only) = info.game.filter(|only| *only != game) {
            return Err(SpecError(format!("'{}' plays {only} and no other game, not {game}", info.name)));
        }
        if chance && !info.chance {
            return Err(SpecError(format!(
                "'{}' is for games without chance, and {game} has chance; try expectimax, star1 or star2",
                info.name
            )));
        }
        let plan = Self { info, spec: values.spec(), values, build: *build };
        if plan.build == Build::Mcts
            && let Some(why) = mcts::options(&plan.values).contradiction()
        {
            return Err(SpecError(format!("{}: {why}", info.name)));
        }
        if plan.policy().is_none() && plan.values.has("follow") && plan.values.real("follow") < 1.0 {
            return Err(SpecError(format!(
                "{}: follow={} has nothing to follow; choose a policy, too",
                info.name,
                plan.values.real("follow")
            )));
        }
        if let Some(options) = plan.options() {
            if let Some(why) = options.contradiction() {
                return Err(SpecError(format!("{}: {why}", info.name)));
            }
            if !options.affordable() {
                let size = options.table_mib;
                return Err(SpecError(format!(
                    "{}: there is no memory for table_mib={size}; try less",
                    info.name
                )));
            }
        }
        Ok(plan)
    }

    /// The values of the parameters, if the engine is a player that follows a rule of its game.
    pub(crate) fn rule(&self) -> Option<&Values> {
        (self.build == Build::Rule).then_some(&self.values)
    }

    /// The name of the evaluator, if the engine has one.
    pub(crate) fn evaluator(&self) -> Option<&str> {
        self.values.has("eval").then(|| self.values.text("eval"))
    }

    fn options(&self) -> Option<Options> {
        let values = &self.values;
        let algorithm = match self.build {
            Build::Expectimax => Algorithm::Expectimax,
            Build::Star1 => Algorithm::Star1,
            Build::Star2 => Algorithm::Star2 { probes: values.int("probes") },
            Build::Random | Build::Solved | Build::Rule | Build::Optimal | Build::Mcts | Build::Flat => {
                return None;
            }
        };
        let chance = if values.has("width") {
            let scheme = match values.text("sample") {
                "without" => Scheme::Without,
                "systematic" => Scheme::Systematic,
                "stratified" => Scheme::Stratified,
                _ => Scheme::Iid,
            };
            let keys = if values.text("keys") == "state" { Keys::State } else { Keys::Path };
            let (width, decay) = (values.int("width"), values.real("decay"));
            Chance::Sample { width, decay, scheme, keys, enumerate: values.flag("enumerate") }
        } else {
            Chance::Exact
        };
        let table = match values.text("table") {
            "values" => TableUse::Values,
            "order" => TableUse::Order,
            _ => TableUse::Off,
        };
        Some(Options {
            algorithm,
            chance,
            depth: values.int("depth"),
            prune_from: if values.has("prune_from") { values.int("prune_from") } else { 1 },
            table,
            table_mib: values.int("table_mib"),
            order: values.has("order") && values.flag("order"),
            all_lines: values.has("all_lines") && values.flag("all_lines"),
        })
    }
}

impl Plan {
    /// Whether the engine solves its game first.
    pub(crate) fn solves_first(&self) -> bool {
        self.build == Build::Optimal
    }

    /// The file of the solution that the engine plays by, if it is one that does.
    pub(crate) fn solution_file(&self) -> Option<&str> {
        (self.build == Build::Solved).then(|| self.values.text("file"))
    }

    /// The solution in a file.
    pub(crate) fn read_solution(file: &str, game: &str, aim: Aim) -> Result<Solution, SpecError> {
        let wrong =
            |error: &dyn std::fmt::Display| SpecError(format!("solved: '{}': {error}", file.escape_debug()));
        let input = std::fs::File::open(file).map_err(|error| wrong(&error))?;
        let solution =
            Solution::load(game, &mut std::io::BufReader::new(input)).map_err(|error| wrong(&error))?;
        match solution.objective() {
            found if found == aim.name() => Ok(solution),
            found => {
                Err(wrong(&format!("it solves for '{}', not for '{}'", found.escape_debug(), aim.name())))
            }
        }
    }
}

impl Plan {
    /// The name of the playout policy, if there is one.
    pub(crate) fn policy(&self) -> Option<&str> {
        self.values.has("policy").then(|| self.values.text("policy")).filter(|name| *name != "none")
    }
}

/// The search of a plan with this evaluator and playout policy.
pub(crate) fn search<G: Notation + 'static, E: Evaluator<G> + Copy + 'static>(
    plan: &Plan,
    evaluator: E,
    policy: Option<Arc<dyn Policy<G>>>,
) -> Box<dyn Searcher<G>> {
    if let Some(options) = plan.options() {
        return Box::new(StarMinimax::new(evaluator, options));
    }
    // A playout takes far longer than a call through a pointer, and code for each evaluator takes long to
    // compile.
    let evaluator: Box<dyn Evaluator<G>> = Box::new(evaluator);
    match plan.build {
        Build::Flat => {
            let search = Flat::new(evaluator, mcts::flat_options(&plan.values));
            Box::new(match policy {
                Some(policy) => search.with_policy(policy),
                None => search,
            })
        }
        Build::Mcts => {
            let search = Mcts::with_options(evaluator, mcts::options(&plan.values));
            Box::new(match policy {
                Some(policy) => search.with_policy(policy),
                None => search,
            })
        }
        Build::Random => Box::new(RandomMove),
        build => unreachable!("{build:?} is no search with an evaluator"),
    }
}
