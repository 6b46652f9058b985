//! Step 4 of a simulation: the update of each node on its path.

use super::options::Backup;
use super::simulate::{Visit, Worker};
use super::tree::{Node, ROOT};
use astragal_core::{Evaluator, Game, Player};

/// Nodes at the start of a path whose squared values are always kept: the report gives the deviation of each
/// root action.
const SQUARES: usize = 2;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Step 4, if every node of the path is updated with the same value and nothing else, apart from RAVE.
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

    /// Step 4 at one node of the path, called from the last to the first; returns whether its bounds were
    /// narrowed.
    pub(super) fn back_up(&mut self, at: usize, value: &mut f64, narrowed: bool) -> bool {
        let visit = self.path[at];
        let tree = self.tree;
        let shared = tree.is_shared();
        let is_leaf = at + 1 == self.path.len();
        // In a shared tree other threads may have narrowed other children, so bounds are always recomputed.
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

    /// The value of a node from those of its children; none if no child was visited.
    fn combined(&self, visit: &Visit<'_>) -> Option<f64> {
        let tree = self.tree;
        let Some(player) = visit.player else {
            // Outcomes are weighted by probability; those never drawn are left out.
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
                // From the player's perspective, on [0, 1].
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
