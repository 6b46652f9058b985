//! Files that are written atomically: whole or not at all.
//!
//! The content goes to a temporary file in the same folder, which replaces the old file once it is complete.
//! So a reader never sees half a file, a failure leaves the old one unchanged, and of two processes that
//! write the same file the last one wins with all of its content. Symbolic links are followed: their target
//! is replaced, not the link. Devices, FIFOs and sockets cannot be replaced, so they are written directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// The longest chain of symbolic links to follow, as in Linux.
const MOST_LINKS: usize = 40;

/// Paths of files that are already open. They may be regular files that others write to, so they are appended
/// to, never replaced.
const STREAMS: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];

/// A file that could not be written.
#[derive(Debug, Error)]
#[error("cannot write '{}': {why}", .path.display())]
pub struct WriteError {
    /// The file, as the caller named it.
    pub path: PathBuf,
    /// The error that the system reports.
    #[source]
    pub why: io::Error,
}

/// Writes a file whole or not at all.
///
/// # Errors
/// If it cannot be written. A regular file is then unchanged.
pub fn write(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    WholeFile::create(path)?.write_with(|out| out.write_all(content))
}

/// A file to be written whole. If dropped without [`WholeFile::write_with`], it changes nothing.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    file: File,
    temporary: Option<Temporary>,
}

/// A file beside the one that it will replace; deleted when dropped.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    target: PathBuf,
}

/// The temporary files of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Deletes the temporary files of this process, for an exit that drops nothing.
pub fn remove_unfinished() {
    // Stays locked, so that no other thread creates one.
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in &*unfinished {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the rename there is nothing left to remove.
        let _ = fs::remove_file(&self.path);
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.path);
    }
}

impl WholeFile {
    /// Checks that the file can be written, before any work is spent on its content.
    ///
    /// # Errors
    /// If its folder does not exist or cannot be written, or the path is a folder or a read-only file.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        Self::open(path).map_err(|why| WriteError { path: path.into(), why })
    }

    /// The file, as the caller named it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn open(path: &Path) -> io::Result<Self> {
        if STREAMS.iter().any(|stream| path.starts_with(stream)) {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(Self { path: path.into(), file, temporary: None });
        }
        let (target, existing) = match resolve(path)? {
            Target::Special(device) => {
                let file = OpenOptions::new().write(true).open(device)?;
                return Ok(Self { path: path.into(), file, temporary: None });
            }
            Target::Regular(target, existing) => (target, existing),
        };
        let (file, beside) = create_beside(&target)?;
        let temporary = Temporary { path: beside, target };
        if let Some(permissions) = existing {
            file.set_permissions(permissions)?;
        }
        Ok(Self { path: path.into(), file, temporary: Some(temporary) })
    }

    /// Writes the content and moves the file into place.
    ///
    /// # Errors
    /// If `content` or the disk fails. A regular file is then unchanged.
    pub fn write_with(
        self,
        content: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let Self { path, file, temporary } = self;
        let write = || {
            let mut out = BufWriter::new(&file);
            content(&mut out)?;
            out.flush()?;
            drop(out);
            if let Some(temporary) = &temporary {
                // Without this, a power cut could leave the new name without the content.
                file.sync_all()?;
                fs::rename(&temporary.path, &temporary.target)?;
            }
            Ok(())
        };
        write().map_err(|why| WriteError { path, why })
    }
}

/// The target of a path.
enum Target {
    /// A regular file, with its permissions if it exists.
    Regular(PathBuf, Option<fs::Permissions>),
    /// A device, a FIFO or a socket.
    Special(PathBuf),
}

/// Follows symbolic links by hand, because the last one may lead to a file that does not exist yet.
fn resolve(path: &Path) -> io::Result<Target> {
    let folder = || io::Error::new(ErrorKind::IsADirectory, "it is a folder");
    let mut path = path.to_path_buf();
    for _ in 0..=MOST_LINKS {
        let named_as_folder = path.as_os_str().as_encoded_bytes().last() == Some(&b'/');
        let Some(name) = path.file_name().filter(|_| !named_as_folder) else { return Err(folder()) };
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let parent = fs::canonicalize(parent)?;
        let at = parent.join(name);
        // Links in /proc, the target of /dev/stdout, stand for open files, not for paths.
        if at.starts_with("/proc") {
            return Ok(Target::Special(at));
        }
        let metadata = match fs::symlink_metadata(&at) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Target::Regular(at, None)),
            Err(error) => return Err(error),
        };
        let kind = metadata.file_type();
        if kind.is_symlink() {
            path = parent.join(fs::read_link(&at)?);
        } else if kind.is_dir() {
            return Err(folder());
        } else if !kind.is_file() {
            return Ok(Target::Special(at));
        } else if metadata.permissions().readonly() {
            // Replacing it would be possible, but not what its owner wants.
            return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
        } else {
            return Ok(Target::Regular(at, Some(metadata.permissions())));
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Creates a file in the folder of another, under a name that no other thread or process uses.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = std::ffi::OsString::from(".");
        // A name near the limit of the file system cannot be extended.
        let stem = target.file_name().unwrap_or_default();
        if stem.len() < 200 {
            name.push(stem);
        }
        name.push(format!(".{}-{number}.tmp", std::process::id()));
        let path = target.with_file_name(name);
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            // Left behind by a killed process with the same id.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            file => {
                let file = file?;
                unfinished.push(path.clone());
                return Ok((file, path));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new empty folder for a test.
    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("astragal-file-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_no_other() {
        let folder = folder("failure");
        let file = folder.join("a.txt");
        write(&file, b"old").unwrap();
        let fails = |out: &mut BufWriter<&File>| {
            out.write_all(b"half of the new")?;
            Err(io::Error::other("enough"))
        };
        let error = WholeFile::create(&file).unwrap().write_with(fails).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot write '{}': enough", file.display()));
        drop(WholeFile::create(&file).unwrap());
        assert_eq!(
            (fs::read_to_string(&file).unwrap(), names(&folder)),
            ("old".into(), vec!["a.txt".into()])
        );
        write(&file, b"new").unwrap();
        assert_eq!(
            (fs::read_to_string(&file).unwrap(), names(&folder)),
            ("new".into(), vec!["a.txt".into()])
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn writers_of_one_file_do_not_disturb_each_other() {
        let folder = folder("writers");
        let file = folder.join("a.txt");
        let contents: Vec<Vec<u8>> = (0..8_u8).map(|writer| vec![b'a' + writer; 100_000]).collect();
        std::thread::scope(|scope| {
            for content in &contents {
                scope.spawn(|| (0..10).for_each(|_| write(&file, content).unwrap()));
            }
        });
        assert!(contents.contains(&fs::read(&file).unwrap()));
        assert_eq!(names(&folder), ["a.txt"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn folders_and_missing_folders_are_refused() {
        let folder = folder("refused");
        for (path, why) in [
            (folder.clone(), "it is a folder"),
            (folder.join("new/"), "it is a folder"),
            (folder.join(".."), "it is a folder"),
            (folder.join("no/file"), "No such file"),
        ] {
            let error = WholeFile::create(&path).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains(path.to_str().unwrap()), "{error}");
        }
        assert!(names(&folder).is_empty());
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        fs::create_dir(folder.join("elsewhere")).unwrap();
        let target = folder.join("elsewhere/real");
        for (link, to) in [("one", "two"), ("two", "elsewhere/real"), ("round", "round")] {
            symlink(to, folder.join(link)).unwrap();
        }
        // The first time, the links lead to no file.
        for content in ["first", "second"] {
            write(&folder.join("one"), content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), content);
            fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        }
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
        for link in ["one", "two"] {
            assert!(fs::symlink_metadata(folder.join(link)).unwrap().is_symlink());
        }
        let error = write(&folder.join("round"), b"").unwrap_err().to_string();
        assert!(error.contains("too many symbolic links"), "{error}");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o440)).unwrap();
        let error = write(&folder.join("one"), b"third").unwrap_err().to_string();
        assert!(error.contains("it is read-only"), "{error}");
        assert_eq!(fs::read_to_string(&target).unwrap(), "second");
        assert_eq!(names(&folder.join("elsewhere")), ["real"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
