//! `cargo bench`: what `astragal bench` measures, with more rounds.

#![allow(clippy::print_stdout, reason = "a benchmark prints its result")]

use astragal_cli::bench::{Growth, Piece, measure};

fn main() {
    // `cargo test` also builds benchmarks and may run them; then it suffices that they run.
    let rounds = if std::env::args().any(|arg| arg == "--bench") { 51 } else { 1 };
    print!("{}", measure(Piece::ALL, rounds, 5, Growth::Simulations(50_000)));
}
