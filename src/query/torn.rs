//! Definitions of files that were not understood as a whole: what calls them there may be lost, or what calls that.
//!
//! Measured: of 41 definitions that audits called unreached in such files, 21 were dead.
//!
//! Guarantee: a definition whose name stands nowhere else in its file is as dead as elsewhere, as who calls it has to name
//! it. Deliberately absent: what was lost.

use super::unexplained::is_comment;
use crate::extract::record::DocFlags;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use rustc_hash::FxHashSet;

/// Whether a file was not understood as a whole.
pub fn is_torn(view: &View, file: FileId) -> bool {
    view.file(file).doc.is_some_and(|doc| {
        let row = view.segment(doc.segment).segment.doc(doc.doc);
        row.flags.contains(DocFlags::SYNTAX_ERRORS)
    })
}

/// The first line of such a file that has the name of a definition, but for where the name is defined. What seems to stand in
/// the definition may stand behind it, as errors make one take in what follows.
pub fn named(view: &View, texts: &mut Texts, file: FileId, name: &[u8]) -> Option<u32> {
    if !is_torn(view, file) {
        return None;
    }
    let text = texts.if_here(view, file)?;
    let places = text.words(name).map(|at| text.place(at));
    let places = places.filter(|(line, _)| !is_comment(text.line(*line).trim_ascii_start()));
    let places: Vec<(u32, u32)> = places.collect();
    if places.len() < 2 {
        return None;
    }
    let doc = view.file(file).doc?;
    let segment = &view.segment(doc.segment).segment;
    let known = segment.name_id(name);
    let defined = segment
        .symbols(doc.doc)
        .filter(|one| Some(one.name) == known);
    let defined: FxHashSet<(u32, u32)> = defined.map(|one| (one.name_line, one.name_col)).collect();
    let mut places = places.into_iter();
    let found = places.find(|place| !defined.contains(place))?;
    Some(found.0)
}
