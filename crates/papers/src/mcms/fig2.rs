//! Figure 2 of *Monte Carlo \*-Minimax Search* (section 4.4): playing strength in four games, seven pairings
//! each, with the parameters of the paper and with those found by our own tournaments.

use super::players::{
    CANT_STOP, CLASSIC, CLASSIC_NAMES, DOMAINS, Domain, EWN, PIG, Pairing, RA, SAMPLED_NAMES, budget_words,
    play, sampled,
};
use super::tuning::{Tuned, tuned};
use crate::bench::Patience;
use crate::text::{drawn, percent};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::contest::Standing;
use astragal_core::Interval;
use astragal_plot::{Axis, Chart, Estimate, Figure, Grouped, Reference, Series};
use astragal_stats::LEVEL;
use std::ops::Range;

/// The indices of the figure's pairings: first the sampling players against their classic counterparts, in
/// the order of the algorithms.
const CLASSIC_PAIRINGS: Range<usize> = 0..3;
const STAR1SS_MCTS: usize = 4;
const STAR2SS_MCTS: usize = 5;
const STAR1SS_EXPSS: usize = 6;

/// The names of the figure's pairings.
fn names() -> Vec<String> {
    let mut names: Vec<String> =
        (0..3).map(|at| format!("{}–{}", SAMPLED_NAMES[at], CLASSIC_NAMES[at])).collect();
    names.extend(["Star1–MCTS", "star1SS–MCTS", "star2SS–MCTS", "star1SS–expSS"].map(String::from));
    names
}

/// The pairings of a game, given the widths of the sampling players and the best MCTS player.
fn pairings(domain: &Domain, widths: [u32; 3], mcts: &str, pairs: u64) -> Vec<Pairing> {
    let pairing = |left: String, right: String| Pairing { game: domain.spec, engines: [left, right], pairs };
    let ss = |at: usize| sampled(at, widths[at]);
    let mut all: Vec<Pairing> = (0..3).map(|at| pairing(ss(at), CLASSIC[at].into())).collect();
    all.push(pairing(CLASSIC[1].into(), mcts.into()));
    all.push(pairing(ss(1), mcts.into()));
    all.push(pairing(ss(2), mcts.into()));
    // A small difference takes many games to detect.
    let close = if domain.spec == "ewn" { pairs.max(CLOSE_PAIRS) } else { pairs };
    all.push(Pairing { pairs: close, ..pairing(ss(1), ss(0)) });
    all
}

/// The pairs of the pairing in which the paper says that one player is slightly better: enough to detect two
/// percentage points.
const CLOSE_PAIRS: u64 = 1500;

/// The pairs of each pairing.
fn pairs(domain: &Domain, scale: Scale) -> u64 {
    match scale {
        Scale::Quick if domain.spec == "ra" => 40,
        Scale::Quick => 100,
        _ => domain.matches,
    }
}

/// The experiment.
pub(crate) static FIGURE2: Experiment = Experiment {
    id: "mcms-fig2",
    title: "Playing strength in four games",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 4.4, Figure 2",
    takes: &[(Scale::Quick, 300), (Scale::Full, 2 * 98_000 * 2 * 60 / 5)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let mut all = Vec::new();
    for domain in &DOMAINS {
        let count = pairs(domain, bench.scale);
        all.extend(pairings(domain, domain.widths, &domain.best_mcts(), count));
    }
    // The matches with the paper's parameters need not wait for our tournaments.
    let mut patience = Patience::default();
    let theirs = patience.with(play(&all, &mut bench.stage(0.0, 0.35)))?;
    let ours = patience.with(tuned(&mut bench.stage(0.35, 0.65)))?;
    let (Some(mut standings), Some(ours)) = (theirs, ours) else { return Err(Failed::Waits) };
    let mut rest = Vec::new();
    for (domain, tuned) in DOMAINS.iter().zip(&ours) {
        let count = pairs(domain, bench.scale);
        rest.extend(pairings(domain, tuned.widths, &tuned.best_mcts(), count));
    }
    standings.extend(play(&rest, &mut bench.stage(0.65, 1.0))?);
    all.extend(rest);
    Ok(outcome(&all, &standings, &ours, bench.scale))
}

/// Scores that count as comparable.
const COMPARABLE: Interval = Interval { lo: 0.45, hi: 0.55 };

const ABOVE: &str = "agrees if the interval lies above 50 %, differs if below";
const BELOW: &str = "agrees if the interval lies below 50 %, differs if above";

/// The percentages given in the paper's text, by game and pairing.
fn published(game: usize, pairing: usize) -> Option<f64> {
    match (game, pairing) {
        // star2SS against Star2.
        (CANT_STOP, 2) => Some(85.0),
        (RA, pairing) if CLASSIC_PAIRINGS.contains(&pairing) => Some(60.0),
        _ => None,
    }
}

fn outcome(all: &[Pairing], standings: &[Standing], ours: &[Tuned], scale: Scale) -> Outcome {
    let names = names();
    let at = |set: usize, game: usize, pairing: usize| {
        &standings[(set * DOMAINS.len() + game) * names.len() + pairing]
    };
    let mut table = Table::new(
        "pairings",
        "All pairings: score of the left player with its 95 % interval from the variance of pairs, and with the luck of the dice taken out.",
        &[
            "parameters",
            "game",
            "pairing",
            "left",
            "right",
            "pairs",
            "score %",
            "low",
            "high",
            "without luck %",
            "low",
            "high",
        ],
    );
    let mut figure = Figure::new("Playing strength");
    figure.subtitle = "Wins of the left player in percent, with 95 % intervals".into();
    figure.caption = format!("{}.", budget_words(scale));
    figure.columns = 2;
    figure.shared = true;
    figure.width = 760.0;
    for (game, domain) in DOMAINS.iter().enumerate() {
        let series = |set: usize, name: &str| {
            let values = (0..names.len()).map(|p| drawn(&at(set, game, p).score, 100.0)).collect();
            Series::new(name, values)
        };
        let known = (0..names.len())
            .map(|pairing| published(game, pairing).map_or(Estimate::MISSING, Estimate::exact))
            .collect();
        figure = figure.panel(
            domain.name,
            Chart::Bars(Grouped {
                categories: names.clone(),
                series: vec![
                    series(0, "parameters of the paper"),
                    series(1, "our parameters"),
                    Series::new("published", known).hollow(),
                ],
                axis: Axis::new("wins").unit("%").range(0.0, 100.0),
                references: vec![Reference::new("", 50.0)],
                ..Grouped::default()
            }),
        );
    }
    for (set, name) in ["paper", "ours"].into_iter().enumerate() {
        for (game, domain) in DOMAINS.iter().enumerate() {
            for (pairing, words) in names.iter().enumerate() {
                let standing = at(set, game, pairing);
                let engines = &all[(set * DOMAINS.len() + game) * names.len() + pairing].engines;
                let mut row = vec![name.into(), domain.name.into(), words.clone()];
                row.extend(engines.iter().cloned());
                row.push(standing.pairs.count().to_string());
                for estimate in [&standing.score, &standing.luck.adjusted] {
                    row.extend(
                        [estimate.mean, estimate.lo, estimate.hi].map(|x| format!("{:.1}", 100.0 * x)),
                    );
                }
                table.rows.push(row);
            }
        }
    }
    let mut widths = Table::new(
        "parameters",
        "Parameters: sample widths of expSS, star1SS and star2SS, and the best MCTS player.",
        &["game", "widths (paper)", "widths (ours)", "MCTS (paper)", "MCTS (ours)"],
    );
    for (domain, tuned) in DOMAINS.iter().zip(ours) {
        let text = |widths: [u32; 3]| widths.map(|width| width.to_string()).join(", ");
        widths.rows.push(vec![
            domain.name.into(),
            text(domain.widths),
            text(tuned.widths),
            domain.best_mcts(),
            tuned.best_mcts(),
        ]);
    }
    let caption = "Each bar is the share of games that the left player wins; the line is 50 %.".to_string();
    Outcome {
        summary: format!(
            "Seven pairings in four games, {}. The unit is a pair of games with the same dice and seats swapped. \
             The evaluation functions are ours, for the paper does not give its own.",
            budget_words(scale)
        ),
        findings: findings(&at),
        tables: vec![table, widths],
        figures: vec![("figure2".into(), caption, figure)],
    }
}

/// The paper's statements about its figure, beside the measurements with its parameters.
fn findings<'a>(at: &dyn Fn(usize, usize, usize) -> &'a Standing) -> Vec<Finding> {
    let mut findings = Vec::new();
    let names = names();
    let score = |game: usize, pairing: usize| &at(0, game, pairing).score;
    let both = |game: usize, pairing: usize| {
        format!("{}; ours {}", percent(score(game, pairing)), percent(&at(1, game, pairing).score))
    };
    for (game, domain) in DOMAINS.iter().enumerate() {
        for (pairing, name) in names.iter().enumerate().take(CLASSIC_PAIRINGS.end) {
            findings.push(Finding {
                claim: format!("{}: {name} above 50 %", domain.name),
                published: published(game, pairing).map_or("above 50 %".into(), |p| format!("about {p} %")),
                measured: both(game, pairing),
                verdict: Verdict::above(score(game, pairing).interval(), 0.5),
                rule: ABOVE.into(),
                note: String::new(),
            });
        }
    }
    for game in [PIG, RA] {
        // If both intervals hold, the score of the better of two players lies between the greater of their
        // lower ends and the greater of their upper ends, so each interval is taken at half the error.
        let [one, other] = [STAR1SS_MCTS, STAR2SS_MCTS]
            .map(|pairing| at(0, game, pairing).pairs.estimate(1.0 - 0.5 * (1.0 - LEVEL)));
        let better = Interval::new(one.lo.max(other.lo), one.hi.max(other.hi));
        findings.push(Finding {
            claim: format!(
                "{}: the best MCMS player is comparable to the best MCTS player",
                DOMAINS[game].name
            ),
            published: "comparable".into(),
            measured: [STAR1SS_MCTS, STAR2SS_MCTS]
                .map(|pairing| format!("{}: {}", names[pairing], both(game, pairing)))
                .join("; "),
            verdict: Verdict::within(better, COMPARABLE),
            rule: format!(
                "agrees if the interval of the better one, 95 % for both together, lies in {:.0} to {:.0} %, differs if outside",
                100.0 * COMPARABLE.lo,
                100.0 * COMPARABLE.hi
            ),
            note: "with the parameters of the paper; the quick scale has too few pairs to agree".into(),
        });
    }
    for pairing in [STAR1SS_MCTS, STAR2SS_MCTS] {
        let score = score(EWN, pairing);
        findings.push(Finding {
            claim: format!("EWN: {} clearly below 50 %", names[pairing]),
            published: "weak".into(),
            measured: both(EWN, pairing),
            verdict: Verdict::below(score.interval(), 0.5),
            rule: BELOW.into(),
            note: "the paper blames its evaluation function".into(),
        });
    }
    let slightly = score(EWN, STAR1SS_EXPSS);
    findings.push(Finding {
        claim: "EWN: expSS slightly outperforms star1SS".into(),
        published: "star1SS–expSS slightly below 50 %".into(),
        measured: both(EWN, STAR1SS_EXPSS),
        verdict: Verdict::below(slightly.interval(), 0.5),
        rule: BELOW.into(),
        note: "a matter of overhead in time; with a budget in nodes there is none".into(),
    });
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_arena::contest::{GameRow, PairRow};

    /// Pairs of which the left player wins both games, loses both, and wins one.
    fn standing(won: usize, lost: usize, shared: usize) -> Standing {
        let game = |score| GameRow {
            score,
            luck: 0.0,
            decisions: [1, 1],
            nodes: [1, 1],
            broken_off: false,
            away: [0, 0],
        };
        let pair = |scores: [f64; 2]| PairRow { games: scores.map(game) };
        let rows = [(won, [1.0, 1.0]), (lost, [0.0, 0.0]), (shared, [1.0, 0.0])];
        let rows = rows.into_iter().flat_map(|(count, scores)| std::iter::repeat_n(pair(scores), count));
        Standing::new(&rows.collect::<Vec<_>>())
    }

    #[test]
    fn every_verdict_can_come_out_each_way() {
        use Verdict::{Agrees, Differs, Open};
        let verdicts = |all: Standing| -> Vec<Verdict> {
            findings(&|_, _, _| &all).iter().map(|finding| finding.verdict).collect()
        };
        // Above 50 % in four games against three players; comparable in two; below 50 % in three pairings.
        let expected =
            |above, comparable, below| [vec![above; 12], vec![comparable; 2], vec![below; 3]].concat();
        assert_eq!(verdicts(standing(90, 10, 100)), expected(Agrees, Differs, Differs));
        assert_eq!(verdicts(standing(10, 90, 100)), expected(Differs, Differs, Agrees));
        assert_eq!(verdicts(standing(50, 50, 2000)), expected(Open, Agrees, Open));
        assert_eq!(verdicts(standing(10, 10, 10)), expected(Open, Open, Open));
    }
}
