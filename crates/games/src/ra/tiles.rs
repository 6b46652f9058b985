//! The 180 tiles of Ra: 23 kinds and the number of tiles of each.

/// A kind of tile, by its index, which is also the order of the bag's outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind(pub(super) u8);

/// The number of kinds of tiles.
pub const KINDS: usize = 23;

/// Kinds below this index can belong to a player (except Ra tiles, index 0); the others are disasters.
pub(super) const OWNABLE: usize = 19;

pub(super) const RA: usize = 0;
pub(super) const GOD: usize = 1;
pub(super) const GOLD: usize = 2;
pub(super) const PHARAOH: usize = 3;
pub(super) const NILE: usize = 4;
pub(super) const FLOOD: usize = 5;
/// Five kinds of civilization tiles.
pub(super) const CIVILIZATIONS: std::ops::Range<usize> = 6..11;
/// Eight kinds of monuments.
pub(super) const MONUMENTS: std::ops::Range<usize> = 11..19;
pub(super) const FUNERAL: usize = 19;
pub(super) const DROUGHT: usize = 20;
pub(super) const UNREST: usize = 21;
pub(super) const EARTHQUAKE: usize = 22;

/// The number of tiles of each kind in the box.
pub(super) const BOX: [u8; KINDS] = [30, 8, 5, 25, 25, 12, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 2, 2, 4, 2];

const NAMES: [&str; KINDS] = [
    "ra",
    "god",
    "gold",
    "pharaoh",
    "nile",
    "flood",
    "art",
    "agriculture",
    "astronomy",
    "religion",
    "writing",
    "fortress",
    "obelisk",
    "palace",
    "pyramid",
    "sphinx",
    "statue",
    "step-pyramid",
    "temple",
    "funeral",
    "drought",
    "unrest",
    "earthquake",
];

impl Kind {
    /// Every kind, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS as u8).map(Self)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().position(|known| *known == name).map(|at| Self(at as u8))
    }

    /// The number of tiles of this kind in the box.
    #[must_use]
    pub fn in_box(self) -> u8 {
        BOX[self.index()]
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}
