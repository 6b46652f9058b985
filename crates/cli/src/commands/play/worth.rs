//! Explains values to the person who plays.
//!
//! A value is shown as a chance only where it is one: if the search has proved it, or if games of the engine
//! against itself have shown what chance stands behind its values ([`link`]). Anything else, such as the
//! value of a heuristic or the mean of random playouts, is called an evaluation.

use astragal_arena::calibration::is_proved;
use astragal_arena::link::{Link, link};
use astragal_catalog::{Analysis, AnyGame, Payoffs};
use astragal_core::{Interval, Player};

/// What makes the values of a search chances.
#[derive(Clone, Copy)]
enum Basis {
    /// The search has seen every line to its end.
    Proof,
    /// A fit, for positions in which this player is to decide.
    Fit(&'static Link, Player),
    None,
}

/// How values of a search are shown to one player.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    payoffs: Payoffs,
    range: Interval,
    viewer: Player,
    /// Whether the viewer is addressed as "you".
    is_you: bool,
    basis: Basis,
}

impl Worth {
    /// Values of an engine's search of a position, with `mover` to decide, as `viewer` sees them.
    pub(super) fn new(
        game: &dyn AnyGame,
        (engine, analysis): (&str, &Analysis),
        mover: Player,
        viewer: Player,
        is_you: bool,
    ) -> Self {
        let fit = || {
            let link = link(game.spec(), engine)?;
            // A smaller search was not checked.
            let is_enough = link.least_nodes().is_some_and(|least| analysis.counts.nodes >= least);
            is_enough.then_some(Basis::Fit(link, mover))
        };
        let basis = if is_proved(analysis) { Basis::Proof } else { fit().unwrap_or(Basis::None) };
        Self { payoffs: game.payoffs(), range: game.range(), viewer, is_you, basis }
    }

    /// A value of player 1 as the viewer sees it.
    pub(super) fn seen(&self, value: f64) -> f64 {
        match self.payoffs {
            Payoffs::Numbers => value,
            _ => 0.0 + self.viewer.sign() * value,
        }
    }

    /// The viewer's chance to win, with a draw counted half, if it is known.
    fn chance(&self, value: f64) -> Option<f64> {
        if !matches!(self.payoffs, Payoffs::WinLoss | Payoffs::WinDrawLoss) {
            return None;
        }
        let Interval { lo, hi } = self.range;
        let chance = match self.basis {
            Basis::Proof => (value - lo) / (hi - lo),
            Basis::Fit(link, mover) => link.chance(value, self.range, mover),
            Basis::None => return None,
        };
        Some(if self.viewer == Player::Max { chance } else { 1.0 - chance })
    }

    /// What is said of a value that is no chance; nothing if it is proved.
    fn caveat(&self) -> &'static str {
        if matches!(self.basis, Basis::Proof) { "" } else { " (evaluation)" }
    }

    /// The heading of the column after the value.
    pub(super) fn heading(&self) -> &'static str {
        match (self.payoffs, self.basis) {
            (_, Basis::None) => "",
            (Payoffs::WinLoss, _) => "wins",
            (Payoffs::WinDrawLoss, _) => "score",
            (Payoffs::Points | Payoffs::Numbers, _) => "",
        }
    }

    /// The cell of that column.
    pub(super) fn cell(&self, value: f64) -> String {
        self.chance(value).map_or(String::new(), percent)
    }

    /// A value in short form, without explanation.
    pub(super) fn short(&self, value: f64) -> String {
        let number = tenths(self.seen(value));
        match self.chance(value) {
            Some(chance) => format!("{number}, {}", percent(chance)),
            None => number + self.caveat(),
        }
    }

    /// A value with its meaning.
    pub(super) fn long(&self, value: f64) -> String {
        let seen = tenths(self.seen(value));
        let whom = if self.is_you { "you" } else { self.viewer.name() };
        let (most, caveat) = (self.range.hi, self.caveat());
        let about = if matches!(self.basis, Basis::Proof) { "" } else { "about " };
        match (self.payoffs, self.chance(value)) {
            (Payoffs::WinDrawLoss, Some(chance)) => {
                format!("{seen} of ±{most}: {about}{} for {whom}, a draw counted half", percent(chance))
            }
            (_, Some(chance)) => format!("{seen} of ±{most}: {about}{} for {whom}", percent(chance)),
            (Payoffs::WinLoss | Payoffs::WinDrawLoss, None) => format!("{seen} of ±{most}{caveat}"),
            (Payoffs::Points, None) => format!("{seen} points for {whom}{caveat}"),
            (Payoffs::Numbers, None) => format!("value {:+.4} for p1{caveat}", self.seen(value)),
        }
    }
}

/// A signed number with one decimal, without a minus before 0.
fn tenths(number: f64) -> String {
    format!("{:+.1}", (10.0 * number).round() / 10.0 + 0.0)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_arena::link::LINKS;
    use astragal_catalog::game;
    use astragal_core::Stop;

    fn worth(spec: &str, engine: &str, stop: Stop, nodes: u64, viewer: Player) -> Worth {
        let game = game(spec).unwrap();
        let mut analysis = Analysis::unsearched(0.0, stop);
        analysis.counts.nodes = nodes;
        Worth::new(&*game, (game.engine(engine).unwrap().spec(), &analysis), Player::Max, viewer, true)
    }

    #[test]
    fn a_proved_value_is_a_chance_as_it_is() {
        for spec in ["pig", "ewn", "cant-stop", "ra"] {
            let worth = |viewer| worth(spec, "star2", Stop::Complete, 1, viewer);
            assert_eq!(worth(Player::Max).long(48.0), "+48.0 of ±100: 74 % for you", "{spec}");
            assert_eq!(worth(Player::Min).long(48.0), "-48.0 of ±100: 26 % for you", "{spec}");
            assert_eq!(worth(Player::Min).short(48.0), "-48.0, 26 %");
        }
        let draws = worth("connect-four", "alpha-beta", Stop::Complete, 1, Player::Max).long(-0.0);
        assert_eq!(draws, "+0.0 of ±100: 50 % for you, a draw counted half");
    }

    #[test]
    fn without_a_fit_a_value_is_an_evaluation() {
        for (spec, engine) in [
            ("pig(target=50)", "star2"),
            ("cant-stop", "uct"),
            ("pig", "star2(eval=banked)"),
            ("pig", "star2(eval=noisy(eval=lead,sigma=9))"),
        ] {
            let worth = worth(spec, engine, Stop::Nodes, 1 << 40, Player::Min);
            assert_eq!(worth.long(47.0), "-47.0 of ±100 (evaluation)", "{spec} {engine}");
            assert_eq!((worth.short(-0.04), worth.cell(47.0)), ("+0.0 (evaluation)".into(), String::new()));
            assert_eq!(worth.heading(), "");
        }
    }

    #[test]
    fn with_a_fit_a_value_is_the_chance_that_was_fitted_and_only_if_searched_enough() {
        let fits = LINKS.iter().filter_map(|link| Some((link, link.least_nodes()?)));
        let fits: Vec<(&Link, u64)> = fits.collect();
        assert!(!fits.is_empty());
        for (link, least) in fits {
            let worth = |nodes, viewer| worth(&link.game, &link.engine, Stop::Nodes, nodes, viewer);
            let percent = percent(link.chance(30.0, Interval::new(-100.0, 100.0), Player::Max));
            let said = worth(least, Player::Max).long(30.0);
            assert!(said.starts_with(&format!("+30.0 of ±100: about {percent} for you")), "{said}");
            assert_eq!(worth(least, Player::Max).cell(30.0), percent);
            assert_eq!(worth(least - 1, Player::Max).long(30.0), "+30.0 of ±100 (evaluation)");
        }
    }

    #[test]
    fn points_and_numbers_are_no_chances() {
        let score = worth("ra(utility=score)", "star2", Stop::Depth, 1, Player::Min);
        assert_eq!(score.long(12.0), "-12.0 points for you (evaluation)");
        assert_eq!(score.cell(12.0), "");
        let tree = worth("random-tree", "star2", Stop::Complete, 1, Player::Min);
        assert_eq!((tree.long(3.0), tree.heading()), ("value +3.0000 for p1".into(), ""));
    }
}
