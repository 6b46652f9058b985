//! The review of a game by `astragal replay --analyze`: what each decision lost and how lucky each roll was,
//! as in backgammon programs.

use super::with_all_lines;
use crate::failure::Failure;
use crate::print::counted;
use crate::watch::ShownClock;
use astragal_arena::budget::budget_for;
use astragal_catalog::{Analysis, AnyGame, Engine, Position};
use astragal_core::{Budget, Player, Stop, Turn, Weighted};
use std::time::Duration;

/// The default thinking time per decision.
const THINK: Duration = Duration::from_millis(200);

/// Losses below this fraction of the range are rounding errors.
const NOTHING: f64 = 1e-9;

/// An engine that judges a game, and its findings so far.
pub(super) struct Review {
    engine: Box<dyn Engine>,
    budget: Budget,
    /// The width of the payoff range.
    width: f64,
    /// Whether players roll before they decide, as in EinStein, rather than because of a decision, as in Pig.
    throws_first: bool,
    /// The player who decided last.
    last: Option<Player>,
    players: [Tally; 2],
}

/// The findings for one player.
#[derive(Clone, Copy, Default)]
struct Tally {
    decisions: u64,
    mistakes: u64,
    loss: f64,
    luck: f64,
}

impl Review {
    /// Creates a review by this engine, with exact values of all actions where the engine can give them.
    pub(super) fn new(game: &dyn AnyGame, spec: &str, budget: Budget) -> Result<Self, Failure> {
        let engine = game.engine(&with_all_lines(game, spec)?)?;
        let budget = budget_for(&*engine, budget, THINK)?;
        let throws_first = game.start().turn() == Turn::Chance;
        let (width, players) = (game.range().width(), [Tally::default(); 2]);
        Ok(Self { engine, budget, width, throws_first, last: None, players })
    }

    /// Describes what a decision lost; empty if there was no choice.
    pub(super) fn decision(&mut self, position: &dyn Position, action: &str) -> Result<String, Failure> {
        let Turn::Decide(player) = position.turn() else { return Ok(String::new()) };
        self.last = Some(player);
        if position.actions().len() < 2 {
            return Ok(String::new());
        }
        let mut clock = ShownClock::start(position.actions());
        let analysis = self.engine.analyze(position, 0, &self.budget, &mut clock);
        if analysis.stop == Stop::Cancelled {
            return Err(Failure::Interrupted);
        }
        let tally = &mut self.players[player.index()];
        tally.decisions += 1;
        Ok(match loss(&analysis, player, action) {
            None => "not judged".into(),
            Some(loss) if loss <= NOTHING * self.width => "best".into(),
            Some(loss) => {
                tally.mistakes += 1;
                tally.loss += loss;
                format!("loses {loss:.2} to {}", analysis.best.as_deref().unwrap_or("another"))
            }
        })
    }

    /// Describes how lucky a roll was for the player who rolled.
    pub(super) fn roll(&mut self, position: &dyn Position, outcome: &str) -> String {
        let at = position.outcomes().iter().position(|Weighted { item, .. }| item == outcome);
        let (Some(at), Some(prospects)) = (at, position.prospects()) else { return String::new() };
        let thrower = if self.throws_first { prospects.owner } else { self.last.or(prospects.owner) };
        let Some(player) = thrower else { return String::new() };
        let luck = player.sign() * (prospects.values[at].item - prospects.mean());
        self.players[player.index()].luck += luck;
        format!("luck {luck:+.2}")
    }

    /// The totals, one line per player.
    pub(super) fn summary(&self) -> String {
        let line = |(at, tally): (usize, &Tally)| {
            let Tally { decisions, mistakes, loss, luck } = tally;
            let each = loss / (*decisions).max(1) as f64;
            format!(
                "p{}  {} with a choice, {} worse than the best: {loss:.2} lost, {each:.3} each; luck {luck:+.2}\n",
                at + 1,
                counted(*decisions, "decision", "decisions"),
                mistakes,
            )
        };
        self.players.iter().enumerate().map(line).collect()
    }
}

/// The loss of an action against the best one, for the deciding player; none if its value is unknown.
fn loss(analysis: &Analysis, player: Player, action: &str) -> Option<f64> {
    let line = analysis.lines.iter().find(|line| line.action == action)?;
    let is_mean = line.visits > 0 && (line.deviation.is_some() || line.error.is_some());
    let known = line.bounds.is_point() || is_mean;
    known.then(|| (player.sign() * (analysis.value - line.value)).max(0.0))
}
