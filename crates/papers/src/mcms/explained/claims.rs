//! The claims of the paper's sections 4.3 and 4.4, each answered under every reading.

use super::matches::{EVEN, Played, Side, find};
use super::readings::{Bar, Budgets, Equal, READINGS, budgets, without_siblings};
use super::table::Rows;
use crate::mcms::players::{CANT_STOP, CLASSIC_NAMES, DOMAINS, EWN, PIG, RA, SAMPLED_NAMES};
use crate::mcms::table1::{PUBLISHED, least_regret, less_regret};
use crate::text::{decimal, interval, percent};
use crate::{Finding, Scale, Verdict};
use astragal_core::Interval;
use astragal_stats::Estimate;
use std::collections::BTreeSet;

/// How a claim about a score is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Judge {
    Above,
    Below,
    Comparable,
    /// A published score, known to five points.
    Near(f64),
}

impl Judge {
    /// What it says of a score: that the claim agrees, differs, is level or open.
    fn verdict(self, score: &Estimate) -> Verdict {
        let found = score.interval();
        match self {
            Self::Above | Self::Below => {
                let one =
                    if self == Self::Above { Verdict::above(found, 0.5) } else { Verdict::below(found, 0.5) };
                if one == Verdict::Open && EVEN.covers(&found) { Verdict::Level } else { one }
            }
            Self::Comparable => Verdict::within(found, EVEN),
            Self::Near(published) => {
                if found.hi < published - 0.05 || found.lo > published + 0.05 {
                    Verdict::Differs
                } else if found.hi - found.lo <= 0.2 {
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
                "does not hold if the interval lies more than five points from the published score, holds if not and the interval is no wider than 20 points"
            }
        }
    }
}

/// How many samples would decide a verdict, if the estimate from so many stays as it is.
fn takes(samples: usize, estimate: &Estimate, verdict: &dyn Fn(&Estimate) -> Verdict) -> Option<usize> {
    let Estimate { mean, lo, hi, error } = *estimate;
    (1..20).map(|doubling| 1 << doubling).find_map(|times| {
        let shrunk = (times as f64).sqrt();
        let (lo, hi) = (mean - (mean - lo) / shrunk, mean + (hi - mean) / shrunk);
        let estimate = Estimate { mean, lo, hi, error: error / shrunk };
        (verdict(&estimate) != Verdict::Open).then_some(times * samples)
    })
}

/// What one reading says of a claim.
struct Answer {
    reading: &'static str,
    measured: String,
    /// Agrees, differs, level or open.
    verdict: Verdict,
    /// How many pairs or positions would decide it, if it is open and that is known.
    takes: Option<usize>,
    /// The matches that it rests on.
    matches: Vec<usize>,
}

impl Answer {
    fn new(reading: &'static str, measured: String, verdict: Verdict) -> Self {
        Self { reading, measured, verdict, takes: None, matches: Vec::new() }
    }

    /// An answer from an estimate of so many samples.
    fn judged(
        reading: &'static str,
        measured: String,
        samples: usize,
        estimate: &Estimate,
        judge: &dyn Fn(&Estimate) -> Verdict,
    ) -> Self {
        let verdict = judge(estimate);
        let takes = if verdict == Verdict::Open { takes(samples, estimate, judge) } else { None };
        Self { takes, ..Self::new(reading, measured, verdict) }
    }

    /// The same, from these matches.
    fn from<'a>(self, played: impl IntoIterator<Item = &'a Played>) -> Self {
        Self { matches: played.into_iter().map(|played| played.at).collect(), ..self }
    }

    /// Several things that must all hold under a reading.
    fn all(parts: Vec<Self>) -> Option<Self> {
        let reading = parts.first()?.reading;
        let worst = [Verdict::Differs, Verdict::Open, Verdict::Level]
            .into_iter()
            .find(|worst| parts.iter().any(|part| part.verdict == *worst));
        let verdict = worst.unwrap_or(Verdict::Agrees);
        let (mut measured, mut takes, mut matches) = (Vec::new(), None, Vec::new());
        for part in parts {
            measured.push(part.measured);
            if part.verdict == Verdict::Open {
                takes = takes.max(part.takes);
                matches.extend(part.matches);
            }
        }
        Some(Self { reading, measured: measured.join(", "), verdict, takes, matches })
    }
}

/// A claim with the answers of all readings.
pub(super) struct Claim {
    text: String,
    published: String,
    rule: String,
    answers: Vec<Answer>,
    /// What the answers rest on: pairs, or positions.
    samples: &'static str,
}

impl Claim {
    /// The claim in a report.
    pub(super) fn finding(self) -> Finding {
        let mut verdict = None;
        let mut parts = Vec::new();
        for (what, answered) in [
            ("holds with", Verdict::Agrees),
            ("does not hold with", Verdict::Differs),
            ("level with", Verdict::Level),
            ("open with", Verdict::Open),
        ] {
            let of = self.answers.iter().filter(|answer| answer.verdict == answered);
            let readings: Vec<&str> = of.map(|answer| answer.reading).collect();
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
        if let Some(most) = self.answers.iter().filter_map(|answer| answer.takes).max() {
            let samples = self.samples;
            parts.push(format!(
                "up to {most} {samples} would decide it if the measured values stay as they are"
            ));
        }
        let measured: Vec<String> =
            self.answers.iter().map(|answer| format!("{}: {}", answer.reading, answer.measured)).collect();
        Finding {
            claim: self.text,
            published: self.published,
            measured: measured.join("; "),
            verdict: verdict.unwrap_or(Verdict::Open),
            rule: format!("under each reading: {}", self.rule),
            note: parts.join(". "),
        }
    }
}

/// The matches that claims wait for.
pub(super) fn wanted(claims: &[Claim]) -> BTreeSet<usize> {
    let answers = claims.iter().flat_map(|claim| &claim.answers);
    answers
        .filter(|answer| answer.verdict == Verdict::Open)
        .flat_map(|answer| answer.matches.iter().copied())
        .collect()
}

/// A reading of a game, and the matches played under it.
#[derive(Clone, Copy)]
struct Under<'a> {
    played: &'a [Played],
    game: usize,
    reading: usize,
    asked: u64,
}

impl<'a> Under<'a> {
    fn name(self) -> &'static str {
        READINGS[self.game][self.reading].name
    }

    /// The match of a bar: of several budgets the one that answers what the paper says.
    fn of(self, bar: Bar, equal: Equal) -> Option<&'a Played> {
        let mut found = find(self.played, self.game, self.reading, bar, equal).peekable();
        let first = *found.peek()?;
        Some(found.find(|played| played.cell.nodes == self.asked).unwrap_or(first))
    }

    fn match_of(self, bar: Bar) -> Option<&'a Played> {
        self.of(bar, Equal::Time)
    }

    fn judged(
        self,
        measured: String,
        played: &[&Played],
        estimate: &Estimate,
        judge: &dyn Fn(&Estimate) -> Verdict,
    ) -> Answer {
        let pairs = played.iter().map(|played| played.pairs.len()).min().unwrap_or(0);
        Answer::judged(self.name(), measured, pairs, estimate, judge).from(played.iter().copied())
    }

    fn score(self, bar: Bar, equal: Equal, judge: Judge) -> Option<Answer> {
        let found = self.of(bar, equal)?;
        let judge = |score: &Estimate| judge.verdict(score);
        Some(self.judged(percent(&found.score), &[found], &found.score, &judge))
    }

    /// Every sampling player against its classic counterpart.
    fn every(self, equal: Equal) -> Option<Answer> {
        Answer::all(Bar::SAMPLING.iter().filter_map(|&bar| self.score(bar, equal, Judge::Above)).collect())
    }

    /// The best of the sampling players against the best MCTS player: the largest of three scores lies between
    /// the largest of their lower bounds and the largest of their upper bounds.
    fn best(self, judge: Judge) -> Option<Answer> {
        let found: Option<Vec<&Played>> =
            (0..3).map(|player| self.match_of(Bar::sampled_mcts(player))).collect();
        let found = found?;
        let (player, top) =
            found.iter().enumerate().max_by(|(_, a), (_, b)| a.score.mean.total_cmp(&b.score.mean))?;
        let most = |of: &dyn Fn(&Estimate) -> f64| {
            found.iter().map(|played| of(&played.score)).fold(f64::NEG_INFINITY, f64::max)
        };
        let score = Estimate { lo: most(&|score| score.lo), hi: most(&|score| score.hi), ..top.score };
        let measured = format!("{} {}", SAMPLED_NAMES[player], percent(&score));
        Some(self.judged(measured, &found, &score, &|score| judge.verdict(score)))
    }

    /// How much more sampling players score against the best MCTS player than their classic counterparts do.
    fn improvement(self) -> Option<Answer> {
        let without = Self { reading: without_siblings(self.game, self.reading), ..self };
        let answers = (0..3).filter_map(|player| {
            let sampled = self.match_of(Bar::sampled_mcts(player))?;
            let classic = without.match_of(Bar::classic_mcts(player))?;
            let gain = sampled.more_than(classic);
            let measured = format!("{} {}", SAMPLED_NAMES[player], points(&gain));
            Some(self.judged(measured, &[sampled, classic], &gain, &more))
        });
        Answer::all(answers.collect())
    }

    /// How far the bars that Figure 2 leaves out are from those that it shows instead.
    fn similar(self) -> Option<Answer> {
        let pairs = [
            (Bar::classic_mcts(0), Bar::classic_mcts(1)),
            (Bar::classic_mcts(2), Bar::classic_mcts(1)),
            (Bar::sampled_mcts(0), Bar::sampled_mcts(1)),
            (Bar::STAR2SS_EXPSS, Bar::STAR1SS_EXPSS),
        ];
        let answers = pairs.into_iter().filter_map(|(left_out, shown)| {
            let (left_out, shown) = (self.match_of(left_out)?, self.match_of(shown)?);
            let found = left_out.more_than(shown);
            let measured = format!("{} {}", left_out.cell.bar.name(self.game), points(&found));
            let judge = |difference: &Estimate| {
                Verdict::within(difference.interval(), Interval { lo: -0.1, hi: 0.1 })
            };
            Some(self.judged(measured, &[left_out, shown], &found, &judge))
        });
        Answer::all(answers.collect())
    }

    /// Whether one of the sampling players is better than both others.
    fn unclear(self) -> Option<Answer> {
        let bars = [Bar::STAR1SS_EXPSS, Bar::STAR2SS_EXPSS, Bar::STAR2SS_STAR1SS];
        let found: Option<Vec<&Played>> = bars.into_iter().map(|bar| self.match_of(bar)).collect();
        let found = found?;
        let [one, two, both] = [0, 1, 2].map(|at| Side::of(&found[at].score));
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
        let scores: Vec<String> = found
            .iter()
            .map(|found| format!("{} {}", found.cell.bar.name(self.game), percent(&found.score)))
            .collect();
        Some(Answer::new(self.name(), scores.join(", "), verdict).from(found))
    }
}

/// Whether a difference lies above 0; level within five points of it.
fn more(difference: &Estimate) -> Verdict {
    match Verdict::above(difference.interval(), 0.0) {
        Verdict::Open if difference.lo > -0.05 && difference.hi < 0.05 => Verdict::Level,
        verdict => verdict,
    }
}

/// A difference in points.
fn points(difference: &Estimate) -> String {
    let Estimate { mean, lo, hi, .. } = difference;
    let [mean, lo, hi] = [mean, lo, hi].map(|x| decimal(100.0 * x, 1));
    format!("{mean} points [{lo}, {hi}]")
}

/// The claims of section 4.4.
pub(super) fn strength(played: &[Played], scale: Scale) -> Vec<Claim> {
    let mut claims = Vec::new();
    let under = |game: usize, reading: usize| {
        let Budgets { asked, .. } = budgets(game, scale);
        Under { played, game, reading, asked }
    };
    // Asks all readings of a game.
    let mut ask = |game: usize,
                   text: &str,
                   published: &str,
                   rule: &str,
                   answer: &dyn Fn(Under<'_>) -> Option<Answer>| {
        let readings = 0..READINGS[game].len();
        let answers: Vec<Answer> = readings.filter_map(|reading| answer(under(game, reading))).collect();
        if !answers.is_empty() {
            claims.push(Claim {
                text: format!("{}: {text}", DOMAINS[game].name),
                published: published.into(),
                rule: rule.into(),
                answers,
                samples: "pairs",
            });
        }
    };
    let simple = |bar: Bar, judge: Judge| move |under: Under<'_>| under.score(bar, Equal::Time, judge);
    let all_hold = "holds if all three do, does not if one does not, level if one is";
    for game in 0..DOMAINS.len() {
        for bar in Bar::SAMPLING {
            let text = format!("{} above 50 %", bar.name(game));
            ask(game, &text, "above 50 %", Judge::Above.rule(), &simple(bar, Judge::Above));
        }
        let text = "every sampling player above 50 % against its classic counterpart";
        ask(game, text, "in every case", all_hold, &|under| under.every(Equal::Time));
        let text =
            "every one with the same nodes instead of the same time, as if drawing samples cost nothing";
        ask(game, text, "not measured", all_hold, &|under| under.every(Equal::Nodes));
    }
    let near = Judge::Near(0.85);
    ask(CANT_STOP, "star2SS–Star2 is 85.0 %", "85.0 %", near.rule(), &simple(Bar::SAMPLING[2], near));
    for bar in Bar::SAMPLING {
        let near = Judge::Near(0.6);
        let text = format!("{} is roughly 60 %", bar.name(RA));
        ask(RA, &text, "roughly 60 %", near.rule(), &simple(bar, near));
    }
    for (game, text, published, judge) in [
        (PIG, "the best sampling player is comparable to MCTS", "comparable", Judge::Comparable),
        (RA, "the best sampling player is comparable to DPW", "comparable", Judge::Comparable),
        (EWN, "the best sampling player is weaker than MCTS", "weak", Judge::Below),
    ] {
        ask(game, text, published, judge.rule(), &|under| under.best(judge));
    }
    let rule = "holds if the interval of the difference to the same player with eval=even lies above 0, does not if below, level if within five points of it";
    ask(
        EWN,
        "star1SS scores more against MCTS with a better evaluation function",
        "weak for lack of a good one",
        rule,
        &|one| {
            let even = READINGS[EWN].iter().position(|reading| reading.eval == "even")?;
            let is_other = one.reading == without_siblings(EWN, one.reading) && one.reading < even;
            let found = one.match_of(Bar::sampled_mcts(1)).filter(|_| is_other)?;
            let poor = under(EWN, even).match_of(Bar::sampled_mcts(1))?;
            let gain = found.more_than(poor);
            Some(one.judged(points(&gain), &[found, poor], &gain, &more))
        },
    );
    for (game, bar) in [(EWN, Bar::STAR1SS_EXPSS), (RA, Bar::STAR2SS_STAR1SS)] {
        let (text, below) = (format!("{} below 50 %", bar.name(game)), Judge::Below);
        let published = "slightly below 50 %, because bounds take time";
        ask(game, &text, published, below.rule(), &simple(bar, below));
    }
    for (game, domain) in DOMAINS.iter().enumerate() {
        let (text, judge) = if domain.dpw_is_best {
            ("DPW is better than MCTS", Judge::Below)
        } else {
            ("MCTS is better than DPW", Judge::Above)
        };
        ask(game, text, "better in 500 matches", judge.rule(), &simple(Bar::MCTS_DPW, judge));
    }
    for (game, domain) in DOMAINS.iter().enumerate() {
        let best = if domain.dpw_is_best { "DPW" } else { "MCTS" };
        let text = format!("sampling improves scores against {best}");
        let rule = "holds if the intervals of all differences lie above 0, does not if one lies below, level if one is within five points of it";
        ask(game, &text, "improves", rule, &|under| under.improvement());
        let text = "bars that Figure 2 leaves out look like those that it shows";
        let rule = "holds if the intervals of all differences lie within ten points of 0, does not if one lies outside";
        ask(game, text, "look similar", rule, &|under| under.similar());
        let rule = "holds if each of them is level with or worse than another one, does not if one is better than both others";
        ask(game, "none of the sampling players is the best", "less clear", rule, &|under| under.unclear());
    }
    claims
}

/// Rows of Table 1.
const MCTS: usize = 0;
const DPW: usize = 1;
const EXP: usize = 2;
const EXPSS: usize = 5;

/// The claims of section 4.3, and what else Table 1 shows.
pub(super) fn estimators(rows: &[Rows]) -> Vec<Claim> {
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
        // The text speaks of expSS, the table has the others.
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
            let answers =
                readings.iter().map(|verdict| Answer::new("this", String::new(), *verdict)).collect();
            let (text, published, rule) = ("it is so".into(), String::new(), String::new());
            let claim = Claim { text, published, rule, answers, samples: "pairs" };
            assert_eq!(claim.finding().verdict, verdict, "{readings:?}");
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
        let played = |(at, &(bar, mean)): (usize, &(Bar, f64))| {
            let cell = Cell { game: 0, reading: 0, bar, equal: Equal::Time, nodes: 1000, pairs: [64; 2] };
            let score = Estimate { mean, lo: mean - half, hi: mean + half, error: half / 2.0 };
            // Pairs that differ by `half` from each other.
            let pairs =
                (0..64).map(|pair| (mean + if (pair + at) % 2 == 0 { half } else { -half }, 0.0)).collect();
            Played { at, cell, budgets: [1000; 2], pairs, score }
        };
        scores.iter().enumerate().map(played).collect()
    }

    fn under(played: &[Played]) -> Under<'_> {
        Under { played, game: PIG, reading: 0, asked: 1000 }
    }

    #[test]
    fn matches_are_wanted_as_long_as_a_claim_is_open() {
        let played = matches(&[(Bar::SAMPLING[0], 0.51), (Bar::SAMPLING[1], 0.7)], 0.1);
        assert_eq!(wanted(&strength(&played, Scale::Paper)), [0].into());
        let played = matches(&[(Bar::sampled_mcts(1), 0.52), (Bar::classic_mcts(1), 0.5)], 0.1);
        assert_eq!(wanted(&strength(&played, Scale::Paper)), [0, 1].into());
        let played = matches(&[(Bar::SAMPLING[0], 0.5), (Bar::MCTS_DPW, 0.3)], 0.04);
        assert_eq!(wanted(&strength(&played, Scale::Paper)), [].into());
    }

    #[test]
    fn the_best_of_three_is_judged_and_so_is_whether_there_is_one() {
        use Verdict::{Agrees, Differs, Level, Open};
        let best = |scores: [f64; 3], judge| {
            let scores: Vec<_> = (0..3).map(|at| (Bar::sampled_mcts(at), scores[at])).collect();
            under(&matches(&scores, 0.02)).best(judge).unwrap().verdict
        };
        assert_eq!(best([0.2, 0.5, 0.3], Judge::Comparable), Agrees);
        assert_eq!(best([0.2, 0.5, 0.6], Judge::Comparable), Differs);
        assert_eq!(best([0.2, 0.44, 0.3], Judge::Comparable), Open);
        assert_eq!(best([0.2, 0.44, 0.3], Judge::Below), Agrees);
        assert_eq!(best([0.2, 0.49, 0.3], Judge::Below), Level);

        let bars = [Bar::STAR1SS_EXPSS, Bar::STAR2SS_EXPSS, Bar::STAR2SS_STAR1SS];
        let unclear = |scores: [f64; 3], half| {
            let scores: Vec<_> = bars.into_iter().zip(scores).collect();
            under(&matches(&scores, half)).unclear().unwrap().verdict
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
        let gain = |sampled: f64, classic: f64, half: f64| {
            let scores = [(Bar::sampled_mcts(1), sampled), (Bar::classic_mcts(1), classic)];
            under(&matches(&scores, half)).improvement().unwrap().verdict
        };
        assert_eq!([gain(0.5, 0.4, 0.1), gain(0.4, 0.5, 0.1), gain(0.53, 0.5, 0.1)], [Agrees, Differs, Open]);
        assert_eq!([gain(0.5, 0.5, 0.02), gain(0.53, 0.5, 0.02)], [Level, Agrees]);
        let alike = |left_out: f64| {
            let scores = [(Bar::classic_mcts(0), left_out), (Bar::classic_mcts(1), 0.5)];
            under(&matches(&scores, 0.02)).similar().unwrap().verdict
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
        assert_eq!(found(0.4, 0.62), [Open, Open, Open, Open]);
        assert_eq!(found(0.3, 0.49), [Differs, Agrees, Open, Differs]);
        // A wide interval that holds the published score is open.
        assert_eq!(found(0.45, 0.75)[3], Open);
    }
}
