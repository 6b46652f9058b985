//! The one layer of type erasure: games, positions and engines behind the traits of `faces.rs`.
//!
//! One virtual call starts a search; everything inside it is statically dispatched.

use crate::aim::{Aim, Aimed};
use crate::brief::brief_for;
use crate::engines::{Plan, SOLVED};
use crate::faces::{Analysis, AnyGame, Engine, Position, Twig};
use crate::games::disk;
use crate::judge::Judge;
use crate::kit::Kit;
use crate::prospects::Prospects;
use crate::traps;
use crate::uci::Uci;
use astragal_core::{
    Branch, Budget, EngineInfo, Evaluator, Files, GameInfo, Genre, Interval, Limit, Line, Notation, Payoffs,
    Picture, Player, ReadError, Report, Searcher, SpecError, Step, Stop, Turn, Watch, Weighted, pick,
};
use astragal_search::{ByRule, Tally, Trap, Traps, perft_watched, playouts};
use astragal_solve::{Perfect, Solution, SolveFirst, SolveOptions, Supervisor, Unsolved, solve};
use std::any::Any;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Any game, with its types hidden behind [`AnyGame`].
///
/// ```
/// # use astragal_core::*;
/// # #[derive(Clone)] struct Coin;
/// # impl Game for Coin {
/// #     type State = u8; type Action = u8; type Outcome = u8;
/// #     fn start(&self) -> u8 { 0 }
/// #     fn turn(&self, s: &u8) -> Turn {
/// #         match s { 0 => Turn::Decide(Player::Max), 1 => Turn::Chance, n => Turn::Over(f64::from(*n)) }
/// #     }
/// #     fn actions(&self, _: &u8, out: &mut Vec<u8>) { out.extend([1, 5]); }
/// #     fn outcomes(&self, _: &u8, out: &mut Vec<Weighted<u8>>) {
/// #         out.extend([2, 10].map(|item| Weighted { item, weight: 0.5 }));
/// #     }
/// #     fn apply(&self, s: &mut u8, a: u8) { *s = a; }
/// #     fn resolve(&self, s: &mut u8, o: u8) { *s = o; }
/// #     fn key(&self, s: &u8) -> Key { Key(u128::from(*s)) }
/// #     fn range(&self) -> Interval { Interval::new(0.0, 10.0) }
/// # }
/// # impl Notation for Coin {}
/// use astragal_catalog::{AnyGame, erase};
///
/// // Every engine plays it, by its spec.
/// let game = erase(Coin);
/// let mut engine = game.engine("star2ss(width=3)").unwrap();
/// let analysis = engine.analyze(&*game.start(), 0, &Budget::depth(1), &mut Unwatched);
/// assert_eq!(analysis.value, 6.0);
/// ```
pub struct Erased<G: Notation>(Arc<Shared<G>>);

/// Erases the types of a game, so that every engine, match and solver can use it. See [`Erased::evaluator`]
/// and [`Erased::meaning`] for what else can be specified.
pub fn erase<G: Notation + 'static>(game: G) -> Erased<G> {
    let whole = std::any::type_name::<G>();
    let name = whole.split('<').next().and_then(|path| path.rsplit("::").next()).unwrap_or(whole);
    let info = GameInfo {
        name,
        genre: Genre::Game,
        help: "a game of your own",
        rules: "",
        source: "yours",
        positions: "",
        params: &[],
    };
    Erased::new(game, name.to_lowercase(), Kit::empty(info).complete(), disk())
}

impl<G: Notation + 'static> Erased<G> {
    /// Adds an evaluator, for `eval=`. The first one is the default, and is used to measure luck.
    ///
    /// # Panics
    /// If positions or engines of the game already exist.
    #[must_use]
    pub fn evaluator<E: Evaluator<G> + Copy + 'static>(mut self, name: &'static str, evaluator: E) -> Self {
        self.kit().insert_evaluator(name, evaluator);
        self
    }

    /// Sets the game's name, which is also its spec.
    ///
    /// # Panics
    /// If positions or engines of the game already exist.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        let shared = Arc::get_mut(&mut self.0).expect("contract: a game is described before it is used");
        shared.spec = name.into();
        shared.kit.info.name = name;
        self
    }

    /// Adds an evaluator that is independent of the game's types, after those of the game itself. The first
    /// one is the default, and is used to measure luck.
    ///
    /// # Errors
    /// If there is already one with this name.
    ///
    /// # Panics
    /// If positions or engines of the game already exist.
    pub fn judge(mut self, name: &'static str, judge: Arc<dyn Judge>) -> Result<Self, SpecError> {
        self.kit().judge(name, judge)?;
        Ok(self)
    }

    /// Sets the meaning of the payoffs.
    ///
    /// # Panics
    /// If positions or engines of the game already exist.
    #[must_use]
    pub fn meaning(mut self, payoffs: Payoffs) -> Self {
        self.kit().payoffs = payoffs;
        self
    }

    fn kit(&mut self) -> &mut Kit<G> {
        let shared = Arc::get_mut(&mut self.0);
        &mut shared.expect("contract: a game is described before it is used").kit
    }

    /// Wraps a caller's search as an engine of this game.
    #[must_use]
    pub fn player(&self, name: &str, searcher: Box<dyn Searcher<G>>) -> Box<dyn Engine> {
        let (shared, is_endless) = (Arc::clone(&self.0), !searcher.heeds().is_empty());
        let (spec, info, solution, last) = (name.into(), &OWN, None, None);
        Box::new(TypedEngine { shared, searcher, spec, info, is_endless, solution, last })
    }

    /// The position for a state.
    #[must_use]
    pub fn position(&self, state: G::State) -> Box<dyn Position> {
        self.at(state)
    }
}

/// The catalogue entry of a caller's search.
static OWN: EngineInfo = EngineInfo {
    name: "own",
    help: "a search of your own",
    source: "yours",
    chance: true,
    game: None,
    tree: false,
    budgets: &[],
    params: &[],
};

/// The data that a game shares with its positions and engines.
struct Shared<G: Notation> {
    game: G,
    spec: String,
    kit: Kit<G>,
    files: Files,
    /// The player that first solves the game; all engines of this game share its solution.
    optimal: SolveFirst,
    /// The solutions read so far, by file name.
    solutions: Mutex<HashMap<String, Arc<Solution>>>,
}

impl<G: Notation> Shared<G> {
    /// The objective of a solution of the game.
    fn aimed(&self) -> Aimed<G> {
        let aim = if self.kit.counts_turns { Aim::Turns } else { Aim::Payoff };
        Aimed { aim, begins_turn: self.kit.begins_turn }
    }
}

impl<G: Notation + 'static> Erased<G> {
    pub(crate) fn new(game: G, spec: String, kit: Kit<G>, files: Files) -> Self {
        let (optimal, solutions) = (SolveFirst::default(), Mutex::default());
        Self(Arc::new(Shared { game, spec, kit, files, optimal, solutions }))
    }

    fn at(&self, state: G::State) -> Box<dyn Position> {
        Box::new(At { shared: Arc::clone(&self.0), state })
    }
}

impl<G: Notation + 'static> AnyGame for Erased<G> {
    fn spec(&self) -> &str {
        &self.0.spec
    }

    fn info(&self) -> &GameInfo {
        &self.0.kit.info
    }

    fn has_chance(&self) -> bool {
        self.0.game.has_chance()
    }

    fn range(&self) -> Interval {
        self.0.game.range()
    }

    fn payoffs(&self) -> Payoffs {
        self.0.kit.payoffs
    }

    fn start(&self) -> Box<dyn Position> {
        self.at(self.0.game.start())
    }

    fn deal(&self, seed: u64) -> Option<Box<dyn Position>> {
        self.0.game.deal(seed).map(|state| self.at(state))
    }

    fn read(&self, text: &str) -> Result<Box<dyn Position>, ReadError> {
        Ok(self.at(self.0.game.read_state(text)?))
    }

    fn engine(&self, spec: &str) -> Result<Box<dyn Engine>, SpecError> {
        let Shared { game, kit, optimal, .. } = &*self.0;
        let plan = Plan::new(spec, &kit.known(), kit.info.name, game.has_chance(), game.range())?;
        if let Some(values) = plan.outside() {
            return Ok(Box::new(Uci::start(plan.spec.clone(), values)?));
        }
        let (is_endless, mut solution) = (plan.is_endless(), None);
        let searcher: Box<dyn Searcher<G>> = if let Some(values) = plan.rule() {
            Box::new(ByRule(kit.rule(game, plan.info.name, values)?))
        } else if plan.solves_first() {
            kit.can_solve(game, plan.info.name)?;
            Box::new(optimal.clone())
        } else if let Some(file) = plan.solution_file() {
            let found = self.solution(file)?;
            solution = Some((file.to_string(), Arc::clone(&found)));
            Box::new(Perfect(found, self.0.aimed()))
        } else {
            kit.search(game, &plan)?
        };
        let Plan { info, spec, .. } = plan;
        let shared = Arc::clone(&self.0);
        Ok(Box::new(TypedEngine { shared, searcher, spec, info, is_endless, solution, last: None }))
    }

    fn solution(&self, file: &str) -> Result<Arc<Solution>, SpecError> {
        // A file is read only once.
        let mut read = self.0.solutions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(solution) = read.get(file) {
            return Ok(Arc::clone(solution));
        }
        let solution = Arc::new(Plan::read_solution(&self.0.files, file, &self.0.spec, self.aim())?);
        read.insert(file.into(), Arc::clone(&solution));
        Ok(solution)
    }

    fn perfect(&self, solution: &Arc<Solution>) -> Box<dyn Engine> {
        let searcher = Box::new(Perfect(Arc::clone(solution), self.0.aimed()));
        let (info, shared) = (&SOLVED, Arc::clone(&self.0));
        let spec = info.name.into();
        Box::new(TypedEngine { shared, searcher, spec, info, is_endless: false, solution: None, last: None })
    }

    fn brief(&self, engine: &str) -> String {
        brief_for(engine, &self.0.kit.known())
    }

    fn aim(&self) -> Aim {
        self.0.aimed().aim
    }

    fn each_position(&self, from: &dyn Position, see: &mut dyn FnMut(&dyn Position) -> bool) {
        let game = &self.0.game;
        let first = typed::<G>(from).state.clone();
        let (mut met, mut waiting) = (HashSet::from([game.key(&first)]), VecDeque::from([first]));
        while let Some(state) = waiting.pop_front() {
            let at = At { shared: Arc::clone(&self.0), state };
            if !see(&at) {
                return;
            }
            for next in at.successors() {
                if met.insert(game.key(&next)) {
                    waiting.push_back(next);
                }
            }
        }
    }

    fn solve(
        &self,
        from: &dyn Position,
        options: &SolveOptions,
        supervisor: &mut dyn Supervisor,
    ) -> Result<Solution, Unsolved> {
        let at: &At<G> = typed(from);
        solve(&self.0.game, std::slice::from_ref(&at.state), &self.0.aimed(), options, supervisor)
    }
}

/// The position with the types of its game.
fn typed<G: Notation + 'static>(position: &dyn Position) -> &At<G> {
    position.as_any().downcast_ref().expect("contract: a position of another kind of game")
}

/// The state of a position, if the position is of this type of game.
#[must_use]
pub fn state_of<G: Notation + 'static>(position: &dyn Position) -> Option<&G::State> {
    position.as_any().downcast_ref::<At<G>>().map(|at| &at.state)
}

/// A position with its types.
struct At<G: Notation> {
    shared: Arc<Shared<G>>,
    state: G::State,
}

impl<G: Notation + 'static> At<G> {
    fn game(&self) -> &G {
        &self.shared.game
    }

    fn moved(&self, step: impl FnOnce(&G, &mut G::State)) -> Box<dyn Position> {
        let mut state = self.state.clone();
        step(self.game(), &mut state);
        Box::new(Self { shared: Arc::clone(&self.shared), state })
    }

    /// The states after each action or outcome.
    fn successors(&self) -> Vec<G::State> {
        let (game, mut states) = (self.game(), Vec::new());
        let after = |step: &dyn Fn(&mut G::State)| {
            let mut next = self.state.clone();
            step(&mut next);
            next
        };
        match game.turn(&self.state) {
            Turn::Over(_) => {}
            Turn::Decide(_) => {
                let mut actions = Vec::new();
                game.actions(&self.state, &mut actions);
                states.extend(actions.iter().map(|action| after(&|next| game.apply(next, *action))));
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(&self.state, &mut outcomes);
                states.extend(outcomes.iter().map(|one| after(&|next| game.resolve(next, one.item))));
            }
        }
        states
    }

    /// The error for acting out of turn.
    fn not_now(&self, what: &'static str, given: &str) -> ReadError {
        let why = match self.game().turn(&self.state) {
            Turn::Over(_) => "the game is over",
            Turn::Chance => "it is chance's turn, not a player's",
            Turn::Decide(_) => "it is a player's turn, not chance's",
        };
        ReadError { what, given: given.into(), why: why.into() }
    }
}

impl<G: Notation + 'static> Position for At<G> {
    fn text(&self) -> String {
        self.game().write_state(&self.state)
    }

    fn picture(&self) -> Picture {
        self.game().picture(&self.state)
    }

    fn turn(&self) -> Turn {
        self.game().turn(&self.state)
    }

    fn features(&self) -> Vec<f32> {
        let mut features = Vec::new();
        self.game().features(&self.state, &mut features);
        features
    }

    fn actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        if let Turn::Decide(_) = self.turn() {
            self.game().actions(&self.state, &mut actions);
        }
        actions.into_iter().map(|action| self.game().write_action(&self.state, action)).collect()
    }

    fn outcomes(&self) -> Vec<Weighted<String>> {
        let mut outcomes = Vec::new();
        if self.turn() == Turn::Chance {
            self.game().outcomes(&self.state, &mut outcomes);
        }
        let write = |item| self.game().write_outcome(&self.state, item);
        outcomes.into_iter().map(|o| Weighted { item: write(o.item), weight: o.weight }).collect()
    }

    fn act(&self, action: &str) -> Result<Box<dyn Position>, ReadError> {
        if !matches!(self.turn(), Turn::Decide(_)) {
            return Err(self.not_now("action", action));
        }
        let action = self.game().read_action(&self.state, action)?;
        Ok(self.moved(|game, state| game.apply(state, action)))
    }

    fn act_at(&self, index: usize) -> Option<Box<dyn Position>> {
        let mut actions = Vec::new();
        if let Turn::Decide(_) = self.turn() {
            self.game().actions(&self.state, &mut actions);
        }
        let action = *actions.get(index)?;
        Some(self.moved(|game, state| game.apply(state, action)))
    }

    fn plainly(&self, action: &str) -> Option<String> {
        let decides = matches!(self.turn(), Turn::Decide(_));
        let action = decides.then(|| self.game().read_action(&self.state, action).ok()).flatten()?;
        Some(self.game().write_plainly(&self.state, action))
    }

    fn why_not(&self, action: &str) -> Option<String> {
        let decides = matches!(self.turn(), Turn::Decide(_));
        decides.then(|| self.game().why_not(&self.state, &action.trim().to_lowercase())).flatten()
    }

    fn resolve(&self, outcome: &str) -> Result<Box<dyn Position>, ReadError> {
        if self.turn() != Turn::Chance {
            return Err(self.not_now("outcome", outcome));
        }
        let outcome = self.game().read_outcome(&self.state, outcome)?;
        Ok(self.moved(|game, state| game.resolve(state, outcome)))
    }

    fn action_named(&self, text: &str) -> Result<String, ReadError> {
        if !matches!(self.turn(), Turn::Decide(_)) {
            return Err(self.not_now("action", text));
        }
        let action = self.game().read_action(&self.state, text)?;
        Ok(self.game().write_action(&self.state, action))
    }

    fn spoken_outcome(&self, text: &str) -> Option<Result<String, String>> {
        if self.turn() != Turn::Chance {
            return None;
        }
        let outcome = self.game().spoken_outcome(&self.state, text)?;
        Some(outcome.map(|outcome| self.game().write_outcome(&self.state, outcome)))
    }

    fn chance(&self, number: f64) -> Option<(String, Box<dyn Position>)> {
        if self.turn() != Turn::Chance {
            return None;
        }
        let mut outcomes = Vec::new();
        self.game().outcomes(&self.state, &mut outcomes);
        let outcome = pick(&outcomes, number).item;
        let text = self.game().write_outcome(&self.state, outcome);
        Some((text, self.moved(|game, state| game.resolve(state, outcome))))
    }

    fn prospects(&self) -> Option<Prospects> {
        (self.turn() == Turn::Chance).then(|| self.shared.kit.prospects(self.game(), &self.state))
    }

    fn remark(&self, outcome: &str) -> Option<String> {
        let chance = self.turn() == Turn::Chance;
        let outcome = chance.then(|| self.game().read_outcome(&self.state, outcome).ok()).flatten()?;
        self.game().remark(&self.state, outcome)
    }

    fn perft(&self, depth: u32, resolve: bool, watch: &mut dyn Watch) -> Result<u64, Stop> {
        perft_watched(self.game(), &self.state, depth, resolve, watch)
    }

    fn playouts(&self, count: u64, moves: u32, seed: u64) -> Tally {
        playouts(self.game(), &self.state, count, moves, seed)
    }

    fn traps(&self, level: u32, watch: &mut dyn Watch) -> Result<Vec<Trap<String>>, Stop> {
        let found = Traps::new(self.game(), watch).find(&self.state, level)?;
        Ok(found.iter().map(|trap| traps::describe(self.game(), &self.state, trap)).collect())
    }

    fn shallowest_trap(&self, level: u32, watch: &mut dyn Watch) -> Result<Option<u32>, Stop> {
        Traps::new(self.game(), watch).shallowest(&self.state, level)
    }

    fn forced_win(&self, winner: Player, most: u32, watch: &mut dyn Watch) -> Result<Option<u32>, Stop> {
        Traps::new(self.game(), watch).steps(&self.state, winner, most)
    }

    fn known_best(&self) -> Option<String> {
        let best = self.game().known_best(&self.state)?;
        Some(self.game().write_action(&self.state, best))
    }

    fn value_in(&self, solution: &Solution) -> Option<f64> {
        solution.value_for(self.game(), &self.shared.aimed(), &self.state)
    }

    fn duplicate(&self) -> Box<dyn Position> {
        self.moved(|_, _| {})
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// An engine with its types.
struct TypedEngine<G: Notation> {
    shared: Arc<Shared<G>>,
    searcher: Box<dyn Searcher<G>>,
    spec: String,
    info: &'static EngineInfo,
    is_endless: bool,
    /// The solution that it plays from, if any, and the name of its file.
    solution: Option<(String, Arc<Solution>)>,
    /// The root of the last search.
    last: Option<G::State>,
}

impl<G: Notation + 'static> Engine for TypedEngine<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn info(&self) -> &'static EngineInfo {
        self.info
    }

    fn heeds(&self) -> &'static [Limit] {
        self.searcher.heeds()
    }

    fn is_endless(&self) -> bool {
        self.is_endless
    }

    fn check_start(&self, position: &dyn Position) -> Result<(), SpecError> {
        match &self.solution {
            Some((file, solution)) if position.value_in(solution).is_none() => {
                let (name, file, text) = (self.info.name, file.escape_debug(), position.text());
                Err(SpecError(format!(
                    "{name}: '{file}' does not hold the position '{text}': the game was solved from one that does \
                     not lead there"
                )))
            }
            _ => Ok(()),
        }
    }

    fn analyze(
        &mut self,
        position: &dyn Position,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Analysis {
        let at: &At<G> = typed(position);
        self.shared.kit.forget();
        let report = self.searcher.search_with(&self.shared.game, &at.state, seed, budget, watch);
        self.last = Some(at.state.clone());
        describe(&self.shared.game, &at.state, &report)
    }

    fn tree(&self, depth: u32, visits: u64) -> Option<Twig> {
        let root = self.last.as_ref()?;
        let branch = self.searcher.tree(&self.shared.game, depth, visits)?;
        Some(twig(&self.shared.game, root, branch))
    }
}

/// Describes a branch as text; `state` is its root.
fn twig<G: Notation>(game: &G, state: &G::State, branch: Branch<G::Action, G::Outcome>) -> Twig {
    let child = |child: Branch<G::Action, G::Outcome>| {
        let mut next = state.clone();
        let step = child.step.map(|step| write_step(game, &mut next, step));
        Twig { step, ..twig(game, &next, child) }
    };
    Twig {
        step: None,
        turn: branch.turn,
        weight: branch.weight,
        visits: branch.visits,
        value: branch.value,
        bounds: branch.bounds,
        children: branch.children.into_iter().map(child).collect(),
        hidden: branch.hidden,
    }
}

/// Describes a report as text.
fn describe<G: Notation>(game: &G, root: &G::State, report: &Report<G::Action, G::Outcome>) -> Analysis {
    let write = |action: &G::Action| game.write_action(root, *action);
    let mut state = root.clone();
    let mut pv = Vec::new();
    for step in &report.pv {
        pv.push(write_step(game, &mut state, *step));
    }
    let line = |line: &Line<G::Action>| Line {
        action: write(&line.action),
        value: line.value,
        bounds: line.bounds,
        visits: line.visits,
        error: line.error,
        deviation: line.deviation,
    };
    Analysis {
        value: report.value,
        best: report.best.as_ref().map(write),
        tied: report.tied.iter().map(write).collect(),
        depth: report.depth,
        stop: report.stop,
        lines: report.lines.iter().map(line).collect(),
        pv,
        counts: report.counts,
    }
}

/// Takes a step and describes it as text.
fn write_step<G: Notation>(
    game: &G,
    state: &mut G::State,
    step: Step<G::Action, G::Outcome>,
) -> Step<String, String> {
    match step {
        Step::Action(action) => {
            let text = game.write_action(state, action);
            game.apply(state, action);
            Step::Action(text)
        }
        Step::Outcome(outcome) => {
            let text = game.write_outcome(state, outcome);
            game.resolve(state, outcome);
            Step::Outcome(text)
        }
    }
}
