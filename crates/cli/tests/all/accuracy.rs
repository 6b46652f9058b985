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
    // Known: 0.782 for MM-2, and a random player is right in one of four; within four standard errors.
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
        said.contains("right %") && said.lines().filter(|line| line.contains("uct-h")).count() == 2,
        "{said}"
    );
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
    // What was measured is not lost with the figure.
    let nowhere = std::env::temp_dir().join("no-such-directory-here/figure.svg");
    let args = ["accuracy", "win-loss", "random", "--trees", "5", "--plot", nowhere.to_str().unwrap()];
    let output = astragal(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("right %") && text(&output.stderr).contains("figure.svg"));
}

#[test]
fn what_cannot_be_judged_or_built_is_refused_in_one_line() {
    for (args, words) in [
        (&["tic-tac-toe", "random"][..], "does not know which action is best"),
        (&["p-game", "random"], "does not know which action is best"),
        (&["critical(levels=2)", "random"], "does not know which action is best"),
        (&["bpv", "alpha-beta"], "needs a budget"),
        (
            &["bpv", "random", "--sweep", "colour=1,2"],
            "neither the game nor an engine has a parameter 'colour'",
        ),
        (&["bpv", "random", "--sweep", "sigma"], "expected a parameter and values"),
        (&["bpv", "random", "--plot", "figure.gif"], "ends neither in .svg nor in .png"),
        (&["bpv", "nobody"], "nobody"),
        (&["pv(depth=0)", "random"], "depth=0"),
        (&["bpv(b=1)", "random"], "b=1"),
        (&["bpv(delta=1.5)", "random"], "delta=1.5"),
        (&["critical(levels=30)", "random"], "this tree has decisions at depths 0 to 23"),
        (&["critical(levels=3)", "random"], "Max decides at even depths"),
        (&["critical(levels=x)", "random"], "are not depths such as 4+12"),
        (&["two-sided(min=2)", "random"], "Min decides at odd depths"),
        (&["pv(chance=2)", "random"], "chance=2"),
    ] {
        let error = refused(&[&["accuracy"], args].concat());
        assert!(error.contains(words) && error.trim_end().lines().count() == 1, "{args:?}: {error}");
    }
}
