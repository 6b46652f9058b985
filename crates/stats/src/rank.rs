//! Rank correlation.

/// The ranks of values, starting at 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let before = order.iter().position(|at| at == &group[0]).unwrap_or(0);
        let rank = before as f64 + 0.5 * (group.len() + 1) as f64;
        for &at in group {
            ranks[at] = rank;
        }
    }
    ranks
}

/// Spearman's rank correlation of two series, from −1 to 1; `None` if one of them has fewer than two
/// different values.
///
/// # Panics
/// If they differ in length.
#[must_use]
pub fn spearman(one: &[f64], other: &[f64]) -> Option<f64> {
    assert_eq!(one.len(), other.len(), "contract: two series of the same length");
    let [one, other] = [ranks(one), ranks(other)];
    let mean = 0.5 * (one.len() + 1) as f64;
    let product =
        |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    let spread = product(&one, &one) * product(&other, &other);
    (spread > 0.0).then(|| product(&one, &other) / spread.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_correlated() {
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 90.0]), Some(1.0));
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, -1.0]), Some(-1.0));
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[], &[]), None);
        // Without ties: 1 − 6 Σ d² / (n (n² − 1)), with d = 1, 1, 0, 1, 1.
        let found = spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 1.0, 3.0, 6.0, 4.0]).unwrap();
        assert!((found - (1.0 - 6.0 * 4.0 / 120.0)).abs() < 1e-12, "{found}");
        // With a tie, ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / √(4.5 · 5).
        let found = spearman(&[1.0, 2.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((found - 4.5 / 22.5_f64.sqrt()).abs() < 1e-12, "{found}");
    }
}
