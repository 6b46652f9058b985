//! `astragal play`: a game in the terminal.

mod matching;
mod orders;
mod prompt;
mod worth;

use super::analyze::words;
use super::{STRONGEST, find, no_answer, with_all_lines};
use crate::args::{Limits, Place};
use crate::failure::Failure;
use crate::interrupt::{self, Interruptible};
use crate::page::render;
use crate::print::{BOLD, DIM, columns, count, picture, result, signed, styled, without_minus_zero};
use crate::watch::ShownClock;
use crate::wrap::{glued, width, wrap};
use astragal_arena::budget::budget_for;
use astragal_arena::play::Setting;
use astragal_arena::record::{Dice, EventRow, Record, single_throw};
use astragal_catalog::{
    Analysis, AnyGame, Engine, Position, Spec, SpecError, brief_engine, brief_game, engine_info,
};
use astragal_core::{Budget, Line, Player, Stop, Turn};
use matching::plain;
use orders::{Order, Said, interpret};
use prompt::{Prompt, Typed};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use unicode_width::UnicodeWidthStr;
use worth::Worth;

/// Play a game in the terminal against an engine or a friend, or watch two engines.
///
/// Type an action, or any part of it that identifies one: `diag` for `3 diagonal`. `?` gives a hint, `moves`
/// lists the actions, `opinion` shows the value of every action, `undo` takes back your last action, `rules`
/// explains the game, `help` lists all commands. If there is only one action, it is played by itself. Values
/// are shown from your side. The dice depend only on the seed and the move number, so taking back does
/// not change them. An engine thinks for 500 ms about each decision, unless a limit is given here or in its
/// spec, as in star2(depth=3).
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Who plays first: `human`, or an engine spec.
    #[arg(long, value_name = "WHO", default_value = "human")]
    pub(crate) p1: String,
    /// Who plays second: `human`, or an engine spec; by default the strongest engine of the game.
    #[arg(long, value_name = "WHO", default_value = STRONGEST)]
    pub(crate) p2: String,
    /// The strength of the second player, from 1 to 8, which is full strength; `astragal engines strongest`
    /// describes each level.
    #[arg(long, value_name = "N", conflicts_with = "p2", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) level: Option<u8>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The seed of the dice and of the engines; by default different in every game.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Where the dice come from.
    #[arg(long, value_enum, default_value_t = DiceFrom::Seed)]
    pub(crate) dice: DiceFrom,
    /// Save the game to a file, which `astragal replay` shows and checks: JSON if it ends in .jsonl,
    /// otherwise text.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// Where the dice of a game come from.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DiceFrom {
    /// Drawn from the seed.
    Seed,
    /// You roll real dice and type what they show, such as 3 4.
    Ask,
}

/// The default thinking time.
const THINK: Duration = Duration::from_millis(500);

/// Columns after a prompt reserved for typing.
const TYPING: usize = 20;

const HELP: &str = "\
Type an action, or any part of it that identifies one: diag for 3 diagonal, 7+10 for pair 7+10.
  ?         hint: what the engine would play
  moves     list the actions, as an empty line does (also: list, actions)
  opinion   the value of every action, best first
  undo      take back your last action (the dice stay the same)
  show      draw the position again
  rules     the rules of the game
  help      this list
  quit      leave the game
A colon before a command (:quit, :?) keeps it apart from an action of the same name.";

const HELP_WITH_DICE: &str = "\
When dice are to be rolled, type what they show, such as 3 4, or the outcome, or any part of it that identifies one; ? lists the outcomes with their chances.";

/// What the person at the terminal chose.
enum Word {
    /// An action, or the outcome of a roll.
    Choice(String),
    Undo,
    Quit,
}

/// Who plays one side.
enum Seat {
    Human,
    /// An engine with its budget, and what it is called.
    Engine(Box<dyn Engine>, Budget, String),
}

/// What an engine is called that the user named by this spec: `strongest, level 2`, or the name without
/// parameters, which the head of the game shows.
fn called(spec: &str) -> String {
    let Ok(Spec { name, args }) = Spec::parse(spec) else { return spec.into() };
    match args.iter().find(|(key, _)| name == STRONGEST && key == "level") {
        Some((_, level)) => format!("{name}, level {level}"),
        None => name,
    }
}

impl Seat {
    /// Whether a budget limits this player.
    fn is_limited(&self) -> bool {
        matches!(self, Self::Engine(engine, ..) if !engine.heeds().is_empty())
    }
}

struct Session<'o> {
    game: Box<dyn AnyGame>,
    seats: [Seat; 2],
    /// The engine that gives advice, built on first use.
    adviser: Option<(Box<dyn Engine>, Budget)>,
    adviser_spec: String,
    budget: Budget,
    seed: u64,
    dice: DiceFrom,
    /// Every position so far, the current one last.
    history: Vec<Box<dyn Position>>,
    /// The events between them.
    events: Vec<EventRow>,
    record: Option<PathBuf>,
    /// Whether the meaning of values has been explained.
    is_explained: bool,
    prompt: Prompt,
    out: &'o mut dyn Write,
}

pub(crate) fn play(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, position) = find(&args.place)?;
    let second = match args.level {
        Some(level) => format!("{STRONGEST}(level={level})"),
        None => args.p2.clone(),
    };
    let (who, budget) = ([args.p1.as_str(), &second], args.limits.budget());
    let seat = |who: &str| -> Result<Seat, Failure> {
        if who == "human" {
            return Ok(Seat::Human);
        }
        let engine = game.engine(who).map_err(|error| SpecError(format!("{error} (or human)")))?;
        engine.check_start(&*position)?;
        // Engines such as `random` take no budget, even if the other player has one.
        let given = if engine.heeds().is_empty() { Budget::default() } else { budget };
        let budget = budget_for(&*engine, given, THINK)?;
        Ok(Seat::Engine(engine, budget, called(who)))
    };
    let seats = [seat(who[0])?, seat(who[1])?];
    let adviser_spec = adviser(&*game, who);
    if !budget.is_unlimited() && !seats.iter().any(Seat::is_limited) {
        if !seats.iter().any(|seat| matches!(seat, Seat::Human)) {
            return Err(Failure::Message("neither player heeds a limit".into()));
        }
        budget_for(&*game.engine(&adviser_spec)?, budget, THINK)
            .map_err(|error| SpecError(format!("limits are for advice alone here: {error}")))?;
    }
    let seed = args.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0, |time| time.subsec_nanos().into())
    });
    let mut session = Session {
        adviser: None,
        adviser_spec,
        budget,
        game,
        seats,
        seed,
        dice: args.dice,
        history: vec![position],
        events: Vec::new(),
        record: args.record.clone(),
        is_explained: false,
        prompt: Prompt::new(),
        out,
    };
    // Check before the game that the file can be written.
    session.save()?;
    session.prepare_for_interrupt();
    session.introduce()?;
    if who.contains(&"human") || args.dice == DiceFrom::Ask {
        let orders = "? hint, moves, opinion, undo, show, rules, help, quit";
        session.say(&styled(DIM, orders), 2)?;
    }
    session.run()
}

/// The spec of the engine that gives advice, with a value for every action: the opponent, if it was named and
/// searches, and otherwise the strongest.
fn adviser(game: &dyn AnyGame, who: [&str; 2]) -> String {
    let thinks = |who: &&str| {
        let info = Spec::parse(who).and_then(|spec| engine_info(&spec.name));
        info.is_ok_and(|info| !info.budgets.is_empty() && info.name != STRONGEST)
    };
    let chosen = who.into_iter().rev().find(thinks).unwrap_or(STRONGEST);
    with_all_lines(game, chosen).unwrap_or_else(|_| chosen.into())
}

impl Session<'_> {
    fn now(&self) -> &dyn Position {
        &**self.history.last().expect("a game has at least its first position")
    }

    /// Prints text, wrapped at words.
    fn say(&mut self, text: &str, indent: usize) -> Result<(), Failure> {
        writeln!(self.out, "{}", wrap(text, width(), indent))?;
        Ok(())
    }

    /// Prints the game, the seed and the players.
    fn introduce(&mut self) -> Result<(), Failure> {
        let spec = brief_game(self.game.spec());
        let mut text = vec![format!("{}  seed {}", styled(BOLD, &spec), self.seed)];
        for (seat, player) in self.seats.iter().zip([Player::Max, Player::Min]) {
            let who = match seat {
                Seat::Human => "human".into(),
                Seat::Engine(engine, _, name) => {
                    let spec = brief_engine(engine.spec(), self.game.spec());
                    if spec == *name { spec } else { format!("{name} ({spec})") }
                }
            };
            text.push(format!("  {}  {who}", player.name()));
        }
        self.say(&text.join("\n"), 6)
    }

    /// A player as messages call him.
    fn name(&self, player: Player) -> String {
        match &self.seats[player.index()] {
            Seat::Human => player.name().into(),
            Seat::Engine(_, _, name) => format!("{} ({name})", player.name()),
        }
    }

    /// The action of the player to act, if there is only one.
    fn only_action(&self) -> Option<(Player, String)> {
        match (self.now().turn(), self.now().actions().as_mut_slice()) {
            (Turn::Decide(player), [only]) => Some((player, std::mem::take(only))),
            _ => None,
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        self.draw()?;
        // Whatever engines and dice do, an interrupt is handled between two moves.
        let mut work = Interruptible::start();
        loop {
            self.prepare_for_interrupt();
            if work.is_stopped() {
                return Err(self.interrupted());
            }
            let turn = self.now().turn();
            let word = match turn {
                Turn::Over(payoff) => {
                    writeln!(self.out, "{}", styled(BOLD, &result(payoff, self.game.range())))?;
                    return self.say_recorded();
                }
                Turn::Chance if self.dice == DiceFrom::Seed => {
                    self.roll()?;
                    continue;
                }
                Turn::Decide(_) if let Some((player, only)) = self.only_action() => {
                    let (name, action) = (self.name(player), styled(BOLD, &only));
                    self.say(&format!("{name} plays {action} (the only action)"), 2)?;
                    self.act(&only, None)?;
                    continue;
                }
                Turn::Decide(player) if matches!(self.seats[player.index()], Seat::Engine(..)) => {
                    self.think(player)?;
                    continue;
                }
                _ => {
                    drop(work);
                    let word = self.listen()?;
                    work = Interruptible::start();
                    word
                }
            };
            match word {
                Word::Choice(outcome) if turn == Turn::Chance => {
                    let next = self.now().resolve(&outcome)?;
                    self.rolled(outcome, next)?;
                }
                Word::Choice(action) => self.act(&action, None)?,
                Word::Undo => self.undo()?,
                Word::Quit => return self.leave(),
            }
        }
    }

    /// The position in which the game is left, so that it can be continued.
    fn left(&self) -> String {
        format!("The game is left at {}", self.now().text())
    }

    fn leave(&mut self) -> Result<(), Failure> {
        // On one line, however long, so that the position can be copied.
        writeln!(self.out, "{}", self.left())?;
        self.say_recorded()
    }

    fn interrupted(&mut self) -> Failure {
        interrupt::begin_to_leave();
        // This fails only if the terminal is closed.
        let _ = self.leave();
        Failure::Interrupted
    }

    /// Sets the last words, because an interrupt may end the process immediately. The record is already
    /// written by then.
    fn prepare_for_interrupt(&self) {
        let words = self.left();
        interrupt::set_last_words(move || {
            let _ = writeln!(std::io::stdout(), "\n{words}");
        });
    }

    fn say_recorded(&mut self) -> Result<(), Failure> {
        if let Some(file) = &self.record {
            writeln!(self.out, "The game is recorded in {}", file.display())?;
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let drawing = self.now().picture();
        writeln!(self.out, "\n{}\n", picture(&drawing))?;
        Ok(())
    }

    /// Advances to the next position.
    fn advance(&mut self, event: EventRow, next: Box<dyn Position>) -> Result<(), Failure> {
        let before = self.now().picture();
        self.events.push(event);
        self.history.push(next);
        self.save()?;
        // A position with chance to act is not drawn, only the one after the roll; but whoever rolls real
        // dice sees what has changed first.
        let is_drawn = match (self.now().turn(), self.dice) {
            (Turn::Chance, DiceFrom::Seed) => false,
            (Turn::Chance, DiceFrom::Ask) => self.now().picture() != before,
            _ => true,
        };
        if is_drawn { self.draw() } else { Ok(()) }
    }

    /// Rewrites the record. It is kept up to date, so it is complete however the game ends.
    fn save(&self) -> Result<(), Failure> {
        let Some(file) = &self.record else { return Ok(()) };
        let name = |seat: &Seat| match seat {
            Seat::Human => "human".to_string(),
            Seat::Engine(engine, ..) => engine.spec().into(),
        };
        let budget = self.seats.iter().find_map(|seat| match seat {
            Seat::Engine(engine, budget, _) if !engine.info().budgets.is_empty() => Some(*budget),
            _ => None,
        });
        let setting = Setting {
            game: &*self.game,
            start: &*self.history[0],
            budgets: [Budget::default(); 2],
            opening: 0,
            seed: self.seed,
            pair: 0,
        };
        let payoff = match self.now().turn() {
            Turn::Over(payoff) => Some(payoff),
            _ => None,
        };
        let record = Record {
            game: self.game.spec().into(),
            start: self.history[0].text(),
            players: [name(&self.seats[0]), name(&self.seats[1])],
            budget: budget.unwrap_or_default().to_string(),
            opening: 0,
            match_nodes: false,
            finish: None,
            seed: self.seed,
            dice: if self.dice == DiceFrom::Ask { Dice::Entered } else { Dice::Single },
            pair: 0,
            number: 1,
            payoff,
            score: payoff.map_or(0.5, |payoff| setting.score(payoff)),
            events: self.events.clone(),
        };
        let is_json = file.extension().is_some_and(|ending| ending == "jsonl");
        let text = if is_json { record.json() + "\n" } else { record.text() };
        Ok(astragal_store::file::write(file, text.as_bytes())?)
    }

    /// Lets chance act. The random number depends only on the seed and the number of events so far.
    fn roll(&mut self) -> Result<(), Failure> {
        let number = single_throw(self.seed, self.events.len());
        let (outcome, next) = self.now().chance(number).expect("it is chance's turn");
        self.rolled(outcome, next)
    }

    fn rolled(&mut self, outcome: String, next: Box<dyn Position>) -> Result<(), Failure> {
        let remark = self.now().remark(&outcome).map_or(String::new(), |remark| format!("  {remark}"));
        self.say(&format!("  chance: {}{remark}", styled(BOLD, &outcome)), 10)?;
        self.advance(EventRow { outcome: Some(outcome), ..NO_EVENT }, next)
    }

    /// Plays an action of the player to move. `thought` is an engine's value of the position, and its nodes.
    fn act(&mut self, action: &str, thought: Option<(f64, u64)>) -> Result<(), Failure> {
        let Turn::Decide(player) = self.now().turn() else { unreachable!("a player acts") };
        let next = self.now().act(action)?;
        let event = EventRow {
            player: Some(player.index() as u32 + 1),
            action: Some(action.into()),
            value: thought.map(|(value, _)| value),
            nodes: thought.map(|(_, nodes)| nodes),
            ..NO_EVENT
        };
        self.advance(event, next)
    }

    /// Lets the engine of a player act.
    fn think(&mut self, player: Player) -> Result<(), Failure> {
        let position = self.now().duplicate();
        let seed = self.seed ^ self.history.len() as u64;
        let who = self.name(player);
        let what = format!("{who} is thinking");
        let Seat::Engine(engine, budget, _) = &mut self.seats[player.index()] else {
            unreachable!("only engines think");
        };
        let name = engine.info().name;
        let analysis =
            engine.analyze(&*position, seed, budget, &mut ShownClock::thinking(what, position.actions()));
        if analysis.stop == Stop::Cancelled {
            return Err(self.interrupted());
        }
        let Some(best) = analysis.best.as_ref() else { return Err(no_answer(name)) };
        // A rule-based engine has no opinion.
        let thinks = !analysis.lines.is_empty() && analysis.depth > 0;
        let spec = engine.spec().to_string();
        let opinion = if thinks {
            format!("{}  depth {}", self.worth(player, &spec, &analysis), analysis.depth)
        } else {
            String::new()
        };
        self.say(&format!("{who} plays {}  {}", styled(BOLD, best), styled(DIM, &opinion)), 2)?;
        self.act(best, thinks.then_some((analysis.value, analysis.counts.nodes)))
    }

    /// How the values of an engine's search are shown when a player is to act: from that player's side if
    /// human, otherwise from the other's if human, otherwise from player 1's.
    fn view(&self, player: Player, engine: &str, analysis: &Analysis) -> Worth {
        let is_human = |player: Player| matches!(self.seats[player.index()], Seat::Human);
        let viewer = match (is_human(player), is_human(player.other())) {
            (true, _) => player,
            (false, true) => player.other(),
            (false, false) => Player::Max,
        };
        Worth::new(&*self.game, (engine, analysis), player, viewer, is_human(viewer))
    }

    /// The value of an engine's search as text; the first one is explained.
    fn worth(&mut self, player: Player, engine: &str, analysis: &Analysis) -> String {
        let (view, value) = (self.view(player, engine, analysis), analysis.value);
        let is_explained = std::mem::replace(&mut self.is_explained, true);
        without_minus_zero(&if is_explained { view.short(value) } else { view.long(value) })
    }

    /// The player whose dice are to be rolled. Where a game begins with a roll, players roll before they
    /// decide; elsewhere they roll because they decided to.
    fn thrower(&self) -> Option<Player> {
        let throws_first = self.game.start().turn() == Turn::Chance;
        let last = self.events.iter().rev().find_map(|event| event.player);
        match last.filter(|_| !throws_first) {
            Some(number) => Some(if number == 1 { Player::Max } else { Player::Min }),
            None => self.now().prospects()?.owner,
        }
    }

    /// Prompts the person at the terminal until there is something to do.
    fn listen(&mut self) -> Result<Word, Failure> {
        loop {
            // An interrupt may have come while the adviser answered too quickly to notice it.
            if interrupt::has_come() {
                return Err(self.interrupted());
            }
            let turn = self.now().turn();
            let (who, names, kind): (String, Vec<String>, _) = match turn {
                Turn::Decide(player) => (player.name().into(), self.now().actions(), "actions"),
                _ => {
                    let who =
                        self.thrower().map_or("dice".into(), |player| format!("{}'s dice", player.name()));
                    (who, self.now().outcomes().into_iter().map(|o| o.item).collect(), "outcomes")
                }
            };
            let list = names.iter().map(|name| glued(name)).collect::<Vec<_>>().join(" · ");
            let fits = list.width() + TYPING <= width() + 1;
            let choices =
                if fits { join(&names) } else { format!("{} {kind}, Enter lists them", names.len()) };
            let line = match self.prompt.read(&format!("{who} [{choices}] > "), self.out)? {
                Typed::Line(line) => line,
                Typed::End => return Ok(Word::Quit),
                Typed::Interrupt => return Err(self.interrupted()),
            };
            // Dice as people say them, unless that is the name of an outcome.
            if !names.iter().any(|name| name == line.trim()) {
                match self.now().spoken_outcome(&line) {
                    Some(Ok(outcome)) => return Ok(Word::Choice(outcome)),
                    Some(Err(why)) => {
                        self.say(&format!("'{}' is not possible here: {why}.", line.trim()), 2)?;
                        continue;
                    }
                    None => {}
                }
            }
            match interpret(&line, &names) {
                Said::Choice(name) => return Ok(Word::Choice(name.into())),
                Said::Order(Order::Undo) => return Ok(Word::Undo),
                Said::Order(Order::Quit) => return Ok(Word::Quit),
                Said::Order(Order::Show) => self.draw()?,
                Said::Order(Order::Help) => {
                    for line in HELP.lines() {
                        self.say(line, if line.starts_with(' ') { 12 } else { 0 })?;
                    }
                    if self.dice == DiceFrom::Ask {
                        self.say(HELP_WITH_DICE, 0)?;
                    }
                }
                Said::Order(Order::Rules) => {
                    let page = render(self.game.info().rules, Some(&*self.game), width());
                    let page = if page.is_empty() { "This game has no page of rules.\n" } else { &page };
                    write!(self.out, "{page}")?;
                }
                Said::Order(Order::List) => self.say(&format!("The {kind} are: {list}"), 2)?,
                Said::Order(order) => match (turn, order) {
                    (Turn::Decide(player), Order::Hint) => self.hint(player)?,
                    (Turn::Decide(player), _) => self.opinion(player)?,
                    _ => self.list_outcomes()?,
                },
                Said::Unclear(all) => {
                    let all: Vec<String> = all.into_iter().map(glued).collect();
                    self.say(&format!("That could be {}.", all.join(" or ")), 2)?;
                }
                Said::NoOrder => self.say("There is no such command; help lists them.", 2)?,
                // An empty line asks for the choices.
                Said::Nothing if line.trim().is_empty() => {
                    if !fits {
                        self.say(&format!("The {kind} are: {list}"), 2)?;
                    }
                }
                Said::Nothing => {
                    // It may be an action in another notation.
                    if let Ok(name) = self.now().action_named(&line) {
                        return Ok(Word::Choice(name));
                    }
                    let word = line.trim();
                    let reason =
                        self.now().why_not(&plain(word)).map_or(String::new(), |why| format!(": {why}"));
                    let word = word.escape_debug();
                    let what =
                        format!("'{word}' is not possible here{reason}. The {kind} are: {list}; or help.");
                    self.say(&what, 2)?;
                }
            }
        }
    }

    fn list_outcomes(&mut self) -> Result<(), Failure> {
        let rows = self.now().outcomes().into_iter().map(|outcome| {
            let remark = self.now().remark(&outcome.item).unwrap_or_default();
            vec![format!("  {}", outcome.item), format!("{:.2} %", 100.0 * outcome.weight), remark]
        });
        let table = columns(&[], &[1], rows.collect::<Vec<_>>());
        write!(self.out, "{table}")?;
        Ok(())
    }

    /// The adviser's search of the current position, and its complete spec.
    fn advise(&mut self) -> Result<(String, Analysis), Failure> {
        if self.adviser.is_none() {
            let engine = self.game.engine(&self.adviser_spec)?;
            let budget = budget_for(&*engine, self.budget, THINK)?;
            self.adviser = Some((engine, budget));
        }
        let position = self.now().duplicate();
        let (engine, budget) = self.adviser.as_mut().expect("just built");
        let (spec, what) = (engine.spec().to_string(), format!("{} is thinking", engine.info().name));
        let mut clock = ShownClock::thinking(what, position.actions());
        let analysis = engine.analyze(&*position, self.seed, budget, &mut clock);
        drop(clock);
        if analysis.stop == Stop::Cancelled { Err(self.interrupted()) } else { Ok((spec, analysis)) }
    }

    fn hint(&mut self, player: Player) -> Result<(), Failure> {
        let (engine, analysis) = self.advise()?;
        let best = analysis.best.as_deref().unwrap_or("nothing");
        let reason = format!("{}  depth {}", self.worth(player, &engine, &analysis), analysis.depth);
        self.say(&format!("I would play {}.  {}", styled(BOLD, best), styled(DIM, &reason)), 2)
    }

    /// Prints every action with its value from the person's side, best first.
    fn opinion(&mut self, player: Player) -> Result<(), Failure> {
        let (engine, analysis) = self.advise()?;
        let worth = self.worth(player, &engine, &analysis);
        self.say(&format!("{worth}  {}", styled(DIM, &format!("depth {}", analysis.depth))), 2)?;
        let view = self.view(player, &engine, &analysis);
        let mut lines: Vec<&Line<String>> = analysis.lines.iter().collect();
        lines.sort_by(|a, b| (player.sign() * b.value).total_cmp(&(player.sign() * a.value)));
        let rows = lines.into_iter().map(|line| {
            let mark = if analysis.tied.contains(&line.action) { "*" } else { " " };
            let mut value = signed(view.seen(line.value), 2);
            if let Some(error) = line.error {
                value += &format!(" ± {error:.2}");
            } else if line.bounds.lo != line.bounds.hi && line.deviation.is_none() {
                // The search was too short for a value.
                value = "?".into();
            }
            let row = vec![format!("{mark} {}", line.action), value, view.cell(line.value)];
            [row, vec![count(line.visits)]].concat()
        });
        let header = ["  action", "value", view.heading(), "visits"];
        write!(self.out, "{}", columns(&header, &[1, 2, 3], rows))?;
        if !analysis.pv.is_empty() {
            let line = words(&analysis).iter().map(|word| glued(word)).collect::<Vec<_>>().join(" · ");
            self.say(&format!("line: {line}"), 2)?;
        }
        Ok(())
    }

    /// Goes back to the last earlier position in which a person was prompted.
    fn undo(&mut self) -> Result<(), Failure> {
        let asked = |position: &dyn Position| match position.turn() {
            Turn::Decide(player) => {
                matches!(self.seats[player.index()], Seat::Human) && position.actions().len() > 1
            }
            Turn::Chance => self.dice == DiceFrom::Ask,
            Turn::Over(_) => false,
        };
        let earlier = self.history[..self.history.len() - 1].iter().rposition(|position| asked(&**position));
        match earlier {
            Some(at) => {
                self.history.truncate(at + 1);
                self.events.truncate(at);
                self.save()?;
                self.draw()
            }
            None => {
                writeln!(self.out, "There is nothing to take back.")?;
                Ok(())
            }
        }
    }
}

const NO_EVENT: EventRow = EventRow { outcome: None, player: None, action: None, value: None, nodes: None };

/// Joins names, which may contain spaces, with a visible separator.
fn join(names: &[String]) -> String {
    names.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_adviser_values_every_action() {
        let pig = astragal_catalog::game("pig").expect("a game of the catalogue");
        assert_eq!(adviser(&*pig, ["human", "star2(probes=2)"]), "star2(probes=2,all_lines=on)");
        assert_eq!(adviser(&*pig, ["human", "star2(all_lines=off)"]), "star2(all_lines=on)");
        let strongest = adviser(&*pig, ["human", "random"]);
        assert!(strongest.starts_with("star2(") && strongest.contains("all_lines=on"), "{strongest}");
        assert_eq!(adviser(&*pig, ["human", "strongest(level=1)"]), strongest);
        assert_eq!(adviser(&*pig, ["mcts", "human"]), "mcts");
        let board = astragal_catalog::game("connect-four").expect("a game of the catalogue");
        let strongest = adviser(&*board, ["human", "strongest"]);
        assert!(strongest.starts_with("alpha-beta(") && strongest.contains("all_lines=on"), "{strongest}");
    }
}
