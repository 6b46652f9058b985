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
    let seen =
        play(&["pig", "--p2", "star2", "--depth", "3", "--seed", "3"], "?\nopinion\nfly\nhold\nundo\nquit\n");
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
    let again = play(&["pig", "--p2", "human", "--seed", "3"], "r\nundo\nr\n");
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
    has(&play(&pig, "h\n"), &["20\n> p2"]);
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
    let seen = play(&args, "?\nbst\n7\nroll\n+12\nundo\n8\nhold\n");
    has(
        &seen,
        &[
            "p1's dice [bust · reset · +4 · +5 · +6 · +7 · +8 · +9 · +10 · +11 · +12] > ",
            "  bust   27.78 %",
            "'bst' is not possible here. The outcomes are: bust · reset · +4",
            "  chance: +7",
            "  chance: +12",
            "  chance: +8",
            "The game is left at 15-0+0 p2",
        ],
    );
    // Four dice in any order, and too many outcomes for a prompt.
    let seen = play(&["cant-stop", "--p2", "human", "--dice", "ask"], "6 4 6 1\n7\n");
    has(&seen, &["p1's dice [126 outcomes, Enter lists them] > ", "  chance: 1466", "7:1,10:1"]);
    has(&play(&args, "help\n"), &["type what they show, such as 3 4"]);
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
    play(&[&start[..], &["--record", &file]].concat(), "roll\nundo\nroll\nhold\n");
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
    play(&[&["pig", "--p2", "human"], &dice[..]].concat(), "+12\nroll\n+12\nhold\n");
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
    let dice = "1112\nroll\n6666\nroll\n1112\nroll\n4455\n";
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

#[test]
fn the_only_action_is_played_by_itself() {
    // At the start of a turn of Pig one can only roll.
    let seen = play(&["pig", "--p2", "human", "--seed", "3"], "hold\n");
    has(&seen, &["p1 plays roll (the only action)", "p2 plays roll (the only action)"]);
    assert!(!seen.contains("[roll] > "), "{seen}");
    // An engine need not think about it either, and taking back skips it.
    let seen = play(&["pig", "--p2", "star2", "--depth", "1", "--seed", "3"], "hold\nundo\n");
    has(&seen, &["p2 (star2) plays roll (the only action)"]);
    assert!(
        seen.trim_end().ends_with(&seen[seen.rfind("The game is left at 0-0+").unwrap()..].trim_end()),
        "{seen}"
    );
    // The dice are asked for in the same way.
    let seen = play(&["pig", "--p2", "human", "--dice", "ask"], "");
    has(&seen, &["p1 plays roll (the only action)", "p1's dice ["]);
}

#[test]
fn dice_are_taken_as_people_say_them() {
    let pig = ["pig", "--p2", "human", "--dice", "ask"];
    for (typed, outcome) in [
        ("3 4", "+7"),
        ("34", "+7"),
        ("3,4", "+7"),
        ("4+3", "+7"),
        ("7", "+7"),
        ("6 6", "+12"),
        ("10", "+10"),
        ("+12", "+12"),
        ("5 1", "bust"),
        ("16", "bust"),
        ("1 1", "reset"),
    ] {
        has(&play(&pig, &format!("{typed}\n")), &[&format!("  chance: {outcome}\n")]);
    }
    for (typed, why) in [
        ("12", "the dice 1 and 2 (bust), or the sum +12? Type 1 2 or +12."),
        ("11", "the dice 1 and 1 (reset), or the sum +11? Type 1 1 or +11."),
        ("3 7", "a die shows 1 to 6, not 7."),
        ("3 4 5", "two dice are rolled, but 3 are named."),
        ("2", "two dice are rolled: type both, such as 3 4, or their sum, from 4 to 12."),
    ] {
        let seen = play(&pig, &format!("{typed}\n")).split_whitespace().collect::<Vec<_>>().join(" ");
        has(&seen, &[&format!("'{typed}' is not possible here: {why}")]);
        assert!(!seen.contains("chance: "), "{typed}: {seen}");
    }
    let one =
        |spec: &str, typed: &str| play(&[spec, "--p2", "human", "--dice", "ask"], &format!("{typed}\n"));
    has(&one("pig(dice=1)", "1"), &["chance: bust"]);
    has(&one("pig(dice=1)", "4"), &["chance: +4"]);
    has(&one("pig(outcomes=rolls)", "4 3"), &["chance: 43"]);
    has(&one("pig(outcomes=pairs)", "43"), &["chance: 34"]);
    for typed in ["6 4 6 1", "6461", "1,4,6,6"] {
        has(&one("cant-stop", typed), &["chance: 1466"]);
    }
    has(&one("cant-stop", "6 4 6"), &["four dice are rolled, but 3 are named."]);
    has(&one("cant-stop(outcomes=rolls)", "6 4 6 1"), &["chance: 6461"]);
    has(&one("ewn", "3"), &["chance: 3"]);
    has(&one("ewn", "7"), &["a die shows 1 to 6, not 7."]);
    has(&one("ra", "draw\nnile"), &["chance: nile"]);
}

#[test]
fn a_face_that_is_merged_with_another_is_understood() {
    let ewn = [
        "ewn(merge=on)",
        "--position",
        "....5/.2.../...../...a./.f... p1 -",
        "--p2",
        "human",
        "--dice",
        "ask",
    ];
    // With the stones 2 and 5, a 4 allows the same as a 3, a 6 the same as a 5.
    has(&play(&ewn, "4\n"), &["chance: 3"]);
    has(&play(&ewn, "6\n"), &["chance: 5"]);
}

#[test]
fn the_board_is_drawn_before_the_dice_are_asked_for() {
    let ewn = ["ewn", "--p2", "human", "--dice", "ask", "--position", "123../45.../6...f/...ed/..cba p1 3"];
    let seen = play(&ewn, "3 diagonal\n");
    let (before, prompt) = seen.rsplit_once("p2's dice [").expect(&seen);
    assert!(prompt.starts_with("1 · 2 · 3"), "{prompt}");
    // The stone has moved on the last board drawn.
    let board = before.rsplit_once('┌').unwrap().1;
    assert!(board.contains("│ 4 │ 5 │   │ 3 │") || board.contains("│ 4 │ 5 │ 3 │"), "{board}");
    // In Pig nothing has changed when the dice roll, and the board is drawn once.
    let seen = play(&["pig", "--p2", "human", "--dice", "ask"], "");
    assert_eq!(seen.matches("first to 100").count(), 1, "{seen}");
}

#[test]
fn moves_name_the_stones_of_the_board() {
    let place = ["ewn", "--position", "123../45.../6...f/...ed/..cba p2 3", "--p1", "human", "--p2", "human"];
    let seen = play(&place, "c up\n");
    has(&seen, &["p2 [c left · c up · c diagonal] > ", "The game is left at 123../45.../6...f/..ced/...ba"]);
    // The number of the stone is understood, as in older records.
    has(&play(&place, "3 up\n"), &["The game is left at 123../45.../6...f/..ced/...ba"]);
    has(&play(&place, "a up\n"), &["with a 3 only stone c may move"]);
}

#[test]
fn the_prompt_lists_moves_and_rules() {
    let position = "1/1 10:9652:god 10:874(1):2nile 3 gold,nile,flood,pharaoh,art,temple,palace - p1 turn";
    let ra = ["ra", "--position", position, "--p2", "human", "--seed", "1"];
    let seen = play(&ra, "\n");
    has(&seen, &["p1 [9 actions, Enter lists them] > ", "The actions are: draw · invoke · take gold ·"]);
    for word in ["moves", "list", "actions"] {
        assert_eq!(play(&ra, &format!("{word}\n")), seen, "{word}");
    }
    has(&play(&ra, "help\n"), &["  moves     list the actions", "  rules     the rules of the game"]);
    has(&play(&ra, "rules\n"), &["Have the higher score after three epochs.", "An auction\n"]);
    let seen = play(&ra, "fly\nrules\nhelp\n");
    // What is typed after a prompt is not seen here, nor does it end the line. The last line is for copying.
    let (seen, _) = seen.split_once("The game is left at").unwrap();
    for part in seen.lines().flat_map(|line| line.split("] > ")) {
        assert!(part.chars().count() < 80, "{part}");
    }
}

#[test]
fn the_opponent_has_the_name_that_the_user_gave_it() {
    let ewn = ["ewn", "--seed", "1", "--position", "123../45.../6...f/...ed/..cba p1 3"];
    let level = play(&[&ewn[..], &["--level", "2"]].concat(), "3 diagonal\n");
    has(
        &level,
        &["ewn  seed 1\n  p1  human\n  p2  strongest, level 2 (star2(", "p2 (strongest, level 2) plays "],
    );
    let usual = play(&[&ewn[..], &["--depth", "1"]].concat(), "3 diagonal\n");
    has(&usual, &["  p2  strongest (star2)\n", "p2 (strongest) plays "]);
    let named = play(&[&ewn[..], &["--p2", "star2(probes=2)", "--depth", "1"]].concat(), "3 diagonal\n");
    has(&named, &["  p2  star2 (star2(probes=2))\n", "p2 (star2) plays "]);
}

#[test]
fn nothing_is_worth_minus_zero() {
    // The value is about -1e-5 for player 2, and 0 to any decimals shown.
    let tree = directory("minus-zero");
    let file = path(&tree, "tree.json");
    std::fs::write(&file, r#"{"range": [-10, 10], "root": {"max": {"a": -0.00001, "b": -0.00002}}}"#)
        .unwrap();
    let spec = format!("explicit(file={file})");
    let seen = play(&[&spec, "--p2", "human"], "?\nopinion\n?\n");
    let is_tree = |line: &&str| line.contains('─');
    let values = |seen: &str| seen.lines().filter(|line| !is_tree(line)).collect::<String>();
    assert!(seen.contains("+0.0000") && !values(&seen).contains("-0.0"), "{seen}");
    let seen = said(&["analyze", &spec, "--engine", "expectimax"]);
    assert!(seen.contains("value +0.0000") && !values(&seen).contains("-0.0"), "{seen}");
    std::fs::remove_dir_all(tree).unwrap();
}
