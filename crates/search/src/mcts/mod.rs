//! Monte Carlo tree search: one search with exchangeable components.
//!
//! It covers the MCTS and the double progressive widening of *Monte Carlo \*-Minimax Search* (section 2.2),
//! the players UCT, UCT_H, UCTMAX_H and ε-greedy UCT of *Understanding Sampling-Based Adversarial Search*
//! (sections 2.4.3 to 2.4.5, 3.2.5, 5.2.2) and the worked examples of the lectures. It adds other bandit
//! rules, implicit minimax backups, proved bounds that are valid at chance nodes, and three ways to use
//! several threads.
//!
//! A search with a budget in iterations or nodes is a pure function of its arguments, also with several
//! threads that have separate trees (`Parallel::Root`) or play out the same leaf (`Parallel::Leaf`). Threads
//! that share a tree (`Parallel::Tree`) are not repeatable and have not proved stronger.
//!
//! Where the thesis's listing of UCT (algorithm 2.3) is incomplete: untried actions come first, a leaf
//! updates its own statistics, and the minimax backup takes the best *mean* of the children.

mod arena;
mod backup;
mod chance;
mod implicit;
mod leaf;
pub(crate) mod listing;
mod node;
mod options;
mod parallel;
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

pub use options::{Backup, ChanceRule, Choice, MctsOptions, Parallel, Select, Widening};
pub use select::ucb1;

use astragal_core::{
    Branch, Budget, Counts, Evaluator, Game, Limit, Policy, Report, Searcher, Stop, Turn, Watch, Weighted,
};
use parallel::{Crew, Search};
use report::{branch, report};
use std::sync::Arc;
use tree::{Index, Keep, ROOT, Tree};

/// How deep below the old root to look for the new one; decisions and chance nodes both count.
const REUSE_DEPTH: u32 = 6;

/// Configured Monte Carlo tree search. Without a budget in iterations, nodes or time it runs 10 000
/// simulations.
pub struct Mcts<G: Game, E> {
    evaluator: E,
    policy: Option<Arc<dyn Policy<G>>>,
    options: MctsOptions,
    /// The root and the trees of the last search.
    kept: Option<(G::State, Vec<Tree>)>,
}

/// A clone has the same configuration, but no tree.
impl<G: Game, E: Clone> Clone for Mcts<G, E> {
    fn clone(&self) -> Self {
        let (evaluator, policy) = (self.evaluator.clone(), self.policy.clone());
        Self { evaluator, policy, options: self.options, kept: None }
    }
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// A search that applies this evaluator where playouts are cut off.
    #[must_use]
    pub fn with_options(evaluator: E, options: MctsOptions) -> Self {
        Self { evaluator, policy: None, options, kept: None }
    }

    pub(crate) fn options_mut(&mut self) -> &mut MctsOptions {
        &mut self.options
    }

    /// Makes playouts follow a policy.
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

    /// The trees of a new search: empty, or the subtrees of the last search below this root.
    fn plant(&mut self, game: &G, root: &G::State) -> Vec<Tree> {
        let o = &self.options;
        let count = if o.parallel == Parallel::Root { o.threads.max(1) } else { 1 };
        let shared = o.parallel == Parallel::Tree && o.threads > 1;
        // During the copy an old tree and its successor both exist.
        let share = if o.reuse { 2 } else { 1 };
        let limit = ((o.memory_mib as usize) << 20) / count as usize / share;
        let kept = self.kept.take().filter(|_| o.reuse);
        let keep = self.keep();
        let mut old = kept.and_then(|(old, trees)| {
            // All trees grew from the same root, so the new root is in every tree that has visited it.
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

/// Finds the node of a state below a node, if the tree contains it.
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
        let Self { evaluator, policy, options, .. } = &*self;
        let search =
            Search { game, root, evaluator, policy: policy.as_deref(), options, budget, trees: &trees };
        let (stop, counts, depth) = Crew::new(search, seed).grow(watch);
        let report = report(game, root, &trees, &self.options, stop, counts, depth);
        self.kept = Some((root.clone(), trees));
        report
    }

    fn tree(&self, game: &G, depth: u32, visits: u64) -> Option<Branch<G::Action, G::Outcome>> {
        let (root, trees) = self.kept.as_ref()?;
        // The first of several trees stands for all: they are alike.
        Some(branch(game, trees.first()?, ROOT, root, depth, visits))
    }
}
