//! How things look.

use anstyle::{AnsiColor, Style};
use astragal_catalog::{Analysis, AnalysisLine};
use astragal_core::{Budget, Ink, Interval, Picture, Stop, Turn};
use comfy_table::{Cell, CellAlignment, Table, presets};
use serde::Serialize;

/// A style, or none if the output is not for eyes; `anstream` decides.
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

/// Text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A drawing in colours, which only repeat what its text says. No colour goes past the end of a line: pagers show
/// lines one by one.
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

/// A value with as many digits as are worth reading.
pub(crate) fn value(value: f64) -> String {
    format!("{value:+.4}")
}

/// A count with its thousands apart.
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

/// A table of columns without lines; those named are aligned to the right.
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

/// What a line at the root says of its action.
pub(crate) fn line_value(line: &AnalysisLine) -> String {
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

/// Who is to act.
pub(crate) fn turn(turn: Turn, range: Interval) -> String {
    match turn {
        Turn::Decide(player) => format!("{} to act", player.name()),
        Turn::Chance => "chance to act".into(),
        Turn::Over(payoff) => format!("over: {}", result(payoff, range)),
    }
}

/// How a game ended.
pub(crate) fn result(payoff: f64, range: Interval) -> String {
    // Winning and losing are symmetric; a tree that somebody typed in need not be.
    match () {
        () if range.lo != -range.hi => format!("the value is {payoff}"),
        () if payoff == range.hi => format!("p1 wins ({payoff:+})"),
        () if payoff == range.lo => format!("p2 wins ({payoff:+})"),
        () if payoff == 0.0 => "a draw".into(),
        () => format!("the value is {payoff:+}"),
    }
}

/// A report as JSON.
#[derive(Serialize)]
pub(crate) struct JsonReport<'a> {
    pub(crate) game: &'a str,
    pub(crate) position: &'a str,
    pub(crate) engine: &'a str,
    pub(crate) seed: u64,
    pub(crate) budget: JsonBudget,
    /// Whether the search was interrupted.
    partial: bool,
    value: f64,
    best: &'a Option<String>,
    tied: &'a [String],
    depth: u32,
    stop: &'static str,
    lines: Vec<JsonLine<'a>>,
    pv: &'a [String],
    counts: JsonCounts,
    elapsed_s: f64,
}

#[derive(Serialize)]
pub(crate) struct JsonBudget {
    depth: Option<u32>,
    nodes: Option<u64>,
    iterations: Option<u64>,
    time_s: Option<f64>,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    action: &'a str,
    value: f64,
    lo: f64,
    hi: f64,
    visits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation: Option<f64>,
}

#[derive(Serialize)]
struct JsonCounts {
    nodes: u64,
    leaves: u64,
    probes: u64,
    cuts: u64,
    samples: u64,
    table_hits: u64,
    simulations: u64,
    tree_nodes: u64,
    tree_bytes: u64,
    tree_full: bool,
}

impl<'a> JsonReport<'a> {
    pub(crate) fn new(
        game: &'a str,
        position: &'a str,
        engine: &'a str,
        seed: u64,
        budget: &Budget,
        analysis: &'a Analysis,
        elapsed_s: f64,
    ) -> Self {
        let line = |line: &'a AnalysisLine| JsonLine {
            action: &line.action,
            value: line.value,
            lo: line.bounds.lo,
            hi: line.bounds.hi,
            visits: line.visits,
            error: line.error,
            deviation: line.deviation,
        };
        let counts = analysis.counts;
        Self {
            game,
            position,
            engine,
            seed,
            budget: JsonBudget {
                depth: budget.depth,
                nodes: budget.nodes,
                iterations: budget.iterations,
                time_s: budget.time.map(|time| time.as_secs_f64()),
            },
            partial: analysis.stop == Stop::Cancelled,
            value: analysis.value,
            best: &analysis.best,
            tied: &analysis.tied,
            depth: analysis.depth,
            stop: analysis.stop.name(),
            lines: analysis.lines.iter().map(line).collect(),
            pv: &analysis.pv,
            counts: JsonCounts {
                nodes: counts.nodes,
                leaves: counts.leaves,
                probes: counts.probes,
                cuts: counts.cuts,
                samples: counts.samples,
                table_hits: counts.table_hits,
                simulations: counts.simulations,
                tree_nodes: counts.tree_nodes,
                tree_bytes: counts.tree_bytes,
                tree_full: counts.tree_full,
            },
            elapsed_s,
        }
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
