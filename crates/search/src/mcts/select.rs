//! Selection rules: which arm of a bandit to pull next.
//!
//! Arms are seen from the perspective of the selecting player, Max or Min: larger is better. Rules defined
//! for probabilities scale values to [0, 1].

use super::options::Select;
use astragal_core::{Stream, below, unit};

/// An arm, from the perspective of the selecting player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arm {
    /// Visits, including simulations under way. 0 means never tried, with no statistics.
    pub(super) visits: f64,
    /// The mean.
    pub(super) mean: f64,
    /// The variance of the values seen.
    pub(super) variance: f64,
    /// The prior probability.
    pub(super) prior: f64,
}

/// The range of values, from the perspective of the selecting player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) lo: f64,
    pub(super) width: f64,
}

impl Scale {
    /// A value scaled to [0, 1].
    pub(super) fn share(&self, value: f64) -> f64 {
        ((value - self.lo) / self.width).clamp(0.0, 1.0)
    }
}

/// The upper confidence bound of UCB1: `mean + c·√(log / visits)`, where `log` is the logarithm of the
/// parent's visits.
#[inline]
#[must_use]
pub fn ucb1(mean: f64, visits: f64, log: f64, c: f64) -> f64 {
    mean + c * (log / visits).sqrt()
}

/// The upper confidence bound of UCB1-Tuned, for values in [0, 1].
pub(crate) fn ucb1_tuned(mean: f64, variance: f64, visits: f64, log: f64) -> f64 {
    let bound = variance + (2.0 * log / visits).sqrt();
    mean + (log / visits * bound.min(0.25)).sqrt()
}

/// The Kullback-Leibler divergence of two Bernoulli distributions.
fn divergence(p: f64, q: f64) -> f64 {
    let term = |p: f64, q: f64| if p > 0.0 { p * libm::log(p / q) } else { 0.0 };
    term(p, q) + term(1.0 - p, 1.0 - q)
}

/// The upper confidence bound of KL-UCB, for values in [0, 1]: the largest mean q with n·d(mean, q) ≤ log.
pub(crate) fn kl_ucb(mean: f64, visits: f64, log: f64) -> f64 {
    let allowed = log / visits;
    let (mut low, mut high) = (mean, 1.0);
    // Each step halves the interval; 2⁻³⁰ is far below what visits can resolve.
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if divergence(mean, middle) <= allowed {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Samples the standard normal distribution.
fn normal(stream: &mut Stream) -> f64 {
    // Box-Muller transform; `u` is in (0, 1], so its logarithm is finite.
    let (u, v) = (1.0 - unit(stream.bits()), unit(stream.bits()));
    (-2.0 * libm::log(u)).sqrt() * libm::cos(std::f64::consts::TAU * v)
}

/// Samples the gamma distribution with a shape of at least 1 (Marsaglia & Tsang).
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(stream);
        let root = 1.0 + c * x;
        let v = root * root * root;
        let u = 1.0 - unit(stream.bits());
        if v > 0.0 && libm::log(u) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// Samples the beta distribution with parameters of at least 1.
pub(crate) fn beta(a: f64, b: f64, stream: &mut Stream) -> f64 {
    let (x, y) = (gamma(a, stream), gamma(b, stream));
    x / (x + y)
}

/// Selects one of the arms. Untried arms come first, in order, unless the rule has a prior to rank them by.
pub(super) fn select(
    rule: Select,
    arms: &[Arm],
    parent_mean: f64,
    scale: Scale,
    extra: impl Fn(usize) -> f64,
    stream: &mut Stream,
) -> usize {
    let visits: f64 = arms.iter().map(|arm| arm.visits).sum();
    if !matches!(rule, Select::Puct { .. })
        && let Some(untried) = arms.iter().position(|arm| arm.visits <= 0.0)
    {
        return untried;
    }
    let log = libm::log(visits.max(1.0));
    let best = |score: &mut dyn FnMut(usize, &Arm) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (at, arm) in arms.iter().enumerate() {
            let score = score(at, arm) + extra(at);
            if score > best.1 {
                best = (at, score);
            }
        }
        best.0
    };
    match rule {
        Select::Ucb1 { c } => best(&mut |_, arm| ucb1(arm.mean, arm.visits, log, c)),
        Select::Ucb1Tuned => best(&mut |_, arm| {
            let variance = arm.variance / (scale.width * scale.width);
            scale.width * ucb1_tuned(scale.share(arm.mean), variance, arm.visits, log)
        }),
        Select::KlUcb => best(&mut |_, arm| scale.width * kl_ucb(scale.share(arm.mean), arm.visits, log)),
        Select::Thompson => best(&mut |_, arm| {
            let wins = scale.share(arm.mean) * arm.visits;
            scale.width * beta(1.0 + wins, 1.0 + arm.visits - wins, stream)
        }),
        Select::Puct { c } => {
            let root = visits.max(1.0).sqrt();
            best(&mut |_, arm| {
                let mean = if arm.visits > 0.0 { arm.mean } else { parent_mean };
                mean + c * arm.prior * root / (1.0 + arm.visits)
            })
        }
        Select::Epsilon { e } => {
            let value = |at: usize| arms[at].mean + extra(at);
            let top = (0..arms.len()).map(value).fold(f64::NEG_INFINITY, f64::max);
            let is_best = |at: &usize| value(*at) >= top;
            let worse = (0..arms.len()).filter(|at| !is_best(at)).count();
            let other = unit(stream.bits()) < e && worse > 0;
            let pool = if other { worse } else { arms.len() - worse };
            let at = below(stream.bits(), pool as u64) as usize;
            (0..arms.len()).filter(|at| is_best(at) != other).nth(at).expect("one of the pool")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Sampler;

    #[test]
    fn the_worked_example_of_the_lecture() {
        // C = 1; V has won 1 of 2 and W 0 of 1 trials; below V, X has won 1 of 1 and Y 0 of 1.
        let round = |x: f64| (x * 100.0).round() / 100.0;
        let (log3, log2) = (libm::log(3.0), libm::log(2.0));
        assert_eq!(round(ucb1(0.5, 2.0, log3, 1.0)), 1.24);
        assert_eq!(round(ucb1(0.0, 1.0, log3, 1.0)), 1.05);
        assert_eq!(round(ucb1(1.0, 1.0, log2, 1.0)), 1.83);
        assert_eq!(round(ucb1(0.0, 1.0, log2, 1.0)), 0.83);
    }

    #[test]
    fn the_constant_decides_as_in_the_lecture() {
        let arm = |wins: f64, visits: f64| Arm { visits, mean: wins / visits, variance: 0.0, prior: 0.0 };
        let arms = [arm(60.0, 79.0), arm(1.0, 10.0), arm(2.0, 11.0)];
        let scale = Scale { lo: 0.0, width: 1.0 };
        let mut stream = Sampler::new(0).stream(0, 0);
        let mut choose = |c: f64| select(Select::Ucb1 { c }, &arms, 0.37, scale, |_| 0.0, &mut stream);
        assert_eq!(choose(1.4), 0);
        assert_eq!(choose(1.5), 2);
    }

    #[test]
    fn kl_ucb_solves_its_equation_and_is_tighter_than_ucb1() {
        for (mean, visits, log) in [(0.0, 10.0, 3.0), (0.3, 20.0, 4.0), (0.9, 100.0, 5.0), (1.0, 7.0, 2.0)] {
            let q = kl_ucb(mean, visits, log);
            assert!((mean..=1.0).contains(&q));
            if q < 1.0 - 1e-6 {
                assert!((visits * divergence(mean, q) - log).abs() < 1e-5, "{mean} {visits} {log} {q}");
            }
            // Pinsker's inequality: the bound of UCB1 with c = √½ is never lower.
            assert!(q <= ucb1(mean, visits, log, 0.5_f64.sqrt()) + 1e-9);
        }
    }

    #[test]
    fn tuned_bounds_follow_their_definition() {
        // ln 100 / 10 = 0.4605; variance 0.01 + √(2·0.4605) is above 1/4.
        let log = libm::log(100.0);
        assert!((ucb1_tuned(0.5, 0.01, 10.0, log) - (0.5 + (0.25 * log / 10.0).sqrt())).abs() < 1e-12);
        // With many visits the variance term decides.
        let bound = 0.01 + (2.0 * log / 1e6_f64).sqrt();
        assert!((ucb1_tuned(0.5, 0.01, 1e6, log) - (0.5 + (log / 1e6 * bound).sqrt())).abs() < 1e-12);
    }

    #[test]
    fn beta_draws_have_the_right_mean_and_variance() {
        let mut stream = Sampler::new(3).stream(0, 0);
        for (a, b) in [(1.0, 1.0), (3.0, 9.0), (40.0, 2.5)] {
            const N: usize = 40_000;
            let draws: Vec<f64> = (0..N).map(|_| beta(a, b, &mut stream)).collect();
            let mean = draws.iter().sum::<f64>() / N as f64;
            let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / N as f64;
            let (m, v) = (a / (a + b), a * b / ((a + b) * (a + b) * (a + b + 1.0)));
            // Four standard errors of the mean; the variance to within four percent.
            assert!((mean - m).abs() < 4.0 * (v / N as f64).sqrt(), "{a} {b}: {mean}");
            assert!((variance / v - 1.0).abs() < 0.04, "{a} {b}: {variance} {v}");
        }
    }

    #[test]
    fn epsilon_takes_another_action_as_often_as_it_says() {
        let arm = |mean: f64| Arm { visits: 5.0, mean, variance: 0.0, prior: 0.0 };
        let arms = [arm(0.2), arm(0.7), arm(0.7), arm(0.1)];
        let scale = Scale { lo: 0.0, width: 1.0 };
        let mut stream = Sampler::new(8).stream(0, 0);
        let mut counts = [0_u32; 4];
        for _ in 0..40_000 {
            counts[select(Select::Epsilon { e: 0.3 }, &arms, 0.5, scale, |_| 0.0, &mut stream)] += 1;
        }
        // Expected 6,000 for each other and 14,000 for each best; five standard deviations.
        for (count, expected) in counts.into_iter().zip([6000.0_f64, 14_000.0, 14_000.0, 6000.0]) {
            assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt(), "{counts:?}");
        }
    }
}
