//! External evaluators.

use astragal_catalog::{AnyGame, Extras, Judge, Leaf, disk, engines, game_with};
use astragal_core::{Budget, Interval, Turn, Unwatched};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Values a leaf by its features, and counts calls and leaves.
struct Told {
    ahead: u32,
    range: Interval,
    calls: AtomicU64,
    leaves: AtomicU64,
}

impl Told {
    fn new(ahead: u32, range: Interval) -> Arc<Self> {
        Arc::new(Self { ahead, range, calls: AtomicU64::new(0), leaves: AtomicU64::new(0) })
    }

    fn asked(&self) -> (u64, u64) {
        (self.calls.load(Ordering::Relaxed), self.leaves.load(Ordering::Relaxed))
    }
}

impl Judge for Told {
    fn values(&self, leaves: &[&dyn Leaf]) -> Vec<f64> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.leaves.fetch_add(leaves.len() as u64, Ordering::Relaxed);
        let value = |leaf: &&dyn Leaf| {
            let mut features = Vec::new();
            leaf.features(&mut features);
            // An arbitrary function of all features, spread over the range.
            let sum: f64 = features.iter().zip(1..).map(|(x, at)| f64::from(*x) * f64::from(at)).sum();
            self.range.lo + (sum * 0.618_034).rem_euclid(1.0) * self.range.width()
        };
        leaves.iter().map(value).collect()
    }

    fn ahead(&self) -> u32 {
        self.ahead
    }
}

fn with(spec: &str, judge: &Arc<Told>) -> Box<dyn AnyGame> {
    let judges: Vec<(&'static str, Arc<dyn Judge>)> = vec![("told", Arc::<Told>::clone(judge))];
    game_with(spec, &Extras { files: disk(), judges }).unwrap()
}

#[test]
fn leaves_valued_together_are_valued_as_one_by_one() {
    let specs = ["pig(target=30)", "ewn(size=3,stones=3)", "tic-tac-toe", "kalah(pits=3,stones=2)"];
    let mut compared = 0;
    for spec in specs {
        let range = astragal_catalog::game(spec).unwrap().range();
        for info in engines().filter(|info| info.params.iter().any(|param| param.name == "eval")) {
            let engine = format!("{}(eval=told)", info.name);
            let budget = match info.budgets.iter().any(|limit| limit.name() == "depth") {
                true => Budget::depth(3),
                false => Budget::iterations(60),
            };
            let mut found = Vec::new();
            for ahead in [0, 1, 2] {
                let judge = Told::new(ahead, range);
                let game = with(spec, &judge);
                // Not every engine supports every game.
                let Ok(mut engine) = game.engine(&engine) else { continue };
                let position = game.start();
                let budget = if engine.heeds().is_empty() { Budget::default() } else { budget };
                let Ok(()) = budget.check(engine.heeds()) else { continue };
                let analysis = engine.analyze(&*position, 5, &budget, &mut Unwatched);
                found.push((analysis, judge.asked()));
            }
            let Some(((alone, (calls, leaves)), together)) = found.split_first() else { continue };
            assert_eq!(calls, leaves, "{spec} {engine}");
            for (analysis, (fewer, _)) in together {
                assert_eq!(analysis, alone, "{spec} {engine}");
                assert!(fewer <= calls, "{spec} {engine}: {fewer} calls instead of {calls}");
            }
            compared += 1;
        }
    }
    assert!(compared > 40, "only {compared} were compared");
}

#[test]
fn a_search_that_looks_at_all_leaves_asks_for_many_at_once() {
    for (spec, position, least) in
        [("ewn", None, 10), ("pig", Some("30-45+12 p1"), 4), ("cant-stop", None, 50)]
    {
        let range = astragal_catalog::game(spec).unwrap().range();
        let judge = Told::new(1, range);
        let game = with(spec, &judge);
        let at = position.map_or_else(|| game.start(), |text| game.read(text).unwrap());
        game.engine("expectimax(eval=told)").unwrap().analyze(&*at, 0, &Budget::depth(3), &mut Unwatched);
        let (calls, leaves) = judge.asked();
        assert!(leaves > least * calls, "{spec}: {leaves} leaves in {calls} calls");
    }
}

#[test]
fn an_evaluator_needs_a_name_of_its_own() {
    let judges: Vec<(&'static str, Arc<dyn Judge>)> = vec![("lead", Told::new(0, Interval::new(-1.0, 1.0)))];
    let error = game_with("pig", &Extras { files: disk(), judges }).err().unwrap();
    assert_eq!(error.to_string(), "pig already has an evaluator 'lead'");
}

#[test]
fn every_position_is_shown_once() {
    for (spec, count) in [("tic-tac-toe", 5478), ("pig(dice=1,target=5)", 0)] {
        let game = astragal_catalog::game(spec).unwrap();
        let mut texts = Vec::new();
        let mut over = 0;
        game.each_position(&*game.start(), &mut |position| {
            over += u32::from(matches!(position.turn(), Turn::Over(_)));
            texts.push(position.text());
            true
        });
        let all = texts.len();
        assert!(over > 0 && texts[0] == game.start().text());
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), all, "{spec}");
        assert!(count == 0 || count == all, "{spec}: {all}");
    }
    // It stops when the callback returns false.
    let game = astragal_catalog::game("chess").unwrap();
    let mut seen = 0;
    game.each_position(&*game.start(), &mut |_| {
        seen += 1;
        seen < 10
    });
    assert_eq!(seen, 10);
}

#[test]
fn what_was_said_is_forgotten_before_the_next_search() {
    let judge = Told::new(1, Interval::new(-100.0, 100.0));
    let game = with("pig", &judge);
    let mut engine = game.engine("expectimax(eval=told)").unwrap();
    let mut asked = || {
        let before = judge.asked();
        engine.analyze(&*game.start(), 0, &Budget::depth(2), &mut Unwatched);
        (judge.asked().0 - before.0, judge.asked().1 - before.1)
    };
    let first = asked();
    assert!(first.0 > 0 && asked() == first);
}
