//! Orders of indices by rank. Sorting takes much code, so it is here once, and not once for each game.

/// Sorts indices by what is at them, the highest first, equals as they are.
pub(crate) fn highest_first(order: &mut [u32], ranks: &[f64]) {
    order.sort_by(|&a, &b| ranks[b as usize].total_cmp(&ranks[a as usize]));
}
