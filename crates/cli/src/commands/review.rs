//! The review of a game by `astragal replay --analyze`: what each decision lost, how lucky each roll was, and
//! what moved the game, as in backgammon programs. The arithmetic is in `arena/src/account.rs`.

use super::with_all_lines;
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{BOLD, DIM, columns, counted, picture, styled};
use crate::progress::{self, ProgressLine};
use astragal_arena::account::{
    Account, Accountant, EngineJudge, Grade, Judge, Opinion, Part, Step, Tally, is_shared, rounded,
};
use astragal_arena::budget::budget_for;
use astragal_catalog::{Aim, AnyGame, Engine, Position, brief_engine};
use astragal_core::{Budget, Stop, Watch};
use serde::Serialize;
use std::io::Write;
use std::time::Duration;

/// The default thinking time per decision.
const THINK: Duration = Duration::from_millis(200);

/// The number of decisions shown again at the end.
const COSTLIEST: usize = 3;

/// An engine that judges a game, and its account so far.
pub(super) struct Review<'g> {
    game: &'g dyn AnyGame,
    judge: Shown,
    /// The number of decimals that show a thousandth of the range.
    decimals: u32,
    accountant: Option<Accountant>,
}

/// The judge, with a progress line.
struct Shown {
    engine: Box<dyn Engine>,
    budget: Budget,
    line: Line,
}

/// The clock of the judge's searches.
struct Line {
    line: ProgressLine,
    interruptible: Interruptible,
    event: usize,
    events: usize,
    part: Part,
}

impl Watch for Line {
    fn elapsed(&mut self) -> Duration {
        self.line.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        let Self { event, events, part, .. } = *self;
        self.line.show(|| {
            let outcome = match part {
                Part::WHOLE => String::new(),
                Part { number, of } => format!(", outcome {} of {of}", number + 1),
            };
            format!("judging event {event} of {events}{outcome}")
        });
        self.interruptible.is_stopped()
    }
}

impl Judge for Shown {
    fn judge(&mut self, position: &dyn Position, part: Part) -> Option<Opinion> {
        let Self { engine, budget, line } = self;
        line.part = part;
        EngineJudge { engine: &mut **engine, budget: *budget, watch: line }.judge(position, part)
    }

    fn is_limited(&self) -> bool {
        is_shared(self.budget)
    }
}

/// The review of a game for programs.
#[derive(Serialize)]
pub(super) struct ReviewReport<'a> {
    judge: &'a str,
    budget: String,
    /// The smallest loss of each grade.
    thresholds: Vec<(Grade, f64)>,
    #[serde(flatten)]
    account: &'a Account,
    /// The indices of the costliest decisions in the steps.
    costliest: Vec<usize>,
}

impl<'g> Review<'g> {
    /// Creates a review of a game of this many events by this engine, with exact values of all actions where
    /// the engine can give them.
    pub(super) fn new(
        game: &'g dyn AnyGame,
        spec: &str,
        budget: Budget,
        events: usize,
    ) -> Result<Self, Failure> {
        let mut engine = game.engine(&with_all_lines(game, spec)?)?;
        let budget = budget_for(&*engine, budget, THINK)?;
        let (line, interruptible) = (ProgressLine::start(), Interruptible::start());
        let mut line = Line { line, interruptible, event: 0, events, part: Part::WHOLE };
        // An engine that does not search either knows the values of the game or has none.
        if engine.heeds().is_empty() && engine.info().budgets.is_empty() && !engine.is_endless() {
            let name = engine.info().name;
            let known = engine.analyze(&*game.start(), 0, &Budget::default(), &mut line);
            match known.stop {
                Stop::Cancelled => return Err(Failure::Interrupted),
                Stop::Complete if game.aim() == Aim::Payoff => {}
                Stop::Complete => {
                    let why = format!("the values of '{name}' in this game count turns, not the payoff");
                    return Err(Failure::Message(why));
                }
                _ => return Err(Failure::Message(format!("'{name}' knows no values, so it cannot judge"))),
            }
        }
        let decimals = (3.0 - game.range().width().log10().floor()).max(0.0) as u32;
        Ok(Self { game, judge: Shown { engine, budget, line }, decimals, accountant: None })
    }

    /// Judges the position before the first event.
    pub(super) fn begin(&mut self, start: &dyn Position) -> Result<(), Failure> {
        let begun = Accountant::begin(self.game, start, &mut self.judge);
        progress::clear();
        self.accountant = Some(begun.ok_or(Failure::Interrupted)?);
        Ok(())
    }

    /// Judges a step that led to `next`.
    fn step(
        &mut self,
        judge: impl FnOnce(&mut Accountant, &mut Shown) -> Option<Step>,
    ) -> Result<Step, Failure> {
        let accountant = self.accountant.as_mut().expect("the review has begun");
        self.judge.line.event = accountant.account().steps.len() + 1;
        let step = judge(accountant, &mut self.judge);
        progress::clear();
        step.ok_or(Failure::Interrupted)
    }

    /// Judges a roll that led to `next`, and describes how lucky it was for the player who rolled; empty if
    /// that rounds to nothing.
    pub(super) fn roll(&mut self, outcome: &str, next: &dyn Position) -> Result<String, Failure> {
        let step = self.step(|accountant, judge| accountant.roll(outcome, next, judge).cloned())?;
        let Step::Roll { player, luck, .. } = step else { unreachable!("a roll was judged") };
        let (whose, luck) = match player {
            Some(2) => ("p2's ", -luck),
            Some(_) => ("p1's ", luck),
            None => ("", luck),
        };
        let text = signed(luck, self.decimals);
        let is_nothing = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
        Ok(if is_nothing { String::new() } else { format!("{whose}luck {text}") })
    }

    /// Judges a decision at `position` that led to `next`: the judge's value before it, if there was a
    /// choice, and what it lost.
    pub(super) fn decision(
        &mut self,
        position: &dyn Position,
        action: &str,
        next: &dyn Position,
    ) -> Result<[String; 2], Failure> {
        let step = self.step(|accountant, judge| accountant.act(position, action, next, judge).cloned())?;
        let Step::Decision { choice, value, .. } = step else { unreachable!("a decision was judged") };
        let value = if choice { signed(value, self.decimals) } else { String::new() };
        Ok([value, self.verdict(&step)])
    }

    /// What a decision lost, with its mark; empty if that rounds to nothing.
    fn verdict(&self, step: &Step) -> String {
        let Step::Decision { loss, best, grade, .. } = step else { return String::new() };
        let Some(loss) = loss else { return "not judged".into() };
        let text = plain(*loss, self.decimals);
        if text == plain(0.0, self.decimals) {
            return String::new();
        }
        let mark = grade.map_or(String::new(), |grade| format!("  {}", styled(BOLD, grade.mark())));
        format!("loses {text} to {}{mark}", best.as_deref().unwrap_or("another"))
    }

    /// What the numbers and marks of the review mean.
    pub(super) fn legend(&self) -> String {
        let Shown { engine, budget, .. } = &self.judge;
        let width = self.game.range().width();
        let mark = |(_, mark, share): &(Grade, &str, f64)| {
            format!("{mark} {} ({:.0} %)", plain(share * width, self.decimals), 100.0 * share)
        };
        let marks: Vec<String> = Grade::ALL.iter().map(mark).collect();
        let given = if budget.is_unlimited() { String::new() } else { format!(", {budget} a decision") };
        let outcomes = match is_shared(*budget) {
            true if self.game.has_chance() => {
                "; the outcomes of a roll share this budget, each with at least a twentieth"
            }
            _ => "",
        };
        format!(
            "Judged by {}{given}{outcomes}.\n\
             Values are p1's, luck is that of the player who rolled, losses are the mover's.\n\
             Marks, from a loss of (share of the range): {}.",
            brief_engine(engine.spec(), self.game.spec()),
            marks.join(", ")
        )
    }

    /// The review for programs.
    pub(super) fn report(&self) -> Option<ReviewReport<'_>> {
        let account = self.accountant.as_ref()?.account();
        let width = self.game.range().width();
        Some(ReviewReport {
            judge: self.judge.engine.spec(),
            budget: self.judge.budget.to_string(),
            thresholds: Grade::ALL.map(|(grade, _, share)| (grade, share * width)).to_vec(),
            costliest: self.costliest(account),
            account,
        })
    }

    /// The costliest decisions, without those whose loss rounds to nothing.
    fn costliest(&self, account: &Account) -> Vec<usize> {
        account.costliest(COSTLIEST, 0.5 * 0.1_f64.powi(self.decimals as i32))
    }

    /// Prints the account, and the costliest decisions with their boards.
    pub(super) fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(accountant) = &self.accountant else { return Ok(()) };
        let account = accountant.account();
        self.print_account(account, out)?;
        let costliest = self.costliest(account);
        if !costliest.is_empty() {
            writeln!(out, "\n{}", styled(BOLD, "The costliest decisions"))?;
        }
        for (at, step) in costliest.into_iter().map(|at| &account.steps[at]).enumerate() {
            let Step::Decision { player, action, position, value, .. } = step else { continue };
            let value = signed(*value, self.decimals);
            writeln!(out, "\n{}. p{player} {action}  {}  (value {value})", at + 1, self.verdict(step))?;
            writeln!(out, "{}\n", styled(DIM, position))?;
            writeln!(out, "{}", picture(&self.game.read(position)?.picture()))?;
        }
        Ok(())
    }

    /// Prints what moved the game, in numbers that add up as printed.
    fn print_account(&self, account: &Account, out: &mut dyn Write) -> Result<(), Failure> {
        let decimals = self.decimals;
        let parts = rounded(account.parts(), decimals);
        let [luck_1, luck_2, nobody, played_1, played_2, errors] = parts;
        let show = |number: f64| signed(number, decimals);
        let row = |name: &str, numbers: [String; 3]| [vec![name.to_string()], numbers.to_vec()].concat();
        let sum: f64 = parts.iter().sum();
        let mut rows = vec![
            row("luck", [show(luck_1), show(luck_2), show(luck_1 + luck_2)]),
            row("decisions", [show(played_1), show(played_2), show(played_1 + played_2)]),
        ];
        if nobody != 0.0 {
            rows.insert(1, row("rolls of nobody", [String::new(), String::new(), show(nobody)]));
        }
        rows.push(row("errors of the judge", [String::new(), String::new(), show(errors)]));
        rows.push(row("the game moved", [String::new(), String::new(), show(sum)]));
        let header = ["Account, for p1", "p1", "p2", "sum"];
        write!(out, "{}", columns(&header, &[1, 2, 3], rows))?;
        writeln!(out, "from {} to {}\n", show(account.last - sum), show(account.last))?;
        for (at, tally) in account.players.iter().enumerate() {
            let Tally { decisions, worse, lost, grades } = tally;
            let marks = Grade::ALL.iter().zip(grades).rev().filter(|(_, count)| **count > 0);
            let marks: Vec<String> = marks.map(|((_, mark, _), count)| format!("{count} {mark}")).collect();
            let marks = if marks.is_empty() { String::new() } else { format!("; {}", marks.join(", ")) };
            writeln!(
                out,
                "p{}  {} with a choice, {worse} worse than the best: {} lost, {} each{marks}",
                at + 1,
                counted(*decisions, "decision", "decisions"),
                plain(*lost, decimals),
                plain(lost / (*decisions).max(1) as f64, decimals + 1),
            )?;
        }
        Ok(())
    }
}

/// A signed number, without a minus before 0.
fn signed(number: f64, decimals: u32) -> String {
    let unit = 10_f64.powi(decimals as i32);
    format!("{:+.*}", decimals as usize, (number * unit).round() / unit + 0.0)
}

/// A number without a sign.
fn plain(number: f64, decimals: u32) -> String {
    format!("{number:.*}", decimals as usize)
}
