//! Two players alternately take one or two stones from a heap; before each turn except the first a coin may
//! add one more stone. The player who takes the last stone wins.
//!
//! `cargo run --release -p stones` checks the rules, searches, plays a match and solves the game.
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use astragal::prelude::*;

#[derive(Clone)]
struct Stones {
    heap: u8,
    drops: u8,
}

#[derive(Clone, Debug, Eq, PartialEq)]
struct State {
    heap: u8,
    /// The number of stones that may still drop.
    drops: u8,
    player: Player,
    /// Whether the coin is being tossed.
    coin: bool,
}

impl Game for Stones {
    type State = State;
    type Action = u8;
    type Outcome = bool;

    fn start(&self) -> State {
        State { heap: self.heap, drops: self.drops, player: Player::Max, coin: false }
    }

    fn turn(&self, state: &State) -> Turn {
        match state {
            State { coin: true, .. } => Turn::Chance,
            // The opponent took the last stone.
            State { heap: 0, player, .. } => Turn::Over(player.other().sign()),
            State { player, .. } => Turn::Decide(*player),
        }
    }

    fn actions(&self, state: &State, out: &mut Vec<u8>) {
        out.extend(1..=state.heap.min(2));
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<Weighted<bool>>) {
        out.extend([true, false].map(|item| Weighted { item, weight: 0.5 }));
    }

    fn apply(&self, state: &mut State, stones: u8) {
        state.heap -= stones;
        state.player = state.player.other();
        state.coin = state.heap > 0 && state.drops > 0;
    }

    fn resolve(&self, state: &mut State, drops: bool) {
        state.coin = false;
        state.heap += u8::from(drops);
        state.drops -= u8::from(drops);
    }

    fn key(&self, state: &State) -> Key {
        let bytes = [state.heap, state.drops, state.player.index() as u8, u8::from(state.coin)];
        Key(u128::from(u32::from_le_bytes(bytes)))
    }

    fn range(&self) -> Interval {
        Interval::new(-1.0, 1.0)
    }
}

impl Notation for Stones {
    fn write_outcome(&self, _state: &State, drops: bool) -> String {
        if drops { "drops" } else { "stays" }.into()
    }
}

/// Without the coin, the player who leaves a multiple of three wins.
#[derive(Clone, Copy)]
struct Threes;

impl Evaluator<Stones> for Threes {
    fn value(&self, _game: &Stones, state: &State) -> f64 {
        if state.heap.is_multiple_of(3) { -state.player.sign() } else { state.player.sign() }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Stones { heap: 12, drops: 4 };
    let visited = check_game(&game, Play::default())?;
    check_evaluator(&game, &Threes, Play::default())?;
    println!("{} random games keep the contract", visited.finished);

    let report = Star2::new(Threes).search(&game, &game.start(), Budget::depth(6));
    println!("six decisions deep: value {:+.3}, best to take {:?}", report.value, report.best);

    let (star2, uct) = (Star2::new(Threes), Mcts::new(Even).playout_moves(u32::MAX).exploration(1.4));
    let budgets = (Budget::depth(2), Budget::iterations(200));
    let result = Match::new(game.clone(), star2, uct).budgets(budgets.0, budgets.1).pairs(200).play()?;
    println!("star2, two deep, against UCT with 200 simulations: {result}");

    let stones = erase(game).evaluator("threes", Threes);
    let solution = stones.solve(&*stones.start(), &SolveOptions::default(), &mut Unsupervised)?;
    let value = stones.start().value_in(&solution).expect("the start is solved");
    println!("solved: {} states, worth {value:+.4}", solution.len());
    let mut engine = stones.engine("star2ss(width=1,eval=threes)")?;
    let analysis = engine.analyze(&*stones.start(), 1, &Budget::depth(8), &mut Unwatched);
    println!("star2ss by its spec: value {:+.3}, best {}", analysis.value, analysis.best.unwrap_or_default());
    Ok(())
}
