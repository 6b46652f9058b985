//! The rules pages of the games: what they show as an example is legal.

use astragal_catalog::{AnyGame, Extras, GameEntry, Genre, Position, game_with, games};
use astragal_core::{Files, Turn};
use std::io::Cursor;

/// The blocks of a page between fences of this kind.
fn blocks<'p>(page: &'p str, kind: &str) -> Vec<&'p str> {
    let opening = format!("```{kind}\n");
    page.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The game with parameters; the file of an explicit tree is the one on its page.
fn build(entry: &GameEntry, parameters: &str) -> Box<dyn AnyGame> {
    let file = blocks(entry.info.rules, "json").first().copied().unwrap_or("{}");
    let files = Files::new(move |_| Ok(Box::new(Cursor::new(file))));
    let mut all: Vec<&str> = parameters.split(',').filter(|part| !part.is_empty()).collect();
    if entry.info.name == "explicit" {
        all.push("file=page");
    }
    let spec = if all.is_empty() {
        entry.info.name.into()
    } else {
        format!("{}({})", entry.info.name, all.join(","))
    };
    game_with(&spec, &Extras::from(files)).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// Plays an example, and returns all positions that it reaches.
fn played(game: &dyn AnyGame, block: &str) -> Result<Vec<Box<dyn Position>>, String> {
    let mut reached: Vec<Box<dyn Position>> = Vec::new();
    for line in block.lines() {
        let wrong = |why: &dyn std::fmt::Display| format!("{}: '{line}': {why}", game.info().name);
        let (verb, text) = line.split_once(' ').ok_or_else(|| wrong(&"no such line"))?;
        if verb == "position" && reached.is_empty() {
            reached.push(game.read(text).map_err(|error| wrong(&error))?);
        }
        let now = reached.last().ok_or_else(|| wrong(&"an example begins with a position"))?;
        match verb {
            // What the line before leads to, as the game writes it.
            "position" if now.text() == text => {}
            "position" => return Err(wrong(&now.text())),
            "actions" if now.actions().join(", ") == text => {}
            "actions" => return Err(wrong(&now.actions().join(", "))),
            "action" => reached.push(now.act(text).map_err(|error| wrong(&error))?),
            "outcome" => reached.push(now.resolve(text).map_err(|error| wrong(&error))?),
            _ => return Err(wrong(&"no such line")),
        }
    }
    Ok(reached)
}

/// Whether a text is the form of a position, with words in capitals that stand for something.
fn is_form(code: &str) -> bool {
    let mut words = code.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| word.chars().all(|c| c.is_ascii_uppercase()))
}

#[test]
fn every_example_of_the_rules_is_legal() {
    let mut faults = Vec::new();
    for entry in games() {
        let (name, page) = (entry.info.name, entry.info.rules);
        let game = build(entry, "");
        let examples = blocks(page, "play");
        let mut reached = Vec::new();
        for example in &examples {
            match played(&*game, example) {
                Ok(positions) => reached.extend(positions),
                Err(fault) => faults.push(fault),
            }
        }
        if reached.len() < 2 {
            faults.push(format!("{name}: no action is shown"));
        }
        if game.has_chance()
            && entry.info.genre != Genre::Tree
            && !examples.iter().any(|block| block.contains("\noutcome "))
        {
            faults.push(format!("{name}: no outcome is shown"));
        }
        // What is set as code elsewhere is a parameter, an action or outcome of an example, or a form.
        let prose = page.split("```").step_by(2).collect::<String>();
        for code in prose.split('`').skip(1).step_by(2) {
            let is_legal = |at: &dyn Position| match at.turn() {
                Turn::Decide(_) => at.act(code).is_ok(),
                Turn::Chance => at.resolve(code).is_ok(),
                Turn::Over(_) => false,
            };
            if code.contains('=') {
                build(entry, code);
            } else if !is_form(code) && !reached.iter().any(|at| is_legal(&**at)) {
                faults.push(format!("{name}: '{code}' is possible in no example"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_game_has_complete_rules() {
    for entry in games() {
        let (name, page) = (entry.info.name, entry.info.rules);
        assert!(page.starts_with("# ") && page.ends_with('\n'), "{name}");
        let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let wanted: &[&str] = match entry.info.genre {
            Genre::Game => &["Aim", "The end", "Notation"],
            Genre::Tree | Genre::Puzzle => &["Notation"],
        };
        for heading in wanted {
            let is_it = |found: &&str| found.starts_with(heading) || found.starts_with("The end of the game");
            assert!(headings.iter().any(is_it), "{name} says nothing about: {heading}");
        }
        assert!(!entry.info.source.is_empty(), "{name}");
    }
}
