//! The default constants of tree searches against other constants: `docs/strength.md` has the table.
//!
//! `cargo run --release -p astragal --example defaults -- [ENGINE…]`
//!
//! A cell is the score of a constant against the default, in per cent with a 95 % interval, over both seeds.
//! Budgets are simulations, so the table is the same on every machine. The defaults were chosen in the games
//! of the catalogue; Knucklebones, a game such as a user brings along, was not looked at before. The
//! literature's √2 is 1.4, and OpenSpiel's examples use 2.

#![allow(clippy::print_stdout, reason = "an example that prints a table")]

use astragal::arena::contest::{Contest, PairRow, Standing, maker, row};
use astragal::arena::terms::Terms;
use astragal::catalog::{AnyGame, game};
use astragal::prelude::*;
use astragal::stats::Estimate;
use std::sync::Arc;

/// The engines, with the constants that are tried against the default.
const ENGINES: [(&str, &[&str]); 6] = [
    ("uct", &["c=0.4", "c=0.7", "c=1.4", "c=2"]),
    ("mcts(dr=inf)", &["c=0.4", "c=0.7", "c=1.4", "c=2"]),
    ("mcts", &["c=0.1", "c=0.25", "c=1", "c=1.4"]),
    ("dpw", &["c=0.1", "c=0.25", "c=1", "c=1.4"]),
    ("uct-h", &["c=0.1", "c=0.2", "c=0.7", "c=1.4"]),
    ("uctmax-h", &["c=0.1", "c=0.2", "c=0.7", "c=1.4"]),
];

/// The games, the random decisions before the engines take over, and the pairs for each seed with 50, 300 and
/// 2000 simulations.
const GAMES: [(&str, u32, [u64; 3]); 6] = [
    ("pig", 0, [60, 30, 8]),
    ("ewn", 0, [120, 80, 40]),
    ("connect-four", 2, [100, 60, 40]),
    ("kalah", 2, [100, 60, 40]),
    ("tic-tac-toe", 1, [100, 60, 20]),
    ("knucklebones", 0, [120, 80, 40]),
];

const SIMULATIONS: [u64; 3] = [50, 300, 2000];
const SEEDS: [u64; 2] = [1, 2];

/// Knucklebones: a player rolls a die and puts it into one of the three columns of their own board, and all
/// dice with its number vanish from the same column of the opponent's. The game ends when a board is full. A
/// number that is n times in a column counts n times as much each time.
#[derive(Clone)]
struct Knucklebones;

#[derive(Clone, Debug, Eq, PartialEq)]
struct State {
    /// For each player and column, how often each number is there.
    boards: [[[u8; 6]; 3]; 2],
    player: Player,
    /// The number rolled, from 0; none while the die is rolling.
    die: Option<u8>,
}

impl State {
    fn count(&self, player: Player, column: u8) -> u8 {
        self.boards[player.index()][usize::from(column)].iter().sum()
    }

    fn is_full(&self, player: Player) -> bool {
        (0..3).all(|column| self.count(player, column) == 3)
    }

    fn score(&self, player: Player) -> i32 {
        let columns = self.boards[player.index()].iter().flat_map(|column| column.iter().enumerate());
        columns.map(|(number, count)| (number as i32 + 1) * i32::from(*count).pow(2)).sum()
    }
}

impl Game for Knucklebones {
    type State = State;
    type Action = u8;
    type Outcome = u8;

    fn start(&self) -> State {
        State { boards: [[[0; 6]; 3]; 2], player: Player::Max, die: None }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.is_full(Player::Max) || state.is_full(Player::Min) {
            return Turn::Over(f64::from((state.score(Player::Max) - state.score(Player::Min)).signum()));
        }
        if state.die.is_some() { Turn::Decide(state.player) } else { Turn::Chance }
    }

    fn actions(&self, state: &State, out: &mut Vec<u8>) {
        out.extend((0..3).filter(|column| state.count(state.player, *column) < 3));
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<Weighted<u8>>) {
        out.extend((0..6).map(|item| Weighted { item, weight: 1.0 / 6.0 }));
    }

    fn apply(&self, state: &mut State, column: u8) {
        let number = usize::from(state.die.take().expect("a number was rolled"));
        let other = state.player.other();
        state.boards[state.player.index()][usize::from(column)][number] += 1;
        state.boards[other.index()][usize::from(column)][number] = 0;
        state.player = other;
    }

    fn resolve(&self, state: &mut State, number: u8) {
        state.die = Some(number);
    }

    fn key(&self, state: &State) -> Key {
        // The counts of a column are at most 3: two bits each, 72 in all.
        let counts = state.boards.as_flattened().as_flattened();
        let boards = counts.iter().fold(0_u128, |key, count| key << 2 | u128::from(*count));
        Key(boards << 4 | u128::from(state.die.map_or(7, u8::from)) << 1 | state.player.index() as u128)
    }

    fn range(&self) -> Interval {
        Interval::new(-1.0, 1.0)
    }
}

impl Notation for Knucklebones {}

/// The rows of a match, by two threads.
fn rows(contest: &Contest, pairs: u64) -> Vec<PairRow> {
    let play = |pair| row(&contest.play(pair, &mut Clock::start()).expect("nobody stops it"));
    std::thread::scope(|scope| {
        let half = |from: u64| scope.spawn(move || (from..pairs).step_by(2).map(play).collect::<Vec<_>>());
        [half(0), half(1)].into_iter().flat_map(|half| half.join().expect("a player")).collect()
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    check_game(&Knucklebones, Play::default())?;
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (engine, constants) in ENGINES {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == engine) {
            continue;
        }
        let usual = game("ewn")?.engine(engine)?.spec().to_string();
        println!("\n`{engine}` is `{usual}`\n");
        println!("| `{engine}` against its default | simulations | `{}` |", constants.join("` | `"));
        println!("|---|---|{}", "---|".repeat(constants.len()));
        for (name, opening, pairs) in GAMES {
            let rules: Arc<dyn AnyGame> = match name {
                "knucklebones" => Arc::new(erase(Knucklebones)),
                name => game(name)?.into(),
            };
            for (simulations, pairs) in SIMULATIONS.into_iter().zip(pairs) {
                let cell = |constant: &&str| -> Result<String, Box<dyn std::error::Error>> {
                    let other = match engine.strip_suffix(')') {
                        Some(open) => format!("{open},{constant})"),
                        None => format!("{engine}({constant})"),
                    };
                    let mut all = Vec::new();
                    for seed in SEEDS {
                        let makers = [maker(&rules, &other)?, maker(&rules, engine)?];
                        let (budget, terms) = (Budget::iterations(simulations), Terms::opening(opening));
                        let contest =
                            Contest::between(Arc::clone(&rules), rules.start(), makers, budget, terms, seed)?;
                        all.extend(rows(&contest, pairs));
                    }
                    // The luck of the throws is taken out.
                    let Estimate { mean, lo, hi, .. } = Standing::new(&all).luck.adjusted;
                    Ok(format!("{:.1} ± {:.1}", 100.0 * mean, 50.0 * (hi - lo)))
                };
                let cells = constants.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
                println!("| {name}, {} pairs | {simulations} | {} |", 2 * pairs, cells.join(" | "));
            }
        }
    }
    Ok(())
}
