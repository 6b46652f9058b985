//! The solver: proved bounds of values, which cut off actions and may end the search.
//!
//! After Cazenave & Saffidine (2010), extended to chance nodes: the bounds of a chance node are the means
//! over its outcomes, where outcomes never drawn have the bounds that the game guarantees.

use super::simulate::{Visit, Worker};
use super::tree::{Index, Tree};
use astragal_core::{Evaluator, Game, Interval, Player};

pub(super) const LO: usize = 0;
pub(super) const HI: usize = 1;

/// Bounds this close, relative to the range, count as equal: sums of weights round.
pub(super) const SAME: f64 = 1e-9;

/// The solver's data for a node on the path of a simulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded {
    /// The bounds of its value that the game guarantees.
    pub(super) bounds: Interval,
    /// The value of the drawn outcome, if it is solved and the simulation continues at another one.
    pub(super) instead: Option<f64>,
}

/// The children of a node that may be best, by their proved bounds.
#[derive(Debug, Default)]
pub(super) struct Contenders {
    /// The bounds of all candidates, from the player's perspective; empty if no bounds are kept.
    bounds: Vec<(f64, f64)>,
    /// The candidate with the best lower bound, and that bound.
    best: (usize, f64),
    slack: f64,
    /// Whether some unsolved candidate can exceed that bound.
    contested: bool,
}

impl Contenders {
    /// Reads the bounds of the children, each once: other threads may narrow them at any moment.
    pub(super) fn read(
        &mut self,
        tree: &Tree,
        children: impl Iterator<Item = Index>,
        player: Player,
        slack: f64,
    ) {
        self.bounds.clear();
        (self.best, self.slack) = ((0, f64::NEG_INFINITY), slack);
        for side in children.map_while(|child| tree.bounds(child)) {
            let (lo, hi) = (side.get(LO), side.get(HI));
            let (lo, hi) = if player == Player::Max { (lo, hi) } else { (-hi, -lo) };
            if lo > self.best.1 {
                self.best = (self.bounds.len(), lo);
            }
            self.bounds.push((lo, hi));
        }
        self.contested = (0..self.bounds.len()).any(|nth| self.contends(nth));
    }

    /// A solved child yields no information, and one that cannot exceed the best lower bound is pruned.
    fn contends(&self, nth: usize) -> bool {
        let (lo, hi) = self.bounds[nth];
        hi > self.best.1 + self.slack && hi - lo > self.slack
    }

    /// Whether selection skips a candidate. If nothing is contested, only the one with the best bound
    /// remains.
    pub(super) fn excludes(&self, nth: usize) -> bool {
        !self.bounds.is_empty() && if self.contested { !self.contends(nth) } else { nth != self.best.0 }
    }

    /// Clamps a mean to the bounds of the candidate.
    pub(super) fn clamp(&self, nth: usize, mean: f64) -> f64 {
        self.bounds.get(nth).map_or(mean, |&(lo, hi)| mean.max(lo).min(hi))
    }
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of a node, if it is proved.
    #[inline]
    pub(super) fn solved(&self, index: Index) -> Option<f64> {
        let side = self.tree.bounds(index)?;
        let (lo, hi) = (side.get(LO), side.get(HI));
        (hi - lo <= SAME * self.range.width()).then_some(0.5 * (lo + hi))
    }

    pub(super) fn set_bounds(&self, index: Index, bounds: Interval) {
        if let Some(side) = self.tree.bounds(index) {
            side.set(LO, bounds.lo);
            side.set(HI, bounds.hi);
        }
    }

    /// Narrows the proved bounds of a node and returns whether they changed.
    #[inline]
    pub(super) fn narrow(&self, index: Index, bounds: Interval) -> bool {
        let Some(side) = self.tree.bounds(index) else { return false };
        let (lo, hi) = (side.get(LO), side.get(HI));
        // Rounding must not make the bounds cross.
        let raised = side.improve(LO, bounds.lo.min(hi), true);
        let lowered = side.improve(HI, bounds.hi.max(lo), false);
        raised || lowered
    }

    /// Selection at a chance node: the outcome with the widest bounds, weighted by probability.
    pub(super) fn least_known(&self, visit: &Visit<'_>) -> usize {
        let outcomes = &self.outcomes[visit.listed()];
        let bounds = self.known.last().expect("the solver is on").bounds;
        let unknown = |at: usize| {
            let child = self.tree.child(visit.index, at).and_then(|child| self.tree.bounds(child));
            outcomes[at].weight * child.map_or(bounds.width(), |side| side.get(HI) - side.get(LO))
        };
        let mut most = (0, f64::NEG_INFINITY);
        for at in 0..outcomes.len() {
            let unknown = unknown(at);
            if unknown > most.1 {
                most = (at, unknown);
            }
        }
        most.0
    }

    /// Backup: narrows the bounds of a node of the path by those of its children; returns whether they
    /// changed.
    pub(super) fn back_up_bounds(&self, at: usize) -> bool {
        let (tree, visit, known) = (self.tree, &self.path[at], self.known[at].bounds);
        if visit.node.children().is_none() {
            return false;
        }
        let bounds_of = |child: Index| {
            let side = tree.bounds(child).expect("bounds are kept");
            (side.get(LO), side.get(HI))
        };
        let bounds = match visit.player {
            Some(player) => {
                let best = |a: f64, b: f64| if player == Player::Max { a.max(b) } else { a.min(b) };
                let all = tree.children(visit.node).into_iter().flatten().map(bounds_of);
                let (lo, hi) =
                    all.reduce(|a, b| (best(a.0, b.0), best(a.1, b.1))).expect("there are actions");
                Interval { lo, hi }
            }
            None => {
                let outcomes = &self.outcomes[visit.listed()];
                let (mut lo, mut hi, mut seen) = (0.0, 0.0, 0.0);
                for (outcome, child) in tree.edges(visit.index) {
                    let (weight, bounds) = (outcomes[outcome].weight, bounds_of(child));
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

    /// Backup: the value that a simulation adds to a node, given the value it added to the child.
    ///
    /// A simulation may visit a child for information, although it is neither the best nor the one drawn. The
    /// node is then updated with the value of the child that should have been visited.
    pub(super) fn corrected(&self, at: usize, value: f64) -> f64 {
        let (visit, child) = (self.path[at], self.path[at + 1].index);
        let Some(player) = visit.player else { return self.known[at].instead.unwrap_or(value) };
        let Some(children) = self.tree.children(visit.node) else { return value };
        let known = children
            .filter(|&other| other != child)
            .filter_map(|other| self.solved(other))
            .reduce(|best, value| if player.prefers(value, best) { value } else { best });
        // The child already includes this simulation.
        let mean = if self.tree.node(child).visits() > 0 { self.worth(child) } else { value };
        known.filter(|&known| player.prefers(known, mean)).unwrap_or(value)
    }

    /// The mean of a node, clamped to its proved bounds.
    pub(super) fn worth(&self, index: Index) -> f64 {
        let mean = self.tree.node(index).mean();
        self.tree.bounds(index).map_or(mean, |side| mean.max(side.get(LO)).min(side.get(HI)))
    }
}
