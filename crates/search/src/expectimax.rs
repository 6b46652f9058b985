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
//! must return what it returns.

use crate::outcomes::Outcomes;
use crate::walk::{Node, Walk, worst};
use astragal_core::{Evaluator, Game, Interval, Player, Step, Stop, Turn};

impl<G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'_, G, E, C> {
    /// The value of a state. Leaves are valued here, in their parent's loop, without another call.
    #[inline]
    pub(crate) fn exact(&mut self, state: &G::State, node: Node<C::Place>) -> Result<f64, Stop> {
        self.enter()?;
        self.variation.begin(node.slot);
        match self.game.turn(state) {
            Turn::Over(payoff) => Ok(self.finished(payoff)),
            Turn::Decide(_) if node.depth == 0 => Ok(self.estimate(state)),
            Turn::Decide(player) if self.table_answers(node.depth) => {
                self.through_table(state, node.depth, Interval::WHOLE, |walk| {
                    walk.exact_decision(state, player, node)
                })
            }
            Turn::Decide(player) => self.exact_decision(state, player, node),
            Turn::Chance => self.exact_chance(state, node),
        }
    }

    /// The best value of an action.
    fn exact_decision(
        &mut self,
        state: &G::State,
        player: Player,
        node: Node<C::Place>,
    ) -> Result<f64, Stop> {
        let from = self.actions.len();
        self.game.actions(state, &mut self.actions);
        let count = self.actions.len() - from;
        assert!(count > 0, "contract: no action in {state:?}");
        let mut best = worst(player);
        for index in 0..count {
            let child = self.applied(state, from, index);
            let value = self.exact(&child, Self::after_action(node, index))?;
            if player.prefers(value, best) {
                best = value;
                self.variation.extend(node.slot, Step::Action(self.actions[from + index]));
            }
        }
        self.actions.truncate(from);
        Ok(best)
    }

    /// The plain sum in outcome order. Rounding must not carry it out of the bounds of the state.
    fn exact_chance(&mut self, state: &G::State, node: Node<C::Place>) -> Result<f64, Stop> {
        let from = self.push_outcomes(state, node);
        let count = self.outcomes.len() - from;
        let main = self.likeliest(from);
        let mut sum = 0.0;
        for index in 0..count {
            let child = self.resolved(state, from + index);
            let value = self.exact(&child, Self::after_outcome(node, index, index == main))?;
            let outcome = &self.outcomes[from + index];
            if index == main {
                self.variation.extend(node.slot, Step::Outcome(outcome.item));
            }
            sum += outcome.weight * value;
            if count == 1 {
                // Nothing is uncertain, whatever the weight was rounded to.
                sum = value;
            }
        }
        self.outcomes.truncate(from);
        Ok(self.game.bounds(state).clamp(sum))
    }
}
