//! Shared by several test files: a naive search as reference, and short forms of calls to the real ones.

use astragal::core::{
    Budget, Evaluator, Game, Interval, Key, Luck, Player, Report, Searcher, Turn, Unwatched, Weighted, mix,
};
use astragal::search::{Algorithm, Chance, Keys, Options, Scheme, StarMinimax};

pub const STAR2: Algorithm = Algorithm::Star2 { probes: 1 };

pub const SCHEMES: [Scheme; 4] = [Scheme::Iid, Scheme::Without, Scheme::Systematic, Scheme::Stratified];

/// The definition of the depth-limited value, written as plainly as possible and independently of the search
/// crate.
pub fn naive<G: Game>(game: &G, evaluator: &impl Evaluator<G>, state: &G::State, depth: u32) -> f64 {
    match game.turn(state) {
        Turn::Over(payoff) => payoff,
        Turn::Decide(_) if depth == 0 => {
            let bounds = game.bounds(state);
            evaluator.value(game, state).clamp(bounds.lo, bounds.hi)
        }
        Turn::Decide(player) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let values = actions.into_iter().map(|action| {
                let mut child = state.clone();
                game.apply(&mut child, action);
                naive(game, evaluator, &child, depth - 1)
            });
            match player {
                Player::Max => values.fold(f64::NEG_INFINITY, f64::max),
                Player::Min => values.fold(f64::INFINITY, f64::min),
            }
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let mut sum = 0.0;
            for outcome in outcomes {
                let mut child = state.clone();
                game.resolve(&mut child, outcome.item);
                sum += outcome.weight * naive(game, evaluator, &child, depth);
            }
            let bounds = game.bounds(state);
            sum.clamp(bounds.lo, bounds.hi)
        }
    }
}

/// A game with the values of another, scaled and shifted: ranges far from 0, very wide and very narrow.
pub struct Shifted<G> {
    pub game: G,
    pub scale: f64,
    pub offset: f64,
}

impl<G: Game> Shifted<G> {
    fn shift(&self, value: f64) -> f64 {
        self.offset + self.scale * value
    }

    fn shift_all(&self, interval: Interval) -> Interval {
        Interval::new(self.shift(interval.lo), self.shift(interval.hi))
    }
}

impl<G: Game> Game for Shifted<G> {
    type State = G::State;
    type Action = G::Action;
    type Outcome = G::Outcome;

    fn start(&self) -> G::State {
        self.game.start()
    }
    fn turn(&self, state: &G::State) -> Turn {
        match self.game.turn(state) {
            Turn::Over(payoff) => Turn::Over(self.shift(payoff)),
            other => other,
        }
    }
    fn actions(&self, state: &G::State, out: &mut Vec<G::Action>) {
        self.game.actions(state, out);
    }
    fn outcomes(&self, state: &G::State, out: &mut Vec<Weighted<G::Outcome>>) {
        self.game.outcomes(state, out);
    }
    fn apply(&self, state: &mut G::State, action: G::Action) {
        self.game.apply(state, action);
    }
    fn resolve(&self, state: &mut G::State, outcome: G::Outcome) {
        self.game.resolve(state, outcome);
    }
    fn key(&self, state: &G::State) -> Key {
        self.game.key(state)
    }
    fn range(&self) -> Interval {
        self.shift_all(self.game.range())
    }
    fn bounds(&self, state: &G::State) -> Interval {
        self.shift_all(self.game.bounds(state))
    }
    fn promise(&self, state: &G::State, action: G::Action) -> i32 {
        self.game.promise(state, action)
    }
}

/// The evaluator of the other game, scaled and shifted.
#[derive(Clone, Copy)]
pub struct ShiftedEvaluator<E>(pub E);

impl<G: Game, E: Evaluator<G>> Evaluator<Shifted<G>> for ShiftedEvaluator<E> {
    fn value(&self, game: &Shifted<G>, state: &G::State) -> f64 {
        game.range().clamp(game.shift(self.0.value(&game.game, state)))
    }
}

/// A complete search of a state, to a depth.
pub fn search<G: Game, E: Evaluator<G> + Copy>(
    game: &G,
    evaluator: &E,
    state: &G::State,
    options: Options,
    seed: u64,
    budget: &Budget,
) -> Report<G::Action, G::Outcome> {
    StarMinimax::new(*evaluator, options).search_with(game, state, seed, budget, &mut Unwatched)
}

/// Options for sampled chance.
pub fn sample(width: u32, scheme: Scheme, keys: Keys, enumerate: bool) -> Chance {
    Chance::Sample { width, decay: 1.0, scheme, keys, enumerate }
}

/// The same with widths that shrink with each decision below the root.
pub fn shrinking(chance: Chance, by: f64) -> Chance {
    match chance {
        Chance::Exact => Chance::Exact,
        Chance::Sample { width, scheme, keys, enumerate, .. } => {
            Chance::Sample { width, decay: by, scheme, keys, enumerate }
        }
    }
}

/// This many seeds starting at `first`, or `ASTRAGAL_SCALE` times as many.
pub fn seeds(first: u64, count: u64) -> std::ops::Range<u64> {
    let scale = std::env::var("ASTRAGAL_SCALE")
        .ok()
        .map_or(1, |text| text.parse().expect("ASTRAGAL_SCALE is a number"));
    first..first + count * scale
}

/// A stream of random numbers for choosing test cases.
pub struct Stream(u64);

impl Stream {
    pub fn new(seed: u64) -> Self {
        Self(mix(seed ^ 0xA57A))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = mix(self.0);
        astragal::core::below(self.0, n)
    }

    pub fn unit(&mut self) -> f64 {
        self.0 = mix(self.0);
        astragal::core::unit(self.0)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// An evaluator whose horizon is the search's result, extended on either side by some distance, possibly
/// zero.
#[derive(Clone, Copy)]
pub struct Prophet<E> {
    pub evaluator: E,
    pub seed: u64,
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Prophet<E> {
    fn value(&self, game: &G, state: &G::State) -> f64 {
        self.evaluator.value(game, state)
    }

    fn horizon(&self, game: &G, state: &G::State, depth: u32, luck: Luck) -> Option<Interval> {
        let truth = match luck {
            Luck::Fair => Interval::point(naive(game, &self.evaluator, state, depth)),
            Luck::Any => {
                let end = |best| extreme(game, &self.evaluator, state, depth, best);
                Interval::new(end(false), end(true))
            }
        };
        let hash = mix(game.key(state).hash() ^ self.seed ^ u64::from(depth));
        let room = |bits: u64| [0.0, 0.0, 1e-9, 1.0, 5.0, 20.0, 20.0, 20.0][(bits & 7) as usize];
        let room = (room(hash), room(hash >> 3));
        let within = Interval { lo: truth.lo - room.0, hi: truth.hi + room.1 };
        Some(within.intersect(&game.bounds(state)))
    }
}

/// The largest or the smallest value of a state under any sample of outcomes.
fn extreme<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    state: &G::State,
    depth: u32,
    best: bool,
) -> f64 {
    let largest = |values: Vec<f64>| values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let smallest = |values: Vec<f64>| values.into_iter().fold(f64::INFINITY, f64::min);
    match game.turn(state) {
        Turn::Over(payoff) => payoff,
        Turn::Decide(_) if depth == 0 => game.bounds(state).clamp(evaluator.value(game, state)),
        Turn::Decide(player) => {
            let mut actions = Vec::new();
            game.actions(state, &mut actions);
            let value = |action| {
                let mut child = state.clone();
                game.apply(&mut child, action);
                extreme(game, evaluator, &child, depth - 1, best)
            };
            let values = actions.into_iter().map(value).collect();
            if player == Player::Max { largest(values) } else { smallest(values) }
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let value = |outcome: Weighted<G::Outcome>| {
                let mut child = state.clone();
                game.resolve(&mut child, outcome.item);
                extreme(game, evaluator, &child, depth, best)
            };
            let values: Vec<f64> = outcomes.into_iter().map(value).collect();
            // A sum with rounded weights may slightly exceed its largest value.
            let room = 1e-12 * game.range().width();
            game.bounds(state).clamp(if best { largest(values) + room } else { smallest(values) - room })
        }
    }
}
