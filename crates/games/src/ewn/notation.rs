//! Text and pictures for EinStein würfelt nicht!
//!
//! `ROWS pN ROLL`: rows from the top separated by `/`, `.` for empty, the stones of player 1 as digits and
//! those of player 2 as letters (`a` is 1), then the roll as a digit, or `-` before it. Moves call the stones
//! the same; the digits 1 to 9 are understood for either side, as in older records.

use super::{Direction, Ewn, Face, GONE, Move, ROOM, State};
use crate::dice::said;
use crate::grid::read_rows;
use astragal_core::{Game, Ink, Notation, Picture, Player, ReadError, Turn};

/// The name of a stone, counted from 0, on the board and in moves.
fn letter(player: Player, stone: u8) -> char {
    let first = match player {
        Player::Max => b'1',
        Player::Min => b'a',
    };
    char::from(first + stone)
}

/// The stone that a player calls this, by its name or by its number.
fn stone_of(player: Player, text: &str) -> Option<u8> {
    let mut characters = text.chars();
    let (name, None) = (characters.next()?.to_ascii_lowercase(), characters.next()) else { return None };
    (0..9).find(|&stone| name == letter(player, stone) || name == letter(Player::Max, stone))
}

impl Ewn {
    /// The character of each square.
    fn characters(&self, state: &State) -> Vec<char> {
        let mut board = vec!['.'; usize::from(self.rows) * usize::from(self.columns)];
        for (side, player) in state.squares.iter().zip([Player::Max, Player::Min]) {
            for (&square, stone) in side.iter().zip(0..) {
                if square != GONE {
                    board[usize::from(square)] = letter(player, stone);
                }
            }
        }
        board
    }
}

impl Notation for Ewn {
    fn write_state(&self, state: &State) -> String {
        let board = self.characters(state);
        let rows: Vec<String> =
            board.chunks(usize::from(self.columns)).map(|row| row.iter().collect()).collect();
        let roll = if state.roll == 0 { "-".into() } else { state.roll.to_string() };
        format!("{} {} {roll}", rows.join("/"), state.player.name())
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let example = self.write_state(&self.start);
        let wrong = |why: String| ReadError::position(text, why);
        let Some((board, roll)) = text.trim().rsplit_once(char::is_whitespace) else {
            return Err(wrong(format!(
                "not a board, a player and a roll; expected something like {example}"
            )));
        };
        let (rows, player) = read_rows(board, usize::from(self.rows), usize::from(self.columns), &example)
            .map_err(|error| wrong(error.why))?;
        let empty = State { squares: [[GONE; ROOM]; 2], alive: [0; 2], player, roll: 0, winner: None };
        let mut state = empty;
        for (square, c) in rows.iter().flat_map(|row| row.chars()).enumerate() {
            let (side, stone) = match c {
                '.' => continue,
                '1'..='9' => (0, c as usize - '1' as usize),
                'a'..='i' => (1, c as usize - 'a' as usize),
                _ => {
                    return Err(wrong(format!(
                        "'{c}' is neither a digit, a letter from a to i, nor . for empty"
                    )));
                }
            };
            if stone >= usize::from(self.stones) {
                return Err(wrong(format!("'{c}' is a stone too many: each side has {}", self.stones)));
            }
            if state.squares[side][stone] != GONE {
                return Err(wrong(format!("the stone '{c}' appears twice")));
            }
            state.squares[side][stone] = square as u8;
        }
        let gone = |side: usize| state.squares[side].iter().all(|&square| square == GONE);
        if gone(0) && gone(1) {
            return Err(wrong("there is no stone on the board".into()));
        }
        let arrived = [Player::Max, Player::Min].map(|p| state.squares[p.index()].contains(&self.goal(p)));
        if arrived == [true, true] {
            return Err(wrong("both sides cannot have won".into()));
        }
        self.complete(&mut state);
        if roll != "-" {
            let face = roll.parse().ok().filter(|face| (1..=self.stones).contains(face));
            let Some(face) = face else {
                return Err(wrong(format!(
                    "the roll '{roll}' is neither - nor a number from 1 to {}",
                    self.stones
                )));
            };
            if let Turn::Over(_) = self.turn(&state) {
                return Err(wrong("the game is over, nobody rolls".into()));
            }
            state.roll = face;
        }
        Ok(state)
    }

    fn write_action(&self, state: &State, action: Move) -> String {
        let direction = match (action.direction, state.player) {
            (Direction::Diagonal, _) => "diagonal",
            (Direction::Across, Player::Max) => "right",
            (Direction::Across, Player::Min) => "left",
            (Direction::Along, Player::Max) => "down",
            (Direction::Along, Player::Min) => "up",
        };
        format!("{} {direction}", letter(state.player, action.stone))
    }

    fn read_action(&self, state: &State, text: &str) -> Result<Move, ReadError> {
        self.legal_action(state, text).or_else(|error| {
            let (stone, direction) = text.trim().split_once(' ').unwrap_or(("", ""));
            let stone = stone_of(state.player, stone).ok_or_else(|| error.clone())?;
            let name = format!("{} {}", letter(state.player, stone), direction.trim());
            self.legal_action(state, &name).map_err(|_| error)
        })
    }

    fn why_not(&self, state: &State, text: &str) -> Option<String> {
        let (stone, direction) = text.split_once(' ')?;
        let stone = stone_of(state.player, stone).filter(|stone| *stone < self.stones)?;
        let own = &state.squares[state.player.index()];
        let names = match state.player {
            Player::Max => ["right", "down", "diagonal"],
            Player::Min => ["left", "up", "diagonal"],
        };
        let (lower, higher) = self.movable(state, state.player, state.roll);
        Some(if own[usize::from(stone)] == GONE {
            format!("stone {} is gone", letter(state.player, stone))
        } else if ![lower, higher].contains(&Some(stone)) {
            let may: Vec<String> = lower
                .into_iter()
                .chain(higher)
                .map(|stone| letter(state.player, stone).to_string())
                .collect();
            format!("with a {} only stone {} may move", state.roll, may.join(" or "))
        } else if names.contains(&direction.trim()) {
            "that leads off the board".into()
        } else {
            format!("your stones move {}, {} or {}", names[0], names[1], names[2])
        })
    }

    fn write_outcome(&self, _state: &State, outcome: Face) -> String {
        outcome.0.to_string()
    }

    fn spoken_outcome(&self, state: &State, text: &str) -> Option<Result<Face, String>> {
        let said = said(text)?;
        Some(said.check(1, self.stones.into()).map(|()| {
            let mut outcomes = Vec::new();
            self.outcomes(state, &mut outcomes);
            // A merged outcome is called by its lowest face.
            let faces = outcomes.into_iter().map(|outcome| outcome.item).rev();
            faces.into_iter().find(|face| u32::from(face.0) <= said.faces[0]).expect("1 is always an outcome")
        }))
    }

    fn picture(&self, state: &State) -> Picture {
        let columns = usize::from(self.columns);
        let rule = |left: &str, middle: &str, right: &str| {
            format!("  {left}{}{right}\n", vec!["───"; columns].join(middle))
        };
        let mut picture = Picture::new();
        picture.paint(Ink::Faint, rule("┌", "┬", "┐"));
        for (row, squares) in self.characters(state).chunks(columns).enumerate() {
            if row > 0 {
                picture.paint(Ink::Faint, rule("├", "┼", "┤"));
            }
            picture.paint(Ink::Faint, "  │");
            for &stone in squares {
                let ink = if stone.is_ascii_digit() { Ink::First } else { Ink::Second };
                match stone {
                    '.' => picture.push("   "),
                    _ => picture.paint(ink, format!(" {stone} ")),
                }
                picture.paint(Ink::Faint, "│");
            }
            picture.push("\n");
        }
        picture.paint(Ink::Faint, rule("└", "┴", "┘"));
        picture.paint(Ink::Faint, "  p1: digits, to the bottom right; p2: letters (a is 1), to the top left");
        if state.roll > 0 {
            picture.push("\n  rolled: ");
            picture.paint(Ink::Mark, state.roll.to_string());
        }
        picture
    }

    /// The board row by row (the number of player 1's stone, the negated number of player 2's, 0 if empty),
    /// then the player to act (0 or 1), and the roll (0 before it).
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let from = out.len();
        out.resize(from + usize::from(self.rows) * usize::from(self.columns), 0.0);
        for (side, sign) in state.squares.iter().zip([1.0, -1.0]) {
            for (&square, stone) in side.iter().zip(1_u8..) {
                if square != GONE {
                    out[from + usize::from(square)] = sign * f32::from(stone);
                }
            }
        }
        out.extend([state.player.index() as f32, f32::from(state.roll)]);
    }
}
