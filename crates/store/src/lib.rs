//! The results store: rows in a file that survives a kill at any moment.
//!
//! A job says what is done: its kind, and a JSON object with the game, the engines, the budget and the seed.
//! Its units are numbered, and each has one result, a JSON object too, with the version of the program that
//! made it. Job and number are the key: a unit that is done twice counts once, so a run that is started again
//! asks what is done and does the rest, and stores of several machines are merged in any order, any number of
//! times. The store knows nothing of what its rows mean, except which are matches ([`Job::contest`]). A
//! [`Crew`] does the units on several threads, and [`mod@file`] writes other files, whole or not at all.
//!
//! The file is SQLite's, which every language opens. It keeps a rollback journal and not a write-ahead log:
//! between two commits the store is one file that can be copied, sent and opened from a read-only disk,
//! whereas a log keeps the newest rows of a killed process in a second file that is easily forgotten. The
//! price is a few milliseconds a commit, which is why rows are put in batches. Every commit waits for the
//! disk. Processes on one machine may share a store; each waits until the others have written.

mod crew;
mod error;
mod export;
pub mod file;
mod matches;
mod open;

pub use crew::{Crew, Shard};
pub use error::{ExportError, Problem, StoreError};
pub use export::{Filter, cell, quoted};

use astragal_arena::revision::REVISION;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Marks the file as a results store: "Astg".
const APPLICATION: i64 = 0x4173_7467;

/// The form of the tables, counted up when it changes.
const FORM: i64 = 1;

const TABLES: &str = "
CREATE TABLE job (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (kind, text)
) STRICT;
CREATE TABLE unit (
    job INTEGER NOT NULL REFERENCES job,
    number INTEGER NOT NULL,
    result TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (job, number)
) STRICT, WITHOUT ROWID;
";

const PUT: &str =
    "INSERT INTO unit (job, number, result, version) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";

const ONE: &str = "SELECT number, result, version FROM unit WHERE job = ?1 AND number = ?2";

/// The version of this program, which every new row carries.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A results store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A job of one store. It means nothing to another store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(i64);

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The job in its store.
    pub id: JobId,
    /// What sort of work it is, such as `match`.
    pub kind: String,
    /// Everything that its results depend on, as a JSON object: game, engines, budget, seed.
    pub text: String,
    /// The number of units that are done.
    pub units: u64,
}

impl Job {
    /// The text as the job was asked for, and the revision of the program that made its results; none in old
    /// stores.
    #[must_use]
    pub fn revision(&self) -> (String, Option<&str>) {
        let (plain, found) = match self.text.rsplit_once("\"revision\":\"") {
            Some((fields, rest)) => (fields, rest.strip_suffix("\"}")),
            None => return (self.text.clone(), None),
        };
        (format!("{}}}", plain.strip_suffix(',').unwrap_or(plain)), found)
    }
}

/// What came of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which unit of its job it is.
    pub number: u64,
    /// The result, as a JSON object.
    pub result: String,
    /// The version of the program that made it.
    pub version: String,
}

/// What a merge did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Jobs that were new here.
    pub jobs: u64,
    /// Units that were new here.
    pub added: u64,
    /// Units that were here already with the same result.
    pub same: u64,
    /// Units that were here already with another result, which was kept.
    pub different: Vec<Difference>,
}

/// A unit with two results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of its job.
    pub kind: String,
    /// The text of its job.
    pub text: String,
    /// What this store has, and keeps.
    pub here: Row,
    /// What the other store has.
    pub there: Row,
}

impl Store {
    /// A store that is gone with the value.
    #[must_use]
    pub fn memory() -> Self {
        let connection = open::memory().expect("memory can be written");
        Self { connection, path: "memory".into() }
    }

    /// Opens a store to write in, and makes it if there is none or the file is empty.
    ///
    /// # Errors
    /// If the file is anything else than a whole store of this form, or cannot be written. It stays as it is
    /// then.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: open::open(path, true)?, path: path.into() })
    }

    /// Opens a store that must be there. A read-only one can be read.
    ///
    /// # Errors
    /// If there is none, or the file is anything else than a whole store of this form. It stays as it is
    /// then.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: open::open(path, false)?, path: path.into() })
    }

    /// The file of the store, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The job of this kind and text, made if it is new. The text is compared as it is written, so one job
    /// needs one way of writing it. The [`REVISION`] of this program is added to it: what another revision
    /// did is another job.
    ///
    /// # Errors
    /// If the text is no JSON object or the store cannot be written.
    pub fn job(&mut self, kind: &str, text: &str) -> Result<JobId, StoreError> {
        self.object(text)?;
        if let Some(job) = self.find(kind, text)? {
            return Ok(job);
        }
        let text = &revised(text);
        let path = &self.path;
        let made = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(
            |transaction| {
                let (job, _) = find_or_make(&transaction, kind, text)?;
                transaction.commit()?;
                Ok(job)
            },
        );
        made.map_err(|error| StoreError::sqlite(path, &error))
    }

    /// The job of this kind and text, if there is one.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn find(&self, kind: &str, text: &str) -> Result<Option<JobId>, StoreError> {
        find(&self.connection, kind, &revised(text)).map_err(|error| self.failed(&error))
    }

    /// The numbers of the units of a job that are done, ascending.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn done(&self, job: JobId) -> Result<Vec<u64>, StoreError> {
        let query = "SELECT number FROM unit WHERE job = ?1 ORDER BY number";
        self.select(query, [job.0], |row| Ok(row.get::<_, i64>(0)? as u64))
    }

    /// Puts units of a job in, all or none, and says how many were new. A unit that is there already is kept
    /// as it is.
    ///
    /// # Errors
    /// If a result is no JSON object, a number is above `i64::MAX`, the job is none of this store, or the
    /// store cannot be written. Nothing is put in then.
    pub fn put(&mut self, job: JobId, rows: &[(u64, String)]) -> Result<u64, StoreError> {
        for (number, result) in rows {
            self.object(result)?;
            i64::try_from(*number).map_err(|_| self.problem(Problem::Number(*number)))?;
        }
        let path = &self.path;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let put = transaction.and_then(|transaction| {
            let known = "SELECT 1 FROM job WHERE id = ?1";
            if transaction.query_row(known, [job.0], |_| Ok(())).optional()?.is_none() {
                return Ok(None);
            }
            let mut new = 0;
            let mut insert = transaction.prepare(PUT)?;
            for (number, result) in rows {
                new += insert.execute(params![job.0, *number as i64, result, VERSION])? as u64;
            }
            drop(insert);
            transaction.commit()?;
            Ok(Some(new))
        });
        match put {
            Ok(Some(new)) => Ok(new),
            Ok(None) => Err(StoreError::new(path, Problem::UnknownJob)),
            Err(error) => Err(StoreError::sqlite(path, &error)),
        }
    }

    /// The units of a job that are done, by number.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn rows(&self, job: JobId) -> Result<Vec<Row>, StoreError> {
        self.select(
            "SELECT number, result, version FROM unit WHERE job = ?1 ORDER BY number",
            [job.0],
            read_row,
        )
    }

    /// The results of a job's units with numbers below this one, in order.
    ///
    /// # Errors
    /// If the store cannot be read, or holds something else than such results.
    pub fn read<T: DeserializeOwned>(&self, job: JobId, below: u64) -> Result<Vec<T>, StoreError> {
        Ok(self.read_numbered(job, below)?.into_iter().map(|(_, result)| result).collect())
    }

    /// The results of a job's units with numbers below this one, each with its number, in order.
    ///
    /// # Errors
    /// If the store cannot be read, or holds something else than such results.
    pub fn read_numbered<T: DeserializeOwned>(
        &self,
        job: JobId,
        below: u64,
    ) -> Result<Vec<(u64, T)>, StoreError> {
        let read = |row: Row| {
            let result = serde_json::from_str(&row.result).map_err(|error| {
                self.problem(Problem::Unreadable { job: job.0, unit: row.number, why: error.to_string() })
            })?;
            Ok((row.number, result))
        };
        self.rows(job)?.into_iter().filter(|row| row.number < below).map(read).collect()
    }

    /// All jobs, in the order in which they were made.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn jobs(&self) -> Result<Vec<Job>, StoreError> {
        let query = "SELECT id, kind, text, (SELECT count(*) FROM unit WHERE job = id) FROM job ORDER BY id";
        self.select(query, [], |row| {
            let id = JobId(row.get(0)?);
            Ok(Job { id, kind: row.get(1)?, text: row.get(2)?, units: row.get::<_, i64>(3)? as u64 })
        })
    }

    /// Takes the jobs and units of another store in, all or none. What is here already stays as it is; a unit
    /// with another result there is reported. Rows keep the version that made them.
    ///
    /// # Errors
    /// If the other store cannot be read or this one cannot be written.
    pub fn merge(&mut self, other: &Self) -> Result<Merged, StoreError> {
        let jobs = other.jobs()?;
        let path = &self.path;
        let failed = |error: rusqlite::Error| StoreError::sqlite(path, &error);
        let mut merged = Merged::default();
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let mut insert = transaction.prepare(PUT).map_err(failed)?;
        let mut select = transaction.prepare(ONE).map_err(failed)?;
        for job in jobs {
            let (id, new) = find_or_make(&transaction, &job.kind, &job.text).map_err(failed)?;
            merged.jobs += u64::from(new);
            // The rows of a job at once, so that the other store is not locked while this one is written.
            for there in other.rows(job.id)? {
                let number = there.number as i64;
                let new = insert.execute(params![id.0, number, there.result, there.version]);
                if new.map_err(failed)? == 1 {
                    merged.added += 1;
                    continue;
                }
                let here = select.query_row([id.0, number], read_row).map_err(failed)?;
                if here.result == there.result {
                    merged.same += 1;
                } else {
                    let (kind, text) = (job.kind.clone(), job.text.clone());
                    merged.different.push(Difference { kind, text, here, there });
                }
            }
        }
        drop((insert, select));
        transaction.commit().map_err(failed)?;
        Ok(merged)
    }

    fn select<T>(
        &self,
        query: &str,
        given: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut query = self.connection.prepare(query).map_err(|error| self.failed(&error))?;
        let rows = query.query_map(given, read).and_then(Iterator::collect);
        rows.map_err(|error| self.failed(&error))
    }

    /// Refuses what is not a JSON object; returns it otherwise.
    fn object(&self, text: &str) -> Result<Map<String, Value>, StoreError> {
        let short = || text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(text).map_err(|_| self.problem(Problem::NotAnObject(short())))
    }

    pub(crate) fn problem(&self, problem: Problem) -> StoreError {
        StoreError::new(&self.path, problem)
    }

    fn failed(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::sqlite(&self.path, error)
    }
}

/// The text of a job with the revision of this program.
fn revised(text: &str) -> String {
    let text = text.trim_end();
    let fields = text.strip_suffix('}').unwrap_or(text).trim_end();
    let comma = if fields.ends_with('{') { "" } else { "," };
    format!("{fields}{comma}\"revision\":\"{REVISION}\"}}")
}

fn find(connection: &Connection, kind: &str, text: &str) -> rusqlite::Result<Option<JobId>> {
    let query = "SELECT id FROM job WHERE kind = ?1 AND text = ?2";
    connection.query_row(query, [kind, text], |row| Ok(JobId(row.get(0)?))).optional()
}

/// A job, and whether it is new.
fn find_or_make(transaction: &Transaction<'_>, kind: &str, text: &str) -> rusqlite::Result<(JobId, bool)> {
    if let Some(job) = find(transaction, kind, text)? {
        return Ok((job, false));
    }
    transaction.execute("INSERT INTO job (kind, text) VALUES (?1, ?2)", [kind, text])?;
    Ok((JobId(transaction.last_insert_rowid()), true))
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row { number: row.get::<_, i64>(0)? as u64, result: row.get(1)?, version: row.get(2)? })
}

#[cfg(test)]
mod tests;
