//! `lecture-branching`: equal node budgets over growing branching factors, from the lecture on Monte Carlo
//! tree search and stochastic games, "More on MCTS".
//!
//! The lecture estimates that with b = 32 and 10⁹ states Minimax sees 6 plies and alpha-beta up to 12, and
//! that Monte Carlo tree search has the advantage when b is high. Both claims are measured on regular trees
//! whose positions have a score: how deep each search gets, and how often it finds the best move of a short
//! game that is solved exactly. The result depends on the evaluation function, so alpha-beta plays both with
//! a good one and without any.

use crate::bench::{Batch, Patience, check};
use crate::text::{decimal, drawn, interval, percent, points, share};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::{Budget, Evaluator, Even, Game, Interval, Searcher, Watch, mix};
use astragal_games::synthetic::{Branch, Heuristic, Rule, Synthetic};
use astragal_plot::{Axis, Chart, Curve, Figure, Lines, Look};
use astragal_search::{Algorithm, Choice, Mcts, MctsOptions, Options, Select, StarMinimax};
use astragal_stats::{Estimate, LEVEL, Running};

/// Branching factors.
const FACTORS: [u32; 5] = [2, 4, 8, 16, 32];

/// The depth of the games that are solved, in plies.
const PLIES: u32 = 6;

/// The depth of the trees in which only search depth is measured: more than any search reaches.
const DEEP: u32 = 60;

const PLAYERS: [&str; 4] = ["Minimax", "alpha-beta", "alpha-beta, no evaluation", "MCTS, no evaluation"];

/// A tree in which every step adds to a score.
fn tree(seed: u64, depth: u32, actions: u32) -> Synthetic {
    Synthetic::new(seed, actions, depth, Rule::Score).expect("there are such trees")
}

/// The number of plies a search sees with this many nodes, interpolated on the logarithm of the node counts
/// of two depths.
fn plies(algorithm: Algorithm, game: &Synthetic, budget: f64, watch: &mut dyn Watch) -> Result<f64, Failed> {
    let options = Options { prune_from: 1, horizon: false, ..Options::new(algorithm) };
    let mut search = StarMinimax::new(Heuristic, options);
    let (mut depth, mut before) = (0, 1.0);
    loop {
        depth += 1;
        let found = search.value_watched(game, &game.start(), 0, depth, game.range(), watch);
        check(watch)?;
        let (_, counts) = found.expect("a search that nobody has ended");
        let nodes = counts.nodes as f64;
        if nodes >= budget || depth == DEEP {
            let part = (libm::log(budget / before) / libm::log(nodes / before)).clamp(0.0, 1.0);
            return Ok(f64::from(depth - 1) + part);
        }
        before = nodes;
    }
}

/// The action that a search of the tree chooses.
fn choice(
    search: &mut dyn Searcher<Synthetic>,
    game: &Synthetic,
    seed: u64,
    budget: &Budget,
    watch: &mut dyn Watch,
) -> Result<Option<Branch>, Failed> {
    let best = search.search_with(game, &game.start(), seed, budget, watch).best;
    // The result of an interrupted search must not count.
    check(watch)?;
    Ok(best)
}

fn star<E: Evaluator<Synthetic> + Send + 'static>(
    algorithm: Algorithm,
    evaluator: E,
) -> Box<dyn Searcher<Synthetic>> {
    Box::new(StarMinimax::new(
        evaluator,
        Options { prune_from: 1, horizon: false, ..Options::new(algorithm) },
    ))
}

/// The players, in the order of `PLAYERS`.
fn players() -> [Box<dyn Searcher<Synthetic>>; 4] {
    let options = MctsOptions {
        // The scores of finished games lie within a quarter of the range, so less exploration than usual
        // suffices.
        select: Select::Ucb1 { c: 0.3 },
        choice: Choice::Visits,
        ..MctsOptions::default()
    };
    [
        star(Algorithm::Expectimax, Heuristic),
        star(Algorithm::Star1, Heuristic),
        star(Algorithm::Star1, Even),
        Box::new(Mcts::with_options(Even, options)),
    ]
}

/// Whether each player finds the best move of a tree.
fn right(seed: u64, actions: u32, nodes: u64, watch: &mut dyn Watch) -> Result<[bool; 4], Failed> {
    let game = tree(seed, PLIES, actions);
    let best = choice(&mut *star(Algorithm::Star1, Heuristic), &game, 0, &Budget::depth(PLIES), watch)?;
    let mut right = [false; 4];
    for (right, mut player) in right.iter_mut().zip(players()) {
        *right = choice(&mut *player, &game, seed, &Budget::nodes(nodes), watch)? == best;
    }
    Ok(right)
}

/// The measurements for one branching factor.
struct Row {
    factor: u32,
    /// The plies seen by Minimax and by alpha-beta, and their ratio tree by tree.
    plies: [Estimate; 3],
    /// The share of best moves found by each player.
    right: [Estimate; 4],
    /// The difference in accuracy between MCTS and alpha-beta with and without evaluation.
    lead: [Estimate; 2],
}

fn mean(samples: impl Iterator<Item = f64>) -> Estimate {
    samples.collect::<Running>().estimate(LEVEL)
}

fn rows(sizes: Sizes, bench: &mut Bench<'_>) -> Result<Vec<Row>, Failed> {
    let mut rows = Vec::new();
    let mut patience = Patience::default();
    for (at, factor) in FACTORS.into_iter().enumerate() {
        // Trees with many actions take most of the time.
        let done = |at: usize| ((1_u32 << at) - 1) as f64 / ((1 << FACTORS.len()) - 1) as f64;
        let base = bench.seed;
        let seed = |index: usize| mix(base ^ mix((at * 1_000_000 + index) as u64));
        let part = format!("depths of {factor} actions");
        let batch = Batch { experiment: BRANCHING.id, part: &part, count: sizes.deep_trees };
        let depths = bench.stage(done(at), done(at)).each(batch, "depths", |index, watch| {
            let game = tree(seed(index), DEEP, factor);
            let mut plies = |algorithm| plies(algorithm, &game, sizes.deep_nodes, watch);
            Ok([plies(Algorithm::Expectimax)?, plies(Algorithm::Star1)?])
        });
        let depths: Option<Vec<[f64; 2]>> = patience.with(depths)?;
        let part = format!("decisions among {factor} actions");
        let batch = Batch { experiment: BRANCHING.id, part: &part, count: sizes.trees };
        let found = bench
            .stage(done(at), done(at + 1))
            .each(batch, "decisions", |index, watch| right(seed(index), factor, sizes.nodes, watch));
        let (Some(depths), Some(found)) = (depths, patience.with(found)?) else { continue };
        let lead = |over: usize| {
            mean(found.iter().map(|right| f64::from(u8::from(right[3])) - f64::from(u8::from(right[over]))))
        };
        rows.push(Row {
            factor,
            plies: [
                mean(depths.iter().map(|plies| plies[0])),
                mean(depths.iter().map(|plies| plies[1])),
                mean(depths.iter().map(|plies| plies[1] / plies[0])),
            ],
            right: std::array::from_fn(|player| {
                share(found.iter().filter(|right| right[player]).count(), found.len())
            }),
            lead: [lead(1), lead(2)],
        });
    }
    patience.end()?;
    Ok(rows)
}

/// The sizes of the runs.
#[derive(Clone, Copy)]
struct Sizes {
    /// The nodes of a search whose depth is measured.
    deep_nodes: f64,
    deep_trees: usize,
    /// The nodes of a search whose decision is measured.
    nodes: u64,
    trees: usize,
}

/// The ratios that count as two.
const DOUBLE: Interval = Interval { lo: 1.8, hi: 2.0 };

fn findings(rows: &[Row]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for row in rows {
        let ratio = &row.plies[2];
        let verdict = Verdict::within(ratio.interval(), DOUBLE);
        findings.push(Finding {
            claim: format!("b = {}: alpha-beta sees twice as many plies as Minimax", row.factor),
            published: "up to twice (12 plies to 6)".into(),
            measured: interval(ratio, 2),
            verdict,
            rule: format!("agrees if the interval of the ratio lies in {DOUBLE}, differs if outside"),
            note:
                "between 1 and 2 by theory; 2 takes perfect move order, here it comes from shallower searches"
                    .into(),
        });
    }
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    let rivals = [
        ("with a good evaluation", "here the score tells a few plies what playouts must learn from noise"),
        ("without an evaluation", "a search that does not reach the end sees nothing"),
    ];
    for (which, (name, why)) in rivals.into_iter().enumerate() {
        let gain = last.lead[which].minus(&first.lead[which], LEVEL);
        findings.push(Finding {
            claim: format!(
                "MCTS gains on alpha-beta {name} from b = {} to b = {}",
                first.factor, last.factor
            ),
            published: "it does".into(),
            measured: format!("{} percentage points more right decisions", points(&gain)),
            verdict: Verdict::above(gain.interval(), 0.0),
            rule: "agrees if the interval of the gain lies above 0, differs if it lies below".into(),
            note: format!("its lead at b = {} is {}; {why}", last.factor, points(&last.lead[which])),
        });
    }
    findings
}

/// The experiment.
pub(crate) static BRANCHING: Experiment = Experiment {
    id: "lecture-branching",
    title: "Equal node budgets over growing branching factors",
    source: "Lecture on Monte Carlo tree search and stochastic games, \"More on MCTS\"",
    takes: &[(Scale::Quick, 40), (Scale::Full, 1800)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let sizes = bench.scale.pick(
        Sizes { deep_nodes: 1e5, deep_trees: 12, nodes: 5_000, trees: 150 },
        Sizes { deep_nodes: 1e7, deep_trees: 40, nodes: 50_000, trees: 2000 },
    );
    let rows = rows(sizes, bench)?;
    let mut table = Table::new(
        "searches",
        "What each search reaches",
        &[
            "b",
            "plies of Minimax",
            "plies of alpha-beta",
            "ratio",
            "Minimax right",
            "alpha-beta right",
            "alpha-beta without evaluation right",
            "MCTS right",
        ],
    );
    for row in &rows {
        let mut cells = vec![row.factor.to_string()];
        cells.extend(row.plies.iter().map(|plies| interval(plies, 2)));
        cells.extend(row.right.iter().map(percent));
        table.rows.push(cells);
    }
    let summary = format!(
        "Regular trees without chance, in which every step adds a random number to the score. Depth: how many plies Minimax \
             and alpha-beta see within {} nodes of an endless tree, {} trees for each b. Decisions: how often each search, with \
             {} nodes, finds the best move of a game of {PLIES} plies, {} games for each b. Minimax and alpha-beta judge by the \
             score so far, which is a good evaluation; alpha-beta also plays without any, as MCTS does, which only sees the ends \
             of random games. States of playouts count as nodes.",
        decimal(sizes.deep_nodes, 0),
        sizes.deep_trees,
        sizes.nodes,
        sizes.trees
    );
    let caption = format!(
        "Left: plies seen with {} nodes. Right: share of best moves found with {} nodes, with 95 % intervals.",
        decimal(sizes.deep_nodes, 0),
        sizes.nodes
    );
    let figures = vec![("branching".into(), caption, figure(&rows))];
    Ok(Outcome { summary, findings: findings(&rows), tables: vec![table], figures })
}

fn figure(rows: &[Row]) -> Figure {
    let curve = |name: &str, estimate: &dyn Fn(&Row) -> Estimate, factor: f64| {
        let points = rows.iter().map(|row| (f64::from(row.factor), drawn(&estimate(row), factor)));
        Curve::new(name, Look::Marked, points)
    };
    let x = || Axis::new("branching factor b").log();
    let depth = Lines {
        x: x(),
        y: Axis::new("plies").range(0.0, 30.0),
        curves: (0..2).map(|player| curve(PLAYERS[player], &|row| row.plies[player], 1.0)).collect(),
        references: Vec::new(),
    };
    let right = Lines {
        x: x(),
        y: Axis::new("best move found").unit("%").range(0.0, 104.0),
        curves: (0..4).map(|player| curve(PLAYERS[player], &|row| row.right[player], 100.0)).collect(),
        references: Vec::new(),
    };
    Figure {
        columns: 2,
        shared: false,
        width: 760.0,
        ..Figure::new("Equal node budgets over growing branching factors")
    }
    .panel("Depth", Chart::Lines(depth))
    .panel("Decisions", Chart::Lines(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Unwatched;

    #[test]
    fn minimax_sees_as_far_as_the_logarithm_says() {
        let game = tree(1, DEEP, 4);
        // Depth 4 has 1 + 4 + … + 256 = 341 nodes.
        assert!((plies(Algorithm::Expectimax, &game, 341.0, &mut Unwatched).unwrap() - 4.0).abs() < 1e-9);
        let between = plies(Algorithm::Expectimax, &game, 600.0, &mut Unwatched).unwrap();
        assert!((4.0..5.0).contains(&between));
        let further = plies(Algorithm::Star1, &game, 600.0, &mut Unwatched).unwrap();
        assert!(further > 1.2 * between, "{further}");
    }

    #[test]
    fn a_search_that_sees_everything_is_right() {
        for seed in 0..4 {
            let right = right(seed, 2, 100_000, &mut Unwatched).unwrap();
            assert_eq!(right[..3], [true; 3]);
        }
    }

    #[test]
    fn every_verdict_can_come_out_each_way() {
        let estimate =
            |mean: f64, reach: f64| Estimate { mean, lo: mean - reach, hi: mean + reach, error: reach / 2.0 };
        let row = |ratio: f64, lead: f64| Row {
            factor: 2,
            plies: [estimate(6.0, 0.1), estimate(12.0, 0.1), estimate(ratio, 0.05)],
            right: [estimate(0.5, 0.1); 4],
            lead: [estimate(lead, 0.02), estimate(-lead, 0.02)],
        };
        use Verdict::{Agrees, Differs, Open};
        let verdicts = |first: Row, last: Row| -> Vec<Verdict> {
            findings(&[first, last]).into_iter().map(|finding| finding.verdict).collect()
        };
        assert_eq!(verdicts(row(1.9, 0.0), row(1.3, 0.3)), [Agrees, Differs, Agrees, Differs]);
        assert_eq!(verdicts(row(1.3, 0.3), row(1.9, 0.0)), [Differs, Agrees, Differs, Agrees]);
        assert_eq!(verdicts(row(1.8, 0.0), row(2.0, 0.01)), [Open; 4]);
    }
}
