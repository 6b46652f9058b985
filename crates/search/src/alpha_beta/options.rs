//! The configuration of alpha-beta.

use crate::options::DEEPEST;

/// How a state is valued at which the search stops looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafValue {
    /// By the evaluator.
    Evaluator,
    /// By the mean payoff of this many random games (the thesis calls such a player MM-k-nR).
    Playouts(u32),
}

/// The whole configuration. The first group changes only the work, never the value of the root; the second
/// changes values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBetaOptions {
    /// The deepest search, at most [`DEEPEST`]; a budget may say less.
    pub depth: u32,
    /// How leaves are valued.
    pub leaf: LeafValue,
    /// Decisions of a playout before the evaluator is asked.
    pub playout_moves: u32,

    /// Whether one depth is searched after the other, or the last one alone if there is one.
    pub deepening: bool,
    /// By how much one depth is deeper than the one before.
    pub step: u32,
    /// Whether, after a first look, everything is searched to the end of the game instead of one decision
    /// deeper: for the value under perfect play.
    pub to_the_end: bool,
    /// The size of the transposition table in MiB, 0 for none.
    pub table_mib: u32,
    /// Whether actions are tried in the order of the game's promise.
    pub order: bool,
    /// Whether actions that caused a cut at the same distance from the root are tried early.
    pub killers: bool,
    /// Whether actions that often caused a cut anywhere are tried early.
    pub history: bool,
    /// Principal variation search: whether all actions but the first are only shown to be no better, by a
    /// window with nothing inside, as long as that is so.
    pub scout: bool,
    /// The first window around the value of the depth before, in both directions; 0 for none.
    pub aspiration: f64,
    /// Whether every action at the root gets its exact value instead of a bound.
    pub all_lines: bool,
    /// Threads that search at the same time and share the table; more than one is not repeatable.
    pub threads: u32,

    /// How many forcing actions a leaf is followed by at most before it is valued; 0 for none.
    pub quiescence: u32,
    /// By how much shallower a search after passing is than one after an action; 0 for none.
    pub null_move: u32,
    /// How far from the window a state may be, one decision before the leaves, for quiet actions to be worth
    /// a look; 0 for no such limit.
    pub futility: f64,
    /// How many actions are searched to the full depth before quiet ones are searched less deep; 0 for all.
    pub reduce_after: u32,
    /// Whether the answer to a threat is searched one decision deeper.
    pub extend: bool,
}

impl AlphaBetaOptions {
    /// Alpha-beta and nothing else: the thesis's MM-k.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            depth: DEEPEST,
            leaf: LeafValue::Evaluator,
            playout_moves: u32::MAX,
            deepening: false,
            step: 1,
            to_the_end: false,
            table_mib: 0,
            order: false,
            killers: false,
            history: false,
            scout: false,
            aspiration: 0.0,
            all_lines: false,
            threads: 1,
            quiescence: 0,
            null_move: 0,
            futility: 0.0,
            reduce_after: 0,
            extend: false,
        }
    }

    /// With everything that saves work and leaves the value of the root alone.
    #[must_use]
    pub fn exact() -> Self {
        let (deepening, table_mib) = (true, 16);
        Self { deepening, table_mib, order: true, killers: true, history: true, scout: true, ..Self::plain() }
    }

    /// Whether the value of the root is that of Minimax at the same depth.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.quiescence == 0
            && self.null_move == 0
            && self.futility == 0.0
            && self.reduce_after == 0
            && !self.extend
    }

    /// Whether there is nothing but the window and the order of actions.
    pub(super) fn is_plain(&self) -> bool {
        let Self { depth, leaf, playout_moves, deepening, step, order, all_lines, threads, .. } = *self;
        *self
            == Self {
                depth,
                leaf,
                playout_moves,
                deepening,
                step,
                order,
                all_lines,
                threads,
                ..Self::plain()
            }
    }

    /// Why these options contradict each other, if they do.
    #[must_use]
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.threads > 1 && self.table_mib == 0 {
            return Some("threads help each other through the table: threads above 1 need table_mib above 0");
        }
        let proves = self.deepening && self.table_mib > 0 && self.leaf == LeafValue::Evaluator;
        if self.to_the_end && (!proves || !self.is_exact() || self.all_lines) {
            return Some(
                "to_the_end needs the table, deepening and exact techniques alone, and values one action: no all_lines",
            );
        }
        if self.step == 0 {
            return Some("a step of deepening is at least 1");
        }
        if self.threads == 0 {
            return Some("a search has at least one thread");
        }
        if self.leaf == LeafValue::Playouts(0) {
            return Some("leaf=playouts(n=N) needs at least one playout");
        }
        None
    }

    /// Whether this machine has the memory for the table.
    #[must_use]
    pub fn affordable(&self) -> bool {
        crate::table::Memory::fits(self.table_mib)
    }
}
