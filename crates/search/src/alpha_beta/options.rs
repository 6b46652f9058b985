//! The options of alpha-beta.

use crate::options::DEEPEST;

/// How a state at the depth limit is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafValue {
    /// The evaluator.
    Evaluator,
    /// The mean payoff of this many random games (the thesis calls such a player MM-k-nR).
    Playouts(u32),
}

/// The options of alpha-beta. The first group changes only the work, never the value of the root; the second
/// changes values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBetaOptions {
    /// The deepest search, at most [`DEEPEST`]; a budget may set less.
    pub depth: u32,
    /// How leaves are evaluated.
    pub leaf: LeafValue,
    /// Decisions of a playout before the evaluator is applied.
    pub playout_moves: u32,

    /// Whether to deepen iteratively, instead of searching only the target depth if there is one.
    pub deepening: bool,
    /// The increment of iterative deepening.
    pub step: u32,
    /// Whether, after some iterative deepening, to search to the end of the game for the value under perfect
    /// play.
    pub to_the_end: bool,
    /// The size of the transposition table in MiB, 0 for none.
    pub table_mib: u32,
    /// Whether actions are ordered by the game's promise.
    pub order: bool,
    /// Killer heuristic: whether actions that caused a cutoff at the same distance from the root are tried
    /// early.
    pub killers: bool,
    /// History heuristic: whether actions that often caused a cutoff anywhere are tried early.
    pub history: bool,
    /// Principal variation search: whether all actions but the first get a null window, to show that they are
    /// no better, and are searched again only if they are.
    pub scout: bool,
    /// The half-width of the aspiration window around the value of the previous depth; 0 for none.
    pub aspiration: f64,
    /// Whether every action at the root gets its exact value instead of a bound.
    pub all_lines: bool,
    /// Threads that search in parallel and share the table; more than one is not repeatable.
    pub threads: u32,

    /// Quiescence search: the most consecutive forcing actions after a leaf before it is evaluated; 0 for
    /// none.
    pub quiescence: u32,
    /// Null move: how much shallower the search after passing is than after an action; 0 for none.
    pub null_move: u32,
    /// Futility margin: one decision before the leaves, quiet actions are skipped if the state's estimate is
    /// further than this from the window; 0 for none.
    pub futility: f64,
    /// Late move reductions: the number of actions searched at full depth before quiet ones are reduced; 0
    /// reduces none.
    pub reduce_after: u32,
    /// Whether the answer to a threat is searched one decision deeper.
    pub extend: bool,
}

impl AlphaBetaOptions {
    /// Plain alpha-beta: the thesis's MM-k.
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

    /// Refinements that save work without changing the value of the root.
    #[must_use]
    pub fn exact() -> Self {
        let (deepening, table_mib) = (true, 16);
        Self { deepening, table_mib, order: true, killers: true, history: true, scout: true, ..Self::plain() }
    }

    /// Whether the value of the root equals that of Minimax at the same depth.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.quiescence == 0
            && self.null_move == 0
            && self.futility == 0.0
            && self.reduce_after == 0
            && !self.extend
    }

    /// Whether only the window and the order of actions are used.
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

    /// Explains why these options contradict each other, if they do.
    #[must_use]
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.threads > 1 && self.table_mib == 0 {
            return Some("threads share results through the table: threads above 1 needs table_mib above 0");
        }
        let proves = self.deepening && self.table_mib > 0 && self.leaf == LeafValue::Evaluator;
        if self.to_the_end && (!proves || !self.is_exact() || self.all_lines) {
            return Some(
                "to_the_end needs the table, deepening and exact techniques only, and excludes all_lines",
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

    /// Whether the machine has enough memory for the table.
    #[must_use]
    pub fn affordable(&self) -> bool {
        crate::table::Memory::fits(self.table_mib)
    }
}
