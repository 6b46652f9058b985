//! The guarantee of sparse sampling: Theorem 1 of *Monte Carlo \*-Minimax Search*.

/// A lower bound on the probability that the sampled value of a state differs from its depth-limited value by
/// at most `lambda · depth`: `1 − (2c|A|)^d · exp(−λ²c / 2v²)` with sample width `c`, at most `|A|` actions
/// and values in [−v, v]. It is often negative, and then guarantees nothing.
#[must_use]
pub fn sparse_sampling_confidence(width: u32, actions: u32, depth: u32, lambda: f64, vmax: f64) -> f64 {
    let (c, a, d) = (f64::from(width), f64::from(actions), f64::from(depth));
    1.0 - (2.0 * c * a).powf(d) * (-lambda * lambda * c / (2.0 * vmax * vmax)).exp()
}

#[cfg(test)]
mod tests {
    use super::sparse_sampling_confidence;

    #[test]
    fn the_bound_has_its_known_values() {
        let close =
            |found: f64, known: f64| assert!((found - known).abs() < 1e-13 * known.abs().max(1.0), "{found}");
        close(sparse_sampling_confidence(25, 2, 1, 100.0, 100.0), 0.999_627_334_682_792);
        close(sparse_sampling_confidence(10, 2, 1, 50.0, 100.0), -10.460_191_874_407_6);
    }
}
