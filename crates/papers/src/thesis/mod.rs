//! *Understanding Sampling-Based Adversarial Search* (Ramanujan 2012): UCT against Minimax.

pub(crate) mod backups;
pub(crate) mod chess;
pub(crate) mod critical;
mod curves;
pub(crate) mod exploration;
mod kalah;
pub(crate) mod partial;
pub(crate) mod playouts;
pub(crate) mod rankings;
pub(crate) mod shaded;
pub(crate) mod synthetic;
pub(crate) mod trapped;
pub(crate) mod traps;
pub(crate) mod trees;
