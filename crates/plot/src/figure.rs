//! What a figure is made of. Callers fill these; nothing here knows how they are drawn.

use super::{layout, raster};
use thiserror::Error;

/// A value and its interval. A value that is not finite is missing; an end that is NaN is not drawn, and one
/// that is infinite runs to the edge of the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value itself.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

impl Estimate {
    /// A value that is not known.
    pub const MISSING: Self = Self { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    /// A value with its interval.
    #[must_use]
    pub fn new(value: f64, low: f64, high: f64) -> Self {
        Self { value, low, high }
    }

    /// A value without an interval.
    #[must_use]
    pub fn exact(value: f64) -> Self {
        Self { value, low: f64::NAN, high: f64::NAN }
    }

    /// The value and the ends of its interval, to see how far they reach.
    pub(super) fn ends(&self) -> impl Iterator<Item = f64> + use<> {
        let known = self.value.is_finite();
        [self.value, self.low, self.high].into_iter().filter(move |_| known)
    }
}

/// An axis of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured.
    pub label: String,
    /// Written after each number of the axis, such as `%`.
    pub unit: String,
    /// Whether steps are factors. Values that are not positive are then left out.
    pub log: bool,
    /// The lowest and the highest value to show; otherwise all are shown. A range that is empty or cannot be
    /// shown is ignored.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis that shows all values.
    #[must_use]
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// The same axis with a unit after each number.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// The same axis with logarithmic steps.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// The same axis from one value to another.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }
}

/// A dashed line at one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its name in the legend; without one it has no key.
    pub name: String,
    /// Where it is.
    pub value: f64,
}

impl Reference {
    /// A line at a value.
    #[must_use]
    pub fn new(name: impl Into<String>, value: f64) -> Self {
        Self { name: name.into(), value }
    }
}

/// One estimate for each category.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// In the order of the categories. Those that are not there are missing.
    pub values: Vec<Estimate>,
    /// Whether it is shown as a hollow marker, for what others have published or for comparison.
    pub hollow: bool,
}

impl Series {
    /// A series of bars or full dots.
    #[must_use]
    pub fn new(name: impl Into<String>, values: Vec<Estimate>) -> Self {
        Self { name: name.into(), values, hollow: false }
    }

    /// The same series as hollow markers.
    #[must_use]
    pub fn hollow(mut self) -> Self {
        self.hollow = true;
        self
    }

    pub(super) fn value(&self, category: usize) -> Estimate {
        self.values.get(category).copied().unwrap_or(Estimate::MISSING)
    }
}

/// Estimates in categories: as bars side by side, or as dots in rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grouped {
    /// The names of the categories, from left to right or from top to bottom.
    pub categories: Vec<String>,
    /// What is compared in each category.
    pub series: Vec<Series>,
    /// The axis of the values.
    pub axis: Axis,
    /// Where bars start. Dots do not care.
    pub base: f64,
    /// Lines across all categories.
    pub references: Vec<Reference>,
    /// Whether the numbers are written too: at the bars where there is room, beside the dots with their
    /// intervals.
    pub numbers: bool,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it is.
    pub x: f64,
    /// What was found there.
    pub y: Estimate,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// A line with markers and error bars.
    #[default]
    Marked,
    /// A line in a shaded band.
    Band,
    /// A grey area without a line, for where something should lie.
    Area,
    /// A line alone.
    Plain,
    /// A dashed dark line for a bound or a theory, without markers.
    Reference,
}

/// A curve. It is broken where a point is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in the order in which they are joined.
    pub points: Vec<Point>,
    /// How it is drawn.
    pub look: Look,
}

impl Curve {
    /// A curve of these points.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        look: Look,
        points: impl IntoIterator<Item = (f64, Estimate)>,
    ) -> Self {
        let points = points.into_iter().map(|(x, y)| Point { x, y }).collect();
        Self { name: name.into(), points, look }
    }
}

/// Curves over two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// The axis from left to right.
    pub x: Axis,
    /// The axis from bottom to top.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Lines across, at values of y.
    pub references: Vec<Reference>,
}

/// A tree whose nodes of one depth lie on one circle around the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The parent of each node by its number, smaller than its own; the first node is the root, and its
    /// parent means nothing.
    pub parents: Vec<u32>,
    /// Depths at which a circle is drawn.
    pub rings: Vec<u32>,
    /// The kinds of nodes, by their names in the legend; without any all are alike.
    pub kinds: Vec<String>,
    /// The kind of each node.
    pub kind: Vec<u8>,
}

/// Values in a grid, as colours: white in the middle of the scale, blue below it, orange above.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// What varies from left to right, and its values.
    pub across: (String, Vec<String>),
    /// What varies from top to bottom, and its values.
    pub down: (String, Vec<String>),
    /// The cells of each row; what is not finite is missing.
    pub cells: Vec<Vec<f64>>,
    /// What is written in them, where there is room.
    pub texts: Vec<Vec<String>>,
    /// The values that are all blue, white, and all orange.
    pub scale: (f64, f64, f64),
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// Bars side by side, with error bars.
    Bars(Grouped),
    /// Dots in rows, with intervals.
    Dots(Grouped),
    /// Curves with error bars or bands.
    Lines(Lines),
    /// A tree on circles.
    Tree(Tree),
    /// A grid of colours.
    Heat(Heat),
}

/// One plot of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its title; may be empty.
    pub title: String,
    /// What it shows.
    pub chart: Chart,
}

/// A figure: panels in a grid under one title and one legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What the figure shows, in a few words.
    pub title: String,
    /// More about it; may be empty.
    pub subtitle: String,
    /// What a reader must know: how many games, which intervals; may be empty.
    pub caption: String,
    /// The plots, row by row.
    pub panels: Vec<Panel>,
    /// How many panels stand side by side.
    pub columns: usize,
    /// Whether panels of one kind use the same ranges.
    pub shared: bool,
    /// The width of the whole figure in units of about a hundredth of an inch; kept between 240 and 4000.
    pub width: f64,
    /// The height of a panel without its labels; otherwise its chart decides. Kept between 40 and 4000.
    pub panel_height: Option<f64>,
}

impl Default for Figure {
    fn default() -> Self {
        Self {
            title: String::new(),
            subtitle: String::new(),
            caption: String::new(),
            panels: Vec::new(),
            columns: 1,
            shared: true,
            width: 640.0,
            panel_height: None,
        }
    }
}

impl Figure {
    /// A figure with a title and no panels yet.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// The same figure with one more panel.
    #[must_use]
    pub fn panel(mut self, title: impl Into<String>, chart: Chart) -> Self {
        self.panels.push(Panel { title: title.into(), chart });
        self
    }

    /// The figure as SVG. Its text stays text; bars, points and intervals carry these words as classes.
    #[must_use]
    pub fn svg(&self) -> String {
        layout::scene(self).svg()
    }

    /// The figure as PNG, with this many pixels for each of its units: 2 for screens, 3 for print.
    ///
    /// # Errors
    /// If the scale is not positive or the picture would have more than 20,000 pixels on a side.
    pub fn png(&self, scale: f64) -> Result<Vec<u8>, PlotError> {
        raster::png(&layout::scene(self), scale)
    }
}

/// Why a figure could not be drawn.
#[derive(Debug, Error)]
pub enum PlotError {
    /// A scale that gives no picture or too large a one.
    #[error(
        "scale {given}: a figure of {width:.0} by {height:.0} units needs one above 0 that gives at most \
         20,000 pixels on a side"
    )]
    Scale {
        /// The scale as it was given.
        given: f64,
        /// The width of the figure in units.
        width: f64,
        /// The height of the figure in units.
        height: f64,
    },
    /// The pixels could not be packed.
    #[error("png: {0}")]
    Png(String),
}
