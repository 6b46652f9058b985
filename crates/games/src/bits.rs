//! Words divided into bit fields: the pits of a side, the columns of a board.

use astragal_core::below;

/// Draws one of the fields whose lowest bit is set, all equally likely, from 64 random bits, and returns the
/// offset of that bit. `set` has at least one of these bits and no others; `ones` has the lowest bit of each
/// of the `count` fields; the highest bit of a field must be worth more than `count`.
///
/// The result is the field at index [`below`] among those set. Random numbers are unpredictable, so nothing
/// branches or loops.
#[inline]
pub(crate) fn draw_field(set: u64, ones: u64, width: u32, count: u32, bits: u64) -> u32 {
    // In each field, the number of set fields up to and including it.
    let upto = set.wrapping_mul(ones);
    let all = upto >> (width * (count - 1)) & u64::MAX >> (64 - width);
    let number = below(bits, all);
    // The highest bit survives where that count is at most `number`: in all fields before the one wanted.
    let highest = ones << (width - 1);
    let before = ((number * ones) | highest).wrapping_sub(upto);
    (!before & highest).trailing_zeros() + 1 - width
}

#[cfg(test)]
#[test]
fn a_field_is_the_one_at_its_number_among_those_that_are_set() {
    for (width, count) in [(8, 8), (8, 6), (7, 7), (4, 7), (9, 7), (5, 12), (32, 2), (64, 1)] {
        let ones = (0..count).map(|field| 1 << (field * width)).sum();
        for subset in 1_u64..1 << count {
            let fields: Vec<u32> = (0..count).filter(|field| subset >> field & 1 == 1).collect();
            let set = fields.iter().map(|field| 1 << (field * width)).sum();
            for (number, field) in fields.iter().enumerate() {
                // The middle of the range of random numbers that select this field.
                let bits = ((2 * number as u128 + 1) << 63) / fields.len() as u128;
                assert_eq!(draw_field(set, ones, width, count, bits as u64), field * width, "{subset:b}");
            }
        }
    }
}
