//! Table 4.1 and Figure 4.4: the trap among the moves of a board of chess.

use super::{C, Risky, Thought, hunt_chess, list, mean, uct, worth_of};
use crate::bench::{Batch, check};
use crate::text::{decimal, drawn, interval, percent, share};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_catalog::{AnyGame, game};
use astragal_core::{Budget, Interval, Watch};
use astragal_plot::{Axis, Chart, Curve, Figure, Lines, Look};
use astragal_stats::Estimate;

/// The experiment of Table 4.1 and Figure 4.4.
pub(crate) static TABLE4_1: Experiment = Experiment {
    id: "thesis-table4.1",
    title: "What UCT thinks of traps in chess",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.3, Table 4.1 and Figure 4.4",
    takes: &[(Scale::Quick, 90), (Scale::Full, 20_000)],
    run: table4_1,
};

/// Levels, and the published utilities of UCT's best move, of Minimax's, and of the trap.
const PUBLISHED: [(u32, [f64; 3]); 4] = [
    (1, [-0.083, -0.092, -0.250]),
    (3, [0.020, 0.013, -0.012]),
    (5, [-0.056, -0.063, -0.066]),
    (7, [0.011, 0.009, 0.004]),
];

fn table4_1(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let id = TABLE4_1.id;
    let (levels, games, most): (&[u32], _, _) =
        bench.scale.pick((&[1, 3, 5], 120, 8), (&[1, 3, 5, 7], 1000, 50));
    let (depth, last) = bench.scale.pick((5, 10_000), (7, 100_000));
    let boards = hunt_chess(id, levels, games, most, &mut bench.stage(0.0, 0.6))?;
    let chess = game("chess")?;
    let steps: Vec<u64> =
        [100, 300, 1000, 3000, 10_000, 30_000, 100_000].into_iter().filter(|&n| n <= last).collect();
    let batch = Batch { experiment: id, part: "thoughts", count: boards.len() };
    let think = Think { chess: &*chess, depth, steps: &steps, seed: bench.seed };
    let on_board = |at: usize, watch: &mut dyn Watch| think.of(&boards[at], watch);
    let thoughts = bench.stage(0.6, 1.0).each(batch, "UCT on boards with traps", on_board)?;
    let thought = Thoughts { levels, boards: &boards, steps: &steps, thoughts };
    let rows: Vec<Row> = levels.iter().filter_map(|&level| thought.row(level)).collect();
    Ok(Outcome {
        summary: format!(
            "Boards of semi-random games of chess whose shallowest trap has level {}, and moves that are no traps; UCT with c = {C} and random playouts, drawn after 300 plies, to {last} iterations; Minimax to depth {depth}. The thesis shows one board of each level.",
            levels.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
        ),
        findings: findings(&rows),
        tables: vec![utilities(&rows), list(&boards)],
        figures: vec![("figure4.4".into(), "A trap should have the utility −1.".into(), thought.figure())],
    })
}

/// How UCT and Minimax analyse a board.
struct Think<'a> {
    chess: &'a dyn AnyGame,
    /// The search depth of Minimax.
    depth: u32,
    /// The numbers of iterations at which UCT's estimates are recorded.
    steps: &'a [u64],
    seed: u64,
}

impl Think<'_> {
    fn of(&self, board: &Risky, watch: &mut dyn Watch) -> Result<Vec<Thought>, Failed> {
        let Self { chess, depth, steps, seed } = *self;
        let position = chess.read(&board.position)?;
        let mut minimax = chess.engine(&format!("alpha-beta(depth={depth})"))?;
        let minimax = minimax.analyze(&*position, 0, &Budget::default(), watch).best;
        let minimax = minimax.expect("a player decides");
        let traps = position.traps(board.level, watch).map_err(|_| Failed::Cancelled)?;
        let mut thoughts = Vec::new();
        for &iterations in steps {
            // The same seed, so that longer searches continue the shorter ones.
            let mut engine = chess.engine(&uct())?;
            let analysis = engine.analyze(&*position, seed, &Budget::iterations(iterations), watch);
            check(watch)?;
            let best = analysis.best.clone().expect("a player decides");
            let worths =
                [&best, &minimax, &board.action].map(|action| worth_of(chess, &*position, &analysis, action));
            let falls = traps.iter().any(|trap| trap.action == best);
            thoughts.push(Thought { iterations, worths, falls });
        }
        Ok(thoughts)
    }
}

/// The estimates for all boards.
struct Thoughts<'a> {
    levels: &'a [u32],
    boards: &'a [Risky],
    steps: &'a [u64],
    thoughts: Vec<Vec<Thought>>,
}

/// The final estimates for the boards of a level.
struct Row {
    level: u32,
    boards: usize,
    /// The worth of UCT's best move, of Minimax's and of the trap.
    worths: [Estimate; 3],
    published: [f64; 3],
    /// How much better UCT rates its best move than the trap.
    gap: Estimate,
    falls: Estimate,
}

impl Thoughts<'_> {
    fn of(&self, level: u32) -> impl Iterator<Item = &Vec<Thought>> {
        let all = self.boards.iter().zip(&self.thoughts);
        all.filter(move |(board, _)| board.level == level).map(|(_, thoughts)| thoughts)
    }

    /// The row of a level, or `None` if it has fewer than two boards.
    fn row(&self, level: u32) -> Option<Row> {
        let ends = || self.of(level).map(|thoughts| *thoughts.last().expect("there are steps"));
        let boards = ends().count();
        let published = PUBLISHED.iter().find(|(known, _)| *known == level);
        (boards > 1).then(|| Row {
            level,
            boards,
            worths: [0, 1, 2].map(|at| mean(ends().map(|end| end.worths[at]))),
            published: published.map_or([f64::NAN; 3], |(_, worths)| *worths),
            gap: mean(ends().map(|end| end.worths[0] - end.worths[2])),
            falls: share(ends().filter(|end| end.falls).count(), boards),
        })
    }

    fn figure(&self) -> Figure {
        let mut figure = Figure::new("What UCT thinks of traps in chess");
        figure.subtitle = "Utilities over iterations, means over boards with 95 % intervals".into();
        figure.columns = self.levels.len().min(2);
        for &level in self.levels.iter().filter(|&&level| self.of(level).count() > 1) {
            let names = ["UCT's best move", "Minimax's best move", "trap"];
            let curve = |at: usize| {
                let point = |step: usize| {
                    let worth = mean(self.of(level).map(|thoughts| thoughts[step].worths[at]));
                    (self.steps[step] as f64, drawn(&worth, 1.0))
                };
                Curve::new(names[at], Look::Marked, (0..self.steps.len()).map(point))
            };
            let lines = Lines {
                x: Axis::new("iterations").log(),
                y: Axis::new("utility"),
                curves: (0..3).map(curve).collect(),
                references: Vec::new(),
            };
            figure = figure.panel(format!("level {level}"), Chart::Lines(lines));
        }
        figure
    }
}

fn utilities(rows: &[Row]) -> Table {
    let mut table = Table::new(
        "utilities",
        "Utilities that UCT gives to its best move, to Minimax's best and to the trap, from −1 to 1 for whoever is to move, means over boards with 95 % intervals; the published ones are of one board each; and how often UCT would play into a trap.",
        &[
            "level",
            "boards",
            "UCT's best",
            "published",
            "Minimax's best",
            "published",
            "trap",
            "published",
            "best less trap",
            "falls",
        ],
    );
    for Row { level, boards, worths, published, gap, falls } in rows {
        let mut row = vec![level.to_string(), boards.to_string()];
        for (worth, published) in worths.iter().zip(published) {
            row.extend([interval(worth, 3), decimal(*published, 3)]);
        }
        row.extend([interval(gap, 3), percent(falls)]);
        table.rows.push(row);
    }
    table
}

fn findings(rows: &[Row]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for Row { level, boards, worths, published, .. } in rows {
        findings.push(Finding {
            claim: format!("Level {level}: UCT's utility of the trap is far from −1"),
            published: decimal(published[2], 3),
            measured: format!("{} on {boards} boards", interval(&worths[2], 3)),
            verdict: Verdict::above(worths[2].interval(), -0.5),
            rule: "agrees if the interval of the mean lies above −0.5, differs if below".into(),
            note: String::new(),
        });
    }
    for Row { level, gap, .. } in rows.iter().filter(|row| row.level >= 5) {
        findings.push(Finding {
            claim: format!("Level {level}: UCT hardly tells the trap from the best move"),
            published: "0.010 at level 5, 0.007 at level 7".into(),
            measured: format!("best less trap {}", interval(gap, 3)),
            verdict: Verdict::below(gap.interval(), 0.05),
            rule: "agrees if the interval of the mean difference lies below 0.05, differs if above".into(),
            note: String::new(),
        });
    }
    if let [first, .., last] = rows {
        let (shallow, deep) = (&first.gap, &last.gap);
        let by = Interval::new(shallow.lo - deep.hi, shallow.hi - deep.lo);
        let (first, last) = (first.level, last.level);
        findings.push(Finding {
            claim: format!("UCT tells traps of level {first} from the best move better than those of level {last}"),
            published: "0.167 at level 1, 0.010 at level 5".into(),
            measured: format!("{} against {}", interval(shallow, 3), interval(deep, 3)),
            verdict: Verdict::above(by, 0.0),
            rule: "agrees if the intervals of the two mean differences do not overlap, the first above, differs if the other way round".into(),
            note: String::new(),
        });
    }
    findings
}
