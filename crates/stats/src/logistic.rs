//! Logistic regression: the chance of success as a function of a few numbers, by Newton's method.
//!
//! There is no constant term; a caller that wants one passes a column of ones. A success may be a share, such
//! as ½ for a draw.

/// A weak pull of every coefficient towards 0, in samples. Data that a step function separates, such as ten
/// positions that were all won, would otherwise have no finite fit.
const PULL: f64 = 0.01;

/// Newton's method doubles the correct digits in each round, so this is far more than it needs.
const ROUNDS: u32 = 100;

/// The chance at this logit.
#[must_use]
pub fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The coefficients under which the samples, pairs of numbers and success, are most likely: the chance is
/// the [`logistic`] of the sum of coefficient times number.
#[must_use]
pub fn logistic_fit<const N: usize>(samples: &[([f64; N], f64)]) -> [f64; N] {
    let mut found = [0.0; N];
    let mut best = cost(samples, &found);
    for _ in 0..ROUNDS {
        let Some(step) = newton(samples, &found) else { break };
        // Far from the solution a whole step may overshoot.
        let mut share = 1.0;
        let next = loop {
            let next: [f64; N] = std::array::from_fn(|i| found[i] + share * step[i]);
            if cost(samples, &next) <= best || share < 1e-6 {
                break next;
            }
            share /= 2.0;
        };
        let cost = cost(samples, &next);
        if cost >= best {
            break;
        }
        (found, best) = (next, cost);
    }
    found
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The negative log-likelihood, with the pull.
fn cost<const N: usize>(samples: &[([f64; N], f64)], coefficients: &[f64; N]) -> f64 {
    let of = |(numbers, success): &([f64; N], f64)| {
        let logit = dot(numbers, coefficients);
        // ln(1 + e^logit) without overflow.
        logit.max(0.0) + (-logit.abs()).exp().ln_1p() - success * logit
    };
    samples.iter().map(of).sum::<f64>() + PULL / 2.0 * dot(coefficients, coefficients)
}

/// Newton's step: the inverse of the second derivative times the first.
fn newton<const N: usize>(samples: &[([f64; N], f64)], coefficients: &[f64; N]) -> Option<[f64; N]> {
    let mut slope: [f64; N] = std::array::from_fn(|i| -PULL * coefficients[i]);
    let mut curve: [[f64; N]; N] =
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { PULL } else { 0.0 }));
    for (numbers, success) in samples {
        let chance = logistic(dot(numbers, coefficients));
        let (off, weight) = (success - chance, chance * (1.0 - chance));
        for i in 0..N {
            slope[i] += off * numbers[i];
            for j in 0..N {
                curve[i][j] += weight * numbers[i] * numbers[j];
            }
        }
    }
    solve(curve, slope)
}

/// Solves a system of linear equations whose matrix is positive definite; none if rounding made it singular.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    for i in 0..N {
        let (pivot_row, pivot_right) = (matrix[i], right[i]);
        if pivot_row[i] <= 0.0 {
            return None;
        }
        for j in (0..N).filter(|j| *j != i) {
            let factor = matrix[j][i] / pivot_row[i];
            for (entry, pivot) in matrix[j].iter_mut().zip(pivot_row) {
                *entry -= factor * pivot;
            }
            right[j] -= factor * pivot_right;
        }
    }
    Some(std::array::from_fn(|i| right[i] / matrix[i][i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_column_of_ones_fits_the_share_of_successes() {
        let samples: Vec<([f64; 1], f64)> = (0..1000).map(|i| ([1.0], f64::from(i % 4 == 0))).collect();
        let [found] = logistic_fit(&samples);
        assert!((logistic(found) - 0.25).abs() < 1e-4, "{found}");
    }

    #[test]
    fn the_coefficients_that_made_the_successes_are_found() {
        // Each success is the chance itself, so the fit is exact but for the pull.
        let truth = [1.7, -0.6, 0.3];
        let samples: Vec<([f64; 3], f64)> = (0..5000)
            .map(|i| {
                let x = f64::from(i % 101) / 50.0 - 1.0;
                let numbers = [x, x * x * x, if i % 3 == 0 { 1.0 } else { -1.0 }];
                (numbers, logistic(dot(&numbers, &truth)))
            })
            .collect();
        let found = logistic_fit(&samples);
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 1e-3, "{found} for {truth}");
        }
    }

    #[test]
    fn separated_samples_have_a_finite_fit() {
        let samples: Vec<([f64; 1], f64)> =
            [-1.0, -0.5, 0.5, 1.0].map(|x| ([x], f64::from(x > 0.0))).to_vec();
        let [found] = logistic_fit(&samples);
        assert!(found.is_finite() && found > 3.0, "{found}");
        assert_eq!(logistic_fit::<2>(&[]), [0.0, 0.0]);
    }
}
