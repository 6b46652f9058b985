//! `lecture-order`: two evaluations with the same order of leaf values choose different moves under chance,
//! from the lecture on Monte Carlo tree search and stochastic games, "Evaluation Functions".
//!
//! The example is from Russell and Norvig, *Artificial Intelligence: A Modern Approach*, section on
//! stochastic games: leaves 1, 2, 3, 4 become 1, 20, 30, 400. Random trees then measure how often a rescaling
//! that preserves the order of all leaves changes the best move.

use crate::bench::{Batch, Patience, check};
use crate::report::EXACT;
use crate::text::{decimal, drawn, percent, share};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::{Budget, Game, Player, Sampler, Searcher, Unwatched, Watch, unit};
use astragal_games::explicit::{Estimate as Typed, Node, Tree};
use astragal_plot::{Axis, Chart, Curve, Figure, Lines, Look};
use astragal_search::{Algorithm, Options, StarMinimax};
use astragal_stats::Estimate;

/// The number of outcomes of each chance node.
const OUTCOMES: [usize; 6] = [1, 2, 3, 4, 6, 8];

/// Trees per unit of work.
const PIECE: usize = 100;

/// The number of actions of each decision.
const ACTIONS: usize = 3;

/// An order-preserving rescaling of [0, 1].
type Map = (&'static str, fn(f64) -> f64);

const MAPS: [Map; 4] = [
    ("3x + 2", |x| 3.0 * x + 2.0),
    ("square root", f64::sqrt),
    ("cube", |x| x * x * x),
    ("exponential e^10x", |x| libm::exp(10.0 * x)),
];

/// A tree under construction.
#[derive(Default)]
struct Listing(Vec<(String, Node)>);

impl Listing {
    fn push(&mut self, node: Node) -> usize {
        self.0.push((format!("n{}", self.0.len()), node));
        self.0.len() - 1
    }

    /// A chance node over these children, or the child itself if there is only one.
    fn chance(&mut self, children: &[(f64, usize)]) -> usize {
        match children {
            [(_, only)] => *only,
            _ => {
                let name = |(at, &(weight, child)): (usize, &(f64, usize))| (format!("o{at}"), weight, child);
                self.push(Node::Chance { outcomes: children.iter().enumerate().map(name).collect() })
            }
        }
    }

    fn decision(&mut self, player: Player, children: &[usize]) -> usize {
        let actions =
            children.iter().enumerate().map(|(at, &child)| (format!("a{}", at + 1), child)).collect();
        self.push(Node::Decision { player, actions, estimate: None })
    }

    /// A random tree of this many decisions, alternating between Max and Min, with leaves drawn in order.
    fn grow(&mut self, player: Player, depth: u32, outcomes: usize, leaf: &mut dyn FnMut() -> f64) -> usize {
        if depth == 0 {
            let value = leaf();
            return self.push(Node::Leaf(value));
        }
        let actions: Vec<usize> = (0..ACTIONS)
            .map(|_| {
                let children: Vec<(f64, usize)> = (0..outcomes)
                    .map(|_| (1.0 / outcomes as f64, self.grow(player.other(), depth - 1, outcomes, leaf)))
                    .collect();
                self.chance(&children)
            })
            .collect();
        self.decision(player, &actions)
    }

    fn tree(self, root: usize) -> Result<Tree, Failed> {
        Tree::new(self.0, root, None).map_err(|why| Failed::Message(why.to_string()))
    }
}

/// The values of the actions at the root, and the best one.
fn solved(tree: &Tree) -> (Vec<f64>, usize) {
    let options = Options { all_lines: true, ..Options::new(Algorithm::Expectimax) };
    let mut search = StarMinimax::new(Typed, options);
    let report = search.search_with(tree, &tree.start(), 0, &Budget::depth(10), &mut Unwatched);
    let best = report.lines.iter().position(|line| Some(line.action) == report.best).unwrap_or(0);
    (report.lines.iter().map(|line| line.value).collect(), best)
}

/// The textbook's tree with these leaves: two moves, each followed by a chance node with probabilities 0.9
/// and 0.1.
fn textbook(leaves: [f64; 4]) -> Result<Tree, Failed> {
    let mut listing = Listing::default();
    let [a, b, c, d] = leaves.map(|value| listing.push(Node::Leaf(value)));
    let moves = [listing.chance(&[(0.9, a), (0.1, b)]), listing.chance(&[(0.9, c), (0.1, d)])];
    let root = listing.decision(Player::Max, &moves);
    listing.tree(root)
}

/// Which maps change the best move of one random tree.
fn changed(seed: u64, depth: u32, outcomes: usize) -> Result<[bool; MAPS.len()], Failed> {
    let best = |map: fn(f64) -> f64| {
        // The same random leaves in the same order for every map.
        let mut stream = Sampler::new(seed).stream(outcomes as u64, depth);
        let mut listing = Listing::default();
        let root = listing.grow(Player::Max, depth, outcomes, &mut || map(unit(stream.bits())));
        Ok::<usize, Failed>(solved(&listing.tree(root)?).1)
    };
    let before = best(|x| x)?;
    let mut found = [false; MAPS.len()];
    for (found, (_, map)) in found.iter_mut().zip(MAPS) {
        *found = best(map)? != before;
    }
    Ok(found)
}

/// The share of trees whose best move changes, for each map.
fn shares(found: &[[bool; MAPS.len()]]) -> [Estimate; MAPS.len()] {
    std::array::from_fn(|map| share(found.iter().filter(|found| found[map]).count(), found.len()))
}

/// The experiment.
pub(crate) static ORDER: Experiment = Experiment {
    id: "lecture-order",
    title: "The same order of leaf values, another move",
    source: "Lecture on Monte Carlo tree search and stochastic games, \"Evaluation Functions\"; the numbers are those of Russell and \
         Norvig's example",
    takes: &[(Scale::Quick, 10), (Scale::Full, 150)],
    run,
};

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let plain = solved(&textbook([2.0, 3.0, 1.0, 4.0])?);
    let scaled = solved(&textbook([20.0, 30.0, 1.0, 400.0])?);
    let values = |(values, best): &(Vec<f64>, usize)| {
        format!("{} and {}: move {}", decimal(values[0], 1), decimal(values[1], 1), best + 1)
    };
    let mut findings = vec![
        Finding {
            claim: "leaves 2, 3 and 1, 4 with chances 0.9, 0.1".into(),
            published: "2.1 and 1.3: move 1".into(),
            measured: values(&plain),
            verdict: Verdict::of(values(&plain) == "2.1 and 1.3: move 1"),
            rule: EXACT.into(),
            note: "the textbook's numbers".into(),
        },
        Finding {
            claim: "leaves 20, 30 and 1, 400 in the same order".into(),
            published: "21.0 and 40.9: move 2".into(),
            measured: values(&scaled),
            verdict: Verdict::of(values(&scaled) == "21.0 and 40.9: move 2"),
            rule: EXACT.into(),
            note: "the textbook's numbers".into(),
        },
        Finding {
            claim: "evaluations with the same order of leaf values can choose different moves".into(),
            published: "they do".into(),
            measured: format!("moves {} and {}", plain.1 + 1, scaled.1 + 1),
            verdict: Verdict::of(plain.1 != scaled.1),
            rule: "agrees if the two moves are not the same".into(),
            note: String::new(),
        },
    ];
    let trees: usize = bench.scale.pick(1000, 20_000);
    let mut table = Table::new(
        "changes",
        "Random trees whose best move a rescaling changes (%)",
        &["decisions", "outcomes", MAPS[0].0, MAPS[1].0, MAPS[2].0, MAPS[3].0],
    );
    let mut found: Vec<Vec<[Estimate; MAPS.len()]>> = Vec::new();
    let mut patience = Patience::default();
    for (part, depth) in [1, 2].into_iter().enumerate() {
        let mut rows = Vec::new();
        for (at, outcomes) in OUTCOMES.into_iter().enumerate() {
            let from = (part * OUTCOMES.len() + at) as f64 / (2 * OUTCOMES.len()) as f64;
            let mut stage = bench.stage(from, from + 0.5 / OUTCOMES.len() as f64);
            let seed = stage.seed.wrapping_mul(1 << 20);
            let pieces = trees.div_ceil(PIECE);
            let job = |piece: usize, watch: &mut dyn Watch| {
                let trees = piece * PIECE..trees.min((piece + 1) * PIECE);
                trees
                    .map(|tree| {
                        check(watch)?;
                        changed(seed + tree as u64, depth, outcomes)
                    })
                    .collect::<Result<Vec<_>, _>>()
            };
            let part = format!("{depth} decisions, {outcomes} outcomes, {trees} trees");
            let batch = Batch { experiment: ORDER.id, part: &part, count: pieces };
            let Some(all) = patience.with(stage.each(batch, "random trees", job))? else { continue };
            let shares = shares(&all.concat());
            let mut row = vec![depth.to_string(), outcomes.to_string()];
            row.extend(shares.iter().map(percent));
            table.rows.push(row);
            rows.push(shares);
        }
        found.push(rows);
    }
    patience.end()?;
    findings.extend(random_findings(&found, trees));
    let summary = format!(
        "First a tree of two moves whose best one changes when its leaves are rescaled in the same order. Then random trees \
             of one and two decisions with {ACTIONS} actions each and leaves anywhere in [0, 1]: {trees} trees for each number \
             of outcomes, and the share of them in which a rescaling changes the best move."
    );
    let caption = format!(
        "Share of random trees whose best move changes when all leaves are rescaled in the same order, {trees} trees a \
             point. With one outcome there is no chance, and the order alone decides."
    );
    let figures = vec![("changes".into(), caption, figure(&found))];
    Ok(Outcome { summary, findings, tables: vec![table], figures })
}

fn random_findings(found: &[Vec<[Estimate; MAPS.len()]>], trees: usize) -> Vec<Finding> {
    let all = || found.iter().flatten();
    let without: f64 = found.iter().map(|rows| rows[0].iter().map(|share| share.mean).sum::<f64>()).sum();
    let linear: f64 = all().map(|shares| shares[0].mean).sum();
    let largest = all().flatten().max_by(|a, b| a.mean.total_cmp(&b.mean)).copied();
    let mut findings = vec![
        Finding {
            claim: "without chance the order alone decides".into(),
            published: String::new(),
            measured: if without == 0.0 { "no best move changes" } else { "best moves change" }.into(),
            verdict: Verdict::New,
            rule: String::new(),
            note: format!("{trees} trees of each depth, all four rescalings"),
        },
        Finding {
            claim: "3x + 2 keeps every decision under chance, too".into(),
            published: String::new(),
            measured: if linear == 0.0 { "no best move changes" } else { "best moves change" }.into(),
            verdict: Verdict::New,
            rule: String::new(),
            note: "expected values are linear".into(),
        },
    ];
    if let Some(largest) = largest {
        findings.push(Finding {
            claim: "how often a rescaling changes the best move of a random tree".into(),
            published: String::new(),
            measured: format!("up to {}", percent(&largest)),
            verdict: Verdict::New,
            rule: String::new(),
            note: "the largest share in the table".into(),
        });
    }
    findings
}

fn figure(found: &[Vec<[Estimate; MAPS.len()]>]) -> Figure {
    let panel = |rows: &Vec<[Estimate; MAPS.len()]>| {
        let curve = |map: usize| {
            let points = OUTCOMES.iter().zip(rows).map(|(&k, shares)| (k as f64, drawn(&shares[map], 100.0)));
            Curve::new(MAPS[map].0, Look::Marked, points)
        };
        Chart::Lines(Lines {
            x: Axis::new("outcomes of each chance node").range(0.0, 8.5),
            y: Axis::new("best move changes").unit("%").range(0.0, 50.0),
            curves: (0..MAPS.len()).map(curve).collect(),
            references: Vec::new(),
        })
    };
    let figure = Figure { columns: 2, width: 760.0, ..Figure::new("How often only the scale decides") };
    figure.panel("One decision", panel(&found[0])).panel("Two decisions", panel(&found[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_textbook_tree_has_its_values() {
        let (values, best) = solved(&textbook([2.0, 3.0, 1.0, 4.0]).unwrap());
        assert!((values[0] - 2.1).abs() < 1e-12 && (values[1] - 1.3).abs() < 1e-12 && best == 0);
        assert_eq!(solved(&textbook([20.0, 30.0, 1.0, 400.0]).unwrap()).1, 1);
    }

    #[test]
    fn only_chance_and_a_curved_scale_change_moves() {
        let count = |outcomes: usize| {
            let found: Vec<_> = (0..200).map(|seed| changed(seed, 2, outcomes).unwrap()).collect();
            shares(&found).map(|share| share.mean)
        };
        assert_eq!(count(1), [0.0; 4]);
        let [linear, _, _, exponential] = count(4);
        assert!(linear == 0.0 && exponential > 0.05, "{exponential}");
    }
}
