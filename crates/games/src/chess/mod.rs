//! Chess, for *Understanding Sampling-Based Adversarial Search*, chapters 3 and 4. `cozy-chess` generates and
//! makes the moves; this module adds the ends of games, evaluation and text.
//!
//! A game is drawn by stalemate, by threefold repetition, after fifty moves without a capture or a pawn move,
//! and when neither side has the material to mate. A state stores the positions since the last capture or
//! pawn move. Two states are equal if their boards are and their positions have occurred equally often,
//! whatever came between; the move count matters only when the fifty-move limit is near. So a transposition
//! table may confuse states with different future repetitions, as in all chess programs.

mod evaluators;
mod listing;
mod notation;
pub mod uci;

#[cfg(test)]
mod tests;

pub use evaluators::{Material, Squares, hundredths_of_value, value_of_hundredths};

use astragal_core::{Game, Interval, Key, Player, Turn, mix};
use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_pawn_attacks};
use std::convert::Infallible;

/// The payoff of a win, and minus that of a loss.
const WIN: f64 = 100.0;
/// The number of half-moves without a capture or pawn move that makes a draw.
const FIFTY: u8 = 100;
/// The number of these half-moves from which they distinguish states.
const LATE: u8 = 80;

/// The game.
#[derive(Clone, Debug, Default)]
pub struct Chess {
    start: State,
}

/// A position with the earlier positions that could recur.
#[derive(Clone, Debug, Default)]
pub struct State {
    board: Board,
    /// Hashes of the earlier positions since the last capture or pawn move.
    before: Vec<u64>,
    /// The number of times this position is among them.
    repeated: u8,
}

/// A move. Castling is the king's move to the rook's square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action(Move);

/// The pieces of each kind and those of White, the files of the rooks that may castle, the player to move,
/// and the file of a possible en passant capture.
type Position = ([BitBoard; 7], [[Option<File>; 2]; 2], Color, Option<File>);

impl State {
    /// A position that has not occurred before.
    fn new(board: Board) -> Self {
        Self { board, before: Vec::new(), repeated: 0 }
    }

    /// Returns the board as a `cozy-chess` type.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    fn player(&self) -> Player {
        player(self.board.side_to_move())
    }

    /// The number of half-moves counted in comparisons of states.
    fn late(&self) -> u8 {
        self.board.halfmove_clock().saturating_sub(LATE)
    }

    /// The components that identify a position.
    fn position(&self) -> Position {
        let board = &self.board;
        let [pawns, knights, bishops, rooks, queens, kings] = Piece::ALL.map(|piece| board.pieces(piece));
        let places = [pawns, knights, bishops, rooks, queens, kings, board.colors(Color::White)];
        let rights = Color::ALL.map(|color| {
            let rights = board.castle_rights(color);
            [rights.short, rights.long]
        });
        (places, rights, board.side_to_move(), en_passant(board))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        (self.repeated, self.late(), self.position()) == (other.repeated, other.late(), other.position())
    }
}

impl Eq for State {}

fn player(color: Color) -> Player {
    match color {
        Color::White => Player::Max,
        Color::Black => Player::Min,
    }
}

/// The file on which an en passant capture is legal. A pawn's double step makes a different position only if
/// there is one.
fn en_passant(board: &Board) -> Option<File> {
    let (file, color) = (board.en_passant()?, board.side_to_move());
    let to = Square::new(file, Rank::Sixth.relative_to(color));
    let pawns = get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
    pawns.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None })).then_some(file)
}

/// A hash of the position.
fn hash(board: &Board) -> u64 {
    if board.en_passant().is_some() && en_passant(board).is_none() {
        board.hash_without_ep()
    } else {
        board.hash()
    }
}

/// Whether neither side can mate with its material: no pawns, rooks or queens, and at most one knight or
/// bishop, or only bishops on squares of one colour.
fn is_dead(board: &Board) -> bool {
    let [pawns, knights, bishops, rooks, queens, _] = Piece::ALL.map(|piece| board.pieces(piece));
    if !(pawns | rooks | queens).is_empty() {
        return false;
    }
    let one_colour =
        (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
    (knights | bishops).len() <= 1 || knights.is_empty() && one_colour
}

impl Chess {
    /// Returns the same game from another start.
    #[must_use]
    pub fn starting(self, start: State) -> Self {
        Self { start }
    }
}

impl Game for Chess {
    type State = State;
    type Action = Action;
    type Outcome = Infallible;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn turn(&self, state: &State) -> Turn {
        let board = &state.board;
        if !board.generate_moves(|_| true) {
            let is_mate = !board.checkers().is_empty();
            return Turn::Over(if is_mate { -state.player().sign() * WIN } else { 0.0 });
        }
        if state.repeated >= 2 || board.halfmove_clock() >= FIFTY || is_dead(board) {
            return Turn::Over(0.0);
        }
        Turn::Decide(state.player())
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        state.board.generate_moves(|moves| {
            out.extend(moves.into_iter().map(Action));
            false
        });
    }

    fn apply(&self, state: &mut State, action: Action) {
        let before = hash(&state.board);
        state.board.play_unchecked(action.0);
        if state.board.halfmove_clock() == 0 {
            state.before.clear();
            state.repeated = 0;
        } else {
            state.before.push(before);
            let now = hash(&state.board);
            // A position recurs after two moves of each side at the earliest.
            let same = state.before.iter().rev().skip(3).step_by(2).filter(|other| **other == now);
            state.repeated = same.count() as u8;
        }
    }

    fn key(&self, state: &State) -> Key {
        let (places, ..) = state.position();
        let rest = u64::from(state.repeated) << 8 | u64::from(state.late());
        let low = places.iter().fold(rest, |sum, place| mix(sum ^ place.0));
        // Castling rights, en passant and the player to move are in the upper half.
        Key(u128::from(hash(&state.board) ^ mix(rest)) << 64 | u128::from(low))
    }

    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }

    fn promise(&self, state: &State, action: Action) -> i32 {
        evaluators::promise(&state.board, action.0)
    }

    fn is_forcing(&self, state: &State, action: Action) -> bool {
        let Move { to, promotion, .. } = action.0;
        promotion.is_some() || state.board.colors(!state.board.side_to_move()).has(to)
    }

    fn is_threatened(&self, state: &State) -> bool {
        !state.board.checkers().is_empty()
    }

    fn passed(&self, state: &State) -> Option<State> {
        // With only king and pawns, passing is often the best move (zugzwang).
        let board = &state.board;
        let own = board.colors(board.side_to_move());
        let pieces = own & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
        if pieces.is_empty() { None } else { board.null_move().map(State::new) }
    }

    fn slot(&self, _state: &State, action: Action) -> usize {
        action.0.from as usize * 64 + action.0.to as usize
    }

    fn has_chance(&self) -> bool {
        false
    }
}
