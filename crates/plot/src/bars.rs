//! Bars side by side with error bars, and hollow markers on top of them.

use super::axes::{Kind, Plane, Track, whisker, words};
use super::font;
use super::scale::{fit, number};
use super::scene::{Anchor, Area, Mark, Scene, Shape, WHITE};
use super::style::{self, EDGE, INK, Key, Legend, NUMBER};
use super::{Estimate, Grouped, Reference, Series};

/// Grouped values drawn as bars.
pub(super) struct Bars<'a>(pub &'a Grouped);

impl<'a> Kind<'a> for Bars<'a> {
    fn across(&self) -> Track<'a> {
        Track::Names { names: &self.0.categories, label: "" }
    }

    fn down(&self) -> Track<'a> {
        let grouped = self.0;
        let room = if grouped.numbers { 0.12 } else { 0.06 };
        let range = fit(&grouped.axis, ends(grouped), Some(grouped.base), room);
        Track::Values { axis: &grouped.axis, range, whole: false }
    }

    fn keys(&self, legend: &mut Legend) {
        for series in &self.0.series {
            legend.add(&series.name, if series.hollow { Key::Hollow } else { Key::Bar });
        }
        for reference in &self.0.references {
            legend.add(&reference.name, Key::Dashed);
        }
    }

    fn height(&self, width: f64) -> f64 {
        (0.6 * width).clamp(150.0, 280.0)
    }

    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>) {
        let grouped = self.0;
        let slot = plane.area.w / grouped.categories.len().max(1) as f64;
        let bars: Vec<_> = grouped.series.iter().filter(|series| !series.hollow).collect();
        let hollows: Vec<_> = grouped.series.iter().filter(|series| series.hollow).collect();
        let many = bars.len().max(1);
        let width = (0.76 * slot / many as f64).min(56.0);
        let pen = Pen { plane, base: plane.down.clamp(grouped.base), width: width * 0.94 };
        // Hollow markers are distributed over the bars of a category: the n-th marker goes to the n-th bar,
        // cyclically.
        let places = grouped.categories.iter().enumerate().flat_map(|(category, name)| {
            let left = plane.across.at(category as f64 + 0.5) - width * many as f64 / 2.0;
            (0..many).map(move |n| (category, name, n, left + width * (n as f64 + 0.5)))
        });
        let places: Vec<_> = places.collect();
        for &(category, name, n, x) in &places {
            if let Some(series) = bars.get(n) {
                pen.bar(scene, series, series.value(category), name, x);
            }
        }
        let (y, Area { x, w, .. }) = (plane.down.at(pen.base), plane.area);
        scene.add(Mark::line("edge", vec![(x, y), (x + w, y)]).stroke(EDGE, 1.0));
        plane.references(scene, &grouped.references, false);
        for &(category, name, n, x) in &places {
            let upon: Vec<_> = hollows.iter().skip(n).step_by(many).copied().collect();
            let present = |series: &&&Series| series.value(category).value.is_finite();
            let apart = upon.iter().filter(present).count() > 0;
            let parts = if apart { upon.len() + 1 } else { 1 };
            let place = |part: usize| x + pen.width * ((part as f64 + 0.5) / parts as f64 - 0.5) * 0.8;
            let mut all = Vec::new();
            if let Some(series) = bars.get(n) {
                let y = series.value(category);
                whisker(scene, &plane.down, true, place(0), y, INK, 1.1);
                all.push(y);
            }
            for (part, series) in upon.iter().enumerate() {
                let y = series.value(category);
                pen.hollow(scene, series, y, name, place(part + 1));
                all.push(y);
            }
            if grouped.numbers && bars.get(n).is_some_and(|s| s.value(category).value.is_finite()) {
                pen.number(scene, &all, x, &grouped.references);
            }
        }
    }
}

/// All values and interval ends that belong to a category of the chart.
pub(super) fn ends(grouped: &Grouped) -> impl Iterator<Item = f64> + '_ {
    let many = grouped.categories.len();
    let values = grouped.series.iter().flat_map(move |series| series.values.iter().take(many));
    values.flat_map(Estimate::ends)
}

struct Pen<'a> {
    plane: &'a Plane<'a>,
    base: f64,
    width: f64,
}

impl Pen<'_> {
    fn note(&self, series: &Series, y: Estimate, name: &str) -> String {
        let words = words(y, self.plane.down.decimals());
        let of = if series.name.is_empty() { String::new() } else { format!(", {}", series.name) };
        format!("{name}{of}: {words}")
    }

    fn bar(&self, scene: &mut Scene, series: &Series, y: Estimate, name: &str, x: f64) {
        let scale = &self.plane.down;
        if !scale.takes(y.value) {
            return;
        }
        let (a, b) = (scale.at(self.base), scale.at(scale.clamp(y.value)));
        // A bar of zero length still shows that there is a value.
        let h = (a - b).abs().max(1.0);
        let area = Area { x: x - self.width / 2.0, y: a.min(b), w: self.width, h };
        let colour = style::pale(self.plane.legend.number(&series.name, Key::Bar));
        scene.add(Mark::new("bar", Shape::Rect(area)).fill(colour).note(self.note(series, y, name)));
    }

    fn hollow(&self, scene: &mut Scene, series: &Series, y: Estimate, name: &str, x: f64) {
        let scale = &self.plane.down;
        if !scale.takes(y.value) {
            return;
        }
        whisker(scene, scale, true, x, y, INK, 1.1);
        if scale.shows(y.value) {
            let number = self.plane.legend.number(&series.name, Key::Hollow);
            let mark = style::hollow("point", number, x, scale.at(y.value));
            scene.add(mark.note(self.note(series, y, name)));
        }
    }

    /// Writes the first value, clear of all intervals and reference lines, unless it is wider than the bar's
    /// slot.
    fn number(&self, scene: &mut Scene, all: &[Estimate], x: f64, lines: &[Reference]) {
        let (scale, area) = (&self.plane.down, self.plane.area);
        let Some(first) = all.first().filter(|y| scale.takes(y.value)) else { return };
        let text = number(first.value, scale.decimals());
        if font::width(&text, NUMBER, false) > self.width / 0.7 {
            return;
        }
        let ends =
            || all.iter().flat_map(Estimate::ends).filter(|v| !v.is_nan()).map(|v| scale.at(scale.clamp(v)));
        let below = first.value < self.base;
        let mut y = if below {
            (ends().fold(f64::NEG_INFINITY, f64::max) + NUMBER + 2.0).min(area.y + area.h - 3.0)
        } else {
            (ends().fold(f64::INFINITY, f64::min) - 4.0).max(area.y + NUMBER)
        };
        for line in lines.iter().filter(|r| scale.takes(r.value) && scale.shows(r.value)) {
            let line = scale.at(line.value);
            if line > y - NUMBER && line < y + 2.5 {
                y = if below { line + NUMBER } else { line - 3.0 };
            }
        }
        scene.add(Mark::text("number", x, y, &text, NUMBER).anchor(Anchor::Middle).stroke(WHITE, 2.5));
    }
}
