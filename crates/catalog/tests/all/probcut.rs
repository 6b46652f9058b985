//! Forward pruning: with an unlimited error allowance nothing changes, with a small one nodes are saved, and
//! where it is meaningless it is refused.

use astragal_catalog::{Analysis, game};
use astragal_core::{Budget, Unwatched, Watch};
use std::time::Duration;

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

/// A watch whose clock advances by a millisecond whenever the search asks whether to stop, and which may stop
/// it.
#[derive(Default)]
struct Looks {
    count: u64,
    most: Option<u64>,
}

impl Watch for Looks {
    fn elapsed(&mut self) -> Duration {
        Duration::from_millis(self.count)
    }

    fn cancelled(&mut self) -> bool {
        self.count += 1;
        self.most.is_some_and(|most| self.count > most)
    }
}

#[test]
fn fits_can_be_interrupted_and_take_nothing_from_the_first_search() {
    let game = game("pig").unwrap();
    let mut engine = game.engine("star2(probcut=1)").unwrap();
    let mut search = |watch: &mut Looks, time| {
        let budget = Budget { time: Some(Duration::from_millis(time)), ..Budget::default() };
        engine.analyze(&*game.start(), 0, &budget, watch)
    };
    // Most queries occur during the fits: a search cancelled in them returns a move and nothing else.
    let given_up = search(&mut Looks { most: Some(20), ..Looks::default() }, 1000);
    assert_eq!((given_up.depth, given_up.counts.nodes), (0, 0));
    assert!(given_up.best.is_some());
    let (mut first, mut second) = (Looks::default(), Looks::default());
    let reports = [search(&mut first, 40), search(&mut second, 40)];
    assert!(first.count > 2 * second.count, "{} {}", first.count, second.count);
    let [one, other] = reports.map(|report| (report.depth, report.value, report.counts.nodes, report.pv));
    assert_eq!(one, other);
    assert!(one.0 > 1);
}
