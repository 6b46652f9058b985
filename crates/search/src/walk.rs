//! The state shared by every recursion of the family: the game, the stacks, the counts and the limits.
//!
//! Actions, outcomes and bounds of the nodes on the current path lie on one stack each, so that a node
//! allocates nothing. A subtree that is interrupted is an `Err(Stopped)`, never a number.

use crate::limits::{Limits, Stopped};
use crate::options::{Options, TableUse};
use crate::outcomes::Outcomes;
use crate::probcut::ProbCut;
use crate::table::{Memory, View};
use crate::threads::Thread;
use crate::variation::Variation;
use astragal_core::{Counts, Evaluator, Game, Interval, Luck, Player, Stop, Turn, Watch, Weighted, estimate};

/// A node of the recursion.
#[derive(Clone, Copy)]
pub(crate) struct Node<P> {
    /// Remaining depth, in decisions.
    pub(crate) depth: u32,
    /// The position of the node, as far as samples depend on it.
    pub(crate) place: P,
    /// The slot for its best continuation.
    pub(crate) slot: crate::variation::Slot,
}

/// The results of probing a decision state; the search of the state continues where they stopped.
#[derive(Clone, Copy)]
pub(crate) struct Probed {
    /// The number of actions probed, in search order.
    pub(crate) count: u32,
    /// The table's best action at that time, which was tried first.
    pub(crate) remembered: Option<u16>,
    /// Bounds of the best value. A probe under a window may have found no more than a bound.
    best: Interval,
    /// The index of the best action so far, and the value that its search returned.
    pub(crate) choice: Option<(usize, f64)>,
    /// Whether the results depend on an estimate of an unfinished state.
    pub(crate) incomplete: bool,
}

impl Probed {
    /// No probes yet: every value is an improvement for the player.
    #[inline]
    pub(crate) fn nothing(player: Player, remembered: Option<u16>) -> Self {
        Self { count: 0, remembered, best: Interval::point(worst(player)), choice: None, incomplete: false }
    }

    /// Adds a probe of one more action, which returned this value under this window.
    #[inline]
    pub(crate) fn add(
        &mut self,
        player: Player,
        index: usize,
        window: Interval,
        value: f64,
        incomplete: bool,
    ) {
        self.count += 1;
        self.incomplete |= incomplete;
        if self.choice.is_none_or(|(_, best)| player.prefers(value, best)) {
            self.choice = Some((index, value));
        }
        let value = window.verdict(value, &Interval::WHOLE);
        self.best = match player {
            Player::Max => Interval { lo: self.best.lo.max(value.lo), hi: self.best.hi.max(value.hi) },
            Player::Min => Interval { lo: self.best.lo.min(value.lo), hi: self.best.hi.min(value.hi) },
        };
    }

    /// The best value so far as a search under this window would have found it. None if the window requires
    /// more than the probes know: theirs was wider, but rounding may have moved an end.
    #[inline]
    pub(crate) fn best_within(&self, window: Interval) -> Option<f64> {
        self.best.answers(&window)
    }
}

/// What is known about a state before it is searched.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    /// Bounds of its value, if they were computed before.
    pub(crate) bounds: Option<Interval>,
    /// The results of probing it, if any.
    pub(crate) probed: Option<Probed>,
}

/// The least depth at which actions are ordered by the outlook of the states after them. Nearer to the leaves
/// that costs more than it saves.
const LOOKS: u32 = 2;

/// A running search.
pub(crate) struct Walk<'a, G: Game, E, C> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    pub(crate) chance: C,
    pub(crate) options: &'a Options,
    /// Forward pruning, if enabled.
    pub(crate) cuts: Option<&'a ProbCut>,
    /// The least remaining depth at which to prune.
    pub(crate) prune_from: u32,
    pub(crate) table: View<'a>,
    pub(crate) thread: Thread,
    pub(crate) actions: Vec<G::Action>,
    pub(crate) order: Vec<u32>,
    pub(crate) children: Vec<G::State>,
    ranks: Vec<(f64, i32)>,
    /// The uncertainty of each child of a chance node, while the children are ordered.
    pub(crate) doubts: Vec<f64>,
    pub(crate) outcomes: Vec<Weighted<G::Outcome>>,
    pub(crate) bounds: Vec<Interval>,
    pub(crate) probed: Vec<Option<Probed>>,
    pub(crate) variation: Variation<G::Action, G::Outcome>,
    pub(crate) counts: Counts,
    /// Whether an unfinished state was evaluated since this was last cleared.
    pub(crate) incomplete: bool,
    limits: Limits<'a>,
}

impl<'a, G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'a, G, E, C> {
    pub(crate) fn new(
        game: &'a G,
        evaluator: &'a E,
        chance: C,
        options: &'a Options,
        memory: &'a Memory,
        thread: Thread,
        limits: Limits<'a>,
    ) -> Self {
        let prune_from = match options.prune_from {
            0 if evaluator.is_quick() || !options.horizon => 3,
            0 => 1,
            depth => depth,
        };
        Self {
            game,
            evaluator,
            chance,
            options,
            cuts: None,
            prune_from,
            table: memory.view(),
            thread,
            actions: Vec::with_capacity(1024),
            order: Vec::with_capacity(1024),
            children: Vec::with_capacity(1024),
            ranks: Vec::with_capacity(64),
            doubts: Vec::with_capacity(64),
            outcomes: Vec::with_capacity(1024),
            bounds: Vec::with_capacity(1024),
            probed: Vec::with_capacity(1024),
            variation: Variation::new(),
            counts: Counts::default(),
            incomplete: false,
            limits,
        }
    }

    /// Lets the budget end the search from here on.
    pub(crate) fn arm(&mut self) {
        self.limits.arm();
    }

    /// Prepares a search of this depth.
    pub(crate) fn begin(&mut self, deepest: u32) {
        if self.chance.begin(deepest) {
            self.table.for_depth(deepest);
        }
    }

    pub(crate) fn watch(&mut self) -> &mut dyn Watch {
        self.limits.watch()
    }

    /// Counts a node, and checks the limits from time to time.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<(), Stopped> {
        self.enter_all(1)
    }

    /// [`Walk::enter`] for several nodes.
    #[inline]
    pub(crate) fn enter_all(&mut self, nodes: u64) -> Result<(), Stopped> {
        let after = self.counts.nodes + nodes;
        self.limits.pass(after)?;
        self.counts.nodes = after;
        Ok(())
    }

    /// Checks the limits, given the number of nodes to be reached.
    pub(crate) fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.limits.check(nodes)
    }

    /// Why the search was stopped.
    pub(crate) fn stopped(&self) -> Stop {
        self.limits.reason()
    }

    /// The payoff of a finished game.
    #[inline]
    pub(crate) fn finished(&mut self, payoff: f64) -> f64 {
        self.counts.leaves += 1;
        self.counts.finished += 1;
        payoff
    }

    /// The evaluator's estimate of a decision state at the depth limit, within the bounds of the state.
    #[inline]
    pub(crate) fn estimate(&mut self, state: &G::State) -> f64 {
        self.counts.leaves += 1;
        self.incomplete = true;
        estimate(self.game, self.evaluator, state)
    }

    /// Pushes the outcome set of a chance node and returns where it begins.
    #[inline]
    pub(crate) fn push_outcomes(&mut self, state: &G::State, node: Node<C::Place>) -> usize {
        let from = self.outcomes.len();
        let draws = self.chance.fill(self.game, state, node.depth, node.place, &mut self.outcomes);
        self.counts.samples += draws;
        // Draws also take time.
        self.limits.hurry(draws);
        debug_assert!(self.outcomes.len() > from, "contract: a chance state offers no outcome");
        from
    }

    /// The state after the outcome at this index of the stack.
    #[inline]
    pub(crate) fn resolved(&self, state: &G::State, at: usize) -> G::State {
        let mut child = state.clone();
        self.game.resolve(&mut child, self.outcomes[at].item);
        child
    }

    /// The node after the outcome with this index.
    #[inline]
    pub(crate) fn after_outcome(node: Node<C::Place>, index: usize, main: bool) -> Node<C::Place> {
        let slot = if main { node.slot.next() } else { crate::variation::Slot::NONE };
        Node { depth: node.depth, place: C::step(node.place, index), slot }
    }

    /// The node after the action with this index.
    #[inline]
    pub(crate) fn after_action(node: Node<C::Place>, index: usize) -> Node<C::Place> {
        Node { depth: node.depth - 1, place: C::step(node.place, index), slot: node.slot.next() }
    }

    /// The index, relative to `from`, of the most likely outcome on the stack from there on; ties go to the
    /// first.
    pub(crate) fn likeliest(&self, from: usize) -> usize {
        let outcomes = &self.outcomes[from..];
        (1..outcomes.len())
            .fold(0, |best, i| if outcomes[i].weight > outcomes[best].weight { i } else { best })
    }

    /// The outcome to search at this rank, of `count`. Threads start at different positions and go in
    /// different directions, so that they meet work that others have already done.
    #[inline]
    pub(crate) fn nth_outcome(&self, rank: usize, count: usize) -> usize {
        let Thread { at, of } = self.thread;
        if at == 0 {
            return rank;
        }
        let start = count * (at / 2) as usize / of.div_ceil(2) as usize;
        let way = if at.is_multiple_of(2) { rank } else { count - 1 - rank };
        (start + way) % count
    }

    /// Searches the successors of the outcomes from `from` on in this thread's own order, only to fill the
    /// table: the search in outcome order that follows finds the results there.
    #[cold]
    #[inline(never)]
    pub(crate) fn go_another_way(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        from: usize,
        search: impl Fn(&mut Self, &G::State, Node<C::Place>) -> Result<f64, Stopped>,
    ) -> Result<(), Stopped> {
        let count = self.outcomes.len() - from;
        for rank in 0..count {
            let index = self.nth_outcome(rank, count);
            let child = self.resolved(state, from + index);
            search(self, &child, Self::after_outcome(node, index, false))?;
        }
        Ok(())
    }

    /// Pushes the actions of a decision state, and their indices in search order: first the table's best
    /// action, then by the outlook of the states after them and by promise, then in the game's order. Returns
    /// where both begin.
    pub(crate) fn push_actions(
        &mut self,
        state: &G::State,
        player: Player,
        depth: u32,
        probed: &Probed,
    ) -> (usize, usize) {
        let (from, first) = (self.actions.len(), self.order.len());
        self.game.actions(state, &mut self.actions);
        let count = self.actions.len() - from;
        assert!(count > 0, "contract: no action in {state:?}");
        // With two actions, knowing the first leaves nothing to order.
        let leads = match *probed {
            Probed { count: 1, choice: Some((index, _)), .. } => Some(index as u32),
            _ => probed.remembered.map(u32::from),
        };
        if let (2, Some(index @ 0..=1)) = (count, leads) {
            self.order.extend([index, 1 - index]);
            return (from, first);
        }
        self.order.extend(0..count as u32);
        if self.options.order && count > 1 {
            self.rank_actions(state, player, depth, from, first);
        }
        if let Some(best) = probed.remembered
            && let Some(at) = self.order[first..].iter().position(|&index| index == u32::from(best))
        {
            self.order[first..=first + at].rotate_right(1);
        }
        (from, first)
    }

    /// Sorts the indices of the actions of a node by rank.
    fn rank_actions(&mut self, state: &G::State, player: Player, depth: u32, from: usize, first: usize) {
        let (count, ranks) = (self.actions.len() - from, self.ranks.len());
        for index in 0..count {
            self.ranks.push((0.0, self.game.promise(state, self.actions[from + index])));
        }
        if self.options.horizon && depth >= LOOKS && self.game.has_chance() {
            for index in 0..count {
                let Some(look) = self.look(&self.applied(state, from, index)) else {
                    // Ranks are comparable only if all states have an outlook.
                    self.ranks[ranks..].iter_mut().for_each(|rank| rank.0 = 0.0);
                    break;
                };
                self.ranks[ranks + index].0 = player.sign() * look;
            }
        }
        // Insertion sort: stable, and fast for the few actions of most games.
        let (ranks_of, order) = (&self.ranks[ranks..], &mut self.order[first..]);
        for i in 1..count {
            let mut at = i;
            while at > 0 && ranks_of[order[at - 1] as usize] < ranks_of[order[at] as usize] {
                order.swap(at - 1, at);
                at -= 1;
            }
        }
        self.ranks.truncate(ranks);
    }

    /// The value of a state before any decision is searched, if the evaluator provides one.
    fn look(&self, state: &G::State) -> Option<f64> {
        match self.game.turn(state) {
            Turn::Over(payoff) => Some(payoff),
            _ => self.foreseen(state, 0, Self::LUCK).map(|outlook| outlook.middle()),
        }
    }

    /// Pops the actions of a node from both stacks.
    #[inline]
    pub(crate) fn pop_actions(&mut self, (from, first): (usize, usize)) {
        self.actions.truncate(from);
        self.order.truncate(first);
    }

    /// The state after the action with this index, given where the actions begin.
    #[inline]
    pub(crate) fn applied(&self, state: &G::State, from: usize, index: usize) -> G::State {
        let mut child = state.clone();
        self.game.apply(&mut child, self.actions[from + index]);
        child
    }

    /// Whether the table may return a value at this depth. Nearer to the leaves a lookup costs more than it
    /// saves.
    #[inline]
    pub(crate) fn table_answers(&self, depth: u32) -> bool {
        depth >= 2 && self.options.table == TableUse::Values
    }

    /// The luck that bounds must allow for.
    const LUCK: Luck = if C::EXACT { Luck::Fair } else { Luck::Any };

    /// The evaluator's bounds of the value of a state at this depth, if it provides any.
    #[inline]
    fn foreseen(&self, state: &G::State, depth: u32, luck: Luck) -> Option<Interval> {
        if !self.options.horizon {
            return None;
        }
        self.evaluator.horizon(self.game, state, depth, luck)
    }

    /// Bounds of the value of a state at this depth, whatever the search finds, and whether they come from
    /// the evaluator rather than the game. The evaluator's bounds hold at this depth only, so values based on
    /// them are estimates.
    #[inline]
    pub(crate) fn outlook(&mut self, state: &G::State, depth: u32) -> (Interval, bool) {
        match self.foreseen(state, depth, Self::LUCK) {
            Some(outlook) => {
                self.incomplete = true;
                (outlook, true)
            }
            None => (self.game.bounds(state), false),
        }
    }

    /// Bounds of the values of all leaves of a chance node.
    #[inline]
    pub(crate) fn outlook_of_leaves(&self, state: &G::State) -> Interval {
        self.foreseen(state, 0, Luck::Any).unwrap_or_else(|| self.game.bounds(state))
    }

    /// The combined bounds of a state from the evaluator, the game and the table.
    pub(crate) fn known_bounds(&mut self, state: &G::State, depth: u32) -> Interval {
        let bounds = self.outlook(state, depth).0;
        match self.table.bounds(self.game.key(state), depth, C::EXACT) {
            Some(found) => {
                self.counts.table_hits += 1;
                self.incomplete |= !(found.complete && C::EXACT);
                bounds.intersect(&found.bounds)
            }
            None => bounds,
        }
    }

    /// Searches a state through the table: returns a stored value if it answers the caller's `window`, and
    /// stores the result of a search otherwise.
    pub(crate) fn through_table(
        &mut self,
        state: &G::State,
        depth: u32,
        window: Interval,
        search: impl FnOnce(&mut Self) -> Result<f64, Stopped>,
    ) -> Result<f64, Stopped> {
        let key = self.game.key(state);
        if let Some(found) = self.table.bounds(key, depth, C::EXACT)
            && let Some(value) = found.bounds.answers(&window)
        {
            self.counts.table_hits += 1;
            self.incomplete |= !(found.complete && C::EXACT);
            return Ok(value);
        }
        let before = std::mem::replace(&mut self.incomplete, false);
        let value = search(self)?;
        // Bounds that hold at any depth must not be based on bounds for this one.
        let limits = if self.incomplete { self.outlook(state, depth).0 } else { self.game.bounds(state) };
        let bounds = window.verdict(value, &limits);
        self.table.store_bounds(key, depth, bounds, !self.incomplete);
        self.incomplete |= before;
        Ok(value)
    }
}

/// The worst possible value for this player.
#[inline]
pub(crate) fn worst(player: Player) -> f64 {
    -player.sign() * f64::INFINITY
}
