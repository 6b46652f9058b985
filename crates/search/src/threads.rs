//! Common parts of multithreaded searches.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most threads per core of the machine: more would only contend with each other, and delay checks of the
/// clock.
const THREADS_PER_CORE: usize = 4;

/// The most threads that one search starts.
pub(crate) fn most_threads() -> u32 {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    (THREADS_PER_CORE * cores) as u32
}

/// The stack size of a search thread: recursion is up to [`DEEPEST`](crate::DEEPEST) deep.
pub(crate) const STACK: usize = 64 << 20;

/// The index and the number of the threads of a search; the first is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    pub(crate) at: u32,
    pub(crate) of: u32,
}

impl Thread {
    /// The only thread of a search.
    pub(crate) const ALONE: Self = Self { at: 0, of: 1 };
}

/// Stops all threads if this one panics; otherwise they would wait forever for a stop signal.
pub(crate) struct Alarm<'a>(pub(crate) &'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
