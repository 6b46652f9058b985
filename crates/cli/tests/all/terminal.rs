//! Behaviour that only a terminal shows.

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

const UP: &str = "\x1b[A";
const LEFT: &str = "\x1b[D";

#[test]
fn lines_can_be_edited_and_come_back() {
    let mut terminal = Terminal::start(&["play", "pig", "--p2", "human", "--seed", "3"], 80);
    terminal.wait_for("p1 [roll] > ");
    // A typo in the middle of the word is corrected without typing the rest again.
    terminal.type_in(&format!("rxll{LEFT}{LEFT}\x7fo\r"));
    terminal.wait_for("chance: ");
    terminal.wait_for("p1 [roll · hold] > ");
    terminal.type_in(&format!("{UP}\r"));
    // Keys pressed before the next prompt would meet a terminal that edits no lines, where Ctrl-D is lost.
    terminal.wait_until("prompt after a second roll", |terminal| {
        let screen = terminal.screen();
        let mut rolls = screen.split("chance: ").skip(2);
        rolls.next().is_some_and(|after| after.contains("p1 [roll · hold] > "))
    });
    // Ctrl-D at an empty prompt leaves the game.
    terminal.type_in("\x04");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    assert!(screen.contains("The game is left at"), "{screen:?}");
}

#[test]
fn an_interrupt_at_the_prompt_leaves_the_game_and_the_terminal_as_it_was() {
    for signal in [None, Some("-TERM")] {
        let mut terminal = Terminal::start(&["play", "pig", "--seed", "3"], 80);
        let before = terminal.modes_before;
        terminal.wait_for("p1 [roll] > ");
        terminal.wait_until("line editing", |terminal| terminal.modes() != before);
        match signal {
            None => terminal.type_in("\x03"),
            Some(signal) => {
                let id = terminal.child.id().to_string();
                assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
            }
        }
        terminal.wait_for("The game is left at 0-0+0 p1");
        assert_eq!((terminal.exit_code(), terminal.modes()), (Some(130), before));
    }
}

#[test]
fn an_engine_that_thinks_says_so() {
    let args = ["play", "pig", "--p1", "star2", "--p2", "human", "--time", "1s"];
    let mut terminal = Terminal::start(&args, 60);
    terminal.wait_for("p1 (star2) is thinking");
    terminal.wait_for("p1 (star2) plays");
    terminal.child.kill().unwrap();
    let (_, screen) = terminal.finish();
    assert!(screen.contains("\r\x1b[Kp1 (star2) plays"), "it is gone when the engine has played: {screen:?}");
}
