//! Figures, as SVG and PNG, in one style.
//!
//! A [`Figure`] is plain data: a title, a caption and panels, each with one [`Chart`]. What is drawn depends
//! on nothing else: no clock, no font of the system, no generator, so the same figure gives the same bytes.
//! Colours are those of Okabe and Ito, which most colour-blind readers can tell apart; series differ in shape
//! too, for print in grey. A series has one colour in all panels, and one key in the legend above them,
//! where it hides no data. Values that are not finite, and those that a logarithmic axis cannot show, are
//! left out.
//!
//! The SVG is written by hand, and the PNG is drawn from the same list of marks by a rasteriser. The usual
//! way, a plotting library whose SVG another library reads back, costs far more: that reader alone takes 140
//! s of one core to build, the rasteriser and the font reader here 22 s together. The layout is ours, so
//! tests can hold that no text covers another.
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
