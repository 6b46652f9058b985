//! The dice of Pig, and what counts as an outcome.

use astragal_core::{Weighted, words};

/// What counts as an outcome of a roll. It changes no value, only the number of outcomes to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcomes {
    /// Rolls with the same effect are one outcome: 11 with two dice.
    #[default]
    Merged,
    /// Two indistinguishable dice: 21 pairs of faces.
    Pairs,
    /// Two distinguishable dice: 36 rolls.
    Rolls,
}

words!(Outcomes: "merged" => Self::Merged, "pairs" => Self::Pairs, "rolls" => Self::Rolls);

/// The effect of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Roll {
    /// A single 1: the turn total is lost.
    Bust,
    /// Two 1s: the turn total and the score are lost.
    Reset,
    /// No 1: this much is added to the turn total.
    Add(u8),
}

/// The result of rolling the dice. It is small enough to share a register: this is the innermost loop of a
/// search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    /// The points added to the turn total; 0 for a bust and 1 for a reset.
    pub(super) points: u8,
    /// The faces of two dice as two digits, if rolls with the same effect are distinguished; otherwise 0.
    pub(super) faces: u8,
}

impl Dice {
    /// Dice of which only the effect is known.
    #[must_use]
    pub const fn new(roll: Roll) -> Self {
        let points = match roll {
            Roll::Bust => 0,
            Roll::Reset => 1,
            Roll::Add(points) => points,
        };
        Self { points, faces: 0 }
    }

    /// The effect of the dice.
    #[inline]
    #[must_use]
    pub const fn roll(self) -> Roll {
        match self.points {
            0 => Roll::Bust,
            1 => Roll::Reset,
            points => Roll::Add(points),
        }
    }
}

const fn weighted(roll: Roll, ways: u8, of: u8) -> Weighted<Dice> {
    Weighted { item: Dice::new(roll), weight: ways as f64 / of as f64 }
}

/// One die: six faces.
pub(super) const ONE_DIE: [Weighted<Dice>; 6] = [
    weighted(Roll::Bust, 1, 6),
    weighted(Roll::Add(2), 1, 6),
    weighted(Roll::Add(3), 1, 6),
    weighted(Roll::Add(4), 1, 6),
    weighted(Roll::Add(5), 1, 6),
    weighted(Roll::Add(6), 1, 6),
];

/// Two dice: 36 ways, 11 different effects.
pub(super) const TWO_DICE: [Weighted<Dice>; 11] = [
    weighted(Roll::Bust, 10, 36),
    weighted(Roll::Reset, 1, 36),
    weighted(Roll::Add(4), 1, 36),
    weighted(Roll::Add(5), 2, 36),
    weighted(Roll::Add(6), 3, 36),
    weighted(Roll::Add(7), 4, 36),
    weighted(Roll::Add(8), 5, 36),
    weighted(Roll::Add(9), 4, 36),
    weighted(Roll::Add(10), 3, 36),
    weighted(Roll::Add(11), 2, 36),
    weighted(Roll::Add(12), 1, 36),
];

/// Two dice with these faces.
pub(super) const fn faces(one: u8, other: u8) -> Dice {
    let roll = match (one, other) {
        (1, 1) => Roll::Reset,
        (1, _) | (_, 1) => Roll::Bust,
        _ => Roll::Add(one + other),
    };
    Dice { faces: 10 * one + other, ..Dice::new(roll) }
}

/// Two indistinguishable dice, the lower face first.
pub(super) const PAIRS: [Weighted<Dice>; 21] = {
    let mut pairs = [weighted(Roll::Bust, 0, 36); 21];
    let (mut at, mut one) = (0, 1);
    while one <= 6 {
        let mut other = one;
        while other <= 6 {
            let ways = if one == other { 1.0 } else { 2.0 };
            pairs[at] = Weighted { item: faces(one, other), weight: ways / 36.0 };
            at += 1;
            other += 1;
        }
        one += 1;
    }
    pairs
};

/// Two distinguishable dice.
pub(super) const ROLLS: [Weighted<Dice>; 36] = {
    let mut rolls = [weighted(Roll::Bust, 0, 36); 36];
    let mut at = 0;
    while at < 36 {
        rolls[at as usize] = Weighted { item: faces(1 + at / 6, 1 + at % 6), weight: 1.0 / 36.0 };
        at += 1;
    }
    rolls
};

/// Maps each of the 36 ways that two dice can fall to the index of its outcome.
const fn ways<const N: usize>(outcomes: &[Weighted<Dice>; N]) -> [u8; 36] {
    let mut ways = [0; 36];
    let (mut way, mut outcome) = (0, 0);
    while outcome < N {
        // A weight is a multiple of 1/36, up to rounding.
        let mut count = (36.0 * outcomes[outcome].weight + 0.5) as u8;
        while count > 0 {
            ways[way] = outcome as u8;
            way += 1;
            count -= 1;
        }
        outcome += 1;
    }
    ways
}

pub(super) const WAYS: [u8; 36] = ways(&TWO_DICE);
pub(super) const PAIR_WAYS: [u8; 36] = ways(&PAIRS);
