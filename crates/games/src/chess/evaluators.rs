//! Evaluators of chess: material, and material with the squares of the pieces.
//!
//! Scores are in hundredths of a pawn, and 6500 of them are a win, following the thesis's scaling of the
//! scores of its chess program (section 3.1.2).

use super::{Chess, State, WIN};
use astragal_core::Evaluator;
use cozy_chess::{Board, Color, Move, Piece, Square};
use std::sync::LazyLock;

/// The score that the thesis treats as a won game.
const DECIDED: f64 = 6500.0;
/// The worth of a pawn, knight, bishop, rook and queen; a king cannot be lost.
const WORTH: [i32; 6] = [100, 320, 330, 500, 900, 0];
/// Each piece's contribution to the game phase.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The sum of these at the start.
const OPENING: i32 = 24;

/// The worth in the opening and in the ending, by piece and square from White's point of view.
static SQUARES: LazyLock<[[[i32; 2]; 64]; 6]> = LazyLock::new(|| {
    Piece::ALL.map(|piece| {
        Square::ALL.map(|square| {
            let both = on_square(piece, square.file() as i32, square.rank() as i32);
            both.map(|bonus| WORTH[piece as usize] + bonus)
        })
    })
});

/// The bonus of a square for a white piece in the opening and in the ending; files and ranks from 0.
fn on_square(piece: Piece, file: i32, rank: i32) -> [i32; 2] {
    // From 0 at the edge to 3 in the centre.
    let central = [file, rank].map(|at| at.min(7 - at)).into_iter().min().unwrap_or(0);
    let is_middle_file = (3..=4).contains(&file);
    match piece {
        // Advanced and central pawns are better.
        Piece::Pawn => {
            let steps = rank - 1;
            let middle = if is_middle_file && (2..=4).contains(&rank) { 8 * steps } else { 0 };
            [2 * steps * steps + middle, 3 * steps * steps]
        }
        // Knights, and to a lesser degree bishops, see more from the centre.
        Piece::Knight => [12 * central - 18; 2],
        Piece::Bishop => [6 * central - 9; 2],
        // Rooks belong on the seventh rank, and on the files where pawns are exchanged first.
        Piece::Rook => {
            let seventh = if rank == 6 { 20 } else { 0 };
            [seventh + if is_middle_file { 6 } else { 0 }, seventh]
        }
        Piece::Queen => [2 * central - 3, 4 * central - 6],
        // The king hides on a wing until few pieces are left, and then moves to the centre.
        Piece::King => {
            let hidden = if rank == 0 && (file <= 2 || file >= 6) { 25 } else { 0 };
            [hidden - 15 * rank.min(3), 12 * central - 18]
        }
    }
}

/// Returns the index of a square as seen from this side, from its own first rank up.
fn seen_by(color: Color, square: Square) -> usize {
    square.relative_to(color) as usize
}

/// Converts hundredths of a pawn to a value.
#[must_use]
pub fn value_of_hundredths(hundredths: f64) -> f64 {
    (hundredths * WIN / DECIDED).clamp(-WIN, WIN)
}

/// Converts a value to hundredths of a pawn.
#[must_use]
pub fn hundredths_of_value(value: f64) -> f64 {
    value * DECIDED / WIN
}

/// The evaluator `material`: the worth of the pieces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Evaluator<Chess> for Material {
    fn value(&self, _game: &Chess, state: &State) -> f64 {
        let count = |color| {
            let pieces = Piece::ALL.map(|piece| state.board.colored_pieces(color, piece).len() as i32);
            pieces.iter().zip(WORTH).map(|(count, worth)| count * worth).sum::<i32>()
        };
        value_of_hundredths(f64::from(count(Color::White) - count(Color::Black)))
    }
}

/// The evaluator `squares`: the worth of the pieces on their squares.
#[derive(Clone, Copy, Debug, Default)]
pub struct Squares;

impl Evaluator<Chess> for Squares {
    fn value(&self, _game: &Chess, state: &State) -> f64 {
        let squares = &*SQUARES;
        let (mut sums, mut phase) = ([0; 2], 0);
        for color in Color::ALL {
            let sign = if color == Color::White { 1 } else { -1 };
            for piece in Piece::ALL {
                for square in state.board.colored_pieces(color, piece) {
                    let here = squares[piece as usize][seen_by(color, square)];
                    sums = [sums[0] + sign * here[0], sums[1] + sign * here[1]];
                    phase += PHASE[piece as usize];
                }
            }
        }
        let opening = phase.min(OPENING);
        let mixed = sums[0] * opening + sums[1] * (OPENING - opening);
        value_of_hundredths(f64::from(mixed) / f64::from(OPENING))
    }
}

/// Move ordering: promotions first, then captures (most valuable victim, least valuable attacker), then moves
/// to better squares.
pub(super) fn promise(board: &Board, action: Move) -> i32 {
    let Move { from, to, promotion } = action;
    let color = board.side_to_move();
    let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
    if let Some(promotion) = promotion {
        return 10_000 + WORTH[promotion as usize];
    }
    match board.piece_on(to) {
        Some(victim) if board.color_on(to) != Some(color) => {
            5000 + 4 * WORTH[victim as usize] - WORTH[piece as usize] / 4
        }
        // Castling is the king's move to its own rook.
        Some(_) => 50,
        None => {
            let here = SQUARES[piece as usize];
            here[seen_by(color, to)][0] - here[seen_by(color, from)][0]
        }
    }
}
