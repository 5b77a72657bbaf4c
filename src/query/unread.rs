//! Names in code that is too large to be parsed: no reference in it is known, and it may use what it names.
//!
//! Guarantee: a text is read once for all names that are asked for. Deliberately absent: minified code, which has the names of
//! what it was made from, used or not, and what is left once so much was read.

use super::exposure::language;
use crate::extract::record::{Grammar, SkipReason};
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use crate::view::word_places::WordPlaces;

/// Bytes that are read of all of them.
const MAX_BYTES: u64 = 32 << 20;

/// Such files, found when the first name is asked for.
#[derive(Default)]
pub struct Unread {
    files: Option<Vec<(FileId, WordPlaces)>>,
}

impl Unread {
    /// The first line of such a file that has a name of a language.
    pub fn first(
        &mut self,
        view: &View,
        texts: &mut Texts,
        (lang, name): (Grammar, &[u8]),
    ) -> Option<(FileId, u32)> {
        let family = lang::of(lang).family;
        let files = self.files.get_or_insert_with(|| too_large(view));
        files.iter().find_map(|(file, words)| {
            let of = language(view, *file);
            if of.family != family && of.liveness.called_family != Some(family) {
                return None;
            }
            let text = texts.if_here(view, *file)?;
            let at = words.of(&text, name).next()?;
            Some((*file, text.place(at).0))
        })
    }
}

fn too_large(view: &View) -> Vec<(FileId, WordPlaces)> {
    let mut left = MAX_BYTES;
    let is_one = |file: &FileId| {
        let row = view.file(*file).doc.map(|doc| {
            let segment = &view.segment(doc.segment).segment;
            segment.doc(doc.doc)
        });
        let row = row.filter(|row| {
            row.skip == Some(SkipReason::TooLarge) && !lang::of(row.lang).genre.is_data()
        });
        let rest = row.and_then(|row| left.checked_sub(row.size));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let found = view.flaws().files.iter().copied().filter(is_one);
    found.map(|file| (file, WordPlaces::default())).collect()
}
