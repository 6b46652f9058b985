//! The budgets of an engine and of a match, and their notation: `nodes=1000`, `nodes=1000 vs depth=4`.

use astragal_catalog::{Engine, Spec, SpecError, engine_info};
use astragal_core::{Budget, Limit};
use std::time::Duration;

/// Time for an analysis that nothing else limits.
pub const ANALYSIS: Duration = Duration::from_secs(1);

/// Time for a match decision that nothing else limits.
pub const DECISION: Duration = Duration::from_millis(100);

/// The budget for an engine: the one given, or `otherwise` as a time limit if nothing limits the search.
///
/// # Errors
/// If the engine does not heed the given budget.
pub fn budget_for(engine: &dyn Engine, given: Budget, otherwise: Duration) -> Result<Budget, SpecError> {
    heeded(engine, given)?;
    Ok(if given.is_unlimited() && engine.is_endless() { Budget::time(otherwise) } else { given })
}

/// An engine's budget when several engines are given the same one: unlimited if the engine heeds no limit, as
/// `random` does not.
///
/// # Errors
/// If the engine does not heed the given budget, or nothing limits its search.
pub fn budget_among(engine: &dyn Engine, given: Budget) -> Result<Budget, SpecError> {
    if given.is_unlimited() && engine.is_endless() {
        let limits: Vec<&str> = engine.heeds().iter().map(|limit| limit.name()).collect();
        let or = if engine.heeds().contains(&Limit::Depth) { ", or a depth of its own" } else { "" };
        let (name, limits) = (engine.info().name, limits.join(", "));
        return Err(SpecError(format!("'{name}' needs a budget per decision ({limits}){or}")));
    }
    if engine.heeds().is_empty() {
        return Ok(Budget::default());
    }
    heeded(engine, given)?;
    Ok(given)
}

fn heeded(engine: &dyn Engine, given: Budget) -> Result<(), SpecError> {
    let refused = |error| SpecError(format!("'{}' has {error}", engine.info().name));
    given.check(engine.heeds()).map_err(refused)
}

/// The budgets per decision of two engines. They may differ: iterations against depth, or time odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets(pub [Budget; 2]);

impl From<Budget> for Budgets {
    fn from(both: Budget) -> Self {
        Self([both; 2])
    }
}

impl From<[Budget; 2]> for Budgets {
    fn from(each: [Budget; 2]) -> Self {
        Self(each)
    }
}

impl Budgets {
    /// The budgets of two engines of the catalogue: each engine's own one, or else the common one, or
    /// [`DECISION`] if that has no limit.
    ///
    /// # Errors
    /// If an engine with its own budget does not exist or does not heed it.
    pub fn of(specs: [&str; 2], common: Budget, own: [Option<Budget>; 2]) -> Result<Self, SpecError> {
        let common = if common.is_unlimited() { Budget::time(DECISION) } else { common };
        for (spec, own) in specs.iter().zip(&own) {
            if let Some(own) = own {
                engine_info(&Spec::parse(spec)?.name)?.check_budget(own)?;
            }
        }
        Ok(Self(own.map(|own| own.unwrap_or(common))))
    }

    /// Whether both are the same.
    #[must_use]
    pub fn are_equal(&self) -> bool {
        self.0[0] == self.0[1]
    }

    /// Whether either has a time limit, so that results differ from run to run.
    #[must_use]
    pub fn are_timed(&self) -> bool {
        self.0.iter().any(|budget| budget.time.is_some())
    }

    /// The text form: one budget, or both with ` vs ` between them.
    #[must_use]
    pub fn text(&self) -> String {
        let [first, second] = self.0.map(|budget| budget.to_string());
        if self.are_equal() { first } else { format!("{first} vs {second}") }
    }

    /// Parses what [`Budgets::text`] wrote.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text.split_once(" vs ") {
            Some((first, second)) => Some(Self([first.parse().ok()?, second.parse().ok()?])),
            None => text.parse().ok().map(|both: Budget| Self::from(both)),
        }
    }

    /// The budgets with the engines swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        let [first, second] = self.0;
        Self([second, first])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_as_they_are_written() {
        let all = [Budget::default(), Budget::nodes(u64::MAX), Budget::depth(3)];
        for first in all {
            for second in all {
                let both = Budgets([first, second]);
                assert_eq!(Budgets::read(&both.text()), Some(both), "{}", both.text());
            }
        }
        assert_eq!(Budgets::from(Budget::nodes(5)).text(), "nodes=5");
        assert_eq!(Budgets([Budget::nodes(5), Budget::depth(2)]).swapped().text(), "depth=2 vs nodes=5");
        for wrong in ["", "nodes=5 vs", "vs nodes=5", "nodes=5 vs nodes=5 vs nodes=5"] {
            assert_eq!(Budgets::read(wrong), None, "{wrong}");
        }
    }
}
