//! Every console example in the README and in `docs` prints what is shown there, except for times.
//!
//! `ASTRAGAL_BLESS=1` writes what the commands print now into the files instead of comparing.

use crate::binary::run;
use std::fs;
use std::path::{Path, PathBuf};
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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// The README and the pages of `docs`, in order. The reports in `docs/results` are made by `astragal
/// reproduce`.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// Runs the examples of a page. Returns their number, and the page with what they print where it is not what
/// they show.
fn checked(page: &str) -> (usize, String) {
    const OPEN: &str = "```console\n";
    let mut blocks = page.split(OPEN);
    let mut new = blocks.next().unwrap().to_string();
    let mut examples = 0;
    for block in blocks {
        let (block, rest) = block.split_once("```").expect("a block that ends");
        let mut printed_block = Vec::new();
        for example in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, shown) = example.split_once('\n').unwrap();
            let words = split(command);
            assert_eq!(words[0], "astragal", "{command}");
            let output =
                run(Command::new(env!("CARGO_BIN_EXE_astragal")).args(&words[1..]).current_dir(root()));
            let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            let kept = if timeless(&printed) == timeless(shown) { shown } else { &printed };
            let lines: Vec<&str> = kept.trim_end().lines().map(str::trim_end).collect();
            printed_block.push(format!("$ {command}\n{}\n", lines.join("\n")));
            examples += 1;
        }
        new += &format!("{OPEN}{}```{rest}", printed_block.join("\n"));
    }
    (examples, new)
}

#[test]
fn every_example_prints_what_it_shows() {
    let blesses = std::env::var_os("ASTRAGAL_BLESS").is_some_and(|wanted| wanted == "1");
    let (mut examples, mut outdated) = (0, Vec::new());
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let (count, printed) = checked(&page);
        examples += count;
        if printed != page {
            if blesses {
                fs::write(&path, &printed).unwrap();
            }
            let wrong = page.lines().zip(printed.lines()).find(|(shown, printed)| shown != printed);
            outdated.push(format!("{}: {wrong:?}", path.display()));
        }
    }
    assert!(examples >= 15, "only {examples} examples were found");
    let advice = "run this test with ASTRAGAL_BLESS=1, and read the difference";
    assert!(blesses || outdated.is_empty(), "{}\n{advice}", outdated.join("\n"));
}

#[test]
fn the_readme_is_a_first_page() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let lines: Vec<&str> = readme.lines().collect();
    assert!(lines.len() <= 170, "{} lines", lines.len());
    let picture = lines.iter().position(|line| line.starts_with("![")).expect("a picture");
    assert!(picture < 10, "the picture is in line {}", picture + 1);
}

/// The link targets of a page, outside its blocks of code.
fn links(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    prose.flat_map(|text| text.split("](").skip(1)).filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn every_link_leads_somewhere_and_every_page_is_linked() {
    let contents = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        for link in links(&page).into_iter().filter(|link| !link.contains("://")) {
            let file = link.split('#').next().unwrap();
            let there = path.parent().unwrap().join(file);
            assert!(file.is_empty() || there.exists(), "{}: {link}", path.display());
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name == "README.md" || links(&contents).contains(&name), "docs/README.md lacks {name}");
    }
}

#[test]
fn examples_in_rust_stand_where_they_are_compiled() {
    let facade = fs::read_to_string(root().join("crates/astragal/src/lib.rs")).unwrap();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
        let is_compiled = facade.contains(&format!("include_str!(\"../../../{name}\")"));
        assert_eq!(page.contains("```rust"), is_compiled, "{name} in crates/astragal/src/lib.rs");
    }
}
