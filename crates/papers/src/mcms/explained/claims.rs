//! The claims of the paper's sections 4.3 and 4.4, each answered under every reading.

use super::matches::{EVEN, LOOK_LEVEL, Played, find, of_bar};
use super::readings::{Bar, READINGS, without_siblings};
use super::table::Rows;
use crate::mcms::players::{CLASSIC_NAMES, DOMAINS, SAMPLED_NAMES};
use crate::mcms::table1::PUBLISHED;
use crate::text::{decimal, interval, percent};
use crate::{Finding, Verdict};
use astragal_core::Interval;
use astragal_stats::{Estimate, LEVEL, student_quantile};
use std::cmp::Reverse;

/// How a claim about the score of a bar is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judge {
    Above,
    Below,
    Comparable,
    /// Within five points of a published score.
    Near(f64),
}

impl Judge {
    /// What it says of a score: that the claim agrees, differs, is level or open.
    pub(super) fn verdict(self, score: &Estimate) -> Verdict {
        let found = score.interval();
        match self {
            Self::Above | Self::Below => {
                let one =
                    if self == Self::Above { Verdict::above(found, 0.5) } else { Verdict::below(found, 0.5) };
                if one == Verdict::Open && EVEN.covers(&found) { Verdict::Level } else { one }
            }
            Self::Comparable => Verdict::within(found, EVEN),
            Self::Near(published) => {
                let near = Interval::new(published - 0.05, published + 0.05);
                if found.hi < near.lo || found.lo > near.hi {
                    Verdict::Differs
                } else if near.contains(score.mean) && found.hi - found.lo <= 0.2 {
                    Verdict::Agrees
                } else {
                    Verdict::Open
                }
            }
        }
    }

    fn rule(self) -> &'static str {
        match self {
            Self::Above => {
                "holds if the interval lies above 50 %, does not if below, level if between 45 and 55 %"
            }
            Self::Below => {
                "holds if the interval lies below 50 %, does not if above, level if between 45 and 55 %"
            }
            Self::Comparable => "holds if the interval lies between 45 and 55 %, does not if outside of that",
            Self::Near(_) => {
                "holds if the score is within five points of the published one and its interval no wider than 20, does not if the interval lies outside of that"
            }
        }
    }

    /// How many pairs would decide it, if the score stays as it is.
    fn takes(self, played: &Played) -> Option<u64> {
        let Estimate { mean, lo, hi, error } = played.score;
        (1..20).map(|doubling| 1_u64 << doubling).find_map(|times| {
            let shrunk = (times as f64).sqrt();
            let score = Estimate {
                mean,
                lo: mean - (mean - lo) / shrunk,
                hi: mean + (hi - mean) / shrunk,
                error: error / shrunk,
            };
            (self.verdict(&score) != Verdict::Open).then_some(times * played.pairs)
        })
    }
}

/// What the paper says of a bar in a game.
pub(super) fn judges(game: usize, bar: Bar) -> Vec<Judge> {
    match (game, bar) {
        (2, Bar::Sampling(2)) => vec![Judge::Above, Judge::Near(0.85)],
        (3, Bar::Sampling(_)) => vec![Judge::Above, Judge::Near(0.6)],
        (_, Bar::Sampling(_)) => vec![Judge::Above],
        (1, Bar::Star1SsExpSs) | (3, Bar::Star2SsStar1Ss) | (1, Bar::Star1SsMcts) => vec![Judge::Below],
        (0 | 3, Bar::Star1SsMcts) => vec![Judge::Comparable],
        (_, Bar::MctsDpw) => vec![if DOMAINS[game].dpw_is_best { Judge::Below } else { Judge::Above }],
        _ => Vec::new(),
    }
}

/// What one reading says of a claim.
struct Answer {
    reading: &'static str,
    measured: String,
    /// Agrees, differs, level or open.
    verdict: Verdict,
    /// How many pairs would decide it, if it is open.
    takes: Option<u64>,
}

/// A claim with the answers of all readings.
fn finding(claim: String, published: &str, rule: &str, answers: &[Answer]) -> Finding {
    let mut verdict = None;
    let mut parts = Vec::new();
    for (what, answered) in [
        ("holds with", Verdict::Agrees),
        ("does not hold with", Verdict::Differs),
        ("level with", Verdict::Level),
        ("open with", Verdict::Open),
    ] {
        let readings: Vec<&str> =
            answers.iter().filter(|answer| answer.verdict == answered).map(|answer| answer.reading).collect();
        if readings.is_empty() {
            continue;
        }
        parts.push(format!("{what} {}", readings.join("; ")));
        verdict = match (verdict, answered) {
            (None, one) => Some(one),
            (Some(Verdict::Depends), _) => Some(Verdict::Depends),
            (Some(_), Verdict::Open) => Some(Verdict::Open),
            (Some(_), _) => Some(Verdict::Depends),
        };
    }
    if let Some(most) = answers.iter().filter_map(|answer| answer.takes).max() {
        parts.push(format!("what is open would take about {most} pairs if the score stays as it is"));
    }
    let measured: Vec<String> =
        answers.iter().map(|answer| format!("{}: {}", answer.reading, answer.measured)).collect();
    Finding {
        claim,
        published: published.into(),
        measured: measured.join("; "),
        verdict: verdict.unwrap_or(Verdict::Open),
        rule: format!("under each reading: {rule}"),
        note: parts.join(". "),
    }
}

/// The answers of all readings of a game to a claim about the score of a bar: that of the largest budget which
/// decides, or of the largest.
fn scores(played: &[Played], game: usize, bar: Bar, judge: Judge) -> Vec<Answer> {
    let readings = READINGS[game].iter().enumerate();
    readings
        .filter_map(|(at, reading)| {
            let mut budgets = of_bar(played, game, at, bar);
            budgets.sort_by_key(|played| Reverse(played.cell.nodes));
            let most = *budgets.first()?;
            let decided = |played: &&&Played| judge.verdict(&played.score) != Verdict::Open;
            let found = budgets.iter().find(decided).map_or(most, |found| *found);
            let verdict = judge.verdict(&found.score);
            let takes = if verdict == Verdict::Open { judge.takes(found) } else { None };
            let with = if found.cell.nodes == most.cell.nodes {
                String::new()
            } else {
                format!(" ({} nodes)", found.cell.nodes)
            };
            let measured = format!("{}{with}", percent(&found.score));
            Some(Answer { reading: reading.name, measured, verdict, takes })
        })
        .collect()
}

/// The claims of section 4.4.
pub(super) fn strength(played: &[Played]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut ask = |game: usize, claim: &str, published: &str, bar: Bar, judge: Judge| {
        let claim = format!("{}: {claim}", DOMAINS[game].name);
        findings.push(finding(claim, published, judge.rule(), &scores(played, game, bar, judge)));
    };
    for game in 0..DOMAINS.len() {
        for bar in Bar::SAMPLING {
            ask(game, &format!("{} above 50 %", bar.name()), "above 50 %", bar, Judge::Above);
        }
    }
    ask(2, "star2SS–Star2 is 85.0 %", "85.0 %", Bar::Sampling(2), Judge::Near(0.85));
    for bar in Bar::SAMPLING {
        ask(3, &format!("{} is roughly 60 %", bar.name()), "roughly 60 %", bar, Judge::Near(0.6));
    }
    for game in [0, 3] {
        let claim = "star1SS is comparable to the best MCTS player";
        ask(game, claim, "the best MCMS variant is comparable", Bar::Star1SsMcts, Judge::Comparable);
    }
    ask(1, "star1SS–MCTS below 50 %", "weak", Bar::Star1SsMcts, Judge::Below);
    for (game, bar) in [(1, Bar::Star1SsExpSs), (3, Bar::Star2SsStar1Ss)] {
        let claim = format!("{} below 50 %", bar.name());
        ask(game, &claim, "slightly below 50 %, because bounds take time", bar, Judge::Below);
    }
    for (game, domain) in DOMAINS.iter().enumerate() {
        let (claim, judge) = if domain.dpw_is_best {
            ("DPW is better than MCTS", Judge::Below)
        } else {
            ("MCTS is better than DPW", Judge::Above)
        };
        ask(game, claim, "better in 500 matches", Bar::MctsDpw, judge);
    }
    for (game, domain) in DOMAINS.iter().enumerate() {
        let claim = format!("{}: sampling improves the score of Star1 against MCTS", domain.name);
        let rule = "holds if the interval of the difference lies above 0, does not if below, level if within five points of it";
        findings.push(finding(claim, "improves", rule, &improvements(played, game)));
    }
    findings
}

/// How much more star1SS scores against the best MCTS player than Star1 does.
fn improvements(played: &[Played], game: usize) -> Vec<Answer> {
    let readings = READINGS[game].iter().enumerate();
    readings
        .filter_map(|(at, reading)| {
            let with = find(played, game, at, Bar::Star1SsMcts, None)?;
            let without = find(played, game, without_siblings(game, at), Bar::Star1Mcts, None)?;
            let freedom = with.pairs.min(without.pairs) as f64 - 1.0;
            let z = student_quantile(1.0 - 0.5 * (1.0 - LOOK_LEVEL), freedom);
            let (mean, error) =
                (with.score.mean - without.score.mean, with.score.error.hypot(without.score.error));
            let gain = Interval::new(mean - z * error, mean + z * error);
            let verdict = match Verdict::above(gain, 0.0) {
                Verdict::Open if gain.lo > -0.05 && gain.hi < 0.05 => Verdict::Level,
                verdict => verdict,
            };
            let [mean, lo, hi] = [mean, gain.lo, gain.hi].map(|x| decimal(100.0 * x, 1));
            let measured = format!("{mean} points [{lo}, {hi}]");
            Some(Answer { reading: reading.name, measured, verdict, takes: None })
        })
        .collect()
}

/// The claims of section 4.3. That sampling brings variance with it is not among them: with budgets in nodes
/// the classic players have none.
pub(super) fn estimators(rows: &[Rows]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut ask =
        |claim: &str, published: String, rule: &str, answer: &dyn Fn(&Rows) -> (String, Verdict)| {
            let answers: Vec<Answer> = rows
                .iter()
                .map(|rows| {
                    let (measured, verdict) = answer(rows);
                    Answer { reading: rows.reading, measured, verdict, takes: None }
                })
                .collect();
            findings.push(finding(format!("Pig: {claim}"), &published, rule, &answers));
        };
    let less = "holds if the interval of the difference in the mean squared bias lies below 0, does not if above; what the variance of the runs adds is taken off";
    let greater = "holds if the interval of the difference lies above 0, does not if below";
    let names = |row: usize| PUBLISHED[row].0;
    let paper = |one: usize, other: usize, column: usize| {
        format!("{} and {}", PUBLISHED[one].1[column], PUBLISHED[other].1[column])
    };
    // expSS against all classic players, and the other two against their own.
    for (sampled, classic) in [(5, 2), (5, 3), (5, 4), (6, 3), (7, 4)] {
        let claim = format!("{} has less |bias| than {}", names(sampled), names(classic));
        ask(&claim, paper(sampled, classic, 2), less, &|rows| {
            let found = rows.more(sampled, classic, &|cell| cell.squared_bias(rows.runs), LEVEL);
            (interval(&found, 1), Verdict::below(found.interval(), 0.0))
        });
    }
    for at in 0..3 {
        let (classic, sampled) = (2 + at, 5 + at);
        let claim = format!("{} has more MSE than {}", SAMPLED_NAMES[at], CLASSIC_NAMES[at]);
        ask(&claim, paper(sampled, classic, 0), greater, &|rows| {
            let found = rows.more(sampled, classic, &|cell| cell.mse, LEVEL);
            (interval(&found, 1), Verdict::above(found.interval(), 0.0))
        });
    }
    ask(
        "two of the three sampling players have less regret than their classic counterparts",
        "2 of 3".into(),
        "holds if two intervals of the difference lie below 0, does not if two lie above",
        &|rows| {
            let found = [0, 1, 2].map(|at| rows.more(5 + at, 2 + at, &|cell| cell.regret, LEVEL));
            let (lower, higher) = (
                found.iter().filter(|found| found.hi < 0.0).count(),
                found.iter().filter(|found| found.lo > 0.0).count(),
            );
            let verdict = match (lower, higher) {
                (2.., _) => Verdict::Agrees,
                (_, 2..) => Verdict::Differs,
                _ => Verdict::Open,
            };
            (found.map(|found| interval(&found, 2)).join(", "), verdict)
        },
    );
    ask(
        "MCTS has the least regret",
        "0.41; the others 0.52 to 0.96".into(),
        "holds if all intervals of the differences lie above 0, does not if one lies below (at 99.3 %)",
        &|rows| {
            let others = 1..PUBLISHED.len();
            let corrected = 1.0 - (1.0 - LEVEL) / others.len() as f64;
            let more = |other: usize, level: f64| rows.more(other, 0, &|cell| cell.regret, level);
            let verdict = if others.clone().all(|other| more(other, LEVEL).lo > 0.0) {
                Verdict::Agrees
            } else if others.clone().any(|other| more(other, corrected).hi < 0.0) {
                Verdict::Differs
            } else {
                Verdict::Open
            };
            let measured =
                others.map(|other| format!("{} {}", names(other), interval(&more(other, LEVEL), 2)));
            (measured.collect::<Vec<_>>().join(", "), verdict)
        },
    );
    ask(
        "DPW has more than twice the variance of MCTS",
        "5.3 and 0.71".into(),
        "holds if the interval of DPW's variance less twice that of MCTS lies above 0, does not if below",
        &|rows| {
            let twice = rows.twice(1, 0, &|cell| cell.variance);
            let ratio = rows.mean(1, &|cell| cell.variance) / rows.mean(0, &|cell| cell.variance);
            (format!("× {ratio:.1}"), Verdict::above(twice.interval(), 0.0))
        },
    );
    ask("DPW has more regret than MCTS", "0.96 and 0.41".into(), greater, &|rows| {
        let found = rows.more(1, 0, &|cell| cell.regret, LEVEL);
        (interval(&found, 2), Verdict::above(found.interval(), 0.0))
    });
    ask(
        "exp has a regret of 0.56",
        "0.56".into(),
        "holds if the mean is within a quarter of the published one, which the interval holds; does not if the interval lies outside of that",
        &|rows| {
            let found = rows.estimate(2, &|cell| cell.regret, LEVEL);
            let near = Interval::new(0.56 / 1.25, 0.56 * 1.25);
            let verdict = if found.hi < near.lo || found.lo > near.hi {
                Verdict::Differs
            } else if near.contains(found.mean) && found.contains(0.56) {
                Verdict::Agrees
            } else {
                Verdict::Open
            };
            (interval(&found, 2), verdict)
        },
    );
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_comes_out_each_way() {
        use Verdict::{Agrees, Depends, Differs, Level, Open};
        for (readings, verdict) in [
            (&[Agrees, Agrees][..], Agrees),
            (&[Differs, Differs], Differs),
            (&[Level], Level),
            (&[Agrees, Differs], Depends),
            (&[Level, Differs], Depends),
            (&[Agrees, Differs, Open], Depends),
            (&[Agrees, Open], Open),
            (&[Differs, Open], Open),
            (&[Open], Open),
        ] {
            let answer = |verdict: &Verdict| Answer {
                reading: "this",
                measured: String::new(),
                verdict: *verdict,
                takes: None,
            };
            let answers: Vec<Answer> = readings.iter().map(answer).collect();
            assert_eq!(finding("it is so".into(), "", "", &answers).verdict, verdict, "{readings:?}");
        }
    }

    #[test]
    fn scores_are_judged_each_way() {
        use Verdict::{Agrees, Differs, Level, Open};
        let found = |lo: f64, hi: f64| {
            let score = Estimate { mean: 0.5 * (lo + hi), lo, hi, error: 0.0 };
            [Judge::Above, Judge::Below, Judge::Comparable, Judge::Near(0.6)]
                .map(|judge| judge.verdict(&score))
        };
        assert_eq!(found(0.51, 0.54), [Agrees, Differs, Agrees, Differs]);
        assert_eq!(found(0.56, 0.66), [Agrees, Differs, Differs, Agrees]);
        assert_eq!(found(0.48, 0.53), [Level, Level, Agrees, Differs]);
        assert_eq!(found(0.4, 0.6), [Open, Open, Open, Open]);
        assert_eq!(found(0.3, 0.49), [Differs, Agrees, Open, Differs]);
        // A wide interval around the published score does not agree.
        assert_eq!(found(0.45, 0.75)[3], Open);
    }
}
