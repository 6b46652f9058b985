use super::*;
use astragal_core::contract::{Play, check_evaluator, check_game, check_horizon, check_notation};
use astragal_core::{Even, Notation};

fn standard() -> Ewn {
    Ewn::new(5, 5, 6).unwrap()
}

#[test]
fn ewn_keeps_the_contract() {
    for game in [
        standard(),
        standard().merging(true),
        Ewn::random(5, 5, 6, 7).unwrap(),
        Ewn::new(3, 3, 3).unwrap(),
        Ewn::new(2, 14, 1).unwrap(),
        Ewn::new(9, 7, 6).unwrap(),
    ] {
        let play = Play { games: 300, ..Play::default() };
        let visited = check_game(&game, play).unwrap();
        assert_eq!(visited.finished, 300, "every game ends");
        check_notation(&game, play).unwrap();
        check_evaluator(&game, &Race, play).unwrap();
        check_evaluator(&game, &Proximity, play).unwrap();
        check_evaluator(&game, &Even, play).unwrap();
        let few = Play { games: 5, ..play };
        check_horizon(&game, &Race, few, 2).unwrap();
        check_horizon(&game, &Proximity, few, 2).unwrap();
    }
}

#[test]
fn the_roll_allows_the_stone_or_its_neighbours() {
    // Own stones 1, 2 and 5: only the order matters, not the difference.
    let game = standard();
    let state = game.read_state("1.2../...../5..../...../....a p1 -").unwrap();
    let allowed = |face| game.movable(&state, Player::Max, face);
    assert_eq!(allowed(1), (Some(0), None));
    assert_eq!(allowed(2), (Some(1), None));
    assert_eq!(allowed(3), (Some(1), Some(4)));
    assert_eq!(allowed(4), (Some(1), Some(4)));
    assert_eq!(allowed(5), (Some(4), None));
    assert_eq!(allowed(6), (Some(4), None));
}

#[test]
fn merged_faces_have_the_weight_of_all() {
    let game = standard().merging(true);
    let state = game.read_state("1.2../...../5..../...../....a p1 -").unwrap();
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    let faces: Vec<(u8, f64)> = outcomes.iter().map(|o| (o.item.0, (o.weight * 6.0).round())).collect();
    assert_eq!(faces, [(1, 1.0), (2, 1.0), (3, 2.0), (5, 2.0)]);
}

#[test]
fn any_stone_on_the_target_square_is_removed() {
    let game = standard();
    let play = |text: &str, action: &str| {
        let mut state = game.read_state(text).unwrap();
        let action = game.read_action(&state, action).unwrap();
        game.apply(&mut state, action);
        game.write_state(&state)
    };
    assert_eq!(play("1b.../...../...../...../....a p1 1", "1 right"), ".1.../...../...../...../....a p2 -");
    assert_eq!(play("12.../...../...../...../....a p1 1", "1 right"), ".1.../...../...../...../....a p2 -");
    assert_eq!(
        play("1..../...../...../...2./....a p2 1", "1 diagonal"),
        "1..../...../...../...a./..... p1 -"
    );
}

#[test]
fn reaching_the_corner_or_removing_all_wins() {
    let game = standard();
    let turn = |text: &str| game.turn(&game.read_state(text).unwrap());
    assert_eq!(turn("...../...../...../...a./....1 p2 -"), Turn::Over(100.0));
    assert_eq!(turn("a..../...../...../...1./..... p1 -"), Turn::Over(-100.0));
    assert_eq!(turn("...../...../...../...1./..... p2 -"), Turn::Over(100.0));
    assert_eq!(turn("...../...../...../...a./..... p1 -"), Turn::Over(-100.0));
    assert_eq!(turn("...../...../...1./...a./..... p1 -"), Turn::Chance);
    assert_eq!(turn("...../...../...1./...a./..... p1 6"), Turn::Decide(Player::Max));
}

#[test]
fn positions_are_written_as_documented() {
    let game = standard();
    assert_eq!(game.write_state(&game.start()), "123../45.../6...f/...ed/..cba p1 -");
    let text = "...5./.2.../...../...a./.f... p1 -";
    assert_eq!(game.write_state(&game.read_state(text).unwrap()), text);
}

#[test]
fn malformed_positions_are_explained() {
    let game = standard();
    for (text, why) in [
        ("", "not a board, a player and a roll"),
        ("1..../...../...../...../....a p1", "not a board and a player"),
        ("1..../...../...../....a p1 -", "expected 5 rows, found 4"),
        ("1.../...../...../...../....a p1 -", "must have 5 squares"),
        ("1..../...../..x../...../....a p1 -", "'x' is neither a digit"),
        ("1..../...../..7../...../....a p1 -", "'7' is a stone too many"),
        ("1...1/...../...../...../....a p1 -", "the stone '1' appears twice"),
        ("1..../...../...../...../....a p3 -", "neither p1 nor p2"),
        ("1..../...../...../...../....a p1 7", "the roll '7' is neither"),
        ("1..../...../...../...../....a p1 x", "the roll 'x' is neither"),
        ("...../...../...../...../..... p1 -", "no stone on the board"),
        ("a..../...../...../...../....1 p1 -", "both sides cannot have won"),
        ("a..../...../...1./...../..... p1 3", "the game is over"),
    ] {
        let error = game.read_state(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn impossible_boards_are_refused() {
    for (rows, columns, stones) in
        [(1, 5, 1), (5, 15, 1), (5, 5, 0), (5, 5, 10), (5, 5, 4), (2, 2, 3), (3, 3, 6)]
    {
        assert!(Ewn::new(rows, columns, stones).is_err(), "{rows} {columns} {stones}");
    }
    assert!(Ewn::new(2, 2, 1).is_ok() && Ewn::new(14, 14, 6).is_ok());
}

#[test]
fn random_set_ups_differ_and_repeat() {
    let text = |seed| {
        let game = Ewn::random(5, 5, 6, seed).unwrap();
        game.write_state(&game.start())
    };
    assert_eq!(text(1), text(1));
    assert!((2..10).any(|seed| text(seed) != text(1)));
}

#[test]
fn what_is_not_allowed_is_explained() {
    let game = Ewn::new(5, 5, 6).unwrap();
    let state = game.read_state("....5/.2.../...../...a./.f... p1 3").unwrap();
    for (action, why) in [
        ("3 down", "stone 3 is gone"),
        ("5 right", "off the board"),
        ("2 up", "your stones move right, down or diagonal"),
    ] {
        let error = game.read_action(&state, action).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("expected one of"), "{action}: {error}");
    }
    let state = game.read_state("....5/.2.../...../...a./.f... p1 5").unwrap();
    let error = game.read_action(&state, "2 down").unwrap_err().to_string();
    assert!(error.contains("with a 5 only stone 5 may move"), "{error}");
}

#[test]
fn every_stone_is_found_on_its_square_and_none_elsewhere() {
    for stones in 1..=ROOM as u8 {
        let mut side = [GONE; ROOM];
        for stone in 0..stones {
            side[usize::from(stone)] = 7 * stone + 1;
        }
        for square in 0..MOST_SQUARES as u8 {
            let expected = side.iter().position(|&other| other == square);
            assert_eq!(stone_on(&side, square, stones), expected, "{stones} stones, square {square}");
        }
    }
}

#[test]
fn moves_call_stones_as_the_board_does_and_understand_their_numbers() {
    let game = Ewn::new(5, 5, 6).unwrap();
    let state = game.read_state("123../45.../6...f/...ed/..cba p2 3").unwrap();
    let mut actions = Vec::new();
    game.actions(&state, &mut actions);
    for action in actions {
        let name = game.write_action(&state, action);
        assert!(name.starts_with("c "), "{name}");
        assert_eq!(game.read_action(&state, &name.replace('c', "3")), Ok(action));
        assert_eq!(game.read_action(&state, &name.to_uppercase()), Ok(action));
    }
    assert!(game.read_action(&state, "4 up").is_err() && game.read_action(&state, "d up").is_err());
}
