//! What the payoffs of a game mean to its players.

/// What the payoffs of a game mean to its players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payoffs {
    /// One of the players wins: every payoff is an end of the range.
    WinLoss,
    /// As [`Payoffs::WinLoss`], or a draw in the middle of the range.
    WinDrawLoss,
    /// Player 1's lead in points.
    Points,
    /// Numbers without any of these meanings.
    #[default]
    Numbers,
}
