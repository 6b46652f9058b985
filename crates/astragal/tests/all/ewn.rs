//! EinStein würfelt nicht! against independently known numbers: starts, sequences, exact values,
//! depth-limited values, and who wins with one stone each on boards of any shape.

use crate::support::{STAR2, search};
use astragal::core::{Budget, Even, Game, Key, Notation, Stop, Turn};
use astragal::games::ewn::{Ewn, State};
use astragal::search::{Algorithm, Options, TableUse, perft};
use astragal::solve::{Payoff, SolveOptions, Unsupervised, solve};
use std::collections::{HashMap, HashSet};

/// X 2@(1,1), 5@(0,3); Y 1@(3,3), 6@(4,1).
const M: &str = "...5./.2.../...../...a./.f... p1 -";

fn board() -> Ewn {
    Ewn::new(5, 5, 6).unwrap()
}

fn counts(game: &Ewn, text: &str, depths: u32) -> Vec<u64> {
    let state = game.read_state(text).unwrap();
    (1..=depths).map(|depth| perft(game, &state, depth, false)).collect()
}

/// The number of sequences of this many moves whose last move ends the game.
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

/// Every permutation of six.
fn orders() -> Vec<[usize; 6]> {
    let mut all = Vec::new();
    for number in 0..6_usize.pow(6) {
        let order: [usize; 6] = std::array::from_fn(|place| number / 6_usize.pow(place as u32) % 6);
        if (0..6).all(|stone| order.contains(&stone)) {
            all.push(order);
        }
    }
    all
}

/// A five-by-five board as characters, row by row.
type Board = [char; 25];

/// The start with the stones of both sides in these orders; each side's six squares are read row by row.
fn start(first: &[usize; 6], second: &[usize; 6]) -> Board {
    let mut board = ['.'; 25];
    for (place, (row, column)) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)].into_iter().enumerate() {
        board[5 * row + column] = b"123456"[first[place]].into();
        board[24 - 5 * row - column] = b"abcdef"[second[place]].into();
    }
    board
}

fn read(game: &Ewn, board: &Board) -> State {
    let rows: Vec<String> = board.chunks(5).map(|row| row.iter().collect()).collect();
    game.read_state(&format!("{} p1 -", rows.join("/"))).unwrap()
}

/// The board, optionally mirrored at its long diagonal, and with the stones of either side optionally
/// numbered backwards.
fn image(board: &Board, mirror: bool, first: bool, second: bool) -> Board {
    std::array::from_fn(|square| match board[if mirror { square % 5 * 5 + square / 5 } else { square }] {
        c @ '1'..='6' if first => (b'1' + b'6' - c as u8).into(),
        c @ 'a'..='f' if second => (b'a' + b'f' - c as u8).into(),
        c => c,
    })
}

fn images(board: &Board) -> [Board; 8] {
    std::array::from_fn(|bits| image(board, bits & 1 > 0, bits & 2 > 0, bits & 4 > 0))
}

#[test]
fn there_are_518400_starts_of_64800_kinds() {
    let (game, orders) = (board(), orders());
    assert_eq!(orders.len(), 720);
    let (mut starts, mut kinds) = (HashSet::<Key>::new(), 0);
    for (first, second) in orders.iter().flat_map(|first| orders.iter().map(move |second| (first, second))) {
        let board = start(first, second);
        if starts.contains(&game.key(&read(&game, &board))) {
            continue;
        }
        // A new kind: it consists of all positions equal up to these symmetries, eight different starts.
        kinds += 1;
        for image in images(&board) {
            assert!(starts.insert(game.key(&read(&game, &image))), "{image:?} twice");
        }
    }
    assert_eq!((starts.len(), kinds), (518_400, 64_800));
}

#[test]
fn starts_of_a_kind_have_as_many_sequences() {
    let (game, orders) = (board(), orders());
    for number in 0..6 {
        let board = start(&orders[97 * number], &orders[719 - 61 * number]);
        let counts = images(&board).map(|image| perft(&game, &read(&game, &image), 3, false));
        assert!(counts.iter().all(|&count| count == counts[0]), "{board:?}: {counts:?}");
    }
}

/// The deviation of counts from uniform: the sum of squared differences over the expected count.
fn chi_square<T>(counts: &HashMap<T, u32>, cells: usize) -> f64 {
    let sum: u32 = counts.values().sum();
    let expected = f64::from(sum) / cells as f64;
    let seen: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    seen + (cells - counts.len()) as f64 * expected
}

/// Chi-square has mean n, its degrees of freedom, and variance 2n: five deviations to either side are
/// allowed.
fn likely(counts: &HashMap<String, u32>, cells: usize, what: &str) {
    let (found, freedom) = (chi_square(counts, cells), (cells - 1) as f64);
    let bound = 5.0 * (2.0 * freedom).sqrt();
    assert!((found - freedom).abs() < bound, "{what}: {found}, expected {freedom} within {bound}");
}

#[test]
fn random_starts_are_equally_likely() {
    // About a hundred of each order of a side.
    let (mut first, mut second, mut together) = (HashMap::new(), HashMap::new(), HashMap::new());
    for seed in 0..72_000 {
        let game = Ewn::random(5, 5, 6, seed).unwrap();
        let text = game.write_state(&game.start());
        let digits: String = text[..29].chars().filter(char::is_ascii_digit).collect();
        let letters: String = text[..29].chars().filter(char::is_ascii_lowercase).collect();
        // The stones in and beside both corners: 30 by 30 pairs.
        *together.entry(format!("{}{}", &digits[..2], &letters[4..])).or_insert(0) += 1;
        *first.entry(digits).or_insert(0) += 1;
        *second.entry(letters).or_insert(0) += 1;
    }
    assert_eq!((first.len(), second.len(), together.len()), (720, 720, 900), "every order comes up");
    likely(&first, 720, "player 1");
    likely(&second, 720, "player 2");
    likely(&together, 900, "both");
}

/// The value of a position when every line is searched to its end.
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

/// One stone each, in opposite corners, rows 2 to 14 and columns 2 to 14: who wins, the first player or the
/// second.
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
            let solution =
                solve(&game, &[game.start()], &Payoff, &SolveOptions::default(), &mut Unsupervised).unwrap();
            let found = solution.value(&game, &game.start()).unwrap();
            assert_eq!(found, if winner == '1' { 100.0 } else { -100.0 }, "{row} by {column}");
        }
    }
}
