//! Words of memories, each taken apart once: ten thousand memories use the same few thousand words.

use crate::extract::terms;
use crate::query::search::query::is_telling;
use crate::query::search::stems::stem;
use crate::vector::static_model::embedded;
use rustc_hash::FxHashMap;

/// A stem, by its number in [`Words`].
pub type Stem = u32;

/// One term of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Its stem.
    pub stem: Stem,
    /// Its row in the static model, if that knows it.
    pub row: Option<u32>,
    /// Whether the word says something: it is none that every sentence has.
    pub is_telling: bool,
}

/// See the module.
#[derive(Default)]
pub struct Words {
    stems: FxHashMap<Vec<u8>, Stem>,
    known: FxHashMap<Box<[u8]>, Box<[Term]>>,
}

impl Words {
    /// Calls `f` with each term of a text, in order.
    pub fn for_each_term(&mut self, text: &str, mut f: impl FnMut(Term)) {
        terms::for_each_word(text.as_bytes(), |word, _| {
            if let Some(known) = self.known.get(word) {
                known.iter().for_each(|term| f(*term));
                return;
            }
            let mut all = Vec::new();
            let is_telling = is_telling(word);
            terms::for_each_term(word, |term| {
                let next = self.stems.len() as Stem;
                all.push(Term {
                    stem: *self.stems.entry(stem(term)).or_insert(next),
                    row: embedded().find(term),
                    is_telling,
                });
            });
            all.iter().for_each(|term| f(*term));
            self.known.insert(word.into(), all.into());
        });
    }

    /// Finds a stem that a memory has.
    pub fn find(&self, stem: &[u8]) -> Option<Stem> {
        self.stems.get(stem).copied()
    }
}
