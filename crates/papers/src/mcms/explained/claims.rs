//! Claims of *Monte Carlo \*-Minimax Search*, each answered under every reading.

use super::matches::Played;
use crate::{Finding, Verdict};
use astragal_stats::Estimate;
use std::collections::BTreeSet;

/// The number of samples that would decide a verdict, if the estimate from this many samples did not change.
fn takes(samples: usize, estimate: &Estimate, verdict: &dyn Fn(&Estimate) -> Verdict) -> Option<usize> {
    let Estimate { mean, lo, hi, error } = *estimate;
    (1..20).map(|doubling| 1 << doubling).find_map(|times| {
        let shrunk = (times as f64).sqrt();
        let (lo, hi) = (mean - (mean - lo) / shrunk, mean + (hi - mean) / shrunk);
        let estimate = Estimate { mean, lo, hi, error: error / shrunk };
        (verdict(&estimate) != Verdict::Open).then_some(times * samples)
    })
}

/// The answer of one reading to a claim.
pub(super) struct Answer {
    pub(super) reading: &'static str,
    pub(super) measured: String,
    /// Agrees, differs, level or open.
    pub(super) verdict: Verdict,
    /// The number of pairs or positions that would decide it, if it is open and the number is known.
    pub(super) takes: Option<usize>,
    /// The matches on which it rests.
    pub(super) matches: Vec<usize>,
}

impl Answer {
    pub(super) fn new(reading: &'static str, measured: String, verdict: Verdict) -> Self {
        Self { reading, measured, verdict, takes: None, matches: Vec::new() }
    }

    /// An answer from an estimate of this many samples.
    pub(super) fn judged(
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

    /// The same answer, resting on these matches.
    pub(super) fn from<'a>(self, played: impl IntoIterator<Item = &'a Played>) -> Self {
        Self { matches: played.into_iter().map(|played| played.at).collect(), ..self }
    }

    /// The conjunction of several answers under one reading.
    pub(super) fn all(parts: Vec<Self>) -> Option<Self> {
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
        let takes = takes.filter(|_| verdict == Verdict::Open);
        Some(Self { reading, measured: measured.join(", "), verdict, takes, matches })
    }
}

/// A claim with the answers of all readings.
pub(super) struct Claim {
    pub(super) text: String,
    pub(super) published: String,
    pub(super) rule: String,
    pub(super) answers: Vec<Answer>,
    /// The unit of the samples: pairs or positions.
    pub(super) samples: &'static str,
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

/// The matches on which open claims rest.
pub(super) fn wanted(claims: &[Claim]) -> BTreeSet<usize> {
    let answers = claims.iter().flat_map(|claim| &claim.answers);
    answers
        .filter(|answer| answer.verdict == Verdict::Open)
        .flat_map(|answer| answer.matches.iter().copied())
        .collect()
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
            let parts = parts.map(|part| Answer { takes: Some(64), ..part });
            let all = Answer::all(parts.collect()).unwrap();
            // Only open parts need more samples.
            assert_eq!((all.verdict, all.takes.is_some()), (verdict, verdict == Open));
        }
    }

    #[test]
    fn it_is_told_how_many_samples_a_verdict_takes() {
        let score = Estimate { mean: 0.55, lo: 0.45, hi: 0.65, error: 0.04 };
        let judge = |score: &Estimate| Verdict::above(score.interval(), 0.5);
        // With four times as many the lower end is at one half, up to rounding.
        assert_eq!(takes(64, &score, &judge), Some(512));
    }
}
