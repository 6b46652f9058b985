//! Files named by parameters. The caller provides access to them, so that nothing here touches a disk.

use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;

type Open = dyn Fn(&str) -> io::Result<Box<dyn Read>> + Send + Sync;

/// Opens the files that parameters name. By default there are none.
#[derive(Clone)]
pub struct Files(Arc<Open>);

impl Files {
    /// Files opened with this function.
    pub fn new(open: impl Fn(&str) -> io::Result<Box<dyn Read>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(open))
    }

    /// Opens a file.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    pub fn open(&self, path: &str) -> io::Result<Box<dyn Read>> {
        (self.0)(path)
    }
}

impl Default for Files {
    fn default() -> Self {
        Self::new(|_| Err(io::Error::new(ErrorKind::Unsupported, "files are not available here")))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Files")
    }
}
