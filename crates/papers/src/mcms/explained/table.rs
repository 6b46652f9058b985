//! Table 1 under every reading of Pig.

use super::matches::{Rates, two_digits};
use super::readings::{Player, READINGS};
use crate::estimators::{Cell, Estimates, Row, estimate, observed, truths};
use crate::mcms::players::{DOMAINS, QUICK_NODES};
use crate::mcms::table1::{self, PUBLISHED, more, players};
use crate::text::{decimal, interval};
use crate::{Bench, Failed, Table};
use astragal_catalog::game;
use astragal_core::Budget;
use astragal_plot::Figure;
use astragal_stats::{Estimate, LEVEL, Running};

/// The table under a reading.
pub(super) struct Rows {
    pub(super) reading: &'static str,
    pub(super) runs: u32,
    /// By algorithm and position.
    pub(super) cells: Vec<Vec<Cell>>,
}

impl Rows {
    pub(super) fn positions(&self) -> usize {
        self.cells[0].len()
    }

    /// The difference in a quantity between two algorithms, position by position.
    pub(super) fn more(&self, this: usize, that: usize, of: &dyn Fn(&Cell) -> f64) -> Estimate {
        more(&self.cells[this], &self.cells[that], of, LEVEL)
    }

    /// The difference between a quantity of one algorithm and twice that of another.
    pub(super) fn twice(&self, this: usize, that: usize, of: &dyn Fn(&Cell) -> f64) -> Estimate {
        let pairs = self.cells[this].iter().zip(&self.cells[that]);
        pairs.map(|(this, that)| of(this) - 2.0 * of(that)).collect::<Running>().estimate(LEVEL)
    }

    /// The mean over all positions, with its interval.
    pub(super) fn estimate(&self, this: usize, of: &dyn Fn(&Cell) -> f64) -> Estimate {
        self.cells[this].iter().map(of).collect::<Running>().estimate(LEVEL)
    }
}

/// The node budget of the \*-Minimax players.
pub(super) fn nodes(bench: &Bench<'_>) -> u64 {
    bench.scale.pick(QUICK_NODES, 20_000)
}

/// Runs all algorithms under all readings at the same positions.
pub(super) fn run(rates: Option<&Rates>, bench: &mut Bench<'_>) -> Result<Vec<Rows>, Failed> {
    let (count, runs) = bench.scale.pick((40, 6), (800, 20));
    let (nodes, seed) = (nodes(bench), bench.seed);
    let pig = &DOMAINS[0];
    let budget = Budget::nodes(QUICK_NODES);
    let seen = observed(pig.spec, &players(), budget, count, &mut bench.stage(0.0, 0.05))?;
    let states = truths(&*game(pig.spec)?, seen, bench.stop())?;
    let mut games = Vec::new();
    for reading in READINGS[0] {
        games.push(game(reading.game)?);
    }
    let mut works = Vec::new();
    for (at, (reading, game)) in READINGS[0].iter().zip(&games).enumerate() {
        for (row, player) in Player::ALL.into_iter().enumerate() {
            // The nodes that each player visits in the time that exp takes for its own.
            let nodes = rates.map_or(nodes, |rates| {
                let rates = rates.of(0, at);
                two_digits(nodes as f64 * rates[row] / rates[2])
            });
            let (engine, budget) = (player.spec(pig, reading), Budget::nodes(nodes));
            works.push(Estimates { game: &**game, engine, budget, runs, seed, states: &states });
        }
    }
    let mut cells = estimate(&works, &mut bench.stage(0.05, 1.0))?.into_iter();
    let rows = READINGS[0].iter().map(|reading| {
        let cells = cells.by_ref().take(Player::ALL.len()).collect();
        Rows { reading: reading.name, runs, cells }
    });
    Ok(rows.collect())
}

/// The largest factor between a measured value and a published one that is near.
const NEAR: f64 = 1.25;

/// The columns of the paper under each reading.
pub(super) fn table(all: &[Rows]) -> Table {
    let mut table = Table::new(
        "table1",
        "Table 1 under each reading: means over all positions. At the right the columns in which the paper's value is near ours, within a quarter.",
        &[
            "reading",
            "algorithm",
            "MSE",
            "variance",
            "bias",
            "regret",
            "MSE (paper)",
            "variance (paper)",
            "bias (paper)",
            "regret (paper)",
            "near",
        ],
    );
    for rows in all {
        for (cells, (name, paper)) in rows.cells.iter().zip(PUBLISHED) {
            let row = Row::new(cells);
            let found = [row.mse.mean, row.variance.mean, row.bias, row.regret.mean];
            let columns = ["MSE", "variance", "bias", "regret"].into_iter().zip(found.iter().zip(paper));
            let near: Vec<&str> = columns
                .filter(|(_, (ours, paper))| **ours <= paper * NEAR && **ours * NEAR >= *paper)
                .map(|(column, _)| column)
                .collect();
            let mut line = vec![rows.reading.to_string(), name.to_string()];
            line.extend([interval(&row.mse, 1), interval(&row.variance, 2), decimal(row.bias, 2)]);
            line.push(interval(&row.regret, 2));
            line.extend(paper.map(|x| x.to_string()));
            line.push(near.join(", "));
            table.rows.push(line);
        }
    }
    table
}

/// The columns as a figure.
pub(super) fn figure(all: &[Rows]) -> Figure {
    let subtitle = "Means over positions of Pig, with 95 % intervals".into();
    let rows: Vec<(&str, Vec<Row>)> = all
        .iter()
        .map(|rows| (rows.reading, rows.cells.iter().map(|cells| Row::new(cells)).collect()))
        .collect();
    table1::figure("Table 1 under six readings", subtitle, &rows)
}
