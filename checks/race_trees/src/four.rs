//! Connect Four for the other crate, and with a hand-written search.

use crate::hand::{Node, Tree, best_child};
use crate::random::Random;
use arbor::{GameResult, GameState};
use std::fmt;

const ROWS: u32 = 6;
const BOTTOM: u64 = 0x40810204081;
const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The stones of the player to move, and of the opponent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Board {
    own: u64,
    other: u64,
}

impl Board {
    /// The squares on which a stone can land.
    fn landing(self) -> u64 {
        (self.own | self.other).wrapping_add(BOTTOM) & FULL
    }

    /// The board after a stone on this square.
    fn after(self, square: u64) -> Self {
        Self { own: self.other, other: self.own | square }
    }

    /// Whether the player who moved last has four in a row.
    fn is_won(self) -> bool {
        [1, ROWS, ROWS + 1, ROWS + 2].into_iter().any(|step| {
            let pairs = self.other & self.other >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

/// The bit of a set with this number, counted from the lowest.
fn nth(mut set: u64, number: u32) -> u64 {
    for _ in 0..number {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side(u32);

#[derive(Clone, Copy, Debug)]
pub struct Square(u8);

impl arbor::Player for Side {}
impl arbor::Action for Square {}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x} {:x}", self.own, self.other)
    }
}

impl GameState<Side, Square> for Board {
    fn actions<F: FnMut(Square)>(&self, f: &mut F) {
        let mut squares = self.landing();
        while squares != 0 {
            f(Square(squares.trailing_zeros() as u8));
            squares &= squares - 1;
        }
    }

    fn make(&self, square: Square) -> Self {
        self.after(1 << square.0)
    }

    fn gameover(&self) -> Option<GameResult> {
        if self.is_won() {
            Some(GameResult::Lose)
        } else {
            (self.own | self.other == FULL).then_some(GameResult::Draw)
        }
    }

    fn player(&self) -> Side {
        Side((self.own | self.other).count_ones() % 2)
    }
}

/// Plays at random to the end: 1 if the player to move wins, 0 for a draw, -1 if the opponent wins.
fn play(mut board: Board, random: &mut Random) -> f32 {
    let mut sign = 1.0;
    loop {
        let squares = board.landing();
        if squares == 0 {
            return 0.0;
        }
        board = board.after(nth(squares, random.below(squares.count_ones())));
        if board.is_won() {
            return sign;
        }
        sign = -sign;
    }
}

/// Searches from the empty board, and returns the value for the first player.
pub fn search(simulations: u32, seed: u64, c: f32) -> f64 {
    let mut tree = Tree::default();
    let mut random = Random::new(seed);
    let mut path = Vec::new();
    for _ in 0..simulations {
        let (mut board, mut index) = (Board::default(), 0);
        path.clear();
        // The value for the player who moved last.
        let mut value = loop {
            path.push(index);
            if board.is_won() {
                break 1.0;
            }
            let squares = board.landing();
            if squares == 0 {
                break 0.0;
            }
            let node = &tree.nodes[index as usize];
            if node.visits == 0 && index != 0 {
                break -play(board, &mut random);
            }
            let first = if node.first == 0 { tree.open(index, squares.count_ones()) } else { node.first };
            let at = best_child(tree.children(first, squares.count_ones()), c);
            board = board.after(nth(squares, at));
            index = first + at;
        };
        for &index in path.iter().rev() {
            tree.nodes[index as usize].add(value);
            value = -value;
        }
    }
    let Node { sum, visits, .. } = tree.nodes[0];
    f64::from(-sum) / f64::from(visits)
}
