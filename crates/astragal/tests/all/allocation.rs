//! Searches do not allocate memory at nodes: the number of allocations does not depend on the number of
//! nodes. Playouts do not allocate at all.

#![allow(unsafe_code, reason = "a counting allocator cannot be written without")]

use crate::support::{SCHEMES, STAR2, sample, shrinking};
use astragal::core::{Game, Interval, Sampler, Turn};
use astragal::games::cant_stop::CantStop;
use astragal::games::ewn::Ewn;
use astragal::games::pig::{Lead, Logistic, Pig};
use astragal::games::ra::Ra;
use astragal::games::random_tree::{Hash, RandomTree};
use astragal::games::tic_tac_toe::TicTacToe;
use astragal::search::{Algorithm, Chance, Keys, Options, Playout, StarMinimax, TableUse};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is forwarded to the system's allocator; counting does not touch the memory that it
// manages.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The nodes and allocations of one search to a depth, by a searcher that already has its table.
fn measure<G: Game, E: astragal::core::Evaluator<G>>(
    game: &G,
    search: &mut StarMinimax<E>,
    depth: u32,
) -> (u64, u64) {
    search.value_within(game, &game.start(), 1, 1, Interval::WHOLE);
    let before = ALLOCATIONS.get();
    let (_, counts) = search.value_within(game, &game.start(), 1, depth, Interval::WHOLE);
    (counts.nodes, ALLOCATIONS.get() - before)
}

fn options() -> Vec<Options> {
    let mut all = Vec::new();
    let sampled = SCHEMES.map(|scheme| sample(3, scheme, Keys::State, false));
    let sampled = sampled.into_iter().chain([shrinking(sample(9, SCHEMES[0], Keys::State, false), 0.7)]);
    for algorithm in [Algorithm::Expectimax, Algorithm::Star1, STAR2, Algorithm::Star2 { probes: 3 }] {
        for chance in [Chance::Exact].into_iter().chain(sampled.clone()) {
            for table in [TableUse::Off, TableUse::Order, TableUse::Values] {
                all.push(Options { chance, table, table_mib: 1, prune_from: 1, ..Options::new(algorithm) });
            }
        }
    }
    all
}

#[test]
fn no_node_allocates() {
    let pig = Pig::default();
    let tree = RandomTree::new(3, 12, 3, 4).unwrap();
    for options in options() {
        let (few, little) = measure(&pig, &mut StarMinimax::new(Lead, options), 2);
        let (many, much) = measure(&pig, &mut StarMinimax::new(Logistic, options), 5);
        assert!(many > 4 * few, "{few} and {many} nodes: {options:?}");
        assert_eq!(little, much, "{few} and {many} nodes: {options:?}");
        let (few, little) = measure(&tree, &mut StarMinimax::new(Hash, options), 2);
        let (many, much) = measure(&tree, &mut StarMinimax::new(Hash, options), 6);
        assert!(many > few && much <= little, "{few} and {many} nodes, {little} and {much}: {options:?}");
        // Only the stacks.
        assert!(much < 14, "{much} allocations: {options:?}");
    }
}

/// The allocations of some playouts, after others have grown the lists.
fn playout_allocations<G: Game>(game: &G) -> u64 {
    let sampler = Sampler::new(1);
    let mut player = Playout::new();
    let mut play = |number: u64| {
        let mut state = game.start();
        let (turn, made) = player.run(game, &mut state, 10_000, &mut sampler.stream(number, 0));
        assert!(made > 0 && matches!(turn, Turn::Over(_)));
    };
    (0..50).for_each(&mut play);
    let before = ALLOCATIONS.get();
    (50..150).for_each(&mut play);
    ALLOCATIONS.get() - before
}

#[test]
fn no_playout_allocates() {
    assert_eq!(playout_allocations(&Pig::default()), 0);
    assert_eq!(playout_allocations(&Pig::new(1, 100).unwrap()), 0);
    assert_eq!(playout_allocations(&Ewn::new(5, 5, 6).unwrap()), 0);
    assert_eq!(playout_allocations(&Ewn::new(5, 5, 6).unwrap().merging(true)), 0);
    assert_eq!(playout_allocations(&CantStop::new(6, 3, 3, 2).unwrap()), 0);
    assert_eq!(playout_allocations(&Ra::default()), 0);
    assert_eq!(playout_allocations(&TicTacToe), 0);
}
