//! Matches on special terms: random starts, matched nodes, a third player; and traps in games.

use astragal_arena::contest::{Contest, GameRow, NoContest, Standing, maker, row};
use astragal_arena::matches::Match;
use astragal_arena::pgn;
use astragal_arena::play::Event;
use astragal_arena::record::{records, verify};
use astragal_arena::report::MatchReport;
use astragal_arena::sequential::Trial;
use astragal_arena::survey::{Board, Source, Survey};
use astragal_arena::terms::Terms;
use astragal_catalog::{AnyGame, erase, game};
use astragal_core::{Budget, Clock, Game, Interval, Key, Notation, Player, ReadError, Turn};
use astragal_solve::{Payoff, Perfect, SolveOptions, Unsupervised, solve};
use std::sync::Arc;

const MM: &str = "alpha-beta(depth=3,plain=on)";
const GAME: &str = "kalah(pits=4,stones=3)";

fn contest(engines: [&str; 2], terms: Terms) -> Result<Contest, NoContest> {
    Contest::new(GAME, None, engines, Budget::default(), terms, 7)
}

/// The moves of a game without chance.
fn actions(events: &[Event]) -> Vec<&str> {
    fn action(event: &Event) -> Option<&str> {
        if let Event::Action { text, .. } = event { Some(text) } else { None }
    }
    events.iter().filter_map(action).collect()
}

#[test]
fn a_game_that_is_cut_short_is_not_the_one_that_is_played_again() {
    let contest = contest([MM, "random"], Terms::default()).unwrap();
    let games = contest.play(0, &mut Clock::start()).unwrap();
    let [whole, _] = records(&contest, 0, &games);
    verify(&whole, true).unwrap();
    let mut cut = whole;
    cut.events.truncate(2);
    (cut.payoff, cut.score) = (None, 0.5);
    verify(&cut, false).unwrap();
    let error = verify(&cut, true).unwrap_err().to_string();
    assert_eq!(error, "event 3: played again, the game is longer or shorter");
}

#[test]
fn starts_by_lot_differ_from_pair_to_pair_and_are_the_same_for_every_match() {
    let dealt = || Terms { deal: true, ..Terms::default() };
    let [one, other] = [[MM, "random"], ["random", MM]].map(|engines| contest(engines, dealt()).unwrap());
    let starts: Vec<String> = (0..20).map(|pair| one.start_of(pair).text()).collect();
    assert_eq!(starts, (0..20).map(|pair| other.start_of(pair).text()).collect::<Vec<_>>());
    for (at, start) in starts.iter().enumerate() {
        assert!(!starts[..at].contains(start), "{start}");
        let stones: u32 = start.split(['|', ',', ' ']).filter_map(|n| n.parse::<u32>().ok()).sum();
        assert_eq!(stones, 24, "{start}");
    }
    assert!(
        contest(["random", "random"], Terms::default()).unwrap().start_of(3).text().starts_with("3,3,3,3")
    );
    let error = Contest::new("pig", None, ["random", "random"], Budget::default(), dealt(), 0).err().unwrap();
    assert_eq!(error.to_string(), "pig has no random starts");
}

#[test]
fn a_third_player_who_begins_at_once_plays_the_whole_game() {
    let terms =
        Terms { deal: true, finish: Some(format!("after=0:{MM}").parse().unwrap()), ..Terms::default() };
    let whole = Terms { deal: true, ..Terms::default() };
    let (third, alone) = (contest(["random", "random"], terms).unwrap(), contest([MM, MM], whole).unwrap());
    for pair in 0..5 {
        let [finished, played] =
            [&third, &alone].map(|contest| contest.play(pair, &mut Clock::start()).unwrap());
        for (finished, played) in finished.iter().zip(&played) {
            assert_eq!(actions(&finished.events), actions(&played.events));
            assert_eq!(finished.efforts.map(|effort| effort.decisions), [0, 0]);
        }
    }
}

#[test]
fn a_third_player_begins_after_so_many_decisions_or_when_endings_are_seen() {
    for (when, most) in [("after=4", 4), ("endings=0", 40)] {
        let finish = Some(format!("{when}:random").parse().unwrap());
        let contest = contest(["random", MM], Terms { deal: true, finish, ..Terms::default() }).unwrap();
        let mut early = 0;
        for pair in 0..10 {
            for played in contest.play(pair, &mut Clock::start()).unwrap() {
                let made: u64 = played.efforts.iter().map(|effort| effort.decisions).sum();
                assert!(made <= most, "{made}");
                early += u32::from((made as usize) < played.events.len());
            }
        }
        assert!(early > 0, "{when}: nobody took over");
    }
    let endless = Terms { finish: Some("after=4:uct".parse().unwrap()), ..Terms::default() };
    let error = contest(["random", MM], endless).err().unwrap().to_string();
    assert_eq!(error, "'uct' finishes the games and needs its own depth limit");
}

#[test]
fn matched_nodes_are_those_of_the_other_and_games_can_be_played_again() {
    let terms = Terms {
        deal: true,
        match_nodes: true,
        finish: Some("after=6:alpha-beta(depth=4)".parse().unwrap()),
        opening: 1,
        ..Terms::default()
    };
    let contest = contest(["uct-h", MM], terms).unwrap();
    let games = contest.play(3, &mut Clock::start()).unwrap();
    for record in records(&contest, 3, &games) {
        verify(&record, true).unwrap();
        let again = &astragal_arena::record::read(&record.text())[0].1;
        assert_eq!(again.as_ref().unwrap(), &record);
        // With other nodes the game takes another course, or its searches visit other states.
        let unmatched =
            astragal_arena::record::Record { match_nodes: false, budget: "nodes=3".into(), ..record };
        assert!(verify(&unmatched, true).is_err());
    }
    let error = self::contest(["random", MM], Terms { match_nodes: true, ..Terms::default() }).err().unwrap();
    assert_eq!(error.to_string(), "'random' heeds neither iterations nor nodes, so none can be matched");
}

/// Black can be mated at once after all but a few third moves: Nf6 and others fall into a trap of level 1.
const SCHOLAR: &str = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";

#[test]
fn the_scholars_mate_is_a_trap_of_level_1() {
    let survey = |text: &str, level| {
        Survey::new(game("chess").unwrap().into(), Source::Games(pgn::read(text)), vec![0, 5, 7, 9], level, 0)
            .unwrap()
    };
    let found = survey(SCHOLAR, 1).boards(0, &mut Clock::start()).unwrap().unwrap();
    assert_eq!(found.boards, [Board::Safe, Board::Trap(1), Board::Over, Board::Over]);
    // Without the queen's sortie there is no trap.
    let quiet =
        survey("1. e4 e5 2. Bc4 Nc6 3. Nf3 Nf6 *", 1).boards(0, &mut Clock::start()).unwrap().unwrap();
    assert_eq!(quiet.boards[1], Board::Safe);
    let wrong = survey("1. e4 e5 2. Ke3 *", 1).boards(0, &mut Clock::start()).unwrap_err().to_string();
    assert!(wrong.starts_with("line 1, game 1, move 3:"), "{wrong}");
}

#[test]
fn self_play_is_a_function_of_the_seed_and_the_number() {
    let survey = |seed| {
        let source = Source::SelfPlay {
            engine: MM.into(),
            budget: Budget::default(),
            random: 0.3,
            opening: 0,
            deal: true,
        };
        Survey::new(game(GAME).unwrap().into(), source, (0..20).collect(), 5, seed).unwrap()
    };
    let boards = |seed, number| survey(seed).boards(number, &mut Clock::start()).unwrap().unwrap();
    assert_eq!(boards(1, 2), boards(1, 2));
    let all: Vec<_> = (0..10).map(|number| boards(1, number)).collect();
    assert!(all.iter().any(|game| game.boards.iter().any(|board| matches!(board, Board::Trap(_)))));
    assert!(
        all.iter().any(|game| *game != all[0])
            && (0..10).any(|number| boards(2, number) != all[number as usize])
    );
    let source = Source::SelfPlay {
        engine: "uct".into(),
        budget: Budget::default(),
        random: 0.0,
        opening: 0,
        deal: false,
    };
    assert!(Survey::new(game(GAME).unwrap().into(), source, vec![3], 1, 0).is_err());
    let source = Source::Games(Vec::new());
    let error = Survey::new(game("pig").unwrap().into(), source, vec![3], 1, 0).err().unwrap().to_string();
    assert_eq!(error, "traps are defined for games without chance, and pig has chance");
}

/// Two players take one to three matches from a heap, and who takes the last one wins. Heaps are dealt.
#[derive(Clone, Copy)]
struct Heap(u8);

impl Game for Heap {
    type State = (u8, bool);
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn start(&self) -> (u8, bool) {
        (self.0, true)
    }
    fn deal(&self, seed: u64) -> Option<(u8, bool)> {
        Some((4 + (seed % 20) as u8, true))
    }
    fn turn(&self, s: &(u8, bool)) -> Turn {
        match s {
            (0, first) => Turn::Over(if *first { -1.0 } else { 1.0 }),
            (_, true) => Turn::Decide(Player::Max),
            _ => Turn::Decide(Player::Min),
        }
    }
    fn actions(&self, s: &(u8, bool), out: &mut Vec<u8>) {
        out.extend(1..=s.0.min(3));
    }
    fn apply(&self, s: &mut (u8, bool), a: u8) {
        *s = (s.0 - a, !s.1);
    }
    fn key(&self, s: &(u8, bool)) -> Key {
        Key(u128::from(s.0) << 1 | u128::from(s.1))
    }
    fn range(&self) -> Interval {
        Interval::new(-1.0, 1.0)
    }
    fn has_chance(&self) -> bool {
        false
    }
}

impl Notation for Heap {
    fn read_state(&self, text: &str) -> Result<(u8, bool), ReadError> {
        text.parse().map(|heap| (heap, true)).map_err(|_| ReadError::position(text, "expected a number"))
    }
}

#[test]
fn decisions_away_from_a_solution_are_counted() {
    let solution = |heap| {
        let found = solve(&Heap(heap), &[(heap, true)], &Payoff, &SolveOptions::default(), &mut Unsupervised);
        Perfect(Arc::new(found.unwrap()), Payoff)
    };
    // The searches are the caller's, so nobody asks for a file.
    let result = |known| {
        let standing =
            Match::new(Heap(21), solution(known), solution(21)).budgets(Budget::default(), Budget::default());
        standing.pairs(10).play().unwrap()
    };
    let (whole, part) = (result(21), result(8));
    assert_eq!(whole.away, [0, 0]);
    assert!(part.away[0] > 0 && part.away[0] < part.decided[0] && part.away[1] == 0, "{part:?}");
    assert_eq!(part.decided.iter().sum::<u64>() as f64, part.decisions * 20.0);
    // Rows say so only where it happened, and older rows say nothing.
    let row =
        |away| GameRow { score: 1.0, luck: 0.0, decisions: [5, 5], nodes: [9, 9], broken_off: false, away };
    let plain = serde_json::to_string(&row([0, 0])).unwrap();
    assert!(!plain.contains("away"), "{plain}");
    assert_eq!(serde_json::from_str::<GameRow>(&plain).unwrap(), row([0, 0]));
    let text = serde_json::to_string(&row([3, 0])).unwrap();
    assert_eq!(serde_json::from_str::<GameRow>(&text).unwrap(), row([3, 0]));
}

#[test]
fn an_engine_refuses_a_start_that_its_solution_does_not_hold() {
    let file = std::env::temp_dir().join(format!("astragal-away-{}", std::process::id()));
    let engine = format!("solved(file={})", file.display());
    let game: Arc<dyn AnyGame> = Arc::new(erase(Heap(21)));
    let solution =
        game.solve(&*game.read("8").unwrap(), &SolveOptions::default(), &mut Unsupervised).unwrap();
    solution.save(game.spec(), &mut std::fs::File::create(&file).unwrap()).unwrap();
    let between = |start: &str, other: &str, terms: Terms| {
        let makers = [&*engine, other].map(|spec| maker(&game, spec).unwrap());
        Contest::between(Arc::clone(&game), game.read(start).unwrap(), makers, Budget::default(), terms, 0)
    };
    let starts = |texts: &[&str]| Terms {
        starts: texts.iter().map(ToString::to_string).collect(),
        ..Terms::default()
    };
    assert!(between("8", "random", Terms::default()).is_ok());
    assert!(between("21", "random", starts(&["7", "8"])).is_ok());
    for (start, terms) in [("21", Terms::default()), ("8", starts(&["7", "21"]))] {
        let NoContest(why) = between(start, "random", terms).map(|_| ()).unwrap_err();
        assert!(why.contains("does not hold the position '(21, true)'"), "{why}");
    }
    // Of random starts only the first is known in advance.
    let dealt = (0..20).map(|seed| {
        let makers = [&*engine, "random"].map(|spec| maker(&game, spec).unwrap());
        let terms = Terms { deal: true, ..Terms::default() };
        Contest::between(Arc::clone(&game), game.start(), makers, Budget::default(), terms, seed)
    });
    let played = dealt.flatten().next().expect("one of the first heaps is small");
    let rows: Vec<_> = (0..20).map(|pair| row(&played.play(pair, &mut Clock::start()).unwrap())).collect();
    let standing = Standing::new(&rows);
    assert!(standing.away[0] > 0 && standing.away[1] == 0, "{standing:?}");
    let report =
        serde_json::to_value(MatchReport::new(&played, &standing, &Trial::new(None), false)).unwrap();
    assert_eq!(report["away"]["decisions"][0], standing.away[0]);
    assert_eq!(report["away"]["of"][0], standing.decided[0]);
    std::fs::remove_file(file).unwrap();
}
