//! Formatting of results.

use anstyle::{AnsiColor, Style};
use astragal_core::{Ink, Interval, Line, Picture, Turn};
use comfy_table::{Cell, CellAlignment, Table, presets};

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

/// A signed value with four decimals.
pub(crate) fn value(value: f64) -> String {
    format!("{value:+.4}")
}

/// Elo points, without a minus before 0.
pub(crate) fn elo(points: f64) -> String {
    format!("{:+}", points.round() + 0.0)
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
