//! The values of states that cannot be reached from themselves, depth first: each is valued after all its
//! successors, and only its value is stored.
//!
//! Most states of a game with dice are decisions directly after a throw. If these record what was thrown,
//! each follows a single chance state and is never reached again, so its value need not be stored: it can be
//! derived from its successors when needed. Whether that holds is judged from the first such states and then
//! from a sample of them, see [`TRIAL`] and [`SAMPLE`]; as soon as one is reached again, all are stored.
//! Until then such a state may be visited and counted more than once.

use crate::growth::Question;
use crate::table::{OPEN, Table};
use crate::{Objective, Progress, SolveCounts, Supervisor, Unsolved};
use astragal_core::{Game, Key, Player, Sampler, Stream, Turn, Weighted, below};
use rustc_hash::FxHashSet;

/// States between two progress reports.
const BREATH: usize = 1 << 12;

/// The partial value of a state: the best so far for its player, or the weighted sum of its outcomes.
#[derive(Clone, Copy)]
enum Sum {
    Best(Player, f64),
    Mean(f64),
}

/// A state whose value is being computed.
struct Frame {
    /// Its key, if the value is to be stored.
    key: Option<Key>,
    sum: Sum,
    /// The index in `ahead` at which its successors begin.
    from: usize,
    /// The reward or the weight of the successor being valued.
    label: f64,
}

impl Frame {
    /// Adds the value of the successor that `label` belongs to.
    fn add(&mut self, value: f64) {
        self.sum = match self.sum {
            Sum::Best(Player::Max, best) => Sum::Best(Player::Max, best.max(self.label + value)),
            Sum::Best(Player::Min, best) => Sum::Best(Player::Min, best.min(self.label + value)),
            Sum::Mean(sum) => Sum::Mean(sum + self.label * value),
        };
    }

    fn value(&self) -> f64 {
        match self.sum {
            Sum::Best(_, value) | Sum::Mean(value) => value,
        }
    }
}

/// The number of decisions after a throw that are stored at first, to see whether any is reached again.
const TRIAL: usize = 1 << 14;
/// If none is, one in this many is stored from then on, to keep checking.
const SAMPLE: u64 = 64;

/// Random games played before the descent, and the maximum number of steps of each.
const GAMES: u64 = 32;
const STEPS: usize = 10_000;

/// Whether a state recurs in a few random games: in games with cycles one mostly does so soon, which saves
/// the descent that would discover it. A game that goes on for long without recurring may have no bound.
fn comes_back<G: Game>(
    game: &G,
    root: &G::State,
    question: &mut Question,
    supervisor: &mut dyn Supervisor,
) -> Result<bool, Unsolved> {
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    let any = |from: usize, stream: &mut Stream| below(stream.bits(), from as u64) as usize;
    for number in 0..GAMES {
        let mut stream = Sampler::new(0).stream(number, 0);
        let (mut state, mut met) = (root.clone(), FxHashSet::default());
        let mut is_over = false;
        for _ in 0..STEPS {
            if !met.insert(game.key(&state)) {
                return Ok(true);
            }
            if met.len() % BREATH == 0 && supervisor.cancelled() {
                return Err(Unsolved::Cancelled);
            }
            match game.turn(&state) {
                Turn::Over(_) => {
                    is_over = true;
                    break;
                }
                Turn::Decide(_) => {
                    actions.clear();
                    game.actions(&state, &mut actions);
                    game.apply(&mut state, actions[any(actions.len(), &mut stream)]);
                }
                Turn::Chance => {
                    outcomes.clear();
                    game.outcomes(&state, &mut outcomes);
                    game.resolve(&mut state, outcomes[any(outcomes.len(), &mut stream)].item);
                }
            }
        }
        if !is_over {
            question.consider(game, root, usize::MAX, supervisor);
        }
    }
    Ok(false)
}

struct Descent<'a, G: Game, O> {
    game: &'a G,
    objective: &'a O,
    table: Table,
    work: SolveCounts,
    /// The number of decisions after a throw, and whether one was reached again.
    thrown: usize,
    is_met_again: bool,
    frames: Vec<Frame>,
    /// The pending successors of the states in `frames`, the next one last.
    ahead: Vec<(G::State, f64)>,
    actions: Vec<G::Action>,
    outcomes: Vec<Weighted<G::Outcome>>,
}

/// The values of all reachable states; `None` if one of them can be reached from itself.
pub(crate) fn values<G: Game, O: Objective<G>>(
    game: &G,
    roots: &[G::State],
    objective: &O,
    most: usize,
    question: &mut Question,
    supervisor: &mut dyn Supervisor,
) -> Result<Option<(Table, SolveCounts)>, Unsolved> {
    if let Some(root) = roots.first()
        && comes_back(game, root, question, supervisor)?
    {
        return Ok(None);
    }
    let mut descent = Descent {
        game,
        objective,
        table: Table::new(),
        work: SolveCounts::default(),
        thrown: 0,
        is_met_again: false,
        frames: Vec::new(),
        ahead: Vec::new(),
        actions: Vec::new(),
        outcomes: Vec::new(),
    };
    for root in roots {
        if descent.table.get(game.key(root)).is_none() {
            descent.enter(root, true);
            if !descent.run(root, most, question, supervisor)? {
                return Ok(None);
            }
        }
    }
    supervisor.progress(Progress::Found(descent.work.states));
    Ok(Some((descent.table, descent.work)))
}

impl<G: Game, O: Objective<G>> Descent<'_, G, O> {
    /// Values the states of all frames; returns whether none of them recurred.
    fn run(
        &mut self,
        root: &G::State,
        most: usize,
        question: &mut Question,
        supervisor: &mut dyn Supervisor,
    ) -> Result<bool, Unsolved> {
        let mut breath = self.work.states;
        while let Some(frame) = self.frames.last_mut() {
            if self.ahead.len() > frame.from {
                let (child, label) = self.ahead.pop().expect("there is one ahead");
                frame.label = label;
                let is_thrown =
                    matches!(frame.sum, Sum::Mean(_)) && matches!(self.game.turn(&child), Turn::Decide(_));
                let key = self.game.key(&child);
                let is_watched = self.thrown < TRIAL || key.hash() % SAMPLE == 0;
                let is_kept = !is_thrown || self.is_met_again || is_watched;
                match is_kept.then(|| self.table.get(key)).flatten() {
                    Some(OPEN) => return Ok(false),
                    Some(value) => {
                        frame.add(value);
                        self.is_met_again |= is_thrown;
                    }
                    None => {
                        self.thrown += usize::from(is_thrown);
                        self.enter(&child, is_kept);
                    }
                }
            } else {
                let (key, value) = (frame.key, frame.value());
                self.frames.pop();
                if let Some(key) = key {
                    self.table.set(key, value);
                }
                if let Some(above) = self.frames.last_mut() {
                    above.add(value);
                }
            }
            if self.table.len() > most {
                return Err(question.too_large(self.game, root, most, supervisor));
            }
            if self.work.states >= breath {
                breath = self.work.states + BREATH;
                supervisor.progress(Progress::Found(self.work.states));
                if supervisor.cancelled() {
                    return Err(Unsolved::Cancelled);
                }
                question.consider(self.game, root, self.work.states, supervisor);
            }
        }
        Ok(true)
    }

    /// Enters a state whose value was not looked up, or not found; it is stored if `is_kept`.
    fn enter(&mut self, state: &G::State, is_kept: bool) {
        let Self { game, objective, table, work, frames, ahead, actions, outcomes, .. } = self;
        let (key, from) = (is_kept.then(|| game.key(state)), ahead.len());
        work.states += 1;
        let sum = match game.turn(state) {
            Turn::Over(payoff) => {
                let value = objective.end(payoff);
                if let Some(key) = key {
                    table.set(key, value);
                }
                if let Some(above) = frames.last_mut() {
                    above.add(value);
                }
                return;
            }
            Turn::Decide(player) => {
                work.decisions += 1;
                actions.clear();
                game.actions(state, actions);
                assert!(!actions.is_empty(), "contract: no action in {state:?}");
                for &action in actions.iter() {
                    let mut child = state.clone();
                    game.apply(&mut child, action);
                    ahead.push((child, objective.reward(game, state, action)));
                }
                Sum::Best(player, -player.sign() * f64::INFINITY)
            }
            Turn::Chance => {
                work.chances += 1;
                outcomes.clear();
                game.outcomes(state, outcomes);
                assert!(!outcomes.is_empty(), "contract: no outcome in {state:?}");
                for outcome in outcomes.iter() {
                    let mut child = state.clone();
                    game.resolve(&mut child, outcome.item);
                    ahead.push((child, outcome.weight));
                }
                Sum::Mean(0.0)
            }
        };
        ahead[from..].reverse();
        if let Some(key) = key {
            table.set(key, OPEN);
        }
        frames.push(Frame { key, sum, from, label: 0.0 });
    }
}
