//! The bounds of a chance node: the functions pess, opti, childAlpha and childBeta of *Monte Carlo \*-Minimax
//! Search*, section 2.1, updated incrementally.
//!
//! The value of the node is `Σ pᵢ·vᵢ` with `vᵢ` in `[lᵢ, uᵢ]`, so it lies between the sums `pess = Σ pᵢ·lᵢ`
//! and `opti = Σ pᵢ·uᵢ`. The node is decided when opti ≤ α or pess ≥ β. Until then, only values of child i
//! above `(α − opti + pᵢ·uᵢ)/pᵢ` and below `(β − pess + pᵢ·lᵢ)/pᵢ` leave it undecided: that is the child's
//! window.
//!
//! The paper's listing compares a child's value with its window *after* clipping it to the range of the game,
//! and so mistakes a won game for a cut. Here the comparison is always that of pess with β and of opti with
//! α. It uses sums in outcome order, which bound the rounded value exactly (see the crate's documentation);
//! the incremental sums only indicate when the comparison is worth making.

use astragal_core::{Interval, Weighted};

/// A chance node under a window: its bounds, from those of its children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum {
    window: Interval,
    limits: Interval,
    pess: f64,
    opti: f64,
    /// An upper bound of the total rounding error of the incremental sums.
    slack: f64,
}

impl Sum {
    /// A node with this window, whose value is known to lie within `limits`.
    pub(crate) fn new<T>(
        window: Interval,
        limits: Interval,
        outcomes: &[Weighted<T>],
        children: &[Interval],
    ) -> Self {
        let slack = rounding(limits, outcomes.len());
        let mut sum = Self { window, limits, pess: 0.0, opti: 0.0, slack };
        sum.pess = sum.pessimistic(outcomes, children);
        sum.opti = sum.optimistic(outcomes, children);
        sum
    }

    fn pessimistic<T>(&self, outcomes: &[Weighted<T>], children: &[Interval]) -> f64 {
        self.limits
            .clamp(outcomes.iter().zip(children).fold(0.0, |sum, (o, child)| sum + o.weight * child.lo))
    }

    fn optimistic<T>(&self, outcomes: &[Weighted<T>], children: &[Interval]) -> f64 {
        self.limits
            .clamp(outcomes.iter().zip(children).fold(0.0, |sum, (o, child)| sum + o.weight * child.hi))
    }

    /// The bound that decides the node, if it is decided.
    #[inline]
    pub(crate) fn decided<T>(&mut self, outcomes: &[Weighted<T>], children: &[Interval]) -> Option<f64> {
        if self.opti <= self.window.lo + self.slack {
            self.opti = self.optimistic(outcomes, children);
            if self.opti <= self.window.lo {
                return Some(self.opti);
            }
        }
        if self.pess >= self.window.hi - self.slack {
            self.pess = self.pessimistic(outcomes, children);
            if self.pess >= self.window.hi {
                return Some(self.pess);
            }
        }
        None
    }

    /// The paper's childAlpha and childBeta before they are clipped, moved outwards by `slack`.
    #[inline]
    fn unclipped(&self, weight: f64, child: Interval, slack: f64) -> (f64, f64) {
        let lo = (self.window.lo - slack - (self.opti - weight * child.hi)) / weight;
        let hi = (self.window.hi + slack - (self.pess - weight * child.lo)) / weight;
        (lo, hi)
    }

    /// The window in which the value of a child leaves the node undecided. It lies within the bounds of the
    /// child, and is slightly too wide, so that a value outside decides the node despite rounding.
    #[inline]
    pub(crate) fn window_of(&self, weight: f64, child: Interval) -> Interval {
        let (lo, hi) = self.unclipped(weight, child, self.slack);
        let (lo, hi) = (lo.max(child.lo), hi.min(child.hi));
        if lo < hi { Interval { lo, hi } } else { child }
    }

    /// Updates the sums with tighter bounds of a child.
    #[inline]
    pub(crate) fn learn(&mut self, weight: f64, child: &mut Interval, tighter: Interval) {
        self.pess += weight * (tighter.lo - child.lo);
        self.opti += weight * (tighter.hi - child.hi);
        *child = tighter;
    }

    /// The value of the node once all children have exact values: the plain sum in outcome order.
    pub(crate) fn value<T>(&self, outcomes: &[Weighted<T>], children: &[Interval]) -> f64 {
        debug_assert!(children.iter().all(Interval::is_point), "a child is not known");
        self.pessimistic(outcomes, children)
    }
}

/// An upper bound of the total rounding error of an incremental sum of `count` weighted values within limits.
#[inline]
pub(crate) fn rounding(limits: Interval, count: usize) -> f64 {
    limits.lo.abs().max(limits.hi.abs()) * f64::EPSILON * (4 * count + 16) as f64
}

/// The state of a chance node under a window, given the bounds of its children.
#[derive(Clone, Debug, PartialEq)]
pub struct ChanceBounds {
    /// The bounds of the node's value: the paper's pess and opti.
    pub value: Interval,
    /// The bound returned by a cut, if the node is decided.
    pub cut: Option<f64>,
    /// For each child the paper's childAlpha and childBeta, not clipped to the bounds of the child.
    pub windows: Vec<(f64, f64)>,
}

/// The bounds of a chance node whose children have these probabilities and bounds, as computed by Star1 and
/// Star2, exposed for inspection. `limits` contains every value of the node.
///
/// # Panics
/// If the numbers of weights and children differ.
#[must_use]
pub fn chance_bounds(
    window: Interval,
    limits: Interval,
    weights: &[f64],
    children: &[Interval],
) -> ChanceBounds {
    assert_eq!(weights.len(), children.len(), "contract: a weight for each child");
    let outcomes: Vec<Weighted<()>> = weights.iter().map(|&weight| Weighted { item: (), weight }).collect();
    let mut sum = Sum::new(window, limits, &outcomes, children);
    let windows = weights.iter().zip(children).map(|(&weight, &child)| sum.unclipped(weight, child, 0.0));
    let windows = windows.collect();
    ChanceBounds {
        value: Interval { lo: sum.pess, hi: sum.opti },
        cut: sum.decided(&outcomes, children),
        windows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Interval = Interval { lo: -10.0, hi: 10.0 };

    fn even(count: usize) -> Vec<Weighted<()>> {
        vec![Weighted { item: (), weight: 1.0 / count as f64 }; count]
    }

    fn close(found: (f64, f64), lo: f64, hi: f64) {
        assert!(
            (found.0 - lo).abs() < 1e-12 && (found.1 - hi).abs() < 1e-12,
            "{found:?} is not [{lo}, {hi}]"
        );
    }

    #[test]
    fn figure_1_of_the_paper() {
        const THIRD: f64 = 1.0 / 3.0;
        let outcomes = even(3);
        let mut children = [RANGE; 3];
        let mut sum = Sum::new(Interval::new(4.0, 5.0), RANGE, &outcomes, &children);
        assert_eq!(sum.decided(&outcomes, &children), None);
        close(sum.unclipped(THIRD, RANGE, 0.0), -8.0, 35.0);
        let window = sum.window_of(THIRD, RANGE);
        close((window.lo, window.hi), -8.0, 10.0);
        sum.learn(THIRD, &mut children[0], Interval::point(2.0));
        assert_eq!(sum.decided(&outcomes, &children), None);
        close((sum.pess, sum.opti), -6.0, 22.0 / 3.0);
        // The paper prints α′ = (3α − 12)/p, but the 3 already includes p: α′ = 3α − 12.
        close(sum.unclipped(THIRD, RANGE, 0.0), 3.0 * 4.0 - 12.0, 23.0);
        let window = sum.window_of(THIRD, RANGE);
        close((window.lo, window.hi), 0.0, 10.0);
    }

    #[test]
    fn a_node_is_decided_only_by_its_own_window() {
        // Two outcomes, both worth the maximum: the first alone does not decide the node.
        let outcomes = even(2);
        let mut children = [RANGE; 2];
        let mut sum = Sum::new(RANGE, RANGE, &outcomes, &children);
        sum.learn(0.5, &mut children[0], Interval::point(10.0));
        assert_eq!(sum.decided(&outcomes, &children), None);
        sum.learn(0.5, &mut children[1], Interval::point(10.0));
        assert_eq!(sum.value(&outcomes, &children), 10.0);
    }

    #[test]
    fn a_value_beyond_the_window_of_a_child_decides_the_node() {
        let outcomes = even(3);
        for (value, bound) in [(-8.5, (-8.5 + 20.0) / 3.0), (-9.0, (-9.0 + 20.0) / 3.0)] {
            let mut children = [RANGE; 3];
            let mut sum = Sum::new(Interval::new(4.0, 5.0), RANGE, &outcomes, &children);
            let window = sum.window_of(1.0 / 3.0, RANGE);
            sum.learn(1.0 / 3.0, &mut children[0], window.verdict(value, &RANGE));
            let decided = sum.decided(&outcomes, &children).unwrap();
            assert!((decided - bound).abs() < 1e-12 && decided <= 4.0);
        }
    }
}
