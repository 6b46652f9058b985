//! Results of analyses, matches, tournaments and solutions for programs: the objects that every front end
//! returns, with the same names and numbers.

use crate::contest::{Contest, Standing};
use crate::play::Effort;
use crate::sequential::Trial;
use crate::tournament::{Final, Progress, Tournament};
use astragal_catalog::{Aim, Analysis, AnyGame, Position};
use astragal_core::{Budget, Stop};
use astragal_solve::{Solution, SolveCounts};
use astragal_stats::{Estimate, LEVEL, Verdict};
use serde::Serialize;
use std::time::Duration;

/// The search of a position.
#[derive(Serialize)]
pub struct AnalysisReport<'a> {
    /// The game.
    pub game: &'a str,
    /// The position.
    pub position: String,
    /// The engine.
    pub engine: &'a str,
    /// The seed.
    pub seed: u64,
    /// The budget.
    pub budget: Budget,
    /// Whether the search was interrupted.
    pub partial: bool,
    /// The result.
    #[serde(flatten)]
    pub analysis: &'a Analysis,
    /// Elapsed time in seconds.
    pub elapsed_s: f64,
}

impl<'a> AnalysisReport<'a> {
    /// The report of an engine's analysis of a position.
    #[must_use]
    pub fn new(
        game: &'a dyn AnyGame,
        position: &dyn Position,
        engine: &'a str,
        seed: u64,
        budget: Budget,
        analysis: &'a Analysis,
        elapsed: Duration,
    ) -> Self {
        let partial = analysis.stop == Stop::Cancelled;
        let (game, position, elapsed_s) = (game.spec(), position.text(), elapsed.as_secs_f64());
        Self { game, position, engine, seed, budget, partial, analysis, elapsed_s }
    }
}

/// A match that was interrupted before it had a result.
#[derive(Serialize)]
pub struct Unplayed<'a> {
    game: &'a str,
    engines: &'a [String; 2],
    seed: u64,
    partial: bool,
    pairs: u64,
}

impl<'a> Unplayed<'a> {
    /// A match without a finished pair.
    #[must_use]
    pub fn new(contest: &'a Contest) -> Self {
        let (game, engines) = (contest.game().spec(), contest.engines());
        Self { game, engines, seed: contest.identity().seed, partial: true, pairs: 0 }
    }
}

/// A match.
#[derive(Serialize)]
pub struct MatchReport<'a> {
    game: &'a str,
    engines: &'a [String; 2],
    budget: String,
    /// The terms that differ from the default, as printed; empty if none does.
    terms: String,
    seed: u64,
    /// Whether the match was interrupted.
    partial: bool,
    pairs: u64,
    pentanomial: [u64; 5],
    score: f64,
    lo: f64,
    hi: f64,
    elo: f64,
    elo_lo: f64,
    elo_hi: f64,
    nelo: f64,
    nelo_lo: f64,
    nelo_hi: f64,
    los: f64,
    /// In games without chance: the share of pairs won, among those with a winner.
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<Success>,
    luck_adjusted: Bounds,
    effective_games: f64,
    first_mover: f64,
    first_mover_lo: f64,
    first_mover_hi: f64,
    decisions_a_game: f64,
    /// Their quartiles.
    decisions_quartiles: [f64; 3],
    /// Pairs whose second game repeated the first, because both engines decide alike.
    repeated_pairs: u64,
    nodes_a_decision: [f64; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds_a_decision: Option<[f64; 2]>,
    broken_off: u64,
    given_up: u64,
    /// Decisions of each engine in positions that its solution does not hold, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    away: Option<Away>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
}

#[derive(Serialize)]
struct Success {
    share: f64,
    lo: f64,
    hi: f64,
    /// Number of pairs with a winner.
    boards: u64,
}

#[derive(Serialize)]
struct Away {
    decisions: [u64; 2],
    of: [u64; 2],
}

#[derive(Serialize)]
struct Bounds {
    score: f64,
    lo: f64,
    hi: f64,
}

impl From<&Estimate> for Bounds {
    fn from(estimate: &Estimate) -> Self {
        Self { score: estimate.mean, lo: estimate.lo, hi: estimate.hi }
    }
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    llr: f64,
    verdict: &'static str,
    estimate: Bounds,
}

/// The mean time per decision in milliseconds.
#[must_use]
pub fn milliseconds(effort: &Effort) -> f64 {
    1e3 * effort.time.as_secs_f64() / effort.decisions.max(1) as f64
}

impl<'a> MatchReport<'a> {
    /// The report of the pairs played.
    #[must_use]
    pub fn new(contest: &'a Contest, standing: &Standing, trial: &Trial, partial: bool) -> Self {
        let Standing { pairs, score, luck, first_mover, decisions, lengths, repeated, .. } = standing;
        let Standing { nodes, broken_off, given_up, decided, away, .. } = standing;
        let identity = contest.identity();
        let (elo, nelo) = (pairs.elo(LEVEL), pairs.normalised_elo(LEVEL));
        // Times differ from run to run, but a budget in nodes promises identical bytes.
        let timed =
            contest.budgets().are_timed().then(|| trial.efforts().map(|effort| milliseconds(&effort)));
        Self {
            game: contest.game().spec(),
            engines: contest.engines(),
            terms: identity.terms.to_string(),
            budget: identity.budget,
            seed: identity.seed,
            partial,
            pairs: pairs.count(),
            pentanomial: pairs.counts(),
            score: score.mean,
            lo: score.lo,
            hi: score.hi,
            elo: elo.mean,
            elo_lo: elo.lo,
            elo_hi: elo.hi,
            nelo: nelo.mean,
            nelo_lo: nelo.lo,
            nelo_hi: nelo.hi,
            los: pairs.superiority(),
            success: (!contest.game().has_chance()).then(|| {
                let (success, boards) = pairs.success(LEVEL);
                Success { share: success.mean, lo: success.lo, hi: success.hi, boards }
            }),
            luck_adjusted: (&luck.adjusted).into(),
            effective_games: luck.effective_games,
            first_mover: first_mover.mean,
            first_mover_lo: first_mover.lo,
            first_mover_hi: first_mover.hi,
            decisions_a_game: *decisions,
            decisions_quartiles: *lengths,
            repeated_pairs: *repeated,
            nodes_a_decision: *nodes,
            milliseconds_a_decision: timed,
            broken_off: *broken_off,
            given_up: *given_up,
            away: (*away != [0, 0]).then_some(Away { decisions: *away, of: *decided }),
            sprt: trial.sprt().map(|sprt| Test {
                elo0: sprt.elo0(),
                elo1: sprt.elo1(),
                llr: sprt.ratio(pairs),
                verdict: match sprt.verdict(pairs) {
                    Verdict::Accept => "accept",
                    Verdict::Reject => "reject",
                    Verdict::Continue => "undecided",
                },
                estimate: (&sprt.estimate(pairs, LEVEL)).into(),
            }),
        }
    }
}

/// A tournament.
#[derive(Serialize)]
pub struct TournamentReport<'a> {
    game: &'a str,
    engines: &'a [String],
    pairs: u64,
    partial: bool,
    order: &'a [usize],
    ratings: Vec<[f64; 3]>,
    matches: Vec<BoutReport>,
}

#[derive(Serialize)]
struct BoutReport {
    round: usize,
    players: [usize; 2],
    score: f64,
    lo: f64,
    hi: f64,
    luck_adjusted: [f64; 3],
    pentanomial: [u64; 5],
}

impl<'a> TournamentReport<'a> {
    /// The report of a finished tournament.
    #[must_use]
    pub fn new(tournament: &'a Tournament, tables: &'a Final) -> Self {
        let three = |estimate: &Estimate| [estimate.mean, estimate.lo, estimate.hi];
        let bouts = tables.bouts.iter().map(|bout| BoutReport {
            round: bout.round,
            players: bout.players,
            score: bout.standing.score.mean,
            lo: bout.standing.score.lo,
            hi: bout.standing.score.hi,
            luck_adjusted: three(&bout.standing.luck.adjusted),
            pentanomial: bout.standing.pairs.counts(),
        });
        Self {
            game: tournament.game().spec(),
            engines: &tournament.engines,
            pairs: tournament.pairs,
            partial: false,
            order: &tables.order,
            ratings: tables.ratings.players.iter().map(three).collect(),
            matches: bouts.collect(),
        }
    }
}

/// An interrupted tournament: `done` of `all` pairs of its round. The tables need all results.
#[derive(Serialize)]
pub struct Unfinished<'a> {
    game: &'a str,
    engines: &'a [String],
    pairs: u64,
    partial: bool,
    round: Option<usize>,
    done: Option<u64>,
    all: Option<u64>,
    /// The store that holds the pairs played.
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<String>,
}

impl<'a> Unfinished<'a> {
    /// The progress of a tournament at its last pair, if there was one.
    #[must_use]
    pub fn new(tournament: &'a Tournament, last: Option<&Progress>, store: Option<String>) -> Self {
        Self {
            game: tournament.game().spec(),
            engines: &tournament.engines,
            pairs: tournament.pairs,
            partial: true,
            round: last.map(|at| at.round),
            done: last.map(|at| at.done),
            all: last.map(|at| at.all),
            store,
        }
    }
}

/// A solution.
#[derive(Serialize)]
pub struct SolveReport<'a> {
    /// The game.
    pub game: &'a str,
    /// The position from which it was solved.
    pub position: String,
    /// The objective of the solution.
    pub objective: &'static str,
    /// Always false: a solution is complete.
    partial: bool,
    /// The value of the position.
    pub value: f64,
    /// The expected number of turns, if that was the objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<f64>,
    /// Number of states: decisions, chance and ends.
    pub states: usize,
    /// Number of decision states.
    pub decisions: usize,
    /// Number of chance states.
    pub chances: usize,
    /// Number of states that can be reached from themselves.
    pub cyclic: usize,
    /// The largest number of sweeps that a group of recurring states took.
    pub sweeps: u32,
    /// The largest change of a value in the last sweep.
    pub residual: f64,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

impl<'a> SolveReport<'a> {
    /// The report of a solution for the position from which it was solved.
    ///
    /// # Panics
    /// If it was solved from another position.
    #[must_use]
    pub fn new(
        game: &'a dyn AnyGame,
        position: &dyn Position,
        solution: &Solution,
        elapsed: Duration,
    ) -> Self {
        let value = position.value_in(solution).expect("contract: the position it was solved from");
        let SolveCounts { states, decisions, chances, cyclic, sweeps, residual } = *solution.work();
        Self {
            game: game.spec(),
            position: position.text(),
            objective: game.aim().name(),
            partial: false,
            value,
            // The value is to be maximised, and the player wants few turns.
            turns: (game.aim() == Aim::Turns).then_some(0.0 - value),
            states,
            decisions,
            chances,
            cyclic,
            sweeps,
            residual,
            seconds: elapsed.as_secs_f64(),
        }
    }
}
