//! Every reachable state and its successors, by number.

use crate::growth::Question;
use crate::{Objective, Progress, Supervisor, Unsolved};
use astragal_core::{Game, Key, Player, Turn};
use rustc_hash::FxHashMap;

/// Who acts in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Decide(Player),
    Chance,
    Over,
}

/// The states, numbered in the order in which they were found, the roots first. The successors of a state are
/// a range of edges: for a decision an edge carries the reward of its action, for chance the weight of its
/// outcome.
pub(crate) struct Graph {
    kinds: Vec<Kind>,
    first: Vec<u32>,
    targets: Vec<u32>,
    labels: Vec<f64>,
    ends: Vec<f64>,
}

/// States between two progress reports.
const BREATH: usize = 1 << 12;

impl Graph {
    /// Visits every reachable state.
    pub(crate) fn explore<G: Game, O: Objective<G>>(
        game: &G,
        roots: &[G::State],
        objective: &O,
        most: usize,
        question: &mut Question,
        supervisor: &mut dyn Supervisor,
    ) -> Result<(Self, FxHashMap<Key, u32>), Unsolved> {
        let most = most.min(u32::MAX as usize - 1);
        let mut graph = Self {
            kinds: Vec::new(),
            first: vec![0],
            targets: Vec::new(),
            labels: Vec::new(),
            ends: Vec::new(),
        };
        let mut places = FxHashMap::default();
        let mut states: Vec<G::State> = Vec::new();
        for root in roots {
            places.entry(game.key(root)).or_insert_with(|| {
                states.push(root.clone());
                states.len() as u32 - 1
            });
        }
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        let mut next = 0;
        while next < states.len() {
            if next % BREATH == 0 {
                supervisor.progress(Progress::Found(states.len()));
                if supervisor.cancelled() {
                    return Err(Unsolved::Cancelled);
                }
                question.consider(game, &roots[0], states.len(), supervisor);
            }
            let state = states[next].clone();
            next += 1;
            let mut end = 0.0;
            let mut follow = |child: G::State, label: f64, graph: &mut Self| {
                let found = states.len() as u32;
                let place = *places.entry(game.key(&child)).or_insert(found);
                if place == found {
                    states.push(child);
                }
                graph.targets.push(place);
                graph.labels.push(label);
            };
            let kind = match game.turn(&state) {
                Turn::Over(payoff) => {
                    end = objective.end(payoff);
                    Kind::Over
                }
                Turn::Decide(player) => {
                    actions.clear();
                    game.actions(&state, &mut actions);
                    assert!(!actions.is_empty(), "contract: no action in {state:?}");
                    for &action in &actions {
                        let mut child = state.clone();
                        game.apply(&mut child, action);
                        follow(child, objective.reward(game, &state, action), &mut graph);
                    }
                    Kind::Decide(player)
                }
                Turn::Chance => {
                    outcomes.clear();
                    game.outcomes(&state, &mut outcomes);
                    assert!(!outcomes.is_empty(), "contract: no outcome in {state:?}");
                    for outcome in &outcomes {
                        let mut child = state.clone();
                        game.resolve(&mut child, outcome.item);
                        follow(child, outcome.weight, &mut graph);
                    }
                    Kind::Chance
                }
            };
            graph.kinds.push(kind);
            graph.ends.push(end);
            if states.len() > most || graph.targets.len() >= u32::MAX as usize {
                return Err(question.too_large(game, &roots[0], most, supervisor));
            }
            graph.first.push(graph.targets.len() as u32);
        }
        supervisor.progress(Progress::Found(states.len()));
        Ok((graph, places))
    }

    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    #[inline]
    pub(crate) fn kind(&self, node: usize) -> Kind {
        self.kinds[node]
    }

    /// The successors of a state.
    #[inline]
    pub(crate) fn targets(&self, node: usize) -> &[u32] {
        &self.targets[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The value of a state, given those of its successors.
    #[inline]
    pub(crate) fn value(&self, node: usize, value_of: impl Fn(u32) -> f64) -> f64 {
        let edges = self.first[node] as usize..self.first[node + 1] as usize;
        let edges = self.targets[edges.clone()].iter().zip(&self.labels[edges]);
        match self.kinds[node] {
            Kind::Over => self.ends[node],
            Kind::Chance => edges.fold(0.0, |sum, (&target, weight)| sum + weight * value_of(target)),
            Kind::Decide(Player::Max) => {
                edges.fold(f64::NEG_INFINITY, |best, (&target, reward)| best.max(reward + value_of(target)))
            }
            Kind::Decide(Player::Min) => {
                edges.fold(f64::INFINITY, |best, (&target, reward)| best.min(reward + value_of(target)))
            }
        }
    }

    /// The subgraph of these states, numbered by their positions in the list; their successors outside are
    /// numbered after them, and returned in that order. Valuing its states in order reads its memory
    /// sequentially.
    pub(crate) fn part(&self, nodes: &[u32], place: &mut [u32]) -> (Self, Vec<u32>) {
        for (i, &node) in nodes.iter().enumerate() {
            place[node as usize] = i as u32;
        }
        let mut part = Self {
            kinds: Vec::new(),
            first: vec![0],
            targets: Vec::new(),
            labels: Vec::new(),
            ends: Vec::new(),
        };
        let mut outside = Vec::new();
        for &node in nodes {
            let edges = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
            for &target in &self.targets[edges.clone()] {
                let at = &mut place[target as usize];
                if *at == OUTSIDE {
                    *at = (nodes.len() + outside.len()) as u32;
                    outside.push(target);
                }
                part.targets.push(*at);
            }
            part.labels.extend_from_slice(&self.labels[edges]);
            part.kinds.push(self.kinds[node as usize]);
            part.ends.push(self.ends[node as usize]);
            part.first.push(part.targets.len() as u32);
        }
        for &node in nodes.iter().chain(&outside) {
            place[node as usize] = OUTSIDE;
        }
        (part, outside)
    }
}

/// The position of a state that is not in the subgraph.
pub(crate) const OUTSIDE: u32 = u32::MAX;
