//! The tests of the laboratory, in one executable.

mod figures;
mod kill;
mod luck;
mod statistics;
