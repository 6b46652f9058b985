//! *Monte Carlo \*-Minimax Search* explained: every row of its Table 1 and every bar of its Figure 2 under
//! the readings that its text allows.

mod claims;
mod matches;
mod readings;
mod table;

use self::matches::{EVEN, LOOK_LEVEL, Played, Rates, Side, find};
use self::readings::{Bar, Equal, READINGS, budgets, cells};
use super::players::DOMAINS;
use crate::bench::Patience;
use crate::text::{decimal, drawn};
use crate::{Bench, Experiment, Failed, Outcome, Scale, Table};
use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Lines, Look, Reference};

/// The experiment.
pub(crate) static EXPLAINED: Experiment = Experiment {
    id: "mcms-explained",
    title: "The paper's results under the readings that it allows",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), sections 4.3 and 4.4",
    takes: &[(Scale::Quick, 180), (Scale::Paper, 4800)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let rates = match bench.scale {
        // The same on every machine.
        Scale::Quick => None,
        _ => Some(Rates::measure(&mut bench.stage(0.0, 0.01))?),
    };
    let mut patience = Patience::default();
    let rows = patience.with(table::run(rates.as_ref(), &mut bench.stage(0.01, 0.2)))?;
    let cells = cells(bench.scale);
    let played = patience.with(matches::play(&cells, rates.as_ref(), &mut bench.stage(0.2, 1.0)))?;
    let (Some(rows), Some(played)) = (rows, played) else { return Err(Failed::Waits) };
    let mut findings = claims::estimators(&rows);
    findings.extend(claims::strength(&played));
    let mut tables = vec![bars(&played, rates.as_ref()), table::table(&rows)];
    tables.extend(rates.as_ref().map(speeds));
    let mut figures = Vec::new();
    for (game, domain) in DOMAINS.iter().enumerate() {
        let caption = format!(
            "{}: sampling players against their classic counterparts over the budget, one line a reading. Where the shaded band is, the paper has them.",
            domain.name
        );
        figures.push((domain.spec.to_string(), caption, figure(&played, game, bench.scale)));
    }
    let caption = "Table 1 under each reading, and as published.".to_string();
    figures.push(("table1".into(), caption, table::figure(&rows)));
    Ok(Outcome { summary: summary(&rows, bench.scale), findings, tables, figures })
}

fn summary(rows: &[table::Rows], scale: Scale) -> String {
    let budgets = scale.pick(
        "Budgets are in nodes, the same for both players.",
        "Budgets are in nodes. The classic player has those of the table, and every other player those that it visits in the \
         same time, measured once on the machine and written below: these budgets differ from one machine to the next. The \
         sampling players meet their classic counterparts once more with as many nodes as those.",
    );
    format!(
        "The paper neither gives its evaluation functions nor says whether equal outcomes of the dice were merged, nor whether \
         sibling actions saw the same dice. Each row of its Table 1 ({} runs at each position; the positions are those that the \
         players of the first reading met) and each bar of its Figure 2 is measured here under the readings that are left. One \
         sentence speaks against single rolls and tiles, at least in MCTS: its distributions were \"non-uniform in every case \
         except EWN\", and those of single rolls are uniform. {budgets} A match is looked at after 16 pairs and after each \
         doubling, and ends when everything that the paper says of it is decided, so intervals have the level {:.1} %, and those \
         of all looks at a match together 95 %. Scores are without the luck of the dice. Under a reading a claim holds, does not \
         hold, or is level (no difference above five points). It *agrees* if it holds under all readings, *differs* if it holds \
         under none and is level under none, *depends* if readings give different answers, which are named, and is *open* if a \
         reading is and no two others differ. Of several budgets the largest counts whose match is decided.",
        rows.first().map_or(0, |rows| rows.runs),
        100.0 * LOOK_LEVEL
    )
}

/// All matches.
fn bars(played: &[Played], rates: Option<&Rates>) -> Table {
    let mut table = Table::new(
        "bars",
        format!(
            "All matches: the score of the left player, without luck, with its {:.1} % interval.",
            100.0 * LOOK_LEVEL
        ),
        &[
            "game",
            "reading",
            "bar",
            "equal",
            "nodes left",
            "nodes right",
            "ms left",
            "ms right",
            "pairs",
            "score %",
            "low",
            "high",
            "better",
        ],
    );
    for found in played {
        let Played { cell, budgets, pairs, score } = found;
        let mut row = vec![cell.domain().name.into(), cell.reading().name.into(), cell.bar.name()];
        let is_time = cell.equal == Equal::Time && rates.is_some();
        row.push(if is_time { "time" } else { "nodes" }.into());
        row.extend(budgets.map(|nodes| nodes.to_string()));
        let times = rates.map(|rates| rates.milliseconds(found));
        row.extend(times.map_or([const { String::new() }; 2], |ms| ms.map(|ms| decimal(ms, 1))));
        row.push(pairs.to_string());
        row.extend([score.mean, score.lo, score.hi].map(|x| decimal(100.0 * x, 1)));
        row.push(
            match Side::of(score) {
                Side::Left => "left",
                Side::Right => "right",
                Side::Neither => "neither by 5 points",
                Side::Undecided => "open",
            }
            .into(),
        );
        table.rows.push(row);
    }
    table
}

/// Nodes a millisecond.
fn speeds(rates: &Rates) -> Table {
    let mut table = Table::new(
        "speeds",
        "Nodes a millisecond on the machine of this run, in searches of 20000 nodes.",
        &["game", "reading", "MCTS", "DPW", "exp", "Star1", "Star2", "expSS", "star1SS", "star2SS"],
    );
    for (game, readings) in READINGS.iter().enumerate() {
        for (at, reading) in readings.iter().enumerate() {
            let mut row = vec![DOMAINS[game].name.into(), reading.name.into()];
            row.extend(rates.of(game, at).iter().map(|rate| decimal(*rate, 0)));
            table.rows.push(row);
        }
    }
    table
}

/// What the paper has for a sampling player against its classic counterpart, in per cent.
fn published(game: usize, bar: Bar) -> (&'static str, f64, f64) {
    match (game, bar) {
        (2, bar) if bar == Bar::SAMPLING[2] => ("published: 85.0 %", 83.4, 86.6),
        (3, _) => ("published: roughly 60 %", 55.0, 65.0),
        _ => ("published: above 50 %", 50.0, 100.0),
    }
}

/// The scores of a game over the budget.
fn figure(played: &[Played], game: usize, scale: Scale) -> Figure {
    let mut figure = Figure::new(format!("{} under each reading", DOMAINS[game].name));
    figure.subtitle = "Wins of the sampling player in percent over nodes a decision, without luck".into();
    figure.caption = format!("Intervals of {:.1} %.", 100.0 * LOOK_LEVEL);
    figure.columns = 3;
    figure.shared = true;
    figure.width = 960.0;
    let (varied, _) = budgets(game, scale);
    for bar in Bar::SAMPLING {
        let (name, low, high) = published(game, bar);
        // A little beyond the budgets, and points beside each other, so that no error bar hides another.
        let ends = [varied[0] as f64 / 1.3, varied[varied.len() - 1] as f64 * 1.3];
        let band = ends.map(|nodes| (nodes, Estimate::new(0.5 * (low + high), low, high)));
        let middle = 0.5 * (READINGS[game].len() - 1) as f64;
        let mut curves = vec![Curve::new(name, Look::Area, band)];
        for (at, reading) in READINGS[game].iter().enumerate() {
            let beside = 1.06_f64.powf(at as f64 - middle);
            let matches = find(played, game, at, bar, Equal::Time).into_iter().rev();
            let points = matches.map(|found| (found.cell.nodes as f64 * beside, drawn(&found.score, 100.0)));
            curves.push(Curve::new(reading.name, Look::Marked, points));
        }
        let lines = Lines {
            x: Axis::new("nodes").log(),
            y: Axis::new("wins").unit("%").range(0.0, 100.0),
            curves,
            references: vec![Reference::new("", 100.0 * EVEN.middle())],
        };
        figure = figure.panel(bar.name(), Chart::Lines(lines));
    }
    figure
}
