//! RAVE (Gelly & Silver 2011): every later action of the same player counts as if it had been played first.

use super::simulate::Worker;
use super::tree::Index;
use astragal_core::{Evaluator, Game};

/// Cells of an action's all-moves-as-first visits and sum of values.
pub(super) const RAVE_VISITS: usize = 0;
pub(super) const RAVE_SUM: usize = 1;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Selection: blends the mean of a child with its all-moves-as-first mean; they have equal weight after
    /// `rave` visits of the parent.
    pub(super) fn blend_rave(&self, parent: Index, child: Index, sign: f64, mean: f64) -> f64 {
        let Some(side) = self.tree.rave(child) else { return mean };
        let n = side.get(RAVE_VISITS);
        if n <= 0.0 {
            return mean;
        }
        let visits = f64::from(self.tree.node(parent).visits());
        let beta = (self.options.rave / (3.0 * visits + self.options.rave)).sqrt();
        (1.0 - beta) * mean + beta * sign * side.get(RAVE_SUM) / n
    }

    /// Backup: at every node of the path, credits the value to each action that its player took there or
    /// later.
    pub(super) fn back_up_rave(&self, value: f64) {
        let mut made = 0;
        for visit in &self.path {
            let Some(player) = visit.player else { continue };
            let Some(first) = visit.node.first() else { break };
            let later = self.rave_moves.get(made..).unwrap_or(&[]);
            for (child, &action) in (first..).zip(&self.actions[visit.listed()]) {
                if later.iter().any(|&(who, what)| who == player && what == action)
                    && let Some(side) = self.tree.rave(child)
                {
                    side.add(RAVE_VISITS, 1.0, self.tree.is_shared());
                    side.add(RAVE_SUM, value, self.tree.is_shared());
                }
            }
            made += 1;
        }
    }
}
