//! How often engines choose the right action.

use super::{Args, Drawn, Point, attend};
use crate::failure::Failure;
use crate::print::{columns, count, counted};
use astragal_arena::accuracy::Dominance;
use astragal_arena::study::{AccuracyReport, AccuracyRow, Across, Between};
use astragal_plot as plot;
use std::io::Write;

/// An estimate with its interval.
fn text(between: &Between, factor: f64, decimals: usize) -> String {
    let [mean, lo, hi] = [between.mean, between.lo, between.hi].map(|x| format!("{:.decimals$}", factor * x));
    // A single tree gives no interval.
    if between.lo.is_finite() && between.hi.is_finite() { format!("{mean} [{lo}, {hi}]") } else { mean }
}

pub(super) fn measure(args: &Args, out: &mut dyn Write) -> Result<Drawn, Failure> {
    let budget = args.limits.budget();
    let (report, searches) = attend(args, |study, crew, progress| study.accuracy(budget, crew, progress))?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report).expect("text and numbers"))?;
    } else {
        print(args, &report, out)?;
        if report.partial {
            write!(out, "{}", searches.partial())?;
        }
    }
    let point = |row: &AccuracyRow| {
        let [mean, lo, hi] = [row.accuracy, row.lo, row.hi].map(|share| 100.0 * share);
        Point { at: row.at.clone(), engine: row.engine.clone(), estimate: plot::Estimate::new(mean, lo, hi) }
    };
    let axis = plot::Axis::new("right decisions").unit("%").range(0.0, 100.0);
    let (points, what) = (report.rows.iter().map(point).collect(), "Right decisions at the root".into());
    Ok(Drawn { points, axis, what, is_partial: report.partial })
}

/// Prints the result as text.
fn print(args: &Args, report: &AccuracyReport, out: &mut dyn Write) -> Result<(), Failure> {
    let AccuracyReport { rows, across, .. } = report;
    let key = report.sweep.as_deref();
    writeln!(out, "{}  {} each\n", args.game, counted(args.trees, "tree", "trees"))?;
    let several = rows.iter().any(|row| row.compared.is_some());
    let cells = |row: &AccuracyRow| {
        let share = text(&Between { mean: row.accuracy, lo: row.lo, hi: row.hi }, 100.0, 1);
        let numbers = [share, count(row.nodes.round() as u64), count(row.trees)];
        let lead = row.compared.as_ref().map_or_else(String::new, |with| text(&with.lead, 100.0, 1));
        let index = row.compared.as_ref().and_then(|with| with.index);
        let index = index.map_or_else(String::new, |index| text(&index, 1.0, 2));
        let comparison = [lead, index].into_iter().filter(|_| several);
        let words = row.at.clone().into_iter().chain([row.engine.clone()]);
        words.chain(numbers).chain(comparison).collect()
    };
    let comparison = ["lead in points", "index"].into_iter().filter(|_| several);
    let header: Vec<&str> =
        key.into_iter().chain(["engine", "right %", "nodes", "trees"]).chain(comparison).collect();
    let words = 1 + usize::from(key.is_some());
    let right: Vec<usize> = (words..header.len()).collect();
    write!(out, "{}", columns(&header, &right, rows.iter().map(cells)))?;
    if several {
        writeln!(
            out,
            "\nlead: over {0}, tree by tree; index: 1 - (right decisions of {0}) / (its own)",
            args.engines[0]
        )?;
    }
    for Across { engine, standing, ahead, behind, of } in across {
        let verb = match standing {
            Dominance::Dominates => "dominates",
            Dominance::Dominated => "is dominated by",
            Dominance::Mixed => "is sometimes ahead of, sometimes behind",
            Dominance::Open => "cannot be distinguished from",
        };
        let counted = counted(*of as u64, "value", "values");
        let key = key.unwrap_or_default();
        writeln!(
            out,
            "over {key}: {engine} {verb} {}, ahead at {ahead} and behind at {behind} of {counted}",
            args.engines[0]
        )?;
    }
    Ok(())
}
