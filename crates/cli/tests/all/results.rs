//! The commands for results stores through the real binary.

use crate::binary::{ended, run};
use astragal_arena::revision::REVISION;
use astragal_store::Store;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const PIG: &str = r#"{"game":"pig(dice=2,target=100)","p1":"star2","p2":"random","seed":7}"#;
const RA: &str = r#"{"game":"ra","seed":8}"#;

/// A folder with stores, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("astragal-results-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Adds units to the store of this name, given by kind, text, number and score.
    fn with(&self, name: &str, units: &[(&str, &str, u64, f64)]) {
        let mut store = Store::open(&self.0.join(name)).unwrap();
        for (kind, text, number, score) in units {
            let job = store.job(kind, text).unwrap();
            store.put(job, &[(*number, format!("{{\"score\":{score}}}"))]).unwrap();
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        run(&mut self.command(args))
    }

    /// The output of a command with this exit code.
    fn said(&self, code: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.as_str()), (Some(code), ""), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The error of a command that must fail on bad input: one line, exit code 2.
    fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.starts_with("astragal: ") && error.lines().count() == 1, "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
        error
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn results_are_listed_and_exported() {
    let folder = Folder::new("export");
    folder.with("a.db", &[("match", PIG, 0, 0.5), ("match", PIG, 1, 1.0), ("tune", RA, 4, 0.25)]);
    let table = folder.said(0, &["results", "a.db"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows, [vec!["kind", "units", "job"], vec!["match", "2", PIG], vec!["tune", "1", RA]]);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        folder.said(0, &["results", "a.db", "--csv", "--kind", "match"]),
        format!(
            "kind,game,p1,p2,revision,seed,number,score,version\n\
             match,\"pig(dice=2,target=100)\",star2,random,{REVISION},7,0,0.5,{version}\n\
             match,\"pig(dice=2,target=100)\",star2,random,{REVISION},7,1,1,{version}\n"
        )
    );
    let json = folder.said(0, &["results", "a.db", "--json", "--containing", "\"ra\""]);
    let unit: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&unit["kind"], &unit["game"]), (&"tune".into(), &"ra".into()));
    assert_eq!((&unit["number"], &unit["score"]), (&4.into(), &0.25.into()));
    assert_eq!(folder.said(0, &["results", "a.db", "--kind", "none"]), "no jobs\n");
    assert_eq!(folder.said(0, &["results", "a.db", "--kind", "none", "--csv"]), "kind,number,version\n");
    assert_eq!(folder.said(0, &["results", "a.db", "--kind", "none", "--json"]), "");
}

#[test]
fn matches_are_listed_with_their_scores_and_told_apart() {
    let folder = Folder::new("matches");
    let play = |more: &[&str]| {
        let nodes = if more.contains(&"--nodes") { &[][..] } else { &["--nodes", "50"] };
        let json =
            folder.said(0, &[&["match", "ewn", "star2", "--store", "a.db", "--json"], nodes, more].concat());
        serde_json::from_str::<Value>(&json).unwrap()
    };
    let first = play(&["star2ss(width=2)", "--pairs", "4"]);
    play(&["star2ss(width=3)", "--pairs", "3"]);
    play(&["star2ss(width=2)", "--pairs", "3", "--seed", "18446744073709551615"]);
    play(&["star2ss(width=2)", "--pairs", "2", "--nodes", "51"]);
    play(&["star2ss(width=2)", "--pairs", "1", "--opening", "2"]);
    folder.with("a.db", &[("tune", RA, 0, 0.5)]);
    let table = folder.said(0, &["results", "a.db"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 9, "{table}");
    let percent = |key: &str| format!("{:.1}", 100.0 * first[key].as_f64().unwrap());
    let score = format!("{} % [{}, {}]", percent("score"), percent("lo"), percent("hi"));
    let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>().join(" ");
    let head = "kind pairs score game first second budget seed terms";
    assert_eq!(words(lines[0]), head);
    assert_eq!(words(lines[1]), format!("match 4 {score} ewn star2 star2ss(width=2) nodes=50 0 -"));
    assert!(words(lines[2]).ends_with(" ewn star2 star2ss(width=3) nodes=50 0 -"), "{table}");
    assert!(words(lines[3]).ends_with(" star2ss(width=2) nodes=50 18446744073709551615 -"), "{table}");
    assert!(words(lines[4]).ends_with(" star2ss(width=2) nodes=51 0 -"), "{table}");
    assert!(words(lines[5]).ends_with(" star2ss(width=2) nodes=50 0 opening 2"), "{table}");
    assert_eq!((words(lines[7]), words(lines[8])), ("kind units job".into(), format!("tune 1 {RA}")));
    // Every number of a pair has a column.
    let csv = folder.said(0, &["results", "a.db", "--csv", "--kind", "match"]);
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    for name in ["games.0.score", "games.1.score", "games.0.luck", "games.0.decisions.1", "games.1.nodes.0"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let json = folder.said(0, &["results", "a.db", "--json", "--containing", "width=3"]);
    let scores = json.lines().map(|line| {
        let unit: Value = serde_json::from_str(line).unwrap();
        unit["games.0.score"].as_f64().unwrap() + unit["games.1.score"].as_f64().unwrap()
    });
    assert!(
        scores.clone().count() == 3 && scores.clone().all(|score| (0.0..=2.0).contains(&score)),
        "{json}"
    );
}

#[test]
fn stores_are_merged_and_differences_are_told() {
    let folder = Folder::new("merge");
    folder.with("a.db", &[("match", PIG, 0, 0.5), ("match", PIG, 1, 1.0)]);
    folder.with("b.db", &[("match", PIG, 1, 1.0), ("match", PIG, 2, 0.0), ("tune", RA, 0, 0.0)]);
    let sources = || ["a.db", "b.db"].map(|name| fs::read(folder.0.join(name)).unwrap());
    let before = sources();
    let merge = ["merge", "a.db", "b.db", "--into", "all.db"];
    assert_eq!(
        folder.said(0, &merge),
        "a.db: 2 units added, 0 there already, 0 different; 1 new job\n\
         b.db: 2 units added, 1 there already, 0 different; 1 new job\n"
    );
    let all = folder.said(0, &["results", "all.db", "--csv"]);
    assert_eq!(all.lines().count(), 5);
    assert!(folder.said(0, &merge).starts_with("a.db: 0 units added, 2 there already"));
    assert_eq!(folder.said(0, &["results", "all.db", "--csv"]), all);
    assert_eq!(sources(), before);
    folder.with("c.db", &[("match", PIG, 1, 0.75), ("match", PIG, 3, 0.5)]);
    let told = folder.said(1, &["merge", "c.db", "a.db", "--into", "all.db"]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "c.db: 1 unit added, 0 there already, 1 different; 0 new jobs");
    assert_eq!(
        lines[1],
        format!("c.db: unit 1 of match {PIG} is {{\"score\":0.75}}, kept is {{\"score\":1}}")
    );
    assert!(lines.len() == 3 && lines[2].starts_with("a.db: 0 units added, 2 there already, 0 different"));
    assert_eq!(folder.said(0, &["results", "all.db", "--csv"]).lines().count(), 6);
    // A store is merged into itself without harm.
    let itself = folder.said(0, &["merge", "all.db", "--into", "all.db"]);
    assert!(itself.starts_with("all.db: 0 units added, 5 there already"), "{itself}");
}

#[test]
fn what_is_no_store_is_refused_in_one_line() {
    let folder = Folder::new("refused");
    folder.with("a.db", &[("match", PIG, 0, 0.5)]);
    fs::write(folder.0.join("text.csv"), "kind,number\n").unwrap();
    fs::write(folder.0.join("empty.db"), "").unwrap();
    let whole = fs::read(folder.0.join("a.db")).unwrap();
    fs::write(folder.0.join("half.db"), &whole[..whole.len() / 2]).unwrap();
    let cases: [(&[&str], &str); 11] = [
        (&["results"], "<STORE>"),
        (&["results", "none.db"], "there is no results store 'none.db'"),
        (&["results", "."], "'.' is not a results store: it is not a file"),
        (&["results", "text.csv"], "'text.csv' is not a results store"),
        (&["results", "empty.db"], "'empty.db' is not a results store: it is empty"),
        (&["results", "half.db", "--csv"], "'half.db' is damaged"),
        (&["results", "a.db", "--csv", "--json"], "cannot be used with"),
        (&["merge", "a.db"], "--into"),
        (&["merge", "--into", "new.db"], "<STORE>"),
        (&["merge", "a.db", "none.db", "--into", "new.db"], "there is no results store 'none.db'"),
        (&["merge", "a.db", "--into", "no/new.db"], "there is no folder 'no'"),
    ];
    for (args, why) in cases {
        let error = folder.refused(args);
        assert!(error.contains(why), "{args:?}: {error}");
    }
    assert!(folder.refused(&["merge", "a.db", "--into", "text.csv"]).contains("'text.csv' is not"));
    assert_eq!(fs::read_to_string(folder.0.join("text.csv")).unwrap(), "kind,number\n");
    assert!(!folder.0.join("new.db").exists());
}

#[test]
fn a_reader_may_leave_an_export() {
    let folder = Folder::new("pipe");
    let mut store = Store::open(&folder.0.join("a.db")).unwrap();
    let job = store.job("match", PIG).unwrap();
    let rows: Vec<(u64, String)> = (0..20_000).map(|number| (number, "{\"score\":0.5}".into())).collect();
    store.put(job, &rows).unwrap();
    for form in ["--csv", "--json"] {
        let mut command = folder.command(&["results", "a.db", form]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.contains("kind"), "{line}");
        // Nor does a slow reader keep others from writing.
        assert_eq!(store.put(job, &[(0, "{}".into())]), Ok(0));
        drop(reader);
        let output = ended(child);
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{form}");
    }
}
