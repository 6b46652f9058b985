//! The laboratory: matches, tournaments, statistics, tuning, the results store and the experiments of the
//! papers.
//!
//! It plays games and engines of the catalogue, by their spec strings, and any others by [`matches::Match`];
//! some experiments have games of their own. What is played, how it is judged and how it is drawn are kept
//! apart: [`stats`] knows numbers, [`plot`] knows figures, [`store`] keeps rows; none knows a game;
//! [`experiments`] says what the papers claim and judges it.

pub mod budget;
pub mod contest;
pub mod experiments;
pub mod file;
pub mod matches;
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
