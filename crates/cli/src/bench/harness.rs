//! What a match costs beside the thinking of its engines.

use crate::print::counted;
use astragal_core::Budget;
use astragal_lab::contest::Contest;
use astragal_lab::play::Played;
use astragal_lab::run::{Crew, Shard};
use astragal_lab::store::Store;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The match: a millisecond a decision, one worker.
const ENGINES: [&str; 2] = ["mcts", "star2ss(width=2)"];
const GAME: &str = "ewn";
const THINK: Duration = Duration::from_millis(1);
const PAIRS: u64 = 20;

/// A match, and where its time went.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Harness {
    decisions: u64,
    /// The time in which engines were thinking.
    thinking_s: f64,
    /// The time of the whole match.
    all_s: f64,
}

impl Harness {
    /// What is not thinking, as a share of the thinking.
    pub(super) fn share(&self) -> f64 {
        (self.all_s - self.thinking_s) / self.thinking_s
    }

    pub(super) fn words(&self) -> String {
        format!(
            "A match at 1 ms a decision, {} in {:.2} s: all but thinking costs {:.2} % of the thinking.",
            counted(self.decisions, "decision", "decisions"),
            self.all_s,
            100.0 * self.share()
        )
    }
}

/// The cheapest of some rounds, for noise only ever adds.
pub(super) fn harness(rounds: u32) -> Harness {
    let all = (0..rounds.max(1)).map(|round| play(round.into()));
    all.min_by(|a, b| a.share().total_cmp(&b.share())).expect("there are rounds")
}

fn play(seed: u64) -> Harness {
    let budget = Budget { time: Some(THINK), ..Budget::default() };
    let contest = Contest::new(GAME, None, ENGINES, budget, 0, seed).expect("engines of the catalogue");
    let (mut thinking, mut decisions) = (Duration::ZERO, 0);
    let stop = AtomicBool::new(false);
    let crew = Crew { workers: 1, shard: Shard::WHOLE, stop: &stop };
    let start = Instant::now();
    let done = crew.run(&[(&contest, PAIRS)], &mut Store::memory(), |unit| {
        if let Ok(games) = unit.aside.downcast::<[Played; 2]>() {
            for effort in games.iter().flat_map(|game| &game.efforts) {
                thinking += effort.time;
                decisions += effort.decisions;
            }
        }
        ControlFlow::Continue(())
    });
    let all_s = start.elapsed().as_secs_f64();
    assert_eq!(done.ok(), Some(true), "a match in memory is played to its end");
    Harness { decisions, thinking_s: thinking.as_secs_f64(), all_s }
}
