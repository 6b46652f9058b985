//! What a solution of a game is about: the payoff, or how soon the game is over.

use astragal_core::Game;
use astragal_solve::{Objective, PAYOFF};

/// What a solution of a game is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The payoff at the end: two play against each other.
    Payoff,
    /// The fewest turns: one plays alone and cannot lose. A value is minus the expected number of turns that
    /// are still to begin.
    Turns,
}

impl Aim {
    /// The name, as in the file of a solution.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Payoff => PAYOFF,
            Self::Turns => "turns",
        }
    }
}

/// An aim in a game.
pub(crate) struct Aimed<G: Game> {
    pub(crate) aim: Aim,
    /// Whether a turn begins in a state.
    pub(crate) begins_turn: fn(&G::State) -> bool,
}

impl<G: Game> Clone for Aimed<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Aimed<G> {}

impl<G: Game> Objective<G> for Aimed<G> {
    fn name(&self) -> &str {
        self.aim.name()
    }

    fn scale(&self, game: &G) -> f64 {
        match self.aim {
            Aim::Payoff => game.range().width(),
            // A game takes some turns, and values settle to the last bits of such numbers.
            Aim::Turns => 20.0,
        }
    }

    fn end(&self, payoff: f64) -> f64 {
        match self.aim {
            Aim::Payoff => payoff,
            Aim::Turns => 0.0,
        }
    }

    fn reward(&self, _game: &G, state: &G::State, _action: G::Action) -> f64 {
        if self.aim == Aim::Turns && (self.begins_turn)(state) { -1.0 } else { 0.0 }
    }
}
