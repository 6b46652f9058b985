//! The results store: rows in a file that survives a kill at any moment.
//!
//! A job describes work: its kind, and a JSON object with the game, the engines, the budget and the seed. Its
//! units are numbered, and each has one result, also a JSON object, with the version of the program that
//! produced it. Job and number are the key: a unit done twice counts once, so a restarted run queries what is
//! done and does the rest, and stores of several machines can be merged in any order, any number of times.
//! The store does not interpret its rows, except to tell which jobs are matches ([`Job::contest`]). A
//! [`Crew`] does the units on several threads, and [`mod@file`] writes other files, whole or not at all.
//!
//! The file is an SQLite database, which every language can open. It uses a rollback journal, not a
//! write-ahead log: between two commits the store is one file that can be copied, sent and opened from a
//! read-only disk, whereas a log leaves the newest rows of a killed process in a second file that is easily
//! forgotten. The price is a few milliseconds per commit, which is why rows are written in batches. Every
//! commit waits for the disk. Processes on one machine may share a store; each waits until the others have
//! written.

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

/// The version of the table format, incremented on every change.
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

/// The version of this program, stored in every new row.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A results store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A job of one store, meaningless in any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(i64);

/// A job: a description of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its id in this store.
    pub id: JobId,
    /// The kind of work, such as `match`.
    pub kind: String,
    /// Everything that its results depend on, as a JSON object: game, engines, budget, seed.
    pub text: String,
    /// The number of finished units.
    pub units: u64,
}

impl Job {
    /// The text that was requested, and the revision of the program that made the results; none in old
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

/// The result of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the unit within its job.
    pub number: u64,
    /// The result, as a JSON object.
    pub result: String,
    /// The version of the program that produced it.
    pub version: String,
}

/// The outcome of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Jobs that were new here.
    pub jobs: u64,
    /// Units that were new here.
    pub added: u64,
    /// Units already here with the same result.
    pub same: u64,
    /// Units already here with another result, which was kept.
    pub different: Vec<Difference>,
}

/// A unit with two results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of its job.
    pub kind: String,
    /// The text of its job.
    pub text: String,
    /// The row of this store, which is kept.
    pub here: Row,
    /// The row of the other store.
    pub there: Row,
}

impl Store {
    /// A store in memory, gone when dropped.
    #[must_use]
    pub fn memory() -> Self {
        let connection = open::memory().expect("memory can be written");
        Self { connection, path: "memory".into() }
    }

    /// Opens a store for writing; creates it if the file is missing or empty.
    ///
    /// # Errors
    /// If the file is anything but an intact store of this format, or cannot be written. It is then
    /// unchanged.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: open::open(path, true)?, path: path.into() })
    }

    /// Opens an existing store. A read-only one can be read.
    ///
    /// # Errors
    /// If there is none, or the file is anything but an intact store of this format. It is then unchanged.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connection: open::open(path, false)?, path: path.into() })
    }

    /// The file of the store, as given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The job of this kind and text, created if new. Texts are compared verbatim, so a job must always be
    /// written the same way. The [`REVISION`] of this program is added to the text: results of another
    /// revision belong to another job.
    ///
    /// # Errors
    /// If the text is not a JSON object or the store cannot be written.
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

    /// The numbers of a job's finished units, ascending.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn done(&self, job: JobId) -> Result<Vec<u64>, StoreError> {
        let query = "SELECT number FROM unit WHERE job = ?1 ORDER BY number";
        self.select(query, [job.0], |row| Ok(row.get::<_, i64>(0)? as u64))
    }

    /// Inserts units of a job, all or none, and returns how many were new. A unit that is already there is
    /// kept unchanged.
    ///
    /// # Errors
    /// If a result is not a JSON object, a number is above `i64::MAX`, the job does not belong to this store,
    /// or the store cannot be written. Nothing is then inserted.
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

    /// The finished units of a job, by number.
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
    /// If the store cannot be read, or a result has another type.
    pub fn read<T: DeserializeOwned>(&self, job: JobId, below: u64) -> Result<Vec<T>, StoreError> {
        Ok(self.read_numbered(job, below)?.into_iter().map(|(_, result)| result).collect())
    }

    /// The results of a job's units with numbers below this one, each with its number, in order.
    ///
    /// # Errors
    /// If the store cannot be read, or a result has another type.
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

    /// All jobs, in order of creation.
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

    /// Merges the jobs and units of another store, all or none. Existing rows are kept; a unit with a
    /// different result in the other store is reported. Rows keep the version that produced them.
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
            // Reads all rows of a job first, so that the other store is not locked while this one is written.
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

    /// Parses a JSON object; refuses anything else.
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

/// The text of a job with the revision of this program added.
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
