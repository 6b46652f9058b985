//! The listing of EinStein würfelt nicht!

use super::{Ewn, Greedy, MOST_STONES, Proximity, Race};
use crate::SetupError;
use crate::start::Start;
use astragal_core::{GameInfo, Genre, Kind, Listed, Param, Payoffs, SpecError, Tools, Values};
use std::sync::Arc;

impl Listed for Ewn {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "ewn",
        genre: Genre::Game,
        help: "EinStein würfelt nicht!: a die says which stone moves; reach the far corner or capture all",
        rules: include_str!("rules.md"),
        source: "I. Althöfer 2004; Monte Carlo *-Minimax Search, section 4.1",
        positions: "ROWS pN ROLL: rows from the top, digits for player 1, letters for player 2 (a is 1), . for empty; the roll, or - before it. ...5./.2.../...../...a./.f... p1 -",
        params: &[
            Param::new("size", Kind::Int(2, 14), "5", "rows and columns of the board"),
            Param::new(
                "stones",
                Kind::Int(1, MOST_STONES as u64),
                "6",
                "stones of each side, and sides of the die",
            ),
            Param::new("start", Kind::Text, "standard", "standard, random(SEED), or a position"),
            Param::new(
                "merge",
                Kind::Flag,
                "off",
                "whether faces of the die that allow the same stones are one outcome",
            ),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        let (size, stones) = (values.int("size"), values.int("stones"));
        let refused = |error: SetupError| SpecError(format!("ewn: {}", error.0));
        let game = match Start::read("ewn", "standard", values)? {
            Start::Usual => Self::new(size, size, stones).map_err(refused)?,
            Start::Random(seed) => Self::random(size, size, stones, seed).map_err(refused)?,
            Start::Position(text) => {
                let empty = Self::empty(size, size, stones).map_err(refused)?;
                let start = Start::position("ewn", "standard", &empty, text)?;
                empty.starting(start)
            }
        };
        Ok(game.merging(values.flag("merge")))
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator(
            "proximity",
            "how near each face's best stone is, through a logistic curve",
            Proximity,
        );
        tools.evaluator("race", "moves that the opponent's foremost stone needs, minus one's own", Race);
        let help = "reaches the goal, captures an opponent's stone, or moves diagonally, in this order of preference";
        tools.policy("greedy", help, |_| Ok(Arc::new(Greedy)));
    }
}
