//! The tree of a Monte Carlo search: an arena of small nodes with 32-bit indices.
//!
//! A node stores neither state nor action: both follow from the path, and the children of a decision node are
//! contiguous, in the game's order of actions. The children of a chance node are created one by one as they
//! are drawn, and found through a short list of edges. All fields are atomic, so that several threads may
//! share a tree without locks. A thread that is alone uses plain loads and stores instead of atomic
//! additions, which costs nothing extra.
//!
//! Memory is allocated in chunks, and no chunk is allocated beyond the limit.

use super::arena::{Arena, LARGEST, Memory, place};
use super::node::{Children, Edge, Squares};
pub(super) use super::node::{Index, Node, Side};
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// The root of every tree.
pub(super) const ROOT: Index = 0;

/// The optional per-node data of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keep {
    /// Proved bounds.
    pub(super) bounds: bool,
    /// The implicit minimax value, and a static value computed before the first visit.
    pub(super) values: bool,
    /// All-moves-as-first visits and sum of values, for RAVE.
    pub(super) rave: bool,
    /// Squared values of all nodes. Those of the root and its children are always kept.
    pub(super) squares: bool,
}

/// Initial capacity of the edge list of a chance node.
const FEW: u32 = 4;

/// An edge list lies within one chunk; its first slot holds its capacity.
const MOST_LISTED: u32 = (1 << LARGEST) - 1;

/// A chance node with at most this many outcomes has contiguous children, like a decision node: finding a
/// child then takes no second memory access, and few nodes are wasted on outcomes that are never drawn.
pub(super) const SIDE_BY_SIDE: usize = 6;

/// Nodes reserved for one thread.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    next: Index,
    end: Index,
    /// Nodes taken in total.
    taken: u32,
    /// Nodes created but not yet counted.
    made: u32,
}

/// Nodes that a thread reserves at a time in a shared tree: at least `BLOCK`, growing to one part in `SHARE`
/// of those it has taken.
const BLOCK: u32 = 128;
const SHARE: u32 = 8;

impl Block {
    /// Nodes to reserve next in a shared tree: up to a whole chunk, as long as few may be left over.
    fn next_size(&self) -> u32 {
        1 << (self.taken / SHARE).clamp(BLOCK, 1 << LARGEST).ilog2()
    }
}

/// The tree.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Arena<Node>,
    /// The edges, allocated on first use.
    edges: OnceLock<Arena<Edge>>,
    bounds: Option<Arena<Side>>,
    values: Option<Arena<Side>>,
    rave: Option<Arena<Side>>,
    squares: Arena<Squares>,
    all_squares: bool,
    /// In a shared tree, the number of simulations currently below each node. In selection they count as
    /// losses (virtual loss).
    losses: Option<Arena<AtomicU32>>,
    memory: Memory,
    /// Nodes in use.
    made: AtomicU32,
    /// Whether an allocation has failed.
    full: AtomicBool,
    /// Outgrown edge lists for reuse, by the binary logarithm of their capacity.
    free: Mutex<Vec<Vec<Index>>>,
}

impl Tree {
    /// A tree with only its root, limited to this many bytes. In a shared tree, edge lists have their full
    /// capacity from the start.
    pub(super) fn new(limit: usize, keep: Keep, shared: bool) -> Self {
        let most = limit / size_of::<Node>() + 1;
        let side = |wanted: bool| wanted.then(|| Arena::new(most));
        let tree = Self {
            nodes: Arena::new(most),
            edges: OnceLock::new(),
            bounds: side(keep.bounds),
            values: side(keep.values),
            rave: side(keep.rave),
            squares: Arena::new(most),
            all_squares: keep.squares,
            losses: shared.then(|| Arena::new(most)),
            memory: Memory { limit: limit.max(LEAST_MEMORY), used: AtomicUsize::new(0) },
            made: AtomicU32::new(0),
            full: AtomicBool::new(false),
            free: Mutex::new(Vec::new()),
        };
        // The root is in no thread's block.
        let root = tree.nodes.take(1, &tree.memory).and_then(|root| tree.furnish(root, 1, true));
        root.expect("the least memory holds a root");
        tree.made.store(1, Ordering::Relaxed);
        tree
    }

    /// Takes contiguous new nodes.
    fn add_nodes(&self, block: &mut Block, parent: Index, count: u32) -> Option<Index> {
        if block.end - block.next < count {
            let some = |count: RangeInclusive<u32>| {
                let taken = self.nodes.take_some(count, &self.memory)?;
                self.furnish(taken.start, taken.len() as u32, self.all_squares)?;
                Some(taken)
            };
            // A thread in a shared tree reserves more than it needs, to reduce contention.
            let sizes = count.max(BLOCK)..=count.max(block.next_size());
            let reserved = if self.is_shared() { some(sizes) } else { None };
            let taken = reserved.or_else(|| some(count..=count)).or_else(|| self.overflow())?;
            block.taken = block.taken.saturating_add(taken.len() as u32);
            (block.next, block.end) = (taken.start, taken.end);
        }
        let first = block.next;
        if parent == ROOT {
            self.furnish(first, count, true).or_else(|| self.overflow())?;
        }
        block.next += count;
        block.made += count;
        Some(first)
    }

    /// Records that an allocation has failed.
    fn overflow<T>(&self) -> Option<T> {
        self.full.store(true, Ordering::Relaxed);
        None
    }

    /// Whether the memory is exhausted.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// Adds the nodes that a thread has created to the count.
    pub(super) fn count(&self, block: &mut Block) {
        self.made.fetch_add(std::mem::take(&mut block.made), Ordering::Relaxed);
    }

    /// Allocates the optional data of new nodes.
    fn furnish(&self, first: Index, count: u32, squares: bool) -> Option<Index> {
        // Optional data has the same index as its node.
        for chunk in place(first).0..=place(first + count - 1).0 {
            for arena in [&self.bounds, &self.values, &self.rave].into_iter().flatten() {
                arena.ensure(chunk, &self.memory)?;
            }
            if let Some(losses) = &self.losses {
                losses.ensure(chunk, &self.memory)?;
            }
            if squares {
                self.squares.ensure(chunk, &self.memory)?;
            }
        }
        Some(first)
    }

    /// Whether the squared values of all nodes are kept.
    #[inline]
    pub(super) fn keeps_squares(&self) -> bool {
        self.all_squares
    }

    /// Adds to the sum of squares of a node that has one: the root, its children, or all nodes.
    #[inline]
    pub(super) fn add_square(&self, index: Index, square: f64) {
        self.squares.get(index).add(square, self.is_shared());
    }

    /// The variance of the values of a node, if their squares were kept.
    pub(super) fn variance(&self, index: Index) -> f64 {
        let node = self.node(index);
        let (visits, squares) =
            (f64::from(node.visits()), self.squares.find(index).map_or(0.0, Squares::get));
        if visits < 1.0 { 0.0 } else { (squares / visits - node.mean() * node.mean()).max(0.0) }
    }

    #[inline]
    pub(super) fn node(&self, index: Index) -> &Node {
        self.nodes.get(index)
    }

    /// Contiguous children.
    #[inline]
    pub(super) fn siblings(&self, first: Index, count: usize) -> &[Node] {
        self.nodes.slice(first, count)
    }

    /// The children of a node, if they are contiguous.
    pub(super) fn children(&self, node: &Node) -> Option<Range<Index>> {
        let first = node.first()?;
        let last = (first..).find(|&child| self.node(child).is_last()).expect("a last sibling");
        Some(first..last + 1)
    }

    /// Whether several threads share the tree.
    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        self.losses.is_some()
    }

    /// Marks that a simulation is below a node (virtual loss), until it is backed up or abandoned.
    #[inline]
    pub(super) fn enter(&self, index: Index) {
        if let Some(losses) = &self.losses {
            losses.get(index).fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reverts [`Tree::enter`].
    #[inline]
    pub(super) fn leave(&self, index: Index) {
        if let Some(losses) = &self.losses {
            // Release: a thread that sees this also sees the visit.
            losses.get(index).fetch_sub(1, Ordering::Release);
        }
    }

    /// The simulations currently below these siblings; none if the tree is not shared.
    #[inline]
    pub(super) fn losses(&self, first: Index, count: usize) -> Option<&[AtomicU32]> {
        self.losses.as_ref().map(|losses| losses.slice(first, count))
    }

    /// The simulations currently below a node.
    #[inline]
    pub(super) fn lost(&self, index: Index) -> u32 {
        self.losses.as_ref().map_or(0, |losses| losses.get(index).load(Ordering::Acquire))
    }

    /// The visits of a node plus the simulations currently below it. Reading in this order misses none that
    /// is backed up in between.
    #[inline]
    pub(super) fn tried(&self, index: Index) -> u32 {
        self.lost(index) + self.node(index).visits()
    }

    #[inline]
    pub(super) fn bounds(&self, index: Index) -> Option<&Side> {
        self.bounds.as_ref().map(|arena| arena.get(index))
    }

    #[inline]
    pub(super) fn values(&self, index: Index) -> Option<&Side> {
        self.values.as_ref().map(|arena| arena.get(index))
    }

    #[inline]
    pub(super) fn rave(&self, index: Index) -> Option<&Side> {
        self.rave.as_ref().map(|arena| arena.get(index))
    }

    /// Creates the contiguous children of a node, each initialised by `init`. Returns false if memory is
    /// exhausted or another thread has claimed the node.
    pub(super) fn expand(
        &self,
        block: &mut Block,
        index: Index,
        count: usize,
        mut init: impl FnMut(usize, Index),
    ) -> bool {
        debug_assert!(count > 0, "contract: a node without children");
        let node = self.node(index);
        if !node.claim() {
            return false;
        }
        match self.add_nodes(block, index, count as u32) {
            Some(first) => {
                (0..count).for_each(|at| init(at, first + at as u32));
                self.node(first + count as u32 - 1).set_last();
                node.open(Children::SideBySide(first));
            }
            None => node.give_up(),
        }
        node.children().is_some()
    }

    #[inline]
    fn edge(&self, index: Index) -> &Edge {
        self.edges.get().expect("an edge that was handed out").get(index)
    }

    /// Takes an empty edge list with this capacity, which its first slot records.
    fn take_edges(&self, room: u32) -> Option<Index> {
        if !self.is_shared() && room.is_power_of_two() {
            let mut free = self.free.lock().expect("one thread");
            let list = free.get_mut(room.ilog2() as usize).and_then(Vec::pop);
            if list.is_some() {
                return list;
            }
        }
        let edges = self.edges.get_or_init(|| Arena::new(self.memory.limit / size_of::<Edge>() + 1));
        let list = edges.take(room + 1, &self.memory).or_else(|| self.overflow())?;
        edges.get(list).0.store(room.into(), Ordering::Relaxed);
        Some(list)
    }

    /// The slots of an edge list.
    #[inline]
    fn slots(&self, list: Index) -> Range<Index> {
        let room = self.edge(list).0.load(Ordering::Relaxed) as u32;
        list + 1..list + 1 + room
    }

    /// Returns an empty edge list for reuse.
    fn give_edges(&self, list: Index) {
        let room = self.slots(list).len();
        if room.is_power_of_two() {
            let mut free = self.free.lock().expect("one thread");
            let class = room.ilog2() as usize;
            if free.len() <= class {
                free.resize_with(class + 1, Vec::new);
            }
            free[class].push(list);
        }
    }

    /// Creates the children of a chance node, initialised by `init`, or its edge list. Returns false if
    /// memory is exhausted or another thread has claimed the node.
    pub(super) fn expand_chance(
        &self,
        block: &mut Block,
        index: Index,
        outcomes: usize,
        init: impl FnMut(usize, Index),
    ) -> bool {
        if outcomes <= SIDE_BY_SIDE {
            return self.expand(block, index, outcomes, init);
        }
        let node = self.node(index);
        if !node.claim() {
            return false;
        }
        let outcomes = outcomes as u32;
        let most = if self.is_shared() { MOST_LISTED } else { FEW };
        match self.take_edges(outcomes.min(most)) {
            Some(list) => node.open(Children::Listed(list)),
            None => node.give_up(),
        }
        node.children().is_some()
    }

    /// The children of a chance node that were drawn: the index of each outcome, and its node.
    pub(super) fn edges(&self, index: Index) -> impl Iterator<Item = (usize, Index)> + '_ {
        let node = self.node(index);
        let beside = self.children(node).unwrap_or(0..0).enumerate();
        let slots = match node.children() {
            Some(Children::Listed(list)) => self.slots(list),
            _ => 0..0,
        };
        // The first free edge ends the list.
        let listed = slots.map_while(|at| self.edge(at).get());
        beside.filter(|&(_, child)| self.tried(child) > 0).chain(listed)
    }

    /// The child of a chance node for an outcome, if it was drawn before.
    #[inline]
    pub(super) fn child(&self, index: Index, outcome: usize) -> Option<Index> {
        if let Some(first) = self.node(index).first() {
            return Some(first + outcome as u32).filter(|&child| self.tried(child) > 0);
        }
        self.edges(index).find(|&(place, _)| place == outcome).map(|(_, child)| child)
    }

    /// Adds a child to an open chance node, initialised by `init`. Returns the existing child if another
    /// thread was faster, and none if memory is exhausted.
    pub(super) fn add_child(
        &self,
        block: &mut Block,
        index: Index,
        outcome: usize,
        outcomes: usize,
        init: impl FnOnce(Index),
    ) -> Option<Index> {
        let mut list = match self.node(index).children()? {
            Children::SideBySide(first) => return Some(first + outcome as u32),
            Children::Listed(list) => list,
        };
        let child = self.add_nodes(block, index, 1)?;
        init(child);
        let wanted = Edge::pack(outcome, child);
        loop {
            for at in self.slots(list) {
                let edge = self.edge(at);
                if let Err(other) = edge.0.compare_exchange(0, wanted, Ordering::AcqRel, Ordering::Acquire) {
                    if (other >> 32) as usize - 1 == outcome {
                        // Another thread was faster: this node is kept for the next outcome.
                        (block.next, block.made) = (block.next - 1, block.made - 1);
                        return Some(other as Index);
                    }
                } else {
                    return Some(child);
                }
            }
            // Moves to a longer list; the short one can be reused.
            let count = self.slots(list).len() as u32;
            let room = (2 * count).min(outcomes as u32).max(count + 1).min(MOST_LISTED);
            let longer = if self.is_shared() || room == count { None } else { self.take_edges(room) };
            let Some(longer) = longer else {
                (block.next, block.made) = (block.next - 1, block.made - 1);
                return None;
            };
            for (from, to) in self.slots(list).zip(self.slots(longer)) {
                let bits = self.edge(from).0.swap(0, Ordering::Relaxed);
                self.edge(to).0.store(bits, Ordering::Relaxed);
            }
            self.node(index).open(Children::Listed(longer));
            self.give_edges(list);
            list = longer;
        }
    }

    /// The number of nodes created.
    pub(super) fn len(&self) -> u32 {
        self.made.load(Ordering::Relaxed)
    }

    /// Bytes of all nodes and edges created, without memory that is reserved but unused.
    pub(super) fn bytes(&self) -> usize {
        let sides = [&self.bounds, &self.values, &self.rave].into_iter().flatten().count();
        let squares = if self.all_squares { size_of::<Squares>() } else { 0 };
        let losses = if self.is_shared() { size_of::<AtomicU32>() } else { 0 };
        self.len() as usize * (size_of::<Node>() + sides * size_of::<Side>() + squares + losses)
            + self.edges.get().map_or(0, Arena::len) as usize * size_of::<Edge>()
    }

    /// A new tree with the contents of this one from one of its nodes on, within the memory limit.
    pub(super) fn subtree(&self, from: Index, limit: usize, keep: Keep) -> Self {
        let tree = Self::new(limit, keep, self.is_shared());
        let (mut open, mut block) = (vec![(ROOT, from)], Block::default());
        while let Some((to, from)) = open.pop() {
            tree.graft(to, self, from);
            if let Some(Children::Listed(list)) = self.node(from).children() {
                // The capacity of the list, but more than a node with contiguous children can have.
                let most = self.slots(list).len().max(SIDE_BY_SIDE + 1);
                if tree.expand_chance(&mut block, to, most, |_, _| {}) {
                    for (outcome, child) in self.edges(from) {
                        let Some(copy) = tree.add_child(&mut block, to, outcome, most, |_| {}) else { break };
                        open.push((copy, child));
                    }
                }
            } else if let Some(children) = self.children(self.node(from))
                && tree.expand(&mut block, to, children.len(), |_, _| {})
            {
                let first = tree.node(to).first().expect("just opened");
                open.extend((first..).zip(children));
            }
        }
        tree.count(&mut block);
        tree
    }

    /// Copies the data of a node, without its children.
    fn graft(&self, to: Index, other: &Self, from: Index) {
        self.node(to).copy(other.node(from));
        if let (Some(mine), Some(yours)) = (self.squares.find(to), other.squares.find(from)) {
            mine.set(yours.get());
        }
        let sides = [
            (self.bounds(to), other.bounds(from)),
            (self.values(to), other.values(from)),
            (self.rave(to), other.rave(from)),
        ];
        for (mine, yours) in sides {
            if let (Some(mine), Some(yours)) = (mine, yours) {
                (0..2).for_each(|cell| mine.set(cell, yours.get(cell)));
            }
        }
    }
}

/// Minimum memory for a tree.
pub(super) const LEAST_MEMORY: usize = 1 << 16;
