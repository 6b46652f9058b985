//! An explicitly given game tree: decisions, chance nodes and leaves with values.
//!
//! For textbook examples and counterexamples. Nodes may be shared, so the tree may be a directed graph, but
//! it has no cycle. Everything is checked at construction; `file.rs` parses the text format.

mod file;
mod listing;

pub use file::read_tree;

use astragal_core::{Evaluator, Game, Interval, Key, Notation, Picture, Player, ReadError, Turn, Weighted};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A node as described, its children given as indices into the list of nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// The end of the game, with its payoff for Max.
    Leaf(f64),
    /// A player's choice among labelled children.
    Decision {
        /// The player who chooses.
        player: Player,
        /// Labels and children.
        actions: Vec<(String, usize)>,
        /// The evaluator's value of the node when a search stops here; the middle of the range if none.
        estimate: Option<f64>,
    },
    /// Labelled children with their weights.
    Chance {
        /// Labels, weights and children.
        outcomes: Vec<(String, f64, usize)>,
    },
}

/// An error in a description: the name of the node, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeError {
    /// The node's name; empty if the error concerns the whole tree.
    pub node: String,
    /// What is wrong, and what would be right.
    pub why: String,
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.node.is_empty() {
            write!(f, "{}", self.why)
        } else {
            write!(f, "node '{}': {}", self.node.escape_debug(), self.why)
        }
    }
}

impl std::error::Error for TreeError {}

/// The maximum length of a path. Searches recurse, and no description should be able to exhaust their stack.
pub const HIGHEST: usize = 1000;

/// Tolerance for the sum of weights, since decimals of thirds do not add up to 1; weights are then divided by
/// their sum.
const SUM_TOLERANCE: f64 = 1e-9;

/// The game.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    names: Vec<String>,
    nodes: Vec<Node>,
    root: usize,
    range: Interval,
    by_name: HashMap<String, usize>,
}

impl Tree {
    /// Creates a tree from its named nodes, the index of its root, and its range. Without a range, uses the
    /// smallest that contains every value.
    ///
    /// # Errors
    /// A node without children, a label or a name used twice, a weight that is not positive, weights that do
    /// not sum to 1, a value that is not finite or outside the range, a cycle.
    pub fn new(nodes: Vec<(String, Node)>, root: usize, range: Option<Interval>) -> Result<Self, TreeError> {
        let (names, mut nodes): (Vec<String>, Vec<Node>) = nodes.into_iter().unzip();
        let mut by_name = HashMap::new();
        for (place, name) in names.iter().enumerate() {
            if !usable(name) {
                return Err(TreeError { node: name.clone(), why: "this is not a usable name".into() });
            }
            if by_name.insert(name.clone(), place).is_some() {
                return Err(TreeError { node: name.clone(), why: "there are two nodes of this name".into() });
            }
        }
        let fault = |place: usize, why: String| TreeError { node: names[place].clone(), why };
        for (place, node) in nodes.iter_mut().enumerate() {
            check_node(node).map_err(|why| fault(place, why))?;
        }
        let range = range.unwrap_or_else(|| spanned(&nodes));
        if !range.width().is_finite() {
            return Err(TreeError {
                node: String::new(),
                why: format!("the range [{:e}, {:e}] is too wide", range.lo, range.hi),
            });
        }
        for (place, node) in nodes.iter().enumerate() {
            if let Node::Leaf(value) | Node::Decision { estimate: Some(value), .. } = node
                && !range.contains(*value)
            {
                return Err(fault(place, format!("the value {value} is outside the range {range}")));
            }
        }
        let whole = |why| TreeError { node: String::new(), why };
        let height = height(&nodes).map_err(|cycle| {
            let through: Vec<&str> = cycle.iter().map(|&place| names[place].as_str()).collect();
            whole(format!("the tree has a cycle: {}", through.join(" -> ")))
        })?;
        if height > HIGHEST {
            return Err(whole(format!("a path of the tree has {height} steps; the limit is {HIGHEST}")));
        }
        Ok(Self { names, nodes, root, range, by_name })
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: a tree has at least its root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn node(&self, state: At) -> &Node {
        &self.nodes[state.0 as usize]
    }
}

fn check_node(node: &mut Node) -> Result<(), String> {
    let finite = |value: f64| {
        if value.is_finite() { Ok(()) } else { Err(format!("the value {value} is not a finite number")) }
    };
    match node {
        Node::Leaf(value) => finite(*value),
        Node::Decision { actions, estimate, .. } => {
            if actions.is_empty() {
                return Err("a decision needs at least one action".into());
            }
            check_labels(actions.iter().map(|(label, _)| label.as_str()))?;
            estimate.map_or(Ok(()), finite)
        }
        Node::Chance { outcomes } => {
            if outcomes.is_empty() {
                return Err("a chance node needs at least one outcome".into());
            }
            check_labels(outcomes.iter().map(|(label, _, _)| label.as_str()))?;
            for (label, weight, _) in outcomes.iter() {
                if !(*weight > 0.0 && weight.is_finite()) {
                    return Err(format!("the weight {weight} of '{label}' is not positive"));
                }
            }
            let sum: f64 = outcomes.iter().map(|(_, weight, _)| weight).sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(format!("the weights sum to {sum}, not to 1"));
            }
            for (_, weight, _) in outcomes {
                *weight /= sum;
            }
            Ok(())
        }
    }
}

fn check_labels<'t>(labels: impl Iterator<Item = &'t str>) -> Result<(), String> {
    let mut seen: HashSet<&str> = HashSet::new();
    for label in labels {
        // A slash separates the labels in the path of a node.
        if !usable(label) || label.contains('/') {
            return Err(format!("'{}' is not a usable label", label.escape_debug()));
        }
        if !seen.insert(label) {
            return Err(format!("the label '{label}' is used twice"));
        }
    }
    Ok(())
}

/// Whether text can be printed on one line and typed in again.
fn usable(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.chars().any(char::is_control)
}

/// The smallest range of positive width that contains all values.
fn spanned(nodes: &[Node]) -> Interval {
    let mut range: Option<Interval> = None;
    for node in nodes {
        if let Node::Leaf(value) | Node::Decision { estimate: Some(value), .. } = node {
            let old = range.unwrap_or(Interval::point(*value));
            range = Some(Interval::new(old.lo.min(*value), old.hi.max(*value)));
        }
    }
    match range {
        Some(range) if !range.is_point() => range,
        Some(point) => Interval::new(point.lo - 1.0, point.hi + 1.0),
        None => Interval::new(-1.0, 1.0),
    }
}

fn children(node: &Node) -> Vec<usize> {
    match node {
        Node::Leaf(_) => Vec::new(),
        Node::Decision { actions, .. } => actions.iter().map(|(_, child)| *child).collect(),
        Node::Chance { outcomes } => outcomes.iter().map(|(_, _, child)| *child).collect(),
    }
}

/// Returns the length of the longest path, or the nodes of a cycle with the first repeated at the end. An
/// explicit stack keeps a long chain from overflowing the call stack.
fn height(nodes: &[Node]) -> Result<usize, Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done(usize),
    }
    let mut marks = vec![Mark::New; nodes.len()];
    let mut highest = 0;
    for start in 0..nodes.len() {
        if marks[start] != Mark::New {
            continue;
        }
        // Each node on the path with its unvisited children and its height found so far.
        let mut path = vec![(start, children(&nodes[start]), 0)];
        marks[start] = Mark::Open;
        while let Some((place, rest, high)) = path.last_mut() {
            let Some(child) = rest.pop() else {
                let high = *high;
                marks[*place] = Mark::Done(high);
                highest = highest.max(high);
                path.pop();
                if let Some((_, _, above)) = path.last_mut() {
                    *above = (*above).max(high + 1);
                }
                continue;
            };
            match marks[child] {
                Mark::Done(below) => *high = (*high).max(below + 1),
                Mark::New => {
                    marks[child] = Mark::Open;
                    path.push((child, children(&nodes[child]), 0));
                }
                Mark::Open => {
                    let mut cycle: Vec<usize> =
                        path.iter().map(|(place, _, _)| *place).skip_while(|place| *place != child).collect();
                    cycle.push(child);
                    return Err(cycle);
                }
            }
        }
    }
    Ok(highest)
}

/// The current node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At(u32);

/// The index of a child in its parent's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Branch(u32);

impl Game for Tree {
    type State = At;
    type Action = Branch;
    type Outcome = Branch;

    fn start(&self) -> At {
        At(self.root as u32)
    }

    fn turn(&self, state: &At) -> Turn {
        match self.node(*state) {
            Node::Leaf(value) => Turn::Over(*value),
            Node::Decision { player, .. } => Turn::Decide(*player),
            Node::Chance { .. } => Turn::Chance,
        }
    }

    fn actions(&self, state: &At, out: &mut Vec<Branch>) {
        if let Node::Decision { actions, .. } = self.node(*state) {
            out.extend((0..actions.len() as u32).map(Branch));
        }
    }

    fn outcomes(&self, state: &At, out: &mut Vec<Weighted<Branch>>) {
        if let Node::Chance { outcomes } = self.node(*state) {
            let branches = (0..).map(Branch);
            out.extend(
                branches.zip(outcomes).map(|(item, (_, weight, _))| Weighted { item, weight: *weight }),
            );
        }
    }

    fn apply(&self, state: &mut At, action: Branch) {
        match self.node(*state) {
            Node::Decision { actions, .. } => *state = At(actions[action.0 as usize].1 as u32),
            other => panic!("contract: an action is applied at {other:?}"),
        }
    }

    fn resolve(&self, state: &mut At, outcome: Branch) {
        match self.node(*state) {
            Node::Chance { outcomes } => *state = At(outcomes[outcome.0 as usize].2 as u32),
            other => panic!("contract: an outcome is resolved at {other:?}"),
        }
    }

    fn key(&self, state: &At) -> Key {
        Key(u128::from(state.0))
    }

    fn range(&self) -> Interval {
        self.range
    }

    fn has_chance(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Chance { .. }))
    }
}

/// The evaluator `estimate`: the node's estimate in the description, or the middle of the range.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate;

impl Evaluator<Tree> for Estimate {
    fn value(&self, game: &Tree, state: &At) -> f64 {
        match game.node(*state) {
            Node::Decision { estimate: Some(value), .. } => *value,
            _ => game.range.middle(),
        }
    }
}

/// The maximum number of lines in a picture; longer ones are truncated.
const PICTURE_LINES: usize = 40;

impl Tree {
    fn draw(&self, place: usize, label: &str, indent: &str, lines: &mut Vec<String>) {
        if lines.len() > PICTURE_LINES {
            return;
        }
        let (head, children): (String, Vec<(String, usize)>) = match &self.nodes[place] {
            Node::Leaf(value) => (value.to_string(), Vec::new()),
            Node::Decision { player, actions, .. } => {
                (if *player == Player::Max { "max" } else { "min" }.into(), actions.clone())
            }
            Node::Chance { outcomes } => (
                "chance".into(),
                outcomes
                    .iter()
                    .map(|(label, weight, child)| (format!("{label} ({weight:.4})"), *child))
                    .collect(),
            ),
        };
        lines.push(format!("{label}{head}"));
        let last = children.len().saturating_sub(1);
        for (i, (label, child)) in children.iter().enumerate() {
            let (fork, bar) = if i == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.draw(*child, &format!("{indent}{fork}{label}: "), &format!("{indent}{bar}"), lines);
        }
    }
}

impl Notation for Tree {
    fn write_state(&self, state: &At) -> String {
        self.names[state.0 as usize].clone()
    }

    fn read_state(&self, text: &str) -> Result<At, ReadError> {
        self.by_name.get(text.trim()).map(|&place| At(place as u32)).ok_or_else(|| {
            let some: Vec<&str> = self.names.iter().take(12).map(String::as_str).collect();
            let more = if self.names.len() > some.len() { ", …" } else { "" };
            ReadError::position(text, format!("no node of this name; there are: {}{more}", some.join(", ")))
        })
    }

    fn write_action(&self, state: &At, action: Branch) -> String {
        match self.node(*state) {
            Node::Decision { actions, .. } => actions[action.0 as usize].0.clone(),
            other => panic!("contract: an action is written at {other:?}"),
        }
    }

    fn write_outcome(&self, state: &At, outcome: Branch) -> String {
        match self.node(*state) {
            Node::Chance { outcomes } => outcomes[outcome.0 as usize].0.clone(),
            other => panic!("contract: an outcome is written at {other:?}"),
        }
    }

    fn picture(&self, state: &At) -> Picture {
        let mut lines = Vec::new();
        self.draw(state.0 as usize, "", "", &mut lines);
        if lines.len() > PICTURE_LINES {
            lines.truncate(PICTURE_LINES);
            lines.push("…".into());
        }
        lines.join("\n").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};

    fn leaf(name: &str, value: f64) -> (String, Node) {
        (name.into(), Node::Leaf(value))
    }

    fn decision(name: &str, actions: &[(&str, usize)]) -> (String, Node) {
        let actions = actions.iter().map(|(label, child)| ((*label).to_string(), *child)).collect();
        (name.into(), Node::Decision { player: Player::Max, actions, estimate: Some(0.5) })
    }

    fn chance(name: &str, outcomes: &[(&str, f64, usize)]) -> (String, Node) {
        let outcomes =
            outcomes.iter().map(|(label, weight, child)| ((*label).to_string(), *weight, *child)).collect();
        (name.into(), Node::Chance { outcomes })
    }

    fn small() -> Vec<(String, Node)> {
        vec![
            decision("root", &[("safe", 2), ("risky", 1)]),
            chance("coin", &[("heads", 0.5, 3), ("tails", 0.5, 4)]),
            leaf("a", 0.0),
            leaf("b", 10.0),
            leaf("c", -10.0),
        ]
    }

    #[test]
    fn an_explicit_tree_keeps_the_contract() {
        let tree = Tree::new(small(), 0, None).unwrap();
        check_game(&tree, Play::default()).unwrap();
        check_notation(&tree, Play::default()).unwrap();
        check_evaluator(&tree, &Estimate, Play::default()).unwrap();
        assert_eq!(tree.range(), Interval::new(-10.0, 10.0));
    }

    #[test]
    fn faulty_descriptions_are_explained() {
        let change = |place: usize, node: (String, Node)| {
            let mut nodes = small();
            nodes[place] = node;
            Tree::new(nodes, 0, Some(Interval::new(-10.0, 10.0))).unwrap_err().to_string()
        };
        let coin = |weights: [f64; 2]| chance("coin", &[("heads", weights[0], 3), ("tails", weights[1], 4)]);
        for (error, why) in [
            (change(0, decision("root", &[])), "node 'root': a decision needs at least one action"),
            (change(1, chance("coin", &[])), "node 'coin': a chance node needs at least one outcome"),
            (change(1, coin([0.5, 0.4])), "node 'coin': the weights sum to 0.9, not to 1"),
            (change(1, coin([1.5, -0.5])), "the weight -0.5 of 'tails' is not positive"),
            (change(1, coin([f64::NAN, 0.5])), "the weight NaN of 'heads' is not positive"),
            (change(1, chance("coin", &[("h", 0.5, 3), ("h", 0.5, 4)])), "the label 'h' is used twice"),
            (change(1, chance("coin", &[("h", 0.5, 3), (" ", 0.5, 4)])), "' ' is not a usable label"),
            (change(1, chance("coin", &[("h", 0.5, 3), ("t", 0.5, 0)])), "cycle: root -> coin -> root"),
            (change(2, leaf("root", 1.0)), "node 'root': there are two nodes of this name"),
            (change(2, leaf("a", 11.0)), "node 'a': the value 11 is outside the range [-10, 10]"),
            (change(2, leaf("a", f64::INFINITY)), "node 'a': the value inf is not a finite number"),
        ] {
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn lines_that_would_exhaust_the_stack_are_refused() {
        let chain = |steps: usize| {
            let mut nodes: Vec<_> =
                (0..steps).map(|i| decision(&format!("n{i}"), &[("go", i + 1)])).collect();
            nodes.push(leaf("end", 1.0));
            Tree::new(nodes, 0, None)
        };
        assert!(chain(1000).is_ok());
        assert!(chain(100_000).unwrap_err().to_string().contains("has 100000 steps"));
    }

    #[test]
    fn a_tree_of_one_value_still_has_a_range() {
        let tree = Tree::new(vec![leaf("only", 3.0)], 0, None).unwrap();
        assert_eq!(tree.range(), Interval::new(2.0, 4.0));
    }
}
