//! Section 4.3: what UCT thinks of traps. Table 4.1 and Figure 4.4 (the trap among the moves of a board),
//! Figures 4.6 and 4.7 (UCT in the trap itself), in chess; Figure 4.5 in Kalah.

use super::kalah::{BEST_C, USUAL, mm};
use super::traps::semi_random;
use crate::bench::{Batch, check};
use crate::text::{decimal, drawn, interval, percent, share};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::survey::{Source, Survey};
use astragal_catalog::{Analysis, AnyGame, Position, Twig, game};
use astragal_core::{Budget, Interval, Stop, Turn, Watch};
use astragal_plot::{Axis, Chart, Curve, Figure, Grouped, Lines, Look, Reference, Series};
use astragal_stats::{Estimate, LEVEL, Running};
use serde::{Deserialize, Serialize};

/// The exploration constant of the section.
const C: f64 = 0.4;

/// UCT with random playouts that are drawn after 300 plies (section 3.1.1).
fn uct() -> String {
    format!("uct(c={C},dr=300,eval=even)")
}

/// A board with a trap.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Risky {
    position: String,
    /// A move into a trap, of which there is none of a lower level.
    action: String,
    level: u32,
    /// Moves into traps of this level.
    traps: usize,
}

/// Where boards come from, and which are wanted.
struct Hunt<'a> {
    experiment: &'a str,
    source: Source,
    plies: Vec<u32>,
    levels: &'a [u32],
    games: usize,
    /// Boards of a level that are kept.
    most: usize,
}

/// Boards whose shallowest trap has one of these levels and of whose moves one at least is no trap, the first
/// of each level in a game.
fn hunt(game: &str, hunt: Hunt<'_>, bench: &mut Bench<'_>) -> Result<Vec<Risky>, Failed> {
    let Hunt { experiment, source, plies, levels, games, most } = hunt;
    let deepest = *levels.last().expect("there are some");
    let survey =
        Survey::new(astragal_catalog::game(game)?.into(), source, plies.clone(), deepest, bench.seed)?;
    let batch = Batch { experiment, part: "boards", count: games };
    let found = bench.each(batch, "looking for traps", |number, watch| {
        let mut found: Vec<Risky> = Vec::new();
        survey.walk(number as u64, watch, &mut |ply, position, watch| {
            if plies.contains(&ply)
                && matches!(position.turn(), Turn::Decide(_))
                && let Ok(Some(level)) = position.shallowest_trap(deepest, watch)
                && levels.contains(&level)
                && found.iter().all(|other| other.level != level)
                && let Ok(traps) = position.traps(level, watch)
                && traps.len() < position.actions().len()
            {
                let action = traps[0].action.clone();
                found.push(Risky { position: position.text(), action, level, traps: traps.len() });
            }
            !watch.cancelled()
        })?;
        check(watch)?;
        Ok(found)
    })?;
    let of = |level: &u32| {
        let level = *level;
        found.iter().flatten().filter(move |board| board.level == level).take(most).cloned()
    };
    Ok(levels.iter().flat_map(of).collect())
}

/// What an action is worth to whoever is to act, from −1 to 1.
fn worth(game: &dyn AnyGame, position: &dyn Position, value: f64) -> f64 {
    let range = game.range();
    let share = (value - range.middle()) / (0.5 * range.width());
    match position.turn() {
        Turn::Decide(player) => player.sign() * share,
        _ => share,
    }
}

/// The worth of an action by an analysis.
fn worth_of(game: &dyn AnyGame, position: &dyn Position, analysis: &Analysis, action: &str) -> f64 {
    let line = analysis.lines.iter().find(|line| line.action == action);
    line.map_or(f64::NAN, |line| worth(game, position, line.value))
}

/// The mean over boards, with its interval.
fn mean(values: impl Iterator<Item = f64>) -> Estimate {
    values.collect::<Running>().estimate(LEVEL)
}

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

/// What UCT thought after some iterations of its best move, of Minimax's and of the trap.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Thought {
    iterations: u64,
    worths: [f64; 3],
    /// Whether it would play into a trap of this board's level or less.
    falls: bool,
}

fn table4_1(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let id = TABLE4_1.id;
    let (levels, games, most): (&[u32], _, _) =
        bench.scale.pick((&[1, 3, 5], 120, 8), (&[1, 3, 5, 7], 1000, 50));
    let (depth, last) = bench.scale.pick((5, 10_000), (7, 100_000));
    let hunted = Hunt {
        experiment: id,
        source: semi_random(3),
        plies: (15..=63).step_by(8).collect(),
        levels,
        games,
        most,
    };
    let boards = hunt("chess", hunted, &mut bench.stage(0.0, 0.6))?;
    let chess = game("chess")?;
    let steps: Vec<u64> =
        [100, 300, 1000, 3000, 10_000, 30_000, 100_000].into_iter().filter(|&n| n <= last).collect();
    let batch = Batch { experiment: id, part: "thoughts", count: boards.len() };
    let (found, seed) = (&boards, bench.seed);
    let thoughts: Vec<Vec<Thought>> =
        bench.stage(0.6, 1.0).each(batch, "UCT on boards with traps", |at, watch| {
            let board = &found[at];
            let position = chess.read(&board.position)?;
            let minimax = chess.engine(&format!("alpha-beta(depth={depth})"))?.analyze(
                &*position,
                0,
                &Budget::default(),
                watch,
            );
            let minimax = minimax.best.expect("a player decides");
            let traps = position.traps(board.level, watch).map_err(|_| Failed::Cancelled)?;
            let mut thoughts = Vec::new();
            for &iterations in &steps {
                // The same seed, so that longer searches go on where shorter ones end.
                let mut engine = chess.engine(&uct())?;
                let analysis = engine.analyze(&*position, seed, &Budget::iterations(iterations), watch);
                check(watch)?;
                let best = analysis.best.clone().expect("a player decides");
                let worths = [&best, &minimax, &board.action]
                    .map(|action| worth_of(&*chess, &*position, &analysis, action));
                let falls = traps.iter().any(|trap| trap.action == best);
                thoughts.push(Thought { iterations, worths, falls });
            }
            Ok(thoughts)
        })?;
    let of = |level: u32| {
        boards.iter().zip(&thoughts).filter(move |(board, _)| board.level == level).map(|(_, t)| t)
    };
    let ends = |level: u32| of(level).map(|thoughts| *thoughts.last().expect("there are steps"));
    let mut findings = Vec::new();
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
    let mut gaps = Vec::new();
    for &level in levels {
        let count = ends(level).count();
        if count < 2 {
            continue;
        }
        let worths = [0, 1, 2].map(|at| mean(ends(level).map(|end| end.worths[at])));
        let gap = mean(ends(level).map(|end| end.worths[0] - end.worths[2]));
        let falls = share(ends(level).filter(|end| end.falls).count(), count);
        let published =
            PUBLISHED.iter().find(|(known, _)| *known == level).map_or([f64::NAN; 3], |(_, p)| *p);
        let mut row = vec![level.to_string(), count.to_string()];
        for (worth, published) in worths.iter().zip(published) {
            row.extend([interval(worth, 3), decimal(published, 3)]);
        }
        row.extend([interval(&gap, 3), percent(&falls)]);
        table.rows.push(row);
        findings.push(Finding {
            claim: format!("Level {level}: UCT's utility of the trap is far from −1"),
            published: decimal(published[2], 3),
            measured: format!("{} on {count} boards", interval(&worths[2], 3)),
            verdict: Verdict::above(worths[2].interval(), -0.5),
            rule: "agrees if the interval of the mean lies above −0.5, differs if below".into(),
            note: String::new(),
        });
        gaps.push((level, gap));
    }
    for (level, gap) in gaps.iter().filter(|(level, _)| *level >= 5) {
        findings.push(Finding {
            claim: format!("Level {level}: UCT hardly tells the trap from the best move"),
            published: "0.010 at level 5, 0.007 at level 7".into(),
            measured: format!("best less trap {}", interval(gap, 3)),
            verdict: Verdict::below(gap.interval(), 0.05),
            rule: "agrees if the interval of the mean difference lies below 0.05, differs if above".into(),
            note: String::new(),
        });
    }
    if let [(first, shallow), .., (last, deep)] = &gaps[..] {
        let by = Interval::new(shallow.lo - deep.hi, shallow.hi - deep.lo);
        findings.push(Finding {
            claim: format!("UCT tells traps of level {first} from the best move better than those of level {last}"),
            published: "0.167 at level 1, 0.010 at level 5".into(),
            measured: format!("{} against {}", interval(shallow, 3), interval(deep, 3)),
            verdict: Verdict::above(by, 0.0),
            rule: "agrees if the intervals of the two mean differences do not overlap, the first above, differs if the other way round".into(),
            note: String::new(),
        });
    }
    let mut figure = Figure::new("What UCT thinks of traps in chess");
    figure.subtitle = "Utilities over iterations, means over boards with 95 % intervals".into();
    figure.columns = levels.len().min(2);
    for &level in levels.iter().filter(|&&level| ends(level).count() > 1) {
        let names = ["UCT's best move", "Minimax's best move", "trap"];
        let curve = |at: usize| {
            let point = |step: usize| {
                let worth = mean(of(level).map(|thoughts| thoughts[step].worths[at]));
                (steps[step] as f64, drawn(&worth, 1.0))
            };
            Curve::new(names[at], Look::Marked, (0..steps.len()).map(point))
        };
        let lines = Lines {
            x: Axis::new("iterations").log(),
            y: Axis::new("utility"),
            curves: (0..3).map(curve).collect(),
            references: Vec::new(),
        };
        figure = figure.panel(format!("level {level}"), Chart::Lines(lines));
    }
    Ok(Outcome {
        summary: format!(
            "Boards of semi-random games of chess whose shallowest trap has level {}, and moves that are no traps; UCT with c = {C} and random playouts, drawn after 300 plies, to {last} iterations; Minimax to depth {depth}. The thesis shows one board of each level.",
            levels.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
        ),
        findings,
        tables: vec![table, list(&boards)],
        figures: vec![("figure4.4".into(), "A trap should have the utility −1.".into(), figure)],
    })
}

/// The boards.
fn list(boards: &[Risky]) -> Table {
    let mut table = Table::new("boards", "The boards.", &["level", "position", "trap", "moves into traps"]);
    for board in boards {
        let Risky { position, action, level, traps } = board;
        table.rows.push(vec![level.to_string(), position.clone(), action.clone(), traps.to_string()]);
    }
    table
}

/// The experiment of Figures 4.6 and 4.7.
pub(crate) static FIGURE4_6: Experiment = Experiment {
    id: "thesis-fig4.6",
    title: "UCT in the trap itself: its estimate, and how deep it looks",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.3, Figures 4.6 and 4.7",
    takes: &[(Scale::Quick, 120), (Scale::Full, 40_000)],
    run: figure4_6,
};

/// What UCT found in a trap: the work of Minimax, the utility for the player who is trapped after parts of
/// its own work, and how many iterations ended at each depth.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Inside {
    nodes: u64,
    iterations: u64,
    worths: Vec<f64>,
    depths: Vec<u64>,
}

/// Parts of UCT's work at which its estimate is noted.
const PARTS: [f64; 6] = [0.03, 0.1, 0.2, 0.4, 0.7, 1.0];
/// The work of UCT, in that of Minimax.
const TIMES: u64 = 10;

fn figure4_6(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let id = FIGURE4_6.id;
    let (levels, games, most): (&[u32], _, _) = bench.scale.pick((&[3, 5], 120, 6), (&[3, 5, 7], 1000, 30));
    let cap = bench.scale.pick(20_000, 2_000_000);
    let hunted = Hunt {
        experiment: id,
        source: semi_random(3),
        plies: (15..=63).step_by(8).collect(),
        levels,
        games,
        most,
    };
    let boards = hunt("chess", hunted, &mut bench.stage(0.0, 0.6))?;
    let chess = game("chess")?;
    let (found, seed) = (&boards, bench.seed);
    let batch = Batch { experiment: id, part: "inside", count: boards.len() };
    let inside: Vec<Inside> =
        bench.stage(0.6, 1.0).each(batch, "UCT in traps", |at, watch| {
            let board = &found[at];
            let position = chess.read(&board.position)?.act(&board.action)?;
            // Minimax sees the loss when it looks as deep as the level.
            let minimax = chess
                .engine(&format!("alpha-beta(depth={},plain=on,order=on)", board.level))?
                .analyze(&*position, 0, &Budget::default(), watch);
            check(watch)?;
            let nodes = minimax.counts.nodes;
            let iterations = (TIMES * nodes).min(cap);
            let (mut worths, mut depths) = (Vec::new(), Vec::new());
            for part in PARTS {
                let mut engine = chess.engine(&uct())?;
                let budget = Budget::iterations(((iterations as f64 * part) as u64).max(1));
                let analysis = engine.analyze(&*position, seed, &budget, watch);
                check(watch)?;
                // Whoever is to act in the trap wins; the worth is the other's.
                worths.push(-worth(&*chess, &*position, analysis.value));
                if part == 1.0 {
                    let tree = engine.tree(u32::MAX, 1).expect("UCT keeps a tree");
                    ended(&tree, 0, &mut depths);
                }
            }
            Ok(Inside { nodes, iterations, worths, depths })
        })?;
    let of = |level: u32| {
        boards.iter().zip(&inside).filter(move |(board, _)| board.level == level).map(|(_, i)| i)
    };
    // As deep as the level or deeper; a trap of level 3 is found out, and then iterations end at its end.
    let deep = |inside: &Inside, level: u32| {
        let all: u64 = inside.depths.iter().sum();
        let from = if level == 3 { level + 1 } else { level };
        inside.depths.iter().skip(from as usize).sum::<u64>() as f64 / all.max(1) as f64
    };
    let mut findings = Vec::new();
    let mut table = Table::new(
        "inside",
        "UCT started in the trap: nodes of Minimax to the level of the trap, iterations of UCT, its utility for the trapped player in the end, and the share of iterations that ended as deep as the level or deeper (of level 3: deeper).",
        &["level", "board", "nodes of Minimax", "iterations", "utility", "as deep as the level, %"],
    );
    for (number, (board, inside)) in boards.iter().zip(&inside).enumerate() {
        let Inside { nodes, iterations, ref worths, .. } = *inside;
        let utility = decimal(*worths.last().expect("there are parts"), 3);
        let deep = decimal(100.0 * deep(inside, board.level), 1);
        table.rows.push(vec![
            board.level.to_string(),
            (number + 1).to_string(),
            nodes.to_string(),
            iterations.to_string(),
            utility,
            deep,
        ]);
    }
    for &level in levels {
        let count = of(level).count();
        if count < 2 {
            continue;
        }
        let utility = mean(of(level).map(|inside| *inside.worths.last().expect("there are parts")));
        let depth = mean(of(level).map(|inside| deep(inside, level)));
        let (claim, published, verdict, rule) = if level == 3 {
            let verdict = Verdict::below(utility.interval(), -0.5);
            (
                "UCT finds out",
                "falls to −1",
                verdict,
                "agrees if the interval of the mean lies below −0.5, differs if above",
            )
        } else {
            let verdict = Verdict::above(utility.interval(), -0.15);
            (
                "UCT's estimate stays too high",
                "above −0.15",
                verdict,
                "agrees if the interval of the mean lies above −0.15, differs if below",
            )
        };
        findings.push(Finding {
            claim: format!("Level {level}: {claim}"),
            published: published.into(),
            measured: format!("{} in {count} traps", interval(&utility, 3)),
            verdict,
            rule: rule.into(),
            note: format!("{TIMES} times the nodes of Minimax, at most {cap} iterations"),
        });
        // With less work than the thesis gave it, UCT proves nothing against it.
        let capped = of(level).any(|inside| inside.iterations < TIMES * inside.nodes) && level > 3;
        let (published, near) = match level {
            3 => ("none deeper than 3 plies", Interval::new(-0.2, 0.2)),
            5 => ("nearly 70 %", Interval::new(0.5, 0.9)),
            _ => ("nearly 95 %", Interval::new(0.8, 1.0)),
        };
        findings.push(Finding {
            claim: match level {
                3 => "Level 3: iterations that end deeper than the level".into(),
                _ => format!("Level {level}: iterations that end as deep as the level or deeper"),
            },
            published: published.into(),
            measured: percent(&depth),
            verdict: if capped { Verdict::Open } else { Verdict::within(depth.interval(), near) },
            rule: format!(
                "agrees if the interval of the mean lies in {:.0} to {:.0} %, differs if outside",
                100.0 * near.lo,
                100.0 * near.hi
            ),
            note: if level == 3 {
                "The thesis shows a histogram up to depth 3".into()
            } else {
                String::new()
            },
        });
    }
    let mut values = Figure::new("UCT in traps of chess");
    values.subtitle = "Utility for the trapped player, means over traps with 95 % intervals".into();
    let curve = |level: &u32| {
        let point = |(at, part): (usize, &f64)| {
            (100.0 * part, drawn(&mean(of(*level).map(|inside| inside.worths[at])), 1.0))
        };
        Curve::new(format!("level {level}"), Look::Marked, PARTS.iter().enumerate().map(point))
    };
    values = values.panel(
        "",
        Chart::Lines(Lines {
            x: Axis::new("share of the iterations").unit("%"),
            y: Axis::new("utility").range(-1.0, 0.2),
            curves: levels.iter().map(curve).collect(),
            references: vec![Reference::new("−0.15", -0.15)],
        }),
    );
    let mut depths = Figure::new("How deep UCT looks in traps of chess");
    depths.subtitle = "Iterations by the depth at which they ended, means over traps".into();
    let deepest = inside.iter().map(|inside| inside.depths.len()).max().unwrap_or(0).min(21);
    let bars = |level: &u32| {
        let at = |depth: usize| {
            let share = |inside: &Inside| {
                let all: u64 = inside.depths.iter().sum();
                inside.depths.get(depth).copied().unwrap_or(0) as f64 / all.max(1) as f64
            };
            drawn(&mean(of(*level).map(share)), 100.0)
        };
        Series::new(format!("level {level}"), (0..deepest).map(at).collect())
    };
    depths = depths.panel(
        "",
        Chart::Bars(Grouped {
            categories: (0..deepest).map(|depth| depth.to_string()).collect(),
            series: levels.iter().map(bars).collect(),
            axis: Axis::new("iterations").unit("%"),
            ..Grouped::default()
        }),
    );
    Ok(Outcome {
        summary: format!(
            "UCT with c = {C} and random playouts, started in traps of chess, with {TIMES} times the nodes that alpha-beta with ordered moves visits when it looks as deep as the level, but at most {cap} iterations. The thesis shows one trap of each level."
        ),
        findings,
        tables: vec![table, list(&boards)],
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

/// Counts the iterations that ended in each node, by depth: those that visited it and none of its children.
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
/// What is rarer than this cannot be what the thesis came across.
const RARE: f64 = 0.02;

/// Nodes of Minimax, depth by depth, beyond which a board is left alone: UCT_H would get as many simulations.
const BOUNDED: u64 = 500_000;

/// UCT_H on a board of Kalah: the work of Minimax; worth of its best move, of Minimax's and of the trap over
/// its own work; and whether it would play into a trap.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Deceived {
    nodes: u64,
    thoughts: Vec<Thought>,
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
    let kalah = game(&USUAL.spec())?;
    let (found, seed) = (&boards, bench.seed);
    let batch = Batch { experiment: id, part: "deceived", count: boards.len() };
    let deceived: Vec<Option<Deceived>> =
        bench.stage(0.7, 1.0).each(batch, "UCT_H on boards with traps", |at, watch| {
            let board = &found[at];
            let position = kalah.read(&board.position)?;
            let ask = |spec: &str, budget: Budget, watch: &mut dyn Watch| -> Result<Analysis, Failed> {
                let analysis = kalah.engine(spec)?.analyze(&*position, seed, &budget, watch);
                check(watch)?;
                Ok(analysis)
            };
            // Whether the work is bounded is found out depth by depth, and then measured at the last one
            // alone.
            let stepwise = format!(
                "alpha-beta(depth={},order=off,table_mib=0,killers=off,history=off,scout=off)",
                DEEP + 1
            );
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
                let worths = [&best, &refuting, &board.action]
                    .map(|action| worth_of(&*kalah, &*position, &analysis, action));
                let falls = traps.iter().any(|trap| trap.action == best);
                thoughts.push(Thought { iterations: budget.iterations.unwrap_or(0), worths, falls });
            }
            Ok(Some(Deceived { nodes, thoughts }))
        })?;
    let (boards, deceived): (Vec<Risky>, Vec<Deceived>) =
        boards.into_iter().zip(deceived).filter_map(|(board, found)| Some((board, found?))).unzip();
    let end = |deceived: &Deceived| *deceived.thoughts.last().expect("there are parts");
    let fell = deceived.iter().filter(|deceived| end(deceived).falls).count();
    let mut findings = Vec::new();
    if !deceived.is_empty() {
        let rate = share(fell, deceived.len());
        let verdict = match fell {
            0 => {
                if rate.hi < RARE {
                    Verdict::Differs
                } else {
                    Verdict::Open
                }
            }
            _ => Verdict::Agrees,
        };
        findings.push(Finding {
            claim: format!("There are traps of level {DEEP} that UCT_H takes for the best move with twice the nodes with which Minimax avoids them"),
            published: "one board is shown, with about 5,000 nodes of Minimax".into(),
            measured: format!("{fell} of {} boards: {}", deceived.len(), percent(&rate)),
            verdict,
            rule: "agrees if there is one; differs if there is none and the interval of their share lies below 2 %".into(),
            note: String::new(),
        });
    }
    // The picture shows the board most like the published one.
    let like = deceived.iter().zip(&boards).filter(|(deceived, _)| end(deceived).falls);
    let shown = like.min_by_key(|(deceived, _)| deceived.nodes.abs_diff(5000));
    let mut figures = Vec::new();
    if let Some((deceived, board)) = shown {
        let names = ["UCT_H's best move", "Minimax's best move", "trap"];
        let curve = |at: usize| {
            let points = deceived.thoughts.iter().map(|thought| {
                (thought.iterations as f64, astragal_plot::Estimate::exact(thought.worths[at]))
            });
            Curve::new(names[at], Look::Marked, points)
        };
        let mut figure = Figure::new("A trap of Kalah that UCT_H takes for the best move");
        figure.subtitle =
            format!("Board {}: Minimax avoids it with {} nodes", board.position, deceived.nodes);
        figure = figure.panel(
            "",
            Chart::Lines(Lines {
                x: Axis::new("iterations of UCT_H"),
                y: Axis::new("utility for whoever is to move"),
                curves: (0..3).map(curve).collect(),
                references: Vec::new(),
            }),
        );
        figures.push((
            "figure4.5".into(),
            format!("The move {} into the trap loses by force within {DEEP} plies.", board.action),
            figure,
        ));
    }
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
    for (board, deceived) in boards.iter().zip(&deceived) {
        let Thought { worths, falls, .. } = end(deceived);
        let mut row = vec![board.position.clone(), board.action.clone(), deceived.nodes.to_string()];
        row.extend(worths.map(|worth| decimal(worth, 3)));
        row.push(if falls { "yes" } else { "no" }.into());
        table.rows.push(row);
    }
    Ok(Outcome {
        summary: format!(
            "Boards of Kalah{} from games between two players MM-6, who move at random one time in ten, whose shallowest trap has level {DEEP} and on which alpha-beta needs at most {BOUNDED} nodes to look that deep; MM-{} and UCT_H with c = {BEST_C} stones and twice as many simulations as Minimax visits nodes.",
            USUAL.name(),
            DEEP + 1
        ),
        findings,
        tables: vec![table],
        figures,
    })
}
