//! The exchangeable components of a Monte Carlo tree search.

use super::tree::LEAST_MEMORY;

/// How actions are selected at decision nodes of the tree.
///
/// The constant `c` has one meaning everywhere: it applies to values scaled to [−1, 1], so it is multiplied
/// by half the range of the game. A paper's constant for values in [0, 1] is twice as large here, and one for
/// payoffs of ±100 a hundredth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Select {
    /// UCB1: the mean plus `c` times √(ln N / n).
    Ucb1 {
        /// The weight of exploration.
        c: f64,
    },
    /// UCB1-Tuned: the observed variance sets the amount of exploration. Values are scaled to [0, 1].
    Ucb1Tuned,
    /// ε-greedy: the best mean or, with probability `e`, one of the others.
    Epsilon {
        /// The probability of another action.
        e: f64,
    },
    /// PUCT: the mean plus `c` times the prior times √N / (1 + n). The prior is a softmax of static values.
    Puct {
        /// The weight of exploration.
        c: f64,
    },
    /// KL-UCB: the largest mean compatible with the observed values. Values are scaled to [0, 1].
    KlUcb,
    /// Thompson sampling: a draw from the posterior distribution of the mean. Values are scaled to [0, 1].
    Thompson,
}

/// How outcomes are selected at chance nodes of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChanceRule {
    /// Sampled by probability.
    Sample,
    /// The outcome whose visits lag furthest behind its probability.
    Even,
}

/// Double progressive widening: a node with v visits tries only its k = ⌈c·v^alpha⌉ most promising actions
/// ([`Game::promise`]) and keeps at most k outcomes.
///
/// [`Game::promise`]: astragal_core::Game::promise
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// The factor.
    pub c: f64,
    /// The exponent.
    pub alpha: f64,
    /// Whether an outcome beyond the limit is played out instead of being replaced by a kept one. The value
    /// of a chance node then has no bias towards early draws.
    pub unbiased: bool,
}

impl Widening {
    /// The most actions or outcomes of a node with this many visits.
    #[must_use]
    pub fn limit(&self, visits: u32) -> u64 {
        let k = (self.c * libm::pow(f64::from(visits.max(1)), self.alpha)).ceil();
        // At least one; the upper limit exceeds any number of children.
        k.clamp(1.0, 1e9) as u64
    }
}

/// How the value of a node follows from its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backup {
    /// The mean of all simulations through it.
    Mean,
    /// The value of its best child; the mean at chance nodes.
    Minimax,
    /// The power mean of its children's values, scaled to [0, 1] and weighted by visits; the mean at chance
    /// nodes.
    Power {
        /// The exponent: 1 is the mean, infinity the best child.
        p: f64,
    },
}

/// How the final action is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one with the most visits.
    Visits,
    /// The one with the best mean.
    Mean,
}

/// How several threads cooperate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// Each thread has its own tree, and the trees are added up: the same result on every machine.
    Root,
    /// All threads share one lock-free tree. Simulations under way count as losses (virtual loss), so that
    /// threads spread out.
    Tree,
    /// One tree, and all threads play out each leaf: the same result on every machine.
    Leaf,
}

/// The options of a Monte Carlo tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// Selection of actions.
    pub select: Select,
    /// Selection of outcomes.
    pub chance: ChanceRule,
    /// Progressive widening, if any.
    pub widening: Option<Widening>,
    /// Decisions in a playout before the evaluator is applied: 0 applies it at the leaf, `u32::MAX` plays to
    /// the end.
    pub playout_moves: u32,
    /// Playouts at a leaf; their mean is backed up.
    pub playouts: u32,
    /// The probability that a playout move follows the game's policy, if there is one, instead of being
    /// random.
    pub follow: f64,
    /// The value of a node, given its children.
    pub backup: Backup,
    /// The weight of the implicit minimax value of static values in selection; 0 is none.
    pub implicit: f64,
    /// RAVE: visits at which an action's mean and its all-moves-as-first mean have equal weight; 0 is none.
    pub rave: f64,
    /// Search seeding: the number of visits that the static value of an action stands for; 0 is none.
    pub seeding: f64,
    /// Progressive bias: the weight of the static value of an action, divided by its visits plus one; 0 is
    /// none.
    pub bias: f64,
    /// Whether proved bounds of values cut off actions and end the search.
    pub solver: bool,
    /// The final choice.
    pub choice: Choice,
    /// The number of threads.
    pub threads: u32,
    /// How they cooperate.
    pub parallel: Parallel,
    /// The memory limit of all trees together, in MiB.
    pub memory_mib: u32,
    /// Whether the next search continues with the reusable part of the tree.
    pub reuse: bool,
}

impl MctsOptions {
    /// Whether selection uses only visits and values.
    pub(super) fn is_simple(&self) -> bool {
        !self.solver
            && self.implicit.max(self.rave).max(self.seeding).max(self.bias) <= 0.0
            && matches!(self.select, Select::Ucb1 { .. })
    }

    /// Whether every node on the path is updated with the value of the simulation and nothing else, apart
    /// from RAVE.
    pub(super) fn backs_up_means_only(&self) -> bool {
        !self.solver && self.implicit <= 0.0 && self.backup == Backup::Mean
    }

    /// Explains why these options contradict each other, if they do.
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
    /// Plain UCT with playouts to the end.
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
