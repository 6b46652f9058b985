//! `astragal play`: a game in the terminal.

use super::analyze::{lines, summary};
use super::{budget_for, find};
use crate::args::Place;
use crate::failure::Failure;
use crate::print::{BOLD, DIM, counted, picture, result, styled, value};
use crate::watch::{Clock, farewell};
use astragal_catalog::{Analysis, AnyGame, Engine, Position, Spec, SpecError, engine_info};
use astragal_core::{Budget, Player, Sampler, Stop, Turn, unit};
use std::io::{BufRead, Write};
use std::time::{Duration, SystemTime};

/// How long an engine thinks if nothing else is said.
const THINK: Duration = Duration::from_millis(500);

/// The engine that is asked for hints when no engine plays that could be asked.
const ADVISER: &str = "star2(all_lines=on)";

const HELP: &str = "\
Type an action, or as much of it as is clear.
  ?         a hint: what the engine would do
  opinion   what the engine thinks of every action
  undo      take back your last action (the dice stay as they are)
  show      draw the position again
  help      this list
  quit      leave the game
A colon before any of these (:quit) keeps it apart from an action of the same name.";

/// A seat at the table.
enum Seat {
    Human,
    Engine(Box<dyn Engine>, Budget),
}

struct Session<'o> {
    game: Box<dyn AnyGame>,
    seats: [Seat; 2],
    adviser: (Box<dyn Engine>, Budget),
    seed: u64,
    /// Every position so far, the present one last.
    history: Vec<Box<dyn Position>>,
    out: &'o mut dyn Write,
}

/// What a human said.
enum Word {
    Act(Box<dyn Position>),
    Undo,
    Quit,
}

pub(crate) fn play(
    place: &Place,
    who: [&str; 2],
    budget: Budget,
    seed: Option<u64>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (game, position) = find(place)?;
    let seat = |who: &str| -> Result<Seat, Failure> {
        if who == "human" {
            return Ok(Seat::Human);
        }
        let engine = game.engine(who).map_err(|error| SpecError(format!("{error} (or human)")))?;
        // `random` and its like need no budget, whatever the other player has.
        let given = if engine.info().budgets.is_empty() { Budget::default() } else { budget };
        let budget = budget_for(&*engine, given, THINK)?;
        Ok(Seat::Engine(engine, budget))
    };
    let seats = [seat(who[0])?, seat(who[1])?];
    // The opponent gives advice, if it is one that thinks.
    let thinks = |who: &&str| {
        let info = Spec::parse(who).and_then(|spec| engine_info(&spec.name));
        info.is_ok_and(|info| !info.budgets.is_empty())
    };
    let adviser = game.engine(who.into_iter().rev().find(thinks).unwrap_or(ADVISER))?;
    let advice = budget_for(&*adviser, Budget { iterations: None, ..budget }, THINK)?;
    let seed = seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0, |time| time.subsec_nanos().into())
    });
    writeln!(out, "{}  seed {seed}", styled(BOLD, game.spec()))?;
    if who.contains(&"human") {
        writeln!(out, "{}", styled(DIM, "? hint, opinion, undo, show, help, quit"))?;
    }
    Session { game, seats, adviser: (adviser, advice), seed, history: vec![position], out }.run()
}

impl Session<'_> {
    fn now(&self) -> &dyn Position {
        &**self.history.last().expect("a game has at least its first position")
    }

    fn run(&mut self) -> Result<(), Failure> {
        self.draw()?;
        loop {
            match self.now().turn() {
                Turn::Over(payoff) => {
                    writeln!(self.out, "{}", styled(BOLD, &result(payoff, self.game.range())))?;
                    return Ok(());
                }
                Turn::Chance => self.roll()?,
                Turn::Decide(player) => {
                    let next = match &self.seats[player.index()] {
                        Seat::Human => match self.listen(player)? {
                            Word::Act(next) => Some(next),
                            Word::Undo => {
                                self.undo()?;
                                continue;
                            }
                            Word::Quit => None,
                        },
                        Seat::Engine(..) => self.think(player)?,
                    };
                    let Some(next) = next else {
                        writeln!(self.out, "{}", self.left())?;
                        return Ok(());
                    };
                    self.history.push(next);
                    // What chance does next is drawn together with the action.
                    if self.now().turn() != Turn::Chance {
                        self.draw()?;
                    }
                }
            }
        }
    }

    /// Where the game is left, so that it can be gone on with.
    fn left(&self) -> String {
        format!("The game is left at {}", self.now().text())
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let drawing = self.now().picture();
        writeln!(self.out, "\n{}\n", picture(&drawing))?;
        Ok(())
    }

    /// Lets chance act. The number depends on the seed and on the place in the game only.
    fn roll(&mut self) -> Result<(), Failure> {
        let bits = Sampler::new(self.seed).draw(self.history.len() as u64, 0, 0);
        let (outcome, next) = self.now().chance(unit(bits)).expect("it is chance's turn");
        let remark = self.now().remark(&outcome).map_or(String::new(), |remark| format!("  {remark}"));
        writeln!(self.out, "  chance: {}{remark}", styled(BOLD, &outcome))?;
        self.history.push(next);
        if self.now().turn() != Turn::Chance {
            self.draw()?;
        }
        Ok(())
    }

    /// Lets the engine of a player act; none if it was interrupted and nobody plays on.
    fn think(&mut self, player: Player) -> Result<Option<Box<dyn Position>>, Failure> {
        let position = self.now().duplicate();
        let seed = self.seed ^ self.history.len() as u64;
        let Seat::Engine(engine, budget) = &mut self.seats[player.index()] else {
            unreachable!("only engines think");
        };
        let analysis = search(&mut **engine, &*position, seed, budget);
        if analysis.stop == Stop::Cancelled && !self.seats.iter().any(|seat| matches!(seat, Seat::Human)) {
            // Nobody is there to go on with it.
            return Ok(None);
        }
        let Seat::Engine(engine, _) = &self.seats[player.index()] else {
            unreachable!("only engines think");
        };
        let best = analysis.best.as_ref().expect("a player is to act");
        // Who follows a rule has no opinion.
        let opinion = match analysis.depth {
            0 => String::new(),
            depth => format!("value {}, depth {depth}", value(analysis.value)),
        };
        writeln!(
            self.out,
            "{} ({}) plays {}  {}",
            player.name(),
            engine.info().name,
            styled(BOLD, best),
            styled(DIM, &opinion),
        )?;
        Ok(Some(position.act(best)?))
    }

    /// Asks a human until there is something to do.
    fn listen(&mut self, player: Player) -> Result<Word, Failure> {
        loop {
            let actions = self.now().actions();
            farewell(self.left());
            write!(self.out, "{} [{}] > ", player.name(), shorten(&actions))?;
            self.out.flush()?;
            let mut line = Vec::new();
            match std::io::stdin().lock().read_until(b'\n', &mut line) {
                Ok(0) => {
                    writeln!(self.out)?;
                    return Ok(Word::Quit);
                }
                Ok(_) => {}
                Err(error) => return Err(Failure::Message(format!("cannot read what you type: {error}"))),
            }
            // Whatever is typed is answered, text or not.
            let line = String::from_utf8_lossy(&line);
            let word = line.trim();
            if word.is_empty() {
                continue;
            }
            if let Ok(next) = self.now().act(word) {
                return Ok(Word::Act(next));
            }
            let (acts, orders) = begun(word, &actions);
            let order = match (&acts[..], &orders[..]) {
                ([action], _) => return Ok(Word::Act(self.now().act(action)?)),
                ([], [order]) => Some(*order),
                _ => None,
            };
            let begun = [acts, orders].concat();
            match order {
                Some("hint") => self.hint()?,
                Some("opinion") => self.opinion()?,
                Some("undo") => return Ok(Word::Undo),
                Some("show") => self.draw()?,
                Some("help") => writeln!(self.out, "{HELP}")?,
                Some(_) => return Ok(Word::Quit),
                None if begun.len() > 1 => {
                    writeln!(self.out, "That could be {}.", begun.join(" or "))?;
                }
                None => {
                    let list = actions.join(", ");
                    let reason = self.now().why_not(word).map_or(String::new(), |why| format!(": {why}"));
                    writeln!(
                        self.out,
                        "'{}' is not possible here{reason}. The actions are: {list}; or help.",
                        word.escape_debug()
                    )?;
                }
            }
        }
    }

    fn advise(&mut self) -> Analysis {
        let position = self.now().duplicate();
        let (engine, budget) = &mut self.adviser;
        search(&mut **engine, &*position, self.seed, budget)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let analysis = self.advise();
        let best = analysis.best.as_deref().unwrap_or("nothing");
        let reason = format!("value {} at depth {}", value(analysis.value), analysis.depth);
        writeln!(self.out, "I would {}.  {}", styled(BOLD, best), styled(DIM, &reason))?;
        Ok(())
    }

    fn opinion(&mut self) -> Result<(), Failure> {
        let analysis = self.advise();
        summary(&analysis, self.out)?;
        lines(&analysis, self.out)?;
        if !analysis.pv.is_empty() {
            writeln!(self.out, "line: {}", analysis.pv.join(" "))?;
        }
        Ok(())
    }

    /// Goes back to the last position but this one in which a human was to act.
    fn undo(&mut self) -> Result<(), Failure> {
        let human = |position: &dyn Position| match position.turn() {
            Turn::Decide(player) => matches!(self.seats[player.index()], Seat::Human),
            _ => false,
        };
        let earlier = self.history[..self.history.len() - 1].iter().rposition(|position| human(&**position));
        match earlier {
            Some(at) => {
                self.history.truncate(at + 1);
                self.draw()
            }
            None => {
                writeln!(self.out, "There is nothing to take back.")?;
                Ok(())
            }
        }
    }
}

/// One search. An interrupt makes the engine decide now.
fn search(engine: &mut dyn Engine, position: &dyn Position, seed: u64, budget: &Budget) -> Analysis {
    engine.analyze(position, seed, budget, &mut Clock::quiet())
}

/// The actions and the commands that begin with a word, case aside. A colon says that a command is meant.
fn begun<'a>(word: &str, actions: &'a [String]) -> (Vec<&'a str>, Vec<&'a str>) {
    if word == "?" {
        return (Vec::new(), vec!["hint"]);
    }
    let (word, command) = (word.trim_start_matches(':').to_lowercase(), word.starts_with(':'));
    let begins = |name: &&str| name.to_lowercase().starts_with(&word);
    let acts = if command { Vec::new() } else { actions.iter().map(String::as_str).filter(begins).collect() };
    (acts, ["hint", "opinion", "undo", "show", "help", "quit"].into_iter().filter(begins).collect())
}

/// A list that fits in a prompt.
fn shorten(actions: &[String]) -> String {
    let list = actions.join(" ");
    if list.chars().count() <= 40 { list } else { counted(actions.len() as u64, "action", "actions") }
}
