//! `lecture-ucb-example`: one iteration of UCT worked by hand, from the lecture on sampling-based search (M.
//! Buro), "UCT Example".
//!
//! The tree has a root U with children V and W, and V has children X and Y. Scores come from the UCB1
//! function that all searches use; the descent and the update on the way back follow the lecture.

use crate::report::EXACT;
use crate::text::decimal;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_search::ucb1;

/// The wins and trials of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    name: &'static str,
    wins: u32,
    trials: u32,
}

impl Node {
    fn record(&self) -> String {
        format!("{}/{}", self.wins, self.trials)
    }
}

/// The exploration constant of the example.
const C: f64 = 1.0;

/// The result of the playout below X.
const RESULT: u32 = 0;

/// The siblings at each level of the descent, before the iteration.
fn levels() -> [Vec<Node>; 2] {
    let node = |name, wins, trials| Node { name, wins, trials };
    [vec![node("V", 1, 2), node("W", 0, 1)], vec![node("X", 1, 1), node("Y", 0, 1)]]
}

/// The scores of siblings. Their parent has as many visits as all of them together.
fn scores(siblings: &[Node]) -> Vec<f64> {
    let parent: u32 = siblings.iter().map(|node| node.trials).sum();
    let log = libm::log(f64::from(parent));
    let score =
        |node: &Node| ucb1(f64::from(node.wins) / f64::from(node.trials), f64::from(node.trials), log, C);
    siblings.iter().map(score).collect()
}

/// The index of the largest score; the first on ties.
fn largest(scores: &[f64]) -> usize {
    (0..scores.len()).fold(0, |best, at| if scores[at] > scores[best] { at } else { best })
}

/// The scores at each level of the descent, and the chosen nodes after the update.
fn iterate(mut levels: [Vec<Node>; 2]) -> Vec<(Vec<f64>, Node)> {
    let walk = |siblings: &mut Vec<Node>| {
        let scores = scores(siblings);
        let chosen = &mut siblings[largest(&scores)];
        chosen.wins += RESULT;
        chosen.trials += 1;
        (scores, *chosen)
    };
    levels.iter_mut().map(walk).collect()
}

/// The experiment.
pub(crate) static UCB_EXAMPLE: Experiment = Experiment {
    id: "lecture-ucb-example",
    title: "One iteration of UCT, worked by hand",
    source: "Lecture on sampling-based search (M. Buro), \"UCT Example\"",
    takes: &[(Scale::Quick, 1), (Scale::Full, 1)],
    run,
};

fn run(_bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let before = levels();
    let walked = iterate(before.clone());
    let mut table =
        Table::new("scores", "Scores on the way down", &["node", "wins/trials before", "score", "chosen"]);
    let mut findings = Vec::new();
    let published = [([1.24, 1.05], "V", "1/3"), ([1.83, 0.83], "X", "1/2")];
    for ((siblings, (scores, chosen)), (known, name, record)) in before.iter().zip(&walked).zip(published) {
        for ((node, &score), known) in siblings.iter().zip(scores).zip(known) {
            let taken = if node.name == chosen.name { "yes" } else { "no" };
            table.rows.push(vec![node.name.into(), node.record(), decimal(score, 4), taken.into()]);
            findings.push(Finding {
                claim: format!("score of {} with {}", node.name, node.record()),
                published: decimal(known, 2),
                measured: decimal(score, 4),
                verdict: Verdict::of((100.0 * score).round() == (100.0 * known).round()),
                rule: EXACT.into(),
                note: "equal when rounded to two decimals".into(),
            });
        }
        findings.push(Finding {
            claim: "chosen, and its wins/trials after the result 0".into(),
            published: format!("{name}, {record}"),
            measured: format!("{}, {}", chosen.name, chosen.record()),
            verdict: Verdict::of(chosen.name == name && chosen.record() == record),
            rule: EXACT.into(),
            note: String::new(),
        });
    }
    let summary = "The root U has the children V (1 win in 2 trials) and W (0 in 1), and V has X (1 in 1) and Y (0 in 1). \
                       UCB1 with C = 1 walks down; a playout below X is lost; the nodes on the path are updated.";
    Ok(Outcome { summary: summary.into(), findings, tables: vec![table], figures: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn every_published_number_is_met() {
        let outcome = unattended(0, 1, run).unwrap();
        assert_eq!(outcome.findings.len(), 6);
        assert!(outcome.findings.iter().all(|finding| finding.verdict == Verdict::Agrees), "{outcome:?}");
    }

    #[test]
    fn the_walk_follows_the_records() {
        // With the records of V and W exchanged, the descent and the update take the other branch.
        let [mut first, second] = levels();
        first.reverse();
        (first[0].name, first[1].name) = ("V", "W");
        let walked = iterate([first, second]);
        assert_eq!(walked[0].1, Node { name: "W", wins: 1, trials: 3 });
    }
}
