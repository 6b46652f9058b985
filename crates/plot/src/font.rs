//! The embedded font: text widths and outlines. No system font is used, so every machine draws the same
//! picture. There is no kerning.

use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font families for viewers of the SVG: all have the same widths.
pub(super) const FAMILY: &str = "Arimo, Arial, 'Liberation Sans', Helvetica, sans-serif";

static FACES: LazyLock<[Face<'static>; 2]> = LazyLock::new(|| {
    let files: [&[u8]; 2] = [include_bytes!("font/Arimo-Regular.ttf"), include_bytes!("font/Arimo-Bold.ttf")];
    files.map(|bytes| Face::parse(bytes, 0).expect("contract: the embedded font is a font"))
});

fn glyphs(text: &str, bold: bool) -> impl Iterator<Item = (GlyphId, f64)> {
    let face = &FACES[usize::from(bold)];
    text.chars().map(move |c| {
        // Missing characters are drawn as the font's box for unknown ones.
        let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
        let advance = face.glyph_hor_advance(glyph).unwrap_or(0);
        (glyph, f64::from(advance) / f64::from(face.units_per_em()))
    })
}

/// The width of a text at a size.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    size * glyphs(text, bold).map(|(_, advance)| advance).sum::<f64>()
}

/// The outlines of a text that starts at the origin; none for blank text.
pub(super) fn outline(text: &str, size: f64, bold: bool) -> Option<Path> {
    let face = &FACES[usize::from(bold)];
    let scale = (size / f64::from(face.units_per_em())) as f32;
    let mut tracer = Tracer { path: PathBuilder::new(), scale, x: 0.0 };
    let mut x = 0.0;
    for (glyph, advance) in glyphs(text, bold) {
        tracer.x = (x * size) as f32;
        face.outline_glyph(glyph, &mut tracer);
        x += advance;
    }
    tracer.path.finish()
}

/// Truncates a text wider than `room`, with an ellipsis.
pub(super) fn elide(text: &str, size: f64, room: f64) -> String {
    if width(text, size, false) <= room {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while kept.pop().is_some() && width(&kept, size, false) + width("…", size, false) > room {}
    kept.truncate(kept.trim_end().len());
    kept + "…"
}

/// Breaks a text into lines no wider than `room`, as far as its words permit. Lines break after spaces,
/// dashes and slashes.
pub(super) fn wrap(text: &str, size: f64, bold: bool, room: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_inclusive([' ', '–', '-', '/', '\n']) {
        let longer = format!("{line}{word}");
        if !line.is_empty() && (line.ends_with('\n') || width(longer.trim_end(), size, bold) > room) {
            lines.push(line.trim().to_owned());
            line = word.to_owned();
        } else {
            line = longer;
        }
    }
    if !line.trim().is_empty() {
        lines.push(line.trim().to_owned());
    }
    lines
}

/// Converts the font's outlines, whose y axis points up, to the picture's coordinates, whose y axis points
/// down.
struct Tracer {
    path: PathBuilder,
    scale: f32,
    x: f32,
}

impl Tracer {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, -self.scale * y)
    }
}

impl OutlineBuilder for Tracer {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_arial() {
        assert!((width("0", 1000.0, false) - 556.0).abs() < 1.0);
        assert!((width("M", 1000.0, true) - 833.0).abs() < 1.0);
        assert_eq!(width("", 12.0, false), 0.0);
    }

    #[test]
    fn lines_fit_their_room() {
        let lines = wrap("one two three four five six", 12.0, false, 60.0);
        assert!(lines.len() > 1 && lines.iter().all(|l| width(l, 12.0, false) <= 60.0));
        assert_eq!(lines.join(" "), "one two three four five six");
        assert_eq!(wrap("a\nb", 12.0, false, 100.0), ["a", "b"]);
        assert!(wrap(" ", 12.0, false, 100.0).is_empty());
        let cut = elide("a very long name", 12.0, 50.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0, false) <= 50.0);
    }
}
