//! The external view of games, positions and engines: everything is text, behind virtual calls.

use crate::aim::Aim;
use crate::prospects::Prospects;
use astragal_core::{
    Branch, Budget, EngineInfo, GameInfo, Interval, Limit, Payoffs, Picture, Player, ReadError, Report,
    SpecError, Stop, Turn, Watch, Weighted,
};
use astragal_search::{Tally, Trap};
use astragal_solve::{Solution, SolveOptions, Supervisor, Unsolved};
use std::any::Any;
use std::sync::Arc;

/// A configured game.
pub trait AnyGame: Send + Sync {
    /// Its complete spec string.
    fn spec(&self) -> &str;
    /// Its catalogue entry.
    fn info(&self) -> &GameInfo;
    /// Whether chance states can occur.
    fn has_chance(&self) -> bool;
    /// The interval that contains all payoffs.
    fn range(&self) -> Interval;
    /// The meaning of its payoffs.
    fn payoffs(&self) -> Payoffs;
    /// The position at the start of the game.
    fn start(&self) -> Box<dyn Position>;
    /// A random start for this seed, if the game has random starts.
    fn deal(&self, seed: u64) -> Option<Box<dyn Position>>;
    /// Parses a position.
    ///
    /// # Errors
    /// If the text is not a position of this game.
    fn read(&self, text: &str) -> Result<Box<dyn Position>, ReadError>;
    /// Builds the engine that a spec string such as `star2(probes=2)` describes, for this game.
    ///
    /// # Errors
    /// If there is no such engine, a parameter is invalid, or the engine does not support this game.
    fn engine(&self, spec: &str) -> Result<Box<dyn Engine>, SpecError>;
    /// The solution in a file that `astragal solve` made.
    ///
    /// # Errors
    /// If it cannot be read, or solves another game.
    fn solution(&self, file: &str) -> Result<Arc<Solution>, SpecError>;
    /// The player that looks every value up in a solution of the game.
    fn perfect(&self, solution: &Arc<Solution>) -> Box<dyn Engine>;
    /// An engine's complete spec for this game, without the parameters that have their default values.
    ///
    /// Anything else is returned unchanged.
    fn brief(&self, engine: &str) -> String;
    /// The objective of a solution of the game.
    fn aim(&self) -> Aim;
    /// Calls `see` once for every position reachable from a given one, which comes first, until it returns
    /// false.
    ///
    /// # Panics
    /// If the position is of another type of game.
    fn each_position(&self, from: &dyn Position, see: &mut dyn FnMut(&dyn Position) -> bool);
    /// Solves the game from a position, for its aim.
    ///
    /// # Errors
    /// If the game is too large, the values do not converge, or the supervisor gives up.
    ///
    /// # Panics
    /// If the position is of another type of game.
    fn solve(
        &self,
        from: &dyn Position,
        options: &SolveOptions,
        supervisor: &mut dyn Supervisor,
    ) -> Result<Solution, Unsolved>;
}

/// A position of a game.
pub trait Position: Send + Sync {
    /// The position as one line of text.
    fn text(&self) -> String;
    /// The position as a drawing.
    fn picture(&self) -> Picture;
    /// The side to act.
    fn turn(&self) -> Turn;
    /// The position as a feature vector, see [`astragal_core::Notation::features`].
    fn features(&self) -> Vec<f32>;
    /// The legal actions; none if no player decides.
    fn actions(&self) -> Vec<String>;
    /// The possible outcomes; none if it is not chance's turn.
    fn outcomes(&self) -> Vec<Weighted<String>>;
    /// The position after an action.
    ///
    /// # Errors
    /// If the action is illegal.
    fn act(&self, action: &str) -> Result<Box<dyn Position>, ReadError>;
    /// The position after the action of this index in [`Position::actions`], if there is one.
    fn act_at(&self, index: usize) -> Option<Box<dyn Position>>;
    /// A legal action in the notation of other programs, see [`astragal_core::Notation::write_plainly`].
    fn plainly(&self, action: &str) -> Option<String>;
    /// Explains why the action is illegal here, if it is legal elsewhere.
    fn why_not(&self, action: &str) -> Option<String>;
    /// The position after an outcome.
    ///
    /// # Errors
    /// If the outcome is not possible.
    fn resolve(&self, outcome: &str) -> Result<Box<dyn Position>, ReadError>;
    /// The name of the legal action that a text means, which may be in another notation, see
    /// [`astragal_core::Notation::read_action`].
    ///
    /// # Errors
    /// If it means none.
    fn action_named(&self, text: &str) -> Result<String, ReadError>;
    /// The name of the outcome that a person means who has thrown real dice, or why it is not possible; none
    /// if the text names no dice, see [`astragal_core::Notation::spoken_outcome`].
    fn spoken_outcome(&self, text: &str) -> Option<Result<String, String>>;
    /// The outcome whose share of [0, 1) contains the number, and the position after it; none if it is not
    /// chance's turn.
    fn chance(&self, number: f64) -> Option<(String, Box<dyn Position>)>;
    /// The value of every outcome, one decision deep by the game's first evaluator, and the owner of the
    /// throw; none if it is not chance's turn.
    fn prospects(&self) -> Option<Prospects>;
    /// A further remark on an outcome for the players, if its name does not say everything.
    fn remark(&self, outcome: &str) -> Option<String>;
    /// The number of sequences of this many decisions from here, see [`astragal_search::perft`].
    ///
    /// # Errors
    /// If the watch cancels it.
    fn perft(&self, depth: u32, resolve: bool, watch: &mut dyn Watch) -> Result<u64, Stop>;
    /// Plays `count` random games from here, each of at most `moves` decisions, see
    /// [`astragal_search::playouts`].
    fn playouts(&self, count: u64, moves: u32, seed: u64) -> Tally;
    /// The moves into traps of at most this level, see [`astragal_search::Traps`].
    ///
    /// # Errors
    /// If the watch cancels it.
    ///
    /// # Panics
    /// If the game has chance.
    fn traps(&self, level: u32, watch: &mut dyn Watch) -> Result<Vec<Trap<String>>, Stop>;
    /// The level of the shallowest trap, if there is one of at most this level.
    ///
    /// # Errors
    /// If the watch cancels it.
    ///
    /// # Panics
    /// If the game has chance.
    fn shallowest_trap(&self, level: u32, watch: &mut dyn Watch) -> Result<Option<u32>, Stop>;
    /// The smallest number of steps in which a player can force a win, if it is at most `most`.
    ///
    /// # Errors
    /// If the watch cancels it.
    ///
    /// # Panics
    /// If the game has chance.
    fn forced_win(&self, winner: Player, most: u32, watch: &mut dyn Watch) -> Result<Option<u32>, Stop>;
    /// An optimal action, if the game was constructed so that it is known.
    fn known_best(&self) -> Option<String>;
    /// The value of the position in a solution of its game; none if the solution does not determine it.
    fn value_in(&self, solution: &Solution) -> Option<f64>;
    /// Another handle on the same position.
    fn duplicate(&self) -> Box<dyn Position>;
    /// The position with its types, for the engine of the same game.
    fn as_any(&self) -> &dyn Any;
}

/// A configured engine for one game.
pub trait Engine: Send {
    /// Its complete spec string.
    fn spec(&self) -> &str;
    /// Its catalogue entry.
    fn info(&self) -> &'static EngineInfo;
    /// The limits of a budget that it heeds; empty if it needs no budget.
    fn heeds(&self) -> &'static [Limit];
    /// Whether a search without a limit would in practice never end.
    fn is_endless(&self) -> bool;
    /// Refuses to begin at a position of which the engine knows nothing, because its solution does not hold
    /// it.
    ///
    /// # Errors
    /// If that is so.
    ///
    /// # Panics
    /// If the position is of another type of game than the engine was built for.
    fn check_start(&self, _position: &dyn Position) -> Result<(), SpecError> {
        Ok(())
    }
    /// Searches a position.
    ///
    /// # Panics
    /// If the position is of another type of game than the engine was built for.
    fn analyze(
        &mut self,
        position: &dyn Position,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Analysis;
    /// The tree of the last search, down to a depth in steps and to nodes with at least `visits` visits; none
    /// if this engine keeps no tree, or has not searched yet.
    fn tree(&self, depth: u32, visits: u64) -> Option<Twig>;
}

/// A report as text.
pub type Analysis = Report<String, String>;

/// A part of a search tree as text.
pub type Twig = Branch<String, String>;
