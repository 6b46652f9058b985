//! Leaf parallelism: helper threads that play out the same leaf.
//!
//! Each helper has its own random numbers, and their values are added in a fixed order, so the result does
//! not depend on which of them is faster.

use crate::playout::{Playout, Rolled, Rollout};
use astragal_core::{Evaluator, Game, Player, Stop, Stream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// How often the limits of the search are checked while helpers play.
const PAUSE: Duration = Duration::from_millis(1);

/// Work for a helper: a state to play out, and the random numbers for it.
type Work<G> = (<G as Game>::State, Stream);

/// The evaluation, or why there is none and the states visited.
type Answer = Result<Rolled, (Stop, u64)>;

/// Sends work to a helper and receives its answers.
type Channel<G> = (Sender<Work<G>>, Receiver<Answer>);

/// Threads that wait for leaves to play out.
pub(super) struct Helpers<'a, G: Game, E> {
    channels: Vec<Channel<G>>,
    /// Playouts of a leaf in addition to this thread's own, divided among the helpers.
    count: usize,
    rollout: Rollout<'a, G, E>,
    /// The most states of a playout.
    most: u64,
    stop: &'a AtomicBool,
}

impl<'a, G: Game, E: Evaluator<G>> Helpers<'a, G, E> {
    /// Starts helpers for `count` playouts of a leaf, on at most `threads` threads, or on as many as the
    /// system can start. They exit when this is dropped, and abandon a playout after `most` states or when
    /// `stop` is set.
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
        Self { channels, count, rollout, most, stop }
    }

    /// Plays out a leaf on all helpers and on this thread: returns their mean evaluation and their number.
    /// Polls `halt` for a reason to stop.
    ///
    /// Whether a playout is abandoned for its length depends on that playout alone, whichever thread runs it.
    ///
    /// # Errors
    /// If a playout was abandoned: the reason, and the states that this thread's own playout has visited.
    pub(super) fn together(
        &self,
        state: &G::State,
        stream: &mut Stream,
        player: &mut Playout<G>,
        heard: impl FnMut(Player, G::Action),
        mut halt: impl FnMut(u64) -> Option<Stop>,
    ) -> Result<(Rolled, u32), (Stop, u64)> {
        let mut works: Vec<Work<G>> = (0..self.count).map(|_| (state.clone(), stream.branch())).collect();
        let helped = if self.channels.is_empty() { 0 } else { self.count };
        for (at, work) in works.drain(..helped).enumerate() {
            let (give, _) = &self.channels[at % self.channels.len()];
            give.send(work).expect("a helper waits for work");
        }
        let own = self.rollout.value(player, state, stream, heard, &mut halt);
        let (Ok(Rolled { states: own_states, .. }) | Err((_, own_states))) = own;
        let mut answers = vec![own];
        // If one playout is abandoned, all are, for this reason.
        let mut why = own.err().map(|(stop, _)| stop);
        for (state, mut stream) in works {
            let long = |states: u64| (states >= self.most).then_some(Stop::Nodes);
            let give_up = |states: u64| why.or_else(|| long(states)).or_else(|| halt(0));
            let answer = self.rollout.value(player, &state, &mut stream, |_, _| {}, give_up);
            why = why.or(answer.err().map(|(stop, _)| stop));
            answers.push(answer);
        }
        for at in 0..helped {
            let (_, result) = &self.channels[at % self.channels.len()];
            answers.push(loop {
                if why.is_some() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                match result.recv_timeout(PAUSE) {
                    Ok(answer) => break answer,
                    Err(RecvTimeoutError::Timeout) => why = why.or_else(|| halt(0)),
                    Err(RecvTimeoutError::Disconnected) => panic!("a helper has panicked"),
                }
            });
        }
        // The values are added in the order of the playouts, regardless of which finished first.
        let mut all = Rolled { value: 0.0, states: 0, unevaluated: 0 };
        for answer in &answers {
            match *answer {
                Ok(one) => {
                    all.value += one.value;
                    all.states += one.states;
                    all.unevaluated += one.unevaluated;
                }
                // How far the others got depends on timing.
                Err((stop, _)) => return Err((why.unwrap_or(stop), own_states)),
            }
        }
        all.value /= answers.len() as f64;
        Ok((all, answers.len() as u32))
    }
}
