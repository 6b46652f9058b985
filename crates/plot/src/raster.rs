//! Renders a scene as pixels.

use super::PlotError;
use super::font;
use super::scene::{Area, Colour, Mark, Scene, Shape, shift};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

/// The longest side of an image in pixels.
const LONGEST: f64 = 20_000.0;

/// Renders a scene as PNG, with `scale` pixels per unit.
pub(super) fn png(scene: &Scene, scale: f64) -> Result<Vec<u8>, PlotError> {
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    if !(scale > 0.0 && width <= LONGEST && height <= LONGEST) {
        return Err(PlotError::Scale { given: scale, width: scene.width, height: scene.height });
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or(PlotError::Scale {
        given: scale,
        width: scene.width,
        height: scene.height,
    })?;
    pixmap.fill(tiny_skia::Color::WHITE);
    let zoom = Transform::from_scale(scale as f32, scale as f32);
    let mut clip: Option<(Area, Mask)> = None;
    for mark in &scene.marks {
        if clip.as_ref().map(|(area, _)| *area) != mark.clip {
            clip = mark.clip.and_then(|area| {
                let mut mask = Mask::new(pixmap.width(), pixmap.height())?;
                mask.fill_path(&rectangle(area)?, FillRule::Winding, true, zoom);
                Some((area, mask))
            });
        }
        draw(mark, &mut pixmap, zoom, clip.as_ref().map(|(_, mask)| mask));
    }
    pixmap.encode_png().map_err(|error| PlotError::Png(error.to_string()))
}

fn draw(mark: &Mark, pixmap: &mut Pixmap, zoom: Transform, mask: Option<&Mask>) {
    let Some((path, place)) = outline(&mark.shape) else { return };
    let transform = place.post_concat(zoom);
    let fill = |pixmap: &mut Pixmap| {
        if let Some(colour) = mark.fill {
            pixmap.fill_path(&path, &paint(colour, mark.opacity), FillRule::Winding, transform, mask);
        }
    };
    let halo = matches!(mark.shape, Shape::Text { .. });
    if !halo {
        fill(pixmap);
    }
    if let Some((colour, width)) = mark.stroke {
        let dash = mark.dash.iter().map(|&d| d as f32).collect::<Vec<_>>();
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            dash: StrokeDash::new(dash, 0.0),
            ..Stroke::default()
        };
        pixmap.stroke_path(&path, &paint(colour, 1.0), &stroke, transform, mask);
    }
    if halo {
        fill(pixmap);
    }
}

/// The outline of a shape, and the transform that moves it into place.
fn outline(shape: &Shape) -> Option<(Path, Transform)> {
    let path = match shape {
        Shape::Rect(area) => rectangle(*area)?,
        Shape::Circle(x, y, r) => PathBuilder::from_circle(*x as f32, *y as f32, *r as f32)?,
        Shape::Strokes(strokes, closed) => {
            let mut path = PathBuilder::new();
            for stroke in strokes {
                for (at, &(x, y)) in stroke.iter().enumerate() {
                    if at == 0 {
                        path.move_to(x as f32, y as f32);
                    } else {
                        path.line_to(x as f32, y as f32);
                    }
                }
                if *closed {
                    path.close();
                }
            }
            path.finish()?
        }
        Shape::Text { x, y, text, size, bold, anchor, angle } => {
            let left = shift(text, *size, *bold, *anchor);
            let radians = angle.to_radians();
            let (sin, cos) = (libm::sin(radians), libm::cos(radians));
            let place = [cos, sin, -sin, cos, x - left * cos, y - left * sin].map(|v| v as f32);
            let [sx, ky, kx, sy, tx, ty] = place;
            let path = font::outline(text, *size, *bold)?;
            return Some((path, Transform::from_row(sx, ky, kx, sy, tx, ty)));
        }
    };
    Some((path, Transform::identity()))
}

fn rectangle(area: Area) -> Option<Path> {
    let Area { x, y, w, h } = area;
    Rect::from_xywh(x as f32, y as f32, w as f32, h as f32).map(PathBuilder::from_rect)
}

fn paint(colour: Colour, opacity: f64) -> Paint<'static> {
    let Colour(r, g, b) = colour;
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (opacity * 255.0).round() as u8);
    paint.anti_alias = true;
    paint
}
