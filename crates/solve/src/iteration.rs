//! The values: one pass over states that cannot be reached from themselves, value iteration over those that
//! can.
//!
//! A sweep over a large group of mutually dependent states is cut into a fixed number of blocks. Within a
//! block new values are used immediately; those of other blocks are from the previous sweep. Blocks can
//! therefore be swept in parallel, and the result does not depend on the number of threads.

use crate::graph::{Graph, OUTSIDE};
use crate::order::Groups;
use crate::{Progress, SolveCounts, SolveOptions, Supervisor, Unsolved};
use std::sync::Mutex;
use std::thread::Builder;

/// Blocks of a large group. A constant, so that results are the same on every machine.
const BLOCKS: usize = 8;

/// Groups smaller than this are swept as a whole.
const SMALL: usize = 1 << 14;

/// States between two progress reports.
const BREATH: usize = 1 << 18;

/// Values all states. `scale` is that of the objective, `guess` the initial value.
pub(crate) fn values(
    graph: &Graph,
    groups: &Groups,
    options: &SolveOptions,
    scale: f64,
    guess: f64,
    supervisor: &mut dyn Supervisor,
) -> Result<(Vec<f64>, SolveCounts), Unsolved> {
    let mut values = vec![guess; graph.len()];
    let mut place = vec![OUTSIDE; graph.len()];
    let mut work = SolveCounts::default();
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
            let (part, outside) = graph.part(group, &mut place);
            let mut local: Vec<f64> =
                group.iter().chain(&outside).map(|&node| values[node as usize]).collect();
            iterate(&part, &mut local, options, scale, &mut work, supervisor)?;
            for (&node, value) in group.iter().zip(local) {
                values[node as usize] = value;
            }
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

/// Value iteration over a subgraph of mutually dependent states. `old` holds the values of its states
/// followed by those of their successors outside; the former are replaced by the new values.
fn iterate(
    part: &Graph,
    old: &mut [f64],
    options: &SolveOptions,
    scale: f64,
    work: &mut SolveCounts,
    supervisor: &mut dyn Supervisor,
) -> Result<(), Unsolved> {
    let is_small = part.len() < SMALL;
    let mut new = if is_small { Vec::new() } else { old[..part.len()].to_vec() };
    let mut residual = f64::INFINITY;
    for number in 1..=options.sweeps {
        residual =
            if is_small { sweep(part, old) } else { sweep_blocks(part, &mut new, old, options.threads) };
        work.sweeps = work.sweeps.max(number);
        supervisor.progress(Progress::Sweep { sweep: number, residual });
        if supervisor.cancelled() {
            return Err(Unsolved::Cancelled);
        }
        if residual <= options.tolerance * scale {
            work.residual = work.residual.max(residual);
            return Ok(());
        }
    }
    Err(Unsolved::Unsettled(residual))
}

/// Sweeps the states in order; new values are used immediately. Returns the largest change.
fn sweep(part: &Graph, values: &mut [f64]) -> f64 {
    let mut change = 0.0_f64;
    for node in 0..part.len() {
        let value = part.value(node, |target| values[target as usize]);
        change = change.max((value - values[node]).abs());
        values[node] = value;
    }
    change
}

/// Sweeps the states in blocks, which threads share among them. `new` holds the same values of the states as
/// `old`. Returns the largest change.
fn sweep_blocks(part: &Graph, new: &mut [f64], old: &mut [f64], threads: usize) -> f64 {
    let count = part.len();
    let size = count.div_ceil(BLOCKS);
    let sweep_block = |block: usize, new: &mut [f64], old: &[f64]| -> f64 {
        let start = block * size;
        let mut change = 0.0_f64;
        for i in 0..new.len() {
            let value = part.value(start + i, |target| {
                let at = target as usize;
                new.get(at.wrapping_sub(start)).copied().unwrap_or_else(|| old[at])
            });
            change = change.max((value - new[i]).abs());
            new[i] = value;
        }
        change
    };
    // Threads take blocks until none are left. If a thread cannot be started, the others do its work.
    let blocks = Mutex::new(new.chunks_mut(size).enumerate());
    let change = std::thread::scope(|scope| {
        let (sweep_block, blocks, old) = (&sweep_block, &blocks, &*old);
        let run = move || {
            let next = || blocks.lock().expect("no sweep panics with it").next();
            std::iter::from_fn(next).map(|(block, new)| sweep_block(block, new, old)).fold(0.0, f64::max)
        };
        let start = |_| Builder::new().spawn_scoped(scope, run).ok();
        let others: Vec<_> = (1..threads.clamp(1, BLOCKS)).map_while(start).collect();
        let mine = run();
        others.into_iter().map(|other| other.join().expect("a sweep does not panic")).fold(mine, f64::max)
    });
    old[..count].copy_from_slice(new);
    change
}
