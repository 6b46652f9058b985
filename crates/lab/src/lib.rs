//! The laboratory: matches, tournaments, statistics, tuning, the results store and the experiments of the papers.
//!
//! It knows games and engines only through the catalogue, by their spec strings. What is played, how it is judged and how
//! it is drawn are kept apart: [`stats`] knows numbers, [`plot`] knows figures, [`store`] keeps rows; none knows a game;
//! [`experiments`] says what the papers claim and judges it.

pub mod budget;
pub mod contest;
pub mod experiments;
pub mod file;
pub mod plan;
pub mod play;
pub mod plot;
pub mod record;
pub mod revision;
pub mod run;
pub mod standings;
pub mod stats;
pub mod store;
pub mod tournament;
pub mod tune;
