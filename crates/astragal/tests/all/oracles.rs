//! Numbers known independently of this project: Pig's depth-limited values, the counterexample to the paper's
//! listing, Ballard's form of the bounds, and tic-tac-toe.

use crate::support::{STAR2, Stream, naive, search};
use astragal::core::{Budget, Evaluator, Even, Game, Interval, Key, Notation, Player, Stop, Turn, Weighted};
use astragal::games::connect_four::ConnectFour;
use astragal::games::explicit::{Estimate, Node, Tree};
use astragal::games::pig::{Action, Dice, Lead, Pig, Roll, State};
use astragal::games::random_tree::{Hash, RandomTree};
use astragal::games::tic_tac_toe::{OpenLines, TicTacToe};
use astragal::search::{Algorithm, Options, StarMinimax, TableUse, perft};

/// V1 to V6 of a state, computed by another program in exact rational arithmetic and rounded to twelve
/// digits.
struct Row(u8, u16, &'static str, [f64; 7]);

const ROWS: [Row; 7] = [
    Row(
        2,
        100,
        "0-0+0 p1",
        [0.0, 5.55555555556, 6.01851851852, 5.07295953361, 4.39796120066, 3.57565700864, 3.36482601998],
    ),
    Row(
        2,
        100,
        "0-0+20 p1",
        [20.0, 20.0, 17.7469135802, 14.3566529492, 14.5215192044, 14.9641810985, 15.5503844662],
    ),
    Row(
        2,
        100,
        "50-50+0 p2",
        [0.0, -4.16666666667, -4.08950617284, -3.28875171468, -2.56432065424, -2.0389573503, -2.56991075381],
    ),
    Row(
        2,
        100,
        "88-96+7 p1",
        [-1.0, 61.8611111111, 46.5617283951, 46.6062242798, 48.4383097089, 47.7676247296, 47.8783149359],
    ),
    Row(
        2,
        20,
        "0-0+0 p1",
        [0.0, 5.55555555556, 10.2962962963, 28.0919924554, 22.6229804908, 19.8463081244, 19.4783936854],
    ),
    Row(
        1,
        100,
        "0-0+0 p1",
        [0.0, 3.33333333333, 5.0, 5.64814814815, 5.69444444444, 5.41100823045, 5.02569873114],
    ),
    Row(1, 100, "88-96+7 p1", [-1.0, 33.0, 62.5, 56.7638888889, 54.4830246914, 54.8779578189, 55.5638717421]),
];

/// Half a unit in the twelfth digit of numbers below 100.
const PRINTED: f64 = 5.1e-11;

fn memoised(algorithm: Algorithm) -> Options {
    Options { table: TableUse::Values, ..Options::new(algorithm) }
}

#[test]
fn pig_has_its_known_depth_limited_values() {
    for Row(dice, target, position, values) in ROWS {
        let game = Pig::new(dice, target).unwrap();
        let state = game.read_state(position).unwrap();
        assert_eq!(Lead.value(&game, &state), values[0]);
        for depth in 1..=6 {
            for algorithm in [Algorithm::Expectimax, Algorithm::Star1, STAR2] {
                let found = search(&game, &Lead, &state, memoised(algorithm), 0, &Budget::depth(depth)).value;
                let known = values[depth as usize];
                assert!((found - known).abs() < PRINTED, "{position} depth {depth}: {found}, known {known}");
            }
        }
    }
}

/// Expectimax for Pig in integers: the value times `sides^depth`, where `sides` is the number of ways the
/// dice can fall. Exact, and independent of the search crate.
fn whole(game: &Pig, state: State, depth: u32, sides: i64) -> i64 {
    let scale = sides.pow(depth);
    match game.turn(&state) {
        Turn::Over(payoff) => payoff as i64 * scale,
        Turn::Decide(_) if depth == 0 => Lead.value(game, &state) as i64,
        Turn::Chance => unreachable!("a roll is taken together with its action"),
        Turn::Decide(player) => {
            let mut hold = state;
            game.apply(&mut hold, Action::Hold);
            let held = || whole(game, hold, depth - 1, sides) * sides;
            let mut rolling = state;
            game.apply(&mut rolling, Action::Roll);
            let after = |roll: Roll, ways: i64| {
                let mut child = rolling;
                game.resolve(&mut child, Dice::new(roll));
                ways * whole(game, child, depth - 1, sides)
            };
            let rolled = if sides == 6 {
                after(Roll::Bust, 1) + (2..=6).map(|n| after(Roll::Add(n), 1)).sum::<i64>()
            } else {
                let sums: i64 = (4..=12).map(|n| after(Roll::Add(n), 5 - (n as i64 - 8).abs())).sum();
                after(Roll::Bust, 10) + after(Roll::Reset, 1) + sums
            };
            match player {
                _ if state.total() == 0 => rolled,
                Player::Max => rolled.max(held()),
                Player::Min => rolled.min(held()),
            }
        }
    }
}

#[test]
fn pig_values_are_as_exact_as_floating_point_allows() {
    for Row(dice, target, position, _) in ROWS {
        let game = Pig::new(dice, target).unwrap();
        let state = game.read_state(position).unwrap();
        let sides = if dice == 1 { 6 } else { 36 };
        for depth in 1..=4 {
            let exact = whole(&game, state, depth, sides) as f64 / sides.pow(depth) as f64;
            let found = search(&game, &Lead, &state, Options::new(STAR2), 0, &Budget::depth(depth)).value;
            assert!(
                (found - exact).abs() < 1e-13 * 200.0,
                "{position} depth {depth}: {found}, exactly {exact}"
            );
        }
    }
    let start = Pig::default().start();
    assert_eq!(whole(&Pig::default(), start, 1, 36) * 9, 50 * 36);
    assert_eq!(whole(&Pig::default(), start, 2, 36) * 54, 325 * 36 * 36);
    assert_eq!(whole(&Pig::default(), start, 3, 36) * 11664, 59171 * 36 * 36 * 36);
}

/// Pig in which a player must hold to win: the other interpretation of the rules. Only depth-limited values
/// differ.
struct MustHold(Pig);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holding {
    scores: [u16; 2],
    total: u16,
    player: Player,
    rolling: bool,
}

impl Game for MustHold {
    type State = Holding;
    type Action = Action;
    type Outcome = Dice;

    fn start(&self) -> Holding {
        Holding { scores: [0, 0], total: 0, player: Player::Max, rolling: false }
    }
    fn turn(&self, s: &Holding) -> Turn {
        match s.scores.iter().position(|&score| score >= self.0.target()) {
            Some(0) => Turn::Over(100.0),
            Some(_) => Turn::Over(-100.0),
            None if s.rolling => Turn::Chance,
            None => Turn::Decide(s.player),
        }
    }
    fn actions(&self, s: &Holding, out: &mut Vec<Action>) {
        out.push(Action::Roll);
        if s.total > 0 {
            out.push(Action::Hold);
        }
    }
    fn outcomes(&self, _: &Holding, out: &mut Vec<Weighted<Dice>>) {
        self.0.outcomes(&self.0.start(), out);
    }
    fn apply(&self, s: &mut Holding, action: Action) {
        match action {
            Action::Roll => s.rolling = true,
            Action::Hold => {
                s.scores[s.player.index()] += s.total;
                (s.total, s.player) = (0, s.player.other());
            }
        }
    }
    fn resolve(&self, s: &mut Holding, dice: Dice) {
        let roll = dice.roll();
        s.rolling = false;
        match roll {
            Roll::Add(points) => s.total += u16::from(points),
            Roll::Bust | Roll::Reset => {
                if roll == Roll::Reset {
                    s.scores[s.player.index()] = 0;
                }
                (s.total, s.player) = (0, s.player.other());
            }
        }
    }
    fn key(&self, s: &Holding) -> Key {
        let [a, b] = s.scores.map(u128::from);
        Key(a
            | b << 16
            | u128::from(s.total) << 32
            | (s.player.index() as u128) << 48
            | u128::from(s.rolling) << 49)
    }
    fn range(&self) -> Interval {
        Interval::new(-100.0, 100.0)
    }
}

#[derive(Clone, Copy)]
struct HoldingLead;

impl Evaluator<MustHold> for HoldingLead {
    fn value(&self, _: &MustHold, s: &Holding) -> f64 {
        let [a, b] = s.scores.map(f64::from);
        (a - b + s.player.sign() * f64::from(s.total)).clamp(-100.0, 100.0)
    }
}

#[test]
fn the_other_reading_of_pig_has_its_known_values_too() {
    let game = MustHold(Pig::default());
    let state = Holding { scores: [88, 96], total: 7, player: Player::Max, rolling: false };
    let known = [-0.0277777777778, 61.0555555556, 46.8505658436, 46.5949121704];
    for (depth, known) in (1..).zip(known) {
        let found = search(&game, &HoldingLead, &state, memoised(STAR2), 0, &Budget::depth(depth)).value;
        assert!((found - known).abs() < PRINTED, "depth {depth}: {found}, known {known}");
    }
    // From the start at most 96 points can be collected in eight rolls, so the interpretations agree up to
    // that depth.
    let pig = Pig::default();
    for depth in 1..=8 {
        let must_hold =
            search(&game, &HoldingLead, &game.start(), memoised(Algorithm::Star1), 0, &Budget::depth(depth));
        let at_once = search(&pig, &Lead, &pig.start(), memoised(Algorithm::Star1), 0, &Budget::depth(depth));
        assert_eq!(must_hold.value, at_once.value, "depth {depth}");
    }
}

#[test]
fn both_actions_of_a_pig_state_have_their_known_values() {
    let game = Pig::default();
    let state = game.read_state("0-0+20 p1").unwrap();
    let known = [
        [19.444444444444, 20.0],
        [17.746913580247, 14.444444444444],
        [14.356652949246, 13.811728395062],
        [13.549809003963, 14.521519204390],
    ];
    for (depth, known) in (1..).zip(known) {
        for algorithm in [Algorithm::Expectimax, Algorithm::Star1, STAR2] {
            let options = Options { all_lines: true, prune_from: 1, ..Options::new(algorithm) };
            let report = search(&game, &Lead, &state, options, 0, &Budget::depth(depth));
            for (line, known) in report.lines.iter().zip(known) {
                assert!(line.bounds.is_point());
                assert!((line.value - known).abs() < 5.1e-13, "{line:?}, known {known}");
            }
            let best = if known[0] > known[1] { Action::Roll } else { Action::Hold };
            assert_eq!(report.best, Some(best));
        }
    }
}

/// Two equally likely outcomes, both worth 10, in a game of range ±10.
fn counterexample() -> Tree {
    let chance = Node::Chance { outcomes: vec![("a".into(), 0.5, 1), ("b".into(), 0.5, 2)] };
    let nodes = vec![("root".into(), chance), ("x".into(), Node::Leaf(10.0)), ("y".into(), Node::Leaf(10.0))];
    Tree::new(nodes, 0, Some(Interval::new(-10.0, 10.0))).unwrap()
}

#[test]
fn two_won_outcomes_are_won() {
    let game = counterexample();
    for algorithm in [Algorithm::Star1, STAR2] {
        let mut search = StarMinimax::new(Estimate, Options { prune_from: 1, ..Options::new(algorithm) });
        let (value, _) = search.value_within(&game, &game.start(), 0, 1, Interval::new(-10.0, 10.0));
        assert_eq!(value, 10.0);
    }
    assert_eq!(printed(&game, &Estimate, &game.start(), 1, game.range(), game.range(), false), 0.0);
}

/// Star1 and Star2 as printed in the paper: the cut compares with the clipped window. The cases that the
/// paper leaves open (finished games below a probe, consecutive chance nodes) are filled in.
fn printed<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    state: &G::State,
    depth: u32,
    range: Interval,
    window: Interval,
    probe_first: bool,
) -> f64 {
    #[expect(clippy::too_many_arguments, reason = "as many as the listing has")]
    fn decision<G: Game>(
        game: &G,
        h: &impl Evaluator<G>,
        s: &G::State,
        d: u32,
        range: Interval,
        window: Interval,
        star2: bool,
        only: bool,
    ) -> f64 {
        let player = match game.turn(s) {
            Turn::Over(payoff) => return payoff,
            Turn::Chance => return chance(game, h, s, d, range, window, star2),
            Turn::Decide(_) if d == 0 => return game.bounds(s).clamp(h.value(game, s)),
            Turn::Decide(player) => player,
        };
        let mut actions = Vec::new();
        game.actions(s, &mut actions);
        actions.truncate(if only { 1 } else { actions.len() });
        let (mut best, mut open) = (-player.sign() * f64::INFINITY, window);
        for action in actions {
            let mut child = s.clone();
            game.apply(&mut child, action);
            let value = decision(game, h, &child, d - 1, range, open, star2, false);
            match player {
                Player::Max => {
                    best = best.max(value);
                    open.lo = open.lo.max(best);
                }
                Player::Min => {
                    best = best.min(value);
                    open.hi = open.hi.min(best);
                }
            }
            if open.lo >= open.hi {
                break;
            }
        }
        best
    }
    fn chance<G: Game>(
        game: &G,
        h: &impl Evaluator<G>,
        s: &G::State,
        d: u32,
        range: Interval,
        window: Interval,
        star2: bool,
    ) -> f64 {
        let mut outcomes: Vec<Weighted<G::Outcome>> = Vec::new();
        game.outcomes(s, &mut outcomes);
        let mut bounds = vec![range; outcomes.len()];
        let pess = |b: &[Interval]| outcomes.iter().zip(b).map(|(o, b)| o.weight * b.lo).sum::<f64>();
        let opti = |b: &[Interval]| outcomes.iter().zip(b).map(|(o, b)| o.weight * b.hi).sum::<f64>();
        let child_window = |b: &[Interval], i: usize| {
            let p = outcomes[i].weight;
            let lo = range.lo.max((window.lo - opti(b) + p * b[i].hi) / p);
            let hi = range.hi.min((window.hi - pess(b) + p * b[i].lo) / p);
            Interval { lo, hi }
        };
        for phase in [true, false] {
            if phase && !star2 {
                continue;
            }
            for i in 0..outcomes.len() {
                let open = child_window(&bounds, i);
                let mut child = s.clone();
                game.resolve(&mut child, outcomes[i].item);
                let turn = game.turn(&child);
                let value = decision(game, h, &child, d, range, open, star2, phase);
                match turn {
                    Turn::Decide(Player::Max) if phase => {
                        bounds[i].lo = value;
                        if pess(&bounds) >= window.hi {
                            return pess(&bounds);
                        }
                    }
                    Turn::Decide(Player::Min) if phase => {
                        bounds[i].hi = value;
                        if opti(&bounds) <= window.lo {
                            return opti(&bounds);
                        }
                    }
                    _ if phase => {}
                    _ => {
                        bounds[i] = Interval::point(value);
                        if value >= open.hi {
                            return pess(&bounds);
                        }
                        if value <= open.lo {
                            return opti(&bounds);
                        }
                    }
                }
            }
        }
        pess(&bounds)
    }
    decision(game, evaluator, state, depth, range, window, probe_first, false)
}

/// On other random trees with many leaves at the ends of the range, the listings were found elsewhere to be
/// wrong for 57 % (Star1) and 48 % (Star2) of the roots. The rate depends on the trees; here it is more than
/// a fifth.
#[test]
fn the_papers_listing_is_wrong_for_won_games_and_right_with_wider_bounds() {
    const TREES: u64 = 1000;
    for star2 in [false, true] {
        let mut wrong = [0; 2];
        for seed in 0..TREES {
            let game = RandomTree::new(seed, 4, 3, 4).unwrap();
            let truth = naive(&game, &Hash, &game.start(), 4);
            let wide = Interval::new(game.range().lo - 1.0, game.range().hi + 1.0);
            for (wrong, range) in wrong.iter_mut().zip([game.range(), wide]) {
                let found = printed(&game, &Hash, &game.start(), 4, range, range, star2);
                *wrong += u32::from((found - truth).abs() > 1e-9 * range.width());
            }
        }
        assert!(wrong[0] > 200, "the listing (star2: {star2}) is wrong for {} of {TREES} trees", wrong[0]);
        assert_eq!(wrong[1], 0, "with wider bounds (star2: {star2})");
    }
}

/// Ballard's form for equally likely outcomes: A and B start at N(α−U)+U and N(β−L)+L, the child gets the
/// window clipped to [L, U], the node is cut if v ≤ A or v ≥ B, and then A += U−v, B += L−v.
fn ballard(values: &[f64], window: Interval, range: Interval) -> (f64, usize) {
    let n = values.len() as f64;
    let (mut a, mut b) = (n * (window.lo - range.hi) + range.hi, n * (window.hi - range.lo) + range.lo);
    let mut sum = 0.0;
    for (i, &v) in values.iter().enumerate() {
        sum += v;
        let rest = (values.len() - i - 1) as f64;
        if v <= a {
            return ((sum + rest * range.hi) / n, i + 1);
        }
        if v >= b {
            return ((sum + rest * range.lo) / n, i + 1);
        }
        a += range.hi - v;
        b += range.lo - v;
    }
    (sum / n, values.len())
}

#[test]
fn star1_cuts_where_ballards_form_does() {
    let range = Interval::new(-10.0, 10.0);
    let mut cut = 0;
    for seed in 0..3000 {
        let mut stream = Stream::new(seed);
        let count = 2 + stream.below(5) as usize;
        // Arbitrary values and windows: rounding may decide a tie at a cut either way.
        let values: Vec<f64> = (0..count).map(|_| 20.0 * stream.unit() - 10.0).collect();
        let ends = [20.0 * stream.unit() - 10.0, 20.0 * stream.unit() - 10.0];
        let window = Interval::new(ends[0].min(ends[1]), ends[0].max(ends[1]));
        // Each child is a decision with one action, so that its value is not known beforehand.
        let mut nodes = vec![];
        let outcome = |i: usize| (format!("o{i}"), 1.0 / count as f64, 1 + 2 * i);
        nodes.push(("root".to_string(), Node::Chance { outcomes: (0..count).map(outcome).collect() }));
        for (i, value) in values.iter().enumerate() {
            let actions = vec![("go".to_string(), 2 + 2 * i)];
            nodes.push((format!("d{i}"), Node::Decision { player: Player::Min, actions, estimate: None }));
            nodes.push((format!("v{i}"), Node::Leaf(*value)));
        }
        let game = Tree::new(nodes, 0, Some(range)).unwrap();
        let mut star1 =
            StarMinimax::new(Estimate, Options { prune_from: 1, ..Options::new(Algorithm::Star1) });
        let (found, counts) = star1.value_within(&game, &game.start(), 0, 1, window);
        let (known, searched) = ballard(&values, window, range);
        assert!((found - known).abs() < 1e-12, "{found}, known {known}, seed {seed}");
        assert_eq!(counts.leaves, searched as u64, "seed {seed}");
        cut += usize::from(searched < count);
    }
    assert!(cut > 500, "{cut} cuts");
}

#[test]
fn tic_tac_toe_is_a_draw_and_so_is_every_first_move() {
    for algorithm in [Algorithm::Expectimax, Algorithm::Star1, STAR2] {
        let options = Options { all_lines: true, prune_from: 1, ..Options::new(algorithm) };
        let report = search(&TicTacToe, &OpenLines, &TicTacToe.start(), options, 0, &Budget::default());
        assert_eq!(report.value, 0.0);
        assert_eq!(report.lines.len(), 9);
        assert!(report.lines.iter().all(|line| line.bounds == Interval::point(0.0)));
        assert_eq!(report.tied.len(), 9);
        assert_eq!(report.stop, Stop::Complete);
    }
}

#[test]
fn tic_tac_toe_has_its_known_number_of_sequences() {
    let known = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    let count = |depth| perft(&TicTacToe, &TicTacToe.start(), depth, false);
    assert_eq!((1..=9).map(count).collect::<Vec<_>>(), known);
    assert_eq!(count(0), 1);
    assert_eq!((0..=9).map(count).sum::<u64>(), 549_946);
    assert_eq!(count(10), 0);
}

#[test]
fn pig_sequences_are_counted_with_the_chance_before_each_decision() {
    let game = Pig::default();
    // One forced roll, then eleven results, of which nine leave two actions and two pass the dice.
    let count = |depth, resolve| perft(&game, &game.start(), depth, resolve);
    assert_eq!([count(1, false), count(2, false)], [1, 20]);
    assert_eq!([count(1, true), count(2, true)], [11, 11 * (9 + 2) + 9]);
}

#[test]
fn connect_four_has_its_known_counts() {
    let game = ConnectFour::default();
    let counts: Vec<u64> = (1..=7).map(|depth| perft(&game, &game.start(), depth, false)).collect();
    assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
    // This many of the last have just been won and have no eighth move.
    fn won(game: &ConnectFour, state: &astragal::games::connect_four::State, depth: u32) -> u64 {
        match game.turn(state) {
            Turn::Over(_) => u64::from(depth == 0),
            Turn::Decide(_) if depth > 0 => {
                let mut actions = Vec::new();
                game.actions(state, &mut actions);
                let below = actions.into_iter().map(|action| {
                    let mut next = *state;
                    game.apply(&mut next, action);
                    won(game, &next, depth - 1)
                });
                below.sum()
            }
            _ => 0,
        }
    }
    assert_eq!(won(&game, &game.start(), 7), 13_032);
}

#[test]
fn small_boards_of_connect_four_are_drawn() {
    let game = ConnectFour::new(4, 4).unwrap();
    let options = Options { table: TableUse::Values, ..Options::new(Algorithm::Star1) };
    let report = search(&game, &Even, &game.start(), options, 0, &Budget::default());
    assert_eq!((report.value, report.stop), (0.0, Stop::Complete));
}
