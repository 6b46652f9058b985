//! Helpers that play out the same leaf: leaf parallelism.
//!
//! Each helper plays with numbers of its own, and their values are added in a fixed order, so the result does not
//! depend on which of them is faster.

use super::options::MctsOptions;
use super::simulate::play_out;
use crate::playout::Playout;
use astragal_core::{Evaluator, Game, Policy, Stream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// Work for a helper: a state to play out, and the random numbers for it.
type Work<G> = (<G as Game>::State, Stream);

/// Where a helper gets its work, and where its answers come out: the value, and the states visited.
type Desk<G> = (Sender<Work<G>>, Receiver<(f64, u64)>);

/// Threads that wait for leaves.
pub(super) struct Helpers<G: Game> {
    desks: Vec<Desk<G>>,
}

impl<G: Game> Helpers<G> {
    /// One helper for each thread but the first. They leave when this is dropped.
    pub(super) fn new<'scope, 'env, E: Evaluator<G>>(
        scope: &'scope Scope<'scope, 'env>,
        game: &'env G,
        evaluator: &'env E,
        policy: Option<&'env dyn Policy<G>>,
        options: &'env MctsOptions,
    ) -> Self {
        let desks = (1..options.threads)
            .map(|_| {
                let (give, take) = channel::<Work<G>>();
                let (answer, result) = channel();
                scope.spawn(move || {
                    let mut player = Playout::new();
                    while let Ok((state, mut stream)) = take.recv() {
                        let played = play_out(
                            &mut player,
                            game,
                            evaluator,
                            policy,
                            options,
                            &state,
                            &mut stream,
                            |_, _| {},
                        );
                        if answer.send(played).is_err() {
                            break;
                        }
                    }
                });
                (give, result)
            })
            .collect();
        Self { desks }
    }

    /// Starts all helpers on a leaf, runs one's own part, and adds up the values: their sum, how many, and states visited.
    pub(super) fn together(
        &self,
        state: &G::State,
        stream: &mut Stream,
        own: impl FnOnce(&mut Stream) -> (f64, u64),
    ) -> (f64, u32, u64) {
        for (give, _) in &self.desks {
            give.send((state.clone(), stream.branch())).expect("a helper");
        }
        let (mut sum, mut states) = own(stream);
        for (_, result) in &self.desks {
            let (value, more) = result.recv().expect("a helper");
            sum += value;
            states += more;
        }
        (sum, self.desks.len() as u32 + 1, states)
    }
}
