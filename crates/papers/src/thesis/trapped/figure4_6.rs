//! Figures 4.6 and 4.7: UCT inside the trap, in chess.

use super::{C, PARTS, Risky, hunt_chess, list, mean, uct, worth};
use crate::bench::{Batch, check};
use crate::text::{decimal, drawn, interval, percent};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_catalog::{AnyGame, Twig, game};
use astragal_core::{Budget, Interval, Watch};
use astragal_plot::{Axis, Chart, Curve, Figure, Grouped, Lines, Look, Reference, Series};
use astragal_stats::Estimate;
use serde::{Deserialize, Serialize};

/// The experiment of Figures 4.6 and 4.7.
pub(crate) static FIGURE4_6: Experiment = Experiment {
    id: "thesis-fig4.6",
    title: "UCT in the trap itself: its estimate, and how deep it looks",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.3, Figures 4.6 and 4.7",
    takes: &[(Scale::Quick, 120), (Scale::Full, 40_000)],
    run: figure4_6,
};

/// The results of UCT in a trap: the nodes of Minimax, the utility for the trapped player after fractions of
/// UCT's own work, and the number of iterations that ended at each depth.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Inside {
    nodes: u64,
    iterations: u64,
    worths: Vec<f64>,
    depths: Vec<u64>,
}

/// The work of UCT, as a multiple of that of Minimax.
const TIMES: u64 = 10;

fn figure4_6(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let id = FIGURE4_6.id;
    let (levels, games, most): (&[u32], _, _) = bench.scale.pick((&[3, 5], 120, 6), (&[3, 5, 7], 1000, 30));
    let cap = bench.scale.pick(20_000, 2_000_000);
    let boards = hunt_chess(id, levels, games, most, &mut bench.stage(0.0, 0.6))?;
    let (chess, seed) = (game("chess")?, bench.seed);
    let batch = Batch { experiment: id, part: "inside", count: boards.len() };
    let look = |at: usize, watch: &mut dyn Watch| look_inside(&*chess, &boards[at], cap, seed, watch);
    let inside = bench.stage(0.6, 1.0).each(batch, "UCT in traps", look)?;
    let traps = Traps { levels, boards: &boards, inside };
    let (values, depths) = (traps.values(), traps.depths());
    Ok(Outcome {
        summary: format!(
            "UCT with c = {C} and random playouts, started in traps of chess, with {TIMES} times the nodes that alpha-beta with ordered moves visits when it looks as deep as the level, but at most {cap} iterations. The thesis shows one trap of each level."
        ),
        findings: traps.findings(cap),
        tables: vec![traps.table(), list(&boards)],
        figures: vec![
            ("figure4.6".into(), "The trapped player has lost: −1 is right.".into(), values),
            (
                "figure4.7".into(),
                "Iterations that ended in the tree or one ply beyond it, by that ply.".into(),
                depths,
            ),
        ],
    })
}

/// Runs Minimax and then UCT on the position after the move into the trap.
fn look_inside(
    chess: &dyn AnyGame,
    board: &Risky,
    cap: u64,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Inside, Failed> {
    let position = chess.read(&board.position)?.act(&board.action)?;
    // Minimax sees the loss when it searches as deep as the level.
    let mut minimax = chess.engine(&format!("alpha-beta(depth={},plain=on,order=on)", board.level))?;
    let nodes = minimax.analyze(&*position, 0, &Budget::default(), watch).counts.nodes;
    check(watch)?;
    let iterations = (TIMES * nodes).min(cap);
    let (mut worths, mut depths) = (Vec::new(), Vec::new());
    for part in PARTS {
        let mut engine = chess.engine(&uct())?;
        let budget = Budget::iterations(((iterations as f64 * part) as u64).max(1));
        let analysis = engine.analyze(&*position, seed, &budget, watch);
        check(watch)?;
        // The player to move in the trap wins; the recorded worth is the opponent's.
        worths.push(-worth(chess, &*position, analysis.value));
        if part == 1.0 {
            let tree = engine.tree(u32::MAX, 1).expect("UCT keeps a tree");
            ended(&tree, 0, &mut depths);
        }
    }
    Ok(Inside { nodes, iterations, worths, depths })
}

/// Counts the iterations that ended at each node, by depth: those that visited it and none of its children.
fn ended(twig: &Twig, depth: usize, depths: &mut Vec<u64>) {
    if depths.len() <= depth {
        depths.resize(depth + 1, 0);
    }
    let below: u64 = twig.children.iter().map(|child| child.visits).sum();
    depths[depth] += twig.visits.saturating_sub(below);
    for child in &twig.children {
        ended(child, depth + 1, depths);
    }
}

impl Inside {
    /// The final utility.
    fn utility(&self) -> f64 {
        *self.worths.last().expect("there are parts")
    }

    /// A number of iterations as a share of all.
    fn share(&self, some: u64) -> f64 {
        some as f64 / self.depths.iter().sum::<u64>().max(1) as f64
    }

    /// The share of iterations that ended as deep as the level or deeper; for level 3 only deeper ones count,
    /// because UCT sees through such a trap and then its iterations end at the trap's end.
    fn deep(&self, level: u32) -> f64 {
        let from = if level == 3 { level + 1 } else { level };
        self.share(self.depths.iter().skip(from as usize).sum())
    }
}

/// All traps, and UCT's results in them.
struct Traps<'a> {
    levels: &'a [u32],
    boards: &'a [Risky],
    inside: Vec<Inside>,
}

impl Traps<'_> {
    fn of(&self, level: u32) -> impl Iterator<Item = &Inside> {
        let all = self.boards.iter().zip(&self.inside);
        all.filter(move |(board, _)| board.level == level).map(|(_, inside)| inside)
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "inside",
            "UCT started in the trap: nodes of Minimax to the level of the trap, iterations of UCT, its utility for the trapped player in the end, and the share of iterations that ended as deep as the level or deeper (of level 3: deeper).",
            &["level", "board", "nodes of Minimax", "iterations", "utility", "as deep as the level, %"],
        );
        for (number, (board, inside)) in self.boards.iter().zip(&self.inside).enumerate() {
            table.rows.push(vec![
                board.level.to_string(),
                (number + 1).to_string(),
                inside.nodes.to_string(),
                inside.iterations.to_string(),
                decimal(inside.utility(), 3),
                decimal(100.0 * inside.deep(board.level), 1),
            ]);
        }
        table
    }

    fn findings(&self, cap: u64) -> Vec<Finding> {
        let mut findings = Vec::new();
        for &level in self.levels.iter().filter(|&&level| self.of(level).count() > 1) {
            let utility = mean(self.of(level).map(Inside::utility));
            findings.push(estimate(level, &utility, self.of(level).count(), cap));
            // With less work than in the thesis, UCT proves nothing against it.
            let capped = self.of(level).any(|inside| inside.iterations < TIMES * inside.nodes) && level > 3;
            findings.push(depth(level, &mean(self.of(level).map(|inside| inside.deep(level))), capped));
        }
        findings
    }

    /// Figure 4.6.
    fn values(&self) -> Figure {
        let mut figure = Figure::new("UCT in traps of chess");
        figure.subtitle = "Utility for the trapped player, means over traps with 95 % intervals".into();
        let curve = |level: &u32| {
            let point = |(at, part): (usize, &f64)| {
                (100.0 * part, drawn(&mean(self.of(*level).map(|inside| inside.worths[at])), 1.0))
            };
            Curve::new(format!("level {level}"), Look::Marked, PARTS.iter().enumerate().map(point))
        };
        let lines = Lines {
            x: Axis::new("share of the iterations").unit("%"),
            y: Axis::new("utility").range(-1.0, 0.2),
            curves: self.levels.iter().map(curve).collect(),
            references: vec![Reference::new("−0.15", -0.15)],
        };
        figure.panel("", Chart::Lines(lines))
    }

    /// Figure 4.7.
    fn depths(&self) -> Figure {
        let mut figure = Figure::new("How deep UCT looks in traps of chess");
        figure.subtitle = "Iterations by the depth at which they ended, means over traps".into();
        let deepest = self.inside.iter().map(|inside| inside.depths.len()).max().unwrap_or(0).min(21);
        let bars = |level: &u32| {
            let at = |depth: usize| {
                let share = |inside: &Inside| inside.share(inside.depths.get(depth).copied().unwrap_or(0));
                drawn(&mean(self.of(*level).map(share)), 100.0)
            };
            Series::new(format!("level {level}"), (0..deepest).map(at).collect())
        };
        let bars = Grouped {
            categories: (0..deepest).map(|depth| depth.to_string()).collect(),
            series: self.levels.iter().map(bars).collect(),
            axis: Axis::new("iterations").unit("%"),
            ..Grouped::default()
        };
        figure.panel("", Chart::Bars(bars))
    }
}

/// Whether UCT sees through the trap: it does at level 3, not at deeper levels.
fn estimate(level: u32, utility: &Estimate, count: usize, cap: u64) -> Finding {
    let within = utility.interval();
    let (claim, published, verdict, rule) = match level {
        3 => (
            "UCT finds out",
            "falls to −1",
            Verdict::below(within, -0.5),
            "agrees if the interval of the mean lies below −0.5, differs if above",
        ),
        _ => (
            "UCT's estimate stays too high",
            "above −0.15",
            Verdict::above(within, -0.15),
            "agrees if the interval of the mean lies above −0.15, differs if below",
        ),
    };
    Finding {
        claim: format!("Level {level}: {claim}"),
        published: published.into(),
        measured: format!("{} in {count} traps", interval(utility, 3)),
        verdict,
        rule: rule.into(),
        note: format!("{TIMES} times the nodes of Minimax, at most {cap} iterations"),
    }
}

/// How deep UCT searches.
fn depth(level: u32, depth: &Estimate, capped: bool) -> Finding {
    let (published, near) = match level {
        3 => ("none deeper than 3 plies", Interval::new(-0.2, 0.2)),
        5 => ("nearly 70 %", Interval::new(0.5, 0.9)),
        _ => ("nearly 95 %", Interval::new(0.8, 1.0)),
    };
    let (claim, note) = match level {
        3 => ("iterations that end deeper than the level", "The thesis shows a histogram up to depth 3"),
        _ => ("iterations that end as deep as the level or deeper", ""),
    };
    Finding {
        claim: format!("Level {level}: {claim}"),
        published: published.into(),
        measured: percent(depth),
        verdict: if capped { Verdict::Open } else { Verdict::within(depth.interval(), near) },
        rule: format!(
            "agrees if the interval of the mean lies in {:.0} to {:.0} %, differs if outside",
            100.0 * near.lo,
            100.0 * near.hi
        ),
        note: note.into(),
    }
}
