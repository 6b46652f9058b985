//! The engines by name, and how each is built from its parameters.

use crate::aim::Aim;
use crate::games::games;
use crate::strongest::{self, STRONGEST};
use crate::uci::UCI;
use astragal_core::{
    EngineInfo, Evaluator, EvaluatorName, Files, Interval, Kind, Known, Notation, Param, Policy, Searcher,
    Spec, SpecError, Values, unknown,
};
use astragal_search::{
    ALPHA_BETA_ENGINES, AlgorithmOf, AlphaBeta, AlphaBetaOptions, DEEPEST, FLAT_ENGINES, Flat, FlatOptions,
    HYBRID_ENGINES, Hybrid, HybridOptions, Look, MCTS_ENGINES, Mcts, MctsOptions, Options, ProbCut,
    RandomMove, STAR_ENGINES, StarMinimax,
};
use astragal_solve::Solution;
use std::sync::{Arc, LazyLock};

/// How an engine is built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Build {
    Star(AlgorithmOf),
    AlphaBeta,
    Mcts,
    Flat,
    Hybrid,
    Random,
    Solved,
    Rule,
    Optimal,
    Outside,
    /// A name for another engine.
    Another,
}

const OTHERS: &[(EngineInfo, Build)] = &[
    (
        EngineInfo {
            name: "random",
            help: "any legal action, all equally likely: an opponent to measure others against",
            source: "none",
            chance: true,
            game: None,
            tree: false,
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
            tree: false,
            budgets: &[],
            params: &[Param::required("file", Kind::File, "the file of `astragal solve --out`")],
        },
        Build::Solved,
    ),
    (UCI, Build::Outside),
    (STRONGEST, Build::Another),
];

/// Every engine: those for all games, and the players of single games.
static ALL: LazyLock<Vec<(EngineInfo, Build)>> = LazyLock::new(|| {
    let star = STAR_ENGINES.iter().map(|(info, algorithm)| (*info, Build::Star(*algorithm)));
    let alpha_beta = ALPHA_BETA_ENGINES.iter().map(|info| (*info, Build::AlphaBeta));
    let mcts = MCTS_ENGINES.iter().map(|info| (*info, Build::Mcts));
    let flat = FLAT_ENGINES.iter().map(|info| (*info, Build::Flat));
    let hybrid = HYBRID_ENGINES.iter().map(|info| (*info, Build::Hybrid));
    let players = games().flat_map(|game| &game.players).copied();
    star.chain(alpha_beta)
        .chain(mcts)
        .chain(flat)
        .chain(hybrid)
        .chain(OTHERS.iter().copied())
        .chain(players)
        .collect()
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
    pub(crate) fn new(
        spec: &str,
        known: &Known,
        game: &str,
        chance: bool,
        range: Interval,
    ) -> Result<Self, SpecError> {
        let spec = Spec::parse(spec)?;
        let (info, build) = entry(&spec.name)?;
        let values = Values::resolve(&spec, info.params, known)?;
        if let Build::Another = build {
            let other = strongest::spec(&values, known, game, chance, range);
            return Self::new(&other, known, game, chance, range);
        }
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
        match plan.wrong() {
            Some(why) => Err(SpecError(format!("{}: {why}", info.name))),
            None => Ok(plan),
        }
    }

    /// Why the parameters do not go together, if they do not.
    fn wrong(&self) -> Option<String> {
        let values = &self.values;
        let guided = values.has("guide") && values.int::<u32>("guide") > 0;
        if guided && self.policy().is_some() {
            return Some("playouts follow a policy or the searches of guide, not both".into());
        }
        if self.policy().is_none() && !guided && values.has("follow") && values.real("follow") < 1.0 {
            return Some(format!("follow={} has no effect without a policy", values.real("follow")));
        }
        let (contradiction, affordable) = match self.build {
            Build::Star(algorithm) => {
                let options = Options::read(algorithm(values), values);
                let cuts = self.probcut().and_then(|_| ProbCut::contradiction(&options));
                (options.contradiction().or(cuts).map(str::to_owned), options.affordable())
            }
            Build::AlphaBeta => {
                let options = AlphaBetaOptions::read(values);
                (options.contradiction().map(str::to_owned), options.affordable())
            }
            Build::Hybrid => {
                let HybridOptions { alpha_beta, mcts, .. } = HybridOptions::read(values);
                (mcts.contradiction(), alpha_beta.affordable())
            }
            Build::Mcts => (MctsOptions::read(values).contradiction(), true),
            Build::Flat
            | Build::Random
            | Build::Solved
            | Build::Rule
            | Build::Optimal
            | Build::Outside
            | Build::Another => (None, true),
        };
        let unaffordable =
            || format!("there is no memory for table_mib={}; try less", values.text("table_mib"));
        contradiction.or_else(|| (!affordable).then(unaffordable))
    }

    /// The values of the parameters, if the engine is a player that follows a rule of its game.
    pub(crate) fn rule(&self) -> Option<&Values> {
        matches!(self.build, Build::Rule).then_some(&self.values)
    }

    /// The values of the parameters, if the engine is another program.
    pub(crate) fn outside(&self) -> Option<&Values> {
        matches!(self.build, Build::Outside).then_some(&self.values)
    }

    /// The evaluator, if the engine has one.
    pub(crate) fn evaluator(&self) -> Option<EvaluatorName> {
        self.values.has("eval").then(|| self.values.evaluator("eval"))
    }

    /// How many standard errors forward pruning allows for, if it is on.
    pub(crate) fn probcut(&self) -> Option<f64> {
        self.values.has("probcut").then(|| self.values.real("probcut")).filter(|t| *t > 0.0)
    }

    /// Whether a search without a limit would, for all practical purposes, never end.
    pub(crate) fn is_endless(&self) -> bool {
        match self.build {
            Build::Star(_) | Build::AlphaBeta | Build::Hybrid => self.values.int::<u32>("depth") == DEEPEST,
            Build::Mcts | Build::Flat | Build::Outside => true,
            Build::Random | Build::Solved | Build::Rule | Build::Optimal | Build::Another => false,
        }
    }
}

impl Plan {
    /// Whether the engine solves its game first.
    pub(crate) fn solves_first(&self) -> bool {
        matches!(self.build, Build::Optimal)
    }

    /// The file of the solution that the engine plays by, if it is one that does.
    pub(crate) fn solution_file(&self) -> Option<&str> {
        matches!(self.build, Build::Solved).then(|| self.values.text("file"))
    }

    /// The solution in a file.
    pub(crate) fn read_solution(
        files: &Files,
        file: &str,
        game: &str,
        aim: Aim,
    ) -> Result<Solution, SpecError> {
        let wrong =
            |error: &dyn std::fmt::Display| SpecError(format!("solved: '{}': {error}", file.escape_debug()));
        let input = files.open(file).map_err(|error| wrong(&error))?;
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
pub(crate) fn search<G: Notation + 'static, E: Evaluator<G> + 'static>(
    plan: &Plan,
    evaluator: E,
    policy: Option<Arc<dyn Policy<G>>>,
    cuts: Option<ProbCut>,
) -> Box<dyn Searcher<G>> {
    if let Build::Star(algorithm) = plan.build {
        let options = Options::read(algorithm(&plan.values), &plan.values);
        let search = StarMinimax::new(evaluator, options);
        return Box::new(match cuts {
            Some(cuts) => search.probcut(cuts),
            None => search,
        });
    }
    // A playout takes far longer than a call through a pointer, and code for each evaluator takes long to
    // compile.
    let evaluator: Arc<dyn Evaluator<G>> = Arc::new(evaluator);
    match plan.build {
        Build::AlphaBeta => Box::new(AlphaBeta::new(evaluator, AlphaBetaOptions::read(&plan.values))),
        Build::Flat => {
            let search = Flat::new(evaluator, FlatOptions::read(&plan.values));
            Box::new(match policy {
                Some(policy) => search.with_policy(policy),
                None => search,
            })
        }
        Build::Mcts => {
            let (mut evaluator, mut policy) = (evaluator, policy);
            let depth = |name: &str| if plan.values.has(name) { plan.values.int(name) } else { 0 };
            if let depth @ 1.. = depth("guide") {
                policy = Some(Arc::new(Look { evaluator: Arc::clone(&evaluator), depth }));
            }
            if let depth @ 1.. = depth("look") {
                evaluator = Arc::new(Look { evaluator, depth });
            }
            let search = Mcts::with_options(evaluator, MctsOptions::read(&plan.values));
            Box::new(match policy {
                Some(policy) => search.with_policy(policy),
                None => search,
            })
        }
        Build::Hybrid => Box::new(Hybrid::new(evaluator, HybridOptions::read(&plan.values))),
        Build::Random => Box::new(RandomMove),
        build => unreachable!("{build:?} is no search with an evaluator"),
    }
}
