//! `astragal uci`: the chess engine for any program that speaks the UCI protocol.
//!
//! The main thread reads commands, and another thread searches. Invalid lines change nothing and are answered
//! by an `info string`.

use crate::failure::Failure;
use astragal_catalog::{Analysis, AnyGame, Engine, Position, STRONGEST_CHESS, Spec, engine_info, game};
use astragal_core::{Budget, Counts, News, Player, Turn, Watch};
use astragal_games::chess::hundredths_of_value;
use std::io::{BufRead, Write};
use std::str::SplitWhitespace;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Play chess for another program, using the UCI protocol on standard input and output.
///
/// Give a chess program the command `astragal uci`, or `astragal uci --engine 'uctmax-h'` for an engine other
/// than alpha-beta. The options Hash and Threads set those of the engine, if it has them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The engine: `astragal engines` lists them.
    #[arg(long, value_name = "SPEC", default_value = STRONGEST_CHESS)]
    pub(crate) engine: String,
}

/// Protocol options, the engine parameters they set, and their maximum values.
const OPTIONS: [(&str, &str, u32); 3] =
    [("Hash", "table_mib", 16_384), ("Hash", "memory_mib", 16_384), ("Threads", "threads", 256)];

/// The time reserved for transmitting a move.
const OVERHEAD: Duration = Duration::from_millis(20);

/// The assumed number of moves left in a game.
const MOVES_TO_GO: u32 = 30;

pub(crate) fn serve(args: &Args) -> Result<(), Failure> {
    let chess: Arc<dyn AnyGame> = game("chess")?.into();
    // An alias of another engine does not accept that engine's options.
    let built = chess.engine(&args.engine)?;
    let spec = Spec::parse(&args.engine)?;
    let spec = if spec.name == built.info().name { spec } else { Spec::parse(built.spec())? };
    let position = chess.start();
    let mut session = Session { chess, position, spec, engine: None, search: None };
    for line in std::io::stdin().lock().split(b'\n') {
        if !session.hear(&String::from_utf8_lossy(&line?)) {
            break;
        }
    }
    session.finish();
    Ok(())
}

/// Prints a line. Write errors are ignored: a client that is gone also closes the input, which ends the
/// command.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

struct Session {
    chess: Arc<dyn AnyGame>,
    position: Box<dyn Position>,
    spec: Spec,
    /// None before the first search and during a search.
    engine: Option<Box<dyn Engine>>,
    search: Option<Search>,
}

/// A running search.
struct Search {
    signals: Arc<Signals>,
    thread: JoinHandle<Box<dyn Engine>>,
}

/// The state shared by the reader and a search.
#[derive(Default)]
struct Signals {
    stop: AtomicBool,
    /// Whether the search ponders or is infinite: its clock does not run, and its answer is withheld.
    waits: AtomicBool,
    /// Whether the search has its answer, so that the next command can be handled immediately.
    done: AtomicBool,
    /// When its clock started.
    begun: Mutex<Option<Instant>>,
}

impl Signals {
    fn begin(&self) {
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.waits.store(false, Ordering::SeqCst);
    }

    /// The time used so far.
    fn used(&self) -> Duration {
        if self.waits.load(Ordering::SeqCst) {
            return Duration::ZERO;
        }
        self.begun
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .map_or(Duration::ZERO, |begun| begun.elapsed())
    }
}

impl Session {
    /// Handles a line, and returns whether to continue.
    fn hear(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else { return true };
        if self.search.as_ref().is_some_and(|search| search.signals.done.load(Ordering::SeqCst)) {
            self.finish();
        }
        let done = match command {
            "uci" => {
                self.introduce();
                Ok(())
            }
            "isready" => {
                say("readyok");
                Ok(())
            }
            "debug" | "register" => Ok(()),
            "ucinewgame" => self.idle("ucinewgame").map(|()| self.engine = None),
            "setoption" => self.idle("setoption").and_then(|()| self.set(line)),
            "position" => self.idle("position").and_then(|()| self.set_up(words)),
            "go" => self.idle("go").and_then(|()| self.go(words)),
            "stop" => {
                self.finish();
                Ok(())
            }
            "ponderhit" => match &self.search {
                Some(search) => {
                    search.signals.begin();
                    Ok(())
                }
                None => Err("ponderhit: there is no search".into()),
            },
            "quit" => return false,
            other => Err(format!("unknown command '{}'", other.escape_debug())),
        };
        if let Err(why) = done {
            say(&format!("info string {why}"));
        }
        true
    }

    fn introduce(&self) {
        say(&format!("id name Astragal {}", env!("CARGO_PKG_VERSION")));
        say("id author the Astragal authors");
        let mut said = Vec::new();
        for (name, param, most) in OPTIONS {
            if let Some(value) = self.value_of(param).filter(|_| !said.contains(&name)) {
                say(&format!("option name {name} type spin default {value} min 1 max {most}"));
                said.push(name);
            }
        }
        say("option name Ponder type check default false");
        say("uciok");
    }

    /// The value of an engine parameter, if the engine has it.
    fn value_of(&self, param: &str) -> Option<String> {
        let given = self.spec.args.iter().find(|(key, _)| key == param).map(|(_, value)| value.clone());
        let info = engine_info(&self.spec.name).ok()?;
        let usual = info.params.iter().find(|known| known.name == param)?;
        given.or_else(|| usual.default.map(str::to_owned))
    }

    /// Fails if a search is running.
    fn idle(&self, what: &str) -> Result<(), String> {
        match self.search {
            Some(_) => Err(format!("{what}: there is a search; stop it first")),
            None => Ok(()),
        }
    }

    /// `setoption name N value V`.
    fn set(&mut self, line: &str) -> Result<(), String> {
        let form = || "expected setoption name NAME value VALUE".to_owned();
        let rest = line.trim().strip_prefix("setoption").and_then(|rest| rest.trim().strip_prefix("name "));
        let (name, value) = rest.ok_or_else(form)?.split_once(" value ").ok_or_else(form)?;
        let (name, value) = (name.trim(), value.trim());
        if name.eq_ignore_ascii_case("Ponder") {
            return Ok(());
        }
        let known = OPTIONS
            .iter()
            .find(|(option, param, _)| option.eq_ignore_ascii_case(name) && self.value_of(param).is_some());
        let (_, param, _) = known.ok_or_else(|| format!("unknown option '{}'", name.escape_debug()))?;
        let mut spec = self.spec.clone();
        spec.args.retain(|(key, _)| key != param);
        spec.args.push(((*param).to_owned(), value.to_owned()));
        self.chess.engine(&spec.to_string()).map_err(|error| error.to_string())?;
        (self.spec, self.engine) = (spec, None);
        Ok(())
    }

    /// `position startpos|fen F [moves …]`.
    fn set_up(&mut self, words: SplitWhitespace<'_>) -> Result<(), String> {
        let words: Vec<&str> = words.collect();
        let (place, moves) = match words.iter().position(|word| *word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (&words[..], &[][..]),
        };
        let text = match place {
            ["startpos"] => "startpos".to_owned(),
            ["fen", fen @ ..] => fen.join(" "),
            _ => return Err("expected position startpos or position fen FEN".into()),
        };
        let mut position = self.chess.read(&text).map_err(|error| error.to_string())?;
        for action in moves {
            position = position.act(action).map_err(|error| error.to_string())?;
        }
        self.position = position;
        Ok(())
    }

    /// Starts a search.
    fn go(&mut self, words: SplitWhitespace<'_>) -> Result<(), String> {
        let Turn::Decide(player) = self.position.turn() else {
            say("bestmove (none)");
            return Err("the game is over".into());
        };
        let wanted = Wanted::read(words)?;
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.chess.engine(&self.spec.to_string()).map_err(|error| error.to_string())?,
        };
        // A client that waits for a move needs one even if its limit is not supported.
        let budget = match wanted.budget.check(engine.heeds()) {
            Ok(()) => wanted.budget,
            Err(why) => {
                say(&format!("info string go: {why}; ignored"));
                Budget::default()
            }
        };
        let signals = Arc::new(Signals::default());
        signals.waits.store(wanted.ponder || wanted.infinite, Ordering::SeqCst);
        if !wanted.ponder && !wanted.infinite {
            signals.begin();
        }
        let mut watch = Thinking {
            signals: Arc::clone(&signals),
            start: Instant::now(),
            limit: wanted.time(player),
            position: self.position.duplicate(),
            player,
        };
        let position = self.position.duplicate();
        let run = move || {
            let found = engine.analyze(&*position, 0, &budget, &mut watch);
            let words = conclude(&*position, &found, player, watch.start.elapsed());
            // A pondering or infinite search withholds its answer until it is released.
            while watch.signals.waits.load(Ordering::SeqCst) && !watch.signals.stop.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(2));
            }
            watch.signals.done.store(true, Ordering::SeqCst);
            answer(&words);
            engine
        };
        let thread = Builder::new().spawn(run).map_err(|error| format!("no thread for a search: {error}"))?;
        self.search = Some(Search { signals, thread });
        Ok(())
    }

    /// Ends the search, if there is one.
    fn finish(&mut self) {
        if let Some(Search { signals, thread }) = self.search.take() {
            signals.stop.store(true, Ordering::SeqCst);
            self.engine = thread.join().ok();
        }
    }
}

/// The limits of a `go` command.
#[derive(Debug, Default, PartialEq)]
struct Wanted {
    budget: Budget,
    movetime: Option<u64>,
    /// Milliseconds left for White and Black, and their increments per move.
    left: [Option<u64>; 2],
    gain: [u64; 2],
    moves_to_go: Option<u32>,
    infinite: bool,
    ponder: bool,
}

impl Wanted {
    fn read(mut words: SplitWhitespace<'_>) -> Result<Self, String> {
        let mut wanted = Self::default();
        while let Some(word) = words.next() {
            let mut number = || {
                let text = words.next().unwrap_or_default();
                // A clock may be slightly negative.
                let number: i64 = text.parse().map_err(|_| format!("go: {word} needs a number"))?;
                Ok::<u64, String>(number.max(0).unsigned_abs())
            };
            match word {
                "infinite" => wanted.infinite = true,
                "ponder" => wanted.ponder = true,
                "depth" => wanted.budget.depth = Some(number()?.clamp(1, 1000) as u32),
                "mate" => wanted.budget.depth = Some((2 * number()?).clamp(2, 1000) as u32 - 1),
                "nodes" => wanted.budget.nodes = Some(number()?.max(1)),
                "movetime" => wanted.movetime = Some(number()?),
                "wtime" => wanted.left[0] = Some(number()?),
                "btime" => wanted.left[1] = Some(number()?),
                "winc" => wanted.gain[0] = number()?,
                "binc" => wanted.gain[1] = number()?,
                "movestogo" => wanted.moves_to_go = Some(number()?.clamp(1, 1000) as u32),
                // Unknown words, such as searchmoves and its moves, are ignored.
                _ => {}
            }
        }
        let Self { budget, movetime, left, .. } = wanted;
        wanted.infinite |= budget.is_unlimited() && movetime.is_none() && left == [None; 2];
        Ok(wanted)
    }

    /// The time for this move: a share of the time left, and most of the increment.
    fn time(&self, player: Player) -> Option<Duration> {
        if let Some(time) = self.movetime {
            return Some(Duration::from_millis(time).saturating_sub(OVERHEAD).max(Duration::from_millis(1)));
        }
        // If only one clock is given, it stands for both.
        let left = self.left[player.index()].or(self.left[player.other().index()])?;
        let left = Duration::from_millis(left);
        let gain = Duration::from_millis(self.gain[player.index()]);
        let share = left / self.moves_to_go.unwrap_or(MOVES_TO_GO).min(MOVES_TO_GO) + gain.mul_f64(0.75);
        let most = left.mul_f64(0.8).saturating_sub(OVERHEAD);
        Some(share.min(most).max(Duration::from_millis(1)))
    }
}

/// Watches a search: decides when it ends, and reports its progress.
struct Thinking {
    signals: Arc<Signals>,
    start: Instant,
    limit: Option<Duration>,
    position: Box<dyn Position>,
    player: Player,
}

impl Watch for Thinking {
    fn elapsed(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn cancelled(&mut self) -> bool {
        self.signals.stop.load(Ordering::SeqCst)
            || self.limit.is_some_and(|limit| self.signals.used() >= limit)
    }

    fn news(&mut self, news: News) {
        let News::Depth { depth, value, best, counts } = news else { return };
        let best =
            best.and_then(|at| self.position.actions().get(at).and_then(|best| self.position.plainly(best)));
        let line: Vec<String> = best.into_iter().collect();
        inform(depth, &centipawns(value, self.player), &counts, self.start.elapsed(), &line);
    }
}

/// Reports the result, and returns the line of play.
fn conclude(position: &dyn Position, found: &Analysis, player: Player, time: Duration) -> Vec<String> {
    let mut now = position.duplicate();
    let mut words = Vec::new();
    let line = found.pv.iter().map(|step| step.inner().clone());
    for action in found.best.clone().into_iter().chain(line.skip(1)) {
        let (Some(plain), Ok(after)) = (now.plainly(&action), now.act(&action)) else { break };
        words.push(plain);
        now = after;
    }
    let score = mate(found.value, player, now.turn(), words.len());
    let score = score.unwrap_or_else(|| centipawns(found.value, player));
    inform(found.depth, &score, &found.counts, time, &words);
    words
}

/// Reports the progress of a search.
fn inform(depth: u32, score: &str, counts: &Counts, time: Duration, line: &[String]) {
    let (nodes, milliseconds) = (counts.nodes, time.as_millis());
    let speed = nodes as f64 / time.as_secs_f64().max(1e-6);
    let pv = if line.is_empty() { String::new() } else { format!(" pv {}", line.join(" ")) };
    say(&format!("info depth {depth} score {score} nodes {nodes} nps {speed:.0} time {milliseconds}{pv}"));
}

/// Prints the best move and the expected reply.
fn answer(line: &[String]) {
    match line {
        [] => say("bestmove (none)"),
        [best] => say(&format!("bestmove {best}")),
        [best, ponder, ..] => say(&format!("bestmove {best} ponder {ponder}")),
    }
}

/// A value in hundredths of a pawn, from the side of a player.
fn centipawns(value: f64, player: Player) -> String {
    // Adding 0 turns -0 into 0.
    format!("cp {:.0}", (player.sign() * hundredths_of_value(value)).round() + 0.0)
}

/// The mate score of a line of this many half-moves, in moves of the winner, if the line ends in mate and the
/// value agrees; negative if the player loses.
fn mate(value: f64, player: Player, end: Turn, half_moves: usize) -> Option<String> {
    let Turn::Over(payoff) = end else { return None };
    let sign = if player.prefers(payoff, 0.0) { "" } else { "-" };
    (payoff != 0.0 && payoff == value).then(|| format!("mate {sign}{}", half_moves.div_ceil(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_mates_is_told_in_moves_of_the_winner() {
        let [won, lost] = [Turn::Over(100.0), Turn::Over(-100.0)];
        let told = |value, player, end, half_moves| mate(value, player, end, half_moves);
        assert_eq!(told(100.0, Player::Max, won, 1).as_deref(), Some("mate 1"));
        assert_eq!(told(100.0, Player::Max, won, 5).as_deref(), Some("mate 3"));
        assert_eq!(told(100.0, Player::Min, won, 2).as_deref(), Some("mate -1"));
        assert_eq!(told(-100.0, Player::Min, lost, 3).as_deref(), Some("mate 2"));
        // No mate score for a draw, a line that ends before the mate, or a line with another end.
        assert_eq!(told(0.0, Player::Max, Turn::Over(0.0), 3), None);
        assert_eq!(told(100.0, Player::Max, Turn::Decide(Player::Max), 4), None);
        assert_eq!(told(100.0, Player::Max, lost, 4), None);
    }

    #[test]
    fn nothing_is_worth_minus_nothing() {
        assert_eq!(centipawns(0.0, Player::Max), "cp 0");
        assert_eq!(centipawns(0.0, Player::Min), "cp 0");
        assert_eq!(centipawns(-0.001, Player::Max), "cp 0");
        assert_ne!(centipawns(1.0, Player::Max), centipawns(1.0, Player::Min));
    }

    #[test]
    fn times_are_shared_out() {
        let read = |text: &str| Wanted::read(text.split_whitespace());
        let time = |text: &str, player| read(text).unwrap().time(player).map(|time| time.as_millis());
        assert_eq!(time("wtime 60000 btime 30000", Player::Max), Some(2000));
        assert_eq!(time("wtime 60000 btime 30000", Player::Min), Some(1000));
        assert_eq!(time("wtime 60000 winc 1000", Player::Max), Some(2750));
        assert_eq!(time("wtime 10000 movestogo 5", Player::Max), Some(2000));
        // Never more than the time left.
        assert_eq!(time("wtime 1000 movestogo 1", Player::Max), Some(780));
        assert_eq!(time("wtime -50 btime 9", Player::Max), Some(1));
        assert_eq!(time("movetime 500", Player::Min), Some(480));
        assert_eq!(time("depth 5", Player::Max), None);
        assert!(read("").unwrap().infinite && !read("nodes 5").unwrap().infinite);
        assert_eq!(read("mate 2").unwrap().budget, Budget::depth(3));
        assert_eq!(read("searchmoves e2e4 depth 3").unwrap().budget, Budget::depth(3));
        assert_eq!(time("wtime 60000", Player::Min), Some(2000));
        for wrong in ["depth", "depth x", "wtime 1e3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
