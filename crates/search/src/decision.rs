//! Decision nodes under a window: the procedures alphabeta1 and alphabeta2 of *Monte Carlo \*-Minimax
//! Search*, section 2.1, fail-soft and for any order of players.
//!
//! The contract of a window `[α, β]`: a value strictly inside is exact, a value v ≤ α is an upper bound of
//! the true value, and a value v ≥ β is a lower bound. Without chance nodes this is Alpha-Beta.

use crate::limits::Stopped;
use crate::options::TableUse;
use crate::outcomes::Outcomes;
use crate::variation::Slot;
use crate::walk::{Known, Node, Probed, Walk, worst};
use astragal_core::{Evaluator, Game, Interval, Player, Step, Turn, Weighted};

impl<G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'_, G, E, C> {
    /// The value of a state under a window.
    #[inline]
    pub(crate) fn value(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        window: Interval,
    ) -> Result<f64, Stopped> {
        self.value_knowing(state, node, window, Known::default())
    }

    /// [`Walk::value`] of a state about which something is already known.
    #[inline]
    pub(crate) fn value_knowing(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        window: Interval,
        known: Known,
    ) -> Result<f64, Stopped> {
        let turn = self.game.turn(state);
        if node.depth == 0 && turn != Turn::Chance || matches!(turn, Turn::Over(_)) {
            self.enter()?;
            self.variation.begin(node.slot);
            return Ok(match turn {
                Turn::Over(payoff) => self.finished(payoff),
                _ => self.estimate(state),
            });
        }
        // A chance node belongs to the decision before it: it is pruned if the decision is.
        let level = node.depth + u32::from(turn == Turn::Chance);
        let plain = level < self.prune_from && known.probed.is_none();
        if plain && !self.options.horizon {
            return self.exact(state, node);
        }
        // Known bounds may suffice, and otherwise narrow the window.
        let bounds = self.game.bounds(state);
        let open = self.options.horizon && window.covers(&bounds);
        let (limits, foreseen) = match known.bounds {
            Some(limits) => (limits, false),
            None if open => (bounds, false),
            None => self.outlook(state, node.depth),
        };
        if let Some(value) = limits.answers(&window) {
            self.enter()?;
            self.variation.begin(node.slot);
            return Ok(value);
        }
        // Leaves are summed regardless of the window if no value can leave it, or if even bounds on their
        // exact mean did not decide the node.
        let leaves = node.depth == 0 && self.options.horizon && (open || C::EXACT && foreseen);
        if plain || leaves {
            return self.exact(state, node);
        }
        let window = window.intersect(&limits);
        self.enter()?;
        self.variation.begin(node.slot);
        let search = |walk: &mut Self| match turn {
            Turn::Decide(player) => {
                let probed = known.probed.unwrap_or_else(|| Probed::nothing(player, walk.remembered(state)));
                walk.decision(state, player, node, window, probed)
            }
            _ => walk.chance_node(state, node, window, limits, open),
        };
        if self.table_answers(node.depth) {
            self.through_table(state, node.depth, window, search)
        } else {
            search(self)
        }
    }

    /// The best value of an action; stops when the window closes.
    pub(crate) fn decision(
        &mut self,
        state: &G::State,
        player: Player,
        node: Node<C::Place>,
        window: Interval,
        probed: Probed,
    ) -> Result<f64, Stopped> {
        self.evaluator.foresee(self.game, state, node.depth);
        let stacks = self.push_actions(state, player, node.depth, &probed);
        let (from, first) = stacks;
        let count = self.actions.len() - from;
        // On the principal variation ties go to the first action in the game's order, as in Expectimax. So
        // the window is widened to admit equal values, including at its ends, which may be bounds of the
        // state.
        let line = node.slot != Slot::NONE;
        let window = match line {
            true => Interval { lo: window.lo.next_down(), hi: window.hi.next_up() },
            false => window,
        };
        let (done, mut best) = match probed.best_within(window) {
            Some(best) => {
                self.incomplete |= probed.incomplete;
                (probed.count as usize, best)
            }
            None => (0, worst(player)),
        };
        let mut choice = if done > 0 { probed.choice.map(|(index, _)| index) } else { None };
        let floor = |best: f64| match player {
            _ if !line => best,
            Player::Max => best.next_down(),
            Player::Min => best.next_up(),
        };
        let mut open = narrowed(window, player, floor(best));
        for rank in done..count {
            if open.lo >= open.hi {
                self.counts.cuts += 1;
                break;
            }
            let index = self.order[first + rank] as usize;
            let child = self.applied(state, from, index);
            let value = self.value(&child, Self::after_action(node, index), open)?;
            let earlier = line && value == best && choice.is_some_and(|choice| index < choice);
            if player.prefers(value, best) || earlier {
                best = value;
                choice = Some(index);
                self.variation.extend(node.slot, Step::Action(self.actions[from + index]));
                open = narrowed(window, player, floor(best));
            }
        }
        self.pop_actions(stacks);
        if let Some(choice) = choice
            && self.options.table != TableUse::Off
        {
            self.table.store_best(self.game.key(state), node.depth, choice);
        }
        Ok(best)
    }

    /// The best action of a state according to the table.
    #[inline]
    pub(crate) fn remembered(&mut self, state: &G::State) -> Option<u16> {
        if self.options.table == TableUse::Off {
            return None;
        }
        let best = self.table.best(self.game.key(state));
        self.counts.table_hits += u64::from(best.is_some());
        best
    }

    /// Probes a decision state: searches the next action in order under a window. Returns its value, its
    /// index, and whether it is the only action, in which case its value is that of the state. None if all
    /// actions were probed.
    pub(crate) fn probe(
        &mut self,
        state: &G::State,
        player: Player,
        node: Node<C::Place>,
        window: Interval,
        probed: &Probed,
    ) -> Result<Option<(f64, usize, bool)>, Stopped> {
        self.evaluator.foresee(self.game, state, node.depth);
        let stacks = self.push_actions(state, player, node.depth, probed);
        let (from, first) = stacks;
        let count = self.actions.len() - from;
        let rank = probed.count as usize;
        let mut found = None;
        if rank < count {
            let index = self.order[first + rank] as usize;
            let child = self.applied(state, from, index);
            self.counts.probes += 1;
            let value = self.value(&child, Self::after_action(node, index), window)?;
            found = Some((value, index, count == 1));
        }
        self.pop_actions(stacks);
        Ok(found)
    }

    /// A chance state: pushes its outcomes and evaluates them by Star1 or Star2. If the window is `open`, no
    /// value can leave it, and the outcomes are summed without cuts.
    fn chance_node(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        window: Interval,
        limits: Interval,
        open: bool,
    ) -> Result<f64, Stopped> {
        if self.cuts.is_some()
            && let Some(bound) = self.probable_cut(state, node, window, limits)?
        {
            return Ok(bound);
        }
        let from = self.push_outcomes(state, node);
        let (bounds, order) = (self.bounds.len(), self.order.len());
        let leaves = node.depth == 0 && node.slot == Slot::NONE && self.options.horizon;
        let count = self.outcomes.len() - from;
        let value = if leaves && let Some(value) = self.sum_of_leaves::<true>(state, from, window)? {
            value
        } else if open || count == 1 {
            let window = if open { Interval::WHOLE } else { window };
            if self.thread.at > 0 && self.table_answers(node.depth) {
                self.go_another_way(state, node, from, |walk, child, below| {
                    walk.value(child, below, window)
                })?;
            }
            let main = self.likeliest(from);
            let mut sum = 0.0;
            for index in 0..count {
                let child = self.resolved(state, from + index);
                let below = Self::after_outcome(node, index, index == main);
                let value = self.value(&child, below, window)?;
                let Weighted { item, weight } = self.outcomes[from + index];
                // A single outcome is certain, whatever its weight was rounded to.
                sum = if count == 1 { value } else { sum + weight * value };
                if index == main {
                    self.variation.extend(node.slot, Step::Outcome(item));
                }
            }
            self.game.bounds(state).clamp(sum)
        } else {
            self.star(state, node, window, from)?
        };
        self.outcomes.truncate(from);
        self.bounds.truncate(bounds);
        self.order.truncate(order);
        self.probed.truncate(bounds);
        self.children.truncate(bounds);
        Ok(value)
    }
}

/// The part of a window that remains open once a player has this value.
#[inline]
pub(crate) fn narrowed(window: Interval, player: Player, best: f64) -> Interval {
    match player {
        Player::Max => Interval { lo: window.lo.max(best), ..window },
        Player::Min => Interval { hi: window.hi.min(best), ..window },
    }
}
