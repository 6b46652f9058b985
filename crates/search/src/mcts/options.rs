//! The parts of a Monte Carlo tree search that can be exchanged.

use super::tree::LEAST_MEMORY;

/// How a player's next action is selected on the way down.
///
/// The constant `c` has one meaning everywhere: it is for values scaled to [−1, 1], so a value in the units
/// of the game counts as a share of half its range. A constant of a paper for values in [0, 1] is twice as
/// large here, and one for payoffs of ±100 a hundredth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Select {
    /// UCB1: the mean plus `c` times √(ln N / n).
    Ucb1 {
        /// How much exploration counts.
        c: f64,
    },
    /// UCB1-Tuned: the variance seen decides how much exploration counts. Values are scaled to [0, 1].
    Ucb1Tuned,
    /// The best mean, or with probability `e` one of the others.
    Epsilon {
        /// How often another action is taken.
        e: f64,
    },
    /// PUCT: the mean plus `c` times the prior times √N / (1 + n). The prior is a soft maximum of static
    /// values.
    Puct {
        /// How much exploration counts.
        c: f64,
    },
    /// KL-UCB: the largest mean that the values seen do not rule out. Values are scaled to [0, 1].
    KlUcb,
    /// A draw from what the mean may be, given the values seen. Values are scaled to [0, 1].
    Thompson,
}

/// How the next outcome of a chance node is selected on the way down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChanceRule {
    /// By its probability.
    Sample,
    /// The one that lags most behind its probability.
    Even,
}

/// Double progressive widening: only the k = ⌈c·v^alpha⌉ most promising actions ([`Game::promise`]) of a node
/// with v visits are tried, and only as many outcomes are kept.
///
/// [`Game::promise`]: astragal_core::Game::promise
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// The factor.
    pub c: f64,
    /// The exponent.
    pub alpha: f64,
    /// Whether an outcome beyond the limit is played out instead of being replaced by one that is kept: then
    /// the value of a chance node has no bias towards early draws.
    pub unbiased: bool,
}

impl Widening {
    /// How many actions or outcomes a node with this many visits may have.
    #[must_use]
    pub fn limit(&self, visits: u32) -> u64 {
        let k = (self.c * libm::pow(f64::from(visits.max(1)), self.alpha)).ceil();
        // At least one, and any number that a node can have is as good as infinity.
        k.clamp(1.0, 1e9) as u64
    }
}

/// What a node is worth, given its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backup {
    /// The mean of all simulations through it.
    Mean,
    /// The value of its best child; at chance nodes the mean.
    Minimax,
    /// The power mean of its children, weighted by their visits, of values scaled to [0, 1]; at chance nodes
    /// the mean.
    Power {
        /// 1 is the mean, infinity the best child.
        p: f64,
    },
}

/// Which action is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one with the most visits.
    Visits,
    /// The one with the best mean.
    Mean,
}

/// How several threads work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// Each has a tree of its own, and the trees are added up: the same result on every machine.
    Root,
    /// All share one tree without locks. Simulations under way count as lost, so that threads spread out.
    Tree,
    /// One tree, and every leaf is played out by all threads: the same result on every machine.
    Leaf,
}

/// Everything that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// Selection of actions.
    pub select: Select,
    /// Selection of outcomes.
    pub chance: ChanceRule,
    /// Progressive widening, or none.
    pub widening: Option<Widening>,
    /// Decisions in a playout before the evaluator is asked: 0 asks at once, `u32::MAX` plays to the end.
    pub playout_moves: u32,
    /// Playouts at a leaf, whose mean counts.
    pub playouts: u32,
    /// How often a playout follows the game's policy, if there is one, instead of moving at random.
    pub follow: f64,
    /// What a node is worth, given its children.
    pub backup: Backup,
    /// The share of the implicit minimax value of static values in selection; 0 is none.
    pub implicit: f64,
    /// RAVE: visits at which the value of an action and its value as if first count the same; 0 is none.
    pub rave: f64,
    /// Search seeding: visits that a static value of an action counts for before its first; 0 is none.
    pub seeding: f64,
    /// Progressive bias: how much the static value of an action counts, divided by its visits plus one; 0 is
    /// none.
    pub bias: f64,
    /// Whether proved bounds of values cut off actions and end the search.
    pub solver: bool,
    /// The final choice.
    pub choice: Choice,
    /// Threads.
    pub threads: u32,
    /// How they work together.
    pub parallel: Parallel,
    /// The most memory that trees may take, in MiB.
    pub memory_mib: u32,
    /// Whether the next search goes on with the part of the tree that it can use.
    pub reuse: bool,
}

impl MctsOptions {
    /// Whether nothing but visits and values counts in selection.
    pub(super) fn is_simple(&self) -> bool {
        !self.solver
            && self.implicit.max(self.rave).max(self.seeding).max(self.bias) <= 0.0
            && matches!(self.select, Select::Ucb1 { .. })
    }

    /// Whether all nodes that a simulation visits take in its value and nothing else.
    pub(super) fn backs_up_means_only(&self) -> bool {
        !self.solver && self.implicit <= 0.0 && self.backup == Backup::Mean
    }

    /// Why these options do not go together, if they do not.
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        let trees = if self.parallel == Parallel::Root { self.threads.max(1) } else { 1 };
        let each = ((self.memory_mib as usize) << 20) / trees as usize / if self.reuse { 2 } else { 1 };
        (each < LEAST_MEMORY).then(|| {
            format!(
                "memory_mib={} is too little for {trees} trees; try fewer threads or more memory",
                self.memory_mib
            )
        })
    }
}

impl Default for MctsOptions {
    /// UCT with playouts to the end.
    fn default() -> Self {
        Self {
            select: Select::Ucb1 { c: 1.0 },
            chance: ChanceRule::Sample,
            widening: None,
            playout_moves: u32::MAX,
            playouts: 1,
            follow: 1.0,
            backup: Backup::Mean,
            implicit: 0.0,
            rave: 0.0,
            seeding: 0.0,
            bias: 0.0,
            solver: false,
            choice: Choice::Visits,
            threads: 1,
            parallel: Parallel::Root,
            memory_mib: 256,
            reuse: false,
        }
    }
}
