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
mod print;
mod progress;
mod watch;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command with the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    let parsed = match args::Args::try_parse() {
        Ok(parsed) => parsed,
        Err(error) => return explain(&error),
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

/// Prints help and version as they are, and errors as one line with their tip.
fn explain(error: &clap::Error) -> ExitCode {
    // The bare command asks for help.
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // A reader that has seen enough may close the pipe.
        let _ = write!(anstream::stdout(), "{}", error.render().ansi());
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let paragraphs: Vec<String> =
        text.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let mut what = paragraphs[0].trim_start_matches("error: ").to_owned();
    for (theirs, ours) in [
        ("invalid digit found in string", "expected a whole number"),
        ("number too large to fit in target type", "the number is too large"),
    ] {
        what = what.replace(theirs, ours);
    }
    // No positional argument may start with a hyphen, so that the tip on how to pass one leads nowhere.
    let tip = paragraphs
        .iter()
        .find_map(|p| p.strip_prefix("tip: "))
        .filter(|tip| !tip.contains("as a value, use '-- "))
        .map_or(String::new(), |tip| format!("; {tip}"));
    let (all, given) = (args::Args::command(), std::env::args_os().nth(1).unwrap_or_default());
    let command = all.find_subcommand(given).map_or(String::new(), |found| format!(" {}", found.get_name()));
    complain(&format!("{what}{tip} (astragal{command} --help)"));
    ExitCode::from(2)
}

/// Joins a message into one line.
fn one_line(message: &str) -> String {
    message.split('\n').map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Prints an error on standard error, if that is open.
fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "astragal: {message}");
}
