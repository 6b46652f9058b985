//! The JSON form of explicit trees.
//!
//! ```json
//! {
//!   "range": [-10, 10],
//!   "root": {
//!     "max": {
//!       "safe": 1,
//!       "risky": { "chance": { "heads": [0.5, "rich"], "tails": ["1/2", -4] } }
//!     }
//!   },
//!   "nodes": { "rich": { "min": { "tax": 6, "spare": 8 }, "estimate": 7 } }
//! }
//! ```
//!
//! A node is a number (a leaf), the name of a node under `nodes`, or an object with one of `value`, `max`, `min`
//! and `chance`. Actions and outcomes are labelled; an outcome is a pair of its weight, a number or a fraction, and
//! a node. `range` may be left out, and a file may also be a single node. Order is kept and nothing given
//! twice, which is why this is not read by way of a map.

use astragal_core::{Interval, Player};
use astragal_games::explicit::{HIGHEST, Node, Tree, TreeError};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;
use std::thread;

/// The deepest nesting that is read. A step of a tree takes three levels at most: a node, its outcomes, and
/// the pair of a weight and a node. The file itself takes two more.
const DEEPEST: usize = 3 * HIGHEST + 5;

/// The stack on which a file is read. A level takes less than 3 KiB even without optimisation.
const STACK: usize = 32 << 20;

/// A JSON value whose objects keep their order and their repeats.
enum Json {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads a value that may be nested this deeply.
#[derive(Clone, Copy)]
struct Nested(usize);

impl Nested {
    /// For the values inside a list or an object.
    fn inner<E: Error>(self) -> Result<Self, E> {
        let too_deep =
            || E::custom(format!("nested too deeply: a line of a tree has at most {HIGHEST} steps"));
        self.0.checked_sub(1).map(Self).ok_or_else(too_deep)
    }
}

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Json;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Json;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Bool)
    }
    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.into()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(value) = access.next_element_seed(inner)? {
            list.push(value);
        }
        Ok(Json::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let inner = self.inner()?;
        let mut object = Vec::new();
        while let Some(key) = access.next_key()? {
            object.push((key, access.next_value_seed(inner)?));
        }
        Ok(Json::Object(object))
    }
}

fn parse(text: &str) -> Result<Json, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let json = Nested(DEEPEST).deserialize(&mut reader)?;
    reader.end()?;
    Ok(json)
}

fn fault(node: &str, why: impl Into<String>) -> TreeError {
    TreeError { node: node.into(), why: why.into() }
}

/// Reads a tree from the text of a JSON file.
///
/// # Errors
/// If the text is not JSON, or not a tree: the error names the node and says what would be right.
pub fn read_tree(text: &str) -> Result<Tree, TreeError> {
    // Deep trees are read by deep recursion, and the caller may be a thread with a small stack.
    thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || read(text));
        let reader = reader.map_err(|error| fault("", format!("no memory to read it: {error}")))?;
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn read(text: &str) -> Result<Tree, TreeError> {
    let json = parse(text).map_err(|error| {
        // What is nested too deeply is JSON all the same.
        let not = if error.is_data() { "" } else { "not JSON: " };
        fault("", format!("{not}{error}"))
    })?;
    let mut builder = Builder::default();
    let whole = match json {
        Json::Object(fields) if fields.iter().any(|(key, _)| key == "root") => fields,
        node => vec![("root".to_string(), node)],
    };
    let (mut root, mut range, mut named) = (None, None, Vec::new());
    for (key, value) in whole {
        match (key.as_str(), value) {
            ("root", value) if root.is_none() => root = Some(value),
            ("range", value) if range.is_none() => range = Some(read_range(&value)?),
            ("nodes", Json::Object(nodes)) if named.is_empty() => named = nodes,
            ("nodes", other) => {
                return Err(fault("", format!("\"nodes\" is {}, not one object", other.kind())));
            }
            ("root" | "range", _) => return Err(fault("", format!("\"{key}\" is given twice"))),
            (other, _) => {
                return Err(fault(
                    "",
                    format!("unknown key \"{}\"; there are: root, range, nodes", other.escape_debug()),
                ));
            }
        }
    }
    // Names first, so that nodes may refer to each other in any order.
    for (name, _) in &named {
        let place = builder.reserve(name);
        if builder.by_name.insert(name.clone(), place).is_some() {
            return Err(fault(name, "there are two nodes of this name"));
        }
    }
    for (place, (name, value)) in named.into_iter().enumerate() {
        if let Json::Text(other) = value {
            return Err(fault(&name, format!("this is only another name for '{}'", other.escape_debug())));
        }
        builder.nodes[place].1 = builder.node(&name, value)?;
    }
    let root = root.unwrap_or(Json::Null);
    let place = builder.child("root", root)?;
    Tree::new(builder.nodes, place, range)
}

fn read_range(json: &Json) -> Result<Interval, TreeError> {
    match json {
        Json::List(ends) => match ends[..] {
            [Json::Number(lo), Json::Number(hi)] if lo < hi => Ok(Interval::new(lo, hi)),
            _ => Err(fault("", "\"range\" is not a pair of rising numbers, such as [-10, 10]")),
        },
        other => {
            Err(fault("", format!("\"range\" is {}, not a pair of numbers such as [-10, 10]", other.kind())))
        }
    }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<(String, Node)>,
    by_name: HashMap<String, usize>,
}

impl Builder {
    /// A place for a node of this name, to be filled later.
    fn reserve(&mut self, name: &str) -> usize {
        self.nodes.push((name.into(), Node::Leaf(f64::NAN)));
        self.nodes.len() - 1
    }

    /// The place of a child: a node that has a name, or a new one that is called after its path.
    fn child(&mut self, path: &str, json: Json) -> Result<usize, TreeError> {
        if let Json::Text(name) = json {
            let known = self.by_name.get(&name).copied();
            return known.ok_or_else(|| {
                let names: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
                let hint = crate::spec::similar(&name, names)
                    .map_or(String::new(), |n| format!("; did you mean '{n}'?"));
                fault(path, format!("there is no node '{}' under \"nodes\"{hint}", name.escape_debug()))
            });
        }
        let place = self.reserve(path);
        self.nodes[place].1 = self.node(path, json)?;
        Ok(place)
    }

    fn node(&mut self, path: &str, json: Json) -> Result<Node, TreeError> {
        let fields = match json {
            Json::Number(value) => return Ok(Node::Leaf(value)),
            Json::Object(fields) => fields,
            other => {
                return Err(fault(
                    path,
                    format!(
                        "{} is not a node; a node is a number, a name, or an object with value, max, min or chance",
                        other.kind()
                    ),
                ));
            }
        };
        let mut node = None;
        let mut estimate = None;
        for (key, value) in fields {
            if key == "estimate" && estimate.is_none() {
                estimate = Some(number(path, "estimate", &value)?);
                continue;
            }
            let player = match key.as_str() {
                "max" => Some(Player::Max),
                "min" => Some(Player::Min),
                "value" | "chance" => None,
                "estimate" => return Err(fault(path, "\"estimate\" is given twice")),
                other => {
                    let other = other.escape_debug();
                    return Err(fault(
                        path,
                        format!("unknown key \"{other}\"; there are: value, max, min, chance, estimate"),
                    ));
                }
            };
            if node.is_some() {
                return Err(fault(path, "a node has only one of value, max, min and chance"));
            }
            node = Some(match player {
                Some(player) => {
                    Node::Decision { player, actions: self.actions(path, value)?, estimate: None }
                }
                None if key == "value" => Node::Leaf(number(path, "value", &value)?),
                None => Node::Chance { outcomes: self.outcomes(path, value)? },
            });
        }
        match (node, estimate) {
            (Some(Node::Decision { player, actions, .. }), estimate) => {
                Ok(Node::Decision { player, actions, estimate })
            }
            (Some(_), Some(_)) => Err(fault(path, "only a decision has an estimate")),
            (Some(node), None) => Ok(node),
            (None, _) => Err(fault(path, "a node needs one of value, max, min and chance")),
        }
    }

    fn actions(&mut self, path: &str, json: Json) -> Result<Vec<(String, usize)>, TreeError> {
        let Json::Object(entries) = json else {
            return Err(fault(
                path,
                format!("the actions are {}, not an object of labels and nodes", json.kind()),
            ));
        };
        let mut actions = Vec::new();
        for (label, node) in entries {
            let child = self.child(&format!("{path}/{label}"), node)?;
            actions.push((label, child));
        }
        Ok(actions)
    }

    fn outcomes(&mut self, path: &str, json: Json) -> Result<Vec<(String, f64, usize)>, TreeError> {
        let entries: Vec<(String, Json)> = match json {
            Json::Object(entries) => entries,
            Json::List(list) => list.into_iter().zip(1..).map(|(pair, n)| (n.to_string(), pair)).collect(),
            other => {
                return Err(fault(
                    path,
                    format!("the outcomes are {}, not an object of labels and pairs", other.kind()),
                ));
            }
        };
        let mut outcomes = Vec::new();
        for (label, pair) in entries {
            let pair = match pair {
                Json::List(pair) => <[Json; 2]>::try_from(pair).ok(),
                _ => None,
            };
            let Some([weight, node]) = pair else {
                let why = format!(
                    "the outcome '{}' is not a pair of a weight and a node, such as [0.5, 10]",
                    label.escape_debug()
                );
                return Err(fault(path, why));
            };
            let weight = read_weight(path, &label, &weight)?;
            let child = self.child(&format!("{path}/{label}"), node)?;
            outcomes.push((label, weight, child));
        }
        Ok(outcomes)
    }
}

fn number(path: &str, what: &str, json: &Json) -> Result<f64, TreeError> {
    match json {
        Json::Number(value) => Ok(*value),
        other => Err(fault(path, format!("\"{what}\" is {}, not a number", other.kind()))),
    }
}

fn read_weight(path: &str, label: &str, json: &Json) -> Result<f64, TreeError> {
    let wrong = || {
        fault(
            path,
            format!("the weight of '{}' is not a number or a fraction such as \"1/3\"", label.escape_debug()),
        )
    };
    match json {
        Json::Number(value) => Ok(*value),
        Json::Text(text) => {
            let (above, below) = text.split_once('/').ok_or_else(wrong)?;
            let part = |text: &str| text.trim().parse::<u32>().map(f64::from).map_err(|_| wrong());
            let (above, below) = (part(above)?, part(below)?);
            if below == 0.0 { Err(wrong()) } else { Ok(above / below) }
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::contract::{Play, check_game, check_notation};
    use astragal_core::{Game, Notation};
    use proptest::prelude::*;

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
            (
                r#"{"chance": {"a": [0.5, 1], "b": [0.4, 2]}}"#,
                "node 'root': the weights sum to 0.9, not to 1",
            ),
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

    /// A tree of this many steps, one inside the other.
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
            assert_eq!(error, "a line of the tree has 1001 steps; the most are 1000");
            // Neither what is far too deep nor what is never closed overflows the stack, here one of 2 MiB.
            for text in [chain(100_000, open, close), open.repeat(100_000), "[".repeat(1_000_000)] {
                let error = read_tree(&text).unwrap_err().to_string();
                assert!(
                    error.starts_with("nested too deeply: a line of a tree has at most 1000 steps at"),
                    "{error}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in r#"[\[\]{}:,0-9a-z"/. -]{0,60}"#) {
            let _ = read_tree(&text);
        }
    }
}
