//! Plans in TOML: a match, a tournament, or experiments.
//!
//! ```toml
//! game = "ewn"                         # a match or a tournament
//! kind = "match"                       # or round-robin, gauntlet, elimination
//! engines = ["star2", "star2ss(width=5)"]
//! pairs = 200
//! budget = { nodes = 1000 }
//! ```
//!
//! ```toml
//! experiments = ["mcms-fig2"]          # ids or groups
//! scale = "full"
//! seed = 1
//! ```

use crate::contest::NoContest;
use crate::experiments::{Experiment, Scale, select};
use crate::tournament::Tournament;
use serde::Deserialize;

/// What a plan asks for.
pub enum Plan {
    /// A match or a tournament.
    Tournament(Tournament),
    /// Experiments.
    Experiments(Experiments),
}

/// Experiments, and how they are run.
pub struct Experiments {
    /// Which.
    pub chosen: Vec<&'static dyn Experiment>,
    /// How much of each.
    pub scale: Scale,
    /// The seed of everything random.
    pub seed: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    experiments: Vec<String>,
    #[serde(default)]
    scale: Scale,
    #[serde(default)]
    seed: u64,
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// If it is not one, or something in it is not right.
    pub fn read(text: &str) -> Result<Self, NoContest> {
        let table: toml::Table = toml::from_str(text).map_err(|error| NoContest(plain(&error)))?;
        if !table.contains_key("experiments") {
            return Tournament::read(text).map(Self::Tournament);
        }
        let Written { experiments, scale, seed } =
            toml::from_str(text).map_err(|error| NoContest(plain(&error)))?;
        let chosen = select(&experiments).map_err(|error| NoContest(error.to_string()))?;
        if chosen.is_empty() {
            return Err(NoContest("a plan needs at least one experiment".into()));
        }
        Ok(Self::Experiments(Experiments { chosen, scale, seed }))
    }
}

/// What is wrong with a plan, in one line.
pub(crate) fn plain(error: &toml::de::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_a_match_a_tournament_or_experiments() {
        let text =
            "game = 'pig'\nkind = 'match'\nengines = ['star1', 'star2']\npairs = 3\nbudget = { nodes = 10 }";
        assert!(matches!(Plan::read(text), Ok(Plan::Tournament(_))));
        let Ok(Plan::Experiments(plan)) =
            Plan::read("experiments = ['lecture-order', 'mcms-fig2']\nscale = 'full'")
        else {
            panic!("these are experiments")
        };
        let ids: Vec<&str> = plan.chosen.iter().map(|experiment| experiment.id()).collect();
        assert_eq!((ids, plan.scale, plan.seed), (vec!["mcms-fig2", "lecture-order"], Scale::Full, 0));
    }

    #[test]
    fn what_is_wrong_with_a_plan_is_said_in_one_line() {
        for (text, words) in [
            ("experiments = ['mcms-fig']", "did you mean mcms-fig2"),
            ("experiments = []", "at least one"),
            ("experiments = ['mcms']\nscale = 'huge'", "unknown variant `huge`"),
            ("experiments = ['mcms']\npairs = 3", "unknown field `pairs`"),
            ("experiments", "TOML parse error"),
            ("game = 'pig'", "missing field"),
            (
                "game = 'pig'\nkind = 'match'\nengines = ['star1', 'star2', 'mcts']\npairs = 3\nbudget = { nodes = 1 }",
                "between two engines",
            ),
            (
                "game = 'pig'\nkind = 'match'\nengines = ['star1', 'star2']\npairs = 9000000000\nbudget = { nodes = 1 }",
                "1 to 100000000 pairs",
            ),
            (
                "game = 'pig'\nkind = 'match'\nengines = ['star1', 'star2']\npairs = 9\nbudget = { nodes = 0 }",
                "at least 1",
            ),
        ] {
            let said = Plan::read(text).err().expect("it is wrong").to_string();
            assert!(said.contains(words) && !said.contains('\n'), "{text}: {said}");
        }
    }
}
