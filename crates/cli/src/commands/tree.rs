//! Writes a search tree to a file: JSON, or DOT for Graphviz.

use astragal_catalog::Twig;
use astragal_core::{Player, Turn};
use astragal_store::file::{WholeFile, WriteError};
use serde::Serialize;
use std::io::Write;

/// The contents of the file.
#[derive(Serialize)]
struct JsonTree<'a> {
    position: String,
    tree: &'a Twig,
}

/// Writes a tree: Graphviz DOT if the file ends in .dot or .gv, otherwise JSON.
pub(crate) fn write(tree: &Twig, position: String, file: WholeFile) -> Result<(), WriteError> {
    let is_dot = file.path().extension().is_some_and(|ending| ending == "dot" || ending == "gv");
    file.write_with(|out| {
        if is_dot {
            return dot(tree, &position, out);
        }
        serde_json::to_writer_pretty(&mut *out, &JsonTree { position, tree })?;
        writeln!(out)
    })
}

/// Writes a tree for Graphviz: players as boxes in their colours, chance as ellipses, ends as double frames.
fn dot(tree: &Twig, position: &str, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "digraph tree {{")?;
    writeln!(out, "  label={}; labelloc=t; rankdir=LR;", quoted(position))?;
    writeln!(
        out,
        "  node [fontname=\"sans-serif\", fontsize=10]; edge [fontname=\"sans-serif\", fontsize=9];"
    )?;
    let mut next = 0;
    dot_node(tree, &mut next, out)?;
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn dot_node(twig: &Twig, next: &mut usize, out: &mut dyn Write) -> std::io::Result<usize> {
    let name = *next;
    *next += 1;
    let look = match twig.turn {
        Turn::Decide(Player::Max) => "shape=box, color=\"#0e7490\"",
        Turn::Decide(Player::Min) => "shape=box, color=\"#a21caf\"",
        Turn::Chance => "shape=ellipse, color=\"#6b7280\"",
        Turn::Over(_) => "shape=box, peripheries=2",
    };
    let more = if twig.hidden > 0 { format!("\\n+{} more", twig.hidden) } else { String::new() };
    writeln!(out, "  n{name} [{look}, label=\"{:+.2}\\n{}{more}\"];", twig.value, twig.visits)?;
    for child in &twig.children {
        let below = dot_node(child, next, out)?;
        let mut label = child.step.as_ref().map_or(String::new(), |step| step.inner().clone());
        if let Some(weight) = child.weight {
            label = format!("{label} ({weight:.3})");
        }
        // The width of an edge grows with its share of the visits.
        let width = 0.5 + 4.0 * child.visits as f64 / twig.visits.max(1) as f64;
        writeln!(out, "  n{name} -> n{below} [label={}, penwidth={width:.2}];", quoted(&label))?;
    }
    Ok(name)
}
