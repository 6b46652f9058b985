//! Rows of dots with intervals, as in a forest plot.

use super::Grouped;
use super::axes::{Kind, Plane, Track, whisker, words};
use super::bars::ends;
use super::font;
use super::scale::fit;
use super::scene::{Mark, Scene, WHITE};
use super::style::{self, FAINT, GRID, INK, Key, Legend, NUMBER};

/// Grouped values drawn as dots.
pub(super) struct Dots<'a>(pub &'a Grouped);

impl<'a> Kind<'a> for Dots<'a> {
    fn across(&self) -> Track<'a> {
        let references = self.0.references.iter().map(|reference| reference.value);
        let range = fit(&self.0.axis, ends(self.0).chain(references), None, 0.05);
        Track::Values { axis: &self.0.axis, range, whole: false }
    }

    fn down(&self) -> Track<'a> {
        Track::Names { names: &self.0.categories, label: "" }
    }

    fn keys(&self, legend: &mut Legend) {
        for series in &self.0.series {
            legend.add(&series.name, if series.hollow { Key::Hollow } else { Key::Dot });
        }
        for reference in &self.0.references {
            legend.add(&reference.name, Key::Dashed);
        }
    }

    fn height(&self, _width: f64) -> f64 {
        let row = (14.0 * self.0.series.len() as f64 + 7.0).max(21.0);
        row * self.0.categories.len().max(1) as f64 + 4.0
    }

    fn beside(&self, across: &Track<'_>) -> f64 {
        if !self.0.numbers {
            return 0.0;
        }
        let decimals = across.scale(0.0, 1.0).decimals();
        let values = self.0.series.iter().flat_map(|series| &series.values);
        values.map(|y| font::width(&words(*y, decimals), NUMBER, false) + 10.0).fold(0.0, f64::max)
    }

    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>) {
        let grouped = self.0;
        let area = plane.area;
        for row in 0..grouped.categories.len() {
            let y = plane.down.at(row as f64 + 0.5);
            scene.add(Mark::line("grid", vec![(area.x, y), (area.x + area.w, y)]).stroke(GRID, 0.8));
        }
        plane.references(scene, &grouped.references, true);
        let many = grouped.series.len() as f64;
        let height = area.h / grouped.categories.len().max(1) as f64;
        let step = (0.85 * height / many).min(13.0);
        let decimals = plane.across.decimals();
        for (row, name) in grouped.categories.iter().enumerate() {
            for (n, series) in grouped.series.iter().enumerate() {
                let estimate = series.value(row);
                if !plane.across.takes(estimate.value) {
                    continue;
                }
                let y = plane.down.at(row as f64 + 0.5) + step * (n as f64 - (many - 1.0) / 2.0);
                let key = if series.hollow { Key::Hollow } else { Key::Dot };
                let number = plane.legend.number(&series.name, key);
                let colour = if series.hollow { INK } else { style::colour(number) };
                whisker(scene, &plane.across, false, y, estimate, colour, 1.4);
                let words = words(estimate, decimals);
                if grouped.numbers {
                    let x = area.x + area.w + 8.0;
                    scene.add(Mark::text("number", x, y + 0.36 * NUMBER, &words, NUMBER).fill(FAINT));
                }
                if plane.across.shows(estimate.value) {
                    let x = plane.across.at(estimate.value);
                    let mark = if series.hollow {
                        style::hollow("point", number, x, y)
                    } else {
                        style::marker("point", number, x, y, 4.0).fill(colour).stroke(WHITE, 0.8)
                    };
                    let of =
                        if series.name.is_empty() { String::new() } else { format!(", {}", series.name) };
                    scene.add(mark.note(format!("{name}{of}: {words}")));
                }
            }
        }
    }
}
