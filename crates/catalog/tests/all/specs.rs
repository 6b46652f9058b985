//! Spec strings through the whole catalogue: printed ones are complete and can be read back, invalid ones are
//! explained.

use astragal_catalog::{AnyGame, EngineInfo, Position, Spec, engines, game, games};
use astragal_core::{Budget, Limit, Step, Stop, Turn, Unwatched, Watch};
use astragal_solve::{SolveOptions, Unsupervised};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

fn built(name: &str) -> Box<dyn AnyGame> {
    if name == "explicit" {
        // Written once, for tests that run in parallel.
        static FILE: OnceLock<PathBuf> = OnceLock::new();
        let file = FILE.get_or_init(|| {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("specs.json");
            let tree = r#"{"max": {"a": {"chance": [[0.5, 1], [0.5, {"min": {"x": 2, "y": 3}}]]}, "b": 1}}"#;
            std::fs::write(&file, tree).unwrap();
            file
        });
        return game(&format!("explicit(file=\"{}\")", file.display())).unwrap();
    }
    game(name).unwrap()
}

#[test]
fn a_printed_spec_is_complete_and_means_itself() {
    for info in games() {
        let first = built(info.info.name);
        let again = game(first.spec()).unwrap();
        assert_eq!(first.spec(), again.spec());
        assert_eq!(Spec::parse(first.spec()).unwrap().args.len(), info.info.params.len());
        for engine in engines() {
            // Solving all of Pig takes too long here.
            if engine.name == "optimal" {
                continue;
            }
            let Ok(built) = first.engine(engine.name) else {
                let other = ["solved", "uci"].contains(&engine.name)
                    || engine.game.is_some_and(|only| only != info.info.name);
                assert!(
                    other || !engine.chance && first.has_chance(),
                    "{} on {}",
                    engine.name,
                    info.info.name
                );
                continue;
            };
            assert_eq!(first.engine(built.spec()).unwrap().spec(), built.spec());
            // `strongest` is an alias, and reports the engine that it stands for.
            assert_eq!(Spec::parse(built.spec()).unwrap().args.len(), built.info().params.len());
            assert_eq!(built.info().name == engine.name, engine.name != "strongest");
        }
    }
}

#[test]
fn every_engine_searches_every_game_that_it_is_for() {
    for info in games() {
        let game = built(info.info.name);
        let fits = |engine: &&EngineInfo| {
            let ours = engine.game.is_none_or(|only| only == info.info.name);
            ours && !["solved", "uci"].contains(&engine.name)
                && engine.name != "optimal"
                && (engine.chance || !game.has_chance())
        };
        for engine in engines().filter(fits) {
            for evaluator in &info.evaluators {
                let spec = match engine.params.iter().any(|p| p.name == "eval") {
                    true => format!("{}(eval={})", engine.name, evaluator.name),
                    false => engine.name.to_string(),
                };
                let mut engine = game.engine(&spec).unwrap();
                let position = game.start();
                let budget = match engine.heeds() {
                    [] => Budget::default(),
                    limits if limits.contains(&Limit::Iterations) => Budget::iterations(100),
                    _ => Budget::depth(2),
                };
                let analysis = engine.analyze(&*position, 7, &budget, &mut Unwatched);
                assert!(game.range().contains(analysis.value), "{spec}: {analysis:?}");
                assert_eq!(analysis.lines.len(), position.actions().len());
                assert_eq!(analysis.best.is_none(), position.turn() == Turn::Chance);
                assert!(analysis.best.iter().all(|best| position.actions().contains(best)));
                assert!(
                    analysis.best.is_none() || analysis.pv.first().map(Step::inner) == analysis.best.as_ref()
                );
            }
        }
    }
}

#[test]
fn the_whole_family_says_the_same_through_the_catalogue() {
    let game = built("pig(target=40)");
    let position = game.read("12-20+9 p2").unwrap();
    let value = |spec: &str| {
        let analysis = game.engine(spec).unwrap().analyze(&*position, 3, &Budget::depth(4), &mut Unwatched);
        (analysis.value, analysis.best, analysis.tied)
    };
    let exact = value("expectimax");
    for spec in [
        "star1",
        "star2",
        "star2(probes=3)",
        "star1(table=off,order=off)",
        "star2(prune_from=1,all_lines=on)",
    ] {
        assert_eq!(value(spec), exact, "{spec}");
    }
    let sampled = value("expss(width=5)");
    assert_ne!(sampled.0, exact.0);
    assert_eq!(value("star1ss(width=5)"), sampled);
    assert_eq!(value("star2ss(width=5)"), sampled);
    let by_state = value("expss(width=5,keys=state,table=values)");
    assert_eq!(value("star2ss(width=5,keys=state,table=values)"), by_state);
}

#[test]
fn a_principal_variation_can_be_played() {
    let tables: [&[&str]; 2] =
        [&["table=off", "table=order", "table=values"], &["table_mib=0", "table_mib=1", "plain=on"]];
    for (name, engine, tables) in [
        ("pig", "star2", tables[0]),
        ("random-tree(depth=8)", "star1", tables[0]),
        ("tic-tac-toe", "alpha-beta", tables[1]),
        ("kalah", "alpha-beta", tables[1]),
        ("chess", "alpha-beta", tables[1]),
    ] {
        let game = built(name);
        for table in tables {
            let mut engine = game.engine(&format!("{engine}({table})")).unwrap();
            let mut at = game.start();
            let analysis = engine.analyze(&*at, 1, &Budget::depth(4), &mut Unwatched);
            let mut decisions = 0;
            for step in analysis.pv.iter().map(Step::inner) {
                at = match at.turn() {
                    Turn::Decide(_) => {
                        decisions += 1;
                        at.act(step).unwrap()
                    }
                    Turn::Chance => at.resolve(step).unwrap(),
                    Turn::Over(_) => panic!("{:?} goes on after the end", analysis.pv),
                };
            }
            let ended = matches!(at.turn(), Turn::Over(_));
            assert!(decisions == 4 || ended, "{name}: {:?}", analysis.pv);
        }
    }
}

#[test]
fn wrong_specs_are_explained_in_one_line() {
    for (spec, why) in [
        (
            "pgi",
            "unknown game 'pgi'; did you mean pig? there are: pig, ewn, cant-stop, ra, tic-tac-toe, connect-four, kalah, chess, explicit, random-tree",
        ),
        ("checkers", "unknown game 'checkers'; there are: pig,"),
        ("pig(die=1)", "unknown parameter of 'pig': 'die'; did you mean dice? there are: dice, target"),
        ("pig(dice=3)", "pig: dice=3 is not a whole number in the range 1 to 2"),
        ("pig(target=1)", "pig: target=1 is not a whole number in the range 2 to 10000"),
        ("pig(target=-5)", "target=-5 is not"),
        ("pig(target=99999999999999999999)", "is not a whole number"),
        ("pig(dice=two)", "dice=two is not a whole number"),
        ("tic-tac-toe(size=4)", "'tic-tac-toe' has no parameters, but 'size' is given"),
        ("explicit", "'explicit' needs file=… (a path)"),
        ("explicit(file=no/such/file.json)", "cannot read 'no/such/file.json'"),
        ("ewn(stones=4)", "ewn: 4 stones do not fill a corner; 1, 3 or 6 do"),
        ("ewn(size=3)", "ewn: 6 stones a side have no room on 3 by 3"),
        ("ewn(size=14,stones=9,start=x)", "too many to keep apart"),
        ("ewn(start=random(x))", "the seed of start=random(x) is not a whole number"),
        (
            "ewn(start=sideways)",
            "start is neither standard nor random(SEED) nor a valid position: position 'sideways'",
        ),
        ("cant-stop(dice=2)", "3 columns to win need at least 5 columns for 2, and dice of 2 sides have 3"),
        ("random-tree(depth=61)", "depth=61 is not a whole number in the range 1 to 60"),
    ] {
        let error = game(spec).err().unwrap_or_else(|| panic!("{spec} was taken")).to_string();
        assert!(error.contains(why) && !error.contains('\n'), "{spec}: {error}");
    }
    let pig = built("pig");
    for (spec, why) in [
        ("star3", "unknown engine 'star3'; did you mean star"),
        ("star2(probe=1)", "unknown parameter of 'star2': 'probe'; did you mean probes?"),
        (
            "star2(eval=leed)",
            "unknown evaluator of this game: 'leed'; did you mean lead? there are: lead, banked, logistic, even, noisy",
        ),
        ("star2(order=yes)", "star2: order=yes is not one of on | off"),
        ("star2ss(width=0)", "width=0 is not a whole number in the range 1 to 1000000"),
        ("star2ss(sample=sobol)", "sample=sobol is not one of iid | without | systematic | stratified"),
        ("star2ss(table=values)", "table=values needs one value for each state"),
        ("expss(table=values,keys=path)", "use keys=state"),
        ("expss(decay=0)", "decay=0 is not a number in the range 0.05 to 1"),
        ("star1ss(decay=1.5)", "decay=1.5 is not a number in the range 0.05 to 1"),
        ("star2(decay=0.5)", "unknown parameter of 'star2': 'decay'"),
        ("minimax", "'minimax' is for games without chance, and pig has chance; try expectimax"),
        ("rule-of-28", "'rule-of-28' plays only cant-stop, not pig"),
        ("hold-at(n=0)", "n=0 is not a whole number in the range 1 to 10000"),
        ("solved", "'solved' needs file=… (a path)"),
        ("solved(file=no/such/file)", "solved: 'no/such/file': No such file"),
        ("mcts(follow=0.5)", "mcts: follow=0.5 has no effect without a policy"),
        ("flat(follow=0)", "flat: follow=0 has no effect without a policy"),
        ("star2(depth=0)", "depth=0 is not a whole number in the range 1 to 1000"),
    ] {
        let error = pig.engine(spec).err().unwrap_or_else(|| panic!("{spec} was taken")).to_string();
        assert!(error.contains(why) && !error.contains('\n'), "{spec}: {error}");
    }
}

/// Counts how often a search queries whether to stop.
#[derive(Default)]
struct Asked(u64);

impl Watch for Asked {
    fn elapsed(&mut self) -> Duration {
        Duration::ZERO
    }

    fn cancelled(&mut self) -> bool {
        self.0 += 1;
        false
    }
}

#[test]
fn the_optimal_player_solves_once_for_all_engines_and_only_when_asked() {
    let game = game("pig(target=30)").unwrap();
    let mut engines = [0; 3].map(|_| game.engine("optimal").unwrap());
    let asked = engines.each_mut().map(|engine| {
        let mut watch = Asked::default();
        let analysis = engine.analyze(&*game.start(), 0, &Budget::default(), &mut watch);
        assert_eq!(analysis.stop, Stop::Complete);
        watch.0
    });
    assert!(asked[0] > 2 && asked[1] == 1 && asked[2] == 1, "{asked:?}");
    let error = astragal_catalog::game("pig(target=201)").unwrap().engine("optimal").err().unwrap();
    assert_eq!(error.to_string(), "optimal: solves Pig up to target=200, and this is 201");
}

#[test]
fn an_interrupted_solution_is_no_solution() {
    struct Button;
    impl Watch for Button {
        fn elapsed(&mut self) -> Duration {
            Duration::ZERO
        }
        fn cancelled(&mut self) -> bool {
            true
        }
    }
    let game = game("pig(target=30)").unwrap();
    let mut engine = game.engine("optimal").unwrap();
    let analysis = engine.analyze(&*game.start(), 0, &Budget::default(), &mut Button);
    assert_eq!((analysis.stop, analysis.best.is_some()), (Stop::Cancelled, true));
    let analysis = engine.analyze(&*game.start(), 0, &Budget::default(), &mut Unwatched);
    assert_eq!(analysis.stop, Stop::Complete);
}

#[test]
fn a_file_of_a_solution_is_read_once() {
    let file = std::env::temp_dir().join(format!("astragal-read-once-{}.solved", std::process::id()));
    let game = game("pig(target=12)").unwrap();
    let solution = game.solve(&*game.start(), &SolveOptions::default(), &mut Unsupervised).unwrap();
    let mut bytes = Vec::new();
    solution.save(game.spec(), &mut bytes).unwrap();
    std::fs::write(&file, bytes).unwrap();
    let spec = format!("solved(file={})", file.display());
    assert!(game.engine(&spec).is_ok());
    std::fs::remove_file(&file).unwrap();
    let analysis = game.engine(&spec).unwrap().analyze(&*game.start(), 0, &Budget::default(), &mut Unwatched);
    assert_eq!(analysis.stop, Stop::Complete);
}

/// Positions along a game.
fn along(game: &dyn AnyGame, number: usize) -> Vec<Box<dyn Position>> {
    let (mut position, mut all) = (game.start(), Vec::new());
    for step in number..number + 60 {
        position = match position.turn() {
            Turn::Over(_) => break,
            Turn::Chance => position.chance((step as f64 * 0.377).fract()).unwrap().1,
            Turn::Decide(_) => {
                let actions = position.actions();
                let next = position.act(&actions[step * 7 % actions.len()]).unwrap();
                all.push(position);
                next
            }
        };
    }
    all
}

#[test]
fn every_listed_evaluator_is_the_one_named() {
    // Two names for one evaluator would give the same values everywhere.
    for info in games().filter(|info| info.info.name != "explicit") {
        let game = built(info.info.name);
        let positions: Vec<_> = (0..5).flat_map(|number| along(&*game, number)).collect();
        assert!(positions.len() >= 5, "{}", info.info.name);
        let values = |name: &str| -> Vec<f64> {
            let mut engine = game.engine(&format!("expss(width=1,eval={name})")).unwrap();
            let mut value = |position: &dyn Position| {
                engine.analyze(position, 1, &Budget::depth(1), &mut Unwatched).value
            };
            positions.iter().map(|position| value(&**position)).collect()
        };
        let all: Vec<(&str, Vec<f64>)> =
            info.evaluators.iter().map(|evaluator| (evaluator.name, values(evaluator.name))).collect();
        for (at, (name, one)) in all.iter().enumerate() {
            for (other, two) in &all[..at] {
                assert_ne!(one, two, "{name} and {other} of {}", info.info.name);
            }
        }
    }
}

#[test]
fn every_listed_engine_is_the_one_named() {
    // The counts of a search distinguish it from all others.
    let game = built("pig");
    let position = game.read("30-45+12 p1").unwrap();
    let mut seen: Vec<(&str, String)> = Vec::new();
    for info in engines()
        .filter(|info| info.chance && info.game.is_none() && !["solved", "strongest"].contains(&info.name))
    {
        let mut engine = game.engine(info.name).unwrap();
        assert_eq!(info.budgets, engine.heeds(), "{}", info.name);
        let budget =
            if info.budgets.contains(&Limit::Nodes) { Budget::nodes(40_000) } else { Budget::default() };
        let analysis = engine.analyze(&*position, 3, &budget, &mut Unwatched);
        let sign = format!("{:?} {:?}", analysis.counts, analysis.lines);
        if let Some((other, _)) = seen.iter().find(|(_, found)| *found == sign) {
            panic!("{} and {other} do the same", info.name);
        }
        seen.push((info.name, sign));
    }
    assert!(seen.len() >= 14, "{}", seen.len());
}

#[test]
fn levels_are_built_in_every_game_and_the_strongest_is_one_of_its_engines() {
    for info in games() {
        let game = built(info.info.name);
        if info.evaluators[0].name == "even" {
            let refused = game.engine("strongest(level=3)").err().unwrap().to_string();
            assert!(refused.contains("has none"), "{refused}");
            assert!(game.engine("strongest").unwrap().spec().starts_with("uct("), "{}", info.info.name);
            continue;
        }
        let spec = |level: u32| game.engine(&format!("strongest(level={level})")).unwrap().spec().to_owned();
        let levels: Vec<String> = (1..=8).map(spec).collect();
        let noisy = |spec: &String| spec.contains("noisy");
        assert!(levels[..3].iter().all(noisy) && !levels[3..].iter().any(noisy), "{levels:?}");
        assert!(levels.windows(2).all(|pair| pair[0] != pair[1]), "{levels:?}");
        let top = game.engine("strongest").unwrap();
        assert!(top.is_endless() && top.heeds().contains(&Limit::Time), "{}", top.spec());
        assert_eq!(top.spec(), levels[7]);
    }
    let error = built("pig").engine("strongest(level=9)").err().unwrap().to_string();
    assert!(error.contains("level"), "{error}");
}

#[test]
fn noise_is_a_knob_on_any_evaluator() {
    for info in games() {
        let game = built(info.info.name);
        let position = game.start();
        let engine = if game.has_chance() { "expectimax" } else { "minimax" };
        let value = |eval: &str| {
            let mut engine = game.engine(&format!("{engine}(eval={eval})")).unwrap();
            engine.analyze(&*position, 0, &Budget::depth(1), &mut Unwatched)
        };
        for evaluator in &info.evaluators {
            let plain = value(evaluator.name);
            let none = value(&format!("noisy(eval={},sigma=0)", evaluator.name));
            assert_eq!((plain.value, plain.lines), (none.value, none.lines), "{}", evaluator.name);
        }
    }
    let pig = built("pig");
    let engine = pig.engine("star2(eval=noisy(sigma=20.0, eval=lead))").unwrap();
    assert!(engine.spec().starts_with("star2(eval=\"noisy(eval=lead,sigma=20)\","), "{}", engine.spec());
    assert_eq!(pig.engine(engine.spec()).unwrap().spec(), engine.spec());
    for (eval, why) in [
        ("noisy", "'noisy' needs sigma="),
        ("noisy(eval=lead)", "'noisy' needs sigma="),
        ("noisy(lead,20)", "expected noisy(eval=NAME,sigma=N)"),
        ("noisy(eval=lead,sigma=noisy)", "sigma=noisy is not a number"),
        ("noisy(eval=led,sigma=1)", "lead"),
        ("noisy(eval=lead,sigma=-1)", "sigma=-1 is not a number"),
        ("noisy(eval=noisy(eval=lead,sigma=1),sigma=1)", "without noise"),
        ("nosy", "noisy"),
    ] {
        let error = pig.engine(&format!("star2(eval={eval})")).err().unwrap().to_string();
        assert!(error.contains(why), "{eval}: {error}");
    }
    // Without a name, `noisy` wraps the game's first evaluator.
    let first = pig.engine("star2(eval=noisy(sigma=20))").unwrap();
    assert_eq!(first.spec(), engine.spec());
}

#[test]
fn looking_ahead_changes_what_leaves_and_playouts_are_worth() {
    let analyze = |game: &str, position: &str, engine: &str, budget: Budget| {
        let game = astragal_catalog::game(game).unwrap();
        let position = if position.is_empty() { game.start() } else { game.read(position).unwrap() };
        game.engine(engine).unwrap().analyze(&*position, 3, &budget, &mut Unwatched)
    };
    // Without look-ahead it equals the search that it extends, in a game with chance and in one without.
    for (game, engine) in [("pig(target=30)", "mcts"), ("kalah(pits=3,stones=2)", "mcts(dr=5)")] {
        let other = engine.replace("mcts", "mcts-minimax").replace(')', ",look=0)");
        let other = if other.ends_with(')') { other } else { format!("{other}(look=0)") };
        let budget = Budget::iterations(300);
        assert_eq!(analyze(game, "", engine, budget), analyze(game, "", &other, budget), "{game}");
    }
    // With four squares left after a move, leaves and playouts that look four moves ahead are exact from the
    // start.
    let (game, position) = ("tic-tac-toe", "XX./OO./... p1");
    let values = |engine: &str, budget: Budget| -> Vec<f64> {
        analyze(game, position, engine, budget).lines.iter().map(|line| line.value).collect()
    };
    let exact = values("star2(all_lines=on)", Budget::depth(5));
    assert!(exact.iter().any(|value| *value != exact[0]), "{exact:?}");
    assert_eq!(values("mcts-minimax(look=4)", Budget::iterations(5)), exact);
    assert_eq!(values("mcts-minimax(look=0,dr=inf,guide=4)", Budget::iterations(5)), exact);
    assert_ne!(values("mcts-minimax(look=0)", Budget::iterations(5)), exact);
    let error = astragal_catalog::game("pig").unwrap().engine("mcts-minimax(follow=0.5)").err().unwrap();
    assert!(error.to_string().contains("no effect without a policy"), "{error}");
}
