//! The layout: title, legend, panels in a grid, caption.

use super::axes::{Kind, Margins, Plane, Shown, Track, frame, margins};
use super::bars::Bars;
use super::dots::Dots;
use super::font;
use super::scene::{Anchor, Area, Mark, Scene};
use super::style::{CAPTION, FAINT, HEADING, Legend, SUBTITLE, TICK, TITLE};
use super::{Chart, Figure};

/// The margin of the figure.
const PAD: f64 = 14.0;
/// The gaps between columns and between rows of panels.
const GAP: (f64, f64) = (20.0, 14.0);

impl Chart {
    fn kind(&self) -> Box<dyn Kind<'_> + '_> {
        match self {
            Self::Bars(grouped) => Box::new(Bars(grouped)),
            Self::Dots(grouped) => Box::new(Dots(grouped)),
            Self::Lines(lines) => Box::new(lines),
            Self::Tree(tree) => Box::new(tree),
            Self::Heat(heat) => Box::new(heat),
        }
    }
}

/// A panel being laid out.
struct Slot<'a> {
    kind: Box<dyn Kind<'a> + 'a>,
    across: Track<'a>,
    down: Track<'a>,
    shown: Shown,
    margins: Margins,
    height: f64,
}

/// Lays out a figure.
pub(super) fn scene(figure: &Figure) -> Scene {
    let width = if figure.width.is_finite() { figure.width.clamp(240.0, 4000.0) } else { 640.0 };
    let mut scene = Scene { width, height: 0.0, title: figure.title.clone(), marks: Vec::new() };
    let room = width - 2.0 * PAD;
    let mut y = PAD;
    for (text, size, bold) in [(&figure.title, TITLE, true), (&figure.subtitle, SUBTITLE, false)] {
        for line in font::wrap(text, size, bold, room) {
            y += size + 3.0;
            let mark = Mark::text("title", PAD, y - 3.0, &line, size);
            scene.add(if bold { mark.bold() } else { mark.fill(FAINT) });
        }
        if !text.is_empty() {
            y += 3.0;
        }
    }
    let mut legend = Legend::default();
    for panel in &figure.panels {
        panel.chart.kind().keys(&mut legend);
    }
    y = keys(&mut scene, &legend, y, room);
    y = panels(&mut scene, figure, &legend, y, room);
    for (at, line) in font::wrap(&figure.caption, CAPTION, false, room).iter().enumerate() {
        y += if at == 0 { CAPTION + 8.0 } else { CAPTION + 3.5 };
        scene.add(Mark::text("caption", PAD, y, line, CAPTION).fill(FAINT));
    }
    scene.height = (y + PAD).ceil();
    scene
}

/// Draws the legend in lines; returns its lower end.
fn keys(scene: &mut Scene, legend: &Legend, mut y: f64, room: f64) -> f64 {
    let shown = legend.shown();
    if shown.is_empty() {
        return y;
    }
    y += 4.0;
    let mut x = PAD;
    for (name, key) in shown {
        let indent = key.width() + 6.0;
        let text = font::elide(name, TICK, room - indent);
        let w = indent + font::width(&text, TICK, false);
        if x > PAD && x + w > PAD + room {
            x = PAD;
            y += TICK + 6.0;
        }
        legend.draw(scene, name, *key, x, y + TICK / 2.0);
        scene.add(Mark::text("key-name", x + indent, y + TICK * 0.88, &text, TICK));
        x += w + 20.0;
    }
    y + TICK + 6.0
}

/// Draws the panels; returns their lower end.
fn panels(scene: &mut Scene, figure: &Figure, legend: &Legend, mut y: f64, room: f64) -> f64 {
    if figure.panels.is_empty() {
        return y;
    }
    let columns = figure.columns.clamp(1, figure.panels.len());
    let mut slots = slots(figure, columns, room);
    // Labels narrow the plots, which may turn the labels: two iterations suffice.
    let mut lefts = vec![0.0; columns];
    let mut rights = vec![0.0; columns];
    let mut plot = room / columns as f64 - 60.0;
    for _ in 0..2 {
        lefts.fill(0.0);
        rights.fill(0.0);
        for (at, slot) in slots.iter_mut().enumerate() {
            slot.height = figure.panel_height.filter(|h| h.is_finite()).unwrap_or(slot.kind.height(plot));
            slot.height = slot.height.clamp(40.0, 4000.0);
            slot.margins = margins(&slot.across, &slot.down, slot.shown, plot, slot.height);
            slot.margins.right = slot.margins.right.max(slot.kind.beside(&slot.across));
            lefts[at % columns] = slot.margins.left.max(lefts[at % columns]);
            rights[at % columns] = slot.margins.right.max(rights[at % columns]);
        }
        let taken: f64 = lefts.iter().chain(&rights).sum();
        plot = ((room - taken - GAP.0 * (columns - 1) as f64) / columns as f64).max(40.0);
    }
    let headed = figure.panels.iter().any(|panel| !panel.title.is_empty());
    let rows = slots.chunks(columns).zip(figure.panels.chunks(columns));
    for (row, (slots, panels)) in rows.enumerate() {
        y += if row == 0 { 4.0 } else { GAP.1 };
        y += if headed { HEADING + 8.0 } else { 8.0 };
        let height = slots.iter().map(|slot| slot.height).fold(0.0, f64::max);
        let mut x = PAD;
        for (column, (slot, panel)) in slots.iter().zip(panels).enumerate() {
            x += lefts[column];
            let area = Area { x, y, w: plot, h: height };
            let title = font::elide(&panel.title, HEADING, plot);
            scene.add(Mark::text("heading", x, y - 7.0, &title, HEADING).bold());
            draw(scene, slot, area, legend);
            x += plot + rights[column] + GAP.0;
        }
        y += height + slots.iter().map(|slot| slot.margins.bottom).fold(0.0, f64::max);
    }
    y
}

fn slots(figure: &Figure, columns: usize, room: f64) -> Vec<Slot<'_>> {
    let charts: Vec<_> = figure.panels.iter().map(|panel| &panel.chart).collect();
    let alike = charts.windows(2).all(|w| std::mem::discriminant(w[0]) == std::mem::discriminant(w[1]));
    let mut across: Vec<_> = charts.iter().map(|chart| chart.kind().across()).collect();
    let mut down: Vec<_> = charts.iter().map(|chart| chart.kind().down()).collect();
    if figure.shared && alike {
        join(&mut across);
        join(&mut down);
    }
    (0..charts.len())
        .map(|at| {
            // A label that repeats a neighbour's is left out.
            let below = across.get(at + columns);
            let left = (!at.is_multiple_of(columns)).then(|| &down[at - 1]);
            let same_names = matches!((&across[at], below),
                (Track::Names { names: a, .. }, Some(Track::Names { names: b, .. })) if a == b);
            let shown = Shown {
                names_across: !same_names,
                label_across: below.is_none_or(|b| b.label() != across[at].label()),
                label_down: left.is_none_or(|l| l.label() != down[at].label()),
                longest: (0.36 * room / columns as f64).max(80.0),
            };
            let (kind, across, down) = (charts[at].kind(), across[at], down[at]);
            Slot { kind, across, down, shown, margins: Margins::default(), height: 0.0 }
        })
        .collect()
}

/// Gives all value axes the range that contains all of theirs, if all are linear or all are logarithmic.
fn join(tracks: &mut [Track<'_>]) {
    let mut all: Option<(bool, f64, f64)> = None;
    for track in &*tracks {
        let Track::Values { axis, range, .. } = track else { return };
        let (log, low, high) = *all.get_or_insert((axis.log, range.0, range.1));
        if log != axis.log {
            return;
        }
        all = Some((log, low.min(range.0), high.max(range.1)));
    }
    let Some((_, low, high)) = all else { return };
    for track in tracks {
        if let Track::Values { range, .. } = track {
            *range = (low, high);
        }
    }
}

fn draw(scene: &mut Scene, slot: &Slot<'_>, area: Area, legend: &Legend) {
    let plane = Plane::new(area, &slot.across, &slot.down, legend);
    frame(scene, &plane, &slot.across, &slot.down, slot.shown, slot.margins);
    let before = scene.marks.len();
    slot.kind.draw(scene, &plane);
    let data = ["bar", "point", "line", "edge", "cell"];
    if !scene.marks[before..].iter().any(|mark| data.contains(&mark.class)) {
        let (x, y) = (area.x + area.w / 2.0, area.y + area.h / 2.0);
        scene.add(Mark::text("empty", x, y, "no data", TICK).anchor(Anchor::Middle).fill(FAINT));
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Shape, shift};
    use super::super::{Axis, Curve, Estimate, Grouped, Heat, Lines, Look, Reference, Series};
    use super::*;

    fn figure(width: f64, columns: usize, names: &[&str]) -> Figure {
        let categories: Vec<_> = names.iter().map(|&n| n.to_owned()).collect();
        let values = |shift: f64| {
            let value = move |n: usize| 45.0 + shift + 3.0 * n as f64;
            (0..names.len()).map(|n| Estimate::new(value(n), value(n) - 4.0, value(n) + 5.0)).collect()
        };
        let grouped = Grouped {
            categories: categories.clone(),
            series: vec![Series::new("ours", values(0.0)), Series::new("theirs", values(2.0)).hollow()],
            axis: Axis::new("wins").unit("%"),
            references: vec![Reference::new("even", 50.0)],
            numbers: true,
            ..Grouped::default()
        };
        let points = || (1..40).map(|n| (f64::from(n * n), Estimate::exact(f64::from(n * 1000))));
        let lines = Lines {
            x: Axis::new("time").log(),
            y: Axis::new("regret"),
            curves: ["one", "another with a long name", "third"]
                .map(|n| Curve::new(n, Look::Band, points()))
                .to_vec(),
            ..Lines::default()
        };
        let heat = Heat {
            across: ("outcomes".into(), categories.clone()),
            down: ("depth".into(), vec!["2".into(), "4".into()]),
            cells: vec![vec![0.5; names.len()]; 2],
            texts: vec![vec!["+12".into(); names.len()]; 2],
            scale: (-1.0, 0.0, 1.0),
        };
        let text = "A long line of words that has to be broken where the figure is narrow".to_owned();
        Figure { columns, width, subtitle: text.clone(), caption: text.clone(), ..Figure::new(text) }
            .panel("Bars", Chart::Bars(grouped.clone()))
            .panel("Bars again", Chart::Bars(grouped.clone()))
            .panel("Dots", Chart::Dots(grouped))
            .panel("Lines", Chart::Lines(lines))
            .panel("Heat", Chart::Heat(heat))
    }

    fn figures() -> Vec<Figure> {
        let mut figures = Vec::new();
        for names in
            [&["a", "b"][..], &["star2SS–MCTS", "star1SS–MCTS", "expSS–star1", "a", "b", "c", "random–MCTS"]]
        {
            for (width, columns) in [(320.0, 1), (640.0, 1), (640.0, 2), (720.0, 3), (1200.0, 3)] {
                figures.push(figure(width, columns, names));
            }
        }
        figures
    }

    /// The bounding box of a text: left, top, right, bottom.
    fn extent(mark: &Mark) -> Option<([f64; 4], bool, &str)> {
        let Shape::Text { x, y, text, size, bold, anchor, angle } = &mark.shape else { return None };
        let left = -shift(text, *size, *bold, *anchor);
        let right = left + font::width(text, *size, *bold);
        let (sin, cos) = (libm::sin(angle.to_radians()), libm::cos(angle.to_radians()));
        let corners = [(left, -0.75 * size), (right, -0.75 * size), (left, 0.2 * size), (right, 0.2 * size)];
        let corners = corners.map(|(u, v)| (x + u * cos - v * sin, y + u * sin + v * cos));
        let low = |f: fn(&(f64, f64)) -> f64| corners.iter().map(f).fold(f64::INFINITY, f64::min);
        let high = |f: fn(&(f64, f64)) -> f64| corners.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
        let slanted = angle.rem_euclid(90.0) != 0.0;
        Some(([low(|c| c.0), low(|c| c.1), high(|c| c.0), high(|c| c.1)], slanted, text))
    }

    #[test]
    fn no_text_leaves_the_picture() {
        for figure in figures() {
            let scene = scene(&figure);
            for ([left, top, right, bottom], _, text) in scene.marks.iter().filter_map(extent) {
                let inside = left >= 0.0 && top >= 0.0 && right <= scene.width && bottom <= scene.height;
                assert!(
                    inside,
                    "'{text}' in {} by {}: {left} {top} {right} {bottom}",
                    scene.width, scene.height
                );
            }
        }
    }

    #[test]
    fn no_text_covers_another() {
        for figure in figures() {
            let scene = scene(&figure);
            let texts: Vec<_> = scene.marks.iter().filter_map(extent).collect();
            for (at, (a, slanted, one)) in texts.iter().enumerate() {
                for (b, _, other) in texts[..at].iter().filter(|(_, also, _)| !(*slanted && *also)) {
                    let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                    assert!(apart, "'{one}' and '{other}' in {} columns of {}", figure.columns, figure.width);
                }
            }
        }
    }

    #[test]
    fn panels_of_one_kind_share_their_range() {
        let bars = |value: f64| {
            let series = vec![Series::new("", vec![Estimate::exact(value)])];
            Chart::Bars(Grouped { categories: vec!["a".into()], series, ..Grouped::default() })
        };
        let figure = Figure::new("").panel("", bars(1.0)).panel("", bars(9.0));
        let heights = |figure: &Figure| {
            let scene = scene(figure);
            let bars = scene.marks.iter().filter(|mark| mark.class == "bar");
            let heights: Vec<_> =
                bars.map(|mark| if let Shape::Rect(area) = mark.shape { area.h } else { 0.0 }).collect();
            heights[1] / heights[0]
        };
        assert!((heights(&figure) - 9.0).abs() < 1e-9);
        assert!((heights(&Figure { shared: false, ..figure }) - 1.0).abs() < 1e-9);
    }
}
