//! The progress line: one line on standard error, redrawn in place and never wider than the terminal.
//!
//! Used by all long-running commands. It shows nothing if standard error is not a terminal.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthChar;

/// The interval between redraws and the delay before the first one, so quick work shows nothing.
const PAUSE: Duration = Duration::from_millis(100);

/// The assumed width of a terminal that does not report one.
const USUAL_WIDTH: usize = 80;

/// Whether a line is on the screen.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// A progress line, cleared when dropped.
pub(crate) struct ProgressLine {
    enabled: bool,
    start: Instant,
    last: Instant,
}

impl ProgressLine {
    /// Creates a line that appears at the first [`ProgressLine::show`] after a short delay.
    pub(crate) fn start() -> Self {
        let now = Instant::now();
        Self { enabled: std::io::stderr().is_terminal(), start: now, last: now }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Redraws the line, unless it was redrawn a moment ago.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        if self.enabled && self.last.elapsed() >= PAUSE {
            self.draw(&text());
        }
    }

    /// Redraws the line for infrequent news, suppressed only during the initial delay.
    pub(crate) fn show_now(&mut self, text: impl FnOnce() -> String) {
        if self.enabled && self.start.elapsed() >= PAUSE {
            self.draw(&text());
        }
    }

    /// Draws the line immediately.
    pub(crate) fn draw(&mut self, text: &str) {
        if self.enabled {
            SHOWN.store(true, Ordering::Relaxed);
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", fit(text, width()));
            self.last = Instant::now();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.enabled {
            clear();
        }
    }
}

/// Removes the progress line from the screen, if there is one.
pub(crate) fn clear() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// The width in columns of the terminal on standard error.
fn width() -> usize {
    columns_of(std::io::stderr())
}

/// The width of a terminal in columns, or a default if it is not a terminal.
#[cfg(unix)]
pub(crate) fn columns_of(terminal: impl std::os::fd::AsFd) -> usize {
    terminal_size_of(terminal).map_or(USUAL_WIDTH, |(Width(columns), _)| columns.into())
}

/// The width of a terminal in columns, or a default if it is not a terminal.
#[cfg(windows)]
pub(crate) fn columns_of(terminal: impl std::os::windows::io::AsHandle) -> usize {
    terminal_size_of(terminal).map_or(USUAL_WIDTH, |(Width(columns), _)| columns.into())
}

/// Truncates text to one row of `columns` columns. The last column stays empty, because some terminals wrap
/// as soon as it is written.
fn fit(text: &str, columns: usize) -> String {
    let room = columns.saturating_sub(1);
    // Control characters would move the cursor.
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let wide: Vec<(char, usize)> = plain.map(|c| (c, c.width().unwrap_or(0))).collect();
    if wide.iter().map(|(_, width)| width).sum::<usize>() <= room {
        return wide.into_iter().map(|(c, _)| c).collect();
    }
    let mut used = 1;
    let mut cut: String = wide
        .into_iter()
        .take_while(|(_, width)| {
            used += width;
            used <= room
        })
        .map(|(c, _)| c)
        .collect();
    if room > 0 {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn a_line_is_cut_to_the_width_of_the_terminal() {
        assert_eq!(fit("depth 12  roll", 80), "depth 12  roll");
        assert_eq!(fit("depth 12", 9), "depth 12");
        assert_eq!(fit("depth 12", 8), "depth …");
        assert_eq!(fit("würfelt nicht", 8), "würfel…");
        assert_eq!(fit("a\tb\nc\x1b[31m", 80), "a b c [31m");
    }

    #[test]
    fn width_is_counted_in_columns_not_in_characters() {
        // Each of these characters takes two columns; the combining accent takes none.
        assert_eq!(fit("骰子游戏", 9), "骰子游戏");
        assert_eq!(fit("骰子游戏", 8), "骰子游…");
        assert_eq!(fit("骰子游戏", 7), "骰子…");
        assert_eq!(fit("e\u{301}e\u{301}e\u{301}", 4), "e\u{301}e\u{301}e\u{301}");
        for text in ["", "x", "骰", "骰x子y游z戏", "e\u{301}骰", "a long line of plain text"] {
            for columns in 0..30 {
                let cut = fit(text, columns);
                assert!(cut.width() <= columns.saturating_sub(1), "{text} in {columns}: {cut}");
            }
        }
    }
}
