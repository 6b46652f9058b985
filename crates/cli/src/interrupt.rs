//! Handling of interrupts (SIGINT, SIGTERM, SIGHUP), the same in every command.
//!
//! A command at work polls [`Interruptible::stop`], keeps its results so far and shows them as partial, and
//! returns [`Failure::Interrupted`]. If no command is at work, if it does not end in time, or if a second
//! interrupt follows, the process exits immediately. The exit code is 130 in all cases.

use crate::failure::Failure;
use crate::progress;
use astragal_store::file::remove_unfinished;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, OnceLock};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The exit code of every interrupted command: 128 + SIGINT, as in shells.
const CODE: u8 = 130;

/// The time for a command to end by itself. Unoptimised builds are slow to notice an interrupt.
const GRACE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 3000 } else { 400 });

/// The additional time for a command whose results would be lost.
const MORE_GRACE: Duration = Duration::from_secs(2);

/// The polling interval of the flag.
const POLL: Duration = Duration::from_millis(10);

/// A second interrupt within this time is the first one repeated: `timeout` signals its command and then the
/// whole process group, which includes the command.
const ECHO: Duration = Duration::from_millis(100);

/// The time of the first interrupt.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Set by the first interrupt and never cleared.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The number of live [`Interruptible`]s.
static AT_WORK: AtomicU32 = AtomicU32::new(0);

/// Whether there are results that only the command at work can show.
static RESULTS: AtomicBool = AtomicBool::new(false);

/// Whether the last words are already being printed.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// What to run before the process exits immediately.
static LAST_WORDS: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// The terminal state to restore, while a line is being edited.
#[cfg(unix)]
static TERMINAL: Mutex<Option<rustix::termios::Termios>> = Mutex::new(None);

/// Edits a line. Editing changes the mode of the terminal, so an interrupt restores it.
pub(crate) fn while_editing<T>(edit: impl FnOnce() -> T) -> T {
    #[cfg(unix)]
    set_terminal(rustix::termios::tcgetattr(std::io::stdin()).ok());
    let line = edit();
    #[cfg(unix)]
    set_terminal(None);
    line
}

#[cfg(unix)]
fn set_terminal(state: Option<rustix::termios::Termios>) {
    if let Ok(mut terminal) = TERMINAL.lock() {
        *terminal = state;
    }
}

/// Restores the terminal, if a line is being edited.
fn restore_terminal() {
    #[cfg(unix)]
    if let Some(state) = TERMINAL.lock().ok().and_then(|mut terminal| terminal.take()) {
        use rustix::termios::{OptionalActions, tcsetattr};
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &state);
    }
}

/// Installs the interrupt handler.
pub(crate) fn install() {
    // If this fails, an interrupt merely ends the process as usual.
    let _ = ctrlc::set_handler(|| {
        let first = !INTERRUPTED.swap(true, Ordering::SeqCst);
        if !first && FIRST.get().is_some_and(|first| first.elapsed() < ECHO) {
            return;
        }
        if first && is_at_work() {
            let _ = FIRST.set(Instant::now());
            let watchdog = || {
                std::thread::sleep(GRACE);
                if RESULTS.load(Ordering::SeqCst) && is_at_work() {
                    std::thread::sleep(MORE_GRACE);
                }
                if is_at_work() {
                    leave();
                }
            };
            // Without a watchdog, the command ends by itself or at the second interrupt.
            let _ = Builder::new().spawn(watchdog);
        } else {
            leave();
        }
    });
}

/// Whether there was an interrupt. Work done in pieces checks it between them, because a piece may be too
/// short to notice.
pub(crate) fn has_come() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

fn is_at_work() -> bool {
    AT_WORK.load(Ordering::SeqCst) > 0
}

/// The exit code of an interrupted command.
pub(crate) fn exit_code() -> ExitCode {
    ExitCode::from(CODE)
}

/// Replaces what runs before an interrupt ends the process immediately; the default prints a line on standard
/// error.
pub(crate) fn set_last_words(words: impl FnOnce() + Send + 'static) {
    if let Ok(mut last) = LAST_WORDS.lock() {
        *last = Some(Box::new(words));
    }
}

/// Lets a command print its results instead of its last words. If those are already being printed, this does
/// not return, and the process exits meanwhile.
pub(crate) fn begin_to_leave() {
    if LEAVING.swap(true, Ordering::SeqCst) {
        loop {
            std::thread::park();
        }
    }
}

fn leave() -> ! {
    progress::clear();
    restore_terminal();
    if !LEAVING.swap(true, Ordering::SeqCst) {
        match LAST_WORDS.lock().ok().and_then(|mut words| words.take()) {
            Some(words) => words(),
            None => {
                let _ = writeln!(std::io::stderr(), "astragal: interrupted");
            }
        }
    }
    remove_unfinished();
    std::process::exit(CODE.into());
}

/// Marks work that ends by itself when interrupted, for as long as this value lives.
pub(crate) struct Interruptible(());

impl Interruptible {
    pub(crate) fn start() -> Self {
        AT_WORK.fetch_add(1, Ordering::SeqCst);
        Self(())
    }

    /// The flag that an interrupt sets.
    #[expect(clippy::unused_self, reason = "whoever looks at the flag must be known to be at work")]
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        &INTERRUPTED
    }

    /// Whether there was an interrupt.
    #[expect(clippy::unused_self, reason = "as for the flag")]
    pub(crate) fn is_stopped(&self) -> bool {
        has_come()
    }

    /// Records that there are results that would be lost if the process exited immediately.
    #[expect(clippy::unused_self, reason = "only work has results")]
    pub(crate) fn has_results(&self) {
        RESULTS.store(true, Ordering::SeqCst);
    }

    /// Runs uninterruptible work on its own thread, and passes each of its results to `take`. An interrupt or
    /// a failure ends the wait immediately; the thread is left behind and ends with the process. Returns
    /// whether all work was done.
    pub(crate) fn each<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(T)) + Send + 'static,
        mut take: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let (send, receive) = sync_channel(64);
        let run = move || {
            work(&mut |found| {
                // After an interrupt the receiver may be gone.
                let _ = send.send(found);
            });
        };
        let thread = Builder::new().spawn(run).map_err(|error| {
            Failure::Message(format!("the system cannot start a thread for the work: {error}"))
        })?;
        loop {
            if self.is_stopped() {
                // Results finished before the interrupt count.
                receive.try_iter().try_for_each(take)?;
                return Ok(false);
            }
            match receive.recv_timeout(POLL) {
                Ok(found) => take(found)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
        Ok(true)
    }

    /// Runs one piece of uninterruptible work; returns none if it was interrupted.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, Failure> {
        let mut result = None;
        self.each(
            |done| done(work()),
            |found| {
                result = Some(found);
                Ok(())
            },
        )?;
        Ok(result)
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        AT_WORK.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_not_interrupted_is_done() {
        let work = Interruptible::start();
        let mut found = Vec::new();
        let take = |number| {
            found.push(number);
            Ok(())
        };
        assert!(matches!(work.each(|done| (0..1000).for_each(done), take), Ok(true)));
        assert_eq!(found, (0..1000).collect::<Vec<i32>>());
        assert!(matches!(work.run(|| 6 * 7), Ok(Some(42))));
    }

    #[test]
    fn a_panic_is_not_taken_for_an_interrupt() {
        let run = || Interruptible::start().run(|| panic!("contract: broken")).is_ok();
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
