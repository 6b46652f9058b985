//! A tree as written for a single game: nodes of 12 bytes in one vector, values in single precision from the
//! side of the player who moved last.

#[derive(Clone, Default)]
pub struct Node {
    pub sum: f32,
    pub visits: u32,
    /// The index of the first child; 0 if there are none.
    pub first: u32,
}

impl Node {
    #[inline]
    pub fn add(&mut self, value: f32) {
        self.sum += value;
        self.visits += 1;
    }
}

pub struct Tree {
    pub nodes: Vec<Node>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

impl Tree {
    /// Adds the children of a node, and returns the index of the first.
    #[inline]
    pub fn open(&mut self, index: u32, count: u32) -> u32 {
        let first = self.nodes.len();
        self.nodes.resize(first + count as usize, Node::default());
        self.nodes[index as usize].first = first as u32;
        first as u32
    }

    #[inline]
    pub fn children(&self, first: u32, count: u32) -> &[Node] {
        &self.nodes[first as usize..(first + count) as usize]
    }
}

/// The child to visit next by UCB1: the first unvisited one, or the one with the highest bound.
#[inline]
pub fn best_child(children: &[Node], c: f32) -> u32 {
    let mut visits = 0;
    for (at, child) in children.iter().enumerate() {
        if child.visits == 0 {
            return at as u32;
        }
        visits += child.visits;
    }
    let log = (visits as f32).ln();
    let mut best = (0, f32::NEG_INFINITY);
    for (at, child) in children.iter().enumerate() {
        let share = 1.0 / child.visits as f32;
        let bound = child.sum * share + c * (log * share).sqrt();
        if bound > best.1 {
            best = (at as u32, bound);
        }
    }
    best.0
}
