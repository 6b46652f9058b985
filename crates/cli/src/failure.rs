//! Why a command did not answer.

use astragal_catalog::SpecError;
use astragal_core::ReadError;
use astragal_lab::contest::NoContest;
use astragal_lab::file::WriteError;
use astragal_lab::store::{ExportError, StoreError};
use astragal_lab::tune::TuneError;
use std::io;

/// Why a command did not answer.
pub(crate) enum Failure {
    /// Bad input, or something outside that does not work: one line for the user.
    Message(String),
    /// Bad input in a file, quoted with a mark at the place: several lines.
    Lines(String),
    /// The reader of the output has gone away, which is its right.
    ClosedPipe,
    /// It was interrupted. What it had found is printed.
    Interrupted,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Message(error.to_string()),
        }
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<NoContest> for Failure {
    fn from(error: NoContest) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Store(error) => error.into(),
            ExportError::Write(error) => error.into(),
        }
    }
}
