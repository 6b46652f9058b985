//! `astragal work`: one shard of a match, a tournament or experiments, for clusters.

use super::{reproduce, tournament};
use crate::args::CrewArgs;
use crate::failure::Failure;
use astragal_arena::tournament::{End, Kind, Tournament};
use astragal_papers::{Experiments, Failed, Plan};
use astragal_store::{Shard, Store};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Run one shard of a match, a tournament or experiments and keep the results in a store, for clusters.
///
/// Shards are the same on every machine and can be rerun: results already in a store are not computed again,
/// and `merge` combines stores. In an elimination tournament each round needs the results of the previous
/// one, and so do experiments with several stages: merge the stores, and rerun the shards with the merged
/// store until a shard reports that everything is done.
///
/// A plan is a TOML file: game, kind (match, round-robin, gauntlet, elimination), engines, pairs, budget
/// = { nodes = N }, seed; or experiments = ["mcms-fig2"], scale = "full", seed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The plan file.
    pub(crate) plan: PathBuf,
    /// Which shard, out of how many: 1/4 is the first of four.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Shard,
    /// The results store.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Print a JSON object for each match, tournament or experiment; its state is complete, waits or
    /// stopped.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses a shard such as `1/4`.
fn shard(text: &str) -> Result<Shard, String> {
    let form = || "expected a shard such as 1/4, from 1/4 to 4/4".to_string();
    let (index, count) = text.split_once('/').ok_or_else(form)?;
    let (index, count): (u64, u64) =
        (index.trim().parse().map_err(|_| form())?, count.trim().parse().map_err(|_| form())?);
    if count > Shard::MOST {
        return Err(format!("at most {} shards", Shard::MOST));
    }
    if (1..=count).contains(&index) { Ok(Shard { index: index - 1, count }) } else { Err(form()) }
}

/// The state of a shard.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// The store holds the results of all shards.
    Complete,
    /// The shard is done as far as possible without the results of others.
    Waits,
    /// It was interrupted.
    Stopped,
}

/// The result as JSON.
#[derive(Serialize)]
struct Object<'a> {
    shard: String,
    what: &'a str,
    state: State,
    /// Whether it was interrupted.
    partial: bool,
}

/// The message for an interrupted shard.
const STOPPED: &str = "partial: interrupted; what was finished is in the store: repeat the command to resume";

/// Reports results as text or JSON.
struct Voice<'a> {
    shard: String,
    json: bool,
    out: &'a mut dyn Write,
}

impl Voice<'_> {
    fn say(&mut self, what: &str, state: State, words: &str) -> Result<(), Failure> {
        if self.json {
            let partial = state == State::Stopped;
            let object = Object { shard: self.shard.clone(), what, state, partial };
            writeln!(self.out, "{}", serde_json::to_string(&object).expect("text"))?;
        } else {
            writeln!(self.out, "shard {}: {what}: {words}", self.shard)?;
        }
        self.out.flush()?;
        if state == State::Stopped { Err(Failure::Interrupted) } else { Ok(()) }
    }
}

/// Runs one shard of a plan.
pub(crate) fn work(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let Args { ref plan, shard, ref store, json, .. } = *args;
    let workers = args.crew.workers();
    let plan = tournament::read(plan)?;
    let mut store = Store::open(store)?;
    let mut voice = Voice { shard: format!("{}/{}", shard.index + 1, shard.count), json, out };
    match &plan {
        Plan::Tournament(plan) => matches(plan, shard, &mut store, workers, &mut voice),
        Plan::Experiments(plan) => experiments(plan, shard, &mut store, workers, &mut voice),
    }
}

fn matches(
    plan: &Tournament,
    shard: Shard,
    store: &mut Store,
    workers: usize,
    voice: &mut Voice<'_>,
) -> Result<(), Failure> {
    let what = if plan.kind == Kind::Match { "match" } else { "tournament" };
    let (state, words) = match tournament::run(plan, store, workers, shard)?.0 {
        End::Stopped => (State::Stopped, STOPPED.into()),
        End::Complete => (State::Complete, "done; the store holds all of it".into()),
        End::Waits(round) if plan.kind == Kind::Elimination => {
            let words = format!("done as far as round {round}; merge the stores and start the shards again");
            (State::Waits, words)
        }
        End::Waits(_) => (State::Waits, "done; merge the stores for the tables".into()),
    };
    voice.say(what, state, &words)
}

fn experiments(
    plan: &Experiments,
    shard: Shard,
    store: &mut Store,
    workers: usize,
    voice: &mut Voice<'_>,
) -> Result<(), Failure> {
    for experiment in &plan.chosen {
        let id = experiment.id;
        let (state, words) =
            match reproduce::attend(experiment, plan.scale, plan.seed, Vec::new(), workers, shard, store) {
                Ok(_) => {
                    let (scale, seed, store) = (plan.scale.name(), plan.seed, reproduce::STORE);
                    let command = format!("astragal reproduce {id} --scale {scale} --seed {seed} --out DIR");
                    let words = "the store holds all of it";
                    (
                        State::Complete,
                        format!("{words}; with it as DIR/{store}, `{command}` writes the report"),
                    )
                }
                Err(Failed::Waits) => {
                    let words =
                        "done as far as the other shards allow; merge the stores and start the shards again";
                    (State::Waits, words.into())
                }
                Err(Failed::Cancelled) => (State::Stopped, STOPPED.into()),
                Err(why) => return Err(Failure::Message(format!("{id}: {why}"))),
            };
        voice.say(id, state, &words)?;
    }
    Ok(())
}
