//! `astragal analyze`.

use super::{find, no_answer, tree};
use crate::args::{Limits, Place};
use crate::failure::Failure;
use crate::print::{BOLD, DIM, columns, count, counted, header, line_value, picture, styled, turn, value};
use crate::watch::ShownClock;
use crate::wrap::{glued, width, wrap};
use astragal_arena::budget::{ANALYSIS, budget_for};
use astragal_arena::report::AnalysisReport;
use astragal_catalog::{Analysis, brief_engine, engines};
use astragal_core::{Stop, Turn, Watch};
use astragal_store::file::WholeFile;
use std::io::Write;
use std::path::PathBuf;

/// Search a position: its value, the best action, and a line for each action.
///
/// The search deepens until it reaches the first limit of its budget. Without a limit here or in the engine's
/// spec, as in star2(depth=3), it takes 1 s. An interrupt (Ctrl-C) ends it with the result of the last
/// completed depth. With the same seed and a budget in depth, nodes or iterations, the same command prints
/// the same result on every machine, except with parallel=tree, multithreaded alpha-beta and external
/// engines.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,
    /// The engine: `astragal engines` lists them.
    #[arg(long, value_name = "SPEC", default_value = "star2")]
    pub(crate) engine: String,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// The random seed of the search.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print the report as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the search tree to a file: Graphviz DOT if it ends in .dot or .gv, otherwise JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) tree: Option<PathBuf>,
    /// Depth of the written tree, counting decisions and chance alike.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "tree")]
    pub(crate) tree_depth: u32,
    /// Write only tree nodes with at least this many visits.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "tree")]
    pub(crate) tree_visits: u64,
}

pub(crate) fn analyze(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, position) = find(&args.place)?;
    let mut engine = game.engine(&args.engine)?;
    if args.tree.is_some() && !engine.info().tree {
        let others: Vec<&str> = engines().filter(|info| info.tree).map(|info| info.name).collect();
        let name = engine.info().name;
        return Err(Failure::Message(format!("'{name}' keeps no tree; these do: {}", others.join(", "))));
    }
    engine.check_start(&*position)?;
    // Report a file that cannot be written before the search, not after it.
    let target = args.tree.as_deref().map(WholeFile::create).transpose()?;
    let budget = budget_for(&*engine, args.limits.budget(), ANALYSIS)?;
    let mut clock = ShownClock::start(position.actions());
    let analysis = engine.analyze(&*position, args.seed, &budget, &mut clock);
    let elapsed = clock.elapsed();
    drop(clock);
    let decides = matches!(position.turn(), Turn::Decide(_));
    if decides && analysis.best.is_none() && analysis.stop != Stop::Cancelled {
        return Err(no_answer(engine.info().name));
    }
    // The result is shown even if the tree cannot be written, for example to a full disk.
    let mut kept = Ok(());
    if let Some(target) = target {
        let Some(found) = engine.tree(args.tree_depth, args.tree_visits) else {
            return Err(Failure::Message("there is no tree to write: the game is over".into()));
        };
        kept = tree::write(&found, position.text(), target);
    }
    if args.json {
        let (spec, seed) = (engine.spec(), args.seed);
        let report = AnalysisReport::new(&*game, &*position, spec, seed, budget, &analysis, elapsed);
        writeln!(out, "{}", serde_json::to_string(&report).expect("numbers and text"))?;
        kept?;
        return ended(&analysis);
    }
    writeln!(out, "{}", header(&*game, &position.text()))?;
    writeln!(out, "{}\n", styled(DIM, &wrap(&brief_engine(engine.spec(), game.spec()), width(), 2)))?;
    writeln!(out, "{}\n", picture(&position.picture()))?;
    writeln!(out, "{}", turn(position.turn(), game.range()))?;
    summary(&analysis, out)?;
    if !analysis.lines.is_empty() {
        writeln!(out)?;
        lines(&analysis, out)?;
    }
    if !analysis.pv.is_empty() {
        writeln!(out, "\n{}", wrap(&format!("line: {}", words(&analysis).join(" ")), width(), 2))?;
    }
    writeln!(out, "\n{}", wrap(&work(&analysis, elapsed.as_secs_f64()), width(), 2))?;
    let params: Vec<&str> = engine.info().params.iter().map(|param| param.name).collect();
    if let Some(words) = unevaluated(&analysis, &params) {
        writeln!(out, "{}", wrap(&words, width(), 2))?;
    }
    kept?;
    if let Some(tree) = &args.tree {
        writeln!(out, "the tree is in {}", tree.display())?;
    }
    ended(&analysis)
}

/// The best line of play.
pub(crate) fn words(analysis: &Analysis) -> Vec<String> {
    analysis.pv.iter().map(|step| step.inner().clone()).collect()
}

/// Returns an error if the search was interrupted.
fn ended(analysis: &Analysis) -> Result<(), Failure> {
    if analysis.stop == Stop::Cancelled { Err(Failure::Interrupted) } else { Ok(()) }
}

/// Prints the value and the best action.
pub(crate) fn summary(analysis: &Analysis, out: &mut dyn Write) -> Result<(), Failure> {
    let mut text = format!("value {}", styled(BOLD, &value(analysis.value)));
    if let Some(best) = &analysis.best {
        text += &format!(", best {}", styled(BOLD, best));
        let others: Vec<String> =
            analysis.tied.iter().filter(|action| *action != best).map(|action| glued(action)).collect();
        if !others.is_empty() {
            text += &format!(" (as good: {})", others.join(", "));
        }
    }
    let why = match analysis.stop {
        // Sampling at the root ends when one action is significantly better.
        Stop::Complete if analysis.lines.iter().any(|line| line.error.is_some()) => {
            let simulations = counted(analysis.counts.simulations, "simulation", "simulations");
            format!("decided after {simulations}")
        }
        Stop::Complete => "every line was seen to its end".into(),
        Stop::Depth => format!("depth {}", analysis.depth),
        Stop::Cancelled => format!("partial: interrupted after depth {}", analysis.depth),
        stop => format!("depth {}, ended by {}", analysis.depth, stop.name()),
    };
    writeln!(out, "{}", wrap(&format!("{text}  ({why})"), width(), 2))?;
    Ok(())
}

/// Prints a row for each action.
pub(crate) fn lines(analysis: &Analysis, out: &mut dyn Write) -> Result<(), Failure> {
    let deviates = analysis.lines.iter().any(|line| line.deviation.is_some());
    let rows = analysis.lines.iter().map(|line| {
        let mark = if analysis.tied.contains(&line.action) { "*" } else { " " };
        let mut row = vec![format!("{mark} {}", line.action), line_value(line), count(line.visits)];
        if deviates {
            row.insert(2, line.deviation.map_or(String::new(), |deviation| format!("{deviation:.4}")));
        }
        row
    });
    let header: &[&str] = match deviates {
        true => &["  action", "value", "deviation", "visits"],
        false => &["  action", "value", "visits"],
    };
    write!(out, "{}", columns(header, &[1, 2, 3], rows))?;
    Ok(())
}

/// What the search could not know, and what would help.
fn unevaluated(analysis: &Analysis, params: &[&str]) -> Option<String> {
    let counts = analysis.counts;
    if counts.unevaluated == 0 || analysis.stop == Stop::Complete {
        return None;
    }
    let leaves = format!("{} of {}", count(counts.unevaluated), counted(counts.leaves, "leaf", "leaves"));
    let help = match params.contains(&"dr") {
        true => "dr=inf plays them out to the end",
        false => "try uct, which plays games out",
    };
    Some(format!(
        "{leaves} were not evaluated: the evaluator knows nothing of them, so they count as the middle of the \
         range; {help}, or give the game an evaluator with eval="
    ))
}

/// The work of the search in one line.
fn work(analysis: &Analysis, elapsed: f64) -> String {
    let counts = analysis.counts;
    let mut parts = vec![counted(counts.nodes, "node", "nodes"), counted(counts.leaves, "leaf", "leaves")];
    for (number, one, many) in [
        (counts.samples, "sample", "samples"),
        (counts.cuts, "cut", "cuts"),
        (counts.probes, "probe", "probes"),
        (counts.table_hits, "table hit", "table hits"),
    ] {
        if number > 0 {
            parts.push(counted(number, one, many));
        }
    }
    if counts.simulations > 0 {
        parts.insert(0, counted(counts.simulations, "simulation", "simulations"));
    }
    if counts.tree_nodes > 0 {
        let mib = counts.tree_bytes as f64 / f64::from(1 << 20);
        let full = if counts.tree_full { " (its memory is full: it stopped growing)" } else { "" };
        let nodes = counted(counts.tree_nodes, "node", "nodes");
        parts.push(format!("a tree of {nodes} in {mib:.1} MiB{full}"));
    }
    format!("{}, {elapsed:.3} s", parts.join(", "))
}
