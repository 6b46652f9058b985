//! The data model of figures. Callers fill it in; nothing here knows how it is drawn.

use super::{layout, raster};
use thiserror::Error;

/// A value and its interval. A value that is not finite is missing; an end that is NaN is not drawn, and an
/// infinite one extends to the edge of the panel.
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
    /// A missing value.
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

    /// The value and the ends of its interval, for computing ranges.
    pub(super) fn ends(&self) -> impl Iterator<Item = f64> + use<> {
        let known = self.value.is_finite();
        [self.value, self.low, self.high].into_iter().filter(move |_| known)
    }
}

/// A value axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured.
    pub label: String,
    /// Appended to each number of the axis, such as `%`.
    pub unit: String,
    /// Whether the axis is logarithmic. Values that are not positive are then left out.
    pub log: bool,
    /// The lowest and highest value to show; by default all values are shown. An empty or unusable range is
    /// ignored.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis that shows all values.
    #[must_use]
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// Appends a unit to each number.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Makes the axis logarithmic.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// Sets the lowest and highest value to show.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }
}

/// A dashed line at one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its name in the legend; without a name it has no key.
    pub name: String,
    /// Its position.
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
    /// One value for each category, in their order. Values that the list lacks are missing.
    pub values: Vec<Estimate>,
    /// Whether it is drawn as hollow markers, for published values or for comparison.
    pub hollow: bool,
}

impl Series {
    /// A series of bars or solid dots.
    #[must_use]
    pub fn new(name: impl Into<String>, values: Vec<Estimate>) -> Self {
        Self { name: name.into(), values, hollow: false }
    }

    /// Makes the markers hollow.
    #[must_use]
    pub fn hollow(mut self) -> Self {
        self.hollow = true;
        self
    }

    pub(super) fn value(&self, category: usize) -> Estimate {
        self.values.get(category).copied().unwrap_or(Estimate::MISSING)
    }
}

/// Estimates by category: as bars side by side, or as rows of dots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grouped {
    /// The names of the categories, from left to right or from top to bottom.
    pub categories: Vec<String>,
    /// What is compared in each category.
    pub series: Vec<Series>,
    /// The value axis.
    pub axis: Axis,
    /// The baseline of bars. Not used for dots.
    pub base: f64,
    /// Lines across all categories.
    pub references: Vec<Reference>,
    /// Whether the numbers are written as well: at the bars if they fit, beside the dots with their
    /// intervals.
    pub numbers: bool,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its position on the x axis.
    pub x: f64,
    /// Its value.
    pub y: Estimate,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// A line with markers and error bars.
    #[default]
    Marked,
    /// A line with a shaded band.
    Band,
    /// A grey area without a line, for an expected range.
    Area,
    /// A line only.
    Plain,
    /// A dashed dark line without markers, for a bound or a theory.
    Reference,
}

/// A curve, interrupted at missing points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its points, in the order in which they are connected.
    pub points: Vec<Point>,
    /// How it is drawn.
    pub look: Look,
}

impl Curve {
    /// A curve through these points.
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
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub curves: Vec<Curve>,
    /// Horizontal lines, at values of y.
    pub references: Vec<Reference>,
}

/// A tree drawn on concentric circles: all nodes of one depth are on one circle around the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The index of each node's parent, smaller than the node's own; the first node is the root, and its
    /// entry is ignored.
    pub parents: Vec<u32>,
    /// Depths at which a circle is drawn.
    pub rings: Vec<u32>,
    /// The kinds of nodes, by their names in the legend; if empty, all nodes look alike.
    pub kinds: Vec<String>,
    /// The kind of each node.
    pub kind: Vec<u8>,
}

/// Values in a grid, as colours: white at the middle of the scale, blue below it, orange above.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// What varies from left to right, and its values.
    pub across: (String, Vec<String>),
    /// What varies from top to bottom, and its values.
    pub down: (String, Vec<String>),
    /// The cells of each row; values that are not finite are missing.
    pub cells: Vec<Vec<f64>>,
    /// The texts in the cells, shown where they fit.
    pub texts: Vec<Vec<String>>,
    /// The values drawn in full blue, in white, and in full orange.
    pub scale: (f64, f64, f64),
}

/// What a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// Bars side by side, with error bars.
    Bars(Grouped),
    /// Rows of dots, with intervals.
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
    /// Details; may be empty.
    pub subtitle: String,
    /// What a reader must know, such as the number of games and the type of interval; may be empty.
    pub caption: String,
    /// The plots, row by row.
    pub panels: Vec<Panel>,
    /// The number of panels side by side.
    pub columns: usize,
    /// Whether panels of one type use the same ranges.
    pub shared: bool,
    /// The width of the whole figure in units of about a hundredth of an inch; clamped to 240 to 4000.
    pub width: f64,
    /// The height of a panel without its labels; by default the chart determines it. Clamped to 40 to 4000.
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
    /// A figure with a title and no panels.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a panel.
    #[must_use]
    pub fn panel(mut self, title: impl Into<String>, chart: Chart) -> Self {
        self.panels.push(Panel { title: title.into(), chart });
        self
    }

    /// Renders the figure as SVG. Text remains text; bars, points and intervals have these words as classes.
    #[must_use]
    pub fn svg(&self) -> String {
        layout::scene(self).svg()
    }

    /// Renders the figure as PNG, with `scale` pixels per unit: 2 for screens, 3 for print.
    ///
    /// # Errors
    /// If the scale is not positive or the image would have more than 20,000 pixels on a side.
    pub fn png(&self, scale: f64) -> Result<Vec<u8>, PlotError> {
        raster::png(&layout::scene(self), scale)
    }
}

/// Why a figure could not be drawn.
#[derive(Debug, Error)]
pub enum PlotError {
    /// A scale that gives an empty image or too large a one.
    #[error(
        "scale {given}: a figure of {width:.0} by {height:.0} units needs one above 0 that gives at most \
         20,000 pixels on a side"
    )]
    Scale {
        /// The given scale.
        given: f64,
        /// The width of the figure in units.
        width: f64,
        /// The height of the figure in units.
        height: f64,
    },
    /// The image could not be encoded.
    #[error("png: {0}")]
    Png(String),
}
