//! How often engines decide right.

use super::{Args, Drawn, Found, Plan, Point, plans, run};
use crate::failure::Failure;
use crate::print::{columns, count, counted};
use astragal_arena::accuracy::{Accuracy, Decided, Standing, accuracy, joint, lead, pathology, standing};
use astragal_plot as plot;
use astragal_stats::{Estimate, LEVEL};
use serde::Serialize;
use std::io::Write;

/// An engine in some trees.
#[derive(Serialize)]
struct Row {
    engine: String,
    /// The value of the parameter that is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    accuracy: f64,
    lo: f64,
    hi: f64,
    trees: u64,
    /// The mean number of nodes of a decision.
    nodes: f64,
    /// Compared with the first engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
}

/// An engine compared with the first one, tree by tree.
#[derive(Serialize)]
struct Compared {
    /// By how much more often it is right.
    lead: Between,
    /// One less the ratio of right decisions, the first's to its own: the pathology index if it looks deeper.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<Between>,
}

/// An estimate and its interval.
#[derive(Clone, Copy, Serialize)]
struct Between {
    mean: f64,
    lo: f64,
    hi: f64,
}

impl From<Estimate> for Between {
    fn from(Estimate { mean, lo, hi, .. }: Estimate) -> Self {
        Self { mean, lo, hi }
    }
}

impl Between {
    fn text(&self, factor: f64, decimals: usize) -> String {
        let [mean, lo, hi] = [self.mean, self.lo, self.hi].map(|x| format!("{:.decimals$}", factor * x));
        // A single tree says nothing of the interval.
        if self.lo.is_finite() && self.hi.is_finite() { format!("{mean} [{lo}, {hi}]") } else { mean }
    }
}

/// An engine compared with the first one across the sweep.
#[derive(Serialize)]
struct Across {
    engine: String,
    standing: Standing,
    ahead: usize,
    behind: usize,
    of: usize,
}

#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: Option<&'a str>,
    seed: u64,
    partial: bool,
    rows: &'a [Row],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    across: &'a [Across],
}

fn rows(args: &Args, plans: &[Plan<Accuracy>], found: &Found<Decided>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (at, (plan, decided)) in plans.iter().zip(&found.results).enumerate() {
        let Some(share) = accuracy(decided) else { continue };
        let first = at - at % args.engines.len();
        let compared = (at != first && !found.is_partial()).then(|| Compared {
            lead: lead(decided, &found.results[first], LEVEL).into(),
            index: pathology(&found.results[first], decided).map(Between::from),
        });
        rows.push(Row {
            engine: plan.engine.clone(),
            at: plan.at.clone(),
            accuracy: share.mean,
            lo: share.lo,
            hi: share.hi,
            trees: decided.len() as u64,
            nodes: decided.iter().map(|one| one.nodes as f64).sum::<f64>() / decided.len() as f64,
            compared,
        });
    }
    rows
}

/// Every engine but the first across the sweep.
fn across(args: &Args, found: &Found<Decided>) -> Vec<Across> {
    let engines = args.engines.len();
    let of = found.results.len() / engines;
    if args.sweep.is_none() || found.is_partial() {
        return Vec::new();
    }
    let compare = |at: usize| {
        let leads: Vec<Estimate> =
            found.results.chunks(engines).map(|value| lead(&value[at], &value[0], joint(of))).collect();
        Across {
            engine: args.engines[at].clone(),
            standing: standing(&leads),
            ahead: leads.iter().filter(|lead| lead.lo > 0.0).count(),
            behind: leads.iter().filter(|lead| lead.hi < 0.0).count(),
            of,
        }
    };
    (1..engines).map(compare).collect()
}

pub(super) fn measure(args: &Args, out: &mut dyn Write) -> Result<Drawn, Failure> {
    let budget = args.limits.budget();
    let plans = plans(args, |rules, engine| Accuracy::new(rules, engine, budget, args.seed))?;
    let found: Found<Decided> = run(args, &plans)?;
    let (rows, across) = (rows(args, &plans, &found), across(args, &found));
    let key = args.sweep.as_ref().map(|sweep| sweep.key.as_str());
    if args.json {
        let (game, seed, partial) = (&args.game, args.seed, found.is_partial());
        let object = Json { game, sweep: key, seed, partial, rows: &rows, across: &across };
        writeln!(out, "{}", serde_json::to_string(&object).expect("text and numbers"))?;
    } else {
        writeln!(out, "{}  {} each\n", args.game, counted(args.trees, "tree", "trees"))?;
        let several = rows.iter().any(|row| row.compared.is_some());
        let cells = |row: &Row| {
            let share = Between { mean: row.accuracy, lo: row.lo, hi: row.hi }.text(100.0, 1);
            let numbers = [share, count(row.nodes.round() as u64), count(row.trees)];
            let lead = row.compared.as_ref().map_or_else(String::new, |with| with.lead.text(100.0, 1));
            let index = row.compared.as_ref().and_then(|with| with.index);
            let index = index.map_or_else(String::new, |index| index.text(1.0, 2));
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
        for Across { engine, standing, ahead, behind, of } in &across {
            let verb = match standing {
                Standing::Dominates => "dominates",
                Standing::Dominated => "is dominated by",
                Standing::Mixed => "is now ahead of, now behind",
                Standing::Open => "cannot be told from",
            };
            let counted = counted(*of as u64, "value", "values");
            let key = key.unwrap_or_default();
            writeln!(
                out,
                "over {key}: {engine} {verb} {}, ahead at {ahead} and behind at {behind} of {counted}",
                args.engines[0]
            )?;
        }
        if found.is_partial() {
            write!(out, "{}", found.partial())?;
        }
    }
    let point = |row: &Row| {
        let [mean, lo, hi] = [row.accuracy, row.lo, row.hi].map(|share| 100.0 * share);
        Point { at: row.at.clone(), engine: row.engine.clone(), estimate: plot::Estimate::new(mean, lo, hi) }
    };
    let axis = plot::Axis::new("right decisions").unit("%").range(0.0, 100.0);
    let (points, what) = (rows.iter().map(point).collect(), "Right decisions at the root".into());
    Ok(Drawn { points, axis, what, is_partial: found.is_partial() })
}
