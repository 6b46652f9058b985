//! Monte Carlo tree search.

mod limits;
mod values;

use astragal::catalog;
use astragal::core::{Budget, Evaluator, Game, Report, Searcher, Turn, Unwatched};
use astragal::games::random_tree::RandomTree;
use astragal::search::{Mcts, MctsOptions};

fn iterations(count: u64) -> Budget {
    Budget { iterations: Some(count), ..Budget::default() }
}

fn run<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: E,
    root: &G::State,
    options: MctsOptions,
    count: u64,
    seed: u64,
) -> Report<G::Action, G::Outcome> {
    Mcts::with_options(evaluator, options).search_with(game, root, seed, &iterations(count), &mut Unwatched)
}

fn plain() -> MctsOptions {
    MctsOptions::default()
}

/// Trees with extra turns, consecutive chance nodes, and outcomes that decide who is next.
fn trees(count: u64) -> impl Iterator<Item = RandomTree> {
    (0..count).map(|seed| RandomTree::new(seed, 3, 3, 3).unwrap()).filter(|tree| {
        let mut actions = Vec::new();
        if let Turn::Decide(_) = tree.turn(&tree.start()) {
            tree.actions(&tree.start(), &mut actions);
        }
        actions.len() > 1
    })
}

fn explicit(json: &str) -> Box<dyn catalog::AnyGame> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("mcts-{}-{}.json", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, json).unwrap();
    let game = catalog::game(&format!("explicit(file=\"{}\")", path.display())).unwrap();
    std::fs::remove_file(path).unwrap();
    game
}

fn analyze(game: &dyn catalog::AnyGame, engine: &str, count: u64) -> catalog::Analysis {
    let mut engine = game.engine(engine).unwrap();
    engine.analyze(&*game.start(), 5, &iterations(count), &mut Unwatched)
}
