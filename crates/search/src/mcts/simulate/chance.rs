//! Steps 1 and 2 of a simulation at a chance node: which outcome is next, and the child that stands for it.

use super::super::options::ChanceRule;
use super::super::tree::{Index, NONE, ROOT, SIDE_BY_SIDE};
use super::{HI, LO, Visit, Worker, make_ready};
use astragal_core::{Evaluator, Game, Stream, Weighted, unit};

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Gives a chance node its children, or room for them.
    fn open_chance(&mut self, visit: &Visit, state: &G::State) -> bool {
        let tree = self.tree;
        let keeps_values = tree.values(ROOT).is_some();
        let mut values = Vec::new();
        if keeps_values && visit.count as usize <= SIDE_BY_SIDE {
            for at in visit.listed() {
                let mut next = state.clone();
                self.game.resolve(&mut next, self.outcomes[at].item);
                values.push(self.heuristic(&next));
            }
        }
        let value = |at: usize| keeps_values.then(|| values[at]);
        let bounds = self.bounds();
        let ready = |at: usize, child: Index| make_ready(tree, child, bounds, value(at));
        tree.expand_chance(&mut self.room, visit.index, visit.count as usize, ready)
    }

    /// Steps 1 and 2 at a chance node: the child that is next, with its outcome resolved; [`NONE`] if there is no room for
    /// the outcome, none if the node cannot be opened.
    pub(super) fn outcome(
        &mut self,
        visit: &mut Visit,
        state: &mut G::State,
        stream: &mut Stream,
    ) -> Option<Index> {
        visit.from = self.outcomes.len() as u32;
        self.game.outcomes(state, &mut self.outcomes);
        visit.count = self.outcomes.len() as u32 - visit.from;
        let count = visit.count as usize;
        self.counts.samples += 1;
        let index = visit.index;
        // Dice are thrown whatever was seen of the outcomes.
        self.asked = self.tree.tells(index, 1);
        let mut first = self.first(visit);
        if first.is_none() && (self.open_chance(visit, state) || self.is_open_soon(index)) {
            first = self.first(visit);
        }
        let first = first?;
        // Who counts visits to be fair to all outcomes wants to know those of all threads.
        if visit.view.is_none() && self.options.chance == ChanceRule::Sample && count <= SIDE_BY_SIDE {
            self.admit(index, visit.visits, first, count);
        }
        let outcomes = &self.outcomes[visit.listed()];
        // What is known needs no more visits, so visits say nothing of how often an outcome was drawn.
        let known = |(_, child): (usize, Index)| self.solved(child).is_some();
        let chance = match self.options.chance {
            ChanceRule::Even if self.options.solver && self.tree.edges(index).any(known) => {
                ChanceRule::Sample
            }
            rule => rule,
        };
        let mut at = match chance {
            ChanceRule::Sample => {
                let number = self.number(visit, stream);
                place_of(&self.outcomes[visit.listed()], number)
            }
            ChanceRule::Even => {
                self.taken.clear();
                self.taken.resize(count, 0);
                for (place, child) in self.tree.edges(index) {
                    let node = self.tree.node(child);
                    self.taken[place] = node.visits() + node.losses();
                }
                let lag = |at: usize| outcomes[at].weight / f64::from(self.taken[at] + 1);
                let mut most = 0;
                for at in 1..count {
                    if lag(at) > lag(most) {
                        most = at;
                    }
                }
                most
            }
        };
        // Whether a child that lies beside the others was drawn before is asked by few.
        let mut child = if count > SIDE_BY_SIDE || self.options.solver || self.options.widening.is_some() {
            self.tree.child(index, at)
        } else {
            Some(first + at as u32)
        };
        let outcomes = &self.outcomes[visit.listed()];
        if child.is_none()
            && let Some(widening) = self.options.widening
        {
            let kept = self.tree.edges(index).count() as u64;
            if kept >= widening.room(self.tree.node(index).visits()) {
                if widening.unbiased {
                    self.game.resolve(state, outcomes[at].item);
                    return Some(NONE);
                }
                // One of those that are kept, by their probabilities among themselves.
                let all: f64 = self.tree.edges(index).map(|(place, _)| outcomes[place].weight).sum();
                let mut number = unit(stream.bits()) * all;
                for (place, kept) in self.tree.edges(index) {
                    (at, child) = (place, Some(kept));
                    number -= outcomes[place].weight;
                    if number < 0.0 {
                        break;
                    }
                }
            }
        }
        if self.options.solver
            && let Some(value) = child.and_then(|child| self.solved(child))
        {
            self.known.last_mut().expect("bounds are proved").instead = Some(value);
            let unknown = self.least_known(visit);
            (at, child) = (unknown, self.tree.child(index, unknown));
            // Widening may have no room for it.
            let room = self.options.widening.map(|widening| widening.room(self.tree.node(index).visits()));
            if child.is_none() && room.is_some_and(|room| self.tree.edges(index).count() as u64 >= room) {
                return Some(NONE);
            }
        }
        let outcomes = &self.outcomes[visit.listed()];
        self.game.resolve(state, outcomes[at].item);
        if child.is_some() {
            return child;
        }
        let value = self.tree.values(index).is_some().then(|| self.heuristic(state));
        let (tree, bounds) = (self.tree, self.bounds());
        let ready = |child: Index| make_ready(tree, child, bounds, value);
        let made = tree.add_child(&mut self.room, index, at, count, ready);
        made.or(Some(NONE))
    }

    /// The outcome about which most is unknown, its probability counted.
    fn least_known(&self, visit: &Visit) -> usize {
        let outcomes = &self.outcomes[visit.listed()];
        let unknown = |at: usize| {
            let child = self.tree.child(visit.index, at).and_then(|child| self.tree.bounds(child));
            outcomes[at].weight * child.map_or(self.bounds().width(), |side| side.get(HI) - side.get(LO))
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
}

/// The place of the outcome in whose share of [0, 1) the number falls.
fn place_of<T>(outcomes: &[Weighted<T>], number: f64) -> usize {
    let mut sum = 0.0;
    if outcomes.len() <= SIDE_BY_SIDE {
        // A die: nobody can guess where the number falls, so nothing branches on it.
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
