//! The `astragal` command.
//!
//! `args.rs` lists the commands, each file in `commands/` defines the arguments and behaviour of one, and
//! `print.rs` formats results. Every error is one line on standard error with exit code 2, except plan
//! errors, which quote the offending line; a closed pipe is not an error. An interrupted command shows its
//! results so far, marked as partial, and ends with exit code 130.

mod args;
pub mod bench;
mod commands;
mod failure;
mod interrupt;
mod page;
mod print;
mod progress;
mod usage;
mod watch;
mod wrap;

use clap::FromArgMatches;
use failure::Failure;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Runs the command with the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    let parsed =
        match usage::commands().try_get_matches().and_then(|found| args::Args::from_arg_matches(&found)) {
            Ok(parsed) => parsed,
            Err(error) => return usage::explain(&error),
        };
    interrupt::install();
    let mut out = anstream::AutoStream::auto(std::io::stdout());
    let result = commands::run(parsed.command, &mut out);
    // A closed pipe must not hide an earlier error.
    let flushed = out.flush().map_err(Failure::from);
    let result = result.and_then(|answer| flushed.map(|()| answer));
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Interrupted) => interrupt::exit_code(),
        Err(Failure::Message(message)) => {
            complain(&one_line(&message));
            ExitCode::from(2)
        }
        Err(Failure::Lines(message)) => {
            complain(&message);
            ExitCode::from(2)
        }
    }
}

/// Joins a message into one line. Of a very long one, such as one that quotes a file of bytes, both ends.
fn one_line(message: &str) -> String {
    const ENDS: [usize; 2] = [600, 300];
    let line =
        message.split('\n').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let letters: Vec<char> = line.chars().collect();
    if letters.len() <= ENDS[0] + ENDS[1] {
        return line;
    }
    let (head, tail) = (&letters[..ENDS[0]], &letters[letters.len() - ENDS[1]..]);
    format!("{} … {}", String::from_iter(head), String::from_iter(tail))
}

/// Prints an error on standard error, if that is open.
fn complain(message: &str) {
    let mut text = format!("astragal: {message}");
    // For programs it stays one line.
    if std::io::stderr().is_terminal() {
        text = wrap::wrap(&text, progress::columns_of(std::io::stderr()).saturating_sub(1), 2);
    }
    let _ = writeln!(std::io::stderr(), "{text}");
}
