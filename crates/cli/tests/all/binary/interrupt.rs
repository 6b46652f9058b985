//! The real binary, interrupted while it is busy.

use super::ended;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The maximum time from an interrupt to the exit. The aim is half a second, but tests run unoptimised on
/// busy machines.
const LONGEST: Duration = Duration::from_millis(2800);

/// The output of an interrupted command.
pub(crate) struct Interrupted {
    pub(crate) out: String,
    pub(crate) error: String,
}

/// Starts a command, interrupts it after it has worked for some time, and checks that it ends soon with exit
/// code 130.
pub(crate) fn interrupted(args: &[&str], work: Duration) -> Interrupted {
    signalled(args, "-INT", work)
}

/// Like [`interrupted`], with another signal.
pub(crate) fn signalled(args: &[&str], signal: &str, work: Duration) -> Interrupted {
    let child = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_busy(&child, work);
    end(child, signal)
}

/// Sends a signal, and checks how the command ends.
pub(crate) fn end(child: Child, signal: &str) -> Interrupted {
    let start = Instant::now();
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let output = ended(child);
    let took = start.elapsed();
    let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(130), "{out}{error}");
    assert!(took < LONGEST, "it took {took:?}: {out}{error}");
    Interrupted { out, error }
}

/// Waits until a command has used this much CPU time.
pub(crate) fn wait_until_busy(child: &Child, work: Duration) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
        match used(child.id()) {
            Some(used) if used >= work => return,
            Some(_) => {}
            None if start.elapsed() >= 2 * work => return,
            None => {}
        }
    }
    panic!("it does not work");
}

/// The CPU time that a process has used, if the system reports it.
fn used(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program is in parentheses. Times are in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}
