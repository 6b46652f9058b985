//! Ratings of many players who met each other: the Bradley-Terry model, in Elo.
//!
//! Player i expects the score 1/(1 + exp(θj - θi)) against player j. The strengths θ maximise the likelihood
//! of the table of scores, by Newton's method. Their covariance is the inverse of the full Fisher
//! information, not only of its diagonal, so differences have their own errors. Ratings have mean 0.
//!
//! A weak prior keeps every rating finite: each player is assumed to have drawn [`PRIOR`] games against a
//! player rated 0. It hardly moves players with many games, keeps those who won or lost everything at a
//! distance that grows with the games, and places groups that never met side by side, with appropriately wide
//! errors.
//!
//! Pairs of games vary less or more than independent games. Each meeting may carry a dispersion, the variance
//! of its score in units of that of independent games without draws. It leaves the ratings unchanged; their
//! covariance is then the sandwich estimator, with the dispersed information between two inverses.

use super::elo::ratio;
use super::estimate::Estimate;
use super::normal::{normal_cdf, reach};
use super::pairs::Pairs;
use std::f64::consts::LN_10;

/// The weight of the default prior, as a number of drawn games against a player rated 0.
pub const PRIOR: f64 = 1.0;

/// Elo per unit of θ.
const ELO: f64 = 400.0 / LN_10;

/// The scores of players against each other.
#[derive(Clone, Debug)]
pub struct Table {
    players: usize,
    /// Row i, column j: the score of i against j.
    scores: Vec<f64>,
    games: Vec<f64>,
    /// The games times their dispersion.
    dispersed: Vec<f64>,
}

impl Table {
    /// A table of this many players without games.
    #[must_use]
    pub fn new(players: usize) -> Self {
        let empty = vec![0.0; players * players];
        Self { players, scores: empty.clone(), games: empty.clone(), dispersed: empty }
    }

    /// The number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds independent games: `score` out of `games` for player `a` against player `b`, a draw counting
    /// half.
    ///
    /// # Panics
    /// As [`Table::add_dispersed`].
    pub fn add(&mut self, a: usize, b: usize, score: f64, games: f64) {
        self.add_dispersed(a, b, score, games, 1.0);
    }

    /// Adds pairs, from the side of player `a`, with the dispersion that they show.
    ///
    /// # Panics
    /// If the players are the same or not in the table.
    pub fn add_pairs(&mut self, a: usize, b: usize, pairs: &Pairs) {
        let games = pairs.games() as f64;
        self.add_dispersed(a, b, (pairs.mean() * games).min(games), games, pairs.dispersion());
    }

    /// Adds games whose score varies `dispersion` times as much as that of independent games without draws.
    ///
    /// # Panics
    /// If the players are the same or not in the table, the score is not between 0 and the games, or the
    /// dispersion is not positive.
    pub fn add_dispersed(&mut self, a: usize, b: usize, score: f64, games: f64, dispersion: f64) {
        let players = self.players;
        assert!(a < players && b < players && a != b, "contract: players {a} and {b} of {players}");
        assert!(0.0 <= score && score <= games, "contract: a score of {score} in {games} games");
        assert!(dispersion > 0.0 && dispersion.is_finite(), "contract: a dispersion of {dispersion}");
        for (i, j, score) in [(a, b, score), (b, a, games - score)] {
            self.scores[i * players + j] += score;
            self.games[i * players + j] += games;
            self.dispersed[i * players + j] += games * dispersion;
        }
    }

    /// The ratings with intervals of this level, under the default prior.
    ///
    /// # Panics
    /// If the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn ratings(&self, level: f64) -> Ratings {
        self.ratings_under(PRIOR, level)
    }

    /// The ratings with intervals of this level, under a prior of this many drawn games against a player
    /// rated 0.
    ///
    /// # Panics
    /// If the prior is not positive, or the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn ratings_under(&self, prior: f64, level: f64) -> Ratings {
        assert!(prior > 0.0 && prior.is_finite(), "contract: a prior of {prior} games");
        let players = self.players;
        let mut strengths = vec![0.0; players];
        let mut likelihood = self.likelihood(&strengths, prior);
        for _ in 0..200 {
            let factor = Factor::new(self.information(&strengths, prior, &self.games), players);
            let mut step = self.gradient(&strengths, prior);
            factor.solve(&mut step);
            // The likelihood is concave, but far from its maximum a full Newton step may overshoot.
            let mut share = 1.0;
            let moved = loop {
                let next: Vec<f64> =
                    strengths.iter().zip(&step).map(|(at, step)| at + share * step).collect();
                let here = self.likelihood(&next, prior);
                if here >= likelihood || share < 1e-6 {
                    likelihood = here;
                    break next;
                }
                share /= 2.0;
            };
            let largest = step.iter().fold(0.0, |most: f64, step| most.max(share * step.abs()));
            strengths = moved;
            if largest < 1e-10 {
                break;
            }
        }
        let covariance = self.covariance(&strengths, prior);
        let middle = strengths.iter().sum::<f64>() / players.max(1) as f64;
        let reach = reach(level);
        let estimates = strengths.iter().enumerate().map(|(player, strength)| {
            let (mean, error) =
                ((strength - middle) * ELO, covariance[player * players + player].max(0.0).sqrt());
            Estimate { mean, lo: mean - reach * error, hi: mean + reach * error, error }
        });
        Ratings { players: estimates.collect(), covariance, groups: self.groups() }
    }

    /// The sum of the log-likelihood and the log-prior.
    fn likelihood(&self, strengths: &[f64], prior: f64) -> f64 {
        let mut sum = 0.0;
        for (i, &here) in strengths.iter().enumerate() {
            for (j, &there) in strengths.iter().enumerate() {
                sum -= self.scores[i * self.players + j] * (there - here).exp().ln_1p();
            }
            sum -= prior / 2.0 * (here.exp().ln_1p() + (-here).exp().ln_1p());
        }
        sum
    }

    /// The gradient of the log-likelihood and log-prior in the strengths.
    fn gradient(&self, strengths: &[f64], prior: f64) -> Vec<f64> {
        let of_player = |(i, &here): (usize, &f64)| {
            let mut sum = prior * (0.5 - expected(here));
            for (j, &there) in strengths.iter().enumerate() {
                let at = i * self.players + j;
                sum += self.scores[at] - self.games[at] * expected(here - there);
            }
            sum
        };
        strengths.iter().enumerate().map(of_player).collect()
    }

    /// The Fisher information of these games and of the prior.
    fn information(&self, strengths: &[f64], prior: f64, games: &[f64]) -> Vec<f64> {
        let players = self.players;
        let mut information = vec![0.0; players * players];
        for (i, &here) in strengths.iter().enumerate() {
            information[i * players + i] += prior * expected(here) * expected(-here);
            for (j, &there) in strengths.iter().enumerate() {
                let weight = games[i * players + j] * expected(here - there) * expected(there - here);
                information[i * players + i] += weight;
                information[i * players + j] -= weight;
            }
        }
        information
    }

    /// The covariance of the ratings in Elo squared, after centring.
    fn covariance(&self, strengths: &[f64], prior: f64) -> Vec<f64> {
        let players = self.players;
        let factor = Factor::new(self.information(strengths, prior, &self.games), players);
        let mut inverse = vec![0.0; players * players];
        for (player, row) in inverse.chunks_mut(players.max(1)).enumerate() {
            row[player] = 1.0;
            factor.solve(row);
        }
        // Each row of the inverse minus the mean of all rows is the response of a centred rating to the
        // scores.
        let mut mean = vec![0.0; players];
        for row in inverse.chunks(players.max(1)) {
            for (mean, entry) in mean.iter_mut().zip(row) {
                *mean += entry / players as f64;
            }
        }
        for row in inverse.chunks_mut(players.max(1)) {
            for (entry, mean) in row.iter_mut().zip(&mean) {
                *entry -= mean;
            }
        }
        let noise = self.information(strengths, prior, &self.dispersed);
        let half = product(&inverse, &noise, players);
        let mut covariance = vec![0.0; players * players];
        for i in 0..players {
            for j in 0..players {
                let rows = half[i * players..][..players].iter().zip(&inverse[j * players..][..players]);
                covariance[i * players + j] = ELO * ELO * rows.map(|(a, b)| a * b).sum::<f64>();
            }
        }
        covariance
    }

    /// The group of each player: players who met, directly or through others, share one. Numbered from 0 in
    /// order of their first player.
    fn groups(&self) -> Vec<usize> {
        let mut groups = vec![usize::MAX; self.players];
        let mut found = 0;
        for first in 0..self.players {
            if groups[first] != usize::MAX {
                continue;
            }
            groups[first] = found;
            let mut open = vec![first];
            while let Some(player) = open.pop() {
                for (other, group) in groups.iter_mut().enumerate() {
                    if *group == usize::MAX && self.games[player * self.players + other] > 0.0 {
                        *group = found;
                        open.push(other);
                    }
                }
            }
            found += 1;
        }
        groups
    }
}

/// The ratings of a [`Table`].
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The rating of each player in Elo, with mean 0 over all players.
    pub players: Vec<Estimate>,
    /// The covariance of the ratings, row by row, in Elo squared.
    pub covariance: Vec<f64>,
    /// The group of each player. Differences rest on games, not only on the prior, within a group only.
    pub groups: Vec<usize>,
}

impl Ratings {
    /// The rating of player `a` minus that of player `b`, with an interval of this level.
    ///
    /// # Panics
    /// If a player is not in the table, or the level does not lie strictly between 0 and 1.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize, level: f64) -> Estimate {
        let reach = reach(level);
        let mean = self.players[a].mean - self.players[b].mean;
        let entry = |i: usize, j: usize| self.covariance[i * self.players.len() + j];
        let error = (entry(a, a) + entry(b, b) - entry(a, b) - entry(b, a)).max(0.0).sqrt();
        Estimate { mean, lo: mean - reach * error, hi: mean + reach * error, error }
    }

    /// The probability that player `a` is stronger than player `b`.
    ///
    /// # Panics
    /// If a player is not in the table.
    #[must_use]
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let difference = self.difference(a, b, 0.5);
        normal_cdf(ratio(difference.mean, difference.error))
    }
}

/// The expected score of a player who is stronger by this much.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The product of two square matrices.
fn product(left: &[f64], right: &[f64], size: usize) -> Vec<f64> {
    let mut product = vec![0.0; size * size];
    for i in 0..size {
        for k in 0..size {
            let factor = left[i * size + k];
            for j in 0..size {
                product[i * size + j] += factor * right[k * size + j];
            }
        }
    }
    product
}

/// The Cholesky factor of a positive definite matrix.
struct Factor {
    /// The lower triangle, row by row.
    rows: Vec<f64>,
    size: usize,
}

impl Factor {
    fn new(mut rows: Vec<f64>, size: usize) -> Self {
        for i in 0..size {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| rows[i * size + k] * rows[j * size + k]).sum();
                let rest = rows[i * size + j] - dot;
                // Rounding may cancel a pivot entirely; the prior guarantees that it is positive.
                rows[i * size + j] =
                    if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / rows[j * size + j] };
            }
        }
        Self { rows, size }
    }

    /// Replaces the right-hand side of a system of equations by its solution.
    fn solve(&self, side: &mut [f64]) {
        let (rows, size) = (&self.rows, self.size);
        for i in 0..size {
            let dot: f64 = (0..i).map(|k| rows[i * size + k] * side[k]).sum();
            side[i] = (side[i] - dot) / rows[i * size + i];
        }
        for i in (0..size).rev() {
            let dot: f64 = (i + 1..size).map(|k| rows[k * size + i] * side[k]).sum();
            side[i] = (side[i] - dot) / rows[i * size + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LEVEL, elo_from_score};

    /// A prior too weak to matter.
    const NONE: f64 = 1e-6;

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let mut table = Table::new(2);
        table.add(0, 1, 70.0, 100.0);
        let ratings = table.ratings_under(NONE, LEVEL);
        let difference = ratings.difference(0, 1, LEVEL);
        assert!((difference.mean - elo_from_score(0.7)).abs() < 1e-3, "{difference:?}");
        // The information on θ is n·p·(1-p) = 21.
        assert!((difference.error - ELO / 21.0_f64.sqrt()).abs() < 1e-3, "{difference:?}");
        assert!((ratings.players[0].mean - difference.mean / 2.0).abs() < 1e-9);
        assert!((ratings.players[0].error - difference.error / 2.0).abs() < 1e-6);
        // The default prior moves it by less than a tenth of its error.
        let usual = table.ratings(LEVEL).difference(0, 1, LEVEL);
        assert!((usual.mean - difference.mean).abs() < 0.1 * difference.error, "{usual:?}");
    }

    #[test]
    fn the_baseball_example_is_met() {
        // The American League East of 1987 in Agresti's "Categorical Data Analysis": wins of the row over the
        // column, in the order Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore. Strengths
        // relative to the last and their standard errors as printed by the package BradleyTerry2.
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let published = [
            (1.5814, 0.3433),
            (1.4364, 0.3396),
            (1.2945, 0.3367),
            (1.2476, 0.3359),
            (1.1077, 0.3339),
            (0.6839, 0.3319),
        ];
        let mut table = Table::new(7);
        for (a, row) in wins.iter().enumerate() {
            for (b, &won) in row.iter().enumerate().filter(|&(b, _)| b != a) {
                table.add(a, b, f64::from(won), f64::from(won));
            }
        }
        let ratings = table.ratings_under(NONE, LEVEL);
        for (team, (strength, error)) in published.into_iter().enumerate() {
            let difference = ratings.difference(team, 6, LEVEL);
            assert!((difference.mean / ELO - strength).abs() < 1e-4, "{team}: {}", difference.mean / ELO);
            assert!((difference.error / ELO - error).abs() < 1e-4, "{team}: {}", difference.error / ELO);
        }
        let sum: f64 = ratings.players.iter().map(|rating| rating.mean).sum();
        assert!(sum.abs() < 1e-9);
    }

    #[test]
    fn who_won_everything_is_far_but_not_infinitely_far() {
        let mut before = 0.0;
        for games in [1.0, 10.0, 100.0, 10_000.0] {
            let mut table = Table::new(3);
            table.add(0, 1, games, games);
            table.add(1, 2, games, games);
            let ratings = table.ratings(LEVEL);
            let difference = ratings.difference(0, 2, LEVEL);
            assert!(difference.mean > before && difference.hi.is_finite(), "{games}: {difference:?}");
            assert!((ratings.players[1].mean).abs() < 1e-6);
            before = difference.mean;
        }
    }

    #[test]
    fn groups_that_never_met_are_compared_with_wide_errors() {
        let mut table = Table::new(5);
        table.add(0, 1, 300.0, 400.0);
        table.add(2, 3, 200.0, 400.0);
        let ratings = table.ratings(LEVEL);
        assert_eq!(ratings.groups, vec![0, 0, 1, 1, 2]);
        let within = ratings.difference(0, 1, LEVEL);
        assert!(within.error < 25.0 && ratings.superiority(0, 1) > 0.999);
        assert!(ratings.difference(0, 2, LEVEL).error > 200.0);
        assert!(ratings.difference(0, 4, LEVEL).contains(0.0));
        assert!(ratings.players.iter().all(|rating| rating.mean.is_finite() && rating.error.is_finite()));
    }

    #[test]
    fn dispersion_scales_the_errors_and_nothing_else() {
        let mut plain = Table::new(3);
        let mut dispersed = Table::new(3);
        for (a, b, score) in [(0, 1, 60.0), (1, 2, 55.0), (0, 2, 70.0)] {
            plain.add(a, b, score, 100.0);
            dispersed.add_dispersed(a, b, score, 100.0, 0.25);
        }
        let (plain, dispersed) = (plain.ratings_under(NONE, LEVEL), dispersed.ratings_under(NONE, LEVEL));
        for (plain, dispersed) in plain.players.iter().zip(&dispersed.players) {
            assert_eq!(plain.mean, dispersed.mean);
            assert!((dispersed.error / plain.error - 0.5).abs() < 1e-4);
        }
    }

    #[test]
    fn pairs_between_two_players_have_the_error_of_their_variance() {
        let pairs = Pairs::from_counts([100, 800, 2000, 900, 150]);
        let mut table = Table::new(2);
        table.add_pairs(0, 1, &pairs);
        let rated = table.ratings(LEVEL).difference(0, 1, LEVEL);
        let usual = pairs.elo(LEVEL);
        assert!((rated.mean - usual.mean).abs() < 0.05 && (rated.error / usual.error - 1.0).abs() < 0.01);
    }

    #[test]
    fn an_empty_table_has_no_ratings() {
        assert!(Table::new(0).ratings(LEVEL).players.is_empty());
        let alone = Table::new(1).ratings(LEVEL);
        assert_eq!((alone.players[0].mean, alone.players[0].error), (0.0, 0.0));
    }
}
