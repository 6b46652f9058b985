//! A player that follows a fixed policy, without search.

use astragal_core::{Budget, Counts, Game, Limit, Line, Policy, Report, Searcher, Step, Stop, Turn, Watch};

/// Plays by a policy. It does not estimate values: every action gets the bounds of the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByRule<P>(pub P);

impl<G: Game, P: Policy<G>> Searcher<G> for ByRule<P> {
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
        unsearched(game, root, |_| self.0.choose(game, root))
    }
}

/// The report of a player that chooses an action without search.
pub(crate) fn unsearched<G: Game>(
    game: &G,
    root: &G::State,
    choose: impl FnOnce(&[G::Action]) -> G::Action,
) -> Report<G::Action, G::Outcome> {
    let bounds = game.bounds(root);
    let mut value = bounds.middle();
    let (mut actions, mut best) = (Vec::new(), None);
    match game.turn(root) {
        Turn::Over(payoff) => value = payoff,
        Turn::Chance => {}
        Turn::Decide(_) => {
            game.actions(root, &mut actions);
            best = Some(choose(&actions));
        }
    }
    Report {
        best,
        tied: best.into_iter().collect(),
        lines: actions.iter().map(|&action| Line::new(action, value, bounds, 0)).collect(),
        pv: best.map(Step::Action).into_iter().collect(),
        counts: Counts { nodes: 1, ..Counts::default() },
        ..Report::unsearched(value, Stop::Depth)
    }
}
