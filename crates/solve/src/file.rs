//! Solutions on disk: a header line, then keys and values, then a checksum.
//!
//! The first line names the format and its version, the game's spec, the objective, and the number of
//! entries. Decisions directly after a chance event may be omitted: their values follow from the others. A
//! file for another game or of an unknown version is refused, and so is a truncated or damaged one.

use crate::table::Table;
use crate::{Solution, SolveCounts};
use astragal_core::{Key, mix};
use std::fmt;
use std::io::{self, BufRead, Read, Write};

/// The format and its version.
const MAGIC: &str = "astragal-solved 3";
/// The previous version, which omitted no values.
const BEFORE: &str = "astragal-solved 2";

/// Why a file is refused.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read.
    Io(io::Error),
    /// It is not a solution, or has another version.
    Foreign(String),
    /// It solves another game.
    OtherGame {
        /// The game that it solves.
        found: String,
        /// The game that was requested.
        wanted: String,
    },
    /// It is incomplete, or its checksum is wrong.
    Damaged(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Foreign(why) => write!(f, "not a solved game: {why}"),
            Self::OtherGame { found, wanted } => write!(f, "it solves {found}, not {wanted}"),
            Self::Damaged(why) => write!(f, "the file is damaged: {why}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Damaged("it ends too early".into()),
            _ => Self::Io(error),
        }
    }
}

/// A running checksum.
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = mix(self.0 ^ u64::from_le_bytes(word)).wrapping_add(chunk.len() as u64);
        }
    }
}

impl Solution {
    /// Writes the solution of the game with this spec.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, spec: &str, out: &mut dyn Write) -> io::Result<()> {
        self.save_as(MAGIC, spec, out)
    }

    fn save_as(&self, magic: &str, spec: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut checksum = Checksum(0);
        let header = format!("{magic}\t{spec}\t{}\t{}\n", self.objective, self.table.len());
        checksum.add(header.as_bytes());
        out.write_all(header.as_bytes())?;
        for (key, value) in self.table.entries() {
            let mut record = [0; 24];
            record[..16].copy_from_slice(&key.0.to_le_bytes());
            record[16..].copy_from_slice(&value.to_le_bytes());
            checksum.add(&record);
            out.write_all(&record)?;
        }
        out.write_all(&checksum.0.to_le_bytes())
    }

    /// Reads a solution of the game with this spec.
    ///
    /// # Errors
    /// If the file is not one, is damaged, or belongs to another game.
    pub fn load(spec: &str, input: &mut dyn BufRead) -> Result<Self, FileError> {
        let mut header = Vec::new();
        // A foreign file may contain no line break at all.
        input.take(4096).read_until(b'\n', &mut header)?;
        let mut checksum = Checksum(0);
        checksum.add(&header);
        let text = String::from_utf8(header)
            .map_err(|_| FileError::Foreign("its first line is not valid UTF-8".into()))?;
        let fields: Vec<&str> = text.trim_end_matches('\n').split('\t').collect();
        let magic = fields[0];
        if ![MAGIC, BEFORE].contains(&magic) {
            // Only as much of it as is needed to recognise it.
            let begins: String = magic.chars().take(MAGIC.len()).collect();
            return Err(FileError::Foreign(format!(
                "it begins with '{}', not '{MAGIC}'",
                begins.escape_debug()
            )));
        }
        let &[_, found, objective, count] = &fields[..] else {
            return Err(FileError::Foreign(format!(
                "expected three fields after '{MAGIC}' in its first line"
            )));
        };
        if found != spec {
            return Err(FileError::OtherGame { found: found.into(), wanted: spec.into() });
        }
        let count: u32 =
            count.parse().map_err(|_| FileError::Damaged("it has no valid number of entries".into()))?;
        let mut table = Table::new();
        for _ in 0..count {
            let mut record = [0; 24];
            input.read_exact(&mut record)?;
            checksum.add(&record);
            let (key, value) = record.split_at(16);
            let key = Key(u128::from_le_bytes(key.try_into().expect("16 bytes")));
            let value = f64::from_le_bytes(value.try_into().expect("8 bytes"));
            if value.is_nan() {
                return Err(FileError::Damaged("a value is not a number".into()));
            }
            table.set(key, value);
        }
        let mut sum = [0; 8];
        input.read_exact(&mut sum)?;
        if u64::from_le_bytes(sum) != checksum.0 {
            return Err(FileError::Damaged("its checksum is wrong".into()));
        }
        if input.read(&mut [0])? != 0 {
            return Err(FileError::Damaged("it has extra data at the end".into()));
        }
        let work = SolveCounts { states: table.len(), ..SolveCounts::default() };
        Ok(Self { table, work, objective: objective.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_version_before_are_read() {
        let mut table = Table::new();
        table.set(Key(7), 0.25);
        let solution = Solution { table, work: SolveCounts::default(), objective: "payoff".into() };
        for (magic, is_read) in [(MAGIC, true), (BEFORE, true), ("astragal-solved 1", false)] {
            let mut file = Vec::new();
            solution.save_as(magic, "game", &mut file).unwrap();
            let found = Solution::load("game", &mut &file[..]).map(|read| read.table.get(Key(7)));
            assert_eq!(found.is_ok_and(|value| value == Some(0.25)), is_read, "{magic}");
        }
    }
}
