//! What was followed already: one local name is used twenty times, and `a.b.c.d` asks for `a.b` three times.
//!
//! Guarantee: a remembered answer is the one that following again would give. So it carries how many hops it took and
//! whether a guess was on its way; it counts as if they had been taken, and is not used where they are not left. What
//! ended because hops ran out is never remembered. A memo is of one thread and of one state of what is known of symbols.

use super::hops::Hops;
use super::table::SymbolId;
use super::value::Value;
use crate::extract::record::TypeHint;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// Answers about other files that are kept at once, so that memory is bounded in repositories of any size.
const MAX_KEPT: usize = 1 << 16;

/// What was asked.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    place: u64,
    asked: u64,
}

impl Key {
    /// The value that an occurrence names.
    pub(super) fn value(file: FileId, at: u32) -> Self {
        Self::of(file, at, u64::MAX)
    }

    /// What a hint comes to that is about a symbol, or lies in it.
    pub(super) fn hint(file: FileId, hint: TypeHint, owner: Option<u32>) -> Self {
        let owner = owner.map_or(0, |owner| u64::from(owner) + 1);
        let kind = u64::from(hint.kind.code());
        Self::of(file, hint.occurrence, owner << 8 | kind)
    }

    /// What a definition takes at a place.
    pub(super) fn parameter(of: SymbolId, place: usize) -> Self {
        Self {
            place: u64::MAX << 32 | u64::from(of.0),
            asked: place as u64,
        }
    }

    fn of(file: FileId, at: u32, asked: u64) -> Self {
        Self {
            place: u64::from(file.0) << 32 | u64::from(at),
            asked,
        }
    }

    fn is_of(self, file: FileId) -> bool {
        self.place >> 32 == u64::from(file.0)
    }
}

/// Hops that something took.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    /// In the longest chain.
    pub(super) depth: u32,
    /// In all chains.
    pub(super) looks: u32,
}

/// An answer with what it took.
struct Answer {
    value: Value,
    taken: Taken,
    is_guess: bool,
}

type Answers = RefCell<FxHashMap<Key, Answer>>;

/// The answers of one thread.
pub(super) struct Memo {
    file: Cell<FileId>,
    /// About the file that is worked on: most of them, and of no use after it.
    own: Answers,
    others: Answers,
}

impl Default for Memo {
    fn default() -> Self {
        Self {
            file: Cell::new(FileId(0)),
            own: Answers::default(),
            others: Answers::default(),
        }
    }
}

impl Memo {
    /// Names the file that is worked on from now on.
    pub(super) fn enter(&self, file: FileId) {
        if self.file.replace(file) != file {
            self.own.take();
        }
    }

    fn about(&self, key: Key) -> &Answers {
        match key.is_of(self.file.get()) {
            true => &self.own,
            false => &self.others,
        }
    }
}

impl Hops<'_> {
    /// What `find` gives, or gave when the same was asked before.
    pub(super) fn once(self, key: Key, find: impl FnOnce(Self) -> Value) -> Value {
        let Some(answers) = self.memo().map(|memo| memo.about(key)) else {
            return find(self);
        };
        if let Some(answer) = answers.borrow().get(&key)
            && self.take(answer.taken)
        {
            if answer.is_guess {
                self.note_guess();
            }
            return answer.value.clone();
        }
        let ((value, is_guess), taken) = self.count(|| self.watch(|| find(self)));
        if is_guess {
            self.note_guess();
        }
        if let Some(taken) = taken {
            let mut answers = answers.borrow_mut();
            if answers.len() >= MAX_KEPT {
                answers.clear();
            }
            let answer = Answer {
                value: value.clone(),
                taken,
                is_guess,
            };
            answers.insert(key, answer);
        }
        value
    }
}

#[cfg(test)]
mod tests;
