//! A match between two engines: pairs of games with the same start and the same dice, seats swapped.

use crate::budget::{Budgets, budget_among};
use crate::play::{Played, Setting, Third};
use crate::terms::{Follower, Terms};
use crate::work::{Aside, Work, Worker};
use astragal_catalog::{AnyGame, Engine, Position, SpecError, game};
use astragal_core::{Budget, ReadError, Sampler, Turn, Watch};
use astragal_stats::{Adjusted, Estimate, LEVEL, Pairs, Running, adjust};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// The kind under which a results store lists match jobs.
pub const KIND: &str = "match";

/// A match, configured and checked.
pub struct Contest {
    game: Arc<dyn AnyGame>,
    start: Box<dyn Position>,
    makers: [Maker; 2],
    /// The complete specs of the engines.
    engines: [String; 2],
    budgets: [Budget; 2],
    given: Budgets,
    terms: Terms,
    /// Makes the player that finishes games, if there is one.
    third: Option<Maker>,
    seed: u64,
}

/// Why a match is impossible: one line for the user.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{0}")]
pub struct NoContest(pub String);

impl From<SpecError> for NoContest {
    fn from(error: SpecError) -> Self {
        Self(error.to_string())
    }
}

impl From<ReadError> for NoContest {
    fn from(error: ReadError) -> Self {
        Self(error.to_string())
    }
}

/// What identifies a match; matches with the same text share their results.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Identity {
    /// The game.
    pub game: String,
    /// The initial position, if not the game's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The specs of both engines.
    pub engines: [String; 2],
    /// The budget per decision.
    pub budget: String,
    /// The other terms.
    #[serde(flatten)]
    pub terms: Terms,
    /// The seed.
    pub seed: u64,
}

/// One game of a pair, as stored.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct GameRow {
    /// The score of the first engine: 0, ½ or 1.
    #[serde(deserialize_with = "read_score")]
    pub score: f64,
    /// The luck of the first engine, as a share of the range.
    #[serde(deserialize_with = "read_luck")]
    pub luck: f64,
    /// Number of decisions of the first engine and of the second.
    pub decisions: [u64; 2],
    /// Number of states that each visited.
    pub nodes: [u64; 2],
    /// Whether the game was broken off: it was too long, or an engine had no answer and so lost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub broken_off: bool,
    /// Number of decisions of each in positions that its solution does not hold.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub away: [u64; 2],
}

fn is_nothing(counts: &[u64; 2]) -> bool {
    *counts == [0, 0]
}

/// Rows may come from files written by others, so an impossible score is an error, not a broken contract.
fn read_score<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let score = f64::deserialize(deserializer)?;
    if [0.0, 0.5, 1.0].contains(&score) {
        Ok(score)
    } else {
        Err(D::Error::custom(format!("{score} is not the score of a game, which is 0, 0.5 or 1")))
    }
}

/// More luck than any game can have: a throw is worth at most the whole range, and games have a maximum
/// length.
const MOST_LUCK: f64 = 1e6;

fn read_luck<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let luck = f64::deserialize(deserializer)?;
    if luck.abs() <= MOST_LUCK {
        Ok(luck)
    } else {
        Err(D::Error::custom(format!("{luck:e} is more luck than a game can have")))
    }
}

/// A pair, as stored: in the first game, the first engine is player 1.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct PairRow {
    /// Both games.
    pub games: [GameRow; 2],
}

impl PairRow {
    /// The mean score of the first engine.
    #[must_use]
    pub fn score(&self) -> f64 {
        0.5 * (self.games[0].score + self.games[1].score)
    }

    /// Whether the second game repeated the first, with the names swapped: one engine on both sides, which
    /// decides the same with the same dice.
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        let [first, second] = &self.games;
        let turned = |numbers: [u64; 2]| [numbers[1], numbers[0]];
        first.score == 1.0 - second.score
            && first.luck == -second.luck
            && first.decisions == turned(second.decisions)
            && first.nodes == turned(second.nodes)
    }

    /// The mean luck of the first engine.
    #[must_use]
    pub fn luck(&self) -> f64 {
        0.5 * (self.games[0].luck + self.games[1].luck)
    }
}

/// Makes a new engine for each game.
pub type Maker = Arc<dyn Fn() -> Box<dyn Engine> + Send + Sync>;

/// The maker for an engine of the catalogue.
///
/// # Errors
/// If there is no such engine.
pub fn maker(game: &Arc<dyn AnyGame>, spec: &str) -> Result<Maker, SpecError> {
    let (game, spec) = (Arc::clone(game), game.engine(spec)?.spec().to_string());
    Ok(Arc::new(move || game.engine(&spec).expect("a spec that was checked")))
}

impl Contest {
    /// A match in a game, from its start or another position, between two engines, with their budgets per
    /// decision.
    ///
    /// # Errors
    /// If there is no such game, position or engine, an engine does not heed its budget or would never stop,
    /// or the terms cannot be met.
    pub fn new(
        spec: &str,
        position: Option<&str>,
        engines: [&str; 2],
        budgets: impl Into<Budgets>,
        terms: Terms,
        seed: u64,
    ) -> Result<Self, NoContest> {
        let game: Arc<dyn AnyGame> = game(spec)?.into();
        let start = match position {
            Some(text) => game.read(text)?,
            None => game.start(),
        };
        let makers = [maker(&game, engines[0])?, maker(&game, engines[1])?];
        Self::between(game, start, makers, budgets, terms, seed)
    }

    /// A match in any game between any two engines; see [`Contest::new`].
    ///
    /// # Errors
    /// If an engine does not heed its budget or would never stop, or the terms cannot be met.
    pub fn between(
        game: Arc<dyn AnyGame>,
        start: Box<dyn Position>,
        makers: [Maker; 2],
        budgets: impl Into<Budgets>,
        terms: Terms,
        seed: u64,
    ) -> Result<Self, NoContest> {
        let given = budgets.into();
        let mut budgets = [Budget::default(); 2];
        let mut engines = [String::new(), String::new()];
        for (at, make) in makers.iter().enumerate() {
            let engine = make();
            engines[at] = engine.spec().to_string();
            let budget = given.0[at];
            budget.check_least()?;
            if at == 0 && terms.match_nodes {
                Follower::new(engine, makers[1](), given.0[1])?;
                continue;
            }
            budgets[at] = budget_among(&*engine, budget)?;
        }
        if terms.deal && game.deal(0).is_none() {
            return Err(NoContest(format!("{} has no random starts", game.info().name)));
        }
        for (text, number) in terms.starts.iter().zip(1..) {
            let position = game.read(text).map_err(|error| NoContest(format!("start {number}: {error}")))?;
            if let Turn::Over(_) = position.turn() {
                return Err(NoContest(format!("start {number}: the game is over there")));
            }
        }
        let third = terms.finish.as_ref().map(|finish| maker(&game, &finish.engine)).transpose()?;
        if let Some(engine) = third.as_ref().map(|make| make()).filter(|engine| engine.is_endless()) {
            let name = engine.info().name;
            return Err(NoContest(format!("'{name}' finishes the games and needs its own depth limit")));
        }
        let contest = Self { game, start, makers, engines, budgets, given, terms, third, seed };
        contest.check_starts()?;
        Ok(contest)
    }

    /// Checks that every engine knows something of the starts; of random ones, the first stands for all.
    fn check_starts(&self) -> Result<(), NoContest> {
        let starts: Vec<_> = (0..self.terms.starts.len().max(1) as u64).map(|at| self.start_of(at)).collect();
        for engine in self.makers.iter().chain(&self.third).map(|make| make()) {
            starts.iter().try_for_each(|start| engine.check_start(&**start))?;
        }
        Ok(())
    }

    /// The terms of the match.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The initial position of a pair.
    #[must_use]
    pub fn start_of(&self, pair: u64) -> Box<dyn Position> {
        let starts = &self.terms.starts;
        if self.terms.deal {
            let dealt = self.game.deal(Sampler::new(self.seed).draw(pair, 1, 0));
            dealt.expect("it was checked")
        } else if starts.is_empty() {
            self.start.duplicate()
        } else {
            self.game.read(&starts[(pair % starts.len() as u64) as usize]).expect("it was checked")
        }
    }

    /// A new engine for a game.
    fn engine(&self, at: usize) -> Box<dyn Engine> {
        let engine = self.makers[at]();
        if at == 1 || !self.terms.match_nodes {
            return engine;
        }
        Box::new(Follower::new(engine, self.makers[1](), self.budgets[1]).expect("it was checked"))
    }

    /// The complete specs of the engines.
    #[must_use]
    pub fn engines(&self) -> &[String; 2] {
        &self.engines
    }

    /// The budgets of the engines, as given.
    #[must_use]
    pub fn budgets(&self) -> Budgets {
        self.given
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// What identifies the match.
    #[must_use]
    pub fn identity(&self) -> Identity {
        let text = self.start.text();
        Identity {
            game: self.game.spec().into(),
            position: (text != self.game.start().text()).then_some(text),
            engines: self.engines.clone(),
            budget: self.given.text(),
            terms: self.terms.clone(),
            seed: self.seed,
        }
    }

    /// Plays both games of a pair; none if cancelled. Each game gets new engines, so that nothing remembered
    /// from another game affects it.
    #[must_use]
    pub fn play(&self, pair: u64, watch: &mut dyn Watch) -> Option<[Played; 2]> {
        let start = self.start_of(pair);
        let mut game = |number: u32, seats: [usize; 2]| {
            let setting = Setting {
                game: &*self.game,
                start: &*start,
                budgets: seats.map(|engine| self.budgets[engine]),
                opening: self.terms.opening,
                seed: self.seed,
                pair,
            };
            let [mut first, mut second] = seats.map(|at| self.engine(at));
            let mut third = self.third.as_ref().map(|make| make());
            let finish = self.terms.finish.as_ref().zip(third.as_deref_mut());
            let third = finish.map(|(finish, engine)| Third { finish, engine, after: seats[1] });
            setting.play([&mut *first, &mut *second], third, number, watch)
        };
        Some([game(0, [0, 1])?, game(1, [1, 0])?])
    }
}

/// The stored form of the two games of a pair.
#[must_use]
pub fn row(games: &[Played; 2]) -> PairRow {
    let kept = |played: &Played, swapped: bool| {
        let (score, luck) =
            if swapped { (1.0 - played.score, -played.luck) } else { (played.score, played.luck) };
        let mut efforts = played.efforts;
        if swapped {
            efforts.swap(0, 1);
        }
        GameRow {
            score,
            luck,
            decisions: efforts.map(|effort| effort.decisions),
            nodes: efforts.map(|effort| effort.nodes),
            broken_off: played.payoff.is_none(),
            away: efforts.map(|effort| effort.away),
        }
    };
    PairRow { games: [kept(&games[0], false), kept(&games[1], true)] }
}

impl Work for Contest {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn text(&self) -> String {
        serde_json::to_string(&self.identity()).expect("text and numbers")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }
}

impl Worker for &Contest {
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let games = self.play(number, watch)?;
        let text = serde_json::to_string(&row(&games)).expect("numbers");
        Some((text, Box::new(games)))
    }
}

/// Clips a share and its interval to [0, 1].
fn within(share: Estimate) -> Estimate {
    Estimate { lo: share.lo.max(0.0), hi: share.hi.min(1.0), ..share }
}

/// The result of a match so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The pairs, counted by the score of the first engine.
    pub pairs: Pairs,
    /// The score with its interval.
    pub score: Estimate,
    /// The score adjusted for the luck of the dice.
    pub luck: Adjusted,
    /// The share of points scored by player 1.
    pub first_mover: Estimate,
    /// The mean number of decisions in a game.
    pub decisions: f64,
    /// The quartiles of the number of decisions: a quarter of the games had at most the first, and a quarter
    /// at least the last.
    pub lengths: [f64; 3],
    /// Pairs whose second game repeated the first, with the names swapped.
    pub repeated: u64,
    /// Nodes per decision of each engine.
    pub nodes: [f64; 2],
    /// Games that were broken off as too long.
    pub broken_off: u64,
    /// Games lost because an engine had no answer.
    pub given_up: u64,
    /// Decisions of each engine.
    pub decided: [u64; 2],
    /// Those among them in positions that the engine's solution does not hold: it played the first action.
    pub away: [u64; 2],
}

/// The score with its interval, and the number of pairs.
impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Estimate { mean, lo, hi, .. } = self.score;
        let (mean, lo, hi) = (100.0 * mean, 100.0 * lo, 100.0 * hi);
        write!(f, "{mean:.1} % [{lo:.1}, {hi:.1}] in {} pairs", self.pairs.count())
    }
}

/// The quartiles of some numbers, between two of which they are interpolated; 0 if there are none.
fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_unstable_by(f64::total_cmp);
    let Some(last) = numbers.len().checked_sub(1) else { return [0.0; 3] };
    [1, 2, 3].map(|quarter| {
        let (at, rest) = (last * quarter / 4, (last * quarter % 4) as f64 / 4.0);
        numbers[at] + rest * (numbers[(at + 1).min(last)] - numbers[at])
    })
}

impl Standing {
    /// The result of these pairs, given in the order of their numbers.
    #[must_use]
    pub fn new(rows: &[PairRow]) -> Self {
        let pairs: Pairs = rows.iter().map(PairRow::score).collect();
        let scores: Vec<f64> = rows.iter().map(PairRow::score).collect();
        let luck: Vec<f64> = rows.iter().map(PairRow::luck).collect();
        // Player 1 is the first engine in the first game of a pair, the second engine in the other.
        let first: Running =
            rows.iter().map(|row| 0.5 * (row.games[0].score + 1.0 - row.games[1].score)).collect();
        let games = || rows.iter().flat_map(|row| row.games);
        // These sums are exact up to 2^53, and absurd counts in a row cannot overflow them.
        let decisions = [0, 1].map(|at| games().map(|game| game.decisions[at] as f64).sum::<f64>());
        let nodes = [0, 1].map(|at| games().map(|game| game.nodes[at] as f64).sum::<f64>());
        Self {
            score: pairs.estimate(LEVEL),
            luck: adjust(&scores, &luck, LEVEL),
            first_mover: within(first.estimate(LEVEL)),
            decisions: (decisions[0] + decisions[1]) / (2 * rows.len().max(1)) as f64,
            lengths: quartiles(
                games().map(|game| game.decisions[0] as f64 + game.decisions[1] as f64).collect(),
            ),
            repeated: rows.iter().filter(|row| row.is_repeated()).count() as u64,
            nodes: [0, 1].map(|at| nodes[at] / decisions[at].max(1.0)),
            broken_off: games().filter(|game| game.broken_off && game.score == 0.5).count() as u64,
            given_up: games().filter(|game| game.broken_off && game.score != 0.5).count() as u64,
            decided: decisions.map(|decisions| decisions as u64),
            away: [0, 1].map(|at| games().fold(0, |sum, game| game.away[at].saturating_add(sum))),
            pairs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Clock;

    #[test]
    fn quartiles_halve_the_halves() {
        assert_eq!(quartiles(vec![]), [0.0; 3]);
        assert_eq!(quartiles(vec![7.0]), [7.0; 3]);
        assert_eq!(quartiles(vec![5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(vec![4.0, 1.0, 2.0, 3.0]), [1.75, 2.5, 3.25]);
    }

    /// The standing after some pairs, at one decision ahead.
    fn standing(game: &str, engines: [&str; 2], pairs: u64) -> Standing {
        let contest = Contest::new(game, None, engines, Budget::depth(1), Terms::default(), 1).unwrap();
        let rows: Vec<PairRow> =
            (0..pairs).map(|pair| row(&contest.play(pair, &mut Clock::start()).unwrap())).collect();
        Standing::new(&rows)
    }

    #[test]
    fn twins_play_every_pair_twice() {
        let twins = standing("pig(target=30)", ["star2", "star2"], 5);
        assert_eq!((twins.repeated, twins.score.mean), (5, 0.5));
        assert_eq!(standing("pig(target=30)", ["star2", "star2(eval=banked)"], 5).repeated, 0);
        // Players that draw at random differ from one seat to the other.
        assert!(standing("pig(target=30)", ["random", "random"], 20).repeated < 20);
    }
}
