//! Long work: on its own thread without the interpreter's lock, while the caller's thread watches for Ctrl-C
//! and shows progress.

use crate::faults::Faults;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// The progress of some work: done, total (0 if unknown), and the current step.
pub(crate) type News = (u64, u64, String);

/// How the work communicates with the caller's thread.
pub(crate) struct Desk<'a> {
    /// Set when the work should stop.
    pub(crate) stop: &'a AtomicBool,
    /// Sends progress.
    pub(crate) news: Sender<News>,
}

/// How work ended.
pub(crate) struct Done<T> {
    pub(crate) result: T,
    /// The interrupt that ended it, if any.
    pub(crate) interrupt: Option<PyErr>,
}

impl<T> Done<T> {
    /// Returns the result, for work that has no partial result after an interrupt.
    pub(crate) fn whole(self) -> PyResult<T> {
        self.interrupt.map_or(Ok(self.result), Err)
    }
}

/// The stack size of the working thread in bytes.
const STACK: usize = 64 << 20;

/// The interval between checks for an interrupt.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs the work. An interrupt asks it to stop, and it returns its results so far; any other exception, from
/// a signal handler, the progress function or `faults`, also stops it and is raised.
pub(crate) fn attended<T: Send>(
    py: Python<'_>,
    faults: &Faults,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Desk<'_>) -> T + Send,
) -> PyResult<Done<T>> {
    attended_with(py, faults, progress, &|| {}, work)
}

/// Like [`attended`], but also calls `on_interrupt` when an interrupt or an exception stops the work.
pub(crate) fn attended_with<T: Send>(
    py: Python<'_>,
    faults: &Faults,
    progress: Option<&Py<PyAny>>,
    on_interrupt: &(dyn Fn() + Sync),
    work: impl FnOnce(&Desk<'_>) -> T + Send,
) -> PyResult<Done<T>> {
    let under_way = faults.begin(py);
    let stop = AtomicBool::new(false);
    let (send, receive) = mpsc::channel::<News>();
    let mut interrupt: Option<PyErr> = None;
    let mut failed: Option<PyErr> = None;
    let (stop, heard_interrupt, heard_error) = (&stop, &mut interrupt, &mut failed);
    let joined = py.detach(move || {
        std::thread::scope(|scope| {
            let work = move || {
                // Attaching once around everything makes each later call into Python cheap.
                Python::attach(|py| {
                    let desk = Desk { stop, news: send };
                    py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&desk))))
                })
            };
            // The stack suffices for recursive Python code, as on Python's own threads.
            let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let worker = worker.map_err(|error| Box::new(error.to_string()) as Box<dyn Any + Send>)?;
            loop {
                let news = receive.recv_timeout(PAUSE);
                let over = matches!(news, Err(RecvTimeoutError::Disconnected));
                // Only the latest news item matters.
                let news = news.ok().map(|first| receive.try_iter().last().unwrap_or(first));
                let heard = Python::attach(|py| {
                    if let (Some(news), Some(progress)) = (news, progress)
                        && let Err(error) = progress.call1(py, news)
                    {
                        return Err(error);
                    }
                    py.check_signals()
                });
                if let Err(error) = heard {
                    stop.store(true, Ordering::Relaxed);
                    let is_interrupt = Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py));
                    on_interrupt();
                    let kept = if is_interrupt { &mut *heard_interrupt } else { &mut *heard_error };
                    kept.get_or_insert(error);
                }
                if faults.raised() {
                    stop.store(true, Ordering::Relaxed);
                }
                if over {
                    break;
                }
            }
            worker.join()
        })
    });
    under_way.end(py)?;
    if let Some(error) = failed {
        return Err(error);
    }
    match joined.and_then(|caught| caught) {
        Ok(result) => Ok(Done { result, interrupt }),
        Err(_) => Err(PyRuntimeError::new_err(format!(
            "the search broke off: {}. If the game is written in Python, does Game.check find it in order? \
             Otherwise it is a defect of astragal",
            LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner)
        ))),
    }
}

/// The message of the last panic on any thread.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the message of a panic instead of printing it: it becomes an exception, or ends a search that got
/// placeholder answers from a game after an exception. With RUST_BACKTRACE it is printed as well.
pub(crate) fn quiet_panics() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
            loud(panic);
        }
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string().replace('\n', " ");
    }));
}
