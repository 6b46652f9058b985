//! The players of each part of the experiment, and their estimates at the positions of one game.

use super::super::players::{CLASSIC, DOMAINS, SAMPLED_NAMES, dpw, mcts, sampled_with};
use super::{SCHEMES, Sizes};
use crate::estimators::{Cell, Estimates, Row, estimate, observed, truths};
use crate::mcms::table1::{PUBLISHED, players};
use crate::text::decimal;
use crate::{Bench, Failed, Table};
use astragal_catalog::game;
use astragal_core::Budget;
use astragal_search::sample_widths;

/// A game of the experiment.
pub(super) struct Subject {
    /// Its name in the report.
    pub(super) name: &'static str,
    /// Its spec.
    pub(super) spec: &'static str,
    /// The widths at which the schemes are compared, all smaller than the number of outcomes of a roll.
    pub(super) widths: &'static [u32],
    /// Whether the budget is also varied.
    pub(super) budgets: bool,
}

/// The games: the one of Table 1, and a smaller one whose rolls are equally likely.
pub(super) const SUBJECTS: [Subject; 2] = [
    Subject { name: "Pig", spec: "pig", widths: &[2, 4, 8], budgets: true },
    Subject { name: "one-die Pig to 50", spec: "pig(dice=1,target=50)", widths: &[2, 4], budgets: false },
];

/// The algorithms whose widths shrink, as indices into the paper's sampling ones.
const SHRINKING: [usize; 2] = [0, 2];

/// The factors by which widths shrink.
pub(super) const DECAYS: [f64; 3] = [0.7, 0.5, 0.3];

/// The factors where the budget is varied.
const SHRUNK: [f64; 2] = [0.7, 0.5];

/// The index of expSS in Table 1.
pub(super) const EXPSS: usize = 5;

/// Constant widths in addition to the paper's.
const NARROW: [u32; 2] = [5, 10];

/// The depth at which schemes are compared on the same trees.
pub(super) const DEPTH: u32 = 2;

/// A player that runs at every position.
struct Player {
    part: &'static str,
    engine: String,
    budget: Budget,
    runs: u32,
}

/// The base width that gives the paper's width at the first roll when it shrinks by this factor.
fn before_shrinking(width: u32, decay: f64) -> u32 {
    (f64::from(width) / decay).round() as u32
}

/// Constant and shrinking widths of one algorithm.
pub(super) struct Widths {
    /// Its name in the paper.
    pub(super) name: &'static str,
    /// The paper's width, and the player with it.
    pub(super) paper: (u32, usize),
    /// Narrower widths and their players.
    pub(super) narrow: Vec<(u32, usize)>,
    /// Factors, with the widths at the first rolls and the players.
    pub(super) shrinking: Vec<(f64, Vec<u32>, usize)>,
}

/// The players with each scheme at one width: with a node budget and at one depth.
pub(super) struct Schemes {
    pub(super) width: u32,
    pub(super) nodes: Vec<usize>,
    pub(super) depth: Vec<usize>,
}

/// A player without and with a variance reduction.
pub(super) struct Reduction {
    pub(super) name: &'static str,
    pub(super) plain: usize,
    pub(super) reduced: usize,
}

/// The measurements for one game. Players are numbered by their indices into `cells`.
pub(super) struct Study {
    pub(super) name: &'static str,
    pub(super) positions: usize,
    pub(super) cells: Vec<Vec<Cell>>,
    pub(super) widths: Vec<Widths>,
    pub(super) schemes: Vec<Schemes>,
    /// For each player of Table 1, the players with each number of nodes.
    pub(super) budgets: Vec<(&'static str, Vec<usize>)>,
    /// The same for expSS with widths that shrink by these factors.
    pub(super) shrunk: Vec<(f64, Vec<usize>)>,
    pub(super) reductions: Vec<Reduction>,
    players: Vec<Player>,
}

impl Study {
    /// Runs every player of every part at positions of the game.
    pub(super) fn new(subject: &Subject, sizes: &Sizes, bench: &mut Bench<'_>) -> Result<Self, Failed> {
        let mut study = Self {
            name: subject.name,
            positions: 0,
            cells: Vec::new(),
            widths: Vec::new(),
            schemes: Vec::new(),
            budgets: Vec::new(),
            shrunk: Vec::new(),
            reductions: Vec::new(),
            players: Vec::new(),
        };
        study.shrinking(sizes);
        study.schemes(subject, sizes);
        if subject.budgets {
            study.budgets(sizes);
        }
        study.reductions(sizes);
        let game = game(subject.spec).map_err(|error| Failed::Message(error.to_string()))?;
        let middle = 0.1;
        let budget = Budget::nodes(sizes.nodes);
        let seen =
            observed(subject.spec, &players(), budget, sizes.positions, &mut bench.stage(0.0, middle))?;
        let states = truths(&*game, seen, bench.stop())?;
        let works: Vec<Estimates<'_>> = study
            .players
            .iter()
            .map(|player| Estimates {
                game: &*game,
                engine: player.engine.clone(),
                budget: player.budget,
                runs: player.runs,
                seed: bench.seed,
                states: &states,
            })
            .collect();
        study.cells = estimate(&works, &mut bench.stage(middle, 1.0))?;
        study.positions = states.len();
        Ok(study)
    }

    /// Returns the index of a player, adding it unless another part already has it.
    fn place(&mut self, part: &'static str, engine: String, budget: Budget, runs: u32) -> usize {
        let same = |player: &Player| player.engine == engine && player.budget == budget;
        if let Some(at) = self.players.iter().position(same) {
            return at;
        }
        self.players.push(Player { part, engine, budget, runs });
        self.players.len() - 1
    }

    fn shrinking(&mut self, sizes: &Sizes) {
        let budget = Budget::nodes(sizes.nodes);
        for at in SHRINKING {
            let mut place = |width: u32, decay: &str| {
                self.place("widths", sampled_with(at, width, decay), budget, sizes.runs)
            };
            let paper = DOMAINS[0].widths[at];
            let narrow = NARROW.map(|width| (width, place(width, ""))).to_vec();
            let paper = (paper, place(paper, ""));
            let shrinking = DECAYS.map(|decay| {
                let width = before_shrinking(paper.0, decay);
                (decay, sample_widths(width, decay)[1..].to_vec(), place(width, &format!(",decay={decay}")))
            });
            self.widths.push(Widths {
                name: SAMPLED_NAMES[at],
                paper,
                narrow,
                shrinking: shrinking.to_vec(),
            });
        }
    }

    fn schemes(&mut self, subject: &Subject, sizes: &Sizes) {
        for &width in subject.widths {
            let mut all = |budget: Budget| -> Vec<usize> {
                let engine = |scheme: &str| format!("expss(width={width},sample={scheme},enumerate=off)");
                SCHEMES
                    .iter()
                    .map(|(scheme, _)| self.place("schemes", engine(scheme), budget, sizes.runs))
                    .collect()
            };
            let (nodes, depth) = (all(Budget::nodes(sizes.nodes)), all(Budget::depth(DEPTH)));
            self.schemes.push(Schemes { width, nodes, depth });
        }
    }

    fn budgets(&mut self, sizes: &Sizes) {
        for ((name, _), engine) in PUBLISHED.iter().zip(players()) {
            // The classic algorithms are deterministic: with a node budget every run is the same.
            let runs = if CLASSIC.contains(&engine.as_str()) { 1 } else { sizes.runs };
            let places = sizes.budgets.iter();
            let places =
                places.map(|&nodes| self.place("budgets", engine.clone(), Budget::nodes(nodes), runs));
            let places = places.collect();
            self.budgets.push((name, places));
        }
        for decay in SHRUNK {
            let width = before_shrinking(DOMAINS[0].widths[0], decay);
            let engine = format!("expss(width={width},decay={decay},enumerate=off)");
            let places = sizes.budgets.iter();
            let places =
                places.map(|&nodes| self.place("budgets", engine.clone(), Budget::nodes(nodes), sizes.runs));
            let places = places.collect();
            self.shrunk.push((decay, places));
        }
    }

    fn reductions(&mut self, sizes: &Sizes) {
        let pig = &DOMAINS[0];
        let even = |spec: String| format!("{},chance=even)", spec.trim_end_matches(')'));
        let (mcts, dpw) = (mcts(pig.mcts), dpw(pig.mcts, pig.dpw));
        let pairs = [
            ("MCTS, even outcomes", mcts.clone(), even(mcts)),
            ("DPW, even outcomes", dpw.clone(), even(dpw)),
            ("flat, common numbers", "flat(dr=10,common=off)".into(), "flat(dr=10,common=on)".into()),
        ];
        for (name, plain, reduced) in pairs {
            let [plain, reduced] = [plain, reduced]
                .map(|engine| self.place("reduction", engine, Budget::nodes(sizes.nodes), sizes.runs));
            self.reductions.push(Reduction { name, plain, reduced });
        }
    }

    /// The results of a player at each position.
    pub(super) fn of(&self, place: usize) -> &[Cell] {
        &self.cells[place]
    }

    /// Adds a row for every player.
    pub(super) fn fill(&self, table: &mut Table) {
        for (player, cells) in self.players.iter().zip(&self.cells) {
            let row = Row::new(cells);
            let budget = match (player.budget.nodes, player.budget.depth) {
                (Some(nodes), _) => format!("{nodes} nodes"),
                (_, depth) => format!("depth {}", depth.unwrap_or_default()),
            };
            let mut cells = vec![self.name.into(), player.part.into(), player.engine.clone(), budget];
            cells.push(player.runs.to_string());
            cells.extend([row.mse.mean, row.variance.mean, row.bias, row.regret.mean].map(|x| decimal(x, 3)));
            cells.push(decimal(row.depth, 2));
            table.rows.push(cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_roll_draws_what_the_paper_draws() {
        for paper in [18, 20] {
            for decay in DECAYS {
                assert_eq!(sample_widths(before_shrinking(paper, decay), decay)[1], paper, "{decay}");
            }
        }
    }
}
