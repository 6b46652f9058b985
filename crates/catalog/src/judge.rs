//! Evaluators from outside: they see leaves as text or numbers, and may value many of them at once.

use astragal_core::{Evaluator, Key, Notation, Turn, Weighted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A decision state at which a search stops looking.
pub trait Leaf {
    /// The position in a line.
    fn text(&self) -> String;
    /// Appends the position as numbers, see [`Notation::features`].
    fn features(&self, out: &mut Vec<f32>);
    /// The state with its type.
    fn state(&self) -> &dyn Any;
}

/// An evaluator that knows nothing of the types of a game.
pub trait Judge: Send + Sync {
    /// The value of each leaf for player 1, within the range of the game.
    fn values(&self, leaves: &[&dyn Leaf]) -> Vec<f64>;

    /// How many decisions before the leaves a search may ask for all of them at once, because that is faster
    /// than one by one; with 0 they are valued one by one.
    fn ahead(&self) -> u32 {
        0
    }
}

/// The most leaves that are valued at once.
const MOST: usize = 1 << 14;

/// The most values that are remembered; what does not fit is forgotten with all the rest.
const ROOM: usize = 1 << 20;

/// A judge as an evaluator. What a search is about to ask for is valued together and remembered until the
/// next search.
pub(crate) struct Judged {
    judge: Arc<dyn Judge>,
    known: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    values: FxHashMap<Key, f64>,
    /// Decision states, with the decisions to look ahead of them, whose leaves are all among the values.
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

/// The leaves below a state in the order in which they are met, and the decision states on the way.
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
        // Nothing is locked while the game or the judge is asked: they may wait for others who wait for the
        // lock.
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
