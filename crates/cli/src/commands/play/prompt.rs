//! Reads what a person types: with line editing and history in a terminal, as plain lines otherwise.

use crate::failure::Failure;
use crate::interrupt::while_editing;
use rustyline::Editor;
use rustyline::config::{Config, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use std::io::{BufRead, IsTerminal, Write};

/// A line that was read, or why there is none.
pub(super) enum Typed {
    Line(String),
    /// The end of the input.
    End,
    /// Ctrl-C while editing a line.
    Interrupt,
}

/// Reads lines.
pub(super) struct Prompt {
    /// None if standard input or output is not a terminal.
    editor: Option<Editor<(), MemHistory>>,
}

impl Prompt {
    pub(super) fn new() -> Self {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        // If there is no editor, plain lines are read instead.
        let editor = || {
            let config = Config::builder().auto_add_history(true).build();
            let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
            // This leaves one mode fewer for an interrupt to restore.
            editor.enable_bracketed_paste(false);
            Some(editor)
        };
        Self { editor: if terminal { editor() } else { None } }
    }

    /// Shows the prompt and reads a line.
    pub(super) fn read(&mut self, prompt: &str, out: &mut dyn Write) -> Result<Typed, Failure> {
        let failed = |why: String| Failure::Message(format!("cannot read from the terminal: {why}"));
        if let Some(editor) = &mut self.editor {
            out.flush()?;
            return match while_editing(|| editor.readline(prompt)) {
                Ok(line) => Ok(Typed::Line(line)),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(ReadlineError::Interrupted) => Ok(Typed::Interrupt),
                Err(error) => Err(failed(error.to_string())),
            };
        }
        write!(out, "{prompt}")?;
        out.flush()?;
        let mut line = Vec::new();
        match std::io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) => {
                writeln!(out)?;
                Ok(Typed::End)
            }
            // Input that is not valid UTF-8 gets an answer as well.
            Ok(_) => Ok(Typed::Line(String::from_utf8_lossy(&line).into_owned())),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}
