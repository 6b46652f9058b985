//! Games played by OpenSpiel, replayed move by move: legal actions, probabilities, boards and results must
//! agree.
//!
//! `checks/openspiel.py` creates the file, and explains how to compare more games.

use astragal::catalog::game;
use astragal::core::Turn;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Actions without the signs of check and mate, which OpenSpiel omits for some chess moves.
fn bare<'a>(actions: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    actions.map(|action| action.trim_end_matches(['+', '#']).to_string()).collect()
}

#[test]
fn games_of_openspiel_are_ours() {
    let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../checks/data/openspiel.jsonl");
    let file = std::env::var_os("ASTRAGAL_OPENSPIEL").map_or(sample, PathBuf::from);
    let text = std::fs::read_to_string(&file).unwrap();
    let (mut games, mut decisions, mut chances) = (0, 0, 0);
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let game = game(record["game"].as_str().unwrap()).unwrap();
        let mut position = record["start"].as_str().map_or(game.start(), |text| game.read(text).unwrap());
        for step in record["steps"].as_array().unwrap() {
            let chosen = step["chosen"].as_str().unwrap();
            let at = position.text();
            if let Some(expected) = step["chance"].as_object() {
                assert_eq!(position.turn(), Turn::Chance, "{at}");
                let outcomes = position.outcomes();
                assert_eq!(outcomes.len(), expected.len(), "{at}");
                for outcome in outcomes {
                    let known = expected[&outcome.item].as_f64().unwrap();
                    assert!((outcome.weight - known).abs() < 1e-15, "{at}: {outcome:?}, there {known}");
                }
                position = position.resolve(chosen).unwrap();
                chances += 1;
            } else {
                let Turn::Decide(player) = position.turn() else { panic!("nobody decides in {at}") };
                assert_eq!(player.name(), step["player"].as_str().unwrap(), "{at}");
                // The records number the stones of EinStein; both notations are read.
                let named = |action: &Value| position.action_named(action.as_str().unwrap()).unwrap();
                let legal: Vec<String> = step["legal"].as_array().unwrap().iter().map(named).collect();
                let known = bare(legal.iter().map(String::as_str));
                assert_eq!(bare(position.actions().iter().map(String::as_str)), known, "{at}");
                position = position.act(chosen).unwrap();
                decisions += 1;
                if let Some(board) = step["board"].as_str() {
                    assert_eq!(position.text().split(' ').next(), Some(board), "after {chosen} in {at}");
                }
                if let Some(text) = step["text"].as_str() {
                    assert_eq!(position.text(), text, "after {chosen} in {at}");
                }
            }
        }
        assert_eq!(position.turn(), Turn::Over(record["result"].as_f64().unwrap()), "{}", position.text());
        games += 1;
    }
    assert!(
        games >= 30 && decisions > 500 && chances > 500,
        "{games} games, {decisions} decisions, {chances} rolls"
    );
}
