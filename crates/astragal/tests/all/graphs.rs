//! Random graphs whose lines end early or late and transpose, with bounds that know the reachable payoffs: a
//! result that holds at one depth must not be taken for one that holds at any.

use crate::support::{Prophet, STAR2, Stream, search, seeds};
use astragal::core::{Budget, Evaluator, Game, Interval, Key, Player, Stop, Turn, Weighted};
use astragal::search::{Algorithm, Options, TableUse};

enum Node {
    Over(f64),
    Decide(Player, Vec<usize>),
    Chance(Vec<usize>),
}

/// Nodes, each of which leads only to later ones, and the interval of the payoffs reachable from each.
struct Graph {
    nodes: Vec<Node>,
    bounds: Vec<Interval>,
}

const SIZE: usize = 14;

impl Graph {
    fn new(seed: u64) -> Self {
        let mut stream = Stream::new(seed);
        let mut nodes: Vec<Node> = (0..SIZE)
            .map(|at| {
                let later = (SIZE - 1 - at) as u64;
                let kind = if at == 0 { 1 } else { stream.below(4) };
                let mut next: Vec<usize> =
                    (0..2).map(|_| at + 1 + stream.below(later.clamp(1, 4)) as usize).collect();
                next.dedup();
                match kind {
                    _ if later == 0 => Node::Over(0.0),
                    0 => Node::Chance(next),
                    1 | 2 => Node::Decide(if stream.below(2) == 0 { Player::Max } else { Player::Min }, next),
                    _ => Node::Over(0.0),
                }
            })
            .collect();
        for node in &mut nodes {
            if let Node::Over(payoff) = node {
                *payoff = stream.below(21) as f64 - 10.0;
            }
        }
        let mut bounds = vec![Interval::point(0.0); SIZE];
        for at in (0..SIZE).rev() {
            bounds[at] = match &nodes[at] {
                Node::Over(payoff) => Interval::point(*payoff),
                Node::Decide(_, next) | Node::Chance(next) => Interval::new(
                    next.iter().map(|&next| bounds[next].lo).fold(f64::INFINITY, f64::min),
                    next.iter().map(|&next| bounds[next].hi).fold(f64::NEG_INFINITY, f64::max),
                ),
            };
        }
        Self { nodes, bounds }
    }
}

impl Game for Graph {
    type State = usize;
    type Action = usize;
    type Outcome = usize;

    fn start(&self) -> usize {
        0
    }
    fn turn(&self, state: &usize) -> Turn {
        match &self.nodes[*state] {
            Node::Over(payoff) => Turn::Over(*payoff),
            Node::Decide(player, _) => Turn::Decide(*player),
            Node::Chance(_) => Turn::Chance,
        }
    }
    fn actions(&self, state: &usize, out: &mut Vec<usize>) {
        if let Node::Decide(_, next) = &self.nodes[*state] {
            out.extend(next);
        }
    }
    fn outcomes(&self, state: &usize, out: &mut Vec<Weighted<usize>>) {
        if let Node::Chance(next) = &self.nodes[*state] {
            out.extend(next.iter().map(|&item| Weighted { item, weight: 1.0 / next.len() as f64 }));
        }
    }
    fn apply(&self, state: &mut usize, action: usize) {
        *state = action;
    }
    fn resolve(&self, state: &mut usize, outcome: usize) {
        *state = outcome;
    }
    fn key(&self, state: &usize) -> Key {
        Key(*state as u128)
    }
    fn range(&self) -> Interval {
        Interval::new(-10.0, 10.0)
    }
    fn bounds(&self, state: &usize) -> Interval {
        self.bounds[*state]
    }
}

/// An integer unrelated to the payoffs.
#[derive(Clone, Copy)]
struct Guess(u64);

impl Evaluator<Graph> for Guess {
    fn value(&self, _game: &Graph, state: &usize) -> f64 {
        Stream::new(self.0 ^ *state as u64).below(21) as f64 - 10.0
    }
}

#[test]
fn nothing_that_holds_at_one_depth_only_counts_as_complete() {
    let (mut complete, mut found_sooner) = (0, 0);
    for seed in seeds(1 << 44, 3000) {
        let game = Graph::new(seed);
        let prophet = Prophet { evaluator: Guess(seed), seed };
        let run = |options, depth| search(&game, &prophet, &0, options, 0, &Budget::depth(depth));
        let plain = Options::new(Algorithm::Expectimax);
        let truths: Vec<f64> = (1..=SIZE as u32).map(|depth| run(plain, depth).value).collect();
        for algorithm in [Algorithm::Star1, STAR2] {
            for table in [TableUse::Off, TableUse::Order, TableUse::Values] {
                for (prune_from, depth) in [(1, 3), (1, SIZE), (2, 5), (3, SIZE)] {
                    let options = Options { table, table_mib: 1, prune_from, ..Options::new(algorithm) };
                    let found = run(options, depth as u32);
                    let at = format!("{options:?}, {:?} at depth {}, seed {seed}", found.stop, found.depth);
                    if found.stop == Stop::Complete {
                        assert_eq!(found.value, truths[SIZE - 1], "{at}");
                        complete += 1;
                        found_sooner += u32::from(found.depth < depth as u32);
                    }
                    assert_eq!(found.value, truths[found.depth as usize - 1], "{at}");
                }
            }
        }
    }
    assert!(complete > 1000 && found_sooner > 1000, "{complete} and {found_sooner}");
}
