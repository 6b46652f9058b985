//! The overhead of a match beyond the thinking time of its engines.

use crate::print::counted;
use astragal_arena::contest::Contest;
use astragal_arena::sequential::Trial;
use astragal_arena::terms::Terms;
use astragal_core::Budget;
use astragal_store::{Crew, Store};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The match: one millisecond per decision, one worker.
const ENGINES: [&str; 2] = ["mcts", "star2ss(width=2)"];
const GAME: &str = "ewn";
const THINK: Duration = Duration::from_millis(1);
const PAIRS: u64 = 20;

/// A match, and where its time went.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Harness {
    decisions: u64,
    /// The thinking time of the engines.
    thinking_s: f64,
    /// The total time of the match.
    all_s: f64,
}

impl Harness {
    /// The overhead as a fraction of the thinking time.
    pub(super) fn share(&self) -> f64 {
        (self.all_s - self.thinking_s) / self.thinking_s
    }

    pub(super) fn words(&self) -> String {
        format!(
            "A match at 1 ms a decision, {} in {:.2} s: the overhead is {:.2} % of the thinking time.",
            counted(self.decisions, "decision", "decisions"),
            self.all_s,
            100.0 * self.share()
        )
    }
}

/// The round with the least overhead, since noise only adds.
pub(super) fn harness(rounds: u32) -> Harness {
    let all = (0..rounds.max(1)).map(|round| play(round.into()));
    all.min_by(|a, b| a.share().total_cmp(&b.share())).expect("there are rounds")
}

fn play(seed: u64) -> Harness {
    let budget = Budget { time: Some(THINK), ..Budget::default() };
    let contest =
        Contest::new(GAME, None, ENGINES, budget, Terms::default(), seed).expect("engines of the catalogue");
    let (stop, mut store) = (AtomicBool::new(false), Store::memory());
    let mut trial = Trial::new(None);
    let start = Instant::now();
    let done = trial.run(&contest, PAIRS, &mut Crew::new(1, &stop, &mut store), |_, _, _| {});
    let all_s = start.elapsed().as_secs_f64();
    assert_eq!(done.ok(), Some(true), "a match in memory is played to its end");
    let [first, second] = trial.efforts();
    let thinking_s = (first.time + second.time).as_secs_f64();
    Harness { decisions: first.decisions + second.decisions, thinking_s, all_s }
}
