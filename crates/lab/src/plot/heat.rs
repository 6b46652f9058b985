//! A table of numbers in colour.

use super::Heat;
use super::axes::{Kind, Plane, Track};
use super::font;
use super::scale::{number, usable};
use super::scene::{Anchor, Area, Colour, Mark, Scene, Shape, WHITE};
use super::style::{INK, Legend, TICK};

const BLUE: Colour = Colour(0x0a, 0x5c, 0x96);
const ORANGE: Colour = Colour(0xb8, 0x50, 0x0a);
const BLANK: Colour = Colour(0xf2, 0xf2, 0xf2);

impl<'a> Kind<'a> for &'a Heat {
    fn across(&self) -> Track<'a> {
        Track::Names { names: &self.columns, label: &self.column_label }
    }

    fn down(&self) -> Track<'a> {
        Track::Names { names: &self.rows, label: &self.row_label }
    }

    fn keys(&self, _legend: &mut Legend) {}

    fn height(&self, width: f64) -> f64 {
        let row = (0.6 * width / self.columns.len().max(1) as f64).clamp(20.0, 34.0);
        row * self.rows.len().max(1) as f64
    }

    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>) {
        let value = |row: usize, column: usize| {
            let cell = self.cells.get(row).and_then(|cells| cells.get(column)).copied();
            cell.filter(|&v| usable(v, false))
        };
        let places =
            || (0..self.rows.len()).flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)));
        let known: Vec<f64> = places().filter_map(|(row, column)| value(row, column)).collect();
        let shade = Shade::of(&known, self.middle);
        for (row, column) in places() {
            let (x, y) = (plane.across.at(column as f64), plane.down.at(row as f64));
            let (w, h) = (plane.across.at(column as f64 + 1.0) - x, plane.down.at(row as f64 + 1.0) - y);
            let area = Area { x: x + 0.75, y: y + 0.75, w: w - 1.5, h: h - 1.5 };
            let Some(value) = value(row, column) else {
                scene.add(Mark::new("blank", Shape::Rect(area)).fill(BLANK));
                continue;
            };
            let text = number(value, self.decimals) + &self.unit;
            let (fill, ink) = shade.colours(value);
            let note = format!("{}, {}: {text}", self.rows[row], self.columns[column]);
            scene.add(Mark::new("cell", Shape::Rect(area)).fill(fill).note(note));
            if font::width(&text, TICK, false) < w - 4.0 && h > TICK {
                let (x, y) = (x + w / 2.0, y + h / 2.0 + 0.36 * TICK);
                scene.add(Mark::text("number", x, y, &text, TICK).anchor(Anchor::Middle).fill(ink));
            }
        }
    }
}

/// From values to colours.
struct Shade {
    white: f64,
    /// The distance from white at which a colour is full.
    reach: f64,
}

impl Shade {
    fn of(known: &[f64], middle: Option<f64>) -> Self {
        let low = known.iter().copied().fold(f64::INFINITY, f64::min);
        let high = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (white, reach) = match middle.filter(|m| usable(*m, false)) {
            Some(middle) => (middle, (high - middle).max(middle - low)),
            // The lowest keeps a tint, to be told from a missing one.
            None => (low - 0.08 * (high - low), 1.08 * (high - low)),
        };
        Self { white, reach: if reach > 0.0 { reach } else { 1.0 } }
    }

    /// The colour of a cell and of the number in it.
    fn colours(&self, value: f64) -> (Colour, Colour) {
        let part = ((value - self.white) / self.reach).clamp(-1.0, 1.0);
        let Colour(r, g, b) = if part < 0.0 { ORANGE } else { BLUE };
        let mix = |full: u8| (255.0 + (f64::from(full) - 255.0) * part.abs()).round() as u8;
        (Colour(mix(r), mix(g), mix(b)), if part.abs() > 0.6 { WHITE } else { INK })
    }
}
