//! Statistics of matches: intervals, ratings, sequential tests, and luck taken out.

mod brownian;
mod elo;
mod estimate;
mod luck;
mod multinomial;
mod normal;
mod pairs;
mod rating;
mod sprt;
mod stopped;
mod wilson;

pub use elo::{elo_from_score, elo_interval, normalised_elo, score_from_elo, superiority};
pub use estimate::{Estimate, LEVEL, Running};
pub use luck::{Adjusted, adjust, effective_games};
pub use normal::{normal_cdf, normal_quantile, student_quantile};
pub use pairs::Pairs;
pub use rating::{PRIOR, Ratings, Table};
pub use sprt::{Scale, Sprt, Verdict};
pub use wilson::wilson;
