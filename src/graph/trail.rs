//! The way on which a name is followed through modules that give out what others do, and which of them were found to give
//! nothing out under it: in a package in which each module takes all names of each other one there are more ways than
//! anybody can go.
//!
//! Guarantee: what is noted is what asking again would give. So a module on the way is noted only where all of the way was
//! gone and nothing was found on it, and the one that was asked first only under the bound that holds for it alone.

use super::modules::Place;
use super::names::Name;
use super::resolve::Meaning;
use crate::modules::place::Whole;
use crate::view::live::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Modules a name is followed through. Barrels of barrels are common; the bound is for circles
/// that are made on purpose.
pub(super) const MAX_MODULES: usize = 64;

/// Notes that each part of them holds, so that memory is bounded in repositories of any size.
const MAX_NOTED: usize = 1 << 13;

/// A module that is one file, and a name that it is asked for.
pub(super) type Asked = (FileId, Option<Whole>, Name);

/// What is asked of a place; `None` where that is more than one file, or lies in one.
pub(super) fn asked(place: &Place, name: Name) -> Option<Asked> {
    match (&place.files[..], &place.inner[..]) {
        ([file], []) => Some((*file, place.whole, name)),
        _ => None,
    }
}

/// What has been asked of which file, so that circles of re-exports end.
#[derive(Default)]
pub(super) struct Trail {
    asked: FxHashSet<(FileId, Name)>,
    /// CommonJS modules that were asked which thing they are.
    required: FxHashSet<FileId>,
    /// Modules are passed over: in Rust a function may have the name of the module that it is taken from.
    pub(super) past_modules: bool,
    /// What was asked for a module below it and has none.
    childless: FxHashSet<Asked>,
    /// Whether something was not asked since it would have been too much.
    is_cut: bool,
    /// Whether a file knew anything of the name it was asked for.
    is_known: bool,
}

impl Trail {
    /// One on which modules are passed over.
    pub(super) fn past_modules() -> Self {
        Self {
            past_modules: true,
            ..Self::default()
        }
    }

    /// Whether a file may be asked for what it gives out under a name.
    pub(super) fn may_ask(&mut self, file: FileId, name: Name) -> bool {
        let is_new = !self.asked.contains(&(file, name));
        let may_ask = is_new && self.asked.len() < MAX_MODULES;
        self.is_cut |= is_new && !may_ask;
        may_ask && self.asked.insert((file, name))
    }

    /// Whether a module may be asked which thing it is.
    pub(super) fn may_require(&mut self, file: FileId) -> bool {
        self.required.len() < MAX_MODULES && self.required.insert(file)
    }

    /// Notes what a file said to a question.
    pub(super) fn heard(&mut self, given: &Meaning) {
        self.is_known |= !given.is_unknown();
    }

    /// The module below a place, which is looked for once where there is none.
    pub(super) fn child(
        &mut self,
        asked: Option<Asked>,
        find: impl FnOnce() -> Meaning,
    ) -> Meaning {
        if self.was_at(asked) {
            return Meaning::Unknown;
        }
        let child = find();
        if child.is_unknown() {
            self.childless.extend(asked);
        }
        child
    }

    /// Whether a module was asked before, or could not be, and nothing is below it: it has no more to say.
    pub(super) fn was_at(&self, asked: Option<Asked>) -> bool {
        asked.is_some_and(|asked| self.childless.contains(&asked))
    }

    /// All that was asked on the way, where none of it knows anything whoever asks.
    fn barren(self) -> FxHashSet<Asked> {
        match self.is_cut || self.is_known || !self.required.is_empty() {
            true => FxHashSet::default(),
            false => self.childless,
        }
    }
}

/// What gives nothing out, and whether that is as it may come from outside of the repository.
type Noted = FxHashMap<Asked, bool>;

/// Modules that give nothing of the repository out under a name. Notes hold for one state of what is known of members.
pub(super) struct Barren(Box<[Mutex<Noted>]>);

impl Barren {
    /// In so many parts, for as many threads as ask at once.
    pub(super) fn of(parts: usize) -> Self {
        Self((0..parts.max(1)).map(|_| Mutex::default()).collect())
    }

    fn part(&self, (file, ..): Asked) -> MutexGuard<'_, Noted> {
        let part = &self.0[file.0 as usize % self.0.len()];
        part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is given out, where that is known to be nothing of the repository.
    pub(super) fn known(&self, asked: Asked) -> Option<Meaning> {
        let is_external = *self.part(asked).get(&asked)?;
        Some(match is_external {
            true => Meaning::External,
            false => Meaning::Unknown,
        })
    }

    /// Notes what was given to a question, and what was learnt on the way.
    pub(super) fn note(&self, asked: Asked, given: &Meaning, trail: Trail) {
        let is_external = match given {
            Meaning::Unknown => false,
            Meaning::External => true,
            _ => return,
        };
        for also in trail.barren() {
            self.insert(also, false);
        }
        self.insert(asked, is_external);
    }

    fn insert(&self, asked: Asked, is_external: bool) {
        let mut noted = self.part(asked);
        if noted.len() >= MAX_NOTED {
            noted.clear();
        }
        noted.insert(asked, is_external);
    }
}

#[cfg(test)]
mod tests;
