//! `astragal reproduce` through the real binary.

use crate::binary::{directory, path, refused, run, said, text};
use std::path::PathBuf;
use std::process::{Command, Output};

fn reproduce(args: &[&str]) -> Output {
    run(Command::new(env!("CARGO_BIN_EXE_astragal")).arg("reproduce").args(args))
}

fn place(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("reproduce-{name}-{}", std::process::id()))
}

#[test]
fn experiments_are_listed_with_their_durations() {
    let output = reproduce(&["--list"]);
    let list = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    for word in [
        "mcms-theorem1",
        "mcms-future",
        "lecture-order",
        "quick",
        "full",
        "Groups: all, mcms, thesis, lecture",
    ] {
        assert!(list.contains(word), "{list}");
    }
    let lectures = said(&["reproduce", "--list", "lecture"]);
    assert!(lectures.contains("lecture-order") && !lectures.contains("mcms-theorem1"), "{lectures}");
}

#[test]
fn a_report_is_the_same_again_with_other_workers() {
    let dirs = [place("one"), place("two")];
    for (dir, jobs) in dirs.iter().zip(["1", "2"]) {
        let dir = dir.to_str().unwrap();
        let ids = ["lecture-ucb-constant", "mcms-star1-example"];
        let output = reproduce(&[ids[0], ids[1], "--out", dir, "--seed", "3", "--jobs", jobs]);
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(said.contains("agrees") && said.contains("report.md") && !said.contains("differs"), "{said}");
    }
    for file in [
        "lecture-ucb-constant/report.md",
        "lecture-ucb-constant/scores.csv",
        "lecture-ucb-constant/scores.svg",
        "lecture-ucb-constant/scores.png",
        "mcms-star1-example/report.md",
    ] {
        let [one, two] = [&dirs[0], &dirs[1]].map(|dir| std::fs::read(dir.join(file)).unwrap());
        assert!(one == two && !one.is_empty(), "{file}");
    }
    for dir in dirs {
        std::fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn bad_input_is_explained_in_one_line() {
    for (args, word) in [
        (&["lecture-ucb-exmple"][..], "did you mean lecture-ucb-example?"),
        (&["mcms-star1"], "mcms-star1-example"),
        (&["quite-another"], "groups are all, mcms, thesis, lecture"),
        (&[], "ID"),
        (&["all", "--scale", "huge"], "huge"),
        (&["all", "--jobs", "0"], "0"),
        (&["mcms-star1-example", "--out", "/dev/null/no"], "/dev/null/no: "),
    ] {
        let output = reproduce(args);
        let error = text(&output.stderr);
        let last = error.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(last.starts_with("astragal: ") && last.contains(word), "{args:?}: {error}");
    }
}

#[test]
fn shards_of_an_experiment_are_merged_to_the_whole() {
    let directory = directory("experiment");
    let whole = path(&directory, "whole");
    let id = "mcms-theorem1";
    let report = said(&["reproduce", id, "--out", &whole, "--seed", "2"]);
    let plan = path(&directory, "plan.toml");
    std::fs::write(&plan, format!("experiments = ['{id}']\nseed = 2\n")).unwrap();
    let all = path(&directory, "all");
    std::fs::create_dir(&all).unwrap();
    let merged = path(&directory, "all/results.db");
    let stores = ["1.db", "2.db", "3.db"].map(|name| path(&directory, name));
    let mut turns = 0;
    let last = 'all: loop {
        for (at, store) in stores.iter().enumerate() {
            let shard = format!("{}/3", at + 1);
            let words = said(&["work", &plan, "--shard", &shard, "--store", store, "--jobs", "1"]);
            assert!(words.starts_with(&format!("shard {shard}: {id}: ")), "{words}");
            if words.contains("the store holds all of it") {
                break 'all store;
            }
            assert!(words.contains("merge the stores"), "{words}");
        }
        turns += 1;
        assert_eq!(turns, 1, "no part needs another");
        said(&["merge", &stores[0], &stores[1], &stores[2], "--into", &merged]);
        for store in &stores {
            said(&["merge", &merged, "--into", store]);
        }
    };
    said(&["merge", last, "--into", &merged]);
    let again = said(&["reproduce", id, "--out", &all, "--seed", "2"]);
    assert_eq!(again.replace(&all, &whole), report);
    for file in ["report.md", "errors.csv"] {
        let [one, two] = [&whole, &all].map(|dir| std::fs::read(format!("{dir}/{id}/{file}")).unwrap());
        assert!(one == two && !one.is_empty(), "{file}");
    }
    let state = said(&["work", &plan, "--shard", "2/3", "--store", &merged, "--json"]);
    assert_eq!(
        state,
        format!("{{\"shard\":\"2/3\",\"what\":\"{id}\",\"state\":\"complete\",\"partial\":false}}\n")
    );
    // A fresh run, without stored results, gives the same output.
    let fresh = said(&["reproduce", id, "--out", &all, "--seed", "2", "--fresh"]);
    assert_eq!(fresh, again);
    let words = refused(&["tournament", &plan]);
    assert!(words.contains("astragal reproduce"), "{words}");
    std::fs::remove_dir_all(directory).unwrap();
}
