//! The listing of Can't Stop.

use super::{CantStop, Columns, GlennAloi, Outcomes, Progress, RuleOf28};
use astragal_core::{
    GameInfo, Genre, Kind, Listed, Param, Payoffs, PlayerInfo, Policy, SpecError, Tools, Values, Words,
};
use std::sync::Arc;

impl Listed for CantStop {
    fn payoffs(&self) -> Payoffs {
        // A lone player always wins eventually.
        if self.players() == 1 { Payoffs::Numbers } else { Payoffs::WinLoss }
    }

    const INFO: GameInfo = GameInfo {
        name: "cant-stop",
        genre: Genre::Game,
        help: "pair four dice, climb columns, stop before you bust; three columns win",
        rules: include_str!("rules.md"),
        source: "S. Sackson 1980; Monte Carlo *-Minimax Search, section 4.1; Glenn, Fang & Kruskal 2007 (small ones)",
        positions: "P1 P2 pN MARKERS PHASE: squares climbed in columns 2, 3, …; markers as COLUMN:LEVEL or -; ready, rolling, or the dice. 3,0,0,0,4,0,0,0,0,0,0 0,0,0,0,0,9,0,0,0,0,0 p1 6:5,8:1 ready",
        params: &[
            Param::new("dice", Kind::Int(2, 6), "6", "sides of the four dice"),
            Param::new(
                "shortest",
                Kind::Int(1, 5),
                "3",
                "squares of the outermost columns; each step towards the middle adds two",
            ),
            Param::new("columns", Kind::Int(1, 11), "3", "columns to win"),
            Param::new("players", Kind::Int(1, 2), "2", "number of players: two, or one who counts turns"),
            Param::new(
                "outcomes",
                Outcomes::CHOICE,
                "merged",
                "outcomes of the dice: 126 throws, or 1296 rolls of distinguishable dice; the game is the same",
            ),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Self::new(values.int("dice"), values.int("shortest"), values.int("columns"), values.int("players"))
            .map(|game| game.with_outcomes(values.word("outcomes")))
            .map_err(|error| SpecError(format!("cant-stop: {}", error.0)))
    }

    fn counts_turns(&self) -> bool {
        self.players() == 1
    }

    fn begins_turn(state: &Self::State) -> bool {
        state.is_turn_start()
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator(
            "progress",
            "each player's best columns, progress to the power 3/2, logistic",
            Progress,
        );
        tools.evaluator("columns", "completed columns, and a tenth of all progress", Columns);
        tools.policy("glenn-aloi", "moves of the player glenn-aloi (dice=6)", glenn_aloi);
        tools.policy("rule-of-28", "moves of the player rule-of-28", |_| Ok(Arc::new(RuleOf28)));
        tools.player(
            PlayerInfo {
                name: "rule-of-28",
                help: "the player of Can't Stop who counts points and stops at 28",
                source: "M. Keller",
                params: &[],
            },
            |_, _| Ok(Arc::new(RuleOf28)),
        );
        tools.player(
            PlayerInfo {
                name: "glenn-aloi",
                help: "the player of Can't Stop whose weights a genetic algorithm found",
                source: "Glenn & Aloi 2009",
                params: &[],
            },
            |game, _| glenn_aloi(game),
        );
    }
}

/// The policy of Glenn and Aloi, whose weights are for columns of six-sided dice.
fn glenn_aloi(game: &CantStop) -> Result<Arc<dyn Policy<CantStop>>, SpecError> {
    if GlennAloi::plays(game) {
        return Ok(Arc::new(GlennAloi));
    }
    Err(SpecError("glenn-aloi has weights for columns 2 to 12 only: it needs dice=6".into()))
}
