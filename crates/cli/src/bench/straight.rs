//! Expectimax for two-dice Pig, written out by hand: the yardstick for the generic one.
//!
//! As a programmer would write it who needs just this: no traits, no stacks, no budget, no counts, nothing
//! that another game or algorithm could use. It returns the same value, bit for bit.

/// What a roll adds and in how many of 36 ways.
const SUMS: [(i32, f64); 9] = [
    (4, 1.0 / 36.0),
    (5, 2.0 / 36.0),
    (6, 3.0 / 36.0),
    (7, 4.0 / 36.0),
    (8, 5.0 / 36.0),
    (9, 4.0 / 36.0),
    (10, 3.0 / 36.0),
    (11, 2.0 / 36.0),
    (12, 1.0 / 36.0),
];

/// A decision: both scores, the turn total, and whether it is player 1's turn.
#[derive(Clone, Copy)]
pub struct Pig {
    /// The score of player 1.
    pub first: i32,
    /// The score of player 2.
    pub second: i32,
    /// The turn total.
    pub total: i32,
    /// Whether player 1 is to act.
    pub mine: bool,
}

const TARGET: i32 = 100;

/// The value of a decision at a depth, with the score difference as the estimate of unfinished games.
pub fn value(s: Pig, depth: u32) -> f64 {
    if s.mine && s.first + s.total >= TARGET {
        return 100.0;
    }
    if !s.mine && s.second + s.total >= TARGET {
        return -100.0;
    }
    if depth == 0 {
        let total = if s.mine { s.total } else { -s.total };
        return f64::from((s.first - s.second + total).clamp(-100, 100));
    }
    let rolled = roll(s, depth - 1);
    if s.total == 0 {
        return rolled;
    }
    let held = if s.mine {
        Pig { first: s.first + s.total, total: 0, mine: false, ..s }
    } else {
        Pig { second: s.second + s.total, total: 0, mine: true, ..s }
    };
    let held = value(held, depth - 1);
    if s.mine { rolled.max(held) } else { rolled.min(held) }
}

fn roll(s: Pig, depth: u32) -> f64 {
    let bust = Pig { total: 0, mine: !s.mine, ..s };
    let reset = if s.mine { Pig { first: 0, ..bust } } else { Pig { second: 0, ..bust } };
    let mut sum = 10.0 / 36.0 * value(bust, depth) + 1.0 / 36.0 * value(reset, depth);
    for (points, weight) in SUMS {
        sum += weight * value(Pig { total: s.total + points, ..s }, depth);
    }
    sum.clamp(-100.0, 100.0)
}
