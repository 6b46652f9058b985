//! Text and pictures of Kalah.
//!
//! `PITS|STORE PITS|STORE pN`: each side's pits in its order of sowing, separated by commas, and its store.

use super::{Kalah, Pit, Side, State, stones_in};
use astragal_core::{Game, Ink, Notation, Picture, Player, ReadError};

impl Kalah {
    /// The number of stones in each pit of a side, in the order of sowing.
    fn pits(&self, side: Side) -> impl DoubleEndedIterator<Item = u8> + use<> {
        (0..self.pits).map(move |pit| stones_in(side.pits, pit))
    }

    /// Parses one side, `PITS|STORE`.
    fn read_side(&self, text: &str) -> Result<Side, String> {
        let Some((pits, store)) = text.split_once('|') else {
            return Err(format!("'{text}' is not a list of pits, a | and a store"));
        };
        let number = |text: &str| {
            text.trim()
                .parse::<u8>()
                .ok()
                .filter(|stones| *stones <= self.total())
                .ok_or_else(|| format!("'{text}' is not a number of stones from 0 to {}", self.total()))
        };
        let pits = pits.split(',').map(number).collect::<Result<Vec<u8>, String>>()?;
        if pits.len() != usize::from(self.pits) {
            return Err(format!("{} pits instead of {}", pits.len(), self.pits));
        }
        let pits = pits.iter().rev().fold(0, |pits, stones| pits << 8 | u64::from(*stones));
        Ok(Side { pits, store: number(store)? })
    }
}

impl Notation for Kalah {
    fn write_state(&self, state: &State) -> String {
        let [first, second] = state.sides().map(|side| {
            let pits: Vec<String> = self.pits(side).map(|stones| stones.to_string()).collect();
            format!("{}|{}", pits.join(","), side.store)
        });
        format!("{first} {second} {}", state.player.name())
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let wrong = |why: String| ReadError::position(text, why);
        let words: Vec<&str> = text.split_whitespace().collect();
        let [first, second, player] = words[..] else {
            return Err(wrong(format!(
                "not two sides and a player; expected something like {}",
                self.write_state(&self.start())
            )));
        };
        let player = Player::named(player).ok_or_else(|| wrong("the player is neither p1 nor p2".into()))?;
        let sides = [self.read_side(first).map_err(&wrong)?, self.read_side(second).map_err(&wrong)?];
        let stones = |side: Side| self.pits(side).chain([side.store]).map(u32::from).sum::<u32>();
        let count: u32 = sides.map(stones).iter().sum();
        if count != u32::from(self.total()) {
            return Err(wrong(format!("{count} stones instead of {}", self.total())));
        }
        if sides.iter().filter(|side| side.pits == 0).count() == 1 {
            return Err(wrong(
                "a side without stones ends the game, and what the other has left belongs in a store".into(),
            ));
        }
        Ok(State::new(sides, player))
    }

    fn write_action(&self, _state: &State, action: Pit) -> String {
        (action.0 + 1).to_string()
    }

    fn why_not(&self, _state: &State, text: &str) -> Option<String> {
        let pit: u8 = text.parse().ok()?;
        Some(if (1..=self.pits).contains(&pit) {
            format!("pit {pit} is empty")
        } else {
            format!("pits are numbered from 1 to {}, the last next to the store", self.pits)
        })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new();
        let [first, second] = state.sides();
        let numbers = |backwards: bool| -> String {
            let number = |pit: u8| format!("{:>4}", if backwards { self.pits - pit } else { pit + 1 });
            (0..self.pits).map(number).collect()
        };
        let line = "─".repeat(4 * usize::from(self.pits) + 1);
        picture.paint(Ink::Faint, format!("       {}   p2\n", numbers(true)));
        picture.paint(Ink::Faint, format!("  ┌────┬{line}┬────┐\n  │    │"));
        for stones in self.pits(second).rev() {
            picture.paint(Ink::Second, format!("{stones:>4}"));
        }
        picture.paint(Ink::Faint, " │    │\n  │");
        picture.paint(Ink::Second, format!("{:>3} ", second.store));
        picture.paint(Ink::Faint, format!("├{line}┤"));
        picture.paint(Ink::First, format!("{:>3} ", first.store));
        picture.paint(Ink::Faint, "│\n  │    │");
        for stones in self.pits(first) {
            picture.paint(Ink::First, format!("{stones:>4}"));
        }
        picture.paint(Ink::Faint, format!(" │    │\n  └────┴{line}┴────┘\n"));
        picture.paint(Ink::Faint, format!("       {}   p1", numbers(false)));
        picture
    }

    /// The stones in the pits of player 1 and of player 2, in the order of sowing, then those in their
    /// stores, then the player to act (0 or 1).
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let sides = state.sides();
        out.extend(sides.into_iter().flat_map(|side| self.pits(side)).map(f32::from));
        out.extend(sides.map(|side| f32::from(side.store)));
        out.push(state.player.index() as f32);
    }
}
