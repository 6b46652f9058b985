//! The tests that need both games and searches, in one executable: one file per subject.

mod allocation;
mod alpha_beta;
mod architecture;
mod evaluators;
mod ewn;
mod flat;
mod graphs;
mod growth;
mod kept_values;
mod laws;
mod library;
mod mcts;
mod mcts_tree;
mod openspiel;
mod oracles;
mod policies;
mod ra;
mod regular;
mod shared_tree;
mod solved;
mod support;
mod synthetic;
mod traps;
