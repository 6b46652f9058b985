//! The configuration of the \*-Minimax family.

/// The deepest search, in decisions. Recursion takes stack, and no budget should be able to exhaust it.
pub const DEEPEST: u32 = 1000;

/// Which rule values a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Every outcome, no pruning.
    Expectimax,
    /// Windows and cuts at chance nodes.
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
        /// Draws at a node, before any decision.
        width: u32,
        /// By what the width shrinks with each decision from the root, above 0 and at most 1: see
        /// [`sample_widths`](crate::sample_widths).
        decay: f64,
        /// How they are drawn.
        scheme: Scheme,
        /// What the draws depend on.
        keys: Keys,
        /// Whether a node with at most `width` outcomes is taken exactly instead. The paper samples there
        /// too.
        enumerate: bool,
    },
}

/// How a sample is drawn. Every scheme is unbiased and its weights sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Independent draws with replacement, as in the paper.
    Iid,
    /// Different outcomes: those likelier than their share for certain, the others by lot in proportion to
    /// their weights.
    Without,
    /// One draw, and the others at equal distances of probability from it.
    Systematic,
    /// One draw in each of equally likely strata.
    Stratified,
}

/// What the draws at a chance node depend on, besides the seed and the remaining depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The path from the root: nodes sample independently of each other, as Theorem 1 supposes.
    Path,
    /// The state: a state has one sampled value at each depth, so a table may return it. If widths shrink, it
    /// also has one for each depth of the whole search.
    State,
    /// The path from the root without its last step: after all actions of a decision that lead straight to a
    /// throw the same dice fall, so that none of them is the luckier one. In EinStein that is every action.
    Siblings,
}

/// What the transposition table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableUse {
    /// Nothing: there is none.
    Off,
    /// The best action of a state is tried first when the state comes back, as in the paper.
    Order,
    /// Values and bounds are also returned.
    Values,
}

/// The whole configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Which rule values a chance node.
    pub algorithm: Algorithm,
    /// Which outcomes are searched.
    pub chance: Chance,
    /// The deepest search, at most [`DEEPEST`]; a budget may say less.
    pub depth: u32,
    /// Nodes with less remaining depth are not pruned: there, keeping the bounds costs more than it saves. 0
    /// stands for 3, as in the paper, if the evaluator is quick or bounds know no horizon, and otherwise for
    /// 1.
    pub prune_from: u32,
    /// What the transposition table is for.
    pub table: TableUse,
    /// Its size.
    pub table_mib: u32,
    /// Whether actions are tried in the order of the game's promise, and at the root of the last values.
    /// Where bounds know the horizon, how the states after them look comes before promise.
    pub order: bool,
    /// Whether bounds know the horizon: what the evaluator says of a search of the remaining depth counts,
    /// and the most uncertain outcomes come first. Without, bounds are those of the game, as in the paper.
    pub horizon: bool,
    /// Whether every action at the root gets its exact value instead of a bound.
    pub all_lines: bool,
    /// Threads, for games with chance and budgets in depth or time. They share what they find through the
    /// table, so it must hold values. At equal depth the report is that of one thread, except for counts and
    /// times; a search that has seen every line to its end may notice so a little sooner or later.
    pub threads: u32,
}

impl Options {
    /// The algorithm with exact chance, without a table, and with bounds that know the horizon.
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

    /// The same with a sample of this width at each chance node, drawn independently and keyed by path.
    #[must_use]
    pub fn sampled(self, width: u32) -> Self {
        let chance =
            Chance::Sample { width, decay: 1.0, scheme: Scheme::Iid, keys: Keys::Path, enumerate: true };
        Self { chance, ..self }
    }

    /// Whether this machine has the memory for the table.
    #[must_use]
    pub fn affordable(&self) -> bool {
        self.table == TableUse::Off || crate::table::Memory::fits(self.table_mib)
    }

    /// Why these options contradict each other, if they do.
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
