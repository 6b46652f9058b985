//! Trees in files.

use crate::texts::{Stream, arbitrary, scaled, word};
use astragal_catalog::read_tree;
use astragal_core::contract::{Play, check_game, check_notation};
use astragal_core::{Game, Notation};

/// The maximum number of steps of a line: the maximum depth of a search.
const HIGHEST: usize = 1000;

const EXAMPLE: &str = r#"{
  "range": [-10, 10],
  "root": { "max": { "safe": 1, "risky": { "chance": { "heads": [0.5, "rich"], "tails": ["1/2", -4] } } } },
  "nodes": { "rich": { "min": { "tax": 6, "spare": 8 }, "estimate": 7 } }
}"#;

#[test]
fn the_documented_example_is_read() {
    let tree = read_tree(EXAMPLE).unwrap();
    assert_eq!(tree.len(), 7);
    check_game(&tree, Play::default()).unwrap();
    check_notation(&tree, Play::default()).unwrap();
    let mut actions = Vec::new();
    tree.actions(&tree.start(), &mut actions);
    let labels: Vec<String> = actions.iter().map(|a| tree.write_action(&tree.start(), *a)).collect();
    assert_eq!(labels, ["safe", "risky"], "the order of the file is kept");
    assert!(tree.read_state("root/risky/tails").is_ok());
}

#[test]
fn a_file_may_be_a_single_node() {
    assert_eq!(read_tree("3").unwrap().len(), 1);
    assert_eq!(read_tree(r#"{"chance": [[0.5, 1], [0.5, 2]]}"#).unwrap().len(), 3);
}

#[test]
fn faulty_files_are_explained() {
    for (text, why) in [
        ("", "not JSON: EOF while parsing"),
        ("{", "not JSON"),
        ("[1, 2]", "node 'root': a list is not a node"),
        ("\"x\"", "node 'root': there is no node 'x'"),
        (r#"{"root": 1, "bonus": 2}"#, "unknown key \"bonus\"; there are: root, range, nodes"),
        (r#"{"root": 1, "root": 2}"#, "\"root\" is given twice"),
        (r#"{"root": 1, "range": [1, 1]}"#, "not a pair of rising numbers"),
        (r#"{"root": 1, "range": 3}"#, "\"range\" is a number"),
        (r#"{"root": 1, "nodes": []}"#, "\"nodes\" is a list"),
        (r#"{"root": 1, "nodes": {"a": 1, "a": 2}}"#, "node 'a': there are two nodes of this name"),
        (r#"{"root": "a", "nodes": {"a": "b", "b": 1}}"#, "node 'a': this is only another name for 'b'"),
        (r#"{"root": "riche", "nodes": {"rich": 1}}"#, "did you mean 'rich'?"),
        (r#"{"max": {}}"#, "node 'root': a decision needs at least one action"),
        (r#"{"max": 3}"#, "the actions are a number"),
        (r#"{"max": {"a": 1}, "min": {"b": 1}}"#, "only one of value, max, min and chance"),
        (r#"{"min": {"a": 1, "a": 2}}"#, "two nodes of this name"),
        (r#"{"max": {"a/b": 1}}"#, "'a/b' is not a usable label"),
        (r#"{"root": " a ", "nodes": {" a ": 1}}"#, "node ' a ': this is not a usable name"),
        ("{\"root\": \"a\\nb\", \"nodes\": {\"a\\nb\": 1}}", "node 'a\\nb': this is not a usable name"),
        (r#"{"range": [-1e308, 1e308], "root": 1}"#, "is too wide"),
        (r#"{"chance": {"a": 1}}"#, "the outcome 'a' is not a pair"),
        (r#"{"chance": {"a": [0.5, 1], "b": [0.4, 2]}}"#, "node 'root': the weights sum to 0.9, not to 1"),
        (r#"{"chance": {"a": ["1/0", 1]}}"#, "not a number or a fraction"),
        (r#"{"chance": {}}"#, "a chance node needs at least one outcome"),
        (r#"{"value": 1, "estimate": 2}"#, "only a decision has an estimate"),
        (r#"{"value": "1"}"#, "\"value\" is a string, not a number"),
        (r#"{"estimate": 2}"#, "a node needs one of"),
        (r#"{"maximum": {}}"#, "unknown key \"maximum\""),
        (
            r#"{"root": "a", "nodes": {"a": {"max": {"go": "b"}}, "b": {"min": {"back": "a"}}}}"#,
            "the tree has a cycle: a -> b -> a",
        ),
    ] {
        let error = read_tree(text).unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains('\n'), "{text}: {error}");
    }
}

/// A tree of this many nested steps.
fn chain(steps: usize, open: &str, close: &str) -> String {
    format!("{}1{}", open.repeat(steps), close.repeat(steps))
}

#[test]
fn trees_are_as_deep_as_searches_can_go() {
    let forms = [(r#"{"max":{"a":"#, "}}"), (r#"{"chance":{"a":[1,"#, "]}}")];
    for (open, close) in forms {
        for steps in [61, 200, HIGHEST] {
            assert_eq!(read_tree(&chain(steps, open, close)).unwrap().len(), steps + 1);
            let whole =
                format!(r#"{{"range":[0,9],"root":"a","nodes":{{"a":{}}}}}"#, chain(steps, open, close));
            assert_eq!(read_tree(&whole).unwrap().len(), steps + 1);
        }
        let error = read_tree(&chain(HIGHEST + 1, open, close)).unwrap_err().to_string();
        assert_eq!(error, "a path of the tree has 1001 steps; the limit is 1000");
        // Neither excessive depth nor missing brackets overflow the stack, here one of 2 MiB.
        for text in [chain(100_000, open, close), open.repeat(100_000), "[".repeat(1_000_000)] {
            let error = read_tree(&text).unwrap_err().to_string();
            assert!(
                error.starts_with("nested too deeply: a line of a tree has at most 1000 steps at"),
                "{error}"
            );
        }
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mut stream = Stream(4);
    for _ in 0..scaled(2000) {
        let _ = read_tree(&word(&mut stream, "[]{}:,019az\"/. -", 60));
        let _ = read_tree(&arbitrary(&mut stream, EXAMPLE));
    }
}
