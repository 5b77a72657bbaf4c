//! How far hints and members are followed for one occurrence.

use std::cell::Cell;

/// Hops in one chain. The bound is for code made to be followed for ever.
const MAX_HOPS: u32 = 40;

/// Hops in all chains. One place may lead to several (a type parameter to each type of its bound), so with
/// depth alone bounded, two parameters that bound each other double the work with every few hops.
/// Real code takes a hundred at most.
const MAX_LOOKS: u32 = 512;

/// What is left of the hops for one occurrence.
#[derive(Clone, Copy)]
pub(super) struct Hops<'a> {
    depth: u32,
    total: &'a Cell<u32>,
}

impl<'a> Hops<'a> {
    /// All hops; `total` is what [`looks`] gives.
    pub(super) fn new(total: &'a Cell<u32>) -> Self {
        Self {
            depth: MAX_HOPS,
            total,
        }
    }

    /// What is left after one more; `None` when there is none.
    pub(super) fn next(self) -> Option<Self> {
        let depth = self.depth.checked_sub(1)?;
        self.total.set(self.total.get().checked_sub(1)?);
        Some(Self { depth, ..self })
    }
}

/// What one occurrence may take.
pub(super) fn looks() -> Cell<u32> {
    Cell::new(MAX_LOOKS)
}

#[cfg(test)]
mod tests;
