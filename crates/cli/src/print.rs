//! Formatting of results.

use crate::wrap;
use anstyle::{AnsiColor, Style};
use astragal_catalog::{AnyGame, brief_game};
use astragal_core::{Ink, Interval, Line, Picture, Turn};
use comfy_table::{Cell, CellAlignment, Table, presets};
use unicode_width::UnicodeWidthStr;

/// Text styles, which `anstream` removes if the output is not a terminal.
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Renders a picture in colours, which only repeat what its text says. No colour spans a line break, because
/// pagers show lines one by one.
pub(crate) fn picture(picture: &Picture) -> String {
    let style = |ink| match ink {
        Ink::Plain => Style::new(),
        Ink::First => Style::new().fg_color(Some(AnsiColor::Cyan.into())).bold(),
        Ink::Second => Style::new().fg_color(Some(AnsiColor::Magenta.into())).bold(),
        Ink::Mark => Style::new().fg_color(Some(AnsiColor::Green.into())).bold(),
        Ink::Faint => DIM,
    };
    let mut text = String::new();
    for (ink, piece) in picture.pieces() {
        for line in piece.split_inclusive('\n') {
            let drawn = line.trim_end_matches('\n');
            text += &styled(style(ink), drawn);
            text += &line[drawn.len()..];
        }
    }
    text
}

/// A number with its sign, without a minus before what is rounded to 0. All values are printed by it.
pub(crate) fn signed(number: f64, decimals: usize) -> String {
    without_minus_zero(&format!("{number:+.decimals$}"))
}

/// The text with a plus for the minus before every zero.
pub(crate) fn without_minus_zero(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let number = text[at + c.len_utf8()..].split(|c: char| !c.is_ascii_digit() && c != '.').next();
        let is_zero = |number: &str| number.starts_with('0') && number.chars().all(|c| "0.".contains(c));
        let is_sign = c == '-' && !out.ends_with(char::is_alphanumeric);
        out.push(if is_sign && number.is_some_and(is_zero) { '+' } else { c });
    }
    out
}

/// A signed value with four decimals.
pub(crate) fn value(value: f64) -> String {
    signed(value, 4)
}

/// Elo points.
pub(crate) fn elo(points: f64) -> String {
    signed(points, 0)
}

/// A count with its thousands separated by spaces.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun, such as `1 cut` or `1 612 probes`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A table without borders; the columns in `right` are right-aligned.
pub(crate) fn columns(
    header: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if !header.is_empty() {
        table.set_header(header.iter().map(Cell::new));
    }
    for row in rows {
        table.add_row(row);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if right.contains(&i) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string().lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// The same, with the words of the last column wrapped so that no line is longer than the terminal is wide.
pub(crate) fn columns_of_text(
    header: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    // A narrower column of words is harder to read than a broken line.
    const LEAST: usize = 24;
    let mut rows: Vec<Vec<String>> = rows.into_iter().collect();
    let last = rows.iter().map(Vec::len).max().unwrap_or(1).saturating_sub(1);
    let heads = header.iter().map(|name| (*name).to_string()).collect();
    let width_of = |column: usize| {
        let cells =
            rows.iter().chain(std::iter::once(&heads)).filter_map(|row: &Vec<String>| row.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let before: usize = (0..last).map(|column| width_of(column) + 2).sum();
    let room = wrap::width().saturating_sub(before).max(LEAST);
    for row in &mut rows {
        if let Some(text) = row.get_mut(last) {
            *text = wrap::wrap(text, room, 0);
        }
    }
    columns(header, right, rows)
}

/// The value of a root line: exact, with its error, as a bound, or `?` if unknown.
pub(crate) fn line_value(line: &Line<String>) -> String {
    let Interval { lo, hi } = line.bounds;
    if let Some(error) = line.error {
        format!("{} ± {error:.4}", value(line.value))
    } else if lo == hi || line.deviation.is_some() {
        value(line.value)
    } else if line.value == hi {
        format!("≤ {}", value(line.value))
    } else if line.value == lo {
        format!("≥ {}", value(line.value))
    } else {
        "?".into()
    }
}

/// The head of a text about a position: the game without the parameters that have their default values, and
/// the position.
pub(crate) fn header(game: &dyn AnyGame, position: &str) -> String {
    wrap::wrap(&format!("{}  {position}", brief_game(game.spec())), wrap::width(), 2)
}

/// Describes whose turn it is.
pub(crate) fn turn(turn: Turn, range: Interval) -> String {
    match turn {
        Turn::Decide(player) => format!("{} to act", player.name()),
        Turn::Chance => "chance to act".into(),
        Turn::Over(payoff) => format!("over: {}", result(payoff, range)),
    }
}

/// Describes the result of a game.
pub(crate) fn result(payoff: f64, range: Interval) -> String {
    // Without the minus of a zero.
    let payoff = payoff + 0.0;
    // Payoffs for winning and losing are symmetric; those of a user-defined tree need not be.
    if range.lo != -range.hi {
        format!("the value is {payoff}")
    } else if payoff == range.hi {
        format!("p1 wins ({payoff:+})")
    } else if payoff == range.lo {
        format!("p2 wins ({payoff:+})")
    } else if payoff == 0.0 {
        "a draw".into()
    } else {
        format!("the value is {payoff:+}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_minus_zero() {
        for decimals in 0..6 {
            for tiny in [-0.0, -1e-9, -0.4e-6] {
                let text = signed(tiny, decimals);
                assert!(!text.contains('-') && text.starts_with("+0"), "{tiny}: {text}");
            }
        }
        assert_eq!(
            (value(-0.00004), value(-0.00006), elo(-0.3)),
            ("+0.0000".into(), "-0.0001".into(), "+0".into())
        );
        assert_eq!(without_minus_zero("-0.0 of ±100: about 50 %"), "+0.0 of ±100: about 50 %");
        assert_eq!(without_minus_zero("-0.5, -10.0, a-b, 1-0"), "-0.5, -10.0, a-b, 1-0");
        assert_eq!((signed(-10.0, 1), signed(0.05, 2)), ("-10.0".into(), "+0.05".into()));
        let line = Line::new("roll".to_string(), -1e-7, Interval::point(-1e-7), 1);
        assert_eq!(line_value(&line), "+0.0000");
        assert_eq!(turn(Turn::Over(-0.0), Interval::new(-3.0, 2.0)), "over: the value is 0");
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!(
            [0, 7, 999, 1000, 123_456, 1_234_567].map(count),
            ["0", "7", "999", "1 000", "123 456", "1 234 567"]
        );
        assert_eq!(
            [0, 1, 2, 1001].map(|number| counted(number, "leaf", "leaves")),
            ["0 leaves", "1 leaf", "2 leaves", "1 001 leaves"]
        );
    }
}
