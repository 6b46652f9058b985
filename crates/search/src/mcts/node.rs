//! A node of the tree, an edge of a chance node, and the optional data of a node; all fields are atomic.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The index of a node.
pub(super) type Index = u32;

/// States of `first`: the children do not exist yet, or a thread is creating them.
const CLOSED: u32 = 0;
const BUSY: u32 = u32::MAX;

/// The statistics of a state, in 16 bytes.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The sum of all values, as the bits of a float; under other backups, the value times the visits.
    sum: AtomicU64,
    /// The visit count; the highest bit marks the last of its siblings.
    visits: AtomicU32,
    /// The index of the first child or, if the highest bit is set, of the edge list. The root is no node's
    /// child, so 0 is free.
    first: AtomicU32,
}

const HIGHEST: u32 = 1 << 31;

/// Upper limit of indices.
pub(super) const NONE: Index = HIGHEST - 1;

/// Root visits at which a search ends. The count must not reach the highest bit, and threads check it only
/// now and then.
pub(super) const MOST_VISITS: u32 = HIGHEST - (1 << 24);

#[inline]
pub(super) fn load(cell: &AtomicU64) -> f64 {
    f64::from_bits(cell.load(Ordering::Relaxed))
}

#[inline]
pub(super) fn store(cell: &AtomicU64, value: f64) {
    cell.store(value.to_bits(), Ordering::Relaxed);
}

#[inline]
pub(super) fn add(cell: &AtomicU64, value: f64, shared: bool) {
    if shared {
        let plus = |bits: u64| Some((f64::from_bits(bits) + value).to_bits());
        let _ = cell.fetch_update(Ordering::Relaxed, Ordering::Relaxed, plus);
    } else {
        store(cell, load(cell) + value);
    }
}

impl Node {
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed) & !HIGHEST
    }

    #[inline]
    pub(super) fn sum(&self) -> f64 {
        load(&self.sum)
    }

    /// The mean of the values; 0 without visits.
    #[inline]
    pub(super) fn mean(&self) -> f64 {
        let visits = self.visits();
        if visits == 0 { 0.0 } else { self.sum() / f64::from(visits) }
    }

    /// Adds a value and a visit.
    #[inline]
    pub(super) fn add(&self, value: f64, shared: bool) {
        add(&self.sum, value, shared);
        if shared {
            self.visits.fetch_add(1, Ordering::Relaxed);
        } else {
            self.visits.store(self.visits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }

    /// Adds `visits` visits with this sum of values.
    #[cfg(test)]
    pub(super) fn add_many(&self, sum: f64, visits: u32) {
        add(&self.sum, sum, true);
        self.visits.fetch_add(visits, Ordering::Relaxed);
    }

    /// Sets the value, regardless of the sum. A concurrent visit would leave a sum for too few visits, so
    /// this repeats until there was none.
    pub(super) fn set_value(&self, value: f64) {
        loop {
            let visits = self.visits();
            store(&self.sum, value * f64::from(visits));
            if self.visits() == visits {
                break;
            }
        }
    }

    /// Marks this as the last of its siblings.
    pub(super) fn set_last(&self) {
        self.visits.fetch_or(HIGHEST, Ordering::Relaxed);
    }

    pub(super) fn is_last(&self) -> bool {
        self.visits.load(Ordering::Relaxed) & HIGHEST != 0
    }

    /// The location of the children, if they exist.
    #[inline]
    pub(super) fn children(&self) -> Option<Children> {
        // Pairs with the release in `open`: everything written before it is visible.
        match self.first.load(Ordering::Acquire) {
            CLOSED | BUSY => None,
            first if first & HIGHEST == 0 => Some(Children::SideBySide(first)),
            first => Some(Children::Listed(first & !HIGHEST)),
        }
    }

    /// The first of contiguous children.
    #[inline]
    pub(super) fn first(&self) -> Option<Index> {
        self.children().and_then(Children::first)
    }

    /// Claims the right to open the node; false if another thread holds or held it.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        self.first.compare_exchange(CLOSED, BUSY, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    #[inline]
    pub(super) fn open(&self, children: Children) {
        let first = match children {
            Children::SideBySide(first) => first,
            Children::Listed(first) => first | HIGHEST,
        };
        self.first.store(first, Ordering::Release);
    }

    pub(super) fn give_up(&self) {
        self.first.store(CLOSED, Ordering::Release);
    }

    /// Copies the statistics of another node, but not its children or siblings.
    pub(super) fn copy(&self, other: &Self) {
        store(&self.sum, other.sum());
        let last = self.visits.load(Ordering::Relaxed) & HIGHEST;
        self.visits.store(other.visits() | last, Ordering::Relaxed);
    }
}

/// The location of a node's children.
#[derive(Clone, Copy, Debug)]
pub(super) enum Children {
    /// Contiguous, beginning with this node.
    SideBySide(Index),
    /// In an edge list that begins here.
    Listed(Index),
}

impl Children {
    /// The first of contiguous children.
    #[inline]
    pub(super) fn first(self) -> Option<Index> {
        if let Self::SideBySide(first) = self { Some(first) } else { None }
    }
}

/// The sum of the squares of all values of a node.
#[derive(Debug, Default)]
pub(super) struct Squares(AtomicU64);

impl Squares {
    pub(super) fn get(&self) -> f64 {
        load(&self.0)
    }

    pub(super) fn set(&self, value: f64) {
        store(&self.0, value);
    }

    #[inline]
    pub(super) fn add(&self, value: f64, shared: bool) {
        add(&self.0, value, shared);
    }
}

/// An edge of a chance node: the outcome's index plus one, and the child; 0 if it is free.
#[derive(Debug, Default)]
pub(super) struct Edge(pub(super) AtomicU64);

impl Edge {
    pub(super) fn pack(outcome: usize, child: Index) -> u64 {
        (outcome as u64 + 1) << 32 | u64::from(child)
    }

    #[inline]
    pub(super) fn get(&self) -> Option<(usize, Index)> {
        let bits = self.0.load(Ordering::Acquire);
        (bits != 0).then(|| ((bits >> 32) as usize - 1, bits as Index))
    }
}

/// Optional data of a node, in two cells.
#[derive(Debug, Default)]
pub(super) struct Side {
    cells: [AtomicU64; 2],
}

impl Side {
    #[inline]
    pub(super) fn get(&self, cell: usize) -> f64 {
        load(&self.cells[cell])
    }

    pub(super) fn set(&self, cell: usize, value: f64) {
        store(&self.cells[cell], value);
    }

    pub(super) fn add(&self, cell: usize, value: f64, shared: bool) {
        add(&self.cells[cell], value, shared);
    }

    /// Sets a cell if that makes it larger, or smaller. Under concurrent updates the best value wins.
    pub(super) fn improve(&self, cell: usize, value: f64, larger: bool) -> bool {
        let better = |bits: u64| {
            let old = f64::from_bits(bits);
            (if larger { value > old } else { value < old }).then(|| value.to_bits())
        };
        self.cells[cell].fetch_update(Ordering::Relaxed, Ordering::Relaxed, better).is_ok()
    }
}
