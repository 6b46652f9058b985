//! External chess engines, through the UCI protocol: a process that receives positions and budgets, and
//! answers with moves.
//!
//! A program that does not start is refused when the engine is built. An engine that does not answer in time,
//! exits, or answers with an illegal move has no move, which its caller treats as giving up. It is restarted
//! for the next search.

use crate::faces::{Analysis, Engine, Position, Twig};
use astragal_core::{
    Budget, EngineInfo, Interval, Kind, Limit, Line, Param, SpecError, Step, Stop, Turn, Values, Watch,
};
use astragal_games::chess::uci::{Answer, go};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// The catalogue entry.
pub(crate) const UCI: EngineInfo = EngineInfo {
    name: "uci",
    help: "an external chess engine that speaks UCI, such as stockfish or \"gnuchess --uci\"",
    source: "the UCI protocol (Meyer-Kahlen & Huber 2000)",
    chance: false,
    game: Some("chess"),
    tree: false,
    budgets: Limit::DEEPENING,
    params: &[
        Param::required("cmd", Kind::Text, "the command with its arguments, separated by spaces"),
        Param::new(
            "options",
            Kind::Text,
            "none",
            "options to set at startup, such as \"Skill Level=0;Hash=16\", or none",
        ),
        Param::new(
            "patience",
            Kind::Int(1, 86_400),
            "60",
            "seconds after which a search is stopped; an engine that does not answer then forfeits the game",
        ),
    ],
};

/// The time limit for answers that need no search.
const PROMPT: Duration = Duration::from_secs(10);
/// The time limit for an answer after `stop`, and the tolerance beyond a time limit.
const GRACE: Duration = Duration::from_secs(2);
/// The interval between polls of the watch.
const POLL: Duration = Duration::from_millis(5);

/// An external engine.
pub(crate) struct Uci {
    spec: String,
    command: Vec<String>,
    options: Vec<(String, String)>,
    patience: Duration,
    /// None if it has failed.
    process: Option<Process>,
    /// The last game as far as it is known: its first position, the moves played, and the current position.
    game: Option<Known>,
}

struct Known {
    start: String,
    moves: Vec<String>,
    now: Box<dyn Position>,
}

impl Uci {
    /// Starts an engine.
    ///
    /// # Errors
    /// If it does not start, does not speak UCI, or does not know an option.
    pub(crate) fn start(spec: String, values: &Values) -> Result<Self, SpecError> {
        let wrong = |why: &str| SpecError(format!("uci: {why}"));
        let command: Vec<String> = values.text("cmd").split_whitespace().map(str::to_owned).collect();
        if command.is_empty() {
            return Err(wrong("cmd is empty"));
        }
        let mut options = Vec::new();
        for option in values.text("options").split(';').filter(|_| values.text("options") != "none") {
            let Some((name, value)) = option.split_once('=') else {
                let option = option.escape_debug();
                return Err(wrong(&format!("'{option}' is not an option such as Skill Level=0")));
            };
            options.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        let patience = Duration::from_secs(values.int("patience"));
        let process = Process::start(&command, &options).map_err(|why| wrong(&why))?;
        Ok(Self { spec, command, options, patience, process: Some(process), game: None })
    }

    /// The `position` command for a position. It includes the moves of the game so far, so that the engine
    /// detects repetitions.
    fn told(&mut self, position: &dyn Position) -> String {
        let text = position.text();
        let reply = self.game.as_ref().and_then(|known| {
            let mut replies = known.now.actions().into_iter();
            replies.find(|reply| known.now.act(reply).is_ok_and(|after| after.text() == text))
        });
        match (&mut self.game, reply) {
            (Some(known), Some(reply)) => {
                known.moves.extend(known.now.plainly(&reply));
                known.now = position.duplicate();
            }
            (known, _) => {
                // The game's own fields follow the six of a FEN.
                let start = text.split(' ').take(6).collect::<Vec<_>>().join(" ");
                *known = Some(Known { start, moves: Vec::new(), now: position.duplicate() });
            }
        }
        let known = self.game.as_ref().expect("it was set");
        let moves = if known.moves.is_empty() { "" } else { " moves " };
        format!("position fen {}{moves}{}", known.start, known.moves.join(" "))
    }

    /// Requests a move. None if there is no answer in time.
    fn ask(&mut self, told: &str, budget: &Budget, watch: &mut dyn Watch) -> Option<(Answer, Stop)> {
        if self.process.is_none() {
            self.process = Process::start(&self.command, &self.options).ok();
        }
        let process = self.process.as_mut()?;
        process.say(told).ok()?;
        process.say(&go(budget)).ok()?;
        let (start, mut answer) = (Instant::now(), Answer::default());
        let patience = budget.time.map_or(self.patience, |time| self.patience.min(time + GRACE));
        let mut stopped: Option<(Instant, Stop)> = None;
        loop {
            match process.lines.recv_timeout(POLL) {
                Ok(line) if answer.hear(&line) => {
                    let limit = if budget.time.is_some() { Stop::Time } else { Stop::Depth };
                    return Some((answer, stopped.map_or(limit, |(_, why)| why)));
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
            // Reached whether the engine is silent or keeps talking.
            let why = if watch.cancelled() { Stop::Cancelled } else { Stop::Time };
            match stopped {
                None if why == Stop::Cancelled || start.elapsed() > patience => {
                    process.say("stop").ok()?;
                    stopped = Some((Instant::now(), why));
                }
                Some((when, _)) if when.elapsed() > GRACE => return None,
                _ => {}
            }
        }
    }
}

impl Engine for Uci {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn info(&self) -> &'static EngineInfo {
        &UCI
    }

    fn heeds(&self) -> &'static [Limit] {
        Limit::DEEPENING
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn analyze(
        &mut self,
        position: &dyn Position,
        _seed: u64,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Analysis {
        let mut analysis = Analysis::unsearched(0.0, Stop::Complete);
        let player = match position.turn() {
            Turn::Decide(player) => player,
            Turn::Over(payoff) => return Analysis { value: payoff, ..analysis },
            Turn::Chance => unreachable!("chess has no chance"),
        };
        let told = self.told(position);
        let Some((answer, stop)) = self.ask(&told, budget, watch) else {
            // Whatever went wrong, this process is not used again.
            self.process = None;
            let stop = if watch.cancelled() { Stop::Cancelled } else { Stop::Time };
            return Analysis { stop, ..analysis };
        };
        let actions = position.actions();
        analysis.value = player.sign() * answer.value;
        analysis.depth = answer.depth;
        analysis.counts.nodes = answer.nodes;
        analysis.stop = stop;
        let line = |action: &String| Line::new(action.clone(), analysis.value, Interval::WHOLE, 0);
        analysis.lines = actions.iter().map(line).collect();
        let mut now = position.duplicate();
        for word in answer.line() {
            let Some(action) = named(&*now, &word) else { break };
            now = now.act(&action).expect("it is legal");
            analysis.pv.push(Step::Action(action));
        }
        analysis.best = analysis.pv.first().map(|step| step.inner().clone());
        analysis.tied.extend(analysis.best.clone());
        if let (Some(best), Some(known)) = (&analysis.best, &mut self.game) {
            known.moves.extend(position.plainly(best));
            known.now = position.act(best).expect("it is legal");
        }
        analysis
    }

    fn tree(&self, _depth: u32, _visits: u64) -> Option<Twig> {
        None
    }
}

/// The legal action that other programs write this way, if any.
fn named(position: &dyn Position, word: &str) -> Option<String> {
    let actions = position.actions();
    actions.into_iter().find(|action| position.plainly(action).is_some_and(|plain| plain == word))
}

/// A running engine.
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    fn start(command: &[String], options: &[(String, String)]) -> Result<Self, String> {
        let name = command.join(" ");
        let name = name.escape_debug();
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("'{name}' does not start: {error}"))?;
        let input = child.stdin.take().expect("it was asked for");
        let output = BufReader::new(child.stdout.take().expect("it was asked for"));
        // The bounded channel blocks a program that writes faster than it is read.
        let (send, lines) = sync_channel(1024);
        let listen = move || {
            // Output that is not text is no answer.
            output.lines().map_while(Result::ok).all(|line| send.send(line).is_ok());
        };
        let mut process = Self { child, input, lines };
        std::thread::Builder::new()
            .spawn(listen)
            .map_err(|error| format!("cannot start a thread to read from '{name}': {error}"))?;
        let silent = |_| format!("'{name}' does not answer as a UCI engine does");
        process.say("uci").map_err(silent)?;
        let mut known = Vec::new();
        process
            .wait_for("uciok", |line| {
                let name = line.strip_prefix("option name ").and_then(|rest| rest.split(" type ").next());
                known.extend(name.map(|name| name.trim().to_owned()));
            })
            .map_err(silent)?;
        for (option, value) in options {
            if !known.iter().any(|known| known.eq_ignore_ascii_case(option)) {
                let names = known.join(", ");
                return Err(format!("'{name}' has no option '{}'; it has {names}", option.escape_debug()));
            }
            process.say(&format!("setoption name {option} value {value}")).map_err(silent)?;
        }
        process.say("ucinewgame").map_err(silent)?;
        process.say("isready").map_err(silent)?;
        process.wait_for("readyok", |_| {}).map_err(silent)?;
        Ok(process)
    }

    fn say(&mut self, line: &str) -> Result<(), Silent> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| Silent)
    }

    /// Waits for a line, and passes the lines before it to `hear`.
    fn wait_for(&mut self, last: &str, mut hear: impl FnMut(&str)) -> Result<(), Silent> {
        let start = Instant::now();
        while start.elapsed() < PROMPT {
            let line = self.lines.recv_timeout(PROMPT.saturating_sub(start.elapsed())).map_err(|_| Silent)?;
            if line.trim() == last {
                return Ok(());
            }
            hear(line.trim());
        }
        Err(Silent)
    }
}

/// The engine does not answer.
struct Silent;

/// Asks the engine to quit, and kills it if it does not.
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let start = Instant::now();
        while start.elapsed() < GRACE / 4 {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(POLL),
                _ => return,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
