//! What the commands mean and do.

mod analyze;
mod bandit;
mod list;
mod matches;
mod play;
mod replay;
mod reproduce;
mod results;
mod review;
mod show;
mod solve;
mod tournament;
mod tree;
mod tune;
mod work;

use crate::args::{Args, Command, Place, Size};
use crate::bench;
use crate::failure::Failure;
use astragal_catalog::{AnyGame, Engine, Position, game};
use astragal_core::{Budget, Limit};
use astragal_papers::Scale;
use astragal_store::Filter;
use clap::CommandFactory;
use reproduce::Request;
use std::io::Write;
use std::time::Duration;
use tree::TreeFile;

/// Carries out a command, and says whether the answer is yes.
pub(crate) fn run(command: Command, out: &mut dyn Write) -> Result<bool, Failure> {
    match command {
        Command::Games { name } => list::games(name.as_deref(), out)?,
        Command::Engines { name } => list::engines(name.as_deref(), out)?,
        Command::Show { place } => show::show(&place, out)?,
        Command::Analyze { place, engine, limits, seed, json, tree, tree_depth, tree_visits } => {
            let tree = tree.as_deref().map(|file| TreeFile { file, depth: tree_depth, visits: tree_visits });
            analyze::analyze(&place, &engine, limits.budget(), seed, json, tree.as_ref(), out)?;
        }
        Command::Bandit { arms, pulls, runs, seed, json } => {
            bandit::bandit(&arms, pulls, runs, seed, json, out)?;
        }
        Command::Perft { place, depth, resolve, json } => show::perft(&place, depth, resolve, json, out)?,
        Command::Play { place, p1, p2, limits, seed, dice, record } => {
            let wanted = play::Wanted {
                place: &place,
                who: [&p1, &p2],
                budget: limits.budget(),
                seed,
                dice,
                record: record.as_deref(),
            };
            play::play(&wanted, out)?;
        }
        Command::Solve { place, out: file, states, json } => {
            return solve::solve(&place, file.as_deref(), states, json, out);
        }
        Command::Bench { rounds, tree_rounds, simulations, tree_time, max_ratio, max_harness, json } => {
            let size = tree_time.map_or(bench::Growth::Simulations(simulations), bench::Growth::Time);
            let report = bench::measure(rounds, tree_rounds, size);
            if json {
                writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
            } else {
                write!(out, "{report}")?;
            }
            if report.is_partial() {
                return Err(Failure::Interrupted);
            }
            let within = |found: Option<f64>, most: Option<f64>| match (found, most) {
                (Some(found), Some(most)) => found <= most,
                _ => true,
            };
            let harness = report.harness().map(|share| 100.0 * share);
            return Ok(within(harness, max_harness) && within(report.ratio(), max_ratio));
        }
        Command::Match {
            place,
            first,
            second,
            pairs,
            limits,
            first_budget,
            second_budget,
            seed,
            opening,
            crew,
            sprt,
            normalised,
            record,
            store,
            json,
        } => {
            let wanted = matches::Wanted {
                place: &place,
                engines: [&first, &second],
                pairs,
                budget: limits.budget(),
                own: [first_budget, second_budget],
                seed,
                opening,
                workers: crew.workers(),
                sprt,
                normalised,
                record: record.as_deref(),
                store: store.as_deref(),
                json,
            };
            matches::play(&wanted, out)?;
        }
        Command::Replay { file, game, again, quiet, analyze, limits } => {
            let analyze = analyze.as_deref().map(|spec| (spec, limits.budget()));
            return replay::replay(&replay::Wanted { file: &file, game, again, quiet, analyze }, out);
        }
        Command::Tournament { plan, store, crew, json } => {
            return tournament::tournament(&plan, store.as_deref(), crew.workers(), json, out);
        }
        Command::Tune {
            game,
            engine,
            against,
            method,
            candidates,
            steps,
            pairs,
            confirm,
            limits,
            seed,
            crew,
            store,
        } => {
            let wanted = tune::Wanted {
                game: &game,
                engine: &engine,
                against: against.as_deref(),
                method,
                candidates,
                steps,
                pairs,
                confirm,
                budget: limits.budget(),
                seed,
                workers: crew.workers(),
                store: store.as_deref(),
            };
            return tune::tune(&wanted, out);
        }
        Command::Work { plan, shard, store, crew, json } => {
            work::work(&plan, shard, &store, crew.workers(), json, out)?;
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "astragal", &mut script);
            out.write_all(&script)?;
        }
        Command::Results { store, kind, containing, csv, json, standings } => {
            let form = match (csv, json) {
                (true, _) => results::Form::Csv,
                (_, true) => results::Form::Json,
                _ => results::Form::Table,
            };
            let filter = Filter { kind, containing };
            if standings {
                results::standings(&store, &filter, form, out)?;
            } else {
                results::results(&store, &filter, form, out)?;
            }
        }
        Command::Merge { stores, into } => return results::merge(&stores, &into, out),
        Command::Reproduce { list: true, .. } => reproduce::list(out)?,
        Command::Reproduce { ids, scale, out: dir, seed, jobs, fresh, .. } => {
            let scale = match scale {
                Size::Quick => Scale::Quick,
                Size::Full => Scale::Full,
            };
            let jobs = jobs.map(usize::from);
            reproduce::reproduce(&Request { ids: &ids, scale, dir: &dir, seed, jobs, fresh }, out)?;
        }
    }
    Ok(true)
}

/// A game and a position of it.
type Found = (Box<dyn AnyGame>, Box<dyn Position>);

/// The game and the position that were asked for.
fn find(place: &Place) -> Result<Found, Failure> {
    let game = game(&place.game)?;
    let position = match &place.position {
        Some(text) => game.read(text)?,
        None => game.start(),
    };
    Ok((game, position))
}

/// The budget for an engine: what was given, or this long if nothing limits the search.
fn budget_for(engine: &dyn Engine, given: Budget, otherwise: Duration) -> Result<Budget, Failure> {
    engine.info().check_budget(&given)?;
    let deepens = engine.info().params.iter().find(|param| param.name == "depth");
    let unlimited = deepens.is_some_and(|depth| {
        let default = format!("depth={}", depth.default.unwrap_or_default());
        engine.spec().split(['(', ',', ')']).any(|part| part == default)
    });
    // A search by simulations never ends by itself.
    let simulates = engine.info().budgets.contains(&Limit::Iterations);
    Ok(if given.is_unlimited() && (unlimited || simulates) {
        Budget { time: Some(otherwise), ..given }
    } else {
        given
    })
}
