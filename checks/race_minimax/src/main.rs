//! Races Astragal's alpha-beta against the crate `minimax` in Connect Four, in one run.
//!
//! ```console
//! $ cargo run --release --manifest-path checks/race_minimax/Cargo.toml
//! ```
//!
//! The two alternate, and the best round of each counts, since noise only adds. Leaves are worth 0 for both.
//! Without a table both try columns from left to right and are compared by nodes per second. With a table of
//! 64 MiB and the middle first, they are compared by the time to a depth, with one thread and with two, each
//! with the fastest of its settings.

use astragal_core::{Budget, Even, Game as _, Searcher};
use astragal_games::connect_four::ConnectFour;
use astragal_search::{AlphaBeta, AlphaBetaOptions};
use minimax::{
    Evaluation, Evaluator, Game, IterativeOptions, IterativeSearch, Negamax, ParallelOptions, ParallelSearch,
    Strategy, Winner,
};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const BOTTOM: u64 = 0x40810204081;
const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// Nodes of the other crate's plain search, which does not count them itself.
static NODES: AtomicU64 = AtomicU64::new(0);

/// The stones of the player to move, and of the opponent.
#[derive(Clone)]
struct Board {
    own: u64,
    other: u64,
}

/// The game for the other crate. With `MIDDLE` the columns come from the middle outwards, and nodes are not
/// counted.
struct Four<const MIDDLE: bool>;

/// The columns from left to right, and from the middle outwards.
const COLUMNS_IN: [[u64; COLUMNS as usize]; 2] = {
    let (mut columns, mut at) = ([[0; COLUMNS as usize]; 2], 0);
    while at < COLUMNS {
        let column = ((1 << ROWS) - 1) << (at * (ROWS + 1));
        columns[0][at as usize] = column;
        columns[1][[5, 3, 1, 0, 2, 4, 6][at as usize]] = column;
        at += 1;
    }
    columns
};

/// The squares on which a stone can land.
fn landing(board: &Board) -> u64 {
    ((board.own | board.other) + BOTTOM) & FULL
}

impl<const MIDDLE: bool> Game for Four<MIDDLE> {
    type S = Board;
    type M = u8;

    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            let open = landing(board);
            let squares = COLUMNS_IN[usize::from(MIDDLE)].into_iter().map(|column| open & column);
            moves.extend(squares.filter(|square| *square != 0).map(|square| square.trailing_zeros() as u8));
        }
        winner
    }

    fn apply(board: &mut Board, square: u8) -> Option<Board> {
        if !MIDDLE {
            NODES.store(NODES.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
        Some(Board { own: board.other, other: board.own | 1 << square })
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        let four = [1, ROWS, ROWS + 1, ROWS + 2].into_iter().any(|step| {
            let pairs = board.other & board.other >> step;
            pairs & pairs >> (2 * step) != 0
        });
        match four {
            true => Some(Winner::PlayerJustMoved),
            false => (board.own | board.other == FULL).then_some(Winner::Draw),
        }
    }

    fn zobrist_hash(board: &Board) -> u64 {
        // Own stones plus a one above the stones of each column identify a board. Two rounds of multiply and
        // shift mix the bits.
        let packed = board.own + (board.own | board.other) + BOTTOM;
        let mixed = (packed ^ packed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }

    fn table_index(square: u8) -> u16 {
        square.into()
    }

    fn max_table_index() -> u16 {
        COLUMNS as u16 * (ROWS as u16 + 1)
    }
}

#[derive(Clone)]
struct Zero<const MIDDLE: bool>;

impl<const MIDDLE: bool> Evaluator for Zero<MIDDLE> {
    type G = Four<MIDDLE>;

    fn evaluate(&self, _: &Board) -> Evaluation {
        0
    }
}

const EMPTY: Board = Board { own: 0, other: 0 };
const TABLE_MIB: u32 = 64;
const ROUNDS: u32 = 5;

/// Candidate settings of ours.
fn our_settings(threads: u32) -> [(&'static str, AlphaBetaOptions); 3] {
    let all = AlphaBetaOptions { table_mib: TABLE_MIB, threads, ..AlphaBetaOptions::exact() };
    let middle = AlphaBetaOptions { killers: false, history: false, ..all };
    let steps = AlphaBetaOptions { step: 2, ..middle };
    [("all", all), ("middle first", middle), ("middle first, two plies a step", steps)]
}

/// Candidate settings of the other crate.
fn their_settings() -> Vec<(&'static str, IterativeOptions)> {
    let base = IterativeOptions::new().with_table_byte_size((TABLE_MIB as usize) << 20);
    vec![
        ("default", base),
        ("two plies a step", base.with_double_step_increment()),
        ("aspiration", base.with_aspiration_window(5)),
        ("MTD(f)", base.with_mtdf()),
        ("countermoves", base.with_countermoves()),
        ("countermove history", base.with_countermoves().with_countermove_history()),
    ]
}

fn seconds(run: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    run();
    begin.elapsed().as_secs_f64()
}

/// Our time to a depth in seconds, and our nodes.
fn ours(options: AlphaBetaOptions, depth: u32) -> (f64, u64) {
    let game = ConnectFour::default();
    let mut search = AlphaBeta::new(Even, options);
    // The first search allocates the table, as the other crate does during setup; each search starts with an
    // empty one.
    let _ = search.search(&game, &game.start(), Budget::depth(1));
    let mut nodes = 0;
    let seconds = seconds(|| {
        let report = search.search(&game, &game.start(), Budget::depth(depth));
        assert_eq!((report.depth, report.value), (depth, 0.0));
        nodes = report.counts.nodes;
    });
    (seconds, nodes)
}

/// Their time to a depth in seconds.
fn theirs(options: IterativeOptions, threads: usize, depth: u32) -> f64 {
    let board = EMPTY;
    if threads == 1 {
        let mut search = IterativeSearch::new(Zero::<true>, options);
        search.set_max_depth(depth as u8);
        seconds(|| assert!(search.choose_move(&board).is_some()))
    } else {
        let mut search =
            ParallelSearch::new(Zero::<true>, options, ParallelOptions::new().with_num_threads(threads));
        search.set_max_depth(depth as u8);
        seconds(|| assert!(search.choose_move(&board).is_some()))
    }
}

/// Compares nodes per second without a table, and returns whether we are ahead.
fn without_table() -> bool {
    const DEPTH: u32 = 11;
    let mut best = [0.0_f64; 2];
    for _ in 0..ROUNDS {
        let (seconds_ours, nodes) = ours(AlphaBetaOptions::plain(), DEPTH);
        NODES.store(0, Ordering::Relaxed);
        let mut search = Negamax::new(Zero::<false>, DEPTH as u8);
        let seconds_theirs = seconds(|| assert!(search.choose_move(&EMPTY).is_some()));
        let found = [nodes as f64 / seconds_ours, NODES.load(Ordering::Relaxed) as f64 / seconds_theirs];
        best = [best[0].max(found[0]), best[1].max(found[1])];
    }
    let [a, b] = best.map(|speed| speed / 1e6);
    println!("without a table, depth {DEPTH}: {a:.0} M nodes a second, minimax {b:.0} M; ratio {:.2}", a / b);
    a > b
}

/// Compares the time to a depth, and returns whether we are ahead.
fn with_table(threads: u32, depth: u32) -> bool {
    let mut best = [(f64::INFINITY, ""); 2];
    let mut better = |at: usize, seconds: f64, name| {
        if seconds < best[at].0 {
            best[at] = (seconds, name);
        }
    };
    for _ in 0..ROUNDS {
        for (name, options) in our_settings(threads) {
            better(0, ours(options, depth).0, name);
        }
        for (name, options) in their_settings() {
            better(1, theirs(options, threads as usize, depth), name);
        }
    }
    let [(ours, a), (theirs, b)] = best.map(|(seconds, name)| (seconds * 1e3, name));
    let threads = if threads == 1 { "1 thread" } else { &format!("{threads} threads") };
    println!(
        "depth {depth}, {threads}: {ours:.1} ms ({a}), minimax {theirs:.1} ms ({b}); ratio {:.2}",
        theirs / ours
    );
    ours < theirs
}

fn main() -> ExitCode {
    let mut ahead = without_table();
    for threads in [1, 2] {
        for depth in [14, 16] {
            ahead &= with_table(threads, depth);
        }
    }
    if ahead { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
