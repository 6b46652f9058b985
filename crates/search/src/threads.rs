//! What searches with several threads have in common.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most threads for each core of the machine: more would only wait for each other, and for the clock.
const THREADS_PER_CORE: usize = 4;

/// The most threads that a search starts.
pub(crate) fn most_threads() -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    (THREADS_PER_CORE * cores) as u32
}

/// The stack of a thread that searches: recursion is as deep as [`DEEPEST`](crate::DEEPEST).
pub(crate) const STACK: usize = 64 << 20;

/// One of the threads of a search; the first is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    pub(crate) at: u32,
    pub(crate) of: u32,
}

impl Thread {
    /// The only one.
    pub(crate) const ALONE: Self = Self { at: 0, of: 1 };
}

/// Ends all threads if this one panics: the others would wait for a stop that nobody calls.
pub(crate) struct Alarm<'a>(pub(crate) &'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
