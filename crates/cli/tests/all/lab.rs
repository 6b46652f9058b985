//! Matches, records and tournaments through the real binary.

use crate::binary::{astragal, directory, path, refused, said, text};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const MATCH: [&str; 8] = ["match", "ewn", "star2ss(width=2)", "mcts", "--pairs", "12", "--nodes", "200"];

#[test]
fn a_match_has_its_keys_and_does_not_depend_on_the_workers() {
    let one = said(&[&MATCH[..], &["--json", "--jobs", "1"]].concat());
    let four = said(&[&MATCH[..], &["--json", "--jobs", "4"]].concat());
    assert_eq!(one, four);
    let object: Value = serde_json::from_str(&one).unwrap();
    for key in [
        "game",
        "engines",
        "pairs",
        "score",
        "lo",
        "hi",
        "elo",
        "nelo",
        "los",
        "effective_games",
        "first_mover",
    ] {
        assert!(!object[key].is_null(), "{key}");
    }
    for key in ["score", "lo", "hi"] {
        assert!(object["luck_adjusted"][key].is_f64(), "{key}");
    }
    let (lo, score, hi) =
        (object["lo"].as_f64().unwrap(), object["score"].as_f64().unwrap(), object["hi"].as_f64().unwrap());
    assert!(0.0 <= lo && lo <= score && score <= hi && hi <= 1.0);
    // The other side of the same match.
    let swapped = ["match", "ewn", "mcts", "star2ss(width=2)", "--pairs", "12", "--nodes", "200", "--json"];
    let other: Value = serde_json::from_str(&said(&swapped)).unwrap();
    assert_eq!(other["pairs"], object["pairs"]);
}

#[test]
fn an_engine_against_itself_scores_half_of_every_pair() {
    // The same dice, the same searches, the seats swapped: what one wins the other loses.
    let output = said(&["match", "ewn", "star2", "star2", "--pairs", "6", "--nodes", "300", "--json"]);
    let object: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(object["score"].as_f64(), Some(0.5));
    assert_eq!(object["pentanomial"], serde_json::json!([0, 0, 6, 0, 0]));
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_with_any_number_of_workers() {
    let test =
        ["match", "pig", "star2", "random", "--nodes", "50", "--pairs", "400", "--sprt", "0,30", "--json"];
    let one = said(&[&test[..], &["--jobs", "1"]].concat());
    let three = said(&[&test[..], &["--jobs", "3"]].concat());
    assert_eq!(one, three);
    let object: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(object["sprt"]["verdict"], "accept");
    assert!(object["sprt"]["llr"].as_f64().unwrap() >= 2.944);
    assert!(object["pairs"].as_u64().unwrap() < 400);
}

#[test]
fn games_are_recorded_and_replayed() {
    let directory = directory("records");
    for name in ["games.txt", "games.jsonl"] {
        let file = path(&directory, name);
        said(&[&MATCH[..], &["--record", &file]].concat());
        let shown = said(&["replay", &file, "--again", "--quiet"]);
        assert_eq!(shown, "24 games checked: all right\n");
        // Another throw, another action, another result: each is found out.
        let whole = std::fs::read_to_string(&file).unwrap();
        let changes = if name == "games.txt" {
            [
                ("chance  1\n", "chance  2\n"),
                ("[Payoff \"100\"]", "[Payoff \"-100\"]"),
                ("[Seed \"0\"]", "[Seed \"1\"]"),
            ]
        } else {
            [
                ("{\"outcome\":\"1\"}", "{\"outcome\":\"2\"}"),
                ("\"payoff\":100.0", "\"payoff\":-100.0"),
                ("\"seed\":0", "\"seed\":1"),
            ]
        };
        for (from, to) in changes {
            assert!(whole.contains(from), "{name} has no {from}");
            let wrong = path(&directory, "wrong");
            std::fs::write(&wrong, whole.replacen(from, to, 1)).unwrap();
            let output = astragal(&["replay", &wrong, "--quiet"]);
            assert_eq!(output.status.code(), Some(1), "{name}: {from}");
            assert!(text(&output.stdout).contains("is wrong"), "{name}: {from}");
        }
        // A file that ends in the middle of a game.
        let cut = path(&directory, "cut");
        std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
        let error = refused(&["replay", &cut]);
        assert!(error.contains("line"), "{error}");
    }
    let shown = said(&["replay", &path(&directory, "games.txt"), "--game", "3"]);
    assert!(shown.contains("game 3") && shown.contains("1 game checked: all right"), "{shown}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_cannot_be_played_is_refused() {
    let directory = directory("refused");
    assert!(refused(&["match", "ewn", "star3", "mcts"]).contains("star3"));
    assert!(refused(&["match", "ewm", "star2", "mcts"]).contains("ewn"));
    assert!(refused(&["match", "ewn", "star2", "mcts", "--depth", "3"]).contains("no budget in depth"));
    assert!(refused(&["match", "ewn", "star2", "mcts", "--sprt", "20,0"]).contains("smaller first"));
    assert!(refused(&["match", "ewn", "star2", "mcts", "--pairs", "0"]).contains("0"));
    assert!(
        refused(&["match", "ewn", "star2", "mcts", "--nodes", "9", "--record", "/no/such/place"])
            .contains("/no/such/place")
    );
    assert!(refused(&["replay", &path(&directory, "none")]).contains("none"));
    let plan = path(&directory, "plan.toml");
    for (words, told) in [
        ("game = \"ewn\"\nkind = \"round\"", "round-robin"),
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\"]\npairs = 1\nbudget = { nodes = 1 }",
            "two engines",
        ),
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\", \"star2(probes=1)\"]\npairs = 1\nbudget = { nodes = 1 }",
            "twice",
        ),
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\", \"mcts\"]\npairs = 1\nbudget = {}",
            "budget",
        ),
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\", \"mctz\"]\npairs = 1\nbudget = { nodes = 1 }",
            "mctz",
        ),
    ] {
        std::fs::write(&plan, words).unwrap();
        let error = refused(&["tournament", &plan]);
        assert!(error.contains(told), "{error}");
    }
    for shard in ["0/2", "3/2", "1", "x/y"] {
        refused(&["work", &plan, "--shard", shard, "--store", &path(&directory, "s.db")]);
    }
    std::fs::remove_dir_all(directory).unwrap();
}

/// A plan of four engines.
fn plan(directory: &Path, name: &str, kind: &str, pairs: u32) -> String {
    let file = path(directory, name);
    let engines = r#"["star2ss(width=2)", "mcts", "star1", "random", "expss(width=1)"]"#;
    let plan = format!(
        "game = \"ewn\"\nkind = \"{kind}\"\nengines = {engines}\npairs = {pairs}\nseed = 7\nbudget = {{ nodes = 300 }}\n"
    );
    std::fs::write(&file, plan).unwrap();
    file
}

#[test]
fn a_tournament_that_is_killed_at_any_moment_goes_on_and_ends_alike() {
    let directory = directory("killed");
    for kind in ["round-robin", "elimination"] {
        let plan = plan(&directory, "plan.toml", kind, 30);
        let whole = path(&directory, &format!("whole-{kind}.db"));
        let begin = std::time::Instant::now();
        let undisturbed = said(&["tournament", &plan, "--store", &whole]);
        let time = begin.elapsed();
        let json = said(&["tournament", &plan, "--store", &whole, "--json"]);
        let store = path(&directory, &format!("killed-{kind}.db"));
        let mut killed = 0;
        for number in 0_u64..20 {
            let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
                .args(["tournament", &plan, "--store", &store])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // Twenty moments, which together are less than the whole takes.
            let share = (number * 7919 % 97) as f64 / 97.0 / 12.0;
            std::thread::sleep(Duration::from_millis(2) + time.mul_f64(share));
            killed += u32::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(killed > 3, "only {killed} were killed at work");
        assert_eq!(said(&["tournament", &plan, "--store", &store]), undisturbed);
        assert_eq!(said(&["tournament", &plan, "--store", &store, "--json"]), json);
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn shards_of_which_one_was_killed_are_merged_to_the_whole() {
    let directory = directory("shards");
    let plan = plan(&directory, "plan.toml", "round-robin", 12);
    let undisturbed = said(&["tournament", &plan, "--store", &path(&directory, "whole.db")]);
    let (first, second) = (path(&directory, "first.db"), path(&directory, "second.db"));
    let spawn = |shard: &str, store: &str| {
        Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["work", &plan, "--shard", shard, "--store", store])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let (mut one, mut two) = (spawn("1/2", &first), spawn("2/2", &second));
    std::thread::sleep(Duration::from_millis(40));
    two.kill().unwrap();
    two.wait().unwrap();
    assert!(one.wait().unwrap().success());
    assert!(spawn("2/2", &second).wait().unwrap().success());
    let merged = path(&directory, "merged.db");
    said(&["merge", &first, &second, "--into", &merged]);
    // Once more changes nothing.
    said(&["merge", &second, &first, "--into", &merged]);
    assert_eq!(said(&["tournament", &plan, "--store", &merged]), undisturbed);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_match_goes_on_from_its_store() {
    let directory = directory("store");
    let store = path(&directory, "match.db");
    let first = [&MATCH[..5], &["4", "--nodes", "200", "--json", "--store", &store]].concat();
    said(&first);
    let rest = said(&[&MATCH[..], &["--json", "--store", &store]].concat());
    assert_eq!(rest, said(&[&MATCH[..], &["--json"]].concat()));
    std::fs::remove_dir_all(directory).unwrap();
}
