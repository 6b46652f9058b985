//! Python exceptions raised in the middle of a search.
//!
//! A search cannot propagate an error. The first one is kept here, the searches of the game are told to stop,
//! and their remaining queries get harmless answers; then each call in progress raises the error. No call
//! returns a result based on such answers.

use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The calls into a game that are in progress, and the first exception among them.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Kept>);

#[derive(Default)]
struct Kept {
    /// Whether there is an error, readable without the lock.
    raised: AtomicBool,
    calls: Mutex<Calls>,
    /// Notified when the error is cleared.
    over: Condvar,
}

thread_local! {
    /// The number of nested calls from a search into Python on this thread.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Calls user-defined Python code from a search.
pub(crate) fn inside<T>(call: impl FnOnce() -> T) -> T {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            INSIDE.set(INSIDE.get() - 1);
        }
    }
    INSIDE.set(INSIDE.get() + 1);
    let _leave = Leave;
    call()
}

#[derive(Default)]
struct Calls {
    under_way: usize,
    error: Option<Arc<PyErr>>,
}

/// How long to wait before checking again whether the error is cleared.
const PAUSE: Duration = Duration::from_millis(20);

/// A call into a game. The error is cleared at the end of the last call that it could have affected.
pub(crate) struct Call<'a>(&'a Faults);

impl Faults {
    // No Python object is created or dropped while this is locked, as that could wait for another thread.
    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a call, once all calls affected by an exception have ended. A call nested in such a call does
    /// not wait.
    pub(crate) fn begin(&self, py: Python<'_>) -> Call<'_> {
        let can_wait = INSIDE.get() == 0;
        loop {
            let mut calls = self.calls();
            if calls.error.is_none() || !can_wait {
                calls.under_way += 1;
                return Call(self);
            }
            drop(calls);
            py.detach(|| {
                let calls = self.calls();
                if calls.error.is_some() {
                    let _ = self.0.over.wait_timeout(calls, PAUSE);
                }
            });
        }
    }

    /// Returns the result of a call, unless an exception was raised meanwhile.
    pub(crate) fn guard<T>(&self, py: Python<'_>, call: impl FnOnce() -> T) -> PyResult<T> {
        let under_way = self.begin(py);
        let result = call();
        under_way.end(py)?;
        Ok(result)
    }

    /// Keeps an exception, if it is the first.
    pub(crate) fn keep(&self, error: PyErr) {
        let error = Arc::new(error);
        let mut calls = self.calls();
        if calls.error.is_none() {
            calls.error = Some(Arc::clone(&error));
        }
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Whether an exception was raised.
    pub(crate) fn raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }

    /// Returns the result, or the default if it is an exception, which is kept.
    pub(crate) fn or<T>(&self, result: PyResult<T>, otherwise: impl FnOnce() -> T) -> T {
        result.unwrap_or_else(|error| {
            self.keep(error);
            otherwise()
        })
    }
}

impl Call<'_> {
    /// Raises the exception that was kept while the call was in progress, if any.
    pub(crate) fn end(self, py: Python<'_>) -> PyResult<()> {
        if !self.0.raised() {
            return Ok(());
        }
        let error = self.0.calls().error.clone();
        error.map_or(Ok(()), |error| Err(error.clone_ref(py)))
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let mut calls = self.0.calls();
        calls.under_way -= 1;
        let mut over = None;
        if calls.under_way == 0 {
            over = calls.error.take();
            self.0.0.raised.store(false, Ordering::Relaxed);
        }
        drop(calls);
        if over.is_some() {
            self.0.0.over.notify_all();
        }
        drop(over);
    }
}
