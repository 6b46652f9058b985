//! Everything that the erased layer knows of a game beyond its rules: its evaluators, policies and players,
//! each with the searches compiled for it.

use crate::engines::{Build, Plan, search};
use crate::judge::{Judge, Judged};
use crate::prospects::{Prospects, prospects};
use astragal_core::{
    EngineInfo, Evaluator, Even, GameInfo, Known, Listed, Noisy, Notation, Payoffs, PlayerInfo, PlayerOf,
    Policy, PolicyOf, Searcher, SpecError, Tools, Values,
};
use astragal_search::{Parts, ProbCut};
use std::sync::Arc;

/// The name of the evaluator that every game has.
pub(crate) const NEUTRAL: &str = "even";

/// An evaluator of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatorInfo {
    /// Its name, for `eval=`.
    pub name: &'static str,
    /// What it computes, in a line.
    pub help: &'static str,
}

/// A policy that playouts of a game may follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyInfo {
    /// Its name, for `policy=`.
    pub name: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

type Searches<G> = dyn Fn(&Plan, Option<Arc<dyn Policy<G>>>, ProbCut) -> Box<dyn Searcher<G>> + Send + Sync;

/// An evaluator.
struct EvaluatorEntry<G: Notation> {
    info: EvaluatorInfo,
    evaluator: Arc<dyn Evaluator<G>>,
    /// The searches compiled for it; without them, searches call it through the pointer.
    search: Option<Box<Searches<G>>>,
    /// Whether its value of a state never changes.
    is_fixed: bool,
    /// The state of forward pruning for the game with this evaluator, shared by all engines.
    cuts: ProbCut,
}

/// How a listed player chooses its actions.
enum Plays<G> {
    ByPolicy(PlayerOf<G>),
    Perfectly(fn(&G) -> Result<(), SpecError>),
}

/// Everything known of a game beyond its rules.
pub(crate) struct Kit<G: Notation> {
    pub(crate) info: GameInfo,
    pub(crate) payoffs: Payoffs,
    pub(crate) counts_turns: bool,
    pub(crate) begins_turn: fn(&G::State) -> bool,
    evaluators: Vec<EvaluatorEntry<G>>,
    /// The external evaluators among them.
    judged: Vec<Arc<Judged>>,
    policies: Vec<(PolicyInfo, PolicyOf<G>)>,
    players: Vec<(PlayerInfo, Plays<G>)>,
}

impl<G: Notation + 'static> Kit<G> {
    /// A kit without evaluators, policies and players.
    pub(crate) fn empty(info: GameInfo) -> Self {
        Self {
            info,
            payoffs: Payoffs::Numbers,
            counts_turns: false,
            begins_turn: |_| false,
            evaluators: Vec::new(),
            judged: Vec::new(),
            policies: Vec::new(),
            players: Vec::new(),
        }
    }

    /// Adds the evaluator that every game has.
    pub(crate) fn complete(mut self) -> Self {
        self.evaluator(NEUTRAL, "the middle of the range for every state", Even);
        self
    }

    /// Adds an evaluator before the one that every game has.
    pub(crate) fn insert_evaluator<E: Evaluator<G> + Copy + 'static>(
        &mut self,
        name: &'static str,
        evaluator: E,
    ) {
        let even = self.evaluators.pop();
        self.push_compiled(name, "yours", evaluator);
        self.evaluators.extend(even);
    }

    /// Adds an external evaluator before the one that every game has.
    pub(crate) fn judge(&mut self, name: &'static str, judge: Arc<dyn Judge>) -> Result<(), SpecError> {
        if self.evaluators().any(|evaluator| evaluator.name == name) {
            let game = self.info.name;
            return Err(SpecError(format!("{game} already has an evaluator '{name}'")));
        }
        let even = self.evaluators.pop();
        let judged = Arc::new(Judged::new(judge));
        let info = EvaluatorInfo { name, help: "yours" };
        let evaluator: Arc<dyn Evaluator<G>> = Arc::<Judged>::clone(&judged);
        self.evaluators.push(EvaluatorEntry {
            info,
            evaluator,
            search: None,
            is_fixed: false,
            cuts: ProbCut::new(1.0),
        });
        self.evaluators.extend(even);
        self.judged.push(judged);
        Ok(())
    }

    /// Adds an evaluator for which searches are compiled, except in debug builds: those are slow anyway, and
    /// it would double the compile time of this crate.
    fn push_compiled<E: Evaluator<G> + Copy + 'static>(
        &mut self,
        name: &'static str,
        help: &'static str,
        evaluator: E,
    ) {
        #[cfg(debug_assertions)]
        let search = None;
        #[cfg(not(debug_assertions))]
        let search: Option<Box<Searches<G>>> =
            Some(Box::new(move |plan, policy, cuts| search(plan, Parts { evaluator, policy, cuts })));
        let info = EvaluatorInfo { name, help };
        self.evaluators.push(EvaluatorEntry {
            info,
            evaluator: Arc::new(evaluator),
            search,
            is_fixed: true,
            cuts: ProbCut::new(1.0),
        });
    }

    /// Clears the cached values of external evaluators, which may learn between searches.
    pub(crate) fn forget(&self) {
        self.judged.iter().for_each(|judged| judged.forget());
    }

    pub(crate) fn evaluators(&self) -> impl Iterator<Item = EvaluatorInfo> {
        self.evaluators.iter().map(|entry| entry.info)
    }

    pub(crate) fn policies(&self) -> impl Iterator<Item = PolicyInfo> {
        self.policies.iter().map(|(info, _)| *info)
    }

    /// The players as engines of this game.
    pub(crate) fn players(&self) -> impl Iterator<Item = (EngineInfo, Build)> {
        self.players.iter().map(|(player, plays)| {
            let PlayerInfo { name, help, source, params } = *player;
            let game = Some(self.info.name);
            let info =
                EngineInfo { name, help, source, chance: true, game, tree: false, budgets: &[], params };
            let build = match plays {
                Plays::ByPolicy(_) => Build::Rule,
                Plays::Perfectly(_) => Build::Optimal,
            };
            (info, build)
        })
    }

    /// The names that an engine spec can refer to.
    pub(crate) fn known(&self) -> Known {
        Known {
            evaluators: self.evaluators().map(|evaluator| evaluator.name).collect(),
            policies: self.policies().map(|policy| policy.name).collect(),
            ..Known::default()
        }
    }

    /// Builds the search of a plan, with an evaluator and a policy of this game.
    pub(crate) fn search(&self, game: &G, plan: &Plan) -> Result<Box<dyn Searcher<G>>, SpecError> {
        let policy = plan.policy().map(|name| {
            let found = self.policies.iter().find(|(info, _)| info.name == name);
            found.expect("a policy that was checked").1(game)
        });
        let policy = policy.transpose()?;
        let wanted = plan.evaluator();
        // A search without an evaluator can be built with any.
        let named = |entry: &&EvaluatorEntry<G>| wanted.as_ref().is_none_or(|e| entry.info.name == e.name);
        let entry = self.evaluators.iter().find(named).expect("an evaluator that was checked");
        let evaluator = Arc::clone(&entry.evaluator);
        if let Some(sigma) = wanted.and_then(|wanted| wanted.sigma) {
            let evaluator: Arc<dyn Evaluator<G>> = Arc::new(Noisy { evaluator, sigma });
            return Ok(search(plan, Parts { evaluator, policy, cuts: ProbCut::new(1.0) }));
        }
        // An external evaluator may learn, so its earlier values do not count.
        let cuts = if entry.is_fixed { entry.cuts.clone() } else { ProbCut::new(1.0) };
        Ok(match &entry.search {
            Some(compiled) => compiled(plan, policy, cuts),
            None => search(plan, Parts { evaluator, policy, cuts }),
        })
    }

    /// The policy of a player.
    pub(crate) fn rule(
        &self,
        game: &G,
        name: &str,
        values: &Values,
    ) -> Result<Arc<dyn Policy<G>>, SpecError> {
        match self.players.iter().find(|(info, _)| info.name == name) {
            Some((_, Plays::ByPolicy(policy))) => policy(game, values),
            _ => unreachable!("a player that was listed"),
        }
    }

    /// Checks that the perfect player can play this variant.
    pub(crate) fn can_solve(&self, game: &G, name: &str) -> Result<(), SpecError> {
        match self.players.iter().find(|(info, _)| info.name == name) {
            Some((_, Plays::Perfectly(can_solve))) => can_solve(game),
            _ => unreachable!("a player that was listed"),
        }
    }

    /// The prospects of a throw, by the first evaluator.
    pub(crate) fn prospects(&self, game: &G, state: &G::State) -> Prospects {
        prospects(game, &self.evaluators[0].evaluator, state)
    }
}

impl<G: Listed> Kit<G> {
    /// The kit of a type of game, whatever its parameters.
    pub(crate) fn of_kind(info: GameInfo) -> Self {
        let mut kit = Self { begins_turn: G::begins_turn, ..Self::empty(info) };
        G::list_as(info.name, &mut kit);
        kit.complete()
    }

    /// The kit of a game.
    pub(crate) fn of(game: &G, info: GameInfo) -> Self {
        Self { payoffs: game.payoffs(), counts_turns: game.counts_turns(), ..Self::of_kind(info) }
    }
}

impl<G: Notation + 'static> Tools<G> for Kit<G> {
    fn default_evaluator<E: Evaluator<G> + Copy + 'static>(
        &mut self,
        name: &'static str,
        help: &'static str,
        evaluator: E,
    ) {
        assert!(self.evaluators.is_empty(), "contract: the default evaluator is listed before all others");
        self.push_compiled(name, help, evaluator);
    }

    fn evaluator<E: Evaluator<G> + 'static>(&mut self, name: &'static str, help: &'static str, evaluator: E) {
        let info = EvaluatorInfo { name, help };
        self.evaluators.push(EvaluatorEntry {
            info,
            evaluator: Arc::new(evaluator),
            search: None,
            is_fixed: true,
            cuts: ProbCut::new(1.0),
        });
    }

    fn policy(&mut self, name: &'static str, help: &'static str, policy: PolicyOf<G>) {
        self.policies.push((PolicyInfo { name, help }, policy));
    }

    fn player(&mut self, info: PlayerInfo, policy: PlayerOf<G>) {
        self.players.push((info, Plays::ByPolicy(policy)));
    }

    fn perfect_player(&mut self, info: PlayerInfo, can_solve: fn(&G) -> Result<(), SpecError>) {
        self.players.push((info, Plays::Perfectly(can_solve)));
    }
}
