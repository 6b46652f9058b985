//! Statistics of matches: intervals, ratings, sequential tests, and luck adjustment.
//!
//! The unit is the pair: two games from the same start with the same dice and swapped seats. [`Pairs`] counts
//! them by score, [`Sprt`] decides when there are enough, [`adjust`] removes luck from their scores,
//! [`Table`] rates many players, [`reliability`] checks predicted chances, and [`bootstrap`] serves every
//! statistic without a formula here. Nothing in this crate knows a game, reads a clock or draws a random
//! number that is not keyed by a seed.
//!
//! Every interval takes a confidence level, usually [`LEVEL`].

mod bootstrap;
mod brownian;
mod elo;
mod estimate;
mod holm;
mod logistic;
mod luck;
mod multinomial;
mod normal;
mod pairs;
mod rank;
mod rating;
mod reliability;
mod sprt;
mod stakes;
mod stopped;
mod wilson;

pub use bootstrap::bootstrap;
pub use elo::{elo_from_score, elo_interval, normalised_elo, score_from_elo, superiority};
pub use estimate::{Estimate, LEVEL, Running};
pub use holm::{holm, two_sided};
pub use logistic::{logistic, logistic_fit};
pub use luck::{Adjusted, adjust, effective_games};
pub use normal::{normal_cdf, normal_quantile, student_quantile};
pub use pairs::Pairs;
pub use rank::spearman;
pub use rating::{PRIOR, Ratings, Table};
pub use reliability::{BINS, Bin, Predicted, mean_error, reliability};
pub use sprt::{Scale, Sprt, Verdict};
pub use stakes::{Stake, mean_loss};
pub use wilson::wilson;
