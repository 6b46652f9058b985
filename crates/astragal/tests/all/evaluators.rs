//! What searches make of evaluators that break their promise or know nothing. In release builds too: debug
//! assertions are not what ends a search.

use astragal::catalog::{AnyGame, Engine, engines, erase, game};
use astragal::core::{Budget, Clock, Counts, Evaluator, Even, Game, Limit, Noisy, Param};
use astragal::games::connect_four::ConnectFour;
use astragal::games::pig::Pig;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Mostly 0, but here and there not a number.
#[derive(Clone, Copy)]
struct Holes;

impl<G: Game> Evaluator<G> for Holes {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        if game.key(state).hash().is_multiple_of(3) { f64::NAN } else { 0.0 }
    }
}

/// A small budget of a kind that the engine heeds.
fn budget(engine: &dyn Engine) -> Budget {
    let heeds = |limit| engine.heeds().contains(&limit);
    Budget {
        depth: heeds(Limit::Depth).then_some(4),
        iterations: heeds(Limit::Iterations).then_some(200),
        ..Budget::default()
    }
}

/// The panic of a search, if it panics.
fn complaint(game: &dyn AnyGame, spec: &str) -> Option<String> {
    let mut engine = game.engine(spec).unwrap();
    let budget = budget(&*engine);
    let start = game.start();
    let search = || engine.analyze(&*start, 0, &budget, &mut Clock::start());
    let panic = catch_unwind(AssertUnwindSafe(search)).err()?;
    Some(panic.downcast_ref::<String>().cloned().unwrap_or_default())
}

#[test]
fn an_evaluation_that_is_not_a_number_ends_every_search() {
    let games: [(Box<dyn AnyGame>, bool); 2] = [
        (Box::new(erase(Pig::default()).evaluator("holes", Holes)), true),
        (Box::new(erase(ConnectFour::default()).evaluator("holes", Holes)), false),
    ];
    let mut searches = 0;
    for (game, chance) in &games {
        let evaluates = |params: &[Param]| params.iter().any(|param| param.name == "eval");
        for info in engines().filter(|info| evaluates(info.params) && info.game.is_none()) {
            // `strongest` is another name for one of the others.
            if *chance && !info.chance || info.name == "strongest" {
                continue;
            }
            let cuts_off = info.params.iter().any(|param| param.name == "dr");
            let spec = format!("{}(eval=holes{})", info.name, if cuts_off { ",dr=2" } else { "" });
            let found = complaint(&**game, &spec).unwrap_or_else(|| panic!("{spec} noticed nothing"));
            assert!(
                found.starts_with("contract: the evaluation of ") && found.ends_with(" is NaN"),
                "{found}"
            );
            searches += 1;
        }
    }
    assert!(searches > 20, "{searches}");
    assert!(complaint(&*games[0].0, "star2(eval=noisy(eval=holes,sigma=0.1))").unwrap().ends_with(" is NaN"));
}

/// The counts of a search from the start of a game.
fn counts(spec: &str, engine: &str) -> Counts {
    let game = game(spec).unwrap();
    let mut engine = game.engine(engine).unwrap();
    let budget = budget(&*engine);
    engine.analyze(&*game.start(), 0, &budget, &mut Clock::start()).counts
}

#[test]
fn leaves_that_nobody_valued_are_counted() {
    for engine in ["expectimax", "star1", "star2", "star2ss(width=2)"] {
        let blind = counts("pig(target=30)", &format!("{engine}(eval=even)").replace(")(", ","));
        assert!(blind.unevaluated > 0, "{engine}");
        assert_eq!(blind.unevaluated, blind.leaves - blind.finished, "{engine}");
        assert_eq!(
            counts("pig(target=30)", &format!("{engine}(eval=lead)").replace(")(", ",")).unevaluated,
            0
        );
    }
    for engine in ["alpha-beta(eval=even)", "minimax(eval=even)", "hybrid(eval=even)"] {
        assert!(counts("connect-four", engine).unevaluated > 0, "{engine}");
    }
    assert_eq!(counts("connect-four", "alpha-beta(eval=fours)").unevaluated, 0);
    // A simulation counts if its playout was cut off, and not if it reached the end of the game.
    for engine in ["mcts(eval=even,dr=0)", "flat(eval=even,dr=0)"] {
        let blind = counts("pig", engine);
        assert_eq!(blind.unevaluated, blind.simulations, "{engine}");
    }
    let some = counts("pig(target=20)", "mcts(eval=even,dr=8)");
    assert!(0 < some.unevaluated && some.unevaluated < some.leaves, "{some:?}");
    for engine in ["uct", "flat", "mcts(eval=lead,dr=0)", "random"] {
        assert_eq!(counts("pig", engine).unevaluated, 0, "{engine}");
    }
}

#[test]
fn all_threads_count_the_leaves_that_nobody_valued() {
    let one = counts("pig", "mcts(eval=even,dr=0)");
    for parallel in ["root", "tree", "leaf"] {
        let many = counts("pig", &format!("mcts(eval=even,dr=0,threads=2,parallel={parallel})"));
        assert_eq!(many.unevaluated, many.leaves, "{parallel}");
        assert!(many.unevaluated >= one.unevaluated, "{parallel}");
    }
}

#[test]
fn only_an_evaluator_that_knows_nothing_is_neutral() {
    let is_neutral = |evaluator: &dyn Evaluator<Pig>| evaluator.is_neutral();
    assert!(is_neutral(&Even) && !is_neutral(&Holes));
    let boxed: Box<dyn Evaluator<Pig>> = Box::new(Even);
    assert!(is_neutral(&boxed) && is_neutral(&&Even));
    assert!(is_neutral(&Noisy { evaluator: Even, sigma: 0.0 }));
    assert!(!is_neutral(&Noisy { evaluator: Even, sigma: 1.0 }));
    assert!(!is_neutral(&Noisy { evaluator: Holes, sigma: 0.0 }));
}
