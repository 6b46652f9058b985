//! Budgets of single engines, standings from a store, and reviews of recorded games, through the real binary.

use crate::binary::{astragal, directory, path, refused, said, text};
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
    assert!(shown.contains("  loses ") && shown.contains(" to roll") && shown.contains("  best"), "{shown}");
    assert!(shown.contains("luck +") && shown.contains("luck -") && !shown.contains("not judged"), "{shown}");
    assert_eq!(shown, review("star2(probes=1)"), "a spec is completed");
    // The perfect player loses nothing in its own judgement.
    let perfect = path(&directory, "perfect.txt");
    said(&["match", "pig(target=20)", "optimal", "optimal", "--pairs", "1", "--record", &perfect]);
    let shown = said(&["replay", &perfect, "--game", "2", "--analyze", "optimal"]);
    assert!(!shown.contains("loses ") && shown.contains(" 0 worse than the best: 0.00 lost"), "{shown}");
    assert!(
        refused(&["replay", &record, "--analyze", "optimal", "--depth", "3"]).contains("needs no budget")
    );
    assert!(refused(&["replay", &record, "--analyze", "nobody"]).contains("'nobody'"));
    std::fs::remove_dir_all(directory).unwrap();
}
