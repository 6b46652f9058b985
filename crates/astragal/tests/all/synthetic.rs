//! Decisions in trees with known best actions, against independently known numbers.

use astragal::arena::convergence::{Converged, Convergence};
use astragal::arena::work::Work;
use astragal::core::{Budget, Game, News, Searcher, Unwatched, Watch};
use astragal::games::synthetic::{Heuristic, Penalty, Prefix, Rule, Synthetic};
use astragal::search::{AlphaBeta, AlphaBetaOptions};

/// How often plain alpha-beta finds the best action at the root.
fn accuracy(game: &Synthetic, options: AlphaBetaOptions, trees: u64) -> f64 {
    let mut search = AlphaBeta::new(Heuristic, options);
    let right = (0..trees).filter(|seed| {
        let root = game.root(*seed);
        let found = search.search(game, &root, Budget::depth(options.depth));
        found.best == game.known_best(&root)
    });
    right.count() as f64 / trees as f64
}

/// Checks that a share of this many trees agrees with the known one from `of` trees, within four standard
/// errors of the difference.
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

/// The convergence of UCT in the first trees of a game.
fn converged(game: &str, engine: &str, tau: f64, trees: u64) -> Vec<Converged> {
    let rules = astragal::catalog::game(game).unwrap().into();
    let work = Convergence::new(rules, engine, tau, 100_000, 1).unwrap();
    let mut worker = work.worker();
    let mut one = |number| serde_json::from_str(&worker.result(number, &mut Unwatched).unwrap().0).unwrap();
    (0..trees).map(&mut one).collect()
}

#[test]
fn a_greedy_search_converges_when_its_one_mistake_no_longer_counts() {
    // Everything on the left is won and everything on the right lost: once both have been tried, the mean of
    // t simulations is 1 - 2/t.
    for (tau, time) in [(0.5, 4), (0.7, 7), (0.9, 20), (-0.5, 2), (-1.0, 1)] {
        let found = converged("critical(levels=0,right=first,wins=0)", "uct(select=epsilon(e=0))", tau, 20);
        for one in found {
            // If the left is tried first, the search converges immediately and then leaves once more.
            let times = if tau == -0.5 { 1..=2 } else { time..=time };
            assert!(times.contains(&one.time.unwrap()), "{tau}: {one:?}");
            assert_eq!(one.favourable, Some(true));
            assert!(tau < 0.0 || one.visits == [time - 1, 1], "{one:?}");
        }
    }
    // A search that always takes the worse-looking action does not converge.
    let found = converged("critical(levels=0,right=first,wins=0)", "uct(select=epsilon(e=1))", 0.7, 5);
    assert!(found.iter().all(|one| one.time.is_none()), "{found:?}");
}

/// Cancels after being polled this many times.
struct Impatient(u32);

impl Watch for Impatient {
    fn elapsed(&mut self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn cancelled(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

#[test]
fn what_an_interrupted_search_found_does_not_count() {
    let rules = astragal::catalog::game("two-sided(max=2)").unwrap().into();
    let work = Convergence::new(rules, "uct(c=0.75)", 0.7, 10_000, 1).unwrap();
    let whole = work.worker().result(3, &mut Unwatched).unwrap().0;
    let mut seen = [0, 0];
    for patience in 1..2000 {
        let found = work.worker().result(3, &mut Impatient(patience));
        seen[usize::from(found.is_some())] += 1;
        assert!(found.is_none_or(|(text, _)| text == whole), "{patience}");
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

/// Records every value of the root.
struct Heard(Vec<f64>);

impl Watch for Heard {
    fn elapsed(&mut self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn is_attentive(&self) -> bool {
        true
    }

    fn news(&mut self, news: News) {
        if let News::Simulations { value, counts, .. } = news {
            assert_eq!(counts.simulations, self.0.len() as u64 + 1);
            self.0.push(value);
        }
    }
}

#[test]
fn a_value_that_has_settled_does_not_leave_again() {
    let (game, engine) = ("critical(levels=2+6)", "uct(c=0.75)");
    let rules = astragal::catalog::game(game).unwrap();
    for (number, found) in (0..20).zip(converged(game, engine, 0.7, 20)) {
        let root = rules.deal(1 + number).unwrap();
        let seed = astragal::core::Sampler::new(1).draw(number, 0, 0);
        let mut heard = Heard(Vec::new());
        let budget = Budget::iterations(20_000);
        rules.engine(engine).unwrap().analyze(&*root, seed, &budget, &mut heard);
        let last = heard.0.iter().rposition(|value| *value < 0.7).unwrap() as u64;
        assert_eq!((found.time, heard.0.len()), (Some(last + 2), 19_999));
    }
}
