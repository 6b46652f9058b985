//! Games of chess in Portable Game Notation, as other programs write and read it.

use crate::record::Record;
use std::fmt::Write;

/// A parsed game: its tags, and its moves as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line, without comments and variations.
    pub moves: Vec<String>,
    /// The line of the text that holds each move, counted from 1.
    pub lines: Vec<usize>,
    /// The line that holds the initial position, if it is not the usual one.
    pub start_line: usize,
}

impl Game {
    /// The initial position, if it is not the usual one.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.tags.iter().find(|(name, _)| name == "FEN").map(|(_, value)| value.as_str())
    }
}

/// Parses all games of a text. Anything unrecognised is taken for a move, so that the caller who plays the
/// moves can report what is wrong with them.
#[must_use]
pub fn read(text: &str) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    let mut game = Game::default();
    let mut variations = 0_u32;
    let mut rest = text.trim_start_matches('\u{feff}');
    let (mut line, mut counted) = (1, rest.len());
    while let Some(first) = rest.chars().next() {
        line += text[text.len() - counted..text.len() - rest.len()].matches('\n').count();
        counted = rest.len();
        match first {
            '[' if variations == 0 => {
                // Tags after moves begin the next game.
                if !game.moves.is_empty() {
                    games.push(std::mem::take(&mut game));
                }
                let end = rest.find('\n').unwrap_or(rest.len());
                let inner = rest[..end].trim().trim_start_matches('[').trim_end_matches(']');
                if let Some((name, value)) = inner.split_once(char::is_whitespace) {
                    let value = value.trim();
                    let value = value.strip_prefix('"').unwrap_or(value);
                    let value = value.strip_suffix('"').unwrap_or(value);
                    let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
                    if name == "FEN" && game.start().is_none() {
                        game.start_line = line;
                    }
                    game.tags.push((name.into(), value));
                }
                rest = &rest[end..];
            }
            '{' => rest = rest.find('}').map_or("", |end| &rest[end + 1..]),
            ';' | '%' => rest = rest.find('\n').map_or("", |end| &rest[end..]),
            '(' => (variations, rest) = (variations + 1, &rest[1..]),
            ')' => (variations, rest) = (variations.saturating_sub(1), &rest[1..]),
            _ if first.is_whitespace() => rest = &rest[first.len_utf8()..],
            _ => {
                let ends = |c: char| c.is_whitespace() || "(){};".contains(c);
                // A character that ends words and begins none, such as a stray }, is a word by itself.
                let end = rest.find(ends).unwrap_or(rest.len()).max(first.len_utf8());
                let (word, after) = rest.split_at(end);
                rest = after;
                if variations > 0 {
                    continue;
                }
                if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
                    games.push(std::mem::take(&mut game));
                    continue;
                }
                // A move number, with or without a space before the move: 12. or 12...
                let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let word = word.trim_end_matches(['!', '?']);
                if !word.is_empty() && !word.starts_with('$') {
                    game.moves.push(word.into());
                    game.lines.push(line);
                }
            }
        }
    }
    if !game.moves.is_empty() {
        games.push(game);
    }
    games
}

/// Formats a recorded game of chess as PGN.
#[must_use]
pub fn write(record: &Record) -> String {
    let mut text = String::new();
    let quoted = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let result = record.result();
    let mut tags = vec![
        ("Event", "match".to_string()),
        ("Site", "?".into()),
        ("Date", "????.??.??".into()),
        ("Round", format!("{}.{}", record.pair + 1, record.number)),
        ("White", record.players[0].clone()),
        ("Black", record.players[1].clone()),
        ("Result", result.into()),
    ];
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    if record.start != START {
        tags.extend([("SetUp", "1".to_string()), ("FEN", record.start.clone())]);
    }
    for (name, value) in tags {
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(&value));
    }
    text.push('\n');
    // The initial position holds the side to move and the move number.
    let fields: Vec<&str> = record.start.split(' ').collect();
    let mut number: u32 = fields.get(5).and_then(|number| number.parse().ok()).unwrap_or(1);
    let mut white = fields.get(1) != Some(&"b");
    let (mut line, mut first) = (String::new(), true);
    let moves = record.events.iter().filter_map(|event| event.action.as_deref());
    let mut words = Vec::new();
    for action in moves {
        match (white, first) {
            (true, _) => words.push(format!("{number}.")),
            (false, true) => words.push(format!("{number}...")),
            _ => {}
        }
        words.push(action.into());
        first = false;
        number += u32::from(!white);
        white = !white;
    }
    words.push(result.into());
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > 79 {
            text += &line;
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += &word;
    }
    text += &line;
    text += "\n\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_without_comments_variations_and_numbers() {
        let text = "[Event \"a \\\"b\\\"\"]\n[FEN \"x\"]\n\n1. e4 {best (by test)} e5 2.Nf3! (2. f4 exf4 (2... d5)) \
                    Nc6 $1 ; a line\n3. Bb5 a6?! 1-0\n\n[Event \"two\"]\n\n1. d4 *\n1. c4 c5";
        let games = read(text);
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].moves, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
        assert_eq!((games[0].tags[0].1.as_str(), games[0].start()), ("a \"b\"", Some("x")));
        assert_eq!((games[1].moves.len(), games[2].moves.len()), (1, 2));
        assert_eq!((games[0].start_line, &games[0].lines[..]), (2, &[4, 4, 4, 4, 5, 5][..]));
        assert_eq!((&games[1].lines[..], &games[2].lines[..]), (&[9][..], &[10, 10][..]));
        assert!(read("").is_empty() && read("{ open").is_empty());
        assert_eq!(read("1. e4 } e5")[0].moves, ["e4", "}", "e5"]);
    }
}
