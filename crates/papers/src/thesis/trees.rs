//! Figures 3.4 and 3.5 (section 3.2.3): which parts of the tree MM-8 and UCT_H explore in Kalah.

use super::kalah::{BEST_C, USUAL};
use crate::bench::{Batch, check};
use crate::text::interval;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_core::{Branch, Budget, Evaluator, Game, Interval, Key, Sampler, Searcher, Turn, Watch};
use astragal_games::kalah::{Kalah, Pit, State, Stores};
use astragal_plot::{Chart, Figure, Tree};
use astragal_search::{AlphaBeta, AlphaBetaOptions};
use astragal_stats::{Estimate, LEVEL, Running};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

/// The experiment.
pub(crate) static FIGURE3_4: Experiment = Experiment {
    id: "thesis-fig3.4",
    title: "The trees of Minimax and UCT_H in Kalah",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.2.3, Figures 3.4 and 3.5",
    takes: &[(Scale::Quick, 5), (Scale::Full, 120)],
    run,
};

/// The exploration constants of the figures, in stones.
const CONSTANTS: [f64; 3] = [0.0, BEST_C, 20.0];

/// A game that records the states a search generates: the tree that it explores.
struct Recorded<'a> {
    game: &'a Kalah,
    parents: Mutex<Vec<u32>>,
}

/// A state and its number in the tree.
type Numbered = (State, u32);

impl Game for Recorded<'_> {
    type State = Numbered;
    type Action = Pit;
    type Outcome = Infallible;

    fn start(&self) -> Numbered {
        (self.game.start(), 0)
    }

    fn turn(&self, state: &Numbered) -> Turn {
        self.game.turn(&state.0)
    }

    fn actions(&self, state: &Numbered, out: &mut Vec<Pit>) {
        self.game.actions(&state.0, out);
    }

    fn apply(&self, state: &mut Numbered, action: Pit) {
        let mut parents = self.parents.lock().unwrap_or_else(PoisonError::into_inner);
        parents.push(state.1);
        state.1 = parents.len() as u32 - 1;
        self.game.apply(&mut state.0, action);
    }

    fn key(&self, state: &Numbered) -> Key {
        self.game.key(&state.0)
    }

    fn range(&self) -> Interval {
        self.game.range()
    }

    fn has_chance(&self) -> bool {
        false
    }
}

/// The evaluator of the underlying game.
struct Same;

impl Evaluator<Recorded<'_>> for Same {
    fn value(&self, game: &Recorded<'_>, state: &Numbered) -> f64 {
        Stores.value(game.game, &state.0)
    }
}

/// The tree that MM-k explores.
fn minimax(game: &Kalah, root: &State, depth: u32, watch: &mut dyn Watch) -> Vec<u32> {
    let recorded = Recorded { game, parents: Mutex::new(vec![0]) };
    let mut search = AlphaBeta::new(Same, AlphaBetaOptions { depth, ..AlphaBetaOptions::plain() });
    let report = search.search_with(&recorded, &(*root, 0), 0, &Budget::default(), watch);
    let mut parents = recorded.parents.into_inner().unwrap_or_else(PoisonError::into_inner);
    // After the search, the states of the principal variation are generated once more.
    parents.truncate(report.counts.nodes as usize);
    parents
}

/// The tree of UCT_H after this many simulations, with a constant in stones.
fn uct_h(game: &Kalah, root: &State, c: f64, simulations: u64, watch: &mut dyn Watch) -> Vec<u32> {
    let mut search = USUAL.uct_h_search(c);
    search.search_with(game, root, 0, &Budget::iterations(simulations), watch);
    let mut parents = vec![0];
    if let Some(tree) = search.tree(game, u32::MAX, 1) {
        grow(&tree, 0, &mut parents);
    }
    parents
}

fn grow<A, O>(branch: &Branch<A, O>, number: u32, parents: &mut Vec<u32>) {
    for child in &branch.children {
        parents.push(number);
        grow(child, parents.len() as u32 - 1, parents);
    }
}

/// The number of nodes at each depth of a tree.
fn widths(parents: &[u32]) -> Vec<u64> {
    let mut depths = vec![0_usize; parents.len()];
    let mut widths = vec![1];
    for (node, &parent) in parents.iter().enumerate().skip(1) {
        depths[node] = depths[parent as usize] + 1;
        if widths.len() <= depths[node] {
            widths.push(0);
        }
        widths[depths[node]] += 1;
    }
    widths
}

/// The trees of one board: nodes by depth, Minimax first.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Shapes {
    widths: Vec<Vec<u64>>,
    /// The trees themselves, for the first board only.
    trees: Vec<Vec<u32>>,
}

impl Shapes {
    fn deepest(&self, tree: usize) -> f64 {
        self.widths[tree].len() as f64 - 1.0
    }

    fn width(&self, tree: usize) -> f64 {
        self.widths[tree].iter().sum::<u64>() as f64 / self.widths[tree].len() as f64
    }

    /// The distance from Minimax's tree.
    fn apart(&self, tree: usize) -> f64 {
        distance(&self.widths[0], &self.widths[tree])
    }
}

/// How much two trees differ in the depths of their nodes: the share of nodes that would have to move to
/// another depth.
fn distance(one: &[u64], other: &[u64]) -> f64 {
    let total = |widths: &[u64]| widths.iter().sum::<u64>() as f64;
    let (all, others) = (total(one), total(other));
    let share = |widths: &[u64], depth: usize, all: f64| widths.get(depth).copied().unwrap_or(0) as f64 / all;
    let depths = 0..one.len().max(other.len());
    0.5 * depths.map(|depth| (share(one, depth, all) - share(other, depth, others)).abs()).sum::<f64>()
}

/// The trees of all boards: Minimax first, then UCT_H with each constant.
struct Trees(Vec<Shapes>);

impl Trees {
    /// The mean over boards of a measurement.
    fn mean(&self, measure: impl Fn(&Shapes) -> f64) -> Estimate {
        self.0.iter().map(measure).collect::<Running>().estimate(LEVEL)
    }

    /// The difference in a measurement between two trees of the same board, averaged over boards.
    fn more(&self, one: usize, other: usize, measure: fn(&Shapes, usize) -> f64) -> Estimate {
        self.mean(|shapes| measure(shapes, one) - measure(shapes, other))
    }

    fn findings(&self) -> Vec<Finding> {
        let claim = |claim: &str, published: &str, by: Estimate, unit: &str| {
            Finding {
            claim: claim.into(),
            published: published.into(),
            measured: format!("{}{unit}", interval(&by, 2)),
            verdict: Verdict::above(by.interval(), 0.0),
            rule: "agrees if the interval of the mean difference, board by board, lies above 0, differs if below".into(),
            note: String::new(),
        }
        };
        vec![
            claim(
                "With c = 0 the tree is deeper than with c = 2.5",
                "some very deep positions",
                self.more(1, 2, Shapes::deepest),
                " plies",
            ),
            claim(
                "With c = 2.5 the tree is deeper than with c = 20",
                "between the two",
                self.more(2, 3, Shapes::deepest),
                " plies",
            ),
            claim(
                "With c = 0 the tree is sparser at a depth than with c = 2.5",
                "sparse at any given level",
                self.more(2, 1, Shapes::width),
                " nodes",
            ),
            claim(
                "With c = 20 the tree is more like Minimax's than with c = 2.5",
                "more regular and like Minimax's",
                self.more(2, 3, Shapes::apart),
                " of the nodes",
            ),
            claim(
                "With c = 20 the tree is more like Minimax's than with c = 0",
                "more regular and like Minimax's",
                self.more(1, 3, Shapes::apart),
                " of the nodes",
            ),
        ]
    }

    fn table(&self, names: &[String]) -> Table {
        let mut table = Table::new(
            "trees",
            "Means over boards with 95 % intervals: the deepest node, nodes for each depth, and the share of nodes that would have to be at another depth for the tree to be like Minimax's.",
            &["player", "deepest", "nodes a depth", "unlike Minimax's"],
        );
        for (at, name) in names.iter().enumerate() {
            let mean = |measure: fn(&Shapes, usize) -> f64| self.mean(|shapes| measure(shapes, at));
            table.rows.push(vec![
                name.clone(),
                interval(&mean(Shapes::deepest), 1),
                interval(&mean(Shapes::width), 1),
                interval(&mean(Shapes::apart), 3),
            ]);
        }
        table
    }

    fn figure(&self, names: &[String], depth: u32) -> Figure {
        let mut figure = Figure::new("The trees of Minimax and UCT_H in Kalah");
        figure.subtitle =
            format!("One board; nodes of one depth lie on one circle, and the grey circle is depth {depth}");
        figure.columns = 2;
        for (name, parents) in names.iter().zip(&self.0[0].trees) {
            let title = format!("{name}: {} nodes, {} deep", parents.len(), widths(parents).len() - 1);
            let tree = Tree { parents: parents.clone(), rings: vec![depth], ..Tree::default() };
            figure = figure.panel(title, Chart::Tree(tree));
        }
        figure
    }
}

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, boards) = bench.scale.pick((6, 40), (8, 200));
    let game = Kalah::new(USUAL.pits as u8, USUAL.stones as u8).expect("there is such a board");
    let seed = bench.seed;
    let batch = Batch { experiment: FIGURE3_4.id, part: "trees", count: boards };
    let found = Trees(bench.each(batch, "trees", |number, watch| {
        let root = game.deal(Sampler::new(seed).draw(number as u64, 0, 0)).expect("there are such");
        let mut trees = vec![minimax(&game, &root, depth, watch)];
        let simulations = trees[0].len() as u64;
        for c in CONSTANTS {
            trees.push(uct_h(&game, &root, c, simulations, watch));
        }
        check(watch)?;
        let widths = trees.iter().map(|tree| widths(tree)).collect();
        Ok(Shapes { widths, trees: if number == 0 { trees } else { Vec::new() } })
    })?);
    let names: Vec<String> = std::iter::once(format!("MM-{depth}"))
        .chain(CONSTANTS.iter().map(|c| format!("UCT_H, c = {c}")))
        .collect();
    Ok(Outcome {
        summary: format!(
            "The states that plain alpha-beta to depth {depth} looks at from random boards of Kalah{}, and the trees of UCT_H with as many simulations and three exploration constants, in stones. The thesis shows MM-8 on one board.",
            USUAL.name()
        ),
        findings: found.findings(),
        tables: vec![found.table(&names)],
        figures: vec![(
            "figure3.5".into(),
            "What each player looks at from the same board.".into(),
            found.figure(&names, depth),
        )],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Unwatched;

    #[test]
    fn the_tree_of_minimax_is_what_it_counts() {
        let game = Kalah::new(4, 3).unwrap();
        let parents = minimax(&game, &game.start(), 4, &mut Unwatched);
        let mut search = AlphaBeta::new(Stores, AlphaBetaOptions { depth: 4, ..AlphaBetaOptions::plain() });
        let nodes = search.search(&game, &game.start(), Budget::default()).counts.nodes;
        assert_eq!(parents.len() as u64, nodes);
        assert_eq!(widths(&parents).len(), 5);
        assert_eq!(widths(&parents)[1], 4);
        let tree = uct_h(&game, &game.start(), 2.5, 50, &mut Unwatched);
        assert!((40..=51).contains(&tree.len()), "{}", tree.len());
        assert_eq!(distance(&[1, 2, 1], &[1, 2, 1]), 0.0);
        assert_eq!(distance(&[1, 1], &[1, 0, 1]), 0.5);
    }
}
