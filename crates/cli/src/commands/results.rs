//! `astragal results` and `astragal merge`.

use crate::failure::Failure;
use crate::print::{columns, count};
use astragal_lab::store::{Filter, Store};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The longest description that a line of the table shows.
const LONGEST: usize = 100;

/// How results are printed.
pub(crate) enum Form {
    Table,
    Csv,
    Json,
}

/// Prints the jobs or the results of a store.
pub(crate) fn results(store: &Path, filter: &Filter, form: Form, out: &mut dyn Write) -> Result<(), Failure> {
    let store = Store::open_existing(store)?;
    let mut out = BufWriter::new(out);
    match form {
        Form::Table => {
            let jobs = store.jobs()?.into_iter().filter(|job| filter.matches(job));
            let rows: Vec<Vec<String>> =
                jobs.map(|job| vec![short(&job.kind), count(job.units), short(&job.text)]).collect();
            if rows.is_empty() {
                writeln!(out, "no jobs")?;
            } else {
                write!(out, "{}", columns(&["kind", "units", "job"], &[1], rows))?;
            }
        }
        Form::Csv => store.csv(filter, &mut out)?,
        Form::Json => store.json_lines(filter, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

/// Merges stores into one. The answer is no if units differ.
pub(crate) fn merge(stores: &[PathBuf], into: &Path, out: &mut dyn Write) -> Result<bool, Failure> {
    // All are opened first: a wrong name among them is found before anything is made or changed.
    let others = stores.iter().map(|path| Store::open_existing(path)).collect::<Result<Vec<_>, _>>()?;
    let mut store = Store::open(into)?;
    let mut alike = true;
    let mut lines = Vec::new();
    for (path, other) in stores.iter().zip(&others) {
        let merged = store.merge(other)?;
        let path = path.display();
        lines.push(format!(
            "{path}: {} units added, {} there already, {} different; {} new jobs",
            count(merged.added),
            count(merged.same),
            count(merged.different.len() as u64),
            count(merged.jobs)
        ));
        for unit in &merged.different {
            let (kind, job) = (short(&unit.kind), short(&unit.text));
            let (number, here, there) = (unit.here.number, &unit.here.result, &unit.there.result);
            lines.push(format!(
                "{path}: unit {number} of {kind} {job} is {}, kept is {}",
                short(there),
                short(here)
            ));
        }
        alike &= merged.different.is_empty();
    }
    // Printed at the end: a reader that goes away does not keep later stores from being merged.
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(alike)
}

/// A text in one line of bearable length.
fn short(text: &str) -> String {
    let mut shown: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.pop();
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(short("{\"a\":1,\n\"b\":2}"), "{\"a\":1, \"b\":2}");
        assert_eq!(short(&"é".repeat(LONGEST)), "é".repeat(LONGEST));
        assert_eq!(short(&"é".repeat(LONGEST + 1)), "é".repeat(LONGEST - 1) + "…");
    }
}
