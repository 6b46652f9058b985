//! Exact solutions of games that are small enough to hold every position.
//!
//! [`solve`] visits every state that can be reached. Where none can come back to itself, each is valued once,
//! after all that follows it (retrograde analysis), and takes [`BYTES_A_STATE`] at most, or nothing if it is
//! a decision right after a throw that nothing else leads to. Otherwise it finds out which states depend on
//! each other, and values those together, again and again until nothing changes (value iteration); that takes
//! up to [`BYTES_A_RETURNING_STATE`]. The result is the value under perfect play, the V(s) of *Monte Carlo
//! \*-Minimax Search*, section 4.3.
//!
//! - `table.rs`: values by key, in little memory
//! - `descent.rs`: the values where no state comes back
//! - `graph.rs`: every reachable state and what follows it
//! - `order.rs`: which states depend on each other
//! - `iteration.rs`: their values
//! - `file.rs`: solutions on disk
//! - `perfect.rs`: the player who knows one

mod descent;
mod file;
mod graph;
mod iteration;
mod order;
mod perfect;
mod table;

pub use file::FileError;
pub use perfect::{Perfect, SolveFirst};
pub use table::BYTES_A_STATE;

/// The memory that a state took at most in the games that were tried, in bytes, where states can come back to
/// themselves: in Pig, which has many outcomes.
pub const BYTES_A_RETURNING_STATE: u64 = 300;

use astragal_core::{Game, Player, Stop, Turn};
use graph::Graph;
use table::Table;

/// What is to be found out about a game. The default is its payoff.
pub trait Objective<G: Game>: Sync {
    /// Its name, which the file of a solution carries: values of one objective mean nothing to another.
    fn name(&self) -> &str {
        PAYOFF
    }

    /// How large values are; what value iteration tolerates is a share of it.
    fn scale(&self, game: &G) -> f64 {
        game.range().width()
    }

    /// What the end of a game is worth to Max, given its payoff.
    fn end(&self, payoff: f64) -> f64 {
        payoff
    }

    /// What an action brings to Max at once, besides what follows.
    fn reward(&self, _game: &G, _state: &G::State, _action: G::Action) -> f64 {
        0.0
    }
}

/// The name of the payoff as an objective.
pub const PAYOFF: &str = "payoff";

/// The payoff at the end, and nothing before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Payoff;

impl<G: Game> Objective<G> for Payoff {}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// States whose values are kept at most.
    pub states: usize,
    /// Value iteration ends when no value changes by more than this share of the objective's scale, which is
    /// the width of the range for payoffs.
    pub tolerance: f64,
    /// Sweeps of value iteration at most, for each group of states that depend on each other.
    pub sweeps: u32,
    /// Threads to use. The result does not depend on it.
    pub threads: usize,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self { states: 200_000_000, tolerance: 1e-15, sweeps: 100_000, threads: 2 }
    }
}

/// How far a solution has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// The number of states that were found.
    Found(usize),
    /// The number of states whose values are final.
    Valued(usize),
    /// A sweep over states that depend on each other is done.
    Sweep {
        /// Its number.
        sweep: u32,
        /// The largest change of a value in it.
        residual: f64,
    },
}

/// Hooks into a running solution: progress, cancellation.
pub trait Supervisor {
    /// Hears how far it has come.
    fn progress(&mut self, _progress: Progress) {}
    /// Whether to give up.
    fn cancelled(&mut self) -> bool {
        false
    }
}

/// Nobody looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unsupervised;

impl Supervisor for Unsupervised {}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unsolved {
    /// More states must be kept than are allowed.
    TooLarge(usize),
    /// The values still change after all sweeps, by so much.
    Unsettled(f64),
    /// The supervisor gave up.
    Cancelled,
}

impl std::fmt::Display for Unsolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge(most) => write!(f, "more states must be kept than the limit of {most}"),
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

/// What the solution took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveCounts {
    /// States: decisions, chance and ends. In a game in which few decisions right after a throw are shared,
    /// these may be counted more than once.
    pub states: usize,
    /// Decisions among them.
    pub decisions: usize,
    /// Chance states among them.
    pub chances: usize,
    /// States that can come back to themselves.
    pub cyclic: usize,
    /// The most sweeps that a group of them took.
    pub sweeps: u32,
    /// The largest change of a value in the last sweep.
    pub residual: f64,
}

/// The value of every state that can be reached.
#[derive(Clone, Debug)]
pub struct Solution {
    table: Table,
    work: SolveCounts,
    objective: String,
}

impl Solution {
    /// The value of a state under perfect play, for the payoff as objective; none if neither it nor all that
    /// its actions lead to was reached. Of a solution for another objective this tells only what is kept; see
    /// [`Solution::value_for`].
    pub fn value<G: Game>(&self, game: &G, state: &G::State) -> Option<f64> {
        if self.objective == PAYOFF {
            self.value_for(game, &Payoff, state)
        } else {
            self.table.get(game.key(state))
        }
    }

    /// The value of a state, for the objective that was solved for; none if neither it nor all that its
    /// actions lead to was reached.
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

    /// The value of a state that is kept, or of a finished game. Every state after an action is one of these.
    fn kept<G: Game, O: Objective<G>>(&self, game: &G, objective: &O, state: &G::State) -> Option<f64> {
        self.table.get(game.key(state)).or_else(|| match game.turn(state) {
            Turn::Over(payoff) => Some(objective.end(payoff)),
            _ => None,
        })
    }

    /// The value of each action of a decision state, in the game's order, for the payoff as objective; none
    /// if something was not reached.
    pub fn action_values<G: Game>(&self, game: &G, state: &G::State) -> Option<Vec<(G::Action, f64)>> {
        let mut actions = Vec::new();
        game.actions(state, &mut actions);
        let value = |action| self.action_value(game, &Payoff, state, action).map(|value| (action, value));
        actions.into_iter().map(value).collect()
    }

    /// The value of an action, for the objective that was solved for: what it brings at once and what
    /// follows; none if that was not reached.
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

    /// The name of the objective that was solved for.
    #[must_use]
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// What it took.
    #[must_use]
    pub fn work(&self) -> &SolveCounts {
        &self.work
    }

    /// The number of states whose values it holds. Others, decisions right after a throw, follow from these.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether it holds no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.len() == 0
    }
}

/// Solves a game from some states on.
///
/// # Errors
/// If there are too many states, the values do not settle, or the supervisor gives up.
pub fn solve<G: Game, O: Objective<G>>(
    game: &G,
    roots: &[G::State],
    objective: &O,
    options: &SolveOptions,
    supervisor: &mut dyn Supervisor,
) -> Result<Solution, Unsolved> {
    let name = objective.name();
    if let Some((table, work)) = descent::values(game, roots, objective, options.states, supervisor)? {
        return Ok(Solution { table, work, objective: name.into() });
    }
    let (graph, places) = Graph::explore(game, roots, objective, options.states, supervisor)?;
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
