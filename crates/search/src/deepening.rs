//! Iterative deepening and the root (*Monte Carlo \*-Minimax Search*, section 4.2).
//!
//! Depth 1, depth 2, and so on until the budget ends the search; the report is that of the last completed
//! depth, and nothing of an interrupted depth leaks into it. The first depth may exceed the budget by a
//! limited factor, so that there is a move; cancellation by the watch ends it immediately.

use crate::limits::{Limits, Stopped};
use crate::options::{Algorithm, Chance, DEEPEST, Options, TableUse};
use crate::outcomes::{Every, Outcomes, Sampled};
use crate::probcut::ProbCut;
use crate::rank::highest_first;
use crate::table::Memory;
use crate::threads::{Alarm, STACK, Thread, most_threads};
use crate::variation::Slot;
use crate::walk::{Node, Probed, Walk};
use crate::widths::sample_widths;
use astragal_core::{
    Budget, Clock, Counts, Evaluator, Game, Interval, Limit, Line, News, Player, Report, Searcher, Step,
    Stop, Turn, Unwatched, Watch, estimate,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

/// Values this close, relative to the range, are tied at the root: they differ by rounding only.
const TIE: f64 = 1e-12;

/// [`TIE`] as a difference of values, never so small that adding it to a value has no effect.
fn tie(range: Interval) -> f64 {
    let magnitude = range.lo.abs().max(range.hi.abs());
    (TIE * range.width()).max(8.0 * f64::EPSILON * magnitude)
}

/// The \*-Minimax family: Expectimax, Star1, Star2, and their sparse-sampling forms.
///
/// ```
/// # use astragal_core::*;
/// # struct Coin;
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
/// use astragal_core::{Budget, Even, Searcher, Unwatched};
/// use astragal_search::{Algorithm, Options, StarMinimax};
///
/// // Max may take 5, or flip a coin for 2 or 10.
/// let game = Coin;
/// let mut search = StarMinimax::new(Even, Options::new(Algorithm::Star2 { probes: 1 }));
/// let report = search.search_with(&game, &game.start(), 0, &Budget::depth(1), &mut Unwatched);
/// assert_eq!(report.value, 6.0);
/// ```
pub struct StarMinimax<E> {
    evaluator: E,
    options: Options,
    cuts: Option<ProbCut>,
    memory: Memory,
}

/// A clone has the same configuration, but no table.
impl<E: Clone> Clone for StarMinimax<E> {
    fn clone(&self) -> Self {
        let (evaluator, options, cuts) = (self.evaluator.clone(), self.options, self.cuts.clone());
        Self { evaluator, options, cuts, memory: Memory::none() }
    }
}

impl<E> StarMinimax<E> {
    /// A search with this evaluator and these options.
    ///
    /// # Panics
    /// If the options contradict each other, see [`Options::contradiction`].
    pub fn new(evaluator: E, options: Options) -> Self {
        if let Some(why) = options.contradiction() {
            panic!("contract: {why}");
        }
        Self { evaluator, options, cuts: None, memory: Memory::none() }
    }

    /// Enables forward pruning: values are no longer exact, see [`ProbCut`].
    ///
    /// # Panics
    /// If the options contradict it, see [`ProbCut::contradiction`].
    #[must_use]
    pub fn probcut(self, cuts: ProbCut) -> Self {
        if let Some(why) = ProbCut::contradiction(&self.options) {
            panic!("contract: {why}");
        }
        Self { cuts: Some(cuts), ..self }
    }

    /// Replaces the options.
    pub(crate) fn with_options(self, options: Options) -> Self {
        let new = Self::new(self.evaluator, options);
        match self.cuts {
            Some(cuts) => new.probcut(cuts),
            None => new,
        }
    }

    /// The configuration.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The value of a state at one depth under a window, without deepening, and the counts of the search. A
    /// value strictly inside the window is exact; one at or outside an end is a bound on that side.
    /// Expectimax ignores the window.
    pub fn value_within<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        seed: u64,
        depth: u32,
        window: Interval,
    ) -> (f64, Counts)
    where
        E: Evaluator<G>,
    {
        let found = self.value_watched(game, state, seed, depth, window, &mut Unwatched);
        found.expect("nothing can interrupt a search without budget and watch")
    }

    /// [`StarMinimax::value_within`] that a watch may cancel: none if it does.
    pub fn value_watched<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        seed: u64,
        depth: u32,
        window: Interval,
        watch: &mut dyn Watch,
    ) -> Option<(f64, Counts)>
    where
        E: Evaluator<G>,
    {
        self.fit(game, watch).ok()?;
        self.forget();
        let task = ValueWithin { state, depth, window };
        let limits = Limits::new(&Budget::default(), watch);
        self.perform(game, seed, Thread::ALONE, limits, task).ok()
    }

    /// Fits forward pruning to the game, if it is enabled and not yet fitted.
    fn fit<G: Game>(&self, game: &G, watch: &mut dyn Watch) -> Result<(), Stopped>
    where
        E: Evaluator<G>,
    {
        self.cuts.as_ref().map_or(Ok(()), |cuts| cuts.fit_first(game, &self.evaluator, watch))
    }

    /// Fits before a search and returns the time that took, if the budget limits time: a fit serves many
    /// searches, so it is off the clock of the first. If the watch cancels the fit, the search ends at its
    /// first node.
    fn prepare<G: Game>(&self, game: &G, budget: &Budget, watch: &mut dyn Watch) -> Duration
    where
        E: Evaluator<G>,
    {
        let elapsed = |watch: &mut dyn Watch| budget.time.map_or(Duration::ZERO, |_| watch.elapsed());
        let before = elapsed(watch);
        let _ = self.fit(game, watch);
        elapsed(watch).saturating_sub(before)
    }

    /// Clears the table, or allocates it if one is needed.
    fn forget(&mut self) {
        if self.options.table == TableUse::Off {
            self.memory = Memory::none();
        } else if self.memory.is_none() {
            self.memory = Memory::of_mib(self.options.table_mib, self.options.threads);
        } else {
            self.memory.forget();
        }
    }

    /// Sets up a search with the configured outcome sets, as one of the threads, and runs the task on it.
    fn perform<'a, G: Game, T: Task<G>>(
        &'a self,
        game: &'a G,
        seed: u64,
        thread: Thread,
        limits: Limits<'a>,
        task: T,
    ) -> T::Result
    where
        E: Evaluator<G>,
    {
        let Self { evaluator, options, cuts, memory } = self;
        match options.chance {
            Chance::Exact => {
                let mut walk = Walk::new(game, evaluator, Every, options, memory, thread, limits);
                walk.cuts = cuts.as_ref();
                task.run(&mut walk)
            }
            Chance::Sample { width, decay, scheme, keys, enumerate } => {
                let sampled = Sampled::new(seed, sample_widths(width, decay), scheme, keys, enumerate);
                task.run(&mut Walk::new(game, evaluator, sampled, options, memory, thread, limits))
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for StarMinimax<E> {
    fn heeds(&self) -> &'static [Limit] {
        Limit::DEEPENING
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        let late = self.prepare(game, budget, watch);
        let limits = Limits::after(late, budget, watch);
        let deepest = budget.depth.unwrap_or(DEEPEST).min(self.options.depth).min(DEEPEST);
        let task = || Deepen { root, deepest };
        self.forget();
        let search = &*self;
        // With a budget in nodes, the depth reached would depend on which thread is faster, so it gets one
        // thread.
        let alone = !game.has_chance() || budget.nodes.is_some();
        let of = if alone { 1 } else { search.options.threads.min(most_threads()) };
        if of == 1 {
            return search.perform(game, seed, Thread::ALONE, limits, task());
        }
        let over = &AtomicBool::new(false);
        std::thread::scope(|scope| {
            // Every thread runs the whole search, in a different order at chance nodes, and finds the results
            // of the others in the table.
            let others: Vec<_> = (1..of)
                .map_while(|at| {
                    let run = move || {
                        let (thread, mut watch) = (Thread { at, of }, Clock::until(over));
                        let limits = Limits::new(&Budget::default(), &mut watch);
                        search.perform(game, seed, thread, limits, task()).counts
                    };
                    Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()
                })
                .collect();
            let _alarm = Alarm(over);
            let mut report = search.perform(game, seed, Thread { at: 0, of }, limits, task());
            over.store(true, Ordering::Relaxed);
            for other in others {
                report.counts = report.counts + other.join().expect("a thread of the search panicked");
            }
            report
        })
    }
}

/// A task for a search, independent of its outcome sets.
trait Task<G: Game> {
    type Result;
    fn run<E: Evaluator<G>, C: Outcomes<G>>(self, walk: &mut Walk<'_, G, E, C>) -> Self::Result;
}

struct ValueWithin<'a, S> {
    state: &'a S,
    depth: u32,
    window: Interval,
}

impl<G: Game> Task<G> for ValueWithin<'_, G::State> {
    type Result = Result<(f64, Counts), Stopped>;

    fn run<E: Evaluator<G>, C: Outcomes<G>>(self, walk: &mut Walk<'_, G, E, C>) -> Self::Result {
        Ok((walk.value_at(self.state, self.depth, self.window)?, walk.counts))
    }
}

struct Deepen<'a, S> {
    root: &'a S,
    deepest: u32,
}

impl<G: Game> Task<G> for Deepen<'_, G::State> {
    type Result = Report<G::Action, G::Outcome>;

    fn run<E: Evaluator<G>, C: Outcomes<G>>(self, walk: &mut Walk<'_, G, E, C>) -> Self::Result {
        let mut report = walk.glance(self.root);
        let stop = loop {
            walk.incomplete = false;
            let samples = walk.counts.samples;
            let depth = report.depth + 1;
            match walk.root(self.root, depth, &report) {
                Ok(finished) => report = finished,
                Err(Stopped) => break walk.stopped(),
            }
            let best = report.best.and_then(|best| report.lines.iter().position(|line| line.action == best));
            let news = News::Depth { depth, value: report.value, best, counts: walk.counts };
            walk.watch().news(news);
            walk.arm();
            // Samples depend on the depth: the next depth samples a different tree.
            if !walk.incomplete && walk.counts.samples == samples {
                break Stop::Complete;
            }
            if depth >= self.deepest {
                break Stop::Depth;
            }
            if let Err(Stopped) = walk.check(walk.counts.nodes + 1) {
                break walk.stopped();
            }
        };
        // Every leaf is a finished game or an estimate.
        let estimates = walk.counts.leaves - walk.counts.finished;
        let unevaluated = if walk.evaluator.is_neutral() { estimates } else { 0 };
        Report { stop, counts: Counts { unevaluated, ..walk.counts }, ..report }
    }
}

impl<G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'_, G, E, C> {
    /// The value of a state at one depth under a window.
    pub(crate) fn value_at(
        &mut self,
        state: &G::State,
        depth: u32,
        window: Interval,
    ) -> Result<f64, Stopped> {
        self.begin(depth);
        let node = Node { depth, place: self.chance.root(), slot: Slot::NONE };
        self.by_algorithm(state, node, window)
    }

    /// The value of a state by the algorithm of the options.
    fn by_algorithm(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        window: Interval,
    ) -> Result<f64, Stopped> {
        match self.options.algorithm {
            Algorithm::Expectimax => self.exact(state, node),
            Algorithm::Star1 | Algorithm::Star2 { .. } => self.value(state, node, window),
        }
    }

    /// The report before any search: that of a search cancelled immediately.
    fn glance(&mut self, root: &G::State) -> Report<G::Action, G::Outcome> {
        let bounds = self.game.bounds(root);
        let mut report = Report::unsearched(bounds.middle(), Stop::Cancelled);
        match self.game.turn(root) {
            Turn::Over(payoff) => report.value = payoff,
            Turn::Chance => {}
            Turn::Decide(player) => {
                report.value = estimate(self.game, self.evaluator, root);
                let stacks = self.push_actions(root, player, 0, &Probed::nothing(player, None));
                let (from, first) = stacks;
                let line = |&action: &G::Action| Line::new(action, report.value, bounds, 0);
                report.lines = self.actions[from..].iter().map(line).collect();
                report.best = Some(self.actions[from + self.order[first] as usize]);
                report.tied = report.best.into_iter().collect();
                report.pv = report.best.map(Step::Action).into_iter().collect();
                self.pop_actions(stacks);
            }
        }
        report
    }

    /// Searches the root at one depth. `last` is the report of the previous depth.
    fn root(
        &mut self,
        root: &G::State,
        depth: u32,
        last: &Report<G::Action, G::Outcome>,
    ) -> Result<Report<G::Action, G::Outcome>, Stopped> {
        self.begin(depth);
        let node = Node { depth, place: self.chance.root(), slot: Slot::ROOT };
        let mut report =
            Report { depth, lines: Vec::new(), tied: Vec::new(), pv: Vec::new(), ..last.clone() };
        let Turn::Decide(player) = self.game.turn(root) else {
            report.value = zero_is_zero(self.by_algorithm(root, node, Interval::WHOLE)?);
            report.pv = self.variation.get(Slot::ROOT).to_vec();
            self.complete_variation(root, depth, &mut report.pv)?;
            return Ok(report);
        };
        self.enter()?;
        self.evaluator.foresee(self.game, root, depth);
        let tie = tie(self.game.range());
        let mut best: Option<f64> = None;
        let mut lines: Vec<Option<Line<G::Action>>> = vec![None; last.lines.len()];
        let mut continuations = vec![Vec::new(); last.lines.len()];
        for index in self.root_order(root, player, last).into_iter().map(|index| index as usize) {
            let action = last.lines[index].action;
            let mut child = root.clone();
            self.game.apply(&mut child, action);
            // A window that begins slightly below the best value distinguishes ties from bounds. By how much
            // a refuted action lies beyond the end depends on the order of search, so it is not reported.
            let window = match best {
                Some(best) if !self.options.all_lines => match player {
                    Player::Max => Interval { lo: best - 2.0 * tie, hi: f64::INFINITY },
                    Player::Min => Interval { lo: f64::NEG_INFINITY, hi: best + 2.0 * tie },
                },
                _ => Interval::WHOLE,
            };
            let before = self.counts.nodes;
            let value = self.by_algorithm(&child, Self::after_action(node, index), window)?;
            let limits = self.game.bounds(&child);
            let value = match self.options.algorithm {
                Algorithm::Expectimax => zero_is_zero(value),
                _ => zero_is_zero(limits.clamp(window.clamp(value))),
            };
            if best.is_none_or(|best| player.prefers(value, best)) {
                best = Some(value);
            }
            // Expectimax ignores the window: all its values are exact.
            let bounds = match self.options.algorithm {
                Algorithm::Expectimax => Interval::point(value),
                _ => window.verdict(value, &limits),
            };
            lines[index] = Some(Line::new(action, value, bounds, self.counts.nodes - before));
            continuations[index] = self.variation.get(Slot::ROOT.next()).to_vec();
        }
        report.value = best.expect("contract: no action at the root");
        // Of tied actions, the best one of the previous depth is chosen, because it was better there, and
        // otherwise the first in the game's order. Neither depends on the order of search.
        let before = last.best.filter(|_| last.depth > 0);
        for (line, continuation) in lines.into_iter().flatten().zip(continuations) {
            if line.bounds.is_point() && !player.prefers(report.value, line.value + player.sign() * tie) {
                if report.tied.is_empty() || before == Some(line.action) {
                    report.best = Some(line.action);
                    report.pv = std::iter::once(Step::Action(line.action)).chain(continuation).collect();
                }
                report.tied.push(line.action);
            }
            report.lines.push(line);
        }
        self.complete_variation(root, depth, &mut report.pv)?;
        Ok(report)
    }

    /// Extends a variation that ends early because the table or the bounds of a state answered: the state is
    /// searched again, which is fast for the same reason. This belongs to the depth, which is not complete
    /// without it.
    fn complete_variation(
        &mut self,
        root: &G::State,
        depth: u32,
        pv: &mut Vec<Step<G::Action, G::Outcome>>,
    ) -> Result<(), Stopped> {
        let mut state = root.clone();
        let mut node = Node { depth, place: self.chance.root(), slot: Slot::ROOT };
        let mut done = 0;
        loop {
            // Follow the steps and the positions of the nodes, on which their samples depend.
            for step in &pv[done..] {
                match *step {
                    Step::Action(action) => {
                        let from = self.actions.len();
                        self.game.actions(&state, &mut self.actions);
                        let index = self.actions[from..].iter().position(|&other| other == action);
                        self.actions.truncate(from);
                        self.game.apply(&mut state, action);
                        node.place = C::step(node.place, index.expect("a step of the variation is legal"));
                        node.depth -= 1;
                    }
                    Step::Outcome(outcome) => {
                        let from = self.push_outcomes(&state, node);
                        let index = self.outcomes[from..].iter().position(|other| other.item == outcome);
                        self.outcomes.truncate(from);
                        self.game.resolve(&mut state, outcome);
                        node.place =
                            C::step(node.place, index.expect("a step of the variation was searched"));
                    }
                }
            }
            done = pv.len();
            match self.game.turn(&state) {
                Turn::Decide(player) if node.depth > 0 => {
                    self.variation.begin(Slot::ROOT);
                    self.best_of(&state, player, node)?;
                    pv.extend_from_slice(self.variation.get(Slot::ROOT));
                }
                Turn::Chance => {
                    let from = self.push_outcomes(&state, node);
                    pv.push(Step::Outcome(self.outcomes[from + self.likeliest(from)].item));
                    self.outcomes.truncate(from);
                }
                Turn::Over(_) | Turn::Decide(_) => return Ok(()),
            }
        }
    }

    /// Searches a decision without a table lookup for the state itself.
    fn best_of(&mut self, state: &G::State, player: Player, node: Node<C::Place>) -> Result<f64, Stopped> {
        let nothing = Probed::nothing(player, None);
        match self.options.algorithm {
            Algorithm::Expectimax => self.best_action::<true>(state, player, node),
            Algorithm::Star1 | Algorithm::Star2 { .. } => {
                self.decision(state, player, node, Interval::WHOLE, nothing)
            }
        }
    }

    /// The indices of the root's actions in search order: by their values at the previous depth, or by
    /// promise at the first.
    fn root_order(
        &mut self,
        root: &G::State,
        player: Player,
        last: &Report<G::Action, G::Outcome>,
    ) -> Vec<u32> {
        let stacks = self.push_actions(root, player, 0, &Probed::nothing(player, None));
        let mut order = self.order[stacks.1..].to_vec();
        self.pop_actions(stacks);
        if self.options.order && last.depth > 0 {
            // Refuted actions come after those with exact values, in the order of promise.
            let worth = |line: &Line<_>| match line.bounds.is_point() {
                true => player.sign() * line.value,
                false => f64::NEG_INFINITY,
            };
            let worths: Vec<f64> = last.lines.iter().map(worth).collect();
            highest_first(&mut order, &worths);
        }
        order
    }
}

/// Turns minus zero into zero.
fn zero_is_zero(value: f64) -> f64 {
    value + 0.0
}
