//! After how many simulations the value of the root stays at a threshold or above.

use super::{Args, Drawn, Point, attend};
use crate::failure::Failure;
use crate::print::{columns, count, counted};
use astragal_arena::study::{ConvergenceReport, ConvergenceRow, MOST_SIMULATIONS};
use astragal_plot as plot;
use std::io::Write;

pub(super) fn measure(args: &Args, tau: f64, out: &mut dyn Write) -> Result<Drawn, Failure> {
    let budget = args.limits.budget();
    if !tau.is_finite() || budget.depth.is_some() || budget.nodes.is_some() || budget.time.is_some() {
        return Err(Failure::Message(
            "--tau must be a finite number and allows no limit but --iterations: it counts simulations"
                .into(),
        ));
    }
    let most = budget.iterations.unwrap_or(MOST_SIMULATIONS);
    let (report, searches) =
        attend(args, |study, crew, progress| study.convergence(tau, most, crew, progress))?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report).expect("text and numbers"))?;
    } else {
        print(args, &report, most, out)?;
        if report.partial {
            write!(out, "{}", searches.partial())?;
        }
    }
    let points = report.rows.iter().filter_map(|row| {
        let mean = row.time?;
        let (lo, hi) = (row.lo.unwrap_or(mean).max(1.0), row.hi.unwrap_or(mean));
        let (at, engine) = (row.at.clone(), row.engine.clone());
        Some(Point { at, engine, estimate: plot::Estimate::new(mean, lo, hi) })
    });
    let axis = plot::Axis::new("simulations").log();
    let what = format!("Simulations until the value of the root stays {tau} or more");
    Ok(Drawn { points: points.collect(), axis, what, is_partial: report.partial })
}

/// Prints the result as text.
fn print(args: &Args, report: &ConvergenceReport, most: u64, out: &mut dyn Write) -> Result<(), Failure> {
    let ConvergenceReport { rows, tau, .. } = report;
    let trees = counted(args.trees, "tree", "trees");
    writeln!(out, "{}  {trees} each; simulations until the value stays {tau} or more\n", args.game)?;
    let cells = |row: &ConvergenceRow| {
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
    let header: Vec<&str> = report
        .sweep
        .as_deref()
        .into_iter()
        .chain(["engine", "simulations", "median", "converged", "trees"])
        .collect();
    let right: Vec<usize> = (header.len() - 4..header.len()).collect();
    write!(out, "{}", columns(&header, &right, rows.iter().map(cells)))?;
    if rows.iter().any(|row| row.converged < row.trees) {
        writeln!(out, "no mean where a tree had not settled within {} simulations", count(most))?;
    }
    Ok(())
}
