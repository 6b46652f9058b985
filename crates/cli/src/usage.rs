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
        let is_text = kind == TypeId::of::<String>() || kind == TypeId::of::<PathBuf>();
        arg.get_action().takes_values() && !arg.is_positional() && !is_text
    };
    args::Args::command().mut_subcommands(|command| {
        command.mut_args(|arg| if is_numeric(&arg) { arg.allow_negative_numbers(true) } else { arg })
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
    let (all, given) = (commands(), std::env::args_os().nth(1).unwrap_or_default());
    let name = all.find_subcommand(given).map_or(String::new(), |found| format!(" {}", found.get_name()));
    let is_hyphened = matches!(
        error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::UnknownArgument && !word.starts_with("--")
    );
    let tip = if is_hyphened {
        "; a value that starts with a hyphen is written --option=-x, a file ./-x".into()
    } else {
        // Clap's own tip on hyphens leads nowhere in most commands.
        let mut tips = paragraphs.iter().filter_map(|p| p.strip_prefix("tip: "));
        let tip = tips.find(|tip| !tip.contains("as a value, use '-- "));
        tip.map_or(String::new(), |tip| format!("; {tip}"))
    };
    complain(&one_line(&format!("{what}{tip} (astragal{name} --help)")));
    ExitCode::from(2)
}
