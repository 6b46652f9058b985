//! Budgets of single engines, standings from a store, and reviews of recorded games, through the real binary.

use crate::binary::{astragal, directory, json, path, refused, said, text};
use serde_json::Value;

#[test]
fn each_engine_may_have_a_budget_of_its_own() {
    let base = ["match", "ewn", "mcts", "star2", "--pairs", "3", "--json"];
    let own = ["--first-budget", "iterations=40", "--second-budget", "depth=2"];
    let one = said(&[&base[..], &own].concat());
    let object: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(object["budget"], "iterations=40 vs depth=2");
    let nodes = object["nodes_a_decision"].as_array().unwrap();
    assert!(nodes[0].as_f64().unwrap() > 40.0 && nodes[1].as_f64().unwrap() > 10.0, "{one}");
    // A common budget, with another one for the second engine.
    let odds: Value = serde_json::from_str(&said(
        &[&base[..], &["--nodes", "50", "--second-budget", "nodes=500"]].concat(),
    ))
    .unwrap();
    assert_eq!(odds["budget"], "nodes=50 vs nodes=500");
    for (args, words) in [
        (&["--first-budget", "depth=2", "--nodes", "50"][..], "'mcts' has no support for a limit on depth"),
        (&["--first-budget", "moves=2"], "expected depth=N, nodes=N"),
        (&["--first-budget", "nodes=0"], "at least 1"),
    ] {
        let error = refused(&[&base[..6], args].concat());
        assert!(error.contains(words), "{error}");
    }
    let error = refused(&["match", "ewn", "mcts", "random", "--nodes", "9", "--second-budget", "nodes=5"]);
    assert!(error.contains("'random' has no support for a limit on nodes"), "{error}");
}

#[test]
fn games_with_two_budgets_are_recorded_and_played_again() {
    let directory = directory("two-budgets");
    for name in ["games.txt", "games.jsonl"] {
        let record = path(&directory, name);
        let own = ["--first-budget", "iterations=30", "--second-budget", "depth=1"];
        said(&[&["match", "ewn", "mcts", "star2", "--pairs", "3", "--record", &record][..], &own].concat());
        let checked = said(&["replay", &record, "--again", "--quiet"]);
        assert_eq!(checked, "6 games checked: all right\n");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn plans_take_budgets_of_engines_and_stores_have_standings() {
    let directory = directory("standings");
    let (plan, store) = (path(&directory, "plan.toml"), path(&directory, "plan.db"));
    std::fs::write(
        &plan,
        r#"
game = "ewn"
kind = "round-robin"
engines = ["star2", { engine = "star2", budget = { nodes = 5 } }, { engine = "mcts", budget = { iterations = 30 } }, "random"]
pairs = 8
budget = { depth = 2 }
"#,
    )
    .unwrap();
    let tables = said(&["tournament", &plan]);
    assert!(tables.contains("star2 nodes=5") && tables.contains("mcts iterations=30"), "{tables}");
    // Another game gets its own table.
    said(&["match", "tic-tac-toe", "star2", "random", "--depth", "1", "--pairs", "2", "--store", &store]);
    let shown = said(&["results", &store, "--standings"]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.contains("Elo")).count(), 2, "{shown}");
    assert!(
        lines[0].starts_with("ewn") && lines[2].contains("star2") && lines[2].contains("depth=2"),
        "{shown}"
    );
    assert!(lines[5].contains("random") && lines[5].contains(" 24  "), "{shown}");
    // An engine that takes no budget is the same player in all matches.
    for nodes in ["20", "40"] {
        said(&[
            "match",
            "pig(target=20)",
            "star2",
            "random",
            "--nodes",
            nodes,
            "--pairs",
            "2",
            "--store",
            &store,
        ]);
    }
    let pig = said(&["results", &store, "--standings", "--containing", "pig"]);
    assert!(pig.matches("random").count() == 1 && !pig.contains("guess"), "{pig}");
    // Matches of another revision are left out.
    let old = aged(&store);
    let shown = said(&["results", &old, "--standings"]);
    assert!(
        shown.starts_with("no matches\n") && shown.contains("9 matches of other revisions left out"),
        "{shown}"
    );
    assert!(said(&["results", &old]).contains("0123456789abcdef"));
    let again = ["match", "tic-tac-toe", "star2", "random", "--depth", "1", "--pairs", "2", "--store", &old];
    let error = text(&astragal(&again).stderr);
    assert!(error.contains("the store has 2 pairs of this match by another revision"), "{error}");
    let csv = said(&["results", &store, "--standings", "--csv", "--containing", "pig"]);
    let json = said(&["results", &store, "--standings", "--json", "--containing", "pig"]);
    assert!(csv.starts_with("game,position,terms,engine,budget,elo,lo,hi,score,pairs\n"), "{csv}");
    assert_eq!((csv.lines().count(), json.lines().count()), (4, 3), "{csv}{json}");
    for (row, object) in csv.lines().skip(1).zip(json.lines()) {
        let object: Value = serde_json::from_str(object).unwrap();
        assert!(row.ends_with(&format!("{},{}", object["score"], object["pairs"])), "{row}");
    }
    for wrong in [
        "engines=['star2', { engine='mcts', budget={ nodes=5 } }]",
        "engines=['mcts', { engine='star2', budget={} }]\nbudget={ nodes=10 }",
    ] {
        // An engine without a budget would search for ever.
        std::fs::write(&plan, format!("game='ewn'\nkind='match'\npairs=1\n{wrong}\n")).unwrap();
        assert!(refused(&["tournament", &plan]).contains("'star2' needs a budget per decision"), "{wrong}");
    }
    std::fs::write(
        &plan,
        "game='ewn'\nkind='match'\npairs=1\nengines=['star2','mcts']\nbudget={ milliseconds=0.0 }\n",
    )
    .unwrap();
    assert!(refused(&["tournament", &plan]).contains("at least a microsecond"));
    for (engine, wrong) in [
        ("3", "expected an engine's spec, or { engine ="),
        ("{ engine='mcts', buget={ nodes=5 } }", "unknown field `buget`, expected `engine` or `budget`"),
        ("{ engine='mcts', budget={ node=5 } }", "unknown field `node`"),
    ] {
        let bad =
            format!("game='ewn'\nkind='match'\nengines=['star2', {engine}]\npairs=1\nbudget={{ nodes=5 }}\n");
        std::fs::write(&plan, bad).unwrap();
        let error = text(&astragal(&["tournament", &plan]).stderr);
        assert!(error.contains(wrong) && error.contains("line 3"), "{error}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

/// A copy of a store as another revision of the program would have left it.
fn aged(store: &str) -> String {
    let copy = format!("{store}.old");
    let bytes = std::fs::read(store).unwrap();
    // The revision is stored as text of sixteen digits, so it can be replaced in place.
    let revision = astragal_arena::revision::REVISION.as_bytes();
    let mut aged = bytes.clone();
    let mut at = 0;
    while let Some(found) = aged[at..].windows(16).position(|window| window == revision) {
        aged[at + found..at + found + 16].copy_from_slice(b"0123456789abcdef");
        at += found + 16;
    }
    assert_ne!(aged, bytes);
    std::fs::write(&copy, aged).unwrap();
    copy
}

#[test]
fn a_review_shows_losses_and_luck() {
    let directory = directory("review");
    let record = path(&directory, "games.txt");
    said(&["match", "pig", "hold-at(n=10)", "hold-at(n=25)", "--pairs", "1", "--record", &record]);
    let review =
        |engine: &str| said(&["replay", &record, "--game", "1", "--analyze", engine, "--depth", "4"]);
    let shown = review("star2");
    assert!(shown.contains("  loses ") && shown.contains(" to roll"), "{shown}");
    assert!(shown.contains("p1's luck +") && shown.contains("p2's luck -"), "{shown}");
    assert!(!shown.contains("not judged") && shown.contains("1. p1 hold  loses "), "{shown}");
    assert_eq!(shown, review("star2(probes=1)"), "a spec is completed");
    // The perfect player loses nothing in its own judgement, and makes no errors.
    let perfect = path(&directory, "perfect.txt");
    said(&["match", "pig(target=20)", "optimal", "optimal", "--pairs", "1", "--record", &perfect]);
    let shown = said(&["replay", &perfect, "--game", "2", "--analyze", "optimal"]);
    assert!(!shown.contains("loses ") && shown.contains(" 0 worse than the best: 0.0 lost"), "{shown}");
    assert!(!shown.contains("The costliest decisions"), "{shown}");
    assert!(
        refused(&["replay", &record, "--analyze", "optimal", "--depth", "3"]).contains("needs no budget")
    );
    assert!(refused(&["replay", &record, "--analyze", "nobody"]).contains("'nobody'"));
    let unable = refused(&["replay", &record, "--analyze", "hold-at"]);
    assert!(unable.contains("'hold-at' knows no values, so it cannot judge"), "{unable}");
    std::fs::remove_dir_all(directory).unwrap();
}

/// The numbers after the name of a row in the account of a review.
fn row(shown: &str, name: &str) -> Vec<f64> {
    let line = shown.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {shown}"));
    line[name.len()..].split_whitespace().map(|number| number.parse().unwrap()).collect()
}

#[test]
fn the_printed_account_of_a_game_adds_up() {
    let directory = directory("account");
    for (game, engines, judge) in [
        ("pig(target=30)", ["optimal", "hold-at(n=10)"], &["optimal"][..]),
        ("pig", ["hold-at(n=20)", "random"], &["star2", "--depth", "2"]),
        ("ewn", ["random", "random"], &["star2", "--nodes", "200"]),
    ] {
        let record = path(&directory, "games.txt");
        said(&["match", game, engines[0], engines[1], "--pairs", "1", "--seed", "4", "--record", &record]);
        let shown = said(&[&["replay", &record, "--game", "1", "--analyze"], judge].concat());
        let tenths = |x: f64| (10.0 * x).round() as i64;
        let (luck, played) = (row(&shown, "luck "), row(&shown, "decisions "));
        let (errors, moved) = (row(&shown, "errors of the judge "), row(&shown, "the game moved "));
        assert_eq!(tenths(luck[0]) + tenths(luck[1]), tenths(luck[2]), "{shown}");
        assert_eq!(tenths(played[0]) + tenths(played[1]), tenths(played[2]), "{shown}");
        assert_eq!(tenths(luck[2]) + tenths(played[2]) + tenths(errors[0]), tenths(moved[0]), "{shown}");
        let ends = shown.lines().find(|line| line.starts_with("from ")).unwrap();
        let ends: Vec<f64> = ends.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(tenths(ends[0]) + tenths(moved[0]), tenths(ends[1]), "{shown}");
        assert_eq!(ends[1].abs(), 100.0, "{shown}");
        assert!(judge[0] != "optimal" || errors[0] == 0.0, "{shown}");
        // The same numbers for programs, to the last digit.
        let json = json(&[&["replay", &record, "--json", "--analyze"], judge].concat());
        let game = &json["games"][0];
        assert_eq!((&json["partial"], &game["wrong"]), (&false.into(), &Value::Null));
        let review = &game["review"];
        let number = |value: &Value| value.as_f64().unwrap();
        let sum = ["luck", "decisions"].iter().flat_map(|part| review[part].as_array().unwrap());
        let sum: f64 = sum.map(number).sum::<f64>() + number(&review["errors"]);
        let moved = number(&game["record"]["payoff"]) - number(&review["first"]);
        assert!((sum - moved).abs() < 1e-9 && (number(&review["moved"]) - moved).abs() < 1e-9, "{review}");
        assert_eq!(review["thresholds"][2], serde_json::json!(["blunder", 16.0]));
        // The decisions at the end are the costliest of all.
        let steps = review["steps"].as_array().unwrap();
        let mut losses: Vec<f64> = steps.iter().filter_map(|step| step["loss"].as_f64()).collect();
        losses.sort_by(|a, b| b.total_cmp(a));
        let costliest = review["costliest"].as_array().unwrap();
        for (at, index) in costliest.iter().enumerate() {
            assert_eq!(steps[index.as_u64().unwrap() as usize]["loss"], losses[at]);
        }
        assert_eq!(json["games"].as_array().unwrap().len(), 2);
    }
    assert!(refused(&["replay", "games.txt", "--json"]).contains("--analyze"));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn blunders_are_marked_and_shown_again_with_their_boards() {
    let directory = directory("blunders");
    let record = path(&directory, "games.txt");
    said(&["match", "ewn", "random", "random", "--pairs", "1", "--seed", "2", "--record", &record]);
    let shown = said(&["replay", &record, "--game", "1", "--analyze", "star2", "--depth", "2"]);
    assert!(shown.contains("?! 4.0 (2 %), ? 8.0 (4 %), ?? 16.0 (8 %)"), "{shown}");
    for line in shown.lines().filter(|line| line.contains(" loses ")) {
        let loss: f64 = line.split(" loses ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        let mark = line.rsplit("  ").find(|part| part.starts_with('?')).unwrap_or("");
        let expected = match loss {
            16.1.. => Some("??"),
            8.1..=15.9 => Some("?"),
            4.1..=7.9 => Some("?!"),
            ..=3.9 => Some(""),
            // Rounded to a threshold.
            _ => None,
        };
        assert!(expected.is_none_or(|expected| mark == expected), "{line}");
    }
    let (_, end) = shown.split_once("The costliest decisions").unwrap();
    for number in 1..=3 {
        let at = end.find(&format!("\n{number}. p")).unwrap_or_else(|| panic!("{number}: {end}"));
        // The position as text, then the board.
        let board: Vec<&str> = end[at + 1..].lines().skip(1).take(5).collect();
        assert!(board[0].matches('/').count() == 4 && board[2].len() > 5, "{board:?}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}
