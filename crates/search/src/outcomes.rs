//! Outcome sets: the function getOutcomeSet of *Monte Carlo \*-Minimax Search*, exact (algorithms 1 and 2)
//! and sampled (section 3.1).
//!
//! A sample is a pure function of the seed, the remaining depth and the node (and of the depth of the whole
//! search, if widths shrink), so every algorithm sees the same sample, and so do a probe and the search that
//! follows it. Repeated draws are merged: an outcome drawn k times out of c is searched once with weight k/c,
//! and outcomes keep the game's order.

use crate::options::{Keys, Scheme};
use astragal_core::{Game, Sampler, Weighted, below, unit};

/// The source of the outcomes of a chance node.
pub(crate) trait Outcomes<G: Game> {
    /// The position of a node in the tree, as far as its sample depends on it.
    type Place: Copy;

    /// Receives the depth of the search that follows; returns whether the value of a state depends on it
    /// beyond the remaining depth.
    fn begin(&mut self, deepest: u32) -> bool;

    /// The position of the root.
    fn root(&self) -> Self::Place;

    /// The position of a child: `index` is that of the action in the game's order, or of the outcome in the
    /// outcome set.
    fn step(place: Self::Place, index: usize) -> Self::Place;

    /// Pushes the outcome set of a chance node and returns the number of draws.
    fn fill(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        place: Self::Place,
        out: &mut Vec<Weighted<G::Outcome>>,
    ) -> u64;

    /// Whether a fully resolved subtree has the same value at any depth.
    const EXACT: bool;
}

/// All outcomes.
pub(crate) struct Every;

impl<G: Game> Outcomes<G> for Every {
    type Place = ();
    const EXACT: bool = true;

    fn begin(&mut self, _deepest: u32) -> bool {
        false
    }

    #[inline]
    fn root(&self) {}

    #[inline]
    fn step(_place: (), _index: usize) {}

    #[inline]
    fn fill(
        &mut self,
        game: &G,
        state: &G::State,
        _depth: u32,
        _place: (),
        out: &mut Vec<Weighted<G::Outcome>>,
    ) -> u64 {
        game.outcomes(state, out);
        0
    }
}

/// The position of a node in a sampled tree: a hash of the path from the root, and that of its parent.
#[derive(Clone, Copy)]
pub(crate) struct Path {
    here: u64,
    above: u64,
}

/// A sample of the outcomes.
pub(crate) struct Sampled {
    sampler: Sampler,
    /// Sample widths by the number of decisions from the root; the last one also serves all deeper nodes.
    widths: Vec<u32>,
    /// The remaining depth at the root.
    deepest: u32,
    scheme: Scheme,
    keys: Keys,
    enumerate: bool,
    hits: Vec<u32>,
    lots: Vec<u32>,
    sums: Vec<f64>,
}

impl Sampled {
    /// Samples of these widths, see [`sample_widths`](crate::sample_widths).
    pub(crate) fn new(seed: u64, widths: Vec<u32>, scheme: Scheme, keys: Keys, enumerate: bool) -> Self {
        let sampler = Sampler::new(seed);
        let (hits, lots, sums) = (Vec::new(), Vec::new(), Vec::new());
        Self { sampler, widths, deepest: 0, scheme, keys, enumerate, hits, lots, sums }
    }

    /// The sample width of a chance node at this remaining depth.
    #[inline]
    fn width(&self, depth: u32) -> u32 {
        let decisions = (self.deepest - depth) as usize;
        self.widths[decisions.min(self.widths.len() - 1)]
    }

    /// Replaces a list of outcomes by a sample of it; `node` is the common key of all draws at this node.
    fn sample<T: Copy>(&mut self, node: u64, width: u32, all: &mut Vec<Weighted<T>>, from: usize) {
        self.hits.clear();
        self.hits.resize(all.len() - from, 0);
        let share = 1.0 / f64::from(width);
        match self.scheme {
            Scheme::Iid => {
                let mut sum = 0.0;
                self.sums.clear();
                self.sums.extend(all[from..].iter().map(|outcome| {
                    sum += outcome.weight;
                    sum
                }));
                for index in 0..width {
                    let number = unit(Sampler::nth(node, index));
                    // Rounding may leave the last sum below 1.
                    let at = self.sums.partition_point(|sum| *sum <= number).min(self.sums.len() - 1);
                    self.hits[at] += 1;
                }
            }
            Scheme::Systematic => {
                let start = unit(Sampler::nth(node, 0));
                climb(&all[from..], &mut self.hits, (0..width).map(|k| (f64::from(k) + start) * share));
            }
            Scheme::Stratified => {
                let point = |k| (f64::from(k) + unit(Sampler::nth(node, k))) * share;
                climb(&all[from..], &mut self.hits, (0..width).map(point));
            }
            Scheme::Without => {
                self.sample_without(node, width, &mut all[from..]);
                keep(all, from, |index, weight| (self.hits[index] > 0).then_some(weight));
                return;
            }
        }
        keep(all, from, |index, _| {
            let hits = self.hits[index];
            (hits > 0).then(|| f64::from(hits) / f64::from(width))
        });
    }

    /// Samples distinct outcomes with weights that sum to 1. An outcome with at least its share of the
    /// probability is always included, with its own weight. The others divide the remaining width and
    /// probability: they are laid end to end in random order, each with a length proportional to its
    /// inclusion probability, and a comb of evenly spaced points with a random start selects those it hits.
    /// With equal weights this is simple random sampling without replacement.
    fn sample_without<T>(&mut self, node: u64, width: u32, all: &mut [Weighted<T>]) {
        let mut left = width;
        let mut rest: f64 = 1.0;
        loop {
            let (left_before, rest_before) = (left, rest);
            for (outcome, hit) in all.iter().zip(&mut self.hits) {
                if *hit == 0 && left > 1 && outcome.weight * f64::from(left_before) >= rest_before {
                    *hit = 1;
                    left -= 1;
                }
            }
            rest = all.iter().zip(&self.hits).filter(|(_, hit)| **hit == 0).map(|(o, _)| o.weight).sum();
            if left == left_before {
                break;
            }
        }
        self.lots.clear();
        self.lots.extend((0..all.len() as u32).filter(|&index| self.hits[index as usize] == 0));
        let count = self.lots.len();
        for last in (1..count).rev() {
            let other = below(Sampler::nth(node, last as u32), last as u64 + 1) as usize;
            self.lots.swap(last, other);
        }
        let share = rest / f64::from(left);
        let start = unit(Sampler::nth(node, 0));
        let mut comb = start * share;
        let mut reached = 0.0;
        let mut taken = 0;
        for (i, &lot) in self.lots.iter().enumerate() {
            let outcome = &mut all[lot as usize];
            reached += outcome.weight;
            // The last outcome absorbs the rounding error.
            let here = if i + 1 == count { left - taken } else { u32::from(taken < left && comb < reached) };
            outcome.weight = share * f64::from(here);
            self.hits[lot as usize] = here;
            taken += here;
            if here > 0 {
                comb = (start + f64::from(taken)) * share;
            }
        }
    }
}

/// Counts, for each outcome, how many of the ascending numbers fall in its share.
fn climb<T>(all: &[Weighted<T>], hits: &mut [u32], numbers: impl Iterator<Item = f64>) {
    let mut index = 0;
    let mut sum = all[0].weight;
    for number in numbers {
        while number >= sum && index + 1 < all.len() {
            index += 1;
            sum += all[index].weight;
        }
        hits[index] += 1;
    }
}

/// Retains, in order, the outcomes for which `weight` returns a new weight.
fn keep<T: Copy>(all: &mut Vec<Weighted<T>>, from: usize, weight: impl Fn(usize, f64) -> Option<f64>) {
    let mut to = from;
    for at in from..all.len() {
        if let Some(new) = weight(at - from, all[at].weight) {
            all[to] = Weighted { item: all[at].item, weight: new };
            to += 1;
        }
    }
    all.truncate(to);
}

impl<G: Game> Outcomes<G> for Sampled {
    type Place = Path;
    const EXACT: bool = false;

    fn begin(&mut self, deepest: u32) -> bool {
        self.deepest = deepest;
        self.widths.len() > 1
    }

    #[inline]
    fn root(&self) -> Path {
        // `above` differs from the root's `here`, so that with keys by siblings a chance root and a chance
        // node directly after it have different samples.
        Path { here: 0, above: u64::MAX }
    }

    #[inline]
    fn step(place: Path, index: usize) -> Path {
        // The same mixing as for draws, on a separate chain.
        Path { here: Sampler::nth(place.here ^ 0x5851_F42D_4C95_7F2D, index as u32), above: place.here }
    }

    fn fill(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        place: Path,
        out: &mut Vec<Weighted<G::Outcome>>,
    ) -> u64 {
        let from = out.len();
        game.outcomes(state, out);
        let count = out.len() - from;
        let width = self.width(depth);
        if count == 1 || self.enumerate && count <= width as usize {
            return 0;
        }
        let key = match self.keys {
            Keys::Path => place.here,
            Keys::Siblings => place.above,
            Keys::State => game.key(state).hash(),
        };
        // Without replacement there are at most as many draws as outcomes, so the node is exact.
        if self.scheme == Scheme::Without && count <= width as usize {
            return 0;
        }
        self.sample(self.sampler.node(key, depth), width, out, from);
        u64::from(width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMES: [Scheme; 4] = [Scheme::Iid, Scheme::Without, Scheme::Systematic, Scheme::Stratified];

    fn list(weights: &[f64]) -> Vec<Weighted<usize>> {
        weights.iter().enumerate().map(|(item, &weight)| Weighted { item, weight }).collect()
    }

    fn draw(scheme: Scheme, width: u32, seed: u64, weights: &[f64]) -> Vec<Weighted<usize>> {
        let mut sampled = Sampled::new(seed, vec![width], scheme, Keys::Path, false);
        let mut all = list(weights);
        let node = sampled.sampler.node(seed, 1);
        sampled.sample(node, width, &mut all, 0);
        all
    }

    const UNEVEN: [f64; 7] = [0.5, 0.2, 0.1, 0.1, 0.05, 0.049, 0.001];

    #[test]
    fn weights_of_a_sample_are_positive_and_sum_to_one() {
        for scheme in SCHEMES {
            for (width, seed) in (1..=6).flat_map(|w| (0..200).map(move |s| (w, s))) {
                let sample = draw(scheme, width, seed, &UNEVEN);
                let sum: f64 = sample.iter().map(|o| o.weight).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{scheme:?} {width} {seed}: {sample:?}");
                assert!(sample.iter().all(|o| o.weight > 0.0), "{sample:?}");
                assert!(sample.is_sorted_by_key(|o| o.item), "{sample:?}");
                assert!(sample.len() <= width as usize);
                if scheme == Scheme::Without {
                    assert_eq!(sample.len(), width as usize, "{sample:?}");
                }
            }
        }
    }

    #[test]
    fn every_scheme_is_unbiased() {
        // The mean weight of each outcome over many nodes is its probability, up to five standard errors of
        // that mean.
        const NODES: u64 = 40_000;
        for scheme in SCHEMES {
            for width in [1, 2, 3, 5] {
                let (mut sums, mut squares) = ([0.0; UNEVEN.len()], [0.0; UNEVEN.len()]);
                for seed in 0..NODES {
                    for outcome in draw(scheme, width, seed, &UNEVEN) {
                        sums[outcome.item] += outcome.weight;
                        squares[outcome.item] += outcome.weight * outcome.weight;
                    }
                }
                for (at, weight) in UNEVEN.into_iter().enumerate() {
                    let nodes = NODES as f64;
                    let mean = sums[at] / nodes;
                    let error = ((squares[at] / nodes - mean * mean).max(0.0) / nodes).sqrt();
                    // An outcome that is always drawn has only rounding errors.
                    let near = 5.0 * error + 1e-12;
                    assert!(
                        (mean - weight).abs() < near,
                        "{scheme:?} {width}: {mean} ± {error} for {weight}"
                    );
                    assert!(error < 0.51 / nodes.sqrt(), "{scheme:?} {width}: ± {error}");
                }
            }
        }
    }

    #[test]
    fn systematic_takes_each_outcome_floor_or_ceiling_of_its_share() {
        for seed in 0..500 {
            for outcome in draw(Scheme::Systematic, 8, seed, &UNEVEN) {
                let (hits, share) = (outcome.weight * 8.0, UNEVEN[outcome.item] * 8.0);
                assert!((hits - share).abs() < 1.0, "{hits} hits for a share of {share}");
            }
        }
    }

    #[test]
    fn without_replacement_takes_every_pair_of_equals_equally_often() {
        // Ten pairs of five, 2,000 expected each; the 0.999999 quantile of chi-square with 9 degrees of
        // freedom is 45.1.
        let mut pairs = std::collections::BTreeMap::new();
        for seed in 0..20_000 {
            let sample = draw(Scheme::Without, 2, seed, &[0.2; 5]);
            assert!(sample.iter().all(|o| o.weight == 0.5));
            *pairs.entry((sample[0].item, sample[1].item)).or_insert(0) += 1;
        }
        assert_eq!(pairs.len(), 10);
        let chi: f64 = pairs.values().map(|n| f64::from((n - 2000) * (n - 2000)) / 2000.0).sum();
        assert!(chi < 45.1, "{chi}: {pairs:?}");
    }

    #[test]
    fn independent_draws_repeat_as_often_as_the_binomial_says() {
        // Two draws from a fair coin are equal in half of the nodes (2,500 ± 6 · 35).
        let same = (0..5000).filter(|&seed| draw(Scheme::Iid, 2, seed, &[0.5, 0.5]).len() == 1).count();
        assert!(same.abs_diff(2500) < 210, "{same}");
    }
}
