//! Figures parsed back: every number has its mark, and values that cannot be drawn are left out without an
//! error.

use astragal_plot::{
    Axis, Chart, Curve, Estimate, Figure, Grouped, Lines, Look, PlotError, Reference, Series,
};
use roxmltree::{Document, Node};
use tiny_skia::Pixmap;

fn near(value: f64) -> Estimate {
    Estimate::new(value, value - 2.0, value + 3.0)
}

fn pairings() -> Grouped {
    Grouped {
        categories: (0..7).map(|n| format!("left {n}–right")).collect(),
        series: vec![
            Series::new("measured", (0..7).map(|n| near(40.0 + 4.0 * f64::from(n))).collect()),
            Series::new("published", vec![near(42.0), Estimate::MISSING, Estimate::exact(50.0)]).hollow(),
        ],
        axis: Axis::new("wins").unit("%").range(0.0, 100.0),
        references: vec![Reference::new("even", 50.0)],
        numbers: true,
        ..Grouped::default()
    }
}

fn curves(log: bool) -> Lines {
    let axis = |label| if log { Axis::new(label).log() } else { Axis::new(label) };
    let xs = [-1.0, 0.0, 1.0, 10.0, 100.0, 1000.0];
    Lines {
        x: axis("x"),
        y: axis("y"),
        curves: vec![
            Curve::new("marked", Look::Marked, xs.map(|x| (x, Estimate::new(x + 1.0, x, 2.0 * x + 3.0)))),
            Curve::new("band", Look::Band, xs.map(|x| (x, near(x)))),
            Curve::new("area", Look::Area, xs.map(|x| (x, near(x)))),
            Curve::new("plain", Look::Plain, xs.map(|x| (x, Estimate::exact(3.0)))),
            Curve::new("bound", Look::Reference, xs.map(|x| (x, Estimate::exact(2.0 * x)))),
        ],
        references: vec![Reference::new("level", 20.0)],
    }
}

fn all() -> Figure {
    Figure { columns: 2, subtitle: "s".into(), caption: "c".into(), ..Figure::new("All kinds") }
        .panel("bars", Chart::Bars(pairings()))
        .panel("dots", Chart::Dots(pairings()))
        .panel("lines", Chart::Lines(curves(false)))
}

fn one(chart: Chart) -> Figure {
    Figure::new("One").panel("", chart)
}

fn of_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

fn count(figure: &Figure, class: &str) -> usize {
    let svg = figure.svg();
    of_class(&Document::parse(&svg).unwrap(), class).len()
}

fn coordinate(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

#[test]
fn every_estimate_has_its_mark() {
    let bars = one(Chart::Bars(pairings()));
    assert_eq!(count(&bars, "bar"), 7);
    assert_eq!(count(&bars, "point"), 2);
    assert_eq!(count(&bars, "interval"), 8);
    assert_eq!(count(&bars, "number"), 7);
    assert_eq!(count(&bars, "reference"), 1);
    assert_eq!(count(&bars, "key-name"), 3);
    let dots = one(Chart::Dots(pairings()));
    assert_eq!(count(&dots, "point"), 9);
    assert_eq!(count(&dots, "interval"), 8);
    assert_eq!(count(&dots, "name"), 7);
    let lines = one(Chart::Lines(curves(false)));
    assert_eq!(count(&lines, "point"), 6);
    assert_eq!(count(&lines, "line"), 4);
    assert_eq!(count(&lines, "band"), 2);
}

#[test]
fn bars_are_as_long_as_their_values() {
    let svg = one(Chart::Bars(pairings())).svg();
    let document = Document::parse(&svg).unwrap();
    let heights: Vec<f64> = of_class(&document, "bar").iter().map(|bar| coordinate(bar, "height")).collect();
    for (n, height) in heights.iter().enumerate() {
        let expected = heights[0] * (40.0 + 4.0 * n as f64) / 40.0;
        assert!((height - expected).abs() < 0.1, "bar {n}: {height} instead of {expected}");
    }
}

#[test]
fn a_logarithmic_axis_leaves_out_what_is_not_positive() {
    let figure = one(Chart::Lines(curves(true)));
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    assert_eq!(of_class(&document, "point").len(), 4);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // A line is interrupted at a point that is left out.
    let gap = Lines {
        x: Axis::new("x"),
        y: Axis::new("y").log(),
        curves: vec![Curve::new("", Look::Plain, [1.0, 2.0, 0.0, 4.0, 5.0].map(|v| (v, Estimate::exact(v))))],
        ..Lines::default()
    };
    assert_eq!(count(&one(Chart::Lines(gap)), "line"), 2);
}

#[test]
fn text_is_escaped() {
    let mut grouped = pairings();
    grouped.categories[0] = "a<b & \"c\">\u{1}".into();
    grouped.series[0].name = "<script>".into();
    let mut figure = one(Chart::Bars(grouped));
    figure.title = "x < y & z".into();
    figure.caption = "1 > 0 & \u{ffff}".into();
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    assert!(!svg.contains("<script>"));
    assert_eq!(of_class(&document, "title")[0].text(), Some("x < y & z"));
    assert_eq!(of_class(&document, "key-name")[0].text(), Some("<script>"));
    assert_eq!(of_class(&document, "name")[0].text(), Some("a<b & \"c\"> "));
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    assert_eq!(all().svg(), all().svg());
    assert_eq!(all().png(1.5).unwrap(), all().png(1.5).unwrap());
}

#[test]
fn pixels_are_where_the_marks_are() {
    let figure = one(Chart::Bars(pairings()));
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    let picture = Pixmap::decode_png(&figure.png(2.0).unwrap()).unwrap();
    let root = document.root_element();
    assert_eq!(f64::from(picture.width()), 2.0 * coordinate(&root, "width"));
    assert_eq!(f64::from(picture.height()), 2.0 * coordinate(&root, "height"));
    for bar in of_class(&document, "bar") {
        let x = coordinate(&bar, "x") + coordinate(&bar, "width") / 2.0;
        let y = coordinate(&bar, "y") + coordinate(&bar, "height") * 0.8;
        let pixel = picture.pixel((2.0 * x) as u32, (2.0 * y) as u32).unwrap();
        let colour = format!("#{:02x}{:02x}{:02x}", pixel.red(), pixel.green(), pixel.blue());
        assert_eq!(bar.attribute("fill"), Some(colour.as_str()));
    }
    let corner = picture.pixel(0, 0).unwrap();
    assert_eq!((corner.red(), corner.green(), corner.blue(), corner.alpha()), (255, 255, 255, 255));
    // Letters are drawn as well, from the embedded font.
    let title = of_class(&document, "title")[0];
    let (x, y) = (2.0 * coordinate(&title, "x"), 2.0 * coordinate(&title, "y"));
    let dark = (0..40).flat_map(|dx| (0..20).map(move |dy| (x as u32 + dx, y as u32 - dy)));
    assert!(dark.filter(|&(x, y)| picture.pixel(x, y).unwrap().red() < 80).count() > 50);
}

#[test]
fn a_scale_that_gives_no_picture_is_an_error() {
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1000.0] {
        let error = all().png(scale).unwrap_err();
        assert!(matches!(error, PlotError::Scale { .. }), "{scale}");
        assert!(error.to_string().contains("above 0"));
    }
}

#[test]
fn nothing_and_nonsense_are_drawn_without_failing() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e308, -1e308, 5e-324, 1e-200];
    let estimates: Vec<_> = odd
        .iter()
        .flat_map(|&v| odd.map(|low| Estimate::new(v, low, f64::INFINITY)))
        .chain([Estimate::new(1.0, 3.0, 0.0)])
        .collect();
    for log in [false, true] {
        for range in [None, Some((0.0, 0.0)), Some((f64::NAN, 1.0)), Some((2.0, 1.0)), Some((0.5, 1e300))] {
            let axis = Axis { label: "odd".into(), unit: String::new(), log, range };
            for many in [0, 1, 100] {
                let grouped = Grouped {
                    categories: (0..many).map(|n| format!("a category with a long name {n}")).collect(),
                    series: vec![
                        Series::default(),
                        Series::new("a", estimates.clone()),
                        Series::new("b", estimates.clone()).hollow(),
                    ],
                    axis: axis.clone(),
                    base: odd[many % odd.len()],
                    references: odd.map(|v| Reference::new("r", v)).to_vec(),
                    numbers: true,
                };
                let lines = Lines {
                    x: axis.clone(),
                    y: axis.clone(),
                    curves: [Look::Marked, Look::Band, Look::Area, Look::Plain, Look::Reference]
                        .map(|look| {
                            let points = estimates.iter().take(many).map(|&y| (y.low, y));
                            Curve::new("c", look, points)
                        })
                        .to_vec(),
                    references: odd.map(|v| Reference::new("r", v)).to_vec(),
                };
                let figure =
                    Figure { columns: 0, width: f64::NAN, panel_height: Some(-3.0), ..Figure::default() }
                        .panel("", Chart::Bars(grouped.clone()))
                        .panel("", Chart::Dots(grouped))
                        .panel("", Chart::Lines(lines));
                let svg = figure.svg();
                Document::parse(&svg).unwrap();
                for word in ["NaN", "inf"] {
                    let at = svg.find(word).unwrap_or(svg.len());
                    assert_eq!(at, svg.len(), "{}", &svg[at.saturating_sub(200)..]);
                }
                assert!(figure.png(0.5).is_ok());
            }
        }
    }
    assert_eq!(count(&one(Chart::Lines(Lines::default())), "empty"), 1);
    assert!(Figure::default().png(1.0).is_ok());
}
