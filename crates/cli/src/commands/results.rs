//! `astragal results` and `astragal merge`.

use super::matches::percent;
use crate::failure::Failure;
use crate::print::{columns, count, counted};
use astragal_catalog::{brief_engine, brief_game};
use astragal_lab::contest::{Identity, KIND, PairRow};
use astragal_lab::stats::{LEVEL, Pairs};
use astragal_lab::store::{Filter, Job, Store};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// How results are printed.
pub(crate) enum Form {
    Table,
    Csv,
    Json,
}

/// Prints the jobs or the results of a store.
pub(crate) fn results(store: &Path, filter: &Filter, form: Form, out: &mut dyn Write) -> Result<(), Failure> {
    let store = Store::open_existing(store)?;
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
        match identity(&job) {
            Some(identity) => matches.push((score(store, &job)?, identity)),
            None => others.push(vec![one_line(&job.kind), count(job.units), one_line(&job.text)]),
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

/// The match that a job is, if it is one and written as this version writes it.
fn identity(job: &Job) -> Option<Identity> {
    let identity: Identity = serde_json::from_str(&job.text).ok().filter(|_| job.kind == KIND)?;
    (serde_json::to_string(&identity).ok()? == job.text).then_some(identity)
}

/// The number of pairs of a match, and its score.
fn score(store: &Store, job: &Job) -> Result<[String; 2], Failure> {
    let rows: Vec<PairRow> = store.read(job.id, u64::MAX)?;
    let pairs: Pairs = rows.iter().map(PairRow::score).collect();
    let score = if rows.is_empty() { "-".into() } else { percent(&pairs.estimate(LEVEL)) };
    Ok([count(pairs.count()), score])
}

/// The matches, a line each. Specs are shown without default values, unless two matches would then look the
/// same.
fn match_table(matches: &[([String; 2], Identity)]) -> String {
    let briefs: Vec<Vec<String>> = matches.iter().map(|(_, identity)| description(identity, true)).collect();
    let rows = matches.iter().zip(&briefs).map(|((score, identity), brief)| {
        let unique = briefs.iter().filter(|other| *other == brief).count() == 1;
        let description = if unique { brief.clone() } else { description(identity, false) };
        std::iter::once(KIND.into()).chain(score.iter().cloned()).chain(description).collect()
    });
    let mut header =
        vec!["kind", "pairs", "score", "game", "first", "second", "budget", "seed", "opening", "position"];
    let mut rows: Vec<Vec<String>> = rows.collect();
    // Most matches begin at the start of their game, without an opening.
    for column in (8..header.len()).rev() {
        if rows.iter().all(|row| row[column] == "-") {
            header.remove(column);
            rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    columns(&header, &[1, 2, 7], rows)
}

/// What tells a match from others.
fn description(identity: &Identity, brief: bool) -> Vec<String> {
    let Identity { game, position, engines, budget, opening, seed } = identity;
    let engine = |spec: &String| if brief { brief_engine(spec, game) } else { spec.clone() };
    vec![
        one_line(&if brief { brief_game(game) } else { game.clone() }),
        one_line(&engine(&engines[0])),
        one_line(&engine(&engines[1])),
        one_line(budget),
        seed.to_string(),
        if *opening == 0 { "-".into() } else { opening.to_string() },
        position.as_deref().map_or("-".into(), one_line),
    ]
}

/// Merges stores into one. The answer is no if units differ.
pub(crate) fn merge(stores: &[PathBuf], into: &Path, out: &mut dyn Write) -> Result<bool, Failure> {
    // All are opened first: a wrong name among them is found before anything is made or changed.
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
            let (kind, job) = (one_line(&unit.kind), one_line(&unit.text));
            let (number, here, there) = (unit.here.number, &unit.here.result, &unit.there.result);
            lines.push(format!(
                "{path}: unit {number} of {kind} {job} is {}, kept is {}",
                one_line(there),
                one_line(here)
            ));
        }
        alike &= merged.different.is_empty();
    }
    // Printed at the end: a reader that goes away does not keep later stores from being merged.
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(alike)
}

/// A text in one line, with control characters written out.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
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
            opening: 0,
            seed,
        };
        let full = astragal_catalog::game("ewn").unwrap().engine("star2").unwrap().spec().to_string();
        // The second engine is written as another version might have written it.
        let both = [identity(u64::MAX, "ewn", &full), identity(u64::MAX, "ewn", "star2")];
        let rows = both.map(|identity| (["1".into(), "-".into()], identity));
        let table = match_table(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[1] != lines[2] && lines[1].contains(&full) && lines[2].contains(" star2 "), "{table}");
        assert!(!lines[0].contains("opening") && lines[1].contains(&u64::MAX.to_string()), "{table}");
        let alone = match_table(&rows[..1]);
        assert!(alone.contains(" star2 ") && !alone.contains(&full), "{alone}");
    }

    #[test]
    fn a_line_stays_a_line() {
        assert_eq!(one_line("{\"a\":1,\n\"é\":2}"), "{\"a\":1,\\n\"é\":2}");
    }
}
