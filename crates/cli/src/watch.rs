//! The clock, cancellation and progress line of a search.

use crate::interrupt::Interruptible;
use crate::print::{counted, value};
use crate::progress::{self, ProgressLine};
use astragal_core::{News, Watch};
use astragal_solve::{Growth, Progress, Supervisor};
use std::io::{self, Write};
use std::time::Duration;

/// Watches one search, or the solving of a game.
pub(crate) struct ShownClock {
    line: ProgressLine,
    /// The prefix of every line.
    what: String,
    /// The root's actions.
    actions: Vec<String>,
    interruptible: Interruptible,
}

impl ShownClock {
    /// Starts the clock. On a terminal, a line shows the progress of the search.
    pub(crate) fn start(actions: Vec<String>) -> Self {
        let (line, interruptible) = (ProgressLine::start(), Interruptible::start());
        Self { line, what: String::new(), actions, interruptible }
    }

    /// Starts the clock of an engine that a person is waiting for: the line appears immediately.
    pub(crate) fn thinking(what: String, actions: Vec<String>) -> Self {
        let mut clock = Self { what: format!("{what}  "), ..Self::start(actions) };
        clock.line.draw(&clock.what);
        clock
    }
}

impl Watch for ShownClock {
    fn elapsed(&mut self) -> Duration {
        self.line.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        self.interruptible.is_stopped()
    }

    fn news(&mut self, news: News) {
        self.interruptible.has_results();
        let (done, found, best, counts) = match news {
            News::Depth { depth, value, best, counts } => (format!("depth {depth}"), value, best, counts),
            News::Simulations { value, best, counts } => {
                (counted(counts.simulations, "simulation", "simulations"), value, best, counts)
            }
        };
        let seconds = self.line.elapsed().as_secs_f64();
        let best = best.and_then(|i| self.actions.get(i)).map_or("", String::as_str);
        let nodes = counted(counts.nodes, "node", "nodes");
        let text = || {
            // A human player sees values later, and from their own side.
            let value =
                if self.what.is_empty() { format!("value {}  ", value(found)) } else { String::new() };
            format!("{}{done}  {value}{best}  {nodes}  {seconds:.1} s", self.what)
        };
        match news {
            News::Depth { .. } => self.line.show_now(text),
            News::Simulations { .. } => self.line.show(text),
        }
    }
}

impl Supervisor for ShownClock {
    fn progress(&mut self, progress: Progress) {
        self.line.show(|| match progress {
            Progress::Found(states) => counted(states as u64, "state found", "states found"),
            Progress::Valued(states) => counted(states as u64, "state valued", "states valued"),
            Progress::Sweep { sweep, residual } => format!("sweep {sweep}, residual {residual:.1e}"),
        });
    }

    fn growing(&mut self, growth: &Growth) {
        progress::clear();
        let _ = writeln!(io::stderr(), "warning: {growth}");
    }

    fn cancelled(&mut self) -> bool {
        Watch::cancelled(self)
    }
}
