//! Monte Carlo tree search: one search with parts that can be exchanged.
//!
//! It covers the MCTS and the double progressive widening of *Monte Carlo \*-Minimax Search* (section 2.2),
//! the players UCT, UCT_H, UCTMAX_H and ε-greedy UCT of *Understanding Sampling-Based Adversarial Search*
//! (sections 2.4.3 to 2.4.5, 3.2.5, 5.2.2) and the worked examples of the lectures. Beyond them: other bandit
//! rules, implicit minimax backups and proved bounds that are right at chance nodes, and three ways to use
//! several threads.
//!
//! A search with a budget in iterations or nodes is a pure function of its arguments, also with several
//! threads that have trees of their own (`Parallel::Root`) or play out the same leaf (`Parallel::Leaf`).
//! Threads that share a tree (`Parallel::Tree`) are not repeatable and have not proved stronger.
//!
//! Where the thesis's listing of UCT (algorithm 2.3) is incomplete: actions that were never tried come first,
//! a leaf updates its own statistics, and the minimax backup takes the best *mean* of the children.

mod arena;
mod backup;
mod chance;
mod implicit;
mod leaf;
pub(crate) mod listing;
mod node;
mod options;
mod rave;
mod report;
mod select;
mod selection;
mod simulate;
#[cfg(test)]
mod simulate_tests;
mod solver;
mod tree;

pub(crate) use select::{beta, kl_ucb, ucb1_tuned};

pub use listing::MCTS_ENGINES;
pub use options::{Backup, ChanceRule, Choice, MctsOptions, Parallel, Select, Widening};
pub use select::ucb1;

use crate::playout::{FIRST, LOOK_NODES, UNLIMITED};
use crate::threads::{Alarm, most_threads};
use astragal_core::{
    Branch, Budget, Counts, Evaluator, Game, Limit, News, Policy, Report, Sampler, Searcher, Stop, Turn,
    Watch, Weighted,
};
use leaf::Helpers;
use node::MOST_VISITS;
use report::{branch, report};
use simulate::{Worker, rollout};
use solver::{HI, LO, SAME};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::Builder;
use tree::{Index, Keep, ROOT, Tree};

/// How many simulations pass between two looks at the clock, unless every one is asked for.
const LOOK: u64 = 16;

/// How many simulations a thread takes at once from those of all threads.
const BLOCK: u64 = 32;

/// How far below the old root the new one is looked for: decisions and chance alike.
const REUSE_DEPTH: u32 = 6;

/// Monte Carlo tree search, configured. Without a budget in iterations, nodes or time it makes 10 000
/// simulations.
pub struct Mcts<G: Game, E> {
    evaluator: E,
    policy: Option<Arc<dyn Policy<G>>>,
    options: MctsOptions,
    /// The root and the trees of the last search.
    kept: Option<(G::State, Vec<Tree>)>,
}

/// A clone has the same configuration, and no tree yet.
impl<G: Game, E: Clone> Clone for Mcts<G, E> {
    fn clone(&self) -> Self {
        let (evaluator, policy) = (self.evaluator.clone(), self.policy.clone());
        Self { evaluator, policy, options: self.options, kept: None }
    }
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// A search with this evaluator where playouts are cut off.
    #[must_use]
    pub fn with_options(evaluator: E, options: MctsOptions) -> Self {
        Self { evaluator, policy: None, options, kept: None }
    }

    pub(crate) fn options_mut(&mut self) -> &mut MctsOptions {
        &mut self.options
    }

    /// The same with playouts that follow a policy.
    #[must_use]
    pub fn with_policy(mut self, policy: Arc<dyn Policy<G>>) -> Self {
        self.policy = Some(policy);
        self
    }

    fn keep(&self) -> Keep {
        let o = &self.options;
        let puct = matches!(o.select, Select::Puct { .. });
        Keep {
            bounds: o.solver,
            values: o.implicit > 0.0 || o.seeding > 0.0 || o.bias > 0.0 || puct,
            rave: o.rave > 0.0,
            squares: o.reuse || o.select == Select::Ucb1Tuned,
        }
    }

    /// The trees of a new search: empty, or what the last one knows of this root.
    fn plant(&mut self, game: &G, root: &G::State) -> Vec<Tree> {
        let o = &self.options;
        let count = if o.parallel == Parallel::Root { o.threads.max(1) } else { 1 };
        let shared = o.parallel == Parallel::Tree && o.threads > 1;
        // An old tree and its successor exist side by side for a moment.
        let share = if o.reuse { 2 } else { 1 };
        let limit = ((o.memory_mib as usize) << 20) / count as usize / share;
        let kept = self.kept.take().filter(|_| o.reuse);
        let keep = self.keep();
        let mut old = kept.and_then(|(old, trees)| {
            // The dice of all trees are the same game: where the root is in one, it is in all that have seen
            // it.
            let at = |tree: &Tree| find(game, tree, ROOT, &old, root, REUSE_DEPTH);
            let found: Vec<Option<Index>> = trees.iter().map(at).collect();
            found.iter().any(Option::is_some).then(|| trees.into_iter().zip(found))
        });
        (0..count)
            .map(|_| match old.as_mut().and_then(Iterator::next) {
                Some((tree, Some(index))) => tree.subtree(index, limit, keep),
                _ => Tree::new(limit, keep, shared),
            })
            .collect()
    }
}

/// The node of a state below a node, if the tree knows it.
fn find<G: Game>(
    game: &G,
    tree: &Tree,
    index: Index,
    state: &G::State,
    wanted: &G::State,
    depth: u32,
) -> Option<Index> {
    if state == wanted {
        return Some(index);
    }
    tree.node(index).children().filter(|_| depth > 0)?;
    let step = |at: Index, next: G::State| {
        (tree.node(at).visits() > 0).then(|| find(game, tree, at, &next, wanted, depth - 1)).flatten()
    };
    match game.turn(state) {
        Turn::Decide(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            (tree.node(index).first()?..).zip(actions).find_map(|(child, action)| {
                let mut next = state.clone();
                game.apply(&mut next, action);
                step(child, next)
            })
        }
        Turn::Chance => {
            let mut outcomes: Vec<Weighted<G::Outcome>> = Vec::new();
            game.outcomes(state, &mut outcomes);
            tree.edges(index).find_map(|(place, child)| {
                let mut next = state.clone();
                game.resolve(&mut next, outcomes[place].item);
                step(child, next)
            })
        }
        Turn::Over(_) => None,
    }
}

/// What the threads of a search tell each other.
struct Shared {
    /// Set when all must end.
    stop: AtomicBool,
    taken: Taken,
}

/// Simulations and states so far, of all threads; apart from what they look at all the time.
#[derive(Default)]
#[repr(align(128))]
struct Taken {
    simulations: AtomicU64,
    nodes: AtomicU64,
}

/// How often a thread that waits for others looks at the clock.
const PAUSE: std::time::Duration = std::time::Duration::from_micros(20);

/// The limits of one thread.
struct Share {
    /// Simulations that this thread may make; all threads together if they share a tree.
    iterations: Option<u64>,
    nodes: Option<u64>,
    common: bool,
    /// How many simulations pass between two looks at the clock.
    pause: u64,
}

/// Runs simulations until a limit is met; `look` is asked from time to time whether to end.
fn run<G: Game, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    root: &G::State,
    sampler: Sampler,
    thread: u32,
    share: &Share,
    shared: &Shared,
    mut look: impl FnMut(&Counts, &Tree) -> Option<Stop>,
) -> Stop {
    let (mut number, mut told, mut looked) = (0, 0, 0);
    // In a common tree the threads draw blocks of numbers; otherwise each counts for itself.
    let (mut mine, mut end) = (0, if share.common { 0 } else { u64::MAX });
    loop {
        if mine == end {
            // Whoever counts states wants to know of each simulation.
            let block = if share.nodes.is_some() { 1 } else { BLOCK };
            mine = shared.taken.simulations.fetch_add(block, Ordering::Relaxed);
            end = mine + block;
            shared.taken.nodes.fetch_add(worker.counts.nodes - told, Ordering::Relaxed);
            told = worker.counts.nodes;
        }
        if share.iterations.is_some_and(|most| mine >= most) {
            return Stop::Iterations;
        }
        if shared.stop.load(Ordering::Relaxed) {
            return Stop::Cancelled;
        }
        let states = |counts: &Counts| {
            let others = if share.common { shared.taken.nodes.load(Ordering::Relaxed) - told } else { 0 };
            others + counts.nodes
        };
        if share.nodes.is_some_and(|most| number > 0 && states(&worker.counts) >= most) {
            return Stop::Nodes;
        }
        let tree = worker.tree;
        if number % share.pause == 0 || worker.counts.nodes >= looked + LOOK_NODES {
            looked = worker.counts.nodes;
            if let Some(stop) = look(&worker.counts, tree) {
                return stop;
            }
            // Visits are counted in 31 bits.
            if worker.tree.node(ROOT).visits() > MOST_VISITS {
                return Stop::Iterations;
            }
        }
        let most = share.nodes.map(|most| if number > 0 { most } else { most.saturating_mul(FIRST) });
        let mut halt = |counts: &Counts| {
            if shared.stop.load(Ordering::Relaxed) {
                return Some(Stop::Cancelled);
            }
            let used_up = most.is_some_and(|most| states(counts) >= most);
            used_up.then_some(Stop::Nodes).or_else(|| look(counts, tree))
        };
        if let Err(stop) = worker.simulate(root, &mut sampler.stream(number, thread), &mut halt) {
            return stop;
        }
        number += 1;
        mine += 1;
        if worker.options.solver && is_proved(worker.tree, worker.game.range().width()) {
            return Stop::Complete;
        }
    }
}

/// Whether the value of the root is proved.
fn is_proved(tree: &Tree, width: f64) -> bool {
    tree.bounds(ROOT).is_some_and(|side| side.get(HI) - side.get(LO) <= SAME * width)
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Mcts<G, E> {
    fn heeds(&self) -> &'static [Limit] {
        Limit::SIMULATING
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        if let Turn::Over(payoff) = game.turn(root) {
            self.kept = None;
            let counts = Counts { nodes: 1, leaves: 1, ..Counts::default() };
            return Report { counts, ..Report::unsearched(payoff, Stop::Complete) };
        }
        let trees = self.plant(game, root);
        let (stop, counts, depth) = self.grow(game, root, seed, budget, watch, &trees);
        let report = report(game, root, &trees, &self.options, stop, counts, depth);
        self.kept = Some((root.clone(), trees));
        report
    }

    fn tree(&self, game: &G, depth: u32, visits: u64) -> Option<Branch<G::Action, G::Outcome>> {
        let (root, trees) = self.kept.as_ref()?;
        // Of several trees the first: they are alike.
        Some(branch(game, trees.first()?, ROOT, root, depth, visits))
    }
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// Runs all threads.
    fn grow(
        &self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
        trees: &[Tree],
    ) -> (Stop, Counts, u32) {
        let options = &self.options;
        let threads = if options.parallel == Parallel::Leaf { 1 } else { options.threads.max(1) };
        let common = options.parallel == Parallel::Tree && threads > 1;
        let shared = Shared { stop: AtomicBool::new(false), taken: Taken::default() };
        let sampler = Sampler::new(seed);
        let part = |limit: Option<u64>, thread: u32| {
            let split = |most: u64| {
                let (each, rest) = (most / u64::from(threads), most % u64::from(threads));
                each + u64::from(u64::from(thread) < rest)
            };
            if common { limit } else { limit.map(split) }
        };
        // A tree can always grow, so there is always a limit.
        let limited = budget.iterations.is_some() || budget.nodes.is_some() || budget.time.is_some();
        let iterations = if limited { budget.iterations } else { Some(UNLIMITED) };
        let attentive = watch.is_attentive();
        let pause = if attentive { 1 } else { LOOK };
        let share = |thread: u32| Share {
            iterations: part(iterations, thread),
            nodes: part(budget.nodes, thread),
            common,
            pause,
        };
        let policy = self.policy.as_deref();
        let make = |thread: u32| {
            let tree = &trees[if common { 0 } else { thread as usize }];
            Worker::new(game, &self.evaluator, policy, options, tree)
        };
        let mut next_news = 1;
        let mut look = |counts: &Counts, tree: &Tree| {
            if counts.simulations >= next_news {
                next_news = if attentive { next_news + 1 } else { (2 * next_news).max(64) };
                let value = game.range().clamp(tree.node(ROOT).mean());
                watch.news(News::Simulations {
                    value,
                    best: most_visited(tree, game, root),
                    counts: *counts,
                });
            }
            if watch.cancelled() {
                return Some(Stop::Cancelled);
            }
            // One simulation is at least begun, so that there is something to say.
            let begun = counts.nodes > 0;
            budget.time.filter(|&time| begun && watch.elapsed() >= time).map(|_| Stop::Time)
        };
        for tree in trees {
            Worker::new(game, &self.evaluator, policy, options, tree).prepare(root);
        }
        // A tree of one's own is a task that any thread can do at any time, so the result does not depend on
        // how many threads there are. Threads that share a tree are tasks themselves.
        let crew = threads.min(most_threads());
        let tasks = if common { crew } else { threads };
        let (shared, share, make) = (&shared, &share, &make);
        let next = &AtomicU32::new(1);
        let work = move |thread: u32, look: &mut dyn FnMut(&Counts, &Tree) -> Option<Stop>| {
            let mut worker = make(thread);
            let stop = run(&mut worker, root, sampler, thread, &share(thread), shared, look);
            worker.finish();
            (stop, worker)
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..crew)
                .map_while(|_| {
                    let run = move || {
                        let _alarm = Alarm(&shared.stop);
                        let mut done = Done::default();
                        loop {
                            let thread = next.fetch_add(1, Ordering::Relaxed);
                            if thread >= tasks {
                                return done;
                            }
                            let (stop, worker) = work(thread, &mut |_, _| None);
                            // Trees of their own go on, so that the result does not depend on who is first.
                            if stop == Stop::Complete && common {
                                shared.stop.store(true, Ordering::Relaxed);
                            }
                            done.add(stop, &worker);
                        }
                    };
                    Builder::new().spawn_scoped(scope, run).ok()
                })
                .collect();
            let _alarm = Alarm(&shared.stop);
            let mut worker = make(0);
            if options.parallel == Parallel::Leaf && options.threads > 1 {
                let rollout = rollout(game, &self.evaluator, policy, options);
                let most = budget.nodes.map_or(u64::MAX, |most| most.saturating_mul(FIRST));
                let (count, crew) =
                    (options.threads as usize - 1, options.threads.min(most_threads()) as usize);
                worker.helpers = Some(Helpers::new(scope, rollout, count, crew - 1, most, &shared.stop));
            }
            let mut stop = run(&mut worker, root, sampler, 0, &share(0), shared, &mut look);
            worker.finish();
            let mut done = Done::default();
            done.add(stop, &worker);
            // A proof ends everything where the result depends on time anyway.
            let timed = iterations.is_none() && budget.nodes.is_none();
            if matches!(stop, Stop::Time | Stop::Cancelled) || stop == Stop::Complete && (common || timed) {
                shared.stop.store(true, Ordering::Relaxed);
            }
            // This thread has the clock and the stop button, also for those that are not finished.
            loop {
                let thread = next.fetch_add(1, Ordering::Relaxed);
                if thread >= tasks {
                    break;
                }
                let (late, other) = work(thread, &mut look);
                done.add(late, &other);
                if matches!(late, Stop::Time | Stop::Cancelled) {
                    shared.stop.store(true, Ordering::Relaxed);
                    stop = if stop == Stop::Time { stop } else { late };
                }
            }
            while !shared.stop.load(Ordering::Relaxed) && others.iter().any(|other| !other.is_finished()) {
                if let Some(late) = look(&worker.counts, worker.tree) {
                    shared.stop.store(true, Ordering::Relaxed);
                    stop = late;
                }
                std::thread::sleep(PAUSE);
            }
            for other in others {
                done.merge(&other.join().expect("a search thread"));
            }
            if done.complete {
                stop = Stop::Complete;
            }
            let Done { mut counts, deepest, .. } = done;
            counts.tree_nodes = trees.iter().map(|tree| u64::from(tree.len())).sum();
            counts.tree_bytes = trees.iter().map(|tree| tree.bytes() as u64).sum();
            counts.tree_full = trees.iter().any(Tree::is_full);
            (stop, counts, deepest)
        })
    }
}

/// What some tasks of a search have done.
#[derive(Default)]
struct Done {
    counts: Counts,
    deepest: u32,
    /// Whether one of them has proved the value of the root.
    complete: bool,
}

impl Done {
    fn add<G: Game, E>(&mut self, stop: Stop, worker: &Worker<'_, G, E>) {
        let complete = stop == Stop::Complete;
        self.merge(&Self { counts: worker.counts, deepest: worker.deepest, complete });
    }

    fn merge(&mut self, other: &Self) {
        self.counts = self.counts + other.counts;
        self.deepest = self.deepest.max(other.deepest);
        self.complete |= other.complete;
    }
}

fn most_visited<G: Game>(tree: &Tree, game: &G, root: &G::State) -> Option<usize> {
    let children = tree.children(tree.node(ROOT)).filter(|_| game.turn(root) != Turn::Chance)?;
    let most = children.enumerate().max_by_key(|&(at, child)| (tree.node(child).visits(), usize::MAX - at));
    most.map(|(at, _)| at)
}
