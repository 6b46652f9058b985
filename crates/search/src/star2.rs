//! Star2: chance nodes that first probe some actions of each successor (*Monte Carlo \*-Minimax Search*,
//! section 2.1, algorithm 2; Ballard 1983).
//!
//! The value of one action bounds the value of a decision state from one side: from below if Max is to move,
//! from above if Min is. The side may differ between children, since the roll may decide who moves next. The
//! bounds of a few cheap probes often decide the node; if not, they narrow the windows of the search that
//! follows, which continues after the probed actions instead of searching them again. With more than one
//! probe the successors are probed in turn (Star2.5, cyclic).

use crate::limits::Stopped;
use crate::outcomes::Outcomes;
use crate::sum::Sum;
use crate::variation::Slot;
use crate::walk::{Node, Probed, Walk};
use astragal_core::{Evaluator, Game, Interval, Player, Turn};

impl<G: Game, E: Evaluator<G>, C: Outcomes<G>> Walk<'_, G, E, C> {
    /// The probing phase: lines 5 to 15 of algorithm 2. Returns the bound that decides the node, if one does.
    pub(crate) fn probe_children(
        &mut self,
        probes: u32,
        node: Node<C::Place>,
        from: usize,
        base: usize,
        sum: &mut Sum,
    ) -> Result<Option<f64>, Stopped> {
        if let Some(bound) = self.decided(from, base, sum) {
            return Ok(Some(bound));
        }
        // The child on the principal variation gets a full search afterwards: probes do not yield a
        // continuation.
        let main = if node.slot == Slot::NONE { usize::MAX } else { self.likeliest(from) };
        for _ in 0..probes {
            let mut progress = false;
            let count = self.outcomes.len() - from;
            for rank in 0..count {
                let index = self.nth_outcome(rank, count);
                let known = self.bounds[base + index];
                if known.is_point() || index == main {
                    continue;
                }
                let child = self.children[base + index].clone();
                // A chance node is usually followed by a decision. If another chance node follows, there is
                // nothing to probe.
                let Turn::Decide(player) = self.game.turn(&child) else {
                    continue;
                };
                let below = Self::after_outcome(node, index, false);
                let weight = self.outcomes[from + index].weight;
                let tighter = if node.depth == 0 {
                    // A leaf is as cheap as a probe, and then has an exact value.
                    Interval::point(self.exact(&child, below)?)
                } else {
                    let mut probed = match self.probed[base + index] {
                        Some(probed) => probed,
                        None => Probed::nothing(player, self.remembered(&child)),
                    };
                    let window = sum.window_of(weight, known);
                    let before = std::mem::replace(&mut self.incomplete, false);
                    let Some((value, action, only)) = self.probe(&child, player, below, window, &probed)?
                    else {
                        self.incomplete = before;
                        continue;
                    };
                    probed.add(player, action, window, value, self.incomplete);
                    self.incomplete |= before;
                    self.probed[base + index] = Some(probed);
                    let tighter = match player {
                        _ if only => window.verdict(value, &known),
                        // A value on the wrong side of the window bounds the action, not the state.
                        Player::Max if value > window.lo => Interval { lo: known.clamp(value), ..known },
                        Player::Min if value < window.hi => Interval { hi: known.clamp(value), ..known },
                        _ => known,
                    };
                    if self.table_answers(node.depth) && tighter != known {
                        let key = self.game.key(&child);
                        self.table.store_bounds(key, node.depth, tighter, false);
                    }
                    tighter
                };
                progress = true;
                sum.learn(weight, &mut self.bounds[base + index], tighter);
                if let Some(bound) = self.decided(from, base, sum) {
                    return Ok(Some(bound));
                }
            }
            if !progress {
                break;
            }
        }
        Ok(None)
    }
}
