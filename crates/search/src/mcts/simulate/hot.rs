//! The busiest nodes of a shared tree, as one thread sees them.
//!
//! Threads that write to the same memory wait for each other, and near the root all of them write to the same few nodes.
//! So a thread keeps to itself what it sees of the children of nodes with many visits. From time to time it adds this to
//! the tree and looks at what the others have added. A node with thousands of visits does not miss the last few dozen;
//! nodes with few visits are always shared, and there simulations under way count as lost.

use super::super::tree::{Index, NONE, Tree};

/// A node is busy from so many visits on.
const BUSY: u32 = 32;

/// The most visits that a thread keeps to itself at one node, and the least; in between the share of all visits.
const MOST: u32 = 256;
const LEAST: u32 = 8;
const SHARE: u32 = 4;

/// The logarithm of the number of nodes that a thread keeps in view.
const SLOTS: u32 = 12;

/// A child as this thread sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// All visits and values, as far as they are known here.
    pub(super) visits: u32,
    pub(super) sum: f64,
    /// What the tree was not told yet.
    own_visits: u32,
    own_sum: f64,
}

/// A busy node.
#[derive(Debug)]
struct Slot {
    index: Index,
    first: Index,
    /// Its visits when it came into view, or was looked at last.
    visits: u32,
    /// Visits until the tree is told and looked at again.
    left: u32,
    children: Vec<Seen>,
    /// Squares of values that the tree was not told yet, where they are wanted.
    squares: Vec<f64>,
}

impl Slot {
    /// Tells the tree what this thread has seen.
    fn tell(&mut self, tree: &Tree) {
        for (at, seen) in self.children.iter().enumerate() {
            if seen.own_visits > 0 {
                let squares = self.squares.get(at).copied().unwrap_or(0.0);
                tree.node(self.first + at as u32).add_many(seen.own_sum, squares, seen.own_visits);
            }
        }
        self.squares.fill(0.0);
    }

    /// Looks at what all threads have seen.
    fn look(&mut self, tree: &Tree) {
        let nodes = tree.siblings(self.first, self.children.len());
        self.visits = 0;
        for (seen, node) in self.children.iter_mut().zip(nodes) {
            *seen = Seen { visits: node.visits(), sum: node.sum(), ..Seen::default() };
            self.visits += seen.visits;
        }
        self.left = (self.visits / SHARE).clamp(LEAST, MOST);
    }
}

/// The nodes that a thread keeps in view.
#[derive(Debug)]
pub(super) struct Hot {
    slots: Vec<Slot>,
}

impl Hot {
    pub(super) fn new() -> Self {
        let empty =
            || Slot { index: NONE, first: 0, visits: 0, left: 0, children: Vec::new(), squares: Vec::new() };
        Self { slots: (0..1 << SLOTS).map(|_| empty()).collect() }
    }

    /// The place of an open node whose children lie side by side, if it is busy enough to be kept in view.
    #[inline]
    pub(super) fn slot(&mut self, tree: &Tree, index: Index, first: Index, count: usize) -> Option<usize> {
        let visits = tree.node(index).visits();
        if visits < BUSY {
            return None;
        }
        let at = (index.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS)) as usize;
        let slot = &mut self.slots[at];
        if slot.index == index {
            slot.left -= 1;
            if slot.left == 0 {
                slot.tell(tree);
                slot.look(tree);
            }
            return Some(at);
        }
        // The busier node stays.
        if visits <= slot.visits {
            return None;
        }
        slot.tell(tree);
        (slot.index, slot.first) = (index, first);
        slot.children.clear();
        slot.children.resize(count, Seen::default());
        slot.squares.clear();
        slot.look(tree);
        Some(at)
    }

    #[inline]
    pub(super) fn children(&self, slot: usize) -> &[Seen] {
        &self.slots[slot].children
    }

    /// Visits of a child, as far as they are known here.
    pub(super) fn visits(&self, slot: usize, child: Index) -> u32 {
        let slot = &self.slots[slot];
        slot.children.get(child.wrapping_sub(slot.first) as usize).map_or(0, |seen| seen.visits)
    }

    /// Adds a value to a child; false if its node is no longer in view.
    #[inline]
    pub(super) fn add(&mut self, slot: usize, child: Index, value: f64, square: bool) -> bool {
        let slot = &mut self.slots[slot];
        let at = child.wrapping_sub(slot.first) as usize;
        let Some(seen) = slot.children.get_mut(at) else { return false };
        seen.visits += 1;
        seen.sum += value;
        seen.own_visits += 1;
        seen.own_sum += value;
        if square {
            slot.squares.resize(slot.children.len(), 0.0);
            slot.squares[at] += value * value;
        }
        true
    }

    /// Tells the tree all that this thread has seen.
    pub(super) fn tell(&mut self, tree: &Tree) {
        for slot in &mut self.slots {
            slot.tell(tree);
            slot.look(tree);
        }
    }
}
