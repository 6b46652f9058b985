//! *Monte Carlo \*-Minimax Search* (Lanctot, Saffidine, Veness, Archibald and Winands, 2013).

pub(crate) mod dense;
pub(crate) mod explained;
pub(crate) mod fig2;
pub(crate) mod future;
mod players;
pub(crate) mod star1_example;
pub(crate) mod table1;
pub(crate) mod theorem1;
pub(crate) mod tuning;
