//! Definitions of files that were not understood as a whole: what calls them there may be lost, or what calls that.
//!
//! Measured: of 41 definitions that audits called unreached in such files, 21 were dead.
//!
//! Guarantee: a definition whose name stands nowhere else in its file is as dead as elsewhere, as who calls it has to name
//! it. Deliberately absent: what was lost.

use super::unexplained::is_remark;
use crate::extract::record::DocFlags;
use crate::view::live::{FileId, View};
use crate::view::text::{Text, Texts};
use crate::view::word_places::WordPlaces;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Whether a file was not understood as a whole.
pub fn is_torn(view: &View, file: FileId) -> bool {
    view.file(file).doc.is_some_and(|doc| {
        let row = view.segment(doc.segment).segment.doc(doc.doc);
        row.flags.contains(DocFlags::SYNTAX_ERRORS)
    })
}

/// Such files, each read once for all names that are asked for.
#[derive(Default)]
pub struct Torn {
    files: FxHashMap<FileId, Option<Read>>,
}

/// A file that was read.
struct Read {
    text: Arc<Text>,
    words: WordPlaces,
    /// Where it defines something.
    defined: FxHashSet<(u32, u32)>,
}

impl Torn {
    /// The first line of such a file that has the name of a definition, but for where something is defined. What seems to
    /// stand in the definition may stand behind it, as errors make one take in what follows.
    pub fn named(
        &mut self,
        view: &View,
        texts: &mut Texts,
        file: FileId,
        name: &[u8],
    ) -> Option<u32> {
        let read = self.files.entry(file).or_insert_with(|| {
            let doc = view.file(file).doc.filter(|_| is_torn(view, file))?;
            let text = texts.if_here(view, file)?;
            let symbols = view.segment(doc.segment).segment.symbols(doc.doc);
            Some(Read {
                text,
                words: WordPlaces::default(),
                defined: symbols.map(|one| (one.name_line, one.name_col)).collect(),
            })
        });
        let read = read.as_ref()?;
        let places = read.words.of(&read.text, name);
        let mut places = places.map(|at| read.text.place(at));
        let found = places
            .find(|place| !read.defined.contains(place) && !is_remark(read.text.line(place.0)))?;
        Some(found.0)
    }
}
