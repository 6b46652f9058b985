//! EinStein würfelt nicht!, Ingo Althöfer's race game with a die (*Monte Carlo \*-Minimax Search*, section
//! 4.1).
//!
//! Each side has numbered stones in its corner. A die determines which stone moves: the one with that number,
//! or, if it is gone, the next higher or the next lower one, at the player's choice. A stone moves one square
//! towards the opposite corner, straight or diagonally, and removes whatever stands there, friend or foe. The
//! player who reaches the opposite corner or removes the last enemy stone wins. There are no draws, no
//! passing, and no moves off the board (the paper mentions them, but no rules do).
//!
//! A state is either before a roll (chance) or after it (a decision). The board may have any shape, and the
//! die has as many sides as a player has stones at the start.

mod evaluators;
mod listing;
mod notation;

pub use evaluators::{Greedy, Proximity, Race};

use crate::SetupError;
use astragal_core::{Game, Interval, Key, Player, Sampler, Turn, Weighted, below};

/// The payoff of a win, and minus that of a loss.
const WIN: f64 = 100.0;

/// The most stones a side can have, limited by the digits that denote them.
pub const MOST_STONES: usize = 9;

/// The square of a stone that is gone, and the target of a move off the board.
const GONE: u8 = u8::MAX;

/// Slots for the stones of a side: two eight-byte words, so that [`stone_on`] can compare eight squares in
/// parallel.
const ROOM: usize = 16;

/// The maximum number of squares: 14 rows of 14.
const MOST_SQUARES: usize = 196;

/// The game with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ewn {
    rows: u8,
    columns: u8,
    stones: u8,
    merge: bool,
    start: State,
    /// The target of a player's stone on a square, by direction.
    steps: [[[u8; 3]; MOST_SQUARES]; 2],
    /// The number of moves of a player's stone on a square, and the first of them.
    free: [[(u8, Direction); MOST_SQUARES]; 2],
    /// The worth of a player's stone on a square in the evaluator `proximity`.
    worths: [[u32; MOST_SQUARES]; 2],
}

/// The squares of the stones, the player to move, and the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The squares of each side's stones, by number: row times columns plus column.
    squares: [[u8; ROOM]; 2],
    /// The stones still on the board, as sets, derived from the squares.
    alive: [u16; 2],
    player: Player,
    /// The roll; 0 before it.
    roll: u8,
    /// The winner, also derived from the squares.
    winner: Option<Player>,
}

/// A stone, by its number less one, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    stone: u8,
    direction: Direction,
}

/// The directions from the player's point of view: forward along the row, along the column, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Direction {
    Across,
    Along,
    Diagonal,
}

/// The number rolled; if equivalent faces are merged, the lowest that allows the same stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Face(u8);

impl Ewn {
    /// Creates the game on a `rows` by `columns` board with `stones` stones a side in the standard order:
    /// reading order from the own corner.
    ///
    /// # Errors
    /// If the stones do not fill a triangle in the corner, or the two triangles touch.
    pub fn new(rows: u8, columns: u8, stones: u8) -> Result<Self, SetupError> {
        Self::empty(rows, columns, stones)?.with_order(|_| (0..usize::from(stones)).collect())
    }

    /// Creates the same game with the stones of each side in random order.
    ///
    /// # Errors
    /// As [`Ewn::new`].
    pub fn random(rows: u8, columns: u8, stones: u8, seed: u64) -> Result<Self, SetupError> {
        Self::empty(rows, columns, stones)?.with_order(|player| {
            let sampler = Sampler::new(seed);
            let mut order: Vec<usize> = (0..usize::from(stones)).collect();
            for last in (1..order.len()).rev() {
                let bits = sampler.draw(player.index() as u64, 0, last as u32);
                order.swap(last, below(bits, last as u64 + 1) as usize);
            }
            order
        })
    }

    /// Creates the game with an empty board, to be set up by [`Ewn::starting`].
    ///
    /// # Errors
    /// If the board or the number of stones is too small or too large.
    pub fn empty(rows: u8, columns: u8, stones: u8) -> Result<Self, SetupError> {
        if !(2..=14).contains(&rows) || !(2..=14).contains(&columns) {
            return Err(SetupError(format!(
                "a board of {rows} by {columns} is not between 2 by 2 and 14 by 14"
            )));
        }
        if !(1..=MOST_STONES).contains(&usize::from(stones)) {
            return Err(SetupError(format!("{stones} stones are not between 1 and {MOST_STONES}")));
        }
        let start =
            State { squares: [[GONE; ROOM]; 2], alive: [0; 2], player: Player::Max, roll: 0, winner: None };
        let steps = [[[GONE; 3]; MOST_SQUARES]; 2];
        let free = [[(0, Direction::Across); MOST_SQUARES]; 2];
        let worths = [[0; MOST_SQUARES]; 2];
        let mut game = Self { rows, columns, stones, merge: false, start, steps, free, worths };
        for player in [Player::Max, Player::Min] {
            for square in 0..rows * columns {
                let fits = |direction: &Direction| game.step(player, square, *direction).is_some();
                let mut moves = DIRECTIONS.into_iter().filter(fits);
                let first = moves.next();
                let count = u8::from(first.is_some()) + moves.count() as u8;
                game.free[player.index()][usize::from(square)] = (count, first.unwrap_or(Direction::Across));
                game.steps[player.index()][usize::from(square)] =
                    DIRECTIONS.map(|direction| game.step(player, square, direction).unwrap_or(GONE));
                // The worth doubles with each step towards the goal.
                let longest = rows.max(columns) - 1;
                game.worths[player.index()][usize::from(square)] =
                    1 << (longest - game.distance(player, square));
            }
        }
        // Keys pack the whole state: the square of each stone, the roll and the player.
        if 2 * u32::from(stones) * game.square_bits() + 5 > 128 {
            return Err(SetupError(format!(
                "{stones} stones on {rows} by {columns} squares are too many to keep apart"
            )));
        }
        Ok(game)
    }

    fn with_order(mut self, order: impl Fn(Player) -> Vec<usize>) -> Result<Self, SetupError> {
        let stones = usize::from(self.stones);
        let side = (1..).take_while(|side| side * (side + 1) / 2 <= stones).last().unwrap_or(1);
        if side * (side + 1) / 2 != stones {
            return Err(SetupError(format!("{stones} stones do not fill a corner; 1, 3 or 6 do")));
        }
        // In reading order from the corner; the second side's squares are those of the first rotated by 180
        // degrees.
        let corner: Vec<u8> = (0..self.rows)
            .flat_map(|row| (0..self.columns).map(move |column| (row, column)))
            .filter(|&(row, column)| usize::from(row + column) < side)
            .map(|(row, column)| row * self.columns + column)
            .collect();
        let last = self.rows * self.columns - 1;
        let touching = corner.iter().any(|&square| corner.contains(&(last - square)));
        if corner.len() != stones || touching {
            return Err(SetupError(format!(
                "{stones} stones a side have no room on {} by {}",
                self.rows, self.columns
            )));
        }
        for player in [Player::Max, Player::Min] {
            for (square, stone) in corner.iter().zip(order(player)) {
                self.start.squares[player.index()][stone] = match player {
                    Player::Max => *square,
                    Player::Min => last - square,
                };
            }
        }
        let mut start = self.start;
        self.complete(&mut start);
        self.start = start;
        Ok(self)
    }

    /// Returns the same game from another position.
    #[must_use]
    pub fn starting(mut self, start: State) -> Self {
        self.start = start;
        self
    }

    /// Returns the same game with faces merged that allow the same stones, or not.
    #[must_use]
    pub fn merging(mut self, merge: bool) -> Self {
        self.merge = merge;
        self
    }

    fn square_bits(&self) -> u32 {
        // One additional value represents a stone that is gone.
        (u32::from(self.rows) * u32::from(self.columns)).ilog2() + 1
    }

    /// The square that a player has to reach.
    fn goal(&self, player: Player) -> u8 {
        match player {
            Player::Max => self.rows * self.columns - 1,
            Player::Min => 0,
        }
    }

    /// Fills in the fields derived from the squares: the stones still on the board, and the winner.
    fn complete(&self, state: &mut State) {
        state.winner = None;
        for player in [Player::Max, Player::Min] {
            let own = &state.squares[player.index()];
            let bits = own.iter().enumerate().filter(|(_, square)| **square != GONE);
            state.alive[player.index()] = bits.map(|(stone, _)| 1 << stone).sum();
            if own.contains(&self.goal(player)) {
                state.winner = Some(player);
            }
        }
        for player in [Player::Max, Player::Min] {
            if state.winner.is_none() && state.alive[player.index()] == 0 {
                state.winner = Some(player.other());
            }
        }
    }

    /// Returns the target of a move from this square, if it is on the board.
    #[inline]
    fn target(&self, player: Player, square: u8, direction: Direction) -> Option<u8> {
        let target = self.steps[player.index()][usize::from(square)][direction as usize];
        (target != GONE).then_some(target)
    }

    /// Computes [`Ewn::target`] without the table.
    fn step(&self, player: Player, square: u8, direction: Direction) -> Option<u8> {
        let (row, column) = (square / self.columns, square % self.columns);
        let (down, right) = match direction {
            Direction::Across => (false, true),
            Direction::Along => (true, false),
            Direction::Diagonal => (true, true),
        };
        let step = u8::from(down) * self.columns + u8::from(right);
        match player {
            Player::Max => {
                let fits = (!down || row + 1 < self.rows) && (!right || column + 1 < self.columns);
                fits.then(|| square + step)
            }
            Player::Min => {
                let fits = (!down || row > 0) && (!right || column > 0);
                fits.then(|| square - step)
            }
        }
    }

    /// Returns the stones that a roll allows to move: the one with that number, or its neighbours if it is
    /// gone.
    #[inline]
    fn movable(&self, state: &State, player: Player, face: u8) -> (Option<u8>, Option<u8>) {
        let alive = state.alive[player.index()];
        let wanted = face - 1;
        if alive & 1 << wanted != 0 {
            return (Some(wanted), None);
        }
        let (below, above) = (alive & ((1 << wanted) - 1), alive & !((1 << wanted) - 1));
        let lower = (below != 0).then(|| below.ilog2() as u8);
        let higher = (above != 0).then(|| above.trailing_zeros() as u8);
        (lower, higher)
    }

    /// The Chebyshev distance of a square from a player's goal: the number of moves that a stone there needs.
    #[inline]
    fn distance(&self, player: Player, square: u8) -> u8 {
        let (row, column) = (square / self.columns, square % self.columns);
        match player {
            Player::Max => (self.rows - 1 - row).max(self.columns - 1 - column),
            Player::Min => row.max(column),
        }
    }
}

/// Returns the stone on a square, if any. Eight stones are compared in parallel, and there are seldom more.
#[inline]
fn stone_on(side: &[u8; ROOM], square: u8, stones: u8) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let among = |eight: &[u8; 8]| {
        // Equal bytes become 0, and the lowest of them is the lowest byte with its high bit set in `zeros`.
        let differs = u64::from_le_bytes(*eight) ^ (ONES * u64::from(square));
        let zeros = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
        (zeros != 0).then(|| zeros.trailing_zeros() as usize / 8)
    };
    let (eights, _) = side.as_chunks();
    let first = among(&eights[0]);
    if stones <= 8 || first.is_some() { first } else { among(&eights[1]).map(|stone| stone + 8) }
}

const DIRECTIONS: [Direction; 3] = [Direction::Across, Direction::Along, Direction::Diagonal];

impl Game for Ewn {
    type State = State;
    type Action = Move;
    type Outcome = Face;

    fn deal(&self, seed: u64) -> Option<State> {
        Self::random(self.rows, self.columns, self.stones, seed).ok().map(|game| game.start)
    }

    fn start(&self) -> State {
        self.start
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if let Some(winner) = state.winner {
            return Turn::Over(winner.sign() * WIN);
        }
        if state.roll == 0 { Turn::Chance } else { Turn::Decide(state.player) }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Move>) {
        let (lower, higher) = self.movable(state, state.player, state.roll);
        let (own, steps) = (&state.squares[state.player.index()], &self.steps[state.player.index()]);
        let mut add = |stone: u8| {
            let targets = steps[usize::from(own[usize::from(stone) % ROOM]) % MOST_SQUARES];
            for (target, direction) in targets.into_iter().zip(DIRECTIONS) {
                if target != GONE {
                    out.push(Move { stone, direction });
                }
            }
        };
        if let Some(stone) = lower {
            add(stone);
        }
        if let Some(stone) = higher {
            add(stone);
        }
    }

    #[inline]
    fn any_action(&self, state: &State, bits: u64, _room: &mut Vec<Move>) -> Move {
        // [`Ewn::movable`] without branches, because rolls are unpredictable. The rolled stone, if present,
        // is the lower one, and then there is no higher one.
        let alive = u32::from(state.alive[state.player.index()]);
        let up_to = (2 << (state.roll - 1)) - 1;
        let (lower, higher) = (alive & up_to, alive & !up_to);
        let rolled = alive & (1 << (state.roll - 1)) != 0;
        let stones = [31 - (lower | 1).leading_zeros(), higher.trailing_zeros() % ROOM as u32];
        let (own, free) = (&state.squares[state.player.index()], &self.free[state.player.index()]);
        // A stone has three moves, or one on the two edges that meet at its goal.
        let moves = |stone: u32| free[usize::from(own[stone as usize % ROOM]) % MOST_SQUARES];
        let [first, second] = stones.map(moves);
        let count = if lower == 0 { 0 } else { first.0 };
        let more = if rolled || higher == 0 { 0 } else { second.0 };
        let number = below(bits, u64::from(count + more)) as u8;
        let (stone, only, at) =
            if number < count { (stones[0], first, number) } else { (stones[1], second, number - count) };
        debug_assert!(count + more > 0, "contract: a stone can move");
        let direction = if only.0 == 1 { only.1 } else { DIRECTIONS[usize::from(at) % DIRECTIONS.len()] };
        Move { stone: stone as u8, direction }
    }

    #[inline]
    fn outcomes(&self, state: &State, out: &mut Vec<Weighted<Face>>) {
        let weight = 1.0 / f64::from(self.stones);
        if !self.merge {
            out.extend((1..=self.stones).map(|face| Weighted { item: Face(face), weight }));
            return;
        }
        let from = out.len();
        let mut last = None;
        for face in 1..=self.stones {
            // Faces that allow the same stones are adjacent.
            let stones = Some(self.movable(state, state.player, face));
            if stones == last {
                out.last_mut().expect("there is one before").weight += weight;
            } else {
                out.push(Weighted { item: Face(face), weight });
            }
            last = stones;
        }
        debug_assert!(out.len() > from);
    }

    #[inline]
    fn draw(&self, state: &State, bits: u64, _room: &mut Vec<Weighted<Face>>) -> Face {
        let face = below(bits, u64::from(self.stones)) as u8 + 1;
        if !self.merge {
            return Face(face);
        }
        // The lowest face that allows the same stones.
        let stones = self.movable(state, state.player, face);
        let lower = (1..face).rev().take_while(|&lower| self.movable(state, state.player, lower) == stones);
        Face(lower.last().unwrap_or(face))
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Move) {
        let player = state.player;
        let stone = usize::from(action.stone);
        let square = state.squares[player.index()][stone];
        let target = self.target(player, square, action.direction).expect("contract: a move off the board");
        for (side, alive) in state.squares.iter_mut().zip(&mut state.alive) {
            if let Some(at) = stone_on(side, target, self.stones) {
                side[at] = GONE;
                *alive &= !(1 << at);
            }
        }
        state.squares[player.index()][stone] = target;
        state.player = player.other();
        state.roll = 0;
        if target == self.goal(player) || state.alive[player.other().index()] == 0 {
            state.winner = Some(player);
        }
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: Face) {
        state.roll = outcome.0;
    }

    fn key(&self, state: &State) -> Key {
        let bits = self.square_bits();
        let gone = u128::from(self.rows) * u128::from(self.columns);
        let mut key = u128::from(state.roll) << 1 | state.player.index() as u128;
        for square in state.squares.iter().flat_map(|side| &side[..usize::from(self.stones)]) {
            key = key << bits | if *square == GONE { gone } else { u128::from(*square) };
        }
        Key(key)
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }

    fn promise(&self, state: &State, action: Move) -> i32 {
        // Reaching the goal first, then captures of enemies, then diagonal moves, which are fastest; captures
        // of own stones last.
        let player = state.player;
        let square = state.squares[player.index()][usize::from(action.stone)];
        let Some(target) = self.target(player, square, action.direction) else { return 0 };
        let stands = |side: Player| state.squares[side.index()].contains(&target);
        if target == self.goal(player) {
            8
        } else if stands(player.other()) {
            4
        } else {
            i32::from(action.direction == Direction::Diagonal) * 2 - i32::from(stands(player))
        }
    }
}

#[cfg(test)]
mod tests;
