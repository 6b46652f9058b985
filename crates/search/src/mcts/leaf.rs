//! Helpers that play out the same leaf: leaf parallelism.
//!
//! Each helper plays with numbers of its own, and their values are added in a fixed order, so the result does not
//! depend on which of them is faster.

use crate::playout::{Playout, Rollout};
use astragal_core::{Evaluator, Game, Player, Stop, Stream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// How often the limits of the search are looked at while helpers play.
const PAUSE: Duration = Duration::from_millis(1);

/// Work for a helper: a state to play out, and the random numbers for it.
type Work<G> = (<G as Game>::State, Stream);

/// The value and the states visited, or why there is no value.
type Answer = Result<(f64, u64), (Stop, u64)>;

/// Where a helper gets its work, and where its answers come out.
type Channel<G> = (Sender<Work<G>>, Receiver<Answer>);

/// Threads that wait for leaves.
pub(super) struct Helpers<'a, G: Game, E> {
    channels: Vec<Channel<G>>,
    /// Playouts of a leaf beside this thread's own, which the helpers share.
    count: usize,
    rollout: Rollout<'a, G, E>,
    stop: &'a AtomicBool,
}

impl<'a, G: Game, E: Evaluator<G>> Helpers<'a, G, E> {
    /// Helpers for `count` playouts of a leaf, on at most `threads` threads, or as many of them as can be started. They
    /// leave when this is dropped, and give up a playout of `most` states, or when `stop` is set.
    pub(super) fn new<'scope>(
        scope: &'scope Scope<'scope, 'a>,
        rollout: Rollout<'a, G, E>,
        count: usize,
        threads: usize,
        most: u64,
        stop: &'a AtomicBool,
    ) -> Self {
        let start = |_| {
            let (give, take) = channel::<Work<G>>();
            let (answer, result) = channel();
            let run = move || {
                let mut player = Playout::new();
                let halt = |states: u64| {
                    let stopped = stop.load(Ordering::Relaxed).then_some(Stop::Cancelled);
                    stopped.or((states >= most).then_some(Stop::Nodes))
                };
                while let Ok((state, mut stream)) = take.recv() {
                    let played = rollout.value(&mut player, &state, &mut stream, |_, _| {}, halt);
                    if answer.send(played).is_err() {
                        break;
                    }
                }
            };
            Builder::new().spawn_scoped(scope, run).ok().map(|_| (give, result))
        };
        let channels = (0..threads.min(count)).map_while(start).collect();
        Self { channels, count, rollout, stop }
    }

    /// Starts all helpers on a leaf, plays it out on this thread as well, and adds up the values: their sum, how many there
    /// are, and the states visited. `halt` is asked from time to time whether to give up.
    pub(super) fn together(
        &self,
        state: &G::State,
        stream: &mut Stream,
        player: &mut Playout<G>,
        mut heard: impl FnMut(Player, G::Action),
        mut halt: impl FnMut(u64) -> Option<Stop>,
    ) -> Result<(f64, u32, u64), (Stop, u64)> {
        let mut works: Vec<Work<G>> = (0..self.count).map(|_| (state.clone(), stream.branch())).collect();
        // A limit on states that this thread meets ends the others, too.
        let mut play = |state: &G::State, stream: &mut Stream, heard: &mut dyn FnMut(Player, G::Action)| {
            let answer = self.rollout.value(player, state, stream, heard, &mut halt);
            if answer.is_err() {
                self.stop.store(true, Ordering::Relaxed);
            }
            answer
        };
        let helped = if self.channels.is_empty() { 0 } else { self.count };
        for (at, work) in works.drain(..helped).enumerate() {
            let (give, _) = &self.channels[at % self.channels.len()];
            give.send(work).expect("a helper waits for work");
        }
        let mut answers = vec![play(state, stream, &mut heard)];
        for (state, mut stream) in works {
            answers.push(play(&state, &mut stream, &mut |_, _| {}));
        }
        for at in 0..helped {
            let (_, result) = &self.channels[at % self.channels.len()];
            answers.push(loop {
                match result.recv_timeout(PAUSE) {
                    Ok(answer) => break answer,
                    Err(RecvTimeoutError::Timeout) => {
                        if halt(0).is_some() {
                            self.stop.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => panic!("a helper has panicked"),
                }
            });
        }
        let states = answers.iter().map(|(Ok((_, states)) | Err((_, states)))| states).sum();
        // The values are added in the order of the playouts, whoever was first.
        let mut sum = 0.0;
        for answer in &answers {
            match *answer {
                Ok((value, _)) => sum += value,
                Err((stop, _)) => return Err((stop, states)),
            }
        }
        Ok((sum, answers.len() as u32, states))
    }
}
