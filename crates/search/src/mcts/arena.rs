//! An arena: elements with 32-bit indices and stable addresses, in chunks allocated on demand, within a
//! memory limit.

use super::node::{Index, NONE};
use std::ops::{Range, RangeInclusive};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The memory budget that the arenas of a tree share.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) limit: usize,
    pub(super) used: AtomicUsize,
}

impl Memory {
    pub(super) fn reserve(&self, bytes: usize) -> bool {
        let take = |used: usize| used.checked_add(bytes).filter(|&sum| sum <= self.limit);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    pub(super) fn release(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Chunks double in size up to the largest, so that a small search touches little memory.
pub(super) const SMALLEST: u32 = 8;
pub(super) const LARGEST: u32 = 13;
/// Number of chunks before the first of the largest size.
pub(super) const SMALL: usize = (LARGEST - SMALLEST + 1) as usize;

/// Elements with 32-bit indices and stable addresses.
#[derive(Debug)]
pub(super) struct Arena<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    len: AtomicU32,
}

/// The chunk of an index, and the offset in it.
#[inline]
pub(super) fn place(index: Index) -> (usize, usize) {
    if index >> LARGEST != 0 {
        return (SMALL - 1 + (index >> LARGEST) as usize, (index & ((1 << LARGEST) - 1)) as usize);
    }
    let chunk = (index >> SMALLEST).checked_ilog2().map_or(0, |log| log + 1);
    let start = if chunk == 0 { 0 } else { 1 << (SMALLEST + chunk - 1) };
    (chunk as usize, (index - start) as usize)
}

/// The first index of a chunk, and the chunk's size.
pub(super) fn extent(chunk: usize) -> (u64, u64) {
    if chunk == 0 {
        (0, 1 << SMALLEST)
    } else if chunk < SMALL {
        let size = 1 << (u64::from(SMALLEST) + chunk as u64 - 1);
        (size, size)
    } else {
        (((chunk - SMALL + 1) as u64) << LARGEST, 1 << LARGEST)
    }
}

impl<T: Default> Arena<T> {
    /// An empty arena with a capacity of `most` elements, memory permitting.
    pub(super) fn new(most: usize) -> Self {
        let chunks = SMALL + (most.min(NONE as usize) >> LARGEST) + 1;
        Self { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), len: AtomicU32::new(0) }
    }

    #[inline]
    pub(super) fn get(&self, index: Index) -> &T {
        let (chunk, at) = place(index);
        &self.chunks[chunk].get().expect("an index that was handed out")[at]
    }

    /// The element at an index, if its chunk is allocated.
    pub(super) fn find(&self, index: Index) -> Option<&T> {
        let (chunk, at) = place(index);
        self.chunks.get(chunk)?.get().map(|things| &things[at])
    }

    /// Contiguous elements that were taken together, and so lie in one chunk.
    #[inline]
    pub(super) fn slice(&self, first: Index, count: usize) -> &[T] {
        let (chunk, at) = place(first);
        &self.chunks[chunk].get().expect("an index that was handed out")[at..at + count]
    }

    /// Takes this many contiguous elements; none if the memory is exhausted.
    pub(super) fn take(&self, count: u32, memory: &Memory) -> Option<Index> {
        self.take_some(count..=count, memory).map(|taken| taken.start)
    }

    /// Takes at least this many contiguous elements, and more if that wastes nothing; none if the memory is
    /// exhausted.
    pub(super) fn take_some(&self, count: RangeInclusive<u32>, memory: &Memory) -> Option<Range<Index>> {
        let (least, most) = (u64::from(*count.start()), u64::from(*count.end()));
        let mut len = self.len.load(Ordering::Relaxed);
        loop {
            let (mut chunk, at) = place(len);
            let (mut first, mut left) = (u64::from(len), extent(chunk).1 - at as u64);
            if left < least {
                // The rest of this chunk is too small, and so may be the next chunks.
                chunk = (chunk + 1..self.chunks.len()).find(|&next| extent(next).1 >= least)?;
                (first, left) = extent(chunk);
            }
            let end = u32::try_from(first + left.min(most)).ok().filter(|&end| end < NONE)?;
            self.ensure(chunk, memory)?;
            match self.len.compare_exchange(len, end, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(first as Index..end),
                Err(other) => len = other,
            }
        }
    }

    /// Allocates a chunk unless it exists.
    pub(super) fn ensure(&self, chunk: usize, memory: &Memory) -> Option<()> {
        let cell = self.chunks.get(chunk)?;
        if cell.get().is_some() {
            return Some(());
        }
        let size = extent(chunk).1 as usize;
        let bytes = size * size_of::<T>();
        if !memory.reserve(bytes) {
            return None;
        }
        let mut mine = false;
        cell.get_or_init(|| {
            mine = true;
            (0..size).map(|_| T::default()).collect()
        });
        if !mine {
            memory.release(bytes);
        }
        Some(())
    }

    pub(super) fn len(&self) -> u32 {
        self.len.load(Ordering::Relaxed)
    }
}
