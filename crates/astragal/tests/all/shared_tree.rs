//! Threads that share a tree: no simulation is lost, no value is torn.
//!
//! Small enough to run under Miri, which checks every memory access and lets weakly ordered loads return old
//! values: `cargo +nightly miri test -p astragal --test all shared_tree`. Natively the same tests run with
//! more simulations.

use astragal::core::{
    Budget, Evaluator, Game, Interval, Key, Notation, Player, Searcher, Turn, Unwatched, Weighted,
};
use astragal::games::cant_stop::{CantStop, Progress};
use astragal::games::ewn::{Ewn, Proximity};
use astragal::games::tic_tac_toe::{OpenLines, TicTacToe};
use astragal::search::{Backup, Mcts, MctsOptions, Parallel, Select};

/// This many simulations, or fewer under Miri.
fn some(many: u64) -> u64 {
    if cfg!(miri) { 100 } else { many }
}

/// Runs threads on one tree and checks that the tree contains every simulation.
fn check<G: Game, E: Evaluator<G>>(game: &G, evaluator: E, state: &G::State, options: MctsOptions) {
    let options = MctsOptions { parallel: Parallel::Tree, playout_moves: 4, ..options };
    let simulations = some(20_000);
    let budget = Budget { iterations: Some(simulations), ..Budget::default() };
    let mut search = Mcts::with_options(evaluator, options);
    let report = search.search_with(game, state, 1, &budget, &mut Unwatched);
    assert_eq!(report.counts.simulations, simulations);
    let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
    assert_eq!(visits, simulations);
    let range = game.range();
    for line in &report.lines {
        assert!(range.lo <= line.value && line.value <= range.hi, "{line:?}");
    }
    // Every node has as many visits as its children together, except for the visit that created it and those
    // that arrived while it was being expanded.
    let tree = search.tree(game, u32::MAX, 1).expect("a tree was grown");
    let mut open = vec![&tree];
    let (mut nodes, mut missing) = (0_u64, 0_u64);
    while let Some(node) = open.pop() {
        nodes += 1;
        let below: u64 = node.children.iter().map(|child| child.visits).sum();
        assert!(below <= node.visits, "{below} visits below a node with {}", node.visits);
        if !node.children.is_empty() {
            missing += node.visits - below;
        }
        open.extend(&node.children);
    }
    let threads = u64::from(options.threads);
    assert!(missing <= threads * nodes, "{missing} visits ended at {nodes} nodes");
    assert!(report.counts.tree_nodes >= nodes);
}

fn threads() -> [u32; 2] {
    if cfg!(miri) { [2, 3] } else { [2, 4] }
}

#[test]
fn actions_share_a_tree() {
    let game = TicTacToe;
    for threads in threads() {
        check(&game, OpenLines, &game.start(), MctsOptions { threads, ..MctsOptions::default() });
    }
}

#[test]
fn few_outcomes_share_a_tree() {
    let game = Ewn::new(5, 5, 6).unwrap();
    let state = game.read_state("123../45.../6...a/...bc/..def p1 3").unwrap();
    for threads in threads() {
        check(&game, Proximity, &state, MctsOptions { threads, ..MctsOptions::default() });
    }
}

#[test]
fn many_outcomes_share_a_tree() {
    let game = CantStop::new(6, 3, 3, 2).unwrap();
    let mut state = game.start();
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    game.resolve(&mut state, outcomes[60].item);
    check(&game, Progress, &state, MctsOptions { threads: 2, ..MctsOptions::default() });
}

#[test]
fn everything_kept_beside_the_nodes_is_shared() {
    let game = Ewn::new(5, 5, 6).unwrap();
    let state = game.read_state("123../45.../6...a/...bc/..def p1 3").unwrap();
    let solver = MctsOptions { solver: true, ..MctsOptions::default() };
    let others = MctsOptions { implicit: 0.3, rave: 50.0, ..MctsOptions::default() };
    let minimax =
        MctsOptions { backup: Backup::Minimax, select: Select::Ucb1Tuned, ..MctsOptions::default() };
    for options in [solver, others, minimax] {
        check(&game, Proximity, &state, MctsOptions { threads: 2, ..options });
    }
}

/// Max takes a loss of a half, or rolls a die that wins with the first two of its faces and loses with the
/// others, which has value −1/3.
struct Gamble {
    /// Steps of work for each winning face.
    work: u32,
}

impl Game for Gamble {
    /// The choice and the roll.
    type State = (Option<bool>, Option<u8>);
    type Action = bool;
    type Outcome = u8;

    fn start(&self) -> Self::State {
        (None, None)
    }

    fn turn(&self, state: &Self::State) -> Turn {
        match *state {
            (None, _) => Turn::Decide(Player::Max),
            (Some(_), None) => Turn::Chance,
            (Some(false), _) => Turn::Over(-0.5),
            (Some(true), Some(face)) if face < 2 => {
                let steps = (0..self.work).fold(0_u32, |sum, step| std::hint::black_box(sum ^ step));
                Turn::Over(if steps == u32::MAX { 0.0 } else { 1.0 })
            }
            (Some(true), _) => Turn::Over(-1.0),
        }
    }

    fn actions(&self, _state: &Self::State, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }

    fn outcomes(&self, _state: &Self::State, out: &mut Vec<Weighted<u8>>) {
        out.extend((0..6).map(|item| Weighted { item, weight: 1.0 / 6.0 }));
    }

    fn apply(&self, state: &mut Self::State, action: bool) {
        state.0 = Some(action);
    }

    fn resolve(&self, state: &mut Self::State, outcome: u8) {
        state.1 = Some(outcome);
    }

    fn key(&self, state: &Self::State) -> Key {
        let part = |part: Option<u8>| part.map_or(0, |part| u128::from(part) + 1);
        Key(part(state.0.map(u8::from)) << 8 | part(state.1))
    }

    fn range(&self) -> Interval {
        Interval { lo: -1.0, hi: 1.0 }
    }
}

impl Evaluator<Gamble> for Gamble {
    fn value(&self, _game: &Gamble, _state: &<Gamble as Game>::State) -> f64 {
        unreachable!("every playout ends")
    }
}

#[test]
fn every_face_has_its_weight_whoever_throws_it() {
    // Winning faces take longer. The mean must not depend on the speed of a thread.
    for (threads, work) in [(2, 0), (2, 20_000), (3, 0), (3, 20_000), (9, 0)] {
        let game = Gamble { work: if cfg!(miri) { work / 1000 } else { work } };
        let options = MctsOptions {
            parallel: Parallel::Tree,
            select: Select::Ucb1 { c: 1.4 },
            threads,
            ..MctsOptions::default()
        };
        let simulations = some(20_000);
        let budget = Budget { iterations: Some(simulations), ..Budget::default() };
        let mut search = Mcts::with_options(Gamble { work: 0 }, options);
        let report = search.search_with(&game, &game.start(), 1, &budget, &mut Unwatched);
        let line = report.lines[1];
        assert_eq!(report.lines[0].visits + line.visits, simulations);
        // The standard deviation of a roll is √8 / 3.
        let is_right = |value: f64, visits: u64| {
            let error = 8_f64.sqrt() / 3.0 / (visits as f64).sqrt();
            assert!((value + 1.0 / 3.0).abs() <= 4.0 * error, "{threads} threads, {work} steps: {value}");
            error
        };
        let error = is_right(line.value, line.visits);
        // Few visits say little about the deviation.
        assert!(
            cfg!(miri)
                || (0.9..1.2).contains(&(line.deviation.unwrap() / (line.visits as f64).sqrt() / error)),
            "{line:?}"
        );
        // The roll itself.
        let report = search.search_with(&game, &(Some(true), None), 1, &budget, &mut Unwatched);
        is_right(report.value, simulations);
    }
}
