//! The mean of samples with its error.

use super::normal::{normal_quantile, student_quantile, upper};
use astragal_core::Interval;
use serde::{Deserialize, Serialize};

/// The default confidence level.
pub const LEVEL: f64 = 0.95;

/// An estimated quantity with its confidence interval.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate itself.
    pub mean: f64,
    /// The lower end of the interval.
    pub lo: f64,
    /// The upper end of the interval.
    pub hi: f64,
    /// The standard error of the estimate.
    pub error: f64,
}

impl Estimate {
    /// The confidence interval.
    #[must_use]
    pub fn interval(&self) -> Interval {
        Interval::new(self.lo, self.hi)
    }

    /// Whether the value lies in the confidence interval.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.interval().contains(value)
    }

    /// This estimate minus another, independent one.
    ///
    /// # Panics
    /// If the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn minus(&self, other: &Self, level: f64) -> Self {
        let (mean, error) =
            (self.mean - other.mean, (self.error * self.error + other.error * other.error).sqrt());
        let reach = normal_quantile(upper(level)) * error;
        Self { mean, lo: mean - reach, hi: mean + reach, error }
    }
}

/// The number, mean and variance of the samples seen so far, by Welford's update.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Running {
    count: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Running {
    /// No samples yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one sample.
    pub fn add(&mut self, sample: f64) {
        self.count += 1;
        let before = sample - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (sample - self.mean);
    }

    /// Adds the samples of another, as if one by one.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (mine, theirs) = (self.count as f64, other.count as f64);
        let apart = other.mean - self.mean;
        self.count += other.count;
        self.mean += apart * theirs / self.count as f64;
        self.squares += other.squares + apart * apart * mine * theirs / self.count as f64;
    }

    /// The number of samples.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean of the samples; 0 without samples.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The unbiased variance of a sample; infinite for fewer than two, because it is unknown.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.count < 2 { f64::INFINITY } else { self.squares / (self.count - 1) as f64 }
    }

    /// The standard error of the mean; infinite for fewer than two samples.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.count < 2 { f64::INFINITY } else { (self.variance() / self.count as f64).sqrt() }
    }

    /// The mean with its Student interval of this level; for fewer than two samples the interval is the whole
    /// line.
    ///
    /// Samples that are all equal give a single-point interval. Where that is not credible, as after a few
    /// games that were all won, use [`wilson`](super::wilson()) or [`Pairs`](super::Pairs).
    ///
    /// # Panics
    /// If the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn estimate(&self, level: f64) -> Estimate {
        let upper = upper(level);
        let (mean, error) = (self.mean, self.error());
        if self.count < 2 {
            return Estimate { mean, lo: f64::NEG_INFINITY, hi: f64::INFINITY, error };
        }
        let reach = student_quantile(upper, (self.count - 1) as f64) * error;
        Estimate { mean, lo: mean - reach, hi: mean + reach, error }
    }
}

impl Extend<f64> for Running {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, samples: I) {
        for sample in samples {
            self.add(sample);
        }
    }
}

impl FromIterator<f64> for Running {
    fn from_iter<I: IntoIterator<Item = f64>>(samples: I) -> Self {
        let mut running = Self::new();
        running.extend(samples);
        running
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_difference_add_up_as_squares() {
        let estimate = |mean: f64, error: f64| Estimate { mean, lo: mean - error, hi: mean + error, error };
        let found = estimate(7.0, 3.0).minus(&estimate(2.0, 4.0), LEVEL);
        assert_eq!((found.mean, found.error), (5.0, 5.0));
        assert!((found.hi - 5.0 - 5.0 * 1.959964).abs() < 1e-5 && (found.lo + found.hi - 10.0).abs() < 1e-9);
    }

    #[test]
    fn mean_and_interval_are_those_of_the_textbook() {
        // Mean 5, sum of squares 32, so the variance is 32/7; Student's 0.975 quantile with 7 degrees of
        // freedom is 2.364624.
        let running: Running = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!((running.count(), running.mean()), (8, 5.0));
        assert!((running.variance() - 32.0 / 7.0).abs() < 1e-12);
        let estimate = running.estimate(LEVEL);
        let error = (4.0_f64 / 7.0).sqrt();
        assert!((estimate.error - error).abs() < 1e-12);
        assert!((estimate.hi - 5.0 - 2.364_624_252 * error).abs() < 1e-8, "{estimate:?}");
        assert!((estimate.hi + estimate.lo - 10.0).abs() < 1e-12);
    }

    #[test]
    fn a_merge_equals_adding_one_by_one() {
        let samples: Vec<f64> = (0..100).map(|i| 1e6 + f64::from(i * i % 37)).collect();
        let whole: Running = samples.iter().copied().collect();
        for cut in [0, 1, 40, 99, 100] {
            let mut left: Running = samples[..cut].iter().copied().collect();
            left.merge(&samples[cut..].iter().copied().collect());
            assert_eq!(left.count(), 100);
            assert!((left.mean() - whole.mean()).abs() < 1e-8);
            assert!((left.variance() / whole.variance() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn one_sample_says_nothing_of_its_variance() {
        let mut running = Running::new();
        assert_eq!(running.estimate(LEVEL).interval(), Interval::WHOLE);
        running.add(3.0);
        let estimate = running.estimate(LEVEL);
        assert_eq!((estimate.mean, estimate.error), (3.0, f64::INFINITY));
        assert_eq!(estimate.interval(), Interval::WHOLE);
    }

    #[test]
    #[should_panic(expected = "contract: 95 is not a level")]
    fn a_level_in_percent_is_refused() {
        let _ = Running::new().estimate(95.0);
    }
}
