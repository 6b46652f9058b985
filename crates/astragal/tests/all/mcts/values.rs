//! Values of Monte Carlo tree search: convergence, proofs, widening, and known pitfalls of other programs.

use super::{analyze, explicit, iterations, plain, run, trees};
use crate::support::naive;
use astragal::catalog;
use astragal::core::{
    Branch, Budget, Evaluator, Even, Game, Notation, Report, Searcher, Step, Stop, Turn, Unwatched,
};
use astragal::games::cant_stop::{CantStop, Progress};
use astragal::games::ewn::{Ewn, Proximity};
use astragal::games::pig::{Lead, Pig};
use astragal::games::ra::{Assets, Ra};
use astragal::games::random_tree::Hash;
use astragal::games::tic_tac_toe::{OpenLines, TicTacToe};
use astragal::search::{Backup, ChanceRule, Choice, Mcts, MctsOptions, Parallel, Select, Widening};
use astragal::solve::{Payoff, SolveOptions, Unsupervised, solve};

/// Every variant whose root value converges to the exact one, with its name; `c` is the exploration constant
/// of UCB1.
fn variants(c: f64) -> Vec<(&'static str, MctsOptions)> {
    let plain = MctsOptions { select: Select::Ucb1 { c }, ..plain() };
    let heuristic = MctsOptions { playout_moves: 0, ..plain };
    vec![
        ("uct", plain),
        ("uct-h", heuristic),
        ("mcts with dr=2", MctsOptions { playout_moves: 2, ..heuristic }),
        ("uctmax-h", MctsOptions { backup: Backup::Minimax, ..heuristic }),
        ("power", MctsOptions { backup: Backup::Power { p: 4.0 }, ..plain }),
        ("even chance", MctsOptions { chance: ChanceRule::Even, ..plain }),
        ("ucb1-tuned", MctsOptions { select: Select::Ucb1Tuned, ..plain }),
        ("kl-ucb", MctsOptions { select: Select::KlUcb, ..plain }),
        ("thompson", MctsOptions { select: Select::Thompson, ..plain }),
        ("puct", MctsOptions { select: Select::Puct { c }, ..plain }),
        (
            "epsilon with minimax backup",
            MctsOptions {
                select: Select::Epsilon { e: 0.2 },
                backup: Backup::Minimax,
                playout_moves: 0,
                ..plain
            },
        ),
        ("two playouts a leaf", MctsOptions { playouts: 2, ..plain }),
        ("implicit", MctsOptions { implicit: 0.3, ..plain }),
        ("seeding", MctsOptions { seeding: 10.0, ..plain }),
        ("bias", MctsOptions { bias: 1.0, ..plain }),
        ("rave", MctsOptions { rave: 50.0, ..plain }),
        ("solver", MctsOptions { solver: true, ..plain }),
        (
            "unbiased widening",
            MctsOptions { widening: Some(Widening { c: 2.0, alpha: 0.5, unbiased: true }), ..plain },
        ),
        (
            "widening",
            MctsOptions { widening: Some(Widening { c: 2.0, alpha: 0.5, unbiased: false }), ..plain },
        ),
        ("two trees", MctsOptions { threads: 2, ..plain }),
        ("two threads in a tree", MctsOptions { threads: 2, parallel: Parallel::Tree, ..plain }),
        ("two threads a leaf", MctsOptions { threads: 2, parallel: Parallel::Leaf, ..plain }),
    ]
}

/// Runs all variants on a game of known value. Exploration biases the mean, by less and less: with sixteen
/// times the simulations the error must be at most half as large, or within five standard errors of zero.
fn approaches<G: Game, E: Evaluator<G> + Copy>(game: &G, evaluator: E, root: &G::State, count: u64) {
    let exact = value_of(game, root);
    const SEEDS: u64 = 6;
    for (name, options) in variants(1.0) {
        let error = |count: u64| {
            let errors: Vec<f64> = (0..SEEDS)
                .map(|seed| run(game, evaluator, root, options, count, seed).value - exact)
                .collect();
            let mean = errors.iter().sum::<f64>() / SEEDS as f64;
            let spread: f64 = errors.iter().map(|error| (error - mean) * (error - mean)).sum();
            (mean, (spread / (SEEDS * (SEEDS - 1)) as f64).sqrt())
        };
        let ((few, _), (many, unsure)) = (error(count / 16), error(count));
        let near = (0.5 * few.abs()).max(5.0 * unsure) + 1e-9;
        assert!(
            many.abs() <= near,
            "{name}: off by {few} with {}, by {many} ± {unsure} with {count}",
            count / 16
        );
    }
}

fn value_of<G: Game>(game: &G, root: &G::State) -> f64 {
    let solution =
        solve(game, std::slice::from_ref(root), &Payoff, &SolveOptions::default(), &mut Unsupervised)
            .unwrap();
    solution.value(game, root).unwrap()
}

#[test]
fn every_variant_approaches_the_value_of_tic_tac_toe() {
    // Three stones have been placed, late enough for the tree to be complete.
    let position = TicTacToe.read_state("X../.O./..X p2").unwrap();
    approaches(&TicTacToe, OpenLines, &position, 16_000);
}

#[test]
fn every_variant_approaches_the_value_of_small_pig() {
    let game = Pig::new(1, 8).unwrap();
    approaches(&game, Lead, &game.start(), 16_000);
}

#[test]
fn every_variant_approaches_the_value_of_small_einstein() {
    let game = Ewn::new(3, 3, 1).unwrap();
    approaches(&game, Proximity, &game.start(), 16_000);
}

/// The exact value of each action of a small tree.
fn exact_lines<G: Game>(game: &G, root: &G::State) -> Vec<f64> {
    let mut actions = Vec::new();
    game.actions(root, &mut actions);
    actions
        .into_iter()
        .map(|action| {
            let mut next = root.clone();
            game.apply(&mut next, action);
            naive(game, &Even, &next, 1000)
        })
        .collect()
}

#[test]
fn no_variant_prefers_what_exact_search_refutes() {
    // Trees of a few dozen leaves, with enough exploration and simulations to visit each leaf often. A move
    // that is worse by less than a twentieth of the range does not count as refuted.
    for (name, options) in variants(3.0) {
        for (number, tree) in trees(60).enumerate() {
            let Turn::Decide(player) = tree.turn(&tree.start()) else { unreachable!("filtered") };
            let lines = exact_lines(&tree, &tree.start());
            let best = lines.iter().copied().map(|v| player.sign() * v).fold(f64::NEG_INFINITY, f64::max);
            let report = run(&tree, Hash, &tree.start(), options, 4000, number as u64);
            let chosen = report.lines.iter().position(|line| Some(line.action) == report.best).unwrap();
            let lost = best - player.sign() * lines[chosen];
            assert!(lost <= 0.05 * tree.range().width(), "{name}, tree {number}: lost {lost} of {lines:?}");
        }
    }
}

#[test]
fn the_solver_proves_the_exact_value() {
    let solver = MctsOptions { solver: true, ..plain() };
    let mut proved = 0;
    for (number, tree) in trees(150).enumerate() {
        let exact = naive(&tree, &Even, &tree.start(), 1000);
        let report = run(&tree, Even, &tree.start(), solver, 200_000, number as u64);
        assert_eq!(report.stop, Stop::Complete, "tree {number}");
        let slack = 1e-8 * tree.range().width();
        assert!((report.value - exact).abs() <= slack, "tree {number}: {} and {exact}", report.value);
        let lines = exact_lines(&tree, &tree.start());
        for (line, exact) in report.lines.iter().zip(&lines) {
            assert!(line.bounds.lo - slack <= *exact && *exact <= line.bounds.hi + slack, "tree {number}");
        }
        proved += 1;
    }
    assert!(proved > 50, "only {proved} trees");
    // A game without chance, which is proved to be a draw.
    let report = run(&TicTacToe, Even, &TicTacToe.start(), solver, 400_000, 1);
    assert_eq!((report.stop, report.value), (Stop::Complete, 0.0));
}

#[test]
fn a_gamble_that_nearly_always_wins_beats_a_sure_draw() {
    let game = explicit(
        r#"{"root": {"max": {"draw": 0, "gamble": {"chance": [[0.95, 1], [0.05, -1]]}}}, "range": [-1, 1]}"#,
    );
    for engine in
        ["mcts(solver=on,dr=inf)", "uct(solver=on)", "dpw(solver=on,dr=inf)", "uctmax-h(solver=on)", "uct"]
    {
        let analysis = analyze(&*game, engine, 5000);
        assert_eq!(analysis.best.as_deref(), Some("gamble"), "{engine}");
        assert!((analysis.value - 0.9).abs() < 0.02, "{engine}: {}", analysis.value);
    }
    let proved = analyze(&*game, "uct(solver=on)", 5000);
    assert_eq!(proved.stop, Stop::Complete);
    assert!((proved.value - 0.9).abs() < 1e-9);
}

#[test]
fn minimax_backups_take_the_best_mean() {
    // Max chooses between a Min node of 3 and 5, and a Min node of 4 and 9: minimax 4, by "right".
    let json = r#"{"root": {"max": {"left": {"min": {"a": 3, "b": 5}}, "right": {"min": {"c": 4, "d": 9}}}}, "range": [0, 10]}"#;
    let game = explicit(json);
    let analysis = analyze(&*game, "uctmax-h", 200);
    assert_eq!((analysis.best.as_deref(), analysis.value), (Some("right"), 4.0));
    let lines: Vec<f64> = analysis.lines.iter().map(|line| line.value).collect();
    assert_eq!(lines, [3.0, 4.0]);
    // The means include the worse leaves.
    let analysis = analyze(&*game, "uct", 200);
    assert!(analysis.value > 4.0 && analysis.best.as_deref() == Some("right"), "{analysis:?}");
}

/// A callback for a node of a tree and its state.
type Look<'a, G> = dyn FnMut(&<G as Game>::State, &Branch<<G as Game>::Action, <G as Game>::Outcome>) + 'a;

/// Calls `look` for every node of a tree with its state.
fn walk<G: Game>(game: &G, state: &G::State, branch: &Branch<G::Action, G::Outcome>, look: &mut Look<'_, G>) {
    look(state, branch);
    for child in &branch.children {
        let mut next = state.clone();
        match child.step.unwrap() {
            Step::Action(action) => game.apply(&mut next, action),
            Step::Outcome(outcome) => game.resolve(&mut next, outcome),
        }
        walk(game, &next, child, look);
    }
}

#[test]
fn every_action_in_the_tree_is_legal_for_its_dice() {
    let game = Ewn::new(5, 5, 6).unwrap();
    let mut search = Mcts::with_options(Proximity, plain());
    search.search_with(&game, &game.start(), 1, &iterations(20_000), &mut Unwatched);
    let tree = search.tree(&game, 40, 1).unwrap();
    let mut seen = 0;
    walk(&game, &game.start(), &tree, &mut |state, branch| {
        let mut actions = Vec::new();
        if let Turn::Decide(_) = game.turn(state) {
            game.actions(state, &mut actions);
        }
        for child in &branch.children {
            if let Some(Step::Action(action)) = child.step {
                assert!(actions.contains(&action));
                seen += 1;
            }
        }
        // Every visit except the first continues to a child.
        if !branch.children.is_empty() {
            let below: u64 = branch.children.iter().map(|child| child.visits).sum();
            assert!(below == branch.visits || below + 1 == branch.visits, "{} and {below}", branch.visits);
        }
    });
    assert!(seen > 5000, "{seen}");
}

#[test]
fn widening_keeps_to_its_table() {
    let widening = Widening { c: 5.0, alpha: 0.2, unbiased: false };
    assert_eq!([1, 10, 100].map(|v| widening.limit(v)), [5, 8, 13]);
    assert_eq!(widening.limit(0), 5);
    let game = CantStop::new(6, 3, 3, 2).unwrap();
    for unbiased in [false, true] {
        let widening = Widening { c: 2.0, alpha: 0.3, unbiased };
        let options = MctsOptions { widening: Some(widening), playout_moves: 0, ..plain() };
        let mut search = Mcts::with_options(Progress, options);
        search.search_with(&game, &game.start(), 1, &iterations(5000), &mut Unwatched);
        let tree = search.tree(&game, 30, 1).unwrap();
        let (mut nodes, mut full) = (0, 0);
        walk(&game, &game.start(), &tree, &mut |state, branch| {
            if branch.visits > 1 {
                // The limit was computed from the visits before the last one.
                let room = widening.limit(branch.visits as u32 - 1);
                assert!(branch.children.len() as u64 <= room, "{} of {room}", branch.children.len());
                nodes += 1;
                full += u32::from(game.turn(state) == Turn::Chance && branch.children.len() as u64 == room);
            }
        });
        assert!(nodes > 200 && full > 20, "{nodes} nodes, {full} of them full");
    }
}

#[test]
fn unbiased_widening_has_no_bias() {
    // One chance node with four outcomes, limited to two: the biased form samples only the first two drawn.
    let game = explicit(
        r#"{"root": {"max": {"go": {"chance": [[0.25, -1], [0.25, -1], [0.25, 1], [0.25, 1]]}, "stay": -1}}, "range": [-1, 1]}"#,
    );
    let value = |engine: &str| {
        let analysis = analyze(&*game, engine, 20_000);
        analysis.lines[0].value
    };
    let free = value("dpw(dr=inf,c=1,c2=2,alpha=0,unbiased=on)");
    assert!(free.abs() < 0.03, "{free}");
    let biased: Vec<f64> = (0..8)
        .map(|seed| {
            let mut engine = game.engine("dpw(dr=inf,c=1,c2=2,alpha=0)").unwrap();
            engine.analyze(&*game.start(), seed, &iterations(2000), &mut Unwatched).lines[0].value
        })
        .collect();
    assert!(biased.iter().any(|value| value.abs() > 0.9), "{biased:?}");
}

#[test]
fn results_are_repeatable() {
    let game = Ra::default();
    let root = game.start();
    let threads = |parallel, threads| MctsOptions { playout_moves: 4, parallel, threads, ..plain() };
    for options in [
        threads(Parallel::Root, 1),
        threads(Parallel::Root, 2),
        threads(Parallel::Root, 3),
        threads(Parallel::Leaf, 2),
        MctsOptions { select: Select::Thompson, ..threads(Parallel::Root, 1) },
    ] {
        let one = run(&game, Assets, &root, options, 600, 7);
        assert_eq!(one, run(&game, Assets, &root, options, 600, 7));
        assert_ne!(one.lines, run(&game, Assets, &root, options, 600, 8).lines);
        assert_eq!(one.counts.simulations, 600);
        assert_eq!(one.lines.iter().map(|line| line.visits).sum::<u64>(), 600);
    }
    // A budget in nodes is equally repeatable.
    let budget = Budget { nodes: Some(20_000), ..Budget::default() };
    let search = || {
        Mcts::with_options(Assets, threads(Parallel::Root, 2)).search_with(
            &game,
            &root,
            1,
            &budget,
            &mut Unwatched,
        )
    };
    assert_eq!(search(), search());
    assert_eq!(search().stop, Stop::Nodes);
}

#[test]
fn a_search_goes_on_where_the_last_one_stopped() {
    let game = Ewn::new(5, 5, 6).unwrap();
    let mut state = game.start();
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    game.resolve(&mut state, outcomes[0].item);
    for reuse in [false, true] {
        let mut search = Mcts::with_options(Proximity, MctsOptions { reuse, ..plain() });
        let first = search.search_with(&game, &state, 1, &iterations(5000), &mut Unwatched);
        // The most likely reply, followed by a roll.
        let mut next = state;
        for step in first.pv.iter().take(3) {
            match *step {
                Step::Action(action) => game.apply(&mut next, action),
                Step::Outcome(outcome) => game.resolve(&mut next, outcome),
            }
        }
        let second = search.search_with(&game, &next, 1, &iterations(1000), &mut Unwatched);
        let visits: u64 = search.tree(&game, 0, 1).unwrap().visits;
        assert_eq!(second.counts.simulations, 1000);
        assert_eq!(visits > 1000, reuse, "{visits} visits");
    }
}

#[test]
fn a_tree_claims_no_standard_error_and_shows_the_deviation_of_its_simulations() {
    // The gamble has value 0.9 and a standard deviation of √(1 - 0.81) = 0.436. In a tree the simulations
    // depend on each other, so the distance of their mean from the truth is unknown.
    let game = explicit(
        r#"{"root": {"max": {"draw": 0, "gamble": {"chance": [[0.95, 1], [0.05, -1]]}}}, "range": [-1, 1]}"#,
    );
    let mut engine = game.engine("uct(c=2)").unwrap();
    let analysis = engine.analyze(&*game.start(), 1, &iterations(40_000), &mut Unwatched);
    let line = &analysis.lines[1];
    assert_eq!(line.error, None);
    // The variance of such a coin's squares gives the deviation a standard error of 0.9 / √n; five of these
    // are allowed.
    let (deviation, slack) = (line.deviation.unwrap(), 5.0 * 0.9 / (line.visits as f64).sqrt());
    assert!((deviation - 0.19_f64.sqrt()).abs() < slack, "{deviation} after {} visits", line.visits);
}

#[test]
fn standard_errors_of_independent_playouts_are_honest() {
    // A real game: the spread of the means over seeds is the error that each of them reports.
    let game = catalog::game("pig(target=30)").unwrap();
    let position = game.read("12-15+6 p1").unwrap();
    let mut engine = game.engine("flat").unwrap();
    const RUNS: u64 = 400;
    let (mut sum, mut squares, mut claimed) = (0.0, 0.0, 0.0);
    for seed in 0..RUNS {
        let analysis = engine.analyze(&*position, seed, &iterations(400), &mut Unwatched);
        let line = &analysis.lines[0];
        assert_eq!(line.deviation, None);
        sum += line.value;
        squares += line.value * line.value;
        claimed += line.error.unwrap().powi(2);
    }
    let runs = RUNS as f64;
    let variance = (squares - sum * sum / runs) / (runs - 1.0);
    // The ratio of two variances, one with 399 degrees of freedom, has a standard error of √(2 / 399) = 0.07;
    // four of these are allowed.
    let ratio = variance / (claimed / runs);
    assert!((0.72..1.28).contains(&ratio), "{ratio}");
}

#[test]
fn the_choice_may_be_by_visits_or_by_mean() {
    let lines = |choice| {
        let game = Ra::default();
        run(&game, Assets, &game.start(), MctsOptions { playout_moves: 0, choice, ..plain() }, 50, 1)
    };
    let by = |report: &Report<_, _>, key: &dyn Fn(&astragal::core::Line<_>) -> f64| {
        let best = report.lines.iter().max_by(|a, b| key(a).total_cmp(&key(b))).unwrap();
        best.action
    };
    let visits = lines(Choice::Visits);
    assert_eq!(visits.best, Some(by(&visits, &|line| line.visits as f64)));
    let mean = lines(Choice::Mean);
    assert_eq!(mean.best, Some(by(&mean, &|line| line.value)));
}

#[test]
fn large_powers_are_the_best_child() {
    let game = explicit(r#"{"root": {"max": {"a": {"max": {"x": 4, "y": 3}}, "b": 2}}, "range": [0, 10]}"#);
    let analysis = analyze(&*game, "uct(backup=power(p=1000),c=2)", 500);
    assert_eq!(analysis.best.as_deref(), Some("a"));
    assert!((analysis.value - 4.0).abs() < 0.1, "{}", analysis.value);
}

#[test]
fn widening_and_solver_keep_to_the_room_together() {
    let game = Pig::default();
    let state = game.read_state("90-90+0 p1").unwrap();
    let widening = Widening { c: 1.0, alpha: 0.0, unbiased: false };
    let options = MctsOptions { widening: Some(widening), solver: true, playout_moves: 0, ..plain() };
    let mut search = Mcts::with_options(Lead, options);
    search.search_with(&game, &state, 1, &iterations(2000), &mut Unwatched);
    walk(&game, &state, &search.tree(&game, 30, 1).unwrap(), &mut |_, branch| {
        assert!(branch.children.len() <= 1, "{} children", branch.children.len());
    });
}

#[test]
fn even_chance_and_proofs_go_together() {
    let game = Pig::new(1, 20).unwrap();
    let state = game.read_state("15-15+0 p1").unwrap();
    let exact = naive(&game, &Even, &state, 14);
    for chance in [ChanceRule::Sample, ChanceRule::Even] {
        let options = MctsOptions { solver: true, chance, ..plain() };
        let report = run(&game, Even, &state, options, 60_000, 1);
        assert!((report.value - exact).abs() < 4.0, "{chance:?}: {} and {exact}", report.value);
    }
}

#[test]
fn widening_looks_at_the_most_promising_actions_first() {
    // A single disaster is up for auction, and the winner must take it. `pass` is listed last and has the
    // highest promise.
    let game = catalog::game("ra").unwrap();
    let position = game.read("1/1 10:9652:- 10:8743:- 1 unrest - p2 auction:p1:forced:0").unwrap();
    let dpw = "dpw(c=0.5,dr=0,c2=2,alpha=0.1)";
    let analysis = game.engine(dpw).unwrap().analyze(&*position, 0, &Budget::nodes(2000), &mut Unwatched);
    assert_eq!(analysis.best.as_deref(), Some("pass"));
    // With a limit of one action, no other is ever tried, under any selection rule.
    for select in ["ucb1", "ucb1-tuned", "epsilon(e=0.5)", "puct", "kl-ucb", "thompson"] {
        for solver in ["off", "on"] {
            let spec = format!("dpw(c2=1,alpha=0,select={select},solver={solver})");
            let analysis =
                game.engine(&spec).unwrap().analyze(&*position, 0, &iterations(200), &mut Unwatched);
            let tried: Vec<&str> = analysis
                .lines
                .iter()
                .filter(|line| line.visits > 0)
                .map(|line| line.action.as_str())
                .collect();
            assert_eq!(tried, ["pass"], "{spec}");
        }
    }
}

#[test]
fn widening_with_room_for_all_is_plain_search() {
    for spec in ["ra", "cant-stop", "ewn"] {
        let game = catalog::game(spec).unwrap();
        let visits = |engine: &str| -> Vec<u64> {
            let position = match spec {
                "ewn" => game.start().chance(0.5).unwrap().1,
                "cant-stop" => game.start().act("roll").unwrap().chance(0.5).unwrap().1,
                _ => game.start(),
            };
            let analysis =
                game.engine(engine).unwrap().analyze(&*position, 3, &iterations(500), &mut Unwatched);
            analysis.lines.iter().map(|line| line.visits).collect()
        };
        assert_eq!(visits("dpw(c2=1e6)"), visits("mcts"), "{spec}");
    }
}

#[test]
fn the_default_constant_suits_every_range() {
    // The gamble is worth 11/3 and the sure thing 4, at any scale and offset.
    for (scale, shift) in [(1.0, 0.0), (0.1, 0.0), (1000.0, 5e4), (0.001, -1.0)] {
        let v = |x: f64| scale * x + shift;
        let json = format!(
            r#"{{"root": {{"max": {{"certain": {}, "gamble": {{"chance": {{
                "first": ["1/3", {}], "second": ["1/3", {{"min": {{"left": {}, "right": {}}}}}],
                "third": ["1/3", {{"min": {{"left": {}, "right": {}}}}}]}}}}}}}}, "range": [{}, {}]}}"#,
            v(4.0),
            v(2.0),
            v(6.0),
            v(9.0),
            v(8.0),
            v(3.0),
            v(2.0),
            v(9.0)
        );
        let game = explicit(&json);
        for engine in ["mcts", "dpw", "uct", "uct-h", "uctmax-h", "bandit(dr=5)"] {
            if engine.starts_with("bandit") {
                // Under random play the gamble is worth more than the sure thing: this search looks no
                // deeper.
                continue;
            }
            for seed in 0..5 {
                let mut search = game.engine(engine).unwrap();
                let analysis = search.analyze(&*game.start(), seed, &iterations(10_000), &mut Unwatched);
                assert_eq!(analysis.best.as_deref(), Some("certain"), "{engine} with seed {seed}: {json}");
            }
        }
    }
}
