//! The updates of a single simulation, checked by hand on hand-built trees.

use super::implicit::STATIC;
use super::options::{MctsOptions, Select};
use super::rave::{RAVE_SUM, RAVE_VISITS};
use super::simulate::Worker;
use super::tree::{Block, Index, Keep, ROOT, Tree};
use astragal_core::{Evaluator, Game, Interval, Key, Player, Sampler, Turn, Weighted};

/// The players choose between two letters, Max first, four times in all; 1 is a win for Max and 0 a loss.
struct Letters {
    /// The finished games that Max wins.
    wins: &'static [&'static str],
    /// Whether Max makes all moves.
    alone: bool,
}

impl Game for Letters {
    type State = String;
    type Action = char;
    type Outcome = ();

    fn start(&self) -> String {
        String::new()
    }

    fn turn(&self, state: &String) -> Turn {
        match state.len() {
            4 => Turn::Over(f64::from(u8::from(self.wins.contains(&state.as_str())))),
            made if self.alone || made % 2 == 0 => Turn::Decide(Player::Max),
            _ => Turn::Decide(Player::Min),
        }
    }

    fn actions(&self, _state: &String, out: &mut Vec<char>) {
        out.extend(['a', 'b']);
    }

    fn outcomes(&self, _state: &String, _out: &mut Vec<Weighted<()>>) {
        unreachable!("there is no chance");
    }

    fn apply(&self, state: &mut String, action: char) {
        state.push(action);
    }

    fn resolve(&self, _state: &mut String, _outcome: ()) {}

    fn key(&self, state: &String) -> Key {
        Key(state.bytes().fold(1, |key, byte| key << 8 | u128::from(byte)))
    }

    fn range(&self) -> Interval {
        Interval { lo: 0.0, hi: 1.0 }
    }
}

/// The share of `b` among the letters.
struct LikesB;

impl Evaluator<Letters> for LikesB {
    fn value(&self, _game: &Letters, state: &String) -> f64 {
        state.matches('b').count() as f64 / 4.0
    }
}

fn options() -> MctsOptions {
    MctsOptions { select: Select::Ucb1 { c: 1.0 }, ..MctsOptions::default() }
}

/// Opens a node and sets the wins and trials of its two children.
fn open(tree: &Tree, block: &mut Block, index: Index, children: [(f64, u32); 2]) -> Index {
    assert!(tree.expand(block, index, 2, |_, _| {}));
    let first = tree.node(index).first().unwrap();
    for (child, (wins, trials)) in (first..).zip(children) {
        tree.node(child).add_many(wins, trials);
    }
    first
}

fn trials(tree: &Tree, index: Index) -> (f64, u32) {
    (tree.node(index).sum(), tree.node(index).visits())
}

#[test]
fn the_whole_iteration_of_the_lecture() {
    // V has won 1 of 2 and W 0 of 1 trials; below V, X has won 1 of 1 and Y 0 of 1. Then X loses: every game
    // here is a loss. Both nodes are Max's, because the lecture counts wins for the player to move.
    let (game, options) = (Letters { wins: &[], alone: true }, options());
    let (tree, mut block) = (Tree::new(1 << 20, Keep::default(), false), Block::default());
    tree.node(ROOT).add_many(1.0, 3);
    let v = open(&tree, &mut block, ROOT, [(1.0, 2), (0.0, 1)]);
    let x = open(&tree, &mut block, v, [(1.0, 1), (0.0, 1)]);
    let mut worker = Worker::new(&game, &LikesB, None, &options, &tree);
    worker.simulate(&game.start(), &mut Sampler::new(1).stream(0, 0), &mut |_| None).unwrap();
    let all = [ROOT, v, v + 1, x, x + 1].map(|index| trials(&tree, index));
    assert_eq!(all, [(1.0, 4), (1.0, 3), (0.0, 1), (1.0, 2), (0.0, 1)]);
}

#[test]
fn rave_counts_later_moves_of_the_same_player_as_if_first() {
    // Only "aabb" is a win. From the root Max plays a, Min a, then Max b and Min b, whatever the letters are:
    // at each node the other letter is far behind.
    let (game, options) =
        (Letters { wins: &["aabb"], alone: false }, MctsOptions { rave: 10.0, ..options() });
    let keep = Keep { rave: true, ..Keep::default() };
    let (tree, mut block) = (Tree::new(1 << 20, keep, false), Block::default());
    let best = [(9.0, 10), (0.0, 1000)];
    let worst = [(0.0, 1000), (9.0, 10)];
    let lost = [(0.0, 10), (1000.0, 1000)];
    let root = open(&tree, &mut block, ROOT, best);
    let first = open(&tree, &mut block, root, lost);
    let second = open(&tree, &mut block, first, worst);
    tree.node(ROOT).add_many(9.0, 1010);
    open(&tree, &mut block, second + 1, [(1000.0, 1000), (0.0, 10)]);
    let mut worker = Worker::new(&game, &LikesB, None, &options, &tree);
    worker.simulate(&game.start(), &mut Sampler::new(1).stream(0, 0), &mut |_| None).unwrap();
    let rave = |index: Index| {
        let side = tree.rave(index).unwrap();
        (side.get(RAVE_VISITS), side.get(RAVE_SUM))
    };
    // At the root Max's later b is credited along with the a played there; one level down Min's b along with
    // Min's a; below, only what was played.
    assert_eq!([rave(root), rave(root + 1)], [(1.0, 1.0), (1.0, 1.0)]);
    assert_eq!([rave(first), rave(first + 1)], [(1.0, 1.0), (1.0, 1.0)]);
    assert_eq!([rave(second), rave(second + 1)], [(0.0, 0.0), (1.0, 1.0)]);
    // The thesis's rule: one more visit, and the mean moves by its share of the surprise.
    worker.back_up_rave(0.0);
    assert_eq!(rave(second + 1), (2.0, 1.0));
}

/// The index of the child that is selected for Max, of two children of the root.
fn selected(
    options: MctsOptions,
    keep: Keep,
    children: [(f64, u32); 2],
    furnish: impl Fn(&Tree, Index),
) -> usize {
    let game = Letters { wins: &[], alone: false };
    let (tree, mut block) = (Tree::new(1 << 20, keep, false), Block::default());
    let first = open(&tree, &mut block, ROOT, children);
    tree.node(ROOT).add_many(0.0, children.iter().map(|child| child.1).sum());
    furnish(&tree, first);
    let mut worker = Worker::new(&game, &LikesB, None, &options, &tree);
    worker.select(ROOT, first, 2, Player::Max, &mut Sampler::new(1).stream(0, 0))
}

#[test]
fn rave_and_mean_are_mixed_by_the_schedule() {
    // Means 0.6 and 0.4; all-moves-as-first means 0.3 and 0.8. With n = 20 visits of the parent and k = 20, β
    // = √(20 / 80) = ½: the blends are 0.45 and 0.6. With k = 0.2, β = √(0.2 / 60.2) = 0.058, and the means
    // decide. There is no exploration term.
    let rave = |tree: &Tree, first: Index| {
        for (child, value) in [(first, 0.3), (first + 1, 0.8)] {
            let side = tree.rave(child).unwrap();
            side.set(RAVE_VISITS, 10.0);
            side.set(RAVE_SUM, 10.0 * value);
        }
    };
    let keep = Keep { rave: true, ..Keep::default() };
    let with = |rave: f64| MctsOptions { rave, select: Select::Ucb1 { c: 0.0 }, ..options() };
    let children = [(6.0, 10), (4.0, 10)];
    assert_eq!(selected(with(20.0), keep, children, rave), 1);
    assert_eq!(selected(with(0.2), keep, children, rave), 0);
    // The two scores meet where (1 − β)·0.6 + β·0.3 = (1 − β)·0.4 + β·0.8: β = 2/7, k = 60·β² / (1 − β²).
    let beta: f64 = 2.0 / 7.0;
    let even = 60.0 * beta * beta / (1.0 - beta * beta);
    assert_eq!(selected(with(1.001 * even), keep, children, rave), 1);
    assert_eq!(selected(with(0.999 * even), keep, children, rave), 0);
}

#[test]
fn a_seed_counts_as_visits_and_a_bias_fades() {
    let keep = Keep { values: true, ..Keep::default() };
    let statics = |tree: &Tree, first: Index| {
        for (child, value) in [(first, 0.2), (first + 1, 0.9)] {
            tree.values(child).unwrap().set(STATIC, value);
        }
    };
    let greedy = MctsOptions { select: Select::Ucb1 { c: 0.0 }, ..options() };
    // Means 0.6 and 0.4. With m visits of the static values: (6 + 0.2·m) / (10 + m) and (4 + 0.9·m) / (10 +
    // m), which meet at m = 20/7.
    let seeded = |seeding: f64| MctsOptions { seeding, ..greedy };
    let children = [(6.0, 10), (4.0, 10)];
    assert_eq!(selected(seeded(2.8), keep, children, statics), 0);
    assert_eq!(selected(seeded(2.9), keep, children, statics), 1);
    // A bias of w adds w·(h − ½) / (1 + n): 0.6 − 0.3·w/11 and 0.4 + 0.4·w/11 meet at w = 22/7.
    let biased = |bias: f64| MctsOptions { bias, ..greedy };
    assert_eq!(selected(biased(3.1), keep, children, statics), 0);
    assert_eq!(selected(biased(3.2), keep, children, statics), 1);
    // Ten times the visits with the same means need 101/11 times the bias.
    let more = [(60.0, 100), (40.0, 100)];
    assert_eq!(selected(biased(28.8), keep, more, statics), 0);
    assert_eq!(selected(biased(28.9), keep, more, statics), 1);
}

#[test]
fn more_outcomes_than_a_list_has_room_for_leave_no_nodes_behind() {
    const MOST: usize = 8191;
    for (shared, outcomes) in [(false, MOST), (true, MOST), (false, 9000), (true, 9000)] {
        let (tree, mut block) = (Tree::new(1 << 22, Keep::default(), shared), Block::default());
        assert!(tree.expand_chance(&mut block, ROOT, outcomes, |_, _| {}));
        let made = (0..outcomes).filter(|&at| {
            let child = tree.add_child(&mut block, ROOT, at, outcomes, |_| {});
            child.is_some_and(|child| tree.child(ROOT, at) == Some(child))
        });
        assert_eq!(made.count(), MOST);
        tree.count(&mut block);
        assert_eq!(tree.len() as usize, 1 + MOST);
    }
}

#[test]
fn threads_take_their_marks_back_and_lose_no_visit() {
    for (simulations, opened) in [(30, false), (30, true), (3000, false), (3000, true)] {
        let (game, options) = (Letters { wins: &["abba", "baab"], alone: false }, options());
        let (tree, mut block) = (Tree::new(1 << 20, Keep::default(), true), Block::default());
        let mut ends = vec![ROOT];
        for _ in 0..if opened { 4 } else { 0 } {
            let open = |&index: &Index| open(&tree, &mut block, index, [(0.0, 0); 2]);
            ends = ends.iter().map(open).flat_map(|first| [first, first + 1]).collect();
        }
        Worker::new(&game, &LikesB, None, &options, &tree).prepare(&game.start());
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (game, options, tree) = (&game, &options, &tree);
                scope.spawn(move || {
                    let mut worker = Worker::new(game, &LikesB, None, options, tree);
                    for number in 0..simulations {
                        let mut stream = Sampler::new(thread).stream(number, 0);
                        worker.simulate(&game.start(), &mut stream, &mut |_| None).unwrap();
                    }
                    worker.finish();
                });
            }
        });
        assert_eq!(u64::from(tree.node(ROOT).visits()), 3 * simulations);
        let mut open = vec![(ROOT, 0)];
        while let Some((index, depth)) = open.pop() {
            let node = tree.node(index);
            assert_eq!(tree.lost(index), 0, "a mark was left");
            let Some(children) = tree.children(node) else { continue };
            assert_eq!(children.len(), 2);
            let below: u32 = children.clone().map(|child| tree.node(child).visits()).sum();
            // A node opened beforehand may be unvisited.
            if opened && node.visits() == 0 {
                assert_eq!(below, 0);
                continue;
            }
            // The first visit of a node goes no deeper, and each thread may take its own for the first. A
            // thread that finds a node half expanded goes no deeper either; the root was expanded before.
            let alone = node.visits() - below;
            let most = if opened { 3 } else { u32::MAX };
            assert!(
                if depth == 0 { alone == 0 } else { (1..=most).contains(&alone) },
                "{alone} at depth {depth}"
            );
            open.extend(children.map(|child| (child, depth + 1)));
        }
    }
}
