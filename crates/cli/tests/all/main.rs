//! The tests of the real binary, in one executable: a file a group of commands.

mod binary;
mod command;
mod files;
mod lab;
mod readme;
mod reproduce;
mod results;
