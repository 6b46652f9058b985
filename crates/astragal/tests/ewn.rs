//! EinStein würfelt nicht! against numbers known from elsewhere: sequences, exact values, depth-limited values, and
//! who wins with one stone each on boards of any shape.

mod support;

use astragal::core::{Budget, Even, Game, Notation, Stop, Turn};
use astragal::games::ewn::{Ewn, State};
use astragal::search::{Algorithm, Options, TableUse, perft};
use support::{STAR2, search};

/// X 2@(1,1), 5@(0,3); Y 1@(3,3), 6@(4,1).
const M: &str = "...5./.2.../...../...a./.f... p1 -";

fn board() -> Ewn {
    Ewn::new(5, 5, 6).unwrap()
}

fn counts(game: &Ewn, text: &str, depths: u32) -> Vec<u64> {
    let state = game.read_state(text).unwrap();
    (1..=depths).map(|depth| perft(game, &state, depth, false)).collect()
}

/// The sequences of so many moves that end the game with the last.
fn wins(game: &Ewn, state: &State, depth: u32) -> u64 {
    let mut sum = 0;
    match game.turn(state) {
        Turn::Over(_) => return u64::from(depth == 0),
        Turn::Decide(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            for action in actions {
                let mut child = *state;
                game.apply(&mut child, action);
                sum += wins(game, &child, depth - 1);
            }
        }
        Turn::Chance if depth == 0 => {}
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            for outcome in outcomes {
                let mut child = *state;
                game.resolve(&mut child, outcome.item);
                sum += wins(game, &child, depth);
            }
        }
    }
    sum
}

#[test]
fn sequences_are_as_many_as_is_known() {
    let start_a = "163../52.../4...b/...ca/..dfe p1 -";
    assert_eq!(counts(&board(), start_a, 5), [18, 324, 6_165, 116_493, 2_320_218]);
    assert_eq!(wins(&board(), &board().read_state(start_a).unwrap(), 5), 315);
    let standard = board().write_state(&board().start());
    assert_eq!(counts(&board(), &standard, 4), [18, 324, 6_162, 117_369]);
    assert_eq!(counts(&board(), M, 4), [24, 720, 15_240, 392_240]);
    for (size, known) in [(3, [9, 84, 727, 5_934, 40_847]), (4, [9, 81, 759, 7_143, 68_005])] {
        let game = Ewn::new(size, size, 3).unwrap();
        let start = game.write_state(&game.start());
        assert_eq!(counts(&game, &start, 5), known);
    }
}

/// The value of a position when every line is seen to its end.
fn exact(game: &Ewn, text: &str) -> f64 {
    let state = game.read_state(text).unwrap();
    let options = Options { table: TableUse::Values, table_mib: 64, ..Options::new(Algorithm::Star1) };
    let report = search(game, &Even, &state, options, 0, &Budget::default());
    assert_eq!(report.stop, Stop::Complete, "{text}");
    report.value
}

#[test]
fn positions_with_few_stones_have_their_exact_values() {
    for (text, known) in [
        ("1..../...../...../...../....a p1 -", 100.0),
        ("...../..3../...../...d./..... p1 -", -100.0),
        ("...../...../..3../...d./..... p2 -", -100.0),
        (M, -7.196_436_198_9),
        ("...5./.2.../...../...a./.f... p2 -", -65.134_782_130_1),
        ("6..../...../..1../...../....c p1 -", 48025.0 / 486.0),
        ("...../...../...1f/...a./..b.. p1 -", 100.0),
        ("...../.a.f./....5/...2./..... p1 -", 400.0 / 9.0),
    ] {
        for game in [board(), board().merging(true)] {
            let found = exact(&game, text);
            assert!((found - known).abs() < 6e-11, "{text}: {found}, known {known}");
        }
    }
}

#[test]
fn the_small_board_has_its_exact_value() {
    let game = Ewn::new(3, 3, 3).unwrap();
    let found = exact(&game, &game.write_state(&game.start()));
    assert!((found - 39.917_695_473).abs() < 6e-10, "{found}");
    assert!(((found + 100.0) / 200.0 - 0.699_588_477_366).abs() < 6e-13, "{found}");
}

#[test]
fn depth_limited_values_are_as_known() {
    let known_m = [0.0, 0.0, 0.0, 0.0, 4.938271604938, -19.290123456790, 12.842935528121, -11.872237463801];
    let known_9 = [66.666666666667, 38.888888888889, 44.444444444444, 44.444444444444];
    for (text, known) in [(M, &known_m[..]), ("...../.a.f./....5/...2./..... p1 -", &known_9)] {
        let state = board().read_state(text).unwrap();
        for (depth, known) in (1..).zip(known) {
            for algorithm in [Algorithm::Expectimax, Algorithm::Star1, STAR2] {
                let options = Options { table: TableUse::Values, ..Options::new(algorithm) };
                let found = search(&board(), &Even, &state, options, 0, &Budget::depth(depth)).value;
                assert!((found - known).abs() < 6e-13, "{text} depth {depth}: {found}, known {known}");
            }
        }
    }
}

/// One stone each, corner to corner, rows 2 to 14 and columns 2 to 14: who wins, the first to move or the second.
const ONE_STONE: [&str; 13] = [
    "1212121212121",
    "2112121212121",
    "1111121212121",
    "2211111212121",
    "1111111112121",
    "2221111111121",
    "1111111111111",
    "2222111111111",
    "1111111111111",
    "2222211111111",
    "1111111111111",
    "2222221111111",
    "1111111111111",
];

#[test]
fn one_stone_each_is_won_by_whom_it_is_known() {
    for (row, winners) in (2..).zip(ONE_STONE) {
        for (column, winner) in (2..).zip(winners.chars()) {
            let game = Ewn::new(row, column, 1).unwrap();
            let found = exact(&game, &game.write_state(&game.start()));
            assert_eq!(found, if winner == '1' { 100.0 } else { -100.0 }, "{row} by {column}");
        }
    }
}
