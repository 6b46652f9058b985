//! Flat Monte Carlo: sampling at the root, where every action is an arm of a bandit and nothing below it is
//! stored.
//!
//! The lectures' simplest Monte Carlo player: play random games after each action and take the best mean. The
//! allocation of samples to actions is a separate choice: equal, UCB1, or sequential halving, which
//! repeatedly drops the worse half. Sampling may also end when one action is significantly better than all
//! others.
//!
//! With common random numbers the games of one round, one for each action, see the same dice, so that luck
//! cancels in the comparison of actions.

mod listing;

use crate::mcts::ucb1;
use crate::playout::{FIRST, LOOK_NODES, Playout, Rolled, Rollout, UNLIMITED};
use astragal_core::{
    Budget, Counts, Evaluator, Game, Limit, Line, News, Policy, Report, Sampler, Searcher, Step, Stop, Turn,
    Watch,
};
use std::sync::Arc;

/// How samples are allocated to actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allocation {
    /// All actions in turn.
    Equal,
    /// UCB1: the action with the largest upper confidence bound; the constant is for values from −1 to 1.
    Ucb1 {
        /// The weight of exploration.
        c: f64,
    },
    /// Sequential halving: all actions in turn, then the better half of them, and so on until one is left.
    Halving,
}

/// The options of flat Monte Carlo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatOptions {
    /// How samples are allocated to actions.
    pub allocation: Allocation,
    /// Whether games of the same round use the same random numbers.
    pub common: bool,
    /// The confidence at which sampling ends early; 1 never does.
    pub confidence: f64,
    /// Decisions in a playout before the evaluator is applied; `u32::MAX` plays to the end.
    pub playout_moves: u32,
    /// The probability that a playout move follows the policy, if there is one.
    pub follow: f64,
}

impl Default for FlatOptions {
    fn default() -> Self {
        Self {
            allocation: Allocation::Equal,
            common: true,
            confidence: 1.0,
            playout_moves: u32::MAX,
            follow: 1.0,
        }
    }
}

/// Samples of each action before the first significance test.
const FIRST_TEST: u64 = 32;

/// Configured flat Monte Carlo search.
pub struct Flat<G: Game, E> {
    evaluator: E,
    policy: Option<Arc<dyn Policy<G>>>,
    options: FlatOptions,
}

impl<G: Game, E: Evaluator<G>> Flat<G, E> {
    /// A search that applies this evaluator where playouts are cut off.
    #[must_use]
    pub fn new(evaluator: E, options: FlatOptions) -> Self {
        Self { evaluator, policy: None, options }
    }

    /// Makes playouts follow a policy.
    #[must_use]
    pub fn with_policy(mut self, policy: Arc<dyn Policy<G>>) -> Self {
        self.policy = Some(policy);
        self
    }
}

/// The statistics of an action: samples, their mean, and the sum of squared deviations from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    pub(crate) count: u64,
    pub(crate) mean: f64,
    spread: f64,
}

impl Samples {
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.spread += off * (value - self.mean);
    }

    /// The variance of the mean.
    fn uncertainty(&self) -> f64 {
        let n = self.count as f64;
        if self.count > 1 { self.spread / (n * (n - 1.0)) } else { f64::INFINITY }
    }
}

/// A search under way.
struct Sampling<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    policy: Option<&'a dyn Policy<G>>,
    options: &'a FlatOptions,
    sampler: Sampler,
    player: Playout<G>,
    /// The states after the actions.
    after: Vec<G::State>,
    arms: Vec<Samples>,
    /// For each pair of actions, the differences in rounds that sampled both.
    differences: Vec<Samples>,
    counts: Counts,
    /// The actions not eliminated.
    alive: Vec<usize>,
    /// −1 if Min is to move at the root, otherwise +1.
    sign: f64,
}

/// Keeps the better half of the actions, in their original order.
fn halve(alive: &mut Vec<usize>, arms: &[Samples]) {
    alive.sort_by(|&a, &b| arms[b].mean.total_cmp(&arms[a].mean));
    alive.truncate(alive.len().div_ceil(2));
    alive.sort_unstable();
}

impl<G: Game, E: Evaluator<G>> Sampling<'_, G, E> {
    /// Why sampling must end once `nodes` states have been visited, if it must.
    fn halted(&self, nodes: u64, budget: &Budget, watch: &mut dyn Watch) -> Option<Stop> {
        if watch.cancelled() {
            return Some(Stop::Cancelled);
        }
        let begun = self.counts.simulations >= self.arms.len() as u64;
        let most = budget.nodes.map(|most| if begun { most } else { most.saturating_mul(FIRST) });
        if most.is_some_and(|most| nodes >= most) {
            return Some(Stop::Nodes);
        }
        budget.time.filter(|&time| nodes > 0 && watch.elapsed() >= time).map(|_| Stop::Time)
    }

    /// Samples an action once; the value is from the perspective of the player to move.
    fn sample(
        &mut self,
        arm: usize,
        round: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Result<f64, Stop> {
        // With common random numbers the stream depends on the round alone.
        let key = if self.options.common { 0 } else { arm as u32 + 1 };
        let mut stream = self.sampler.stream(round, key);
        let rollout = Rollout {
            game: self.game,
            evaluator: self.evaluator,
            policy: self.policy,
            follow: self.options.follow,
            moves: self.options.playout_moves,
            count: 1,
            is_blind: self.evaluator.is_neutral(),
        };
        let mut player = std::mem::take(&mut self.player);
        let before = self.counts.nodes + 1;
        let halt = |states: u64| self.halted(before + states, budget, watch);
        let played = rollout.value(&mut player, &self.after[arm], &mut stream, |_, _| {}, halt);
        self.player = player;
        let (Ok(Rolled { states, .. }) | Err((_, states))) = played;
        self.counts.nodes = before + states;
        let Rolled { value, unevaluated, .. } = played.map_err(|(stop, _)| stop)?;
        self.counts.leaves += 1;
        self.counts.unevaluated += u64::from(unevaluated);
        self.counts.simulations += 1;
        self.arms[arm].add(self.sign * value);
        Ok(self.sign * value)
    }

    /// Samples each of these actions once, and records their differences.
    fn round(
        &mut self,
        arms: &[usize],
        number: u64,
        values: &mut Vec<f64>,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Result<(), Stop> {
        values.clear();
        for &arm in arms {
            values.push(self.sample(arm, number, budget, watch)?);
        }
        let all = self.arms.len();
        for (i, &a) in arms.iter().enumerate() {
            for (j, &b) in arms.iter().enumerate().skip(i + 1) {
                self.differences[a * all + b].add(values[i] - values[j]);
            }
        }
        Ok(())
    }

    /// The action with the best mean; ties go to the first.
    fn best(&self, arms: &[usize]) -> usize {
        // An action without samples has no mean.
        let mean =
            |arm: usize| if self.arms[arm].count > 0 { self.arms[arm].mean } else { f64::NEG_INFINITY };
        let mut best = arms[0];
        for &arm in arms {
            if mean(arm) > mean(best) {
                best = arm;
            }
        }
        best
    }

    /// Whether the best of these actions is better than each of the others, with an error probability of at
    /// most `doubt`.
    fn is_significant(&self, arms: &[usize], doubt: f64) -> bool {
        let best = self.best(arms);
        let doubt = doubt / (arms.len() - 1) as f64;
        arms.iter().filter(|&&arm| arm != best).all(|&arm| {
            let (low, high) = (best.min(arm), best.max(arm));
            let pairs = &self.differences[low * self.arms.len() + high];
            let lead = self.arms[best].mean - self.arms[arm].mean;
            let variance = if pairs.count == self.arms[best].count && pairs.count == self.arms[arm].count {
                pairs.uncertainty()
            } else {
                self.arms[best].uncertainty() + self.arms[arm].uncertainty()
            };
            // The two-sided p-value of the lead, if the two actions were equal.
            lead > 0.0 && libm::erfc(lead / (2.0 * variance).sqrt()) <= doubt
        })
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Flat<G, E> {
    fn heeds(&self) -> &'static [Limit] {
        Limit::SIMULATING
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::State,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report<G::Action, G::Outcome> {
        let mut actions = Vec::new();
        let turn = game.turn(root);
        if let Turn::Decide(_) = turn {
            game.actions(root, &mut actions);
        }
        // At a chance node only the state itself can be sampled.
        let after: Vec<G::State> = if actions.is_empty() {
            vec![root.clone()]
        } else {
            let step = |&action: &G::Action| {
                let mut next = root.clone();
                game.apply(&mut next, action);
                next
            };
            actions.iter().map(step).collect()
        };
        let arms = after.len();
        let mut sampling = Sampling {
            game,
            evaluator: &self.evaluator,
            policy: self.policy.as_deref(),
            options: &self.options,
            sampler: Sampler::new(seed),
            player: Playout::new(),
            after,
            arms: vec![Samples::default(); arms],
            differences: vec![Samples::default(); arms * arms],
            counts: Counts::default(),
            alive: (0..arms).collect(),
            sign: if let Turn::Decide(player) = turn { player.sign() } else { 1.0 },
        };
        let stop = match turn {
            Turn::Over(payoff) => {
                sampling.arms[0].add(payoff);
                Stop::Complete
            }
            _ => sampling.run(budget, watch),
        };
        sampling.report(root, &actions, stop)
    }
}

impl<G: Game, E: Evaluator<G>> Sampling<'_, G, E> {
    fn run(&mut self, budget: &Budget, watch: &mut dyn Watch) -> Stop {
        let limited = budget.iterations.is_some() || budget.nodes.is_some() || budget.time.is_some();
        let most = if limited { budget.iterations.unwrap_or(u64::MAX) } else { UNLIMITED };
        let arms = self.arms.len();
        let mut values = Vec::new();
        let (mut round, mut tests, mut next_test, mut news) = (0_u64, 0_u64, FIRST_TEST, 64_u64);
        let mut looked = 0;
        // Halving divides its samples among its stages; without a limit it starts with a small plan and
        // doubles it.
        let stages = u64::from(usize::BITS - (arms - 1).leading_zeros()).max(1);
        let mut plan = if most == u64::MAX { 64 * arms as u64 } else { most };
        let per_stage = |plan: u64, alive: usize| (plan / stages / alive as u64).max(1);
        let mut stage_end = per_stage(plan, arms);
        loop {
            let counts = self.counts;
            if counts.simulations >= most {
                return Stop::Iterations;
            }
            let begun = counts.simulations >= arms as u64;
            if budget.nodes.is_some_and(|nodes| begun && counts.nodes >= nodes) {
                return Stop::Nodes;
            }
            if round.is_multiple_of(16) || counts.nodes >= looked + LOOK_NODES {
                looked = counts.nodes;
                if let Some(stop) = self.halted(counts.nodes, budget, watch) {
                    return stop;
                }
            }
            if counts.simulations >= news {
                news *= 2;
                let best = self.best(&self.alive);
                watch.news(News::Simulations {
                    value: self.sign * self.arms[best].mean,
                    best: Some(best),
                    counts,
                });
            }
            match self.options.allocation {
                Allocation::Ucb1 { c } => {
                    let untried = self.arms.iter().position(|arm| arm.count == 0);
                    let log = libm::log(counts.simulations.max(1) as f64);
                    let unit = 0.5 * self.game.range().width();
                    let score = |arm: &Samples| ucb1(arm.mean, arm.count as f64, log, c * unit);
                    let mut arm = untried.unwrap_or(0);
                    if untried.is_none() {
                        for other in 1..arms {
                            if score(&self.arms[other]) > score(&self.arms[arm]) {
                                arm = other;
                            }
                        }
                    }
                    let number = self.arms[arm].count;
                    if let Err(stop) = self.sample(arm, number, budget, watch) {
                        return stop;
                    }
                }
                _ => {
                    // The last round may be partial.
                    let left = (most - counts.simulations).min(self.alive.len() as u64) as usize;
                    let now: Vec<usize> = self.alive[..left].to_vec();
                    if let Err(stop) = self.round(&now, round, &mut values, budget, watch) {
                        return stop;
                    }
                }
            }
            round += 1;
            if self.options.allocation == Allocation::Halving && round >= stage_end {
                if self.alive.len() > 1 {
                    halve(&mut self.alive, &self.arms);
                } else if most == u64::MAX {
                    plan *= 2;
                    self.alive = (0..arms).collect();
                }
                stage_end = round + per_stage(plan, self.alive.len());
            }
            let least = self.arms.iter().map(|arm| arm.count).min().unwrap_or(0);
            if self.options.confidence < 1.0 && arms == 1 && least >= FIRST_TEST {
                // A single action needs no comparison.
                return Stop::Complete;
            }
            if self.options.confidence < 1.0 && arms > 1 && least >= next_test {
                // Repeated tests share the error probability: one half, one sixth, one twelfth, and so on.
                tests += 1;
                next_test *= 2;
                let doubt = (1.0 - self.options.confidence) / (tests * (tests + 1)) as f64;
                let all: Vec<usize> = (0..arms).collect();
                if self.is_significant(&all, doubt) {
                    return Stop::Complete;
                }
            }
        }
    }

    fn report(self, root: &G::State, actions: &[G::Action], stop: Stop) -> Report<G::Action, G::Outcome> {
        let bounds = self.game.bounds(root);
        let line = |(&action, arm): (&G::Action, &Samples)| Line {
            action,
            value: if arm.count > 0 { bounds.clamp(self.sign * arm.mean) } else { bounds.middle() },
            bounds,
            visits: arm.count,
            error: (arm.count > 1).then(|| arm.uncertainty().sqrt()),
            deviation: None,
        };
        let lines: Vec<Line<G::Action>> = actions.iter().zip(&self.arms).map(line).collect();
        // With halving, only the remaining actions compete.
        let best = self.best(&self.alive);
        let equal = |arm: usize| self.arms[arm].mean == self.arms[best].mean && self.arms[arm].count > 0;
        let tied = self.alive.iter().filter(|&&arm| arm == best || equal(arm));
        let known = self.arms[best].count > 0;
        Report {
            value: if known { bounds.clamp(self.sign * self.arms[best].mean) } else { bounds.middle() },
            best: actions.get(best).copied(),
            tied: tied.filter_map(|&arm| actions.get(arm).copied()).collect(),
            depth: u32::from(!actions.is_empty()),
            stop,
            pv: actions.get(best).map(|&action| Step::Action(action)).into_iter().collect(),
            lines,
            counts: self.counts,
        }
    }
}
