//! Figure 3.1 (section 3.1.3): whether playouts between weak players predict the result of a deep search, in
//! chess.
//!
//! The thesis does not say what makes its playouts differ from each other. Here each player of a playout
//! occasionally moves at random, and a playout that grows too long is evaluated as it stands.

use super::traps::strong;
use crate::bench::{Batch, check};
use crate::text::{decimal, drawn, interval};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::survey::Survey;
use astragal_arena::work::Work;
use astragal_catalog::{AnyGame, Engine, Position, game};
use astragal_core::{Budget, Sampler, Stream, Turn, Watch, below, unit};
use astragal_plot::{Axis, Chart, Figure, Grouped, Series};
use astragal_stats::{Estimate, LEVEL, Running, spearman};
use serde::{Deserialize, Serialize};

/// The experiment.
pub(crate) static FIGURE3_1: Experiment = Experiment {
    id: "thesis-fig3.1",
    title: "Chess: what playouts between weak players know",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 3.1.3, Figure 3.1",
    takes: &[(Scale::Quick, 30), (Scale::Full, 10_000)],
    run,
};

/// The ply at which boards are taken.
const PLY: u32 = 31;
/// The probability that a player of a playout moves at random.
const RANDOM: f64 = 0.1;
/// The longest playout, in plies.
const LONGEST: u32 = 60;
/// Values closer than this share of the range are tied.
const TIE: f64 = 0.0005;

/// The ways to value a move, in the order of the findings.
const WAYS: [&str; 4] = ["MM-2 playouts", "the evaluation", "random playouts", "playouts by the evaluation"];

/// The values of a board's moves by each way and by a deep search, for the player to move.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Board {
    position: String,
    deep: Vec<f64>,
    ways: [Vec<f64>; 4],
}

/// The mean value of playouts from a position; without an engine all moves are random.
fn playouts(
    chess: &dyn AnyGame,
    from: &dyn Position,
    mut engine: Option<Box<dyn Engine>>,
    count: u32,
    stream: &mut Stream,
    watch: &mut dyn Watch,
) -> Result<f64, Failed> {
    // Evaluates an unfinished playout as it stands.
    let mut judge = chess.engine("alpha-beta(depth=1,plain=on)")?;
    let mut sum = 0.0;
    for _ in 0..count {
        let mut now = from.duplicate();
        let mut ply = 0;
        sum += loop {
            if let Turn::Over(payoff) = now.turn() {
                break payoff;
            }
            if ply == LONGEST {
                break judge.analyze(&*now, 0, &Budget::default(), watch).value;
            }
            let at_random = unit(stream.bits()) < RANDOM;
            now = match &mut engine {
                Some(engine) if !at_random => {
                    let best = engine.analyze(&*now, 0, &Budget::default(), watch).best;
                    now.act(&best.expect("a player decides"))?
                }
                _ => {
                    let moves = now.actions().len() as u64;
                    now.act_at(below(stream.bits(), moves) as usize).expect("a move")
                }
            };
            ply += 1;
        };
        check(watch)?;
    }
    Ok(sum / f64::from(count))
}

/// Values the moves of a board in every way.
fn judged(
    position: &dyn Position,
    depth: u32,
    count: u32,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Board, Failed> {
    let chess = game("chess")?;
    let Turn::Decide(player) = position.turn() else { unreachable!("a player decides") };
    let values = |spec: &str, watch: &mut dyn Watch| -> Result<Vec<f64>, Failed> {
        let analysis = chess.engine(spec)?.analyze(position, 0, &Budget::default(), watch);
        check(watch)?;
        Ok(analysis.lines.iter().map(|line| player.sign() * line.value).collect())
    };
    let deep = values(&format!("alpha-beta(depth={depth},all_lines=on,table_mib=64)"), watch)?;
    let still = values("alpha-beta(depth=1,all_lines=on)", watch)?;
    let mut ways = [Vec::new(), still, Vec::new(), Vec::new()];
    let players = [(0, Some("alpha-beta(depth=2)")), (2, None), (3, Some("alpha-beta(depth=1)"))];
    for (way, spec) in players {
        for at in 0..deep.len() {
            let mut stream = Sampler::new(seed).stream(at as u64, way as u32);
            let child = position.act_at(at).expect("a move");
            let engine = spec.map(|spec| chess.engine(spec)).transpose()?;
            // Random playouts carry less information, and are cheaper.
            let count = if spec.is_none() { 5 * count } else { count };
            let value = playouts(&*chess, &*child, engine, count, &mut stream, watch)?;
            ways[way].push(player.sign() * value);
        }
    }
    Ok(Board { position: position.text(), deep, ways })
}

/// Rounds values so that nearly equal ones are tied.
fn smoothed(values: &[f64], width: f64) -> Vec<f64> {
    values.iter().map(|value| (value / (TIE * width)).round()).collect()
}

fn run(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, strength, boards, count) = bench.scale.pick((5, 4, 24, 8), (8, 6, 100, 30));
    let (source, games, words) = strong(bench, strength, boards);
    let games = games.min(boards);
    let chess = game("chess")?;
    let width = chess.range().width();
    let survey = Survey::new(chess.into(), source, vec![PLY], 0, bench.seed)?;
    let batch = Batch { experiment: FIGURE3_1.id, part: &survey.text(), count: games as usize };
    let seed = bench.seed;
    let found: Vec<Option<Board>> = bench.each(batch, "rankings of moves", |number, watch| {
        let mut board = None;
        survey.walk(number as u64, watch, &mut |ply, position, _| {
            if ply == PLY && matches!(position.turn(), Turn::Decide(_)) {
                board = Some(position.duplicate());
            }
            true
        })?;
        check(watch)?;
        board
            .map(|board| judged(&*board, depth, count, Sampler::new(seed).draw(number as u64, 0, 0), watch))
            .transpose()
    })?;
    let found: Vec<Board> = found.into_iter().flatten().collect();
    let correlation = |board: &Board, way: usize| {
        spearman(&smoothed(&board.deep, width), &smoothed(&board.ways[way], width)).unwrap_or(0.0)
    };
    let over = |measure: &dyn Fn(&Board) -> f64| -> Estimate {
        found.iter().map(measure).collect::<Running>().estimate(LEVEL)
    };
    let means: Vec<Estimate> = (0..WAYS.len()).map(|way| over(&|board| correlation(board, way))).collect();
    let mut findings = vec![Finding {
        claim: format!("The ranking of moves by MM-2 playouts is close to that of MM-{depth}"),
        published: "almost on the diagonal, on one board".into(),
        measured: format!("rank correlation {} on {} boards", interval(&means[0], 2), found.len()),
        verdict: Verdict::above(means[0].interval(), 0.7),
        rule: "agrees if the interval of the mean rank correlation lies above 0.7, differs if below".into(),
        note: String::new(),
    }];
    for way in 1..WAYS.len() {
        let by = over(&|board| correlation(board, 0) - correlation(board, way));
        findings.push(Finding {
            claim: format!("It is closer than that by {}", WAYS[way]),
            published: "much more loosely correlated".into(),
            measured: format!("by {}: {} against {}", interval(&by, 2), decimal(means[0].mean, 2), decimal(means[way].mean, 2)),
            verdict: Verdict::above(by.interval(), 0.0),
            rule: "agrees if the interval of the mean difference, board by board, lies above 0, differs if below".into(),
            note: String::new(),
        });
    }
    let mut table = Table::new(
        "correlations",
        "Rank correlations of the moves of each board with the deep search.",
        &["position", "moves", WAYS[0], WAYS[1], WAYS[2], WAYS[3]],
    );
    for board in &found {
        let mut row = vec![board.position.clone(), board.deep.len().to_string()];
        row.extend((0..WAYS.len()).map(|way| decimal(correlation(board, way), 3)));
        table.rows.push(row);
    }
    let mut figure = Figure::new("What playouts between weak players know");
    figure.subtitle =
        format!("Rank correlation of moves with MM-{depth}, means over boards with 95 % intervals");
    figure = figure.panel(
        "",
        Chart::Dots(Grouped {
            categories: WAYS.map(String::from).into(),
            series: vec![Series::new(
                "rank correlation",
                means.iter().map(|mean| drawn(mean, 1.0)).collect(),
            )],
            axis: Axis::new("rank correlation").range(0.0, 1.0),
            numbers: true,
            ..Grouped::default()
        }),
    );
    Ok(Outcome {
        summary: format!(
            "Boards of chess at ply {PLY} from {words}. All moves are ranked by MM-{depth}{}, by {count} playouts between two players MM-2, by the evaluation of the position after the move, by {} random playouts, and by {count} playouts between two players who follow the evaluation. A player of a playout moves at random one time in ten, and after {LONGEST} plies a playout is valued one ply deep.",
            if depth == 8 { "" } else { " (the thesis: MM-8)" },
            5 * count
        ),
        findings,
        tables: vec![table],
        figures: vec![("figure3.1".into(), "1 is the same ranking.".into(), figure)],
    })
}
