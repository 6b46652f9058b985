//! `astragal results` and `astragal merge`.

use super::matches::percent;
use crate::failure::Failure;
use crate::print::{BOLD, DIM, columns, count, counted, styled};
use astragal_catalog::{Spec, brief_engine, brief_game, engine_info};
use astragal_lab::budget::{Budgets, budget_text};
use astragal_lab::contest::{Identity, KIND, PairRow};
use astragal_lab::revision::REVISION;
use astragal_lab::stats::{LEVEL, Pairs, Table as Ratings};
use astragal_lab::store::{Filter, Job, Store};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// How results are printed.
pub(crate) enum Form {
    Table,
    Csv,
    Json,
    Standings,
}

/// Prints the jobs or the results of a store.
pub(crate) fn results(store: &Path, filter: &Filter, form: Form, out: &mut dyn Write) -> Result<(), Failure> {
    let store = Store::open_existing(store)?;
    let mut out = BufWriter::new(out);
    match form {
        Form::Table => list(&store, filter, &mut out)?,
        Form::Csv => store.csv(filter, &mut out)?,
        Form::Json => store.json_lines(filter, &mut out)?,
        Form::Standings => standings(&store, filter, &mut out)?,
    }
    out.flush()?;
    Ok(())
}

/// Lists jobs: matches with their scores, and all others by their descriptions.
fn list(store: &Store, filter: &Filter, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut matches, mut others) = (Vec::new(), Vec::new());
    for job in store.jobs()?.into_iter().filter(|job| filter.matches(job)) {
        match identity(&job) {
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

/// The match that a job is, if it is one and written as this version writes it.
fn identity(job: &Job) -> Option<Identity> {
    let (text, _) = job.revision();
    let identity: Identity = serde_json::from_str(&text).ok().filter(|_| job.kind == KIND)?;
    (serde_json::to_string(&identity).ok()? == text).then_some(identity)
}

/// A match of a store: who met whom, and the pairs.
struct Meeting {
    /// The game, and where it begins if that is not its start.
    place: (String, Option<String>, u32),
    /// The engines with their budgets.
    players: [(String, String); 2],
    pairs: Pairs,
}

/// All matches of this revision. Those of others are not comparable, and are counted.
fn meetings(store: &Store, filter: &Filter) -> Result<(Vec<Meeting>, u64), Failure> {
    let (mut meetings, mut outdated) = (Vec::new(), 0);
    for job in store.jobs()?.into_iter().filter(|job| filter.matches(job) && job.units > 0) {
        let Some(Identity { game, position, engines, budget, opening, .. }) = identity(&job) else {
            continue;
        };
        if job.revision().1 != Some(REVISION) {
            outdated += 1;
            continue;
        }
        let rows: Vec<PairRow> = store.read(job.id, u64::MAX)?;
        let both = Budgets::read(&budget).map(|budgets| budgets.0.map(|budget| budget_text(&budget)));
        let budgets = both.unwrap_or([budget.clone(), budget]);
        // Players such as `random` are the same whatever budget their opponents have.
        let takes = |spec: &str| {
            let info = Spec::parse(spec).and_then(|spec| engine_info(&spec.name));
            info.map_or(true, |info| !info.budgets.is_empty())
        };
        let [first_budget, second_budget] = [0, 1].map(|at| match takes(&engines[at]) {
            true => budgets[at].clone(),
            false => "none".into(),
        });
        let [first, second] = engines.map(|spec| brief_engine(&spec, &game));
        meetings.push(Meeting {
            place: (game, position, opening),
            players: [(first, first_budget), (second, second_budget)],
            pairs: rows.iter().map(PairRow::score).collect(),
        });
    }
    Ok((meetings, outdated))
}

/// The ratings of all engines that met, for each game and place of beginning.
fn standings(store: &Store, filter: &Filter, out: &mut dyn Write) -> Result<(), Failure> {
    let (meetings, outdated) = meetings(store, filter)?;
    let mut places: Vec<&(String, Option<String>, u32)> = meetings.iter().map(|m| &m.place).collect();
    places.sort();
    places.dedup();
    if places.is_empty() {
        writeln!(out, "no matches")?;
    }
    for (at, place) in places.iter().enumerate() {
        let here: Vec<&Meeting> = meetings.iter().filter(|meeting| meeting.place == **place).collect();
        let mut players: Vec<&(String, String)> = here.iter().flat_map(|meeting| &meeting.players).collect();
        players.sort();
        players.dedup();
        let find = |player: &(String, String)| players.iter().position(|p| *p == player).expect("listed");
        let mut table = Ratings::new(players.len());
        let mut totals = vec![(0.0, 0.0); players.len()];
        for Meeting { players, pairs, .. } in here {
            let [first, second] = [find(&players[0]), find(&players[1])];
            let (games, won) = (pairs.count() as f64, pairs.mean() * pairs.count() as f64);
            totals[first] = (totals[first].0 + won, totals[first].1 + games);
            totals[second] = (totals[second].0 + games - won, totals[second].1 + games);
            // A player against itself says nothing of anybody.
            if first != second {
                table.add_pairs(first, second, pairs);
            }
        }
        let ratings = table.ratings(LEVEL);
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|&a, &b| ratings.players[b].mean.total_cmp(&ratings.players[a].mean));
        let row = |&at: &usize| {
            let rating = &ratings.players[at];
            vec![
                format!("{:+.0}", rating.mean),
                format!("[{:+.0}, {:+.0}]", rating.lo, rating.hi),
                format!("{:.1} %", 100.0 * totals[at].0 / totals[at].1),
                count(totals[at].1 as u64),
                one_line(&players[at].0),
                one_line(&players[at].1),
            ]
        };
        let (game, position, opening) = place;
        let mut title = brief_game(game);
        title += &position.as_ref().map_or(String::new(), |text| format!("  {}", one_line(text)));
        if *opening > 0 {
            title +=
                &format!("  after {}", counted((*opening).into(), "random decision", "random decisions"));
        }
        writeln!(out, "{}{}", if at > 0 { "\n" } else { "" }, styled(BOLD, &title))?;
        let header = ["Elo", "95 %", "score", "pairs", "engine", "budget"];
        write!(out, "{}", columns(&header, &[0, 1, 2, 3], order.iter().map(row)))?;
        let groups = ratings.groups.iter().max().map_or(0, |last| last + 1);
        if groups > 1 {
            writeln!(
                out,
                "{}",
                styled(DIM, "Not all of them met, even by way of others: only a guess joins them.")
            )?;
        }
    }
    if outdated > 0 {
        let matches = counted(outdated, "match", "matches");
        writeln!(out, "{}", styled(DIM, &format!("{matches} of other revisions left out")))?;
    }
    Ok(())
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
fn match_table(matches: &[([String; 2], Identity, String)]) -> String {
    let briefs: Vec<Vec<String>> =
        matches.iter().map(|(_, identity, _)| description(identity, true)).collect();
    // Matches that differ by nothing but the revision of the program show it.
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
        "kind", "pairs", "score", "game", "first", "second", "budget", "seed", "opening", "position",
        "revision",
    ];
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

/// The description of a job in a line; the revision of this program goes without saying.
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
            opening: 0,
            seed,
        };
        let full = astragal_catalog::game("ewn").unwrap().engine("star2").unwrap().spec().to_string();
        // The second engine is written as another version might have written it.
        let both = [identity(u64::MAX, "ewn", &full), identity(u64::MAX, "ewn", "star2")];
        let rows = both.map(|identity| (["1".into(), "-".into()], identity, REVISION.to_string()));
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
