//! Records the games of a match in a file: as text, JSON lines or PGN.

use crate::print::counted;
use astragal_arena::pgn;
use astragal_arena::record::Record;
use astragal_store::file::WriteError;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Whether a file is empty or ends with these bytes.
fn ends_with(path: &Path, end: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(end.len() as u64)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    Ok(length == 0 || tail == end)
}

/// The format of recorded games.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Text,
    JsonLines,
    Pgn,
}

impl Form {
    /// The format of a file, by its extension.
    pub(super) fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => Self::JsonLines,
            Some("pgn") => Self::Pgn,
            _ => Self::Text,
        }
    }

    fn write(self, game: &Record) -> String {
        match self {
            Self::Text => game.text(),
            Self::JsonLines => game.json() + "\n",
            Self::Pgn => pgn::write(game),
        }
    }
}

/// Writes games to a file in the order of their pairs.
pub(super) struct Recorder<'a> {
    path: &'a Path,
    form: Form,
    /// The open file, or the first error.
    file: Result<File, io::Error>,
    /// Whether the file still has its old contents, which the first pair replaces.
    has_old: bool,
    /// Pairs finished before an earlier one.
    waiting: BTreeMap<u64, String>,
    /// The next pair to write.
    next: u64,
    /// Pairs already in the store.
    stored: BTreeSet<u64>,
}

impl<'a> Recorder<'a> {
    /// Opens the file. A match that resumes from a store appends to its record.
    pub(super) fn new(path: &'a Path, append: bool, stored: BTreeSet<u64>) -> Result<Self, WriteError> {
        let form = Form::of(path);
        let open = || {
            if !append {
                return File::options().write(true).create(true).truncate(false).open(path);
            }
            let mut file = File::options().append(true).create(true).open(path)?;
            // A killed run may have left half a game, which must not swallow the next one.
            let end: &[u8] = if form == Form::JsonLines { b"\n" } else { b"\n\n" };
            if file.metadata()?.is_file() && !ends_with(path, end)? {
                file.write_all(end)?;
            }
            Ok(file)
        };
        let file = open().map_err(|why| WriteError { path: path.into(), why })?;
        Ok(Self { path, form, file: Ok(file), has_old: !append, waiting: BTreeMap::new(), next: 0, stored })
    }

    pub(super) fn add(&mut self, pair: u64, games: &[Record; 2]) {
        let text = games.each_ref().map(|game| self.form.write(game));
        self.waiting.insert(pair, text.concat());
        loop {
            if let Some(text) = self.waiting.remove(&self.next) {
                self.write(&text);
            } else if !self.stored.contains(&self.next) {
                break;
            }
            self.next += 1;
        }
    }

    /// Writes both games of a pair together. After an error nothing more is written, but the match continues.
    fn write(&mut self, text: &str) {
        let Ok(file) = &mut self.file else { return };
        let mut write = || {
            if std::mem::take(&mut self.has_old) && file.metadata()?.is_file() {
                file.set_len(0)?;
            }
            file.write_all(text.as_bytes())
        };
        if let Err(error) = write() {
            self.file = Err(error);
        }
    }

    /// Writes the pairs that still wait for an unfinished one, and reports how many pairs from the store are
    /// not in the file.
    pub(super) fn finish(mut self) -> Result<(), WriteError> {
        for text in std::mem::take(&mut self.waiting).into_values() {
            self.write(&text);
        }
        if !self.stored.is_empty() {
            let pairs = counted(self.stored.len() as u64, "pair", "pairs");
            let words = "not played again, and so not recorded by this run";
            let _ = writeln!(io::stderr(), "astragal: {words}: {pairs} from the store");
        }
        self.file.map(|_| ()).map_err(|why| WriteError { path: self.path.into(), why })
    }
}
