//! Pairs of games counted by their score: the pentanomial of a match.
//!
//! The two games of a pair share their start and their dice, so they are not independent, but pairs are.
//! Hence every variance here is that of pairs, never that of games.
//!
//! The interval of the score is Wilson's for the number of independent games that the pairs are worth. Let φ
//! be the variance of pairs in units of s(1-s), the largest possible for a mean of s: 1 if both games of a
//! pair always end alike, ½ if they are independent and never drawn, and less with draws or shared luck. The
//! n pairs are then worth n/φ such games. For many pairs this is the usual s ± z·sqrt(v/n). For few, φ is
//! shrunk towards ½ with the weight of two pairs between equals, and Student's quantile replaces the normal
//! one. The interval is therefore honest after a single pair, and after a hundred that all ended alike, where
//! v is 0: there it is Wilson's interval on 2n games, slightly widened.

use super::elo::{elo_from_score, elo_interval, normalised_elo, ratio};
use super::estimate::Estimate;
use super::normal::{normal_cdf, reach, student_quantile, upper};
use super::wilson::{score_interval, wilson};
use std::f64::consts::LN_10;

/// The weight of the shrinkage of φ towards ½, in sums of s(1-s): two pairs between equals.
const WEIGHT: f64 = 0.5;

/// The same weight as a number of pairs between equals.
const WEIGHT_IN_PAIRS: f64 = 4.0 * WEIGHT;

/// The possible scores of a pair, in the order of the counts.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Pairs of games counted by their score, from the side of one of the two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    counts: [u64; 5],
}

impl Pairs {
    /// No pairs yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Pairs with these counts of the scores 0, ¼, ½, ¾ and 1.
    #[must_use]
    pub fn from_counts(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// The numbers of pairs with the scores 0, ¼, ½, ¾ and 1.
    #[must_use]
    pub fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// Adds a pair: the mean score of its two games, a multiple of ¼.
    ///
    /// # Panics
    /// If no pair can have this score.
    pub fn add(&mut self, score: f64) {
        let cell = SCORES.iter().position(|&possible| possible == score);
        let cell = cell.unwrap_or_else(|| panic!("contract: {score} is not the score of a pair"));
        self.counts[cell] += 1;
    }

    /// Adds the pairs of another.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
    }

    /// The same pairs from the other player's side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut counts = self.counts;
        counts.reverse();
        Self { counts }
    }

    /// The number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * self.count()
    }

    /// The mean score; ½ without pairs.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self.count() {
            0 => 0.5,
            count => self.sum(|score| score) / count as f64,
        }
    }

    /// The unbiased variance of a pair's score; infinite for fewer than two pairs.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let count = self.count();
        if count < 2 { f64::INFINITY } else { self.squares() / (count - 1) as f64 }
    }

    /// The variance of a pair's score, shrunk towards that of independent games between equals with the
    /// weight of one pair, so that it is never 0.
    pub(crate) fn steady_variance(&self) -> f64 {
        (self.squares() + 0.125) / (self.count() as f64).max(1.0)
    }

    /// The variance of pairs in units of that of two independent games without draws: 1 if pairing gains
    /// nothing, less if it gains. It is shrunk towards 1 while there are few pairs, as described above.
    #[must_use]
    pub fn dispersion(&self) -> f64 {
        2.0 * self.share()
    }

    /// The score with its interval of this level. The error is the half-width in units of the quantile, so it
    /// is never 0.
    ///
    /// # Panics
    /// If the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn estimate(&self, level: f64) -> Estimate {
        let mean = self.mean();
        let count = self.count() as f64;
        let reach = student_quantile(upper(level), (count - 1.0 + WEIGHT_IN_PAIRS).max(1.0));
        let games = count / self.share();
        let interval = score_interval((mean * games).min(games), games, reach);
        Estimate { mean, lo: interval.lo, hi: interval.hi, error: interval.width() / (2.0 * reach) }
    }

    /// The success rate of the thesis (*Understanding Sampling-Based Adversarial Search*, section 3.2.2): the
    /// share of pairs won by this player among those won by either, with its interval, and the number of the
    /// latter. It leaves out starts that are too good for one side, and games without a winner.
    #[must_use]
    pub fn success(&self, level: f64) -> (Estimate, u64) {
        let [lost, nearly_lost, _, nearly_won, won] = self.counts;
        let (won, decided) = (nearly_won + won, lost + nearly_lost + nearly_won + won);
        let interval = wilson(won as f64, decided as f64, level);
        let mean = if decided == 0 { 0.5 } else { won as f64 / decided as f64 };
        let error = interval.width() / (2.0 * reach(level));
        (Estimate { mean, lo: interval.lo, hi: interval.hi, error }, decided)
    }

    /// The Elo difference with its interval of this level; infinite where the score is 0 or 1, and then so is
    /// its error.
    ///
    /// # Panics
    /// If the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn elo(&self, level: f64) -> Estimate {
        let score = self.estimate(level);
        let interval = elo_interval(score.interval());
        let slope = 400.0 / (LN_10 * score.mean * (1.0 - score.mean));
        let mean = elo_from_score(score.mean);
        Estimate { mean, lo: interval.lo, hi: interval.hi, error: slope * score.error }
    }

    /// The normalised Elo difference with its interval of this level, which allows for the error of the
    /// variance.
    ///
    /// With fewer than two pairs it is 0. Without variance it is 0 or infinite. In both cases the interval is
    /// the whole line.
    ///
    /// # Panics
    /// If the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn normalised_elo(&self, level: f64) -> Estimate {
        let (mean, variance) = (self.mean(), self.variance());
        let reach = reach(level);
        let elo = normalised_elo(mean, variance);
        if variance == 0.0 || variance.is_infinite() {
            let (lo, hi, error) = (f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY);
            return Estimate { mean: elo, lo, hi, error };
        }
        // The delta method for a mean in units of a deviation, whose own error depends on skewness and
        // kurtosis.
        let deviation = variance.sqrt();
        let distance = (mean - 0.5) / deviation;
        let count = self.count() as f64;
        let moment = |power: i32| self.sum(|score| ((score - mean) / deviation).powi(power)) / count;
        let unit = 1.0 - distance * moment(3) + distance * distance * (moment(4) - 1.0) / 4.0;
        // Normalised Elo is measured in deviations of a game.
        let error = normalised_elo(0.5 + deviation, variance) * (unit.max(0.0) / count).sqrt();
        Estimate { mean: elo, lo: elo - reach * error, hi: elo + reach * error, error }
    }

    /// The likelihood of superiority: the probability that the true score is above a half.
    ///
    /// The variance is that at a true score of a half, as in the interval: the result is ½ without pairs, and
    /// less than 1 after a few pairs that were all won.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        normal_cdf(self.distance())
    }

    /// The two-sided p-value of the score if the players are equal.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        2.0 * normal_cdf(-self.distance().abs())
    }

    /// The distance of the score from a half in standard errors between equals.
    fn distance(&self) -> f64 {
        let count = self.count() as f64;
        ratio(self.mean() - 0.5, (self.share() / (4.0 * count)).sqrt())
    }

    /// φ: the variance of pairs in units of s(1-s), shrunk towards ½.
    fn share(&self) -> f64 {
        let mean = self.mean();
        let freedom = (self.count() as f64 - 1.0).max(0.0);
        (self.squares() + 0.5 * WEIGHT) / (freedom * mean * (1.0 - mean) + WEIGHT)
    }

    /// The sum of the squared distances from the mean.
    fn squares(&self) -> f64 {
        let mean = self.mean();
        self.sum(|score| (score - mean) * (score - mean))
    }

    /// The sum of a function of the score over all pairs.
    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.counts.iter().zip(SCORES).map(|(&count, score)| count as f64 * of(score)).sum()
    }
}

impl Extend<f64> for Pairs {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, scores: I) {
        for score in scores {
            self.add(score);
        }
    }
}

impl FromIterator<f64> for Pairs {
    fn from_iter<I: IntoIterator<Item = f64>>(scores: I) -> Self {
        let mut pairs = Self::new();
        pairs.extend(scores);
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LEVEL, Running};
    use astragal_core::Interval;

    #[test]
    fn success_counts_the_pairs_that_somebody_won() {
        let (success, decided) = Pairs::from_counts([1, 2, 50, 3, 4]).success(LEVEL);
        assert_eq!((success.mean, decided), (0.7, 10));
        assert_eq!(success.interval(), wilson(7.0, 10.0, LEVEL));
        let (nothing, decided) = Pairs::from_counts([0, 0, 9, 0, 0]).success(LEVEL);
        assert_eq!((nothing.interval(), decided), (Interval::new(0.0, 1.0), 0));
    }

    #[test]
    fn mean_and_variance_are_those_of_the_pairs_one_by_one() {
        let scores = [0.0, 0.25, 0.25, 0.5, 0.5, 0.5, 0.75, 0.75, 1.0, 1.0];
        let pairs: Pairs = scores.into_iter().collect();
        let running: Running = scores.into_iter().collect();
        assert_eq!(pairs.counts(), [1, 2, 3, 2, 2]);
        assert_eq!((pairs.count(), pairs.games()), (10, 20));
        assert!((pairs.mean() - running.mean()).abs() < 1e-12);
        assert!((pairs.variance() - running.variance()).abs() < 1e-12);
        let mut twice = pairs;
        twice.merge(&pairs.reversed());
        assert_eq!(twice.counts(), [3, 4, 6, 4, 3]);
    }

    #[test]
    fn many_pairs_have_the_usual_interval() {
        let pairs = Pairs::from_counts([1000, 2500, 3500, 3000, 1500]);
        let estimate = pairs.estimate(LEVEL);
        let error = (pairs.variance() / pairs.count() as f64).sqrt();
        assert!((estimate.error / error - 1.0).abs() < 1e-3);
        assert!((estimate.lo - (pairs.mean() - 1.96 * error)).abs() < 1e-2 * error, "{estimate:?}");
        assert!((estimate.hi - (pairs.mean() + 1.96 * error)).abs() < 1e-2 * error, "{estimate:?}");
        let elo = pairs.elo(LEVEL);
        assert_eq!(elo.interval(), elo_interval(estimate.interval()));
        // Far from the ends the error in Elo is half the interval divided by the quantile.
        assert!((elo.error / (elo.interval().width() / 3.92) - 1.0).abs() < 1e-2);
        let superiority = crate::superiority(pairs.mean(), pairs.variance(), pairs.count());
        assert!((pairs.superiority() - superiority).abs() < 1e-6);
    }

    #[test]
    fn pairs_without_variance_are_no_certainty() {
        for count in [1, 3, 20, 500] {
            let pairs = Pairs::from_counts([0, 0, 0, 0, count]);
            let estimate = pairs.estimate(LEVEL);
            let plain = wilson(2.0 * count as f64, 2.0 * count as f64, LEVEL);
            assert!(estimate.lo <= plain.lo && estimate.hi == 1.0, "{estimate:?}, {plain}");
            assert!(estimate.error > 0.0);
            assert!(pairs.superiority() < 1.0 - 1e-10 || count > 20);
            let elo = pairs.elo(LEVEL);
            assert!(elo.lo.is_finite() && elo.mean == f64::INFINITY && elo.hi == f64::INFINITY);
            assert_eq!(pairs.normalised_elo(LEVEL).interval(), Interval::WHOLE);
        }
        let even = Pairs::from_counts([0, 0, 10, 0, 0]);
        assert!(even.estimate(LEVEL).error > 0.03);
        assert_eq!((even.superiority(), even.p_value()), (0.5, 1.0));
        let none = Pairs::new();
        assert_eq!((none.estimate(LEVEL).lo, none.estimate(LEVEL).hi), (0.0, 1.0));
        assert_eq!((none.superiority(), none.normalised_elo(LEVEL).mean), (0.5, 0.0));
    }

    #[test]
    fn one_player_gains_what_the_other_loses() {
        let pairs = Pairs::from_counts([3, 5, 20, 11, 6]);
        let (here, there) = (pairs.estimate(LEVEL), pairs.reversed().estimate(LEVEL));
        assert!((here.lo + there.hi - 1.0).abs() < 1e-12);
        assert!((pairs.superiority() + pairs.reversed().superiority() - 1.0).abs() < 1e-12);
        let (here, there) = (pairs.normalised_elo(LEVEL), pairs.reversed().normalised_elo(LEVEL));
        assert!((here.lo + there.hi).abs() < 1e-9);
    }

    /// The exact probability that the interval contains the true score, over all possible results of this
    /// many pairs.
    fn coverage(chances: [f64; 5], count: u64) -> f64 {
        let truth: f64 = chances.iter().zip(SCORES).map(|(chance, score)| chance * score).sum();
        let factorial = |n: u64| (1..=n).map(|i| i as f64).product::<f64>();
        let mut covered = 0.0;
        for a in 0..=count {
            for b in 0..=count - a {
                for c in 0..=count - a - b {
                    for d in 0..=count - a - b - c {
                        let counts = [a, b, c, d, count - a - b - c - d];
                        let weight: f64 = counts
                            .iter()
                            .zip(chances)
                            .map(|(&n, chance)| chance.powi(n as i32) / factorial(n))
                            .product();
                        if Pairs::from_counts(counts).estimate(LEVEL).contains(truth) {
                            covered += weight * factorial(count);
                        }
                    }
                }
            }
        }
        covered
    }

    #[test]
    fn few_pairs_are_covered_too_by_exact_enumeration() {
        let independent = |p: f64| [(1.0 - p) * (1.0 - p), 0.0, 2.0 * p * (1.0 - p), 0.0, p * p];
        let kinds = [
            independent(0.5),
            independent(0.7),
            independent(0.9),
            independent(0.97),
            // Shared luck, identical games, draws, and all of these.
            [0.1, 0.0, 0.8, 0.0, 0.1],
            [0.0, 0.0, 0.1, 0.0, 0.9],
            [0.4, 0.0, 0.2, 0.0, 0.4],
            [0.02, 0.12, 0.72, 0.12, 0.02],
            [0.0, 0.0, 0.9, 0.1, 0.0],
            [0.03, 0.1, 0.2, 0.38, 0.29],
        ];
        for chances in kinds {
            for count in [1, 3, 5, 8, 13] {
                let covered = coverage(chances, count);
                assert!(covered > 0.92, "{count} pairs of {chances:?}: {covered}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "contract: 0.3 is not the score of a pair")]
    fn a_score_that_no_pair_has_is_refused() {
        Pairs::new().add(0.3);
    }
}
