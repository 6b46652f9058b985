//! Figures 4.8 and 4.9 (section 4.4): UCTMAX_H against MM-k in positions where no game ends yet; and to the
//! end, as the hybrid player.

use super::curves::{self, Course, better};
use super::kalah::{BEST_C, Board, LARGE, USUAL, finish, matched};
use crate::duels::Duel;
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Verdict};
use astragal_arena::terms::Terms;
use astragal_plot::{Axis, Figure};

/// The experiment.
pub(crate) static PARTIAL: Experiment = Experiment {
    id: "thesis-fig4.8",
    title: "Where no game ends yet: UCTMAX_H against Minimax in Kalah, the hybrid (Figures 4.8, 4.9)",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.4, Figures 4.8, 4.9",
    takes: &[(Scale::Quick, 300), (Scale::Full, 40_000)],
    run,
};

/// The ratio of finished games to unfinished states visited by Minimax above which another player finishes
/// the game.
const ENDINGS: &str = "endings=0.003";

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (pairs, last) = bench.scale.pick((150, 8), (500, 16));
    let depths = |board: Board| -> &[u32] {
        bench.scale.pick(if board.pits == LARGE.pits { &[4, 6] } else { &[6, 8] }, &[6, 8, 10, 12, 14])
    };
    let course = |board: Board, partial: bool| {
        let duel = |&depth: &u32| {
            let duel = matched(board, board.uctmax_h(BEST_C), depth, pairs);
            let finish = partial.then(|| finish(ENDINGS, last));
            (f64::from(depth), Duel { terms: Terms { finish, ..duel.terms.clone() }, ..duel })
        };
        let games = if partial { "partial games" } else { "complete games" };
        Course { name: format!("{} {games}", board.name()), duels: depths(board).iter().map(duel).collect() }
    };
    let boards = [USUAL, LARGE];
    let courses: Vec<Course> =
        boards.iter().flat_map(|&board| [course(board, true), course(board, false)]).collect();
    let played = curves::play(courses, bench)?;
    let mut findings = Vec::new();
    let mut figure = Figure::new("Where no game ends yet");
    figure.subtitle = "Win rate of UCTMAX_H against MM-k, with 95 % intervals".into();
    figure.columns = 2;
    figure.width = 820.0;
    for (board, curves) in boards.iter().zip(played.chunks(2)) {
        let [partial, complete] = [&curves[0], &curves[1]];
        for (part, whole) in partial.points.iter().zip(&complete.points) {
            findings.push(better(
                format!("{}: against MM-{} partial games go better than complete ones", board.name(), part.x),
                "partial above complete at every k",
                &part.gain(whole),
                String::new(),
            ));
        }
        findings.push(better(
            format!("{}: in partial games the win rate falls with k", board.name()),
            "falling",
            &partial.first().gain(partial.last()),
            format!("k = {} less k = {}", partial.first().x, partial.last().x),
        ));
        let ends: Vec<String> = partial
            .points
            .iter()
            .map(|point| format!("{:.1} (MM-{})", point.standing.decisions, point.x))
            .collect();
        findings.push(Finding {
            claim: format!("{}: when Minimax sees enough endings", board.name()),
            published: if board.pits == USUAL.pits {
                "after 21 plies against MM-6, after 8 against MM-14"
            } else {
                ""
            }
            .into(),
            measured: format!("after {} decisions", ends.join(", ")),
            verdict: Verdict::New,
            rule: String::new(),
            note: "means; moves without a choice are not counted".into(),
        });
        for point in &partial.points {
            findings.push(curves::wins(
                format!("{}: the hybrid, partial games, beats MM-{}", board.name(), point.x),
                "above 50 %",
                point,
            ));
        }
        figure = figure.panel(
            format!("Kalah{}", board.name()),
            curves::chart(&[partial, complete], Axis::new("depth k of Minimax")),
        );
    }
    Ok(Outcome {
        summary: format!(
            "UCTMAX_H with c = {BEST_C} stones against MM-k on {pairs} random boards of Kalah(6, 4) and Kalah(8, 6), each played twice, with as many simulations as Minimax visits nodes at the same position. Partial games are finished by MM-{last} for both{} as soon as finished games exceed 0.003 of the unfinished states that Minimax visits; so UCTMAX_H followed by Minimax is a hybrid that plays complete games.",
            if last == 16 { "" } else { " (the thesis: MM-16)" }
        ),
        findings,
        tables: vec![curves::table(&played, "k")],
        figures: vec![(
            "figure4.8".into(),
            "Left Figure 4.8, right Figure 4.9. The line is 50 %.".into(),
            figure,
        )],
    })
}
