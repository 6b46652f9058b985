//! The prospects of a throw: the value of every outcome one decision deep, from which luck is measured, as in
//! backgammon programs.

use astragal_core::{Evaluator, Key, Notation, Player, Turn, Weighted, estimate, pick};

/// The prospects of a throw; see [`Position::prospects`](crate::Position::prospects).
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects {
    /// The player most likely to decide next; none if the game most likely ends.
    pub owner: Option<Player>,
    /// The value of each outcome, in the game's order: the value of the best action after it.
    pub values: Vec<Weighted<f64>>,
}

impl Prospects {
    /// The mean of the values.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.values.iter().map(|outcome| outcome.weight * outcome.item).sum()
    }
}

/// The prospects of a throw, by an evaluator.
pub(crate) fn prospects<G: Notation>(game: &G, evaluator: &impl Evaluator<G>, state: &G::State) -> Prospects {
    let mut outcomes = Vec::new();
    game.outcomes(state, &mut outcomes);
    let mut next_is = [0.0; 3];
    let mut values = Vec::with_capacity(outcomes.len());
    // If outcomes are not merged, many successive ones lead to the same state.
    let mut last: Option<(Key, f64)> = None;
    for Weighted { item, weight } in outcomes {
        let mut next = state.clone();
        game.resolve(&mut next, item);
        next_is[match game.turn(&next) {
            Turn::Decide(player) => player.index(),
            _ => 2,
        }] += weight;
        let key = game.key(&next);
        let value = match last {
            Some((same, value)) if same == key => value,
            _ => best_reply(game, evaluator, &next),
        };
        last = Some((key, value));
        values.push(Weighted { item: value, weight });
    }
    let [max, min, over] = next_is;
    let owner = if over > max.max(min) {
        None
    } else if max >= min {
        Some(Player::Max)
    } else {
        Some(Player::Min)
    };
    Prospects { owner, values }
}

/// The value of a state one decision deep: the static value after the best action. To an evaluator that
/// ignores the dice, outcomes differ only in the actions that they allow. With a single action it is the
/// static value of the state itself: looking past a forced action would cost much and add nothing.
fn best_reply<G: Notation>(game: &G, evaluator: &impl Evaluator<G>, state: &G::State) -> f64 {
    let Turn::Decide(player) = game.turn(state) else { return static_value(game, evaluator, state) };
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    if actions.len() == 1 {
        return static_value(game, evaluator, state);
    }
    let after = |action: G::Action| {
        let mut next = state.clone();
        game.apply(&mut next, action);
        static_value(game, evaluator, &next)
    };
    let better = |best: f64, value: f64| if player.prefers(value, best) { value } else { best };
    actions.into_iter().map(after).reduce(better).expect("contract: a player has an action")
}

/// The static value of a state; for a chance state, that of the outcome in the middle. With any fixed
/// function of the state luck has mean 0; the mean over all outcomes would take six times as long in
/// EinStein, and give the same number there.
fn static_value<G: Notation>(game: &G, evaluator: &impl Evaluator<G>, state: &G::State) -> f64 {
    match game.turn(state) {
        Turn::Over(payoff) => payoff,
        Turn::Decide(_) => estimate(game, evaluator, state),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let mut next = state.clone();
            game.resolve(&mut next, pick(&outcomes, 0.5).item);
            static_value(game, evaluator, &next)
        }
    }
}
