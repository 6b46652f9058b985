//! The clock, the stop button and the progress line of a search.

use crate::print::{counted, value};
use astragal_core::{News, Watch};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

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
    pub(crate) fn stop(&self) -> &'static AtomicBool {
        interrupts()
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        SEARCHING.store(false, Ordering::SeqCst);
    }
}

/// One line of progress on a terminal, drawn over and over, at most ten times a second; nothing elsewhere.
pub(crate) struct ProgressLine {
    terminal: bool,
    start: Instant,
    last: Option<Instant>,
}

impl ProgressLine {
    pub(crate) fn start() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), start: Instant::now(), last: None }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Shows a line, if it is time for one.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        let due = self.last.is_none_or(|last| last.elapsed() > Duration::from_millis(100));
        if self.terminal && due {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", line());
            self.last = Some(Instant::now());
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Set when the user has asked for the end since the last clock was started.
pub(crate) fn interrupts() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Watches one search.
pub(crate) struct Clock {
    start: Instant,
    /// The root's actions, if progress is shown.
    progress: Option<Vec<String>>,
    shown: bool,
}

impl Clock {
    /// Starts the clock. On a terminal every finished depth is shown while the search goes on.
    pub(crate) fn start(actions: Vec<String>) -> Self {
        let progress = std::io::stderr().is_terminal().then_some(actions);
        listen();
        INTERRUPTED.store(false, Ordering::SeqCst);
        SEARCHING.store(true, Ordering::SeqCst);
        Self { start: Instant::now(), progress, shown: false }
    }

    /// Starts the clock without showing anything.
    pub(crate) fn quiet() -> Self {
        let mut clock = Self::start(Vec::new());
        clock.progress = None;
        clock
    }

    /// Takes the progress line away.
    pub(crate) fn finish(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Watch for Clock {
    fn elapsed(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }

    fn news(&mut self, news: News) {
        let (done, found, best, counts) = match news {
            News::Depth { depth, value, best, counts } => (format!("depth {depth}"), value, best, counts),
            News::Simulations { value, best, counts } => {
                (counted(counts.simulations, "simulation", "simulations"), value, best, counts)
            }
        };
        // The quick first depths would only flicker.
        if let Some(actions) = &self.progress
            && self.start.elapsed() > Duration::from_millis(100)
        {
            let best = best.and_then(|i| actions.get(i)).map_or("", String::as_str);
            let seconds = self.start.elapsed().as_secs_f64();
            let nodes = counted(counts.nodes, "node", "nodes");
            let line = format!("{done}  value {}  {best}  {nodes}  {seconds:.1} s", value(found));
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
            self.shown = true;
        }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        SEARCHING.store(false, Ordering::SeqCst);
        self.finish();
    }
}
