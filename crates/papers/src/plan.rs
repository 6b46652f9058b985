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
//! seed = 1                             # or quoted, as TOML promises no numbers above 2^63 - 1
//! ```

use crate::{Experiment, Scale, select};
use astragal_arena::contest::NoContest;
use astragal_arena::plan::{self, PlanError, read_seed};
use astragal_arena::tournament::Tournament;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The content of a plan.
pub enum Plan {
    /// A match or a tournament.
    Tournament(Tournament),
    /// Experiments.
    Experiments(Experiments),
}

/// Experiments and their settings.
pub struct Experiments {
    /// The selected experiments.
    pub chosen: Vec<&'static Experiment>,
    /// The scale of each.
    pub scale: Scale,
    /// The seed of all randomness.
    pub seed: u64,
}

/// Distinguishes plans of experiments from others.
#[derive(Deserialize)]
struct Probe {
    experiments: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    experiments: Vec<String>,
    #[serde(default)]
    scale: Scale,
    #[serde(default, deserialize_with = "read_seed")]
    seed: u64,
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// If the text is not a plan, or something in it is invalid.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        let probe: Probe = toml::from_str(text)?;
        if probe.experiments.is_none() {
            return plan::read(text).map(Self::Tournament);
        }
        let Written { experiments, scale, seed } = toml::from_str(text)?;
        let chosen = select(&experiments, scale).map_err(|error| NoContest(error.to_string()))?;
        if chosen.is_empty() {
            return Err(NoContest("a plan needs at least one experiment".into()).into());
        }
        Ok(Self::Experiments(Experiments { chosen, scale, seed }))
    }
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
        let ids: Vec<&str> = plan.chosen.iter().map(|experiment| experiment.id).collect();
        assert_eq!((ids, plan.scale, plan.seed), (vec!["mcms-fig2", "lecture-order"], Scale::Full, 0));
    }

    #[test]
    fn every_seed_can_be_written() {
        let seed = |written: &str| match Plan::read(&format!("experiments = ['mcms']\nseed = {written}")) {
            Ok(Plan::Experiments(plan)) => Ok(plan.seed),
            Ok(Plan::Tournament(_)) => panic!("these are experiments"),
            Err(error) => Err(error.to_string()),
        };
        let largest = u64::MAX.to_string();
        for (written, read) in
            [("7", 7), ("'7'", 7), (&largest, u64::MAX), (&format!("'{largest}'"), u64::MAX)]
        {
            assert_eq!(seed(written), Ok(read), "{written}");
        }
        for wrong in
            ["-1", "'-1'", "1.5", "'x'", "''", "true", "18446744073709551616", "'18446744073709551616'"]
        {
            let error = seed(wrong).unwrap_err();
            assert!(
                error.contains("from 0 to 18446744073709551615, with or without quotes"),
                "{wrong}: {error}"
            );
        }
    }

    #[test]
    fn a_plan_that_is_not_written_as_one_is_quoted_with_the_place() {
        for (text, words) in [
            (
                "experiments = ['mcms']\nscale = 'huge'",
                "2 | scale = 'huge'\n  |         ^^^^^^\nunknown variant `huge`",
            ),
            ("experiments = ['mcms']\npairs = 3", "unknown field `pairs`"),
            ("experiments", "TOML parse error at line 1"),
            ("game = 'pig'", "missing field"),
        ] {
            let error = Plan::read(text).err().expect("it is wrong");
            assert!(
                matches!(error, PlanError::Syntax(_)) && error.to_string().contains(words),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn what_is_wrong_in_a_plan_is_said_in_one_line() {
        for (text, words) in [
            ("experiments = ['mcms-fig']", "did you mean mcms-fig2"),
            ("experiments = []", "at least one"),
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
