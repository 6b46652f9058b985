//! The library as used by a program: short calls are equivalent to the long ones, and nothing is silently
//! ignored.

use astragal::arena::budget::{ANALYSIS, budget_for};
use astragal::arena::contest::{Contest, Maker, PairRow, Standing, row};
use astragal::arena::terms::Terms;
use astragal::arena::tournament::{Kind, Tournament};
use astragal::arena::tune::Spsa;
use astragal::arena::work::Memory;
use astragal::catalog::{Extras, game_with};
use astragal::core::Files;
use astragal::games::connect_four::{ConnectFour, Fours};
use astragal::games::ewn::{Ewn, Proximity};
use astragal::games::pig::{HoldAt, Lead, Pig};
use astragal::games::tic_tac_toe::TicTacToe;
use astragal::prelude::*;
use astragal::search::{AlphaBeta, AlphaBetaOptions, ByRule, Star1, TableUse};
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[test]
fn a_short_search_is_the_long_one() {
    let (game, state) = (Pig::default(), Pig::default().state([30, 45], 12, Player::Max).unwrap());
    let short = Star2::new(Lead).sampled(3).search(&game, &state, Budget::depth(4));
    let long = Star2::new(Lead).sampled(3).search_with(&game, &state, 0, &Budget::depth(4), &mut Unwatched);
    assert_eq!(short, long);
}

#[test]
fn a_time_limit_is_heeded_by_every_search() {
    let game = Pig::default();
    let budget = Budget::time(Duration::from_millis(30));
    let begin = Instant::now();
    let deep = Star1::new(Lead).search(&game, &game.start(), budget);
    let wide = Mcts::new(Lead).search(&game, &game.start(), budget);
    assert!(deep.depth > 0 && wide.counts.simulations > 0);
    assert!(begin.elapsed() < Duration::from_secs(5));
}

/// The message with which a call panics.
fn panics(call: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let error = catch_unwind(call).expect_err("it is refused");
    error.downcast_ref::<String>().cloned().or(error.downcast_ref::<&str>().map(|s| (*s).into())).unwrap()
}

#[test]
fn a_limit_that_a_search_does_not_heed_is_refused() {
    let depth = panics(|| {
        let game = Pig::default();
        let _ = Mcts::new(Lead).search(&game, &game.start(), Budget::depth(3));
    });
    assert!(
        depth.contains("no support for a limit on depth; its limits are: iterations, nodes, time"),
        "{depth}"
    );
    // The longer form and an engine of the catalogue refuse it as well.
    let simulations = panics(|| {
        let (game, budget) = (Pig::default(), Budget::iterations(3));
        let _ = Star2::new(Lead).search_with(&game, &game.start(), 0, &budget, &mut Unwatched);
    });
    let erased = panics(|| {
        let game = game("pig").unwrap();
        let mut engine = game.engine("mcts").unwrap();
        let _ = engine.analyze(&*game.start(), 0, &Budget::depth(3), &mut Unwatched);
    });
    assert!(erased.contains("no support for a limit on depth"), "{erased}");
    assert!(simulations.contains("no support for a limit on iterations"), "{simulations}");
    // Without a clock a time limit would never expire.
    let unwatched = panics(|| {
        let (game, budget) = (Pig::default(), Budget::time(Duration::from_millis(5)));
        let _ = Star2::new(Lead).search_with(&game, &game.start(), 0, &budget, &mut Unwatched);
    });
    assert!(unwatched.contains("needs a clock"), "{unwatched}");
    let refused =
        |budget| Match::new(Pig::default(), Star2::new(Lead), Mcts::new(Lead)).budget(budget).play();
    assert!(refused(Budget::depth(2)).unwrap_err().to_string().contains("no support for a limit on depth"));
    assert!(refused(Budget::default()).unwrap_err().to_string().contains("needs a budget"));
    // A user's own search heeds the limits that it declares.
    let pig = erase(Pig::default());
    let own = pig.player("mine", Box::new(Star2::new(Lead)));
    assert_eq!(budget_for(&*own, Budget::depth(2), ANALYSIS), Ok(Budget::depth(2)));
    assert_eq!(budget_for(&*own, Budget::default(), ANALYSIS), Ok(Budget::time(ANALYSIS)));
    assert!(budget_for(&*own, Budget::iterations(2), ANALYSIS).is_err());
}

#[test]
fn a_match_of_ones_own_is_that_of_the_catalogue() {
    let (budget, pairs) = (Budget::depth(2), 5);
    let contest =
        Contest::new("pig(target=40)", None, ["star2", "hold-at(n=15)"], budget, Terms::opening(1), 7)
            .unwrap();
    let rows: Vec<PairRow> =
        (0..pairs).map(|pair| row(&contest.play(pair, &mut Clock::start()).unwrap())).collect();
    let theirs = Standing::new(&rows);
    for threads in [1, 3] {
        let star2 = Star2::new(Lead).table(TableUse::Values);
        let ours = Match::new(Pig::new(2, 40).unwrap(), star2, ByRule(HoldAt(15)))
            .budget(budget)
            .pairs(pairs)
            .opening(1)
            .seed(7)
            .threads(threads)
            .play()
            .unwrap();
        // Luck is valued by the game's first evaluator, and this game has only the neutral one.
        assert_eq!(
            (&ours.pairs, ours.decisions, ours.nodes),
            (&theirs.pairs, theirs.decisions, theirs.nodes)
        );
    }
}

#[test]
fn an_erased_game_is_that_of_the_catalogue() {
    let (ours, theirs) = (erase(Pig::default()).evaluator("lead", Lead), game("pig").unwrap());
    for spec in ["star2", "star2ss(width=3,eval=even)", "mcts(solver=on)", "flat", "random"] {
        let analysis = |game: &dyn AnyGame| {
            let position = game.read("30-45+12 p2").unwrap();
            let mut engine = game.engine(spec).unwrap();
            let budget = if spec == "random" { Budget::default() } else { Budget::nodes(2000) };
            engine.analyze(&*position, 5, &budget, &mut Unwatched)
        };
        assert_eq!(analysis(&ours), analysis(&*theirs), "{spec}");
    }
    assert!(ours.engine("hold-at").is_err(), "a player of another game, as far as anybody knows");
    let luck = |game: &dyn AnyGame| game.read("30-45+12 p2 rolling").unwrap().prospects();
    assert_eq!(luck(&ours), luck(&*theirs));
}

#[test]
fn a_league_of_ones_own_is_a_tournament_of_the_catalogue() {
    let league = || {
        let hold = |n| ByRule(HoldAt(n));
        League::new(Pig::new(2, 40).unwrap())
            .player("a", hold(5))
            .player("b", hold(15))
            .player("c", hold(25))
            .pairs(30)
    };
    let ours = league().seed(3).play().unwrap();
    let engines: Vec<String> = [5, 15, 25].map(|n| format!("hold-at(n={n})")).into();
    let budget = Budget::nodes(1);
    let tournament = Tournament::new(Kind::RoundRobin, "pig(target=40)", &engines, 30, budget, 3).unwrap();
    let mut executor = Memory::new(Clock::start());
    tournament.run(&mut executor, |_, _| {}).unwrap();
    let theirs = tournament.tables(&mut executor).unwrap().unwrap();
    assert_eq!((&ours.order, &ours.ratings.players), (&theirs.order, &theirs.ratings.players));
    // The player that holds at 5 comes last.
    assert_eq!(ours.order[2], 0);
    assert_eq!(league().kind(Kind::Gauntlet).play().unwrap().bouts.len(), 2);
    let twice = league().player("a", ByRule(HoldAt(9))).play();
    assert!(twice.err().unwrap().to_string().contains("'a' is listed twice"));
}

#[test]
fn parameters_of_ones_own_can_be_tuned() {
    let game = Arc::new(erase(Pig::new(1, 60).unwrap()));
    let pairing = |points: [&[f64]; 2], seed: u64| {
        let hold = points.map(|point| 2 + (18.0 * point[0]).round() as u16);
        let makers = hold.map(|n| -> Maker {
            let game = Arc::clone(&game);
            Arc::new(move || game.player("hold", Box::new(ByRule(HoldAt(n)))))
        });
        let start = AnyGame::start(&*game);
        let game: Arc<dyn AnyGame> = Arc::clone(&game) as _;
        let contest = || Contest::between(game, start, makers, Budget::default(), Terms::default(), seed);
        (hold[0] != hold[1]).then(contest).transpose()
    };
    let spsa = Spsa { parameters: 1, pairing: &pairing, steps: 30, pairs: 40, seed: 1 };
    let mut executor = Memory::new(Clock::start());
    let end = spsa.run(&mut executor, |_, _, _| {}).unwrap().unwrap();
    assert!(end[0] > 0.7, "holding late is better up to about 20: {end:?}");
}

#[test]
fn files_are_those_that_are_handed_in() {
    let tree = r#"{"root": {"max": {"left": 3, "right": 5}}}"#;
    let files = Files::new(move |path| match path {
        "a.json" => Ok(Box::new(tree.as_bytes())),
        _ => Err(std::io::Error::other("not here")),
    });
    let game = game_with("explicit(file=a.json)", &files.clone().into()).unwrap();
    let report =
        game.engine("minimax").unwrap().analyze(&*game.start(), 0, &Budget::depth(1), &mut Unwatched);
    assert_eq!((report.value, report.best.as_deref()), (5.0, Some("right")));
    for (error, why) in [
        (game_with("explicit(file=b.json)", &files.into()).err(), "not here"),
        (game.engine("solved(file=c.sol)").err(), "not here"),
        (game_with("explicit(file=a.json)", &Extras::default()).err(), "files are not available here"),
    ] {
        assert!(error.unwrap().to_string().contains(why), "{why}");
    }
}

#[test]
fn a_name_means_the_same_search_in_the_library_and_in_the_catalogue() {
    fn same<G: Notation + Clone + 'static, E: Evaluator<G> + Copy + 'static>(
        game: &G,
        evaluator: E,
        name: &str,
    ) {
        let erased = erase(game.clone()).evaluator("mine", evaluator);
        let root = erased.start();
        let check = |engine: &str, mut mine: Box<dyn Searcher<G>>, budget: Budget| {
            let spec = if evaluator.is_neutral() { format!("{engine}(eval=even)") } else { engine.into() };
            let theirs = erased.engine(&spec).unwrap().analyze(&*root, 3, &budget, &mut Unwatched);
            let mine = mine.search_with(game, &game.start(), 3, &budget, &mut Unwatched);
            assert_eq!(
                (mine.value, mine.depth, mine.stop),
                (theirs.value, theirs.depth, theirs.stop),
                "{spec} {name}"
            );
            assert_eq!(mine.counts, theirs.counts, "{spec} {name}");
            assert_eq!(mine.lines.len(), theirs.lines.len(), "{spec} {name}");
            for (mine, theirs) in mine.lines.iter().zip(&theirs.lines) {
                assert_eq!(
                    (mine.value, mine.bounds, mine.visits),
                    (theirs.value, theirs.bounds, theirs.visits)
                );
            }
        };
        check("mcts", Box::new(Mcts::new(evaluator)), Budget::iterations(300));
        check("uct", Box::new(Mcts::uct(evaluator)), Budget::iterations(300));
        check("expectimax", Box::new(Expectimax::new(evaluator)), Budget::depth(3));
        check("star1", Box::new(Star1::new(evaluator)), Budget::depth(4));
        check("star2", Box::new(Star2::new(evaluator)), Budget::depth(4));
        check("star2ss", Box::new(Star2::new(evaluator).sampled(10)), Budget::depth(3));
        if !game.has_chance() {
            let exact = AlphaBetaOptions::exact();
            check("alpha-beta", Box::new(AlphaBeta::new(evaluator, exact)), Budget::depth(5));
        }
    }
    same(&Pig::default(), Lead, "pig");
    same(&Pig::default(), Even, "pig");
    same(&Ewn::new(5, 5, 6).unwrap(), Proximity, "ewn");
    same(&TicTacToe, Even, "tic-tac-toe");
    same(&ConnectFour::default(), Fours, "connect-four");
}

#[test]
fn a_game_without_an_evaluator_is_played_out() {
    // A player who stops takes 0; one who goes on wins 1 twice in three times, and loses 1 otherwise.
    let game = erase(Dare);
    for engine in ["mcts", "dpw", "uct", "strongest"] {
        let mut engine = game.engine(engine).unwrap();
        let found = engine.analyze(&*game.start(), 1, &Budget::nodes(20_000), &mut Unwatched);
        assert!(found.value > 0.2, "{}: {}", engine.spec(), found.value);
        assert_eq!(found.best.as_deref(), Some("1"), "{}", engine.spec());
    }
    assert!(game.engine("strongest").unwrap().spec().starts_with("uct("));
    let refused = game.engine("strongest(level=2)").err().unwrap();
    assert!(refused.to_string().contains("has none"), "{refused}");
    assert!(game.engine("mcts").unwrap().spec().contains("c=1,dr=inf"));
    assert!(game.engine("mcts(dr=3)").unwrap().spec().contains("c=0.5,dr=3"));
}

/// Stop or go on, three times.
#[derive(Clone)]
struct Dare;

impl Game for Dare {
    /// The number of throws, twice, and whether the last was lost; odd numbers are for chance.
    type State = (u8, bool);
    type Action = u8;
    type Outcome = bool;

    fn start(&self) -> (u8, bool) {
        (0, false)
    }

    fn turn(&self, &(at, lost): &(u8, bool)) -> Turn {
        match at {
            _ if lost => Turn::Over(-1.0),
            9 => Turn::Over(0.0),
            6 => Turn::Over(1.0),
            at if at % 2 == 0 => Turn::Decide(Player::Max),
            _ => Turn::Chance,
        }
    }

    fn actions(&self, _: &(u8, bool), out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }

    fn outcomes(&self, _: &(u8, bool), out: &mut Vec<Weighted<bool>>) {
        out.extend([Weighted { item: true, weight: 0.125 }, Weighted { item: false, weight: 0.875 }]);
    }

    fn apply(&self, state: &mut (u8, bool), action: u8) {
        state.0 = if action == 0 { 9 } else { state.0 + 1 };
    }

    fn resolve(&self, state: &mut (u8, bool), lost: bool) {
        *state = (state.0 + 1, lost);
    }

    fn key(&self, state: &(u8, bool)) -> Key {
        Key(u128::from(state.0) << 1 | u128::from(state.1))
    }

    fn range(&self) -> Interval {
        Interval::new(-1.0, 1.0)
    }
}

impl Notation for Dare {}
