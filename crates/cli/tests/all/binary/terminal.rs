//! The real binary in a pseudo-terminal, as a person sees it.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{InputModes, LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The input modes and local modes of a terminal.
type Modes = (InputModes, LocalModes);

fn modes(terminal: impl AsFd) -> Modes {
    let state = tcgetattr(terminal).unwrap();
    (state.input_modes, state.local_modes)
}

/// A command running in a pseudo-terminal.
pub(crate) struct Terminal {
    pub(crate) child: Child,
    keyboard: File,
    screen: Arc<Mutex<Vec<u8>>>,
    /// The terminal modes before the command started.
    pub(crate) modes_before: Modes,
    reader: std::thread::JoinHandle<()>,
}

impl Terminal {
    /// Starts the command in a terminal with this many columns.
    pub(crate) fn start(args: &[&str], columns: u16) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).unwrap();
        let modes_before = modes(&ours);
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let open = || File::options().read(true).write(true).open(&name).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(args)
            .env("TERM", "xterm")
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .spawn()
            .unwrap();
        let keyboard = File::from(ours);
        let screen = Arc::new(Mutex::new(Vec::new()));
        let reader = std::thread::spawn({
            let (mut from, to) = (keyboard.try_clone().unwrap(), Arc::clone(&screen));
            move || {
                let mut buffer = [0; 4096];
                // Reading fails once the command has closed its side.
                while let Ok(count @ 1..) = from.read(&mut buffer) {
                    to.lock().unwrap().extend(&buffer[..count]);
                }
            }
        });
        Self { child, keyboard, screen, modes_before, reader }
    }

    /// Presses keys.
    pub(crate) fn type_in(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// The current modes of the terminal.
    pub(crate) fn modes(&self) -> Modes {
        modes(&self.keyboard)
    }

    /// Everything written to the screen so far.
    pub(crate) fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    /// Waits until a text appears on the screen.
    pub(crate) fn wait_for(&mut self, what: &str) {
        self.wait_until(what, |terminal| terminal.screen().contains(what));
    }

    /// Waits until a condition holds.
    pub(crate) fn wait_until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            if start.elapsed() > Duration::from_secs(60) {
                let _ = self.child.kill();
                panic!("no {what:?}: {:?}", self.screen());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the command to exit, and returns its exit code.
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        let mut status = None;
        self.wait_until("exit", |terminal| {
            status = terminal.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap().code()
    }

    /// Waits for the command to exit, and returns its exit code and everything it wrote.
    pub(crate) fn finish(mut self) -> (Option<i32>, String) {
        let code = self.exit_code();
        self.reader.join().unwrap();
        (code, String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned())
    }
}
