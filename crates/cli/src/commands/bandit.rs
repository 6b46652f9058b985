//! `astragal bandit`.

use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{columns, count, counted};
use astragal_search::{BanditRule, regret};
use astragal_stats::Running;
use serde::Serialize;
use std::io::Write;

/// Run the bandit problem itself: the cost of not knowing which slot machine is best.
///
/// The regret after a number of pulls is the expected gain of the best machine minus that of the machines
/// pulled. It grows with the logarithm of the number of pulls for UCB1, and linearly for random choice.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The win probabilities of the machines, separated by commas.
    #[arg(long, value_name = "P,P,…", value_delimiter = ',', default_value = "0.9,0.6,0.5,0.4", value_parser = chance)]
    pub(crate) arms: Vec<f64>,
    /// Pulls per run.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) pulls: u64,
    /// Number of runs to average.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) runs: u64,
    /// The seed of all runs.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

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
    /// Whether it was interrupted, with fewer runs than requested.
    partial: bool,
    rules: Vec<JsonRow>,
}

impl JsonRow {
    /// The mean regrets of a rule at each checkpoint, and their standard errors.
    fn new(rule: &'static str, regrets: &[Running]) -> Self {
        let error = |regret: &Running| if regret.count() < 2 { 0.0 } else { regret.error() };
        let regret = regrets.iter().map(Running::mean).collect();
        Self { rule, regret, error: regrets.iter().map(error).collect() }
    }
}

/// Parses a probability.
fn chance(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim().parse().map_err(|_| "not a number".to_string())?;
    (0.0..=1.0).contains(&number).then_some(number).ok_or_else(|| "not between 0 and 1".into())
}

pub(crate) fn bandit(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let Args { ref arms, pulls, runs, seed, json } = *args;
    // Powers of ten, and the end.
    let mut checkpoints: Vec<u64> = (1..19).map(|power| 10_u64.pow(power)).filter(|&at| at < pulls).collect();
    checkpoints.push(pulls);
    let mut means = vec![vec![Running::new(); checkpoints.len()]; RULES.len()];
    let mut done = 0;
    let (machines, points) = (arms.to_vec(), checkpoints.clone());
    // Each run covers every rule, so an interrupt leaves all rules with the same number of runs.
    let complete = Interruptible::start().each(
        move |found| {
            for run in 0..runs {
                let seed = seed.wrapping_add(run);
                found(RULES.map(|(_, rule)| regret(&machines, rule, &points, seed)));
            }
        },
        |regrets: [Vec<f64>; RULES.len()]| {
            for (means, regrets) in means.iter_mut().zip(&regrets) {
                means.iter_mut().zip(regrets).for_each(|(mean, &regret)| mean.add(regret));
            }
            done += 1;
            Ok(())
        },
    )?;
    let rows = means.iter().zip(RULES).map(|(means, (name, _))| JsonRow::new(name, means));
    let rows: Vec<JsonRow> = if done > 0 { rows.collect() } else { Vec::new() };
    if json {
        let report =
            JsonBandit { arms, pulls: &checkpoints, runs: done, seed, partial: !complete, rules: rows };
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
    } else if done > 0 {
        print(rows, &checkpoints, done, out)?;
    }
    if complete {
        return Ok(());
    }
    if !json {
        writeln!(out, "partial: interrupted after {} of {} runs", count(done), count(runs))?;
    }
    Err(Failure::Interrupted)
}

fn print(rows: Vec<JsonRow>, checkpoints: &[u64], runs: u64, out: &mut dyn Write) -> Result<(), Failure> {
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
