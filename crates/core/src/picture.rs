//! A drawing of a position: text, parts of it in ink.
//!
//! Games say what a piece of the drawing is, never how it looks: a terminal, a page or a notebook chooses its
//! own colours, or none. A drawing must be complete without colours.

use crate::Player;
use std::fmt;

/// What a piece of a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Plain text.
    #[default]
    Plain,
    /// Belongs to player 1.
    First,
    /// Belongs to player 2.
    Second,
    /// The subject of this turn: dice, markers, the roll.
    Mark,
    /// Background: frames, empty squares, legends.
    Faint,
}

impl Ink {
    /// A player's ink.
    #[must_use]
    pub fn of(player: Player) -> Self {
        match player {
            Player::Max => Self::First,
            Player::Min => Self::Second,
        }
    }
}

/// A drawing on one or several lines: pieces of text, each in one ink.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    text: String,
    /// Where each piece ends in the text, and its ink. Neighbours differ in ink, and no piece is empty.
    ends: Vec<(usize, Ink)>,
}

impl Picture {
    /// An empty picture.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds plain text.
    pub fn push(&mut self, text: impl AsRef<str>) {
        self.paint(Ink::Plain, text);
    }

    /// Adds text in an ink.
    pub fn paint(&mut self, ink: Ink, text: impl AsRef<str>) {
        if text.as_ref().is_empty() {
            return;
        }
        self.text.push_str(text.as_ref());
        let end = self.text.len();
        match self.ends.last_mut() {
            Some((last, same)) if *same == ink => *last = end,
            _ => self.ends.push((end, ink)),
        }
    }

    /// The pieces in order. Neighbours differ in ink, and none is empty.
    pub fn pieces(&self) -> impl Iterator<Item = (Ink, &str)> {
        let mut from = 0;
        self.ends.iter().map(move |&(end, ink)| {
            let piece = &self.text[from..end];
            from = end;
            (ink, piece)
        })
    }

    /// Whether the picture is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// Writes the text without its inks.
impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl From<&str> for Picture {
    fn from(text: &str) -> Self {
        let mut picture = Self::new();
        picture.push(text);
        picture
    }
}

impl From<String> for Picture {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text_cut_where_the_ink_changes() {
        let mut picture = Picture::from("a ");
        picture.push("b");
        picture.paint(Ink::First, "ä");
        picture.paint(Ink::Mark, "");
        picture.paint(Ink::First, "█\n");
        picture.paint(Ink::Faint, "·");
        let pieces: Vec<_> = picture.pieces().collect();
        assert_eq!(pieces, [(Ink::Plain, "a b"), (Ink::First, "ä█\n"), (Ink::Faint, "·")]);
        assert_eq!(picture.to_string(), "a bä█\n·");
        assert_ne!(picture, Picture::from(picture.to_string()), "the ink counts");
    }

    #[test]
    fn nothing_drawn_is_empty() {
        assert!(Picture::new().is_empty() && Picture::from("").is_empty());
        assert_eq!(Picture::from(String::new()).pieces().count(), 0);
    }
}
