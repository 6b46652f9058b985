//! Results for other programs: CSV and JSON lines, a line for each unit.
//!
//! A line has the kind of the job, the fields of its JSON object, the number of the unit, the plain values among the fields
//! of its result, and the version that made it. Fields are in alphabetical order. Where a name is taken already, a job's
//! field gets `job.` in front and a result's field `result.`, in every line alike.

use super::{ExportError, Job, Row, Store, StoreError};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Which jobs are meant. The default means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Jobs of this kind only.
    pub kind: Option<String>,
    /// Jobs with this somewhere in their text only.
    pub containing: Option<String>,
}

impl Filter {
    /// Whether a job is meant.
    #[must_use]
    pub fn matches(&self, job: &Job) -> bool {
        self.kind.as_ref().is_none_or(|kind| *kind == job.kind)
            && self.containing.as_ref().is_none_or(|text| job.text.contains(text))
    }
}

/// The jobs that are meant with their units, and how the columns are named.
struct Export {
    jobs: Vec<(String, Map<String, Value>, Vec<Unit>)>,
    job_columns: BTreeMap<String, String>,
    result_columns: BTreeMap<String, String>,
}

struct Unit {
    number: u64,
    version: String,
    values: Map<String, Value>,
}

impl Store {
    /// Writes units as CSV, with a line of names first. Texts are quoted where they must be, null is nothing, and lists and
    /// objects among a job's fields are JSON.
    ///
    /// # Errors
    /// If the store cannot be read or the export cannot be written.
    pub fn csv(&self, filter: &Filter, out: &mut dyn Write) -> Result<(), ExportError> {
        let export = self.export(filter)?;
        let jobs = export.job_columns.values();
        let results = export.result_columns.values();
        let names: Vec<String> = std::iter::once("kind")
            .chain(jobs.map(String::as_str))
            .chain(["number"])
            .chain(results.map(String::as_str))
            .chain(["version"])
            .map(quoted)
            .collect();
        writeln!(out, "{}", names.join(","))?;
        for (kind, fields, units) in &export.jobs {
            let mut head = quoted(kind);
            for key in export.job_columns.keys() {
                head.push(',');
                head += &cell(fields.get(key));
            }
            for unit in units {
                let mut line = format!("{head},{}", unit.number);
                for key in export.result_columns.keys() {
                    line.push(',');
                    line += &cell(unit.values.get(key));
                }
                writeln!(out, "{line},{}", quoted(&unit.version))?;
            }
        }
        Ok(())
    }

    /// Writes units as JSON, an object in each line.
    ///
    /// # Errors
    /// If the store cannot be read or the export cannot be written.
    pub fn json_lines(&self, filter: &Filter, out: &mut dyn Write) -> Result<(), ExportError> {
        let export = self.export(filter)?;
        let pairs = |columns: &BTreeMap<String, String>, values: &Map<String, Value>| {
            let mut text = String::new();
            for (key, value) in values {
                text += &format!("{}:{value},", Value::from(columns[key].as_str()));
            }
            text
        };
        for (kind, fields, units) in &export.jobs {
            let head =
                format!("\"kind\":{},{}", Value::from(kind.as_str()), pairs(&export.job_columns, fields));
            for unit in units {
                let values = pairs(&export.result_columns, &unit.values);
                let version = Value::from(unit.version.as_str());
                writeln!(out, "{{{head}\"number\":{},{values}\"version\":{version}}}", unit.number)?;
            }
        }
        Ok(())
    }

    /// Everything that an export needs, read at once: whoever reads the export slowly keeps nobody from writing rows.
    fn export(&self, filter: &Filter) -> Result<Export, StoreError> {
        let failed = |error: rusqlite::Error| StoreError::sqlite(&self.path, &error);
        let reading = self.connection.unchecked_transaction().map_err(failed)?;
        let mut jobs = Vec::new();
        for job in self.jobs()?.into_iter().filter(|job| filter.matches(job)) {
            let fields = self.object(&job.text)?;
            let units = self.rows(job.id)?.into_iter().map(|row| self.unit(row)).collect::<Result<_, _>>()?;
            jobs.push((job.kind, fields, units));
        }
        drop(reading);
        let mut taken: BTreeSet<String> = ["kind", "number", "version"].map(String::from).into();
        let all = jobs.iter();
        let job_columns = columns(all.clone().flat_map(|(_, fields, _)| fields.keys()), "job", &mut taken);
        let units = all.flat_map(|(_, _, units)| units);
        let result_columns = columns(units.flat_map(|unit: &Unit| unit.values.keys()), "result", &mut taken);
        Ok(Export { jobs, job_columns, result_columns })
    }

    fn unit(&self, row: Row) -> Result<Unit, StoreError> {
        let mut values = self.object(&row.result)?;
        values.retain(|_, value| !value.is_array() && !value.is_object());
        Ok(Unit { number: row.number, version: row.version, values })
    }
}

/// A column for each field, by a name that is not taken yet.
fn columns<'a>(
    keys: impl Iterator<Item = &'a String>,
    prefix: &str,
    taken: &mut BTreeSet<String>,
) -> BTreeMap<String, String> {
    let keys: BTreeSet<&String> = keys.collect();
    let mut column = |key: &String| {
        let mut name = key.clone();
        while !taken.insert(name.clone()) {
            name = format!("{prefix}.{name}");
        }
        (key.clone(), name)
    };
    keys.into_iter().map(&mut column).collect()
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => quoted(text),
        Some(value) => quoted(&value.to_string()),
    }
}

/// A text as a cell of CSV: in quotes if it would not be read back as it is.
fn quoted(text: &str) -> String {
    let risky = |c: char| matches!(c, ',' | '"' | '\n' | '\r');
    if text.contains(risky) || text.is_empty() || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
