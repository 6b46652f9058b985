//! The guarantees of a store, except for those against kills.

use super::*;
use std::fs;

const PIG: &str = r#"{"game":"pig(dice=2,target=100)","p1":"star2","p2":"random","seed":7}"#;
const RA: &str = r#"{"game":"ra","budget":{"nodes":1000},"seed":18446744073709551615}"#;

/// A temporary folder, deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("astragal-store-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn score(number: u64, score: f64) -> (u64, String) {
    (number, format!(r#"{{"score":{score}}}"#))
}

/// Creates a store with fifty units of one job.
fn filled(path: &Path) -> Store {
    let mut store = Store::open(path).unwrap();
    let job = store.job("match", PIG).unwrap();
    let rows: Vec<_> = (0..50).map(|number| score(number, 0.5)).collect();
    assert_eq!(store.put(job, &rows).unwrap(), 50);
    store
}

/// Checks that a file is refused both for writing and for reading, in one line that says why, and that
/// neither it nor its folder changes.
fn refused(path: &Path, why: &str) {
    let bytes = fs::read(path).unwrap();
    let neighbours = || fs::read_dir(path.parent().unwrap()).unwrap().count();
    let before = neighbours();
    for open in [Store::open, Store::open_existing] {
        let error = open(path).expect_err(why).to_string();
        assert!(error.contains(why) && error.lines().count() == 1, "{error} ({why})");
        assert!(error.contains(path.to_str().unwrap()), "{error}");
        assert!(fs::read(path).unwrap() == bytes, "altered: {error}");
        assert_eq!(neighbours(), before, "{error}");
    }
}

#[test]
fn a_unit_done_twice_counts_once() {
    let mut store = Store::memory();
    let job = store.job("match", PIG).unwrap();
    assert_eq!(store.job("match", PIG).unwrap(), job);
    assert_eq!(store.put(job, &[score(3, 1.0), score(1, 0.5), score(3, 0.0)]).unwrap(), 2);
    assert_eq!(store.put(job, &[score(1, 0.25), score(2, 0.75)]).unwrap(), 1);
    assert_eq!(store.done(job).unwrap(), [1, 2, 3]);
    let results: Vec<String> = store.rows(job).unwrap().into_iter().map(|row| row.result).collect();
    assert_eq!(results, [r#"{"score":0.5}"#, r#"{"score":0.75}"#, r#"{"score":1}"#]);
    assert!(store.rows(job).unwrap().iter().all(|row| row.version == env!("CARGO_PKG_VERSION")));
}

#[test]
fn jobs_are_told_apart_by_kind_and_text() {
    let mut store = Store::memory();
    assert_eq!(store.find("match", PIG).unwrap(), None);
    let ids =
        [("match", PIG), ("match", RA), ("tune", PIG)].map(|(kind, text)| store.job(kind, text).unwrap());
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    assert_eq!(store.find("match", RA).unwrap(), Some(ids[1]));
    store.put(ids[1], &[score(0, 1.0), score(9, 1.0)]).unwrap();
    let units: Vec<u64> = store.jobs().unwrap().iter().map(|job| job.units).collect();
    assert_eq!(units, [0, 2, 0]);
    assert!(store.done(ids[0]).unwrap().is_empty());
}

#[test]
fn results_of_another_revision_do_not_count() {
    let mut store = Store::memory();
    let job = store.job("match", PIG).unwrap();
    store.put(job, &[score(0, 1.0), score(1, 1.0)]).unwrap();
    let age = "UPDATE job SET text = replace(text, ?1, '0123456789abcdef')";
    assert_eq!(store.connection.execute(age, [REVISION]), Ok(1));
    assert_eq!(store.find("match", PIG).unwrap(), None);
    let now = store.job("match", PIG).unwrap();
    assert!(now != job && store.done(now).unwrap().is_empty());
    // The old results stay, under the revision that made them.
    assert_eq!(store.done(job).unwrap(), [0, 1]);
    assert!(store.jobs().unwrap()[0].text.contains(r#""revision":"0123456789abcdef""#));
    let jobs = store.jobs().unwrap();
    assert_eq!(jobs[0].revision(), (PIG.into(), Some("0123456789abcdef")));
    assert_eq!(jobs[1].revision(), (PIG.into(), Some(REVISION)));
    assert_eq!(revised("{}"), format!(r#"{{"revision":"{REVISION}"}}"#));
    assert_eq!(revised(r#"{"a":{"b":1}}"#), format!(r#"{{"a":{{"b":1}},"revision":"{REVISION}"}}"#));
}

#[test]
fn a_batch_is_put_in_whole_or_not_at_all() {
    let mut store = Store::memory();
    let job = store.job("match", PIG).unwrap();
    for (bad, problem) in [
        ((1, "[1]".to_string()), Problem::NotAnObject("[1]".into())),
        ((1, "{\"score\":".to_string()), Problem::NotAnObject("{\"score\":".into())),
        ((u64::MAX, "{}".to_string()), Problem::Number(u64::MAX)),
    ] {
        assert_eq!(store.put(job, &[score(0, 1.0), bad]).unwrap_err().problem, problem);
    }
    assert_eq!(store.put(JobId(77), &[score(0, 1.0)]).unwrap_err().problem, Problem::UnknownJob);
    assert!(store.done(job).unwrap().is_empty());
    assert_eq!(store.put(job, &[score(i64::MAX as u64, 1.0)]).unwrap(), 1);
    assert_eq!(store.done(job).unwrap(), [i64::MAX as u64]);
    assert!(store.job("match", "pig").is_err());
}

#[test]
fn what_was_put_in_is_found_after_opening_again() {
    let folder = Folder::new("again");
    let file = folder.file("results.db");
    assert_eq!(Store::open_existing(&file).unwrap_err().problem, Problem::Missing);
    let rows = {
        let store = filled(&file);
        store.rows(store.find("match", PIG).unwrap().unwrap()).unwrap()
    };
    for open in [Store::open, Store::open_existing] {
        let store = open(&file).unwrap();
        assert_eq!(store.rows(store.find("match", PIG).unwrap().unwrap()).unwrap(), rows);
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "a store at rest is one file");
}

#[test]
fn several_writers_share_a_store() {
    let folder = Folder::new("shared");
    let file = folder.file("results.db");
    std::thread::scope(|scope| {
        for writer in 0..4_u64 {
            let file = &file;
            scope.spawn(move || {
                let mut store = Store::open(file).unwrap();
                let job = store.job("match", PIG).unwrap();
                for batch in 0..5 {
                    // Half of every batch also comes from another writer.
                    let first = 10 * batch + 100 * (writer / 2) + 5 * (writer % 2);
                    store.put(job, &(first..first + 10).map(|n| score(n, 0.5)).collect::<Vec<_>>()).unwrap();
                }
            });
        }
    });
    let store = Store::open_existing(&file).unwrap();
    assert_eq!(store.jobs().unwrap().len(), 1);
    let expected: Vec<u64> = (0..55).chain(100..155).collect();
    assert_eq!(store.done(store.find("match", PIG).unwrap().unwrap()).unwrap(), expected);
}

#[test]
fn a_merge_adds_once_and_never_overwrites() {
    let mut here = Store::memory();
    let mut there = Store::memory();
    let job = here.job("match", PIG).unwrap();
    here.put(job, &[score(0, 0.0), score(1, 0.5)]).unwrap();
    there.job("tune", RA).unwrap();
    let job_there = there.job("match", PIG).unwrap();
    there.put(job_there, &[score(1, 0.5), score(2, 0.75), score(0, 1.0)]).unwrap();
    let other = there.connection.execute("UPDATE unit SET version = '0.0.9' WHERE number > 0", []);
    assert_eq!(other, Ok(2));
    let first = here.merge(&there).unwrap();
    assert_eq!((first.jobs, first.added, first.same, first.different.len()), (1, 1, 1, 1));
    let Difference { kind, text, here: mine, there: theirs } = &first.different[0];
    assert_eq!(
        (kind.as_str(), text.as_str(), mine.number, theirs.number),
        ("match", revised(PIG).as_str(), 0, 0)
    );
    assert_eq!((mine.result.as_str(), theirs.result.as_str()), (r#"{"score":0}"#, r#"{"score":1}"#));
    let rows = here.rows(job).unwrap();
    assert_eq!(rows[0], *mine);
    let versions: Vec<&str> = rows.iter().map(|row| row.version.as_str()).collect();
    assert_eq!(versions, [VERSION, VERSION, "0.0.9"]);
    let second = here.merge(&there).unwrap();
    assert_eq!((second.jobs, second.added, second.same), (0, 0, 2));
    assert_eq!(second.different, first.different);
    assert_eq!(here.rows(job).unwrap(), rows);
}

#[test]
fn a_store_merged_into_itself_stays_as_it_is() {
    let folder = Folder::new("itself");
    let file = folder.file("results.db");
    let mut store = filled(&file);
    let bytes = fs::read(&file).unwrap();
    let merged = store.merge(&Store::open_existing(&file).unwrap()).unwrap();
    assert_eq!(merged, Merged { same: 50, ..Merged::default() });
    assert!(fs::read(&file).unwrap() == bytes);
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = Folder::new("foreign");
    let file = folder.file("some.db");
    fs::write(&file, "kind,number\nmatch,1\n").unwrap();
    refused(&file, "is not a results store: file is not a database");
    fs::write(&file, vec![0; 5000]).unwrap();
    refused(&file, "is not a results store");
    fs::remove_file(&file).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE unit (x); INSERT INTO unit VALUES (1)").unwrap();
    refused(&file, "is not a results store: it belongs to another application");
    drop(other);
    fs::remove_file(&file).unwrap();
    drop(filled(&file));
    for (form, than) in [(0, "older"), (2, "newer")] {
        Connection::open(&file).unwrap().pragma_update(None, "user_version", form).unwrap();
        refused(&file, &format!("has format {form}, {than} than format 1"));
    }
    fs::remove_file(&file).unwrap();
    drop(filled(&file));
    Connection::open(&file).unwrap().execute_batch("DROP TABLE unit").unwrap();
    refused(&file, "is damaged: no such table: unit");
}

#[test]
fn damage_is_noticed_and_left_alone() {
    let folder = Folder::new("damaged");
    let file = folder.file("results.db");
    let rows = {
        let store = filled(&file);
        store.rows(store.find("match", PIG).unwrap().unwrap()).unwrap()
    };
    let whole = fs::read(&file).unwrap();
    for length in (1..whole.len()).step_by(509).chain([16, 99, 100, 4095, 4096, whole.len() - 1]) {
        fs::write(&file, &whole[..length]).unwrap();
        refused(&file, "results store");
    }
    fs::write(&file, [&whole[..], &[0; 100]].concat()).unwrap();
    refused(&file, "is damaged: it should have");
    // A bit flip in the header is detected, unless it is in a byte that does not affect the rows.
    let mut noticed = 0;
    for at in 0..100 {
        for flip in [0x01, 0x03, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            fs::write(&file, &bytes).unwrap();
            if let Ok(store) = Store::open(&file) {
                assert_eq!(
                    store.rows(store.find("match", PIG).unwrap().unwrap()).unwrap(),
                    rows,
                    "byte {at}"
                );
            } else {
                noticed += 1;
            }
            assert!(fs::read(&file).unwrap() == bytes, "byte {at} ^ {flip:#x} led to a change");
        }
    }
    assert!(noticed > 150, "{noticed}");
    // A page of zeros in the middle.
    let mut bytes = whole.clone();
    bytes[8192..12288].fill(0);
    fs::write(&file, &bytes).unwrap();
    refused(&file, "is damaged");
}

/// Copies a file in the middle of a commit, as a kill would leave it.
fn interrupted(from: &Path, to: &Path) {
    let journal = |path: &Path| PathBuf::from(format!("{}-journal", path.display()));
    let writer = Connection::open(from).unwrap();
    // Without a cache, rows reach the file before the commit.
    writer.execute_batch("PRAGMA cache_size = 1; BEGIN").unwrap();
    let many = "INSERT INTO unit SELECT job, number + 1000, printf('%4000d', number), '' FROM unit";
    writer.execute(many, []).unwrap();
    fs::copy(from, to).unwrap();
    fs::copy(journal(from), journal(to)).unwrap();
}

#[test]
fn unfinished_work_is_taken_back() {
    let folder = Folder::new("unfinished");
    let (from, to) = (folder.file("from.db"), folder.file("to.db"));
    drop(filled(&from));
    let whole = fs::read(&from).unwrap();
    for open in [Store::open, Store::open_existing] {
        interrupted(&from, &to);
        assert!(fs::read(&to).unwrap() != whole);
        let store = open(&to).unwrap();
        assert_eq!(store.jobs().unwrap()[0].units, 50);
        assert!(fs::read(&to).unwrap() == whole);
    }
    // The unfinished work of another application is not rolled back.
    let application = |id: i64| Connection::open(&from).unwrap().pragma_update(None, "application_id", id);
    application(5).unwrap();
    interrupted(&from, &to);
    refused(&to, "it belongs to another application");
}

#[test]
fn places_that_cannot_be_are_explained() {
    let folder = Folder::new("places");
    let problem = |path: &Path| Store::open(path).unwrap_err().problem;
    let deep = folder.file("no/such/results.db");
    assert_eq!(problem(&deep), Problem::NoFolder(folder.file("no/such")));
    assert!(!folder.file("no").exists());
    assert_eq!(problem(&folder.0), Problem::NotAFile);
    assert_eq!(problem(Path::new("")), Problem::NotAFile);
    let empty = folder.file("empty");
    fs::write(&empty, "").unwrap();
    assert_eq!(Store::open_existing(&empty).unwrap_err().problem, Problem::Empty);
    assert_eq!(fs::metadata(&empty).unwrap().len(), 0);
    assert_eq!(filled(&empty).jobs().unwrap()[0].units, 50);
}

#[test]
fn a_read_only_store_is_read_and_not_written() {
    let folder = Folder::new("read-only");
    let file = folder.file("results.db");
    drop(filled(&file));
    let bytes = fs::read(&file).unwrap();
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    let error = Store::open(&file).unwrap_err();
    assert_eq!(error.problem, Problem::ReadOnly);
    assert!(error.to_string().ends_with("cannot be written: it is read-only"), "{error}");
    let mut store = Store::open_existing(&file).unwrap();
    let job = store.find("match", PIG).unwrap().unwrap();
    assert_eq!(store.done(job).unwrap().len(), 50);
    assert_eq!(store.put(job, &[score(50, 1.0)]).unwrap_err().problem, Problem::ReadOnly);
    let mut other = Store::memory();
    other.job("match", RA).unwrap();
    assert_eq!(store.merge(&other).unwrap_err().problem, Problem::ReadOnly);
    assert!(fs::read(&file).unwrap() == bytes);
}

fn exported(store: &Store, filter: &Filter) -> (String, Vec<Value>) {
    let (mut csv, mut json) = (Vec::new(), Vec::new());
    store.csv(filter, &mut csv).unwrap();
    store.json_lines(filter, &mut json).unwrap();
    let lines = String::from_utf8(json).unwrap();
    let values = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (String::from_utf8(csv).unwrap(), values)
}

#[test]
fn an_export_has_a_line_for_each_unit() {
    let mut store = Store::memory();
    let pig = store.job("match", PIG).unwrap();
    let ra = store.job("tune", RA).unwrap();
    store
        .put(pig, &[(4, r#"{"score":0.1,"plies":[1,2],"end":"a \"draw\", at last","won":false}"#.into())])
        .unwrap();
    store.put(ra, &[(0, r#"{"score":null,"seed":5,"kind":"x"}"#.into())]).unwrap();
    let (csv, json) = exported(&store, &Filter::default());
    let expected = format!(
        "kind,budget,game,p1,p2,revision,seed,number,end,result.kind,plies.0,plies.1,score,result.seed,won,version\n\
         match,,\"pig(dice=2,target=100)\",star2,random,{REVISION},7,4,\"a \"\"draw\"\", at last\",,1,2,0.1,,false,{VERSION}\n\
         tune,\"{{\"\"nodes\"\":1000}}\",ra,,,{REVISION},18446744073709551615,0,,x,,,,5,,{VERSION}\n"
    );
    assert_eq!(csv, expected);
    assert_eq!(json.len(), 2);
    assert_eq!(json[0]["end"], "a \"draw\", at last");
    assert_eq!(
        (&json[0]["kind"], &json[0]["number"], &json[0]["seed"]),
        (&"match".into(), &4.into(), &7.into())
    );
    assert_eq!((&json[0]["plies.0"], &json[0]["plies.1"]), (&1.into(), &2.into()));
    assert_eq!(json[0].get("plies"), None);
    assert_eq!(json[1]["budget"]["nodes"], 1000);
    assert_eq!((&json[1]["seed"], &json[1]["result.seed"]), (&u64::MAX.into(), &5.into()));
    assert_eq!((&json[1]["score"], &json[1]["version"]), (&Value::Null, &VERSION.into()));
}

#[test]
fn values_in_lists_and_objects_have_columns_of_their_own() {
    let mut store = Store::memory();
    let job = store.job("match", PIG).unwrap();
    let long: Vec<u32> = (0..11).collect();
    let nested = format!(r#"{{"a":{{"b":[{{"c":1}},2]}},"a.b.1":3,"long":{long:?},"none":[]}}"#);
    store.put(job, &[(0, nested)]).unwrap();
    let (csv, json) = exported(&store, &Filter::default());
    let (names, values) = csv.trim_end().split_once('\n').unwrap();
    let elements: Vec<String> = long.iter().map(|at| format!("long.{at}")).collect();
    // Elements keep their order, and two values with the same name get different columns.
    assert!(
        names.ends_with(&format!(",a.b.0.c,a.b.1,result.a.b.1,{},version", elements.join(","))),
        "{names}"
    );
    assert!(values.ends_with(&format!(",1,2,3,0,1,2,3,4,5,6,7,8,9,10,{VERSION}")), "{values}");
    assert_eq!((&json[0]["a.b.1"], &json[0]["result.a.b.1"]), (&2.into(), &3.into()));
}

#[test]
fn an_export_can_be_filtered() {
    let mut store = Store::memory();
    for (kind, text) in [("match", PIG), ("match", RA), ("tune", PIG)] {
        let job = store.job(kind, text).unwrap();
        store.put(job, &[score(0, 1.0)]).unwrap();
    }
    let lines = |kind: Option<&str>, containing: Option<&str>| {
        let filter = Filter { kind: kind.map(String::from), containing: containing.map(String::from) };
        let (csv, json) = exported(&store, &filter);
        assert_eq!(csv.lines().count(), json.len() + 1);
        json.len()
    };
    assert_eq!(lines(None, None), 3);
    assert_eq!(lines(Some("match"), None), 2);
    assert_eq!(lines(None, Some("pig(dice=2,target=100)")), 2);
    assert_eq!(lines(Some("tune"), Some("\"ra\"")), 0);
    assert_eq!(lines(Some("mat"), None), 0);
}

#[test]
fn a_result_of_another_kind_is_told_with_its_place() {
    #[derive(Debug, serde::Deserialize, PartialEq)]
    struct Score {
        score: f64,
    }
    let mut store = Store::memory();
    let job = store.job("match", PIG).unwrap();
    store.put(job, &[score(0, 0.5), (1, "{}".into()), score(2, 1.0)]).unwrap();
    assert_eq!(store.read::<Score>(job, 1).unwrap(), [Score { score: 0.5 }]);
    let words = store.read::<Score>(job, 9).unwrap_err().to_string();
    assert!(words.contains("job 1, unit 1: ") && words.contains("missing field `score`"), "{words}");
}
