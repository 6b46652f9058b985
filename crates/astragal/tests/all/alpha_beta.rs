//! Laws of alpha-beta: whatever it stores and in whichever order it searches, the value is Minimax's.

use astragal::core::{
    Budget, Evaluator, Even, Game, Interval, Key, Notation, Player, Searcher, Step, Stop, Turn, Unwatched,
    Watch, mix,
};
use astragal::games::chess::{Chess, Squares};
use astragal::games::connect_four::{ConnectFour, Fours};
use astragal::games::kalah::{Kalah, Stores, Utility};
use astragal::games::tic_tac_toe::TicTacToe;
use astragal::search::{AlphaBeta, AlphaBetaOptions, Expectimax, Hybrid, HybridOptions, LeafValue, Mcts};
use std::collections::HashMap;
use std::time::Duration;

/// Every combination of the exact techniques.
fn variants() -> impl Iterator<Item = AlphaBetaOptions> {
    (0..512_u32).map(|bits| {
        let on = |at: u32| bits >> at & 1 == 1;
        AlphaBetaOptions {
            table_mib: u32::from(on(0)),
            order: on(1),
            killers: on(2),
            history: on(3),
            scout: on(4),
            aspiration: if on(5) { 7.0 } else { 0.0 },
            all_lines: on(6),
            deepening: on(7),
            step: if on(8) { 2 } else { 1 },
            ..AlphaBetaOptions::plain()
        }
    })
}

/// A graph made from a hash: the same player may move again, nodes are reached on many paths, lines end
/// early, and values tie.
struct Graph(u64);

/// A level and a node on that level.
type Node = (u8, u8);

impl Graph {
    fn hash(&self, (level, node): Node, salt: u8) -> u64 {
        mix(mix(self.0) ^ u64::from(level) << 16 ^ u64::from(node) << 8 ^ u64::from(salt))
    }
}

impl Game for Graph {
    type State = Node;
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn start(&self) -> Node {
        (0, 0)
    }

    fn turn(&self, state: &Node) -> Turn {
        let hash = self.hash(*state, 0);
        match hash % 16 {
            0 if state.0 > 0 => Turn::Over((hash >> 8) as f64 % 11.0 - 5.0),
            _ if state.0 == 7 => Turn::Over((hash >> 8) as f64 % 11.0 - 5.0),
            1..8 => Turn::Decide(Player::Max),
            _ => Turn::Decide(Player::Min),
        }
    }

    fn actions(&self, state: &Node, out: &mut Vec<u8>) {
        out.extend(0..1 + (self.hash(*state, 1) % 4) as u8);
    }

    fn apply(&self, state: &mut Node, action: u8) {
        *state = (state.0 + 1, (self.hash(*state, 2 + action) % 12) as u8);
    }

    fn key(&self, state: &Node) -> Key {
        Key(u128::from(state.0) << 8 | u128::from(state.1))
    }

    fn range(&self) -> Interval {
        Interval::new(-5.0, 5.0)
    }

    fn promise(&self, state: &Node, action: u8) -> i32 {
        (self.hash(*state, 10 + action) % 3) as i32
    }

    fn is_forcing(&self, state: &Node, action: u8) -> bool {
        self.hash(*state, 20 + action).is_multiple_of(5)
    }

    fn slot(&self, _: &Node, action: u8) -> usize {
        action.into()
    }

    fn has_chance(&self) -> bool {
        false
    }
}

/// An evaluator of the graph that is unrelated to the payoffs.
#[derive(Clone, Copy)]
struct Guess;

impl Evaluator<Graph> for Guess {
    fn value(&self, game: &Graph, state: &Node) -> f64 {
        (game.hash(*state, 30) % 11) as f64 - 5.0
    }
}

/// Compares all variants with Minimax, which searches everything.
fn all_agree<G: Game, E: Evaluator<G> + Copy>(game: &G, evaluator: E, depth: u32) {
    let root = game.start();
    let budget = Budget::depth(depth);
    let truth = Expectimax::new(evaluator).search(game, &root, budget);
    for options in variants() {
        let found = AlphaBeta::new(evaluator, options).search(game, &root, budget);
        let at = format!("{options:?} at depth {depth} of {root:?}");
        assert_eq!(found.value, truth.value, "{at}");
        let best = found.best.expect("the root is a decision");
        let line = |action| truth.lines.iter().find(|line| line.action == action).expect("an action");
        assert_eq!(line(best).value, truth.value, "{at}");
        // A search that visits less may know earlier that the tree is complete.
        let is_early = found.stop == Stop::Complete && found.depth < truth.depth;
        let late = if options.deepening { truth.depth + options.step - 1 } else { depth };
        let is_late = truth.stop == Stop::Complete && found.depth <= late;
        assert!(found.depth == truth.depth || is_early || is_late, "{at}");
        if !is_early {
            for (found, truth) in found.lines.iter().zip(&truth.lines) {
                assert!(found.bounds.contains(truth.value), "{at}: {found:?} {truth:?}");
                assert!(!options.all_lines || found.value == truth.value, "{at}: {found:?} {truth:?}");
            }
            assert!(!options.all_lines || found.tied == truth.tied, "{at}");
        }
        // The principal variation is a legal line of play.
        let mut state = root.clone();
        for step in &found.pv {
            let (Step::Action(action), Turn::Decide(_)) = (step, game.turn(&state)) else { panic!("{at}") };
            let mut actions = Vec::new();
            game.actions(&state, &mut actions);
            assert!(actions.contains(action), "{at}");
            game.apply(&mut state, *action);
        }
        assert!(!found.pv.is_empty() && found.pv.len() <= depth as usize, "{at}");
    }
}

#[test]
fn every_exact_technique_keeps_the_value_of_minimax() {
    for seed in 0..150 {
        all_agree(&Graph(seed), Guess, 1 + (seed % 7) as u32);
        let utility = if seed % 2 == 0 { Utility::Margin } else { Utility::Win };
        let game = Kalah::new(3, 3).unwrap().random_start(seed).utility(utility);
        all_agree(&game, Stores, 1 + (seed % 5) as u32);
    }
    all_agree(&Kalah::new(2, 2).unwrap().utility(Utility::Margin), Stores, 40);
    for depth in 1..=5 {
        all_agree(&TicTacToe, Even, depth);
        all_agree(&ConnectFour::new(5, 4).unwrap(), Fours, depth);
    }
}

#[test]
fn each_technique_saves_nodes() {
    let game = Kalah::new(6, 4).unwrap().utility(Utility::Margin);
    let nodes = |options: AlphaBetaOptions| {
        AlphaBeta::new(Stores, options).search(&game, &game.start(), Budget::depth(9)).counts.nodes
    };
    let plain = AlphaBetaOptions::plain();
    let ordered = AlphaBetaOptions { order: true, ..plain };
    assert!(nodes(ordered) < nodes(plain) / 4);
    assert!(nodes(AlphaBetaOptions { table_mib: 16, ..plain }) < nodes(plain));
    assert!(nodes(AlphaBetaOptions { killers: true, ..plain }) < nodes(plain));
    assert!(nodes(AlphaBetaOptions { history: true, ..plain }) < nodes(plain));
}

#[test]
fn leaves_may_be_valued_by_playouts_which_depend_on_the_state_alone() {
    let game = Kalah::new(3, 3).unwrap();
    let plain = AlphaBetaOptions { leaf: LeafValue::Playouts(4), ..AlphaBetaOptions::plain() };
    let exact = AlphaBetaOptions { leaf: LeafValue::Playouts(4), ..AlphaBetaOptions::exact() };
    let value = |options, seed| {
        let mut search = AlphaBeta::new(Even, options);
        search.search_with(&game, &game.start(), seed, &Budget::depth(3), &mut Unwatched).value
    };
    for seed in 0..10 {
        assert_eq!(value(plain, seed), value(exact, seed));
    }
    assert!((1..10).any(|seed| value(plain, seed) != value(plain, 0)));
}

#[test]
fn several_threads_find_the_same_value() {
    let game = Kalah::new(4, 3).unwrap().utility(Utility::Margin);
    let one = AlphaBeta::new(Stores, AlphaBetaOptions::exact());
    let two = AlphaBeta::new(Stores, AlphaBetaOptions { threads: 2, ..AlphaBetaOptions::exact() });
    let [one, two] = [one, two].map(|mut search| search.search(&game, &game.start(), Budget::depth(12)));
    assert_eq!((one.value, one.depth), (two.value, two.depth));
}

#[test]
fn the_margin_of_kalah_is_found_by_searching_to_the_end() {
    for (pits, stones, margin) in [(3, 3, 2.0), (3, 4, 2.0), (4, 2, 6.0)] {
        let game = Kalah::new(pits, stones).unwrap().utility(Utility::Margin);
        let report =
            AlphaBeta::new(Stores, AlphaBetaOptions::exact()).search(&game, &game.start(), Budget::default());
        assert_eq!((report.value, report.stop), (margin, Stop::Complete), "{pits} pits, {stones} stones");
    }
}

/// Exchanges on a line of prizes: the player to move takes a prize, which the other may take back, or stops.
struct Exchange;

impl Game for Exchange {
    /// What the first player has won, what is on the square, and the number of turns so far.
    type State = (i8, u8, u8);
    type Action = bool;
    type Outcome = std::convert::Infallible;

    fn start(&self) -> Self::State {
        (0, 0, 0)
    }

    fn turn(&self, state: &Self::State) -> Turn {
        match state.2 {
            6 => Turn::Over(f64::from(state.0)),
            at if at % 2 == 0 => Turn::Decide(Player::Max),
            _ => Turn::Decide(Player::Min),
        }
    }

    fn actions(&self, _state: &Self::State, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }

    fn apply(&self, state: &mut Self::State, takes: bool) {
        let sign = if state.2 % 2 == 0 { 1 } else { -1 };
        *state = match takes {
            // Each capture wins one more than the capture before it.
            true => (state.0 + sign * (1 + state.1 as i8), state.1 + 1, state.2 + 1),
            false => (state.0, 0, state.2 + 1),
        };
    }

    fn key(&self, state: &Self::State) -> Key {
        Key(u128::from(state.0 as u8) << 16 | u128::from(state.1) << 8 | u128::from(state.2))
    }

    fn range(&self) -> Interval {
        Interval::new(-30.0, 30.0)
    }

    fn is_forcing(&self, _: &Self::State, takes: bool) -> bool {
        takes
    }

    fn has_chance(&self) -> bool {
        false
    }
}

/// What the first player has won so far.
#[derive(Clone, Copy)]
struct Won;

impl Evaluator<Exchange> for Won {
    fn value(&self, _: &Exchange, state: &(i8, u8, u8)) -> f64 {
        state.0.into()
    }
}

/// The value with forcing actions only, which a player may decline.
fn quiet(state: (i8, u8, u8), known: &mut HashMap<(i8, u8, u8), f64>) -> f64 {
    if let Some(value) = known.get(&state) {
        return *value;
    }
    let value = match Exchange.turn(&state) {
        Turn::Over(payoff) => payoff,
        Turn::Decide(player) => {
            let mut taken = state;
            Exchange.apply(&mut taken, true);
            let (stands, takes) = (f64::from(state.0), quiet(taken, known));
            if player.prefers(takes, stands) { takes } else { stands }
        }
        Turn::Chance => unreachable!(),
    };
    known.insert(state, value);
    value
}

#[test]
fn quiescence_follows_exchanges_to_their_end_and_inexact_techniques_are_off_where_it_matters() {
    let options = AlphaBetaOptions { quiescence: 8, ..AlphaBetaOptions::exact() };
    assert!(
        !options.is_exact() && AlphaBetaOptions::exact().is_exact() && AlphaBetaOptions::plain().is_exact()
    );
    for depth in 1..=5 {
        let found = AlphaBeta::new(Won, options).search(&Exchange, &(0, 0, 0), Budget::depth(depth));
        // By definition: Minimax to the depth, followed by exchanges.
        fn truth(state: (i8, u8, u8), depth: u32) -> f64 {
            let Turn::Decide(player) = Exchange.turn(&state) else { return f64::from(state.0) };
            if depth == 0 {
                return quiet(state, &mut HashMap::new());
            }
            let values = [false, true].map(|takes| {
                let mut child = state;
                Exchange.apply(&mut child, takes);
                truth(child, depth - 1)
            });
            if player.prefers(values[1], values[0]) { values[1] } else { values[0] }
        }
        assert_eq!(found.value, truth((0, 0, 0), depth), "depth {depth}");
    }
    // Without quiescence the search stops in the middle of an exchange.
    let rash = AlphaBeta::new(Won, AlphaBetaOptions::exact()).search(&Exchange, &(0, 0, 0), Budget::depth(1));
    let careful = AlphaBeta::new(Won, options).search(&Exchange, &(0, 0, 0), Budget::depth(1));
    assert!(rash.value == 1.0 && careful.value < 1.0, "{} {}", rash.value, careful.value);
}

#[test]
fn selective_techniques_save_nodes_and_still_find_mates_and_hanging_pieces() {
    let game = Chess::default();
    let exact = AlphaBetaOptions::exact();
    let selective = [
        AlphaBetaOptions { null_move: 2, ..exact },
        AlphaBetaOptions { futility: 6.0, ..exact },
        AlphaBetaOptions { reduce_after: 4, ..exact },
    ];
    let all = AlphaBetaOptions {
        null_move: 2,
        futility: 6.0,
        reduce_after: 4,
        extend: true,
        quiescence: 12,
        ..exact
    };
    let search = |options, text: &str, depth| {
        let state = game.read_state(text).unwrap();
        let report = AlphaBeta::new(Squares, options).search(&game, &state, Budget::depth(depth));
        let best = game.write_action(&state, report.best.expect("a move"));
        (best, report.value, report.counts.nodes)
    };
    // Each technique saves nodes in a middle-game position.
    let middle = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8";
    let (_, _, nodes) = search(exact, middle, 6);
    for options in selective {
        let (_, _, fewer) = search(options, middle, 6);
        assert!(!options.is_exact() && fewer < nodes, "{options:?}: {fewer} of {nodes}");
    }
    for (text, depth, best, value) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 3, "Ra8#", Some(100.0)),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 4, "Rb7", Some(100.0)),
        ("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", 3, "Nxd5", None),
    ] {
        let (found, worth, _) = search(all, text, depth);
        assert_eq!(found, best, "{text}");
        assert!(value.is_none_or(|value| value == worth), "{text}: {worth}");
    }
    // Without quiescence a search of one move captures a guarded pawn with the queen.
    let guarded = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
    assert_eq!(search(exact, guarded, 1).0, "Qxd5");
    assert_ne!(search(AlphaBetaOptions { quiescence: 8, ..exact }, guarded, 1).0, "Qxd5");
    // Checks are extended: the smothered mate is found one decision earlier.
    let mate = "5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1";
    assert!(search(exact, mate, 2).1 < 100.0);
    let (best, value, _) = search(AlphaBetaOptions { extend: true, ..exact }, mate, 2);
    assert_eq!((best.as_str(), value), ("Qg8+", 100.0));
}

#[test]
fn whoever_does_not_order_actions_prefers_the_first_of_equals() {
    let game = Chess::default();
    let state = game.read_state("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1").unwrap();
    let mut actions = Vec::new();
    game.actions(&state, &mut actions);
    let best = |order| {
        let options = AlphaBetaOptions { order, ..AlphaBetaOptions::plain() };
        AlphaBeta::new(Even, options).search(&game, &state, Budget::depth(1)).best
    };
    assert_eq!(best(false), Some(actions[0]));
    // The capture of a queen is tried first, although the evaluator knows nothing.
    assert_eq!(best(true).map(|action| game.write_action(&state, action)), Some("Nxd5".into()));
}

/// Whether a line of play is legal from a state.
fn is_legal<G: Game>(game: &G, from: &G::State, line: &[Step<G::Action, G::Outcome>]) -> bool {
    let mut state = from.clone();
    line.iter().all(|step| {
        let Step::Action(action) = *step else { return false };
        let mut actions = Vec::new();
        game.actions(&state, &mut actions);
        let legal = actions.contains(&action);
        if legal {
            game.apply(&mut state, action);
        }
        legal
    })
}

#[test]
fn the_line_of_play_is_legal_whatever_the_window() {
    let chess = Chess::default();
    let exact = AlphaBetaOptions::exact();
    for aspiration in [0.0, 0.1, 0.5, 5.0] {
        for selective in [false, true] {
            let options = AlphaBetaOptions {
                aspiration,
                quiescence: if selective { 4 } else { 0 },
                null_move: if selective { 2 } else { 0 },
                reduce_after: if selective { 3 } else { 0 },
                ..exact
            };
            let mut search = AlphaBeta::new(Squares, options);
            let mut state = chess.start();
            for _ in 0..12 {
                let report = search.search(&chess, &state, Budget::depth(4));
                assert!(is_legal(&chess, &state, &report.pv), "{options:?}");
                assert_eq!(report.pv.first(), report.best.map(Step::Action).as_ref());
                chess.apply(&mut state, report.best.unwrap());
            }
        }
    }
    let kalah = Kalah::new(4, 4).unwrap().utility(Utility::Margin);
    let options = AlphaBetaOptions { to_the_end: true, ..exact };
    for seed in 0..10 {
        let state = kalah.deal(seed).unwrap();
        let report = AlphaBeta::new(Stores, options).search(&kalah, &state, Budget::default());
        assert!(is_legal(&kalah, &state, &report.pv) && report.stop == Stop::Complete);
    }
}

#[test]
fn the_hybrid_is_uct_where_no_game_ends_and_minimax_where_games_do() {
    let game = Kalah::new(6, 4).unwrap();
    let options = HybridOptions::default();
    let search = |state: &astragal::games::kalah::State, endings: f64| {
        let mut hybrid = Hybrid::new(Stores, HybridOptions { endings, ..options });
        let report = hybrid.search(&game, state, Budget::depth(5));
        (report, hybrid.tree(&game, 1, 0).is_some())
    };
    let minimax = AlphaBeta::new(Stores, options.alpha_beta).search(&game, &game.start(), Budget::depth(5));
    assert_eq!(minimax.counts.finished, 0);
    let uct = Mcts::with_options(Stores, options.mcts).search(
        &game,
        &game.start(),
        Budget::iterations(minimax.counts.nodes),
    );
    let (found, sampled) = search(&game.start(), options.endings);
    assert!(sampled);
    assert_eq!((found.best, found.value), (uct.best, uct.value));
    assert_eq!(found.counts.nodes, uct.counts.nodes + minimax.counts.nodes);
    let late = game.read_state("0,0,1,0,0,2|20 0,1,0,0,1,1|22 p1").unwrap();
    let minimax = AlphaBeta::new(Stores, options.alpha_beta).search(&game, &late, Budget::depth(5));
    assert!(minimax.counts.finished > 0);
    let (found, sampled) = search(&late, options.endings);
    assert!(!sampled);
    assert_eq!((found.best, found.value, found.counts), (minimax.best, minimax.value, minimax.counts));
    // A budget in nodes is respected, and both parts are counted.
    for state in [game.start(), late] {
        let report = Hybrid::new(Stores, options).search(&game, &state, Budget::nodes(25_000));
        assert!(report.best.is_some() && report.counts.nodes <= 25_000 + 100, "{:?}", report.counts);
    }
}

/// A clock on a machine so slow or so fast that this much time passes between two looks at it.
struct Pace(Duration, Duration);

impl Watch for Pace {
    fn elapsed(&mut self) -> Duration {
        self.1 += self.0;
        self.1
    }
}

#[test]
fn the_hybrid_decides_by_nodes_and_not_by_the_speed_of_the_machine() {
    let (kalah, four) = (Kalah::new(6, 4).unwrap(), ConnectFour::default());
    // In both games a slow and a fast machine choose the same search, whatever the budget beyond the probe.
    let budget = Budget::time(Duration::from_secs(1));
    let options = HybridOptions::default();
    for looks in [30, 300] {
        let watch = || Pace(Duration::from_secs(1) / looks, Duration::ZERO);
        let mut hybrid = Hybrid::new(Stores, options);
        hybrid.search_with(&kalah, &kalah.start(), 0, &budget, &mut watch());
        assert!(hybrid.tree(&kalah, 1, 0).is_some(), "no game of Kalah ends in the probe");
        let mut hybrid = Hybrid::new(Fours, options);
        hybrid.search_with(&four, &four.start(), 0, &budget, &mut watch());
        assert!(hybrid.tree(&four, 1, 0).is_none(), "games of Connect Four do");
    }
    // Little more than the probe is too little for sampling.
    for (extra, samples) in [(1, false), (options.probe / 2, false), (2 * options.probe, true)] {
        let mut hybrid = Hybrid::new(Stores, options);
        hybrid.search(&kalah, &kalah.start(), Budget::nodes(options.probe + extra));
        assert_eq!(hybrid.tree(&kalah, 1, 0).is_some(), samples, "{extra}");
    }
    // A budget that the probe uses up is alpha-beta's, and the table of the probe serves the search after it.
    let mut plain = AlphaBeta::new(Fours, options.alpha_beta);
    let mut hybrid = Hybrid::new(Fours, options);
    let small = Budget::nodes(options.probe);
    let (one, other) =
        (hybrid.search(&four, &four.start(), small), plain.search(&four, &four.start(), small));
    assert_eq!(one, other);
    let large = Budget::nodes(20 * options.probe);
    let (one, other) =
        (hybrid.search(&four, &four.start(), large), plain.search(&four, &four.start(), large));
    assert!(one.depth >= other.depth, "{} and {}", one.depth, other.depth);
}
