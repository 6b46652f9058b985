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
    // The first roll of a turn is played by itself.
    terminal.wait_for("p1 [roll · hold] > ");
    // A typo in the middle of the word is corrected without typing the rest again.
    terminal.type_in(&format!("rxll{LEFT}{LEFT}\x7fo\r"));
    // Keys pressed before the next prompt would meet a terminal that edits no lines, where Ctrl-D is lost.
    let prompt_after = |rolls: usize| {
        move |terminal: &mut Terminal| {
            let screen = terminal.screen();
            screen
                .splitn(rolls + 1, "chance: ")
                .nth(rolls)
                .is_some_and(|after| after.contains(" [roll · hold] > "))
        }
    };
    terminal.wait_until("prompt after a second roll", prompt_after(2));
    terminal.type_in(&format!("{UP}\r"));
    terminal.wait_until("prompt after a third roll", prompt_after(3));
    // Ctrl-D at an empty prompt leaves the game.
    terminal.type_in("\x04");
    let (code, screen) = terminal.finish();
    assert_eq!(code, Some(0));
    assert!(screen.contains("The game is left at"), "{screen:?}");
}

#[test]
fn an_interrupt_at_the_prompt_leaves_the_game_and_the_terminal_as_it_was() {
    for signal in [None, Some("-TERM")] {
        let mut terminal = Terminal::start(&["play", "pig", "--position", "0-0+20 p1", "--seed", "3"], 80);
        let before = terminal.modes_before;
        terminal.wait_for("p1 [roll · hold] > ");
        terminal.wait_until("line editing", |terminal| terminal.modes() != before);
        match signal {
            None => terminal.type_in("\x03"),
            Some(signal) => {
                let id = terminal.child.id().to_string();
                assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
            }
        }
        terminal.wait_for("The game is left at 0-0+20 p1");
        assert_eq!((terminal.exit_code(), terminal.modes()), (Some(130), before));
    }
}

#[test]
fn an_engine_that_thinks_says_so() {
    let args = ["play", "pig", "--position", "0-0+20 p1", "--p1", "star2", "--p2", "human", "--time", "1s"];
    let mut terminal = Terminal::start(&args, 60);
    terminal.wait_for("p1 (star2) is thinking");
    terminal.wait_for("p1 (star2) plays");
    terminal.child.kill().unwrap();
    let (_, screen) = terminal.finish();
    assert!(screen.contains("\r\x1b[Kp1 (star2) plays"), "it is gone when the engine has played: {screen:?}");
}

/// The lines of a screen as they were written, without styles and cursor movements.
fn lines(screen: &str) -> Vec<String> {
    let mut text = String::new();
    for (at, part) in screen.replace("\r\n", "\n").split('\x1b').enumerate() {
        let plain = if at == 0 {
            part
        } else {
            part.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).get(1..).unwrap_or("")
        };
        text += plain;
    }
    text.lines().map(|line| line.rsplit('\r').next().unwrap_or(line).to_owned()).collect()
}

#[test]
fn text_is_wrapped_at_words_to_the_width_of_the_terminal() {
    // Help, rules, hints, lists and refusals, with a position of long words left out.
    let typed = ["help", "rules", "moves", "invoke ra", "quit"];
    for columns in [44, 60, 80] {
        let mut terminal = Terminal::start(&["play", "ra", "--seed", "3", "--level", "1"], columns);
        for (number, word) in typed.iter().enumerate() {
            terminal.wait_until("prompt", |terminal| terminal.screen().matches("] > ").count() > number);
            terminal.type_in(&format!("{word}\r"));
        }
        let (code, screen) = terminal.finish();
        assert_eq!(code, Some(0));
        let seen = lines(&screen);
        let words = |line: &str| line.split_whitespace().count();
        // Drawings have their own width, and the last line is for copying.
        let is_drawn = |line: &str| {
            ["  epoch ", "spaces", "score ", "] > ", "The game is left"]
                .iter()
                .any(|part| line.contains(part))
        };
        for line in seen.iter().filter(|line| words(line) > 2 && !is_drawn(line)) {
            assert!(line.width() < columns.into(), "{columns}: {line:?}");
        }
        // No word is split: those of the help come back whole.
        let all = seen.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(all.contains("or any part of it that identifies one: diag for 3 diagonal"), "{all}");
        assert!(all.contains("keeps it apart from an action of the same name."), "{all}");
    }
}

#[test]
fn an_error_is_wrapped_in_a_terminal() {
    let mut terminal = Terminal::start(&["show", "pig", "--position", "nonsense"], 50);
    assert_eq!(terminal.exit_code(), Some(2));
    let (_, screen) = terminal.finish();
    assert!(lines(&screen).iter().all(|line| line.width() < 50) && lines(&screen).len() > 1, "{screen:?}");
}
