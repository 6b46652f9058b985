//! Luck adjustment in real matches: the mean luck is 0, the adjusted interval covers the plain mean of a long
//! run at its stated rate, and adjusting never loses precision. Release builds play more games.

use astragal_arena::contest::{Contest, PairRow, row};
use astragal_arena::terms::Terms;
use astragal_core::{Budget, Clock};
use astragal_stats::{LEVEL, Running, adjust};

/// Number of pairs per match.
const PAIRS: usize = 50;

/// Number of matches of the long run: more where there is little luck to remove.
fn matches(game: &str) -> usize {
    match game {
        _ if !cfg!(debug_assertions) => 400,
        "ra" => 60,
        "cant-stop" => 10,
        _ => 20,
    }
}

/// A quick match in each game with dice, and the share of the variance that the adjustment must remove.
const GAMES: [(&str, [&str; 2], f64); 4] = [
    ("pig", ["hold-at(n=20)", "hold-at(n=35)"], 0.7),
    ("ewn", ["expectimax(depth=1)", "expectimax(eval=race,depth=1)"], 0.3),
    ("cant-stop", ["rule-of-28", "glenn-aloi"], 0.3),
    ("ra", ["random", "random"], 0.0),
];

/// The pairs of a long run.
fn pairs(game: &str, engines: [&str; 2]) -> Vec<PairRow> {
    let contest = Contest::new(game, None, engines, Budget::depth(1), Terms::default(), 5).unwrap();
    let mut clock = Clock::start();
    (0..(PAIRS * matches(game)) as u64).map(|pair| row(&contest.play(pair, &mut clock).unwrap())).collect()
}

fn luck(row: &PairRow) -> f64 {
    0.5 * (row.games[0].luck + row.games[1].luck)
}

fn check(game: &str, engines: [&str; 2], saved: f64) {
    let rows = pairs(game, engines);
    let long: Running = rows.iter().map(PairRow::score).collect();
    let all: Running = rows.iter().map(luck).collect();
    // Four standard errors.
    assert!(all.mean().abs() < 4.0 * all.error(), "{game}: luck {} ± {}", all.mean(), all.error());
    let (mut covered, mut plain, mut left) = (0, Running::new(), Running::new());
    for rows in rows.chunks(PAIRS) {
        let scores: Vec<f64> = rows.iter().map(PairRow::score).collect();
        let lucks: Vec<f64> = rows.iter().map(luck).collect();
        let result = adjust(&scores, &lucks, LEVEL);
        covered += usize::from(result.adjusted.lo <= long.mean() && long.mean() <= result.adjusted.hi);
        plain.add(result.plain.error.powi(2));
        left.add(result.adjusted.error.powi(2));
    }
    // Within three standard errors of the coverage rate.
    let matches = matches(game);
    let (rate, error) = (covered as f64 / matches as f64, (LEVEL * (1.0 - LEVEL) / matches as f64).sqrt());
    assert!(
        (rate - LEVEL).abs() < 3.0 * error,
        "{game}: {covered} of {matches} intervals cover {}",
        long.mean()
    );
    let kept = left.mean() / plain.mean();
    assert!(kept < 1.0 - saved, "{game}: {kept} of the variance is left");
}

#[test]
fn luck_is_fair_and_worth_taking_out_in_pig() {
    let (game, engines, saved) = GAMES[0];
    check(game, engines, saved);
}

#[test]
fn luck_is_fair_and_worth_taking_out_in_einstein() {
    let (game, engines, saved) = GAMES[1];
    check(game, engines, saved);
}

#[test]
fn luck_is_fair_and_worth_taking_out_in_cant_stop() {
    let (game, engines, saved) = GAMES[2];
    check(game, engines, saved);
}

#[test]
fn luck_is_fair_and_worth_taking_out_in_ra() {
    let (game, engines, saved) = GAMES[3];
    check(game, engines, saved);
}
