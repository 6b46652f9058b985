//! The tuning of *Monte Carlo \*-Minimax Search* (section 4.2): elimination tournaments over sample widths,
//! over the constants of MCTS and over those of double progressive widening; also MCTS against DPW (section
//! 4.4).

use super::players::{
    DOMAINS, Domain, Pairing, SAMPLED_NAMES, budget, budget_words, dpw, mcts, play, sampled,
};
use crate::text::percent;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::contest::Standing;
use astragal_arena::tournament::{Kind, Tournament};
use astragal_stats::Estimate;

/// The sample widths that are tried.
const WIDTHS: [u32; 8] = [1, 2, 5, 10, 15, 20, 25, 30];

/// The values of C1 and dr that are tried.
const CONSTANTS: [(u32, u32); 8] =
    [(10, 0), (50, 0), (100, 0), (200, 0), (50, 10), (100, 10), (50, 100), (200, 100)];

/// The values of C2 and α that are tried.
const WIDENINGS: [(f64, f64); 8] =
    [(2.0, 0.1), (4.0, 0.25), (5.0, 0.2), (25.0, 0.3), (1.0, 0.5), (10.0, 0.4), (2.0, 0.3), (5.0, 0.5)];

/// The parameters that our tournaments found for a game.
pub(super) struct Tuned {
    /// Sample widths of expSS, star1SS and star2SS.
    pub(super) widths: [u32; 3],
    mcts: (u32, u32),
    widening: (f64, f64),
    /// The score of MCTS against DPW.
    against: Estimate,
}

impl Tuned {
    /// The best MCTS player.
    pub(super) fn best_mcts(&self) -> String {
        if self.against.mean >= 0.5 { mcts(self.mcts) } else { dpw(self.mcts, self.widening) }
    }
}

/// Pairs per match in these tournaments.
fn pairs(domain: &Domain, scale: Scale) -> u64 {
    match scale {
        Scale::Quick if domain.spec == "ra" => 6,
        Scale::Quick => 20,
        _ => 500,
    }
}

/// The index of each tournament's winner. The tournaments are played side by side, round by round.
fn champions(
    fields: Vec<(&Domain, Vec<String>)>,
    bench: &mut Bench<'_>,
    what: &str,
) -> Result<Vec<usize>, Failed> {
    let plan = |(domain, engines): (&Domain, Vec<String>)| {
        let pairs = pairs(domain, bench.scale);
        Tournament::new(Kind::Elimination, domain.spec, &engines, pairs, budget(bench.scale), bench.seed)
    };
    let plans = fields.into_iter().map(plan).collect::<Result<Vec<_>, _>>()?;
    let tables = bench.tournaments(&plans, what)?;
    Ok(tables.iter().map(|tables| tables.order[0]).collect())
}

/// Runs the tournaments and returns the best parameters for the four games.
pub(super) fn tuned(bench: &mut Bench<'_>) -> Result<Vec<Tuned>, Failed> {
    // Sample widths and the constants of MCTS are independent of each other.
    let mut fields = Vec::new();
    for domain in &DOMAINS {
        for algorithm in 0..SAMPLED_NAMES.len() {
            fields.push((domain, WIDTHS.iter().map(|&width| sampled(algorithm, width)).collect()));
        }
        fields.push((domain, CONSTANTS.iter().map(|&constants| mcts(constants)).collect()));
    }
    let winners = champions(fields, &mut bench.stage(0.0, 0.67), "sample widths and MCTS")?;
    let winners: Vec<&[usize]> = winners.chunks(SAMPLED_NAMES.len() + 1).collect();
    let constants: Vec<(u32, u32)> = winners.iter().map(|winners| CONSTANTS[winners[3]]).collect();
    let field = |(domain, &constants): (&'static Domain, &(u32, u32))| {
        (domain, WIDENINGS.iter().map(|&widening| dpw(constants, widening)).collect())
    };
    let fields = DOMAINS.iter().zip(&constants).map(field).collect();
    let widenings = champions(fields, &mut bench.stage(0.67, 0.84), "progressive widening")?;
    let widenings: Vec<(f64, f64)> = widenings.into_iter().map(|at| WIDENINGS[at]).collect();
    let pairing = |(at, domain): (usize, &Domain)| Pairing {
        game: domain.spec,
        engines: [mcts(constants[at]), dpw(constants[at], widenings[at])],
        // The same number as in the paper.
        pairs: bench.scale.pick(2 * pairs(domain, bench.scale), 500),
    };
    let pairings: Vec<Pairing> = DOMAINS.iter().enumerate().map(pairing).collect();
    let against = play(&pairings, &mut bench.stage(0.84, 1.0))?;
    let tuned = |at: usize| Tuned {
        widths: std::array::from_fn(|algorithm| WIDTHS[winners[at][algorithm]]),
        mcts: constants[at],
        widening: widenings[at],
        against: against[at].score,
    };
    Ok((0..DOMAINS.len()).map(tuned).collect())
}

/// A player that scores more than this against the winner of a tournament is hardly worse.
const HARDLY: f64 = 0.45;

/// Whether the paper's width is as good as the winner of our tournament, by its score against it.
fn judge(score: &Estimate) -> Verdict {
    if score.hi < 0.5 {
        Verdict::Differs
    } else if score.lo > HARDLY {
        Verdict::Agrees
    } else {
        Verdict::Open
    }
}

/// Plays the paper's widths against the winning ones, with dice that were used in selecting neither.
fn confirm(ours: &[Tuned], bench: &mut Bench<'_>) -> Result<Vec<Standing>, Failed> {
    let mut pairings = Vec::new();
    for (domain, tuned) in DOMAINS.iter().zip(ours) {
        for at in 0..SAMPLED_NAMES.len() {
            let engines = [domain.widths[at], tuned.widths[at]].map(|width| sampled(at, width));
            pairings.push(Pairing { game: domain.spec, engines, pairs: 5 * pairs(domain, bench.scale) });
        }
    }
    play(&pairings, bench)
}

/// The tuning experiment.
pub(crate) static TUNING: Experiment = Experiment {
    id: "mcms-tuning",
    title: "Parameters by elimination tournaments",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 4.2",
    takes: &[(Scale::Quick, 150), (Scale::Full, 35 * 4 * 500 * 2 * 60 / 5)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let ours = tuned(&mut bench.stage(0.0, 0.8))?;
    let confirmed = confirm(&ours, &mut bench.stage(0.8, 1.0))?;
    let mut table =
        Table::new("parameters", "The winners of the tournaments.", &["game", "player", "paper", "ours"]);
    let mut findings = Vec::new();
    for ((game, domain), tuned) in DOMAINS.iter().enumerate().zip(&ours) {
        for (at, name) in SAMPLED_NAMES.into_iter().enumerate() {
            let (paper, width) = (domain.widths[at], tuned.widths[at]);
            let score = &confirmed[game * SAMPLED_NAMES.len() + at].score;
            table.rows.push(vec![domain.name.into(), name.into(), paper.to_string(), width.to_string()]);
            findings.push(Finding {
                    claim: format!("{}: {name} is best with the width of the paper", domain.name),
                    published: paper.to_string(),
                    measured: format!("our winner {width}, against which {paper} scores {}", percent(score)),
                    // The winner of short matches is often no better than its neighbours, so it is tested
                    // again.
                    verdict: judge(score),
                    rule: format!(
                        "agrees if the interval lies above {} %, so that the winner is hardly better; differs if below 50 %",
                        100.0 * HARDLY
                    ),
                    note: format!("of {}", WIDTHS.map(|width| width.to_string()).join(", ")),
                });
        }
        let rows = [
            ("MCTS", mcts(domain.mcts), mcts(tuned.mcts)),
            ("DPW", dpw(domain.mcts, domain.dpw), dpw(tuned.mcts, tuned.widening)),
        ];
        for (name, paper, ours) in rows {
            table.rows.push(vec![domain.name.into(), name.into(), paper, ours]);
        }
    }
    let count = |scale| pairs(&DOMAINS[0], scale);
    Ok(Outcome {
        summary: format!(
            "Elimination tournaments of eight players, {} pairs a match ({} in Ra), {}. \
                 An elimination with few games is a noisy judge: neighbouring widths play alike.",
            count(bench.scale),
            pairs(&DOMAINS[3], bench.scale),
            budget_words(bench.scale)
        ),
        findings,
        tables: vec![table],
        figures: Vec::new(),
    })
}

/// MCTS against DPW.
pub(crate) static BEST_MCTS: Experiment = Experiment {
    id: "mcms-best-mcts",
    title: "MCTS against double progressive widening",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 4.4",
    takes: &[(Scale::Quick, 40), (Scale::Full, 4 * 500 * 2 * 60 / 5)],
    run: run_best_mcts,
};

fn run_best_mcts(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let pairing = |domain: &Domain| Pairing {
        game: domain.spec,
        engines: [mcts(domain.mcts), dpw(domain.mcts, domain.dpw)],
        pairs: bench.scale.pick(if domain.spec == "ra" { 40 } else { 100 }, 500),
    };
    let pairings: Vec<Pairing> = DOMAINS.iter().map(pairing).collect();
    let standings = play(&pairings, bench)?;
    let columns = ["game", "MCTS", "DPW", "pairs", "score of MCTS", "without luck"];
    let mut table = Table::new("matches", "MCTS against DPW, with the parameters of the paper.", &columns);
    let mut findings = Vec::new();
    for ((domain, pairing), standing) in DOMAINS.iter().zip(&pairings).zip(&standings) {
        let score = &standing.score;
        let mut row = vec![domain.name.to_string()];
        row.extend(pairing.engines.iter().cloned());
        row.extend([standing.pairs.count().to_string(), percent(score), percent(&standing.luck.adjusted)]);
        table.rows.push(row);
        let (better, verdict, side) = match domain.dpw_is_best {
            true => ("DPW", Verdict::below(score.interval(), 0.5), ["below", "above"]),
            false => ("MCTS", Verdict::above(score.interval(), 0.5), ["above", "below"]),
        };
        findings.push(Finding {
            claim: format!("{}: {better} is the better one", domain.name),
            published: better.into(),
            measured: format!("MCTS scores {}", percent(score)),
            verdict,
            rule: format!("agrees if the interval lies {} 50 %, differs if {}", side[0], side[1]),
            note: String::new(),
        });
    }
    Ok(Outcome {
        summary: format!("MCTS against DPW in four games, {}.", budget_words(bench.scale)),
        findings,
        tables: vec![table],
        figures: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_of_the_paper_is_judged_by_its_score() {
        let estimate = |lo: f64, hi: f64| Estimate { mean: 0.5 * (lo + hi), lo, hi, error: 0.1 };
        assert_eq!(judge(&estimate(0.46, 0.53)), Verdict::Agrees);
        assert_eq!(judge(&estimate(0.40, 0.49)), Verdict::Differs);
        assert_eq!(judge(&estimate(0.40, 0.60)), Verdict::Open);
    }
}
