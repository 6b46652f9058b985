//! The matches of an experiment, played side by side.

use crate::{Bench, Failed};
use astragal_arena::budget::Budgets;
use astragal_arena::contest::{Contest, NoContest, PairRow};
use astragal_arena::terms::Terms;
use astragal_arena::work::Work;

/// A match: a game, two engines with their budgets, the terms, and the number of pairs.
pub(crate) struct Duel {
    /// The game.
    pub(crate) game: String,
    /// The engines; the score shown is that of the first.
    pub(crate) engines: [String; 2],
    /// Their budgets.
    pub(crate) budgets: Budgets,
    /// The other conditions of the match.
    pub(crate) terms: Terms,
    /// The number of pairs.
    pub(crate) pairs: u64,
}

/// Plays all pairs that are not yet in the store, and returns the pairs of each match.
pub(crate) fn play(duels: &[Duel], bench: &mut Bench<'_>) -> Result<Vec<Vec<PairRow>>, Failed> {
    let contests = duels
        .iter()
        .map(|Duel { game, engines, budgets, terms, .. }| {
            let engines = [engines[0].as_str(), engines[1].as_str()];
            Contest::new(game, None, engines, *budgets, terms.clone(), bench.seed)
        })
        .collect::<Result<Vec<Contest>, NoContest>>()?;
    let works: Vec<(&dyn Work, u64)> =
        contests.iter().zip(duels).map(|(contest, duel)| (contest as &dyn Work, duel.pairs)).collect();
    bench.units(&works, |at| format!("{}: {}", duels[at].game, duels[at].engines.join(" - ")))?;
    contests.iter().zip(duels).map(|(contest, duel)| bench.results(contest, duel.pairs)).collect()
}
