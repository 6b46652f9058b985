//! Trees drawn on concentric circles: the root in the middle, all nodes of one depth on one circle.

use super::Tree;
use super::axes::{Kind, Plane, Track};
use super::scene::{Area, Mark, Scene, Shape};
use super::style::{self, GRID, INK, Key, Legend};
use std::f64::consts::TAU;

const NOTHING: Track<'static> = Track::Names { names: &[], label: "" };

/// The positions of a tree's nodes: depth, and angle as a fraction of a turn.
fn places(tree: &Tree) -> Vec<(u32, f64)> {
    let count = tree.parents.len();
    // A node's share of its parent's sector is proportional to the number of leaves below it.
    let mut leaves = vec![0_u32; count];
    let mut inner = vec![false; count];
    for &parent in tree.parents.iter().skip(1) {
        inner[parent as usize] = true;
    }
    for node in (0..count).rev() {
        leaves[node] += u32::from(!inner[node]);
        if node > 0 {
            leaves[tree.parents[node] as usize] += leaves[node];
        }
    }
    let (mut depths, mut from, mut taken) = (vec![0_u32; count], vec![0.0; count], vec![0_u32; count]);
    let all = f64::from(leaves.first().copied().unwrap_or(1).max(1));
    let mut places = Vec::with_capacity(count);
    for node in 0..count {
        if node > 0 {
            let parent = tree.parents[node] as usize;
            depths[node] = depths[parent] + 1;
            from[node] = from[parent] + f64::from(taken[parent]) / all;
            taken[parent] += leaves[node];
        }
        places.push((depths[node], from[node] + 0.5 * f64::from(leaves[node]) / all));
    }
    places
}

impl<'a> Kind<'a> for &'a Tree {
    fn across(&self) -> Track<'a> {
        NOTHING
    }

    fn down(&self) -> Track<'a> {
        NOTHING
    }

    fn keys(&self, legend: &mut Legend) {
        for name in &self.kinds {
            legend.add(name, Key::Plain);
        }
    }

    fn height(&self, width: f64) -> f64 {
        width
    }

    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>) {
        let Area { x, y, w, h } = plane.area;
        let (middle, radius) = ((x + 0.5 * w, y + 0.5 * h), 0.5 * w.min(h) - 4.0);
        let places = places(self);
        let deepest = places.iter().map(|&(depth, _)| depth).max().unwrap_or(0).max(1);
        let step = radius / f64::from(deepest);
        let at = |(depth, share): (u32, f64)| {
            let (sine, cosine) = (TAU * share).sin_cos();
            let r = step * f64::from(depth);
            (middle.0 + r * sine, middle.1 - r * cosine)
        };
        for &depth in self.rings.iter().filter(|&&depth| depth <= deepest) {
            let ring = Shape::Circle(middle.0, middle.1, step * f64::from(depth));
            scene.add(Mark::new("ring", ring).stroke(GRID, 1.2).note(format!("depth {depth}")));
        }
        let edge = |node: usize| vec![at(places[self.parents[node] as usize]), at(places[node])];
        let width = if places.len() > 5000 { 0.25 } else { 0.5 };
        let is = |node: usize, kind: usize| self.kind.get(node).is_some_and(|k| usize::from(*k) == kind);
        let colour = |kind: usize| style::colour(plane.legend.number(&self.kinds[kind], Key::Plain));
        let mut lines = |nodes: &mut dyn Iterator<Item = usize>, colour| {
            let edges: Vec<_> = nodes.map(edge).collect();
            if !edges.is_empty() {
                scene.add(Mark::new("edge", Shape::Strokes(edges, false)).stroke(colour, width));
            }
        };
        if self.kinds.is_empty() {
            lines(&mut (1..places.len()), INK);
        }
        for kind in 0..self.kinds.len() {
            lines(&mut (1..places.len()).filter(|node| is(*node, kind)), colour(kind));
        }
        let (x, y) = middle;
        let root = (0..self.kinds.len()).find(|kind| is(0, *kind)).map_or(style::colour(0), colour);
        scene.add(Mark::new("root", Shape::Rect(Area { x: x - 3.0, y: y - 3.0, w: 6.0, h: 6.0 })).fill(root));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_sectors_in_proportion_to_their_leaves() {
        // A root with two children: a leaf, and a node with three leaves.
        let tree = Tree { parents: vec![0, 0, 0, 2, 2, 2], ..Tree::default() };
        let places = places(&tree);
        assert_eq!(places.iter().map(|&(depth, _)| depth).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 2]);
        assert_eq!(
            places.iter().map(|&(_, share)| share).collect::<Vec<_>>(),
            [0.5, 0.125, 0.625, 0.375, 0.625, 0.875]
        );
    }
}
