//! The real binary, as the tests of the command line use it.

#[cfg(unix)]
pub(crate) mod interrupt;
#[cfg(target_os = "linux")]
pub(crate) mod terminal;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Runs the command to completion.
pub(crate) fn astragal(args: &[&str]) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_astragal")).args(args))
}

/// Runs a command without input to completion, see [`ended`].
pub(crate) fn run(command: &mut Command) -> Output {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    ended(command.spawn().unwrap())
}

/// Waits for a command to exit. One that hangs is killed, so that its test fails and the others go on.
pub(crate) fn ended(child: Child) -> Output {
    const LONGEST: Duration = Duration::from_secs(300);
    let id = child.id().to_string();
    let (exited, watched) = channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if watched.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-KILL", &id]).status();
        }
    });
    let output = child.wait_with_output().unwrap();
    drop(exited);
    watchdog.join().unwrap();
    output
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The output of a command that must succeed.
pub(crate) fn said(args: &[&str]) -> String {
    let output = astragal(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The error of a command that must fail on bad input: one line, exit code 2.
pub(crate) fn refused(args: &[&str]) -> String {
    let output = astragal(args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
    assert!(error.starts_with("astragal: ") && !error.contains("panicked"), "{error}");
    assert!(output.stdout.is_empty(), "{args:?}");
    error
}

/// Creates an empty directory for a test.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("astragal-test-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

pub(crate) fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().unwrap().to_string()
}

/// The JSON output of a command that must succeed.
pub(crate) fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&said(args)).unwrap()
}
