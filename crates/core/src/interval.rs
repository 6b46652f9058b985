//! A closed interval of values: a game's range, a search window, a bound, a table entry.
//!
//! One type for all four, because every comparison in a search mixes them.

use std::fmt;

/// A closed interval `[lo, hi]`. Ends may be infinite, never NaN, and `lo <= hi`.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Interval {
    /// All real numbers and the infinities.
    pub const WHOLE: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// The interval from `lo` to `hi`.
    ///
    /// # Panics
    /// If an end is NaN or `lo > hi`.
    #[inline]
    #[must_use]
    pub fn new(lo: f64, hi: f64) -> Self {
        assert!(lo <= hi, "contract: [{lo}, {hi}] is not an interval");
        Self { lo, hi }
    }

    /// The interval that contains one value.
    #[inline]
    #[must_use]
    pub fn point(value: f64) -> Self {
        Self { lo: value, hi: value }
    }

    /// Whether it contains a single value, so that the value is known exactly.
    #[inline]
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    /// Whether the value lies inside or on an end.
    #[inline]
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// Whether the other interval lies inside.
    #[inline]
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// The intersection; the two intervals must overlap.
    #[inline]
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The interval extended by `room` on either side.
    #[inline]
    #[must_use]
    pub fn widened(&self, room: f64) -> Self {
        Self { lo: self.lo - room, hi: self.hi + room }
    }

    /// The result that these bounds give to a search with a window: the value if they are a point, or a bound
    /// that lies at or outside an end of the window; `None` if they do not decide the window.
    #[inline]
    #[must_use]
    pub fn answers(&self, window: &Self) -> Option<f64> {
        if self.is_point() || self.lo >= window.hi {
            Some(self.lo)
        } else if self.hi <= window.lo {
            Some(self.hi)
        } else {
            None
        }
    }

    /// The nearest value inside.
    #[inline]
    #[must_use]
    pub fn clamp(&self, value: f64) -> f64 {
        debug_assert!(!value.is_nan(), "contract: a value is NaN");
        // Not `max` and `min`, whose NaN handling would double the cost.
        let value = if value < self.lo { self.lo } else { value };
        if value > self.hi { self.hi } else { value }
    }

    /// The distance between the ends.
    #[inline]
    #[must_use]
    pub fn width(&self) -> f64 {
        self.hi - self.lo
    }

    /// The value halfway between the ends.
    #[inline]
    #[must_use]
    pub fn middle(&self) -> f64 {
        self.lo + self.width() / 2.0
    }

    /// What a fail-soft search of this window proves about the true value when it returns `value`: the value
    /// itself if it lies strictly inside, and otherwise only a bound on that side, within `limits`.
    #[inline]
    #[must_use]
    pub fn verdict(&self, value: f64, limits: &Self) -> Self {
        let lo = if value <= self.lo { limits.lo } else { value };
        let hi = if value >= self.hi { limits.hi } else { value };
        Self { lo, hi }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.lo, self.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_inside_the_window_is_exact_and_outside_is_a_bound() {
        let limits = Interval::new(-10.0, 10.0);
        let window = Interval::new(2.0, 5.0);
        assert_eq!(window.verdict(3.0, &limits), Interval::point(3.0));
        assert_eq!(window.verdict(1.0, &limits), Interval::new(-10.0, 1.0));
        assert_eq!(window.verdict(2.0, &limits), Interval::new(-10.0, 2.0));
        assert_eq!(window.verdict(5.0, &limits), Interval::new(5.0, 10.0));
    }

    #[test]
    fn a_value_at_the_limits_is_exact_whatever_the_window() {
        let limits = Interval::new(-10.0, 10.0);
        assert!(limits.verdict(10.0, &limits).is_point());
        assert!(limits.verdict(-10.0, &limits).is_point());
    }

    #[test]
    #[should_panic(expected = "contract: [2, 1] is not an interval")]
    fn ends_the_wrong_way_round_are_refused() {
        let _ = Interval::new(2.0, 1.0);
    }
}
