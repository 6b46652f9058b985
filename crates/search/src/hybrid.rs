//! The hybrid of *Understanding Sampling-Based Adversarial Search*, section 4.4: UCT with an evaluator and
//! minimax backups while finished games are rare in the Minimax search, and Minimax from then on.
//!
//! Sampling judges quiet positions well, but overlooks narrow lines in which a game ends; Minimax finds
//! those. A probe at each position selects between the two: the first nodes of an alpha-beta search, whose
//! finished games are counted. Their number is fixed, so the selection does not depend on the speed of the
//! machine; a search that ends before is alpha-beta's, and so is one that continues the probe.

use crate::alpha_beta::{AlphaBeta, AlphaBetaOptions};
use crate::configured::{Configured, Parts, no_memory};
use crate::listing::{DEPTH, EVAL};
use crate::mcts::listing::{self, MEMORY_MIB};
use crate::mcts::{Backup, Choice, Mcts, MctsOptions, Select};
use crate::options::DEEPEST;
use astragal_core::{
    Branch, Budget, Counts, EngineInfo, Evaluator, Game, Kind, Limit, Param, Report, Searcher, Stop, Values,
    Watch,
};

const ENDINGS: Param = Param::new(
    "endings",
    Kind::Real(0.0, 1.0),
    "0.003",
    "ratio of finished games to unfinished states in the probe above which Minimax decides",
);
const PROBE: Param = Param::new(
    "probe",
    Kind::Int(1, 1_000_000_000),
    "10000",
    "nodes of alpha-beta that decide which search continues; with only a depth limit, they are those of the whole Minimax search",
);
const C: Param = Param { default: Some("0.1"), unless: &[], ..listing::C };
const TABLE_MIB: Param =
    Param::new("table_mib", Kind::Int(0, 16_384), "16", "size of the transposition table in MiB; 0 for none");

const ENGINES: &[EngineInfo] = &[EngineInfo {
    name: "hybrid",
    help: "UCT with minimax backups in positions where alpha-beta's probe finds few finished games, alpha-beta in others",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.4",
    chance: false,
    tree: true,
    budgets: Limit::DEEPENING,
    params: &[EVAL, DEPTH, ENDINGS, PROBE, C, TABLE_MIB, MEMORY_MIB],
    ..EngineInfo::BLANK
}];

/// The options of the hybrid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HybridOptions {
    /// The ratio of finished games to unfinished states in the probe above which Minimax decides.
    pub endings: f64,
    /// The nodes of the probe.
    pub probe: u64,
    /// The Minimax search, also used for the probe.
    pub alpha_beta: AlphaBetaOptions,
    /// The sampling search.
    pub mcts: MctsOptions,
}

impl Default for HybridOptions {
    /// The thesis's threshold.
    fn default() -> Self {
        Self {
            endings: 0.003,
            probe: 10_000,
            alpha_beta: AlphaBetaOptions::exact(),
            mcts: MctsOptions {
                select: Select::Ucb1 { c: 0.1 },
                playout_moves: 0,
                backup: Backup::Minimax,
                choice: Choice::Mean,
                ..MctsOptions::default()
            },
        }
    }
}

impl HybridOptions {
    /// Reads the options from the parameters of the engine.
    fn read(values: &Values) -> Self {
        let usual = Self::default();
        let (depth, table_mib) = (values.int(DEPTH), values.int(TABLE_MIB));
        Self {
            endings: values.real(ENDINGS),
            probe: values.int(PROBE),
            alpha_beta: AlphaBetaOptions { depth, table_mib, ..usual.alpha_beta },
            mcts: MctsOptions {
                select: Select::Ucb1 { c: values.real(C) },
                memory_mib: values.int(MEMORY_MIB),
                ..usual.mcts
            },
        }
    }
}

impl Configured for HybridOptions {
    const ENGINES: &'static [EngineInfo] = ENGINES;

    fn wrong(values: &Values) -> Option<String> {
        let Self { alpha_beta, mcts, .. } = Self::read(values);
        mcts.contradiction().or_else(|| (!alpha_beta.affordable()).then(|| no_memory(alpha_beta.table_mib)))
    }

    fn is_endless(values: &Values) -> bool {
        Self::read(values).alpha_beta.depth == DEEPEST
    }

    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        values: &Values,
        parts: Parts<G, E>,
    ) -> Box<dyn Searcher<G>> {
        Box::new(Hybrid::new(parts.erased().evaluator, Self::read(values)))
    }
}

/// UCT in quiet positions, Minimax where the probe finds enough finished games.
pub struct Hybrid<G: Game, E> {
    minimax: AlphaBeta<E>,
    uct: Mcts<G, E>,
    endings: f64,
    probe: u64,
    /// Whether the last search was by UCT.
    sampled: bool,
}

impl<G: Game, E: Evaluator<G> + Clone> Hybrid<G, E> {
    /// A search with this evaluator and these options.
    #[must_use]
    pub fn new(evaluator: E, options: HybridOptions) -> Self {
        let HybridOptions { endings, probe, alpha_beta, mcts } = options;
        let minimax = AlphaBeta::new(evaluator.clone(), alpha_beta);
        Self { minimax, uct: Mcts::with_options(evaluator, mcts), endings, probe, sampled: false }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Hybrid<G, E> {
    fn heeds(&self) -> &'static [Limit] {
        Limit::DEEPENING
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        let is_open = budget.nodes.is_none() && budget.time.is_none();
        let most = budget.nodes.map_or(self.probe, |all| all.min(self.probe));
        let share = Budget { nodes: (!is_open).then_some(most), ..*budget };
        let probe = self.minimax.run(game, root, seed, &share, watch);
        let Counts { nodes, finished, .. } = probe.counts;
        // Sampling for less than the probe took would throw away more than it finds.
        let has_room = budget.nodes.is_none_or(|all| all.saturating_sub(nodes) >= self.probe);
        let is_quiet = finished as f64 <= self.endings * nodes.saturating_sub(finished) as f64;
        self.sampled = is_quiet && has_room;
        let is_over = match probe.stop {
            Stop::Nodes => budget.nodes == Some(most),
            Stop::Depth => !(is_open && self.sampled),
            _ => true,
        };
        if is_over {
            self.sampled = false;
            return probe;
        }
        let rest = Budget { nodes: budget.nodes.map(|all| all.saturating_sub(nodes).max(1)), ..*budget };
        let report = if self.sampled {
            let iterations = is_open.then_some(nodes.max(1));
            self.uct.run(game, root, seed, &Budget { depth: None, iterations, ..rest }, watch)
        } else {
            self.minimax.resume(game, root, seed, &rest, watch)
        };
        Report { counts: report.counts + probe.counts, ..report }
    }

    fn tree(&self, game: &G, depth: u32, visits: u64) -> Option<Branch<G::Action, G::Outcome>> {
        if self.sampled { self.uct.tree(game, depth, visits) } else { None }
    }
}
