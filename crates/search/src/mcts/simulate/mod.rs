//! One simulation: down the tree, out of it, and back up.
//!
//! 1. *Selection.* From the root, each player's action is selected by the bandit rule among the children of the node, and
//!    each outcome by chance, until a node is met for the first time (or cannot be opened, for want of memory).
//! 2. *Expansion.* A node is opened when it is met for the second time: all actions at once, outcomes one by one.
//! 3. *Evaluation.* Playouts of some decisions, then the payoff or the evaluator.
//! 4. *Backup.* Every node on the path takes in the value; with other backups than the mean it takes that of its
//!    children; bounds and implicit values are carried up as far as they change.
//!
//! The tree is closed-loop: outcomes are nodes of their own, so a list of actions always belongs to the dice that were
//! thrown. No order of players is assumed: whoever decides at a node wants large or small values there.

mod backup;
mod choose;
mod hot;
#[cfg(test)]
mod tests;

use super::leaf::Helpers;
use super::options::{Backup, ChanceRule, MctsOptions, Select};
use super::select::Arm;
use super::tree::{Index, NONE, ROOT, Room, SIDE_BY_SIDE, Tree};
use crate::playout::{Guide, Playout};
use astragal_core::{Counts, Evaluator, Game, Interval, Player, Policy, Stream, Turn, Weighted, unit};
use hot::Hot;

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

/// A node on the path.
#[derive(Clone, Copy, Debug)]
struct Visit {
    index: Index,
    turn: Turn,
    /// Where its actions or outcomes begin on the stack, and how many there are.
    from: usize,
    count: usize,
    /// The bounds that the game knows.
    bounds: Interval,
    /// The value of the outcome that was drawn, if the simulation goes to another because this one is known.
    instead: Option<f64>,
    /// Where this thread keeps what it sees of the node, if its parent is busy.
    via: Option<usize>,
    /// Whether other threads were told that a simulation is below it.
    entered: bool,
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
    /// Whether squares of values are kept at every node.
    all_squares: bool,
    playout: Playout<G>,
    path: Vec<Visit>,
    actions: Vec<G::Action>,
    outcomes: Vec<Weighted<G::Outcome>>,
    arms: Vec<Arm>,
    /// The children that the arms stand for.
    places: Vec<usize>,
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
    via: Option<usize>,
    room: Room,
    /// Threads that play out leaves with this one.
    pub(super) helpers: Option<Helpers<G>>,
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
        let unit = if options.scaled { 0.5 * range.width() } else { 1.0 };
        let rule = match options.select {
            Select::Ucb1 { c } => Select::Ucb1 { c: c * unit },
            Select::Puct { c } => Select::Puct { c: c * unit },
            rule => rule,
        };
        let simple = !options.solver
            && options.implicit.max(options.rave).max(options.seeding).max(options.bias) <= 0.0
            && options.backup == Backup::Mean
            && matches!(rule, Select::Ucb1 { .. });
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
            all_squares: options.reuse || options.select == Select::Ucb1Tuned,
            simple,
            playout: Playout::new(),
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            arms: Vec::new(),
            places: Vec::new(),
            certain: Vec::new(),
            heard: Vec::new(),
            taken: Vec::new(),
            root: (0.0, 0.0, 0),
            hot: None,
            via: None,
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

    /// Tells the root of a shared tree what this thread has seen since the last time.
    pub(super) fn tell_root(&mut self) {
        let (sum, squares, visits) = std::mem::take(&mut self.root);
        if visits > 0 {
            self.tree.node(ROOT).add_many(sum, squares, visits);
        }
    }

    /// Whether this thread may keep what it sees of busy nodes to itself: if nothing but visits and means is asked of them.
    fn has_busy_nodes(&self) -> bool {
        self.tree.is_shared() && self.simple && self.options.widening.is_none()
    }

    /// What the root of a shared tree is worth by its children, which it was not told on the way.
    pub(super) fn settle_root(&mut self, root: &G::State) {
        if !self.tree.is_shared() || self.options.backup == Backup::Mean {
            return;
        }
        self.outcomes.clear();
        let turn = self.game.turn(root);
        if turn == Turn::Chance {
            self.game.outcomes(root, &mut self.outcomes);
        }
        let count = self.outcomes.len();
        let bounds = self.game.bounds(root);
        let visit =
            Visit { index: ROOT, turn, from: 0, count, bounds, instead: None, via: None, entered: false };
        if let Some(value) = self.combined(visit) {
            self.tree.node(ROOT).set_value(value);
        }
    }

    /// Tells a shared tree all that this thread has kept to itself.
    pub(super) fn finish(&mut self) {
        self.tell_root();
        if let Some(hot) = &mut self.hot {
            hot.tell(self.tree);
        }
        self.tree.count(&mut self.room);
    }

    /// Where this thread keeps the children of an open node, if it is busy; remembered for the way back.
    #[inline]
    fn slot(&mut self, index: Index, first: Index, count: usize) -> Option<usize> {
        let slot = self.hot.as_mut()?.slot(self.tree, index, first, count);
        self.via = slot;
        slot
    }

    /// One simulation from the root.
    pub(super) fn simulate(&mut self, root: &G::State, stream: &mut Stream) {
        if self.counts.simulations == SOLO && self.has_busy_nodes() {
            self.hot = Some(Hot::new());
        }
        self.path.clear();
        self.actions.clear();
        self.outcomes.clear();
        self.heard.clear();
        let mut state = root.clone();
        let mut index = ROOT;
        let mut decisions = 0;
        // Others are told that a simulation is under way: at every node, or where the path leaves the busy ones, for
        // below they seldom meet.
        let mut entering = self.tree.is_shared();
        let (mut value, mut changed) = loop {
            self.counts.nodes += 1;
            let node = self.tree.node(index);
            let turn = self.game.turn(&state);
            let via = self.via.take();
            let entered = entering && index != ROOT && via.is_none();
            if entered {
                node.enter();
                // A mark on an outcome keeps nobody away.
                let chosen = self.path.last().is_some_and(|above| above.turn != Turn::Chance);
                entering = self.hot.is_none() || !chosen;
            }
            let bounds = if self.options.solver { self.game.bounds(&state) } else { self.range };
            let mut visit = Visit { index, turn, from: 0, count: 0, bounds, instead: None, via, entered };
            let first = node.visits() == 0 && self.seen(index, via) == 0;
            if let Turn::Over(payoff) = turn {
                let changed = first && self.narrow(index, Interval::point(payoff));
                self.path.push(visit);
                self.counts.leaves += 1;
                break (payoff, changed);
            }
            let changed = first && self.narrow(index, bounds);
            if self.options.solver
                && let Some(value) = self.solved(index)
            {
                self.path.push(visit);
                self.counts.leaves += 1;
                break (value, changed);
            }
            let next = if first && !self.path.is_empty() {
                None
            } else if turn == Turn::Chance {
                self.outcome(&mut visit, &mut state, stream)
            } else {
                decisions += 1;
                self.action(&mut visit, &mut state, stream)
            };
            self.path.push(visit);
            match next {
                Some(child) if child != NONE => index = child,
                // There was no room to go where something could be learnt; what was drawn is known.
                _ if visit.instead.is_some() => break (visit.instead.unwrap_or_default(), changed),
                _ => break (self.evaluate(&state, stream), changed),
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
    }

    /// Steps 1 and 2 at a decision node: the child that is next, with its action applied; none if the node cannot be opened.
    fn action(&mut self, visit: &mut Visit, state: &mut G::State, stream: &mut Stream) -> Option<Index> {
        let Turn::Decide(player) = visit.turn else { unreachable!("only players act") };
        visit.from = self.actions.len();
        self.game.actions(state, &mut self.actions);
        visit.count = self.actions.len() - visit.from;
        let index = visit.index;
        if self.tree.node(index).children().is_none() && !self.open(visit, state) && !self.is_open_soon(index)
        {
            return None;
        }
        let (first, _) = self.tree.node(index).children()?;
        let room = match self.options.widening {
            Some(widening) => widening.room(self.tree.node(index).visits()).min(visit.count as u64) as usize,
            None => visit.count,
        };
        let at = if room == 1 { 0 } else { self.select(index, first, room, player, stream) };
        let action = self.actions[visit.from + at];
        if self.options.rave > 0.0 {
            self.heard.push((player, action));
        }
        self.game.apply(state, action);
        Some(first + at as u32)
    }

    /// Waits for another thread to open the root: a simulation that goes no further would tell nothing of any action.
    fn is_open_soon(&self, index: Index) -> bool {
        let node = self.tree.node(index);
        while index == ROOT && node.is_busy() {
            std::hint::spin_loop();
        }
        node.children().is_some()
    }

    /// Gives a chance node its children, or room for them.
    fn open_chance(&mut self, visit: &Visit, state: &G::State) -> bool {
        let tree = self.tree;
        let keeps_values = tree.values(ROOT).is_some();
        let mut values = Vec::new();
        if keeps_values && visit.count <= SIDE_BY_SIDE {
            for at in 0..visit.count {
                let mut next = state.clone();
                self.game.resolve(&mut next, self.outcomes[visit.from + at].item);
                values.push(self.heuristic(&next));
            }
        }
        let value = |at: usize| keeps_values.then(|| values[at]);
        let ready = |at: usize, child: Index| make_ready(tree, child, visit, value(at));
        tree.expand_chance(&mut self.room, visit.index, visit.count, ready)
    }

    /// Gives a decision node its children.
    fn open(&mut self, visit: &Visit, state: &G::State) -> bool {
        let tree = self.tree;
        // Static values are worked out before the node is opened, for other threads may use them at once.
        let keeps_values = tree.values(ROOT).is_some();
        let mut values = Vec::new();
        if keeps_values {
            for at in 0..visit.count {
                let mut next = state.clone();
                self.game.apply(&mut next, self.actions[visit.from + at]);
                values.push(self.heuristic(&next));
            }
        }
        let value = |at: usize| keeps_values.then(|| values[at]);
        let ready = |at: usize, child: Index| make_ready(tree, child, visit, value(at));
        tree.expand(&mut self.room, visit.index, visit.count, ready)
    }

    /// Steps 1 and 2 at a chance node: the child that is next, with its outcome resolved; [`NONE`] if there is no room for
    /// the outcome, none if the node cannot be opened.
    fn outcome(&mut self, visit: &mut Visit, state: &mut G::State, stream: &mut Stream) -> Option<Index> {
        visit.from = self.outcomes.len();
        self.game.outcomes(state, &mut self.outcomes);
        visit.count = self.outcomes.len() - visit.from;
        self.counts.samples += 1;
        let index = visit.index;
        if self.tree.node(index).children().is_none()
            && !self.open_chance(visit, state)
            && !self.is_open_soon(index)
        {
            return None;
        }
        let outcomes = &self.outcomes[visit.from..];
        // What is known needs no more visits, so visits say nothing of how often an outcome was drawn.
        let known = |(_, child): (usize, Index)| self.solved(child).is_some();
        let chance = match self.options.chance {
            ChanceRule::Even if self.options.solver && self.tree.edges(index).any(known) => {
                ChanceRule::Sample
            }
            rule => rule,
        };
        let mut at = match chance {
            ChanceRule::Sample => place_of(outcomes, unit(stream.bits())),
            ChanceRule::Even => {
                self.taken.clear();
                self.taken.resize(visit.count, 0);
                for (place, child) in self.tree.edges(index) {
                    let node = self.tree.node(child);
                    self.taken[place] = node.visits() + node.losses();
                }
                let lag = |at: usize| outcomes[at].weight / f64::from(self.taken[at] + 1);
                let mut most = 0;
                for at in 1..visit.count {
                    if lag(at) > lag(most) {
                        most = at;
                    }
                }
                most
            }
        };
        let mut child = self.child(index, at, visit.count);
        let outcomes = &self.outcomes[visit.from..];
        if child.is_none()
            && let Some(widening) = self.options.widening
        {
            let kept = self.tree.edges(index).count() as u64;
            if kept >= widening.room(self.tree.node(index).visits()) {
                if widening.unbiased {
                    self.game.resolve(state, outcomes[at].item);
                    return Some(NONE);
                }
                // One of those that are kept, by their probabilities among themselves.
                let all: f64 = self.tree.edges(index).map(|(place, _)| outcomes[place].weight).sum();
                let mut number = unit(stream.bits()) * all;
                for (place, kept) in self.tree.edges(index) {
                    (at, child) = (place, Some(kept));
                    number -= outcomes[place].weight;
                    if number < 0.0 {
                        break;
                    }
                }
            }
        }
        if self.options.solver
            && let Some(value) = child.and_then(|child| self.solved(child))
        {
            visit.instead = Some(value);
            let unknown = self.least_known(visit);
            (at, child) = (unknown, self.tree.child(index, unknown));
            // Widening may have no room for it.
            let room = self.options.widening.map(|widening| widening.room(self.tree.node(index).visits()));
            if child.is_none() && room.is_some_and(|room| self.tree.edges(index).count() as u64 >= room) {
                return Some(NONE);
            }
        }
        let outcomes = &self.outcomes[visit.from..];
        self.game.resolve(state, outcomes[at].item);
        if child.is_some() {
            return child;
        }
        let value = self.tree.values(index).is_some().then(|| self.heuristic(state));
        let tree = self.tree;
        let ready = |child: Index| make_ready(tree, child, visit, value);
        let made = tree.add_child(&mut self.room, index, at, visit.count, ready);
        made.or(Some(NONE))
    }

    /// The child of a chance node for an outcome, if it was drawn before.
    fn child(&mut self, index: Index, outcome: usize, outcomes: usize) -> Option<Index> {
        if self.hot.is_some()
            && outcomes <= SIDE_BY_SIDE
            && self.options.chance == ChanceRule::Sample
            && let Some((first, _)) = self.tree.node(index).children()
            && self.slot(index, first, outcomes).is_some()
        {
            // Nobody asks whether a child that lies beside the others was drawn before.
            return Some(first + outcome as u32);
        }
        self.tree.child(index, outcome)
    }

    /// Visits of a child of a busy node, as far as this thread knows.
    fn seen(&self, index: Index, via: Option<usize>) -> u32 {
        let (Some(hot), Some(slot)) = (&self.hot, via) else { return 0 };
        hot.visits(slot, index)
    }

    /// The outcome about which most is unknown, its probability counted.
    fn least_known(&self, visit: &Visit) -> usize {
        let outcomes = &self.outcomes[visit.from..visit.from + visit.count];
        let unknown = |at: usize| {
            let child = self.tree.child(visit.index, at).and_then(|child| self.tree.bounds(child));
            outcomes[at].weight * child.map_or(visit.bounds.width(), |side| side.get(HI) - side.get(LO))
        };
        let mut most = (0, f64::NEG_INFINITY);
        for at in 0..visit.count {
            let unknown = unknown(at);
            if unknown > most.1 {
                most = (at, unknown);
            }
        }
        most.0
    }

    /// Step 3: the mean of the playouts from a state.
    fn evaluate(&mut self, state: &G::State, stream: &mut Stream) -> f64 {
        let (game, evaluator, policy, options) = (self.game, self.evaluator, self.policy, self.options);
        let (heard, player, rave) = (&mut self.heard, &mut self.playout, options.rave > 0.0);
        let mut own = |stream: &mut Stream| {
            play_out(player, game, evaluator, policy, options, state, stream, |player, action| {
                if rave {
                    heard.push((player, action));
                }
            })
        };
        let (value, states) = match &self.helpers {
            None => own(stream),
            Some(helpers) => {
                let (sum, count, states) = helpers.together(state, stream, own);
                self.counts.leaves += u64::from((count - 1) * options.playouts.max(1));
                (sum / f64::from(count), states)
            }
        };
        self.counts.nodes += states;
        self.counts.leaves += u64::from(options.playouts.max(1));
        value
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

/// Gives a new node the bounds that the game knows of its parent, and its static value.
fn make_ready(tree: &Tree, child: Index, parent: &Visit, value: Option<f64>) {
    if let Some(side) = tree.bounds(child) {
        side.set(LO, parent.bounds.lo);
        side.set(HI, parent.bounds.hi);
    }
    if let (Some(side), Some(value)) = (tree.values(child), value) {
        side.set(IMPLICIT, value);
        side.set(STATIC, value);
    }
}

/// The mean of the playouts of a leaf, and the states that they visited.
#[expect(clippy::too_many_arguments, reason = "what a playout needs, from two kinds of threads")]
pub(super) fn play_out<G: Game, E: Evaluator<G>>(
    player: &mut Playout<G>,
    game: &G,
    evaluator: &E,
    policy: Option<&dyn Policy<G>>,
    options: &MctsOptions,
    leaf: &G::State,
    stream: &mut Stream,
    mut heard: impl FnMut(Player, G::Action),
) -> (f64, u64) {
    let guide = policy.map(|policy| Guide { policy, share: options.follow });
    let count = options.playouts.max(1);
    let (mut sum, mut states) = (0.0, 0);
    for _ in 0..count {
        let mut state = leaf.clone();
        let (turn, made) =
            player.run_with(game, &mut state, options.playout_moves, stream, guide, &mut heard);
        states += u64::from(made);
        sum += match turn {
            Turn::Over(payoff) => payoff,
            _ => game.bounds(&state).clamp(evaluator.value(game, &state)),
        };
    }
    (sum / f64::from(count), states)
}

/// The place of the outcome in whose share of [0, 1) the number falls.
fn place_of<T>(outcomes: &[Weighted<T>], number: f64) -> usize {
    let mut sum = 0.0;
    for (at, outcome) in outcomes.iter().enumerate() {
        sum += outcome.weight;
        if number < sum {
            return at;
        }
    }
    outcomes.len() - 1
}
