//! What an interrupt (SIGINT, SIGTERM, SIGHUP) does: the same in every command.
//!
//! A command at work sees [`Interruptible::stop`], keeps and shows what it has as partial, and ends with
//! [`Failure::Interrupted`]. If none is at work, if it does not end in time, or if a second interrupt comes a
//! moment later, the process ends at once. The exit code is 130 in any case.

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

/// The exit code of every interrupted command: 128 + SIGINT, as shells have it.
const CODE: u8 = 130;

/// The time that a command has to end by itself. Unoptimised builds are slow to notice.
const GRACE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 3000 } else { 400 });

/// The additional time of a command whose results would be lost.
const MORE_GRACE: Duration = Duration::from_secs(2);

/// The time between two looks at the flag.
const POLL: Duration = Duration::from_millis(10);

/// A second interrupt as soon as this is the first one over again: `timeout` signals its command and then the
/// whole group, in which the command is.
const ECHO: Duration = Duration::from_millis(100);

/// When the first interrupt came.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Set by the first interrupt and never cleared.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The number of [`Interruptible`]s.
static AT_WORK: AtomicU32 = AtomicU32::new(0);

/// Whether there are results that only the command at work can show.
static RESULTS: AtomicBool = AtomicBool::new(false);

/// Whether somebody has begun to say the last words.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// What to do before the process ends at once.
static LAST_WORDS: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// The terminal as it was before a line was edited, while one is.
#[cfg(unix)]
static TERMINAL: Mutex<Option<rustix::termios::Termios>> = Mutex::new(None);

/// Edits a line. The terminal is then in a state in which nobody should be left, so an interrupt restores it.
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

/// Handles interrupts from now on.
pub(crate) fn install() {
    // Without a handler an interrupt ends the process as usual, which is all that is lost.
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
            // Without one the command ends by itself, or by the second interrupt.
            let _ = Builder::new().spawn(watchdog);
        } else {
            leave();
        }
    });
}

/// Whether there was an interrupt. Whoever is at work in pieces asks between them: a piece may be too short
/// to notice.
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

/// Replaces what is done before an interrupt ends the process at once; by default a line on standard error.
pub(crate) fn set_last_words(words: impl FnOnce() + Send + 'static) {
    if let Ok(mut last) = LAST_WORDS.lock() {
        *last = Some(Box::new(words));
    }
}

/// Lets a command say what it has instead of its last words. If they are being said already, the process ends
/// meanwhile, and this does not return.
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

/// Work that ends by itself when it is interrupted, as long as this lives.
pub(crate) struct Interruptible(());

impl Interruptible {
    pub(crate) fn start() -> Self {
        AT_WORK.fetch_add(1, Ordering::SeqCst);
        Self(())
    }

    /// Set by an interrupt.
    #[expect(clippy::unused_self, reason = "whoever looks at the flag must be known to be at work")]
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        &INTERRUPTED
    }

    /// Whether there was an interrupt.
    #[expect(clippy::unused_self, reason = "as for the flag")]
    pub(crate) fn is_stopped(&self) -> bool {
        has_come()
    }

    /// Says that there are results that would be lost if the process ended at once.
    #[expect(clippy::unused_self, reason = "only work has results")]
    pub(crate) fn has_results(&self) {
        RESULTS.store(true, Ordering::SeqCst);
    }

    /// Does work that cannot be stopped on a thread of its own, and takes what it finds. An interrupt or a
    /// failure ends this at once; the thread is left behind and ends with the process. Returns whether all
    /// was done.
    pub(crate) fn each<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn FnMut(T)) + Send + 'static,
        mut take: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let (send, receive) = sync_channel(64);
        let run = move || {
            work(&mut |found| {
                // Nobody listens after an interrupt.
                let _ = send.send(found);
            });
        };
        let thread = Builder::new().spawn(run).map_err(|error| {
            Failure::Message(format!("the system starts no thread for the work: {error}"))
        })?;
        loop {
            if self.is_stopped() {
                // What was finished before the interrupt counts.
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

    /// Does one piece of work that cannot be stopped; none if it was interrupted.
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
