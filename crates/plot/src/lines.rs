//! Curves with error bars or bands.

use super::axes::{Kind, Plane, Track, whisker, words};
use super::scale::{fit, number};
use super::scene::{Colour, Mark, Scene, Shape, WHITE};
use super::style::{self, DASHES, EDGE, INK, Key, Legend};
use super::{Curve, Lines, Look, Point};

fn key(look: Look) -> Key {
    match look {
        Look::Marked => Key::Marked,
        Look::Band => Key::Band,
        Look::Area => Key::Area,
        Look::Plain => Key::Plain,
        Look::Reference => Key::Dashed,
    }
}

impl<'a> Kind<'a> for &'a Lines {
    fn across(&self) -> Track<'a> {
        // Points that are not drawn do not extend the range.
        let points = self.points().filter(|p| super::scale::usable(p.y.value, self.y.log));
        Track::Values { axis: &self.x, range: fit(&self.x, points.map(|p| p.x), None, 0.03), whole: false }
    }

    fn down(&self) -> Track<'a> {
        let points = self.points().filter(|p| super::scale::usable(p.x, self.x.log));
        let references = self.references.iter().map(|reference| reference.value);
        let values = points.flat_map(|p| p.y.ends()).chain(references);
        Track::Values { axis: &self.y, range: fit(&self.y, values, None, 0.05), whole: false }
    }

    fn keys(&self, legend: &mut Legend) {
        for curve in &self.curves {
            legend.add(&curve.name, key(curve.look));
        }
        for reference in &self.references {
            legend.add(&reference.name, Key::Dashed);
        }
    }

    fn height(&self, width: f64) -> f64 {
        (0.55 * width).clamp(160.0, 320.0)
    }

    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>) {
        // Bands are drawn first, so that none hides another curve's line.
        for curve in self.curves.iter().filter(|curve| matches!(curve.look, Look::Band | Look::Area)) {
            for run in runs(curve, plane) {
                band(scene, curve, &run, plane);
            }
        }
        plane.references(scene, &self.references, false);
        for curve in self.curves.iter().filter(|curve| curve.look != Look::Area) {
            let colour = colour(curve, plane);
            let dash = match curve.look {
                Look::Reference => DASHES[plane.legend.number(&curve.name, Key::Dashed) % DASHES.len()],
                _ => &[],
            };
            let width = if curve.look == Look::Reference { 1.1 } else { 1.6 };
            for run in runs(curve, plane) {
                let pixels: Vec<_> =
                    run.iter().map(|p| (plane.across.at(p.x), plane.down.at(p.y.value))).collect();
                if let ([(x, y)], false) = (&pixels[..], curve.look == Look::Marked) {
                    // A single point has no line.
                    scene.add(Mark::new("line", Shape::Circle(*x, *y, 1.6)).fill(colour).clip(plane.area));
                } else if pixels.len() > 1 {
                    let mark = Mark::line("line", pixels).stroke(colour, width).dash(dash).clip(plane.area);
                    scene.add(mark.note(curve.name.clone()));
                }
            }
        }
        for curve in self.curves.iter().filter(|curve| curve.look == Look::Marked) {
            marks(scene, curve, plane);
        }
    }
}

impl Lines {
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }
}

fn colour(curve: &Curve, plane: &Plane<'_>) -> Colour {
    match curve.look {
        Look::Reference => INK,
        Look::Area => EDGE,
        look => style::colour(plane.legend.number(&curve.name, key(look))),
    }
}

/// The runs of drawable points of a curve.
fn runs(curve: &Curve, plane: &Plane<'_>) -> Vec<Vec<Point>> {
    let drawn = |p: &Point| plane.across.takes(p.x) && plane.down.takes(p.y.value);
    let parts = curve.points.split(|p| !drawn(p));
    parts.filter(|run| !run.is_empty()).map(<[Point]>::to_vec).collect()
}

fn band(scene: &mut Scene, curve: &Curve, run: &[Point], plane: &Plane<'_>) {
    let edge = |p: &Point, end: f64| {
        let end = if end.is_nan() { p.y.value } else { end };
        (plane.across.at(p.x), plane.down.at(plane.down.clamp(end)))
    };
    let upper = run.iter().map(|p| edge(p, p.y.high));
    let lower = run.iter().rev().map(|p| edge(p, p.y.low));
    let outline: Vec<_> = upper.chain(lower).collect();
    if run.len() > 1 {
        let mark = Mark::new("band", Shape::Strokes(vec![outline], true));
        scene.add(mark.fill(colour(curve, plane)).opacity(0.2).clip(plane.area));
    }
}

fn marks(scene: &mut Scene, curve: &Curve, plane: &Plane<'_>) {
    let shape = plane.legend.number(&curve.name, Key::Marked);
    let colour = colour(curve, plane);
    for point in runs(curve, plane).into_iter().flatten().filter(|p| plane.across.shows(p.x)) {
        let x = plane.across.at(point.x);
        whisker(scene, &plane.down, true, x, point.y, colour, 1.1);
        if plane.down.shows(point.y.value) {
            let mark = style::marker("point", shape, x, plane.down.at(point.y.value), 3.6);
            let at = number(point.x, plane.across.decimals());
            let words = words(point.y, plane.down.decimals());
            let note = format!("{}, {at}: {words}", curve.name);
            scene.add(mark.fill(colour).stroke(WHITE, 0.8).note(note));
        }
    }
}
