//! Threads that share a tree: nothing is lost, nothing is torn.
//!
//! Small enough to be run under Miri, which looks at every access to memory and makes weakly ordered loads see old values:
//! `cargo +nightly miri test -p astragal --test shared_tree`. Natively the same tests run with more simulations.

use astragal::core::{Budget, Evaluator, Game, Notation, Searcher, Unwatched};
use astragal::games::cant_stop::{CantStop, Progress};
use astragal::games::ewn::{Ewn, Proximity};
use astragal::games::tic_tac_toe::{OpenLines, TicTacToe};
use astragal::search::{Backup, Mcts, MctsOptions, Parallel, Select};

/// So many simulations, or a few under Miri.
fn some(many: u64) -> u64 {
    if cfg!(miri) { 100 } else { many }
}

/// Runs threads on one tree and checks that every simulation is in it.
fn check<G: Game, E: Evaluator<G>>(game: &G, evaluator: E, state: &G::State, options: MctsOptions) {
    let options = MctsOptions { parallel: Parallel::Tree, scaled: true, playout_moves: 4, ..options };
    let simulations = some(20_000);
    let budget = Budget { iterations: Some(simulations), ..Budget::default() };
    let mut search = Mcts::new(evaluator, options);
    let report = search.search(game, state, 1, &budget, &mut Unwatched);
    assert_eq!(report.counts.simulations, simulations);
    let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
    assert_eq!(visits, simulations);
    let range = game.range();
    for line in &report.lines {
        assert!(range.lo <= line.value && line.value <= range.hi, "{line:?}");
    }
    // Every node was visited as often as its children, but for the visit that met it first and those that found it
    // while it was being opened.
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
