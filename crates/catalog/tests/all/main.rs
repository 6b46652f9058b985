//! The tests of spec strings, parsers and external evaluators, in one executable.

mod brief;
mod fuzz;
mod judges;
mod probcut;
mod rules;
mod spec;
mod specs;
mod texts;
mod tree_file;
