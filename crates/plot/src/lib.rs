//! Figures, as SVG and PNG, in one style.
//!
//! A [`Figure`] is plain data: a title, a caption and panels, each with one [`Chart`]. The drawing depends on
//! nothing else: no clock, no system font, no random numbers, so the same figure always gives the same bytes.
//! The colours are those of Okabe and Ito, which most colour-blind readers can distinguish; series also
//! differ in shape, for greyscale print. A series has the same colour in all panels, and one key in the
//! legend above them, where it hides no data. Values that are not finite, and those that a logarithmic axis
//! cannot show, are left out.
//!
//! The SVG is generated directly, and the PNG is drawn from the same list of marks by a rasteriser. The usual
//! alternative, a plotting library whose SVG another library renders, costs far more: that renderer alone
//! takes 140 s of one core to build, the rasteriser and the font parser used here 22 s together. Since the
//! layout is done here, tests can verify that no text covers another.
//!
//! ```
//! use astragal_plot::{Axis, Chart, Estimate, Figure, Grouped, Reference, Series};
//!
//! let wins = Series::new("measured", vec![Estimate::new(53.1, 50.9, 55.3), Estimate::MISSING]);
//! let bars = Grouped {
//!     categories: vec!["star2SS–MCTS".into(), "star1SS–MCTS".into()],
//!     series: vec![wins],
//!     axis: Axis::new("wins of the left player").unit("%").range(0.0, 100.0),
//!     references: vec![Reference::new("even", 50.0)],
//!     ..Grouped::default()
//! };
//! let figure = Figure::new("Who wins at Pig").panel("Pig", Chart::Bars(bars));
//! assert!(figure.svg().contains("star2SS–MCTS"));
//! ```

mod axes;
mod bars;
mod dots;
mod figure;
mod font;
mod heat;
mod layout;
mod lines;
mod radial;
mod raster;
mod scale;
mod scene;
mod style;

pub use figure::{
    Axis, Chart, Curve, Estimate, Figure, Grouped, Heat, Lines, Look, Panel, PlotError, Point, Reference,
    Series, Tree,
};
