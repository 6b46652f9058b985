//! Sets of bits.

/// A set of at most `most` bits without its lowest `number` ones, of which it has more: the bit wanted is the
/// lowest that is left. Nobody can guess a random number, so nothing branches on it.
#[inline]
pub(crate) fn skip_bits(mut set: u64, number: u32, most: u32) -> u64 {
    for passed in 1..most {
        set &= if passed <= number { set.wrapping_sub(1) } else { u64::MAX };
    }
    set
}

#[cfg(test)]
#[test]
fn the_lowest_bit_left_is_the_one_wanted() {
    let mut bits = 0_u64;
    for (number, bit) in [0, 3, 4, 17, 40, 63].into_iter().enumerate() {
        bits |= 1 << bit;
        for most in number as u32 + 1..9 {
            assert_eq!(skip_bits(bits, number as u32, most).trailing_zeros(), bit);
        }
    }
}
