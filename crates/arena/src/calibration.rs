//! The calibration of an engine's values: what share of the points player 1 scores from positions of a given
//! value, when the engine plays on for both sides.
//!
//! A game is one unit of work. It begins with a few random decisions, so that positions of all values occur,
//! and then the engine plays against itself. Some of its decisions are drawn and searched again with the
//! budget that the link is for. Values that a search has proved are left out: they need no link.
//!
//! One set of games fits the [`Shape`], by logistic regression; another one, with other seeds, checks it in
//! ten bins of predicted chance.

use crate::budget::budget_among;
use crate::contest::{Maker, NoContest, maker};
use crate::link::{BUDGETS, Link, Shape, name_of, scaled};
use crate::play::{Event, Setting};
use crate::study::StudyError;
use crate::work::{Aside, Executor, Work, Worker};
use astragal_catalog::{Analysis, AnyGame, Engine, Payoffs, brief_game, game};
use astragal_core::{Budget, Player, Sampler, Stop, Turn, Watch, below};
use astragal_stats::{Bin, LEVEL, Predicted, logistic_fit, mean_error, reliability};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Whether a search knows that its value is right: it has seen every line to its end, without samples. A
/// search that samples at the root ends when it has decided, and still has an error.
#[must_use]
pub fn is_proved(analysis: &Analysis) -> bool {
    analysis.stop == Stop::Complete && analysis.lines.iter().all(|line| line.error.is_none())
}

/// What to calibrate, and on which games.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The game.
    pub game: String,
    /// The engine.
    pub engine: String,
    /// The budget of the values. The check also takes those of [`BUDGETS`].
    pub nodes: u64,
    /// The budget with which the games are played.
    pub play_nodes: u64,
    /// The largest number of random decisions at the start of a game.
    pub opening: u32,
    /// The number of positions taken from each game, if it has that many.
    pub samples: u32,
    /// The number of games for the fit.
    pub games: u64,
    /// The number of games for the check.
    pub checks: u64,
    /// The seed of the games for the fit; the next one is that of the games for the check.
    pub seed: u64,
}

/// Games of an engine against itself, with some of its values.
struct Games {
    game: Arc<dyn AnyGame>,
    make: Maker,
    play: Budget,
    budgets: Vec<Budget>,
    opening: u32,
    samples: u32,
    seed: u64,
}

/// What identifies a set of games.
#[derive(Serialize)]
struct Identity<'a> {
    game: &'a str,
    engine: String,
    play: String,
    budgets: Vec<String>,
    opening: u32,
    samples: u32,
    seed: u64,
}

/// A game.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Played {
    /// The score of player 1; none if the game was broken off.
    score: Option<f64>,
    seen: Vec<Seen>,
}

/// A position of a game.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Seen {
    /// Whether player 1 is to decide.
    is_first: bool,
    /// The value with each of the budgets, scaled to [−1, 1]; none if it was proved.
    values: Vec<Option<f64>>,
}

/// Purposes of the sampler's draws.
const OPENING: u64 = 1;
const SAMPLE: u64 = 2;
const SEARCH: u64 = 3;

impl Games {
    fn played(
        &self,
        engines: &mut [Box<dyn Engine>; 2],
        number: u64,
        watch: &mut dyn Watch,
    ) -> Option<Played> {
        let draw = |what, index| Sampler::new(self.seed).draw(number, what as u32, index);
        let opening = below(draw(OPENING, 0), u64::from(self.opening) + 1) as u32;
        let (game, start) = (&*self.game, self.game.start());
        let budgets = [self.play; 2];
        let setting = Setting { game, start: &*start, budgets, opening, seed: self.seed, pair: number };
        let [first, second] = engines;
        let played = setting.play([&mut **first, &mut **second], None, 0, watch)?;
        // Decisions of the opening have no value, and neither have those without a choice.
        let is_decision = |event: &Event| matches!(event, Event::Action { value: Some(_), .. });
        let mut decisions: Vec<usize> =
            (0..played.events.len()).filter(|at| is_decision(&played.events[*at])).collect();
        while decisions.len() > self.samples as usize {
            let bits = draw(SAMPLE, decisions.len() as u32);
            decisions.swap_remove(below(bits, decisions.len() as u64) as usize);
        }
        let (mut position, mut seen) = (start.duplicate(), Vec::new());
        for (at, event) in played.events.iter().enumerate() {
            if let (true, Turn::Decide(player)) = (decisions.contains(&at), position.turn()) {
                let mut values = Vec::new();
                for budget in &self.budgets {
                    let found = first.analyze(&*position, draw(SEARCH, at as u32), budget, watch);
                    values.push((!is_proved(&found)).then(|| scaled(found.value, game.range())));
                }
                seen.push(Seen { is_first: player == Player::Max, values });
            }
            position = match event {
                Event::Outcome { text } => position.resolve(text),
                Event::Action { text, .. } => position.act(text),
            }
            .expect("an event of this game");
        }
        // The result of an interrupted search must not count.
        let score = played.payoff.map(|_| played.score);
        (!watch.cancelled()).then_some(Played { score, seen })
    }
}

impl Work for Games {
    fn kind(&self) -> &'static str {
        "calibration"
    }

    fn text(&self) -> String {
        let identity = Identity {
            game: self.game.spec(),
            engine: (self.make)().spec().into(),
            play: self.play.to_string(),
            budgets: self.budgets.iter().map(Budget::to_string).collect(),
            opening: self.opening,
            samples: self.samples,
            seed: self.seed,
        };
        serde_json::to_string(&identity).expect("text and numbers")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new((self, [(self.make)(), (self.make)()]))
    }
}

impl Worker for (&Games, [Box<dyn Engine>; 2]) {
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let (games, engines) = self;
        let played = games.played(engines, number, watch)?;
        Some((serde_json::to_string(&played).expect("numbers"), Box::new(())))
    }
}

/// The reliability of a link with one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// The budget.
    pub nodes: u64,
    /// The number of positions.
    pub positions: u64,
    /// The bins that contain positions.
    pub bins: Vec<Bin>,
    /// The mean distance of prediction and score, in points of a hundred.
    pub error: Option<f64>,
}

/// A calibration.
#[derive(Clone, Debug, Serialize)]
pub struct CalibrationReport {
    /// Whether it was interrupted.
    pub partial: bool,
    /// The fitted link; none if there was nothing to fit, or larger values did not mean more wins.
    pub link: Option<Link>,
    /// From which number of nodes on values are shown as chances, if they are.
    pub least_nodes: Option<u64>,
    /// The number of games for the fit.
    pub games: u64,
    /// The number of positions in them, without those whose value was proved.
    pub positions: u64,
    /// The checks, by budget.
    pub checks: Vec<Check>,
}

/// A position with its result.
struct Sample {
    value: f64,
    mover: Player,
    score: f64,
    game: u64,
}

/// The positions of games with the values of one of the budgets.
fn samples(games: &[(u64, Played)], budget: usize) -> Vec<Sample> {
    let mut all = Vec::new();
    for (number, Played { score, seen }) in games {
        let Some(score) = *score else { continue };
        for Seen { is_first, values } in seen {
            let Some(value) = values[budget] else { continue };
            let mover = if *is_first { Player::Max } else { Player::Min };
            all.push(Sample { value, mover, score, game: *number });
        }
    }
    all
}

/// The shape that fits these samples; none if larger values do not mean more wins.
fn fit(samples: &[Sample]) -> Option<Shape> {
    // Stored with so many digits, and checked as stored.
    let round = |x: f64| (x * 1e4).round() / 1e4;
    let rows = |s: &Sample| ([s.value, s.value.powi(3), s.mover.sign()], s.score);
    let [slope, bend, tempo] = logistic_fit(&samples.iter().map(rows).collect::<Vec<_>>()).map(round);
    let curved = Shape { slope, bend, tempo };
    if curved.is_monotone() && slope + bend > 0.0 {
        return Some(curved);
    }
    let rows = |s: &Sample| ([s.value, s.mover.sign()], s.score);
    let [slope, tempo] = logistic_fit(&samples.iter().map(rows).collect::<Vec<_>>()).map(round);
    Some(Shape { slope, bend: 0.0, tempo }).filter(|_| slope > 0.0)
}

/// The reliability of a shape on these samples.
fn check(shape: &Shape, samples: &[Sample], nodes: u64) -> Check {
    let predicted =
        |s: &Sample| Predicted { chance: shape.chance(s.value, s.mover), success: s.score, cluster: s.game };
    let bins = reliability(&samples.iter().map(predicted).collect::<Vec<_>>(), LEVEL);
    let error = mean_error(&bins).map(|error| (1e4 * error).round() / 100.0);
    Check { nodes, positions: samples.len() as u64, bins, error }
}

impl Calibration {
    /// Plays the games, fits a link and checks it. `progress` receives the number of games done and their
    /// total.
    ///
    /// # Errors
    /// If the game's payoffs are no wins and losses, an engine cannot play it within such budgets, or results
    /// cannot be kept.
    pub fn run<E: Executor>(
        &self,
        executor: &mut E,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<CalibrationReport, StudyError<E::Error>> {
        let rules: Arc<dyn AnyGame> = game(&self.game).map_err(NoContest::from)?.into();
        if !matches!(rules.payoffs(), Payoffs::WinLoss | Payoffs::WinDrawLoss) {
            let why = format!("'{}' is not won or lost, so its values are no chances", rules.spec());
            return Err(NoContest(why).into());
        }
        let make = maker(&rules, &self.engine).map_err(NoContest::from)?;
        let spec = make().spec().to_string();
        let nodes = BUDGETS.map(|factor| ((self.nodes as f64 * factor) as u64).max(1));
        for nodes in [nodes[0], self.play_nodes] {
            let heeded = budget_among(&*make(), Budget::nodes(nodes)).map_err(NoContest::from)?;
            if heeded.is_unlimited() {
                return Err(NoContest(format!("'{spec}' does not search, so it has no values")).into());
            }
        }
        let games = |seed: u64, budgets: Vec<Budget>| Games {
            game: Arc::clone(&rules),
            make: Arc::clone(&make),
            play: Budget::nodes(self.play_nodes),
            budgets,
            opening: self.opening,
            samples: self.samples,
            seed,
        };
        let fitting = games(self.seed, vec![Budget::nodes(self.nodes)]);
        let checking = games(self.seed.wrapping_add(1), nodes.map(Budget::nodes).to_vec());
        let mut done = 0;
        let whole = executor
            .run(&[(&fitting, self.games), (&checking, self.checks)], &mut |_| {
                done += 1;
                progress(done, self.games + self.checks);
                ControlFlow::Continue(())
            })
            .map_err(StudyError::Executor)?;
        let fitted = executor.numbered(&fitting, self.games).map_err(StudyError::Executor)?;
        let checked = executor.numbered(&checking, self.checks).map_err(StudyError::Executor)?;
        let found = samples(&fitted, 0);
        let shape = fit(&found);
        let checks: Vec<Check> = shape
            .iter()
            .flat_map(|shape| {
                let checked = &checked;
                nodes.iter().enumerate().map(move |(at, nodes)| check(shape, &samples(checked, at), *nodes))
            })
            .collect();
        let link = shape.map(|shape| Link {
            game: brief_game(rules.spec()),
            engine: name_of(&spec, rules.spec()),
            nodes: self.nodes,
            play_nodes: self.play_nodes,
            opening: self.opening,
            samples: self.samples,
            seed: self.seed,
            games: fitted.len() as u64,
            checks: checked.len() as u64,
            shape,
            errors: checks.iter().map(|check| check.error).collect(),
        });
        Ok(CalibrationReport {
            partial: !whole,
            least_nodes: link.as_ref().and_then(Link::least_nodes),
            link,
            games: fitted.len() as u64,
            positions: found.len() as u64,
            checks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Memory;
    use astragal_core::{Clock, mix};

    /// Samples of a game in which the chance is known.
    fn known(truth: Shape, count: u64, salt: u64) -> Vec<Sample> {
        let sample = |number: u64| {
            let unit =
                |what: u64| (mix(number * 3 + what + (salt << 32)) >> 11) as f64 / (1_u64 << 53) as f64;
            let (value, mover) = (2.0 * unit(0) - 1.0, if unit(1) < 0.5 { Player::Max } else { Player::Min });
            let score = f64::from(unit(2) < truth.chance(value, mover));
            Sample { value, mover, score, game: number }
        };
        (0..count).map(sample).collect()
    }

    #[test]
    fn known_chances_are_fitted_and_pass_the_check_on_other_games() {
        for truth in [
            Shape { slope: 0.5, bend: 0.1, tempo: 0.4 },
            Shape { slope: 2.0, bend: 2.5, tempo: -0.2 },
            Shape { slope: 6.0, bend: -1.5, tempo: 0.0 },
        ] {
            let shape = fit(&known(truth, 20_000, 1)).unwrap();
            let error = check(&shape, &known(truth, 20_000, 2), 1).error.unwrap();
            assert!(error < 1.5, "{shape:?} for {truth:?}: {error}");
            // Values taken for chances as they are would be wrong.
            let naive = Shape { slope: 2.0, bend: 2.0 / 3.0, tempo: 0.0 };
            let naive = check(&naive, &known(truth, 20_000, 2), 1).error.unwrap();
            assert!(naive > 2.0 * error, "{naive} against {error} for {truth:?}");
        }
    }

    #[test]
    fn values_that_mean_nothing_have_no_link() {
        let against = Shape { slope: -1.0, bend: 0.0, tempo: 0.0 };
        assert_eq!(fit(&known(against, 5000, 1)), None);
        assert_eq!(fit(&[]), None);
    }

    #[test]
    fn the_same_calibration_gives_the_same_link_and_proved_values_are_left_out() {
        let calibration = |game: &str, engine: &str| {
            let calibration = Calibration {
                game: game.into(),
                engine: engine.into(),
                nodes: 400,
                play_nodes: 100,
                opening: 4,
                samples: 3,
                games: 40,
                checks: 30,
                seed: 5,
            };
            calibration.run(&mut Memory::new(Clock::start()), &mut |_, _| {})
        };
        let found = calibration("pig(target=40)", "star2").unwrap();
        assert!(!found.partial && found.games == 40 && found.positions > 80, "{found:?}");
        assert_eq!(found.checks.iter().map(|check| check.nodes).collect::<Vec<_>>(), [100, 400, 1600]);
        let again = calibration("pig(target=40)", "star2").unwrap();
        assert_eq!((&found.link, found.positions), (&again.link, again.positions));
        assert_eq!(found.link.unwrap().game, "pig(target=40)");
        // The whole game is seen to its end.
        let none = calibration("ewn(size=3,stones=1)", "star2").unwrap();
        assert_eq!((none.positions, none.link), (0, None));
        for (game, engine, words) in [
            ("ra(utility=score)", "star2", "is not won or lost"),
            ("pig", "hold-at", "does not search"),
            ("pig", "nobody", "'nobody'"),
        ] {
            let error = calibration(game, engine).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
