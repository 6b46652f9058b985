//! Long work: on a thread of its own and without the interpreter's lock, while the caller's thread listens
//! for Ctrl-C and shows progress.

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

/// How far some work has come: done, of how many (0 if nobody knows), and what is being done.
pub(crate) type News = (u64, u64, String);

/// What the work hears and tells.
pub(crate) struct Desk<'a> {
    /// Set when it should end.
    pub(crate) stop: &'a AtomicBool,
    /// Takes news.
    pub(crate) news: Sender<News>,
}

/// How work ended.
pub(crate) struct Done<T> {
    pub(crate) result: T,
    /// The interrupt that ended it, if one did.
    pub(crate) interrupt: Option<PyErr>,
}

impl<T> Done<T> {
    /// The result of work that has nothing to show if it was interrupted.
    pub(crate) fn whole(self) -> PyResult<T> {
        self.interrupt.map_or(Ok(self.result), Err)
    }
}

/// The stack of the thread that does the work, in bytes.
const STACK: usize = 64 << 20;

/// The time between two looks whether there was an interrupt.
const PAUSE: Duration = Duration::from_millis(20);

/// Does the work. An interrupt asks it to end, and it returns what it has; any other exception, of a signal's
/// handler, of the progress function or in `faults`, ends it too and is raised.
pub(crate) fn attended<T: Send>(
    py: Python<'_>,
    faults: &Faults,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Desk<'_>) -> T + Send,
) -> PyResult<Done<T>> {
    attended_with(py, faults, progress, &|| {}, work)
}

/// The same, with something to do on an interrupt besides asking the work to end.
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
                // Attached once around everything: each later call into Python is then cheap.
                Python::attach(|py| {
                    let desk = Desk { stop, news: send };
                    py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&desk))))
                })
            };
            // With room for Python code that calls itself, as on Python's own threads.
            let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let worker = worker.map_err(|error| Box::new(error.to_string()) as Box<dyn Any + Send>)?;
            loop {
                let news = receive.recv_timeout(PAUSE);
                let over = matches!(news, Err(RecvTimeoutError::Disconnected));
                // Of many news the last are enough.
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

/// The words of the last panic on any thread.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the words of a panic instead of printing them: it becomes an exception, or is the end of a search to
/// which a game has said nothing sensible after an exception. With RUST_BACKTRACE it is printed all the same.
pub(crate) fn quiet_panics() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
            loud(panic);
        }
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string().replace('\n', " ");
    }));
}
