//! *Understanding Sampling-Based Adversarial Search* (Ramanujan 2012): UCT against Minimax.

pub(crate) mod backups;
mod curves;
pub(crate) mod exploration;
mod kalah;
pub(crate) mod partial;
pub(crate) mod playouts;
pub(crate) mod trapped;
pub(crate) mod traps;
