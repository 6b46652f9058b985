//! The account of a game: luck, lost value and the judge's own errors, which add up to what the game moved.
//!
//! A judge values the decision states of a game. The value V of a chance state is the mean of the values of
//! its outcomes, and that of a finished game is its payoff. Every step of the game moves the value:
//!
//! - a roll by its luck, V(what came) − V(before the roll);
//! - a decision by minus its loss, Q(best) − Q(played) for the player who decides;
//! - the rest is an error of the judge: it values the state after a decision, or after a roll on a closer
//!   look, differently from what it expected. A judge that knows the exact values makes no errors.
//!
//! So the value before the game plus luck, losses and errors is the value after it. All values are player
//! 1's. How the judge reaches its values is not known here: it may be a search, a solution or anything else.

use crate::play::Decision;
use astragal_catalog::{Analysis, AnyGame, Engine, Position};
use astragal_core::{Budget, Interval, Player, Turn, Watch};
use serde::Serialize;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What a judge thinks of a decision state.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// The value of the best action.
    pub value: f64,
    /// The best action.
    pub best: Option<String>,
    /// The actions whose value is known.
    pub actions: Vec<(String, f64)>,
}

impl From<Analysis> for Opinion {
    fn from(analysis: Analysis) -> Self {
        // A bound that refuted an action is not its value.
        let is_known = |line: &astragal_core::Line<String>| {
            line.bounds.is_point() || line.visits > 0 && (line.deviation.is_some() || line.error.is_some())
        };
        let known = analysis.lines.into_iter().filter(is_known);
        let actions = known.map(|line| (line.action, line.value)).collect();
        Self { value: analysis.value, best: analysis.best, actions }
    }
}

/// Which of several states a judge looks at: all outcomes of a roll are judged, and share a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0.
    pub number: usize,
    /// How many there are; 1 for a decision of the game itself.
    pub of: usize,
}

impl Part {
    /// The only one.
    pub const WHOLE: Self = Self { number: 0, of: 1 };
}

/// Values the states of a game.
pub trait Judge {
    /// The opinion of a decision state; none if interrupted.
    fn judge(&mut self, position: &dyn Position, part: Part) -> Option<Opinion>;

    /// Whether it looks less closely at one of many states, so that another look may change its opinion.
    fn is_limited(&self) -> bool;
}

/// The smallest share of a decision's budget for an outcome of a roll. Equal shares of 126 outcomes would
/// leave too little for a useful value.
const LEAST_SHARE: u32 = 20;

/// The budget for one of so many states. A limit in depth is the same for all.
#[must_use]
pub fn shared(budget: Budget, of: usize) -> Budget {
    let of = u32::try_from(of).unwrap_or(u32::MAX).clamp(1, LEAST_SHARE);
    let part = |limit: u64| (limit / u64::from(of)).max(1);
    Budget {
        depth: budget.depth,
        nodes: budget.nodes.map(part),
        iterations: budget.iterations.map(part),
        time: budget.time.map(|time| time / of),
    }
}

/// Whether one of many states gets less than a decision of the game.
#[must_use]
pub fn is_shared(budget: Budget) -> bool {
    shared(budget, usize::MAX) != budget
}

/// An engine as a judge.
pub struct EngineJudge<'a> {
    /// The engine.
    pub engine: &'a mut dyn Engine,
    /// The budget for a decision of the game; outcomes of a roll get [`shared`] ones.
    pub budget: Budget,
    /// The clock, and whether to stop.
    pub watch: &'a mut dyn Watch,
}

impl Judge for EngineJudge<'_> {
    fn judge(&mut self, position: &dyn Position, part: Part) -> Option<Opinion> {
        let budget = shared(self.budget, part.of);
        let analysis = self.engine.analyze(position, 0, &budget, &mut Decision::start(self.watch));
        (!self.watch.cancelled()).then(|| analysis.into())
    }

    fn is_limited(&self) -> bool {
        is_shared(self.budget)
    }
}

/// How bad a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Probably wrong.
    Doubtful,
    /// Wrong.
    Mistake,
    /// Very wrong.
    Blunder,
}

impl Grade {
    /// All grades with their marks, and the share of the range from which on a loss has this grade.
    ///
    /// Each is twice the one before; they are of the size that backgammon programs use, which mark losses of
    /// some hundredths of a point to a tenth or two, with values from −1 to 1.
    pub const ALL: [(Self, &'static str, f64); 3] =
        [(Self::Doubtful, "?!", 0.02), (Self::Mistake, "?", 0.04), (Self::Blunder, "??", 0.08)];

    /// The grade of a loss in a game of this range; none if the loss is small.
    #[must_use]
    pub fn of(loss: f64, range: Interval) -> Option<Self> {
        let reached = Self::ALL.iter().rev().find(|(.., share)| loss >= share * range.width());
        reached.map(|(grade, ..)| *grade)
    }

    /// The mark, as in annotated games.
    #[must_use]
    pub fn mark(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A step of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Step {
    /// A roll.
    Roll {
        /// What came.
        outcome: String,
        /// The player, 1 or 2, who rolled; none if nobody did.
        #[serde(skip_serializing_if = "Option::is_none")]
        player: Option<u32>,
        /// The judge's value before the roll, for player 1: the mean over all outcomes.
        value: f64,
        /// The luck, for player 1.
        luck: f64,
        /// The error of the judge, for player 1.
        error: f64,
    },
    /// A decision.
    Decision {
        /// The action.
        action: String,
        /// The player, 1 or 2.
        player: u32,
        /// The position.
        position: String,
        /// Whether there were several actions.
        choice: bool,
        /// The judge's value before the decision, for player 1.
        value: f64,
        /// The judge's best action.
        #[serde(skip_serializing_if = "Option::is_none")]
        best: Option<String>,
        /// What the decision lost, for the player who made it; none if the judge has no value of the action.
        loss: Option<f64>,
        /// How bad it was.
        #[serde(skip_serializing_if = "Option::is_none")]
        grade: Option<Grade>,
        /// The error of the judge, for player 1.
        error: f64,
    },
}

/// The decisions of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Decisions with a choice.
    pub decisions: u64,
    /// Decisions that lost something.
    pub worse: u64,
    /// What they lost, for the player.
    pub lost: f64,
    /// The number of decisions of each [`Grade`].
    pub grades: [u64; 3],
}

/// The account of a game. All values are for player 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    /// The judge's value before the game.
    pub first: f64,
    /// The payoff, or the judge's value of the position in which the game was left.
    pub last: f64,
    /// `last` minus `first`: the sum of luck, decisions and errors.
    pub moved: f64,
    /// The luck in the rolls of players 1 and 2.
    pub luck: [f64; 2],
    /// The luck in rolls of nobody.
    pub luck_of_nobody: f64,
    /// What the decisions of players 1 and 2 moved: those of player 1 cannot gain, those of player 2 cannot
    /// lose for player 1.
    pub decisions: [f64; 2],
    /// The judge's errors.
    pub errors: f64,
    /// The decisions of each player.
    pub players: [Tally; 2],
    /// The steps, in order.
    pub steps: Vec<Step>,
}

impl Account {
    /// The parts that add up to what the game moved: the luck of players 1 and 2 and of nobody, the decisions
    /// of players 1 and 2, and the errors.
    #[must_use]
    pub fn parts(&self) -> [f64; 6] {
        let ([luck_1, luck_2], [played_1, played_2]) = (self.luck, self.decisions);
        [luck_1, luck_2, self.luck_of_nobody, played_1, played_2, self.errors]
    }

    /// The indices in `steps` of the costliest decisions, the costliest first: at most `most`, none without a
    /// loss of at least `least`.
    #[must_use]
    pub fn costliest(&self, most: usize, least: f64) -> Vec<usize> {
        let loss = |at: &usize| match &self.steps[*at] {
            Step::Decision { loss, .. } => loss.unwrap_or(0.0),
            Step::Roll { .. } => 0.0,
        };
        let mut found: Vec<usize> = (0..self.steps.len()).filter(|at| loss(at) >= least).collect();
        found.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
        found.truncate(most);
        found
    }
}

/// Numbers rounded so that they add up to their rounded sum: those that lose most by rounding down are
/// rounded up.
#[must_use]
pub fn rounded<const N: usize>(numbers: [f64; N], decimals: u32) -> [f64; N] {
    let unit = 10_f64.powi(decimals as i32);
    let sum = (numbers.iter().sum::<f64>() * unit).round();
    let mut whole = numbers.map(|number| (number * unit).floor());
    let mut order: [usize; N] = std::array::from_fn(|at| at);
    let rest = |at: &usize| numbers[*at] * unit - whole[*at];
    order.sort_by(|a, b| rest(b).total_cmp(&rest(a)));
    let missing = sum - whole.iter().sum::<f64>();
    for at in order.into_iter().take(missing.max(0.0) as usize) {
        whole[at] += 1.0;
    }
    // Without a minus before 0.
    whole.map(|number| number / unit + 0.0)
}

/// Losses below this share of the range are rounding errors.
const NOTHING: f64 = 1e-9;

/// A state as the judge sees it.
enum View {
    Decision(Opinion),
    /// The values of the positions after the roll, by their text, and the player who rolls.
    Roll {
        mean: f64,
        outcomes: HashMap<String, Valued>,
        player: Option<Player>,
    },
    Over(f64),
}

/// The value of a position after a roll, with the opinion of it if it is a decision.
#[derive(Clone)]
struct Valued {
    value: f64,
    opinion: Option<Opinion>,
}

impl View {
    fn value(&self) -> f64 {
        match self {
            Self::Decision(opinion) => opinion.value,
            Self::Roll { mean, .. } => *mean,
            Self::Over(payoff) => *payoff,
        }
    }
}

/// Keeps the account of a game, step by step.
pub struct Accountant {
    range: Interval,
    /// Whether players roll before they decide, as in EinStein, rather than because of a decision, as in Pig.
    throws_first: bool,
    /// The player who decided last.
    last: Option<Player>,
    now: View,
    account: Account,
}

impl Accountant {
    /// Begins the account of a game at a position; none if the judge was interrupted.
    pub fn begin(game: &dyn AnyGame, start: &dyn Position, judge: &mut dyn Judge) -> Option<Self> {
        let throws_first = game.start().turn() == Turn::Chance;
        let account = Account {
            first: 0.0,
            last: 0.0,
            moved: 0.0,
            luck: [0.0; 2],
            luck_of_nobody: 0.0,
            decisions: [0.0; 2],
            errors: 0.0,
            players: [Tally::default(); 2],
            steps: Vec::new(),
        };
        let now = View::Over(0.0);
        let mut begun = Self { range: game.range(), throws_first, last: None, now, account };
        begun.now = begun.view(start, None, judge)?;
        let value = begun.now.value();
        (begun.account.first, begun.account.last) = (value, value);
        Some(begun)
    }

    /// The judge's value of the current position.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.now.value()
    }

    /// The account of the steps so far.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Records a roll that led to `next`; none if the judge was interrupted.
    ///
    /// # Panics
    /// If no roll with this outcome is possible.
    pub fn roll(&mut self, outcome: &str, next: &dyn Position, judge: &mut dyn Judge) -> Option<&Step> {
        let View::Roll { mean, outcomes, player } = &self.now else {
            panic!("contract: it is not chance's turn");
        };
        let (mean, player) = (*mean, *player);
        let Valued { value, opinion } =
            outcomes.get(&next.text()).expect("contract: a possible outcome").clone();
        let luck = value - mean;
        let now = self.view(next, opinion.filter(|_| !judge.is_limited()), judge)?;
        let error = now.value() - value;
        match player {
            Some(player) => self.account.luck[player.index()] += luck,
            None => self.account.luck_of_nobody += luck,
        }
        let (outcome, player) = (outcome.into(), player.map(|player| player.index() as u32 + 1));
        self.enter(now, error, Step::Roll { outcome, player, value: mean, luck, error })
    }

    /// Records a decision at `position` that led to `next`; none if the judge was interrupted.
    ///
    /// # Panics
    /// If no player decides there.
    pub fn act(
        &mut self,
        position: &dyn Position,
        action: &str,
        next: &dyn Position,
        judge: &mut dyn Judge,
    ) -> Option<&Step> {
        let (View::Decision(opinion), Turn::Decide(player)) = (&self.now, position.turn()) else {
            panic!("contract: no player decides here");
        };
        // A record may name the action otherwise than the game does now.
        let action = &position.action_named(action).unwrap_or_else(|_| action.into());
        let (value, best) = (opinion.value, opinion.best.clone());
        let choice = position.act_at(1).is_some();
        let played = opinion.actions.iter().find(|(name, _)| name == action).map(|(_, value)| *value);
        let lost = |played: f64| {
            let loss = player.sign() * (value - played);
            if loss > NOTHING * self.range.width() { loss } else { 0.0 }
        };
        let loss = if choice { played.map(lost) } else { Some(0.0) };
        self.last = Some(player);
        let now = self.view(next, None, judge)?;
        let change = -player.sign() * loss.unwrap_or(0.0);
        let error = now.value() - value - change;
        let grade = loss.and_then(|loss| Grade::of(loss, self.range));
        let tally = &mut self.account.players[player.index()];
        tally.decisions += u64::from(choice);
        tally.worse += u64::from(loss.is_some_and(|loss| loss > 0.0));
        tally.lost += loss.unwrap_or(0.0);
        if let Some(grade) = grade {
            tally.grades[grade as usize] += 1;
        }
        self.account.decisions[player.index()] += change;
        let step = Step::Decision {
            action: action.into(),
            player: player.index() as u32 + 1,
            position: position.text(),
            choice,
            value,
            best,
            loss,
            grade,
            error,
        };
        self.enter(now, error, step)
    }

    /// Moves on to the next state.
    fn enter(&mut self, now: View, error: f64, step: Step) -> Option<&Step> {
        self.account.last = now.value();
        self.account.moved = self.account.last - self.account.first;
        self.account.errors += error;
        self.account.steps.push(step);
        self.now = now;
        self.account.steps.last()
    }

    /// What the judge sees in a state of the game; `known` is its opinion if it has looked before.
    fn view(&self, position: &dyn Position, known: Option<Opinion>, judge: &mut dyn Judge) -> Option<View> {
        Some(match (position.turn(), known) {
            (Turn::Over(payoff), _) => View::Over(payoff),
            (Turn::Decide(_), Some(opinion)) => View::Decision(opinion),
            (Turn::Decide(_), None) => View::Decision(judge.judge(position, Part::WHOLE)?),
            (Turn::Chance, _) => {
                let (mean, outcomes) = outcomes(position, 1, judge)?;
                let owner = position.prospects().and_then(|prospects| prospects.owner);
                let player = if self.throws_first { owner } else { self.last.or(owner) };
                View::Roll { mean, outcomes, player }
            }
        })
    }
}

/// The mean value of a roll and the values of the positions after it. `of` is the number of states that
/// already share the judge's budget.
fn outcomes(
    position: &dyn Position,
    of: usize,
    judge: &mut dyn Judge,
) -> Option<(f64, HashMap<String, Valued>)> {
    let all = position.outcomes();
    // Many outcomes may lead to the same position.
    let mut met: HashMap<String, Valued> = HashMap::new();
    let mut mean = 0.0;
    for (number, outcome) in all.iter().enumerate() {
        let next = position.resolve(&outcome.item).expect("contract: an outcome that was listed");
        let valued = match met.entry(next.text()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let part = Part { number, of: all.len() * of };
                unknown.insert(match next.turn() {
                    Turn::Over(payoff) => Valued { value: payoff, opinion: None },
                    Turn::Chance => Valued { value: outcomes(&*next, part.of, judge)?.0, opinion: None },
                    Turn::Decide(_) => {
                        let opinion = judge.judge(&*next, part)?;
                        Valued { value: opinion.value, opinion: Some(opinion) }
                    }
                })
            }
        };
        mean += outcome.weight * valued.value;
    }
    Some((mean, met))
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_catalog::{Extras, game, game_with};
    use astragal_core::{Clock, Files, Sampler, below, unit};
    use astragal_solve::{Solution, SolveOptions, Unsupervised};
    use std::io::Cursor;
    use std::sync::Arc;

    /// The account of a game of random decisions, and its payoff. `see` gets the position before and after
    /// each step.
    fn account(
        game: &dyn AnyGame,
        engine: &str,
        budget: Budget,
        seed: u64,
        mut see: impl FnMut(&dyn Position, &dyn Position, &Step),
    ) -> (Account, f64) {
        let mut engine = game.engine(engine).unwrap();
        let mut clock = Clock::start();
        let mut judge = EngineJudge { engine: &mut *engine, budget, watch: &mut clock };
        let mut position = game.start();
        let mut accountant = Accountant::begin(game, &*position, &mut judge).unwrap();
        for at in 0.. {
            let bits = Sampler::new(seed).draw(at, 0, 0);
            let next = match position.turn() {
                Turn::Over(payoff) => return (accountant.account().clone(), payoff),
                Turn::Chance => {
                    let (outcome, next) = position.chance(unit(bits)).unwrap();
                    see(&*position, &*next, accountant.roll(&outcome, &*next, &mut judge).unwrap());
                    next
                }
                Turn::Decide(_) => {
                    let actions = position.actions();
                    let action = &actions[below(bits, actions.len() as u64) as usize];
                    let next = position.act(action).unwrap();
                    see(&*position, &*next, accountant.act(&*position, action, &*next, &mut judge).unwrap());
                    next
                }
            };
            position = next;
        }
        unreachable!("games end")
    }

    /// Checks that the parts are those of the steps and add up to what the game moved.
    fn balances(account: &Account, payoff: f64, tolerance: f64) {
        assert_eq!(account.last, payoff);
        let sum: f64 = account.parts().iter().sum();
        assert!(
            (account.first + sum - payoff).abs() <= tolerance,
            "{} and {sum}, not {payoff}",
            account.first
        );
        let (mut luck, mut lost, mut errors) = ([0.0; 3], [0.0; 2], 0.0);
        for step in &account.steps {
            match step {
                Step::Roll { player, luck: one, error, .. } => {
                    luck[player.map_or(2, |player| player as usize - 1)] += one;
                    errors += error;
                }
                Step::Decision { player, loss, error, .. } => {
                    lost[*player as usize - 1] += loss.unwrap_or(0.0);
                    errors += error;
                }
            }
        }
        let parts = [luck[0], luck[1], luck[2], -lost[0], lost[1], errors];
        for (part, expected) in account.parts().iter().zip(parts) {
            assert!((part - expected).abs() <= tolerance, "{part}, not {expected}");
        }
        assert!(lost.iter().all(|lost| *lost >= 0.0));
    }

    /// A game with the file of its solution.
    fn solved(spec: &str) -> (Box<dyn AnyGame>, Solution) {
        let game = game(spec).unwrap();
        let solution = game.solve(&*game.start(), &SolveOptions::default(), &mut Unsupervised).unwrap();
        let mut bytes = Vec::new();
        solution.save(game.spec(), &mut bytes).unwrap();
        let bytes: Arc<[u8]> = bytes.into();
        let files = Files::new(move |_| Ok(Box::new(Cursor::new(Arc::clone(&bytes)))));
        (game_with(spec, &Extras::from(files)).unwrap(), solution)
    }

    #[test]
    fn with_exact_values_luck_and_losses_are_all_that_moves_a_game() {
        for (spec, engine) in [
            ("pig(target=25)", "optimal"),
            ("ewn(size=3,stones=3)", "solved(file=memory)"),
            ("cant-stop(dice=2,columns=1)", "solved(file=memory)"),
        ] {
            let (game, solution) = solved(spec);
            for seed in 0..8 {
                let truth = |position: &dyn Position| match position.turn() {
                    Turn::Over(payoff) => payoff,
                    _ => position.value_in(&solution).unwrap(),
                };
                let (found, payoff) =
                    account(&*game, engine, Budget::default(), seed, |before, after, step| match step {
                        Step::Roll { luck, value, error, .. } => {
                            assert!((value - truth(before)).abs() < 1e-9 && error.abs() < 1e-9, "{step:?}");
                            assert!((luck - (truth(after) - truth(before))).abs() < 1e-9, "{step:?}");
                        }
                        Step::Decision { loss, player, error, .. } => {
                            let sign = if *player == 1 { 1.0 } else { -1.0 };
                            let moved = sign * (truth(after) - truth(before));
                            assert!((loss.unwrap() + moved).abs() < 1e-9 && error.abs() < 1e-9, "{step:?}");
                        }
                    });
                balances(&found, payoff, 1e-9);
                assert!(found.errors.abs() < 1e-9, "{spec}: {}", found.errors);
                assert!((found.first - truth(&*game.start())).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn with_any_judge_luck_losses_and_its_errors_are_what_a_game_moved() {
        for (spec, engine, budget) in [
            ("pig(target=40)", "star2(all_lines=on)", Budget::depth(2)),
            ("pig(target=40)", "mcts", Budget::iterations(40)),
            ("ewn", "star2(all_lines=on)", Budget::nodes(300)),
            ("cant-stop(dice=3)", "star2(all_lines=on)", Budget::depth(1)),
            ("ra", "star2ss(width=2)", Budget::depth(1)),
            ("connect-four", "alpha-beta(all_lines=on)", Budget::depth(3)),
            ("random-tree(seed=2)", "star2(all_lines=on)", Budget::depth(2)),
        ] {
            let game = game(spec).unwrap();
            let (found, payoff) = account(&*game, engine, budget, 3, |_, _, _| {});
            balances(&found, payoff, 1e-9 * game.range().width());
            assert!(found.errors != 0.0, "{spec}: a shallow judge errs");
        }
    }

    #[test]
    fn outcomes_share_a_budget_but_not_a_depth() {
        assert_eq!(shared(Budget::nodes(1000), 10), Budget::nodes(100));
        assert_eq!(shared(Budget::nodes(1000), 126), Budget::nodes(50));
        assert_eq!(shared(Budget::nodes(3), 10), Budget::nodes(1));
        assert_eq!(shared(Budget::nodes(1000), 1), Budget::nodes(1000));
        assert!(!is_shared(Budget::depth(3)) && !is_shared(Budget::default()) && is_shared(Budget::nodes(9)));
    }

    #[test]
    fn grades_are_shares_of_the_range() {
        let range = Interval::new(-100.0, 100.0);
        let grades = [3.9, 4.0, 8.0, 15.9, 16.0].map(|loss| Grade::of(loss, range).map(Grade::mark));
        assert_eq!(grades, [None, Some("?!"), Some("?"), Some("?"), Some("??")]);
    }

    #[test]
    fn rounded_numbers_add_up() {
        for seed in 0..200 {
            let number = |at| 200.0 * unit(Sampler::new(seed).draw(at, 0, 0)) - 100.0;
            let numbers = [number(1), number(2), 0.0, number(3), number(4), -1e-12];
            let found = rounded(numbers, 1);
            let sum: f64 = numbers.iter().sum();
            assert!((found.iter().sum::<f64>() - (10.0 * sum).round() / 10.0).abs() < 1e-9, "{numbers:?}");
            assert!(numbers.iter().zip(found).all(|(number, found)| (number - found).abs() < 0.1 + 1e-9));
            assert_eq!((found[2], found[5]), (0.0, 0.0), "{numbers:?}");
        }
    }
}
