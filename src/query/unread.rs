//! Names in code that is too large to be parsed: no reference in it is known, and it may use what it names.
//!
//! Guarantee: a text is read once for all names that are asked for. Deliberately absent: minified code, which has the names of
//! what it was made from, used or not, and what is larger than anybody writes.

use super::exposure::language;
use crate::extract::record::{Grammar, SkipReason};
use crate::lang;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use crate::view::word_places::WordPlaces;

/// Files that are read.
const MAX_FILES: usize = 32;
/// Bytes of each.
const MAX_BYTES: u64 = 16 << 20;

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
    let files = view.flaws().files.iter().copied();
    let is_one = |file: &FileId| {
        view.file(*file).doc.is_some_and(|doc| {
            let row = view.segment(doc.segment).segment.doc(doc.doc);
            let is_code = !lang::of(row.lang).genre.is_data();
            row.skip == Some(SkipReason::TooLarge) && is_code && row.size <= MAX_BYTES
        })
    };
    let found = files.filter(is_one).take(MAX_FILES);
    found.map(|file| (file, WordPlaces::default())).collect()
}
