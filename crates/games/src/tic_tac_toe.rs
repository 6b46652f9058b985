//! Tic-tac-toe: three in a row on a board of nine squares.
//!
//! It has no chance and is small enough to be solved completely, so it serves to test searches for such
//! games.

use crate::grid::read_rows;
use astragal_core::{
    Evaluator, Game, GameInfo, Genre, Ink, Interval, Key, Listed, Notation, Payoffs, Picture, Player,
    ReadError, SpecError, Tools, Turn, Values,
};
use std::convert::Infallible;

/// The payoff of a win, and minus that of a loss; a draw is 0.
const WIN: f64 = 100.0;

/// The eight lines, as sets of squares: square `i` in reading order is bit `i`.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

const FULL: u16 = 0o777;

/// The game. It has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicTacToe;

/// The squares of player 1 (X) and player 2 (O). X moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    squares: [u16; 2],
}

impl State {
    fn mover(self) -> Player {
        let [first, second] = self.squares.map(u16::count_ones);
        if first == second { Player::Max } else { Player::Min }
    }

    fn has_line(self, player: Player) -> bool {
        LINES.iter().any(|line| self.squares[player.index()] & line == *line)
    }

    fn empty(self) -> u16 {
        FULL & !(self.squares[0] | self.squares[1])
    }
}

/// A square, 0 to 8 in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

impl Game for TicTacToe {
    type State = State;
    type Action = Square;
    type Outcome = Infallible;

    fn start(&self) -> State {
        State::default()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        // Only the player who moved last can have completed a line.
        let mover = state.mover();
        if state.has_line(mover.other()) {
            Turn::Over(mover.other().sign() * WIN)
        } else if state.empty() == 0 {
            Turn::Over(0.0)
        } else {
            Turn::Decide(mover)
        }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Square>) {
        let empty = state.empty();
        out.extend((0..9).filter(|i| empty >> i & 1 == 1).map(Square));
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Square) {
        state.squares[state.mover().index()] |= 1 << action.0;
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        Key(u128::from(state.squares[0]) | u128::from(state.squares[1]) << 16)
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }

    fn promise(&self, _state: &State, action: Square) -> i32 {
        // The number of lines through the square.
        [3, 2, 3, 2, 4, 2, 3, 2, 3][usize::from(action.0)]
    }

    fn has_chance(&self) -> bool {
        false
    }
}

/// The evaluator `lines`: how many more lines one player can still complete than the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

impl Evaluator<TicTacToe> for OpenLines {
    fn value(&self, _game: &TicTacToe, state: &State) -> f64 {
        let open =
            |other: Player| LINES.iter().filter(|&&line| state.squares[other.index()] & line == 0).count();
        WIN / 8.0 * (open(Player::Min) as f64 - open(Player::Max) as f64)
    }
}

impl Notation for TicTacToe {
    fn write_state(&self, state: &State) -> String {
        let mut text = String::new();
        for square in 0..9 {
            if square == 3 || square == 6 {
                text.push('/');
            }
            text.push(match state.squares.map(|s| s >> square & 1) {
                [1, _] => 'X',
                [_, 1] => 'O',
                _ => '.',
            });
        }
        format!("{text} {}", state.mover().name())
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let (rows, player) = read_rows(text, 3, 3, "X../.O./... p1")?;
        let wrong = |why: String| Err(ReadError::position(text, why));
        let mut state = State::default();
        for (square, c) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            match c {
                'X' | 'x' => state.squares[0] |= 1 << square,
                'O' | 'o' => state.squares[1] |= 1 << square,
                '.' => {}
                _ => return wrong(format!("'{c}' is neither X, O nor . for an empty square")),
            }
        }
        let [first, second] = state.squares.map(u16::count_ones);
        if first != second && first != second + 1 {
            return wrong(format!(
                "{first} X and {second} O are impossible: X moves first and the players alternate"
            ));
        }
        if state.mover() != player {
            return wrong(format!("with {first} X and {second} O it is {}'s move", state.mover().name()));
        }
        if state.has_line(player) {
            return wrong(format!("{} is to move but has three in a row already", player.name()));
        }
        Ok(state)
    }

    fn write_action(&self, _state: &State, action: Square) -> String {
        (action.0 + 1).to_string()
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new();
        for square in 0..9 {
            picture.paint(
                Ink::Faint,
                match (square, square % 3) {
                    (0, _) => " ",
                    (_, 0) => "\n───┼───┼───\n ",
                    _ => " │ ",
                },
            );
            match state.squares.map(|s| s >> square & 1) {
                [1, _] => picture.paint(Ink::First, "X"),
                [_, 1] => picture.paint(Ink::Second, "O"),
                _ => picture.paint(Ink::Faint, (square + 1).to_string()),
            }
        }
        picture
    }

    /// The squares in reading order (1 for player 1, -1 for player 2, 0 if empty), then the player to act (0
    /// or 1).
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let has = |player: Player, square: u32| f32::from(state.squares[player.index()] >> square & 1);
        out.extend((0..9).map(|square| has(Player::Max, square) - has(Player::Min, square)));
        out.push(state.mover().index() as f32);
    }
}

impl Listed for TicTacToe {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinDrawLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "tic-tac-toe",
        genre: Genre::Game,
        help: "three in a row on nine squares; no chance, and small enough to be known completely",
        rules: include_str!("tic_tac_toe.md"),
        source: "traditional",
        positions: "ROWS pN: rows from the top, X for player 1, O for player 2, . for empty. X../.O./... p1",
        params: &[],
    };

    fn build(_values: &Values) -> Result<Self, SpecError> {
        Ok(Self)
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("lines", "lines still open to a player, minus the opponent's", OpenLines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};

    #[test]
    fn tic_tac_toe_keeps_the_contract() {
        let play = Play { games: 3000, ..Play::default() };
        let visited = check_game(&TicTacToe, play).unwrap();
        assert_eq!(visited.finished, 3000);
        assert!(visited.distinct > 3000, "{visited:?}");
        check_notation(&TicTacToe, play).unwrap();
        check_evaluator(&TicTacToe, &OpenLines, play).unwrap();
    }

    /// Counts games by length and result, and the distinct positions.
    #[derive(Default)]
    struct Census {
        by_length: [u64; 10],
        results: [u64; 3],
        positions: std::collections::HashMap<u128, f64>,
    }

    fn count(census: &mut Census, state: State, plies: usize) {
        let key = TicTacToe.key(&state).0;
        if let Turn::Over(payoff) = TicTacToe.turn(&state) {
            census.by_length[plies] += 1;
            census.results[if payoff > 0.0 { 0 } else { 1 + usize::from(payoff == 0.0) }] += 1;
            census.positions.insert(key, payoff);
            return;
        }
        census.positions.insert(key, f64::NAN);
        let mut actions = Vec::new();
        TicTacToe.actions(&state, &mut actions);
        for action in actions {
            let mut child = state;
            TicTacToe.apply(&mut child, action);
            count(census, child, plies + 1);
        }
    }

    #[test]
    fn games_and_positions_are_as_many_as_is_known() {
        let mut census = Census::default();
        count(&mut census, TicTacToe.start(), 0);
        assert_eq!(census.by_length, [0, 0, 0, 0, 0, 1_440, 5_328, 47_952, 72_576, 127_872]);
        assert_eq!(census.results, [131_184, 77_904, 46_080]);
        assert_eq!(census.results.iter().sum::<u64>(), 255_168);
        assert_eq!(census.positions.len(), 5_478);
        let ended = |payoff: f64| census.positions.values().filter(|&&v| v == payoff).count();
        assert_eq!([ended(WIN), ended(-WIN), ended(0.0)], [626, 316, 16]);
    }

    #[test]
    fn malformed_positions_are_explained() {
        for (text, why) in [
            ("", "not a board and a player"),
            ("... p1", "expected 3 rows, found 1"),
            ("..../.../... p1", "must have 3 squares"),
            (".../.../... p3", "neither p1 nor p2"),
            (".../.Z./... p1", "'Z' is neither"),
            ("XX./.../... p2", "2 X and 0 O are impossible"),
            ("X../.../... p1", "it is p2's move"),
            ("XXX/OOO/... p1", "three in a row already"),
        ] {
            let error = TicTacToe.read_state(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
