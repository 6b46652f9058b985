//! Budgets as text, and those of two engines: `nodes=1000`, `depth=4,time=200ms`, `nodes=1000 vs depth=4`.

use astragal_core::Budget;
use std::time::Duration;

/// A budget in a line, such as `nodes=1000`; `none` if nothing is limited. Times are in microseconds.
#[must_use]
pub fn budget_text(budget: &Budget) -> String {
    let mut parts = Vec::new();
    if let Some(depth) = budget.depth {
        parts.push(format!("depth={depth}"));
    }
    if let Some(nodes) = budget.nodes {
        parts.push(format!("nodes={nodes}"));
    }
    if let Some(iterations) = budget.iterations {
        parts.push(format!("iterations={iterations}"));
    }
    if let Some(time) = budget.time {
        parts.push(format!("time={}us", time.as_micros()));
    }
    if parts.is_empty() { "none".into() } else { parts.join(",") }
}

/// Reads a budget such as `nodes=1000` or `depth=4,time=200ms`.
#[must_use]
pub fn read_budget(text: &str) -> Option<Budget> {
    let mut budget = Budget::default();
    if text == "none" {
        return Some(budget);
    }
    for part in text.split(',') {
        let (name, value) = part.split_once('=')?;
        let value = value.trim();
        let twice = match name.trim() {
            "depth" => budget.depth.replace(value.parse().ok()?).is_some(),
            "nodes" => budget.nodes.replace(value.parse().ok()?).is_some(),
            "iterations" => budget.iterations.replace(value.parse().ok()?).is_some(),
            "time" => budget.time.replace(read_time(value)?).is_some(),
            _ => true,
        };
        if twice {
            return None;
        }
    }
    Some(budget)
}

/// Reads a time such as `200ms`, `1.5s` or `250us`.
fn read_time(text: &str) -> Option<Duration> {
    let (number, seconds) = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0)]
        .into_iter()
        .find_map(|(unit, seconds)| text.strip_suffix(unit).map(|number| (number, seconds)))?;
    // Whole microseconds are read as they were written.
    if let (Ok(whole), true) = (number.parse(), seconds < 1e-5) {
        return Some(Duration::from_micros(whole));
    }
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()
}

/// The budgets of a decision of two engines, which may differ: iterations against depth, or odds in time.
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
    /// Whether both are the same.
    #[must_use]
    pub fn are_equal(&self) -> bool {
        self.0[0] == self.0[1]
    }

    /// In a line: one budget, or both with ` vs ` between them.
    #[must_use]
    pub fn text(&self) -> String {
        let [first, second] = self.0.map(|budget| budget_text(&budget));
        if self.are_equal() { first } else { format!("{first} vs {second}") }
    }

    /// Reads what [`Budgets::text`] wrote.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text.split_once(" vs ") {
            Some((first, second)) => Some(Self([read_budget(first)?, read_budget(second)?])),
            None => read_budget(text).map(Self::from),
        }
    }

    /// The same with the engines swapped.
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
        let time = |micros| Budget { time: Some(Duration::from_micros(micros)), ..Budget::default() };
        let many = Budget { depth: Some(3), iterations: Some(7), ..time(9_007_199_254_740_993) };
        let all = [Budget::default(), Budget::nodes(u64::MAX), time(1), many];
        for first in all {
            for second in all {
                let both = Budgets([first, second]);
                assert_eq!(Budgets::read(&both.text()), Some(both), "{}", both.text());
            }
        }
        assert_eq!(Budgets::from(Budget::nodes(5)).text(), "nodes=5");
        assert_eq!(Budgets([Budget::nodes(5), Budget::depth(2)]).swapped().text(), "depth=2 vs nodes=5");
        assert_eq!(read_budget("depth=4, time=1.5s"), Some(Budget { depth: Some(4), ..time(1_500_000) }));
        assert_eq!(read_budget("time=200ms"), Some(time(200_000)));
        for wrong in [
            "",
            "5",
            "nodes",
            "nodes=",
            "nodes=-1",
            "moves=3",
            "time=5",
            "time=-1s",
            "nodes=5 vs",
            "nodes=1,nodes=2",
        ] {
            assert_eq!(Budgets::read(wrong), None, "{wrong}");
        }
    }
}
