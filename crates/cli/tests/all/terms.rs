//! Games without chance through the real binary: matches on the thesis's terms, PGN, and traps.

use crate::binary::{directory, path, refused, said};
use serde_json::Value;

#[test]
fn a_match_of_the_thesis_is_recorded_and_played_again() {
    let directory = directory("thesis-terms");
    let record = path(&directory, "games.txt");
    let base = ["match", "kalah(pits=4,stones=3)", "uct-h", "alpha-beta(depth=3,plain=on)", "--pairs", "4"];
    let terms = ["--deal", "--match-nodes", "--finish", "endings=0.01:alpha-beta(depth=4)"];
    let text = said(&[&base[..], &terms, &["--record", &record]].concat());
    assert!(text.contains("success ") && !text.contains("This game has no dice"), "{text}");
    assert_eq!(said(&["replay", &record, "--again", "--quiet"]), "8 games checked: all right\n");
    std::fs::remove_dir_all(directory).unwrap();
    for (args, words) in [
        (&["--finish", "soon:random"][..], "is not a finish"),
        (&["--finish", "after=3:uct"], "'uct' finishes the games and needs its own depth limit"),
        (&["--record", "games.pgn"], "PGN is for games of chess, not of kalah"),
        (&["--match-nodes", "--first-budget", "nodes=5"], "cannot be used with"),
    ] {
        let error = refused(&[&base[..], args].concat());
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn games_of_chess_are_written_as_pgn_and_searched_for_traps() {
    let directory = directory("pgn");
    let record = path(&directory, "games.pgn");
    let engines = ["match", "chess", "alpha-beta(depth=1)", "random", "--pairs", "1"];
    said(&[&engines[..], &["--record", &record, "--opening", "2"]].concat());
    let written = std::fs::read_to_string(&record).unwrap();
    assert_eq!(written.matches("[White ").count(), 2, "{written}");
    assert!(
        written.contains("\n1. ") && written.lines().all(|line| line.len() < 80 || line.starts_with('['))
    );
    let found = said(&["traps", "chess", "--games", &record, "--plies", "2,6", "--level", "1", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!((found["games"].as_u64(), found["plies"][0]["boards"].as_u64()), (Some(2), Some(2)));
    // An illegal move is reported with its location.
    std::fs::write(&record, "[White \"a\"]\n\n1. e4 e5\n2. Ke3 *").unwrap();
    let error = refused(&["traps", "chess", "--games", &record]);
    assert!(error.contains("line 4, game 1, move 3"), "{error}");
    std::fs::write(&record, "1. e4 *\n[White \"a\"]\n[FEN \"8/8 w\"]\n\n1. e4 e5 *").unwrap();
    let error = refused(&["traps", "chess", "--games", &record]);
    assert!(error.contains("line 3, game 2, its start"), "{error}");
    std::fs::write(&record, "").unwrap();
    assert!(refused(&["traps", "chess", "--games", &record]).contains("has no games"));
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn traps_of_a_position_come_with_their_strategy() {
    let scholar = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let found = said(&["traps", "chess", "--position", scholar, "--level", "1", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    let traps = found["traps"].as_array().unwrap();
    // Only moves that guard f7 or block the queen's way to it are safe.
    assert_eq!(
        (traps.len(), found["actions"].as_u64(), found["at_risk"].as_bool()),
        (20, Some(28), Some(true))
    );
    let mates =
        |trap: &Value| trap["strategy"]["action"].as_str().is_some_and(|action| action.ends_with('#'));
    assert!(traps.iter().all(|trap| mates(trap) && trap["strategy"]["then"] == "won"), "{traps:?}");
    let quiet = said(&["traps", "chess", "--level", "1"]);
    assert!(quiet.contains("no trap of level 1 or less among 20 moves"), "{quiet}");
    let boards = said(&[
        "traps",
        "kalah",
        "--self-play",
        "alpha-beta(depth=2)",
        "--deal",
        "--count",
        "3",
        "--plies",
        "5,20",
    ]);
    assert!(boards.contains("Boards at risk"), "{boards}");
    for (args, words) in [
        (&["traps", "pig"][..], "traps are defined for games without chance, and pig has chance"),
        (&["traps", "kalah", "--self-play", "uct"], "'uct' needs a budget per decision"),
        (&["traps", "chess", "--games", "no/such.pgn"], "cannot read 'no/such.pgn'"),
        (&["traps", "kalah", "--self-play", "random", "--random", "2"], "from 0 to 1"),
        (
            &["reproduce", "mcms-table1", "--pgn", "no/such.pgn"],
            "--pgn is for thesis-fig3.1 and thesis-fig4.3",
        ),
        (&["reproduce", "thesis-fig4.3", "--pgn", "no/such.pgn"], "cannot read 'no/such.pgn'"),
        (
            &["analyze", "connect-four", "--engine", "alpha-beta(leaf=playouts(n=1.5))", "--depth", "1"],
            "playouts(n=1..1000000, whole)",
        ),
    ] {
        let error = refused(args);
        assert!(error.contains(words), "{error}");
    }
}
