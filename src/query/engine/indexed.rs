//! Files that hold a word, by the documents that an index has, while it lacks those of other files.
//!
//! Guarantee: no file is left out whose document has the word as a name, or as a term of its text. Deliberately absent: what
//! a word is a part of, which looking through a text finds.

use super::fit::{Fit, Held};
use crate::extract::record::DocKey;
use crate::extract::terms;
use crate::segment::Segment;
use crate::view::files::File;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The files with a document that hold one of some words, in order; `lacking` are those without, in order.
pub(super) fn files_with(
    segments: &[Arc<Segment>],
    files: &[File],
    lacking: &[FileId],
    words: &[Vec<u8>],
) -> Vec<Fit> {
    let mut found: FxHashMap<DocKey, Vec<Held>> = FxHashMap::default();
    let mut note = |key: DocKey, word: usize, held: Held| {
        let all = found.entry(key);
        let all = all.or_insert_with(|| vec![Held::Nowhere; words.len()]);
        all[word] = all[word].max(held);
    };
    for segment in segments {
        for (at, word) in words.iter().enumerate() {
            let postings = segment.postings(&terms::of_name(word));
            let chunks = postings.into_iter().flatten().map(|posting| posting.chunk);
            for doc in segment.chunk_docs(chunks) {
                note(segment.key(doc), at, Held::Somewhere);
            }
            let name = segment.name_id(word);
            for used in name.into_iter().flat_map(|name| segment.uses(name)) {
                let held = match used.defines {
                    true => Held::Defined,
                    false => Held::Somewhere,
                };
                note(segment.key(used.doc), at, held);
            }
        }
    }
    let mut lacking = lacking.iter().copied().peekable();
    let all = (0u32..).map(FileId).zip(files);
    let known = all.filter(|(id, _)| lacking.next_if_eq(id).is_none());
    let fits = known.filter_map(|(file, of)| {
        let words = found.get(&of.key()?)?.clone();
        Some(Fit {
            file,
            words,
            is_indexed: true,
        })
    });
    fits.collect()
}
