//! The statistics hold their promises when the truth is known: simulated matches with fixed seeds.
//!
//! A rate over many runs is known up to its standard error, so each bound states how many standard errors it
//! allows, and what else.

use astragal_core::{Sampler, Stream, unit};
use astragal_stats::{
    Estimate, LEVEL, Pairs, Running, Scale, Sprt, Table, Verdict, adjust, bootstrap, elo_from_score, holm,
    normal_quantile, normalised_elo, score_from_elo,
};

/// The possible scores of a pair.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Pairs between equals: with draws and shared luck.
const EVEN: [f64; 5] = [0.05, 0.22, 0.46, 0.22, 0.05];

/// The random numbers of one run of a test.
fn stream(test: u64, run: u64) -> Stream {
    Sampler::new(test).stream(run, 0)
}

/// A standard normal variate.
fn normal(stream: &mut Stream) -> f64 {
    normal_quantile(unit(stream.bits()).max(1e-300))
}

/// A pair drawn with these probabilities.
fn pair(chances: &[f64; 5], stream: &mut Stream) -> f64 {
    let mut rest = unit(stream.bits());
    for (score, chance) in SCORES.into_iter().zip(chances) {
        if rest < *chance {
            return score;
        }
        rest -= chance;
    }
    1.0
}

/// The probabilities of [`EVEN`], tilted to this mean score.
fn tilted(mean: f64) -> [f64; 5] {
    let at = |tilt: f64| {
        let mut chances = EVEN;
        for (chance, score) in chances.iter_mut().zip(SCORES) {
            *chance *= (tilt * score).exp();
        }
        let sum: f64 = chances.iter().sum();
        chances.map(|chance| chance / sum)
    };
    let (mut lo, mut hi) = (-30.0, 30.0);
    while hi - lo > 1e-12 {
        let middle = f64::midpoint(lo, hi);
        if truth(&at(middle)).0 < mean { lo = middle } else { hi = middle }
    }
    at(lo)
}

/// The mean and the variance of a pair with these probabilities.
fn truth(chances: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = SCORES.iter().zip(chances).map(|(score, chance)| score * chance).sum();
    let square: f64 = SCORES.iter().zip(chances).map(|(score, chance)| score * score * chance).sum();
    (mean, square - mean * mean)
}

/// The share of the runs in which `holds` is true.
fn share(runs: u64, holds: impl Fn(u64) -> bool) -> f64 {
    (0..runs).filter(|&run| holds(run)).count() as f64 / runs as f64
}

/// Three standard errors of a share over this many runs.
fn noise(share: f64, runs: u64) -> f64 {
    3.0 * (share * (1.0 - share) / runs as f64).sqrt()
}

#[test]
fn student_intervals_cover_at_their_level() {
    const RUNS: u64 = 40_000;
    for count in [2, 5, 20] {
        let covered = share(RUNS, |run| {
            let mut stream = stream(1, run);
            (0..count).map(|_| normal(&mut stream)).collect::<Running>().estimate(LEVEL).contains(0.0)
        });
        assert!((covered - LEVEL).abs() < noise(LEVEL, RUNS), "{count} samples: {covered}");
    }
}

#[test]
fn intervals_of_pairs_cover_at_their_level() {
    const RUNS: u64 = 4000;
    for (score, count) in [(0.5, 40), (0.5, 400), (0.6, 200), (0.9, 100), (0.97, 400)] {
        let chances = tilted(score);
        let (mean, variance) = truth(&chances);
        let elo = normalised_elo(mean, variance);
        let run = |run: u64| {
            let mut stream = stream(2, run);
            (0..count).map(|_| pair(&chances, &mut stream)).collect::<Pairs>()
        };
        let covered = share(RUNS, |seed| run(seed).estimate(LEVEL).contains(mean));
        // Scores are multiples of ¼, so the rate moves in steps: one more percent is allowed.
        assert!((covered - LEVEL).abs() < noise(LEVEL, RUNS) + 0.01, "{count} at {score}: {covered}");
        let covered = share(RUNS, |seed| run(seed).elo(LEVEL).contains(elo_from_score(mean)));
        assert!((covered - LEVEL).abs() < noise(LEVEL, RUNS) + 0.01, "{count} at {score}: Elo {covered}");
        if score < 0.7 {
            // The delta method is not meant for scores near the ends.
            let covered = share(RUNS, |seed| run(seed).normalised_elo(LEVEL).contains(elo));
            assert!(
                (covered - LEVEL).abs() < noise(LEVEL, RUNS) + 0.015,
                "{count} at {score}: normalised {covered}"
            );
        }
    }
}

#[test]
fn equals_are_found_unequal_at_the_stated_rate() {
    const RUNS: u64 = 8000;
    let run = |run: u64| {
        let mut stream = stream(3, run);
        (0..150).map(|_| pair(&EVEN, &mut stream)).collect::<Pairs>()
    };
    for level in [0.05, 0.2] {
        let found = share(RUNS, |seed| run(seed).p_value() < level);
        assert!((found - level).abs() < noise(level, RUNS) + 0.005, "two-sided {level}: {found}");
        let sure = share(RUNS, |seed| run(seed).superiority() > 1.0 - level);
        assert!((sure - level).abs() < noise(level, RUNS) + 0.005, "superior {level}: {sure}");
    }
}

/// More pairs than any test here needs.
const MOST: u64 = 20_000;

/// Plays a test between players with these probabilities until it decides or reaches this many pairs.
fn play(test: &Sprt, chances: &[f64; 5], most: u64, mut stream: Stream) -> (Verdict, Pairs) {
    let mut pairs = Pairs::new();
    loop {
        pairs.add(pair(chances, &mut stream));
        match test.verdict(&pairs) {
            Verdict::Continue if pairs.count() < most => {}
            verdict => return (verdict, pairs),
        }
    }
}

/// The probabilities of pairs with this strength on the scale of a test.
fn of_strength(scale: Scale, elo: f64) -> [f64; 5] {
    match scale {
        Scale::Logistic => tilted(score_from_elo(elo)),
        Scale::Normalised => {
            let (mut lo, mut hi) = (0.01, 0.99);
            while hi - lo > 1e-9 {
                let middle = f64::midpoint(lo, hi);
                let (mean, variance) = truth(&tilted(middle));
                if normalised_elo(mean, variance) < elo { lo = middle } else { hi = middle }
            }
            tilted(lo)
        }
    }
}

#[test]
fn the_sequential_test_errs_at_its_stated_rates() {
    const RUNS: u64 = 1000;
    for (scale, elo0, elo1) in [(Scale::Logistic, 0.0, 30.0), (Scale::Normalised, -10.0, 50.0)] {
        let test = Sprt::new(elo0, elo1, scale, 0.05, 0.1).unwrap();
        for (elo, wrong, rate) in [(elo0, Verdict::Accept, 0.05), (elo1, Verdict::Reject, 0.1)] {
            let chances = of_strength(scale, elo);
            let erred = share(RUNS, |run| play(&test, &chances, MOST, stream(4, run)).0 == wrong);
            // Overshooting the limits makes errors rarer, but not by half.
            assert!(erred < rate + noise(rate, RUNS), "{scale:?} at {elo}: {erred}");
            assert!(erred > 0.5 * rate, "{scale:?} at {elo}: {erred}");
        }
    }
}

/// Checks the estimate after tests on this scale that are abandoned after `most` pairs if they have not
/// stopped before.
fn check_estimates(scale: Scale, most: u64) {
    const RUNS: u64 = 600;
    let test = Sprt::new(0.0, 40.0, scale, 0.05, 0.05).unwrap();
    for elo in [-20.0, 0.0, 20.0, 40.0, 80.0] {
        let chances = of_strength(scale, elo);
        let (mut high, mut covered, mut raw_high) = (0, 0, 0);
        for run in 0..RUNS {
            let (_, pairs) = play(&test, &chances, most, stream(5, run));
            let estimate = test.estimate(&pairs, LEVEL);
            let raw = match scale {
                Scale::Logistic => pairs.elo(LEVEL),
                Scale::Normalised => pairs.normalised_elo(LEVEL),
            };
            high += u64::from(estimate.mean > elo);
            covered += u64::from(estimate.contains(elo));
            raw_high += u64::from(raw.mean > elo);
        }
        let of = |count: u64| count as f64 / RUNS as f64;
        let (high, covered, raw_high) = (of(high), of(covered), of(raw_high));
        let what = format!("{scale:?}, {most} pairs at most, at {elo}");
        // A few dozen pairs only approximate Brownian motion: three percent for the median, one for the
        // level.
        assert!((high - 0.5).abs() < noise(0.5, RUNS) + 0.03, "{what}: too high in {high}");
        assert!((covered - LEVEL).abs() < noise(LEVEL, RUNS) + 0.01, "{what}: covered in {covered}");
        // The raw estimate is biased away from the middle: too high at the upper bound, too low at the lower.
        if most == MOST && elo == test.elo1() {
            assert!(raw_high > 0.6, "{what}: raw {raw_high}");
        } else if most == MOST && elo == test.elo0() {
            assert!(raw_high < 0.4, "{what}: raw {raw_high}");
        }
    }
}

#[test]
fn the_estimate_after_stopping_is_too_high_as_often_as_too_low() {
    check_estimates(Scale::Logistic, MOST);
}

#[test]
fn the_normalised_estimate_after_stopping_is_too_high_as_often_as_too_low() {
    check_estimates(Scale::Normalised, MOST);
}

#[test]
fn the_estimate_after_giving_up_is_too_high_as_often_as_too_low() {
    check_estimates(Scale::Logistic, 100);
    check_estimates(Scale::Normalised, 100);
}

/// A match with luck: scores with this weight of luck, and the luck observed with noise of size `fog`.
fn lucky(count: u64, weight: f64, fog: f64, mut stream: Stream) -> (Vec<f64>, Vec<f64>) {
    (0..count)
        .map(|_| {
            let (luck, rest) = (normal(&mut stream), normal(&mut stream));
            let score = 0.55 + 0.25 * (weight * luck + (1.0 - weight * weight).sqrt() * rest);
            // Scores of pairs are quarters, so luck acts through a threshold, not linearly.
            ((score.clamp(0.0, 1.0) * 4.0).round() / 4.0, 3.0 * (luck + fog * normal(&mut stream)))
        })
        .unzip()
}

#[test]
fn luck_adjustment_is_unbiased_and_covers() {
    const RUNS: u64 = 3000;
    // The truth is the mean of a long match; its own error is allowed for.
    for (weight, fog, count) in [(0.8, 0.0, 60), (0.8, 1.0, 200), (0.0, 0.0, 60)] {
        let long: Running = (0..20).flat_map(|part| lucky(100_000, weight, fog, stream(6, part)).0).collect();
        let truth = long.mean();
        let mut means = Running::new();
        let mut covered = 0;
        for run in 0..RUNS {
            let (scores, luck) = lucky(count, weight, fog, stream(7, run));
            let adjusted = adjust(&scores, &luck, LEVEL).adjusted;
            means.add(adjusted.mean);
            covered += u64::from(adjusted.contains(truth));
        }
        let error = (means.error().powi(2) + long.error().powi(2)).sqrt();
        assert!((means.mean() - truth).abs() < 3.0 * error, "{weight}, {fog}: {} and {truth}", means.mean());
        let covered = covered as f64 / RUNS as f64;
        assert!((covered - LEVEL).abs() < noise(LEVEL, RUNS) + 0.005, "{weight}, {fog}: {covered}");
    }
}

#[test]
fn luck_adjustment_gains_precision_and_loses_next_to_none() {
    const RUNS: u64 = 3000;
    // The weight of luck in the score, the noise of the observed luck, the number of pairs, and the least
    // ratio of the true variances. Where luck explains nothing, the cost of finding that out is at most three
    // percent, and vanishes with more pairs.
    let cases = [
        (0.8, 0.0, 20, 1.8),
        (0.8, 0.0, 100, 2.1),
        (0.8, 1.0, 100, 1.3),
        (0.2, 0.0, 20, 0.965),
        (0.2, 0.0, 100, 0.995),
        (0.0, 0.0, 20, 0.97),
        (0.0, 0.0, 100, 0.995),
    ];
    for (weight, fog, count, least) in cases {
        let (mut plain, mut adjusted, mut games) = (Running::new(), Running::new(), Running::new());
        for run in 0..RUNS {
            let (scores, luck) = lucky(count, weight, fog, stream(8, run));
            let result = adjust(&scores, &luck, LEVEL);
            plain.add(result.plain.mean);
            adjusted.add(result.adjusted.mean);
            games.add(result.effective_games);
        }
        // The true variances of the two means, over the runs.
        let gain = plain.variance() / adjusted.variance();
        assert!(gain > least, "{weight}, {fog}, {count} pairs: {gain}");
        // This many independent games would have the variance of the adjusted mean. A variance over the runs
        // is known to 2.6 percent; that of few pairs is estimated with noise, which raises its reciprocal.
        let equal = adjusted.mean() * (1.0 - adjusted.mean()) / adjusted.variance();
        let ratio = games.mean() / equal;
        assert!((ratio - 1.0).abs() < 0.08 + 3.0 / count as f64, "{weight}, {fog}, {count} pairs: {ratio}");
    }
}

#[test]
fn ratings_cover_at_their_level() {
    const RUNS: u64 = 1500;
    let truth = [150.0, 60.0, 0.0, -70.0, -140.0];
    // Independent games, and pairs whose games have half the variance.
    for paired in [false, true] {
        let (mut players, mut differences) = (0, 0);
        for run in 0..RUNS {
            let mut stream = stream(9, run);
            let mut table = Table::new(5);
            for a in 0..5 {
                for b in 0..a {
                    let score = score_from_elo(truth[a] - truth[b]);
                    if paired {
                        let chances = tilted(score);
                        table.add_pairs(a, b, &(0..30).map(|_| pair(&chances, &mut stream)).collect());
                    } else {
                        let won = (0..60).filter(|_| unit(stream.bits()) < score).count();
                        table.add(a, b, won as f64, 60.0);
                    }
                }
            }
            let ratings = table.ratings(LEVEL);
            for a in 0..5 {
                players += u64::from(ratings.players[a].contains(truth[a]));
                for b in 0..a {
                    differences += u64::from(ratings.difference(a, b, LEVEL).contains(truth[a] - truth[b]));
                }
            }
        }
        let (players, differences) =
            (players as f64 / (5 * RUNS) as f64, differences as f64 / (10 * RUNS) as f64);
        // The five or ten intervals of a run are not independent, so the noise is that of the runs.
        assert!((players - LEVEL).abs() < noise(LEVEL, RUNS), "paired {paired}: {players}");
        assert!((differences - LEVEL).abs() < noise(LEVEL, RUNS), "paired {paired}: {differences}");
    }
}

#[test]
fn bootstrap_intervals_cover_skewed_data() {
    const RUNS: u64 = 800;
    // The mean of 40 exponential variates, where the normal interval covers 92 percent: BCa comes within 2 of
    // the level.
    let covered = share(RUNS, |run| {
        let mut stream = stream(10, run);
        let units: Vec<f64> = (0..40).map(|_| -(1.0 - unit(stream.bits())).ln()).collect();
        let mean = |units: &[f64]| units.iter().sum::<f64>() / units.len() as f64;
        let estimate: Estimate = bootstrap(&units, mean, 800, LEVEL, run);
        estimate.contains(1.0)
    });
    assert!((covered - LEVEL).abs() < noise(LEVEL, RUNS) + 0.02, "{covered}");
}

#[test]
fn holm_keeps_false_findings_rare() {
    const RUNS: u64 = 8000;
    let p_values = |run: u64| -> Vec<f64> {
        // Ten comparisons with the same opponent, hence dependent on each other; the last two are true
        // differences.
        let mut stream = stream(11, run);
        let common = normal(&mut stream);
        (0..10)
            .map(|at| {
                let shift = if at < 8 { 0.0 } else { 4.0 };
                let z = 0.5_f64.sqrt() * (common + normal(&mut stream)) + shift;
                let estimate = Estimate { mean: z, lo: z, hi: z, error: 1.0 };
                astragal_stats::two_sided(&estimate, 0.0)
            })
            .collect()
    };
    let false_finding = |adjusted: &[f64]| adjusted[..8].iter().any(|&p| p <= 0.05);
    let rate = share(RUNS, |run| false_finding(&holm(&p_values(run))));
    assert!(rate < 0.05 + noise(0.05, RUNS), "{rate}");
    // Uncorrected, noise is reported as a finding in a quarter of the runs; corrected, true differences
    // mostly are found.
    assert!(share(RUNS, |run| false_finding(&p_values(run))) > 0.2);
    assert!(share(RUNS, |run| holm(&p_values(run))[9] <= 0.05) > 0.8);
}
