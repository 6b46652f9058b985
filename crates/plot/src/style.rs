//! The style: colours, sizes, markers, and the keys of the legend.

use super::scene::{Area, Colour, Mark, Scene, Shape, WHITE};

pub(super) const INK: Colour = Colour(0x22, 0x22, 0x22);
pub(super) const FAINT: Colour = Colour(0x5c, 0x5c, 0x5c);
pub(super) const GRID: Colour = Colour(0xe4, 0xe4, 0xe4);
pub(super) const EDGE: Colour = Colour(0x77, 0x77, 0x77);

pub(super) const TITLE: f64 = 15.0;
pub(super) const SUBTITLE: f64 = 12.0;
pub(super) const HEADING: f64 = 12.5;
pub(super) const LABEL: f64 = 12.0;
pub(super) const TICK: f64 = 11.0;
pub(super) const NUMBER: f64 = 10.0;
pub(super) const CAPTION: f64 = 10.5;

/// The colours of Okabe and Ito, starting with the strongest on white.
const PALETTE: [Colour; 7] = [
    Colour(0x00, 0x72, 0xb2),
    Colour(0xd5, 0x5e, 0x00),
    Colour(0x00, 0x9e, 0x73),
    Colour(0xcc, 0x79, 0xa7),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0x56, 0xb4, 0xe9),
    Colour(0x66, 0x66, 0x66),
];

/// Dash patterns of reference curves and lines.
pub(super) const DASHES: [&[f64]; 4] = [&[5.0, 3.0], &[1.5, 2.5], &[8.0, 3.0, 1.5, 3.0], &[10.0, 4.0]];

/// The colour of the n-th series.
pub(super) fn colour(n: usize) -> Colour {
    PALETTE[n % PALETTE.len()]
}

/// The colour of the n-th series for large areas: paler, so that dark lines remain visible on it.
pub(super) fn pale(n: usize) -> Colour {
    let Colour(r, g, b) = colour(n);
    let mix = |part: u8| (0.7 * f64::from(part) + 0.3 * 255.0).round() as u8;
    Colour(mix(r), mix(g), mix(b))
}

/// The symbol of a series in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Bar,
    Dot,
    Hollow,
    Marked,
    Band,
    Area,
    Plain,
    Dashed,
}

impl Key {
    /// Its width.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::Bar | Self::Dot | Self::Hollow => 11.0,
            _ => 22.0,
        }
    }
}

/// The named series of a figure in order of first occurrence. Each group of keys is numbered separately, so
/// that a reference curve uses up no colour.
#[derive(Clone, Debug, Default)]
pub(super) struct Legend {
    pub keys: Vec<(String, Key)>,
}

impl Legend {
    pub(super) fn add(&mut self, name: &str, key: Key) {
        if !self.keys.iter().any(|(n, k)| n == name && *k == key) {
            self.keys.push((name.to_owned(), key));
        }
    }

    /// The number of a series among those that share its colours or dashes. Series with the same name share a
    /// number.
    pub(super) fn number(&self, name: &str, key: Key) -> usize {
        let group = |key| match key {
            Key::Dashed => 0,
            Key::Hollow => 1,
            Key::Area => 2,
            _ => 3,
        };
        let mut seen: Vec<&str> = Vec::new();
        for (n, _) in self.keys.iter().filter(|(_, k)| group(*k) == group(key)) {
            if n == name {
                return seen.iter().position(|s| s == n).unwrap_or(seen.len());
            }
            if !seen.contains(&n.as_str()) {
                seen.push(n);
            }
        }
        0
    }

    /// The keys to show: those with names, unless there is only one and the title suffices.
    pub(super) fn shown(&self) -> Vec<&(String, Key)> {
        let named: Vec<_> = self.keys.iter().filter(|(name, _)| !name.is_empty()).collect();
        let lone = matches!(named[..], [(_, Key::Bar | Key::Dot | Key::Marked | Key::Plain)]);
        if lone { Vec::new() } else { named }
    }

    /// Draws a key that starts at x and is vertically centred on y.
    pub(super) fn draw(&self, scene: &mut Scene, name: &str, key: Key, x: f64, y: f64) {
        let number = self.number(name, key);
        let line = |width| {
            Mark::line("key", vec![(x, y), (x + key.width(), y)])
                .stroke(if key == Key::Dashed { INK } else { colour(number) }, width)
        };
        match key {
            Key::Bar => {
                let area = Area { x, y: y - 5.5, w: 11.0, h: 11.0 };
                scene.add(Mark::new("key", Shape::Rect(area)).fill(pale(number)));
            }
            Key::Dot => scene.add(marker("key", number, x + 5.5, y, 4.0).fill(colour(number))),
            Key::Hollow => scene.add(hollow("key", number, x + 5.5, y)),
            Key::Marked => {
                scene.add(line(1.6));
                scene.add(marker("key", number, x + 11.0, y, 3.6).fill(colour(number)).stroke(WHITE, 0.8));
            }
            Key::Band => {
                let area = Area { x, y: y - 5.5, w: 22.0, h: 11.0 };
                scene.add(Mark::new("key", Shape::Rect(area)).fill(colour(number)).opacity(0.2));
                scene.add(line(1.6));
            }
            Key::Area => {
                let area = Area { x, y: y - 5.5, w: 22.0, h: 11.0 };
                scene.add(Mark::new("key", Shape::Rect(area)).fill(EDGE).opacity(0.2));
            }
            Key::Plain => scene.add(line(1.6)),
            Key::Dashed => scene.add(line(1.1).dash(DASHES[number % DASHES.len()])),
        }
    }
}

/// A marker whose shape depends on the number of its series; its colour is not set.
pub(super) fn marker(class: &'static str, number: usize, x: f64, y: f64, r: f64) -> Mark {
    let polygon = |points: &[(f64, f64)]| {
        let points = points.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect();
        Mark::new(class, Shape::Strokes(vec![points], true))
    };
    match number % 5 {
        0 => Mark::new(class, Shape::Circle(x, y, r)),
        1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
        3 => polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        _ => polygon(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
    }
}

/// A hollow marker; the first is a diamond, to differ from the first solid one.
pub(super) fn hollow(class: &'static str, number: usize, x: f64, y: f64) -> Mark {
    marker(class, number + 3, x, y, 3.6).fill(WHITE).stroke(INK, 1.2)
}
