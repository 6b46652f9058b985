//! The tree of a Monte Carlo search as it is displayed: it is the same with and without reuse, and a full
//! memory loses no visit.

use astragal::core::{Branch, Budget, Evaluator, Game, Notation, Searcher, Unwatched};
use astragal::games::cant_stop::{CantStop, Progress};
use astragal::games::ewn::{Ewn, Proximity};
use astragal::games::pig::{Lead, Pig};
use astragal::search::{Mcts, MctsOptions};
use std::fmt::Debug;

/// Checks that two trees have the same visits and, up to the order of summation, the same values; returns the
/// number of nodes.
fn check_same<A: Debug, O: Debug>(told: &Branch<A, O>, counted: &Branch<A, O>) -> usize {
    assert_eq!(told.visits, counted.visits, "{told:?}");
    assert!((told.value - counted.value).abs() <= 1e-9, "{} and {}", told.value, counted.value);
    assert_eq!(told.children.len(), counted.children.len());
    let below = told.children.iter().zip(&counted.children).map(|(a, b)| check_same(a, b));
    1 + below.sum::<usize>()
}

/// A search that may reuse its tree keeps the squares of values at all nodes, others only at the root and its
/// children. The trees must be the same in every other respect.
fn check<G: Game, E: Evaluator<G> + Copy>(game: &G, evaluator: E, state: &G::State) {
    let budget = Budget { iterations: Some(5000), ..Budget::default() };
    let trees = [true, false].map(|reuse| {
        let options = MctsOptions { reuse, ..MctsOptions::default() };
        let mut search = Mcts::with_options(evaluator, options);
        let report = search.search_with(game, state, 1, &budget, &mut Unwatched);
        (search.tree(game, u32::MAX, 1).expect("a tree was grown"), report)
    });
    let [(told, one), (counted, other)] = &trees;
    assert!(check_same(told, counted) > 1000);
    assert_eq!(one.pv, other.pv);
    assert!(one.pv.len() > 2, "{:?}", one.pv);
}

#[test]
fn forced_throws_have_seen_what_was_thrown() {
    let game = Pig::new(1, 100).unwrap();
    check(&game, Lead, &game.start());
}

#[test]
fn few_outcomes_have_seen_what_their_children_have() {
    let game = Ewn::new(5, 5, 6).unwrap();
    check(&game, Proximity, &game.read_state("123../45.../6...a/...bc/..def p1 3").unwrap());
}

#[test]
fn many_outcomes_have_seen_what_their_children_have() {
    let game = CantStop::new(6, 3, 3, 2).unwrap();
    check(&game, Progress, &game.start());
}

#[test]
fn a_full_memory_loses_no_visit() {
    let game = Pig::new(1, 100).unwrap();
    let options = MctsOptions { memory_mib: 1, playout_moves: 0, ..MctsOptions::default() };
    let mut search = Mcts::with_options(Lead, options);
    let budget = Budget { iterations: Some(100_000), ..Budget::default() };
    for position in ["0-0+0 p1", "10-20+5 p1 rolling"] {
        let state = game.read_state(position).unwrap();
        let report = search.search_with(&game, &state, 3, &budget, &mut Unwatched);
        assert!(report.counts.tree_full, "{position}: the memory was not full");
        let tree = search.tree(&game, 1, 1).expect("a tree was grown");
        let below: u64 = tree.children.iter().map(|child| child.visits).sum();
        assert_eq!((tree.visits, below), (100_000, 100_000), "{position}");
    }
}
