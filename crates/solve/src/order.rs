//! Which states depend on each other: the strongly connected components of the graph, by Tarjan's algorithm
//! with an explicit stack.

use crate::graph::Graph;

/// All states, each group contiguous and after all groups that it leads to. Within a group a state comes
/// after most of its successors.
pub(crate) struct Groups {
    pub(crate) order: Vec<u32>,
    /// Where each group ends in `order`.
    pub(crate) ends: Vec<u32>,
}

const NEW: u32 = u32::MAX;

/// Finds the strongly connected components.
pub(crate) fn groups(graph: &Graph) -> Groups {
    let count = graph.len();
    let mut number = vec![NEW; count]; // when a state was met
    let mut lowest = vec![0_u32; count]; // the earliest state it leads back to
    let mut open = vec![false; count]; // whether its group is still growing
    let mut stack: Vec<u32> = Vec::new(); // the states of growing groups
    let mut finished: Vec<u32> = Vec::new(); // the order in which their states were left
    let mut left_at = vec![0_u32; count];
    let mut groups = Groups { order: Vec::with_capacity(count), ends: Vec::new() };
    let mut clock = 0;
    for root in 0..count as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        let mut path: Vec<(u32, usize)> = Vec::new();
        let mut enter =
            |node: u32, stack: &mut Vec<u32>, number: &mut [u32], lowest: &mut [u32], open: &mut [bool]| {
                number[node as usize] = clock;
                lowest[node as usize] = clock;
                clock += 1;
                stack.push(node);
                open[node as usize] = true;
            };
        enter(root, &mut stack, &mut number, &mut lowest, &mut open);
        path.push((root, 0));
        while let Some((node, edge)) = path.last_mut() {
            let here = *node as usize;
            if let Some(&target) = graph.targets(here).get(*edge) {
                *edge += 1;
                if number[target as usize] == NEW {
                    enter(target, &mut stack, &mut number, &mut lowest, &mut open);
                    path.push((target, 0));
                } else if open[target as usize] {
                    lowest[here] = lowest[here].min(number[target as usize]);
                }
                continue;
            }
            path.pop();
            left_at[here] = finished.len() as u32;
            finished.push(here as u32);
            if let Some((above, _)) = path.last() {
                lowest[*above as usize] = lowest[*above as usize].min(lowest[here]);
            }
            if lowest[here] == number[here] {
                let from = groups.order.len();
                loop {
                    let member = stack.pop().expect("a group holds at least its first state");
                    open[member as usize] = false;
                    groups.order.push(member);
                    if member as usize == here {
                        break;
                    }
                }
                groups.order[from..].sort_unstable_by_key(|&member| left_at[member as usize]);
                groups.ends.push(groups.order.len() as u32);
            }
        }
    }
    groups
}
