//! The experiments of the papers and lectures: what is done, how it is judged, and what was published.
//!
//! An [`Experiment`] is run with a [`Setting`] and gives an [`Outcome`]: findings that set the published
//! number beside the measured one, tables and figures. [`write()`] makes a report of it. What it prints and
//! where it runs is not known here: news goes through a [`Desk`] that the caller hands down.
//!
//! Budgets are in samples, nodes or iterations, so an outcome is a pure function of the experiment, the scale
//! and the seed: neither the number of workers nor the machine changes a byte of it. The exception is the
//! full scale of the MCMS paper, whose budget is a time.

mod estimators;
mod lecture_bandit_regret;
mod lecture_branching;
mod lecture_order;
mod lecture_sampling;
mod lecture_ucb_constant;
mod lecture_ucb_example;
mod mcms_fig2;
mod mcms_future;
mod mcms_players;
mod mcms_star1_example;
mod mcms_table1;
mod mcms_theorem1;
mod mcms_tuning;
mod parallel;
mod report;
mod stop;
mod text;
mod uniform_tree;

pub use report::{Finding, Outcome, Table, Verdict, write};

use crate::file::WriteError;
use crate::run::Shard;
use crate::store::Store;
use serde::Deserialize;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How much is run.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Enough to see the shape of the result, in seconds.
    #[default]
    Quick,
    /// The sizes of the source, or so many runs that the intervals are narrow.
    Full,
}

impl Scale {
    /// The name, as it is typed and printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// The first at the quick scale, the second at the full one.
    pub(crate) fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// How an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How much is run.
    pub scale: Scale,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads. Results do not depend on their number.
    pub workers: usize,
    /// The share that is done here; without the others there may be no outcome.
    pub shard: Shard,
}

impl Setting {
    /// The whole of an experiment.
    #[must_use]
    pub const fn new(scale: Scale, seed: u64, workers: usize) -> Self {
        Self { scale, seed, workers, shard: Shard::WHOLE }
    }
}

/// The caller's hand on a running experiment: where news goes, and its stop button.
pub trait Desk {
    /// Hears how much is done, from 0 to 1, and what is being done.
    fn progress(&mut self, done: f64, what: &str);

    /// Where results are kept, the stop button, and what a crew needs beside.
    fn parts(&mut self) -> Parts<'_>;
}

/// What a crew needs of a desk.
pub struct Parts<'a> {
    /// Where results are kept: what is there already is not done again.
    pub store: &'a mut Store,
    /// Set when all must end.
    pub stop: &'a AtomicBool,
    /// Hears of progress, as [`Desk::progress`] does.
    pub progress: Box<Listener<'a>>,
}

/// Who hears how much is done, from 0 to 1, and what is being done.
pub type Listener<'a> = dyn FnMut(f64, &str) + 'a;

/// A desk at which nobody sits: no news, no stop button, and results that are kept no longer than the desk.
pub struct Unattended {
    store: Store,
    stop: AtomicBool,
}

impl Default for Unattended {
    fn default() -> Self {
        Self { store: Store::memory(), stop: AtomicBool::new(false) }
    }
}

#[cfg(test)]
impl Unattended {
    /// A desk whose stop button was pressed.
    fn stopped() -> Self {
        Self { stop: AtomicBool::new(true), ..Self::default() }
    }
}

impl Desk for Unattended {
    fn progress(&mut self, _done: f64, _what: &str) {}

    fn parts(&mut self) -> Parts<'_> {
        Parts { store: &mut self.store, stop: &self.stop, progress: Box::new(|_, _| {}) }
    }
}

/// An experiment.
pub trait Experiment: Sync {
    /// Its name on the command line, and that of its directory.
    fn id(&self) -> &'static str;
    /// What it shows, in a few words.
    fn title(&self) -> &'static str;
    /// Which paper or lecture it follows, and where in it.
    fn source(&self) -> &'static str;
    /// How long it takes on two cores, roughly.
    fn duration(&self, scale: Scale) -> Duration;
    /// Runs it.
    ///
    /// # Errors
    /// If the desk asked for the end, or something that it needs does not work.
    fn run(&self, setting: &Setting, desk: &mut dyn Desk) -> Result<Outcome, Failed>;
}

/// Why an experiment has no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The desk asked for the end.
    Cancelled,
    /// Its share is done as far as it can be: what follows needs the results of other shards.
    Waits,
    /// Something does not work: one line for the user.
    Message(String),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => write!(f, "interrupted"),
            Self::Waits => write!(f, "the results of other shards are missing"),
            Self::Message(message) => write!(f, "{message}"),
        }
    }
}

impl std::error::Error for Failed {}

impl From<WriteError> for Failed {
    fn from(error: WriteError) -> Self {
        Self::Message(error.to_string())
    }
}

/// Every experiment, in the order of the sources. The only list.
#[must_use]
pub fn experiments() -> &'static [&'static dyn Experiment] {
    &[
        &mcms_table1::Table1,
        &mcms_fig2::Figure2,
        &mcms_tuning::Tuning,
        &mcms_tuning::BestMcts,
        &mcms_star1_example::Star1Example,
        &mcms_theorem1::Theorem1,
        &mcms_future::Future,
        &lecture_ucb_example::UcbExample,
        &lecture_ucb_constant::UcbConstant,
        &lecture_bandit_regret::BanditRegret,
        &lecture_sampling::RootSampling,
        &lecture_branching::Branching,
        &lecture_order::Order,
    ]
}

/// The names that stand for several experiments: `all`, and what stands before the first hyphen of each id.
#[must_use]
pub fn groups() -> Vec<&'static str> {
    let mut groups = vec!["all"];
    for experiment in experiments() {
        let group = experiment.id().split('-').next().unwrap_or_default();
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// The experiments that these ids and groups name, each once, in the order of the list.
///
/// # Errors
/// If a name is neither: it says what is near.
pub fn select<N: AsRef<str>>(names: &[N]) -> Result<Vec<&'static dyn Experiment>, Failed> {
    let groups = groups();
    let belongs = |id: &str, name: &str| {
        name == "all" || id == name || id.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
    };
    let mut wanted = vec![false; experiments().len()];
    for name in names.iter().map(AsRef::as_ref) {
        if !groups.contains(&name) && experiments().iter().all(|experiment| experiment.id() != name) {
            return Err(Failed::Message(unknown(name, &groups)));
        }
        for (wanted, experiment) in wanted.iter_mut().zip(experiments()) {
            *wanted |= belongs(experiment.id(), name);
        }
    }
    Ok(experiments().iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(found, _)| *found).collect())
}

/// What to say of a name that is not in the list.
fn unknown(name: &str, groups: &[&'static str]) -> String {
    let names = experiments().iter().map(|experiment| experiment.id()).chain(groups.iter().copied());
    let mut near: Vec<(usize, &str)> = names
        .map(|id| {
            // Part of an id is as good as a few wrong letters.
            let part = name.len() > 2 && id.contains(name);
            (if part { 0 } else { text::distance(name, id) }, id)
        })
        .filter(|(distance, id)| *distance <= 1 + id.len() / 3)
        .collect();
    near.sort_unstable();
    let near: Vec<&str> = near.into_iter().take(4).map(|(_, id)| id).collect();
    let hint = if near.is_empty() {
        format!("groups are {}", groups.join(", "))
    } else {
        format!("did you mean {}?", near.join(", "))
    };
    format!("unknown experiment '{}'; {hint} (astragal reproduce --list)", name.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain_and_each_has_a_group() {
        let mut seen = Vec::new();
        for experiment in experiments() {
            let id = experiment.id();
            assert!(
                id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)),
                "{id}"
            );
            assert!(id.contains('-') && !seen.contains(&id), "{id}");
            assert!(!experiment.title().is_empty() && !experiment.source().is_empty());
            assert!(experiment.duration(Scale::Quick) <= experiment.duration(Scale::Full));
            seen.push(id);
        }
        assert_eq!(groups(), ["all", "mcms", "lecture"]);
    }

    #[test]
    fn names_select_each_experiment_once() {
        let ids = |names: &[&str]| -> Vec<&str> {
            select(names).unwrap().iter().map(|experiment| experiment.id()).collect()
        };
        assert_eq!(
            ids(&["mcms"]),
            [
                "mcms-table1",
                "mcms-fig2",
                "mcms-tuning",
                "mcms-best-mcts",
                "mcms-star1-example",
                "mcms-theorem1",
                "mcms-future"
            ]
        );
        assert_eq!(ids(&["lecture-order", "mcms-theorem1", "mcms"]).len(), 8);
        assert_eq!(ids(&["all", "lecture"]).len(), experiments().len());
        assert!(ids(&[]).is_empty());
    }

    #[test]
    fn an_unknown_name_is_answered_with_near_ones() {
        let said = |name: &str| select(&[name]).err().unwrap().to_string();
        assert!(said("mcms-theorem").contains("did you mean mcms-theorem1"), "{}", said("mcms-theorem"));
        assert!(said("sampling").contains("lecture-sampling"));
        assert!(said("ucb").contains("lecture-ucb-example"));
        assert!(said("lektüre").contains("lecture"));
        assert!(said("zzz").contains("groups are all, mcms, lecture"));
    }
}
