//! Text and pictures of chess: positions as FEN, moves in standard algebraic or UCI notation.
//!
//! A position that has occurred before has `x2` or `x3` after its FEN.

use super::{Action, Chess, State, hash};
use astragal_core::{Ink, Notation, Picture, ReadError};
use cozy_chess::util::{display_san_move, display_uci_move, parse_san_move, parse_uci_move};
use cozy_chess::{Board, Color, File, Rank, Square};

impl Notation for Chess {
    fn write_state(&self, state: &State) -> String {
        match state.repeated {
            0 => state.board.to_string(),
            times => format!("{} x{}", state.board, times + 1),
        }
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let wrong = |why: String| ReadError::position(text, why);
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if words == ["startpos"] {
            return Ok(State::default());
        }
        let mut repeated = 0;
        if let Some(times) = words.last().and_then(|word| word.strip_prefix('x')) {
            repeated = match times {
                "1" => 0,
                "2" => 1,
                "3" => 2,
                _ => return Err(wrong(format!("'x{times}' is not how often a position came up: x1 to x3"))),
            };
            words.pop();
        }
        // Move counts are often omitted.
        if words.len() == 4 {
            words.extend(["0", "1"]);
        }
        let board = Board::from_fen(&words.join(" "), false).map_err(|error| {
            let why = error.to_string();
            let why = why.trim_end_matches('.');
            wrong(format!(
                "{}; expected a FEN such as {}",
                why[..1].to_lowercase() + &why[1..],
                Board::default()
            ))
        })?;
        // A position recurs after an even number of half-moves.
        let before = vec![hash(&board); 2 * repeated];
        Ok(State { board, before, repeated: repeated as u8 })
    }

    fn write_action(&self, state: &State, action: Action) -> String {
        display_san_move(&state.board, action.0).to_string()
    }

    fn write_plainly(&self, state: &State, action: Action) -> String {
        display_uci_move(&state.board, action.0).to_string()
    }

    fn read_action(&self, state: &State, text: &str) -> Result<Action, ReadError> {
        let (board, word) = (&state.board, text.trim());
        let read = parse_uci_move(board, word).ok().filter(|action| board.is_legal(*action));
        match read.or_else(|| parse_san_move(board, word).ok()) {
            Some(action) => Ok(Action(action)),
            None => self.legal_action(state, text),
        }
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new();
        for rank in Rank::ALL.into_iter().rev() {
            picture.paint(Ink::Faint, format!("  {rank} "));
            for file in File::ALL {
                let square = Square::new(file, rank);
                match (state.board.piece_on(square), state.board.color_on(square)) {
                    (Some(piece), Some(Color::White)) => {
                        picture.paint(Ink::First, format!(" {}", piece.to_string().to_uppercase()));
                    }
                    (Some(piece), _) => picture.paint(Ink::Second, format!(" {piece}")),
                    _ => picture.paint(Ink::Faint, " ·"),
                }
            }
            picture.push("\n");
        }
        picture.paint(Ink::Faint, "     a b c d e f g h");
        picture
    }

    /// The squares from a1, b1 to h8 (1 to 6 for White's pawn, knight, bishop, rook, queen and king, negative
    /// for Black's); White's and Black's rights to castle short and long (the rook's file from 1, or 0); the
    /// file of a possible en passant capture; the player to act (0 or 1); the half-moves towards a draw that
    /// distinguish states; and the number of earlier occurrences of the position.
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let file = |file: Option<File>| file.map_or(0.0, |file| (file as usize + 1) as f32);
        for square in Square::ALL {
            let piece = state.board.piece_on(square).map_or(0.0, |piece| (piece as usize + 1) as f32);
            let is_white = state.board.colors(Color::White).has(square);
            out.push(if is_white { piece } else { 0.0 - piece });
        }
        let (_, rights, _, passing) = state.position();
        out.extend(rights.into_iter().flatten().chain([passing]).map(file));
        out.push(state.player().index() as f32);
        out.extend([state.late(), state.repeated].map(f32::from));
    }
}
