//! Alpha-beta for games without chance (*Understanding Sampling-Based Adversarial Search*, sections 2.2 and
//! 2.3): the thesis's MM-k with everything off, a search for strong play with everything on.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | iterative deepening, the root, and threads |
//! | `node.rs` | the recursion, plain and refined |
//! | `order.rs` | move ordering |
//! | `memory.rs` | the transposition table, shared by threads |
//! | `options.rs`, `listing.rs` | the options |
//!
//! For games with chance see `star1.rs` and `star2.rs`.

mod listing;
mod memory;
mod node;
mod options;
mod order;

pub use options::{AlphaBetaOptions, LeafValue};

use crate::decision::narrowed;
use crate::limits::{Limits, Stopped};
use crate::options::DEEPEST;
use crate::rank::highest_first;
use crate::threads::{Alarm, STACK};
use crate::variation::Slot;
use crate::walk::worst;
use astragal_core::{
    Budget, Clock, Counts, Evaluator, Game, Interval, Limit, Line, News, Player, Report, Searcher, Step,
    Stop, Turn, Watch, estimate,
};
use memory::Memory;
use node::{Node, Search, improves, nothing_above_best};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;

/// Nodes of iterative deepening before a search goes to the end of the game; they provide a move order and a
/// first guess of the value.
const FIRST_LOOK: u64 = 1 << 20;

/// Alpha-beta with iterative deepening.
///
/// ```
/// use astragal_core::{Budget, Even, Searcher};
/// use astragal_search::{AlphaBeta, AlphaBetaOptions};
/// # use astragal_core::*;
/// # struct Nim;
/// # impl Game for Nim {
/// #     type State = (u8, bool); type Action = u8; type Outcome = std::convert::Infallible;
/// #     fn start(&self) -> (u8, bool) { (7, true) }
/// #     fn turn(&self, s: &(u8, bool)) -> Turn {
/// #         match s {
/// #             (0, first) => Turn::Over(if *first { -1.0 } else { 1.0 }),
/// #             (_, true) => Turn::Decide(Player::Max),
/// #             _ => Turn::Decide(Player::Min),
/// #         }
/// #     }
/// #     fn actions(&self, s: &(u8, bool), out: &mut Vec<u8>) { out.extend(1..=s.0.min(3)); }
/// #     fn apply(&self, s: &mut (u8, bool), a: u8) { *s = (s.0 - a, !s.1); }
/// #     fn key(&self, s: &(u8, bool)) -> Key { Key(u128::from(s.0) << 1 | u128::from(s.1)) }
/// #     fn range(&self) -> Interval { Interval::new(-1.0, 1.0) }
/// #     fn has_chance(&self) -> bool { false }
/// # }
///
/// // Seven matches: take one to three, and the last one wins. Three leave four, which is lost.
/// let mut search = AlphaBeta::new(Even, AlphaBetaOptions::exact());
/// let report = search.search(&Nim, &Nim.start(), Budget::depth(7));
/// assert_eq!((report.value, report.best), (1.0, Some(3)));
/// ```
pub struct AlphaBeta<E> {
    evaluator: E,
    options: AlphaBetaOptions,
    memory: Option<Memory>,
}

/// A clone has the same configuration, but no table.
impl<E: Clone> Clone for AlphaBeta<E> {
    fn clone(&self) -> Self {
        Self::new(self.evaluator.clone(), self.options)
    }
}

impl<E> AlphaBeta<E> {
    /// A search with this evaluator and these options.
    ///
    /// # Panics
    /// If the options contradict each other, see [`AlphaBetaOptions::contradiction`].
    pub fn new(evaluator: E, options: AlphaBetaOptions) -> Self {
        if let Some(why) = options.contradiction() {
            panic!("contract: {why}");
        }
        Self { evaluator, options, memory: None }
    }

    /// The configuration.
    pub fn options(&self) -> &AlphaBetaOptions {
        &self.options
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<E> {
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
        if let Some(memory) = &mut self.memory {
            memory.forget();
        }
        self.resume(game, root, seed, budget, watch)
    }
}

impl<E> AlphaBeta<E> {
    /// Searches with the table as the last search left it: deeper in the same position, for instance.
    pub(crate) fn resume<G: Game>(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome>
    where
        E: Evaluator<G>,
    {
        assert!(!game.has_chance(), "contract: alpha-beta is for games without chance");
        let Self { evaluator, options, memory } = self;
        let memory = memory.get_or_insert_with(|| Memory::of_mib(options.table_mib));
        let (evaluator, options, memory) = (&*evaluator, &*options, &*memory);
        let deepest = budget.depth.unwrap_or(DEEPEST).min(options.depth).min(DEEPEST);
        let first = match options.deepening {
            // Without a target depth, only iterative deepening makes sense.
            _ if deepest == DEEPEST => 1,
            true => 1 + deepest.saturating_sub(1) % options.step,
            false => deepest,
        };
        let helpers = options.threads - 1;
        // Each thread has an equal share of the nodes.
        let nodes = budget.nodes.map(|nodes| (nodes / u64::from(options.threads)).max(1));
        let budget = Budget { nodes, ..*budget };
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // Lazy SMP: every thread searches the same root, and all share the table. Every other one is a
            // step ahead, so that they do not all search the same nodes.
            let others: Vec<_> = (0..helpers)
                .map_while(|at| {
                    let over = &over;
                    let run = move || {
                        let (mut watch, unlimited) = (Clock::until(over), Budget::default());
                        let limits = Limits::new(&unlimited, &mut watch);
                        let mut search = Search::new(game, evaluator, options, memory, limits, seed);
                        search.deepen(root, deepest, first + (at + 1) % 2 * options.step).counts
                    };
                    Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()
                })
                .collect();
            let _alarm = Alarm(&over);
            let limits = Limits::new(&budget, watch);
            let mut search = Search::new(game, evaluator, options, memory, limits, seed);
            let mut report = search.deepen(root, deepest, first);
            over.store(true, Ordering::Relaxed);
            for other in others {
                let counts = other.join().expect("a thread of the search panicked");
                report.counts = report.counts + counts;
            }
            report
        })
    }
}

impl<G: Game, E: Evaluator<G>> Search<'_, G, E> {
    /// Iterative deepening from this first depth until the budget ends the search or the result is exact. The
    /// report is that of the last completed depth.
    fn deepen(&mut self, root: &G::State, deepest: u32, first: u32) -> Report<G::Action, G::Outcome> {
        let mut report = self.glance(root);
        if let Turn::Over(_) = self.game.turn(root) {
            return Report { stop: Stop::Complete, ..report };
        }
        let mut depth = first.min(deepest);
        let stop = loop {
            self.incomplete = false;
            match self.at_depth(root, depth, &report) {
                Ok(finished) => report = finished,
                Err(Stopped) => {
                    self.ordering.clear();
                    break self.limits.reason();
                }
            }
            let best = report.best.and_then(|best| report.lines.iter().position(|line| line.action == best));
            let news = News::Depth { depth, value: report.value, best, counts: self.counts };
            self.limits.watch().news(news);
            self.limits.arm();
            if !self.incomplete {
                break Stop::Complete;
            }
            if depth >= deepest {
                break Stop::Depth;
            }
            if let Err(Stopped) = self.limits.check(self.counts.nodes + 1) {
                break self.limits.reason();
            }
            self.to_the_end = self.options.to_the_end && self.counts.nodes >= FIRST_LOOK;
            depth = if self.to_the_end { deepest } else { deepest.min(depth + self.options.step) };
        };
        Report { stop, counts: Counts { unevaluated: self.unevaluated(), ..self.counts }, ..report }
    }

    /// The number of leaves of which nothing is known.
    fn unevaluated(&self) -> u64 {
        match self.options.leaf {
            _ if !self.evaluator.is_neutral() => 0,
            LeafValue::Evaluator => self.counts.leaves - self.counts.finished,
            LeafValue::Playouts(_) => self.counts.unevaluated,
        }
    }

    /// The report before any search: that of a search cancelled immediately.
    fn glance(&mut self, root: &G::State) -> Report<G::Action, G::Outcome> {
        let bounds = self.game.bounds(root);
        let Turn::Decide(_) = self.game.turn(root) else {
            let Turn::Over(payoff) = self.game.turn(root) else {
                unreachable!("contract: chance in a game without")
            };
            return Report::unsearched(payoff, Stop::Complete);
        };
        let value = estimate(self.game, self.evaluator, root);
        // With ordering off, the search does not start with the most promising action either.
        let order = self.options.order;
        let from = match order {
            true => self.ordering.push_promising(self.game, root),
            false => self.ordering.push(self.game, root),
        };
        let count = self.ordering.count(from);
        let line = |action| Line::new(action, value, bounds, 0);
        let lines: Vec<_> = (0..count).map(|index| line(self.ordering.at(from, index))).collect();
        let best = if order { self.ordering.next(from, 0).1 } else { self.ordering.at(from, 0) };
        self.ordering.pop(from);
        Report {
            best: Some(best),
            tied: vec![best],
            pv: vec![Step::Action(best)],
            lines,
            ..Report::unsearched(value, Stop::Cancelled)
        }
    }

    /// Searches the root at one depth, with an aspiration window around the value of the previous depth.
    fn at_depth(
        &mut self,
        root: &G::State,
        depth: u32,
        last: &Report<G::Action, G::Outcome>,
    ) -> Result<Report<G::Action, G::Outcome>, Stopped> {
        self.deepest = depth;
        if self.to_the_end {
            return self.settle(root, depth, last);
        }
        let margin = self.options.aspiration;
        let mut window = Interval::WHOLE;
        if margin > 0.0 && last.depth > 0 && !self.options.all_lines {
            window = Interval { lo: last.value - margin, hi: last.value + margin };
        }
        loop {
            let report = self.root(root, depth, window, last)?;
            // A value outside the window is only a bound: reopen that side.
            if report.value <= window.lo {
                window.lo = f64::NEG_INFINITY;
            } else if report.value >= window.hi {
                window.hi = f64::INFINITY;
            } else {
                return Ok(report);
            }
        }
    }

    /// Searches the root by repeated null windows at the last value returned, starting from the value of the
    /// previous depth (MTD(f), Plaat et al. 1996). Null windows are the cheapest, and the table retains
    /// earlier results.
    fn settle(
        &mut self,
        root: &G::State,
        depth: u32,
        last: &Report<G::Action, G::Outcome>,
    ) -> Result<Report<G::Action, G::Outcome>, Stopped> {
        let Turn::Decide(player) = self.game.turn(root) else { unreachable!("the root is a decision") };
        let (mut bounds, mut guess) = (Interval::WHOLE, last.value);
        let mut proof = None;
        loop {
            let asked = if guess == bounds.lo { guess.next_up() } else { guess };
            let report = self.root(root, depth, Interval { lo: asked.next_down(), hi: asked }, last)?;
            guess = report.value;
            let enough = guess >= asked;
            *(if enough { &mut bounds.lo } else { &mut bounds.hi }) = guess;
            // The action is identified by an answer that it achieves at least this value for its player.
            if enough == (player == Player::Max) || proof.is_none() {
                proof = Some(report);
            }
            if bounds.lo >= bounds.hi {
                return Ok(Report { value: guess, ..proof.expect("there was an answer") });
            }
        }
    }

    /// Searches the root at one depth under a window.
    fn root(
        &mut self,
        root: &G::State,
        depth: u32,
        window: Interval,
        last: &Report<G::Action, G::Outcome>,
    ) -> Result<Report<G::Action, G::Outcome>, Stopped> {
        let Turn::Decide(player) = self.game.turn(root) else { unreachable!("the root is a decision") };
        self.enter()?;
        self.evaluator.foresee(self.game, root, depth);
        // The best action of the previous depth first, then those that took the most work to refute.
        let work =
            |line: &Line<_>| if last.best == Some(line.action) { f64::INFINITY } else { line.visits as f64 };
        let work: Vec<f64> = last.lines.iter().map(work).collect();
        let mut order: Vec<u32> = (0..work.len() as u32).collect();
        highest_first(&mut order, &work);
        let after = |slot| Node { depth: depth - 1, ply: 1, slot, passed: false };
        let main = Slot::ROOT.next();
        let mut lines = last.lines.clone();
        let mut best: Option<(f64, usize)> = None;
        let mut pv = Vec::new();
        for index in order.into_iter().map(|index| index as usize) {
            let action = last.lines[index].action;
            let mut child = root.clone();
            self.game.apply(&mut child, action);
            let mut open = match best {
                Some((best, _)) if !self.options.all_lines => narrowed(window, player, best),
                _ => window,
            };
            let before = self.counts.nodes;
            // A scouted action has no continuation; that of another action must not remain.
            self.variation.begin(main);
            let mut value = worst(player.other());
            if self.options.scout && best.is_some() && !self.options.all_lines {
                let scout = nothing_above_best(open, player);
                value = self.value(&child, after(Slot::NONE), scout)?;
                if !improves(value, open, player) {
                    open = scout;
                }
            }
            if improves(value, open, player) || best.is_none() {
                value = self.value(&child, after(main), open)?;
            }
            let value = value + 0.0; // Minus zero is written as zero.
            let bounds = open.verdict(value, &self.game.bounds(&child));
            let visits = self.counts.nodes - before;
            lines[index] = Line { value, bounds, visits, ..last.lines[index] };
            if best.is_none_or(|(best, _)| player.prefers(value, best)) {
                best = Some((value, index));
                pv = std::iter::once(Step::Action(action))
                    .chain(self.variation.get(main).iter().copied())
                    .collect();
                let reached = narrowed(window, player, value);
                if reached.lo >= reached.hi {
                    break;
                }
            }
        }
        let (value, index) = best.expect("contract: no action at the root");
        self.complete_variation(root, depth, &mut pv);
        let best = lines[index].action;
        let is_tied = |line: &&Line<G::Action>| line.bounds.is_point() && line.value == value;
        let tied = if self.options.all_lines {
            lines.iter().filter(is_tied).map(|line| line.action).collect()
        } else {
            vec![best]
        };
        Ok(Report { value, best: Some(best), tied, depth, pv, lines, ..last.clone() })
    }

    /// Extends a variation that ended at a table hit with the best actions stored in the table.
    fn complete_variation(&self, root: &G::State, depth: u32, pv: &mut Vec<Step<G::Action, G::Outcome>>) {
        let mut state = root.clone();
        for step in pv.iter() {
            let Step::Action(action) = step else { unreachable!("there is no chance") };
            self.game.apply(&mut state, *action);
        }
        let mut actions = Vec::new();
        while (pv.len() as u32) < depth
            && let Turn::Decide(_) = self.game.turn(&state)
            && let Some(best) = self.memory.get(self.game.key(&state)).and_then(|entry| entry.best)
        {
            actions.clear();
            self.game.actions(&state, &mut actions);
            let action = actions[usize::from(best)];
            pv.push(Step::Action(action));
            self.game.apply(&mut state, action);
        }
    }
}
