//! Expectimax: the depth-limited value by its definition (*Monte Carlo \*-Minimax Search*, section 2.1).
//!
//! ```text
//! V_d(s)    = max or min over a of V_d(s, a)       a player decides and d > 0
//!           = h(s)                                 a player would decide, but d = 0
//!           = u(s)                                 the game is over
//! V_d(s, a) = Σ P(s' | s, a) · V_{d−1}(s')         chance is free: it takes no depth
//! ```
//!
//! With a sampled outcome set the same recursion is expSS. The pruning searches use it near the leaves, and
//! must return the same values. It is the innermost loop of the whole family, so it is compiled twice: with
//! and without recording the principal variation (`LINE`), which concerns few nodes.

use crate::limits::Stopped;
use crate::outcomes::Outcomes;
use crate::sum::rounding;
use crate::variation::Slot;
use crate::walk::{Node, Walk, worst};
use astragal_core::{Evaluator, Game, Interval, Player, Step, Turn, estimate};

impl<G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'_, G, E, C> {
    /// The value of a state.
    #[inline]
    pub(crate) fn exact(&mut self, state: &G::State, node: Node<C::Place>) -> Result<f64, Stopped> {
        if node.slot == Slot::NONE {
            self.exact_value::<false>(state, node)
        } else {
            self.exact_value::<true>(state, node)
        }
    }

    /// The value of a state. Inlined, so that leaves are evaluated in their parent's loop without another
    /// call.
    #[inline(always)]
    fn exact_value<const LINE: bool>(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
    ) -> Result<f64, Stopped> {
        if LINE {
            self.variation.begin(node.slot);
        }
        match self.game.turn(state) {
            Turn::Over(payoff) => {
                self.enter()?;
                Ok(self.finished(payoff))
            }
            Turn::Decide(_) if node.depth == 0 => {
                self.enter()?;
                Ok(self.estimate(state))
            }
            Turn::Decide(player) => self.exact_decision::<LINE>(state, player, node),
            Turn::Chance => self.exact_chance::<LINE>(state, node),
        }
    }

    /// The value of a decision state, from the table if possible.
    fn exact_decision<const LINE: bool>(
        &mut self,
        state: &G::State,
        player: Player,
        node: Node<C::Place>,
    ) -> Result<f64, Stopped> {
        self.enter()?;
        if self.table_answers(node.depth) {
            return self.through_table(state, node.depth, Interval::WHOLE, |walk| {
                walk.best_action::<LINE>(state, player, node)
            });
        }
        self.best_action::<LINE>(state, player, node)
    }

    /// The best value of an action.
    #[inline(always)]
    pub(crate) fn best_action<const LINE: bool>(
        &mut self,
        state: &G::State,
        player: Player,
        node: Node<C::Place>,
    ) -> Result<f64, Stopped> {
        self.evaluator.foresee(self.game, state, node.depth);
        let from = self.actions.len();
        self.game.actions(state, &mut self.actions);
        let count = self.actions.len() - from;
        assert!(count > 0, "contract: no action in {state:?}");
        let mut best = worst(player);
        for index in 0..count {
            let child = self.applied(state, from, index);
            let value = self.exact_value::<LINE>(&child, Self::after_action(node, index))?;
            if player.prefers(value, best) {
                best = value;
                if LINE {
                    self.variation.extend(node.slot, Step::Action(self.actions[from + index]));
                }
            }
        }
        self.actions.truncate(from);
        Ok(best)
    }

    /// The plain sum in outcome order, clamped to the bounds of the state against rounding.
    fn exact_chance<const LINE: bool>(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
    ) -> Result<f64, Stopped> {
        self.enter()?;
        let from = self.push_outcomes(state, node);
        let count = self.outcomes.len() - from;
        if node.depth >= 2 && self.thread.at > 0 {
            self.go_another_way(state, node, from, Self::exact)?;
        }
        let leaves = match node.depth {
            0 if !LINE => self.sum_of_leaves::<false>(state, from, Interval::WHOLE)?,
            _ => None,
        };
        let sum = if let Some(sum) = leaves {
            sum
        } else if count == 1 {
            // A single outcome is certain, whatever its weight was rounded to.
            self.exact_outcome::<LINE>(state, node, from, 0)?
        } else {
            let main = if LINE { self.likeliest(from) } else { usize::MAX };
            let mut sum = 0.0;
            for index in 0..count {
                let value = if LINE && index == main {
                    self.exact_outcome::<LINE>(state, node, from, index)?
                } else {
                    self.exact_outcome::<false>(state, node, from, index)?
                };
                sum += self.outcomes[from + index].weight * value;
            }
            sum
        };
        self.outcomes.truncate(from);
        Ok(self.game.bounds(state).clamp(sum))
    }

    /// The same for a chance state whose children are all leaves; none if they are not. Most nodes of a
    /// search are visited here, so the loop does nothing but add up values. With `CUT` it ends with a bound
    /// as soon as the sum must leave the window, and otherwise clamps the sum to the bounds of the state.
    #[inline(always)]
    pub(crate) fn sum_of_leaves<const CUT: bool>(
        &mut self,
        state: &G::State,
        from: usize,
        window: Interval,
    ) -> Result<Option<f64>, Stopped> {
        let (game, evaluator) = (self.game, self.evaluator);
        let limits = if CUT { self.outlook_of_leaves(state) } else { Interval::WHOLE };
        let outcomes = &self.outcomes[from..];
        let slack = rounding(limits, outcomes.len());
        let (mut sum, mut rest) = (0.0, 1.0);
        let (mut finished, mut seen) = (0, 0);
        let mut cut = None;
        for outcome in outcomes {
            let mut child = state.clone();
            game.resolve(&mut child, outcome.item);
            let value = match game.turn(&child) {
                Turn::Over(payoff) => {
                    finished += 1;
                    payoff
                }
                Turn::Decide(_) => estimate(game, evaluator, &child),
                Turn::Chance => return Ok(None),
            };
            sum = if outcomes.len() == 1 { value } else { sum + outcome.weight * value };
            if CUT {
                seen += 1;
                rest -= outcome.weight;
                let (least, most) = (sum + rest * limits.lo - slack, sum + rest * limits.hi + slack);
                if most <= window.lo || least >= window.hi {
                    cut = Some(if most <= window.lo { most } else { least });
                    break;
                }
            }
        }
        let count = outcomes.len() as u64;
        let visited = if CUT { seen } else { count };
        self.enter_all(visited)?;
        self.counts.leaves += visited;
        self.counts.finished += finished;
        self.counts.cuts += u64::from(visited < count);
        self.incomplete |= finished < count;
        if CUT && cut.is_none() {
            sum = game.bounds(state).clamp(sum);
        }
        Ok(Some(cut.unwrap_or(sum)))
    }

    /// The value after the outcome with this index; with `LINE` it is the one on the variation.
    #[inline(always)]
    fn exact_outcome<const LINE: bool>(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        from: usize,
        index: usize,
    ) -> Result<f64, Stopped> {
        let child = self.resolved(state, from + index);
        let value = self.exact_value::<LINE>(&child, Self::after_outcome(node, index, LINE))?;
        if LINE {
            self.variation.extend(node.slot, Step::Outcome(self.outcomes[from + index].item));
        }
        Ok(value)
    }
}
