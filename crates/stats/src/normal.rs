//! The normal and Student distributions, which turn a standard error into an interval.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::{erfc, erfc_inv};
use std::f64::consts::SQRT_2;

/// Above this many degrees of freedom the Student quantile is expanded around the normal one.
const MANY: f64 = 1000.0;

/// The probability that a standard normal variable is at most `x`, to ten digits.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The quantile of the standard normal distribution at probability `p`.
///
/// # Panics
/// If `p` is not a probability.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    assert!((0.0..=1.0).contains(&p), "contract: {p} is not a probability");
    -SQRT_2 * erfc_inv(2.0 * p)
}

/// The quantile of Student's distribution with this many degrees of freedom at probability `p`.
///
/// # Panics
/// If `p` is not a probability, or the degrees of freedom are not positive.
#[must_use]
pub fn student_quantile(p: f64, freedom: f64) -> f64 {
    assert!((0.0..=1.0).contains(&p), "contract: {p} is not a probability");
    assert!(freedom > 0.0, "contract: {freedom} degrees of freedom");
    if freedom <= MANY {
        let student = StudentsT::new(0.0, 1.0, freedom).expect("the scale and the freedom are positive");
        return student.inverse_cdf(p);
    }
    // The inversion loses digits as the degrees of freedom grow, and the expansion gains them: its error is
    // of the order of the freedom to the power of -4.
    let z = normal_quantile(p);
    if z.is_infinite() {
        return z;
    }
    let square = z * z;
    let first = z * (square + 1.0) / 4.0;
    let second = z * ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    z + (first + (second + third / freedom) / freedom) / freedom
}

/// The half-width of a normal interval of this level, in standard errors.
///
/// # Panics
/// If the level does not lie strictly between 0 and 1.
pub(crate) fn reach(level: f64) -> f64 {
    normal_quantile(upper(level))
}

/// The probability below the upper end of a two-sided interval of this level.
///
/// # Panics
/// If the level does not lie strictly between 0 and 1.
pub(crate) fn upper(level: f64) -> f64 {
    assert!(0.0 < level && level < 1.0, "contract: {level} is not a level between 0 and 1");
    0.5 + level / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_values_are_those_of_the_tables() {
        for (p, z) in [(0.5, 0.0), (0.841_344_746_068_543, 1.0), (0.95, 1.644_853_626_951_473)] {
            assert!((normal_quantile(p) - z).abs() < 1e-10, "{p}: {}", normal_quantile(p));
            assert!((normal_cdf(z) - p).abs() < 1e-10, "{z}: {}", normal_cdf(z));
        }
        assert!((reach(0.95) - 1.959_963_984_540_054).abs() < 1e-10);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        // The tail keeps its precision: 6 standard deviations leave 9.865876e-10.
        assert!((normal_cdf(-6.0) / 9.865_876_450_377e-10 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn student_quantiles_are_those_of_the_tables() {
        let table = [(1.0, 12.706), (2.0, 4.303), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042), (100.0, 1.984)];
        for (freedom, quantile) in table {
            assert!((student_quantile(0.975, freedom) - quantile).abs() < 6e-4, "{freedom}");
            assert!((student_quantile(0.025, freedom) + quantile).abs() < 6e-4, "{freedom}");
        }
    }

    #[test]
    fn the_expansion_meets_the_inversion() {
        for p in [0.001, 0.025, 0.3, 0.6, 0.9, 0.975, 0.9995] {
            let inverted = student_quantile(p, MANY);
            let expanded = student_quantile(p, MANY + 1e-9);
            assert!((inverted - expanded).abs() < 1e-8, "{p}: {inverted} and {expanded}");
        }
        assert!((student_quantile(0.975, 1e12) - reach(0.95)).abs() < 1e-11);
    }
}
