//! Figures, as SVG and PNG, in one style.
