//! Calls of what takes something else now to which no edge leads: on values of which nothing is known, and in pages.
//!
//! Guarantee: nothing here is counted as broken. A call that can be read is named where it fitted and does not fit any
//! more, or where its arguments cannot be counted; in a page, where it cannot be read, each is. What was not looked for is
//! counted. Left out: names in quotes, and calls of what was taken out of an object before (`const { run } = jobs`), of
//! which the taking out is named.

use super::dangling::own_bytes;
use super::possible::{self, PossibleUse, Why};
use super::signatures::{Called, Judged, Overloads, Signatures, State, judge};
use crate::query::unexplained::{MIN_NAME_BYTES, ReadFile, Standing};
use crate::view::text::Texts;

/// Names that are looked for.
const MAX_NAMES: usize = 16;
/// Files that are read for one name.
const MAX_FILES: usize = 192;

/// What was found.
#[derive(Default)]
pub struct Unlinked {
    /// The places, in no order.
    pub places: Vec<PossibleUse>,
    /// Names that were not looked for in all texts that have them.
    pub names: usize,
}

impl Signatures<'_> {
    /// Looks for the calls of what takes another number of things now, or others.
    pub fn unlinked(&mut self, texts: &mut Texts) -> Unlinked {
        let mut all = Unlinked::default();
        let mut looked = 0;
        for called in self.called() {
            let (old, new) = (self.side(State::Old), self.side(State::New));
            let name = own_bytes(&old.unit(called.old).name);
            let is_same = own_bytes(&new.unit(called.new).name) == name;
            if !called.is_signed || !is_same {
                continue;
            }
            let compared = self.compared(texts, &called);
            let Some((before, after, _)) = compared.filter(|(.., blind)| blind.to_number) else {
                continue;
            };
            // Shorter names are words of everything: of them it is said alone that nobody looked.
            if looked == MAX_NAMES || name.len() < MIN_NAME_BYTES {
                all.names += 1;
                continue;
            }
            looked += 1;
            self.calls_by_name(texts, (&called, name), (&before, &after), &mut all);
        }
        all
    }

    fn calls_by_name(
        &mut self,
        texts: &mut Texts,
        (called, name): (&Called, &[u8]),
        (before, after): (&Overloads, &Overloads),
        all: &mut Unlinked,
    ) {
        let (old, new) = (self.side(State::Old), self.side(State::New));
        let files = possible::holders((old, new.view), name, called.old);
        let mut is_whole = files.len() <= MAX_FILES;
        for file in files.into_iter().take(MAX_FILES) {
            // Nothing is fetched for a guess.
            let read = match texts.if_here(new.view, file) {
                Some(_) => ReadFile::of(new.view, new.graph, texts, file),
                None => None,
            };
            let Some(read) = read else {
                is_whole = false;
                continue;
            };
            let is_page = possible::is_page(new.view, file);
            for (line, standing) in read.unresolved(name) {
                let why = match standing {
                    Standing::Gap => Why::NotUnderstood,
                    Standing::Reference {
                        is_of_unknown: true,
                        col,
                    } => {
                        let given = self.given(texts, (file, line, col));
                        match judge(before, after, given.as_ref(), || false) {
                            Judged::Broken(..) => Why::Unresolved,
                            Judged::Uncounted if given.is_some() => Why::Arguments,
                            Judged::Fits | Judged::Uncounted => continue,
                        }
                    }
                    Standing::Text { is_code: true, .. } if is_page => Why::Text,
                    _ => continue,
                };
                if self.is_new(file, line) {
                    continue;
                }
                all.places.push(PossibleUse {
                    why,
                    file,
                    line,
                    was: called.old,
                });
            }
        }
        all.names += usize::from(!is_whole);
    }
}
