//! Draws one figure of each kind, with made-up numbers, into a directory: `figures DIRECTORY`.

use astragal_plot::{Axis, Chart, Curve, Estimate, Figure, Grouped, Lines, Look, Reference, Series};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = std::env::args().nth(1).map(PathBuf::from).ok_or("usage: figures DIRECTORY")?;
    std::fs::create_dir_all(&dir)?;
    let figures = [
        ("pairings", pairings()),
        ("grouped", grouped()),
        ("regret", regret()),
        ("bound", bound()),
        ("ratings", ratings()),
        ("empty", empty()),
    ];
    for (name, figure) in figures {
        std::fs::write(dir.join(format!("{name}.svg")), figure.svg())?;
        std::fs::write(dir.join(format!("{name}.png")), figure.png(2.0)?)?;
    }
    Ok(())
}

/// Four games with seven pairings each, as bars, with published values for some.
fn pairings() -> Figure {
    let names = [
        "exp–MCTS",
        "star1–MCTS",
        "star2–MCTS",
        "expSS–MCTS",
        "star1SS–MCTS",
        "star2SS–MCTS",
        "star2–star2SS",
    ];
    let games: [(&str, [f64; 7]); 4] = [
        ("Pig", [48.2, 49.1, 49.5, 47.3, 52.8, 53.6, 46.9]),
        ("EinStein würfelt nicht!", [50.8, 54.2, 60.1, 51.7, 57.3, 63.2, 47.5]),
        ("Can't Stop", [35.4, 41.3, 44.0, 61.2, 71.9, 76.4, 22.8]),
        ("Ra", [44.8, 48.3, 52.9, 55.1, 61.7, 66.0, 38.4]),
    ];
    let mut figure = Figure {
        subtitle: "Wins of the left player of each pairing, with 95 % intervals".into(),
        caption: "Made-up numbers. 2000 games a pairing, sides swapped, 0.2 s a move; Wilson intervals. Diamonds are \
                  published values where they are known."
            .into(),
        columns: 2,
        width: 720.0,
        ..Figure::new("Playing strength in four games of chance")
    };
    for (game, wins) in games {
        let near = |value: f64, half: f64| Estimate::new(value, value - half, value + 1.1 * half);
        let measured = wins.iter().map(|&w| near(w, 2.2)).collect();
        let published = wins.iter().enumerate().map(|(at, &w)| {
            if at % 3 == 1 { Estimate::MISSING } else { near(w + [1.5, 0.0, -2.0][at % 3], 2.8) }
        });
        let bars = Grouped {
            categories: names.map(String::from).to_vec(),
            series: vec![
                Series::new("measured", measured),
                Series::new("published", published.collect()).hollow(),
            ],
            axis: Axis::new("wins of the left player").unit("%").range(0.0, 100.0),
            references: vec![Reference::new("even", 50.0)],
            numbers: true,
            ..Grouped::default()
        };
        figure = figure.panel(game, Chart::Bars(bars));
    }
    figure
}

/// Groups of several bars, measured from an even score.
fn grouped() -> Figure {
    let series = |name: &str, values: [f64; 4]| {
        Series::new(name, values.map(|v| Estimate::new(v, v - 2.5, v + 2.5)).to_vec())
    };
    let bars = Grouped {
        categories: ["Pig", "EWN", "Can't Stop", "Ra"].map(String::from).to_vec(),
        series: vec![
            series("expSS", [47.3, 51.7, 61.2, 55.1]),
            series("star1SS", [52.8, 57.3, 66.9, 61.7]),
            series("star2SS", [53.6, 63.2, 69.4, 66.0]),
        ],
        axis: Axis::new("score against MCTS").unit("%"),
        base: 50.0,
        numbers: true,
        ..Grouped::default()
    };
    Figure::new("Sampling searches against MCTS").panel("", Chart::Bars(bars))
}

/// Curves with bands on a logarithmic axis.
fn regret() -> Figure {
    let times: Vec<f64> = (0..=40).map(|i| 10f64.powf(1.0 + f64::from(i) / 10.0)).collect();
    let curve = |name: &str, value: &dyn Fn(f64) -> f64| {
        let points = times.iter().map(|&t| (t, Estimate::new(value(t), 0.85 * value(t), 1.2 * value(t))));
        Curve::new(name, Look::Band, points)
    };
    let lines = Lines {
        x: Axis::new("pulls T").log(),
        y: Axis::new("regret").log(),
        curves: vec![
            curve("UCB1, c = √2", &|t| 6.0 * t.ln()),
            curve("UCB1-Tuned", &|t| 2.1 * t.ln()),
            curve("ε-greedy, ε = 0.1", &|t| 2.0 + 0.02 * t),
            Curve::new(
                "Lai–Robbins bound",
                Look::Reference,
                times.iter().map(|&t| (t, Estimate::exact(1.3 * t.ln()))),
            ),
        ],
        ..Lines::default()
    };
    Figure {
        subtitle: "Ten machines, mean of 1000 runs; bands hold 95 % of the runs".into(),
        ..Figure::new("Regret grows with the logarithm of time")
    }
    .panel("", Chart::Lines(lines))
}

/// Markers and error bars next to a theoretical bound, in two panels.
fn bound() -> Figure {
    let widths = [1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 18.0, 25.0];
    let panel = |depth: f64| {
        let error = |scale: f64| {
            widths.map(|c: f64| {
                let value = scale * depth / c.sqrt();
                (c, Estimate::new(value, 0.8 * value, 1.3 * value))
            })
        };
        Chart::Lines(Lines {
            x: Axis::new("sample width c"),
            y: Axis::new("error of the root's value"),
            curves: vec![
                Curve::new("star1SS", Look::Marked, error(0.1)),
                Curve::new("without replacement", Look::Marked, error(0.065)),
                Curve::new(
                    "Theorem 1",
                    Look::Reference,
                    widths.map(|c| (c, Estimate::exact(0.3 * depth / c.sqrt()))),
                ),
            ],
            ..Lines::default()
        })
    };
    Figure { columns: 2, width: 700.0, ..Figure::new("Measured error and its bound") }
        .panel("depth 1", panel(1.0))
        .panel("depth 2", panel(2.0))
}

/// Ratings with intervals, with the numbers beside them.
fn ratings() -> Figure {
    let players = [
        ("star2ss(width=18,prune_from=3)", 162.0, 28.0),
        ("star1ss(width=18)", 121.0, 25.0),
        ("expss(width=12)", 44.0, 24.0),
        ("mcts(c=50,dr=0)", 10.0, 23.0),
        ("dpw(c=50,dr=10,c2=25,alpha=0.3)", -37.0, 26.0),
        ("star2(depth=3)", -88.0, 31.0),
        ("random", -410.0, 95.0),
    ];
    let values = players.map(|(_, rating, half)| Estimate::new(rating, rating - 1.1 * half, rating + half));
    let dots = Grouped {
        categories: players.map(|(name, ..)| name.to_owned()).to_vec(),
        series: vec![Series::new("rating", values.to_vec())],
        axis: Axis::new("rating (Elo, mean 0)"),
        references: vec![Reference::new("", 0.0)],
        numbers: true,
        ..Grouped::default()
    };
    Figure {
        subtitle: "Bradley–Terry ratings at Pig, with 95 % intervals".into(),
        ..Figure::new("Who is strongest")
    }
    .panel("", Chart::Dots(dots))
}

/// A figure without data is not an error.
fn empty() -> Figure {
    let lines = Lines { x: Axis::new("x").log(), y: Axis::new("y"), ..Lines::default() };
    Figure::new("Nothing yet").panel("", Chart::Lines(lines))
}
