//! The dependencies between the crates, as declared in the manifests, and the width of comments.

use std::collections::BTreeMap;
use std::path::Path;

/// The crates in order: each may depend only on earlier ones, but not on all of them.
const ROOMS: [&str; 10] =
    ["core", "games", "search", "solve", "stats", "plot", "catalog", "arena", "store", "papers"];

/// Which crates of the workspace each crate may depend on.
fn allowed() -> BTreeMap<&'static str, &'static [&'static str]> {
    BTreeMap::from([
        ("core", &[][..]),
        ("games", &["core"]),
        ("search", &["core"]),
        ("solve", &["core"]),
        ("catalog", &["core", "games", "search", "solve"]),
        ("stats", &["core"]),
        ("plot", &[]),
        ("arena", &["core", "solve", "catalog", "stats"]),
        ("store", &["core", "arena"]),
        ("papers", &ROOMS[..9]),
        ("astragal", &ROOMS),
        ("cli", &ROOMS),
        ("web", &["core", "catalog", "arena", "stats"]),
        ("python", &["core", "solve", "catalog", "arena", "stats", "store", "papers"]),
    ])
}

#[test]
fn imports_run_one_way() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut seen = 0;
    for entry in std::fs::read_dir(crates).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
        let allowed =
            allowed().remove(name.as_str()).unwrap_or_else(|| panic!("the crate {name} is not on the plan"));
        // However a dependency is written, its name appears somewhere after the package's own section.
        let (_, rest) = manifest.split_once("publish.workspace").expect("the manifest has the usual form");
        let all = ROOMS.into_iter().chain(["cli", "web", "python"]);
        for other in all.filter(|other| rest.contains(&format!("astragal-{other}"))) {
            assert!(allowed.contains(&other), "{name} must not depend on {other}");
            seen += 1;
        }
        let whole = ["astragal.", "astragal =", "\"astragal\""]
            .iter()
            .any(|form| rest.lines().any(|l| l.starts_with(form)));
        assert!(!whole, "{name} must not depend on the façade");
    }
    assert!(seen >= 30, "only {seen} arrows were found: are the manifests written otherwise?");
}

#[test]
fn core_depends_on_next_to_nothing() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("core/Cargo.toml");
    let text = std::fs::read_to_string(manifest).unwrap();
    let (_, rest) = text.split_once("[dependencies]\n").expect("a section of dependencies");
    let (dependencies, _) = rest.split_once("\n[").expect("another section");
    let names: Vec<&str> = dependencies.lines().filter_map(|line| line.split(" = ").next()).collect();
    // For reports as JSON, an optional feature, and for suggesting similar names in errors.
    assert_eq!(names[..2], ["serde", "strsim.workspace"]);
    assert!(names[2..].iter().all(|name| name.is_empty()) && dependencies.contains("optional = true"));
    assert_eq!(text.matches("dependencies]").count(), 1);
}

#[test]
fn comments_are_as_wide_as_the_code() {
    fn look(folder: &Path, seen: &mut usize) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                look(&path, seen);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                *seen += 1;
                let text = std::fs::read_to_string(&path).unwrap();
                for (number, line) in text.lines().enumerate() {
                    let words = line.trim_start();
                    // A command meant for copying is not wrapped.
                    let wraps = words.starts_with("//") && !words.starts_with("//! $ ");
                    assert!(!wraps || line.chars().count() <= 110, "{}:{}", path.display(), number + 1);
                }
            }
        }
    }
    let mut seen = 0;
    look(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap(), &mut seen);
    assert!(seen > 100, "only {seen} files were found");
}
