//! Python exceptions that come up in the middle of a search.
//!
//! A search has no way to hand an error up. The first one is kept here, the search is told to stop, and
//! whatever it still asks gets some harmless answer; then the error is raised.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The first exception since the last [`Faults::check`].
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Kept>);

#[derive(Default)]
struct Kept {
    raised: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Faults {
    /// Keeps an exception.
    pub(crate) fn keep(&self, error: PyErr) {
        self.0.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Whether there was one.
    pub(crate) fn raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }

    /// Raises what was kept.
    pub(crate) fn check(&self) -> PyResult<()> {
        if !self.0.raised.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let kept = self.0.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        kept.map_or(Ok(()), Err)
    }

    /// The result, or the default if it is an exception, which is kept.
    pub(crate) fn or<T>(&self, result: PyResult<T>, otherwise: impl FnOnce() -> T) -> T {
        result.unwrap_or_else(|error| {
            self.keep(error);
            otherwise()
        })
    }
}
