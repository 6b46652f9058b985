//! `astragal play` through the real binary, with typed input from a pipe.

use crate::binary::{astragal, directory, ended, path, refused, said, text};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

fn play(args: &[&str], typed: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .arg("play")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = ended(child);
    assert_eq!(output.status.code(), Some(0));
    text(&output.stdout)
}

#[track_caller]
fn has(seen: &str, parts: &[&str]) {
    for part in parts {
        assert!(seen.contains(part), "no {part:?} in:\n{seen}");
    }
}

#[test]
fn a_game_can_be_played() {
    let seen = play(
        &["pig", "--p2", "star2", "--depth", "3", "--seed", "3"],
        "r\n?\nopinion\nfly\nhold\nundo\nquit\n",
    );
    has(
        &seen,
        &[
            "chance: ",
            "I would play ",
            "'fly' is not possible here",
            "p2 (star2) plays",
            "The game is left at",
        ],
    );
    // Taking back and repeating an action gives the same dice.
    let again = play(&["pig", "--p2", "human", "--seed", "3"], "r\nr\nundo\nr\n");
    let rolls: Vec<&str> = again.lines().filter(|line| line.contains("chance: ")).collect();
    assert_eq!(rolls.len(), 3, "{again}");
    assert_eq!(rolls[1], rolls[2]);
}

#[test]
fn two_engines_play_to_the_end() {
    let args = ["pig(target=30)", "--p1", "star2", "--p2", "random", "--depth", "3", "--seed", "5"];
    let first = play(&args, "");
    assert!(first.contains("p1 wins (+100)") || first.contains("p2 wins (-100)"), "{first}");
    assert_eq!(first, play(&args, ""));
}

const EWN: [&str; 7] =
    ["ewn", "--position", "123../45.../6...f/...ed/..cba p1 3", "--p2", "human", "--seed", "1"];

#[test]
fn actions_are_told_apart_and_parts_of_them_understood() {
    for typed in ["diag", "3   DIAGONAL", "diagonal 3", "3 di"] {
        let seen = play(&EWN, &format!("{typed}\n"));
        has(&seen, &["p1 [3 right · 3 down · 3 diagonal] > ", "The game is left at 12.../45.3./6...f"]);
    }
    let unclear = play(&EWN, "d\n3\n");
    has(&unclear, &["That could be 3 down or 3 diagonal.", "That could be 3 right or 3 down or 3 diagonal."]);
    let position = "0,0,0,0,0,0,0,0,0,0,0 0,0,0,0,0,0,0,0,0,0,0 p1 - 1466";
    for typed in ["7+10", "10+7", "10", "pair  7"] {
        let seen = play(&["cant-stop", "--position", position, "--p2", "human"], &format!("{typed}\n"));
        has(&seen, &["p1 [pair 5+12 · pair 7+10] > ", "p1 7:1,10:1 ready"]);
    }
    has(&play(&["cant-stop", "--position", position, "--p2", "human"], "1\n"), &["'1' is not possible here"]);
}

#[test]
fn commands_may_have_a_colon() {
    let pig = ["pig", "--position", "0-0+20 p1", "--p2", "human", "--depth", "2"];
    has(&play(&pig, ":?\n"), &["I would play roll."]);
    has(&play(&pig, ":opinion\n"), &["* roll", "  hold"]);
    has(&play(&pig, ":h\n"), &["That could be hint or help."]);
    has(&play(&pig, ":fly\n"), &["There is no such command; help lists them."]);
    has(&play(&pig, ":help\n"), &["A colon before a command (:quit, :?)"]);
    // No colon, so it is the action.
    has(&play(&pig, "h\n"), &["The game is left at 20-0+0 p2"]);
}

#[test]
fn a_tree_search_has_an_opinion_on_every_action() {
    let shown =
        play(&["pig", "--position", "30-45+12 p1", "--iterations", "2000", "--p2", "mcts"], "opinion\n");
    let lines: Vec<&str> =
        shown.lines().filter(|line| line.contains(" roll  ") || line.contains(" hold  ")).collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| !line.contains('?')), "{shown}");
}

#[test]
fn values_are_the_persons_and_their_meaning_is_said_once() {
    let pig = ["pig", "--position", "88-96+7 p1", "--depth", "8"];
    let first = play(&[&pig[..], &["--p2", "star2"]].concat(), "?\n?\nopinion\n");
    has(&first, &["I would play roll.  +47.9 of ±100"]);
    has(&first, &["I would play roll.  +47.9"]);
    assert_eq!(first.matches("of ±100").count(), 1, "{first}");
    // Every action has a value, the best first.
    has(&first, &["  action   value", "* roll    +47.89", "  hold    -52.73"]);
    // The same from the other side.
    let mirrored = ["pig", "--position", "96-88+7 p2", "--depth", "8", "--p1", "star2", "--p2", "human"];
    let second = play(&mirrored, "opinion\n?\n");
    has(&second, &["+47.9 of ±100", "* roll    +47.89", "  hold    -52.73"]);
    assert!(second.find("* roll") < second.find("  hold"), "the best first: {second}");
    let points = ["ra(utility=score)", "--p2", "star2", "--depth", "1"];
    let seen = play(&points, "?\n");
    assert!(seen.contains(" points for you") && !seen.contains('%'), "{seen}");
}

#[test]
fn a_value_without_a_fit_is_called_an_evaluation() {
    // No fit for this variant, too short a search for a fit, and means of random playouts.
    for args in [
        &["pig(target=50)", "--p2", "star2", "--nodes", "20000"][..],
        &["cant-stop", "--p2", "star2", "--depth", "1"],
        &["pig", "--p2", "uct", "--iterations", "2000"],
        &["kalah", "--p2", "mcts", "--iterations", "500"],
    ] {
        let seen = play(args, "roll\n?\n?\nopinion\nquit\n");
        let hints: Vec<&str> = seen.lines().filter(|line| line.contains("I would play")).collect();
        assert!(hints.len() == 2 && hints.iter().all(|line| line.contains("(evaluation)")), "{seen}");
        assert!(!seen.contains(" %") && !seen.contains("-0.0"), "{seen}");
    }
}

#[test]
fn a_value_with_a_fit_and_a_proved_one_are_chances() {
    let fitted =
        play(&["pig", "--p2", "star2", "--nodes", "60000", "--seed", "1"], "roll\n?\nopinion\nquit\n");
    has(&fitted, &["I would play ", " of ±100: about ", " % for you  depth ", "value  wins"]);
    // The third in a row wins.
    let won = ["tic-tac-toe", "--position", "XX./OO./... p1", "--p2", "alpha-beta", "--nodes", "100000"];
    let proved = play(&won, "?\nquit\n");
    has(&proved, &["+100.0 of ±100: 100 % for you, a draw counted half"]);
}

#[test]
fn dice_can_be_entered() {
    let args = ["pig", "--p2", "human", "--dice", "ask", "--seed", "1"];
    let seen = play(&args, "roll\n?\nbst\n7\nroll\n+12\nundo\n8\nhold\n");
    has(
        &seen,
        &[
            "dice [bust · reset · +4 · +5 · +6 · +7 · +8 · +9 · +10 · +11 · +12] > ",
            "  bust   27.78 %",
            "'bst' is not possible here. The outcomes are: bust · reset · +4",
            "  chance: +7",
            "  chance: +12",
            "  chance: +8",
            "The game is left at 15-0+0 p2",
        ],
    );
    // Four dice in any order, and too many outcomes for a prompt.
    let seen = play(&["cant-stop", "--p2", "human", "--dice", "ask"], "roll\n6 4 6 1\n7\n");
    has(&seen, &["dice [126 outcomes] > ", "  chance: 1466", "7:1,10:1"]);
    has(&play(&args, "help\n"), &["type the outcome"]);
}

#[test]
fn a_game_is_recorded_and_replayed() {
    let directory = directory("played");
    let start = ["pig(target=30)", "--p2", "hold-at(n=10)", "--seed", "3"];
    let typed = "roll\nroll\nhold\n".repeat(30);
    for name in ["game.txt", "game.jsonl"] {
        let file = path(&directory, name);
        let seen = play(&[&start[..], &["--record", &file]].concat(), &typed);
        has(&seen, &[" wins (", &format!("The game is recorded in {file}")]);
        let shown = said(&["replay", &file]);
        has(
            &shown,
            &[
                "game 1: pig(dice=2,target=30,outcomes=merged), seed 3, ",
                "  p1  human\n",
                "1 game checked: all right",
            ],
        );
        // A changed roll, seed or action is detected.
        let whole = std::fs::read_to_string(&file).unwrap();
        for (from, to) in [("+7", "+8"), ("Seed \"3\"", "Seed \"4\""), ("\"seed\":3", "\"seed\":4")] {
            if whole.contains(from) {
                std::fs::write(path(&directory, "wrong"), whole.replacen(from, to, 1)).unwrap();
                let output = astragal(&["replay", &path(&directory, "wrong"), "--quiet"]);
                assert_eq!(output.status.code(), Some(1), "{name}: {from}");
                has(&text(&output.stdout), &["is wrong: event ", "is not that of the seed"]);
            }
        }
        assert!(refused(&["replay", &file, "--again"]).contains("game 1 was not played in a match"));
    }
    // Undone actions are not in the record, and a game that was left has no result.
    let file = path(&directory, "left.jsonl");
    play(&[&start[..], &["--record", &file]].concat(), "roll\nroll\nundo\nroll\nhold\n");
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((&record["dice"], &record["payoff"]), (&"single".into(), &Value::Null));
    let actions = |record: &Value| -> Vec<String> {
        let events = record["events"].as_array().unwrap().iter();
        events.filter_map(|event| event["action"].as_str().map(str::to_string)).take(3).collect()
    };
    assert_eq!(actions(&record), ["roll", "roll", "hold"]);
    assert_eq!(said(&["replay", &file, "--quiet"]), "1 game checked: all right\n");
    // Entered dice need only be possible.
    let file = path(&directory, "entered.txt");
    let dice = ["--dice", "ask", "--record", &file];
    play(&[&["pig", "--p2", "human"], &dice[..]].concat(), "roll\n+12\nroll\n+12\nhold\n");
    has(&said(&["replay", &file]), &["dice entered by hand, *", "1 game checked: all right"]);
    let whole = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, whole.replacen("+12", "+13", 1)).unwrap();
    assert_eq!(astragal(&["replay", &file, "--quiet"]).status.code(), Some(1));
    assert!(refused(&["play", "pig", "--record", "/no/such/place"]).contains("/no/such/place"));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_throw_belongs_to_whoever_threw_it() {
    // Once three columns are in use a bust is more likely than not, and then the opponent is to decide.
    let directory = directory("thrower");
    let record = path(&directory, "game.txt");
    let dice = "roll\n1112\n2+3\nroll\n6666\n12+12\nroll\n1112\n2+3\nroll\n4455\n";
    play(&["cant-stop", "--p2", "human", "--dice", "ask", "--record", &record], dice);
    let shown = said(&["replay", &record, "--analyze", "star2", "--depth", "1"]);
    let whose: Vec<&str> = shown
        .lines()
        .filter(|line| line.contains("'s luck "))
        .map(|line| line.split("  ").last().unwrap())
        .collect();
    assert!(whose.iter().all(|luck| luck.starts_with("p1's luck ")), "{shown}");
    let last: Vec<char> = whose.iter().rev().take(2).rev().filter_map(|luck| luck.chars().nth(10)).collect();
    assert_eq!(last, ['+', '-'], "{shown}");
    std::fs::remove_dir_all(directory).unwrap();
}
