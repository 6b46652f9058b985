//! Step 1 of a simulation at a decision node: which action is next, by the bandit rule and whatever is known beside.

use super::super::options::Select;
use super::super::select::{Arm, Scale, select};
use super::super::tree::{Index, Node};
use super::backup::{RAVE_SUM, RAVE_VISITS};
use super::{HI, IMPLICIT, LO, SAME, STATIC, Visit, Worker};
use astragal_core::{Evaluator, Game, Player, Stream};
use std::cmp::Reverse;
use std::sync::OnceLock;

/// How sharply static values become probabilities, and the share of these that is the same for all.
const SOFTNESS: f64 = 8.0;
const EVEN_SHARE: f64 = 0.25;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Lists the `room` most promising actions of a node, equals in the game's order.
    pub(super) fn rank(&mut self, visit: &Visit, state: &G::State, room: usize) {
        let (game, actions) = (self.game, &self.actions[visit.listed()]);
        self.ranked.clear();
        self.ranked.extend(0..actions.len());
        self.ranked.sort_by_key(|&at| Reverse(game.promise(state, actions[at])));
        self.ranked.truncate(room);
    }

    /// Selects one of `count` children, or of those that are ranked if the node is to be widened later.
    pub(super) fn select(
        &mut self,
        index: Index,
        first: Index,
        count: usize,
        player: Player,
        stream: &mut Stream,
    ) -> usize {
        if let (Select::Ucb1 { c }, true) = (self.rule, self.simple && self.ranked.is_empty()) {
            let worst = if player == Player::Max { self.range.lo } else { -self.range.hi };
            let sign = player.sign();
            if let (Some(slot), Some(hot)) = (self.via, &self.hot) {
                return hot.select(slot, sign, c);
            }
            let children = self.tree.siblings(first, count);
            if !self.tree.is_shared() {
                return ucb1_child(self.logarithms, children, Node::visits, |node| sign * node.sum(), c).0;
            }
            // Simulations under way count as lost.
            let (at, visits) = ucb1_child(
                self.logarithms,
                children,
                Node::tried,
                |node| sign * node.sum() + f64::from(node.losses()) * worst,
                c,
            );
            self.admit(index, visits, first, count);
            return at;
        }
        let (tree, options, sign) = (self.tree, self.options, player.sign());
        // The range from this player's side, who wants large values.
        let lo = if player == Player::Max { self.range.lo } else { -self.range.hi };
        let scale = Scale { lo, width: self.range.width() };
        self.arms.clear();
        self.places.clear();
        let ranked = &self.ranked;
        let count = if ranked.is_empty() { count } else { ranked.len() };
        let candidate = |nth: usize| ranked.get(nth).copied().unwrap_or(nth);
        // Children that cannot be better than another certainly is are left out; the best bound itself stays. Other threads
        // may narrow bounds at any moment, so each is read once.
        self.certain.clear();
        let mut best = (0, f64::NEG_INFINITY);
        if options.solver {
            for nth in 0..count {
                let side = tree.bounds(first + candidate(nth) as u32).expect("bounds are kept");
                let (lo, hi) = (side.get(LO), side.get(HI));
                let (lo, hi) = if player == Player::Max { (lo, hi) } else { (-hi, -lo) };
                self.certain.push((lo, hi));
                if lo > best.1 {
                    best = (nth, lo);
                }
            }
        }
        let slack = SAME * scale.width;
        // A child whose value is known teaches nothing more, as long as another may be better.
        let contends = |&(lo, hi): &(f64, f64)| hi > best.1 + slack && hi - lo > slack;
        let contested = self.certain.iter().any(contends);
        for nth in 0..count {
            let at = candidate(nth);
            let child = first + at as u32;
            let node = tree.node(child);
            let bounds = self.certain.get(nth).copied();
            if contested && !bounds.as_ref().is_some_and(contends)
                || options.solver && !contested && nth != best.0
            {
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
                mean = mean.max(lo).min(hi);
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
            let variance = if tree.keeps_squares() { tree.variance(child) } else { 0.0 };
            self.arms.push(Arm { visits: all, mean, variance, prior: prior.unwrap_or(0.0) });
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
}

/// Logarithms of whole numbers, to twelve digits: small numbers are looked up, and a larger one is a small one shifted and a
/// little more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logarithms(&'static [f64]);

/// Numbers whose logarithms are looked up.
const TABLED: u32 = 1024;

impl Logarithms {
    pub(super) fn new() -> Self {
        static TABLE: OnceLock<Box<[f64]>> = OnceLock::new();
        Self(TABLE.get_or_init(|| (0..TABLED).map(|n| libm::log(f64::from(n))).collect()))
    }

    #[inline]
    pub(super) fn of(self, number: u32) -> f64 {
        if let Some(&log) = self.0.get(number as usize) {
            return log;
        }
        let shift = TABLED.leading_zeros() + 1 - number.leading_zeros();
        let head = number >> shift;
        let rest = f64::from(number - (head << shift)) / f64::from(head << shift);
        let series = rest * (1.0 - rest * (0.5 - rest / 3.0));
        self.0[head as usize] + f64::from(shift) * std::f64::consts::LN_2 + series
    }
}

#[cfg(test)]
#[test]
fn logarithms_are_right_to_twelve_digits() {
    let logarithms = Logarithms::new();
    for number in (1..100_000).chain((100_000..u32::MAX - 50_000).step_by(49_999)).chain([u32::MAX]) {
        let exact = libm::log(f64::from(number));
        assert!((logarithms.of(number) - exact).abs() <= 1e-12 * exact, "{number}");
        assert!(number >= TABLED || logarithms.of(number) == exact, "{number}");
    }
}

/// UCB1 with nothing else to count, which is [`select`] in fewer steps, among children that were `tried` so often with such
/// a `sum` of values for the player; with all visits, if all were tried.
fn ucb1_child(
    logarithms: Logarithms,
    children: &[Node],
    tried: impl Fn(&Node) -> u32,
    sum: impl Fn(&Node) -> f64,
    c: f64,
) -> (usize, u32) {
    let mut visits = 0;
    for (at, child) in children.iter().enumerate() {
        let tried = tried(child);
        if tried == 0 {
            return (at, 0);
        }
        visits += tried;
    }
    let log = logarithms.of(visits);
    let mut best = (0, f64::NEG_INFINITY);
    for (at, child) in children.iter().enumerate() {
        let share = 1.0 / f64::from(tried(child));
        // The same as `ucb1`, with one division.
        let score = sum(child) * share + c * (log * share).sqrt();
        if score > best.1 {
            best = (at, score);
        }
    }
    (best.0, visits)
}
