//! The UCI protocol of chess programs: commands sent to an engine, and its answers.

use super::value_of_hundredths;
use astragal_core::Budget;

/// Formats a budget as a `go` command.
#[must_use]
pub fn go(budget: &Budget) -> String {
    let mut text = "go".to_owned();
    if let Some(depth) = budget.depth {
        text += &format!(" depth {depth}");
    }
    if let Some(nodes) = budget.nodes {
        text += &format!(" nodes {nodes}");
    }
    if let Some(time) = budget.time {
        text += &format!(" movetime {}", time.as_millis().max(1));
    }
    if text == "go" { "go infinite".into() } else { text }
}

/// An engine's answer for a position, from the point of view of the player to move.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The engine's value of the position.
    pub value: f64,
    /// The depth searched.
    pub depth: u32,
    /// The number of nodes visited.
    pub nodes: u64,
    best: String,
    pv: Vec<String>,
}

impl Answer {
    /// Processes a line of output; returns whether it was the last.
    pub fn hear(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => {
                self.best = words.next().unwrap_or_default().to_owned();
                return true;
            }
            Some("info") => {}
            _ => return false,
        }
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse::<f64>().ok());
            match word {
                // Of several lines the first is the best.
                "multipv" if number().is_some_and(|line| line > 1.0) => return false,
                "depth" => self.depth = number().map_or(self.depth, |depth| depth as u32),
                "nodes" => self.nodes = number().map_or(self.nodes, |nodes| nodes as u64),
                "cp" => self.value = number().map_or(self.value, value_of_hundredths),
                "mate" => {
                    let won = |moves| value_of_hundredths(f64::INFINITY.copysign(moves));
                    self.value = number().map_or(self.value, won);
                }
                "pv" => {
                    self.pv = words.map(str::to_owned).collect();
                    break;
                }
                "string" => break,
                _ => {}
            }
        }
        false
    }

    /// Returns the principal variation, starting with the best move.
    #[must_use]
    pub fn line(&self) -> Vec<String> {
        let agrees = self.pv.first() == Some(&self.best);
        if agrees { self.pv.clone() } else { vec![self.best.clone()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn answers_are_heard() {
        let mut answer = Answer::default();
        assert!(
            !answer.hear("info depth 12 seldepth 20 multipv 1 score cp -31 nodes 4000 nps 1 pv e7e5 g1f3")
        );
        assert_eq!((answer.depth, answer.nodes), (12, 4000));
        assert_eq!(answer.value, value_of_hundredths(-31.0));
        assert!(!answer.hear("info string depth 99") && !answer.hear("id name depth 99"));
        assert_eq!(answer.depth, 12);
        assert!(answer.hear("bestmove e7e5 ponder g1f3"));
        assert_eq!(answer.line(), ["e7e5", "g1f3"]);
        assert!(!answer.hear("info score mate -3"));
        assert_eq!(answer.value, -100.0);
        assert!(answer.hear("bestmove (none)"));
        assert_eq!(answer.line(), ["(none)"]);
    }

    #[test]
    fn budgets_are_told() {
        assert_eq!(go(&Budget::depth(3)), "go depth 3");
        assert_eq!(
            go(&Budget { time: Some(Duration::from_millis(250)), ..Budget::nodes(9) }),
            "go nodes 9 movetime 250"
        );
        assert_eq!(go(&Budget::default()), "go infinite");
    }
}
