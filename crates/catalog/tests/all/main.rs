//! The tests of spec strings and readers, in one executable.

mod brief;
mod fuzz;
mod spec;
mod specs;
mod tree_file;
