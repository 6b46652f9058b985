//! The perfect player, which knows the value of every position from a solution, given or computed on the
//! first search.

use crate::{Objective, Payoff, Solution, SolveOptions, Supervisor, Unsolved, solve};
use astragal_core::{Budget, Game, Interval, Limit, Line, Report, Searcher, Step, Stop, Turn, Watch};
use std::sync::{Arc, Mutex, PoisonError};

/// Plays from a solution of the game. In a position that the solution does not hold it knows nothing: the
/// report ends with [`Stop::Unknown`], no action has an exact value, and the first one is played. Values are
/// those of the objective solved for, which must be the one given here.
#[derive(Clone, Debug)]
pub struct Perfect<O = Payoff>(pub Arc<Solution>, pub O);

/// Values within this share of the range are equal: a solution is exact up to rounding.
const TIE: f64 = 1e-11;

impl<G: Game, O: Objective<G> + Send> Searcher<G> for Perfect<O> {
    fn heeds(&self) -> &'static [Limit] {
        &[]
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        _seed: u64,
        _budget: &Budget,
        _watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        look_up(Some(&self.0), &self.1, game, root)
    }
}

type Solved = Result<Arc<Solution>, Unsolved>;

/// A perfect player that solves its game from the start position on the first search. Clones share the
/// solution.
#[derive(Clone, Debug, Default)]
pub struct SolveFirst {
    options: SolveOptions,
    /// The result of solving, unless it was interrupted.
    solution: Arc<Mutex<Option<Solved>>>,
}

impl SolveFirst {
    /// A player that solves with these options. If the game exceeds them, it plays without any knowledge.
    #[must_use]
    pub fn new(options: SolveOptions) -> Self {
        Self { options, solution: Arc::default() }
    }
}

/// Adapts the hooks of a search to those of the solver.
struct Hooks<'a>(&'a mut dyn Watch);

impl Supervisor for Hooks<'_> {
    fn cancelled(&mut self) -> bool {
        self.0.cancelled()
    }
}

impl<G: Game> Searcher<G> for SolveFirst {
    fn heeds(&self) -> &'static [Limit] {
        &[]
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        _seed: u64,
        _budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        // Concurrent searches wait for the same solution; the result of an interrupted one is discarded.
        let mut kept = self.solution.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.is_none() {
            let solved =
                solve(game, &[game.start()], &Payoff, &self.options, &mut Hooks(watch)).map(Arc::new);
            *kept = Some(solved).filter(|solved| !matches!(solved, Err(Unsolved::Cancelled)));
        }
        let solution = kept.clone().and_then(Result::ok);
        drop(kept);
        let report = look_up(solution.as_deref(), &Payoff, game, root);
        if watch.cancelled() { Report { stop: Stop::Cancelled, ..report } } else { report }
    }
}

/// Reports what a solution knows about a position.
fn look_up<G: Game, O: Objective<G>>(
    solution: Option<&Solution>,
    objective: &O,
    game: &G,
    root: &G::State,
) -> Report<G::Action, G::Outcome> {
    let bounds = game.bounds(root);
    let known = solution.and_then(|solution| solution.value_for(game, objective, root));
    let stop = if known.is_some() { Stop::Complete } else { Stop::Unknown };
    let mut report = Report::unsearched(known.unwrap_or(bounds.middle()), stop);
    report.counts.nodes = 1;
    if let Turn::Decide(player) = game.turn(root) {
        let mut actions = Vec::new();
        game.actions(root, &mut actions);
        let tie = TIE * game.range().width();
        for action in actions {
            report.counts.nodes += 1;
            let value = solution.and_then(|solution| solution.action_value(game, objective, root, action));
            report.counts.table_hits += u64::from(value.is_some());
            let (value, bounds) =
                value.map_or((bounds.middle(), bounds), |value| (value, Interval::point(value)));
            if bounds.is_point() && !player.prefers(report.value, value + player.sign() * tie) {
                report.tied.push(action);
            }
            report.lines.push(Line::new(action, value, bounds, 1));
        }
        report.best = report.tied.first().copied().or(report.lines.first().map(|line| line.action));
        report.tied = if report.tied.is_empty() { report.best.into_iter().collect() } else { report.tied };
        report.pv = report.best.map(Step::Action).into_iter().collect();
    }
    report
}
