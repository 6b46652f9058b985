//! A store whose writers are killed repeatedly, at arbitrary moments from its creation on.
//!
//! The test starts its own executable as the writer, which reports what it has stored.

use astragal_store::Store;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

const FILE: &str = "ASTRAGAL_KILL_TEST_STORE";
const TEXT: &str = r#"{"game":"pig","seed":1}"#;
const BATCH: u64 = 7;

/// Number of initial rounds whose writers may be killed before they have created the store.
const MAKING: usize = 4;

fn result(number: u64) -> String {
    // Long enough for a batch to change several pages.
    format!(r#"{{"number":{number},"line":"{}"}}"#, "roll ".repeat(200))
}

/// Stores batch after batch, from where the last writer stopped, until it is killed.
fn write_for_ever(file: &Path) -> ! {
    let mut store = Store::open(file).unwrap();
    let job = store.job("match", TEXT).unwrap();
    // Bypasses the test harness, which would capture the output.
    let mut news = std::io::stdout();
    loop {
        let first = store.done(job).unwrap().len() as u64;
        let rows: Vec<(u64, String)> = (first..first + BATCH).map(|n| (n, result(n))).collect();
        store.put(job, &rows).unwrap();
        writeln!(news, "put {}", first + BATCH).unwrap();
    }
}

/// A writing process.
struct Writer {
    process: Child,
    news: BufReader<ChildStdout>,
    /// The number of units that it reported as stored.
    said: u64,
}

impl Writer {
    fn start(file: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_kill_loses_no_row_and_doubles_none"])
            .env(FILE, file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let news = BufReader::new(process.stdout.take().unwrap());
        Self { process, news, said: 0 }
    }

    /// Reads one line; returns whether there was one. The kill may have truncated the last.
    fn listen(&mut self) -> bool {
        let mut line = String::new();
        self.news.read_line(&mut line).unwrap();
        let number = line.strip_prefix("put ").and_then(|rest| rest.strip_suffix('\n'));
        self.said = number.map_or(self.said, |number| number.parse().unwrap());
        !line.is_empty()
    }

    /// Waits until something has been stored.
    fn wait(&mut self) {
        while self.said == 0 {
            assert!(self.listen(), "the writer ended by itself");
        }
    }

    /// Kills the process, and returns the number of units that it reported as stored.
    fn kill(mut self) -> u64 {
        self.process.kill().unwrap();
        while self.listen() {}
        let status = self.process.wait().unwrap();
        assert!(!status.success() && status.code() != Some(101), "the writer ended by itself");
        self.said
    }
}

#[test]
fn a_kill_loses_no_row_and_doubles_none() {
    if let Some(file) = std::env::var_os(FILE) {
        write_for_ever(Path::new(&file));
    }
    let folder = std::env::temp_dir().join(format!("astragal-kill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("results.db");
    let mut before = 0;
    for (round, wait) in [3, 6, 11, 17, 60, 123, 47, 208, 95, 31, 150, 77].into_iter().enumerate() {
        let mut writers: Vec<Writer> = (0..1 + round % 2).map(|_| Writer::start(&file)).collect();
        if round >= MAKING {
            writers.iter_mut().for_each(Writer::wait);
        }
        std::thread::sleep(Duration::from_millis(wait));
        let said = writers.into_iter().map(Writer::kill).max().unwrap();
        let mut store = Store::open(&file).unwrap();
        let job = store.job("match", TEXT).unwrap();
        let rows = store.rows(job).unwrap();
        let count = rows.len() as u64;
        assert!(count >= said && count >= before, "round {round}: {count} rows, {said} put, {before} before");
        assert_eq!(count % BATCH, 0, "half a batch");
        for (number, row) in rows.iter().enumerate() {
            assert_eq!((row.number, &row.result), (number as u64, &result(number as u64)));
        }
        // The store remains writable.
        let next: Vec<(u64, String)> = (count..count + BATCH).map(|n| (n, result(n))).collect();
        assert_eq!(store.put(job, &next).unwrap(), BATCH);
        before = count + BATCH;
        // Early kills hit the creation of the store, so the next writer may have to create it again.
        if round + 1 < MAKING {
            drop(store);
            std::fs::remove_file(&file).unwrap();
            before = 0;
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}
