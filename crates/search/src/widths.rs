//! Sample widths of chance nodes, by the number of decisions between them and the root.
//!
//! The paper uses one width everywhere and leaves "dynamically set sample widths" to future work (*Monte
//! Carlo \*-Minimax Search*, section 5). An error at the first roll reaches the root undamped, while one
//! further down is averaged out, so draws may be worth more near the root. Here the width shrinks by a factor
//! with each decision.

use crate::options::DEEPEST;

/// The widths `max(1, round(width · decay^d))` for d = 0, 1, 2, … decisions between the root and a chance
/// node. The last one also applies to all deeper nodes.
///
/// ```
/// use astragal_search::sample_widths;
///
/// assert_eq!(sample_widths(20, 0.5), [20, 10, 5, 3, 1]);
/// assert_eq!(sample_widths(20, 1.0), [20]);
/// ```
#[must_use]
pub fn sample_widths(width: u32, decay: f64) -> Vec<u32> {
    let mut exact = f64::from(width);
    let mut widths = vec![width.max(1)];
    // No search is deeper, and most schedules reach 1 much sooner or do not shrink at all.
    while decay < 1.0 && widths.last() != Some(&1) && widths.len() <= DEEPEST as usize {
        exact *= decay;
        widths.push((exact.round() as u32).max(1));
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::sample_widths;

    #[test]
    fn widths_shrink_as_computed_by_hand() {
        // 20 · 0.7^d = 20, 14, 9.8, 6.86, 4.802, 3.3614, 2.353, 1.647, 1.153.
        assert_eq!(sample_widths(20, 0.7), [20, 14, 10, 7, 5, 3, 2, 2, 1]);
        // 18 · 0.5^d = 18, 9, 4.5, 2.25, 1.125; a half is rounded up.
        assert_eq!(sample_widths(18, 0.5), [18, 9, 5, 2, 1]);
        // 25 · 0.05^d = 25, 1.25.
        assert_eq!(sample_widths(25, 0.05), [25, 1]);
        assert_eq!(sample_widths(1, 0.5), [1]);
        assert_eq!(sample_widths(7, 1.0), [7]);
    }

    #[test]
    fn a_schedule_never_grows_and_is_no_longer_than_a_search_is_deep() {
        for (width, decay) in [(1_000_000, 0.999_999), (30, 0.99), (3, 0.9)] {
            let widths = sample_widths(width, decay);
            assert!(widths.is_sorted_by(|a, b| a >= b) && widths.len() <= 1001, "{width}, {decay}");
        }
    }
}
