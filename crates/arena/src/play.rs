//! One game between two engines, with dice that both games of a pair share.
//!
//! Dice are indexed by the number of the turn and the number of the throw within the turn, not by the player
//! who throws: even when the two games of a pair diverge, the players meet the same dice. A turn is a run of
//! decisions and throws of one player. The luck of a throw is the value of its outcome, one decision deep by
//! the game's first evaluator, minus the mean over all outcomes.

use crate::terms::Finish;
use astragal_catalog::{Analysis, AnyGame, Engine, Position};
use astragal_core::{Budget, Player, Sampler, Stop, Turn, Watch, below, pick, unit};
use std::ops::AddAssign;
use std::time::Duration;

/// The maximum length of a game in decisions; a longer one counts as drawn.
pub const LONGEST: u32 = 20_000;

/// Purposes of the sampler's draws.
const DICE: u64 = 1;
const SEARCH: u64 = 2;
const OPENING: u64 = 3;

/// The work of a player in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Decisions made by searching.
    pub decisions: u64,
    /// States visited by the searches.
    pub nodes: u64,
    /// Decisions in positions that the player's solution does not hold.
    pub away: u64,
    /// Leaves of the searches, and those that an evaluator valued which knows nothing, in searches that did
    /// not see every line to its end. Never part of a result.
    pub leaves: u64,
    /// See [`Effort::leaves`].
    pub unevaluated: u64,
    /// The time the searches took. Never part of a result.
    pub time: Duration,
}

impl AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.nodes += other.nodes;
        self.away += other.away;
        self.leaves += other.leaves;
        self.unevaluated += other.unevaluated;
        self.time += other.time;
    }
}

/// An event of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A throw.
    Outcome {
        /// The outcome.
        text: String,
    },
    /// A decision.
    Action {
        /// The action.
        text: String,
        /// The engine's value of the position, for player 1; none in the opening, and where there was only
        /// one action.
        value: Option<f64>,
        /// States visited by the search.
        nodes: u64,
    },
}

/// A game that has been played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The payoff; none if the game was broken off as too long, or an engine gave up.
    pub payoff: Option<f64>,
    /// The score of player 1: 1, ½ or 0.
    pub score: f64,
    /// The luck of player 1, as a share of the range of payoffs.
    pub luck: f64,
    /// The work of each player.
    pub efforts: [Effort; 2],
    /// All events, in order.
    pub events: Vec<Event>,
}

/// How a game is played.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The initial position.
    pub start: &'a dyn Position,
    /// The budgets per decision of players 1 and 2.
    pub budgets: [Budget; 2],
    /// Number of random decisions before the engines take over.
    pub opening: u32,
    /// The seed of dice, opening and searches.
    pub seed: u64,
    /// The number of the pair.
    pub pair: u64,
}

/// A third player that finishes the game.
pub struct Third<'a> {
    /// When it takes over.
    pub finish: &'a Finish,
    /// The player.
    pub engine: &'a mut dyn Engine,
    /// The seat, 0 or 1, of the engine whose search can trigger the takeover.
    pub after: usize,
}

/// The hooks of one search, with a clock that starts when the search begins.
pub struct Decision<'a> {
    start: Duration,
    watch: &'a mut dyn Watch,
}

impl<'a> Decision<'a> {
    /// Starts the clock.
    pub fn start(watch: &'a mut dyn Watch) -> Self {
        Self { start: watch.elapsed(), watch }
    }
}

impl Watch for Decision<'_> {
    fn elapsed(&mut self) -> Duration {
        self.watch.elapsed().saturating_sub(self.start)
    }

    fn cancelled(&mut self) -> bool {
        self.watch.cancelled()
    }
}

/// The dice of a game; they keep track of the current turn.
pub struct Dice<'a> {
    setting: Setting<'a>,
    player: Option<Player>,
    turn: u32,
    throws: u32,
}

/// A throw.
pub struct Throw {
    /// The outcome.
    pub text: String,
    /// The position after it.
    pub position: Box<dyn Position>,
    /// Its value to player 1 minus the mean value, as a share of the range.
    pub luck: f64,
}

impl Dice<'_> {
    /// Records that a player decides, which may begin a new turn.
    pub fn see(&mut self, player: Player) {
        if self.player != Some(player) {
            self.turn += u32::from(self.player.is_some());
            (self.player, self.throws) = (Some(player), 0);
        }
    }

    /// Makes the next throw; none if it is not chance's turn.
    pub fn throw(&mut self, position: &dyn Position) -> Option<Throw> {
        let prospects = position.prospects()?;
        if let Some(owner) = prospects.owner {
            self.see(owner);
        }
        let number = unit(self.setting.draw(DICE, self.turn.into(), self.throws));
        self.throws += 1;
        let luck = pick(&prospects.values, number).item - prospects.mean();
        let (text, position) = position.chance(number)?;
        Some(Throw { text, position, luck: luck / self.setting.game.range().width() })
    }
}

impl Setting<'_> {
    fn draw(&self, what: u64, key: u64, index: u32) -> u64 {
        // Every pair has its own sampler, and every kind of draw its own key.
        let pair = Sampler::new(self.seed).draw(self.pair, 0, 0);
        Sampler::new(pair).draw(what << 32 | key, 0, index)
    }

    /// The dice of a game of this pair.
    #[must_use]
    pub fn dice(&self) -> Dice<'_> {
        Dice { setting: *self, player: None, turn: 0, throws: 0 }
    }

    /// The score of player 1 for a payoff: the better half of the range is a win.
    #[must_use]
    pub fn score(&self, payoff: f64) -> f64 {
        match payoff.partial_cmp(&self.game.range().middle()) {
            Some(std::cmp::Ordering::Greater) => 1.0,
            Some(std::cmp::Ordering::Less) => 0.0,
            _ => 0.5,
        }
    }

    /// Plays one game; none if the watch cancels it. `engines` are those of players 1 and 2, and `game` gives
    /// the searches of a pair's two games different seeds. A third player may finish the game for both sides.
    /// The watch provides the clock of the searches.
    ///
    /// # Panics
    /// If an engine has no line for its action.
    pub fn play(
        &self,
        engines: [&mut dyn Engine; 2],
        mut third: Option<Third<'_>>,
        game: u32,
        watch: &mut dyn Watch,
    ) -> Option<Played> {
        let mut played = Played {
            payoff: None,
            score: 0.5,
            luck: 0.0,
            efforts: [Effort::default(); 2],
            events: Vec::new(),
        };
        let mut position = self.start.duplicate();
        let (mut dice, mut decisions) = (self.dice(), 0);
        let mut finishing = third.as_ref().is_some_and(|third| third.finish.begins(0, None));
        while decisions < LONGEST {
            if watch.cancelled() {
                return None;
            }
            match position.turn() {
                Turn::Over(payoff) => {
                    played.payoff = Some(payoff);
                    played.score = self.score(payoff);
                    break;
                }
                Turn::Chance => {
                    let throw = dice.throw(&*position).expect("it is chance's turn");
                    played.luck += throw.luck;
                    played.events.push(Event::Outcome { text: throw.text });
                    position = throw.position;
                }
                Turn::Decide(player) => {
                    dice.see(player);
                    let (at, text, value, nodes) = if decisions < self.opening {
                        let mut actions = position.actions();
                        let bits = self.draw(OPENING, decisions.into(), 0);
                        let at = below(bits, actions.len() as u64) as usize;
                        (at, actions.swap_remove(at), None, 0)
                    } else if position.act_at(1).is_none() {
                        // A forced action needs no search.
                        (0, position.actions().swap_remove(0), None, 0)
                    } else {
                        let seat = player.index();
                        let seed = self.draw(SEARCH, decisions.into(), game);
                        let mut clock = Decision::start(watch);
                        let analysis = match &mut third {
                            Some(third) if finishing => {
                                third.engine.analyze(&*position, seed, &Budget::default(), &mut clock)
                            }
                            _ => engines[seat].analyze(&*position, seed, &self.budgets[seat], &mut clock),
                        };
                        let Analysis { best, value, counts, lines, stop, .. } = analysis;
                        if !finishing {
                            let effort = &mut played.efforts[seat];
                            effort.decisions += 1;
                            effort.nodes += counts.nodes;
                            effort.away += u64::from(stop == Stop::Unknown);
                            effort.leaves += counts.leaves;
                            effort.unevaluated += if stop == Stop::Complete { 0 } else { counts.unevaluated };
                            effort.time += clock.elapsed();
                            finishing = third.as_ref().is_some_and(|third| {
                                let counts = (third.after == seat).then_some(&counts);
                                third.finish.begins(decisions + 1, counts)
                            });
                        }
                        let Some(best) = best else {
                            // An external engine without an answer has given up.
                            played.score = f64::from(player == Player::Min);
                            break;
                        };
                        let at = lines.iter().position(|line| line.action == best);
                        (at.expect("contract: a line for each action"), best, Some(value), counts.nodes)
                    };
                    position = position.act_at(at).expect("an action that is legal");
                    played.events.push(Event::Action { text, value, nodes });
                    decisions += 1;
                }
            }
        }
        // The result of an interrupted search must not count.
        (!watch.cancelled()).then_some(played)
    }
}
