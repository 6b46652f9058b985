//! Ra against its known counts, and under search.

use astragal::core::{Budget, Game, Searcher, Unwatched};
use astragal::games::ra::{Assets, Ra, Score};
use astragal::search::{Algorithm, Options, StarMinimax, perft};

#[test]
fn perft_of_the_start() {
    let game = Ra::default();
    let counts: Vec<u64> = (1..=4).map(|depth| perft(&game, &game.start(), depth, true)).collect();
    assert_eq!(counts, [24, 538, 11_866, 261_649]);
}

/// Star1 and Star2 equal Expectimax with either evaluator, although the tight bounds of the last epoch clamp
/// its values.
#[test]
fn star_equals_expectimax() {
    let game = Ra::default();
    let positions = [
        "1/0 10:9652:- 10:8743:- 1 - - p1 turn",
        "2/3 14:92(67):3pharaoh,2nile 21:43(18):god,art,2temple 5 nile,unrest,flood 6ra p2 turn",
        "3/4 24:9(652):5nile,2palace 30:(8743):pharaoh 1 2gold,flood 12ra p1 turn",
        "3/2 24:95(62):5nile,2palace,art,2writing 30:43(87):pharaoh 1 gold,unrest 12ra p1 turn",
    ];
    for text in positions {
        let state = astragal::core::Notation::read_state(&game, text).unwrap();
        let value = |algorithm: Algorithm, strong: bool| {
            let options = Options { depth: 3, ..Options::new(algorithm) };
            let budget = Budget::default();
            if strong {
                StarMinimax::new(Assets, options).search_with(&game, &state, 1, &budget, &mut Unwatched)
            } else {
                StarMinimax::new(Score, options).search_with(&game, &state, 1, &budget, &mut Unwatched)
            }
        };
        for strong in [false, true] {
            let exact = value(Algorithm::Expectimax, strong);
            for algorithm in [Algorithm::Star1, Algorithm::Star2 { probes: 1 }] {
                let pruned = value(algorithm, strong);
                assert_eq!(pruned.value, exact.value, "{text} {algorithm:?}");
                assert_eq!(pruned.best, exact.best, "{text} {algorithm:?}");
                assert!(pruned.counts.nodes <= exact.counts.nodes);
            }
        }
    }
}
