//! Static values of nodes: implicit minimax backups (Lanctot et al. 2014), and the priors for seeding,
//! progressive bias and PUCT.

use super::simulate::{Visit, Worker};
use super::tree::{Index, ROOT, SIDE_BY_SIDE};
use astragal_core::{Evaluator, Game, Turn, Weighted, estimate};

/// Cells of the implicit minimax value and of the static value.
pub(super) const IMPLICIT: usize = 0;
pub(super) const STATIC: usize = 1;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Whether static values are kept.
    pub(super) fn keeps_values(&self) -> bool {
        self.tree.values(ROOT).is_some()
    }

    /// Expansion: the static values of children that are created together; empty if none are kept.
    pub(super) fn static_values(&mut self, visit: &Visit<'_>, state: &G::State) -> Vec<f64> {
        let listed = visit.listed();
        if !self.keeps_values() || visit.player.is_none() && listed.len() > SIDE_BY_SIDE {
            return Vec::new();
        }
        let value = |at: usize| {
            let mut next = state.clone();
            match visit.player {
                Some(_) => self.game.apply(&mut next, self.actions[at]),
                None => self.game.resolve(&mut next, self.outcomes[at].item),
            }
            self.heuristic(&next)
        };
        listed.map(value).collect()
    }

    /// The static value of a state: the mean over the outcomes at a chance state.
    pub(super) fn heuristic(&mut self, state: &G::State) -> f64 {
        match self.game.turn(state) {
            Turn::Over(payoff) => payoff,
            Turn::Decide(_) => estimate(self.game, self.evaluator, state),
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

    /// Expansion: initialises both values of a new node to its static value.
    pub(super) fn set_static(&self, index: Index, value: f64) {
        if let Some(side) = self.tree.values(index) {
            side.set(IMPLICIT, value);
            side.set(STATIC, value);
        }
    }

    /// Selection: the mean of a child blended with its implicit minimax value.
    pub(super) fn blend_implicit(&self, child: Index, sign: f64, mean: f64) -> f64 {
        let share = self.options.implicit;
        if share <= 0.0 {
            return mean;
        }
        let implicit = self.tree.values(child).map_or(mean, |side| sign * side.get(IMPLICIT));
        (1.0 - share) * mean + share * implicit
    }

    /// Backup: the best implicit value of the children, or their mean at a chance node.
    pub(super) fn back_up_implicit(&self, visit: &Visit<'_>) {
        let tree = self.tree;
        let Some(side) = tree.values(visit.index) else { return };
        let value_of = |child: Index, cell: usize| tree.values(child).expect("values are kept").get(cell);
        let value = match visit.player {
            Some(player) => (tree.children(visit.node).into_iter().flatten())
                .map(|child| value_of(child, IMPLICIT))
                .reduce(|best, value| if player.prefers(value, best) { value } else { best })
                .unwrap_or(side.get(IMPLICIT)),
            // Outcomes never drawn contribute their share of the static value.
            None => {
                let outcomes = &self.outcomes[visit.listed()];
                let change = |(outcome, child): (usize, Index)| {
                    outcomes[outcome].weight * (value_of(child, IMPLICIT) - value_of(child, STATIC))
                };
                side.get(STATIC) + tree.edges(visit.index).map(change).sum::<f64>()
            }
        };
        side.set(IMPLICIT, value);
    }
}
