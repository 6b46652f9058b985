//! The clock, the stop button and the progress line of a search.

use crate::print::{count, value};
use crate::progress::ProgressLine;
use astragal_core::{News, Watch};
use astragal_solve::{Progress, Supervisor};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Whether the user has asked for the end of the search that is running.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether a search is running.
static SEARCHING: AtomicBool = AtomicBool::new(false);

/// What is said before an interrupt ends the process.
static FAREWELL: Mutex<Option<String>> = Mutex::new(None);

/// Says this before an interrupt ends the process.
pub(crate) fn farewell(words: String) {
    listen();
    if let Ok(mut farewell) = FAREWELL.lock() {
        *farewell = Some(words);
    }
}

/// From now on an interrupt ends the search that is running; without one, or the second time, it ends the process.
fn listen() {
    static HANDLER: OnceLock<()> = OnceLock::new();
    HANDLER.get_or_init(|| {
        // Without a handler an interrupt ends the process as usual, which is all that is lost.
        let _ = ctrlc::set_handler(|| {
            if !SEARCHING.load(Ordering::SeqCst) || INTERRUPTED.swap(true, Ordering::SeqCst) {
                if let Some(farewell) = FAREWELL.lock().ok().and_then(|mut words| words.take()) {
                    let _ = writeln!(std::io::stdout(), "\n{farewell}");
                }
                std::process::exit(130);
            }
        });
    });
}

/// Work of many searches that an interrupt ends; the second interrupt ends the process.
pub(crate) struct Interruptible(());

impl Interruptible {
    pub(crate) fn start() -> Self {
        listen();
        INTERRUPTED.store(false, Ordering::SeqCst);
        SEARCHING.store(true, Ordering::SeqCst);
        Self(())
    }

    /// Set by an interrupt.
    #[expect(clippy::unused_self, reason = "only who can be interrupted may ask")]
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        &INTERRUPTED
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        SEARCHING.store(false, Ordering::SeqCst);
    }
}

/// Watches one search, or the solution of a game.
pub(crate) struct Clock {
    line: ProgressLine,
    /// The root's actions.
    actions: Vec<String>,
    interruptible: Interruptible,
}

impl Clock {
    /// Starts the clock. On a terminal a line shows how far the search is.
    pub(crate) fn start(actions: Vec<String>) -> Self {
        Self { line: ProgressLine::start(), actions, interruptible: Interruptible::start() }
    }

    /// Starts the clock without showing anything.
    pub(crate) fn quiet() -> Self {
        Self { line: ProgressLine::hidden(), ..Self::start(Vec::new()) }
    }
}

impl Watch for Clock {
    fn elapsed(&mut self) -> Duration {
        self.line.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        self.interruptible.stop().load(Ordering::Relaxed)
    }

    fn news(&mut self, news: News) {
        let (done, found, best, counts) = match news {
            News::Depth { depth, value, best, counts } => (format!("depth {depth}"), value, best, counts),
            News::Simulations { value, best, counts } => {
                (format!("{} simulations", count(counts.simulations)), value, best, counts)
            }
        };
        let seconds = self.line.elapsed().as_secs_f64();
        let best = best.and_then(|i| self.actions.get(i)).map_or("", String::as_str);
        let text = || {
            format!("{done}  value {}  {best}  {} nodes  {seconds:.1} s", value(found), count(counts.nodes))
        };
        match news {
            News::Depth { .. } => self.line.show_now(text),
            News::Simulations { .. } => self.line.show(text),
        }
    }
}

impl Supervisor for Clock {
    fn progress(&mut self, progress: Progress) {
        self.line.show(|| match progress {
            Progress::Found(states) => format!("{} states found", count(states as u64)),
            Progress::Valued(states) => format!("{} states valued", count(states as u64)),
            Progress::Sweep { sweep, residual } => format!("sweep {sweep}, residual {residual:.1e}"),
        });
    }

    fn cancelled(&mut self) -> bool {
        Watch::cancelled(self)
    }
}
