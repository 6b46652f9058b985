//! The findings of an experiment, and its report in Markdown, CSV, SVG and PNG.
//!
//! The same experiment, scale and seed give the same bytes. A report therefore contains neither the date, nor
//! the time it took, nor the number of workers: the command prints these on standard error. Each file is
//! either complete or absent, and the report is written last, so that everything it refers to exists.

use crate::{Experiment, Failed, Scale};
use astragal_plot::Figure;
use astragal_store::{file, quoted};
use std::fmt::{self, Write};
use std::fs;
use std::path::{Path, PathBuf};

/// How a measurement agrees with the published claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The measurement agrees with the claim.
    Agrees,
    /// The measurement contradicts the claim.
    Differs,
    /// Different readings of the source give different answers.
    Depends,
    /// There is no difference that matters, in either direction.
    Level,
    /// The interval does not decide.
    Open,
    /// There is no published value to compare with.
    New,
}

impl Verdict {
    /// Judges a claim that something is above a limit.
    pub(crate) fn above(interval: astragal_core::Interval, limit: f64) -> Self {
        if interval.lo > limit {
            Self::Agrees
        } else if interval.hi <= limit {
            Self::Differs
        } else {
            Self::Open
        }
    }

    /// Judges a claim that something is below a limit.
    pub(crate) fn below(interval: astragal_core::Interval, limit: f64) -> Self {
        if interval.hi < limit {
            Self::Agrees
        } else if interval.lo >= limit {
            Self::Differs
        } else {
            Self::Open
        }
    }

    /// Judges a claim that something lies within margins: it agrees if the whole interval lies within them,
    /// and differs if the whole interval lies on one side. A wide interval decides nothing.
    pub(crate) fn within(interval: astragal_core::Interval, margins: astragal_core::Interval) -> Self {
        if margins.covers(&interval) {
            Self::Agrees
        } else if interval.hi < margins.lo || interval.lo > margins.hi {
            Self::Differs
        } else {
            Self::Open
        }
    }

    /// Judges a claim that can be checked exactly.
    pub(crate) fn of(right: bool) -> Self {
        if right { Self::Agrees } else { Self::Differs }
    }

    /// Combines the verdicts of several readings of a claim.
    pub(crate) fn of_readings(verdicts: &[Self]) -> Self {
        let all = |wanted: Self| verdicts.iter().all(|verdict| *verdict == wanted);
        let any = |wanted: Self| verdicts.contains(&wanted);
        match () {
            () if all(Self::Agrees) => Self::Agrees,
            () if all(Self::Differs) => Self::Differs,
            () if any(Self::Agrees) && any(Self::Differs) => Self::Depends,
            () => Self::Open,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Depends => "depends",
            Self::Level => "level",
            Self::Open => "open",
            Self::New => "new",
        })
    }
}

/// The rule of claims that are computed exactly and not measured.
pub(crate) const EXACT: &str = "agrees if equal to what is published, to all its digits; differs otherwise";

/// One claim and its measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The claim, or the question.
    pub claim: String,
    /// The published value; empty if there is none.
    pub published: String,
    /// The measured value, with its interval if it has one.
    pub measured: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What makes it agree and what would make it differ; empty where nothing was published.
    pub rule: String,
    /// An explanation; may be empty.
    pub note: String,
}

/// A table of a report, also written as CSV.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The name of its file, without extension.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The column headings.
    pub columns: Vec<String>,
    /// The rows, each with one cell per column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(name: &str, title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(ToString::to_string).collect();
        Self { name: name.into(), title: title.into(), columns, rows: Vec::new() }
    }

    /// The table as CSV (RFC 4180, but with plain line feeds).
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let cells: Vec<String> = row.iter().map(|cell| csv_cell(cell)).collect();
            text += &cells.join(",");
            text.push('\n');
        }
        text
    }
}

/// A cell of a CSV file. Numbers get the ASCII minus sign, which programs can parse.
fn csv_cell(cell: &str) -> String {
    let plain = cell.replace('−', "-");
    let text = if plain.parse::<f64>().is_ok() { &plain } else { cell };
    if text.is_empty() { String::new() } else { quoted(text) }
}

/// The complete result of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What was done and found, in a few sentences.
    pub summary: String,
    /// The claims and their measurements.
    pub findings: Vec<Finding>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Figures: the file name without extension, a caption, the figure.
    pub figures: Vec<(String, String, Figure)>,
}

/// Writes `DIR/<id>/report.md` with its tables and figures, and returns the path of the report.
///
/// # Errors
/// If a file cannot be written.
pub fn write(
    dir: &Path,
    experiment: &Experiment,
    scale: Scale,
    seed: u64,
    outcome: &Outcome,
) -> Result<PathBuf, Failed> {
    let dir = dir.join(experiment.id);
    fs::create_dir_all(&dir)
        .map_err(|why| Failed::Message(format!("directory '{}': {why}", dir.display())))?;
    for table in &outcome.tables {
        file::write(&dir.join(format!("{}.csv", table.name)), table.csv().as_bytes())?;
    }
    for (name, _, figure) in &outcome.figures {
        let png = figure.png(2.0).map_err(|why| Failed::Message(why.to_string()))?;
        file::write(&dir.join(format!("{name}.svg")), figure.svg().as_bytes())?;
        file::write(&dir.join(format!("{name}.png")), &png)?;
    }
    let report = dir.join("report.md");
    file::write(&report, markdown(experiment, scale, seed, outcome).as_bytes())?;
    Ok(report)
}

/// The report as Markdown.
fn markdown(experiment: &Experiment, scale: Scale, seed: u64, outcome: &Outcome) -> String {
    let (id, scale) = (experiment.id, scale.name());
    let mut text = format!("# {}\n\n", experiment.title);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Source: {}.\n", experiment.source);
    let _ = writeln!(text, "{}\n", outcome.summary);
    let _ = writeln!(text, "```sh\nastragal reproduce {id} --scale {scale} --seed {seed}\n```\n");
    let _ = writeln!(
        text,
        "Scale {scale}, seed {seed}, Astragal {}. Intervals have the level 95 % unless something else is said.\n",
        env!("CARGO_PKG_VERSION")
    );
    let _ = writeln!(text, "## Findings\n");
    let findings = outcome.findings.iter().map(|finding| {
        let Finding { claim, published, measured, verdict, rule, note } = finding;
        let published = if published.is_empty() { "none" } else { published };
        let verdict = format!("**{verdict}**");
        vec![claim.clone(), published.into(), measured.clone(), verdict, rule.clone(), note.clone()]
    });
    let heads = ["claim", "published", "measured", "verdict", "rule", "note"].map(String::from);
    text += &rows(&heads, findings);
    for (name, caption, figure) in &outcome.figures {
        let _ = writeln!(text, "\n![{}]({name}.png)\n\n{caption} ([SVG]({name}.svg))", figure.title);
    }
    for table in &outcome.tables {
        let _ = writeln!(text, "\n## {}\n", table.title);
        text += &rows(&table.columns, table.rows.iter().cloned());
        let _ = writeln!(text, "\nAs CSV: [{0}.csv]({0}.csv)", table.name);
    }
    text
}

/// A table in Markdown.
fn rows(heads: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> =
            cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = line(heads);
    let _ = writeln!(text, "|{}", "---|".repeat(heads.len()));
    for row in rows {
        text += &line(&row);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select;
    use astragal_plot::{Chart, Grouped};

    #[test]
    fn a_report_is_written_whole_and_the_same_again() {
        let dir = std::env::temp_dir().join(format!("report-{}", std::process::id()));
        let experiment = select(&["mcms-star1-example"], Scale::Quick).unwrap()[0];
        let mut table = Table::new("numbers", "Some numbers", &["a|b", "c"]);
        table.rows.push(vec!["−1.5".into(), "x, \"y\"".into()]);
        let finding = Finding {
            claim: "it holds".into(),
            published: String::new(),
            measured: "2".into(),
            verdict: Verdict::New,
            rule: String::new(),
            note: "a\nb".into(),
        };
        let figure = Figure::new("The whole").panel("", Chart::Bars(Grouped::default()));
        let outcome = Outcome {
            summary: "Done.".into(),
            findings: vec![finding],
            tables: vec![table],
            figures: vec![("picture".into(), "A picture. More.".into(), figure)],
        };
        let path = write(&dir, experiment, Scale::Quick, 5, &outcome).unwrap();
        let report = fs::read_to_string(&path).unwrap();
        assert!(report.contains("astragal reproduce mcms-star1-example --scale quick --seed 5"));
        assert!(report.contains("| it holds | none | 2 | **new** |  | a b |"), "{report}");
        assert!(report.contains("![The whole](picture.png)") && report.contains("a\\|b"));
        let home = path.parent().unwrap();
        assert_eq!(fs::read_to_string(home.join("numbers.csv")).unwrap(), "a|b,c\n-1.5,\"x, \"\"y\"\"\"\n");
        let names = |dir: &Path| {
            let mut names: Vec<_> =
                fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(home), ["numbers.csv", "picture.png", "picture.svg", "report.md"]);
        write(&dir, experiment, Scale::Quick, 5, &outcome).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap(), names(home).len()), (report, 4));
        // If a file is in the place of the directory, the error says so.
        assert!(
            write(&path, experiment, Scale::Quick, 5, &outcome)
                .unwrap_err()
                .to_string()
                .contains("directory")
        );
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn intervals_decide_or_not() {
        let interval = astragal_core::Interval::new;
        assert_eq!(Verdict::above(interval(0.1, 0.2), 0.0), Verdict::Agrees);
        assert_eq!(Verdict::above(interval(-0.2, -0.1), 0.0), Verdict::Differs);
        assert_eq!(Verdict::above(interval(-0.2, 0.1), 0.0), Verdict::Open);
        assert_eq!(Verdict::below(interval(-0.2, -0.1), 0.0), Verdict::Agrees);
        assert_eq!(Verdict::below(interval(0.1, 0.2), 0.0), Verdict::Differs);
        assert_eq!(Verdict::below(interval(-0.2, 0.1), 0.0), Verdict::Open);
        let margins = interval(0.45, 0.55);
        assert_eq!(Verdict::within(interval(0.47, 0.52), margins), Verdict::Agrees);
        assert_eq!(Verdict::within(interval(0.56, 0.7), margins), Verdict::Differs);
        assert_eq!(Verdict::within(interval(0.3, 0.44), margins), Verdict::Differs);
        // A wide interval around the middle is no evidence of equality.
        assert_eq!(Verdict::within(interval(0.3, 0.7), margins), Verdict::Open);
    }
}
