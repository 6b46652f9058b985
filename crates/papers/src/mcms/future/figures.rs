//! The figures of the studies.

use super::measure::{MSE, Quantity, REGRET, VARIANCE, difference, ratio};
use super::study::{DEPTH, EXPSS, Schemes, Study};
use super::{SCHEMES, Sizes};
use crate::estimators::{Cell, Row};
use crate::text::drawn;
use astragal_plot::{Axis, Chart, Curve, Figure, Grouped, Lines, Look, Reference, Series};
use astragal_stats::Estimate;

/// A figure with the name of its file and a caption.
type Shown = (String, String, Figure);

/// The players with each scheme, under one of the budgets.
type Places = fn(&Schemes) -> &Vec<usize>;

/// A column of a table of means.
type Column = fn(&Row) -> Estimate;

fn grid(title: &str, height: f64) -> Figure {
    Figure { columns: 2, width: 820.0, panel_height: Some(height), shared: false, ..Figure::new(title) }
}

/// Constant and shrinking widths, as differences from the paper's constant width.
pub(super) fn widths(studies: &[Study]) -> Shown {
    let mut figure = grid("Widths that shrink with depth", 190.0);
    for study in studies {
        for (title, of) in [("MSE", MSE), ("regret", REGRET)] {
            let mut categories = Vec::new();
            let mut series = Vec::new();
            for widths in &study.widths {
                let over = |place: usize| {
                    let (this, that) = ([study.of(place)], [study.of(widths.paper.1)]);
                    drawn(&difference(&this, &that, of), 1.0)
                };
                let narrow = widths.narrow.iter().map(|(width, place)| (format!("constant {width}"), *place));
                let shrunk =
                    widths.shrinking.iter().map(|(decay, _, place)| (format!("decay {decay}"), *place));
                let (names, values): (Vec<_>, Vec<_>) =
                    narrow.chain(shrunk).map(|(name, place)| (name, over(place))).unzip();
                categories = names;
                series.push(Series::new(widths.name, values));
            }
            let chart = Grouped {
                categories,
                series,
                axis: Axis::new(format!("{title} above that of the paper's width")),
                references: vec![Reference::new("", 0.0)],
                ..Grouped::default()
            };
            figure = figure.panel(format!("{}: {title}", study.name), Chart::Dots(chart));
        }
    }
    let caption = "Differences from the constant width of the paper (expSS 20, star2SS 18) with the same number of nodes, position by position, \
                   with 95 % intervals. Left of the line is better.";
    ("widths".into(), caption.into(), figure)
}

/// The variance under each scheme, relative to that of independent draws.
pub(super) fn schemes(studies: &[Study], seed: u64) -> Shown {
    let mut figure = grid("How a sample is drawn", 190.0);
    figure.shared = true;
    let budgets: [(&str, Places); 2] =
        [("same depth", |schemes| &schemes.depth), ("same nodes", |schemes| &schemes.nodes)];
    for study in studies {
        for (title, places) in budgets {
            let series = SCHEMES.iter().enumerate().skip(1).map(|(scheme, (name, _))| {
                let share = |schemes: &Schemes| {
                    let of = |scheme: usize| [study.of(places(schemes)[scheme])];
                    drawn(&ratio(&of(scheme), &of(0), VARIANCE, seed), 1.0)
                };
                Series::new(*name, study.schemes.iter().map(share).collect())
            });
            let chart = Grouped {
                categories: study.schemes.iter().map(|schemes| format!("c = {}", schemes.width)).collect(),
                series: series.collect(),
                axis: Axis::new("variance, as a share of that of iid"),
                references: vec![Reference::new("iid", 1.0)],
                ..Grouped::default()
            };
            figure = figure.panel(format!("{}, {title}", study.name), Chart::Dots(chart));
        }
    }
    let caption = format!(
        "The variance of expSS by scheme and width c, at depth {DEPTH} and with the same number of nodes, with bootstrap intervals over positions."
    );
    ("schemes".into(), caption, figure)
}

/// MSE and regret of the players of Table 1 over the number of nodes, if it was varied. Each sampling player
/// is shown beside its classic counterpart.
pub(super) fn budgets(study: &Study, sizes: &Sizes) -> Option<Shown> {
    if study.budgets.len() < 8 {
        return None;
    }
    let mut figure = grid("The players of Table 1 over the number of nodes", 150.0);
    let columns: [(&str, Column); 2] = [("MSE", |row| row.mse), ("regret", |row| row.regret)];
    for (first, second) in [(0, 1), (2, 5), (3, 6), (4, 7)] {
        for (title, value) in columns {
            let at = |member: usize| {
                let places = &study.budgets[member].1;
                sizes
                    .budgets
                    .iter()
                    .zip(places)
                    .map(|(&nodes, &place)| (nodes, value(&Row::new(study.of(place)))))
            };
            let all = (0..study.budgets.len()).flat_map(at).map(|(_, estimate)| estimate);
            let (low, high) =
                all.fold((f64::INFINITY, 0.0_f64), |(low, high), e| (low.min(e.lo), high.max(e.hi)));
            let curve = |name: &str, member: usize, aside: f64| {
                let points =
                    at(member).map(|(nodes, estimate)| (aside * nodes as f64, drawn(&estimate, 1.0)));
                Curve::new(name, Look::Marked, points)
            };
            let names = [first, second].map(|member| study.budgets[member].0);
            let keys = if first == 0 { names } else { ["all outcomes", "sampled outcomes"] };
            let lines = Lines {
                x: Axis::new("nodes a run").log(),
                y: Axis::new(title).range(low - 0.05 * (high - low), high + 0.05 * (high - low)),
                curves: vec![curve(keys[0], first, 0.97), curve(keys[1], second, 1.03)],
                references: Vec::new(),
            };
            figure = figure.panel(format!("{} and {}: {title}", names[0], names[1]), Chart::Lines(lines));
        }
    }
    let caption = format!(
        "{}: means over {} positions with 95 % intervals; points of a pair are moved sideways a little. Players see the same positions, so their \
         differences are known much better than the intervals suggest: see the findings.",
        study.name, study.positions
    );
    Some(("budgets".into(), caption, figure))
}

/// Shrinking widths over the number of nodes, as differences from the paper's constant width.
pub(super) fn shrunk(study: &Study, sizes: &Sizes) -> Option<Shown> {
    let (_, constant) = study.budgets.get(EXPSS)?;
    let mut figure = grid("Widths that shrink, over the number of nodes", 210.0);
    for (title, of) in [("MSE", MSE), ("regret", REGRET)] {
        let curves = study.shrunk.iter().zip([0.97, 1.03]).map(|((decay, places), aside)| {
            let points = sizes.budgets.iter().zip(places.iter().zip(constant));
            let points = points.map(|(&nodes, (&this, &that))| {
                let over = difference(&[study.of(this)], &[study.of(that)], of);
                (aside * nodes as f64, drawn(&over, 1.0))
            });
            Curve::new(format!("decay {decay}"), Look::Marked, points)
        });
        let lines = Lines {
            x: Axis::new("nodes a run").log(),
            y: Axis::new(format!("{title} above that of width 20")),
            curves: curves.collect(),
            references: vec![Reference::new("constant width", 0.0)],
        };
        figure = figure.panel(format!("{}: {title}", study.name), Chart::Lines(lines));
    }
    let caption = "expSS: differences from the constant width of the paper with the same number of nodes, position by position, with 95 % intervals. \
                   Below the line is better.";
    Some(("widths-budgets".into(), caption.into(), figure))
}

/// Variance reductions, each compared with the same player without it.
pub(super) fn reductions(studies: &[Study], seed: u64) -> Shown {
    let mut figure = grid("Reducing the variance", 170.0);
    type Compared = fn(&[Cell], &[Cell], Quantity, u64) -> Estimate;
    let columns: [(&str, &str, Compared, Quantity, f64); 2] = [
        (
            "variance",
            "variance, as a share of that without",
            |a, b, of, seed| ratio(&[a], &[b], of, seed),
            VARIANCE,
            1.0,
        ),
        ("regret", "regret above that without", |a, b, of, _| difference(&[a], &[b], of), REGRET, 0.0),
    ];
    let reductions = studies.first().map(|study| study.reductions.as_slice()).unwrap_or_default();
    for (title, label, compared, of, neutral) in columns {
        let series = studies.iter().map(|study| {
            let value = |reduction: &super::study::Reduction| {
                let (this, that) = (study.of(reduction.reduced), study.of(reduction.plain));
                drawn(&compared(this, that, of, seed), 1.0)
            };
            Series::new(study.name, study.reductions.iter().map(value).collect())
        });
        let chart = Grouped {
            categories: reductions.iter().map(|reduction| reduction.name.to_string()).collect(),
            series: series.collect(),
            axis: Axis::new(label),
            references: vec![Reference::new("", neutral)],
            ..Grouped::default()
        };
        figure = figure.panel(title, Chart::Dots(chart));
    }
    let caption = "Outcomes of MCTS and DPW that are visited as evenly as their probabilities allow, and playouts after each action with \
                   common random numbers, against the same player without. Left of the line is better.";
    ("reduction".into(), caption.into(), figure)
}
