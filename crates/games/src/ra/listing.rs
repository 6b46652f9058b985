//! The listing of Ra.

use super::{Assets, Outcomes, Ra, Score, Ties, Utility};
use astragal_core::{GameInfo, Genre, Kind, Listed, Param, Payoffs, SpecError, Tools, Values, Words, words};

words!(Utility: "win" => Self::Win, "score" => Self::Score);
words!(Ties: "sun" => Self::Sun, "draw" => Self::Draw);
words!(Outcomes: "merged" => Self::Merged, "tiles" => Self::Tiles);

impl Listed for Ra {
    fn payoffs(&self) -> Payoffs {
        match (self.utility, self.ties) {
            (Utility::Score, _) => Payoffs::Points,
            (Utility::Win, Ties::Draw) => Payoffs::WinDrawLoss,
            (Utility::Win, _) => Payoffs::WinLoss,
        }
    }

    const INFO: GameInfo = GameInfo {
        name: "ra",
        genre: Genre::Game,
        help: "Knizia's auction game for two: draw tiles, call for auctions, bid suns; three epochs",
        rules: include_str!("rules.md"),
        source: "R. Knizia 1999; Monte Carlo *-Minimax Search, section 4.1",
        positions: "EPOCH/RAS S1:SUNS1:TILES1 S2:SUNS2:TILES2 CENTRE TRACK GONE pN PHASE: scores, suns (face down in brackets) and tiles of both; tiles on the track, and out of the game; turn, drawing, god, auction:INVOKER:free|forced:BID, lose:INVOKER:CIVILIZATIONS:MONUMENTS or over. 1/1 10:9652:- 10:874(1):2nile 3 god,flood - p1 turn",
        params: &[
            Param::new(
                "utility",
                Utility::CHOICE,
                "win",
                "payoff: win or loss, or the difference of scores (at most 100)",
            ),
            Param::new("ties", Ties::CHOICE, "sun", "who wins with equal scores: the highest sun, or nobody"),
            Param::new("one_god", Kind::Flag, "off", "whether only one God may be used in a turn"),
            Param::new(
                "outcomes",
                Outcomes::CHOICE,
                "merged",
                "outcomes of a draw: at most 23 kinds of tiles, or 180 single tiles; the game is the same",
            ),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Ok(Self {
            utility: values.word("utility"),
            ties: values.word("ties"),
            one_god: values.flag("one_god"),
            outcomes: values.word("outcomes"),
        })
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("assets", "expected worth of tiles and suns; auctions played out", Assets);
        tools.evaluator("score", "the scores as if the epoch were over", Score);
    }
}
