//! The UCI protocol in both directions: Astragal as an engine for other programs, and external engines as
//! players. Astragal also serves as the external engine, and small scripts as faulty ones.

use crate::binary::{directory, ended, path, refused, said};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

struct Talk {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    fn start(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        let mut child =
            command.arg("uci").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (send, lines) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).all(|line| send.send(line).is_ok()));
        Self { child, input, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The next line with this prefix; none if there is none in time.
    fn line(&mut self, start: &str) -> Option<String> {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).ok()?;
            if line.starts_with(start) {
                return Some(line);
            }
        }
    }

    fn hear(&mut self, start: &str) -> String {
        self.line(start).unwrap_or_else(|| panic!("'{start}' was not said"))
    }

    /// The score and the line last reported for a position before the best move.
    fn verdict(&mut self, position: &str, go: &str) -> String {
        self.say(&format!("position {position}"));
        self.say(go);
        let mut last = String::new();
        loop {
            let line = self.hear("");
            if line.starts_with("bestmove") {
                let (score, line) = (last.split(" score ").nth(1), last.split(" pv ").nth(1));
                let words: Vec<&str> = score.unwrap_or_default().split(' ').take(2).collect();
                return format!("{}: {}", words.join(" "), line.unwrap_or_default());
            }
            last = line;
        }
    }

    /// Whether the output falls silent without a best move.
    fn is_silent(&mut self) -> bool {
        while let Ok(line) = self.lines.recv_timeout(Duration::from_millis(200)) {
            if line.starts_with("bestmove") {
                return false;
            }
        }
        true
    }
}

#[test]
fn a_chess_program_finds_what_it_expects() {
    let mut talk = Talk::start(&[]);
    talk.say("uci");
    assert!(talk.hear("id name Astragal ").len() > 17);
    assert_eq!(talk.hear("option name Hash"), "option name Hash type spin default 64 min 1 max 16384");
    talk.hear("option name Threads type spin default 1");
    talk.hear("uciok");
    talk.say("setoption name hash value 8");
    talk.say("setoption name Ponder value true");
    talk.say("ucinewgame");
    talk.say("isready");
    talk.hear("readyok");

    // Mate in one, and a position after moves in which castling is a king's move of two squares.
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    talk.say("go depth 3");
    assert!(talk.hear("info depth 1 score cp ").contains(" pv "));
    assert_eq!(talk.hear("bestmove").split(' ').nth(1), Some("a1a8"));
    talk.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
    talk.say("go nodes 3000");
    talk.hear("bestmove ");

    // An infinite search ends only at stop, and the engine stays responsive meanwhile.
    talk.say("go infinite");
    talk.say("isready");
    talk.hear("readyok");
    assert!(talk.is_silent());
    talk.say("go depth 1");
    talk.hear("info string go: there is a search");
    talk.say("stop");
    talk.hear("bestmove ");
    // A mate is reported as such for either side, and the line leads to it.
    assert_eq!(talk.verdict("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 3"), "mate 1: a1a8");
    let rooks = "fen 6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1";
    let two = talk.verdict(rooks, "go depth 3");
    assert!(two.starts_with("mate 2: ") && two.split(' ').count() == 5, "{two}");
    let mated = talk.verdict(&format!("{rooks} moves a2a7"), "go depth 2");
    assert!(mated.starts_with("mate -1: ") && mated.split(' ').count() == 4, "{mated}");
    assert!(talk.verdict("startpos", "go depth 2").starts_with("cp "));
    // An infinite search waits even if there is nothing more to find.
    talk.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    talk.say("go infinite depth 2");
    // The result is reported immediately, and the move at stop.
    talk.hear("info depth 2 score mate 1 ");
    assert!(talk.is_silent());
    talk.say("stop");
    talk.hear("bestmove a1a8");

    // Its clock starts at ponderhit.
    talk.say("position startpos moves e2e4");
    talk.say("go ponder wtime 3000 btime 3000");
    assert!(talk.is_silent());
    talk.say("ponderhit");
    talk.hear("bestmove ");
    talk.say("go movetime 50");
    talk.hear("bestmove ");

    // Invalid input is answered, and changes nothing.
    for (line, words) in [
        ("hello", "unknown command 'hello'"),
        ("position fen 8/8/8 w", "position"),
        ("position startpos moves e2e5", "e2e5"),
        ("position sideways", "expected position startpos"),
        ("setoption name Hash value lots", "table_mib"),
        ("setoption name Colour value blue", "unknown option 'Colour'"),
        ("setoption", "expected setoption"),
        ("go depth deep", "needs a number"),
        ("ponderhit", "there is no search"),
    ] {
        talk.say(line);
        let said = talk.hear("info string ");
        assert!(said.contains(words), "{line}: {said}");
    }
    talk.say("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    talk.say("go depth 1");
    assert_eq!(talk.hear("bestmove"), "bestmove (none)");
    talk.say("quit");
    assert_eq!(ended(talk.child).status.code(), Some(0));

    // A client that replies immediately is handled.
    let mut talk = Talk::start(&[]);
    for number in 0..300 {
        talk.say(if number % 2 == 0 { "position startpos" } else { "position startpos moves e2e4" });
        talk.say("go depth 1");
        let best = talk.hear("bestmove ");
        let white = |best: &str| best.split(' ').nth(1).is_some_and(|m| "12".contains(&m[1..2]));
        assert_eq!(white(&best), number % 2 == 0, "{best}");
    }
    talk.say("go searchmoves e2e4 depth 1");
    talk.hear("bestmove ");

    // The end of the input means quit.
    let mut talk = Talk::start(&["--engine", "uct-h"]);
    talk.say("go nodes 200");
    talk.hear("bestmove ");
    // The engine takes no depth limit, but the client still gets a move.
    talk.say("go depth 2");
    assert!(talk.hear("info string ").contains("depth"));
    talk.hear("bestmove ");
    drop(talk.input);
    assert_eq!(ended(talk.child).status.code(), Some(0));
}

/// Astragal as an external engine.
fn outside() -> String {
    format!("uci(cmd=\"{} uci\",options=\"Hash=1\")", env!("CARGO_BIN_EXE_astragal"))
}

#[test]
fn another_program_plays_a_match_and_is_the_same_player() {
    let directory = directory("uci-match");
    let file = path(&directory, "starts.epd");
    let lines = "# Two endings.\n8/8/5k2/8/8/8/3QK3/8 w - - bm Qd4; id \"first\";\n\n8/5k2/8/8/8/8/3RK3/8 w - - 0 1\n";
    std::fs::write(&file, lines).unwrap();
    let record = path(&directory, "games.pgn");
    let args = ["match", "chess", &outside(), "random", "--pairs", "2", "--nodes", "4000", "--json"];
    let found = said(&[&args[..], &["--starts", &file, "--record", &record]].concat());
    let found: Value = serde_json::from_str(&found).unwrap();
    // It wins with the stronger pieces, and cannot win against them.
    assert!(found["score"].as_f64().unwrap() >= 0.5, "{found}");
    assert_eq!(found["given_up"], 0, "{found}");
    let written = std::fs::read_to_string(&record).unwrap();
    assert_eq!(written.matches("8/8/5k2/8/8/8/3QK3/8 w - - 0 1").count(), 2, "{written}");
    assert_eq!(written.matches("8/5k2/8/8/8/8/3RK3/8 w - - 0 1").count(), 2, "{written}");
    let analysis = said(&[
        "analyze",
        "chess",
        "--position",
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "--engine",
        &outside(),
        "--depth",
        "3",
    ]);
    assert!(analysis.contains("best Ra8#"), "{analysis}");
    for (text, words) in [
        ("", "has no positions"),
        ("# positions\n8/8/8 w - -\n", "line 2: "),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - -\n", "line 1: the game is over there"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = refused(&["match", "chess", "random", "random", "--starts", &file]);
        assert!(error.contains(words), "{error}");
    }
    std::fs::write(&file, "8/8/5k2/8/8/8/3QK3/8 w - -\n").unwrap();
    let again =
        |pairs: &str| said(&["match", "chess", "random", "random", "--starts", &file, "--pairs", pairs]);
    assert!(again("2").contains("With 1 start for 2 pairs") && !again("1").contains("come up again"));
    std::fs::remove_dir_all(directory).unwrap();
}

#[cfg(unix)]
#[test]
fn programs_that_do_not_play_are_refused_or_lose() {
    let analyze = |engine: &str| refused(&["analyze", "chess", "--engine", engine, "--depth", "1"]);
    for (engine, words) in [
        ("uci(cmd=no-such-program-here)", "'no-such-program-here' does not start"),
        ("uci(cmd=true)", "'true' does not answer as a UCI engine does"),
        ("uci", "cmd"),
        (&outside().replace("Hash=1", "Colour=blue"), "has no option 'Colour'; it has Hash"),
        (&outside().replace("Hash=1", "Hash"), "'Hash' is not an option such as"),
    ] {
        let error = analyze(engine);
        assert!(error.contains(words), "{engine}: {error}");
    }
    // Engines that speak the protocol, and then play an illegal move, or none, or exit.
    let directory = directory("uci-bad");
    for (name, go) in [
        ("illegal", "echo bestmove a1h8"),
        ("silent", ":"),
        ("ends", "exit 3"),
        ("talks", "while :; do echo info depth 1; done"),
    ] {
        let script = path(&directory, name);
        let text = format!(
            "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) {go};; quit) exit;; esac; done\n"
        );
        std::fs::write(&script, text).unwrap();
        let engine = format!("uci(cmd=\"sh {script}\",patience=1)");
        let error = analyze(&engine);
        assert!(error.contains("'uci' gave no legal move in time"), "{name}: {error}");
        let found = said(&["match", "chess", &engine, "random", "--pairs", "1", "--depth", "1", "--json"]);
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!((found["score"].as_f64(), found["given_up"].as_u64()), (Some(0.0), Some(2)), "{name}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}
