//! `mcms-future`: what *Monte Carlo \*-Minimax Search* leaves to future work (section 5), measured in the
//! same way as its Table 1.
//!
//! Dynamic sample widths, sampling without replacement and other schemes, different budgets, and variance
//! reduction. Players estimate the values of Pig positions whose exact values are known; differences are
//! taken position by position. There are no published numbers to compare with, so the verdicts are "new",
//! except where arithmetic determines the result.

mod figures;
mod findings;
mod measure;
mod single_node;
mod study;

use crate::bench::Patience;
use crate::{Bench, Experiment, Failed, Outcome, Scale, Table};
use astragal_search::Scheme;
use study::{SUBJECTS, Study};

/// The sampling schemes. The others are compared with the first, which is the paper's.
const SCHEMES: [(&str, Scheme); 4] = [
    ("iid", Scheme::Iid),
    ("without", Scheme::Without),
    ("systematic", Scheme::Systematic),
    ("stratified", Scheme::Stratified),
];

/// The sizes of the runs.
#[derive(Clone, Debug)]
struct Sizes {
    /// Positions of each game.
    positions: usize,
    /// Runs at each position.
    runs: u32,
    /// Nodes of a run where the budget is fixed.
    nodes: u64,
    /// Nodes of a run where the budget is varied.
    budgets: Vec<u64>,
    /// Samples of a single chance node.
    seeds: u64,
}

impl Sizes {
    fn of(scale: Scale) -> Self {
        let doubled = |times: u32| (0..=times).map(|power| 250 << power).collect();
        // The full scale has the paper's positions and runs.
        scale.pick(
            Self { positions: 200, runs: 20, nodes: 2000, budgets: doubled(6), seeds: 20_000 },
            Self { positions: 2470, runs: 50, nodes: 16_000, budgets: doubled(10), seeds: 200_000 },
        )
    }
}

/// The experiment.
pub(crate) static FUTURE: Experiment = Experiment {
    id: "mcms-future",
    title: "Future work: widths, schemes, budgets, variance",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 5, future work",
    takes: &[(Scale::Quick, 75), (Scale::Full, 6 * 3600)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    outcome(&Sizes::of(bench.scale), bench)
}

fn outcome(sizes: &Sizes, bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let mut patience = Patience::default();
    let single = patience.with(single_node::check(sizes.seeds, &mut bench.stage(0.0, 0.03)))?;
    let shares = [(0.03, 0.75), (0.75, 1.0)];
    let mut studies = Vec::new();
    for (subject, share) in SUBJECTS.iter().zip(shares) {
        studies.extend(patience.with(Study::new(subject, sizes, &mut bench.stage(share.0, share.1)))?);
    }
    patience.end()?;
    let single = single.ok_or(Failed::Waits)?;
    let mut findings = Vec::new();
    findings.extend(single.findings());
    findings.extend(studies.iter().flat_map(|study| findings::all(study, sizes, bench.seed)));
    let mut players = Table::new(
        "players",
        "Every player: means over the positions",
        &["game", "part", "engine", "budget", "runs", "MSE", "variance", "bias", "regret", "depth"],
    );
    for study in &studies {
        study.fill(&mut players);
    }
    let mut figures = vec![figures::widths(&studies)];
    figures.extend(studies.iter().filter_map(|study| figures::shrunk(study, sizes)));
    figures.extend([single.figure(), figures::schemes(&studies, bench.seed)]);
    figures.extend(studies.iter().filter_map(|study| figures::budgets(study, sizes)));
    figures.push(figures::reductions(&studies, bench.seed));
    Ok(Outcome {
        summary: summary(&studies, sizes),
        findings,
        tables: vec![players, single.table()],
        figures,
    })
}

fn summary(studies: &[Study], sizes: &Sizes) -> String {
    let games: Vec<String> =
        studies.iter().map(|study| format!("{} of {}", study.positions, study.name)).collect();
    format!(
        "Players as estimators, as in Table 1: positions that the eight players of the table meet in games against each other ({}), {} \
         runs at each, {} nodes a run unless something else is said, which is far less than the paper's 200 ms. Values lie between \
         −100 and 100, exact ones come from value iteration, the evaluation function is the score difference.\n\n\
         The rule, fixed before anything was run: a player is called lower or higher than another if the whole 95 % interval of their \
         differences, taken position by position, lies on that side of zero (of one, for ratios of variances, whose intervals are \
         bootstraps over positions), and undecided otherwise. Nothing is published to compare with, so such a finding is \"new\" whatever \
         it says; only identities and formulas agree or differ. There is no correction for the number of findings, save for the \
         single chance nodes. What was added after a first look says so. Positions are treated as \
         independent, but they come from a few dozen games with the same dice and resemble each other: another seed may move a number by more \
         than its interval.\n\n\
         Samples are drawn with `enumerate=off`, as for Table 1: otherwise a roll with at most `width` outcomes is taken exactly, and from \
         that width on no scheme or width would differ from another. A width that shrinks is chosen such that the first roll below \
         the root draws as many outcomes as with the paper's width.",
        games.join(", "),
        sizes.runs,
        sizes.nodes,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::bench::unattended;
    use astragal_store::{Crew, Store};
    use std::sync::atomic::AtomicBool;

    fn small() -> Sizes {
        Sizes { positions: 6, runs: 4, nodes: 300, budgets: vec![100, 200], seeds: 100 }
    }

    #[test]
    fn workers_do_not_change_what_is_found_and_errors_split() {
        let run = |workers| unattended(3, workers, |bench| outcome(&small(), bench)).unwrap();
        let one = run(1);
        // Compared as text, because an interval end that is not drawn is NaN, which equals nothing.
        assert_eq!(format!("{one:?}"), format!("{:?}", run(2)));
        assert_eq!(one.findings[0].verdict, Verdict::Agrees, "{:?}", one.findings[0]);
        // A finding without a published number claims no agreement.
        assert!(
            one.findings[3..].iter().all(|found| found.verdict == Verdict::New && found.published.is_empty())
        );
        assert!(one.figures.iter().all(|(_, _, figure)| figure.svg().contains("<svg")));
        assert_eq!(one.figures.len(), 6);
    }

    #[test]
    fn the_stop_button_ends_it() {
        let (mut store, stop) = (Store::memory(), AtomicBool::new(true));
        let crew = Crew::new(1, &stop, &mut store);
        let ended = outcome(&small(), &mut Bench::new(Scale::Quick, 3, crew, &mut |_, _| {}));
        assert_eq!(ended, Err(Failed::Cancelled));
    }
}
