//! The principal variation, collected while the search runs.
//!
//! Each state on a candidate for the principal variation has a slot, numbered by its distance from the root;
//! the slot holds the best continuation found from there. At a chance node the variation follows the most
//! likely outcome only, so all but a few states have no slot and pay nothing.

use astragal_core::Step;

/// The slot of a state, or [`Slot::NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(u32);

impl Slot {
    /// For states whose continuation is not recorded.
    pub(crate) const NONE: Self = Self(u32::MAX);
    /// For the root.
    pub(crate) const ROOT: Self = Self(0);

    /// The slot of a child on the variation.
    #[inline]
    pub(crate) fn next(self) -> Self {
        if self == Self::NONE { Self::NONE } else { Self(self.0 + 1) }
    }
}

/// The continuations.
pub(crate) struct Variation<A, O> {
    slots: Vec<Vec<Step<A, O>>>,
}

impl<A: Copy, O: Copy> Variation<A, O> {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Begins a state, with an empty continuation.
    #[inline]
    pub(crate) fn begin(&mut self, slot: Slot) {
        if slot != Slot::NONE {
            while self.slots.len() <= slot.0 as usize + 1 {
                self.slots.push(Vec::with_capacity(64));
            }
            self.slots[slot.0 as usize].clear();
        }
    }

    /// Sets the best continuation to this step followed by that of the child.
    #[inline]
    pub(crate) fn extend(&mut self, slot: Slot, step: Step<A, O>) {
        if slot != Slot::NONE {
            let (before, after) = self.slots.split_at_mut(slot.0 as usize + 1);
            let here = &mut before[slot.0 as usize];
            here.clear();
            here.push(step);
            here.extend_from_slice(&after[0]);
        }
    }

    /// The best continuation of the state with this slot.
    pub(crate) fn get(&self, slot: Slot) -> &[Step<A, O>] {
        self.slots.get(slot.0 as usize).map_or(&[], Vec::as_slice)
    }
}
