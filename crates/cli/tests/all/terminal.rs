//! What only a terminal shows.

use crate::binary::directory;
use crate::binary::terminal::Terminal;
use unicode_width::UnicodeWidthStr;

#[test]
fn progress_lines_are_cut_to_the_width_of_the_terminal() {
    let directory = directory("narrow");
    let out = directory.to_str().unwrap();
    // The names of its engines are far longer than a row.
    let mut terminal = Terminal::start(&["reproduce", "mcms-fig2", "--out", out], 40);
    terminal.wait_for("…");
    terminal.child.kill().unwrap();
    let (_, screen) = terminal.finish();
    let lines: Vec<&str> = screen.split("\r\x1b[K").skip(1).collect();
    assert!(lines.iter().any(|line| line.contains(" % ")), "{screen:?}");
    for line in lines {
        assert!(line.width() < 40 && !line.contains('\n'), "{line:?}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}
