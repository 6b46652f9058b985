//! What the command line may be, and what is said of one that is not.

use crate::{args, complain, one_line};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use std::any::TypeId;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// The commands. Options that want a number take negative ones, so that one out of range is told as such.
pub(crate) fn commands() -> Command {
    let is_numeric = |arg: &Arg| {
        let kind = arg.get_value_parser().type_id();
        arg.get_action().takes_values() && kind != TypeId::of::<PathBuf>() && kind != TypeId::of::<String>()
    };
    args::Args::command().mut_subcommands(|command| {
        command.mut_args(|arg| match is_numeric(&arg) && !arg.is_positional() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
    })
}

/// Prints help and version as they are, and errors as one line with their tip.
pub(crate) fn explain(error: &clap::Error) -> ExitCode {
    // The bare command asks for help.
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return match write!(anstream::stdout(), "{}", error.render().ansi()) {
            // A reader that has seen enough may close the pipe.
            Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => {
                complain(&why.to_string());
                ExitCode::from(2)
            }
            _ => ExitCode::SUCCESS,
        };
    }
    let text = error.to_string();
    let paragraphs: Vec<String> =
        text.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let mut what = paragraphs[0].trim_start_matches("error: ").to_owned();
    for (theirs, ours) in [
        ("invalid digit found in string", "expected a whole number, not negative"),
        ("cannot parse integer from empty string", "expected a whole number, not negative"),
        ("invalid float literal", "expected a number"),
        ("cannot parse float from empty string", "expected a number"),
        ("number too large to fit in target type", "the number is too large"),
    ] {
        what = what.replace(theirs, ours);
    }
    let (all, given) = (commands(), given());
    let (command, name) = match given.get(1).and_then(|name| all.find_subcommand(name)) {
        Some(command) => (command, format!(" {}", command.get_name())),
        None => (&all, String::new()),
    };
    // Clap's own tip on how to pass what starts with a hyphen leads nowhere in most commands.
    let theirs = || {
        let mut tips = paragraphs.iter().filter_map(|p| p.strip_prefix("tip: "));
        tips.find(|tip| !tip.contains("as a value, use '-- ")).map(str::to_owned)
    };
    let tip = how_to_hyphen(error, command, &given).or_else(theirs);
    let tip = tip.map_or(String::new(), |tip| format!("; {tip}"));
    complain(&one_line(&format!("{what}{tip} (astragal{name} --help)")));
    ExitCode::from(2)
}

/// How to write a value that starts with a hyphen and was therefore not taken for one.
fn how_to_hyphen(error: &clap::Error, command: &Command, given: &[String]) -> Option<String> {
    // Clap names only the first letter.
    let Some(ContextValue::String(letter)) = error.get(ContextKind::InvalidArg) else { return None };
    let option_of = |before: &str| {
        let is_it = |arg: &&Arg| before.strip_prefix("--") == arg.get_long() && arg.get_long().is_some();
        command.get_arguments().find(is_it).filter(|arg| arg.get_action().takes_values())
    };
    let is_meant = |&(before, word): &(&String, &String)| {
        let is_number =
            option_of(before).is_some_and(Arg::is_allow_negative_numbers_set) && word.parse::<f64>().is_ok();
        word.starts_with(letter) && !word.starts_with("--") && !is_number
    };
    let (before, word) = given.iter().zip(given.iter().skip(1)).find(is_meant)?;
    if option_of(before).is_some() {
        return Some(format!("as the value of {before}, write '{before}={word}'"));
    }
    let is_file = |arg: &Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
    command.get_positionals().any(is_file).then(|| format!("as the name of a file, write './{word}'"))
}

/// The words of the command line.
fn given() -> Vec<String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}
