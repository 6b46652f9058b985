//! Hand-written Expectimax for two-dice Pig and alpha-beta for Connect Four: the baselines for the generic
//! searches.
//!
//! Written as a programmer would who needs only this: no traits, no stacks, no budget, no counts, nothing
//! that another game or algorithm could use. They return the same values as the generic searches, bit for
//! bit.

/// The points that a roll adds, and their probabilities.
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
pub fn expectimax(s: Pig, depth: u32) -> f64 {
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
    let held = expectimax(held, depth - 1);
    if s.mine { rolled.max(held) } else { rolled.min(held) }
}

fn roll(s: Pig, depth: u32) -> f64 {
    let bust = Pig { total: 0, mine: !s.mine, ..s };
    let reset = if s.mine { Pig { first: 0, ..bust } } else { Pig { second: 0, ..bust } };
    let mut sum = 10.0 / 36.0 * expectimax(bust, depth) + 1.0 / 36.0 * expectimax(reset, depth);
    for (points, weight) in SUMS {
        sum += weight * expectimax(Pig { total: s.total + points, ..s }, depth);
    }
    sum.clamp(-100.0, 100.0)
}

/// A Connect Four board of seven columns and six rows: one bit per square, column by column from the bottom
/// up, with an empty bit above each column.
#[derive(Clone, Copy)]
pub struct Four {
    /// The stones of the player to move.
    pub own: u64,
    /// The stones of the opponent.
    pub other: u64,
}

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const COLUMN: u64 = (1 << ROWS) - 1;
const FULL: u64 = 0x40810204081 * COLUMN;
const WIN: i32 = 100;

/// The value of a board for the player to move, with 0 for unfinished games: fail-soft, columns from left to
/// right.
pub fn alpha_beta(Four { own, other }: Four, depth: u32, alpha: i32, beta: i32) -> i32 {
    let lines = [1, ROWS, ROWS + 1, ROWS + 2];
    let has_four = lines.into_iter().any(|step| {
        let pairs = other & other >> step;
        pairs & pairs >> (2 * step) != 0
    });
    if has_four {
        return -WIN;
    }
    let occupied = own | other;
    if occupied == FULL || depth == 0 {
        return 0;
    }
    let mut best = -i32::MAX;
    for column in 0..COLUMNS {
        let bottom = 1 << (column * (ROWS + 1));
        let square = (occupied + bottom) & (COLUMN * bottom) & !occupied;
        if square == 0 {
            continue;
        }
        let after = Four { own: other, other: own | square };
        best = best.max(-alpha_beta(after, depth - 1, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}
