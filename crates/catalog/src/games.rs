//! The games by name. A new game is a file of its own and a line in [`GAMES`].

use crate::engines::Build;
use crate::erased::Erased;
use crate::faces::AnyGame;
use crate::judge::Judge;
use crate::kit::{EvaluatorInfo, Kit, PolicyInfo};
use astragal_core::{EngineInfo, Files, GameInfo, Known, Listed, Spec, SpecError, Values, unknown};
use astragal_games::{
    cant_stop::CantStop, chess::Chess, connect_four::ConnectFour, ewn::Ewn, explicit::Tree, kalah::Kalah,
    pig::Pig, ra::Ra, random_tree::RandomTree, synthetic::Synthetic, tic_tac_toe::TicTacToe,
};
use std::sync::{Arc, LazyLock};

/// All games, in listing order.
static GAMES: LazyLock<Vec<GameEntry>> = LazyLock::new(|| {
    let games = [
        entries::<Pig>(),
        entries::<Ewn>(),
        entries::<CantStop>(),
        entries::<Ra>(),
        entries::<TicTacToe>(),
        entries::<ConnectFour>(),
        entries::<Kalah>(),
        entries::<Chess>(),
        entries::<Tree>(),
        entries::<RandomTree>(),
        entries::<Synthetic>(),
    ];
    games.into_iter().flatten().collect()
});

type Built = Result<Box<dyn AnyGame>, SpecError>;

/// The catalogue entry of a game.
pub struct GameEntry {
    /// How it is listed.
    pub info: GameInfo,
    /// Its evaluators, the default first.
    pub evaluators: Vec<EvaluatorInfo>,
    /// Its playout policies.
    pub policies: Vec<PolicyInfo>,
    pub(crate) known: Known,
    pub(crate) players: Vec<(EngineInfo, Build)>,
    build: fn(&Spec, &Extras) -> Built,
}

/// What a game can have beyond what the catalogue knows.
#[derive(Clone, Default)]
pub struct Extras {
    /// Gives access to the files that the game or its engines name.
    pub files: Files,
    /// Evaluators by name, for `eval=`.
    pub judges: Vec<(&'static str, Arc<dyn Judge>)>,
}

impl From<Files> for Extras {
    fn from(files: Files) -> Self {
        Self { files, judges: Vec::new() }
    }
}

/// The names under which a type of game is listed.
fn infos<G: Listed>() -> impl Iterator<Item = GameInfo> {
    std::iter::once(G::INFO).chain(G::MORE.iter().copied())
}

/// The entries of a type of game, one for each name.
fn entries<G: Listed>() -> Vec<GameEntry> {
    let entry = |info: GameInfo| {
        let kit = Kit::<G>::of_kind(info);
        GameEntry {
            info,
            evaluators: kit.evaluators().collect(),
            policies: kit.policies().collect(),
            known: kit.known(),
            players: kit.players().collect(),
            build: |spec, Extras { files, judges }| {
                let info = infos::<G>().find(|info| info.name == spec.name).expect("one of its names");
                let known = Known { files: files.clone(), ..Known::default() };
                let values = Values::resolve(spec, info.params, &known)?;
                let game = G::build(&values)?;
                let mut kit = Kit::of(&game, info);
                for (name, judge) in judges {
                    kit.judge(name, Arc::clone(judge))?;
                }
                Ok(Box::new(Erased::new(game, values.spec(), kit, files.clone())))
            },
        }
    };
    infos::<G>().map(entry).collect()
}

/// All games.
pub fn games() -> impl Iterator<Item = &'static GameEntry> {
    GAMES.iter()
}

/// The game with this name.
///
/// # Errors
/// If there is none.
pub fn game_info(name: &str) -> Result<&'static GameEntry, SpecError> {
    GAMES.iter().find(|entry| entry.info.name == name).ok_or_else(|| {
        let names: Vec<&str> = games().map(|entry| entry.info.name).collect();
        unknown("game", name, &names)
    })
}

/// The game that a spec string such as `pig(dice=1,target=50)` describes. Files that the game or its engines
/// name are read from disk; [`game_with`] takes other sources.
///
/// # Errors
/// If there is no such game, or a parameter is invalid.
pub fn game(spec: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    game_with(spec, &disk().into())
}

/// The game that a spec string describes, with the caller's files and evaluators.
///
/// # Errors
/// If there is no such game, a parameter is invalid, or the game already has an evaluator with that name.
pub fn game_with(spec: &str, extras: &Extras) -> Result<Box<dyn AnyGame>, SpecError> {
    let spec = Spec::parse(spec)?;
    (game_info(&spec.name)?.build)(&spec, extras)
}

/// The files on disk.
#[must_use]
pub fn disk() -> Files {
    Files::new(|path| Ok(Box::new(std::fs::File::open(path)?)))
}
