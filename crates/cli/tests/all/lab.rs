//! Matches, records and tournaments through the real binary.

use crate::binary::{astragal, directory, ended, path, refused, said, text};
use astragal_store::{Row, Store};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const MATCH: [&str; 8] = ["match", "ewn", "star2ss(width=2)", "mcts", "--pairs", "12", "--nodes", "200"];

#[test]
fn a_match_has_its_keys_and_does_not_depend_on_the_workers() {
    let one = said(&[&MATCH[..], &["--json", "--jobs", "1"]].concat());
    let four = said(&[&MATCH[..], &["--json", "--jobs", "4"]].concat());
    assert_eq!(one, four);
    let object: Value = serde_json::from_str(&one).unwrap();
    for key in [
        "game",
        "engines",
        "pairs",
        "score",
        "lo",
        "hi",
        "elo",
        "nelo",
        "nelo_lo",
        "nelo_hi",
        "los",
        "effective_games",
        "first_mover",
        "first_mover_lo",
        "first_mover_hi",
    ] {
        assert!(!object[key].is_null(), "{key}");
    }
    for key in ["score", "lo", "hi"] {
        assert!(object["luck_adjusted"][key].is_f64(), "{key}");
    }
    let (lo, score, hi) =
        (object["lo"].as_f64().unwrap(), object["score"].as_f64().unwrap(), object["hi"].as_f64().unwrap());
    assert!(0.0 <= lo && lo <= score && score <= hi && hi <= 1.0);
    // The same match with sides swapped.
    let swapped = ["match", "ewn", "mcts", "star2ss(width=2)", "--pairs", "12", "--nodes", "200", "--json"];
    let other: Value = serde_json::from_str(&said(&swapped)).unwrap();
    assert_eq!(other["pairs"], object["pairs"]);
}

#[test]
fn an_engine_against_itself_scores_half_of_every_pair() {
    // The same dice, the same searches, the seats swapped: what one wins the other loses.
    let output = said(&["match", "ewn", "star2", "star2", "--pairs", "6", "--nodes", "300", "--json"]);
    let object: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(object["score"].as_f64(), Some(0.5));
    assert_eq!(object["pentanomial"], serde_json::json!([0, 0, 6, 0, 0]));
}

#[test]
fn a_sequential_test_stops_at_the_same_pair_with_any_number_of_workers() {
    let test =
        ["match", "pig", "star2", "random", "--nodes", "50", "--pairs", "400", "--sprt", "0,30", "--json"];
    let one = said(&[&test[..], &["--jobs", "1"]].concat());
    let three = said(&[&test[..], &["--jobs", "3"]].concat());
    assert_eq!(one, three);
    let object: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(object["sprt"]["verdict"], "accept");
    assert!(object["sprt"]["llr"].as_f64().unwrap() >= 2.944);
    assert!(object["pairs"].as_u64().unwrap() < 400);
}

#[test]
fn games_are_recorded_and_replayed() {
    let directory = directory("records");
    for name in ["games.txt", "games.jsonl"] {
        let file = path(&directory, name);
        said(&[&MATCH[..], &["--record", &file]].concat());
        let shown = said(&["replay", &file, "--again", "--quiet"]);
        assert_eq!(shown, "24 games checked: all right\n");
        // A changed roll, action or result is detected.
        let whole = std::fs::read_to_string(&file).unwrap();
        let changes = if name == "games.txt" {
            [
                ("chance  1\n", "chance  2\n"),
                ("[Payoff \"100\"]", "[Payoff \"-100\"]"),
                ("[Seed \"0\"]", "[Seed \"1\"]"),
            ]
        } else {
            [
                ("{\"outcome\":\"1\"}", "{\"outcome\":\"2\"}"),
                ("\"payoff\":100.0", "\"payoff\":-100.0"),
                ("\"seed\":0", "\"seed\":1"),
            ]
        };
        for (from, to) in changes {
            assert!(whole.contains(from), "{name} has no {from}");
            let wrong = path(&directory, "wrong");
            std::fs::write(&wrong, whole.replacen(from, to, 1)).unwrap();
            let output = astragal(&["replay", &wrong, "--quiet"]);
            assert_eq!(output.status.code(), Some(1), "{name}: {from}");
            assert!(text(&output.stdout).contains("is wrong"), "{name}: {from}");
        }
        // A file that ends in the middle of a game: the games before it are checked.
        let cut = path(&directory, "cut");
        let starts: Vec<usize> = whole
            .match_indices(if name == "games.txt" { "[Game " } else { "{\"game\"" })
            .map(|(at, _)| at)
            .collect();
        std::fs::write(&cut, &whole[..starts[2] - 20]).unwrap();
        let output = astragal(&["replay", &cut, "--quiet"]);
        let line = whole[..starts[1]].lines().count() + 1;
        let words = format!("game 2 (line {line}) is cut off: the file ends within this game\n");
        assert_eq!(text(&output.stdout), words + "1 game checked: all right, 1 not readable\n");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
        let shown = said(&["replay", &cut, "--game", "1"]);
        assert!(shown.contains("game 1: ") && shown.ends_with("1 game checked: all right\n"), "{shown}");
        // Half a game in the middle does not hide the games after it.
        let gap = if name == "games.txt" { "\n\n" } else { "\n" };
        std::fs::write(&cut, format!("{}{gap}{}", &whole[..starts[2] - 20], &whole[starts[2]..starts[4]]))
            .unwrap();
        let output = astragal(&["replay", &cut, "--quiet"]);
        let shown = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1));
        assert!(shown.starts_with("game 2 (line ") && shown.contains(" games checked: "), "{shown}");
    }
    let other = path(&directory, "other");
    std::fs::write(&other, "This is a letter.\n\nWith two paragraphs.\n\n").unwrap();
    assert!(refused(&["replay", &other]).contains("line 1: an event is of chance, p1 or p2"));
    let shown = said(&["replay", &path(&directory, "games.txt"), "--game", "3"]);
    assert!(shown.contains("game 3") && shown.contains("1 game checked: all right"), "{shown}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_cannot_be_played_is_refused() {
    let directory = directory("refused");
    assert!(refused(&["match", "ewn", "star3", "mcts"]).contains("star3"));
    assert!(refused(&["match", "ewm", "star2", "mcts"]).contains("ewn"));
    assert!(
        refused(&["match", "ewn", "star2", "mcts", "--depth", "3"])
            .contains("no support for a limit on depth")
    );
    assert!(refused(&["match", "ewn", "star2", "mcts", "--sprt", "20,0"]).contains("smaller first"));
    assert!(refused(&["match", "ewn", "star2", "mcts", "--pairs", "0"]).contains("0"));
    assert!(
        refused(&["match", "ewn", "star2", "mcts", "--nodes", "9", "--record", "/no/such/place"])
            .contains("/no/such/place")
    );
    assert!(refused(&["replay", &path(&directory, "none")]).contains("none"));
    let plan = path(&directory, "plan.toml");
    for (words, told) in [
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\"]\npairs = 1\nbudget = { nodes = 1 }",
            "two engines",
        ),
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\", \"star2(probes=1)\"]\npairs = 1\nbudget = { nodes = 1 }",
            "twice",
        ),
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\", \"mcts\"]\npairs = 1\nbudget = {}",
            "budget",
        ),
        (
            "game = \"ewn\"\nkind = \"gauntlet\"\nengines = [\"star2\", \"mctz\"]\npairs = 1\nbudget = { nodes = 1 }",
            "mctz",
        ),
    ] {
        std::fs::write(&plan, words).unwrap();
        let error = refused(&["tournament", &plan]);
        assert!(error.contains(told), "{error}");
    }
    for shard in ["0/2", "3/2", "1", "x/y"] {
        refused(&["work", &plan, "--shard", shard, "--store", &path(&directory, "s.db")]);
    }
    std::fs::remove_dir_all(directory).unwrap();
}

/// A plan with five engines.
fn plan(directory: &Path, name: &str, kind: &str, pairs: u32) -> String {
    let file = path(directory, name);
    let engines = r#"["star2ss(width=2)", "mcts", "star1", "random", "expss(width=1)"]"#;
    let plan = format!(
        "game = \"ewn\"\nkind = \"{kind}\"\nengines = {engines}\npairs = {pairs}\nseed = 7\nbudget = {{ nodes = 300 }}\n"
    );
    std::fs::write(&file, plan).unwrap();
    file
}

#[test]
fn a_tournament_that_is_killed_at_any_moment_goes_on_and_ends_alike() {
    let directory = directory("killed");
    for kind in ["round-robin", "elimination"] {
        let plan = plan(&directory, "plan.toml", kind, 30);
        let whole = path(&directory, &format!("whole-{kind}.db"));
        let begin = std::time::Instant::now();
        let undisturbed = said(&["tournament", &plan, "--store", &whole]);
        let time = begin.elapsed();
        let json = said(&["tournament", &plan, "--store", &whole, "--json"]);
        let store = path(&directory, &format!("killed-{kind}.db"));
        let mut killed = 0;
        for number in 0_u64..20 {
            let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
                .args(["tournament", &plan, "--store", &store])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // Twenty delays, which together are shorter than a whole run.
            let share = (number * 7919 % 97) as f64 / 97.0 / 12.0;
            std::thread::sleep(Duration::from_millis(2) + time.mul_f64(share));
            killed += u32::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(killed > 3, "only {killed} were killed at work");
        assert_eq!(said(&["tournament", &plan, "--store", &store]), undisturbed);
        assert_eq!(said(&["tournament", &plan, "--store", &store, "--json"]), json);
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn shards_of_which_one_was_killed_are_merged_to_the_whole() {
    let directory = directory("shards");
    let plan = plan(&directory, "plan.toml", "round-robin", 12);
    let undisturbed = said(&["tournament", &plan, "--store", &path(&directory, "whole.db")]);
    let (first, second) = (path(&directory, "first.db"), path(&directory, "second.db"));
    let spawn = |shard: &str, store: &str| {
        Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["work", &plan, "--shard", shard, "--store", store])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let (one, mut two) = (spawn("1/2", &first), spawn("2/2", &second));
    std::thread::sleep(Duration::from_millis(40));
    two.kill().unwrap();
    two.wait().unwrap();
    assert!(ended(one).status.success());
    assert!(ended(spawn("2/2", &second)).status.success());
    let merged = path(&directory, "merged.db");
    said(&["merge", &first, &second, "--into", &merged]);
    // Merging again changes nothing.
    said(&["merge", &second, &first, "--into", &merged]);
    assert_eq!(said(&["tournament", &plan, "--store", &merged]), undisturbed);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_match_goes_on_from_its_store() {
    let directory = directory("store");
    let store = path(&directory, "match.db");
    let first = [&MATCH[..5], &["4", "--nodes", "200", "--json", "--store", &store]].concat();
    said(&first);
    let rest = said(&[&MATCH[..], &["--json", "--store", &store]].concat());
    assert_eq!(rest, said(&[&MATCH[..], &["--json"]].concat()));
    std::fs::remove_dir_all(directory).unwrap();
}

/// A store with one pair of a match that `MATCH` resumes, with a changed field in the first game.
fn spoiled(directory: &Path, field: &str, value: &str) -> String {
    let file = path(directory, "match.db");
    let _ = std::fs::remove_file(&file);
    said(&[&MATCH[..5], &["1", "--nodes", "200", "--store", &file]].concat());
    let (text, rows) = {
        let store = Store::open(Path::new(&file)).unwrap();
        let job = store.jobs().unwrap().remove(0);
        (job.revision().0, store.rows(job.id).unwrap())
    };
    std::fs::remove_file(&file).unwrap();
    let mut store = Store::open(Path::new(&file)).unwrap();
    let job = store.job("match", &text).unwrap();
    let mut row: Value = serde_json::from_str(&rows[0].result).unwrap();
    row["games"][0][field] = serde_json::from_str(value).unwrap();
    store.put(job, &[(0, row.to_string())]).unwrap();
    file
}

#[test]
fn an_impossible_score_in_a_store_is_refused_with_its_place() {
    let directory = directory("impossible");
    let scores = ["7", "-1", "0.25", "1e300", "\"1\"", "null"].map(|score| ("score", score));
    for (field, value) in scores.into_iter().chain([("luck", "-1e300")]) {
        let store = spoiled(&directory, field, value);
        for args in [
            &[&MATCH[..], &["--store", &store]].concat()[..],
            &["results", &store],
            &["results", &store, "--kind", "match"],
        ] {
            let error = refused(args);
            assert!(error.contains(&format!("results store '{store}', job 1, unit 0: ")), "{error}");
        }
    }
    assert!(
        refused(&["results", &spoiled(&directory, "score", "7")]).contains("7 is not the score of a game")
    );
    let plan = path(&directory, "plan.toml");
    let engines = "engines = ['star2ss(width=2)', 'mcts']";
    let common = format!("game = 'ewn'\n{engines}\npairs = 1\nbudget = {{ nodes = 200 }}\n");
    std::fs::write(&plan, format!("kind = 'match'\n{common}")).unwrap();
    for command in ["tournament", "work"] {
        let store = spoiled(&directory, "score", "7");
        let shard = if command == "work" { &["--shard", "1/1"][..] } else { &[] };
        let error = refused(&[&[command, &plan, "--store", &store], shard].concat());
        assert!(error.contains(&format!("results store '{store}', job 1, unit 0: 7 is not")), "{error}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

/// Gives every pair of a store an impossible score.
fn spoil_all(file: &str) {
    let (jobs, old) = {
        let store = Store::open(Path::new(file)).unwrap();
        let jobs = store.jobs().unwrap();
        let rows: Vec<_> = jobs.iter().map(|job| store.rows(job.id).unwrap()).collect();
        (jobs, rows)
    };
    std::fs::remove_file(file).unwrap();
    let mut store = Store::open(Path::new(file)).unwrap();
    for (job, rows) in jobs.iter().zip(old) {
        let id = store.job(&job.kind, &job.revision().0).unwrap();
        let spoil = |row: Row| (row.number, row.result.replace("\"score\":", "\"score\":4"));
        store.put(id, &rows.into_iter().map(spoil).collect::<Vec<_>>()).unwrap();
    }
}

#[test]
fn tuning_refuses_impossible_scores() {
    let directory = directory("impossible-tune");
    let store = path(&directory, "tune.db");
    for method in ["elimination", "spsa"] {
        let few = ["--pairs", "1", "--confirm", "1", "--candidates", "2", "--steps", "1", "--nodes", "20"];
        let tune =
            [&["tune", "ewn", "star2ss(width=1..30)", "--store", &store, "--method", method][..], &few]
                .concat();
        let output = astragal(&tune);
        assert!(
            output.status.code() == Some(0) || output.status.code() == Some(1),
            "{}",
            text(&output.stderr)
        );
        spoil_all(&store);
        let error = refused(&tune);
        assert!(error.contains(&format!("results store '{store}', job 1, unit 0: 4")), "{error}");
        std::fs::remove_file(&store).unwrap();
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn experiments_refuse_impossible_scores() {
    let directory = directory("impossible-experiment");
    let args = ["reproduce", "mcms-tuning", "--out", directory.to_str().unwrap()];
    let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let store = path(&directory, "results.db");
    let begun = || {
        let jobs = Store::open_existing(Path::new(&store)).and_then(|store| store.jobs());
        jobs.is_ok_and(|jobs| jobs.iter().any(|job| job.units > 0))
    };
    while !begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it had a result");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    spoil_all(&store);
    let error = refused(&args);
    assert!(error.contains(&format!("mcms-tuning: results store '{store}', job ")), "{error}");
    assert!(error.contains("is not the score of a game"), "{error}");
    std::fs::remove_dir_all(directory).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_on_a_full_disk_keeps_its_score() {
    let directory = directory("full-record");
    let full = crate::files::full_disk(&directory);
    let output = astragal(&[&MATCH[..], &["--json", "--record", &full]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        format!("astragal: cannot write '{full}': No space left on device (os error 28)\n")
    );
    assert_eq!(text(&output.stdout), said(&[&MATCH[..], &["--json"]].concat()));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_match_that_goes_on_from_its_store_goes_on_with_its_record() {
    let directory = directory("record-store");
    for name in ["games.txt", "games.jsonl"] {
        let (store, record, whole) = (
            path(&directory, "match.db"),
            path(&directory, name),
            path(&directory, &format!("whole-{name}")),
        );
        said(&[&MATCH[..], &["--record", &whole]].concat());
        let part = |pairs: &str| {
            let args =
                [&MATCH[..5], &[pairs, "--nodes", "200", "--store", &store, "--record", &record]].concat();
            let output = astragal(&args);
            assert_eq!(output.status.code(), Some(0));
            text(&output.stderr)
        };
        assert_eq!(part("4"), "");
        let note = "astragal: not played again, and so not recorded by this run:";
        assert_eq!(part("12"), format!("{note} 4 pairs from the store\n"));
        assert_eq!(std::fs::read(&record).unwrap(), std::fs::read(&whole).unwrap(), "{name}");
        assert_eq!(part("1"), format!("{note} 1 pair from the store\n"));
        assert_eq!(std::fs::read(&record).unwrap(), std::fs::read(&whole).unwrap(), "nothing was played");
        // After a kill in the middle of a game, the following games can still be read.
        let bytes = std::fs::read(&record).unwrap();
        std::fs::write(&record, &bytes[..bytes.len() - 30]).unwrap();
        part("13");
        let output = astragal(&["replay", &record, "--quiet", "--again"]);
        let shown = text(&output.stdout);
        assert!(output.status.code() == Some(1) && shown.starts_with("game 24 (line "), "{shown}");
        assert!(!shown.contains("game 25") && !shown.contains("game 26"), "{shown}");
        std::fs::remove_file(store).unwrap();
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn plans_take_every_seed_and_quote_their_errors() {
    let directory = directory("plans");
    let plan = path(&directory, "plan.toml");
    let write = |kind: &str, seed: &str| {
        let rest = "engines = ['star1', 'random']\npairs = 1\nbudget = { nodes = 10 }";
        std::fs::write(&plan, format!("game = 'pig(target=20)'\nkind = '{kind}'\nseed = {seed}\n{rest}\n"))
            .unwrap();
    };
    let store = path(&directory, "plan.db");
    for seed in ["'18446744073709551615'", "18446744073709551615"] {
        write("match", seed);
        said(&["tournament", &plan]);
        let listed = said(&["results", &store]);
        assert!(listed.lines().count() == 2 && listed.contains(" 18446744073709551615"), "{listed}");
    }
    for (kind, seed, quoted) in [
        (
            "match",
            "18446744073709551616",
            "3 | seed = 18446744073709551616\n  |        ^^^^^^^^^^^^^^^^^^^^\n",
        ),
        ("match", "-3", "3 | seed = -3\n  |        ^^\n"),
        ("mutch", "3", "2 | kind = 'mutch'\n  |        ^^^^^^^\nunknown variant `mutch`"),
    ] {
        write(kind, seed);
        let output = astragal(&["tournament", &plan]);
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{error}");
        assert!(error.starts_with(&format!("astragal: {plan}: TOML parse error at line ")), "{error}");
        assert!(error.contains(quoted), "{error}");
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_tournament_ranks_the_best_engine_first() {
    let directory = directory("ranks");
    let plan = path(&directory, "plan.toml");
    for kind in ["round-robin", "gauntlet"] {
        let engines = "['random', 'star2(depth=1)', 'star2(depth=2)']";
        let rest = format!("engines = {engines}\npairs = 10\nseed = 1\nbudget = {{ nodes = 2000 }}");
        std::fs::write(&plan, format!("game = 'ewn(size=4,stones=3)'\nkind = '{kind}'\n{rest}\n")).unwrap();
        let _ = std::fs::remove_file(path(&directory, "plan.db"));
        let table = said(&["tournament", &plan]);
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        let head = rows.iter().position(|row| row.first() == Some(&"rank")).expect(&table);
        let ranks: Vec<&str> = rows[head + 1..head + 4].iter().map(|row| row[0]).collect();
        assert_eq!(ranks, ["1", "2", "3"], "{table}");
        let elo = |row: usize| rows[head + row][1].parse::<f64>().unwrap();
        assert!(elo(1) >= elo(2) && elo(2) >= elo(3), "{table}");
        assert_eq!(rows[head + 3].last(), Some(&"random"), "{table}");
        // The same numbers stand for the engines below.
        let below = table.split("random").nth(1).unwrap();
        if kind == "gauntlet" {
            assert!(below.contains("round 1  3 - ") && !below.contains("0 - "), "{table}");
        }
    }
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn records_with_the_numbers_of_stones_are_still_read() {
    let directory = directory("numbered");
    let file = path(&directory, "games.jsonl");
    said(&["match", "ewn", "random", "random", "--pairs", "1", "--record", &file]);
    let mut older = String::new();
    for line in std::fs::read_to_string(&file).unwrap().lines() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        for event in record["events"].as_array_mut().unwrap() {
            let Some(action) = event["action"].as_str().filter(|action| action.as_bytes()[0] >= b'a') else {
                continue;
            };
            let number = action.as_bytes()[0] - b'a' + 1;
            event["action"] = format!("{number}{}", &action[1..]).into();
        }
        older += &(record.to_string() + "\n");
    }
    assert!(older.contains("1 left") || older.contains("1 up") || older.contains("2 up"), "{older}");
    std::fs::write(&file, older).unwrap();
    assert_eq!(said(&["replay", &file, "--quiet", "--again"]), "2 games checked: all right\n");
    let judged = said(&["replay", &file, "--analyze", "star2", "--depth", "1"]);
    assert!(judged.contains(" best") && !judged.contains("not judged"), "{judged}");
    std::fs::remove_dir_all(directory).unwrap();
}
