//! Star1: chance nodes with cutoffs as soon as their bounds decide them (*Monte Carlo \*-Minimax Search*,
//! section 2.1, algorithm 1; Ballard 1983).
//!
//! Value: `Σ pᵢ·vᵢ`, or the bound that left the window `[α, β]`. Not here: the bounds themselves, see
//! `sum.rs`, which also explains the error in the paper's listing.

use crate::Algorithm;
use crate::limits::Stopped;
use crate::outcomes::Outcomes;
use crate::rank::highest_first;
use crate::sum::Sum;
use crate::walk::{Known, Node, Walk};
use astragal_core::{Evaluator, Game, Interval, Step, Turn};

impl<G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'_, G, E, C> {
    /// The value of a chance state with several outcomes, which are on the stack from `from` on.
    pub(crate) fn star(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        window: Interval,
        from: usize,
    ) -> Result<f64, Stopped> {
        // 1. Bound the children before any is searched.
        let (base, mut sum) = self.begin_sum(state, node, window, from)?;
        // 2. Star2 probes them.
        if let Algorithm::Star2 { probes } = self.options.algorithm
            && let Some(bound) = self.probe_children(probes, node, from, base, &mut sum)?
        {
            return Ok(bound);
        }
        // 3. Search them one after another.
        self.search_children(node, from, base, &mut sum)
    }

    /// Pushes the bounds of the children of a chance node, and sums them. Finished games have known values,
    /// and the table may hold bounds of other children (the idea of StarETC, Veness & Blair 2007).
    fn begin_sum(
        &mut self,
        state: &G::State,
        node: Node<C::Place>,
        window: Interval,
        from: usize,
    ) -> Result<(usize, Sum), Stopped> {
        let base = self.bounds.len();
        for at in from..self.outcomes.len() {
            let child = self.resolved(state, at);
            let bounds = match self.game.turn(&child) {
                Turn::Over(payoff) => {
                    // Such a child is counted here, and not visited again.
                    self.enter()?;
                    Interval::point(self.finished(payoff))
                }
                _ if self.table_answers(node.depth) => self.known_bounds(&child, node.depth),
                _ => self.outlook(&child, node.depth).0,
            };
            self.bounds.push(bounds);
            self.probed.push(None);
            self.children.push(child);
        }
        let limits = self.game.bounds(state);
        Ok((base, Sum::new(window, limits, &self.outcomes[from..], &self.bounds[base..])))
    }

    /// Searches the children without exact values until the node is decided: lines 5 to 13 of algorithm 1 and
    /// 16 to 24 of algorithm 2.
    fn search_children(
        &mut self,
        node: Node<C::Place>,
        from: usize,
        base: usize,
        sum: &mut Sum,
    ) -> Result<f64, Stopped> {
        let count = self.outcomes.len() - from;
        let main = self.likeliest(from);
        if let Some(bound) = self.decided(from, base, sum) {
            return Ok(bound);
        }
        let first = self.push_order(from, base);
        for rank in 0..count {
            let index = self.order[first + self.nth_outcome(rank, count)] as usize;
            let known = self.bounds[base + index];
            if known.is_point() {
                if index == main {
                    self.variation.begin(node.slot.next());
                    self.variation.extend(node.slot, Step::Outcome(self.outcomes[from + index].item));
                }
                continue;
            }
            let child = self.children[base + index].clone();
            let below = Self::after_outcome(node, index, index == main);
            let weight = self.outcomes[from + index].weight;
            let window = sum.window_of(weight, known);
            let hints = Known { bounds: Some(known), probed: self.probed[base + index] };
            let value = self.value_knowing(&child, below, window, hints)?;
            sum.learn(weight, &mut self.bounds[base + index], window.verdict(value, &known));
            if let Some(bound) = self.decided(from, base, sum) {
                return Ok(bound);
            }
            if !self.bounds[base + index].is_point() {
                // The child left its window, yet rounding leaves the node undecided. The slack of the window
                // makes this all but impossible, and another search makes it harmless.
                let known = self.bounds[base + index];
                let value = self.value(&child, below, known)?;
                sum.learn(weight, &mut self.bounds[base + index], known.verdict(value, &known));
                if let Some(bound) = self.decided(from, base, sum) {
                    return Ok(bound);
                }
            }
            if index == main {
                self.variation.extend(node.slot, Step::Outcome(self.outcomes[from + index].item));
            }
        }
        Ok(sum.value(&self.outcomes[from..], &self.bounds[base..]))
    }

    /// Pushes the indices of the outcomes in search order, the child that contributes most uncertainty first:
    /// it is the most likely to decide the node. Returns where they begin.
    fn push_order(&mut self, from: usize, base: usize) -> usize {
        let first = self.order.len();
        let count = self.outcomes.len() - from;
        self.order.extend(0..count as u32);
        if self.options.horizon {
            let children = self.outcomes[from..].iter().zip(&self.bounds[base..]);
            self.doubts.clear();
            self.doubts.extend(children.map(|(outcome, bounds)| outcome.weight * bounds.width()));
            highest_first(&mut self.order[first..], &self.doubts);
        }
        first
    }

    /// The bound that decides a chance node, if any; counts it as a cut.
    #[inline]
    pub(crate) fn decided(&mut self, from: usize, base: usize, sum: &mut Sum) -> Option<f64> {
        let bound = sum.decided(&self.outcomes[from..], &self.bounds[base..])?;
        self.counts.cuts += u64::from(self.bounds[base..].iter().any(|child| !child.is_point()));
        Some(bound)
    }
}
