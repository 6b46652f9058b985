//! The listing of chess.

use super::{Chess, Material, Squares};
use astragal_core::{GameInfo, Genre, Kind, Listed, Notation, Param, Payoffs, SpecError, Tools, Values};

impl Listed for Chess {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinDrawLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "chess",
        genre: Genre::Game,
        help: "chess, with draws by repetition, fifty moves and lack of material; no chance",
        rules: include_str!("rules.md"),
        source: "the laws of FIDE; Ramanujan 2012, section 3.1",
        positions: "a FEN, with x2 or x3 after it if the position came up before; player 1 is White. r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        params: &[Param::new("start", Kind::Text, "startpos", "startpos, or a FEN")],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        let game = Self::default();
        match game.read_state(values.text("start")) {
            Ok(start) => Ok(game.starting(start)),
            Err(error) => {
                Err(SpecError(format!("chess: start is neither startpos nor a valid position: {error}")))
            }
        }
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("squares", "piece values and piece-square tables", Squares);
        tools.evaluator("material", "piece values", Material);
    }
}
