//! Move ordering: the action from the table, then forcing actions by promise, then killer moves, then quiet
//! actions by history and promise.

use super::node::Node;
use super::options::AlphaBetaOptions;
use astragal_core::{Game, Player};

/// The actions of the nodes on the path, with killers and history for ordering them.
pub(super) struct Ordering<G: Game> {
    actions: Vec<G::Action>,
    /// The rank and index of each action, see [`ranked`], in a stack parallel to that of the actions.
    ranks: Vec<i64>,
    /// The last two quiet actions that caused a cutoff, by distance from the root.
    killers: Vec<[Option<G::Action>; 2]>,
    /// History scores of quiet actions, by player and slot.
    history: [Vec<u32>; 2],
}

/// Ranks of actions that precede all quiet ones.
const REMEMBERED: i64 = 7 << 44;
const FORCING: i64 = 5 << 44;
const KILLER: i64 = 3 << 44;
/// The value of one unit of history in units of promise.
const HISTORY: i64 = 1 << 20;
/// When a score exceeds this, all are halved.
const MOST: u32 = 1 << 24;

/// A rank and an index in one number: the greatest is tried next, and ties go to the lower index.
#[inline]
fn ranked(rank: i64, index: u16) -> i64 {
    rank << 16 | i64::from(!index)
}

impl<G: Game> Ordering<G> {
    pub(super) fn new() -> Self {
        Self {
            actions: Vec::with_capacity(1024),
            ranks: Vec::with_capacity(1024),
            killers: Vec::new(),
            history: [Vec::new(), Vec::new()],
        }
    }

    /// Pushes the actions of a state in the game's order, see [`Ordering::at`]. Returns where they begin.
    #[inline]
    pub(super) fn push(&mut self, game: &G, state: &G::State) -> usize {
        let from = self.actions.len();
        game.actions(state, &mut self.actions);
        debug_assert!(self.actions.len() > from, "contract: no action in {state:?}");
        from
    }

    /// [`Ordering::push`], but ordered by the game's promise, see [`Ordering::next`].
    pub(super) fn push_promising(&mut self, game: &G, state: &G::State) -> usize {
        self.push_ranked(game, state, |action| game.promise(state, action).into())
    }

    /// [`Ordering::push`], but in the best known order, see [`Ordering::next`].
    pub(super) fn push_by(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        ply: u32,
        options: &AlphaBetaOptions,
        remembered: Option<u16>,
    ) -> usize {
        let killers = match self.killers.get(ply as usize) {
            Some(killers) if options.killers => *killers,
            _ => [None; 2],
        };
        let history = std::mem::take(&mut self.history[player.index()]);
        let rank = |action: G::Action| {
            let promise = if options.order { i64::from(game.promise(state, action)) } else { 0 };
            if (options.killers || options.history) && game.is_forcing(state, action) {
                FORCING + promise
            } else if killers[0] == Some(action) {
                KILLER + 1
            } else if killers[1] == Some(action) {
                KILLER
            } else if options.history {
                let cuts = history.get(game.slot(state, action)).copied().unwrap_or(0);
                promise + HISTORY * i64::from(cuts)
            } else {
                promise
            }
        };
        let from = self.push_ranked(game, state, rank);
        self.history[player.index()] = history;
        if let Some(best) = remembered
            && let Some(rank) = self.ranks[from..].get_mut(usize::from(best))
        {
            *rank = ranked(REMEMBERED, best);
        }
        from
    }

    #[inline]
    fn push_ranked(&mut self, game: &G, state: &G::State, rank: impl Fn(G::Action) -> i64) -> usize {
        let from = self.push(game, state);
        let ranked = self.actions[from..].iter().zip(0..).map(|(&action, index)| ranked(rank(action), index));
        self.ranks.extend(ranked);
        from
    }

    /// The number of actions pushed last.
    #[inline]
    pub(super) fn count(&self, from: usize) -> usize {
        self.actions.len() - from
    }

    /// The action with this index.
    #[inline]
    pub(super) fn at(&self, from: usize, index: usize) -> G::Action {
        self.actions[from + index]
    }

    /// The next action to try after `done` others, with its index.
    #[inline]
    pub(super) fn next(&mut self, from: usize, done: usize) -> (u16, G::Action) {
        let left = &mut self.ranks[from + done..];
        // Selects only the best remaining action: most nodes try few actions, so sorting them all would be
        // wasted.
        let best = (1..left.len()).fold(0, |best, at| if left[at] > left[best] { at } else { best });
        left.swap(0, best);
        let index = !(left[0] as u16);
        (index, self.actions[from + usize::from(index)])
    }

    /// Pops the actions.
    #[inline]
    pub(super) fn pop(&mut self, from: usize) {
        self.actions.truncate(from);
        self.ranks.truncate(from);
    }

    /// Removes what an interrupted search left on the stacks.
    pub(super) fn clear(&mut self) {
        self.pop(0);
    }

    /// Records that an action caused a cutoff.
    pub(super) fn cut(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        node: Node,
        action: G::Action,
        options: &AlphaBetaOptions,
    ) {
        if !(options.killers || options.history) || game.is_forcing(state, action) {
            return;
        }
        if options.killers {
            let ply = node.ply as usize;
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; 2]);
            }
            let [first, second] = &mut self.killers[ply];
            if *first != Some(action) {
                *second = first.replace(action);
            }
        }
        if options.history {
            let (slot, history) = (game.slot(state, action), &mut self.history[player.index()]);
            if history.len() <= slot {
                history.resize(slot + 1, 0);
            }
            history[slot] += node.depth * node.depth;
            if history[slot] > MOST {
                history.iter_mut().for_each(|cuts| *cuts /= 2);
            }
        }
    }
}
