//! The claims of *Monte Carlo \*-Minimax Search*, section 4.4: playing strength.

use super::claims::{Answer, Claim};
use super::matches::{EVEN, Played, Side, find};
use super::readings::{Bar, Budgets, Equal, READINGS, budgets, without_siblings};
use crate::mcms::players::{CANT_STOP, DOMAINS, EWN, PIG, RA, SAMPLED_NAMES};
use crate::text::{decimal, percent};
use crate::{Scale, Verdict};
use astragal_core::Interval;
use astragal_stats::Estimate;

/// How a claim about a score is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Judge {
    Above,
    Below,
    Comparable,
    /// A published score and its margin.
    Near(f64, f64),
}

impl Judge {
    /// The verdict on a score: the claim agrees, differs, is level or open.
    fn verdict(self, score: &Estimate) -> Verdict {
        let found = score.interval();
        match self {
            Self::Above | Self::Below => {
                let one =
                    if self == Self::Above { Verdict::above(found, 0.5) } else { Verdict::below(found, 0.5) };
                if one == Verdict::Open && EVEN.covers(&found) { Verdict::Level } else { one }
            }
            Self::Comparable => Verdict::within(found, EVEN),
            Self::Near(published, known) => {
                if found.hi < published - known || found.lo > published + known {
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
            Self::Near(..) => {
                "does not hold if the interval lies more than five points from \"roughly 60 %\" or two from 85.0 %, which is more than the error of the paper's 2000 matches, holds if not and the interval is no wider than 20 points"
            }
        }
    }
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

    /// The match of a bar; of several budgets, the one that tests the paper's claim.
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

    /// The best of the sampling players against the best MCTS player: the largest of three scores lies
    /// between the largest of their lower bounds and the largest of their upper bounds.
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

    /// How much more the sampling players score against the best MCTS player than their classic counterparts
    /// do.
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

    /// The differences between the bars that Figure 2 omits and those that it shows instead.
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

    /// Whether any of the sampling players is better than both others.
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
        // The two matches of each player.
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

/// Whether a difference lies above 0; level if it lies within five points of 0.
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
pub(super) fn claims(played: &[Played], scale: Scale) -> Vec<Claim> {
    let mut claims = Vec::new();
    let under = |game: usize, reading: usize| {
        let Budgets { asked, .. } = budgets(game, scale);
        Under { played, game, reading, asked }
    };
    // Evaluates a claim under all readings of a game.
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
    let near = Judge::Near(0.85, 0.02);
    ask(CANT_STOP, "star2SS–Star2 is 85.0 %", "85.0 %", near.rule(), &simple(Bar::SAMPLING[2], near));
    let text = "star2SS–Star2 is 85.0 % with the same nodes instead of the same time";
    ask(CANT_STOP, text, "not measured", near.rule(), &|under| {
        under.score(Bar::SAMPLING[2], Equal::Nodes, near)
    });
    for bar in Bar::SAMPLING {
        let near = Judge::Near(0.6, 0.05);
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
    for (game, bar, published) in [
        (EWN, Bar::STAR1SS_EXPSS, "slightly below 50 %, where there is little to prune"),
        (RA, Bar::STAR2SS_STAR1SS, "below 50 %, where there is little to prune"),
    ] {
        let (text, below) = (format!("{} below 50 %", bar.name(game)), Judge::Below);
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

#[cfg(test)]
mod tests {
    use super::super::claims::wanted;
    use super::super::readings::Cell;
    use super::*;

    /// Matches of Pig under its first reading with these scores and this half-width.
    fn matches(scores: &[(Bar, f64)], half: f64) -> Vec<Played> {
        let played = |(at, &(bar, mean)): (usize, &(Bar, f64))| {
            let cell = Cell { game: 0, reading: 0, bar, equal: Equal::Time, nodes: 1000, pairs: [64; 2] };
            let score = Estimate { mean, lo: mean - half, hi: mean + half, error: half / 2.0 };
            // Pairs that deviate from the mean by `half`, in alternation.
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
        assert_eq!(wanted(&claims(&played, Scale::Paper)), [0].into());
        let played = matches(&[(Bar::sampled_mcts(1), 0.52), (Bar::classic_mcts(1), 0.5)], 0.1);
        assert_eq!(wanted(&claims(&played, Scale::Paper)), [0, 1].into());
        let played = matches(&[(Bar::SAMPLING[0], 0.5), (Bar::MCTS_DPW, 0.3)], 0.04);
        assert_eq!(wanted(&claims(&played, Scale::Paper)), [].into());
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
        // The best player is star2SS, star1SS and expSS.
        assert_eq!(unclear([0.5, 0.6, 0.6], 0.02), Differs);
        assert_eq!(unclear([0.6, 0.5, 0.4], 0.02), Differs);
        assert_eq!(unclear([0.4, 0.4, 0.5], 0.02), Differs);
        // All are level, each beats one, and unknown.
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
    fn scores_are_judged_each_way() {
        use Verdict::{Agrees, Differs, Level, Open};
        let found = |lo: f64, hi: f64| {
            let score = Estimate { mean: 0.5 * (lo + hi), lo, hi, error: 0.0 };
            [Judge::Above, Judge::Below, Judge::Comparable, Judge::Near(0.6, 0.05)]
                .map(|judge| judge.verdict(&score))
        };
        assert_eq!(found(0.51, 0.54), [Agrees, Differs, Agrees, Differs]);
        assert_eq!(found(0.56, 0.66), [Agrees, Differs, Differs, Agrees]);
        assert_eq!(found(0.48, 0.53), [Level, Level, Agrees, Differs]);
        assert_eq!(found(0.4, 0.62), [Open, Open, Open, Open]);
        assert_eq!(found(0.3, 0.49), [Differs, Agrees, Open, Differs]);
        // A wide interval that contains the published score is open.
        assert_eq!(found(0.45, 0.75)[3], Open);
    }
}
