//! Values by key, stored compactly: 16 bytes of key and 8 of value, in shards that grow one at a time, so
//! that the table is never much larger than its contents.

use astragal_core::{Key, below};

/// Shards of a table. A shard is held twice only while it grows.
const SHARDS: usize = 256;

/// A shard grows by a fifth when it is four fifths full.
const FULL: (usize, usize) = (4, 5);
const LEAST: usize = 16;

/// The most memory that a state can take, in bytes: 24 in a shard that is two thirds full after growing, and
/// a little for the shard that is growing.
pub const BYTES_A_STATE: u64 = 37;

/// Marks a state whose value is being computed.
pub(crate) const OPEN: f64 = f64::INFINITY;

/// Values by key.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    shards: Box<[Shard]>,
    count: usize,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    slots: Vec<Slot>,
    count: usize,
}

/// A key, in halves to avoid the padding of a `u128`, and its value; NaN marks an empty slot.
#[derive(Clone, Copy, Debug)]
struct Slot(u64, u64, f64);

impl Slot {
    const EMPTY: Self = Self(0, 0, f64::NAN);

    fn new(key: Key, value: f64) -> Self {
        Self(key.0 as u64, (key.0 >> 64) as u64, value)
    }

    fn key(self) -> Key {
        Key(u128::from(self.1) << 64 | u128::from(self.0))
    }

    fn is_empty(self) -> bool {
        self.2.is_nan()
    }
}

impl Shard {
    /// The slot of a key, or the one where it would be stored.
    #[inline]
    fn place(&self, key: Key, hash: u64) -> usize {
        let size = self.slots.len();
        // The high bits of the hash select the slot; the low bits have selected the shard.
        let mut at = below(hash, size as u64) as usize;
        while !self.slots[at].is_empty() && self.slots[at].key() != key {
            at = if at + 1 == size { 0 } else { at + 1 };
        }
        at
    }

    /// Sets a value; returns whether the key is new.
    fn set(&mut self, key: Key, hash: u64, value: f64) -> bool {
        if self.count * FULL.1 >= self.slots.len() * FULL.0 {
            let size = (self.slots.len() + self.slots.len() / 5).max(LEAST);
            let old = std::mem::replace(&mut self.slots, vec![Slot::EMPTY; size]);
            for slot in old.into_iter().filter(|slot| !slot.is_empty()) {
                let at = self.place(slot.key(), slot.key().hash());
                self.slots[at] = slot;
            }
        }
        let at = self.place(key, hash);
        let is_new = self.slots[at].is_empty();
        self.slots[at] = Slot::new(key, value);
        self.count += usize::from(is_new);
        is_new
    }
}

impl Table {
    pub(crate) fn new() -> Self {
        Self { shards: vec![Shard::default(); SHARDS].into(), count: 0 }
    }

    /// An empty table with capacity for this many keys.
    pub(crate) fn with_room(count: usize) -> Self {
        // Keys are spread randomly: some shards receive slightly more than their share.
        let share = count / SHARDS;
        let size = (share + 4 * share.isqrt()) * FULL.1 / FULL.0 + LEAST;
        Self { shards: vec![Shard { slots: vec![Slot::EMPTY; size], count: 0 }; SHARDS].into(), count: 0 }
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The value of a key.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<f64> {
        let hash = key.hash();
        let shard = &self.shards[hash as usize % SHARDS];
        if shard.count == 0 {
            return None;
        }
        let slot = shard.slots[shard.place(key, hash)];
        (!slot.is_empty()).then_some(slot.2)
    }

    /// Sets the value of a key.
    pub(crate) fn set(&mut self, key: Key, value: f64) {
        debug_assert!(!value.is_nan(), "contract: a value is a number");
        let hash = key.hash();
        self.count += usize::from(self.shards[hash as usize % SHARDS].set(key, hash, value));
    }

    /// All keys and values, shard by shard and within each by key: the order depends on nothing else.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Key, f64)> + '_ {
        self.shards.iter().flat_map(|shard| {
            let entries = shard.slots.iter().filter(|slot| !slot.is_empty());
            let mut entries: Vec<_> = entries.map(|slot| (slot.key(), slot.2)).collect();
            entries.sort_unstable_by_key(|&(key, _)| key);
            entries
        })
    }

    /// Its size in bytes.
    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| size_of::<Slot>() * shard.slots.capacity()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::mix;
    use std::collections::BTreeMap;

    #[test]
    fn it_holds_what_was_set_in_little_memory() {
        let (mut table, mut truth) = (Table::new(), BTreeMap::new());
        let mut most = 0.0_f64;
        for step in 0..400_000_u64 {
            // Keys that are close together, some of them repeated.
            let key = Key(u128::from(mix(step) % 300_000) << 20);
            table.set(key, step as f64);
            truth.insert(key, step as f64);
            if table.len() > 20_000 {
                most = most.max(table.bytes() as f64 / table.len() as f64);
            }
        }
        assert_eq!(table.len(), truth.len());
        assert!(truth.iter().all(|(&key, &value)| table.get(key) == Some(value)));
        assert_eq!(table.get(Key(1)), None);
        assert_eq!(table.entries().collect::<BTreeMap<_, _>>(), truth);
        assert!(most < BYTES_A_STATE as f64, "{most} bytes a state");
    }
}
