//! The perfect player: it knows the value of every position.

use crate::{Objective, Payoff, Solution};
use astragal_core::{Budget, Counts, Game, Interval, Line, Report, Searcher, Step, Stop, Turn, Watch};
use std::sync::Arc;

/// Plays by a solution of the game. In a position that the solution does not hold it knows nothing and says so: no
/// action has a value, and the first one is played. Values are those of the objective that was solved for, which must
/// be the one given here.
#[derive(Clone, Debug)]
pub struct Perfect<O = Payoff>(pub Arc<Solution>, pub O);

/// Values this close, as a share of the range, are equal: a solution is exact up to rounding.
const TIE: f64 = 1e-11;

impl<G: Game, O: Objective<G> + Send> Searcher<G> for Perfect<O> {
    fn search(
        &mut self,
        game: &G,
        root: &G::State,
        _seed: u64,
        _budget: &Budget,
        _watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        let bounds = game.bounds(root);
        let known = self.0.value(game, root);
        let mut report = Report {
            value: known.unwrap_or(bounds.middle()),
            best: None,
            tied: Vec::new(),
            depth: 0,
            stop: if known.is_some() { Stop::Complete } else { Stop::Depth },
            lines: Vec::new(),
            pv: Vec::new(),
            counts: Counts { nodes: 1, ..Counts::default() },
        };
        if let Turn::Decide(player) = game.turn(root) {
            let mut actions = Vec::new();
            game.actions(root, &mut actions);
            let tie = TIE * game.range().width();
            for action in actions {
                report.counts.nodes += 1;
                let value = self.0.action_value(game, &self.1, root, action);
                report.counts.table_hits += u64::from(value.is_some());
                let (value, bounds) =
                    value.map_or((bounds.middle(), bounds), |value| (value, Interval::point(value)));
                if bounds.is_point() && !player.prefers(report.value, value + player.sign() * tie) {
                    report.tied.push(action);
                }
                report.lines.push(Line { action, value, bounds, visits: 1, error: None });
            }
            report.best = report.tied.first().copied().or(report.lines.first().map(|line| line.action));
            report.tied =
                if report.tied.is_empty() { report.best.into_iter().collect() } else { report.tied };
            report.pv = report.best.map(Step::Action).into_iter().collect();
        }
        report
    }
}
