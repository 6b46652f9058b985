//! `astragal work`: a share of a match, a tournament or experiments, for clusters.

use super::{reproduce, tournament};
use crate::failure::Failure;
use astragal_arena::tournament::{End, Kind, Tournament};
use astragal_papers::{Experiments, Failed, Plan};
use astragal_store::{Shard, Store};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// How far a share has come.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// The store holds everything, of all shares.
    Complete,
    /// The share is done as far as it can be without the results of others.
    Waits,
    /// It was interrupted.
    Stopped,
}

/// The result for programs.
#[derive(Serialize)]
struct Object<'a> {
    shard: String,
    what: &'a str,
    state: State,
    /// Whether it was interrupted.
    partial: bool,
}

/// What is said of an interrupted share.
const STOPPED: &str = "partial: interrupted; what was finished is in the store: the same command goes on";

/// Where the result goes.
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

/// Does a share of what a plan asks for.
pub(crate) fn work(
    plan: &Path,
    shard: Shard,
    store: &Path,
    workers: usize,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
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
        let (state, words) = match reproduce::attend(experiment, plan.scale, plan.seed, workers, shard, store)
        {
            Ok(_) => {
                let (scale, seed, store) = (plan.scale.name(), plan.seed, reproduce::STORE);
                let command = format!("astragal reproduce {id} --scale {scale} --seed {seed} --out DIR");
                let words = "the store holds all of it";
                (State::Complete, format!("{words}; with it as DIR/{store}, `{command}` writes the report"))
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
