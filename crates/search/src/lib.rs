//! Search algorithms, independent of any particular game.
//!
//! - [`StarMinimax`]: the \*-Minimax family; [`Expectimax`], [`Star1`] and [`Star2`] name its members
//! - [`AlphaBeta`]: for games without chance, plain or with all its refinements
//! - [`Mcts`]: Monte Carlo tree search; `mcts/simulate.rs` has its four steps
//! - [`Flat`]: sampling at the root alone, with and without bandit rules; [`regret`] is the bandit problem
//!   itself
//! - [`Hybrid`]: sampling in quiet positions, alpha-beta where games end
//! - [`RandomMove`], [`ByRule`]: players that do not search
//! - [`Traps`]: moves after which the opponent can force a win within some steps, with proof
//! - [`perft`], [`playouts`]: counting and random play, to check rules
//!
//! # The \*-Minimax family
//!
//! [`StarMinimax`] is the \*-Minimax family of *Monte Carlo \*-Minimax Search*: Expectimax, Star1 and Star2
//! with exact chance, and expSS, star1SS and star2SS with sampled chance. Without chance they are Minimax and
//! Alpha-Beta. With the same outcome sets they return the same root value, bit for bit; they differ in the
//! work they need:
//!
//! | file | what | section |
//! |---|---|---|
//! | `expectimax.rs` | the depth-limited value itself | 2.1, equation 1 |
//! | `decision.rs` | decision nodes with a window | 2.1, procedures alphabeta1 and alphabeta2 |
//! | `star1.rs` | chance nodes with a window | 2.1, algorithm 1 |
//! | `star2.rs` | chance nodes that probe first | 2.1, algorithm 2 |
//! | `sum.rs` | the bounds of a chance node | 2.1, functions pess, opti, childAlpha, childBeta |
//! | `outcomes.rs` | exact and sampled outcome sets | 3.1, function getOutcomeSet |
//! | `probcut.rs` | forward pruning of chance nodes, off by default | 6, related work |
//! | `widths.rs` | widths that shrink with depth | 5, future work |
//! | `table.rs` | the transposition table | 4.2 |
//! | `deepening.rs` | iterative deepening, the root, and threads | 4.2 |
//!
//! # What the paper's listings get wrong
//!
//! Algorithms 1 and 2 clip the window of a child to the range of the game and then cut when the child's value
//! reaches the *clipped* window. A child that is worth exactly the maximum (a won game) then looks like a cut
//! although nothing is decided: two equally likely outcomes, both worth 10 in a game of range ±10, searched
//! with the window [−10, 10], give 0 instead of 10. Here a chance node is cut only when the sum of its bounds
//! has left its own window; see `sum.rs`. The sentence on Star2 that calls the probe of a Min node a lower
//! bound means an upper bound.
//!
//! # Horizon bounds
//!
//! The paper bounds an unfinished child by the range of the game, and so hardly ever prunes, although a
//! search of a few decisions cannot move the value far.
//! [`Evaluator::horizon`](astragal_core::Evaluator::horizon) bounds how far, and its bounds are used wherever
//! those of the game are: for the children of chance nodes, which are searched in order of weight times
//! uncertainty, and before any node is searched. The largest savings are just above the leaves. An evaluator
//! that ignores the dice has one value for all leaves of a chance node, so that a single evaluation replaces
//! them, unless the exact sum is needed. A window that no value can leave costs nothing: the outcomes are
//! summed as in Expectimax. `horizon=off` leaves the bounds as they are in the paper.
//!
//! # Why the values are equal to the last bit
//!
//! The value of a chance node is the plain sum of weight times value in outcome order, in floating-point
//! arithmetic. Rounding is monotone: replace each value by something at least as large, add up in the same
//! order, and the rounded sum is at least as large. So bounds summed in the same order bound the rounded sum
//! itself, not only the real number it approximates, and a cut based on them alone can never change a result.
//! Bounds are updated incrementally, which is cheaper but rounds differently; a cut that they indicate is
//! confirmed by such a sum before it is made.

mod alpha_beta;
mod bandit;
mod builders;
mod configured;
mod decision;
mod deepening;
mod expectimax;
mod flat;
mod hybrid;
mod limits;
mod listing;
mod look;
mod mcts;
mod options;
mod outcomes;
mod perft;
mod playout;
mod probcut;
mod random_move;
mod rank;
mod rule;
mod star1;
mod star2;
mod sum;
mod table;
mod theorem;
mod threads;
mod traps;
mod variation;
mod walk;
mod widths;

pub use alpha_beta::{AlphaBeta, AlphaBetaOptions, LeafValue};
pub use bandit::{BanditRule, regret};
pub use builders::{Expectimax, Star1, Star2};
pub use configured::{Configured, Parts};
pub use deepening::StarMinimax;
pub use flat::{Allocation, Flat, FlatOptions};
pub use hybrid::{Hybrid, HybridOptions};
pub use look::Look;
pub use mcts::{Backup, ChanceRule, Choice, Mcts, MctsOptions, Parallel, Select, Widening, ucb1};
pub use options::{Algorithm, Chance, DEEPEST, Keys, Options, Scheme, TableUse};
pub use perft::{perft, perft_watched};
pub use playout::{Guide, Playout, Tally, playouts};
pub use probcut::{Fit, ProbCut};
pub use random_move::RandomMove;
pub use rule::ByRule;
pub use sum::{ChanceBounds, chance_bounds};
pub use theorem::sparse_sampling_confidence;
pub use traps::{Strategy, Trap, Traps};
pub use widths::sample_widths;
