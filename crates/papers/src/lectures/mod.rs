//! The two lectures on sampling-based search, bandits and stochastic games.

pub(crate) mod bandit_regret;
pub(crate) mod branching;
pub(crate) mod order;
pub(crate) mod sampling;
pub(crate) mod ucb_constant;
pub(crate) mod ucb_example;
