//! `astragal traps`: moves after which the opponent can force a win.

use super::find;
use crate::args::{CrewArgs, Limits, Place};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{DIM, columns, count, counted, picture, styled, turn};
use crate::progress::ProgressLine;
use astragal_arena::pgn;
use astragal_arena::survey::{Boards, Source, Survey, at_risk};
use astragal_arena::work::{Executor, Work};
use astragal_catalog::{Strategy, Trap, check_strategy, game};
use astragal_core::{Clock, Turn};
use astragal_stats::{LEVEL, wilson};
use astragal_store::{Crew, Store};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Find search traps: moves after which the opponent can force a win within a given number of decisions.
///
/// A trap of level k is a move after which the opponent can force a win within k decisions, counting both
/// sides; a position with such a move is at risk. Results are exact, and each winning strategy is verified by
/// the rules alone before it is shown. --self-play and --games count how many boards are at risk after given
/// numbers of decisions, over many games, with 95 % intervals.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The maximum level.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=200))]
    pub(crate) level: u32,
    /// Also print the winning strategies.
    #[arg(long)]
    pub(crate) proof: bool,
    /// Examine boards of games that this engine plays against itself.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["position", "games"])]
    pub(crate) self_play: Option<String>,
    /// Examine boards of the games in this file (PGN).
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) games: Option<PathBuf>,
    /// Number of self-play games.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "self_play", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) count: u64,
    /// The fraction of self-play moves chosen at random.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "self_play", value_parser = share)]
    pub(crate) random: f64,
    /// Number of random moves at the start of each self-play game.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "self_play")]
    pub(crate) opening: u32,
    /// Start each self-play game from a random initial position.
    #[arg(long, requires = "self_play")]
    pub(crate) deal: bool,
    /// The numbers of decisions after which to examine boards.
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', default_values_t = [15, 31, 47, 63])]
    pub(crate) plies: Vec<u32>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The seed of self-play.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses a fraction.
fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

pub(crate) fn traps(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, _) = find(&args.place)?;
    if game.has_chance() {
        let name = game.info().name;
        return Err(Failure::Message(format!(
            "traps are defined for games without chance, and {name} has chance"
        )));
    }
    if args.self_play.is_some() || args.games.is_some() { survey(args, out) } else { position(args, out) }
}

/// A strategy as JSON: an action of the winner, or an answer to each action of the opponent.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonStrategy<'a> {
    Won(&'static str),
    Do { action: &'a str, then: Box<Self> },
    Against(BTreeMap<&'a str, Self>),
}

impl<'a> From<&'a Strategy<String>> for JsonStrategy<'a> {
    fn from(strategy: &'a Strategy<String>) -> Self {
        match strategy {
            Strategy::Won => Self::Won("won"),
            Strategy::Do(action, then) => Self::Do { action, then: Box::new((&**then).into()) },
            Strategy::Against(answers) => {
                Self::Against(answers.iter().map(|(action, then)| (action.as_str(), then.into())).collect())
            }
        }
    }
}

#[derive(Serialize)]
struct JsonTrap<'a> {
    action: &'a str,
    level: u32,
    strategy: JsonStrategy<'a>,
}

#[derive(Serialize)]
struct JsonPosition<'a> {
    game: &'a str,
    position: String,
    level: u32,
    /// Whether it was interrupted, in which case nothing is known.
    partial: bool,
    at_risk: Option<bool>,
    actions: usize,
    traps: Vec<JsonTrap<'a>>,
}

/// Finds the traps of one position.
fn position(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, position) = find(&args.place)?;
    let interruptible = Interruptible::start();
    let found = position.traps(args.level, &mut Clock::until(interruptible.stop()));
    drop(interruptible);
    let told = |found: Option<&[Trap<String>]>| {
        let traps = found.unwrap_or_default().iter().map(|trap| JsonTrap {
            action: &trap.action,
            level: trap.level,
            strategy: (&trap.strategy).into(),
        });
        let object = JsonPosition {
            game: game.spec(),
            position: position.text(),
            level: args.level,
            partial: found.is_none(),
            at_risk: found.map(|found| !found.is_empty()),
            actions: position.actions().len(),
            traps: traps.collect(),
        };
        serde_json::to_string(&object).expect("text and numbers")
    };
    let Ok(found) = found else {
        if args.json {
            writeln!(out, "{}", told(None))?;
        } else {
            writeln!(out, "partial: interrupted before all moves were looked at to level {}", args.level)?;
        }
        return Err(Failure::Interrupted);
    };
    if let Turn::Decide(player) = position.turn() {
        for Trap { action, level, strategy } in &found {
            let after = position.act(action)?;
            check_strategy(strategy, &*after, player.other(), *level, game.range().middle())
                .map_err(|why| Failure::Message(format!("the strategy after {action} is wrong: {why}")))?;
        }
    }
    if args.json {
        writeln!(out, "{}", told(Some(&found)))?;
        return Ok(());
    }
    writeln!(out, "{}  {}", game.spec(), position.text())?;
    writeln!(out, "\n{}\n", picture(&position.picture()))?;
    writeln!(out, "{}", turn(position.turn(), game.range()))?;
    let (level, all) = (args.level, counted(position.actions().len() as u64, "move", "moves"));
    if found.is_empty() {
        writeln!(out, "no trap of level {level} or less among {all}")?;
        return Ok(());
    }
    writeln!(out, "at risk: {} of {all} lead into a trap of level {level} or less\n", found.len())?;
    let row = |trap: &Trap<String>| vec![trap.action.clone(), trap.level.to_string()];
    write!(out, "{}", columns(&["move", "level"], &[1], found.iter().map(row)))?;
    if args.proof {
        for trap in &found {
            writeln!(out, "\nafter {}:", trap.action)?;
            write_strategy(&trap.strategy, 1, out)?;
        }
    }
    writeln!(out, "{}", styled(DIM, "every strategy was checked by the rules alone"))?;
    Ok(())
}

/// Prints a strategy as an indented tree: the actions of the winner, after each action of the opponent.
fn write_strategy(strategy: &Strategy<String>, depth: usize, out: &mut dyn Write) -> Result<(), Failure> {
    let indent = "  ".repeat(depth);
    match strategy {
        Strategy::Won => writeln!(out, "{indent}won")?,
        Strategy::Do(action, then) => {
            writeln!(out, "{indent}{action}")?;
            write_strategy(then, depth + 1, out)?;
        }
        Strategy::Against(answers) => {
            for (action, then) in answers {
                writeln!(out, "{indent}{}", styled(DIM, &format!("if {action}")))?;
                write_strategy(then, depth + 1, out)?;
            }
        }
    }
    Ok(())
}

/// Boards after this many decisions, as JSON.
#[derive(Serialize)]
struct JsonPly {
    ply: u32,
    boards: u64,
    /// By level: how many boards have a trap of at most this level.
    at_risk: BTreeMap<u32, u64>,
}

#[derive(Serialize)]
struct JsonSurvey<'a> {
    game: &'a str,
    games: u64,
    /// Whether it was interrupted.
    partial: bool,
    plies: Vec<JsonPly>,
}

/// Reads the games of a PGN file.
pub(crate) fn games_of(path: &Path) -> Result<Vec<pgn::Game>, Failure> {
    let told = |why: std::io::Error| Failure::Message(format!("cannot read '{}': {why}", path.display()));
    let games = pgn::read(&String::from_utf8_lossy(&std::fs::read(path).map_err(told)?));
    if games.is_empty() {
        return Err(Failure::Message(format!("'{}' has no games", path.display())));
    }
    Ok(games)
}

/// Counts the boards at risk over many games.
fn survey(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let source = match (&args.self_play, &args.games) {
        (Some(engine), _) => {
            let (engine, budget) = (engine.clone(), args.limits.budget());
            Source::SelfPlay { engine, budget, random: args.random, opening: args.opening, deal: args.deal }
        }
        (None, Some(path)) => Source::Games(games_of(path)?),
        (None, None) => unreachable!("one of them was given"),
    };
    let rules: Arc<dyn astragal_catalog::AnyGame> = game(&args.place.game)?.into();
    let survey = Survey::new(Arc::clone(&rules), source, args.plies.clone(), args.level, args.seed)?;
    let all = survey.games().unwrap_or(args.count);
    let interruptible = Interruptible::start();
    if survey.games().is_some() {
        // An illegal move is reported before the work begins.
        for number in 0..all {
            survey.walk(number, &mut Clock::until(interruptible.stop()), &mut |_, _, _| true)?;
        }
    }
    let mut store = Store::memory();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    let mut line = ProgressLine::start();
    let mut done = 0;
    let complete = crew.run(&[(&survey as &dyn Work, all)], &mut |_| {
        done += 1;
        interruptible.has_results();
        line.show(|| format!("{} of {}", count(done), counted(all, "game", "games")));
        ControlFlow::Continue(())
    })?;
    drop(line);
    let games: Vec<Boards> = crew.results(&survey, all)?;
    drop(interruptible);
    let plies: Vec<JsonPly> =
        args.plies.iter().enumerate().map(|(at, &ply)| tally(at, ply, args.level, &games)).collect();
    if args.json {
        let object = JsonSurvey { game: rules.spec(), games: games.len() as u64, partial: !complete, plies };
        writeln!(out, "{}", serde_json::to_string(&object).expect("text and numbers"))?;
    } else {
        writeln!(out, "{}  {}", rules.spec(), counted(games.len() as u64, "game", "games"))?;
        writeln!(out, "\nBoards at risk, by the level of the shallowest trap, in % with 95 % intervals:\n")?;
        let levels: Vec<u32> = (0..=args.level)
            .filter(|level| {
                plies
                    .iter()
                    .any(|ply| ply.at_risk[level] > level.checked_sub(1).map_or(0, |less| ply.at_risk[&less]))
            })
            .collect();
        let heads: Vec<String> = levels.iter().map(|level| format!("level ≤ {level}")).collect();
        let header: Vec<&str> =
            ["ply", "boards"].into_iter().chain(heads.iter().map(String::as_str)).collect();
        let right: Vec<usize> = (0..header.len()).collect();
        let rows = plies.iter().map(|ply| {
            let cell = |level: &u32| {
                if ply.boards == 0 {
                    return "-".into();
                }
                let (risky, boards) = (ply.at_risk[level] as f64, ply.boards as f64);
                let interval = wilson(risky, boards, LEVEL);
                format!(
                    "{:.1} [{:.1}, {:.1}]",
                    100.0 * risky / boards,
                    100.0 * interval.lo,
                    100.0 * interval.hi
                )
            };
            [ply.ply.to_string(), count(ply.boards)].into_iter().chain(levels.iter().map(cell)).collect()
        });
        write!(out, "{}", columns(&header, &right, rows))?;
        if levels.is_empty() {
            writeln!(out, "no trap of level {} or less", args.level)?;
        }
        if !complete {
            let games = counted(all, "game", "games");
            writeln!(out, "partial: interrupted after {} of {games}", count(done))?;
        }
    }
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}

/// Counts the boards after this many decisions by level.
fn tally(at: usize, ply: u32, level: u32, games: &[Boards]) -> JsonPly {
    let risky = (0..=level).map(|level| (level, at_risk(games, at, level).1)).collect();
    JsonPly { ply, boards: at_risk(games, at, level).0, at_risk: risky }
}
