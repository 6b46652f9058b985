//! Errors of a store, each in one line.

use rusqlite::ErrorCode;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why an operation on a store failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub struct StoreError {
    /// The file of the store, as given.
    pub store: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// There is no such file.
    Missing,
    /// The folder that should hold it does not exist.
    NoFolder(PathBuf),
    /// It is a folder or a device.
    NotAFile,
    /// The file is empty.
    Empty,
    /// It is not a store: not SQLite at all, or the file of another application.
    NotAStore(String),
    /// Its format is older or newer than the one that this program supports.
    Form(i64),
    /// It was a store and is corrupt.
    Damaged(String),
    /// It cannot be written.
    ReadOnly,
    /// Other processes kept it locked for too long.
    Busy,
    /// A job or a result is not one JSON object.
    NotAnObject(String),
    /// The number of a unit is too large to be stored.
    Number(u64),
    /// The job does not belong to this store.
    UnknownJob,
    /// The result of a unit is not of the type that its job gives.
    Unreadable {
        /// The job.
        job: i64,
        /// The number of the unit.
        unit: u64,
        /// What is wrong with it.
        why: String,
    },
    /// No thread could be started to do the work.
    NoThread,
    /// Any other error that the system reports.
    Failed(String),
}

impl StoreError {
    pub(super) fn new(store: &Path, problem: Problem) -> Self {
        Self { store: store.to_path_buf(), problem }
    }

    pub(super) fn sqlite(store: &Path, error: &rusqlite::Error) -> Self {
        let why = error.to_string();
        let problem = match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Problem::NotAStore(why),
            Some(ErrorCode::DatabaseCorrupt) => Problem::Damaged(why),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Problem::Busy,
            Some(ErrorCode::ReadOnly) => Problem::ReadOnly,
            _ => Problem::Failed(why),
        };
        Self::new(store, problem)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store = self.store.display();
        match &self.problem {
            Problem::Missing => write!(f, "there is no results store '{store}'"),
            Problem::NoFolder(folder) => {
                write!(
                    f,
                    "cannot make the results store '{store}': there is no folder '{}'",
                    folder.display()
                )
            }
            Problem::NotAFile => write!(f, "'{store}' is not a results store: it is not a file"),
            Problem::Empty => write!(f, "'{store}' is not a results store: it is empty"),
            Problem::NotAStore(why) => write!(f, "'{store}' is not a results store: {why}"),
            Problem::Form(found) => {
                let than = if *found < super::FORM { "older" } else { "newer" };
                let known = super::FORM;
                write!(
                    f,
                    "the results store '{store}' has format {found}, {than} than format {known}, which this version reads"
                )
            }
            Problem::Damaged(why) => write!(f, "the results store '{store}' is damaged: {why}"),
            Problem::ReadOnly => write!(f, "the results store '{store}' cannot be written: it is read-only"),
            Problem::Busy => write!(f, "the results store '{store}' is locked by another process"),
            Problem::NotAnObject(text) => {
                write!(f, "the results store '{store}' takes JSON objects only, not: {text}")
            }
            Problem::Number(number) => {
                write!(f, "the results store '{store}' numbers units up to {}, not {number}", i64::MAX)
            }
            Problem::UnknownJob => write!(f, "the results store '{store}' has no such job"),
            Problem::Unreadable { job, unit, why } => {
                write!(f, "results store '{store}', job {job}, unit {unit}: {why}")
            }
            Problem::NoThread => f.write_str("cannot start a thread, so nothing can be played"),
            Problem::Failed(why) => write!(f, "the results store '{store}' failed: {why}"),
        }
    }
}

/// Why an export ended early.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The export could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}
