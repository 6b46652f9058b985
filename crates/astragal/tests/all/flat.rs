//! Sampling at the root: what it finds, what it costs, and when it may stop.

use astragal::catalog::{Analysis, AnyGame, game};
use astragal::core::{Budget, Game, Notation, Searcher, Stop, Unwatched};
use astragal::games::pig::{Lead, Pig};
use astragal::search::{Allocation, Flat, FlatOptions};

fn analyze(game: &dyn AnyGame, position: &str, engine: &str, count: u64, seed: u64) -> Analysis {
    let budget = Budget { iterations: Some(count), ..Budget::default() };
    let position = game.read(position).unwrap();
    game.engine(engine).unwrap().analyze(&*position, seed, &budget, &mut Unwatched)
}

#[test]
fn every_allocation_spends_its_budget_and_finds_the_winning_move() {
    // X completes the top row with 3.
    let game = game("tic-tac-toe").unwrap();
    for engine in ["flat", "flat(common=off)", "bandit", "flat(allocation=halving)"] {
        for count in [100, 101, 1000] {
            let analysis = analyze(&*game, "XX./OO./... p1", engine, count, 3);
            assert_eq!(analysis.best.as_deref(), Some("3"), "{engine}");
            assert_eq!(analysis.counts.simulations, count, "{engine}");
            assert_eq!(analysis.lines.iter().map(|line| line.visits).sum::<u64>(), count, "{engine}");
            assert_eq!(analysis.stop, Stop::Iterations);
        }
    }
    let visits = |engine: &str| -> Vec<u64> {
        analyze(&*game, "XX./OO./... p1", engine, 1000, 3).lines.iter().map(|line| line.visits).collect()
    };
    assert_eq!(visits("flat"), [200; 5]);
    // Good actions get more samples.
    assert!(visits("bandit")[0] > 400, "{:?}", visits("bandit"));
    // Five, three, two, one: three rounds of 333 samples.
    let halving = visits("flat(allocation=halving)");
    assert_eq!(halving.iter().filter(|&&count| count == halving[0]).count(), 1, "{halving:?}");
    assert!(halving[0] > 300, "{halving:?}");
}

#[test]
fn means_are_those_of_random_play() {
    // After the last move the game is over: no luck, no error.
    let game = game("tic-tac-toe").unwrap();
    let analysis = analyze(&*game, "XOX/OXO/OX. p1", "flat", 50, 1);
    assert_eq!((analysis.value, analysis.lines[0].error), (100.0, Some(0.0)));
    // In random games X wins more often from the centre than from a corner, and from a corner more often than
    // from an edge.
    let analysis = analyze(&*game, ".../.../... p1", "flat", 90_000, 1);
    let value = |square: usize| analysis.lines[square - 1].value;
    assert!(value(5) > value(1) + 5.0 && value(1) > value(2) + 5.0, "{:?}", analysis.lines);
    assert_eq!(analysis.best.as_deref(), Some("5"));
}

#[test]
fn sampling_ends_when_one_move_is_significantly_better() {
    let game = game("tic-tac-toe").unwrap();
    let sure = "flat(confidence=0.99)";
    let analysis = analyze(&*game, "XX./OO./... p1", sure, 100_000, 1);
    assert_eq!((analysis.stop, analysis.best.as_deref()), (Stop::Complete, Some("3")));
    assert!(analysis.counts.simulations < 2000, "{}", analysis.counts.simulations);
    // Two equivalent moves never differ significantly: 1 and 3 on an otherwise symmetric board.
    let analysis = analyze(&*game, ".X./.../.O. p1", sure, 20_000, 1);
    assert_eq!(analysis.stop, Stop::Iterations);
}

#[test]
fn a_false_alarm_is_as_rare_as_promised() {
    // No position in Pig has two actions of exactly the same value under random play, so this is a tree with
    // two identical actions: any significant difference is an error.
    let file = std::env::temp_dir().join(format!("flat-{}.json", std::process::id()));
    let coin = r#"{"chance": [[0.5, 1], [0.5, -1]]}"#;
    std::fs::write(
        &file,
        format!(r#"{{"root": {{"max": {{"a": {coin}, "b": {coin}}}}}, "range": [-1, 1]}}"#),
    )
    .unwrap();
    let game = game(&format!("explicit(file=\"{}\")", file.display())).unwrap();
    std::fs::remove_file(file).unwrap();
    let alarms = |engine: &str| {
        let budget = Budget { iterations: Some(4000), ..Budget::default() };
        let mut engine = game.engine(engine).unwrap();
        let mut alarm =
            |seed: u64| engine.analyze(&*game.start(), seed, &budget, &mut Unwatched).stop == Stop::Complete;
        (0..400).filter(|&seed| alarm(seed)).count()
    };
    // One in ten is allowed: 40 of 400. The error probability is split between the repeated tests, so it is
    // not used up.
    let found = alarms("flat(confidence=0.9,common=off)");
    assert!((1..=40).contains(&found), "{found} of 400");
    // With common random numbers equal actions have equal games.
    assert_eq!(alarms("flat(confidence=0.9)"), 0);
}

#[test]
fn common_random_numbers_make_differences_surer() {
    // Roll or hold in Pig: the error of the difference over many independent searches.
    let game = Pig::default();
    let state = game.read_state("30-45+12 p1").unwrap();
    let spread = |common: bool| {
        let options = FlatOptions { common, playout_moves: 3, ..FlatOptions::default() };
        let differences: Vec<f64> = (0..200)
            .map(|seed| {
                let budget = Budget { iterations: Some(200), ..Budget::default() };
                let report =
                    Flat::new(Lead, options).search_with(&game, &state, seed, &budget, &mut Unwatched);
                report.lines[0].value - report.lines[1].value
            })
            .collect();
        let mean = differences.iter().sum::<f64>() / 200.0;
        (differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / 199.0).sqrt()
    };
    let (common, own) = (spread(true), spread(false));
    assert!(common < own, "{common} and {own}");
}

#[test]
fn edges_are_met_sensibly() {
    let pig = Pig::default();
    let rolling = pig.read_state("30-45+12 p1 rolling").unwrap();
    let over = pig.read_state("90-20+10 p1").unwrap();
    let start = pig.start();
    for allocation in [Allocation::Equal, Allocation::Ucb1 { c: 1.0 }, Allocation::Halving] {
        let options = FlatOptions { allocation, ..FlatOptions::default() };
        let search = |state, count| {
            let budget = Budget { iterations: count, ..Budget::default() };
            Flat::new(Lead, options).search_with(&pig, state, 1, &budget, &mut Unwatched)
        };
        let report = search(&over, Some(10));
        assert_eq!((report.value, report.best, report.stop), (100.0, None, Stop::Complete));
        let report = search(&rolling, Some(500));
        assert!(report.best.is_none() && report.lines.is_empty() && report.value.abs() < 60.0);
        let report = search(&start, Some(1));
        assert_eq!((report.lines.len(), report.counts.simulations), (1, 1));
        // The search also ends without any limit.
        assert_eq!(search(&start, None).stop, Stop::Iterations);
        // Repeated searches give the same result.
        assert_eq!(search(&rolling, Some(500)), search(&rolling, Some(500)));
    }
}

#[test]
fn only_what_was_sampled_is_chosen() {
    let tree = |name: &str, json: &str| {
        let file = std::env::temp_dir().join(format!("{name}-{}.json", std::process::id()));
        std::fs::write(&file, json).unwrap();
        let game = game(&format!("explicit(file=\"{}\")", file.display())).unwrap();
        std::fs::remove_file(file).unwrap();
        game
    };
    let budget = |count| Budget { iterations: Some(count), ..Budget::default() };
    let best = |game: &dyn AnyGame, engine: &str, count| {
        let mut engine = game.engine(engine).unwrap();
        engine.analyze(&*game.start(), 1, &budget(count), &mut Unwatched).best.unwrap()
    };
    // Fewer samples than actions, all of them bad.
    let bad = tree("bad", r#"{"root": {"max": {"a": -1, "b": -10, "c": -10}}, "range": [-10, 10]}"#);
    for engine in ["flat", "bandit", "flat(allocation=halving)"] {
        assert_eq!(best(&*bad, engine, 2), "a", "{engine}");
    }
    // Being in a round that is cut short is no reason to prefer an action.
    let many = r#"{"root": {"max": {"a": 1, "b": 5, "c": 9, "d": 8, "e": 0, "f": 0, "g": 0, "h": 0}}, "range": [0, 10]}"#;
    let many = tree("many", many);
    for count in 8..40 {
        assert_eq!(best(&*many, "flat(allocation=halving)", count), "c", "{count}");
    }
}
