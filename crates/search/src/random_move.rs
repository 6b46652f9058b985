//! Any legal action: no search at all, but an opponent to measure searches against.

use astragal_core::{Budget, Counts, Game, Line, Report, Sampler, Searcher, Step, Stop, Turn, Watch, below};

/// Chooses evenly among the legal actions, as a pure function of the seed and the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomMove;

impl<G: Game> Searcher<G> for RandomMove {
    fn search(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        _budget: &Budget,
        _watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        let bounds = game.bounds(root);
        let mut actions = Vec::new();
        let mut value = bounds.middle();
        match game.turn(root) {
            Turn::Over(payoff) => value = payoff,
            Turn::Decide(_) => game.actions(root, &mut actions),
            Turn::Chance => {}
        }
        let bits = Sampler::new(seed).draw(game.key(root).hash(), 0, 0);
        let best = actions.get(below(bits, actions.len() as u64) as usize).copied();
        Report {
            value,
            best,
            tied: best.into_iter().collect(),
            depth: 0,
            stop: Stop::Depth,
            lines: actions.iter().map(|&action| Line { action, value, bounds, visits: 0 }).collect(),
            pv: best.map(Step::Action).into_iter().collect(),
            counts: Counts { nodes: 1, ..Counts::default() },
        }
    }
}
