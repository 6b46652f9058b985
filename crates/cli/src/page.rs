//! Shows a page of rules in the terminal: as much of Markdown as these pages use, and no more.
//!
//! Headings, paragraphs, lists, code, and blocks. The first block marked `play` has a drawing of its
//! position.

use crate::print::{BOLD, picture, styled};
use crate::wrap::wrap;
use astragal_catalog::AnyGame;

/// The indentation of blocks.
const BLOCK: usize = 4;

/// Renders a page in lines of at most `width` columns, with drawings if the game is given.
pub(crate) fn render(page: &str, game: Option<&dyn AnyGame>, width: usize) -> String {
    let mut out = String::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut drawn = false;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let is_heading = line.starts_with('#');
        if !paragraph.is_empty()
            && (line.is_empty() || is_heading || line.starts_with("- ") || line.starts_with("```"))
        {
            out += &wrap(&with_code(&paragraph.join(" ")), width, 0);
            out.push('\n');
            paragraph.clear();
        }
        if is_heading {
            out += &styled(BOLD, line.trim_start_matches(['#', ' ']));
            out.push('\n');
        } else if let Some(kind) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if kind == "play" && !std::mem::replace(&mut drawn, true) {
                out += &drawing(&block, game);
            }
            for line in block {
                out += &block_line(line, kind == "play", width);
            }
        } else if line.starts_with("- ") {
            out += &wrap(&with_code(line), width, 2);
            out.push('\n');
        } else if line.is_empty() {
            out.push('\n');
        } else {
            paragraph.push(line);
        }
    }
    if !paragraph.is_empty() {
        out += &wrap(&with_code(&paragraph.join(" ")), width, 0);
        out.push('\n');
    }
    out
}

/// A line of a block; in an example, what follows its first word is aligned.
fn block_line(line: &str, is_example: bool, width: usize) -> String {
    let indent = " ".repeat(BLOCK);
    match line.split_once(' ').filter(|_| is_example) {
        Some((verb, text)) => wrap(&format!("{indent}{verb:<8}  {text}"), width, BLOCK + 10) + "\n",
        None => format!("{indent}{line}\n"),
    }
}

/// The drawing of the position with which an example begins.
fn drawing(block: &[&str], game: Option<&dyn AnyGame>) -> String {
    let text = block.first().and_then(|line| line.strip_prefix("position "));
    let position = game.zip(text).and_then(|(game, text)| game.read(text).ok());
    position.map_or(String::new(), |position| picture(&position.picture()) + "\n\n")
}

/// Text in which code is set in bold instead of between backquotes.
fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { styled(BOLD, part) } else { part.into() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_catalog::{game, games};

    #[test]
    fn every_page_fits_any_terminal() {
        for entry in games() {
            let game = game(entry.info.name).ok();
            for width in [60, 79, 120] {
                let shown = render(entry.info.rules, None, width);
                let plain = anstream::adapter::strip_str(&shown).to_string();
                for line in plain.lines() {
                    // A word that cannot be broken, such as a position, may be longer.
                    let is_one_word = line.split_whitespace().count() <= 2;
                    assert!(line.chars().count() <= width || is_one_word, "{}: {line}", entry.info.name);
                }
            }
            let drawn = render(entry.info.rules, game.as_deref(), 79);
            assert_eq!(
                drawn.len() > render(entry.info.rules, None, 79).len(),
                game.is_some(),
                "{}",
                entry.info.name
            );
        }
    }

    #[test]
    fn markdown_is_not_shown() {
        let page = "# Title\n\nRoll with `roll`,\nthen hold.\n\n- one\n- two\n\n```play\nposition 0-0+0 p1\naction roll\n```\n";
        let plain = anstream::adapter::strip_str(&render(page, None, 79)).to_string();
        assert_eq!(
            plain,
            "Title\n\nRoll with roll, then hold.\n\n- one\n- two\n\n    position  0-0+0 p1\n    action    roll\n"
        );
    }
}
