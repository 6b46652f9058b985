//! Records of games, as readable text and as JSON lines, and their verification.
//!
//! The text has a header of tags in brackets, then a line for each event, and an empty line after the game:
//!
//! ```text
//! [Game "pig(dice=2,target=100,outcomes=merged)"]
//! [Player1 "star2(eval=lead,…)"]
//! …
//! [Result "1-0"]
//! p1      roll
//! chance  +7
//! p1      hold  ; value -12.5, 1000 nodes
//! ```
//!
//! A game outside a match has an additional tag, `Dice`, which says where its throws come from.

use crate::budget::Budgets;
use crate::contest::{Contest, Identity, NoContest};
use crate::play::{Event, Played, Setting};
use crate::terms::{Finish, Terms};
use astragal_catalog::game;
use astragal_core::{Clock, Sampler, Turn, unit};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The source of the throws of a recorded game.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dice {
    /// A match: determined by its seed, the pair, the turn and the throw within the turn.
    #[default]
    Match,
    /// A single game: determined by its seed and the number of events before the throw, see [`single_throw`].
    Single,
    /// Real dice, whose outcomes were entered.
    Entered,
}

impl Dice {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Match, "match"), (Self::Single, "single"), (Self::Entered, "entered")];

    fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(dice, _)| *dice == self).map_or("", |(_, name)| name)
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == name).map(|(dice, _)| dice)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_match(&self) -> bool {
        *self == Self::Match
    }
}

/// The number in [0, 1) for the throw after this many events of a single game. Taking moves back does not
/// change it.
#[must_use]
pub fn single_throw(seed: u64, events: usize) -> f64 {
    unit(Sampler::new(seed).draw(events as u64 + 1, 0, 0))
}

/// A recorded game.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The game.
    pub game: String,
    /// The initial position.
    pub start: String,
    /// Players 1 and 2.
    pub players: [String; 2],
    /// The budget per decision, or those of players 1 and 2.
    pub budget: String,
    /// Number of random decisions in the opening.
    pub opening: u32,
    /// Whether the first engine of the match got as many nodes as the second visited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub match_nodes: bool,
    /// The third player that finished the game, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
    /// The seed of the match, or of the single game.
    pub seed: u64,
    /// The source of the throws.
    #[serde(default, skip_serializing_if = "Dice::is_match")]
    pub dice: Dice,
    /// The number of the pair.
    pub pair: u64,
    /// 1 or 2: which game of the pair.
    pub number: u32,
    /// The payoff; none if the game was broken off.
    pub payoff: Option<f64>,
    /// The score of player 1.
    pub score: f64,
    /// All events, in order.
    pub events: Vec<EventRow>,
}

/// An event of a recorded game.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EventRow {
    /// The outcome, if the event is a throw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The player, 1 or 2, if the event is an action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<u32>,
    /// The action, if the event is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The engine's value of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// States visited by its search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// The records of both games of a pair.
///
/// # Panics
/// If the games are not of this match.
#[must_use]
pub fn records(contest: &Contest, pair: u64, games: &[Played; 2]) -> [Record; 2] {
    let Identity { game: spec, engines, terms, seed, .. } = contest.identity();
    let start = contest.start_of(pair).text();
    [0, 1].map(|number: usize| {
        let played = &games[number];
        let mut players = engines.clone();
        let mut budgets = contest.budgets();
        if number == 1 {
            players.swap(0, 1);
            budgets = budgets.swapped();
        }
        let mut at = contest.game().read(&start).expect("the start of the match");
        let mut events = Vec::new();
        for event in &played.events {
            let none = EventRow { outcome: None, player: None, action: None, value: None, nodes: None };
            match event {
                Event::Outcome { text } => {
                    at = at.resolve(text).expect("an outcome of this game");
                    events.push(EventRow { outcome: Some(text.clone()), ..none });
                }
                Event::Action { text, value, nodes } => {
                    let Turn::Decide(player) = at.turn() else { panic!("contract: nobody decides here") };
                    at = at.act(text).expect("an action of this game");
                    events.push(EventRow {
                        player: Some(player.index() as u32 + 1),
                        action: Some(text.clone()),
                        value: *value,
                        nodes: value.map(|_| *nodes),
                        ..none
                    });
                }
            }
        }
        Record {
            game: spec.clone(),
            start: start.clone(),
            players,
            budget: budgets.text(),
            opening: terms.opening,
            match_nodes: terms.match_nodes,
            finish: terms.finish.clone(),
            seed,
            dice: Dice::Match,
            pair,
            number: number as u32 + 1,
            payoff: played.payoff,
            score: played.score,
            events,
        }
    })
}

impl Record {
    /// The result: `1-0`, `0-1`, `1/2-1/2`, or `*` if the game was broken off as too long.
    #[must_use]
    pub fn result(&self) -> &'static str {
        match self.payoff {
            _ if self.score > 0.5 => "1-0",
            _ if self.score < 0.5 => "0-1",
            None => "*",
            Some(_) => "1/2-1/2",
        }
    }

    /// The record as readable text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let payoff = self.payoff.map_or("none".into(), |payoff| payoff.to_string());
        let tags = [
            ("Game", self.game.clone()),
            ("Start", self.start.clone()),
            ("Player1", self.players[0].clone()),
            ("Player2", self.players[1].clone()),
            ("Budget", self.budget.clone()),
            ("Opening", self.opening.to_string()),
            ("Seed", self.seed.to_string()),
            ("Pair", self.pair.to_string()),
            ("Number", self.number.to_string()),
            ("Payoff", payoff),
            ("Result", self.result().into()),
        ];
        for (tag, value) in tags {
            let _ = writeln!(out, "[{tag} {value:?}]");
        }
        if self.match_nodes {
            let _ = writeln!(out, "[MatchNodes \"yes\"]");
        }
        if let Some(finish) = &self.finish {
            let _ = writeln!(out, "[Finish {:?}]", finish.to_string());
        }
        if !self.dice.is_match() {
            let _ = writeln!(out, "[Dice {:?}]", self.dice.name());
        }
        for event in &self.events {
            if let Some(outcome) = &event.outcome {
                let _ = writeln!(out, "chance  {outcome}");
            }
            if let (Some(player), Some(action)) = (event.player, &event.action) {
                let _ = write!(out, "p{player}      {action}");
                if let (Some(value), Some(nodes)) = (event.value, event.nodes) {
                    let _ = write!(out, "  ; value {value}, {nodes} nodes");
                }
                out.push('\n');
            }
        }
        out.push('\n');
        out
    }

    /// The record as one line of JSON.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("text and numbers")
    }
}

/// Why the record of a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRecord {
    /// The file ends within the record.
    #[error("the file ends within this game")]
    CutOff,
    /// It is not a record.
    #[error("line {line}: {why}")]
    Malformed {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl NoRecord {
    fn new(line: usize, why: impl Into<String>) -> Self {
        Self::Malformed { line, why: why.into() }
    }
}

/// Parses records, as text or JSON lines, each with the line where it begins. An invalid record does not
/// prevent the others from being read.
#[must_use]
pub fn read(text: &str) -> Vec<(usize, Result<Record, NoRecord>)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end())).peekable();
    while let Some((line, content)) = lines.next() {
        if content.is_empty() {
            continue;
        }
        if content.starts_with('{') {
            let record = serde_json::from_str(content).map_err(|error| {
                if error.is_eof() { NoRecord::CutOff } else { NoRecord::new(line, error.to_string()) }
            });
            found.push((line, record));
            continue;
        }
        let mut block = vec![(line, content)];
        while let Some(next) = lines.next_if(|(_, content)| !content.is_empty()) {
            block.push(next);
        }
        // The empty line after a game marks it as complete.
        let complete = lines.next().is_some();
        found.push((line, if complete { read_text(&block) } else { Err(NoRecord::CutOff) }));
    }
    found
}

/// Parses the lines of one game.
fn read_text(block: &[(usize, &str)]) -> Result<Record, NoRecord> {
    let (first, _) = block[0];
    let mut tags = std::collections::BTreeMap::new();
    let mut events = Vec::new();
    for &(line, content) in block {
        let wrong = |why: &str| NoRecord::new(line, format!("{why}: {}", content.escape_debug()));
        if let Some(tag) = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let (name, value) = tag.split_once(' ').ok_or_else(|| wrong("a tag without a value"))?;
            let value: String = serde_json::from_str(value).map_err(|_| wrong("a tag without quotes"))?;
            if tags.insert(name, value).is_some() {
                return Err(wrong("a tag that was there before"));
            }
            continue;
        }
        let (who, rest) = content.split_once(char::is_whitespace).ok_or_else(|| wrong("not an event"))?;
        let (what, remark) = match rest.split_once("  ; ") {
            Some((what, remark)) => (what.trim(), Some(remark)),
            None => (rest.trim(), None),
        };
        let none = EventRow { outcome: None, player: None, action: None, value: None, nodes: None };
        events.push(match who {
            "chance" => EventRow { outcome: Some(what.into()), ..none },
            "p1" | "p2" => {
                let thought = |remark: &str| -> Option<(f64, u64)> {
                    let (value, nodes) = remark.strip_prefix("value ")?.split_once(", ")?;
                    Some((value.parse().ok()?, nodes.strip_suffix(" nodes")?.parse().ok()?))
                };
                let thought = match remark {
                    Some(remark) => Some(thought(remark).ok_or_else(|| wrong("not a value and nodes"))?),
                    None => None,
                };
                EventRow {
                    player: Some(if who == "p1" { 1 } else { 2 }),
                    action: Some(what.into()),
                    value: thought.map(|(value, _)| value),
                    nodes: thought.map(|(_, nodes)| nodes),
                    ..none
                }
            }
            _ => return Err(wrong("an event is of chance, p1 or p2")),
        });
    }
    let missing = |name: &str| NoRecord::new(first, format!("the tag {name} is missing or wrong"));
    let tag = |name: &str| tags.get(name).cloned().ok_or_else(|| missing(name));
    let number = |name: &str| tag(name)?.parse::<u64>().map_err(|_| missing(name));
    let payoff = tag("Payoff")?;
    let payoff = match payoff.as_str() {
        "none" => None,
        payoff => Some(payoff.parse().map_err(|_| missing("Payoff"))?),
    };
    let score = match tag("Result")?.as_str() {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" | "*" => 0.5,
        _ => return Err(missing("Result")),
    };
    let dice = match tags.get("Dice") {
        Some(name) => Dice::named(name).ok_or_else(|| missing("Dice"))?,
        None => Dice::Match,
    };
    Ok(Record {
        dice,
        game: tag("Game")?,
        start: tag("Start")?,
        players: [tag("Player1")?, tag("Player2")?],
        budget: tag("Budget")?,
        opening: u32::try_from(number("Opening")?).map_err(|_| missing("Opening"))?,
        match_nodes: tags.contains_key("MatchNodes"),
        finish: tags.get("Finish").map(|text| text.parse().map_err(|_| missing("Finish"))).transpose()?,
        seed: number("Seed")?,
        pair: number("Pair")?,
        number: u32::try_from(number("Number")?).map_err(|_| missing("Number"))?,
        payoff,
        score,
        events,
    })
}

/// Verifies a record: every action is legal and made by the player to move, every throw is the one of the
/// seed or, if entered, a possible one, and the result is that of the rules. With `again`, which only match
/// records support, the engines must also repeat every decision.
///
/// # Errors
/// What is wrong, and at which event.
pub fn verify(record: &Record, again: bool) -> Result<(), NoContest> {
    let wrong = |at: usize, why: String| NoContest(format!("event {}: {why}", at + 1));
    let budgets = Budgets::read(&record.budget)
        .ok_or_else(|| NoContest(format!("'{}' is not a budget", record.budget)))?;
    if !(1..=2).contains(&record.number) {
        return Err(NoContest(format!("a pair has no game {}", record.number)));
    }
    let rules = game(&record.game)?;
    let start = rules.read(&record.start)?;
    let setting = Setting {
        game: &*rules,
        start: &*start,
        budgets: budgets.0,
        opening: record.opening,
        seed: record.seed,
        pair: record.pair,
    };
    let mut position = start.duplicate();
    let mut dice = setting.dice();
    // Actions as they are written today: a game may still read other names.
    let mut events = record.events.clone();
    for (at, event) in record.events.iter().enumerate() {
        let found = match (&event.outcome, event.player, &event.action) {
            (Some(outcome), None, None) => {
                let not_now = || wrong(at, "it is not chance's turn".into());
                let (drawn, next) = match record.dice {
                    Dice::Match => {
                        let thrown = dice.throw(&*position).ok_or_else(not_now)?;
                        (thrown.text, thrown.position)
                    }
                    Dice::Single => position.chance(single_throw(record.seed, at)).ok_or_else(not_now)?,
                    Dice::Entered => {
                        let next = position.resolve(outcome).map_err(|error| wrong(at, error.to_string()))?;
                        (outcome.clone(), next)
                    }
                };
                if drawn != *outcome {
                    let why = format!("the throw '{outcome}' is not that of the seed, '{drawn}'");
                    return Err(wrong(at, why));
                }
                next
            }
            (None, Some(player), Some(action)) => {
                match position.turn() {
                    Turn::Decide(turn) if turn.index() as u32 + 1 == player => dice.see(turn),
                    Turn::Decide(turn) => {
                        return Err(wrong(at, format!("it is {}'s turn, not p{player}'s", turn.name())));
                    }
                    _ => return Err(wrong(at, "it is no player's turn".into())),
                }
                let name = position.action_named(action).map_err(|error| wrong(at, error.to_string()))?;
                let next = position.act(&name).map_err(|error| wrong(at, error.to_string()))?;
                events[at].action = Some(name);
                next
            }
            _ => return Err(wrong(at, "neither a throw nor an action".into())),
        };
        position = found;
    }
    let payoff = match position.turn() {
        Turn::Over(payoff) => Some(payoff),
        _ => None,
    };
    if payoff != record.payoff {
        let text =
            |payoff: Option<f64>| payoff.map_or("none: the game is not over".into(), |p| p.to_string());
        let (given, found) = (text(record.payoff), text(payoff));
        return Err(NoContest(format!("the recorded payoff is {given}, but the game's is {found}")));
    }
    if payoff.is_some_and(|payoff| setting.score(payoff) != record.score) {
        return Err(NoContest(format!("the result {} is not that of the payoff", record.result())));
    }
    if again {
        if !record.dice.is_match() {
            return Err(NoContest("only games of a match can be played again".into()));
        }
        let mut engines = [record.players[0].as_str(), record.players[1].as_str()];
        let mut budgets = budgets;
        if record.number == 2 {
            engines.swap(0, 1);
            budgets = budgets.swapped();
        }
        let terms = Terms {
            opening: record.opening,
            match_nodes: record.match_nodes,
            finish: record.finish.clone(),
            ..Terms::default()
        };
        let contest = Contest::new(&record.game, Some(&record.start), engines, budgets, terms, record.seed)?;
        let games = contest.play(record.pair, &mut Clock::start()).expect("nobody stops it");
        let [first, second] = records(&contest, record.pair, &games);
        let played = if record.number == 1 { first } else { second };
        let differs = played.events.iter().zip(&events).position(|(a, b)| a != b);
        if let Some(at) = differs {
            return Err(wrong(at, "played again, the game goes another way".into()));
        }
        if played.events.len() != record.events.len() {
            let at = played.events.len().min(record.events.len());
            return Err(wrong(at, "played again, the game is longer or shorter".into()));
        }
    }
    Ok(())
}
