//! In which order actions are tried: what the table remembers, then forcing actions by promise, then actions
//! that caused cuts nearby, then quiet ones by how often they caused cuts, and by promise.

use super::node::Node;
use super::options::AlphaBetaOptions;
use astragal_core::{Game, Player};

/// Actions of the nodes on the path, and what is known of actions anywhere.
pub(super) struct Ordering<G: Game> {
    actions: Vec<G::Action>,
    /// The rank of each action and its index, see [`ranked`], in a stack beside that of the actions.
    ranks: Vec<i64>,
    /// By distance from the root, the last two quiet actions that caused a cut.
    killers: Vec<[Option<G::Action>; 2]>,
    /// By player and slot, how much quiet actions have cut.
    history: [Vec<u32>; 2],
}

/// Ranks of actions that are tried before all quiet ones.
const REMEMBERED: i64 = 7 << 44;
const FORCING: i64 = 5 << 44;
const KILLER: i64 = 3 << 44;
/// What one unit of history is worth in units of promise.
const HISTORY: i64 = 1 << 20;
/// When a count gets this large, all are halved.
const MOST: u32 = 1 << 24;

/// A rank and an index in one number: the greatest is the action to be tried next, and among equals the
/// first.
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

    /// Pushes the actions of a state in the order of the game, see [`Ordering::at`]. Returns where they
    /// begin.
    #[inline]
    pub(super) fn push(&mut self, game: &G, state: &G::State) -> usize {
        let from = self.actions.len();
        game.actions(state, &mut self.actions);
        debug_assert!(self.actions.len() > from, "contract: no action in {state:?}");
        from
    }

    /// The same in the order of the game's promise, see [`Ordering::next`].
    pub(super) fn push_promising(&mut self, game: &G, state: &G::State) -> usize {
        self.push_ranked(game, state, |action| game.promise(state, action).into())
    }

    /// The same in the best order that is known, see [`Ordering::next`].
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

    /// How many actions were pushed last.
    #[inline]
    pub(super) fn count(&self, from: usize) -> usize {
        self.actions.len() - from
    }

    /// The action of this index.
    #[inline]
    pub(super) fn at(&self, from: usize, index: usize) -> G::Action {
        self.actions[from + index]
    }

    /// The action that is the next one to be tried, after this many, with its index.
    #[inline]
    pub(super) fn next(&mut self, from: usize, done: usize) -> (u16, G::Action) {
        let left = &mut self.ranks[from + done..];
        // The first of the best: most nodes look at few actions, so the others need not be sorted.
        let best = (1..left.len()).fold(0, |best, at| if left[at] > left[best] { at } else { best });
        left.swap(0, best);
        let index = !(left[0] as u16);
        (index, self.actions[from + usize::from(index)])
    }

    /// Takes the actions off again.
    #[inline]
    pub(super) fn pop(&mut self, from: usize) {
        self.actions.truncate(from);
        self.ranks.truncate(from);
    }

    /// Takes off whatever an interrupted search has left.
    pub(super) fn clear(&mut self) {
        self.pop(0);
    }

    /// An action caused a cut.
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
