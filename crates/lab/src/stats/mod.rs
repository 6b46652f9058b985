//! Statistics of matches: intervals, ratings, sequential tests, and luck taken out.

mod estimate;
mod normal;
mod wilson;

pub use estimate::{Estimate, LEVEL, Running};
pub use normal::{normal_cdf, normal_quantile, student_quantile};
pub use wilson::wilson;
