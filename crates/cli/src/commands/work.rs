//! `astragal work`: a share of a match, a tournament or experiments, for clusters.

use super::{reproduce, tournament};
use crate::failure::Failure;
use astragal_lab::experiments::{Failed, Setting};
use astragal_lab::plan::{Experiments, Plan};
use astragal_lab::run::Shard;
use astragal_lab::store::Store;
use astragal_lab::tournament::{End, Kind, Tournament};
use std::io::Write;
use std::path::Path;

/// Does a share of what a plan asks for. The answer is no if it was interrupted.
pub(crate) fn work(
    plan: &Path,
    shard: Shard,
    store: &Path,
    workers: usize,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let plan = tournament::read(plan)?;
    let mut store = Store::open(store)?;
    let share = format!("shard {}/{}", shard.index + 1, shard.count);
    match &plan {
        Plan::Tournament(plan) => matches(plan, shard, &share, &mut store, workers, out),
        Plan::Experiments(plan) => experiments(plan, shard, &share, &mut store, workers, out),
    }
}

fn matches(
    plan: &Tournament,
    shard: Shard,
    share: &str,
    store: &mut Store,
    workers: usize,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    match tournament::run(plan, store, workers, shard)? {
        End::Stopped => {
            writeln!(out, "{share}: stopped; the same command goes on")?;
            return Ok(false);
        }
        End::Complete => writeln!(out, "{share}: done; the store holds the whole tournament")?,
        End::Waits(round) if plan.kind == Kind::Elimination => {
            let words = "merge the stores and start the shards again";
            writeln!(out, "{share}: done as far as round {round}; {words}")?;
        }
        End::Waits(_) => writeln!(out, "{share}: done; merge the stores for the tables")?,
    }
    Ok(true)
}

fn experiments(
    plan: &Experiments,
    shard: Shard,
    share: &str,
    store: &mut Store,
    workers: usize,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let setting = Setting { shard, ..Setting::new(plan.scale, plan.seed, workers) };
    for experiment in &plan.chosen {
        let id = experiment.id();
        match reproduce::attend(*experiment, &setting, store) {
            Ok(_) => {
                let (scale, seed) = (plan.scale.name(), plan.seed);
                let command = format!("astragal reproduce {id} --scale {scale} --seed {seed} --out DIR");
                writeln!(
                    out,
                    "{share}: {id}: the store holds all of it; with it as DIR/{}, `{command}` writes the report",
                    reproduce::STORE
                )?;
            }
            Err(Failed::Waits) => {
                let words =
                    "done as far as the other shards allow; merge the stores and start the shards again";
                writeln!(out, "{share}: {id}: {words}")?;
            }
            Err(Failed::Cancelled) => {
                writeln!(out, "{share}: {id}: stopped; the same command goes on")?;
                return Ok(false);
            }
            Err(why) => return Err(Failure::Message(format!("{id}: {why}"))),
        }
        out.flush()?;
    }
    Ok(true)
}
