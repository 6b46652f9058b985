//! The games by name. A new game is its own file and a line in [`GAMES`].

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

/// Every game, in the order in which they are listed.
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

/// A game as the catalogue lists it, with what belongs to it.
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

/// What a game can have besides what the catalogue knows.
#[derive(Clone, Default)]
pub struct Extras {
    /// The files that it or its engines name.
    pub files: Files,
    /// Evaluators by name, for `eval=`.
    pub judges: Vec<(&'static str, Arc<dyn Judge>)>,
}

impl From<Files> for Extras {
    fn from(files: Files) -> Self {
        Self { files, judges: Vec::new() }
    }
}

/// The names of a type of game.
fn infos<G: Listed>() -> impl Iterator<Item = GameInfo> {
    std::iter::once(G::INFO).chain(G::MORE.iter().copied())
}

/// A type of game under all its names.
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

/// Every game.
pub fn games() -> impl Iterator<Item = &'static GameEntry> {
    GAMES.iter()
}

/// The game of this name.
///
/// # Errors
/// If there is none.
pub fn game_info(name: &str) -> Result<&'static GameEntry, SpecError> {
    GAMES.iter().find(|entry| entry.info.name == name).ok_or_else(|| {
        let names: Vec<&str> = games().map(|entry| entry.info.name).collect();
        unknown("game", name, &names)
    })
}

/// The game that a spec string such as `pig(dice=1,target=50)` describes. Files that it or its engines name
/// are those of the disk; [`game_with`] takes others.
///
/// # Errors
/// If there is no such game, or a parameter is not right.
pub fn game(spec: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    game_with(spec, &disk().into())
}

/// The game that a spec string describes, with files and evaluators of the caller's.
///
/// # Errors
/// If there is no such game, a parameter is not right, or it has an evaluator of the same name.
pub fn game_with(spec: &str, extras: &Extras) -> Result<Box<dyn AnyGame>, SpecError> {
    let spec = Spec::parse(spec)?;
    (game_info(&spec.name)?.build)(&spec, extras)
}

/// The files of the disk.
#[must_use]
pub fn disk() -> Files {
    Files::new(|path| Ok(Box::new(std::fs::File::open(path)?)))
}
