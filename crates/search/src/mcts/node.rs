//! A node of the tree, an edge of a chance node, and what some searches keep beside a node: all of them
//! atomic.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The index of a node.
pub(super) type Index = u32;

/// No node.
pub(super) const NONE: Index = u32::MAX;

/// How far the expansion of a node has come, in its low bits.
pub(super) const CLOSED: u32 = 0;
pub(super) const BUSY: u32 = 1;
/// Open, and a player decides; or chance does, and its children lie side by side, or there are edges.
pub(super) const OPEN: u32 = 2;
pub(super) const OPEN_CHANCE: u32 = 3;
pub(super) const OPEN_EDGES: u32 = 4;
/// The bits for it.
const STAGES: u32 = 3;
const STAGE: u32 = (1 << STAGES) - 1;

/// What is known of a state, in 24 bytes.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The sum of all values seen, as the bits of a float; or, with other backups, the value times the
    /// visits.
    sum: AtomicU64,
    /// Visits in the low half, and in the high half simulations that are below this node at the moment:
    /// coming back is one addition to both.
    visits: AtomicU64,
    /// Where the children begin among the nodes, or the edges among the edges.
    first: AtomicU32,
    /// The number of children or edges times 8, and how far the expansion has come.
    count: AtomicU32,
}

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
        self.visits.load(Ordering::Relaxed) as u32
    }

    /// Simulations below this node at the moment, which count as lost for whoever selects it.
    #[inline]
    pub(super) fn virtual_losses(&self) -> u32 {
        (self.visits.load(Ordering::Relaxed) >> 32) as u32
    }

    /// Visits and simulations below it at the moment, together.
    #[inline]
    pub(super) fn tried(&self) -> u32 {
        let visits = self.visits.load(Ordering::Relaxed);
        visits as u32 + (visits >> 32) as u32
    }

    #[inline]
    pub(super) fn sum(&self) -> f64 {
        load(&self.sum)
    }

    /// The mean of the values seen; 0 if none was.
    #[inline]
    pub(super) fn mean(&self) -> f64 {
        let visits = self.visits();
        if visits == 0 { 0.0 } else { self.sum() / f64::from(visits) }
    }

    /// Adds a value. In a tree that is shared this is the end of what [`Node::enter`] began.
    #[inline]
    pub(super) fn add(&self, value: f64, shared: bool, entered: bool) {
        add(&self.sum, value, shared);
        if shared {
            self.visits.fetch_add(1_u64.wrapping_sub(u64::from(entered) << 32), Ordering::Relaxed);
        } else {
            self.visits.store(self.visits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }

    /// Makes up a number of visits.
    #[cfg(test)]
    pub(super) fn add_many(&self, sum: f64, visits: u32) {
        add(&self.sum, sum, true);
        self.visits.fetch_add(visits.into(), Ordering::Relaxed);
    }

    /// Makes this the value, whatever was seen. A visit in between would leave a sum for fewer visits, so
    /// it is repeated until there was none.
    pub(super) fn set_value(&self, value: f64) {
        loop {
            let visits = self.visits();
            store(&self.sum, value * f64::from(visits));
            if self.visits() == visits {
                break;
            }
        }
    }

    /// Marks that a simulation goes below this node, until it adds its value, and returns the visits before.
    #[inline]
    pub(super) fn enter(&self) -> u32 {
        self.visits.fetch_add(1 << 32, Ordering::Relaxed) as u32
    }

    /// Takes [`Node::enter`] back: the simulation was given up.
    pub(super) fn leave(&self) {
        self.visits.fetch_sub(1 << 32, Ordering::Relaxed);
    }

    /// Where the children or edges are, if there are any.
    #[inline]
    pub(super) fn children(&self) -> Option<(Index, u32)> {
        // What another thread has written before it opened the node is seen after this.
        let count = self.count.load(Ordering::Acquire);
        (count & STAGE >= OPEN).then(|| (self.first.load(Ordering::Relaxed), count >> STAGES))
    }

    #[inline]
    pub(super) fn has_edges(&self) -> bool {
        self.count.load(Ordering::Acquire) & STAGE == OPEN_EDGES
    }

    /// Claims the right to open the node; false if another thread has it, or had it.
    #[inline]
    pub(super) fn claim(&self) -> bool {
        self.count.compare_exchange(CLOSED, BUSY, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    #[inline]
    pub(super) fn open(&self, first: Index, count: u32, how: u32) {
        self.first.store(first, Ordering::Relaxed);
        self.count.store(count << STAGES | how, Ordering::Release);
    }

    pub(super) fn give_up(&self) {
        self.count.store(CLOSED, Ordering::Release);
    }

    /// Takes over what another node knows; its children excepted.
    pub(super) fn copy(&self, other: &Self) {
        store(&self.sum, other.sum());
        self.visits.store(other.visits().into(), Ordering::Relaxed);
    }
}

/// The sum of the squares of all values that a node has seen.
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

/// An edge of a chance node: the outcome's place plus one, and the child; 0 if it is free.
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

/// What some searches know of a node beyond the tree itself.
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

    /// Sets a cell if that makes it larger, or smaller; whatever other threads do, nothing better is lost.
    pub(super) fn improve(&self, cell: usize, value: f64, larger: bool) -> bool {
        let better = |bits: u64| {
            let old = f64::from_bits(bits);
            (if larger { value > old } else { value < old }).then(|| value.to_bits())
        };
        self.cells[cell].fetch_update(Ordering::Relaxed, Ordering::Relaxed, better).is_ok()
    }
}
