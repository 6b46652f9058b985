//! Words of bits, and words divided into bit fields: the pits of a side, the columns of a board.

use astragal_core::below;

/// The most fields of which one is drawn.
const FIELDS: usize = 8;
/// A multiple of every number of fields, so that a random number below it selects from any number of them.
const PARTS: usize = 840;
/// More than the [`classes`] of these random numbers.
const CLASSES: usize = 32;

/// The class of each random number: numbers of one class select the same field of every set.
static CLASS: [u8; PARTS] = classes();
/// The field that each class selects from each set.
static FIELD: [[u8; CLASSES]; 1 << FIELDS] = drawn();

/// The numbers of the bits of a word, from the lowest.
#[inline]
pub(crate) fn bits_of(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let lowest = word.trailing_zeros();
        word &= word - 1;
        Some(lowest)
    })
}

/// Draws one of the fields of a nonempty set, all equally likely, from 64 random bits, and returns its
/// number: the field at index [`below`] among those in the set.
///
/// Random numbers are unpredictable, so nothing branches or loops. The set is known later than the random
/// bits, and all that follows it is one lookup.
#[inline]
pub(crate) fn draw_field(set: u8, bits: u64) -> u8 {
    let class = CLASS[below(bits, PARTS as u64) as usize];
    FIELD[usize::from(set)][usize::from(class) % CLASSES]
}

/// A random number begins a class if it is the first to select its field from some number of them.
const fn classes() -> [u8; PARTS] {
    let mut class = [0; PARTS];
    let mut part = 1;
    while part < PARTS {
        class[part] = class[part - 1];
        let mut count = 1;
        while count <= FIELDS {
            if part.is_multiple_of(PARTS / count) {
                class[part] = class[part - 1] + 1;
            }
            count += 1;
        }
        part += 1;
    }
    class
}

/// The field of each class and set, from the first random number of the class.
const fn drawn() -> [[u8; CLASSES]; 1 << FIELDS] {
    let (class, mut field) = (classes(), [[0; CLASSES]; 1 << FIELDS]);
    let mut part = 0;
    while part < PARTS {
        let mut set = 1_usize;
        while (part == 0 || class[part] > class[part - 1]) && set < field.len() {
            // The field at this index in the set: those below it are taken out.
            let (mut index, mut rest) = (part * set.count_ones() as usize / PARTS, set);
            while index > 0 {
                rest &= rest - 1;
                index -= 1;
            }
            field[set][class[part] as usize] = rest.trailing_zeros() as u8;
            set += 1;
        }
        part += 1;
    }
    field
}

#[cfg(test)]
#[test]
fn a_field_is_the_one_at_its_number_among_those_that_are_set() {
    for set in 1..=u8::MAX {
        let fields: Vec<u8> = (0..8).filter(|field| set >> field & 1 == 1).collect();
        let count = fields.len() as u128;
        for (number, field) in (0_u128..).zip(fields) {
            // The least and the greatest random number that select this field.
            let (from, to) = (number << 64, (number + 1) << 64);
            for bits in [from.div_ceil(count), (to - 1) / count] {
                assert_eq!(u128::from(below(bits as u64, count as u64)), number);
                assert_eq!(draw_field(set, bits as u64), field, "{set:b}");
            }
        }
    }
}
