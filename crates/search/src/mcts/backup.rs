//! Step 4 of a simulation: what a node on its path takes in.

use super::options::Backup;
use super::simulate::{Visit, Worker};
use super::tree::{Node, ROOT};
use astragal_core::{Evaluator, Game, Player};

/// Nodes of a path whose squares of values are kept in any case: the deviation of an action at the root is
/// reported.
const SQUARES: usize = 2;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Step 4, if all nodes of the path take in the same value and nothing else.
    #[inline]
    pub(super) fn back_up_mean(&self, value: f64) {
        let (path, tree) = (&self.path, self.tree);
        let shared = tree.is_shared();
        path.iter().for_each(|visit| visit.node.add(value, shared));
        if shared {
            self.withdraw();
        }
        let kept = if tree.keeps_squares() { path.len() } else { SQUARES };
        path.iter().take(kept).for_each(|visit| tree.add_square(visit.index, value * value));
    }

    /// Step 4 at one node of the path, the last first; returns whether its bounds were narrowed.
    pub(super) fn back_up(&mut self, at: usize, value: &mut f64, narrowed: bool) -> bool {
        let visit = self.path[at];
        let tree = self.tree;
        let shared = tree.is_shared();
        let is_leaf = at + 1 == self.path.len();
        // In a shared tree other threads may have narrowed other children, so bounds are always computed
        // again.
        let narrowed = match self.options.solver && !is_leaf {
            true => (narrowed || shared) && self.back_up_bounds(at),
            false => narrowed,
        };
        if self.options.solver && !is_leaf {
            *value = self.corrected(at, *value);
        }
        visit.node.add(*value, shared);
        if visit.index != ROOT {
            tree.leave(visit.index);
        }
        if at < SQUARES || tree.keeps_squares() {
            tree.add_square(visit.index, *value * *value);
        }
        if !is_leaf {
            if self.options.backup != Backup::Mean
                && let Some(value) = self.combined(&visit)
            {
                visit.node.set_value(value);
            }
            if self.options.implicit > 0.0 {
                self.back_up_implicit(&visit);
            }
        }
        narrowed
    }

    /// The value of a node by those of its children; none if none was visited.
    fn combined(&self, visit: &Visit<'_>) -> Option<f64> {
        let tree = self.tree;
        let Some(player) = visit.player else {
            // Outcomes count by their probabilities, those never drawn not at all.
            let outcomes = &self.outcomes[visit.listed()];
            let (mut sum, mut all) = (0.0, 0.0);
            for (outcome, child) in tree.edges(visit.index) {
                if tree.node(child).visits() > 0 {
                    sum += outcomes[outcome].weight * self.worth(child);
                    all += outcomes[outcome].weight;
                }
            }
            return (all > 0.0).then(|| sum / all);
        };
        let children = tree.children(visit.node)?;
        let seen = children.clone().filter(|&child| tree.node(child).visits() > 0);
        match self.options.backup {
            Backup::Power { p } => {
                // From the side of the player, on [0, 1].
                let width = self.range.width();
                let share = |value: f64| match player {
                    Player::Max => (value - self.range.lo) / width,
                    Player::Min => (self.range.hi - value) / width,
                };
                // Relative to the best child, so that no power underflows.
                let top = seen.clone().map(|child| share(self.worth(child))).fold(0.0, f64::max).min(1.0);
                let (mut sum, mut visits) = (0.0, 0.0);
                for child in seen {
                    let n = f64::from(tree.node(child).visits());
                    if top > 0.0 {
                        sum += n * libm::pow((share(self.worth(child)) / top).clamp(0.0, 1.0), p);
                    }
                    visits += n;
                }
                let mean = top * libm::pow(sum / visits, 1.0 / p);
                (visits > 0.0).then_some(match player {
                    Player::Max => self.range.lo + width * mean,
                    Player::Min => self.range.hi - width * mean,
                })
            }
            Backup::Mean | Backup::Minimax => {
                let better = |best, value| if player.prefers(value, best) { value } else { best };
                if self.options.solver {
                    return seen.map(|child| self.worth(child)).reduce(better);
                }
                let siblings = tree.siblings(children.start, children.len()).iter();
                siblings.filter(|node| node.visits() > 0).map(Node::mean).reduce(better)
            }
        }
    }
}
