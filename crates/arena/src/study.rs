//! Several engines compared in the same trees, optionally for several values of a parameter: how often each
//! decides correctly ([`Accuracy`]), or after how many simulations its root value stays at or above a
//! threshold ([`Convergence`]).

use crate::accuracy::{Accuracy, Decided, Dominance, accuracy, dominance, joint, lead, pathology};
use crate::contest::NoContest;
use crate::convergence::{Converged, Convergence};
use crate::work::{Executor, Finished, Work};
use astragal_catalog::{AnyGame, Spec, SpecError, engine_info, game, game_info};
use astragal_core::Budget;
use astragal_stats::{Estimate, LEVEL, Running};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The parameter, optionally prefixed with `game.` or `engine.`.
    pub key: String,
    /// Its values.
    pub values: Vec<String>,
}

/// The maximum number of values of a sweep.
const MOST_VALUES: usize = 1000;

/// Parses `sigma=0,2,4`, `vmax=1..10` or `c=0..1:0.1`.
impl std::str::FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form =
            || "expected a parameter and values such as sigma=0,2,4, vmax=1..10 or c=0..1:0.1".to_string();
        let (key, values) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(form)?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(form);
        let values: Vec<String> = match values.split_once("..") {
            None => values.split(',').map(|value| value.trim().to_string()).collect(),
            Some((from, rest)) => {
                let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
                let (from, to, step) = (number(from)?, number(to)?, number(step)?);
                let steps = ((to - from) / step + 1e-9).floor();
                if step <= 0.0 || !(0.0..MOST_VALUES as f64).contains(&steps) {
                    return Err(format!(
                        "a sweep has 1 to {MOST_VALUES} values, from the least to the greatest"
                    ));
                }
                // Rounded to twelve digits, so that 3 · 0.1 is written as 0.3.
                let value = |at: u32| format!("{:.12}", from + step * f64::from(at));
                let trimmed = |text: String| text.trim_end_matches('0').trim_end_matches('.').to_string();
                (0..=steps as u32).map(|at| trimmed(value(at))).collect()
            }
        };
        if values.iter().any(String::is_empty) {
            return Err(form());
        }
        Ok(Self { key: key.trim().into(), values })
    }
}

/// The engines to compare, and the trees.
#[derive(Clone, Debug)]
pub struct Study {
    /// The game whose random starts are the trees.
    pub game: String,
    /// The engines; the others are compared with the first.
    pub engines: Vec<String>,
    /// The parameter to vary.
    pub sweep: Option<Sweep>,
    /// Number of trees.
    pub trees: u64,
    /// The seed of the first tree; the others follow.
    pub seed: u64,
}

/// The work for an engine, as given, at a value of the sweep.
struct Part<W> {
    at: Option<String>,
    engine: String,
    work: W,
}

/// The results, and whether some are missing.
struct Found<T> {
    /// For each part.
    results: Vec<Vec<T>>,
    is_partial: bool,
}

/// Receives the number of searches done and their total.
pub type Progress<'a> = dyn FnMut(u64, u64) + 'a;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum StudyError<E> {
    /// The study is impossible: one line for the user.
    #[error(transparent)]
    Refused(#[from] NoContest),
    /// Results cannot be stored or read.
    #[error(transparent)]
    Executor(E),
}

/// An estimate and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Between {
    /// The estimate.
    pub mean: f64,
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl From<Estimate> for Between {
    fn from(Estimate { mean, lo, hi, .. }: Estimate) -> Self {
        Self { mean, lo, hi }
    }
}

/// How often engines decide correctly.
#[derive(Debug, Serialize)]
pub struct AccuracyReport {
    /// The game.
    pub game: String,
    /// The parameter that is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<String>,
    /// The seed of the first tree.
    pub seed: u64,
    /// Whether the study was interrupted.
    pub partial: bool,
    /// Every engine at every value of the sweep.
    pub rows: Vec<AccuracyRow>,
    /// Every engine except the first, across the sweep.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub across: Vec<Across>,
}

/// How often one engine decides correctly.
#[derive(Debug, Serialize)]
pub struct AccuracyRow {
    /// The engine, as given.
    pub engine: String,
    /// The value of the parameter that is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The share of correct decisions.
    pub accuracy: f64,
    /// The lower end of its confidence interval.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
    /// Number of trees.
    pub trees: u64,
    /// The mean number of nodes of a decision.
    pub nodes: f64,
    /// Compared with the first engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Compared>,
}

/// An engine compared with the first, tree by tree.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// How much more often it is correct.
    pub lead: Between,
    /// 1 minus the ratio of the first engine's correct decisions to its own: the pathology index if it
    /// searches deeper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<Between>,
}

/// An engine compared with the first, across the sweep.
#[derive(Debug, Serialize)]
pub struct Across {
    /// The engine.
    pub engine: String,
    /// Which of the two dominates.
    pub standing: Dominance,
    /// Number of values at which it is ahead.
    pub ahead: usize,
    /// Number of values at which it is behind.
    pub behind: usize,
    /// Number of values of the sweep.
    pub of: usize,
}

/// After how many simulations root values converge.
#[derive(Debug, Serialize)]
pub struct ConvergenceReport {
    /// The game.
    pub game: String,
    /// The threshold.
    pub tau: f64,
    /// The parameter that is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweep: Option<String>,
    /// The seed of the first tree.
    pub seed: u64,
    /// Whether the study was interrupted.
    pub partial: bool,
    /// Every engine at every value of the sweep.
    pub rows: Vec<ConvergenceRow>,
}

/// After how many simulations the root values of one engine converge.
#[derive(Debug, Serialize)]
pub struct ConvergenceRow {
    /// The engine, as given.
    pub engine: String,
    /// The value of the parameter that is swept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The mean time, if all trees have one: the mean over some would be biased towards the fast ones.
    pub time: Option<f64>,
    /// The lower end of its confidence interval.
    pub lo: Option<f64>,
    /// The upper end.
    pub hi: Option<f64>,
    /// The median, if more than half of the trees have a time.
    pub median: Option<u64>,
    /// Number of trees in which the value was seen to converge.
    pub converged: u64,
    /// Number of trees.
    pub trees: u64,
}

/// The default maximum number of simulations of a search.
pub const MOST_SIMULATIONS: u64 = 1_000_000;

impl Study {
    /// Measures how often the engines decide correctly, with a budget per decision.
    ///
    /// # Errors
    /// If the study is impossible, or results cannot be stored.
    pub fn accuracy<E: Executor>(
        &self,
        budget: Budget,
        executor: &mut E,
        progress: &mut Progress<'_>,
    ) -> Result<AccuracyReport, StudyError<E::Error>> {
        let parts = self.parts(|rules, engine| Accuracy::new(rules, engine, budget, self.seed))?;
        let found: Found<Decided> = self.run(&parts, executor, progress)?;
        Ok(AccuracyReport {
            game: self.game.clone(),
            sweep: self.key(),
            seed: self.seed,
            partial: found.is_partial,
            rows: self.accuracy_rows(&parts, &found),
            across: self.across(&found),
        })
    }

    fn accuracy_rows(&self, parts: &[Part<Accuracy>], found: &Found<Decided>) -> Vec<AccuracyRow> {
        let mut rows = Vec::new();
        for (at, (part, decided)) in parts.iter().zip(&found.results).enumerate() {
            let Some(share) = accuracy(decided) else { continue };
            let first = at - at % self.engines.len();
            let compared = (at != first && !found.is_partial).then(|| Compared {
                lead: lead(decided, &found.results[first], LEVEL).into(),
                index: pathology(&found.results[first], decided).map(Between::from),
            });
            rows.push(AccuracyRow {
                engine: part.engine.clone(),
                at: part.at.clone(),
                accuracy: share.mean,
                lo: share.lo,
                hi: share.hi,
                trees: decided.len() as u64,
                nodes: decided.iter().map(|one| one.nodes as f64).sum::<f64>() / decided.len() as f64,
                compared,
            });
        }
        rows
    }

    /// Compares every engine except the first across the sweep.
    fn across(&self, found: &Found<Decided>) -> Vec<Across> {
        let engines = self.engines.len();
        let of = found.results.len() / engines;
        if self.sweep.is_none() || found.is_partial {
            return Vec::new();
        }
        let compare = |at: usize| {
            let leads: Vec<Estimate> =
                found.results.chunks(engines).map(|value| lead(&value[at], &value[0], joint(of))).collect();
            Across {
                engine: self.engines[at].clone(),
                standing: dominance(&leads),
                ahead: leads.iter().filter(|lead| lead.lo > 0.0).count(),
                behind: leads.iter().filter(|lead| lead.hi < 0.0).count(),
                of,
            }
        };
        (1..engines).map(compare).collect()
    }

    /// Measures after how many simulations the root values of the engines stay at `tau` or more, within
    /// `most`.
    ///
    /// # Errors
    /// If the study is impossible, or results cannot be stored.
    pub fn convergence<E: Executor>(
        &self,
        tau: f64,
        most: u64,
        executor: &mut E,
        progress: &mut Progress<'_>,
    ) -> Result<ConvergenceReport, StudyError<E::Error>> {
        let parts = self.parts(|rules, engine| Convergence::new(rules, engine, tau, most, self.seed))?;
        let found: Found<Converged> = self.run(&parts, executor, progress)?;
        let rows = parts.iter().zip(&found.results).map(|(part, converged)| {
            let mut times: Vec<u64> = converged.iter().filter_map(|one| one.time).collect();
            times.sort_unstable();
            let mean = times.iter().map(|time| *time as f64).collect::<Running>().estimate(LEVEL);
            let complete = !times.is_empty() && times.len() == converged.len();
            let known = |x: f64| (complete && x.is_finite()).then_some(x);
            ConvergenceRow {
                engine: part.engine.clone(),
                at: part.at.clone(),
                time: known(mean.mean),
                lo: known(mean.lo),
                hi: known(mean.hi),
                median: times.get(converged.len() / 2).copied(),
                converged: times.len() as u64,
                trees: converged.len() as u64,
            }
        });
        Ok(ConvergenceReport {
            game: self.game.clone(),
            tau,
            sweep: self.key(),
            seed: self.seed,
            partial: found.is_partial,
            rows: rows.collect(),
        })
    }

    fn key(&self) -> Option<String> {
        self.sweep.as_ref().map(|sweep| sweep.key.clone())
    }

    /// All work, grouped by value of the sweep.
    fn parts<W>(
        &self,
        make: impl Fn(Arc<dyn AnyGame>, &str) -> Result<W, NoContest>,
    ) -> Result<Vec<Part<W>>, NoContest> {
        let part = |rules: &str, given: &str, engine: &str, at: Option<&str>| -> Result<Part<W>, NoContest> {
            let work = make(game(rules)?.into(), engine)?;
            Ok(Part { at: at.map(String::from), engine: given.into(), work })
        };
        if self.engines.is_empty() {
            return Err(NoContest("there is no engine to judge".into()));
        }
        let Some(Sweep { key, values }) = &self.sweep else {
            return self.engines.iter().map(|engine| part(&self.game, engine, engine, None)).collect();
        };
        let (whose, key) = match key.split_once('.') {
            Some((whose @ ("game" | "engine"), key)) => (whose, key),
            _ => ("", key.as_str()),
        };
        let has = |engine: &String| -> Result<bool, SpecError> {
            let info = engine_info(&Spec::parse(engine)?.name)?;
            Ok(info.params.iter().any(|param| param.name == key))
        };
        let of_game = whose != "engine"
            && game_info(&Spec::parse(&self.game)?.name)?.info.params.iter().any(|param| param.name == key);
        let mut of_engines = self.engines.iter().map(has).collect::<Result<Vec<bool>, _>>()?;
        if whose == "game" {
            of_engines.fill(false);
        }
        match (of_game, of_engines.contains(&true)) {
            (true, _) if key == "seed" => {
                return Err(NoContest("the seed selects the trees and cannot be swept".into()));
            }
            (true, true) => {
                return Err(NoContest(format!(
                    "both the game and an engine have a parameter '{key}': say game.{key} or engine.{key}"
                )));
            }
            (false, false) => {
                let who = match whose {
                    "game" => "the game does not have",
                    "engine" => "no engine has",
                    _ => "neither the game nor an engine has",
                };
                return Err(NoContest(format!("{who} a parameter '{key}'")));
            }
            _ => {}
        }
        let mut parts = Vec::new();
        for value in values {
            for (engine, has_it) in self.engines.iter().zip(&of_engines) {
                let rules = if of_game { with(&self.game, key, value)? } else { self.game.clone() };
                let player = if !of_game && *has_it { with(engine, key, value)? } else { engine.clone() };
                parts.push(part(&rules, engine, &player, Some(value))?);
            }
        }
        Ok(parts)
    }

    /// Runs all parts and collects their results.
    fn run<W: Work, T: DeserializeOwned, E: Executor>(
        &self,
        parts: &[Part<W>],
        executor: &mut E,
        progress: &mut Progress<'_>,
    ) -> Result<Found<T>, StudyError<E::Error>> {
        let (mut done, all) = (0, self.trees * parts.len() as u64);
        let works: Vec<(&dyn Work, u64)> =
            parts.iter().map(|part| (&part.work as &dyn Work, self.trees)).collect();
        let mut seen = |_: Finished<'_>| {
            done += 1;
            progress(done, all);
            ControlFlow::Continue(())
        };
        executor.run(&works, &mut seen).map_err(StudyError::Executor)?;
        let results = parts.iter().map(|part| executor.results(&part.work, self.trees));
        let results = results.collect::<Result<Vec<Vec<T>>, _>>().map_err(StudyError::Executor)?;
        let is_partial = (results.iter().map(Vec::len).sum::<usize>() as u64) < all;
        Ok(Found { results, is_partial })
    }
}

/// Sets a parameter of a spec.
fn with(spec: &str, key: &str, value: &str) -> Result<String, SpecError> {
    let mut spec = Spec::parse(spec)?;
    spec.args.retain(|(name, _)| name != key);
    spec.args.push((key.into(), value.into()));
    Ok(spec.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_lists_and_ranges() {
        let values = |text: &str| text.parse::<Sweep>().map(|sweep| sweep.values.join(" "));
        assert_eq!(values("sigma=0,2,4").unwrap(), "0 2 4");
        assert_eq!(values("vmax=1..4").unwrap(), "1 2 3 4");
        assert_eq!(values("c=0..0.4:0.1").unwrap(), "0 0.1 0.2 0.3 0.4");
        assert_eq!(values("kmax=10..10").unwrap(), "10");
        for text in ["", "c", "=1", "c=", "c=1,,2", "c=2..1", "c=0..1:0", "c=0..1:-1", "c=a..b", "c=0..1e9"] {
            assert!(values(text).is_err(), "{text}");
        }
    }
}
