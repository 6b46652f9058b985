//! What the bounds of chance nodes save: nodes and time to a fixed depth, and depth in a fixed time.

use super::positions::after_random_moves;
use crate::print::{columns, count};
use astragal_catalog::game;
use astragal_core::{Budget, Clock, Evaluator, Game, Sampler, Turn, Unwatched, below, estimate};
use astragal_games::cant_stop::{CantStop, Progress};
use astragal_games::ewn::{Ewn, Proximity};
use astragal_games::pig::{Lead, Pig};
use astragal_games::ra::{Assets, Ra};
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;
use std::time::{Duration, Instant};

/// The games, and the search depth from the start.
const SETS: [(&str, u32); 4] = [("pig", 6), ("ewn", 5), ("cant-stop", 3), ("ra", 4)];

/// The baseline.
const PLAIN: &str = "expectimax";

/// Engines with the paper's bounds and with bounds that know the horizon; without a table, with one for move
/// ordering, and with one that also stores values.
const ENGINES: [&str; 10] = [
    "star1(table=off,horizon=off)",
    "star1(table=off)",
    "star1(table=off,prune_from=1)",
    "star2(table=off,horizon=off)",
    "star2(table=off)",
    "star2(table=off,prune_from=1)",
    "star2(table=order,prune_from=1,horizon=off)",
    "star2(table=order,prune_from=1)",
    "star2(horizon=off)",
    "star2",
];

/// The number of runs of a search, of which the fastest counts, and the limit on their total time.
const RUNS: u32 = 5;
const PATIENCE: Duration = Duration::from_millis(500);

/// One engine in one game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Saving {
    game: &'static str,
    depth: u32,
    engine: &'static str,
    nodes: u64,
    /// Nodes relative to Expectimax.
    share: f64,
    seconds: f64,
    /// Time relative to Expectimax.
    time: f64,
    /// The fraction of nodes that every search needs, unless it stores values of recurring states.
    least: f64,
}

/// Searches all games with all engines.
pub(super) fn savings() -> Vec<Saving> {
    let mut found = Vec::new();
    for (spec, depth) in SETS {
        let game = game(spec).expect("a game of the catalogue");
        let least = least_share(spec, depth);
        let mut all = None;
        for engine in [PLAIN].into_iter().chain(ENGINES) {
            let (mut nodes, mut seconds) = (0, f64::INFINITY);
            let begin = Instant::now();
            for _ in 0..RUNS {
                let mut search = game.engine(engine).expect("an engine of the catalogue");
                let start = Instant::now();
                let report = search.analyze(&*game.start(), 0, &Budget::depth(depth), &mut Unwatched);
                seconds = start.elapsed().as_secs_f64().min(seconds);
                nodes = report.counts.nodes;
                if begin.elapsed() > PATIENCE {
                    break;
                }
            }
            let (all_nodes, all_seconds) = *all.get_or_insert((nodes, seconds));
            let (share, time) = (nodes as f64 / all_nodes as f64, seconds / all_seconds);
            found.push(Saving { game: spec, depth, engine, nodes, share, seconds, time, least });
        }
    }
    found
}

fn least_share(spec: &str, depth: u32) -> f64 {
    match spec {
        "pig" => deepened(&Pig::default(), &Lead, depth),
        "ewn" => deepened(&Ewn::new(5, 5, 6).expect("a board"), &Proximity, depth),
        "cant-stop" => deepened(&CantStop::new(6, 3, 3, 2).expect("dice"), &Progress, depth),
        _ => deepened(&Ra::default(), &Assets, depth),
    }
}

/// The fraction of nodes needed, over all depths up to this one together.
fn deepened<G: Game>(game: &G, evaluator: &impl Evaluator<G>, depth: u32) -> f64 {
    let needs: Vec<Need> = (1..=depth).map(|depth| need(game, evaluator, &game.start(), depth)).collect();
    let sum = |part: fn(&Need) -> u64| needs.iter().map(part).sum::<u64>() as f64;
    sum(|need| need.least) / sum(|need| need.all)
}

/// The cost of the exact value of a state.
struct Need {
    value: f64,
    /// Nodes of the whole tree.
    all: u64,
    /// The fewest nodes that any search visits, with the best order and bounds that give everything but exact
    /// values: those after all outcomes, those after one best action, and one for each other action.
    least: u64,
}

fn need<G: Game>(game: &G, evaluator: &impl Evaluator<G>, state: &G::State, depth: u32) -> Need {
    match game.turn(state) {
        Turn::Over(value) => Need { value, all: 1, least: 1 },
        Turn::Decide(_) if depth == 0 => Need { value: estimate(game, evaluator, state), all: 1, least: 1 },
        Turn::Decide(player) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let mut best: Option<Need> = None;
            let (mut all, others) = (1, actions.len() as u64);
            for action in actions {
                let mut child = state.clone();
                game.apply(&mut child, action);
                let next = need(game, evaluator, &child, depth - 1);
                all += next.all;
                let better = best.as_ref().is_none_or(|best| {
                    player.prefers(next.value, best.value)
                        || next.value == best.value && next.least < best.least
                });
                if better {
                    best = Some(next);
                }
            }
            let best = best.expect("contract: a decision has actions");
            Need { value: best.value, all, least: others + best.least }
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let mut sum = Need { value: 0.0, all: 1, least: 1 };
            for outcome in outcomes {
                let mut child = state.clone();
                game.resolve(&mut child, outcome.item);
                let next = need(game, evaluator, &child, depth);
                sum.value += outcome.weight * next.value;
                sum.all += next.all;
                sum.least += next.least;
            }
            sum
        }
    }
}

/// Prints a table per game.
pub(super) fn print_savings(found: &[Saving], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for group in found.chunk_by(|a, b| a.game == b.game) {
        let rows = group.iter().map(|row| {
            vec![
                format!("  {}", row.engine),
                count(row.nodes),
                format!("{:.3}", row.share),
                format!("{:.3}", row.seconds * 1e3),
                format!("{:.2}", row.time),
            ]
        });
        let Saving { game, depth, least, .. } = group[0];
        let header = ["  engine", "nodes", "of all", "ms", "of expectimax's"];
        let table = columns(&header, &[1, 2, 3, 4], rows);
        write!(
            f,
            "\n{game} from the start, depth {depth}; no search without table=values needs less than {least:.3}:\n{table}"
        )?;
    }
    Ok(())
}

/// The search time per position, the number of positions, and the limit on the random moves that lead to one.
const MOVE_TIME: Duration = Duration::from_millis(200);
const POSITIONS: usize = 50;
/// Near the end of a game any depth is soon completed, so deeper searches count as this.
const DEEP: u32 = 20;
const MOVES: u64 = 40;

/// The engines whose depths are compared.
const REACHING: [&str; 5] = [PLAIN, "star1(horizon=off)", "star1", "star2(horizon=off)", "star2"];

/// How deep one engine gets in one game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Reach {
    game: &'static str,
    engine: &'static str,
    positions: usize,
    /// The mean completed depth, and its mean excess over that of Expectimax.
    depth: f64,
    more: f64,
    /// Positions in which it got deeper than Expectimax, and less deep.
    deeper: usize,
    shallower: usize,
}

/// Searches positions of each game with each engine in turn, for equal times, and reports each game.
pub(super) fn reaches(mut tell: impl FnMut(Vec<Reach>)) {
    SETS.iter().for_each(|(spec, _)| tell(reach(spec, POSITIONS, MOVE_TIME)));
}

fn reach(spec: &'static str, positions: usize, time: Duration) -> Vec<Reach> {
    let game = game(spec).expect("a game of the catalogue");
    let mut engines = REACHING.map(|engine| game.engine(engine).expect("an engine of the catalogue"));
    let moves = |number: u64| below(Sampler::new(1).draw(number, 0, 0), MOVES) as u32;
    let depths: Vec<[u32; REACHING.len()]> = (0..)
        .filter_map(|number| after_random_moves(&*game, number, moves(number)))
        .take(positions)
        .map(|position| {
            engines.each_mut().map(|engine| {
                engine.analyze(&*position, 0, &Budget::time(time), &mut Clock::start()).depth.min(DEEP)
            })
        })
        .collect();
    let rows = REACHING.into_iter().enumerate().map(|(at, engine)| {
        let mean = |depth: &dyn Fn(&[u32; REACHING.len()]) -> f64| {
            depths.iter().map(depth).sum::<f64>() / depths.len() as f64
        };
        let than = |order: Ordering| depths.iter().filter(|all| all[at].cmp(&all[0]) == order).count();
        Reach {
            game: spec,
            engine,
            positions: depths.len(),
            depth: mean(&|all| f64::from(all[at])),
            more: mean(&|all| f64::from(all[at]) - f64::from(all[0])),
            deeper: than(Ordering::Greater),
            shallower: than(Ordering::Less),
        }
    });
    rows.collect()
}

/// Prints a table per game.
pub(super) fn print_reaches(found: &[Reach], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for group in found.chunk_by(|a, b| a.game == b.game) {
        let rows = group.iter().map(|row| {
            vec![
                format!("  {}", row.engine),
                format!("{:.2}", row.depth),
                format!("{:+.2}", row.more),
                row.deeper.to_string(),
                row.shallower.to_string(),
            ]
        });
        let header = ["  engine", "mean depth", "than expectimax", "deeper", "less deep"];
        let table = columns(&header, &[1, 2, 3, 4], rows);
        let Reach { game, positions, .. } = group[0];
        write!(
            f,
            "\n{game}, {positions} positions, {} ms each; depths above {DEEP} count as {DEEP}:\n{table}",
            MOVE_TIME.as_millis()
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_reaches_some_depth_in_every_game() {
        for (spec, _) in SETS {
            let found = reach(spec, 2, Duration::from_millis(2));
            assert_eq!(found.len(), REACHING.len());
            assert!(found.iter().all(|row| row.positions == 2 && row.depth >= 1.0), "{found:?}");
        }
    }
}
