//! The listing of Pig.

use super::{Banked, HoldAt, Lead, Logistic, Outcomes, Pig};
use astragal_core::{
    GameInfo, Genre, Kind, Listed, Param, Payoffs, PlayerInfo, SpecError, Tools, Values, Words,
};
use std::sync::Arc;

impl Listed for Pig {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "pig",
        genre: Genre::Game,
        help: "roll as often as you dare, hold to bank; a single 1 loses the turn, a double 1 the score",
        rules: include_str!("rules.md"),
        source: "Monte Carlo *-Minimax Search, section 4.1 (two dice); Neller & Presser 2004 (one die)",
        positions: "A-B+T pN: both scores, the turn total, who is to act; with ' rolling' while the dice fall. 30-45+12 p1",
        params: &[
            Param::new("dice", Kind::Int(1, 2), "2", "dice in a roll"),
            Param::new(
                "target",
                Kind::Int(Pig::TARGETS.0 as u64, Pig::TARGETS.1 as u64),
                "100",
                "the score that wins; with the turn total it wins at once",
            ),
            Param::new(
                "outcomes",
                Outcomes::CHOICE,
                "merged",
                "outcomes of two dice: 11 results, 21 pairs of faces, or 36 rolls; the game is the same",
            ),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Ok(Self::new(values.int("dice"), values.int("target"))?.with_outcomes(values.word("outcomes"))?)
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("lead", "the score difference, the turn total counted as banked", Lead);
        tools.evaluator(
            "banked",
            "the difference of the banked scores: it does not see the turn total",
            Banked,
        );
        tools.evaluator("logistic", "a logistic fit of the chance to win, scaled to the range", Logistic);
        tools.policy("hold-at-20", "rolls until the turn total reaches 20", |_| Ok(Arc::new(HoldAt(20))));
        tools.player(
            PlayerInfo {
                name: "hold-at",
                help: "the player of Pig who rolls until the turn total reaches n",
                source: "Neller & Presser 2004",
                params: const { &[Param::new("n", Kind::Int(1, 10_000), "23", "the turn total at which to hold; 23 is best against the optimal player with two dice, 25 with one")] },
            },
            |_, values| Ok(Arc::new(HoldAt(values.int("n")))),
        );
        tools.perfect_player(
            PlayerInfo {
                name: "optimal",
                help: "the perfect player of Pig: it solves the game first, which takes seconds",
                source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 4.3; Neller & Presser 2004",
                params: &[],
            },
            |game| match game.target() {
                ..=200 => Ok(()),
                target => Err(SpecError(format!("optimal: solves Pig up to target=200, and this is {target}"))),
            },
        );
    }
}
