//! Files that commands write: links, FIFOs, full disks and concurrent runs, through the real binary.
#![cfg(unix)]

use crate::binary::{astragal, directory, ended, path, refused, said, text};
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

const SMALL: &str = "pig(target=5)";

/// A link to the device that is always full: if the command replaces the file it writes to, only the link is
/// lost.
#[cfg(target_os = "linux")]
pub(crate) fn full_disk(directory: &Path) -> String {
    symlink("/dev/full", directory.join("full")).unwrap();
    path(directory, "full")
}

#[cfg(target_os = "linux")]
fn assert_still_a_device(link: &str) {
    assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    assert!(fs::metadata(link).unwrap().file_type().is_char_device());
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_link_is_followed_and_stays_a_link() {
    let directory = directory("link");
    for (command, name) in [
        (&["solve", SMALL, "--out"][..], "solution"),
        (&["analyze", "pig", "--engine", "mcts", "--iterations", "50", "--tree"], "tree.json"),
    ] {
        let (real, link) = (path(&directory, "real"), path(&directory, name));
        fs::write(&real, "old").unwrap();
        symlink("real", &link).unwrap();
        said(&[command, &[&link]].concat());
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::metadata(&real).unwrap().len() > 100);
        assert_eq!(names(&directory), ["real", name]);
        fs::remove_file(link).unwrap();
    }
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_fifo_is_written_to_and_stays_a_fifo() {
    let directory = directory("fifo");
    let (fifo, file) = (path(&directory, "fifo"), path(&directory, "file"));
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut reader = Command::new("cat").arg(&fifo).stdout(Stdio::piped()).spawn().unwrap();
    said(&["solve", SMALL, "--out", &fifo]);
    said(&["solve", SMALL, "--out", &file]);
    let stayed = fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo();
    if !stayed {
        // Otherwise it would wait for a writer for ever.
        reader.kill().unwrap();
    }
    assert!(stayed);
    assert_eq!(ended(reader).stdout, fs::read(&file).unwrap());
    assert_eq!(names(&directory), ["fifo", "file"]);
    fs::remove_dir_all(directory).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_with_the_name_of_the_file() {
    let directory = directory("full");
    let full = full_disk(&directory);
    let output = astragal(&["solve", SMALL, "--out", &full]);
    assert_still_a_device(&full);
    let (printed, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error, format!("astragal: cannot write '{full}': No space left on device (os error 28)\n"));
    assert!(printed.contains("under perfect play") && !printed.contains("saved"), "{printed}");
    // Even if nobody reads the result.
    for args in
        [&["solve", SMALL, "--out", &full][..], &["match", "pig", "random", "random", "--record", &full]]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = ended(child);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(&format!("cannot write '{full}'")), "{args:?}");
    }
    let tree = ["analyze", "pig", "--engine", "mcts", "--iterations", "50", "--tree", &full];
    let output = astragal(&tree);
    let (printed, error) = (text(&output.stdout), text(&output.stderr));
    assert_still_a_device(&full);
    assert!(output.status.code() == Some(2) && printed.contains("best roll"), "{printed}");
    assert!(error.contains(&format!("cannot write '{full}': No space left")), "{error}");
    assert_eq!(names(&directory), ["full"]);
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn runs_at_once_leave_one_whole_file() {
    let directory = directory("at-once");
    let file = path(&directory, "solution");
    let run = |target: u32| {
        Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["solve", &format!("pig(target={target})"), "--out", &file])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    for _ in 0..5 {
        // They start together and write at about the same time.
        let runs: Vec<_> = [20, 21, 22, 23].into_iter().map(run).collect();
        for run in runs {
            let output = ended(run);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            assert!(text(&output.stdout).contains("saved in"));
        }
        // The file is complete, from one of the runs, with its checksum.
        let whole = |target: &u32| {
            let (game, engine) = (format!("pig(target={target})"), format!("solved(file={file})"));
            astragal(&["analyze", &game, "--engine", &engine]).status.code() == Some(0)
        };
        assert!([20, 21, 22, 23].iter().any(whole));
        assert_eq!(names(&directory), ["solution"]);
    }
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let directory = directory("unwritable");
    let missing = path(&directory, "no/file");
    for (file, why) in [(missing.as_str(), "No such file"), (directory.to_str().unwrap(), "it is a folder")] {
        // Either command would run far longer than a test may.
        for command in [
            &["solve", "pig", "--out"][..],
            &["analyze", "pig", "--engine", "mcts", "--time", "100s", "--tree"],
        ] {
            let error = refused(&[command, &[file]].concat());
            assert!(error.contains(&format!("cannot write '{file}': {why}")), "{error}");
        }
    }
    // A finished game has no tree, and the file stays as it was.
    let file = path(&directory, "tree.json");
    fs::write(&file, "old").unwrap();
    let over =
        ["analyze", "tic-tac-toe", "--position", "XXX/OO./... p2", "--engine", "mcts", "--tree", &file];
    assert!(refused(&over).contains("the game is over"));
    assert_eq!(
        (fs::read_to_string(&file).unwrap(), names(&directory)),
        ("old".into(), vec!["tree.json".into()])
    );
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_is_open_already_is_added_to() {
    let directory = directory("appended");
    let file = path(&directory, "log");
    fs::write(&file, "kept\n").unwrap();
    let log = fs::File::options().append(true).open(&file).unwrap();
    let arguments = ["solve", SMALL, "--out", "/dev/stdout"];
    let solve = Command::new(env!("CARGO_BIN_EXE_astragal")).args(arguments).stdout(log).spawn();
    assert!(ended(solve.unwrap()).status.success());
    let (seen, solution) = (fs::read(&file).unwrap(), path(&directory, "solution"));
    said(&["solve", SMALL, "--out", &solution]);
    let solution = fs::read(solution).unwrap();
    assert!(seen.starts_with(b"kept\n") && seen.windows(solution.len()).any(|part| part == solution));
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_record_and_a_store_are_two_files() {
    let directory = directory("two-files");
    let (file, other) = (path(&directory, "file"), format!("{}/./file", directory.display()));
    let base = ["match", SMALL, "random", "random", "--pairs", "2"];
    let error = refused(&[&base[..], &["--record", &file, "--store", &other]].concat());
    assert!(error.contains("the same file") && names(&directory).is_empty(), "{error}");
    // The old contents of a file stay until there is something to record.
    fs::write(&file, "old").unwrap();
    refused(&["match", SMALL, "random", "nobody", "--record", &file]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    said(&[&base[..], &["--record", &file]].concat());
    assert!(!fs::read_to_string(&file).unwrap().contains("old"));
    fs::remove_dir_all(directory).unwrap();
}
