//! The commands, with the arguments and behaviour of each.

pub(crate) mod accuracy;
pub(crate) mod analyze;
pub(crate) mod bandit;
pub(crate) mod calibrate;
pub(crate) mod list;
pub(crate) mod matches;
pub(crate) mod play;
pub(crate) mod regret;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod results;
pub(crate) mod review;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod traps;
pub(crate) mod tree;
pub(crate) mod tune;
pub(crate) mod uci;
pub(crate) mod work;

use crate::args::{Args, Command, Place};
use crate::bench;
use crate::failure::Failure;
use astragal_catalog::{AnyGame, Position, Spec, SpecError, engine_info, game};
use clap::CommandFactory;
use std::io::Write;

/// Runs a command, and returns whether the answer is yes.
pub(crate) fn run(command: Command, out: &mut dyn Write) -> Result<bool, Failure> {
    match command {
        Command::Games { name } => list::games(name.as_deref(), out)?,
        Command::Rules { game } => list::rules(&game, out)?,
        Command::Engines { name } => list::engines(name.as_deref(), out)?,
        Command::Show { place } => show::show(&place, out)?,
        Command::Analyze(args) => analyze::analyze(&args, out)?,
        Command::Bandit(args) => bandit::bandit(&args, out)?,
        Command::Perft(args) => show::perft(&args, out)?,
        Command::Play(args) => play::play(&args, out)?,
        Command::Solve(args) => return solve::solve(&args, out),
        Command::Bench(args) => return bench::bench(&args, out),
        Command::Match(args) => matches::play(&args, out)?,
        Command::Accuracy(args) => accuracy::measure(&args, out)?,
        Command::Calibrate(args) => calibrate::calibrate(&args, out)?,
        Command::Traps(args) => traps::traps(&args, out)?,
        Command::Uci(args) => uci::serve(&args)?,
        Command::Regret(args) => regret::regret(&args, out)?,
        Command::Replay(args) => return replay::replay(&args, out),
        Command::Tournament(args) => return tournament::tournament(&args, out),
        Command::Tune(args) => return tune::tune(&args, out),
        Command::Work(args) => work::work(&args, out)?,
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "astragal", &mut script);
            out.write_all(&script)?;
        }
        Command::Results(args) => results::results(&args, out)?,
        Command::Merge(args) => return results::merge(&args, out),
        Command::Reproduce(args) => reproduce::reproduce(&args, out)?,
    }
    Ok(true)
}

/// A game and one of its positions.
type Found = (Box<dyn AnyGame>, Box<dyn Position>);

/// Builds the requested game and position.
fn find(place: &Place) -> Result<Found, Failure> {
    let game = game(&place.game)?;
    let position = match &place.position {
        Some(text) => game.read(text)?,
        None => game.start(),
    };
    Ok((game, position))
}

/// The error for an external engine that gave no legal move in time.
fn no_answer(engine: &str) -> Failure {
    Failure::Message(format!("'{engine}' gave no legal move in time"))
}

/// The default engine for playing and for hints.
const STRONGEST: &str = "strongest";

/// Extends an engine spec so that every action gets its exact value, where the engine can do so. The
/// strongest engine is replaced by the one it stands for in this game.
fn with_all_lines(game: &dyn AnyGame, spec: &str) -> Result<String, SpecError> {
    let mut spec = Spec::parse(spec)?;
    if spec.name == STRONGEST {
        spec = Spec::parse(game.engine(&spec.to_string())?.spec())?;
    }
    if engine_info(&spec.name)?.params.iter().any(|param| param.name == "all_lines") {
        spec.args.retain(|(name, _)| name != "all_lines");
        spec.args.push(("all_lines".into(), "on".into()));
    }
    Ok(spec.to_string())
}
