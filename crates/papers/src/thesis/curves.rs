//! Curves of matches: a player's win rate over a parameter.

use crate::duels::{self, Duel};
use crate::text::{drawn, percent};
use crate::{Bench, Failed, Finding, Table, Verdict};
use astragal_arena::contest::{PairRow, Standing};
use astragal_core::Interval;
use astragal_plot::{Axis, Chart, Curve, Lines, Look, Reference};
use astragal_stats::{Estimate, LEVEL, Pairs, Running};

/// A curve to be played: its name, and a match at each position.
pub(super) struct Course {
    pub(super) name: String,
    pub(super) duels: Vec<(f64, Duel)>,
}

/// A played curve.
pub(super) struct Played {
    pub(super) name: String,
    pub(super) points: Vec<Point>,
}

/// A match of a curve: its position on the curve, and its pairs.
pub(super) struct Point {
    pub(super) x: f64,
    rows: Vec<PairRow>,
    pub(super) standing: Standing,
}

impl Point {
    fn pairs(&self) -> &Pairs {
        &self.standing.pairs
    }

    /// The win rate as the thesis defines it, and the number of boards it is based on.
    pub(super) fn success(&self) -> (Estimate, u64) {
        self.pairs().success(LEVEL)
    }

    /// The gain in score over another point, board by board.
    pub(super) fn gain(&self, other: &Self) -> Estimate {
        let both = self.rows.iter().zip(&other.rows);
        both.map(|(one, other)| one.score() - other.score()).collect::<Running>().estimate(LEVEL)
    }

    /// The score of each board.
    pub(super) fn scores(&self) -> impl Iterator<Item = f64> {
        self.rows.iter().map(PairRow::score)
    }
}

impl Played {
    /// The point at this position.
    pub(super) fn at(&self, x: f64) -> &Point {
        self.points.iter().find(|point| point.x == x).expect("a place of the curve")
    }

    pub(super) fn first(&self) -> &Point {
        self.points.first().expect("a curve has points")
    }

    pub(super) fn last(&self) -> &Point {
        self.points.last().expect("a curve has points")
    }
}

/// Plays all curves side by side.
pub(super) fn play(courses: Vec<Course>, bench: &mut Bench<'_>) -> Result<Vec<Played>, Failed> {
    let mut duels = Vec::new();
    let mut plan = Vec::new();
    for Course { name, duels: own } in courses {
        let (places, own): (Vec<f64>, Vec<Duel>) = own.into_iter().unzip();
        plan.push((name, places));
        duels.extend(own);
    }
    let mut found = duels::play(&duels, bench)?.into_iter();
    let played = |(name, places): (String, Vec<f64>)| {
        let point = |x: f64| {
            let rows = found.next().expect("a match for each place");
            Point { x, standing: Standing::new(&rows), rows }
        };
        Played { name, points: places.into_iter().map(point).collect() }
    };
    Ok(plan.into_iter().map(played).collect())
}

/// The chart of the curves: win rates with their intervals.
pub(super) fn chart(curves: &[&Played], x: Axis) -> Chart {
    let curve = |played: &&Played| {
        let points = played.points.iter().map(|point| (point.x, drawn(&point.success().0, 100.0)));
        Curve::new(&played.name, Look::Marked, points)
    };
    Chart::Lines(Lines {
        x,
        y: Axis::new("win rate").unit("%").range(0.0, 100.0),
        curves: curves.iter().map(curve).collect(),
        references: vec![Reference::new("", 50.0)],
    })
}

/// The curves as a table.
pub(super) fn table(curves: &[Played], x: &str) -> Table {
    let mut table = Table::new(
        "matches",
        "All matches: boards, those that one side won (the others are set aside in the win rate, as in the thesis), the win rate with its 95 % interval, the score of all boards, nodes a decision of both players, and decisions a game that they made: neither moves without a choice nor those of a third player who finishes the game.",
        &[
            "curve",
            x,
            "boards",
            "won by a side",
            "win rate %",
            "low",
            "high",
            "score %",
            "low",
            "high",
            "nodes",
            "nodes of the other",
            "decisions a game",
        ],
    );
    for played in curves {
        for point in &played.points {
            let (success, decided) = point.success();
            let Standing { score, nodes, pairs, decisions, .. } = &point.standing;
            let mut row = vec![
                played.name.clone(),
                point.x.to_string(),
                pairs.count().to_string(),
                decided.to_string(),
            ];
            for estimate in [&success, score] {
                row.extend([estimate.mean, estimate.lo, estimate.hi].map(|x| format!("{:.1}", 100.0 * x)));
            }
            row.extend(nodes.map(|nodes| format!("{nodes:.0}")));
            row.push(format!("{decisions:.1}"));
            table.rows.push(row);
        }
    }
    table
}

/// The rule of a claim that one score is greater than another.
pub(super) const GREATER: &str =
    "agrees if the interval of the difference of scores, board by board, lies above 0, differs if below";

/// A claim that one player scores better than another: by how much, in percentage points.
pub(super) fn better(claim: String, published: &str, by: &Estimate, note: String) -> Finding {
    Finding {
        claim,
        published: published.into(),
        measured: points(by),
        verdict: Verdict::above(by.interval(), 0.0),
        rule: GREATER.into(),
        note,
    }
}

/// A claim that a player's win rate is above one half.
pub(super) fn wins(claim: String, published: &str, point: &Point) -> Finding {
    let (success, decided) = point.success();
    Finding {
        claim,
        published: published.into(),
        measured: format!("{} of {decided} boards", percent(&success)),
        verdict: Verdict::above(success.interval(), 0.5),
        rule: "agrees if the interval of the win rate lies above 50 %, differs if below".into(),
        note: String::new(),
    }
}

/// A claim that two players are about even.
pub(super) fn even(claim: String, published: &str, point: &Point, margins: Interval) -> Finding {
    let (success, decided) = point.success();
    Finding {
        claim,
        published: published.into(),
        measured: format!("{} of {decided} boards", percent(&success)),
        verdict: Verdict::within(success.interval(), margins),
        rule: format!(
            "agrees if the interval of the win rate lies in {:.0} to {:.0} %, differs if outside",
            100.0 * margins.lo,
            100.0 * margins.hi
        ),
        note: String::new(),
    }
}

/// A difference of scores in percentage points.
pub(super) fn points(by: &Estimate) -> String {
    let [mean, lo, hi] = [by.mean, by.lo, by.hi].map(|x| format!("{:+.1}", 100.0 * x).replace('-', "−"));
    format!("{mean} points [{lo}, {hi}]")
}
