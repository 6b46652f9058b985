use super::*;
use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};
use astragal_core::{Evaluator, Even, Notation};

fn read(text: &str) -> State {
    Chess::default().read_state(text).unwrap()
}

/// Returns the state after the given moves.
fn after(text: &str, moves: &str) -> State {
    let game = Chess::default();
    let mut state = read(text);
    for word in moves.split_whitespace() {
        let action = game.read_action(&state, word).unwrap_or_else(|error| panic!("{error}"));
        game.apply(&mut state, action);
    }
    state
}

#[test]
fn chess_keeps_the_contract() {
    let ending = Chess::default().starting(read("8/8/4k3/8/8/4K3/4R3/8 w - - 60 80"));
    for game in [Chess::default(), ending] {
        let play = Play { games: 20, ..Play::default() };
        let visited = check_game(&game, play).unwrap();
        assert_eq!(visited.finished, 20);
        check_notation(&game, Play { games: 5, ..play }).unwrap();
        check_evaluator(&game, &Squares, play).unwrap();
        check_evaluator(&game, &Material, play).unwrap();
        check_evaluator(&game, &Even, play).unwrap();
    }
}

#[test]
fn perft_has_its_known_numbers() {
    fn perft(game: &Chess, state: &State, depth: u32) -> u64 {
        let mut actions = Vec::new();
        game.actions(state, &mut actions);
        if depth == 1 {
            return actions.len() as u64;
        }
        let child = |action| {
            let mut child = state.clone();
            game.apply(&mut child, action);
            perft(game, &child, depth - 1)
        };
        actions.into_iter().map(child).sum()
    }
    for (text, known) in [
        ("startpos", &[20, 400, 8_902, 197_281][..]),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2_039, 97_862]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379]),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2_079, 89_890]),
    ] {
        let game = Chess::default();
        let state = read(text);
        let counts: Vec<u64> = (1..=known.len() as u32).map(|depth| perft(&game, &state, depth)).collect();
        assert_eq!(counts, known, "{text}");
    }
}

#[test]
fn games_end_by_mate_and_by_every_kind_of_draw() {
    let game = Chess::default();
    let turn = |state: &State| game.turn(state);
    assert_eq!(turn(&after("startpos", "f3 e5 g4 Qh4#")), Turn::Over(-100.0));
    assert_eq!(turn(&after("startpos", "e4 e5 Qh5 Nc6 Bc4 Nf6 h5f7")), Turn::Over(100.0));
    // Stalemate.
    assert_eq!(turn(&read("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), Turn::Over(0.0));
    // Drawn at the third occurrence, not at the second.
    let shuffle = "Nf3 Nf6 Ng1 Ng8";
    assert_eq!(turn(&after("startpos", shuffle)), Turn::Decide(Player::Max));
    assert_eq!(turn(&after("startpos", &format!("{shuffle} {shuffle}"))), Turn::Over(0.0));
    // A pawn's double step makes a different position only if it can be captured en passant.
    let again = "Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1";
    assert_eq!(turn(&after("startpos", &format!("e4 {again}"))), Turn::Over(0.0));
    let passing = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    assert_eq!(turn(&after(passing, "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1")), Turn::Decide(Player::Min));
    // Fifty moves, unless the last one mates.
    assert_eq!(turn(&after("8/8/4k3/8/8/4K3/4R3/8 w - - 99 80", "Kd3+")), Turn::Over(0.0));
    assert_eq!(turn(&after("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "Ra8#")), Turn::Over(100.0));
    for (dead, text) in [
        (true, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        (true, "4k3/8/8/8/8/8/8/4KN2 w - - 0 1"),
        (true, "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1"),
        (false, "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1"),
        (false, "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"),
        (false, "4k3/7p/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        assert_eq!(turn(&read(text)) == Turn::Over(0.0), dead, "{text}");
    }
}

#[test]
fn moves_are_read_in_both_notations_and_written_in_one() {
    let game = Chess::default();
    let state = read("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for (texts, written) in [
        (["e1g1", "O-O"], "O-O"),
        (["e1c1", "O-O-O"], "O-O-O"),
        (["d5e6", "dxe6"], "dxe6"),
        (["f3f6", "Qxf6"], "Qxf6"),
    ] {
        for text in texts {
            let action = game.read_action(&state, text).unwrap();
            assert_eq!(game.write_action(&state, action), written);
        }
    }
    let promotes = read("8/P6k/8/8/8/8/7K/8 w - - 0 1");
    for text in ["a7a8n", "a8=N", "a8N"] {
        let action = game.read_action(&promotes, text).unwrap();
        assert_eq!(game.write_action(&promotes, action), "a8=N");
    }
    for text in ["e1e3", "Qd9", "", "O-O-O-O", "e2e4"] {
        assert!(
            game.read_action(&state, text).unwrap_err().to_string().contains("expected one of"),
            "{text}"
        );
    }
}

#[test]
fn positions_are_read_with_and_without_counts_and_refused_with_the_reason() {
    let game = Chess::default();
    assert_eq!(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), game.start());
    let twice = after("startpos", "Nf3 Nf6 Ng1 Ng8");
    assert_eq!(game.write_state(&twice), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3 x2");
    assert!(read(&game.write_state(&twice)) == twice && twice != game.start());
    // A parsed state remembers the repetition.
    assert_eq!(game.turn(&after(&game.write_state(&twice), "Nf3 Nf6 Ng1 Ng8")), Turn::Over(0.0));
    for (text, why) in [
        ("", "the board is invalid"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "missing a field; expected a FEN such as rnbq"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNZ w KQkq - 0 1", "the board is invalid"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "the side to move is invalid"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is invalid"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the board is invalid"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 x7", "x1 to x3"),
    ] {
        let error = game.read_state(text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}: {why}");
    }
}

#[test]
fn evaluators_see_what_they_say_and_are_fair() {
    let game = Chess::default();
    let both = |text: &str| [Squares.value(&game, &read(text)), Material.value(&game, &read(text))];
    assert_eq!(both("startpos"), [0.0; 2]);
    // An extra queen, for either side.
    let queen = both("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    let other = both("3qk3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(queen[1], 100.0 * 900.0 / 6500.0);
    assert_eq!(queen, other.map(|value| -value));
    assert!(queen.iter().all(|value| *value > 0.0));
    // A knight in the centre, a pawn about to promote, a safe king.
    let squares = |text: &str| Squares.value(&game, &read(text));
    assert!(squares("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1") > squares("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"));
    assert!(squares("4k3/P7/8/8/8/8/8/4K3 w - - 0 1") > squares("4k3/8/8/8/8/P7/8/4K3 w - - 0 1"));
    let castled = "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
    let walked = "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPPKPPP/RNBQ3R b kq - 5 4";
    assert!(squares(castled) > squares(walked));
}

#[test]
fn forcing_moves_are_captures_and_promotions_and_the_best_look_best() {
    let game = Chess::default();
    let state = read("3qk3/P3p3/8/3p4/4P3/8/8/3QK3 w - - 0 1");
    let of = |text: &str| game.read_action(&state, text).unwrap();
    assert!(["exd5", "a8=Q", "Qxd5"].iter().all(|text| game.is_forcing(&state, of(text))));
    assert!(!game.is_forcing(&state, of("Kf2")));
    let promise = |text: &str| game.promise(&state, of(text));
    assert!(
        promise("a8=Q") > promise("exd5")
            && promise("exd5") > promise("Qxd5")
            && promise("Qxd5") > promise("Kf2")
    );
    assert!(!game.is_threatened(&state));
    assert!(game.is_threatened(&read("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")));
    assert!(game.passed(&state).is_some_and(|state| state.player() == Player::Min));
    assert!(game.passed(&read("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")).is_none());
    assert!(game.passed(&read("4k3/8/8/8/8/8/4r3/Q3K3 w - - 0 1")).is_none());
}
