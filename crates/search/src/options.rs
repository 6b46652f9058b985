//! The configuration of the \*-Minimax family.

/// The deepest search, in decisions. Recursion takes stack space, and no budget may exhaust it.
pub const DEEPEST: u32 = 1000;

/// How chance nodes are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// All outcomes, no pruning.
    Expectimax,
    /// Windows and cutoffs at chance nodes.
    Star1,
    /// Star1 after probing some actions of each successor.
    Star2 {
        /// Actions probed: 1 is Ballard's Star2, more is Star2.5 (cyclic), 0 is Star1.
        probes: u32,
    },
}

/// Which outcomes of a chance node are searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chance {
    /// All of them.
    Exact,
    /// A sample, as in sparse sampling.
    Sample {
        /// Draws at a node without a decision above it.
        width: u32,
        /// The factor by which the width shrinks with each decision from the root, above 0 and at most 1: see
        /// [`sample_widths`](crate::sample_widths).
        decay: f64,
        /// How they are drawn.
        scheme: Scheme,
        /// What the draws depend on.
        keys: Keys,
        /// Whether a node with at most `width` outcomes is searched exactly instead. The paper samples there
        /// as well.
        enumerate: bool,
    },
}

/// How a sample is drawn. Every scheme is unbiased and its weights sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Independent draws with replacement, as in the paper.
    Iid,
    /// Distinct outcomes: those likelier than their share are always included, the others by lot in
    /// proportion to their weights.
    Without,
    /// One random point, and the others at equal distances of probability from it.
    Systematic,
    /// One draw from each of equally likely strata.
    Stratified,
}

/// What the draws at a chance node depend on, in addition to the seed and the remaining depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The path from the root: nodes sample independently of each other, as Theorem 1 assumes.
    Path,
    /// The state: it has one sampled value at each depth, which a table may return. If widths shrink, it also
    /// has one for each depth of the whole search.
    State,
    /// The path from the root without its last step: all actions of a decision that lead directly to a chance
    /// node see the same dice, so that none is luckier than another. In EinStein that is every action.
    Siblings,
}

/// How the transposition table is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// No table.
    Off,
    /// The stored best action of a state is tried first when the state recurs, as in the paper.
    Order,
    /// In addition, stored values and bounds are returned.
    Values,
}

/// The options of the \*-Minimax family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How chance nodes are evaluated.
    pub algorithm: Algorithm,
    /// Which outcomes are searched.
    pub chance: Chance,
    /// The deepest search, at most [`DEEPEST`]; a budget may set less.
    pub depth: u32,
    /// The least remaining depth at which nodes are pruned; below it, maintaining bounds costs more than it
    /// saves. 0 stands for 3, as in the paper, if the evaluator is quick or `horizon` is off, and otherwise
    /// for 1.
    pub prune_from: u32,
    /// How the transposition table is used.
    pub table: TableUse,
    /// Its size in MiB.
    pub table_mib: u32,
    /// Whether actions are ordered by the game's promise, and at the root by the values of the previous
    /// depth. With `horizon`, the outlook of the states after them takes precedence over promise.
    pub order: bool,
    /// Whether bounds use the horizon: the evaluator's bounds for the remaining depth are used, and the most
    /// uncertain outcomes are searched first. Otherwise bounds are those of the game, as in the paper.
    pub horizon: bool,
    /// Whether every action at the root gets its exact value instead of a bound.
    pub all_lines: bool,
    /// Threads, for games with chance and budgets in depth or time. They share results through the table,
    /// which must store values. At equal depth the report is that of one thread, except for counts and times;
    /// a search that has followed every line to its end may detect that slightly sooner or later.
    pub threads: u32,
}

impl Options {
    /// The algorithm with exact chance, without a table, and with horizon bounds.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Self {
        Self {
            algorithm,
            chance: Chance::Exact,
            depth: DEEPEST,
            prune_from: 0,
            table: TableUse::Off,
            table_mib: 16,
            order: true,
            horizon: true,
            all_lines: false,
            threads: 1,
        }
    }

    /// Samples this many outcomes at each chance node, independently and keyed by path.
    #[must_use]
    pub fn sampled(self, width: u32) -> Self {
        let chance =
            Chance::Sample { width, decay: 1.0, scheme: Scheme::Iid, keys: Keys::Path, enumerate: true };
        Self { chance, ..self }
    }

    /// Whether the machine has enough memory for the table.
    #[must_use]
    pub fn affordable(&self) -> bool {
        self.table == TableUse::Off || crate::table::Memory::fits(self.table_mib)
    }

    /// Explains why these options contradict each other, if they do.
    #[must_use]
    pub fn contradiction(&self) -> Option<&'static str> {
        match self.chance {
            _ if self.threads == 0 => Some("threads must be at least 1"),
            _ if self.threads > 1 && self.table != TableUse::Values => {
                Some("threads share what they find through the table: use table=values")
            }
            Chance::Sample { width: 0, .. } => Some("a sample of width 0 is empty"),
            Chance::Sample { decay, .. } if !(decay > 0.0 && decay <= 1.0) => {
                Some("widths shrink by a factor above 0 and at most 1")
            }
            Chance::Sample { keys: Keys::Path | Keys::Siblings, .. } if self.table == TableUse::Values => {
                Some(
                    "table=values needs one value for each state, but with keys=path and keys=siblings a state is \
                 sampled anew on each path; use keys=state or table=order",
                )
            }
            _ => None,
        }
    }
}
