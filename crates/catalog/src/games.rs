//! The games by name, and how each is built from its parameters.

use crate::aim::Aim;
use crate::erased::{AnyGame, Typed};
use crate::params::{Kind, Known, Param, Values};
use crate::payoffs::Payoffs;
use crate::spec::{Spec, SpecError, unknown};
use crate::tree_file::read_tree;
use astragal_core::{Evaluator, Even, Notation, Policy, Searcher};
use astragal_games::cant_stop::{CantStop, Columns, GlennAloi, Progress, RuleOf28};
use astragal_games::connect_four::{ConnectFour, Fours};
use astragal_games::ewn::{Ewn, Greedy, MOST_STONES, Proximity, Race, SetupError};
use astragal_games::explicit::{Estimate, Tree};
use astragal_games::pig::{HoldAt, Lead, Logistic, Pig};
use astragal_games::ra::{Assets, Ra, Score, Ties, Utility};
use astragal_games::random_tree::{Hash, RandomTree};
use astragal_games::tic_tac_toe::{OpenLines, TicTacToe};
use astragal_search::ByRule;
use std::path::Path;
use std::sync::Arc;

/// An evaluator of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatorInfo {
    /// Its name, for `eval=`.
    pub name: &'static str,
    /// What it says, in a line.
    pub help: &'static str,
}

/// A policy that playouts of a game may follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyInfo {
    /// Its name, for `policy=`.
    pub name: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

/// A game as the catalogue lists it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub help: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How positions are written, with an example.
    pub positions: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Its evaluators, the default first.
    pub evaluators: &'static [EvaluatorInfo],
    /// Its playout policies.
    pub policies: &'static [PolicyInfo],
}

impl GameInfo {
    /// What an engine can name.
    pub(crate) fn known(&self) -> Known {
        Known {
            evaluators: self.evaluators.iter().map(|e| e.name).collect(),
            policies: self.policies.iter().map(|policy| policy.name).collect(),
        }
    }
}

const EVEN: EvaluatorInfo = EvaluatorInfo { name: "even", help: "the middle of the range for every state" };

/// A game that the catalogue can build.
pub(crate) trait Listed: Notation + Sized + 'static {
    const INFO: GameInfo;

    fn build(values: &Values) -> Result<Self, SpecError>;

    /// What a solution of the game is about.
    fn aim(&self) -> Aim {
        Aim::Payoff
    }

    /// What its payoffs mean.
    fn payoffs(&self) -> Payoffs {
        Payoffs::Numbers
    }

    /// Whether a turn begins in this state, for games in which turns are counted.
    fn begins_turn(_state: &Self::State) -> bool {
        false
    }

    /// The player of this name that follows a rule of this game.
    fn player(&self, _name: &str, _values: &Values) -> Result<Box<dyn Searcher<Self>>, SpecError> {
        unreachable!("the catalogue lists no such player for this game")
    }

    /// Whether the game is small enough for the player that solves it first.
    fn solvable(&self) -> Result<(), SpecError> {
        Ok(())
    }

    /// The playout policy of this name, which is one of those listed.
    fn policy(&self, name: &str) -> Result<Arc<dyn Policy<Self>>, SpecError> {
        unreachable!("the catalogue lists no policy {name} for this game")
    }

    /// Hands the evaluator of this name, which is one of those listed, to the visitor.
    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result;
}

/// Something to do with an evaluator whose type is known only here.
pub(crate) trait WithEvaluator<G: Notation> {
    type Result;
    fn visit<E: Evaluator<G> + Copy + 'static>(self, evaluator: E) -> Self::Result;
}

impl Listed for Pig {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinLoss
    }

    fn policy(&self, _name: &str) -> Result<Arc<dyn Policy<Self>>, SpecError> {
        Ok(Arc::new(HoldAt(20)))
    }

    const INFO: GameInfo = GameInfo {
        name: "pig",
        help: "roll as often as you dare, hold to bank; a single 1 loses the turn, a double 1 the score",
        source: "Monte Carlo *-Minimax Search, section 4.1 (two dice); Neller & Presser 2004 (one die)",
        positions: "A-B+T pN: both scores, the turn total, who is to act; with ' rolling' while the dice fall. 30-45+12 p1",
        params: &[
            Param { name: "dice", kind: Kind::Int(1, 2), default: Some("2"), help: "dice in a roll" },
            Param {
                name: "target",
                kind: Kind::Int(Pig::TARGETS.0 as u64, Pig::TARGETS.1 as u64),
                default: Some("100"),
                help: "the score that wins; with the turn total it wins at once",
            },
        ],
        evaluators: &[
            EvaluatorInfo { name: "lead", help: "the score difference, the turn total counted as banked" },
            EvaluatorInfo {
                name: "logistic",
                help: "a logistic fit of the chance to win, scaled to the range",
            },
            EVEN,
        ],
        policies: &[PolicyInfo { name: "hold-at-20", help: "rolls until the turn total reaches 20" }],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Ok(Self::new(values.int("dice"), values.int("target")))
    }

    fn player(&self, name: &str, values: &Values) -> Result<Box<dyn Searcher<Self>>, SpecError> {
        debug_assert_eq!(name, "hold-at");
        Ok(Box::new(ByRule(HoldAt(values.int("n")))))
    }

    fn solvable(&self) -> Result<(), SpecError> {
        let most = 200;
        if self.target() > most {
            return Err(SpecError(format!(
                "optimal: solves Pig up to target={most}, and this is {}",
                self.target()
            )));
        }
        Ok(())
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "lead" => visitor.visit(Lead),
            "logistic" => visitor.visit(Logistic),
            _ => visitor.visit(Even),
        }
    }
}

impl Listed for Ewn {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinLoss
    }

    fn policy(&self, _name: &str) -> Result<Arc<dyn Policy<Self>>, SpecError> {
        Ok(Arc::new(Greedy))
    }

    const INFO: GameInfo = GameInfo {
        name: "ewn",
        help: "EinStein würfelt nicht!: a die says which stone moves; reach the far corner or capture all",
        source: "I. Althöfer 2004; Monte Carlo *-Minimax Search, section 4.1",
        positions: "ROWS pN ROLL: rows from the top, digits for player 1, letters for player 2 (a is 1), . for empty; the roll, or - before it. ...5./.2.../...../...a./.f... p1 -",
        params: &[
            Param {
                name: "size",
                kind: Kind::Int(2, 14),
                default: Some("5"),
                help: "rows and columns of the board",
            },
            Param {
                name: "stones",
                kind: Kind::Int(1, MOST_STONES as u64),
                default: Some("6"),
                help: "stones of each side, and sides of the die",
            },
            Param {
                name: "start",
                kind: Kind::Text,
                default: Some("standard"),
                help: "standard, random(SEED), or a position",
            },
            Param {
                name: "merge",
                kind: Kind::Flag,
                default: Some("off"),
                help: "whether faces of the die that allow the same stones are one outcome",
            },
        ],
        evaluators: &[
            EvaluatorInfo {
                name: "proximity",
                help: "how near each face's best stone is, through a logistic curve",
            },
            EvaluatorInfo {
                name: "race",
                help: "moves that the other's foremost stone needs, less one's own",
            },
            EVEN,
        ],
        policies: &[PolicyInfo {
            name: "greedy",
            help: "reaches the goal, captures an enemy, or moves diagonally, in this order",
        }],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        let (size, stones) = (values.int("size"), values.int("stones"));
        let refused = |error: SetupError| SpecError(format!("ewn: {}", error.0));
        let start = values.text("start");
        let seed = start.strip_prefix("random(").and_then(|rest| rest.strip_suffix(')'));
        let game = match (start, seed) {
            ("standard", _) => Self::new(size, size, stones).map_err(refused)?,
            (_, Some(seed)) => {
                let seed = seed.trim().parse().map_err(|_| {
                    SpecError(format!(
                        "ewn: start=random({}) has no whole number as its seed",
                        seed.escape_debug()
                    ))
                })?;
                Self::random(size, size, stones, seed).map_err(refused)?
            }
            (text, None) => {
                let empty = Self::empty(size, size, stones).map_err(refused)?;
                let start = empty.read_state(text).map_err(|error| {
                    SpecError(format!("ewn: start is neither standard nor random(SEED), and as a {error}"))
                })?;
                empty.starting(start)
            }
        };
        Ok(game.merging(values.flag("merge")))
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "proximity" => visitor.visit(Proximity),
            "race" => visitor.visit(Race),
            _ => visitor.visit(Even),
        }
    }
}

impl Listed for CantStop {
    fn payoffs(&self) -> Payoffs {
        // A lone player always wins, sooner or later.
        if self.players() == 1 { Payoffs::Numbers } else { Payoffs::WinLoss }
    }

    fn policy(&self, name: &str) -> Result<Arc<dyn Policy<Self>>, SpecError> {
        match name {
            "rule-of-28" => Ok(Arc::new(RuleOf28)),
            _ if GlennAloi::plays(self) => Ok(Arc::new(GlennAloi)),
            _ => Err(needs_six_sides(name)),
        }
    }

    const INFO: GameInfo = GameInfo {
        name: "cant-stop",
        help: "pair four dice, climb columns, stop before you bust; three columns win",
        source: "S. Sackson 1980; Monte Carlo *-Minimax Search, section 4.1; Glenn, Fang & Kruskal 2007 (small ones)",
        positions: "P1 P2 pN MARKERS PHASE: squares climbed in columns 2, 3, …; markers as COLUMN:LEVEL or -; ready, rolling, or the dice. 3,0,0,0,4,0,0,0,0,0,0 0,0,0,0,0,9,0,0,0,0,0 p1 6:5,8:1 ready",
        params: &[
            Param { name: "dice", kind: Kind::Int(2, 6), default: Some("6"), help: "sides of the four dice" },
            Param {
                name: "shortest",
                kind: Kind::Int(1, 5),
                default: Some("3"),
                help: "squares of the outermost columns; others have two more a step to the middle",
            },
            Param { name: "columns", kind: Kind::Int(1, 11), default: Some("3"), help: "columns to win" },
            Param {
                name: "players",
                kind: Kind::Int(1, 2),
                default: Some("2"),
                help: "who plays: two, or one who counts the turns",
            },
        ],
        evaluators: &[
            EvaluatorInfo {
                name: "progress",
                help: "each one's best columns, progress to the power 3/2, logistic",
            },
            EvaluatorInfo { name: "columns", help: "completed columns, and a tenth of all progress" },
            EVEN,
        ],
        policies: &[
            PolicyInfo { name: "glenn-aloi", help: "the player of this name (dice=6)" },
            PolicyInfo { name: "rule-of-28", help: "the player of this name" },
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Self::new(values.int("dice"), values.int("shortest"), values.int("columns"), values.int("players"))
            .map_err(|error| SpecError(format!("cant-stop: {}", error.0)))
    }

    fn aim(&self) -> Aim {
        if self.players() == 1 { Aim::Turns } else { Aim::Payoff }
    }

    fn begins_turn(state: &Self::State) -> bool {
        state.is_turn_start()
    }

    fn player(&self, name: &str, _values: &Values) -> Result<Box<dyn Searcher<Self>>, SpecError> {
        match name {
            "rule-of-28" => Ok(Box::new(ByRule(RuleOf28))),
            _ if GlennAloi::plays(self) => Ok(Box::new(ByRule(GlennAloi))),
            _ => Err(needs_six_sides(name)),
        }
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "progress" => visitor.visit(Progress),
            "columns" => visitor.visit(Columns),
            _ => visitor.visit(Even),
        }
    }
}

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
        help: "Knizia's auction game for two: draw tiles, call for auctions, bid suns; three epochs",
        source: "R. Knizia 1999; Monte Carlo *-Minimax Search, section 4.1",
        positions: "EPOCH/RAS S1:SUNS1:TILES1 S2:SUNS2:TILES2 CENTRE TRACK GONE pN PHASE: scores, suns (face down in brackets) and tiles of both; tiles on the track, and out of the game; turn, drawing, god, auction:INVOKER:free|forced:BID, lose:INVOKER:CIVILIZATIONS:MONUMENTS or over. 1/1 10:9652:- 10:874(1):2nile 3 god,flood - p1 turn",
        params: &[
            Param {
                name: "utility",
                kind: Kind::Choice(&["win", "score"]),
                default: Some("win"),
                help: "what counts: to win, or the difference of scores (at most 100)",
            },
            Param {
                name: "ties",
                kind: Kind::Choice(&["sun", "draw"]),
                default: Some("sun"),
                help: "who wins with equal scores: the highest sun, or nobody",
            },
            Param {
                name: "one_god",
                kind: Kind::Flag,
                default: Some("off"),
                help: "whether only one God may be used in a turn",
            },
        ],
        evaluators: &[
            EvaluatorInfo {
                name: "assets",
                help: "what tiles and suns will probably bring; auctions thought to their end",
            },
            EvaluatorInfo { name: "score", help: "the scores as if the epoch were over" },
            EVEN,
        ],
        policies: &[],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Ok(Self {
            utility: if values.text("utility") == "score" { Utility::Score } else { Utility::Win },
            ties: if values.text("ties") == "draw" { Ties::Draw } else { Ties::Sun },
            one_god: values.flag("one_god"),
        })
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "assets" => visitor.visit(Assets),
            "score" => visitor.visit(Score),
            _ => visitor.visit(Even),
        }
    }
}

fn needs_six_sides(name: &str) -> SpecError {
    SpecError(format!("{name} has weights for columns 2 to 12 only: it needs dice=6"))
}

impl Listed for TicTacToe {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinDrawLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "tic-tac-toe",
        help: "three in a row on nine squares; no chance, and small enough to be known completely",
        source: "traditional",
        positions: "ROWS pN: rows from the top, X for player 1, O for player 2, . for empty. X../.O./... p1",
        params: &[],
        evaluators: &[
            EvaluatorInfo { name: "lines", help: "lines that one can still complete, less the other's" },
            EVEN,
        ],
        policies: &[],
    };

    fn build(_values: &Values) -> Result<Self, SpecError> {
        Ok(Self)
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "lines" => visitor.visit(OpenLines),
            _ => visitor.visit(Even),
        }
    }
}

impl Listed for ConnectFour {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinDrawLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "connect-four",
        help: "stones fall into columns, four in a row win; no chance",
        source: "H. Wexler & N. Strongin 1974",
        positions: "ROWS pN: rows from the top, X for player 1, O for player 2, . for empty. ......./......./......./......./...O.../..XXO.. p1",
        params: &[
            Param {
                name: "columns",
                kind: Kind::Int(1, 16),
                default: Some("7"),
                help: "columns of the board",
            },
            Param { name: "rows", kind: Kind::Int(1, 15), default: Some("6"), help: "squares of a column" },
        ],
        evaluators: &[
            EvaluatorInfo { name: "fours", help: "lines that one can still complete, by the stones in them" },
            EVEN,
        ],
        policies: &[],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Self::new(values.int("columns"), values.int("rows"))
            .map_err(|error| SpecError(format!("connect-four: {}", error.0)))
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "fours" => visitor.visit(Fours),
            _ => visitor.visit(Even),
        }
    }
}

impl Listed for Tree {
    const INFO: GameInfo = GameInfo {
        name: "explicit",
        help: "any tree of decisions, chance and values, read from a JSON file: for textbook examples",
        source: "yours",
        positions: "the name of a node; unnamed ones are called after their path, root/left/heads",
        params: &[Param {
            name: "file",
            kind: Kind::File,
            default: None,
            help: "the JSON file that describes the tree",
        }],
        evaluators: &[
            EvaluatorInfo {
                name: "estimate",
                help: "the file's \"estimate\" of a node, or the middle of the range",
            },
            EVEN,
        ],
        policies: &[],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        let file = values.text("file");
        let text = std::fs::read_to_string(Path::new(file)).map_err(|error| {
            SpecError(format!("explicit: cannot read '{}': {error}", file.escape_debug()))
        })?;
        read_tree(&text).map_err(|error| SpecError(format!("explicit: '{}': {error}", file.escape_debug())))
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "estimate" => visitor.visit(Estimate),
            _ => visitor.visit(Even),
        }
    }
}

impl Listed for RandomTree {
    const INFO: GameInfo = GameInfo {
        name: "random-tree",
        help: "a tree made from a hash, with everything that breaks searches",
        source: "Astragal's own, for tests and measurements",
        positions: "STAGE LEVEL.CHAIN IDENTITY LO..HI. decide 0.0 910a2dec89025cc1 -10..10",
        params: &[
            Param { name: "seed", kind: Kind::Int(0, u64::MAX), default: Some("1"), help: "which tree" },
            Param {
                name: "depth",
                kind: Kind::Int(1, RandomTree::MOST.0 as u64),
                default: Some("6"),
                help: "decisions until every line has ended",
            },
            Param {
                name: "actions",
                kind: Kind::Int(1, RandomTree::MOST.1 as u64),
                default: Some("4"),
                help: "the most actions at a node",
            },
            Param {
                name: "outcomes",
                kind: Kind::Int(1, RandomTree::MOST.2 as u64),
                default: Some("4"),
                help: "the most outcomes at a chance node",
            },
        ],
        evaluators: &[EvaluatorInfo { name: "hash", help: "a fixed random number for each state" }, EVEN],
        policies: &[],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Ok(Self::new(values.int("seed"), values.int("depth"), values.int("actions"), values.int("outcomes")))
    }

    fn evaluator<V: WithEvaluator<Self>>(name: &str, visitor: V) -> V::Result {
        match name {
            "hash" => visitor.visit(Hash),
            _ => visitor.visit(Even),
        }
    }
}

type Builder = fn(&Spec) -> Result<Box<dyn AnyGame>, SpecError>;

fn build<G: Listed>(spec: &Spec) -> Result<Box<dyn AnyGame>, SpecError> {
    let values = Values::resolve(spec, G::INFO.params, &Known::default())?;
    Ok(Box::new(Typed::new(G::build(&values)?, values.spec())))
}

const GAMES: [(&GameInfo, Builder); 8] = [
    (&Pig::INFO, build::<Pig>),
    (&Ewn::INFO, build::<Ewn>),
    (&CantStop::INFO, build::<CantStop>),
    (&Ra::INFO, build::<Ra>),
    (&TicTacToe::INFO, build::<TicTacToe>),
    (&ConnectFour::INFO, build::<ConnectFour>),
    (&Tree::INFO, build::<Tree>),
    (&RandomTree::INFO, build::<RandomTree>),
];

/// Every game.
pub fn games() -> impl Iterator<Item = &'static GameInfo> {
    GAMES.iter().map(|(info, _)| *info)
}

/// The game of this name.
///
/// # Errors
/// If there is none.
pub fn game_info(name: &str) -> Result<&'static GameInfo, SpecError> {
    entry(name).map(|(info, _)| *info)
}

fn entry(name: &str) -> Result<&'static (&'static GameInfo, Builder), SpecError> {
    GAMES.iter().find(|(info, _)| info.name == name).ok_or_else(|| {
        let names: Vec<&str> = games().map(|info| info.name).collect();
        unknown("game", name, &names)
    })
}

/// The game that a spec string such as `pig(dice=1,target=50)` describes.
///
/// # Errors
/// If there is no such game, or a parameter is not right.
pub fn game(spec: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    let spec = Spec::parse(spec)?;
    entry(&spec.name)?.1(&spec)
}
