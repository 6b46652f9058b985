//! Search traps, checked against exhaustive search, known mates, and an independent checker of their proofs.

use astragal::core::{Game, Notation, Player, Turn, Unwatched};
use astragal::games::chess::Chess;
use astragal::games::connect_four::ConnectFour;
use astragal::games::kalah::Kalah;
use astragal::games::tic_tac_toe::TicTacToe;
use astragal::search::{Strategy, Traps};

fn children<G: Game>(game: &G, state: &G::State) -> Vec<(G::Action, G::State)> {
    let mut actions = Vec::new();
    game.actions(state, &mut actions);
    let after = |action| {
        let mut child = state.clone();
        game.apply(&mut child, action);
        (action, child)
    };
    actions.into_iter().map(after).collect()
}

/// The number of steps in which a player can force a win, by definition; `None` if there is no win within
/// `most`.
fn steps<G: Game>(game: &G, state: &G::State, winner: Player, most: u32) -> Option<u32> {
    let player = match game.turn(state) {
        Turn::Over(payoff) => return winner.prefers(payoff, 0.0).then_some(0),
        Turn::Decide(player) => player,
        Turn::Chance => unreachable!(),
    };
    let most = most.checked_sub(1)?;
    let below = children(game, state).into_iter().map(|(_, child)| steps(game, &child, winner, most));
    let best = if player == winner {
        below.flatten().min()
    } else {
        below.collect::<Option<Vec<u32>>>().and_then(|all| all.into_iter().max())
    };
    best.map(|steps| steps + 1)
}

/// States of random games.
fn states<G: Game>(game: &G, games: u64, every: u64) -> Vec<G::State> {
    let mut found = Vec::new();
    for seed in 0..games {
        let (mut state, mut at) = (game.start(), 0);
        while let Turn::Decide(_) = game.turn(&state) {
            if (at + seed) % every == 0 {
                found.push(state.clone());
            }
            let bits = astragal::core::Sampler::new(seed).draw(at, 0, 0);
            let action = game.any_action(&state, bits, &mut Vec::new());
            game.apply(&mut state, action);
            at += 1;
        }
    }
    found
}

/// Finds the traps of some states and compares them with the definition; returns their number.
fn compare<G: Game>(game: &G, states: &[G::State], level: u32) -> usize {
    let mut count = 0;
    for state in states {
        let Turn::Decide(player) = game.turn(state) else { unreachable!() };
        let mut watch = Unwatched;
        let traps = Traps::new(game, &mut watch).find(state, level).unwrap();
        for (action, child) in children(game, state) {
            let trap = traps.iter().find(|trap| trap.action == action);
            let truth = steps(game, &child, player.other(), level);
            assert_eq!(trap.map(|trap| trap.level), truth, "{action:?} in {state:?}");
            if let Some(trap) = trap {
                trap.strategy.check(game, &child, player.other(), trap.level).unwrap();
                // The win is not shorter than reported, and not for the other player.
                let less = trap.level.checked_sub(1);
                assert!(
                    less.is_none_or(|less| trap.strategy.check(game, &child, player.other(), less).is_err())
                );
                assert!(trap.strategy.check(game, &child, player, trap.level).is_err());
            }
        }
        count += traps.len();
    }
    count
}

#[test]
fn traps_are_those_of_the_definition_and_their_proofs_hold() {
    // All of these states are searched to the end: tic-tac-toe has no longer traps.
    assert!(compare(&TicTacToe, &states(&TicTacToe, 60, 1), 9) > 100);
    let game = ConnectFour::new(5, 4).unwrap();
    assert!(compare(&game, &states(&game, 40, 3), 5) > 50);
    let game = Kalah::new(3, 2).unwrap();
    assert!(compare(&game, &states(&game, 40, 2), 7) > 50);
    let game =
        Chess::default().starting(Chess::default().read_state("4k3/8/8/8/8/8/4q3/K7 b - - 0 1").unwrap());
    compare(&game, &states(&game, 4, 9), 2);
}

#[test]
fn mates_are_found_in_their_known_number_of_steps() {
    let game = Chess::default();
    for (text, winner, level) in [
        // The fool's mate: Black gives mate in one, which is one step.
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", Player::Min, 1),
        // A rook's mate on the back rank, and the ladder of two rooks in two moves.
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", Player::Max, 1),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", Player::Max, 3),
        // Queen and king against king.
        ("7k/8/5K2/8/8/8/8/1Q6 w - - 0 1", Player::Max, 3),
    ] {
        let state = game.read_state(text).unwrap();
        let mut watch = Unwatched;
        let mut traps = Traps::new(&game, &mut watch);
        assert_eq!(traps.steps(&state, winner, 5), Ok(Some(level)), "{text}");
        assert_eq!(traps.steps(&state, winner.other(), 3), Ok(None), "{text}");
    }
    // Playing g4 here allows mate in one.
    let state = game.read_state("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2").unwrap();
    let mut watch = Unwatched;
    let traps = Traps::new(&game, &mut watch).find(&state, 1).unwrap();
    let named: Vec<String> = traps.iter().map(|trap| game.write_action(&state, trap.action)).collect();
    assert_eq!(named, ["g4"]);
    let Strategy::Do(mate, then) = &traps[0].strategy else { panic!("Black acts") };
    let after = children(&game, &state).into_iter().find(|(action, _)| *action == traps[0].action).unwrap().1;
    assert_eq!((game.write_action(&after, *mate).as_str(), &**then), ("Qh4#", &Strategy::Won));
}

#[test]
fn the_checker_refuses_what_does_not_win() {
    let game = TicTacToe;
    // X threatens two lines: X wins next, whatever O does.
    let state = game.read_state("X.X/.O./X.O p2").unwrap();
    let mut watch = Unwatched;
    let mut traps = Traps::new(&game, &mut watch);
    assert_eq!(traps.steps(&state, Player::Max, 9), Ok(Some(2)));
    // No answer to some actions, an end claimed too early, and no steps left.
    let nothing: Strategy<_> = Strategy::Against(Vec::new());
    assert!(nothing.check(&game, &state, Player::Max, 2).unwrap_err().contains("no reply to"));
    let won: Strategy<_> = Strategy::Won;
    assert!(won.check(&game, &state, Player::Max, 2).unwrap_err().contains("another player's turn"));
    assert!(nothing.check(&game, &state, Player::Max, 0).unwrap_err().contains("no step is left"));
}
