//! Pig, the jeopardy dice game, with one die or two (*Monte Carlo \*-Minimax Search*, section 4.1).
//!
//! A player rolls as often as they dare and adds the dice to a turn total; holding banks the total. A single
//! 1 loses the turn total, and with two dice a double 1 also loses everything banked. A player whose score
//! and turn total together reach the target has won at once: holding would be a formality, and exact values
//! do not depend on it. The first roll of a turn is forced.

use crate::SetupError;
use astragal_core::{
    Evaluator, Game, GameInfo, Ink, Interval, Key, Kind, Listed, Notation, Param, Payoffs, Picture, Player,
    PlayerInfo, Policy, ReadError, SpecError, Tools, Turn, Values, Weighted, Words, below, words,
};
use std::sync::Arc;

/// The payoff of a win, and minus that of a loss.
const WIN: f64 = 100.0;

/// What counts as an outcome of a roll. It changes no value, only what a search has to look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcomes {
    /// Rolls with the same result are one outcome: 11 of two dice.
    #[default]
    Merged,
    /// Two dice that cannot be told apart: 21 pairs of faces.
    Pairs,
    /// Two dice that can: 36 rolls.
    Rolls,
}

words!(Outcomes: "merged" => Self::Merged, "pairs" => Self::Pairs, "rolls" => Self::Rolls);

/// The game with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pig {
    dice: u8,
    target: u16,
    outcomes: Outcomes,
}

impl Pig {
    /// The smallest and the largest target.
    pub const TARGETS: (u16, u16) = (2, 10_000);

    /// The game with one die or two, up to this target.
    ///
    /// # Errors
    /// If there are other than one or two dice, or the target is outside [`Pig::TARGETS`].
    pub fn new(dice: u8, target: u16) -> Result<Self, SetupError> {
        let (least, most) = Self::TARGETS;
        if !(1..=2).contains(&dice) {
            return Err(SetupError(format!("Pig has one die or two, not {dice}")));
        }
        if !(least..=most).contains(&target) {
            return Err(SetupError(format!("the target of Pig is {least} to {most}, not {target}")));
        }
        Ok(Self { dice, target, outcomes: Outcomes::Merged })
    }

    /// The same game with other outcomes of two dice.
    ///
    /// # Errors
    /// If there is one die, whose six faces are never merged.
    pub fn with_outcomes(self, outcomes: Outcomes) -> Result<Self, SetupError> {
        if self.dice == 1 && outcomes != Outcomes::Merged {
            return Err(SetupError("one die has its six faces: outcomes is for two dice".into()));
        }
        Ok(Self { outcomes, ..self })
    }

    /// The number of dice.
    #[must_use]
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// The score that wins.
    #[must_use]
    pub fn target(&self) -> u16 {
        self.target
    }

    /// The most that one roll can add.
    fn largest_roll(&self) -> u16 {
        6 * u16::from(self.dice)
    }

    /// A state, from the scores of both players, the turn total and who is to act; none if a score has
    /// reached the target or the turn total overshoots it by more than a roll can.
    #[must_use]
    pub fn state(&self, scores: [u16; 2], total: u16, player: Player) -> Option<State> {
        let own = scores[player.index()];
        let possible = scores.iter().all(|&s| s < self.target)
            && u32::from(own) + u32::from(total) < u32::from(self.target) + u32::from(self.largest_roll());
        possible.then_some(State { first: scores[0], second: scores[1], total, player, rolling: false })
    }
}

impl Default for Pig {
    /// Two dice to 100, the paper's game.
    fn default() -> Self {
        Self { dice: 2, target: 100, outcomes: Outcomes::Merged }
    }
}

/// Scores, turn total, who is to act, and whether the dice are in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    // Two fields and not an array: an index that is known only at run time would keep the state out of
    // registers.
    first: u16,
    second: u16,
    total: u16,
    player: Player,
    rolling: bool,
}

impl State {
    /// The banked scores of player 1 and player 2.
    #[must_use]
    pub fn scores(&self) -> [u16; 2] {
        [self.first, self.second]
    }

    /// The banked score of a player.
    #[inline]
    #[must_use]
    pub fn score(&self, player: Player) -> u16 {
        match player {
            Player::Max => self.first,
            Player::Min => self.second,
        }
    }

    #[inline]
    fn set_score(&mut self, player: Player, score: u16) {
        match player {
            Player::Max => self.first = score,
            Player::Min => self.second = score,
        }
    }

    #[inline]
    fn pass(&mut self) {
        self.total = 0;
        self.player = self.player.other();
    }

    /// The points of this turn that are not banked yet.
    #[must_use]
    pub fn total(&self) -> u16 {
        self.total
    }

    /// Whose turn it is.
    #[must_use]
    pub fn player(&self) -> Player {
        self.player
    }
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Roll the dice.
    Roll,
    /// Bank the turn total and pass the dice.
    Hold,
}

/// What a roll may bring, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Roll {
    /// A single 1: the turn total is lost.
    Bust,
    /// Two 1s: the turn total and the score are lost.
    Reset,
    /// No 1: this much is added to the turn total.
    Add(u8),
}

/// How the dice fall. It fits into a register with little else: this is the innermost loop of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dice {
    /// What is added to the turn total; 0 for a bust and 1 for a reset.
    points: u8,
    /// The faces of two dice in two digits, if rolls with the same result are told apart; otherwise 0.
    faces: u8,
}

impl Dice {
    /// Dice of which no more is known than what they mean.
    #[must_use]
    pub const fn new(roll: Roll) -> Self {
        let points = match roll {
            Roll::Bust => 0,
            Roll::Reset => 1,
            Roll::Add(points) => points,
        };
        Self { points, faces: 0 }
    }

    /// What they mean.
    #[inline]
    #[must_use]
    pub const fn roll(self) -> Roll {
        match self.points {
            0 => Roll::Bust,
            1 => Roll::Reset,
            points => Roll::Add(points),
        }
    }
}

const fn weighted(roll: Roll, ways: u8, of: u8) -> Weighted<Dice> {
    Weighted { item: Dice::new(roll), weight: ways as f64 / of as f64 }
}

/// One die: six faces.
const ONE_DIE: [Weighted<Dice>; 6] = [
    weighted(Roll::Bust, 1, 6),
    weighted(Roll::Add(2), 1, 6),
    weighted(Roll::Add(3), 1, 6),
    weighted(Roll::Add(4), 1, 6),
    weighted(Roll::Add(5), 1, 6),
    weighted(Roll::Add(6), 1, 6),
];

/// Two dice: 36 ways, 11 different results.
const TWO_DICE: [Weighted<Dice>; 11] = [
    weighted(Roll::Bust, 10, 36),
    weighted(Roll::Reset, 1, 36),
    weighted(Roll::Add(4), 1, 36),
    weighted(Roll::Add(5), 2, 36),
    weighted(Roll::Add(6), 3, 36),
    weighted(Roll::Add(7), 4, 36),
    weighted(Roll::Add(8), 5, 36),
    weighted(Roll::Add(9), 4, 36),
    weighted(Roll::Add(10), 3, 36),
    weighted(Roll::Add(11), 2, 36),
    weighted(Roll::Add(12), 1, 36),
];

/// Two dice with these faces.
const fn faces(one: u8, other: u8) -> Dice {
    let roll = match (one, other) {
        (1, 1) => Roll::Reset,
        (1, _) | (_, 1) => Roll::Bust,
        _ => Roll::Add(one + other),
    };
    Dice { faces: 10 * one + other, ..Dice::new(roll) }
}

/// Two dice that cannot be told apart, the lower face first.
const PAIRS: [Weighted<Dice>; 21] = {
    let mut pairs = [weighted(Roll::Bust, 0, 36); 21];
    let (mut at, mut one) = (0, 1);
    while one <= 6 {
        let mut other = one;
        while other <= 6 {
            let ways = if one == other { 1.0 } else { 2.0 };
            pairs[at] = Weighted { item: faces(one, other), weight: ways / 36.0 };
            at += 1;
            other += 1;
        }
        one += 1;
    }
    pairs
};

/// Two dice that can be told apart.
const ROLLS: [Weighted<Dice>; 36] = {
    let mut rolls = [weighted(Roll::Bust, 0, 36); 36];
    let mut at = 0;
    while at < 36 {
        rolls[at as usize] = Weighted { item: faces(1 + at / 6, 1 + at % 6), weight: 1.0 / 36.0 };
        at += 1;
    }
    rolls
};

/// Each of the 36 ways that two dice can fall, by the place of its outcome.
const fn ways<const N: usize>(outcomes: &[Weighted<Dice>; N]) -> [u8; 36] {
    let mut ways = [0; 36];
    let (mut way, mut outcome) = (0, 0);
    while outcome < N {
        // A weight is a whole number of 36ths, up to rounding.
        let mut count = (36.0 * outcomes[outcome].weight + 0.5) as u8;
        while count > 0 {
            ways[way] = outcome as u8;
            way += 1;
            count -= 1;
        }
        outcome += 1;
    }
    ways
}

const WAYS: [u8; 36] = ways(&TWO_DICE);
const PAIR_WAYS: [u8; 36] = ways(&PAIRS);

impl Game for Pig {
    type State = State;
    type Action = Action;
    type Outcome = Dice;

    fn start(&self) -> State {
        State { first: 0, second: 0, total: 0, player: Player::Max, rolling: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.rolling {
            Turn::Chance
        } else if state.score(state.player) + state.total >= self.target {
            Turn::Over(state.player.sign() * WIN)
        } else {
            Turn::Decide(state.player)
        }
    }

    #[inline]
    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Roll);
        if state.total > 0 {
            out.push(Action::Hold);
        }
    }

    #[inline]
    fn outcomes(&self, _state: &State, out: &mut Vec<Weighted<Dice>>) {
        match self.outcomes {
            Outcomes::Merged => out.extend_from_slice(if self.dice == 1 { &ONE_DIE } else { &TWO_DICE }),
            Outcomes::Pairs => out.extend_from_slice(&PAIRS),
            Outcomes::Rolls => out.extend_from_slice(&ROLLS),
        }
    }

    #[inline]
    fn any_action(&self, state: &State, bits: u64, _room: &mut Vec<Action>) -> Action {
        // The second half of the bits, if there is a choice.
        if state.total > 0 && bits >> 63 == 1 { Action::Hold } else { Action::Roll }
    }

    #[inline]
    fn draw(&self, _state: &State, bits: u64, _room: &mut Vec<Weighted<Dice>>) -> Dice {
        if self.dice == 1 {
            return ONE_DIE[below(bits, 6) as usize].item;
        }
        let way = below(bits, 36) as usize;
        match self.outcomes {
            Outcomes::Merged => TWO_DICE[usize::from(WAYS[way])].item,
            Outcomes::Pairs => PAIRS[usize::from(PAIR_WAYS[way])].item,
            Outcomes::Rolls => ROLLS[way].item,
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Roll => state.rolling = true,
            Action::Hold => {
                state.set_score(state.player, state.score(state.player) + state.total);
                state.pass();
            }
        }
    }

    #[inline]
    fn resolve(&self, state: &mut State, outcome: Dice) {
        state.rolling = false;
        match outcome.roll() {
            Roll::Add(points) => state.total += u16::from(points),
            Roll::Bust => state.pass(),
            Roll::Reset => {
                state.set_score(state.player, 0);
                state.pass();
            }
        }
    }

    #[inline]
    fn key(&self, state: &State) -> Key {
        let [first, second] = state.scores().map(u64::from);
        let flags = state.player.index() as u64 | u64::from(state.rolling) << 1;
        Key(u128::from(first | second << 16 | u64::from(state.total) << 32 | flags << 48))
    }

    #[inline]
    fn range(&self) -> Interval {
        Interval { lo: -WIN, hi: WIN }
    }
}

/// The evaluator `lead`: the score difference, the turn total counted as banked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lead;

impl Evaluator<Pig> for Lead {
    #[inline]
    fn value(&self, game: &Pig, state: &State) -> f64 {
        // Whole numbers to the end: this is the innermost line of a search.
        let (first, second, total) =
            (i32::from(state.first), i32::from(state.second), i32::from(state.total));
        let lead = first - second + if state.player == Player::Max { total } else { -total };
        game.range().clamp(f64::from(lead))
    }
}

/// The evaluator `banked`: the difference of the banked scores. It does not see the turn total, so a search
/// that does not reach the end of the turn sees nothing in rolling.
#[derive(Clone, Copy, Debug, Default)]
pub struct Banked;

impl Evaluator<Pig> for Banked {
    #[inline]
    fn value(&self, game: &Pig, state: &State) -> f64 {
        game.range().clamp(f64::from(i32::from(state.first) - i32::from(state.second)))
    }
}

/// The evaluator `logistic`: the chance to win as a logistic function of both scores and the turn total,
/// fitted to the solved game to 100 (root mean square error 0.045 with two dice, 0.042 with one). Other
/// targets are scaled to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Logistic;

impl Evaluator<Pig> for Logistic {
    #[inline]
    fn value(&self, game: &Pig, state: &State) -> f64 {
        let scale = f64::from(game.target);
        let own = f64::from(state.score(state.player)) / scale;
        let opponent = f64::from(state.score(state.player.other())) / scale;
        let total = f64::from(state.total) / scale;
        let logit = if game.dice == 1 {
            -0.244 + 5.16 * own - 4.14 * opponent + 3.25 * total
        } else {
            -0.238 + 3.78 * own - 3.01 * opponent + 2.54 * total
        };
        // `libm` and not the platform's `exp`, whose last bit differs from one machine to the next.
        let chance = 1.0 / (1.0 + libm::exp(-logit));
        state.player.sign() * WIN * (2.0 * chance - 1.0)
    }
}

/// The player who rolls until the turn total reaches a number.
#[derive(Clone, Copy, Debug)]
pub struct HoldAt(pub u16);

impl Policy<Pig> for HoldAt {
    fn choose(&self, _game: &Pig, state: &State) -> Action {
        if state.total > 0 && state.total >= self.0 { Action::Hold } else { Action::Roll }
    }
}

impl Notation for Pig {
    fn write_state(&self, state: &State) -> String {
        let [first, second] = state.scores();
        let rolling = if state.rolling { " rolling" } else { "" };
        format!("{first}-{second}+{} {}{rolling}", state.total, state.player.name())
    }

    fn read_state(&self, text: &str) -> Result<State, ReadError> {
        let wrong = |why: String| ReadError::position(text, why);
        let form = || {
            wrong("expected A-B+T pN, such as 30-45+12 p1: both scores, the turn total, who is to act".into())
        };
        let mut words = text.split_whitespace();
        let (numbers, player, last) = (words.next(), words.next(), words.next());
        let (first, rest) = numbers.and_then(|n| n.split_once('-')).ok_or_else(form)?;
        let (second, total) = rest.split_once('+').ok_or_else(form)?;
        let player = player.and_then(Player::named).ok_or_else(form)?;
        let rolling = match last {
            None => false,
            Some("rolling") if words.next().is_none() => true,
            Some(_) => return Err(form()),
        };
        // Digits only: `parse` alone would also take a plus sign.
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| digits.parse::<u16>().unwrap_or(u16::MAX)).ok_or_else(form)
        };
        for score in [first, second] {
            if number(score)? >= self.target {
                return Err(wrong(format!("the score {score} is not below the target {}", self.target)));
            }
        }
        let (scores, total) = ([number(first)?, number(second)?], number(total)?);
        let mut state = self.state(scores, total, player).ok_or_else(|| {
            wrong(format!("the turn total {total} is more than can be rolled on the way to {}", self.target))
        })?;
        if rolling && let Turn::Over(_) = self.turn(&state) {
            return Err(wrong("the game is over, nobody can be rolling".into()));
        }
        state.rolling = rolling;
        Ok(state)
    }

    fn write_action(&self, _state: &State, action: Action) -> String {
        match action {
            Action::Roll => "roll".into(),
            Action::Hold => "hold".into(),
        }
    }

    fn why_not(&self, _state: &State, text: &str) -> Option<String> {
        // Rolling is always possible, holding except at the beginning of a turn.
        (text == "hold").then(|| "there is nothing to hold before the first roll of a turn".into())
    }

    fn write_outcome(&self, _state: &State, outcome: Dice) -> String {
        match (outcome.faces, outcome.roll()) {
            (0, Roll::Bust) => "bust".into(),
            (0, Roll::Reset) => "reset".into(),
            (0, Roll::Add(points)) => format!("+{points}"),
            (faces, _) => faces.to_string(),
        }
    }

    fn picture(&self, state: &State) -> Picture {
        const WIDTH: usize = 40;
        let mut picture = Picture::new();
        for player in [Player::Max, Player::Min] {
            let score = state.score(player);
            let total = if player == state.player { state.total } else { 0 };
            let cells = |points: u16| (usize::from(points) * WIDTH / usize::from(self.target)).min(WIDTH);
            let (banked, risked) = (cells(score), cells(score.saturating_add(total)));
            picture.paint(Ink::Mark, if player == state.player { "> " } else { "  " });
            picture.paint(Ink::of(player), format!("{} {}", player.name(), "█".repeat(banked)));
            picture.paint(Ink::Mark, "▒".repeat(risked - banked));
            picture.paint(Ink::Faint, "·".repeat(WIDTH - risked));
            picture.push(format!(" {score}"));
            if total > 0 {
                picture.paint(Ink::Mark, format!(" +{total}"));
            }
            picture.push("\n");
        }
        let dice = if self.dice == 1 { "one die" } else { "two dice" };
        picture.paint(Ink::Faint, format!("       first to {} with {dice}", self.target));
        picture
    }
}

impl Listed for Pig {
    fn payoffs(&self) -> Payoffs {
        Payoffs::WinLoss
    }

    const INFO: GameInfo = GameInfo {
        name: "pig",
        help: "roll as often as you dare, hold to bank; a single 1 loses the turn, a double 1 the score",
        source: "Monte Carlo *-Minimax Search, section 4.1 (two dice); Neller & Presser 2004 (one die)",
        positions: "A-B+T pN: both scores, the turn total, who is to act; with ' rolling' while the dice fall. 30-45+12 p1",
        params: &[
            Param::new("dice", Kind::Int(1, 2), "2", "dice in a roll"),
            Param::new(
                "target",
                Kind::Int(Pig::TARGETS.0 as u64, Pig::TARGETS.1 as u64),
                "100",
                "the score that wins; with the turn total it wins at once",
            ),
            Param::new(
                "outcomes",
                Outcomes::CHOICE,
                "merged",
                "outcomes of two dice: 11 results, 21 pairs of faces, or 36 rolls; the game is the same",
            ),
        ],
    };

    fn build(values: &Values) -> Result<Self, SpecError> {
        Ok(Self::new(values.int("dice"), values.int("target"))?.with_outcomes(values.word("outcomes"))?)
    }

    fn list(tools: &mut impl Tools<Self>) {
        tools.default_evaluator("lead", "the score difference, the turn total counted as banked", Lead);
        tools.evaluator(
            "banked",
            "the difference of the banked scores: it does not see the turn total",
            Banked,
        );
        tools.evaluator("logistic", "a logistic fit of the chance to win, scaled to the range", Logistic);
        tools.policy("hold-at-20", "rolls until the turn total reaches 20", |_| Ok(Arc::new(HoldAt(20))));
        tools.player(
            PlayerInfo {
                name: "hold-at",
                help: "the player of Pig who rolls until the turn total reaches n",
                source: "Neller & Presser 2004",
                params: const { &[Param::new("n", Kind::Int(1, 10_000), "23", "the turn total at which to hold; 23 is best against the optimal player with two dice, 25 with one")] },
            },
            |_, values| Ok(Arc::new(HoldAt(values.int("n")))),
        );
        tools.perfect_player(
            PlayerInfo {
                name: "optimal",
                help: "the perfect player of Pig: it solves the game first, which takes seconds",
                source: "Monte Carlo *-Minimax Search (Lanctot et al. 2013), section 4.3; Neller & Presser 2004",
                params: &[],
            },
            |game| match game.target() {
                ..=200 => Ok(()),
                target => Err(SpecError(format!("optimal: solves Pig up to target=200, and this is {target}"))),
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astragal_core::Noisy;
    use astragal_core::contract::{Play, check_evaluator, check_game, check_notation};

    #[test]
    fn pig_keeps_the_contract() {
        for (dice, target) in [(1, 2), (1, 20), (1, 100), (2, 2), (2, 20), (2, 100), (2, 10_000)] {
            let game = Pig::new(dice, target).unwrap();
            let play = Play { games: 60, length: 300, seed: u64::from(target) };
            check_game(&game, play).unwrap();
            check_notation(&game, play).unwrap();
            check_evaluator(&game, &Lead, play).unwrap();
            check_evaluator(&game, &Logistic, play).unwrap();
            check_evaluator(&game, &Banked, play).unwrap();
            for outcomes in [Outcomes::Pairs, Outcomes::Rolls] {
                let Ok(unmerged) = game.clone().with_outcomes(outcomes) else {
                    assert_eq!(dice, 1);
                    continue;
                };
                check_game(&unmerged, play).unwrap();
                check_notation(&unmerged, play).unwrap();
            }
        }
    }

    #[test]
    fn unmerged_outcomes_sum_to_the_merged_ones() {
        let results = |game: &Pig| {
            let mut outcomes = Vec::new();
            game.outcomes(&game.start(), &mut outcomes);
            let count = outcomes.len();
            let mut sums = std::collections::BTreeMap::new();
            for Weighted { item, weight } in outcomes {
                let mut state = game.read_state("30-45+12 p1 rolling").unwrap();
                game.resolve(&mut state, item);
                // In 36ths, so that sums are exact.
                *sums.entry(game.write_state(&state)).or_insert(0) += (36.0 * weight).round() as u32;
            }
            (count, sums)
        };
        let (eleven, merged) = results(&Pig::default());
        let (pairs, unordered) = results(&Pig::default().with_outcomes(Outcomes::Pairs).unwrap());
        let (rolls, ordered) = results(&Pig::default().with_outcomes(Outcomes::Rolls).unwrap());
        assert_eq!([eleven, pairs, rolls], [11, 21, 36]);
        assert!(unordered == merged && ordered == merged, "{merged:?} {unordered:?} {ordered:?}");
        assert_eq!(merged.values().sum::<u32>(), 36);
    }

    #[test]
    fn two_dice_have_eleven_results_in_36_ways() {
        // Counted afresh from the 36 pairs of faces.
        let mut ways = std::collections::BTreeMap::new();
        for (a, b) in (1..=6_u8).flat_map(|a| (1..=6).map(move |b| (a, b))) {
            let result = match (a, b) {
                (1, 1) => "reset".into(),
                (1, _) | (_, 1) => "bust".into(),
                _ => format!("+{}", a + b),
            };
            *ways.entry(result).or_insert(0_u32) += 1;
        }
        let game = Pig::default();
        let mut outcomes = Vec::new();
        game.outcomes(&game.start(), &mut outcomes);
        assert_eq!(outcomes.len(), 11);
        for outcome in outcomes {
            let text = game.write_outcome(&game.start(), outcome.item);
            assert_eq!(outcome.weight, f64::from(ways[&text]) / 36.0, "{text}");
        }
    }

    #[test]
    fn noise_has_the_deviation_that_was_asked_for_and_is_fixed() {
        let game = Pig::default();
        let noisy = Noisy { evaluator: Banked, sigma: 4.0 };
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (first, second) in (10..60).flat_map(|a| (10..60).map(move |b| (a, b))) {
            let state = game.state([first, second], 10, Player::Max).unwrap();
            let noise = noisy.value(&game, &state) - Banked.value(&game, &state);
            assert_eq!(noisy.value(&game, &state) - Banked.value(&game, &state), noise);
            assert!(noise.abs() <= 14.0);
            (count, sum, squares) = (count + 1.0, sum + noise, squares + noise * noise);
        }
        // 2500 positions: the error of the mean is 0.08, that of the deviation 0.06.
        let mean: f64 = sum / count;
        let deviation = (squares / count - mean * mean).sqrt();
        assert!(mean.abs() < 0.32 && (deviation - 4.0).abs() < 0.24, "{mean} {deviation}");
    }

    #[test]
    fn reaching_the_target_within_a_turn_wins_at_once() {
        let game = Pig::default();
        let state = game.read_state("88-96+12 p1").unwrap();
        assert_eq!(game.turn(&state), Turn::Over(100.0));
        let state = game.read_state("88-96+4 p2").unwrap();
        assert_eq!(game.turn(&state), Turn::Over(-100.0));
    }

    #[test]
    fn the_first_roll_of_a_turn_is_forced() {
        let game = Pig::default();
        let mut actions = Vec::new();
        game.actions(&game.start(), &mut actions);
        assert_eq!(actions, [Action::Roll]);
    }

    #[test]
    fn a_double_one_loses_the_score_and_a_single_one_does_not() {
        let game = Pig::default();
        let rolling = game.read_state("30-45+12 p1 rolling").unwrap();
        for (outcome, after) in [("bust", "30-45+0 p2"), ("reset", "0-45+0 p2"), ("+7", "30-45+19 p1")] {
            let mut state = rolling;
            game.resolve(&mut state, game.read_outcome(&rolling, outcome).unwrap());
            assert_eq!(game.write_state(&state), after);
        }
    }

    #[test]
    fn malformed_positions_are_explained() {
        let game = Pig::default();
        for (text, why) in [
            ("", "expected A-B+T pN"),
            ("30-45 p1", "expected A-B+T pN"),
            ("30-45+12", "expected A-B+T pN"),
            ("30-45+12 p3", "expected A-B+T pN"),
            ("30-+45+12 p1", "expected A-B+T pN"),
            ("30-45+12 p1 rolling now", "expected A-B+T pN"),
            ("30-45+12 p1 waiting", "expected A-B+T pN"),
            ("100-45+0 p2", "the score 100 is not below the target 100"),
            ("30-99999999+0 p2", "the score 99999999 is not below"),
            ("30-45+83 p1", "more than can be rolled"),
            ("30-45+70 p1 rolling", "the game is over"),
        ] {
            let error = game.read_state(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn the_fit_follows_its_formula() {
        let game = Pig::default();
        let state = game.read_state("30-45+12 p2").unwrap();
        let logit: f64 = -0.238 + 3.78 * 0.45 - 3.01 * 0.30 + 2.54 * 0.12;
        let expected = -100.0 * (2.0 / (1.0 + (-logit).exp()) - 1.0);
        assert!((Logistic.value(&game, &state) - expected).abs() < 1e-12);
    }
}
