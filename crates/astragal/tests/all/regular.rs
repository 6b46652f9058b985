//! Regular \*-minimax trees, on which Ballard (1983) reported what Star1 and Star2 save.

use crate::support::{STAR2, naive};
use astragal::core::{Evaluator, Game, Interval, Key, Player, Turn, Weighted, mix, unit};
use astragal::search::{Algorithm, Options, StarMinimax};

/// Max, chance, Min, chance, and so on: `branching` actions and as many equally likely outcomes everywhere,
/// and leaves drawn evenly from [−1, 1].
struct Regular {
    seed: u64,
    branching: u8,
    plies: u32,
    /// Whether the game promises actions by their true values.
    informed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct At {
    id: u64,
    ply: u32,
    chance: bool,
}

impl Game for Regular {
    type State = At;
    type Action = u8;
    type Outcome = u8;

    fn start(&self) -> At {
        At { id: mix(self.seed), ply: 0, chance: false }
    }
    fn turn(&self, s: &At) -> Turn {
        match s {
            At { chance: true, .. } => Turn::Chance,
            At { ply, id, .. } if *ply == self.plies => Turn::Over(2.0 * unit(mix(*id)) - 1.0),
            At { ply, .. } => Turn::Decide(if ply % 2 == 0 { Player::Max } else { Player::Min }),
        }
    }
    fn actions(&self, _: &At, out: &mut Vec<u8>) {
        out.extend(0..self.branching);
    }
    fn outcomes(&self, _: &At, out: &mut Vec<Weighted<u8>>) {
        let weight = 1.0 / f64::from(self.branching);
        out.extend((0..self.branching).map(|item| Weighted { item, weight }));
    }
    fn apply(&self, s: &mut At, a: u8) {
        *s = At { id: mix(s.id + 1 + u64::from(a)), ply: s.ply + 1, chance: s.ply + 1 < self.plies };
    }
    fn resolve(&self, s: &mut At, o: u8) {
        *s = At { id: mix(s.id ^ mix(u64::from(o))), ply: s.ply, chance: false };
    }
    fn key(&self, s: &At) -> Key {
        Key(u128::from(s.id) | u128::from(s.ply) << 64 | u128::from(s.chance) << 96)
    }
    fn range(&self) -> Interval {
        Interval::new(-1.0, 1.0)
    }
    fn promise(&self, s: &At, a: u8) -> i32 {
        if !self.informed {
            return 0;
        }
        let Turn::Decide(player) = self.turn(s) else { return 0 };
        let mut child = s.clone();
        self.apply(&mut child, a);
        (1e9 * player.sign() * naive(self, &Unseen, &child, self.plies)) as i32
    }
}

struct Unseen;
impl Evaluator<Regular> for Unseen {
    fn value(&self, _: &Regular, _: &At) -> f64 {
        unreachable!("every line is searched to its end")
    }
}

/// The share of Expectimax's leaves that an algorithm saves, over some trees.
fn saved(algorithm: Algorithm, branching: u8, plies: u32, informed: bool, trees: u64) -> f64 {
    let leaves = |algorithm| -> u64 {
        let options = Options { prune_from: 1, ..Options::new(algorithm) };
        let one = |seed| {
            let game = Regular { seed, branching, plies, informed };
            StarMinimax::new(&Unseen, options)
                .value_within(&game, &game.start(), 0, plies, Interval::WHOLE)
                .1
                .leaves
        };
        (0..trees).map(one).sum()
    };
    1.0 - leaves(algorithm) as f64 / leaves(Algorithm::Expectimax) as f64
}

/// The published numbers are 25 to 30 % of the leaves for Star1, more than 50 % for Star2 in random order,
/// and about an order of magnitude for Star2 in optimal order. How the leaves were distributed is not known
/// here, and it matters: trees of 4 actions and 4 outcomes lose 8 % of their leaves to Star1 if the values
/// are spread evenly over the range, as here, 29 % if they are one of five equally likely numbers, and 57 %
/// if they are one of two. So only the order of the algorithms and the last number can be held against the
/// publication.
#[test]
fn star2_saves_more_than_star1_in_random_order() {
    for (branching, plies, trees) in [(2, 4, 50), (3, 2, 200), (3, 3, 50), (4, 2, 100), (4, 3, 10)] {
        let star1 = saved(Algorithm::Star1, branching, plies, false, trees);
        let star2 = saved(STAR2, branching, plies, false, trees);
        assert!(0.05 < star1 && star1 + 0.04 < star2, "{branching} {plies}: {star1} and {star2}");
    }
}

#[test]
fn star2_saves_an_order_of_magnitude_in_optimal_order() {
    assert!(saved(STAR2, 10, 2, true, 20) > 0.8);
    assert!(saved(STAR2, 20, 2, true, 4) > 0.9);
    assert!(saved(Algorithm::Star1, 20, 2, true, 4) < 0.1);
}
