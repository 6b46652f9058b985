//! Engines as estimators: each runs many times at positions whose exact values are known, and its error is
//! split into variance and bias.
//!
//! Over the runs at one position, MSE = variance + bias². The regret is the exact value lost by the chosen
//! action. Positions come from games between players, exact values from a solution of the game.

use crate::bench::{Batch, FORM, Until};
use crate::{Bench, Failed};
use astragal_arena::contest::Contest;
use astragal_arena::play::{Decision, Event};
use astragal_arena::revision::hash;
use astragal_arena::terms::Terms;
use astragal_arena::work::{Aside, Work, Worker};
use astragal_catalog::{AnyGame, Engine, Position, game};
use astragal_core::{Budget, Player, Sampler, Turn, Watch};
use astragal_solve::{SolveOptions, Unsolved};
use astragal_stats::{Estimate, LEVEL, Running};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;

/// A position with its exact value and those of its actions, for player 1.
pub(crate) struct Truth {
    text: String,
    player: Player,
    value: f64,
    actions: HashMap<String, f64>,
}

/// One algorithm at every position.
pub(crate) struct Estimates<'a> {
    /// The game.
    pub(crate) game: &'a dyn AnyGame,
    /// The spec of the engine.
    pub(crate) engine: String,
    /// The budget of a run.
    pub(crate) budget: Budget,
    /// Runs at each position.
    pub(crate) runs: u32,
    /// The seed from which the runs' seeds are drawn. Engines with the same seed get the same ones.
    pub(crate) seed: u64,
    /// The positions.
    pub(crate) states: &'a [Truth],
}

/// What identifies the work.
#[derive(Serialize)]
struct Identity<'a> {
    game: &'a str,
    engine: &'a str,
    budget: String,
    runs: u32,
    states: usize,
    /// Identifies the positions.
    digest: u64,
    seed: u64,
    form: u32,
}

/// The results of all runs at one position. The variance is that of these runs, not an estimate for further
/// ones.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Cell {
    state: String,
    exact: f64,
    mean: f64,
    /// The mean squared error.
    pub(crate) mse: f64,
    /// The variance of the values.
    pub(crate) variance: f64,
    /// The mean loss of the chosen action.
    pub(crate) regret: f64,
    /// The mean completed depth.
    pub(crate) depth: f64,
}

impl Cell {
    /// The mean error.
    pub(crate) fn bias(&self) -> f64 {
        self.mean - self.exact
    }

    /// The squared bias, less the contribution of the variance of this many runs.
    pub(crate) fn squared_bias(&self, runs: u32) -> f64 {
        self.bias() * self.bias() - self.variance / f64::from(runs - 1)
    }
}

/// A hash of the positions.
fn digest(states: &[Truth]) -> u64 {
    hash(&states.iter().map(|truth| format!("{}\0", truth.text)).collect::<String>())
}

impl Work for Estimates<'_> {
    fn kind(&self) -> &'static str {
        "estimate"
    }

    fn text(&self) -> String {
        // The full spec, so that a different default is a different engine.
        let engine = self.game.engine(&self.engine).expect("a player of the paper");
        let identity = Identity {
            game: self.game.spec(),
            engine: engine.spec(),
            budget: self.budget.to_string(),
            runs: self.runs,
            states: self.states.len(),
            digest: digest(self.states),
            seed: self.seed,
            form: FORM,
        };
        serde_json::to_string(&identity).expect("text and numbers")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Estimator {
            work: self,
            engine: self.game.engine(&self.engine).expect("a player of the paper"),
        })
    }
}

struct Estimator<'a> {
    work: &'a Estimates<'a>,
    engine: Box<dyn Engine>,
}

impl Worker for Estimator<'_> {
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let truth = &self.work.states[number as usize];
        let position = self.work.game.read(&truth.text).expect("a position that was seen");
        let mut values = Vec::new();
        let (mut regret, mut depth) = (Running::new(), Running::new());
        for run in 0..self.work.runs {
            let seed = Sampler::new(self.work.seed).draw(number, 1, run);
            let mut clock = Decision::start(watch);
            let analysis = self.engine.analyze(&*position, seed, &self.work.budget, &mut clock);
            if watch.cancelled() {
                return None;
            }
            values.push(analysis.value);
            depth.add(f64::from(analysis.depth));
            let chosen = truth.actions[analysis.best.as_ref().expect("a player decides")];
            regret.add(truth.player.sign() * (truth.value - chosen));
        }
        let cell = cell(truth, &values, regret.mean(), depth.mean());
        Some((serde_json::to_string(&cell).expect("text and numbers"), Box::new(())))
    }
}

/// Splits the error of some values into variance and bias.
fn cell(truth: &Truth, values: &[f64], regret: f64, depth: f64) -> Cell {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square =
        |around: f64| values.iter().map(|value| (value - around) * (value - around)).sum::<f64>() / count;
    Cell {
        state: truth.text.clone(),
        exact: truth.value,
        mean,
        mse: square(truth.value),
        variance: square(mean),
        regret,
        depth,
    }
}

/// The maximum number of positions from one pair of games: positions of one game are too similar to count as
/// independent.
const POSITIONS_OF_A_PAIR: usize = 4;

/// `count` different positions that occur in games between the players, each game with its own dice.
pub(crate) fn observed(
    game: &str,
    players: &[String],
    budget: Budget,
    count: usize,
    bench: &mut Bench<'_>,
) -> Result<Vec<String>, Failed> {
    let pairings: Vec<[&String; 2]> = players
        .iter()
        .enumerate()
        .flat_map(|(at, first)| players[at..].iter().map(move |second| [first, second]))
        .collect();
    let seed = bench.seed;
    let rounds = count.div_ceil(POSITIONS_OF_A_PAIR * pairings.len());
    let job = |index: usize, watch: &mut dyn Watch| {
        let engines = pairings[index % pairings.len()].map(String::as_str);
        let contest = Contest::new(game, None, engines, budget, Terms::default(), seed)?;
        let games = contest.play(index as u64, watch).ok_or(Failed::Cancelled)?;
        let mut seen = BTreeSet::new();
        for played in &games {
            let mut position = contest.game().start();
            for event in &played.events {
                if let Turn::Decide(_) = position.turn() {
                    seen.insert(position.text());
                }
                let next = match event {
                    Event::Outcome { text } => position.resolve(text),
                    Event::Action { text, .. } => position.act(text),
                };
                position = next.expect("an event of this game");
            }
        }
        Ok(seen)
    };
    let full = |player: &String| {
        Ok(Contest::new(game, None, [player, player], budget, Terms::default(), 0)?.engines()[0].clone())
    };
    let names = players.iter().map(full).collect::<Result<Vec<String>, Failed>>()?;
    let part = format!("{game}, {}, dice of their own: {}", budget, names.join(" "));
    let batch = Batch { experiment: "positions", part: &part, count: rounds * pairings.len() };
    let all: Vec<BTreeSet<String>> = bench.each(batch, "games between the players", job)?;
    check_decisions(game, &all, bench)?;
    // Evenly spaced among all positions seen.
    let seen: Vec<String> = all.into_iter().flatten().collect::<BTreeSet<String>>().into_iter().collect();
    let count = count.min(seen.len());
    Ok((0..count).map(|at| seen[at * seen.len() / count].clone()).collect())
}

/// Rejects positions from a damaged store: only decisions of the game have a truth to compare with.
fn check_decisions(spec: &str, all: &[BTreeSet<String>], bench: &mut Bench<'_>) -> Result<(), Failed> {
    let game = game(spec).map_err(|error| Failed::Message(error.to_string()))?;
    for (unit, text) in
        all.iter().enumerate().flat_map(|(unit, seen)| seen.iter().map(move |text| (unit, text)))
    {
        let why = match game.read(text) {
            Ok(position) if matches!(position.turn(), Turn::Decide(_)) => continue,
            Ok(_) => format!("no player is to act in '{}'", text.escape_debug()),
            Err(error) => error.to_string(),
        };
        let store = bench.store().path().display();
        return Err(Failed::Message(format!(
            "results store '{store}', positions of {spec}, unit {unit}: {why}"
        )));
    }
    Ok(())
}

/// Solves the game and returns the exact values of these positions.
pub(crate) fn truths(
    game: &dyn AnyGame,
    states: Vec<String>,
    stop: &AtomicBool,
) -> Result<Vec<Truth>, Failed> {
    let solution =
        game.solve(&*game.start(), &SolveOptions::default(), &mut Until(stop)).map_err(|why| match why {
            Unsolved::Cancelled => Failed::Cancelled,
            why => Failed::Message(format!("{}: {why}", game.spec())),
        })?;
    let exact = |position: &dyn Position| position.value_in(&solution).expect("a position that was seen");
    let truth = |text: String| {
        let position = game.read(&text).expect("a position that was seen");
        let Turn::Decide(player) = position.turn() else { unreachable!("only decisions were kept") };
        let after = |action: &str| position.act(action).expect("a legal action");
        let actions =
            position.actions().into_iter().map(|action| (action.clone(), exact(&*after(&action)))).collect();
        Truth { value: exact(&*position), text, player, actions }
    };
    Ok(states.into_iter().map(truth).collect())
}

/// Runs all engines at the positions that are not yet in the store, and returns their cells in position
/// order.
pub(crate) fn estimate(works: &[Estimates<'_>], bench: &mut Bench<'_>) -> Result<Vec<Vec<Cell>>, Failed> {
    let list: Vec<(&dyn Work, u64)> =
        works.iter().map(|work| (work as &dyn Work, work.states.len() as u64)).collect();
    bench.units(&list, |at| works[at].engine.clone())?;
    works.iter().map(|work| bench.results(work, work.states.len() as u64)).collect()
}

/// Means over all positions.
pub(crate) struct Row {
    /// The mean squared error.
    pub(crate) mse: Estimate,
    /// The variance.
    pub(crate) variance: Estimate,
    /// The root of the mean squared bias.
    pub(crate) bias: f64,
    /// The mean bias for player 1.
    pub(crate) mean_bias: Estimate,
    /// The regret.
    pub(crate) regret: Estimate,
    /// The depth.
    pub(crate) depth: f64,
}

impl Row {
    pub(crate) fn new(cells: &[Cell]) -> Self {
        let mean =
            |value: &dyn Fn(&Cell) -> f64| cells.iter().map(value).collect::<Running>().estimate(LEVEL);
        Self {
            mse: mean(&|cell| cell.mse),
            variance: mean(&|cell| cell.variance),
            bias: mean(&|cell| cell.bias() * cell.bias()).mean.sqrt(),
            mean_bias: mean(&Cell::bias),
            regret: mean(&|cell| cell.regret),
            depth: mean(&|cell| cell.depth).mean,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn error_splits_into_variance_and_bias() {
        let truth = Truth { text: String::new(), player: Player::Max, value: 3.0, actions: HashMap::new() };
        let cell = cell(&truth, &[1.0, 2.0, 6.0, 7.0], 0.0, 2.0);
        assert_eq!((cell.mean, cell.mse, cell.variance), (4.0, 7.5, 6.5));
        assert_eq!(cell.mse, cell.variance + cell.bias() * cell.bias());
    }

    #[test]
    fn positions_that_are_no_decisions_are_refused_with_their_place() {
        let observe = |bench: &mut Bench<'_>| {
            observed("pig(target=10)", &["random".into()], Budget::nodes(1), 2, bench)
        };
        let job = unattended(1, 1, |bench| {
            assert_eq!(observe(bench).unwrap().len(), 2);
            bench.store().jobs().unwrap().remove(0)
        });
        for (position, why) in [("nonsense", "nonsense"), ("0-0+0 p1 rolling", "no player is to act")] {
            let found = unattended(1, 1, |bench| {
                let id = bench.store().job(&job.kind, &job.revision().0).unwrap();
                bench.store().put(id, &[(0, format!("{{\"found\":[\"{position}\"]}}"))]).unwrap();
                observe(bench)
            });
            let error = found.unwrap_err().to_string();
            let place = "results store 'memory', positions of pig(target=10), unit 0: ";
            assert!(error.starts_with(place) && error.contains(why), "{error}");
        }
    }

    #[test]
    fn other_positions_are_other_work() {
        let of = |texts: &[&str]| {
            let truth = |text: &&str| {
                let text = (*text).to_string();
                Truth { text, player: Player::Max, value: 0.0, actions: HashMap::new() }
            };
            digest(&texts.iter().map(truth).collect::<Vec<_>>())
        };
        assert_eq!(of(&["1-2 p1", "3"]), of(&["1-2 p1", "3"]));
        assert!(of(&["1-2 p1", "3"]) != of(&["1-2 p13", ""]) && of(&["a", "b"]) != of(&["b", "a"]));
    }
}
