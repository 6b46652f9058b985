//! What all charts share: two axes of values or names, the margins for their labels, the grid, and intervals.

use super::font;
use super::scale::{self, Scale};
use super::scene::{Anchor, Area, Colour, Mark, Scene, Shape};
use super::style::{DASHES, EDGE, FAINT, GRID, INK, Key, LABEL, Legend, TICK};
use super::{Axis, Estimate, Reference};

/// The maximum width of a name under a plot.
const LONGEST: f64 = 150.0;
/// The slant of names that do not fit side by side: the sine and cosine of 45 degrees.
const SLANT: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The interface of a chart to the layout.
pub(super) trait Kind<'a> {
    fn across(&self) -> Track<'a>;
    fn down(&self) -> Track<'a>;
    /// Adds its series to the legend.
    fn keys(&self, legend: &mut Legend);
    /// The preferred height for a width.
    fn height(&self, width: f64) -> f64;
    /// The space it needs to the right of its plot.
    fn beside(&self, _across: &Track<'_>) -> f64 {
        0.0
    }
    fn draw(&self, scene: &mut Scene, plane: &Plane<'_>);
}

/// The axis along one side of a plot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Track<'a> {
    /// With `whole`, ticks are at integers only.
    Values {
        axis: &'a Axis,
        range: (f64, f64),
        whole: bool,
    },
    Names {
        names: &'a [String],
        label: &'a str,
    },
}

impl Track<'_> {
    pub(super) fn label(&self) -> &str {
        match self {
            Self::Values { axis, .. } => &axis.label,
            Self::Names { label, .. } => label,
        }
    }

    /// The scale between two pixels. The n-th name, counted from 0, is at n + ½.
    pub(super) fn scale(&self, from: f64, to: f64) -> Scale {
        match self {
            Self::Values { axis, range, .. } => Scale::new(*range, axis.log, from, to),
            Self::Names { names, .. } => Scale::new((0.0, names.len().max(1) as f64), false, from, to),
        }
    }

    fn ticks(&self, count: f64) -> Vec<(f64, String)> {
        match self {
            Self::Values { axis, range, whole } => scale::ticks(*range, axis, *whole, count),
            Self::Names { .. } => Vec::new(),
        }
    }

    /// As many ticks as fit on a width without their labels touching.
    fn ticks_across(&self, width: f64) -> Vec<(f64, String)> {
        let scale = self.scale(0.0, width);
        let mut count = (width / 50.0).max(1.0);
        loop {
            let ticks = self.ticks(count);
            let half = |at: usize| font::width(&ticks[at].1, TICK, false) / 2.0;
            let clear = (1..ticks.len())
                .all(|i| scale.at(ticks[i].0) - scale.at(ticks[i - 1].0) > half(i) + half(i - 1) + 10.0);
            if clear || count < 1.5 {
                return ticks;
            }
            count *= 0.8;
        }
    }

    fn ticks_down(&self, height: f64) -> Vec<(f64, String)> {
        self.ticks((height / 36.0).max(2.0))
    }
}

/// The placement of names under a plot.
#[derive(Clone, Debug)]
enum Fit {
    Level(Vec<Vec<String>>),
    Slanted(Vec<String>),
}

fn fit(names: &[String], width: f64) -> Fit {
    let slot = width / names.len().max(1) as f64 - 6.0;
    let lines: Vec<_> = names.iter().map(|name| font::wrap(name, TICK, false, slot)).collect();
    let fits = lines.iter().all(|l| l.len() <= 3 && l.iter().all(|l| font::width(l, TICK, false) <= slot));
    if fits {
        Fit::Level(lines)
    } else {
        Fit::Slanted(names.iter().map(|name| font::elide(name, TICK, LONGEST)).collect())
    }
}

/// Which labels a panel shows; a neighbour may already show the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub names_across: bool,
    pub label_across: bool,
    pub label_down: bool,
    /// The maximum width of a name beside the plot.
    pub longest: f64,
}

/// The margins around a plot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
}

pub(super) fn margins(
    across: &Track<'_>,
    down: &Track<'_>,
    shown: Shown,
    width: f64,
    height: f64,
) -> Margins {
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| font::width(text, TICK, false)).fold(0.0, f64::max)
    };
    let mut m = Margins { left: 0.0, right: 6.0, bottom: 6.0 };
    m.left = match down {
        Track::Values { .. } => widest(&mut down.ticks_down(height).iter().map(|(_, text)| text)) + 7.0,
        Track::Names { names, .. } => widest(&mut names.iter()).min(shown.longest) + 9.0,
    };
    if shown.label_down && !down.label().is_empty() {
        m.left += LABEL + 6.0;
    }
    match across {
        Track::Values { .. } => {
            m.bottom = TICK + 9.0;
            let ticks = across.ticks_across(width);
            let scale = across.scale(0.0, width);
            for (value, text) in &ticks {
                let half = font::width(text, TICK, false) / 2.0;
                m.right = m.right.max(scale.at(*value) + half - width);
                m.left = m.left.max(half - scale.at(*value));
            }
        }
        Track::Names { names, .. } if shown.names_across => match fit(names, width) {
            Fit::Level(lines) => {
                let most = lines.iter().map(Vec::len).max().unwrap_or(0);
                m.bottom = 8.0 + most as f64 * (TICK + 2.0);
            }
            Fit::Slanted(names) => {
                m.bottom = 14.0 + SLANT * widest(&mut names.iter());
                let slot = width / names.len() as f64;
                for (at, name) in names.iter().enumerate() {
                    let reach = SLANT * font::width(name, TICK, false) - (at as f64 + 0.5) * slot;
                    m.left = m.left.max(reach + 2.0);
                }
            }
        },
        Track::Names { .. } => {}
    }
    if shown.label_across && !across.label().is_empty() {
        m.bottom += LABEL + 6.0;
    }
    m
}

/// A plot's area with its scales.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane<'a> {
    pub area: Area,
    pub across: Scale,
    pub down: Scale,
    pub legend: &'a Legend,
}

impl<'a> Plane<'a> {
    pub(super) fn new(area: Area, across: &Track<'_>, down: &Track<'_>, legend: &'a Legend) -> Self {
        let Area { x, y, w, h } = area;
        // Values grow upwards; names are listed from the top.
        let (from, to) = if matches!(down, Track::Values { .. }) { (y + h, y) } else { (y, y + h) };
        Self { area, across: across.scale(x, x + w), down: down.scale(from, to), legend }
    }

    /// Draws dashed lines across the whole plot, at values of the vertical axis, or of the horizontal one if
    /// `up`.
    pub(super) fn references(&self, scene: &mut Scene, references: &[Reference], up: bool) {
        let Area { x, y, w, h } = self.area;
        let scale = if up { self.across } else { self.down };
        for reference in references.iter().filter(|r| scale.takes(r.value) && scale.shows(r.value)) {
            let at = scale.at(reference.value);
            let ends = if up { vec![(at, y), (at, y + h)] } else { vec![(x, at), (x + w, at)] };
            let dash = DASHES[self.legend.number(&reference.name, Key::Dashed) % DASHES.len()];
            scene.add(Mark::line("reference", ends).stroke(INK, 1.1).dash(dash));
        }
    }
}

/// Draws an error bar at a position on the other axis, with caps where the interval ends inside the plot.
pub(super) fn whisker(
    scene: &mut Scene,
    scale: &Scale,
    upright: bool,
    at: f64,
    y: Estimate,
    colour: Colour,
    width: f64,
) {
    if !scale.takes(y.value) || (y.low.is_nan() && y.high.is_nan()) {
        return;
    }
    let low = if y.low.is_nan() { y.value } else { y.low };
    let high = if y.high.is_nan() { y.value } else { y.high };
    if scale.clamp(low) >= scale.clamp(high) {
        return;
    }
    let place = |along: f64, aside: f64| if upright { (at + aside, along) } else { (along, at + aside) };
    let (a, b) = (scale.at(scale.clamp(low)), scale.at(scale.clamp(high)));
    let mut strokes = vec![vec![place(a, 0.0), place(b, 0.0)]];
    for (end, pixel) in [(y.low, a), (y.high, b)] {
        if scale.shows(end) {
            strokes.push(vec![place(pixel, -3.0), place(pixel, 3.0)]);
        }
    }
    scene.add(Mark::new("interval", Shape::Strokes(strokes, false)).stroke(colour, width));
}

/// Formats an estimate as text.
pub(super) fn words(y: Estimate, decimals: usize) -> String {
    let write = |v: f64| match v {
        f64::INFINITY => "∞".into(),
        f64::NEG_INFINITY => "−∞".into(),
        v if v.is_nan() => "–".into(),
        v => scale::number(v, decimals),
    };
    if y.low.is_nan() && y.high.is_nan() {
        return write(y.value);
    }
    format!("{} [{}, {}]", write(y.value), write(y.low), write(y.high))
}

/// Draws the grid, the ticks and all labels of a plot.
pub(super) fn frame(
    scene: &mut Scene,
    plane: &Plane<'_>,
    across: &Track<'_>,
    down: &Track<'_>,
    shown: Shown,
    margins: Margins,
) {
    let Area { x, y, w, h } = plane.area;
    let rule = |ends: Vec<(f64, f64)>| Mark::line("grid", ends).stroke(GRID, 0.8);
    let ticks_down = down.ticks_down(h);
    for (value, text) in &ticks_down {
        let at = plane.down.at(*value);
        scene.add(rule(vec![(x, at), (x + w, at)]));
        scene.add(Mark::text("tick", x - 7.0, at + 0.36 * TICK, text, TICK).anchor(Anchor::End));
    }
    let ticks_across = across.ticks_across(w);
    for (value, text) in &ticks_across {
        let at = plane.across.at(*value);
        scene.add(rule(vec![(at, y), (at, y + h)]));
        scene.add(Mark::text("tick", at, y + h + TICK + 6.0, text, TICK).anchor(Anchor::Middle));
    }
    if let Track::Names { names, .. } = down {
        let every = (14.0 * names.len() as f64 / h).ceil().max(1.0) as usize;
        for (row, name) in names.iter().enumerate().step_by(every) {
            let at = plane.down.at(row as f64 + 0.5);
            let text = font::elide(name, TICK, shown.longest);
            let mark = Mark::text("name", x - 9.0, at + 0.36 * TICK, &text, TICK).anchor(Anchor::End);
            scene.add(if text == *name { mark } else { mark.note(name.clone()) });
        }
    }
    if let (Track::Names { names, .. }, true) = (across, shown.names_across) {
        match fit(names, w) {
            Fit::Level(lines) => {
                for (column, lines) in lines.iter().enumerate() {
                    for (line, text) in lines.iter().enumerate() {
                        let baseline = y + h + 5.0 + (line + 1) as f64 * (TICK + 2.0) - 2.0;
                        let at = plane.across.at(column as f64 + 0.5);
                        scene.add(Mark::text("name", at, baseline, text, TICK).anchor(Anchor::Middle));
                    }
                }
            }
            Fit::Slanted(texts) => {
                let every = (15.0 * names.len() as f64 / w).ceil().max(1.0) as usize;
                for (column, text) in texts.iter().enumerate().step_by(every) {
                    let at = plane.across.at(column as f64 + 0.5) + 4.0;
                    let mark = Mark::text("name", at, y + h + 12.0, text, TICK);
                    let mark = mark.anchor(Anchor::End).angle(-45.0);
                    scene.add(if *text == names[column] { mark } else { mark.note(names[column].clone()) });
                }
            }
        }
    }
    let values = |track: &Track<'_>| matches!(track, Track::Values { .. });
    // With names below the plot, the bars draw the baseline themselves.
    if values(across) {
        scene.add(Mark::line("edge", vec![(x, y + h), (x + w, y + h)]).stroke(EDGE, 1.0));
    }
    if values(across) && values(down) {
        scene.add(Mark::line("edge", vec![(x, y), (x, y + h)]).stroke(EDGE, 1.0));
    }
    if shown.label_across {
        let baseline = y + h + margins.bottom - 3.0;
        scene.add(
            Mark::text("label", x + w / 2.0, baseline, across.label(), LABEL)
                .anchor(Anchor::Middle)
                .fill(FAINT),
        );
    }
    if shown.label_down {
        let at = x - margins.left + LABEL - 2.0;
        scene.add(
            Mark::text("label", at, y + h / 2.0, down.label(), LABEL)
                .anchor(Anchor::Middle)
                .angle(-90.0)
                .fill(FAINT),
        );
    }
}
