//! The lock-free transposition table of alpha-beta, shared by threads.
//!
//! A bucket is a cache line of two entries: one keeps the deepest search, the other the most recent. An entry
//! has four words: a value, its attributes, and both halves of the whole key XORed with these two, so that an
//! entry torn by two writers matches no state (Hyatt & Mann 2002). If the keys of a game encode the whole
//! state, no state ever receives the value of another.
//!
//! A table belongs to one search. The next search clears it in constant time by counting generations.

use astragal_core::{Interval, Key, below};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The stored result for a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// The bounds of its value: a point, or a half-line.
    pub(super) bounds: Interval,
    /// The depth of the search.
    pub(super) depth: u32,
    /// The index of the best action.
    pub(super) best: Option<u16>,
    /// Whether the bounds also hold at any greater depth, because every line below ended.
    pub(super) complete: bool,
}

const NO_ACTION: u16 = u16::MAX;
const WORDS: usize = 4;
const ENTRIES: usize = 2;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; WORDS]; ENTRIES]);

/// The kind of a bound, in two bits of an entry.
const EXACT: u64 = 0;
const AT_LEAST: u64 = 1;
const AT_MOST: u64 = 2;

impl Entry {
    /// Packs the value into one word, and everything else with the generation into another.
    fn pack(&self, generation: u16) -> [u64; 2] {
        let Interval { lo, hi } = self.bounds;
        let (value, kind) = match () {
            () if lo == hi => (lo, EXACT),
            () if hi == f64::INFINITY => (lo, AT_LEAST),
            () => (hi, AT_MOST),
        };
        let rest = u64::from(generation)
            | u64::from(self.best.unwrap_or(NO_ACTION)) << 16
            | u64::from(self.depth as u16) << 32
            | kind << 48
            | u64::from(self.complete) << 50;
        [value.to_bits(), rest]
    }

    fn unpack([value, rest]: [u64; 2]) -> Self {
        let value = f64::from_bits(value);
        let best = (rest >> 16) as u16;
        Self {
            bounds: match rest >> 48 & 3 {
                EXACT => Interval::point(value),
                AT_LEAST => Interval { lo: value, hi: f64::INFINITY },
                _ => Interval { lo: f64::NEG_INFINITY, hi: value },
            },
            depth: (rest >> 32) as u32 & 0xFFFF,
            best: (best != NO_ACTION).then_some(best),
            complete: rest >> 50 & 1 == 1,
        }
    }
}

/// The table.
pub(super) struct Memory {
    buckets: Vec<Bucket>,
    /// Of the current search; zeroed entries belong to no search.
    generation: u16,
}

impl Memory {
    /// An empty table of at most this size; with 0 it stores nothing.
    pub(super) fn of_mib(mib: u32) -> Self {
        let count = ((mib as usize) << 20) / size_of::<Bucket>();
        Self { buckets: std::iter::repeat_with(Bucket::default).take(count).collect(), generation: 1 }
    }

    /// Clears the table.
    pub(super) fn forget(&mut self) {
        if self.generation == u16::MAX {
            for word in self.buckets.iter_mut().flat_map(|bucket| bucket.0.as_flattened_mut()) {
                *word.get_mut() = 0;
            }
            self.generation = 0;
        }
        self.generation += 1;
    }

    fn bucket(&self, key: Key) -> &Bucket {
        &self.buckets[below(key.hash(), self.buckets.len() as u64) as usize]
    }

    /// The entry of a state, if there is one.
    pub(super) fn get(&self, key: Key) -> Option<Entry> {
        if self.buckets.is_empty() {
            return None;
        }
        let halves = [key.0 as u64, (key.0 >> 64) as u64];
        self.bucket(key).0.iter().find_map(|words| {
            let [low, high, value, rest] = words.each_ref().map(|word| word.load(Relaxed));
            let seal = value ^ rest.rotate_left(7);
            let is_it = [low ^ seal, high ^ seal] == halves && rest as u16 == self.generation;
            is_it.then(|| Entry::unpack([value, rest]))
        })
    }

    /// Stores an entry.
    pub(super) fn put(&self, key: Key, entry: Entry) {
        if self.buckets.is_empty() {
            return;
        }
        let [deepest, last] = &self.bucket(key).0;
        let held = deepest[3].load(Relaxed);
        let yields = held as u16 != self.generation || (held >> 32) as u32 & 0xFFFF <= entry.depth;
        let [value, rest] = entry.pack(self.generation);
        let seal = value ^ rest.rotate_left(7);
        let words = [key.0 as u64 ^ seal, (key.0 >> 64) as u64 ^ seal, value, rest];
        for (place, word) in (if yields { deepest } else { last }).iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: f64, depth: u32) -> Entry {
        Entry { bounds: Interval::point(value), depth, best: Some(3), complete: false }
    }

    #[test]
    fn an_entry_comes_back_as_it_was() {
        let memory = Memory::of_mib(1);
        let whole = [f64::NEG_INFINITY, f64::INFINITY];
        for (at, bounds) in
            [Interval::point(-0.25), Interval { lo: 3.5, hi: whole[1] }, Interval { lo: whole[0], hi: -1e9 }]
                .into_iter()
                .enumerate()
        {
            for (best, complete) in [(None, true), (Some(0), false), (Some(65_534), true)] {
                let (key, entry) =
                    (Key(u128::MAX - at as u128), Entry { bounds, depth: 999, best, complete });
                memory.put(key, entry);
                assert_eq!(memory.get(key), Some(entry));
            }
        }
        assert_eq!(memory.get(Key(7)), None);
        assert_eq!(size_of::<Bucket>(), 64);
    }

    #[test]
    fn another_search_knows_nothing_and_no_table_holds_nothing() {
        let mut memory = Memory::of_mib(1);
        for _ in 0..70_000 {
            memory.put(Key(7), entry(1.0, 3));
            assert!(memory.get(Key(7)).is_some());
            memory.forget();
            assert_eq!(memory.get(Key(7)), None);
        }
        let none = Memory::of_mib(0);
        none.put(Key(7), entry(1.0, 3));
        assert_eq!(none.get(Key(7)), None);
    }

    #[test]
    fn a_bucket_keeps_the_deepest_and_the_last() {
        let memory = Memory { buckets: vec![Bucket::default()], generation: 1 };
        for (key, depth) in [(1, 9), (2, 5), (3, 2)] {
            memory.put(Key(key), entry(f64::from(depth), depth));
        }
        let depths = [1, 2, 3].map(|key| memory.get(Key(key)).map(|entry| entry.depth));
        assert_eq!(depths, [Some(9), None, Some(2)]);
    }

    #[test]
    fn an_entry_that_two_threads_wrote_at_once_belongs_to_no_state() {
        let memory = Memory { buckets: vec![Bucket::default()], generation: 1 };
        memory.put(Key(1), entry(1.0, 3));
        let one = memory.buckets[0].0[0].each_ref().map(|word| word.load(Relaxed));
        memory.put(Key(2), entry(2.0, 4));
        let other = memory.buckets[0].0[0].each_ref().map(|word| word.load(Relaxed));
        for mixed in 1..15_usize {
            for (at, place) in memory.buckets[0].0[0].iter().enumerate() {
                place.store(if mixed >> at & 1 == 1 { one[at] } else { other[at] }, Relaxed);
            }
            assert_eq!((memory.get(Key(1)), memory.get(Key(2))), (None, None), "{mixed:04b}");
        }
    }
}
