//! Exact solutions of games that are small enough to hold every position.
//!
//! [`solve`] visits every reachable state. If no state can recur (be reached from itself), each is valued
//! once, after all its successors (retrograde analysis); it takes at most [`BYTES_A_STATE`], or nothing if
//! it is a decision directly after a chance event that is reached in no other way. Otherwise the states are
//! grouped by mutual dependence, and each group is swept repeatedly until nothing changes (value iteration);
//! that takes up to [`BYTES_A_RETURNING_STATE`]. The result is the value under perfect play, the V(s) of
//! *Monte Carlo \*-Minimax Search*, section 4.3.
//!
//! - `table.rs`: values by key, stored compactly
//! - `descent.rs`: the values where no state can recur
//! - `graph.rs`: every reachable state and its successors
//! - `growth.rs`: whether the states seem to have no bound
//! - `order.rs`: which states depend on each other
//! - `iteration.rs`: their values
//! - `file.rs`: solutions on disk
//! - `perfect.rs`: the player that uses a solution

mod descent;
mod file;
mod graph;
mod growth;
mod iteration;
mod order;
mod perfect;
mod table;

pub use file::FileError;
pub use growth::Growth;
pub use perfect::{Perfect, SolveFirst};
pub use table::BYTES_A_STATE;

/// The most memory that a state took, in bytes, in the games tried in which states can recur: in Pig, which
/// has many outcomes.
pub const BYTES_A_RETURNING_STATE: u64 = 300;

use astragal_core::{Game, Player, Stop, Turn};
use graph::Graph;
use growth::Question;
use table::Table;

/// The quantity to solve for. The default is the payoff.
pub trait Objective<G: Game>: Sync {
    /// Its name, which is stored in the solution's file: values of one objective mean nothing to another.
    fn name(&self) -> &str {
        PAYOFF
    }

    /// The magnitude of the values; the tolerance of value iteration is a share of it.
    fn scale(&self, game: &G) -> f64 {
        game.range().width()
    }

    /// The value of the end of a game to Max, given its payoff.
    fn end(&self, payoff: f64) -> f64 {
        payoff
    }

    /// The immediate reward of an action to Max, in addition to the value of what follows.
    fn reward(&self, _game: &G, _state: &G::State, _action: G::Action) -> f64 {
        0.0
    }
}

/// The name of the payoff as an objective.
pub const PAYOFF: &str = "payoff";

/// The payoff at the end, without rewards before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Payoff;

impl<G: Game> Objective<G> for Payoff {}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// The maximum number of states whose values are stored.
    pub states: usize,
    /// Value iteration ends when no value changes by more than this share of the objective's scale, which for
    /// payoffs is the width of the range.
    pub tolerance: f64,
    /// The maximum number of sweeps of value iteration for each group of mutually dependent states.
    pub sweeps: u32,
    /// Threads to use. The result does not depend on their number.
    pub threads: usize,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self { states: 200_000_000, tolerance: 1e-15, sweeps: 100_000, threads: 2 }
    }
}

/// The progress of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// The number of states found.
    Found(usize),
    /// The number of states whose values are final.
    Valued(usize),
    /// A sweep over mutually dependent states is complete.
    Sweep {
        /// Its number.
        sweep: u32,
        /// The largest change of a value in the sweep.
        residual: f64,
    },
}

/// Hooks into a running solver: progress, cancellation.
pub trait Supervisor {
    /// Receives a progress report.
    fn progress(&mut self, _progress: Progress) {}
    /// Hears, once and early, that the states of a large game seem to grow without bound.
    fn growing(&mut self, _growth: &Growth) {}
    /// Whether to stop.
    fn cancelled(&mut self) -> bool {
        false
    }
}

/// No hooks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsupervised;

impl Supervisor for Unsupervised {}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq)]
pub enum Unsolved {
    /// More states must be stored than this limit.
    TooLarge(usize),
    /// More states must be stored than this limit, and they seem to grow without bound.
    Growing(usize, Growth),
    /// The values still change by this much after all sweeps.
    Unsettled(f64),
    /// The supervisor cancelled it.
    Cancelled,
}

impl std::fmt::Display for Unsolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge(most) => write!(f, "more states must be stored than the limit of {most}"),
            Self::Growing(most, growth) => write!(f, "{}; {growth}", Self::TooLarge(*most)),
            Self::Unsettled(residual) => write!(f, "the values still change by {residual} after all sweeps"),
            Self::Cancelled => f.write_str("given up"),
        }
    }
}

impl std::error::Error for Unsolved {}

impl From<Stop> for Unsolved {
    fn from(_: Stop) -> Self {
        Self::Cancelled
    }
}

/// The work of a solver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveCounts {
    /// States: decisions, chance states and ends. In a game in which few decisions directly after a chance
    /// event are shared, these may be counted more than once.
    pub states: usize,
    /// Decisions among them.
    pub decisions: usize,
    /// Chance states among them.
    pub chances: usize,
    /// States that can be reached from themselves.
    pub cyclic: usize,
    /// The largest number of sweeps that a group of them took.
    pub sweeps: u32,
    /// The largest change of a value in the last sweep.
    pub residual: f64,
}

/// The value of every reachable state.
#[derive(Clone, Debug)]
pub struct Solution {
    table: Table,
    work: SolveCounts,
    objective: String,
}

impl Solution {
    /// The value of a state under perfect play, with the payoff as objective; `None` if it was not reached
    /// and cannot be derived from its successors. For a solution of another objective this returns stored
    /// values only; see [`Solution::value_for`].
    pub fn value<G: Game>(&self, game: &G, state: &G::State) -> Option<f64> {
        if self.objective == PAYOFF {
            self.value_for(game, &Payoff, state)
        } else {
            self.table.get(game.key(state))
        }
    }

    /// The value of a state for the objective solved for; `None` if it was not reached and cannot be derived
    /// from its successors.
    pub fn value_for<G: Game, O: Objective<G>>(
        &self,
        game: &G,
        objective: &O,
        state: &G::State,
    ) -> Option<f64> {
        let kept = self.kept(game, objective, state);
        kept.or_else(|| match game.turn(state) {
            Turn::Decide(player) => {
                let mut actions = Vec::new();
                game.actions(state, &mut actions);
                let mut best = -player.sign() * f64::INFINITY;
                for action in actions {
                    let value = self.action_value(game, objective, state, action)?;
                    best = if player == Player::Max { best.max(value) } else { best.min(value) };
                }
                Some(best)
            }
            Turn::Chance | Turn::Over(_) => None,
        })
    }

    /// The value of a stored state or of a finished game. Every state after an action is one or the other.
    fn kept<G: Game, O: Objective<G>>(&self, game: &G, objective: &O, state: &G::State) -> Option<f64> {
        self.table.get(game.key(state)).or_else(|| match game.turn(state) {
            Turn::Over(payoff) => Some(objective.end(payoff)),
            _ => None,
        })
    }

    /// The value of each action of a decision state, in the game's order, with the payoff as objective;
    /// `None` if a successor was not reached.
    pub fn action_values<G: Game>(&self, game: &G, state: &G::State) -> Option<Vec<(G::Action, f64)>> {
        let mut actions = Vec::new();
        game.actions(state, &mut actions);
        let value = |action| self.action_value(game, &Payoff, state, action).map(|value| (action, value));
        actions.into_iter().map(value).collect()
    }

    /// The value of an action for the objective solved for: its reward and the value of its successor; `None`
    /// if that was not reached.
    pub fn action_value<G: Game, O: Objective<G>>(
        &self,
        game: &G,
        objective: &O,
        state: &G::State,
        action: G::Action,
    ) -> Option<f64> {
        let mut child = state.clone();
        game.apply(&mut child, action);
        self.kept(game, objective, &child).map(|value| objective.reward(game, state, action) + value)
    }

    /// The name of the objective solved for.
    #[must_use]
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// The work of the solver.
    #[must_use]
    pub fn work(&self) -> &SolveCounts {
        &self.work
    }

    /// The number of states whose values are stored. The values of others, decisions directly after a chance
    /// event, follow from these.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether no state is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.len() == 0
    }
}

/// Solves a game from the given states.
///
/// # Errors
/// If there are too many states, the values do not converge, or the supervisor cancels.
pub fn solve<G: Game, O: Objective<G>>(
    game: &G,
    roots: &[G::State],
    objective: &O,
    options: &SolveOptions,
    supervisor: &mut dyn Supervisor,
) -> Result<Solution, Unsolved> {
    let name = objective.name();
    let mut question = Question::default();
    let descended = descent::values(game, roots, objective, options.states, &mut question, supervisor)?;
    if let Some((table, work)) = descended {
        return Ok(Solution { table, work, objective: name.into() });
    }
    let (graph, places) = Graph::explore(game, roots, objective, options.states, &mut question, supervisor)?;
    let groups = order::groups(&graph);
    let scale = objective.scale(game);
    let (values, mut work) =
        iteration::values(&graph, &groups, options, scale, game.range().middle(), supervisor)?;
    work.states = graph.len();
    for node in 0..graph.len() {
        match graph.kind(node) {
            graph::Kind::Decide(Player::Max | Player::Min) => work.decisions += 1,
            graph::Kind::Chance => work.chances += 1,
            graph::Kind::Over => {}
        }
    }
    let mut table = Table::with_room(places.len());
    for (key, place) in places {
        table.set(key, values[place as usize]);
    }
    Ok(Solution { table, work, objective: name.into() })
}
