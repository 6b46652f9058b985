//! The claims of the paper's sections 4.3 and 4.4, each answered under every reading.

use super::matches::{EVEN, LOOK_LEVEL, Played, Side, find};
use super::readings::{Bar, Equal, READINGS, without_siblings};
use super::table::Rows;
use crate::mcms::players::{CLASSIC_NAMES, DOMAINS, SAMPLED_NAMES};
use crate::mcms::table1::{PUBLISHED, least_regret, less_regret};
use crate::text::{decimal, interval, percent};
use crate::{Finding, Verdict};
use astragal_core::Interval;
use astragal_stats::{Estimate, student_quantile};

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
}

/// How many samples would decide a verdict, if the estimate from so many stays as it is.
fn takes(samples: u64, estimate: &Estimate, verdict: &dyn Fn(&Estimate) -> Verdict) -> Option<u64> {
    let Estimate { mean, lo, hi, error } = *estimate;
    (1..20).map(|doubling| 1_u64 << doubling).find_map(|times| {
        let shrunk = (times as f64).sqrt();
        let (lo, hi) = (mean - (mean - lo) / shrunk, mean + (hi - mean) / shrunk);
        let estimate = Estimate { mean, lo, hi, error: error / shrunk };
        (verdict(&estimate) != Verdict::Open).then_some(times * samples)
    })
}

/// What the paper says of a bar in a game.
pub(super) fn judges(game: usize, bar: Bar) -> Vec<Judge> {
    let is_sampling = Bar::SAMPLING.contains(&bar);
    match game {
        2 if bar == Bar::SAMPLING[2] => vec![Judge::Above, Judge::Near(0.85)],
        3 if is_sampling => vec![Judge::Above, Judge::Near(0.6)],
        _ if is_sampling => vec![Judge::Above],
        1 if bar == Bar::STAR1SS_EXPSS => vec![Judge::Below],
        3 if bar == Bar::STAR2SS_STAR1SS => vec![Judge::Below],
        _ if bar == Bar::MCTS_DPW => {
            vec![if DOMAINS[game].dpw_is_best { Judge::Below } else { Judge::Above }]
        }
        _ => Vec::new(),
    }
}

/// What one reading says of a claim.
#[derive(Clone)]
struct Answer {
    reading: &'static str,
    measured: String,
    /// Agrees, differs, level or open.
    verdict: Verdict,
    /// How many pairs or positions would decide it, if it is open.
    takes: Option<u64>,
}

impl Answer {
    fn new(reading: &'static str, measured: String, verdict: Verdict) -> Self {
        Self { reading, measured, verdict, takes: None }
    }

    /// An answer from an estimate.
    fn judged(
        reading: &'static str,
        measured: String,
        samples: u64,
        estimate: &Estimate,
        judge: &dyn Fn(&Estimate) -> Verdict,
    ) -> Self {
        let verdict = judge(estimate);
        let takes = if verdict == Verdict::Open { takes(samples, estimate, judge) } else { None };
        Self { reading, measured, verdict, takes }
    }

    /// Several things that must all hold under a reading.
    fn all(parts: Vec<Self>) -> Option<Self> {
        let reading = parts.first()?.reading;
        let verdicts = [Verdict::Differs, Verdict::Open, Verdict::Level];
        let worst = verdicts.into_iter().find(|worst| parts.iter().any(|part| part.verdict == *worst));
        let verdict = worst.unwrap_or(Verdict::Agrees);
        let takes =
            if verdict == Verdict::Open { parts.iter().filter_map(|part| part.takes).max() } else { None };
        let measured: Vec<String> = parts.into_iter().map(|part| part.measured).collect();
        Some(Self { reading, measured: measured.join(", "), verdict, takes })
    }
}

/// A claim with the answers of all readings.
fn finding(claim: String, published: &str, rule: &str, answers: &[Answer], samples: &str) -> Finding {
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
        parts.push(format!(
            "what is open would take about {most} {samples} if the measured value stays as it is"
        ));
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

/// The answer of a reading to a claim about the score of a bar: that of the largest budget which decides, or
/// of the largest.
fn score(
    played: &[Played],
    (game, at): (usize, usize),
    bar: Bar,
    equal: Equal,
    judge: Judge,
) -> Option<Answer> {
    let budgets = find(played, game, at, bar, equal);
    let most = *budgets.first()?;
    let decided = |played: &&&Played| judge.verdict(&played.score) != Verdict::Open;
    let found = budgets.iter().find(decided).map_or(most, |found| *found);
    let mut measured = percent(&found.score);
    if found.cell.nodes != most.cell.nodes {
        measured += &format!(" ({} nodes)", found.cell.nodes);
    }
    let judge = |score: &Estimate| judge.verdict(score);
    Some(Answer::judged(READINGS[game][at].name, measured, found.pairs, &found.score, &judge))
}

/// The claims of section 4.4.
pub(super) fn strength(played: &[Played]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Asks all readings of a game.
    let mut ask = |game: usize,
                   claim: &str,
                   published: &str,
                   rule: &str,
                   answer: &dyn Fn((usize, usize)) -> Option<Answer>| {
        let claim = format!("{}: {claim}", DOMAINS[game].name);
        let answers: Vec<Answer> = (0..READINGS[game].len()).filter_map(|at| answer((game, at))).collect();
        if !answers.is_empty() {
            findings.push(finding(claim, published, rule, &answers, "pairs"));
        }
    };
    let simple = |bar: Bar, judge: Judge| move |at| score(played, at, bar, Equal::Time, judge);
    let every = |at, equal| {
        let parts = Bar::SAMPLING.iter().filter_map(|&bar| score(played, at, bar, equal, Judge::Above));
        Answer::all(parts.collect())
    };
    let all_hold = "holds if all three do, does not if one does not";
    for game in 0..DOMAINS.len() {
        for bar in Bar::SAMPLING {
            let claim = format!("{} above 50 %", bar.name());
            ask(game, &claim, "above 50 %", Judge::Above.rule(), &simple(bar, Judge::Above));
        }
        let claim = "every sampling player above 50 % against its classic counterpart";
        ask(game, claim, "in every case", all_hold, &|at| every(at, Equal::Time));
        let claim =
            "the same with as many nodes instead of as much time, so that drawing samples costs nothing";
        ask(game, claim, "in every case", all_hold, &|at| every(at, Equal::Nodes));
    }
    let near = Judge::Near(0.85);
    ask(2, "star2SS–Star2 is 85.0 %", "85.0 %", near.rule(), &simple(Bar::SAMPLING[2], near));
    for bar in Bar::SAMPLING {
        let near = Judge::Near(0.6);
        let claim = format!("{} is roughly 60 %", bar.name());
        ask(3, &claim, "roughly 60 %", near.rule(), &simple(bar, near));
    }
    for (game, claim, published, judge) in [
        (0, "the best sampling player is comparable to MCTS", "comparable", Judge::Comparable),
        (3, "the best sampling player is comparable to DPW", "comparable", Judge::Comparable),
        (1, "the best sampling player is weaker than MCTS", "weak", Judge::Below),
    ] {
        ask(game, claim, published, judge.rule(), &|at| best(played, at, judge));
    }
    for (game, bar) in [(1, Bar::STAR1SS_EXPSS), (3, Bar::STAR2SS_STAR1SS)] {
        let (claim, below) = (format!("{} below 50 %", bar.name()), Judge::Below);
        let published = "slightly below 50 %, because bounds take time";
        ask(game, &claim, published, below.rule(), &simple(bar, below));
    }
    for (game, domain) in DOMAINS.iter().enumerate() {
        let (claim, judge) = if domain.dpw_is_best {
            ("DPW is better than MCTS", Judge::Below)
        } else {
            ("MCTS is better than DPW", Judge::Above)
        };
        ask(game, claim, "better in 500 matches", judge.rule(), &simple(Bar::MCTS_DPW, judge));
    }
    for game in 0..DOMAINS.len() {
        let rule = "holds if the interval of the difference lies above 0, does not if below, level if within five points of it";
        ask(game, "sampling improves scores against MCTS", "improves", rule, &|at| improvement(played, at));
        let claim = "bars that Figure 2 leaves out look like those that it shows";
        let rule = "holds if the intervals of all differences lie within ten points of 0, does not if one lies outside";
        ask(game, claim, "look similar", rule, &|at| similar(played, at));
        let rule = "holds if each of them is level with or worse than another one, does not if one is better than both others";
        ask(game, "none of the sampling players is the best", "less clear", rule, &|at| unclear(played, at));
    }
    findings
}

/// What is judged of the best of the sampling players against MCTS: the largest of three scores lies between
/// the largest of their lower bounds and the largest of their upper bounds.
fn best(played: &[Played], (game, at): (usize, usize), judge: Judge) -> Option<Answer> {
    let found: Option<Vec<&Played>> = (0..3)
        .map(|player| find(played, game, at, Bar::sampled_mcts(player), Equal::Time).first().copied())
        .collect();
    let found = found?;
    let (player, top) =
        found.iter().enumerate().max_by(|(_, a), (_, b)| a.score.mean.total_cmp(&b.score.mean))?;
    let most = |of: &dyn Fn(&Estimate) -> f64| {
        found.iter().map(|played| of(&played.score)).fold(f64::NEG_INFINITY, f64::max)
    };
    let score = Estimate { lo: most(&|score| score.lo), hi: most(&|score| score.hi), ..top.score };
    let measured = format!("{} {}", SAMPLED_NAMES[player], percent(&score));
    let judge = |score: &Estimate| judge.verdict(score);
    Some(Answer::judged(READINGS[game][at].name, measured, top.pairs, &score, &judge))
}

/// How much more one match scores than another, in which other pairs were played.
fn difference(this: &Played, that: &Played) -> Estimate {
    let freedom = this.pairs.min(that.pairs) as f64 - 1.0;
    let z = student_quantile(1.0 - 0.5 * (1.0 - LOOK_LEVEL), freedom);
    let (mean, error) = (this.score.mean - that.score.mean, this.score.error.hypot(that.score.error));
    Estimate { mean, lo: mean - z * error, hi: mean + z * error, error }
}

/// A difference in points.
fn points(difference: &Estimate) -> String {
    let Estimate { mean, lo, hi, .. } = difference;
    let [mean, lo, hi] = [mean, lo, hi].map(|x| decimal(100.0 * x, 1));
    format!("{mean} points [{lo}, {hi}]")
}

/// How much more sampling players score against the best MCTS player than their classic counterparts do.
fn improvement(played: &[Played], (game, at): (usize, usize)) -> Option<Answer> {
    let judge = |gain: &Estimate| match Verdict::above(gain.interval(), 0.0) {
        Verdict::Open if gain.lo > -0.05 && gain.hi < 0.05 => Verdict::Level,
        verdict => verdict,
    };
    let answers = (0..3).filter_map(|player| {
        let with = *find(played, game, at, Bar::sampled_mcts(player), Equal::Time).first()?;
        let classic = find(played, game, without_siblings(game, at), Bar::classic_mcts(player), Equal::Time);
        let gain = difference(with, classic.first()?);
        let measured = format!("{} {}", SAMPLED_NAMES[player], points(&gain));
        Some(Answer::judged(READINGS[game][at].name, measured, with.pairs, &gain, &judge))
    });
    Answer::all(answers.collect())
}

/// How far the bars that Figure 2 leaves out are from those that it shows instead. (That star2SS–expSS looks
/// like star1SS–expSS is left out here: those matches end when they are decided.)
fn similar(played: &[Played], (game, at): (usize, usize)) -> Option<Answer> {
    let judge = |difference: &Estimate| {
        let Estimate { lo, hi, .. } = *difference;
        if lo > 0.1 || hi < -0.1 {
            Verdict::Differs
        } else if lo > -0.1 && hi < 0.1 {
            Verdict::Agrees
        } else {
            Verdict::Open
        }
    };
    let pairs = [
        (Bar::classic_mcts(0), Bar::classic_mcts(1)),
        (Bar::classic_mcts(2), Bar::classic_mcts(1)),
        (Bar::sampled_mcts(0), Bar::sampled_mcts(1)),
    ];
    let answers = pairs.into_iter().filter_map(|(left_out, shown)| {
        let left_out = *find(played, game, at, left_out, Equal::Time).first()?;
        let shown = *find(played, game, at, shown, Equal::Time).first()?;
        let found = difference(left_out, shown);
        let measured = format!("{} {}", left_out.cell.bar.name(), points(&found));
        Some(Answer::judged(READINGS[game][at].name, measured, shown.pairs, &found, &judge))
    });
    Answer::all(answers.collect())
}

/// Whether one of the sampling players is better than both others.
fn unclear(played: &[Played], (game, at): (usize, usize)) -> Option<Answer> {
    let side = |bar| Some(Side::of(&find(played, game, at, bar, Equal::Time).first()?.score));
    let bars = [Bar::STAR1SS_EXPSS, Bar::STAR2SS_EXPSS, Bar::STAR2SS_STAR1SS];
    let [one, two, both] = [side(bars[0])?, side(bars[1])?, side(bars[2])?];
    let flip = |side| match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
        other => other,
    };
    // Of each player its two matches.
    let players = [[flip(one), flip(two)], [one, flip(both)], [two, both]];
    let verdict = if players.contains(&[Side::Left; 2]) {
        Verdict::Differs
    } else if players.iter().all(|of| of.contains(&Side::Right) || of.contains(&Side::Neither)) {
        Verdict::Agrees
    } else {
        Verdict::Open
    };
    let scores = bars.iter().filter_map(|&bar| {
        let found = *find(played, game, at, bar, Equal::Time).first()?;
        Some(format!("{} {}", bar.name(), percent(&found.score)))
    });
    Some(Answer::new(READINGS[game][at].name, scores.collect::<Vec<_>>().join(", "), verdict))
}

/// The claims of section 4.3. That sampling brings variance with it is not among them: with budgets in nodes
/// the classic players have none.
pub(super) fn estimators(rows: &[Rows]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut ask = |claim: &str, published: String, rule: &str, answer: &dyn Fn(&Rows) -> Answer| {
        let answers: Vec<Answer> = rows.iter().map(answer).collect();
        findings.push(finding(format!("Pig: {claim}"), &published, rule, &answers, "positions"));
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
    // expSS against all classic players, and the other two against their own.
    for (sampled, classic) in [(5, 2), (5, 3), (5, 4), (6, 3), (7, 4)] {
        let claim = format!("{} has less |bias| than {}", names(sampled), names(classic));
        ask(&claim, paper(sampled, classic, 2), less, &|rows| {
            judged(rows, rows.more(sampled, classic, &|cell| cell.squared_bias(rows.runs)), 1, below)
        });
    }
    for at in 0..3 {
        let (classic, sampled) = (2 + at, 5 + at);
        let claim = format!("{} has more MSE than {}", SAMPLED_NAMES[at], CLASSIC_NAMES[at]);
        ask(&claim, paper(sampled, classic, 0), greater, &|rows| {
            judged(rows, rows.more(sampled, classic, &|cell| cell.mse), 1, above)
        });
    }
    ask(
        "two of the three sampling players have less regret than their classic counterparts",
        "2 of 3".into(),
        "holds if two intervals of the difference lie below 0, does not if two lie above",
        &|rows| {
            let (found, verdict) = less_regret(&rows.cells);
            Answer::new(rows.reading, found.map(|found| interval(&found, 2)).join(", "), verdict)
        },
    );
    ask(
        "MCTS has the least regret",
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
        "DPW has more than twice the variance of MCTS",
        "5.3 and 0.71".into(),
        "holds if the interval of DPW's variance less twice that of MCTS lies above 0, does not if below",
        &|rows| {
            let ratio = rows.mean(1, &|cell| cell.variance) / rows.mean(0, &|cell| cell.variance);
            let twice = rows.twice(1, 0, &|cell| cell.variance);
            Answer { measured: format!("× {ratio:.1}"), ..judged(rows, twice, 1, above) }
        },
    );
    ask("DPW has more regret than MCTS", "0.96 and 0.41".into(), greater, &|rows| {
        judged(rows, rows.more(1, 0, &|cell| cell.regret), 2, above)
    });
    ask(
        "exp has a regret of 0.56",
        "0.56".into(),
        "holds if the mean is within a quarter of the published one, which the interval holds; does not if the interval lies outside of that",
        &|rows| {
            judged(rows, rows.estimate(2, &|cell| cell.regret), 2, &|found| {
                let near = Interval::new(0.56 / 1.25, 0.56 * 1.25);
                if found.hi < near.lo || found.lo > near.hi {
                    Verdict::Differs
                } else if near.contains(found.mean) && found.contains(0.56) {
                    Verdict::Agrees
                } else {
                    Verdict::Open
                }
            })
        },
    );
    findings
}

#[cfg(test)]
mod tests {
    use super::super::readings::Cell;
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
            assert_eq!(
                finding("it is so".into(), "", "", &answers, "pairs").verdict,
                verdict,
                "{readings:?}"
            );
        }
    }

    #[test]
    fn several_things_hold_together_only_if_all_do() {
        use Verdict::{Agrees, Differs, Level, Open};
        for (parts, verdict) in [
            (&[Agrees, Agrees][..], Agrees),
            (&[Agrees, Level], Level),
            (&[Level, Open], Open),
            (&[Agrees, Open, Differs], Differs),
        ] {
            let parts = parts.iter().map(|verdict| Answer::new("this", String::new(), *verdict));
            assert_eq!(Answer::all(parts.collect()).unwrap().verdict, verdict);
        }
    }

    /// Matches of Pig under its first reading with these scores, known to so much.
    fn matches(scores: &[(Bar, f64)], half: f64) -> Vec<Played> {
        let played = |&(bar, mean): &(Bar, f64)| {
            let cell = Cell { game: 0, reading: 0, bar, equal: Equal::Time, nodes: 1000, most: 64 };
            let score = Estimate { mean, lo: mean - half, hi: mean + half, error: half / 2.0 };
            Played { cell, budgets: [1000; 2], pairs: 64, score }
        };
        scores.iter().map(played).collect()
    }

    #[test]
    fn the_best_of_three_is_judged_and_so_is_whether_there_is_one() {
        use Verdict::{Agrees, Differs, Level, Open};
        let best = |scores: [f64; 3], judge| {
            let scores: Vec<_> = (0..3).map(|at| (Bar::sampled_mcts(at), scores[at])).collect();
            best(&matches(&scores, 0.02), (0, 0), judge).unwrap().verdict
        };
        assert_eq!(best([0.2, 0.5, 0.3], Judge::Comparable), Agrees);
        assert_eq!(best([0.2, 0.5, 0.6], Judge::Comparable), Differs);
        assert_eq!(best([0.2, 0.44, 0.3], Judge::Comparable), Open);
        assert_eq!(best([0.2, 0.44, 0.3], Judge::Below), Agrees);
        assert_eq!(best([0.2, 0.49, 0.3], Judge::Below), Level);

        let bars = [Bar::STAR1SS_EXPSS, Bar::STAR2SS_EXPSS, Bar::STAR2SS_STAR1SS];
        let unclear = |scores: [f64; 3], half| {
            let scores: Vec<_> = bars.into_iter().zip(scores).collect();
            unclear(&matches(&scores, half), (0, 0)).unwrap().verdict
        };
        // star2SS, star1SS and expSS is the best.
        assert_eq!(unclear([0.5, 0.6, 0.6], 0.02), Differs);
        assert_eq!(unclear([0.6, 0.5, 0.4], 0.02), Differs);
        assert_eq!(unclear([0.4, 0.4, 0.5], 0.02), Differs);
        // All are level, each beats one, and not known.
        assert_eq!(unclear([0.5, 0.5, 0.5], 0.02), Agrees);
        assert_eq!(unclear([0.6, 0.4, 0.6], 0.02), Agrees);
        assert_eq!(unclear([0.4, 0.54, 0.54], 0.1), Open);
    }

    #[test]
    fn differences_of_matches_are_judged_each_way() {
        use Verdict::{Agrees, Differs, Level, Open};
        let gain = |sampled: f64, classic: f64| {
            let scores = [(Bar::sampled_mcts(1), sampled), (Bar::classic_mcts(1), classic)];
            improvement(&matches(&scores, 0.02), (0, 0)).unwrap().verdict
        };
        assert_eq!([gain(0.5, 0.4), gain(0.4, 0.5), gain(0.5, 0.5)], [Agrees, Differs, Level]);
        assert_eq!(gain(0.53, 0.5), Open);
        let alike = |left_out: f64| {
            let scores = [(Bar::classic_mcts(0), left_out), (Bar::classic_mcts(1), 0.5)];
            similar(&matches(&scores, 0.02), (0, 0)).unwrap().verdict
        };
        assert_eq!([alike(0.52), alike(0.7), alike(0.6)], [Agrees, Differs, Open]);
    }

    #[test]
    fn it_is_told_how_many_samples_a_verdict_takes() {
        let score = Estimate { mean: 0.55, lo: 0.45, hi: 0.65, error: 0.04 };
        let judge = |score: &Estimate| Judge::Above.verdict(score);
        // A half of the interval still holds one half at its end.
        assert_eq!(takes(64, &score, &judge), Some(512));
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
