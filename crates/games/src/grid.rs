//! Boards as text: rows from the top, separated by `/`, one character per square.

use astragal_core::{Player, ReadError};

/// Splits `ROWS pN` into rows of the right size and the player to move. Errors show an example.
pub(crate) fn read_rows<'t>(
    text: &'t str,
    rows: usize,
    columns: usize,
    example: &str,
) -> Result<(Vec<&'t str>, Player), ReadError> {
    let form = |why: &str| ReadError::position(text, format!("{why}; expected something like {example}"));
    let mut words = text.split_whitespace();
    let (Some(board), Some(player), None) = (words.next(), words.next(), words.next()) else {
        return Err(form("not a board and a player"));
    };
    let player = Player::named(player).ok_or_else(|| form("the player is neither p1 nor p2"))?;
    let lines: Vec<&str> = board.split('/').collect();
    if lines.len() != rows {
        return Err(form(&format!("expected {rows} rows, found {}", lines.len())));
    }
    if let Some(line) = lines.iter().find(|line| line.chars().count() != columns) {
        return Err(form(&format!("row '{line}' must have {columns} squares")));
    }
    Ok((lines, player))
}
