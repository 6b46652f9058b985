//! The listing of Kalah.

use super::{Capture, Kalah, MOST_PITS, MOST_STONES, Stores, Sweep, Utility};
use crate::start::Start;
use astragal_core::{GameInfo, Genre, Kind, Listed, Param, Payoffs, SpecError, Tools, Values, Words, words};

words!(Capture: "empty" => Self::Empty, "nonempty" => Self::Nonempty);
words!(Sweep: "own" => Self::Own, "emptied" => Self::Emptied);
words!(Utility: "win" => Self::Win, "margin" => Self::Margin);

impl Listed for Kalah {
    fn payoffs(&self) -> Payoffs {
        match self.utility {
            Utility::Win => Payoffs::WinDrawLoss,
            Utility::Margin => Payoffs::Points,
        }
    }

    const INFO: GameInfo = GameInfo {
        name: "kalah",
        genre: Genre::Game,
        help: "sow your stones around the board and capture more than the opponent; no chance",
        rules: include_str!("rules.md"),
        source: "Irving, Donkers & Uiterwijk 2000; Ramanujan 2012, section 3.2.1",
        positions: "PITS|STORE PITS|STORE pN: each side's pits in the order in which it sows them, then its store. 4,4,0,5,5,5|1 4,4,4,4,4,4|0 p1",
        params: &[
            Param::new("pits", Kind::Int(1, MOST_PITS as u64), "6", "pits of each side"),
            Param::new(
                "stones",
                Kind::Int(1, MOST_STONES as u64 / 2),
                "4",
                "stones in each pit at the start; at most 127 in all",
            ),
            Param::new(
                "capture",
                Capture::CHOICE,
                "empty",
                "when a last stone in one's own empty pit captures itself and the opposite pit: even if that is empty, or only if it is nonempty",
            ),
            Param::new(
                "sweep",
                Sweep::CHOICE,
                "own",
                "at the end the remaining stones go to their owner, or to the player whose pits are empty",
            ),
            Param::new("utility", Utility::CHOICE, "win", "to win, or to win by as many stones as possible"),
            Param::new(
                "start",
                Kind::Text,
                "even",
                "even, random(SEED) with each stone in a random pit, or a position",
            ),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        let game = Self::new(values.int("pits"), values.int("stones"))
            .map_err(|error| SpecError(format!("kalah: {}", error.0)))?;
        let game =
            game.capture(values.word("capture")).sweep(values.word("sweep")).utility(values.word("utility"));
        Ok(match Start::read("kalah", "even", values)? {
            Start::Usual => game,
            Start::Random(seed) => game.random_start(seed),
            Start::Position(text) => {
                let start = Start::position("kalah", "even", &game, text)?;
                game.starting(start)
            }
        })
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("stores", "the difference of the stores", Stores);
    }
}
