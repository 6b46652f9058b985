//! The claims of *Monte Carlo \*-Minimax Search*, section 4.3, and other results of its Table 1: algorithms
//! as estimators.

use super::claims::{Answer, Claim};
use super::table::Rows;
use crate::Verdict;
use crate::mcms::players::{CLASSIC_NAMES, SAMPLED_NAMES};
use crate::mcms::table1::{PUBLISHED, least_regret, less_regret};
use crate::text::interval;
use astragal_core::Interval;
use astragal_stats::Estimate;

/// Rows of Table 1.
const MCTS: usize = 0;
const DPW: usize = 1;
const EXP: usize = 2;
const EXPSS: usize = 5;

/// All claims.
pub(super) fn claims(rows: &[Rows]) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut ask = |text: &str, published: String, rule: &str, answer: &dyn Fn(&Rows) -> Answer| {
        let answers = rows.iter().map(answer).collect();
        let (text, rule) = (format!("Pig: {text}"), rule.into());
        claims.push(Claim { text, published, rule, answers, samples: "positions" });
    };
    let judged = |rows: &Rows, found: Estimate, decimals, judge: &dyn Fn(&Estimate) -> Verdict| {
        Answer::judged(rows.reading, interval(&found, decimals), rows.positions(), &found, judge)
    };
    let above: &dyn Fn(&Estimate) -> Verdict = &|found| Verdict::above(found.interval(), 0.0);
    let below: &dyn Fn(&Estimate) -> Verdict = &|found| Verdict::below(found.interval(), 0.0);
    let less = "holds if the interval of the difference in the mean squared bias lies below 0, does not if above; what the variance of the runs adds is taken off";
    let greater = "holds if the interval of the difference lies above 0, does not if below";
    let names = |row: usize| PUBLISHED[row].0;
    let paper = |one: usize, other: usize, column: usize| {
        format!("{} and {}", PUBLISHED[one].1[column], PUBLISHED[other].1[column])
    };
    for (sampled, classic) in
        [(EXPSS, EXP), (EXPSS, EXP + 1), (EXPSS, EXP + 2), (EXPSS + 1, EXP + 1), (EXPSS + 2, EXP + 2)]
    {
        // The text mentions expSS only; the table also has the others.
        let table = if sampled == EXPSS { "" } else { " (Table 1)" };
        let text = format!("{} has less |bias| than {}{table}", names(sampled), names(classic));
        ask(&text, paper(sampled, classic, 2), less, &|rows| {
            judged(rows, rows.more(sampled, classic, &|cell| cell.squared_bias(rows.runs)), 1, below)
        });
    }
    for at in 0..3 {
        let text = format!("{} has more variance than {}", SAMPLED_NAMES[at], CLASSIC_NAMES[at]);
        let rule = "holds if the interval of the difference lies above 0; with budgets in nodes the classic players have none";
        ask(&text, paper(EXPSS + at, EXP + at, 1), rule, &|rows| {
            judged(rows, rows.more(EXPSS + at, EXP + at, &|cell| cell.variance), 1, above)
        });
    }
    for at in 0..3 {
        let text = format!("{} has more MSE than {}", SAMPLED_NAMES[at], CLASSIC_NAMES[at]);
        ask(&text, paper(EXPSS + at, EXP + at, 0), greater, &|rows| {
            judged(rows, rows.more(EXPSS + at, EXP + at, &|cell| cell.mse), 1, above)
        });
    }
    ask(
        "two of the three sampling players have less regret than their classic counterparts",
        "2 of 3".into(),
        "holds if two intervals of the difference lie below 0, does not if two lie above",
        &|rows| {
            let (found, verdict) = less_regret(&rows.cells);
            let measured: Vec<String> = found
                .iter()
                .zip(SAMPLED_NAMES)
                .map(|(found, name)| format!("{name} {}", interval(found, 2)))
                .collect();
            Answer::new(rows.reading, measured.join(", "), verdict)
        },
    );
    ask(
        "MCTS has the least regret (Table 1)",
        "0.41; the others 0.52 to 0.96".into(),
        "holds if all intervals of the differences lie above 0, does not if one lies below (at 99.3 %)",
        &|rows| {
            let (found, verdict) = least_regret(&rows.cells);
            let measured = found.iter().zip(&PUBLISHED[1..]);
            let measured = measured.map(|(found, (name, _))| format!("{name} {}", interval(found, 2)));
            Answer::new(rows.reading, measured.collect::<Vec<_>>().join(", "), verdict)
        },
    );
    ask(
        "DPW has more than twice the variance of MCTS (Table 1)",
        "5.3 and 0.71".into(),
        "holds if the interval of DPW's variance less twice that of MCTS lies above 0, does not if below",
        &|rows| {
            let twice = rows.twice(DPW, MCTS, &|cell| cell.variance);
            let [dpw, mcts] = [DPW, MCTS].map(|row| rows.estimate(row, &|cell| cell.variance).mean);
            let measured = format!("× {:.1} (difference {})", dpw / mcts, interval(&twice, 2));
            Answer { measured, ..judged(rows, twice, 1, above) }
        },
    );
    ask("DPW has more regret than MCTS (Table 1)", paper(DPW, MCTS, 3), greater, &|rows| {
        judged(rows, rows.more(DPW, MCTS, &|cell| cell.regret), 2, above)
    });
    for (row, (name, values)) in PUBLISHED.iter().enumerate() {
        let published = values[3];
        ask(
            &format!("{name} has a regret of {published} (Table 1)"),
            published.to_string(),
            "holds if the interval lies within a half of the published value, does not if outside of that",
            &|rows| {
                let near = Interval::new(0.5 * published, 1.5 * published);
                let judge = |found: &Estimate| Verdict::within(found.interval(), near);
                judged(rows, rows.estimate(row, &|cell| cell.regret), 2, &judge)
            },
        );
    }
    claims
}
