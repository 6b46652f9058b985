//! The threads of a search: which tree each of them grows, when they stop, and what they share.

use super::leaf::Helpers;
use super::node::MOST_VISITS;
use super::options::{MctsOptions, Parallel};
use super::simulate::{Worker, rollout};
use super::solver::{HI, LO, SAME};
use super::tree::{ROOT, Tree};
use crate::playout::{FIRST, LOOK_NODES, UNLIMITED};
use crate::threads::{Alarm, most_threads};
use astragal_core::{Budget, Counts, Evaluator, Game, News, Policy, Sampler, Stop, Turn, Watch};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

/// Simulations between two checks of the clock, unless the watch wants a report on each.
const LOOK: u64 = 16;

/// Simulations that a thread claims at a time from the shared total.
const BLOCK: u64 = 32;

/// How often a waiting thread checks the clock.
const PAUSE: Duration = Duration::from_micros(20);

/// The inputs of a search.
pub(super) struct Search<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) root: &'a G::State,
    pub(super) evaluator: &'a E,
    pub(super) policy: Option<&'a dyn Policy<G>>,
    pub(super) options: &'a MctsOptions,
    pub(super) budget: &'a Budget,
    pub(super) trees: &'a [Tree],
}

/// All threads of a search. With separate trees, each tree is a task that any thread may run at any time, so
/// the result does not depend on the number of threads. With a shared tree, each thread is one task.
pub(super) struct Crew<'a, G: Game, E> {
    search: Search<'a, G, E>,
    sampler: Sampler,
    /// The most threads that share the tasks; fewer if the system cannot start them.
    threads: u32,
    tasks: u32,
    /// Whether the tasks share a tree.
    common: bool,
    /// The limit of simulations of all tasks, if any.
    iterations: Option<u64>,
    /// The first task not yet taken.
    next: AtomicU32,
    /// Set when all threads must stop.
    stop: AtomicBool,
    taken: Taken,
}

/// Simulations and states of all threads so far, aligned away from the fields that are polled constantly.
#[derive(Default)]
#[repr(align(128))]
struct Taken {
    simulations: AtomicU64,
    nodes: AtomicU64,
}

/// Polled now and then; returns why to stop, if at all.
type Look<'l> = dyn FnMut(&Counts, &Tree) -> Option<Stop> + 'l;

impl<'a, G: Game, E: Evaluator<G>> Crew<'a, G, E> {
    pub(super) fn new(search: Search<'a, G, E>, seed: u64) -> Self {
        let (options, budget) = (search.options, search.budget);
        let wanted = if options.parallel == Parallel::Leaf { 1 } else { options.threads.max(1) };
        let common = options.parallel == Parallel::Tree && wanted > 1;
        let threads = wanted.min(most_threads());
        // A tree can always grow, so some limit is needed.
        let limited = budget.iterations.is_some() || budget.nodes.is_some() || budget.time.is_some();
        Self {
            search,
            sampler: Sampler::new(seed),
            threads,
            tasks: if common { threads } else { wanted },
            common,
            iterations: if limited { budget.iterations } else { Some(UNLIMITED) },
            next: AtomicU32::new(1),
            stop: AtomicBool::new(false),
            taken: Taken::default(),
        }
    }

    /// Grows the trees until a limit is reached; returns the stop reason, the counts, and the depth of the
    /// trees.
    pub(super) fn grow(&self, watch: &mut dyn Watch) -> (Stop, Counts, u32) {
        let Search { game, root, budget, trees, .. } = &self.search;
        (0..trees.len() as u32).for_each(|task| self.worker(task).prepare(root));
        let is_attentive = watch.is_attentive();
        let pause = if is_attentive { 1 } else { LOOK };
        let mut next_news = 1;
        let mut look = |counts: &Counts, tree: &Tree| {
            if counts.simulations >= next_news {
                next_news = if is_attentive { next_news + 1 } else { (2 * next_news).max(64) };
                let value = game.range().clamp(tree.node(ROOT).mean());
                let best = most_visited(tree, *game, root);
                watch.news(News::Simulations { value, best, counts: *counts });
            }
            if watch.cancelled() {
                return Some(Stop::Cancelled);
            }
            // At least one simulation is begun, so that there is something to report.
            let begun = counts.nodes > 0;
            budget.time.filter(|&time| begun && watch.elapsed() >= time).map(|_| Stop::Time)
        };
        let (stop, done) = std::thread::scope(|scope| {
            let start = |_| Builder::new().spawn_scoped(scope, move || self.help(pause)).ok();
            let others = (1..self.threads).map_while(start).collect();
            self.lead(scope, others, pause, &mut look)
        });
        let Done { mut counts, deepest, .. } = done;
        counts.tree_nodes = trees.iter().map(|tree| u64::from(tree.len())).sum();
        counts.tree_bytes = trees.iter().map(|tree| tree.bytes() as u64).sum();
        counts.tree_full = trees.iter().any(Tree::is_full);
        (stop, counts, deepest)
    }

    fn worker(&self, task: u32) -> Worker<'_, G, E> {
        let Search { game, evaluator, policy, options, trees, .. } = self.search;
        Worker::new(game, evaluator, policy, options, &trees[if self.common { 0 } else { task as usize }])
    }

    /// The next task, if there is one.
    fn take(&self) -> Option<u32> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < self.tasks)
    }

    fn end_all(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn has_ended(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The loop of every thread but the first: runs tasks while there are any.
    fn help(&self, pause: u64) -> Done {
        let _alarm = Alarm(&self.stop);
        let mut done = Done::default();
        while let Some(task) = self.take() {
            let mut worker = self.worker(task);
            let stop = self.run(&mut worker, task, pause, &mut |_, _| None);
            // Separate trees go on, so that the result does not depend on which thread finishes first.
            if stop == Stop::Complete && self.common {
                self.end_all();
            }
            done.add(stop, &worker);
        }
        done
    }

    /// The loop of the first thread: runs tasks like the others, and also checks the clock and cancellation,
    /// until all threads have finished.
    fn lead<'s, 'e>(
        &'e self,
        scope: &'s Scope<'s, 'e>,
        others: Vec<ScopedJoinHandle<'s, Done>>,
        pause: u64,
        look: &mut Look<'_>,
    ) -> (Stop, Done) {
        let Search { game, evaluator, policy, options, budget, .. } = self.search;
        let _alarm = Alarm(&self.stop);
        let mut worker = self.worker(0);
        if options.parallel == Parallel::Leaf && options.threads > 1 {
            let rollout = rollout(game, evaluator, policy, options, evaluator.is_neutral());
            let most = budget.nodes.map_or(u64::MAX, |most| most.saturating_mul(FIRST));
            let helpers = options.threads.min(most_threads()) as usize - 1;
            let playouts = options.threads as usize - 1;
            worker.helpers = Some(Helpers::new(scope, rollout, playouts, helpers, most, &self.stop));
        }
        let mut stop = self.run(&mut worker, 0, pause, look);
        let mut done = Done::default();
        done.add(stop, &worker);
        // A proof ends the whole search where the result depends on timing anyway.
        let timed = self.iterations.is_none() && budget.nodes.is_none();
        if matches!(stop, Stop::Time | Stop::Cancelled) || stop == Stop::Complete && (self.common || timed) {
            self.end_all();
        }
        while let Some(task) = self.take() {
            let mut other = self.worker(task);
            let late = self.run(&mut other, task, pause, look);
            done.add(late, &other);
            if matches!(late, Stop::Time | Stop::Cancelled) {
                self.end_all();
                stop = if stop == Stop::Time { stop } else { late };
            }
        }
        while !self.has_ended() && others.iter().any(|other| !other.is_finished()) {
            if let Some(late) = look(&worker.counts, worker.tree) {
                self.end_all();
                stop = late;
            }
            std::thread::sleep(PAUSE);
        }
        for other in others {
            done.merge(&other.join().expect("a search thread"));
        }
        (if done.complete { Stop::Complete } else { stop }, done)
    }

    /// A task's share of a limit: the whole of it in a common tree.
    fn part(&self, limit: Option<u64>, task: u32) -> Option<u64> {
        let (task, tasks) = (u64::from(task), u64::from(self.tasks));
        limit.map(|most| if self.common { most } else { most / tasks + u64::from(task < most % tasks) })
    }

    /// Runs the simulations of a task until a limit is reached.
    fn run(&self, worker: &mut Worker<'_, G, E>, task: u32, pause: u64, look: &mut Look<'_>) -> Stop {
        let stop = self.simulate(worker, task, pause, look);
        worker.finish();
        stop
    }

    fn simulate(&self, worker: &mut Worker<'_, G, E>, task: u32, pause: u64, look: &mut Look<'_>) -> Stop {
        let Self { search, sampler, common, taken, .. } = self;
        let (iterations, nodes) = (self.part(self.iterations, task), self.part(search.budget.nodes, task));
        let (mut number, mut told, mut looked) = (0, 0, 0);
        // In a common tree the threads claim blocks of simulations; otherwise each task has its own count.
        let (mut mine, mut end) = (0, if *common { 0 } else { u64::MAX });
        loop {
            if mine == end {
                // A budget in nodes is checked after every simulation.
                let block = if nodes.is_some() { 1 } else { BLOCK };
                mine = taken.simulations.fetch_add(block, Ordering::Relaxed);
                end = mine + block;
                taken.nodes.fetch_add(worker.counts.nodes - told, Ordering::Relaxed);
                told = worker.counts.nodes;
            }
            if iterations.is_some_and(|most| mine >= most) {
                return Stop::Iterations;
            }
            if self.has_ended() {
                return Stop::Cancelled;
            }
            let states = |counts: &Counts| {
                let others = if *common { taken.nodes.load(Ordering::Relaxed) - told } else { 0 };
                others + counts.nodes
            };
            if nodes.is_some_and(|most| number > 0 && states(&worker.counts) >= most) {
                return Stop::Nodes;
            }
            let tree = worker.tree;
            if number % pause == 0 || worker.counts.nodes >= looked + LOOK_NODES {
                looked = worker.counts.nodes;
                if let Some(stop) = look(&worker.counts, tree) {
                    return stop;
                }
                // Visits are counted in 31 bits.
                if tree.node(ROOT).visits() > MOST_VISITS {
                    return Stop::Iterations;
                }
            }
            let most = nodes.map(|most| if number > 0 { most } else { most.saturating_mul(FIRST) });
            let mut halt = |counts: &Counts| {
                if self.has_ended() {
                    return Some(Stop::Cancelled);
                }
                let used_up = most.is_some_and(|most| states(counts) >= most);
                used_up.then_some(Stop::Nodes).or_else(|| look(counts, tree))
            };
            if let Err(stop) = worker.simulate(search.root, &mut sampler.stream(number, task), &mut halt) {
                return stop;
            }
            number += 1;
            mine += 1;
            if search.options.solver && is_proved(tree, search.game.range().width()) {
                return Stop::Complete;
            }
        }
    }
}

/// Combined results of some tasks.
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

/// Whether the value of the root is proved.
fn is_proved(tree: &Tree, width: f64) -> bool {
    tree.bounds(ROOT).is_some_and(|side| side.get(HI) - side.get(LO) <= SAME * width)
}

fn most_visited<G: Game>(tree: &Tree, game: &G, root: &G::State) -> Option<usize> {
    let children = tree.children(tree.node(ROOT)).filter(|_| game.turn(root) != Turn::Chance)?;
    let most = children.enumerate().max_by_key(|&(at, child)| (tree.node(child).visits(), usize::MAX - at));
    most.map(|(at, _)| at)
}
