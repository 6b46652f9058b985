//! The bandit problem itself: arms that win with fixed probabilities, and the cost of not knowing them.
//!
//! The regret after t pulls is t times the best probability minus the sum of the probabilities of the arms
//! pulled. It grows with the logarithm of t for UCB1, and linearly with t for random pulls.

use crate::flat::Samples;
use crate::mcts::{beta, kl_ucb, ucb1, ucb1_tuned};
use astragal_core::{Sampler, below, unit};

/// How the next arm is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BanditRule {
    /// A uniformly random arm.
    Random,
    /// The best mean so far, after one pull of each.
    Greedy,
    /// ε-greedy: the best mean so far or, with this probability, a random arm.
    Epsilon(f64),
    /// UCB1 with this exploration constant.
    Ucb1(f64),
    /// UCB1-Tuned.
    Ucb1Tuned,
    /// KL-UCB.
    KlUcb,
    /// Thompson sampling.
    Thompson,
}

/// The regret of a rule at these numbers of pulls, which must be in ascending order.
///
/// # Panics
/// If there are no arms.
#[must_use]
pub fn regret(chances: &[f64], rule: BanditRule, checkpoints: &[u64], seed: u64) -> Vec<f64> {
    let best = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut stream = Sampler::new(seed).stream(0, 0);
    let mut arms = vec![Samples::default(); chances.len()];
    let (mut pulls, mut lost) = (0, 0.0);
    let mut regrets = Vec::new();
    for &checkpoint in checkpoints {
        while pulls < checkpoint {
            let untried = arms.iter().position(|arm| arm.count == 0);
            let any = |bits: u64| below(bits, chances.len() as u64) as usize;
            let log = libm::log((pulls.max(1)) as f64);
            let top = |score: &mut dyn FnMut(&Samples) -> f64| {
                let mut best = (0, f64::NEG_INFINITY);
                for (at, arm) in arms.iter().enumerate() {
                    let score = score(arm);
                    if score > best.1 {
                        best = (at, score);
                    }
                }
                best.0
            };
            let pulled = match (rule, untried) {
                (BanditRule::Random, _) => any(stream.bits()),
                (_, Some(arm)) => arm,
                (BanditRule::Greedy, _) => top(&mut |arm| arm.mean),
                (BanditRule::Epsilon(e), _) => {
                    if unit(stream.bits()) < e {
                        any(stream.bits())
                    } else {
                        top(&mut |arm| arm.mean)
                    }
                }
                (BanditRule::Ucb1(c), _) => top(&mut |arm| ucb1(arm.mean, arm.count as f64, log, c)),
                (BanditRule::Ucb1Tuned, _) => top(&mut |arm| {
                    // The variance of a Bernoulli distribution with this mean.
                    ucb1_tuned(arm.mean, arm.mean * (1.0 - arm.mean), arm.count as f64, log)
                }),
                (BanditRule::KlUcb, _) => top(&mut |arm| kl_ucb(arm.mean, arm.count as f64, log)),
                (BanditRule::Thompson, _) => top(&mut |arm| {
                    let wins = arm.mean * arm.count as f64;
                    beta(1.0 + wins, 1.0 + arm.count as f64 - wins, &mut stream)
                }),
            };
            let won = unit(stream.bits()) < chances[pulled];
            arms[pulled].add(f64::from(won));
            lost += best - chances[pulled];
            pulls += 1;
        }
        regrets.push(lost);
    }
    regrets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean regret over many runs.
    fn mean(rule: BanditRule, checkpoints: &[u64]) -> Vec<f64> {
        const RUNS: u64 = 60;
        let mut sums = vec![0.0; checkpoints.len()];
        for seed in 0..RUNS {
            for (sum, regret) in sums.iter_mut().zip(regret(&[0.9, 0.6, 0.5, 0.4], rule, checkpoints, seed)) {
                *sum += regret / RUNS as f64;
            }
        }
        sums
    }

    #[test]
    fn regret_grows_with_the_logarithm_for_ucb_and_linearly_at_random() {
        let points = [100, 1000, 10_000];
        let random = mean(BanditRule::Random, &points);
        // (0 + 0.3 + 0.4 + 0.5) / 4 per pull.
        for (regret, pulls) in random.iter().zip(points) {
            assert!((regret / pulls as f64 - 0.3).abs() < 0.02, "{random:?}");
        }
        for rule in
            [BanditRule::Ucb1(2.0_f64.sqrt()), BanditRule::Ucb1Tuned, BanditRule::KlUcb, BanditRule::Thompson]
        {
            let grown = mean(rule, &points);
            // Ten times the pulls add a constant, not a factor of ten; and far less than random pulls.
            let (first, second) = (grown[1] - grown[0], grown[2] - grown[1]);
            assert!(second < 2.5 * first.max(1.0), "{rule:?}: {grown:?}");
            assert!(grown[2] < 0.1 * random[2], "{rule:?}: {grown:?}");
        }
        // A constant exploration rate costs linearly, though less.
        let epsilon = mean(BanditRule::Epsilon(0.1), &points);
        assert!((epsilon[2] / 10_000.0 - 0.03).abs() < 0.01, "{epsilon:?}");
    }
}
