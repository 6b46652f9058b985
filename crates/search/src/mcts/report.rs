//! The results of a search: the report, the principal variation, and the tree itself.

use super::options::{Backup, Choice, MctsOptions};
use super::solver::{HI, LO, SAME};
use super::tree::{Index, ROOT, Tree};
use astragal_core::{Branch, Counts, Game, Interval, Line, Player, Report, Step, Stop, Turn, Weighted};

/// The combined report of all trees.
pub(super) fn report<G: Game>(
    game: &G,
    root: &G::State,
    trees: &[Tree],
    options: &MctsOptions,
    stop: Stop,
    counts: Counts,
    depth: u32,
) -> Report<G::Action, G::Outcome> {
    // A thread may have been stopped before its first simulation; its tree then has only the root.
    let opened: Vec<&Tree> = trees.iter().filter(|tree| tree.node(ROOT).children().is_some()).collect();
    let all = |index: Index| -> (f64, f64, f64) {
        // Visits, sum and sum of squared deviations from the common mean.
        let (mut visits, mut sum) = (0.0, 0.0);
        for tree in &opened {
            visits += f64::from(tree.node(index).visits());
            sum += tree.node(index).sum();
        }
        let mean = if visits > 0.0 { sum / visits } else { 0.0 };
        let spread = |tree: &&Tree| {
            let node = tree.node(index);
            let off = node.mean() - mean;
            f64::from(node.visits()) * (tree.variance(index) + off * off)
        };
        (visits, mean, opened.iter().map(spread).sum())
    };
    let proved = |index: Index| {
        let mut bounds = game.bounds(root);
        for side in opened.iter().filter_map(|tree| tree.bounds(index)) {
            bounds = bounds.intersect(&Interval { lo: side.get(LO), hi: side.get(HI) });
        }
        bounds
    };
    let (_, mean, _) = all(ROOT);
    let mut report = Report { depth, counts, ..Report::unsearched(proved(ROOT).clamp(mean), stop) };
    if let Turn::Decide(player) = game.turn(root) {
        let mut actions = Vec::new();
        game.actions(root, &mut actions);
        let first = opened.first().and_then(|tree| tree.node(ROOT).first());
        for (at, &action) in actions.iter().enumerate() {
            let Some(first) = first else {
                let bounds = game.bounds(root);
                report.lines.push(Line::new(action, bounds.middle(), bounds, 0));
                continue;
            };
            // All trees expand their root first, so its children have the same indices.
            let index = first + at as u32;
            let ((visits, mean, spread), bounds) = (all(index), proved(index));
            let is_mean = visits > 1.0 && bounds.width() > 0.0 && options.backup == Backup::Mean;
            let deviation = is_mean.then(|| (spread / (visits - 1.0)).sqrt());
            let value = if visits > 0.0 { bounds.clamp(mean) } else { bounds.middle() };
            report.lines.push(Line { action, value, bounds, visits: visits as u64, error: None, deviation });
        }
        // From the perspective of the player to move: larger is better.
        let certainly = |line: &Line<G::Action>| match player {
            Player::Max => (line.bounds.lo, line.bounds.hi),
            Player::Min => (-line.bounds.hi, -line.bounds.lo),
        };
        let score = |line: &Line<G::Action>| {
            let (certain, _) = certainly(line);
            let mean = if line.visits > 0 { player.sign() * line.value } else { f64::NEG_INFINITY };
            match options.choice {
                Choice::Visits => [line.visits as f64, mean, certain],
                Choice::Mean => [mean, line.visits as f64, certain],
            }
        };
        // A provably inferior action is never chosen, however many visits it had before the proof.
        let floor = report.lines.iter().map(|line| certainly(line).0).fold(f64::NEG_INFINITY, f64::max);
        let slack = SAME * game.range().width();
        let open = |line: &Line<G::Action>| {
            let (lo, hi) = certainly(line);
            !options.solver || hi > floor + slack || lo >= floor - slack
        };
        let mut best: Option<&Line<G::Action>> = None;
        for line in report.lines.iter().filter(|line| open(line)) {
            if best.is_none_or(|best| score(line) > score(best)) {
                best = Some(line);
            }
        }
        let best = *best.expect("a player has an action");
        report.tied = report
            .lines
            .iter()
            .filter(|line| open(line) && score(line) == score(&best))
            .map(|line| line.action)
            .collect();
        report.best = Some(best.action);
        report.value = best.value;
    }
    report.pv = variation(game, root, opened.first().unwrap_or(&&trees[0]), report.best);
    report
}

/// The principal variation: the most visited child of each node, starting with the chosen action.
fn variation<G: Game>(
    game: &G,
    root: &G::State,
    tree: &Tree,
    best: Option<G::Action>,
) -> Vec<Step<G::Action, G::Outcome>> {
    let mut pv = Vec::new();
    let (mut state, mut index) = (root.clone(), ROOT);
    while let Some(children) = tree.node(index).children() {
        match game.turn(&state) {
            Turn::Decide(_) => {
                let Some(first) = children.first() else { break };
                let mut actions = Vec::new();
                game.actions(&state, &mut actions);
                let visits = |at: usize| tree.node(first + at as u32).visits();
                let most = (0..actions.len()).max_by_key(|&at| (visits(at), usize::MAX - at));
                let chosen = best.filter(|_| pv.is_empty());
                let at = chosen.and_then(|action| actions.iter().position(|a| *a == action)).or(most);
                let Some(at) = at.filter(|&at| visits(at) > 0) else { break };
                pv.push(Step::Action(actions[at]));
                game.apply(&mut state, actions[at]);
                index = first + at as u32;
            }
            Turn::Chance => {
                let mut outcomes: Vec<Weighted<G::Outcome>> = Vec::new();
                game.outcomes(&state, &mut outcomes);
                let visits = |child: Index| tree.node(child).visits();
                let most =
                    tree.edges(index).max_by_key(|&(place, child)| (visits(child), usize::MAX - place));
                let Some((place, child)) = most else { break };
                pv.push(Step::Outcome(outcomes[place].item));
                game.resolve(&mut state, outcomes[place].item);
                index = child;
            }
            Turn::Over(_) => break,
        }
    }
    pv
}

/// The tree below a node, for display.
pub(super) fn branch<G: Game>(
    game: &G,
    tree: &Tree,
    index: Index,
    state: &G::State,
    depth: u32,
    least: u64,
) -> Branch<G::Action, G::Outcome> {
    let node = tree.node(index);
    let turn = game.turn(state);
    let bounds = match (turn, tree.bounds(index)) {
        (Turn::Over(payoff), _) => Interval::point(payoff),
        (_, Some(side)) => Interval { lo: side.get(LO), hi: side.get(HI) },
        (_, None) => game.bounds(state),
    };
    let mut here = Branch {
        step: None,
        turn,
        weight: None,
        visits: node.visits().into(),
        value: node.mean(),
        bounds,
        children: Vec::new(),
        hidden: 0,
    };
    // Each child with the step that leads to it and, at chance nodes, its probability.
    let mut children = Vec::new();
    match turn {
        Turn::Decide(_) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let beside = tree.children(node).into_iter().flatten();
            children.extend(beside.zip(actions).map(|(child, action)| (child, Step::Action(action), None)));
        }
        Turn::Chance => {
            let mut outcomes: Vec<Weighted<G::Outcome>> = Vec::new();
            game.outcomes(state, &mut outcomes);
            let child = |(place, child): (usize, Index)| {
                (child, Step::Outcome(outcomes[place].item), Some(outcomes[place].weight))
            };
            children.extend(tree.edges(index).map(child));
        }
        Turn::Over(_) => {}
    }
    for (child, step, weight) in children {
        let visits = u64::from(tree.node(child).visits());
        if depth == 0 || visits < least.max(1) {
            here.hidden += usize::from(visits > 0);
            continue;
        }
        let mut next = state.clone();
        match step {
            Step::Action(action) => game.apply(&mut next, action),
            Step::Outcome(outcome) => game.resolve(&mut next, outcome),
        }
        let below = branch(game, tree, child, &next, depth - 1, least);
        here.children.push(Branch { step: Some(step), weight, ..below });
    }
    here
}
