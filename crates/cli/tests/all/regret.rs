//! What decisions cost, through the real binary.

use crate::binary::{directory, json, path, refused, said};
use serde_json::Value;

const PIG: [&str; 9] =
    ["regret", "pig(target=20)", "optimal", "hold-at(n=18)", "random", "--positions", "150", "--seed", "3"];

/// The report without the times.
fn timeless(mut report: Value) -> Value {
    for row in report["rows"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("seconds_a_decision");
    }
    report
}

#[test]
fn the_charges_do_not_depend_on_the_workers() {
    let one = timeless(json(&[&PIG[..], &["--json", "--jobs", "1"]].concat()));
    let four = timeless(json(&[&PIG[..], &["--json", "--jobs", "4"]].concat()));
    assert_eq!(one, four);
    let rows = one["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0]["right"], &rows[0]["loss"]["mean"]), (&Value::from(1.0), &Value::from(0.0)));
    assert!(rows[0]["worst"].is_null() && rows[0]["loss_a_game"]["hi"].as_f64() > Some(0.0));
    for row in &rows[1..] {
        let of = |key: &str| row["loss_a_game"][key].as_f64().unwrap();
        assert!(0.0 <= of("lo") && of("lo") < of("mean") && of("mean") < of("hi"), "{row}");
        assert!(row["decisions"].as_u64() >= Some(150), "{row}");
    }
    let loses = |row: &Value| row["loss_a_game"]["mean"].as_f64().unwrap();
    assert!(loses(&rows[1]) < loses(&rows[2]));
}

#[test]
fn the_text_says_what_losses_are_measured_in_and_where_the_worst_was() {
    let text = said(&PIG);
    for words in
        ["loss in % of a game", "games against itself", "worst of random: ", " instead of ", "hold-at(n=18)"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    let turns =
        said(&["regret", "cant-stop(dice=2,players=1)", "random", "--from", "random", "--positions", "50"]);
    assert!(turns.contains("loss in turns") && turns.contains("one decision of each random game"), "{turns}");
    let all = said(&[
        "regret",
        "tic-tac-toe",
        "random",
        "alpha-beta",
        "--from",
        "all",
        "--positions",
        "9999",
        "--depth",
        "9",
    ]);
    // A complete search loses nothing, and nothing is estimated where every decision was judged.
    let row = all.lines().find(|line| line.starts_with("alpha-beta")).unwrap();
    assert!(row.split_whitespace().any(|word| word == "100.0") && !row.contains('['), "{all}");
}

#[test]
fn a_solution_is_read_and_another_game_is_refused() {
    let folder = directory("regret");
    let file = path(&folder, "pig.solved");
    said(&["solve", "pig(target=20)", "--out", &file]);
    let engine = format!("solved(file={file})");
    let found =
        json(&["regret", "pig(target=20)", &engine, "--solution", &file, "--positions", "50", "--json"]);
    assert_eq!(found["rows"][0]["loss"]["mean"], Value::from(0.0));
    let other = refused(&["regret", "pig(target=30)", "random", "--solution", &file]);
    assert!(other.contains("it solves pig(dice=2,target=20"), "{other}");
    let engine = refused(&["regret", "pig(target=20)", "rando"]);
    assert!(engine.contains("did you mean 'random'") || engine.contains("random"), "{engine}");
    let source = refused(&["regret", "pig(target=20)", "random", "--from", "selfplay"]);
    assert!(source.contains("expected self-play, random or all"), "{source}");
}
