//! Astragal.
pub use astragal_catalog as catalog;
pub use astragal_core as core;
pub use astragal_games as games;
pub use astragal_search as search;
