//! The experiments of the papers and lectures: what is run, how it is judged, and what was published.
//!
//! An [`Experiment`] is data and a function: it runs on a [`Bench`] and returns an [`Outcome`]: findings that
//! compare published numbers with measured ones, tables and figures. [`write()`] turns it into a report.
//!
//! Budgets are in samples, nodes or iterations, so an outcome is a pure function of the experiment, the scale
//! and the seed: neither the number of workers nor the machine changes a byte of it. The exceptions are the
//! full scale of the MCMS paper, which has a time budget, and its scale `paper`, whose budgets are the nodes
//! that this machine visits in that time.

mod bench;
mod duels;
mod estimators;
mod judged;
mod lectures;
mod mcms;
mod plan;
mod report;
mod text;
mod thesis;

pub use bench::{Bench, Progress};
pub use plan::{Experiments, Plan};
pub use report::{Finding, Outcome, Table, Verdict, write};

use astragal_arena::contest::NoContest;
use astragal_core::{ReadError, SpecError};
use astragal_store::StoreError;
use astragal_store::file::WriteError;
use serde::Deserialize;
use std::collections::HashSet;
use std::time::Duration;
use thiserror::Error;

/// The scale of an experiment's runs.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Enough to show the shape of the result, within seconds.
    #[default]
    Quick,
    /// Node budgets of the order of the source's time, and enough games to decide the verdicts.
    Paper,
    /// The sizes of the source, or enough runs for narrow intervals.
    Full,
}

impl Scale {
    /// The name, as typed and printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Paper => "paper",
            Self::Full => "full",
        }
    }

    /// Returns the first at the quick scale, the second at any other.
    pub(crate) fn pick<T>(self, quick: T, more: T) -> T {
        if self == Self::Quick { quick } else { more }
    }
}

/// An experiment.
#[derive(Debug)]
pub struct Experiment {
    /// Its name on the command line and of its directory.
    pub id: &'static str,
    /// A short description of what it shows.
    pub title: &'static str,
    /// The paper or lecture it follows, and the section.
    pub source: &'static str,
    /// The available scales, with the approximate duration on two cores in seconds.
    pub takes: &'static [(Scale, u64)],
    /// Runs it.
    pub run: fn(&mut Bench<'_>) -> Result<Outcome, Failed>,
}

impl Experiment {
    /// The approximate duration on two cores, or `None` if the experiment does not have this scale.
    #[must_use]
    pub fn duration(&self, scale: Scale) -> Option<Duration> {
        let found = self.takes.iter().find(|(offered, _)| *offered == scale);
        found.map(|(_, seconds)| Duration::from_secs(*seconds))
    }
}

/// Why an experiment has no outcome.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Failed {
    /// It was stopped.
    #[error("interrupted")]
    Cancelled,
    /// Its share is done as far as possible: the rest needs the results of other shards.
    #[error("the results of other shards are missing")]
    Waits,
    /// Any other failure: one line for the user.
    #[error("{0}")]
    Message(String),
}

/// Converts other errors, keeping their messages.
macro_rules! told {
    ($($error:ty),*) => {
        $(impl From<$error> for Failed {
            fn from(error: $error) -> Self {
                Self::Message(error.to_string())
            }
        })*
    };
}

told!(NoContest, ReadError, SpecError, StoreError, WriteError);

/// The only list of all experiments, in the order of the sources.
static EXPERIMENTS: &[&Experiment] = &[
    &mcms::table1::TABLE1,
    &mcms::fig2::FIGURE2,
    &mcms::explained::EXPLAINED,
    &mcms::tuning::TUNING,
    &mcms::tuning::BEST_MCTS,
    &mcms::star1_example::STAR1_EXAMPLE,
    &mcms::theorem1::THEOREM1,
    &mcms::future::FUTURE,
    &mcms::dense::DENSE,
    &thesis::chess::TABLE3_1,
    &thesis::chess::TABLE3_2,
    &thesis::chess::AGAINST_MINIMAX,
    &thesis::rankings::FIGURE3_1,
    &thesis::trees::FIGURE3_4,
    &thesis::exploration::FIGURE3_6,
    &thesis::playouts::PLAYOUTS,
    &thesis::backups::BACKUPS,
    &thesis::traps::FIGURE4_2,
    &thesis::traps::FIGURE4_3,
    &thesis::traps::KALAH_TRAPS,
    &thesis::trapped::TABLE4_1,
    &thesis::trapped::FIGURE4_5,
    &thesis::trapped::FIGURE4_6,
    &thesis::partial::PARTIAL,
    &thesis::critical::surface::SURFACE,
    &thesis::critical::both_sides::BOTH_SIDES,
    &thesis::critical::scenarios::SCENARIOS,
    &thesis::synthetic::PREFIX,
    &thesis::synthetic::PATHOLOGY,
    &thesis::synthetic::NOISE,
    &thesis::synthetic::TRAPS,
    &thesis::synthetic::LAG,
    &thesis::shaded::SHADED,
    &lectures::ucb_example::UCB_EXAMPLE,
    &lectures::ucb_constant::UCB_CONSTANT,
    &lectures::bandit_regret::BANDIT_REGRET,
    &lectures::sampling::ROOT_SAMPLING,
    &lectures::branching::BRANCHING,
    &lectures::order::ORDER,
];

/// Figures and tables that are contained in the report of another.
static ALSO: &[(&str, &str)] = &[
    ("thesis-fig3.5", "thesis-fig3.4"),
    ("thesis-fig3.8", "thesis-fig3.7"),
    ("thesis-fig3.9", "thesis-fig3.7"),
    ("thesis-fig3.11", "thesis-fig3.10"),
    ("thesis-fig4.4", "thesis-table4.1"),
    ("thesis-fig4.7", "thesis-fig4.6"),
    ("thesis-fig4.9", "thesis-fig4.8"),
    ("thesis-fig5.2", "thesis-fig5.1"),
    ("thesis-table5.2", "thesis-table5.1"),
    ("thesis-fig5.5", "thesis-5.2.2"),
    ("thesis-fig5.11", "thesis-fig5.10"),
    ("thesis-fig5.15", "thesis-fig5.14"),
    ("thesis-fig5.17", "thesis-fig5.16"),
];

/// Every experiment, in the order of the sources.
#[must_use]
pub fn experiments() -> &'static [&'static Experiment] {
    EXPERIMENTS
}

/// The experiments on games of strong players, which accept given games.
#[must_use]
pub fn of_given_games() -> [&'static Experiment; 2] {
    [&thesis::rankings::FIGURE3_1, &thesis::traps::FIGURE4_3]
}

/// The names of groups of experiments: `all`, and the part of each id before the first hyphen.
#[must_use]
pub fn groups() -> Vec<&'static str> {
    let mut groups = vec!["all"];
    for experiment in experiments() {
        let group = experiment.id.split('-').next().unwrap_or_default();
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// The experiment with this id, or the members of this group, in the order of the list.
///
/// # Errors
/// If the name is neither an id nor a group; the message suggests similar ones.
pub fn members(name: &str) -> Result<Vec<&'static Experiment>, Failed> {
    let name = ALSO.iter().find(|(also, _)| *also == name).map_or(name, |(_, id)| *id);
    let belongs = |id: &str| {
        name == "all" || id == name || id.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
    };
    let groups = groups();
    if !groups.contains(&name) && experiments().iter().all(|experiment| experiment.id != name) {
        return Err(Failed::Message(unknown(name, &groups)));
    }
    Ok(experiments().iter().filter(|experiment| belongs(experiment.id)).copied().collect())
}

/// Selects the experiments named by these ids and groups, each once, in the order of the list. A group
/// selects those of its members that have the scale.
///
/// # Errors
/// If a name is neither an id nor a group; or if an experiment, or every member of a group, lacks the scale.
pub fn select<N: AsRef<str>>(names: &[N], scale: Scale) -> Result<Vec<&'static Experiment>, Failed> {
    let mut wanted = HashSet::new();
    for name in names.iter().map(AsRef::as_ref) {
        let members = members(name)?;
        let mut here = members.iter().filter(|experiment| experiment.duration(scale).is_some()).peekable();
        if here.peek().is_none() {
            return Err(Failed::Message(without(name, &members, scale)));
        }
        wanted.extend(here.map(|experiment| experiment.id));
    }
    Ok(experiments().iter().filter(|experiment| wanted.contains(experiment.id)).copied().collect())
}

/// The message for an experiment or a group that does not have a scale.
fn without(name: &str, members: &[&Experiment], scale: Scale) -> String {
    let having: Vec<&str> =
        experiments().iter().filter(|e| e.duration(scale).is_some()).map(|e| e.id).collect();
    let own = match members {
        [experiment] => {
            let names: Vec<&str> = experiment.takes.iter().map(|(scale, _)| scale.name()).collect();
            format!(": its scales are {}", names.join(" and "))
        }
        _ => String::new(),
    };
    format!("'{name}' has no scale {}{own}; those that have it: {}", scale.name(), having.join(", "))
}

/// The message for a name that is not in the list.
fn unknown(name: &str, groups: &[&'static str]) -> String {
    let names = experiments().iter().map(|experiment| experiment.id).chain(groups.iter().copied());
    let mut near: Vec<(usize, &str)> = names
        .map(|id| {
            // A substring of an id matches as well as a few wrong letters.
            let part = name.len() > 2 && id.contains(name);
            (if part { 0 } else { strsim::levenshtein(name, id) }, id)
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
            let id = experiment.id;
            assert!(
                id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)),
                "{id}"
            );
            assert!(id.contains('-') && !seen.contains(&id), "{id}");
            assert!(!experiment.title.is_empty() && !experiment.source.is_empty());
            assert_eq!(experiment.takes[0].0, Scale::Quick, "{id}");
            assert!(experiment.takes.is_sorted_by_key(|(_, seconds)| *seconds), "{id}");
            seen.push(id);
        }
        assert_eq!(groups(), ["all", "mcms", "thesis", "lecture"]);
    }

    #[test]
    fn names_select_each_experiment_once() {
        let ids = |names: &[&str]| -> Vec<&str> {
            select(names, Scale::Quick).unwrap().iter().map(|experiment| experiment.id).collect()
        };
        assert_eq!(
            ids(&["mcms"]),
            [
                "mcms-table1",
                "mcms-fig2",
                "mcms-explained",
                "mcms-tuning",
                "mcms-best-mcts",
                "mcms-star1-example",
                "mcms-theorem1",
                "mcms-future",
                "mcms-dense"
            ]
        );
        assert_eq!(ids(&["lecture-order", "mcms-theorem1", "mcms"]).len(), 10);
        assert_eq!(ids(&["all", "lecture"]).len(), experiments().len());
        assert!(ids(&[]).is_empty());
        assert_eq!(ids(&["thesis-fig5.5", "thesis-5.2.2"]), ["thesis-5.2.2"]);
        for (also, id) in ALSO {
            assert!(experiments().iter().all(|experiment| experiment.id != *also), "{also}");
            assert_eq!(ids(&[also]), [*id]);
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_near_ones() {
        let said = |name: &str| select(&[name], Scale::Quick).err().unwrap().to_string();
        assert!(said("mcms-theorem").contains("did you mean mcms-theorem1"), "{}", said("mcms-theorem"));
        assert!(said("sampling").contains("lecture-sampling"));
        assert!(said("ucb").contains("lecture-ucb-example"));
        assert!(said("lektüre").contains("lecture"));
        assert!(said("zzz").contains("groups are all, mcms, thesis, lecture"));
    }

    #[test]
    fn a_group_leaves_out_what_does_not_have_the_scale() {
        let ids = |name: &str, scale: Scale| -> Result<Vec<&str>, String> {
            let found = select(&[name], scale).map_err(|error| error.to_string())?;
            Ok(found.iter().map(|experiment| experiment.id).collect())
        };
        assert_eq!(ids("mcms", Scale::Paper), Ok(vec!["mcms-explained"]));
        let error = ids("mcms-fig2", Scale::Paper).unwrap_err();
        assert_eq!(
            error,
            "'mcms-fig2' has no scale paper: its scales are quick and full; those that have it: mcms-explained"
        );
        assert!(ids("lecture", Scale::Paper).is_err());
        assert!(!ids("all", Scale::Full).unwrap().contains(&"mcms-explained"));
    }
}
