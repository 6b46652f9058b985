//! External evaluators: they see leaves as text or numbers, and can evaluate many in one call.

use astragal_core::{Evaluator, Key, Notation, Turn, Weighted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A decision state at the horizon of a search.
pub trait Leaf {
    /// The position as one line of text.
    fn text(&self) -> String;
    /// Appends the feature vector of the position, see [`Notation::features`].
    fn features(&self, out: &mut Vec<f32>);
    /// The state with its type.
    fn state(&self) -> &dyn Any;
}

/// An evaluator that is independent of a game's types.
pub trait Judge: Send + Sync {
    /// The value of each leaf for player 1, within the range of the game.
    fn values(&self, leaves: &[&dyn Leaf]) -> Vec<f64>;

    /// The maximum height above the leaves, in decisions, at which a search may request all their values in
    /// one call, because that is faster than one by one; with 0 they are evaluated one by one.
    fn ahead(&self) -> u32 {
        0
    }
}

/// Maximum number of leaves per call.
const MOST: usize = 1 << 14;

/// Maximum number of cached values; when they would exceed it, the whole cache is cleared.
const ROOM: usize = 1 << 20;

/// A judge as an evaluator. The leaves that a search is about to reach are evaluated together and cached
/// until the next search.
pub(crate) struct Judged {
    judge: Arc<dyn Judge>,
    known: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    values: FxHashMap<Key, f64>,
    /// Decision states, with a look-ahead depth, whose leaves all have cached values.
    foreseen: FxHashSet<(Key, u32)>,
}

struct View<'a, G: Notation> {
    game: &'a G,
    state: &'a G::State,
}

impl<G: Notation + 'static> Leaf for View<'_, G> {
    fn text(&self) -> String {
        self.game.write_state(self.state)
    }

    fn features(&self, out: &mut Vec<f32>) {
        self.game.features(self.state, out);
    }

    fn state(&self) -> &dyn Any {
        self.state
    }
}

impl Judged {
    pub(crate) fn new(judge: Arc<dyn Judge>) -> Self {
        Self { judge, known: Mutex::default() }
    }

    pub(crate) fn forget(&self) {
        *self.memory() = Memory::default();
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn judge<G: Notation + 'static>(&self, game: &G, states: &[G::State]) -> Vec<f64> {
        let views: Vec<View<'_, G>> = states.iter().map(|state| View { game, state }).collect();
        let leaves: Vec<&dyn Leaf> = views.iter().map(|view| view as &dyn Leaf).collect();
        let values = self.judge.values(&leaves);
        assert_eq!(values.len(), states.len(), "contract: a judge has a value for each leaf");
        values
    }
}

/// The distinct leaves below a state, in the order of traversal, and the decision states above them.
struct Below<S> {
    leaves: Vec<(Key, S)>,
    met: FxHashSet<Key>,
    inner: FxHashSet<(Key, u32)>,
}

impl<S: Clone> Below<S> {
    fn collect<G: Notation<State = S>>(&mut self, game: &G, state: &S, depth: u32) {
        match game.turn(state) {
            Turn::Over(_) => {}
            Turn::Decide(_) if depth == 0 => {
                let key = game.key(state);
                if self.met.insert(key) {
                    self.leaves.push((key, state.clone()));
                }
            }
            Turn::Decide(_) => {
                if !self.inner.insert((game.key(state), depth)) {
                    return;
                }
                let mut actions = Vec::new();
                game.actions(state, &mut actions);
                for action in actions {
                    let mut next = state.clone();
                    game.apply(&mut next, action);
                    self.collect(game, &next, depth - 1);
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                for Weighted { item, .. } in outcomes {
                    let mut next = state.clone();
                    game.resolve(&mut next, item);
                    self.collect(game, &next, depth);
                }
            }
        }
    }
}

impl<G: Notation + 'static> Evaluator<G> for Judged {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        if self.judge.ahead() > 0 {
            let key = game.key(state);
            if let Some(value) = self.memory().values.get(&key) {
                return *value;
            }
        }
        self.judge(game, std::slice::from_ref(state))[0]
    }

    fn foresee(&self, game: &G, state: &G::State, depth: u32) {
        if depth > self.judge.ahead() {
            return;
        }
        // No lock is held while the game or the judge runs: they may wait for threads that wait for the lock.
        let place = (game.key(state), depth);
        if self.memory().foreseen.contains(&place) {
            return;
        }
        let mut below = Below { leaves: Vec::new(), met: FxHashSet::default(), inner: FxHashSet::default() };
        below.collect(game, state, depth);
        let memory = self.memory();
        below.leaves.retain(|(key, _)| !memory.values.contains_key(key));
        drop(memory);
        let (keys, states): (Vec<Key>, Vec<G::State>) = below.leaves.into_iter().unzip();
        let values: Vec<f64> = states.chunks(MOST).flat_map(|some| self.judge(game, some)).collect();
        let mut memory = self.memory();
        if memory.values.len() + keys.len() > ROOM || memory.foreseen.len() + below.inner.len() > ROOM {
            *memory = Memory::default();
        }
        memory.values.extend(keys.into_iter().zip(values));
        memory.foreseen.extend(below.inner);
    }
}
