//! The objective of a game's solution: the payoff, or the number of turns.

use astragal_core::Game;
use astragal_solve::{Objective, PAYOFF};

/// The objective of a game's solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The payoff at the end: two players compete.
    Payoff,
    /// The fewest turns: a single player who cannot lose. A value is minus the expected number of turns still
    /// to begin.
    Turns,
}

impl Aim {
    /// The name, as in solution files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Payoff => PAYOFF,
            Self::Turns => "turns",
        }
    }
}

/// An aim with the turn test of its game.
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
            // A typical number of turns in a game: values converge to the last bits of such numbers.
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
