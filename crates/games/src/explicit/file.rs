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
//! A node is a number (a leaf), the name of a node under `nodes`, or an object with one of `value`, `max`,
//! `min` and `chance`. Actions and outcomes are labelled; an outcome is a pair of its weight, a number or a
//! fraction, and a node. `range` is optional, and a file may also be a single node. Objects are not read into
//! a map, because their order matters and duplicate keys are errors.

use super::{HIGHEST, Node, Tree, TreeError};
use astragal_core::{Interval, Player, similar};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;
use std::thread;

/// The maximum nesting depth. A step of a tree takes at most three levels: a node, its outcomes, and the pair
/// of a weight and a node. The file itself takes two more.
const DEEPEST: usize = 3 * HIGHEST + 5;

/// The size of the stack on which a file is read. A level takes less than 3 KiB even without optimisation.
const STACK: usize = 32 << 20;

/// A JSON value whose objects preserve order and duplicate keys.
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

/// Deserializes a value nested at most this deep.
#[derive(Clone, Copy)]
struct Nested(usize);

impl Nested {
    /// The limit for values inside a list or an object.
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

/// Parses a tree from the text of a JSON file.
///
/// # Errors
/// If the text is not JSON or does not describe a tree. The error names the node and says what would be
/// right.
pub fn read_tree(text: &str) -> Result<Tree, TreeError> {
    // Deep trees need deep recursion, and the caller's thread may have a small stack.
    thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || read(text));
        let reader = reader.map_err(|error| fault("", format!("no memory to read it: {error}")))?;
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn read(text: &str) -> Result<Tree, TreeError> {
    let json = parse(text).map_err(|error| {
        // Text that is nested too deeply is still JSON.
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
    // Names come first, so that nodes may refer to each other in any order.
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
    /// Reserves an index for a node of this name, to be filled in later.
    fn reserve(&mut self, name: &str) -> usize {
        self.nodes.push((name.into(), Node::Leaf(f64::NAN)));
        self.nodes.len() - 1
    }

    /// Returns the index of a child: an existing named node, or a new one named after its path.
    fn child(&mut self, path: &str, json: Json) -> Result<usize, TreeError> {
        if let Json::Text(name) = json {
            let known = self.by_name.get(&name).copied();
            return known.ok_or_else(|| {
                let names: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
                let hint = similar(&name, names).map_or(String::new(), |n| format!("; did you mean '{n}'?"));
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
