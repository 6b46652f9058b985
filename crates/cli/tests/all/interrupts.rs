//! An interrupt has the same effect in every command: it ends soon, finished work is kept and shown as
//! partial, and the exit code is 130.

use crate::binary::interrupt::{Interrupted, end, interrupted, signalled, wait_until_busy};
use crate::binary::{directory, ended, path, said, text};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BUSY: Duration = Duration::from_millis(500);

/// The single JSON object of an interrupted command, which is marked as partial.
fn partial(args: &[&str]) -> Value {
    let Interrupted { out, error } = interrupted(args, BUSY);
    let object: Value = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {out}{error}"));
    assert_eq!(object["partial"], true, "{object}");
    object
}

/// The text output of an interrupted command, which mentions the interrupt.
fn told(args: &[&str]) -> String {
    let Interrupted { out, error } = interrupted(args, BUSY);
    assert!(out.contains("interrupted"), "{out}{error}");
    out
}

/// Waits until a command has written something to this file, and therefore hears signals.
fn wait_for_text(path: &str) {
    let start = Instant::now();
    while std::fs::metadata(path).map_or(0, |file| file.len()) == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was written to {path}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn analyze_shows_the_last_finished_depth() {
    let args = ["analyze", "pig", "--time", "100s"];
    let report = partial(&[&args[..], &["--json"]].concat());
    assert_eq!(report["stop"], "cancelled");
    assert!(report["depth"].as_u64().unwrap() >= 1);
    let text = told(&args);
    assert!(text.contains("value ") && text.contains("(partial: interrupted after depth "), "{text}");
    // SIGTERM is treated like an interrupt.
    let Interrupted { out, .. } = signalled(&args, "-TERM", BUSY);
    assert!(out.contains("(partial: interrupted after depth "), "{out}");
}

#[test]
fn a_signal_that_comes_twice_at_once_counts_once() {
    // As `timeout -s INT` does, before a search that polls only now and then has noticed the first signal.
    for _ in 0..5 {
        let child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["analyze", "ra(outcomes=tiles)", "--time", "100s"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until_busy(&child, BUSY);
        let id = child.id().to_string();
        for _ in 0..2 {
            assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        }
        let output = ended(child);
        let out = text(&output.stdout);
        assert_eq!(output.status.code(), Some(130));
        assert!(out.contains("(partial: interrupted after depth "), "{out}");
    }
}

#[test]
fn a_second_signal_ends_the_process_at_once() {
    // The first one makes it print, but the pipe is full and nobody reads.
    let (_reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&[0; 1 << 16]).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(["analyze", "pig", "--time", "100s"])
        .stdin(Stdio::null())
        .stdout(writer)
        .spawn()
        .unwrap();
    wait_until_busy(&child, BUSY);
    let id = child.id().to_string();
    let signal = || assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    signal();
    std::thread::sleep(BUSY);
    assert_eq!(child.try_wait().unwrap(), None);
    signal();
    assert_eq!(ended(child).status.code(), Some(130));
}

#[test]
fn complete_results_are_not_partial() {
    for args in [
        &["analyze", "pig", "--depth", "2", "--json"][..],
        &["perft", "pig", "--depth", "2", "--json"],
        &["bandit", "--runs", "2", "--pulls", "10", "--json"],
        &["solve", "pig(target=5)", "--json"],
        &["match", "pig(target=5)", "random", "random", "--pairs", "2", "--json"],
    ] {
        let object: Value = serde_json::from_str(&said(args)).unwrap();
        assert_eq!(object["partial"], false, "{args:?}: {object}");
    }
}

#[test]
fn an_engine_that_solves_its_game_first_is_given_up() {
    let args = ["analyze", "pig(target=200)", "--engine", "optimal"];
    let report = partial(&[&args[..], &["--json"]].concat());
    assert_eq!(report["stop"], "cancelled");
    // There is no value yet, but there is a move.
    assert!(report["best"].is_string() && report["value"] == 0.0, "{report}");
}

#[test]
fn an_engine_that_is_fitted_to_its_game_first_is_given_up() {
    // The fits take more than a second of CPU time in a debug build, and come first.
    let early = Duration::from_millis(200);
    let args = ["analyze", "ra(outcomes=tiles)", "--engine", "star2(probcut=1)"];
    let Interrupted { out, error } = interrupted(&[&args[..], &["--json"]].concat(), early);
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {out}{error}"));
    assert_eq!(
        (&report["partial"], &report["stop"], &report["depth"]),
        (&true.into(), &"cancelled".into(), &0.into())
    );
    assert!(report["best"].is_string(), "{report}");
    let Interrupted { out, .. } = interrupted(&args, early);
    assert!(out.contains("(partial: interrupted after depth 0)"), "{out}");
}

#[test]
fn traps_of_a_position_say_that_nothing_is_known() {
    let args = ["traps", "chess", "--level", "15"];
    let report = partial(&[&args[..], &["--json"]].concat());
    assert!(report["at_risk"].is_null() && report["traps"] == Value::Array(Vec::new()), "{report}");
    assert!(told(&args).contains("partial: interrupted before all moves were looked at"));
}

#[test]
fn perft_shows_the_finished_depths() {
    let args = ["perft", "connect-four", "--depth", "40"];
    let report = partial(&[&args[..], &["--json"]].concat());
    let counts = report["counts"].as_array().unwrap();
    assert_eq!(counts[..3], [7.into(), 49.into(), 343.into()] as [Value; 3]);
    assert!(counts.len() < 40 && report["depth"] == 40, "{report}");
    let text = told(&args);
    assert!(text.contains("16 807\n") && text.contains("\npartial: interrupted at depth "), "{text}");
}

#[test]
fn bandit_shows_the_finished_runs() {
    let args = ["bandit", "--runs", "1000000", "--pulls", "500"];
    let report = partial(&[&args[..], &["--json"]].concat());
    let runs = report["runs"].as_u64().unwrap();
    assert!((1..1_000_000).contains(&runs), "{report}");
    // The same number of uninterrupted runs gives the same results.
    let whole = said(&["bandit", "--runs", &runs.to_string(), "--pulls", "500", "--json"]);
    let whole: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(report["rules"], whole["rules"]);
    let text = told(&args);
    assert!(text.contains("thompson") && text.contains("\npartial: interrupted after "), "{text}");
    let none = partial(&["bandit", "--pulls", "1000000000", "--json"]);
    assert_eq!((&none["runs"], &none["rules"]), (&0.into(), &Value::Array(Vec::new())));
}

#[test]
fn bench_shows_the_finished_parts() {
    let args = ["bench", "--rounds", "1", "--tree-time", "100s"];
    let report = partial(&[&args[..], &["--json"]].concat());
    assert!(report["pruning"].as_array().unwrap().is_empty(), "{report}");
    let text = told(&args);
    assert!(text.contains("\npartial: interrupted\n"), "{text}");
}

#[test]
fn solve_says_that_the_game_is_not_solved() {
    let report = partial(&["solve", "ewn", "--json"]);
    assert_eq!(report["unsolved"], "interrupted");
    let directory = directory("unsolved");
    let file = path(&directory, "ewn.solved");
    let text = told(&["solve", "ewn", "--out", &file]);
    assert!(text.contains("not solved: interrupted\n"), "{text}");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0, "nothing is left behind");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn match_shows_the_score_of_finished_pairs() {
    let directory = directory("interrupted-match");
    let (store, games) = (path(&directory, "match.db"), path(&directory, "games.txt"));
    let args = ["match", "pig(target=30)", "hold-at(n=10)", "random", "--pairs", "100000000"];
    let report = partial(&[&args[..], &["--json", "--store", &store]].concat());
    let pairs = report["pairs"].as_u64().unwrap();
    assert!(pairs > 0 && report["score"].is_f64(), "{report}");
    let text = told(&[&args[..], &["--record", &games]].concat());
    assert!(text.contains("score  ") && text.contains("\npartial: interrupted after "), "{text}");
    assert!(said(&["replay", &games, "--quiet"]).contains(" games checked: all right"));
    // The finished pairs are kept.
    let listed = said(&["results", &store]);
    assert!(!listed.contains("no jobs"), "{listed}");
    let slow = ["match", "pig", "star2", "star2", "--time", "100s"];
    let none = partial(&[&slow[..], &["--json"]].concat());
    assert_eq!(none["pairs"], 0);
    assert_eq!(told(&slow), "partial: interrupted before a pair was finished\n");
    std::fs::remove_dir_all(directory).unwrap();
}

/// A plan with two engines and a very large number of pairs.
const PLAN: &str = "game = \"pig(target=30)\"\nkind = \"match\"\nengines = [\"hold-at(n=10)\", \"random\"]\n\
                    pairs = 10000000\nbudget = { nodes = 1 }\n";

#[test]
fn tournament_and_work_keep_what_was_played() {
    let directory = directory("interrupted-tournament");
    let (plan, store) = (path(&directory, "plan.toml"), path(&directory, "plan.db"));
    std::fs::write(&plan, PLAN).unwrap();
    let report = partial(&["tournament", &plan, "--json"]);
    let done = report["done"].as_u64().unwrap();
    assert!(done > 0 && report["store"] == store.as_str(), "{report}");
    let text = told(&["tournament", &plan]);
    assert!(text.starts_with("partial: interrupted in round 1 after "), "{text}");
    assert!(text.contains(&format!("what was played is in {store}: repeat the command to resume")), "{text}");
    let work = ["work", &plan, "--shard", "1/2", "--store", &store];
    assert_eq!(partial(&[&work[..], &["--json"]].concat())["state"], "stopped");
    assert!(told(&work).contains("match: partial: interrupted; what was finished is in the store"));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn tune_keeps_what_was_played() {
    let directory = directory("interrupted-tune");
    let store = path(&directory, "tune.db");
    for method in ["elimination", "spsa"] {
        let args = ["tune", "ewn", "star2ss(width=1..30)", "--nodes", "300", "--method", method];
        let long = ["--pairs", "1000000", "--store", &store];
        let text = told(&[&args[..], &long].concat());
        assert!(text.contains("partial: interrupted; what was played is in "), "{text}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn reproduce_keeps_what_was_finished() {
    for id in [
        "mcms-table1",
        "mcms-fig2",
        "mcms-tuning",
        "mcms-best-mcts",
        "mcms-theorem1",
        "mcms-future",
        "lecture-bandit-regret",
        "lecture-sampling",
        "lecture-branching",
        "lecture-order",
    ] {
        let directory = directory(&format!("interrupted-{id}"));
        let args = ["reproduce", id, "--scale", "full", "--out", directory.to_str().unwrap()];
        let text = told(&args);
        assert!(
            text.starts_with(&format!("{id}: partial: interrupted before there was a report\n")),
            "{text}"
        );
        // The store remains for the next run, and no partial report.
        let left: Vec<_> =
            std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["results.db"]);
        std::fs::remove_dir_all(directory).unwrap();
    }
}

#[test]
fn a_review_shows_the_account_so_far() {
    let directory = directory("interrupted-review");
    let file = path(&directory, "games.txt");
    said(&["match", "pig", "hold-at", "random", "--pairs", "1", "--record", &file]);
    let args = ["replay", &file, "--analyze", "star2", "--nodes"];
    let text = told(&[&args[..], &["3000000"]].concat());
    assert!(text.contains("partial: interrupted\nno game") || text.contains("partial: interrupted\n0 games"));
    // Nothing is judged yet: the first position takes longer.
    let report = partial(&[&args[..], &["1000000000000", "--json"]].concat());
    assert_eq!(report["games"][0]["review"], Value::Null);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_calibration_uses_the_games_that_are_finished() {
    let args = ["calibrate", "pig(target=30)", "--games", "1000000", "--nodes", "40", "--play-nodes", "20"];
    let report = partial(&[&args[..], &["--json"]].concat());
    assert!(report["games"].as_u64().is_some_and(|games| games < 1_000_000), "{report}");
    assert!(told(&args).contains("partial: interrupted"));
}

#[test]
fn replay_says_how_many_games_it_has_checked() {
    let directory = directory("interrupted-replay");
    let file = path(&directory, "games.txt");
    said(&["match", "ewn", "star2", "star2", "--pairs", "1", "--nodes", "100", "--record", &file]);
    // According to the record, the engines think for hours.
    let record = std::fs::read_to_string(&file).unwrap().replace("nodes=100", "nodes=100000000000");
    std::fs::write(&file, record).unwrap();
    let text = told(&["replay", &file, "--again", "--quiet"]);
    assert_eq!(text, "partial: interrupted\n0 games checked: all right\n");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn play_says_where_the_game_is_left() {
    let engines = ["play", "pig", "--p1", "star2", "--p2", "star2", "--time", "100s", "--seed", "1"];
    let Interrupted { out, .. } = interrupted(&[&engines[..], &["--position", "0-0+20 p1"]].concat(), BUSY);
    assert!(out.contains("The game is left at 0-0+20 p1"), "{out}");
    let directory = directory("left");
    let printed = path(&directory, "out.txt");
    for signal in ["-INT", "-TERM"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["play", "pig", "--seed", "1", "--position", "0-0+20 p1"])
            .stdin(Stdio::piped())
            .stdout(std::fs::File::create(&printed).unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let hand = child.stdin.take();
        wait_for_text(&printed);
        end(child, signal);
        let out = std::fs::read_to_string(&printed).unwrap();
        assert!(out.ends_with("The game is left at 0-0+20 p1\n"), "{out}");
        drop(hand);
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn engines_that_do_not_think_hear_an_interrupt_whenever_it_comes() {
    let directory = directory("quick-engines");
    let printed = path(&directory, "out.txt");
    for milliseconds in 0..20 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["play", "pig(target=10000)", "--p1", "random", "--p2", "random"])
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&printed).unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_text(&printed);
        std::thread::sleep(Duration::from_millis(milliseconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let start = Instant::now();
        let code = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None if start.elapsed() > Duration::from_secs(20) => {
                    child.kill().unwrap();
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        assert_eq!(code, Some(130), "interrupted after {milliseconds} ms");
        let farewells = std::fs::read_to_string(&printed).unwrap().matches("The game is left at ").count();
        assert_eq!(farewells, 1, "interrupted after {milliseconds} ms");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn an_interrupt_leaves_no_temporary_files() {
    // The record is rewritten after every move, so most interrupts come during a write.
    let directory = directory("no-temporary-files");
    let record = path(&directory, "game.txt");
    let arguments = ["play", "pig(target=10000)", "--p1", "random", "--p2", "random", "--record", &record];
    for milliseconds in [0, 20, 40, 60, 80, 100, 120, 140] {
        let _ = std::fs::remove_file(&record);
        let child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_text(&record);
        std::thread::sleep(Duration::from_millis(milliseconds));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(ended(child).status.code(), Some(130));
        let left: Vec<String> = std::fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "game.txt")
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}
