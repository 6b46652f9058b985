//! Explains values to the person who plays.

use astragal_catalog::{AnyGame, Payoffs};
use astragal_core::{Interval, Player};

/// How values of a game are shown to one player.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    payoffs: Payoffs,
    range: Interval,
    viewer: Player,
    /// Whether the viewer is addressed as "you".
    is_you: bool,
}

impl Worth {
    /// Values as `viewer` sees them.
    pub(super) fn new(game: &dyn AnyGame, viewer: Player, is_you: bool) -> Self {
        Self { payoffs: game.payoffs(), range: game.range(), viewer, is_you }
    }

    /// A value of player 1 as the viewer sees it.
    pub(super) fn seen(&self, value: f64) -> f64 {
        match self.payoffs {
            Payoffs::Numbers => value,
            _ => 0.0 + self.viewer.sign() * value,
        }
    }

    /// The viewer's chance to win, with a draw counted half, if the payoffs determine it.
    fn chance(&self, value: f64) -> Option<f64> {
        let Interval { lo, hi } = self.range;
        let chance = (value - lo) / (hi - lo);
        match self.payoffs {
            Payoffs::WinLoss | Payoffs::WinDrawLoss => {
                Some(if self.viewer == Player::Max { chance } else { 1.0 - chance })
            }
            Payoffs::Points | Payoffs::Numbers => None,
        }
    }

    /// The heading of the column after the value.
    pub(super) fn heading(&self) -> &'static str {
        match self.payoffs {
            Payoffs::WinLoss => "wins",
            Payoffs::WinDrawLoss => "score",
            Payoffs::Points | Payoffs::Numbers => "",
        }
    }

    /// The cell of that column.
    pub(super) fn cell(&self, value: f64) -> String {
        self.chance(value).map_or(String::new(), percent)
    }

    /// A value in short form, without explanation.
    pub(super) fn short(&self, value: f64) -> String {
        let number = format!("{:+.1}", self.seen(value));
        self.chance(value).map_or(number.clone(), |chance| format!("{number}, {}", percent(chance)))
    }

    /// A value with its meaning.
    pub(super) fn long(&self, value: f64) -> String {
        let seen = self.seen(value);
        let whom = if self.is_you { "you" } else { self.viewer.name() };
        match (self.payoffs, self.chance(value)) {
            (Payoffs::WinDrawLoss, Some(chance)) => {
                let most = self.range.hi;
                format!("{seen:+.1} of ±{most}: about {} for {whom}, a draw counted half", percent(chance))
            }
            (_, Some(chance)) => {
                format!("{seen:+.1} of ±{}: about {} for {whom}", self.range.hi, percent(chance))
            }
            (Payoffs::Points, None) => format!("{seen:+.1} points for {whom}"),
            _ => format!("value {seen:+.4} for p1"),
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_catalog::game;

    fn worth(spec: &str, viewer: Player) -> Worth {
        Worth::new(&*game(spec).unwrap(), viewer, true)
    }

    #[test]
    fn values_of_won_and_lost_games_are_chances() {
        for spec in ["pig", "ewn", "cant-stop", "ra"] {
            assert_eq!(worth(spec, Player::Max).long(48.0), "+48.0 of ±100: about 74 % for you", "{spec}");
            assert_eq!(worth(spec, Player::Min).long(48.0), "-48.0 of ±100: about 26 % for you", "{spec}");
            assert_eq!(worth(spec, Player::Min).short(48.0), "-48.0, 26 %");
        }
        let draws = worth("connect-four", Player::Max).long(0.0);
        assert!(draws.ends_with("about 50 % for you, a draw counted half"), "{draws}");
    }

    #[test]
    fn points_and_numbers_are_no_chances() {
        let score = worth("ra(utility=score)", Player::Min);
        assert_eq!((score.long(12.0), score.cell(12.0)), ("-12.0 points for you".into(), String::new()));
        let tree = worth("random-tree", Player::Min);
        assert_eq!((tree.long(3.0), tree.heading()), ("value +3.0000 for p1".into(), ""));
    }
}
