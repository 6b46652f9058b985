//! Random play to the end of a game, or for a limited number of decisions.
//!
//! Playing allocates nothing: the buffers for actions and outcomes are reused between playouts. All choices
//! come from one stream of random bits, so a playout is a function of the state and the stream.

use astragal_core::{Evaluator, Game, Player, Policy, Sampler, Stop, Stream, Turn, Weighted, estimate, unit};

/// Simulations of a search without limits.
pub(crate) const UNLIMITED: u64 = 10_000;

/// States between two checks of the clock, if simulations are long.
pub(crate) const LOOK_NODES: u64 = 2000;

/// The first simulation may exceed a budget in nodes by this factor.
pub(crate) const FIRST: u64 = 1000;

/// Steps of a playout between two checks of the search's limits.
const PATIENCE: u32 = 256;

/// Plays uniformly random legal actions.
#[derive(Clone, Debug)]
pub struct Playout<G: Game> {
    actions: Vec<G::Action>,
    outcomes: Vec<Weighted<G::Outcome>>,
}

impl<G: Game> Default for Playout<G> {
    fn default() -> Self {
        Self { actions: Vec::new(), outcomes: Vec::new() }
    }
}

impl<G: Game> Playout<G> {
    /// A playout with empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Plays from a state until the game is over or, after `moves` decisions, the next decision is due.
    /// Returns the turn reached and the number of decisions made.
    #[inline]
    pub fn run(&mut self, game: &G, state: &mut G::State, moves: u32, stream: &mut Stream) -> (Turn, u32) {
        match self.run_with(game, state, moves, stream, None, |_, _| {}, |_| None) {
            Ok(played) => played,
            Err(_) => unreachable!("nothing halts it"),
        }
    }

    /// [`Playout::run`] with an optional guide that replaces some random actions; every action is passed to
    /// `heard`. Long playouts poll `halt` with the decisions made so far.
    ///
    /// # Errors
    /// If `halt` ended the playout: its reason, and the decisions made.
    #[expect(clippy::too_many_arguments, reason = "a loop with two hooks")]
    #[inline]
    pub fn run_with(
        &mut self,
        game: &G,
        state: &mut G::State,
        moves: u32,
        stream: &mut Stream,
        guide: Option<Guide<'_, G>>,
        mut heard: impl FnMut(Player, G::Action),
        mut halt: impl FnMut(u32) -> Option<Stop>,
    ) -> Result<(Turn, u32), (Stop, u32)> {
        let (mut made, mut steps) = (0, 0_u32);
        loop {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(PATIENCE)
                && let Some(stop) = halt(made)
            {
                return Err((stop, made));
            }
            match game.turn(state) {
                Turn::Chance => {
                    let outcome = game.draw(state, stream.bits(), &mut self.outcomes);
                    game.resolve(state, outcome);
                }
                Turn::Decide(player) if made < moves => {
                    made += 1;
                    let action = match guide {
                        Some(guide) if unit(stream.bits()) < guide.share => guide.policy.choose(game, state),
                        _ => game.any_action(state, stream.bits(), &mut self.actions),
                    };
                    heard(player, action);
                    game.apply(state, action);
                }
                turn => return Ok((turn, made)),
            }
        }
    }
}

/// How a leaf is evaluated: playouts of some decisions, then the payoff or the evaluator.
pub(crate) struct Rollout<'a, G: Game, E> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    pub(crate) policy: Option<&'a dyn Policy<G>>,
    /// The probability that a move follows the policy.
    pub(crate) follow: f64,
    /// Decisions before the evaluator is applied.
    pub(crate) moves: u32,
    /// Playouts that are averaged.
    pub(crate) count: u32,
    /// Whether the evaluator knows nothing.
    pub(crate) is_blind: bool,
}

/// The evaluation of a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rolled {
    /// The mean value of its playouts.
    pub(crate) value: f64,
    /// The states that they visited.
    pub(crate) states: u64,
    /// Playouts that stopped before the end of the game, where the evaluator knows nothing.
    pub(crate) unevaluated: u32,
}

impl<G: Game, E> Clone for Rollout<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E> Copy for Rollout<'_, G, E> {}

impl<G: Game, E: Evaluator<G>> Rollout<'_, G, E> {
    /// Evaluates a leaf. Polls `halt` from time to time with the states visited so far.
    ///
    /// # Errors
    /// If `halt` ended a playout: its reason, and the states visited.
    #[inline]
    pub(crate) fn value(
        &self,
        player: &mut Playout<G>,
        leaf: &G::State,
        stream: &mut Stream,
        mut heard: impl FnMut(Player, G::Action),
        mut halt: impl FnMut(u64) -> Option<Stop>,
    ) -> Result<Rolled, (Stop, u64)> {
        let game = self.game;
        let guide = self.policy.map(|policy| Guide { policy, share: self.follow });
        let count = self.count.max(1);
        let (mut sum, mut states, mut unevaluated) = (0.0, 0, 0);
        for _ in 0..count {
            let mut state = leaf.clone();
            let played = player.run_with(game, &mut state, self.moves, stream, guide, &mut heard, |made| {
                halt(states + u64::from(made))
            });
            let (turn, made) = played.map_err(|(stop, made)| (stop, states + u64::from(made)))?;
            states += u64::from(made);
            sum += match turn {
                Turn::Over(payoff) => payoff,
                _ => {
                    unevaluated += u32::from(self.is_blind);
                    estimate(game, self.evaluator, &state)
                }
            };
        }
        Ok(Rolled { value: sum / f64::from(count), states, unevaluated })
    }
}

/// A policy that a playout follows.
pub struct Guide<'p, G: Game> {
    /// The policy.
    pub policy: &'p dyn Policy<G>,
    /// The probability that a move follows it; other moves are random.
    pub share: f64,
}

impl<G: Game> Clone for Guide<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Guide<'_, G> {}

impl<G: Game> std::fmt::Debug for Guide<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guide").field("share", &self.share).finish_non_exhaustive()
    }
}

/// The totals of many playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Playouts that reached the end of the game.
    pub finished: u64,
    /// Playouts that stopped at the limit.
    pub unfinished: u64,
    /// Decisions made in all of them.
    pub decisions: u64,
    /// The sum of the payoffs.
    pub payoffs: f64,
}

/// Plays `count` random games from a state, each of at most `moves` decisions.
pub fn playouts<G: Game>(game: &G, root: &G::State, count: u64, moves: u32, seed: u64) -> Tally {
    let sampler = Sampler::new(seed);
    let mut player = Playout::new();
    let mut tally = Tally::default();
    for number in 0..count {
        let mut state = root.clone();
        let (turn, made) = player.run(game, &mut state, moves, &mut sampler.stream(number, 0));
        tally.decisions += u64::from(made);
        match turn {
            Turn::Over(payoff) => {
                tally.finished += 1;
                tally.payoffs += payoff;
            }
            _ => tally.unfinished += 1,
        }
    }
    tally
}
