//! Section 4.2: the frequency of traps in chess and Kalah (Figure 4.2, and the section's last paragraph on
//! Kalah).

use super::kalah::USUAL;
use crate::text::{drawn, interval, percent, share};
use crate::{Bench, Experiment, Failed, Finding, Outcome, Scale, Table, Verdict};
use astragal_arena::survey::{Board, Boards, Source, Survey, at_risk, sprung};
use astragal_arena::work::Work;
use astragal_catalog::game;
use astragal_core::{Budget, Interval, Unwatched};
use astragal_plot::{Axis, Chart, Curve, Figure, Grouped, Lines, Look, Reference, Series};
use astragal_stats::{Estimate, LEVEL, Running};

/// Plays the games of a survey that are not yet in the store, and looks for traps.
fn look(survey: &Survey, games: u64, bench: &mut Bench<'_>) -> Result<Vec<Boards>, Failed> {
    bench.units(&[(survey as &dyn Work, games)], |_| "traps in games".into())?;
    bench.results(survey, games)
}

/// The share of boards with a trap of at most this level, at one index of each game.
fn risk(games: &[Boards], at: usize, level: u32) -> Option<Estimate> {
    Reading::Have.share(games, at, level)
}

/// What the thesis may mean by traps on the boards of a game.
#[derive(Clone, Copy)]
enum Reading {
    /// Boards with a move that leads into a trap, as in Figure 4.2.
    Have,
    /// Boards that are traps: the player to move can force a win.
    Are,
}

impl Reading {
    const ALL: [Self; 2] = [Self::Have, Self::Are];

    fn name(self) -> &'static str {
        match self {
            Self::Have => "boards with a trap",
            Self::Are => "boards that are traps",
        }
    }

    /// The number of boards at an index, and how many of them count.
    fn count(self, games: &[Boards], at: usize, level: u32) -> (u64, u64) {
        match self {
            Self::Have => at_risk(games, at, level),
            Self::Are => sprung(games, at, level),
        }
    }

    fn share(self, games: &[Boards], at: usize, level: u32) -> Option<Estimate> {
        let (boards, counted) = self.count(games, at, level);
        (boards > 0).then(|| share(counted as usize, boards as usize))
    }

    /// The index of the first board of a game that counts.
    fn first(self, game: &Boards, level: u32) -> Option<usize> {
        match self {
            Self::Have => {
                game.boards.iter().position(|board| matches!(board, Board::Trap(found) if *found <= level))
            }
            Self::Are => game.won.iter().position(|won| won.is_some_and(|steps| steps <= level)),
        }
    }
}

/// The experiment in Kalah.
pub(crate) static KALAH_TRAPS: Experiment = Experiment {
    id: "thesis-4.2-kalah",
    title: "Traps in Kalah by ply",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.2",
    takes: &[(Scale::Quick, 30), (Scale::Full, 7200)],
    run: kalah,
};

/// The thesis's levels in Kalah, with the ply at which 5 % of the boards are traps and the ply of the first
/// trap.
const KALAH: [(u32, u32, f64); 2] = [(5, 35, 20.0), (11, 22, 12.0)];
/// The share of boards that the thesis mentions.
const FEW: f64 = 0.05;
/// How many plies from the published one the share must be on the right side of `FEW`.
const AROUND: u32 = 5;
/// The last ply.
const LAST: u32 = 44;

/// Who gets the stones that remain when one side is empty: their owner, as is usual and in the other
/// experiments, or the player whose side is empty, as the thesis says.
const SWEEPS: [(&str, &str); 2] = [("own", "rest to its owner"), ("emptied", "rest to who is empty")];

/// The results in Kalah: the games under each rule.
struct KalahTraps {
    games: Vec<Vec<Boards>>,
}

impl KalahTraps {
    /// All readings: the name, the games, and the boards that count in them.
    fn readings(&self) -> impl Iterator<Item = (String, &[Boards], Reading)> {
        self.games.iter().zip(SWEEPS).flat_map(|(games, (_, words))| {
            Reading::ALL.map(|reading| (format!("{words}, {}", reading.name()), games.as_slice(), reading))
        })
    }

    /// A claim that is measured under each reading.
    fn finding(
        &self,
        claim: String,
        published: String,
        rule: String,
        found: Vec<(String, Verdict)>,
    ) -> Finding {
        let (measured, verdicts): (Vec<String>, Vec<Verdict>) = found.into_iter().unzip();
        let names: Vec<String> = self.readings().map(|(name, ..)| name).collect();
        let verdict = Verdict::of_readings(&verdicts);
        Finding { claim, published, measured: measured.join("; "), verdict, rule, note: names.join("; ") }
    }

    /// The claim that more or fewer boards than the thesis's share are traps at a ply.
    fn share(&self, level: u32, few: u32, is_after: bool) -> Finding {
        let (ply, words, side) =
            if is_after { (few + AROUND, "more", "above") } else { (few - AROUND, "fewer", "below") };
        let judge = if is_after { Verdict::above } else { Verdict::below };
        let found =
            self.readings().map(|(_, games, reading)| match reading.share(games, ply as usize, level) {
                Some(share) => (percent(&share), judge(share.interval(), FEW)),
                None => ("no board".into(), Verdict::Open),
            });
        self.finding(
            format!("Level ≤ {level}: at ply {ply} {words} than 5 % of the boards are traps"),
            format!("5 % at ply {few}"),
            format!(
                "agrees if the interval lies {side} 5 %, differs if on the other side; depends if readings agree and differ"
            ),
            found.collect(),
        )
    }

    /// The mean ply of the first trap, over the games that have one.
    fn first(&self, level: u32, first: f64) -> Finding {
        let near = Interval::new(0.75 * first, 1.25 * first);
        let found = self.readings().map(|(_, games, reading)| {
            let plies = games.iter().filter_map(|game| reading.first(game, level)).map(|ply| ply as f64);
            let plies: Running = plies.collect();
            let mean = plies.estimate(LEVEL);
            (
                format!("{} in {} games", interval(&mean, 1), plies.count()),
                Verdict::within(mean.interval(), near),
            )
        });
        let mut finding = self.finding(
            format!("The first trap of level ≤ {level} of a game comes about ply {first}"),
            format!("about ply {first}"),
            "agrees if the interval of the mean lies within a quarter of the published ply, differs if outside; depends if readings agree and differ".into(),
            found.collect(),
        );
        finding.measured.push_str(&format!(", of {} each", self.games[0].len()));
        finding
    }

    fn findings(&self) -> Vec<Finding> {
        let of_level = |(level, few, first)| {
            [self.share(level, few, false), self.share(level, few, true), self.first(level, first)]
        };
        KALAH.into_iter().flat_map(of_level).collect()
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "traps",
            "Boards of unfinished games by ply, and how many of them have a trap of at most this level, or are one.",
            &["rest to", "ply", "boards", "have ≤ 5", "have ≤ 11", "are ≤ 5", "are ≤ 11"],
        );
        for ((sweep, _), games) in SWEEPS.iter().zip(&self.games) {
            for ply in 0..=LAST {
                let at = ply as usize;
                let counts = Reading::ALL
                    .into_iter()
                    .flat_map(|of| KALAH.map(|(level, ..)| of.count(games, at, level).1));
                let row =
                    [sweep.to_string(), ply.to_string(), at_risk(games, at, 0).0.to_string()].into_iter();
                table.rows.push(row.chain(counts.map(|count| count.to_string())).collect());
            }
        }
        table
    }

    fn figure(&self) -> Figure {
        let mut figure = Figure::new("Traps in Kalah");
        figure.subtitle = "Shares of the boards by ply, with 95 % intervals".into();
        for (name, games, reading) in self.readings() {
            let curve = |(level, ..): (u32, u32, f64)| {
                let point = |ply: u32| {
                    Some((f64::from(ply), drawn(&reading.share(games, ply as usize, level)?, 100.0)))
                };
                Curve::new(format!("level ≤ {level}"), Look::Band, (0..=LAST).filter_map(point))
            };
            figure = figure.panel(
                name,
                Chart::Lines(Lines {
                    x: Axis::new("ply"),
                    y: Axis::new("boards").unit("%").range(0.0, 100.0),
                    curves: KALAH.map(curve).into(),
                    references: vec![Reference::new("5 %", 5.0)],
                }),
            );
        }
        figure
    }
}

fn kalah(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, games) = bench.scale.pick((12, 100), (12, 1000));
    let engine = format!("alpha-beta(depth={depth})");
    let mut found = KalahTraps { games: Vec::new() };
    for (sweep, _) in SWEEPS {
        let (engine, plies) = (engine.clone(), (0..=LAST).collect());
        let source =
            Source::SelfPlay { engine, budget: Budget::default(), random: 0.0, opening: 0, deal: true };
        let spec = format!("kalah(pits={},stones={},sweep={sweep})", USUAL.pits, USUAL.stones);
        let survey = Survey::new(game(&spec)?.into(), source, plies, KALAH[1].0, bench.seed)?;
        found.games.push(look(&survey, games, bench)?);
    }
    Ok(Outcome {
        summary: format!(
            "{games} games of Kalah{} from random boards between two players MM-{depth}, twice: the stones that are left when a side is empty go to whose they are, as is usual, or to whose side is empty, as the thesis says. On every board all moves are looked at: whether the other side can force a win within 5 and within 11 plies after it, in which case the board has a trap; and whether who is to move can, in which case it is one.",
            USUAL.name(),
        ),
        findings: found.findings(),
        tables: vec![found.table()],
        figures: vec![(
            "traps".into(),
            "Boards of games that were over are not counted.".into(),
            found.figure(),
        )],
    })
}

/// The experiment in chess.
pub(crate) static FIGURE4_2: Experiment = Experiment {
    id: "thesis-fig4.2",
    title: "Traps in chess: semi-random games",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.2, Figure 4.2",
    takes: &[(Scale::Quick, 10), (Scale::Full, 40_000)],
    run: chess,
};

/// Plies of the figure.
const PLIES: [u32; 4] = [15, 31, 47, 63];

fn chess(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, games, levels): (u32, u64, &[u32]) =
        bench.scale.pick((3, 100, &[1, 3]), (8, 200, &[1, 3, 5]));
    let source = semi_random(depth);
    let risks = Risks::find(source, games, levels, bench)?;
    let most = *levels.last().expect("there are some");
    let mut findings = vec![
        risks.near(1, most, "7 to 10 % for levels 1 to 7", Interval::new(0.02, 0.2)),
        risks.near(2, most, "as many as 15 %", Interval::new(0.05, 0.3)),
    ];
    findings.extend((0..PLIES.len()).map(|at| Finding {
        claim: format!("There are shallow traps at ply {}", PLIES[at]),
        published: "at essentially every depth of the game".into(),
        rule: "agrees if the interval lies above 1 %, differs if below".into(),
        verdict: risks.of(at, most).map_or(Verdict::Open, |share| Verdict::above(share.interval(), 0.01)),
        ..risks.near(at, most, "", Interval::new(0.0, 1.0))
    }));
    let summary = format!(
        "{games} games of chess in which a third of the moves are random and the others those of alpha-beta at depth {depth} with captures followed{}. {LOOK}",
        if depth == 8 { "" } else { " (the thesis: MM-8 of GNU Chess)" }
    );
    Ok(risks.outcome(summary, findings, "figure4.2", "Traps in chess: semi-random games"))
}

/// The procedure on each board.
const LOOK: &str = "On the boards after 15, 31, 47 and 63 plies all moves are looked at: whether the other side can force mate within so many plies after it.";

/// Semi-random games of chess.
pub(super) fn semi_random(depth: u32) -> Source {
    let engine = format!("alpha-beta(depth={depth},quiescence=4)");
    Source::SelfPlay { engine, budget: Budget::default(), random: 1.0 / 3.0, opening: 0, deal: false }
}

/// Games of strong players: those given, or self-play. Returns the source, their number, and a description.
pub(super) fn strong(bench: &Bench<'_>, depth: u32, games: u64) -> (Source, u64, String) {
    if bench.games.is_empty() {
        let engine = format!("alpha-beta(depth={depth},quiescence=8)");
        let source = Source::SelfPlay {
            engine,
            budget: Budget::default(),
            random: 0.0,
            opening: OPENING,
            deal: false,
        };
        let words = format!(
            "{games} games of self-play by alpha-beta at depth {depth} with captures followed, after {OPENING} random moves, in place of games of grandmasters (--pgn FILE takes such)"
        );
        return (source, games, words);
    }
    let games = bench.games.len() as u64;
    (Source::Games(bench.games.to_vec()), games, format!("the {games} games that were given"))
}

/// Random moves at the beginning of self-play.
const OPENING: u32 = 6;

/// The experiment in chess between strong players.
pub(crate) static FIGURE4_3: Experiment = Experiment {
    id: "thesis-fig4.3",
    title: "Traps in chess: games of strong players",
    source: "Understanding Sampling-Based Adversarial Search (Ramanujan 2012), section 4.2, Figure 4.3",
    takes: &[(Scale::Quick, 45), (Scale::Full, 20_000)],
    run: between_strong,
};

fn between_strong(bench: &mut Bench<'_>) -> Result<Outcome, Failed> {
    let (depth, games, levels): (u32, u64, &[u32]) =
        bench.scale.pick((4, 100, &[1, 3]), (8, 200, &[1, 3, 5]));
    let (source, games, words) = strong(bench, depth, games);
    let risks = Risks::find(source, games, levels, bench)?;
    let most = *levels.last().expect("there are some");
    let mut findings = vec![risks.near(2, most, "about 12 %", Interval::new(0.04, 0.25))];
    let by = |early: &Estimate, late: &Estimate| Interval::new(late.lo - early.hi, late.hi - early.lo);
    if let (Some(early), Some(late)) = (risks.of(0, most), risks.of(2, most)) {
        findings.push(Finding {
            claim: "Traps are rarer at ply 15 than at ply 47".into(),
            published: "most games follow safe, well-established lines at first".into(),
            measured: format!("{} and {}", percent(&early), percent(&late)),
            verdict: Verdict::above(by(&early, &late), 0.0),
            rule: "agrees if the interval at ply 47 lies above that at ply 15, differs if below".into(),
            note: String::new(),
        });
    }
    let summary = format!("Boards from {words}. {LOOK}");
    Ok(risks.outcome(summary, findings, "figure4.3", "Traps in chess: games of strong players"))
}

/// Chess boards at the plies of the figures, and their traps.
struct Risks<'l> {
    found: Vec<Boards>,
    levels: &'l [u32],
}

impl<'l> Risks<'l> {
    fn find(source: Source, games: u64, levels: &'l [u32], bench: &mut Bench<'_>) -> Result<Self, Failed> {
        let most = *levels.last().expect("there are some");
        let survey = Survey::new(game("chess")?.into(), source, PLIES.to_vec(), most, bench.seed)?;
        // Games from outside are replayed once, to reject invalid ones, before the survey relies on them.
        if survey.games().is_some() {
            for number in 0..games {
                survey.walk(number, &mut Unwatched, &mut |_, _, _| true)?;
            }
        }
        Ok(Self { found: look(&survey, games, bench)?, levels })
    }

    fn of(&self, at: usize, level: u32) -> Option<Estimate> {
        risk(&self.found, at, level)
    }

    /// A claim about the share of boards with a trap.
    fn near(&self, at: usize, level: u32, published: &str, near: Interval) -> Finding {
        let found = self.of(at, level);
        Finding {
            claim: format!("Ply {}: boards with a trap of level ≤ {level}", PLIES[at]),
            published: published.into(),
            measured: found.as_ref().map_or("no board".into(), percent),
            verdict: found.map_or(Verdict::Open, |found| Verdict::within(found.interval(), near)),
            rule: format!(
                "agrees if the interval lies in {:.0} to {:.0} %, differs if outside",
                100.0 * near.lo,
                100.0 * near.hi
            ),
            note: String::new(),
        }
    }

    fn outcome(&self, summary: String, findings: Vec<Finding>, name: &str, title: &str) -> Outcome {
        let mut table = Table::new(
            "traps",
            "Boards of unfinished games by ply, and the share with a trap of at most this level, in per cent.",
            &["ply", "boards", "level", "at risk", "%", "low", "high"],
        );
        for (at, ply) in PLIES.into_iter().enumerate() {
            for &level in self.levels {
                let (boards, risky) = at_risk(&self.found, at, level);
                let mut row = vec![ply.to_string(), boards.to_string(), level.to_string(), risky.to_string()];
                match self.of(at, level) {
                    Some(e) => row.extend([e.mean, e.lo, e.hi].map(|x| format!("{:.1}", 100.0 * x))),
                    None => row.extend(["", "", ""].map(String::from)),
                }
                table.rows.push(row);
            }
        }
        let series = |&level: &u32| {
            let bar =
                |at: usize| self.of(at, level).map_or(astragal_plot::Estimate::MISSING, |e| drawn(&e, 100.0));
            Series::new(format!("level ≤ {level}"), (0..PLIES.len()).map(bar).collect())
        };
        let mut figure = Figure::new(title);
        figure.subtitle = "Boards at risk, with 95 % intervals".into();
        figure = figure.panel(
            "",
            Chart::Bars(Grouped {
                categories: PLIES.iter().map(|ply| format!("ply {ply}")).collect(),
                series: self.levels.iter().map(series).collect(),
                axis: Axis::new("boards at risk").unit("%"),
                ..Grouped::default()
            }),
        );
        let caption = "Boards of games that were over are not counted.".into();
        Outcome { summary, findings, tables: vec![table], figures: vec![(name.into(), caption, figure)] }
    }
}
