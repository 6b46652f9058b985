//! Step 1 of a simulation at a decision node: selects the next action by the bandit rule and its extensions.

use super::implicit::STATIC;
use super::options::Select;
use super::select::{Arm, Scale, select};
use super::simulate::{Visit, Worker};
use super::solver::SAME;
use super::tree::{Index, Node};
use crate::rank::highest_first;
use astragal_core::{Evaluator, Game, Player, Stream};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// Sharpness of the softmax of static values, and the share of the prior that is uniform.
const SOFTNESS: f64 = 8.0;
const EVEN_SHARE: f64 = 0.25;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Ranks the `limit` most promising actions of a node; ties keep the game's order.
    pub(super) fn rank(&mut self, visit: &Visit<'_>, state: &G::State, limit: usize) {
        let (game, actions) = (self.game, &self.actions[visit.listed()]);
        self.promises.clear();
        self.promises.extend(actions.iter().map(|&action| f64::from(game.promise(state, action))));
        self.ranked.clear();
        self.ranked.extend(0..actions.len() as u32);
        highest_first(&mut self.ranked, &self.promises);
        self.ranked.truncate(limit);
    }

    /// [`Worker::select`] by plain UCB1, among all children.
    #[inline]
    pub(super) fn select_simply(&self, first: Index, children: &[Node], player: Player) -> usize {
        let Select::Ucb1 { c } = self.rule else { unreachable!("that is what is simple") };
        let sign = player.sign();
        let (count, logarithms) = (children.len(), self.logarithms);
        let visits = |at: usize| children[at].visits();
        let sum = |at: usize| sign * children[at].sum();
        let Some(losses) = self.tree.losses(first, count) else {
            return ucb1_child(logarithms, count, visits, sum, c);
        };
        let (worst, lost) = (self.worst(player), |at: usize| losses[at].load(Ordering::Acquire));
        let sum = |at: usize| sum(at) + f64::from(lost(at)) * worst;
        ucb1_child(logarithms, count, |at| lost(at) + visits(at), sum, c)
    }

    /// The worst value from the player's perspective, where larger is better.
    fn worst(&self, player: Player) -> f64 {
        if player == Player::Max { self.range.lo } else { -self.range.hi }
    }

    /// Selects one of `count` children, or of the ranked ones under progressive widening.
    #[inline(never)]
    pub(super) fn select(
        &mut self,
        index: Index,
        first: Index,
        count: usize,
        player: Player,
        stream: &mut Stream,
    ) -> usize {
        let sign = player.sign();
        let (tree, options) = (self.tree, self.options);
        let scale = Scale { lo: self.worst(player), width: self.range.width() };
        let (ranked, mut contenders) = (&self.ranked, std::mem::take(&mut self.contenders));
        let count = if ranked.is_empty() { count } else { ranked.len() };
        let candidate = |nth: usize| ranked.get(nth).map_or(nth, |&at| at as usize);
        let children = (0..count).map(|nth| first + candidate(nth) as u32);
        contenders.read(tree, children, player, SAME * scale.width);
        let (mut arms, mut candidates) =
            (std::mem::take(&mut self.arms), std::mem::take(&mut self.candidates));
        arms.clear();
        candidates.clear();
        for nth in (0..count).filter(|&nth| !contenders.excludes(nth)) {
            let at = candidate(nth);
            let child = first + at as u32;
            let node = tree.node(child);
            let (losses, visits) = (f64::from(tree.lost(child)), f64::from(node.visits()));
            let mut sum = sign * node.sum() + losses * scale.lo;
            let mut all = visits + losses;
            let prior = tree.values(child).map(|side| sign * side.get(STATIC));
            if options.seeding > 0.0 {
                sum += options.seeding * prior.unwrap_or(0.0);
                all += options.seeding;
            }
            let mean = contenders.clamp(nth, if all > 0.0 { sum / all } else { 0.0 });
            let mean = self.blend_rave(index, child, sign, self.blend_implicit(child, sign, mean));
            let variance = if tree.keeps_squares() { tree.variance(child) } else { 0.0 };
            arms.push(Arm { visits: all, mean, variance, prior: prior.unwrap_or(0.0) });
            candidates.push(at);
        }
        if let Select::Puct { .. } = options.select {
            soften(&mut arms, scale);
        }
        let middle = self.range.middle();
        let bias = |at: usize| {
            if options.bias <= 0.0 {
                return 0.0;
            }
            let child = first + candidates[at] as u32;
            // Centred on the middle of the range, so that no action gains a bonus for being untried.
            let value = tree.values(child).map_or(0.0, |side| sign * (side.get(STATIC) - middle));
            options.bias * value / (1.0 + arms[at].visits)
        };
        let selected = match candidates[..] {
            [only] => only,
            _ => candidates[select(self.rule, &arms, sign * tree.node(index).mean(), scale, bias, stream)],
        };
        (self.arms, self.candidates, self.contenders) = (arms, candidates, contenders);
        selected
    }
}

/// Turns the static values of the arms into probabilities.
fn soften(arms: &mut [Arm], scale: Scale) {
    let mut sum = 0.0;
    for arm in &mut *arms {
        arm.prior = libm::exp(SOFTNESS * scale.share(arm.prior));
        sum += arm.prior;
    }
    // Every action keeps a minimum share.
    let even = EVEN_SHARE / arms.len() as f64;
    for arm in arms {
        arm.prior = even + (1.0 - EVEN_SHARE) * arm.prior / sum;
    }
}

/// Logarithms of integers, to twelve digits: small numbers come from a table, larger ones from a shift and a
/// short series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logarithms(&'static [f64]);

/// Numbers whose logarithms are tabulated.
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

/// Plain UCB1, equivalent to [`select`] in fewer steps: `tried` gives the visits of a child and `sum` its
/// values for the player.
#[inline]
fn ucb1_child(
    logarithms: Logarithms,
    count: usize,
    tried: impl Fn(usize) -> u32,
    sum: impl Fn(usize) -> f64,
    c: f64,
) -> usize {
    let mut visits = 0;
    for at in 0..count {
        let tried = tried(at);
        if tried == 0 {
            return at;
        }
        visits += tried;
    }
    let log = logarithms.of(visits);
    let mut best = (0, f64::NEG_INFINITY);
    for at in 0..count {
        let share = 1.0 / f64::from(tried(at));
        // The same as `ucb1`, but with one division.
        let score = sum(at) * share + c * (log * share).sqrt();
        if score > best.1 {
            best = (at, score);
        }
    }
    best.0
}
