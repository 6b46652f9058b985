//! The engines by name, and how each is built from its parameters.

use crate::aim::Aim;
use crate::games::games;
use crate::strongest::{self, STRONGEST};
use crate::uci::UCI;
use astragal_core::{
    EngineInfo, Evaluator, EvaluatorName, Files, Interval, Kind, Known, Notation, Param, Searcher, Spec,
    SpecError, Values, unknown,
};
use astragal_search::{
    AlphaBetaOptions, Configured, FlatOptions, HybridOptions, MctsOptions, Options, Parts, RandomMove,
};
use astragal_solve::Solution;
use std::sync::LazyLock;

/// Defines the families of searches and dispatches to their options. A new family is a line in the list
/// below.
macro_rules! families {
    ($($family:ident: $options:ty),+ $(,)?) => {
        /// A family of searches.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Family {
            $($family),+
        }

        impl Family {
            const ENGINES: &[(Self, &[EngineInfo])] =
                &[$((Self::$family, <$options as Configured>::ENGINES)),+];

            fn wrong(self, values: &Values) -> Option<String> {
                match self {
                    $(Self::$family => <$options as Configured>::wrong(values)),+
                }
            }

            fn is_endless(self, values: &Values) -> bool {
                match self {
                    $(Self::$family => <$options as Configured>::is_endless(values)),+
                }
            }

            fn build<G: Notation + 'static, E: Evaluator<G> + 'static>(
                self,
                values: &Values,
                parts: Parts<G, E>,
            ) -> Box<dyn Searcher<G>> {
                match self {
                    $(Self::$family => <$options as Configured>::build(values, parts)),+
                }
            }
        }
    };
}

families! {
    Star: Options,
    AlphaBeta: AlphaBetaOptions,
    Mcts: MctsOptions,
    Flat: FlatOptions,
    Hybrid: HybridOptions,
    Random: RandomMove,
}

/// How an engine is built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Build {
    Search(Family),
    Solved,
    Rule,
    Optimal,
    Outside,
    /// An alias of another engine.
    Another,
}

const FILE: Param = Param::required("file", Kind::File, "the file of `astragal solve --out`");

/// The player that has a solution of its game.
pub(crate) static SOLVED: EngineInfo = EngineInfo {
    name: "solved",
    help: "the perfect player: it looks every value up in a file that `astragal solve` made",
    source: "value iteration, as in Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 4.3",
    params: &[FILE],
    ..EngineInfo::BLANK
};

/// The engines that are not searches of a family.
static OTHERS: [(&EngineInfo, Build); 3] =
    [(&SOLVED, Build::Solved), (&UCI, Build::Outside), (&STRONGEST, Build::Another)];

/// All engines: those for any game, and the players of single games.
static ALL: LazyLock<Vec<(EngineInfo, Build)>> = LazyLock::new(|| {
    let searches = Family::ENGINES
        .iter()
        .flat_map(|(family, engines)| engines.iter().map(|info| (*info, Build::Search(*family))));
    let players = games().flat_map(|game| &game.players).copied();
    let others = OTHERS.iter().map(|(info, build)| (**info, *build));
    searches.chain(others).chain(players).collect()
});

/// All engines.
pub fn engines() -> impl Iterator<Item = &'static EngineInfo> {
    ALL.iter().map(|(info, _)| info)
}

/// The engine with this name.
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

/// An engine that is checked and complete but not yet bound to a game's types.
pub(crate) struct Plan {
    pub(crate) info: &'static EngineInfo,
    pub(crate) spec: String,
    values: Values,
    build: Build,
}

impl Plan {
    /// Parses and checks a spec string for a game with these evaluators and policies.
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
            let other = strongest::spec(&values, known, game, chance, range)?;
            return Self::new(&other, known, game, chance, range);
        }
        if let Some(only) = info.game.filter(|only| *only != game) {
            return Err(SpecError(format!("'{}' plays only {only}, not {game}", info.name)));
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

    /// Why the parameters contradict each other, if they do.
    fn wrong(&self) -> Option<String> {
        let values = &self.values;
        let guided = values.has("guide") && values.int::<u32>("guide") > 0;
        if guided && self.policy().is_some() {
            return Some("playouts follow a policy or the searches of guide, not both".into());
        }
        if self.policy().is_none() && !guided && values.has("follow") && values.real("follow") < 1.0 {
            return Some(format!("follow={} has no effect without a policy", values.real("follow")));
        }
        match self.build {
            Build::Search(family) => family.wrong(values),
            Build::Solved | Build::Rule | Build::Optimal | Build::Outside | Build::Another => None,
        }
    }

    /// The parameter values, if the engine is a player that follows a rule of its game.
    pub(crate) fn rule(&self) -> Option<&Values> {
        matches!(self.build, Build::Rule).then_some(&self.values)
    }

    /// The parameter values, if the engine is an external program.
    pub(crate) fn outside(&self) -> Option<&Values> {
        matches!(self.build, Build::Outside).then_some(&self.values)
    }

    /// The evaluator, if the engine has one.
    pub(crate) fn evaluator(&self) -> Option<EvaluatorName> {
        self.values.has("eval").then(|| self.values.evaluator("eval"))
    }

    /// Whether a search without a limit would in practice never end.
    pub(crate) fn is_endless(&self) -> bool {
        match self.build {
            Build::Search(family) => family.is_endless(&self.values),
            Build::Outside => true,
            Build::Solved | Build::Rule | Build::Optimal | Build::Another => false,
        }
    }
}

impl Plan {
    /// Whether the engine solves its game first.
    pub(crate) fn solves_first(&self) -> bool {
        matches!(self.build, Build::Optimal)
    }

    /// The solution file that the engine plays from, if any.
    pub(crate) fn solution_file(&self) -> Option<&str> {
        matches!(self.build, Build::Solved).then(|| self.values.text(FILE))
    }

    /// Reads the solution in a file.
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
                Err(wrong(&format!("it was solved for '{}', not for '{}'", found.escape_debug(), aim.name())))
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

/// Builds the search of a plan.
pub(crate) fn search<G: Notation + 'static, E: Evaluator<G> + 'static>(
    plan: &Plan,
    parts: Parts<G, E>,
) -> Box<dyn Searcher<G>> {
    match plan.build {
        Build::Search(family) => family.build(&plan.values, parts),
        build => unreachable!("{build:?} is no search with an evaluator"),
    }
}
