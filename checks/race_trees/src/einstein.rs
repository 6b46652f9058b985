//! EinStein würfelt nicht! with a hand-written search.

use crate::hand::{Node, Tree, best_child};
use crate::random::Random;

const SIDE: u8 = 5;
const STONES: usize = 6;
const GONE: u8 = u8::MAX;

/// The squares of the stones of the player to move and of the opponent. Each counts from their own corner, so
/// that all move to the last square.
#[derive(Clone, Copy)]
struct Board {
    own: [u8; STONES],
    other: [u8; STONES],
}

/// A stone and its target square.
type Move = (usize, u8);

/// At most two stones with three moves each.
struct Moves {
    list: [Move; 6],
    count: usize,
}

impl Board {
    fn start() -> Self {
        let corner = [0, 1, 2, 5, 6, 10];
        Self { own: corner, other: corner }
    }

    fn moves(&self, face: usize) -> Moves {
        let mut moves = Moves { list: [(0, 0); 6], count: 0 };
        if self.own[face] != GONE {
            moves.add(face, self.own[face]);
            return moves;
        }
        if let Some(stone) = (0..face).rev().find(|&stone| self.own[stone] != GONE) {
            moves.add(stone, self.own[stone]);
        }
        if let Some(stone) = (face + 1..STONES).find(|&stone| self.own[stone] != GONE) {
            moves.add(stone, self.own[stone]);
        }
        moves
    }

    /// The board after a move, from the side of the other player; none if the move wins.
    fn after(&self, (stone, target): Move) -> Option<Self> {
        let last = SIDE * SIDE - 1;
        let (mut own, mut other) = (self.own, self.other);
        own.iter_mut().filter(|square| **square == target).for_each(|square| *square = GONE);
        other.iter_mut().filter(|square| **square == last - target).for_each(|square| *square = GONE);
        own[stone] = target;
        let won = target == last || other.iter().all(|square| *square == GONE);
        (!won).then_some(Self { own: other, other: own })
    }
}

impl Moves {
    fn add(&mut self, stone: usize, square: u8) {
        let (row, column) = (square / SIDE, square % SIDE);
        let mut add = |fits: bool, step: u8| {
            if fits {
                self.list[self.count] = (stone, square + step);
                self.count += 1;
            }
        };
        add(column + 1 < SIDE, 1);
        add(row + 1 < SIDE, SIDE);
        add(column + 1 < SIDE && row + 1 < SIDE, SIDE + 1);
    }
}

/// Plays at random to the end, from a roll or from the given outcome: 1 if the player to move wins, -1 if
/// not.
fn play(mut board: Board, mut face: Option<usize>, random: &mut Random) -> f32 {
    let mut sign = 1.0;
    loop {
        let face = face.take().unwrap_or_else(|| random.below(STONES as u32) as usize);
        let moves = board.moves(face);
        match board.after(moves.list[random.below(moves.count as u32) as usize]) {
            Some(next) => board = next,
            None => return sign,
        }
        sign = -sign;
    }
}

/// Searches from the start, before the first roll, and returns the value for the first player.
pub fn search(simulations: u32, seed: u64, c: f32) -> f64 {
    let mut tree = Tree::default();
    let mut random = Random::new(seed);
    // The nodes of a simulation, and whether a player moved just before each.
    let mut path = Vec::new();
    for _ in 0..simulations {
        let (mut board, mut index) = (Some(Board::start()), 0);
        path.clear();
        // The value for the player who moved last.
        let mut value = loop {
            path.push((index, true));
            let Some(here) = board else { break 1.0 };
            // A roll: chance has six children.
            let node = &tree.nodes[index as usize];
            if node.visits == 0 && index != 0 {
                break -play(here, None, &mut random);
            }
            let first = if node.first == 0 { tree.open(index, STONES as u32) } else { node.first };
            let face = random.below(STONES as u32);
            index = first + face;
            path.push((index, false));
            // A move.
            let node = &tree.nodes[index as usize];
            if node.visits == 0 {
                break -play(here, Some(face as usize), &mut random);
            }
            let moves = here.moves(face as usize);
            let count = moves.count as u32;
            let first = if node.first == 0 { tree.open(index, count) } else { node.first };
            let at = best_child(tree.children(first, count), c);
            board = here.after(moves.list[at as usize]);
            index = first + at;
        };
        for &(index, moved) in path.iter().rev() {
            tree.nodes[index as usize].add(value);
            if moved {
                value = -value;
            }
        }
    }
    let Node { sum, visits, .. } = tree.nodes[0];
    f64::from(-sum) / f64::from(visits)
}
