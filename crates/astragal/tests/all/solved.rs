//! Solved games against independently known numbers. The large ones need release mode: see CONTRIBUTING.md.

use crate::support::search;
use astragal::core::{Budget, Even, Game, Interval, Key, Notation, Player, Turn, Weighted};
use astragal::games::cant_stop::{self, CantStop};
use astragal::games::ewn::Ewn;
use astragal::games::pig::{Action, Pig, State};
use astragal::games::random_tree::{Hash, RandomTree};
use astragal::games::tic_tac_toe::TicTacToe;
use astragal::search::{Algorithm, Options};
use astragal::solve::{FileError, Objective, Payoff, Solution, SolveOptions, Unsolved, Unsupervised, solve};

fn solved<G: Game>(game: &G, root: &G::State) -> Solution {
    solve(game, std::slice::from_ref(root), &Payoff, &SolveOptions::default(), &mut Unsupervised).unwrap()
}

fn from_start<G: Game>(game: &G) -> Solution {
    solved(game, &game.start())
}

fn chance_of_first(value: f64) -> f64 {
    (value + 100.0) / 200.0
}

/// Dice, target, the win probability of the first player, and the number of decisions from the mover's view.
type Row = (u8, u16, f64, Option<usize>);

fn check_pig((dice, target, chance, states): Row) -> Solution {
    let game = Pig::new(dice, target).unwrap();
    let solution = from_start(&game);
    let found = chance_of_first(solution.value(&game, &game.start()).unwrap());
    assert!((found - chance).abs() < 1e-12, "{dice} dice to {target}: {found}, known {chance}");
    if let Some(states) = states {
        assert_eq!(solution.work().decisions, 2 * states, "{dice} dice to {target}");
    }
    assert!(solution.work().residual <= 2e-13, "{:?}", solution.work());
    solution
}

#[test]
fn small_pig_has_its_exact_values() {
    for row in [
        (1, 10, 0.709424322598, None),
        (1, 20, 0.615558549805, Some(3_287)),
        (2, 10, 0.681198989648, None),
        (2, 20, 0.602857678255, Some(1_887)),
    ] {
        check_pig(row);
    }
}

/// Pig in which a player may also pass before the first roll.
struct MayPass(Pig);

impl Game for MayPass {
    type State = State;
    type Action = Action;
    type Outcome = astragal::games::pig::Dice;

    fn start(&self) -> State {
        self.0.start()
    }
    fn turn(&self, state: &State) -> Turn {
        self.0.turn(state)
    }
    fn actions(&self, _state: &State, out: &mut Vec<Action>) {
        out.extend([Action::Roll, Action::Hold]);
    }
    fn outcomes(&self, state: &State, out: &mut Vec<Weighted<Self::Outcome>>) {
        self.0.outcomes(state, out);
    }
    fn apply(&self, state: &mut State, action: Action) {
        self.0.apply(state, action);
    }
    fn resolve(&self, state: &mut State, outcome: Self::Outcome) {
        self.0.resolve(state, outcome);
    }
    fn key(&self, state: &State) -> Key {
        self.0.key(state)
    }
    fn range(&self) -> Interval {
        self.0.range()
    }
}

/// Passing before the first roll is never better, and changes no value.
fn check_passing(dice: u8, target: u16) {
    let game = Pig::new(dice, target).unwrap();
    let free = MayPass(Pig::new(dice, target).unwrap());
    let (plain, passing) = (from_start(&game), from_start(&free));
    for (own, opponent) in (0..target).flat_map(|own| (0..target).map(move |other| (own, other))) {
        for player in [Player::Max, Player::Min] {
            let Some(state) = game.state([own, opponent], 0, player) else { continue };
            let Some(value) = plain.value(&game, &state) else { continue };
            let with = passing.value(&free, &state).expect("it can be reached, too");
            assert!((value - with).abs() < 1e-10, "{dice} dice to {target}: {state:?} {value} {with}");
            let mut passed = state;
            free.apply(&mut passed, Action::Hold);
            let worth = passing.value(&free, &passed).expect("passing reaches it");
            assert!(player.sign() * (worth - with) < 1e-10, "{dice} dice to {target}: {state:?} passes");
        }
    }
}

#[test]
fn to_pass_before_the_first_roll_of_pig_changes_nothing() {
    for target in [10, 20, 30] {
        check_passing(1, target);
        check_passing(2, target);
    }
}

/// Finished states from the mover's view: those in which the turn total reaches the target.
fn check_finished(target: u16, finished: usize) {
    let work = *from_start(&Pig::new(2, target).unwrap()).work();
    assert_eq!(work.states - work.decisions - work.chances, 2 * finished, "two dice to {target}");
}

#[test]
fn small_pig_has_its_known_number_of_finished_states() {
    check_finished(20, 3_264);
    check_finished(40, 15_984);
}

/// The value, and the values of rolling and of holding, of a state given as own/opponent/turn total from the
/// mover's view.
fn named(game: &Pig, solution: &Solution, own: u16, opponent: u16, total: u16) -> (f64, f64, Option<f64>) {
    let mut found = Vec::new();
    for player in [Player::Max, Player::Min] {
        let scores = if player == Player::Max { [own, opponent] } else { [opponent, own] };
        let state = game.state(scores, total, player).unwrap();
        let value = player.sign() * solution.value(game, &state).unwrap();
        let actions = solution.action_values(game, &state).unwrap();
        let of = |wanted| actions.iter().find(|(a, _)| *a == wanted).map(|(_, v)| player.sign() * v);
        found.push((value, of(Action::Roll).unwrap(), of(Action::Hold)));
    }
    // The seats are mirror images.
    assert!((found[0].0 - found[1].0).abs() < 1e-11);
    found[0]
}

#[test]
fn pig_to_20_has_its_known_states() {
    let solution = check_pig((2, 20, 0.602857678255, Some(1_887)));
    let game = Pig::new(2, 20).unwrap();
    for (own, opponent, total, value) in [
        (0, 0, 8, 37.602886482),
        (0, 0, 14, 60.088588893),
        (10, 10, 0, 35.753597789),
        (10, 10, 6, 58.053734375),
        (15, 5, 4, 66.592184111),
        (5, 15, 10, 47.800165573),
        (19, 19, 0, 52.767452013),
        (8, 14, 8, 50.675251696),
        (0, 19, 15, 45.765614649),
        (19, 0, 0, 72.697207408),
    ] {
        let (found, roll, _) = named(&game, &solution, own, opponent, total);
        assert!((found - value).abs() < 6e-10, "{own}/{opponent}/{total}: {found}, known {value}");
        assert_eq!(found, roll, "always roll");
    }
}

#[test]
fn a_solution_equals_a_search_to_the_end() {
    for seed in 0..200 {
        let game = RandomTree::new(seed, 4, 3, 3).unwrap();
        let report =
            search(&game, &Hash, &game.start(), Options::new(Algorithm::Star1), 0, &Budget::default());
        let solution = from_start(&game);
        let found = solution.value(&game, &game.start()).unwrap();
        assert!((found - report.value).abs() < 1e-12, "seed {seed}: {found} and {}", report.value);
        assert_eq!(solution.work().cyclic, 0);
    }
    let solution = from_start(&TicTacToe);
    assert_eq!(solution.value(&TicTacToe, &TicTacToe.start()), Some(0.0));
    assert_eq!(solution.work().states, 5_478);
}

#[test]
fn positions_of_ewn_have_their_exact_values() {
    let game = Ewn::new(5, 5, 6).unwrap();
    for (text, known) in [
        ("...5./.2.../...../...a./.f... p1 -", -7.196_436_198_9),
        ("6..../...../..1../...../....c p1 -", 48025.0 / 486.0),
        ("...../.a.f./....5/...2./..... p1 -", 400.0 / 9.0),
    ] {
        let root = game.read_state(text).unwrap();
        let found = solved(&game, &root).value(&game, &root).unwrap();
        assert!((found - known).abs() < 6e-11, "{text}: {found}, known {known}");
    }
    let small = Ewn::new(3, 3, 3).unwrap();
    let solution = from_start(&small);
    let found = chance_of_first(solution.value(&small, &small.start()).unwrap());
    assert!((found - 0.699588477366).abs() < 6e-13, "{found}");
    assert_eq!(solution.work().cyclic, 0, "every move advances");
    assert_eq!(solution.work().chances, 17_538, "positions before a roll");
}

/// The number of turns until a solo player has won: the first roll of each turn costs one.
struct Turns;

impl Objective<CantStop> for Turns {
    fn end(&self, _payoff: f64) -> f64 {
        0.0
    }
    fn reward(&self, _game: &CantStop, state: &cant_stop::State, _action: cant_stop::Action) -> f64 {
        if state.is_turn_start() { -1.0 } else { 0.0 }
    }
}

fn expected_turns(sides: u8, shortest: u8, goal: u8) -> f64 {
    let game = CantStop::new(sides, shortest, goal, 1).unwrap();
    let options = SolveOptions { tolerance: 1e-16, ..SolveOptions::default() };
    let solution = solve(&game, &[game.start()], &Turns, &options, &mut Unsupervised).unwrap();
    -solution.value(&game, &game.start()).unwrap()
}

/// All positions of a solo player's pegs between turns of an unfinished game, whether reachable or not.
fn unfinished(sides: usize, shortest: usize, goal: u8) -> usize {
    let game = CantStop::new(sides as u8, shortest as u8, goal, 1).unwrap();
    let columns = 2 * sides - 1;
    let lengths: Vec<usize> = (0..columns).map(|c| shortest + 2 * c.min(columns - 1 - c)).collect();
    let none = vec!["0"; columns].join(",");
    let all: usize = lengths.iter().map(|length| length + 1).product();
    let place = |mut number: usize| {
        let mut digit = |length: &usize| {
            let level = number % (length + 1);
            number /= length + 1;
            level.to_string()
        };
        lengths.iter().map(&mut digit).collect::<Vec<_>>().join(",")
    };
    let goes_on = |number: &usize| {
        let state = game.read_state(&format!("{} {none} p1 - ready", place(*number))).unwrap();
        matches!(game.turn(&state), Turn::Decide(_))
    };
    (0..all).filter(goes_on).count()
}

#[test]
fn small_solitaires_have_their_known_number_of_positions() {
    for (sides, shortest, goal, known) in [
        (2, 1, 3, 15),
        (2, 2, 3, 44),
        (2, 3, 3, 95),
        (3, 1, 3, 308),
        (3, 3, 3, 4_378),
        (4, 1, 3, 12_913),
        (2, 1, 2, 10),
        (2, 2, 2, 36),
        (2, 3, 2, 84),
    ] {
        assert_eq!(unfinished(sides, shortest, goal), known, "CS({sides},{shortest},{goal})");
    }
}

#[test]
fn small_solitaires_of_cant_stop_take_their_known_turns() {
    for (sides, shortest, goal, known) in [
        (2, 1, 3, 1.297948189812),
        (2, 2, 3, 1.347281861517),
        (2, 3, 3, 1.400179988037),
        (3, 1, 3, 1.480253419335),
        (2, 1, 2, 1.051874678993),
        (2, 2, 2, 1.051587747308),
        (2, 3, 2, 1.036773500072),
    ] {
        let found = expected_turns(sides, shortest, goal);
        assert!((found - known).abs() < 6e-13, "CS({sides},{shortest},{goal}): {found}, known {known}");
    }
}

#[test]
fn small_games_of_cant_stop_have_their_known_values() {
    for (shortest, known) in [(1, 0.953001395998), (2, 0.953237043825), (3, 0.965745794020)] {
        let game = CantStop::new(2, shortest, 2, 2).unwrap();
        let found = chance_of_first(from_start(&game).value(&game, &game.start()).unwrap());
        assert!((found - known).abs() < 6e-13, "CS(2,{shortest},2): {found}, known {known}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let game = Pig::new(2, 30).unwrap();
    let with = |threads| {
        let options = SolveOptions { threads, ..SolveOptions::default() };
        let solution = solve(&game, &[game.start()], &Payoff, &options, &mut Unsupervised).unwrap();
        (solution.value(&game, &game.start()).unwrap().to_bits(), solution.work().sweeps)
    };
    assert_eq!(with(1), with(2));
    assert_eq!(with(1), with(7));
}

#[test]
fn what_cannot_be_solved_is_said() {
    let game = Pig::default();
    let attempt =
        |options: SolveOptions| solve(&game, &[game.start()], &Payoff, &options, &mut Unsupervised).err();
    assert_eq!(
        attempt(SolveOptions { states: 1000, ..SolveOptions::default() }),
        Some(Unsolved::TooLarge(1000))
    );
    let small = Pig::new(2, 20).unwrap();
    let options = SolveOptions { sweeps: 3, ..SolveOptions::default() };
    let error = solve(&small, &[small.start()], &Payoff, &options, &mut Unsupervised).err();
    assert!(matches!(error, Some(Unsolved::Unsettled(_))), "{error:?}");
}

#[test]
fn a_file_is_read_back_and_others_are_refused() {
    let game = Pig::new(2, 20).unwrap();
    let solution = from_start(&game);
    let mut file = Vec::new();
    solution.save("pig(dice=2,target=20)", &mut file).unwrap();
    let load = |bytes: &[u8], spec: &str| Solution::load(spec, &mut &bytes[..]);
    let again = load(&file, "pig(dice=2,target=20)").unwrap();
    let state: State = game.state([3, 7], 5, Player::Min).unwrap();
    assert_eq!(again.value(&game, &state), solution.value(&game, &state));
    assert_eq!(again.len(), solution.len());

    assert!(matches!(load(&file, "pig(dice=1,target=20)"), Err(FileError::OtherGame { .. })));
    assert!(matches!(load(b"", "x"), Err(FileError::Foreign(_))));
    assert!(matches!(load(b"%PDF-1.7 something\n", "x"), Err(FileError::Foreign(_))));
    assert!(matches!(load(&[0xFF; 10_000], "x"), Err(FileError::Foreign(_))));
    let damaged = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut copy = file.clone();
        change(&mut copy);
        load(&copy, "pig(dice=2,target=20)").err().map(|error| error.to_string())
    };
    let middle = file.len() / 2;
    for (why, error) in [
        ("ends too early", damaged(&|f| f.truncate(middle))),
        ("ends too early", damaged(&|f| f.truncate(f.len() - 1))),
        ("checksum", damaged(&|f| f[middle] ^= 1)),
        ("checksum", damaged(&|f| *f.last_mut().unwrap() ^= 1)),
        ("extra data", damaged(&|f| f.push(0))),
    ] {
        let error = error.expect("a damaged file is refused");
        assert!(error.contains("damaged") && error.contains(why), "{error}");
    }
}

#[test]
fn the_solution_is_what_deep_searches_approach() {
    let game = Pig::new(2, 10).unwrap();
    let exact = from_start(&game).value(&game, &game.start()).unwrap();
    let at = |depth| {
        let options = Options { table: astragal::search::TableUse::Values, ..Options::new(Algorithm::Star1) };
        let report = search(&game, &Even, &game.start(), options, 0, &Budget::depth(depth));
        (report.value - exact).abs()
    };
    let errors = [4, 8, 12, 16].map(at);
    assert!(errors.is_sorted_by(|a, b| a > b) && errors[3] < 1.0, "{errors:?}");
}

#[test]
fn a_finished_root_is_solved_too() {
    let game = Pig::default();
    let over = game.read_state("90-0+12 p1").unwrap();
    assert!(matches!(game.turn(&over), Turn::Over(_)));
    assert_eq!(solved(&game, &over).value(&game, &over), Some(100.0));
}

/// Tests that take too long without optimisation.
#[cfg(not(debug_assertions))]
mod large {
    use super::*;
    use astragal::core::{Searcher, Stop};
    use astragal::games::kalah::{Capture, Kalah, Stores, Sweep, Utility};
    use astragal::search::{AlphaBeta, AlphaBetaOptions};

    #[test]
    fn pig_has_its_exact_values() {
        for row in [
            (1, 40, 0.544694393482, Some(28_977)),
            (1, 50, 0.546150844167, None),
            (1, 100, 0.530592725274, Some(480_447)),
            (2, 40, 0.539618687809, Some(22_237)),
            (2, 50, 0.537558982148, None),
            (2, 100, 0.519558893861, Some(433_687)),
        ] {
            check_pig(row);
        }
    }

    /// Own score, opponent's score, turn total, value, value of rolling, value of holding.
    type Named = (u16, u16, u16, f64, f64, Option<f64>);

    fn check_named(game: &Pig, rows: &[Named]) -> Solution {
        let solution = from_start(game);
        for &(own, opponent, total, value, roll, hold) in rows {
            let found = named(game, &solution, own, opponent, total);
            let close = |a: f64, b: f64| (a - b).abs() < 6e-10;
            assert!(close(found.0, value) && close(found.1, roll), "{own}/{opponent}/{total}: {found:?}");
            match (found.2, hold) {
                (Some(found), Some(hold)) => {
                    assert!(close(found, hold), "{own}/{opponent}/{total}: {found}, known {hold}")
                }
                (found, hold) => assert!(found.is_none() == hold.is_none(), "{own}/{opponent}/{total}"),
            }
        }
        solution
    }

    /// The smallest turn total at which holding is best.
    fn first_hold(game: &Pig, solution: &Solution, own: u16, opponent: u16) -> u16 {
        (1..game.target() - own)
            .find(|&total| {
                let state = game.state([own, opponent], total, Player::Max).unwrap();
                // Totals of 1, 2 and 3 are impossible with two dice.
                solution.action_values(game, &state).is_some_and(|values| values[1].1 >= values[0].1)
            })
            .unwrap()
    }

    #[test]
    fn named_states_of_two_dice_have_their_values() {
        let game = Pig::default();
        let solution = check_named(
            &game,
            &[
                (0, 0, 0, 3.911778772, 3.911778772, None),
                (0, 0, 20, 15.202169925, 15.202169925, Some(15.130402810)),
                (0, 0, 25, 20.373346958, 19.010927132, Some(20.373346958)),
                (50, 50, 0, 5.612572480, 5.612572480, None),
                (50, 50, 20, 28.338041592, 27.130236997, Some(28.338041592)),
                (80, 20, 10, 83.846865764, 83.224316297, Some(83.846865764)),
                (99, 99, 0, 52.276059398, 52.276059398, None),
                (90, 99, 8, 50.018208043, 50.018208043, Some(-52.276059398)),
                (0, 99, 40, -84.224718475, -84.224718475, Some(-90.471723194)),
                (99, 0, 0, 95.301267709, 95.301267709, None),
            ],
        );
        assert_eq!(first_hold(&game, &solution, 0, 0), 21);
        assert_eq!(first_hold(&game, &solution, 50, 50), 19);
        assert_eq!(first_hold(&game, &solution, 75, 25), 9);
    }

    #[test]
    fn named_states_of_one_die_have_their_values() {
        let game = Pig::new(1, 100).unwrap();
        let solution = check_named(
            &game,
            &[
                (0, 0, 0, 6.118545055, 6.118545055, None),
                (0, 0, 20, 23.975533990, 23.975533990, Some(23.851370173)),
                (0, 0, 25, 31.529859552, 30.268178727, Some(31.529859552)),
                (50, 50, 0, 9.230168833, 9.230168833, None),
                (50, 50, 20, 36.107792767, 36.107792767, Some(34.931464041)),
                (80, 20, 10, 94.295358482, 94.295358482, Some(91.637329498)),
                (20, 80, 30, -71.085486251, -71.085486251, Some(-72.188978958)),
                (99, 99, 0, 71.428571429, 71.428571429, None),
                (90, 99, 8, 70.187021233, 70.187021233, Some(-71.428571429)),
                (60, 75, 22, 13.089031521, 13.089031521, Some(-2.047849612)),
            ],
        );
        assert_eq!(first_hold(&game, &solution, 0, 0), 21);
        assert_eq!(first_hold(&game, &solution, 50, 50), 21);
        assert_eq!(first_hold(&game, &solution, 25, 75), 37);
        assert_eq!(first_hold(&game, &solution, 75, 25), 10);
    }

    #[test]
    fn named_states_of_pig_to_40_have_their_values() {
        let game = Pig::new(2, 40).unwrap();
        let solution = check_pig((2, 40, 0.539618687809, Some(22_237)));
        for (own, opponent, total, value) in [
            (0, 0, 20, 30.904537948),
            (20, 20, 12, 52.223832453),
            (30, 10, 6, 76.700109683),
            (10, 30, 20, 22.688941400),
            (39, 39, 0, 52.481210546),
            (24, 28, 12, 57.393632170),
            (0, 39, 24, -8.164564532),
            (39, 0, 0, 85.864314879),
            (20, 20, 0, 19.388469361),
        ] {
            let (found, _, _) = named(&game, &solution, own, opponent, total);
            assert!((found - value).abs() < 6e-10, "{own}/{opponent}/{total}: {found}, known {value}");
        }
        let (_, roll, _) = named(&game, &solution, 0, 0, 20);
        assert!((roll - 29.850310900).abs() < 6e-10);
        assert_eq!(first_hold(&game, &solution, 0, 0), 19);
    }

    /// The sum of the mover's win probabilities over all scores at the beginning of a turn; the number of
    /// states with something at risk; and the number of these in which holding is best.
    #[test]
    fn chances_to_win_and_states_to_hold_are_as_known() {
        for (dice, target, known, at_risk, to_hold) in [
            (1, 40, 989.982968411, 31_200, 56),
            (1, 100, 5432.130569034, 495_000, 223_795),
            (2, 20, 270.834126979, 3_800, 0),
            (2, 40, 962.715848032, 31_200, 59),
            (2, 100, 5323.721189718, 495_000, 251_108),
        ] {
            let game = Pig::new(dice, target).unwrap();
            // Scores and totals of 1, 2 and 3 are impossible with two dice; here they are included.
            let scores = (0..target).flat_map(|own| (0..target).map(move |opponent| [own, opponent]));
            let states: Vec<State> = scores
                .flat_map(|scores| (0..target - scores[0]).map(move |total| (scores, total)))
                .map(|(scores, total)| game.state(scores, total, Player::Max).unwrap())
                .collect();
            let solution =
                solve(&game, &states, &Payoff, &SolveOptions::default(), &mut Unsupervised).unwrap();
            let value = |state: &State| chance_of_first(solution.value(&game, state).unwrap());
            let sum: f64 = states.iter().filter(|state| state.total() == 0).map(value).sum();
            assert!((sum - known).abs() < 6e-10, "{dice} dice to {target}: {sum}, known {known}");
            let risky: Vec<&State> = states.iter().filter(|state| state.total() > 0).collect();
            assert_eq!(risky.len(), at_risk);
            let holds = |state: &&&State| {
                let values = solution.action_values(&game, state).unwrap();
                values[1].1 >= values[0].1
            };
            assert_eq!(risky.iter().filter(holds).count(), to_hold, "{dice} dice to {target}");
        }
    }

    #[test]
    fn ewn_on_four_by_four_has_its_exact_value() {
        let game = Ewn::new(4, 4, 3).unwrap().merging(true);
        let solution = from_start(&game);
        let found = chance_of_first(solution.value(&game, &game.start()).unwrap());
        assert!((found - 0.551234878029).abs() < 6e-13, "{found}");
        assert_eq!(solution.work().chances, 2_814_497, "positions before a roll");
    }

    #[test]
    fn to_pass_before_the_first_roll_of_large_pig_changes_nothing() {
        for target in [40, 50, 60, 100] {
            check_passing(1, target);
            check_passing(2, target);
        }
    }

    #[test]
    fn pig_has_its_known_number_of_finished_states() {
        check_finished(100, 111_744);
        let work = *from_start(&Pig::new(2, 100).unwrap()).work();
        // If a player had to hold to win, these would be decisions.
        assert_eq!(work.states - work.chances, 1_090_862);
    }

    fn check_solitaire(sides: u8, shortest: u8, known: f64) {
        let found = expected_turns(sides, shortest, 3);
        assert!((found - known).abs() < 6e-13, "CS({sides},{shortest},3): {found}, known {known}");
    }

    #[test]
    fn a_larger_solitaire_of_cant_stop_takes_its_known_turns() {
        check_solitaire(3, 3, 1.890481455804);
    }

    #[test]
    #[ignore = "two minutes"]
    fn the_largest_solitaire_of_cant_stop_takes_its_known_turns() {
        check_solitaire(4, 1, 2.187306974865);
    }

    #[test]
    fn kalah_has_its_known_margins_under_all_rules() {
        // A row for each number of pits, a column for each number of stones per pit. Larger ones take
        // minutes: see CONTRIBUTING.md.
        let irving: [&[i8]; 6] = [
            &[0, -2, 6, -2, 2, 0],
            &[2, -2, -2, -12, 6, 8],
            &[0, 4, 2, 2, 6],
            &[2, 6, 8, 2],
            &[0, 0, 8],
            &[2, 10, 2],
        ];
        let usual: [&[i8]; 6] = [
            &[0, -2, 6, -2, 2, 0],
            &[2, -2, -2, -10, 6, 8],
            &[0, 4, 2, 2, 6],
            &[2, 6, 6, 2],
            &[0, 2, 6],
            &[2, 6, 2],
        ];
        let thesis: [&[i8]; 6] = [
            &[2, 4, 6, 8, -6, -4],
            &[4, 8, 0, 0, 12, 16],
            &[2, 8, 8, 2, 6, -10],
            &[2, 6, 6, 4],
            &[2, 4, 4],
            &[0, 6, 2],
        ];
        let fourth: [&[i8]; 6] = [
            &[2, 4, 6, 8, -6, -4],
            &[4, 8, 0, -6, 12, 16],
            &[4, 8, 2, 2, 8, -10],
            &[2, 6, 6, 4],
            &[2, 2, 6],
            &[2, 6, 0],
        ];
        let rules = [
            (Capture::Empty, Sweep::Own, irving),
            (Capture::Nonempty, Sweep::Own, usual),
            (Capture::Empty, Sweep::Emptied, thesis),
            (Capture::Nonempty, Sweep::Emptied, fourth),
        ];
        let options = AlphaBetaOptions {
            to_the_end: true,
            killers: false,
            history: false,
            table_mib: 64,
            ..AlphaBetaOptions::exact()
        };
        let mut search = AlphaBeta::new(Stores, options);
        for (capture, sweep, rows) in rules {
            for (row, pits) in rows.into_iter().zip(1..) {
                for (&margin, stones) in row.iter().zip(1..) {
                    let game = Kalah::new(pits, stones).unwrap().capture(capture).sweep(sweep);
                    let game = game.utility(Utility::Margin);
                    let report = search.search(&game, &game.start(), Budget::default());
                    let found = (report.value, report.stop);
                    assert_eq!(
                        found,
                        (margin.into(), Stop::Complete),
                        "{pits} pits, {stones} stones, {capture:?}, {sweep:?}"
                    );
                    // The reported move keeps the value.
                    let mut after = game.start();
                    game.apply(&mut after, report.best.unwrap());
                    let kept = search.search(&game, &after, Budget::default()).value;
                    assert_eq!(kept, f64::from(margin), "{pits} pits, {stones} stones: {:?}", report.best);
                }
            }
        }
    }
}
