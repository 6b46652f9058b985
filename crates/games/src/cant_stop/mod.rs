//! Can't Stop, Sid Sackson's jeopardy dice game (*Monte Carlo \*-Minimax Search*, section 4.1), and its
//! reduced variants. `CS(n, k, w)` has four n-sided dice and columns 2 to 2n; the shortest columns have k
//! squares and each step towards the middle adds two; w columns win. `CS(6, 3, 3)` is the standard game.
//!
//! A turn repeats: roll four dice, pair them up, advance the neutral markers (at most three) in the columns
//! of the two sums, then roll again or stop. Stopping moves the player's pegs to the markers; a roll without
//! a usable pairing is a bust and loses the turn's progress. A column whose top is reached is claimed when
//! its owner stops, and is then closed to both players. The game ends as soon as the player to move has
//! enough columns including those completed by markers: stopping would be a formality. A solo player
//! (`players = 1`) plays until then, and only the number of turns matters.

mod evaluators;
mod listing;
mod notation;
mod policies;

pub use evaluators::{Columns, Progress};
pub use policies::{GlennAloi, RuleOf28};

use crate::SetupError;
use astragal_core::{Game, Interval, Key, Player, Turn, Weighted, below, words};

/// The payoff of a win, and minus that of a loss.
const WIN: f64 = 100.0;

/// The maximum number of columns: 2 to 12.
const MOST_COLUMNS: usize = 11;

/// The number of neutral markers.
const MARKERS: usize = 3;

/// The game with its parameters and tables.
#[derive(Clone, Debug, PartialEq)]
pub struct CantStop {
    sides: u8,
    shortest: u8,
    goal: u8,
    players: u8,
    outcomes: Outcomes,
    /// The outcomes of a roll with their probabilities.
    throws: Vec<Weighted<Dice>>,
    /// The sorted faces of each throw of four indistinguishable dice.
    faces: Vec<[u8; 4]>,
    /// The throw of each roll of four distinguishable dice. Rolls are equally likely, and in the order of the
    /// throws.
    rolls: Vec<Throw>,
    /// The faces of each roll.
    orders: Vec<[u8; 4]>,
    /// For each throw, the set of columns of all its pairs, and the number of its rolls.
    sums: Vec<(u16, u32)>,
}

/// What counts as an outcome of a roll. It changes no value, only the number of outcomes to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcomes {
    /// Four indistinguishable dice: 126 throws with six sides.
    #[default]
    Merged,
    /// Four distinguishable dice: 1296 rolls.
    Rolls,
}

words!(Outcomes: "merged" => Self::Merged, "rolls" => Self::Rolls);

/// A throw of four indistinguishable dice, by its index among all throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Throw(u8);

/// The result of rolling the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    throw: Throw,
    /// The number of the roll, from 1, if rolls are distinguished; otherwise 0.
    roll: u16,
}

/// A neutral marker; place 0 if it is not on the board. Columns count from 0 in states, from 2 on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Marker {
    /// The column number on the board less one, so that 0 means none.
    place: u8,
    level: u8,
}

/// The phase of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// The player to move rolls or stops.
    Ready,
    /// The dice are being rolled.
    Rolling,
    /// The player to move pairs these dice.
    Choosing(Throw),
}

/// Pegs, markers, the player to move, and the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The number of squares each player has climbed in each column; the full length if it is claimed.
    pegs: [[u8; MOST_COLUMNS]; 2],
    /// The markers, those off the board first, then the others in order of their columns.
    markers: [Marker; MARKERS],
    player: Player,
    phase: Phase,
}

/// A player's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Roll the dice.
    Roll,
    /// Keep the progress of this turn and pass the dice.
    Stop,
    /// Advance in these columns, counted from 0: in both, twice if they are equal, or, with `None`, in the
    /// first only.
    Advance(u8, Option<u8>),
}

impl CantStop {
    /// Creates the game `CS(sides, shortest, goal)` for one or two players.
    ///
    /// # Errors
    /// If a number is out of range, or there are too few columns to guarantee a winner.
    pub fn new(sides: u8, shortest: u8, goal: u8, players: u8) -> Result<Self, SetupError> {
        if !(2..=6).contains(&sides) || !(1..=5).contains(&shortest) || !(1..=2).contains(&players) {
            return Err(SetupError(
                "dice have 2 to 6 sides, the shortest columns 1 to 5 squares; 1 or 2 play".into(),
            ));
        }
        let columns = 2 * sides - 1;
        let needed = if players == 2 { 2 * goal.max(1) - 1 } else { goal.max(1) };
        if goal == 0 || needed > columns {
            return Err(SetupError(format!(
                "{goal} columns to win need at least {needed} columns for {players}, and dice of {sides} sides have {columns}"
            )));
        }
        let (mut faces, mut rolls, mut orders, mut sums) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for sorted in throws_of(sides) {
            let throw = Throw(faces.len() as u8);
            let before = orders.len();
            orders.extend(arrangements(sorted));
            rolls.resize(orders.len(), throw);
            faces.push(sorted);
            let pairs = sorted
                .iter()
                .enumerate()
                .flat_map(|(at, one)| sorted[..at].iter().map(move |two| one + two - 2));
            sums.push((pairs.fold(0, |set, column| set | 1 << column), (orders.len() - before) as u32));
        }
        let outcomes = Outcomes::Merged;
        Ok(Self { sides, shortest, goal, players, outcomes, throws: Vec::new(), faces, rolls, orders, sums }
            .with_outcomes(outcomes))
    }

    /// Returns the same game with other outcomes.
    #[must_use]
    pub fn with_outcomes(self, outcomes: Outcomes) -> Self {
        let mut game = Self { outcomes, throws: Vec::new(), ..self };
        for roll in 0..game.rolls.len() {
            let item = game.dice(roll);
            match game.throws.last_mut() {
                Some(last) if last.item == item => last.weight += 1.0,
                _ => game.throws.push(Weighted { item, weight: 1.0 }),
            }
        }
        // A single division, so that each weight is correctly rounded.
        game.throws.iter_mut().for_each(|throw| throw.weight /= game.rolls.len() as f64);
        game
    }

    /// Returns the outcome of a roll.
    #[inline]
    fn dice(&self, roll: usize) -> Dice {
        let number = if self.outcomes == Outcomes::Rolls { roll as u16 + 1 } else { 0 };
        Dice { throw: self.rolls[roll], roll: number }
    }

    /// The number of players: two, or one who counts the turns.
    #[must_use]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The number of columns.
    #[inline]
    fn columns(&self) -> usize {
        2 * usize::from(self.sides) - 1
    }

    /// The number of squares of a column.
    #[inline]
    fn length(&self, column: usize) -> u8 {
        let from_end = column.min(self.columns() - 1 - column) as u8;
        self.shortest + 2 * from_end
    }

    /// Whether a player owns a column.
    #[inline]
    fn claimed(&self, state: &State, column: usize) -> bool {
        let top = self.length(column);
        state.pegs[0][column] == top || state.pegs[1][column] == top
    }

    /// The number of columns that a player owns, including those completed by markers this turn.
    fn owned(&self, state: &State, player: Player) -> usize {
        let pegs = &state.pegs[player.index()];
        let claimed = (0..self.columns()).filter(|&column| pegs[column] == self.length(column)).count();
        if player != state.player {
            return claimed;
        }
        claimed + state.marked().filter(|(column, level)| *level == self.length(*column)).count()
    }

    /// The three ways to pair four dice, as columns counted from 0; duplicates are kept.
    #[inline]
    fn pairings(&self, throw: Throw) -> [(u8, u8); 3] {
        let [a, b, c, d] = self.faces[usize::from(throw.0)];
        [(a + b - 2, c + d - 2), (a + c - 2, b + d - 2), (a + d - 2, b + c - 2)]
    }

    /// Passes each usable way to advance with a throw to `push`, without duplicates.
    fn advances(&self, state: &State, throw: Throw, mut push: impl FnMut(Action)) {
        let mut seen: [Option<Action>; 6] = [None; 6];
        let mut count = 0;
        let mut add = |action: Action| {
            if !seen[..count].contains(&Some(action)) {
                seen[count] = Some(action);
                count += 1;
                push(action);
            }
        };
        let free = state.markers.iter().filter(|marker| marker.place == 0).count();
        for (x, y) in self.pairings(throw) {
            let (x, y) = (x.min(y), x.max(y));
            let usable = |column: u8| {
                let column = usize::from(column);
                let level = state.level(column);
                let room = !self.claimed(state, column) && state.reached(column) < self.length(column);
                (room && (level > 0 || free > 0)).then_some(level == 0)
            };
            match (usable(x), usable(y)) {
                (None, None) => {}
                (Some(_), Some(_)) if x == y => {
                    let steps = self.length(usize::from(x)) - state.reached(usize::from(x));
                    add(Action::Advance(x, (steps >= 2).then_some(x)));
                }
                // Both need a marker and only one is left: the player picks.
                (Some(true), Some(true)) if free == 1 => {
                    add(Action::Advance(x, None));
                    add(Action::Advance(y, None));
                }
                (Some(_), Some(_)) => add(Action::Advance(x, Some(y))),
                (Some(_), None) => add(Action::Advance(x, None)),
                (None, Some(_)) => add(Action::Advance(y, None)),
            }
        }
    }

    /// The probability that a throw allows no pairing.
    fn bust(&self, state: &State) -> f64 {
        let free = state.markers.iter().any(|marker| marker.place == 0);
        let usable = (0..self.columns()).filter(|&column| {
            let room = !self.claimed(state, column) && state.reached(column) < self.length(column);
            room && (free || state.level(column) > 0)
        });
        let usable = usable.fold(0, |set, column| set | 1_u16 << column);
        let busts = self.sums.iter().filter(|&&(sums, _)| sums & usable == 0);
        f64::from(busts.map(|&(_, ways)| ways).sum::<u32>()) / self.rolls.len() as f64
    }

    /// Moves the marker of a column up by one square, placing it if there is none.
    fn climb(&self, state: &mut State, column: u8) {
        let place = column + 1;
        let reached = state.reached(usize::from(column));
        debug_assert!(reached < self.length(usize::from(column)), "contract: a marker above the top");
        let at = state.markers.iter().position(|marker| marker.place == place);
        // Unused markers sort first, so if any is free, the first one is.
        let at = at.unwrap_or(0);
        state.markers[at] = Marker { place, level: reached + 1 };
        state.markers.sort_unstable();
    }

    /// Ends a turn; the other player, if any, is next.
    fn pass(&self, state: &mut State) {
        state.markers = [Marker::default(); MARKERS];
        state.phase = Phase::Ready;
        if self.players == 2 {
            state.player = state.player.other();
        }
    }
}

/// Lists every throw of four dice as faces in ascending order.
fn throws_of(sides: u8) -> impl Iterator<Item = [u8; 4]> {
    (1..=sides).flat_map(move |a| {
        (a..=sides).flat_map(move |b| (b..=sides).flat_map(move |c| (c..=sides).map(move |d| [a, b, c, d])))
    })
}

/// Lists the distinct orders in which four dice can show these sorted faces.
fn arrangements(sorted: [u8; 4]) -> Vec<[u8; 4]> {
    let mut all = Vec::new();
    for order in 0..256_usize {
        let places = [order >> 6 & 3, order >> 4 & 3, order >> 2 & 3, order & 3];
        let each_once = (0..4).all(|place| places.contains(&place));
        let faces = places.map(|place| sorted[place]);
        if each_once && !all.contains(&faces) {
            all.push(faces);
        }
    }
    all
}

impl State {
    /// The columns with a marker, and its level.
    fn marked(&self) -> impl Iterator<Item = (usize, u8)> {
        self.markers.iter().filter(|marker| marker.place > 0).map(|m| (usize::from(m.place) - 1, m.level))
    }

    /// The level of a column's marker; 0 if it has none.
    #[inline]
    fn level(&self, column: usize) -> u8 {
        let place = column as u8 + 1;
        self.markers.iter().find(|marker| marker.place == place).map_or(0, |marker| marker.level)
    }

    /// The level that the player to move has reached in a column.
    #[inline]
    fn reached(&self, column: usize) -> u8 {
        self.level(column).max(self.pegs[self.player.index()][column])
    }

    /// Whether this is the start of a turn.
    #[must_use]
    pub fn is_turn_start(&self) -> bool {
        self.phase == Phase::Ready && self.markers[MARKERS - 1].place == 0
    }
}

impl Game for CantStop {
    type State = State;
    type Action = Action;
    type Outcome = Dice;

    fn start(&self) -> State {
        State {
            pegs: [[0; MOST_COLUMNS]; 2],
            markers: [Marker::default(); MARKERS],
            player: Player::Max,
            phase: Phase::Ready,
        }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Rolling => Turn::Chance,
            Phase::Choosing(_) => Turn::Decide(state.player),
            Phase::Ready => {
                for player in [state.player, state.player.other()] {
                    if self.owned(state, player) >= usize::from(self.goal) {
                        return Turn::Over(player.sign() * WIN);
                    }
                }
                Turn::Decide(state.player)
            }
        }
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.phase {
            Phase::Choosing(throw) => self.advances(state, throw, |action| out.push(action)),
            _ => {
                out.push(Action::Roll);
                if !state.is_turn_start() {
                    out.push(Action::Stop);
                }
            }
        }
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<Weighted<Dice>>) {
        out.extend_from_slice(&self.throws);
    }

    #[inline]
    fn draw(&self, _state: &State, bits: u64, _room: &mut Vec<Weighted<Dice>>) -> Dice {
        self.dice(below(bits, self.rolls.len() as u64) as usize)
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Roll => state.phase = Phase::Rolling,
            Action::Stop => {
                for i in 0..MARKERS {
                    let Marker { place, level } = state.markers[i];
                    if place > 0 {
                        let column = usize::from(place) - 1;
                        state.pegs[state.player.index()][column] = level;
                        if level == self.length(column) {
                            state.pegs[state.player.other().index()][column] = 0;
                        }
                    }
                }
                self.pass(state);
            }
            Action::Advance(first, second) => {
                self.climb(state, first);
                if let Some(second) = second {
                    self.climb(state, second);
                }
                state.phase = Phase::Ready;
            }
        }
    }

    fn resolve(&self, state: &mut State, outcome: Dice) {
        let mut usable = false;
        self.advances(state, outcome.throw, |_| usable = true);
        if usable {
            state.phase = Phase::Choosing(outcome.throw);
        } else {
            self.pass(state);
        }
    }

    fn key(&self, state: &State) -> Key {
        let mut key: u128 = match state.phase {
            Phase::Ready => 0,
            Phase::Rolling => 1,
            Phase::Choosing(throw) => 2 + u128::from(throw.0),
        };
        key = key << 1 | state.player.index() as u128;
        for marker in state.markers {
            key = key << 8 | u128::from(marker.place) << 4 | u128::from(marker.level);
        }
        for pegs in &state.pegs {
            for level in &pegs[..self.columns()] {
                key = key << 4 | u128::from(*level);
            }
        }
        Key(key)
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }

    fn promise(&self, state: &State, action: Action) -> i32 {
        match action {
            Action::Roll => 1,
            Action::Stop => 0,
            Action::Advance(first, second) => {
                // A step counts as a share of its column; a new marker has a cost.
                let worth = |column: u8| {
                    let column = usize::from(column);
                    120 / i32::from(self.length(column)) - if state.level(column) == 0 { 15 } else { 0 }
                };
                worth(first) + second.map_or(0, worth)
            }
        }
    }
}

#[cfg(test)]
mod tests;
