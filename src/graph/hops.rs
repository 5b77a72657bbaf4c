//! How far hints and members are followed for one occurrence, and whether a guess was on the way.

use std::cell::Cell;

/// Hops in one chain. The bound is for code made to be followed for ever.
const MAX_HOPS: u32 = 40;

/// Hops in all chains. One place may lead to several (a type parameter to each type of its bound), so with
/// depth alone bounded, two parameters that bound each other double the work with every few hops.
/// Real code takes a hundred at most.
const MAX_LOOKS: u32 = 512;

/// The search for what one occurrence means.
pub(super) struct Search {
    looks_left: Cell<u32>,
    guessed: Cell<bool>,
}

impl Search {
    /// One that has all its looks yet.
    pub(super) fn new() -> Self {
        Self {
            looks_left: Cell::new(MAX_LOOKS),
            guessed: Cell::new(false),
        }
    }

    /// Whether what was followed was a guess somewhere.
    pub(super) fn was_guessed(&self) -> bool {
        self.guessed.get()
    }
}

/// What is left of the hops for one occurrence.
#[derive(Clone, Copy)]
pub(super) struct Hops<'a> {
    depth: u32,
    search: &'a Search,
}

impl<'a> Hops<'a> {
    /// All hops of a search.
    pub(super) fn new(search: &'a Search) -> Self {
        Self {
            depth: MAX_HOPS,
            search,
        }
    }

    /// What is left after one more; `None` when there is none.
    pub(super) fn next(self) -> Option<Self> {
        let depth = self.depth.checked_sub(1)?;
        let left = &self.search.looks_left;
        left.set(left.get().checked_sub(1)?);
        Some(Self { depth, ..self })
    }

    /// Notes that what was found is a guess, or built on one.
    pub(super) fn note_guess(self) {
        self.search.guessed.set(true);
    }

    /// What `find` gives, and whether a guess was on its way. Of the search as a whole nothing is noted: what was found
    /// on the way to a thing may be given up again.
    pub(super) fn watch<T>(self, find: impl FnOnce() -> T) -> (T, bool) {
        let before = self.search.guessed.replace(false);
        let found = find();
        (found, self.search.guessed.replace(before))
    }
}

#[cfg(test)]
mod tests;
