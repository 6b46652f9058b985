//! Every example in the README prints what the README shows, except for times.

use crate::binary::run;
use std::path::Path;
use std::process::Command;

/// Replaces every time, such as `0.014 s` or `0.2 ms`, by `T s`: nothing else may vary between runs.
fn timeless(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.trim_end().lines() {
        let mut words: Vec<&str> = line.split(' ').collect();
        for i in 1..words.len() {
            if ["s", "ms"].contains(&words[i]) && words[i - 1].parse::<f64>().is_ok() {
                words[i - 1] = "T";
            }
        }
        lines.push(words.join(" ").trim_end().to_string());
    }
    lines.join("\n")
}

/// Splits a command line at spaces, respecting single quotes.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_example_prints_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut examples = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").skip(1) {
            let (command, shown) = example.split_once('\n').unwrap();
            let words = split(command);
            assert_eq!(words[0], "astragal", "{command}");
            let output =
                run(Command::new(env!("CARGO_BIN_EXE_astragal")).args(&words[1..]).current_dir(root));
            let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert_eq!(timeless(&printed), timeless(shown), "{command}");
            examples += 1;
        }
    }
    assert!(examples >= 4, "only {examples} examples were found");
}
