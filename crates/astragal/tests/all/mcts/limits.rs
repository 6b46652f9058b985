//! Memory, threads and clocks of Monte Carlo tree search, and behaviour at the edges.

use super::{analyze, explicit, iterations, plain, run};
use astragal::catalog;
use astragal::core::{
    Budget, Counts, Evaluator, Even, Game, Notation, Searcher, Step, Stop, Unwatched, Watch,
};
use astragal::games::cant_stop::{CantStop, Progress};
use astragal::games::ewn::{Ewn, Proximity};
use astragal::games::pig::{Lead, Pig};
use astragal::games::ra::{Assets, Ra};
use astragal::games::tic_tac_toe::{OpenLines, TicTacToe};
use astragal::search::{Mcts, MctsOptions, Parallel};
use std::time::Duration;

#[test]
fn threads_that_share_a_tree_lose_no_simulation() {
    let game = Ewn::new(5, 5, 6).unwrap();
    let state = game.read_state("123../45.../6...a/...bc/..def p1 3").unwrap();
    for threads in [2, 4] {
        for solver in [false, true] {
            let options = MctsOptions { threads, parallel: Parallel::Tree, solver, ..plain() };
            let report = run(&game, Proximity, &state, options, 30_000, 1);
            assert_eq!(report.counts.simulations, 30_000);
            assert_eq!(report.lines.iter().map(|line| line.visits).sum::<u64>(), 30_000);
        }
    }
}

#[test]
fn a_tree_keeps_within_its_memory_and_the_search_goes_on() {
    let game = Ra::default();
    for parallel in [Parallel::Root, Parallel::Tree] {
        for solver in [false, true] {
            let options =
                MctsOptions { memory_mib: 1, threads: 2, parallel, solver, playout_moves: 0, ..plain() };
            let report = run(&game, Assets, &game.start(), options, 60_000, 1);
            assert_eq!(report.counts.simulations, 60_000);
            assert!(report.counts.tree_bytes <= 1 << 20, "{} bytes", report.counts.tree_bytes);
            assert!(report.counts.tree_bytes > 1 << 18, "{} bytes", report.counts.tree_bytes);
        }
    }
}

#[test]
fn a_node_takes_few_bytes_with_its_edge() {
    fn bytes<G: Game, E: Evaluator<G>>(game: &G, evaluator: E) -> f64 {
        let counts =
            run(game, evaluator, &game.start(), MctsOptions { playout_moves: 0, ..plain() }, 50_000, 1)
                .counts;
        counts.tree_bytes as f64 / counts.tree_nodes as f64
    }
    for (name, bytes) in [
        ("pig", bytes(&Pig::default(), Lead)),
        ("ewn", bytes(&Ewn::new(5, 5, 6).unwrap(), Proximity)),
        ("cant-stop", bytes(&CantStop::new(6, 3, 3, 2).unwrap(), Progress)),
        ("ra", bytes(&Ra::default(), Assets)),
        ("tic-tac-toe", bytes(&TicTacToe, OpenLines)),
    ] {
        assert!((16.0..=28.0).contains(&bytes), "{name}: {bytes} bytes a node");
    }
}

/// A watch whose clock advances with every query.
struct Ticking(u32);

impl Watch for Ticking {
    fn elapsed(&mut self) -> Duration {
        self.0 += 1;
        Duration::from_micros(100) * self.0
    }
}

#[test]
fn edges_are_met_sensibly() {
    let pig = Pig::default();
    // One legal action.
    let report = run(&pig, Lead, &pig.start(), plain(), 100, 1);
    assert_eq!((report.lines.len(), report.best), (1, Some(report.lines[0].action)));
    // A finished game.
    let over = pig.read_state("90-20+10 p1").unwrap();
    let report = run(&pig, Lead, &over, plain(), 100, 1);
    assert_eq!((report.value, report.best, report.stop), (100.0, None, Stop::Complete));
    // A chance node at the root.
    let rolling = pig.read_state("30-45+12 p1 rolling").unwrap();
    let report = run(&pig, Lead, &rolling, MctsOptions { playout_moves: 0, ..plain() }, 1000, 1);
    assert!(report.best.is_none() && report.lines.is_empty() && report.value.abs() < 100.0);
    assert!(matches!(report.pv[0], Step::Outcome(_)));
    // A millisecond.
    let budget = Budget { time: Some(Duration::from_millis(1)), ..Budget::default() };
    let state = pig.read_state("30-45+12 p1").unwrap();
    let report = Mcts::with_options(Lead, plain()).search_with(&pig, &state, 1, &budget, &mut Ticking(0));
    assert_eq!(report.stop, Stop::Time);
    assert!(report.best.is_some() && report.counts.simulations > 0);
    // No time at all still gives a legal action.
    let budget = Budget { time: Some(Duration::ZERO), ..Budget::default() };
    let report = Mcts::with_options(Lead, plain()).search_with(&pig, &state, 1, &budget, &mut Ticking(0));
    assert!(report.best.is_some());
    // One simulation.
    let report = run(&pig, Lead, &state, plain(), 1, 1);
    assert!(report.best.is_some() && report.counts.simulations == 1);
}

#[test]
fn trees_that_were_never_opened_say_nothing() {
    let game = catalog::game("tic-tac-toe").unwrap();
    let position = game.read("XX./OO./... p1").unwrap();
    for count in [1, 2, 3, 5, 100_000] {
        let mut engine = game.engine("uct(solver=on,threads=8)").unwrap();
        let mut search = || engine.analyze(&*position, 5, &iterations(count), &mut Unwatched);
        let analysis = search();
        // If the tree contains the winning move its value is 100, and nothing is proved to be 0.
        assert!(analysis.lines.iter().all(|line| line.bounds.lo <= line.bounds.hi), "{analysis:?}");
        assert!(analysis.value != 0.0 || analysis.stop != Stop::Complete, "{analysis:?}");
        assert_eq!(analysis, search());
        if count == 100_000 {
            assert_eq!((analysis.best.as_deref(), analysis.value), (Some("3"), 100.0));
        }
    }
}

#[test]
fn a_full_memory_does_not_spoil_what_is_drawn() {
    // Twenty outcomes, half of them small trees of chance nodes; all have mean 1.
    let leaf = r#"{"chance": [[0.5, 4], [0.5, -2]]}"#;
    let inner = format!(r#"{{"chance": [[0.9, 1], [0.1, {leaf}]]}}"#);
    let outcomes: Vec<String> =
        (0..20).map(|i| format!("[0.05, {}]", if i % 2 == 0 { "1" } else { &inner })).collect();
    let game = explicit(&format!(
        r#"{{"root": {{"max": {{"go": {{"chance": [{}]}}, "stay": -3}}}}, "range": [-5, 5]}}"#,
        outcomes.join(", ")
    ));
    let analysis = analyze(&*game, "uct(solver=on,dr=0,memory_mib=1)", 20_000);
    assert!((analysis.value - 1.0).abs() < 0.05, "{}", analysis.value);
}

#[test]
fn too_little_memory_for_all_trees_is_refused() {
    let game = catalog::game("pig").unwrap();
    assert!(game.engine("mcts(memory_mib=1,threads=64)").is_err());
    assert!(game.engine("mcts(memory_mib=1,threads=16)").is_ok());
}

#[test]
fn threads_that_share_a_tree_prove_together() {
    // Threads narrow bounds while others select by them.
    let options = MctsOptions { solver: true, threads: 4, parallel: Parallel::Tree, ..plain() };
    for seed in 0..50 {
        let report = run(&TicTacToe, Even, &TicTacToe.start(), options, 60_000, seed);
        assert!(report.stop == Stop::Iterations || report.value == 0.0, "seed {seed}: {}", report.value);
    }
}

#[test]
fn a_proof_in_one_tree_does_not_keep_the_others_running() {
    struct Clock(std::time::Instant);
    impl Watch for Clock {
        fn elapsed(&mut self) -> Duration {
            self.0.elapsed()
        }
    }
    let state = TicTacToe.read_state("X../.../... p2").unwrap();
    for limit in [None, Some(1 << 40)] {
        // Trees that are too small for a proof, beside others that may find one.
        let options = MctsOptions { solver: true, threads: 8, memory_mib: 1, ..plain() };
        let time = Some(Duration::from_millis(100));
        let budget = Budget { time, iterations: limit, ..Budget::default() };
        let begin = std::time::Instant::now();
        Mcts::with_options(Even, options).search_with(&TicTacToe, &state, 1, &budget, &mut Clock(begin));
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    }
}

#[test]
fn other_backups_reach_a_chance_root_that_threads_share() {
    let choice = r#"{"max": {"a": 1, "b": -1}}"#;
    let json = format!(r#"{{"root": {{"chance": [[0.5, {choice}], [0.5, {choice}]]}}, "range": [-1, 1]}}"#);
    let game = explicit(&json);
    for threads in [1, 2, 4] {
        let engine = format!("uctmax-h(c=20,threads={threads},parallel=tree)");
        assert_eq!(analyze(&*game, &engine, 2000).value, 1.0, "{engine}");
    }
}

#[test]
fn a_full_memory_is_told() {
    let game = Ra::default();
    let small = MctsOptions { memory_mib: 1, playout_moves: 0, ..plain() };
    assert!(run(&game, Assets, &game.start(), small, 60_000, 1).counts.tree_full);
    assert!(!run(&game, Assets, &game.start(), small, 100, 1).counts.tree_full);
}

/// A real clock, optionally with cancellation after some time.
struct RealClock {
    start: std::time::Instant,
    cancel_after: Option<Duration>,
}

impl Watch for RealClock {
    fn elapsed(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        self.cancel_after.is_some_and(|limit| self.start.elapsed() >= limit)
    }
}

#[test]
fn playouts_that_hardly_end_heed_the_clock_the_button_and_the_nodes() {
    // Random play needs hours to reach 10,000 points, because a single 1 loses the turn and a double 1 the
    // score.
    let game = catalog::game("pig(target=10000)").unwrap();
    let engines = [
        "uct",
        "mcts(dr=inf)",
        "mcts(dr=inf,playouts=5)",
        "dpw(dr=inf)",
        "uct(threads=3)",
        "uct(threads=3,parallel=tree)",
        "uct(threads=3,parallel=leaf)",
        "flat",
        "bandit",
        "flat(allocation=halving)",
    ];
    let limit = Duration::from_millis(100);
    let timed = Budget { time: Some(limit), ..Budget::default() };
    let cases = [
        (timed, None, Stop::Time),
        (iterations(1_000_000), Some(limit), Stop::Cancelled),
        (Budget::nodes(200), None, Stop::Nodes),
    ];
    for engine in engines {
        for (budget, cancel_after, why) in cases {
            in_time(&format!("{engine} {budget:?}"), Duration::from_secs(2), || {
                let mut watch = RealClock { start: std::time::Instant::now(), cancel_after };
                let analysis = game.engine(engine).unwrap().analyze(&*game.start(), 0, &budget, &mut watch);
                assert_eq!(analysis.stop, why, "{engine} {budget:?}");
                assert!(analysis.best.is_some(), "{engine}");
                watch.start.elapsed()
            });
        }
    }
}

#[test]
fn the_last_playout_does_not_pass_the_nodes() {
    let game = catalog::game("pig").unwrap();
    for engine in ["uct", "flat", "uct(playouts=3)"] {
        let analysis =
            game.engine(engine).unwrap().analyze(&*game.start(), 0, &Budget::nodes(20_000), &mut Unwatched);
        let Counts { nodes, simulations, .. } = analysis.counts;
        // A playout checks the limits every 256 steps.
        assert!(simulations > 1 && (20_000..20_256).contains(&nodes), "{engine}: {nodes} of {simulations}");
    }
}

#[test]
fn a_simulation_that_was_given_up_leaves_no_trace() {
    // Threads that share a tree add virtual losses along their paths; a stopped simulation must remove its
    // own, or the next search of the same tree would avoid those nodes forever.
    let game = catalog::game("pig(target=10000)").unwrap();
    let mut engine = game.engine("uct(threads=2,parallel=tree)").unwrap();
    let mut watch =
        RealClock { start: std::time::Instant::now(), cancel_after: Some(Duration::from_millis(50)) };
    let analysis = engine.analyze(&*game.start(), 0, &iterations(1000), &mut watch);
    let visits: u64 = analysis.lines.iter().map(|line| line.visits).sum();
    assert_eq!(visits, analysis.counts.simulations);
}

/// Checks that something can be done in time. A busy machine may stall occasionally, so there are several
/// tries.
fn in_time(what: &str, limit: Duration, mut elapsed: impl FnMut() -> Duration) {
    let tries: Vec<Duration> = (0..5).map(|_| elapsed()).take_while(|elapsed| *elapsed >= limit).collect();
    assert!(tries.len() < 5, "{what} took {tries:?}");
}

#[test]
fn many_threads_keep_the_clock_and_the_result() {
    let game = catalog::game("pig").unwrap();
    let position = game.read("30-45+12 p1").unwrap();
    for parallel in ["root", "tree", "leaf"] {
        let spec = format!("mcts(threads=1024,parallel={parallel},memory_mib=1024)");
        let budget = Budget::time(Duration::from_millis(200));
        let search = || {
            let mut watch = RealClock { start: std::time::Instant::now(), cancel_after: None };
            let analysis = game.engine(&spec).unwrap().analyze(&*position, 0, &budget, &mut watch);
            assert!(analysis.counts.simulations > 0);
            watch.start.elapsed()
        };
        in_time(&spec, Duration::from_millis(1200), search);
    }
    // With root parallelism the result does not depend on the number of processors: simulations are assigned
    // to the trees in advance.
    let spec = "mcts(threads=100,dr=5,memory_mib=1024)";
    let runs: Vec<_> = (0..3)
        .map(|_| game.engine(spec).unwrap().analyze(&*position, 7, &iterations(1050), &mut Unwatched))
        .collect();
    assert!(runs.iter().all(|run| *run == runs[0]) && runs[0].counts.simulations == 1050);
}
