//! Games whose states grow without bound are noticed, and no others.

use astragal::catalog::{game, games};
use astragal::core::{Game, Interval, Key, Player, Turn, Weighted};
use astragal::solve::{Growth, Payoff, Progress, SolveOptions, Supervisor, Unsolved, Unsupervised, solve};

/// Pig to 20 points whose author forgot to bound the turn total. With `counts_turns` no position recurs.
struct Boundless {
    counts_turns: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Turns {
    player: Player,
    scores: [u8; 2],
    turn_total: u32,
    is_rolling: bool,
    turns: u32,
}

impl Game for Boundless {
    type State = Turns;
    type Action = bool;
    type Outcome = u32;

    fn start(&self) -> Turns {
        Turns { player: Player::Max, scores: [0, 0], turn_total: 0, is_rolling: false, turns: 0 }
    }
    fn turn(&self, s: &Turns) -> Turn {
        match s.scores {
            [20, _] => Turn::Over(1.0),
            [_, 20] => Turn::Over(-1.0),
            _ if s.is_rolling => Turn::Chance,
            _ => Turn::Decide(s.player),
        }
    }
    fn actions(&self, _: &Turns, out: &mut Vec<bool>) {
        out.extend([true, false]);
    }
    fn outcomes(&self, _: &Turns, out: &mut Vec<Weighted<u32>>) {
        out.extend((1..=6).map(|item| Weighted { item, weight: 1.0 / 6.0 }));
    }
    fn apply(&self, s: &mut Turns, roll: bool) {
        s.is_rolling = roll;
        if !roll {
            let score = &mut s.scores[s.player.index()];
            *score = (u32::from(*score) + s.turn_total).min(20) as u8;
            self.pass(s);
        }
    }
    fn resolve(&self, s: &mut Turns, die: u32) {
        s.is_rolling = false;
        s.turn_total += die;
        if die == 1 {
            self.pass(s);
        }
    }
    fn key(&self, s: &Turns) -> Key {
        let small = [s.scores[0], s.scores[1], s.player.index() as u8, u8::from(s.is_rolling)];
        let small = u128::from(u32::from_le_bytes(small));
        Key(small | u128::from(s.turn_total) << 32 | u128::from(s.turns) << 64)
    }
    fn range(&self) -> Interval {
        Interval::new(-1.0, 1.0)
    }
}

impl Boundless {
    fn pass(&self, s: &mut Turns) {
        (s.player, s.turn_total) = (s.player.other(), 0);
        s.turns += u32::from(self.counts_turns);
    }
}

/// Gives up when it hears that something grows.
#[derive(Default)]
struct Listener {
    heard: Vec<Growth>,
    found: usize,
}

impl Supervisor for Listener {
    fn progress(&mut self, progress: Progress) {
        if let Progress::Found(states) = progress {
            self.found = states;
        }
    }
    fn growing(&mut self, growth: &Growth) {
        self.heard.push(growth.clone());
    }
    fn cancelled(&mut self) -> bool {
        !self.heard.is_empty()
    }
}

#[test]
fn states_that_grow_without_bound_are_noticed_early_and_named() {
    for counts_turns in [false, true] {
        let (game, mut listener) = (Boundless { counts_turns }, Listener::default());
        let error =
            solve(&game, &[game.start()], &Payoff, &SolveOptions::default(), &mut listener).unwrap_err();
        assert_eq!(error, Unsolved::Cancelled);
        assert!(listener.found < 100_000, "{}", listener.found);
        let [growth] = &listener.heard[..] else { panic!("{:?}", listener.heard) };
        let fields: &[&str] = if counts_turns { &["'turn_total'", "'turns'"] } else { &["'turn_total'"] };
        assert!(fields.contains(&growth.field.as_str()), "{growth}");
        assert!(growth.to > 100.0 && growth.from == 0.0, "{growth}");
        // Whoever does not listen reads it at the end.
        let options = SolveOptions { states: 1000, ..SolveOptions::default() };
        let error = solve(&game, &[game.start()], &Payoff, &options, &mut Unsupervised).unwrap_err();
        assert_eq!(error, Unsolved::Growing(1000, growth.clone()));
        assert!(error.to_string().ends_with(" steps and grows on: is it bounded?"), "{error}");
    }
}

#[test]
fn no_game_of_the_catalogue_seems_to_grow_without_bound() {
    let small = SolveOptions { states: 1000, ..SolveOptions::default() };
    let mut large = 0;
    for entry in games() {
        // A position of chess shows the number of the move; the game is hopelessly large in any case.
        if entry.info.name == "chess" {
            continue;
        }
        // A tree in a file has no default.
        let Ok(game) = game(entry.info.name) else { continue };
        match game.solve(&*game.start(), &small, &mut Unsupervised) {
            Ok(_) | Err(Unsolved::TooLarge(1000)) => large += 1,
            other => panic!("{}: {:?}", entry.info.name, other.err()),
        }
    }
    assert!(large > 10, "{large}");
    for spec in ["pig(dice=1)", "pig(target=200)", "ewn(size=3,stones=3)", "kalah(pits=4,stones=3)"] {
        let mut listener = Listener::default();
        let game = game(spec).unwrap();
        let few = SolveOptions { states: 200_000, ..SolveOptions::default() };
        let solved = game.solve(&*game.start(), &few, &mut listener);
        assert!(matches!(solved, Ok(_) | Err(Unsolved::TooLarge(_))), "{spec}: {:?}", solved.err());
        assert_eq!(listener.heard, [], "{spec}");
    }
}
