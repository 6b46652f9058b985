//! The decisions of engines in trees whose best actions are known.

use crate::text::decimal;
use crate::{Bench, Failed, Table};
use astragal_arena::accuracy::{Accuracy, Decided, accuracy, lead};
use astragal_arena::work::Work;
use astragal_catalog::game;
use astragal_core::Budget;
use astragal_stats::{Estimate, LEVEL};
use serde::de::DeserializeOwned;

/// One engine's decisions in many trees of a kind.
pub(crate) struct Judged(pub(crate) Vec<Decided>);

impl Judged {
    pub(crate) fn share(&self) -> Estimate {
        accuracy(&self.0).expect("there are trees")
    }

    /// The difference in accuracy to another engine in the same trees.
    pub(crate) fn ahead(&self, other: &Self) -> Estimate {
        lead(&self.0, &other.0, LEVEL)
    }

    /// The mean number of nodes per decision.
    pub(crate) fn nodes(&self) -> f64 {
        self.0.iter().map(|one| one.nodes as f64).sum::<f64>() / self.0.len() as f64
    }
}

/// An engine, the trees in which it decides, and its budget: a tree search can be given as many simulations
/// as another engine visits nodes.
pub(crate) struct Setup {
    pub(crate) game: String,
    pub(crate) engine: String,
    budget: Budget,
    pace: Option<String>,
}

impl Setup {
    pub(crate) fn new(game: &str, engine: impl Into<String>) -> Self {
        Self { game: game.into(), engine: engine.into(), budget: Budget::default(), pace: None }
    }

    pub(crate) fn within(game: &str, engine: impl Into<String>, budget: Budget) -> Self {
        Self { budget, ..Self::new(game, engine) }
    }

    pub(crate) fn paced(game: &str, engine: impl Into<String>, pace: impl Into<String>) -> Self {
        Self { pace: Some(pace.into()), ..Self::new(game, engine) }
    }
}

/// Runs all setups on this many trees.
pub(crate) fn judge(setups: &[Setup], trees: u64, bench: &mut Bench<'_>) -> Result<Vec<Judged>, Failed> {
    let works = setups
        .iter()
        .map(|Setup { game: spec, engine, budget, pace }| {
            let rules = game(spec)?.into();
            Ok(match pace {
                Some(pace) => Accuracy::paced(rules, engine, pace, bench.seed)?,
                None => Accuracy::new(rules, engine, *budget, bench.seed)?,
            })
        })
        .collect::<Result<Vec<Accuracy>, Failed>>()?;
    let found = measure(&works, trees, bench, |at| setups[at].game.clone())?;
    Ok(found.into_iter().map(Judged).collect())
}

/// Runs this many units of each work and returns their results.
pub(crate) fn measure<W: Work, T: DeserializeOwned>(
    works: &[W],
    units: u64,
    bench: &mut Bench<'_>,
    name: impl Fn(usize) -> String,
) -> Result<Vec<Vec<T>>, Failed> {
    let all: Vec<(&dyn Work, u64)> = works.iter().map(|work| (work as &dyn Work, units)).collect();
    bench.units(&all, name)?;
    works.iter().map(|work| bench.results(work, units)).collect()
}

/// The accuracies as rows of a table.
pub(crate) fn table(setups: &[Setup], judged: &[Judged]) -> Table {
    let mut table = Table::new(
        "accuracy",
        "Right decisions at the root in per cent with their 95 % intervals, and nodes a decision. Engines with the same trees decide in the same ones.",
        &["trees", "engine", "right %", "low", "high", "nodes"],
    );
    for (setup, judged) in setups.iter().zip(judged) {
        let share = judged.share();
        let numbers = [share.mean, share.lo, share.hi].map(|x| decimal(100.0 * x, 1));
        let words = [setup.game.clone(), setup.engine.clone()].into_iter();
        table.rows.push(words.chain(numbers).chain([decimal(judged.nodes(), 0)]).collect());
    }
    table
}
