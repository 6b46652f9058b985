//! Steps 1 and 2 of a simulation at a chance node: selects the next outcome and its child.

use super::options::ChanceRule;
use super::simulate::{Visit, Worker};
use super::tree::{Index, Node, SIDE_BY_SIDE};
use astragal_core::{Evaluator, Game, Stream, Weighted, unit};

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    /// The next child, with its outcome resolved; none if the node cannot be expanded, if the outcome has no
    /// child and memory is exhausted, or if widening allows none.
    pub(super) fn select_outcome(
        &mut self,
        state: &mut G::State,
        stream: &mut Stream,
    ) -> Option<(Index, &'a Node)> {
        let child = self.child_of_outcome(state, stream)?;
        Some((child, self.tree.node(child)))
    }

    fn child_of_outcome(&mut self, state: &mut G::State, stream: &mut Stream) -> Option<Index> {
        self.list_outcomes(state);
        self.counts.samples += 1;
        let visit = *self.here();
        let (index, count) = (visit.index, visit.listed().len());
        if visit.node.children().is_none() {
            self.expand(state);
        }
        let children = visit.node.children()?;
        let mut at = match self.chance_rule(index) {
            ChanceRule::Sample => draw(&self.outcomes[visit.listed()], unit(stream.bits())),
            ChanceRule::Even => self.most_lagging(&visit),
        };
        // Most searches need not know whether a contiguous child was drawn before.
        let mut child = if count > SIDE_BY_SIDE || self.options.solver || self.options.widening.is_some() {
            self.tree.child(index, at)
        } else {
            children.first().map(|first| first + at as u32)
        };
        if child.is_none() && self.is_wide_enough(index) {
            if self.options.widening.is_some_and(|widening| widening.unbiased) {
                self.game.resolve(state, self.outcomes[visit.listed()][at].item);
                return None;
            }
            let (kept, among) = self.draw_among_kept(&visit, stream)?;
            (at, child) = (kept, Some(among));
        }
        if let Some(value) = child.and_then(|child| self.solved(child)) {
            // The value of the drawn outcome is known, so the simulation continues where it can gain
            // information.
            self.known.last_mut().expect("the solver is on").instead = Some(value);
            at = self.least_known(&visit);
            child = self.tree.child(index, at);
            if child.is_none() && self.is_wide_enough(index) {
                return None;
            }
        }
        self.game.resolve(state, self.outcomes[visit.listed()][at].item);
        if child.is_some() {
            return child;
        }
        let value = self.keeps_values().then(|| self.heuristic(state));
        let mut block = self.block;
        let made = self.tree.add_child(&mut block, index, at, count, |child| {
            self.initialise(child, value);
        });
        self.block = block;
        made
    }

    /// The rule for a node. Solved outcomes get no more visits, so visits no longer count their draws.
    fn chance_rule(&self, index: Index) -> ChanceRule {
        let solved = |(_, child): (usize, Index)| self.solved(child).is_some();
        match self.options.chance {
            ChanceRule::Even if self.options.solver && self.tree.edges(index).any(solved) => {
                ChanceRule::Sample
            }
            rule => rule,
        }
    }

    /// The outcome whose visits lag furthest behind its probability.
    fn most_lagging(&mut self, visit: &Visit<'_>) -> usize {
        let outcomes = &self.outcomes[visit.listed()];
        self.drawn.clear();
        self.drawn.resize(outcomes.len(), 0);
        for (outcome, child) in self.tree.edges(visit.index) {
            self.drawn[outcome] = self.tree.tried(child);
        }
        let lag = |at: usize| outcomes[at].weight / f64::from(self.drawn[at] + 1);
        let mut most = 0;
        for at in 1..outcomes.len() {
            if lag(at) > lag(most) {
                most = at;
            }
        }
        most
    }

    /// Whether progressive widening has reached its limit of children.
    fn is_wide_enough(&self, index: Index) -> bool {
        self.options.widening.is_some_and(|widening| {
            let kept = self.tree.edges(index).count() as u64;
            kept >= widening.limit(self.tree.node(index).visits())
        })
    }

    /// Draws among the outcomes that have children, with renormalised probabilities; none if another thread
    /// has abandoned the only one.
    fn draw_among_kept(&self, visit: &Visit<'_>, stream: &mut Stream) -> Option<(usize, Index)> {
        let outcomes = &self.outcomes[visit.listed()];
        let kept = || self.tree.edges(visit.index);
        let all: f64 = kept().map(|(outcome, _)| outcomes[outcome].weight).sum();
        let mut number = unit(stream.bits()) * all;
        let passes = |&(outcome, _): &(usize, Index)| {
            number -= outcomes[outcome].weight;
            number < 0.0
        };
        kept().find(passes).or_else(|| kept().last())
    }
}

/// The outcome whose share of [0, 1) contains the number.
fn draw<T>(outcomes: &[Weighted<T>], number: f64) -> usize {
    let mut sum = 0.0;
    if outcomes.len() <= SIDE_BY_SIDE {
        // The branch would be unpredictable for a die, so this has none.
        let passed = |outcome: &Weighted<T>| {
            sum += outcome.weight;
            usize::from(number >= sum)
        };
        return outcomes.iter().map(passed).sum::<usize>().min(outcomes.len() - 1);
    }
    for (at, outcome) in outcomes.iter().enumerate() {
        sum += outcome.weight;
        if number < sum {
            return at;
        }
    }
    outcomes.len() - 1
}
