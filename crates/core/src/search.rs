//! The input and the output of a search.
//!
//! Not here: any algorithm. A search reads no clock: it queries its [`Watch`], which the caller provides.

use crate::{Budget, Clock, Game, Interval, Limit, Turn, Unwatched, Watch};
use std::ops::Add;

#[cfg(feature = "serde")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Why a search ended; as an error, why a subtree has no value.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The depth of the budget was reached.
    Depth,
    /// The whole tree below the root is known: a deeper search would change nothing.
    Complete,
    /// The nodes were used up.
    Nodes,
    /// The iterations were used up.
    Iterations,
    /// The time was used up.
    Time,
    /// The watch requested it.
    Cancelled,
    /// There was nothing to search: the position was to be looked up in a solution that does not hold it.
    Unknown,
}

impl Stop {
    /// The name used in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Complete => "complete",
            Self::Nodes => "nodes",
            Self::Iterations => "iterations",
            Self::Time => "time",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }
}

/// What a search did.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States visited: decisions, chance nodes and leaves alike.
    pub nodes: u64,
    /// Leaves among them: finished games and evaluated states.
    pub leaves: u64,
    /// Finished games among the leaves of the tree; ends of playouts are not counted.
    pub finished: u64,
    /// Leaves, or ends of playouts, that an evaluator valued which knows nothing, see
    /// [`Evaluator::is_neutral`](crate::Evaluator::is_neutral): they count as the middle of the range,
    /// whatever happens there.
    pub unevaluated: u64,
    /// Probes: searches of one action of a successor for a bound.
    pub probes: u64,
    /// Cuts: nodes left before all their children were searched.
    pub cuts: u64,
    /// Draws from the outcomes of chance nodes.
    pub samples: u64,
    /// Answers from the transposition table: values returned, or first moves suggested.
    pub table_hits: u64,
    /// Simulations, in searches that run them.
    pub simulations: u64,
    /// Nodes of the search tree, in searches that keep one.
    pub tree_nodes: u64,
    /// Bytes of its nodes and edges.
    pub tree_bytes: u64,
    /// Whether the tree used up its memory, so that the search continued without adding nodes.
    pub tree_full: bool,
}

/// Adds the work of both; the tree is that of the left operand.
impl Add for Counts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            leaves: self.leaves + other.leaves,
            finished: self.finished + other.finished,
            unevaluated: self.unevaluated + other.unevaluated,
            probes: self.probes + other.probes,
            cuts: self.cuts + other.cuts,
            samples: self.samples + other.samples,
            table_hits: self.table_hits + other.table_hits,
            simulations: self.simulations + other.simulations,
            ..self
        }
    }
}

/// What a search knows about one action at the root.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<A> {
    /// The action.
    pub action: A,
    /// Its value: exact if the bounds are one point, otherwise the bound that refuted the action.
    pub value: f64,
    /// Certain bounds of the value (in the search's own tree: a sampled tree has a sampled value).
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bounds: Interval,
    /// States visited below it, or simulations through it.
    pub visits: u64,
    /// The standard error of the value, if it is a mean of independent random variables.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub error: Option<f64>,
    /// The standard deviation of the values averaged, in a tree search. They depend on each other and on how
    /// the tree grew, so it does not measure the distance from the mean to the truth.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub deviation: Option<f64>,
}

impl<A> Line<A> {
    /// A line whose value is not a mean.
    #[must_use]
    pub fn new(action: A, value: f64, bounds: Interval, visits: u64) -> Self {
        Self { action, value, bounds, visits, error: None, deviation: None }
    }
}

/// One step of a principal variation.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<A, O> {
    /// The best action.
    Action(A),
    /// The most likely outcome among those searched.
    Outcome(O),
}

impl<T> Step<T, T> {
    /// The action or outcome, where both have the same type, such as text.
    pub fn inner(&self) -> &T {
        match self {
            Self::Action(inner) | Self::Outcome(inner) => inner,
        }
    }
}

/// The result of a search. With text for actions and outcomes it is an analysis that any front end can
/// display.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Debug, PartialEq)]
pub struct Report<A, O> {
    /// The value of the root.
    pub value: f64,
    /// The best action. Among tied actions a deepening search keeps the best of the previous depth; otherwise
    /// the first in the game's order wins. `None` at a chance node or after the end.
    pub best: Option<A>,
    /// Every action whose value equals the best up to rounding (10⁻¹² of the range), in the game's order.
    pub tied: Vec<A>,
    /// The last completed depth, in decisions.
    pub depth: u32,
    /// Why the search ended.
    pub stop: Stop,
    /// One line for each action at the root, in the game's order.
    pub lines: Vec<Line<A>>,
    /// The best line of play, through the most likely outcome of each chance node.
    pub pv: Vec<Step<A, O>>,
    /// The work of the whole search, unfinished work included.
    pub counts: Counts,
}

impl<A, O> Report<A, O> {
    /// A report with only a value: what is known without a search.
    #[must_use]
    pub fn unsearched(value: f64, stop: Stop) -> Self {
        Self {
            value,
            best: None,
            tied: Vec::new(),
            depth: 0,
            stop,
            lines: Vec::new(),
            pv: Vec::new(),
            counts: Counts::default(),
        }
    }
}

/// Part of the tree that a search has built, for display.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Debug, PartialEq)]
pub struct Branch<A, O> {
    /// The step from the parent; `None` at the root.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub step: Option<Step<A, O>>,
    /// Who acts.
    pub turn: Turn,
    /// The probability of the outcome that leads here.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub weight: Option<f64>,
    /// Simulations through it.
    pub visits: u64,
    /// Its value, for Max.
    pub value: f64,
    /// Certain bounds of its value.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bounds: Interval,
    /// The children shown.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub children: Vec<Branch<A, O>>,
    /// The number of visited children not shown.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub hidden: usize,
}

/// A search algorithm, configured and ready to run.
pub trait Searcher<G: Game>: Send {
    /// Searches from `root` with seed 0, with a clock if the budget has a time limit.
    ///
    /// # Panics
    /// If the budget has a limit that this search does not heed.
    fn search(&mut self, game: &G, root: &G::State, budget: Budget) -> Report<G::Action, G::Outcome> {
        match budget.time {
            Some(_) => self.search_with(game, root, 0, &budget, &mut Clock::start()),
            None => self.search_with(game, root, 0, &budget, &mut Unwatched),
        }
    }

    /// Searches from `root` with a seed and hooks. The report is a pure function of the arguments and of the
    /// searcher's configuration, unless the budget or the watch depends on time, the searcher reuses its last
    /// tree, or several threads share a tree or the table of alpha-beta.
    ///
    /// # Panics
    /// If the budget has a limit that this search does not heed.
    fn search_with(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        if let Err(error) = budget.check(self.heeds()) {
            panic!("contract: this search has {error}");
        }
        self.run(game, root, seed, budget, watch)
    }

    /// The limits of a budget that this search heeds.
    fn heeds(&self) -> &'static [Limit];

    /// The search itself, within a budget that has only limits that it heeds. Callers use
    /// [`Searcher::search_with`], which checks this.
    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome>;

    /// The tree of the last search, down to a depth in steps and to nodes with at least this many visits;
    /// `None` if this kind of search keeps no tree.
    fn tree(&self, _game: &G, _depth: u32, _visits: u64) -> Option<Branch<G::Action, G::Outcome>> {
        None
    }
}
