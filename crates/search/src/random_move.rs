//! Random legal actions: no search, but a baseline opponent for searches.

use crate::configured::{Configured, Parts};
use crate::rule::unsearched;
use astragal_core::{
    Budget, EngineInfo, Evaluator, Game, Limit, Report, Sampler, Searcher, Values, Watch, below,
};

/// Chooses uniformly among the legal actions, as a pure function of the seed and the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomMove;

impl<G: Game> Searcher<G> for RandomMove {
    fn heeds(&self) -> &'static [Limit] {
        &[]
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        _budget: &Budget,
        _watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        let bits = Sampler::new(seed).draw(game.key(root).hash(), 0, 0);
        unsearched(game, root, |actions| actions[below(bits, actions.len() as u64) as usize])
    }
}

impl Configured for RandomMove {
    const ENGINES: &'static [EngineInfo] = &[EngineInfo {
        name: "random",
        help: "a uniformly random legal action: a baseline opponent",
        ..EngineInfo::BLANK
    }];

    fn is_endless(_: &Values) -> bool {
        false
    }

    fn build<G: Game + 'static, E: Evaluator<G> + 'static>(
        _: &Values,
        _: Parts<G, E>,
    ) -> Box<dyn Searcher<G>> {
        Box::new(Self)
    }
}
