//! What decisions cost where perfect play is known: each is charged the exact value that it gives away.
//!
//! A match of a few hundred games cannot tell players apart who differ by one per cent; their decisions,
//! charged exactly, can, because the luck of the dice no longer counts. Over a game against any opponent the
//! expected charges of a player add up to what the player falls short of perfect play.

use crate::budget::{DECISION, budget_for};
use crate::contest::{Maker, NoContest, maker};
use crate::play::Decision;
use crate::study::{Between, Progress, StudyError};
use crate::work::{Aside, Executor, Finished, Work, Worker};
use astragal_catalog::{Aim, AnyGame, Engine, Payoffs, Position};
use astragal_core::{Budget, Player, Sampler, Turn, Watch, below, unit};
use astragal_solve::Solution;
use astragal_stats::{LEVEL, Stake, mean_loss};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Losses below this share of the scale are rounding errors of the solution.
const NOTHING: f64 = 1e-9;

/// A game is broken off after this many decisions and throws.
const LONGEST: u32 = 100_000;

/// Where the positions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Games that the engine plays against itself: every decision is charged.
    SelfPlay,
    /// Random play: one decision of each game.
    Random,
    /// All decisions that can be reached, each once; a random selection if there are too many.
    All,
}

impl Source {
    const ALL: [(Self, &'static str); 3] =
        [(Self::SelfPlay, "self-play"), (Self::Random, "random"), (Self::All, "all")];

    /// Its name.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(source, _)| *source == self).expect("all are listed").1
    }
}

impl std::str::FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(_, name)| *name == text);
        found.map(|(source, _)| *source).ok_or_else(|| "expected self-play, random or all".into())
    }
}

/// A solved game, engines, and the positions in which they are judged.
pub struct Trial {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// The position from which games begin.
    pub start: Box<dyn Position>,
    /// Its solution.
    pub solution: Arc<Solution>,
    /// Where the positions come from.
    pub source: Source,
    /// The number of decisions to judge; games of self-play are played to their end.
    pub positions: u64,
    /// The random decisions with which each game of self-play begins; they are not judged. By default 2 in
    /// games without chance, where all games would otherwise be the same.
    pub opening: Option<u32>,
    /// The seed of dice, random play and searches.
    pub seed: u64,
    /// The budget per decision.
    pub budget: Budget,
}

/// The decisions of one engine. A unit is a game of self-play, or a position.
struct Regret<'a> {
    trial: &'a Trial,
    make: Maker,
    engine: String,
    budget: Budget,
    /// The positions, if they are not played for.
    listed: &'a [Box<dyn Position>],
    /// Whether these are all that there are.
    is_everything: bool,
}

/// The charges of a unit.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Charges {
    /// Decisions with a choice, of player 1 and of player 2.
    pub decisions: [u64; 2],
    /// Decisions among them that lost nothing.
    pub right: u64,
    /// Whether the game was broken off as too long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub broken_off: bool,
    /// The sum of their losses.
    pub lost: f64,
    /// The sum of the differences between the best and the worst action.
    pub staked: f64,
    /// The states that the engine visited.
    pub nodes: u64,
    /// The costliest decision, if any lost something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<Blunder>,
}

impl Charges {
    /// Decisions with a choice.
    fn count(&self) -> u64 {
        self.decisions.iter().sum()
    }
}

/// A decision that lost something.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Blunder {
    /// What it lost.
    pub loss: f64,
    /// The position.
    pub position: String,
    /// The action that was chosen.
    pub action: String,
    /// A best action.
    pub best: String,
}

/// What identifies the decisions of an engine.
#[derive(Serialize)]
struct Identity<'a> {
    game: &'a str,
    start: String,
    engine: &'a str,
    budget: String,
    source: Source,
    opening: u32,
    seed: u64,
}

/// The decisions of several engines.
#[derive(Debug, Serialize)]
pub struct RegretReport {
    /// The game.
    pub game: String,
    /// The position from which games begin.
    pub position: String,
    /// Its value under perfect play.
    pub value: f64,
    /// The expected number of turns, where these are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<f64>,
    /// What losses are measured in: `payoff` or `turns`.
    pub objective: &'static str,
    /// The difference between the largest and the smallest payoff; a loss of this much is a lost game.
    pub width: f64,
    /// Whether payoffs only say who won.
    pub is_won_or_lost: bool,
    /// Where the positions come from.
    pub source: Source,
    /// The decisions that can be reached, if they were listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reachable: Option<u64>,
    /// The random decisions before each game of self-play.
    pub opening: u32,
    /// The seed.
    pub seed: u64,
    /// The budget per decision.
    pub budget: String,
    /// Whether the measurement was interrupted.
    pub partial: bool,
    /// The engines, in the order given.
    pub rows: Vec<RegretRow>,
}

/// The decisions of one engine. Losses are differences of values under perfect play.
#[derive(Debug, Serialize)]
pub struct RegretRow {
    /// The complete spec of the engine.
    pub engine: String,
    /// Its budget per decision.
    pub budget: String,
    /// Games of self-play, or positions.
    pub units: u64,
    /// Games that were broken off as too long.
    pub broken_off: u64,
    /// Decisions with a choice.
    pub decisions: u64,
    /// The mean loss of a decision.
    pub loss: Between,
    /// The mean loss of each player in a game of self-play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_a_game: Option<Between>,
    /// The share of decisions that lost nothing.
    pub right: f64,
    /// The costliest decision.
    pub worst: Option<Blunder>,
    /// The mean number of states visited for a decision.
    pub nodes_a_decision: f64,
    /// The mean time of a decision in seconds; the only number that differs from run to run.
    pub seconds_a_decision: f64,
}

impl Trial {
    /// Measures what the decisions of engines cost.
    ///
    /// # Errors
    /// If there is no such engine, it does not heed the budget, the solution does not know the start, or
    /// results cannot be kept.
    pub fn regret<E: Executor>(
        &self,
        engines: &[String],
        executor: &mut E,
        progress: &mut Progress<'_>,
    ) -> Result<RegretReport, StudyError<E::Error>> {
        let Some(value) = self.start.value_in(&self.solution) else {
            let at = self.start.text();
            return Err(NoContest(format!("the solution does not contain the position '{at}'")).into());
        };
        let (listed, met) = if self.source == Source::All { self.all_decisions() } else { (Vec::new(), 0) };
        let is_everything = self.source == Source::All && met == listed.len() as u64;
        let parts = engines.iter().map(|engine| {
            let make = maker(&self.game, engine)?;
            let made = make();
            // Players that follow a rule take no budget, even if the others have one.
            let given = if made.heeds().is_empty() { Budget::default() } else { self.budget };
            let budget = budget_for(&*made, given, DECISION)?;
            Ok(Regret {
                trial: self,
                make,
                engine: made.spec().into(),
                budget,
                listed: &listed,
                is_everything,
            })
        });
        let parts = parts.collect::<Result<Vec<_>, NoContest>>()?;
        let all = match self.source {
            Source::All => listed.len() as u64,
            Source::SelfPlay | Source::Random => self.positions,
        };
        let (mut rows, mut partial) = (Vec::new(), false);
        for (number, part) in parts.iter().enumerate() {
            let row = self.measure(part, all, executor, &mut |done| {
                progress(number as u64 * all + done.min(all), parts.len() as u64 * all);
            })?;
            let (row, complete) = row;
            rows.extend(row);
            if !complete {
                partial = true;
                break;
            }
        }
        if rows.is_empty() && !partial {
            let at = self.start.text();
            return Err(NoContest(format!("no decision with a choice can be reached from '{at}'")).into());
        }
        // Without a limit, searches that would not end get one in time.
        let limited = Budget::time(DECISION).to_string();
        let range = self.game.range();
        Ok(RegretReport {
            game: self.game.spec().into(),
            position: self.start.text(),
            value,
            objective: self.game.aim().name(),
            width: range.width(),
            turns: (self.game.aim() == Aim::Turns).then_some(-value),
            reachable: (self.source == Source::All).then_some(met),
            is_won_or_lost: matches!(self.game.payoffs(), Payoffs::WinLoss | Payoffs::WinDrawLoss)
                && self.game.aim() == Aim::Payoff,
            source: self.source,
            opening: self.opening(),
            seed: self.seed,
            budget: if rows.iter().any(|row| row.budget == limited) {
                limited
            } else {
                self.budget.to_string()
            },
            partial,
            rows,
        })
    }

    /// Measures one engine; `seen` is told how many of `all` decisions are judged. Returns its row, if any
    /// decision was judged, and whether all were.
    fn measure<E: Executor>(
        &self,
        part: &Regret<'_>,
        all: u64,
        executor: &mut E,
        seen: &mut dyn FnMut(u64),
    ) -> Result<(Option<RegretRow>, bool), StudyError<E::Error>> {
        let (mut time, mut judged, mut finished) = (Duration::ZERO, 0, 0);
        // Games are counted from the first one without a gap, so that the same ones count however many
        // threads play them.
        let (mut waiting, mut next, mut counted) = (HashMap::new(), 0, 0);
        let is_played = self.source == Source::SelfPlay;
        let mut tell = |unit: Finished<'_>| {
            let charges: Charges = serde_json::from_str(unit.result).expect("charges");
            let spent = unit.aside.downcast::<Duration>().expect("the time of its decisions");
            (time, judged, finished) = (time + *spent, judged + charges.count(), finished + 1);
            waiting.insert(unit.number, charges.count());
            while let Some(decisions) = waiting.remove(&next) {
                (counted, next) = (counted + decisions, next + 1);
            }
            seen(if is_played { counted } else { finished });
            let is_enough = is_played && counted >= self.positions;
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        executor.run(&[(part, all)], &mut tell).map_err(StudyError::Executor)?;
        let units: Vec<Charges> = executor.results(part, all).map_err(StudyError::Executor)?;
        let (units, complete) = if is_played {
            let mut sum = 0;
            let is_needed = |unit: &&Charges| {
                let before = sum;
                sum += unit.count();
                before < self.positions
            };
            let count = units.iter().take_while(is_needed).count();
            (&units[..count], sum >= self.positions || units.len() as u64 == all)
        } else {
            (&units[..], units.len() as u64 == all)
        };
        Ok((self.row(part, units, time.as_secs_f64() / judged.max(1) as f64), complete))
    }

    fn row(&self, part: &Regret<'_>, units: &[Charges], seconds: f64) -> Option<RegretRow> {
        let count = |of: fn(&Charges) -> u64| units.iter().map(of).sum::<u64>();
        let decisions = count(Charges::count);
        let stake = |unit: &Charges, parts: f64| Stake { lost: unit.lost, staked: unit.staked, parts };
        let mean = |parts: &dyn Fn(&Charges) -> f64| -> Option<Between> {
            // Where every position was judged, the mean is what it is, with this seed.
            if part.is_everything && units.len() == part.listed.len() && decisions > 0 {
                let mean = units.iter().map(|unit| unit.lost).sum::<f64>() / decisions as f64;
                return Some(Between { mean, lo: mean, hi: mean });
            }
            let stakes: Vec<Stake> = units.iter().map(|unit| stake(unit, parts(unit))).collect();
            Some(mean_loss(&stakes, LEVEL, self.seed)?.into())
        };
        // Both seats are the engine's, but a solitary game has only one.
        let seats = (0..2).filter(|&seat| units.iter().any(|unit| unit.decisions[seat] > 0)).count() as f64;
        let worst = units.iter().filter_map(|unit| unit.worst.as_ref());
        Some(RegretRow {
            engine: part.engine.clone(),
            units: units.len() as u64,
            decisions,
            budget: part.budget.to_string(),
            broken_off: units.iter().filter(|unit| unit.broken_off).count() as u64,
            loss: mean(&|unit| unit.count() as f64)?,
            loss_a_game: if self.source == Source::SelfPlay { mean(&|_| seats) } else { None },
            right: count(|unit| unit.right) as f64 / decisions.max(1) as f64,
            worst: worst.max_by(|a, b| a.loss.total_cmp(&b.loss)).cloned(),
            nodes_a_decision: count(|unit| unit.nodes) as f64 / decisions.max(1) as f64,
            seconds_a_decision: seconds,
        })
    }

    /// All decisions with a choice that can be reached, or a random selection of as many as are wanted, in
    /// the order in which they are reached; and how many there are.
    fn all_decisions(&self) -> (Vec<Box<dyn Position>>, u64) {
        let sampler = Sampler::new(self.seed);
        let mut kept: Vec<(u64, Box<dyn Position>)> = Vec::new();
        let mut met = 0;
        self.game.each_position(&*self.start, &mut |position| {
            if is_choice(position) {
                // Reservoir sampling: the newest takes the place of one of those met so far.
                let place = below(sampler.draw(met, 0, 0), met + 1);
                met += 1;
                if (kept.len() as u64) < self.positions {
                    kept.push((met, position.duplicate()));
                } else if place < self.positions {
                    kept[place as usize] = (met, position.duplicate());
                }
            }
            true
        });
        kept.sort_by_key(|(number, _)| *number);
        (kept.into_iter().map(|(_, position)| position).collect(), met)
    }

    fn opening(&self) -> u32 {
        self.opening.unwrap_or(if self.game.has_chance() { 0 } else { 2 })
    }

    /// The position after chance acted, with a number in [0, 1) that depends on the game and the step.
    fn thrown(&self, position: &dyn Position, number: u64, step: u32) -> Box<dyn Position> {
        let bits = Sampler::new(self.seed).draw(number, 1, step);
        position.chance(unit(bits)).expect("it is chance's turn").1
    }

    /// A random action.
    fn any_action(&self, position: &dyn Position, number: u64, step: u32) -> Box<dyn Position> {
        let bits = Sampler::new(self.seed).draw(number, 2, step);
        let index = below(bits, position.actions().len() as u64) as usize;
        position.act_at(index).expect("one of its actions")
    }

    /// A decision of a random game, each of those with a choice being equally likely; none if it has none.
    fn random_decision(&self, number: u64) -> Option<Box<dyn Position>> {
        let (mut found, mut met) = (None, 0);
        let mut position = self.start.duplicate();
        for step in 0..LONGEST {
            position = match position.turn() {
                Turn::Over(_) => break,
                Turn::Chance => self.thrown(&*position, number, step),
                Turn::Decide(_) => {
                    if is_choice(&*position) {
                        met += 1;
                        if below(Sampler::new(self.seed).draw(number, 3, step), met) == 0 {
                            found = Some(position.duplicate());
                        }
                    }
                    self.any_action(&*position, number, step)
                }
            };
        }
        found
    }
}

/// Whether a player has more than one action.
fn is_choice(position: &dyn Position) -> bool {
    matches!(position.turn(), Turn::Decide(_)) && position.act_at(1).is_some()
}

/// An engine and the perfect player that charges it.
struct Charging<'a> {
    work: &'a Regret<'a>,
    engine: Box<dyn Engine>,
    judge: Box<dyn Engine>,
}

impl Charging<'_> {
    /// Charges one decision, and returns the action that the engine chose; none if it was cancelled.
    fn charge(
        &mut self,
        position: &dyn Position,
        player: Player,
        seed: u64,
        charges: &mut Charges,
        time: &mut Duration,
        watch: &mut dyn Watch,
    ) -> Option<String> {
        let mut clock = Decision::start(watch);
        let found = self.engine.analyze(position, seed, &self.work.budget, &mut clock);
        *time += clock.elapsed();
        if watch.cancelled() {
            return None;
        }
        let action = found.best.expect("contract: an engine that decides nothing");
        let truth = self.judge.analyze(position, 0, &Budget::default(), watch);
        let values = || truth.lines.iter().map(|line| player.sign() * line.value);
        let best = values().fold(f64::NEG_INFINITY, f64::max);
        let worst = values().fold(f64::INFINITY, f64::min);
        let line = truth.lines.iter().find(|line| line.action == action).expect("one of the actions");
        let loss = best - player.sign() * line.value;
        charges.decisions[player.index()] += 1;
        charges.staked += best - worst;
        charges.nodes += found.counts.nodes;
        if loss <= NOTHING * self.work.trial.game.range().width() {
            charges.right += 1;
        } else {
            charges.lost += loss;
            if charges.worst.as_ref().is_none_or(|worst| loss > worst.loss) {
                let best = truth.best.clone().unwrap_or_default();
                charges.worst =
                    Some(Blunder { loss, position: position.text(), action: action.clone(), best });
            }
        }
        Some(action)
    }

    /// Charges the decisions of a game of self-play; none if it was cancelled.
    fn play(&mut self, number: u64, time: &mut Duration, watch: &mut dyn Watch) -> Option<Charges> {
        let trial = self.work.trial;
        let (mut charges, mut position, mut opening) =
            (Charges::default(), trial.start.duplicate(), trial.opening());
        for step in 0..LONGEST {
            position = match position.turn() {
                Turn::Over(_) => return Some(charges),
                Turn::Chance => trial.thrown(&*position, number, step),
                Turn::Decide(_) if opening > 0 => {
                    opening -= 1;
                    trial.any_action(&*position, number, step)
                }
                Turn::Decide(player) if is_choice(&*position) => {
                    let seed = Sampler::new(trial.seed).draw(number, 0, step);
                    let action = self.charge(&*position, player, seed, &mut charges, time, watch)?;
                    position.act(&action).expect("an action that was chosen")
                }
                Turn::Decide(_) => position.act_at(0).expect("its only action"),
            };
        }
        Some(Charges { broken_off: true, ..charges })
    }
}

impl Work for Regret<'_> {
    fn kind(&self) -> &'static str {
        "regret"
    }

    fn text(&self) -> String {
        let Trial { game, start, source, seed, .. } = self.trial;
        let identity = Identity {
            game: game.spec(),
            start: start.text(),
            engine: &self.engine,
            budget: self.budget.to_string(),
            source: *source,
            opening: self.trial.opening(),
            seed: *seed,
        };
        serde_json::to_string(&identity).expect("text and numbers")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        let judge = self.trial.game.perfect(&self.trial.solution);
        Box::new(Charging { work: self, engine: (self.make)(), judge })
    }
}

impl Worker for Charging<'_> {
    fn result(&mut self, number: u64, watch: &mut dyn Watch) -> Option<(String, Aside)> {
        let trial = self.work.trial;
        let mut time = Duration::ZERO;
        let position = match trial.source {
            Source::SelfPlay => None,
            Source::Random => trial.random_decision(number),
            Source::All => Some(self.work.listed[number as usize].duplicate()),
        };
        let charges = match (trial.source, position) {
            (Source::SelfPlay, _) => self.play(number, &mut time, watch)?,
            (_, None) => Charges::default(),
            (_, Some(position)) => {
                let Turn::Decide(player) = position.turn() else { unreachable!("a decision was chosen") };
                let mut charges = Charges::default();
                let seed = Sampler::new(trial.seed).draw(number, 0, 0);
                self.charge(&*position, player, seed, &mut charges, &mut time, watch)?;
                charges
            }
        };
        Some((serde_json::to_string(&charges).expect("text and numbers"), Box::new(time)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Memory;
    use astragal_catalog::{game, game_with};
    use astragal_core::{Clock, Files};
    use astragal_solve::{SolveOptions, Unsupervised};
    use std::io::Cursor;

    /// A trial from the start of a game, which knows its solution by the file name `solution`.
    fn trial(spec: &str, source: Source, positions: u64) -> Trial {
        let plain = game(spec).unwrap();
        let solution =
            plain.solve(&*plain.start(), &SolveOptions::default(), &mut Unsupervised).map(Arc::new).unwrap();
        let mut file = Vec::new();
        solution.save(plain.spec(), &mut file).unwrap();
        let files = Files::new(move |_| Ok(Box::new(Cursor::new(file.clone()))));
        let game: Arc<dyn AnyGame> = game_with(spec, &files.into()).unwrap().into();
        let start = game.start();
        Trial {
            game,
            start,
            solution,
            source,
            positions,
            opening: Some(0),
            seed: 7,
            budget: Budget::default(),
        }
    }

    fn rows(trial: &Trial, engines: &[&str]) -> Vec<RegretRow> {
        let engines: Vec<String> = engines.iter().map(|engine| (*engine).into()).collect();
        let report = trial.regret(&engines, &mut Memory::new(Clock::start()), &mut |_, _| {}).unwrap();
        assert!(!report.partial);
        report.rows
    }

    #[test]
    fn the_perfect_player_loses_nothing_and_others_do() {
        for spec in [
            "pig(target=20)",
            "pig(dice=1,target=20)",
            "ewn(size=3,stones=3)",
            "cant-stop(dice=2,players=1)",
            "tic-tac-toe",
            "kalah(pits=3,stones=2)",
            "connect-four(width=4,height=4)",
        ] {
            for source in [Source::SelfPlay, Source::Random, Source::All] {
                let rows = rows(&trial(spec, source, 60), &["solved(file=solution)", "random"]);
                let [perfect, random] = &rows[..] else { panic!("{rows:?}") };
                assert!(perfect.decisions >= 40, "{spec} {source:?}: {perfect:?}");
                assert_eq!((perfect.right, perfect.loss.mean), (1.0, 0.0), "{spec} {source:?}");
                assert_eq!(perfect.worst, None, "{spec} {source:?}");
                assert!(random.right < 1.0 && random.loss.mean > 0.0, "{spec} {source:?}: {random:?}");
                assert!(random.worst.as_ref().unwrap().loss >= random.loss.mean);
            }
        }
    }

    /// The value of a position of a game without chance, by its definition.
    fn minimax(position: &dyn Position) -> f64 {
        let values = || (0..).map_while(|at| position.act_at(at)).map(|next| minimax(&*next));
        match position.turn() {
            Turn::Over(payoff) => payoff,
            Turn::Decide(Player::Max) => values().fold(f64::NEG_INFINITY, f64::max),
            Turn::Decide(Player::Min) => values().fold(f64::INFINITY, f64::min),
            Turn::Chance => unreachable!("there is no chance"),
        }
    }

    #[test]
    fn random_play_in_tic_tac_toe_is_charged_as_by_hand() {
        // From positions with at least two marks, so that the definition can be searched.
        let trial = trial("tic-tac-toe", Source::All, u64::MAX);
        let start = trial.game.read("X../.O./... p1").unwrap();
        let trial = Trial { start, ..trial };
        let found = &rows(&trial, &["random"])[0];
        let (mut count, mut by_hand, mut expected, mut variance) = (0, 0.0, 0.0, 0.0);
        let mut engine = trial.game.engine("random").unwrap();
        for (number, position) in trial.all_decisions().0.iter().enumerate() {
            let Turn::Decide(player) = position.turn() else { unreachable!() };
            let losses: Vec<f64> = (0..)
                .map_while(|at| position.act_at(at))
                .map(|next| player.sign() * (minimax(&**position) - minimax(&*next)))
                .collect();
            let seed = Sampler::new(7).draw(number as u64, 0, 0);
            let chosen =
                engine.analyze(&**position, seed, &Budget::default(), &mut Clock::start()).best.unwrap();
            let at = position.actions().iter().position(|action| *action == chosen).unwrap();
            by_hand += losses[at];
            let mean = losses.iter().sum::<f64>() / losses.len() as f64;
            expected += mean;
            variance += losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / losses.len() as f64;
            count += 1;
        }
        assert_eq!(found.decisions, count);
        assert_eq!(found.loss.mean, by_hand / count as f64);
        // Every position was judged, but the player chooses at random.
        assert!((by_hand - expected).abs() < 4.0 * variance.sqrt(), "{by_hand}, {expected} ± {variance}");
    }

    #[test]
    fn a_game_of_self_play_charges_each_seat_half() {
        let trial = trial("pig(target=20)", Source::SelfPlay, 4000);
        let row = &rows(&trial, &["hold-at(n=8)"])[0];
        let game = row.loss_a_game.unwrap();
        assert!(game.lo < game.mean && game.mean < game.hi && game.hi < 2.0 * game.mean, "{game:?}");
        assert!(
            (row.loss.mean * row.decisions as f64 / (2.0 * row.units as f64) / game.mean - 1.0).abs() < 1e-12
        );
    }

    #[test]
    fn a_solitary_player_is_charged_alone_and_in_turns() {
        let trial = trial("cant-stop(dice=2,players=1)", Source::SelfPlay, 500);
        let engines = ["random".to_string()];
        let report = trial.regret(&engines, &mut Memory::new(Clock::start()), &mut |_, _| {}).unwrap();
        let row = &report.rows[0];
        let game = row.loss.mean * row.decisions as f64 / row.units as f64;
        assert!((row.loss_a_game.unwrap().mean / game - 1.0).abs() < 1e-12, "{row:?}");
        assert!((report.turns.unwrap() - 1.4002).abs() < 1e-4, "{:?}", report.turns);
    }

    #[test]
    fn a_position_without_decisions_is_refused() {
        let trial = trial("tic-tac-toe", Source::All, 10);
        let start = trial.game.read("XOX/XOO/OX. p1").unwrap();
        let found = Trial { start, ..trial }.regret(
            &["random".into()],
            &mut Memory::new(Clock::start()),
            &mut |_, _| {},
        );
        assert!(found.unwrap_err().to_string().contains("no decision with a choice"));
    }

    #[test]
    fn a_start_that_the_solution_does_not_know_is_refused() {
        let known = trial("pig(target=20)", Source::SelfPlay, 10);
        let other = trial("pig(target=30)", Source::SelfPlay, 10);
        let mixed = Trial { start: other.game.read("25-25+0 p1").unwrap(), game: other.game, ..known };
        let refused = mixed.regret(&["random".into()], &mut Memory::new(Clock::start()), &mut |_, _| {});
        assert!(refused.unwrap_err().to_string().contains("does not contain the position"), "25-25");
    }
}
