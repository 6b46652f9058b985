//! Why a command ended without a result.

use astragal_arena::contest::NoContest;
use astragal_arena::study::StudyError;
use astragal_arena::tune::TuneError;
use astragal_core::{ReadError, SpecError};
use astragal_papers::Failed;
use astragal_store::file::WriteError;
use astragal_store::{ExportError, StoreError};
use std::io;

/// Why a command ended without a result.
pub(crate) enum Failure {
    /// Bad input or a failure of the environment: one line for the user.
    Message(String),
    /// Bad input in a file, quoted with a marker at the fault: several lines.
    Lines(String),
    /// The reader closed the output pipe, which is not an error.
    ClosedPipe,
    /// The command was interrupted; its partial results are already printed.
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

/// Converts any other error, keeping its message.
macro_rules! told {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Message(error.to_string())
            }
        })*
    };
}

told!(
    Failed,
    NoContest,
    ReadError,
    SpecError,
    StoreError,
    StudyError<StoreError>,
    TuneError<StoreError>,
    WriteError
);

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Store(error) => error.into(),
            ExportError::Write(error) => error.into(),
        }
    }
}
