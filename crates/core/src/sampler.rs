//! Draws as a pure function of where they are made.
//!
//! Randomness in Astragal is a key, not a generator: a draw depends only on the seed of the search, the key
//! of the chance node, the remaining depth and the index of the draw, never on the history. Hence a probe and
//! the search after it see the same outcomes, pruning cannot change a sample, and any two machines agree. The
//! mixing function is SplitMix64's.

/// Identifies a state: two states of a game have the same key exactly if they are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u128);

impl Key {
    /// The key mixed down to 64 well-spread bits.
    #[inline]
    #[must_use]
    pub fn hash(self) -> u64 {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        mix(low ^ mix(high))
    }
}

/// One step of SplitMix64: a bijection of 64-bit words whose every output bit depends on every input bit.
#[inline]
#[must_use]
pub fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number from 0 to `n - 1` from 64 random bits (the high word of the product).
#[inline]
#[must_use]
pub fn below(bits: u64, n: u64) -> u64 {
    ((u128::from(bits) * u128::from(n)) >> 64) as u64
}

/// A number in [0, 1) from 64 random bits, a multiple of 2⁻⁵³.
#[inline]
#[must_use]
pub fn unit(bits: u64) -> f64 {
    let integer = (bits >> 11) as f64;
    integer * (1.0 / 9_007_199_254_740_992.0)
}

/// The source of all draws of one search.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    seed: u64,
}

impl Sampler {
    /// The sampler of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed: mix(seed) }
    }

    /// The part of a draw that all draws at one chance node share.
    #[inline]
    #[must_use]
    pub fn node(&self, key: u64, depth: u32) -> u64 {
        mix(self.seed ^ mix(key.wrapping_add(u64::from(depth).wrapping_mul(0xD1B5_4A32_D192_ED03))))
    }

    /// 64 random bits: the draw with this index at the node with this key and remaining depth.
    #[inline]
    #[must_use]
    pub fn draw(&self, key: u64, depth: u32, index: u32) -> u64 {
        Self::nth(self.node(key, depth), index)
    }

    /// The draw with this index at a node obtained from [`Sampler::node`].
    #[inline]
    #[must_use]
    pub fn nth(node: u64, index: u32) -> u64 {
        mix(node.wrapping_add(u64::from(index).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }
}

impl Sampler {
    /// The draws of a node in sequence.
    #[inline]
    #[must_use]
    pub fn stream(&self, key: u64, depth: u32) -> Stream {
        Stream { at: self.node(key, depth) }
    }
}

/// The draws at one node of a [`Sampler`], starting at index 0: for playouts, which make many.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    at: u64,
}

impl Stream {
    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.at);
        self.at = self.at.wrapping_add(0x9E37_79B9_7F4A_7C15);
        bits
    }

    /// A stream independent of the rest of this one.
    #[must_use]
    pub fn branch(&mut self) -> Self {
        Self { at: mix(self.bits()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_matches_the_published_splitmix64_stream() {
        assert_eq!(mix(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(mix(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(2)), 0x06C4_5D18_8009_454F);
        assert_eq!(mix(1), 0x910A_2DEC_8902_5CC1);
    }

    #[test]
    fn draws_are_fixed_for_all_time() {
        let sampler = Sampler::new(42);
        let draws =
            [sampler.draw(7, 3, 0), sampler.draw(7, 3, 1), sampler.draw(7, 2, 0), sampler.draw(8, 3, 0)];
        // Computed from the definition by a separate program.
        assert_eq!(
            draws,
            [0x5406_0B4A_CA2C_E759, 0x9D66_5EEE_C87B_153E, 0xBDE4_0441_5B09_569D, 0x8169_578B_9BF1_3650]
        );
    }

    #[test]
    fn draws_are_uniform_in_each_of_their_arguments() {
        // Each argument is varied alone, over 16 cells of 4,000 expected draws each; the 0.999999 quantile of
        // chi-square with 15 degrees of freedom is 56.5.
        let sampler = Sampler::new(1);
        let vary: [&dyn Fn(u32) -> u64; 4] = [
            &|i| sampler.draw(u64::from(i), 1, 0),
            &|i| sampler.draw(5, i, 0),
            &|i| sampler.draw(5, 1, i),
            &|i| Sampler::new(u64::from(i)).draw(5, 1, 0),
        ];
        for draw in vary {
            let mut cells = [0_i32; 16];
            for i in 0..64_000 {
                cells[below(draw(i), 16) as usize] += 1;
            }
            let chi: f64 = cells.iter().map(|n| f64::from((n - 4000) * (n - 4000)) / 4000.0).sum();
            assert!(chi < 56.5, "{chi} from {cells:?}");
        }
    }

    #[test]
    fn a_stream_is_the_draws_of_its_node() {
        let sampler = Sampler::new(9);
        let mut stream = sampler.stream(5, 2);
        for index in 0..100 {
            assert_eq!(stream.bits(), sampler.draw(5, 2, index));
        }
    }

    #[test]
    fn unit_draws_stay_below_one() {
        assert_eq!(unit(0), 0.0);
        assert!(unit(u64::MAX) < 1.0);
        assert_eq!(below(u64::MAX, 6), 5);
        assert_eq!(below(0, 6), 0);
    }
}
