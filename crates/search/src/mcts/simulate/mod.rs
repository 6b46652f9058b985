//! One simulation: down the tree, out of it, and back up.
//!
//! 1. *Selection.* From the root, each player's action is selected by the bandit rule among the children of the node, and
//!    each outcome by chance, until a node is met for the first time (or cannot be opened, for want of memory).
//! 2. *Expansion.* A node is opened when it is met for the second time: all actions at once, outcomes one by one.
//! 3. *Evaluation.* Playouts of some decisions, then the payoff or the evaluator.
//! 4. *Backup.* Every node on the path takes in the value, or in plain searches every node that somebody chooses; with other
//!    backups than the mean it takes that of its children; bounds and implicit values are carried up as far as they
//!    change.
//!
//! The tree is closed-loop: outcomes are nodes of their own, so a list of actions always belongs to the dice that were
//! thrown. No order of players is assumed: whoever decides at a node wants large or small values there.

mod backup;
mod chance;
mod choose;
mod hot;
mod shared;
#[cfg(test)]
mod tests;

use super::leaf::Helpers;
use super::options::{MctsOptions, Select};
use super::parts::Pile;
use super::select::Arm;
use super::tree::{Index, NONE, ROOT, Room, Tree};
use crate::playout::{Playout, Rollout};
use astragal_core::{Counts, Evaluator, Game, Interval, Player, Policy, Stop, Stream, Turn, Weighted};
use choose::Logarithms;
use hot::Hot;
use std::ops::Range;

/// The cells of what is kept beside a node.
pub(super) const LO: usize = 0;
pub(super) const HI: usize = 1;
/// The implicit minimax value, and the static value.
pub(super) const IMPLICIT: usize = 0;
pub(super) const STATIC: usize = 1;

/// Bounds this close, as a share of the range, are one number: sums of weights round.
pub(super) const SAME: f64 = 1e-9;

/// Simulations of a thread before it keeps busy nodes in view: short searches have none. Fewer where every step is slow.
const SOLO: u64 = if cfg!(miri) { 4 } else { 64 };

/// Asked in long playouts, with the counts so far, why to give up, if so.
pub(super) type Halt<'h> = dyn FnMut(&Counts) -> Option<Stop> + 'h;

/// A node on the path.
#[derive(Clone, Copy, Debug)]
struct Visit {
    index: Index,
    /// Whether anybody asks what was seen of it, beyond the simulations that end there.
    asked: bool,
    /// Where its actions or outcomes begin on the stack, and how many there are.
    from: u32,
    count: u32,
    /// Where this thread keeps what it sees of the node, if its parent is busy.
    via: Option<u32>,
    /// Where it keeps what it sees of the children, if the node itself is busy, and where these begin.
    view: Option<(u32, Index)>,
    /// Visits before this one, as far as this thread knows.
    visits: u32,
    /// Who decides there; nobody where chance does, or the game is over.
    decides: Option<Player>,
    /// Whether other threads were told that a simulation is below it.
    entered: bool,
}

impl Visit {
    /// Where its actions or outcomes are on the stack.
    #[inline]
    fn listed(&self) -> Range<usize> {
        self.from as usize..(self.from + self.count) as usize
    }
}

/// What a search that proves bounds knows of a node on the path.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The bounds that the game knows.
    bounds: Interval,
    /// The value of the outcome that was drawn, if the simulation goes to another because this one is known.
    instead: Option<f64>,
}

/// One thread's hand on a tree.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) evaluator: &'a E,
    pub(super) policy: Option<&'a dyn Policy<G>>,
    pub(super) options: &'a MctsOptions,
    pub(super) tree: &'a Tree,
    pub(super) counts: Counts,
    /// The most decisions from the root to a leaf of the tree.
    pub(super) deepest: u32,
    range: Interval,
    /// The selection rule, for values in the game's range.
    rule: Select,
    /// Whether nothing but visits and means counts in selection.
    simple: bool,
    logarithms: Logarithms,
    playout: Playout<G>,
    path: Vec<Visit>,
    /// What is known of the nodes on the path, if bounds are proved, and of the one that is next.
    known: Vec<Known>,
    actions: Vec<G::Action>,
    outcomes: Vec<Weighted<G::Outcome>>,
    arms: Vec<Arm>,
    /// The children that the arms stand for.
    places: Vec<usize>,
    /// The most promising children, while progressive widening leaves some out; otherwise empty.
    ranked: Vec<usize>,
    /// The proved bounds of all children, from the side of who decides.
    certain: Vec<(f64, f64)>,
    /// Every decision of the simulation, for RAVE.
    heard: Vec<(Player, G::Action)>,
    /// How often each outcome of a node was taken.
    taken: Vec<u32>,
    /// What the root has not been told yet: the sum of values and of their squares, and visits.
    root: (f64, f64, u32),
    /// The busy nodes of a shared tree, and where the next node is among them.
    hot: Option<Hot>,
    via: Option<u32>,
    /// Visits of the next node or, if it was not told of them, of the one above it that was.
    near: u32,
    /// Whether anybody asks what was seen of the next node.
    asked: bool,
    /// The part that the first throw is from, in a tree that is shared.
    part: Option<usize>,
    /// How many simulations of it are left.
    part_left: u64,
    /// Whether this simulation's first throw was from it.
    placed: bool,
    /// Whether the root itself is a throw, and what was seen of it in this part and not told yet.
    root_is_thrown: bool,
    root_part: Pile,
    room: Room,
    /// Threads that play out leaves with this one.
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
            logarithms: Logarithms::new(),
            playout: Playout::new(),
            path: Vec::new(),
            known: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            arms: Vec::new(),
            places: Vec::new(),
            ranked: Vec::new(),
            certain: Vec::new(),
            heard: Vec::new(),
            taken: Vec::new(),
            root: (0.0, 0.0, 0),
            hot: None,
            via: None,
            near: 0,
            asked: true,
            part: None,
            part_left: 0,
            placed: false,
            root_is_thrown: false,
            root_part: Pile::default(),
            room: Room::default(),
            helpers: None,
        }
    }

    /// Makes the root ready.
    pub(super) fn prepare(&mut self, root: &G::State) {
        if let Some(side) = self.tree.bounds(ROOT)
            && self.tree.node(ROOT).visits() == 0
        {
            let bounds = self.game.bounds(root);
            side.set(LO, bounds.lo);
            side.set(HI, bounds.hi);
        }
        if self.tree.node(ROOT).visits() == 0 && self.tree.values(ROOT).is_some() {
            let value = self.heuristic(root);
            self.set_static(ROOT, value);
        }
    }

    /// One simulation from the root. Long playouts ask `halt` whether to give up; then the simulation leaves no trace but
    /// its states.
    pub(super) fn simulate(
        &mut self,
        root: &G::State,
        stream: &mut Stream,
        halt: &mut Halt<'_>,
    ) -> Result<(), Stop> {
        if self.counts.simulations == SOLO && self.has_busy_nodes() {
            self.divide(root);
        }
        self.placed = false;
        // The last simulation may have ended where it asked for no more.
        self.asked = true;
        self.path.clear();
        self.known.clear();
        self.actions.clear();
        self.outcomes.clear();
        self.heard.clear();
        let mut state = root.clone();
        let mut index = ROOT;
        let mut decisions = 0;
        let shared = self.tree.is_shared();
        let (mut value, mut changed) = loop {
            self.counts.nodes += 1;
            let node = self.tree.node(index);
            let turn = self.game.turn(&state);
            let via = self.via.take();
            // Others are told that a simulation is under way if they ask, except where this thread keeps to itself what it
            // sees.
            let asked = std::mem::replace(&mut self.asked, true);
            let entered = shared && asked && index != ROOT && via.is_none();
            let (visits, view) = if asked {
                let visits = if entered { node.enter() } else { self.seen(index, via) };
                self.near = if index == ROOT { u32::MAX } else { visits };
                (visits, self.in_view(index))
            } else {
                // What is in view was visited.
                let view = self.in_view(index);
                (if view.is_some() { self.near } else { node.visits() }, view)
            };
            if self.options.solver {
                self.known.push(Known { bounds: self.game.bounds(&state), instead: None });
            }
            let mut visit =
                Visit { index, asked, from: 0, count: 0, via, view, visits, decides: decides(turn), entered };
            let first = visits == 0;
            if let Turn::Over(payoff) = turn {
                let changed = first && self.narrow(index, Interval::point(payoff));
                self.path.push(visit);
                self.counts.leaves += 1;
                break (payoff, changed);
            }
            let changed = first && self.narrow(index, self.bounds());
            if self.options.solver
                && let Some(value) = self.solved(index)
            {
                self.path.push(visit);
                self.counts.leaves += 1;
                break (value, changed);
            }
            let next = if first && !self.path.is_empty() {
                None
            } else if let Some(player) = visit.decides {
                decisions += 1;
                self.action(&mut visit, player, &mut state, stream)
            } else {
                self.outcome(&mut visit, &mut state, stream)
            };
            self.path.push(visit);
            match next {
                Some(child) if child != NONE => index = child,
                // There was no room to go where something could be learnt; what was drawn is known.
                _ => match self.known.last().and_then(|known| known.instead) {
                    Some(value) => break (value, changed),
                    None => match self.evaluate(&state, stream, halt) {
                        Ok(value) => break (value, changed),
                        Err(stop) => {
                            self.withdraw();
                            return Err(stop);
                        }
                    },
                },
            }
        };
        let result = value;
        self.deepest = self.deepest.max(decisions);
        self.counts.simulations += 1;
        for at in (0..self.path.len()).rev() {
            changed = self.back_up(at, &mut value, changed);
        }
        if self.options.rave > 0.0 {
            self.back_up_rave(result);
        }
        Ok(())
    }

    /// Takes back the virtual losses of a simulation that was given up.
    fn withdraw(&mut self) {
        for visit in self.path.iter().filter(|visit| visit.entered) {
            self.tree.node(visit.index).leave();
        }
    }

    /// Steps 1 and 2 at a decision node: the child that is next, with its action applied; none if the node cannot be opened.
    fn action(
        &mut self,
        visit: &mut Visit,
        player: Player,
        state: &mut G::State,
        stream: &mut Stream,
    ) -> Option<Index> {
        visit.from = self.actions.len() as u32;
        self.game.actions(state, &mut self.actions);
        visit.count = self.actions.len() as u32 - visit.from;
        let count = visit.count as usize;
        let index = visit.index;
        self.asked = self.tree.tells(index, count);
        let mut first = self.first(visit);
        if first.is_none() && (self.open(visit, state) || self.is_open_soon(index)) {
            first = self.first(visit);
        }
        let first = first?;
        let room = match self.options.widening {
            Some(widening) => widening.room(self.tree.node(index).visits()).min(count as u64) as usize,
            None => count,
        };
        self.ranked.clear();
        if room < count {
            self.rank(visit, state, room);
        }
        let at = if room > 1 {
            self.select(index, first, count, player, stream)
        } else if room < count {
            self.ranked[0]
        } else {
            if self.asked && visit.view.is_none() {
                self.admit(index, visit.visits, first, 1);
            }
            0
        };
        let action = self.actions[visit.from as usize + at];
        if self.options.rave > 0.0 {
            self.heard.push((player, action));
        }
        self.game.apply(state, action);
        Some(first + at as u32)
    }

    /// Gives a decision node its children.
    fn open(&mut self, visit: &Visit, state: &G::State) -> bool {
        let tree = self.tree;
        // Static values are worked out before the node is opened, for other threads may use them at once.
        let keeps_values = tree.values(ROOT).is_some();
        let mut values = Vec::new();
        if keeps_values {
            for at in visit.listed() {
                let mut next = state.clone();
                self.game.apply(&mut next, self.actions[at]);
                values.push(self.heuristic(&next));
            }
        }
        let value = |at: usize| keeps_values.then(|| values[at]);
        let bounds = self.bounds();
        let ready = |at: usize, child: Index| make_ready(tree, child, bounds, value(at));
        tree.expand(&mut self.room, visit.index, visit.count as usize, ready)
    }

    /// Step 3: the mean of the playouts from a state.
    fn evaluate(&mut self, state: &G::State, stream: &mut Stream, halt: &mut Halt<'_>) -> Result<f64, Stop> {
        let rollout = rollout(self.game, self.evaluator, self.policy, self.options);
        let (heard, player, rave) = (&mut self.heard, &mut self.playout, self.options.rave > 0.0);
        let counts = self.counts;
        let hear = |player: Player, action: G::Action| {
            if rave {
                heard.push((player, action));
            }
        };
        let ask = |states: u64| halt(&Counts { nodes: counts.nodes + states, ..counts });
        let played = match &self.helpers {
            None => rollout.value(player, state, stream, hear, ask).map(|(value, states)| (value, 1, states)),
            Some(helpers) => helpers.together(state, stream, player, hear, ask),
        };
        let (Ok((_, _, states)) | Err((_, states))) = played;
        self.counts.nodes += states;
        let (sum, count, _) = played.map_err(|(stop, _)| stop)?;
        self.counts.leaves += u64::from(count * self.options.playouts.max(1));
        Ok(sum / f64::from(count))
    }

    /// The bounds that the game knows of the node that is next.
    fn bounds(&self) -> Interval {
        self.known.last().map_or(self.range, |known| known.bounds)
    }

    /// The static value of a state: of a chance state the mean over its outcomes.
    fn heuristic(&mut self, state: &G::State) -> f64 {
        match self.game.turn(state) {
            Turn::Over(payoff) => payoff,
            Turn::Decide(_) => self.game.bounds(state).clamp(self.evaluator.value(self.game, state)),
            Turn::Chance => {
                let from = self.outcomes.len();
                self.game.outcomes(state, &mut self.outcomes);
                let mut sum = 0.0;
                for at in from..self.outcomes.len() {
                    let Weighted { item, weight } = self.outcomes[at];
                    let mut next = state.clone();
                    self.game.resolve(&mut next, item);
                    sum += weight * self.heuristic(&next);
                }
                self.outcomes.truncate(from);
                sum
            }
        }
    }

    fn set_static(&self, index: Index, value: f64) {
        if let Some(side) = self.tree.values(index) {
            side.set(IMPLICIT, value);
            side.set(STATIC, value);
        }
    }
}

/// Who decides, if a player does.
fn decides(turn: Turn) -> Option<Player> {
    if let Turn::Decide(player) = turn { Some(player) } else { None }
}

/// Gives a new node the bounds that the game knows of its parent, and its static value.
fn make_ready(tree: &Tree, child: Index, bounds: Interval, value: Option<f64>) {
    if let Some(side) = tree.bounds(child) {
        side.set(LO, bounds.lo);
        side.set(HI, bounds.hi);
    }
    if let (Some(side), Some(value)) = (tree.values(child), value) {
        side.set(IMPLICIT, value);
        side.set(STATIC, value);
    }
}

/// How the leaves of a tree are valued.
pub(super) fn rollout<'a, G: Game, E>(
    game: &'a G,
    evaluator: &'a E,
    policy: Option<&'a dyn Policy<G>>,
    options: &MctsOptions,
) -> Rollout<'a, G, E> {
    Rollout {
        game,
        evaluator,
        policy,
        follow: options.follow,
        moves: options.playout_moves,
        count: options.playouts,
    }
}
