//! Words that are cut into fields of some bits each: the pits of a side, the columns of a board.

use astragal_core::below;

/// One of the fields whose lowest bit is set, each equally likely, drawn with 64 random bits: where it
/// begins. `set` has at least one of these bits and no other; `ones` is the lowest bit of every field, of
/// which there are `count`; the highest bit of a field must be worth more than `count`.
///
/// It is the one at [`below`] of all that are set. Random numbers cannot be predicted, so nothing branches
/// or loops.
#[inline]
pub(crate) fn draw_field(set: u64, ones: u64, width: u32, count: u32, bits: u64) -> u32 {
    // In every field, how many up to it are set.
    let upto = set.wrapping_mul(ones);
    let all = upto >> (width * (count - 1)) & u64::MAX >> (64 - width);
    let number = below(bits, all);
    // The highest bit stays where that is not more than the number: in all fields before the one wanted.
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
                // In the middle of the numbers that mean this one.
                let bits = ((2 * number as u128 + 1) << 63) / fields.len() as u128;
                assert_eq!(draw_field(set, ones, width, count, bits as u64), field * width, "{subset:b}");
            }
        }
    }
}
