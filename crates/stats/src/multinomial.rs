//! The most likely distribution of a pair's five scores under a given expectation.
//!
//! Among all distributions with E\[h\] = 0, where h assigns a number to each score, the likelihood of
//! observed shares p is greatest at p / (1 + x·h), where x solves the secular equation Σ p·h / (1 + x·h) = 0.
//! Its left side falls from infinity to minus infinity over the range of x in which all probabilities are
//! positive. See Van den Bergh's notes on the generalised SPRT.

use super::pairs::{Pairs, SCORES};

/// The count of an empty cell, so that no score is considered impossible.
const EMPTY: f64 = 1e-3;

/// One number for each possible score of a pair.
pub(crate) type Cells = [f64; 5];

/// The observed shares of the five scores, all positive, and the number of pairs they represent.
pub(crate) fn shares(pairs: &Pairs) -> (Cells, f64) {
    let counts = pairs.counts().map(|count| if count == 0 { EMPTY } else { count as f64 });
    let total: f64 = counts.iter().sum();
    (counts.map(|count| count / total), total)
}

/// The sum of the products: an expectation, if `chances` is a distribution.
pub(crate) fn expect(chances: &Cells, values: &Cells) -> f64 {
    chances.iter().zip(values).map(|(chance, value)| chance * value).sum()
}

/// The mean and the variance of a pair's score under this distribution.
pub(crate) fn moments(chances: &Cells) -> (f64, f64) {
    let mean = expect(chances, &SCORES);
    (mean, expect(chances, &SCORES.map(|score| (score - mean) * (score - mean))))
}

/// The most likely distribution under which `values` has expectation 0, given the observed shares, which must
/// all be positive; `None` if the values do not have both signs.
pub(crate) fn likeliest(shares: &Cells, values: &Cells) -> Option<Cells> {
    let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bottom = values.iter().copied().fold(f64::INFINITY, f64::min);
    if !(bottom < 0.0 && 0.0 < top) {
        return None;
    }
    // Newton's method, safeguarded by bisection.
    let (mut lo, mut hi) = (-1.0 / top, -1.0 / bottom);
    let scale = hi - lo;
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (share, value) in shares.iter().zip(values) {
            let term = value / (1.0 + x * value);
            sum += share * term;
            slope += share * term * term;
        }
        if sum > 0.0 {
            lo = x;
        } else {
            hi = x;
        }
        let newton = x + sum / slope;
        let next = if lo < newton && newton < hi { newton } else { lo + (hi - lo) / 2.0 };
        let step = next - x;
        x = next;
        if step.abs() <= 1e-15 * scale {
            break;
        }
    }
    let mut chances = [0.0; 5];
    for ((chance, share), value) in chances.iter_mut().zip(shares).zip(values) {
        *chance = share / (1.0 + x * value);
    }
    Some(chances)
}

/// The most likely distribution with this mean score, which lies strictly between 0 and 1.
pub(crate) fn likeliest_of_mean(shares: &Cells, mean: f64) -> Cells {
    likeliest(shares, &SCORES.map(|score| score - mean))
        .expect("a mean between 0 and 1 has scores on both sides")
}

/// The most likely distribution whose mean score lies `distance` of its own standard deviations above a half.
///
/// The condition is not linear in the probabilities. It is linearised at a mean and a deviation: where the
/// resulting distribution has these itself, the linear condition and its gradient agree with the true ones.
pub(crate) fn likeliest_of_distance(shares: &Cells, distance: f64) -> Cells {
    if distance < 0.0 {
        // The same from the other player's side.
        let mut reversed = *shares;
        reversed.reverse();
        let mut chances = likeliest_of_distance(&reversed, -distance);
        chances.reverse();
        return chances;
    }
    let linear = |mean: f64, deviation: f64| {
        SCORES.map(|score| {
            let off = (score - mean) / deviation;
            score - 0.5 - distance * deviation * (1.0 + off * off) / 2.0
        })
    };
    // 1. Fixed-point iteration from the observed distribution, which usually converges soon.
    let mut chances = *shares;
    for _ in 0..30 {
        let (mean, variance) = moments(&chances);
        let Some(next) = likeliest(shares, &linear(mean, variance.sqrt())) else { break };
        let change = next.iter().zip(chances).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        chances = next;
        if change < 1e-13 {
            return chances;
        }
    }
    // 2. Otherwise bisection on the deviation. If it is too small, the resulting distribution varies more or
    //    does not exist; at its maximum, that of two scores, the distribution varies less.
    let largest = 0.5 / (1.0 + distance * distance).sqrt();
    let (mut lo, mut hi) = (0.0, largest);
    let mut chances = likeliest(shares, &linear(0.5 + distance * largest, largest)).unwrap_or([0.2; 5]);
    while hi - lo > 1e-15 {
        let deviation = f64::midpoint(lo, hi);
        let mean = 0.5 + distance * deviation;
        let square = |next: &Cells| expect(next, &SCORES.map(|score| (score - mean) * (score - mean)));
        match likeliest(shares, &linear(mean, deviation)) {
            Some(next) if square(&next) <= deviation * deviation => (hi, chances) = (deviation, next),
            _ => lo = deviation,
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likelihood(shares: &Cells, chances: &Cells) -> f64 {
        expect(shares, &chances.map(f64::ln))
    }

    /// The maximum likelihood under a condition by brute force: the last two probabilities follow from the
    /// condition and the sum, and the first three climb in ever smaller steps.
    fn climb(shares: &Cells, complete: impl Fn([f64; 3]) -> Option<Cells>, start: [f64; 3]) -> f64 {
        let value = |free: [f64; 3]| {
            complete(free)
                .filter(|all| all.iter().all(|&c| c > 0.0))
                .map_or(f64::NEG_INFINITY, |all| likelihood(shares, &all))
        };
        let (mut at, mut best) = (start, value(start));
        assert!(best.is_finite(), "the climb starts at chances that fulfil the condition");
        let mut step = 0.05;
        while step > 1e-9 {
            let mut moved = false;
            for direction in 1..27 {
                let digit = |power: i32| f64::from(direction / power % 3 - 1);
                let next = [at[0] + step * digit(1), at[1] + step * digit(3), at[2] + step * digit(9)];
                let here = value(next);
                if here > best {
                    (at, best, moved) = (next, here, true);
                }
            }
            if !moved {
                step /= 2.0;
            }
        }
        best
    }

    #[test]
    fn the_secular_equation_finds_the_greatest_likelihood() {
        let (shares, _) = shares(&Pairs::from_counts([12, 40, 90, 50, 21]));
        for mean in [0.45, 0.5, 0.56] {
            let chances = likeliest_of_mean(&shares, mean);
            let (found, _) = moments(&chances);
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12 && (found - mean).abs() < 1e-12);
            // The fourth and fifth probability from the sum and the mean: two linear equations.
            let complete = |free: [f64; 3]| {
                let rest = 1.0 - free.iter().sum::<f64>();
                let moment = mean - 0.25 * free[1] - 0.5 * free[2];
                let last = (moment - 0.75 * rest) / 0.25;
                Some([free[0], free[1], free[2], rest - last, last])
            };
            // Four coins with this mean.
            let lose = 1.0 - mean;
            let start = [lose.powi(4), 4.0 * mean * lose.powi(3), 6.0 * (mean * lose).powi(2)];
            let best = climb(&shares, complete, start);
            assert!((likelihood(&shares, &chances) - best).abs() < 1e-8, "{mean}: {chances:?}");
        }
    }

    #[test]
    fn the_distance_in_deviations_is_met_at_the_greatest_likelihood() {
        let (shares, _) = shares(&Pairs::from_counts([12, 40, 90, 50, 21]));
        for distance in [-0.1, 0.0, 0.05, 0.3] {
            let chances = likeliest_of_distance(&shares, distance);
            let (mean, variance) = moments(&chances);
            assert!((mean - 0.5 - distance * variance.sqrt()).abs() < 1e-10);
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-10);
            // The last probability by bisection: the condition increases with it at the expense of the
            // fourth.
            let complete = |free: [f64; 3]| {
                let rest = 1.0 - free.iter().sum::<f64>();
                let all = |last: f64| [free[0], free[1], free[2], rest - last, last];
                let miss = |last: f64| {
                    let (mean, variance) = moments(&all(last));
                    mean - 0.5 - distance * variance.max(0.0).sqrt()
                };
                let (mut lo, mut hi) = (0.0, rest);
                if !(rest > 0.0 && miss(lo) < 0.0 && miss(hi) > 0.0) {
                    return None;
                }
                for _ in 0..50 {
                    let middle = f64::midpoint(lo, hi);
                    if miss(middle) < 0.0 { lo = middle } else { hi = middle }
                }
                Some(all(lo))
            };
            let best = climb(&shares, complete, [0.1, 0.15, 0.5 - distance / 2.0]);
            assert!((likelihood(&shares, &chances) - best).abs() < 1e-7, "{distance}: {chances:?}");
        }
    }

    #[test]
    fn one_sided_pairs_are_explained_by_two_scores() {
        // After losses only, the most likely distribution at a distance of 0 or more wins or loses
        // everything: it has the greatest deviation.
        for count in [1, 400, 1_000_000] {
            for distance in [0.0_f64, 0.01, 0.12, 1.0, 4.0] {
                let (shares, _) = shares(&Pairs::from_counts([count, 0, 0, 0, 0]));
                let chances = likeliest_of_distance(&shares, distance);
                let lose = 0.5 - distance / (2.0 * (1.0 + distance * distance).sqrt());
                assert!((chances[0] - lose).abs() < 2e-2, "{count}, {distance}: {chances:?}");
                let (mean, variance) = moments(&chances);
                // Near the pole the probability of a score never seen is known to six digits only, and has no
                // weight.
                let miss = mean - 0.5 - distance * variance.sqrt();
                assert!(miss.abs() < 1e-6, "{count}, {distance}: {chances:?}");
            }
        }
    }

    #[test]
    fn even_pairs_keep_the_distance_by_varying_little() {
        for count in [10, 100_000] {
            let (shares, _) = shares(&Pairs::from_counts([0, 0, count, 0, 0]));
            for distance in [-0.3, -0.02, 0.0, 0.02, 0.3] {
                let chances = likeliest_of_distance(&shares, distance);
                let (mean, variance) = moments(&chances);
                assert!(
                    (mean - 0.5 - distance * variance.sqrt()).abs() < 1e-8,
                    "{count}, {distance}: {chances:?}"
                );
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn values_of_one_sign_have_no_expectation_of_zero() {
        assert_eq!(likeliest(&[0.2; 5], &[1.0, 2.0, 3.0, 4.0, 5.0]), None);
        assert_eq!(likeliest(&[0.2; 5], &[f64::NAN; 5]), None);
    }
}
