//! Forward pruning: nothing changes if it allows for any error, nodes are saved if it allows for little, and
//! it is refused where it has no meaning.

use astragal_catalog::{Analysis, game};
use astragal_core::{Budget, Unwatched};

fn searched(spec: &str, engine: &str, depth: u32) -> Analysis {
    let game = game(spec).unwrap();
    let mut engine = game.engine(engine).unwrap();
    engine.analyze(&*game.start(), 0, &Budget::depth(depth), &mut Unwatched)
}

#[test]
fn cuts_that_allow_for_any_error_change_nothing() {
    for (spec, depth) in [("pig", 5), ("ewn", 3)] {
        for engine in ["star1", "star2"] {
            let exact = searched(spec, engine, depth);
            let cut = searched(spec, &format!("{engine}(probcut=100)"), depth);
            let lines = |report: &Analysis| {
                report.lines.iter().map(|line| (line.action.clone(), line.bounds)).collect::<Vec<_>>()
            };
            assert_eq!((cut.value, &cut.best, &cut.pv), (exact.value, &exact.best, &exact.pv));
            assert_eq!(lines(&cut), lines(&exact));
        }
    }
}

#[test]
fn cuts_that_allow_for_little_save_nodes_and_stay_near_the_value() {
    for (spec, depth) in [("pig", 6), ("ewn", 4)] {
        let exact = searched(spec, "star2", depth);
        let cut = searched(spec, "star2(probcut=0.25)", depth);
        assert!(
            cut.counts.nodes < exact.counts.nodes * 9 / 10,
            "{} {}",
            cut.counts.nodes,
            exact.counts.nodes
        );
        assert!((cut.value - exact.value).abs() < 5.0, "{} {}", cut.value, exact.value);
    }
}

#[test]
fn a_game_without_chance_is_searched_as_without_cuts() {
    let (cut, exact) = (searched("tic-tac-toe", "star2(probcut=1)", 6), searched("tic-tac-toe", "star2", 6));
    assert_eq!((cut.value, cut.counts), (exact.value, exact.counts));
}

#[test]
fn cuts_are_refused_where_they_have_no_meaning() {
    let error = |spec: &str| game("pig").unwrap().engine(spec).err().unwrap().to_string();
    assert!(error("star2(probcut=1,threads=2)").contains("threads=1"));
    assert!(error("star2ss(probcut=1)").contains("probcut"));
    assert!(error("expectimax(probcut=1)").contains("probcut"));
    assert!(error("star2(probcut=-1)").contains("probcut"));
}
