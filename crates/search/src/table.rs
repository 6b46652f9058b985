//! The transposition table: results for states that recur (*Monte Carlo \*-Minimax Search*, 4.2).
//!
//! The paper's table stores the best move of a state, to try it first. This one can also store two-sided
//! bounds of a state's value at a depth: a search under a window finds a lower bound, an upper bound or both,
//! and at chance nodes the two come from different searches. Whole keys are compared, so if the keys of a
//! game encode the whole state, no state ever receives the value of another.
//!
//! A table belongs to one search. The next search clears it in constant time by counting generations: a
//! search is a pure function of its inputs and must not depend on earlier ones. The table starts small and
//! doubles when an eighth of it is full, so that a short search pays only for what it needs.

use astragal_core::{Interval, Key};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The stored results for a state at a depth.
#[derive(Clone, Copy)]
struct Entry {
    key: [u64; 2],
    bounds: Interval,
    depth: u16,
    best: u16,
    generation: u16,
    complete: bool,
    /// The depth of the whole search, if the bounds hold for that depth only: see [`View::for_depth`].
    whole: u16,
}

/// The packed form of an entry.
type Words = [u64; 5];

const NO_ACTION: u16 = u16::MAX;

impl Entry {
    fn new(key: [u64; 2], depth: u16, generation: u16, whole: u16) -> Self {
        Self { key, bounds: Interval::WHOLE, depth, best: NO_ACTION, generation, complete: false, whole }
    }

    #[inline]
    fn pack(&self) -> Words {
        let rest = u64::from(self.depth)
            | u64::from(self.best) << 16
            | u64::from(self.generation) << 32
            | u64::from(self.complete) << 48
            | u64::from(self.whole) << 49;
        [self.key[0], self.key[1], self.bounds.lo.to_bits(), self.bounds.hi.to_bits(), rest]
    }

    #[inline]
    fn unpack(words: &Words) -> Self {
        let &[low, high, lo, hi, rest] = words;
        Self {
            key: [low, high],
            bounds: Interval { lo: f64::from_bits(lo), hi: f64::from_bits(hi) },
            depth: rest as u16,
            best: (rest >> 16) as u16,
            generation: (rest >> 32) as u16,
            complete: rest >> 48 & 1 == 1,
            whole: (rest >> 49) as u16,
        }
    }
}

/// Entries in the set of a key. A state may have several, at different depths.
const WAYS: usize = 4;

/// Bounds found in the table.
pub(crate) struct Found {
    pub(crate) bounds: Interval,
    /// Whether they also hold at any greater depth, because every line below ended.
    pub(crate) complete: bool,
}

/// Number of tables when several threads share them.
const SHARDS: usize = 64;

/// The table of a search, shared by its threads: keys are distributed over several locked tables.
pub(crate) struct Memory {
    shards: Vec<Mutex<Table>>,
}

impl Memory {
    /// A table that stores nothing and takes no memory.
    pub(crate) fn none() -> Self {
        Self { shards: Vec::new() }
    }

    /// An empty table of at most this size, for this many threads.
    pub(crate) fn of_mib(mib: u32, threads: u32) -> Self {
        let count = if threads > 1 { SHARDS } else { 1 };
        let sets = ((mib as usize) << 20) / (size_of::<Words>() * WAYS);
        Self { shards: (0..count).map(|_| Mutex::new(Table::of_sets(sets / count))).collect() }
    }

    /// Whether a table of this size can be allocated. Checked beforehand, because running out of memory
    /// aborts the process.
    pub(crate) fn fits(mib: u32) -> bool {
        Vec::<u8>::new().try_reserve_exact((mib as usize) << 20).is_ok()
    }

    /// Whether it is a table that stores nothing.
    pub(crate) fn is_none(&self) -> bool {
        self.shards.is_empty()
    }

    /// Clears the table.
    pub(crate) fn forget(&mut self) {
        for shard in &mut self.shards {
            shard.get_mut().unwrap_or_else(PoisonError::into_inner).forget();
        }
    }

    /// One thread's access to the table.
    pub(crate) fn view(&self) -> View<'_> {
        let shards = match &self.shards[..] {
            [] => Shards::None,
            [only] => Shards::Own(lock(only)),
            shards => Shards::Shared(shards),
        };
        View { shards, whole: 0 }
    }
}

fn lock(shard: &Mutex<Table>) -> MutexGuard<'_, Table> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread's access to the table.
pub(crate) struct View<'a> {
    shards: Shards<'a>,
    /// The value of [`Entry::whole`] for which bounds are valid.
    whole: u16,
}

enum Shards<'a> {
    None,
    /// Locked once for the whole search.
    Own(MutexGuard<'a, Table>),
    Shared(&'a [Mutex<Table>]),
}

impl View<'_> {
    /// Restricts bounds stored and found from here on to searches of this total depth, whatever depth
    /// remains: their samples depend on both. Best actions are not restricted.
    pub(crate) fn for_depth(&mut self, deepest: u32) {
        // An entry has 15 bits for it, which distinguish all depths of an iterative deepening.
        self.whole = (deepest & 0x7FFF) as u16;
    }

    /// Calls `act` on the table of a key, if there is one.
    #[inline]
    fn at<T>(&mut self, key: Key, act: impl FnOnce(&mut Table) -> T) -> Option<T> {
        let mut locked;
        let table = match &mut self.shards {
            Shards::None => return None,
            Shards::Own(table) => &mut **table,
            Shards::Shared(shards) => {
                // The set within the table is chosen by the other end of the hash.
                locked = lock(&shards[key.hash() as usize % shards.len()]);
                &mut *locked
            }
        };
        table.whole = self.whole;
        Some(act(table))
    }

    /// The bounds of a state at a depth. With `deeper`, complete bounds from a shallower depth also qualify.
    pub(crate) fn bounds(&mut self, key: Key, depth: u32, deeper: bool) -> Option<Found> {
        self.at(key, |table| table.bounds(key, depth, deeper))?
    }

    /// The best action found by the deepest search of a state.
    pub(crate) fn best(&mut self, key: Key) -> Option<u16> {
        self.at(key, |table| table.best(key))?
    }

    /// Stores bounds of a state at a depth, intersected with existing ones.
    pub(crate) fn store_bounds(&mut self, key: Key, depth: u32, bounds: Interval, complete: bool) {
        self.at(key, |table| table.store_bounds(key, depth, bounds, complete));
    }

    /// Stores the best action of a state at a depth.
    pub(crate) fn store_best(&mut self, key: Key, depth: u32, best: usize) {
        self.at(key, |table| table.store_best(key, depth, best));
    }
}

/// The most sets of a table at the beginning.
const FEW: usize = 128;

/// A table.
struct Table {
    /// Storage for the sets; some may be from an earlier search.
    entries: Vec<Words>,
    /// Sets in use, at the beginning, and at most.
    sets: usize,
    few: usize,
    many: usize,
    /// Entries in use.
    used: usize,
    /// Of the current search; other entries are ignored, and zeroed ones belong to no search.
    generation: u16,
    /// The value of [`Entry::whole`] for which bounds are valid.
    whole: u16,
}

impl Table {
    fn of_sets(many: usize) -> Self {
        let mut few = many;
        while few > FEW {
            few /= 2;
        }
        // Reserving capacity for all of them costs nothing until it is used.
        let mut entries = Vec::with_capacity(many * WAYS);
        entries.resize(few * WAYS, [0; 5]);
        Self { entries, sets: few, few, many, used: 0, generation: 1, whole: 0 }
    }

    /// Clears the table.
    fn forget(&mut self) {
        if self.generation == u16::MAX {
            self.entries.fill([0; 5]);
            self.generation = 0;
        }
        self.generation += 1;
        self.whole = 0;
        self.sets = self.few;
        self.used = 0;
    }

    /// Doubles the number of sets. The entries of a set go to the two sets that replace it.
    #[cold]
    fn grow(&mut self) {
        let before = self.sets;
        self.sets *= 2;
        if self.entries.len() < self.sets * WAYS {
            self.entries.resize(self.sets * WAYS, [0; 5]);
        }
        self.used = 0;
        // From last to first, so that no set is overwritten before it is moved.
        for set in (0..before).rev() {
            let old: [Words; WAYS] = std::array::from_fn(|way| self.entries[set * WAYS + way]);
            self.entries[2 * set * WAYS..2 * (set + 1) * WAYS].fill([0; 5]);
            for words in old {
                let entry = Entry::unpack(&words);
                if entry.generation == self.generation {
                    let at = self.set(Key(u128::from(entry.key[0]) | u128::from(entry.key[1]) << 64));
                    let free = (at..at + WAYS).find(|&at| self.entries[at] == [0; 5]);
                    self.entries[free.expect("a set has room for the entries of half a set")] = words;
                    self.used += 1;
                }
            }
        }
    }

    fn set(&self, key: Key) -> usize {
        astragal_core::below(key.hash(), self.sets as u64) as usize * WAYS
    }

    fn halves(key: Key) -> [u64; 2] {
        [key.0 as u64, (key.0 >> 64) as u64]
    }

    fn entries_of(&self, key: Key) -> impl Iterator<Item = Entry> {
        let set = self.set(key);
        let halves = Self::halves(key);
        let entries = self.entries[set..set + WAYS].iter().map(Entry::unpack);
        entries.filter(move |e| e.generation == self.generation && e.key == halves)
    }

    /// The bounds of a state at a depth. With `deeper`, complete bounds from a shallower depth also qualify.
    fn bounds(&self, key: Key, depth: u32, deeper: bool) -> Option<Found> {
        let fits = |e: &Entry| {
            let at = u32::from(e.depth);
            at == depth || deeper && e.complete && at < depth
        };
        let known = |e: &Entry| e.bounds != Interval::WHOLE && e.whole == self.whole;
        let entry = self.entries_of(key).filter(known).filter(fits).max_by_key(|e| e.depth)?;
        Some(Found { bounds: entry.bounds, complete: entry.complete })
    }

    /// The best action found by the deepest search of a state.
    fn best(&self, key: Key) -> Option<u16> {
        self.entries_of(key).filter(|e| e.best != NO_ACTION).max_by_key(|e| e.depth).map(|e| e.best)
    }

    /// Stores bounds of a state at a depth, intersected with existing ones.
    fn store_bounds(&mut self, key: Key, depth: u32, bounds: Interval, complete: bool) {
        self.change(key, depth, |entry| {
            // Both hold, so their intersection holds; it depends on both searches.
            let both = entry.bounds.intersect(&bounds);
            // Forward pruning may contradict itself: then the newer bounds count.
            let both = if both.lo <= both.hi { both } else { bounds };
            let kept = (both.lo, both.hi) != (bounds.lo, bounds.hi);
            entry.complete = complete && (!kept || entry.complete);
            entry.bounds = both;
        });
    }

    /// Stores the best action of a state at a depth.
    fn store_best(&mut self, key: Key, depth: u32, best: usize) {
        if best < usize::from(NO_ACTION) {
            self.change(key, depth, |entry| entry.best = best as u16);
        }
    }

    /// Changes the entry of a state at a depth: the existing one, or one replaced by it, preferably unused,
    /// else the shallowest.
    fn change(&mut self, key: Key, depth: u32, change: impl FnOnce(&mut Entry)) {
        if 8 * self.used > self.sets * WAYS && 2 * self.sets <= self.many {
            self.grow();
        }
        let (set, halves) = (self.set(key), Self::halves(key));
        let (generation, whole) = (self.generation, self.whole);
        let depth = depth as u16;
        let entries = &mut self.entries[set..set + WAYS];
        let (mut at, mut least) = (0, u32::MAX);
        let mut entry = Entry::new(halves, depth, generation, whole);
        for (i, words) in entries.iter().enumerate() {
            let found = Entry::unpack(words);
            let current = found.generation == generation;
            if current && found.key == halves && found.depth == depth {
                (at, entry, least) = (i, found, u32::MAX);
                break;
            }
            let worth = if current { 1 + u32::from(found.depth) } else { 0 };
            if worth < least {
                (at, least) = (i, worth);
            }
        }
        self.used += usize::from(least == 0);
        if entry.whole != whole {
            entry = Entry { best: entry.best, ..Entry::new(halves, depth, generation, whole) };
        }
        change(&mut entry);
        entries[at] = entry.pack();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds_of(table: &Table, key: u128, depth: u32) -> Option<(f64, f64)> {
        table.bounds(Key(key), depth, false).map(|found| (found.bounds.lo, found.bounds.hi))
    }

    #[test]
    fn an_entry_takes_forty_bytes() {
        assert_eq!(size_of::<Words>(), 40);
        for threads in [1, 2] {
            let memory = Memory::of_mib(1, threads);
            let many: usize = memory.shards.iter().map(|shard| shard.lock().unwrap().many).sum();
            assert!((1000 << 10..=1 << 20).contains(&(many * WAYS * 40)), "{many}");
        }
    }

    #[test]
    fn threads_see_what_others_found_and_each_its_own_depth() {
        let memory = Memory::of_mib(1, 3);
        let (mut one, mut two) = (memory.view(), memory.view());
        two.for_depth(4);
        for key in (0..1000).map(Key) {
            one.store_bounds(key, 3, Interval::new(1.0, 2.0), false);
            one.store_best(key, 3, 5);
            assert!(memory.view().bounds(key, 3, false).is_some());
            assert!(two.bounds(key, 3, false).is_none());
            assert_eq!(two.best(key), Some(5));
        }
        let nothing = Memory::none();
        nothing.view().store_best(Key(7), 3, 5);
        assert_eq!(nothing.view().best(Key(7)), None);
    }

    #[test]
    fn bounds_of_two_searches_are_intersected() {
        let mut table = Table::of_sets(6553);
        table.store_bounds(Key(7), 3, Interval::new(-10.0, 4.0), false);
        table.store_bounds(Key(7), 3, Interval::new(1.0, 10.0), false);
        assert_eq!(bounds_of(&table, 7, 3), Some((1.0, 4.0)));
        assert_eq!(bounds_of(&table, 7, 4), None);
        assert_eq!(bounds_of(&table, 8, 3), None);
    }

    #[test]
    fn only_complete_bounds_serve_a_greater_depth() {
        let mut table = Table::of_sets(6553);
        table.store_bounds(Key(7), 3, Interval::point(1.0), true);
        table.store_bounds(Key(8), 3, Interval::point(1.0), false);
        assert!(table.bounds(Key(7), 5, true).is_some_and(|found| found.complete));
        assert!(table.bounds(Key(7), 5, false).is_none());
        assert!(table.bounds(Key(7), 2, true).is_none());
        assert!(table.bounds(Key(8), 5, true).is_none());
    }

    #[test]
    fn bounds_are_complete_only_if_both_their_ends_are() {
        let mut table = Table::of_sets(6553);
        table.store_bounds(Key(7), 3, Interval::new(-10.0, 4.0), false);
        table.store_bounds(Key(7), 3, Interval::new(1.0, 10.0), true);
        assert!(!table.bounds(Key(7), 3, true).unwrap().complete);
        table.store_bounds(Key(7), 3, Interval::new(2.0, 3.0), true);
        assert!(table.bounds(Key(7), 3, true).unwrap().complete);
    }

    #[test]
    fn a_new_search_finds_nothing() {
        let mut table = Table::of_sets(6553);
        for _ in 0..70_000 {
            table.store_bounds(Key(7), 3, Interval::point(1.0), true);
            table.store_best(Key(7), 3, 2);
            assert_eq!(table.best(Key(7)), Some(2));
            table.forget();
            assert!(table.bounds(Key(7), 3, true).is_none());
            assert_eq!(table.best(Key(7)), None);
        }
    }

    #[test]
    fn bounds_of_a_search_of_another_depth_do_not_count() {
        let mut table = Table::of_sets(6553);
        table.whole = 4;
        table.store_bounds(Key(7), 3, Interval::new(-10.0, 4.0), false);
        table.store_best(Key(7), 3, 2);
        assert_eq!(bounds_of(&table, 7, 3), Some((-10.0, 4.0)));
        table.whole = 5;
        assert_eq!((bounds_of(&table, 7, 3), table.best(Key(7))), (None, Some(2)));
        // New bounds are not combined with the old ones, and the best action stays.
        table.store_bounds(Key(7), 3, Interval::new(1.0, 10.0), false);
        assert_eq!((bounds_of(&table, 7, 3), table.best(Key(7))), (Some((1.0, 10.0)), Some(2)));
        table.whole = crate::DEEPEST as u16;
        table.store_bounds(Key(8), 3, Interval::point(1.0), true);
        assert_eq!(bounds_of(&table, 8, 3), Some((1.0, 1.0)));
    }

    #[test]
    fn a_table_that_grows_forgets_next_to_nothing() {
        let mut table = Table::of_sets(104_857);
        let few = table.sets;
        for round in 0..2 {
            for key in 0..40_000 {
                let hash = u128::from(astragal_core::mix(key));
                table.store_bounds(Key(hash), 3, Interval::point(key as f64), false);
            }
            let kept = |key: &u64| bounds_of(&table, u128::from(astragal_core::mix(*key)), 3);
            let found = (0..40_000).filter(|key| kept(key) == Some((*key as f64, *key as f64))).count();
            assert!(found > 39_950 && table.sets > 8 * few, "{found} in {} sets, round {round}", table.sets);
            assert!(table.used <= table.sets * WAYS && table.sets <= table.many);
            table.forget();
            assert_eq!((table.sets, table.used), (few, 0));
        }
    }

    #[test]
    fn a_full_table_keeps_the_deepest() {
        let mut table = Table::of_sets(1);
        for depth in [9, 5, 7, 8, 6] {
            table.store_bounds(Key(u128::from(depth)), depth, Interval::point(1.0), false);
        }
        assert!([9, 7, 8, 6].iter().all(|&depth| bounds_of(&table, u128::from(depth), depth).is_some()));
        assert!(bounds_of(&table, 5, 5).is_none());
    }
}
