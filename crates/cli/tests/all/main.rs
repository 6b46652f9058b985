//! The tests of the real binary in one executable, with one file per group of commands.

mod accuracy;
mod binary;
mod budgets;
mod command;
mod docs;
mod files;
#[cfg(unix)]
mod interrupts;
mod lab;
mod play;
mod regret;
mod reproduce;
mod results;
#[cfg(target_os = "linux")]
mod terminal;
mod terms;
mod uci;
