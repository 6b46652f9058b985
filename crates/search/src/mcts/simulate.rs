//! One simulation: down the tree, out of it, and back up.
//!
//! 1. *Selection.* From the root, each player's action is selected by the bandit rule among the children of the node, and
//!    each outcome by chance, until a node is met for the first time (or cannot be opened, for want of memory).
//! 2. *Expansion.* A node is opened when it is met for the second time: all actions at once, outcomes one by one.
//! 3. *Evaluation.* Playouts of some decisions, then the payoff or the evaluator.
//! 4. *Backup.* Every node on the path takes in the value; with other backups than the mean it takes that of its
//!    children; bounds and implicit values are carried up as far as they change.
//!
//! The tree is closed-loop: outcomes are nodes of their own, so a list of actions always belongs to the dice that were
//! thrown. No order of players is assumed: whoever decides at a node wants large or small values there.

use super::leaf::Helpers;
use super::options::{Backup, ChanceRule, MctsOptions, Select};
use super::select::{Arm, Scale, select};
use super::tree::{Index, NONE, Node, ROOT, Tree};
use crate::playout::{Guide, Playout};
use astragal_core::{Counts, Evaluator, Game, Interval, Player, Policy, Stream, Turn, Weighted, unit};
use std::sync::OnceLock;

/// The cells of what is kept beside a node.
pub(super) const LO: usize = 0;
pub(super) const HI: usize = 1;
/// The implicit minimax value, and the static value.
pub(super) const IMPLICIT: usize = 0;
pub(super) const STATIC: usize = 1;
/// Visits and sum of a move as if it were the first.
const RAVE_VISITS: usize = 0;
const RAVE_SUM: usize = 1;

/// Bounds this close, as a share of the range, are one number: sums of weights round.
pub(super) const SAME: f64 = 1e-9;

/// A node on the path.
#[derive(Clone, Copy, Debug)]
struct Visit {
    index: Index,
    turn: Turn,
    /// Where its actions or outcomes begin on the stack, and how many there are.
    from: usize,
    count: usize,
    /// The bounds that the game knows.
    bounds: Interval,
    /// The value of the outcome that was drawn, if the simulation goes to another because this one is known.
    instead: Option<f64>,
}

/// One thread's hand on a tree.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) evaluator: &'a E,
    pub(super) policy: Option<&'a dyn Policy<G>>,
    pub(super) options: &'a MctsOptions,
    pub(super) tree: &'a Tree,
    pub(super) counts: Counts,
    /// The most decisions from the root to a leaf of the tree.
    pub(super) deepest: u32,
    range: Interval,
    /// The selection rule, for values in the game's range.
    rule: Select,
    /// Whether nothing but visits and means counts in selection.
    simple: bool,
    /// Whether squares of values are kept at every node.
    all_squares: bool,
    playout: Playout<G>,
    path: Vec<Visit>,
    actions: Vec<G::Action>,
    outcomes: Vec<Weighted<G::Outcome>>,
    arms: Vec<Arm>,
    /// The children that the arms stand for.
    places: Vec<usize>,
    /// Every decision of the simulation, for RAVE.
    heard: Vec<(Player, G::Action)>,
    /// How often each outcome of a node was taken.
    taken: Vec<u32>,
    /// What the root has not been told yet: the sum of values and of their squares, and visits.
    root: (f64, f64, u32),
    /// Threads that play out leaves with this one.
    pub(super) helpers: Option<Helpers<G>>,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    pub(super) fn new(
        game: &'a G,
        evaluator: &'a E,
        policy: Option<&'a dyn Policy<G>>,
        options: &'a MctsOptions,
        tree: &'a Tree,
    ) -> Self {
        let range = game.range();
        let unit = if options.scaled { 0.5 * range.width() } else { 1.0 };
        let rule = match options.select {
            Select::Ucb1 { c } => Select::Ucb1 { c: c * unit },
            Select::Puct { c } => Select::Puct { c: c * unit },
            rule => rule,
        };
        Self {
            game,
            evaluator,
            policy,
            options,
            tree,
            counts: Counts::default(),
            deepest: 0,
            range,
            rule,
            all_squares: options.reuse || options.select == Select::Ucb1Tuned,
            simple: !options.solver
                && options.implicit.max(options.rave).max(options.seeding).max(options.bias) <= 0.0,
            playout: Playout::new(),
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            arms: Vec::new(),
            places: Vec::new(),
            heard: Vec::new(),
            taken: Vec::new(),
            root: (0.0, 0.0, 0),
            helpers: None,
        }
    }

    /// Makes the root ready.
    pub(super) fn prepare(&mut self, root: &G::State) {
        if let Some(side) = self.tree.bounds(ROOT)
            && self.tree.node(ROOT).visits() == 0
        {
            let bounds = self.game.bounds(root);
            side.set(LO, bounds.lo);
            side.set(HI, bounds.hi);
        }
        if self.tree.node(ROOT).visits() == 0 && self.tree.values(ROOT).is_some() {
            let value = self.heuristic(root);
            self.set_static(ROOT, value);
        }
    }

    /// Tells the root of a shared tree what this thread has seen since the last time.
    pub(super) fn tell_root(&mut self) {
        let (sum, squares, visits) = std::mem::take(&mut self.root);
        if visits > 0 {
            self.tree.node(ROOT).add_many(sum, squares, visits);
        }
    }

    /// One simulation from the root.
    pub(super) fn simulate(&mut self, root: &G::State, stream: &mut Stream) {
        self.path.clear();
        self.actions.clear();
        self.outcomes.clear();
        self.heard.clear();
        let mut state = root.clone();
        let mut index = ROOT;
        let mut decisions = 0;
        let (mut value, mut changed) = loop {
            self.counts.nodes += 1;
            let node = self.tree.node(index);
            let turn = self.game.turn(&state);
            if self.tree.is_shared() && index != ROOT {
                node.enter();
            }
            let bounds = if self.options.solver { self.game.bounds(&state) } else { self.range };
            let mut visit = Visit { index, turn, from: 0, count: 0, bounds, instead: None };
            let first = node.visits() == 0;
            if let Turn::Over(payoff) = turn {
                let changed = first && self.narrow(index, Interval::point(payoff));
                self.path.push(visit);
                self.counts.leaves += 1;
                break (payoff, changed);
            }
            let changed = first && self.narrow(index, bounds);
            if let Some(value) = self.solved(index) {
                self.path.push(visit);
                self.counts.leaves += 1;
                break (value, changed);
            }
            let next = if first && !self.path.is_empty() {
                None
            } else if turn == Turn::Chance {
                self.outcome(&mut visit, &mut state, stream)
            } else {
                decisions += 1;
                self.action(&mut visit, &mut state, stream)
            };
            self.path.push(visit);
            match next {
                Some(child) if child != NONE => index = child,
                // There was no room to go where something could be learnt; what was drawn is known.
                _ if visit.instead.is_some() => break (visit.instead.unwrap_or_default(), changed),
                _ => break (self.evaluate(&state, stream), changed),
            }
        };
        self.deepest = self.deepest.max(decisions);
        self.counts.simulations += 1;
        for at in (0..self.path.len()).rev() {
            changed = self.back_up(at, &mut value, changed);
        }
        if self.options.rave > 0.0 {
            self.back_up_rave(value);
        }
    }

    /// Steps 1 and 2 at a decision node: the child that is next, with its action applied; none if the node cannot be opened.
    fn action(&mut self, visit: &mut Visit, state: &mut G::State, stream: &mut Stream) -> Option<Index> {
        let Turn::Decide(player) = visit.turn else { unreachable!("only players act") };
        visit.from = self.actions.len();
        self.game.actions(state, &mut self.actions);
        visit.count = self.actions.len() - visit.from;
        let index = visit.index;
        if self.tree.node(index).children().is_none() && !self.open(visit, state) {
            return None;
        }
        let (first, _) = self.tree.node(index).children()?;
        let room = match self.options.widening {
            Some(widening) => widening.room(self.tree.node(index).visits()).min(visit.count as u64) as usize,
            None => visit.count,
        };
        let at = if room == 1 { 0 } else { self.select(index, first, room, player, stream) };
        let action = self.actions[visit.from + at];
        if self.options.rave > 0.0 {
            self.heard.push((player, action));
        }
        self.game.apply(state, action);
        Some(first + at as u32)
    }

    /// Gives a chance node its children, or room for them.
    fn open_chance(&mut self, visit: &Visit, state: &G::State) -> bool {
        let tree = self.tree;
        let keeps_values = tree.values(ROOT).is_some();
        let mut values = Vec::new();
        if keeps_values {
            for at in 0..visit.count {
                let mut next = state.clone();
                self.game.resolve(&mut next, self.outcomes[visit.from + at].item);
                values.push(self.heuristic(&next));
            }
        }
        let value = |at: usize| keeps_values.then(|| values[at]);
        tree.expand_chance(visit.index, visit.count, |at, child| make_ready(tree, child, visit, value(at)))
    }

    /// Gives a decision node its children.
    fn open(&mut self, visit: &Visit, state: &G::State) -> bool {
        let tree = self.tree;
        // Static values are worked out before the node is opened, for other threads may use them at once.
        let keeps_values = tree.values(ROOT).is_some();
        let mut values = Vec::new();
        if keeps_values {
            for at in 0..visit.count {
                let mut next = state.clone();
                self.game.apply(&mut next, self.actions[visit.from + at]);
                values.push(self.heuristic(&next));
            }
        }
        let value = |at: usize| keeps_values.then(|| values[at]);
        tree.expand(visit.index, visit.count, |at, child| make_ready(tree, child, visit, value(at)))
    }

    /// Selects one of the first `room` children.
    fn select(
        &mut self,
        index: Index,
        first: Index,
        room: usize,
        player: Player,
        stream: &mut Stream,
    ) -> usize {
        if let (Select::Ucb1 { c }, true) = (self.rule, self.simple) {
            let worst = if player == Player::Max { self.range.lo } else { -self.range.hi };
            let children = self.tree.siblings(first, room);
            return if self.tree.is_shared() {
                ucb1_child::<true>(children, player.sign(), worst, c)
            } else {
                ucb1_child::<false>(children, player.sign(), worst, c)
            };
        }
        let (tree, options, sign) = (self.tree, self.options, player.sign());
        // The range from this player's side, who wants large values.
        let lo = if player == Player::Max { self.range.lo } else { -self.range.hi };
        let scale = Scale { lo, width: self.range.width() };
        self.arms.clear();
        self.places.clear();
        // Children that cannot be better than another certainly is are left out; the best bound itself stays.
        let certain = |child: Index| {
            let bounds = tree.bounds(child).map(|side| (side.get(LO), side.get(HI)));
            bounds.map(|(lo, hi)| if player == Player::Max { (lo, hi) } else { (-hi, -lo) })
        };
        let mut best = (usize::MAX, f64::NEG_INFINITY);
        if options.solver {
            for at in 0..room {
                let (lo, _) = certain(first + at as u32).expect("bounds are kept");
                if lo > best.1 {
                    best = (at, lo);
                }
            }
        }
        let slack = SAME * scale.width;
        // A child whose value is known teaches nothing more, as long as another may be better.
        let contends = |at: usize| {
            certain(first + at as u32).is_some_and(|(lo, hi)| hi > best.1 + slack && hi - lo > slack)
        };
        let contested = options.solver && (0..room).any(contends);
        for at in 0..room {
            let child = first + at as u32;
            let node = tree.node(child);
            let bounds = certain(child);
            if contested && !contends(at) || options.solver && !contested && at != best.0 {
                continue;
            }
            let (visits, losses) = (f64::from(node.visits()), f64::from(node.losses()));
            // Simulations under way count as lost.
            let mut sum = sign * node.sum() + losses * scale.lo;
            let mut all = visits + losses;
            let prior = tree.values(child).map(|side| sign * side.get(STATIC));
            if options.seeding > 0.0 {
                sum += options.seeding * prior.unwrap_or(0.0);
                all += options.seeding;
            }
            let mut mean = if all > 0.0 { sum / all } else { 0.0 };
            if let Some((lo, hi)) = bounds {
                mean = mean.clamp(lo, hi);
            }
            if options.implicit > 0.0 {
                let implicit = tree.values(child).map_or(mean, |side| sign * side.get(IMPLICIT));
                mean = (1.0 - options.implicit) * mean + options.implicit * implicit;
            }
            if let Some(side) = tree.rave(child) {
                let n = side.get(RAVE_VISITS);
                if n > 0.0 {
                    // Gelly and Silver's schedule: even shares after `rave` visits of the node.
                    let parent = f64::from(tree.node(index).visits());
                    let beta = (options.rave / (3.0 * parent + options.rave)).sqrt();
                    mean = (1.0 - beta) * mean + beta * sign * side.get(RAVE_SUM) / n;
                }
            }
            self.arms.push(Arm { visits: all, mean, variance: node.variance(), prior: prior.unwrap_or(0.0) });
            self.places.push(at);
        }
        if let Select::Puct { .. } = options.select {
            self.soften(scale);
        }
        if self.places.len() == 1 {
            return self.places[0];
        }
        let parent = sign * tree.node(index).mean();
        let middle = self.range.middle();
        let (places, arms) = (&self.places, &self.arms);
        let bias = |at: usize| {
            if options.bias <= 0.0 {
                return 0.0;
            }
            let child = first + places[at] as u32;
            // Around the middle of the range, so that it is nobody's bonus for being untried.
            let value = tree.values(child).map_or(0.0, |side| sign * (side.get(STATIC) - middle));
            options.bias * value / (1.0 + arms[at].visits)
        };
        places[select(self.rule, arms, parent, scale, bias, stream)]
    }

    /// Makes probabilities of the static values of the arms.
    fn soften(&mut self, scale: Scale) {
        let mut sum = 0.0;
        for arm in &mut self.arms {
            arm.prior = libm::exp(SOFTNESS * scale.share(arm.prior));
            sum += arm.prior;
        }
        // However bad an action looks, it keeps a share.
        let even = EVEN_SHARE / self.arms.len() as f64;
        for arm in &mut self.arms {
            arm.prior = even + (1.0 - EVEN_SHARE) * arm.prior / sum;
        }
    }

    /// Steps 1 and 2 at a chance node: the child that is next, with its outcome resolved; [`NONE`] if there is no room for
    /// the outcome, none if the node cannot be opened.
    fn outcome(&mut self, visit: &mut Visit, state: &mut G::State, stream: &mut Stream) -> Option<Index> {
        visit.from = self.outcomes.len();
        self.game.outcomes(state, &mut self.outcomes);
        visit.count = self.outcomes.len() - visit.from;
        self.counts.samples += 1;
        let index = visit.index;
        if self.tree.node(index).children().is_none() && !self.open_chance(visit, state) {
            return None;
        }
        let outcomes = &self.outcomes[visit.from..];
        let mut at = match self.options.chance {
            ChanceRule::Sample => place_of(outcomes, unit(stream.bits())),
            ChanceRule::Even => {
                self.taken.clear();
                self.taken.resize(visit.count, 0);
                for (place, child) in self.tree.edges(index) {
                    let node = self.tree.node(child);
                    self.taken[place] = node.visits() + node.losses();
                }
                let lag = |at: usize| outcomes[at].weight / f64::from(self.taken[at] + 1);
                let mut most = 0;
                for at in 1..visit.count {
                    if lag(at) > lag(most) {
                        most = at;
                    }
                }
                most
            }
        };
        let mut child = self.tree.child(index, at);
        if child.is_none()
            && let Some(widening) = self.options.widening
        {
            let kept = self.tree.edges(index).count() as u64;
            if kept >= widening.room(self.tree.node(index).visits()) {
                if widening.unbiased {
                    self.game.resolve(state, outcomes[at].item);
                    return Some(NONE);
                }
                // One of those that are kept, by their probabilities among themselves.
                let all: f64 = self.tree.edges(index).map(|(place, _)| outcomes[place].weight).sum();
                let mut number = unit(stream.bits()) * all;
                for (place, kept) in self.tree.edges(index) {
                    (at, child) = (place, Some(kept));
                    number -= outcomes[place].weight;
                    if number < 0.0 {
                        break;
                    }
                }
            }
        }
        if self.options.solver
            && let Some(value) = child.and_then(|child| self.solved(child))
        {
            visit.instead = Some(value);
            let unknown = self.least_known(visit);
            (at, child) = (unknown, self.tree.child(index, unknown));
            // Widening may have no room for it.
            let room = self.options.widening.map(|widening| widening.room(self.tree.node(index).visits()));
            if child.is_none() && room.is_some_and(|room| self.tree.edges(index).count() as u64 >= room) {
                return Some(NONE);
            }
        }
        let outcomes = &self.outcomes[visit.from..];
        self.game.resolve(state, outcomes[at].item);
        if child.is_some() {
            return child;
        }
        let value = self.tree.values(index).is_some().then(|| self.heuristic(state));
        let tree = self.tree;
        let made = tree.add_child(index, at, visit.count, |child| make_ready(tree, child, visit, value));
        made.or(Some(NONE))
    }

    /// The outcome about which most is unknown, its probability counted.
    fn least_known(&self, visit: &Visit) -> usize {
        let outcomes = &self.outcomes[visit.from..visit.from + visit.count];
        let unknown = |at: usize| {
            let child = self.tree.child(visit.index, at).and_then(|child| self.tree.bounds(child));
            outcomes[at].weight * child.map_or(visit.bounds.width(), |side| side.get(HI) - side.get(LO))
        };
        let mut most = (0, f64::NEG_INFINITY);
        for at in 0..visit.count {
            let unknown = unknown(at);
            if unknown > most.1 {
                most = (at, unknown);
            }
        }
        most.0
    }

    /// Step 3: the mean of the playouts from a state.
    fn evaluate(&mut self, state: &G::State, stream: &mut Stream) -> f64 {
        let (game, evaluator, policy, options) = (self.game, self.evaluator, self.policy, self.options);
        let (heard, player, rave) = (&mut self.heard, &mut self.playout, options.rave > 0.0);
        let mut own = |stream: &mut Stream| {
            play_out(player, game, evaluator, policy, options, state, stream, |player, action| {
                if rave {
                    heard.push((player, action));
                }
            })
        };
        let (value, states) = match &self.helpers {
            None => own(stream),
            Some(helpers) => {
                let (sum, count, states) = helpers.together(state, stream, own);
                self.counts.leaves += u64::from((count - 1) * options.playouts.max(1));
                (sum / f64::from(count), states)
            }
        };
        self.counts.nodes += states;
        self.counts.leaves += u64::from(options.playouts.max(1));
        value
    }

    /// The static value of a state: of a chance state the mean over its outcomes.
    fn heuristic(&mut self, state: &G::State) -> f64 {
        match self.game.turn(state) {
            Turn::Over(payoff) => payoff,
            Turn::Decide(_) => self.game.bounds(state).clamp(self.evaluator.value(self.game, state)),
            Turn::Chance => {
                let from = self.outcomes.len();
                self.game.outcomes(state, &mut self.outcomes);
                let mut sum = 0.0;
                for at in from..self.outcomes.len() {
                    let Weighted { item, weight } = self.outcomes[at];
                    let mut next = state.clone();
                    self.game.resolve(&mut next, item);
                    sum += weight * self.heuristic(&next);
                }
                self.outcomes.truncate(from);
                sum
            }
        }
    }

    fn set_static(&self, index: Index, value: f64) {
        if let Some(side) = self.tree.values(index) {
            side.set(IMPLICIT, value);
            side.set(STATIC, value);
        }
    }

    /// The value of a node that is known for certain.
    fn solved(&self, index: Index) -> Option<f64> {
        let side = self.tree.bounds(index)?;
        let (lo, hi) = (side.get(LO), side.get(HI));
        (hi - lo <= SAME * self.range.width()).then_some(0.5 * (lo + hi))
    }

    /// Narrows the proved bounds of a node, and says whether that changed them.
    fn narrow(&self, index: Index, bounds: Interval) -> bool {
        let Some(side) = self.tree.bounds(index) else { return false };
        let (lo, hi) = (side.get(LO), side.get(HI));
        // Rounding must not turn the bounds around.
        let (new_lo, new_hi) = (bounds.lo.max(lo).min(hi), bounds.hi.min(hi).max(lo));
        if new_lo > lo {
            side.set(LO, new_lo);
        }
        if new_hi < hi {
            side.set(HI, new_hi);
        }
        new_lo > lo || new_hi < hi
    }

    /// Step 4 at one node of the path; returns whether its bounds changed.
    fn back_up(&mut self, at: usize, value: &mut f64, changed: bool) -> bool {
        let visit = self.path[at];
        let tree = self.tree;
        let node = tree.node(visit.index);
        let shared = tree.is_shared();
        let last = at + 1 == self.path.len();
        // At the last node nothing below it has been seen.
        let changed = if last { changed } else { changed && self.back_up_bounds(visit) };
        if self.options.solver && !last {
            *value = self.told(at, *value);
        }
        if shared && visit.index == ROOT {
            // All threads pass here and none asks: what they saw is added from time to time.
            self.root.0 += *value;
            self.root.1 += *value * *value;
            self.root.2 += 1;
        } else {
            // The variance of an action at the root is reported, and some rules ask for all.
            node.add(*value, self.all_squares || at <= 1, shared);
        }
        if last {
            return changed;
        }
        if self.options.backup != Backup::Mean
            && let Some(value) = self.combined(visit)
        {
            node.set_value(value);
        }
        if self.options.implicit > 0.0 {
            self.back_up_implicit(visit);
        }
        changed
    }

    /// What a simulation tells a node whose bounds are kept, given what it tells the child.
    ///
    /// A simulation may be sent to a child to learn about it, and not because it is the best, or the one that was drawn.
    /// Then the node hears the value of the child that it should have been.
    fn told(&self, at: usize, value: f64) -> f64 {
        let (visit, child) = (self.path[at], self.path[at + 1].index);
        let Turn::Decide(player) = visit.turn else { return visit.instead.unwrap_or(value) };
        let Some((first, count)) = self.tree.node(visit.index).children() else { return value };
        let known = (first..first + count)
            .filter(|&other| other != child)
            .filter_map(|other| self.solved(other))
            .reduce(|best, value| if player.prefers(value, best) { value } else { best });
        // The child has heard of this simulation already.
        let node = self.tree.node(child);
        let mean = if node.visits() > 0 { node.mean() } else { value };
        known.filter(|&known| player.prefers(known, mean)).unwrap_or(value)
    }

    /// The value of a node by those of its children; none if none was visited.
    fn combined(&self, visit: Visit) -> Option<f64> {
        let tree = self.tree;
        let (first, count) = tree.node(visit.index).children()?;
        let Turn::Decide(player) = visit.turn else {
            // Outcomes count by their probabilities, those never drawn not at all.
            let outcomes = &self.outcomes[visit.from..visit.from + visit.count];
            let (mut sum, mut all) = (0.0, 0.0);
            for (place, child) in tree.edges(visit.index) {
                if tree.node(child).visits() > 0 {
                    sum += outcomes[place].weight * tree.node(child).mean();
                    all += outcomes[place].weight;
                }
            }
            return (all > 0.0).then(|| sum / all);
        };
        let seen = (first..first + count).map(|child| tree.node(child)).filter(|node| node.visits() > 0);
        match self.options.backup {
            Backup::Power { p } => {
                // From the side of the player, on [0, 1].
                let width = self.range.width();
                let share = |value: f64| match player {
                    Player::Max => (value - self.range.lo) / width,
                    Player::Min => (self.range.hi - value) / width,
                };
                // Beside the best child, so that no power is too small for a number.
                let top = seen.clone().map(|node| share(node.mean())).fold(0.0, f64::max).min(1.0);
                let (mut sum, mut visits) = (0.0, 0.0);
                for node in seen {
                    let n = f64::from(node.visits());
                    if top > 0.0 {
                        sum += n * libm::pow((share(node.mean()) / top).clamp(0.0, 1.0), p);
                    }
                    visits += n;
                }
                let mean = top * libm::pow(sum / visits, 1.0 / p);
                (visits > 0.0).then_some(match player {
                    Player::Max => self.range.lo + width * mean,
                    Player::Min => self.range.hi - width * mean,
                })
            }
            _ => seen
                .map(Node::mean)
                .reduce(|best, value| if player.prefers(value, best) { value } else { best }),
        }
    }

    fn back_up_implicit(&self, visit: Visit) {
        let tree = self.tree;
        let Some(side) = tree.values(visit.index) else { return };
        let Some((first, count)) = tree.node(visit.index).children() else { return };
        let value_of = |child: Index, cell: usize| tree.values(child).expect("values are kept").get(cell);
        let value = match visit.turn {
            Turn::Decide(player) => (first..first + count)
                .map(|child| value_of(child, IMPLICIT))
                .reduce(|best, value| if player.prefers(value, best) { value } else { best })
                .unwrap_or(side.get(IMPLICIT)),
            // Outcomes that were never drawn keep their share of the static value.
            _ => {
                let outcomes = &self.outcomes[visit.from..];
                let change = |(place, child): (usize, Index)| {
                    outcomes[place].weight * (value_of(child, IMPLICIT) - value_of(child, STATIC))
                };
                side.get(STATIC) + tree.edges(visit.index).map(change).sum::<f64>()
            }
        };
        side.set(IMPLICIT, value);
    }

    /// The bounds of a node by those of its children.
    fn back_up_bounds(&self, visit: Visit) -> bool {
        let tree = self.tree;
        let Some((first, count)) = tree.node(visit.index).children() else { return false };
        let bounds_of = |child: Index| {
            let side = tree.bounds(child).expect("bounds are kept");
            (side.get(LO), side.get(HI))
        };
        let bounds = match visit.turn {
            Turn::Decide(player) => {
                let best = |a: f64, b: f64| if player == Player::Max { a.max(b) } else { a.min(b) };
                let all = (first..first + count).map(bounds_of);
                let (lo, hi) =
                    all.reduce(|a, b| (best(a.0, b.0), best(a.1, b.1))).expect("there are actions");
                Interval { lo, hi }
            }
            // An outcome that was never drawn may be worth anything that the game allows.
            _ => {
                let outcomes = &self.outcomes[visit.from..visit.from + visit.count];
                let (mut lo, mut hi, mut seen) = (0.0, 0.0, 0.0);
                for (place, child) in tree.edges(visit.index) {
                    let (weight, bounds) = (outcomes[place].weight, bounds_of(child));
                    lo += weight * bounds.0;
                    hi += weight * bounds.1;
                    seen += weight;
                }
                let unseen = (1.0 - seen).max(0.0);
                Interval { lo: lo + unseen * visit.bounds.lo, hi: hi + unseen * visit.bounds.hi }
            }
        };
        self.narrow(visit.index, bounds)
    }

    /// Every later action of the same player counts for the action as if it had been played here.
    fn back_up_rave(&self, value: f64) {
        let mut made = 0;
        for visit in &self.path {
            let Turn::Decide(player) = visit.turn else { continue };
            let Some((first, count)) = self.tree.node(visit.index).children() else { break };
            let later = self.heard.get(made..).unwrap_or(&[]);
            for at in 0..count.min(visit.count as u32) {
                let action = self.actions[visit.from + at as usize];
                if later.iter().any(|&(who, what)| who == player && what == action)
                    && let Some(side) = self.tree.rave(first + at)
                {
                    side.add(RAVE_VISITS, 1.0, self.tree.is_shared());
                    side.add(RAVE_SUM, value, self.tree.is_shared());
                }
            }
            made += 1;
        }
    }
}

/// The logarithm of a whole number: the same as anywhere else, but for small ones looked up.
fn logarithm(number: f64) -> f64 {
    static TABLE: OnceLock<Box<[f64]>> = OnceLock::new();
    let table = TABLE.get_or_init(|| (0..4096).map(|n| libm::log(f64::from(n))).collect());
    table.get(number as usize).copied().unwrap_or_else(|| libm::log(number))
}

/// UCB1 with nothing else to count, which is [`select`] in fewer steps. `sign` is that of the player, and `worst` the worst
/// that can happen to him, which simulations under way count as.
fn ucb1_child<const SHARED: bool>(children: &[Node], sign: f64, worst: f64, c: f64) -> usize {
    let tried = |node: &Node| if SHARED { node.visits() + node.losses() } else { node.visits() };
    let mut visits = 0;
    for (at, child) in children.iter().enumerate() {
        let tried = tried(child);
        if tried == 0 {
            return at;
        }
        visits += tried;
    }
    let log = logarithm(f64::from(visits));
    let mut best = (0, f64::NEG_INFINITY);
    for (at, child) in children.iter().enumerate() {
        let share = 1.0 / f64::from(tried(child));
        let lost = if SHARED { f64::from(child.losses()) * worst } else { 0.0 };
        // The same as `ucb1`, with one division.
        let score = (sign * child.sum() + lost) * share + c * (log * share).sqrt();
        if score > best.1 {
            best = (at, score);
        }
    }
    best.0
}

/// Gives a new node the bounds that the game knows of its parent, and its static value.
fn make_ready(tree: &Tree, child: Index, parent: &Visit, value: Option<f64>) {
    if let Some(side) = tree.bounds(child) {
        side.set(LO, parent.bounds.lo);
        side.set(HI, parent.bounds.hi);
    }
    if let (Some(side), Some(value)) = (tree.values(child), value) {
        side.set(IMPLICIT, value);
        side.set(STATIC, value);
    }
}

/// The mean of the playouts of a leaf, and the states that they visited.
#[expect(clippy::too_many_arguments, reason = "what a playout needs, from two kinds of threads")]
pub(super) fn play_out<G: Game, E: Evaluator<G>>(
    player: &mut Playout<G>,
    game: &G,
    evaluator: &E,
    policy: Option<&dyn Policy<G>>,
    options: &MctsOptions,
    leaf: &G::State,
    stream: &mut Stream,
    mut heard: impl FnMut(Player, G::Action),
) -> (f64, u64) {
    let guide = policy.map(|policy| Guide { policy, share: options.follow });
    let count = options.playouts.max(1);
    let (mut sum, mut states) = (0.0, 0);
    for _ in 0..count {
        let mut state = leaf.clone();
        let (turn, made) =
            player.run_with(game, &mut state, options.playout_moves, stream, guide, &mut heard);
        states += u64::from(made);
        sum += match turn {
            Turn::Over(payoff) => payoff,
            _ => game.bounds(&state).clamp(evaluator.value(game, &state)),
        };
    }
    (sum / f64::from(count), states)
}

/// How sharply static values become probabilities, and the share of these that is the same for all.
const SOFTNESS: f64 = 8.0;
const EVEN_SHARE: f64 = 0.25;

/// The place of the outcome in whose share of [0, 1) the number falls.
fn place_of<T>(outcomes: &[Weighted<T>], number: f64) -> usize {
    let mut sum = 0.0;
    for (at, outcome) in outcomes.iter().enumerate() {
        sum += outcome.weight;
        if number < sum {
            return at;
        }
    }
    outcomes.len() - 1
}
