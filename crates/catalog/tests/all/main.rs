//! The tests of spec strings and readers, in one executable.

mod fuzz;
mod specs;
