//! Results for other programs: CSV and JSON lines, a line for each unit.
//!
//! A line has the kind of the job, the fields of its JSON object, the number of the unit, all values of its
//! result, and the version that produced it. Values inside lists and objects of a result are named by their
//! path, such as `games.0.score`. Fields are in alphabetical order. If a name is already taken, a job's field
//! gets the prefix `job.` and a result's field `result.`, in all lines alike.

use super::{ExportError, Job, Row, Store, StoreError};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;

/// Selects jobs. The default selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only jobs of this kind.
    pub kind: Option<String>,
    /// Only jobs whose text contains this.
    pub containing: Option<String>,
}

impl Filter {
    /// Whether a job is selected.
    #[must_use]
    pub fn matches(&self, job: &Job) -> bool {
        self.kind.as_ref().is_none_or(|kind| *kind == job.kind)
            && self.containing.as_ref().is_none_or(|text| job.text.contains(text))
    }
}

/// The selected jobs with their units, and the names of the columns.
struct Export {
    jobs: Vec<(String, Map<String, Value>, Vec<Unit>)>,
    job_columns: BTreeMap<String, String>,
    result_columns: BTreeMap<Vec<Step>, String>,
}

struct Unit {
    number: u64,
    version: String,
    values: BTreeMap<Vec<Step>, Value>,
}

/// A step on the path to a value inside lists and objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Index(usize),
    Key(String),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "{index}"),
            Self::Key(key) => f.write_str(key),
        }
    }
}

/// Splits a value into those inside its lists and objects, each with its path.
fn flatten(value: Value, way: &mut Vec<Step>, flat: &mut BTreeMap<Vec<Step>, Value>) {
    let parts: Vec<(Step, Value)> = match value {
        Value::Array(list) => {
            list.into_iter().enumerate().map(|(index, part)| (Step::Index(index), part)).collect()
        }
        Value::Object(fields) => fields.into_iter().map(|(key, part)| (Step::Key(key), part)).collect(),
        plain => {
            flat.insert(way.clone(), plain);
            return;
        }
    };
    for (step, part) in parts {
        way.push(step);
        flatten(part, way, flat);
        way.pop();
    }
}

impl Store {
    /// Writes units as CSV, with a header line. Texts are quoted where necessary, null is empty, and lists
    /// and objects among a job's fields are JSON.
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

    /// Writes units as JSON lines, one object per line.
    ///
    /// # Errors
    /// If the store cannot be read or the export cannot be written.
    pub fn json_lines(&self, filter: &Filter, out: &mut dyn Write) -> Result<(), ExportError> {
        let export = self.export(filter)?;
        let pair = |column: &str, value: &Value| format!("{}:{value},", Value::from(column));
        for (kind, fields, units) in &export.jobs {
            let fields: String =
                fields.iter().map(|(key, value)| pair(&export.job_columns[key], value)).collect();
            let head = format!("\"kind\":{},{fields}", Value::from(kind.as_str()));
            for unit in units {
                let values = unit.values.iter();
                let values: String =
                    values.map(|(way, value)| pair(&export.result_columns[way], value)).collect();
                let version = Value::from(unit.version.as_str());
                writeln!(out, "{{{head}\"number\":{},{values}\"version\":{version}}}", unit.number)?;
            }
        }
        Ok(())
    }

    /// Reads everything that an export needs in one go, so that a slow consumer of the export blocks no
    /// writer.
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
        let fields = all.clone().flat_map(|(_, fields, _)| fields.keys());
        let job_columns = columns(fields, String::clone, "job", &mut taken);
        let values = all.flat_map(|(_, _, units)| units).flat_map(|unit: &Unit| unit.values.keys());
        let result_columns = columns(values, |way| dotted(way), "result", &mut taken);
        Ok(Export { jobs, job_columns, result_columns })
    }

    fn unit(&self, row: Row) -> Result<Unit, StoreError> {
        let mut values = BTreeMap::new();
        flatten(Value::Object(self.object(&row.result)?), &mut Vec::new(), &mut values);
        Ok(Unit { number: row.number, version: row.version, values })
    }
}

/// The dotted name of a value inside lists and objects.
fn dotted(way: &[Step]) -> String {
    way.iter().map(Step::to_string).collect::<Vec<_>>().join(".")
}

/// A column for each key, under a name that is not taken yet.
fn columns<'a, K: Clone + Ord + 'a>(
    keys: impl Iterator<Item = &'a K>,
    name: impl Fn(&K) -> String,
    prefix: &str,
    taken: &mut BTreeSet<String>,
) -> BTreeMap<K, String> {
    let keys: BTreeSet<&K> = keys.collect();
    let mut column = |key: &K| {
        let mut name = name(key);
        while !taken.insert(name.clone()) {
            name = format!("{prefix}.{name}");
        }
        (key.clone(), name)
    };
    keys.into_iter().map(&mut column).collect()
}

/// Formats a value as a CSV cell; a missing one is empty.
#[must_use]
pub fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => quoted(text),
        Some(value) => quoted(&value.to_string()),
    }
}

/// Formats a text as a CSV cell (RFC 4180), quoted if it would otherwise not be read back unchanged.
#[must_use]
pub fn quoted(text: &str) -> String {
    let risky = |c: char| matches!(c, ',' | '"' | '\n' | '\r');
    if text.contains(risky) || text.is_empty() || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
