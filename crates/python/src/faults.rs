//! Python exceptions that come up in the middle of a search.
//!
//! A search has no way to hand an error up. The first one is kept here, the searches of the game are told to
//! stop, and whatever they still ask gets some harmless answer; then each call that was under way raises the
//! error. What a call returns is never made of such answers.

use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The calls into a game that are under way, and the first exception among them.
#[derive(Clone, Default)]
pub(crate) struct Faults(Arc<Kept>);

#[derive(Default)]
struct Kept {
    /// Whether there is an error, to be seen without the lock.
    raised: AtomicBool,
    calls: Mutex<Calls>,
    /// Told when the error is forgotten.
    over: Condvar,
}

thread_local! {
    /// How many calls from a search into Python this thread is in.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Calls Python code of a user from a search.
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

/// How long to wait before looking again whether an error is forgotten.
const PAUSE: Duration = Duration::from_millis(20);

/// A call into a game. The error is forgotten with the last call that it could have spoilt.
pub(crate) struct Call<'a>(&'a Faults);

impl Faults {
    // Nothing of Python's is made or dropped while it is locked: that could wait for another thread.
    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a call, once those have ended that an exception has spoilt. A call that such a call makes by
    /// itself does not wait for that.
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

    /// What a call returns, unless something was raised meanwhile.
    pub(crate) fn guard<T>(&self, py: Python<'_>, call: impl FnOnce() -> T) -> PyResult<T> {
        let under_way = self.begin(py);
        let result = call();
        under_way.end(py)?;
        Ok(result)
    }

    /// Keeps an exception.
    pub(crate) fn keep(&self, error: PyErr) {
        let error = Arc::new(error);
        let mut calls = self.calls();
        if calls.error.is_none() {
            calls.error = Some(Arc::clone(&error));
        }
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Whether there was one.
    pub(crate) fn raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }

    /// The result, or the default if it is an exception, which is kept.
    pub(crate) fn or<T>(&self, result: PyResult<T>, otherwise: impl FnOnce() -> T) -> T {
        result.unwrap_or_else(|error| {
            self.keep(error);
            otherwise()
        })
    }
}

impl Call<'_> {
    /// Raises what was raised while the call was under way.
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
