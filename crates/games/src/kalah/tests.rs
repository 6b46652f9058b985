use super::*;
use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};
use astragal_core::{Even, Notation};
use std::collections::HashMap;

const CAPTURES: [Capture; 2] = [Capture::Empty, Capture::Nonempty];
const SWEEPS: [Sweep; 2] = [Sweep::Own, Sweep::Emptied];

fn kalah(pits: u8, stones: u8) -> Kalah {
    Kalah::new(pits, stones).unwrap()
}

#[test]
fn kalah_keeps_the_contract() {
    for (pits, stones) in [(6, 4), (1, 1), (1, 63), (8, 7), (2, 31), (3, 3)] {
        for (capture, sweep) in CAPTURES.into_iter().zip(SWEEPS) {
            for utility in [Utility::Win, Utility::Margin] {
                let game = kalah(pits, stones).capture(capture).sweep(sweep).utility(utility);
                for game in [game.clone(), game.random_start(3)] {
                    let visited = check_game(&game, Play::default()).unwrap();
                    assert_eq!(visited.finished, Play::default().games);
                    check_notation(&game, Play { games: 30, ..Play::default() }).unwrap();
                    check_evaluator(&game, &Stores, Play::default()).unwrap();
                    check_evaluator(&game, &Even, Play::default()).unwrap();
                }
            }
        }
    }
}

/// Returns the position after the given moves.
fn after(game: &Kalah, text: &str, moves: &str) -> String {
    let mut state = game.read_state(text).unwrap();
    for action in moves.split_whitespace() {
        let action = game.read_action(&state, action).unwrap();
        game.apply(&mut state, action);
    }
    game.write_state(&state)
}

#[test]
fn a_last_stone_in_the_store_gives_another_move() {
    let game = kalah(6, 4);
    let start = game.write_state(&game.start());
    assert_eq!(start, "4,4,4,4,4,4|0 4,4,4,4,4,4|0 p1");
    // Figure 3.3 of the thesis.
    assert_eq!(after(&game, &start, "3"), "4,4,0,5,5,5|1 4,4,4,4,4,4|0 p1");
    assert_eq!(after(&game, &start, "3 6"), "4,4,0,5,5,0|2 5,5,5,5,4,4|0 p2");
}

#[test]
fn a_last_stone_in_an_empty_pit_captures_what_lies_opposite() {
    let game = kalah(3, 3);
    // One stone from pit 1 to the empty pit 2, which faces the opponent's pit 2.
    assert_eq!(after(&game, "1,0,4|2 3,4,3|1 p1", "1"), "0,0,4|7 3,0,3|1 p2");
    assert_eq!(after(&game, "3,4,3|1 1,0,4|2 p2", "1"), "3,0,3|1 0,0,4|7 p1");
    // If that is empty: only the stone itself, or nothing.
    let empty = "1,0,4|6 3,0,3|1 p1";
    assert_eq!(after(&game, empty, "1"), "0,0,4|7 3,0,3|1 p2");
    assert_eq!(after(&game.clone().capture(Capture::Nonempty), empty, "1"), "0,1,4|6 3,0,3|1 p2");
    // Once around: seven stones end where they started, and capture.
    assert_eq!(after(&game, "7,1,1|2 2,2,2|1 p1", "1"), "0,2,2|7 3,3,0|1 p2");
    // An empty pit on the opponent's side captures nothing.
    assert_eq!(after(&game, "1,1,2|4 0,4,4|2 p1", "3"), "1,1,0|5 1,4,4|2 p2");
}

#[test]
fn the_game_ends_when_a_side_is_empty_and_the_rest_is_swept() {
    let own = kalah(3, 3);
    let emptied = kalah(3, 3).sweep(Sweep::Emptied);
    // The last stone would give another move.
    let text = "0,0,1|6 3,4,3|1 p1";
    assert_eq!(after(&own, text, "3"), "0,0,0|7 0,0,0|11 p1");
    assert_eq!(after(&emptied, text, "3"), "0,0,0|17 0,0,0|1 p1");
    // A capture may empty the other side.
    let text = "1,0,4|6 0,6,0|1 p1";
    assert_eq!(after(&own, text, "1"), "0,0,0|17 0,0,0|1 p2");
    assert_eq!(after(&emptied, text, "1"), "0,0,0|13 0,0,0|5 p2");
    let over = |game: &Kalah, text: &str| game.turn(&game.read_state(text).unwrap());
    assert_eq!(over(&own, "0,0,0|7 0,0,0|11 p1"), Turn::Over(-100.0));
    assert_eq!(over(&own, "0,0,0|9 0,0,0|9 p2"), Turn::Over(0.0));
    assert_eq!(over(&own.utility(Utility::Margin), "0,0,0|7 0,0,0|11 p1"), Turn::Over(-4.0));
}

#[test]
fn perft_has_its_known_numbers() {
    fn perft(game: &Kalah, state: &State, depth: u32) -> u64 {
        let Turn::Decide(_) = game.turn(state) else { return u64::from(depth == 0) };
        if depth == 0 {
            return 1;
        }
        let mut actions = Vec::new();
        game.actions(state, &mut actions);
        let child = |action| {
            let mut child = *state;
            game.apply(&mut child, action);
            perft(game, &child, depth - 1)
        };
        actions.into_iter().map(child).sum()
    }
    for (game, known) in [
        (kalah(6, 4).capture(Capture::Nonempty), &[6, 35, 185, 942, 4_690, 23_233, 114_430][..]),
        (kalah(6, 4), &[6, 35, 185, 942, 4_685, 23_169, 113_959]),
        (kalah(4, 3), &[4, 15, 50, 158, 488, 1_507, 4_621, 14_011]),
    ] {
        let counts: Vec<u64> =
            (1..=known.len() as u32).map(|depth| perft(&game, &game.start(), depth)).collect();
        assert_eq!(counts, known);
    }
}

/// The first player's further gain in stones, by plain recursion over all positions.
fn gain(game: &Kalah, state: &State, known: &mut HashMap<([u64; 2], Player), i16>) -> i16 {
    if let Turn::Over(_) = game.turn(state) {
        return 0;
    }
    let place = (state.sides().map(|side| side.pits), state.player);
    if let Some(gain) = known.get(&place) {
        return *gain;
    }
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    let values = actions.into_iter().map(|action| {
        let mut child = *state;
        game.apply(&mut child, action);
        child.margin() - state.margin() + gain(game, &child, known)
    });
    let best = match state.player {
        Player::Max => values.max(),
        Player::Min => values.min(),
    };
    let best = best.expect("a player can move");
    known.insert(place, best);
    best
}

#[test]
fn small_games_have_their_known_values() {
    // One row per number of pits, one entry per number of stones, both from 1.
    let empty_own: [&[i16]; 4] = [&[0, -2, 6, -2, 2, 0], &[2, -2, -2, -12, 6, 8], &[0, 4, 2, 2], &[2, 6]];
    let nonempty_own: [&[i16]; 4] = [&[0, -2, 6, -2, 2, 0], &[2, -2, -2, -10, 6, 8], &[0, 4, 2, 2], &[2, 6]];
    let empty_emptied: [&[i16]; 4] = [&[2, 4, 6, 8, -6, -4], &[4, 8, 0, 0, 12, 16], &[2, 8, 8, 2], &[2, 6]];
    let nonempty_emptied: [&[i16]; 4] =
        [&[2, 4, 6, 8, -6, -4], &[4, 8, 0, -6, 12, 16], &[4, 8, 2, 2], &[2, 6]];
    for (capture, sweep, values) in [
        (Capture::Empty, Sweep::Own, empty_own),
        (Capture::Nonempty, Sweep::Own, nonempty_own),
        (Capture::Empty, Sweep::Emptied, empty_emptied),
        (Capture::Nonempty, Sweep::Emptied, nonempty_emptied),
    ] {
        for (pits, row) in (1..).zip(values) {
            for (stones, value) in (1..).zip(row) {
                let game = kalah(pits, stones).capture(capture).sweep(sweep);
                let found = gain(&game, &game.start(), &mut HashMap::new());
                assert_eq!(found, *value, "{capture:?} {sweep:?}: {pits} pits, {stones} stones");
            }
        }
    }
}

#[test]
fn random_starts_have_all_stones_in_pits_and_differ() {
    let starts: Vec<State> = (0..100).map(|seed| kalah(6, 4).random_start(seed).start()).collect();
    for start in &starts {
        assert_eq!(start.in_play(), 48);
        assert!(start.sides().map(|side| side.store) == [0; 2] && start.player == Player::Max);
    }
    let first: f64 = starts.iter().map(|start| f64::from(all_stones(start.own.pits))).sum();
    // A side's stones have standard deviation √12, their mean over 100 starts a tenth of that.
    assert!((first / 100.0 - 24.0).abs() < 1.5, "{first}");
    assert!((1..100).all(|at| starts[at] != starts[0]));
    // With one stone on each side most draws leave a side empty.
    assert!((0..50).all(|seed| kalah(1, 1).random_start(seed).start() == kalah(1, 1).start()));
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_reason() {
    let game = kalah(3, 3);
    for (text, why) in [
        ("", "not two sides and a player"),
        ("3,3,3|0 3,3,3|0", "something like 3,3,3|0 3,3,3|0 p1"),
        ("3,3,3|0 3,3,3|0 p3", "neither p1 nor p2"),
        ("3,3|0 3,3,3|0 p1", "2 pits instead of 3"),
        ("3,3,3 3,3,3|0 p1", "is not a list of pits"),
        ("3,3,x|0 3,3,3|0 p1", "'x' is not a number of stones"),
        ("3,3,300|0 3,3,3|0 p1", "'300' is not a number of stones from 0 to 18"),
        ("3,3,3|1 3,3,3|0 p1", "19 stones instead of 18"),
        ("18,18,18|18 18,18,18|18 p1", "144 stones instead of 18"),
        ("0,0,0|9 3,3,3|0 p1", "belongs in a store"),
        ("0,0,0|9 0,0,0|9 p1", ""),
    ] {
        match game.read_state(text) {
            Ok(_) => assert_eq!(why, "", "{text}"),
            Err(error) => assert!(!why.is_empty() && error.to_string().contains(why), "{error}: {why}"),
        }
    }
    for (pits, stones) in [(0, 4), (9, 4), (6, 0), (8, 8), (1, 64)] {
        assert!(Kalah::new(pits, stones).is_err(), "{pits} {stones}");
    }
}
