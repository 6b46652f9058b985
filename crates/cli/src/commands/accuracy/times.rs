//! From which simulation on the value of the root stays where it belongs.

use super::{Args, Drawn, Found, Point, plans, run};
use crate::failure::Failure;
use crate::print::{columns, count, counted};
use astragal_arena::convergence::{Converged, Convergence};
use astragal_plot as plot;
use astragal_stats::{LEVEL, Running};
use serde::Serialize;
use std::io::Write;

/// The most simulations, unless a number is given.
const MOST: u64 = 1_000_000;

/// An engine in some trees.
#[derive(Serialize)]
struct Row {
    engine: String,
    /// The value of the parameter that is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    /// The mean time and its interval, if all trees have one: the mean of some would be that of the fast
    /// ones.
    time: Option<f64>,
    lo: Option<f64>,
    hi: Option<f64>,
    /// The median, if more than half of the trees have a time.
    median: Option<u64>,
    /// In how many trees the value was seen to stay.
    converged: u64,
    trees: u64,
}

#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    tau: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<&'a str>,
    seed: u64,
    partial: bool,
    rows: &'a [Row],
}

pub(super) fn measure(args: &Args, tau: f64, out: &mut dyn Write) -> Result<Drawn, Failure> {
    let budget = args.limits.budget();
    if !tau.is_finite() || budget.depth.is_some() || budget.nodes.is_some() || budget.time.is_some() {
        return Err(Failure::Message(
            "--tau is a number, and goes with --iterations alone: it counts simulations".into(),
        ));
    }
    let most = budget.iterations.unwrap_or(MOST);
    let plans = plans(args, |rules, engine| Convergence::new(rules, engine, tau, most, args.seed))?;
    let found: Found<Converged> = run(args, &plans)?;
    let mut rows = Vec::new();
    for (plan, converged) in plans.iter().zip(&found.results) {
        let mut times: Vec<u64> = converged.iter().filter_map(|one| one.time).collect();
        times.sort_unstable();
        let mean = times.iter().map(|time| *time as f64).collect::<Running>().estimate(LEVEL);
        let complete = !times.is_empty() && times.len() == converged.len();
        let known = |x: f64| (complete && x.is_finite()).then_some(x);
        rows.push(Row {
            engine: plan.engine.clone(),
            at: plan.at.clone(),
            time: known(mean.mean),
            lo: known(mean.lo),
            hi: known(mean.hi),
            median: times.get(converged.len() / 2).copied(),
            converged: times.len() as u64,
            trees: converged.len() as u64,
        });
    }
    let key = args.sweep.as_ref().map(|sweep| sweep.key.as_str());
    if args.json {
        let (game, seed, partial) = (&args.game, args.seed, found.is_partial());
        let object = Json { game, tau, sweep: key, seed, partial, rows: &rows };
        writeln!(out, "{}", serde_json::to_string(&object).expect("text and numbers"))?;
    } else {
        let trees = counted(args.trees, "tree", "trees");
        writeln!(out, "{}  {trees} each; simulations until the value stays {tau} or more\n", args.game)?;
        let cells = |row: &Row| {
            let number = |x: Option<f64>| x.map_or_else(|| "-".to_string(), |x| count(x.round() as u64));
            let mean = match (row.time, row.lo, row.hi) {
                (Some(_), Some(lo), Some(hi)) => {
                    format!("{} [{}, {}]", number(row.time), number(Some(lo.max(0.0))), number(Some(hi)))
                }
                (mean, ..) => number(mean),
            };
            let median = number(row.median.map(|median| median as f64));
            let numbers = [mean, median, count(row.converged), count(row.trees)];
            row.at.clone().into_iter().chain([row.engine.clone()]).chain(numbers).collect()
        };
        let header: Vec<&str> =
            key.into_iter().chain(["engine", "simulations", "median", "converged", "trees"]).collect();
        let right: Vec<usize> = (header.len() - 4..header.len()).collect();
        write!(out, "{}", columns(&header, &right, rows.iter().map(cells)))?;
        if rows.iter().any(|row| row.converged < row.trees) {
            writeln!(out, "no mean where a tree had not settled within {} simulations", count(most))?;
        }
        if found.is_partial() {
            write!(out, "{}", found.partial())?;
        }
    }
    let points = rows.iter().filter_map(|row| {
        let mean = row.time?;
        let (lo, hi) = (row.lo.unwrap_or(mean).max(1.0), row.hi.unwrap_or(mean));
        let (at, engine) = (row.at.clone(), row.engine.clone());
        Some(Point { at, engine, estimate: plot::Estimate::new(mean, lo, hi) })
    });
    let axis = plot::Axis::new("simulations").log();
    let what = format!("Simulations until the value of the root stays {tau} or more");
    Ok(Drawn { points: points.collect(), axis, what, is_partial: found.is_partial() })
}
