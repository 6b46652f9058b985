//! How a game is listed: its name and parameters, and its evaluators, policies and players, one line each.
//!
//! A game declares all of it in its own file by implementing [`Listed`]; the catalogue reads it, so that
//! nothing is declared twice.

use crate::{Budget, Evaluator, Kind, Limit, Notation, Param, Payoffs, Policy, SpecError, Values};
use std::sync::Arc;

/// What kind of thing is listed as a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Genre {
    /// A game that people play against each other.
    Game,
    /// A tree for the study of searches.
    Tree,
    /// A puzzle for one person.
    Puzzle,
}

impl Genre {
    /// All of them, in listing order.
    pub const ALL: [Self; 3] = [Self::Game, Self::Tree, Self::Puzzle];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Tree => "tree",
            Self::Puzzle => "puzzle",
        }
    }
}

/// The listing of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameInfo {
    /// Its name.
    pub name: &'static str,
    /// What kind of thing it is.
    pub genre: Genre,
    /// What it is, in one line.
    pub help: &'static str,
    /// Its complete rules and its notation, for a person who does not know the game, in Markdown. A block
    /// marked `play` is an example, in which every line is a `game`, a `position`, an `action`, an `outcome`
    /// or all `actions`; a test plays it.
    pub rules: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How positions are written, with an example.
    pub positions: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}

/// The listing of a player that follows a rule of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}

/// The listing of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// The paper it comes from.
    pub source: &'static str,
    /// Whether it supports games with chance.
    pub chance: bool,
    /// The only game that it plays, if there is only one.
    pub game: Option<&'static str>,
    /// Whether it keeps a tree that can be displayed.
    pub tree: bool,
    /// The limits that it heeds.
    pub budgets: &'static [Limit],
    /// Its parameters.
    pub params: &'static [Param],
}

impl EngineInfo {
    /// The base for entries: an engine for every game that keeps no tree and heeds no limit.
    pub const BLANK: Self = Self {
        name: "",
        help: "",
        source: "none",
        chance: true,
        game: None,
        tree: false,
        budgets: &[],
        params: &[],
    };

    /// Refuses a budget with a limit that the engine does not heed.
    ///
    /// # Errors
    /// If there is such a limit.
    pub fn check_budget(&self, budget: &Budget) -> Result<(), SpecError> {
        budget.check(self.budgets).map_err(|error| SpecError(format!("'{}' has {error}", self.name)))
    }
}

/// A game that can be built from a spec string.
pub trait Listed: Notation + Sized + 'static {
    /// Its listing.
    const INFO: GameInfo;

    /// Its other names, each with its own parameters, if one type implements several games.
    const MORE: &'static [GameInfo] = &[];

    /// Builds the game with these parameters, see [`Values::name`].
    ///
    /// # Errors
    /// If they are not compatible.
    fn build(values: &Values) -> Result<Self, SpecError>;

    /// Lists its evaluators, the default first, and its policies and players.
    fn list(tools: &mut impl Tools<Self>);

    /// The same for one of its names, if they differ.
    fn list_as(_name: &str, tools: &mut impl Tools<Self>) {
        Self::list(tools);
    }

    /// What its payoffs mean.
    fn payoffs(&self) -> Payoffs {
        Payoffs::Numbers
    }

    /// Whether a solution counts turns, because a solo player cannot lose.
    fn counts_turns(&self) -> bool {
        false
    }

    /// Whether a turn begins in this state, for games whose turns are counted.
    fn begins_turn(_state: &Self::State) -> bool {
        false
    }
}

/// Receives a game's evaluators, policies and players.
pub trait Tools<G: Notation> {
    /// The evaluator that searches use by default, and for which they are compiled. It is listed before all
    /// others.
    fn default_evaluator<E: Evaluator<G> + Copy + 'static>(
        &mut self,
        name: &'static str,
        help: &'static str,
        evaluator: E,
    );

    /// Another evaluator, for `eval=`. Searches call it through a pointer, which costs a few per cent of
    /// speed and saves compiling them for it. The neutral one, `even`, need not be listed.
    fn evaluator<E: Evaluator<G> + 'static>(&mut self, name: &'static str, help: &'static str, evaluator: E);

    /// A policy that playouts may follow, for `policy=`; some variants of the game may have none.
    fn policy(&mut self, name: &'static str, help: &'static str, policy: PolicyOf<G>);

    /// A player that follows a policy.
    fn player(&mut self, info: PlayerInfo, policy: PlayerOf<G>);

    /// The perfect player, which solves the game first, with a check of which variants it can solve.
    fn perfect_player(&mut self, info: PlayerInfo, can_solve: fn(&G) -> Result<(), SpecError>);
}

/// The policy of a variant of a game.
pub type PolicyOf<G> = fn(&G) -> Result<Arc<dyn Policy<G>>, SpecError>;

/// The policy of a parameterised player, for a variant of a game.
pub type PlayerOf<G> = fn(&G, &Values) -> Result<Arc<dyn Policy<G>>, SpecError>;

/// An enum whose values have names in spec strings; see [`words!`](crate::words).
pub trait Words: Sized {
    /// The names, as the values of a parameter.
    const CHOICE: Kind;

    /// The value with this name.
    fn of(word: &str) -> Option<Self>;
}

/// Gives the values of an enum their names in spec strings: `words!(Ties: "sun" => Self::Sun, "draw" =>
/// Self::Draw);`
#[macro_export]
macro_rules! words {
    ($type:ty: $($word:literal => $value:expr),+ $(,)?) => {
        impl $crate::Words for $type {
            const CHOICE: $crate::Kind = $crate::Kind::Choice(&[$($word),+]);

            fn of(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($value),)+
                    _ => None,
                }
            }
        }
    };
}
