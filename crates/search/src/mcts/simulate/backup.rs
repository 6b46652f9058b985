//! Step 4 of a simulation: what it tells the nodes on its path, from the last to the first.

use super::super::options::Backup;
use super::super::tree::{Index, ROOT};
use super::{HI, IMPLICIT, LO, SAME, STATIC, Visit, Worker};
use astragal_core::{Evaluator, Game, Interval, Player};

/// Visits and sum of a move as if it were the first.
pub(super) const RAVE_VISITS: usize = 0;
pub(super) const RAVE_SUM: usize = 1;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of a node that is known for certain.
    pub(super) fn solved(&self, index: Index) -> Option<f64> {
        let side = self.tree.bounds(index)?;
        let (lo, hi) = (side.get(LO), side.get(HI));
        (hi - lo <= SAME * self.range.width()).then_some(0.5 * (lo + hi))
    }

    /// Narrows the proved bounds of a node, and says whether that changed them.
    pub(super) fn narrow(&self, index: Index, bounds: Interval) -> bool {
        let Some(side) = self.tree.bounds(index) else { return false };
        let (lo, hi) = (side.get(LO), side.get(HI));
        // Rounding must not turn the bounds around.
        let raised = side.improve(LO, bounds.lo.min(hi), true);
        let lowered = side.improve(HI, bounds.hi.max(lo), false);
        raised || lowered
    }

    /// Step 4 at one node of the path; returns whether its bounds changed.
    pub(super) fn back_up(&mut self, at: usize, value: &mut f64, changed: bool) -> bool {
        let visit = self.path[at];
        let tree = self.tree;
        let node = tree.node(visit.index);
        let shared = tree.is_shared();
        let last = at + 1 == self.path.len();
        // At the last node nothing below it has been seen. Another thread may have changed other children at the same
        // time, so in a shared tree nobody relies on having been told.
        let changed = if last {
            changed
        } else {
            (changed || shared && self.options.solver) && self.back_up_bounds(visit, self.known[at].bounds)
        };
        if self.options.solver && !last {
            *value = self.told(at, *value);
        }
        // The variance of an action at the root is reported, and some rules ask for all.
        let square = at <= 1 || tree.keeps_squares();
        if shared && visit.index == ROOT {
            // All threads pass here and none asks: what they saw is added from time to time.
            self.root.0 += *value;
            self.root.1 += *value * *value;
            self.root.2 += 1;
            if self.placed && self.root_is_thrown {
                self.root_part.add(*value);
            }
        } else if let (Some(slot), Some(hot)) = (visit.via, &mut self.hot) {
            if !hot.add(slot, visit.index, *value, square, self.placed) {
                node.add_many(*value, 1);
                if square {
                    tree.add_square(visit.index, *value * *value);
                }
            }
        } else if visit.asked || last {
            node.add(*value, shared, visit.entered);
            if square {
                tree.add_square(visit.index, *value * *value);
            }
        }
        if last {
            return changed;
        }
        // The root of a shared tree hears its visits later, and what it is worth in the end.
        if self.options.backup != Backup::Mean
            && !(shared && visit.index == ROOT)
            && let Some(value) = self.combined(visit)
        {
            node.set_value(value);
        }
        if self.options.implicit > 0.0 {
            self.back_up_implicit(visit);
        }
        changed
    }

    /// What a simulation tells a node whose bounds are kept, given what it tells the child.
    ///
    /// A simulation may be sent to a child to learn about it, and not because it is the best, or the one that was drawn.
    /// Then the node hears the value of the child that it should have been.
    fn told(&self, at: usize, value: f64) -> f64 {
        let (visit, child) = (self.path[at], self.path[at + 1].index);
        let Some(player) = visit.decides else { return self.known[at].instead.unwrap_or(value) };
        let Some((first, count)) = self.tree.node(visit.index).children() else { return value };
        let known = (first..first + count)
            .filter(|&other| other != child)
            .filter_map(|other| self.solved(other))
            .reduce(|best, value| if player.prefers(value, best) { value } else { best });
        // The child has heard of this simulation already.
        let mean = if self.tree.node(child).visits() > 0 { self.worth(child) } else { value };
        known.filter(|&known| player.prefers(known, mean)).unwrap_or(value)
    }

    /// The mean of a node, as far as its proved bounds allow it.
    fn worth(&self, index: Index) -> f64 {
        let mean = self.tree.node(index).mean();
        self.tree.bounds(index).map_or(mean, |side| mean.max(side.get(LO)).min(side.get(HI)))
    }

    /// The value of a node by those of its children; none if none was visited.
    pub(super) fn combined(&self, visit: Visit) -> Option<f64> {
        let tree = self.tree;
        let (first, count) = tree.node(visit.index).children()?;
        let Some(player) = visit.decides else {
            // Outcomes count by their probabilities, those never drawn not at all.
            let outcomes = &self.outcomes[visit.listed()];
            let (mut sum, mut all) = (0.0, 0.0);
            for (place, child) in tree.edges(visit.index) {
                if tree.node(child).visits() > 0 {
                    sum += outcomes[place].weight * self.worth(child);
                    all += outcomes[place].weight;
                }
            }
            return (all > 0.0).then(|| sum / all);
        };
        let seen = (first..first + count).filter(|&child| tree.node(child).visits() > 0);
        match self.options.backup {
            Backup::Power { p } => {
                // From the side of the player, on [0, 1].
                let width = self.range.width();
                let share = |value: f64| match player {
                    Player::Max => (value - self.range.lo) / width,
                    Player::Min => (self.range.hi - value) / width,
                };
                // Beside the best child, so that no power is too small for a number.
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
            _ => seen
                .map(|child| self.worth(child))
                .reduce(|best, value| if player.prefers(value, best) { value } else { best }),
        }
    }

    fn back_up_implicit(&self, visit: Visit) {
        let tree = self.tree;
        let Some(side) = tree.values(visit.index) else { return };
        let Some((first, count)) = tree.node(visit.index).children() else { return };
        let value_of = |child: Index, cell: usize| tree.values(child).expect("values are kept").get(cell);
        let value = match visit.decides {
            Some(player) => (first..first + count)
                .map(|child| value_of(child, IMPLICIT))
                .reduce(|best, value| if player.prefers(value, best) { value } else { best })
                .unwrap_or(side.get(IMPLICIT)),
            // Outcomes that were never drawn keep their share of the static value.
            _ => {
                let outcomes = &self.outcomes[visit.listed()];
                let change = |(place, child): (usize, Index)| {
                    outcomes[place].weight * (value_of(child, IMPLICIT) - value_of(child, STATIC))
                };
                side.get(STATIC) + tree.edges(visit.index).map(change).sum::<f64>()
            }
        };
        side.set(IMPLICIT, value);
    }

    /// The bounds of a node by those of its children.
    fn back_up_bounds(&self, visit: Visit, known: Interval) -> bool {
        let tree = self.tree;
        let Some((first, count)) = tree.node(visit.index).children() else { return false };
        let bounds_of = |child: Index| {
            let side = tree.bounds(child).expect("bounds are kept");
            (side.get(LO), side.get(HI))
        };
        let bounds = match visit.decides {
            Some(player) => {
                let best = |a: f64, b: f64| if player == Player::Max { a.max(b) } else { a.min(b) };
                let all = (first..first + count).map(bounds_of);
                let (lo, hi) =
                    all.reduce(|a, b| (best(a.0, b.0), best(a.1, b.1))).expect("there are actions");
                Interval { lo, hi }
            }
            // An outcome that was never drawn may be worth anything that the game allows.
            _ => {
                let outcomes = &self.outcomes[visit.listed()];
                let (mut lo, mut hi, mut seen) = (0.0, 0.0, 0.0);
                for (place, child) in tree.edges(visit.index) {
                    let (weight, bounds) = (outcomes[place].weight, bounds_of(child));
                    lo += weight * bounds.0;
                    hi += weight * bounds.1;
                    seen += weight;
                }
                let unseen = (1.0 - seen).max(0.0);
                Interval { lo: lo + unseen * known.lo, hi: hi + unseen * known.hi }
            }
        };
        self.narrow(visit.index, bounds)
    }

    /// Every later action of the same player counts for the action as if it had been played here.
    pub(super) fn back_up_rave(&self, value: f64) {
        let mut made = 0;
        for visit in &self.path {
            let Some(player) = visit.decides else { continue };
            let Some((first, count)) = self.tree.node(visit.index).children() else { break };
            let later = self.heard.get(made..).unwrap_or(&[]);
            for at in 0..count.min(visit.count) {
                let action = self.actions[(visit.from + at) as usize];
                if later.iter().any(|&(who, what)| who == player && what == action)
                    && let Some(side) = self.tree.rave(first + at)
                {
                    side.add(RAVE_VISITS, 1.0, self.tree.is_shared());
                    side.add(RAVE_SUM, value, self.tree.is_shared());
                }
            }
            made += 1;
        }
    }
}
