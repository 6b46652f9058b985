//! `astragal accuracy`, and the synthetic trees in the command.

use crate::binary::{astragal, json, refused, said, text};

#[test]
fn engines_are_judged_in_the_same_trees() {
    let args =
        ["accuracy", "bpv(sigma=2)", "alpha-beta(depth=2,plain=on)", "random", "--trees", "400", "--json"];
    let found = json(&args);
    let rows = found["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["engine"]), (2, &args[2].into()));
    let number = |row: usize, key: &str| rows[row][key].as_f64().unwrap();
    for row in 0..2 {
        assert!(number(row, "lo") < number(row, "accuracy") && number(row, "accuracy") < number(row, "hi"));
        assert_eq!(number(row, "trees"), 400.0);
    }
    // Known values: 0.782 for MM-2, and one in four for a random player; within four standard errors.
    for (row, known) in [(0, 0.782), (1, 0.25_f64)] {
        let error = (known * (1.0 - known) / 400.0).sqrt();
        assert!((number(row, "accuracy") - known).abs() < 4.0 * error, "{found}");
    }
    assert_eq!(json(&args), found);
}

#[test]
fn a_parameter_of_the_game_or_of_engines_is_swept() {
    let game = json(&[
        "accuracy",
        "bpv",
        "alpha-beta(depth=1,plain=on)",
        "--trees",
        "60",
        "--sweep",
        "sigma=0,8",
        "--json",
    ]);
    let accuracy = |row: usize| game["rows"][row]["accuracy"].as_f64().unwrap();
    assert_eq!((accuracy(0), &game["rows"][1]["at"]), (1.0, &"8".into()));
    assert!(accuracy(1) < 0.7, "{game}");
    let sweep = ["--trees", "20", "--iterations", "20", "--sweep", "c=0.1..0.2:0.1"];
    let said = said(&[&["accuracy", "bpv(sigma=8)", "uct-h", "random"][..], &sweep].concat());
    assert!(
        said.contains("right %")
            && said.lines().filter(|line| line.starts_with("0.") && line.contains("uct-h")).count() == 2,
        "{said}"
    );
}

#[test]
fn engines_are_compared_with_the_first() {
    let engines = ["alpha-beta(depth=1,plain=on)", "alpha-beta(depth=4,plain=on)", "random"];
    let rest = ["--trees", "300", "--sweep", "sigma=0,8", "--json"];
    let found = json(&[&["accuracy", "bpv"], &engines[..], &rest].concat());
    let rows = found["rows"].as_array().unwrap();
    assert!(rows[0]["compared"].is_null() && rows[3]["compared"].is_null());
    let number = |row: usize, of: &str, key: &str| rows[row]["compared"][of][key].as_f64().unwrap();
    let right = |row: usize| rows[row]["accuracy"].as_f64().unwrap();
    for (row, first) in [(1, 0), (2, 0), (4, 3), (5, 3)] {
        assert!((number(row, "lead", "mean") - (right(row) - right(first))).abs() < 1e-12);
        assert!((number(row, "index", "mean") - (1.0 - right(first) / right(row))).abs() < 1e-12);
    }
    // Without noise both engines see the truth, with noise deeper search pays, and a random choice is worse.
    assert_eq!((number(1, "lead", "lo"), number(1, "lead", "hi")), (0.0, 0.0));
    assert!(number(4, "index", "lo") > 0.0 && number(5, "index", "hi") < 0.0);
    let across = found["across"].as_array().unwrap();
    let standing =
        |at: usize| (across[at]["standing"].as_str().unwrap(), across[at]["ahead"].as_u64().unwrap());
    assert_eq!((standing(0), standing(1)), (("dominates", 1), ("dominated", 0)));
    let said = said(&[&["accuracy", "bpv"], &engines[..2], &rest[..4]].concat());
    assert!(said.contains("over sigma: alpha-beta(depth=4,plain=on) dominates"), "{said}");
}

#[test]
fn times_of_convergence_are_measured() {
    // The left action always wins and the right one always loses: once both were tried, the mean of t
    // simulations is 1 - 2/t.
    let game = "critical(levels=0,right=first,wins=0)";
    let args = ["accuracy", game, "uct(select=epsilon(e=0))", "--tau", "0.7", "--trees", "20"];
    let found = json(&[&args[..], &["--json"]].concat());
    let row = &found["rows"][0];
    for (key, value) in [("time", 7.0), ("median", 7.0), ("converged", 20.0), ("lo", 7.0), ("hi", 7.0)] {
        assert_eq!(row[key].as_f64(), Some(value), "{key}");
    }
    assert!(said(&args).contains("7 [7, 7]"));
    let never =
        [&args[..2], &["uct(select=epsilon(e=1))", "--tau", "0.7", "--iterations", "500", "--json"]].concat();
    let row = &json(&never)["rows"][0];
    assert_eq!((&row["time"], row["converged"].as_u64()), (&serde_json::Value::Null, Some(0)));
    // If some trees have no time there is no mean, since it would cover only the fast ones.
    let some =
        ["accuracy", "critical(levels=2+8)", "uct(c=1)", "--tau", "0.7", "--trees", "40", "--iterations"];
    let row = |most: &str| json(&[&some[..], &[most, "--json"]].concat())["rows"][0].clone();
    let (few, all) = (row("1000"), row("4000"));
    assert!((1..40).contains(&few["converged"].as_u64().unwrap()) && few["time"].is_null(), "{few}");
    assert!(all["converged"] == 40 && all["time"].as_f64().unwrap() > 400.0, "{all}");
    let swept = json(&[
        "accuracy",
        "bpv(sigma=8)",
        "alpha-beta(plain=on,order=off)",
        "--trees",
        "100",
        "--sweep",
        "engine.depth=1,4",
        "--json",
    ]);
    let nodes = |row: usize| swept["rows"][row]["nodes"].as_f64().unwrap();
    assert!(nodes(0) < 10.0 && nodes(1) > 50.0, "{swept}");
}

#[test]
fn accuracies_are_drawn() {
    let file = std::env::temp_dir().join(format!("astragal-accuracy-{}.svg", std::process::id()));
    let path = file.to_str().unwrap();
    let args =
        ["accuracy", "win-loss(depth=6)", "random", "--trees", "20", "--sweep", "b=2..4", "--plot", path];
    said(&args);
    let drawn = std::fs::read_to_string(&file).unwrap();
    assert!(drawn.contains("</svg>") && drawn.contains("win-loss(depth=6)"), "{drawn}");
    std::fs::remove_file(file).unwrap();
    // A failure to write the figure does not lose the measurements.
    let nowhere = std::env::temp_dir().join("no-such-directory-here/figure.svg");
    let args = ["accuracy", "win-loss", "random", "--trees", "5", "--plot", nowhere.to_str().unwrap()];
    let output = astragal(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("right %") && text(&output.stderr).contains("figure.svg"));
}

#[test]
fn what_cannot_be_judged_or_built_is_refused_in_one_line() {
    for (args, words) in [
        (&["tic-tac-toe", "random"][..], "has no known unique best action"),
        (&["p-game", "random"], "has no known unique best action"),
        (&["critical(levels=2)", "random"], "has no known unique best action"),
        (&["bpv", "alpha-beta"], "needs a budget"),
        (
            &["bpv", "random", "--sweep", "colour=1,2"],
            "neither the game nor an engine has a parameter 'colour'",
        ),
        (&["bpv", "random", "--sweep", "sigma"], "expected a parameter and values"),
        (&["bpv", "random", "--plot", "figure.gif"], "must end in .svg or .png"),
        (&["bpv", "nobody"], "nobody"),
        (&["pv(depth=0)", "random"], "depth=0"),
        (&["bpv(b=1)", "random"], "b=1"),
        (&["bpv(delta=1.5)", "random"], "delta=1.5"),
        (&["critical(levels=30)", "random"], "this tree has decisions at depths 0 to 23"),
        (&["critical(levels=3)", "random"], "Max decides at even depths"),
        (&["critical(levels=x)", "random"], "expected depths such as 4+12"),
        (&["two-sided(min=2)", "random"], "Min decides at odd depths"),
        (&["pv(chance=2)", "random"], "chance=2"),
        (&["critical(wins=0.5+0.5)", "random"], "shares of leaves won: 2, critical levels: 1"),
        (&["critical(wins=2)", "random"], "a share of leaves is 0 to 1, not 2"),
        (&["critical(wins=x)", "random"], "wins=x: expected die, or shares such as 0.5+0.25"),
        (&["score-tree", "random"], "has no known unique best action"),
        (&["bpv", "flat", "--tau", "0.5"], "does not report every simulation"),
        (&["bpv", "alpha-beta(depth=2)", "--tau", "0.5"], "does not report every simulation"),
        (&["bpv", "uct", "--tau", "0.5", "--nodes", "5"], "no limit but --iterations"),
        (&["bpv", "uct", "--tau", "nan"], "--tau must be a finite number"),
        (&["critical", "uct", "--tau", "2"], "values are at most 1 here"),
        (&["critical", "random"], "has no known unique best action"),
        (&["bpv", "alpha-beta(plain=on)", "--sweep", "depth=1..2"], "say game.depth or engine.depth"),
        (&["bpv", "random", "--sweep", "engine.sigma=1..2"], "no engine has a parameter 'sigma'"),
        (&["bpv", "uct-h", "--sweep", "game.c=1..2"], "the game does not have a parameter 'c'"),
        (&["bpv", "random", "--sweep", "seed=1..2"], "the seed selects the trees and cannot be swept"),
        (&["tic-tac-toe", "uct", "--tau", "0.5"], "has no random starts"),
    ] {
        let error = refused(&[&["accuracy"], args].concat());
        assert!(error.contains(words) && error.trim_end().lines().count() == 1, "{args:?}: {error}");
    }
}
