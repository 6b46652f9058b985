//! What a thread does because others grow the same tree: it keeps busy nodes in view, throws in its own part, and tells the
//! tree from time to time what it has seen.

use super::super::options::{Backup, ChanceRule};
use super::super::parts::PIECE;
use super::super::tree::{Index, ROOT};
use super::hot::Hot;
use super::{Visit, Worker, decides};
use astragal_core::{Evaluator, Game, Stream, Turn, unit};

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Tells the root of a shared tree what this thread has seen since the last time.
    pub(in super::super) fn tell_root(&mut self) {
        let (sum, squares, visits) = std::mem::take(&mut self.root);
        if visits > 0 {
            self.tree.node(ROOT).add_many(sum, visits);
            let seen = std::mem::take(&mut self.root_part);
            if let (Some(part), Some(parts), true) = (self.part, self.tree.parts(), seen.visits > 0) {
                parts.add(0, part, seen);
            }
            self.tree.add_square(ROOT, squares);
        }
    }

    /// Whether this thread may keep what it sees of busy nodes to itself: if nothing but visits and means is asked of them.
    pub(super) fn has_busy_nodes(&self) -> bool {
        self.tree.is_shared() && self.simple && self.options.widening.is_none()
    }

    /// Takes busy nodes into view from now on, and cuts the first throws after the root into parts for the threads, if there
    /// are any.
    pub(super) fn divide(&mut self, root: &G::State) {
        let (game, turn) = (self.game, self.game.turn(root));
        self.root_is_thrown = turn == Turn::Chance;
        self.actions.clear();
        if let Turn::Decide(_) = turn {
            game.actions(root, &mut self.actions);
        }
        let is_thrown = |&&action: &&G::Action| {
            let mut next = root.clone();
            game.apply(&mut next, action);
            game.turn(&next) == Turn::Chance
        };
        let actions = if self.root_is_thrown { 1 } else { self.actions.len() };
        let thrown = if self.root_is_thrown { 1 } else { self.actions.iter().filter(is_thrown).count() };
        // Who takes outcomes in turn does not throw.
        let is_cut = self.options.chance == ChanceRule::Sample && thrown > 0;
        if is_cut {
            self.tree.cut(actions, self.options.threads.max(1) as usize);
        }
        self.hot = Some(Hot::new(is_cut && !self.root_is_thrown, is_cut && 2 * thrown >= actions));
    }

    /// Takes a part of the first throws for the next simulations, unless there are enough of the last. The root was told what
    /// was seen until now.
    pub(in super::super) fn take_part(&mut self, thread: usize, simulations: u64) {
        let (Some(hot), Some(parts)) = (&mut self.hot, self.tree.parts()) else { return };
        if self.part_left >= simulations {
            self.part_left -= simulations;
            return;
        }
        self.part_left = PIECE.saturating_sub(simulations);
        let part = parts.take(thread);
        if self.part != Some(part) {
            hot.take_part(self.tree, part);
            self.part = Some(part);
        }
    }

    /// The number from [0, 1) that decides the throw at a node; the first after the root is from this thread's part, if what
    /// comes of it is summed up by part.
    #[inline]
    pub(super) fn number(&mut self, visit: &Visit, stream: &mut Stream) -> f64 {
        let number = unit(stream.bits());
        if self.part.is_none() || self.path.len() > 1 { number } else { self.place(visit, number) }
    }

    #[inline(never)]
    fn place(&mut self, visit: &Visit, number: f64) -> f64 {
        let is_first = self.path.first().is_none_or(|root| root.decides.is_some() && visit.via.is_some());
        match (self.part, self.tree.parts()) {
            (Some(part), Some(parts)) if is_first => {
                self.placed = true;
                parts.place(part, number)
            }
            _ => number,
        }
    }

    /// What the root of a shared tree is worth by its children, which it was not told on the way.
    pub(in super::super) fn settle_root(&mut self, root: &G::State) {
        if !self.tree.is_shared() || self.options.backup == Backup::Mean {
            return;
        }
        self.outcomes.clear();
        let turn = self.game.turn(root);
        if turn == Turn::Chance {
            self.game.outcomes(root, &mut self.outcomes);
        }
        let (count, decides) = (self.outcomes.len() as u32, decides(turn));
        let visit = Visit {
            index: ROOT,
            asked: true,
            from: 0,
            count,
            via: None,
            view: None,
            visits: 0,
            decides,
            entered: false,
        };
        if let Some(value) = self.combined(visit) {
            self.tree.node(ROOT).set_value(value);
        }
    }

    /// Tells a shared tree all that this thread has kept to itself.
    pub(in super::super) fn finish(&mut self) {
        self.tell_root();
        if let Some(hot) = self.hot.take() {
            hot.tell(self.tree);
        }
        self.tree.count(&mut self.room);
    }

    /// Where this thread keeps what it sees of the children of a node, and where these begin, if it has the node in view.
    #[inline]
    pub(super) fn in_view(&mut self, index: Index) -> Option<(u32, Index)> {
        // Most nodes are too far down to be looked for.
        let near = self.near;
        self.hot.as_mut().filter(|hot| near >= hot.busy())?.find(self.tree, index)
    }

    /// Where the children of a node begin, if it is open. Where this thread keeps those that are asked for is remembered for
    /// the way on and back.
    #[inline]
    pub(super) fn first(&mut self, visit: &Visit) -> Option<Index> {
        let Some((slot, first)) = visit.view else { return self.tree.first(visit.index) };
        self.via = self.asked.then_some(slot);
        Some(first)
    }

    /// Takes an open node with so many visits into view, if it is busy: where its children begin, and so many of them if they
    /// are asked for.
    #[inline]
    pub(super) fn admit(&mut self, index: Index, visits: u32, first: Index, count: usize) {
        if let Some(hot) = &mut self.hot {
            let slot = hot.admit(self.tree, index, visits, first, if self.asked { count } else { 0 });
            self.via = slot.filter(|_| self.asked);
        }
    }

    /// Waits for another thread to open the root: a simulation that goes no further would tell nothing of any action.
    pub(super) fn is_open_soon(&self, index: Index) -> bool {
        let node = self.tree.node(index);
        while index == ROOT && node.is_busy() {
            std::hint::spin_loop();
        }
        node.children().is_some()
    }

    /// Visits of a node, as far as this thread knows.
    #[inline]
    pub(super) fn seen(&self, index: Index, via: Option<u32>) -> u32 {
        let seen = via.and_then(|slot| self.hot.as_ref().map(|hot| hot.visits(slot, index)));
        seen.filter(|&visits| visits > 0).unwrap_or_else(|| self.tree.node(index).visits())
    }
}
