//! Decisions in trees of which it is known what is right, against numbers known from elsewhere.

use astragal::core::{Budget, Game, Searcher};
use astragal::games::synthetic::{Heuristic, Penalty, Prefix, Rule, Synthetic};
use astragal::search::{AlphaBeta, AlphaBetaOptions};

/// How often plain alpha-beta is right at the root.
fn accuracy(game: &Synthetic, options: AlphaBetaOptions, trees: u64) -> f64 {
    let mut search = AlphaBeta::new(Heuristic, options);
    let right = (0..trees).filter(|seed| {
        let root = game.root(*seed);
        let found = search.search(game, &root, Budget::depth(options.depth));
        found.best == game.known_best(&root)
    });
    right.count() as f64 / trees as f64
}

/// Whether a share of so many trees is what is known from 2000, within four standard errors of both.
fn assert_near(found: f64, trees: u64, known: f64, of: u64) {
    let error = (known * (1.0 - known) * (1.0 / trees as f64 + 1.0 / of as f64)).sqrt();
    assert!((found - known).abs() < 4.0 * error, "{found} of {trees} trees, known is {known}");
}

fn mm(depth: u32) -> AlphaBetaOptions {
    AlphaBetaOptions { depth, ..AlphaBetaOptions::plain() }
}

#[test]
fn minimax_is_right_as_often_as_is_known() {
    let trees = |sigma| {
        let prefix = Prefix { bound: Some(10), sigma, ..Prefix::new(Penalty::UpTo(8)) };
        Synthetic::new(0, 4, 100, Rule::Prefix(prefix)).unwrap()
    };
    for (sigma, known) in [(2.0, [0.734, 0.782, 0.794, 0.827]), (8.0, [0.410, 0.469, 0.528, 0.626])] {
        for (depth, known) in (1..).zip(known) {
            assert_near(accuracy(&trees(sigma), mm(depth), 1000), 1000, known, 2000);
        }
    }
}

#[cfg(not(debug_assertions))]
#[test]
fn playouts_in_prefix_value_trees_are_right_as_often_as_is_known() {
    use astragal::search::LeafValue;
    let trees = Synthetic::new(0, 2, 100, Rule::Prefix(Prefix::new(Penalty::UpTo(8)))).unwrap();
    let found = accuracy(&trees, AlphaBetaOptions { leaf: LeafValue::Playouts(1000), ..mm(1) }, 1000);
    assert!((found - 0.913).abs() < 0.02, "{found}");
}
