use super::*;
use astragal_core::contract::{Play, check_evaluator, check_game, check_horizon, check_notation};
use astragal_core::{Notation, ReadError};
use std::collections::{BTreeMap, BTreeSet};

fn real() -> CantStop {
    CantStop::new(6, 3, 3, 2).unwrap()
}

#[test]
fn cant_stop_keeps_the_contract() {
    for (sides, shortest, goal, players) in
        [(6, 3, 3, 2), (6, 5, 6, 2), (2, 1, 2, 2), (3, 2, 3, 1), (4, 1, 4, 2)]
    {
        let game = CantStop::new(sides, shortest, goal, players).unwrap();
        let play = Play { games: 4, length: 2000, seed: u64::from(sides), ..Play::default() };
        let visited = check_game(&game, play).unwrap();
        assert!(visited.finished > 0, "{visited:?}");
        check_notation(&game, Play { games: 4, length: 300, ..play }).unwrap();
        check_evaluator(&game, &Columns, play).unwrap();
        check_evaluator(&game, &Progress, play).unwrap();
        let few = Play { games: 2, length: 60, ..play };
        check_horizon(&game, &Columns, few, 1).unwrap();
        check_horizon(&game, &Progress, few, 1).unwrap();
        let unmerged = game.with_outcomes(Outcomes::Rolls);
        check_game(&unmerged, Play { games: 1, length: 100, unfinished: true, ..play }).unwrap();
        check_notation(&unmerged, Play { games: 1, length: 30, ..play }).unwrap();
    }
}

#[test]
fn rolls_are_the_throws_in_every_order() {
    let game = real().with_outcomes(Outcomes::Rolls);
    let names: BTreeSet<String> =
        game.throws.iter().map(|roll| game.write_outcome(&game.start(), roll.item)).collect();
    assert_eq!((game.throws.len(), names.len()), (1296, 1296));
    let digits = |name: &String| name.len() == 4 && name.bytes().all(|b| (b'1'..=b'6').contains(&b));
    assert!(names.iter().all(digits));
    let mut sums = BTreeMap::new();
    for roll in &game.throws {
        *sums.entry(roll.item.throw.0).or_insert(0) += 1;
    }
    for throw in real().throws {
        assert_eq!(sums[&throw.item.throw.0], (throw.weight * 1296.0).round() as u32);
    }
    // Every order of the dice leads to the same position.
    let mut rolling = game.start();
    game.apply(&mut rolling, Action::Roll);
    let after = |text: &str| {
        let mut state = rolling;
        game.resolve(&mut state, game.read_outcome(&rolling, text).unwrap());
        game.write_state(&state)
    };
    assert_eq!(after("6132"), after("1236"));
}

#[test]
fn throws_have_their_known_numbers() {
    let game = real();
    assert_eq!(game.throws.len(), 126);
    let mut by_ways = BTreeMap::new();
    for throw in &game.throws {
        *by_ways.entry((throw.weight * 1296.0).round() as u32).or_insert(0) += 1;
    }
    assert_eq!(by_ways, BTreeMap::from([(1, 6), (4, 30), (6, 15), (12, 60), (24, 15)]));
    let pairings: BTreeSet<BTreeSet<(u8, u8)>> = game
        .throws
        .iter()
        .map(|throw| game.pairings(throw.item.throw).into_iter().map(|(x, y)| (x.min(y), x.max(y))).collect())
        .collect();
    assert_eq!(pairings.len(), 109);
    let distinct = |count: usize| -> f64 {
        let of = |throw: &&Weighted<Dice>| {
            let set: BTreeSet<(u8, u8)> =
                game.pairings(throw.item.throw).into_iter().map(|(x, y)| (x.min(y), x.max(y))).collect();
            set.len() == count
        };
        game.throws.iter().filter(of).map(|throw| throw.weight * 1296.0).sum()
    };
    assert_eq!([1, 2, 3].map(|n| distinct(n).round() as u32), [126, 810, 360]);
}

/// The number of the 1296 rolls that can form at least one of these columns (2 to 12).
fn ways(game: &CantStop, columns: &[u8]) -> u32 {
    let forms = |throw: &&Weighted<Dice>| {
        game.pairings(throw.item.throw)
            .iter()
            .any(|(x, y)| columns.contains(&(x + 2)) || columns.contains(&(y + 2)))
    };
    game.throws.iter().filter(forms).map(|throw| throw.weight * 1296.0).sum::<f64>().round() as u32
}

#[test]
fn chances_not_to_bust_are_as_known() {
    let game = real();
    let single: Vec<u32> = (2..=12).map(|c| ways(&game, &[c])).collect();
    assert_eq!(single, [171, 302, 461, 580, 727, 834, 727, 580, 461, 302, 171]);
    let pairs: Vec<u32> =
        (2..=12).flat_map(|a| (a + 1..=12).map(move |b| [a, b])).map(|p| ways(&game, &p)).collect();
    assert_eq!((pairs.len(), pairs.iter().sum::<u32>()), (55, 44_106));
    assert_eq!((pairs.iter().min(), pairs.iter().max()), (Some(&336), Some(&1083)));
    assert_eq!([ways(&game, &[2, 12]), ways(&game, &[7, 8]), ways(&game, &[6, 7])], [336, 1083, 1083]);
    let triples: Vec<[u8; 3]> = (2..=12_u8)
        .flat_map(|a| (a + 1..=12).flat_map(move |b| (b + 1..=12).map(move |c| [a, b, c])))
        .collect();
    let counts: Vec<u64> = triples.iter().map(|t| u64::from(ways(&game, t))).collect();
    assert_eq!(counts.len(), 165);
    assert_eq!(counts.iter().sum::<u64>(), 166_008);
    assert_eq!(counts.iter().map(|n| n * n).sum::<u64>(), 169_698_696);
    for (triple, known) in
        [([6, 7, 8], 1192), ([5, 7, 8], 1185), ([4, 6, 8], 1181), ([2, 3, 12], 568), ([3, 6, 11], 983)]
    {
        assert_eq!(ways(&game, &triple), known, "{triple:?}");
    }
    for triple in triples {
        assert_eq!(ways(&game, &triple), ways(&game, &triple.map(|c| 14 - c)), "{triple:?}");
    }
}

/// All 165 triples of columns, each with the number of the 1296 rolls that can form at least one of the
/// three.
const TRIPLES: &str = "\
    2-3-4:676 2-3-5:757 2-3-6:886 2-3-7:975 2-3-8:980 2-3-9:923 2-3-10:822 2-3-11:681 2-3-12:568 \
    2-4-5:852 2-4-6:983 2-4-7:1046 2-4-8:1057 2-4-9:980 2-4-10:957 2-4-11:822 2-4-12:715 2-5-6:998 \
    2-5-7:1049 2-5-8:1074 2-5-9:985 2-5-10:980 2-5-11:923 2-5-12:822 2-6-7:1120 2-6-8:1145 2-6-9:1080 \
    2-6-10:1051 2-6-11:980 2-6-12:957 2-7-8:1154 2-7-9:1083 2-7-10:1080 2-7-11:1009 2-7-12:1012 \
    2-8-9:1066 2-8-10:1057 2-8-11:954 2-8-12:957 2-9-10:920 2-9-11:825 2-9-12:822 2-10-11:750 \
    2-10-12:715 2-11-12:568 3-4-5:867 3-4-6:962 3-4-7:1025 3-4-8:1032 3-4-9:1009 3-4-10:980 3-4-11:851 \
    3-4-12:750 3-5-6:999 3-5-7:1020 3-5-8:1047 3-5-9:1006 3-5-10:983 3-5-11:920 3-5-12:825 3-6-7:1121 \
    3-6-8:1106 3-6-9:1071 3-6-10:1066 3-6-11:983 3-6-12:954 3-7-8:1157 3-7-9:1092 3-7-10:1083 \
    3-7-11:1006 3-7-12:1009 3-8-9:1083 3-8-10:1080 3-8-11:983 3-8-12:980 3-9-10:1009 3-9-11:920 \
    3-9-12:923 3-10-11:851 3-10-12:822 3-11-12:681 4-5-6:1032 4-5-7:1099 4-5-8:1096 4-5-9:1035 \
    4-5-10:1066 4-5-11:1009 4-5-12:920 4-6-7:1148 4-6-8:1181 4-6-9:1120 4-6-10:1145 4-6-11:1080 \
    4-6-12:1057 4-7-8:1170 4-7-9:1157 4-7-10:1136 4-7-11:1083 4-7-12:1080 4-8-9:1118 4-8-10:1145 \
    4-8-11:1066 4-8-12:1051 4-9-10:1066 4-9-11:983 4-9-12:980 4-10-11:980 4-10-12:957 4-11-12:822 \
    5-6-7:1149 5-6-8:1160 5-6-9:1123 5-6-10:1118 5-6-11:1083 5-6-12:1066 5-7-8:1185 5-7-9:1106 \
    5-7-10:1157 5-7-11:1092 5-7-12:1083 5-8-9:1123 5-8-10:1120 5-8-11:1071 5-8-12:1080 5-9-10:1035 \
    5-9-11:1006 5-9-12:985 5-10-11:1009 5-10-12:980 5-11-12:923 6-7-8:1192 6-7-9:1185 6-7-10:1170 \
    6-7-11:1157 6-7-12:1154 6-8-9:1160 6-8-10:1181 6-8-11:1106 6-8-12:1145 6-9-10:1096 6-9-11:1047 \
    6-9-12:1074 6-10-11:1032 6-10-12:1057 6-11-12:980 7-8-9:1149 7-8-10:1148 7-8-11:1121 7-8-12:1120 \
    7-9-10:1099 7-9-11:1020 7-9-12:1049 7-10-11:1025 7-10-12:1046 7-11-12:975 8-9-10:1032 8-9-11:999 \
    8-9-12:998 8-10-11:962 8-10-12:983 8-11-12:886 9-10-11:867 9-10-12:852 9-11-12:757 10-11-12:676";

#[test]
fn every_triple_of_columns_has_its_known_chance() {
    let game = real();
    let mut seen = 0;
    for entry in TRIPLES.split_whitespace() {
        let (columns, known) = entry.split_once(':').unwrap();
        let columns: Vec<u8> = columns.split('-').map(|c| c.parse().unwrap()).collect();
        assert_eq!(ways(&game, &columns), known.parse::<u32>().unwrap(), "{entry}");
        seen += 1;
    }
    assert_eq!(seen, 165);
}

fn at(game: &CantStop, markers: &str, claimed: Option<usize>) -> State {
    let mut first = [0; 11];
    if let Some(column) = claimed {
        first[column - 2] = game.length(column - 2);
    }
    let list = |pegs: [u8; 11]| pegs.map(|n| n.to_string()).join(",");
    game.read_state(&format!("{} {} p2 {markers} ready", list(first), list([0; 11]))).unwrap()
}

#[test]
fn moves_are_as_many_as_is_known() {
    let game = real();
    for (markers, claimed, bust, plain, weighted) in [
        ("-", None, 0, 231, 2826),
        ("6:1,8:1", None, 0, 329, 4094),
        ("6:1,7:1,8:1", None, 104, 153, 1930),
        ("2:1,3:1,12:1", None, 728, 60, 622),
        ("6:1,8:1", Some(7), 0, 287, 3508),
    ] {
        let state = at(&game, markers, claimed);
        let (mut busts, mut moves, mut by_weight) = (0.0, 0, 0.0);
        for throw in &game.throws {
            let mut count = 0;
            game.advances(&state, throw.item.throw, |_| count += 1);
            busts += if count == 0 { throw.weight * 1296.0 } else { 0.0 };
            moves += count;
            by_weight += throw.weight * 1296.0 * f64::from(count);
        }
        assert_eq!(
            (busts.round() as u32, moves, by_weight.round() as u32),
            (bust, plain, weighted),
            "{markers} {claimed:?}"
        );
    }
}

#[test]
fn moves_within_a_turn_are_as_many_as_is_known() {
    fn count(game: &CantStop, state: &State, rolls: u32) -> u64 {
        let mut sum = 0;
        for throw in &game.throws {
            let mut actions = Vec::new();
            game.advances(state, throw.item.throw, |action| actions.push(action));
            for action in actions {
                let mut child = *state;
                game.apply(&mut child, action);
                sum += if rolls == 1 { 1 } else { count(game, &child, rolls - 1) };
            }
        }
        sum
    }
    let game = real();
    assert_eq!(count(&game, &game.start(), 1), 231);
    assert_eq!(count(&game, &game.start(), 2), 76_995);
}

#[test]
fn example_rolls_allow_what_the_rules_say() {
    let game = real();
    let moves = |markers: &str, dice: &str| {
        let mut state = at(&game, markers, None);
        state.phase = Phase::Rolling;
        let throw = game.read_throw(dice).unwrap();
        game.resolve(&mut state, Dice { throw, roll: 0 });
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        actions.into_iter().map(|action| game.write_action(&state, action)).collect::<BTreeSet<String>>()
    };
    let set = |list: &[&str]| list.iter().map(|s| (*s).to_string()).collect::<BTreeSet<String>>();
    assert_eq!(moves("-", "1166"), set(&["pair 2+12", "pair 7+7"]));
    assert_eq!(moves("6:1,8:1", "1166"), set(&["pair 2", "pair 12", "pair 7+7"]));
    assert_eq!(moves("6:1,8:1", "1234"), set(&["pair 4+6", "pair 5+5", "pair 3", "pair 7"]));
    assert_eq!(moves("6:1,8:1", "3344"), set(&["pair 6+8", "pair 7+7"]));
    // A double advances one step if only one square is left.
    assert_eq!(moves("2:2,6:1,8:1", "1111"), set(&["pair 2"]));
}

#[test]
fn stopping_claims_columns_and_removes_the_other_peg() {
    let game = real();
    let state = game.read_state("0,0,0,0,0,0,0,0,0,0,0 2,0,0,0,0,4,0,0,0,0,0 p1 2:3,7:5 ready").unwrap();
    let mut after = state;
    game.apply(&mut after, Action::Stop);
    assert_eq!(game.write_state(&after), "3,0,0,0,0,5,0,0,0,0,0 0,0,0,0,0,4,0,0,0,0,0 p2 - ready");
}

#[test]
fn three_columns_win_at_once() {
    let game = real();
    let two = "3,5,0,0,0,0,0,0,0,0,0 0,0,0,0,0,0,0,0,0,0,0 p1 12:3 ready";
    assert_eq!(game.turn(&game.read_state(two).unwrap()), Turn::Over(100.0));
    let not_yet = "3,5,0,0,0,0,0,0,0,0,0 0,0,0,0,0,0,0,0,0,0,0 p1 12:2 ready";
    assert_eq!(game.turn(&game.read_state(not_yet).unwrap()), Turn::Decide(Player::Max));
}

#[test]
fn malformed_positions_are_explained() {
    let game = real();
    let zero = "0,0,0,0,0,0,0,0,0,0,0";
    let read = |text: &str| -> Result<State, ReadError> { game.read_state(text) };
    for (text, why) in [
        (String::new(), "not five words"),
        (format!("{zero} {zero} p3 - ready"), "neither p1 nor p2"),
        (format!("{zero} 0,0 p1 - ready"), "is not 11 numbers"),
        (format!("4,0,0,0,0,0,0,0,0,0,0 {zero} p1 - ready"), "column 2 has 3 squares, not 4"),
        (
            "3,0,0,0,0,0,0,0,0,0,0 1,0,0,0,0,0,0,0,0,0,0 p1 - ready".to_string(),
            "column 2 is claimed and has another peg",
        ),
        (format!("{zero} {zero} p1 1:1 ready"), "'1:1' is not a marker"),
        (format!("{zero} {zero} p1 7 ready"), "'7' is not a marker"),
        (format!("{zero} {zero} p1 7:1,7:2 ready"), "each in its own column"),
        (format!("{zero} {zero} p1 5:1,6:1,7:1,8:1 ready"), "at most 3 markers"),
        (format!("{zero} {zero} p1 7:14 ready"), "at most at 13, not at 14"),
        (format!("3,0,0,0,0,0,0,0,0,0,0 {zero} p1 2:1 ready"), "column 2 is claimed"),
        (format!("{zero} {zero} p1 - 7777"), "four dice from 1 to 6"),
        (format!("{zero} {zero} p1 - 111"), "four dice from 1 to 6"),
        (format!("{zero} {zero} p1 2:1,3:1,12:1 3434"), "it is a bust"),
        (format!("3,5,7,0,0,0,0,0,0,0,0 {zero} p2 - rolling"), "the game is over"),
        (
            "3,5,7,0,0,0,0,0,0,0,0 0,0,0,0,0,0,0,0,7,5,3 p2 - ready".to_string(),
            "both players cannot have won",
        ),
    ] {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn games_that_could_not_end_are_refused() {
    assert!(CantStop::new(2, 1, 3, 2).is_err(), "three columns, and each player may claim some");
    assert!(CantStop::new(2, 1, 3, 1).is_ok());
    assert!(CantStop::new(2, 1, 2, 2).is_ok());
    assert!(CantStop::new(7, 1, 2, 2).is_err());
    assert!(CantStop::new(6, 3, 0, 2).is_err());
    assert!(CantStop::new(6, 3, 7, 2).is_err());
}

#[test]
fn what_is_not_allowed_is_explained() {
    let game = CantStop::new(6, 3, 3, 2).unwrap();
    let (none, full) = ("0,0,0,0,0,0,0,0,0,0,0", "0,0,0,0,0,0,11,0,0,0,0");
    let start = format!("{none} {none} p1 - ready");
    let dice = format!("{none} {none} p1 - 2256");
    let claimed = format!("{full} {none} p1 - 2256");
    let last = format!("{none} {none} p1 2:1,3:1 2256");
    let placed = format!("{none} {none} p1 2:1,3:1,8:1 2256");
    for (position, action, why) in [
        (&start, "stop", "begins with a roll"),
        (&start, "pair 7+8", "roll first"),
        (&dice, "roll", "choose a pairing first"),
        (&dice, "pair 5+10", "cannot be paired that way"),
        (&dice, "pair 7", "both sums"),
        (&claimed, "pair 7+8", "column 8 is full"),
        (&last, "pair 7+8", "for one of these"),
        (&placed, "pair 7+8", "markers are placed"),
        (&placed, "pair 7", "markers are placed"),
    ] {
        let state = game.read_state(position).unwrap();
        let error = game.read_action(&state, action).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("expected one of"), "{action}: {error}");
    }
}

#[test]
fn sums_come_in_any_order() {
    let game = CantStop::new(6, 3, 3, 2).unwrap();
    let none = "0,0,0,0,0,0,0,0,0,0,0";
    let state = game.read_state(&format!("{none} {none} p1 - 2256")).unwrap();
    assert_eq!(game.read_action(&state, "pair 8+7"), game.read_action(&state, " Pair 7+8"));
    assert!(game.read_action(&state, "pair 8+7").is_ok());
}

#[test]
fn a_marker_does_not_hide_a_peg() {
    let game = CantStop::new(6, 3, 3, 2).unwrap();
    let none = "0,0,0,0,0,0,0,0,0,0,0";
    let state = game.read_state(&format!("{none} 0,0,0,0,0,3,0,0,0,0,0 p1 7:3 ready")).unwrap();
    assert!(game.picture(&state).to_string().contains("   7 │ · ·2# ·"), "{}", game.picture(&state));
}

#[test]
fn a_bust_is_announced() {
    let game = CantStop::new(6, 3, 3, 2).unwrap();
    let none = "0,0,0,0,0,0,0,0,0,0,0";
    let state = game.read_state(&format!("{none} {none} p1 2:1,3:1,12:1 rolling")).unwrap();
    let remark = |dice: &str| game.remark(&state, game.read_outcome(&state, dice).unwrap());
    assert!(remark("2345").unwrap().contains("bust"));
    assert_eq!(remark("1112"), None);
}
