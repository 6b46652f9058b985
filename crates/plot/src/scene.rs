//! A picture as a list of marks. What to draw is decided elsewhere; a scene is only rendered, as SVG here and
//! as pixels in [`raster`](super::raster).

use super::font::{self, FAMILY};
use std::fmt::Write;

/// A colour as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub u8, pub u8, pub u8);

pub(super) const WHITE: Colour = Colour(255, 255, 255);

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

/// The point of a text that its position refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Rect(Area),
    Circle(f64, f64, f64),
    /// Polylines, all closed or all open.
    Strokes(Vec<Vec<(f64, f64)>>, bool),
    /// A line of text; y is its baseline, the angle is in degrees, clockwise.
    Text {
        x: f64,
        y: f64,
        text: String,
        size: f64,
        bold: bool,
        anchor: Anchor,
        angle: f64,
    },
}

/// One element of the picture.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub shape: Shape,
    /// What it represents: the class in the SVG.
    pub class: &'static str,
    pub fill: Option<Colour>,
    pub opacity: f64,
    /// Colour and width of the outline; a halo around text.
    pub stroke: Option<(Colour, f64)>,
    pub dash: &'static [f64],
    /// The area outside of which nothing is drawn.
    pub clip: Option<Area>,
    /// The tooltip.
    pub note: String,
}

impl Mark {
    pub(super) fn new(class: &'static str, shape: Shape) -> Self {
        Self {
            shape,
            class,
            fill: None,
            opacity: 1.0,
            stroke: None,
            dash: &[],
            clip: None,
            note: String::new(),
        }
    }

    pub(super) fn line(class: &'static str, points: Vec<(f64, f64)>) -> Self {
        Self::new(class, Shape::Strokes(vec![points], false))
    }

    pub(super) fn text(class: &'static str, x: f64, y: f64, text: &str, size: f64) -> Self {
        let text = clean(text);
        let shape = Shape::Text { x, y, text, size, bold: false, anchor: Anchor::Start, angle: 0.0 };
        Self::new(class, shape).fill(super::style::INK)
    }

    pub(super) fn fill(mut self, colour: Colour) -> Self {
        self.fill = Some(colour);
        self
    }

    pub(super) fn stroke(mut self, colour: Colour, width: f64) -> Self {
        self.stroke = Some((colour, width));
        self
    }

    pub(super) fn opacity(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }

    pub(super) fn dash(mut self, dash: &'static [f64]) -> Self {
        self.dash = dash;
        self
    }

    pub(super) fn clip(mut self, area: Area) -> Self {
        self.clip = Some(area);
        self
    }

    pub(super) fn note(mut self, note: String) -> Self {
        self.note = clean(&note);
        self
    }

    pub(super) fn anchor(mut self, to: Anchor) -> Self {
        if let Shape::Text { anchor, .. } = &mut self.shape {
            *anchor = to;
        }
        self
    }

    pub(super) fn bold(mut self) -> Self {
        if let Shape::Text { bold, .. } = &mut self.shape {
            *bold = true;
        }
        self
    }

    pub(super) fn angle(mut self, to: f64) -> Self {
        if let Shape::Text { angle, .. } = &mut self.shape {
            *angle = to;
        }
        self
    }
}

/// The distance from the left end of a text to its position.
pub(super) fn shift(text: &str, size: f64, bold: bool, anchor: Anchor) -> f64 {
    match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => font::width(text, size, bold) / 2.0,
        Anchor::End => font::width(text, size, bold),
    }
}

/// A whole picture.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    /// The description for readers who cannot see the picture.
    pub title: String,
    pub marks: Vec<Mark>,
}

impl Scene {
    /// Adds a mark, unless it is blank text.
    pub(super) fn add(&mut self, mark: Mark) {
        if !matches!(&mark.shape, Shape::Text { text, .. } if text.trim().is_empty()) {
            self.marks.push(mark);
        }
    }

    /// Renders the picture as SVG. It defines no ids, so several pictures can share a page.
    pub(super) fn svg(&self) -> String {
        let (w, h) = (short(self.width), short(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" font-family=\"{FAMILY}\">\n<title>{}</title>\n\
             <rect class=\"paper\" width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n",
            escape(&self.title)
        );
        let mut clip = None;
        for mark in &self.marks {
            if mark.clip != clip {
                if clip.is_some() {
                    out.push_str("</svg>\n");
                }
                if let Some(Area { x, y, w, h }) = mark.clip {
                    let [x, y, w, h] = [x, y, w, h].map(short);
                    let _ = writeln!(
                        out,
                        "<svg x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" viewBox=\"{x} {y} {w} {h}\">"
                    );
                }
                clip = mark.clip;
            }
            element(mark, &mut out);
        }
        if clip.is_some() {
            out.push_str("</svg>\n");
        }
        out.push_str("</svg>\n");
        out
    }
}

fn element(mark: &Mark, out: &mut String) {
    let tag = match &mark.shape {
        Shape::Rect(_) => "rect",
        Shape::Circle(..) => "circle",
        Shape::Strokes(..) => "path",
        Shape::Text { .. } => "text",
    };
    let _ = write!(out, "<{tag} class=\"{}\"", mark.class);
    // Writing to a string cannot fail.
    let mut put = |name: &str, value: &str| {
        let _ = write!(out, " {name}=\"{value}\"");
    };
    match &mark.shape {
        Shape::Rect(area) => {
            for (name, value) in [("x", area.x), ("y", area.y), ("width", area.w), ("height", area.h)] {
                put(name, &short(value));
            }
        }
        Shape::Circle(x, y, r) => {
            for (name, value) in [("cx", *x), ("cy", *y), ("r", *r)] {
                put(name, &short(value));
            }
        }
        Shape::Strokes(strokes, closed) => put("d", &path(strokes, *closed)),
        Shape::Text { x, y, size, bold, anchor, angle, .. } => {
            put("x", &short(*x));
            put("y", &short(*y));
            put("font-size", &short(*size));
            if *bold {
                put("font-weight", "bold");
            }
            match anchor {
                Anchor::Start => {}
                Anchor::Middle => put("text-anchor", "middle"),
                Anchor::End => put("text-anchor", "end"),
            }
            if *angle != 0.0 {
                put("transform", &format!("rotate({} {} {})", short(*angle), short(*x), short(*y)));
            }
        }
    }
    put("fill", &mark.fill.map_or_else(|| "none".into(), hex));
    if mark.opacity < 1.0 {
        put("fill-opacity", &short(mark.opacity));
    }
    if let Some((colour, width)) = mark.stroke {
        put("stroke", &hex(colour));
        put("stroke-width", &short(width));
        put("stroke-linejoin", "round");
        if matches!(mark.shape, Shape::Text { .. }) {
            put("paint-order", "stroke");
        }
    }
    if !mark.dash.is_empty() {
        put("stroke-dasharray", &mark.dash.iter().map(|&d| short(d)).collect::<Vec<_>>().join(" "));
    }
    let text = if let Shape::Text { text, .. } = &mark.shape { text.as_str() } else { "" };
    if text.is_empty() && mark.note.is_empty() {
        out.push_str("/>\n");
        return;
    }
    out.push('>');
    if !mark.note.is_empty() {
        let _ = write!(out, "<title>{}</title>", escape(&mark.note));
    }
    let _ = writeln!(out, "{}</{tag}>", escape(text));
}

fn path(strokes: &[Vec<(f64, f64)>], closed: bool) -> String {
    let mut d = String::new();
    for stroke in strokes {
        for (at, (x, y)) in stroke.iter().enumerate() {
            let _ = write!(d, "{}{} {}", if at == 0 { 'M' } else { 'L' }, short(*x), short(*y));
        }
        if closed {
            d.push('Z');
        }
    }
    d
}

fn hex(Colour(r, g, b): Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Formats a coordinate to a hundredth of a pixel, as briefly as possible.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Replaces the characters that XML does not allow.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) { ' ' } else { c })
        .collect()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let written: Vec<_> = [1.0, -0.001, 2.5, 10.126, 100.0].map(short).into();
        assert_eq!(written, ["1", "0", "2.5", "10.13", "100"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("a<b & \"c\">\u{0}"), "a&lt;b &amp; &quot;c&quot;&gt; ");
    }
}
