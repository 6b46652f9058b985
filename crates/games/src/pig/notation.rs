//! Text and pictures of Pig.

use super::dice::faces;
use super::{Action, Dice, Outcomes, Pig, Roll, State};
use crate::dice::said;
use astragal_core::{Game, Ink, Notation, Picture, Player, ReadError, Turn};

impl Notation for Pig {
    fn write_state(&self, state: &State) -> String {
        let [first, second] = state.scores();
        let rolling = if state.rolling { " rolling" } else { "" };
        format!("{first}-{second}+{} {}{rolling}", state.total, state.player.name())
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let wrong = |why: String| ReadError::position(text, why);
        let form = || {
            wrong("expected A-B+T pN, such as 30-45+12 p1: both scores, the turn total, who is to act".into())
        };
        let mut words = text.split_whitespace();
        let (numbers, player, last) = (words.next(), words.next(), words.next());
        let (first, rest) = numbers.and_then(|n| n.split_once('-')).ok_or_else(form)?;
        let (second, total) = rest.split_once('+').ok_or_else(form)?;
        let player = player.and_then(Player::named).ok_or_else(form)?;
        let rolling = match last {
            None => false,
            Some("rolling") if words.next().is_none() => true,
            Some(_) => return Err(form()),
        };
        // Digits only: `parse` would also accept a plus sign.
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| digits.parse::<u16>().unwrap_or(u16::MAX)).ok_or_else(form)
        };
        for score in [first, second] {
            if number(score)? >= self.target {
                return Err(wrong(format!("the score {score} is not below the target {}", self.target)));
            }
        }
        let (scores, total) = ([number(first)?, number(second)?], number(total)?);
        let mut state = self.state(scores, total, player).ok_or_else(|| {
            wrong(format!("the turn total {total} is more than can be rolled on the way to {}", self.target))
        })?;
        if rolling && let Turn::Over(_) = self.turn(&state) {
            return Err(wrong("the game is over, nobody can be rolling".into()));
        }
        state.rolling = rolling;
        Ok(state)
    }

    fn write_action(&self, _state: &State, action: Action) -> String {
        match action {
            Action::Roll => "roll".into(),
            Action::Hold => "hold".into(),
        }
    }

    fn why_not(&self, _state: &State, text: &str) -> Option<String> {
        // Rolling is always legal, holding except at the start of a turn.
        (text == "hold").then(|| "there is nothing to hold before the first roll of a turn".into())
    }

    fn write_outcome(&self, _state: &State, outcome: Dice) -> String {
        match (outcome.faces, outcome.roll()) {
            (0, Roll::Bust) => "bust".into(),
            (0, Roll::Reset) => "reset".into(),
            (0, Roll::Add(points)) => format!("+{points}"),
            (faces, _) => faces.to_string(),
        }
    }

    fn spoken_outcome(&self, _state: &State, text: &str) -> Option<Result<Dice, String>> {
        let said = said(text)?;
        let is_sum = self.dice == 2 && self.outcomes == Outcomes::Merged;
        let outcome = match (self.dice, &said.faces[..]) {
            (1, &[1]) => Ok(Dice::new(Roll::Bust)),
            (1, _) => said.check(1, 6).map(|()| Dice::new(Roll::Add(said.faces[0] as u8))),
            (_, &[sum @ 4..=9]) if is_sum => Ok(Dice::new(Roll::Add(sum as u8))),
            (_, [1, 0]) if is_sum && said.is_joined => Ok(Dice::new(Roll::Add(10))),
            (_, &[1, other @ 1..=2]) if is_sum && said.is_joined => {
                let what = if other == 1 { "reset" } else { "bust" };
                Err(format!(
                    "the dice 1 and {other} ({what}), or the sum +1{other}? Type 1 {other} or +1{other}"
                ))
            }
            (_, [_]) if is_sum => {
                Err("two dice are rolled: type both, such as 3 4, or their sum, from 4 to 12".into())
            }
            _ => said.check(2, 6).map(|()| {
                let [one, other] = [0, 1].map(|at| said.faces[at] as u8);
                match self.outcomes {
                    Outcomes::Merged => Dice::new(faces(one, other).roll()),
                    Outcomes::Pairs => faces(one.min(other), one.max(other)),
                    Outcomes::Rolls => faces(one, other),
                }
            }),
        };
        Some(outcome)
    }

    fn picture(&self, state: &State) -> Picture {
        const WIDTH: usize = 40;
        let mut picture = Picture::new();
        for player in [Player::Max, Player::Min] {
            let score = state.score(player);
            let total = if player == state.player { state.total } else { 0 };
            let cells = |points: u16| (usize::from(points) * WIDTH / usize::from(self.target)).min(WIDTH);
            let (banked, risked) = (cells(score), cells(score.saturating_add(total)));
            picture.paint(Ink::Mark, if player == state.player { "> " } else { "  " });
            picture.paint(Ink::of(player), format!("{} {}", player.name(), "█".repeat(banked)));
            picture.paint(Ink::Mark, "▒".repeat(risked - banked));
            picture.paint(Ink::Faint, "·".repeat(WIDTH - risked));
            picture.push(format!(" {score}"));
            if total > 0 {
                picture.paint(Ink::Mark, format!(" +{total}"));
            }
            picture.push("\n");
        }
        let dice = if self.dice == 1 { "one die" } else { "two dice" };
        picture.paint(Ink::Faint, format!("       first to {} with {dice}", self.target));
        picture
    }

    /// Both scores and the turn total as shares of the target, the player to act (0 or 1), and whether the
    /// dice are being rolled.
    fn features(&self, state: &State, out: &mut Vec<f32>) {
        let [first, second] = state.scores();
        out.extend([first, second, state.total].map(|points| f32::from(points) / f32::from(self.target)));
        out.extend([state.player.index() as f32, f32::from(u8::from(state.rolling))]);
    }
}
