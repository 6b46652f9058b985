//! A small random number generator: xorshift with a multiplication.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Never 0, which is a fixed point.
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A random number below `end`.
    #[inline]
    pub fn below(&mut self, end: u32) -> u32 {
        (((self.next() >> 32) * u64::from(end)) >> 32) as u32
    }
}
