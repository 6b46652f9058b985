//! `lecture-sampling`: sampling at the root, from the lecture on sampling-based search (M. Buro),
//! "Sampling-Based Decision Making", "How Many Samples?" and "Selective Sampling".
//!
//! The positions are from solved games, so the best move is known. The baseline is an equal number of samples
//! for every move; it is compared with UCB1, sequential halving, stopping when one move is significantly
//! better, and playouts biased towards likely moves. Random playouts have an inherent limit: the move that
//! wins most random games need not be the best.

use crate::bench::{Batch, Patience, Until, check};
use crate::text::{decimal, interval, percent, points};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_catalog::{AnyGame, Position, SpecError, game};
use astragal_core::{Budget, Clock, ReadError, Sampler, Turn, Watch, below, mix, unit};
use astragal_plot::{Axis, Chart, Curve, Estimate as Shown, Figure, Lines, Look};
use astragal_solve::{SolveOptions, Unsolved};
use astragal_stats::{Estimate, LEVEL, Running};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// The games' specs, their names, and their playout policies if they have one.
const GAMES: [(&str, &str, Option<&str>); 2] =
    [("tic-tac-toe", "tic-tac-toe", None), ("ewn(size=3,stones=3)", "EinStein on 3 × 3", Some("greedy"))];

/// The sampling rules that are plotted over the number of samples. The first is the baseline.
const RULES: [(&str, &str); 4] = [
    ("equal", "flat(common=off)"),
    ("equal, common numbers", "flat"),
    ("UCB1", "bandit(c=1)"),
    ("sequential halving", "flat(allocation=halving)"),
];

/// The rule of RULES that stopping and biased playouts are compared with: the same without either.
const PLAIN: usize = 1;

/// The confidence at which one move counts as significantly better.
const CONFIDENCE: f64 = 0.95;

/// The sizes of the runs.
#[derive(Clone, Copy)]
struct Sizes {
    positions: usize,
    seeds: u64,
    /// The smallest and largest number of samples, as powers of two.
    powers: (u32, u32),
}

impl Sizes {
    fn samples(&self) -> Vec<u64> {
        (self.powers.0..=self.powers.1).map(|power| 1 << power).collect()
    }
}

/// A position whose moves are not all equally good, with its best moves.
struct Problem {
    position: Box<dyn Position>,
    best: Vec<String>,
}

fn wrong(error: SpecError) -> Failed {
    Failed::Message(error.to_string())
}

fn misread(error: ReadError) -> Failed {
    Failed::Message(error.to_string())
}

/// Distinct decision positions from random games.
fn problems(game: &dyn AnyGame, count: usize, seed: u64, stop: &AtomicBool) -> Result<Vec<Problem>, Failed> {
    let start = game.start();
    let solution =
        game.solve(&*start, &SolveOptions::default(), &mut Until(stop)).map_err(|why| match why {
            Unsolved::Cancelled => Failed::Cancelled,
            why => Failed::Message(format!("{}: {why}", game.spec())),
        })?;
    let mut stream = Sampler::new(seed).stream(0, 0);
    let (mut problems, mut seen) = (Vec::new(), BTreeSet::new());
    // A game may have fewer such positions than requested.
    for _ in 0..200 * count {
        check(&mut Clock::until(stop))?;
        let mut position = start.duplicate();
        let moves = below(stream.bits(), 6);
        let mut made = 0;
        while let Some(next) = match position.turn() {
            Turn::Chance => position.chance(unit(stream.bits())).map(|(_, next)| next),
            Turn::Decide(_) if made < moves => {
                made += 1;
                let actions = position.actions();
                Some(
                    position
                        .act(&actions[below(stream.bits(), actions.len() as u64) as usize])
                        .map_err(misread)?,
                )
            }
            _ => None,
        } {
            position = next;
        }
        if let Turn::Decide(player) = position.turn()
            && seen.insert(position.text())
        {
            let mut values = Vec::new();
            for action in position.actions() {
                let value = position.act(&action).map_err(misread)?.value_in(&solution);
                values.push((action, player.sign() * value.unwrap_or(f64::NAN)));
            }
            let top = values.iter().fold(f64::NEG_INFINITY, |top, (_, value)| top.max(*value));
            let best: Vec<String> = values
                .iter()
                .filter(|(_, value)| *value > top - 1e-9)
                .map(|(action, _)| action.clone())
                .collect();
            if best.len() < values.len() {
                problems.push(Problem { position, best });
            }
        }
        if problems.len() == count {
            break;
        }
    }
    Ok(problems)
}

/// One engine's results on one problem: the share of right moves, and the mean number of samples.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Tried {
    right: f64,
    samples: f64,
}

fn tried(
    game: &dyn AnyGame,
    problem: &Problem,
    spec: &str,
    samples: u64,
    seeds: u64,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Tried, Failed> {
    let mut engine = game.engine(spec).map_err(wrong)?;
    let budget = Budget { iterations: Some(samples), ..Budget::default() };
    let (mut right, mut taken) = (0_u64, 0_u64);
    for run in 0..seeds {
        let seed = mix(seed ^ mix(run));
        let analysis = engine.analyze(&*problem.position, seed, &budget, watch);
        // The result of an interrupted search must not count.
        check(watch)?;
        right += u64::from(analysis.best.is_some_and(|best| problem.best.contains(&best)));
        taken += analysis.counts.simulations;
    }
    Ok(Tried { right: right as f64 / seeds as f64, samples: taken as f64 / seeds as f64 })
}

/// One engine's results on all problems of a game, with one number of samples.
struct Column(Vec<Tried>);

impl Column {
    /// The share of right moves. Positions are the units of its interval.
    fn right(&self) -> Estimate {
        self.0.iter().map(|tried| tried.right).collect::<Running>().estimate(LEVEL)
    }

    fn samples(&self) -> Estimate {
        self.0.iter().map(|tried| tried.samples).collect::<Running>().estimate(LEVEL)
    }

    /// The difference in accuracy to another column, position by position.
    fn over(&self, other: &Self) -> Estimate {
        let pairs = self.0.iter().zip(&other.0);
        pairs.map(|(a, b)| a.right - b.right).collect::<Running>().estimate(LEVEL)
    }
}

/// The measurements for one game.
struct Study {
    name: &'static str,
    problems: usize,
    samples: Vec<u64>,
    /// One column per number of samples, for each rule and, if the game has them, for biased playouts.
    rules: Vec<(String, Vec<Column>)>,
    /// Sampling that may stop before the largest number of samples.
    stopping: Column,
}

fn study(which: usize, sizes: Sizes, bench: &mut Bench<'_>) -> Result<Study, Failed> {
    let (spec, name, policy) = GAMES[which];
    let game = game(spec).map_err(wrong)?;
    let problems = problems(&*game, sizes.positions, bench.seed, bench.stop())?;
    let samples = sizes.samples();
    let mut rules: Vec<(String, String)> = RULES.map(|(name, spec)| (name.into(), spec.into())).to_vec();
    rules.extend(policy.map(|policy| ("equal, biased playouts".into(), format!("flat(policy={policy})"))));
    let base = bench.seed;
    let job = |index: usize, watch: &mut dyn Watch| -> Result<Vec<Tried>, Failed> {
        let problem = &problems[index];
        let seed = mix(base ^ mix((which * 1_000_000 + index) as u64));
        let mut all = Vec::new();
        for (_, spec) in &rules {
            for &samples in &samples {
                all.push(tried(&*game, problem, spec, samples, sizes.seeds, seed, watch)?);
            }
        }
        let stopping = format!("flat(confidence={CONFIDENCE})");
        all.push(tried(&*game, problem, &stopping, samples[samples.len() - 1], sizes.seeds, seed, watch)?);
        Ok(all)
    };
    let part = 1.0 / GAMES.len() as f64;
    let (from, to) = (part * which as f64, part * (which + 1) as f64);
    let part = format!("{spec}, {} samples, {} seeds", samples[samples.len() - 1], sizes.seeds);
    let batch = Batch { experiment: ROOT_SAMPLING.id, part: &part, count: problems.len() };
    let found = bench.stage(from, to).each(batch, name, job)?;
    let column = |at: usize| Column(found.iter().map(|tried| tried[at]).collect());
    let rules = rules.into_iter().enumerate().map(|(rule, (name, _))| {
        (name, (0..samples.len()).map(|at| column(rule * samples.len() + at)).collect())
    });
    let rules: Vec<(String, Vec<Column>)> = rules.collect();
    let stopping = column(rules.len() * samples.len());
    Ok(Study { name, problems: problems.len(), samples, rules, stopping })
}

/// The number of samples a rule needs for this share of right moves, interpolated logarithmically.
fn needed(samples: &[u64], shares: &[f64], wanted: f64) -> Option<f64> {
    let at = shares.iter().position(|&share| share >= wanted)?;
    let Some(before) = at.checked_sub(1) else { return Some(samples[0] as f64) };
    let part = (wanted - shares[before]) / (shares[at] - shares[before]);
    let [low, high] = [samples[before], samples[at]].map(|n| libm::log(n as f64));
    Some(libm::exp(low + part * (high - low)))
}

/// The difference in accuracy between two rules, averaged over all numbers of samples, position by position.
/// The average leaves no freedom to choose the number at which to compare.
fn lead(columns: &[Column], others: &[Column]) -> Estimate {
    let mean = |columns: &[Column], at: usize| {
        columns.iter().map(|column| column.0[at].right).sum::<f64>() / columns.len() as f64
    };
    let positions = columns.first().map_or(0, |column| column.0.len());
    (0..positions).map(|at| mean(columns, at) - mean(others, at)).collect::<Running>().estimate(LEVEL)
}

fn findings(study: &Study) -> Vec<Finding> {
    let (middle, last) = (study.samples.len() / 2, study.samples.len() - 1);
    let shares =
        |rule: usize| -> Vec<f64> { study.rules[rule].1.iter().map(|column| column.right().mean).collect() };
    let mut findings = Vec::new();
    for (rule, (name, columns)) in study.rules.iter().enumerate().skip(1) {
        // Biased playouts differ from plain ones only in the policy.
        let against = if rule >= RULES.len() { PLAIN } else { 0 };
        let (other, others) = &study.rules[against];
        let over = lead(columns, others);
        let saved = match needed(&study.samples, &shares(rule), shares(against)[middle]) {
            Some(samples) if samples <= study.samples[0] as f64 => format!("at most {}", study.samples[0]),
            Some(samples) => decimal(samples, 0),
            None => format!("more than {}", study.samples[last]),
        };
        findings.push(Finding {
            claim: format!("{}: {name} decides better than {other}", study.name),
            published: "fewer samples for the same decision".into(),
            measured: format!(
                "{} points; {saved} samples do what {} do",
                points(&over),
                study.samples[middle]
            ),
            verdict: Verdict::above(over.interval(), 0.0),
            rule: "agrees if the interval of the lead lies above 0, differs if it lies below".into(),
            note: format!(
                "mean lead over {} to {} samples; with the most it is {}",
                study.samples[0],
                study.samples[last],
                points(&columns[last].over(&others[last]))
            ),
        });
    }
    findings.push(stopping(study));
    findings
}

/// Early stopping compared with the same rule without it.
fn stopping(study: &Study) -> Finding {
    let last = study.samples.len() - 1;
    let full = &study.rules[PLAIN].1[last];
    let (over, taken) = (study.stopping.over(full), study.stopping.samples());
    // As good as before means less than two points worse.
    let fewer = taken.hi < study.samples[last] as f64;
    let verdict = match (over.lo > -0.02, over.hi < -0.02) {
        (true, _) if fewer => Verdict::Agrees,
        (_, true) => Verdict::Differs,
        _ => Verdict::Open,
    };
    Finding {
        claim: format!(
            "{}: stopping when one move is significantly better ({} %) saves samples of {}",
            study.name,
            decimal(100.0 * CONFIDENCE, 0),
            study.samples[last]
        ),
        published: "fewer samples for the same decision".into(),
        measured: format!("{} samples on average; {} points", interval(&taken, 0), points(&over)),
        verdict,
        rule: "agrees if there are fewer samples and the interval of the loss lies below two percentage points, differs \
               if it lies above"
            .into(),
        note: String::new(),
    }
}

/// The experiment.
pub(crate) static ROOT_SAMPLING: Experiment = Experiment {
    id: "lecture-sampling",
    title: "Sampling at the root: how many samples a decision needs",
    source: "Lecture on sampling-based search (M. Buro), \"Sampling-Based Decision Making\" to \"Selective Sampling\"",
    takes: &[(Scale::Quick, 30), (Scale::Full, 1500)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let sizes = bench.scale.pick(
        Sizes { positions: 300, seeds: 8, powers: (4, 11) },
        Sizes { positions: 1000, seeds: 40, powers: (4, 13) },
    );
    let (mut studies, mut patience) = (Vec::new(), Patience::default());
    for which in 0..GAMES.len() {
        studies.extend(patience.with(study(which, sizes, bench))?);
    }
    patience.end()?;
    let mut table = Table::new(
        "right",
        "Right moves over samples",
        &["game", "rule", "samples", "right", "lead over equal (points)"],
    );
    for study in &studies {
        for (name, columns) in &study.rules {
            for ((samples, column), equal) in study.samples.iter().zip(columns).zip(&study.rules[0].1) {
                table.rows.push(vec![
                    study.name.into(),
                    name.clone(),
                    samples.to_string(),
                    percent(&column.right()),
                    points(&column.over(equal)),
                ]);
            }
        }
        let (taken, right) = (study.stopping.samples(), study.stopping.right());
        let row = [study.name, "equal, common numbers, stopping"].map(String::from);
        let over = study.stopping.over(&study.rules[0].1[study.samples.len() - 1]);
        table
            .rows
            .push(row.into_iter().chain([decimal(taken.mean, 0), percent(&right), points(&over)]).collect());
    }
    let counts: Vec<String> =
        studies.iter().map(|study| format!("{} of {}", study.problems, study.name)).collect();
    let summary = format!(
        "Positions from random games whose moves are not all equally good ({}), {} seeds each. A decision is right if it is one \
             of the best moves of the solved game. Samples are playouts; intervals are over positions. Common numbers: the playouts \
             of a round, one for each move, see the same random numbers.",
        counts.join(", "),
        sizes.seeds
    );
    let caption = "Share of right moves over the number of samples. Rules see the same positions, so the intervals of their differences in the table \
                       are much narrower than those of the shares. One point: sampling that \
                       stops when one move is significantly better, at the samples that it takes on average."
            .to_string();
    let figures = vec![("right".into(), caption, figure(&studies))];
    let findings = studies.iter().flat_map(findings).collect();
    Ok(Outcome { summary, findings, tables: vec![table], figures })
}

fn figure(studies: &[Study]) -> Figure {
    let mut figure = Figure {
        columns: 2,
        width: 820.0,
        panel_height: Some(300.0),
        ..Figure::new("Right moves over samples")
    };
    for study in studies {
        let mut curves: Vec<Curve> = study
            .rules
            .iter()
            .map(|(name, columns)| {
                let points = study
                    .samples
                    .iter()
                    .zip(columns)
                    .map(|(&n, column)| (n as f64, Shown::exact(100.0 * column.right().mean)));
                Curve::new(name, Look::Marked, points)
            })
            .collect();
        let stopped = (study.stopping.samples().mean, Shown::exact(100.0 * study.stopping.right().mean));
        curves.push(Curve::new("stopping early", Look::Marked, [stopped]));
        let lines = Lines {
            x: Axis::new("samples").log(),
            y: Axis::new("right moves").unit("%").range(50.0, 100.0),
            curves,
            references: Vec::new(),
        };
        figure = figure.panel(study.name, Chart::Lines(lines));
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn problems_have_good_and_bad_moves() {
        for (spec, ..) in GAMES {
            let game = game(spec).unwrap();
            let problems = problems(&*game, 20, 1, &AtomicBool::new(false)).unwrap();
            assert_eq!(problems.len(), 20);
            for problem in problems {
                let actions = problem.position.actions();
                assert!(!problem.best.is_empty() && problem.best.len() < actions.len());
                assert!(problem.best.iter().all(|best| actions.contains(best)));
            }
        }
    }

    #[test]
    fn samples_for_a_share_are_read_between_two_numbers() {
        let samples = [16, 32, 64];
        assert_eq!(needed(&samples, &[0.5, 0.7, 0.9], 0.4), Some(16.0));
        let between = needed(&samples, &[0.5, 0.7, 0.9], 0.8).unwrap();
        assert!((between - 32.0 * 2_f64.sqrt()).abs() < 1e-9);
        assert_eq!(needed(&samples, &[0.5, 0.7, 0.9], 0.95), None);
    }

    /// A study with these shares of right moves in two positions, for every number of samples.
    fn made_up(equal: [f64; 2], other: [f64; 2], stopping: [f64; 2]) -> Study {
        let column = |right: [f64; 2]| Column(right.map(|right| Tried { right, samples: 20.0 }).to_vec());
        let rules =
            [equal, equal, other, equal].map(|right| (String::new(), vec![column(right), column(right)]));
        Study {
            name: "",
            problems: 2,
            samples: vec![16, 32],
            rules: rules.into(),
            stopping: column(stopping),
        }
    }

    #[test]
    fn verdicts_follow_the_shares() {
        let verdicts = |study: &Study| -> Vec<Verdict> {
            findings(study).iter().map(|finding| finding.verdict).collect()
        };
        // A lucky result in one position decides nothing.
        let open = made_up([0.5, 0.5], [0.9, 0.5], [0.9, 0.1]);
        assert_eq!(verdicts(&open), [Verdict::Differs, Verdict::Open, Verdict::Differs, Verdict::Open]);
        let better = made_up([0.5, 0.5], [0.7, 0.7001], [0.5, 0.5]);
        assert_eq!(verdicts(&better)[1..], [Verdict::Agrees, Verdict::Differs, Verdict::Agrees]);
        let worse = made_up([0.5, 0.5], [0.3, 0.3001], [0.3, 0.3]);
        assert_eq!(verdicts(&worse)[1..], [Verdict::Differs, Verdict::Differs, Verdict::Differs]);
    }

    #[test]
    fn workers_do_not_change_what_is_found() {
        let sizes = Sizes { positions: 4, seeds: 2, powers: (4, 5) };
        let shares = |workers| -> Vec<f64> {
            let study = unattended(1, workers, |bench| study(1, sizes, bench)).unwrap();
            study
                .rules
                .iter()
                .flat_map(|(_, columns)| columns.iter().map(|column| column.right().mean))
                .collect()
        };
        assert_eq!(shares(1), shares(2));
    }
}
