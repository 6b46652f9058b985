//! `mcms-theorem1`: Theorem 1 of *Monte Carlo \*-Minimax Search*, section 3.2, measured.
//!
//! The theorem guarantees that the sampled value of a state differs from its depth-limited value by at most
//! λ·d, with a probability of at least 1 − (2c|A|)^d · exp(−λ²c / 2v²), for sample width c, at most |A|
//! actions, depth d and values in [−v, v]. Here expSS samples trees whose exact values are known, with many
//! seeds, and the share of larger errors is compared with the bound.

use crate::bench::{Batch, check};
use crate::text::{decimal, probability};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::{Evaluator, Game, Interval, Notation, Player, Watch, mix};
use astragal_games::explicit::{Estimate, Node, Tree};
use astragal_games::pig::{Lead, Pig};
use astragal_games::synthetic::{self, Heuristic, Rule, Synthetic};
use astragal_plot::{Axis, Chart, Curve, Estimate as Shown, Figure, Lines, Look};
use astragal_search::{Algorithm, Chance, Keys, Options, Scheme, StarMinimax, sparse_sampling_confidence};
use astragal_stats::wilson;

/// The permitted errors per unit of depth, as shares of the largest value.
const LAMBDAS: [f64; 3] = [0.1, 0.25, 0.5];

/// Seeds per unit of work.
const PIECE: usize = 100;

/// A tree with its exact value, and a function that samples it.
struct Subject {
    name: &'static str,
    depth: u32,
    actions: u32,
    vmax: f64,
    exact: f64,
    sample: Box<dyn Fn(u32, u64) -> f64 + Sync>,
}

/// The measurements for one tree, width and λ.
struct Cell {
    subject: usize,
    lambda: usize,
    width: u32,
    failures: u64,
    runs: u64,
    /// The largest probability of a failure that the theorem permits; above 1 it permits everything.
    bound: f64,
}

impl Cell {
    fn share(&self) -> f64 {
        self.failures as f64 / self.runs as f64
    }

    /// Whether the measured share contradicts the bound, at this level.
    fn contradicts(&self, level: f64) -> bool {
        wilson(self.failures as f64, self.runs as f64, level).lo > self.bound
    }

    /// Whether the measured share lies below a non-trivial bound, at this level.
    fn confirms(&self, level: f64) -> bool {
        self.bound < 1.0 && wilson(self.failures as f64, self.runs as f64, level).hi <= self.bound
    }
}

fn subject<G, E>(
    name: &'static str,
    game: G,
    evaluator: E,
    state: G::State,
    depth: u32,
    actions: u32,
) -> Subject
where
    G: Game + 'static,
    G::State: 'static,
    E: Evaluator<G> + Copy + Send + Sync + 'static,
{
    let range = game.range();
    let exact = Options::new(Algorithm::Expectimax);
    let exact = StarMinimax::new(evaluator, exact).value_within(&game, &state, 0, depth, range).0;
    let sample = move |width: u32, seed: u64| {
        let chance =
            Chance::Sample { width, decay: 1.0, scheme: Scheme::Iid, keys: Keys::Path, enumerate: false };
        let options = Options { chance, ..Options::new(Algorithm::Expectimax) };
        StarMinimax::new(evaluator, options).value_within(&game, &state, seed, depth, range).0
    };
    Subject { name, depth, actions, vmax: range.lo.abs().max(range.hi), exact, sample: Box::new(sample) }
}

/// Max chooses between two coins that pay 1 or −1, `depth` times; only the last coin pays. No tree with this
/// range has more variance.
fn coins(depth: u32) -> Result<Tree, Failed> {
    fn grow(nodes: &mut Vec<(String, Node)>, depth: u32, value: f64) -> usize {
        let node = if depth == 0 {
            Node::Leaf(value)
        } else {
            let coin = |nodes: &mut Vec<(String, Node)>| {
                let sides = [("win", 1.0), ("loss", -1.0)];
                let outcomes =
                    sides.map(|(name, value)| (name.to_string(), 0.5, grow(nodes, depth - 1, value)));
                nodes.push((format!("n{}", nodes.len()), Node::Chance { outcomes: outcomes.to_vec() }));
                nodes.len() - 1
            };
            let actions = vec![("left".into(), coin(nodes)), ("right".into(), coin(nodes))];
            Node::Decision { player: Player::Max, actions, estimate: None }
        };
        nodes.push((format!("n{}", nodes.len()), node));
        nodes.len() - 1
    }
    let mut nodes = Vec::new();
    let root = grow(&mut nodes, depth, 0.0);
    Tree::new(nodes, root, Some(Interval::new(-1.0, 1.0))).map_err(|why| Failed::Message(why.to_string()))
}

fn subjects(seed: u64) -> Result<Vec<Subject>, Failed> {
    let wrong = |why: astragal_core::ReadError| Failed::Message(why.to_string());
    let (one, two) = (coins(1)?, coins(2)?);
    let starts = [one.start(), two.start()];
    let pig = Pig::default();
    let end = pig.read_state("88-96+7 p1").map_err(wrong)?;
    let always = synthetic::Chance { share: 1.0, outcomes: 8, ..synthetic::Chance::NONE };
    let regular = Synthetic::new(mix(seed), 3, 2, Rule::Score)
        .and_then(|tree| tree.chance(always))
        .map_err(|why| Failed::Message(why.0))?;
    let root = regular.start();
    Ok(vec![
        subject("coins, d = 1", one, Estimate, starts[0], 1, 2),
        subject("coins, d = 2", two, Estimate, starts[1], 2, 2),
        subject("Pig 88-96+7, d = 2", pig, Lead, end, 2, 2),
        subject("regular tree, d = 2", regular, Heuristic, root, 2, 3),
    ])
}

/// Samples every subject at every width, with this many seeds.
fn measure(
    subjects: &[Subject],
    widths: &[u32],
    runs: usize,
    bench: &mut Bench<'_>,
) -> Result<Vec<Cell>, Failed> {
    let (pieces, base) = (runs.div_ceil(PIECE), bench.seed);
    let job = |index: usize, watch: &mut dyn Watch| {
        let (cell, piece) = (index / pieces, index % pieces);
        let (subject, width) = (&subjects[cell / widths.len()], widths[cell % widths.len()]);
        let mut failures = [0_u64; LAMBDAS.len()];
        for run in piece * PIECE..runs.min((piece + 1) * PIECE) {
            check(watch)?;
            let seed = mix(base ^ mix((index - piece) as u64)).wrapping_add(run as u64);
            let error = ((subject.sample)(width, seed) - subject.exact).abs();
            for (failures, lambda) in failures.iter_mut().zip(LAMBDAS) {
                // A tiny excess over λ·d is a rounding error.
                let allowed = lambda * subject.vmax * f64::from(subject.depth) * (1.0 + 1e-12);
                *failures += u64::from(error > allowed);
            }
        }
        Ok(failures)
    };
    let part = format!("{widths:?}, {runs} runs");
    let batch = Batch { experiment: THEOREM1.id, part: &part, count: subjects.len() * widths.len() * pieces };
    let found = bench.each(batch, "sampled trees", job)?;
    let mut cells = Vec::new();
    for (cell, found) in found.chunks(pieces).enumerate() {
        let (at, width) = (cell / widths.len(), widths[cell % widths.len()]);
        let subject = &subjects[at];
        for (lambda, share) in LAMBDAS.into_iter().enumerate() {
            let allowed = share * subject.vmax;
            let sure =
                sparse_sampling_confidence(width, subject.actions, subject.depth, allowed, subject.vmax);
            let failures = found.iter().map(|failures| failures[lambda]).sum();
            cells.push(Cell { subject: at, lambda, width, failures, runs: runs as u64, bound: 1.0 - sure });
        }
    }
    Ok(cells)
}

const RULE: &str = "differs if the failures contradict the bound in any case, agrees if they contradict it in none and stay \
                    below it for certain in some, open otherwise";

/// Whether the bound holds everywhere. The probability that any cell contradicts a true bound is at most 5 %.
fn finding(cells: &[Cell]) -> Finding {
    let level = 1.0 - 0.05 / cells.len() as f64;
    let count = |what: &dyn Fn(&Cell) -> bool| cells.iter().filter(|cell| what(cell)).count();
    let contradicted = count(&|cell| cell.contradicts(level));
    let confirmed = count(&|cell| cell.confirms(level));
    let promising = count(&|cell| cell.bound < 1.0);
    let verdict = match (contradicted, confirmed) {
        (0, 0) => Verdict::Open,
        (0, _) => Verdict::Agrees,
        _ => Verdict::Differs,
    };
    Finding {
        claim: "the share of errors above λ·d is at most (2c|A|)^d · exp(−λ²c / 2v²)".into(),
        published: "always".into(),
        measured: format!(
            "contradicted in {contradicted} of {} cases; confirmed in {confirmed} of the {promising} in which it promises anything",
            cells.len()
        ),
        verdict,
        rule: RULE.into(),
        note: "Wilson intervals, shared among all cases; where the bound is smaller than so many runs can show it is neither".into(),
    }
}

/// How loose the bound is where it is first non-trivial.
fn looseness(cells: &[Cell], subjects: &[Subject]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, subject) in subjects.iter().enumerate() {
        let of = |lambda: usize| cells.iter().filter(move |cell| cell.subject == at && cell.lambda == lambda);
        let lambda = LAMBDAS.len() - 1;
        let promised = of(lambda).find(|cell| cell.bound <= 0.05).map(|cell| cell.width);
        // The width from which on every measured share is small.
        let last_large = of(lambda).filter(|cell| cell.share() > 0.05).map(|cell| cell.width).max();
        let needed =
            of(lambda).map(|cell| cell.width).find(|&width| last_large.is_none_or(|last| width > last));
        let show =
            |width: Option<u32>| width.map_or("none of those tried".into(), |width| format!("c = {width}"));
        findings.push(Finding {
            claim: format!(
                "{}: the width from which errors above {}·v·d are at most 5 %",
                subject.name, LAMBDAS[lambda]
            ),
            published: format!("{} by the bound", show(promised)),
            measured: show(needed),
            verdict: Verdict::New,
            rule: String::new(),
            note: "the theorem promises what holds for every tree, and is loose for each".into(),
        });
    }
    findings
}

/// The experiment.
pub(crate) static THEOREM1: Experiment = Experiment {
    id: "mcms-theorem1",
    title: "The guarantee of sparse sampling",
    source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), Theorem 1",
    takes: &[(Scale::Quick, 15), (Scale::Full, 600)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (powers, runs) = bench.scale.pick((11, 2000), (13, 20_000));
    let widths: Vec<u32> = (0..powers).map(|power| 1 << power).collect();
    let subjects = subjects(bench.seed)?;
    let cells = measure(&subjects, &widths, runs, bench)?;
    let mut findings = vec![finding(&cells)];
    findings.extend(looseness(&cells, &subjects));
    let mut table = Table::new(
        "errors",
        "Share of sampled values with an error above λ·d",
        &["tree", "exact value", "λ/v", "c", "measured", "bound"],
    );
    for cell in &cells {
        let subject = &subjects[cell.subject];
        table.rows.push(vec![
            subject.name.into(),
            decimal(subject.exact, 4),
            LAMBDAS[cell.lambda].to_string(),
            cell.width.to_string(),
            probability(cell.share()),
            if cell.bound >= 1.0 { "≥ 1".into() } else { probability(cell.bound) },
        ]);
    }
    let summary = format!(
        "expSS with independent draws values four trees whose exact values are known, {runs} seeds for each sample width \
             c. Coins: Max chooses between two coins that pay 1 or −1, once or twice; nothing of this range varies more. Pig: \
             Player 1 at 88-96+7 with two dice, evaluated by the lead. The regular tree has 3 actions and 8 outcomes everywhere."
    );
    let caption = format!(
        "Share of {runs} sampled values with an error above λ·d over the sample width, with 95 % intervals, and the bounds \
             of Theorem 1 (dashed, from left to right for λ = 0.5 v and 0.25 v) where they are below 1. Shares of 0 cannot be shown."
    );
    let figures = vec![("errors".into(), caption, figure(&cells, &subjects, runs))];
    Ok(Outcome { summary, findings, tables: vec![table], figures })
}

fn figure(cells: &[Cell], subjects: &[Subject], runs: usize) -> Figure {
    let floor = 10_f64.powf((0.4 / runs as f64).log10().floor());
    let mut figure = Figure {
        columns: 2,
        width: 820.0,
        panel_height: Some(210.0),
        ..Figure::new("How often sparse sampling errs, and what Theorem 1 allows")
    };
    for (at, subject) in subjects.iter().enumerate() {
        let mut curves = Vec::new();
        for (lambda, share) in LAMBDAS.into_iter().enumerate() {
            let of = || cells.iter().filter(|cell| cell.subject == at && cell.lambda == lambda);
            let measured = of().map(|cell| {
                let interval = wilson(cell.failures as f64, cell.runs as f64, 0.95);
                let none = cell.failures == 0;
                let shown =
                    if none { Shown::MISSING } else { Shown::new(cell.share(), interval.lo, interval.hi) };
                (f64::from(cell.width), shown)
            });
            curves.push(Curve::new(format!("measured, λ = {share} v"), Look::Marked, measured));
        }
        for (lambda, share) in LAMBDAS.into_iter().enumerate().skip(1).rev() {
            // The bound can be evaluated at every width, not only at those that were tried.
            let bound = (0..=240).filter_map(|step| {
                let width = 2_f64.powf(f64::from(step) / 20.0).round() as u32;
                let allowed = share * subject.vmax;
                let sure =
                    sparse_sampling_confidence(width, subject.actions, subject.depth, allowed, subject.vmax);
                let last = cells.iter().filter(|cell| cell.lambda == lambda).map(|cell| cell.width).max();
                let shown =
                    1.0 - sure <= 1.0 && 1.0 - sure >= floor && last.is_some_and(|last| width <= last);
                shown.then(|| (f64::from(width), Shown::exact(1.0 - sure)))
            });
            curves.push(Curve::new(
                "Theorem 1: left for λ = 0.5 v, right for 0.25 v",
                Look::Reference,
                bound,
            ));
        }
        let lines = Lines {
            x: Axis::new("sample width c").log(),
            y: Axis::new("share of errors above λ·d").log().range(floor, 1.6),
            curves,
            references: Vec::new(),
        };
        figure = figure.panel(subject.name, Chart::Lines(lines));
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::unattended;

    #[test]
    fn a_single_coin_errs_as_often_as_arithmetic_says() {
        // One draw of each of two coins: Max takes a win if there is one, and errs by 1 either way.
        let subject = &subjects(1).unwrap()[0];
        assert_eq!(subject.exact, 0.0);
        let cells =
            unattended(1, 2, |bench| measure(std::slice::from_ref(subject), &[1, 2], 4000, bench)).unwrap();
        assert_eq!(cells[0].failures, 4000);
        // Two draws each: the larger mean is 0 unless a coin wins twice or both lose twice: 1 − 9/16 + 1/16 =
        // 1/2.
        assert!((cells[3].share() - 0.5).abs() < 0.03, "{}", cells[3].share());
    }

    #[test]
    fn the_verdict_comes_from_the_counts() {
        let cell = |failures, bound| Cell { subject: 0, lambda: 0, width: 1, failures, runs: 1000, bound };
        assert_eq!(finding(&[cell(10, 0.5), cell(1000, 3.0)]).verdict, Verdict::Agrees);
        assert_eq!(finding(&[cell(600, 0.5), cell(10, 0.5)]).verdict, Verdict::Differs);
        assert_eq!(finding(&[cell(0, 1e-9), cell(1000, 2.0)]).verdict, Verdict::Open);
    }

    #[test]
    fn workers_do_not_change_the_counts() {
        let subjects = subjects(2).unwrap();
        let counts = |workers| -> Vec<u64> {
            let cells = unattended(2, workers, |bench| measure(&subjects, &[1, 4], 250, bench)).unwrap();
            cells.iter().map(|cell| cell.failures).collect()
        };
        assert_eq!(counts(1), counts(3));
    }
}
