//! The recursion: fail-soft alpha-beta for any order of players, plain or with refinements that make it
//! faster or more selective (*Understanding Sampling-Based Adversarial Search*, sections 2.2 and 2.3).
//!
//! The contract of a window `[α, β]`: a value strictly inside is exact, a value v ≤ α is an upper bound of
//! the true value, and a value v ≥ β is a lower bound.

use super::memory::{Entry, Memory};
use super::options::{AlphaBetaOptions, LeafValue};
use super::order::Ordering;
use crate::decision::narrowed;
use crate::limits::{Limits, Stopped};
use crate::playout::Playout;
use crate::variation::{Slot, Variation};
use crate::walk::worst;
use astragal_core::{Counts, Evaluator, Game, Interval, Player, Sampler, Step, Turn, estimate};
use std::ops::ControlFlow;

/// The least depth for table lookups; nearer to the leaves they cost more than they save.
const LEAST_REMEMBERED: u32 = 2;
/// The least depth at which late moves are reduced.
const LEAST_REDUCED: u32 = 3;

/// A running search of one thread.
pub(super) struct Search<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) evaluator: &'a E,
    pub(super) options: &'a AlphaBetaOptions,
    pub(super) memory: &'a Memory,
    pub(super) limits: Limits<'a>,
    pub(super) counts: Counts,
    pub(super) variation: Variation<G::Action, G::Outcome>,
    pub(super) ordering: Ordering<G>,
    /// Whether an unfinished state was evaluated, or an action pruned, since this was last cleared.
    pub(super) incomplete: bool,
    /// The depth of the whole search.
    pub(super) deepest: u32,
    /// Whether to find values under perfect play instead of values at some depth.
    pub(super) to_the_end: bool,
    /// For [`Game::each_action`].
    room: Vec<G::Action>,
    sampler: Sampler,
    playout: Playout<G>,
}

/// A node of the recursion.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Remaining depth, in decisions.
    pub(super) depth: u32,
    /// Decisions from the root.
    pub(super) ply: u32,
    /// The slot for its best continuation.
    pub(super) slot: Slot,
    /// Whether the previous decision was a null move.
    pub(super) passed: bool,
}

impl Node {
    /// The node after an action.
    fn next(self, slot: Slot) -> Self {
        Self { depth: self.depth - 1, ply: self.ply + 1, slot, passed: false }
    }
}

impl<'a, G: Game, E: Evaluator<G>> Search<'a, G, E> {
    pub(super) fn new(
        game: &'a G,
        evaluator: &'a E,
        options: &'a AlphaBetaOptions,
        memory: &'a Memory,
        limits: Limits<'a>,
        seed: u64,
    ) -> Self {
        Self {
            game,
            evaluator,
            options,
            memory,
            limits,
            counts: Counts::default(),
            variation: Variation::new(),
            ordering: Ordering::new(),
            incomplete: false,
            deepest: 0,
            to_the_end: false,
            room: Vec::new(),
            sampler: Sampler::new(seed),
            playout: Playout::new(),
        }
    }

    /// Counts a node, and checks the limits from time to time.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<(), Stopped> {
        self.counts.nodes += 1;
        self.limits.pass(self.counts.nodes)
    }

    /// The value of a state under a window.
    #[inline]
    pub(super) fn value(&mut self, state: &G::State, node: Node, window: Interval) -> Result<f64, Stopped> {
        if self.options.is_plain() {
            let mut room = std::mem::take(&mut self.room);
            let value = match self.options.order {
                true => self.plain::<true>(&mut room, state, node.depth, node.slot, window),
                false => self.plain::<false>(&mut room, state, node.depth, node.slot, window),
            };
            self.room = room;
            value
        } else {
            self.refined(state, node, window)
        }
    }

    /// Plain alpha-beta, with the actions in the game's order or `ORDERED` by promise. It is inlined into the
    /// loop below, so that leaves, which are most nodes, need no call; a loop for both orders would not be.
    #[inline(always)]
    fn plain<const ORDERED: bool>(
        &mut self,
        room: &mut Vec<G::Action>,
        state: &G::State,
        depth: u32,
        slot: Slot,
        window: Interval,
    ) -> Result<f64, Stopped> {
        self.enter()?;
        match self.game.turn(state) {
            Turn::Over(payoff) => Ok(self.finished(payoff)),
            Turn::Decide(_) if depth == 0 => self.leaf(state),
            Turn::Decide(player) => self.plain_best::<ORDERED>(room, state, player, depth, slot, window),
            Turn::Chance => unreachable!("contract: chance in a game without"),
        }
    }

    /// The best value of an action; stops when the window closes.
    fn plain_best<const ORDERED: bool>(
        &mut self,
        room: &mut Vec<G::Action>,
        state: &G::State,
        player: Player,
        depth: u32,
        slot: Slot,
        window: Interval,
    ) -> Result<f64, Stopped> {
        self.variation.begin(slot);
        let game = self.game;
        let (mut best, mut open) = (worst(player), window);
        let mut consider = |search: &mut Self, room: &mut Vec<G::Action>, action: G::Action| {
            let mut child = state.clone();
            game.apply(&mut child, action);
            let value = match search.plain::<ORDERED>(room, &child, depth - 1, slot.next(), open) {
                Ok(value) => value,
                Err(stopped) => return ControlFlow::Break(Err(stopped)),
            };
            if player.prefers(value, best) {
                best = value;
                if improves(value, open, player) {
                    open = narrowed(open, player, best);
                    if open.lo >= open.hi {
                        search.counts.cuts += 1;
                        return ControlFlow::Break(Ok(()));
                    }
                    // Leaves leave the variation alone: most are never on it.
                    if depth == 1 || matches!(game.turn(&child), Turn::Over(_)) {
                        search.variation.begin(slot.next());
                    }
                    search.variation.extend(slot, Step::Action(action));
                }
            }
            ControlFlow::Continue(())
        };
        let flow = if ORDERED {
            let from = self.ordering.push_promising(game, state);
            let count = self.ordering.count(from);
            let flow = (0..count).try_for_each(|rank| {
                let action = self.ordering.next(from, rank).1;
                consider(self, room, action)
            });
            self.ordering.pop(from);
            flow
        } else {
            game.each_action(state, room, |room, action| consider(self, room, action))
        };
        match flow {
            ControlFlow::Break(Err(stopped)) => Err(stopped),
            _ => Ok(best),
        }
    }

    /// Alpha-beta with the refinements of the options.
    fn refined(&mut self, state: &G::State, node: Node, window: Interval) -> Result<f64, Stopped> {
        let AlphaBetaOptions { scout, null_move, extend, quiescence, .. } = *self.options;
        self.enter()?;
        self.variation.begin(node.slot);
        let player = match self.game.turn(state) {
            Turn::Over(payoff) => return Ok(self.finished(payoff)),
            Turn::Decide(player) => player,
            Turn::Chance => unreachable!("contract: chance in a game without"),
        };
        let threatened = !self.options.is_exact() && self.game.is_threatened(state);
        // Twice the depth of the search is enough for any sequence of threats.
        let more = u32::from(extend && threatened && node.ply < 2 * self.deepest);
        let node = Node { depth: node.depth + more, ..node };
        if node.depth == 0 {
            return if quiescence > 0 {
                self.quiet(state, player, quiescence, window)
            } else {
                self.leaf(state)
            };
        }
        // The game's bounds of the state may suffice, and otherwise narrow the window.
        let limits = self.game.bounds(state);
        if let Some(value) = limits.answers(&window) {
            return Ok(value);
        }
        let window = window.intersect(&limits);
        let is_main = node.slot != Slot::NONE;

        let key =
            (node.depth >= LEAST_REMEMBERED && self.options.table_mib > 0).then(|| self.game.key(state));
        let known = key.and_then(|key| self.memory.get(key));
        if let Some(known) = known {
            self.counts.table_hits += 1;
            let deep_enough = known.depth < node.depth || self.to_the_end;
            let fits = known.depth == node.depth || known.complete && deep_enough;
            // On the principal variation of a scout search the table does not answer: it would save little,
            // and truncate the variation.
            if fits
                && !(is_main && scout)
                && let Some(value) = known.bounds.answers(&window)
            {
                self.incomplete |= !known.complete;
                return Ok(value);
            }
        }
        if null_move > 0
            && !is_main
            && !threatened
            && !node.passed
            && node.depth > null_move
            && let Some(state) = self.game.passed(state)
        {
            let scout = nothing_above(window, player);
            let depth = node.depth - null_move;
            let after = Node { passed: true, ..Node { depth, ..node }.next(Slot::NONE) };
            let value = self.refined(&state, after, scout)?;
            if narrowed(window, player, value).width() <= 0.0 {
                // If even a null move causes a cutoff, so does the best action.
                self.incomplete = true;
                self.counts.cuts += 1;
                return Ok(value);
            }
        }

        let before = std::mem::replace(&mut self.incomplete, false);
        let remembered = known.and_then(|known| known.best);
        let (best, choice) = self.best(state, player, node, window, threatened, remembered)?;
        if let Some(key) = key {
            let bounds = window.verdict(best, &Interval::WHOLE);
            let within = bounds.intersect(&limits);
            let bounds = if within.is_point() { within } else { bounds };
            let (depth, best, complete) = (node.depth, choice.or(remembered), !self.incomplete);
            self.memory.put(key, Entry { bounds, depth, best, complete });
        }
        self.incomplete |= before;
        Ok(best)
    }

    /// The best value of an action, stopping when the window closes, and the index of the action if it
    /// narrowed the window.
    fn best(
        &mut self,
        state: &G::State,
        player: Player,
        node: Node,
        window: Interval,
        threatened: bool,
        remembered: Option<u16>,
    ) -> Result<(f64, Option<u16>), Stopped> {
        let options = self.options;
        let is_main = node.slot != Slot::NONE;
        let mut best = worst(player);
        // Futility pruning: one decision before the leaves, quiet actions that cannot reach the window are
        // skipped.
        let mut hopeless = false;
        if options.futility > 0.0 && node.depth == 1 && !is_main && !threatened {
            let hope = estimate(self.game, self.evaluator, state) + player.sign() * options.futility;
            hopeless = narrowed(window, player, hope) == window;
            if hopeless {
                self.incomplete = true;
                best = hope;
            }
        }
        self.evaluator.foresee(self.game, state, node.depth);
        let mut choice = None;
        let mut open = window;
        let from = self.ordering.push_by(self.game, state, player, node.ply, options, remembered);
        for rank in 0..self.ordering.count(from) {
            let (index, action) = self.ordering.next(from, rank);
            let forcing = !options.is_exact() && self.game.is_forcing(state, action);
            if hopeless && !forcing {
                continue;
            }
            let mut child = state.clone();
            self.game.apply(&mut child, action);
            let value = if rank == 0 || !options.scout {
                self.refined(&child, node.next(node.slot.next()), open)?
            } else {
                // A null window suffices to show that the action is no better. Late moves are first searched
                // at reduced depth. There is then no continuation, and that of another action must not
                // remain.
                self.variation.begin(node.slot.next());
                let scout = nothing_above_best(open, player);
                let late = options.reduce_after > 0 && rank >= options.reduce_after as usize;
                let mut value = worst(player.other());
                if late && node.depth >= LEAST_REDUCED && !forcing && !threatened {
                    self.incomplete = true;
                    let shallow = Node { depth: node.depth - 1, ..node };
                    value = self.refined(&child, shallow.next(Slot::NONE), scout)?;
                }
                if improves(value, open, player) {
                    value = self.refined(&child, node.next(Slot::NONE), scout)?;
                }
                if is_main && improves(value, open, player) {
                    value = self.refined(&child, node.next(node.slot.next()), open)?;
                }
                value
            };
            if player.prefers(value, best) {
                best = value;
                self.variation.extend(node.slot, Step::Action(action));
                let before = open;
                open = narrowed(open, player, best);
                if open != before {
                    choice = Some(index);
                }
                if open.lo >= open.hi {
                    self.counts.cuts += 1;
                    self.ordering.cut(self.game, state, player, node, action, options);
                    break;
                }
            }
        }
        self.ordering.pop(from);
        Ok((best, choice))
    }

    /// Quiescence search: tries forcing actions, such as captures, before evaluating a state, so that the
    /// search does not stop in the middle of an exchange.
    fn quiet(
        &mut self,
        state: &G::State,
        player: Player,
        left: u32,
        window: Interval,
    ) -> Result<f64, Stopped> {
        let threatened = self.game.is_threatened(state);
        // A player who is not threatened may stand pat.
        let mut best = if threatened && left > 0 { worst(player) } else { self.leaf(state)? };
        let mut open = narrowed(window, player, best);
        if left == 0 || open.lo >= open.hi {
            return Ok(best);
        }
        let from = self.ordering.push_promising(self.game, state);
        for rank in 0..self.ordering.count(from) {
            let (_, action) = self.ordering.next(from, rank);
            if !threatened && !self.game.is_forcing(state, action) {
                continue;
            }
            let mut child = state.clone();
            self.game.apply(&mut child, action);
            self.enter()?;
            let value = match self.game.turn(&child) {
                Turn::Over(payoff) => self.finished(payoff),
                Turn::Decide(player) => self.quiet(&child, player, left - 1, open)?,
                Turn::Chance => unreachable!("contract: chance in a game without"),
            };
            if player.prefers(value, best) {
                best = value;
                open = narrowed(open, player, best);
                if open.lo >= open.hi {
                    self.counts.cuts += 1;
                    break;
                }
            }
        }
        self.ordering.pop(from);
        Ok(best)
    }

    /// The payoff of a finished game.
    #[inline]
    fn finished(&mut self, payoff: f64) -> f64 {
        self.counts.leaves += 1;
        self.counts.finished += 1;
        payoff
    }

    /// The value of a state at the depth limit.
    #[inline(always)]
    fn leaf(&mut self, state: &G::State) -> Result<f64, Stopped> {
        self.counts.leaves += 1;
        self.incomplete = true;
        match self.options.leaf {
            LeafValue::Evaluator => Ok(estimate(self.game, self.evaluator, state)),
            LeafValue::Playouts(count) => self.playouts(state, count),
        }
    }

    /// The mean payoff of random games from a state. They depend on the state alone, so that it has the same
    /// value wherever it occurs.
    fn playouts(&mut self, state: &G::State, count: u32) -> Result<f64, Stopped> {
        let mut stream = self.sampler.stream(self.game.key(state).hash(), 0);
        let (mut sum, mut ended) = (0.0, 0_u32);
        for _ in 0..count {
            let mut state = state.clone();
            let moves = self.options.playout_moves;
            let (turn, made) = self.playout.run(self.game, &mut state, moves, &mut stream);
            sum += match turn {
                Turn::Over(payoff) => {
                    ended += 1;
                    payoff
                }
                _ => estimate(self.game, self.evaluator, &state),
            };
            self.counts.simulations += 1;
            self.limits.hurry(made.into());
        }
        self.counts.unevaluated += u64::from(ended == 0);
        Ok(sum / f64::from(count))
    }
}

/// Whether a value improves on the player's best so far.
pub(super) fn improves(value: f64, open: Interval, player: Player) -> bool {
    match player {
        Player::Max => value > open.lo,
        Player::Min => value < open.hi,
    }
}

/// The null window that tests whether a player can improve on their best value so far.
pub(super) fn nothing_above_best(open: Interval, player: Player) -> Interval {
    match player {
        Player::Max => Interval { lo: open.lo, hi: open.lo.next_up() },
        Player::Min => Interval { lo: open.hi.next_down(), hi: open.hi },
    }
}

/// The null window that tests whether a player reaches a cutoff.
fn nothing_above(window: Interval, player: Player) -> Interval {
    match player {
        Player::Max => Interval { lo: window.hi.next_down(), hi: window.hi },
        Player::Min => Interval { lo: window.lo, hi: window.lo.next_up() },
    }
}
