//! The busiest nodes of a shared tree, as one thread sees them.
//!
//! Threads that write to the same memory wait for each other, and near the root all of them write to the same few nodes.
//! So a thread keeps to itself what it sees of the children of nodes with many visits. From time to time it adds this to
//! the tree and looks at what the others have added. A node with thousands of visits does not miss the last few dozen;
//! nodes with few visits are always shared, and there simulations under way count as lost.
//!
//! What is kept is kept ready for UCB1: most of a score changes only when its own child was visited, so that a choice among
//! many needs neither a division nor a square root for each.

use super::super::parts::Pile;
use super::super::tree::{Index, NONE, ROOT, Tree};
use super::choose::Logarithms;

/// A node is busy from so many visits on; from more, if threads seldom meet because each has throws of its own.
const BUSY: u32 = 32;
const BUSY_SELDOM: u32 = if cfg!(miri) { 16 } else { 64 };

/// The most visits that a thread keeps to itself at one node, and the least; in between the share of all visits.
const MOST: u32 = 256;
const LEAST: u32 = 8;
const SHARE: u32 = 4;

/// The logarithm of the number of nodes that a thread keeps in view.
const SLOTS: u32 = 12;

/// The place of a node, if it is in view.
#[inline]
fn place(index: Index) -> usize {
    (index.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS)) as usize
}

/// A child as this thread sees it.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// All visits and values, as far as they are known here.
    sum: f64,
    visits: u32,
    /// What the tree was not told yet.
    own_visits: u32,
    own_sum: f64,
}

/// What a child is chosen by, kept ready because it changes for one child at a time: its mean, and the square root of one
/// over its visits.
#[derive(Clone, Copy, Debug, Default)]
struct Merit {
    mean: f64,
    unsure: f64,
}

impl Merit {
    #[inline]
    fn new(sum: f64, visits: u32) -> Self {
        let share = 1.0 / f64::from(visits);
        Self { mean: sum * share, unsure: share.sqrt() }
    }
}

/// A busy node.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    index: Index,
    first: Index,
    /// Its visits when it came into view, or was looked at last.
    visits: u32,
    /// Visits until the tree is told and looked at again.
    left: u32,
    /// Where its children begin among all, how many they are (none if nobody asks what was seen of them), and how many there
    /// is room for.
    start: u32,
    count: u32,
    room: u32,
    /// How many children have no visits.
    untried: u32,
    /// The square root of the logarithm of all visits of children: right at each look, and a straight line in between, which
    /// grows so much with one visit.
    sqrt_log: f64,
    growth: f64,
}

/// The nodes that a thread keeps in view.
#[derive(Debug)]
pub(super) struct Hot {
    slots: Vec<Slot>,
    /// The children of all of them.
    children: Vec<Seen>,
    merits: Vec<Merit>,
    logarithms: Logarithms,
    /// Squares of values that the tree was not told yet, where they are wanted.
    squares: Vec<f64>,
    /// A node is busy from so many visits on.
    busy: u32,
    /// Whether the throws after the actions of the root are cut into parts, and then these actions.
    is_cut: bool,
    root: Vec<Action>,
    /// The part that this thread throws in.
    part: usize,
}

/// An action of the root, as this thread sees it.
#[derive(Clone, Copy, Debug)]
struct Action {
    /// What was seen in this thread's part, with the one value more, and what of it was not told yet.
    part: Pile,
    own: Pile,
    /// The mean of all parts is the first number and the second times that of this thread's part.
    base: f64,
    share: f64,
}

impl Hot {
    /// No node is in view yet. It matters whether the throws after the actions of the root are cut into parts, and whether
    /// threads seldom meet because of it.
    pub(super) fn new(is_cut: bool, seldom: bool) -> Self {
        let empty = Slot { index: NONE, ..Slot::default() };
        Self {
            slots: vec![empty; 1 << SLOTS],
            children: Vec::new(),
            merits: Vec::new(),
            logarithms: Logarithms::new(),
            squares: Vec::new(),
            busy: if seldom { BUSY_SELDOM } else { BUSY },
            is_cut,
            root: Vec::new(),
            part: 0,
        }
    }

    /// A node is busy from so many visits on.
    #[inline]
    pub(super) fn busy(&self) -> u32 {
        self.busy
    }

    /// This thread throws in another part from now on. What was seen until now belongs to the part before.
    pub(super) fn take_part(&mut self, tree: &Tree, part: usize) {
        let at = place(ROOT);
        if self.slots[at].index == ROOT {
            self.tell_of(tree, at);
            self.part = part;
            self.look(tree, at);
        }
        self.part = part;
    }

    /// The place of a node in view, and where its children begin in the tree. From time to time the tree is told what was
    /// seen of them, and looked at again.
    #[inline]
    pub(super) fn find(&mut self, tree: &Tree, index: Index) -> Option<(u32, Index)> {
        let at = place(index);
        let slot = &mut self.slots[at];
        if slot.index != index {
            return None;
        }
        let first = slot.first;
        slot.left -= 1;
        if slot.left == 0 {
            self.tell_of(tree, at);
            self.look(tree, at);
        }
        Some((at as u32, first))
    }

    /// Takes an open node with so many visits into view, if it is busy enough: where its children are, and those of them
    /// that are asked for, which lie side by side.
    #[inline]
    pub(super) fn admit(
        &mut self,
        tree: &Tree,
        index: Index,
        visits: u32,
        first: Index,
        count: usize,
    ) -> Option<u32> {
        let at = place(index);
        // The busier node stays.
        if visits < self.busy || visits <= self.slots[at].visits {
            return None;
        }
        self.tell_of(tree, at);
        let slot = &mut self.slots[at];
        if slot.room < count as u32 {
            // What another node had is too small; rooms of few sizes, so that not much is left behind.
            slot.room = (count as u32).next_power_of_two();
            slot.start = self.children.len() as u32;
            let end = self.children.len() + slot.room as usize;
            self.children.resize(end, Seen::default());
            self.merits.resize(end, Merit::default());
            self.squares.resize(end, 0.0);
        }
        (slot.index, slot.first, slot.count, slot.visits) = (index, first, count as u32, visits);
        self.look(tree, at);
        Some(at as u32)
    }

    /// The child that UCB1 selects, for who wants large values times `sign`.
    #[inline]
    pub(super) fn select(&self, slot: u32, sign: f64, c: f64) -> usize {
        let slot = &self.slots[slot as usize];
        let range = slot.start as usize..(slot.start + slot.count) as usize;
        if slot.untried > 0 {
            let untried = self.children[range].iter().position(|seen| seen.visits == 0);
            debug_assert!(untried.is_some(), "they are counted");
            return untried.unwrap_or(0);
        }
        let c = c * slot.sqrt_log;
        let mut best = (0, f64::NEG_INFINITY);
        for (at, merit) in self.merits[range].iter().enumerate() {
            let score = sign * merit.mean + c * merit.unsure;
            if score > best.1 {
                best = (at, score);
            }
        }
        best.0
    }

    /// Where a child is, as long as its node is in view.
    #[inline]
    fn at(&self, slot: u32, child: Index) -> Option<usize> {
        let slot = &self.slots[slot as usize];
        let at = child.wrapping_sub(slot.first);
        (at < slot.count).then(|| (slot.start + at) as usize)
    }

    /// Visits of a child, as far as they are known here.
    #[inline]
    pub(super) fn visits(&self, slot: u32, child: Index) -> u32 {
        self.at(slot, child).map_or(0, |at| self.children[at].visits)
    }

    /// Adds a value to a child, which came by a throw of this thread's part or not; false if its node is no longer in view.
    #[inline]
    pub(super) fn add(&mut self, slot: u32, child: Index, value: f64, square: bool, placed: bool) -> bool {
        let Some(at) = self.at(slot, child) else { return false };
        let (seen, slot) = (&mut self.children[at], &mut self.slots[slot as usize]);
        slot.untried -= u32::from(seen.visits == 0);
        seen.visits += 1;
        seen.own_visits += 1;
        seen.own_sum += value;
        seen.sum += value;
        if square {
            self.squares[at] += value * value;
        }
        if placed
            && slot.index == ROOT
            && let Some(action) = self.root.get_mut((child - slot.first) as usize)
        {
            // What is known of the other parts stays as it was.
            action.own.add(value);
            action.part.add(value);
            seen.sum = (action.base + action.share * action.part.mean()) * f64::from(seen.visits);
        }
        if slot.count > 1 {
            self.merits[at] = Merit::new(seen.sum, seen.visits);
            slot.sqrt_log += slot.growth;
        }
        true
    }

    /// Tells the tree what this thread has seen of the children of a node.
    fn tell_of(&mut self, tree: &Tree, at: usize) {
        let Slot { index, first, start, count, .. } = self.slots[at];
        for offset in 0..count {
            let (child, at) = (first + offset, (start + offset) as usize);
            let seen = self.children[at];
            if seen.own_visits > 0 {
                tree.node(child).add_many(seen.own_sum, seen.own_visits);
            }
            if self.squares[at] > 0.0 {
                tree.add_square(child, std::mem::take(&mut self.squares[at]));
            }
        }
        if let Some(parts) = tree.parts().filter(|_| self.is_cut && index == ROOT) {
            for (at, action) in self.root.iter_mut().enumerate().filter(|(_, action)| action.own.visits > 0) {
                parts.add(at, self.part, std::mem::take(&mut action.own));
            }
        }
    }

    /// Looks at what all threads have seen of the children of a node.
    fn look(&mut self, tree: &Tree, at: usize) {
        let slot = &mut self.slots[at];
        if slot.count == 0 {
            slot.left = u32::MAX;
            return;
        }
        let nodes = tree.siblings(slot.first, slot.count as usize);
        let range = slot.start as usize..(slot.start + slot.count) as usize;
        let children = &mut self.children[range.clone()];
        slot.visits = 0;
        for (seen, node) in children.iter_mut().zip(nodes) {
            *seen = Seen { visits: node.visits(), sum: node.sum(), ..Seen::default() };
            slot.visits += seen.visits;
        }
        slot.left = (slot.visits / SHARE).clamp(LEAST, MOST);
        if let Some(parts) = tree.parts().filter(|_| self.is_cut && slot.index == ROOT) {
            self.root.clear();
            for (at, (seen, node)) in children.iter_mut().zip(nodes).enumerate() {
                let sorted = parts.sorted(at, node);
                let (mean, part, share) = (sorted.mean(), sorted.part(self.part), sorted.share());
                seen.sum = mean * f64::from(seen.visits);
                let base = mean - share * part.mean();
                self.root.push(Action { part, own: Pile::default(), base, share });
            }
        }
        slot.untried = 0;
        for (merit, seen) in self.merits[range].iter_mut().zip(children) {
            slot.untried += u32::from(seen.visits == 0);
            *merit = Merit::new(seen.sum, seen.visits);
        }
        let sqrt_log = |visits: u32| self.logarithms.of(visits.max(1)).sqrt();
        slot.sqrt_log = sqrt_log(slot.visits);
        slot.growth = (sqrt_log(slot.visits + slot.left) - slot.sqrt_log) / f64::from(slot.left);
    }

    /// Tells the tree all that this thread has seen, at the end.
    pub(super) fn tell(mut self, tree: &Tree) {
        for at in 0..self.slots.len() {
            self.tell_of(tree, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::node::Node;
    use super::super::super::parts::Parts;
    use super::super::super::tree::{Keep, Room};
    use super::*;

    /// The children of a node in view, which are kept ready as they were seen.
    fn all_ready(hot: &Hot, slot: u32) -> &[Seen] {
        let Slot { start, count, .. } = hot.slots[slot as usize];
        let range = start as usize..(start + count) as usize;
        for (seen, merit) in hot.children[range.clone()].iter().zip(&hot.merits[range.clone()]) {
            let ready = Merit::new(seen.sum, seen.visits);
            assert!(seen.visits == 0 || (merit.mean, merit.unsure) == (ready.mean, ready.unsure), "{seen:?}");
        }
        &hot.children[range]
    }

    /// A node with the same place among those in view.
    fn rival(one: Index) -> Index {
        (one + 1..).find(|&other| place(other) == place(one)).expect("there are few places")
    }

    #[test]
    fn a_child_whose_node_went_out_of_view_is_told_to_the_tree() {
        let (tree, mut room) = (Tree::new(1 << 20, Keep::default(), true), Room::default());
        assert!(tree.expand(&mut room, ROOT, 2000, |_, _| {}));
        let first = tree.first(ROOT).unwrap();
        let (one, other) = (first, rival(first));
        let (early, late) = (first + 1000, first + 1003);
        for (before, after) in [(early, late), (late, early)] {
            let mut hot = Hot::new(false, false);
            assert!(hot.admit(&tree, one + 1, 100, first, 3).is_some(), "another that lies before it");
            let slot = hot.admit(&tree, one, 100, before, 3).expect("it is busy");
            assert!(hot.add(slot, before + 2, 1.0, true, false));
            assert_eq!(hot.admit(&tree, other, 200, after, 3), Some(slot), "the busier node comes into view");
            // What was seen before is in the tree, and what comes now has to go there.
            assert_eq!((tree.node(before + 2).sum(), tree.node(before + 2).visits()), (1.0, 1));
            assert!(!hot.add(slot, before + 2, 1.0, true, false));
            assert_eq!(hot.visits(slot, before + 2), 0);
        }
    }

    #[test]
    fn what_is_seen_of_the_root_counts_where_it_was_thrown() {
        let (tree, mut room) = (Tree::new(1 << 20, Keep::default(), true), Room::default());
        assert!(tree.expand(&mut room, ROOT, 2, |_, _| {}));
        let first = tree.first(ROOT).unwrap();
        for action in 0..2 {
            tree.node(first + action).add_many(10.0, 50);
        }
        tree.cut(2, 3);
        let mut hot = Hot::new(true, true);
        let slot = hot.admit(&tree, ROOT, 100, first, 2).expect("it is busy");
        let sorted = |at: u32| tree.parts().unwrap().sorted(at as usize, tree.node(first + at));
        let seen = |hot: &Hot, at: usize| all_ready(hot, slot)[at].sum;
        // Of the second action: a free throw, three in a part and one that is free all the same, and one in another part.
        assert!(hot.add(slot, first + 1, 1.0, true, false));
        assert_eq!(seen(&hot, 1), 11.0);
        hot.take_part(&tree, 2);
        assert_eq!(tree.node(first + 1).visits(), 51);
        for (value, placed) in [(2.0, true), (3.0, false), (4.0, true), (-5.0, true)] {
            assert!(hot.add(slot, first + 1, value, true, placed));
        }
        // What is seen is what all parts say together, but for what their weights gain.
        let apart = |hot: &Hot| seen(hot, 1) / 55.0 - sorted(1).mean();
        let before = apart(&hot);
        hot.take_part(&tree, 0);
        assert!(before.abs() > 1e-3 && before.abs() < 0.2 && apart(&hot).abs() < 1e-12, "{before}");
        // A part that was not thrown yet is as good as all that was seen, which is 15 / 55; with 6 it is better.
        let mean = sorted(1).mean() + sorted(1).share() * (0.5 * (6.0 + 15.0 / 55.0) - 15.0 / 55.0);
        assert!(hot.add(slot, first + 1, 6.0, true, true));
        assert!((seen(&hot, 1) - 56.0 * mean).abs() < 1e-12);
        // The first action is never followed by a throw.
        assert!(hot.add(slot, first, 7.0, true, false));
        assert!((seen(&hot, 0) - 17.0).abs() < 1e-12);
        hot.tell(&tree);
        let (parts, node) = (Parts::new(2, 3), Node::default());
        node.add_many(21.0, 56);
        parts.add(1, 2, Pile { sum: 1.0, visits: 3 });
        parts.add(1, 0, Pile { sum: 6.0, visits: 1 });
        assert_eq!(sorted(1), parts.sorted(1, &node));
        let node = Node::default();
        node.add_many(17.0, 51);
        assert_eq!(sorted(0), parts.sorted(0, &node));
    }

    #[test]
    fn what_is_kept_ready_selects_what_ucb1_does() {
        let (mut state, mut untried, mut looks) = (1_u64, 0, 0);
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        for trial in 0..200 {
            let (tree, mut room) = (Tree::new(1 << 20, Keep::default(), true), Room::default());
            assert!(tree.expand(&mut room, ROOT, 2000, |_, _| {}));
            let family = tree.first(ROOT).unwrap();
            let mut hot = Hot::new(false, trial % 2 == 0);
            let (sign, c) = (if trial % 3 == 0 { -1.0 } else { 1.0 }, [0.0, 0.7, 1.5][trial % 5 % 3]);
            // One node after another has the same place.
            for (node, first) in [(family, family + 1000), (rival(family), family + 1500)] {
                let count = 2 + draw(9);
                for child in first..first + count {
                    // The node is busy, though some children may never have been tried.
                    let visits = 32 * draw(1 << (trial % 8));
                    let visits = if trial % 4 == 0 && child > first { visits } else { visits + 32 };
                    let mean = f64::from(draw(2001)) / 1000.0 - 1.0;
                    tree.node(child).add_many(f64::from(visits) * mean, visits);
                }
                let slot = hot.admit(&tree, node, u32::MAX, first, count as usize).expect("it is busy");
                let mut since = 0;
                for _ in 0..100 + draw(700) {
                    let left = hot.slots[slot as usize].left;
                    assert_eq!(hot.find(&tree, node), Some((slot, first)));
                    if left == 1 {
                        (since, looks) = (0, looks + 1);
                    }
                    let (seen, at) = (all_ready(&hot, slot), hot.select(slot, sign, c));
                    if let Some(none) = seen.iter().position(|seen| seen.visits == 0) {
                        assert_eq!(at, none);
                        untried += 1;
                    } else {
                        let all: u32 = seen.iter().map(|seen| seen.visits).sum();
                        let (kept, exact) = (hot.slots[slot as usize].sqrt_log, f64::from(all).ln().sqrt());
                        let near = if since == 0 { 1e-11 } else { 2e-3 * exact };
                        assert!((kept - exact).abs() <= near, "{kept} {exact}");
                        let score = |seen: &Seen| {
                            let visits = f64::from(seen.visits);
                            sign * seen.sum / visits + c * kept / visits.sqrt()
                        };
                        let best = seen.iter().map(score).fold(f64::NEG_INFINITY, f64::max);
                        assert!((score(&seen[at]) - best).abs() < 1e-12);
                    }
                    assert!(hot.add(slot, first + at as u32, f64::from(draw(3)) - 1.0, false, false));
                    since += 1;
                    // Other threads see more at the same time.
                    if draw(8) == 0 {
                        tree.node(first + draw(count)).add_many(f64::from(draw(9)) - 4.0, 8);
                    }
                }
            }
        }
        assert!(untried > 50 && looks > 1000, "{untried} {looks}");
    }
}
