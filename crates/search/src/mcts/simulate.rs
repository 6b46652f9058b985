//! One simulation, in the four steps of Monte Carlo tree search.
//!
//! 1. *Selection.* From the root, the bandit rule selects each player's action among the node's children, and
//!    chance selects each outcome, until a node is visited for the first time or cannot be expanded for lack
//!    of memory.
//! 2. *Expansion.* A node is expanded on its second visit: all actions together, many outcomes one by one.
//! 3. *Evaluation.* Playouts of some decisions, then the payoff or the evaluator.
//! 4. *Backup.* Every node on the path is updated with the value.
//!
//! The tree is closed-loop: outcomes are nodes of their own, so a list of actions always belongs to the dice
//! that were rolled. No order of players is assumed: the player to move at a node maximises or minimises
//! there.
//!
//! Each extension of the steps has its own file: `solver.rs`, `rave.rs`, `implicit.rs`.

use super::leaf::Helpers;
use super::options::{MctsOptions, Select};
use super::select::Arm;
use super::selection::Logarithms;
use super::solver::{Bounded, Contenders};
use super::tree::{Block, Index, Node, ROOT, Tree};
use crate::playout::{Playout, Rolled, Rollout};
use astragal_core::{Counts, Evaluator, Game, Interval, Player, Policy, Stop, Stream, Turn, Weighted};
use std::ops::Range;

/// Polled during long playouts with the counts so far; returns why to stop, if at all.
pub(super) type Halt<'h> = dyn FnMut(&Counts) -> Option<Stop> + 'h;

/// A node on the path of a simulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit<'t> {
    pub(super) index: Index,
    pub(super) node: &'t Node,
    /// The player to move; none at a chance node and after the end.
    pub(super) player: Option<Player>,
    /// The start of its actions or outcomes on the worker's stack, and their number.
    from: u32,
    count: u32,
}

impl Visit<'_> {
    /// The range of its actions or outcomes on the stack.
    #[inline]
    pub(super) fn listed(&self) -> Range<usize> {
        self.from as usize..(self.from + self.count) as usize
    }
}

/// One thread's access to a tree.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) evaluator: &'a E,
    pub(super) policy: Option<&'a dyn Policy<G>>,
    pub(super) options: &'a MctsOptions,
    pub(super) tree: &'a Tree,
    pub(super) counts: Counts,
    /// The most decisions on a path from the root to a leaf of the tree.
    pub(super) deepest: u32,
    pub(super) range: Interval,
    /// The selection rule, with its constant scaled to the game's range.
    pub(super) rule: Select,
    /// Whether selection depends on visits and means alone.
    pub(super) simple: bool,
    /// Whether nodes are updated with nothing but the value of a simulation.
    means_only: bool,
    pub(super) logarithms: Logarithms,
    pub(super) path: Vec<Visit<'a>>,
    /// The solver's data for each node of the path; empty without the solver.
    pub(super) known: Vec<Bounded>,
    /// The stacks of actions and outcomes of the nodes on the path.
    pub(super) actions: Vec<G::Action>,
    pub(super) outcomes: Vec<Weighted<G::Outcome>>,
    /// Every decision of the simulation, for RAVE.
    pub(super) rave_moves: Vec<(Player, G::Action)>,
    /// Scratch space of selection: the arms and the children they stand for; the most promising children
    /// under progressive widening, and the promise of all; the children that may be best by their proved
    /// bounds; and visits of outcomes.
    pub(super) arms: Vec<Arm>,
    pub(super) candidates: Vec<usize>,
    pub(super) ranked: Vec<u32>,
    pub(super) promises: Vec<f64>,
    pub(super) contenders: Contenders,
    pub(super) drawn: Vec<u32>,
    playout: Playout<G>,
    /// Whether the evaluator knows nothing.
    is_blind: bool,
    /// Nodes reserved for this thread.
    pub(super) block: Block,
    /// Threads that play out leaves along with this one.
    pub(super) helpers: Option<Helpers<'a, G, E>>,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    pub(super) fn new(
        game: &'a G,
        evaluator: &'a E,
        policy: Option<&'a dyn Policy<G>>,
        options: &'a MctsOptions,
        tree: &'a Tree,
    ) -> Self {
        let range = game.range();
        // Constants are for values in [−1, 1].
        let unit = 0.5 * range.width();
        let rule = match options.select {
            Select::Ucb1 { c } => Select::Ucb1 { c: c * unit },
            Select::Puct { c } => Select::Puct { c: c * unit },
            rule => rule,
        };
        Self {
            game,
            evaluator,
            policy,
            options,
            tree,
            counts: Counts::default(),
            deepest: 0,
            range,
            rule,
            simple: options.is_simple(),
            means_only: options.backs_up_means_only(),
            logarithms: Logarithms::new(),
            path: Vec::new(),
            known: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            rave_moves: Vec::new(),
            arms: Vec::new(),
            candidates: Vec::new(),
            ranked: Vec::new(),
            promises: Vec::new(),
            contenders: Contenders::default(),
            drawn: Vec::new(),
            playout: Playout::new(),
            is_blind: evaluator.is_neutral(),
            block: Block::default(),
            helpers: None,
        }
    }

    /// Expands the root before threads share it: a simulation that found it half expanded would yield nothing
    /// about any action.
    pub(super) fn prepare(&mut self, root: &G::State) {
        let turn = self.game.turn(root);
        let node = self.tree.node(ROOT);
        self.visit(ROOT, node, turn, root);
        if node.visits() == 0 {
            let value = self.keeps_values().then(|| self.heuristic(root));
            self.initialise(ROOT, value);
        }
        match turn {
            Turn::Decide(_) => self.list_actions(root),
            _ => self.list_outcomes(root),
        }
        if node.children().is_none() {
            self.expand(root);
        }
        self.path.clear();
        self.known.clear();
        self.finish();
    }

    /// Runs one simulation from the root. Long playouts poll `halt`; if one is abandoned, the simulation
    /// leaves no trace but its state count.
    pub(super) fn simulate(
        &mut self,
        root: &G::State,
        stream: &mut Stream,
        halt: &mut Halt<'_>,
    ) -> Result<(), Stop> {
        self.path.clear();
        self.known.clear();
        self.actions.clear();
        self.outcomes.clear();
        self.rave_moves.clear();
        let mut state = root.clone();
        let (mut index, mut node, mut decisions) = (ROOT, self.tree.node(ROOT), 0);
        let (mut value, mut narrowed) = loop {
            self.counts.nodes += 1;
            let turn = self.game.turn(&state);
            let first = self.enter(index, node) == 0;
            self.visit(index, node, turn, &state);
            if let Turn::Over(payoff) = turn {
                self.counts.leaves += 1;
                self.counts.finished += 1;
                break (payoff, first && self.narrow(index, Interval::point(payoff)));
            }
            let narrowed = first && self.known.last().is_some_and(|here| self.narrow(index, here.bounds));
            if let Some(value) = self.solved(index) {
                self.counts.leaves += 1;
                break (value, narrowed);
            }
            // 1. Selection, and 2. expansion on the second visit; the root is expanded on the first.
            let child = match turn {
                _ if first && index != ROOT => None,
                Turn::Decide(player) => {
                    decisions += 1;
                    self.select_action(player, &mut state, stream)
                }
                _ => self.select_outcome(&mut state, stream),
            };
            if let Some(child) = child {
                (index, node) = child;
                continue;
            }
            // 3. Evaluation.
            if let Some(value) = self.known.last().and_then(|here| here.instead) {
                break (value, narrowed);
            }
            match self.evaluate(&state, stream, halt) {
                Ok(value) => break (value, narrowed),
                Err(stop) => {
                    self.withdraw();
                    return Err(stop);
                }
            }
        };
        self.deepest = self.deepest.max(decisions);
        self.counts.simulations += 1;
        // 4. Backup.
        if self.options.rave > 0.0 {
            self.back_up_rave(value);
        }
        if self.means_only {
            self.back_up_mean(value);
        } else {
            for at in (0..self.path.len()).rev() {
                narrowed = self.back_up(at, &mut value, narrowed);
            }
        }
        Ok(())
    }

    /// Marks a virtual loss that other threads see until the simulation is backed up, and returns the visits
    /// before this one. The root needs no mark, because it is never selected.
    #[inline]
    fn enter(&self, index: Index, node: &Node) -> u32 {
        if index != ROOT {
            self.tree.enter(index);
        }
        node.visits()
    }

    /// Removes the virtual losses of a simulation that was backed up or abandoned.
    pub(super) fn withdraw(&self) {
        self.path[1..].iter().for_each(|visit| self.tree.leave(visit.index));
    }

    /// Adds a node to the path.
    #[inline]
    fn visit(&mut self, index: Index, node: &'a Node, turn: Turn, state: &G::State) {
        let player = if let Turn::Decide(player) = turn { Some(player) } else { None };
        self.path.push(Visit { index, node, player, from: 0, count: 0 });
        if self.options.solver {
            self.known.push(Bounded { bounds: self.game.bounds(state), instead: None });
        }
    }

    /// The last node of the path.
    #[inline]
    pub(super) fn here(&self) -> &Visit<'a> {
        self.path.last().expect("a simulation begins at the root")
    }

    /// Records the range of the actions or outcomes of the last node of the path.
    #[inline]
    fn list(&mut self, from: usize, to: usize) {
        let here = self.path.last_mut().expect("a simulation begins at the root");
        (here.from, here.count) = (from as u32, (to - from) as u32);
    }

    /// Pushes the actions of the last node of the path.
    #[inline]
    fn list_actions(&mut self, state: &G::State) {
        let from = self.actions.len();
        self.game.actions(state, &mut self.actions);
        self.list(from, self.actions.len());
    }

    /// Pushes the outcomes of the last node of the path.
    #[inline]
    pub(super) fn list_outcomes(&mut self, state: &G::State) {
        let from = self.outcomes.len();
        self.game.outcomes(state, &mut self.outcomes);
        self.list(from, self.outcomes.len());
    }

    /// Steps 1 and 2 at a decision node: the next child, with its action applied; none if the node cannot be
    /// expanded.
    fn select_action(
        &mut self,
        player: Player,
        state: &mut G::State,
        stream: &mut Stream,
    ) -> Option<(Index, &'a Node)> {
        self.list_actions(state);
        let visit = *self.here();
        let count = visit.count as usize;
        if visit.node.children().is_none() {
            self.expand(state);
        }
        let first = visit.node.first()?;
        let tried = match self.options.widening {
            Some(widening) => widening.limit(visit.node.visits()).min(count as u64) as usize,
            None => count,
        };
        self.ranked.clear();
        if tried < count {
            self.rank(&visit, state, tried);
        }
        let children = self.tree.siblings(first, count);
        let at = match tried {
            1 => self.ranked.first().map_or(0, |&at| at as usize),
            _ if self.simple && tried == count => self.select_simply(first, children, player),
            _ => self.select(visit.index, first, count, player, stream),
        };
        let action = self.actions[visit.from as usize + at];
        if self.options.rave > 0.0 {
            self.rave_moves.push((player, action));
        }
        self.game.apply(state, action);
        Some((first + at as u32, &children[at]))
    }

    /// Step 2: gives the last node of the path its children, or an edge list for them.
    pub(super) fn expand(&mut self, state: &G::State) {
        let visit = *self.here();
        let values_leaves = self.options.playout_moves == 0 || self.keeps_values();
        if visit.player.is_some() && values_leaves {
            self.evaluator.foresee(self.game, state, 1);
        }
        // Static values are computed first, because other threads may use them as soon as the node is open.
        let values = self.static_values(&visit, state);
        let (tree, this) = (self.tree, &*self);
        let initialise = |at: usize, child: Index| this.initialise(child, values.get(at).copied());
        let mut block = self.block;
        let count = visit.count as usize;
        match visit.player {
            Some(_) => tree.expand(&mut block, visit.index, count, initialise),
            None => tree.expand_chance(&mut block, visit.index, count, initialise),
        };
        self.block = block;
    }

    /// Initialises the optional data of a new child of the last node of the path: the bounds of that node,
    /// and the child's static value.
    pub(super) fn initialise(&self, child: Index, value: Option<f64>) {
        if let Some(here) = self.known.last() {
            self.set_bounds(child, here.bounds);
        }
        if let Some(value) = value {
            self.set_static(child, value);
        }
    }

    /// Step 3: the mean of the playouts from a state.
    fn evaluate(&mut self, state: &G::State, stream: &mut Stream, halt: &mut Halt<'_>) -> Result<f64, Stop> {
        let rollout = rollout(self.game, self.evaluator, self.policy, self.options, self.is_blind);
        let (moves, player, rave) = (&mut self.rave_moves, &mut self.playout, self.options.rave > 0.0);
        let counts = self.counts;
        let hear = |player: Player, action: G::Action| {
            if rave {
                moves.push((player, action));
            }
        };
        let ask = |states: u64| halt(&Counts { nodes: counts.nodes + states, ..counts });
        let played = match &self.helpers {
            None => rollout.value(player, state, stream, hear, ask).map(|rolled| (rolled, 1)),
            Some(helpers) => helpers.together(state, stream, player, hear, ask),
        };
        let (Ok((Rolled { states, .. }, _)) | Err((_, states))) = played;
        self.counts.nodes += states;
        let (Rolled { value, unevaluated, .. }, count) = played.map_err(|(stop, _)| stop)?;
        self.counts.leaves += u64::from(count * self.options.playouts.max(1));
        self.counts.unevaluated += u64::from(unevaluated);
        Ok(value)
    }

    /// Adds the nodes that this thread has created to the count of the tree.
    pub(super) fn finish(&mut self) {
        self.tree.count(&mut self.block);
    }
}

/// How the leaves of a tree are evaluated.
pub(super) fn rollout<'a, G: Game, E>(
    game: &'a G,
    evaluator: &'a E,
    policy: Option<&'a dyn Policy<G>>,
    options: &MctsOptions,
    is_blind: bool,
) -> Rollout<'a, G, E> {
    Rollout {
        game,
        evaluator,
        policy,
        follow: options.follow,
        moves: options.playout_moves,
        count: options.playouts,
        is_blind,
    }
}
