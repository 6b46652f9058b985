//! Search traps (*Understanding Sampling-Based Adversarial Search*, section 4.1): moves after which the
//! opponent can force a win within a few steps.
//!
//! A player has a k-step winning strategy in a state if they win within k decisions of both players, whatever
//! the opponent does. A move after which the opponent has such a strategy leads to a level-k trap, for the
//! least such k, and a state with such a move is at risk. The results are exact: every line is followed to
//! its end. A strategy is returned as a tree, which [`Strategy::check`] verifies with the rules of the game
//! alone.

use crate::limits::{Limits, Stopped};
use crate::rank::highest_first;
use astragal_core::{Budget, Game, Player, Stop, Turn, Watch};
use std::collections::HashMap;

/// A winning strategy: the winner's actions against every reply of the opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strategy<A> {
    /// The game is over and won.
    Won,
    /// The winner's action.
    Do(A, Box<Self>),
    /// All legal actions of the opponent, with the strategy against each.
    Against(Vec<(A, Self)>),
}

/// A move into a trap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap<A> {
    /// The move.
    pub action: A,
    /// The number of steps of the opponent's shortest winning strategy.
    pub level: u32,
    /// The opponent's winning strategy.
    pub strategy: Strategy<A>,
}

/// Finds traps in a game without chance.
pub struct Traps<'a, G: Game> {
    game: &'a G,
    limits: Limits<'a>,
    /// States visited.
    pub nodes: u64,
    /// By state and winner: the greatest number of steps known to be insufficient, and the least known to
    /// suffice.
    known: HashMap<(u128, bool), (Option<u32>, Option<u32>)>,
}

impl<'a, G: Game> Traps<'a, G> {
    /// A search for traps that the watch may cancel.
    ///
    /// # Panics
    /// If the game has chance.
    pub fn new(game: &'a G, watch: &'a mut dyn Watch) -> Self {
        assert!(!game.has_chance(), "contract: traps are of games without chance");
        Self { game, limits: Limits::new(&Budget::default(), watch), nodes: 0, known: HashMap::new() }
    }

    /// The moves of a state that lead into traps of at most this level, in the game's order; none if the game
    /// is over.
    ///
    /// # Errors
    /// If the watch cancels the search.
    pub fn find(&mut self, state: &G::State, level: u32) -> Result<Vec<Trap<G::Action>>, Stop> {
        let Turn::Decide(player) = self.game.turn(state) else { return Ok(Vec::new()) };
        let winner = player.other();
        let (mut actions, mut traps) = (Vec::new(), Vec::new());
        self.game.actions(state, &mut actions);
        for action in actions {
            let child = self.after(state, action);
            if let Some(level) = self.steps(&child, winner, level)? {
                let strategy = self.strategy(&child, winner, level)?;
                traps.push(Trap { action, level, strategy });
            }
        }
        Ok(traps)
    }

    /// The level of the shallowest trap of a state, if there is one of at most this level.
    ///
    /// # Errors
    /// If the watch cancels the search.
    pub fn shallowest(&mut self, state: &G::State, level: u32) -> Result<Option<u32>, Stop> {
        let Turn::Decide(player) = self.game.turn(state) else { return Ok(None) };
        let children: Vec<G::State> =
            self.actions(state).into_iter().map(|action| self.after(state, action)).collect();
        for level in 0..=level {
            for child in &children {
                if self.wins(child, player.other(), level)? {
                    return Ok(Some(level));
                }
            }
        }
        Ok(None)
    }

    /// The least number of steps in which a player can force a win, if that is at most `most`.
    ///
    /// # Errors
    /// If the watch cancels the search.
    pub fn steps(&mut self, state: &G::State, winner: Player, most: u32) -> Result<Option<u32>, Stop> {
        for steps in 0..=most {
            if self.wins(state, winner, steps)? {
                return Ok(Some(steps));
            }
        }
        Ok(None)
    }

    /// Whether a player can force a win in at most this many steps.
    fn wins(&mut self, state: &G::State, winner: Player, steps: u32) -> Result<bool, Stop> {
        self.nodes += 1;
        self.limits.pass(self.nodes).map_err(|Stopped| self.limits.reason())?;
        let player = match self.game.turn(state) {
            Turn::Over(payoff) => return Ok(is_won(self.game, payoff, winner)),
            Turn::Decide(_) if steps == 0 => return Ok(false),
            Turn::Decide(player) => player,
            Turn::Chance => unreachable!("contract: chance in a game without"),
        };
        let place = (self.game.key(state).0, winner == Player::Max);
        let (too_few, enough) = self.known.get(&place).copied().unwrap_or((None, None));
        if enough.is_some_and(|enough| steps >= enough) {
            return Ok(true);
        }
        if too_few.is_some_and(|too_few| steps <= too_few) {
            return Ok(false);
        }
        // One winning action is enough for the winner, one refutation for the opponent.
        let wanted = player == winner;
        let mut found = !wanted;
        for action in self.actions(state) {
            let child = self.after(state, action);
            if self.wins(&child, winner, steps - 1)? == wanted {
                found = wanted;
                break;
            }
        }
        let known = self.known.entry(place).or_default();
        match found {
            true => known.1 = Some(known.1.map_or(steps, |enough| enough.min(steps))),
            false => known.0 = Some(known.0.map_or(steps, |too_few| too_few.max(steps))),
        }
        Ok(found)
    }

    /// The strategy of a player who can force a win in at most this many steps.
    fn strategy(
        &mut self,
        state: &G::State,
        winner: Player,
        steps: u32,
    ) -> Result<Strategy<G::Action>, Stop> {
        let Turn::Decide(player) = self.game.turn(state) else { return Ok(Strategy::Won) };
        let mut against = Vec::new();
        for action in self.actions(state) {
            let child = self.after(state, action);
            if player != winner {
                against.push((action, self.strategy(&child, winner, steps - 1)?));
            } else if self.wins(&child, winner, steps - 1)? {
                return Ok(Strategy::Do(action, Box::new(self.strategy(&child, winner, steps - 1)?)));
            }
        }
        Ok(Strategy::Against(against))
    }

    /// The actions of a state, most promising first.
    fn actions(&self, state: &G::State) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.game.actions(state, &mut actions);
        let promise = |&action| f64::from(self.game.promise(state, action));
        let promises: Vec<f64> = actions.iter().map(promise).collect();
        let mut order: Vec<u32> = (0..actions.len() as u32).collect();
        highest_first(&mut order, &promises);
        order.into_iter().map(|index| actions[index as usize]).collect()
    }

    fn after(&self, state: &G::State, action: G::Action) -> G::State {
        let mut child = state.clone();
        self.game.apply(&mut child, action);
        child
    }
}

/// Whether a payoff is a win for a player: on their side of the middle of the range.
fn is_won<G: Game>(game: &G, payoff: f64, winner: Player) -> bool {
    winner.prefers(payoff, game.range().middle())
}

impl<A: Copy + PartialEq + std::fmt::Debug> Strategy<A> {
    /// Checks that this strategy wins for a player from a state in at most this many steps, whatever the
    /// opponent does.
    ///
    /// # Errors
    /// A description of the flaw.
    pub fn check<G: Game<Action = A>>(
        &self,
        game: &G,
        state: &G::State,
        winner: Player,
        steps: u32,
    ) -> Result<(), String> {
        let after = |action: A| {
            let mut child = state.clone();
            game.apply(&mut child, action);
            child
        };
        let mut legal = Vec::new();
        let turn = game.turn(state);
        if let Turn::Decide(_) = turn {
            game.actions(state, &mut legal);
        }
        match (self, turn) {
            (Self::Won, Turn::Over(payoff)) if is_won(game, payoff, winner) => Ok(()),
            (_, Turn::Over(payoff)) => Err(format!("the game ends with {payoff} in {state:?}")),
            (_, _) if steps == 0 => Err(format!("the game is not over in {state:?}, and no step is left")),
            (Self::Do(action, then), Turn::Decide(player)) if player == winner => {
                match legal.contains(action) {
                    true => then.check(game, &after(*action), winner, steps - 1),
                    false => Err(format!("an action is not legal in {state:?}")),
                }
            }
            (Self::Against(answers), Turn::Decide(player)) if player != winner => {
                if let Some(missing) = legal.iter().find(|a| !answers.iter().any(|(answer, _)| answer == *a))
                {
                    return Err(format!("the strategy has no reply to {missing:?} in {state:?}"));
                }
                let mut all = answers.iter().filter(|(action, _)| legal.contains(action));
                all.try_for_each(|(action, then)| then.check(game, &after(*action), winner, steps - 1))
            }
            _ => Err(format!("it is another player's turn in {state:?}")),
        }
    }
}
