//! The values: one pass over states that cannot come back to themselves, value iteration over those that can.
//!
//! A sweep over a group of states that depend on each other is cut into a fixed number of blocks. Inside a block new
//! values are used at once, those of other blocks are of the sweep before; so blocks can be swept at the same time,
//! and the result does not depend on how many threads do it.

use crate::graph::Graph;
use crate::order::Groups;
use crate::{Effort, Progress, Supervisor, Unsolved, Work};

/// Blocks of a large group. A constant, so that results are the same on any machine.
const BLOCKS: usize = 8;

/// Groups smaller than this are one block.
const SMALL: usize = 1 << 14;

/// States between two words to the supervisor.
const BREATH: usize = 1 << 18;

/// Values all states. `scale` is the width of the game's range, `guess` the value to begin with.
pub(crate) fn values(
    graph: &Graph,
    groups: &Groups,
    effort: &Effort,
    scale: f64,
    guess: f64,
    supervisor: &mut dyn Supervisor,
) -> Result<(Vec<f64>, Work), Unsolved> {
    let mut values = vec![guess; graph.len()];
    let mut place = vec![OUTSIDE; graph.len()];
    let mut work = Work::default();
    let mut from = 0;
    let mut breath = 0;
    for &end in &groups.ends {
        let group = &groups.order[from..end as usize];
        from = end as usize;
        let node = group[0] as usize;
        if group.len() == 1 && !graph.targets(node).contains(&group[0]) {
            values[node] = graph.value(node, |target| values[target as usize]);
        } else {
            work.cyclic += group.len();
            let group = Group { graph, nodes: group, place: &mut place };
            group.iterate(&mut values, effort, scale, &mut work, supervisor)?;
        }
        if from >= breath {
            breath = from + BREATH;
            supervisor.progress(Progress::Valued(from));
            if supervisor.cancelled() {
                return Err(Unsolved::Cancelled);
            }
        }
    }
    Ok((values, work))
}

/// For states outside the group at hand.
const OUTSIDE: u32 = u32::MAX;

/// States that depend on each other.
struct Group<'a> {
    graph: &'a Graph,
    nodes: &'a [u32],
    /// Where each state stands in the group, so that a block is a range of numbers; shared by all groups.
    place: &'a mut [u32],
}

impl Group<'_> {
    /// Value iteration.
    fn iterate(
        self,
        values: &mut [f64],
        effort: &Effort,
        scale: f64,
        work: &mut Work,
        supervisor: &mut dyn Supervisor,
    ) -> Result<(), Unsolved> {
        let (graph, group) = (self.graph, self.nodes);
        let count = group.len();
        let blocks = if count < SMALL { 1 } else { BLOCKS };
        let size = count.div_ceil(blocks);
        for (i, &node) in group.iter().enumerate() {
            self.place[node as usize] = i as u32;
        }
        let place: &[u32] = self.place;
        let mut old: Vec<f64> = group.iter().map(|&node| values[node as usize]).collect();
        let mut new = old.clone();
        let fixed: &[f64] = values;
        let threads = effort.threads.clamp(1, blocks);
        let mut residual = f64::INFINITY;
        for sweep in 1..=effort.sweeps {
            let sweep_block = |block: usize, new: &mut [f64], old: &[f64]| -> f64 {
                let start = block * size;
                let mut change = 0.0_f64;
                for i in 0..new.len() {
                    let value = graph.value(group[start + i] as usize, |target| {
                        let at = place[target as usize] as usize;
                        if at == OUTSIDE as usize {
                            fixed[target as usize]
                        } else if let Some(inside) = at.checked_sub(start).and_then(|at| new.get(at)) {
                            *inside
                        } else {
                            old[at]
                        }
                    });
                    change = change.max((value - new[i]).abs());
                    new[i] = value;
                }
                change
            };
            let mut parts: Vec<(usize, &mut [f64])> = new.chunks_mut(size).enumerate().collect();
            let share = parts.len().div_ceil(threads);
            residual = std::thread::scope(|scope| {
                let (sweep_block, old) = (&sweep_block, &old);
                let run = move |parts: &mut [(usize, &mut [f64])]| {
                    parts.iter_mut().map(|(block, new)| sweep_block(*block, new, old)).fold(0.0, f64::max)
                };
                let mut shares = parts.chunks_mut(share);
                let mine = shares.next();
                let others: Vec<_> = shares.map(|share| scope.spawn(move || run(share))).collect();
                let mine = mine.map_or(0.0, run);
                others
                    .into_iter()
                    .map(|other| other.join().expect("a sweep does not panic"))
                    .fold(mine, f64::max)
            });
            old.copy_from_slice(&new);
            work.sweeps += 1;
            supervisor.progress(Progress::Sweep { sweep, residual });
            if supervisor.cancelled() {
                return Err(Unsolved::Cancelled);
            }
            if residual <= effort.tolerance * scale {
                break;
            }
        }
        if residual > effort.tolerance * scale {
            return Err(Unsolved::Unsettled(residual));
        }
        work.residual = work.residual.max(residual);
        for (&node, value) in group.iter().zip(new) {
            values[node as usize] = value;
            self.place[node as usize] = OUTSIDE;
        }
        Ok(())
    }
}
