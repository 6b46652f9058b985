//! Breaks text into lines that fit the terminal, at words.

use crate::progress::columns_of;
use unicode_width::UnicodeWidthChar;

/// A space at which no line is broken; it is printed as a space.
const GLUE: char = '\u{a0}';

/// The columns for text on standard output: those of the terminal, or 80 if there is none, less the last one,
/// because some terminals break the line as soon as it is written.
pub(crate) fn width() -> usize {
    columns_of(std::io::stdout()).saturating_sub(1)
}

/// A name that stays on one line, although it may contain spaces.
pub(crate) fn glued(name: &str) -> String {
    name.replace(' ', &GLUE.to_string())
}

/// Breaks the lines of a text that are longer than `width` columns at spaces. What follows is indented by
/// `indent` columns. A word that is too long by itself is broken after a comma, as specs can be, or not at
/// all.
pub(crate) fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            wrapped.push('\n');
        }
        wrap_line(line, width, indent, &mut wrapped);
    }
    wrapped.replace(GLUE, " ")
}

fn wrap_line(line: &str, width: usize, indent: usize, out: &mut String) {
    let (mut column, mut is_first) = (0, true);
    let mut rest = line;
    while !rest.is_empty() {
        let word_at = rest.find(|c| c != ' ').unwrap_or(rest.len());
        let (spaces, after) = rest.split_at(word_at);
        let (word, after) = after.split_at(after.find(' ').unwrap_or(after.len()));
        rest = after;
        let mut pieces: Vec<&str> = vec![word];
        if indent + columns(word) > width {
            pieces = word.split_inclusive(',').collect();
        }
        for (at, piece) in pieces.into_iter().enumerate() {
            let gap = if at == 0 { spaces } else { "" };
            if is_first || column + gap.len() + columns(piece) <= width {
                *out += gap;
                column += gap.len();
            } else {
                *out += &format!("\n{:indent$}", "");
                column = indent;
            }
            *out += piece;
            column += columns(piece);
            is_first = false;
        }
    }
}

/// The columns that a text takes, without the escape sequences of its styles.
fn columns(text: &str) -> usize {
    let (mut columns, mut is_escape) = (0, false);
    for c in text.chars() {
        match c {
            '\x1b' => is_escape = true,
            'm' if is_escape => is_escape = false,
            _ if is_escape => {}
            c => columns += c.width().unwrap_or(0),
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::{BOLD, styled};

    #[test]
    fn lines_end_between_words() {
        let text = "type an action, or any part of it that identifies one";
        for width in 12..70 {
            let wrapped = wrap(text, width, 2);
            assert!(wrapped.lines().all(|line| line.len() <= width), "{wrapped}");
            let words: Vec<&str> = wrapped.split_whitespace().collect();
            assert_eq!(words.join(" "), text, "no word is split");
            assert!(wrapped.lines().skip(1).all(|line| line.starts_with("  ")), "{wrapped}");
        }
        assert_eq!(wrap(text, 70, 2), text);
        assert_eq!(wrap("  a b", 4, 2), "  a\n  b", "the first line keeps its indentation");
        assert_eq!(wrap("a  b", 4, 0), "a  b", "and its gaps");
        assert_eq!(wrap("one\ntwo", 3, 0), "one\ntwo");
        assert_eq!(wrap("würfelt nicht", 7, 0), "würfelt\nnicht", "columns, not bytes");
    }

    #[test]
    fn long_specs_are_broken_after_commas_and_names_are_not() {
        let spec = "star2(eval=lead,depth=1000,probes=1)";
        assert_eq!(wrap(spec, 20, 4), "star2(eval=lead,\n    depth=1000,\n    probes=1)");
        assert_eq!(
            wrap(&format!("{} · {}", glued("pair 5+12"), glued("pair 7+10")), 12, 0),
            "pair 5+12 ·\npair 7+10"
        );
        assert_eq!(wrap("unbreakable", 4, 0), "unbreakable");
    }

    #[test]
    fn styles_take_no_columns() {
        let bold = styled(BOLD, "roll");
        assert_eq!(wrap(&format!("{bold} {bold}"), 9, 0), format!("{bold} {bold}"));
    }
}
