//! Tests trees of every kind against known facts: vectors, identities from the thesis, and Minimax.

use super::*;
use astragal_core::Notation;
use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};

fn tree(seed: u64, branches: u32, depth: u32, rule: Rule) -> Synthetic {
    Synthetic::new(seed, branches, depth, rule).unwrap()
}

fn pv(seed: u64, branches: u32, depth: u32, penalty: Penalty) -> Synthetic {
    tree(seed, branches, depth, Rule::Prefix(Prefix::new(penalty)))
}

fn bounded(bound: u32, penalty: Penalty) -> Prefix {
    Prefix { bound: Some(bound), ..Prefix::new(penalty) }
}

fn children(game: &Synthetic, state: &State) -> Vec<State> {
    let after = |step: &dyn Fn(&mut State)| {
        let mut child = *state;
        step(&mut child);
        child
    };
    match game.turn(state) {
        Turn::Over(_) => Vec::new(),
        Turn::Decide(_) => {
            (0..game.branches).map(|at| after(&|child| game.apply(child, Branch(at)))).collect()
        }
        Turn::Chance => {
            (0..game.chance.outcomes).map(|at| after(&|child| game.resolve(child, Branch(at)))).collect()
        }
    }
}

/// Returns the nodes after `depth` decisions, from left to right.
fn level(game: &Synthetic, depth: u32) -> Vec<State> {
    (0..depth)
        .fold(vec![game.start()], |nodes, _| nodes.iter().flat_map(|node| children(game, node)).collect())
}

/// The minimax value of a state if decision nodes at `depth` have the values given by `worth`.
fn value(game: &Synthetic, state: &State, depth: u32, worth: &dyn Fn(&State) -> f64) -> f64 {
    let values = || children(game, state).into_iter().map(|child| value(game, &child, depth, worth));
    match game.turn(state) {
        Turn::Over(payoff) => payoff,
        Turn::Decide(_) if state.depth == depth => worth(state),
        Turn::Decide(Player::Max) => values().fold(f64::NEG_INFINITY, f64::max),
        Turn::Decide(Player::Min) => values().fold(f64::INFINITY, f64::min),
        Turn::Chance => values().sum::<f64>() / f64::from(game.chance.outcomes),
    }
}

/// Trees of every kind.
fn kinds() -> Vec<Synthetic> {
    let noisy = Prefix { sigma: 4.0, ..bounded(10, Penalty::UpTo(8)) };
    let traps = |anywhere| Some(Traps { share: 0.3, anywhere });
    let lag = Some(Lag { depth: 3, bias: 0.1 });
    let rules = [
        Rule::Prefix(Prefix::new(Penalty::Constant(1))),
        Rule::Prefix(Prefix { wins: true, ..Prefix::new(Penalty::UpTo(8)) }),
        Rule::Prefix(bounded(1, Penalty::Constant(1))),
        Rule::Prefix(noisy.clone()),
        Rule::Prefix(Prefix { traps: traps(false), ..noisy.clone() }),
        Rule::Prefix(Prefix { traps: traps(true), lag, ..noisy }),
        Rule::Critical(Critical::new(&[0, 4])),
        Rule::Critical(Critical { first: true, ..Critical::new(&[2]) }),
        Rule::Critical(Critical { wins: vec![0.5, 0.25], ..Critical::new(&[0, 2]) }),
        Rule::Critical(Critical { wins: vec![0.0, 0.0], ..Critical::new(&[0, 2]) }),
        Rule::TwoSided(TwoSided { max: 4, min: vec![1, 3] }),
        Rule::Independent(Leaves::Won(0.4)),
        Rule::Independent(Leaves::Even),
        Rule::Score,
    ];
    let plain: Vec<Synthetic> = rules.into_iter().map(|rule| tree(5, 2, 6, rule)).collect();
    let mixed = |share, outcomes, spread| {
        move |game: Synthetic| game.chance(Chance { share, outcomes, spread }).unwrap()
    };
    let often = plain.iter().cloned().map(mixed(0.5, 3, 4));
    let always = plain.iter().cloned().map(mixed(1.0, 4, 1));
    plain.iter().cloned().chain(often).chain(always).collect()
}

#[test]
fn synthetic_trees_keep_the_contract() {
    for game in kinds() {
        let play = Play { games: 100, ..Play::default() };
        assert_eq!(check_game(&game, play).unwrap().finished, 100);
        check_notation(&game, Play { games: 20, ..play }).unwrap();
        check_evaluator(&game, &Heuristic, play).unwrap();
    }
}

#[test]
fn the_hash_gives_the_known_numbers() {
    let root = mix(42);
    assert_eq!([mix(0), mix(1)], [0xE220_A839_7B1D_CDAF, 0x910A_2DEC_8902_5CC1]);
    assert_eq!(
        [child_id(root, 0), child_id(root, 1), draw(root, Salt::Optimal)],
        [0xDCFC_CFE8_9D85_ABA0, 0x3EA0_5A24_AA7B_AC67, 0xDA9E_4B39_7E1A_2212]
    );
}

#[test]
fn prefix_values_are_those_known() {
    let game = pv(42, 2, 100, Penalty::Constant(1));
    for (depth, known) in [
        (1, &[0, 1][..]),
        (2, &[1, 0, 1, 2]),
        (3, &[1, 0, -1, 0, 0, 1, 2, 1]),
        (4, &[2, 1, 0, 1, 0, -1, 0, 1, 0, 1, 2, 1, 2, 3, 1, 2]),
    ] {
        let values: Vec<i32> = level(&game, depth).iter().map(|node| node.value).collect();
        assert_eq!(values, known);
    }
    let game = tree(7, 3, 100, Rule::Prefix(Prefix { sigma: 4.0, ..bounded(10, Penalty::UpTo(8)) }));
    let values = |depth| level(&game, depth).iter().map(|node| node.value).collect::<Vec<i32>>();
    assert_eq!((values(1), values(2)), (vec![1, -5, -4], vec![4, 1, 2, 1, 2, -5, -4, 0, 4]));
    assert_eq!(game.known_best(&game.start()), Some(Branch(0)));
    let noise = |state: &State| Heuristic.value(&game, state) - f64::from(state.value);
    assert!((noise(&game.start()) + 5.775440045584).abs() < 1e-12);
    assert!((noise(&level(&game, 1)[0]) + 0.491918769708).abs() < 1e-12);
}

#[test]
fn minimax_over_any_depth_is_the_value_that_is_known() {
    for game in kinds() {
        for seed in 0..20 {
            let root = game.root(seed);
            let Some(truth) = game.truth(&root) else { continue };
            for depth in 1..=game.depth {
                // Nodes of critical trees have no known value after a wrong choice.
                let leaf = |state: &State| game.truth(state).unwrap_or(0.0);
                let found = value(&game, &root, depth, &leaf);
                assert!((found - truth).abs() < 1e-9, "{game:?} {seed} {depth}: {found} {truth}");
            }
        }
    }
}

#[test]
fn no_other_action_is_as_good_as_the_one_that_is_known_to_be_best() {
    let mut known = 0;
    for game in kinds() {
        // With traps anywhere the thesis judges actions by their values in the tree without traps.
        let is_literal =
            matches!(&game.rule, Rule::Prefix(prefix) if prefix.traps.is_some_and(|t| t.anywhere));
        for node in (0..3).flat_map(|depth| level(&game, depth)).filter(|_| !is_literal) {
            let Turn::Decide(player) = game.turn(&node) else { continue };
            let Some(best) = game.known_best(&node) else { continue };
            let worth = |child: &State| player.sign() * value(&game, child, game.depth, &|_| unreachable!());
            let values: Vec<f64> = children(&game, &node).iter().map(worth).collect();
            let others = values.iter().enumerate().filter(|(at, _)| *at != best.index());
            assert!(
                others.into_iter().all(|(_, other)| *other < values[best.index()] - 1e-9),
                "{game:?} {node:?}"
            );
            known += 1;
        }
    }
    assert!(known > 100, "{known}");
    // No action is reported where another may be as good.
    let unknown = |game: &Synthetic| game.known_best(&game.start()).is_none();
    assert!(unknown(&tree(1, 2, 6, Rule::Critical(Critical::new(&[0])))));
    assert!(!unknown(&tree(1, 2, 6, Rule::Critical(Critical { wins: vec![0.0], ..Critical::new(&[0]) }))));
    let wins = Prefix { wins: true, ..bounded(10, Penalty::UpTo(8)) };
    let always = Chance { share: 1.0, ..Chance::NONE };
    assert!(unknown(&tree(1, 2, 6, Rule::Prefix(wins.clone())).chance(always).unwrap()));
    assert!(!unknown(&tree(1, 2, 6, Rule::Prefix(wins))));
}

#[test]
fn sums_of_leaves_differ_as_the_thesis_proves() {
    for seed in 0..30 {
        for (branches, k) in [(2, 1), (3, 1), (2, 3)] {
            let game = pv(seed, branches, 100, Penalty::Constant(k));
            let best = game.known_best(&game.start()).unwrap().index();
            for depth in 1..5 {
                let leaves = level(&game, depth + 1);
                let sums: Vec<i64> = leaves
                    .chunks(leaves.len() / branches as usize)
                    .map(|side| side.iter().map(|leaf| i64::from(leaf.value)).sum())
                    .collect();
                for (at, sum) in sums.iter().enumerate().filter(|(at, _)| *at != best) {
                    let gap = i64::from(k) * i64::from(branches).pow(depth);
                    assert_eq!(sums[best] - sum, gap, "{seed} {branches} {k} {depth} {at}");
                }
            }
        }
    }
}

#[test]
fn leaves_of_win_loss_trees_have_the_known_means() {
    let known = [
        (2, [1.0, 1.0, 0.5, 0.75, 0.375, 0.6875, 0.34375, 0.671875, 0.3359375]),
        (4, [1.0, 1.0, 0.25, 0.8125, 0.203125, 0.80078125, 0.2001953125, 0.800048828125, 0.20001220703125]),
    ];
    for (branches, means) in known {
        let game = tree(3, branches, 100, Rule::Prefix(bounded(1, Penalty::Constant(1))));
        let best = game.known_best(&game.start()).unwrap().index();
        for (depth, mean) in means.into_iter().enumerate().take(if branches == 2 { 9 } else { 6 }) {
            let leaves = level(&game, depth as u32 + 1);
            let side = leaves.chunks(leaves.len() / branches as usize).nth(best).unwrap();
            let found = side.iter().map(|leaf| f64::from(leaf.value)).sum::<f64>() / side.len() as f64;
            assert_eq!(found, mean, "{branches} {depth}");
        }
    }
}

#[test]
fn critical_levels_halve_what_random_play_expects() {
    for (levels, mean) in [(vec![2], 0.5), (vec![0, 4], 0.25), (vec![0, 2, 6], 0.125)] {
        // Half the leaves, a quarter or an eighth are certainly won; the others cancel out over many trees.
        let (mut sum, mut count) = (0.0_f64, 0.0_f64);
        for seed in 0..200 {
            let game = tree(seed, 2, 8, Rule::Critical(Critical::new(&levels)));
            for leaf in level(&game, 8) {
                let Turn::Over(payoff) = game.turn(&leaf) else { panic!("{leaf:?}") };
                (sum, count) = (sum + payoff, count + 1.0);
            }
        }
        let error = (2.0 / 3.0 / count).sqrt();
        assert!((sum / count - mean).abs() < 5.0 * error, "{levels:?}: {} for {mean}", sum / count);
    }
    let game = tree(1, 2, 8, Rule::TwoSided(TwoSided { max: 4, min: vec![1, 3] }));
    let leaves: Vec<f64> = level(&game, 8).iter().map(|leaf| value(&game, leaf, 8, &|_| 0.0)).collect();
    let [left, right] = [0, 1].map(|side| leaves[128 * side..][..128].iter().sum::<f64>() / 128.0);
    assert_eq!((left, right), (0.0, 0.5));
    assert_eq!(value(&game, &game.start(), 8, &|_| 0.0), 1.0);
}

#[test]
fn after_a_wrong_choice_the_share_of_its_level_is_won() {
    let (mut won, mut count) = ([0.0; 2], 0.0_f64);
    for seed in 0..200 {
        let critical = Critical { first: true, wins: vec![0.75, 0.5], ..Critical::new(&[0, 2]) };
        let game = tree(seed, 2, 8, Rule::Critical(critical));
        let leaves: Vec<f64> = level(&game, 8).iter().map(|leaf| value(&game, leaf, 8, &|_| 0.0)).collect();
        assert!(leaves.iter().all(|leaf| leaf.abs() == 1.0));
        for (won, half) in won.iter_mut().zip(leaves.chunks(128)) {
            *won += half.iter().filter(|leaf| **leaf > 0.0).count() as f64;
        }
        count += 128.0;
    }
    // In the left half, half of the leaves are certainly won, and half of the others by chance.
    for won in won {
        assert!((won / count - 0.75).abs() < 5.0 * (0.1875 / count).sqrt(), "{}", won / count);
    }
}

#[test]
fn scores_add_up_and_promise_what_they_add() {
    let game = tree(3, 4, 5, Rule::Score).chance(Chance { share: 1.0, ..Chance::NONE }).unwrap();
    let root = game.start();
    let gains: Vec<f64> = children(&game, &root).iter().map(|child| Heuristic.value(&game, child)).collect();
    for (at, gain) in gains.iter().enumerate() {
        assert_eq!(f64::from(game.promise(&root, Branch(at as u32))), 65536.0 * gain);
    }
    let mut sums = Vec::new();
    for seed in 0..2000 {
        let mut state = game.root(seed);
        for _ in 0..5 {
            game.apply(&mut state, Branch(1));
            game.resolve(&mut state, Branch(0));
        }
        let Turn::Over(payoff) = game.turn(&state) else { panic!("{state:?}") };
        sums.push(payoff);
    }
    // Ten steps, each uniform from −1 to 1 with variance 1/3.
    let square = sums.iter().map(|sum| sum * sum).sum::<f64>() / sums.len() as f64;
    assert!((square - 10.0 / 3.0).abs() < 0.5, "{square}");
    assert!(sums.iter().all(|sum| sum.abs() <= 10.0));
}

#[test]
fn trees_that_cannot_be_are_refused_with_the_reason() {
    let refused = |branches, depth, rule| Synthetic::new(1, branches, depth, rule).unwrap_err().0;
    let critical = |levels: &[u32]| Rule::Critical(Critical::new(levels));
    let prefix = Prefix::new(Penalty::Constant(1));
    for (error, why) in [
        (refused(1, 5, critical(&[0])), "2 to 1000 branches"),
        (refused(2, 0, critical(&[0])), "1 to 1000 decisions"),
        (refused(2, 5, critical(&[6])), "depths 0 to 4"),
        (refused(2, 5, critical(&[1])), "even depths"),
        (refused(2, 5, critical(&[])), "at least one"),
        (refused(2, 5, critical(&[2, 2])), "each once"),
        (
            refused(2, 5, Rule::Critical(Critical { wins: vec![0.5, 0.5], ..Critical::new(&[0]) })),
            "shares of leaves won: 2, critical levels: 1",
        ),
        (refused(2, 5, Rule::Critical(Critical { wins: vec![1.5], ..Critical::new(&[0]) })), "not 1.5"),
        (refused(3, 9, Rule::TwoSided(TwoSided { max: 2, min: vec![1] })), "2 branches"),
        (refused(2, 9, Rule::TwoSided(TwoSided { max: 2, min: vec![2] })), "odd depths"),
        (refused(2, 5, Rule::Independent(Leaves::Won(1.5))), "0 to 1"),
        (refused(2, 5, Rule::Prefix(Prefix { bound: Some(0), ..prefix.clone() })), "greatest value"),
        (refused(2, 5, Rule::Prefix(Prefix { sigma: -1.0, ..prefix.clone() })), "deviation"),
        (
            refused(2, 5, Rule::Prefix(Prefix { lag: Some(Lag { depth: 1, bias: 0.5 }), ..prefix.clone() })),
            "bounds",
        ),
    ] {
        assert!(error.contains(why), "{error}: {why}");
    }
    let game = pv(1, 2, 5, Penalty::Constant(1));
    assert!(game.clone().chance(Chance { share: 1.5, ..Chance::NONE }).is_err());
    assert!(game.clone().chance(Chance { outcomes: 1, ..Chance::NONE }).is_err());
    for text in ["", "decide 5 00 1", "chance 1 00 1", "over 3 00 1", "decide 0 zz 1", "decide 1 00 9"] {
        assert!(game.read_state(text).is_err(), "{text}");
    }
}

#[test]
fn an_error_names_no_more_actions_than_one_would_read() {
    for (branches, more) in [(60, None), (1000, Some(", and 940 more"))] {
        let game = pv(1, branches, 4, Penalty::Constant(1));
        let error = game.read_action(&game.start(), "sideways").unwrap_err().to_string();
        assert_eq!(error.matches(", ").count(), 59 + usize::from(more.is_some()), "{error}");
        assert!(error.ends_with(more.unwrap_or("60")), "{error}");
    }
}
