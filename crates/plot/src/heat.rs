//! Grids of colours.

use super::Heat;
use super::axes::{Kind, Plane, Track};
use super::font;
use super::scene::{Anchor, Area, Colour, Mark, Scene, Shape, WHITE};
use super::style::{self, GRID, INK, Legend, NUMBER};

/// The colours of the two ends of the scale, as series numbers.
const ENDS: [usize; 2] = [0, 1];

/// The preferred height of a row.
const ROW: f64 = 26.0;

impl Heat {
    fn colour(&self, value: f64) -> Colour {
        let (low, middle, high) = self.scale;
        let (end, span) = if value < middle { (ENDS[0], low - middle) } else { (ENDS[1], high - middle) };
        let share = if span == 0.0 { 1.0 } else { ((value - middle) / span).clamp(0.0, 1.0) };
        let Colour(r, g, b) = style::colour(end);
        let mix = |part: u8| (255.0 + share * (f64::from(part) - 255.0)).round() as u8;
        Colour(mix(r), mix(g), mix(b))
    }
}

/// Whether dark text is more readable on a colour than white text.
fn is_light(Colour(r, g, b): Colour) -> bool {
    0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b) > 140.0
}

impl<'a> Kind<'a> for &'a Heat {
    fn across(&self) -> Track<'a> {
        Track::Names { names: &self.across.1, label: &self.across.0 }
    }

    fn down(&self) -> Track<'a> {
        Track::Names { names: &self.down.1, label: &self.down.0 }
    }

    fn keys(&self, _legend: &mut Legend) {}

    fn height(&self, _width: f64) -> f64 {
        ROW * self.down.1.len() as f64
    }

    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>) {
        let (columns, rows) = (&self.across.1, &self.down.1);
        let w = plane.area.w / columns.len().max(1) as f64;
        let h = plane.area.h / rows.len().max(1) as f64;
        for (row, (name, cells)) in rows.iter().zip(&self.cells).enumerate() {
            for (column, (other, &value)) in columns.iter().zip(cells).enumerate() {
                if !value.is_finite() {
                    continue;
                }
                let (x, y) = (plane.area.x + w * column as f64, plane.area.y + h * row as f64);
                let colour = self.colour(value);
                let text = self.texts.get(row).and_then(|texts| texts.get(column)).map_or("", String::as_str);
                let place = format!("{} {name}, {} {other}: {text}", self.down.0, self.across.0);
                scene.add(
                    Mark::new("cell", Shape::Rect(Area { x, y, w, h }))
                        .fill(colour)
                        .stroke(GRID, 0.5)
                        .note(place),
                );
                if font::width(text, NUMBER, false) < w - 4.0 {
                    let (x, y) = (x + 0.5 * w, y + 0.5 * h + 0.36 * NUMBER);
                    let ink = if is_light(colour) { INK } else { WHITE };
                    scene.add(Mark::text("number", x, y, text, NUMBER).anchor(Anchor::Middle).fill(ink));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_from_end_to_end() {
        let heat = Heat { scale: (-10.0, 0.0, 20.0), ..Heat::default() };
        assert_eq!([-10.0, -99.0].map(|value| heat.colour(value)), [style::colour(0); 2]);
        assert_eq!([20.0, 99.0].map(|value| heat.colour(value)), [style::colour(1); 2]);
        assert_eq!(heat.colour(0.0), WHITE);
        assert!(is_light(heat.colour(5.0)) && !is_light(style::colour(0)));
    }
}
