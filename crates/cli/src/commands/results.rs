//! `astragal results` and `astragal merge`.

use super::matches::percent;
use crate::failure::Failure;
use crate::print::{self, BOLD, DIM, columns, count, counted, styled};
use astragal_arena::contest::{Identity, KIND, PairRow};
use astragal_arena::revision::REVISION;
use astragal_arena::standings::{self, Place, Rank, Standings};
use astragal_arena::terms::Terms;
use astragal_catalog::{brief_engine, brief_game};
use astragal_stats::{LEVEL, Pairs};
use astragal_store::{Filter, Job, Store, cell};
use serde_json::{Value, json};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// List the jobs of a results store, or export its results.
///
/// A store is an SQLite file. The list shows matches with their pairs and scores, and omits parameters of
/// games and engines that have their default values. An export has one line per unit: the kind and the fields
/// of its job, the number of the unit, all values of its result, and the version that produced it. Values
/// inside lists and objects have names such as games.0.score.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The results store.
    pub(crate) store: PathBuf,
    /// Only jobs of this kind.
    #[arg(long, value_name = "K")]
    pub(crate) kind: Option<String>,
    /// Only jobs whose description contains this text.
    #[arg(long, value_name = "TEXT")]
    pub(crate) containing: Option<String>,
    /// Print the results as CSV.
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print the results as JSON, one object per line.
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print standings for each game instead: Elo ratings of all engines that met in matches and
    /// tournaments.
    #[arg(long)]
    pub(crate) standings: bool,
}

/// Merge results stores into one.
///
/// Existing units are kept as they are, so merging again changes nothing. If two stores have different
/// results for the same unit, both are printed and the answer is no (exit code 1).
#[derive(clap::Args)]
pub(crate) struct MergeArgs {
    /// The results stores to merge; they are not modified.
    #[arg(required = true, value_name = "STORE")]
    pub(crate) stores: Vec<PathBuf>,
    /// The results store to add to, created if it does not exist.
    #[arg(long, value_name = "FILE")]
    pub(crate) into: PathBuf,
}

/// How results are printed.
#[derive(Clone, Copy)]
enum Form {
    Table,
    Csv,
    Json,
}

/// Prints the jobs or the results of a store.
pub(crate) fn results(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let filter = &Filter { kind: args.kind.clone(), containing: args.containing.clone() };
    let form = match (args.csv, args.json) {
        (true, _) => Form::Csv,
        (_, true) => Form::Json,
        _ => Form::Table,
    };
    let store = Store::open_existing(&args.store)?;
    if args.standings {
        return standings(&store, filter, form, out);
    }
    let mut out = BufWriter::new(out);
    match form {
        Form::Table => list(&store, filter, &mut out)?,
        Form::Csv => store.csv(filter, &mut out)?,
        Form::Json => store.json_lines(filter, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

/// Lists jobs: matches with their scores, and all others by their descriptions.
fn list(store: &Store, filter: &Filter, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut matches, mut others) = (Vec::new(), Vec::new());
    for job in store.jobs()?.into_iter().filter(|job| filter.matches(job)) {
        match job.contest() {
            Some(identity) => {
                let revision = job.revision().1.unwrap_or("-").to_string();
                matches.push((score(store, &job)?, identity, revision));
            }
            None => others.push(vec![one_line(&job.kind), count(job.units), job_text(&job.text)]),
        }
    }
    if matches.is_empty() && others.is_empty() {
        writeln!(out, "no jobs")?;
        return Ok(());
    }
    if !matches.is_empty() {
        write!(out, "{}", match_table(&matches))?;
    }
    if !others.is_empty() {
        let gap = if matches.is_empty() { "" } else { "\n" };
        write!(out, "{gap}{}", columns(&["kind", "units", "job"], &[1], others))?;
    }
    Ok(())
}

/// Prints standings for each game, position and terms.
fn standings(store: &Store, filter: &Filter, form: Form, out: &mut dyn Write) -> Result<(), Failure> {
    let (matches, outdated) = store.matches(filter)?;
    let places = standings::standings(matches);
    let left_out = format!("{} of other revisions left out", counted(outdated, "match", "matches"));
    match form {
        Form::Table => {
            let tables: Vec<String> = places.iter().map(standings_table).collect();
            write!(out, "{}", if tables.is_empty() { "no matches\n".into() } else { tables.join("\n") })?;
            if outdated > 0 {
                writeln!(out, "{}", styled(DIM, &left_out))?;
            }
            return Ok(());
        }
        Form::Csv => {
            writeln!(out, "{}", RANK.join(","))?;
            for row in places.iter().flat_map(rank_rows) {
                let cells: Vec<String> = row.iter().map(|value| cell(Some(value))).collect();
                writeln!(out, "{}", cells.join(","))?;
            }
        }
        Form::Json => {
            for row in places.iter().flat_map(rank_rows) {
                let fields: Vec<String> =
                    RANK.iter().zip(row).map(|(key, value)| format!("{}:{value}", json!(key))).collect();
                writeln!(out, "{{{}}}", fields.join(","))?;
            }
        }
    }
    if outdated > 0 {
        writeln!(std::io::stderr(), "{left_out}")?;
    }
    Ok(())
}

/// The columns of exported standings.
const RANK: [&str; 10] =
    ["game", "position", "terms", "engine", "budget", "elo", "lo", "hi", "score", "pairs"];

/// The values of these columns.
fn rank_rows(standings: &Standings) -> impl Iterator<Item = [Value; 10]> {
    let Place { game, position, terms } = &standings.place;
    standings.ranks.iter().map(move |Rank { entrant, elo, score, pairs }| {
        [
            json!(game),
            json!(position),
            json!(terms.to_string()),
            json!(entrant.engine),
            json!(entrant.budget),
            json!(elo.mean),
            json!(elo.lo),
            json!(elo.hi),
            json!(score),
            json!(pairs),
        ]
    })
}

/// The standings for one game, position and terms as a table.
fn standings_table(standings: &Standings) -> String {
    let Place { game, position, terms } = &standings.place;
    let mut title = brief_game(game);
    title += &position.as_ref().map_or(String::new(), |text| format!("  {}", one_line(text)));
    if *terms != Terms::default() {
        title += &format!("  {}", one_line(&terms.to_string()));
    }
    let row = |Rank { entrant, elo, score, pairs }: &Rank| {
        vec![
            print::elo(elo.mean),
            format!("[{}, {}]", print::elo(elo.lo), print::elo(elo.hi)),
            format!("{:.1} %", 100.0 * score),
            count(*pairs),
            one_line(&entrant.engine),
            one_line(&entrant.budget),
        ]
    };
    let header = ["Elo", "95 %", "score", "pairs", "engine", "budget"];
    let mut table = format!("{}\n", styled(BOLD, &title));
    table += &columns(&header, &[0, 1, 2, 3], standings.ranks.iter().map(row));
    if !standings.connected {
        let guess =
            "Not all engines are connected by games: between groups, ratings rest on the prior alone.";
        table += &format!("{}\n", styled(DIM, guess));
    }
    table
}

/// The number of pairs of a match, and its score.
fn score(store: &Store, job: &Job) -> Result<[String; 2], Failure> {
    let rows: Vec<PairRow> = store.read(job.id, u64::MAX)?;
    let pairs: Pairs = rows.iter().map(PairRow::score).collect();
    let score = if rows.is_empty() { "-".into() } else { percent(&pairs.estimate(LEVEL)) };
    Ok([count(pairs.count()), score])
}

/// A table of matches, one per line. Specs omit default values, unless two matches would then look the same.
fn match_table(matches: &[([String; 2], Identity, String)]) -> String {
    let briefs: Vec<Vec<String>> =
        matches.iter().map(|(_, identity, _)| description(identity, true)).collect();
    // If any match is by another revision of the program, all show their revision.
    let mixed = matches.iter().any(|(_, _, revision)| revision != REVISION);
    let rows = matches.iter().zip(&briefs).map(|((score, identity, revision), brief)| {
        let same = |(other, found): (&Vec<String>, &([String; 2], Identity, String))| {
            other == brief && found.2 == *revision
        };
        let unique = briefs.iter().zip(matches).filter(|pair| same(*pair)).count() == 1;
        let description = if unique { brief.clone() } else { description(identity, false) };
        let revision = if mixed { revision.clone() } else { "-".into() };
        std::iter::once(KIND.into())
            .chain(score.iter().cloned())
            .chain(description)
            .chain([revision])
            .collect()
    });
    let mut header = vec![
        "kind", "pairs", "score", "game", "first", "second", "budget", "seed", "terms", "position",
        "revision",
    ];
    let mut rows: Vec<Vec<String>> = rows.collect();
    // Most matches start at the beginning of their game on default terms, so empty columns are dropped.
    for column in (8..header.len()).rev() {
        if rows.iter().all(|row| row[column] == "-") {
            header.remove(column);
            rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    columns(&header, &[1, 2, 7], rows)
}

/// The cells that identify a match.
fn description(identity: &Identity, brief: bool) -> Vec<String> {
    let Identity { game, position, engines, budget, terms, seed } = identity;
    let engine = |spec: &String| if brief { brief_engine(spec, game) } else { spec.clone() };
    vec![
        one_line(&if brief { brief_game(game) } else { game.clone() }),
        one_line(&engine(&engines[0])),
        one_line(&engine(&engines[1])),
        one_line(budget),
        seed.to_string(),
        if *terms == Terms::default() { "-".into() } else { one_line(&terms.to_string()) },
        position.as_deref().map_or("-".into(), one_line),
    ]
}

/// Merges stores into one. The answer is no if units differ.
pub(crate) fn merge(args: &MergeArgs, out: &mut dyn Write) -> Result<bool, Failure> {
    let MergeArgs { stores, into } = args;
    // All are opened first, so a wrong name is found before anything is created or changed.
    let others = stores.iter().map(|path| Store::open_existing(path)).collect::<Result<Vec<_>, _>>()?;
    let mut store = Store::open(into)?;
    let mut alike = true;
    let mut lines = Vec::new();
    for (path, other) in stores.iter().zip(&others) {
        let merged = store.merge(other)?;
        let path = path.display();
        lines.push(format!(
            "{path}: {} added, {} there already, {} different; {}",
            counted(merged.added, "unit", "units"),
            count(merged.same),
            count(merged.different.len() as u64),
            counted(merged.jobs, "new job", "new jobs")
        ));
        for unit in &merged.different {
            let (kind, job) = (one_line(&unit.kind), job_text(&unit.text));
            let (number, here, there) = (unit.here.number, &unit.here.result, &unit.there.result);
            lines.push(format!(
                "{path}: unit {number} of {kind} {job} is {}, kept is {}",
                one_line(there),
                one_line(here)
            ));
        }
        alike &= merged.different.is_empty();
    }
    // Printed at the end, so a closed pipe does not keep later stores from being merged.
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(alike)
}

/// Text on one line, with control characters escaped.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
}

/// The description of a job on one line, without the revision if it is this program's.
fn job_text(text: &str) -> String {
    let now = format!("\"revision\":\"{REVISION}\"}}");
    let plain =
        text.strip_suffix(&now).map(|fields| format!("{}}}", fields.strip_suffix(',').unwrap_or(fields)));
    one_line(&plain.unwrap_or_else(|| text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_matches_look_different() {
        let identity = |seed: u64, game: &str, first: &str| Identity {
            game: game.into(),
            position: None,
            engines: [first.into(), "random".into()],
            budget: "nodes=5".into(),
            terms: Terms::default(),
            seed,
        };
        let full = astragal_catalog::game("ewn").unwrap().engine("star2").unwrap().spec().to_string();
        // The second engine is written as another version might have written it.
        let both = [identity(u64::MAX, "ewn", &full), identity(u64::MAX, "ewn", "star2")];
        let rows = both.map(|identity| (["1".into(), "-".into()], identity, REVISION.to_string()));
        let table = match_table(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[1] != lines[2] && lines[1].contains(&full) && lines[2].contains(" star2 "), "{table}");
        assert!(!lines[0].contains("terms") && lines[1].contains(&u64::MAX.to_string()), "{table}");
        let alone = match_table(&rows[..1]);
        assert!(alone.contains(" star2 ") && !alone.contains(&full), "{alone}");
    }

    #[test]
    fn a_line_stays_a_line() {
        assert_eq!(one_line("{\"a\":1,\n\"é\":2}"), "{\"a\":1,\\n\"é\":2}");
    }
}
