//! The command line through the real binary.

use crate::binary::{astragal, ended, json, refused, run, said, text};
use astragal_core::Game;
use astragal_games::cant_stop::CantStop;
use astragal_solve::{Payoff, SolveOptions, Unsupervised, solve};
use serde_json::Value;
use std::process::{Command, Stdio};

#[test]
fn a_report_has_its_keys() {
    let report =
        json(&["analyze", "pig", "--position", "0-0+20 p1", "--engine", "star2", "--depth", "2", "--json"]);
    let keys = [
        "game",
        "position",
        "engine",
        "seed",
        "budget",
        "partial",
        "value",
        "best",
        "tied",
        "depth",
        "stop",
        "lines",
        "pv",
        "counts",
        "elapsed_s",
    ];
    let mut found: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let mut wanted = keys.to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    assert_eq!(report["game"], "pig(dice=2,target=100,outcomes=merged)");
    assert_eq!(report["position"], "0-0+20 p1");
    assert_eq!(report["best"], "roll");
    assert_eq!(report["depth"], 2);
    assert_eq!(report["stop"], "depth");
    assert!((report["value"].as_f64().unwrap() - 17.746_913_580_2).abs() < 1e-9);
    for key in ["action", "value", "lo", "hi", "visits"] {
        assert!(!report["lines"][1][key].is_null(), "{key}");
    }
    for key in ["nodes", "leaves", "probes", "cuts", "samples", "table_hits"] {
        assert!(report["counts"][key].is_u64(), "{key}");
    }
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    for engine in ["expectimax", "star1", "star2(probes=2)", "star2ss(width=3,sample=stratified)", "random"] {
        let depth = if engine == "random" { vec![] } else { vec!["--depth", "4"] };
        let mut args =
            vec!["analyze", "pig", "--position", "30-45+12 p1", "--engine", engine, "--seed", "9", "--json"];
        args.extend(depth);
        let run = || {
            let mut report = json(&args);
            report["elapsed_s"] = 0.into();
            report.to_string()
        };
        assert_eq!(run(), run(), "{engine}");
    }
}

#[test]
fn widths_that_shrink_draw_less_and_the_family_agrees_on_them() {
    let run = |engine: &str| {
        let position = ["--position", "30-45+12 p1", "--depth", "4", "--seed", "5", "--json"];
        let report = json(&[&["analyze", "pig", "--engine", engine][..], &position].concat());
        (report["value"].as_f64().unwrap(), report["counts"]["samples"].as_u64().unwrap())
    };
    let [constant, shrunk] =
        ["", ",decay=0.5"].map(|decay| run(&format!("expss(width=8,enumerate=off{decay})")));
    assert!(shrunk.1 < constant.1, "{shrunk:?} and {constant:?}");
    for engine in ["star1ss", "star2ss"] {
        let table = "keys=state,table=values";
        assert_eq!(run(&format!("{engine}(width=8,decay=0.5,enumerate=off)")).0, shrunk.0);
        let remembered = run(&format!("{engine}(width=8,decay=0.5,enumerate=off,{table})"));
        assert_eq!(remembered.0, run("expss(width=8,decay=0.5,enumerate=off,keys=state)").0);
    }
}

#[test]
fn every_budget_ends_a_search() {
    let at = ["analyze", "pig", "--position", "30-45+12 p1", "--json"];
    let with = |more: &[&str]| json(&[&at[..], more].concat());
    assert_eq!(with(&["--nodes", "5000"])["stop"], "nodes");
    assert!(with(&["--nodes", "5000"])["counts"]["nodes"].as_u64().unwrap() <= 5000);
    assert_eq!(with(&["--time", "30ms"])["stop"], "time");
    assert_eq!(with(&["--engine", "star2(depth=3)"])["depth"], 3);
    // Without any limit a search takes one second, and does not run forever.
    let report = with(&[]);
    assert_eq!((&report["stop"], &report["budget"]["time_s"]), (&"time".into(), &1.0.into()));
}

#[test]
fn positions_where_nobody_decides_have_a_value_too() {
    let rolling = json(&["analyze", "pig", "--position", "0-0+0 p1 rolling", "--depth", "2", "--json"]);
    assert!(rolling["best"].is_null() && rolling["lines"].as_array().unwrap().is_empty());
    assert!(rolling["value"].is_f64());
    let over = json(&["analyze", "pig", "--position", "90-0+12 p1", "--json"]);
    assert_eq!((&over["value"], &over["stop"]), (&100.0.into(), &"complete".into()));
    assert!(said(&["show", "pig", "--position", "90-0+12 p1"]).contains("over: p1 wins (+100)"));
}

#[test]
fn perft_counts() {
    let known = [9, 72, 504, 3024, 15120];
    assert_eq!(
        json(&["perft", "tic-tac-toe", "--depth", "5", "--json"])["counts"],
        Value::from(known.to_vec())
    );
    assert_eq!(
        json(&["perft", "pig", "--depth", "2", "--resolve", "--json"])["counts"],
        Value::from(vec![11, 130])
    );
    assert!(said(&["perft", "tic-tac-toe", "--depth", "3"]).contains("504"));
}

#[test]
fn bad_input_is_explained_in_one_line() {
    let dir = std::env::temp_dir().join(format!("astragal-command-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let tree = |name: &str, content: &str| {
        let file = dir.join(name);
        std::fs::write(&file, content).unwrap();
        format!("explicit(file=\"{}\")", file.display())
    };
    let cycle = r#"{"root": "a", "nodes": {"a": {"max": {"go": "b"}}, "b": {"min": {"back": "a"}}}}"#;
    let cases: &[(&[&str], &str)] = &[
        (&["analyze", "pgi"], "did you mean pig?"),
        (&["analyze", "chess(start=)"], "a value is missing"),
        (&["analyze", "chess(start=\"\")"], "start= is not a text of at least one letter"),
        (&["analyze", "pig", "--engine", "star9"], "unknown engine 'star9'"),
        (&["analyze", "pig", "--engine", "star2(probe=1)"], "did you mean probes?"),
        (&["analyze", "pig", "--engine", "star2ss(width=0)"], "width=0 is not a whole number"),
        (&["analyze", "pig", "--engine", "star2ss(table=values)"], "keys=state"),
        (
            &["analyze", "pig", "--engine", "star2ss(decay=2)"],
            "decay=2 is not a number in the range 0.05 to 1",
        ),
        (&["analyze", "pig", "--engine", "minimax"], "games without chance"),
        (&["analyze", "pig", "--engine", "star2(eval=best)"], "lead, banked, logistic, even, noisy"),
        (&["analyze", "pig", "--position", "12"], "expected A-B+T pN"),
        (&["analyze", "pig", "--position", "12-13+1 p1\nx"], "expected A-B+T pN"),
        (&["analyze", "pig", "--depth", "0"], "0 is not in 1..=1000"),
        (&["analyze", "pig", "--nodes", "0"], "0 is not in"),
        (&["analyze", "pig", "--time", "0s"], "a time of zero"),
        (&["analyze", "pig", "--iterations", "10"], "no support for a limit on iterations"),
        (&["analyze", "pig", "--dept", "1"], "'--depth' (astragal analyze --help)"),
        (&["analyze"], "<GAME> (astragal analyze --help)"),
        (&["analyse", "pig"], "'analyze' (astragal --help)"),
        (
            &["match", "pig", "star2", "mcts", "--opening", "-1"],
            "'--opening <N>': -1 is not in 0..=4294967295 (astragal match --help)",
        ),
        (&["analyze", "pig", "--depth", "-1"], "'--depth <N>': -1 is not in 1..=1000"),
        (
            &["analyze", "pig", "--time", "-1s"],
            "'-1' found; a value that starts with a hyphen is written --option=-x, a file ./-x",
        ),
        (&["match", "pig", "random", "random", "--record", "-1"], "unexpected argument '-1'"),
        (
            &["play", "pig", "--p1", "random", "--p2", "random", "--depth", "2"],
            "neither player heeds a limit",
        ),
        (&["analyze", "pig", "--position", "-1-0+0 p1"], "is written --option=-x"),
        (&["analyze", "pig", "--nodes", ""], "'--nodes <N>': expected a whole number"),
        (&["replay", "-game.txt"], "a file ./-x"),
        (&["match", "pig", "star2", "mcts", "--pairs", "x"], "'--pairs <N>': expected a whole number"),
        (&["match", "pig", "star2", "human"], "people play with astragal play"),
        (&["match", "pig", "uct(c=1)", "human(level=2)"], "unknown engine 'human'; there are"),
        (&["match", "pig", "star2", &"x".repeat(10_000)], "xxx … "),
        (&["perft", "pig"], "--depth"),
        (&["play", "pig", "--p2", "random", "--iterations", "3"], "no support for a limit on iterations"),
        (&["reproduce", "--list", "mcms-tabel1"], "did you mean mcms-table1"),
        (&["play", "pig", "--p1", "nobody"], "(or human)"),
        (&["show", "pig(dice=9)"], "dice=9"),
        (&["show", &tree("cycle.json", cycle)], "the tree has a cycle: a -> b -> a"),
        (&["show", &tree("sum.json", r#"{"chance": [[0.5, 1], [0.4, 2]]}"#)], "the weights sum to 0.9"),
        (&["show", &tree("empty.json", r#"{"max": {}}"#)], "a decision needs at least one action"),
        (&["show", &tree("half.json", r#"{"max": {"a": "#)], "not JSON"),
    ];
    for (args, why) in cases {
        let error = refused(args);
        assert!(error.contains(why), "{args:?}: {error}");
    }
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_game_is_solved_saved_and_played() {
    let file = std::env::temp_dir().join(format!("astragal-solved-{}", std::process::id()));
    let path = file.to_str().unwrap();
    let report = json(&["solve", "pig(target=20)", "--out", path, "--json"]);
    assert!((report["value"].as_f64().unwrap() - 20.571_535_651_0).abs() < 1e-9);
    for key in ["states", "sweeps", "residual", "seconds"] {
        assert!(report[key].is_number(), "{key}");
    }
    let engine = format!("solved(file={path})");
    let perfect =
        json(&["analyze", "pig(target=20)", "--position", "0-0+8 p1", "--engine", &engine, "--json"]);
    assert_eq!(perfect["best"], "roll");
    assert!((perfect["value"].as_f64().unwrap() - 37.602_886_482).abs() < 1e-8);
    let other = refused(&["analyze", "pig(target=30)", "--engine", &engine]);
    assert!(
        other.contains(
            "it solves pig(dice=2,target=20,outcomes=merged), not pig(dice=2,target=30,outcomes=merged)"
        ),
        "{other}"
    );
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refused(&["analyze", "pig(target=20)", "--engine", &engine]).contains("damaged"));
    std::fs::remove_file(file).unwrap();
    assert!(refused(&["solve", "pig(target=20)", "--out", "/no/such/folder/x"]).contains("cannot write"));
    assert!(refused(&["solve", "pig(target=20)", "--out", "."]).contains("it is a folder"));
    let output = astragal(&["solve", "ewn", "--states", "1000", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["unsolved"].as_str().unwrap().contains("1000"), "{report}");
    let output = astragal(&["solve", "ewn", "--states", "1000"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("more states must be stored than the limit of 1000"));
}

#[test]
fn a_lone_player_is_solved_for_the_fewest_turns() {
    let spec = |sides: u8, shortest: u8, goal: u8| {
        format!("cant-stop(dice={sides},shortest={shortest},columns={goal},players=1,outcomes=merged)")
    };
    for (sides, shortest, goal, known) in [
        (2, 1, 3, 1.297948189812),
        (2, 2, 3, 1.347281861517),
        (2, 3, 3, 1.400179988037),
        (3, 1, 3, 1.480253419335),
        (2, 1, 2, 1.051874678993),
        (2, 2, 2, 1.051587747308),
        (2, 3, 2, 1.036773500072),
    ] {
        let report = json(&["solve", &spec(sides, shortest, goal), "--json"]);
        assert_eq!(report["objective"], "turns");
        let turns = report["turns"].as_f64().unwrap();
        assert!((turns - known).abs() < 6e-13, "CS({sides},{shortest},{goal}): {turns}, known {known}");
        assert_eq!(report["value"].as_f64(), Some(-turns), "the player wants few");
    }
    let two = json(&["solve", "pig(target=20)", "--json"]);
    assert_eq!((&two["objective"], &two["turns"]), (&"payoff".into(), &Value::Null));

    let file = std::env::temp_dir().join(format!("astragal-alone-{}", std::process::id()));
    let (game, path) = (spec(2, 3, 2), file.to_str().unwrap());
    let said = said(&["solve", &game, "--out", path]);
    assert!(said.contains("expected turns 1.0368 under perfect play"), "{said}");
    let engine = format!("solved(file={path})");
    let at =
        |position: &str| json(&["analyze", &game, "--position", position, "--engine", &engine, "--json"]);
    let start = at("0,0,0 0,0,0 p1 - ready");
    assert!((start["value"].as_f64().unwrap() + 1.036773500072).abs() < 6e-13, "{start}");
    // Stopping means at least one more turn.
    let later = at("0,0,0 0,0,0 p1 2:1,3:1 ready");
    let [rolling, stopping] = [0, 1].map(|line| later["lines"][line]["value"].as_f64().unwrap());
    assert!(stopping < -1.0 && rolling < 0.0 && rolling > stopping, "{later}");
    assert_eq!((&later["best"], later["value"].as_f64()), (&"roll".into(), Some(rolling)));
    // The same game solved for its payoff, which a lone player always gets, does not help.
    let alone = CantStop::new(2, 3, 2, 1).unwrap();
    let payoffs =
        solve(&alone, &[alone.start()], &Payoff, &SolveOptions::default(), &mut Unsupervised).unwrap();
    payoffs.save(&game, &mut std::fs::File::create(&file).unwrap()).unwrap();
    let error = refused(&["analyze", &game, "--engine", &engine]);
    assert!(error.contains("it was solved for 'payoff', not for 'turns'"), "{error}");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn the_answer_no_has_its_own_code() {
    let few = ["--rounds", "1", "--tree-rounds", "3", "--simulations", "2000"];
    let parts = ["bench", "--only", "races,playouts,trees,match", "--max-ratio", "0.0001"];
    let output = astragal(&[&parts, &few[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(
        table.contains("Trees of 2 000 simulations, one random playout a leaf, best of 3 rounds:"),
        "{table}"
    );
}

#[test]
fn trees_grow_for_a_time() {
    let args = ["bench", "--only", "trees", "--tree-rounds", "1", "--tree-time", "50ms", "--json"];
    let output = astragal(&args);
    let report: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!((&report["tree_s"], &report["tree_rounds"]), (&0.05.into(), &1.into()));
    assert_eq!(report["tree_simulations"], Value::Null);
    let rows = report["simulations"].as_array().unwrap();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let (seconds, simulations) = (row["seconds"].as_f64().unwrap(), row["simulations"].as_u64().unwrap());
        assert!(seconds >= 0.05 && simulations > 0, "{row}");
    }
    let error = refused(&["bench", "--tree-time", "1s", "--simulations", "100"]);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    for args in [&["completions", "bash"][..], &["--help"], &["games"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = ended(child);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_does_not_fit_is_refused() {
    let command = format!("ulimit -v 3000000; exec {}", env!("CARGO_BIN_EXE_astragal"));
    let command = format!("{command} analyze pig --engine 'star2(table_mib=16384)' --depth 2");
    let output = run(Command::new("sh").args(["-c", &command]));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("not enough memory for table_mib=16384"));
}

#[test]
fn pictures_are_coloured_for_eyes_only() {
    const FIRST: &str = "\x1b[36m";
    const SECOND: &str = "\x1b[35m";
    const MARK: &str = "\x1b[32m";
    let pig = "  p1 ████████████···························· 30\n> p2 ██████████████████▒▒▒▒·················· 45 +12\n       first to 100 with two dice";
    let ewn = "  ┌───┬───┐\n  │ 1 │   │\n  ├───┼───┤\n  │   │ a │\n  └───┴───┘\n  p1: digits, to the bottom right; p2: letters (a is 1), to the top left\n  rolled: 1";
    let cant_stop =
        "   2 │ ·\n   3 │ 1 · #\n   4 │ 2\n     1, 2 pegs (% both), # markers of this turn\n     dice: 1112";
    let tic_tac_toe = " X │ 2 │ 3\n───┼───┼───\n 4 │ O │ 6\n───┼───┼───\n 7 │ 8 │ X";
    for (game, position, drawn, inks) in [
        ("pig", "30-45+12 p2", pig, vec![FIRST, SECOND, MARK]),
        ("ewn(size=2,stones=1)", "1./.a p1 1", ewn, vec![FIRST, SECOND, MARK]),
        (
            "cant-stop(dice=2,shortest=1,columns=2)",
            "0,1,0 0,0,1 p1 3:3 1112",
            cant_stop,
            vec![FIRST, SECOND, MARK],
        ),
        ("tic-tac-toe", "X../.O./..X p2", tic_tac_toe, vec![FIRST, SECOND]),
    ] {
        let show = |set: &[(&str, &str)]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
            for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
                command.env_remove(name);
            }
            command.envs(set.iter().copied()).args(["show", game, "--position", position]);
            text(&run(&mut command).stdout)
        };
        let plain = show(&[]);
        assert!(plain.contains(&format!("\n\n{drawn}\n\n")), "{plain}");
        assert_eq!(show(&[("NO_COLOR", "1")]), plain);
        let coloured = show(&[("CLICOLOR_FORCE", "1")]);
        for ink in inks {
            assert!(coloured.contains(ink), "{coloured:?}");
        }
        let mut stripped = String::new();
        for (i, part) in coloured.split("\x1b[").enumerate() {
            stripped += if i == 0 { part } else { part.split_once('m').unwrap().1 };
        }
        assert_eq!(stripped, plain, "the text is the same");
    }
}

#[test]
fn help_teaches() {
    for args in [
        &["--help"][..],
        &["analyze", "--help"],
        &["play", "--help"],
        &["games", "pig"],
        &["engines", "star2ss"],
    ] {
        assert!(said(args).lines().count() > 8, "{args:?}");
    }
    assert!(said(&["completions", "zsh"]).contains("#compdef astragal"));
}

#[test]
fn the_strongest_engine_of_each_game_is_listed() {
    let listed = said(&["engines", "strongest"]);
    let (_, table) = listed.split_once("stands for:\n").unwrap();
    let engine = |game: &str| {
        let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.find(|row| row[0] == game).map(|row| row[1..].join(" "))
    };
    assert_eq!(engine("pig").unwrap(), "star2(eval=logistic)");
    assert_eq!(engine("cant-stop").unwrap(), "star2");
    assert_eq!(engine("connect-four").unwrap(), "alpha-beta");
    assert_eq!(engine("kalah").unwrap(), "alpha-beta");
    assert!(engine("chess").unwrap().starts_with("alpha-beta(table_mib="));
    assert_eq!(engine("explicit"), None, "needs a file");
    // It is this engine that plays.
    for game in ["connect-four", "ra"] {
        let shown = said(&["analyze", game, "--engine", "strongest", "--time", "20ms"]);
        let other = said(&["analyze", game, "--engine", &engine(game).unwrap(), "--time", "20ms"]);
        let spec = |text: &str| text.lines().nth(1).map(str::to_owned);
        assert_eq!(spec(&shown), spec(&other));
    }
}

#[test]
fn help_states_the_default_budget_and_what_a_state_takes() {
    for (command, words) in [
        ("analyze", "it takes 1 s"),
        ("play", "thinks for 500 ms"),
        ("match", "has 100 ms for each decision"),
        ("tune", "has 10 ms for each decision"),
        ("solve", "at most 37 bytes"),
    ] {
        let help = said(&[command, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words), "{command}: {help}");
    }
}

#[test]
fn a_name_in_the_wrong_case_is_recognised() {
    assert!(refused(&["show", "PIG"]).contains("did you mean pig?"));
    assert!(refused(&["analyze", "pig", "--engine", "Star2"]).contains("did you mean star2?"));
    assert!(refused(&["show", "pig(Dice=1)"]).contains("did you mean dice?"));
}

#[test]
fn deep_trees_are_read_and_searched_or_refused() {
    let directory = crate::binary::directory("deep");
    let file = directory.join("deep.json");
    let spec = format!("explicit(file={})", file.display());
    let write = |levels: usize| {
        let tree = format!("{}1{}", "{\"max\":{\"a\":".repeat(levels), "}}".repeat(levels));
        std::fs::write(&file, tree).unwrap();
    };
    write(1000);
    let report = json(&["analyze", &spec, "--engine", "expectimax", "--json"]);
    assert_eq!((&report["value"], &report["stop"]), (&1.0.into(), &"complete".into()));
    // Games of a match run in threads with smaller stacks.
    assert!(said(&["match", &spec, "star2", "random", "--pairs", "1", "--nodes", "5000"]).contains("pairs "));
    for (levels, words) in
        [(1001, "1001 steps; the limit is 1000"), (100_000, "a line of a tree has at most 1000 steps")]
    {
        write(levels);
        let error = refused(&["show", &spec]);
        assert!(error.contains("deep.json") && error.contains(words), "{error}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn counts_agree_with_their_nouns() {
    let shown = said(&["analyze", "tic-tac-toe", "--position", "XXO/OOX/XO. p1", "--engine", "expectimax"]);
    assert!(shown.contains("1 leaf, ") && !shown.contains("1 leaves"), "{shown}");
    assert!(said(&["bandit", "--pulls", "1", "--runs", "1"]).contains("mean of 1 run with"));
    let solved = said(&["solve", "tic-tac-toe", "--position", "XXO/OOX/XO. p1"]);
    assert!(solved.contains("2 states (1 decision, 0 chance)") && solved.contains("0 sweeps"), "{solved}");
    let args =
        ["bench", "--only", "races,trees", "--rounds", "1", "--tree-rounds", "1", "--simulations", "1"];
    let bench = said(&args);
    assert!(bench.contains("best of 1 round:") && bench.contains("Trees of 1 simulation,"), "{bench}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_system_that_starts_no_threads_is_no_reason_to_panic() {
    // No thread can have a stack of this size.
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        run(command.args(args).env("RUST_MIN_STACK", (1_u64 << 46).to_string()))
    };
    let report = |bytes: &[u8]| {
        let mut report: Value = serde_json::from_slice(bytes).unwrap();
        report["elapsed_s"] = Value::Null;
        report
    };
    for engine in
        ["mcts(threads=64)", "mcts(threads=64,parallel=leaf,dr=5)", "mcts(threads=64,parallel=tree)"]
    {
        let args = ["analyze", "pig", "--engine", engine, "--iterations", "300", "--json"];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(0), "{engine}: {}", text(&output.stderr));
        // Root and leaf parallelism give the same result as with threads.
        if !engine.contains("tree") {
            assert_eq!(report(&output.stdout), report(said(&args).as_bytes()), "{engine}");
        }
    }
    for args in [
        &["match", "pig", "random", "random", "--jobs", "500", "--pairs", "3"][..],
        &["solve", "pig(target=5)"],
        &["bandit", "--runs", "2", "--pulls", "100"],
    ] {
        let output = run(args);
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{args:?}: {error}");
        assert!(error.contains("cannot start a thread"), "{args:?}: {error}");
    }
}

#[test]
fn the_rules_of_every_game_are_explained() {
    for entry in astragal_catalog::games() {
        let name = entry.info.name;
        let page = said(&["rules", name]);
        assert!(page.contains("\nNotation\n") && page.contains("\nSources\n"), "{page}");
        assert!(!page.contains('`') && !page.contains("##"), "Markdown is shown: {page}");
        let source = entry.info.source.split_whitespace().next().unwrap();
        assert!(page.split("\nSources\n").nth(1).unwrap().contains(source), "{page}");
        for param in entry.info.params {
            assert!(page.contains(&format!("\n  {}  ", param.name)), "{name}: {}", param.name);
        }
        assert!(said(&["games", name]).contains(&format!("astragal rules {name}")));
    }
    let ra = said(&["rules", "ra"]);
    assert!(ra.lines().all(|line| line.chars().count() < 80), "{ra}");
    assert!(ra.contains("epoch 1 of 3") && ra.contains("    action    draw\n"), "{ra}");
    assert_eq!(said(&["rules", "pig(dice=1)"]).lines().next(), Some("Pig"));
    assert!(refused(&["rules", "pgi"]).contains("did you mean pig?"));
}

#[test]
fn games_trees_and_puzzles_are_listed_apart() {
    let listed = said(&["games"]);
    let heading = |name: &str| {
        let lines = listed.lines().take_while(|line| !line.starts_with(&format!("  {name} ")));
        lines.filter(|line| !line.starts_with(' ') && !line.is_empty()).last().unwrap().to_owned()
    };
    for entry in astragal_catalog::games() {
        let genre = format!("{:?}s", entry.info.genre);
        assert!(heading(entry.info.name).starts_with(&genre), "{}: {listed}", entry.info.name);
    }
    for game in ["pig", "chess"] {
        assert_eq!(heading(game), "Games");
    }
    for tree in ["explicit", "random-tree", "bpv"] {
        assert!(heading(tree).starts_with("Trees"));
    }
    assert!(listed.lines().all(|line| line.chars().count() < 80), "{listed}");
}

#[test]
fn heads_leave_out_default_parameters_and_fit() {
    let heads = [
        ("pig(dice=2,target=50)", "pig(target=50)  0-0+0 p1\nstar2(probes=2)\n"),
        ("ra", "ra  1/0 10:9652:- 10:8743:- 1 - - p1 turn\nstar2(probes=2)\n"),
    ];
    for (game, head) in heads {
        let shown = said(&["analyze", game, "--engine", "star2(probes=2,table_mib=16)", "--depth", "1"]);
        assert!(shown.starts_with(head), "{shown}");
    }
    // The position of Can't Stop, an engine with many parameters, and both sides of a match.
    let many = "mcts(c=0.7,dr=3,playouts=2,rave=50,implicit=0.4,bias=0.1,seeding=2,solver=on,final=visits)";
    let shown = said(&["analyze", "cant-stop(shortest=1,columns=2)", "--engine", many, "--iterations", "10"]);
    let played = said(&["match", "ewn", many, "mcts(c=0.7)", "--pairs", "1", "--iterations", "5"]);
    for text in [&shown, &played] {
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    }
    assert!(played.contains("\n  2  mcts(c=0.7)\n") && played.starts_with("ewn  "), "{played}");
    // In JSON and where an engine is described, everything is said.
    let report = json(&["analyze", "pig", "--engine", "star2", "--depth", "1", "--json"]);
    assert!(report["engine"].as_str().unwrap().contains("table_mib=16"));
    let described = said(&["engines", "star2"]).split_whitespace().collect::<String>();
    assert!(described.contains(report["engine"].as_str().unwrap()), "{described}");
    assert!(said(&["solve", "pig(target=5)"]).starts_with("pig(target=5)  0-0+0 p1\n"));
}

#[test]
fn a_match_of_twins_says_that_its_pairs_repeat_themselves() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let play = |engines: [&str; 2]| {
        words(&said(
            &[&["match", "pig(target=30)"], &engines[..], &["--pairs", "4", "--depth", "1"]].concat(),
        ))
    };
    let repeats = "The second game of every pair repeated the first";
    assert!(play(["strongest", "strongest"]).contains(repeats));
    let others = play(["star2", "star2(eval=banked)"]);
    assert!(!others.contains("repeated the first"), "{others}");
    // The answer is about these players, and the length of games has a spread.
    assert!(
        others.contains("between these players")
            && others.contains("How player 1 fares depends on the players")
    );
    let report =
        json(&["match", "pig(target=30)", "star2", "star2", "--pairs", "4", "--depth", "1", "--json"]);
    assert_eq!(report["repeated_pairs"], 4);
    let [lower, middle, upper] = [0, 1, 2].map(|at| report["decisions_quartiles"][at].as_f64().unwrap());
    assert!(0.0 < lower && lower <= middle && middle <= upper, "{report}");
    assert!(others.contains("in half of the games "), "{others}");
}

#[test]
fn a_search_says_how_many_leaves_nobody_valued() {
    let report = |engine: &str, game: &str| said(&["analyze", game, "--engine", engine, "--depth", "2"]);
    let blind = report("star2(eval=even)", "pig");
    assert!(blind.contains(" leaves were not evaluated: the evaluator knows nothing of them"), "{blind}");
    assert!(blind.contains("try uct, which plays games out"), "{blind}");
    assert!(!report("star2", "pig").contains("not evaluated"));
    // Here every line was seen to its end.
    let whole = said(&["analyze", "tic-tac-toe", "--engine", "star2(eval=even)", "--depth", "9"]);
    let whole = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("every line was seen to its end") && !whole.contains("not evaluated"), "{whole}");
    let mcts = ["analyze", "pig", "--engine", "mcts(eval=even,dr=0)", "--iterations", "50"];
    assert!(said(&mcts).contains("50 of 50 leaves were not evaluated"));
    assert!(said(&mcts).contains("dr=inf plays them out to the end"));
    let counts = &json(&[&mcts[..], &["--json"]].concat())["counts"];
    assert_eq!((counts["unevaluated"].as_u64(), counts["leaves"].as_u64()), (Some(50), Some(50)));
    let played = ["match", "pig(target=20)", "star2(eval=even)", "star2", "--depth", "1", "--pairs", "1"];
    let text = said(&played);
    assert!(
        text.contains("not evaluated") && text.contains("of engine 1: its evaluator knows nothing"),
        "{text}"
    );
    assert!(!text.contains("of engine 2"), "{text}");
}

#[test]
fn a_player_refuses_a_start_that_its_file_does_not_hold() {
    let file = std::env::temp_dir().join(format!("astragal-late-{}", std::process::id()));
    let path = file.to_str().unwrap();
    let late = json(&["solve", "pig(dice=1,target=20)", "--position", "19-19+0 p1", "--out", path, "--json"]);
    assert!(late["states"].as_u64().unwrap() < 17_404, "{late}");
    let engine = format!("solved(file={path})");
    for args in [
        &["analyze", "pig(dice=1,target=20)", "--engine", &engine][..],
        &["match", "pig(dice=1,target=20)", &engine, "random", "--pairs", "1"],
        &["play", "pig(dice=1,target=20)", "--p2", &engine],
    ] {
        let error = refused(args);
        assert!(error.contains("does not hold the position '0-0+0 p1'"), "{args:?}: {error}");
    }
    said(&["analyze", "pig(dice=1,target=20)", "--position", "19-19+0 p1", "--engine", &engine]);
    std::fs::remove_file(file).unwrap();
}
