//! How far hints and members are followed for one occurrence, and whether a guess was on the way.

use super::memo::{Memo, Taken};
use std::cell::Cell;

/// Hops in one chain. The bound is for code made to be followed for ever.
const MAX_HOPS: u32 = 40;

/// Hops in all chains. One place may lead to several (a type parameter to each type of its bound), so with
/// depth alone bounded, two parameters that bound each other double the work with every few hops.
/// Real code takes a hundred at most.
const MAX_LOOKS: u32 = 512;

/// The search for what one occurrence means.
pub(super) struct Search<'a> {
    looks_left: Cell<u32>,
    guessed: Cell<bool>,
    /// The least depth that was left in a chain.
    least_left: Cell<u32>,
    /// Whether hops ran out.
    ended: Cell<bool>,
    /// What was found before.
    memo: Option<&'a Memo>,
}

impl<'a> Search<'a> {
    /// One that has all its looks yet.
    pub(super) fn new() -> Self {
        Self {
            looks_left: Cell::new(MAX_LOOKS),
            guessed: Cell::new(false),
            least_left: Cell::new(MAX_HOPS),
            ended: Cell::new(false),
            memo: None,
        }
    }

    /// The same, that finds nothing twice.
    pub(super) fn with(memo: &'a Memo) -> Self {
        Self {
            memo: Some(memo),
            ..Self::new()
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
    search: &'a Search<'a>,
}

impl<'a> Hops<'a> {
    /// All hops of a search.
    pub(super) fn new(search: &'a Search<'a>) -> Self {
        Self {
            depth: MAX_HOPS,
            search,
        }
    }

    /// What is left after one more; `None` when there is none.
    pub(super) fn next(self) -> Option<Self> {
        let one = Taken { depth: 1, looks: 1 };
        let is_left = self.take(one);
        if !is_left {
            self.search.ended.set(true);
        }
        is_left.then(|| Self {
            depth: self.depth - 1,
            ..self
        })
    }

    /// Counts hops as taken; `false` where they are not left, and nothing is counted.
    pub(super) fn take(self, taken: Taken) -> bool {
        let Search {
            looks_left,
            least_left,
            ..
        } = self.search;
        let depth = self.depth.checked_sub(taken.depth);
        let looks = looks_left.get().checked_sub(taken.looks);
        let Some((depth, looks)) = depth.zip(looks) else {
            return false;
        };
        looks_left.set(looks);
        least_left.set(least_left.get().min(depth));
        true
    }

    /// What `find` gives, and the hops that it took; `None` where these ran out.
    pub(super) fn count<T>(self, find: impl FnOnce() -> T) -> (T, Option<Taken>) {
        let Search {
            looks_left,
            least_left,
            ended,
            ..
        } = self.search;
        let looks = looks_left.get();
        let least = least_left.replace(self.depth);
        let had_ended = ended.replace(false);
        let found = find();
        let taken = Taken {
            depth: self.depth - least_left.get(),
            looks: looks - looks_left.get(),
        };
        let is_whole = !ended.get();
        least_left.set(least_left.get().min(least));
        ended.set(ended.get() | had_ended);
        (found, is_whole.then_some(taken))
    }

    /// What was found before, where that is kept.
    pub(super) fn memo(self) -> Option<&'a Memo> {
        self.search.memo
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
