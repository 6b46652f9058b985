//! Section 3.1: UCT and Minimax play chess, without knowledge (Table 3.1) and with it (Table 3.2 and the end
//! of section 3.1.2).
//!
//! Games begin with two random moves, so that no two pairs are alike; in the thesis, only the players provide
//! variety. As in the thesis, playouts are drawn after 300 plies.

use crate::duels::{self, Duel};
use crate::text::{drawn, percent};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::contest::Standing;
use astragal_arena::terms::Terms;
use astragal_core::{Budget, Interval};
use astragal_plot::{Axis, Chart, Curve, Figure, Grouped, Lines, Look, Reference, Series};

/// Random moves at the beginning of a pair.
const OPENING: u32 = 2;
/// UCT's exploration constant, given in section 4.3 of the thesis.
const C: f64 = 0.4;

/// Plies after which a playout is drawn.
const PLIES: u32 = 300;

/// UCT with random playouts.
fn uct() -> String {
    format!("uct(c={C},dr={PLIES},eval=even)")
}

/// UCT_H. The thesis gives no constant for it; a pawn is worth a 65th of a win, so UCT's constant may not be
/// the right one.
fn uct_h(c: f64) -> String {
    format!("uct-h(c={c})")
}

/// The constants that are tried for UCT_H: UCT's own, and smaller ones.
const CONSTANTS: [f64; 3] = [C, 0.1, 0.03];

/// MM-k-1R.
fn mm_1r(depth: u32) -> String {
    format!("alpha-beta(depth={depth},plain=on,order=off,leaf=playouts(n=1),dr={PLIES},eval=even)")
}

/// MM-k.
fn mm(depth: u32) -> String {
    format!("alpha-beta(depth={depth},plain=on,order=off)")
}

/// A match of chess.
fn duel(engines: [String; 2], budgets: [Budget; 2], match_nodes: bool, pairs: u64) -> Duel {
    let terms = Terms { match_nodes, ..Terms::opening(OPENING) };
    Duel { game: "chess".into(), engines, budgets: budgets.into(), terms, pairs }
}

/// A played match and its name.
struct Played {
    name: String,
    published: &'static str,
    standing: Standing,
}

/// Plays named matches, each with its published score.
fn play(duels: Vec<(String, &'static str, Duel)>, bench: &mut Bench<'_>) -> Result<Vec<Played>, Failed> {
    let mut names = Vec::new();
    let mut matches = Vec::new();
    for (name, published, duel) in duels {
        names.push((name, published));
        matches.push(duel);
    }
    let found = duels::play(&matches, bench)?;
    let played = names.into_iter().zip(found);
    Ok(played
        .map(|((name, published), rows)| Played { name, published, standing: Standing::new(&rows) })
        .collect())
}

/// A claim about the score of a match.
fn scores(played: &Played, verdict: Verdict, rule: &str) -> Finding {
    let Standing { score, pairs, .. } = &played.standing;
    Finding {
        claim: played.name.clone(),
        published: played.published.into(),
        measured: format!("{} of {} games", percent(score), 2 * pairs.count()),
        verdict,
        rule: rule.into(),
        note: String::new(),
    }
}

const ABOVE: &str = "agrees if the interval of the score lies above 50 %, differs if below";
const BELOW: &str = "agrees if the interval of the score lies below 50 %, differs if above";

fn above(played: &Played) -> Finding {
    scores(played, Verdict::above(played.standing.score.interval(), 0.5), ABOVE)
}

fn below(played: &Played) -> Finding {
    scores(played, Verdict::below(played.standing.score.interval(), 0.5), BELOW)
}

/// All matches, as a table and as a dot plot.
fn shown(all: &[Played], title: &str) -> (Table, Figure) {
    let mut table = Table::new(
        "matches",
        "All matches: games, the score of the first player in per cent with its 95 % interval, the published one, nodes a decision of both players, and games that were too long.",
        &[
            "match",
            "games",
            "score %",
            "low",
            "high",
            "published",
            "nodes",
            "nodes of the other",
            "broken off",
        ],
    );
    for Played { name, published, standing } in all {
        let Standing { score, pairs, nodes, broken_off, .. } = standing;
        let mut row = vec![name.clone(), (2 * pairs.count()).to_string()];
        row.extend([score.mean, score.lo, score.hi].map(|x| format!("{:.1}", 100.0 * x)));
        row.push((*published).into());
        row.extend(nodes.map(|nodes| format!("{nodes:.0}")));
        row.push(broken_off.to_string());
        table.rows.push(row);
    }
    let mut figure = Figure::new(title);
    figure.subtitle = "Score of the first player, with 95 % intervals".into();
    figure = figure.panel(
        "",
        Chart::Dots(Grouped {
            categories: all.iter().map(|played| played.name.clone()).collect(),
            series: vec![Series::new(
                "score",
                all.iter().map(|played| drawn(&played.standing.score, 100.0)).collect(),
            )],
            axis: Axis::new("score").unit("%").range(0.0, 100.0),
            references: vec![Reference::new("", 50.0)],
            numbers: true,
            ..Grouped::default()
        }),
    );
    (table, figure)
}

/// The experiment of Table 3.1.
pub(crate) static TABLE3_1: Experiment = Experiment {
    id: "thesis-table3.1",
    title: "Chess without knowledge: UCT against Minimax with playouts",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.1.1, Table 3.1",
    takes: &[(Scale::Quick, 90), (Scale::Full, 400_000)],
    run: table3_1,
};

fn table3_1(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let depths: &[u32] = bench.scale.pick(&[1, 2], &[2, 4, 6]);
    let pairs = bench.scale.pick(8, 50);
    // The published scores of UCT and of the random player, and the node counts that the table gives for
    // Minimax.
    let published = |depth: u32| match depth {
        2 => ("74 %", "6 %", Some(1_000)),
        4 => ("94 %", "0 %", Some(10_000)),
        6 => ("96 %", "0 %", Some(200_000)),
        _ => ("", "", None),
    };
    let none = [Budget::default(); 2];
    let mut wanted = Vec::new();
    for &depth in depths {
        // The shallowest search costs next to nothing.
        let pairs = if depth == 1 { 4 * pairs } else { pairs };
        let (of_uct, of_random, nodes) = published(depth);
        let name = format!("UCT, matched nodes – MM-{depth}-1R");
        wanted.push((name, of_uct, duel([uct(), mm_1r(depth)], none, true, pairs)));
        if let Some(nodes) = nodes {
            let name = format!("UCT, {nodes} – MM-{depth}-1R");
            let budgets = [Budget::iterations(nodes), Budget::default()];
            wanted.push((name, of_uct, duel([uct(), mm_1r(depth)], budgets, false, pairs)));
        }
        let name = format!("random – MM-{depth}-1R");
        wanted.push((name, of_random, duel(["random".into(), mm_1r(depth)], none, false, pairs)));
    }
    let [least, most] = [depths[0], depths[depths.len() - 1]];
    let deeper = duel([mm_1r(most), mm_1r(least)], none, false, pairs);
    wanted.push((format!("MM-{most}-1R – MM-{least}-1R"), if most == 6 { "66 %" } else { "" }, deeper));
    let played = play(wanted, bench)?;
    let findings = played
        .iter()
        .map(|played| if played.name.starts_with("random") { below(played) } else { above(played) })
        .collect();
    let (table, figure) = shown(&played, "Chess without knowledge");
    Ok(Outcome {
        summary: format!(
            "Minimax whose leaves are valued by one random playout against UCT and against a random player; playouts are drawn after {PLIES} plies. Our alpha-beta visits far fewer nodes than the table of the thesis says, so UCT also has as many simulations as that."
        ),
        findings,
        tables: vec![table],
        figures: vec![("table3.1".into(), "The line is 50 %.".into(), figure)],
    })
}

/// The experiment of Table 3.2.
pub(crate) static TABLE3_2: Experiment = Experiment {
    id: "thesis-table3.2",
    title: "Chess: UCT_H against UCT",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.1.2, Table 3.2",
    takes: &[(Scale::Quick, 50), (Scale::Full, 200_000)],
    run: table3_2,
};

fn table3_2(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (simulations, pairs) = bench.scale.pick((500, 6), (10_000, 100));
    let published = [(50, "55.0 %"), (100, "85.5 %"), (1000, "96.5 %")];
    // The first and the last of the constants.
    let constants = [CONSTANTS[0], CONSTANTS[2]];
    let mut wanted = Vec::new();
    for (iterations, published) in published {
        for c in constants {
            let budgets = [Budget::iterations(iterations), Budget::iterations(simulations)];
            let name = format!("UCT_H, {iterations}, c = {c} – UCT");
            wanted.push((name, published, duel([uct_h(c), uct()], budgets, false, pairs)));
        }
    }
    let played = play(wanted, bench)?;
    let claims = [(0.4, 0.7, "competitive"), (0.5, 1.0, "ahead"), (0.85, 1.0, "almost always the winner")];
    let readings = played.chunks(constants.len());
    let findings = published.iter().zip(claims).zip(readings).map(|((of, (lo, hi, words)), readings)| {
        let (iterations, published) = of;
        claim(
            format!("With {iterations} iterations UCT_H is {words} against UCT with {simulations}"),
            published,
            readings,
            |score| Verdict::within(score, Interval { lo, hi }),
            format!(
                "agrees if the interval of the score lies within {:.0} to {:.0} %, differs if outside",
                100.0 * lo,
                100.0 * hi
            ),
        )
    });
    let findings = findings.collect();
    let (table, figure) = shown(&played, "UCT_H against UCT in chess");
    Ok(Outcome {
        summary: format!(
            "UCT_H, whose leaves are valued by what the pieces are worth on their squares, against UCT with {simulations} random playouts a move{}. The thesis gives no exploration constant for UCT_H: that of UCT and a smaller one are tried.",
            if simulations == 10_000 { "" } else { " (the thesis: 10,000)" }
        ),
        findings,
        tables: vec![table],
        figures: vec![("table3.2".into(), "The line is 50 %.".into(), figure)],
    })
}

/// A claim about a match that has several readings.
fn claim(
    claim: String,
    published: &str,
    readings: &[Played],
    verdict: impl Fn(Interval) -> Verdict,
    rule: String,
) -> Finding {
    let verdicts: Vec<Verdict> =
        readings.iter().map(|played| verdict(played.standing.score.interval())).collect();
    let measured: Vec<String> = readings.iter().map(|played| percent(&played.standing.score)).collect();
    let games = readings.first().map_or(0, |played| 2 * played.standing.pairs.count());
    let constants = if readings.len() == CONSTANTS.len() { "0.4, 0.1 and 0.03" } else { "0.4 and 0.03" };
    Finding {
        claim,
        published: published.into(),
        measured: format!("{} of {games} games each", measured.join("; ")),
        verdict: Verdict::of_readings(&verdicts),
        rule: format!("{rule}; depends if readings agree and differ"),
        note: format!("c = {constants}"),
    }
}

/// The experiment of the end of section 3.1.2.
pub(crate) static AGAINST_MINIMAX: Experiment = Experiment {
    id: "thesis-3.1.2",
    title: "Chess: how many iterations UCT_H needs against Minimax",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.1.2",
    takes: &[(Scale::Quick, 50), (Scale::Full, 40_000)],
    run: against_minimax,
};

/// The depth of Minimax, and the iterations with which UCT_H is said to equal it.
const EQUALS: [(u32, u64); 2] = [(2, 5_000), (4, 100_000)];

fn against_minimax(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    // For each depth of Minimax: pairs, and iterations of UCT_H.
    let plans: [(u64, &[u64]); 2] = bench.scale.pick(
        [(15, &[1_500, 5_000]), (5, &[5_000, 15_000])],
        [(200, &[500, 1_500, 5_000, 15_000]), (100, &[5_000, 15_000, 50_000, 100_000])],
    );
    let mut wanted = Vec::new();
    for ((depth, equal), (pairs, steps)) in EQUALS.into_iter().zip(plans) {
        for &iterations in steps {
            for c in CONSTANTS {
                let budgets = [Budget::iterations(iterations), Budget::default()];
                let name = format!("UCT_H, {iterations}, c = {c} – MM-{depth}");
                let published = if iterations == equal { "about 50 %" } else { "" };
                wanted.push((name, published, duel([uct_h(c), mm(depth)], budgets, false, pairs)));
            }
        }
    }
    let played = play(wanted, bench)?;
    let (near, far) = played.split_at(plans[0].1.len() * CONSTANTS.len());
    let mut findings = Vec::new();
    let mut figure = Figure::new("UCT_H against Minimax in chess");
    figure.subtitle = "Score of UCT_H over its iterations, with 95 % intervals".into();
    figure.columns = 2;
    for (((depth, equal), (_, steps)), played) in EQUALS.into_iter().zip(plans).zip([near, far]) {
        let rows: Vec<&[Played]> = played.chunks(CONSTANTS.len()).collect();
        if let Some(at) = steps.iter().position(|&iterations| iterations == equal) {
            // Two claims, so that readings on both sides show.
            findings.push(claim(
                format!("With {equal} iterations UCT_H is not much weaker than MM-{depth}"),
                "about 50 %",
                rows[at],
                |score| Verdict::above(score, 0.35),
                "agrees if the interval of the score lies above 35 %, differs if below".into(),
            ));
            findings.push(claim(
                format!("With {equal} iterations UCT_H is not much stronger than MM-{depth}"),
                "about 50 %",
                rows[at],
                |score| Verdict::below(score, 0.65),
                "agrees if the interval of the score lies below 65 %, differs if above".into(),
            ));
        } else {
            // With fewer than the published iterations it must be behind.
            let last = steps.len() - 1;
            findings.push(claim(
                format!("With {} iterations UCT_H is behind MM-{depth}", steps[last]),
                &format!("about even with {equal}"),
                rows[last],
                |score| Verdict::below(score, 0.5),
                BELOW.into(),
            ));
        }
        let curve = |(at, c): (usize, &f64)| {
            let points =
                steps.iter().zip(&rows).map(|(&n, row)| (n as f64, drawn(&row[at].standing.score, 100.0)));
            Curve::new(format!("c = {c}"), Look::Marked, points)
        };
        let lines = Lines {
            x: Axis::new("iterations").log(),
            y: Axis::new("score").unit("%").range(0.0, 100.0),
            curves: CONSTANTS.iter().enumerate().map(curve).collect(),
            references: vec![Reference::new("", 50.0)],
        };
        figure = figure.panel(format!("against MM-{depth}"), Chart::Lines(lines));
    }
    let (table, _) = shown(&played, "");
    Ok(Outcome {
        summary: "UCT_H against plain alpha-beta of depth 2 and 4, both with what the pieces are worth on their squares (the thesis: the evaluation of GNU Chess). The thesis gives no exploration constant for UCT_H: three are tried.".into(),
        findings,
        tables: vec![table],
        figures: vec![("iterations".into(), "The line is 50 %.".into(), figure)],
    })
}
