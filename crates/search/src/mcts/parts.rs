//! Who throws what in a shared tree: each thread has faces of the first die for itself.
//!
//! Threads that search below the same nodes wait for each other's memory. Dice are the way out: the numbers of the first
//! throw after the root are cut into parts, each thread throws as a rule in one of them, and then threads seldom meet. But
//! what was seen in one part says nothing of the others, and a fast thread sees more than a slow one. So what is seen of an
//! action of the root is summed up by part, and its value is the mean over the parts, each with the same weight whatever the
//! number of its simulations. Throws that are not of a part, as in the first simulations of each thread, are free: they may
//! show any face.

use super::node::Node;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most parts. With more each would be seen too seldom, in a search with many actions.
const MOST: usize = 4;

/// How many more simulations a part may have than another before others throw for it.
const AHEAD: u64 = 64;

/// How many simulations of a part a thread takes: as many as of all.
pub(super) const PIECE: u64 = super::BLOCK;

/// Values that were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pile {
    pub(super) sum: f64,
    pub(super) visits: u32,
}

impl Pile {
    #[inline]
    pub(super) fn add(&mut self, value: f64) {
        self.sum += value;
        self.visits += 1;
    }

    /// What a node has seen. Another thread may have told it of values whose number it tells next.
    fn of(node: &Node) -> Self {
        let visits = node.visits();
        if visits == 0 { Self::default() } else { Self { sum: node.sum(), visits } }
    }

    /// The mean; 0 of nothing.
    #[inline]
    pub(super) fn mean(self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// What was seen of an action, or of a root that is a throw: by free throws, and by those of each part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sorted {
    free: Pile,
    parts: [Pile; MOST],
    count: usize,
}

impl Sorted {
    /// The mean.
    ///
    /// To each of the `T` parts belongs one value more, which is the mean of all that was seen. So a part that was not thrown
    /// yet is as good as the others, and what is known of those is not lost. Unequal parts weigh less than their number,
    /// beside free throws: as much as `T² / Σ 1/n`, which is all of them if they have the same `n`.
    pub(super) fn mean(&self) -> f64 {
        if self.all().visits == self.free.visits {
            return self.free.mean();
        }
        let means: f64 = (0..self.count).map(|part| self.mean_of(part)).sum();
        let (worth, count) = (self.worth(1), self.count as f64);
        (self.free.sum + means / count * worth) / (f64::from(self.free.visits) + worth)
    }

    /// By how much the mean changes with that of one part.
    pub(super) fn share(&self) -> f64 {
        let worth = self.worth(1);
        worth / (f64::from(self.free.visits) + worth) / self.count as f64
    }

    /// So many free throws would say as much. Parts say nothing as long as one is missing.
    pub(super) fn weight(&self) -> f64 {
        f64::from(self.free.visits) + self.worth(0)
    }

    /// What all parts are worth, with some values more for each.
    fn worth(&self, more: u32) -> f64 {
        let shares: f64 = self.parts[..self.count]
            .iter()
            .map(|part| 1.0 / (f64::from(part.visits) + f64::from(more)))
            .sum();
        (self.count * self.count) as f64 / shares
    }

    /// A part, with the one value more.
    pub(super) fn part(&self, part: usize) -> Pile {
        let Pile { sum, visits } = self.parts[part];
        Pile { sum: sum + self.all().mean(), visits: visits + 1 }
    }

    fn mean_of(&self, part: usize) -> f64 {
        self.part(part).mean()
    }

    /// All that was seen, whatever its part.
    fn all(&self) -> Pile {
        let both = |a: Pile, b: &Pile| Pile { sum: a.sum + b.sum, visits: a.visits + b.visits };
        self.parts.iter().fold(self.free, both)
    }
}

/// What was seen of every action of the root, or of a root that is a throw, by part.
#[derive(Debug)]
pub(super) struct Parts {
    /// For each part all actions.
    seen: Box<[Box<[Node]>]>,
    /// Simulations that were taken of each part.
    taken: Box<[AtomicU64]>,
}

impl Parts {
    pub(super) fn new(actions: usize, threads: usize) -> Self {
        let parts = threads.clamp(1, MOST);
        let nodes = |_: usize| (0..actions).map(|_| Node::default()).collect();
        Self { seen: (0..parts).map(nodes).collect(), taken: (0..parts).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The part for the next simulations of a thread: its own, unless another has fallen behind.
    pub(super) fn take(&self, thread: usize) -> usize {
        let (taken, own) =
            (|part: usize| self.taken[part].load(Ordering::Relaxed), thread % self.taken.len());
        let (least, last) = (0..self.taken.len()).map(|part| (taken(part), part)).min().unwrap_or((0, own));
        let part = if taken(own) > least + AHEAD { last } else { own };
        self.taken[part].fetch_add(PIECE, Ordering::Relaxed);
        part
    }

    /// A number from [0, 1) in a part of it; at the end of a part it may be rounded up.
    #[inline]
    pub(super) fn place(&self, part: usize, number: f64) -> f64 {
        (part as f64 + number) / self.taken.len() as f64
    }

    /// Adds what was seen of an action in a part.
    pub(super) fn add(&self, action: usize, part: usize, pile: Pile) {
        self.seen[part][action].add_many(pile.sum, pile.visits);
    }

    /// What was seen of an action, given the node that has seen all.
    ///
    /// While other threads add to them, node and parts may differ by what is under way, as the sum and the visits of any
    /// node may.
    pub(super) fn sorted(&self, action: usize, all: &Node) -> Sorted {
        let mut sorted = Sorted { free: Pile::of(all), parts: Default::default(), count: self.seen.len() };
        for (pile, actions) in sorted.parts.iter_mut().zip(&self.seen) {
            *pile = Pile::of(&actions[action]);
            sorted.free.visits = sorted.free.visits.saturating_sub(pile.visits);
            sorted.free.sum -= pile.sum;
        }
        if sorted.free.visits == 0 {
            // Nothing but rounding is left.
            sorted.free.sum = 0.0;
        }
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_weight_whatever_its_number() {
        let (parts, all) = (Parts::new(2, 2), Node::default());
        let see = |part: Option<usize>, sum: f64, visits: u32| {
            all.add_many(sum, visits);
            if let Some(part) = part {
                parts.add(1, part, Pile { sum, visits });
            }
        };
        let is = |mean: f64, weight: f64| {
            let sorted = parts.sorted(1, &all);
            assert!((sorted.mean() - mean).abs() < 1e-12, "{sorted:?} {mean}");
            assert!((sorted.weight() - weight).abs() < 1e-9 * weight, "{sorted:?} {weight}");
        };
        let sorted = parts.sorted(1, &all);
        assert_eq!((sorted.mean(), sorted.weight()), (0.0, 0.0));
        // Free throws are a plain mean.
        see(None, 1.0, 4);
        is(0.25, 4.0);
        // Nine throws of the first part: the mean of all is 10 / 13. The other part is worth that, and this one
        // (9 + 10/13) / 10; beside the four they weigh 4 / (1/10 + 1) = 40 / 11, and are sure of nothing.
        see(Some(0), 9.0, 9);
        let (raw, worth) = (10.0 / 13.0, 40.0 / 11.0);
        let both = 0.5 * ((9.0 + raw) / 10.0 + raw);
        is((1.0 + both * worth) / (4.0 + worth), 4.0);
        // The mean changes with that of the first part as the share says.
        let sorted = parts.sorted(1, &all);
        assert!((sorted.share() - 0.5 * worth / (4.0 + worth)).abs() < 1e-12);
        assert_eq!(sorted.part(0), Pile { sum: 9.0 + raw, visits: 10 });
        // Many more of each: half of the values are -3 whatever their number, and the others 1.
        see(Some(0), 1e6 - 9.0, 999_991);
        see(Some(1), -3e5, 100_000);
        let sorted = parts.sorted(1, &all);
        assert!((sorted.mean() + 1.0).abs() < 1e-4, "{}", sorted.mean());
        assert!((sorted.weight() - (4.0 + 4.0 / (1e-6 + 1e-5))).abs() < 1e-6, "{}", sorted.weight());
        // The other action has seen nothing.
        assert_eq!(parts.sorted(0, &Node::default()).mean(), 0.0);
    }

    #[test]
    fn no_part_falls_behind() {
        // The third thread does nothing, and the first is twice as fast as the second.
        let parts = Parts::new(1, 3);
        let mut taken = [0; 3];
        for step in 0..1000 {
            taken[parts.take(usize::from(step % 3 == 0))] += PIECE;
            let (least, most) = (taken.iter().min().unwrap(), taken.iter().max().unwrap());
            assert!(most - least <= AHEAD + PIECE, "{taken:?}");
        }
        assert_eq!(parts.place(2, 0.5), 2.5 / 3.0);
        // Many threads share few parts.
        assert!((0..64).all(|thread| Parts::new(1, 64).take(thread) == thread % MOST));
    }
}
