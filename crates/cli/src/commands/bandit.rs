//! `astragal bandit`.

use crate::failure::Failure;
use crate::print::{columns, count, counted};
use astragal_search::{BanditRule, regret};
use serde::Serialize;
use std::io::Write;

const RULES: [(&str, BanditRule); 8] = [
    ("random", BanditRule::Random),
    ("greedy", BanditRule::Greedy),
    ("epsilon 0.1", BanditRule::Epsilon(0.1)),
    ("ucb1, c = 1", BanditRule::Ucb1(1.0)),
    ("ucb1, c = √2", BanditRule::Ucb1(std::f64::consts::SQRT_2)),
    ("ucb1-tuned", BanditRule::Ucb1Tuned),
    ("kl-ucb", BanditRule::KlUcb),
    ("thompson", BanditRule::Thompson),
];

#[derive(Serialize)]
struct JsonRow {
    rule: &'static str,
    regret: Vec<f64>,
    error: Vec<f64>,
}

#[derive(Serialize)]
struct JsonBandit<'a> {
    arms: &'a [f64],
    pulls: &'a [u64],
    runs: u64,
    seed: u64,
    rules: Vec<JsonRow>,
}

/// The mean regret of a rule at each checkpoint, and its standard error.
fn measure(arms: &[f64], rule: BanditRule, pulls: &[u64], runs: u64, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let (mut sums, mut squares) = (vec![0.0; pulls.len()], vec![0.0; pulls.len()]);
    for run in 0..runs {
        for (at, lost) in regret(arms, rule, pulls, seed.wrapping_add(run)).into_iter().enumerate() {
            sums[at] += lost;
            squares[at] += lost * lost;
        }
    }
    let n = runs as f64;
    let means: Vec<f64> = sums.iter().map(|sum| sum / n).collect();
    let error = |(square, mean): (&f64, &f64)| {
        if runs < 2 { 0.0 } else { ((square / n - mean * mean).max(0.0) / (n - 1.0)).sqrt() }
    };
    let errors = squares.iter().zip(&means).map(error).collect();
    (means, errors)
}

pub(crate) fn bandit(
    arms: &[f64],
    pulls: u64,
    runs: u64,
    seed: u64,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    // Powers of ten, and the end.
    let mut checkpoints: Vec<u64> = (1..19).map(|power| 10_u64.pow(power)).filter(|&at| at < pulls).collect();
    checkpoints.push(pulls);
    let rows: Vec<JsonRow> = RULES
        .iter()
        .map(|&(name, rule)| {
            let (regret, error) = measure(arms, rule, &checkpoints, runs, seed);
            JsonRow { rule: name, regret, error }
        })
        .collect();
    if json {
        let report = JsonBandit { arms, pulls: &checkpoints, runs, seed, rules: rows };
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
        return Ok(());
    }
    let runs = counted(runs, "run", "runs");
    writeln!(out, "Regret by number of pulls, mean of {runs} with its standard error:\n")?;
    let heads: Vec<String> = checkpoints.iter().map(|&at| count(at)).collect();
    let header: Vec<&str> = std::iter::once("rule").chain(heads.iter().map(String::as_str)).collect();
    let right: Vec<usize> = (1..header.len()).collect();
    let rows = rows.into_iter().map(|row| {
        let cell = |(regret, error): (&f64, &f64)| format!("{regret:.1} ± {error:.1}");
        let cells = row.regret.iter().zip(&row.error).map(cell);
        std::iter::once(row.rule.to_string()).chain(cells).collect()
    });
    write!(out, "{}", columns(&header, &right, rows))?;
    Ok(())
}
