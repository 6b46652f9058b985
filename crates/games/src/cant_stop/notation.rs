//! Text and pictures for Can't Stop.
//!
//! `P1 P2 pN MARKERS PHASE`: each player's squares climbed in each column from column 2 on, separated by
//! commas; the markers as `COLUMN:LEVEL`, separated by commas, or `-`; and `ready`, `rolling` or the four
//! dice.

use super::{Action, CantStop, Dice, MARKERS, MOST_COLUMNS, Marker, Phase, State, Throw};
use crate::dice::said;
use astragal_core::{Game, Ink, Notation, Picture, Player, ReadError, Turn};

/// Writes the faces of dice as digits.
fn write_faces(faces: [u8; 4]) -> String {
    faces.map(|face| face.to_string()).concat()
}

impl CantStop {
    fn write_throw(&self, throw: Throw) -> String {
        write_faces(self.faces[usize::from(throw.0)])
    }

    pub(super) fn read_throw(&self, text: &str) -> Option<Throw> {
        let mut faces: Vec<u8> = text.bytes().map(|b| b.wrapping_sub(b'0')).collect();
        faces.sort_unstable();
        let at = self.faces.iter().position(|throw| throw[..] == faces[..])?;
        Some(Throw(at as u8))
    }

    fn read_pegs(&self, text: &str) -> Result<[u8; MOST_COLUMNS], String> {
        let columns = self.columns();
        let form =
            || format!("'{text}' is not {columns} numbers separated by commas, one a column from 2 on");
        let numbers: Vec<u8> =
            text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| form())?;
        if numbers.len() != columns {
            return Err(form());
        }
        let mut pegs = [0; MOST_COLUMNS];
        for (column, level) in numbers.into_iter().enumerate() {
            let top = self.length(column);
            if level > top {
                return Err(format!("column {} has {top} squares, not {level}", column + 2));
            }
            pegs[column] = level;
        }
        Ok(pegs)
    }

    fn read_markers(&self, text: &str, state: &mut State) -> Result<(), String> {
        if text == "-" {
            return Ok(());
        }
        let mut markers = Vec::new();
        for part in text.split(',') {
            let numbers = part.split_once(':').and_then(|(c, l)| Some((c.parse().ok()?, l.parse().ok()?)));
            let Some((column, level)) =
                numbers.filter(|(c, _): &(usize, u8)| (2..self.columns() + 2).contains(c))
            else {
                return Err(format!("'{part}' is not a marker such as 7:3, its column and its level"));
            };
            let (top, peg) = (self.length(column - 2), state.pegs[state.player.index()][column - 2]);
            if self.claimed(state, column - 2) {
                return Err(format!("column {column} is claimed, no marker can be there"));
            }
            if level <= peg || level > top {
                return Err(format!(
                    "a marker in column {column} is above the peg at {peg} and at most at {top}, not at {level}"
                ));
            }
            markers.push(Marker { place: column as u8 - 1, level });
        }
        markers.sort_unstable();
        if markers.len() > MARKERS || markers.windows(2).any(|pair| pair[0].place == pair[1].place) {
            return Err(format!("there are at most {MARKERS} markers, each in its own column"));
        }
        state.markers[MARKERS - markers.len()..].copy_from_slice(&markers);
        Ok(())
    }
}

impl Notation for CantStop {
    fn write_state(&self, state: &State) -> String {
        let pegs = |player: Player| {
            let levels: Vec<String> =
                state.pegs[player.index()][..self.columns()].iter().map(u8::to_string).collect();
            levels.join(",")
        };
        let marked: Vec<String> =
            state.marked().map(|(column, level)| format!("{}:{level}", column + 2)).collect();
        let markers = if marked.is_empty() { "-".into() } else { marked.join(",") };
        let phase = match state.phase {
            Phase::Ready => "ready".into(),
            Phase::Rolling => "rolling".into(),
            Phase::Choosing(throw) => self.write_throw(throw),
        };
        format!("{} {} {} {markers} {phase}", pegs(Player::Max), pegs(Player::Min), state.player.name())
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let wrong = |why: String| ReadError::position(text, why);
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[first, second, player, markers, phase] = &words[..] else {
            let example = self.write_state(&self.start());
            return Err(wrong(format!("not five words; expected something like {example}")));
        };
        let player = Player::named(player)
            .ok_or_else(|| wrong(format!("the player '{player}' is neither p1 nor p2")))?;
        if self.players == 1 && player == Player::Min {
            return Err(wrong("p1 plays alone".into()));
        }
        let pegs = [self.read_pegs(first).map_err(wrong)?, self.read_pegs(second).map_err(wrong)?];
        let mut state = State { pegs, markers: [Marker::default(); MARKERS], player, phase: Phase::Ready };
        for (column, both) in
            pegs[0].iter().zip(pegs[1]).map(|(&a, b)| [a, b]).take(self.columns()).enumerate()
        {
            let top = self.length(column);
            if both.contains(&top) && both != [top, 0] && both != [0, top] {
                return Err(wrong(format!("column {} is claimed and has another peg in it", column + 2)));
            }
        }
        if self.players == 1 && pegs[1].iter().any(|&level| level > 0) {
            return Err(wrong("p1 plays alone, but p2 has pegs on the board".into()));
        }
        let won = |state: &State| {
            [Player::Max, Player::Min].map(|p| self.owned(state, p) >= usize::from(self.goal))
        };
        if won(&state) == [true, true] {
            return Err(wrong("both players cannot have won".into()));
        }
        self.read_markers(markers, &mut state).map_err(wrong)?;
        match phase {
            "ready" => return Ok(state),
            _ if matches!(self.turn(&state), Turn::Over(_)) => {
                return Err(wrong("the game is over, nobody rolls".into()));
            }
            "rolling" => state.phase = Phase::Rolling,
            dice => {
                let throw = self.read_throw(dice).ok_or_else(|| {
                    wrong(format!(
                        "'{dice}' is neither ready, rolling nor four dice from 1 to {}",
                        self.sides
                    ))
                })?;
                let mut usable = false;
                self.advances(&state, throw, |_| usable = true);
                if !usable {
                    return Err(wrong(format!("with {dice} there is nothing to choose: it is a bust")));
                }
                state.phase = Phase::Choosing(throw);
            }
        }
        Ok(state)
    }

    fn write_action(&self, _state: &State, action: Action) -> String {
        match action {
            Action::Roll => "roll".into(),
            Action::Stop => "stop".into(),
            Action::Advance(first, None) => format!("pair {}", first + 2),
            Action::Advance(first, Some(second)) => format!("pair {}+{}", first + 2, second + 2),
        }
    }

    fn write_outcome(&self, _state: &State, outcome: Dice) -> String {
        match usize::from(outcome.roll).checked_sub(1) {
            Some(roll) => write_faces(self.orders[roll]),
            None => self.write_throw(outcome.throw),
        }
    }

    /// Four dice in any order; the order counts only if rolls are distinguished.
    fn spoken_outcome(&self, state: &State, text: &str) -> Option<Result<Dice, String>> {
        let said = said(text)?;
        Some(said.check(4, self.sides.into()).map(|()| {
            let faces = [0, 1, 2, 3].map(|at| said.faces[at] as u8);
            let name = write_faces(faces);
            let throw = self.read_throw(&name).expect("four faces of these dice");
            let mut outcomes = Vec::new();
            self.outcomes(state, &mut outcomes);
            let is_it = |dice: &Dice| match usize::from(dice.roll).checked_sub(1) {
                Some(roll) => self.orders[roll] == faces,
                None => dice.throw == throw,
            };
            outcomes.into_iter().map(|outcome| outcome.item).find(is_it).expect("every roll is an outcome")
        }))
    }

    fn read_action(&self, state: &State, text: &str) -> Result<Action, ReadError> {
        // The two sums of a pairing may come in either order.
        let turned = text.trim().to_lowercase().strip_prefix("pair").and_then(|sums| {
            let (x, y) = sums.trim().split_once('+')?;
            Some(format!("pair {}+{}", y.trim(), x.trim()))
        });
        self.legal_action(state, text)
            .or_else(|error| turned.and_then(|text| self.legal_action(state, &text).ok()).ok_or(error))
    }

    fn remark(&self, state: &State, outcome: Dice) -> Option<String> {
        let mut usable = false;
        self.advances(state, outcome.throw, |_| usable = true);
        (!usable).then(|| "a bust: the progress of this turn is lost".into())
    }

    fn why_not(&self, state: &State, text: &str) -> Option<String> {
        let mut words = text.split_whitespace();
        match (words.next()?, state.phase) {
            ("stop", Phase::Ready) => Some("a turn begins with a roll".into()),
            ("roll" | "stop", Phase::Choosing(_)) => {
                Some("the dice are thrown: choose a pairing first".into())
            }
            ("pair", Phase::Ready) => Some("no dice are thrown: roll first".into()),
            ("pair", Phase::Choosing(throw)) => {
                let sums: Vec<u8> =
                    words.next()?.split('+').map(str::parse).collect::<Result<_, _>>().ok()?;
                let pairings = self.pairings(throw).map(|(x, y)| [x + 2, y + 2]);
                let fits = pairings.iter().any(|pair| match sums[..] {
                    [x, y] => pair == &[x, y] || pair == &[y, x],
                    [x] => pair.contains(&x),
                    _ => false,
                });
                if !fits {
                    return Some(format!("the dice {} cannot be paired that way", self.write_throw(throw)));
                }
                let full = |sum: &&u8| {
                    let column = usize::from(**sum) - 2;
                    self.claimed(state, column) || state.reached(column) >= self.length(column)
                };
                let unmarked = |sum: &&u8| state.level(usize::from(**sum) - 2) == 0;
                let free = state.markers.iter().filter(|marker| marker.place == 0).count();
                Some(if let Some(sum) = sums.iter().find(full) {
                    format!("column {sum} is full")
                } else if free == 0 && sums.iter().any(|sum| unmarked(&sum)) {
                    "all three markers are placed, in other columns".into()
                } else if sums.len() == 1 {
                    "both sums of a pairing are used where they can be".into()
                } else {
                    "one marker is left, for one of these columns".into()
                })
            }
            _ => None,
        }
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new();
        for column in 0..self.columns() {
            let top = self.length(column);
            let owner = [Player::Max, Player::Min].into_iter().find(|p| state.pegs[p.index()][column] == top);
            let level = state.level(column);
            picture.push(format!("  {:>2} ", column + 2));
            picture.paint(Ink::Faint, "│");
            for square in 1..=top {
                let pegs = state.pegs.map(|pegs| pegs[column] == square);
                let (ink, peg) = match (owner, pegs) {
                    (Some(Player::Max), _) => (Ink::First, "1"),
                    (Some(Player::Min), _) => (Ink::Second, "2"),
                    (_, [true, true]) => (Ink::Plain, "%"),
                    (_, [true, false]) => (Ink::First, "1"),
                    (_, [false, true]) => (Ink::Second, "2"),
                    _ if square == level => (Ink::Plain, " "),
                    _ => (Ink::Faint, "·"),
                };
                // A marker is drawn after the peg with which it shares a square.
                if square == level && owner.is_none() {
                    picture.paint(ink, peg);
                    picture.paint(Ink::Mark, "#");
                } else {
                    picture.paint(ink, format!(" {peg}"));
                }
            }
            picture.push("\n");
        }
        picture.paint(Ink::Faint, "     1, 2 pegs (% both), # markers of this turn");
        if let Phase::Choosing(throw) = state.phase {
            picture.push("\n     dice: ");
            picture.paint(Ink::Mark, self.write_throw(throw));
        }
        picture
    }

    /// The levels of player 1, of player 2 and of the markers (0 without one) in each column, as shares of
    /// its length; the player to act (0 or 1), whether dice are being rolled, and the four dice (0 before the
    /// roll).
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let share = |column: usize, level: u8| f32::from(level) / f32::from(self.length(column));
        for pegs in &state.pegs {
            let columns = pegs[..self.columns()].iter().enumerate();
            out.extend(columns.map(|(column, &level)| share(column, level)));
        }
        let from = out.len();
        out.resize(from + self.columns(), 0.0);
        for (column, level) in state.marked() {
            out[from + column] = share(column, level);
        }
        let rolling = u8::from(state.phase == Phase::Rolling);
        out.extend([state.player.index() as f32, f32::from(rolling)]);
        match state.phase {
            Phase::Choosing(throw) => out.extend(self.faces[usize::from(throw.0)].map(f32::from)),
            Phase::Ready | Phase::Rolling => out.extend([0.0; 4]),
        }
    }
}
