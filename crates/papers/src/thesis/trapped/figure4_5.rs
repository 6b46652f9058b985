//! Figure 4.5: a deep trap in Kalah.

use super::{Hunt, PARTS, Risky, Thought, hunt, worth_of};
use crate::bench::{Batch, check};
use crate::text::{decimal, percent, share};
use crate::thesis::kalah::{BEST_C, USUAL, mm};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::survey::Source;
use astragal_catalog::{Analysis, AnyGame, game};
use astragal_core::{Budget, Stop, Watch};
use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Lines, Look};
use serde::{Deserialize, Serialize};

/// The experiment of Figure 4.5.
pub(crate) static FIGURE4_5: Experiment = Experiment {
    id: "thesis-fig4.5",
    title: "A deep trap of Kalah that UCT_H takes for the best move",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.3, Figure 4.5",
    takes: &[(Scale::Quick, 70), (Scale::Full, 3000)],
    run: figure4_5,
};

/// The level of the published trap.
const DEEP: u32 = 13;
/// Anything rarer than this cannot be what the thesis came across.
const RARE: f64 = 0.02;

/// The nodes of an iteratively deepening Minimax above which a board is skipped, because UCT_H gets a
/// multiple of Minimax's nodes.
const BOUNDED: u64 = 500_000;

/// UCT_H on a board of Kalah: the nodes of Minimax, and UCT_H's estimates after fractions of its own work.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Deceived {
    nodes: u64,
    thoughts: Vec<Thought>,
}

impl Deceived {
    /// The estimates at the end of UCT_H's work.
    fn end(&self) -> &Thought {
        self.thoughts.last().expect("there are parts")
    }
}

fn figure4_5(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let id = FIGURE4_5.id;
    let (games, most) = bench.scale.pick((600, 400), (6000, 4000));
    let engine = "alpha-beta(depth=6)".to_owned();
    let hunted = Hunt {
        experiment: id,
        source: Source::SelfPlay { engine, budget: Budget::default(), random: 0.1, opening: 0, deal: true },
        plies: (14..=34).collect(),
        levels: &[DEEP],
        games,
        most,
    };
    let boards = hunt(&USUAL.spec(), hunted, &mut bench.stage(0.0, 0.7))?;
    let (kalah, seed) = (game(&USUAL.spec())?, bench.seed);
    let batch = Batch { experiment: id, part: "deceived", count: boards.len() };
    let deceive = |at: usize, watch: &mut dyn Watch| deceive(&*kalah, &boards[at], seed, watch);
    let deceived = bench.stage(0.7, 1.0).each(batch, "UCT_H on boards with traps", deceive)?;
    let found: Vec<(Risky, Deceived)> =
        boards.into_iter().zip(deceived).filter_map(|(board, deceived)| Some((board, deceived?))).collect();
    // The figure shows the board most like the published one.
    let fell = found.iter().filter(|(_, deceived)| deceived.end().falls);
    let shown = fell.min_by_key(|(_, deceived)| deceived.nodes.abs_diff(5000));
    let caption = |board: &Risky| {
        format!("The move {} into the trap loses by force within {DEEP} plies.", board.action)
    };
    Ok(Outcome {
        summary: format!(
            "Boards of Kalah{} from games between two players MM-6, who move at random one time in ten, whose shallowest trap has level {DEEP} and on which alpha-beta needs at most {BOUNDED} nodes to look that deep; MM-{} and UCT_H with c = {BEST_C} stones and twice as many simulations as Minimax visits nodes.",
            USUAL.name(),
            DEEP + 1
        ),
        findings: finding(&found).into_iter().collect(),
        tables: vec![table(&found)],
        figures: shown
            .map(|(board, deceived)| ("figure4.5".into(), caption(board), figure(board, deceived)))
            .into_iter()
            .collect(),
    })
}

/// Runs Minimax and then UCT_H on a board; returns `None` if Minimax would take too long.
fn deceive(
    kalah: &dyn AnyGame,
    board: &Risky,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Option<Deceived>, Failed> {
    let position = kalah.read(&board.position)?;
    let ask = |spec: &str, budget: Budget, watch: &mut dyn Watch| -> Result<Analysis, Failed> {
        let analysis = kalah.engine(spec)?.analyze(&*position, seed, &budget, watch);
        check(watch)?;
        Ok(analysis)
    };
    // An iteratively deepening search checks whether the work is bounded; the work is then measured at the
    // last depth alone.
    let stepwise =
        format!("alpha-beta(depth={},order=off,table_mib=0,killers=off,history=off,scout=off)", DEEP + 1);
    if ask(&stepwise, Budget::nodes(BOUNDED), watch)?.stop == Stop::Nodes {
        return Ok(None);
    }
    let minimax = ask(&mm(DEEP + 1), Budget::default(), watch)?;
    let traps = position.traps(DEEP, watch).map_err(|_| Failed::Cancelled)?;
    let (nodes, refuting) = (minimax.counts.nodes, minimax.best.expect("a player decides"));
    let mut thoughts = Vec::new();
    for part in PARTS {
        let budget = Budget::iterations(((2 * nodes) as f64 * part).max(1.0) as u64);
        let analysis = ask(&USUAL.uct_h(BEST_C), budget, watch)?;
        let best = analysis.best.clone().expect("a player decides");
        let worths =
            [&best, &refuting, &board.action].map(|action| worth_of(kalah, &*position, &analysis, action));
        let falls = traps.iter().any(|trap| trap.action == best);
        thoughts.push(Thought { iterations: budget.iterations.unwrap_or(0), worths, falls });
    }
    Ok(Some(Deceived { nodes, thoughts }))
}

/// Whether such boards exist, or `None` if no board was examined.
fn finding(found: &[(Risky, Deceived)]) -> Option<Finding> {
    let (fell, all) = (found.iter().filter(|(_, deceived)| deceived.end().falls).count(), found.len());
    if all == 0 {
        return None;
    }
    let rate = share(fell, all);
    let verdict = match fell {
        0 if rate.hi < RARE => Verdict::Differs,
        0 => Verdict::Open,
        _ => Verdict::Agrees,
    };
    Some(Finding {
        claim: format!(
            "There are traps of level {DEEP} that UCT_H takes for the best move with twice the nodes with which Minimax avoids them"
        ),
        published: "one board is shown, with about 5,000 nodes of Minimax".into(),
        measured: format!("{fell} of {all} boards: {}", percent(&rate)),
        verdict,
        rule:
            "agrees if there is one; differs if there is none and the interval of their share lies below 2 %"
                .into(),
        note: String::new(),
    })
}

fn figure(board: &Risky, deceived: &Deceived) -> Figure {
    let names = ["UCT_H's best move", "Minimax's best move", "trap"];
    let curve = |at: usize| {
        let point = |thought: &Thought| (thought.iterations as f64, Estimate::exact(thought.worths[at]));
        Curve::new(names[at], Look::Marked, deceived.thoughts.iter().map(point))
    };
    let mut figure = Figure::new("A trap of Kalah that UCT_H takes for the best move");
    figure.subtitle = format!("Board {}: Minimax avoids it with {} nodes", board.position, deceived.nodes);
    let lines = Lines {
        x: Axis::new("iterations of UCT_H"),
        y: Axis::new("utility for whoever is to move"),
        curves: (0..3).map(curve).collect(),
        references: Vec::new(),
    };
    figure.panel("", Chart::Lines(lines))
}

fn table(found: &[(Risky, Deceived)]) -> Table {
    let mut table = Table::new(
        "boards",
        "Boards with a trap of this level: nodes of Minimax, utilities that UCT_H gives with twice as many, and whether it would play into a trap.",
        &[
            "position",
            "trap",
            "nodes of Minimax",
            "UCT_H's best",
            "Minimax's best",
            "trap's utility",
            "falls",
        ],
    );
    for (board, deceived) in found {
        let Thought { worths, falls, .. } = *deceived.end();
        let mut row = vec![board.position.clone(), board.action.clone(), deceived.nodes.to_string()];
        row.extend(worths.map(|worth| decimal(worth, 3)));
        row.push(if falls { "yes" } else { "no" }.into());
        table.rows.push(row);
    }
    table
}
