//! *Monte Carlo \*-Minimax Search* explained: every row of its Table 1 and every bar of its Figure 2 under
//! the readings that its text allows.

mod claims;
mod estimators;
mod matches;
mod readings;
mod strength;
mod table;

use self::claims::Claim;
use self::matches::{EVEN, LOOK_LEVEL, Played, Rates, Side, find};
use self::readings::{Bar, Equal, READINGS, budgets, cells};
use super::players::{CANT_STOP, DOMAINS, RA};
use crate::bench::Patience;
use crate::text::{decimal, drawn};
use crate::{Bench, Experiment, Failed, Outcome, Scale, Table};
use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Lines, Look, Reference};
use astragal_stats::{LEVEL, wilson};

/// The experiment.
pub(crate) static EXPLAINED: Experiment = Experiment {
    id: "mcms-explained",
    title: "The paper's results under the readings that it allows",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), sections 4.3 and 4.4",
    takes: &[(Scale::Quick, 180), (Scale::Paper, 4500)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let rates = match bench.scale {
        // Equal nodes, so that the result is the same on every machine.
        Scale::Quick => None,
        _ => Some(Rates::measure(&mut bench.stage(0.0, 0.01))?),
    };
    let mut patience = Patience::default();
    let rows = patience.with(table::run(rates.as_ref(), &mut bench.stage(0.01, 0.2)))?;
    let (cells, scale) = (cells(bench.scale), bench.scale);
    let wanted = |played: &[Played]| claims::wanted(&strength::claims(played, scale));
    let played = patience.with(matches::play(&cells, rates.as_ref(), &mut bench.stage(0.2, 1.0), wanted))?;
    let (Some(rows), Some(played)) = (rows, played) else { return Err(Failed::Waits) };
    let claims = estimators::claims(&rows).into_iter().chain(strength::claims(&played, scale));
    let findings = claims.map(Claim::finding).collect();
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
        "Budgets are in nodes: every player has those that it visits in the time that exp takes for the nodes of the table, \
         by rates that were measured once on the machine and are written below, so they differ from one machine to the next. \
         The sampling players meet their classic counterparts once more with the same nodes.",
    );
    let (runs, positions) = rows.first().map_or((0, 0), |rows| (rows.runs, rows.positions()));
    format!(
        "The paper neither gives its evaluation functions nor says whether equal outcomes of the dice were merged, nor whether \
         sibling actions saw the same dice (asked in EWN only, where a sample is one or two throws). Each row of its Table 1 ({runs} \
         runs at each of {positions} positions, those that the players of the first reading met) and each bar of its Figure 2 \
         is measured here under these readings. One sentence speaks against single rolls and tiles, at least in MCTS: its \
         distributions were \"non-uniform in every case except EWN\", and those of single rolls are uniform. Where an outcome \
         is drawn several times it is searched once and counts as often, and cuts are those of the exact algorithms, not of the \
         listings. {budgets} A match is looked at after 16 pairs and after each doubling, and goes on as long as a claim that \
         rests on it is open, to 256 pairs at most in Pig and EWN and 64 in Can't Stop and Ra. Intervals of matches have the \
         level {:.0} %, so that those of all looks together have 95 %; those of Table 1 have 95 %. Scores are without the luck \
         of the dice. Under a reading a claim holds, does not hold, is level (no difference above five points) or open. It \
         *agrees*, *differs*, is *level* or *open* if all readings say so, *depends* if two readings give different answers, \
         which are named, and is *open* if some are open and all others say the same. Among so many verdicts a few are wrong by \
         chance: those that a second seed repeats are not.",
        100.0 * LOOK_LEVEL
    )
}

/// All matches.
fn bars(played: &[Played], rates: Option<&Rates>) -> Table {
    let mut table = Table::new(
        "bars",
        format!(
            "All matches: the score of the left player, without luck, with its {:.0} % interval.",
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
        let Played { cell, budgets, pairs, score, .. } = found;
        let mut row = vec![cell.domain().name.into(), cell.reading().name.into(), cell.bar.name(cell.game)];
        let is_time = cell.equal == Equal::Time && rates.is_some();
        row.push(if is_time { "time" } else { "nodes" }.into());
        row.extend(budgets.map(|nodes| nodes.to_string()));
        let times = rates.map(|rates| rates.milliseconds(found));
        row.extend(times.map_or([const { String::new() }; 2], |ms| ms.map(|ms| decimal(ms, 1))));
        row.push(pairs.len().to_string());
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
        "Nodes a millisecond on the machine of this run, in searches of 20000 nodes: the fastest of three, the median of 25 positions.",
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

/// The paper's score of a sampling player against its classic counterpart, in per cent: a label and a range.
fn published(game: usize, bar: Bar) -> (&'static str, f64, f64) {
    // In 2000 matches of two games.
    let eighty_five = wilson(3400.0, 4000.0, LEVEL);
    match (game, bar) {
        (CANT_STOP, bar) if bar == Bar::SAMPLING[2] => {
            ("published: 85.0 %", 100.0 * eighty_five.lo, 100.0 * eighty_five.hi)
        }
        (RA, _) => ("published: roughly 60 %", 55.0, 65.0),
        _ => ("published: above 50 %", 50.0, 100.0),
    }
}

/// The scores in a game over the budget.
fn figure(played: &[Played], game: usize, scale: Scale) -> Figure {
    let mut figure = Figure::new(format!("{} under each reading", DOMAINS[game].name));
    figure.subtitle =
        "Wins of the sampling player in percent, without luck, over the nodes of exp in the same time".into();
    figure.caption = format!("Intervals of {:.0} %.", 100.0 * LOOK_LEVEL);
    figure.columns = 3;
    figure.shared = true;
    figure.width = 960.0;
    let varied = budgets(game, scale).sampling;
    for bar in Bar::SAMPLING {
        let (name, low, high) = published(game, bar);
        // The band extends slightly beyond the budgets, and points are offset so that no error bar hides
        // another.
        let ends = [varied[0] as f64 / 1.3, varied[varied.len() - 1] as f64 * 1.3];
        let band = ends.map(|nodes| (nodes, Estimate::new(0.5 * (low + high), low, high)));
        let middle = 0.5 * (READINGS[game].len() - 1) as f64;
        let mut curves = vec![Curve::new(name, Look::Area, band)];
        for (at, reading) in READINGS[game].iter().enumerate() {
            let beside = 1.06_f64.powf(at as f64 - middle);
            let matches = find(played, game, at, bar, Equal::Time);
            let points = matches.map(|found| (found.cell.nodes as f64 * beside, drawn(&found.score, 100.0)));
            curves.push(Curve::new(reading.name, Look::Marked, points));
        }
        let lines = Lines {
            x: Axis::new("nodes").log(),
            y: Axis::new("wins").unit("%").range(0.0, 100.0),
            curves,
            references: vec![Reference::new("", 100.0 * EVEN.middle())],
        };
        figure = figure.panel(bar.name(game), Chart::Lines(lines));
    }
    figure
}
