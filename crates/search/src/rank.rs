//! Sorting of indices by rank, in one place: an instance of the sort for each game would be much code.

/// Sorts indices by their ranks, highest first; ties keep their order.
pub(crate) fn highest_first(order: &mut [u32], ranks: &[f64]) {
    order.sort_by(|&a, &b| ranks[b as usize].total_cmp(&ranks[a as usize]));
}
