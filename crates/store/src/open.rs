//! Opening the file of a store: created if missing, refused if it is anything but an intact store.
//!
//! A refused file must not change by a single byte. So an existing file is first inspected through a
//! read-only connection, and opened for writing only once it has been recognised. While others may use the
//! file, it is read only through SQLite: closing any other handle would release the locks that this process
//! holds on it elsewhere.

use super::error::{Problem, StoreError};
use super::{APPLICATION, FORM, TABLES};
use rusqlite::{Connection, MAIN_DB, OpenFlags, TransactionBehavior, ffi};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for other processes: far longer than any write takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The first bytes of every SQLite file.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Opens a store; if it is missing and `make` is set, creates it.
pub(super) fn open(path: &Path, make: bool) -> Result<Connection, StoreError> {
    let problem = |problem| StoreError::new(path, problem);
    let sqlite = |error: rusqlite::Error| StoreError::sqlite(path, &error);
    let file = plain(path);
    let metadata = match fs::metadata(&file) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound && make => {
            let folder = file.parent().filter(|folder| !folder.is_dir());
            if let Some(folder) = folder {
                let folder = folder.strip_prefix(".").unwrap_or(folder);
                return Err(problem(Problem::NoFolder(folder.to_path_buf())));
            }
            return found(path, &file, OpenFlags::SQLITE_OPEN_CREATE);
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Err(problem(Problem::Missing));
        }
        Err(error) => return Err(problem(Problem::Failed(error.to_string()))),
    };
    let locked = metadata.permissions().readonly();
    if !metadata.is_file() {
        return Err(problem(Problem::NotAFile));
    }
    if make && locked {
        return Err(problem(Problem::ReadOnly));
    }
    if metadata.len() == 0 {
        return if make { found(path, &file, OpenFlags::empty()) } else { Err(problem(Problem::Empty)) };
    }
    let reader = connect(&file, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)?;
    match check(path, &file, &reader) {
        Ok(()) if locked => return Ok(reader),
        Ok(()) => {}
        // A process was killed while writing, and its unfinished work can only be rolled back by writing.
        Err(Unfit::Unfinished) if !locked => {
            drop(reader);
            recognise(path, &file)?;
            if make {
                return found(path, &file, OpenFlags::empty());
            }
            let connection = connect(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sqlite)?;
            return match check(path, &file, &connection) {
                Ok(()) => settle(path, connection),
                Err(unfit) => Err(unfit.error(path)),
            };
        }
        Err(unfit) => return Err(unfit.error(path)),
    }
    drop(reader);
    let connection = connect(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sqlite)?;
    if make && connection.is_readonly(MAIN_DB).map_err(sqlite)? {
        return Err(problem(Problem::ReadOnly));
    }
    settle(path, connection)
}

/// A store in memory.
pub(super) fn memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    connection.pragma_update(None, "foreign_keys", true)?;
    make_tables(&mut connection)?;
    Ok(connection)
}

/// A path that SQLite takes for a file: it treats names such as `:memory:` specially.
fn plain(path: &Path) -> PathBuf {
    if path.is_absolute() { path.to_path_buf() } else { Path::new(".").join(path) }
}

fn connect(file: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(file, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

/// Makes every commit wait for the disk. A kill would be harmless without it, a power cut would not.
fn settle(path: &Path, connection: Connection) -> Result<Connection, StoreError> {
    let set = connection.pragma_update(None, "synchronous", "FULL");
    set.map_err(|error| StoreError::sqlite(path, &error))?;
    Ok(connection)
}

/// Opens a file that is empty, or was when last inspected, and makes it a store.
fn found(path: &Path, file: &Path, more: OpenFlags) -> Result<Connection, StoreError> {
    let sqlite = |error: rusqlite::Error| StoreError::sqlite(path, &error);
    let mut connection = connect(file, OpenFlags::SQLITE_OPEN_READ_WRITE | more).map_err(sqlite)?;
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0)).map_err(sqlite)?;
    if pages == 0 {
        make_tables(&mut connection).map_err(sqlite)?;
    }
    check(path, file, &connection).map_err(|unfit| unfit.error(path))?;
    settle(path, connection)
}

/// Creates the tables, unless another process was faster.
fn make_tables(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORM)?;
    }
    transaction.commit()
}

/// Why a file cannot be used as it is.
enum Unfit {
    /// A killed process left unfinished work, which must be rolled back first.
    Unfinished,
    Error(StoreError),
}

impl Unfit {
    fn error(self, path: &Path) -> StoreError {
        match self {
            Self::Unfinished => {
                let why = "a process was killed while writing, and the file is read-only".to_string();
                StoreError::new(path, Problem::Failed(why))
            }
            Self::Error(error) => error,
        }
    }
}

/// Checks that a file is an intact store of this format.
fn check(path: &Path, file: &Path, connection: &Connection) -> Result<(), Unfit> {
    let unfit = |error: rusqlite::Error| match error.sqlite_error() {
        Some(error) if error.extended_code == ffi::SQLITE_READONLY_ROLLBACK => Unfit::Unfinished,
        _ => Unfit::Error(StoreError::sqlite(path, &error)),
    };
    let problem = |problem| Err(Unfit::Error(StoreError::new(path, problem)));
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    // Within this transaction nobody else writes the file.
    let transaction = connection.unchecked_transaction().map_err(unfit)?;
    if number("page_count").map_err(unfit)? == 0 {
        return problem(Problem::Empty);
    }
    if number("application_id").map_err(unfit)? != APPLICATION {
        return problem(Problem::NotAStore("it belongs to another application".into()));
    }
    let form = number("user_version").map_err(unfit)?;
    if form != FORM {
        return problem(Problem::Form(form));
    }
    let journal: String =
        connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(unfit)?;
    if journal != "delete" {
        return problem(Problem::Damaged(format!("its journal mode is '{journal}' and not 'delete'")));
    }
    let size = number("page_count").map_err(unfit)? * number("page_size").map_err(unfit)?;
    let found = fs::metadata(file).map_or(0, |metadata| metadata.len());
    if size as u64 != found {
        return problem(Problem::Damaged(format!("it should have {size} bytes and has {found}")));
    }
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(unfit)?;
    if verdict != "ok" {
        return problem(Problem::Damaged(verdict.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    for query in ["SELECT id, kind, text FROM job", "SELECT job, number, result, version FROM unit"] {
        if let Err(error) = connection.prepare(query) {
            return problem(Problem::Damaged(error.to_string()));
        }
    }
    transaction.commit().map_err(unfit)
}

/// Recognises a file by its first bytes alone. Only for a file with unfinished work, which nobody has open.
fn recognise(path: &Path, file: &Path) -> Result<(), StoreError> {
    let mut head = [0; 100];
    let read = fs::File::open(file).and_then(|mut file| file.read_exact(&mut head));
    let number =
        |at: usize| i64::from(i32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    if read.is_err() || !head.starts_with(MAGIC) || number(68) != APPLICATION {
        let why = "it belongs to another application".to_string();
        return Err(StoreError::new(path, Problem::NotAStore(why)));
    }
    let form = number(60);
    if form == FORM { Ok(()) } else { Err(StoreError::new(path, Problem::Form(form))) }
}
