//! Connect Four: stones fall into columns, four in a row win.
//!
//! A board is two bitboards, stored column by column from the bottom up, with an empty bit above each column
//! so that lines do not wrap around.

use crate::SetupError;
use crate::bits::{bits_of, draw_field};
use crate::grid::read_rows;
use astragal_core::{
    Evaluator, Game, GameInfo, Genre, Ink, Interval, Key, Kind, Listed, Notation, Param, Payoffs, Picture,
    Player, ReadError, SpecError, Tools, Turn, Values, below,
};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// The rows of the standard board, for which all shifts are compile-time constants.
const USUAL: u32 = 6;

/// Multiplied by the lowest bits of at most [`GATHERED`] columns of the usual height, gathers them in as many
/// of the highest bits.
const GATHER: u64 = 0x0208_2082_0820_0000;
const GATHERED: u32 = 7;

/// The payoff of a win, and minus that of a loss; a draw is 0.
const WIN: f64 = 100.0;

/// The game on a board of a given size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    columns: u32,
    rows: u32,
    /// The lowest square of each column, and all squares.
    bottom: u64,
    full: u64,
    /// The column of each square, counted from 0.
    column: [u8; 64],
    /// The squares where lines of four start, for each direction.
    lines: [u64; 4],
}

impl Default for ConnectFour {
    /// The standard board: seven columns of six squares.
    fn default() -> Self {
        Self::new(7, 6).expect("it fits")
    }
}

/// The player to move, that player's stones, and the opponent's. Player 1 moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    mover: Player,
    own: u64,
    other: u64,
}

impl State {
    /// The state with these stones of player 1 and player 2; their number determines the player to move.
    fn new(stones: [u64; 2]) -> Self {
        let [first, second] = stones;
        match (first | second).count_ones() % 2 {
            0 => Self { mover: Player::Max, own: first, other: second },
            _ => Self { mover: Player::Min, own: second, other: first },
        }
    }

    /// The stones of player 1 and of player 2.
    #[inline]
    fn stones(self) -> [u64; 2] {
        match self.mover {
            Player::Max => [self.own, self.other],
            Player::Min => [self.other, self.own],
        }
    }

    #[inline]
    fn occupied(self) -> u64 {
        self.own | self.other
    }
}

/// The square where a stone lands, as a bit index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square(u8);

/// The distance in bits between adjacent squares of a line, for each direction.
#[inline]
fn steps(rows: u32) -> [u32; 4] {
    [1, rows, rows + 1, rows + 2]
}

impl ConnectFour {
    /// Creates the game with `columns` columns of `rows` squares.
    ///
    /// # Errors
    /// If the board is too small for four in a row, or too large for 64 bits with one spare above each
    /// column.
    pub fn new(columns: u32, rows: u32) -> Result<Self, SetupError> {
        if columns.max(rows) < 4 || columns == 0 || rows == 0 || columns.saturating_mul(rows + 1) > 64 {
            return Err(SetupError(format!(
                "{columns} columns of {rows} squares: one side needs at least 4, and columns * (rows + 1) is at most 64"
            )));
        }
        let bottom = (0..columns).map(|column| 1 << (column * (rows + 1))).sum::<u64>();
        let full = bottom * ((1 << rows) - 1);
        let column = std::array::from_fn(|square| (square as u32 / (rows + 1)) as u8);
        let lines =
            steps(rows).map(|step| (0..4).fold(full, |starts, at| starts & full.unbounded_shr(at * step)));
        Ok(Self { columns, rows, bottom, full, column, lines })
    }

    /// Whether these stones contain four in a row.
    #[inline]
    fn has_four(&self, stones: u64) -> bool {
        let among = |rows: u32| {
            steps(rows).into_iter().any(|step| {
                let pairs = stones & stones.unbounded_shr(step);
                pairs & pairs.unbounded_shr(2 * step) != 0
            })
        };
        if self.rows == USUAL { among(USUAL) } else { among(self.rows) }
    }

    /// The squares on which a stone can land: one in each column that is not full.
    #[inline]
    fn landing(&self, state: &State) -> u64 {
        // Adding a bit at the bottom of a column carries to its lowest empty square.
        (state.occupied() + self.bottom) & self.full
    }

    /// The same, one by one.
    #[inline]
    fn squares(&self, state: &State) -> impl Iterator<Item = Square> {
        bits_of(self.landing(state)).map(|bit| Square(bit as u8))
    }

    /// [`Game::any_action`] on boards of other heights or more columns. It is not inlined, which saves
    /// registers in the loop of the standard board.
    #[inline(never)]
    fn any_listed(&self, state: &State, bits: u64, room: &mut Vec<Square>) -> Square {
        room.clear();
        self.actions(state, room);
        room[below(bits, room.len() as u64) as usize]
    }

    /// The column of a square, counted from 0.
    #[inline]
    fn column(&self, square: Square) -> u8 {
        self.column[usize::from(square.0) % 64]
    }
}

impl Game for ConnectFour {
    type State = State;
    type Action = Square;
    type Outcome = Infallible;

    fn start(&self) -> State {
        State::new([0; 2])
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        // Only the player who moved last can have four in a row.
        if self.has_four(state.other) {
            Turn::Over(-state.mover.sign() * WIN)
        } else if state.occupied() == self.full {
            Turn::Over(0.0)
        } else {
            Turn::Decide(state.mover)
        }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Square>) {
        self.squares(state).for_each(|square| out.push(square));
    }

    #[inline]
    fn each_action<B>(
        &self,
        state: &State,
        room: &mut Vec<Square>,
        mut see: impl FnMut(&mut Vec<Square>, Square) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.squares(state).try_for_each(|square| see(room, square))
    }

    #[inline]
    fn any_action(&self, state: &State, bits: u64, room: &mut Vec<Square>) -> Square {
        if self.rows != USUAL || self.columns > GATHERED {
            return self.any_listed(state, bits, room);
        }
        let open = !state.occupied() >> (USUAL - 1) & self.bottom;
        let set = open.wrapping_mul(GATHER) >> (64 - GATHERED);
        let column = draw_field(set as u8, bits);
        let squares = ((1 << USUAL) - 1) << ((USUAL + 1) * u32::from(column));
        Square((self.landing(state) & squares).trailing_zeros() as u8)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Square) {
        debug_assert!(self.landing(state) >> action.0 & 1 == 1, "contract: a stone where none can land");
        let State { mover, own, other } = *state;
        *state = State { mover: mover.other(), own: other, other: own | 1 << action.0 };
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        let [first, second] = state.stones();
        Key(u128::from(first) << 64 | u128::from(second))
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }

    fn promise(&self, _state: &State, action: Square) -> i32 {
        // Central columns first.
        -(2 * i32::from(self.column(action)) + 1 - self.columns as i32).abs()
    }

    #[inline]
    fn slot(&self, _state: &State, action: Square) -> usize {
        action.0.into()
    }

    fn has_chance(&self) -> bool {
        false
    }
}

/// The evaluator `fours`: the lines that a player can still complete, weighted by the stones in them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fours;

/// The worth of a line with one, two or three stones of one side and none of the other.
const LINE_WORTH: [u32; 3] = [1, 4, 16];
/// The scale of the lead: a lead of this size is nearly decisive.
const DECISIVE: f64 = 60.0;
/// The value of each lead, because a lookup is cheaper than the computation.
static SQUASHED: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (0..).map(|lead| WIN * libm::tanh(f64::from(lead) / DECISIVE)).take_while(|value| *value < WIN).collect()
});

impl Fours {
    /// The total worth of the lines that only this side can still complete.
    fn lines(game: &ConnectFour, own: u64, other: u64) -> u32 {
        let on = |rows: u32| -> u32 {
            let directions = steps(rows).into_iter().zip(game.lines);
            directions.map(|(step, starts)| Self::direction(step, starts, own, other)).sum()
        };
        if game.rows == USUAL { on(USUAL) } else { on(game.rows) }
    }

    /// The same for all lines of one direction in parallel.
    #[inline(always)]
    fn direction(step: u32, starts: u64, own: u64, other: u64) -> u32 {
        let shifted = |stones: u64| [0, 1, 2, 3].map(|at| stones.unbounded_shr(at * step));
        // The lines without a stone of the other side, and the number of own stones in each as a two-bit sum.
        // Four in a row end the game, and count as none.
        let open = starts & !shifted(other).into_iter().fold(0, |any, stones| any | stones);
        let [a, b, c, d] = shifted(own);
        let ones = (a ^ b ^ c ^ d) & open;
        let twos = ((a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d))) & open;
        let classes = [ones & !twos, twos & !ones, ones & twos].into_iter().zip(LINE_WORTH);
        classes.map(|(lines, each)| each * lines.count_ones()).sum()
    }
}

impl Evaluator<ConnectFour> for Fours {
    fn value(&self, game: &ConnectFour, state: &State) -> f64 {
        let [first, second] = state.stones();
        let lead = Self::lines(game, first, second) as i32 - Self::lines(game, second, first) as i32;
        // Beyond the end of the table the hyperbolic tangent rounds to 1.
        let value = SQUASHED.get(lead.unsigned_abs() as usize).copied().unwrap_or(WIN);
        value.copysign(lead.into())
    }
}

impl Notation for ConnectFour {
    fn write_state(&self, state: &State) -> String {
        let row = |row: u32| -> String {
            (0..self.columns)
                .map(|column| {
                    let square = 1 << (column * (self.rows + 1) + row);
                    match state.stones().map(|stones| stones & square != 0) {
                        [true, _] => 'X',
                        [_, true] => 'O',
                        _ => '.',
                    }
                })
                .collect()
        };
        let rows: Vec<String> = (0..self.rows).rev().map(row).collect();
        format!("{} {}", rows.join("/"), state.mover.name())
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let example = self.write_state(&self.start());
        let (rows, player) = read_rows(text, self.rows as usize, self.columns as usize, &example)?;
        let wrong = |why: String| ReadError::position(text, why);
        let mut stones = [0; 2];
        for (row, line) in (0..self.rows).rev().zip(rows) {
            for (column, c) in (0..self.columns).zip(line.chars()) {
                let square = 1_u64 << (column * (self.rows + 1) + row);
                match c {
                    'X' => stones[0] |= square,
                    'O' => stones[1] |= square,
                    '.' => {}
                    _ => return Err(wrong(format!("'{c}' is neither X, O nor . for empty"))),
                }
            }
        }
        let state = State::new(stones);
        let floating = state.occupied() & !self.bottom & !(state.occupied() << 1);
        if floating != 0 {
            let column = self.column(Square(floating.trailing_zeros() as u8)) + 1;
            return Err(wrong(format!("a stone in column {column} has nothing below it")));
        }
        let [first, second] = state.stones().map(u64::count_ones);
        if first != second && first != second + 1 {
            return Err(wrong(format!(
                "{first} X and {second} O are impossible: X moves first and the players alternate"
            )));
        }
        if state.mover != player {
            return Err(wrong(format!("with {first} X and {second} O it is {}'s turn", state.mover.name())));
        }
        if self.has_four(state.own) {
            return Err(wrong(format!("{} is to move but already has four in a row", player.name())));
        }
        Ok(state)
    }

    fn write_action(&self, _state: &State, action: Square) -> String {
        (self.column(action) + 1).to_string()
    }

    fn why_not(&self, _state: &State, text: &str) -> Option<String> {
        let column: u32 = text.parse().ok()?;
        Some(if (1..=self.columns).contains(&column) {
            format!("column {column} is full")
        } else {
            format!("columns are numbered from 1 to {}", self.columns)
        })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new();
        for row in (0..self.rows).rev() {
            picture.paint(Ink::Faint, "  │");
            for column in 0..self.columns {
                let square = 1_u64 << (column * (self.rows + 1) + row);
                match state.stones().map(|stones| stones & square != 0) {
                    [true, _] => picture.paint(Ink::First, " X"),
                    [_, true] => picture.paint(Ink::Second, " O"),
                    _ => picture.paint(Ink::Faint, " ·"),
                }
            }
            picture.paint(Ink::Faint, " │");
            picture.push("\n");
        }
        picture.paint(Ink::Faint, "   ");
        for column in 1..=self.columns {
            picture.push(format!("{:>2}", column % 10));
        }
        picture
    }

    /// The squares row by row from the top (1 for player 1, -1 for player 2, 0 if empty), then the player to
    /// act (0 or 1).
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let [first, second] = state.stones();
        for row in (0..self.rows).rev() {
            for column in 0..self.columns {
                let square = column * (self.rows + 1) + row;
                let has = |stones: u64| f32::from((stones >> square & 1) as u8);
                out.push(has(first) - has(second));
            }
        }
        out.push(state.mover.index() as f32);
    }
}

impl Listed for ConnectFour {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinDrawLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "connect-four",
        genre: Genre::Game,
        help: "stones fall into columns, four in a row win; no chance",
        rules: include_str!("connect_four.md"),
        source: "H. Wexler & N. Strongin 1974",
        positions: "ROWS pN: rows from the top, X for player 1, O for player 2, . for empty. ......./......./......./......./...O.../..XXO.. p1",
        params: &[
            Param::new("width", Kind::Int(1, 16), "7", "columns of the board"),
            Param::new("height", Kind::Int(1, 15), "6", "squares of a column"),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Self::new(values.int("width"), values.int("height"))
            .map_err(|error| SpecError(format!("connect-four: {}", error.0)))
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("fours", "open lines, weighted by the stones in them", Fours);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};
    use astragal_core::{Even, Sampler};
    use std::collections::HashSet;

    #[test]
    fn keeps_the_contract() {
        // Random moves are drawn from bit fields on boards of height 6 and from a list on all others.
        let flat = [(32, 1), (21, 2), (8, 3), (16, 3)];
        for (columns, rows) in
            [(7, 6), (4, 4), (9, 6), (1, 4), (4, 1), (8, 7), (1, 63), (7, 3), (12, 4)].into_iter().chain(flat)
        {
            let game = ConnectFour::new(columns, rows).unwrap();
            let visited = check_game(&game, Play::default()).unwrap();
            assert_eq!(visited.finished, Play::default().games);
            check_notation(&game, Play { games: 30, ..Play::default() }).unwrap();
            check_evaluator(&game, &Fours, Play::default()).unwrap();
            check_evaluator(&game, &Even, Play::default()).unwrap();
        }
    }

    /// Lists every line of four squares individually.
    fn lines(game: &ConnectFour) -> Vec<u64> {
        let on_board = |square: u32| square < 64 && game.full >> square & 1 == 1;
        let squares = (0..64).filter(|square| on_board(*square));
        let steps = |square| [1, game.rows, game.rows + 1, game.rows + 2].map(|step| (square, step));
        let all = squares.flat_map(steps).map(|(square, step)| [0, 1, 2, 3].map(|at| square + at * step));
        all.filter(|line| line.iter().all(|at| on_board(*at)))
            .map(|line| line.iter().map(|at| 1 << at).sum())
            .collect()
    }

    #[test]
    fn the_board_has_its_69_lines() {
        let game = ConnectFour::default();
        assert_eq!(lines(&game).len(), 69);
        assert_eq!(game.lines.map(u64::count_ones).iter().sum::<u32>(), 69);
    }

    #[test]
    fn lines_are_worth_what_they_are_one_by_one() {
        for (columns, rows) in [(7, 6), (4, 4), (9, 6), (1, 4), (4, 1), (8, 7)] {
            let game = ConnectFour::new(columns, rows).unwrap();
            for seed in 0..300 {
                // Arbitrary stones, with a density that depends on the seed.
                let sampler = Sampler::new(seed);
                let stones = [0, 1].map(|side| {
                    let some = |at: u32| sampler.draw(side, 0, at) | sampler.draw(side, 1, at);
                    (0..1 + (seed % 4) as u32).fold(game.full, |stones, at| stones & some(at))
                });
                let stones = [stones[0], stones[1] & !stones[0]];
                let worth = |own: u64, other: u64| -> u32 {
                    let open = lines(&game).into_iter().filter(|line| line & other == 0);
                    open.map(|line| [0, 1, 4, 16, 0][(line & own).count_ones() as usize]).sum()
                };
                let [one, two] = stones;
                assert_eq!(Fours::lines(&game, one, two), worth(one, two), "{columns} {rows} {stones:?}");
                assert_eq!(Fours::lines(&game, two, one), worth(two, one), "{columns} {rows} {stones:?}");
            }
        }
    }

    #[test]
    fn distinct_positions_have_their_known_numbers() {
        let game = ConnectFour::default();
        let mut level: HashSet<State> = HashSet::from([game.start()]);
        let mut counts = vec![level.len()];
        for _ in 0..8 {
            let mut next = HashSet::new();
            for state in &level {
                if let Turn::Decide(_) = game.turn(state) {
                    let mut actions = Vec::new();
                    game.actions(state, &mut actions);
                    for action in actions {
                        let mut child = *state;
                        game.apply(&mut child, action);
                        next.insert(child);
                    }
                }
            }
            counts.push(next.len());
            level = next;
        }
        assert_eq!(counts, [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275]);
    }

    #[test]
    fn boards_that_cannot_be_are_refused_with_the_reason() {
        let game = ConnectFour::default();
        let empty = "......./......./......./......./.......";
        for (text, why) in [
            ("", "not a board and a player"),
            (&format!("{empty}/X...... p1"), "it is p2's turn"),
            (&format!("{empty}/XX..... p1"), "X moves first and the players alternate"),
            (&format!("{empty}/X..y... p2"), "neither X, O"),
            ("......./......./......./......./X....../....... p2", "nothing below"),
            (&format!("{empty}/XXXXOOO p2"), ""),
            ("......./......./X....../X....../X.OOO../X.XOOO. p1", "are impossible"),
        ] {
            match game.read_state(text) {
                Ok(_) => assert_eq!(why, "", "{text}"),
                Err(error) => assert!(!why.is_empty() && error.to_string().contains(why), "{error}: {why}"),
            }
        }
        assert!(ConnectFour::new(3, 3).is_err() && ConnectFour::new(10, 6).is_err());
    }
}
