//! The Kalah of the thesis (section 3.2): its boards, its players and its matches.
//!
//! Every board is a random start, in which each stone lies in a randomly drawn pit, and is played twice with
//! seats swapped; all matches of an experiment use the same boards. Minimax is plain alpha-beta, without move
//! ordering, which the thesis does not mention. Where nodes are matched, a UCT player gets as many
//! simulations as Minimax visits nodes at the same position.

use crate::duels::Duel;
use astragal_arena::terms::{Finish, Terms};
use astragal_core::Budget;
use astragal_games::kalah::{Kalah, Stores};
use astragal_search::{Choice, Mcts, MctsOptions, Select};

/// A board: the pits per side and the stones per pit.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) pits: u32,
    pub(super) stones: u32,
}

/// The board of nearly all experiments.
pub(super) const USUAL: Board = Board { pits: 6, stones: 4 };
/// The larger board of section 4.4.
pub(super) const LARGE: Board = Board { pits: 8, stones: 6 };

/// The exploration constant that the thesis found best, for values in stones.
pub(super) const BEST_C: f64 = 2.5;

impl Board {
    /// The game.
    pub(super) fn spec(self) -> String {
        format!("kalah(pits={},stones={})", self.pits, self.stones)
    }

    /// Its name in the thesis.
    pub(super) fn name(self) -> String {
        format!("({}, {})", self.pits, self.stones)
    }

    /// Converts an exploration constant in stones to ours, which is for values from −1 to 1.
    pub(super) fn c(self, stones: f64) -> f64 {
        stones / f64::from(2 * self.pits * self.stones)
    }

    /// UCT_H with a constant in stones.
    pub(super) fn uct_h(self, c: f64) -> String {
        format!("uct-h(c={})", self.c(c))
    }

    /// The same as a searcher.
    pub(super) fn uct_h_search(self, c: f64) -> Mcts<Kalah, Stores> {
        let (select, choice) = (Select::Ucb1 { c: self.c(c) }, Choice::Mean);
        Mcts::with_options(Stores, MctsOptions { select, playout_moves: 0, choice, ..MctsOptions::default() })
    }

    /// UCTMAX_H with a constant in stones.
    pub(super) fn uctmax_h(self, c: f64) -> String {
        format!("uctmax-h(c={})", self.c(c))
    }
}

/// MM-k.
pub(super) fn mm(depth: u32) -> String {
    format!("alpha-beta(depth={depth},plain=on,order=off)")
}

/// The player of both sides at the end of partial games: MM-k with all its accelerations.
pub(super) fn finish(when: &str, depth: u32) -> Finish {
    format!("{when}:alpha-beta(depth={depth})").parse().expect("it is written so")
}

/// A match between a player that gets as many simulations as MM-k visits nodes, and MM-k.
pub(super) fn matched(board: Board, player: String, depth: u32, pairs: u64) -> Duel {
    Duel {
        game: board.spec(),
        engines: [player, mm(depth)],
        budgets: Budget::default().into(),
        terms: Terms { deal: true, match_nodes: true, ..Terms::default() },
        pairs,
    }
}
