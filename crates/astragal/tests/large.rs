//! The subjects with tests that take too long without optimisation:
//! `cargo test --release -p astragal --test large`.
#![cfg(not(debug_assertions))]

#[path = "all/evaluators.rs"]
mod evaluators;
#[path = "all/policies.rs"]
mod policies;
#[path = "all/solved.rs"]
mod solved;
#[allow(dead_code, reason = "what other subjects need is there too")]
#[path = "all/support/mod.rs"]
mod support;
#[path = "all/synthetic.rs"]
mod synthetic;
