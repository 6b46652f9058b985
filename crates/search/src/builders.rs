//! Searches by their names in the literature, configured step by step.
//!
//! ```
//! use astragal_core::Even;
//! use astragal_search::{Mcts, Scheme, Star2, StarMinimax};
//!
//! let star2: StarMinimax<Even> = Star2::new(Even);
//! let star2ss = Star2::new(Even).sampled(4).scheme(Scheme::Systematic);
//! ```

#![expect(clippy::new_ret_no_self, reason = "names of one configurable search")]

use crate::options::{Algorithm, Chance, Keys, Options, Scheme, TableUse};
use crate::{Choice, Mcts, MctsOptions, Parallel, Select, StarMinimax, Widening};
use astragal_core::{Evaluator, Game};

/// The engine `expectimax`; sampled, `expss`.
#[derive(Clone, Copy, Debug)]
pub struct Expectimax;

/// The engine `star1`; sampled, `star1ss`. Without chance nodes it is alpha-beta.
#[derive(Clone, Copy, Debug)]
pub struct Star1;

/// The engine `star2`; sampled, `star2ss`.
#[derive(Clone, Copy, Debug)]
pub struct Star2;

impl Expectimax {
    /// Expectimax with this evaluator.
    #[must_use]
    pub fn new<E>(evaluator: E) -> StarMinimax<E> {
        StarMinimax::new(evaluator, Options::new(Algorithm::Expectimax))
    }
}

impl Star1 {
    /// The engine `star1`: with a table of values.
    #[must_use]
    pub fn new<E>(evaluator: E) -> StarMinimax<E> {
        StarMinimax::new(evaluator, Options { table: TableUse::Values, ..Options::new(Algorithm::Star1) })
    }
}

impl Star2 {
    /// The engine `star2`: it probes one action of each successor, with a table of values.
    #[must_use]
    pub fn new<E>(evaluator: E) -> StarMinimax<E> {
        let algorithm = Algorithm::Star2 { probes: 1 };
        StarMinimax::new(evaluator, Options { table: TableUse::Values, ..Options::new(algorithm) })
    }
}

impl<E> StarMinimax<E> {
    /// Changes the options.
    ///
    /// # Panics
    /// If the options contradict each other, see [`Options::contradiction`].
    #[must_use]
    pub fn with(self, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = *self.options();
        change(&mut options);
        self.with_options(options)
    }

    /// Sparse sampling: samples this many outcomes at each chance node. A table of values stores only actions
    /// from now on, because a state is sampled anew on each path, unless [`keys`](Self::keys) says otherwise.
    #[must_use]
    pub fn sampled(self, width: u32) -> Self {
        self.with(|options| {
            *options = options.sampled(width);
            if options.table == TableUse::Values {
                options.table = TableUse::Order;
            }
        })
    }

    /// How outcomes are sampled.
    ///
    /// # Panics
    /// If outcomes are not sampled.
    #[must_use]
    pub fn scheme(self, wanted: Scheme) -> Self {
        self.with(|options| match &mut options.chance {
            Chance::Sample { scheme, .. } => *scheme = wanted,
            Chance::Exact => panic!("contract: a scheme is for a search that is sampled"),
        })
    }

    /// What the samples depend on.
    ///
    /// # Panics
    /// If outcomes are not sampled.
    #[must_use]
    pub fn keys(self, wanted: Keys) -> Self {
        self.with(|options| match &mut options.chance {
            Chance::Sample { keys, .. } => *keys = wanted,
            Chance::Exact => panic!("contract: keys are for a search that is sampled"),
        })
    }

    /// How the transposition table is used.
    #[must_use]
    pub fn table(self, wanted: TableUse) -> Self {
        self.with(|options| options.table = wanted)
    }

    /// Prunes only where at least this depth remains.
    #[must_use]
    pub fn prune_from(self, depth: u32) -> Self {
        self.with(|options| options.prune_from = depth)
    }

    /// Prunes with the game's bounds alone, as in the paper.
    #[must_use]
    pub fn without_horizon(self) -> Self {
        self.with(|options| options.horizon = false)
    }

    /// Uses several threads, which share results through a table of values, see [`StarMinimax::table`].
    #[must_use]
    pub fn threads(self, threads: u32) -> Self {
        self.with(|options| options.threads = threads)
    }

    /// Gives every action at the root an exact value.
    #[must_use]
    pub fn all_lines(self) -> Self {
        self.with(|options| options.all_lines = true)
    }
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// The engine `mcts`: UCT with the evaluator at the leaves or, if that is neutral, random playouts to the
    /// end of the game.
    #[must_use]
    pub fn new(evaluator: E) -> Self {
        let options = MctsOptions::default();
        let with_evaluator = MctsOptions { playout_moves: 0, select: Select::Ucb1 { c: 0.5 }, ..options };
        let options = if evaluator.is_neutral() { options } else { with_evaluator };
        Self::with_options(evaluator, options)
    }

    /// The engine `uct`: random playouts to the end of the game, and the action with the best mean.
    #[must_use]
    pub fn uct(evaluator: E) -> Self {
        Self::with_options(evaluator, MctsOptions { choice: Choice::Mean, ..MctsOptions::default() })
    }

    /// Changes the options.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut MctsOptions)) -> Self {
        change(self.options_mut());
        self
    }

    /// UCB1 with this constant, for values scaled to [−1, 1].
    #[must_use]
    pub fn exploration(self, c: f64) -> Self {
        self.with(|options| options.select = Select::Ucb1 { c })
    }

    /// The selection rule.
    #[must_use]
    pub fn select(self, rule: Select) -> Self {
        self.with(|options| options.select = rule)
    }

    /// Decisions in a playout before the evaluator is applied: 0 applies it at the leaf, `u32::MAX` plays to
    /// the end. The exploration constant stays as it is; 1 suits playouts to the end.
    #[must_use]
    pub fn playout_moves(self, moves: u32) -> Self {
        self.with(|options| options.playout_moves = moves)
    }

    /// Double progressive widening.
    #[must_use]
    pub fn widening(self, widening: Widening) -> Self {
        self.with(|options| options.widening = Some(widening))
    }

    /// Proves bounds, and excludes actions that cannot be best.
    #[must_use]
    pub fn solver(self) -> Self {
        self.with(|options| options.solver = true)
    }

    /// RAVE, with equal weight after this many visits.
    #[must_use]
    pub fn rave(self, visits: f64) -> Self {
        self.with(|options| options.rave = visits)
    }

    /// Uses several threads.
    #[must_use]
    pub fn threads(self, threads: u32, parallel: Parallel) -> Self {
        self.with(|options| (options.threads, options.parallel) = (threads, parallel))
    }
}
