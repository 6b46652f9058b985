//! `astragal match`: two engines against each other.

mod recorder;

use crate::args::{CrewArgs, Limits, Place};
use crate::failure::Failure;
use crate::interrupt::Interruptible;
use crate::print::{self, BOLD, DIM, count, counted, styled};
use crate::progress::ProgressLine;
use crate::wrap::{width, wrap};
use astragal_arena::budget::Budgets;
use astragal_arena::contest::{Contest, KIND, PairRow, Standing};
use astragal_arena::record::records;
use astragal_arena::report::{MatchReport, Unplayed, milliseconds};
use astragal_arena::sequential::Trial;
use astragal_arena::terms::{Finish, Terms};
use astragal_arena::work::Work;
use astragal_catalog::{Spec, brief_engine, brief_game, game};
use astragal_core::{Budget, Turn};
use astragal_stats::{Estimate, LEVEL, Pairs, Scale, Sprt, Verdict};
use astragal_store::{Crew, Job, JobId, Store};
use recorder::{Form, Recorder};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Play a match between two engines: pairs of games with the same dice, seats swapped.
///
/// Prints the score of the first engine with its 95 % interval, computed from the variance of pairs; Elo and
/// normalised Elo; the likelihood of superiority; and the score adjusted for luck. Without --depth, --nodes,
/// --iterations or --time an engine has 100 ms for each decision. With a budget in nodes, iterations or
/// depth, the result is the same on every machine and with any number of jobs, except with parallel=tree,
/// multithreaded alpha-beta and external engines.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The first engine, whose score is shown.
    pub(crate) first: String,
    /// The second engine.
    pub(crate) second: String,
    /// Number of pairs of games; with --sprt the maximum.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) pairs: u64,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Budget of the first engine only, such as iterations=1000 or depth=4,time=200ms.
    #[arg(long, value_name = "BUDGET", value_parser = budget)]
    pub(crate) first_budget: Option<Budget>,
    /// Budget of the second engine only.
    #[arg(long, value_name = "BUDGET", value_parser = budget)]
    pub(crate) second_budget: Option<Budget>,
    /// The seed of the dice and of the engines.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Number of random decisions at the start of each pair, for games without dice.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) opening: u32,
    /// Start each pair from a random initial position, in games that have them (kalah, ewn).
    #[arg(long)]
    pub(crate) deal: bool,
    /// Start the pairs from the positions in a file, one per line, cycling through them; EPD for chess.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["deal", "position"])]
    pub(crate) starts: Option<PathBuf>,
    /// At each position, give the first engine as many iterations or nodes as the number of nodes that the
    /// second engine visits there.
    #[arg(long, conflicts_with = "first_budget")]
    pub(crate) match_nodes: bool,
    /// Let a third engine finish the games for both sides: after=14:ENGINE after that many decisions, or
    /// endings=0.003:ENGINE once the ratio of finished games to unfinished states, among the states that the
    /// second engine visits, exceeds that value.
    #[arg(long, value_name = "WHEN:ENGINE")]
    pub(crate) finish: Option<Finish>,
    #[command(flatten)]
    pub(crate) crew: CrewArgs,
    /// Stop as soon as a sequential test (error rates of 5 %) decides between these Elo differences, such as
    /// 0,20.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
    pub(crate) sprt: Option<(f64, f64)>,
    /// Interpret the bounds of the test as normalised Elo.
    #[arg(long, requires = "sprt")]
    pub(crate) normalised: bool,
    /// Write every game to a file: JSON lines if it ends in .jsonl, PGN if it ends in .pgn (chess only),
    /// otherwise text.
    ///
    /// With --store the games are appended to the file. Pairs already in the store are not played again and
    /// therefore not recorded; a line on standard error reports their number.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Keep the results in this file, and resume from those already in it.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses a budget such as `nodes=1000`.
fn budget(text: &str) -> Result<Budget, String> {
    let form =
        || "expected depth=N, nodes=N, iterations=N or time=200ms, several separated by commas".to_string();
    let budget: Budget =
        text.parse().ok().filter(|budget: &Budget| !budget.is_unlimited()).ok_or_else(form)?;
    budget.check_least().map_err(|error| error.to_string())?;
    Ok(budget)
}

/// Whether all pairs of a game without chance start from the same position.
fn is_alike(terms: &Terms) -> bool {
    terms.opening == 0 && !terms.deal && terms.starts.is_empty()
}

/// Reads the positions of a file, one per line. In EPD, operations follow the four fields of a position.
fn starts(file: &Path, spec: &str) -> Result<Vec<String>, Failure> {
    let name = file.display();
    let wrong = |why: &dyn std::fmt::Display| Failure::Message(format!("'{name}': {why}"));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(&error))?;
    let (game, is_chess) = (game(spec)?, Spec::parse(spec)?.name == "chess");
    let position = |(line, number): (&str, u64)| {
        let wrong = |why: &dyn std::fmt::Display| Failure::Message(format!("'{name}', line {number}: {why}"));
        let mut words: Vec<&str> = line.split_whitespace().collect();
        // The two counters of a FEN, if present.
        let counted =
            words.get(4..6).is_some_and(|counts| counts.iter().all(|word| word.parse::<u32>().is_ok()));
        words.truncate(if counted { 6 } else { 4 });
        let text = if is_chess { words.join(" ") } else { line.to_owned() };
        match game.read(&text).map_err(|error| wrong(&error))?.turn() {
            Turn::Over(_) => Err(wrong(&"the game is over there")),
            _ => Ok(text),
        }
    };
    let lines = text.lines().map(str::trim).zip(1..);
    let starts = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')).map(position);
    let starts = starts.collect::<Result<Vec<String>, Failure>>()?;
    if starts.is_empty() { Err(wrong(&"it has no positions")) } else { Ok(starts) }
}

/// Parses two Elo differences.
fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let form = || "expected two numbers such as 0,20, the smaller first".to_string();
    let (low, high) = text.split_once(',').ok_or_else(form)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(form);
    let (low, high) = (number(low)?, number(high)?);
    if low < high { Ok((low, high)) } else { Err(form()) }
}

/// The error rates of the sequential test.
const ERROR: f64 = 0.05;

/// Builds the requested match.
fn contest(args: &Args) -> Result<Contest, Failure> {
    let engines = [args.first.as_str(), &args.second];
    if engines.contains(&"human") {
        return Err(Failure::Message("matches are between engines; people play with astragal play".into()));
    }
    let own = [args.first_budget, args.second_budget];
    let budgets = Budgets::of(engines, args.limits.budget(), own)?;
    let spec = &args.place.game;
    let starts = args.starts.as_deref().map(|file| starts(file, spec)).transpose()?;
    let terms = Terms {
        opening: args.opening,
        deal: args.deal,
        starts: starts.unwrap_or_default(),
        match_nodes: args.match_nodes,
        finish: args.finish.clone(),
    };
    Ok(Contest::new(spec, args.place.position.as_deref(), engines, budgets, terms, args.seed)?)
}

/// Rejects files that cannot be written as requested.
fn check_files(args: &Args, contest: &Contest) -> Result<(), Failure> {
    let Some(record) = &args.record else { return Ok(()) };
    if args.store.as_ref().is_some_and(|store| is_same(record, store)) {
        return Err(Failure::Message("--record and --store are the same file".into()));
    }
    match contest.game().info().name {
        name if name != "chess" && Form::of(record) == Form::Pgn => {
            Err(Failure::Message(format!("PGN is for games of chess, not of {name}; try .jsonl or .txt")))
        }
        _ => Ok(()),
    }
}

/// Reports how many stored pairs of this match are by another revision and do not count.
fn tell_of_others(contest: &Contest, job: JobId, store: &Store) -> Result<(), Failure> {
    let other = |other: &&Job| other.id != job && other.kind == KIND && other.revision().0 == contest.text();
    match store.jobs()?.iter().filter(other).map(|job| job.units).sum() {
        0 => {}
        pairs => {
            let pairs = counted(pairs, "pair", "pairs");
            let words = "of this match by another revision of the program; they are not counted";
            writeln!(io::stderr(), "the store has {pairs} {words}")?;
        }
    }
    Ok(())
}

pub(crate) fn play(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let contest = contest(args)?;
    let scale = if args.normalised { Scale::Normalised } else { Scale::Logistic };
    let sprt = args.sprt.map(|(low, high)| Sprt::new(low, high, scale, ERROR, ERROR)).transpose()?;
    check_files(args, &contest)?;
    let mut store = match &args.store {
        Some(path) => Store::open(path)?,
        None => Store::memory(),
    };
    let mut trial = Trial::new(sprt);
    let job = store.job(contest.kind(), &contest.text())?;
    tell_of_others(&contest, job, &store)?;
    let interruptible = Interruptible::start();
    let mut crew = Crew::new(args.crew.workers(), interruptible.stop(), &mut store);
    trial.resume(&contest, args.pairs, &mut crew)?;
    let stored = trial.played().keys().copied().collect();
    let mut recorder =
        args.record.as_deref().map(|path| Recorder::new(path, args.store.is_some(), stored)).transpose()?;
    let mut line = ProgressLine::start();
    let before = trial.played().len() as u64;
    if before > 0 {
        interruptible.has_results();
    }
    let complete = trial.run(&contest, args.pairs, &mut crew, |trial, number, games| {
        if let Some(recorder) = &mut recorder {
            recorder.add(number, &records(&contest, number, games));
        }
        interruptible.has_results();
        line.show(|| progress(trial, before, args.pairs));
    })?;
    let elapsed = line.elapsed();
    drop(line);
    let partial = interruptible.is_stopped() && !complete;
    drop(interruptible);
    let printed = report(args, &contest, &trial, partial, elapsed, out);
    // The score is printed first, so that a full disk does not lose it; but a closed pipe must not hide that
    // games are missing.
    recorder.map_or(Ok(()), Recorder::finish)?;
    printed?;
    if partial { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Prints the result of a match.
fn report(
    args: &Args,
    contest: &Contest,
    trial: &Trial,
    partial: bool,
    elapsed: Duration,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rows = trial.counted();
    let text = |object: serde_json::Result<String>| object.expect("text and numbers");
    match (rows.is_empty(), args.json) {
        (true, _) if !partial => return Err(Failure::Message("no pair was finished".into())),
        (true, true) => writeln!(out, "{}", text(serde_json::to_string(&Unplayed::new(contest))))?,
        (true, false) => writeln!(out, "partial: interrupted before a pair was finished")?,
        (false, true) => {
            let object = MatchReport::new(contest, &Standing::new(&rows), trial, partial);
            writeln!(out, "{}", text(serde_json::to_string(&object)))?;
        }
        (false, false) => {
            print(contest, &Standing::new(&rows), trial, elapsed, out)?;
            if partial {
                let kept = args.store.as_ref().map_or(String::new(), |path| {
                    format!("; they are in {}: repeat the command to resume", path.display())
                });
                let (done, pairs) = (trial.played().len() as u64, counted(args.pairs, "pair", "pairs"));
                writeln!(out, "partial: interrupted after {} of {pairs}{kept}", count(done))?;
            }
        }
    }
    Ok(())
}

/// Whether two paths refer to the same file, which need not exist.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    let folder = |path: &Path| {
        path.parent().map(|folder| whole(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }))
    };
    whole(one) == whole(other) || folder(one) == folder(other) && one.file_name() == other.file_name()
}

/// The running score and the time left.
fn progress(trial: &Trial, before: u64, wanted: u64) -> String {
    let all: Pairs = trial.played().values().map(PairRow::score).collect();
    let score = all.estimate(LEVEL);
    let done = trial.played().len() as u64;
    let thinking = trial.efforts()[0].time + trial.efforts()[1].time;
    let each = thinking.as_secs_f64() / (done - before).max(1) as f64;
    let test = trial.sprt().map_or(String::new(), |sprt| {
        let limits = sprt.limits();
        format!("  LLR {}", ratio(sprt.ratio(trial.pairs()), limits.lo, limits.hi))
    });
    format!(
        "{} of {}  {}{test}  {:.0} s of thinking left",
        count(done),
        counted(wanted, "pair", "pairs"),
        percent(&score),
        each * (wanted - done) as f64,
    )
}

/// A score with its interval.
pub(crate) fn percent(score: &Estimate) -> String {
    // A single pair has no finite interval, and that of few pairs may exceed what is possible.
    let [lo, hi] = [(score.lo, 0.0), (score.hi, 1.0)]
        .map(|(end, most)| if end.is_finite() { end.clamp(0.0, 1.0) } else { most });
    format!("{:.1} % [{:.1}, {:.1}]", 100.0 * score.mean, 100.0 * lo, 100.0 * hi)
}

/// A number with its interval; the Elo of a score of 0 or 1 is infinite.
fn signed(estimate: &Estimate) -> String {
    let number = |x: f64| {
        if x.is_finite() {
            print::signed(x, 1)
        } else if x > 0.0 {
            "+∞".into()
        } else {
            "-∞".into()
        }
    };
    format!("{} [{}, {}]", number(estimate.mean), number(estimate.lo), number(estimate.hi))
}

/// A likelihood ratio between its limits.
fn ratio(ratio: f64, low: f64, high: f64) -> String {
    let [ratio, low, high] = [ratio, low, high].map(|number| print::signed(number, 2));
    format!("{ratio} [{low}, {high}]")
}

/// Prints the result as text.
fn print(
    contest: &Contest,
    standing: &Standing,
    trial: &Trial,
    elapsed: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Standing { pairs, score, luck, first_mover, decisions, lengths, repeated, .. } = standing;
    let Standing { nodes, broken_off, given_up, decided, away, .. } = standing;
    let identity = contest.identity();
    let terms = Some(identity.terms.to_string()).filter(|terms| !terms.is_empty());
    let terms = terms.map_or(String::new(), |terms| format!("  {terms}"));
    let spec = contest.game().spec();
    let game = styled(BOLD, &brief_game(spec));
    let conditions = format!("{game}  {}{terms}  seed {}", identity.budget, identity.seed);
    writeln!(out, "{}", wrap(&conditions, width(), 2))?;
    for (at, engine) in contest.engines().iter().enumerate() {
        let engine = format!("  {}  {}", at + 1, brief_engine(engine, spec));
        writeln!(out, "{}", wrap(&engine, width(), 5))?;
    }
    writeln!(out)?;
    let counts = pairs.counts().map(|n| n.to_string()).join(" ");
    let mut row =
        |name: &str, text: String| writeln!(out, "{}", wrap(&format!("{name:<22}{text}"), width(), 22));
    row("pairs", format!("{} (0 ¼ ½ ¾ 1: {counts})", count(pairs.count())))?;
    row("score", percent(score))?;
    row("Elo", signed(&pairs.elo(LEVEL)))?;
    row("normalised Elo", signed(&pairs.normalised_elo(LEVEL)))?;
    if !contest.game().has_chance() {
        let (success, boards) = pairs.success(LEVEL);
        row(
            "success",
            format!("{} of {}", percent(&success), counted(boards, "pair", "pairs") + " that one side won"),
        )?;
    }
    row("superiority", format!("{:.1} %", 100.0 * pairs.superiority()))?;
    // Pairs that all ended alike tell nothing about the spread of scores.
    if contest.game().has_chance() && luck.adjusted.lo < luck.adjusted.hi {
        let games = format!(
            "{} of {}",
            count(luck.effective_games.round() as u64),
            counted(pairs.games(), "game", "games")
        );
        row("luck taken out", format!("{}  worth {games}", percent(&luck.adjusted)))?;
    }
    row("player 1 wins", format!("{} between these players", percent(first_mover)))?;
    if let Some(sprt) = trial.sprt() {
        let verdict = match sprt.verdict(pairs) {
            Verdict::Accept => format!("at least {:+} rather than {:+}", sprt.elo1(), sprt.elo0()),
            Verdict::Reject => format!("at most {:+} rather than {:+}", sprt.elo0(), sprt.elo1()),
            Verdict::Continue => "undecided".into(),
        };
        let limits = sprt.limits();
        row("sequential test", format!("{verdict}  LLR {}", ratio(sprt.ratio(pairs), limits.lo, limits.hi)))?;
        row("after the test", format!("{} Elo", signed(&sprt.estimate(pairs, LEVEL))))?;
    }
    let [lower, _, upper] = lengths;
    row("decisions per game", format!("{decisions:.1}, in half of the games {lower:.0} to {upper:.0}"))?;
    row("nodes per decision", format!("{} and {}", count(nodes[0] as u64), count(nodes[1] as u64)))?;
    if trial.efforts().iter().any(|effort| effort.decisions > 0) {
        let each = trial.efforts().map(|effort| format!("{:.3} ms", milliseconds(&effort)));
        row("time per decision", each.join(" and "))?;
    }
    if *broken_off > 0 {
        let games = counted(*broken_off, "game was too long and counts", "games were too long and count");
        row("broken off", format!("{games} as drawn"))?;
    }
    if *given_up > 0 {
        let games = counted(*given_up, "game was lost", "games were lost");
        row("given up", format!("{games} because the engine had no legal answer in time"))?;
    }
    for at in (0..2).filter(|&at| away[at] > 0) {
        let (away, of) = (count(away[at]), counted(decided[at], "decision", "decisions"));
        row(
            "away from its file",
            format!("engine {} in {away} of {of}, where it played the first action", at + 1),
        )?;
    }
    for (at, effort) in trial.efforts().iter().enumerate().filter(|(_, effort)| effort.unevaluated > 0) {
        let (none, of) = (count(effort.unevaluated), counted(effort.leaves, "leaf", "leaves"));
        row("not evaluated", format!("{none} of {of} of engine {}: its evaluator knows nothing", at + 1))?;
    }
    let mut remark = |words: &str| writeln!(out, "{}", styled(DIM, &wrap(words, width(), 0)));
    if *decisions == 0.0 {
        remark(
            "The engines had nothing to decide: the opening, the dice and forced actions ended every game.",
        )?;
    } else if *repeated == pairs.count() {
        remark(
            "The second game of every pair repeated the first: the players decide alike, with the same dice. The score is even by construction, and half of the games would have told as much.",
        )?;
    } else if *repeated > 0 {
        let pairs = counted(*repeated, "pair", "pairs");
        remark(&format!("In {pairs} the second game repeated the first: the players decided alike."))?;
    }
    remark(
        "How player 1 fares depends on the players; in small games, astragal solve tells for perfect play.",
    )?;
    if !contest.game().has_chance() && is_alike(&identity.terms) {
        let words = "This game has no dice: pairs differ only if the engines do; --opening N, --deal or --starts FILE begins elsewhere.";
        remark(words)?;
    }
    let starts = identity.terms.starts.len() as u64;
    if (1..pairs.count()).contains(&starts) {
        let words = format!(
            "With {} for {} pairs, starts come up again: such pairs differ only if the engines or the dice do.",
            counted(starts, "start", "starts"),
            count(pairs.count())
        );
        remark(&words)?;
    }
    remark(&format!("{:.1} s", elapsed.as_secs_f64()))
}
